"""Numbers as people write them: commas, powers of ten, roots, sines, units, words around them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator

from rope_cli.document.vocabulary import t
from rope_cli.text import Text

# Signs of an expression, and of the text that holds it.
LONGEST, LONGEST_TEXT = 60, 300
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
NUMBER = (
    rf"(?:{GROUPED}|[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
    r"(?:\s?[eе][+-]?[0-9]+)?"  # the second letter is Cyrillic
)
FUNCTIONS = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tg": math.tan,
}
_NAMES = "|".join((*FUNCTIONS, "pi"))
TOKEN = re.compile(rf"\s*(?:({NUMBER})|({_NAMES})|(\*\*|[-+*/^()°]))")
INFINITE = re.compile("[+-]?(nan|inf|infinity|∞)")
SPELLINGS = {
    **dict.fromkeys("−–—‐‑‒―➖", "-"),
    **dict.fromkeys("·×⋅∙∗•✕✖", "*"),
    **dict.fromkeys("÷∕⁄➗", "/"),
    **dict.fromkeys("≃≅∼→⇒", "≈"),
    **{"➕": "+", "π": " pi ", "’": "'", "√": " sqrt ", "∶": ":"},
}
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
POWER = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")

_LETTER = "[a-zа-яё]"
_BEFORE, _AFTER = f"(?<!{_LETTER})", f"(?!{_LETTER})"
_LENGTH = "positions?|pos|tokens?|позици[яйию]|поз|токен(?:а|ов)?"
_ANGLE = "radians?|rads?|радиан(?:а|ов)?|рад"
_COUNT = (
    "times|multiplications?|operations?|pairs?|coordinates?|rows?|bytes?|numbers?|revolutions?|шт"
    "|(?:full )?circles?|periods?|раза?|умножени[еяй]|операци[яий]|пар[аы]?|координат[аы]?"
    "|строк[аи]?|байта?|байтов|чис(?:ло|ла|ел)|(?:полных )?оборот(?:а|ов)?|период(?:а|ов)?"
)
_PER = rf"\s*(?:/|per|на|за)\s*(?:1\s*)?(?:{_LENGTH})"
# Words before a number, and words behind it, which say nothing of its value.
_OPENING = (
    "my|answer|ans|result|value|the|is|it|it's|i|think|guess|believe|got|get|about|approximately"
    "|approx|roughly|around|nearly|circa|ca|probably|maybe|equals|equal to|by a factor of|no|line"
    "|option|variant|мой|ответ|отв|результат|итого|значение|это|я|думаю|считаю|получилось"
    "|получается|получил|получила|вышло|выходит|будет|равен|равна|равно|около|примерно"
    "|приблизительно|приближ[её]нно|прим|где-то|наверное|наверно|кажется|вроде|в|на|строка"
    "|вариант|пункт"
)
_CLOSING = (
    "or so|maybe|probably|i think|i guess|i believe|approximately|approx|roughly|rounded|exactly"
    "|наверное|наверно|вроде бы|вроде|кажется|я думаю|думаю|примерно|приблизительно|приближ[её]нно"
    "|округл[её]нно|с округлением|точно|ровно"
)
_INSIDE = r"(?:[^()]|\([^()]*\))*"
_WORD = rf"{_BEFORE}(?!(?:{_NAMES}|{_ANGLE}){_AFTER}){_LETTER}{{2,}}"
_REMARK = (rf"\s*\((?={_INSIDE}\)$)(?:(?=[=≈~])|(?=[^()]*{_WORD})){_INSIDE}\)$", "")
_TRAILING = (r"[\s;,!?._*']+$", "")
_OPENED = (rf"^(?:(?:{_OPENING}){_AFTER}\s*(?:\.?:|\.|-(?=\s))?\s*)+", "")
_CLOSED = (rf"(?:[\s,;-]+(?:{_CLOSING}))+$", "")
# Emoji and bullets, the signs that join them, and what does not show.
_EMOJI = ("[■-◿☀-➿⬀-⯿\ufe0f\u20e3\u200b-\u200f\u2060\ufeff\u00ad🀀-🫿]+", " ")
_QUOTES = ('["`“”„«»]', "")
_LEADING = (r"^[\s'*_]+", "")
# What stands around and in a number, and what takes its place, in this order; $1 is a group. The
# script of the page replaces the same, so the patterns are such that JavaScript reads alike.
REPLACEMENTS = (
    # A letter between two numbers is a sign: 2.371 x 10^-3. The second letter is Cyrillic.
    (r"(?<=[0-9)])(?<!^0)\s*[xх]\s*(?=[0-9(])", "*"),
    _EMOJI,
    # LaTeX: $\frac{\sqrt{2}}{2}$, 2{,}5\cdot 10^{-3}.
    (r"\\(?:left|right|mathrm|text|,|;|!|\(|\)|\[|\])|\$", " "),
    (r"\{,\}", ","),
    (r"\\[dt]?frac\s*\{((?:[^{}]|\{[^{}]*\})*)\}\s*\{((?:[^{}]|\{[^{}]*\})*)\}", "($1)/($2)"),
    (r"\\[dt]?frac\s*([0-9])([0-9])(?![0-9])", "($1/$2)"),
    (r"\^\s*\{?\\circ\}?", "°"),
    (r"\\(?:cdot|times|ast)", "*"),
    (r"\\(?:approx|simeq|sim)", "≈"),
    (rf"\\(?={_NAMES})", " "),
    (r"\{", "("),
    (r"\}", ")"),
    # Quotes, and the marks of bold type and of an empty line.
    _QUOTES,
    _TRAILING,
    (r"^\[([^\]\[]*)\]$", "$1"),
    # Words for signs.
    (rf"{_BEFORE}(?:минус|minus|negative){_AFTER}", "-"),
    (rf"{_BEFORE}(?:плюс|plus){_AFTER}", "+"),
    (rf"{_BEFORE}(?:в степени|to the power of|to the power){_AFTER}", "^"),
    (rf"{_BEFORE}(?:квадратный )?корень(?: квадратный)?(?: из)?{_AFTER}", " sqrt "),
    (rf"{_BEFORE}(?:the )?(?:square )?root of{_AFTER}", " sqrt "),
    (rf"{_BEFORE}синуса?(?: от)?{_AFTER}", " sin "),
    (rf"{_BEFORE}косинуса?(?: от)?{_AFTER}", " cos "),
    (rf"{_BEFORE}пи{_AFTER}", " pi "),
    (rf"{_BEFORE}(?:ноль|нуль|zero){_AFTER}", "0"),
    (rf"\s*(?<!{_LETTER})(?:degrees?|deg|градус(?:а|ов)?|град){_AFTER}\.?", "°"),
    # A remark in parentheses, the uncertainty, words behind the number.
    _REMARK,
    (r"\s*\([^()0-9a-zа-яё]*\)$", ""),
    (r"(?<=[0-9)])\s*(?:±|\+/?-).*$", ""),
    _CLOSED,
    # Everything before the last sign of equality, and words before the number.
    (r"^.*[=≈~]>?\s*", ""),
    (r"^.*->\s*", ""),
    _OPENED,
    _LEADING,
    # Units.
    (rf"(?<=[0-9)])\s*(?:{_ANGLE})\s*(?=\))", ""),
    (rf"(?<=°){_PER}$", ""),
    (rf"(?<=.)(?<!{_LETTER})\s*(?:(?:{_ANGLE})\.?(?:{_PER})?|{_LENGTH}|{_COUNT})$", ""),
    (r"(?<=[0-9])\s*[xх]$|^[xх]\s*(?=[0-9])", ""),
    _TRAILING,
    # 25 %, 1:4, 2.371 10^-3, and 2.371*10-3, whose superscript is lost in copying.
    (r"(?<=[0-9])\s*%$", "/100"),
    (r"^([0-9]+)\s*:\s*([0-9]+)$", "$1/$2"),
    (r"(?<=[0-9])\s+(?=10\s*\^)", "*"),
    (r"^([-+]?[0-9]+(?:[.,][0-9]+)?\s*\*\s*10)\s*-\s*([0-9]{1,2})$", "$1^-$2"),
)
Replacement = tuple[re.Pattern[str], str]


def _compiled(replacements: Iterable[tuple[str, str]]) -> list[Replacement]:
    return [
        (re.compile(pattern), re.sub(r"\$([0-9])", r"\\\1", by)) for pattern, by in replacements
    ]


_TO_NUMBER = _compiled(REPLACEMENTS)
_TO_WORDS = _compiled((_EMOJI, _QUOTES, _LEADING, _TRAILING, _REMARK, _TRAILING, _CLOSED, _OPENED))
# The same value twice: 5.57 (√31).
TWICE = re.compile(rf"(.*[^\s*/+^-])\s+\(({_INSIDE})\)")
DEGREES = re.compile("((?!.*(?:sin|cos|tan|tg)).*)°")
# What the script of the page needs to read as ``mark`` does.
FOR_SCRIPT = {
    "spellings": SPELLINGS,
    "superscripts": SUPERSCRIPTS,
    "replacements": REPLACEMENTS,
    "token": TOKEN.pattern,
    "power": POWER.pattern,
    "infinite": INFINITE.pattern,
    "twice": TWICE.pattern,
    "degrees": DEGREES.pattern,
    "longest": LONGEST,
    "longestText": LONGEST_TEXT,
}


def read_number(text: str) -> float | Text:
    """The number that a text spells, or the reason why it is none.

    Units, a word such as "about", and everything before the last equality sign are passed over.
    """
    answer = core_of(text)
    if (degrees := DEGREES.fullmatch(answer)) is not None:
        answer = degrees[1]
    if (twice := TWICE.fullmatch(answer)) is not None:
        first, second = evaluate(twice[1]), evaluate(twice[2])
        if not isinstance(first, Text) and not isinstance(second, Text):
            answer = twice[1] if abs(first - second) <= 0.01 * abs(first) else answer
    return evaluate(answer) if answer or not plain(text) else NO_NUMBER


def evaluate(answer: str) -> float | Text:
    """The value of an expression in plain signs, or the reason why it has none."""
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
    return DEGREES.fullmatch(core_of(text)) is not None


def core_of(text: str) -> str:
    """The text in plain signs, without what people write around a number."""
    return replaced(plain(text), _TO_NUMBER)


def words_of(text: str) -> str:
    """The text in plain signs, without what people write around words."""
    return replaced(plain(text), _TO_WORDS)


def replaced(answer: str, replacements: Iterable[Replacement]) -> str:
    """The text after these replacements; a very long one stays as it is."""
    for pattern, by in replacements if len(answer) <= LONGEST_TEXT else ():
        answer = pattern.sub(by, answer)
    return answer.strip()


def plain(text: str) -> str:
    """Small letters, one kind of minus, of multiplication, of blank; powers after a ``^``."""
    raised = POWER.sub(lambda power: "^" + "".join(map(SUPERSCRIPTS.__getitem__, power[0])), text)
    # NFKC turns one half into two digits, and a blank keeps the digit before it apart.
    spelled = "".join(
        f" {unicodedata.normalize('NFKC', sign)}" if unicodedata.category(sign) == "No" else sign
        for sign in raised
    )
    spelled = unicodedata.normalize("NFKC", spelled).lower()
    return " ".join("".join(SPELLINGS.get(sign, sign) for sign in spelled).split())


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
        yield decimal(match[1]) if match[1] else match[2] or match[3]


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
        if self.next_is("°"):
            self.tokens.pop(0)
            base = math.radians(base)
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
