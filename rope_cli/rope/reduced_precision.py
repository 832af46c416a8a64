"""What a number becomes in fewer bits: float32, float16 and bfloat16, each read back as float64."""

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
    off = np.abs(rounded - exact)

    def worst(least: float) -> float:
        at = np.flatnonzero(off >= least)
        return float(np.abs(np.cos(rounded.flat[at]) - np.cos(exact.flat[at])).max())

    # A cosine is never off by more than its angle: the worst angles first, then all that may
    # still be worse than what these gave.
    half = float(off.max()) / 2
    found = worst(half)
    return found if found >= half else worst(found)
