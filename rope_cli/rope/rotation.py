"""The rotation of adjacent pairs and its transpose, one under the other.

The pair ``(x[2k], x[2k + 1])`` is read as one complex number and a turn is one complex factor, so
that ``left' = left cos - right sin`` and ``right' = left sin + right cos`` (RoFormer,
arXiv 2104.09864) are a single product. The transpose multiplies by the conjugate turn.

In both kernels ``turns`` is complex with the precision of ``x``, ``out`` has the shape and dtype of
``x`` and features that lie side by side in memory. ``out`` may overlap ``x``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def rotate_adjacent(
    x: Array, turns: Array, out: Array
) -> Array:  # [..., tokens, features], [tokens, pairs] -> [..., tokens, features]
    """Each pair of ``x`` turned counter-clockwise; no zero of the result is negative."""
    np.multiply(as_pairs(x, turns, out), turns, out=out.view(turns.dtype))
    return np.add(out, 0.0, out=out)


def rotate_adjacent_transpose(
    x: Array, turns: Array, out: Array
) -> Array:  # [..., tokens, features], [tokens, pairs] -> [..., tokens, features]
    """Each pair of ``x`` turned back; no zero of the result is negative."""
    np.multiply(as_pairs(x, turns, out), np.conjugate(turns), out=out.view(turns.dtype))
    return np.add(out, 0.0, out=out)


def as_pairs(
    x: Array, turns: Array, out: Array
) -> Array:  # [..., tokens, features] -> [..., tokens, pairs]
    """The pairs of ``x`` as complex numbers."""
    if x.strides[-1] != x.itemsize:  # the halves of a number must be neighbours: go by way of out
        np.copyto(out, x)
        x = out
    return x.view(turns.dtype)
