"""Scores alone: dot products of rotated queries and keys against what RoPE makes them.

Scores keep less than rotated rows: an equal shift of all positions does not change them, and where
queries equal keys neither does the direction.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.vocabulary import t
from rope_cli.user_input.command_errors import quoted, quoted_path
from rope_cli.verify.explain.hypotheses import OTHER, of_rule
from rope_cli.verify.explain.laws import usual_laws
from rope_cli.verify.explain.undetectable import Blind
from rope_cli.verify.measure.aligned_arrays import Arrays
from rope_cli.verify.measure.expected import ROUNDOFF, SMALLEST, Expected, bound
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake, expected_hypothesis
from rope_cli.verify.read.array_errors import InvalidArray, of_shape
from rope_cli.verify.read.stored_array import Scores

Array = NDArray[np.float64]

MOST_SCORES, GREATEST_NUMBER = 1 << 22, 1e150
SHAPES = t(
    "[..., tokens, tokens] with the leading axes of the query, at most 2^22 scores",
    "[..., токены, токены] с теми же первыми осями, что у запроса, не больше 2^22 оценок",
)


@dataclass(frozen=True, eq=False)
class ScoreFinding:
    """What was found out about scores; ``scale`` is 1, or 1/sqrt(d) if they were divided by it.

    ``ratio`` is the greatest error over what is allowed, ``where`` its index.
    """

    ratio: float
    where: tuple[int, ...]
    scale: float
    compared: int
    dtype: str
    mistakes: tuple[Mistake, ...]
    blind: tuple[Blind, ...]


class Rotated:
    """Queries and keys ``[..., tokens, features]`` and the scores of any hypothesis about them."""

    def __init__(self, query: Arrays, key: Arrays, scores: Scores, expected: Expected) -> None:
        everything = tuple(slice(0, size) for size in query.shape)
        self.query = query.block(everything)[0]
        self.key = key.block(tuple(slice(0, size) for size in key.shape))[0]
        if self.key.ndim > 2 and self.key.shape[-3] != self.query.shape[-3]:
            # Several query heads share the head of a key.
            self.key = np.repeat(self.key, self.query.shape[-3] // self.key.shape[-3], axis=-3)
        self.used = query.positions_at(everything, query.positions)
        self.known = query.positions
        self.expected = expected
        u = ROUNDOFF[scores.dtype]
        m = float(np.abs(self.used).max(initial=0.0))
        turned = float(bound(expected.theta, [m], scores.dtype).max(initial=0.0))
        lengths = [np.linalg.norm(rows, axis=-1) for rows in (self.query, self.key)]
        gain = expected.scaled.attention_factor**2
        share = 2 * turned + (self.query.shape[-1] + 8) * u
        if query.tolerance is not None:
            share = query.tolerance
        self.allowed = share * gain * lengths[0][..., :, None] * lengths[1][..., None, :]
        self.allowed = self.allowed + 2 * SMALLEST[scores.dtype]

    def of(self, of_query: Hypothesis, of_key: Hypothesis) -> Array:  # [..., tokens, tokens]
        """The dot products of rows that each hypothesis rotates."""
        rows = (
            each.predict(part, np.asarray(self.used, np.float64))
            for each, part in ((of_query, self.query), (of_key, self.key))
        )
        one, two = rows
        return np.asarray(one @ np.swapaxes(two, -1, -2))


def examine_scores(query: Arrays, key: Arrays, scores: Scores, expected: Expected) -> ScoreFinding:
    """The verdict on scores, and the first common mistake that gives them.

    Raises ``InvalidArray`` if shapes do not fit together.
    """
    refuse_misfit(query, key, scores)
    refuse_huge(scores)
    rotated = Rotated(query, key, scores, expected)
    found = scores.block(...)
    right = expected_hypothesis(expected)
    exact = rotated.of(right, right)
    scale, ratios = nearest(found, exact, rotated.allowed, query.shape[-1])
    worst = int(np.argmax(ratios))
    mistakes: tuple[Mistake, ...] = ()
    others = list(possible(right, expected))
    if ratios.flat[worst] > 1:
        for mistake, one, two in others:
            there = nearest(found, rotated.of(one, two), rotated.allowed, query.shape[-1])[1]
            if there.max() <= 1:
                mistakes = (mistake,)
                break
    same_rows = rotated.query.shape == rotated.key.shape and np.array_equal(
        rotated.query, rotated.key
    )
    blind = tuple(
        Blind(mistake.kind, why(mistake.kind, same_rows))
        for mistake, one, two in others
        if mistake.kind in TOLD and (np.abs(rotated.of(one, two) - exact) <= rotated.allowed).all()
    )
    return ScoreFinding(
        ratio=float(ratios.flat[worst]),
        where=tuple(int(i) for i in np.unravel_index(worst, ratios.shape)),
        scale=scale,
        compared=found.size,
        dtype=scores.dtype,
        mistakes=mistakes,
        blind=(Blind("offset", "scores"), *one_pair(right), *blind),
    )


def one_pair(right: Hypothesis) -> tuple[Blind, ...]:
    """With one pair both layouts are the same."""
    return (Blind("other-layout", "one-pair"),) if right.pairs == 1 else ()


TOLD = {"other-layout", "direction", "no-rotation"}


def why(kind: str, same_rows: bool) -> str:
    """What the data lacks."""
    return "same-rows" if kind == "direction" and same_rows else "too-near"


def nearest(found: Array, exact: Array, allowed: Array, features: int) -> tuple[float, Array]:
    """The scale with which the scores are nearest, and the errors over what is allowed."""
    both = [
        (scale, np.abs(found / scale - exact) / allowed) for scale in (1.0, 1 / math.sqrt(features))
    ]
    return min(both, key=lambda each: float(each[1].max()))


def refuse_huge(scores: Scores) -> None:
    """Refuse numbers whose products float64 cannot hold."""
    for stored in (scores.query, scores.key, scores):
        greatest = float(np.abs(stored.block(...)).max())
        if greatest > GREATEST_NUMBER:
            spelled = f"{greatest:.3g}"
            raise InvalidArray(
                path=quoted_path(stored.path),
                name=quoted(stored.name),
                value=t(f"as large as {spelled}", f"до {spelled}"),
                accepted=t(
                    f"numbers of at most {GREATEST_NUMBER:g}",
                    f"числа не больше {GREATEST_NUMBER:g}",
                ),
            )


def refuse_misfit(query: Arrays, key: Arrays, scores: Scores) -> None:
    """Refuse scores that do not belong to the query and the key, or that are too many."""
    *leading, tokens, features = query.shape
    *key_leading, key_tokens, key_features = key.shape
    heads = leading[-1:] and key_leading[-1:] and leading[-1] % key_leading[-1] == 0
    fit = (
        leading[:-1] == key_leading[:-1]
        and (leading == key_leading or bool(heads))
        and (tokens, features) == (key_tokens, key_features)
        and scores.shape == (*leading, tokens, tokens)
        and math.prod(scores.shape) <= MOST_SCORES
    )
    if not fit:
        path = quoted_path(scores.path)
        raise InvalidArray(
            path=path, name=quoted(scores.name), value=of_shape(scores.shape), accepted=SHAPES
        )


def possible(
    right: Hypothesis, expected: Expected
) -> Iterator[tuple[Mistake, Hypothesis, Hypothesis]]:
    """Mistakes that scores may show, each with what it does to queries and to keys."""
    still = right.but(theta=np.zeros_like(right.theta), gain=1.0)
    yield Mistake("no-rotation", {}), still, still
    yield Mistake("key-not-rotated", {}), right, still
    yield Mistake("query-not-rotated", {}), still, right
    if right.pairs > 1:
        layout = OTHER[right.layout_in]
        other = right.but(layout_in=layout, layout_out=layout)
        yield Mistake("other-layout", {"layout": layout}), other, other
    back = right.but(sign=-right.sign)
    yield Mistake("direction", {}), back, back
    twice = right.but(theta=2 * right.theta, gain=right.gain**2)
    yield Mistake("rotated-twice", {}), twice, twice
    for name, scaled in expected.others.items():
        if len(scaled.inverse_frequencies) == right.pairs:
            changed = right.but(theta=scaled.inverse_frequencies, gain=scaled.attention_factor)
            yield of_rule(name), changed, changed
    for law in usual_laws(expected):
        changed = right.but(theta=law.theta)
        yield law.mistake, changed, changed
