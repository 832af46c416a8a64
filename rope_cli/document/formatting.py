"""Numbers, cues and sentences as characters: no other module formats them."""

from __future__ import annotations

import re

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

# Places in a sentence where a line must not end.
TIGHT_PLACES = re.compile(
    r"\[[^][]{1,24}\]"  # a short vector or list of axes
    r"|(?<=\w) = (?=\S)"
    r"| (?=[—–-] )"  # a dash does not begin a line
    r"|(?<=\d) [-+x] (?=\d)|(?<=sin|cos) (?=\S)|(?<= 1) / (?=b)"
)

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
HOLDS = Text(en="holds", ru="проверено")
FAILS = Text(en="FAILS", ru="ОТКЛОНЕНО")
EXACT = Text(en="exact", ru="точно")
PREDICT = Text(en="Predict first:", ru="Сначала предскажите.")
VERDICT_TITLES = (
    Text(en="verdict", ru="итог"),
    Text(en="check", ru="проверка"),
    Text(en="bound", ru="граница"),
    Text(en="values", ru="значений"),
)
MEASURED = Text(en="measured:", ru="получено:")

# Letters stay letters; every other sign of the report has an ASCII form.
ASCII_SIGNS = str.maketrans(
    {
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


def format_line(line: Line, language: str, ascii_only: bool = False) -> str:
    """The characters of a line, or of one piece, in one language."""
    pieces = pieces_of(line)
    if len(pieces) == 1:
        return _format_piece(pieces[0], language, ascii_only)
    return "".join([_format_piece(piece, language, ascii_only) for piece in pieces])


def _format_piece(piece: Piece, language: str, ascii_only: bool) -> str:
    match piece:  # the most frequent first
        case str():
            return with_ascii_signs(piece, ascii_only)
        case Number(value):
            return six_decimals(value)
        case Significant(value):
            return nine_digits(value)
        case Signed(value):
            return f"{value:+d}" if value else "0"
        case Short(value):
            return format_short(value)
        case Vector(components):
            return "[" + f",{TIGHT}".join(map(six_decimals, components)) + "]"
        case Phrase(text, values):
            sentence = _format_piece(text, language, ascii_only)
            pieces = {
                name: _format_piece(value, language, ascii_only) for name, value in values.items()
            }
            return sentence.format(**pieces)
        case Text():
            return keep_together(with_ascii_signs(piece.in_language(language), ascii_only))
        case Cue():
            return (CUE_LINES_ASCII if ascii_only else CUE_LINES)[piece]
        case _:
            return str(piece)


def keep_together(sentence: str) -> str:
    """The sentence with unbreakable blanks inside short brackets, around = and before a dash."""
    return TIGHT_PLACES.sub(lambda match: match[0].replace(" ", TIGHT), sentence)


def with_ascii_signs(text: str, ascii_only: bool) -> str:
    """The text as it is, or with every sign but the letters in ASCII."""
    return text.translate(ASCII_SIGNS) if ascii_only else text


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
