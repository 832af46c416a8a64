"""The words in which sections, questions and reports are written: ``say``, ``table``, ``t`` ...

Everything stands in the order in which it is printed, each sentence in both languages where it is
used. A float becomes a :class:`Number`, which shows six decimals, and numpy's scalars become
Python's, so that a section passes its numbers on as they are.
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
    Stack,
    Table,
)
from rope_cli.text import Text

# What a section hands over: pieces as they are, and numbers of Python's and numpy's.
Value: TypeAlias = "Piece | float | np.floating[Any] | np.integer[Any]"
Values: TypeAlias = "Value | tuple[Value, ...]"


@overload
def t(en: str, ru: str) -> Text: ...


@overload
def t(en: str, ru: str, **values: Value) -> Phrase: ...


def t(en: str, ru: str, **values: Value) -> Text | Phrase:
    """A sentence in both languages; a :class:`Phrase` if its placeholders are filled.

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
    """What stands in a cell of a table."""
    return value if isinstance(value, Stack) else line(value)


def line(value: Values) -> Line:
    """A piece or several in a row."""
    return tuple(map(piece, value)) if isinstance(value, tuple) else piece(value)


def piece(value: Value) -> Piece:
    """A float as a number of six decimals, an integer of numpy's as one of Python's."""
    if isinstance(value, float | np.floating):
        return Number(float(value))
    return int(value) if isinstance(value, np.integer) else value
