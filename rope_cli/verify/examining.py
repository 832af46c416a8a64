"""From two arrays and what is expected of them to a verdict and its reasons."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.arrays import (
    MOST_ROWS,
    MOST_SAMPLE_CELLS,
    MOST_SAMPLES,
    Arrays,
    Sample,
    sampled,
)
from rope_cli.verify.blindness import Blind, blind_spots
from rope_cli.verify.diagnosis import Diagnosis
from rope_cli.verify.expected import Expected
from rope_cli.verify.hypotheses import (
    ROUNDINGS_OF,
    Hypothesis,
    Mistake,
    expected_hypothesis,
)
from rope_cli.verify.measured import Slopes, Turns, slopes_of, turns_of
from rope_cli.verify.sweep import Errors, Failing, Progress, sweep, worst_ratio

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

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes of the first explanation."""
        return self.explanations[0].mistakes if self.explanations else ()


def examine(
    arrays: Arrays,
    expected: Expected,
    progress: Progress | None = None,
    *,
    axes_given: bool = False,
) -> Finding:
    """Compare everything, and where it differs find out why.

    Without ``axes_given`` the tokens may also lie on the axis before the heads.
    """
    right = expected_hypothesis(expected)
    errors = sweep(arrays, right, progress)
    if errors.holds:
        return finding(AGREES, arrays, expected, errors)
    if arrays.tolerance is not None and sweep(replace(arrays, tolerance=None), right).holds:
        return finding(DIFFERS, arrays, expected, errors, rounding_only=True)
    for each in other_axes(arrays):
        if not likely(each, right):
            continue
        there = sweep(each, right)
        if there.holds and not axes_given:
            return finding(AGREES, each, expected, there)
        if there.holds:
            found = right.but(Mistake("axes-exchanged", {}))
            return finding(DIFFERS, arrays, expected, errors, there, (found,), proved=True)
    explained = explanations(arrays, expected, errors)
    if explained:
        return concluded(arrays, expected, errors, explained, progress)
    for each in other_axes(arrays):
        there = sweep(each, right)
        explained = explanations(each, expected, there)
        if explained and not axes_given:
            return concluded(each, expected, there, explained, progress)
        if explained:
            wrong = Mistake("axes-exchanged", {})
            named = tuple(replace(one, mistakes=(wrong, *one.mistakes)) for one in explained)
            remaining = sweep(each, named[0], strict=False)
            proved = remaining.holds
            return finding(DIFFERS, arrays, expected, errors, remaining, named, proved=proved)
    return coarser(arrays, expected, errors)


def coarser(arrays: Arrays, expected: Expected, errors: Errors) -> Finding:
    """What would explain the numbers, had they been computed or printed with fewer digits."""
    right = expected_hypothesis(expected)
    for dtype in held_by(sample_of(arrays, errors)) if arrays.tolerance is None else ():
        rough = replace(arrays, precision=dtype)
        if likely(rough, right):
            return finding(DIFFERS, arrays, expected, errors, coarser=dtype)
        explained = explanations(rough, expected, sweep(rough, right))
        if explained:
            found = concluded(rough, expected, errors, explained, None)
            verdict = DIFFERS
            return replace(found, arrays=arrays, errors=errors, verdict=verdict, coarser=dtype)
    return finding(DIFFERS, arrays, expected, errors)


def held_by(sample: Sample) -> Iterator[str]:
    """The coarser dtypes that the numbers may have come through, by their digits."""
    if sample.dtype == "float64":
        yield "float32"
    if sample.dtype == "float32":
        for dtype, narrow in ROUNDINGS_OF.items():
            if np.array_equal(narrow(sample.after), sample.after):
                yield dtype


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
    first, failing = explained[0], failing_rows(errors)
    # What was rounded on the way, or found for some tokens only, is proved on the sample alone.
    total = first.rounded is None and first.mistakes[-1].figures.get("complete", True)
    remaining = sweep(arrays, first, progress, failing, strict=False) if total else errors
    proved = remaining.holds
    if [mistake.kind for mistake in first.mistakes] == ["other-layout"] and proved and not failing:
        return finding(
            OTHER_LAYOUT, arrays, expected, errors, remaining, tuple(explained), proved=True
        )
    if failing is not None:
        wrong = Mistake("some-rows", {"axis": failing.axis, "rows": failing.rows.tolist()})
        explained = [replace(each, mistakes=(wrong, *each.mistakes)) for each in explained]
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


