"""The verdict on two arrays: readings of them are tried in order until one explains them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.rope.reduced_precision import to_float32
from rope_cli.verify.explain.diagnosis import FITTED_SLACK, Diagnosis
from rope_cli.verify.explain.hypotheses import Candidates
from rope_cli.verify.explain.places import rows_that_show, wrong_places
from rope_cli.verify.explain.schemes import other_schemes
from rope_cli.verify.explain.side_by_side import heads_apart
from rope_cli.verify.explain.undetectable import Undetectable, undetectable_mistakes
from rope_cli.verify.measure.estimates import (
    FrequencyEstimate,
    Rotations,
    estimate_frequencies,
    measure_rotations,
)
from rope_cli.verify.measure.expected import Expected
from rope_cli.verify.measure.float32_ways import float32_ways
from rope_cli.verify.measure.hypothesis import ROUND_TO, Hypothesis, Mistake, expected_hypothesis
from rope_cli.verify.measure.prediction_errors import (
    Errors,
    Progress,
    compare_sample,
    measure_errors,
    own_gains,
    sample_wrong_rows,
    worst_ratio,
)
from rope_cli.verify.measure.sampling import (
    MOST_BATCHES,
    leading_indices,
    take_rows,
    take_wrong_rows,
)
from rope_cli.verify.read.aligned_arrays import Arrays
from rope_cli.verify.read.stored_array import StoredArray

# Narrower dtypes in which numbers stored in each dtype may have been computed.
NARROWER = {"float64": ("bfloat16", "float16", "float32"), "float32": ("bfloat16", "float16")}
# Fewer different numbers may be exact in a narrow dtype by chance.
MANY_NUMBERS = 16
# Decimals that printed numbers have at most; by how much of the last one rows may be off, of which
# the input is rounded as well as the output.
MOST_DECIMALS, PRINTED_ERROR = 7, 1.5
PREVIEW_ROWS, PREVIEW_TOKENS = 2, 16
# Rows of so few numbers do not show that they have a factor in common.
LEAST_SCALED = 2
# As float32, an explanation must explain errors so many times as large as those that it allows.
LEAST_EXPLAINED = 8
# Kinds that say what was measured, but not what was done.
VAGUE = {"unknown-frequencies", "other-positions"}
# So many explanations are tested on everything.
MOST_TESTED = 6
AGREES, OTHER_LAYOUT, DIFFERS = "agrees", "agrees-in-another-layout", "differs"
AXES_EXCHANGED = Mistake("axes-exchanged")
# Arrays on certain axes, and what is expected of them there.
Reading = tuple[Arrays, Expected]


@dataclass(frozen=True, eq=False)
class Finding:
    """The verdict on two arrays and everything that supports it.

    ``errors`` are against the expected rotation, ``remaining`` against the first explanation (the
    same if the arrays agree). ``explanations`` have equally few mistakes, the likeliest first;
    there are none if nothing known explains the arrays. ``rotations`` and ``estimate`` were
    measured with the pairing of ``hypothesis``, on wrong rows if there are any.
    ``too_little_data`` if a chance match was likely, so that few hypotheses were tried.
    ``rounding_only`` if the user's tolerance is finer than the dtype. ``coarser_dtype`` is one in
    which the explanation, or without one the expectation, holds. ``token_axis_moved`` if the
    explanation holds for tokens on the axis before the last but one. ``agrees_on`` are the arrays
    on other axes where they are right. ``way`` is the kind of a known way of computing in float32
    by which the arrays agree, though they are farther off than a single rounding.
    """

    verdict: str
    errors: Errors
    remaining: Errors
    explanations: tuple[Hypothesis, ...]
    undetectable: tuple[Undetectable, ...]
    arrays: Arrays
    hypothesis: Hypothesis
    rotations: Rotations
    estimate: FrequencyEstimate | None
    too_little_data: bool = False
    rounding_only: bool = False
    coarser_dtype: str | None = None
    token_axis_moved: bool = False
    agrees_on: Arrays | None = None
    way: str | None = None

    @property
    def decisive_errors(self) -> Errors:
        """The errors that the verdict rests on."""
        remains = self.verdict == OTHER_LAYOUT or self.way is not None
        return self.remaining if remains else self.errors

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes of the first explanation."""
        return self.explanations[0].mistakes if self.explanations else ()

    @property
    def wrong_places(self) -> tuple[Mistake, ...]:
        """The wrong rows; none if they are no part of all."""
        wrong = self.errors.wrong
        return wrong_places(self.arrays, wrong, ~wrong & rows_that_show(self.arrays))

    @property
    def proved(self) -> bool:
        """Whether the first explanation explains every number."""
        return bool(self.explanations) and self.remaining.holds


