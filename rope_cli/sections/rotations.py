"""Turning rows: the chapter's row at three positions, and again after the equal shift."""

from __future__ import annotations

import numpy as np

from rope_cli import witness
from rope_cli.document import (
    Block,
    Column,
    Formula,
    Number,
    Paragraph,
    Phrase,
    Table,
    cue_of_pair,
    vector,
)
from rope_cli.evidence import Evidence, agree, same_bits
from rope_cli.example import (
    FIRST_COLUMN,
    GENERIC_KEY,
    GENERIC_QUERY,
    SECOND_COLUMN,
    Example,
    rows,
)
from rope_cli.words import Text

TITLE = Text(en="Turning rows", ru="Поворот строк")
QUESTION = Text(
    en="The row [1, 0, 1, 0] stands at positions 0, 1 and 2. What becomes of it at each of them, "
    "and at which one does nothing happen?",
    ru="Строка [1, 0, 1, 0] стоит в позициях 0, 1 и 2. Во что она перейдёт в каждой из них и в "
    "какой не изменится вовсе?",
)
CLAIMS = {
    "rows-by-formula": Text(
        en="all rotated rows are what the dense rotation matrix gives",
        ru="все повёрнутые строки совпали с произведением на плотную матрицу поворота",
    ),
    "second-column": Text(
        en="[0, 1, 0, 1] turns to [-sin, cos]: the column that [1, 0, 1, 0] never uses",
        ru="[0, 1, 0, 1] переходит в [-sin, cos]: этот столбец строка [1, 0, 1, 0] не использует",
    ),
    "generic-rows": Text(
        en="rows without zeros turn as the dense matrix says, as query and as key",
        ru="строки без нулей, запрос и ключ, повёрнуты так же, как плотной матрицей",
    ),
    "position-zero-identity": Text(
        en="position 0 changes no bit",
        ru="позиция 0 не меняет ни одного бита",
    ),
}

CAPTIONS = (
    Text(en="Positions {first}-{last}:", ru="Позиции {first}–{last}:"),
    Text(
        en="The same rows after the equal shift, positions {first}-{last}:",
        ru="Те же строки после одинакового сдвига, позиции {first}–{last}:",
    ),
)


def gather(example: Example) -> Evidence:
    """The rows of the worked example, and rows that use the whole matrix."""
    asked = example.parameters
    start, shifted = example.first_position, example.shifted_position
    found = [example.rotated_query, example.rotated_key, example.shifted_query, example.shifted_key]
    expected = [
        witness.rotated(example.query, asked.base, offset)
        for offset in (start, start, shifted, shifted)
    ]
    probe, generic_query, generic_key = (
        np.tile(rows(row), (3, 1)) for row in (SECOND_COLUMN, GENERIC_QUERY, GENERIC_KEY)
    )
    still = rows([[row] for row in (FIRST_COLUMN, SECOND_COLUMN, GENERIC_QUERY, GENERIC_KEY)])
    frequencies = example.embedding.inverse_frequencies
    positions = np.array([asked.positions, np.add(asked.positions, asked.shift)])
    return Evidence(
        values={
            "rotation_positions": positions,
            "rotation_frequencies": frequencies,
            "rotation_angles": positions[:, :, np.newaxis] * frequencies,
            "query": example.query,
            "key": example.key,
            "rotated_query": example.rotated_query,
            "rotated_key": example.rotated_key,
            "shifted_query": example.shifted_query,
            "shifted_key": example.shifted_key,
        },
        checks=(
            agree("rows-by-formula", found, expected, 1e-12),
            agree(
                "second-column",
                example.rotate_query(probe, start),
                witness.rotated(probe, asked.base, start),
                1e-12,
            ),
            agree(
                "generic-rows",
                [
                    example.rotate_query(generic_query, start),
                    example.rotate_key(generic_key, start),
                ],
                [witness.rotated(row, asked.base, start) for row in (generic_query, generic_key)],
                1e-12,
            ),
            same_bits(
                "position-zero-identity",
                [example.rotate_query(still), example.rotate_key(still)],
                [still, still],
            ),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Two tables: the positions of the example and the shifted ones."""
    return (
        Formula("[x_2j, x_2j+1] → R(m·θ_j) [x_2j, x_2j+1]"),
        Formula("R(φ) = [[cos φ, -sin φ], [sin φ, cos φ]]"),
        _turns(evidence, 0, "rotated_query"),
        _turns(evidence, 1, "shifted_query"),
        Paragraph(
            Text(
                en="At position 0 every angle is 0 and R(0) is the identity. The row [1, 0, 1, 0] "
                "uses only the first column of each R; the checks therefore also turn rows "
                "without zeros. Queries and keys hold the same row here and turn alike.",
                ru="В позиции 0 все углы равны 0, и R(0) — единичная матрица. Строка [1, 0, 1, 0] "
                "использует только первый столбец каждой R, поэтому проверки поворачивают и "
                "строки без нулей. Запросы и ключи здесь содержат одну и ту же строку и "
                "поворачиваются одинаково.",
            )
        ),
    )


def _turns(evidence: Evidence, run: int, after: str) -> Table:
    positions = evidence["rotation_positions"][run]
    frequencies, angles = evidence["rotation_frequencies"], evidence["rotation_angles"][run]
    lines = tuple(
        (
            int(position),
            (pair, " ", cue_of_pair(pair)),
            f"[{2 * pair},{2 * pair + 1}]",
            Number(frequencies[pair]),
            Number(angles[at][pair]),
            vector(evidence["query"][at][2 * pair : 2 * pair + 2]),
            vector(evidence[after][at][2 * pair : 2 * pair + 2]),
        )
        for at, position in enumerate(positions)
        for pair in range(len(frequencies))
    )
    return Table(
        (
            Column("m", "right"),
            Column(Text(en="pair", ru="пара")),
            Column(Text(en="x", ru="x")),
            Column(Text(en="rad/pos.", ru="рад/поз."), "right"),
            Column(Text(en="angle", ru="угол"), "right"),
            Column(Text(en="before", ru="до поворота")),
            Column(Text(en="after", ru="после поворота")),
        ),
        lines,
        Phrase(CAPTIONS[run], {"first": int(positions[0]), "last": int(positions[-1])}),
    )
