"""Adding and rotating: the sinusoidal vector beside the rotation, and how one led to the other."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Arrow, Block, Panel, Plane, Short, Table
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import formula, left, right, say, t, table
from rope_cli.example.reference import inverse_frequency, rotate
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array

TITLE = t("Adding and rotating", "Прибавление и поворот")
QUESTION = t(
    "Suppose that rows are not rotated. Instead, each position has a vector, which is added to "
    "the row at that position. Does an equal shift of both positions still leave the dot product "
    "as it was?",
    "Пусть строки не поворачивают, а прибавляют к каждой вектор её позиции. Останется ли "
    "скалярное произведение прежним, если обе позиции одинаково сдвинуть?",
)

CLAIMS = {
    "sinusoid-by-formula": t(
        "at m = 0 and m = 1 the vector is [sin m, cos m, sin(m/100), cos(m/100)]",
        "при m = 0 и m = 1 вектор равен [sin m, cos m, sin(m/100), cos(m/100)]",
    ),
    "rotated-beside-sums": t(
        "the rotated rows beside the sums are rotated at the chapter's base",
        "строки рядом с суммами повёрнуты при основании из главы",
    ),
    "additive-total-varies": t(
        "with added vectors the score changes under an equal shift",
        "при сложении одинаковый сдвиг меняет оценку",
    ),
    "position-term-relative": t(
        "the position term by itself depends on n-m alone",
        "позиционное слагаемое само по себе зависит только от n-m",
    ),
    "rotation-constant": t(
        "with the rotation the score stays the same", "при повороте оценка не меняется"
    ),
    "position-term-is-a-rotation": t(
        "the position term is the RoPE score of [1, 0, 1, 0] at the base of the sinusoids",
        "позиционное слагаемое равно оценке RoPE строки [1, 0, 1, 0] при основании синусоид",
    ),
    "offset-is-linear": t(
        "the vector of position 11 is that of position 1 with each pair rotated",
        "вектор позиции 11 — это вектор позиции 1, каждая пара которого повёрнута",
    ),
    "unseen-slow-pair": t(
        "the slow pair at position 570 is at the distance 2·sin(π-2.85) from the nearest of the "
        "first 512",
        "от медленной пары в позиции 570 до ближайшей из 512 — хорда 2·sin(π-2.85)",
    ),
}
SINUSOID_BASE = 10000.0
POSITIONS = ((1, 0), (3, 2), (11, 10))
TRAINED_POSITIONS, UNSEEN_POSITION = 512, 570
HISTORY = (
    (
        t("before", "раньше"),
        t(
            "A recurrent network carries the order in its state. If h becomes h/2+x at each "
            "step, from h = 0 the inputs 1, 2 lead to 2.5 and the inputs 2, 1 to 2: 0.5 apart.",
            "Рекуррентная сеть хранит порядок в своём состоянии. Если на каждом шаге h заменяется "
            "на h/2+x, то от h = 0 входы 1, 2 ведут к 2.5, а входы 2, 1 — к 2: разница 0.5.",
        ),
        t("recurrent networks", "рекуррентные сети"),
    ),
    (
        "2017",
        t(
            "The Transformer has no recurrence. It adds a position vector to the embedding of "
            "each token, the row that stands for it, before queries, keys and values are "
            "computed. The vector is fixed (sines and cosines, as above) or learned (a trained "
            "vector for each position); the two gave nearly the same results.",
            "В Transformer рекуррентности нет. К эмбеддингу токена, то есть к строке, которой он "
            "представлен, прибавляют вектор позиции ещё до вычисления запросов, ключей и значений. "
            "Вектор либо задан (синусы и косинусы, как выше), либо обучается (для каждой позиции "
            "свой). Качество вышло почти одинаковым.",
        ),
        t("Vaswani et al., arXiv 1706.03762", "Vaswani и др., arXiv 1706.03762"),
    ),
    (
        "2021",
        t(
            "RoFormer leaves the embedding alone. It rotates pairs of coordinates of queries and "
            "keys, and the score then depends on n-m.",
            "RoFormer не трогает эмбеддинг. Поворачиваются пары координат запросов и ключей, и "
            "оценка зависит от позиций только через n-m.",
        ),
        t("Su et al., arXiv 2104.09864", "Su и др., arXiv 2104.09864"),
    ),
    (
        "2023",
        t(
            "LLaMA has no added position vectors and applies RoPE in every layer.",
            "В LLaMA прибавляемых векторов позиции нет, RoPE применяется в каждом слое.",
        ),
        t("Touvron et al., arXiv 2302.13971", "Touvron и др., arXiv 2302.13971"),
    ),
)


def sinusoid(position: int, width: int) -> Array:
    """The vector of Vaswani et al. 2017: sine and cosine of position times each frequency."""
    angles = [
        position * inverse_frequency(pair, width, SINUSOID_BASE) for pair in range(width // 2)
    ]
    return np.ravel([[np.sin(angle), np.cos(angle)] for angle in angles])


# Positions whose arrows do not cover one another.
DRAWN = (0, 1, 2, 3)


def gather(example: Example) -> Evidence:
    """The score of summed rows in its parts, beside the score of rotated rows."""
    row = as_array(FIRST_COLUMN)
    sinusoids = np.array([sinusoid(position, len(row)) for position in (0, 1)])
    expected = [[0.0, 1.0, 0.0, 1.0], [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]]
    added = [(sinusoid(m, len(row)), sinusoid(n, len(row))) for m, n in POSITIONS]
    parts = np.array([[row @ row, row @ at_n + at_m @ row, at_m @ at_n] for at_m, at_n in added])
    totals = np.array([(row + at_m) @ (row + at_n) for at_m, at_n in added])
    rotated = np.array([example.score(FIRST_COLUMN, FIRST_COLUMN, m, n) for m, n in POSITIONS])
    grids = (example.grid(FIRST_COLUMN, FIRST_COLUMN, n, SINUSOID_BASE) for _, n in POSITIONS)
    bridge = np.array([grid[1, 0] for grid in grids])
    rotated_rows = example.rotate_query(np.array([row, row]))
    by_formula = rotate(np.array([row, row]), example.parameters.base, (0, 1))
    return trained_and_unseen(len(row)) + Evidence(
        values={
            "sinusoid_base": SINUSOID_BASE,
            "own_base": example.parameters.base,
            "sinusoids": sinusoids,
            "sums": row + sinusoids,
            "turned_beside_sums": rotated_rows,
            "drawn_sums": row[:2] + np.array([sinusoid(m, len(row))[:2] for m in DRAWN]),
            "drawn_rotations": np.array(
                [example.rotate_query(as_array([row]), m)[0, :2] for m in DRAWN]
            ),
            "additive_positions": [list(position) for position in POSITIONS],
            "additive_parts": parts,
            "additive_totals": totals,
            "rotation_scores": rotated,
            "rotation_scores_at_sinusoid_base": bridge,
        },
        checks=(
            agree("sinusoid-by-formula", sinusoids, expected, 1e-12),
            agree("rotated-beside-sums", rotated_rows, by_formula, 1e-12),
            differ("additive-total-varies", totals[1:], [totals[0]] * 2, 0.1),
            agree("position-term-relative", parts[1:, 2], [parts[0, 2]] * 2, 1e-12),
            agree("rotation-constant", rotated[1:], [rotated[0]] * 2, 1e-12),
            agree("position-term-is-a-rotation", bridge, parts[:, 2], 1e-12),
        ),
    )


def trained_and_unseen(width: int) -> Evidence:
    """A fixed offset as a rotation of the vector, and a slow pair that no training has met."""
    start, end = sinusoid(1, width), sinusoid(11, width)
    # The pairs are (sin, cos), so a later position rotates them clockwise.
    rotated = rotate(start[np.newaxis], SINUSOID_BASE, [-10])[0]
    trained = np.array([sinusoid(m, width)[-2:] for m in range(TRAINED_POSITIONS)])
    unseen = sinusoid(UNSEEN_POSITION, width)[-2:]
    nearest = float(np.linalg.norm(trained - unseen, axis=1).min())
    slow = inverse_frequency(width // 2 - 1, width, SINUSOID_BASE)
    # A chord of the unit circle, from the angle of the unseen position on to the full circle.
    chord = 2 * math.sin((2 * math.pi - UNSEEN_POSITION * slow) / 2)
    return Evidence(
        values={
            "largest_trained_angle": (TRAINED_POSITIONS - 1) * slow,
            "distance_to_trained": nearest,
        },
        checks=(
            agree("offset-is-linear", rotated, end, 1e-12),
            agree("unseen-slow-pair", [nearest], [chord], 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The sums beside the rotated rows, the parts of the score, and the history."""
    return (
        formula("p_m = [sin m, cos m, sin(m/100), cos(m/100)]"),
        sums_and_rotations(evidence, 0),
        sums_and_rotations(evidence, 1),
        first_pair_as_arrows(evidence),
        formula("(x + p_m)·(x + p_n) = x·x + (x·p_n + p_m·x) + p_m·p_n"),
        parts_of_the_score(evidence),
        say(
            "In all three lines n-m is -1, yet the score of the sums changes: its cross term "
            "depends on m and n themselves. Here, where the sums themselves are query and key, "
            "the position term depends on n-m alone; it is even the RoPE score of this row at "
            "base {base}. Mind the two bases: pair 1 advances by {slow} radians per position in "
            "p_m, the sinusoid, whose base is {base}, but by {own_slow} in the chapter's "
            "rotation, whose base is {own}.",
            "Во всех трёх строках n-m равна -1, а оценка при сложении разная: перекрёстное "
            "слагаемое зависит от самих m и n. Позиционное слагаемое здесь, где запросом и ключом "
            "служат сами суммы, зависит только от n-m; оно даже равно оценке RoPE той же строки "
            "при основании {base}. Основания здесь разные: у синусоид {base}, и пара 1 проходит за "
            "позицию {slow} радиана, а у поворота в главе {own}, и пара 1 проходит {own_slow} "
            "радиана.",
            base=Short(evidence["sinusoid_base"]),
            own=Short(evidence["own_base"]),
            slow=Short(inverse_frequency(1, 4, evidence["sinusoid_base"])),
            own_slow=Short(inverse_frequency(1, 4, evidence["own_base"])),
        ),
        table(
            t("How models have kept the order of tokens:", "Как модели учитывали порядок токенов:"),
            left(
                t("year", "год"),
                t("where the position is kept", "где хранится позиция"),
                t("source", "источник"),
            ),
            HISTORY,
        ),
        *longer_than_trained(evidence),
    )


