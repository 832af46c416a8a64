"""Pictures as characters: bars, marks, shaded cells and clock hands, never wider than the page.

What is drawn depends on the width, the numbers that stand beside it do not.
"""

# ruff: noqa: RUF001

from __future__ import annotations

import math
from collections.abc import Iterator

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    TIGHT,
    Cue,
    Curve,
    Dials,
    Heat,
    Line,
    Number,
    Phrase,
    Picture,
    Series,
    pieces_of,
)
from rope_cli.renderers.cell_layout import wrap
from rope_cli.text import Text

AXES = Text(en="down: {x}; to the right: {y}", ru="вниз: {x}; вправо: {y}")
LOGARITHMIC = Text(
    en="down: {x}; to the right, logarithmic: {y}",
    ru="вниз: {x}; вправо, логарифмическая шкала: {y}",
)
SHARED = Text(en="a digit: that many marks coincide", ru="цифра: столько знаков совпало")
# Marks of curves in their order, shades from light to dark; unicode first, then ASCII.
MARKS = ("●○◆◇▲△abcdefgh", "*o+x@%abcdefgh")
SHADES = (" ░▒▓█", " .:=#")
SIGNS = (("+", "−", "0"), ("+", "-", "0"))
AXIS, DECADE = ("│", "|"), ("┊", ":")
# What a bar to the right ends with, in eighths; a bar to the left knows fewer.
EIGHTHS = " ▏▎▍▌▋▊▉█"
LEFTWARD = ((7, "█"), (3, "▐"), (1, "▕"), (0, " "))
# From the right, counter-clockwise: the cells of a hand around the middle, and what is in them.
HANDS: tuple[tuple[tuple[tuple[int, int], ...], str, str], ...] = (
    (((1, 3), (1, 4)), "─", "-"),
    (((0, 3),), "╱", "/"),
    (((0, 2),), "│", "|"),
    (((0, 1),), "╲", "\\"),
    (((1, 0), (1, 1)), "─", "-"),
    (((2, 1),), "╱", "/"),
    (((2, 2),), "│", "|"),
    (((2, 3),), "╲", "\\"),
)
DIAL = 7
WIDEST, MOST_ROWS, LEAST_BAR = 72, 13, 6


def draw_picture(
    picture: Picture, language: str, width: int, ascii_only: bool, captioned: bool = True
) -> list[str]:
    """The caption, if wanted, and the picture as lines without blanks at their ends."""
    canvas = Canvas(language, width, ascii_only)
    match picture:
        case Series():
            several = len(picture.curves) > 1 or "y" in picture.logarithmic
            lines = canvas.marks(picture) if several else canvas.bars(picture)
        case Heat():
            lines = canvas.heat(picture)
        case Dials():
            lines = canvas.dials(picture)
    caption = wrap(canvas.spelled(picture.caption), width) if captioned else []
    return [line.rstrip() for line in (*caption, *lines)]


