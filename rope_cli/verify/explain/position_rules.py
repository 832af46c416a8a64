"""Rules by which wrong positions follow from the right ones, each with its mistake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.hypothesis import Mistake, PositionRule

Positions = NDArray[np.int64]
Rule = tuple[Mistake, PositionRule]

MOST_LISTED = 64


def common_rules(positions: Positions) -> Iterator[Rule]:
    """Common substitutes for the positions ``[..., tokens]``."""
    indices = np.broadcast_to(np.arange(positions.shape[-1]), positions.shape)
    if not np.array_equal(positions, positions[..., ::-1]):
        yield Mistake("reversed-positions"), lambda right: right[..., ::-1]
    # A constant difference is an offset instead.
    if len(np.unique(positions - indices)) > 1:
        yield Mistake("slot-positions"), lambda right: indices


def offset_rule(offset: int) -> Rule:
    """``offset`` is added to every position."""
    return Mistake("offset", {"offset": offset}), lambda right: right + offset


def clamping_rule(last: int) -> Rule:
    """Every position beyond ``last`` is replaced by it."""
    return Mistake("clamped-positions", {"last": last}), lambda right: np.minimum(right, last)


def wrapping_rule(size: int) -> Rule:
    """Positions start again from 0 after every ``size``."""
    return Mistake("wrapped-positions", {"size": size}), lambda right: np.mod(right, size)


def rules_for_positions(
    positions: Positions, indices: NDArray[np.int64], measured: Positions
) -> Iterator[Rule]:
    """The simplest rules that map ``positions`` at some flat indices to the measured ones."""
    right = positions.reshape(-1)[indices]
    differs = right != measured
    if not differs.any():
        return
    last = int(measured[differs].max())
    if np.array_equal(np.minimum(right, last), measured):
        yield clamping_rule(last)
    size = int(np.gcd.reduce(right[differs] - measured[differs]))
    if size > 0 and np.array_equal(right % size, measured):
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