@dataclass(frozen=True, eq=False)
class Case:
    """Two arrays, the expected rotation, and the errors against it; also other readings."""

    arrays: Arrays
    expected: Expected
    errors: Errors
    progress: Progress | None = None
    others: Sequence[Reading] = ()

    @property
    def right(self) -> Hypothesis:
        """The hypothesis that everything is as expected."""
        return expected_hypothesis(self.expected)

    def explanations(self) -> list[Hypothesis]:
        """The simplest hypotheses that explain the wrong rows."""
        sample = sample_wrong_rows(self.arrays, self.errors)
        return Diagnosis(sample, self.expected).explanations()

    def with_arrays(self, arrays: Arrays) -> Case:
        """The same case with the arrays read in another way, compared anew."""
        return replace(
            self, arrays=arrays, errors=measure_errors(arrays, self.right, self.progress)
        )

    def finding(
        self,
        verdict: str,
        explanations: tuple[Hypothesis, ...] = (),
        remaining: Errors | None = None,
    ) -> Finding:
        """A verdict with the measurements, and with the mistakes that would go unnoticed."""
        hypothesis = explanations[0] if explanations else self.right
        sample = sample_wrong_rows(self.arrays, self.errors)
        rotations = measure_rotations(sample, hypothesis)
        several_rows = any(size > 1 for size in self.arrays.shape[:-2])
        hidden = undetectable_mistakes(sample, self.expected, several_rows)
        if hypothesis.position_rule is not None:
            # Tokens that were found at other positions show what those at 0 could not.
            hidden = tuple(mistake for mistake in hidden if mistake.why != "position-zero")
        return Finding(
            verdict=verdict,
            errors=self.errors,
            remaining=self.errors if remaining is None else remaining,
            explanations=explanations,
            undetectable=hidden,
            arrays=self.arrays,
            hypothesis=hypothesis,
            rotations=rotations,
            estimate=estimate_frequencies(rotations),
            too_little_data=(
                verdict == DIFFERS and Diagnosis(sample, self.expected).too_little_data
            ),
        )


def examine(
    arrays: Arrays,
    expected: Expected,
    progress: Progress | None = None,
    others: Sequence[Reading] = (),
) -> Finding:
    """Compare everything, and try the readings in order until one explains the arrays.

    ``others`` are the arrays on other axes, which count as an explanation where they are right.
    """
    case = replace(compare_in_own_precision(arrays, expected, progress), others=others)
    partial = None
    for reading in READINGS:
        finding = reading(case)
        if finding is not None and (finding.proved or not finding.explanations[:1]):
            return finding
        partial = partial or finding
    return case.finding(DIFFERS) if partial is None else partial


def compare_in_own_precision(arrays: Arrays, expected: Expected, progress: Progress | None) -> Case:
    """Compare arrays; numbers that a narrower dtype holds exactly were computed in it."""
    errors = measure_errors(arrays, expected_hypothesis(expected), progress)
    case = Case(arrays, expected, errors, progress)
    while not case.errors.holds:
        dtype = narrower_dtype(case)
        if dtype is None:
            break
        case = case.with_arrays(replace(case.arrays, precision=dtype))
    return case


