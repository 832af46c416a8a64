"""Hypotheses about how arrays were computed, and the output that each predicts.

Every implementation considered here, right or wrong, maps a pair linearly:
``left' = A left + B right`` and ``right' = C left + D right``. A hypothesis says which coordinates
form a pair, where the results are written, and what A, B, C, D are at each position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rope_cli.rope.reduced_precision import to_bfloat16, to_float16
from rope_cli.verify.measure.expected import (
    ROUNDINGS,
    ROUNDOFF,
    SMALLEST,
    Expected,
    frequency_error_factors,
    relative_tolerance,
)
from rope_cli.verify.measure.float32_ways import Way

Array = NDArray[np.float64]
# From the right positions, [tokens] or [batch, tokens], to those that the code used.
PositionRule = Callable[[NDArray[np.int64]], NDArray[np.int64]]

Index = slice | NDArray[np.intp]

# Each half of the coordinates by itself is half-split, as in axial rotations.
IN_HALVES = "half-split in halves"
# Squares between these have neither lost digits nor overflowed.
LEAST_SQUARE, GREATEST_SQUARE = 1e-280, 1e300

ROUND_TO = {"float16": to_float16, "bfloat16": to_bfloat16}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake of an implementation: its kind, and its figures by name."""

    kind: str
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rounding:
    """Quantities kept in a narrow dtype.

    ``quantities`` are some of ``"frequencies"``, ``"positions"``, ``"angles"`` and ``"tables"``
    (of cosines and sines).
    """

    quantities: tuple[str, ...]
    dtype: str

    def apply(self, quantity: str, values: ArrayLike) -> Array:
        """Round the values if their quantity was kept in the narrow dtype."""
        if quantity not in self.quantities:
            return np.asarray(values)
        rounded: Array = ROUND_TO[self.dtype](values)
        return rounded


