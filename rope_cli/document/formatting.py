"""Numbers, cues and sentences as characters: no other module formats them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rope_cli.document.blocks import (
    TIGHT,
    Cue,
    Line,
    Number,
    Phrase,
    Piece,
    Short,
    Signed,
    Significant,
    Vector,
    Verdict,
    pieces_of,
)
from rope_cli.text import Text

# A range of whole numbers, as 0-2 or C1-C49: in no longer name and no date.
RANGE = re.compile(r"(?<![\w.^-])([A-Z]?)(\d+)-\1(\d+)(?![\w^-]|\.\d)")
SIZES = re.compile(r"(?<=[\d}]) x (?=[\d{])")
# Places in a sentence where a line must not end. All begin with a bracket or a blank: it is worth
# trying them only there.
TIGHT_PLACES = re.compile(
    r"(?=[\[ ])(?:\[[^][]{1,40}\]"  # a short vector or list of axes
    r"|(?<=\S) (?:[=≠≈≤≥∈→]|->) (?=\S)|(?<=\S) [<>] (?=[-\d|]|\w\b(?!\.))"
    r"|(?<=[\w)}\]|°²']) [-+·×] (?=[\w({\[|√Σ-])|(?<=[\d)]) / (?=[\d(]|\w\b)"
    r"|(?:(?<=[)*])|(?<=\b\w)) (?=e\^\()"  # a factor such as q e^(imθ)
    r"|(?:(?<=\bsin|\bcos)|(?<=\bln)) (?=[\d({]|\w\b|\w[_·])"
    r"|(?<=\b\w) (?=(?:sin|cos)\b)|(?<=Σ) (?=\S)"
    r"|(?<=[\d}]) (?=(?:radians?|rad|degrees?|positions?|tokens?|bits?|bytes?|times)\b)"
    r"|(?<=[\d}]) (?=(?:радиан|рад|градус|позици|токен|бит|байт|раз)[а-я]{0,3}\b)"
    r"|(?<=[\d}]) (?=(?:[KMG]i?B|[КМГ]и?Б)\b|[°%])"
    r"| (?=[—–-] ))"  # a dash does not begin a line
)
# A hyphen that is a minus: a sign, a difference of two letters or numbers, or one between blanks.
MINUS = re.compile(
    r"(?<![\w)\]}-])-(?=[\d.{√Σπθφ∞|]|\w/|(?:sin|cos)\b)|(?<=[(\[,=|·])-(?=\w\b)"
    r"|(?<=\b\w)-(?=\w\b(?!\.\w))|(?<=[)}])-(?=[\d{(])|(?<=[\xa0 ])-(?=[\xa0 ])"
    r"|(?<![\w.-])\d[\d.]*-(?=[{(]|\d[\d.]*(?:[^\w.-]|π|$))"
)
# The same in what is no sentence, a name perhaps: a number alone, and n-m.
SIGNED_WORDS = re.compile(r"^-[\d.]+$|(?<== )-(?=\d)|(?<![\w.-])[mnD]-[mn](?![\w.-])")
# What a program reads, so that it is printed as it was written.
COMMAND = re.compile(r"rope-report|(?<!\S)--\w")
TRUE_MINUS = "−"

CUE_LINES = {
    Cue.FAST: "──",
    Cue.SLOW: "╌╌",
    Cue.EQUAL: "══",
    Cue.LATER: "─▶",
    Cue.EARLIER: "◀╌",
}
CUE_LINES_ASCII = {
    Cue.FAST: "--",
    Cue.SLOW: "..",
    Cue.EQUAL: "==",
    Cue.LATER: "->",
    Cue.EARLIER: "<-",
}
CUE_WORDS = {
    Cue.FAST: Text(en="fast pair", ru="быстрая пара"),
    Cue.SLOW: Text(en="slow pair", ru="медленная пара"),
    Cue.EQUAL: Text(en="equal positions", ru="равные позиции"),
    Cue.LATER: Text(en="key later", ru="ключ позже"),
    Cue.EARLIER: Text(en="key earlier", ru="ключ раньше"),
}
HOLDS = Text(en="holds", ru="верно")
FAILS = Text(en="FAILS", ru="НЕВЕРНО")
EXACT = Text(en="exact", ru="точно")
PREDICT = Text(en="Predict first:", ru="Сначала предскажите.")
VERDICT_TITLES = (
    Text(en="verdict", ru="итог"),
    Text(en="check", ru="проверка"),
    Text(en="tolerance", ru="допуск"),
    Text(en="values", ru="значений"),
)
MEASURED = Text(en="measured:", ru="получено:")

# Letters stay letters; every other sign of the report has an ASCII form.
ASCII_SIGNS = str.maketrans(
    {
        "α": "alpha",
        "β": "beta",
        "θ": "theta",
        "φ": "phi",
        "π": "pi",
        "Σ": "sum",
        "√": "sqrt",
        "·": "*",
        "×": "x",
        "÷": "/",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "−": "-",
        "°": "deg",
        "ᵀ": "^T",
        "²": "^2",
        "→": "->",
        "–": "-",
        "—": "-",
        "«": '"',
        "»": '"',
        "…": "...",
        "␣": "_",
    }
)


def six_decimals(value: float) -> str:
    """Six decimals, with a point in every language; zero has no minus sign."""
    return f"{value:z.6f}"


def nine_digits(value: float) -> str:
    """Nine significant digits without trailing zeros: 0.000115478198, 1.24093776e-06."""
    return f"{value:z.9g}"


def format_short(value: float) -> str:
    """As ``%g`` writes it, with a short exponent: 1e-12, 4e-6, 0.1, 10000."""
    if 0 < abs(value) < 1e-3:
        mantissa, exponent = f"{value:.5e}".split("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    return re.sub(r"e\+0*", "e", f"{value:g}")


def format_line(
    line: Line, language: str, ascii_only: bool = False, true_minus: bool = False
) -> str:
    """The characters of a line, or of one piece, in one language.

    Numbers have an ASCII minus, which programs can read back, unless ``true_minus`` asks for the
    typographic one.
    """
    signs = _Signs(language, ascii_only, true_minus and not ascii_only)
    return "".join([_format_piece(piece, signs) for piece in pieces_of(line)]).replace(
        " = ", f"{TIGHT}={TIGHT}"
    )


class _Signs(NamedTuple):
    """The language and the signs in which pieces are formatted."""

    language: str
    ascii_only: bool
    true_minus: bool


def _format_piece(piece: Piece, signs: _Signs) -> str:
    match piece:  # the most frequent first
        case str():
            if signs.true_minus:
                piece = SIGNED_WORDS.sub(_minus, piece)
            return with_ascii_signs(piece, signs.ascii_only)
        case Number() | Significant() | Signed() | Short() | Vector():
            number = format_number(piece)
            # The exponent of 3e-10 stays as programs write it.
            return re.sub("(?<!e)-", TRUE_MINUS, number) if signs.true_minus else number
        case Phrase(text, values):
            sentence = _format_piece(text, signs)
            pieces = {name: _format_piece(value, signs) for name, value in values.items()}
            return sentence.format(**pieces)
        case Text():
            sentence = typeset(piece.in_language(signs.language))
            if signs.true_minus:
                sentence = with_true_minus(sentence)
            return with_ascii_signs(sentence, signs.ascii_only)
        case Cue():
            return (CUE_LINES_ASCII if signs.ascii_only else CUE_LINES)[piece]
        case _:
            return str(piece)


def format_number(piece: Number | Significant | Signed | Short | Vector) -> str:
    """A number, or the numbers of a vector, with an ASCII minus."""
    match piece:
        case Number(value):
            return six_decimals(value)
        case Significant(value):
            return nine_digits(value)
        case Signed(value):
            return f"{value:+d}" if value else "0"
        case Short(value):
            return format_short(value)
        case Vector(components, short):
            numbers = map(format_short if short else six_decimals, components)
            return "[" + f",{TIGHT}".join(numbers) + "]"


@lru_cache(maxsize=4096)
def typeset(sentence: str) -> str:
    """The sentence with the dash of a range, the cross of sizes, and nothing torn apart.

    Blanks become unbreakable inside a formula or a short vector, between a number and its unit and
    before a dash. :func:`with_ascii_signs` gives the form for streams that lack a sign,
    :func:`with_true_minus` the one for pages.
    """
    if COMMAND.search(sentence):
        return sentence
    sentence = RANGE.sub(_range, SIZES.sub(" × ", sentence.replace(TRUE_MINUS, "-")))
    return TIGHT_PLACES.sub(lambda match: match[0].replace(" ", TIGHT), sentence)


def _range(match: re.Match[str]) -> str:
    """A range ascends: 3-1 is a difference."""
    letter, first, last = match.groups()
    return f"{letter}{first}–{letter}{last}" if int(first) < int(last) else match[0]


def with_true_minus(text: str) -> str:
    """The text with a true minus for each hyphen that is one, as in -1, n-m and a - b."""
    return text if COMMAND.search(text) else MINUS.sub(_minus, text)


def _minus(match: re.Match[str]) -> str:
    return match[0].replace("-", TRUE_MINUS)


def with_formula_minus(formula: str) -> str:
    """The formula with true minuses: it has no other hyphens, except in arrows."""
    return re.sub("-(?!>)", TRUE_MINUS, formula)


def with_ascii_signs(text: str, ascii_only: bool) -> str:
    """The text as it is, or with every sign but the letters in ASCII."""
    return text.translate(ASCII_SIGNS) if ascii_only else text


def with_colon(words: str) -> str:
    """Words that introduce what stands behind them; a question does so without a colon."""
    return words if words.endswith("?") else f"{words}:"


def format_tolerance(verdict: Verdict, language: str, ascii_only: bool = False) -> str:
    """The tolerance of a check: ``≤ 1e-12``, ``≥ 0.1``, or a word when nothing may differ."""
    check = verdict.check
    if check.relation == "at most" and check.tolerance == 0:
        return EXACT.in_language(language)
    sign = "≤" if check.relation == "at most" else "≥"
    return with_ascii_signs(f"{sign}{TIGHT}{format_short(check.tolerance)}", ascii_only)


def format_verdict(verdict: Verdict, language: str) -> str:
    """Whether the check holds, as a word."""
    return (HOLDS if verdict.check.holds else FAILS).in_language(language)


def format_measured(verdict: Verdict, language: str) -> str:
    """What a failed check measured: ``measured: 0.25``."""
    return f"{MEASURED.in_language(language)} {verdict.check.measured:.3g}"
