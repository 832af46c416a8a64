"""Remarks on a file of answers: what was assumed, what counts, and what looks like a slip."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

from rope_cli.classroom.answers import is_answer, judge
from rope_cli.classroom.question import Question
from rope_cli.classroom.question_names import IDS
from rope_cli.document.blocks import Line, Phrase
from rope_cli.document.vocabulary import t
from rope_cli.user_input.command_errors import closest_match, printable, quoted

# More names than this are only counted.
MOST_NAMED = 10
# Each suggestion is a search, and a file of nothing but unknown names must not take minutes.
MOST_SUGGESTED = 20
# Other numbers than those asked for: the chapter's, and the seeds that teachers try first.
SEEDS_TRIED = (None, *range(21))
ENOUGH_TO_TELL = 3

Questions = Sequence[Question]
# The answers to questions in their order, ``None`` where there is none.
Texts = Sequence[str | None]


def remarks_on_seed(used: int | None, of_command: int | None) -> Iterator[Line]:
    """Where the seed comes from, if not from the command."""
    if used is None:
        if of_command is not None:
            yield t(
                "marked with the chapter's numbers, as the file says, and not with seed {other}",
                "ответы сверены с числами главы, как сказано в файле, а не с seed {other}",
                other=of_command,
            )
    elif of_command is None:
        yield t("marked with seed {seed}", "ответы сверены с seed {seed}", seed=used)
    elif used != of_command:
        yield t(
            "marked with seed {used}, which the file names, and not with seed {other}",
            "ответы сверены с seed {used}, который указан в файле, а не с seed {other}",
            used=used,
            other=of_command,
        )


def remarks_on_fit(
    texts: Texts, right: int, questions_with: Callable[[int | None], Questions], used: int | None
) -> Iterator[Line]:
    """Whether most answers fit the numbers of another seed, or the question beside their own.

    ``right`` of them are right with the numbers of the seed that was ``used``.
    """
    answered = len(texts) - texts.count(None)
    enough = max(ENOUGH_TO_TELL, right + 1, (answered + 1) // 2)
    if answered < enough:
        return
    for seed in SEEDS_TRIED if right < answered - right else ():
        fitting = count_right(questions_with(seed), texts) if seed != used else 0
        if fitting >= enough:
            yield fits_other_numbers(seed, fitting, answered)
            break
    questions = questions_with(used)
    low, high = count_right(questions, texts[1:]), count_right(questions[1:], texts)
    if max(low, high) >= enough:
        yield fits_other_rows(low > high, max(low, high), answered)


def count_right(questions: Questions, texts: Texts) -> int:
    """How many of the answers are right if they answer these questions, one after another."""
    return sum(
        text is not None and judge(question, text).right
        for question, text in zip(questions, texts, strict=False)
    )


def fits_other_rows(too_low: bool, fitting: int, answered: int) -> Phrase:
    """The remark on answers that stand beside the question before or after theirs."""
    if too_low:
        return t(
            "{fitting} of {answered} answers fit the question before: they may stand one row too "
            "low",
            "ответов, которые подходят к предыдущему вопросу: {fitting} из {answered}; возможно, "
            "они сдвинуты на строку вниз",
            fitting=fitting,
            answered=answered,
        )
    return t(
        "{fitting} of {answered} answers fit the question after: they may stand one row too high",
        "ответов, которые подходят к следующему вопросу: {fitting} из {answered}; возможно, они "
        "сдвинуты на строку вверх",
        fitting=fitting,
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


def changed_answers(pairs: Sequence[tuple[str, str]], ids: Container[str]) -> Iterator[Phrase]:
    """A remark on each question with different answers, of which the last one counts."""
    texts_by_name: dict[str, list[str]] = {}
    for name, text in pairs:
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


def remarks_on_names(names: Sequence[str]) -> Iterator[Line]:
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
