"""Rising positions: their consecutive runs, the equal shift, and the ends of a long list.

Positions are a ``range`` where they are consecutive, which takes no memory however many they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeGuard

import numpy as np

# Up to how many rows at each end are compared with a plain formula.
COMPARED_AT_EACH_END = 64


def is_consecutive(positions: Sequence[int]) -> TypeGuard[range]:
    """Whether they are a range without gaps."""
    return isinstance(positions, range) and positions.step == 1


def shift_positions(positions: Sequence[int], shift: int) -> Sequence[int]:
    """Each position after the equal shift."""
    if isinstance(positions, range):
        return range(positions.start + shift, positions.stop + shift, positions.step)
    return [position + shift for position in positions]


def consecutive_runs(positions: Sequence[int]) -> Iterator[slice]:
    """The stretches of consecutive positions, as slices of their indices."""
    if is_consecutive(positions):
        yield slice(0, len(positions))
        return
    breaks = np.flatnonzero(np.diff(np.asarray(positions)) != 1) + 1
    edges = [0, *breaks.tolist(), len(positions)]
    yield from (slice(first, end) for first, end in pairwise(edges))


def rows_to_compare(count: int) -> list[int]:
    """Of ``count`` rows those that are compared with a plain formula: all, or the ends of many."""
    ends = COMPARED_AT_EACH_END
    return sorted({*range(min(count, ends)), *range(max(count - ends, 0), count)})


def format_positions(positions: Sequence[int], short: int = 8) -> str:
    """Consecutive positions by their ends, others one by one, many of them by their ends again."""
    first, last = positions[0], positions[-1]
    if len(positions) > 1 and last - first == len(positions) - 1:
        return f"{first}-{last}"
    if len(positions) <= short:
        return ",".join(map(str, positions))
    return f"{first},{positions[1]},...,{last}"
