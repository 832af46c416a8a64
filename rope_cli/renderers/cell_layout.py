"""Cells as lines: wrapped at blanks and fitted into the columns of a page.

A number is a word without blanks, so it is never cut or folded; a vector holds unbreakable blanks.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from rope_cli.document import formatting
from rope_cli.document.blocks import TIGHT, Cell, Column, Table

NUMBER = re.compile("[(\\[]?[-+\u2212]?[0-9][-+\u2212\u00d70-9.,eE^]*[)\\]]?[.,;:]?")
# A line with the name of its style, or without one.
StyledLine = tuple[str, str | None]


class CellLines(NamedTuple):
    """A cell as lines, each with its style; a line may break at its blanks."""

    lines: tuple[StyledLine, ...]
    right: bool = False

    @property
    def full_width(self) -> int:
        """How wide the cell is when no line breaks."""
        return max(len(text) for text, _ in self.lines)

    @property
    def least_width(self) -> int:
        """How wide the cell must be so that no word and no number breaks."""
        return max(len(word) for text, _ in self.lines for word in text.split(" "))

    def wrap(self, width: int) -> list[StyledLine]:
        """Lines of at most ``width`` columns, with their styles."""
        return [(part, style) for text, style in self.lines for part in wrap(text, width)]


def close_up_marks(table: Table) -> Table:
    """The table with its columns of marks, which are neighbours, as one that no line breaks."""
    marked = [index for index, column in enumerate(table.columns) if column.align == "mark"]
    if not marked:
        return table
    before, after = slice(marked[0]), slice(marked[-1] + 1, None)

    def close_up(cells: Sequence[Cell]) -> str:
        return TIGHT.join(str(cells[index]) for index in marked)

    column = Column(close_up([column.title for column in table.columns]))
    return Table(
        (*table.columns[before], column, *table.columns[after]),
        tuple((*row[before], close_up(row), *row[after]) for row in table.rows),
        table.caption,
    )


def align_vector(values: tuple[float, ...], widths: tuple[int, ...]) -> str:
    """A vector whose components keep to their columns."""
    numbers = map(formatting.six_decimals, values)
    padded = (number.rjust(width, TIGHT) for number, width in zip(numbers, widths, strict=True))
    return "[" + f",{TIGHT}".join(padded) + "]"


def wrap(line: str, width: int) -> list[str]:
    """The line in parts of at most ``width`` columns, broken at blanks.

    A vector that is wider than the page breaks between its numbers, never inside one; a name or a
    key that is wider breaks anywhere.
    """
    if len(line) <= width:
        return [line.replace(TIGHT, " ")]
    if any(len(word) > width for word in line.split(" ")):
        line = break_names(line.replace(TIGHT, " "), width)
    parts = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
    return [part.replace(TIGHT, " ") for part in parts] or [""]


def break_names(line: str, width: int) -> str:
    """The line with blanks inside words that are longer than ``width`` and no numbers."""
    return " ".join(
        word
        if len(word) <= width or NUMBER.fullmatch(word)
        else " ".join(word[begin : begin + width] for begin in range(0, len(word), width))
        for word in line.split(" ")
    )


def fit_columns(rows: Sequence[Sequence[CellLines]], room: int) -> list[int] | None:
    """The width of each column within ``room``, or ``None`` when some word would have to break.

    The first row is the heading.
    """
    columns = list(zip(*rows, strict=True))
    widths = [max(cell.full_width for cell in column) for column in columns]
    if sum(widths) <= room:
        return widths
    least = [max(cell.least_width for cell in column) for column in columns]
    if sum(least) > room:
        return None
    # A heading gives way before the cells below it do.
    body = [max((cell.full_width for cell in column[1:]), default=0) for column in columns]
    while sum(widths) > room:
        loose = [column for column in range(len(widths)) if widths[column] > least[column]]
        widest = max(loose, key=lambda column: (widths[column] > body[column], widths[column]))
        widths[widest] -= 1
    return widths
