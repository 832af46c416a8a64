"""Numbers as they are typed, read strictly.

A reader takes the name of the option and its text, and returns the value or raises a refusal that
names the option. What is not finite, or so large that six decimals and a dot product would say
nothing about it, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal, quoted

GREATEST_WIDTH = 1024
LEAST_BASE, GREATEST_BASE = 1e-9, 1e15
GREATEST_POSITION = 2**53
MOST_POSITIONS = 2**20
GREATEST_NUMBER = 1e15
LONGEST_NUMBER = 60
INTEGER, SIGNED = re.compile(r"[0-9]{1,20}"), re.compile(r"-?[0-9]{1,20}")
DECIMAL = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")


class InvalidNumber(CommandRefusal):
    """A width, base or shift that is no number or out of range."""

    kind = "invalid-number"
    SENTENCE = Text(
        en="{option} is {value}; accepted: {accepted}",
        ru="{option}: задано {value}; допустимо: {accepted}",
    )


class InvalidPositions(CommandRefusal):
    """Positions that are not rising whole numbers, too many, or too far out."""

    kind = "invalid-positions"
    SENTENCE = Text(
        en="{option} is {value}; accepted: rising whole numbers such as 0:3 or 0,1,7, at most "
        "{most} of them, none beyond {last}",
        ru="{option}: задано {value}; допустимы возрастающие целые числа, например 0:3 или "
        "0,1,7: их не больше {most}, и ни одно не больше {last}",
    )


def number_between(least: float, most: float) -> Text:
    """What is accepted: a number in a range."""
    first, last = short_number(least), short_number(most)
    return Text(en=f"a number from {first} to {last}", ru=f"число от {first} до {last}")


def short_number(number: float) -> str:
    """Four digits and a short exponent: 1e15, 1e-9, 8.796e12."""
    return re.sub(r"e([-+])0*", lambda sign: "e" + sign[1].strip("+"), f"{number:.4g}")


def whole_number_between(least: int, most: int) -> Text:
    """What is accepted: a whole number in a range."""
    last = "2^53" if most == GREATEST_POSITION else most
    first = "-2^53" if least == -GREATEST_POSITION else least
    if least == most:
        return Text(en=f"only {first}", ru=f"только {first}")
    return Text(en=f"a whole number from {first} to {last}", ru=f"целое число от {first} до {last}")


def even_number_up_to(most: int) -> Text:
    """What is accepted: an even number in a range."""
    return Text(en=f"an even number from 2 to {most}", ru=f"чётное число от 2 до {most}")


def decimal_number(text: str) -> float | None:
    """A decimal number, or ``None``; no underscores, no words such as nan."""
    stripped = text.strip()
    if len(stripped) > LONGEST_NUMBER or not DECIMAL.fullmatch(stripped):
        return None
    try:
        return float(stripped)
    except ValueError:
        return None


def read_whole_number(option: str, text: str, most: int = GREATEST_POSITION, least: int = 0) -> int:
    """A whole number from ``least`` to ``most``."""
    digits = text.removeprefix("-") if least < 0 else text
    if not INTEGER.fullmatch(digits) or not least <= int(text) <= most:
        accepted = whole_number_between(least, most)
        raise InvalidNumber(option=option, value=quoted(text), accepted=accepted)
    return int(text)


def read_width(option: str, text: str, *, most: int = GREATEST_WIDTH) -> int:
    """A width: an even number from 2 to ``most``."""
    if not INTEGER.fullmatch(text) or not 2 <= int(text) <= most or int(text) % 2:
        accepted = even_number_up_to(most)
        raise InvalidNumber(option=option, value=quoted(text), accepted=accepted)
    return int(text)


def read_base(option: str, text: str) -> float:
    """A base whose frequencies six decimals can show."""
    base = decimal_number(text)
    if base is None or not LEAST_BASE <= base <= GREATEST_BASE:
        accepted = number_between(LEAST_BASE, GREATEST_BASE)
        raise InvalidNumber(option=option, value=quoted(text), accepted=accepted)
    return base


def read_positions(option: str, text: str, *, may_be_negative: bool = False) -> Sequence[int]:
    """``0:3`` or ``0,1,7`` or both: rising whole numbers, the end of a range not included."""
    ranges: list[range] = []
    number, least = (SIGNED, -GREATEST_POSITION) if may_be_negative else (INTEGER, 0)
    count = 0
    for part in text.split(","):
        first, colon, last = part.strip().partition(":")
        if not number.fullmatch(first) or (colon and not number.fullmatch(last)):
            raise invalid_positions(option, text)
        start, stop = int(first), int(last) if colon else int(first) + 1
        rising = not ranges or start >= ranges[-1].stop
        within = least <= start < stop <= GREATEST_POSITION + 1
        if not rising or not within or count + stop - start > MOST_POSITIONS:
            raise invalid_positions(option, text)
        ranges.append(range(start, stop))
        count += stop - start
    return ranges[0] if len(ranges) == 1 else tuple(chain(*ranges))


def invalid_positions(option: str, text: str, last: int = GREATEST_POSITION) -> InvalidPositions:
    """The refusal of positions, with what was typed; ``last`` is the greatest one accepted."""
    end = "2^53" if last == GREATEST_POSITION else last
    return InvalidPositions(option=option, value=quoted(text), most=MOST_POSITIONS, last=end)
