"""Rules by which wrong positions follow from the right ones, each with its mistake."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.hypothesis import Mistake, PositionRule

Positions = NDArray[np.int64]
Rule = tuple[Mistake, PositionRule]

MOST_LISTED = 64
# Widths of the signed integers that positions may overflow.
SIGNED_BITS = 8, 16
# The measured positions may all lie in the first part of a ring.
MOST_TURNS = 65
# More batch rows are not tried one by one as those whose positions serve all.
MOST_SHARED = 16


def common_rules(positions: Positions) -> Iterator[Rule]:
    """Common substitutes for the positions ``[..., tokens]``."""
    indices = np.broadcast_to(np.arange(positions.shape[-1]), positions.shape)
    if not np.array_equal(positions, positions[..., ::-1]):
        yield Mistake("reversed-positions"), lambda right: right[..., ::-1]
    # A constant difference is an offset instead.
    if len(np.unique(positions - indices)) > 1:
        yield Mistake("slot-positions"), lambda right: indices
    for bits in SIGNED_BITS:
        if positions.max(initial=0) >= 1 << (bits - 1):
            yield (
                Mistake("overflowed-positions", {"bits": bits, "last": (1 << (bits - 1)) - 1}),
                partial(overflow, bits=bits),
            )
    if positions.ndim == 2:
        yield from rules_over_rows(positions)


def rules_over_rows(positions: Positions) -> Iterator[Rule]:
    """Positions of one batch row used for all, or counted on from one row to the next."""
    rows, tokens = positions.shape
    _, distinct = np.unique(positions, axis=0, return_index=True)
    if len(distinct) > 1:
        ends = [*np.sort(distinct)[:MOST_SHARED].tolist(), *positions[:, 0].argsort()[[0, -1]]]
        for row in dict.fromkeys(map(int, ends)):
            yield Mistake("shared-positions", {"row": row}), partial(repeat_row, row=row)
    if rows > 1:
        before = tokens * np.arange(rows)[:, np.newaxis]
        yield Mistake("running-positions"), lambda right: right + before
        if len(np.unique(positions - np.arange(tokens))) > 1:
            running = before + np.arange(tokens)
            yield Mistake("running-positions"), lambda right: running


def repeat_row(positions: Positions, row: int) -> Positions:
    """The positions of one batch row for all."""
    return np.broadcast_to(positions[row], positions.shape)


def overflow(positions: Positions, bits: int) -> Positions:
    """The positions as signed integers of so many bits hold them."""
    half = 1 << (bits - 1)
    return np.mod(positions + half, 2 * half) - half


def offset_rule(offset: int) -> Rule:
    """``offset`` is added to every position."""
    return Mistake("offset", {"offset": offset}), lambda right: right + offset


def clamping_rule(last: int) -> Rule:
    """Every position beyond ``last`` is replaced by it."""
    return Mistake("clamped-positions", {"last": last}), lambda right: np.minimum(right, last)


def wrapping_rule(size: int) -> Rule:
    """Positions start again from 0 after every ``size``."""
    return Mistake("wrapped-positions", {"size": size}), lambda right: np.mod(right, size)


def offsets_by_row(
    positions: Positions, indices: NDArray[np.int64], measured: Positions
) -> Iterator[Rule]:
    """An offset of its own for each batch row, where it is the same for all measured tokens."""
    if positions.ndim < 2:
        return
    row_of, differences = indices // positions.shape[1], measured - positions.reshape(-1)[indices]
    rows, first = np.unique(row_of, return_index=True)
    offsets = differences[first]
    constant = np.array_equal(offsets[np.searchsorted(rows, row_of)], differences)
    if not constant or len(rows) < len(positions) or len(np.unique(offsets)) < 2:
        return
    column = offsets[:, np.newaxis]
    yield Mistake("row-offsets", {"offsets": offsets.tolist()}), lambda right: right + column


def rules_for_positions(
    positions: Positions, indices: NDArray[np.int64], measured: Positions
) -> Iterator[Rule]:
    """The simplest rules that map ``positions`` at some flat indices to the measured ones."""
    right = positions.reshape(-1)[indices]
    differs = right != measured
    if not differs.any():
        return
    yield from offsets_by_row(positions, indices, measured)
    last = int(measured[differs].max())
    if np.array_equal(np.minimum(right, last), measured):
        yield clamping_rule(last)
    whole = int(np.gcd.reduce(right[differs] - measured[differs]))
    for turns in range(1, MOST_TURNS):
        size = whole // turns
        if whole % turns == 0 and np.array_equal(right % max(size, 1), measured):
            yield wrapping_rule(size)
    figures: dict[str, Any] = {
        "positions": right[differs][:MOST_LISTED].tolist(),
        "found": measured[differs][:MOST_LISTED].tolist(),
        "differing": int(differs.sum()),
        "complete": len(np.unique(indices)) == positions.size,
    }

    def replace_measured(right: Positions) -> Positions:
        used = right.copy()
        used.reshape(-1)[indices] = measured
        return used

    yield Mistake("other-positions", figures), replace_measured
