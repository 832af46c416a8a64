"""Rising positions: their stretches, the equal shift, and the ends of very many.

Positions are a ``range`` where they are consecutive, which takes no memory however many they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeGuard

import numpy as np

# Up to how many rows at each end are compared with a plain formula.
WITNESSED_AT_EACH_END = 64


def is_consecutive(positions: Sequence[int]) -> TypeGuard[range]:
    """Whether they are a range without gaps."""
    return isinstance(positions, range) and positions.step == 1


def shift_positions(positions: Sequence[int], shift: int) -> Sequence[int]:
    """Each position after the equal shift."""
    if isinstance(positions, range):
        return range(positions.start + shift, positions.stop + shift, positions.step)
    return [position + shift for position in positions]


def before_and_after(first: int, end: int, shift: int) -> tuple[range, ...]:
    """A stretch and the same after the shift: as one, or as two if they lie apart."""
    if shift <= end - first:
        return (range(first, end + shift),)
    return range(first, end), range(first + shift, end + shift)


def united(first: Sequence[int], second: Sequence[int]) -> Sequence[int]:
    """The positions of both, each once and rising."""
    if is_consecutive(first) and is_consecutive(second):
        one, other = sorted((first, second), key=lambda each: each.start)
        if other.start <= one.stop:
            return range(one.start, max(one.stop, other.stop))
    return sorted({*first, *second})


def consecutive_runs(positions: Sequence[int]) -> Iterator[slice]:
    """The stretches of consecutive positions, as slices of their indices."""
    if is_consecutive(positions):
        yield slice(0, len(positions))
        return
    breaks = np.flatnonzero(np.diff(np.asarray(positions)) != 1) + 1
    edges = [0, *breaks.tolist(), len(positions)]
    yield from (slice(first, end) for first, end in pairwise(edges))


def witnessed(count: int) -> list[int]:
    """Of ``count`` rows those that are compared with a plain formula: all, or the ends of many."""
    ends = WITNESSED_AT_EACH_END
    return sorted({*range(min(count, ends)), *range(max(count - ends, 0), count)})


def chosen(positions: Sequence[int], indices: Sequence[int]) -> Sequence[int]:
    """The positions at some indices; unchanged if these are all."""
    return positions if len(indices) == len(positions) else [positions[at] for at in indices]


def format_positions(positions: Sequence[int], short: int = 8) -> str:
    """Consecutive positions by their ends, others one by one, many of them by their ends again."""
    first, last = positions[0], positions[-1]
    if len(positions) > 1 and last - first == len(positions) - 1:
        return f"{first}-{last}"
    if len(positions) <= short:
        return ",".join(map(str, positions))
    return f"{first},{positions[1]},...,{last}"
