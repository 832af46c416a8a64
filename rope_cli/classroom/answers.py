"""A learner's answer: read strictly, compared with the right one, and explained when wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from rope_cli.classroom.compose import ENOUGH_DIGITS, half_unit
from rope_cli.classroom.question import Question, Sentence, Wrong
from rope_cli.classroom.written_numbers import BLANK, in_degrees, read_number, words_of
from rope_cli.document.formatting import format_line
from rope_cli.document.vocabulary import t
from rope_cli.text import Text

# The edge of the tolerance is rounded as every float is, so the last bits do not count.
LAST_BITS = 1e-15
NEAR = 10
CHOICE = re.compile(
    r"\(?([0-9]+)(?:-?(?:й|я|е|ый|ой|ая|ое|st|nd|rd|th)(?!\w))?\s*[).:\]-]*(?:\s+(.*\S))?\s*"
)
ORDINALS = ("перв", "first"), ("втор", "second"), ("трет", "third"), ("четв[её]рт", "fourth")
_ANY_ORDINAL = "|".join(f"({stem}(?:[ыио]й|[аь]я|[оь]е|[уь]ю)|{word})" for stem, word in ORDINALS)
ORDINAL = re.compile(f"(?:{_ANY_ORDINAL})(?: (.*))?")
# What people write where they have no answer.
NO_ANSWER = re.compile(
    "(?:i )?(?:don't|do not|dont) know|idk|no answer|skip|n/a|не знаю|нет ответа|пропуск|нет"
)
# What may follow a number that is meant as that of a line.
SAYS_NOTHING = re.compile("(?:line|option|variant|one|answer|вариант|строка|пункт|ответ)?")
NO_CHOICE = t("Answer with the number of one of the lines.", "Ответьте номером одной из строк.")
IN_DEGREES = t(
    "This angle is in degrees, and the question asks for radians.",
    "Угол дан в градусах, а вопрос — о радианах.",
)
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


def read_choice(text: str, choices: Sequence[Text]) -> float | Text:
    """The number of a line, from 1: as a number or a word, before the line, or as the line itself.

    Returns the reason if it is none of these.
    """
    if (copied := place_of(text, choices)) is not None:
        return copied
    if not any(map(str.isalnum, text)):
        return BLANK
    words = words_of(text)
    if (number := CHOICE.fullmatch(words)) is not None:
        place, rest = int(number[1][:9]), number[2]
    elif (ordinal := ORDINAL.fullmatch(words)) is not None:
        place = next(place for place in range(1, len(ORDINALS) + 1) if ordinal[place])
        rest = ordinal[len(ORDINALS) + 1]
    else:
        value = read_number(text)
        return value if value in range(1, len(choices) + 1) else NO_CHOICE
    # A line that is copied with its number has to be that line.
    if place not in range(1, len(choices) + 1):
        return NO_CHOICE
    alone = not rest or SAYS_NOTHING.fullmatch(rest)
    return float(place) if alone or place_of(rest, choices) == place else NO_CHOICE


def is_answer(text: str) -> bool:
    """Whether a text is an answer, and not a dash, a question mark, or words that say so."""
    blank = not any(sign.isalnum() or sign == "∞" for sign in text)
    return not blank and NO_ANSWER.fullmatch(words_of(text)) is None


def place_of(text: str, choices: Sequence[Text]) -> float | None:
    """The place of the line that a text copies in either language."""
    for place, line in enumerate(choices, 1):
        if letters_of(text) in {letters_of(line.en), letters_of(line.ru)}:
            return float(place)
    return None


def letters_of(line: str) -> str:
    """The letters and digits of a line, which people copy without its marks and blanks."""
    return "".join(sign for sign in line.casefold() if sign.isalnum())


def judge(question: Question, text: str) -> Judgement:
    """Whether the text answers the question, and if not, what probably went wrong."""
    choices = question.choices
    value = read_choice(text, choices) if choices else read_number(text)
    if isinstance(value, Text):
        return Judgement(False, None, value)
    if asks_for_radians(question) and in_degrees(text):
        return Judgement(False, value, IN_DEGREES)
    if within(value, question.answer, question.tolerance):
        return Judgement(True, value, None)
    return Judgement(False, value, diagnosis(question, value))


def asks_for_radians(question: Question) -> bool:
    """Whether the answer is an angle or a speed in radians."""
    return "radians" in format_line(question.sentence, "en").rpartition(". ")[2]


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
    degrees = math.degrees(question.answer)
    if asks_for_radians(question) and within(value, degrees, half_unit(degrees, ENOUGH_DIGITS)):
        return IN_DEGREES
    if abs(value - question.answer) <= NEAR * question.tolerance:
        return CLOSE
    return None
