"""What is asked for: the worked example, the chapter's unless the reader gives other values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

# What a section can take from the reader: the names of the fields below.
EVERYTHING = frozenset(
    {
        "feature_width",
        "base",
        "layout",
        "positions",
        "shift",
        "query",
        "key",
        "dtype",
        "every_row",
    }
)
# Up to how many positions a report for programs lists.
MOST_LISTED = 65_536
Rows = tuple[tuple[float, ...], ...]


class Parameters(NamedTuple):
    """The chapter's worked example: width 4, base 100, positions 0-2 and an equal shift of 3.

    ``query`` and ``key`` hold one row, which then stands at every position, or a row for each
    position; without rows the chapter's row [1, 0, 1, 0, ...] is continued to the feature width.
    ``dtype`` is that of the rotated rows. ``every_row`` asks for tables without a summary.
    ``given`` names the values that come from the reader.
    """

    feature_width: int = 4
    base: float = 100.0
    layout: str = "adjacent"
    positions: Sequence[int] = (0, 1, 2)
    shift: int = 3
    query: Rows | None = None
    key: Rows | None = None
    dtype: str = "float64"
    every_row: bool = False
    given: frozenset[str] = frozenset()

    @property
    def pairs(self) -> int:
        """How many pairs of coordinates are rotated."""
        return self.feature_width // 2

    @property
    def greatest_position(self) -> int:
        """The last position that the shifted rows reach."""
        return self.positions[-1] + self.shift

    def restricted_to(self, used: frozenset[str]) -> Parameters:
        """The reader's values of these names, and the chapter's for all others."""
        kept = {name: getattr(self, name) for name in self.given & used}
        return Parameters(**kept, given=self.given & used)

    def for_programs(self) -> dict[str, Any]:
        """The parameters under the names that the JSON report uses."""
        return {
            "feature_width": self.feature_width,
            "pairs": self.pairs,
            "base": self.base,
            "layout": self.layout,
            "positions": listed(self.positions),
            "shift": self.shift,
            "dtype": self.dtype,
            "given": sorted(self.given),
        }


def listed(positions: Sequence[int]) -> list[int] | dict[str, int]:
    """The positions, or of very many just where they begin and end and how many they are."""
    if len(positions) <= MOST_LISTED:
        return list(positions)
    return {"first": positions[0], "last": positions[-1], "count": len(positions)}
