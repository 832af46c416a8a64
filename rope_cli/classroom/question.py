"""A question with concrete numbers, the template it is made from, and the numbers to fill in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from rope_cli.document.blocks import Phrase
from rope_cli.text import Text

Kind: TypeAlias = Literal["number", "choice", "cell"]
Sentence: TypeAlias = "Text | Phrase"
Picked = TypeVar("Picked")

# Typical mistakes closer together than this look the same at six decimals.
LEAST_APART = 1e-5
ATTEMPTS = 200


class Wrong(NamedTuple):
    """A typical wrong answer and what probably went wrong."""

    value: float
    reason: Sentence


@dataclass(frozen=True)
class Question:
    """A question with concrete numbers.

    A ``choice`` is answered by the number of a line, counted from 1. A ``number`` and a ``cell``
    are answered by a number; the number of a ``cell`` stands in a matrix, and ``cell`` holds its
    row, its column and the size of the matrix. A whole number has tolerance 0; for any other
    ``digits`` significant digits are enough.
    """

    sentence: Sentence
    kind: Kind
    answer: float
    hint: Sentence
    wrong: tuple[Wrong, ...]
    explanation: Sentence
    tolerance: float = 0.0
    digits: int = 0
    choices: tuple[Text, ...] = ()
    cell: tuple[int, int, int] | None = None
    id: str = ""
    slug: str = ""

    @property
    def sound(self) -> bool:
        """Whether no typical mistake is accepted and all of them can be told apart."""
        values = [self.answer, *(wrong.value for wrong in self.wrong)]
        if not all(map(math.isfinite, values)) or (self.kind != "choice" and self.digits < 0):
            return False
        return all(
            high - low > LEAST_APART * max(1.0, abs(low), abs(high))
            for low, high in pairwise(sorted(values))
        )


class Numbers:
    """The numbers of one question: the chapter's own, or random ones of the same kind."""

    def __init__(self, random: Random | None = None) -> None:
        self.random = random

    def pick(self, chapter: Picked, others: Sequence[Picked]) -> Picked:
        """The chapter's value, or one of the others."""
        return chapter if self.random is None else self.random.choice(others)

    def whole(self, chapter: int, least: int, most: int) -> int:
        """The chapter's whole number, or one from ``least`` to ``most``."""
        return chapter if self.random is None else self.random.randint(least, most)

    def row(self, chapter: tuple[float, ...]) -> tuple[float, ...]:
        """The chapter's row, or one of small whole numbers without zeros."""
        if self.random is None:
            return chapter
        return tuple(float(self.random.choice((-3, -2, -1, 1, 2, 3))) for _ in chapter)


@dataclass(frozen=True)
class QuestionTemplate:
    """A question of a section before its numbers are chosen; ``compose`` fills them in."""

    id: str
    slug: str
    compose: Callable[[Numbers], Question]

    @lru_cache(maxsize=4096)  # noqa: B019 (templates are constants)
    def make(self, seed: int | None = None) -> Question:
        """The question with the chapter's numbers, or with those of a seed.

        The numbers depend on the seed and on this question alone, not on other questions. They
        are drawn again while a typical mistake coincides with another answer. Raises
        ``ValueError`` if that happens with the chapter's numbers or in every attempt.
        """
        for attempt in range(1 if seed is None else ATTEMPTS):
            random = None if seed is None else Random(f"{seed}/{self.id}/{attempt}")
            question = self.compose(Numbers(random))
            if question.sound:
                return replace(question, id=self.id, slug=self.slug)
        raise ValueError(f"{self.id}: a typical wrong answer coincides with another answer")
