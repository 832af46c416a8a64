"""Two figures of the frequencies at once: another base, and a factor or a ramp besides."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rope_cli.rope.scaled_frequencies import unscaled
from rope_cli.verify.explain.fitted_laws import (
    GREATEST_LOG,
    LEAST_LOG,
    Fit,
    exp_limited,
    fit_parameter,
    round_factors,
)
from rope_cli.verify.explain.laws import BASES, FACTORS, LENGTHS, Array, Law, ramp_laws
from rope_cli.verify.measure.estimates import FrequencyEstimate, Rotations
from rope_cli.verify.measure.expected import Expected, relative_tolerance
from rope_cli.verify.measure.hypothesis import Mistake

# A frequency is certain if it is so many times its standard deviation.
CERTAIN = 5.0
# Deviations within which frequencies follow a line, and what arithmetic adds to each.
NEAR, ARITHMETIC = 5.0, 3e-6
# Beginnings of the list of pairs through which a line is fitted.
MOST_LINES = 64


def base_and_factor_laws(
    expected: Expected, estimate: FrequencyEstimate, rotations: Rotations
) -> Iterator[Law]:
    """Another base, and all frequencies divided by one factor: a line in the logarithm."""
    pairs, logs, deviations = certain_logs(estimate)
    if len(pairs) < 3 or expected.method != "default":
        return
    line = fit_line(pairs, logs, deviations)
    if line is None:
        return
    intercept, slope = line
    factor = Fit(math.exp(-intercept.value), intercept.deviation * math.exp(-intercept.value))
    divisor = factor.rounded(2) or factor.value
    width = expected.rotary_width
    log_base = Fit(-slope.value * width / 2, slope.deviation * width / 2)
    if factor.matches(1.0) or not LEAST_LOG < log_base.value < GREATEST_LOG:
        return
    exponents = -2 * np.arange(expected.pairs) / width
    log_fit = fit_parameter(
        lambda log: np.asarray(exp_limited(log) ** exponents / divisor),
        log_base,
        rotations,
    )
    if not LEAST_LOG < log_fit.value < GREATEST_LOG:
        return
    base = Fit(math.exp(log_fit.value), math.exp(log_fit.value) * log_fit.deviation)
    figure = common_base(base) or base.rounded(2) or base.value
    if base.matches(expected.base):
        return
    yield Law(
        Mistake("base", {"base": figure, "expected": expected.base}),
        unscaled(width, figure) / divisor,
        fitted=True,
        more=(Mistake("position-interpolation", {"factor": divisor}),),
    )


def base_and_ramp_laws(
    expected: Expected, estimate: FrequencyEstimate, rotations: Rotations
) -> Iterator[Law]:
    """Another base, by the fast pairs, whose slow ones are divided as by YaRN or Llama 3."""
    if expected.rotary_width < 8 or expected.method != "default":
        return
    for base in bases_of_fast_pairs(expected, estimate, rotations):
        named = Mistake("base", {"base": base, "expected": expected.base})
        for factor in sorted(round_factors(expected.rotary_width, base, estimate)):
            for length in LENGTHS:
                for law in ramp_laws(expected.rotary_width, base, factor, length):
                    if is_measured(law.frequencies, estimate, rotations):
                        fitted = base not in BASES or factor not in FACTORS
                        yield replace(law, mistake=named, more=(law.mistake,), fitted=fitted)


def certain_logs(estimate: FrequencyEstimate) -> tuple[Array, Array, Array]:
    """Pairs with a certain frequency, the logarithms of these, and their deviations."""
    measured = np.abs(estimate.frequencies)
    pairs = np.flatnonzero(measured > CERTAIN * estimate.uncertainty)
    deviations = estimate.uncertainty[pairs] / measured[pairs] + ARITHMETIC
    return pairs.astype(np.float64), np.log(measured[pairs]), deviations


def fit_line(pairs: Array, logs: Array, deviations: Array) -> tuple[Fit, Fit] | None:
    """Intercept and slope of a line; ``None`` where the points do not lie on it."""
    design = np.stack([np.ones_like(pairs), pairs], axis=1) / deviations[:, np.newaxis]
    covariance = np.linalg.pinv(design.T @ design)
    intercept, slope = covariance @ design.T @ (logs / deviations)
    if (np.abs(logs - intercept - slope * pairs) > NEAR * deviations).any():
        return None
    first, second = np.sqrt(np.diag(covariance))
    return Fit(float(intercept), float(first)), Fit(float(slope), float(second))


def bases_of_fast_pairs(
    expected: Expected, estimate: FrequencyEstimate, rotations: Rotations
) -> list[float]:
    """The base that pair 1 shows, and that of as many pairs as follow one line through pair 0.

    Pairs of a slower law that lie near the line move the fit a little. Of the bases on the way to
    those that lie on it, which differ by no more than the line allows, the last stands for all.
    """
    pairs, logs, deviations = certain_logs(estimate)
    slow = pairs > 0
    pairs, logs, deviations = pairs[slow], logs[slow], deviations[slow]
    if not len(pairs):
        return []
    bases: dict[float, None] = {}
    unrounded = math.nan
    step = 1 + len(pairs) // MOST_LINES
    for count in sorted({1, *range(len(pairs), 0, -step)}, reverse=True):
        k, weights = pairs[:count], 1 / deviations[:count] ** 2
        power = float(np.sum(weights * k * k))
        slope = float(np.sum(weights * k * logs[:count])) / power
        if (np.abs(logs[:count] - slope * k) > NEAR * deviations[:count]).any():
            continue
        per_pair = expected.rotary_width / 2
        log_base = Fit(-slope * per_pair, per_pair / math.sqrt(power))
        if not 0 < log_base.value < GREATEST_LOG:
            continue
        exponents, measured = -k / per_pair, rotations.of_pairs(k.astype(np.intp))
        base = exact_base(log_base, exponents, measured)
        if not base.matches(expected.base):
            # A pair that is slower already may have moved the fit away from a common base.
            bases |= dict.fromkeys(near for near in BASES if base.is_near(near))
            figure = common_base(base) or base.rounded(2) or base.value
            if math.isclose(figure, unrounded, rel_tol=NEAR * ARITHMETIC):
                del bases[unrounded]
            bases[figure] = None
            unrounded = figure if figure == base.value else math.nan
        # A slow pair may lie on the line by its uncertainty alone, but not at all positions.
        if count > 1 and bases and gives(base.value**exponents, measured):
            break
    return list(bases)


def exact_base(log_base: Fit, exponents: Array, rotations: Rotations) -> Fit:
    """The base whose powers are the frequencies of some pairs, by all of their angles."""
    fit = fit_parameter(lambda log: np.asarray(exp_limited(log) ** exponents), log_base, rotations)
    fit = min(fit, log_base, key=lambda either: either.deviation)
    base = exp_limited(fit.value)
    return Fit(base, base * fit.deviation)


def gives(frequencies: Array, rotations: Rotations) -> bool:
    """Whether frequencies give all rotations, as exactly as these were measured."""
    positions, dtype = rotations.positions, rotations.dtype
    predicted = np.exp(1j * np.multiply.outer(positions, frequencies))
    allowed = rotations.noise + relative_tolerance(frequencies, positions, dtype)
    return bool((np.abs(rotations.unit_factors - predicted) <= allowed).all())


def common_base(fit: Fit) -> float | None:
    """The base in common use that a fit may mean; ``None`` if it could be several."""
    near = [base for base in BASES if fit.matches(base)]
    return near[0] if len(near) == 1 else None


def is_measured(frequencies: Array, estimate: FrequencyEstimate, rotations: Rotations) -> bool:
    """Whether frequencies are the measured ones, within their uncertainty.

    Angles are rounded at far positions, which moves a frequency by their error over the distance
    between the positions.
    """
    positions = rotations.positions
    farthest, distance = float(np.abs(positions).max()), max(float(np.ptp(positions)), 1.0)
    rounding = relative_tolerance(frequencies, [farthest], rotations.dtype)[0] / distance
    allowed = NEAR * (estimate.uncertainty + rounding) + 1e-4 * frequencies
    return bool((np.abs(np.abs(estimate.frequencies) - frequencies) <= allowed).all())
