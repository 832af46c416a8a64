"""Mistakes that the arrays could not show, determined by making each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rope_cli.verify.explain.hypotheses import OTHER_LAYOUT
from rope_cli.verify.measure.expected import MOST_UNCERTAIN, Expected, relative_tolerance
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake, expected_hypothesis
from rope_cli.verify.measure.prediction_errors import compare_block
from rope_cli.verify.measure.sampling import Sample

UNNAMED = Mistake("")


@dataclass(frozen=True, slots=True)
class Undetectable:
    """The kind of a mistake that would leave the arrays right, and the kind of reason."""

    kind: str
    why: str


def undetectable_mistakes(
    sample: Sample, expected: Expected, several_rows: bool
) -> tuple[Undetectable, ...]:
    """Mistakes whose output, computed from the same input, agrees within the tolerance.

    ``several_rows`` if there is more than one row at each position.
    """
    right = expected_hypothesis(expected)
    output = right.predict(sample.before, sample.positions[:, np.newaxis])
    undetectable = []
    for kind, wrong in single_mistakes(right, expected):
        positions = wrong.apply_position_rule(sample.array_positions).reshape(-1)
        rows = positions[sample.position_indices].astype(np.float64)[:, np.newaxis]
        arrays = sample.before, output
        block = compare_block(wrong, arrays, rows, sample.dtype, sample.tolerance)
        if not block.ratios.max(initial=0.0) > 1.0:
            undetectable.append(Undetectable(kind, reason(sample, expected, kind)))
    tolerance = relative_tolerance(right.frequencies, sample.positions, sample.dtype)
    farthest = tolerance.max(axis=0, initial=0.0)
    if (farthest[right.frequencies > 0] > MOST_UNCERTAIN).any():
        undetectable.append(Undetectable("fast-pairs", "too-far"))
    if not several_rows:
        undetectable.append(Undetectable("batch", "one-row"))
    return tuple(undetectable)


def single_mistakes(right: Hypothesis, expected: Expected) -> Iterator[tuple[str, Hypothesis]]:
    """One mistake of each kind."""
    other = OTHER_LAYOUT[right.layout_in]
    if right.pairs > 1:
        yield "other-layout", right.with_change(UNNAMED, layout_in=other, layout_out=other)
    else:
        yield "other-layout", right  # a single pair is the same in both layouts
    still = np.zeros_like(right.frequencies)
    yield "no-rotation", right.with_change(UNNAMED, frequencies=still, gain=1.0)
    yield "direction", right.with_change(UNNAMED, sign=-right.sign)
    yield "offset", right.with_change(UNNAMED, position_rule=lambda positions: positions + 1)
    pairs = np.arange(right.pairs)
    faster = right.frequencies * 2.0 ** (2 * pairs / expected.rotary_width)
    yield "base", right.with_change(UNNAMED, frequencies=faster)
    if "unscaled" in expected.other_readings:
        plain = expected.other_readings["unscaled"].inverse_frequencies
        yield "unscaled", right.with_change(UNNAMED, frequencies=plain)


def reason(sample: Sample, expected: Expected, kind: str) -> str:
    """The kind of what the data lacks."""
    if kind in ("other-layout", "base") and expected.pairs == 1:
        return "one-pair"
    if not sample.positions.any():
        return "position-zero"
    if not np.any(sample.before):
        return "zeros"
    return "too-near"
