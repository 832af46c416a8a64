"""Mistakes that scores may show, as what each does to queries and to keys."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.explain.hypotheses import OTHER_LAYOUT, reading_mistake
from rope_cli.verify.explain.laws import common_laws
from rope_cli.verify.explain.position_rules import offset_rule
from rope_cli.verify.measure.expected import Expected
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake

Array = NDArray[np.float64]

# Offsets between queries and keys are looked for in so many cells, first near 0, then farther.
CELLS, RANGES = 12, (1 << 10, 1 << 16)
OFFSETS_PER_BLOCK, LIKELIEST = 1 << 13, 4
LEAST_SLOPE = 1e-9


@dataclass(frozen=True, eq=False)
class ScoreMistake:
    """A mistake that scores may show, as what it does to queries and to keys."""

    mistake: Mistake
    query: Hypothesis
    key: Hypothesis


def possible_mistakes(right: Hypothesis, expected: Expected) -> Iterator[ScoreMistake]:
    """Mistakes that scores may show, the commonest first."""
    still = right.with_change(frequencies=np.zeros_like(right.frequencies), gain=1.0)
    yield ScoreMistake(Mistake("no-rotation"), still, still)
    yield ScoreMistake(Mistake("key-not-rotated"), right, still)
    yield ScoreMistake(Mistake("query-not-rotated"), still, right)
    for hypothesis in mistakes_of_both(right, expected):
        yield ScoreMistake(hypothesis.mistakes[-1], hypothesis, hypothesis)
    backward = right.with_change(sign=-right.sign)
    yield ScoreMistake(Mistake("key-direction"), right, backward)
    yield ScoreMistake(Mistake("query-direction"), backward, right)
    if right.pairs > 1:
        own, other = right.layout_in, OTHER_LAYOUT[right.layout_in]
        changed = right.with_change(layout_in=other, layout_out=other)
        for layouts, query, key in (
            ({"query": own, "key": other}, right, changed),
            ({"query": other, "key": own}, changed, right),
        ):
            yield ScoreMistake(Mistake("layouts-differ", layouts), query, key)


def mistakes_of_both(right: Hypothesis, expected: Expected) -> Iterator[Hypothesis]:
    """One mistake made with queries and keys alike."""
    if right.pairs > 1:
        layout = OTHER_LAYOUT[right.layout_in]
        mistake = Mistake("other-layout", {"layout": layout})
        yield right.with_change(mistake, layout_in=layout, layout_out=layout)
    yield right.with_change(Mistake("direction"), sign=-right.sign)
    twice = 2 * right.frequencies
    yield right.with_change(Mistake("rotated-twice"), frequencies=twice, gain=right.gain**2)
    for name, scaled in expected.other_readings.items():
        if len(scaled.inverse_frequencies) == right.pairs:
            yield right.with_change(
                reading_mistake(name),
                frequencies=scaled.inverse_frequencies,
                gain=scaled.attention_factor,
            )
    for law in common_laws(expected):
        yield right.with_change(law.mistake, frequencies=law.frequencies)


def query_offsets(
    right: Hypothesis, queries: Array, keys: Array, scores: Array
) -> Iterator[ScoreMistake]:
    """Queries shifted against the keys; rows ``[n, features]`` are rotated rightly, ``scores`` [n].

    A score is a sum of one cosine for each pair, so every offset predicts it in one product.
    """
    left, other = right.pair_slices(right.layout_out)
    pairs = (queries[:, left] + 1j * queries[:, other]) * np.conj(
        keys[:, left] + 1j * keys[:, other]
    )
    rest = np.sum(queries * keys, axis=1) - pairs.real.sum(axis=1)
    tried: set[int] = set()
    for farthest in RANGES:
        for offset in likeliest_offsets(pairs, right.frequencies, scores - rest, farthest):
            if offset and offset not in tried:
                tried.add(offset)
                rule = offset_rule(offset)[1]
                shifted = right.with_change(position_rule=rule)
                mistake = Mistake("query-offset", {"offset": offset})
                yield ScoreMistake(mistake, shifted, right)


def likeliest_offsets(
    pairs: NDArray[np.complex128], frequencies: Array, scores: Array, farthest: int
) -> list[int]:
    """The offsets up to ``farthest`` that bring all cells nearest to their scores."""
    errors, offsets = [], []
    weights = np.concatenate([pairs.real, -pairs.imag], axis=1).T
    block = np.arange(min(OFFSETS_PER_BLOCK, 2 * farthest + 1))
    angles = np.multiply.outer(block, frequencies)
    table = np.exp(1j * angles)
    for start in range(-farthest, farthest + 1, len(block)):
        shifted = table * np.exp(1j * start * frequencies)
        predicted = np.concatenate([shifted.real, shifted.imag], axis=1) @ weights
        worst = np.abs(predicted - scores).max(axis=1)
        best = np.argsort(worst)[:LIKELIEST]
        errors.append(worst[best])
        offsets.append(block[best] + start)
    order = np.argsort(np.concatenate(errors), kind="stable")[:LIKELIEST]
    return [int(offset) for offset in np.concatenate(offsets)[order]]


def alibi_slopes(
    residual: Array, distances: Array, allowed: Array, masked: NDArray[np.bool_]
) -> Array | None:
    """The slope of each head, if ``residual`` [..., queries, keys] is a multiple of the distance.

    ``distances`` are n - m, or their negated magnitudes; ``None`` if they explain nothing.
    """
    known = ~masked
    distances = np.broadcast_to(distances, residual.shape)
    values = np.where(known, residual, 0.0)
    power = np.sum(np.where(known, distances**2, 0.0), axis=(-2, -1))
    slopes = np.sum(values * distances, axis=(-2, -1)) / np.where(power > 0, power, 1.0)
    left = np.abs(values - slopes[..., np.newaxis, np.newaxis] * distances)
    if (left > allowed)[known].any() or not (np.abs(slopes) > LEAST_SLOPE).any():
        return None
    return np.asarray(slopes)


def scales_of(features: int) -> tuple[float, float]:
    """By what scores may be multiplied: nothing, or the root of the width divides them."""
    return 1.0, 1 / math.sqrt(features)
