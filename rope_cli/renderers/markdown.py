"""The report in Markdown: headings, pipe tables, and code for formulas and differences.

Tables are those of GitHub's dialect, which most other readers know as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    TIGHT,
    Block,
    Cell,
    Cue,
    Dials,
    Difference,
    Document,
    Formula,
    Heat,
    Legend,
    Line,
    Matrix,
    Paragraph,
    Section,
    Series,
    Table,
    Verdict,
    as_table,
    lines_of,
    pieces_of,
)
from rope_cli.renderers.draw_text import draw_picture

# What would be read as markup. A hyphen, a digit with a point and a plus begin a list only at the
# beginning of a line; see first_sign.
MARKUP = re.compile(r"([\\`*_<>|&~]|(?<=\])[(:[])")


def render(document: Document, language: str, *, width: int, ascii_only: bool, color: bool) -> str:
    """The document as Markdown; lines are not wrapped, so the width plays no part."""
    page = Page(language, ascii_only)
    return "\n\n".join(page.parts(document)) + "\n"


class Page:
    """The language and the signs of a page."""

    def __init__(self, language: str, ascii_only: bool) -> None:
        self.language, self.ascii_only = language, ascii_only

    def parts(self, document: Document) -> Iterator[str]:
        """Everything, in pieces between which an empty line stands."""
        yield from self.blocks(document.opening)
        for section in document.sections:
            yield from self.section(section)
        yield from self.verdicts(document.verdicts)
        yield from self.blocks(document.closing)

    def section(self, section: Section) -> Iterator[str]:
        """Heading, question, blocks, checks."""
        yield f"## {section.number}. {self.inline(section.title)} `{section.slug}`"
        if section.question is not None:
            predict, question = self.inline(formatting.PREDICT), self.inline(section.question)
            yield f"> **{predict}** {question}"
        yield from self.blocks(section.blocks)
        yield from self.verdicts(section.verdicts)

    def blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Every block."""
        for block in blocks:
            match block:
                case Paragraph(content):
                    yield first_sign(self.inline(content))
                case Formula(formula):
                    yield "    " + self.plain(formula)
                case Table():
                    yield self.table(block)
                case Matrix():
                    yield self.table(as_table(block))
                case Legend(cues):
                    yield " · ".join(
                        self.inline((cue, " ", formatting.CUE_WORDS[cue])) for cue in cues
                    )
                case Series() | Heat() | Dials():
                    lines = draw_picture(block, self.language, 80, self.ascii_only, captioned=False)
                    yield first_sign(self.inline(block.caption))
                    yield fenced("text", lines)
                    yield first_sign(self.inline(block.alt))
                case Difference():
                    yield fenced("diff", block.drawn(self.ascii_only))

    def plain(self, line: Line) -> str:
        """The characters of a line, with ordinary blanks."""
        return formatting.format_line(line, self.language, self.ascii_only).replace(TIGHT, " ")

    def inline(self, line: Line) -> str:
        """A line with its markup made harmless."""
        return MARKUP.sub(r"\\\1", self.plain(line))

    def cell(self, cell: Cell) -> str:
        """The lines of a cell; a cue stands with its word, for a reader may not see the line."""
        return "<br>".join(
            "".join(
                self.inline((piece, " ", formatting.CUE_WORDS[piece]))
                if isinstance(piece, Cue)
                else self.inline(piece)
                for piece in pieces_of(line)
            )
            for line in lines_of(cell)
        )

    def table(self, table: Table) -> str:
        """A pipe table under its caption."""
        heads = [self.inline(column.title) for column in table.columns]
        sides = ["---:" if column.align == "right" else "---" for column in table.columns]
        rows = [[self.cell(cell) for cell in row] for row in table.rows]
        lines = [f"| {' | '.join(row)} |" for row in (heads, sides, *rows)]
        if table.caption is not None:
            lines = [first_sign(self.inline(table.caption)), "", *lines]
        return "\n".join(lines)

    def verdicts(self, verdicts: tuple[Verdict, ...]) -> Iterator[str]:
        """The checks as a table."""
        if not verdicts:
            return
        titles = (formatting.VERDICT, formatting.CLAIM, formatting.BOUND, formatting.COMPARED)
        lines = [f"| {' | '.join(self.inline(title) for title in titles)} |", "|---|---|---:|---:|"]
        for verdict in verdicts:
            check = verdict.check
            word = formatting.format_verdict(verdict, self.language)
            claim = f"`{check.name}`: {self.inline(verdict.claim)}"
            if not check.holds:
                claim += f"<br>{self.inline(formatting.MEASURED)} {check.measured:.3g}"
            bound = formatting.format_tolerance(verdict, self.language, self.ascii_only)
            lines.append(f"| {word} | {claim} | {bound.replace(TIGHT, ' ')} | {check.compared} |")
        yield "\n".join(lines)


def fenced(kind: str, lines: Sequence[str]) -> str:
    """Lines as they are, between fences longer than any run of backticks in them."""
    runs = (run for line in lines for run in re.findall("`+", line))
    fence = "`" * (max(map(len, runs), default=2) + 1)
    fence = max(fence, "```", key=len)
    return "\n".join([fence + kind, *lines, fence])


def first_sign(paragraph: str) -> str:
    """The paragraph, if it begins as a list would, with that beginning made harmless."""
    return re.sub(r"^(\d+)([.)])|^([-+=#])", lambda found: escaped(found), paragraph)


def escaped(found: re.Match[str]) -> str:
    """A backslash before what begins a list."""
    return f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}"