def narrower_dtype(case: Case) -> str | None:
    """The narrower dtype that holds every output of a sample exactly, if they are many."""
    arrays = case.arrays
    if arrays.tolerance is not None or arrays.dtype not in NARROWER:
        return None
    if isinstance(arrays.after, StoredArray) and arrays.after.whole:
        return None  # small integers are exact in every dtype
    sample = sample_wrong_rows(arrays, case.errors)
    if len(np.unique(sample.after)) < MANY_NUMBERS:
        return None
    for dtype in NARROWER[arrays.dtype]:
        round_to = ROUND_TO.get(dtype, to_float32)
        with np.errstate(over="ignore"):
            if np.array_equal(round_to(sample.after), sample.after):
                return dtype
    return None


def as_given(case: Case) -> Finding | None:
    """The arrays are right."""
    return case.finding(AGREES) if case.errors.holds else None


def within_rounding(case: Case) -> Finding | None:
    """Only the user's tolerance is finer than the dtype allows."""
    if case.arrays.tolerance is None:
        return None
    arrays = replace(case.arrays, tolerance=None)
    if not measure_errors(arrays, case.right).holds:
        return None
    return replace(case.finding(DIFFERS), rounding_only=True)


def computed_in_known_way(case: Case) -> Finding | None:
    """The arrays are right but for float32 roundings that add up in a known way of computing."""
    arrays = case.arrays
    if arrays.dtype == "float64" or arrays.tolerance is not None:
        return None
    ways = [replace(case.right, way=way) for way in float32_ways(case.expected.scaled)]
    nearest = min(ways, key=partial(preview_ratio, arrays), default=None)
    if nearest is None or nearest.way is None or not looks_right(arrays, nearest):
        return None
    remaining = measure_errors(arrays, nearest, case.progress)
    if not remaining.holds:
        return None
    return replace(case.finding(AGREES, remaining=remaining), way=nearest.way.kind)


def on_other_axes(case: Case) -> Finding | None:
    """The arrays are right on other axes, which nobody has named."""
    for moved, expected in case.others:
        arrays, right = (
            replace(moved, precision=case.arrays.precision),
            expected_hypothesis(expected),
        )
        if looks_right(arrays, right):
            remaining = measure_errors(arrays, right, case.progress)
            if remaining.holds:
                return agreement_on_axes(case, arrays, remaining)
    return None


def agreement_on_axes(case: Case, arrays: Arrays, remaining: Errors) -> Finding:
    """Arrays that are right on other axes; on those that count they differ."""
    same_features = arrays.feature_axis == case.arrays.feature_axis
    kind = "axes-exchanged" if same_features else "features-axis"
    explanation = case.right.with_change(Mistake(kind, {"axes": ",".join(arrays.axis_names)}))
    # A single token with several heads looks like several tokens that are all at its position.
    named = with_mistakes(case) if arrays.shape[-2] == 1 else None
    if named is not None and named.proved:
        explanations = (*named.explanations, explanation)
        return replace(named, explanations=explanations, agrees_on=arrays)
    return replace(case.finding(DIFFERS, (explanation,), remaining), agrees_on=arrays)


def heads_rotated_as_tokens(case: Case) -> Finding | None:
    """The heads were rotated as if they were tokens, and nothing else is wrong."""
    explanation = case.right.with_change(AXES_EXCHANGED)
    for arrays in heads_as_tokens(case.arrays):
        if looks_right(arrays, case.right):
            remaining = measure_errors(arrays, explanation, strict=False)
            if remaining.holds:
                return case.finding(DIFFERS, (explanation,), remaining)
    return None


