"""Two layouts of the pairs: neighbours or halves, and what happens when they are mixed."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Arcs, Block, Column, Paragraph, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, differ
from rope_cli.document.vocabulary import left, right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.reference import partners
from rope_cli.example.worked_example import (
    GENERIC_KEY,
    GENERIC_QUERY,
    TOKEN_QUERIES,
    Array,
    Example,
)
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH
from rope_cli.rope.layouts import adjacent_order, half_split_order, to_half_split
from rope_cli.rope.tables import RotaryEmbedding

TITLE = t("Two layouts of the pairs", "Две раскладки пар")
QUESTION = t(
    "RoFormer pairs coordinate 2j with 2j+1; much code pairs j with j+d/2. Is one of the two a "
    "mistake? And do the two give the same score for the same q and k?",
    "В RoFormer пару образуют координаты 2j и 2j+1, во многих программах — j и j+d/2. Ошибочен ли "
    "один из этих способов? И одинаковы ли оценки, которые они дают для одних и тех же q и k?",
)

CLAIMS = {
    "permuted-rows-agree": t(
        "rotating the permuted row in half-split pairs gives the permuted result of adjacent pairs",
        "переставленная строка, повёрнутая в половинной раскладке, — это переставленный результат "
        "соседних пар",
    ),
    "permuted-score-agrees": t(
        "with q and k permuted in the same way, half-split pairs give the score of adjacent pairs",
        "если q и k переставлены одинаково, половинная раскладка даёт оценку соседних пар",
    ),
    "layouts-by-formula": t(
        "with nothing permuted both layouts give the scores of the plain formula",
        "без перестановки обе раскладки дают оценки, вычисленные по формуле",
    ),
    "other-ways-differ": t(
        "the score is different without P, with one row in the other layout, and with the inverse "
        "of P",
        "без P, с одной из строк в другой раскладке и с перестановкой, обратной P, оценка другая",
    ),
    "width-four-hides-the-inverse": t(
        "of the widths 4, 6, 8 and 128, P is its own inverse at 4 only",
        "из значений ширины 4, 6, 8 и 128 перестановка P обратна самой себе только при 4",
    ),
    "position-zero-hides-it": t(
        "at position 0 neither layout changes the row",
        "в позиции 0 ни одна из раскладок строку не меняет",
    ),
    "small-rows-by-formula": t(
        "x = [1, 2, 3, 4] is rotated as the plain formula rotates it, in both layouts",
        "x = [1, 2, 3, 4] повёрнута так же, как по формуле, в обеих раскладках",
    ),
    "layout-error-shows": t(
        "at each of the positions 1–4 some coordinate differs between the layouts",
        "в каждой из позиций 1–4 какая-нибудь координата в двух раскладках различна",
    ),
    "pure-layouts-keep-score": t(
        "with one layout the score is the same at all three places",
        "при одной раскладке оценка во всех трёх местах одинакова",
    ),
    "mixed-layout-moves": t(
        "with mixed layouts the equal shift changes the score",
        "в смешанной раскладке одинаковый сдвиг меняет оценку",
    ),
    "mixed-layout-stretches": t(
        "with mixed layouts the norm of the row changes",
        "в смешанной раскладке поворот меняет норму строки",
    ),
}
MAP_WIDTH = 8
WIDTHS = (4, 6, 8, 128)
SMALL_QUERY, SMALL_KEY = (1.0, 2.0, 3.0, 4.0), (0.5, -1.0, 2.0, 1.0)
PLACES = ((1, 0), (4, 3), (11, 10))
LAYOUTS = ("adjacent", "half-split")
ADJACENT = t("adjacent", "соседние пары")
HALF_SPLIT = t("half-split", "половинная")
LAYOUT = t("layout", "раскладка")


def gather(example: Example) -> Evidence:
    """The map of indices, one score five times, a growing error, and tables mixed up."""
    return _five_ways(example) + _inverse_of_p() + _growing_error(example) + _mixed_layouts(example)


def _five_ways(example: Example) -> Evidence:
    """One score at (7,3), with and without permuting the rows."""
    adjacent, half = (
        example.embedding_type(MODEL_WIDTH, 8, MODEL_BASE, layout) for layout in LAYOUTS
    )
    query, key = (np.resize(row, (1, MODEL_WIDTH)) for row in (GENERIC_QUERY, GENERIC_KEY))
    inverse = adjacent_order(MODEL_WIDTH)
    ways = (
        (query, key, adjacent, adjacent),
        (to_half_split(query), to_half_split(key), half, half),
        (query, key, half, half),
        (query, key, adjacent, half),
        (query[:, inverse], key[:, inverse], half, half),
    )
    rotated = [
        [example.rotate_query(q, 7, of_query), example.rotate_key(k, 3, of_key)]
        for q, k, of_query, of_key in ways
    ]
    scores = [float(q[0] @ k[0]) for q, k in rotated]
    by_formula = [
        reference.scores(query, [7], key, [3], MODEL_BASE, layout)[0, 0] for layout in LAYOUTS
    ]
    others = [abs(score - scores[0]) for score in scores[2:]]
    return Evidence(
        values={
            "layout_pairs": [partners(MAP_WIDTH, layout) for layout in LAYOUTS],
            "layout_scores": scores,
        },
        checks=(
            agree("permuted-rows-agree", rotated[1], [*map(to_half_split, rotated[0])], 1e-12),
            agree("permuted-score-agrees", scores[1:2], scores[:1], 1e-12),
            agree("layouts-by-formula", [scores[0], scores[2]], by_formula, 1e-10),
            Check("other-ways-differ", min(others), 0.1, len(others), "at least"),
        ),
    )


def _inverse_of_p() -> Evidence:
    """P and its inverse, and the widths at which they are the same."""
    same = [bool((half_split_order(width) == adjacent_order(width)).all()) for width in WIDTHS]
    return Evidence(
        values={
            "layout_order": half_split_order(MAP_WIDTH),
            "layout_inverse_order": adjacent_order(MAP_WIDTH),
            "self_inverse_widths": same,
        },
        checks=(
            all_true("width-four-hides-the-inverse", np.equal(same, [w == 4 for w in WIDTHS])),
        ),
    )


def _growing_error(example: Example) -> Evidence:
    """Rows of width 4 in both layouts: one at position 1, one at positions 0 to 4."""
    small, row, base = (
        np.array([SMALL_QUERY]),
        np.array([TOKEN_QUERIES[1]]),
        example.parameters.base,
    )
    embeddings = [example.embedding_type(4, 5, base, layout) for layout in LAYOUTS]
    small_adjacent, small_half = (
        example.rotate_query(small, 1, embedding)[0] for embedding in embeddings
    )
    adjacent, half = (
        np.concatenate([example.rotate_query(row, position, embedding) for position in range(5)])
        for embedding in embeddings
    )
    errors = np.abs(adjacent - half).max(axis=1)
    by_formula = [reference.rotate(small, base, [1], layout)[0] for layout in LAYOUTS]
    return Evidence(
        values={
            "small_row": small[0],
            "small_adjacent": small_adjacent,
            "small_half": small_half,
            "layout_error_row": row[0],
            "layout_errors": errors,
        },
        checks=(
            agree("position-zero-hides-it", [adjacent[0], half[0]], [row[0], row[0]], 0.0),
            agree("small-rows-by-formula", [small_adjacent, small_half], by_formula, 1e-12),
            Check("layout-error-shows", float(errors[1:].min()), 0.1, len(errors) - 1, "at least"),
        ),
    )


def _mixed_layouts(example: Example) -> Evidence:
    """One layout and a mixture of both at three places of one difference, width 4."""
    adjacent = example.embedding_type(4, PLACES[-1][0] + 1, example.parameters.base)
    query, key = np.array([SMALL_QUERY]), np.array([SMALL_KEY])
    pure = [
        float(example.rotate_query(query, m, adjacent)[0] @ example.rotate_key(key, n, adjacent)[0])
        for m, n in PLACES
    ]
    queries = [_rotate_mixed(query[0], m, adjacent) for m, _ in PLACES]
    keys = [_rotate_mixed(key[0], n, adjacent) for _, n in PLACES]
    mixed = [float(q @ k) for q, k in zip(queries, keys, strict=True)]
    norms = [float(np.linalg.norm(row)) for row in (query, queries[0])]
    return Evidence(
        values={
            "mixed_key": key[0],
            "pure_scores": pure,
            "mixed_scores": mixed,
            "mixed_norms": norms,
        },
        checks=(
            agree("pure-layouts-keep-score", pure[1:], pure[:1] * 2, 1e-12),
            differ("mixed-layout-moves", mixed[1:], mixed[:1] * 2, 0.1),
            differ("mixed-layout-stretches", norms[1:], norms[:1], 0.1),
        ),
    )


def _rotate_mixed(row: Array, position: int, embedding: RotaryEmbedding) -> Array:
    """Cosines and sines in the order of neighbours, partners from the other half."""
    cosines, sines = (np.repeat(part[position], 2) for part in (embedding.cosines, embedding.sines))
    middle = len(row) // 2
    return np.asarray(row * cosines + np.concatenate([-row[middle:], row[:middle]]) * sines)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The map, the scores, the growing error, the mixture."""
    return (
        _pairs_as_arcs(evidence),
        _index_map(evidence),
        _scores(evidence),
        say(
            "Neither layout is a mistake: they differ only by a permutation of coordinates, and "
            "training in one of them settles that order in W_q and W_k, the matrices that make "
            "queries and keys. But the same q and k give different scores in the two. So weights "
            "that move from one layout to the other need the columns of W_q and W_k (the rows, "
            "where code stores the transposed matrices) permuted within each head, both by the "
            "same P; biases, if there are any, are permuted likewise. That is what happens to "
            "LLaMA: Meta's code rotates neighbours, rotate_half in Hugging Face Transformers "
            "rotates halves, and the conversion script permutes the two matrices. A test with d = "
            "4 cannot distinguish P from its inverse, because at this width they are the same.",
            "Ни одна из раскладок не ошибочна: они различаются лишь порядком координат, и при "
            "обучении он закрепляется в W_q и W_k — матрицах, которые дают запросы и ключи. Но "
            "одни и те же q и k в двух раскладках дают разные оценки. Поэтому при переносе весов "
            "из одной раскладки в другую нужно переставить столбцы W_q и W_k (строки, если код "
            "хранит эти матрицы транспонированными), в обеих одинаково: внутри каждой головы, по "
            "одной и той же P. Так же переставляют смещения (bias), если они есть. Так обстоит "
            "дело с LLaMA: в коде Meta поворачиваются соседние координаты, в функции rotate_half "
            "из Hugging Face Transformers — половины, и скрипт преобразования делает такую "
            "перестановку. Тест при d = 4 не отличит P от обратной к ней: при такой ширине они "
            "совпадают.",
        ),
        _rows_of_both(evidence),
        _errors(evidence),
        _mixture(evidence),
        _what_mixing_does(evidence),
    )


