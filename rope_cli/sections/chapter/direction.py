"""Earlier or later: content that shows that n-m is a signed difference and not a distance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Column, Heat, Matrix, Table, vector
from rope_cli.document.charts import heat_by_position
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import formula, say, t, table_by_columns
from rope_cli.example import reference
from rope_cli.example.parameters import Parameters
from rope_cli.example.worked_example import (
    FIRST_COLUMN,
    GENERIC_KEY,
    GENERIC_QUERY,
    SECOND_COLUMN,
    Array,
    Example,
    as_array,
)
from rope_cli.sections.chapter.dot_products import read_cells, signed_matrix

TITLE = t("Earlier or later", "Раньше или позже")
QUESTION = t(
    "Let every query be [1, 0, 1, 0] and every key [0, 1, 0, 1]. Is the matrix of dot products "
    "still symmetric, with the same number in row m, column n as in row n, column m?",
    "Пусть каждый запрос равен [1, 0, 1, 0], а каждый ключ — [0, 1, 0, 1]. Останется ли матрица "
    "скалярных произведений симметричной — будет ли в строке m и столбце n то же число, что в "
    "строке n и столбце m?",
)
OWN_QUESTION = t(
    "Let every pair of the queries be [1, 0] and every pair of the keys [0, 1]. Is the matrix of "
    "dot products still symmetric, with the same number in row m, column n as in row n, column m?",
    "Пусть каждая пара координат запросов равна [1, 0], а ключей — [0, 1]. Останется ли матрица "
    "скалярных произведений симметричной — будет ли в строке m и столбце n то же число, что в "
    "строке n и столбце m?",
)

USES = frozenset({"feature_width", "base", "layout", "shift"})
CLAIMS = {
    "antisymmetric": t(
        "exchanging m and n changes the sign of every dot product in the first matrix",
        "если поменять местами m и n, в первой матрице каждое произведение меняет знак",
    ),
    "sign-shows": t(
        "a key one position later and one earlier have different scores",
        "у ключа на позицию позже и у ключа на позицию раньше разные оценки",
    ),
    "cosine-and-sine": t(
        "each score is its cosine part plus or minus its sine part",
        "каждая оценка — сумма или разность косинусного и синусного слагаемых",
    ),
    "signed-formula": t(
        "every cell of both matrices is qᵀR((n-m)·θ)k with the sign of n-m",
        "каждая ячейка обеих матриц равна qᵀR((n-m)·θ)k со знаком n-m",
    ),
    "shown-directions": t(
        "each cell shown holds the dot product of its m and n, and names n-m with its sign",
        "в каждой показанной ячейке — произведение для её m и n и разность n-m со знаком",
    ),
    "clockwise": t(
        "a clockwise rotation would change every sign in the first matrix, and none in that of "
        'section "dot-products"',
        "при повороте по часовой стрелке в первой матрице сменились бы все знаки, а в матрице из "
        "раздела «dot-products» — ни один",
    ),
    "generic-shift": t(
        "an equal shift keeps both matrices too", "одинаковый сдвиг сохраняет и эти матрицы"
    ),
    "turns-add": t(
        "a rotation by 2 positions and one by 3 make a rotation by 5",
        "поворот на 2 позиции и поворот на 3 вместе дают поворот на 5",
    ),
}


def gather(example: Example) -> Evidence:
    """The antisymmetric matrix and one of rows without zeros."""
    first, second, query, key = (
        example.continued_to_width(row)
        for row in (FIRST_COLUMN, SECOND_COLUMN, GENERIC_QUERY, GENERIC_KEY)
    )
    contents = ((first, second), (query, key))
    crossed, generic = (example.grid(*rows) for rows in contents)
    shifted = [example.grid(*rows, example.parameters.shift) for rows in contents]
    expected = [expected_scores(*rows, example.parameters) for rows in contents]
    row = as_array([query])
    twice = example.rotate_query(example.rotate_query(row, 2), 3)
    tolerance = example.tolerance(float(np.linalg.norm(contents, axis=2).prod(axis=1).max()))
    values = {
        "direction_query": as_array(first),
        "direction_key": as_array(second),
        "direction_dot_products": crossed,
        "generic_query": as_array(query),
        "generic_key": as_array(key),
        "generic_dot_products": generic,
    }
    return split_by_parity(example, tolerance) + Evidence(
        values=values,
        checks=(
            agree("antisymmetric", crossed, -crossed.T, tolerance),
            differ("sign-shows", np.diag(generic, 1), np.diag(generic, -1), 0.1),
            agree("signed-formula", [crossed, generic], expected, tolerance),
            check_shown_cells(shown_matrices(values), expected, tolerance),
            check_clockwise(example, crossed, tolerance),
            agree("generic-shift", shifted, [crossed, generic], tolerance),
            agree("turns-add", twice, example.rotate_query(row, 5), tolerance),
        ),
        parameters=example.parameters,
    )


def split_by_parity(example: Example, tolerance: float) -> Evidence:
    """The part of a score that keeps its sign when n-m changes its own, and the part that does not.

    Three contents at n-m = +1 and -1.
    """
    first, second, query, key = (
        as_array(example.continued_to_width(row))
        for row in (FIRST_COLUMN, SECOND_COLUMN, GENERIC_QUERY, GENERIC_KEY)
    )
    contents = ((first, first), (first, second), (query, key))
    width, layout = example.parameters.feature_width, example.parameters.layout
    angles = reference.angles(1, width, example.parameters.base)
    lefts, rights = reference.partners(width, layout)
    even, odd = [], []
    for q, k in contents:
        even.append(float((q[lefts] * k[lefts] + q[rights] * k[rights]) @ np.cos(angles)))
        odd.append(float((q[rights] * k[lefts] - q[lefts] * k[rights]) @ np.sin(angles)))
    grids = [example.grid(q.tolist(), k.tolist()) for q, k in contents]
    scores = [[grid[0, 1], grid[1, 0]] for grid in grids]
    return Evidence(
        values={"cosine_parts": even, "sine_parts": odd, "mirrored_scores": scores},
        checks=(
            agree(
                "cosine-and-sine",
                scores,
                [[c + s, c - s] for c, s in zip(even, odd, strict=True)],
                tolerance,
            ),
        ),
    )


def check_shown_cells(
    matrices: tuple[Matrix, Matrix], expected: Sequence[Array], tolerance: float
) -> Check:
    """Every cell of both matrices, as they are shown."""
    positions = range(3)
    cells = [
        cell
        for shown, grid in zip(matrices, expected, strict=True)
        for cell in read_cells(shown, positions, positions, grid)
    ]
    numbers, formula_values = zip(*cells, strict=True)
    return agree("shown-directions", numbers, formula_values, tolerance)


def check_clockwise(example: Example, crossed: Array, tolerance: float) -> Check:
    """Rotated by -m instead of m: the antisymmetric matrix, and that of one row with itself."""
    first, second = (
        as_array([example.continued_to_width(row)] * 3) for row in (FIRST_COLUMN, SECOND_COLUMN)
    )
    backwards = [0, -1, -2]
    parameters = example.parameters
    rotated_first, rotated_second = (
        reference.rotate(rows, parameters.base, backwards, parameters.layout)
        for rows in (first, second)
    )
    row = first[0].tolist()
    return agree(
        "clockwise",
        [-crossed, example.grid(row, row)],
        [rotated_first @ rotated_second.T, rotated_first @ rotated_first.T],
        tolerance,
    )


def expected_scores(query: Sequence[float], key: Sequence[float], parameters: Parameters) -> Array:
    """``qᵀR((n-m)θ)k`` by dense matrices, for m and n from 0 to 2."""
    width, base, layout = parameters.feature_width, parameters.base, parameters.layout
    rotations = {
        difference: reference.rotation_matrix(difference, width, base, layout)
        for difference in range(-2, 3)
    }
    q, k = as_array(query), as_array(key)
    return as_array([[q @ rotations[n - m] @ k for n in range(3)] for m in range(3)])


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The antisymmetric matrix, why a score has two parts, and the matrix of rows without zeros."""
    crossed = evidence["direction_dot_products"]
    first, second = shown_matrices(evidence)
    return (
        first,
        signed_shades(evidence),
        say(
            "It is not. The score is {later} for a key one position later, {earlier} for a key one "
            "position earlier. So n-m is a difference with a sign and not a distance. Rotating "
            "clockwise would change every sign here, and yet leave the matrix of one row with "
            'itself, in section "dot-products", exactly as it is.',
            "Нет. Если ключ на позицию позже, оценка равна {later}, если на позицию раньше — "
            "{earlier}. Значит, n-m — это разность со знаком, а не расстояние. При повороте по "
            "часовой стрелке здесь сменились бы все знаки, а матрица из раздела «dot-products», "
            "где запрос и ключ — одна и та же строка, осталась бы точно такой же.",
            later=crossed[0][1],
            earlier=crossed[1][0],
        ),
        say(
            "The reason is in the formula for one pair, q = [q_0, q_1] and k = [k_0, k_1]:",
            "Причина видна из формулы для одной пары, q = [q_0, q_1] и k = [k_0, k_1]:",
        ),
        formula("qᵀ R(φ) k = (q_0 k_0 + q_1 k_1) cos φ + (q_1 k_0 - q_0 k_1) sin φ"),
        say(
            "Here φ = (n-m)·θ_j. The cosine is even: cos(-φ) = cos φ, so its part does not tell a "
            "later key from an earlier one. The sine is odd: sin(-φ) = -sin φ, so its part does. "
            "Its factor is 0 whenever q = k, and then only the even part is left.",
            "Здесь φ = (n-m)·θ_j. Косинус чётен: cos(-φ) = cos φ, и слагаемое с косинусом у более "
            "позднего и у более раннего ключа одно и то же. Синус нечётен: sin(-φ) = -sin φ, и "
            "слагаемое с синусом у них отличается знаком. Его множитель равен 0 всякий раз, когда "
            "q = k, и тогда остаётся одно чётное слагаемое.",
        ),
        table_of_parts(evidence),
        second,
    )


