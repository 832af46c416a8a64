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
from rope_cli.verify.read.stored_array import StoredScores

Array = NDArray[np.float64]

REPORTED_KINDS = {"other-layout", "direction", "no-rotation"}


@dataclass(frozen=True, eq=False)
class ScoreFinding:
    """The verdict on scores; ``scale`` is 1, or 1/sqrt(d) if they were divided by the root of d.

    ``ratio`` is the greatest error over the allowed error, ``where`` its index.
    """

    ratio: float
    where: tuple[int, ...]
    scale: float
    compared: int
    dtype: str
    mistakes: tuple[Mistake, ...]
    undetectable: tuple[Undetectable, ...]


@dataclass(frozen=True, eq=False)
class ScoreMistake:
    """A mistake that scores may show, as what it does to queries and to keys."""

    mistake: Mistake
    query: Hypothesis
    key: Hypothesis


class ScoreModel:
    """Queries and keys ``[..., tokens, features]`` and their scores under any hypotheses.

    ``allowed`` is the largest error of each score that rounding explains.
    """

    def __init__(
        self, query: Arrays, key: Arrays, scores: StoredScores, expected: Expected
    ) -> None:
        everything = tuple(slice(0, size) for size in query.shape)
        self.query = query.block(everything)[0]
        self.key = key.block(tuple(slice(0, size) for size in key.shape))[0]
        if self.key.ndim > 2 and self.key.shape[-3] != self.query.shape[-3]:
            # Several query heads share a key head.
            self.key = np.repeat(self.key, self.query.shape[-3] // self.key.shape[-3], axis=-3)
        self.positions = query.positions_at(everything, query.positions)
        self.allowed = self.allowed_errors(expected, scores.dtype, query.tolerance)

    def allowed_errors(
        self, expected: Expected, dtype: str, tolerance: float | None
    ) -> Array:  # [..., tokens, tokens]
        """The allowed error of each score, from the lengths of its query and key."""
        if tolerance is None:
            farthest = [float(np.abs(self.positions).max(initial=0.0))]
            rotation = relative_tolerance(expected.frequencies, farthest, dtype).max(initial=0.0)
            tolerance = 2 * float(rotation) + (self.query.shape[-1] + 8) * ROUNDOFF[dtype]
        queries, keys = (np.linalg.norm(rows, axis=-1) for rows in (self.query, self.key))
        gain = expected.scaled.attention_factor**2
        allowed = tolerance * gain * queries[..., :, None] * keys[..., None, :]
        return np.asarray(allowed + 2 * SMALLEST[dtype])

    def predict(self, of_query: Hypothesis, of_key: Hypothesis) -> Array:
        """The scores ``[..., tokens, tokens]`` if each hypothesis rotates its rows."""
        queries = of_query.predict(self.query, self.positions)
        keys = of_key.predict(self.key, self.positions)
        return np.asarray(queries @ np.swapaxes(keys, -1, -2))

    def undetectable(self, exact: Array, possible: list[ScoreMistake]) -> Iterator[Undetectable]:
        """Mistakes that would leave the scores within the allowed errors."""
        same_rows = np.array_equal(self.query, self.key)
        for candidate in possible:
            kind = candidate.mistake.kind
            if kind not in REPORTED_KINDS:
                continue
            wrong = self.predict(candidate.query, candidate.key)
            if (np.abs(wrong - exact) <= self.allowed).all():
                why = "same-rows" if kind == "direction" and same_rows else "too-near"
                yield Undetectable(kind, why)


def examine_scores(
    query: Arrays, key: Arrays, scores: StoredScores, expected: Expected
) -> ScoreFinding:
    """The verdict on scores, and the first common mistake that gives them.

    Shapes and magnitudes were checked by :func:`refuse_unfit_scores`.
    """
    model = ScoreModel(query, key, scores, expected)
    values, features = scores.block(...), query.shape[-1]
    right = expected_hypothesis(expected)
    exact = model.predict(right, right)
    scale, ratios = best_scale(values, exact, model.allowed, features)
    worst = int(np.argmax(ratios))
    possible = list(possible_mistakes(right, expected))
    mistakes: tuple[Mistake, ...] = ()
    if ratios.flat[worst] > 1:
        for candidate in possible:
            wrong = model.predict(candidate.query, candidate.key)
            if best_scale(values, wrong, model.allowed, features)[1].max() <= 1:
                mistakes = (candidate.mistake,)
                break
    undetectable = [Undetectable("offset", "scores")]
    if right.pairs == 1:
        undetectable.append(Undetectable("other-layout", "one-pair"))
    return ScoreFinding(
        ratio=float(ratios.flat[worst]),
        where=tuple(int(i) for i in np.unravel_index(worst, ratios.shape)),
        scale=scale,
        compared=values.size,
        dtype=scores.dtype,
        mistakes=mistakes,
        undetectable=(*undetectable, *model.undetectable(exact, possible)),
    )


def best_scale(scores: Array, exact: Array, allowed: Array, features: int) -> tuple[float, Array]:
    """The scale that brings the scores nearest, and errors over allowed errors with it."""
    candidates = [
        (scale, np.abs(scores / scale - exact) / allowed)
        for scale in (1.0, 1 / math.sqrt(features))
    ]
    return min(candidates, key=lambda candidate: float(candidate[1].max()))


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
