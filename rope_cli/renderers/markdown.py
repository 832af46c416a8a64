"""The report in Markdown: headings, pipe tables, and code for formulas and differences.

Tables are those of GitHub's dialect, which most other readers know as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    TIGHT,
    Cell,
    Cue,
    Document,
    Line,
    Picture,
    Section,
    Table,
    Verdict,
    lines_of,
    pieces_of,
)
from rope_cli.renderers.draw_text import draw_picture
from rope_cli.renderers.walk import Page
from rope_cli.text import Text

# Read as markup anywhere in a line; what is markup only at its beginning: see escape_list_mark.
ALIGNMENTS = {"left": "---", "right": "---:", "mark": ":---:"}
MARKUP = re.compile(r"([\\`*_<>|&~]|(?<=\])[(:[])")


def render(document: Document, language: str, *, width: int, ascii_only: bool, colors: int) -> str:
    """The document as Markdown; lines are not wrapped, so the width plays no part."""
    page = _MarkdownPage(language, ascii_only)
    return "\n\n".join(page.document(document)) + "\n"


class _MarkdownPage(Page):
    """Every piece of the page is followed by an empty line."""

    def format(self, line: Line) -> str:
        """The characters of a line, with ordinary blanks."""
        return super().format(line).replace(TIGHT, " ")

    def inline(self, line: Line) -> str:
        """A line in which nothing is read as markup."""
        return MARKUP.sub(r"\\\1", self.format(line))

    def part(self, title: Line) -> Iterator[str]:
        yield f"# {self.inline(title)}"

    def heading(self, section: Section) -> Iterator[str]:
        yield f"## {section.number}. {self.inline(section.title)} `{section.slug}`"

    def question(self, question: Text) -> Iterator[str]:
        yield f"> **{self.inline(formatting.PREDICT)}** {self.inline(question)}"

    def paragraph(self, content: Line) -> Iterator[str]:
        yield escape_list_mark(self.inline(content))

    def formula(self, formula: str) -> Iterator[str]:
        yield "    " + self.format(formula)

    def legend(self, cues: tuple[Cue, ...]) -> Iterator[str]:
        yield " · ".join(map(self.cue, cues))

    def cue(self, cue: Cue) -> str:
        """A cue with its word, for a reader may not see the line."""
        return self.inline((cue, " ", formatting.CUE_WORDS[cue]))

    def commands(self, rows: tuple[tuple[Line, Line], ...]) -> Iterator[str]:
        yield "\n".join(
            f"- {formatting.with_colon(self.inline(purpose))} `{self.format(command)}`"
            for purpose, command in rows
        )

    def picture(self, picture: Picture) -> Iterator[str]:
        lines = draw_picture(picture, self.language, 80, self.ascii_only, captioned=False)
        yield escape_list_mark(self.inline(picture.caption))
        yield fence("text", lines)
        yield escape_list_mark(self.inline(picture.alt))

    def difference(self, lines: tuple[str, ...]) -> Iterator[str]:
        yield fence("diff", lines)

    def table(self, table: Table) -> Iterator[str]:
        if table.caption is not None:
            yield escape_list_mark(self.inline(table.caption))
        titles = [self.inline(column.title) for column in table.columns]
        alignment = [ALIGNMENTS[column.align] for column in table.columns]
        rows = [[self.cell(cell) for cell in row] for row in table.rows]
        yield "\n".join(map(pipe_row, (titles, alignment, *rows)))

    def cell(self, cell: Cell) -> str:
        """The lines of a cell."""
        return "<br>".join(
            "".join(
                self.cue(piece) if isinstance(piece, Cue) else self.inline(piece)
                for piece in pieces_of(line)
            )
            for line in lines_of(cell)
        )

    def verdicts(self, verdicts: tuple[Verdict, ...]) -> Iterator[str]:
        lines = [pipe_row(map(self.inline, formatting.VERDICT_TITLES)), "|---|---|---:|---:|"]
        for verdict in verdicts:
            check = verdict.check
            word = formatting.format_verdict(verdict, self.language)
            claim = f"`{check.name}`: {self.inline(verdict.claim)}"
            if not check.holds:
                claim += f"<br>{self.inline(formatting.format_measured(verdict, self.language))}"
            tolerance = formatting.format_tolerance(verdict, self.language, self.ascii_only)
            lines.append(
                pipe_row((word, claim, tolerance.replace(TIGHT, " "), str(check.compared)))
            )
        yield "\n".join(lines)


def pipe_row(cells: Iterable[str]) -> str:
    """One row of a pipe table."""
    return f"| {' | '.join(cells)} |"


def fence(kind: str, lines: Sequence[str]) -> str:
    """Lines as they are, between fences longer than any run of backticks in them."""
    runs = (run for line in lines for run in re.findall("`+", line))
    mark = "`" * max(3, 1 + max(map(len, runs), default=0))
    return "\n".join([mark + kind, *lines, mark])


def escape_list_mark(paragraph: str) -> str:
    """The paragraph with a backslash before a number or sign that would begin a list."""
    return re.sub(r"^(\d+)(?=[.)])|^(?=[-+=#])", r"\1\\", paragraph)
