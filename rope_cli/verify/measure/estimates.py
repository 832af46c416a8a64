"""The rotation and gain of each pair at each position, and the frequencies that follow.

A pair is a complex number, ``left + i right``, and the output is fitted as a multiple of the input.
The argument of the factor is the angle of rotation, its modulus the gain in length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.expected import ROUNDINGS, ROUNDOFF, relative_tolerance
from rope_cli.verify.measure.hypothesis import Hypothesis
from rope_cli.verify.measure.sampling import Sample

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

UNKNOWN = 1e3
GREATEST_GAIN = 1e100
# The sums and angles computed here are no more exact than this.
LEAST_NOISE = 1e-12
LEAST_STEPS, LEAST_RATE = 3, 1.5


@dataclass(frozen=True, eq=False)
class Rotations:
    """The measured complex factor of each pair in each row, ``[rows, pairs]``.

    ``noise`` is the uncertainty of a factor due to the dtype. ``misfit`` is the share of the
    output that no factor explains, 0 with a single sample; ``positions`` are ``[rows]``.
    """

    factors: Complex
    noise: Array
    misfit: Array
    positions: Array
    dtype: str

    @property
    def gain(self) -> float:
        """The median gain of all pairs."""
        return float(np.median(np.abs(self.factors)))

    @property
    def gains(self) -> Array:  # [pairs]
        """The median gain of each pair."""
        return np.asarray(np.median(np.abs(self.factors), axis=0))

    @property
    def mean_angles(self) -> Array:  # [pairs]
        """The angle of each pair, averaged over all rows."""
        return np.asarray(np.angle(self.factors.sum(axis=0)))

    @cached_property
    def unit_factors(self) -> Complex:
        """The rotations without the gain; 1 where the output is zero."""
        # Dividing by a subnormal number would overflow.
        size = np.abs(self.factors)
        measured = size >= np.finfo(np.float64).tiny
        return np.divide(self.factors, size, out=np.ones_like(self.factors), where=measured)

    @property
    def distinct_positions(self) -> int:
        """The number of different positions."""
        return len(np.unique(self.positions))

    @property
    def pair_mismatch(self) -> float:
        """How far the pairs are from one rotation and one gain a row, in units of the noise."""
        gain = self.gain
        if not gain > 0:
            return math.inf
        spread = np.abs(np.abs(self.factors) / gain - 1)
        return float(np.mean(np.hypot(spread, self.misfit) / self.noise))

    def undo_sign_and_swap(self, sign: int, swapped: bool, negated: bool) -> Rotations:
        """The rotations without a wrong direction, an exchange of cosine and sine, and a minus."""
        factors = -self.factors if negated else self.factors
        factors = 1j * np.conj(factors) if swapped else factors
        return replace(self, factors=factors if sign > 0 else np.conj(factors))

    def at_offset(self, offset: int) -> Rotations:
        """The same rotations, ``offset`` added to every position."""
        return replace(self, positions=self.positions + offset)

    def of_pair(self, pair: int) -> Rotations:
        """The rotations of a single pair."""
        return self.of_pairs(np.array([pair]))

    def of_pairs(self, pairs: NDArray[np.intp]) -> Rotations:
        """The rotations of some pairs."""
        return replace(
            self,
            factors=self.factors[:, pairs],
            noise=self.noise[:, pairs],
            misfit=self.misfit[:, pairs],
        )


def rotation_noise(sample: Sample) -> float:
    """The uncertainty of a measured factor due to the dtype or the user's tolerance."""
    return max(ROUNDINGS * ROUNDOFF[sample.dtype], sample.tolerance or 0.0, LEAST_NOISE)


def measure_rotations(sample: Sample, hypothesis: Hypothesis) -> Rotations:
    """Fit the factor of every pair, paired as in a hypothesis."""
    x = hypothesis.apply_permutation(sample.before)
    left, right = hypothesis.pair_slices(hypothesis.layout_in)
    to_left, to_right = hypothesis.places
    # Scaled, so that squares of very large or small numbers stay finite.
    unit = np.maximum(np.abs(x[..., left]), np.abs(x[..., right])).max(axis=1, keepdims=True)
    unit = np.where(unit > 0, unit, 1.0)
    with np.errstate(over="ignore", invalid="ignore"):
        z = x[..., left] / unit + 1j * (x[..., right] / unit)  # [rows, samples, pairs]
        w = sample.after[..., to_left] / unit + 1j * (sample.after[..., to_right] / unit)
    # A finite output of an almost zero input says nothing about its rotation.
    w = np.where(np.abs(w.real) + np.abs(w.imag) < GREATEST_GAIN, w, 0.0)
    energy = np.sum(np.abs(z) ** 2, axis=1)
    safe = np.where(energy > 0, energy, 1.0)
    factors = np.asarray(np.sum(np.conj(z) * w, axis=1) / safe, np.complex128)
    unexplained = np.sum(np.abs(w - factors[:, np.newaxis] * z) ** 2, axis=1)
    output = np.sum(np.abs(w) ** 2, axis=1)
    misfit = np.sqrt(unexplained / np.where(output > 0, output, 1.0))
    # A pair of zeros has no measurable factor.
    noise = np.where(energy > 0, rotation_noise(sample), UNKNOWN)
    return Rotations(factors, noise, misfit, sample.positions, sample.dtype)


