"""A learner's answer: read strictly, compared with the right one, and explained when wrong."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from rope_cli.classroom.question import ENOUGH_DIGITS, Asked, Sentence, half_unit
from rope_cli.document.vocabulary import t
from rope_cli.text import Text

# A float cannot lie on the edge of the tolerance exactly; its last bits do not count.
LAST_BITS = 1e-15
NEAR = 10
LONGEST = 60
DECIMAL = r"[+-]?\s*(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
ANSWER = re.compile(rf"({DECIMAL})(?:\s*/\s*({DECIMAL}))?")
MINUSES = str.maketrans({"−": "-", "–": "-"})

BLANK = t("No answer was given.", "Ответ не дан.")
NO_NUMBER = t(
    "This is not a number. Accepted: 0.5, 0,5, 1/2, -5e-1.",
    "Это не число. Допустимо: 0.5, 0,5, 1/2, -5e-1.",
)
NOT_FINITE = t(
    "NaN and infinity are not numbers to answer with.",
    "NaN и бесконечность — не ответ: нужно обычное число.",
)
TOO_LARGE = t(
    "This number is larger than float64 can hold.", "Это число слишком велико для float64."
)
BY_ZERO = t("Nothing can be divided by zero.", "На ноль делить нельзя.")
NO_CHOICE = t("Answer with the number of one of the lines.", "Ответьте номером одной из строк.")
ONLY_SIGN = t("The size is right, the sign is not.", "Величина верна, а знак — нет.")
CLOSE = t(
    "Close, but outside the tolerance: compute with more digits.",
    "Близко, но за пределами допуска: считайте с большим числом знаков.",
)
NOT_WHOLE = t("A whole number is asked for.", "Нужно целое число.")


class Judged(NamedTuple):
    """Whether an answer is right, the number that it was read as, and why it is not right.

    ``value`` is ``None`` when no number could be read.
    """

    right: bool
    value: float | None
    reason: Sentence | None


def read_number(text: str) -> float | Text:
    """The number that a text spells, or the reason why it spells none."""
    spelled = text.strip().translate(MINUSES)
    if not spelled:
        return BLANK
    found = ANSWER.fullmatch(spelled) if len(spelled) <= LONGEST else None
    if found is None:
        return (
            NOT_FINITE if re.fullmatch("[+-]?(nan|inf|infinity|∞)", spelled.lower()) else NO_NUMBER
        )
    upper, lower = (_decimal(part) for part in found.groups("1"))
    if lower == 0:
        return BY_ZERO
    value = upper / lower
    # inf / inf is nan, and a number divided by infinity would quietly be zero.
    return value if all(map(math.isfinite, (upper, lower, value))) else TOO_LARGE


def _decimal(spelled: str) -> float:
    return float("".join(spelled.split()).replace(",", "."))


def read_choice(text: str, count: int) -> float | Text:
    """The number of a line, in any spelling of a number; or the reason why it is none."""
    value = read_number(text.strip().rstrip(")."))
    if value is BLANK:
        return BLANK
    if isinstance(value, Text) or value not in range(1, count + 1):
        return NO_CHOICE
    return value


def judge(asked: Asked, text: str) -> Judged:
    """Whether the text answers the question, and if not, what probably went wrong."""
    value = read_choice(text, len(asked.choices)) if asked.kind == "choice" else read_number(text)
    if isinstance(value, Text):
        return Judged(False, None, value)
    if within(value, asked.answer, asked.tolerance):
        return Judged(True, value, None)
    return Judged(False, value, diagnosis(asked, value))


def within(value: float, answer: float, tolerance: float) -> bool:
    """Whether a value is no further away than the tolerance; the edge itself is within."""
    slack = LAST_BITS * max(abs(answer), abs(value)) if tolerance else 0.0
    return abs(value - answer) <= tolerance + slack


def diagnosis(asked: Asked, value: float) -> Sentence | None:
    """What probably went wrong: the nearest typical mistake, if the value is one in its digits."""
    if asked.kind == "choice":
        return next((each.reason for each in asked.wrong if each.value == value), None)
    nearest = min(asked.wrong, key=lambda each: abs(each.value - value), default=None)
    if nearest is not None:
        window = half_unit(nearest.value, ENOUGH_DIGITS) if asked.tolerance else 0.0
        if within(value, nearest.value, window):
            return nearest.reason
    if asked.tolerance == 0 and value != round(value):
        return NOT_WHOLE
    if within(value, -asked.answer, asked.tolerance):
        return ONLY_SIGN
    if abs(value - asked.answer) <= NEAR * asked.tolerance:
        return CLOSE
    return None
