"""A question, what it asks with concrete numbers, and where fresh numbers come from."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from rope_cli.document.blocks import Phrase
from rope_cli.text import Text

Kind: TypeAlias = Literal["number", "choice", "cell"]
Sentence: TypeAlias = "Text | Phrase"
Chosen = TypeVar("Chosen")

ENOUGH_DIGITS, MOST_DIGITS = 3, 5
TOLERANCE_OF_ZERO = 0.0005
# Two typical mistakes nearer to each other than this cannot be told apart by six decimals.
LEAST_APART = 1e-5
ATTEMPTS = 200


class Wrong(NamedTuple):
    """A typical wrong answer and what probably went wrong."""

    value: float
    reason: Sentence


@dataclass(frozen=True)
class Asked:
    """A question with its numbers.

    A ``choice`` is answered by the number of a line, from 1; a ``cell`` by a number, as a
    ``number`` is, but it stands in a matrix: ``cell`` holds its row, its column and the size.
    A whole answer has tolerance 0; ``digits`` significant digits are enough for any other.
    """

    sentence: Sentence
    kind: Kind
    answer: float
    hint: Sentence
    wrong: tuple[Wrong, ...]
    explains: Sentence
    tolerance: float = 0.0
    digits: int = 0
    choices: tuple[Text, ...] = ()
    cell: tuple[int, int, int] | None = None
    id: str = ""
    slug: str = ""

    @property
    def sound(self) -> bool:
        """Whether no typical mistake passes, and each of them can be told from the others."""
        values = [self.answer, *(each.value for each in self.wrong)]
        if not all(map(math.isfinite, values)) or (self.kind != "choice" and self.digits < 0):
            return False
        ordered = sorted(values)
        return all(
            high - low > LEAST_APART * max(1.0, abs(low), abs(high))
            for low, high in pairwise(ordered)
        )


class Draw:
    """The numbers of one question: the chapter's own, or random ones of the same kind."""

    def __init__(self, random: Random | None) -> None:
        self.random = random

    def pick(self, chapter: Chosen, others: Sequence[Chosen]) -> Chosen:
        """The chapter's value, or one of the others."""
        return chapter if self.random is None else self.random.choice(others)

    def whole(self, chapter: int, least: int, most: int) -> int:
        """The chapter's whole number, or one within the bounds."""
        return chapter if self.random is None else self.random.randint(least, most)

    def row(self, chapter: tuple[float, ...]) -> tuple[float, ...]:
        """The chapter's row, or one of small whole numbers without zeros."""
        if self.random is None:
            return chapter
        return tuple(float(self.random.choice((-3, -2, -1, 1, 2, 3))) for _ in chapter)


class Numbers:
    """The source of numbers: the chapter's without a seed.

    Each question has a stream of its own, so that it keeps its numbers when others are left out.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def draw(self, name: str, attempt: int) -> Draw:
        """The numbers of one question; another attempt gives others."""
        if self.seed is None:
            return Draw(None)
        return Draw(Random(f"{self.seed}/{name}/{attempt}"))


@dataclass(frozen=True)
class Question:
    """A question of a section; ``compose`` words it for the numbers drawn."""

    id: str
    slug: str
    compose: Callable[[Draw], Asked]

    def make(self, numbers: Numbers) -> Asked:
        """The question with numbers for which no typical wrong answer is the right one."""
        for attempt in range(ATTEMPTS):
            asked = self.compose(numbers.draw(self.id, attempt))
            if asked.sound:
                return Asked(**{**vars(asked), "id": self.id, "slug": self.slug})
            if numbers.seed is None:
                break
        raise ValueError(f"{self.id}: a typical wrong answer coincides with another answer")


def half_unit(value: float, digits: int) -> float:
    """Half a unit of a significant digit of a value, the third for instance."""
    if value == 0:
        return TOLERANCE_OF_ZERO
    # The text of the value knows its order of magnitude exactly; a logarithm may be one off.
    exponent = int(f"{value:e}".partition("e")[2]) - digits + 1
    return float(f"5e{exponent - 1}")


def number(
    sentence: Sentence,
    answer: float,
    wrong: Sequence[Wrong],
    hint: Sentence,
    explains: Sentence,
    cell: tuple[int, int, int] | None = None,
) -> Asked:
    """A question answered by a real number, as finely as its typical mistakes need."""
    answer = float(answer)
    nearest = min((abs(each.value - answer) for each in wrong), default=math.inf)
    # A wrong answer rounded to as many digits must not pass either: twice the tolerance.
    fine = (
        digits
        for digits in range(ENOUGH_DIGITS, MOST_DIGITS + 1)
        if nearest > 2 * half_unit(answer, digits)
    )
    digits = next(fine, -1)
    return Asked(
        sentence=sentence,
        kind="number" if cell is None else "cell",
        answer=answer,
        hint=hint,
        wrong=tuple(wrong),
        explains=explains,
        tolerance=half_unit(answer, digits) if digits > 0 else 0.0,
        digits=digits,
        cell=cell,
    )


def count(
    sentence: Sentence,
    answer: int,
    wrong: Sequence[Wrong],
    hint: Sentence,
    explains: Sentence,
) -> Asked:
    """A question answered by a whole number, exactly."""
    return Asked(sentence, "number", answer, hint, tuple(wrong), explains)


def choice(
    sentence: Sentence,
    right: Text,
    others: Sequence[tuple[Text, Sentence]],
    hint: Sentence,
    explains: Sentence,
    at: int = 1,
) -> Asked:
    """A question answered by one of a few lines; ``others`` come with what is wrong with them.

    ``at`` is the place of the right line, from 1.
    """
    lines = [line for line, _ in others]
    lines.insert(at - 1, right)
    wrong = [Wrong(float(lines.index(line) + 1), reason) for line, reason in others]
    return Asked(sentence, "choice", float(at), hint, tuple(wrong), explains, choices=tuple(lines))
