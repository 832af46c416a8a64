"""What is measured: by how much each pair was turned and stretched at each position.

A pair is one complex number, ``left + i right``; what came out is fitted as a multiple of what went
in. The argument of the factor is the angle of the turn, its modulus the gain of the length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.aligned_arrays import Sample
from rope_cli.verify.measure.expected import ROUNDINGS, ROUNDOFF
from rope_cli.verify.measure.hypothesis import Hypothesis

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

UNKNOWN = 1e3
GREATEST_GAIN = 1e100
# Sums and angles of ours are themselves not more exact.
LEAST_NOISE = 1e-12


@dataclass(frozen=True, eq=False)
class Turns:
    """The factor of each pair at each row, ``[rows, pairs]``.

    ``noise`` is the uncertainty of a factor that the dtype leaves. ``misfit`` is the share of what
    came out that no factor explains, 0 where there is only one sample; ``positions`` ``[rows]``.
    """

    factors: Complex
    noise: Array
    misfit: Array
    positions: Array
    dtype: str

    @property
    def gain(self) -> float:
        """The gain that all pairs share, as far as they do."""
        return float(np.median(np.abs(self.factors)))

    @property
    def units(self) -> Complex:
        """The turns alone, without the gain."""
        size = np.abs(self.factors)
        return np.divide(self.factors, size, out=np.ones_like(self.factors), where=size > 0)

    def read_as(self, sign: int, exchanged: bool) -> Turns:
        """The turns as they would be with nothing the other way and nothing exchanged."""
        factors = 1j * np.conj(self.factors) if exchanged else self.factors
        return replace(self, factors=factors if sign > 0 else np.conj(factors))

    def moved(self, offset: int) -> Turns:
        """The same turns at positions that are so much further."""
        return replace(self, positions=self.positions + offset)

    def of_pair(self, pair: int) -> Turns:
        """Those of one pair alone."""
        one = slice(pair, pair + 1)
        return Turns(
            self.factors[:, one],
            self.noise[:, one],
            self.misfit[:, one],
            self.positions,
            self.dtype,
        )

    def unlikeness(self) -> float:
        """How far the pairs are from being turned and stretched alike, in units of the noise."""
        gain = self.gain
        if not gain > 0:
            return math.inf
        spread = np.abs(np.abs(self.factors) / gain - 1)
        return float(np.mean(np.hypot(spread, self.misfit) / self.noise))


def noise_of(sample: Sample) -> float:
    """The uncertainty of a measured turn that a dtype, or the tolerance asked for, leaves."""
    return max(ROUNDINGS * ROUNDOFF[sample.dtype], sample.tolerance or 0.0, LEAST_NOISE)


def turns_of(sample: Sample, hypothesis: Hypothesis) -> Turns:
    """The turns, with the pairing of a hypothesis."""
    x = sample.before if hypothesis.order is None else sample.before[..., hypothesis.order]
    left, right = hypothesis.places(hypothesis.layout_in)
    to_left, to_right = hypothesis.places(hypothesis.layout_out)
    # Squares of very large or small numbers would not be numbers any more.
    unit = np.maximum(np.abs(x[..., left]), np.abs(x[..., right])).max(axis=1, keepdims=True)
    unit = np.where(unit > 0, unit, 1.0)
    with np.errstate(over="ignore", invalid="ignore"):
        z = x[..., left] / unit + 1j * (x[..., right] / unit)  # [rows, samples, pairs]
        w = sample.after[..., to_left] / unit + 1j * (sample.after[..., to_right] / unit)
    # What came out of next to nothing says nothing about a turn.
    w = np.where(np.abs(w.real) + np.abs(w.imag) < GREATEST_GAIN, w, 0.0)
    energy = np.sum(np.abs(z) ** 2, axis=1)
    safe = np.where(energy > 0, energy, 1.0)
    factors = np.sum(np.conj(z) * w, axis=1) / safe
    left_over = np.sum(np.abs(w - factors[:, np.newaxis] * z) ** 2, axis=1)
    came_out = np.sum(np.abs(w) ** 2, axis=1)
    misfit = np.sqrt(left_over / np.where(came_out > 0, came_out, 1.0))
    # A pair of zeros says nothing: its factor is as uncertain as can be.
    noise = np.where(energy > 0, noise_of(sample), UNKNOWN)
    return Turns(factors, noise, misfit, sample.positions, sample.dtype)


@dataclass(frozen=True, eq=False)
class Slopes:
    """Measured frequencies ``[pairs]`` in radians per position and what they are uncertain by.

    ``middle`` is a position among those measured and ``turned`` ``[pairs]`` the angles there, from
    -pi to pi.
    """

    theta: Array
    uncertainty: Array
    middle: float
    turned: Array


def slopes_of(turns: Turns) -> Slopes | None:
    """The frequency of each pair from turns at different positions; ``None`` without two.

    The change between the nearest positions gives a first value; changes over ever longer spans,
    each short enough to be told from a whole turn more, make it exact.
    """
    order = np.argsort(turns.positions, kind="stable")
    m, units = turns.positions[order], turns.units[order]
    noise = np.maximum(turns.noise[order], 1e-15)
    spans = spans_of(m)
    if not spans:
        return None
    theta = np.zeros(units.shape[1])
    uncertainty = np.full(units.shape[1], math.inf)
    for span, (one, two) in spans.items():
        steps = units[two] * np.conj(units[one]) / (noise[one] ** 2 + noise[two] ** 2)
        weights = np.sum(1 / (noise[one] ** 2 + noise[two] ** 2), axis=0)
        near = uncertainty * span < 1.0
        turned = np.sum(steps * np.exp(-1j * np.where(near, theta * span, 0.0)), axis=0)
        found = np.where(near, theta, 0.0) + np.angle(turned) / span
        better = np.sqrt(1 / weights) / span
        use = (near | np.isinf(uncertainty)) & (better < uncertainty)
        theta, uncertainty = np.where(use, found, theta), np.where(use, better, uncertainty)
    middle = float(np.round(np.mean(m)))
    left = np.sum(units * np.exp(-1j * np.multiply.outer(m - middle, theta)) / noise**2, axis=0)
    return Slopes(theta, uncertainty, middle, np.angle(left))


def spans_of(m: Array) -> dict[float, tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Rows of rising positions by their distance, for distances that double, shortest first."""
    found: dict[float, tuple[NDArray[np.intp], NDArray[np.intp]]] = {}
    differences = m[np.newaxis, :] - m[:, np.newaxis]
    apart = np.unique(differences[differences > 0])
    at = 0
    while at < len(apart):
        span = float(apart[at])
        one, two = np.nonzero(differences == span)
        found[span] = (one, two)
        following = int(np.searchsorted(apart, 1.5 * span))
        at = following if following < len(apart) or at == len(apart) - 1 else len(apart) - 1
    return found
