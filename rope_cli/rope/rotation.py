"""The rotation and its transpose, one under the other, for both layouts of pairs.

``left' = left cos - right sin`` and ``right' = left sin + right cos`` (RoFormer, arXiv 2104.09864).
An adjacent pair is read as one complex number and a turn is one complex factor, so that both lines
are a single product; the transpose multiplies by the conjugate turn. In the half-split layout the
two lines are written out, each for half of the features at once.

In every kernel ``turns`` is complex with the precision of ``x`` and ``out`` has the shape and dtype
of ``x`` and features that lie side by side in memory. ``out`` may overlap ``x``.
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


def rotate_half_split(
    x: Array, turns: Array, out: Array
) -> Array:  # [..., tokens, features], [tokens, pairs] -> [..., tokens, features]
    """Coordinates ``k`` and ``k + d/2`` turned counter-clockwise; no zero is negative."""
    left, right = halves(x)
    turned_left = left * turns.real - right * turns.imag
    turned_right = left * turns.imag + right * turns.real
    return joined(turned_left, turned_right, out)


def rotate_half_split_transpose(
    x: Array, turns: Array, out: Array
) -> Array:  # [..., tokens, features], [tokens, pairs] -> [..., tokens, features]
    """Coordinates ``k`` and ``k + d/2`` turned back; no zero is negative."""
    left, right = halves(x)
    turned_left = left * turns.real + right * turns.imag
    turned_right = right * turns.real - left * turns.imag
    return joined(turned_left, turned_right, out)


def halves(x: Array) -> tuple[Array, Array]:  # [..., features] -> [..., pairs], [..., pairs]
    """The first and the second half of the features, as views."""
    pairs = x.shape[-1] // 2
    return x[..., :pairs], x[..., pairs:]


def joined(left: Array, right: Array, out: Array) -> Array:
    """Both halves written to ``out``; adding 0.0 makes every zero positive."""
    first, second = halves(out)
    np.add(left, 0.0, out=first)
    np.add(right, 0.0, out=second)
    return out


def as_pairs(
    x: Array, turns: Array, out: Array
) -> Array:  # [..., tokens, features] -> [..., tokens, pairs]
    """The pairs of ``x`` as complex numbers."""
    if x.strides[-1] != x.itemsize:  # the halves of a number must be neighbours: go by way of out
        np.copyto(out, x)
        x = out
    return x.view(turns.dtype)
