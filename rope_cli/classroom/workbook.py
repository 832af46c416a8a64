"""The questions of a report's sections, for the page on which they can be answered."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from rope_cli.classroom import answers, screens, written_numbers
from rope_cli.classroom.compose import ENOUGH_DIGITS, half_unit
from rope_cli.classroom.question import Question
from rope_cli.classroom.questions import questions_with
from rope_cli.document.blocks import Document
from rope_cli.document.exercise import Exercise, Mistake, Workbook

# By the names under which the script of the page knows them.
WORDS = {
    "right": screens.RIGHT,
    "wrong": screens.WRONG,
    "blank": written_numbers.BLANK,
    "noNumber": written_numbers.NO_NUMBER,
    "notFinite": written_numbers.NOT_FINITE,
    "tooLarge": written_numbers.TOO_LARGE,
    "byZero": written_numbers.BY_ZERO,
    "noRoot": written_numbers.NO_ROOT,
    "notWhole": answers.NOT_WHOLE,
    "onlySign": answers.ONLY_SIGN,
    "inDegrees": answers.IN_DEGREES,
    "close": answers.CLOSE,
}


def with_workbook(document: Document) -> Document:
    """The document with the questions about its sections.

    Questions ask about the chapter's numbers: where the reader gives others there is none.
    """
    exercises = defaultdict[str, tuple[Exercise, ...]](tuple)
    if not document.parameters.get("given"):
        for question in questions_with(None, [section.slug for section in document.sections]):
            exercises[question.slug] += (exercise_of(question),)
    return replace(document, workbook=Workbook(dict(exercises), WORDS, written_numbers.FOR_SCRIPT))


def exercise_of(question: Question) -> Exercise:
    """A question as the page asks and judges it, by the same numbers as ``predict``."""
    degrees = math.degrees(question.answer)
    return Exercise(
        id=question.id,
        sentence=question.sentence,
        rule=screens.answer_rule(question),
        hint=question.hint,
        answer=question.answer,
        tolerance=question.tolerance,
        shown_answer=screens.format_answer(question.answer, question),
        explanation=question.explanation,
        mistakes=tuple(mistakes_of(question)),
        choices=question.choices,
        cell=question.cell,
        degrees=(degrees, half_unit(degrees, ENOUGH_DIGITS))
        if answers.asks_for_radians(question)
        else None,
        near=answers.NEAR * question.tolerance,
    )


def mistakes_of(question: Question) -> Iterator[Mistake]:
    """The typical mistakes with the answers that each of them explains."""
    for wrong in question.wrong:
        rounded = answers.round_to_two_digits(wrong.value)
        named = answers.mistake_in_two_digits(question, rounded)
        yield Mistake(
            value=wrong.value,
            shown_value=screens.format_answer(wrong.value, question),
            window=half_unit(wrong.value, ENOUGH_DIGITS) if question.tolerance else 0.0,
            rounded=None if named is None else rounded,
            reason=wrong.reason,
        )
