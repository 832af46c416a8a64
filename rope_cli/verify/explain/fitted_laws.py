"""Laws fitted to measured rotations: which base, which factor, which ramp."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from rope_cli.rope.scaled_frequencies import unscaled
from rope_cli.rope.scaling import NtkAware
from rope_cli.verify.explain.laws import (
    BASES,
    FACTORS,
    LENGTHS,
    Law,
    base_law,
    denominator_law,
    frequencies_at_base,
    frequencies_or_none,
    interpolated_frequencies,
    interpolation_law,
    ntk_law,
    ramp_laws,
)
from rope_cli.verify.measure.estimates import FrequencyEstimate, Rotations
from rope_cli.verify.measure.expected import Expected, relative_tolerance
from rope_cli.verify.measure.hypothesis import Mistake

Array = NDArray[np.float64]
# From a parameter to the frequencies [pairs].
Curve = Callable[[float], Array]

# A fit within so many standard deviations of a round figure is that figure.
NEAR = 4.0
# Bases that differ by less differ through arithmetic.
ARITHMETIC = 1e-6
MOST_SCANNED, EXACT_VALUES = 1 << 13, 65
SCANNED_ROWS, SCANNED_PAIRS = 8, 12
# The range and step of logarithms in the search for a base.
LEAST_LOG, GREATEST_LOG, LOG_STEP, FARTHEST_LOG = -21.0, 35.0, 0.1, 100.0
LOGS = np.arange(LEAST_LOG, GREATEST_LOG, LOG_STEP)
FEW_HUNDREDTHS = 0.03
LEAST_FREQUENCY, LEAST_FACTOR = 1e-300, 1.01


@dataclass(frozen=True, slots=True)
class Fit:
    """A parameter of a law and its standard deviation."""

    value: float
    deviation: float

    def matches(self, value: float) -> bool:
        """Whether the parameter may be this value."""
        return abs(self.value - value) <= max(NEAR * self.deviation, 1e-9 * abs(value))

    def is_near(self, value: float) -> bool:
        """Whether the parameter is off by a few hundredths at most."""
        return abs(self.value - value) <= FEW_HUNDREDTHS * abs(value)

    def rounded(self, digits: int) -> float | None:
        """The value of so few digits within the uncertainty; ``None`` without one."""
        near = float(f"{self.value:.{digits - 1}e}")
        far = max(NEAR * self.deviation, 1e-7 * abs(self.value))
        return near if abs(near - self.value) <= far and far < 0.02 * abs(self.value) else None


def fit_parameter(
    curve: Curve, start: Fit, rotations: Rotations, estimate: FrequencyEstimate | None = None
) -> Fit:
    """The parameter of a curve of frequencies, from rotations at known positions.

    A scan around the start, fine enough that no angle skips a full turn, finds a first value;
    least squares refine it. With ``estimate``, each pair may have a constant angle of its own, as
    an unknown offset of the positions causes.
    """
    units, positions = rotations.unit_factors, rotations.positions
    if estimate is not None:
        units = units * np.exp(-1j * estimate.reference_angles)
        positions = positions - estimate.reference_position
    first = scan_parameter(curve, start, units, positions, rotations.noise)
    value, deviation = first.value, first.deviation
    for _ in range(12):
        change = np.multiply.outer(positions, derivative(curve, value))
        # Slow pairs come first: their number of full turns is certain.
        certain = np.abs(change) * 3 * deviation < 1.0
        rotated_back = units * np.exp(-1j * np.multiply.outer(positions, curve(value)))
        remainder = np.angle(rotated_back)
        # float32 angles lose accuracy with the distance of the position.
        noise = rotations.noise + relative_tolerance(
            curve(value), rotations.positions, rotations.dtype
        )
        weights = np.where(certain, 1 / noise**2, 0.0)
        power = float(np.sum(weights * change**2))
        if not power > 0:
            break
        step = float(np.sum(weights * change * remainder)) / power
        better = max(math.sqrt(1 / power), 1e-15 * abs(value))
        value += step
        converged = abs(step) <= 0.01 * better and better >= 0.99 * deviation
        deviation = max(better, 0.1 * abs(step))
        if converged:
            break
    return Fit(value, deviation)


def exp_limited(log: float) -> float:
    """A base from its logarithm, kept within floating-point range."""
    return math.exp(min(max(log, -FARTHEST_LOG), FARTHEST_LOG))


def derivative(curve: Curve, value: float) -> Array:
    """The derivative of each frequency with respect to the parameter."""
    step = max(1e-6 * abs(value), 1e-9)
    return (curve(value + step) - curve(value - step)) / (2 * step)


def scan_parameter(
    curve: Curve, start: Fit, units: NDArray[np.complex128], positions: Array, noise: Array
) -> Fit:
    """The best of many values around the start; the start itself if too many are needed."""
    rows = np.unique(np.linspace(0, len(positions) - 1, SCANNED_ROWS).astype(int))
    pairs = np.unique(np.linspace(0, units.shape[1] - 1, SCANNED_PAIRS).astype(int))
    positions, units = positions[rows], units[np.ix_(rows, pairs)]
    weights = 1 / noise[np.ix_(rows, pairs)] ** 2
    slope = derivative(curve, start.value)[pairs]
    change = float(np.abs(np.multiply.outer(positions, slope)).max())
    step = 0.7 / change if change > 0 else math.inf
    count = 2 * NEAR * start.deviation / step
    if not 2 < count <= MOST_SCANNED:
        return start
    values = start.value + NEAR * start.deviation * np.linspace(-1, 1, int(count) + 2)
    frequencies = values_of_curve(curve, values)[:, pairs]
    back = np.exp(-1j * positions[:, np.newaxis] * frequencies[:, np.newaxis, :])
    scores = np.sum((back * units).real * weights, axis=(1, 2))
    return Fit(float(values[np.argmax(scores)]), step)


def values_of_curve(curve: Curve, values: Array) -> Array:  # [values] -> [values, pairs]
    """A curve at many rising values, interpolated between some of them: it is smooth, but slow."""
    if len(values) <= EXACT_VALUES:
        return np.array([curve(float(value)) for value in values])
    nodes = np.linspace(values[0], values[-1], EXACT_VALUES)
    exact = np.array([curve(float(node)) for node in nodes])
    return np.stack([np.interp(values, nodes, column) for column in exact.T], axis=1)


def fitted_base_laws(
    expected: Expected,
    estimate: FrequencyEstimate,
    rotations: Rotations,
    unknown_offset: bool = False,
) -> Iterator[Law]:
    """Other bases, and the exponent widths and NTK factors that amount to another base.

    With ``unknown_offset`` the positions may be shifted by any number.
    """
    width = expected.rotary_width
    if width < 4:
        return
    plain = expected.method == "default"
    exponents = -2 * np.arange(expected.pairs) / width

    def unscaled_curve(log: float) -> Array:
        return np.asarray(np.exp(np.clip(log, -FARTHEST_LOG, FARTHEST_LOG) * exponents))

    curves: list[tuple[bool, Curve]] = [(True, unscaled_curve)]
    if not plain:
        curves.append((False, lambda log: frequencies_at_base(expected, exp_limited(log))))
    for is_unscaled, curve in curves:
        start = initial_log_base(curve, grid_of_bases(expected, is_unscaled), estimate)
        if start is None:
            continue
        log = fit_parameter(curve, start, rotations, estimate if unknown_offset else None)
        if not LEAST_LOG - 1 < log.value < GREATEST_LOG + 1:
            continue
        base = Fit(math.exp(log.value), math.exp(log.value) * log.deviation)
        laws = list(laws_of_base(expected, base)) if plain or not is_unscaled else []
        stretched = []
        if is_unscaled and base.value > 0:
            stretched = list(laws_of_stretched_base(expected, base))
        # A method with a round figure is likelier than a base without one.
        only_fitted = all(law.fitted for law in laws)
        yield from (*stretched, *laws) if only_fitted else (*laws, *stretched)


@lru_cache(maxsize=32)
def grid_of_bases(expected: Expected, is_unscaled: bool) -> Array:  # [bases, pairs]
    """The frequencies of all bases of the search."""
    exponents = -2 * np.arange(expected.pairs) / expected.rotary_width
    if is_unscaled:
        return np.asarray(np.exp(np.multiply.outer(LOGS, exponents)))
    return np.array([frequencies_at_base(expected, exp_limited(log)) for log in LOGS.tolist()])


def initial_log_base(curve: Curve, grid: Array, estimate: FrequencyEstimate) -> Fit | None:
    """The logarithm of the base whose frequencies are nearest to the measured ones."""
    measured = np.abs(estimate.frequencies)
    certain = measured > 5 * estimate.uncertainty
    certain[0] = False  # the first frequency is 1 for every base
    if not certain.any():
        return None
    certain &= grid[0] > 0  # a pair that does not rotate has no logarithm
    if not certain.any():
        return None
    target = np.log(measured[certain])
    weights = (measured[certain] / estimate.uncertainty[certain]) ** 2

    def log_frequencies(log: float) -> Array:
        return np.asarray(np.log(np.maximum(curve(log)[certain], LEAST_FREQUENCY)))

    differences = np.log(np.maximum(grid[:, certain], LEAST_FREQUENCY)) - target
    # Differences are capped, so that no single pair decides.
    misses = np.sum(np.minimum(np.abs(differences), 1.0), axis=1)
    best = float(LOGS[int(np.argmin(misses))])
    for _ in range(4):
        slope = derivative(log_frequencies, best)
        power = float(np.sum(weights * slope**2))
        if not power > 0:
            return None
        step = float(np.sum(weights * slope * (target - log_frequencies(best)))) / power
        best += min(max(step, -LOG_STEP), LOG_STEP)
    return Fit(best, max(math.sqrt(1 / power), 1e-12))


def laws_of_base(expected: Expected, fit: Fit) -> Iterator[Law]:
    """A fitted base as another exponent width or as a round base; otherwise as it is.

    An exponent width that no head has comes after a round base: in a coarse dtype both may fit.
    """
    width, base = expected.rotary_width, expected.base
    if fit.matches(base) or abs(fit.value / base - 1) < ARITHMETIC:
        return
    common = [common_base for common_base in BASES if fit.matches(common_base)]
    round_base = common[0] if len(common) == 1 else fit.rounded(2)
    named = round_base in BASES and round_base != base
    if named and round_base:
        yield base_law(expected, round_base)
    other_base = round_base and round_base != base and round_base not in BASES
    strange: list[Law] = []
    if base != 1 and fit.value not in (0.0, 1.0):
        size = width * math.log(base) / math.log(fit.value)
        exponent = Fit(size, abs(size / math.log(fit.value)) * fit.deviation / fit.value)
        whole = 2 * round(exponent.value / 2)
        if 0 < whole != width and exponent.matches(whole) and NEAR * exponent.deviation < 1.0:
            near = float(f"{fit.value:.1e}")
            if not round_base and near != base and fit.matches(near):
                round_base = near
                other_base = near not in BASES
            if whole in (expected.head_width, width // 2, 2 * width) or not round_base:
                yield denominator_law(expected, whole)
            else:
                strange.append(denominator_law(expected, whole))
            named = True
    if round_base and other_base:
        named = True
        yield base_law(expected, round_base)
    yield from strange
    if not named:
        yield base_law(expected, fit.value, fitted=True)


def laws_of_stretched_base(expected: Expected, fit: Fit) -> Iterator[Law]:
    """A fitted base as that of NTK-aware scaling, or of dynamic scaling at another length."""
    width, base = expected.rotary_width, expected.base
    rate = (width - 2) / width
    stretch = (fit.value / base) ** rate
    factor = Fit(stretch, rate * stretch * fit.deviation / fit.value)
    round_factor = factor.rounded(2)
    if round_factor and round_factor > 1 and (2 * round_factor).is_integer():
        yield ntk_law(expected, round_factor)
    if expected.method == "dynamic" and stretch > 1:
        own = expected.method_values["factor"]
        trained = expected.method_values["original_length"]
        length = round((stretch + own - 1) / own * trained)
        frequencies = frequencies_or_none(
            lambda: NtkAware(own * length / trained - (own - 1)).scaled(width, base)
        )
        if frequencies is not None and length > trained:
            mistake = Mistake("stale-length", {"length": length})
            yield Law(mistake, frequencies, factor.deviation * trained > 0.1)


def fitted_factor_laws(
    expected: Expected, estimate: FrequencyEstimate, rotations: Rotations
) -> Iterator[Law]:
    """All frequencies divided by one fitted number."""
    measured = np.abs(estimate.frequencies)
    for frequencies in interpolated_frequencies(expected):
        known = (frequencies > 0) & (measured > 3 * estimate.uncertainty)
        if not known.any():
            continue
        ratios = np.where(known, measured / np.where(known, frequencies, 1.0), 0.0)
        weights = np.where(known, frequencies / estimate.uncertainty, 0.0) ** 2
        power = float(np.sum(weights))
        start = Fit(float(np.sum(weights * ratios)) / power, 1 / math.sqrt(power))
        ratio = fit_parameter(partial(np.multiply, frequencies), start, rotations)
        if not ratio.value > 0 or ratio.matches(1.0):
            continue
        factor = Fit(1 / ratio.value, ratio.deviation / ratio.value**2)
        round_factor = factor.rounded(2)
        yield interpolation_law(frequencies, round_factor or factor.value, round_factor is None)


def fitted_ramp_laws(expected: Expected, estimate: FrequencyEstimate | None) -> Iterator[Law]:
    """Fast pairs kept, slow ones divided: YaRN or Llama 3, by common or measured factors."""
    width, base = expected.rotary_width, expected.base
    if width < 4 or base <= 1:
        return
    factors = set(FACTORS) if estimate is None else round_factors(width, base, estimate)
    own_length = expected.method_values.get("original_length")
    lengths = dict.fromkeys((*((own_length,) if own_length else ()), *LENGTHS))
    for scale in sorted(factors):
        for length in lengths:
            yield from ramp_laws(width, base, scale, length)


def round_factors(width: int, base: float, estimate: FrequencyEstimate) -> set[float]:
    """Common factors, and the one that divides the slowest pair whose frequency is certain."""
    factors = set(FACTORS)
    certain = np.flatnonzero(np.abs(estimate.frequencies) > 20 * estimate.uncertainty)
    if len(certain):
        slowest = int(certain[-1])
        plain = float(unscaled(width, base)[slowest])
        ratio = float(abs(estimate.frequencies[slowest])) / plain
        deviation = float(estimate.uncertainty[slowest]) / plain
        factor = Fit(1 / ratio, deviation / ratio**2)
        fitted = factor.rounded(2) or factor.value
        factors |= {fitted} if fitted > LEAST_FACTOR else set()
    return factors
