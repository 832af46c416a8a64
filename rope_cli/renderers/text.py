"""The report for a terminal, a file or a printer: tables that never cut a number.

Rules and colours are rich's, from its boxes and styles. The cells are laid out by
:mod:`rope_cli.renderers.cell_layout`: a rich table would shorten a number that is wider than its
column, and drawing with it takes longer than computing everything that the report shows.
"""

from __future__ import annotations

import re
from io import StringIO

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    TIGHT,
    Block,
    Cell,
    Column,
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
    Vector,
    Verdict,
    as_table,
    lines_of,
    pieces_of,
)
from rope_cli.renderers.cell_layout import (
    CellLines,
    Styled,
    align_vector,
    fit_columns,
    level_lines,
    wrap,
)

# Colour is an addition: every style here stands beside a word or a line that says the same.
STYLES = {
    "heading": "bold",
    "good": "green",
    "bad": "bold red",
    Cue.FAST.value: "blue",
    Cue.SLOW.value: "yellow",
    Cue.EQUAL.value: "bold",
    Cue.LATER.value: "cyan",
    Cue.EARLIER.value: "magenta",
}


def render(
    document: Document,
    language: str,
    *,
    width: int,
    ascii_only: bool,
    color: bool,
    big: bool = False,
) -> str:
    """The document as text, at most ``width`` columns wide unless a number needs more.

    ``big`` puts another empty line below each block and a rule between the rows of each table.
    """
    page = _Page(language, width, ascii_only, color, big)
    for block in document.opening:
        page.block(block)
    for section in document.sections:
        page.section(section)
    page.verdicts(document.verdicts)
    for block in document.closing:
        page.block(block)
    return page.text()


