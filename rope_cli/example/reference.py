"""The rotation once more, in its plainest form, for the checks to compare with.

Nothing here uses :mod:`rope_cli.rope`: a mistake there must not repeat itself in its witness.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def inverse_frequency(pair: int, feature_width: int, base: float) -> float:
    """Radians per position of a pair: base^(-2 pair / width) (RoFormer, arXiv 2104.09864)."""
    return float(base ** (-2 * pair / feature_width))


def angles(positions: ArrayLike, feature_width: int, base: float) -> Array:
    """``[positions, pairs]``: the angle of each pair at each position, in radians."""
    speeds = [inverse_frequency(pair, feature_width, base) for pair in range(feature_width // 2)]
    return np.multiply.outer(np.asarray(positions, dtype=np.float64), speeds)


def rotation_matrix(
    position: float, feature_width: int, base: float, layout: str = "adjacent"
) -> Array:
    """The dense rotation ``[width, width]``: a counter-clockwise turn for each pair."""
    matrix = np.zeros((feature_width, feature_width))
    for pair, (left, right) in enumerate(zip(*partners(feature_width, layout), strict=True)):
        angle = position * inverse_frequency(pair, feature_width, base)
        matrix[left, left] = matrix[right, right] = math.cos(angle)
        matrix[left, right], matrix[right, left] = -math.sin(angle), math.sin(angle)
    return matrix


def rotated(content: Array, base: float, positions: ArrayLike, layout: str = "adjacent") -> Array:
    """Rows ``[tokens, width]`` turned by the plain formula, each at its own position.

    left' = left cos - right sin, right' = left sin + right cos.
    """
    width = content.shape[-1]
    left, right = partners(width, layout)
    speeds = [inverse_frequency(pair, width, base) for pair in range(width // 2)]
    angles = np.outer(np.asarray(positions, dtype=np.float64), speeds)
    cosines, sines = np.cos(angles), np.sin(angles)
    turned = np.empty(content.shape)
    turned[:, left] = content[:, left] * cosines - content[:, right] * sines
    turned[:, right] = content[:, left] * sines + content[:, right] * cosines
    return turned


def partners(width: int, layout: str) -> tuple[list[int], list[int]]:
    """The left and the right coordinate of each pair."""
    if layout == "adjacent":
        return list(range(0, width, 2)), list(range(1, width, 2))
    return list(range(width // 2)), list(range(width // 2, width))


def scores(
    queries: Array,
    query_positions: ArrayLike,
    keys: Array,
    key_positions: ArrayLike,
    base: float,
    layout: str = "adjacent",
) -> Array:
    """``[queries, keys]``: q R((n-m) theta) k from the signed differences alone, pair by pair."""
    width = queries.shape[-1]
    left, right = partners(width, layout)
    differences = np.subtract.outer(np.asarray(key_positions), np.asarray(query_positions)).T
    total = np.zeros((len(queries), len(keys)))
    for pair, (one, two) in enumerate(zip(left, right, strict=True)):
        angle = differences * inverse_frequency(pair, width, base)
        along = np.outer(queries[:, one], keys[:, one]) + np.outer(queries[:, two], keys[:, two])
        across = np.outer(queries[:, two], keys[:, one]) - np.outer(queries[:, one], keys[:, two])
        total += along * np.cos(angle) + across * np.sin(angle)
    return total