NO_ROUNDING = Rounding((), "float16")


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """How the output may have been computed.

    The ``width`` coordinates from ``first`` on form pairs, read in ``layout_in`` and written in
    ``layout_out``; ``stride`` is the distance between the two coordinates of a half-split pair, by
    default half of ``width``. ``frequencies`` are ``[pairs]`` in radians per position.
    ``mistakes`` are the differences from the expected rotation; there are none if it is right.
    """

    width: int
    layout_in: str
    layout_out: str
    frequencies: Array
    gain: float = 1.0
    sign: int = 1
    form: str = "plain"
    first: int = 0
    # Whether the left result is written to the right place and the right one to the left.
    exchanged_out: bool = False
    # The layout in which the row of angles was repeated, if not that of the rotation.
    angle_layout: str | None = None
    stride: int | None = None
    permutation: NDArray[np.intp] | None = None
    position_rule: PositionRule | None = None
    rounding: Rounding | None = None
    # A known way of computing the angles in float32, if it is to be repeated.
    way: Way | None = None
    # Of another scheme: the complex factor of each pair at a position, or what is added to a row.
    table: Callable[[Array], NDArray[np.complex128]] | None = None
    added: Callable[[Array], Array] | None = None
    added_error: float = 0.0  # by which what is added may be off
    # Whether each row may have a gain of its own besides.
    own_gains: bool = False
    # From frequency_error_factors.
    error_factors: Array | None = None
    # By how much the tolerance grows, where a figure was fitted to the data.
    slack: float = 1.0
    mistakes: tuple[Mistake, ...] = field(default=())

    def with_change(self, *mistakes: Mistake, **changes: Any) -> Hypothesis:
        """A copy with other fields and the mistakes that they amount to."""
        if "frequencies" in changes:
            changes.setdefault("error_factors", None)
        return replace(self, mistakes=(*self.mistakes, *mistakes), **changes)

    @property
    def pairs(self) -> int:
        """The number of rotated pairs."""
        return len(self.frequencies)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its mistakes."""
        return tuple(mistake.kind for mistake in self.mistakes)

    @property
    def testable(self) -> bool:
        """Whether it predicts every number: roundings and some positions are only sampled."""
        complete = all(mistake.figures.get("complete", True) for mistake in self.mistakes)
        return self.rounding is None and complete

    def relative_tolerance(self, positions: ArrayLike, dtype: str) -> Array:  # [rows, pairs]
        """The largest error of each pair that rounding explains, as a share of its length.

        Where the coordinates of a pair have two frequencies, the greater one of both errors.
        """
        tolerance = relative_tolerance(
            self.frequencies, positions, dtype, self.slack, self.error_factors
        )
        if self.angle_layout is None:
            return tolerance
        left, right = mixed_angle_indices(self.pairs, self.angle_layout)
        return np.maximum(tolerance[..., left], tolerance[..., right])

    def apply_position_rule(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The positions that the code used in place of the right ones."""
        return positions if self.position_rule is None else self.position_rule(positions)

    def apply_permutation(self, x: Array) -> Array:  # [..., features] of both
        """The input with its coordinates permuted as the code does before it rotates."""
        return x if self.permutation is None else x[..., self.permutation]

    def pair_slices(self, layout: str) -> tuple[Index, Index]:
        """The left and the right coordinates of all pairs."""
        first = self.first
        if layout == IN_HALVES:
            j = np.arange(self.pairs)
            left = first + j + np.where(j < self.pairs // 2, 0, self.pairs // 2)
            return left, left + self.pairs // 2
        if layout == "adjacent":
            end = first + self.width
            return slice(first, end, 2), slice(first + 1, end, 2)
        stride = first + (self.width // 2 if self.stride is None else self.stride)
        return slice(first, first + self.pairs), slice(stride, stride + self.pairs)

    @property
    def places(self) -> tuple[Index, Index]:
        """Where the left and the right results of all pairs are written."""
        left, right = self.pair_slices(self.layout_out)
        return (right, left) if self.exchanged_out else (left, right)

    def angles(self, positions: Array) -> Array:  # [..., rows] -> [..., rows, pairs]
        """The angles at these positions, rounded where the code rounds."""
        if self.way is not None:
            return self.way.angles(positions)
        rounding = self.rounding or NO_ROUNDING
        frequencies = rounding.apply("frequencies", self.frequencies)
        positions = rounding.apply("positions", positions)
        return rounding.apply("angles", positions[..., np.newaxis] * frequencies)

    def factors(
        self, positions: Array
    ) -> tuple[Array, Array, Array, Array]:  # four times [..., rows, pairs]
        """A, B, C and D at each position."""
        if self.table is not None:
            table = self.table(positions)
            cosines, sines = table.real, self.sign * table.imag
            return cosines, -sines, sines, cosines
        angles = self.angles(positions)
        cosines, sines = self.gain * np.cos(angles), self.sign * self.gain * np.sin(angles)
        rounding = self.rounding or NO_ROUNDING
        cosines, sines = rounding.apply("tables", cosines), rounding.apply("tables", sines)
        if self.angle_layout is not None:
            left, right = mixed_angle_indices(self.pairs, self.angle_layout)
            return cosines[..., left], -sines[..., left], sines[..., right], cosines[..., right]
        match self.form:
            case "exchanged":
                return sines, -cosines, cosines, sines
            case "lost":
                return cosines, sines, sines, cosines
            case "in-place":  # the right coordinate is computed from the rotated left one
                return cosines, -sines, sines * cosines, cosines - sines * sines
            case "no-sine":
                return cosines, np.zeros_like(sines), np.zeros_like(sines), cosines
            case "only-left":
                return cosines, -sines, np.zeros_like(sines), np.ones_like(cosines)
            case "only-right":
                return np.ones_like(cosines), np.zeros_like(sines), sines, cosines
            case "moved":
                return cosines, -sines, -sines, cosines
        return cosines, -sines, sines, cosines

    def predict(self, x: Array, positions: Array) -> Array:  # [..., rows, features] of both
        """The output for rows at these positions, which broadcast against ``[..., rows]``."""
        if self.form == "zeros":
            return np.zeros_like(x)
        x = self.apply_permutation(x)
        a, b, c, d = self.factors(positions)
        left, right = self.pair_slices(self.layout_in)
        to_left, to_right = self.places
        out = x.copy()
        with np.errstate(over="ignore", invalid="ignore"):
            out[..., to_left] = a * x[..., left] + b * x[..., right]
            out[..., to_right] = c * x[..., left] + d * x[..., right]
        return out if self.added is None else out + self.added(positions)

    def allowed_errors(self, x: Array, positions: Array, dtype: str) -> Array:
        """The largest error of each output coordinate that rounding explains."""
        if self.form == "zeros":
            return np.full_like(x, 2 * SMALLEST[dtype])
        x = self.apply_permutation(x)
        left, right = self.pair_slices(self.layout_in)
        lengths = abs(self.gain) * lengths_of_pairs(x[..., left], x[..., right])
        errors = self.relative_tolerance(positions, dtype) * lengths
        if self.table is not None:
            errors = errors * np.maximum(np.abs(self.table(positions)) / abs(self.gain), 1.0)
        allowed = 2 * ROUNDOFF[dtype] * np.abs(x)
        for places in self.places:
            allowed[..., places] = errors
        if self.added is not None:
            sums = ROUNDINGS * ROUNDOFF[dtype] * np.abs(self.added(positions))
            allowed = allowed + sums + self.added_error
        return allowed + 2 * SMALLEST[dtype]


def lengths_of_pairs(left: Array, right: Array) -> Array:
    """The lengths of pairs; as exact as ``numpy.hypot``, and faster where no square underflows."""
    squares = left * left
    squares += right * right
    if squares.min(initial=1.0) < LEAST_SQUARE or not squares.max(initial=0.0) < GREATEST_SQUARE:
        return np.asarray(np.hypot(left, right))
    return np.sqrt(squares, out=squares)


def mixed_angle_indices(pairs: int, layout: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The frequencies that the left and the right coordinates get by mistake, as indices.

    The row of angles is repeated as in ``layout``, but the pairs are those of the other layout.
    """
    k = np.arange(pairs)
    if layout == "adjacent":  # [t0, t0, t1, t1]: coordinate i has frequency i // 2
        return k // 2, (k + pairs) // 2
    return (2 * k) % pairs, (2 * k + 1) % pairs  # [t0, t1, t0, t1] at coordinates 2k and 2k+1


def expected_hypothesis(expected: Expected) -> Hypothesis:
    """The hypothesis that the arrays are as expected."""
    return Hypothesis(
        width=expected.rotary_width,
        first=expected.first,
        layout_in=expected.layouts[0],
        layout_out=expected.layouts[1],
        frequencies=expected.frequencies,
        gain=expected.scaled.attention_factor,
        sign=-1 if expected.backward else 1,
        error_factors=frequency_error_factors(expected.scaled),
    )
