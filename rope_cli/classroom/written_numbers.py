"""Numbers as people write them: commas, powers of ten, roots, sines, units, words around them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator

from rope_cli.document.vocabulary import t
from rope_cli.text import Text

LONGEST = 60
BLANK = t("No answer was given.", "Ответ не дан.")
NO_NUMBER = t(
    "This is not a number. Accepted: 0.5, 0,5, 1/2, -5e-1, 2·10^-3, sqrt(2), sin 1.",
    "Это не число. Допустимо: 0.5, 0,5, 1/2, -5e-1, 2·10^-3, sqrt(2), sin 1.",
)
NOT_FINITE = t(
    "NaN and infinity are not accepted; the answer is an ordinary number.",
    "NaN и бесконечность не принимаются: ответ — обычное число.",
)
TOO_LARGE = t(
    "This number is larger than float64 can hold.", "Это число слишком велико для float64."
)
BY_ZERO = t("Division by zero has no result.", "На ноль делить нельзя.")
NO_ROOT = t(
    "A negative number has no real root.", "У отрицательного числа нет вещественного корня."
)

GROUPED = (
    # 54 410,14 and 0,283 662
    "[0-9]{1,3}(?:[ '][0-9]{3})+(?:[.,][0-9]+)?(?![0-9])|[0-9]+[.,][0-9]{3}(?: [0-9]{3})+(?![0-9])"
    # 54,410.14 and 54.410,14 and 1,048,576
    "|[0-9]{1,3}(?:,[0-9]{3})+[.][0-9]+|[0-9]{1,3}(?:[.][0-9]{3})+,[0-9]+"
    "|[0-9]{1,3}(?:,[0-9]{3}){2,}(?![0-9,.])"
)
NUMBER = re.compile(
    rf"(?:{GROUPED}|[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
    r"(?:\s?[eе][+-]?[0-9]+)?"  # the second letter is Cyrillic
)
TOKEN = re.compile(
    rf"\s*(?:(?P<number>{NUMBER.pattern})|(?P<name>sqrt|sin|cos|tan|tg|pi)"
    r"|(?P<sign>\*\*|[-+*/^()]))"
)
FUNCTIONS = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tg": math.tan,
}
INFINITE = re.compile("[+-]?(nan|inf|infinity|∞)")
SPELLINGS = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "·": "*", "×": "*", "⋅": "*", "∙": "*"}
    | {"÷": "/", "∕": "/", "π": " pi ", "’": "'", "√": " sqrt "}
)
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
POWER = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
# A letter between two numbers is a sign: 2.371 x 10^-3. The second letter is Cyrillic.
TIMES = re.compile(r"(?<=[0-9)])(?<!^0)\s*[xх]\s*(?=[0-9(])")
LAST_EQUALITY = re.compile("[=≈≃~≅]")
NEARLY = re.compile(r"^(?:about|approximately|approx\.?|ca\.?|около|примерно|приблизительно)\s+")
REMARK = re.compile(r"\s*\([^()0-9]*\)$")
_LENGTH = "positions?|pos|tokens?|позици[яйию]|поз|токен(?:а|ов)?"
_ANGLE = "radians?|rads?|радиан(?:а|ов)?|рад"
_COUNT = (
    "times|multiplications?|pairs?|coordinates?|rows?|bytes?|numbers?|revolutions?|periods?"
    "|раза?|умножени[еяй]|пар[аы]?|координат[аы]?|строк[аи]?|байта?|чис(?:ло|ла|ел)"
    "|оборот(?:а|ов)?|период(?:а|ов)?"
)
_PER = rf"\s*(?:/|per|на|за)\s*(?:1\s*)?(?:{_LENGTH})"
UNIT = re.compile(rf"\s*(?:(?:{_ANGLE})(?:{_PER})?|{_LENGTH}|{_COUNT})\.?$")
DEGREES = re.compile(r"\s*(?:°|degrees?|deg|градус(?:а|ов)?|град)\.?$")


def read_number(text: str) -> float | Text:
    """The number that a text spells, or the reason why it is none.

    Units, a word such as "about", and everything before the last equality sign are passed over.
    """
    answer = core_of(text)
    if not answer:
        return BLANK
    if INFINITE.fullmatch(answer):
        return NOT_FINITE
    try:
        value = Arithmetic(tokens_of(answer)).value() if len(answer) <= LONGEST else None
    except ZeroDivisionError:
        return BY_ZERO
    except OverflowError:
        return TOO_LARGE
    except NegativeRoot:
        return NO_ROOT
    return NO_NUMBER if value is None else value


def in_degrees(text: str) -> bool:
    """Whether a text is a number of degrees."""
    return bool(DEGREES.search(plain(text).rstrip(" .;,!")))


def core_of(text: str) -> str:
    """The text in plain signs, without what people write around a number."""
    answer = plain(text).rstrip(" ;,!")
    answer = REMARK.sub("", answer)
    *_, answer = LAST_EQUALITY.split(answer)
    answer = NEARLY.sub("", answer.strip())
    without_unit = UNIT.sub("", DEGREES.sub("", answer))
    if without_unit:
        answer = without_unit
    return answer.removesuffix(".") or answer


def plain(text: str) -> str:
    """Small letters, one kind of minus, of multiplication, of blank; powers after a ``^``."""
    raised = POWER.sub(lambda power: "^" + power[0].translate(SUPERSCRIPTS), text)
    # NFKC turns one half into two digits, and a blank keeps the digit before it apart.
    spelled = "".join(
        f" {unicodedata.normalize('NFKC', sign)}" if unicodedata.category(sign) == "No" else sign
        for sign in raised
    )
    spelled = unicodedata.normalize("NFKC", spelled).replace("⁄", "/")
    return TIMES.sub("*", " ".join(spelled.lower().translate(SPELLINGS).split()))


class NegativeRoot(ValueError):
    """The root of a negative number."""


Token = float | str


def tokens_of(answer: str) -> Iterator[Token]:
    """Numbers, names and signs; what is none of these comes as one token that fits nowhere."""
    end = 0
    while end < len(answer.rstrip()):
        match = TOKEN.match(answer, end)
        if match is None:
            yield "?"
            return
        end = match.end()
        yield decimal(match["number"]) if match["number"] else match["name"] or match["sign"]


def decimal(written: str) -> float:
    """A number without signs around it, its digits grouped or not, its point a comma or not."""
    digits = "".join(written.split()).replace("'", "").replace("е", "e")
    marks = [sign for sign in digits if sign in ".,"]
    # The last mark is the decimal one unless it repeats; the others group digits.
    if marks and marks.count(marks[-1]) == 1:
        whole, _, part = digits.rpartition(marks[-1])
        digits = f"{whole}.{part}"
        marks.pop()
    for mark in marks:
        digits = digits.replace(mark, "", 1)
    value = float(digits)
    if math.isinf(value):
        raise OverflowError
    return value


class Arithmetic:
    """The value of a sum of products of numbers, powers, roots and sines, from its tokens.

    There is one sign before a factor and one division in a product at most: people who write
    ``--1`` or ``1/2/3`` meant something else.
    """

    def __init__(self, tokens: Iterator[Token]) -> None:
        self.tokens = list(tokens)

    def value(self) -> float | None:
        """The value; ``None`` if the tokens are not an expression.

        Raises ``OverflowError``, ``ZeroDivisionError`` and ``NegativeRoot``.
        """
        try:
            total = self.sum()
        except SyntaxError:
            return None
        if not math.isfinite(total):
            raise OverflowError
        return None if self.tokens else total

    def next_is(self, *tokens: str) -> bool:
        """Whether the next token is one of these."""
        return bool(self.tokens) and self.tokens[0] in tokens

    def sum(self) -> float:
        """Products, added or subtracted."""
        total = self.product()
        while self.next_is("+", "-"):
            total += self.product(-1.0 if self.tokens.pop(0) == "-" else 1.0)
        return total

    def product(self, sign: float | None = None) -> float:
        """Factors, multiplied; two that stand side by side too, ``2 pi``."""
        if sign is None and self.next_is("+", "-"):
            sign = -1.0 if self.tokens.pop(0) == "-" else 1.0
        value = (1.0 if sign is None else sign) * self.power()
        divided = False
        while self.next_is("*", "/", "(", *FUNCTIONS, "pi"):
            if not self.next_is("*", "/"):
                value *= self.power()
            elif self.tokens.pop(0) == "*":
                value *= self.power(signed=True)
            elif divided:
                raise SyntaxError
            else:
                value, divided = value / self.power(signed=True), True
        return value

    def power(self, signed: bool = False) -> float:
        """A number, or one raised to a power."""
        if signed and self.next_is("-", "+"):
            return (-1.0 if self.tokens.pop(0) == "-" else 1.0) * self.power()
        base = self.atom()
        if not self.next_is("^", "**"):
            return base
        self.tokens.pop(0)
        exponent = self.power(signed=True)
        if base < 0 and exponent != round(exponent):
            raise NegativeRoot
        return math.pow(base, exponent) if base or exponent >= 0 else 1 / base

    def atom(self) -> float:
        """A number, pi, a function of something, or a sum in parentheses."""
        token = self.tokens.pop(0) if self.tokens else "?"
        if isinstance(token, float):
            return token
        if token == "pi":
            return math.pi
        if token == "(":
            value = self.sum()
            if not self.next_is(")"):
                raise SyntaxError
            self.tokens.pop(0)
            return value
        if token in FUNCTIONS:
            argument = self.power(signed=True)
            if self.next_is("pi"):
                argument *= self.power()
            if token == "sqrt" and argument < 0:
                raise NegativeRoot
            if not math.isfinite(argument):
                raise OverflowError
            return FUNCTIONS[token](argument)
        raise SyntaxError
