"""Checks between the computed arrays and the page: what is printed is what was computed.

They look at the blocks of each section as the renderers get them, and at the characters that
:mod:`rope_cli.document.formatting` makes of their numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from itertools import islice, zip_longest
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.blocks import (
    Block,
    Cell,
    Cue,
    Line,
    Matrix,
    Number,
    Paragraph,
    Phrase,
    Section,
    Short,
    Signed,
    Significant,
    Table,
    Vector,
    Verdict,
    as_table,
    lines_of,
    pieces_of,
)
from rope_cli.document.check import Check
from rope_cli.document.formatting import CUE_WORDS, format_line
from rope_cli.document.lines import printed_lines
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.example.parameters import PARAMETERS, Parameters
from rope_cli.report.number_places import check_places
from rope_cli.report.printed_pictures import check_pictures
from rope_cli.report.replay import leaves_of
from rope_cli.text import Text

Array = NDArray[np.float64]
Numeric: TypeAlias = "Number | Significant | Short | Signed | Vector"

CLAIMS = {
    "printed-numbers": t(
        "each printed number is within half a unit of its last digit from the value",
        "каждое напечатанное число отличается от значения не больше чем на половину единицы "
        "последнего знака",
    ),
    "printed-values": t(
        "each printed number is a value that its section computed",
        "каждое напечатанное число вычислено в своём разделе",
    ),
    "printed-order": t(
        "tables show the numbers of an array in its order",
        "числа массива стоят в таблице в его порядке",
    ),
    "printed-differences": t(
        "each n-m and its arrow fit the positions beside them",
        "n-m и стрелка в каждой ячейке соответствуют позициям рядом",
    ),
    "printed-angles": t("each printed angle is m·θ_j", "каждый напечатанный угол равен m·θ_j"),
    "printed-rotations": t(
        "beside an angle stand its cosine and sine, or its pair before and after the rotation",
        "рядом с углом стоят его косинус и синус или его пара до и после поворота",
    ),
    "printed-speeds": t(
        "the fastest and the slowest pair have their cues, and no other pair has one",
        "знаки быстрой и медленной пары стоят у самой быстрой и самой медленной, и только у них",
    ),
    "printed-pictures": t(
        "pictures show the numbers of the section, in their order and under their names",
        "на рисунках — числа раздела, в своём порядке и под своими именами",
    ),
    "printed-header": t(
        "the values named above and below the sections are those of the parameters",
        "значения, названные перед разделами и после них, — это параметры отчёта",
    ),
    "printed-places": t(
        "each number stands in the sentence, column or row that it belongs to",
        "каждое число стоит в своей фразе, в своём столбце и в своей строке",
    ),
}
# For a negative, a zero and a positive n-m.
CUES = (Cue.EARLIER, Cue.EQUAL, Cue.LATER)
# Cues as they are to be printed: a solid line is fast, an arrow points away from an earlier key.
LINES = {
    Cue.FAST: "── fast pair",
    Cue.SLOW: "╌╌ slow pair",
    Cue.EQUAL: "══ equal positions",
    Cue.LATER: "─▶ key later",
    Cue.EARLIER: "◀╌ key earlier",
}
# Tables of more numbers than this are compared at their beginning only.
MOST_NUMBERS = 20_000
# Fewer numbers have no order that could be told from chance.
LEAST_IN_ORDER = 3
# More digits than a double has when it is written out in full, before and after its point.
ALL_DIGITS = 1200


def compare_page(
    around: Sequence[Block],
    sections: Sequence[Section],
    given: Parameters,
    parameters: Sequence[Parameters],
) -> tuple[Verdict, ...]:
    """The checks of the page; one that finds nothing to compare on it is left out.

    ``around`` names values above and below the sections; ``given`` are the parameters that any
    section used, ``parameters`` those of each section.
    """
    attempts: dict[tuple[str, ...], Callable[[], Check | tuple[Check, ...]]] = {
        ("printed-header",): lambda: check_header(around, given),
        ("printed-numbers",): lambda: check_rounding(sections),
        ("printed-values",): lambda: check_values(sections),
        ("printed-order",): lambda: check_order(sections),
        ("printed-differences",): lambda: check_differences(sections),
        ("printed-angles", "printed-rotations"): lambda: check_rows_of_pairs(sections, parameters),
        ("printed-speeds",): lambda: check_speeds(sections, parameters),
        ("printed-places",): lambda: check_places(sections, parameters),
        ("printed-pictures",): lambda: check_pictures(sections, parameters),
    }
    checks = [check for names, compare in attempts.items() for check in attempt(names, compare)]
    return tuple(Verdict(check, CLAIMS[check.name]) for check in checks if check.compared)


def attempt(
    names: tuple[str, ...], compare: Callable[[], Check | tuple[Check, ...]]
) -> tuple[Check, ...]:
    """The checks of these names; a page that cannot even be compared fails them."""
    try:
        checks = compare()
    except Exception:
        return tuple(Check(name, math.inf, 0.0, 1) for name in names)
    return (checks,) if isinstance(checks, Check) else checks


def check_rounding(sections: Sequence[Section]) -> Check:
    """How far a number is from its characters, in units of their last digit."""
    with localcontext(prec=ALL_DIGITS):
        errors = [
            error
            for section in sections
            for piece in islice(numeric_pieces(section.blocks), MOST_NUMBERS)
            for error in units_off(piece)
        ]
    return Check("printed-numbers", max(errors, default=0.0), 0.5, len(errors))


def units_off(piece: Numeric) -> Iterator[float]:
    """The distance of the characters from each value, exactly, in units of their last digit.

    The sixth decimal, or the ninth of the digits that are not leading zeros; the sixth of them
    where a number is shown as briefly as possible.
    """
    values = piece.values if isinstance(piece, Vector) else (piece.value,)
    texts = format_line(piece, "en", ascii_only=True).strip("[]").split(",")
    for value, text in zip_longest(values, texts):
        if value is None or text is None or not math.isfinite(value):
            yield math.inf
            continue
        last = -6
        if isinstance(piece, Signed):
            last = 0 if Decimal(text) == value else -1000
        elif value and isinstance(piece, Significant):
            last = math.floor(math.log10(abs(value))) - 8
        elif value and (isinstance(piece, Short) or getattr(piece, "short", False)):
            last = math.floor(math.log10(abs(value))) - 5
        yield float(abs(Decimal(text) - Decimal(value)).scaleb(-last))


def check_values(sections: Sequence[Section]) -> Check:
    """Whether each number is a value of its section, to the last bit."""
    strangers = compared = 0
    for section in sections:
        printed = np.sort([piece.value for piece in printed_numbers(section)])
        known = np.zeros(len(printed), dtype=bool)
        for numbers in computed_numbers(section) if len(printed) else ():
            places = np.searchsorted(printed, numbers).clip(max=len(printed) - 1)
            known[places[printed[places] == numbers]] = True
        strangers += int(np.count_nonzero(~known[np.searchsorted(printed, printed)]))
        compared += len(printed)
    return Check("printed-values", float(strangers), 0.0, compared)


def computed_numbers(section: Section) -> Iterator[Array]:
    """Every number of the evidence, array by array, the two parts of complex ones too."""
    scalars: list[complex] = []
    for _, leaf in leaves_of(section.values):
        if isinstance(leaf, np.ndarray):
            if leaf.dtype.kind in "iufc":
                yield leaf.real
            if leaf.dtype.kind == "c":
                yield leaf.imag
        elif isinstance(leaf, np.generic | float | int | complex):
            scalars.append(complex(leaf))
    yield np.array([part for number in scalars for part in (number.real, number.imag)])


def check_order(sections: Sequence[Section]) -> Check:
    """Whether what holds the numbers of an array holds them in its order."""
    disordered = compared = 0
    for section in sections:
        arrays = [
            leaf
            for _, leaf in leaves_of(section.values)
            if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f" and leaf.size <= MOST_NUMBERS
        ]
        parts = {axes: parts_by_size(arrays, axes) for axes in (1, 2)}
        for shown in arrangements(section.blocks):
            candidates = parts[shown.ndim].get(shown.size, [])
            if any(np.array_equal(part, shown) for part in candidates):
                compared += shown.size
            elif any(parts_like(shown, candidates)):
                compared += shown.size
                disordered += 1
    return Check("printed-order", float(disordered), 0.0, compared)


def arrangements(blocks: Iterable[Block]) -> Iterator[Array]:
    """The numbers of each matrix, and of each column and row of a table with one in a cell.

    A vector is left out: pair by pair its numbers may be in another order than in a row.
    """
    for block in blocks:
        if isinstance(block, Matrix):
            cells = [[numbers_of_cell(cell) for cell in row] for row in block.cells]
            if cells and all(len(numbers) == 1 for row in cells for numbers in row):
                yield np.array([[numbers[0].value for numbers in row] for row in cells])
        elif isinstance(block, Table):
            for line in (*zip(*block.rows, strict=True), *block.rows):
                cells_of_line = [numbers_of_cell(cell) for cell in line]
                numbers = [cell[0].value for cell in cells_of_line if len(cell) == 1]
                several = any(len(cell) > 1 for cell in cells_of_line)
                if not several and len(set(numbers)) >= LEAST_IN_ORDER:
                    yield np.array(numbers)


def parts_like(shown: Array, parts: Iterable[Array]) -> Iterator[bool]:
    """Whether each of the parts has exactly these numbers, in whatever order."""
    ordered = np.sort(shown, axis=None)
    for part in parts:
        yield np.array_equal(np.sort(part, axis=None), ordered)


def parts_by_size(arrays: Iterable[Array], axes: int) -> dict[int, list[Array]]:
    """The parts of arrays with so many axes, by how many numbers they hold.

    A part is a whole array, or what is left of it when some of its axes are fixed.
    """
    parts: dict[int, list[Array]] = {}
    for array in arrays:
        for part in parts_of(array, axes):
            parts.setdefault(part.size, []).append(part)
    return parts


def parts_of(array: Array, axes: int) -> Iterator[Array]:
    """Matrices over the last two axes, or lines along any axis and whole arrays as one line."""
    if axes == 2:
        if array.ndim >= 2:
            yield from array.reshape(-1, *array.shape[-2:])
        return
    yield array.ravel()
    for axis in range(array.ndim if array.ndim > 1 else 0):
        yield from np.moveaxis(array, axis, -1).reshape(-1, array.shape[axis])
    if array.ndim > 2:
        yield from array.reshape(-1, array.shape[-2] * array.shape[-1])


def check_differences(sections: Sequence[Section]) -> Check:
    """Whether n-m and its cue are those of the positions that stand beside them."""
    labels = [label for section in sections for label in labels_of(section.blocks)]
    wrong = [
        (positions is None or shown != positions[1] - positions[0])
        or cue is not CUES[1 + (shown > 0) - (shown < 0)]
        or not looks_right(cue)
        for positions, shown, cue in labels
    ]
    return Check("printed-differences", float(sum(wrong)), 0.0, len(labels))


def looks_right(cue: Cue | Literal[""]) -> bool:
    """Whether a cue is printed with its own line and words, or there is none."""
    return not cue or format_line((cue, " ", CUE_WORDS[cue]), "en") == LINES[cue]


Label = tuple["tuple[int, int] | None", int, Cue]


def labels_of(blocks: Iterable[Block]) -> Iterator[Label]:
    """Each label n-m with the positions m and n that head its row and column, if they do."""
    tables = (as_table(block) if isinstance(block, Matrix) else block for block in blocks)
    for table in (block for block in tables if isinstance(block, Table)):
        for row in table.rows:
            for column, cell in zip(table.columns, row, strict=True):
                for line in lines_of(cell):
                    signs = [piece.value for piece in pieces_of(line) if isinstance(piece, Signed)]
                    cues = [piece for piece in pieces_of(line) if isinstance(piece, Cue)]
                    if signs and cues:
                        headings = f"{words(row[0])} {words(column.title)}"
                        yield positions_in(headings), signs[0], cues[0]


def positions_in(headings: str) -> tuple[int, int] | None:
    """The positions that headings name: ``m=1`` with ``n=2``, or ``(1,2)``."""
    match = re.search(r"m\s*=\s*(\d+) n\s*=\s*(\d+)|\((\d+),\s*(\d+)\)", headings)
    if match is None:
        return None
    m, n = (int(number) for number in match.groups() if number is not None)
    return m, n


class RowOfPair(NamedTuple):
    """What a row of a table says of one pair at one position."""

    position: int
    pair: int
    angle: float
    coordinates: str
    numbers: tuple[float, ...]  # cosine and sine, or the pair before and after


def check_rows_of_pairs(
    sections: Sequence[Section], parameters: Sequence[Parameters]
) -> tuple[Check, Check]:
    """Whether angles are m·θ_j, relative above 1, and what stands beside them fits.

    Relative to the length of the pair. The positions of a caption are the first and last ones.
    """
    errors, misfits = [], []
    for section, used in zip(sections, parameters, strict=True):
        for table in section.blocks:
            rows = list(rows_of_pairs(table)) if isinstance(table, Table) else []
            for row in rows:
                theta = reference.inverse_frequency(row.pair, used.feature_width, used.base)
                true = row.position * theta
                errors.append(abs(row.angle - true) / max(1.0, abs(true)))
                misfits.append(misfit(row, used))
            if rows and isinstance(table, Table) and isinstance(table.caption, Phrase):
                misfits += caption_misfits(table.caption, rows)
    return (
        Check("printed-angles", max(errors, default=0.0), 1e-12, len(errors)),
        Check("printed-rotations", max(misfits, default=0.0), 1e-5, len(misfits)),
    )


def rows_of_pairs(table: Table) -> Iterator[RowOfPair]:
    """The rows of a table that has positions, pairs and angles."""
    titles = [words(column.title).split(" ")[0] for column in table.columns]
    if not {"m", "pair", "angle"} <= set(titles):
        return
    angle_at = titles.index("angle")
    for row in table.rows:
        cells = dict(zip(titles, row, strict=True))
        angle = numbers_of_cell(cells["angle"])
        if angle:  # a row that stands for those left out has none
            position, pair = (int(words(cells[title]).split()[0]) for title in ("m", "pair"))
            numbers = [
                number.value for cell in row[angle_at + 1 :] for number in numbers_of_cell(cell)
            ]
            coordinates = words(cells["coord."]) if "coord." in cells else ""
            yield RowOfPair(position, pair, angle[0].value, coordinates, tuple(numbers))


def misfit(row: RowOfPair, used: Parameters) -> float:
    """How far what stands beside an angle is from what belongs there."""
    cosine, sine = math.cos(row.angle), math.sin(row.angle)
    if len(row.numbers) == 2:
        return max(abs(row.numbers[0] - cosine), abs(row.numbers[1] - sine))
    firsts, seconds = reference.partners(used.feature_width, used.layout)
    if row.coordinates != f"[{firsts[row.pair]},{seconds[row.pair]}]":
        return math.inf
    x, y, *after = row.numbers
    expected = (x * cosine - y * sine, x * sine + y * cosine)
    largest = max(abs(a - b) for a, b in zip(after, expected, strict=True))
    return largest / (math.hypot(x, y) or 1.0)


def caption_misfits(caption: Phrase, rows: Sequence[RowOfPair]) -> list[float]:
    """Whether the positions that a caption names are those of its rows, at both ends."""
    named = caption.values.get("positions")
    if not isinstance(named, Text):
        return []
    numbers = [int(number) for number in re.findall(r"\d+", named.en)]
    ends = (numbers[0], numbers[-1])
    return [0.0 if ends == (rows[0].position, rows[-1].position) else math.inf]


def check_speeds(sections: Sequence[Section], parameters: Sequence[Parameters]) -> Check:
    """Whether the cues of fast and slow stand beside the fastest and the slowest pair."""
    wrong = compared = 0
    for section, used in zip(sections, parameters, strict=True):
        for pair, cue in cues_of_pairs(section.blocks):
            last = used.pairs - 1
            ends = {0: Cue.FAST, last: Cue.SLOW} if used.base > 1 else {0: Cue.SLOW, last: Cue.FAST}
            expected: Cue | Literal[""] = ends.get(pair, "") if last and used.base != 1 else ""
            compared += 1
            wrong += cue != expected or not looks_right(expected)
    return Check("printed-speeds", float(wrong), 0.0, compared)


def cues_of_pairs(blocks: Iterable[Block]) -> Iterator[tuple[int, Cue | str]]:
    """The number of each pair in a column of pairs, with the cue beside it or without one."""
    for table in blocks:
        if not isinstance(table, Table):
            continue
        for column, cells in zip(table.columns, zip(*table.rows, strict=True), strict=False):
            if words(column.title) in ("pair", "pair j"):
                for cell in cells:
                    if isinstance(cell, tuple) and len(cell) > 2 and isinstance(cell[0], int):
                        yield cell[0], cell[2] if isinstance(cell[2], Cue) else ""


def check_header(around: Sequence[Block], given: Parameters) -> Check:
    """Whether the values named above and below the sections are the parameters."""
    headers = {
        parameter.header.en: parameter.header.placeholders
        for parameter in PARAMETERS.values()
        if parameter.header
    }
    wrong = compared = 0
    for phrase in phrases_of(around):
        for name in headers.get(phrase.text.en, ()):
            value, shown = getattr(given, name), phrase.values[name]
            if isinstance(value, int | float) and isinstance(shown, int | Short):
                compared += 1
                wrong += float(words(shown)) != float(f"{value:g}") and shown != value
            elif (
                isinstance(value, Sequence)
                and isinstance(shown, Text)
                and isinstance(value[0], int)
            ):
                numbers = re.findall(r"\d+", shown.en)
                compared += 1
                wrong += (int(numbers[0]), int(numbers[-1])) != (value[0], value[-1])
    facts = list(facts_of_first_screen(around))
    return Check("printed-header", wrong + float(facts.count(False)), 0.0, compared + len(facts))


def facts_of_first_screen(opening: Sequence[Block]) -> Iterator[bool]:
    """Whether each score is that of [1, 0] at m and [0, 1] at n, and its title names n-m."""
    for table in opening:
        if isinstance(table, Table):
            for column, cell in zip(table.columns[1:], table.rows[0][1:], strict=True):
                m, n = positions_in(words(column.title)) or (0, 0)
                yield abs(numbers_of_cell(cell)[0].value + math.sin(n - m)) < 1e-9
                pieces = pieces_of(column.title)
                yield Signed(n - m) in pieces and CUES[1 + (n > m) - (n < m)] in pieces


def phrases_of(blocks: Iterable[Block]) -> Iterator[Phrase]:
    """The sentences with values in paragraphs, and those that stand in them."""
    waiting = [block.content for block in blocks if isinstance(block, Paragraph)]
    while waiting:
        for piece in pieces_of(waiting.pop()):
            if isinstance(piece, Phrase):
                yield piece
                waiting += piece.values.values()


def words(cell: Cell) -> str:
    """The characters of a heading or of a cell, in the first language."""
    return " ".join(format_line(line, "en", ascii_only=True) for line in lines_of(cell))


def numeric_pieces(blocks: Iterable[Block]) -> Iterator[Numeric]:
    """Every piece in sentences, captions and tables that is shown as a number or as several."""
    waiting: list[Line] = []
    for line in printed_lines(blocks):
        waiting.append(line)
        while waiting:
            for piece in pieces_of(waiting.pop()):
                if isinstance(piece, Phrase):
                    waiting += piece.values.values()
                elif isinstance(piece, Number | Significant | Short | Signed | Vector):
                    yield piece


def printed_numbers(section: Section) -> list[Number | Significant]:
    """Every real number in the sentences and tables of a section, up to so many."""
    return list(islice(numbers_of_blocks(section.blocks), MOST_NUMBERS))


def numbers_of_blocks(blocks: Iterable[Block]) -> Iterator[Number | Significant]:
    """Every real number in sentences, captions and tables."""
    for block in blocks:
        match block:
            case Paragraph(content):
                yield from numbers_of_cell(content)
            case Matrix():
                yield from numbers_of_blocks((as_table(block),))
            case Table():
                titles = [column.title for column in block.columns]
                for line in (block.caption or "", *titles):
                    yield from numbers_of_line(line)
                for row in block.rows:
                    for cell in row:
                        yield from numbers_of_cell(cell)


def numbers_of_cell(cell: Cell) -> list[Number | Significant]:
    """The real numbers of a cell or a line, those inside its sentences and vectors too."""
    return [number for line in lines_of(cell) for number in numbers_of_line(line)]


def numbers_of_line(line: Line) -> Iterator[Number | Significant]:
    """The real numbers of a line."""
    for piece in pieces_of(line):
        match piece:
            case Number() | Significant():
                yield piece
            case Vector(values):
                yield from map(Number, values)
            case Phrase(values=values):
                for value in values.values():
                    yield from numbers_of_line(value)
