"""The two methods with a ramp: fast pairs are kept, slow pairs divided, those between blended."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from rope_cli.errors import InvalidScaling
from rope_cli.rope.scaled_frequencies import Array, Scaled, blended, require, unscaled


def magnitude(s: float, m: float = 1.0) -> float:
    """YaRN's ``M(m) = 0.1 m ln s + 1``, and 1 if s <= 1 (arXiv 2309.00071, section 3.4)."""
    return 1.0 if s <= 1 else 0.1 * m * math.log(s) + 1.0


@dataclass(frozen=True)
class Yarn:
    """YaRN as its authors' code and most others compute it (arXiv 2309.00071).

    Pairs that make ``beta_fast`` full turns or more in ``original_length`` positions are kept, and
    pairs that make fewer than ``beta_slow`` are divided by s. Between them the share grows
    linearly with the *index* of the pair, not with its turns as in the paper (:meth:`turn_ramp`).
    ``truncate`` widens the bounds to whole pairs.
    """

    factor: float
    original_length: int
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    truncate: bool = True
    attention_factor: float | None = None
    mscale: float | None = None
    mscale_all_dim: float | None = None

    def __post_init__(self) -> None:
        for name in ("factor", "original_length", "beta_fast", "beta_slow"):
            require(name, getattr(self, name))
        if self.attention_factor is not None:
            require("attention_factor", self.attention_factor)
        for name in ("mscale", "mscale_all_dim"):
            require(name, getattr(self, name) or 1.0)

    def bounds(self, d: int, b: float) -> tuple[float, float]:
        """The pair indices up to which all pairs are kept, and from which all are divided.

        ``c(r) = d ln(L/(2 pi r)) / (2 ln b)`` for r = beta_fast and beta_slow, widened if
        ``truncate``, then kept within 0 and d-1.
        """
        require("base", b, above=1.0)
        low, high = (
            d * math.log(self.original_length / (2 * math.pi * turns)) / (2 * math.log(b))
            for turns in (self.beta_fast, self.beta_slow)
        )
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        return max(low, 0), min(high, d - 1)

    def ramp(self, d: int, b: float) -> Array:  # [pairs]
        """The share ``g_k = clip((k - low)/(high - low), 0, 1)`` of the divided frequency."""
        low, high = self.bounds(d, b)
        if low == high:
            high += 0.001
        return np.clip((np.arange(d // 2) - low) / (high - low), 0.0, 1.0)

    def turn_ramp(self, d: int, b: float) -> Array:  # [pairs]
        """The paper's share, linear in the turns ``r = L theta / (2 pi)``: 1 - clip(...)."""
        return 1.0 - _clipped(
            self.original_length * unscaled(d, b) / (2 * math.pi), self.beta_slow, self.beta_fast
        )

    def magnitude(self) -> float:
        """The configured attention factor, else M(mscale)/M(mscale_all_dim), else M(1)."""
        if self.attention_factor is not None:
            return float(self.attention_factor)
        if self.mscale and self.mscale_all_dim:
            return magnitude(self.factor, self.mscale) / magnitude(self.factor, self.mscale_all_dim)
        return magnitude(self.factor)

    def scaled(self, d: int, b: float, length: SupportsIndex | None = None) -> Scaled:
        """``theta_k (1 - g_k) + (theta_k / s) g_k``."""
        return blended(unscaled(d, b), self.ramp(d, b), self.factor, self.magnitude())

    def scaled_by_turns(self, d: int, b: float) -> Scaled:
        """The same with the ramp of the paper, for comparison."""
        return blended(unscaled(d, b), self.turn_ramp(d, b), self.factor, self.magnitude())


@dataclass(frozen=True)
class Llama3:
    """The scaling of Llama 3.1 and later (arXiv 2407.21783; its reference code)."""

    factor: float
    low_freq_factor: float
    high_freq_factor: float
    original_length: int

    def __post_init__(self) -> None:
        for name in ("factor", "low_freq_factor", "high_freq_factor", "original_length"):
            require(name, getattr(self, name))
        if self.high_freq_factor < self.low_freq_factor:
            accepted = f"high_freq_factor >= low_freq_factor = {self.low_freq_factor:g}"
            value = self.high_freq_factor
            raise InvalidScaling(name="high_freq_factor", value=value, accepted=accepted)

    def kept(self, d: int, b: float) -> Array:  # [pairs]
        """The share of the unscaled frequency, by the wavelength ``w = 2 pi / theta``.

        0 if ``w > L/low``, 1 if ``w < L/high``, else ``z = (L/w - low)/(high - low)``.
        """
        low, high, length = self.low_freq_factor, self.high_freq_factor, self.original_length
        w = 2 * math.pi / unscaled(d, b)
        step = (w <= length / low).astype(np.float64)
        if low == high:
            return step
        blended = (w <= length / low) & (w >= length / high)
        return np.where(blended, (length / w - low) / (high - low), step)

    def kept_by_turns(self, d: int, b: float) -> Array:  # [pairs]
        """The same shares as one ramp in the turns ``r = L/w``: clip((r - low)/(high - low))."""
        turns = self.original_length * unscaled(d, b) / (2 * math.pi)
        return _clipped(turns, self.low_freq_factor, self.high_freq_factor)

    def scaled(self, d: int, b: float, length: SupportsIndex | None = None) -> Scaled:
        """``(1 - z) theta_k / s + z theta_k``."""
        return blended(unscaled(d, b), 1.0 - self.kept(d, b), self.factor)


def _clipped(turns: Array, low: float, high: float) -> Array:
    """``clip((turns - low)/(high - low), 0, 1)``, a step if the bounds are equal."""
    if low == high:
        return (turns >= high).astype(np.float64)
    return np.clip((turns - low) / (high - low), 0.0, 1.0)