def with_mistakes(case: Case) -> Finding | None:
    """Known mistakes explain the arrays, or those rows of them that are wrong."""
    explanations = case.explanations()
    finding = conclude(case, explanations) if explanations else None
    vague = finding is not None and bool(VAGUE & set(explanations[0].kinds))
    if vague:
        # Float32 frequencies in float64 code are not those of any law, nor wrong.
        right_in_float32 = with_fewer_digits(case)
        if right_in_float32 is not None and not right_in_float32.explanations:
            return right_in_float32
    if finding is not None and not vague and (finding.proved or not explanations[0].testable):
        return finding
    added_up = with_roundings_that_add_up(case)
    if added_up is not None:
        return added_up
    in_some_rows = with_mistakes_in_some_rows(case)
    if vague and in_some_rows is not None and VAGUE & set(in_some_rows.hypothesis.kinds):
        return finding
    return in_some_rows or finding


def with_roundings_that_add_up(case: Case) -> Finding | None:
    """Known mistakes explain the arrays but for float32 roundings that add up from pair to pair."""
    sample = sample_wrong_rows(case.arrays, case.errors)
    if not Diagnosis(sample, case.expected).roundings_may_add_up:
        return None
    explanations = Diagnosis(sample, case.expected, slack=FITTED_SLACK).explanations()
    if not explanations or VAGUE & set(explanations[0].kinds):
        return None
    finding = conclude(case, explanations)
    return finding if finding.proved else None


def with_mistakes_in_some_rows(case: Case) -> Finding | None:
    """Known mistakes explain the wrong rows, while others are right, and not for position 0."""
    wrong = case.errors.wrong
    rows = take_wrong_rows(case.arrays, wrong)
    if (rows_that_show(case.arrays) & ~wrong).any():
        explanations = Diagnosis(rows, case.expected).explanations()
    else:  # a right row at position 0 shows only that it was written
        never_written = case.right.with_change(Mistake("zeros"), form="zeros")
        is_one = not wrong.all() and worst_ratio(never_written, rows) <= 1.0
        explanations = [never_written] if is_one else []
    finding = conclude(case, explanations) if explanations else None
    return finding if finding is not None and finding.proved else None


def with_positions_by_row(case: Case) -> Finding | None:
    """The indices of a leading axis, batch rows or heads, have positions of their own."""
    arrays = case.arrays
    if arrays.positions.ndim != 1:
        return None
    silent = replace(case, progress=None)
    for axis in arrays.order[:-2]:
        size = arrays.before.shape[axis]
        if not 1 < size <= MOST_BATCHES:
            continue
        positions = np.broadcast_to(arrays.positions, (size, len(arrays.positions)))
        by_row = silent.with_arrays(replace(arrays, positions=positions, batch_axis=axis))
        sample = sample_wrong_rows(by_row.arrays, by_row.errors, every_batch=True)
        explanations = Diagnosis(sample, case.expected).position_explanations()
        if explanations:
            finding = conclude(by_row, [with_axis(hypothesis, axis) for hypothesis in explanations])
            if finding.proved:
                return case.finding(DIFFERS, finding.explanations, finding.remaining)
    return None


def with_axis(hypothesis: Hypothesis, axis: int) -> Hypothesis:
    """Name the axis whose indices have positions of their own."""
    *others, last = hypothesis.mistakes
    return replace(
        hypothesis, mistakes=(*others, Mistake(last.kind, {"axis": axis, **last.figures}))
    )


def heads_side_by_side(case: Case) -> Finding | None:
    """Several heads lie in each row, each rotated by itself as expected."""
    for arrays, expected in heads_apart(case.arrays, case.expected):
        right = expected_hypothesis(expected)
        if looks_right(arrays, right):
            explanation = right.with_change(fused_heads(arrays, expected))
            remaining = measure_errors(arrays, explanation, strict=False)
            return case.finding(DIFFERS, (explanation,), remaining)
    return None


def with_mistakes_in_heads_side_by_side(case: Case) -> Finding | None:
    """Several heads lie in each row, each rotated by itself with known mistakes."""
    if case.expected.rotary_width == case.arrays.shape[-1]:
        return None
    silent = replace(case, progress=None)
    for arrays, expected in heads_apart(case.arrays, case.expected):
        apart = replace(silent, expected=expected).with_arrays(arrays)
        explanations = add_mistake(fused_heads(arrays, expected), apart.explanations())
        if explanations:
            remaining = measure_errors(arrays, explanations[0], strict=False)
            return case.finding(DIFFERS, explanations, remaining)
    return None