def signed_shades(evidence: Evidence) -> Heat:
    """The antisymmetric matrix, shaded."""
    return heat_by_position(
        t(
            "The same matrix as a picture: blue is positive, brown negative",
            "Та же матрица на рисунке: синим — больше 0, коричневым — меньше 0",
        ),
        evidence["direction_dot_products"],
        t(
            "On one side of the diagonal all cells have one sign, on the other side the other.",
            "По одну сторону диагонали все числа одного знака, по другую — другого.",
        ),
    )


def table_of_parts(evidence: Evidence) -> Table:
    """Cosine part, sine part, and the scores that they make."""
    contents = (
        t("q = k = [1, 0] in every pair", "q = k = [1, 0] в каждой паре"),
        t("q = [1, 0], k = [0, 1]", "q = [1, 0], k = [0, 1]"),
        t("rows without zeros", "строки без нулей"),
    )
    later, earlier = zip(*evidence["mirrored_scores"], strict=True)
    return table_by_columns(
        t(
            "Over all pairs, at n-m = +1 the score is the sum of both parts, at n-m = -1 their "
            "difference:",
            "Косинусные и синусные слагаемые, сложенные по всем парам: при n-m = +1 оценка равна "
            "их сумме, при n-m = -1 — разности:",
        ),
        (Column(t("query and key", "запрос и ключ")), contents),
        (t("cosines", "косинусы"), evidence["cosine_parts"]),
        (t("sines", "синусы"), evidence["sine_parts"]),
        ("n-m = +1", later),
        ("n-m = -1", earlier),
    )


def shown_matrices(values: Mapping[str, Any] | Evidence) -> tuple[Matrix, Matrix]:
    """Both matrices as they are shown."""
    positions = [0, 1, 2]
    first = t(
        "In each pair of coordinates q is [1, 0] and k is [0, 1]:",
        "В каждой паре координат q равен [1, 0], а k — [0, 1]:",
    )
    second = t(
        "Rows without zeros, q = {query}, k = {key}:",
        "Строки без нулей, q = {query}, k = {key}:",
        query=vector(values["generic_query"], short=True),
        key=vector(values["generic_key"], short=True),
    )
    return (
        signed_matrix(values["direction_dot_products"], positions, positions, first),
        signed_matrix(values["generic_dot_products"], positions, positions, second),
    )
