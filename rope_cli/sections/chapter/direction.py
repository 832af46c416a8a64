"""The sign matters: content that shows that n-m is a signed difference and not a distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rope_cli.document.blocks import Block, vector
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import say, t
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
from rope_cli.sections.chapter.dot_products import signed_matrix

TITLE = t("The sign matters", "Знак разности важен")
QUESTION = t(
    "Let every query be [1, 0, 1, 0] and every key [0, 1, 0, 1]. Is the matrix of dot "
    "products still symmetric?",
    "Пусть каждый запрос равен [1, 0, 1, 0], а каждый ключ — [0, 1, 0, 1]. Останется ли матрица "
    "скалярных произведений симметричной?",
)
OWN_QUESTION = t(
    "Let every pair of the queries be [1, 0] and every pair of the keys [0, 1]. Is the matrix of "
    "dot products still symmetric?",
    "Пусть каждая пара координат запросов равна [1, 0], а ключей — [0, 1]. Останется ли матрица "
    "скалярных произведений симметричной?",
)

USES = frozenset({"feature_width", "base", "layout", "shift"})
CLAIMS = {
    "antisymmetric": t(
        "swapping query and key position flips the sign of every dot product",
        "если поменять позиции запроса и ключа местами, каждое произведение меняет знак",
    ),
    "sign-shows": t(
        "a key one position later and one position earlier get different scores",
        "ключ на позицию позже и ключ на позицию раньше получают разные оценки",
    ),
    "signed-formula": t(
        "every cell is qᵀR((n-m)θ)k with the sign of n-m",
        "каждая ячейка равна qᵀR((n-m)θ)k со знаком n-m",
    ),
    "generic-shift": t(
        "an equal shift keeps these matrices too", "одинаковый сдвиг сохраняет и эти матрицы"
    ),
    "turns-add": t(
        "a turn by 2 positions and one by 3 make a turn by 5",
        "повороты на 2 и на 3 позиции вместе дают поворот на 5",
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
    return Evidence(
        values={
            "direction_query": as_array(first),
            "direction_key": as_array(second),
            "direction_dot_products": crossed,
            "generic_query": as_array(query),
            "generic_key": as_array(key),
            "generic_dot_products": generic,
        },
        checks=(
            agree("antisymmetric", crossed, -crossed.T, tolerance),
            differ("sign-shows", np.diag(generic, 1), np.diag(generic, -1), 0.1),
            agree("signed-formula", [crossed, generic], expected, tolerance),
            agree("generic-shift", shifted, [crossed, generic], tolerance),
            agree("turns-add", twice, example.rotate_query(row, 5), tolerance),
        ),
        parameters=example.parameters,
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
    """Both matrices with their signs."""
    crossed, generic = evidence["direction_dot_products"], evidence["generic_dot_products"]
    positions = list(range(len(crossed)))
    if evidence.own:
        caption = t(
            "In each pair of coordinates q is [1, 0] and k is [0, 1]:",
            "В каждой паре координат q равен [1, 0], а k — [0, 1]:",
        )
    else:
        caption = t("q = [1, 0, 1, 0], k = [0, 1, 0, 1]:", "q = [1, 0, 1, 0], k = [0, 1, 0, 1]:")
    return (
        signed_matrix(crossed, positions, positions, caption),
        say(
            "A key one position later scores {later}, one position earlier {earlier}: n-m is a "
            "signed difference and not a distance. Turning clockwise would flip every sign here "
            "and leave the matrix of the chapter's row as it is.",
            "Ключ на позицию позже получает {later}, на позицию раньше — {earlier}: n-m — знаковая "
            "разность, а не расстояние. Поворот по часовой стрелке сменил бы здесь все знаки, а "
            "матрицу для строки из главы не изменил бы.",
            later=crossed[0][1],
            earlier=crossed[1][0],
        ),
        signed_matrix(
            generic,
            positions,
            positions,
            t(
                "Rows without zeros, q = {query}, k = {key}:",
                "Строки без нулей, q = {query}, k = {key}:",
                query=vector(evidence["generic_query"]),
                key=vector(evidence["generic_key"]),
            ),
        ),
    )
