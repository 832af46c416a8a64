"""A session of predict that goes on another day: its answers in a file that ``mark`` reads too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rope_cli.classroom.answer_files import ACCEPTED, LARGEST, Answers, read_answers
from rope_cli.classroom.answers import judge
from rope_cli.classroom.encodings import decode
from rope_cli.classroom.question import Question
from rope_cli.classroom.session import NOT_ANSWERED, GivenAnswer
from rope_cli.classroom.written_numbers import LONGEST
from rope_cli.document.vocabulary import t
from rope_cli.user_input.command_errors import CommandRefusal, printable
from rope_cli.user_input.file_contents import read_bytes
from rope_cli.user_input.files import refuse_unwritable, write_file


class OtherSeed(CommandRefusal):
    """A file of answers to other numbers than those asked for."""

    kind = "other-seed"
    SENTENCE = t(
        "--progress: the file holds answers for seed {named}, and seed {asked} was asked for; "
        "accepted: the same --seed, or another file",
        "--progress: в файле ответы для seed {named}, а задано --seed {asked}; допустимо: то же "
        "значение --seed или другой файл",
    )


class NeedsProgress(CommandRefusal):
    """Questions to repeat, without the file that says which they are."""

    kind = "needs-progress"
    SENTENCE = t(
        "--again asks only what has no right answer in the file of --progress, and no such file "
        "is given; accepted: --again --progress FILE",
        "--again задаёт снова вопросы без верного ответа в файле --progress, а он не задан; "
        "допустимо: --again --progress ФАЙЛ",
    )


class NeedsTerminal(CommandRefusal):
    """Progress where nothing is asked."""

    kind = "needs-terminal"
    SENTENCE = t(
        "--progress keeps answers, but no questions are asked with --handout, --output, another "
        "--format or without a terminal; accepted: predict --progress FILE at a terminal",
        "--progress сохраняет ответы, а с --handout, --output, другим --format и вне терминала "
        "вопросов не задают; допустимо: predict --progress ФАЙЛ в терминале",
    )


@dataclass(frozen=True)
class Progress:
    """What a file of answers says, and which questions to ask again."""

    path: str
    answers: Answers
    again: bool = False

    @property
    def seed(self) -> int | None:
        """The seed of the answers; ``None`` for the numbers of the texts."""
        return self.answers.seed

    def answer_to(self, question: Question) -> GivenAnswer | None:
        """The answer to a question and its judgement; a name with nothing behind it was shown."""
        texts = dict(self.answers.pairs)
        if question.id not in texts:
            return None
        text = texts[question.id]
        if not text.strip():
            return None, NOT_ANSWERED
        judgement = judge(question, text)
        return None if judgement.value is None else (text, judgement)

    def to_ask(self, questions: Sequence[Question]) -> tuple[Question, ...]:
        """All questions; with ``again`` those without a right answer."""
        return tuple(
            question
            for question in questions
            if not (self.again and (answer := self.answer_to(question)) and answer[1].right)
        )

    def kept(self, questions: Sequence[Question]) -> dict[int, GivenAnswer]:
        """By index, the answers that the session begins with; none with ``again``."""
        if self.again:
            return {}
        answers = {index: self.answer_to(question) for index, question in enumerate(questions)}
        return {index: answer for index, answer in answers.items() if answer is not None}

    def add(self, question: Question, text: str | None) -> None:
        """Add an answer at the end of the file, ``None`` if it was only shown.

        Everything that stands there stays; the file is written in UTF-8. Raises ``CannotRead`` and
        ``CannotWrite``.
        """
        old = ""
        if Path(self.path).exists():
            old, _ = decode(read_bytes(self.path, ACCEPTED, LARGEST))
        if old and not old.endswith("\n"):
            old += "\n"
        elif not old and self.seed is not None:
            old = f"seed {self.seed}\n"
        new = f"{question.id}: {printable(text or '', LONGEST)}".rstrip()
        write_file(self.path, f"{old}{new}\n".encode())


def read_progress(path: str, seed: int | None, again: bool) -> Progress:
    """The progress in a file; in a new one there is none.

    Raises ``CannotRead``, ``CannotWrite``, and :class:`OtherSeed` if ``seed`` is not that of the
    answers.
    """
    refuse_unwritable(path)
    if not Path(path).exists():
        return Progress(path, Answers("", (), seed=seed), again)
    answers = read_answers(Path(path))
    named = "none" if answers.seed is None else answers.seed
    if seed is not None and answers.pairs and answers.seed != seed:
        raise OtherSeed(named=named, asked=seed)
    return Progress(path, answers if answers.pairs else answers._replace(seed=seed), again)
