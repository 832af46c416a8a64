"""Pictures as characters: bars, marks, shaded cells and clock hands, never wider than the page.

What is drawn depends on the width, the numbers that stand beside it do not.
"""

# ruff: noqa: RUF001

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

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
    en="down: {x}; to the right, logarithmic, {mark} at powers of ten: {y}",
    ru="вниз: {x}; вправо, в логарифмической шкале, {mark} у степеней десяти: {y}",
)
SHARED = Text(en="a digit: how many marks overlap", ru="цифра: столько меток в одной точке")
# Marks of curves in their order, shades from light to dark; unicode first, then ASCII.
MARKS = ("●○◆◇▲△abcdefgh", "*o+x@%abcdefgh")
SHADES = (" ░▒▓█", " .:=#")
SIGNS = (("+", "−", "0"), ("+", "-", "0"))
AXIS, DECADE = ("│", "|"), ("┊", ":")
# What a bar to the right ends with, in eighths; a bar to the left knows fewer.
EIGHTHS = " ▏▎▍▌▋▊▉█"
LEFTWARD = ((7, "█"), (3, "▐"), (1, "▕"), (0, " "))
# From the right, counter-clockwise: the cells of a hand around the middle, and their sign.
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
    """The picture as lines without blanks at their ends, below its caption if ``captioned``."""
    canvas = Canvas(language, width, ascii_only)
    match picture:
        case Series():
            several = len(picture.curves) > 1 or "y" in picture.logarithmic
            lines = canvas.marks(picture) if several else canvas.bars(picture)
        case Heat():
            lines = canvas.heat(picture)
        case Dials():
            lines = canvas.dials(picture)
        case _:
            raise TypeError(f"only formats that draw show a {type(picture).__name__}")
    caption = wrap(canvas.format(picture.caption), width) if captioned else []
    return [line.replace(TIGHT, " ").rstrip() for line in (*caption, *lines)]


