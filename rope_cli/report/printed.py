"""Checks between the computed arrays and the page: what is printed is what was computed.

They look at the blocks of each section as the renderers get them, and at the characters that
:mod:`rope_cli.document.formatting` makes of their numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from itertools import islice

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
from rope_cli.document.formatting import format_line, format_number
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.example.parameters import Parameters
from rope_cli.report.number_places import check_places
from rope_cli.report.replay import leaves_of

Array = NDArray[np.float64]

CLAIMS = {
    "printed-numbers": t(
        "each printed number is its value, rounded to the last digit",
        "каждое напечатанное число — значение, округлённое до последнего знака",
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
    "printed-places": t(
        "each number stands in the sentence, column or row that it belongs to",
        "каждое число стоит в своей фразе, в своём столбце и в своей строке",
    ),
}
# Tables of more numbers than this are compared at their beginning only.
MOST_NUMBERS = 20_000
# Fewer numbers have no order that could be told from chance.
LEAST_IN_ORDER = 3
# More digits than a double has when it is written out in full, before and after its point.
ALL_DIGITS = 1200


def compare_page(
    sections: Sequence[Section], parameters: Sequence[Parameters]
) -> tuple[Verdict, ...]:
    """The checks of the page; one that finds nothing to compare on it is left out.

    ``parameters`` are those that each section used.
    """
    checks = (
        check_rounding(sections),
        check_values(sections),
        check_order(sections),
        check_differences(sections),
        check_angles(sections, parameters),
        check_places(sections, parameters),
    )
    return tuple(Verdict(check, CLAIMS[check.name]) for check in checks if check.compared)


def check_rounding(sections: Sequence[Section]) -> Check:
    """How far a number is from its characters, in units of their last digit."""
    with localcontext(prec=ALL_DIGITS):
        errors = [units_off(piece) for section in sections for piece in printed_numbers(section)]
    return Check("printed-numbers", max(errors, default=0.0), 0.5, len(errors))


def units_off(piece: Number | Significant) -> float:
    """The distance of the characters from the value, exactly, in units of their last digit.

    The sixth decimal, or the ninth of the digits that are not leading zeros.
    """
    if not math.isfinite(piece.value):
        return math.inf
    last = -6
    if isinstance(piece, Significant) and piece.value:
        last = math.floor(math.log10(abs(piece.value))) - 8
    error = abs(Decimal(format_number(piece)) - Decimal(piece.value))
    return float(error.scaleb(-last))


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
            same = list(parts_like(shown, parts[shown.ndim].get(shown.size, [])))
            if same:
                compared += shown.size
                disordered += not any(np.array_equal(part, shown) for part in same)
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


def parts_like(shown: Array, parts: Iterable[Array]) -> Iterator[Array]:
    """Those of the parts with exactly these numbers, in whatever order."""
    ordered = np.sort(shown, axis=None)
    for part in parts:
        if np.array_equal(np.sort(part, axis=None), ordered):
            yield part


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
        or cue is not (Cue.EARLIER, Cue.EQUAL, Cue.LATER)[1 + (shown > 0) - (shown < 0)]
        for positions, shown, cue in labels
    ]
    return Check("printed-differences", float(sum(wrong)), 0.0, len(labels))


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


def check_angles(sections: Sequence[Section], parameters: Sequence[Parameters]) -> Check:
    """Whether the angles of tables with positions and pairs are m·θ_j; relative above 1."""
    errors = []
    for section, used in zip(sections, parameters, strict=True):
        for position, pair, angle in angles_of(section.blocks):
            theta = reference.inverse_frequency(pair, used.feature_width, used.base)
            errors.append(abs(angle - position * theta) / max(1.0, abs(position * theta)))
    return Check("printed-angles", max(errors, default=0.0), 1e-12, len(errors))


def angles_of(blocks: Iterable[Block]) -> Iterator[tuple[int, int, float]]:
    """Position, pair and angle of each row of the tables that have these three columns."""
    for block in blocks:
        if not isinstance(block, Table):
            continue
        titles = [words(column.title) for column in block.columns]
        if {"m", "pair", "angle"} <= set(titles):
            for row in block.rows:
                cells = dict(zip(titles, row, strict=True))
                position, pair = (words(cells[title]).split() for title in ("m", "pair"))
                angle = numbers_of_cell(cells["angle"])
                if angle:  # a row that stands for those left out has none
                    yield int(position[0]), int(pair[0]), angle[0].value


def words(cell: Cell) -> str:
    """The characters of a heading or of a cell, in the first language."""
    return " ".join(format_line(line, "en", ascii_only=True) for line in lines_of(cell))


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
