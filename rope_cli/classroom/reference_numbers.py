"""The numbers behind the questions: the right ones by the rotation, mistaken ones by mistakes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rope_cli.document.blocks import TIGHT
from rope_cli.document.formatting import format_short
from rope_cli.example import reference
from rope_cli.rope.tables import RotaryEmbedding

Row = Sequence[float]
BASE, OTHER_BASE = 100.0, 10000.0


def turned(
    row: Row, position: int, base: float = BASE, layout: str = "adjacent"
) -> tuple[float, ...]:
    """A row rotated at its position."""
    table = RotaryEmbedding(len(row), position + 1, base, layout, first_position=position)
    return tuple(table.rotate(np.array([row], dtype=np.float64), position)[0].tolist())


def dot(one: Row, two: Row) -> float:
    """The dot product of two rows."""
    return math.fsum(a * b for a, b in zip(one, two, strict=True))


def score(q: Row, k: Row, m: int, n: int, base: float = BASE) -> float:
    """The dot product of a query at position ``m`` and a key at position ``n``, both rotated."""
    return dot(turned(q, m, base), turned(k, n, base))


def at_angles(q: Row, k: Row, angles: Row) -> float:
    """What the pairs add up to when pair ``j`` is turned by ``angles[j]``: room for mistakes."""
    total = 0.0
    for pair, angle in enumerate(angles):
        left, right = 2 * pair, 2 * pair + 1
        along = q[left] * k[left] + q[right] * k[right]
        across = q[right] * k[left] - q[left] * k[right]
        total += along * math.cos(angle) + across * math.sin(angle)
    return total


def speeds(width: int, base: float = BASE) -> tuple[float, ...]:
    """Radians per position of every pair."""
    return tuple(reference.inverse_frequency(pair, width, base) for pair in range(width // 2))


def times(factor: float, values: Row) -> tuple[float, ...]:
    """Every value, multiplied."""
    return tuple(factor * value for value in values)


def row_of(values: Row) -> str:
    """A row as a learner would write it: [1, 0, -0.5], not broken at its blanks."""
    return "[" + f",{TIGHT}".join(format_short(value) for value in values) + "]"


def place(m: int, n: int) -> str:
    """A pair of positions."""
    return f"({m},{n})"
