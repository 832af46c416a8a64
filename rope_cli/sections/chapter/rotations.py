"""Turning rows: the chapter's row at three positions, and again after the equal shift."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, product

import numpy as np

from rope_cli.document.blocks import (
    Block,
    Cell,
    Column,
    Number,
    Paragraph,
    Phrase,
    Table,
    cue_of_speed,
    vector,
)
from rope_cli.document.evidence import Evidence, agree, same_bits
from rope_cli.document.summaries import rows_by_position_and_pair
from rope_cli.document.vocabulary import formula, left, right, stack, t, table
from rope_cli.example import reference
from rope_cli.example.parameters import EVERYTHING, Parameters
from rope_cli.example.positions import format_positions, rows_to_compare, shift_positions
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

TITLE = t("Turning rows", "Поворот строк")
QUESTION = t(
    "The row [1, 0, 1, 0] stands at positions 0, 1 and 2. What becomes of it at each of "
    "them, and at which one does nothing happen?",
    "Строка [1, 0, 1, 0] стоит в позициях 0, 1 и 2. Во что она перейдёт в каждой из них "
    "и в какой не изменится вовсе?",
)

USES = EVERYTHING
CLAIMS = {
    "rows-by-formula": t(
        "all rotated rows are what left cos - right sin, left sin + right cos gives",
        "все повёрнутые строки совпали с x cos - y sin, x sin + y cos для каждой пары",
    ),
    "second-column": t(
        "[0, 1, 0, 1] turns to [-sin, cos]: the column that [1, 0, 1, 0] never uses",
        "[0, 1, 0, 1] переходит в [-sin, cos]: этот столбец строка [1, 0, 1, 0] не использует",
    ),
    "generic-rows": t(
        "rows without zeros turn as the dense matrix says, as query and as key",
        "строки без нулей, запросы и ключи, повёрнуты так же, как плотной матрицей",
    ),
    "position-zero-identity": t("position 0 changes no bit", "позиция 0 не меняет ни одного бита"),
}

# From here on an angle needs more than eight characters.
FAR_ANGLE = 10.0
CAPTIONS = (
    t("{rows}, positions {positions}:", "{rows}, позиции {positions}:"),
    t(
        "{rows} after the equal shift, positions {positions}:",
        "{rows} после одинакового сдвига, позиции {positions}:",
    ),
)
SIDES = {
    "query": t("Queries", "Запросы"),
    "key": t("Keys", "Ключи"),
}
CHAPTERS_ROW = t(
    "At position 0 every angle is 0 and R(0) is the identity. The row [1, 0, 1, 0] uses only "
    "the "
    "first column of each R; the checks therefore also turn rows without zeros. Queries and keys "
    "hold the same row here and turn alike.",
    "В позиции 0 все углы равны 0, и R(0) — единичная матрица. Строка [1, 0, 1, 0] использует "
    "только первый столбец каждой R, поэтому проверки поворачивают и строки без нулей. Запросы и "
    "ключи здесь содержат одну и ту же строку и поворачиваются одинаково.",
)
OWN_ROWS = t(
    "At position 0 every angle is 0 and R(0) is the identity. Each row is compared with the "
    "plain "
    "formula in units of its own norm.",
    "В позиции 0 все углы равны 0, и R(0) — единичная матрица. Каждая строка сравнивается с "
    "обычной формулой в долях своей нормы.",
)
OWN_QUESTION = t(
    "What becomes of each row at its position, and at which position would nothing happen?",
    "Во что перейдёт каждая строка в своей позиции и в какой позиции не изменилось бы ничего?",
)


def gather(example: Example) -> Evidence:
    """The rows of the worked example, and rows that use the whole matrix."""
    parameters = example.parameters
    places = (example.positions, example.shifted_positions)
    tokens = rows_to_compare(len(example.positions))
    turned_rows = (
        (example.rotated_query, example.rotated_key),
        (example.shifted_query, example.shifted_key),
    )
    # Each row is compared in units of its own norm, so that a large one hides no small one.
    scales = [norms_of(content)[tokens] for content in (example.query, example.key)] * 2
    found = [
        rows[tokens] / scale
        for rows, scale in zip(chain.from_iterable(turned_rows), scales, strict=True)
    ]
    expected = [
        reference.rotate(
            content[tokens], parameters.base, np.array(place)[tokens], parameters.layout
        )
        / scale
        for (place, content), scale in zip(
            product(places, (example.query, example.key)), scales, strict=True
        )
    ]
    probe, generic_query, generic_key = (
        np.tile(as_array(example.continued_to_width(row)), (3, 1))
        for row in (SECOND_COLUMN, GENERIC_QUERY, GENERIC_KEY)
    )
    matrices = [
        reference.rotation_matrix(m, parameters.feature_width, parameters.base, parameters.layout)
        for m in range(3)
    ]
    contents = (FIRST_COLUMN, SECOND_COLUMN, GENERIC_QUERY, GENERIC_KEY)
    still = as_array([[example.continued_to_width(row)] for row in contents])
    frequencies = example.embedding.inverse_frequencies
    positions = np.array(places)
    return Evidence(
        values={
            "rotation_positions": positions,
            "rotation_frequencies": frequencies,
            "rotation_angles": positions[:, :, np.newaxis] * frequencies,
            "partners": reference.partners(parameters.feature_width, parameters.layout),
            "query": example.query,
            "key": example.key,
            "rotated_query": example.rotated_query,
            "rotated_key": example.rotated_key,
            "shifted_query": example.shifted_query,
            "shifted_key": example.shifted_key,
        },
        checks=(
            agree("rows-by-formula", found, expected, example.tolerance(1.0)),
            agree("second-column", example.rotate_query(probe), turned(matrices, probe), 1e-12),
            agree(
                "generic-rows",
                [example.rotate_query(generic_query), example.rotate_key(generic_key)],
                [turned(matrices, generic_query), turned(matrices, generic_key)],
                1e-12,
            ),
            same_bits(
                "position-zero-identity",
                [example.rotate_query(still), example.rotate_key(still)],
                [still, still],
            ),
        ),
        parameters=parameters,
    )


def turned(matrices: Sequence[Array], content: Array) -> Array:
    """Rows, each multiplied by its dense matrix."""
    return np.array([matrix @ row for matrix, row in zip(matrices, content, strict=True)])


def norms_of(content: Array) -> Array:
    """The norm of each row as a column; 1 for a row of zeros, which no rotation can change."""
    lengths = norms(content)[:, np.newaxis]
    return np.where(lengths > 0, lengths, 1.0)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Tables of the positions of the example and of the shifted ones."""
    sides = ("query",) if np.array_equal(evidence["query"], evidence["key"]) else ("query", "key")
    place = "x_2j, x_2j+1" if evidence["partners"][1][0] == 1 else "x_j, x_j+d/2"
    return (
        formula(f"[{place}] → R(m·θ_j) [{place}]"),
        formula("R(φ) = [[cos φ, -sin φ], [sin φ, cos φ]]"),
        *(_turns(evidence, run, side) for side in sides for run in (0, 1)),
        Paragraph(OWN_ROWS if evidence.own else CHAPTERS_ROW),
    )