class Canvas:
    """The width, the language and the signs of the page."""

    def __init__(self, language: str, width: int, ascii_only: bool) -> None:
        self.language, self.width, self.ascii_only = language, width, ascii_only
        self.curve_marks = MARKS[ascii_only]

    def format(self, line: Line) -> str:
        """The characters of a line in the language and signs of the page."""
        return formatting.format_line(line, self.language, self.ascii_only)

    def bars(self, series: Series) -> Iterator[str]:
        """One curve: a row for each point, with its number and a bar from zero."""
        (curve,) = series.curves
        places = [format_place(x) for x in curve.xs]
        numbers = [self.format(Number(y)) for y in curve.ys]
        titles = [self.format(axis) for axis in series.axes]
        columns = [greatest_length([titles[0], *places]), greatest_length([titles[1], *numbers])]
        if self.width - sum(columns) - 5 < LEAST_BAR:
            yield from self.axes(series)
            columns = [greatest_length(places), greatest_length(numbers)]
        else:
            yield f"{titles[0]:>{columns[0]}}  {titles[1]:>{columns[1]}}"
        room = max(min(WIDEST, self.width) - sum(columns) - 5, 1)
        least, most = min(0.0, *curve.ys), max(0.0, *curve.ys)
        unit = room / ((most - least) or 1.0)
        left = math.ceil(drop_last_bits(-least * unit))
        unit = min(unit, (room - left) / most) if most else unit
        for place, number, y in zip(places, numbers, curve.ys, strict=True):
            bar = self.bar(y * unit)
            before, after = (bar.rjust(left), "") if y < 0 else (" " * left, bar)
            bar = f"{before}{AXIS[self.ascii_only]}{after}"
            yield f"{place:>{columns[0]}}  {number:>{columns[1]}}  {bar}"

    def bar(self, length: float) -> str:
        """A bar in whole signs or in eighths; ASCII has another sign for negative lengths."""
        if self.ascii_only:
            return ("#" if length > 0 else "-") * nearest(abs(length))
        columns, eighths = divmod(nearest(8 * abs(length)), 8)
        if length > 0:
            return ("█" * columns + EIGHTHS[eighths]).rstrip()
        end = next(sign for least, sign in LEFTWARD if eighths >= least)
        return (end + "█" * columns).lstrip()

    def marks(self, series: Series) -> Iterator[str]:
        """Several curves: a row for each place on the first axis, and a mark for each curve."""
        yield from self.axes(series)
        legend = [
            self.label(mark, curve)
            for mark, curve in zip(self.curve_marks, series.curves, strict=False)
        ]
        places = thin_out(sorted({x for curve in series.curves for x in curve.xs}))
        left = greatest_length([format_place(x) for x in places])
        scale = Scale([y for curve in series.curves for y in curve.ys], "y" in series.logarithmic)
        room = max(min(WIDEST, self.width) - left - 2, 2)
        low, high = (formatting.format_short(end) for end in scale.ends)
        points = [dict(zip(curve.xs, curve.ys, strict=True)) for curve in series.curves]
        rows = [self.mark_row([ys.get(x) for ys in points], scale, room) for x in places]
        if any(coincide for _, coincide in rows):
            legend.append(self.format(SHARED).replace(" ", TIGHT))
        yield from wrap("   ".join(legend), self.width)
        yield f"{'':{left}}  {low}{high:>{max(room - len(low), len(high) + 1)}}"
        for x, (cells, _) in zip(places, rows, strict=True):
            yield f"{format_place(x):>{left}}  {cells}"

    def mark_row(self, values: list[float | None], scale: Scale, room: int) -> tuple[str, bool]:
        """The marks of one place, and whether some of them coincide."""
        cells = [" "] * room
        for column, sign in scale.guides(room, self.ascii_only):
            cells[column] = sign
        marks_by_column: dict[int, str] = {}
        for mark, value in zip(self.curve_marks, values, strict=False):
            if value is not None and scale.holds(value):
                column = scale.column(value, room)
                marks_by_column[column] = marks_by_column.get(column, "") + mark
        for column, marks in marks_by_column.items():
            cells[column] = marks if len(marks) == 1 else str(len(marks))
        return "".join(cells), any(len(marks) > 1 for marks in marks_by_column.values())

    def axes(self, series: Series) -> list[str]:
        """What goes down the page and what across it."""
        sentence = LOGARITHMIC if "y" in series.logarithmic else AXES
        names = dict(zip("xy", map(self.format, series.axes), strict=True))
        names["mark"] = DECADE[self.ascii_only]
        return wrap(self.format(Phrase(sentence, names)), self.width)

    def label(self, mark: str, curve: Curve) -> str:
        """A mark and the name of its curve, which stay on one line."""
        cue = (" ", curve.style) if isinstance(curve.style, Cue) else ()
        return self.format((mark, *cue, " ", *pieces_of(curve.name))).replace(" ", TIGHT)

    def heat(self, heat: Heat) -> Iterator[str]:
        """Sign and shade of every cell; the columns that do not fit stand below."""
        rows = [self.format(name) for name in heat.row_names]
        columns = [self.format(name) for name in heat.column_names]
        left, cell = greatest_length(rows), max(greatest_length(columns), 4)
        most = max((abs(value) for row in heat.values for value in row), default=0.0)
        for part in split_range(len(columns), (self.width - left) // (cell + 1)):
            yield " ".join([" " * left, *(columns[column].center(cell) for column in part)])
            for name, values in zip(rows, heat.values, strict=True):
                cells = (self.shade(values[column] / (most or 1.0), cell) for column in part)
                yield " ".join([name.rjust(left), *cells])

    def shade(self, share: float, width: int) -> str:
        """A cell with the sign of a share of the greatest value, and its shade."""
        plus, minus, zero = SIGNS[self.ascii_only]
        if not drop_last_bits(share):
            return zero.ljust(width)
        shade = SHADES[self.ascii_only][nearest(4 * abs(share))]
        return (plus if share > 0 else minus) + shade * (width - 1)

    def dials(self, dials: Dials) -> Iterator[str]:
        """A row of dials for each pair, three lines high; what does not fit stands below."""
        names = [self.label("", curve).strip(TIGHT) for curve in dials.hands]
        title = self.format(dials.place)
        left = greatest_length([title, *names])
        if left > self.width - 2 * DIAL:
            left = 0
        places = [format_place(x) for x in dials.hands[0].xs]
        for part in split_range(len(places), (self.width - left) // DIAL):
            labels = "".join(places[index].rjust(DIAL - 2) + "  " for index in part)
            yield title.ljust(left) + labels
            for name, curve in zip(names, dials.hands, strict=True):
                if not left:
                    yield from wrap(name, self.width)
                angles = [curve.ys[index] for index in part]
                yield from self.dial_row(name.replace(TIGHT, " "), left, angles)

    def dial_row(self, name: str, left: int, angles: Sequence[float]) -> Iterator[str]:
        """Dials side by side, after the name of their pair if there is room for it."""
        hands = [self.hand(angle) for angle in angles]
        for line, signs in enumerate(zip(*hands, strict=True)):
            side = name if line == 1 and left else ""
            yield side.ljust(left) + "".join("  " + sign for sign in signs)

    def hand(self, angle: float) -> list[str]:
        """A hand from the middle in the nearest of eight directions; a dot is where it began."""
        grid = [list("     ") for _ in range(3)]
        grid[1][2], grid[1][4] = ("o", ".") if self.ascii_only else ("○", "·")
        cells, sign, ascii_sign = HANDS[nearest(drop_last_bits(angle / math.tau * 8)) % 8]
        for row, column in cells:
            grid[row][column] = ascii_sign if self.ascii_only else sign
        return ["".join(row) for row in grid]


class Scale:
    """Numbers to columns: linear and with zero on the page, or logarithmic between decades."""

    def __init__(self, values: list[float], logarithmic: bool) -> None:
        self.logarithmic = logarithmic
        drawable = [value for value in values if self.holds(value)]
        if logarithmic:
            powers = [math.log10(value) for value in drawable] or [0.0]
            low = math.floor(drop_last_bits(min(powers)))
            high = math.ceil(drop_last_bits(max(powers)))
            self.low, self.high = float(low), float(high if high > low else low + 1)
        else:
            self.low, self.high = min(0.0, *drawable, 0.0), max(0.0, *drawable, 0.0)
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
        """The column of a value among ``room`` columns."""
        number = math.log10(value) if self.logarithmic else value
        share = (number - self.low) / (self.high - self.low)
        return min(nearest(share * (room - 1)), room - 1)

    def guides(self, room: int, ascii_only: bool) -> Iterator[tuple[int, str]]:
        """Columns and signs of zero, or of the decades."""
        if not self.logarithmic:
            yield self.column(0.0, room), AXIS[ascii_only]
            return
        step = math.ceil((self.high - self.low) / 8)
        for power in range(int(self.low), int(self.high) + 1, step):
            yield self.column(10.0**power, room), DECADE[ascii_only]


def format_place(x: float) -> str:
    """A place on the first axis; a whole number has no point."""
    return str(int(x)) if float(x).is_integer() else formatting.format_short(x)


def drop_last_bits(value: float) -> float:
    """The value rounded so that every machine draws it alike."""
    return round(value, 9)


def nearest(length: float) -> int:
    """The nearest whole number; a half goes up, whatever its last bits are."""
    return math.floor(drop_last_bits(length) + 0.5)


def greatest_length(texts: list[str]) -> int:
    """How many columns the widest text takes."""
    return max(map(len, texts), default=0)


def split_range(count: int, most: int) -> Iterator[range]:
    """The indices below ``count`` in runs of at most ``most``."""
    step = max(most, 1)
    return (range(start, min(start + step, count)) for start in range(0, count, step))


def thin_out(places: list[float]) -> list[float]:
    """At most a page's worth of places, both ends among them."""
    if len(places) <= MOST_ROWS:
        return places
    step = (len(places) - 1) / (MOST_ROWS - 1)
    return [places[nearest(index * step)] for index in range(MOST_ROWS)]
