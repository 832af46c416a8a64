"""From absolute rotations to signed differences: the two matrices of dot products."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from rope_cli.document.blocks import (
    TIGHT,
    Block,
    Cue,
    Heat,
    Line,
    Matrix,
    Number,
    Paragraph,
    Short,
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
from rope_cli.example.parameters import EVERYTHING, Parameters
from rope_cli.example.positions import rows_to_compare
from rope_cli.example.worked_example import Array, Example, as_array

TITLE = t(
    "From absolute rotations to signed differences",
    "От абсолютных поворотов к разности позиций",
)
QUESTION = t(
    "At positions 0, 1 and 2 query and key are the same row, [1, 0, 1, 0]. Which of the nine dot "
    "products are equal, and which change when all positions grow by 3?",
    "В позициях 0, 1 и 2 и запрос, и ключ — одна и та же строка [1, 0, 1, 0]. Какие из девяти "
    "скалярных произведений равны и какие изменятся, если прибавить 3 ко всем позициям?",
)
OWN_QUESTION = t(
    "Which of the dot products are equal, and which change when the same number is added to all "
    "positions?",
    "Какие из скалярных произведений равны и какие изменятся, если ко всем позициям прибавить "
    "одно и то же число?",
)

USES = EVERYTHING
CLAIMS = {
    "transposed-product": t(
        "the first row of R(1)ᵀR(3) is the first row of R(2)",
        "первая строка R(1)ᵀR(3) — это первая строка R(2)",
    ),
    "equal-shift": t(
        "the equal shift keeps every dot product compared",
        "одинаковый сдвиг сохраняет каждое из сравниваемых произведений",
    ),
    "diagonals": t(
        "one row everywhere gives one dot product along each diagonal, where n-m is the same",
        "если строка всюду одна, на каждой диагонали, где n-m одинакова, стоит одно число",
    ),
    "grid-by-formula": t(
        "both matrices are qᵀR((n-m)·θ)k, computed from n-m alone",
        "обе матрицы равны qᵀR((n-m)·θ)k, вычисленному по одной лишь разности n-m",
    ),
    "shown-cells": t(
        "each cell shown holds the dot product of its m and n, and names n-m with its sign",
        "в каждой показанной ячейке — произведение для её m и n и разность n-m со знаком",
    ),
    "shift-moves-rows": t(
        "the largest change of a coordinate is the one that the formula gives from m to m plus "
        "the shift",
        "наибольшее изменение координаты при сдвиге совпадает с вычисленным по формуле поворота",
    ),
}
PROOF = say(
    "Numbers like these are no proof: they compare the cases shown. The proof is the last formula "
    "above. It holds for any q and k, any positions and any shift, and of the positions only n-m "
    "is left in it.",
    "Такие числа ничего не доказывают: сравниваются только показанные случаи. Доказывает последняя "
    "формула выше. Она верна для любых q и k, любых позиций и любого сдвига, и от позиций в ней "
    "осталась только разность n-m.",
)
MOST_SHADED = 12
# The derivation is shown in numbers for one pair, m = 1 and n = 3, as 2 is neither of them.
FIRST, SECOND = 1, 3


def gather(example: Example) -> Evidence:
    """The matrices before and after the equal shift."""
    parameters = example.parameters
    before, after = example.dot_products, example.shifted_dot_products
    positions, compared = np.array(example.positions), rows_to_compare(len(example.positions))
    values: dict[str, Any] = {
        "grid_positions": positions,
        "grid_query_positions": positions[example.grid_rows],
        "grid_shift": parameters.shift,
        "grid_frequencies": example.embedding.inverse_frequencies,
        "dot_products": before,
        "shifted_dot_products": after,
        "greatest_move": greatest_difference(example.rotated_query, example.shifted_query),
        "greatest_drift": greatest_difference(before, after),
    }
    expected = expected_products(example, compared)
    tolerance = example.tolerance(example.score_scale)
    return derive_in_numbers(example) + Evidence(
        values=values,
        checks=(
            agree("equal-shift", after, before, tolerance),
            check_diagonals(example, tolerance),
            agree(
                "grid-by-formula",
                [before[:, compared], after[:, compared]],
                [expected, expected],
                tolerance,
            ),
            check_shown_cells(values, parameters, positions[compared], expected, tolerance),
            check_move(example, values["greatest_move"]),
        ),
        parameters=parameters,
    )


def expected_products(example: Example, compared: list[int]) -> Array:
    """``qᵀR((n-m)θ)k`` of the queries of the matrix and of the keys that are compared."""
    parameters, positions = example.parameters, np.array(example.positions)
    return reference.scores(
        as_array(example.query[example.grid_rows]),
        positions[example.grid_rows],
        as_array(example.key[compared]),
        positions[compared],
        parameters.base,
        parameters.layout,
    )


def check_shown_cells(
    values: Mapping[str, Any],
    parameters: Parameters,
    key_positions: Array,
    expected: Array,
    tolerance: float,
) -> Check:
    """Every cell of both matrices, as they are shown."""
    queries, matrices = values["grid_query_positions"], shown_matrices(values, parameters.every_row)
    cells = [
        cell
        for shown, by in zip(matrices, (0, parameters.shift), strict=True)
        for cell in read_cells(shown, queries + by, key_positions + by, expected)
    ]
    numbers, formula_values = zip(*cells, strict=True)
    return agree("shown-cells", numbers, formula_values, tolerance)


def derive_in_numbers(example: Example) -> Evidence:
    """One pair: the rows of R(1)ᵀR(3) and of R(2)."""
    pair = example.embedding_for(2, SECOND + 1, example.parameters.base)
    unit = np.eye(2)[:, np.newaxis]
    first, second, between = (
        example.rotate_query(unit, m, pair)[:, 0].T for m in (FIRST, SECOND, SECOND - FIRST)
    )
    product = (first.T @ second)[0]
    angle = SECOND - FIRST
    return Evidence(
        values={
            "identity_factors": [first[:, 0], second[:, 0]],
            "identity_product": product,
            "identity_rotation": between[0],
        },
        checks=(
            agree(
                "transposed-product",
                [product, between[0]],
                [[math.cos(angle), -math.sin(angle)]] * 2,
                1e-12,
            ),
        ),
    )


def check_move(example: Example, move: float) -> Check:
    """The largest change of a coordinate, in the row where it is largest and in those compared."""
    parameters = example.parameters
    changes = np.abs(example.shifted_query - example.rotated_query).max(axis=1)
    tokens = sorted({*rows_to_compare(len(changes)), int(changes.argmax())})
    rows, positions = as_array(example.query[tokens]), np.array(example.positions)[tokens]
    before, after = (
        reference.rotate(rows, parameters.base, positions + by, parameters.layout)
        for by in (0, parameters.shift)
    )
    scale = float(np.abs(rows).sum(axis=1).max())
    return agree(
        "shift-moves-rows", move, greatest_difference(before, after), example.tolerance(scale)
    )


def check_diagonals(example: Example, tolerance: float) -> Check:
    """One row at three positions, before and after the shift: each diagonal has one value."""
    query, key = example.query[0].tolist(), example.key[0].tolist()
    grids = np.array([example.grid(query, key, start) for start in (0, example.parameters.shift)])
    return agree("diagonals", grids[:, 1:, 1:], grids[:, :-1, :-1], tolerance)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The identity, the first matrix with its cues, the second after the shift."""
    before, after = shown_matrices(evidence, evidence.every_row)
    return (
        *derivation(evidence),
        say(
            "The matrix of dot products compares every query with every key: the cell in row m "
            "and column n holds the product of the query rotated for position m and the key "
            "rotated for n. A diagonal is a line of cells from the upper left to the lower right.",
            "В матрице скалярных произведений каждый запрос сравнивается с каждым ключом: в строке "
            "m и столбце n стоит произведение запроса, повёрнутого для позиции m, и ключа, "
            "повёрнутого для n. Диагональ — это ряд ячеек, идущий слева сверху направо вниз.",
        ),
        before,
        *((shades(evidence),) if len(evidence["grid_positions"]) <= MOST_SHADED else ()),
        after,
        *remarks(evidence),
    )


