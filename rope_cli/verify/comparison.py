"""Arrays from files put beside what the options expect of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.vocabulary import t
from rope_cli.example.user_values import GREATEST_ANGLE
from rope_cli.user_input.command_errors import CommandRefusal, quoted, quoted_path
from rope_cli.user_input.numbers import InvalidNumber
from rope_cli.verify.explain.hypotheses import OTHER
from rope_cli.verify.explain.scores import ScoreFinding, examine_scores
from rope_cli.verify.explain.verdict import DIFFERS, Finding, examine
from rope_cli.verify.measure.aligned_arrays import Arrays
from rope_cli.verify.measure.expected import (
    MOST_UNCERTAIN,
    STANDARD_BASE,
    STANDARD_LAYOUT,
    Expected,
    bound,
    expected_by_config,
    expected_plain,
)
from rope_cli.verify.measure.sweep import Progress
from rope_cli.verify.read.array_errors import InvalidArray, of_shape
from rope_cli.verify.read.request import BATCH, FEATURES, TOKENS, BadAxes, Request, layer_of
from rope_cli.verify.read.stored_array import Pair, Scores, Stored


class PositionCount(CommandRefusal):
    """Positions that are not as many as the tokens."""

    kind = "position-count"
    SENTENCE = t(
        "there are positions {given} for {tokens} tokens; accepted: one position for each "
        "token, "
        "[tokens] or [batch, tokens]",
        "позиции: {given}, а токенов {tokens}; допустимо по позиции на токен: [токены] или "
        "[пакет, токены]",
    )


class TooFar(CommandRefusal):
    """A position at which nothing is left of an angle."""

    kind = "too-far"
    SENTENCE = t(
        "position {position} is so far out that {dtype} arithmetic leaves nothing of the "
        "angles; accepted: nearer positions, or arrays computed in float64",
        "позиция {position} так далека, что при вычислениях в {dtype} от углов ничего не "
        "остаётся; допустимы более близкие позиции или массивы в float64",
    )


def expected_for(request: Request, head_width: int | None, length: int) -> Expected:
    """What is expected of rows of ``head_width`` coordinates (by default those of the config)."""
    layer, layout = layer_of(request), request.layout or STANDARD_LAYOUT
    asked = length if request.length is None else request.length
    if layer is not None:
        return expected_by_config(layer, layout, asked, request.base, request.backward)
    head = head_width or request.width or 0
    width = request.width or head
    if width > head:
        raise InvalidNumber(option="--feature-width", value=width, accepted=f"2...{head}")
    base = STANDARD_BASE if request.base is None else request.base
    return expected_plain(head, width, base, layout, request.backward)


def arranged(pair: Pair, positions: NDArray[np.int64] | None, request: Request) -> Arrays:
    """Both arrays with their axes and positions."""
    before, after = pair.before, pair.after
    if len(before.shape) == 1:  # one row, that of one token
        before, after = (replace(each, values=each.values[np.newaxis]) for each in (before, after))
    shape = before.shape
    known = positions if request.offset is None else None
    if request.positions is not None:
        known = np.array(request.positions, dtype=np.int64)
    token_axis, feature_axis, settled = axes_of(shape, known, request)
    tokens, first_axis = shape[token_axis], first_of(request)
    used = np.arange(tokens, dtype=np.int64) + (request.offset or 0) if known is None else known
    if used.ndim == 2 and len(used) == 1:  # one row of positions for every batch row
        used = used[0]
    made = Arrays(before, after, used, token_axis, feature_axis, request.tolerance)
    made = replace(made, settled=settled, first_axis=first_axis)
    batched = used.ndim == 2 and len(shape) > 2 and used.shape == (made.shape[0], tokens)
    if not batched and used.shape != (tokens,):
        raise PositionCount(given=str(list(used.shape)), tokens=tokens)
    return made


def first_of(request: Request) -> int:
    """The axis that comes first: that of the batch, if it is named."""
    return request.axes.index(BATCH) if request.axes and BATCH in request.axes else 0


def axes_of(
    shape: tuple[int, ...], known: NDArray[np.int64] | None, request: Request
) -> tuple[int, int, bool]:
    """Which axis holds the tokens, which the features, and whether that is certain."""
    rank = len(shape)
    if request.axes is not None:
        names = request.axes
        if len(names) != rank or names.count(TOKENS) != 1 or names.count(FEATURES) != 1:
            raise BadAxes(value=quoted(",".join(names)), rank=rank)
        return names.index(TOKENS), names.index(FEATURES), True
    if rank < 3:
        return rank - 2, rank - 1, True
    if known is None:
        return rank - 2, rank - 1, False
    # As many positions as one axis has entries, and the other not: they say which it is.
    fits = [axis for axis in (rank - 2, rank - 3) if shape[axis] == known.shape[-1]]
    return (fits or [rank - 2])[0], rank - 1, len(fits) == 1


def compare(
    pair: Pair,
    positions: NDArray[np.int64] | None,
    request: Request,
    progress: Progress | None = None,
) -> tuple[Finding, Expected]:
    """One pair of arrays against what is expected of it."""
    arrays = arranged(pair, positions, request)
    expected = expected_of(arrays, pair.before, request)
    finding = examine(arrays, expected, progress)
    if request.layout is None and finding.verdict == DIFFERS and expected.pairs > 1:
        # No layout was asked for, so neither is a mistake: the one that leaves less to explain.
        other = replace(expected, layout=OTHER[expected.layout])
        there = examine(arrays, other, progress)
        if left_to_explain(there) < left_to_explain(finding):
            return there, other
    return finding, expected


def left_to_explain(finding: Finding) -> float:
    """How many mistakes an explanation has, a little more if it is not proved."""
    if finding.rounding_only or (finding.coarser is not None and not finding.mistakes):
        return 0.5
    return len(finding.mistakes) + (not finding.proved) / 2 if finding.mistakes else math.inf


def settled_by(finding: Finding, request: Request) -> Request:
    """The request for the other arrays, which must have the layout and the axes of the first."""
    axes = request.axes
    if axes is None and finding.verdict != DIFFERS:
        order = finding.arrays.order
        names = dict.fromkeys(order, "other")
        names[finding.arrays.token_axis] = TOKENS
        names[finding.arrays.feature_axis] = FEATURES
        axes = tuple(names[axis] for axis in range(len(order)))
    layout = finding.read.layout_in if finding.verdict != DIFFERS else request.layout
    return replace(request, axes=axes, layout=layout)


def expected_of(arrays: Arrays, stored: Stored, request: Request) -> Expected:
    """What is expected of arrays, if they are as wide as a head or as its rotated part."""
    head = arrays.shape[-1]
    expected = expected_for(request, head, int(arrays.positions.max()) + 1)
    if head == expected.rotary_width:
        # Of a head that is rotated in part, only the rotated part was saved.
        expected = replace(expected, head_width=head)
    if expected.head_width != head:
        raise InvalidArray(
            path=quoted_path(stored.path),
            name=quoted(stored.name),
            value=of_shape(stored.shape),
            accepted=f"[..., {expected.head_width}]",
        )
    refuse_unusable(expected, int(arrays.positions.max()), arrays.dtype)
    return expected


def expected_of_list(request: Request, pairs: int) -> tuple[Expected, int]:
    """What is expected of a list of frequencies, and for which length of a text."""
    length = 1
    if request.config is not None:
        length = request.length or int(request.config.max_positions.value)
    return expected_for(request, request.width or 2 * pairs, length), length


def compare_scores(
    scores: Scores, positions: NDArray[np.int64] | None, request: Request
) -> tuple[Arrays, Expected, ScoreFinding]:
    """Scores against those of the query and the key that they belong to."""
    query, key = (
        arranged(Pair("query", each, each), positions, request)
        for each in (scores.query, scores.key)
    )
    expected = expected_of(query, scores.query, request)
    found = examine_scores(query, key, scores, expected)
    if request.layout is None and found.ratio > 1 and expected.pairs > 1:
        other = replace(expected, layout=OTHER[expected.layout])
        there = examine_scores(query, key, scores, other)
        if there.ratio <= 1 or (there.mistakes and not found.mistakes):
            return query, other, there
    return query, expected, found


def refuse_unusable(expected: Expected, position: int, dtype: str) -> None:
    """Refuse positions at which the dtype, or float64, leaves nothing of the fastest angle."""
    speed = float(expected.theta.max(initial=0.0))
    known = bound(expected.theta, [float(position)], dtype)[0][expected.theta > 0]
    if position * speed > GREATEST_ANGLE or (known.size and known.min() > MOST_UNCERTAIN):
        raise TooFar(position=position, dtype=dtype)
