"""Where each number of a page comes from: the check that it stands in its own place.

A right number under the heading of another one, or in the sentence of another one, is a value of
the section all the same. So :mod:`rope_cli.report.number_sources` says, apart from the sections,
which value of the evidence belongs into which place, and here the two are compared.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.blocks import (
    Block,
    Cell,
    Line,
    Matrix,
    Number,
    Phrase,
    Piece,
    Section,
    Short,
    Signed,
    Significant,
    Table,
    Vector,
    as_table,
    lines_of,
    pieces_of,
)
from rope_cli.document.check import Check
from rope_cli.document.formatting import format_line, format_short
from rope_cli.document.lines import printed_lines
from rope_cli.example.parameters import Parameters
from rope_cli.report.number_sources import SOURCES
from rope_cli.text import Text

Array = NDArray[np.float64]

NUMERAL = re.compile(r"(?<![\d.])-?\d+(?:\.\d+)?(?:e-?\d+)?")
# A string of numbers with what may stand between them: (1,0), [0,2], m=3.
NUMERALS = re.compile(r"[mn\s\d,.()\[\]=→–-]*\d[mn\s\d,.()\[\]=→–-]*")
WORDS_OF_A_NAME = 4
# A source of numbers that another check compares.
ANYTHING = "*"
# Begins a source that is words, not numbers: those of a column, from top to bottom.
LABELS = "~"
# A half, and a little for the conversion.
HALF = 0.50001
# Stands for as many numbers as a place shows, counted from 0.
COUNTING = np.empty(0)


class Shown(NamedTuple):
    """A number as it is shown, and how far it may be from its value."""

    value: float
    rounding: float = 0.0


class Place(NamedTuple):
    """A place of the page with its numbers; ``gap`` tells where it leaves some out, and how many.

    How many is 0 if the page does not say it there. ``labels`` are the words of a column whose
    source names them.
    """

    name: str
    numbers: list[Shown]
    gap: tuple[int, int] | None = None
    labels: str = ""


def check_places(sections: Sequence[Section], parameters: Sequence[Parameters]) -> Check:
    """How many numbers are not those of their places, or stand in a table under unknown titles.

    ``parameters`` are those that each section used.
    """
    wrong = compared = 0
    for section, used in zip(sections, parameters, strict=True):
        sources = SOURCES.get(section.slug, {})
        for place in places_of(section.blocks, sources) if sources else ():
            source = sources.get(place.name)
            if source == ANYTHING:
                continue
            if place.labels:
                compared += 1
                wrong += f"{LABELS} {place.labels}" != source
                continue
            compared += len(place.numbers)
            if not source or not is_right(place, value_at(section.values, source, used)):
                wrong += len(place.numbers)
    return Check("printed-places", float(wrong), 0.0, compared)


def places_of(blocks: Iterable[Block], sources: Mapping[str, str]) -> Iterator[Place]:
    """The places whose source is known, and the other numbers of the same tables."""
    blocks = tuple(blocks)
    yield from (place for place in places_in_sentences(blocks) if place.name in sources)
    for name, table in named_tables(blocks):
        if any(source.startswith(f"{name} | ") for source in sources):
            yield from places_in_table(name, table, sources)


def places_in_table(name: str, table: Table, sources: Mapping[str, str]) -> Iterator[Place]:
    """The columns with a source by their titles, and the rows of all other columns."""
    titles = list(numbered(words(column.title) for column in table.columns))
    columns = [
        place_of(f"{name} | {title}", cells)
        for title, cells in zip(titles, zip(*table.rows, strict=True), strict=bool(table.rows))
    ]
    for place, column in zip(columns, zip(*table.rows, strict=True), strict=bool(table.rows)):
        if sources.get(place.name, "").startswith(LABELS):
            yield place._replace(labels="; ".join(words(lines_of(cell)[0]) for cell in column))
        elif place.numbers and place.name in sources:
            yield place
    if all(place.name in sources for place in columns if place.numbers):
        return
    unknown = [bool(place.numbers or place.gap) and place.name not in sources for place in columns]
    labels = numbered(" ".join(filter(None, map(label, row))) for row in table.rows)
    for words_before, row in zip(labels, table.rows, strict=True):
        cells = [cell for cell, without in zip(row, unknown, strict=True) if without]
        place = place_of(f"{name} | {words_before} |", cells)
        if place.numbers:
            yield place


def places_in_sentences(blocks: Iterable[Block]) -> Iterator[Place]:
    """The numbers in sentences, captions and headings, by the words before them."""
    phrases = (
        piece
        for line in printed_lines(blocks)
        for piece in pieces_of(line)
        if isinstance(piece, Phrase) and "hidden" not in piece.values
    )
    places = [place for phrase in phrases for place in places_in_phrase(phrase)]
    for name, place in zip(numbered(place.name for place in places), places, strict=True):
        yield place._replace(name=name)


def places_in_phrase(phrase: Phrase) -> Iterator[Place]:
    """The placeholders of a sentence that hold numbers."""
    before = ""
    for part in re.split(r"(\{\w+\})", phrase.text.en):
        value = phrase.values.get(part[1:-1]) if part.startswith("{") else None
        if isinstance(value, Phrase):
            yield from places_in_phrase(value)
        elif value is not None:
            words = before.split()[-WORDS_OF_A_NAME:]
            numbers = list(numbers_of(value))
            if numbers:
                yield Place(" ".join([*words, part]), numbers)
        before += part


def named_tables(blocks: Iterable[Block]) -> Iterator[tuple[str, Table]]:
    """Every table with its name: the first words of its caption, or its first titles."""
    names: Counter[str] = Counter()
    for block in blocks:
        if isinstance(block, Matrix | Table):
            table = as_table(block) if isinstance(block, Matrix) else block
            name = name_of(table)
            names[name] += 1
            yield with_number(name, names[name]), table


def name_of(table: Table) -> str:
    """The first words of the caption, or the first titles."""
    text = words_of_template(table.caption) if table.caption is not None else ""
    titles = [words(column.title) for column in table.columns[:2]]
    return " ".join(text.split()[:WORDS_OF_A_NAME]) or ", ".join(titles)


def place_of(name: str, cells: Iterable[Cell]) -> Place:
    """A place that spreads over cells."""
    numbers: list[Shown] = []
    gap = None
    for cell in cells:
        if isinstance(cell, Phrase) and "hidden" in cell.values:
            gap = len(numbers), int(str(cell.values["hidden"]))
        elif cell == "...":
            gap = len(numbers), 0
        else:
            numbers += numbers_of_cell(cell)
    return Place(name, numbers, gap)


def numbered(names: Iterable[str]) -> Iterator[str]:
    """The names; one that comes back is numbered from 2 on."""
    times: Counter[str] = Counter()
    for name in names:
        times[name] += 1
        yield with_number(name, times[name])


def with_number(name: str, times: int) -> str:
    """A name, and how many times it has come if it has come before."""
    return name if times == 1 else f"{name} ({times})"


def numbers_of_cell(cell: Cell) -> Iterator[Shown]:
    """The numbers of a cell; n-m below a number is its label."""
    for piece in pieces_of(lines_of(cell)[0]):
        yield from numbers_of(piece)


def numbers_of(piece: Piece) -> Iterator[Shown]:
    """The numbers of a piece, those of a string of numbers too; marks and answers are 0 or 1."""
    match piece:
        case Number(value) | Significant(value):
            yield Shown(value)
        case Signed(value) | int(value):
            yield Shown(float(value))
        case Short(value):
            yield Shown(value, rounding_of_short(value))
        case Vector(values):
            yield from map(Shown, values)
        case str("x" | ".") | Text(en="yes" | "no"):
            yield Shown(float(piece == "x" or words(piece) == "yes"))
        case str() if NUMERALS.fullmatch(piece):
            for text in NUMERAL.findall(piece.replace("\N{EN DASH}", " ")):
                yield Shown(float(text), rounding_of(text))


def rounding_of(text: str) -> float:
    """Half a unit of the last digit behind the point, and a little for the conversion."""
    exponent = Decimal(text).as_tuple().exponent
    return HALF * 10.0**exponent if isinstance(exponent, int) and exponent < 0 else 0.0


def rounding_of_short(value: float) -> float:
    """That of its characters; without decimals it may have been rounded to two of them.

    With one decimal it has two significant digits, or had a second decimal that was zero.
    """
    hundredth = 0.01 * HALF
    rounding = rounding_of(format_short(value))
    if not rounding:
        return hundredth
    second_digit = 10.0 ** (math.floor(math.log10(abs(value))) - 1)
    return min(rounding, max(hundredth, second_digit * HALF))


def label(cell: Cell) -> str:
    """The words of a cell, if it has any beside numbers."""
    pieces = pieces_of(lines_of(cell)[0])
    text = " ".join(map(words_of_template, pieces)).strip()
    return "" if NUMERALS.fullmatch(text) or text in ("...", "x", ".", "yes", "no") else text


def words_of_template(line: Line) -> str:
    """Words in the first language, with the names of placeholders in place of their values."""
    pieces = pieces_of(line)
    texts = (piece.text if isinstance(piece, Phrase) else piece for piece in pieces)
    return " ".join(words(text) for text in texts if isinstance(text, str | Text))


def words(line: Line) -> str:
    """The characters of a heading in the first language."""
    return format_line(line, "en").replace("\N{NO-BREAK SPACE}", " ").strip()


def value_at(values: Mapping[str, Any], source: str, parameters: Parameters) -> Array | None:
    """What a source names, or ``None``: ``errors/float32[1]``, ``max scores[:,0]``, ``-positions``.

    ``#`` counts from 0, ``= 256, d`` are the numbers themselves and what follows from d.
    """
    if source == "#":
        return COUNTING
    if source.startswith(("max ", "min ")):
        line = value_at(values, source[4:], parameters)
        return None if line is None else (line.max if source[1] == "a" else line.min)(keepdims=True)
    if source.startswith("="):
        width = parameters.feature_width
        known = {"d": width, "d/2": width // 2, "2d": 2 * width, "6d": 6 * width}
        known["pairs of d"] = math.comb(width, 2)
        texts = [text.strip() for text in source[1:].split(",")]
        return np.array([float(known.get(text, text)) for text in texts])
    sign, path = (-1, source[1:]) if source.startswith("-") else (1, source)
    name, _, index = path.partition("[")
    value: Any = values
    for part in name.split("/"):
        if isinstance(value, list):
            value = [item[part] for item in value]
        elif isinstance(value, Mapping) and part in value:
            value = value[part]
        else:
            return None
    where = tuple(as_index(part) for part in index.rstrip("]").split(",") if part)
    return np.asarray(sign * np.asarray(value, dtype=np.float64)[where])


def as_index(text: str) -> int | slice:
    """An index or a slice as it is written."""
    if ":" not in text:
        return int(text)
    return slice(*(int(part) if part else None for part in text.split(":")))


def is_right(place: Place, value: Array | None) -> bool:
    """Whether a place shows exactly these values in their order, a gap apart."""
    if value is None:
        return False
    numbers = place.numbers
    if value is COUNTING:
        value = np.arange(float(len(numbers) + (place.gap[1] if place.gap else 0)))
    line = value.ravel()
    if place.gap is None:
        return len(numbers) == len(line) and all(map(shows, numbers, line))
    begin, hidden = place.gap
    if value.ndim == 1 and begin < len(numbers):
        if hidden and len(numbers) + hidden != len(line):
            return False
        ends = [*line[:begin], *line[begin - len(numbers) :]]
        return len(ends) == len(numbers) and all(map(shows, numbers, ends))
    remaining = iter(line)
    in_order = all(any(shows(shown, other) for other in remaining) for shown in numbers)
    return in_order and shows(numbers[0], line[0]) and shows(numbers[-1], line[-1])


def shows(shown: Shown, value: float) -> bool:
    """Whether a number is the value, rounded if it is shown so or typed with six decimals."""
    typed = 0.50001e-6 if round(value, 6) == value else 0.0
    return bool(abs(shown.value - value) <= max(shown.rounding, typed))
