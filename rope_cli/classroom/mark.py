"""The answers of one student, or of a folder of students, marked and explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from rope_cli.classroom.answer_files import Answers, files_in, read_answers
from rope_cli.classroom.answers import judge, read_number
from rope_cli.classroom.question import Question
from rope_cli.classroom.questions import QUESTIONS
from rope_cli.classroom.screens import format_answer
from rope_cli.classroom.selection import select_questions
from rope_cli.document import formatting, spreadsheet
from rope_cli.document.blocks import (
    TIGHT,
    Block,
    Document,
    Line,
    Paragraph,
    Phrase,
    Piece,
    Section,
    pieces_of,
)
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.text import LANGUAGES, Text
from rope_cli.user_input.command_errors import (
    CannotRead,
    CommandRefusal,
    closest_match,
    printable,
    quoted_path,
)

ANSWERED_TWICE = t(
    "answered more than once, so no answer was counted",
    "ответ дан не один раз, поэтому ни один не засчитан",
)
UNKNOWN_MISTAKE = t("not one of the typical mistakes", "не из числа типичных ошибок")
# More names than this are only counted.
MOST_NAMED = 10
# Each suggestion is a search, and a file of nothing but unknown names must not take minutes.
MOST_SUGGESTED = 20
IDS = tuple(question.id for question in QUESTIONS)
CSV_HEADER = ("student", "question", "given", "answer", "tolerance", "right", "reason")


class NoAnswers(CommandRefusal):
    """A file in which no question is answered."""

    kind = "no-answers"
    SENTENCE = t(
        "{path} answers no question; accepted: lines such as `one-pair-2: 0.84`, CSV or a JSON "
        "object, with the names from rope-report predict --handout questions",
        "в {path} нет ответа ни на один вопрос; допустимо: строки вида «one-pair-2: 0.84», CSV или "
        "объект JSON с именами вопросов из rope-report predict --handout questions",
    )


@dataclass(frozen=True)
class MarkRequest:
    """A file or a folder, the sections to mark (all if there are none), and a seed."""

    path: str
    sections: Sequence[str] = ()
    seed: int | None = None


class MarkedAnswer(NamedTuple):
    """A question and what a student answered, ``None`` without an answer."""

    question: Question
    text: str | None
    right: bool
    reason: Line | None


class StudentMarks(NamedTuple):
    """A student's answers in the order of the questions, and what could not be marked."""

    student: str
    answers: tuple[MarkedAnswer, ...]
    problems: tuple[Line, ...] = ()

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(answer.right for answer in self.answers)

    @property
    def wrong(self) -> tuple[MarkedAnswer, ...]:
        """The answers that are not right."""
        return tuple(
            answer for answer in self.answers if answer.text is not None and not answer.right
        )

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The ids of the questions without an answer."""
        return tuple(answer.question.id for answer in self.answers if answer.text is None)


def report(request: MarkRequest) -> Document:
    """The scores of all students, then the wrong answers of each.

    Raises ``CannotRead``, ``NoAnswers``, ``UnknownSection`` and ``NoQuestion``.
    """
    return marks_document(mark_request(request), request.seed)


def marks_csv(request: MarkRequest, language: str) -> str:
    """The same marks as CSV. Raises what :func:`report` raises."""
    return as_csv(mark_request(request), language)


def mark_request(request: MarkRequest) -> tuple[StudentMarks, ...]:
    """The marks of every student asked for."""
    return mark_files(request.path, select_questions(request.sections, request.seed))


def mark_files(path: str, questions: Sequence[Question]) -> tuple[StudentMarks, ...]:
    """The marks of a file, or of every file of a folder, by name.

    Raises :class:`CannotRead` for a file that cannot be read and :class:`NoAnswers` for one that
    answers no question; in a folder such a file becomes a student without marks.
    """
    students = []
    files = files_in(path)
    alone = files == (Path(path),)
    stems = Counter(file.stem for file in files)
    for file in files:
        student = printable(file.stem if stems[file.stem] == 1 else file.name)
        try:
            answers = read_answers(file)._replace(student=student)
            refuse_without_answers(answers, file)
        except (CannotRead, NoAnswers) as refusal:
            if alone:
                raise
            problem = Phrase(refusal.SENTENCE, cast("dict[str, Piece]", refusal.values))
            answers = Answers(student, (), (problem,))
        students.append(mark_student(answers, questions))
    return tuple(students)


def refuse_without_answers(answers: Answers, file: Path) -> None:
    """Refuse a file that names no question of any section."""
    names = [name for name, _ in answers.pairs]
    if not any(name in IDS for name in names):
        meant = closest_match(names[0], IDS) if names else None
        raise NoAnswers(meant, path=quoted_path(file))


def mark_student(answers: Answers, questions: Sequence[Question]) -> StudentMarks:
    """The marks of a student, and a remark on every answer to another question."""
    count = Counter(name for name, _ in answers.pairs)
    by_name = dict(answers.pairs)
    marked = tuple(
        mark_answer(question, by_name.get(question.id), count[question.id] > 1)
        for question in questions
    )
    ids = {question.id for question in questions}
    other_names = tuple(name for name in by_name if name not in ids)
    return StudentMarks(answers.student, marked, (*answers.problems, *remarks(other_names)))


def mark_answer(question: Question, text: str | None, twice: bool) -> MarkedAnswer:
    """The mark of one answer; whoever answers twice has not committed to an answer."""
    if text is None:
        return MarkedAnswer(question, None, False, None)
    if twice:
        return MarkedAnswer(question, text, False, ANSWERED_TWICE)
    judgement = judge(question, text)
    reason = None if judgement.right else judgement.reason or UNKNOWN_MISTAKE
    return MarkedAnswer(question, text, judgement.right, reason)


def remarks(names: Sequence[str]) -> Iterator[Line]:
    """Remarks on names of questions that are not marked and of questions that do not exist."""
    others = tuple(name for name in names if name in IDS)
    if len(others) > MOST_NAMED:
        yield t(
            "answers to questions of sections that are not marked: {count}",
            "ответов на вопросы из непроверяемых разделов: {count}",
            count=len(others),
        )
    elif others:
        yield t(
            "answers to questions of sections that are not marked: {names}",
            "ответы на вопросы из непроверяемых разделов: {names}",
            names=", ".join(others),
        )
    for index, name in enumerate(name for name in names if name not in IDS):
        near = closest_match(name, IDS) if index < MOST_SUGGESTED else None
        if near is None:
            yield t(
                "{question}: no such question",
                "{question}: нет такого вопроса",
                question=printable(name),
            )
        else:
            yield t(
                "{question}: no such question (did you mean {name}?)",
                "{question}: нет такого вопроса (возможно, имелся в виду {name}?)",
                question=printable(name),
                name=near,
            )


def marks_document(students: Sequence[StudentMarks], seed: int | None = None) -> Document:
    """The scores of all students, then the wrong answers of each."""
    scores = table(
        None,
        (
            *left(t("student", "ученик")),
            *right(
                t("right", "верно"),
                t("wrong", "неверно"),
                t("no answer", "без ответа"),
                t("remarks", "замечания"),
            ),
        ),
        map(score_row, students),
    )
    blocks = (scores, *(block for student in students for block in details(student)))
    title = t("Marks", "Проверка ответов")
    section = Section(1, "marks", title, None, blocks, values=values(students))
    return Document((), (section,), parameters={"seed": seed})


def score_row(student: StudentMarks) -> tuple[str | int, ...]:
    """A student's row in the table of scores."""
    return (
        student.student,
        f"{student.right}/{len(student.answers)}",
        len(student.wrong),
        len(student.unanswered),
        len(student.problems),
    )