def fused_heads(arrays: Arrays, expected: Expected) -> Mistake:
    """How many heads lie side by side, and how wide each is."""
    figures = {"heads": arrays.before.shape[-2], "width": expected.head_width}
    return Mistake("fused-heads", figures)


def as_another_scheme(case: Case) -> Finding | None:
    """The arrays follow another scheme of positions."""
    diagnosis = Diagnosis(sample_wrong_rows(case.arrays, case.errors), case.expected)
    if diagnosis.too_little_data:
        return None
    schemes = [scheme for scheme in other_schemes(diagnosis) if diagnosis.explains(scheme)]
    if not schemes:
        return None
    fewest = min(len(scheme.mistakes) for scheme in schemes)
    simplest = {scheme.kinds: scheme for scheme in schemes[::-1] if len(scheme.mistakes) == fewest}
    finding = conclude(case, list(simplest.values())[::-1])
    return finding if finding.proved else None


def with_gains_by_row(case: Case) -> Finding | None:
    """Every row is right but for a factor of its own."""
    sample = sample_wrong_rows(case.arrays, case.errors)
    if sample.before.shape[-1] <= LEAST_SCALED:
        return None  # a factor brings many a row near
    for start in (case.right, *Candidates(sample, case.expected).pairings()):
        explanation = start.with_change(Mistake("row-gains"), own_gains=True)
        if worst_ratio(explanation, sample) <= 1.0:
            return conclude(case, [explanation])
    return None


def with_mistakes_on_other_token_axis(case: Case) -> Finding | None:
    """Known mistakes explain the arrays if the tokens lie on the axis before."""
    usual = case.arrays
    for arrays in usual.on_other_axes():
        axes = arrays.token_axis, arrays.feature_axis
        if len(usual.order) < 3 or axes != (usual.order[-3], usual.feature_axis):
            continue
        finding = with_mistakes(case.with_arrays(arrays))
        if finding is not None:
            return replace(finding, token_axis_moved=True)
    return None


def heads_rotated_with_mistakes(case: Case) -> Finding | None:
    """The heads were rotated as if they were tokens, and with known mistakes."""
    silent = replace(case, progress=None)
    for arrays in heads_as_tokens(case.arrays):
        explanations = add_mistake(AXES_EXCHANGED, silent.with_arrays(arrays).explanations())
        if explanations:
            remaining = measure_errors(arrays, explanations[0], strict=False)
            return case.finding(DIFFERS, explanations, remaining)
    return None


def with_fewer_digits(case: Case) -> Finding | None:
    """As float32, float64 numbers are right or explained: they were printed with few digits."""
    if case.arrays.dtype != "float64" or case.arrays.tolerance is not None:
        return None
    coarser = "float32"
    silent = replace(case, progress=None)
    rounded = silent.with_arrays(replace(case.arrays, precision=coarser))
    sample = sample_wrong_rows(rounded.arrays, rounded.errors)
    if not Diagnosis(sample, case.expected).is_sharp:
        return None  # so far from 0 that float32 leaves little to explain
    if rounded.errors.holds:
        return replace(case.finding(DIFFERS), coarser_dtype=coarser)
    finding = with_mistakes(rounded)
    if finding is None or not explains_more_than_it_allows(finding, case.errors):
        return None
    return replace(
        finding, arrays=case.arrays, errors=case.errors, verdict=DIFFERS, coarser_dtype=coarser
    )


