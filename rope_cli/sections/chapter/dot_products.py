"""From absolute turns to signed differences: the two matrices of dot products."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import (
    TIGHT,
    Block,
    Cue,
    Heat,
    Legend,
    Line,
    Matrix,
    Paragraph,
    Signed,
    Stack,
    cue_of_difference,
)
from rope_cli.document.charts import floats
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, greatest_difference
from rope_cli.document.summaries import hidden_note, shown_indices
from rope_cli.document.vocabulary import formula, matrix, say, stack, t
from rope_cli.example import reference
from rope_cli.example.parameters import EVERYTHING
from rope_cli.example.positions import rows_to_compare
from rope_cli.example.worked_example import Array, Example, as_array

TITLE = t(
    "From absolute turns to signed differences",
    "От абсолютных поворотов к разности позиций",
)
QUESTION = t(
    "The same row stands at every position, as query and as key. Which of the nine dot "
    "products are equal, and which change when all positions move by 3?",
    "Во всех позициях стоит одна и та же строка — и запрос, и ключ. Какие из девяти "
    "скалярных произведений равны и какие изменятся, если все позиции сдвинуть на 3?",
)

OWN_QUESTION = t(
    "Which of the dot products are equal, and which change when all positions move by the same "
    "shift?",
    "Какие из скалярных произведений равны и какие изменятся, если сдвинуть все позиции на одно "
    "и то же число?",
)

USES = EVERYTHING
CLAIMS = {
    "equal-shift": t(
        "an equal shift keeps every dot product compared",
        "одинаковый сдвиг сохраняет каждое из сравниваемых произведений",
    ),
    "diagonals": t(
        "where one row is repeated, n-m and the dot product are the same along each diagonal",
        "если строка повторяется, вдоль каждой диагонали n-m и произведение постоянны",
    ),
    "grid-by-formula": t(
        "both matrices are qᵀR((n-m)θ)k, computed from n-m alone",
        "обе матрицы равны qᵀR((n-m)θ)k, вычисленному по одной лишь разности n-m",
    ),
}
MOST_SHADED = 12


def gather(example: Example) -> Evidence:
    """The matrices before and after the equal shift."""
    parameters = example.parameters
    before, after = example.dot_products, example.shifted_dot_products
    positions, compared = np.array(example.positions), rows_to_compare(len(example.positions))
    query_positions = positions[example.grid_rows]
    expected = reference.scores(
        as_array(example.query[example.grid_rows]),
        query_positions,
        as_array(example.key[compared]),
        positions[compared],
        parameters.base,
        parameters.layout,
    )
    tolerance = example.tolerance(example.score_scale)
    return Evidence(
        values={
            "grid_positions": positions,
            "grid_query_positions": query_positions,
            "grid_shift": parameters.shift,
            "dot_products": before,
            "shifted_dot_products": after,
            "greatest_move": greatest_difference(example.rotated_query, example.shifted_query),
        },
        checks=(
            agree("equal-shift", after, before, tolerance),
            check_diagonals(example, tolerance),
            agree(
                "grid-by-formula",
                [before[:, compared], after[:, compared]],
                [expected, expected],
                tolerance,
            ),
        ),
        parameters=parameters,
    )


def check_diagonals(example: Example, tolerance: float) -> Check:
    """One row at three positions, before and after the shift: each diagonal has one value."""
    query, key = example.query[0].tolist(), example.key[0].tolist()
    grids = np.array([example.grid(query, key, start) for start in (0, example.parameters.shift)])
    return agree("diagonals", grids[:, 1:, 1:], grids[:, :-1, :-1], tolerance)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The first matrix with its cues, the second after the shift."""
    queries, keys = evidence["grid_query_positions"], evidence["grid_positions"]
    shift = evidence["grid_shift"]
    return (
        formula("(R(m·θ_j)q)ᵀ (R(n·θ_j)k) = qᵀ R((n-m)·θ_j) k"),
        Legend((Cue.EQUAL, Cue.LATER, Cue.EARLIER)),
        signed_matrix(
            evidence["dot_products"],
            queries.tolist(),
            keys.tolist(),
            t("Positions before the shift:", "Позиции до сдвига:"),
            evidence.every_row,
        ),
        *((shades(evidence),) if len(keys) <= MOST_SHADED else ()),
        signed_matrix(
            evidence["shifted_dot_products"],
            (queries + shift).tolist(),
            (keys + shift).tolist(),
            t("Positions after the equal shift:", "Позиции после одинакового сдвига:"),
            evidence.every_row,
        ),
        *remarks(evidence),
    )