def longer_than_trained(evidence: Evidence) -> tuple[Block, ...]:
    """Why neither kind of vector promises anything beyond the trained length."""
    return (
        say(
            "A learned table of {trained} vectors has none for position {trained}. The fixed "
            "vector exists at every position, and a fixed offset always rotates its pairs by the "
            "same angles. Vaswani et al. expected that this makes attending by relative positions "
            "easy to learn, and they thought that the sinusoid may extend to longer texts, but "
            "nothing guarantees it. In training on positions 0–{last} the angles of pair 1 reach "
            "only {angle} of {circle} radians; at position {unseen} this pair is {distance} or "
            "more away from every value that occurred in training.",
            "В обучаемой таблице из {trained} векторов для позиции {trained} вектора нет. Вектор, "
            "заданный формулой, есть в любой позиции, и сдвиг на одно и то же число позиций всегда "
            "поворачивает его пары на одни и те же углы. Авторы Transformer полагали, что так "
            "модели легко научиться учитывать относительные позиции, и допускали, что синусоида "
            "подойдёт и для более длинных текстов, но гарантии нет. При обучении в позициях "
            "0–{last} пара 1 проходит лишь углы до {angle} радиана из {circle}; в позиции {unseen} "
            "она отстоит не меньше чем на {distance} от всего, что встречалось при обучении.",
            trained=TRAINED_POSITIONS,
            last=TRAINED_POSITIONS - 1,
            angle=Short(evidence["largest_trained_angle"]),
            circle=Short(round(2 * math.pi, 2)),
            unseen=UNSEEN_POSITION,
            distance=Short(round(evidence["distance_to_trained"], 2)),
        ),
        say(
            "Nor does RoPE guarantee anything about length, and not every model uses it. Five "
            "well-known ones do without it: GPT-2, GPT-3 and OPT add learned vectors; BLOOM and "
            "MPT subtract from each score an amount proportional to the distance (ALiBi, Press et "
            "al. 2021, arXiv 2108.12409).",
            "RoPE тоже не даёт гарантий насчёт длины, и есть оно не во всех моделях. Без него "
            "обходятся, например, пять известных моделей: GPT-2, GPT-3 и OPT прибавляют обучаемые "
            "векторы, а BLOOM и MPT вычитают из каждой оценки величину, пропорциональную "
            "расстоянию (ALiBi, Press и др., 2021, arXiv 2108.12409).",
        ),
    )


