"""Rising positions: their consecutive runs, the equal shift, and how they are printed.

Consecutive positions are a ``range``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from rope_cli.text import Text

# How many rows at each end are compared with a plain formula.
COMPARED_AT_EACH_END = 64


def shift_positions(positions: Sequence[int], shift: int) -> Sequence[int]:
    """The positions after the equal shift; a range stays a range."""
    if isinstance(positions, range):
        return range(positions.start + shift, positions.stop + shift, positions.step)
    return [position + shift for position in positions]


def consecutive_runs(positions: Sequence[int]) -> Iterator[slice]:
    """The runs of consecutive positions, as slices of their indices."""
    if isinstance(positions, range) and positions.step == 1:
        yield slice(0, len(positions))
        return
    breaks = np.flatnonzero(np.diff(np.asarray(positions)) != 1) + 1
    edges = [0, *breaks.tolist(), len(positions)]
    yield from (slice(first, end) for first, end in pairwise(edges))


def rows_to_compare(count: int) -> list[int]:
    """The indices of the rows that are compared with a plain formula: of many, the ends only."""
    ends = COMPARED_AT_EACH_END
    return sorted({*range(min(count, ends)), *range(max(count - ends, 0), count)})


def format_positions(positions: Sequence[int], short: int = 8) -> str:
    """A range for consecutive positions, ``0,1,7`` for a few others, ``0,2,...,98`` for many."""
    first, last = positions[0], positions[-1]
    if len(positions) > 1 and last - first == len(positions) - 1:
        return f"{first}\N{EN DASH}{last}"
    if len(positions) <= short:
        return ",".join(map(str, positions))
    return f"{first},{positions[1]},...,{last}"


def name_positions(positions: Sequence[int]) -> Text:
    """``position 7`` or ``positions 0,1,7``."""
    numbers = format_positions(positions)
    if len(positions) == 1:
        return Text(en=f"position {numbers}", ru=f"позиция {numbers}")
    return Text(en=f"positions {numbers}", ru=f"позиции {numbers}")
