"""Questions that a reader can answer on the page itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rope_cli.document.blocks import Line
    from rope_cli.text import Text


@dataclass(frozen=True, slots=True)
class Mistake:
    """A typical wrong answer, how far from it an answer is still explained by it, and the reason.

    ``rounded`` is the value in two digits, where that tells it from every other answer.
    """

    value: float
    shown_value: Line
    window: float
    rounded: float | None
    reason: Line


@dataclass(frozen=True, slots=True)
class Start:
    """Where the picture that a reader moves begins: at the values of the report.

    ``m`` and ``n`` are the positions of the query and the key. ``query`` and ``key`` are their rows
    before the rotation, pair after pair; without them the rows are those of the chapter.
    """

    m: int
    n: int
    base: float
    feature_width: int
    query: tuple[float, ...] = ()
    key: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Exercise:
    """A question with all that is needed to judge an answer and to say what is wrong with it.

    ``choices`` are the lines to choose from, by their numbers from 1; ``cell`` is the row, the
    column and the size of the matrix whose cell is asked for. ``degrees`` is the answer in degrees
    and its window, where the question asks for radians; ``near`` is the window of an answer that
    is close.
    """

    id: str
    sentence: Line
    rule: Line
    hint: Line
    answer: float
    tolerance: float
    shown_answer: Line
    explanation: Line
    mistakes: tuple[Mistake, ...]
    choices: tuple[Line, ...] = ()
    cell: tuple[int, int, int] | None = None
    degrees: tuple[float, float] | None = None
    near: float = 0.0


@dataclass(frozen=True, slots=True)
class Workbook:
    """The exercises of a document by the slug of their section.

    ``words`` are the sentences about an answer, by the names under which a script looks for them.
    ``reading`` is how a script reads numbers; ``seed`` is the seed of the numbers, ``None`` for the
    chapter's own.
    """

    exercises: Mapping[str, tuple[Exercise, ...]]
    words: Mapping[str, Text]
    reading: Mapping[str, object]
    seed: int | None = None
