"""Adding and turning: the sinusoidal vector beside the rotation, and how one led to the other."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Short, Table
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.reference import inverse_frequency
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array

TITLE = t("Adding and turning", "Сложение и поворот")
QUESTION = t(
    "A position vector is added to the row before the dot product instead of turning it. Does an "
    "equal shift still keep the score?",
    "Вместо поворота к строке до скалярного произведения прибавляют вектор позиции. Сохранит ли "
    "одинаковый сдвиг оценку?",
)

CLAIMS = {
    "sinusoid-by-formula": t(
        "at m = 0 and m = 1 the vector is [sin m, cos m, sin(m/100), cos(m/100)]",
        "при m = 0 и m = 1 вектор равен [sin m, cos m, sin(m/100), cos(m/100)]",
    ),
    "additive-total-varies": t(
        "with added vectors the score changes under an equal shift",
        "при сложении оценка меняется от одинакового сдвига",
    ),
    "position-term-relative": t(
        "the position term alone depends only on n-m",
        "одно лишь позиционное слагаемое зависит только от n-m",
    ),
    "rotation-constant": t(
        "with the rotation the score stays the same", "при повороте оценка не меняется"
    ),
    "position-term-is-a-rotation": t(
        "the position term is the RoPE score of the chapter's row at the sinusoid's base",
        "позиционное слагаемое равно оценке RoPE строки из главы при основании синусоид",
    ),
}
SINUSOID_BASE = 10000.0
POSITIONS = ((1, 0), (3, 2), (11, 10))
HISTORY = (
    (
        t("before", "раньше"),
        t(
            "A recurrent state is updated token by token; order lives in the sequence of updates.",
            "Рекуррентное состояние обновляется токен за токеном; порядок заложен "
            "в последовательность обновлений.",
        ),
        t("recurrent networks", "рекуррентные сети"),
    ),
    (
        "2017",
        t(
            "The Transformer drops recurrence and adds a position vector to each embedding, before "
            "queries, keys and values are made.",
            "Transformer отказывается от рекуррентности и прибавляет к каждому эмбеддингу вектор "
            "позиции — до того, как получены запросы, ключи и значения.",
        ),
        "Vaswani et al., arXiv 1706.03762",
    ),
    (
        "2021",
        t(
            "RoFormer leaves the embedding alone and turns pairs of query and key coordinates; the "
            "score then has n-m in it.",
            "RoFormer не трогает эмбеддинг, а поворачивает пары координат запросов и ключей; в "
            "оценку тем самым входит n-m.",
        ),
        "Su et al., arXiv 2104.09864",
    ),
    (
        "2023",
        t(
            "LLaMA has no added position vectors and applies RoPE in every layer.",
            "В LLaMA прибавляемых векторов позиции нет, RoPE применяется в каждом слое.",
        ),
        "Touvron et al., arXiv 2302.13971",
    ),
)


def sinusoid(position: int, width: int) -> Array:
    """The vector of Vaswani et al. 2017: sine and cosine of position times each frequency."""
    angles = [
        position * inverse_frequency(pair, width, SINUSOID_BASE) for pair in range(width // 2)
    ]
    return np.ravel([[np.sin(angle), np.cos(angle)] for angle in angles])


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
    return Evidence(
        values={
            "sinusoid_base": SINUSOID_BASE,
            "own_base": example.parameters.base,
            "sinusoids": sinusoids,
            "sums": row + sinusoids,
            "turned_beside_sums": example.rotate_query(np.array([row, row])),
            "additive_positions": [list(position) for position in POSITIONS],
            "additive_parts": parts,
            "additive_totals": totals,
            "rotation_scores": rotated,
            "rotation_scores_at_sinusoid_base": bridge,
        },
        checks=(
            agree("sinusoid-by-formula", sinusoids, expected, 1e-12),
            differ("additive-total-varies", totals[1:], [totals[0]] * 2, 0.1),
            agree("position-term-relative", parts[1:, 2], [parts[0, 2]] * 2, 1e-12),
            agree("rotation-constant", rotated[1:], [rotated[0]] * 2, 1e-12),
            agree("position-term-is-a-rotation", bridge, parts[:, 2], 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The sums beside the turns, the parts of the score, and the history."""
    return (
        sums_and_rotations(evidence, 0),
        sums_and_rotations(evidence, 1),
        parts_of_the_score(evidence),
        say(
            "n-m is the same in all three lines. The position term depends on it alone (it is the "
            "RoPE score at base {base}); the cross term depends on m and n themselves. Note the "
            "bases: the sinusoid here has base {base}, the chapter's rotation has base {own}.",
            "Во всех трёх строках n-m одинакова. Позиционное слагаемое зависит только от неё (это "
            "оценка RoPE при основании {base}), перекрёстное — от самих m и n. Обратите внимание "
            "на основания: у синусоид здесь {base}, у поворота в главе {own}.",
            base=Short(evidence["sinusoid_base"]),
            own=Short(evidence["own_base"]),
        ),
        table(
            None,
            left(
                t("year", "год"),
                t("where position information lives", "где хранится информация о позиции"),
                t("source", "источник"),
            ),
            HISTORY,
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
            (t("sinusoidal vector p", "синусоидальный вектор p"), *evidence["sinusoids"][position]),
            ("x + p", *evidence["sums"][position]),
            (t("x rotated", "x после поворота"), *evidence["turned_beside_sums"][position]),
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
            "The score of the summed rows, taken apart, beside that of the rotated rows:",
            "Из чего складывается оценка при сложении; последней — оценка при повороте:",
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
