"""From two arrays and what is expected of them to a verdict and its reasons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rope_cli.rope.reduced_precision import to_float32
from rope_cli.verify.explain.diagnosis import Diagnosis
from rope_cli.verify.explain.undetectable import Blind, blind_spots
from rope_cli.verify.measure.aligned_arrays import Arrays, sampled
from rope_cli.verify.measure.estimates import Slopes, Turns, slopes_of, turns_of
from rope_cli.verify.measure.expected import Expected
from rope_cli.verify.measure.hypothesis import (
    ROUNDINGS_OF,
    Hypothesis,
    Mistake,
    expected_hypothesis,
)
from rope_cli.verify.measure.sampling import chosen_leading, failing_rows, sample_of
from rope_cli.verify.measure.sweep import Errors, Progress, sweep, worst_ratio

# Narrower dtypes that numbers stored in each may have been computed in.
NARROWER = {"float64": ("bfloat16", "float16", "float32"), "float32": ("bfloat16", "float16")}
# Fewer different numbers may be exact in a narrow dtype by chance.
MANY = 16
AGREES, OTHER_LAYOUT, DIFFERS = "agrees", "agrees-in-another-layout", "differs"


@dataclass(frozen=True, eq=False)
class Finding:
    """What was found out about two arrays.

    ``errors`` compare with what is expected, ``remaining`` with the first explanation (the same if
    the arrays agree). ``explanations`` are equally simple ones, the likeliest first; none if
    nothing known explains the arrays; ``proved`` if the first one gives every number. ``turns``
    and ``slopes`` were measured with the pairing of ``read``, on wrong rows if there are any.
    ``rounding_only`` if a tolerance was asked for that is finer than the dtype. ``coarser`` is a
    dtype in which the explanation holds, or with none the expectation, though not in the own one.
    ``scarce`` if so few numbers differ that chance could explain them, so that little was tried.
    ``moved_axis`` if the tokens lie on another axis than the last but one.
    """

    verdict: str
    errors: Errors
    remaining: Errors
    explanations: tuple[Hypothesis, ...]
    blind: tuple[Blind, ...]
    arrays: Arrays
    read: Hypothesis
    turns: Turns
    slopes: Slopes | None
    proved: bool = False
    rounding_only: bool = False
    coarser: str | None = None
    scarce: bool = False
    moved_axis: bool = False

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes of the first explanation."""
        return self.explanations[0].mistakes if self.explanations else ()


def examine(arrays: Arrays, expected: Expected, progress: Progress | None = None) -> Finding:
    """Compare everything, and where it differs find out why.

    Where the axis of the tokens is not settled, they may also lie on the axis before the heads.
    Numbers that a narrower dtype holds exactly were computed in it.
    """
    right = expected_hypothesis(expected)
    errors = sweep(arrays, right, progress)
    if errors.holds:
        return finding(AGREES, arrays, expected, errors)
    narrower = held_exactly(arrays, errors)
    if narrower is not None:
        return examine(replace(arrays, precision=narrower), expected, progress)
    if arrays.tolerance is not None and sweep(replace(arrays, tolerance=None), right).holds:
        return finding(DIFFERS, arrays, expected, errors, rounding_only=True)
    for each in () if arrays.settled else other_axes(arrays):
        there = sweep(each, right, progress) if likely(each, right) else None
        if there is not None and there.holds:
            return finding(AGREES, each, expected, there, moved_axis=True)
    exchanged = with_heads_as_tokens(arrays, expected, errors, plainly=True)
    if exchanged is not None:
        return exchanged
    explained = explanations(arrays, expected, errors)
    if explained:
        return concluded(arrays, expected, errors, explained, progress)
    for each in () if arrays.settled else other_axes(arrays):
        there = sweep(each, right, progress)
        explained = explanations(each, expected, there)
        if explained:
            found = concluded(each, expected, there, explained, progress)
            return replace(found, moved_axis=True)
    exchanged = with_heads_as_tokens(arrays, expected, errors, plainly=False)
    return exchanged or coarser(arrays, expected, errors)


def with_heads_as_tokens(
    arrays: Arrays, expected: Expected, errors: Errors, *, plainly: bool
) -> Finding | None:
    """The heads rotated by mistake as if they were tokens, ``plainly`` with nothing else wrong."""
    right = expected_hypothesis(expected)
    wrong = Mistake("axes-exchanged", {})
    for each in other_axes(arrays, from_zero=True):
        named: tuple[Hypothesis, ...] = ()
        if plainly:
            named = (right.but(wrong),) if likely(each, right) else ()
        else:
            there = sweep(each, right)
            explained = explanations(each, expected, there)
            named = tuple(replace(one, mistakes=(wrong, *one.mistakes)) for one in explained)
        if named:
            remaining = sweep(each, named[0], strict=False)
            if remaining.holds or not plainly:
                proved = remaining.holds
                return finding(DIFFERS, arrays, expected, errors, remaining, named, proved=proved)
    return None


def held_exactly(arrays: Arrays, errors: Errors) -> str | None:
    """The narrower dtype that holds every number of a sample exactly, if there are many of them."""
    if arrays.tolerance is not None or arrays.dtype not in NARROWER:
        return None
    sample = sample_of(arrays, errors)
    if len(np.unique(sample.after)) < MANY:
        return None
    for dtype in NARROWER[arrays.dtype]:
        narrow = ROUNDINGS_OF.get(dtype, to_float32)
        both = (sample.before, sample.after)
        with np.errstate(over="ignore"):
            if all(np.array_equal(narrow(one), one) for one in both):
                return dtype
    return None


