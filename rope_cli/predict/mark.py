"""Marks: the answers of one student or of a folder of them, compared and explained."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from rope_cli import characters
from rope_cli.document import (
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
    Table,
)
from rope_cli.predict.answers import judge, read_number
from rope_cli.predict.mark_reading import Answers, files_in, read_answers
from rope_cli.predict.question import Asked
from rope_cli.predict.screens import spelled
from rope_cli.refusals import CannotRead, harmless, nearest
from rope_cli.words import Text

SLUG = "marks"
TITLE = Text(en="Marks", ru="Проверка ответов")
UNKNOWN = Text(en="no such question", ru="нет такого вопроса")
UNKNOWN_NEAR = Text(
    en="no such question; did you mean {name}?",
    ru="нет такого вопроса; возможно, имелся в виду {name}",
)
DOUBLE = Text(
    en="answered more than once, so none of the answers counts",
    ru="ответ дан больше одного раза, и ни один не засчитан",
)
NOT_LISTED = Text(
    en="not one of the typical mistakes",
    ru="не из числа типичных ошибок",
)
UNANSWERED = Text(en="Without an answer: {names}.", ru="Без ответа: {names}.")
STUDENT = Text(en="student", ru="ученик")
SCORE = Text(en="right", ru="верно")
WRONG = Text(en="wrong", ru="неверно")
BLANK = Text(en="no answer", ru="без ответа")
NOTES = Text(en="remarks", ru="замечания")
QUESTION = Text(en="question", ru="вопрос")
GIVEN = Text(en="given", ru="дан ответ")
RIGHT = Text(en="right answer", ru="верный ответ")
REASON = Text(en="what went wrong", ru="в чём ошибка")
# More names than this say no more than their number, which stands in the table.
MOST_NAMED = 10
CSV_HEADER = ("student", "question", "given", "answer", "tolerance", "right", "reason")


class Mark(NamedTuple):
    """One question of one student; ``given`` is ``None`` without an answer.

    ``asked`` is ``None`` for a name that is no question's.
    """

    question: str
    asked: Asked | None
    given: str | None
    right: bool
    reason: Line | None


class Marked(NamedTuple):
    """All marks of a student, in the order of the questions, then what could not be read."""

    student: str
    marks: tuple[Mark, ...]
    problems: tuple[Line, ...] = ()

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(mark.right for mark in self.marks)

    @property
    def wrong(self) -> tuple[Mark, ...]:
        """The answers that are not right, names of no question among them."""
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
    alone = not Path(path).is_dir()
    students = []
    files = files_in(path)
    stems = Counter(file.stem for file in files)
    for file in files:
        student = harmless(file.stem if stems[file.stem] == 1 else file.name)
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
    """Every question of a student, and every name that is no question's."""
    count = Counter(name for name, _ in answers.pairs)
    given = dict(answers.pairs)
    known = {each.id: each for each in asked}
    marks = [one_mark(each, given.get(each.id), count[each.id] > 1) for each in asked]
    for name, value in answers.pairs:
        if name not in known:
            near = nearest(name, known)
            reason: Line = UNKNOWN if near is None else Phrase(UNKNOWN_NEAR, {"name": near})
            marks.append(Mark(harmless(name), None, value, False, reason))
    return Marked(answers.student, tuple(marks), answers.problems)


def one_mark(asked: Asked, given: str | None, double: bool) -> Mark:
    """The mark of one question."""
    if given is None:
        return Mark(asked.id, asked, None, False, None)
    if double:
        return Mark(asked.id, asked, given, False, DOUBLE)
    judged = judge(asked, given)
    reason = None if judged.right else judged.reason or NOT_LISTED
    return Mark(asked.id, asked, given, judged.right, reason)


def document(students: Sequence[Marked], seed: int | None = None) -> Document:
    """The scores of all, then the wrong answers of each."""
    scores = Table(
        (
            Column(STUDENT),
            *(Column(title, "right") for title in (SCORE, WRONG, BLANK, NOTES)),
        ),
        tuple(score_row(each) for each in students),
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
    total = sum(one.asked is not None for one in each.marks)
    wrong, blank = len(each.wrong), len(each.unanswered)
    return (each.student, f"{each.right}/{total}", wrong, blank, len(each.problems))


def details(each: Marked) -> tuple[Block, ...]:
    """The wrong answers of a student, what was not answered, what could not be read."""
    blocks: list[Block] = []
    if each.wrong:
        blocks.append(
            Table(
                tuple(Column(title) for title in (QUESTION, GIVEN, RIGHT, REASON)),
                tuple(wrong_row(one) for one in each.wrong),
                each.student,
            )
        )
    for problem in each.problems:
        blocks.append(Paragraph((f"{each.student}: ", *line(problem), ".")))
    if 0 < len(each.unanswered) <= MOST_NAMED:
        names = Phrase(UNANSWERED, {"names": ", ".join(each.unanswered)})
        blocks.append(Paragraph((f"{each.student}. ", names)))
    return tuple(blocks)


def wrong_row(one: Mark) -> tuple[Cell, ...]:
    """Question, what was given, what is right, what went wrong."""
    right = "-" if one.asked is None else spelled(one.asked.answer, one.asked)
    return (one.question, harmless(one.given or "", 24), right, one.reason or "-")


def line(piece: Line) -> tuple[Any, ...]:
    """The pieces of a line; a phrase is itself a kind of tuple."""
    return piece if type(piece) is tuple else (piece,)


def said(reason: Line | None, language: str) -> str:
    """A reason in one language, without unbreakable blanks."""
    return "" if reason is None else characters.spelled(reason, language).replace(TIGHT, " ")


def values(students: Sequence[Marked]) -> dict[str, Any]:
    """The marks for programs, reasons in both languages."""
    return {
        "students": [
            {
                "student": each.student,
                "right": each.right,
                "asked": sum(one.asked is not None for one in each.marks),
                "unanswered": list(each.unanswered),
                "problems": [both(problem) for problem in each.problems],
                "answers": [
                    {
                        "question": one.question,
                        "given": one.given,
                        "answer": None if one.asked is None else one.asked.answer,
                        "tolerance": None if one.asked is None else one.asked.tolerance,
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
    return {language: said(reason, language) for language in ("en", "ru")}


def as_csv(students: Sequence[Marked], language: str) -> str:
    """One line a student and question, unanswered ones too, for a spreadsheet."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(CSV_HEADER)
    for each in students:
        for one in each.marks:
            asked = one.asked
            answer = ("", "") if asked is None else (repr(asked.answer), repr(asked.tolerance))
            given = guarded(one.given or "")
            right = "1" if one.right else "0"
            row = (guarded(each.student), guarded(one.question), given, *answer, right)
            rows.writerow((*row, said(one.reason, language)))
        for problem in each.problems:
            rows.writerow((guarded(each.student), "", "", "", "", "0", said(problem, language)))
    return text.getvalue()


def guarded(given: str) -> str:
    """What a student wrote, so that no spreadsheet takes it for a formula; numbers are left."""
    cut = harmless(given)
    formula = cut.startswith(("=", "+", "-", "@")) and isinstance(read_number(cut), Text)
    return "'" + cut if formula else cut
