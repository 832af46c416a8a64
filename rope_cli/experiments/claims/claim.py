"""One claim of a text: our words for it, a verdict, a number computed now, a section."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from rope_cli.example.worked_example import Example
from rope_cli.text import Text

Verdict = Literal["right", "conditional", "wrong", "term", "program", "open"]
Measure = Callable[[Example], float]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim with the section that shows it.

    ``mark`` counts the claims of the chapter (C) and of the note (N). ``remark`` says what is true
    instead, or on which condition. The number, which the section prints, stands in one of the two
    sentences as ``{number}``; a claim about history or words has none. A wrong claim has a
    ``rival``: were it right, its number would be smaller than this one.
    """

    verdict: Verdict
    mark: str
    slug: str
    number: Measure | None
    words: Text
    remark: Text | None = None
    rival: Measure | None = None

    def __post_init__(self) -> None:
        sentences = (self.words, self.remark or self.words)
        stated = {name for sentence in sentences for name in sentence.placeholders}
        computed = {"number"} if self.number else set()
        if self.rival:
            computed.add("rival")
        if stated != computed:
            raise ValueError(f"{self.mark} states {sorted(stated)}, computes {sorted(computed)}")


right = partial(Claim, "right")  # as it stands; some deserve a remark
conditional = partial(Claim, "conditional")  # on the condition in its remark
wrong = partial(Claim, "wrong")  # as it stands; its remark says what is true
term = partial(Claim, "term")  # a word that leads astray
program = partial(Claim, "program")  # what the chapter's program does, and this one too
unjudged = partial(Claim, "open")  # it says nothing to be judged
