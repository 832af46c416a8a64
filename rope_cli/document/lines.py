"""What blocks print, line by line, without a format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rope_cli.document.blocks import (
    Block,
    Formula,
    Line,
    Matrix,
    Paragraph,
    Table,
    as_table,
    lines_of,
)


def printed_lines(blocks: Iterable[Block]) -> Iterator[Line]:
    """Paragraphs, formulas, and the captions, headings and cells of tables; no pictures."""
    for block in blocks:
        match block:
            case Paragraph(content):
                yield content
            case Formula(formula):
                yield formula
            case Table(columns, rows, caption):
                if caption is not None:
                    yield caption
                yield from (column.title for column in columns)
                yield from (line for row in rows for cell in row for line in lines_of(cell))
            case Matrix():
                yield from printed_lines([as_table(block)])
