"""Which mistakes these arrays could not show, found out by making each of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rope_cli.verify.explain.hypotheses import OTHER
from rope_cli.verify.measure.aligned_arrays import Sample
from rope_cli.verify.measure.expected import MOST_UNCERTAIN, Expected, bound
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake, expected_hypothesis
from rope_cli.verify.measure.sweep import compared

UNNAMED = Mistake("", {})


class Blind(NamedTuple):
    """A mistake that would have changed nothing, and why: the kind of what is missing."""

    kind: str
    why: str


def blind_spots(sample: Sample, expected: Expected, several: bool) -> tuple[Blind, ...]:
    """Mistakes that right arrays made from the same input would not have shown.

    ``several`` if there is more than one row at each position.
    """
    right = expected_hypothesis(expected)
    positions = sample.positions[:, np.newaxis]
    output = right.predict(sample.before, positions)
    found = []
    for kind, wrong in possible(right, expected):
        used = wrong.used(sample.known).reshape(-1)[sample.places].astype(np.float64)
        ratios = compared(
            wrong, (sample.before, output), used[:, np.newaxis], sample.dtype, sample.tolerance
        )[0]
        if not ratios.max(initial=0.0) > 1.0:
            found.append(Blind(kind, reason(sample, expected, kind)))
    far = bound(right.theta, sample.positions, sample.dtype).max(axis=0, initial=0.0)
    if (far[right.theta > 0] > MOST_UNCERTAIN).any():
        found.append(Blind("fast-pairs", "too-far"))
    if not several:
        found.append(Blind("batch", "one-row"))
    return tuple(found)


def possible(right: Hypothesis, expected: Expected) -> Iterator[tuple[str, Hypothesis]]:
    """One mistake of each sort."""
    other = OTHER[right.layout_in]
    if right.pairs > 1:
        yield "other-layout", right.but(UNNAMED, layout_in=other, layout_out=other)
    else:
        yield "other-layout", right
    yield "no-rotation", right.but(UNNAMED, theta=np.zeros_like(right.theta), gain=1.0)
    yield "direction", right.but(UNNAMED, sign=-right.sign)
    yield "offset", right.but(UNNAMED, positions=lambda known: known + 1)
    k = np.arange(right.pairs)
    faster = right.theta * 2.0 ** (2 * k / expected.rotary_width)
    yield "base", right.but(UNNAMED, theta=faster)
    if "unscaled" in expected.others:
        plain = expected.others["unscaled"].inverse_frequencies
        yield "unscaled", right.but(UNNAMED, theta=plain)


def reason(sample: Sample, expected: Expected, kind: str) -> str:
    """What the data lacks."""
    if kind in ("other-layout", "base") and expected.pairs == 1:
        return "one-pair"
    if not sample.positions.any():
        return "position-zero"
    if not np.any(sample.before):
        return "zeros"
    return "too-near"