def _what_mixing_does(evidence: Evidence) -> Paragraph:
    return say(
        "In the mixed layout the cosines and sines are laid out for neighbours, but each "
        "coordinate's partner is taken from the other half. The two coordinates of a pair are "
        "then multiplied by the cosines of different angles, and this is no longer a rotation. "
        "At position 1 the norm of {row} goes from {before} to {after}, and the score no longer "
        "depends on the positions through n-m alone.",
        "В смешанной раскладке косинусы и синусы расположены как для соседних пар, а вторая "
        "координата пары берётся из другой половины. Тогда две координаты умножаются на косинусы "
        "разных углов, и это уже не поворот: норма строки {row} в позиции 1 меняется с {before} на "
        "{after}, а оценка зависит от позиций не только через n-m.",
        row=vector(evidence["small_row"], short=True),
        before=evidence["mixed_norms"][0],
        after=evidence["mixed_norms"][1],
    )


def _index_map(evidence: Evidence) -> Table:
    adjacent, half = (
        [f"({first},{second})" for first, second in zip(*pairs, strict=True)]
        for pairs in evidence["layout_pairs"]
    )
    return table(
        t(
            "The two coordinates of pair j for d = 8. Taken in the order P = {order}, the "
            "coordinates of adjacent pairs become half-split; the order {inverse} leads back:",
            "Две координаты пары j при d = 8. Если взять координаты в порядке P = {order}, "
            "соседние пары станут половинными; обратно приводит порядок {inverse}:",
            order=",".join(map(str, evidence["layout_order"])),
            inverse=",".join(map(str, evidence["layout_inverse_order"])),
        ),
        (*left(LAYOUT), *right(*(f"j={pair}" for pair in range(MAP_WIDTH // 2)))),
        ((ADJACENT, *adjacent), (HALF_SPLIT, *half)),
    )


def _scores(evidence: Evidence) -> Table:
    ways = (
        ADJACENT,
        t("half-split, q and k permuted by P", "половинная, q и k переставлены по P"),
        t("half-split, nothing permuted", "половинная, ничего не переставлено"),
        t("q adjacent, k half-split", "q — соседние пары, k — половинная"),
        t(
            "half-split, q and k permuted by P's inverse",
            "половинная, q и k переставлены по обратной к P",
        ),
    )
    return table_by_columns(
        t(
            "The score at (m,n) = (7,3) for d = 128, b = 10000; q repeats [1, 2, -0.5, 0.75], k "
            "repeats [0.3, -1, 2, 0.25]:",
            "Оценка при (m,n) = (7,3), d = 128, b = 10000; в q повторяется [1, 2, -0.5, 0.75], в k "
            "— [0.3, -1, 2, 0.25]:",
        ),
        (Column(t("way of rotating", "способ поворота")), ways),
        (t("score", "оценка"), evidence["layout_scores"]),
    )


def _rows_of_both(evidence: Evidence) -> Table:
    return table(
        t(
            "x = [1, 2, 3, 4] at position 1, d = 4, b = 100:",
            "x = [1, 2, 3, 4] в позиции 1, d = 4, b = 100:",
        ),
        left(LAYOUT, t("rotated x", "x после поворота")),
        (
            (ADJACENT, vector(evidence["small_adjacent"])),
            (HALF_SPLIT, vector(evidence["small_half"])),
        ),
    )


def _errors(evidence: Evidence) -> Table:
    errors = evidence["layout_errors"]
    return table(
        t(
            "Users of a wrong layout report that the first token is fine and the rest is "
            "garbage. The largest difference between the two layouts in any coordinate of {row}, "
            "by its position m:",
            "О неверной раскладке пользователи сообщают так: первый токен верен, а дальше мусор. "
            "Наибольшая разница двух раскладок среди координат строки {row} в позиции m:",
            row=vector(evidence["layout_error_row"], short=True),
        ),
        right(*(f"m={position}" for position in range(len(errors)))),
        (errors,),
    )


def _mixture(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "The score of q = {query} and k = {key} at three places with n-m = -1:",
            "Оценка для q = {query} и k = {key} при трёх парах позиций, где n-m = -1:",
            query=vector(evidence["small_row"], short=True),
            key=vector(evidence["mixed_key"], short=True),
        ),
        (Column("(m,n)"), (f"({m},{n})" for m, n in PLACES)),
        (ADJACENT, evidence["pure_scores"]),
        (t("mixed layout", "смешанная"), evidence["mixed_scores"]),
    )


def _pairs_as_arcs(evidence: Evidence) -> Arcs:
    titles = t("adjacent pairs", "соседние пары"), t("half-split pairs", "пары из двух половин")
    return Arcs(
        t(
            "Which coordinates form a pair, d = 8",
            "Какие координаты образуют пару, d = 8",
        ),
        tuple(
            (title, tuple(zip(*partners_of_layout, strict=True)))
            for title, partners_of_layout in zip(titles, evidence["layout_pairs"], strict=True)
        ),
        t(
            "Adjacent pairs join neighbours. Half-split pairs join each coordinate of the first "
            "half with the one four places further.",
            "В соседних парах дуги соединяют соседей, в парах из двух половин — координату первой "
            "половины с той, что на четыре места дальше.",
        ),
    )
