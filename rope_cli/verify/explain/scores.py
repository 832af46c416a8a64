"""Scores alone: the dot products of rotated queries and keys against the expected ones.

Scores show less than rotated rows: shifting all positions alike does not change them, nor does the
direction where queries equal keys.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.explain.score_mistakes import (
    CELLS,
    ScoreMistake,
    alibi_slopes,
    possible_mistakes,
    query_offsets,
    scales_of,
)
from rope_cli.verify.explain.undetectable import Undetectable
from rope_cli.verify.measure.expected import ROUNDOFF, SMALLEST, Expected, relative_tolerance
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake, expected_hypothesis
from rope_cli.verify.read.aligned_arrays import Arrays
from rope_cli.verify.read.position_arrays import Positions
from rope_cli.verify.read.score_arrays import refuse_huge, refuse_masked_throughout
from rope_cli.verify.read.stored_array import StoredScores

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


class ScoreModel:
    """Queries and keys ``[..., tokens, features]`` and their scores under any hypotheses.

    ``longest`` is the greatest score that rows of their lengths can have, ``allowed`` the largest
    error of each score that rounding explains, ``masked`` are those that are not compared.
    """

    def __init__(
        self, query: Arrays, key: Arrays, scores: StoredScores, expected: Expected
    ) -> None:
        self.query, query_positions = whole_rows(query)
        self.key, key_positions = whole_rows(key)
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
        queries = rotate(of_query, self.query, self.positions[0])
        keys = rotate(of_key, self.key, self.positions[1])
        return np.asarray(queries @ np.swapaxes(keys, -1, -2))

    def offset_mistakes(self, right: Hypothesis) -> Iterator[ScoreMistake]:
        """Queries shifted against the keys, by a few cells of the scores."""
        queries = rotate(right, self.query, self.positions[0])
        keys = rotate(right, self.key, self.positions[1])
        flat = np.flatnonzero(~self.masked)
        spread = flat[np.unique(np.linspace(0, len(flat) - 1, CELLS).astype(np.intp))]
        *leading, query, key = np.unravel_index(spread, self.values.shape)
        rows = queries[(*leading, query)], keys[(*leading, key)]
        for scale in scales_of(self.query.shape[-1]):
            yield from query_offsets(right, *rows, self.values[(*leading, query, key)] / scale)

    def alibi(self, right: Hypothesis) -> Iterator[Mistake]:
        """Slopes by distance, added to the scores of rows that are rotated or are not."""
        still = right.with_change(frequencies=np.zeros_like(right.frequencies), gain=1.0)
        queries, keys = self.positions
        distances = keys[..., np.newaxis, :] - queries[..., :, np.newaxis]
        for hypothesis in (still, right):
            exact = self.predict(hypothesis, hypothesis)
            for scale in scales_of(self.query.shape[-1]):
                residual, allowed = self.values - scale * exact, scale * self.allowed
                for signed in (distances, -np.abs(distances)):
                    slopes = alibi_slopes(residual, signed, allowed, self.masked)
                    if slopes is not None:
                        shown = [float(f"{slope:.6g}") for slope in slopes.reshape(-1)]
                        rotated = hypothesis is right
                        yield Mistake("alibi", {"slopes": shown, "rotated": rotated})

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

    def transposed(self, exact: Array) -> Iterator[Mistake]:
        """Scores that stand each in the place of the other of two tokens."""
        if exact.shape[-1] == exact.shape[-2]:
            allowed = np.maximum(self.allowed, np.swapaxes(self.allowed, -1, -2))
            _, ratios = self.ratios(np.swapaxes(exact, -1, -2), allowed)
            if ratios.max() <= 1:
                yield Mistake("scores-transposed")

    def ratios(self, predicted: Array, allowed: Array | None = None) -> tuple[float, Array]:
        """The scale that brings the scores nearest, and errors over allowed errors with it."""
        allowed = self.allowed if allowed is None else allowed
        candidates = []
        for scale in scales_of(self.query.shape[-1]):
            with np.errstate(invalid="ignore", over="ignore"):
                ratios = np.abs(self.values / scale - predicted) / allowed
            # What is no number is farther off than any.
            ratios = np.where(np.isfinite(self.values), np.minimum(ratios, GREATEST / 2), GREATEST)
            candidates.append((scale, np.where(self.masked, 0.0, ratios)))
        return min(candidates, key=lambda candidate: float(candidate[1].max()))


def rotate(hypothesis: Hypothesis, rows: Array, positions: Array) -> Array:
    """Rows as a hypothesis rotates them."""
    if hypothesis.position_rule is not None:
        positions = hypothesis.position_rule(positions.astype(np.int64)).astype(np.float64)
    return hypothesis.predict(rows, positions)


def whole_rows(arrays: Arrays) -> tuple[Array, Array]:
    """All rows ``[..., tokens, features]``, and their positions shaped to broadcast over them."""
    everything = tuple(slice(0, size) for size in arrays.shape)
    return arrays.block(everything)[0], arrays.positions_at(everything, arrays.positions)


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
        mistakes = explain_scores(model, right, possible)
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


def explain_scores(
    model: ScoreModel, right: Hypothesis, possible: Sequence[ScoreMistake]
) -> tuple[Mistake, ...]:
    """The first mistake that gives the scores, if one does."""

    def first_of(candidates: Iterable[ScoreMistake]) -> Iterator[Mistake]:
        for candidate in candidates:
            wrong = model.predict(candidate.query, candidate.key)
            if model.ratios(wrong)[1].max() <= 1:
                yield candidate.mistake

    found = itertools.chain(
        first_of(possible),
        model.transposed(model.predict(right, right)),
        first_of(model.offset_mistakes(right)),
        model.alibi(right),
    )
    return tuple(itertools.islice(found, 1))
