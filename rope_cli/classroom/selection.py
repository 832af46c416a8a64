"""Which questions a command is about: those of the sections named, with the numbers of a seed."""

from __future__ import annotations

from collections.abc import Sequence

from rope_cli.classroom.question import Question
from rope_cli.classroom.questions import QUESTIONS, questions_with
from rope_cli.report.tracks import GROUPS, SLUGS, expand_groups, section_or_group
from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal, quoted


class NoQuestion(CommandRefusal):
    """A section about which there is no question."""

    kind = "no-question"
    SENTENCE = Text(
        en="there is no question about the section {slug}; accepted: every section except {others}",
        ru="о разделе {slug} вопросов нет; допустимы все разделы, кроме {others}",
    )


def select_questions(names: Sequence[str], seed: int | None) -> tuple[Question, ...]:
    """The questions about sections or groups of sections; without names all questions.

    A group may hold sections without questions. Raises ``UnknownSection`` and ``NoQuestion``.
    """
    if not names:
        return questions_with(seed)
    with_question = {question.slug for question in QUESTIONS}
    names = list(map(section_or_group, names))
    for name in names:
        if name not in GROUPS and name not in with_question:
            others = ", ".join(slug for slug in SLUGS if slug not in with_question)
            raise NoQuestion(slug=quoted(name), others=others)
    return questions_with(seed, expand_groups(names))
