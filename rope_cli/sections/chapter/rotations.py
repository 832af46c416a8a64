"""Rotating rows: the chapter's row at three positions, and again after the equal shift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rope_cli.document.blocks import (
    Arrow,
    Block,
    Cue,
    Panel,
    Paragraph,
    Phrase,
    Plane,
    Table,
    cue_of_speed,
    vector,
)
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, same_bits
from rope_cli.document.summaries import rows_by_position_and_pair
from rope_cli.document.vocabulary import digits_kept, formula, left, right, say, stack, t, table
from rope_cli.example import reference
from rope_cli.example.parameters import EVERYTHING
from rope_cli.example.positions import name_positions, rows_to_compare
from rope_cli.example.worked_example import (
    FIRST_COLUMN,
    GENERIC_KEY,
    GENERIC_QUERY,
    SECOND_COLUMN,
    Array,
    Example,
    as_array,
    norms,
)
from rope_cli.text import Text

TITLE = t("Rotating rows", "Поворот строк")
QUESTION = t(
    "The row [1, 0, 1, 0] is at positions 0, 1 and 2, and its pairs rotate by θ_0 = 1 and "
    "θ_1 = 0.1 radians per position. What does the row become at each of them, and where does "
    "nothing change?",
    "Строка [1, 0, 1, 0] стоит в позициях 0, 1 и 2, её пары поворачиваются за позицию на θ_0 = 1 "
    "и θ_1 = 0.1 радиана. Во что она перейдёт в каждой из этих позиций и где не изменится?",
)
OWN_QUESTION = t(
    "What does each row become at its position, and at which position would nothing change?",
    "Во что перейдёт каждая строка в своей позиции и в какой позиции она бы не изменилась?",
)

USES = EVERYTHING
CLAIMS = {
    "each-coordinate-once": t(
        "every coordinate belongs to exactly one pair",
        "каждая координата входит ровно в одну пару",
    ),
    "shifted-positions": t(
        "every position has grown by exactly the shift",
        "каждая позиция увеличилась ровно на величину сдвига",
    ),
    "rotation-angles": t(
        "each angle shown is m·θ_j",
        "каждый показанный угол равен m·θ_j",
    ),
    "rows-by-formula": t(
        "every pair [x, y] has become x cos φ - y sin φ and x sin φ + y cos φ",
        "каждая пара [x, y] перешла в x cos φ - y sin φ и x sin φ + y cos φ",
    ),
    "second-column": t(
        "[0, 1, 0, 1] becomes [-sin φ, cos φ] in each pair: the second column of R(φ)",
        "[0, 1, 0, 1] переходит в каждой паре в [-sin φ, cos φ], второй столбец R(φ)",
    ),
    "generic-rows": t(
        "rows without zeros, as queries and as keys, are rotated as by the dense matrix (d × d, "
        "zeros included)",
        "строки без нулей, и запросы, и ключи, повёрнуты так же, как плотной матрицей d × d "
        "(с нулями вне пар)",
    ),
    "position-zero-identity": t(
        "position 0 changes no bit of a row", "позиция 0 не меняет в строке ни одного бита"
    ),
}

# An angle from 10 on needs more than eight characters, a pair such as [10,11] more than six.
FAR_ANGLE = 10.0
WIDE_ROW = 12
# Of the six rows those whose arrows do not cover one another.
ARROWS_AT = (0, 3, 5)


def gather(example: Example) -> Evidence:
    """The rows of the worked example, and rows that use the whole matrix."""
    parameters = example.parameters
    positions = np.array([example.positions, example.shifted_positions])
    theta = example.embedding.inverse_frequencies
    values = {
        "rotation_positions": positions,
        "rotation_frequencies": theta,
        "rotation_angles": positions[:, :, np.newaxis] * theta,
        "partners": reference.partners(parameters.feature_width, parameters.layout),
        "query": example.query,
        "key": example.key,
        "rotated_query": example.rotated_query,
        "rotated_key": example.rotated_key,
        "shifted_query": example.shifted_query,
        "shifted_key": example.shifted_key,
    }
    return Evidence(
        values=values,
        checks=(
            *check_labels(example, values),
            check_rows_by_formula(example, positions),
            *check_chapters_rows(example),
        ),
        parameters=parameters,
    )


def check_labels(example: Example, values: Mapping[str, Any]) -> tuple[Check, ...]:
    """What the tables say of a row: its pairs, its position after the shift, its angles."""
    parameters, (before, after) = example.parameters, values["rotation_positions"]
    tokens = rows_to_compare(len(before))
    places = np.array([before, before + parameters.shift])[:, tokens]
    angles = reference.angles(places, parameters.feature_width, parameters.base)
    coordinates = sorted(index for side in values["partners"] for index in side)
    return (
        same_bits("each-coordinate-once", coordinates, range(parameters.feature_width)),
        same_bits("shifted-positions", after - before, np.full_like(before, parameters.shift)),
        agree(
            "rotation-angles", values["rotation_angles"][:, tokens], angles, example.tolerance(1.0)
        ),
    )


def check_rows_by_formula(example: Example, positions: Array) -> Check:
    """Queries and keys at their positions and after the shift, each row in units of its norm."""
    parameters, tokens = example.parameters, rows_to_compare(len(example.positions))
    actual, expected = [], []
    for content, places, rotated in (
        (example.query, positions[0], example.rotated_query),
        (example.key, positions[0], example.rotated_key),
        (example.query, positions[1], example.shifted_query),
        (example.key, positions[1], example.shifted_key),
    ):
        rows = content[tokens]
        plain = reference.rotate(rows, parameters.base, places[tokens], parameters.layout)
        lengths = norms(rows)[:, np.newaxis]
        # A large row must not hide a small one; a row of zeros has no norm.
        unit = np.where(lengths > 0, lengths, 1.0)
        actual.append(rotated[tokens] / unit)
        expected.append(plain / unit)
    return agree("rows-by-formula", actual, expected, example.tolerance(1.0))


def check_chapters_rows(example: Example) -> tuple[Check, ...]:
    """Rows that use the whole matrix, at positions 0 to 2."""
    parameters = example.parameters
    rows = [
        as_array([example.continued_to_width(row)])
        for row in (FIRST_COLUMN, SECOND_COLUMN, GENERIC_QUERY, GENERIC_KEY)
    ]
    second, query, key = (np.tile(row, (3, 1)) for row in rows[1:])
    matrices = [
        reference.rotation_matrix(m, parameters.feature_width, parameters.base, parameters.layout)
        for m in range(3)
    ]
    return (
        agree("second-column", example.rotate_query(second), multiply(matrices, second), 1e-12),
        agree(
            "generic-rows",
            [example.rotate_query(query), example.rotate_key(key)],
            [multiply(matrices, query), multiply(matrices, key)],
            1e-12,
        ),
        same_bits(
            "position-zero-identity",
            [example.rotate_query(np.array(rows)), example.rotate_key(np.array(rows))],
            [rows, rows],
        ),
    )


def multiply(matrices: Sequence[Array], content: Array) -> Array:
    """Each row multiplied by its own dense matrix."""
    return np.array([matrix @ row for matrix, row in zip(matrices, content, strict=True)])


def present(evidence: Evidence) -> tuple[Block, ...]:
    """What a pair is, then tables of the positions of the example and of the shifted ones."""
    sides = ("query",) if np.array_equal(evidence["query"], evidence["key"]) else ("query", "key")
    adjacent = evidence["partners"][1][0] == 1
    pair = "[x_(2j), x_(2j+1)]" if adjacent else "[x_j, x_(j+d/2)]"
    return (
        describe_layout(evidence["query"].shape[1], adjacent),
        formula(f"{pair} → R(m·θ_j) {pair}"),
        say(
            "Written out, R(φ) takes a pair [x, y] to [x', y']:",
            "В координатах R(φ) переводит пару [x, y] в [x', y']:",
        ),
        formula("x' = x cos φ - y sin φ"),
        formula("y' = x sin φ + y cos φ"),
        *(() if evidence.own else (pairs_as_arrows(evidence),)),
        *(table_of_rows(evidence, side, run) for side in sides for run in (0, 1)),
        say(
            "At position 0 every angle is 0, and R(0) is the identity matrix I, which changes "
            "nothing. The checks compare each row with the plain formula, as a fraction of the "
            "row's norm.",
            "В позиции 0 все углы равны 0, а R(0) — единичная матрица I, она ничего не меняет. "
            "Проверки сравнивают каждую строку с вычисленной прямо по формуле; отличие измеряется "
            "в долях нормы строки.",
        )
        if evidence.own
        else say(
            "At position 0 every angle is 0, and R(0) is the identity matrix I, which changes "
            "nothing. Elsewhere each pair [1, 0] becomes [cos φ, sin φ]: that is the first column "
            "of R(φ), and a mistake in the second would stay hidden. So the checks also rotate "
            "[0, 1, 0, 1] and rows without zeros. Here queries and keys are the same rows, and so "
            "they are the same after the rotation.",
            "В позиции 0 все углы равны 0, а R(0) — единичная матрица I, она ничего не меняет. В "
            "остальных позициях каждая пара [1, 0] переходит в [cos φ, sin φ]. Это первый столбец "
            "R(φ), и ошибка во втором осталась бы незамеченной, поэтому проверки поворачивают ещё "
            "и [0, 1, 0, 1], и строки без нулей. Запросы и ключи здесь — одни и те же строки, и "
            "после поворота они тоже совпадают.",
        ),
    )


def describe_layout(width: int, adjacent: bool) -> Paragraph:
    """Which coordinates form a pair, and how many pairs there are."""
    if adjacent:
        en = "In the adjacent layout, used here, a pair is two neighbouring coordinates; the "
        en += 'half-split layout (section "layouts") pairs x_j with x_(j+d/2).'
        ru = "Здесь пару образуют две соседние координаты (соседние пары); в половинной раскладке "
        ru += "(раздел «layouts») x_j стоит в паре с x_(j+d/2)."
    else:
        en = (
            "In the half-split layout, used here, a pair is x_j and x_(j+d/2); the adjacent layout "
        )
        en += "pairs neighbouring coordinates."
        ru = "Здесь взята половинная раскладка: пару образуют x_j и x_(j+d/2); в другой раскладке "
        ru += "пары соседние."
    if width > 2:
        en += " No coordinate is in two pairs: {width} coordinates make {pairs} pairs, not all the "
        en += "{all} that could be picked from them."
        ru += " Ни одна координата не входит в две пары. Координат: {width}, пар: {pairs}; "
        ru += "если бы парой считались любые две координаты, пар было бы {all}."
    counts = {"width": width, "pairs": width // 2, "all": width * (width - 1) // 2}
    return say(en, ru, **counts if width > 2 else {})


def table_of_rows(evidence: Evidence, side: str, run: int) -> Table:
    """Queries or keys before and after the rotation, pair by pair; run 1 is after the shift.

    Long angles or names of pairs leave no room for two vectors side by side: they are stacked.
    """
    positions, angles = evidence["rotation_positions"][run], evidence["rotation_angles"][run]
    theta, (lefts, rights) = evidence["rotation_frequencies"], evidence["partners"]
    content, rotated = evidence[side], evidence[f"{('rotated', 'shifted')[run]}_{side}"]
    stacked = float(angles.max()) >= FAR_ANGLE or content.shape[1] >= WIDE_ROW

    def row(token: int, pair: int) -> tuple[Any, ...]:
        coordinates = [lefts[pair], rights[pair]]
        ends = vector(content[token][coordinates]), vector(rotated[token][coordinates])
        return (
            positions[token],
            (pair, " ", cue_of_speed(pair, theta)),
            f"[{lefts[pair]},{rights[pair]}]",
            digits_kept(angles[token][pair]),
            *((stack(*ends),) if stacked else ends),
        )

    before, after = t("before", "до поворота"), t("after", "после поворота")
    return table(
        caption_of_rows(side, run, name_positions(positions.tolist())),
        (
            *right("m"),
            *left(t("pair", "пара"), t("coord.", "коорд.")),
            *right(t("angle", "угол")),
            *(left((before, ", ", after)) if stacked else left(before, after)),
        ),
        rows_by_position_and_pair(angles.shape, evidence.every_row, row),
    )


def caption_of_rows(side: str, run: int, positions: Text) -> Phrase:
    """Whose rows they are, and their positions."""
    rows = t("Queries", "Запросы") if side == "query" else t("Keys", "Ключи")
    if run == 0:
        en, ru = "{rows}, {positions}:", "{rows}, {positions}:"
    else:
        en, ru = (
            "{rows} after the equal shift, {positions}:",
            "{rows} после одинакового сдвига, {positions}:",
        )
    return t(en, ru, rows=rows, positions=positions)


def pairs_as_arrows(evidence: Evidence) -> Plane:
    """Both pairs of the chapter's row at three of its positions, on the unit circle."""
    positions = evidence["rotation_positions"].ravel()
    rows = np.concatenate([evidence["rotated_query"], evidence["shifted_query"]])
    names = {
        Cue.FAST: t("pair 0, fast", "пара 0, быстрая"),
        Cue.SLOW: t("pair 1, slow", "пара 1, медленная"),
    }
    return Plane(
        t(
            "The two pairs of the row [1, 0, 1, 0] at three positions m",
            "Две пары строки [1, 0, 1, 0] в трёх позициях m",
        ),
        tuple(
            Panel(
                name,
                tuple(
                    Arrow(
                        f"m={positions[at]}", (float(rows[at][left]), float(rows[at][right])), cue
                    )
                    for at in ARROWS_AT
                ),
            )
            for (cue, name), left, right in zip(names.items(), *evidence["partners"], strict=True)
        ),
        t(
            "Each arrow keeps its length. At m = 3 the fast pair has gone almost half around, "
            "while the slow one has moved by 0.3 radians.",
            "Длина стрелок не меняется. Быстрая пара при m = 3 прошла почти пол-оборота, медленная "
            "— только 0.3 радиана.",
        ),
    )
