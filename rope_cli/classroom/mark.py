"""Marks: the answers of one student or of a folder of them, compared and explained."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from rope_cli.classroom.answer_files import Answers, files_in, read_answers
from rope_cli.classroom.answers import judge, read_number
from rope_cli.classroom.question import Asked
from rope_cli.classroom.questions import QUESTIONS
from rope_cli.classroom.screens import spelled
from rope_cli.document import formatting
from rope_cli.document.blocks import (
    TIGHT,
    Block,
    Cell,
    Column,
    Document,
    Line,
    Paragraph,
    Phrase,
    Piece,
    Section,
    pieces_of,
)
from rope_cli.document.vocabulary import left, right, t, table
from rope_cli.text import LANGUAGES, Text
from rope_cli.user_input.command_errors import CannotRead, closest_match, printable

SLUG = "marks"
TITLE = t("Marks", "Проверка ответов")
UNKNOWN = t("{question}: no such question", "{question}: нет такого вопроса")
UNKNOWN_NEAR = t(
    "{question}: no such question (did you mean {name}?)",
    "{question}: нет такого вопроса (возможно, имелся в виду {name})",
)
ELSEWHERE = t(
    "answers to questions of sections that are not marked: {names}",
    "ответы на вопросы из непроверяемых разделов: {names}",
)
MANY_ELSEWHERE = t(
    "number of answers to questions of sections that are not marked: {count}",
    "ответов на вопросы из непроверяемых разделов: {count}",
)
DOUBLE = t(
    "answered more than once, so none of the answers counts",
    "ответ дан больше одного раза, и ни один не засчитан",
)
NOT_LISTED = t("not one of the typical mistakes", "не из числа типичных ошибок")
UNANSWERED = t("Without an answer: {names}.", "Без ответа: {names}.")
STUDENT = t("student", "ученик")
SCORE = t("right", "верно")
WRONG = t("wrong", "неверно")
BLANK = t("no answer", "без ответа")
NOTES = t("remarks", "замечания")
QUESTION = t("question", "вопрос")
GIVEN = t("given", "дан ответ")
RIGHT = t("right answer", "верный ответ")
REASON = t("what went wrong", "в чём ошибка")
# More names than this say no more than their number, which stands in the table.
MOST_NAMED = 10
# Each suggestion is a search; a file of nothing but unknown names must not take minutes.
MOST_SUGGESTED = 20
IDS = tuple(question.id for question in QUESTIONS)
CSV_HEADER = ("student", "question", "given", "answer", "tolerance", "right", "reason")


class Mark(NamedTuple):
    """One question of one student; ``given`` is ``None`` without an answer."""

    asked: Asked
    given: str | None
    right: bool
    reason: Line | None

    @property
    def question(self) -> str:
        """The id of the question."""
        return self.asked.id


class Marked(NamedTuple):
    """A student's mark for every question asked, in their order, then what counts for none."""

    student: str
    marks: tuple[Mark, ...]
    problems: tuple[Line, ...] = ()

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(mark.right for mark in self.marks)

    @property
    def wrong(self) -> tuple[Mark, ...]:
        """The answers that are not right."""
        return tuple(mark for mark in self.marks if mark.given is not None and not mark.right)

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The questions without an answer."""
        return tuple(mark.question for mark in self.marks if mark.given is None)


def mark(path: str, asked: Sequence[Asked]) -> tuple[Marked, ...]:
    """The marks of a file, or of every file of a folder, by name.

    Raises :class:`CannotRead` for what cannot be read at all; in a folder such a file is a student
    without marks, and the others are marked nevertheless.
    """
    students = []
    files = files_in(path)
    alone = files == (Path(path),)
    stems = Counter(file.stem for file in files)
    for file in files:
        student = printable(file.stem if stems[file.stem] == 1 else file.name)
        try:
            students.append(marked(read_answers(file)._replace(student=student), asked))
        except CannotRead as refusal:
            if alone:
                raise
            values = cast("dict[str, Piece]", refusal.values)
            problem = Phrase(refusal.SENTENCE, values)
            students.append(marked(Answers(student, (), (problem,)), asked))
    return tuple(students)


def marked(answers: Answers, asked: Sequence[Asked]) -> Marked:
    """Every question of a student, and a remark on every name that is none of theirs."""
    count = Counter(name for name, _ in answers.pairs)
    given = dict(answers.pairs)
    marks = tuple(one_mark(each, given.get(each.id), count[each.id] > 1) for each in asked)
    known = {each.id for each in asked}
    strange = tuple(name for name in given if name not in known)
    return Marked(answers.student, marks, (*answers.problems, *remarks(strange)))


def remarks(names: Sequence[str]) -> Iterator[Line]:
    """What is said about names that none of the questions asked has."""
    elsewhere = tuple(name for name in names if name in IDS)
    if len(elsewhere) > MOST_NAMED:
        yield Phrase(MANY_ELSEWHERE, {"count": len(elsewhere)})
    elif elsewhere:
        yield Phrase(ELSEWHERE, {"names": ", ".join(elsewhere)})
    for at, name in enumerate(name for name in names if name not in IDS):
        near = closest_match(name, IDS) if at < MOST_SUGGESTED else None
        if near is None:
            yield Phrase(UNKNOWN, {"question": printable(name)})
        else:
            yield Phrase(UNKNOWN_NEAR, {"question": printable(name), "name": near})


def one_mark(asked: Asked, given: str | None, double: bool) -> Mark:
    """The mark of one question."""
    if given is None:
        return Mark(asked, None, False, None)
    if double:
        return Mark(asked, given, False, DOUBLE)
    judged = judge(asked, given)
    reason = None if judged.right else judged.reason or NOT_LISTED
    return Mark(asked, given, judged.right, reason)


def document(students: Sequence[Marked], seed: int | None = None) -> Document:
    """The scores of all, then the wrong answers of each."""
    scores = table(
        None,
        (
            *left(STUDENT),
            *right(*(title for title in (SCORE, WRONG, BLANK, NOTES))),
        ),
        (score_row(each) for each in students),
    )
    blocks: list[Block] = [scores]
    for each in students:
        blocks.extend(details(each))
    return Document(
        (),
        (Section(1, SLUG, TITLE, None, tuple(blocks), values=values(students)),),
        parameters={"seed": seed},
    )


def score_row(each: Marked) -> tuple[Cell, ...]:
    """A student's line in the table of scores."""
    wrong, blank = len(each.wrong), len(each.unanswered)
    return (each.student, f"{each.right}/{len(each.marks)}", wrong, blank, len(each.problems))


