"""Numbers rounded to float32, float16 and bfloat16, and read back as float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Rounding = Callable[[ArrayLike], Array]

# Bits of a float32 below those that bfloat16 keeps.
DROPPED = np.uint32(16)
HALF = np.uint32(0x7FFF)


def to_float32(x: ArrayLike) -> Array:
    """The nearest float32, ties to even."""
    return np.asarray(x).astype(np.float32).astype(np.float64)


def to_float16(x: ArrayLike) -> Array:
    """The nearest float16, ties to even; beyond 65504 infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(x).astype(np.float16).astype(np.float64)


def to_bfloat16(x: ArrayLike) -> Array:
    """The nearest bfloat16, ties to even: the upper 16 bits of a float32.

    A value goes through float32 first, as it does in frameworks. For finite values only.
    """
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    odd = (bits >> DROPPED) & np.uint32(1)
    kept = ((bits + HALF + odd) >> DROPPED) << DROPPED
    return kept.view(np.float32).astype(np.float64)


def cosine_error(rounding: Rounding, theta: Array, length: int, window: int) -> float:
    """The greatest error of a cosine at the last ``window`` positions before ``length``.

    Position, frequency and their product are each rounded, the cosine is not.
    """
    m = np.arange(max(0, length - window), length, dtype=np.float64)[:, np.newaxis]
    exact, rounded = m * theta, rounding(rounding(m) * rounding(theta))
    angle_errors = np.abs(rounded - exact)

    def greatest(least: float) -> float:
        """The greatest error of a cosine among the angles whose own error is at least this."""
        indices = np.flatnonzero(angle_errors >= least)
        return float(np.abs(np.cos(rounded.flat[indices]) - np.cos(exact.flat[indices])).max())

    # The error of a cosine is at most that of its angle: the worst angles first, then all that
    # could still exceed what those gave.
    half = float(angle_errors.max()) / 2
    error = greatest(half)
    return error if error >= half else greatest(error)
