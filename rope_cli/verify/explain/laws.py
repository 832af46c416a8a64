"""Laws of frequencies: every base, factor and ramp by its name, with its figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.errors import RopeError
from rope_cli.rope.scaled_frequencies import unscaled
from rope_cli.rope.scaling import Llama3, Method, NtkAware, Scaled, Yarn
from rope_cli.verify.measure.estimates import Slopes
from rope_cli.verify.measure.expected import Expected, roughness
from rope_cli.verify.measure.hypothesis import Mistake

Array = NDArray[np.float64]
Curve = Callable[[float], Array]
BASES = (1e2, 1e3, 1e4, 1.5e5, 1e5, 1.6e5, 5e5, 1e6, 2e6, 5e6, 8e6, 1e7, 1e8)
FACTORS = (2.0, 4.0, 8.0, 16.0, 32.0, 40.0, 64.0, 128.0)
LENGTHS = tuple(1024 << doubling for doubling in range(9))
RAMP = {"beta_fast": 32.0, "beta_slow": 1.0}
BAND = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}


class Law(NamedTuple):
    """Frequencies ``[pairs]``, the name of their law and its figures."""

    mistake: Mistake
    theta: Array
    fitted: bool = False
    rough: Array | None = None


def made(scaled: Callable[[], Scaled]) -> Array | None:
    """Scaled frequencies, or ``None`` where a method refuses the values."""
    try:
        return scaled().inverse_frequencies
    except RopeError:
        return None


def based(expected: Expected, base: float) -> Array:
    """The frequencies of another base, scaled as expected; where that is refused, unscaled ones."""
    found = made(lambda: expected.scale(expected.rotary_width, base))
    return unscaled(expected.rotary_width, base) if found is None else found


def usual_laws(expected: Expected) -> Iterator[Law]:
    """Bases and factors in common use, for data that leaves nothing to be fitted."""
    for base in BASES:
        if base != expected.base:
            yield base_law(expected, base)
    for factor in FACTORS:
        for start in starts(expected):
            yield interpolation_law(start, factor)
        if expected.rotary_width > 2:
            yield ntk_law(expected, factor)


def starts(expected: Expected) -> list[Array]:
    """Frequencies that may be divided by one more factor: the expected and the unscaled ones."""
    both = [expected.theta]
    return both if expected.method == "default" else [*both, expected.scaled.theta]


def base_law(expected: Expected, base: float, fitted: bool = False) -> Law:
    """Another base."""
    return Law(
        Mistake("base", {"base": base, "expected": expected.base}), based(expected, base), fitted
    )


def ntk_law(expected: Expected, factor: float) -> Law:
    """The base that NTK-aware scaling makes."""
    d, b = expected.rotary_width, expected.base
    figures = {"factor": factor, "base": NtkAware(factor).base(d, b)}
    return Law(Mistake("ntk", figures), NtkAware(factor).scaled(d, b).inverse_frequencies)


def denominator_law(expected: Expected, denominator: int) -> Law:
    """Another width in the exponent, which is the base to another power."""
    base = math.pow(expected.base, expected.rotary_width / denominator)
    figures = {"denominator": denominator, "expected": expected.rotary_width}
    return Law(Mistake("denominator", figures), based(expected, base))


def interpolation_law(start: Array, factor: float, fitted: bool = False) -> Law:
    """All frequencies divided by one factor."""
    return Law(Mistake("position-interpolation", {"factor": factor}), start / factor, fitted)


def ramps(d: int, b: float, s: float, length: int) -> Iterator[Law]:
    """The ramps of a factor and an original length."""
    methods: list[tuple[Method, Mistake]] = [
        (
            Yarn(s, length, truncate=truncate),
            Mistake(
                "yarn",
                {"factor": s, "original_length": length, "truncate": truncate, **RAMP},
            ),
        )
        for truncate in (True, False)
    ]
    band = Mistake("llama3", {"factor": s, "original_length": length, **BAND})
    methods.append((Llama3(s, 1.0, 4.0, length), band))
    for method, mistake in methods:
        try:
            scaled = method.scaled(d, b)
        except RopeError:
            continue
        yield Law(mistake, scaled.inverse_frequencies, rough=roughness(scaled))


def free_law(slopes: Slopes) -> Law:
    """The frequencies as they were measured, when no law gives them."""
    return Law(Mistake("unknown-frequencies", {}), np.abs(slopes.theta), fitted=True)
