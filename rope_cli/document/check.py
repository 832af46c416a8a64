"""One comparison of the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Relation = Literal["at most", "at least"]


@dataclass(frozen=True, slots=True)
class Check:
    """What was measured, its tolerance, and how many values were compared.

    A check that compared nothing fails, and so does one that measured NaN.
    """

    name: str
    measured: float
    tolerance: float
    compared: int
    relation: Relation = "at most"

    @property
    def holds(self) -> bool:
        """Whether something was compared and the measured value is within the tolerance."""
        if self.compared < 1:
            return False
        if self.relation == "at least":
            return self.measured >= self.tolerance
        return self.measured <= self.tolerance
