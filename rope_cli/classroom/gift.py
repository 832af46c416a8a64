"""Questions for a course system: GIFT, the text format that Moodle imports.

The format is that of Moodle's own page on it, ``docs.moodle.org/en/GIFT_format``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from rope_cli.classroom.compose import ENOUGH_DIGITS, half_unit
from rope_cli.classroom.question import Question
from rope_cli.classroom.screens import answer_rule
from rope_cli.document import formatting
from rope_cli.document.blocks import TIGHT, Line
from rope_cli.document.vocabulary import t
from rope_cli.report.build import section_module

# Each of these begins something in GIFT.
SPECIAL = re.compile(r"([\\~=#{}:])")
COURSE = t("Rotary position embedding", "Ротационное позиционное кодирование")


def as_gift(questions: Sequence[Question], language: str) -> str:
    """The questions as GIFT, in a category for each section.

    A number has the tolerance of ``mark``; every typical mistake earns nothing and has its reason
    as feedback.
    """
    parts = []
    for slug, group in groupby(questions, key=lambda question: question.slug):
        title = spell(section_module(slug).TITLE, language).replace("/", "//")
        course = spell(COURSE, language)
        parts.append(f"$CATEGORY: $course$/{course}/{title}\n")
        parts += ["\n".join(lines_of(question, language)) + "\n" for question in group]
    return "\n".join(parts)


def lines_of(question: Question, language: str) -> Iterator[str]:
    """A question: its name, its text, its answers with their feedback."""
    text = r"\n\n".join(
        [
            spell(question.sentence, language),
            *(() if question.choices else (spell(answer_rule(question), language),)),
        ]
    )
    answers = choice_lines if question.choices else number_lines
    yield f"::{escape(question.id)}::[plain]{text} {{{'' if question.choices else '#'}"
    yield from answers(question, language)
    yield f"####{spell(question.explanation, language)}"
    yield "}"


def choice_lines(question: Question, language: str) -> Iterator[str]:
    """The lines to choose from; a wrong one has its reason."""
    reasons = {wrong.value: wrong.reason for wrong in question.wrong}
    for place, line in enumerate(question.choices, 1):
        if place == question.answer:
            yield f"={spell(line, language)}"
        else:
            yield f"~{spell(line, language)}#{spell(reasons[place], language)}"


def number_lines(question: Question, language: str) -> Iterator[str]:
    """The answer with its tolerance, then the typical mistakes with theirs."""
    yield f"=%100%{number(question.answer)}:{number(question.tolerance)}"
    for wrong in question.wrong:
        window = half_unit(wrong.value, ENOUGH_DIGITS) if question.tolerance else 0.0
        yield f"=%0%{number(wrong.value)}:{number(window)}#{spell(wrong.reason, language)}"


def number(value: float) -> str:
    """A number with all its digits and without an exponent, which Moodle also reads."""
    digits = f"{value:.12f}".rstrip("0").rstrip(".")
    return "0" if digits in ("", "-0") else digits


def spell(line: Line, language: str) -> str:
    """A sentence in one language, its special signs escaped."""
    return escape(formatting.format_line(line, language).replace(TIGHT, " "))


def escape(text: str) -> str:
    """The text with a backslash before each sign that means something in GIFT."""
    return SPECIAL.sub(r"\\\1", text)
