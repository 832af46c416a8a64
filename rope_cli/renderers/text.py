"""The report for a terminal, a file or a printer: tables that never cut a number.

Every table is a :class:`rich.table.Table`. rich would shorten a number that is wider than its
column, so :mod:`rope_cli.renderers.cell_layout` settles the widths of all columns beforehand and
breaks the cells into lines; rich then draws rules, alignment and colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from typing import TYPE_CHECKING

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
from rope_cli.renderers.cell_layout import CellLines, StyledLine, align_vector, fit_columns, wrap

if TYPE_CHECKING:  # a list of the sections has no table and does not wait for rich
    from rich.console import Console, ConsoleOptions
    from rich.segment import Segment

# Wider than any line: rich shortens what is wider than its console.
CONSOLE_WIDTH = 1_000_000
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
        if style is not None and self.color:
            self.console.print(DrawnCell([(text, style)]))
        else:
            self.file.write(text + "\n")

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
            case Difference():
                for line in block.drawn(self.ascii_only):
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
        widths = fit_columns([header, *rows], self.width - 3 * 2)
        if widths is None:
            self.draw_lines(self.stack_verdicts(header, rows))
        else:
            self.draw_table(header, rows, widths, ("", "  "), ruled=False)
        self.write("\n" if self.big else "")

    def stack_verdicts(
        self, header: list[CellLines], rows: list[list[CellLines]]
    ) -> list[StyledLine]:
        """The checks on a narrow page: the claim after its verdict, then bound and values."""
        lines = []
        for word, claim, *measures in rows:
            lines += self.hang(f"{word.lines[0]}: {claim.lines[0]}", word.styles[0])
            named = zip(header[2:], measures, strict=True)
            notes = [
                *claim.lines[1:],
                *(f"{title.lines[0]}: {cell.lines[0]}" for title, cell in named),
            ]
            lines.append(("  " + ", ".join(notes).replace(TIGHT, " "), None))
        return lines

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
        for padding in (1, 0):
            room = self.width - len(header) * (1 + 2 * padding) - 1
            widths = fit_columns([header, *rows], room)
            if widths is not None:
                self.draw_table(header, rows, widths, (" " * padding, " " * padding))
                return
        self.draw_lines(self.stack_rows(header, rows))

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

    def draw_table(
        self,
        header: list[CellLines],
        rows: list[list[CellLines]],
        widths: list[int],
        margins: tuple[str, str],
        ruled: bool = True,
    ) -> None:
        """A table with columns of these widths and blanks on both sides of each cell.

        Rows are ruled off from one another if any of them needs several lines.
        """
        from rich import box
        from rich.cells import cell_len
        from rich.table import Table as RichTable

        heads, *bodies = (
            [
                DrawnCell(cell.wrap(width), cell.right, *margins)
                for cell, width in zip(row, widths, strict=True)
            ]
            for row in (header, *rows)
        )
        table = RichTable(
            box=(box.ASCII if self.ascii_only else box.SQUARE) if ruled else None,
            padding=0,  # rich would draw each cell a second time for its padding
            show_lines=self.big or any(len(cell.lines) > 1 for row in bodies for cell in row),
            header_style="",
        )
        height = max(len(head.lines) for head in heads)
        margin = len("".join(margins))
        for column, head in enumerate(heads):
            # rich counts an ideogram as two columns.
            wide = max(cell_len(text) for row in (heads, *bodies) for text, _ in row[column].lines)
            # rich would set a short heading on the rule, not at the top.
            head.lines.extend([("", None)] * (height - len(head.lines)))
            table.add_column(head, width=max(widths[column], wide) + margin)
        for row in bodies:
            table.add_row(*row)
        self.console.print(table, crop=False)

    def draw_lines(self, lines: list[StyledLine]) -> None:
        """A table of one column without rules: what becomes of a table on a narrow page."""
        from rich.cells import cell_len
        from rich.table import Table as RichTable

        table = RichTable.grid()
        table.add_column(width=max((cell_len(text) for text, _ in lines), default=1))
        for line in lines:
            table.add_row(DrawnCell([line]))
        self.console.print(table, crop=False)

    @cached_property
    def console(self) -> Console:
        """A console that asks neither the terminal nor the environment for anything."""
        from rich.console import Console

        return Console(
            file=self.file,
            width=CONSOLE_WIDTH,
            height=100,
            color_system="standard" if self.color else None,
            force_terminal=self.color,
            force_interactive=False,
            force_jupyter=False,
            no_color=not self.color,
            legacy_windows=False,
            safe_box=False,
            markup=False,
            emoji=False,
            highlight=False,
        )

    def stack_rows(self, header: list[CellLines], rows: list[list[CellLines]]) -> list[StyledLine]:
        """A table too wide for the page: a line or more for each cell, after its title."""
        lines: list[StyledLine] = []
        for at, row in enumerate(rows):
            if at:
                lines.append((("-" if self.ascii_only else "─") * min(20, self.width), None))
            for title, cell in zip(header, row, strict=True):
                label = f"{title.lines[0]}: " if title.lines[0] else ""
                for text, style in zip(cell.lines, cell.styles, strict=True):
                    lines += self.hang(label + text, style)
                    label = "  "
        return lines

    def hang(self, line: str, style: str | None) -> list[StyledLine]:
        """A line as several, all but the first indented."""
        first, *rest = wrap(line, self.width)
        indented = wrap(line[len(first) :].strip(), self.width - 2) if rest else ()
        return [(first, style), *(("  " + part, style) for part in indented)]


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """A cell as rich draws it, each line as it is: rich would read markup in a ``str``."""

    lines: list[StyledLine]
    right: bool = False
    before: str = ""
    after: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        from rich.cells import cell_len
        from rich.segment import Segment

        for text, style in self.lines:
            line = f"{self.before}{text}{self.after}"
            if self.right:
                line = " " * (options.max_width - cell_len(line)) + line
            yield Segment(line, console.get_style(STYLES[style]) if style else None)
            yield Segment.line()


def before_relations(formula: str) -> str:
    """The formula with unbreakable blanks, save before = and arrows, where a line may end."""
    return re.sub(f"{TIGHT}(=|→|->){TIGHT}", rf" \1{TIGHT}", formula.replace(" ", TIGHT))
