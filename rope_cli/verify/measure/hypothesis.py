"""One way in which the arrays may have been made, and what it would have given.

Every right and wrong implementation that is told apart here does the same thing to a pair: the
left and the right coordinate become sums of both, ``left' = A left + B right`` and
``right' = C left + D right``. A hypothesis says which coordinates are paired, where the results
go, and what A, B, C, D are at each position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rope_cli.rope.reduced_precision import to_bfloat16, to_float16
from rope_cli.verify.measure.expected import ROUNDOFF, SMALLEST, Expected, bound, roughness

Array = NDArray[np.float64]
# Known positions, [tokens] or [batch, tokens], to those that were used.
PositionRule = Callable[[NDArray[np.int64]], NDArray[np.int64]]

ROUNDINGS_OF = {"float16": to_float16, "bfloat16": to_bfloat16}


class Mistake(NamedTuple):
    """What is wrong, by its kind, and its figures by name."""

    kind: str
    figures: dict[str, Any]


class Rounded(NamedTuple):
    """What was kept in a narrow dtype: some of ``frequencies``, ``positions``, ``angles``, tables.

    The ``tables`` are those of cosines and sines.
    """

    what: tuple[str, ...]
    dtype: str

    def apply(self, name: str, values: ArrayLike) -> Array:
        """The values of that name, rounded if they are among ``what``."""
        kept: Array = ROUNDINGS_OF[self.dtype](values) if name in self.what else np.asarray(values)
        return kept


EXACT = Rounded((), "float16")


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """How the output may have been computed.

    Pairs are read in the layout ``layout_in`` and written in ``layout_out``; ``stride`` is the
    distance of the two coordinates of a half-split pair, by default half of ``width``.
    ``mistakes`` say in what this differs from what is expected; without one it is right.
    """

    width: int
    layout_in: str
    layout_out: str
    theta: Array
    gain: float = 1.0
    sign: int = 1
    form: str = "plain"
    # The layout in which the row of angles was repeated, if it is not that of the rotation.
    angle_layout: str | None = None
    stride: int | None = None
    order: NDArray[np.intp] | None = None
    positions: PositionRule | None = None
    rounded: Rounded | None = None
    # How many times less exactly each frequency is known, as expected.roughness has it.
    rough: Array | None = None
    # How much looser than the dtype's own bound, where a figure was fitted to the data.
    slack: float = 1.0
    mistakes: tuple[Mistake, ...] = field(default=())

    def but(self, *mistakes: Mistake, **changes: Any) -> Hypothesis:
        """The same with something changed, and the names of the change."""
        if "theta" in changes:
            changes.setdefault("rough", None)
        return replace(self, mistakes=(*self.mistakes, *mistakes), **changes)

    @property
    def pairs(self) -> int:
        """How many pairs are turned."""
        return len(self.theta)

    @property
    def fastest(self) -> Array:  # [pairs]
        """The frequency of each pair, or the greater of its two where they were mixed up."""
        if self.angle_layout is None:
            return self.theta
        left, right = mixed_angles(self.pairs, self.angle_layout)
        return np.maximum(self.theta[left], self.theta[right])

    def used(self, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """The positions that were used for the known ones."""
        return known if self.positions is None else self.positions(known)

    def places(self, layout: str) -> tuple[slice, slice]:
        """Where the left and the right coordinates stand."""
        if layout == "adjacent":
            return slice(0, self.width, 2), slice(1, self.width, 2)
        stride = self.width // 2 if self.stride is None else self.stride
        return slice(0, self.pairs), slice(stride, stride + self.pairs)

    def angles(self, positions: Array) -> Array:  # [..., rows] -> [..., rows, pairs]
        """The angles at the positions used, after whatever was rounded on the way."""
        rounded = self.rounded or EXACT
        theta, m = rounded.apply("frequencies", self.theta), rounded.apply("positions", positions)
        return rounded.apply("angles", m[..., np.newaxis] * theta)

    def factors(
        self, positions: Array
    ) -> tuple[Array, Array, Array, Array]:  # four times [..., rows, pairs]
        """A, B, C and D at each position."""
        angles = self.angles(positions)
        cosines, sines = self.gain * np.cos(angles), self.sign * self.gain * np.sin(angles)
        rounded = self.rounded or EXACT
        cosines, sines = rounded.apply("tables", cosines), rounded.apply("tables", sines)
        if self.angle_layout is not None:
            left, right = mixed_angles(self.pairs, self.angle_layout)
            return cosines[..., left], -sines[..., left], sines[..., right], cosines[..., right]
        match self.form:
            case "exchanged":
                return sines, -cosines, cosines, sines
            case "lost":
                return cosines, sines, sines, cosines
            case "in-place":  # the right coordinate sees the left one already turned
                return cosines, -sines, sines * cosines, cosines - sines * sines
            case "no-sine":
                return cosines, np.zeros_like(sines), np.zeros_like(sines), cosines
            case "moved":
                return cosines, -sines, -sines, cosines
        return cosines, -sines, sines, cosines

    def predict(self, x: Array, positions: Array) -> Array:  # [..., rows, features] of both
        """What would come out; the positions used stand against ``[..., rows]``."""
        if self.order is not None:
            x = x[..., self.order]
        a, b, c, d = self.factors(positions)
        (left, right), (to_left, to_right) = map(self.places, (self.layout_in, self.layout_out))
        out = x.copy()
        with np.errstate(over="ignore", invalid="ignore"):
            out[..., to_left] = a * x[..., left] + b * x[..., right]
            out[..., to_right] = c * x[..., left] + d * x[..., right]
        return out

    def allowed(self, x: Array, positions: Array, dtype: str) -> Array:
        """How far each coordinate of the output may be from the prediction."""
        if self.order is not None:
            x = x[..., self.order]
        left, right = self.places(self.layout_in)
        lengths = abs(self.gain) * np.hypot(x[..., left], x[..., right])
        share = bound(self.fastest, positions, dtype, self.slack, self.rough) * lengths
        room = 2 * ROUNDOFF[dtype] * np.abs(x)
        for place in self.places(self.layout_out):
            room[..., place] = share
        return room + 2 * SMALLEST[dtype]


def mixed_angles(pairs: int, layout: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which frequency the left and the right coordinate of each pair are given by mistake.

    The row of angles is repeated as in ``layout``, the coordinates are those of the other one.
    """
    k = np.arange(pairs)
    if layout == "adjacent":  # [t0, t0, t1, t1]: coordinate i has frequency i // 2
        return k // 2, (k + pairs) // 2
    return (2 * k) % pairs, (2 * k + 1) % pairs  # [t0, t1, t0, t1] at coordinates 2k and 2k+1


def expected_hypothesis(expected: Expected) -> Hypothesis:
    """That everything is as expected."""
    return Hypothesis(
        width=expected.rotary_width,
        layout_in=expected.layout,
        layout_out=expected.layout,
        theta=expected.theta,
        gain=expected.scaled.attention_factor,
        sign=-1 if expected.backward else 1,
        rough=roughness(expected.scaled),
    )