class _Page:
    """What was written so far, and the manner of writing."""

    def __init__(
        self, language: str, width: int, ascii_only: bool, color: bool, big: bool = False
    ) -> None:
        self.language, self.width, self.ascii_only, self.color = language, width, ascii_only, color
        self.big = big
        self.file = StringIO()

    def text(self) -> str:
        """The page, no blank at any line's end, one line feed at its own."""
        lines = [line.rstrip() for line in self.file.getvalue().split("\n")]
        return "\n".join(lines).strip("\n") + "\n"

    def spelled(self, line: Line) -> str:
        """The characters of a line in the language and signs of the page."""
        return formatting.format_line(line, self.language, self.ascii_only)

    def write(self, text: str = "", style: str | None = None) -> None:
        """One line."""
        self.file.write(self.painted(text, style) + "\n")

    def section(self, section: Section) -> None:
        """Heading, question, blocks, checks."""
        heading = f"{section.number}. {self.spelled(section.title)} [{section.slug}]"
        for part in wrap(heading, self.width):
            self.write(part, "heading")
        rule = "-" if self.ascii_only else "─"
        self.write(rule * min(len(heading), self.width))
        if section.question is not None:
            self.block(Paragraph((formatting.PREDICT, " ", section.question)))
        for block in section.blocks:
            self.block(block)
        self.verdicts(section.verdicts)

    def block(self, block: Block) -> None:
        """One block and an empty line."""
        match block:
            case Paragraph(content):
                for part in wrap(self.spelled(content), self.width):
                    self.write(part)
            case Formula(formula):
                for part in wrap(before_relations(self.spelled(formula)), self.width - 4):
                    self.write("    " + part)
            case Table():
                self.table(block)
            case Matrix():
                self.table(as_table(block))
            case Legend(cues):
                self.legend(cues)
            case Series() | Heat() | Dials():
                from rope_cli.renderers.draw_text import draw_picture

                for line in draw_picture(block, self.language, self.width, self.ascii_only):
                    self.write(line)
            case Difference(lines):
                for line in lines:
                    self.write(line, {"+": "good", "-": "bad"}.get(line[:1]))
        self.write("\n" if self.big else "")

    def legend(self, cues: tuple[Cue, ...]) -> None:
        words = [
            self.spelled((cue, " ", formatting.CUE_WORDS[cue])).replace(" ", TIGHT) for cue in cues
        ]
        for part in wrap("   ".join(words), self.width):
            self.write(part)

    def verdicts(self, verdicts: tuple[Verdict, ...]) -> None:
        """The checks as a table without rules: verdict, claim, bound, number of values."""
        if not verdicts:
            return
        titles = (formatting.VERDICT, formatting.CLAIM, formatting.BOUND, formatting.COMPARED)
        header = [
            CellLines((self.spelled(title),), (None,), at > 1) for at, title in enumerate(titles)
        ]
        rows = [self.verdict(verdict) for verdict in verdicts]
        columns = list(zip(header, *rows, strict=True))
        widths = fit_columns(columns, self.width - 3 * 2)
        if widths is None:
            self.stacked_verdicts(header, rows)
        else:
            for row in (header, *rows):
                for line in zip(*level_lines(row, widths), strict=True):
                    self.write("  ".join(self.painted(text, style) for text, style in line))
        self.write("\n" if self.big else "")

    def stacked_verdicts(self, header: list[CellLines], rows: list[list[CellLines]]) -> None:
        """The checks on a narrow page: the claim after its verdict, then bound and values."""
        for word, claim, *measures in rows:
            self.hanging(f"{word.lines[0]}: {claim.lines[0]}", word.styles[0])
            named = zip(header[2:], measures, strict=True)
            noted = [
                *claim.lines[1:],
                *(f"{title.lines[0]}: {cell.lines[0]}" for title, cell in named),
            ]
            self.write("  " + ", ".join(noted).replace(TIGHT, " "))

    def verdict(self, verdict: Verdict) -> list[CellLines]:
        check = verdict.check
        word = formatting.format_verdict(verdict, self.language)
        claim = [f"{check.name}: {self.spelled(verdict.claim)}"]
        if not check.holds:
            claim.append(f"{formatting.MEASURED.in_language(self.language)} {check.measured:.3g}")
        bound = formatting.format_tolerance(verdict, self.language, self.ascii_only)
        return [
            CellLines((word,), ("good" if check.holds else "bad",)),
            CellLines(tuple(claim), (None,) * len(claim)),
            CellLines((bound,), (None,), right=True),
            CellLines((str(check.compared),), (None,), right=True),
        ]

    def painted(self, text: str, style: str | None) -> str:
        if style is None or not self.color:
            return text
        # Only a coloured page needs these, and importing them takes longer than drawing a table.
        from rich.color import ColorSystem
        from rich.style import Style

        return Style.parse(STYLES[style]).render(text, color_system=ColorSystem.STANDARD)

    def table(self, table: Table) -> None:
        if table.caption is not None:
            for part in wrap(self.spelled(table.caption), self.width):
                self.write(part)
        header = [
            CellLines((self.spelled(column.title),), ("heading",), column.align == "right")
            for column in table.columns
        ]
        component_widths = [
            self.component_widths([row[at] for row in table.rows]) for at in range(len(header))
        ]
        rows = [
            [
                self.laid(cell, column, widths)
                for cell, column, widths in zip(row, table.columns, component_widths, strict=True)
            ]
            for row in table.rows
        ]
        columns = list(zip(header, *rows, strict=True))
        for padding in (1, 0):
            room = self.width - len(header) * (1 + 2 * padding) - 1
            widths = fit_columns(columns, room)
            if widths is not None:
                self.draw(header, rows, widths, padding)
                return
        self.stacked(header, rows)

    def component_widths(self, cells: list[Cell]) -> tuple[int, ...]:
        """How wide each component of the vectors of one column is, so that points stand aligned."""
        vectors = [
            piece.values
            for cell in cells
            for line in lines_of(cell)
            for piece in pieces_of(line)
            if isinstance(piece, Vector)
        ]
        if len({len(values) for values in vectors}) != 1:
            return ()
        lengths = [[len(formatting.six_decimals(value)) for value in row] for row in vectors]
        return tuple(map(max, zip(*lengths, strict=True)))

    def laid(self, cell: Cell, column: Column, component_widths: tuple[int, ...]) -> CellLines:
        texts, styles = [], []
        for line in lines_of(cell):
            inside = pieces_of(line)
            texts.append(
                "".join(
                    align_vector(piece.values, component_widths)
                    if isinstance(piece, Vector) and component_widths
                    else self.spelled(piece)
                    for piece in inside
                )
            )
            styles.append(next((piece.value for piece in inside if isinstance(piece, Cue)), None))
        return CellLines(tuple(texts), tuple(styles), column.align == "right")

    def draw(
        self, header: list[CellLines], rows: list[list[CellLines]], widths: list[int], padding: int
    ) -> None:
        """One table: rich's box around lines that are already as wide as their columns."""
        from rich import box as boxes  # a list of the sections has no table and need not wait

        box = boxes.ASCII if self.ascii_only else boxes.SQUARE
        laid = [level_lines(row, widths, padding) for row in rows]
        ruled = self.big or any(len(row[0]) > 1 for row in laid)
        spans = [width + 2 * padding for width in widths]
        self.write(box.get_top(spans))
        self.between_edges(level_lines(header, widths, padding), box.mid_vertical)
        self.write(box.get_row(spans, "head"))
        for at, row in enumerate(laid):
            if ruled and at:
                self.write(box.get_row(spans, "row"))
            self.between_edges(row, box.mid_vertical)
        self.write(box.get_bottom(spans))

    def between_edges(self, row: list[list[Styled]], edge: str) -> None:
        """The lines of one row of cells, each cell between two edges."""
        for line in zip(*row, strict=True):
            inside = edge.join(self.painted(text, style) for text, style in line)
            self.write(f"{edge}{inside}{edge}")

    def stacked(self, header: list[CellLines], rows: list[list[CellLines]]) -> None:
        """A table too wide for the page: a line or more for each cell, after its title."""
        for at, row in enumerate(rows):
            if at:
                self.write(("-" if self.ascii_only else "─") * min(20, self.width))
            for title, cell in zip(header, row, strict=True):
                label = f"{title.lines[0]}: " if title.lines[0] else ""
                for text, style in zip(cell.lines, cell.styles, strict=True):
                    self.hanging(label + text, style)
                    label = "  "

    def hanging(self, line: str, style: str | None) -> None:
        """A line whose continuations are indented."""
        first, *rest = wrap(line, self.width)
        self.write(first, style)
        for part in wrap(line[len(first) :].strip(), self.width - 2) if rest else ():
            self.write("  " + part, style)


def before_relations(formula: str) -> str:
    """The formula with unbreakable blanks, save before = and arrows, where a line may end."""
    return re.sub(f"{TIGHT}(=|→|->){TIGHT}", rf" \1{TIGHT}", formula.replace(" ", TIGHT))
