"""Markdown of anything: what a file or a student wrote cannot become markup."""

import re

from rope_cli.document.blocks import Column, Difference, Document, Paragraph, Table
from rope_cli.renderers import render


def markdown(*blocks: object) -> str:
    """Some blocks in Markdown."""
    return render(Document(opening=blocks, sections=()), "markdown", "en")  # type: ignore[arg-type]


def test_markup_is_harmless() -> None:
    """Signs of markup are written with a backslash, vectors stay readable."""
    said = markdown(Paragraph("a*b*_c_`d`<e>|f|~~g~~ &lt; [h](i) [j]: k [1.0, 2.0]"))
    assert said == (
        "a\\*b\\*\\_c\\_\\`d\\`\\<e\\>\\|f\\|\\~\\~g\\~\\~ \\&lt; [h]\\(i) [j]\\: k [1.0, 2.0]\n"
    )


def test_paragraph_does_not_begin_a_list() -> None:
    """A number with a point, a dash or a hash at the beginning stays what it is."""
    for written, shown in (
        ("1. x", "1\\. x"),
        ("- x", "\\- x"),
        ("# x", "\\# x"),
        ("+ x", "\\+ x"),
    ):
        assert markdown(Paragraph(written)) == shown + "\n"


def test_bar_in_a_cell_keeps_the_columns() -> None:
    """A row of two cells is two cells, whatever is in them."""
    table = Table((Column("a"), Column("b")), (("x|y", "z"),))
    row = markdown(table).splitlines()[-1]
    assert len(re.split(r"(?<!\\)\|", row)) == 4


def test_fence_is_longer_than_what_it_holds() -> None:
    """Lines with fences of their own, as of a golden Markdown file, do not end the block."""
    lines = [" ```text", "+````", " x"]
    first, *inside, last = markdown(Difference(tuple(lines), tuple(lines))).splitlines()
    assert inside == lines
    assert last == "`````"
    assert first == last + "diff"
