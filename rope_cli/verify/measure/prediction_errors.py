"""The errors of two arrays against the prediction of a hypothesis, in one pass over blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.expected import ROUNDINGS, ROUNDOFF
from rope_cli.verify.measure.hypothesis import Hypothesis, lengths_of_pairs
from rope_cli.verify.measure.sampling import Sample, draw_sample
from rope_cli.verify.read.aligned_arrays import Arrays, Index

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
# Reported in place of anything that overflows.
GREATEST = 1e300
# So many blocks of a file stay in memory.
BLOCKS_HELD = 32
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Errors:
    """The result of one pass; a ratio is an error over the allowed error, at most 1 if right.

    ``worst`` is the greatest ratio and ``where`` its index, ``[..., token, feature]``. ``error``
    and ``allowed`` are the error and the allowed error there, as shares of the pair's length.
    ``wrong`` says of each row, ``[..., tokens]``, whether it has a wrong number; ``by_token`` holds
    the greatest ratio of each token.
    """

    worst: float
    where: tuple[int, ...]
    error: float
    allowed: float
    wrong: Mask
    by_token: Array
    compared: int

    @property
    def holds(self) -> bool:
        """Whether every number is within its allowed error."""
        return self.worst <= 1.0


@dataclass(frozen=True, eq=False)
class BlockErrors:
    """The ratios, errors and allowed errors of a block, each ``[..., rows, features]``."""

    ratios: Array
    errors: Array
    allowed: Array


@dataclass(frozen=True, slots=True)
class WorstNumber:
    """The greatest ratio, its index, and the error and allowed error as shares of the length."""

    ratio: float
    where: tuple[int, ...]
    error: float
    allowed: float


def measure_errors(
    arrays: Arrays,
    hypothesis: Hypothesis,
    progress: Progress | None = None,
    only: Mask | None = None,
    *,
    strict: bool = True,
) -> Errors:
    """Compare whole arrays, or ``only`` some rows ``[..., tokens]``, with a hypothesis.

    The user's tolerance replaces that of the dtype; if not ``strict``, the greater one counts.
    """
    shape = arrays.shape
    wrong, by_token = np.zeros(shape[:-1], dtype=np.bool_), np.zeros(shape[-2])
    worst = WorstNumber(-1.0, (), 0.0, 0.0)
    done, total = 0, int(np.prod(shape))
    positions = hypothesis.apply_position_rule(arrays.positions)
    for number, index in enumerate(arrays.blocks()):
        if number % BLOCKS_HELD == 0:
            arrays.release()
        before, after = arrays.block(index)
        rows = arrays.positions_at(index, positions)
        block = compare_block(
            hypothesis, (before, after), rows, arrays.dtype, arrays.tolerance, strict=strict
        )
        ratios = block.ratios
        if only is not None:
            ratios[~only[index[:-1]]] = 0.0
        greatest = int(np.argmax(ratios))
        if ratios.flat[greatest] > worst.ratio:
            worst = worst_number(hypothesis, before, block, index, greatest)
        by_row = ratios.max(axis=-1)
        wrong[index[:-1]] |= by_row > 1.0
        tokens = by_token[index[-2]]
        np.maximum(tokens, by_row.max(axis=tuple(range(by_row.ndim - 1))), out=tokens)
        done += before.size
        if progress:
            progress(done, total)
    ratio, error, allowed = (
        min(value, GREATEST) for value in (worst.ratio, worst.error, worst.allowed)
    )
    return Errors(ratio, worst.where, error, allowed, wrong, by_token, total)


def compare_block(
    hypothesis: Hypothesis,
    arrays: tuple[Array, Array],
    positions: Array,
    dtype: str,
    tolerance: float | None = None,
    *,
    strict: bool = True,
) -> BlockErrors:
    """Compare part of the output with the prediction for the same part of the input."""
    before, after = arrays
    # Whatever overflows becomes infinitely wrong.
    with np.errstate(over="ignore", invalid="ignore"):
        predicted = hypothesis.predict(before, positions)
        if tolerance is None:
            allowed = hypothesis.allowed_errors(before, positions, dtype)
        else:
            # A pair of zeros must stay one.
            least = float(np.finfo(np.float64).tiny)
            allowed = np.maximum(tolerance * pair_lengths(hypothesis, before), least)
            if not strict:
                by_dtype = hypothesis.allowed_errors(before, positions, dtype)
                allowed = np.maximum(allowed, by_dtype)
        if hypothesis.own_gains:
            gains, gain_errors = own_gains(predicted, after, allowed)
            allowed = np.abs(gains) * allowed + gain_errors * np.abs(predicted)
            predicted = gains * predicted
        errors = np.abs(after - predicted)
        errors = np.where(np.isnan(errors), np.inf, errors)
        floats = np.finfo(np.float64)
        allowed = np.clip(allowed, floats.smallest_subnormal, floats.max)
        return BlockErrors(errors / allowed, errors, allowed)


def own_gains(
    predicted: Array, after: Array, allowed: Array
) -> tuple[Array, Array]:  # both [..., rows, 1]
    """The factor of each row that brings its prediction nearest to the output, and its error.

    Each coordinate counts by its allowed error. Those errors together, all on one side, are what
    the factor may be off by.
    """
    unit = np.abs(predicted).max(axis=-1, keepdims=True)
    unit = np.where(unit > 0, unit, 1.0)
    least = ROUNDOFF["float64"]
    inexact = np.maximum(allowed / unit, least)
    shares = predicted / unit / inexact
    power = np.sum(shares * shares, axis=-1, keepdims=True)
    power = np.where(power > 0, power, 1.0)
    gains = np.sum(shares * (after / unit / inexact), axis=-1, keepdims=True) / power
    spread = np.sum(np.abs(shares), axis=-1, keepdims=True) / power
    # The sums here are rounded as well.
    return gains, np.abs(gains) * (spread + ROUNDINGS * least)


def pair_lengths(hypothesis: Hypothesis, before: Array) -> Array:
    """The length of each coordinate's pair, and the magnitude of an unpaired coordinate."""
    x = hypothesis.apply_permutation(before)
    left, right = hypothesis.pair_slices(hypothesis.layout_in)
    lengths = np.abs(x)
    paired = lengths_of_pairs(x[..., left], x[..., right]) * abs(hypothesis.gain)
    for places in hypothesis.places:
        lengths[..., places] = paired
    return lengths


