"""A plain list of inverse frequencies against the expected ones.

To name a law the list is made into turns at many positions, and those are examined as arrays are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.explain.diagnosis import Diagnosis
from rope_cli.verify.explain.laws import made
from rope_cli.verify.measure.aligned_arrays import Arrays, sampled
from rope_cli.verify.measure.expected import ANGLE_ROUNDINGS, ROUNDOFF, SMALLEST, Expected
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake, expected_hypothesis
from rope_cli.verify.measure.sampling import chosen_leading

Array = NDArray[np.float64]

GREATEST, GREATEST_ANGLE = 1e30, 1e6
# Longer lists are compared, not explained.
MOST_EXPLAINED = 2048
POSITIONS = (*range(32), *(1 << power for power in range(5, 25)))
# What a list of frequencies cannot show, or what no list can be.
NOT_OF_LISTS = {
    *("order-out", "other-layout", "some-rows", "mixed-layout", "lost-minus", "permuted"),
    *(
        "sine-cosine-exchanged",
        "attention-factor",
        "negated",
        "low-precision",
        "in-place",
        "no-sine",
    ),
    *("slot-positions", "reversed-positions", "clamped-positions", "wrapped-positions"),
    *("other-positions", "offset"),
}


@dataclass(frozen=True, eq=False)
class Listed:
    """How a list differs: relative differences ``[pairs]`` and what is allowed of each.

    ``explanations`` as of arrays; ``widths_differ`` if the list has another number of pairs.
    """

    theta: Array
    expected: Array
    off: Array
    allowed: Array
    explanations: tuple[Hypothesis, ...]

    @property
    def worst(self) -> int:
        """The pair that is farthest off, relatively."""
        return int(np.argmax(self.off))

    @property
    def ratio(self) -> float:
        """The greatest difference over what is allowed."""
        return float(np.minimum(self.off / self.allowed, GREATEST).max())


@dataclass(frozen=True, eq=False)
class Turned:
    """Unit pairs, turned by the angles of a list or not at all, ``[tokens, features]``."""

    values: Array
    dtype: str = "float32"

    @property
    def shape(self) -> tuple[int, ...]:
        """``[tokens, features]``."""
        return self.values.shape

    def block(self, index: tuple[int | slice, ...]) -> Array:
        """The values at an index."""
        return np.array(self.values[index])


def listed(theta: Array, expected: Expected) -> Listed:
    """A list of frequencies against what is expected; finite numbers of any sign.

    A frequency may be off by what float32 arithmetic makes of it, as in :func:`expected.bound`.
    """
    if len(theta) != expected.pairs:
        return of_another_width(theta, expected)
    off, allowed = differences(theta, expected.theta)
    if (off <= allowed).all():
        return Listed(theta, expected.theta, off, allowed, ())
    small = len(theta) <= MOST_EXPLAINED and float(np.abs(theta).max()) < GREATEST_ANGLE
    found = explained(theta, expected) if small else ()
    return Listed(theta, expected.theta, off, allowed, found)


def differences(theta: Array, right: Array) -> tuple[Array, Array]:  # both [pairs]
    """Relative differences, absolute ones where 0 is expected, and what is allowed."""
    scale = np.where(right > 0, right, 1.0)
    allowed = (ANGLE_ROUNDINGS + np.abs(np.log(scale))) * ROUNDOFF["float32"]
    with np.errstate(over="ignore"):
        off = np.minimum(np.abs(theta - right) / scale, GREATEST)
    # A pair that should stand still has no other frequency that is as good.
    return off, np.where(right > 0, allowed, SMALLEST["float32"])


def of_another_width(theta: Array, expected: Expected) -> Listed:
    """A list with more or fewer pairs than are expected."""
    width = 2 * len(theta)
    common = min(len(theta), expected.pairs)
    right = np.zeros(len(theta))
    right[:common] = expected.theta[:common]
    off, allowed = differences(theta, right)
    wide = made(lambda: expected.scale(width, expected.base))
    found: tuple[Hypothesis, ...] = ()
    if wide is not None:
        apart, room = differences(theta, wide)
        if (apart <= room).all():
            mistake = Mistake("rotary-width", {"width": width, "expected": expected.rotary_width})
            start = expected_hypothesis(expected)
            found = (replace(start, theta=wide, width=width, mistakes=(mistake,)),)
    # However near the common pairs are, the lists are not the same.
    off = np.append(off[:-1], np.maximum(off[-1], 1.0))
    return Listed(theta, right, off, allowed, found)


def explained(theta: Array, expected: Expected) -> tuple[Hypothesis, ...]:
    """The laws that give the list."""
    arrays = turned_by(theta)
    plain = replace(
        expected,
        head_width=2 * len(theta),
        layout="adjacent",
        scaled=replace(expected.scaled, attention_factor=1.0),
        backward=False,
    )
    sample = sampled(arrays, chosen_leading(arrays, None), np.arange(len(POSITIONS)))
    found = Diagnosis(sample, plain, of_list=True).explanations()
    return tuple(each for each in found if not {one.kind for one in each.mistakes} & NOT_OF_LISTS)


def turned_by(theta: Array) -> Arrays:
    """Unit pairs before and after the turns of a list, at positions near and far."""
    positions = np.array(POSITIONS, dtype=np.int64)
    angles = np.multiply.outer(positions.astype(np.float64), theta)
    before, after = np.zeros((2, len(positions), 2 * len(theta)))
    before[:, 0::2] = 1.0
    after[:, 0::2], after[:, 1::2] = np.cos(angles), np.sin(angles)
    return Arrays(Turned(before), Turned(after), positions, 0, 1)
