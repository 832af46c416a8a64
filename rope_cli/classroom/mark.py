"""The answers of one student, or of a folder of students, marked and explained: the document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rope_cli.classroom.answer_remarks import MOST_NAMED
from rope_cli.classroom.class_view import (
    class_values,
    format_reason,
    in_both_languages,
    questions_table,
    shared_mistakes,
    unreadable_answers,
)
from rope_cli.classroom.encodings import check_encoding
from rope_cli.classroom.marks import MarkedAnswer, StudentMarks, mark_files
from rope_cli.classroom.screens import format_answer
from rope_cli.classroom.selection import select_questions
from rope_cli.document import spreadsheet
from rope_cli.document.blocks import (
    Block,
    Document,
    Line,
    Paragraph,
    Section,
    pieces_of,
)
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.user_input.command_errors import printable

# What a spreadsheet takes for a number, whatever is accepted as an answer.
PLAIN_NUMBER = re.compile(r"[+-]?[0-9]*[.,]?[0-9]+(?:[eE][+-]?[0-9]+)?(?:/[0-9]+)?")
CSV_HEADER = ("student", "question", "given", "answer", "tolerance", "right", "reason", "state")


@dataclass(frozen=True)
class MarkRequest:
    """A file or a folder, the sections to mark (all if there are none), a seed, an encoding."""

    path: str
    sections: Sequence[str] = ()
    seed: int | None = None
    encoding: str | None = None


def report(request: MarkRequest) -> Document:
    """The scores of all students, then the wrong answers of each.

    Raises ``CannotRead``, ``NoAnswers``, ``UnknownSection``, ``NoQuestion`` and
    ``UnknownEncoding``.
    """
    return marks_document(mark_request(request), request.seed)


def marks_csv(request: MarkRequest, language: str) -> str:
    """The same marks as CSV. Raises what :func:`report` raises."""
    return as_csv(mark_request(request), language)


def mark_request(request: MarkRequest) -> tuple[StudentMarks, ...]:
    """The marks of every student asked for."""
    check_encoding(request.encoding)
    return mark_files(
        request.path,
        lambda seed: select_questions(request.sections, seed),
        request.seed,
        request.encoding,
    )


def marks_document(students: Sequence[StudentMarks], seed: int | None = None) -> Document:
    """The scores of all students; the questions of a class; wrong answers and remarks."""
    scores = table(
        None,
        (
            *left(t("student", "ученик")),
            *right(
                t("right", "верно"),
                t("wrong", "неверно"),
                t("unreadable", "не прочитано"),
                t("no answer", "без ответа"),
                t("remarks", "замечания"),
            ),
        ),
        map(score_row, students),
    )
    blocks: list[Block] = [scores]
    if len(students) > 1:
        blocks += [
            questions_table(students),
            *shared_mistakes(students),
            *unreadable_answers(students),
        ]
    for student in students:
        blocks += details(student, with_answers=len(students) == 1)
    title = t("Marks", "Проверка ответов")
    section = Section(1, "marks", title, None, tuple(blocks), values=values(students))
    return Document((), (section,), parameters={"seed": seed})


def score_row(student: StudentMarks) -> tuple[str | int, ...]:
    """A student's row in the table of scores."""
    return (
        student.student,
        f"{student.right}/{len(student.answers)}",
        len(student.wrong),
        len(student.in_state("unreadable")),
        len(student.unanswered),
        len(student.problems),
    )


def details(student: StudentMarks, with_answers: bool) -> Iterator[Block]:
    """The wrong answers of a student, the remarks, and the questions without an answer."""
    not_right = student.in_state("wrong", "unreadable")
    if with_answers and not_right:
        yield table(
            student.student,
            left(
                t("question", "вопрос"),
                t("answer given", "ответ ученика"),
                t("right answer", "верный ответ"),
                t("what went wrong", "в чём ошибка"),
            ),
            map(wrong_row, not_right),
        )
    for problem in student.problems:
        yield Paragraph((f"{student.student}: ", *pieces_of(problem), "."))
    if 0 < len(student.unanswered) <= min(MOST_NAMED, len(student.answers) - 1):
        yield say(
            "{student}, questions without an answer: {names}.",
            "{student}, вопросы без ответа: {names}.",
            student=student.student,
            names=", ".join(student.unanswered),
        )


def wrong_row(answer: MarkedAnswer) -> tuple[Line, ...]:
    """The question, the student's answer, the right one, and what went wrong."""
    right_answer = format_answer(answer.question.answer, answer.question)
    typed = printable(answer.text or "", 24)
    return (answer.question.id, typed, right_answer, answer.reason or "-")


def values(students: Sequence[StudentMarks]) -> dict[str, Any]:
    """The marks as JSON holds them, reasons in both languages."""
    return {
        "students": [
            {
                "student": student.student,
                "seed": student.seed,
                "right": student.right,
                "asked": len(student.answers),
                "unanswered": list(student.unanswered),
                "problems": [in_both_languages(problem) for problem in student.problems],
                "answers": [
                    answer_values(answer) for answer in student.answers if answer.text is not None
                ],
            }
            for student in students
        ],
        **class_values(students),
    }


def answer_values(answer: MarkedAnswer) -> dict[str, Any]:
    """One answer as JSON holds it."""
    return {
        "question": answer.question.id,
        "given": answer.text,
        "answer": answer.question.answer,
        "tolerance": answer.question.tolerance,
        "right": answer.right,
        "state": answer.state,
        "read_as": answer.value,
        "reason": None if answer.reason is None else in_both_languages(answer.reason),
    }


def as_csv(students: Sequence[StudentMarks], language: str) -> str:
    """A line for each student and question, answered or not, then one for each remark."""
    lines = (line for student in students for line in csv_lines(student, language))
    return spreadsheet.as_csv((CSV_HEADER, *lines), is_number)


def csv_lines(student: StudentMarks, language: str) -> Iterator[tuple[str, ...]]:
    """The lines of one student."""
    for answer in student.answers:
        yield (
            student.student,
            answer.question.id,
            printable(answer.text or ""),
            repr(answer.question.answer),
            repr(answer.question.tolerance),
            "1" if answer.right else "0",
            format_reason(answer.reason, language),
            answer.state,
        )
    for problem in student.problems:
        yield (student.student, "", "", "", "", "0", format_reason(problem, language), "")


def is_number(cell: str) -> bool:
    """Whether a cell is a number, which may begin with a sign."""
    return bool(PLAIN_NUMBER.fullmatch("".join(cell.split())))