def other_axes(arrays: Arrays) -> Iterator[Arrays]:
    """The same arrays with the axis of the heads taken for that of the tokens.

    The heads stand at positions from 0 on, or from where the tokens begin.
    """
    order = arrays.order
    if len(order) < 3 or arrays.positions.ndim > 1:
        return
    axis = order[-3]
    size = arrays.before.shape[axis]
    if size < 2:
        return
    for first in dict.fromkeys((0, int(arrays.positions[0]))):
        positions = np.arange(first, first + size, dtype=np.int64)
        yield replace(arrays, positions=positions, token_axis=axis)


def failing_rows(errors: Errors) -> Failing | None:
    """Indices of one leading axis that are wrong while its others are right, if there are any."""
    wrong = errors.by_leading > 1.0
    for axis in range(wrong.ndim):
        rest = tuple(other for other in range(wrong.ndim) if other != axis)
        by_row = wrong.any(axis=rest)
        if by_row.any() and not by_row.all():
            return Failing(axis, np.flatnonzero(by_row))
    return None


def explanations(arrays: Arrays, expected: Expected, errors: Errors) -> list[Hypothesis]:
    """What explains the rows that are wrong."""
    return Diagnosis(sample_of(arrays, errors), expected).explanations()


def sample_of(arrays: Arrays, errors: Errors) -> Sample:
    """The part that is measured: of the wrong rows, if only some are wrong."""
    leading = chosen_leading(arrays, failing_rows(errors))
    return sampled(arrays, leading, chosen_tokens(arrays, errors))


def chosen_leading(
    arrays: Arrays, failing: Failing | None
) -> NDArray[np.int64]:  # [n, leading axes]
    """Leading indices to be measured, spread evenly."""
    sizes = list(arrays.shape[:-2])
    if not sizes:
        return np.zeros((1, 0), dtype=np.int64)
    if failing is not None:
        sizes[failing.axis] = len(failing.rows)
    cells = MOST_SAMPLE_CELLS // (min(MOST_ROWS, arrays.shape[-2]) * arrays.shape[-1])
    most = int(np.clip(cells, 2, MOST_SAMPLES))
    total = math.prod(sizes)
    flat = np.unique(np.linspace(0, total - 1, min(most, total)).astype(np.int64))
    index = np.stack(np.unravel_index(flat, sizes), axis=1)
    if failing is not None:
        index[:, failing.axis] = failing.rows[index[:, failing.axis]]
    return np.asarray(index, dtype=np.int64)


def chosen_tokens(arrays: Arrays, errors: Errors) -> NDArray[np.int64]:
    """Tokens to be measured: the first, the last, and those where errors begin."""
    tokens = arrays.shape[-2]
    if tokens <= MOST_ROWS:
        return np.arange(tokens)
    third = MOST_ROWS // 3
    wrong = np.flatnonzero(errors.by_token > 1.0)
    begin = int(wrong[0]) if len(wrong) else tokens // 2
    start = int(np.clip(begin - third // 2, 0, tokens - third))
    parts = (np.arange(third), np.arange(start, start + third), np.arange(tokens - third, tokens))
    return np.unique(np.concatenate(parts))


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
        scarce=verdict == DIFFERS and Diagnosis(sample, expected).scarce,
    )


def for_programs(mistake: Mistake) -> dict[str, Any]:
    """A mistake as JSON holds it."""
    return {"kind": mistake.kind, **mistake.figures}