def details(student: StudentMarks) -> Iterator[Block]:
    """The wrong answers of a student, the remarks, and the questions without an answer."""
    if student.wrong:
        yield table(
            student.student,
            left(
                t("question", "вопрос"),
                t("answer given", "ответ ученика"),
                t("right answer", "верный ответ"),
                t("what went wrong", "в чём ошибка"),
            ),
            map(wrong_row, student.wrong),
        )
    for problem in student.problems:
        yield Paragraph((f"{student.student}: ", *pieces_of(problem), "."))
    if 0 < len(student.unanswered) <= MOST_NAMED:
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
                "right": student.right,
                "asked": len(student.answers),
                "unanswered": list(student.unanswered),
                "problems": [in_both_languages(problem) for problem in student.problems],
                "answers": [
                    answer_values(answer) for answer in student.answers if answer.text is not None
                ],
            }
            for student in students
        ]
    }


def answer_values(answer: MarkedAnswer) -> dict[str, Any]:
    """One answer as JSON holds it."""
    return {
        "question": answer.question.id,
        "given": answer.text,
        "answer": answer.question.answer,
        "tolerance": answer.question.tolerance,
        "right": answer.right,
        "reason": None if answer.reason is None else in_both_languages(answer.reason),
    }


def in_both_languages(reason: Line) -> dict[str, str]:
    """A reason in both languages."""
    return {language: format_reason(reason, language) for language in LANGUAGES}


def format_reason(reason: Line | None, language: str) -> str:
    """A reason in one language, without unbreakable blanks."""
    return "" if reason is None else formatting.format_line(reason, language).replace(TIGHT, " ")


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
        )
    for problem in student.problems:
        yield (student.student, "", "", "", "", "0", format_reason(problem, language))


def is_number(cell: str) -> bool:
    """Whether a cell is a number as students write it."""
    return not isinstance(read_number(cell), Text)