def derivation(evidence: Evidence) -> tuple[Block, ...]:
    """The identity in three lines, and one entry of it in numbers."""
    (cosine, sine), (other_cosine, other_sine) = evidence["identity_factors"]
    return (
        say(
            "Take one pair, the query rotated by α and the key by β. The sign ᵀ says that rows and "
            "columns change places, which is called transposing. In R(α) this changes the sign of "
            "the sines, so R(α)ᵀ rotates back:",
            "Возьмём одну пару: запрос повёрнут на α, ключ — на β. Знак ᵀ означает, что строки и "
            "столбцы меняются местами; это называют транспонированием. У R(α) при этом меняется "
            "знак синусов, и R(α)ᵀ поворачивает обратно:",
        ),
        formula("R(α)ᵀ R(β) = [[cos α, sin α], [-sin α, cos α]] R(β) = R(-α) R(β) = R(β-α)"),
        say(
            "In these formulas q and k stand as columns, and qᵀk is their dot product. That of the "
            "rotated pairs is",
            "В формулах q и k записаны столбцами, и qᵀk — их скалярное произведение. Для "
            "повёрнутых пар оно равно",
        ),
        formula("(R(α) q)ᵀ (R(β) k) = qᵀ R(α)ᵀ R(β) k = qᵀ R(β-α) k"),
        speeds(evidence),
        formula("(R(m·θ_j) q)ᵀ (R(n·θ_j) k) = qᵀ R((n-m)·θ_j) k"),
        say(
            "Check this for pair 0 at m = 1 and n = 3. The first entry of R(1)ᵀR(3) is "
            "cos 1·cos 3 + sin 1·sin 3. In numbers this is "
            "{cosine}·({other_cosine}) + {sine}·{other_sine}, and the result, {product}, is cos 2, "
            "the first entry of R(2).",
            "Проверим на числах: пара 0, m = 1, n = 3. Первый элемент R(1)ᵀR(3) равен "
            "cos 1·cos 3 + sin 1·sin 3. Подставим значения: "
            "{cosine}·({other_cosine}) + {sine}·{other_sine}. Получается {product}, а это cos 2, "
            "первый элемент R(2).",
            cosine=cosine,
            sine=sine,
            other_cosine=other_cosine,
            other_sine=other_sine,
            product=evidence["identity_product"][0],
        ),
        sum_over_pairs(evidence),
    )


