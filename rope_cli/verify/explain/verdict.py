"""The verdict on two arrays: readings of them are tried in order until one explains them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from rope_cli.rope.reduced_precision import to_float32
from rope_cli.verify.explain.diagnosis import Diagnosis
from rope_cli.verify.explain.undetectable import Undetectable, undetectable_mistakes
from rope_cli.verify.measure.estimates import (
    FrequencyEstimate,
    Rotations,
    estimate_frequencies,
    measure_rotations,
)
from rope_cli.verify.measure.expected import Expected
from rope_cli.verify.measure.hypothesis import ROUND_TO, Hypothesis, Mistake, expected_hypothesis
from rope_cli.verify.measure.prediction_errors import (
    Errors,
    Progress,
    measure_errors,
    sample_wrong_rows,
    worst_ratio,
)
from rope_cli.verify.measure.sampling import leading_indices, take_rows
from rope_cli.verify.read.aligned_arrays import Arrays
from rope_cli.verify.read.stored_array import StoredArray

# Narrower dtypes in which numbers stored in each dtype may have been computed.
NARROWER = {"float64": ("bfloat16", "float16", "float32"), "float32": ("bfloat16", "float16")}
# Fewer different numbers may be exact in a narrow dtype by chance.
MANY_NUMBERS = 16
PREVIEW_ROWS, PREVIEW_TOKENS = 2, 16
AGREES, OTHER_LAYOUT, DIFFERS = "agrees", "agrees-in-another-layout", "differs"
AXES_EXCHANGED = Mistake("axes-exchanged")


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
    tokens lie on another axis than the last but one.
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

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes of the first explanation."""
        return self.explanations[0].mistakes if self.explanations else ()

    @property
    def proved(self) -> bool:
        """Whether the first explanation explains every number."""
        return bool(self.explanations) and self.remaining.holds


@dataclass(frozen=True, eq=False)
class Case:
    """Two arrays, the expected rotation, and the errors against it."""

    arrays: Arrays
    expected: Expected
    errors: Errors
    progress: Progress | None = None

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
        return Finding(
            verdict=verdict,
            errors=self.errors,
            remaining=self.errors if remaining is None else remaining,
            explanations=explanations,
            undetectable=undetectable_mistakes(sample, self.expected, several_rows),
            arrays=self.arrays,
            hypothesis=hypothesis,
            rotations=rotations,
            estimate=estimate_frequencies(rotations),
            too_little_data=(
                verdict == DIFFERS and Diagnosis(sample, self.expected).too_little_data
            ),
        )


def examine(arrays: Arrays, expected: Expected, progress: Progress | None = None) -> Finding:
    """Compare everything, and try the readings in order until one explains the arrays."""
    case = compare_in_own_precision(arrays, expected, progress)
    for reading in READINGS:
        finding = reading(case)
        if finding is not None:
            return finding
    return case.finding(DIFFERS)


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
    """The narrower dtype that holds every number of a sample exactly, if they are many."""
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
            if all(np.array_equal(round_to(x), x) for x in (sample.before, sample.after)):
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


def on_other_token_axis(case: Case) -> Finding | None:
    """The arrays are right if the tokens lie on the axis before."""
    for arrays in possible_token_axes(case.arrays):
        if looks_right(arrays, case.right):
            other = case.with_arrays(arrays)
            if other.errors.holds:
                return replace(other.finding(AGREES), token_axis_moved=True)
    return None


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
    """Known mistakes explain the arrays."""
    explanations = case.explanations()
    return conclude(case, explanations) if explanations else None


def with_mistakes_on_other_token_axis(case: Case) -> Finding | None:
    """Known mistakes explain the arrays if the tokens lie on the axis before."""
    for arrays in possible_token_axes(case.arrays):
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
    if rounded.errors.holds:
        return replace(case.finding(DIFFERS), coarser_dtype=coarser)
    finding = with_mistakes(rounded)
    if finding is None:
        return None
    return replace(
        finding, arrays=case.arrays, errors=case.errors, verdict=DIFFERS, coarser_dtype=coarser
    )


# Tried in this order.
READINGS: tuple[Callable[[Case], Finding | None], ...] = (
    as_given,
    within_rounding,
    on_other_token_axis,
    heads_rotated_as_tokens,
    with_mistakes,
    with_mistakes_on_other_token_axis,
    heads_rotated_with_mistakes,
    with_fewer_digits,
)


def possible_token_axes(arrays: Arrays) -> Iterator[Arrays]:
    """The arrays with their tokens on the axis before, unless the token axis is certain."""
    if not arrays.token_axis_certain:
        yield from with_tokens_on_head_axis(arrays)


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
    leading = leading_indices(arrays)[:PREVIEW_ROWS]
    tokens = np.unique(np.linspace(0, arrays.shape[-2] - 1, PREVIEW_TOKENS).astype(np.int64))
    return worst_ratio(hypothesis, take_rows(arrays, leading, tokens)) <= 1.0


def conclude(case: Case, explanations: list[Hypothesis]) -> Finding:
    """The verdict on explanations of a sample, after a second pass over everything."""
    arrays, first = case.arrays, explanations[0]
    # Roundings, and positions known for some tokens only, are tested on the sample alone.
    whole = first.rounding is None and first.mistakes[-1].figures.get("complete", True)
    remaining = case.errors
    if whole:
        remaining = measure_errors(arrays, first, case.progress, strict=False)
    if [mistake.kind for mistake in first.mistakes] == ["other-layout"]:
        # With a tolerance the verdict needs a strict pass.
        strict = remaining if arrays.tolerance is None else measure_errors(arrays, first)
        if strict.holds:
            return case.finding(OTHER_LAYOUT, tuple(explanations), remaining)
    # Rows that hide the mistake look right, so the whole was tested before some rows alone.
    failing = None if remaining.holds else case.errors.failing_rows
    named = tuple(explanations)
    if failing is not None:
        if whole:
            remaining = measure_errors(arrays, first, case.progress, failing, strict=False)
        figures = {"axis": failing.axis, "rows": failing.rows.tolist()}
        named = add_mistake(Mistake("some-rows", figures), explanations)
    named = tuple(with_first_position(hypothesis, arrays) for hypothesis in named)
    return case.finding(DIFFERS, named, remaining)


def add_mistake(mistake: Mistake, explanations: list[Hypothesis]) -> tuple[Hypothesis, ...]:
    """The explanations with another mistake in front; their predictions stay."""
    return tuple(
        replace(hypothesis, mistakes=(mistake, *hypothesis.mistakes)) for hypothesis in explanations
    )


def with_first_position(hypothesis: Hypothesis, arrays: Arrays) -> Hypothesis:
    """Add the first position at which a rounding shows; other hypotheses stay as they are."""
    if hypothesis.rounding is None:
        return hypothesis
    exact = replace(hypothesis, rounding=None)
    wrong = measure_errors(arrays, exact, strict=False).by_token > 1.0
    first = int(arrays.positions[..., wrong].min()) if wrong.any() else 0
    *others, last = hypothesis.mistakes
    complete = Mistake(last.kind, {**last.figures, "from_position": first})
    return replace(hypothesis, mistakes=(*others, complete))
