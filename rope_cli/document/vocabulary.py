"""The vocabulary of sections, questions and reports: ``say``, ``table``, ``t`` ...

A section reads in the order in which it prints, with both languages of a sentence side by side
where it is used. It passes its numbers as they are: a float becomes a :class:`Number`, which shows
six decimals, and numpy's scalars become Python's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias, overload

import numpy as np

from rope_cli.document.blocks import (
    Cell,
    Column,
    Formula,
    Line,
    Matrix,
    Number,
    Paragraph,
    Phrase,
    Piece,
    Short,
    Significant,
    Stack,
    Table,
)
from rope_cli.text import Text

# What a section may pass: pieces, and numbers of Python and numpy.
Value: TypeAlias = "Piece | float | np.floating[Any] | np.integer[Any]"
Values: TypeAlias = "Value | tuple[Value, ...]"


@overload
def t(en: str, ru: str) -> Text: ...


@overload
def t(en: str, ru: str, **values: Value) -> Phrase: ...


def t(en: str, ru: str, **values: Value) -> Text | Phrase:
    """A sentence in both languages; with ``values`` for its placeholders, a :class:`Phrase`.

    Raises ``ValueError`` when the placeholders of the two languages differ from one another or
    from the names of the values.
    """
    text = Text(en=en, ru=ru)
    if not values:
        return text
    if text.placeholders != values.keys():
        raise ValueError(f"values {sorted(values)} do not fill the sentence: {text!r}")
    return Phrase(text, {name: piece(value) for name, value in values.items()})


def say(en: str, ru: str, **values: Value) -> Paragraph:
    """A paragraph."""
    return Paragraph(t(en, ru, **values))


def formula(text: str) -> Formula:
    """A formula on a line of its own, the same in both languages."""
    return Formula(text)


def table(
    caption: Line | None, columns: Iterable[Column], rows: Iterable[Iterable[Values | Stack]]
) -> Table:
    """Rows under headings."""
    return Table(tuple(columns), tuple(tuple(map(cell, row)) for row in rows), caption)


def table_by_columns(
    caption: Line | None, *columns: tuple[Line | Column, Iterable[Values | Stack]]
) -> Table:
    """A table given column by column: a heading, or the :class:`Column` of words, and its cells."""
    headings = (
        heading if isinstance(heading, Column) else Column(heading, "right")
        for heading, _ in columns
    )
    return table(caption, headings, zip(*(cells for _, cells in columns), strict=True))


def matrix(
    caption: Line | None,
    corner: Line,
    row_names: Iterable[Values],
    column_names: Iterable[Values],
    rows: Iterable[Iterable[Values | Stack]],
) -> Matrix:
    """Cells by row and column; ``corner`` says what the names of both are."""
    return Matrix(
        corner,
        tuple(map(line, row_names)),
        tuple(map(line, column_names)),
        tuple(tuple(map(cell, row)) for row in rows),
        caption,
    )


def left(*titles: Line) -> tuple[Column, ...]:
    """Columns of words."""
    return tuple(Column(title) for title in titles)


def right(*titles: Line) -> tuple[Column, ...]:
    """Columns of numbers."""
    return tuple(Column(title, "right") for title in titles)


def stack(*lines: Values) -> Stack:
    """Several lines in one cell."""
    return Stack(tuple(map(line, lines)))


def cell(value: Values | Stack) -> Cell:
    """A cell of a table."""
    return value if isinstance(value, Stack) else line(value)


def line(value: Values) -> Line:
    """A line of one piece or of several."""
    return tuple(map(piece, value)) if isinstance(value, tuple) else piece(value)


def brief(value: float) -> Piece:
    """A number inside a sentence: 0.5 or 10 if so few digits say it all, else six decimals.

    A number that is almost 0 keeps six decimals, because a rounding error may be left of it.
    """
    rounded = round(float(value), 3)
    says_all = 0 < abs(rounded) < 1000 and abs(value - rounded) <= 1e-12
    return Short(rounded) if says_all else Number(float(value))


def digits_kept(value: float) -> Piece:
    """A frequency or an angle: six decimals, or nine significant digits if it is below 0.001.

    Six decimals would show at most three digits of it, or none.
    """
    return Significant(float(value)) if 0 < abs(value) < 1e-3 else Number(float(value))


def piece(value: Value) -> Piece:
    """A float becomes a :class:`Number`, an integer of numpy one of Python."""
    if isinstance(value, float | np.floating):
        return Number(float(value))
    return int(value) if isinstance(value, np.integer) else value
