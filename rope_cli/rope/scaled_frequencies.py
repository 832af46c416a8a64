"""The result of every scaling method: frequencies before and after, and the band of each pair.

Every method starts from ``theta_k = b^(-2k/d)`` radians per position (RoFormer, arXiv 2104.09864).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from numbers import Real
from typing import Protocol, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rope_cli.errors import InvalidScaling, NonFiniteTableValue
from rope_cli.rope.tables import RotaryEmbedding, inverse_frequency

Array = NDArray[np.float64]
GREATEST = sys.float_info.max


class Band(Enum):
    """How a method changes the frequency of a pair."""

    KEPT = "kept"
    BLENDED = "blended"
    DIVIDED = "divided"
    STILL = "still"  # frequency 0: the pair does not rotate at all


@dataclass(frozen=True, eq=False)
class Scaled:
    """The pairs before and after scaling.

    ``theta`` are the frequencies before scaling and ``inverse_frequencies`` those after it, both
    ``[pairs]`` in radians per position; ``bands`` says how each pair was changed. Cosines and
    sines are multiplied by ``attention_factor`` a: a rotated row is a times as long as before, and
    a score gains a^2.
    """

    theta: Array
    inverse_frequencies: Array
    attention_factor: float
    bands: tuple[Band, ...]

    def __post_init__(self) -> None:
        finite = np.isfinite(self.inverse_frequencies)
        if not finite.all():
            raise NonFiniteTableValue(position=0, pair=int(finite.argmin()))
        self.theta.setflags(write=False)
        self.inverse_frequencies.setflags(write=False)

    def factors(self, positions: ArrayLike) -> NDArray[np.complex128]:  # [positions, pairs]
        """The complex factor ``a exp(i m theta_k)`` of each pair at each position m."""
        angles = np.multiply.outer(np.asarray(positions, np.float64), self.inverse_frequencies)
        factors: NDArray[np.complex128] = self.attention_factor * (
            np.cos(angles) + 1j * np.sin(angles)
        )
        return factors


class Method(Protocol):
    """A method of scaling."""

    def scaled(self, d: int, b: float, length: SupportsIndex | None = None) -> Scaled:
        """The pairs of rotary width ``d`` and base ``b`` in a text of ``length`` positions."""
        ...


def unscaled(d: int, b: float) -> Array:
    """``theta_k = b^(-2k/d)`` ``[pairs]``; refuses what :class:`RotaryEmbedding` refuses."""
    width, _, base = RotaryEmbedding.validate(d, 1, b)
    return unscaled_frequencies(width, base)


@lru_cache(maxsize=16)
def unscaled_frequencies(width: int, base: float) -> Array:
    """The same, read-only, for a width and a base that were validated."""
    theta = np.array([inverse_frequency(width, base, k) for k in range(width // 2)])
    theta.setflags(write=False)
    return theta


def require(name: str, value: float, above: float = 0.0, most: float = GREATEST) -> None:
    """Refuse what is not a finite number above a bound; truth values are refused too."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not (real and above < value <= most):
        end = "< inf" if most == GREATEST else f"<= {most:g}"
        raise InvalidScaling(name=name, value=value, accepted=f"{above:g} < {name} {end}")


def blended(theta: Array, divided: Array, s: float, a: float = 1.0) -> Scaled:
    """``theta (1 - g) + (theta / s) g`` for the share g ``divided`` of each pair, ``[pairs]``."""
    with np.errstate(all="ignore"):
        frequencies = theta * (1 - divided) + (theta / s) * divided
    return Scaled(theta, frequencies, a, bands(divided, s))


def bands(divided: Array, s: float) -> tuple[Band, ...]:
    """Share 0 keeps a frequency and share 1 divides it; a division by 1 changes nothing."""
    if s == 1:
        return (Band.KEPT,) * len(divided)
    ends = {0.0: Band.KEPT, 1.0: Band.DIVIDED}
    return tuple(ends.get(g, Band.BLENDED) for g in divided.tolist())