def coarser(arrays: Arrays, expected: Expected, errors: Errors) -> Finding:
    """What would explain float64 numbers, had they been printed with fewer digits."""
    right = expected_hypothesis(expected)
    if arrays.dtype == "float64" and arrays.tolerance is None:
        rough = replace(arrays, precision="float32")
        there = sweep(rough, right)
        if there.holds:
            return finding(DIFFERS, arrays, expected, errors, coarser=rough.dtype)
        explained = explanations(rough, expected, there)
        if explained:
            found = concluded(rough, expected, there, explained, None)
            found = replace(found, arrays=arrays, errors=errors, verdict=DIFFERS)
            return replace(found, coarser=rough.dtype)
    return finding(DIFFERS, arrays, expected, errors)


def likely(arrays: Arrays, hypothesis: Hypothesis) -> bool:
    """Whether a few rows are as a hypothesis has them, so that a whole pass is worth its time."""
    leading = chosen_leading(arrays, None)[:2]
    tokens = np.unique(np.linspace(0, arrays.shape[-2] - 1, 16).astype(np.int64))
    return worst_ratio(hypothesis, sampled(arrays, leading, tokens)) <= 1.0


def concluded(
    arrays: Arrays,
    expected: Expected,
    errors: Errors,
    explained: list[Hypothesis],
    progress: Progress | None,
) -> Finding:
    """The verdict on explanations of a sample, after a second pass over everything."""
    first, failing = explained[0], None
    # What was rounded on the way, or found for some tokens only, is proved on the sample alone.
    total = first.rounded is None and first.mistakes[-1].figures.get("complete", True)
    remaining = sweep(arrays, first, progress, strict=False) if total else errors
    only_layout = [mistake.kind for mistake in first.mistakes] == ["other-layout"]
    # Only with a tolerance is a strict pass another one.
    if only_layout and (remaining if arrays.tolerance is None else sweep(arrays, first)).holds:
        found = tuple(explained)
        return finding(OTHER_LAYOUT, arrays, expected, errors, remaining, found, proved=True)
    if not remaining.holds:
        # A row that cannot show a mistake is no right one: the whole was tried first.
        failing = failing_rows(errors)
    if failing is not None:
        remaining = sweep(arrays, first, progress, failing, strict=False) if total else errors
        wrong = Mistake("some-rows", {"axis": failing.axis, "rows": failing.rows.tolist()})
        explained = [replace(each, mistakes=(wrong, *each.mistakes)) for each in explained]
    proved = remaining.holds
    named = tuple(with_start(each, arrays) for each in explained)
    return finding(DIFFERS, arrays, expected, errors, remaining, named, proved=proved)


def with_start(hypothesis: Hypothesis, arrays: Arrays) -> Hypothesis:
    """From which position on too narrow a dtype is seen, all else being as it is."""
    if hypothesis.rounded is None:
        return hypothesis
    wrong = sweep(arrays, replace(hypothesis, rounded=None), strict=False).by_token > 1.0
    seen = int(arrays.positions[..., wrong].min()) if wrong.any() else 0
    *others, last = hypothesis.mistakes
    known = Mistake(last.kind, {**last.figures, "from_position": seen})
    return replace(hypothesis, mistakes=(*others, known))


def other_axes(arrays: Arrays, *, from_zero: bool = False) -> Iterator[Arrays]:
    """The same arrays with the axis of the heads taken for that of the tokens.

    The positions stay where they fit; those that only follow one another go on as far as needed.
    ``from_zero`` they may start at 0 instead.
    """
    order, known = arrays.order, arrays.positions
    if len(order) < 3:
        return
    axis = order[-3]
    size = arrays.before.shape[axis]
    if size == 1 and (from_zero or not known.any() or known.ravel()[0] == 0):
        return  # one token at position 0 is never turned
    if size == arrays.shape[-2]:
        yield replace(arrays, token_axis=axis)
    elif known.ndim == 1 and (np.diff(known) == 1).all():
        yield replace(arrays, positions=known[0] + np.arange(size), token_axis=axis)
    if from_zero and size > 1:
        yield replace(arrays, positions=np.arange(size), token_axis=axis)


def explanations(arrays: Arrays, expected: Expected, errors: Errors) -> list[Hypothesis]:
    """What explains the rows that are wrong."""
    return Diagnosis(sample_of(arrays, errors), expected).explanations()


def finding(
    verdict: str,
    arrays: Arrays,
    expected: Expected,
    errors: Errors,
    remaining: Errors | None = None,
    explained: tuple[Hypothesis, ...] = (),
    *,
    proved: bool = False,
    rounding_only: bool = False,
    coarser: str | None = None,
    moved_axis: bool = False,
) -> Finding:
    """A verdict with what was measured and what these arrays cannot tell."""
    read = explained[0] if explained else expected_hypothesis(expected)
    sample = sample_of(arrays, errors)
    turns = turns_of(sample, read)
    several = any(size > 1 for size in arrays.shape[:-2])
    return Finding(
        verdict=verdict,
        errors=errors,
        remaining=errors if remaining is None else remaining,
        explanations=explained,
        blind=blind_spots(sample, expected, several),
        arrays=arrays,
        read=read,
        turns=turns,
        slopes=slopes_of(turns),
        proved=proved,
        rounding_only=rounding_only,
        coarser=coarser,
        moved_axis=moved_axis,
        scarce=verdict == DIFFERS and Diagnosis(sample, expected).scarce,
    )


def for_programs(mistake: Mistake) -> dict[str, Any]:
    """A mistake as JSON holds it."""
    return {"kind": mistake.kind, **mistake.figures}
