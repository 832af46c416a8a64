"""Right and mistaken numbers for the questions."""

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


def rotate_row(
    row: Row, position: int, base: float = BASE, layout: str = "adjacent"
) -> tuple[float, ...]:
    """A row rotated at its position."""
    table = RotaryEmbedding(len(row), position + 1, base, layout, first_position=position)
    return tuple(table.rotate(np.array([row], dtype=np.float64), position)[0].tolist())


def dot(left: Row, right: Row) -> float:
    """The dot product of two rows."""
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def score(q: Row, k: Row, m: int, n: int, base: float = BASE) -> float:
    """The dot product of a query at position ``m`` and a key at position ``n``, both rotated."""
    return dot(rotate_row(q, m, base), rotate_row(k, n, base))


def score_at_angles(q: Row, k: Row, angles: Row) -> float:
    """The score if pair ``j`` is rotated by ``angles[j]``, which may be mistaken angles."""
    total = 0.0
    for pair, angle in enumerate(angles):
        left, right = 2 * pair, 2 * pair + 1
        along = q[left] * k[left] + q[right] * k[right]
        across = q[right] * k[left] - q[left] * k[right]
        total += along * math.cos(angle) + across * math.sin(angle)
    return total


def frequencies(width: int, base: float = BASE) -> tuple[float, ...]:
    """Radians per position of every pair."""
    return tuple(reference.inverse_frequency(pair, width, base) for pair in range(width // 2))


def multiply(factor: float, values: Row) -> tuple[float, ...]:
    """Every value, multiplied."""
    return tuple(factor * value for value in values)


def format_row(values: Row) -> str:
    """A row as a learner would write it, [1, 0, -0.5], not broken at its blanks."""
    return "[" + f",{TIGHT}".join(format_short(value) for value in values) + "]"


def format_positions(m: int, n: int) -> str:
    """A pair of positions."""
    return f"({m},{n})"
