"""A learner's answer: read strictly, compared with the right one, and explained when wrong."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from rope_cli.classroom.compose import ENOUGH_DIGITS, half_unit
from rope_cli.classroom.question import Question, Sentence, Wrong
from rope_cli.document.vocabulary import t
from rope_cli.text import Text

# The edge of the tolerance is rounded as every float is, so the last bits do not count.
LAST_BITS = 1e-15
NEAR = 10
LONGEST = 60
DECIMAL = r"[+-]?\s*(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
ANSWER = re.compile(rf"({DECIMAL})(?:\s*/\s*({DECIMAL}))?")
INFINITE = re.compile("[+-]?(nan|inf|infinity|∞)")
MINUSES = str.maketrans({"−": "-", "–": "-"})

BLANK = t("No answer was given.", "Ответ не дан.")
NO_NUMBER = t(
    "This is not a number. Accepted: 0.5, 0,5, 1/2, -5e-1.",
    "Это не число. Допустимо: 0.5, 0,5, 1/2, -5e-1.",
)
NOT_FINITE = t(
    "NaN and infinity are not accepted; the answer is an ordinary number.",
    "NaN и бесконечность не принимаются: ответ — обычное число.",
)
TOO_LARGE = t(
    "This number is larger than float64 can hold.", "Это число слишком велико для float64."
)
BY_ZERO = t("Division by zero has no result.", "На ноль делить нельзя.")
NO_CHOICE = t("Answer with the number of one of the lines.", "Ответьте номером одной из строк.")
ONLY_SIGN = t("The size is right, but the sign is wrong.", "Величина верна, а знак — нет.")
CLOSE = t(
    "Close, but not close enough: compute with more digits.",
    "Близко, но недостаточно: считайте с большим числом знаков.",
)
NOT_WHOLE = t("The answer must be a whole number.", "Ответом должно быть целое число.")


class Judgement(NamedTuple):
    """Whether an answer is right, the number it was read as, and why it is wrong.

    ``value`` is ``None`` if no number could be read.
    """

    right: bool
    value: float | None
    reason: Sentence | None


def read_number(text: str) -> float | Text:
    """The number that a text spells, a fraction too, or the reason why it is none."""
    answer = text.strip().translate(MINUSES)
    if not answer:
        return BLANK
    match = ANSWER.fullmatch(answer) if len(answer) <= LONGEST else None
    if match is None:
        return NOT_FINITE if INFINITE.fullmatch(answer.lower()) else NO_NUMBER
    numerator, denominator = (read_decimal(part) for part in match.groups("1"))
    if denominator == 0:
        return BY_ZERO
    value = numerator / denominator
    # inf / inf is nan, and a number divided by infinity would quietly be zero.
    return value if all(map(math.isfinite, (numerator, denominator, value))) else TOO_LARGE


def read_decimal(digits: str) -> float:
    """A decimal fraction with a point or a comma, blanks after its sign allowed."""
    return float("".join(digits.split()).replace(",", "."))


def read_choice(text: str, count: int) -> float | Text:
    """The number of a line, from 1, however it is spelled, or the reason why it is none."""
    value = read_number(text.strip().rstrip(")."))
    if value is BLANK:
        return BLANK
    if isinstance(value, Text) or value not in range(1, count + 1):
        return NO_CHOICE
    return value


def judge(question: Question, text: str) -> Judgement:
    """Whether the text answers the question, and if not, what probably went wrong."""
    if question.kind == "choice":
        value = read_choice(text, len(question.choices))
    else:
        value = read_number(text)
    if isinstance(value, Text):
        return Judgement(False, None, value)
    if within(value, question.answer, question.tolerance):
        return Judgement(True, value, None)
    return Judgement(False, value, diagnosis(question, value))


def within(value: float, answer: float, tolerance: float) -> bool:
    """Whether a value differs from the answer by no more than the tolerance."""
    slack = LAST_BITS * max(abs(answer), abs(value)) if tolerance else 0.0
    return abs(value - answer) <= tolerance + slack


def mistake_in_two_digits(question: Question, value: float) -> Wrong | None:
    """The only typical mistake that is this value in two digits, unless the answer is it too."""
    if question.tolerance == 0 or round_to_two_digits(question.answer) == value:
        return None
    mistakes = [wrong for wrong in question.wrong if round_to_two_digits(wrong.value) == value]
    return mistakes[0] if len(mistakes) == 1 else None


def round_to_two_digits(value: float) -> float:
    """A value as a learner who keeps two significant digits would write it."""
    return float(f"{value:.2g}")


def diagnosis(question: Question, value: float) -> Sentence | None:
    """What probably went wrong with a wrong value: the typical mistake that it is, rounded."""
    if question.kind == "choice":
        return next((wrong.reason for wrong in question.wrong if wrong.value == value), None)
    nearest = min(question.wrong, key=lambda wrong: abs(wrong.value - value), default=None)
    if nearest is not None:
        window = half_unit(nearest.value, ENOUGH_DIGITS) if question.tolerance else 0.0
        if within(value, nearest.value, window):
            return nearest.reason
        if (mistake := mistake_in_two_digits(question, value)) is not None:
            return mistake.reason
    if question.tolerance == 0 and value != round(value):
        return NOT_WHOLE
    if within(value, -question.answer, question.tolerance):
        return ONLY_SIGN
    if abs(value - question.answer) <= NEAR * question.tolerance:
        return CLOSE
    return None
