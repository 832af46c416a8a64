"""Scores alone: the dot products of rotated queries and keys against the expected ones.

Scores show less than rotated rows: shifting all positions alike does not change them, nor does the
direction where queries equal keys.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.explain.hypotheses import OTHER_LAYOUT, reading_mistake
from rope_cli.verify.explain.laws import common_laws
from rope_cli.verify.explain.undetectable import Undetectable
from rope_cli.verify.measure.expected import ROUNDOFF, SMALLEST, Expected, relative_tolerance
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake, expected_hypothesis
from rope_cli.verify.read.aligned_arrays import Arrays
from rope_cli.verify.read.position_arrays import Positions
from rope_cli.verify.read.score_arrays import refuse_huge, refuse_masked_throughout
from rope_cli.verify.read.stored_array import StoredArray, StoredScores

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

GREATEST = 1e30
# Masks add numbers such as -10000 or the lowest of the dtype.
LEAST_MASK, BEYOND = -9000.0, 30.0

REPORTED_KINDS = {"other-layout", "direction", "no-rotation"}


@dataclass(frozen=True, eq=False)
class ScoreFinding:
    """The verdict on scores; ``scale`` is 1, or 1/sqrt(d) if they were divided by the root of d.

    ``ratio`` is the greatest error over the allowed error, ``where`` its index and ``value`` the
    score. ``masked`` counts the scores that were not compared. ``assumed_positions`` are those of
    queries and keys ``[tokens]`` if they were not given and the lengths differ.
    """

    ratio: float
    where: tuple[int, ...]
    scale: float
    compared: int
    dtype: str
    mistakes: tuple[Mistake, ...]
    undetectable: tuple[Undetectable, ...]
    value: float = 0.0
    masked: int = 0
    assumed_positions: tuple[Positions, Positions] | None = None


@dataclass(frozen=True, eq=False)
class ScoreMistake:
    """A mistake that scores may show, as what it does to queries and to keys."""

    mistake: Mistake
    query: Hypothesis
    key: Hypothesis


class ScoreModel:
    """Queries and keys ``[..., tokens, features]`` and their scores under any hypotheses.

    ``longest`` is the greatest score that rows of their lengths can have, ``allowed`` the largest
    error of each score that rounding explains, ``masked`` are those that are not compared.
    """

    def __init__(
        self, query: Arrays, key: Arrays, scores: StoredScores, expected: Expected
    ) -> None:
        self.query, query_positions = whole_rows(query, scores.query)
        self.key, key_positions = whole_rows(key, scores.key)
        if self.key.ndim > 2 and self.key.shape[-3] != self.query.shape[-3]:
            # Several query heads share a key head.
            shared = self.query.shape[-3] // self.key.shape[-3]
            self.key = np.repeat(self.key, shared, axis=-3)
        self.positions = query_positions, key_positions
        queries, keys = (np.linalg.norm(rows, axis=-1) for rows in (self.query, self.key))
        gain = expected.scaled.attention_factor**2
        self.longest = np.asarray(gain * queries[..., :, None] * keys[..., None, :])
        self.allowed = self.allowed_errors(expected, scores.dtype, query.tolerance)
        self.values = scores.unchecked_block(...)
        self.masked = self.masked_scores()
        refuse_masked_throughout(scores, self.masked)
        self.values = np.where(self.masked, 0.0, self.values)
        refuse_huge(scores, self.values[np.isfinite(self.values)])

    def masked_scores(self) -> Mask:
        """Scores that are minus infinity, or so low that no rows of their lengths have them.

        Also all scores of keys behind their query if every one of them is 0.
        """
        masked = np.isneginf(self.values) | (
            (self.values < LEAST_MASK) & (self.values < -BEYOND * self.longest)
        )
        queries, keys = self.positions
        later = np.broadcast_to(keys[..., None, :] > queries[..., :, None], masked.shape)
        if later.any() and not later.all() and not self.values[later].any():
            masked |= later
        return np.asarray(masked)

    def allowed_errors(
        self, expected: Expected, dtype: str, tolerance: float | None
    ) -> Array:  # [..., query tokens, key tokens]
        """The allowed error of each score, from the lengths of its query and key."""
        if tolerance is None:
            farthest = [max(float(np.abs(rows).max(initial=0.0)) for rows in self.positions)]
            rotation = relative_tolerance(expected.frequencies, farthest, dtype).max(initial=0.0)
            tolerance = 2 * float(rotation) + (self.query.shape[-1] + 8) * ROUNDOFF[dtype]
        return np.asarray(tolerance * self.longest + 2 * SMALLEST[dtype])

    def predict(self, of_query: Hypothesis, of_key: Hypothesis) -> Array:
        """The scores ``[..., query tokens, key tokens]`` if each hypothesis rotates its rows."""
        queries = of_query.predict(self.query, self.positions[0])
        keys = of_key.predict(self.key, self.positions[1])
        return np.asarray(queries @ np.swapaxes(keys, -1, -2))

    def undetectable(self, exact: Array, possible: list[ScoreMistake]) -> Iterator[Undetectable]:
        """Mistakes that would leave the scores within the allowed errors."""
        same_rows = np.array_equal(self.query, self.key) and np.array_equal(*self.positions)
        for candidate in possible:
            kind = candidate.mistake.kind
            if kind not in REPORTED_KINDS:
                continue
            wrong = self.predict(candidate.query, candidate.key)
            if ((np.abs(wrong - exact) <= self.allowed) | self.masked).all():
                why = "same-rows" if kind == "direction" and same_rows else "too-near"
                yield Undetectable(kind, why)

    def ratios(self, predicted: Array) -> tuple[float, Array]:
        """The scale that brings the scores nearest, and errors over allowed errors with it."""
        candidates = []
        for scale in (1.0, 1 / math.sqrt(self.query.shape[-1])):
            with np.errstate(invalid="ignore", over="ignore"):
                ratios = np.abs(self.values / scale - predicted) / self.allowed
            # What is no number is farther off than any.
            ratios = np.where(np.isfinite(self.values), np.minimum(ratios, GREATEST / 2), GREATEST)
            candidates.append((scale, np.where(self.masked, 0.0, ratios)))
        return min(candidates, key=lambda candidate: float(candidate[1].max()))


def whole_rows(arrays: Arrays, stored: StoredArray) -> tuple[Array, Array]:
    """All rows ``[..., tokens, features]``, and their positions shaped to broadcast over them."""
    everything = tuple(slice(0, size) for size in arrays.shape)
    rows = arrays.block(everything)[0]
    refuse_huge(stored, rows)
    return rows, arrays.positions_at(everything, arrays.positions)


def examine_scores(
    query: Arrays, key: Arrays, scores: StoredScores, expected: Expected
) -> ScoreFinding:
    """The verdict on scores, and the first common mistake that gives them.

    Shapes were checked by :func:`refuse_unfit_scores`.
    """
    model = ScoreModel(query, key, scores, expected)
    right = expected_hypothesis(expected)
    exact = model.predict(right, right)
    scale, ratios = model.ratios(exact)
    worst = int(np.argmax(ratios))
    possible = list(possible_mistakes(right, expected))
    mistakes: tuple[Mistake, ...] = ()
    if ratios.flat[worst] > 1 and np.isfinite(model.values).all():
        for candidate in possible:
            wrong = model.predict(candidate.query, candidate.key)
            if model.ratios(wrong)[1].max() <= 1:
                mistakes = (candidate.mistake,)
                break
    undetectable = [Undetectable("offset", "scores")]
    if right.pairs == 1:
        undetectable.append(Undetectable("other-layout", "one-pair"))
    return ScoreFinding(
        ratio=float(ratios.flat[worst]),
        where=tuple(int(i) for i in np.unravel_index(worst, ratios.shape)),
        scale=scale,
        compared=int((~model.masked).sum()),
        dtype=scores.dtype,
        mistakes=mistakes,
        undetectable=(*undetectable, *model.undetectable(exact, possible)),
        value=float(model.values.flat[worst]),
        masked=int(model.masked.sum()),
    )


def possible_mistakes(right: Hypothesis, expected: Expected) -> Iterator[ScoreMistake]:
    """Mistakes that scores may show, the commonest first."""
    still = right.with_change(frequencies=np.zeros_like(right.frequencies), gain=1.0)
    yield ScoreMistake(Mistake("no-rotation"), still, still)
    yield ScoreMistake(Mistake("key-not-rotated"), right, still)
    yield ScoreMistake(Mistake("query-not-rotated"), still, right)
    for hypothesis in mistakes_of_both(right, expected):
        yield ScoreMistake(hypothesis.mistakes[-1], hypothesis, hypothesis)


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
