"""The report as one page for a browser: real tables, nothing fetched from anywhere.

Everything is in the text of the page; line styles, colours, pictures and scripts only add to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    Cell,
    Column,
    Cue,
    Document,
    Line,
    Matrix,
    Number,
    Picture,
    Section,
    Series,
    Table,
    Verdict,
    lines_of,
    pieces_of,
)
from rope_cli.renderers.draw_svg import figure
from rope_cli.renderers.draw_text import format_place
from rope_cli.renderers.page_files import fill_template
from rope_cli.renderers.walk import Page
from rope_cli.text import Text

TITLE = Text(en="rope-report: rotary position embedding", ru="rope-report: ротационное кодирование")
CONTENTS = Text(en="Sections", ru="Разделы")
SECTION_CHECKS = Text(en="Checks of this section", ru="Проверки этого раздела")
REPORT_CHECKS = Text(en="Checks of the whole report", ru="Проверки всего отчёта")
SKIP = Text(en="To the report", ru="К отчёту")
TABLE = Text(en="Table", ru="Таблица")


def render(document: Document, language: str, *, width: int, ascii_only: bool, colors: int) -> str:
    """The document as a self-contained page; width and colours are the reader's."""
    page = _HtmlPage(language, ascii_only)
    body = "\n".join(page.document(document))
    return fill_template(language, page.title(document), body)


