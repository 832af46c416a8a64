"""Adding and turning: the sinusoidal vector beside the rotation, and how one led to the other."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Column, Number, Paragraph, Phrase, Rows, Short, Table
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import t
from rope_cli.example.reference import inverse_frequency
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array
from rope_cli.text import Text

TITLE = t("Adding and turning", "Сложение и поворот")
QUESTION = t(
    "A position vector is added to the row before the dot product instead of turning "
    "it. Does an equal shift still keep the score?",
    "Вместо поворота к строке до скалярного произведения прибавляют вектор позиции. "
    "Сохранит ли одинаковый сдвиг оценку?",
)

CLAIMS = {
    "sinusoid-by-formula": Text(
        en="at m = 0 and m = 1 the vector is [sin m, cos m, sin(m/100), cos(m/100)]",
        ru="при m = 0 и m = 1 вектор равен [sin m, cos m, sin(m/100), cos(m/100)]",
    ),
    "additive-total-varies": Text(
        en="with added vectors the score changes under an equal shift",
        ru="при сложении оценка меняется от одинакового сдвига",
    ),
    "position-term-relative": Text(
        en="the position term alone depends only on n-m",
        ru="одно лишь позиционное слагаемое зависит только от n-m",
    ),
    "rotation-constant": Text(
        en="with the rotation the score stays the same",
        ru="при повороте оценка не меняется",
    ),
    "position-term-is-a-rotation": Text(
        en="the position term is the RoPE score of the chapter's row at the sinusoid's base",
        ru="позиционное слагаемое равно оценке RoPE строки из главы при основании синусоид",
    ),
}
SINUSOID_BASE = 10000.0
PLACES = ((1, 0), (3, 2), (11, 10))
HISTORY: Rows = (
    (
        Text(en="before", ru="раньше"),
        Text(
            en="A recurrent state is updated token by token; order lives in the sequence of "
            "updates.",
            ru="Рекуррентное состояние обновляется токен за токеном; порядок заложен в "
            "последовательность обновлений.",
        ),
        Text(en="recurrent networks", ru="рекуррентные сети"),
    ),
    (
        "2017",
        Text(
            en="The Transformer drops recurrence and adds a position vector to each embedding, "
            "before queries, keys and values are made.",
            ru="Transformer отказывается от рекуррентности и прибавляет к каждому эмбеддингу "
            "вектор позиции — до того, как получены запросы, ключи и значения.",
        ),
        "Vaswani et al., arXiv 1706.03762",
    ),
    (
        "2021",
        Text(
            en="RoFormer leaves the embedding alone and turns pairs of query and key coordinates; "
            "the score then has n-m in it.",
            ru="RoFormer не трогает эмбеддинг, а поворачивает пары координат запросов и ключей; "
            "в оценку тем самым входит n-m.",
        ),
        "Su et al., arXiv 2104.09864",
    ),
    (
        "2023",
        Text(
            en="LLaMA has no added position vectors and applies RoPE in every layer.",
            ru="В LLaMA прибавляемых векторов позиции нет, RoPE применяется в каждом слое.",
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
        Table(
            (
                Column("(m,n)"),
                Column(Text(en="content term", ru="слагаемое содержимого"), "right"),
                Column(Text(en="cross term", ru="перекрёстное слагаемое"), "right"),
                Column(Text(en="position term", ru="позиционное слагаемое"), "right"),
                Column(Text(en="score of the sums", ru="оценка при сложении"), "right"),
                Column(Text(en="score with RoPE", ru="оценка при повороте"), "right"),
            ),
            parts,
            Text(
                en="The score of the summed rows, taken apart, beside that of the rotated rows:",
                ru="Из чего складывается оценка при сложении; последней — оценка при повороте:",
            ),
        ),
        Paragraph(
            Phrase(
                Text(
                    en="n-m is the same in all three lines. The position term depends on it alone "
                    "(it is the RoPE score at base {base}); the cross term depends on m and n "
                    "themselves. Note the bases: the sinusoid here has base {base}, the chapter's "
                    "rotation has base {own}.",
                    ru="Во всех трёх строках n-m одинакова. Позиционное слагаемое зависит только "
                    "от неё (это оценка RoPE при основании {base}), перекрёстное — от самих m и n. "
                    "Обратите внимание на основания: у синусоид здесь {base}, у поворота в главе "
                    "{own}.",
                ),
                {"base": Short(evidence["sinusoid_base"]), "own": Short(evidence["own_base"])},
            )
        ),
        Table(
            (
                Column(Text(en="year", ru="год")),
                Column(
                    Text(
                        en="where position information lives",
                        ru="где хранится информация о позиции",
                    )
                ),
                Column(Text(en="source", ru="источник")),
            ),
            HISTORY,
        ),
    )


def _sum(evidence: Evidence, position: int) -> Table:
    lines: Rows = tuple(
        (name, *(Number(value) for value in evidence[key][position]))
        for name, key in (
            (Text(en="sinusoidal vector p", ru="синусоидальный вектор p"), "sinusoids"),
            (Text(en="x + p", ru="x + p"), "sums"),
            (Text(en="x rotated", ru="x после поворота"), "turned_beside_sums"),
        )
    )
    return Table(
        (
            Column(""),
            *(Column(f"[{feature}]", "right") for feature in range(evidence["sums"].shape[1])),
        ),
        lines,
        Phrase(
            Text(en="x = [1, 0, 1, 0] at position {p}:", ru="x = [1, 0, 1, 0] в позиции {p}:"),
            {"p": position},
        ),
    )