def within_printed_decimals(case: Case) -> Finding | None:
    """The arrays are right within what a few printed decimals leave of their numbers."""
    arrays = case.arrays
    if arrays.dtype != "float64" or arrays.tolerance is not None:
        return None
    sample = sample_wrong_rows(arrays, case.errors)
    decimals = printed_decimals(sample.before, sample.after)
    if decimals is None:
        return None
    last = 10.0**-decimals
    errors = compare_sample(case.right, sample).errors
    if not (errors <= PRINTED_ERROR * last).all():
        return None
    for tolerance in (float(f"1e-{power}") for power in range(decimals, 0, -1)):
        looser = replace(arrays, tolerance=tolerance)
        if looks_right(looser, case.right):
            remaining = measure_errors(looser, case.right)
            if remaining.holds:
                figures = {"decimals": decimals, "tolerance": tolerance}
                explanation = case.right.with_change(Mistake("printed-decimals", figures))
                return case.finding(DIFFERS, (explanation,), remaining)
    return None


def printed_decimals(*arrays: NDArray[np.float64]) -> int | None:
    """The decimals of numbers none of which has more than a few, if the numbers are many."""
    if any(len(np.unique(array)) < MANY_NUMBERS for array in arrays):
        return None
    for decimals in range(1, MOST_DECIMALS + 1):
        if all(np.array_equal(np.round(array, decimals), array) for array in arrays):
            return decimals
    return None


def explains_more_than_it_allows(finding: Finding, errors: Errors) -> bool:
    """Whether the bound of an explanation is much tighter than the errors that it explains."""
    hypothesis, arrays = finding.hypothesis, finding.arrays
    positions = np.abs(hypothesis.apply_position_rule(arrays.positions))
    tolerance = hypothesis.relative_tolerance([float(positions.max())], arrays.dtype)
    return LEAST_EXPLAINED * float(tolerance.max(initial=0.0)) <= errors.error


# Tried in this order.
READINGS: tuple[Callable[[Case], Finding | None], ...] = (
    as_given,
    within_rounding,
    computed_in_known_way,
    on_other_axes,
    heads_rotated_as_tokens,
    heads_side_by_side,
    within_printed_decimals,
    with_mistakes,
    with_positions_by_row,
    with_mistakes_in_heads_side_by_side,
    as_another_scheme,
    with_gains_by_row,
    with_mistakes_on_other_token_axis,
    heads_rotated_with_mistakes,
    with_fewer_digits,
)


def heads_as_tokens(arrays: Arrays) -> Iterator[Arrays]:
    """The arrays with the heads at the positions of the tokens, and at positions from 0."""
    if len(arrays.order) < 3:
        return
    axis = arrays.order[-3]
    size = arrays.before.shape[axis]
    if size > 1:
        yield from with_tokens_on_head_axis(arrays)
        yield replace(arrays, positions=np.arange(size), token_axis=axis)


def with_tokens_on_head_axis(arrays: Arrays) -> Iterator[Arrays]:
    """The arrays with the axis before the tokens, usually that of the heads, as the token axis.

    Positions stay where they fit. Consecutive ones are continued to as many as are needed.
    """
    if len(arrays.order) < 3:
        return
    axis, positions = arrays.order[-3], arrays.positions
    size = arrays.before.shape[axis]
    if size == 1 and (not positions.any() or positions.ravel()[0] == 0):
        return  # a single token at position 0 is not rotated
    if size == arrays.shape[-2]:
        yield replace(arrays, token_axis=axis)
    elif positions.ndim == 1 and (np.diff(positions) == 1).all():
        continued = positions[0] + np.arange(size)
        yield replace(arrays, positions=continued, token_axis=axis)


def looks_right(arrays: Arrays, hypothesis: Hypothesis) -> bool:
    """Whether a few rows fit a hypothesis, so that a whole pass is worth its time."""
    return preview_ratio(arrays, hypothesis) <= 1.0


def preview_ratio(arrays: Arrays, hypothesis: Hypothesis) -> float:
    """The greatest error over its allowed error in a few rows."""
    leading = leading_indices(arrays)[:PREVIEW_ROWS]
    tokens = np.unique(np.linspace(0, arrays.shape[-2] - 1, PREVIEW_TOKENS).astype(np.int64))
    return worst_ratio(hypothesis, take_rows(arrays, leading, tokens))


