"""One comparison of the report, as a fact without words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Relation = Literal["at most", "at least"]


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison: what was measured, its tolerance, and how many values were compared.

    A check that compared nothing fails, and so does one whose measure is not a number.
    """

    name: str
    measured: float
    tolerance: float
    compared: int
    relation: Relation = "at most"

    @property
    def holds(self) -> bool:
        """Whether something was compared and the measure keeps to the tolerance."""
        if self.compared < 1:
            return False
        if self.relation == "at least":
            return self.measured >= self.tolerance
        return self.measured <= self.tolerance