class Canvas:
    """The width and the signs at hand."""

    def __init__(self, language: str, width: int, ascii_only: bool) -> None:
        self.language, self.width, self.ascii_only = language, width, ascii_only
        self.marked = MARKS[ascii_only]

    def spelled(self, line: Line) -> str:
        """The characters of a line in the language and signs of the page."""
        return formatting.format_line(line, self.language, self.ascii_only)

    def bars(self, series: Series) -> Iterator[str]:
        """One curve: a row for each point, with its number and a bar from zero."""
        (curve,) = series.curves
        places = [format_place(x) for x in curve.xs]
        numbers = [self.spelled(Number(y)) for y in curve.ys]
        heads = [self.spelled(axis) for axis in series.axes]
        columns = [
            longest([head, *cells]) for head, cells in zip(heads, (places, numbers), strict=True)
        ]
        if self.width - sum(columns) - 5 < LEAST_BAR:
            yield from self.axes(series)
            heads, columns = ["", ""], [longest(places), longest(numbers)]
        else:
            yield "  ".join(head.rjust(column) for head, column in zip(heads, columns, strict=True))
        room = max(min(WIDEST, self.width) - sum(columns) - 5, 1)
        least, most = min(0.0, *curve.ys), max(0.0, *curve.ys)
        unit = room / ((most - least) or 1.0)
        left = math.ceil(steady(-least * unit))
        unit = min(unit, (room - left) / most) if most else unit
        for x, number, y in zip(places, numbers, curve.ys, strict=True):
            bar = self.bar(y * unit)
            before, after = (bar.rjust(left), "") if y < 0 else (" " * left, bar)
            bar = f"{before}{AXIS[self.ascii_only]}{after}"
            yield f"{x:>{columns[0]}}  {number:>{columns[1]}}  {bar}"

    def bar(self, length: float) -> str:
        """So many columns, in whole signs or in eighths; ASCII says what is negative."""
        if self.ascii_only:
            return ("#" if length > 0 else "-") * nearest(abs(length))
        whole, rest = divmod(nearest(8 * abs(length)), 8)
        if length > 0:
            return ("█" * whole + EIGHTHS[rest]).rstrip()
        return (next(sign for least, sign in LEFTWARD if rest >= least) + "█" * whole).lstrip()

    def marks(self, series: Series) -> Iterator[str]:
        """Several curves: a row for each place on the first axis, and a mark for each curve."""
        yield from self.axes(series)
        named = [
            self.named(mark, curve) for mark, curve in zip(self.marked, series.curves, strict=False)
        ]
        places = thinned(sorted({x for curve in series.curves for x in curve.xs}))
        left = longest([format_place(x) for x in places])
        scale = Scale([y for curve in series.curves for y in curve.ys], "y" in series.logarithmic)
        room = max(min(WIDEST, self.width) - left - 2, 2)
        low, high = (formatting.format_short(end) for end in scale.ends)
        points = [dict(zip(curve.xs, curve.ys, strict=True)) for curve in series.curves]
        rows = [self.row([of.get(x) for of in points], scale, room) for x in places]
        if any(shared for _, shared in rows):
            named.append(self.spelled(SHARED).replace(" ", TIGHT))
        yield from wrap("   ".join(named), self.width)
        yield f"{'':{left}}  {low}{high:>{max(room - len(low), len(high) + 1)}}"
        for x, (cells, _) in zip(places, rows, strict=True):
            yield f"{format_place(x):>{left}}  {cells}"

    def row(self, values: list[float | None], scale: Scale, room: int) -> tuple[str, bool]:
        """The marks of one place, and whether some of them share a column."""
        cells = [" "] * room
        for at, sign in scale.guides(room, self.ascii_only):
            cells[at] = sign
        put: dict[int, str] = {}
        for mark, value in zip(self.marked, values, strict=False):
            if value is not None and scale.holds(value):
                at = scale.column(value, room)
                put[at] = put.get(at, "") + mark
        for at, marks in put.items():
            cells[at] = marks if len(marks) == 1 else str(len(marks))
        return "".join(cells), any(len(marks) > 1 for marks in put.values())

    def axes(self, series: Series) -> list[str]:
        """What goes down the page and what across it."""
        words = LOGARITHMIC if "y" in series.logarithmic else AXES
        named = dict(zip("xy", map(self.spelled, series.axes), strict=True))
        return wrap(self.spelled(Phrase(words, named)), self.width)

    def named(self, mark: str, curve: Curve) -> str:
        """A mark and the name of its curve, which stay together."""
        cue = (" ", curve.style) if isinstance(curve.style, Cue) else ()
        return self.spelled((mark, *cue, " ", *pieces_of(curve.name))).replace(" ", "\u00a0")

    def heat(self, heat: Heat) -> Iterator[str]:
        """Sign and shade of every cell; the columns that do not fit stand below."""
        rows = [self.spelled(name) for name in heat.row_names]
        columns = [self.spelled(name) for name in heat.column_names]
        left, cell = longest(rows), max(longest(columns), 4)
        most = max((abs(value) for row in heat.values for value in row), default=0.0)
        for part in parts(len(columns), (self.width - left) // (cell + 1)):
            yield " ".join([" " * left, *(columns[at].center(cell) for at in part)])
            for name, row in zip(rows, heat.values, strict=True):
                cells = (self.shaded(row[at] / (most or 1.0), cell) for at in part)
                yield " ".join([name.rjust(left), *cells])

    def shaded(self, share: float, width: int) -> str:
        """The sign of a share of the greatest value, and its shade."""
        plus, minus, zero = SIGNS[self.ascii_only]
        if not steady(share):
            return zero.ljust(width)
        shade = SHADES[self.ascii_only][nearest(4 * abs(share))]
        return (plus if share > 0 else minus) + shade * (width - 1)

    def dials(self, dials: Dials) -> Iterator[str]:
        """A row of dials for each pair, three lines high; what does not fit stands below."""
        names = [self.named("", curve).strip("\u00a0") for curve in dials.hands]
        head = self.spelled(dials.place)
        left = longest([head, *names])
        if left > self.width - 2 * DIAL:
            left = 0
        places = [format_place(x) for x in dials.hands[0].xs]
        for part in parts(len(places), (self.width - left) // DIAL):
            labels = "".join(places[at].rjust(DIAL - 2) + "  " for at in part)
            yield head.ljust(left) + labels
            for name, curve in zip(names, dials.hands, strict=True):
                if not left:
                    yield from wrap(name, self.width)
                hands = [self.hand(curve.ys[at]) for at in part]
                for at, line in enumerate(zip(*hands, strict=True)):
                    side = name.replace("\u00a0", " ") if at == 1 and left else ""
                    yield side.ljust(left) + "".join("  " + piece for piece in line)

    def hand(self, angle: float) -> list[str]:
        """A hand from the middle in the nearest of eight directions; a dot is where it began."""
        grid = [list("     ") for _ in range(3)]
        grid[1][2], grid[1][4] = ("o", ".") if self.ascii_only else ("○", "·")
        cells, sign, plain = HANDS[nearest(steady(angle / math.tau * 8)) % 8]
        for row, column in cells:
            grid[row][column] = plain if self.ascii_only else sign
        return ["".join(row) for row in grid]


class Scale:
    """Numbers to columns: linear and with zero on the page, or logarithmic between decades."""

    def __init__(self, values: list[float], logarithmic: bool) -> None:
        self.logarithmic = logarithmic
        known = [value for value in values if self.holds(value)]
        if logarithmic:
            powers = [math.log10(value) for value in known] or [0.0]
            low, high = math.floor(steady(min(powers))), math.ceil(steady(max(powers)))
            self.low, self.high = float(low), float(high if high > low else low + 1)
        else:
            self.low, self.high = min(0.0, *known, 0.0), max(0.0, *known, 0.0)
            least = 1e-9 * (self.high - self.low)
            self.low = 0.0 if -self.low <= least else self.low
            self.high = (0.0 if self.high <= least else self.high) or self.low + 1.0

    @property
    def ends(self) -> tuple[float, float]:
        """The numbers at both ends of the scale."""
        return (10**self.low, 10**self.high) if self.logarithmic else (self.low, self.high)

    def holds(self, value: float) -> bool:
        """Whether the scale has a place for a value."""
        return math.isfinite(value) and (value > 0 or not self.logarithmic)

    def column(self, value: float, room: int) -> int:
        """The column of a value among so many."""
        at = math.log10(value) if self.logarithmic else value
        return min(nearest((at - self.low) / (self.high - self.low) * (room - 1)), room - 1)

    def guides(self, room: int, ascii_only: bool) -> Iterator[tuple[int, str]]:
        """Where zero is, or the decades are."""
        if not self.logarithmic:
            yield self.column(0.0, room), AXIS[ascii_only]
            return
        every = math.ceil((self.high - self.low) / 8)
        for power in range(int(self.low), int(self.high) + 1, every):
            yield self.column(10.0**power, room), DECADE[ascii_only]


def format_place(x: float) -> str:
    """A place on the first axis; a whole number has no point."""
    return str(int(x)) if float(x).is_integer() else formatting.format_short(x)


def steady(value: float) -> float:
    """A value without its last bits, so that every machine draws it alike."""
    return round(value, 9)


def nearest(length: float) -> int:
    """The nearest whole number; a half, and what rounding left of one, goes up."""
    return math.floor(steady(length) + 0.5)


def longest(texts: list[str]) -> int:
    """How many columns the widest of some texts takes."""
    return max(map(len, texts), default=0)


def parts(count: int, most: int) -> Iterator[range]:
    """The indices of ``count`` things in runs of at most ``most``."""
    step = max(most, 1)
    return (range(start, min(start + step, count)) for start in range(0, count, step))


def thinned(places: list[float]) -> list[float]:
    """At most a page's worth of places, both ends among them."""
    if len(places) <= MOST_ROWS:
        return places
    step = (len(places) - 1) / (MOST_ROWS - 1)
    return [places[nearest(at * step)] for at in range(MOST_ROWS)]
