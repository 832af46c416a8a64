"""The report as one page for a browser: real tables, nothing fetched from anywhere.

Everything is in the text of the page; line styles, colours, pictures and scripts only add to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    Paragraph,
    Phrase,
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
from rope_cli.renderers.html_exercises import exercise_lines, progress_lines, workbook_data
from rope_cli.renderers.html_tools import (
    EXPLORABLE,
    explorable,
    presentation,
    presentation_button,
)
from rope_cli.renderers.mathml import as_mathml
from rope_cli.renderers.page_files import fill_template
from rope_cli.renderers.walk import Page
from rope_cli.text import Text

TITLE = Text(
    en="rope-report: rotary position embedding",
    ru="rope-report: ротационное позиционное кодирование",
)
CONTENTS = Text(en="Sections", ru="Разделы")
SECTION_CHECKS = Text(en="Checks of this section", ru="Проверки этого раздела")
REPORT_CHECKS = Text(en="Checks of the whole report", ru="Проверки всего отчёта")
REVEAL = Text(en="Show what comes out, and why", ru="Показать, что получается и почему")
HELD = Text(en="Checks that hold: {held} of {total}", ru="Пройдено проверок: {held} из {total}")
PREVIOUS = Text(en="Previous: {title}", ru="Назад: {title}")
NEXT = Text(en="Next: {title}", ru="Дальше: {title}")
TO_CONTENTS = Text(en="Contents", ru="К списку разделов")
PRINT = Text(en="Print", ru="Напечатать")
PRINT_QUESTIONS = Text(en="Print only the questions", ru="Напечатать только вопросы")
SKIP = Text(en="To the report", ru="К отчёту")
TABLE = Text(en="Table", ru="Таблица")
# What a narrow screen has room for, in letters: all columns of a table with their edges, and a cell
# of a table of more than two columns.
PHONE, EDGES, LONGEST_CELL = 36.0, 1.6, 60
WRITING_LINE = "____"  # in a paragraph where an answer is written by hand
PREPRINT = re.compile(r"arXiv[:\s]([0-9]{4}\.[0-9]{4,5})(?![0-9])")


def render(
    document: Document,
    language: str,
    *,
    width: int,
    ascii_only: bool,
    colors: int,
    unfolded: bool = False,
) -> str:
    """The document as a self-contained page; width and colours are the reader's.

    ``unfolded`` opens everything that would be folded.
    """
    page = _HtmlPage(document, language, ascii_only, unfolded)
    body = "\n".join(page.document(document))
    return fill_template(language, page.title(document), body)


def asks_questions(document: Document) -> bool:
    """Whether the document has questions and answers, which can be shown screen by screen."""
    return any(section.question for section in document.sections)


class _HtmlPage(Page):
    """Lines of HTML."""

    draws = True

    def __init__(self, document: Document, language: str, ascii_only: bool, unfolded: bool) -> None:
        super().__init__(language, ascii_only)
        self.workbook = document.workbook
        self.order = document.sections
        self.opened = " open" if unfolded else ""
        self.section_title: Text | None = None  # names the tables that have no caption
        self.pictures = 0
        # What may stand alone in a cell to name a section of this page.
        self.slugs = {section.slug for section in document.sections}

    def format(self, line: Line) -> str:
        """The characters of a line, with a true minus where one is meant."""
        return formatting.format_line(line, self.language, self.ascii_only, true_minus=True)

    def words(self, line: Line) -> str:
        """The characters of a line, escaped; unbreakable blanks stay, the browser knows them."""
        return escape(self.format(line))

    def document(self, document: Document) -> Iterator[str]:
        yield f'<a class="skip" href="#report">{self.words(SKIP)}</a>'
        yield from super().document(document)
        if self.workbook is not None and self.workbook.exercises:
            yield from progress_lines(self.words)
            yield workbook_data(self.workbook, self.format)
        if asks_questions(document):
            yield presentation(self.format)

    def title(self, document: Document) -> str:
        """The title of the window, which begins with that of a section that stands alone."""
        titles = [section.title for section in document.sections]
        return " - ".join(map(self.words, [*(titles if len(titles) == 1 else ()), TITLE]))

    def opening(self, document: Document) -> Iterator[str]:
        yield f'<header>\n<h1 id="top">{self.words(TITLE)}</h1>'
        if asks_questions(document):
            yield from self.tools()
        yield from super().opening(document)
        yield "</header>"
        if len(document.sections) > 1:
            yield from self.contents(document)

    def tools(self) -> Iterator[str]:
        """Buttons, which only the script shows."""
        yield '<p class="tools" hidden>'
        yield presentation_button(self.format)
        yield f'<button type="button" class="print">{self.words(PRINT)}</button>'
        if self.workbook is not None:
            name = self.words(PRINT_QUESTIONS)
            yield f'<button type="button" class="print questions">{name}</button>'
        yield "</p>"

    def contents(self, document: Document) -> Iterator[str]:
        """Links to the sections; a sheet without questions to answer here has none on paper."""
        name = self.words(CONTENTS)
        kind = "" if asks_questions(document) else ' class="screen-only"'
        yield f'<nav{kind} aria-label="{name}" id="contents">'
        yield f"<details open><summary>{name}</summary>"
        yield "<ul>"
        if document.explorable:
            yield f'<li><a href="#explore">{self.words(EXPLORABLE["title"])}</a></li>'
        for section in document.sections:
            if section.part is not None:
                yield f'<li class="part">{self.words(section.part)}</li>'
            title = self.words(section.title)
            yield f'<li><a href="#{escape(section.slug)}">{section.number}. {title}</a></li>'
        yield "</ul>\n</details>\n</nav>"

    def sections(self, document: Document) -> Iterator[str]:
        yield '<main id="report">'
        if document.explorable:
            yield explorable(self.format, document.explorable)
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
        yield from self.heading(section)
        if section.question is not None:
            yield from self.question(section.question)
        if self.workbook is None or section.question is None:
            yield from self.shown(section)
        else:
            if exercises := self.workbook.exercises.get(section.slug, ()):
                yield '<div class="exercises">'
                for exercise in exercises:
                    yield from exercise_lines(exercise, self.words, self.opened)
                yield "</div>"
            opened = self.opened if section.holds else " open"
            yield f'<details class="reveal"{opened}><summary>{self.words(REVEAL)}</summary>'
            yield from self.shown(section)
            yield "</details>"
        yield from self.steps(section)
        yield "</section>"
        self.section_title = None

    def shown(self, section: Section) -> Iterator[str]:
        """What a section shows, and its checks; a question on paper stays with its line."""
        together: list[str] = []
        for block in section.blocks:
            together += self.blocks((block,))
            if isinstance(block, Paragraph) and WRITING_LINE in self.words(block.content):
                yield from ('<div class="together">', *together, "</div>")
                together = []
        yield from together
        if section.verdicts:
            yield from self.verdicts(section.verdicts)

    def steps(self, section: Section) -> Iterator[str]:
        """Links to the sections before and after, and to the list of all."""
        if len(self.order) < 2:
            return
        place = self.order.index(section)
        links = []
        if place > 0:
            links.append(self.step(PREVIOUS, self.order[place - 1]))
        links.append(f'<a href="#contents">{self.words(TO_CONTENTS)}</a>')
        if place + 1 < len(self.order):
            links.append(self.step(NEXT, self.order[place + 1]))
        yield f'<p class="steps">{" ".join(links)}</p>'

    def step(self, words: Text, section: Section) -> str:
        """A link to a section."""
        title = self.words(Phrase(words, {"title": section.title}))
        return f'<a href="#{escape(section.slug)}">{title}</a>'

    def part(self, title: Line) -> Iterator[str]:
        yield f'<h2 class="part">{self.words(title)}</h2>'

    def heading(self, section: Section) -> Iterator[str]:
        slug = escape(section.slug)
        yield f'<h2 id="{slug}-title">{section.number}. {self.words(section.title)} '
        yield f'<a class="slug" href="#{slug}">{slug}</a></h2>'

    def question(self, question: Text) -> Iterator[str]:
        predict = f"<strong>{self.words(formatting.PREDICT)}</strong>"
        yield f'<p class="question">{predict} {self.words(question)}</p>'

    def paragraph(self, content: Line) -> Iterator[str]:
        yield f"<p>{self.inline(content)}</p>"

    def formula(self, formula: str) -> Iterator[str]:
        if self.ascii_only:
            yield f'<p class="formula"><code>{self.inline(formula)}</code></p>'
            return
        plain = self.inline(formatting.with_formula_minus(formula))
        yield f'<p class="formula">{as_mathml(formula)} <code class="plain">{plain}</code></p>'

    def difference(self, lines: tuple[str, ...]) -> Iterator[str]:
        yield "<pre>" + escape("\n".join(lines)) + "</pre>"

    def inline(self, line: Line) -> str:
        """A line inside a cell or a paragraph; a cue is a line style and a word."""
        shown = "".join(
            self.cue(piece) if isinstance(piece, Cue) else self.words(piece)
            for piece in pieces_of(line)
        )
        return PREPRINT.sub(r'<a href="https://arxiv.org/abs/\1">\g<0></a>', shown)

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
            introduced = formatting.with_colon(self.words(purpose))
            yield f"<li>{introduced} <code>{self.words(command)}</code></li>"
        yield "</ul>"

    def picture(self, picture: Picture) -> Iterator[str]:
        """A figure; the numbers of a single curve, which stand in no other table, below it."""
        self.pictures += 1
        yield from figure(picture, self.language, self.ascii_only, f"picture-{self.pictures}")
        if isinstance(picture, Series) and len(picture.curves) == 1 and not picture.graphical:
            (curve,) = picture.curves
            columns = tuple(Column(axis, "right") for axis in picture.axes)
            points = zip(map(format_place, curve.xs), map(Number, curve.ys), strict=True)
            yield from self.table(Table(columns, tuple(points)))

    def caption(self, caption: Line | None, kind: str = "") -> Iterator[str]:
        """The beginning of a table; its caption also names the part that scrolls."""
        if caption is None:
            name = self.words(self.section_title or TITLE)
            element = f'<caption class="unseen">{self.words(TABLE)}: {name}</caption>'
        else:
            name = self.words(caption).rstrip(":")
            element = f"<caption>{name}</caption>"
        yield f"{self.region(name)}\n<table{kind}>\n{element}"

    def table(self, table: Table) -> Iterator[str]:
        marks = any(column.align == "mark" for column in table.columns)
        as_cards = not marks and not self.fits_phone(table)
        kinds = ["marks"] * marks + ["cards"] * as_cards + ["single"] * (len(table.rows) == 1)
        yield from self.caption(table.caption, f' class="{" ".join(kinds)}"' if kinds else "")
        titles = "".join(
            self.column_title(column.title, column.align == "right") for column in table.columns
        )
        yield f"<thead><tr>{titles}</tr></thead>\n<tbody>"
        labels = [self.words(column.title) if as_cards else "" for column in table.columns]
        for row in table.rows:
            cells = "".join(
                self.cell(cell, column.align == "right", label)
                for cell, column, label in zip(row, table.columns, labels, strict=True)
            )
            yield f"<tr>{cells}</tr>"
        yield "</tbody>\n</table>\n</div>"

    def fits_phone(self, table: Table) -> bool:
        """Whether a narrow screen has room for the table, without long cells side by side."""
        letters = EDGES * len(table.columns)
        for column, cells in zip(table.columns, zip(*table.rows, strict=True), strict=False):
            texts = [
                self.format(line) for cell in (column.title, *cells) for line in lines_of(cell)
            ]
            if len(table.columns) > 2 and max(map(len, texts)) > LONGEST_CELL:
                return False
            letters += max(len(word) for text in texts for word in (text or "-").split(" "))
        return letters <= PHONE

    def matrix(self, matrix: Matrix) -> Iterator[str]:
        """Cells by row and column; the names of both are headings."""
        yield from self.caption(matrix.caption, ' class="matrix"')
        titles = "".join(self.column_title(name, True) for name in matrix.column_names)
        corner = self.column_title(matrix.corner, False)
        yield f"<thead><tr>{corner}{titles}</tr></thead>\n<tbody>"
        for name, row in zip(matrix.row_names, matrix.cells, strict=True):
            cells = "".join(self.cell(cell, True) for cell in row)
            yield f'<tr><th scope="row">{self.inline(name)}</th>{cells}</tr>'
        yield "</tbody>\n</table>\n</div>"

    def cell(self, cell: Cell, right: bool, label: str = "") -> str:
        """A cell with its lines, which may name a section; ``label`` names it on a card."""
        if isinstance(cell, str) and cell in self.slugs:
            content = f'<a href="#{cell}">{cell}</a>'
        else:
            content = "<br>".join(self.inline(line) for line in lines_of(cell))
        named = f' data-label="{label}"' if label else ""
        return f"<td{self.side(right)}{named}>{content}</td>"

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
        """One line that says how many hold, and folded the checks; one that fails unfolds them."""
        name = self.words(SECTION_CHECKS if self.section_title else REPORT_CHECKS)
        held = sum(verdict.check.holds for verdict in verdicts)
        all_hold = held == len(verdicts)
        opened = self.opened if all_hold else " open"
        yield f'<details class="checks"{opened}><summary class="{"good" if all_hold else "bad"}">'
        yield f"{self.words(Phrase(HELD, {'held': held, 'total': len(verdicts)}))}</summary>"
        titles = "".join(
            f'<th scope="col">{self.words(title)}</th>' for title in formatting.VERDICT_TITLES
        )
        yield f'{self.region(name)}\n<table class="checks cards">\n<caption>{name}</caption>'
        yield f"<thead><tr>{titles}</tr></thead>\n<tbody>"
        *_, tolerance, values = map(self.words, formatting.VERDICT_TITLES)
        labels = ["", "", f' data-label="{tolerance}"', f' data-label="{values}"']
        for verdict in verdicts:
            yield self.verdict(verdict, labels)
        yield "</tbody>\n</table>\n</div>\n</details>"

    def verdict(self, verdict: Verdict, labels: list[str]) -> str:
        """The row of a check; ``labels`` name its numbers on a card."""
        check = verdict.check
        word = escape(formatting.format_verdict(verdict, self.language))
        claim = f"<code>{escape(check.name)}</code>: {self.words(verdict.claim)}"
        if not check.holds:
            claim += f"<br>{escape(formatting.format_measured(verdict, self.language))}"
        tolerance = formatting.format_tolerance(verdict, self.language, self.ascii_only)
        kinds = ("good" if check.holds else "bad", "", "right", "right")
        contents = (word, claim, escape(tolerance), str(check.compared))
        cells = (
            f'<td class="{kind}"{label}>{content}</td>'
            for kind, label, content in zip(kinds, labels, contents, strict=True)
        )
        return f"<tr>{''.join(cells)}</tr>"
