"""The report as one page for a browser: real tables, no script, nothing fetched from anywhere.

Everything that is said is in the text of the page; line styles, colours and pictures only add.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from rope_cli.document import formatting
from rope_cli.document.blocks import (
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
    Number,
    Paragraph,
    Picture,
    Section,
    Series,
    Table,
    Verdict,
    lines_of,
    pieces_of,
)
from rope_cli.renderers.draw_svg import figure
from rope_cli.renderers.draw_text import place
from rope_cli.renderers.style import STYLE
from rope_cli.text import Text

TITLE = Text(en="rope-report: rotary position embedding", ru="rope-report: ротационное кодирование")
CONTENTS = Text(en="Sections", ru="Разделы")
CHECKS = Text(en="Checks of this section", ru="Проверки этого раздела")
WHOLE = Text(en="Checks of the whole report", ru="Проверки всего отчёта")
SKIP = Text(en="To the report", ru="К отчёту")
TABLE = Text(en="Table", ru="Таблица")


def render(document: Document, language: str, *, width: int, ascii_only: bool, color: bool) -> str:
    """The document as a self-contained page; width and colours are the reader's."""
    page = Page(language, ascii_only)
    return "\n".join(page.lines(document)) + "\n"


class Page:
    """The language and the signs of a page."""

    def __init__(self, language: str, ascii_only: bool) -> None:
        self.language, self.ascii_only, self.pictures = language, ascii_only, 0

    def said(self, text: Text) -> str:
        """A text of the page itself."""
        return escape(self.spelled(text))

    def spelled(self, line: Line) -> str:
        """The characters of a line; unbreakable blanks stay, the browser knows them."""
        return formatting.format_line(line, self.language, self.ascii_only)

    def lines(self, document: Document) -> Iterator[str]:
        """The whole page."""
        title = self.said(document.sections[0].title) if len(document.sections) == 1 else ""
        name = self.said(TITLE)
        yield "<!doctype html>"
        yield f'<html lang="{self.language}">'
        yield '<head>\n<meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<title>{title + ' - ' if title else ''}{name}</title>"
        yield f"<style>\n{STYLE}</style>\n</head>\n<body>"
        yield f'<a class="skip" href="#report">{self.said(SKIP)}</a>'
        yield f"<header>\n<h1>{name}</h1>"
        yield from self.blocks(document.opening, TITLE)
        yield "</header>"
        if len(document.sections) > 1:
            yield from self.contents(document.sections)
        yield '<main id="report">'
        for section in document.sections:
            yield from self.section(section)
        yield "</main>\n<footer>"
        yield from self.verdicts(document.verdicts, WHOLE)
        yield from self.blocks(document.closing, TITLE)
        yield "</footer>\n</body>\n</html>"

    def contents(self, sections: Iterable[Section]) -> Iterator[str]:
        """Links to the sections."""
        yield f'<nav aria-label="{self.said(CONTENTS)}">\n<ul>'
        for section in sections:
            title = self.said(section.title)
            yield f'<li><a href="#{escape(section.slug)}">{section.number}. {title}</a></li>'
        yield "</ul>\n</nav>"

    def section(self, section: Section) -> Iterator[str]:
        """Heading, question, blocks, checks."""
        slug = escape(section.slug)
        yield f'<section id="{slug}" aria-labelledby="{slug}-title">'
        yield f'<h2 id="{slug}-title">{section.number}. {self.said(section.title)} '
        yield f'<span class="slug">{slug}</span></h2>'
        if section.question is not None:
            predict, question = self.said(formatting.PREDICT), self.said(section.question)
            yield f'<p class="question"><strong>{predict}</strong> {question}</p>'
        yield from self.blocks(section.blocks, section.title)
        yield from self.verdicts(section.verdicts, CHECKS)
        yield "</section>"

    def blocks(self, blocks: Iterable[Block], title: Text) -> Iterator[str]:
        """Every block; ``title`` names the tables that have no caption."""
        for block in blocks:
            match block:
                case Paragraph(content):
                    yield f"<p>{self.inline(content)}</p>"
                case Formula(formula):
                    yield f'<p class="formula"><code>{self.inline(formula)}</code></p>'
                case Table():
                    yield from self.table(block, title)
                case Matrix():
                    yield from self.matrix(block, title)
                case Legend(cues):
                    yield from self.legend(cues)
                case Series() | Heat() | Dials():
                    yield from self.picture(block, title)
                case Difference():
                    lines = block.drawn(self.ascii_only)
                    yield f"<pre>{escape(chr(10).join(lines))}</pre>"

    def inline(self, line: Line) -> str:
        """A line inside a cell or a paragraph; a cue is a line style and a word."""
        return "".join(
            self.cue(piece) if isinstance(piece, Cue) else escape(self.spelled(piece))
            for piece in pieces_of(line)
        )

    def cue(self, cue: Cue) -> str:
        """A cue drawn, and its word for those who do not see it."""
        word, drawn = self.said(formatting.CUE_WORDS[cue]), self.spelled(cue)
        return (
            f'<span class="cue {cue.value}"><span aria-hidden="true">{escape(drawn)}</span>'
            f'<span class="unseen">{word}</span></span>'
        )

    def legend(self, cues: Iterable[Cue]) -> Iterator[str]:
        """Each cue beside its word."""
        yield '<ul class="legend">'
        for cue in cues:
            drawn, word = escape(self.spelled(cue)), self.said(formatting.CUE_WORDS[cue])
            yield f'<li><span class="cue {cue.value}" aria-hidden="true">{drawn}</span> {word}</li>'
        yield "</ul>"

    def picture(self, picture: Picture, title: Text) -> Iterator[str]:
        """A figure; the numbers of a single curve, which stand in no other table, below it."""
        self.pictures += 1
        yield self.region(escape(self.spelled(picture.caption)))
        yield from figure(picture, self.language, self.ascii_only, f"picture-{self.pictures}")
        yield "</div>"
        if isinstance(picture, Series) and len(picture.curves) == 1:
            (curve,) = picture.curves
            columns = tuple(Column(axis, "right") for axis in picture.axes)
            points = zip(map(place, curve.xs), map(Number, curve.ys), strict=True)
            yield from self.table(Table(columns, tuple(points)), title)

    def caption(self, caption: Line | None, title: Text) -> tuple[str, str]:
        """The caption element, and the same words for the part that scrolls."""
        if caption is None:
            named = self.said(title)
            return f'<caption class="unseen">{self.said(TABLE)}: {named}</caption>', named
        shown = self.spelled(caption)
        return f"<caption>{escape(shown)}</caption>", escape(shown)

    def table(self, table: Table, title: Text) -> Iterator[str]:
        """Rows under headings."""
        caption, name = self.caption(table.caption, title)
        yield f"{self.region(name)}\n<table>"
        yield caption
        heads = "".join(
            self.head(column.title, column.align == "right") for column in table.columns
        )
        yield f"<thead><tr>{heads}</tr></thead>\n<tbody>"
        rights = [column.align == "right" for column in table.columns]
        for row in table.rows:
            cells = "".join(
                f"<td{self.side(right)}>{self.cell(cell)}</td>"
                for cell, right in zip(row, rights, strict=True)
            )
            yield f"<tr>{cells}</tr>"
        yield "</tbody>\n</table>\n</div>"

    def matrix(self, matrix: Matrix, title: Text) -> Iterator[str]:
        """Cells by row and column, both named."""
        caption, name = self.caption(matrix.caption, title)
        yield f"{self.region(name)}\n<table>"
        yield caption
        heads = "".join(self.head(one, True) for one in matrix.column_names)
        yield f"<thead><tr>{self.head(matrix.corner, False)}{heads}</tr></thead>\n<tbody>"
        for one, row in zip(matrix.row_names, matrix.cells, strict=True):
            cells = "".join(f"<td{self.side(True)}>{self.cell(cell)}</td>" for cell in row)
            yield f'<tr><th scope="row">{self.inline(one)}</th>{cells}</tr>'
        yield "</tbody>\n</table>\n</div>"

    def cell(self, cell: Cell) -> str:
        """The lines of a cell."""
        return "<br>".join(self.inline(line) for line in lines_of(cell))

    def head(self, title: Line, right: bool) -> str:
        """The head of a column; one without words names nothing and is an empty cell."""
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

    def verdicts(self, verdicts: tuple[Verdict, ...], title: Text) -> Iterator[str]:
        """The checks: verdict, name and claim, bound, number of values."""
        if not verdicts:
            return
        name = self.said(title)
        titles = (formatting.VERDICT, formatting.CLAIM, formatting.BOUND, formatting.COMPARED)
        heads = "".join(f'<th scope="col">{self.said(one)}</th>' for one in titles)
        yield f'{self.region(name)}\n<table class="checks">\n<caption>{name}</caption>'
        yield f"<thead><tr>{heads}</tr></thead>\n<tbody>"
        for verdict in verdicts:
            check = verdict.check
            word = escape(formatting.format_verdict(verdict, self.language))
            claim = f"<code>{escape(check.name)}</code>: {self.said(verdict.claim)}"
            if not check.holds:
                claim += f"<br>{self.said(formatting.MEASURED)} {check.measured:.3g}"
            bound = escape(formatting.format_tolerance(verdict, self.language, self.ascii_only))
            yield (
                f'<tr><td class="{"good" if check.holds else "bad"}">{word}</td><td>{claim}</td>'
                f'<td class="right">{bound}</td><td class="right">{check.compared}</td></tr>'
            )
        yield "</tbody>\n</table>\n</div>"
