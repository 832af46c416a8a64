"""The arrays of the user's files against what the options say of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.vocabulary import t
from rope_cli.errors import RopeError
from rope_cli.example.user_values import GREATEST_ANGLE
from rope_cli.rope.scaling import Scaled
from rope_cli.scaling.layers import Layer
from rope_cli.text import Text
from rope_cli.user_input.array_refusals import describe_shape, invalid_array
from rope_cli.user_input.command_errors import CommandRefusal
from rope_cli.user_input.numbers import InvalidNumber, whole_number_between
from rope_cli.verify.explain.frequency_list import ListFinding, examine_list
from rope_cli.verify.explain.hypotheses import OTHER_LAYOUT
from rope_cli.verify.explain.not_finite import (
    NotFiniteFinding,
    examine_not_finite,
    finite_tokens,
)
from rope_cli.verify.explain.places import PLACES
from rope_cli.verify.explain.scores import ScoreFinding, examine_scores
from rope_cli.verify.explain.verdict import (
    AGREES,
    DIFFERS,
    VAGUE,
    Finding,
    Reading,
    add_mistake,
    examine,
    looks_right,
)
from rope_cli.verify.measure.expected import (
    MOST_UNCERTAIN,
    Expected,
    expected_for,
    relative_tolerance,
)
from rope_cli.verify.measure.float32_ways import float32_ways
from rope_cli.verify.measure.hypothesis import Mistake, expected_hypothesis
from rope_cli.verify.measure.prediction_errors import Progress
from rope_cli.verify.read.aligned_arrays import Arrays, align_arrays
from rope_cli.verify.read.named_arrays import InputArrays
from rope_cli.verify.read.position_arrays import FilePositions
from rope_cli.verify.read.request import GREATEST_ROTARY_WIDTH, TOKENS, Request, layer_of
from rope_cli.verify.read.score_arrays import positions_of_scores, refuse_unfit_scores
from rope_cli.verify.read.stored_array import ArrayPair, StoredArray, StoredScores

# What a mistake costs besides that was measured, not named.
UNNAMED_COST = 2


class TooFar(CommandRefusal):
    """A position so far out that rounding leaves nothing of the angles."""

    kind = "too-far"
    SENTENCE = t(
        "at position {position} rounding in {dtype} leaves no correct digit of the angles; "
        "accepted: nearer positions (--positions, --offset), or arrays computed in float64",
        "в позиции {position} округление в {dtype} не оставляет в углах ни одной верной цифры; "
        "допустимы более близкие позиции (--positions, --offset) или массивы, вычисленные в "
        "float64",
    )


def compare(
    pair: ArrayPair,
    positions: NDArray[np.int64] | None,
    request: Request,
    progress: Progress | None = None,
) -> tuple[Finding, Expected]:
    """Examine a pair of arrays; without ``--layout``, in the layout that needs fewer mistakes."""
    arrays = align_arrays(pair, positions, request)
    (arrays, expected), *others = possible_readings(arrays, pair.before, request)
    return examine_layouts(arrays, expected, request, progress, others)


def compare_query(
    pair: ArrayPair, arrays: InputArrays, request: Request, progress: Progress | None = None
) -> tuple[Finding, Expected, NDArray[np.int64] | None]:
    """Examine the query of some arrays; also the positions that were assumed for it, if any were.

    Fewer queries than keys may be the last tokens, as with a cache. That counts if it needs fewer
    mistakes than queries from position 0 on.
    """
    finding, expected = compare(pair, arrays.positions.of(pair.name), request, progress)
    last = last_positions(arrays, request)
    if last is not None and finding.verdict == DIFFERS:
        of_last, expected_of_last = compare(pair, last, request, progress)
        simpler = explanation_cost(of_last) < explanation_cost(finding)
        if simpler or of_last.verdict != DIFFERS:
            return of_last, expected_of_last, last
    return finding, expected, None


def outputs_exchanged(arrays: InputArrays, request: Request) -> bool:
    """Whether the outputs of query and key are right if they change places."""
    pairs = {pair.name: pair for pair in arrays.pairs}
    query, key = pairs.get("query"), pairs.get("key")
    if query is None or key is None or query.before.shape != key.before.shape:
        return False
    for name, before, after in (
        ("query", query.before, key.after),
        ("key", key.before, query.after),
    ):
        aligned = align_arrays(ArrayPair(name, before, after), arrays.positions.of(name), request)
        own = expected_for_arrays(aligned, before, request)
        layouts = [own] if request.layout else [own, in_other_layout(own)]
        if not any(looks_right(aligned, expected_hypothesis(layout)) for layout in layouts):
            return False
    return True


def last_positions(arrays: InputArrays, request: Request) -> NDArray[np.int64] | None:
    """The last positions of the keys for fewer queries, if nobody says where these are."""
    listed = arrays.positions.arrays
    shapes = {pair.name: pair.before.shape for pair in arrays.pairs}
    query, key = shapes.get("query", ()), shapes.get("key", ())
    told = {"query", "output"} & listed.keys() or request.positions or request.offset is not None
    if told or len(query) != len(key):
        return None
    shorter = [axis for axis, size in enumerate(query) if size < key[axis]]
    if len(shorter) != 1 or (request.axes and request.axes.index(TOKENS) != shorter[0]):
        return None
    [axis] = shorter
    row = listed.get("key", np.arange(key[axis]))
    return row[..., -query[axis] :] if row.shape[-1] == key[axis] else None


def examine_layouts(
    arrays: Arrays,
    expected: Expected,
    request: Request,
    progress: Progress | None = None,
    others: Sequence[Reading] = (),
) -> tuple[Finding, Expected]:
    """Examine aligned arrays in the layout of the request, else in the better of both."""
    if request.layout is None and looks_computed(arrays, in_other_layout(expected)):
        expected = in_other_layout(expected)
    finding = examine(arrays, expected, progress, others)
    chosen = request.layout is not None and not request.layout_by_model
    if chosen or finding.verdict != DIFFERS or expected.pairs == 1:
        return finding, expected
    other = in_other_layout(expected)
    other_finding = examine(arrays, other, progress, others)
    if request.layout_by_model and other_finding.explanations:
        # The layout of the model's code is expected, so another one is a mistake as well.
        mistake = Mistake("other-layout", {"layout": other.layout})
        explanations = add_mistake(mistake, list(other_finding.explanations))
        other_finding = replace(other_finding, errors=finding.errors, explanations=explanations)
        other = expected
    neither = not (finding.explanations or other_finding.explanations)
    fewer = 2 * other_finding.errors.wrong.sum() < finding.errors.wrong.sum()
    if explanation_cost(other_finding) < explanation_cost(finding) or (neither and fewer):
        return other_finding, other
    return finding, expected


def compare_not_finite(
    pair: ArrayPair, positions: NDArray[np.int64] | None, request: Request
) -> tuple[NotFiniteFinding, Expected]:
    """Examine a pair of arrays of which the output is not finite.

    Raises :class:`NotFinite` if the input is not finite either.
    """
    arrays = align_arrays(pair, positions, request)
    expected = expected_for_arrays(arrays, pair.before, request)
    assert isinstance(arrays.after, StoredArray)
    finding = examine_not_finite(arrays, arrays.after)
    finite = finite_tokens(finding, arrays.after)
    if finite is None:
        return finding, expected
    before, expected = examine_layouts(finite, expected, request)
    return replace(finding, before=before), expected


def possible_readings(arrays: Arrays, stored: StoredArray, request: Request) -> list[Reading]:
    """The arrays with what is expected of them, then the same on other axes that they may have.

    Arrays that are refused as they are count on other axes only if they are right there.
    """
    others: list[Reading] = []
    try:
        first: Reading = arrays, expected_for_arrays(arrays, stored, request)
    except RopeError as refusal:
        for reading in readings_on_other_axes(arrays, stored, request):
            if looks_right(reading[0], expected_hypothesis(reading[1])):
                return [reading]
        raise refusal
    layouts = [first[1]] if request.layout else [first[1], in_other_layout(first[1])]
    if not any(looks_right(arrays, expected_hypothesis(layout)) for layout in layouts):
        others = list(readings_on_other_axes(arrays, stored, request))
    return [first, *others]


def readings_on_other_axes(
    arrays: Arrays, stored: StoredArray, request: Request
) -> Iterator[Reading]:
    """The arrays on each pair of their other axes, in each layout that was not ruled out."""
    for moved in arrays.on_other_axes():
        try:
            expected = expected_for_arrays(moved, stored, request)
        except RopeError:
            continue
        yield moved, expected
        if request.layout is None:
            yield moved, in_other_layout(expected)


def looks_computed(arrays: Arrays, expected: Expected) -> bool:
    """Whether a few rows are right in a known way of computing in float32, and not exactly."""
    right = expected_hypothesis(expected)
    if arrays.dtype == "float64" or looks_right(arrays, right):
        return False
    ways = float32_ways(expected.scaled)
    return any(looks_right(arrays, replace(right, way=way)) for way in ways)


def in_other_layout(expected: Expected) -> Expected:
    """The same rotation in the other layout."""
    return replace(expected, layout=OTHER_LAYOUT[expected.layout], written=None)


def explanation_cost(finding: Finding) -> float:
    """The number of mistakes in an explanation, plus a half if it is not proved.

    What is only measured costs more than mistakes that are named.
    """
    if finding.verdict == AGREES:
        return 0.0
    if finding.rounding_only or (finding.coarser_dtype is not None and not finding.mistakes):
        return 0.5
    if not finding.mistakes:
        return math.inf
    kinds = [mistake.kind for mistake in finding.mistakes if mistake.kind not in PLACES]
    vague = UNNAMED_COST * len(VAGUE & set(kinds))
    return len(kinds) + kinds.count("row-gains") + vague + (0 if finding.proved else 0.5)


def request_for_following(finding: Finding, request: Request) -> Request:
    """The request for the other arrays of the files: the axes and layout of the first are kept."""
    if finding.verdict == DIFFERS:
        return request
    axes = request.axes or finding.arrays.axis_names
    return replace(request, axes=axes, layout=request.layout or finding.hypothesis.layout_in)


def expected_for_arrays(arrays: Arrays, stored: StoredArray, request: Request) -> Expected:
    """The expected rotation of arrays that are as wide as a head or as its rotated part."""
    head, factor = arrays.shape[-1], request.linear_factor
    farthest = int(np.abs(arrays.positions).max())
    if head > GREATEST_ROTARY_WIDTH:
        accepted = t(
            f"a last axis of width {GREATEST_ROTARY_WIDTH} or less",
            f"последняя ось шириной не больше {GREATEST_ROTARY_WIDTH}",
        )
        raise invalid_array(stored.path, stored.name, describe_shape(stored.shape), accepted)
    expected = interpolated(expected_for(request, head, text_length(arrays, request)), factor)
    if head == expected.rotary_width:
        # Only the rotated part of each head was saved.
        expected = replace(expected, head_width=head)
    first = request.first_feature
    if first is not None:
        # The rotated slice lies in a row that the config may not know the width of.
        last = head - expected.rotary_width
        if first > last:
            accepted = whole_number_between(0, max(last, 0))
            raise InvalidNumber(option="--first-feature", value=first, accepted=accepted)
        expected = replace(expected, head_width=head, first=first)
    if expected.head_width != head:
        accepted = accepted_widths(expected.head_width, head, layer_of(request))
        raise invalid_array(stored.path, stored.name, describe_shape(stored.shape), accepted)
    refuse_unusable(expected, farthest, arrays.dtype)
    return expected


def accepted_widths(width: int, row: int, layer: Layer | None) -> Text:
    """The widths of rows that a config allows, and how wider ones may be told."""
    if row % width == 0:
        return t(
            f"[..., {width}]; if several heads lie side by side, [..., {row // width}, {width}] "
            "with --axes; if other coordinates lie beside the rotated ones, --first-feature",
            f"[..., {width}]; если головы лежат в строке подряд — [..., {row // width}, {width}] "
            "с --axes; если рядом с поворачиваемыми лежат другие координаты — --first-feature",
        )
    if layer is not None and layer.unrotated is not None and row == layer.unrotated + width:
        return t(
            f"[..., {width}], or these rows with --first-feature {layer.unrotated}, which is "
            "qk_nope_head_dim of the config",
            f"[..., {width}] или эти строки с --first-feature {layer.unrotated} "
            "(qk_nope_head_dim из конфигурации)",
        )
    return t(
        f"[..., {width}], or wider rows with --first-feature",
        f"[..., {width}] или более широкие строки с --first-feature",
    )


def text_length(arrays: Arrays, request: Request) -> int:
    """The length of a text that ends at the last position."""
    return max(0, math.floor(int(arrays.positions.max()) / request.linear_factor)) + 1


def interpolated(expected: Expected, factor: float) -> Expected:
    """The same rotation by positions that are ``factor`` times as large."""
    if factor == 1:
        return expected

    def divide(scaled: Scaled) -> Scaled:
        return replace(scaled, inverse_frequencies=scaled.inverse_frequencies / factor)

    return replace(
        expected,
        scaled=divide(expected.scaled),
        scale=lambda width, base: divide(expected.scale(width, base)),
        other_readings={name: divide(other) for name, other in expected.other_readings.items()},
    )


def refuse_unusable(expected: Expected, position: int, dtype: str) -> None:
    """Refuse positions at which the dtype, or float64, leaves nothing of the fastest angle."""
    frequencies = expected.frequencies
    fastest = float(frequencies.max(initial=0.0))
    tolerance = relative_tolerance(frequencies, [float(position)], dtype)[0][frequencies > 0]
    uncertain = tolerance.size and tolerance.min() > MOST_UNCERTAIN
    if position * fastest > GREATEST_ANGLE or uncertain:
        raise TooFar(position=position, dtype=dtype)


def compare_list(
    frequencies: NDArray[np.float64], request: Request
) -> tuple[ListFinding, Expected, int]:
    """Examine a list of frequencies; also the expected rotation and the length of its text."""
    length = 1
    if request.config is not None:
        length = request.length or int(request.config.max_positions.value)
    expected = expected_for(request, request.width or 2 * len(frequencies), length)
    return examine_list(frequencies, expected), expected, length


def compare_scores(
    scores: StoredScores, file_positions: FilePositions, request: Request
) -> tuple[ScoreFinding, Expected, Arrays]:
    """Examine scores; also the expected rotation, and the queries or keys that reach farther."""
    positions = positions_of_scores(scores, file_positions, request)
    request = replace(request, positions=None, offset=None)
    query = align_arrays(ArrayPair("query", scores.query, scores.query), positions.query, request)
    key = align_arrays(ArrayPair("key", scores.key, scores.key), positions.key, request)
    farthest = max(query, key, key=lambda arrays: int(np.abs(arrays.positions).max()))
    expected = expected_for_arrays(farthest, scores.query, request)
    refuse_unfit_scores(query, key, scores)
    finding = examine_scores(query, key, scores, expected)
    if request.layout is None and finding.ratio > 1 and expected.pairs > 1:
        other = in_other_layout(expected)
        other_finding = examine_scores(query, key, scores, other)
        if other_finding.ratio <= 1 or (other_finding.mistakes and not finding.mistakes):
            finding, expected = other_finding, other
    assumed = (query.positions, key.positions) if positions.assumed else None
    return replace(finding, assumed_positions=assumed), expected, farthest
