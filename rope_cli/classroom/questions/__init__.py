"""All questions in teaching order: the chapter's track, then the note's."""

from __future__ import annotations

from collections.abc import Iterable

from rope_cli.classroom.question import Asked, Numbers, Question
from rope_cli.classroom.questions.attending import QUESTIONS as ATTENDING
from rope_cli.classroom.questions.bands import QUESTIONS as BANDS
from rope_cli.classroom.questions.bases import QUESTIONS as BASES
from rope_cli.classroom.questions.complex_form import QUESTIONS as VIEWS
from rope_cli.classroom.questions.distance import QUESTIONS as DISTANCE
from rope_cli.classroom.questions.dot_products import QUESTIONS as GRID
from rope_cli.classroom.questions.edges import QUESTIONS as EDGES
from rope_cli.classroom.questions.exercises_1_to_5 import QUESTIONS as NINE
from rope_cli.classroom.questions.exercises_6_to_9 import QUESTIONS as NINE_MORE
from rope_cli.classroom.questions.layouts import QUESTIONS as LAYOUTS
from rope_cli.classroom.questions.practice import QUESTIONS as PRACTICE
from rope_cli.classroom.questions.rotations import QUESTIONS as TURNING
from rope_cli.classroom.questions.shifts import QUESTIONS as SHIFTS

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