def _turns(evidence: Evidence, run: int, side: str) -> Table:
    found = f"{('rotated', 'shifted')[run]}_{side}"
    positions = evidence["rotation_positions"][run]
    frequencies, angles = evidence["rotation_frequencies"], evidence["rotation_angles"][run]
    lefts, rights = evidence["partners"]
    parameters = evidence.parameters or Parameters()
    stood = shift_positions(parameters.positions, run * parameters.shift)
    # Far out the angles need the room of the frequency, which the section before shows as well.
    far = float(angles.max()) >= FAR_ANGLE

    def row(at: int, pair: int) -> tuple[Cell, ...]:
        place = [lefts[pair], rights[pair]]
        before, after = vector(evidence[side][at][place]), vector(evidence[found][at][place])
        rate: tuple[Cell, ...] = () if far else (Number(frequencies[pair]),)
        rows: tuple[Cell, ...] = (stack(before, after),) if far else (before, after)
        return (
            int(positions[at]),
            (pair, " ", cue_of_speed(pair, frequencies)),
            f"[{place[0]},{place[1]}]",
            *rate,
            Number(angles[at][pair]),
            *rows,
        )

    before, after = t("before", "до поворота"), t("after", "после поворота")
    ends = (Column((before, ", ", after)),) if far else (Column(before), Column(after))
    return table(
        Phrase(CAPTIONS[run], {"rows": SIDES[side], "positions": format_positions(stood)}),
        (
            *right("m"),
            *left(t("pair", "пара"), t("coord.", "коорд.")),
            *(() if far else (Column(t("rad/pos.", "рад/поз."), "right"),)),
            *right(t("angle", "угол")),
            *ends,
        ),
        rows_by_position_and_pair(angles.shape, evidence.every_row, row),
    )
