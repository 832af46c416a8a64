"""A class at a glance: each question with its commonest mistake, students who share one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from rope_cli.classroom.marks import UNKNOWN_MISTAKE, MarkedAnswer, State, StudentMarks
from rope_cli.classroom.screens import format_answer
from rope_cli.document import formatting
from rope_cli.document.blocks import TIGHT, Line, Table, pieces_of
from rope_cli.document.vocabulary import left, right, t, table
from rope_cli.text import LANGUAGES
from rope_cli.user_input.command_errors import printable

NO_MISTAKE = "-"
Key = TypeVar("Key", bound=tuple[Any, ...])


def by_question(students: Sequence[StudentMarks]) -> list[tuple[MarkedAnswer, ...]]:
    """The answers of the class to each question, the hardest question first.

    A question is harder the smaller the share of right answers among those given is; questions
    that nobody answered come last. Students of whom no answer was read do not count.
    """
    answers: dict[str, list[MarkedAnswer]] = {}
    for student in (student for student in students if student.has_answers):
        for answer in student.answers:
            answers.setdefault(answer.question.id, []).append(answer)
    return sorted(map(tuple, answers.values()), key=share_right)


def share_right(answers: Sequence[MarkedAnswer]) -> float:
    """The share of right answers; 2 if there is none at all."""
    states = Counter(answer.state for answer in answers)
    answered = len(answers) - states["missing"]
    return states["right"] / answered if answered else 2.0


def commonest_mistake(answers: Sequence[MarkedAnswer]) -> tuple[Line, int] | None:
    """What went wrong most often, and how often; ``None`` if no wrong answer was given.

    A mistake without a name counts only where there is no other.
    """
    reasons = {
        format_reason(answer.reason, "en"): answer.reason or ""
        for answer in answers
        if answer.state == "wrong"
    }
    counts = Counter(
        format_reason(answer.reason, "en") for answer in answers if answer.state == "wrong"
    )
    named = [reason for reason in counts if reason != UNKNOWN_MISTAKE.en] or list(counts)
    commonest = max(named, key=lambda reason: counts[reason], default=None)
    return None if commonest is None else (reasons[commonest], counts[commonest])


def questions_table(students: Sequence[StudentMarks]) -> Table:
    """A row for each question."""
    return table(
        t("Questions, the hardest first:", "Вопросы, начиная с самого трудного:"),
        (
            *left(t("question", "вопрос")),
            *right(
                t("right", "верно"),
                t("wrong", "неверно"),
                t("unreadable", "не прочитано"),
                t("no answer", "без ответа"),
            ),
            *left(t("commonest mistake", "самая частая ошибка")),
        ),
        map(question_row, by_question(students)),
    )


def question_row(answers: Sequence[MarkedAnswer]) -> tuple[Line | int, ...]:
    """The counts of a question and its commonest mistake."""
    states = Counter(answer.state for answer in answers)
    mistake = commonest_mistake(answers)
    return (
        answers[0].question.id,
        states["right"],
        states["wrong"],
        states["unreadable"],
        states["missing"],
        NO_MISTAKE if mistake is None else (*pieces_of(mistake[0]), f" ({mistake[1]})"),
    )


def grouped(
    students: Sequence[StudentMarks], state: State, key: Callable[[MarkedAnswer], Key]
) -> dict[Key, str]:
    """By a key of theirs, the answers in a state, each with its student."""
    groups: dict[Key, list[str]] = {}
    for student in students:
        for answer in student.in_state(state):
            text = f"{student.student}: {printable(answer.text or '', 24)}"
            groups.setdefault(key(answer), []).append(text)
    return {key: "; ".join(texts) for key, texts in sorted(groups.items(), key=lambda row: row[0])}


def shared_mistakes(students: Sequence[StudentMarks]) -> Iterator[Table]:
    """One row for each question, right answer and mistake, with all students who made it."""
    by_key = {mistake_key(a): a for student in students for a in student.wrong}
    rows = grouped(students, "wrong", mistake_key)
    if rows:
        yield table(
            t("Mistakes, and who made them:", "Ошибки и кто их допустил:"),
            left(
                t("question", "вопрос"),
                t("students and answers", "ученики и ответы"),
                t("right answer", "верный ответ"),
                t("what went wrong", "в чём ошибка"),
            ),
            (
                (
                    by_key[key].question.id,
                    texts,
                    format_answer(by_key[key].question.answer, by_key[key].question),
                    by_key[key].reason or NO_MISTAKE,
                )
                for key, texts in rows.items()
            ),
        )


def mistake_key(answer: MarkedAnswer) -> tuple[str, float, str]:
    """The question, the right answer and the mistake: what answers of one row share."""
    return answer.question.id, answer.question.answer, format_reason(answer.reason, "en")


def unreadable_answers(students: Sequence[StudentMarks]) -> Iterator[Table]:
    """A table for each reason, which says it once, with a row for each question."""
    reasons = {
        format_reason(answer.reason, "en"): answer.reason
        for student in students
        for answer in student.in_state("unreadable")
    }
    for reason, line in reasons.items():
        rows = grouped(
            students,
            "unreadable",
            lambda answer: (format_reason(answer.reason, "en"), answer.question.id),
        )
        yield table(
            (t("Cannot be read: ", "Не прочитано: "), *pieces_of(line or "")),
            left(t("question", "вопрос"), t("students and answers", "ученики и ответы")),
            ((key[1], texts) for key, texts in rows.items() if key[0] == reason),
        )


def class_values(students: Sequence[StudentMarks]) -> dict[str, Any]:
    """The questions of a class as JSON holds them, the hardest first."""
    return {"questions": [question_values(answers) for answers in by_question(students)]}


def question_values(answers: Sequence[MarkedAnswer]) -> dict[str, Any]:
    """The counts of a question and its commonest mistake as JSON holds them."""
    states = Counter(answer.state for answer in answers)
    mistake = commonest_mistake(answers)
    return {
        "question": answers[0].question.id,
        **{state: states[state] for state in ("right", "wrong", "unreadable", "missing")},
        "commonest_mistake": None if mistake is None else in_both_languages(mistake[0]),
        "made_by": 0 if mistake is None else mistake[1],
    }


def in_both_languages(reason: Line) -> dict[str, str]:
    """A reason in both languages."""
    return {language: format_reason(reason, language) for language in LANGUAGES}


def format_reason(reason: Line | None, language: str) -> str:
    """A reason in one language, without unbreakable blanks."""
    return "" if reason is None else formatting.format_line(reason, language).replace(TIGHT, " ")
