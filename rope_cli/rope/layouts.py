"""Which coordinates form a pair: neighbours, or coordinates half a width apart.

The adjacent layout pairs coordinates ``2k`` and ``2k + 1``, the half-split layout ``k`` and
``k + d/2``. A permutation joins them: ``half(x[..., P]) = adjacent(x)[..., P]`` with ``P`` the even
coordinates, then the odd ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def half_split_order(feature_width: int) -> NDArray[np.intp]:  # -> [features]
    """``P``: the adjacent coordinate that goes to each place of the half-split layout."""
    return np.concatenate([np.arange(0, feature_width, 2), np.arange(1, feature_width, 2)])


def adjacent_order(feature_width: int) -> NDArray[np.intp]:  # -> [features]
    """The inverse of :func:`half_split_order`; the two are the same only at widths 2 and 4."""
    return np.argsort(half_split_order(feature_width))


def to_half_split(x: Array) -> Array:  # [..., features] -> [..., features]
    """Adjacent coordinates in the order of the half-split layout; a copy."""
    return np.ascontiguousarray(x[..., half_split_order(x.shape[-1])])


def to_adjacent(x: Array) -> Array:  # [..., features] -> [..., features]
    """Half-split coordinates in the order of the adjacent layout; a copy."""
    return np.ascontiguousarray(x[..., adjacent_order(x.shape[-1])])
