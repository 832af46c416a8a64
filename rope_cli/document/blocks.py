"""The report as data, without a format, a language or a width.

:mod:`rope_cli.document.formatting` turns numbers into characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rope_cli.document.check import Check
from rope_cli.text import Text

if TYPE_CHECKING:
    from rope_cli.document.exercise import Start, Workbook

# A blank at which no line breaks; renderers print it as a plain blank.
TIGHT = "\u00a0"


class Cue(Enum):
    """The five cues of the report; each has a line, an ASCII form and a word."""

    FAST = "fast"
    SLOW = "slow"
    EQUAL = "equal"
    LATER = "later"
    EARLIER = "earlier"


@dataclass(frozen=True, slots=True)
class Number:
    """A real number, shown with six decimals."""

    value: float


@dataclass(frozen=True, slots=True)
class Significant:
    """A real number of any size, shown with nine significant digits: 1.24093776e-06."""

    value: float


@dataclass(frozen=True, slots=True)
class Signed:
    """A whole number that always shows its sign, as n-m does."""

    value: int


@dataclass(frozen=True, slots=True)
class Short:
    """A tolerance, a base or a step, shown as briefly as possible: 1e-12 or 100."""

    value: float


@dataclass(frozen=True, slots=True)
class Vector:
    """Real numbers in brackets; ``short`` is for rows typed by hand: [1, 2, -0.5, 0.75]."""

    values: tuple[float, ...]
    short: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence whose placeholders are filled by pieces."""

    text: Text
    values: Mapping[str, Piece]


Piece: TypeAlias = (
    "str | int | Text | Number | Significant | Signed | Short | Vector | Phrase | Cue"
)
Line: TypeAlias = "Piece | tuple[Piece, ...]"


@dataclass(frozen=True, slots=True)
class Stack:
    """Several lines in one cell."""

    lines: tuple[Line, ...]


Cell: TypeAlias = "Line | Stack"
Rows: TypeAlias = "tuple[tuple[Cell, ...], ...]"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Prose, wrapped to the width at hand."""

    content: Line


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula on a line of its own, the same in both languages."""

    formula: str


@dataclass(frozen=True, slots=True)
class Column:
    """The title of a column and the alignment of its cells.

    A column of marks holds single signs under a letter; where all signs are equally wide, such
    columns stand close together.
    """

    title: Line
    align: Literal["left", "right", "mark"] = "left"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under the titles of columns."""

    columns: tuple[Column, ...]
    rows: Rows
    caption: Line | None = None

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells under {len(self.columns)} headings")


@dataclass(frozen=True, slots=True)
class Matrix:
    """Cells by row and column; ``corner`` says what the names of both are."""

    corner: Line
    row_names: tuple[Line, ...]
    column_names: tuple[Line, ...]
    cells: Rows
    caption: Line | None = None


def as_table(matrix: Matrix) -> Table:
    """A matrix as a table whose first column holds the names of the rows."""
    columns = (Column(matrix.corner), *(Column(name, "right") for name in matrix.column_names))
    rows = tuple((name, *cells) for name, cells in zip(matrix.row_names, matrix.cells, strict=True))
    return Table(columns, rows, matrix.caption)


@dataclass(frozen=True, slots=True)
class Legend:
    """The cues that the report uses, each with its word."""

    cues: tuple[Cue, ...] = tuple(Cue)


@dataclass(frozen=True, slots=True)
class Commands:
    """What to run next: rows of a purpose and the command for it."""

    rows: tuple[tuple[Line, Line], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Lines of a unified diff, each shown as it is, and their form in ASCII."""

    lines: tuple[str, ...]
    ascii_lines: tuple[str, ...]

    def drawn(self, ascii_only: bool) -> tuple[str, ...]:
        """The lines in the signs of the page."""
        return self.ascii_lines if ascii_only else self.lines


# How a line is drawn; the cues of the two pairs have strokes that no other line has.
Style: TypeAlias = "Literal['solid', 'dotted', 'dashdot', 'long'] | Cue"


@dataclass(frozen=True, slots=True)
class Curve:
    """Points, joined where their places follow one another; or the hands of one pair."""

    name: Line
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    style: Style = "solid"