# The error of a float32 angle at position 2^18, as a share of the frequency: an offset that is yet
# to be found may have brought the positions there.
FAR_OUT = 8 * 2.0**18 * 2.0**-24


def is_steady(rotations: Rotations, slack: float) -> bool:
    """Whether each pair rotates by one angle wherever the position rises by the same.

    Where it does not, no frequencies and no offset explain the rotations. With too few equal
    steps it may be so. ``slack`` multiplies the tolerance.
    """
    order = np.argsort(rotations.positions, kind="stable")
    positions, units = rotations.positions[order], rotations.unit_factors[order]
    rises = np.diff(positions)
    if not (rises > 0).any():
        return True
    first = np.flatnonzero(rises == rises[rises > 0].min())
    if len(first) < LEAST_STEPS:
        return True
    steps = units[first + 1] * np.conj(units[first])
    mean = steps.mean(axis=0)
    # Whatever the frequency is, its angles are hardly less exact than those of this rate.
    rate = np.maximum(np.abs(np.angle(mean)) / rises[first[0]], LEAST_RATE)
    tolerance = relative_tolerance(rate, positions[first + 1], rotations.dtype, slack)
    noise = rotations.noise[order]
    allowed = 2 * slack * (noise[first] + noise[first + 1] + tolerance)
    if rotations.dtype != "float64":
        allowed = allowed + FAR_OUT * rate
    return bool((np.abs(steps - mean) <= allowed).all())


@dataclass(frozen=True, eq=False)
class FrequencyEstimate:
    """Measured frequencies and their standard deviations, ``[pairs]`` in radians per position.

    ``reference_angles`` ``[pairs]``, from -pi to pi, are the angles at ``reference_position``,
    which lies among the measured ones.
    """

    frequencies: Array
    uncertainty: Array
    reference_position: float
    reference_angles: Array


def estimate_frequencies(rotations: Rotations) -> FrequencyEstimate | None:
    """The frequency of each pair; ``None`` if there is only one position.

    Neighbouring positions give a first value. Ever longer spans refine it, each as long as its
    number of full turns is certain.
    """
    order = np.argsort(rotations.positions, kind="stable")
    positions, units = rotations.positions[order], rotations.unit_factors[order]
    noise = np.maximum(rotations.noise[order], 1e-15)
    spans = rows_by_span(positions)
    if not spans:
        return None
    frequencies = np.zeros(units.shape[1])
    uncertainty = np.full(units.shape[1], math.inf)
    for span, (first, second) in spans.items():
        variances = noise[first] ** 2 + noise[second] ** 2
        steps = units[second] * np.conj(units[first]) / variances
        weights = np.sum(1 / variances, axis=0)
        certain = uncertainty * span < 1.0
        predicted = np.where(certain, frequencies * span, 0.0)
        remainder = np.angle(np.sum(steps * np.exp(-1j * predicted), axis=0))
        refined = np.where(certain, frequencies, 0.0) + remainder / span
        deviation = np.sqrt(1 / weights) / span
        better = (certain | np.isinf(uncertainty)) & (deviation < uncertainty)
        frequencies = np.where(better, refined, frequencies)
        uncertainty = np.where(better, deviation, uncertainty)
    middle = float(np.round(np.mean(positions)))
    rotated_back = units * np.exp(-1j * np.multiply.outer(positions - middle, frequencies))
    angles = np.angle(np.sum(rotated_back / noise**2, axis=0))
    return FrequencyEstimate(frequencies, uncertainty, middle, angles)


def rows_by_span(positions: Array) -> dict[float, tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Pairs of rows by their distance, for distances that about double, shortest first."""
    spans: dict[float, tuple[NDArray[np.intp], NDArray[np.intp]]] = {}
    differences = positions[np.newaxis, :] - positions[:, np.newaxis]
    distances = np.unique(differences[differences > 0])
    index = 0
    while index < len(distances):
        span = float(distances[index])
        first, second = np.nonzero(differences == span)
        spans[span] = (first, second)
        following = int(np.searchsorted(distances, 1.5 * span))
        last = len(distances) - 1
        # The longest span is always among them.
        index = following if following < len(distances) or index == last else last
    return spans
