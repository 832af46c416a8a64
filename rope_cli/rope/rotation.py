"""The rotation and its transpose in their plain form, for both layouts of pairs.

Pair ``k`` of the row at position ``m`` rotates by the angle ``m theta_k`` (RoFormer, arXiv
2104.09864): ``left' = left cos - right sin`` and ``right' = left sin + right cos``. The transpose
is the inverse, the rotation by ``-m theta_k``. ``factors`` holds ``cos + i sin`` of the angles.

Results are new arrays of the dtype of ``x`` (float64 or float32, to which the factors are
rounded), and no zero in them is negative. :mod:`rope_cli.rope.fast` gives the same bits for
large arrays in less time; only which NaN stands for a result that is none may differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Rotation = Callable[[Array, Array], Array]


def rotate_adjacent(
    x: Array, factors: Array
) -> Array:  # [..., tokens, features], [tokens, pairs] -> [..., tokens, features]
    """Rotate the pairs ``x[2k], x[2k + 1]``, each read as one complex number."""
    pairs = np.array(x, order="C").view(np.result_type(x, 1j))
    factors = factors.astype(pairs.dtype)  # has a name, or numpy would write the product over it
    rotated: Array = (pairs * factors).view(x.dtype)
    return rotated + 0.0  # makes -0.0 positive


def rotate_adjacent_transpose(
    x: Array, factors: Array
) -> Array:  # [..., tokens, features], [tokens, pairs] -> [..., tokens, features]
    """Rotate the pairs ``x[2k], x[2k + 1]`` back: multiply by the conjugate factor."""
    pairs = np.array(x, order="C").view(np.result_type(x, 1j))
    conjugates = factors.conj().astype(pairs.dtype)
    rotated: Array = (pairs * conjugates).view(x.dtype)
    return rotated + 0.0


def rotate_half_split(
    x: Array, factors: Array
) -> Array:  # [..., tokens, features], [tokens, pairs] -> [..., tokens, features]
    """Rotate the pairs ``x[k], x[k + d/2]``, one from each half of a row."""
    cos, sin = factors.real.astype(x.dtype), factors.imag.astype(x.dtype)
    half = x.shape[-1] // 2
    left, right = x[..., :half], x[..., half:]
    rotated = [left * cos - right * sin, right * cos + left * sin]
    return np.concatenate(rotated, axis=-1) + 0.0


def rotate_half_split_transpose(
    x: Array, factors: Array
) -> Array:  # [..., tokens, features], [tokens, pairs] -> [..., tokens, features]
    """Rotate the pairs ``x[k], x[k + d/2]`` back: with the sign of each sine changed."""
    cos, sin = factors.real.astype(x.dtype), factors.imag.astype(x.dtype)
    half = x.shape[-1] // 2
    left, right = x[..., :half], x[..., half:]
    rotated = [left * cos + right * sin, right * cos - left * sin]
    return np.concatenate(rotated, axis=-1) + 0.0
