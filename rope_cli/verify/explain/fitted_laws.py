"""Laws fitted to what was measured: which base, which factor, which ramp."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.rope.scaled_frequencies import unscaled
from rope_cli.rope.scaling import NtkAware
from rope_cli.verify.explain.laws import (
    FACTORS,
    LENGTHS,
    Array,
    Curve,
    Law,
    base_law,
    based,
    denominator_law,
    interpolation_law,
    made,
    ntk_law,
    ramps,
    starts,
)
from rope_cli.verify.measure.estimates import Slopes, Turns
from rope_cli.verify.measure.expected import Expected, bound
from rope_cli.verify.measure.hypothesis import Mistake

# How many standard deviations from a round figure are still that figure.
NEAR = 4.0
ARITHMETIC = 1e-6
# So many values of a parameter are tried at most before it is fitted.
TRIED = 1 << 13
SCANNED_ROWS, SCANNED_PAIRS = 8, 12
# Logarithms of the bases among which a first value is sought.
LEAST_LOG, GREATEST_LOG, LOG_STEP, FARTHEST_LOG = -21.0, 35.0, 0.1, 100.0
LEAST_FREQUENCY = 1e-300


class Fit(NamedTuple):
    """A parameter of a law and its standard deviation."""

    value: float
    deviation: float


def fitted(curve: Curve, start: Fit, turns: Turns, slopes: Slopes | None = None) -> Fit:
    """The parameter of a curve of frequencies, from turns at known positions.

    Values near the start are tried first, so close together that no angle skips a whole turn, then
    the best is made exact by least squares. With ``slopes`` an angle of each pair's own is left
    open, as an unknown offset of the positions gives.
    """
    units, m = turns.units, turns.positions
    if slopes is not None:
        units, m = units * np.exp(-1j * slopes.turned), m - slopes.middle
    value, deviation = scanned(curve, start, units, m, turns.noise)
    for _ in range(12):
        slope = derivative(curve, value)
        change = np.multiply.outer(m, slope)
        # Slow pairs come first: their angles are sure of their whole turns.
        sure = np.abs(change) * 3 * deviation < 1.0
        left = np.angle(units * np.exp(-1j * np.multiply.outer(m, curve(value))))
        # Angles of float32 are themselves off by more, the farther out the position.
        unsure = turns.noise + bound(curve(value), turns.positions, turns.dtype)
        weights = np.where(sure, 1 / unsure**2, 0.0)
        power = float(np.sum(weights * change**2))
        if not power > 0:
            break
        moved = float(np.sum(weights * change * left)) / power
        better = max(math.sqrt(1 / power), 1e-15 * abs(value))
        value += moved
        settled = abs(moved) <= 0.01 * better and better >= 0.99 * deviation
        deviation = max(better, 0.1 * abs(moved))
        if settled:
            break
    return Fit(value, deviation)


def power_of_e(log: float) -> float:
    """A base from its logarithm, never too large or too small to be one."""
    return math.exp(min(max(log, -FARTHEST_LOG), FARTHEST_LOG))


def derivative(curve: Curve, value: float) -> Array:
    """How fast each frequency changes with the parameter."""
    step = max(1e-6 * abs(value), 1e-9)
    return (curve(value + step) - curve(value - step)) / (2 * step)


def scanned(curve: Curve, start: Fit, units: NDArray[np.complex128], m: Array, noise: Array) -> Fit:
    """The best of many values around the start, if few enough are needed."""
    rows = np.unique(np.linspace(0, len(m) - 1, SCANNED_ROWS).astype(int))
    pairs = np.unique(np.linspace(0, units.shape[1] - 1, SCANNED_PAIRS).astype(int))
    m, units, weights = m[rows], units[np.ix_(rows, pairs)], 1 / noise[np.ix_(rows, pairs)] ** 2
    change = float(np.abs(np.multiply.outer(m, derivative(curve, start.value)[pairs])).max())
    step = 0.7 / change if change > 0 else math.inf
    count = 2 * NEAR * start.deviation / step
    if not 2 < count <= TRIED:
        return start
    values = start.value + NEAR * start.deviation * np.linspace(-1, 1, int(count) + 2)
    thetas = np.array([curve(float(value))[pairs] for value in values])
    turned = np.exp(-1j * m[:, np.newaxis] * thetas[:, np.newaxis, :])
    scores = np.sum((turned * units).real * weights, axis=(1, 2))
    return Fit(float(values[np.argmax(scores)]), step)


def rounded_to(fit: Fit, digits: int) -> float | None:
    """The number of so few digits that the fit may be, if there is one."""
    near = float(f"{fit.value:.{digits - 1}e}")
    far = max(NEAR * fit.deviation, 1e-7 * abs(fit.value))
    return near if abs(near - fit.value) <= far and far < 0.02 * abs(fit.value) else None


def same(fit: Fit, value: float) -> bool:
    """Whether a fitted figure may be this value."""
    return abs(fit.value - value) <= max(NEAR * fit.deviation, 1e-9 * abs(value))


def base_laws(
    expected: Expected, slopes: Slopes, turns: Turns, moving: bool = False
) -> Iterator[Law]:
    """Other bases, with the widths and NTK factors that are the same thing in other words.

    ``moving`` leaves the positions open by an offset.
    """
    d = expected.rotary_width
    if d < 4:
        return
    plain = expected.method == "default"
    exponents = -2 * np.arange(expected.pairs) / d

    def unscaled_curve(log: float) -> Array:
        return np.asarray(np.exp(np.clip(log, -FARTHEST_LOG, FARTHEST_LOG) * exponents))

    curves: list[tuple[bool, Curve]] = [(True, unscaled_curve)]
    if not plain:
        curves.append((False, lambda log: based(expected, power_of_e(log))))
    for unscaled_only, curve in curves:
        start = first_log(curve, slopes)
        if start is None:
            continue
        fit = fitted(curve, start, turns, slopes if moving else None)
        if not LEAST_LOG - 1 < fit.value < GREATEST_LOG + 1:
            continue
        found = Fit(math.exp(fit.value), math.exp(fit.value) * fit.deviation)
        if plain or not unscaled_only:
            yield from named_bases(expected, found)
        yield from named_stretches(expected, found, unscaled_only)


def first_log(curve: Curve, slopes: Slopes) -> Fit | None:
    """The logarithm of the base whose frequencies are nearest to the measured ones."""
    sure = np.abs(slopes.theta) > 5 * slopes.uncertainty
    sure[0] = False
    if not sure.any():
        return None
    logs = np.arange(LEAST_LOG, GREATEST_LOG, LOG_STEP)
    # Pairs that stand still have no logarithm.
    sure &= curve(float(logs[0])) > 0
    if not sure.any():
        return None
    measured = np.log(np.abs(slopes.theta[sure]))
    weights = (np.abs(slopes.theta[sure]) / slopes.uncertainty[sure]) ** 2

    def logarithm(log: float) -> Array:
        return np.asarray(np.log(np.maximum(curve(log)[sure], LEAST_FREQUENCY)))

    off = np.array([logarithm(float(log)) for log in logs]) - measured
    # No pair alone decides: a law may fail at some and hold at most.
    misses = np.sum(np.minimum(np.abs(off), 1.0), axis=1)
    best = float(logs[int(np.argmin(misses))])
    for _ in range(4):
        slope = derivative(logarithm, best)
        power = float(np.sum(weights * slope**2))
        if not power > 0:
            return None
        moved = float(np.sum(weights * slope * (measured - logarithm(best)))) / power
        best += min(max(moved, -LOG_STEP), LOG_STEP)
    return Fit(best, max(math.sqrt(1 / power), 1e-12))


def named_bases(expected: Expected, found: Fit) -> Iterator[Law]:
    """A fitted base as a round one, or as another width in the exponent; else as it is."""
    d, b = expected.rotary_width, expected.base
    # So near, it is the arithmetic that differs and not the base.
    if same(found, b) or abs(found.value / b - 1) < ARITHMETIC:
        return
    names = 0
    if b != 1 and found.value not in (0.0, 1.0):
        size = d * math.log(b) / math.log(found.value)
        width = Fit(size, abs(size / math.log(found.value)) * found.deviation / found.value)
        whole = 2 * round(width.value / 2)
        if 0 < whole != d and same(width, whole) and NEAR * width.deviation < 1.0:
            names += 1
            yield denominator_law(expected, whole)
    base = rounded_to(found, 2)
    if base and base != b:
        names += 1
        yield base_law(expected, base)
    if not names:
        yield base_law(expected, found.value, fitted=True)


def named_stretches(expected: Expected, found: Fit, unscaled_only: bool) -> Iterator[Law]:
    """A fitted base as that of NTK-aware scaling, or of dynamic scaling at another length."""
    d, b = expected.rotary_width, expected.base
    if not unscaled_only or found.value <= 0:
        return
    rate = (d - 2) / d
    s = (found.value / b) ** rate
    factor = Fit(s, rate * s * found.deviation / found.value)
    near = rounded_to(factor, 2)
    if near and near > 1 and (2 * near).is_integer():
        yield ntk_law(expected, near)
    if expected.method == "dynamic" and s > 1:
        own, trained = expected.values["factor"], expected.values["original_length"]
        length = round((s + own - 1) / own * trained)
        theta = made(lambda: NtkAware(own * length / trained - (own - 1)).scaled(d, b))
        if theta is not None and length > trained:
            figures = {"length": length}
            yield Law(Mistake("stale-length", figures), theta, factor.deviation * trained > 0.1)


def factor_laws(
    expected: Expected, slopes: Slopes, turns: Turns, moving: bool = False
) -> Iterator[Law]:
    """All frequencies divided by one number; ``moving`` leaves the positions open."""
    for theta in starts(expected):
        known = (theta > 0) & (np.abs(slopes.theta) > 3 * slopes.uncertainty)
        if not known.any():
            continue
        ratios = np.where(known, np.abs(slopes.theta) / np.where(known, theta, 1.0), 0.0)
        weights = np.where(known, theta / slopes.uncertainty, 0.0) ** 2
        power = float(np.sum(weights))
        start = Fit(float(np.sum(weights * ratios)) / power, 1 / math.sqrt(power))
        fit = fitted(lambda ratio, t=theta: t * ratio, start, turns, slopes if moving else None)  # type: ignore[misc]
        if not fit.value > 0 or same(fit, 1.0):
            continue
        factor = Fit(1 / fit.value, fit.deviation / fit.value**2)
        near = rounded_to(factor, 2)
        yield interpolation_law(theta, near or factor.value, near is None)


def ramp_laws(expected: Expected, slopes: Slopes | None) -> Iterator[Law]:
    """Fast pairs kept, slow ones divided: YaRN or Llama 3, by usual or measured factors."""
    d, b = expected.rotary_width, expected.base
    if d < 4 or b <= 1:
        return
    factors = set(FACTORS)
    if slopes is not None:
        sure = np.flatnonzero(np.abs(slopes.theta) > 20 * slopes.uncertainty)
        if len(sure):
            slowest = int(sure[-1])
            plain = float(unscaled(d, b)[slowest])
            ratio = float(abs(slopes.theta[slowest])) / plain
            deviation = float(slopes.uncertainty[slowest]) / plain
            factor = Fit(1 / ratio, deviation / ratio**2)
            factors |= {s for s in (rounded_to(factor, 2), factor.value) if s and s > 1.01}
    given = expected.values.get("original_length")
    lengths = dict.fromkeys((*((given,) if given else ()), *LENGTHS))
    for s in sorted(factors):
        for length in lengths:
            yield from ramps(d, b, s, length)
