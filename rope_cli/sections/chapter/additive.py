"""Adding and turning: the sinusoidal vector beside the rotation, and how one led to the other."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Number, Rows, Short, Table
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.reference import inverse_frequency
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array

TITLE = t("Adding and turning", "Сложение и поворот")
QUESTION = t(
    "A position vector is added to the row before the dot product instead of turning "
    "it. Does an equal shift still keep the score?",
    "Вместо поворота к строке до скалярного произведения прибавляют вектор позиции. "
    "Сохранит ли одинаковый сдвиг оценку?",
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
PLACES = ((1, 0), (3, 2), (11, 10))
HISTORY: Rows = (
    (
        t("before", "раньше"),
        t(
            "A recurrent state is updated token by token; order lives in the sequence of updates.",
            "Рекуррентное состояние обновляется токен за токеном; порядок заложен в "
            "последовательность обновлений.",
        ),
        t("recurrent networks", "рекуррентные сети"),
    ),
    (
        "2017",
        t(
            "The Transformer drops recurrence and adds a position vector to each embedding, "
            "before queries, keys and values are made.",
            "Transformer отказывается от рекуррентности и прибавляет к каждому эмбеддингу "
            "вектор позиции — до того, как получены запросы, ключи и значения.",
        ),
        "Vaswani et al., arXiv 1706.03762",
    ),
    (
        "2021",
        t(
            "RoFormer leaves the embedding alone and turns pairs of query and key coordinates; "
            "the score then has n-m in it.",
            "RoFormer не трогает эмбеддинг, а поворачивает пары координат запросов и ключей; "
            "в оценку тем самым входит n-m.",
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
    row, width = as_array(FIRST_COLUMN), len(FIRST_COLUMN)
    parts, totals = [], []
    for m, n in PLACES:
        one, two = sinusoid(m, width), sinusoid(n, width)
        parts.append([row @ row, row @ two + one @ row, one @ two])
        totals.append((row + one) @ (row + two))
    turned = [example.score(FIRST_COLUMN, FIRST_COLUMN, m, n) for m, n in PLACES]
    bridge = [
        example.grid(FIRST_COLUMN, FIRST_COLUMN, n, SINUSOID_BASE)[m - n][0] for m, n in PLACES
    ]
    split = np.array(parts)
    added = np.array([sinusoid(position, width) for position in (0, 1)])
    plain = [[0.0, 1.0, 0.0, 1.0], [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]]
    return Evidence(
        values={
            "sinusoid_base": SINUSOID_BASE,
            "own_base": example.parameters.base,
            "sinusoids": added,
            "sums": row + added,
            "turned_beside_sums": example.rotate_query(np.array([row, row])),
            "additive_positions": [list(place) for place in PLACES],
            "additive_parts": split,
            "additive_totals": np.array(totals),
            "rotation_scores": np.array(turned),
            "rotation_scores_at_sinusoid_base": np.array(bridge),
        },
        checks=(
            agree("sinusoid-by-formula", added, plain, 1e-12),
            differ("additive-total-varies", totals[1:], [totals[0]] * (len(totals) - 1), 0.1),
            agree("position-term-relative", split[1:, 2], [split[0, 2]] * (len(split) - 1), 1e-12),
            agree("rotation-constant", turned[1:], [turned[0]] * (len(turned) - 1), 1e-12),
            agree("position-term-is-a-rotation", bridge, split[:, 2], 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The sums beside the turns, the parts of the score, and the history."""
    parts: Rows = tuple(
        (
            f"({m},{n})",
            *(Number(part) for part in evidence["additive_parts"][at]),
            Number(evidence["additive_totals"][at]),
            Number(evidence["rotation_scores"][at]),
        )
        for at, (m, n) in enumerate(evidence["additive_positions"])
    )
    return (
        *(_sum(evidence, p) for p in range(len(evidence["sums"]))),
        table(
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
            parts,
        ),
        say(
            "n-m is the same in all three lines. The position term depends on it alone "
            "(it is the RoPE score at base {base}); the cross term depends on m and n "
            "themselves. Note the bases: the sinusoid here has base {base}, the chapter's "
            "rotation has base {own}.",
            "Во всех трёх строках n-m одинакова. Позиционное слагаемое зависит только "
            "от неё (это оценка RoPE при основании {base}), перекрёстное — от самих m и n. "
            "Обратите внимание на основания: у синусоид здесь {base}, у поворота в главе "
            "{own}.",
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


def _sum(evidence: Evidence, position: int) -> Table:
    lines: Rows = tuple(
        (name, *(Number(value) for value in evidence[key][position]))
        for name, key in (
            (t("sinusoidal vector p", "синусоидальный вектор p"), "sinusoids"),
            (t("x + p", "x + p"), "sums"),
            (t("x rotated", "x после поворота"), "turned_beside_sums"),
        )
    )
    return table(
        t("x = [1, 0, 1, 0] at position {p}:", "x = [1, 0, 1, 0] в позиции {p}:", p=position),
        (
            *left(""),
            *right(*(f"[{feature}]" for feature in range(evidence["sums"].shape[1]))),
        ),
        lines,
    )