def worst_number(
    hypothesis: Hypothesis, before: Array, block: BlockErrors, index: Index, greatest: int
) -> WorstNumber:
    """The number at a flat index of a block; its errors are absolute if its pair is zero."""
    place = np.unravel_index(greatest, block.ratios.shape)
    where = tuple(int(i) + part.start for i, part in zip(place, index, strict=True))
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = pair_lengths(hypothesis, before[place[:-1]])
        length = min(float(lengths[place[-1]]), GREATEST) or 1.0
        error, allowed = float(block.errors[place] / length), float(block.allowed[place] / length)
    return WorstNumber(float(block.ratios[place]), where, error, allowed)


def sample_wrong_rows(arrays: Arrays, errors: Errors, *, every_batch: bool = False) -> Sample:
    """A sample of the rows at the leading indices that are wrong, around the first wrong token."""
    wrong = errors.wrong
    if every_batch:
        wrong = np.broadcast_to(wrong.any(axis=0), wrong.shape)
    return draw_sample(arrays, wrong)


def sample_ratios(hypothesis: Hypothesis, sample: Sample) -> Array:  # [rows, samples, features]
    """Errors over allowed errors in a sample."""
    return compare_sample(hypothesis, sample).ratios


def compare_sample(hypothesis: Hypothesis, sample: Sample) -> BlockErrors:
    """The ratios, errors and allowed errors of a sample."""
    rows = positions_used(hypothesis, sample)[:, np.newaxis]
    both = sample.before, sample.after
    return compare_block(hypothesis, both, rows, sample.dtype, sample.tolerance, strict=False)


def positions_used(hypothesis: Hypothesis, sample: Sample) -> Array:  # [rows]
    """The position that a hypothesis gives each row of a sample."""
    positions = hypothesis.apply_position_rule(sample.array_positions).reshape(-1)
    return positions[sample.position_indices].astype(np.float64)


def errors_by_pair(hypothesis: Hypothesis, sample: Sample) -> Array:  # [rows, pairs]
    """The greatest error of each pair in each row of a sample, as a share of its length."""
    errors, lengths = (
        compare_sample(hypothesis, sample).errors,
        pair_lengths(hypothesis, sample.before),
    )
    left, right = hypothesis.places
    greatest = np.maximum(errors[..., left], errors[..., right])
    return np.asarray(
        (greatest / np.where(lengths[..., left] > 0, lengths[..., left], 1.0)).max(axis=1)
    )


def worst_ratio(hypothesis: Hypothesis, sample: Sample) -> float:
    """The greatest error over its allowed error in a sample."""
    return float(sample_ratios(hypothesis, sample).max(initial=0.0))
