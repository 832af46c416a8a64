"""A list of inverse frequencies against the expected ones.

To explain a list, its rotations at many positions are examined as arrays are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rope_cli.rope.silent_arithmetic import silently
from rope_cli.verify.explain.diagnosis import Diagnosis
from rope_cli.verify.explain.laws import frequencies_or_none
from rope_cli.verify.measure.expected import (
    ROUNDOFF,
    SMALLEST,
    Expected,
    angle_roundings,
    frequency_error_factors,
)
from rope_cli.verify.measure.float32_ways import ANGLES_MULTIPLIED, float32_ways
from rope_cli.verify.measure.hypothesis import ROUND_TO, Hypothesis, Mistake, expected_hypothesis
from rope_cli.verify.measure.sampling import leading_indices, take_rows
from rope_cli.verify.read.aligned_arrays import Arrays

Array = NDArray[np.float64]

GREATEST, GREATEST_FREQUENCY = 1e30, 1e6
# Another quantity than the frequency is computed in a few steps more.
MORE_ROUNDINGS = 3
SAME_FIRST = 1e-4
# Digits that printed numbers have at most; how much farther off than half of the last digit a
# number may be that had been rounded before.
MOST_DIGITS, NEAREST = 7, 1.02
# Longer lists are compared, but not explained.
MOST_EXPLAINED = 512
POSITIONS = (*range(32), *(1 << power for power in range(5, 25)))
# Mistakes that no list of frequencies can have or show.
NOT_IN_LISTS = {
    *("order-out", "other-layout", "some-rows", "mixed-layout", "lost-minus", "permuted"),
    *(
        "sine-cosine-exchanged",
        "attention-factor",
        "scaled-rows",
        "negated",
        "low-precision",
        "in-place",
    ),
    *("no-sine", "slot-positions", "reversed-positions", "clamped-positions"),
    *("wrapped-positions", "other-positions", "offset", "shared-positions", "row-offsets"),
    *("running-positions", "zeros", "half-written", "results-exchanged", "slice-start"),
}
# What may have been listed in place of frequencies in radians per position, and what brings them
# back.
OTHER_QUANTITIES: tuple[tuple[Mistake, Callable[[Array], Array]], ...] = (
    (Mistake("frequencies-not-inverted"), lambda listed: 1 / listed),
    (Mistake("wavelengths"), lambda listed: 2 * math.pi / listed),
    (Mistake("degrees", {"taken_as": "radians"}), lambda listed: listed * (math.pi / 180)),
    (Mistake("degrees", {"taken_as": "no turns"}), lambda listed: listed * (2 * math.pi)),
    (Mistake("degrees", {"taken_as": "turns"}), lambda listed: listed / (2 * math.pi)),
)


@dataclass(frozen=True, eq=False)
class ListFinding:
    """A list against the expected frequencies, all arrays ``[pairs]``.

    ``differences`` are relative, absolute where 0 is expected. ``explanations`` have equally few
    mistakes, the likeliest first. ``way`` is the kind of a known way of computing in float32 whose
    frequencies the list has; ``differences`` are then those from them.
    """

    frequencies: Array
    expected: Array
    differences: Array
    allowed: Array
    explanations: tuple[Hypothesis, ...] = ()
    way: str | None = None

    @property
    def worst(self) -> int:
        """The pair with the greatest difference."""
        return int(np.argmax(self.differences))

    @property
    def ratio(self) -> float:
        """The greatest difference over what is allowed."""
        return float(np.minimum(self.differences / self.allowed, GREATEST).max())


@dataclass(frozen=True, eq=False)
class MemoryArray:
    """An array in memory, ``[tokens, features]``, with the interface of a stored one."""

    values: Array
    dtype: str = "float32"

    @property
    def shape(self) -> tuple[int, ...]:
        """``[tokens, features]``."""
        return self.values.shape

    def block(self, index: tuple[int | slice, ...]) -> Array:
        """A copy of the values at an index."""
        return np.array(self.values[index])


def examine_list(frequencies: Array, expected: Expected) -> ListFinding:
    """Compare finite frequencies of any sign with the expected ones, and explain differences.

    The allowed difference is the error of float32 arithmetic, as in :func:`angle_roundings`.
    """
    if len(frequencies) != expected.pairs:
        return examine_other_width(frequencies, expected)
    differences, allowed = relative_differences(
        frequencies, expected.frequencies, frequency_error_factors(expected.scaled)
    )
    finding = ListFinding(frequencies, expected.frequencies, differences, allowed)
    if (differences <= allowed).all():
        return finding
    for way in float32_ways(expected.scaled):
        if way.kind == ANGLES_MULTIPLIED:
            continue  # at position 1 that is the same as multiplying frequencies
        from_way, _ = relative_differences(frequencies, way.angles(np.ones(())))
        if (from_way <= allowed).all():
            return replace(finding, differences=from_way, way=way.kind)
    if len(frequencies) > MOST_EXPLAINED:
        return finding
    return replace(finding, explanations=explain_any_list(frequencies, expected))


def explain_any_list(frequencies: Array, expected: Expected) -> tuple[Hypothesis, ...]:
    """The mistakes that give a list: of frequencies, or of another quantity in their place."""
    rounded = explain_rounding(frequencies, expected)
    if rounded:
        return rounded
    restored = []
    if (frequencies > 0).all():
        quantities = ((mistake, silently(read, frequencies)) for mistake, read in OTHER_QUANTITIES)
        # The inverse of the smallest numbers is infinite.
        restored = [quantity for quantity in quantities if np.isfinite(quantity[1]).all()]
    for mistake, listed in restored:
        if is_expected(listed, expected):
            explanation = expected_hypothesis(expected).with_change(mistake)
            return (replace(explanation, frequencies=frequencies),)
    if written_twice(frequencies) and not len(frequencies) % 2:
        # Its length was taken for the number of pairs.
        half = len(frequencies)
        scaled = expected.scale(half, expected.base)
        narrow = replace(expected, rotary_width=half, scaled=scaled, other_readings={})
        return explain_written_twice(frequencies, narrow)
    readings = [explain_list(frequencies, expected)]
    if not readings[0]:
        # Most mistakes keep the frequency of the first pair.
        readings = [
            add_mistake(mistake, explain_list(with_first_of(expected, listed), expected))
            for mistake, listed in restored
            if math.isclose(listed[0], expected.frequencies[0], rel_tol=SAME_FIRST)
        ]
    named = [
        reading
        for reading in readings
        if reading and reading[0].kinds[1:] != ("unknown-frequencies",)
    ]
    return min(named, key=lambda reading: len(reading[0].kinds), default=())


def explain_rounding(frequencies: Array, expected: Expected) -> tuple[Hypothesis, ...]:
    """The expected frequencies kept in a narrow dtype, or printed with a few digits."""
    right = expected_hypothesis(expected)
    errors, magnitudes = np.abs(frequencies - expected.frequencies), np.abs(expected.frequencies)
    for dtype, to_narrow in ROUND_TO.items():
        allowed = NEAREST * ROUNDOFF[dtype] * magnitudes + SMALLEST[dtype]
        narrow = silently(to_narrow, frequencies)
        if np.array_equal(narrow, frequencies) and (errors <= allowed).all():
            return (right.with_change(Mistake("narrow-list", {"dtype": dtype})),)
    if not magnitudes.all():
        return ()
    first_digits = 10.0 ** np.floor(np.log10(magnitudes))
    for digits in range(2, MOST_DIGITS + 1):
        printed = [float(f"{frequency:.{digits - 1}e}") for frequency in frequencies.tolist()]
        if printed == frequencies.tolist():
            near = errors <= NEAREST * 0.5 * first_digits * 10.0 ** (1 - digits)
            mistake = Mistake("printed-digits", {"digits": digits})
            return (right.with_change(mistake),) if near.all() else ()
    return ()


def with_first_of(expected: Expected, frequencies: Array) -> Array:
    """Frequencies whose first is the expected one, rid of the roundings of another quantity."""
    restored = frequencies.copy()
    if math.isclose(restored[0], expected.frequencies[0], rel_tol=4 * ROUNDOFF["float32"]):
        restored[0] = expected.frequencies[0]
    return restored


def add_mistake(mistake: Mistake, others: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """The explanations with another mistake in front."""
    return tuple(replace(other, mistakes=(mistake, *other.mistakes)) for other in others)


def is_expected(frequencies: Array, expected: Expected) -> bool:
    """Whether frequencies are the expected ones, with a few roundings more."""
    factors = frequency_error_factors(expected.scaled)
    differences, allowed = relative_differences(frequencies, expected.frequencies, factors)
    return bool((differences <= MORE_ROUNDINGS * allowed).all())


def relative_differences(
    frequencies: Array, expected: Array, error_factors: Array | float = 1.0
) -> tuple[Array, Array]:  # both [pairs]
    """Relative differences, absolute ones where 0 is expected, and what is allowed."""
    scale = np.where(expected > 0, expected, 1.0)
    # Even an exact frequency may have been rounded to be stored.
    allowed = np.maximum(angle_roundings(scale) * error_factors, 1.0) * ROUNDOFF["float32"]
    with np.errstate(over="ignore"):
        differences = np.minimum(np.abs(frequencies - expected) / scale, GREATEST)
    # The frequency of a pair that must not rotate has no rounding error.
    return differences, np.where(expected > 0, allowed, SMALLEST["float32"])


def examine_other_width(frequencies: Array, expected: Expected) -> ListFinding:
    """Compare a list that has more or fewer pairs than expected."""
    width = 2 * len(frequencies)
    common = min(len(frequencies), expected.pairs)
    padded = np.zeros(len(frequencies))
    padded[:common] = expected.frequencies[:common]
    differences, allowed = relative_differences(frequencies, padded)
    # However close the common pairs are, the lists differ.
    differences = np.append(differences[:-1], np.maximum(differences[-1], 1.0))
    finding = ListFinding(frequencies, padded, differences, allowed)
    twice = explain_written_twice(frequencies, expected)
    if twice:
        return replace(finding, explanations=twice)
    right = frequencies_or_none(lambda: expected.scale(width, expected.base))
    if right is None:
        return finding
    to_width, allowed_to_width = relative_differences(frequencies, right)
    if (to_width > allowed_to_width).any():
        return finding
    mistake = Mistake("rotary-width", {"width": width, "expected": expected.rotary_width})
    baseline = expected_hypothesis(expected)
    explanation = replace(baseline, frequencies=right, width=width, mistakes=(mistake,))
    return replace(finding, explanations=(explanation,))


def written_twice(frequencies: Array) -> bool:
    """Whether the second half repeats the first, or every number the one before it."""
    half = len(frequencies) // 2
    return len(frequencies) > 2 and (
        np.array_equal(frequencies[:half], frequencies[half:])
        or np.array_equal(frequencies[::2], frequencies[1::2])
    )


def explain_written_twice(frequencies: Array, expected: Expected) -> tuple[Hypothesis, ...]:
    """The list holds the frequency of each coordinate, not of each pair."""
    if len(frequencies) != 2 * expected.pairs:
        return ()
    half = len(frequencies) // 2
    for order, (by_pair, again) in (
        ("half-split", (frequencies[:half], frequencies[half:])),
        ("adjacent", (frequencies[::2], frequencies[1::2])),
    ):
        if np.array_equal(by_pair, again):
            mistake = Mistake("written-twice", {"layout": order})
            finding = examine_list(by_pair, expected)
            if finding.ratio <= 1:
                return (expected_hypothesis(expected).with_change(mistake),)
            return add_mistake(mistake, finding.explanations)
    return ()


def explain_list(frequencies: Array, expected: Expected) -> tuple[Hypothesis, ...]:
    """The mistakes that give a list of frequencies."""
    if not float(np.abs(frequencies).max()) < GREATEST_FREQUENCY:
        return ()
    arrays = rotate_unit_pairs(frequencies)
    plain = replace(
        expected,
        head_width=2 * len(frequencies),
        layout="adjacent",
        written=None,
        scaled=replace(expected.scaled, attention_factor=1.0),
        other_readings={
            name: replace(scaled, attention_factor=1.0)
            for name, scaled in expected.other_readings.items()
        },
        backward=False,
    )
    sample = take_rows(arrays, leading_indices(arrays), np.arange(len(POSITIONS)))
    explanations = Diagnosis(sample, plain, list_only=True).explanations()
    return tuple(
        hypothesis
        for hypothesis in explanations
        if not {mistake.kind for mistake in hypothesis.mistakes} & NOT_IN_LISTS
    )


def rotate_unit_pairs(frequencies: Array) -> Arrays:
    """Unit pairs before and after the rotations of a list, at positions near and far."""
    positions = np.array(POSITIONS, dtype=np.int64)
    angles = np.multiply.outer(positions.astype(np.float64), frequencies)
    before, after = np.zeros((2, len(positions), 2 * len(frequencies)))
    before[:, 0::2] = 1.0
    after[:, 0::2], after[:, 1::2] = np.cos(angles), np.sin(angles)
    return Arrays(MemoryArray(before), MemoryArray(after), positions, 0, 1)
