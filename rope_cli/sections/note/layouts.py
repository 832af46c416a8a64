"""Two layouts, one score: neighbours or halves as pairs, and what happens when they are mixed."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Column, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import left, right, say, t, table, table_by_columns
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

TITLE = t("Two layouts, one score", "Две раскладки, одна оценка")
QUESTION = t(
    "The paper pairs coordinate 2j with 2j+1, much code pairs j with j+d/2. Is one of them a "
    "mistake, and do both give the same score for the same rows?",
    "В статье координата 2j образует пару с 2j+1, во многих программах j — с j+d/2. Есть ли тут "
    "ошибка и дадут ли обе раскладки одну оценку для одних и тех же строк?",
)

CLAIMS = {
    "permuted-rows-agree": t(
        "half-split on the permuted row is the permuted result of the adjacent layout",
        "половинная раскладка на переставленной строке даёт переставленный результат соседних пар",
    ),
    "permuted-score-agrees": t(
        "q and k permuted alike keep the score of the adjacent layout",
        "если q и k переставлены одинаково, оценка та же, что у соседних пар",
    ),
    "other-ways-differ": t(
        "without P, with one side only, with the inverse: another score (the least difference)",
        "без P, только с одной стороны, с обратной перестановкой оценка другая "
        "(наименьшая разность)",
    ),
    "position-zero-hides-it": t(
        "at position 0 both layouts leave the row alone",
        "в позиции 0 обе раскладки не меняют строку",
    ),
    "layout-error-shows": t(
        "at positions 1 to 4 the layouts differ (the least of the greatest differences)",
        "в позициях с 1 по 4 раскладки расходятся (наименьшая из наибольших разностей)",
    ),
    "pure-layouts-keep-score": t(
        "in one layout the score is the same at three places of one difference",
        "в одной раскладке оценка одинакова в трёх местах с одной разностью",
    ),
    "mixed-layout-moves": t(
        "with mixed layouts an equal shift changes the score",
        "при смешанных раскладках одинаковый сдвиг меняет оценку",
    ),
    "mixed-layout-stretches": t(
        "with mixed layouts the norm is not kept", "при смешанных раскладках норма не сохраняется"
    ),
}
MAP_WIDTH = 8
SMALL_QUERY, SMALL_KEY = (1.0, 2.0, 3.0, 4.0), (0.5, -1.0, 2.0, 1.0)
PLACES = ((1, 0), (4, 3), (11, 10))
LAYOUTS = ("adjacent", "half-split")
ADJACENT = t("adjacent", "соседние пары")
HALF_SPLIT = t("half-split", "половинная")
LAYOUT = t("layout", "раскладка")


def gather(example: Example) -> Evidence:
    """The map of indices, one score five times, a growing error, and tables mixed up."""
    return _five_ways(example) + _growing_error(example) + _mixed_layouts(example)


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
    others = [abs(score - scores[0]) for score in scores[2:]]
    return Evidence(
        values={
            "layout_pairs": [partners(MAP_WIDTH, layout) for layout in LAYOUTS],
            "layout_order": half_split_order(MAP_WIDTH),
            "layout_inverse_order": adjacent_order(MAP_WIDTH),
            "layout_scores": scores,
        },
        checks=(
            agree("permuted-rows-agree", rotated[1], [*map(to_half_split, rotated[0])], 1e-12),
            agree("permuted-score-agrees", scores[1:2], scores[:1], 1e-12),
            Check("other-ways-differ", min(others), 0.1, len(others), "at least"),
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
        _index_map(evidence),
        _scores(evidence),
        say(
            "So neither is a mistake: the layouts differ by a permutation of coordinates, and a "
            "model trained in one of them has it inside W_q and W_k. Weights that are carried from "
            "one layout to the other must have those rows permuted, queries and keys alike. At "
            "width 4 the permutation is its own inverse, so a test with d = 4 does not notice the "
            "last line.",
            "Значит, ошибки нет: раскладки различаются перестановкой координат, и модель, "
            "обученная в одной из них, хранит её в W_q и W_k. При переносе весов из одной "
            "раскладки в другую строки этих матриц нужно переставить, одинаково для запросов и "
            "ключей. При ширине 4 перестановка обратна самой себе, поэтому тест с d = 4 последней "
            "строки не заметит.",
        ),
        _rows_of_both(evidence),
        _errors(evidence),
        _mixture(evidence),
        say(
            "Mixed means: cosines and sines laid out for neighbours, partners taken from the other "
            "half. The two numbers of a pair then turn by different angles: the norm of {row} goes "
            "from {before} to {after} at position 1, and the score depends on more than n-m.",
            "Смешаны — значит косинусы и синусы разложены для соседних пар, а вторая координата "
            "берётся из другой половины. Тогда два числа пары поворачиваются на разные углы: норма "
            "строки {row} в позиции 1 меняется с {before} на {after}, а оценка зависит не только "
            "от n-m.",
            row=vector(evidence["small_row"]),
            before=evidence["mixed_norms"][0],
            after=evidence["mixed_norms"][1],
        ),
    )


def _index_map(evidence: Evidence) -> Table:
    adjacent, half = (
        [f"({first},{second})" for first, second in zip(*pairs, strict=True)]
        for pairs in evidence["layout_pairs"]
    )
    return table(
        t(
            "Coordinates of pair j for d = 8. The permutation P = {order} carries the first line "
            "into the second; the other way it is {inverse}:",
            "Координаты пары j при d = 8. Перестановка P = {order} переводит первую строку во "
            "вторую, обратная к ней — {inverse}:",
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
        t("half-split, nothing permuted", "половинная, без перестановки"),
        t("q adjacent, k half-split", "q — соседние пары, k — половинная"),
        t("half-split, permuted by the inverse", "половинная, перестановка, обратная P"),
    )
    return table_by_columns(
        t(
            "One score at d = 128, base 10000, (m,n) = (7,3); the rows repeat [1, 2, -0.5, 0.75] "
            "and [0.3, -1, 2, 0.25]:",
            "Одна оценка при d = 128, основание 10000, (m,n) = (7,3); в строках повторяются "
            "[1, 2, -0.5, 0.75] и [0.3, -1, 2, 0.25]:",
        ),
        (Column(t("way of rotating", "способ поворота")), ways),
        (t("score", "оценка"), evidence["layout_scores"]),
    )


def _rows_of_both(evidence: Evidence) -> Table:
    return table(
        t(
            "x = [1, 2, 3, 4] with the chapter's base 100:",
            "x = [1, 2, 3, 4] с основанием главы 100:",
        ),
        left(LAYOUT, t("row at position 1", "строка в позиции 1")),
        (
            (ADJACENT, vector(evidence["small_adjacent"])),
            (HALF_SPLIT, vector(evidence["small_half"])),
        ),
    )


def _errors(evidence: Evidence) -> Table:
    errors = evidence["layout_errors"]
    return table(
        t(
            '"The first token is fine, then garbage": how far the two layouts are apart, in '
            "one coordinate at most, for {row} at position m:",
            "«Первый токен верный, а дальше мусор»: на сколько расходятся две раскладки в одной "
            "координате, самое большее, для {row} в позиции m:",
            row=vector(evidence["layout_error_row"]),
        ),
        right(*(f"m={position}" for position in range(len(errors)))),
        (errors,),
    )


def _mixture(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "Score of {query} and {key}, n-m = -1 in every line:",
            "Оценка для {query} и {key}, n-m = -1 в каждой строке:",
            query=vector(evidence["small_row"]),
            key=vector(evidence["mixed_key"]),
        ),
        (Column("(m,n)"), (f"({m},{n})" for m, n in PLACES)),
        (ADJACENT, evidence["pure_scores"]),
        (t("mixed layout", "смешаны"), evidence["mixed_scores"]),
    )
