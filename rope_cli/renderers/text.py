"""The report for a terminal, a file or a printer: tables that never cut a number.

Every table is a :class:`rich.table.Table`. rich would shorten a number that is wider than its
column, so :mod:`rope_cli.renderers.cell_layout` settles the widths of all columns beforehand and
breaks the cells into lines; rich then draws rules, alignment and colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Literal

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    TIGHT,
    Block,
    Cell,
    Column,
    Cue,
    Document,
    Line,
    Paragraph,
    Picture,
    Section,
    Table,
    Vector,
    Verdict,
    lines_of,
    pieces_of,
)
from rope_cli.renderers import Colors
from rope_cli.renderers.cell_layout import (
    CellLines,
    StyledLine,
    align_vector,
    close_up_marks,
    fit_columns,
    wrap,
)
from rope_cli.renderers.walk import Page
from rope_cli.text import Text

if TYPE_CHECKING:  # a list of the sections has no table and does not wait for rich
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

# Wider than any line: rich shortens what is wider than its console.
CONSOLE_WIDTH = 1_000_000
# Where fewer columns are left for the claims of checks, the checks are stacked.
LEAST_CLAIM = 28
COLOR_SYSTEMS: dict[int, Literal["standard", "256"] | None] = {0: None, 16: "standard", 256: "256"}
# Colour is an addition: every style here stands beside a word or a line that says the same.
WITHOUT_COLOR = {
    "name": "bold",
    "title": "bold reverse",
    "label": "bold reverse",
    "question": "bold",
    "heading": "bold",
    Cue.EQUAL.value: "bold",
}
# Each of the 256 has a contrast of 3 or more both on black and on white; of the 16, which every
# terminal paints in its own way, dark blue vanishes on black, and yellow on white.
STYLES: dict[int, dict[str, str]] = {
    16: {
        **WITHOUT_COLOR,
        "good": "green",
        "bad": "bold red",
        Cue.FAST.value: "bright_blue",
        Cue.SLOW.value: "magenta",
        Cue.LATER.value: "cyan",
        Cue.EARLIER.value: "bright_magenta",
    },
    256: {
        **WITHOUT_COLOR,
        "good": "color(28)",
        "bad": "bold color(160)",
        Cue.FAST.value: "color(33)",
        Cue.SLOW.value: "color(136)",
        Cue.LATER.value: "color(30)",
        Cue.EARLIER.value: "color(133)",
    },
}


def render(
    document: Document,
    language: str,
    *,
    width: int,
    ascii_only: bool,
    colors: Colors,
    big: bool = False,
    encoding: str = "utf-8",
) -> str:
    """The document as text, at most ``width`` columns wide unless a number needs more.

    ``big`` puts another empty line below each block and a rule between the rows of each table.
    Letters that ``encoding`` lacks become escapes before lines and columns are laid out.
    """
    page = _TextPage(language, width, ascii_only, colors, big, encoding)
    lines = [line.rstrip() for line in page.document(document)]
    return "\n".join(lines).replace(TIGHT, " ").strip("\n") + "\n"


class _TextPage(Page):
    """Lines of text, with escape codes if they are coloured."""

    def __init__(
        self,
        language: str,
        width: int,
        ascii_only: bool,
        colors: Colors,
        big: bool,
        encoding: str,
    ) -> None:
        super().__init__(language, ascii_only)
        self.width, self.colors, self.big, self.encoding = width, colors, big, encoding

    def format(self, line: Line) -> str:
        """The characters of a line, in the letters of the stream too."""
        parts = super().format(line).split(TIGHT)
        return TIGHT.join(
            part.encode(self.encoding, "backslashreplace").decode(self.encoding) for part in parts
        )

    def wrap(self, line: Line) -> list[str]:
        """A line as lines that fit the page."""
        return wrap(self.format(line), self.width)

    def block(self, block: Block) -> Iterator[str]:
        yield from super().block(block)
        yield from self.space()

    def space(self) -> list[str]:
        """The empty line, or two of them, below a block."""
        return [""] * (2 if self.big else 1)

    def opening(self, document: Document) -> Iterator[str]:
        """What stands above the sections; its first line, if it fits the page, is a heading."""
        name, *others = document.opening or (None,)
        lines = self.wrap(name.content) if isinstance(name, Paragraph) else []
        if len(lines) != 1:
            return super().opening(document)
        heading = (self.paint(line, "name") for line in lines)
        return chain(heading, self.space(), self.blocks(others))

    def part(self, title: Line) -> Iterator[str]:
        text = self.format(title)
        for line in wrap(text, self.width):
            yield self.paint(line, "heading")
        yield ("=" if self.ascii_only else "═") * min(len(text), self.width)
        yield from self.space()

    def heading(self, section: Section) -> Iterator[str]:
        heading = f"{section.number}. {self.format(section.title)} [{section.slug}]"
        for part in wrap(heading, self.width):
            yield self.paint(part, "title")
        yield self.rule(len(heading))

    def rule(self, length: int) -> str:
        """A horizontal rule, as long as the page is wide at most."""
        return ("-" if self.ascii_only else "─") * min(length, self.width)

    def question(self, question: Text) -> Iterator[str]:
        label = self.format(formatting.PREDICT)
        first, *others = self.wrap((formatting.PREDICT, " ", question))
        yield self.paint(label, "label") + self.paint(first.removeprefix(label), "question")
        for line in others:
            yield self.paint(line, "question")
        yield from self.space()

    def paragraph(self, content: Line) -> Iterator[str]:
        yield from self.wrap(content)

    def formula(self, formula: str) -> Iterator[str]:
        room = self.width - 4
        for part in wrap(break_formula(self.format(formula), room), room):
            yield "    " + part

    def legend(self, cues: tuple[Cue, ...]) -> Iterator[str]:
        """Each cue in its own colour."""
        gap, remaining = "   ", iter(cues)
        words = [self.format((cue, " ", formatting.CUE_WORDS[cue])) for cue in cues]
        for line in wrap(gap.join(word.replace(" ", TIGHT) for word in words), self.width):
            yield gap.join(self.paint(word, next(remaining).value) for word in line.split(gap))

    def commands(self, rows: tuple[tuple[Line, Line], ...]) -> Iterator[str]:
        """Purposes and commands in two columns; on a narrow page each command has its own line."""
        cells = [
            (formatting.with_colon(self.format(purpose)), self.format(command))
            for purpose, command in rows
        ]
        column = max(len(purpose) for purpose, _ in cells) + 2
        if column + max(len(command) for _, command in cells) <= self.width:
            yield from (purpose.ljust(column) + command for purpose, command in cells)
            return
        for purpose, command in cells:
            yield from wrap(purpose, self.width)
            yield from (f"  {line}" for line in wrap(command, self.width - 2))

    def picture(self, picture: Picture) -> Iterator[str]:
        from rope_cli.renderers.draw_text import draw_picture

        yield from draw_picture(picture, self.language, self.width, self.ascii_only)

    def difference(self, lines: tuple[str, ...]) -> Iterator[str]:
        for line in lines:
            yield self.paint(line, {"+": "good", "-": "bad"}.get(line[:1]))

    def verdicts(self, verdicts: tuple[Verdict, ...]) -> Iterator[str]:
        """A table of verdict, claim, tolerance and number of values."""
        header = [
            CellLines(((self.format(title), "heading"),), right=column > 1)
            for column, title in enumerate(formatting.VERDICT_TITLES)
        ]
        rows = [self.verdict_cells(verdict) for verdict in verdicts]
        widths = fit_columns([header, *rows], self.room_for(len(header)))
        longest_claim = max(row[1].full_width for row in rows)
        if widths is None or widths[1] < min(LEAST_CLAIM, longest_claim):
            yield from self.draw_lines(self.stack_verdicts(header, rows))
        else:
            yield from self.draw_table(header, rows, widths, ruled=False)
        yield from self.space()

    def verdict_cells(self, verdict: Verdict) -> list[CellLines]:
        """One row of the table of checks; a failed check also shows what it measured."""
        check = verdict.check
        word = formatting.format_verdict(verdict, self.language)
        claim: list[StyledLine] = [(f"{check.name}: {self.format(verdict.claim)}", None)]
        if not check.holds:
            claim.append((formatting.format_measured(verdict, self.language), None))
        tolerance = formatting.format_tolerance(verdict, self.language, self.ascii_only)
        return [
            CellLines(((word, "good" if check.holds else "bad"),)),
            CellLines(tuple(claim)),
            CellLines(((tolerance, None),), right=True),
            CellLines(((str(check.compared), None),), right=True),
        ]

    def stack_verdicts(
        self, header: list[CellLines], rows: list[list[CellLines]]
    ) -> Iterator[StyledLine]:
        """The checks on a narrow page: the claim after its verdict, then tolerance and values."""
        titles = [title for ((title, _),), _ in header]
        for word, claim, tolerance, compared in rows:
            (claim_text, _), *measured = claim.lines
            ((word_text, style),) = word.lines
            yield from self.hang(f"{word_text}: {claim_text}", style)
            notes = [
                *(text for text, _ in measured),
                f"{titles[2]}: {tolerance.lines[0][0]}",
                f"{titles[3]}: {compared.lines[0][0]}",
            ]
            for line in wrap(", ".join(notes), self.width - 2):
                yield "  " + line.replace(TIGHT, " "), None

    def table(self, table: Table) -> Iterator[str]:
        if table.caption is not None:
            yield from self.wrap(table.caption)
        table = close_up_marks(table)
        header = [
            CellLines(((self.format(column.title), "heading"),), column.align == "right")
            for column in table.columns
        ]
        vector_widths = [
            component_widths(row[column] for row in table.rows) for column in range(len(header))
        ]
        rows = [
            [
                self.cell_lines(cell, column, widths)
                for cell, column, widths in zip(row, table.columns, vector_widths, strict=True)
            ]
            for row in table.rows
        ]
        widths = fit_columns([header, *rows], self.room_for(len(header)))
        if widths is None:
            yield from self.draw_lines(self.stack_rows(header, rows))
        else:
            yield from self.draw_table(header, rows, widths)

    def room_for(self, columns: int) -> int:
        """How much of the width is left for cells beside rules and padding."""
        return self.width - columns * 3 - 1

    def cell_lines(self, cell: Cell, column: Column, vector_widths: tuple[int, ...]) -> CellLines:
        """The lines of a cell, each in the style of its cue, with its vectors aligned."""
        lines = []
        for line in lines_of(cell):
            pieces = pieces_of(line)
            texts = [
                align_vector(piece.values, vector_widths)
                if isinstance(piece, Vector) and vector_widths
                else self.format(piece)
                for piece in pieces
            ]
            style = next((piece.value for piece in pieces if isinstance(piece, Cue)), None)
            lines.append(("".join(texts), style))
        return CellLines(tuple(lines), column.align == "right")

    def stack_rows(
        self, header: list[CellLines], rows: list[list[CellLines]]
    ) -> Iterator[StyledLine]:
        """A table too wide for the page: a line or more for each cell, after its title."""
        titles = [f"{title}: " if title else "" for ((title, _),), _ in header]
        for index, row in enumerate(rows):
            if index:
                yield self.rule(20), None
            for title, cell in zip(titles, row, strict=True):
                (first, style), *others = cell.lines
                yield from self.hang(title + first, style)
                for text, style in others:
                    yield from self.hang("  " + text, style)

    def hang(self, line: str, style: str | None) -> Iterator[StyledLine]:
        """A line as several that fit the page, all but the first indented."""
        first, *others = wrap(line, self.width)
        yield first, style
        if others:
            for part in wrap(line[len(first) :].strip(), self.width - 2):
                yield "  " + part, style

    def draw_table(
        self,
        header: list[CellLines],
        rows: list[list[CellLines]],
        widths: list[int],
        ruled: bool = True,
    ) -> Iterator[str]:
        """A table with columns of these widths.

        Rows are ruled off from one another if ``ruled`` and any of them needs several lines.
        """
        from rich import box
        from rich.table import Table as RichTable

        titles, *bodies = (
            [
                DrawnCell(cell.wrap(width), cell.right, padding=" ")
                for cell, width in zip(row, widths, strict=True)
            ]
            for row in (header, *rows)
        )
        several = any(len(cell.lines) > 1 for row in bodies for cell in row)
        table = RichTable(
            box=box.ASCII if self.ascii_only else box.SQUARE,
            padding=0,  # rich would draw each cell a second time for its padding
            show_lines=self.big or (ruled and several),
            header_style="",
        )
        height = max(len(title.lines) for title in titles)
        for width, title, *cells in zip(widths, titles, *bodies, strict=True):
            # rich would set a short title on the rule, not at the top.
            title.lines.extend([("", None)] * (height - len(title.lines)))
            width = max(width, widest_line([title, *cells]))
            table.add_column(title, width=width + 2)
        for row in bodies:
            table.add_row(*row)
        return self.draw(table)

    def draw_lines(self, lines: Iterable[StyledLine]) -> Iterator[str]:
        """A table of one column without rules: what becomes of a table on a narrow page."""
        from rich.table import Table as RichTable

        cells = [DrawnCell([line]) for line in lines]
        table = RichTable.grid()
        table.add_column(width=widest_line(cells))
        for cell in cells:
            table.add_row(cell)
        return self.draw(table)

    def paint(self, text: str, style: str | None) -> str:
        """The text in a style, if the page is coloured."""
        if not text or style is None or not self.colors:
            return text
        return "".join(self.draw(DrawnCell([(text, style)])))

    def draw(self, renderable: RenderableType) -> Iterator[str]:
        """The lines that rich prints."""
        with self.console.capture() as capture:
            self.console.print(renderable, crop=False)
        yield from capture.get().split("\n")[:-1]

    @cached_property
    def console(self) -> Console:
        """A console that asks neither the terminal nor the environment for anything."""
        from rich.console import Console
        from rich.theme import Theme

        return Console(
            theme=Theme(STYLES[self.colors or 16], inherit=False),
            file=StringIO(),
            width=CONSOLE_WIDTH,
            height=100,
            color_system=COLOR_SYSTEMS[self.colors],
            force_terminal=bool(self.colors),
            force_interactive=False,
            force_jupyter=False,
            no_color=not self.colors,
            legacy_windows=False,
            safe_box=False,
            markup=False,
            emoji=False,
            highlight=False,
        )


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """A cell as rich draws it, each line as it is: rich would read markup in a ``str``."""

    lines: list[StyledLine]
    right: bool = False
    padding: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        from rich.cells import cell_len
        from rich.segment import Segment

        for text, style in self.lines:
            line = f"{self.padding}{text}{self.padding}"
            if self.right:
                line = " " * (options.max_width - cell_len(line)) + line
            yield Segment(line, console.get_style(style) if style else None)
            yield Segment.line()


def widest_line(cells: Iterable[DrawnCell]) -> int:
    """How many columns the widest line takes on a terminal, where an ideogram takes two."""
    from rich.cells import cell_len

    return max((cell_len(text) for cell in cells for text, _ in cell.lines), default=1)


def component_widths(cells: Iterable[Cell]) -> tuple[int, ...]:
    """How wide each component of the vectors of a column is, so that their points are aligned.

    Empty if there are no vectors or they differ in length.
    """
    pieces = (piece for cell in cells for line in lines_of(cell) for piece in pieces_of(line))
    vectors = [piece.values for piece in pieces if isinstance(piece, Vector)]
    if len({len(values) for values in vectors}) != 1:
        return ()
    lengths = [[len(formatting.six_decimals(value)) for value in values] for values in vectors]
    return tuple(map(max, zip(*lengths, strict=True)))


def break_formula(formula: str, room: int) -> str:
    """The formula with unbreakable blanks but those where a line may end.

    It may end before =, ≤ and arrows; in a part that is wider than ``room`` also before the terms
    of a sum and between the rows of a matrix, and at last between factors.
    """
    parts = re.split(r"(?<!  \w) (?=(?:[=≤→]|<=|->) )", formula.replace(TIGHT, " "))
    return " ".join(break_part(part, room) for part in parts)


def break_part(part: str, room: int) -> str:
    """A part of a formula, with as few breakable blanks as ``room`` needs."""
    bars = accumulate(sign == "|" for sign in part)
    brackets = accumulate((sign in "([") - (sign in ")]") for sign in part)
    depths = [bracket + bar % 2 for bracket, bar in zip(brackets, bars, strict=True)]
    blanks = [index for index, sign in enumerate(part) if sign == " "]
    commas = [index for index in blanks if part[index - 1] == ","]
    outer = min((depths[index] for index in commas), default=0)
    terms = [i for i in blanks if depths[i] == 0 and part[i + 1 : i + 3] in ("+ ", "- ")]
    factors = [
        i for i in blanks if depths[i] == 0 and not re.search(r"(?:[=+-]|sin|cos)$", part[:i])
    ]
    rows = [index for index in commas if depths[index] == outer]
    for breakable in ([], [*terms, *rows], [*terms, *rows, *factors]):
        signs = list(part.replace(" ", TIGHT))
        for index in breakable:
            signs[index] = " "
        broken = "".join(signs)
        if all(len(word) <= room for word in broken.split(" ")):
            break
    return broken
