"""The walk through a document that every format for people shares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    PICTURES,
    Block,
    Commands,
    Cue,
    Difference,
    Document,
    Formula,
    Legend,
    Line,
    Matrix,
    Paragraph,
    Picture,
    Section,
    Table,
    Verdict,
    as_table,
)
from rope_cli.text import Text


class Page(ABC):
    """A document in the order in which it is printed; a format says what becomes of each block.

    Every method yields text that the format joins in its own way. A format that ``draws`` shows
    pictures that characters would draw badly.
    """

    draws = False

    def __init__(self, language: str, ascii_only: bool) -> None:
        self.language, self.ascii_only = language, ascii_only

    def format(self, line: Line) -> str:
        """The characters of a line in the language and signs of the page."""
        return formatting.format_line(line, self.language, self.ascii_only)

    def document(self, document: Document) -> Iterator[str]:
        """The whole document."""
        yield from self.opening(document)
        yield from self.sections(document)
        yield from self.closing(document)

    def opening(self, document: Document) -> Iterator[str]:
        """What stands above the sections."""
        return self.blocks(document.opening)

    def sections(self, document: Document) -> Iterator[str]:
        """Every section."""
        for section in document.sections:
            if section.part is not None:
                yield from self.part(section.part)
            yield from self.section(section)

    def closing(self, document: Document) -> Iterator[str]:
        """The checks of the whole document and what stands below them."""
        if document.verdicts:
            if document.verdicts_caption is not None:
                yield from self.block(Paragraph(document.verdicts_caption))
            yield from self.verdicts(document.verdicts)
        yield from self.blocks(document.closing)

    def section(self, section: Section) -> Iterator[str]:
        """Heading, question, blocks, checks."""
        yield from self.heading(section)
        if section.question is not None:
            yield from self.question(section.question)
        yield from self.blocks(section.blocks)
        if section.verdicts:
            yield from self.verdicts(section.verdicts)

    def blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Blocks, one below the other."""
        for block in blocks:
            if self.draws or not (isinstance(block, PICTURES) and block.graphical):
                yield from self.block(block)

    def block(self, block: Block) -> Iterator[str]:
        """One block."""
        match block:
            case Paragraph(content):
                return self.paragraph(content)
            case Formula(formula):
                return self.formula(formula)
            case Table():
                return self.table(block)
            case Matrix():
                return self.matrix(block)
            case Legend(cues):
                return self.legend(cues)
            case Commands(rows):
                return self.commands(rows)
            case Difference():
                return self.difference(block.drawn(self.ascii_only))
            case _:
                return self.picture(block)

    @abstractmethod
    def part(self, title: Line) -> Iterator[str]:
        """The title of a part of the report, above its first section."""

    @abstractmethod
    def heading(self, section: Section) -> Iterator[str]:
        """Number, title and slug of a section."""

    @abstractmethod
    def question(self, question: Text) -> Iterator[str]:
        """The question that a section begins with."""

    @abstractmethod
    def paragraph(self, content: Line) -> Iterator[str]:
        """Prose."""

    @abstractmethod
    def formula(self, formula: str) -> Iterator[str]:
        """A formula on a line of its own."""

    @abstractmethod
    def table(self, table: Table) -> Iterator[str]:
        """Rows under headings."""

    def matrix(self, matrix: Matrix) -> Iterator[str]:
        """Cells by row and column; the names of the rows are a column like the others."""
        return self.table(as_table(matrix))

    @abstractmethod
    def legend(self, cues: tuple[Cue, ...]) -> Iterator[str]:
        """Each cue beside its word."""

    @abstractmethod
    def commands(self, rows: tuple[tuple[Line, Line], ...]) -> Iterator[str]:
        """What to run next: each purpose with its command."""

    @abstractmethod
    def picture(self, picture: Picture) -> Iterator[str]:
        """A picture with its caption."""

    @abstractmethod
    def difference(self, lines: tuple[str, ...]) -> Iterator[str]:
        """Lines of a unified diff."""

    @abstractmethod
    def verdicts(self, verdicts: tuple[Verdict, ...]) -> Iterator[str]:
        """A table of checks: verdict, claim, tolerance, number of values."""
