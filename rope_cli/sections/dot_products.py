"""From absolute turns to signed differences: the two matrices of dot products."""

from __future__ import annotations

import numpy as np

from rope_cli import witness
from rope_cli.document import (
    Block,
    Cue,
    Formula,
    Legend,
    Matrix,
    Number,
    Paragraph,
    Phrase,
    Signed,
    Stack,
    cue_of_difference,
)
from rope_cli.evidence import Evidence, agree, greatest_difference
from rope_cli.example import Example
from rope_cli.words import Text

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
        en="along each diagonal n-m and the dot product stay the same",
        ru="вдоль каждой диагонали n-m и скалярное произведение постоянны",
    ),
    "grid-by-formula": Text(
        en="both matrices are q R((n-m)θ) k with the dense matrix",
        ru="обе матрицы равны q R((n-m)θ) k с плотной матрицей",
    ),
}
CORNER = Text(en="query \\ key", ru="запрос \\ ключ")


def gather(example: Example) -> Evidence:
    """The matrices before and after the equal shift."""
    asked = example.parameters
    before, after = example.dot_products, example.shifted_dot_products
    expected = witness.signed_grid(asked.content, asked.content, len(before), asked.base)
    return Evidence(
        values={
            "grid_positions": list(asked.positions),
            "grid_shift": asked.shift,
            "dot_products": before,
            "shifted_dot_products": after,
            "greatest_move": greatest_difference(example.rotated_query, example.shifted_query),
        },
        checks=(
            agree("equal-shift", after, before, 1e-12),
            agree(
                "diagonals",
                [before[1:, 1:], after[1:, 1:]],
                [before[:-1, :-1], after[:-1, :-1]],
                1e-12,
            ),
            agree("grid-by-formula", [before, after], [expected, expected], 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The first matrix with its cues, the second after the shift."""
    positions, shift = np.array(evidence["grid_positions"]), evidence["grid_shift"]
    return (
        Formula("(R(m·θ_j)q)ᵀ (R(n·θ_j)k) = qᵀ R((n-m)·θ_j) k"),
        Legend((Cue.EQUAL, Cue.LATER, Cue.EARLIER)),
        signed_matrix(
            evidence["dot_products"],
            positions.tolist(),
            Text(en="Positions before the shift:", ru="Позиции до сдвига:"),
        ),
        signed_matrix(
            evidence["shifted_dot_products"],
            (positions + shift).tolist(),
            Text(en="Positions after the equal shift:", ru="Позиции после одинакового сдвига:"),
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


def signed_matrix(grid: np.ndarray, positions: list[int], caption: Text | Phrase) -> Matrix:
    """Dot products ``[tokens, tokens]``, each cell with its n-m and cue."""
    cells = tuple(
        tuple(
            Stack(
                (Number(grid[row][column]), ("n-m=", Signed(n - m), " ", cue_of_difference(n - m)))
            )
            for column, n in enumerate(positions)
        )
        for row, m in enumerate(positions)
    )
    return Matrix(
        CORNER,
        tuple(f"m={m}" for m in positions),
        tuple(f"n={n}" for n in positions),
        cells,
        caption,
    )
