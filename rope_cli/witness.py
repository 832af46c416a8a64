"""The rotation once more, in its plainest form, for the checks to compare with.

Nothing here uses :mod:`rope_cli.rope`: a mistake there must not repeat itself in its witness.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def frequency(pair: int, feature_width: int, base: float) -> float:
    """Radians per position of a pair: base^(-2 pair / width) (RoFormer, arXiv 2104.09864)."""
    return float(base ** (-2 * pair / feature_width))


def rotation_matrix(position: float, feature_width: int, base: float) -> Array:
    """The dense rotation ``[width, width]``: one counter-clockwise block for each adjacent pair."""
    matrix = np.zeros((feature_width, feature_width))
    for pair in range(feature_width // 2):
        angle = position * frequency(pair, feature_width, base)
        block = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
        matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = block
    return matrix


def rotated(rows: Array, base: float, first_position: int = 0) -> Array:
    """Rows ``[tokens, width]`` turned by the dense matrix, one position after another."""
    width = rows.shape[-1]
    turned = [rotation_matrix(first_position + m, width, base) @ row for m, row in enumerate(rows)]
    return np.array(turned)


def signed_grid(query: Sequence[float], key: Sequence[float], tokens: int, base: float) -> Array:
    """``[tokens, tokens]``: the score q R((n-m) theta) k for queries m in rows and keys n."""
    q, k = np.asarray(query, dtype=np.float64), np.asarray(key, dtype=np.float64)
    return np.array(
        [
            [q @ rotation_matrix(n - m, len(q), base) @ k for n in range(tokens)]
            for m in range(tokens)
        ]
    )