def speeds(evidence: Evidence) -> Paragraph:
    """What θ_j is, before it first stands in a formula."""
    if evidence.own:
        return say(
            'Pair j rotates by θ_j radians per position (section "frequencies"). So α = m·θ_j '
            "and β = n·θ_j:",
            "Пара j поворачивается на θ_j радиан за позицию; скорости пар показаны в разделе "
            "«frequencies». Значит, α = m·θ_j и β = n·θ_j:",
        )
    first, second = evidence["grid_frequencies"]
    return say(
        "A row of four coordinates has two pairs, and pair j rotates by θ_j radians per position: "
        'θ_0 = {first}, θ_1 = {second} (section "frequencies"). So α = m·θ_j and β = n·θ_j:',
        "В строке из четырёх координат две пары, и пара j поворачивается за позицию на θ_j радиан: "
        "θ_0 = {first}, θ_1 = {second} (раздел «frequencies»). Значит, α = m·θ_j и β = n·θ_j:",
        first=Short(first),
        second=Short(second),
    )


def sum_over_pairs(evidence: Evidence) -> Paragraph:
    """How the score of whole rows follows from that of one pair."""
    if evidence.own:
        return say(
            "The dot product of whole rows is the sum over their pairs, and every term depends on "
            "n-m alone.",
            "Скалярное произведение целых строк — сумма по парам, и каждое слагаемое зависит "
            "только от n-m.",
        )
    return say(
        "The dot product of whole rows is the sum over their pairs. With [1, 0] in every pair a "
        "pair adds cos((n-m)·θ_j), so neighbours have the dot product cos 1 + cos 0.1 = {score}.",
        "Скалярное произведение целых строк — сумма по парам. Если каждая пара равна [1, 0], её "
        "слагаемое равно cos((n-m)·θ_j), и для соседних позиций получается "
        "cos 1 + cos 0.1 = {score}.",
        score=evidence["dot_products"][0][1],
    )


def remarks(evidence: Evidence) -> tuple[Paragraph, ...]:
    """What the shift moves, what that proves, and which queries were left out."""
    if not evidence.own:
        return (
            say(
                "Shifting every position by 3 changes the rotated coordinates, some of them by as "
                "much as {move}, yet all nine dot products stay as they were: positions enter them "
                "only through n-m. Along each diagonal n-m is the same, and here, where all rows "
                "are the same before they are rotated, so is the dot product. This matrix is also "
                "symmetric: row m, column n holds the same number as row n, column m. Must it be? "
                'Section "direction" asks.',
                "Сдвиг всех позиций на 3 меняет повёрнутые координаты, самое большее на {move}, но "
                "все девять скалярных произведений остаются прежними: от позиций они зависят "
                "только через разность n-m. Вдоль каждой диагонали n-m одна и та же, а здесь, где "
                "до поворота все строки одинаковы, одно и то же и скалярное произведение. Матрица "
                "ещё и симметрична: в строке m и столбце n стоит то же число, что в строке n и "
                "столбце m. Обязательно ли это, спрашивает раздел «direction».",
                move=evidence["greatest_move"],
            ),
            PROOF,
        )
    moved = describe_changes(evidence["greatest_move"], evidence["greatest_drift"])
    if len(evidence["grid_query_positions"]) == len(evidence["grid_positions"]):
        return moved, PROOF
    left_out = say(
        "There are so many tokens that only the first and the last queries are compared with all "
        "the keys; the checks cover these.",
        "Токенов так много, что со всеми ключами сопоставлены только первые и последние запросы; "
        "их и сравнивают проверки.",
    )
    return moved, PROOF, left_out


