"""What is asked for: the values of the worked example, the chapter's by default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Parameters:
    """The chapter's worked example: width 4, base 100, positions 0-2 and an equal shift of 3.

    ``content`` is the row that stands at every position, as query and as key; its length is the
    feature width. ``capacity`` counts the positions that a table must hold.
    """

    feature_width: int = 4
    base: float = 100.0
    layout: str = "adjacent"
    positions: tuple[int, ...] = (0, 1, 2)
    shift: int = 3
    content: tuple[float, ...] = (1.0, 0.0, 1.0, 0.0)

    @property
    def pairs(self) -> int:
        """How many pairs of coordinates are rotated."""
        return self.feature_width // 2

    @property
    def capacity(self) -> int:
        """How many positions the shifted rows reach, counted from 0."""
        return self.positions[-1] + self.shift + 1

    def for_programs(self) -> dict[str, Any]:
        """The parameters under the names that the JSON report uses."""
        return {
            "feature_width": self.feature_width,
            "pairs": self.pairs,
            "base": self.base,
            "layout": self.layout,
            "positions": list(self.positions),
            "shift": self.shift,
        }
