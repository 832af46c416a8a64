"""One comparison of the report, as a fact without words."""

from __future__ import annotations

from typing import Literal, NamedTuple

Relation = Literal["at most", "at least"]


class Check(NamedTuple):
    """One comparison: what was measured, its bound, and how many values were compared.

    A check that compared nothing fails, and so does one whose measure is not a number.
    """

    name: str
    measured: float
    bound: float
    compared: int
    relation: Relation = "at most"

    @property
    def holds(self) -> bool:
        """Whether something was compared and the measure keeps to the bound."""
        if self.compared < 1:
            return False
        if self.relation == "at least":
            return self.measured >= self.bound
        return self.measured <= self.bound
