"""The marks of students: what is right, wrong, unreadable or missing, and what was assumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, cast

from rope_cli.classroom.answer_files import Answers, files_in, read_class
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
    quoted,
    quoted_path,
)

UNKNOWN_MISTAKE = t("not one of the typical mistakes", "не из числа типичных ошибок")
# More names than this are only counted.
MOST_NAMED = 10
# Each suggestion is a search, and a file of nothing but unknown names must not take minutes.
MOST_SUGGESTED = 20
# Other numbers than those asked for: the chapter's, and the seeds that teachers try first.
SEEDS_TRIED = (None, *range(21))
ENOUGH_TO_TELL = 3

State = Literal["right", "wrong", "unreadable", "missing"]
Questions = Sequence[Question]


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
        name = printable(file.stem if stems[file.stem] == 1 else file.name)
        try:
            in_file = read_class(file, encoding)
            if len(in_file) == 1:
                in_file = (in_file[0]._replace(student=name),)
                refuse_without_answers(in_file[0], file)
        except (CannotRead, NoAnswers) as refusal:
            if alone:
                raise
            problem = Phrase(refusal.SENTENCE, cast("dict[str, Piece]", refusal.values))
            in_file = (Answers(name, (), (problem,)),)
        students += [mark_with_seed(answers, questions_with, seed) for answers in in_file]
    return tuple(students)


def mark_with_seed(
    answers: Answers, questions_with: Callable[[int | None], Questions], seed: int | None
) -> StudentMarks:
    """The marks with the seed of the file, else with that of the command, and remarks on it."""
    used = seed if answers.seed is None else answers.seed
    questions = questions_with(used)
    marks = mark_student(answers, questions)
    remarks = (
        *remarks_on_seed(used, seed),
        *remarks_on_numbers(answers, marks, questions_with, used),
        *remarks_on_rows(marks, questions),
    )
    return marks._replace(problems=(*marks.problems, *remarks), seed=used)


def remarks_on_seed(used: int | None, asked: int | None) -> Iterator[Line]:
    """Where the seed comes from, if not from the command."""
    if used is None or used == asked:
        return
    if asked is None:
        yield t("marked with seed {seed}", "ответы сверены с seed {seed}", seed=used)
    else:
        yield t(
            "marked with seed {used}, which the file names, and not with seed {asked}",
            "ответы сверены с seed {used}, который указан в файле, а не с seed {asked}",
            used=used,
            asked=asked,
        )


def enough_to_tell(marks: StudentMarks) -> int:
    """How many answers must fit something else before it is worth a remark."""
    answered = len(marks.answers) - len(marks.unanswered)
    return max(ENOUGH_TO_TELL, marks.right + 1, (answered + 1) // 2)


def remarks_on_numbers(
    answers: Answers,
    marks: StudentMarks,
    questions_with: Callable[[int | None], Questions],
    used: int | None,
) -> Iterator[Line]:
    """Whether most answers fit the numbers of another seed, if few are right."""
    answered = len(marks.answers) - len(marks.unanswered)
    if answered < ENOUGH_TO_TELL or marks.right >= answered - marks.right:
        return
    for seed in SEEDS_TRIED:
        fitting = mark_student(answers, questions_with(seed)).right if seed != used else 0
        if fitting >= enough_to_tell(marks):
            yield fits_other_numbers(seed, fitting, answered)
            return


def remarks_on_rows(marks: StudentMarks, questions: Questions) -> Iterator[Line]:
    """Whether most answers fit the question before or after them."""
    texts = [answer.text for answer in marks.answers]
    answered = len(texts) - texts.count(None)
    low, high = (
        sum(text is not None and judge(question, text).right for question, text in pairs)
        for pairs in (
            zip(questions, texts[1:], strict=False),
            zip(questions[1:], texts, strict=False),
        )
    )
    if max(low, high) < enough_to_tell(marks):
        return
    if low > high:
        yield t(
            "{fitting} of {answered} answers fit the question before: they may stand one row too "
            "low",
            "ответов, которые подходят к предыдущему вопросу: {fitting} из {answered}; возможно, "
            "они сдвинуты на строку вниз",
            fitting=low,
            answered=answered,
        )
    else:
        yield t(
            "{fitting} of {answered} answers fit the question after: they may stand one row too "
            "high",
            "ответов, которые подходят к следующему вопросу: {fitting} из {answered}; возможно, "
            "они сдвинуты на строку вверх",
            fitting=high,
            answered=answered,
        )


def fits_other_numbers(seed: int | None, fitting: int, answered: int) -> Phrase:
    """The remark on answers to the same questions with other numbers."""
    if seed is None:
        return t(
            "{fitting} of {answered} answers fit the numbers without a seed: leave --seed out",
            "ответов, которые подходят к числам без seed: {fitting} из {answered}; уберите --seed",
            fitting=fitting,
            answered=answered,
        )
    return t(
        "{fitting} of {answered} answers fit the numbers of --seed {seed}",
        "ответов, которые подходят к числам с --seed {seed}: {fitting} из {answered}",
        fitting=fitting,
        answered=answered,
        seed=seed,
    )


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
    other_names = tuple(dict.fromkeys(name for name, _ in answers.pairs if name not in ids))
    problems = (*answers.problems, *changed_answers(answers, ids), *remarks(other_names))
    return StudentMarks(answers.student, marked, problems)


def changed_answers(answers: Answers, ids: Container[str]) -> Iterator[Phrase]:
    """A remark on each question with different answers, of which the last one counts."""
    texts_by_name: dict[str, list[str]] = {}
    for name, text in answers.pairs:
        if name in ids and is_answer(text):
            texts_by_name.setdefault(name, []).append(text)
    for name, texts in texts_by_name.items():
        if len(set(texts)) > 1:
            yield t(
                "{question}: answered {count} times: {texts}; the last answer counts",
                "{question}: ответов {count} ({texts}); засчитан последний",
                question=name,
                count=len(texts),
                texts=", ".join(map(quoted, texts[-MOST_NAMED:])),
            )


def mark_answer(question: Question, text: str | None) -> MarkedAnswer:
    """The mark of one answer; a name with nothing behind it, or a dash, is no answer."""
    if text is None or not is_answer(text):
        return MarkedAnswer(question, None, False, None)
    right, value, reason = judge(question, text)
    return MarkedAnswer(question, text, right, None if right else reason or UNKNOWN_MISTAKE, value)


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
