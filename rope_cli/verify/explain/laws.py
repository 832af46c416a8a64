"""Laws of frequencies: every base, factor and ramp under its name, with its figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rope_cli.errors import RopeError
from rope_cli.rope.scaled_frequencies import unscaled
from rope_cli.rope.scaling import Llama3, Method, NtkAware, Scaled, Yarn
from rope_cli.verify.measure.estimates import FrequencyEstimate
from rope_cli.verify.measure.expected import Expected, frequency_error_factors
from rope_cli.verify.measure.hypothesis import Mistake

Array = NDArray[np.float64]
BASES = (1e2, 1e3, 1e4, 1.5e5, 1e5, 1.6e5, 5e5, 1e6, 2e6, 5e6, 8e6, 1e7, 1e8)
FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0, 40.0, 64.0, 128.0)
# Original lengths, the commonest first: where several give the same numbers, it is named first.
LENGTHS = (4096, 8192, 32768, 2048, 16384, 131072, 65536, 262144, 1024)
# The pairs that CoPE tapers in its authors' code.
TAPERED = 20
YARN_RAMP = {"beta_fast": 32.0, "beta_slow": 1.0}
LLAMA3_RAMP = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}


@dataclass(frozen=True, eq=False, slots=True)
class Law:
    """Frequencies ``[pairs]`` as a mistake, with those that came to it.

    ``fitted`` if a figure was fitted to the data.
    """

    mistake: Mistake
    frequencies: Array
    fitted: bool = False
    error_factors: Array | None = None
    more: tuple[Mistake, ...] = ()


def frequencies_or_none(scaled: Callable[[], Scaled]) -> Array | None:
    """Scaled frequencies; ``None`` where the method refuses its values."""
    try:
        return scaled().inverse_frequencies
    except RopeError:
        return None


def frequencies_at_base(expected: Expected, base: float) -> Array:
    """The frequencies of another base, scaled as expected; unscaled where that is refused."""
    scaled = frequencies_or_none(lambda: expected.scale(expected.rotary_width, base))
    return unscaled(expected.rotary_width, base) if scaled is None else scaled


@lru_cache(maxsize=32)
def common_laws(expected: Expected) -> tuple[Law, ...]:
    """Bases and factors in common use, for data that does not suffice to fit one."""
    return tuple(laws_in_common_use(expected))


def laws_in_common_use(expected: Expected) -> Iterator[Law]:
    """Other bases, then each factor of position interpolation and of NTK-aware scaling."""
    for base in BASES:
        if base != expected.base:
            yield base_law(expected, base)
    for factor in FACTORS:
        for frequencies in interpolated_frequencies(expected):
            yield interpolation_law(frequencies, factor)
        if expected.rotary_width > 2:
            yield ntk_law(expected, factor)


def interpolated_frequencies(expected: Expected) -> list[Array]:
    """Frequencies that position interpolation may divide: the expected and the unscaled ones."""
    if expected.method == "default":
        return [expected.frequencies]
    return [expected.frequencies, expected.scaled.theta]


def base_law(expected: Expected, base: float, fitted: bool = False) -> Law:
    """Another base."""
    figures = {"base": base, "expected": expected.base}
    return Law(Mistake("base", figures), frequencies_at_base(expected, base), fitted)


def ntk_law(expected: Expected, factor: float) -> Law:
    """The base of NTK-aware scaling."""
    width, base = expected.rotary_width, expected.base
    method = NtkAware(factor)
    figures = {"factor": factor, "base": method.base(width, base)}
    return Law(Mistake("ntk", figures), method.scaled(width, base).inverse_frequencies)


def denominator_law(expected: Expected, denominator: int) -> Law:
    """Another width in the exponent, which equals the base raised to another power."""
    base = math.pow(expected.base, expected.rotary_width / denominator)
    figures = {"denominator": denominator, "expected": expected.rotary_width}
    return Law(Mistake("denominator", figures), frequencies_at_base(expected, base))


def interpolation_law(frequencies: Array, factor: float, fitted: bool = False) -> Law:
    """All frequencies divided by one factor."""
    mistake = Mistake("position-interpolation", {"factor": factor})
    return Law(mistake, frequencies / factor, fitted)


@lru_cache(maxsize=1024)
def ramp_laws(width: int, base: float, factor: float, length: int) -> tuple[Law, ...]:
    """YaRN, with and without truncation, and Llama 3 for one factor and original length."""
    figures = {"factor": factor, "original_length": length}
    methods: list[tuple[Method, Mistake]] = [
        (
            Yarn(factor, length, truncate=truncate),
            Mistake("yarn", {**figures, "truncate": truncate, **YARN_RAMP}),
        )
        for truncate in (True, False)
    ]
    llama3 = Llama3(factor, 1.0, 4.0, length)
    methods.append((llama3, Mistake("llama3", {**figures, **LLAMA3_RAMP})))
    laws = []
    for method, mistake in methods:
        try:
            scaled = method.scaled(width, base)
        except RopeError:
            continue
        error_factors = frequency_error_factors(scaled)
        laws.append(Law(mistake, scaled.inverse_frequencies, error_factors=error_factors))
    return tuple(laws)


def clipped_laws(frequencies: Array) -> Iterator[Law]:
    """The slowest pairs slowed down by half a cosine, as CoPE does, or kept at rest.

    Li et al., "CoPE: Clipped RoPE as A Scalable Free Lunch for Long Context LLMs", 2026.
    """
    pairs = len(frequencies)
    for count in sorted(range(1, pairs + 1), key=lambda count: count != TAPERED):
        taper = (1 + np.cos(np.linspace(0, math.pi, count))) / 2
        for kind, factors in (("clipped-frequencies", 0 * taper), ("tapered-frequencies", taper)):
            if count == (pairs if kind == "clipped-frequencies" else 1):
                continue  # nothing would rotate, or nothing be tapered
            clipped = frequencies.copy()
            clipped[pairs - count :] *= factors
            yield Law(Mistake(kind, {"pairs": count}), clipped)


def unknown_law(estimate: FrequencyEstimate) -> Law:
    """The measured frequencies themselves, where no law gives them."""
    return Law(Mistake("unknown-frequencies"), np.abs(estimate.frequencies), fitted=True)