def describe_changes(move: float, drift: float) -> Paragraph:
    """What the shift changes: coordinates, and dot products by a rounding error or not at all."""
    if drift == 0 and move == 0:
        return say(
            "Here the shift changes neither a rotated coordinate nor a dot product.",
            "Здесь сдвиг не меняет ни повёрнутых координат, ни скалярных произведений.",
        )
    if drift == 0:
        return say(
            "The shift changes rotated coordinates by up to {move}, but no dot product, not even "
            "by a rounding error.",
            "Сдвиг меняет повёрнутые координаты на величину до {move}, а скалярных произведений не "
            "меняет вовсе, даже на ошибку округления.",
            move=move,
        )
    return say(
        "The shift changes rotated coordinates by up to {move}, and a dot product by about "
        "{drift} at most. By the formula above no dot product changes at all; what is left is "
        "rounding.",
        "Сдвиг меняет повёрнутые координаты на величину до {move}, а скалярные произведения самое "
        "большее примерно на {drift}. По формуле выше они не меняются вовсе; остаётся ошибка "
        "округления.",
        move=move,
        drift=Short(float(f"{drift:.1e}")),
    )


def shown_matrices(values: Mapping[str, Any] | Evidence, every_row: bool) -> tuple[Matrix, Matrix]:
    """Both matrices as they are shown."""
    queries, keys = values["grid_query_positions"], values["grid_positions"]
    before, after = (
        signed_matrix(grid, (queries + by).tolist(), (keys + by).tolist(), caption, every_row)
        for grid, by, caption in (
            (values["dot_products"], 0, t("Positions before the shift:", "Позиции до сдвига:")),
            (
                values["shifted_dot_products"],
                values["grid_shift"],
                t("Positions after the equal shift:", "Позиции после одинакового сдвига:"),
            ),
        )
    )
    return before, after


def shades(evidence: Evidence) -> Heat:
    """The first matrix as a picture."""
    if evidence.own:
        reading = t(
            "Queries go down, keys to the right. The darker a cell, the further its dot product "
            "is from 0.",
            "Вниз идут запросы, вправо — ключи. Чем гуще ячейка, тем дальше её произведение от "
            "нуля.",
        )
    else:
        reading = t(
            "Each diagonal has one shade: all rows are the same, so the dot product depends on n-m "
            "alone. The darkest is the main diagonal, where the positions are equal.",
            "У каждой диагонали один оттенок: строки одинаковы, и произведение зависит только от "
            "n-m. Гуще всего главная диагональ, где позиции равны.",
        )
    return Heat(
        t(
            "The same matrix in shades. The denser the shade, the further the value is from 0; "
            "the sign is in front:",
            "Та же матрица штриховкой: чем гуще, тем дальше от нуля; знак впереди:",
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


def read_cells(
    shown: Matrix, query_positions: Iterable[int], key_positions: Iterable[int], expected: Array
) -> Iterator[tuple[float, float]]:
    """Read a matrix back: the number in each cell, and what it should be.

    ``expected`` holds the dot products ``[queries, keys]`` of these positions. A cell of another
    position should be NaN, and NaN is read from one that names a wrong difference or cue.
    """
    products = {
        (int(m), int(n)): float(product)
        for m, row in zip(query_positions, expected, strict=True)
        for n, product in zip(key_positions, row, strict=True)
    }
    cues = (Cue.EARLIER, Cue.EQUAL, Cue.LATER)
    for row_name, cells in zip(shown.row_names, shown.cells, strict=True):
        for column_name, cell in zip(shown.column_names, cells, strict=True):
            if not isinstance(cell, Stack):
                continue
            m, n = (int(str(name).partition("=")[2]) for name in (row_name, column_name))
            label = ("n-m=", Signed(n - m), TIGHT, cues[int(np.sign(n - m)) + 1])
            match cell.lines:
                case (Number(value), named) if named == label:
                    yield value, products.get((m, n), math.nan)
                case _:
                    yield math.nan, products.get((m, n), math.nan)
