"""An independent rotation and attention in their plainest form, for the checks to compare with.

Nothing here uses :mod:`rope_cli.rope`: a mistake there must not be repeated here.
"""

from __future__ import annotations

import math
from operator import mul

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def inverse_frequency(pair: int, feature_width: int, base: float) -> float:
    """Radians per position of a pair: base^(-2 pair / width) (RoFormer, arXiv 2104.09864)."""
    return float(base ** (-2 * pair / feature_width))


def angles(positions: ArrayLike, feature_width: int, base: float) -> Array:
    """``[positions, pairs]``: the angle of each pair at each position, in radians."""
    theta = [inverse_frequency(pair, feature_width, base) for pair in range(feature_width // 2)]
    return np.multiply.outer(np.asarray(positions, dtype=np.float64), theta)


def rotation_matrix(
    position: float, feature_width: int, base: float, layout: str = "adjacent"
) -> Array:
    """The dense rotation ``[width, width]``: counter-clockwise for each pair."""
    matrix = np.zeros((feature_width, feature_width))
    for pair, (left, right) in enumerate(zip(*partners(feature_width, layout), strict=True)):
        angle = position * inverse_frequency(pair, feature_width, base)
        matrix[left, left] = matrix[right, right] = math.cos(angle)
        matrix[left, right], matrix[right, left] = -math.sin(angle), math.sin(angle)
    return matrix


def rotate(content: Array, base: float, positions: ArrayLike, layout: str = "adjacent") -> Array:
    """Rows ``[tokens, width]`` rotated by the plain formula, each to its own position.

    left' = left cos - right sin, right' = left sin + right cos.
    """
    width = content.shape[-1]
    left, right = partners(width, layout)
    phi = angles(positions, width, base)
    cosines, sines = np.cos(phi), np.sin(phi)
    rotated = np.empty(content.shape)
    rotated[:, left] = content[:, left] * cosines - content[:, right] * sines
    rotated[:, right] = content[:, left] * sines + content[:, right] * cosines
    return rotated


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
    differences = np.subtract.outer(np.asarray(key_positions), np.asarray(query_positions)).T
    total = np.zeros((len(queries), len(keys)))
    for pair, (left, right) in enumerate(zip(*partners(width, layout), strict=True)):
        angle = differences * inverse_frequency(pair, width, base)
        q_left, q_right, k_left, k_right = (
            rows[:, column] for rows in (queries, keys) for column in (left, right)
        )
        dot = np.outer(q_left, k_left) + np.outer(q_right, k_right)
        cross = np.outer(q_right, k_left) - np.outer(q_left, k_right)
        total += dot * np.cos(angle) + cross * np.sin(angle)
    return total


def attention_weights(
    queries: Array, keys: Array, causal: bool = False
) -> Array:  # [tokens, features], [tokens, features] -> [tokens, tokens]
    """``e^(q k / sqrt d)`` by the sum of its row, one cell after the other.

    With ``causal`` a query sees the keys up to its own position; the other weights are 0.
    """
    rows = []
    for m, query in enumerate(queries.tolist()):
        seen = keys.tolist()[: m + 1 if causal else None]
        scores = [sum(map(mul, query, key)) / len(query) ** 0.5 for key in seen]
        powers = [math.exp(score) for score in scores]
        hidden = len(keys) - len(seen)
        rows.append([power / sum(powers) for power in powers] + [0.0] * hidden)
    return np.array(rows)


def attend(
    queries: Array, keys: Array, values: Array, causal: bool = False
) -> Array:  # [tokens, features], [tokens, features], [tokens, width] -> [tokens, width]
    """The rows of ``values``, mixed by the weights of each query."""
    columns = values.T.tolist()
    weights = attention_weights(queries, keys, causal).tolist()
    return np.array([[sum(map(mul, row, column)) for column in columns] for row in weights])