def conclude(case: Case, explanations: list[Hypothesis]) -> Finding:
    """The verdict on explanations of a sample, after a second pass over everything.

    The first explanation of all wrong numbers comes first. Rows that hide the mistake look right,
    so the whole is tested before the wrong rows alone.
    """
    arrays, remaining, places = case.arrays, case.errors, sound_indices(case)
    for number, hypothesis in enumerate(explanations[:MOST_TESTED]):
        if not hypothesis.testable:
            break
        errors = measure_errors(arrays, hypothesis, case.progress, strict=False)
        unexplained = errors.wrong & case.errors.wrong
        if number == 0:
            remaining = errors
        if not unexplained.any():
            # Of the figures of one mistake those go that were refuted.
            refuted = [other for other in explanations[:number] if other.kinds != hypothesis.kinds]
            explanations = [hypothesis, *refuted, *explanations[number + 1 :]]
            places = wrong_places(arrays, case.errors.wrong, errors.wrong)
            remaining = errors
            if places:
                wrong = case.errors.wrong
                remaining = measure_errors(arrays, hypothesis, only=wrong, strict=False)
            break
    if explanations[0].kinds == ("other-layout",) and not places:
        # With a tolerance the verdict needs a strict pass.
        strict = remaining
        if arrays.tolerance is not None:
            strict = measure_errors(arrays, explanations[0])
        if strict.holds:
            return case.finding(OTHER_LAYOUT, tuple(explanations), remaining)
    named = tuple(
        with_measured_figures(
            replace(explanation, mistakes=(*places, *explanation.mistakes)), arrays
        )
        for explanation in explanations
    )
    return case.finding(DIFFERS, named, remaining)


def sound_indices(case: Case) -> tuple[Mistake, ...]:
    """The wrong indices of the leading axes, if others have no wrong row."""
    wrong = case.errors.wrong
    sound = np.broadcast_to(~wrong.any(axis=-1, keepdims=True), wrong.shape)
    return wrong_places(case.arrays, wrong, sound & rows_that_show(case.arrays))


def add_mistake(mistake: Mistake, explanations: list[Hypothesis]) -> tuple[Hypothesis, ...]:
    """The explanations with another mistake in front; their predictions stay."""
    return tuple(
        replace(hypothesis, mistakes=(mistake, *hypothesis.mistakes)) for hypothesis in explanations
    )


def with_measured_figures(hypothesis: Hypothesis, arrays: Arrays) -> Hypothesis:
    """Add the first position at which a rounding shows, or the gains that rows have."""
    figures: dict[str, Any] = {}
    if hypothesis.rounding is not None:
        exact = replace(hypothesis, rounding=None)
        wrong = measure_errors(arrays, exact, strict=False).by_token > 1.0
        first = int(arrays.positions[..., wrong].min()) if wrong.any() else 0
        figures = {"from_position": first}
    elif hypothesis.own_gains:
        figures = gain_figures(arrays, hypothesis)
    if not figures:
        return hypothesis
    *others, last = hypothesis.mistakes
    complete = Mistake(last.kind, {**last.figures, **figures})
    return replace(hypothesis, mistakes=(*others, complete))


def gain_figures(arrays: Arrays, hypothesis: Hypothesis) -> dict[str, Any]:
    """The least and the greatest gain of a row, in the first block of the arrays."""
    index = next(arrays.blocks())
    before, after = arrays.block(index)
    positions = hypothesis.apply_position_rule(arrays.positions)
    rows = arrays.positions_at(index, positions)
    predicted = hypothesis.predict(before, rows)
    allowed = hypothesis.allowed_errors(before, rows, arrays.dtype)
    gains = own_gains(predicted, after, allowed)[0][np.any(predicted, axis=-1)]
    least, greatest = (float(f"{gain:.6g}") for gain in (gains.min(), gains.max()))
    return {"least": least, "greatest": greatest}