def remarks(evidence: Evidence) -> tuple[Paragraph, ...]:
    """What the shift moves, and which queries were left out."""
    move = evidence["greatest_move"]
    if not evidence.own:
        return (
            say(
                "The shift moves rotated coordinates by up to {move}, and no dot product. The "
                "diagonals repeat because the content repeats; that n-m has a sign cannot be seen "
                "here, where the matrix is symmetric: see the next section.",
                "Сдвиг меняет повёрнутые координаты — вплоть до {move}, — но ни одного скалярного "
                "произведения. Диагонали повторяются, потому что повторяется содержимое; знак n-m "
                "здесь не виден: матрица симметрична. О знаке — следующий раздел.",
                move=move,
            ),
        )
    moved = say(
        "The shift moves rotated coordinates by up to {move}, and no dot product.",
        "Сдвиг меняет повёрнутые координаты — вплоть до {move}, — но ни одного скалярного "
        "произведения.",
        move=move,
    )
    if len(evidence["grid_query_positions"]) == len(evidence["grid_positions"]):
        return (moved,)
    left_out = say(
        "Of so many tokens only the first and the last queries meet every key; the checks compare "
        "these.",
        "Токенов так много, что со всеми ключами сопоставлены только первые и последние запросы; "
        "их и сравнивают проверки.",
    )
    return moved, left_out


def shades(evidence: Evidence) -> Heat:
    """The first matrix as a picture."""
    if evidence.own:
        reading = t(
            "Queries go down, keys to the right; the fuller a cell, the further its product is "
            "from 0.",
            "Вниз — запросы, вправо — ключи; чем гуще оттенок, тем дальше произведение от нуля.",
        )
    else:
        reading = t(
            "Each diagonal has one shade of its own: the product depends on n-m alone. The main "
            "diagonal, where the positions are equal, has the fullest.",
            "У каждой диагонали свой оттенок: произведение зависит только от n-m. Самый густой "
            "— на главной диагонали, где позиции равны.",
        )
    return Heat(
        t(
            "The same matrix in shades: the fuller, the further from 0; signs in front:",
            "Та же матрица в оттенках: чем гуще, тем дальше от нуля; знак — впереди:",
        ),
        tuple(f"m={m}" for m in evidence["grid_query_positions"].tolist()),
        tuple(f"n={n}" for n in evidence["grid_positions"].tolist()),
        tuple(floats(row) for row in evidence["dot_products"]),
        reading,
    )


def signed_matrix(
    grid: Array,
    queries: list[int],
    keys: list[int],
    caption: Line,
    every_row: bool = False,
) -> Matrix:
    """Dot products ``[queries, keys]``, each cell with its n-m and cue; a large one summarised.

    ``queries`` and ``keys`` are the positions of rows and columns.
    """
    # Cells with far positions are wide: two at each end fit the page.
    indices = shown_indices(len(keys), every_row, 3 if len(keys) <= 8 else 2)
    # A large grid holds its first and last queries only: their rows are found by position.
    row_of = {position: row for row, position in enumerate(queries)}

    def cell(row: int | None, column: int | None) -> str | Stack:
        if row is None or column is None:
            return "..."
        difference = keys[column] - keys[row]
        named = ("n-m=", Signed(difference), TIGHT, cue_of_difference(difference))
        return stack(grid[row_of[keys[row]]][column], named)

    def name(letter: str, index: int | None) -> Line:
        return hidden_note(len(keys), indices) if index is None else f"{letter}={keys[index]}"

    return matrix(
        caption,
        t("query \\ key", "запрос \\ ключ"),
        [name("m", index) for index in indices],
        [name("n", index) for index in indices],
        [[cell(row, column) for column in indices] for row in indices],
    )
