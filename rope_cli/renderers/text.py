"""The report for a terminal, a file or a printer: rich tables that never cut a number.

Every cell is laid out here, to lines that fit, before rich draws the rules around it; rich itself
would shorten a number that is wider than its column.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from io import StringIO
from itertools import chain

from rich import box
from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style
from rich.table import Table as RichTable

from rope_cli import characters
from rope_cli.characters import TIGHT_BLANK
from rope_cli.document import (
    Block,
    Cell,
    Column,
    Cue,
    Difference,
    Document,
    Formula,
    Legend,
    Line,
    Matrix,
    Paragraph,
    Section,
    Stack,
    Table,
    Vector,
    Verdict,
)

# Colour is an addition: every style here stands beside a word or a line that says the same.
HEADING = Style(bold=True)
GOOD = Style(color="green")
BAD = Style(color="red", bold=True)
CUES = {
    Cue.FAST: Style(color="blue"),
    Cue.SLOW: Style(color="yellow"),
    Cue.EQUAL: Style(bold=True),
    Cue.LATER: Style(color="cyan"),
    Cue.EARLIER: Style(color="magenta"),
}


@dataclass(frozen=True)
class Laid:
    """A cell as lines, each of which may break at its blanks, and the style of each line."""

    lines: tuple[str, ...]
    styles: tuple[Style | None, ...]
    right: bool = False

    @property
    def natural(self) -> int:
        """How wide the cell is when no line breaks."""
        return max(map(len, self.lines))

    @property
    def least(self) -> int:
        """How wide the cell must be so that no word and no number breaks."""
        return max(len(word) for line in self.lines for word in line.split(" "))

    def wrapped(self, width: int) -> list[tuple[str, Style | None]]:
        """Lines of exactly ``width`` columns, with their styles."""
        return [
            (part.rjust(width) if self.right else part.ljust(width), style)
            for line, style in zip(self.lines, self.styles, strict=True)
            for part in wrap(line, width)
        ]


@dataclass(frozen=True)
class Drawn:
    """Lines of one column of a rich row, already padded to one width."""

    lines: list[tuple[str, Style | None]] = field(default_factory=list)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style in self.lines:
            yield Segment(text, style)
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = len(self.lines[0][0])
        return Measurement(width, width)


def wrap(line: str, width: int) -> list[str]:
    """The line in parts of at most ``width`` columns, broken at blanks only.

    A vector that is wider than the page breaks between its numbers, never inside one.
    """
    if len(line) <= width:
        return [line.replace(TIGHT_BLANK, " ")]
    if any(len(word) > width for word in line.split(" ")):
        line = line.replace(TIGHT_BLANK, " ")
    parts = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
    return [part.replace(TIGHT_BLANK, " ") for part in parts] or [""]


def render(document: Document, language: str, *, width: int, ascii_only: bool, color: bool) -> str:
    """The document as text, at most ``width`` columns wide unless a number needs more."""
    page = _Page(language, width, ascii_only, color)
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

    def __init__(self, language: str, width: int, ascii_only: bool, color: bool) -> None:
        self.language, self.width, self.ascii_only, self.color = language, width, ascii_only, color
        self.box = box.ASCII if ascii_only else box.SQUARE
        self.file = StringIO()
        self.console = Console(
            file=self.file,
            width=10_000,
            height=100,
            color_system="standard" if color else None,
            force_terminal=color,
            force_interactive=False,
            force_jupyter=False,
            no_color=not color,
            legacy_windows=False,
            safe_box=False,
            markup=False,
            emoji=False,
            highlight=False,
            _environ={},
        )

    def text(self) -> str:
        """The page, no blank at any line's end, one line feed at its own."""
        lines = [line.rstrip() for line in self.file.getvalue().split("\n")]
        return "\n".join(lines).strip("\n") + "\n"

    def spelled(self, line: Line) -> str:
        return characters.spelled(line, self.language, self.ascii_only)

    def write(self, text: str = "", style: Style | None = None) -> None:
        if style is not None and self.color:
            text = style.render(text, color_system=ColorSystem.STANDARD)
        self.file.write(text + "\n")

    def section(self, section: Section) -> None:
        heading = f"{section.number}. {self.spelled(section.title)} [{section.slug}]"
        for part in wrap(heading, self.width):
            self.write(part, HEADING)
        rule = "-" if self.ascii_only else "─"
        self.write(rule * min(len(heading), self.width))
        if section.question is not None:
            self.block(Paragraph((characters.PREDICT, " ", section.question)))
        for block in section.blocks:
            self.block(block)
        self.verdicts(section.verdicts)

    def block(self, block: Block) -> None:
        match block:
            case Paragraph(content):
                for part in wrap(self.spelled(content), self.width):
                    self.write(part)
            case Formula(formula):
                for part in wrap(self.spelled(formula), self.width - 4):
                    self.write("    " + part)
            case Table():
                self.table(block)
            case Matrix():
                self.table(as_table(block))
            case Legend(cues):
                self.legend(cues)
            case Difference(lines):
                for line in lines:
                    self.write(line, {"+": GOOD, "-": BAD}.get(line[:1]))
        self.write()

    def legend(self, cues: tuple[Cue, ...]) -> None:
        words = [
            self.spelled((cue, " ", characters.CUE_WORDS[cue])).replace(" ", TIGHT_BLANK)
            for cue in cues
        ]
        for part in wrap("   ".join(words).replace("   ", " " * 3), self.width):
            self.write(part)

    def verdicts(self, verdicts: tuple[Verdict, ...]) -> None:
        """The checks as a table without rules: verdict, claim, bound, number of values."""
        if not verdicts:
            return
        titles = (characters.VERDICT, characters.CLAIM, characters.BOUND, characters.COMPARED)
        header = [Laid((self.spelled(title),), (None,), at > 1) for at, title in enumerate(titles)]
        rows = [self.verdict(verdict) for verdict in verdicts]
        columns = list(zip(header, *rows, strict=True))
        widths = fitted(columns, self.width - 3 * 2)
        if widths is None:
            self.stacked_verdicts(header, rows)
        else:
            for row in (header, *rows):
                for line in zip(*levelled(row, widths), strict=True):
                    self.write("  ".join(self.painted(text, style) for text, style in line))
        self.write()

    def stacked_verdicts(self, header: list[Laid], rows: list[list[Laid]]) -> None:
        """The checks on a narrow page: the claim after its verdict, then bound and values."""
        for word, claim, *measures in rows:
            self.hanging(f"{word.lines[0]}: {claim.lines[0]}", word.styles[0])
            named = zip(header[2:], measures, strict=True)
            noted = [
                *claim.lines[1:],
                *(f"{title.lines[0]} {cell.lines[0]}" for title, cell in named),
            ]
            self.write("  " + ", ".join(noted).replace(TIGHT_BLANK, " "))

    def verdict(self, verdict: Verdict) -> list[Laid]:
        check = verdict.check
        word = characters.spelled_verdict(verdict, self.language)
        claim = [f"{check.name}: {self.spelled(verdict.claim)}"]
        if not check.holds:
            claim.append(f"{characters.MEASURED.said_in(self.language)} {check.measured:.3g}")
        bound = characters.spelled_bound(verdict, self.language, self.ascii_only)
        return [
            Laid((word,), (GOOD if check.holds else BAD,)),
            Laid(tuple(claim), (None,) * len(claim)),
            Laid((bound,), (None,), right=True),
            Laid((str(check.compared),), (None,), right=True),
        ]

    def painted(self, text: str, style: Style | None) -> str:
        if style is None or not self.color:
            return text
        return style.render(text, color_system=ColorSystem.STANDARD)

    def table(self, table: Table) -> None:
        if table.caption is not None:
            for part in wrap(self.spelled(table.caption), self.width):
                self.write(part)
        header = [
            Laid((self.spelled(column.title),), (HEADING,), column.align == "right")
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
            widths = fitted(columns, room)
            if widths is not None:
                self.draw(header, rows, widths, padding)
                return
        self.stacked(header, rows)

    def component_widths(self, cells: list[Cell]) -> tuple[int, ...]:
        """How wide each component of the vectors of one column is, so that points stand aligned."""
        vectors = [
            piece.values for cell in cells for piece in pieces(cell) if type(piece) is Vector
        ]
        if len({len(values) for values in vectors}) != 1:
            return ()
        lengths = [[len(characters.six_decimals(value)) for value in row] for row in vectors]
        return tuple(map(max, zip(*lengths, strict=True)))

    def laid(self, cell: Cell, column: Column, component_widths: tuple[int, ...]) -> Laid:
        lines = cell.lines if isinstance(cell, Stack) else (cell,)
        texts, styles = [], []
        for line in lines:
            inside = line if isinstance(line, tuple) else (line,)
            texts.append(
                "".join(
                    aligned(piece.values, component_widths)
                    if isinstance(piece, Vector) and component_widths
                    else self.spelled(piece)
                    for piece in inside
                )
            )
            styles.append(next((CUES[piece] for piece in inside if isinstance(piece, Cue)), None))
        return Laid(tuple(texts), tuple(styles), column.align == "right")

    def draw(
        self, header: list[Laid], rows: list[list[Laid]], widths: list[int], padding: int
    ) -> None:
        """One rich table. Rows of one line go in as one rich row, which draws them faster."""
        levelled_rows = [levelled(row, widths, padding) for row in rows]
        ruled = any(len(row[0]) > 1 for row in levelled_rows)
        if not ruled:
            columns = zip(*levelled_rows, strict=True)
            levelled_rows = [[list(chain.from_iterable(column)) for column in columns]]
        table = RichTable(box=self.box, padding=0, show_lines=ruled)
        for lines in levelled(header, widths, padding):
            table.add_column(Drawn(lines), width=len(lines[0][0]), no_wrap=True)
        for row in levelled_rows:
            table.add_row(*map(Drawn, row))
        self.console.print(table, crop=False)

    def stacked(self, header: list[Laid], rows: list[list[Laid]]) -> None:
        """A table too wide for the page: every row on lines of its own, each cell after its title."""
        for at, row in enumerate(rows):
            if at:
                self.write(("-" if self.ascii_only else "─") * min(20, self.width))
            for title, cell in zip(header, row, strict=True):
                label = f"{title.lines[0]}: " if title.lines[0] else ""
                for text, style in zip(cell.lines, cell.styles, strict=True):
                    self.hanging(label + text, style)
                    label = "  "

    def hanging(self, line: str, style: Style | None) -> None:
        """A line whose continuations are indented."""
        first, *rest = wrap(line, self.width)
        self.write(first, style)
        for part in wrap(line[len(first) :].strip(), self.width - 2) if rest else ():
            self.write("  " + part, style)


def pieces(cell: Cell) -> list[object]:
    """Every piece of a cell, line by line."""
    lines = cell.lines if isinstance(cell, Stack) else (cell,)
    return [piece for line in lines for piece in (line if isinstance(line, tuple) else (line,))]


def aligned(values: tuple[float, ...], widths: tuple[int, ...]) -> str:
    """A vector whose components keep to their columns."""
    spelled = map(characters.six_decimals, values)
    inside = (text.rjust(width, TIGHT_BLANK) for text, width in zip(spelled, widths, strict=True))
    return "[" + f",{TIGHT_BLANK}".join(inside) + "]"


def as_table(matrix: Matrix) -> Table:
    """A matrix as a table whose first column holds the names of the rows."""
    columns = (Column(matrix.corner), *(Column(name, "right") for name in matrix.column_names))
    rows = tuple((name, *cells) for name, cells in zip(matrix.row_names, matrix.cells, strict=True))
    return Table(columns, rows, matrix.caption)


def fitted(columns: list[tuple[Laid, ...]], room: int) -> list[int] | None:
    """The width of each column within ``room``, or ``None`` when some word would have to break."""
    widths = [max(cell.natural for cell in column) for column in columns]
    least = [max(cell.least for cell in column) for column in columns]
    if sum(least) > room:
        return None
    # A heading gives way before the cells below it do.
    inner = [max((cell.natural for cell in column[1:]), default=0) for column in columns]
    while sum(widths) > room:
        loose = [at for at in range(len(widths)) if widths[at] > least[at]]
        widths[max(loose, key=lambda at: (widths[at] > inner[at], widths[at]))] -= 1
    return widths


def levelled(
    row: list[Laid], widths: list[int], padding: int = 0
) -> list[list[tuple[str, Style | None]]]:
    """The cells of one row, wrapped, padded and filled up to the same number of lines."""
    wrapped = [cell.wrapped(width) for cell, width in zip(row, widths, strict=True)]
    height, margin = max(map(len, wrapped)), " " * padding
    return [
        [
            (margin + text + margin, style)
            for text, style in lines + [(" " * width, None)] * (height - len(lines))
        ]
        for lines, width in zip(wrapped, widths, strict=True)
    ]
