"""Scaled frequencies, with which a model trained on L positions reads longer texts.

A method is a small frozen object. ``method.scaled(d, b, length)`` takes the rotary width d, the
base b and, for the two methods that depend on it, the length of the text in positions; it returns
a :class:`Scaled`. The context becomes s times longer. All is float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np

from rope_cli.errors import InvalidScaling, UnsupportedScaling
from rope_cli.rope.arguments import positive_number, whole_number
from rope_cli.rope.ramps import Llama3, Yarn, magnitude
from rope_cli.rope.scaled_frequencies import Band, Method, Scaled, bands, blended, require, unscaled

__all__ = [
    "METHODS",
    "Band",
    "Default",
    "DynamicNtk",
    "Linear",
    "Llama3",
    "LongRope",
    "Method",
    "NtkAware",
    "Proportional",
    "Scaled",
    "Yarn",
    "magnitude",
    "method_named",
    "rotary_width",
    "unscaled",
]


def rotary_width(head_width: int, share: float) -> int:
    """How many of a head's coordinates are rotated: ``int(head_width * share)``.

    The width of the rotated part, not that of the head, is then the d of every formula.
    """
    require("share", share, most=1.0)
    return int(whole_number("head_width", head_width) * share)


def stretched_base(b: float, s: float, d: int) -> float:
    """``b s^(d/(d-2))``: the base with which the last pair turns s times as slowly."""
    if d == 2:
        raise InvalidScaling(name="feature_width", value=d, accepted="feature_width > 2")
    try:
        return positive_number(b * math.pow(s, d / (d - 2)))
    except OverflowError:
        return positive_number(math.inf)


@dataclass(frozen=True)
class Default:
    """No scaling (RoFormer, arXiv 2104.09864)."""

    def scaled(self, d: int, b: float, length: SupportsIndex | None = None) -> Scaled:
        """``theta_k``."""
        theta = unscaled(d, b)
        return blended(theta, np.zeros_like(theta), 1.0)


@dataclass(frozen=True)
class Linear:
    """Position interpolation: every position divided by s (arXiv 2306.15595)."""

    factor: float

    def __post_init__(self) -> None:
        require("factor", self.factor)

    def scaled(self, d: int, b: float, length: SupportsIndex | None = None) -> Scaled:
        """``theta_k / s``."""
        theta = unscaled(d, b)
        return blended(theta, np.ones_like(theta), self.factor)


@dataclass(frozen=True)
class NtkAware:
    """NTK-aware scaling by a greater base (bloc97, 2023; arXiv 2309.00071, section 3.1)."""

    factor: float

    def __post_init__(self) -> None:
        require("factor", self.factor)

    def base(self, d: int, b: float) -> float:
        """``b s^(d/(d-2))``."""
        return stretched_base(b, self.factor, d)

    def scaled(self, d: int, b: float, length: SupportsIndex | None = None) -> Scaled:
        """``theta_k s^(-2k/(d-2))``: pair 0 is kept, the last pair divided by s."""
        theta = unscaled(d, b)
        shares = np.full_like(theta, 0.5)
        shares[0], shares[-1] = 0.0, 1.0
        return Scaled(theta, unscaled(d, self.base(d, b)), 1.0, bands(shares, self.factor))


@dataclass(frozen=True)
class DynamicNtk:
    """NTK-aware scaling that follows the text (emozilla, 2023; arXiv 2309.00071, section 3.3).

    Up to ``original_length`` positions nothing is scaled. With ``doubling`` the factor has no
    effect, and the stretch grows in steps where the length doubles (the code of the first Qwen).
    """

    factor: float
    original_length: int
    doubling: bool = False

    def __post_init__(self) -> None:
        require("factor", self.factor)
        require("original_length", self.original_length)

    def stretch(self, length: SupportsIndex | None = None) -> float:
        """``s n/L - (s - 1)`` for ``n = max(length, L)``; without a length, n = L.

        With ``doubling`` it is ``2^ceil(log2(n/L) + 1) - 1``.
        """
        n = 0 if length is None else whole_number("length", length)
        ratio = max(n, self.original_length) / self.original_length
        if self.doubling:
            return float(2 ** math.ceil(math.log2(ratio) + 1) - 1)
        return 1.0 if ratio == 1 else self.factor * ratio - (self.factor - 1)

    def base(self, d: int, b: float, length: SupportsIndex | None = None) -> float:
        """``b (s n/L - (s - 1))^(d/(d-2))``."""
        return stretched_base(b, self.stretch(length), d)

    def scaled(self, d: int, b: float, length: SupportsIndex | None = None) -> Scaled:
        """As :class:`NtkAware` with the factor that the length asks for."""
        return NtkAware(self.stretch(length)).scaled(d, b)


@dataclass(frozen=True)
class LongRope:
    """LongRoPE: a list of divisors for short texts and one for long ones (arXiv 2402.13753)."""

    short_factor: Sequence[float]
    long_factor: Sequence[float]
    original_length: int
    factor: float
    attention_factor: float | None = None

    def __post_init__(self) -> None:
        require("factor", self.factor)
        require("original_length", self.original_length, above=1.0)
        if self.attention_factor is not None:
            require("attention_factor", self.attention_factor)
        for name in ("short_factor", "long_factor"):
            for index, value in enumerate(getattr(self, name)):
                require(f"{name}[{index}]", value)

    def divisors(self, length: SupportsIndex | None = None) -> tuple[str, Sequence[float]]:
        """The list for the whole text and its name: long only beyond ``original_length``."""
        n = 0 if length is None else whole_number("length", length)
        name = "long_factor" if n > self.original_length else "short_factor"
        return name, getattr(self, name)

    def magnitude(self) -> float:
        """The configured attention factor, else ``sqrt(1 + ln s / ln L)``, and 1 if s <= 1."""
        if self.attention_factor is not None:
            return float(self.attention_factor)
        if self.factor <= 1:
            return 1.0
        return math.sqrt(1 + math.log(self.factor) / math.log(self.original_length))

    def scaled(self, d: int, b: float, length: SupportsIndex | None = None) -> Scaled:
        """``theta_k / divisor_k``; a divisor of 1 keeps its pair."""
        theta = unscaled(d, b)
        for name in ("short_factor", "long_factor"):
            size, accepted = len(getattr(self, name)), f"len({name}) = {len(theta)}"
            if size != len(theta):
                raise InvalidScaling(name=f"len({name})", value=size, accepted=accepted)
        divisors = np.array(self.divisors(length)[1], dtype=np.float64)
        bands = tuple(Band.KEPT if divisor == 1 else Band.DIVIDED for divisor in divisors)
        with np.errstate(over="ignore"):
            return Scaled(theta, theta / divisors, self.magnitude(), bands)


@dataclass(frozen=True)
class Proportional:
    """The first share of a head's pairs rotates, the others do not (Gemma 4's reference code).

    Here d is the width of the whole head, in the exponent too.
    """

    share: float = 1.0
    factor: float = 1.0

    def __post_init__(self) -> None:
        require("share", self.share, most=1.0)
        require("factor", self.factor)

    def scaled(self, d: int, b: float, length: SupportsIndex | None = None) -> Scaled:
        """``theta_k / s`` for ``k < int(share d // 2)``, else 0."""
        theta = unscaled(d, b)
        rotating = np.arange(len(theta)) < int(self.share * d // 2)
        band = Band.KEPT if self.factor == 1 else Band.DIVIDED
        bands = tuple(band if rotates else Band.STILL for rotates in rotating)
        with np.errstate(over="ignore"):
            return Scaled(theta, np.where(rotating, theta / self.factor, 0.0), 1.0, bands)


METHODS: dict[str, Callable[..., Method]] = {
    "default": Default,
    "linear": Linear,
    "ntk": NtkAware,
    "dynamic": DynamicNtk,
    "yarn": Yarn,
    "llama3": Llama3,
    "longrope": LongRope,
    "proportional": Proportional,
}


def method_named(name: str, **values: Any) -> Method:
    """A method by its name with its values.

    Raises ``UnsupportedScaling`` for M-RoPE (``mrope``) and ``axial``, which give the pairs of one
    token different positions, and for every other name.
    """
    if name not in METHODS:
        raise UnsupportedScaling(method=name, accepted=", ".join(METHODS))
    return METHODS[name](**values)
