"""All questions in teaching order: the chapter's track, then the note's."""

from __future__ import annotations

from collections.abc import Sequence

from rope_cli.classroom.question import Question, QuestionTemplate
from rope_cli.classroom.questions import (
    attention,
    bands,
    bases,
    complex_form,
    distance,
    dot_products,
    exercises,
    implementation,
    layouts,
    rotations,
    shapes_and_gradients,
    shifts,
)

CHAPTER = rotations, dot_products, shapes_and_gradients, attention, exercises
NOTE = complex_form, layouts, shifts, distance, bands, bases, implementation
QUESTIONS: tuple[QuestionTemplate, ...] = tuple(
    question for module in (*CHAPTER, *NOTE) for question in module.QUESTIONS
)


def questions_with(
    seed: int | None = None, slugs: Sequence[str] | None = None
) -> tuple[Question, ...]:
    """The questions of these sections in their order, or all in the order of teaching.

    Without a seed they have the chapter's numbers.
    """
    if slugs is None:
        return tuple(template.make(seed) for template in QUESTIONS)
    return tuple(
        template.make(seed) for slug in slugs for template in QUESTIONS if template.slug == slug
    )