@dataclass(frozen=True, slots=True)
class Series:
    """Curves over two axes. ``alt`` describes the picture in words, here and below.

    A ``graphical`` picture is for formats that draw, because characters would draw it badly; so
    are ``dense`` curves, which run through every place that the curves leave out. The axes of an
    ``enlarged`` picture begin where its curves do, not at 0.
    """

    caption: Line
    axes: tuple[Line, Line]
    curves: tuple[Curve, ...]
    alt: Line
    logarithmic: Literal["", "x", "y", "xy"] = ""
    graphical: bool = False
    dense: tuple[Curve, ...] = ()
    enlarged: bool = False


@dataclass(frozen=True, slots=True)
class Heat:
    """A matrix shaded by size, with the sign of every cell."""

    caption: Line
    row_names: tuple[Line, ...]
    column_names: tuple[Line, ...]
    values: tuple[tuple[float, ...], ...]
    alt: Line
    graphical: bool = False


@dataclass(frozen=True, slots=True)
class Dials:
    """Clock hands: radians, counter-clockwise from the right; ``place`` says what the xs are."""

    caption: Line
    place: Line
    hands: tuple[Curve, ...]
    alt: Line
    graphical: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from the middle of a plane."""

    name: Line
    tip: tuple[float, float]
    style: Style = "solid"


@dataclass(frozen=True, slots=True)
class Panel:
    """Arrows and circles around the middle of a plane, the unit circle unless others are given."""

    title: Line
    arrows: tuple[Arrow, ...]
    circles: tuple[float, ...] = (1.0,)


@dataclass(frozen=True, slots=True)
class Plane:
    """The plane of a pair, once or several times; for formats that draw."""

    caption: Line
    panels: tuple[Panel, ...]
    alt: Line
    graphical: bool = True


@dataclass(frozen=True, slots=True)
class Arcs:
    """Rows of coordinates, each with its title and the pairs they form; for formats that draw."""

    caption: Line
    rows: tuple[tuple[Line, tuple[tuple[int, int], ...]], ...]
    alt: Line
    graphical: bool = True


Picture: TypeAlias = "Series | Heat | Dials | Plane | Arcs"
PICTURES = (Series, Heat, Dials, Plane, Arcs)
Block: TypeAlias = "Paragraph | Formula | Table | Matrix | Legend | Commands | Difference | Picture"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A check and what it claims, as a sentence."""

    check: Check
    claim: Text


@dataclass(frozen=True, slots=True)
class Section:
    """One section, with its number in the track; ``values`` are those of the JSON report.

    ``part`` is the title of the part of the report that begins with this section, if one does.
    """

    number: int
    slug: str
    title: Text
    question: Text | None
    blocks: tuple[Block, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    part: Line | None = None

    @property
    def holds(self) -> bool:
        """Whether every check of the section holds."""
        return all(verdict.check.holds for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report: blocks above the sections, the sections, checks and blocks below.

    ``verdicts_caption`` says what the checks below the sections are about.
    A ``workbook`` holds questions for the page; other formats do without it.
    With ``explorable`` the page begins with a query and a key that the reader can move from there.
    """

    opening: tuple[Block, ...]
    sections: tuple[Section, ...]
    closing: tuple[Block, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    verdicts_caption: Line | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    workbook: Workbook | None = None
    explorable: Start | None = None

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every check of the sections, then those of the whole document."""
        nested = (section.verdicts for section in self.sections)
        return tuple(verdict.check for group in (*nested, self.verdicts) for verdict in group)

    @property
    def holds(self) -> bool:
        """Whether every check holds."""
        return all(check.holds for check in self.checks)


def pieces_of(line: Line) -> tuple[Piece, ...]:
    """The pieces of a line, which may be a single one."""
    return line if isinstance(line, tuple) else (line,)


def lines_of(cell: Cell) -> tuple[Line, ...]:
    """The lines of a cell, which may be a single one."""
    return cell.lines if isinstance(cell, Stack) else (cell,)


def vector(values: Iterable[float], short: bool = False) -> Vector:
    """A :class:`Vector` of plain floats, from a row of an array for instance."""
    return Vector(tuple(float(value) for value in values), short)


def cue_of_difference(difference: int) -> Cue:
    """Where the key stands relative to the query, for the signed difference n-m."""
    if difference == 0:
        return Cue.EQUAL
    return Cue.LATER if difference > 0 else Cue.EARLIER


def cue_of_speed(pair: int, speeds: Sequence[float]) -> Cue | str:
    """Fast for the fastest pair, slow for the slowest; ``""`` for others, or if all are alike."""
    fastest, slowest = max(speeds), min(speeds)
    if fastest == slowest:
        return ""
    return {fastest: Cue.FAST, slowest: Cue.SLOW}.get(speeds[pair], "")
