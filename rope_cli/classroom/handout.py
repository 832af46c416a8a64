"""Questions and answers on paper: documents for every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Literal

from rope_cli.classroom.question import Asked
from rope_cli.classroom.screens import rule_of, spelled
from rope_cli.document import formatting
from rope_cli.document.blocks import (
    TIGHT,
    Block,
    Column,
    Document,
    Paragraph,
    Phrase,
    Piece,
    Section,
    pieces_of,
)
from rope_cli.document.vocabulary import left, t, table
from rope_cli.report.build import section_module
from rope_cli.report.tracks import number_of
from rope_cli.text import LANGUAGES

Part = Literal["questions", "answers"]

QUESTIONS = t(
    "Predict first: questions. Write an answer to each before you look at a section.",
    "Сначала предскажите: вопросы. Запишите ответ на каждый, прежде чем открывать раздел.",
)
ANSWERS = t(
    "Predict first: answers, and what typical wrong ones come from.",
    "Сначала предскажите: ответы и откуда берутся типичные неверные.",
)
QUESTION = t("{id}. {sentence}", "{id}. {sentence}")
CHOICE = t("{at}) {line}", "{at}) {line}")
GIVEN = t("wrong answer", "неверный ответ")
REASON = t("what it comes from", "откуда он")


def handout(asked: Sequence[Asked], part: Part) -> Document:
    """All questions, or all answers, under the titles of their sections."""
    compose = question_blocks if part == "questions" else answer_blocks
    values = question_values if part == "questions" else answer_values
    sections = []
    for slug, group in groupby(asked, key=lambda each: each.slug):
        those = tuple(group)
        blocks = tuple(block for each in those for block in compose(each))
        named = {each.id: values(each) for each in those}
        title = section_module(slug).TITLE
        sections.append(Section(number_of(slug), slug, title, None, blocks, values=named))
    opening = Paragraph(QUESTIONS if part == "questions" else ANSWERS)
    return Document((opening,), tuple(sections))


def printed(asked: Sequence[Asked]) -> Document:
    """Without a terminal: all questions, then all answers."""
    questions, answers = handout(asked, "questions"), handout(asked, "answers")
    if not answers.sections:
        return questions
    # The opening of the answers stands in the first of their sections.
    first, *rest = map(beside_questions, answers.sections)
    first = replace(first, blocks=(*answers.opening, *first.blocks))
    return Document(questions.opening, (*questions.sections, first, *rest))


def beside_questions(section: Section) -> Section:
    """A section of answers, told from that of its questions in the same document."""
    title = section.title
    return replace(
        section,
        slug=f"{section.slug}-answers",
        title=t(f"Answers: {title.en}", f"Ответы: {title.ru}"),
    )


def question_blocks(asked: Asked) -> Iterator[Block]:
    """The sentence, the lines to choose from, and how the answer is compared."""
    yield Paragraph(Phrase(QUESTION, {"id": asked.id, "sentence": asked.sentence}))
    for at, line in enumerate(asked.choices, 1):
        yield Paragraph(Phrase(CHOICE, {"at": at, "line": line}))
    yield Paragraph(rule_of(asked))


def answer_blocks(asked: Asked) -> Iterator[Block]:
    """The answer, why it is so, and a table of the typical mistakes."""
    yield Paragraph((f"{asked.id}: ", *pieces(asked, asked.answer), ". ", asked.explains))
    if asked.wrong:
        yield table(
            None,
            (
                Column(GIVEN, "left" if asked.choices else "right"),
                *left(REASON),
            ),
            ((pieces(asked, each.value), each.reason) for each in asked.wrong),
        )


def pieces(asked: Asked, value: float) -> tuple[Piece, ...]:
    """A value as the pieces of a line."""
    return pieces_of(spelled(value, asked))


def question_values(asked: Asked) -> dict[str, Any]:
    """The question for programs, in both languages."""
    return {
        "question": {
            name: formatting.format_line(asked.sentence, name).replace(TIGHT, " ")
            for name in LANGUAGES
        },
        "kind": asked.kind,
        "choices": [{name: line.in_language(name) for name in LANGUAGES} for line in asked.choices],
        "tolerance": asked.tolerance,
    }


def answer_values(asked: Asked) -> dict[str, Any]:
    """The answer for programs."""
    return {
        "answer": asked.answer,
        "tolerance": asked.tolerance,
        "wrong": [each.value for each in asked.wrong],
    }
