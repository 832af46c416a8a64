"""The marks of students: what is right, wrong, unreadable or missing, and what was assumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple, cast

from rope_cli.classroom.answer_files import Answers, files_in, read_class
from rope_cli.classroom.answer_remarks import (
    Questions,
    changed_answers,
    remarks_on_fit,
    remarks_on_names,
    remarks_on_seed,
)
from rope_cli.classroom.answers import is_answer, judge
from rope_cli.classroom.question import Question
from rope_cli.classroom.question_names import IDS
from rope_cli.document.blocks import Line, Phrase, Piece
from rope_cli.document.vocabulary import t
from rope_cli.user_input.command_errors import (
    CannotRead,
    CommandRefusal,
    closest_match,
    printable,
    quoted_path,
)

UNKNOWN_MISTAKE = t("not one of the typical mistakes", "не из числа типичных ошибок")

State = Literal["right", "wrong", "unreadable", "missing"]


class NoAnswers(CommandRefusal):
    """A file in which no question is answered."""

    kind = "no-answers"
    SENTENCE = t(
        "{path} answers no question; accepted: lines such as `one-pair-2: 0.84`, CSV or a JSON "
        "object, with the names from rope-report predict --handout questions",
        "в {path} нет ответа ни на один вопрос; допустимо: строки вида «one-pair-2: 0.84», CSV или "
        "объект JSON с именами вопросов из rope-report predict --handout questions",
    )


class MarkedAnswer(NamedTuple):
    """A question, what a student answered, and the number that this was read as.

    ``text`` is ``None`` without an answer, ``value`` for one that cannot be read.
    """

    question: Question
    text: str | None
    right: bool
    reason: Line | None
    value: float | None = None

    @property
    def state(self) -> State:
        """An answer that cannot be read is not called wrong."""
        if self.text is None:
            return "missing"
        if self.right:
            return "right"
        return "unreadable" if self.value is None else "wrong"


class StudentMarks(NamedTuple):
    """A student's answers in the order of the questions, and remarks on them.

    ``seed`` is the one that they were marked with.
    """

    student: str
    answers: tuple[MarkedAnswer, ...]
    problems: tuple[Line, ...] = ()
    seed: int | None = None

    def in_state(self, *states: State) -> tuple[MarkedAnswer, ...]:
        """The answers that are right, wrong, unreadable or missing."""
        return tuple(answer for answer in self.answers if answer.state in states)

    @property
    def right(self) -> int:
        """How many answers are right."""
        return len(self.in_state("right"))

    @property
    def wrong(self) -> tuple[MarkedAnswer, ...]:
        """The answers that can be read and are not right."""
        return self.in_state("wrong")

    @property
    def has_answers(self) -> bool:
        """Whether any answer was given."""
        return any(answer.text is not None for answer in self.answers)

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The ids of the questions without an answer."""
        return tuple(answer.question.id for answer in self.in_state("missing"))


def mark_files(
    path: str,
    questions_with: Callable[[int | None], Questions],
    seed: int | None = None,
    encoding: str | None = None,
) -> tuple[StudentMarks, ...]:
    """The marks of a file, or of every file of a folder, by name; a form holds a whole class.

    ``questions_with`` gives the questions with the numbers of a seed. A file may name its own,
    which counts; ``seed`` is for the others. Raises :class:`CannotRead` for a file that cannot be
    read and :class:`NoAnswers` for one that answers no question; in a folder such a file becomes a
    student without marks.
    """
    students = []
    files = files_in(path)
    alone = files == (Path(path),)
    stems = Counter(file.stem for file in files)
    for file in files:
        name = file.stem if stems[file.stem] == 1 else file.name
        try:
            in_file = read_class(file, name, encoding)
            if len(in_file) == 1:
                refuse_without_answers(in_file[0], file)
        except (CannotRead, NoAnswers) as refusal:
            if alone:
                raise
            problem = Phrase(refusal.SENTENCE, cast("dict[str, Piece]", refusal.values))
            in_file = (Answers(printable(name), (), (problem,)),)
        students += [mark_with_seed(answers, questions_with, seed) for answers in in_file]
    return tuple(students)


def mark_with_seed(
    answers: Answers, questions_with: Callable[[int | None], Questions], seed: int | None
) -> StudentMarks:
    """The marks with the seed of the file, else with that of the command, and remarks on it."""
    used = seed if answers.seed is None and not answers.seedless else answers.seed
    marks = mark_student(answers, questions_with(used))
    texts = [answer.text for answer in marks.answers]
    remarks = (
        *remarks_on_seed(used, seed),
        *remarks_on_fit(texts, marks.right, questions_with, used),
    )
    return marks._replace(problems=(*marks.problems, *remarks), seed=used)


def refuse_without_answers(answers: Answers, file: Path) -> None:
    """Refuse a file that names no question of any section."""
    names = [name for name, _ in answers.pairs]
    if not any(name in IDS for name in names):
        meant = closest_match(names[0], IDS) if names else None
        raise NoAnswers(meant, path=quoted_path(file))


def mark_student(answers: Answers, questions: Questions) -> StudentMarks:
    """The marks of a student, and a remark on every answer to another question."""
    # A blank one does not erase an answer.
    by_name = dict(sorted(answers.pairs, key=lambda pair: is_answer(pair[1])))
    marked = tuple(mark_answer(question, by_name.get(question.id)) for question in questions)
    ids = {question.id for question in questions}
    others = tuple(dict.fromkeys(name for name, _ in answers.pairs if name not in ids))
    remarks = (*changed_answers(answers.pairs, ids), *remarks_on_names(others))
    return StudentMarks(answers.student, marked, (*answers.problems, *remarks))


def mark_answer(question: Question, text: str | None) -> MarkedAnswer:
    """The mark of one answer; a name with nothing behind it, or a dash, is no answer."""
    if text is None or not is_answer(text):
        return MarkedAnswer(question, None, False, None)
    right, value, reason = judge(question, text)
    return MarkedAnswer(question, text, right, None if right else reason or UNKNOWN_MISTAKE, value)