class _HtmlPage(Page):
    """Lines of HTML."""

    def __init__(self, language: str, ascii_only: bool) -> None:
        super().__init__(language, ascii_only)
        self.section_title: Text | None = None  # names the tables that have no caption
        self.pictures = 0

    def format(self, line: Line) -> str:
        """The characters of a line, with a true minus where one is meant."""
        return formatting.format_line(line, self.language, self.ascii_only, true_minus=True)

    def words(self, line: Line) -> str:
        """The characters of a line, escaped; unbreakable blanks stay, the browser knows them."""
        return escape(self.format(line))

    def document(self, document: Document) -> Iterator[str]:
        yield f'<a class="skip" href="#report">{self.words(SKIP)}</a>'
        yield from super().document(document)

    def title(self, document: Document) -> str:
        """The title of the window, which begins with that of a section that stands alone."""
        titles = [section.title for section in document.sections]
        return " - ".join(map(self.words, [*(titles if len(titles) == 1 else ()), TITLE]))

    def opening(self, document: Document) -> Iterator[str]:
        yield f"<header>\n<h1>{self.words(TITLE)}</h1>"
        yield from super().opening(document)
        yield "</header>"
        if len(document.sections) > 1:
            yield from self.contents(document.sections)

    def contents(self, sections: Iterable[Section]) -> Iterator[str]:
        """Links to the sections."""
        yield f'<nav aria-label="{self.words(CONTENTS)}">\n<ul>'
        for section in sections:
            title = self.words(section.title)
            yield f'<li><a href="#{escape(section.slug)}">{section.number}. {title}</a></li>'
        yield "</ul>\n</nav>"

    def sections(self, document: Document) -> Iterator[str]:
        yield '<main id="report">'
        yield from super().sections(document)
        yield "</main>"

    def closing(self, document: Document) -> Iterator[str]:
        yield "<footer>"
        yield from super().closing(document)
        yield "</footer>"

    def section(self, section: Section) -> Iterator[str]:
        slug = escape(section.slug)
        self.section_title = section.title
        yield f'<section id="{slug}" aria-labelledby="{slug}-title">'
        yield from super().section(section)
        yield "</section>"
        self.section_title = None

    def part(self, title: Line) -> Iterator[str]:
        yield f'<h2 class="part">{self.words(title)}</h2>'

    def heading(self, section: Section) -> Iterator[str]:
        slug = escape(section.slug)
        yield f'<h2 id="{slug}-title">{section.number}. {self.words(section.title)} '
        yield f'<span class="slug">{slug}</span></h2>'

    def question(self, question: Text) -> Iterator[str]:
        predict = f"<strong>{self.words(formatting.PREDICT)}</strong>"
        yield f'<p class="question">{predict} {self.words(question)}</p>'

    def paragraph(self, content: Line) -> Iterator[str]:
        yield f"<p>{self.inline(content)}</p>"

    def formula(self, formula: str) -> Iterator[str]:
        minus = formula if self.ascii_only else formatting.with_formula_minus(formula)
        yield f'<p class="formula"><code>{self.inline(minus)}</code></p>'

    def difference(self, lines: tuple[str, ...]) -> Iterator[str]:
        yield "<pre>" + escape("\n".join(lines)) + "</pre>"

    def inline(self, line: Line) -> str:
        """A line inside a cell or a paragraph; a cue is a line style and a word."""
        return "".join(
            self.cue(piece) if isinstance(piece, Cue) else self.words(piece)
            for piece in pieces_of(line)
        )

    def cue(self, cue: Cue) -> str:
        """A cue, and its word for those who do not see it."""
        return (
            f'<span class="cue {cue.value}"><span aria-hidden="true">{self.words(cue)}</span>'
            f'<span class="unseen">{self.words(formatting.CUE_WORDS[cue])}</span></span>'
        )

    def legend(self, cues: tuple[Cue, ...]) -> Iterator[str]:
        yield '<ul class="legend">'
        for cue in cues:
            sign = f'<span class="cue {cue.value}" aria-hidden="true">{self.words(cue)}</span>'
            yield f"<li>{sign} {self.words(formatting.CUE_WORDS[cue])}</li>"
        yield "</ul>"

    def commands(self, rows: tuple[tuple[Line, Line], ...]) -> Iterator[str]:
        yield '<ul class="commands">'
        for purpose, command in rows:
            yield f"<li>{self.words(purpose)}: <code>{self.words(command)}</code></li>"
        yield "</ul>"

    def picture(self, picture: Picture) -> Iterator[str]:
        """A figure; the numbers of a single curve, which stand in no other table, below it."""
        self.pictures += 1
        yield self.region(self.words(picture.caption))
        yield from figure(picture, self.language, self.ascii_only, f"picture-{self.pictures}")
        yield "</div>"
        if isinstance(picture, Series) and len(picture.curves) == 1:
            (curve,) = picture.curves
            columns = tuple(Column(axis, "right") for axis in picture.axes)
            points = zip(map(format_place, curve.xs), map(Number, curve.ys), strict=True)
            yield from self.table(Table(columns, tuple(points)))

    def caption(self, caption: Line | None) -> Iterator[str]:
        """The beginning of a table; its caption also names the part that scrolls."""
        if caption is None:
            name = self.words(self.section_title or TITLE)
            element = f'<caption class="unseen">{self.words(TABLE)}: {name}</caption>'
        else:
            name = self.words(caption)
            element = f"<caption>{name}</caption>"
        yield f"{self.region(name)}\n<table>\n{element}"

    def table(self, table: Table) -> Iterator[str]:
        yield from self.caption(table.caption)
        titles = "".join(
            self.column_title(column.title, column.align == "right") for column in table.columns
        )
        yield f"<thead><tr>{titles}</tr></thead>\n<tbody>"
        for row in table.rows:
            cells = "".join(
                self.cell(cell, column.align == "right")
                for cell, column in zip(row, table.columns, strict=True)
            )
            yield f"<tr>{cells}</tr>"
        yield "</tbody>\n</table>\n</div>"

    def matrix(self, matrix: Matrix) -> Iterator[str]:
        """Cells by row and column; the names of both are headings."""
        yield from self.caption(matrix.caption)
        titles = "".join(self.column_title(name, True) for name in matrix.column_names)
        corner = self.column_title(matrix.corner, False)
        yield f"<thead><tr>{corner}{titles}</tr></thead>\n<tbody>"
        for name, row in zip(matrix.row_names, matrix.cells, strict=True):
            cells = "".join(self.cell(cell, True) for cell in row)
            yield f'<tr><th scope="row">{self.inline(name)}</th>{cells}</tr>'
        yield "</tbody>\n</table>\n</div>"

    def cell(self, cell: Cell, right: bool) -> str:
        """A cell with its lines."""
        lines = "<br>".join(self.inline(line) for line in lines_of(cell))
        return f"<td{self.side(right)}>{lines}</td>"

    def column_title(self, title: Line, right: bool) -> str:
        """The heading of a column; one without words names nothing and is an empty cell."""
        words = self.inline(title)
        tag, scope = ("th", ' scope="col"') if words else ("td", "")
        return f"<{tag}{scope}{self.side(right)}>{words}</{tag}>"

    @staticmethod
    def region(name: str) -> str:
        """The beginning of a part that scrolls by itself, with the keys as well; no landmark."""
        return f'<div class="scroll" role="group" aria-label="{name}" tabindex="0">'

    @staticmethod
    def side(right: bool) -> str:
        """The class of a cell that keeps to the right."""
        return ' class="right"' if right else ""

    def verdicts(self, verdicts: tuple[Verdict, ...]) -> Iterator[str]:
        name = self.words(SECTION_CHECKS if self.section_title else REPORT_CHECKS)
        titles = "".join(
            f'<th scope="col">{self.words(title)}</th>' for title in formatting.VERDICT_TITLES
        )
        yield f'{self.region(name)}\n<table class="checks">\n<caption>{name}</caption>'
        yield f"<thead><tr>{titles}</tr></thead>\n<tbody>"
        for verdict in verdicts:
            check = verdict.check
            word = escape(formatting.format_verdict(verdict, self.language))
            claim = f"<code>{escape(check.name)}</code>: {self.words(verdict.claim)}"
            if not check.holds:
                claim += f"<br>{escape(formatting.format_measured(verdict, self.language))}"
            tolerance = formatting.format_tolerance(verdict, self.language, self.ascii_only)
            yield (
                f'<tr><td class="{"good" if check.holds else "bad"}">{word}</td><td>{claim}</td>'
                f'<td class="right">{escape(tolerance)}</td>'
                f'<td class="right">{check.compared}</td></tr>'
            )
        yield "</tbody>\n</table>\n</div>"