def sums_and_rotations(evidence: Evidence, position: int) -> Table:
    """The chapter's row at a position, with the vector added and rotated."""
    return table(
        t(
            "x = [1, 0, 1, 0] at position {position}:",
            "x = [1, 0, 1, 0] в позиции {position}:",
            position=position,
        ),
        (*left(""), *right("[0]", "[1]", "[2]", "[3]")),
        (
            (
                t("p, the vector of the position", "p — вектор позиции"),
                *evidence["sinusoids"][position],
            ),
            ("x + p", *evidence["sums"][position]),
            (t("x rotated instead", "x после поворота"), *evidence["turned_beside_sums"][position]),
        ),
    )


def parts_of_the_score(evidence: Evidence) -> Table:
    """What the score of summed rows adds up from, and the score of rotated rows."""
    positions, parts, totals = (
        evidence[f"additive_{name}"] for name in ("positions", "parts", "totals")
    )
    scores = evidence["rotation_scores"]
    return table(
        t(
            "The score of the summed rows, term by term, beside that of the rotated rows:",
            "Слагаемые оценки при сложении; в последнем столбце — оценка при повороте:",
        ),
        (
            *left("(m,n)"),
            *right(
                t("content term", "слагаемое содержимого"),
                t("cross term", "перекрёстное слагаемое"),
                t("position term", "позиционное слагаемое"),
                t("score of the sums", "оценка при сложении"),
                t("score with RoPE", "оценка при повороте"),
            ),
        ),
        (
            (f"({m},{n})", *terms, total, score)
            for (m, n), terms, total, score in zip(positions, parts, totals, scores, strict=True)
        ),
    )


def first_pair_as_arrows(evidence: Evidence) -> Plane:
    """The first pair of the row at four positions, with the vector added and rotated."""
    ways = {
        "drawn_sums": t("x + p", "x + p"),
        "drawn_rotations": t("x rotated", "x после поворота"),
    }
    return Plane(
        t(
            "The first pair of x at the positions 0 to 3, added to and rotated",
            "Первая пара x в позициях от 0 до 3: сложение и поворот",
        ),
        tuple(
            Panel(
                title,
                tuple(
                    Arrow(f"m={m}", (float(x), float(y)))
                    for m, (x, y) in zip(DRAWN, evidence[name], strict=True)
                ),
            )
            for name, title in ways.items()
        ),
        t(
            "Where the vector of the position is added, the length of the arrow changes with m. "
            "The rotated arrow keeps its length.",
            "При сложении с вектором позиции длина стрелки меняется вместе с m. При повороте она "
            "остаётся прежней.",
        ),
    )
