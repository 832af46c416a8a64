"""From absolute turns to signed differences: the two matrices of dot products."""

from __future__ import annotations

import numpy as np

from rope_cli import witness
from rope_cli.document import (
    MORE,
    TIGHT,
    Block,
    Cell,
    Cue,
    Formula,
    Legend,
    Line,
    Matrix,
    Number,
    Paragraph,
    Phrase,
    Signed,
    Stack,
    cue_of_difference,
    shown,
)
from rope_cli.evidence import Evidence, agree, greatest_difference
from rope_cli.example import Array, Example, rows, witnessed
from rope_cli.parameters import EVERYTHING
from rope_cli.words import Text

USES = EVERYTHING
TITLE = Text(
    en="From absolute turns to signed differences",
    ru="От абсолютных поворотов к разности позиций",
)
QUESTION = Text(
    en="The same row stands at every position, as query and as key. Which of the nine dot products "
    "are equal, and which change when all positions move by 3?",
    ru="Во всех позициях стоит одна и та же строка — и запрос, и ключ. Какие из девяти скалярных "
    "произведений равны и какие изменятся, если все позиции сдвинуть на 3?",
)
CLAIMS = {
    "equal-shift": Text(
        en="an equal shift keeps every dot product",
        ru="одинаковый сдвиг сохраняет каждое скалярное произведение",
    ),
    "diagonals": Text(
        en="where one row is repeated, n-m and the dot product are the same along each diagonal",
        ru="если строка повторяется, вдоль каждой диагонали n-m и произведение постоянны",
    ),
    "grid-by-formula": Text(
        en="both matrices are qᵀR((n-m)θ)k, computed from n-m alone",
        ru="обе матрицы равны qᵀR((n-m)θ)k, вычисленному по одной лишь разности n-m",
    ),
}
CORNER = Text(en="query \\ key", ru="запрос \\ ключ")


def gather(example: Example) -> Evidence:
    """The matrices before and after the equal shift."""
    asked = example.parameters
    before, after = example.dot_products, example.shifted_dot_products
    positions, compared = np.array(asked.positions), witnessed(len(asked.positions))
    query_positions = positions[example.grid_rows]
    expected = witness.scores(
        rows(example.query[example.grid_rows]),
        query_positions,
        rows(example.key[compared]),
        positions[compared],
        asked.base,
        asked.layout,
    )
    found = [before[:, compared], after[:, compared]]
    # One row at three positions: only repeated content repeats along the diagonals.
    one_query, one_key = example.query[0].tolist(), example.key[0].tolist()
    repeated = np.array([example.grid(one_query, one_key, at) for at in (0, asked.shift)])
    bound = example.bound(example.score_scale)
    return Evidence(
        values={
            "grid_positions": positions,
            "grid_query_positions": query_positions,
            "grid_shift": asked.shift,
            "dot_products": before,
            "shifted_dot_products": after,
            "greatest_move": greatest_difference(example.rotated_query, example.shifted_query),
        },
        checks=(
            agree("equal-shift", after, before, bound),
            agree("diagonals", repeated[:, 1:, 1:], repeated[:, :-1, :-1], bound),
            agree("grid-by-formula", found, [expected, expected], bound),
        ),
        every_row=asked.every_row,
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The first matrix with its cues, the second after the shift."""
    queries, keys = evidence["grid_query_positions"], evidence["grid_positions"]
    shift = evidence["grid_shift"]
    return (
        Formula("(R(m·θ_j)q)ᵀ (R(n·θ_j)k) = qᵀ R((n-m)·θ_j) k"),
        Legend((Cue.EQUAL, Cue.LATER, Cue.EARLIER)),
        signed_matrix(
            evidence["dot_products"],
            queries.tolist(),
            keys.tolist(),
            Text(en="Positions before the shift:", ru="Позиции до сдвига:"),
            evidence.every_row,
        ),
        signed_matrix(
            evidence["shifted_dot_products"],
            (queries + shift).tolist(),
            (keys + shift).tolist(),
            Text(en="Positions after the equal shift:", ru="Позиции после одинакового сдвига:"),
            evidence.every_row,
        ),
        Paragraph(
            Phrase(
                Text(
                    en="The shift moves rotated coordinates by up to {move}, and no dot product. "
                    "The diagonals repeat because the content repeats; that n-m has a sign cannot "
                    "be seen here, where the matrix is symmetric: see the next section.",
                    ru="Сдвиг меняет повёрнутые координаты — вплоть до {move}, — но ни одного "
                    "скалярного произведения. Диагонали повторяются, потому что повторяется "
                    "содержимое; знак n-m здесь не виден: матрица симметрична. О знаке — "
                    "следующий раздел.",
                ),
                {"move": Number(evidence["greatest_move"])},
            )
        ),
    )


def signed_matrix(
    grid: Array,
    queries: list[int],
    keys: list[int],
    caption: Text | Phrase,
    everything: bool = False,
) -> Matrix:
    """Dot products ``[queries, keys]``, each cell with its n-m and cue; a large one summarised.

    ``queries`` and ``keys`` are the positions of rows and columns.
    """
    # Cells with far positions are wide: two at each end fit the page.
    tall = shown(len(keys), everything, 3 if len(keys) <= 8 else 2)
    # A grid of the first and last queries only has no row for the gap between them.
    rows_shown = tall if len(queries) == len(keys) else (0, 1, len(queries) - 2, len(queries) - 1)

    def cell(row: int | None, column: int | None) -> Cell:
        if row is None or column is None:
            return "..."
        difference = keys[column] - queries[row]
        named = ("n-m=", Signed(difference), TIGHT, cue_of_difference(difference))
        return Stack((Number(grid[row][column]), named))

    def name(letter: str, positions: list[int], at: int | None) -> Line:
        if at is None:
            return Phrase(MORE, {"hidden": len(positions) - len(tall) + 1})
        return f"{letter}={positions[at]}"

    return Matrix(
        CORNER,
        tuple(name("m", queries, at) for at in rows_shown),
        tuple(name("n", keys, at) for at in tall),
        tuple(tuple(cell(row, column) for column in tall) for row in rows_shown),
        caption,
    )
