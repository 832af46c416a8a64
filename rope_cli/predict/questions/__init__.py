"""All questions in teaching order: the chapter's track, then the note's."""

from __future__ import annotations

from collections.abc import Iterable

from rope_cli.predict.question import Asked, Numbers, Question
from rope_cli.predict.questions.attending import QUESTIONS as ATTENDING
from rope_cli.predict.questions.bands import QUESTIONS as BANDS
from rope_cli.predict.questions.bases import QUESTIONS as BASES
from rope_cli.predict.questions.distance import QUESTIONS as DISTANCE
from rope_cli.predict.questions.edges import QUESTIONS as EDGES
from rope_cli.predict.questions.grid import QUESTIONS as GRID
from rope_cli.predict.questions.layouts import QUESTIONS as LAYOUTS
from rope_cli.predict.questions.nine import QUESTIONS as NINE
from rope_cli.predict.questions.nine_more import QUESTIONS as NINE_MORE
from rope_cli.predict.questions.practice import QUESTIONS as PRACTICE
from rope_cli.predict.questions.shifts import QUESTIONS as SHIFTS
from rope_cli.predict.questions.turning import QUESTIONS as TURNING
from rope_cli.predict.questions.views import QUESTIONS as VIEWS

CHAPTER = (*TURNING, *GRID, *EDGES, *ATTENDING, *NINE, *NINE_MORE)
NOTE = (*VIEWS, *LAYOUTS, *SHIFTS, *DISTANCE, *BANDS, *BASES, *PRACTICE)
QUESTIONS: tuple[Question, ...] = (*CHAPTER, *NOTE)


def asked_of(seed: int | None = None, slugs: Iterable[str] | None = None) -> tuple[Asked, ...]:
    """The questions of these sections, or all; the chapter's numbers unless there is a seed."""
    wanted = None if slugs is None else frozenset(slugs)
    numbers = Numbers(seed)
    return tuple(
        question.make(numbers)
        for question in QUESTIONS
        if wanted is None or question.slug in wanted
    )
