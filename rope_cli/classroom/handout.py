"""Questions and answers on paper, a document for every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal

from rope_cli.classroom.compose import ENOUGH_DIGITS
from rope_cli.classroom.gift import as_gift
from rope_cli.classroom.question import Question
from rope_cli.classroom.screens import answer_rule, format_answer, format_tolerance
from rope_cli.classroom.selection import select_questions
from rope_cli.document import formatting
from rope_cli.document.blocks import TIGHT, Block, Column, Document, Paragraph, Section, pieces_of
from rope_cli.document.vocabulary import left, matrix, say, t, table
from rope_cli.report.build import section_module
from rope_cli.report.tracks import number_of
from rope_cli.text import LANGUAGES

Part = Literal["questions", "answers"]


@dataclass(frozen=True)
class HandoutRequest:
    """Sections or groups, all if there are none; a seed; one part, or both if ``None``."""

    sections: Sequence[str] = ()
    seed: int | None = None
    part: Part | None = None


def report(request: HandoutRequest) -> Document:
    """The sheet asked for. Raises ``UnknownSection`` and ``NoQuestion``."""
    questions = select_questions(request.sections, request.seed)
    document = handout(questions, request.part) if request.part else both_parts(questions)
    opening = document.opening
    if request.part != "answers":
        opening = (*opening, *heading(request))
    elif request.seed is not None:
        opening = (*opening, say("seed {seed}", "seed {seed}", seed=request.seed))
    return replace(document, opening=opening, parameters={"seed": request.seed})


def gift(request: HandoutRequest, language: str) -> str:
    """The questions with their answers as GIFT. Raises what :func:`report` raises."""
    return as_gift(select_questions(request.sections, request.seed), language)


def heading(request: HandoutRequest) -> Iterator[Paragraph]:
    """What stands at the head of a sheet: who fills it in, its seed, how answers are compared."""
    blank = "_" * 16
    yield say(
        "Name: {blank} Group: {blank} Date: {blank}",
        "Имя: {blank} Группа: {blank} Дата: {blank}",
        blank=blank,
    )
    if request.seed is not None:
        yield say(
            "seed {seed}: copy this line with your answers.",
            "seed {seed}: перепишите эту строку вместе с ответами.",
            seed=request.seed,
        )
    yield say(
        "Unless a question says otherwise, {digits} significant digits are enough. To choose a "
        "line, write its number.",
        "Где не сказано иначе, достаточно {digits} значащих цифр. Если ответы перечислены, "
        "напишите номер верной строки.",
        digits=ENOUGH_DIGITS,
    )


def both_parts(questions: Sequence[Question]) -> Document:
    """All questions, then all answers."""
    asking, answering = handout(questions, "questions"), handout(questions, "answers")
    if not questions:
        return asking
    # The opening of the answers stands in the first of their sections.
    first, *others = map(beside_questions, answering.sections)
    first = replace(first, blocks=(*answering.opening, *first.blocks))
    return Document(asking.opening, (*asking.sections, first, *others))


def beside_questions(section: Section) -> Section:
    """A section of answers in a document that also has the section of the questions."""
    title = section.title
    return replace(
        section,
        slug=f"{section.slug}-answers",
        title=t(f"Answers: {title.en}", f"Ответы: {title.ru}"),
    )


def handout(questions: Sequence[Question], part: Part) -> Document:
    """All questions, or all answers, under the titles of their sections."""
    if part == "questions":
        opening = say(
            "Predict first: questions. Write down an answer to each before you open its section.",
            "Сначала предскажите: вопросы. Запишите ответ на каждый, прежде чем открыть раздел.",
        )
        blocks_of, values_of = question_blocks, question_values
    else:
        opening = say(
            "Predict first: answers, and where typical wrong answers come from.",
            "Сначала предскажите: ответы. В таблицах — типичные неверные ответы и откуда они "
            "берутся.",
        )
        blocks_of, values_of = answer_blocks, answer_values
    sections = []
    for slug, group in groupby(questions, key=lambda question: question.slug):
        own = tuple(group)
        blocks = tuple(block for question in own for block in blocks_of(question))
        values = {question.id: values_of(question) for question in own}
        title = section_module(slug).TITLE
        sections.append(Section(number_of(slug), slug, title, None, blocks, values=values))
    return Document((opening,), tuple(sections))


def question_blocks(question: Question) -> Iterator[Block]:
    """The sentence, its matrix or the lines to choose from, and room for the answer.

    How the answer is compared stands here only where the rule at the head of the sheet differs.
    """
    yield say("{id}. {sentence}", "{id}. {sentence}", id=question.id, sentence=question.sentence)
    for place, line in enumerate(question.choices, 1):
        yield say("{place}) {line}", "{place}) {line}", place=place, line=line)
    if question.cell is not None:
        row, column, size = question.cell
        yield matrix(
            None,
            "m \\ n",
            range(size),
            range(size),
            [["?" if (m, n) == (row, column) else "." for n in range(size)] for m in range(size)],
        )
    if not question.choices and question.digits != ENOUGH_DIGITS:
        yield Paragraph(answer_rule(question))
    yield say("Answer: {blank}", "Ответ: {blank}", blank="_" * 24)


def answer_blocks(question: Question) -> Iterator[Block]:
    """The answer and its tolerance, why it is so, and a table of the typical mistakes."""
    answer = pieces_of(format_answer(question.answer, question))
    if question.tolerance:
        within = t(
            " (accepted within {tolerance})",
            " (засчитывается с отклонением до {tolerance})",
            tolerance=format_tolerance(question),
        )
        answer = (*answer, within)
    yield Paragraph((f"{question.id}: ", *answer, ". ", question.explanation))
    if question.wrong:
        values = Column(
            t("wrong answer", "неверный ответ"), "left" if question.choices else "right"
        )
        yield table(
            None,
            (values, *left(t("where it comes from", "откуда берётся"))),
            ((format_answer(wrong.value, question), wrong.reason) for wrong in question.wrong),
        )


def question_values(question: Question) -> dict[str, Any]:
    """The question as JSON holds it, in both languages."""
    return {
        "question": {
            language: formatting.format_line(question.sentence, language).replace(TIGHT, " ")
            for language in LANGUAGES
        },
        "kind": question.kind,
        "choices": [
            {language: line.in_language(language) for language in LANGUAGES}
            for line in question.choices
        ],
        "tolerance": question.tolerance,
    }


def answer_values(question: Question) -> dict[str, Any]:
    """The answer as JSON holds it."""
    return {
        "answer": question.answer,
        "tolerance": question.tolerance,
        "wrong": [wrong.value for wrong in question.wrong],
    }
