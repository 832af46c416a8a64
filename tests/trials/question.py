"""What is put before ``verify``, with what is known of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from trials.mistakes import Mistakes
from trials.setups import Rng

# Beyond what rounding may do so many times over, numbers are surely wrong.
SURE = 2.0


class Question(NamedTuple):
    """Files and words of a command line, and what was planted into the files.

    ``visible`` is the greatest difference from the right numbers over what rounding may do.
    ``same`` tells whether other mistakes give the same numbers.
    """

    label: str
    mistakes: Mistakes
    visible: float
    words: list[str]
    same: Callable[[Mistakes], bool]
    layout: str = ""
    layout_named: bool = True


class Subject(Protocol):
    """A module that asks about one thing; its files are put into a folder."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What can be planted."""
        ...

    def right(self, rng: Rng, folder: Path) -> Question:
        """A question about right numbers."""
        ...

    def wrong(self, label: str, rng: Rng, folder: Path) -> Question:
        """A question about numbers with what a label names planted into them."""
        ...
