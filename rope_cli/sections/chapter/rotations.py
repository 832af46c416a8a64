"""Turning rows: the chapter's row at three positions, and again after the equal shift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Phrase, Table, cue_of_speed, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, same_bits
from rope_cli.document.summaries import rows_by_position_and_pair
from rope_cli.document.vocabulary import formula, left, right, say, stack, t, table
from rope_cli.example import reference
from rope_cli.example.parameters import EVERYTHING
from rope_cli.example.positions import format_positions, rows_to_compare
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

OWN_QUESTION = t(
    "What becomes of each row at its position, and at which position would nothing happen?",
    "Во что перейдёт каждая строка в своей позиции и в какой позиции не изменилось бы ничего?",
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


def gather(example: Example) -> Evidence:
    """The rows of the worked example, and rows that use the whole matrix."""
    parameters = example.parameters
    positions = np.array([example.positions, example.shifted_positions])
    theta = example.embedding.inverse_frequencies
    return Evidence(
        values={
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
        },
        checks=(check_rows_by_formula(example, positions), *check_chapters_rows(example)),
        parameters=parameters,
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
    """Tables of the positions of the example and of the shifted ones."""
    sides = ("query",) if np.array_equal(evidence["query"], evidence["key"]) else ("query", "key")
    pair = "x_2j, x_2j+1" if evidence["partners"][1][0] == 1 else "x_j, x_j+d/2"
    return (
        formula(f"[{pair}] → R(m·θ_j) [{pair}]"),
        formula("R(φ) = [[cos φ, -sin φ], [sin φ, cos φ]]"),
        *(table_of_rows(evidence, side, run) for side in sides for run in (0, 1)),
        say(
            "At position 0 every angle is 0 and R(0) is the identity. Each row is compared with "
            "the plain formula in units of its own norm.",
            "В позиции 0 все углы равны 0, и R(0) — единичная матрица. Каждая строка сравнивается "
            "с обычной формулой в долях своей нормы.",
        )
        if evidence.own
        else say(
            "At position 0 every angle is 0 and R(0) is the identity. The row [1, 0, 1, 0] uses "
            "only the first column of each R; the checks therefore also turn rows without zeros. "
            "Queries and keys hold the same row here and turn alike.",
            "В позиции 0 все углы равны 0, и R(0) — единичная матрица. Строка [1, 0, 1, 0] "
            "использует только первый столбец каждой R, поэтому проверки поворачивают и строки без "
            "нулей. Запросы и ключи здесь содержат одну и ту же строку и поворачиваются одинаково.",
        ),
    )


def table_of_rows(evidence: Evidence, side: str, run: int) -> Table:
    """Queries or keys before and after the rotation, pair by pair; run 1 is after the shift."""
    positions, angles = evidence["rotation_positions"][run], evidence["rotation_angles"][run]
    theta, (lefts, rights) = evidence["rotation_frequencies"], evidence["partners"]
    content, rotated = evidence[side], evidence[f"{('rotated', 'shifted')[run]}_{side}"]
    # Far out the angles need the room of the frequency, which the section before shows as well.
    far = float(angles.max()) >= FAR_ANGLE

    def row(token: int, pair: int) -> tuple[Any, ...]:
        coordinates = [lefts[pair], rights[pair]]
        ends = vector(content[token][coordinates]), vector(rotated[token][coordinates])
        return (
            positions[token],
            (pair, " ", cue_of_speed(pair, theta)),
            f"[{lefts[pair]},{rights[pair]}]",
            *(() if far else (theta[pair],)),
            angles[token][pair],
            *((stack(*ends),) if far else ends),
        )

    before, after = t("before", "до поворота"), t("after", "после поворота")
    return table(
        caption_of_rows(side, run, format_positions(positions.tolist())),
        (
            *right("m"),
            *left(t("pair", "пара"), t("coord.", "коорд.")),
            *(() if far else right(t("rad/pos.", "рад/поз."))),
            *right(t("angle", "угол")),
            *(left((before, ", ", after)) if far else left(before, after)),
        ),
        rows_by_position_and_pair(angles.shape, evidence.every_row, row),
    )


def caption_of_rows(side: str, run: int, positions: str) -> Phrase:
    """Whose rows they are, and where they stand."""
    rows = t("Queries", "Запросы") if side == "query" else t("Keys", "Ключи")
    if run == 0:
        en, ru = "{rows}, positions {positions}:", "{rows}, позиции {positions}:"
    else:
        en = "{rows} after the equal shift, positions {positions}:"
        ru = "{rows} после одинакового сдвига, позиции {positions}:"
    return t(en, ru, rows=rows, positions=positions)
