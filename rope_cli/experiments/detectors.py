"""Eleven checks of a rotation, right or wrong: how far each of them is off."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from rope_cli.document.evidence import greatest_difference
from rope_cli.example import reference
from rope_cli.example.positions import consecutive_runs
from rope_cli.example.worked_example import (
    FIRST_COLUMN,
    GENERIC_KEY,
    GENERIC_QUERY,
    SECOND_COLUMN,
    Array,
    Example,
    as_array,
)

BASE = 100.0
NEAR, FAR = range(6), range(300, 303)
# What a right rotation may be off by rounding; the smallest bug is off by 0.02.
TOLERANCE = 1e-9
Rotate = Callable[[Array, Sequence[int]], Array]  # rows, positions -> rows
Mistake = Callable[[Array, Array, int, float], Array]  # rows, positions, width, base -> rows


class RotatedRows(NamedTuple):
    """The rows that the checks compare, after a right or a wrong rotation."""

    query: Array
    key: Array
    row_as_query: Array
    row_as_key: Array
    partner: Array
    far_query: Array
    far_key: Array
    pair_score: float
    twice: Array


def rotate_rows(query: Rotate, key: Rotate) -> RotatedRows:
    """The generic rows and the chapter's, at positions 0 to 5 and from 300 on."""
    generic, other = _repeated(GENERIC_QUERY), _repeated(GENERIC_KEY)
    row, partner = _repeated(FIRST_COLUMN), _repeated(SECOND_COLUMN)
    near = query(generic, NEAR)
    return RotatedRows(
        query=near,
        key=key(other, NEAR),
        row_as_query=query(row, NEAR),
        row_as_key=key(row, NEAR),
        partner=key(partner, NEAR),
        far_query=query(generic[:3], FAR),
        far_key=key(other[:3], FAR),
        pair_score=float(query(as_array([[1, 0]]), [1])[0] @ key(as_array([[0, 1]]), [0])[0]),
        twice=query(near[2:3], [3]),
    )


def _repeated(row: Sequence[float]) -> Array:
    return np.tile(as_array([row]), (len(NEAR), 1))


@cache
def by_formula(row: tuple[float, ...]) -> Array:
    """The row at positions 0 to 5, rotated by the plain formula."""
    return reference.rotate(_repeated(row), BASE, NEAR)


def measures(rotated: RotatedRows) -> dict[str, float]:
    """How far each check is off, by name."""
    q, k, x, y = rotated.query, rotated.key, rotated.row_as_query, rotated.row_as_key
    plain_q, plain_k = by_formula(GENERIC_QUERY), by_formula(GENERIC_KEY)
    plain_x, plain_y = by_formula(FIRST_COLUMN), by_formula(SECOND_COLUMN)
    tokens, moved, sampled = slice(0, 3), slice(3, 6), [1, 2, 5]
    compared = {
        "norms": (_norms(q, k), _norms(plain_q, plain_k)),
        "position-zero": ([q[0], k[0]], [GENERIC_QUERY, GENERIC_KEY]),
        "shift-3-row": (x[moved] @ y[moved].T, x[tokens] @ y[tokens].T),
        "shift-3": (q[moved] @ k[moved].T, q[tokens] @ k[tokens].T),
        "shift-300": (rotated.far_query @ rotated.far_key.T, q[tokens] @ k[tokens].T),
        "one-pair": ([rotated.pair_score], [math.sin(1)]),
        "chapter-grid": (x[tokens] @ y[tokens].T, plain_x[tokens] @ plain_x[tokens].T),
        "signed-grid": (x[tokens] @ rotated.partner[tokens].T, plain_x[tokens] @ plain_y[tokens].T),
        "row-at-one": (x[1], plain_x[1]),
        "dense-matrix": ([q[sampled], k[sampled]], [plain_q[sampled], plain_k[sampled]]),
        "composition": (rotated.twice, q[5:6]),
    }
    return {name: greatest_difference(first, second) for name, (first, second) in compared.items()}


def _norms(query: Array, key: Array) -> Array:
    return np.asarray(np.linalg.norm([query, key], axis=-1))


def of_example(example: Example) -> dict[str, float]:
    """How far each check is off for the rotation of the report."""

    def through(rotate: Callable[..., Array]) -> Rotate:
        def rotate_at(content: Array, positions: Sequence[int]) -> Array:
            embedding = example.embedding_for(content.shape[1], FAR.stop, BASE)
            return np.concatenate(
                [
                    rotate(content[part], positions[part.start], embedding)
                    for part in consecutive_runs(positions)
                ]
            )

        return rotate_at

    return measures(rotate_rows(through(example.rotate_query), through(example.rotate_key)))


def of_mistake(query: Mistake, key: Mistake) -> dict[str, float]:
    """How far each check is off for a rotation in plain numpy."""

    def through(mistake: Mistake) -> Rotate:
        return lambda content, positions: mistake(
            content, np.array(positions, dtype=np.float64), content.shape[1], BASE
        )

    return measures(rotate_rows(through(query), through(key)))