def details(each: Marked) -> tuple[Block, ...]:
    """The wrong answers of a student, what was not answered, what could not be read."""
    blocks: list[Block] = []
    if each.wrong:
        blocks.append(
            table(
                each.student,
                tuple(Column(title) for title in (QUESTION, GIVEN, RIGHT, REASON)),
                (wrong_row(one) for one in each.wrong),
            )
        )
    for problem in each.problems:
        blocks.append(Paragraph((f"{each.student}: ", *pieces_of(problem), ".")))
    if 0 < len(each.unanswered) <= MOST_NAMED:
        names = Phrase(UNANSWERED, {"names": ", ".join(each.unanswered)})
        blocks.append(Paragraph((f"{each.student}. ", names)))
    return tuple(blocks)


def wrong_row(one: Mark) -> tuple[Cell, ...]:
    """Question, what was given, what is right, what went wrong."""
    answer = spelled(one.asked.answer, one.asked)
    return (one.question, printable(one.given or "", 24), answer, one.reason or "-")


def said(reason: Line | None, language: str) -> str:
    """A reason in one language, without unbreakable blanks."""
    return "" if reason is None else formatting.format_line(reason, language).replace(TIGHT, " ")


def values(students: Sequence[Marked]) -> dict[str, Any]:
    """The marks for programs, reasons in both languages."""
    return {
        "students": [
            {
                "student": each.student,
                "right": each.right,
                "asked": len(each.marks),
                "unanswered": list(each.unanswered),
                "problems": [both(problem) for problem in each.problems],
                "answers": [
                    {
                        "question": one.question,
                        "given": one.given,
                        "answer": one.asked.answer,
                        "tolerance": one.asked.tolerance,
                        "right": one.right,
                        "reason": None if one.reason is None else both(one.reason),
                    }
                    for one in each.marks
                    if one.given is not None
                ],
            }
            for each in students
        ]
    }


def both(reason: Line) -> dict[str, str]:
    """A reason in both languages."""
    return {language: said(reason, language) for language in LANGUAGES}


def as_csv(students: Sequence[Marked], language: str) -> str:
    """One line a student and question, unanswered ones too, for a spreadsheet."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(CSV_HEADER)
    for each in students:
        for one in each.marks:
            answer = (repr(one.asked.answer), repr(one.asked.tolerance))
            right_answer = "1" if one.right else "0"
            row = (each.student, one.question, printable(one.given or ""), *answer, right_answer)
            rows.writerow(map(guarded, (*row, said(one.reason, language))))
        for problem in each.problems:
            row = (each.student, "", "", "", "", "0")
            rows.writerow(map(guarded, (*row, said(problem, language))))
    return text.getvalue()


def guarded(cell: str) -> str:
    """The text of a cell, so that no spreadsheet takes it for a formula; numbers are left."""
    formula = cell.startswith(("=", "+", "-", "@")) and isinstance(read_number(cell), Text)
    return "'" + cell if formula else cell
