"""Arrays from files put beside what the options expect of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rope_cli.own_values import (
    GREATEST_ANGLE,
    InvalidNumber,
)
from rope_cli.refusals import (
    CommandRefusal,
    quoted,
    quoted_path,
)
from rope_cli.verify.array_words import InvalidArray, of_shape
from rope_cli.verify.arrays import Arrays
from rope_cli.verify.candidates import OTHER
from rope_cli.verify.examining import DIFFERS, Finding, examine
from rope_cli.verify.expected import (
    STANDARD_BASE,
    STANDARD_LAYOUT,
    Expected,
    expected_by_config,
    expected_plain,
)
from rope_cli.verify.request import FEATURES, TOKENS, BadAxes, Progress, Request, layer_of
from rope_cli.verify.scores import ScoreFinding, examine_scores
from rope_cli.verify.stored import Pair, Scores, Stored
from rope_cli.words import Text


class PositionCount(CommandRefusal):
    """Positions that are not as many as the tokens."""

    kind = "position-count"
    SENTENCE = Text(
        en="there are positions {given} for {tokens} tokens; accepted: one position for each "
        "token, "
        "[tokens] or [batch, tokens]",
        ru="позиции: {given}, а токенов {tokens}; допустимо по позиции на токен: [токены] или "
        "[пакет, токены]",
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
    token_axis, feature_axis = axes_of(shape, positions, request)
    tokens = shape[token_axis]
    if request.positions is not None:
        used = np.array(request.positions, dtype=np.int64)
    elif positions is not None and request.offset is None:
        used = positions
    else:
        used = np.arange(tokens, dtype=np.int64) + (request.offset or 0)
    batched = used.ndim == 2 and len(shape) > 2 and used.shape == (shape[0], tokens)
    if not batched and used.shape != (tokens,):
        raise PositionCount(given=str(list(used.shape)), tokens=tokens)
    return Arrays(before, after, used, token_axis, feature_axis, request.tolerance)


def axes_of(
    shape: tuple[int, ...], positions: NDArray[np.int64] | None, request: Request
) -> tuple[int, int]:
    """Which axis holds the tokens and which the features."""
    rank = len(shape)
    if request.axes is not None:
        names = request.axes
        if len(names) != rank or names.count(TOKENS) != 1 or names.count(FEATURES) != 1:
            raise BadAxes(value=quoted(",".join(names)), rank=rank)
        return names.index(TOKENS), names.index(FEATURES)
    token_axis = rank - 2
    known = positions if request.positions is None else np.array(request.positions)
    if known is not None and rank > 2:
        # As many positions as the other axis has entries, and this one not: they say which it is.
        count = known.shape[-1]
        if shape[rank - 2] != count and shape[rank - 3] == count:
            token_axis = rank - 3
    return token_axis, rank - 1


def compare(
    pair: Pair,
    positions: NDArray[np.int64] | None,
    request: Request,
    progress: Progress | None = None,
) -> tuple[Finding, Expected]:
    """One pair of arrays against what is expected of it."""
    arrays = arranged(pair, positions, request)
    expected = expected_of(arrays, pair.before, request)
    given = request.axes is not None or arrays.token_axis != len(arrays.order) - 2
    finding = examine(arrays, expected, progress, axes_given=given)
    if request.layout is None and finding.verdict == DIFFERS and expected.pairs > 1:
        # No layout was asked for, so neither is a mistake: the one that leaves less to explain.
        other = replace(expected, layout=OTHER[expected.layout])
        there = examine(arrays, other, progress, axes_given=given)
        if left_to_explain(there) < left_to_explain(finding):
            return there, other
    return finding, expected


def left_to_explain(finding: Finding) -> float:
    """How many mistakes an explanation has; of two that fail, neither is better."""
    return len(finding.mistakes) if finding.mistakes else math.inf


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
            name=stored.name,
            value=of_shape(stored.shape),
            accepted=f"[..., {expected.head_width}]",
        )
    refuse_unusable(expected, int(arrays.positions.max()))
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
    return query, expected, examine_scores(query, key, scores, expected)


def refuse_unusable(expected: Expected, position: int) -> None:
    """Refuse angles of which float64 cannot hold a cosine."""
    angle = position * float(expected.theta.max(initial=0.0))
    if angle > GREATEST_ANGLE:
        accepted = f"0...{GREATEST_ANGLE:.4g}"
        raise InvalidNumber(option="m·θ", value=f"{angle:.4g}", accepted=accepted)
