"""The vocabulary of questions: ``number``, ``count``, ``choice``, ``right`` and ``wrong``.

A question reads as the learner meets it: its sentence in both languages, the right answer, the
typical wrong ones with their reasons, the hint, the explanation. Numbers are named once, at the
end; they fill the placeholders of all its sentences, and ``{answer}`` is the right answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple, overload

from rope_cli.classroom.question import Numbers, Question, QuestionTemplate, Sentence, Wrong
from rope_cli.document.blocks import Phrase
from rope_cli.document.vocabulary import Value, piece, t
from rope_cli.text import Text

ENOUGH_DIGITS, MOST_DIGITS = 3, 5
TOLERANCE_OF_ZERO = 0.0005


class ChoiceLine(NamedTuple):
    """A line to choose from, and what is wrong with it; the right line has no reason."""

    line: Text
    reason: Text | None


def question(id: str, slug: str) -> Callable[[Callable[[Numbers], Question]], QuestionTemplate]:
    """Make a template of the function below: its id and the section that it asks about."""
    return lambda compose: QuestionTemplate(id, slug, compose)


def symbols(text: str) -> Text:
    """Symbols that are the same in both languages."""
    return t(text, text)


@overload
def wrong(answer: float, reason: Text, /) -> Wrong: ...


@overload
def wrong(answer: float, en: str, ru: str, /) -> Wrong: ...


@overload
def wrong(answer: Text, en: str, ru: str, /) -> ChoiceLine: ...


def wrong(answer: float | Text, reason: Text | str, ru: str = "", /) -> Wrong | ChoiceLine:
    """A typical wrong answer, a number or a line to choose, and what it comes from."""
    sentence = reason if isinstance(reason, Text) else t(reason, ru)
    return ChoiceLine(answer, sentence) if isinstance(answer, Text) else Wrong(answer, sentence)


def right(en: str, ru: str) -> ChoiceLine:
    """The right line to choose."""
    return ChoiceLine(t(en, ru), None)


def number(
    en: str,
    ru: str,
    answer: float,
    /,
    *wrong: Wrong,
    hint: Text,
    explanation: Text,
    cell: tuple[int, int, int] | None = None,
    **values: Value,
) -> Question:
    """A question answered by a real number, as finely as its typical mistakes need."""
    answer = float(answer)
    nearest = min((abs(mistake.value - answer) for mistake in wrong), default=math.inf)
    # A wrong answer rounded to as many digits must not pass either: twice the tolerance.
    fine_enough = (
        digits
        for digits in range(ENOUGH_DIGITS, MOST_DIGITS + 1)
        if nearest > 2 * half_unit(answer, digits)
    )
    digits = next(fine_enough, -1)
    unfilled = Question(
        sentence=t(en, ru),
        kind="number" if cell is None else "cell",
        answer=answer,
        hint=hint,
        wrong=wrong,
        explanation=explanation,
        tolerance=half_unit(answer, digits) if digits > 0 else 0.0,
        digits=digits,
        cell=cell,
    )
    return fill_placeholders(unfilled, {**values, "answer": answer})


def count(
    en: str, ru: str, answer: int, /, *wrong: Wrong, hint: Text, explanation: Text, **values: Value
) -> Question:
    """A question answered by a whole number, exactly."""
    unfilled = Question(t(en, ru), "number", answer, hint, wrong, explanation)
    return fill_placeholders(unfilled, {**values, "answer": answer})


def choice(
    en: str, ru: str, /, *lines: ChoiceLine, hint: Text, explanation: Text, **values: Value
) -> Question:
    """A question answered by the number of one of a few lines, in the order of the lines."""
    answer = next(place for place, line in enumerate(lines, 1) if line.reason is None)
    mistakes = tuple(
        Wrong(float(place), line.reason)
        for place, line in enumerate(lines, 1)
        if line.reason is not None
    )
    choices = tuple(line.line for line in lines)
    unfilled = Question(
        t(en, ru), "choice", float(answer), hint, mistakes, explanation, choices=choices
    )
    return fill_placeholders(unfilled, values)


def fill_placeholders(question: Question, values: Mapping[str, Value]) -> Question:
    """The question with its values in all its sentences.

    Raises ``ValueError`` for a placeholder without a value and for a value without a placeholder;
    only ``answer`` need not be mentioned.
    """
    unused = values.keys() - {"answer"}

    def fill(sentence: Sentence) -> Sentence:
        nonlocal unused
        if isinstance(sentence, Phrase) or not sentence.placeholders:
            return sentence
        if missing := sentence.placeholders - values.keys():
            raise ValueError(f"no value for {sorted(missing)}: {sentence!r}")
        unused -= sentence.placeholders
        return Phrase(sentence, {name: piece(values[name]) for name in sentence.placeholders})

    filled = replace(
        question,
        sentence=fill(question.sentence),
        hint=fill(question.hint),
        wrong=tuple(Wrong(wrong.value, fill(wrong.reason)) for wrong in question.wrong),
        explanation=fill(question.explanation),
    )
    if unused:
        raise ValueError(f"no sentence mentions {sorted(unused)}: {question.sentence!r}")
    return filled


def half_unit(value: float, digits: int) -> float:
    """Half a unit of a significant digit of a value, the third for instance."""
    if value == 0:
        return TOLERANCE_OF_ZERO
    # The text of the value knows its order of magnitude exactly; a logarithm may be one off.
    exponent = int(f"{value:e}".partition("e")[2]) - digits + 1
    return float(f"5e{exponent - 1}")
