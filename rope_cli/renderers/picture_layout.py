"""Pictures as shapes, the same for a page and for files.

Colour only adds: curves differ in their strokes and markers, cells show their signs. Fast and slow
pairs keep their two cues, blue and solid, brown and dashed, which no other curve has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rope_cli.document.blocks import (
    Arcs,
    Arrow,
    Cue,
    Curve,
    Dials,
    Heat,
    Line,
    Number,
    Picture,
    Plane,
    Series,
)
from rope_cli.document.charts import joined_runs, line_style
from rope_cli.renderers.axis import Axis
from rope_cli.renderers.cell_layout import wrap
from rope_cli.renderers.shapes import (
    LETTER_WIDTH,
    LINE_HEIGHT,
    WIDTH,
    Anchor,
    Circle,
    Drawing,
    Path,
    Point,
    Shape,
    Words,
    arrow,
    box,
    marker,
    stroke,
    width_of,
)

Format = Callable[[Line], str]
# The left ends of what is drawn on a wide and on a narrow picture, and the room at the right end.
LEFT, NARROW_LEFT, MARGIN, TOP, HIGH = 96.0, 62.0, 20.0, 14.0, 240.0
CUE_COLOURS = {Cue.FAST: "fast", Cue.SLOW: "slow"}
CURVE_COLOURS = ("first", "second", "third", "fourth")
# Names longer than this stand below a picture, not at the ends of curves; a curve of more points
# than this has no markers.
LONGEST_NAME, MOST_MARKERS = 22, 70
# On a narrow picture the name of a row is broken into lines of at most so many letters.
LONGEST_ROW_NAME = 15


def lay_out(picture: Picture, words: Format, width: int = WIDTH) -> Drawing:
    """The shapes of a picture of a width; ``words`` makes characters of a line."""
    match picture:
        case Series():
            return lay_out_series(picture, words, width)
        case Heat():
            return lay_out_heat(picture, words, width)
        case Dials():
            return lay_out_dials(picture, words, width)
        case Plane():
            return lay_out_plane(picture, words, width)
        case Arcs():
            return lay_out_arcs(picture, words, width)


def left_of(width: int) -> float:
    """Where what is drawn begins: room for the numbers of an axis, less on a narrow picture."""
    return LEFT if width == WIDTH else NARROW_LEFT


def look(index: int, style: str | Cue) -> tuple[str, float]:
    """The colour and the width of a curve or an arrow, by its place among others."""
    if isinstance(style, Cue):
        return CUE_COLOURS.get(style, "ink"), 2.5
    return CURVE_COLOURS[index % len(CURVE_COLOURS)], 1.5


def lay_out_series(picture: Series, words: Format, frame: int) -> Drawing:
    """Two axes, and curves with their points and names."""
    names = [words(curve.name) for curve in picture.curves]
    several, wide = len(names) > 1, frame == WIDTH
    at_ends = several and wide and max(map(len, names)) <= LONGEST_NAME
    left = left_of(frame)
    right = frame - MARGIN - (max(map(width_of, names)) + 12 if at_ends else 0)
    every = (*picture.dense, *picture.curves)
    xs, ys = [x for c in every for x in c.xs], [y for c in every for y in c.ys]
    zero, most = not picture.enlarged, 6 if wide else 3
    across = Axis(xs, "x" in picture.logarithmic, left, right - 16, zero, most)
    up = Axis(ys, "y" in picture.logarithmic, TOP + HIGH, TOP + 24, zero)
    axes = Axes(across, up, left, right)
    shapes: list[Shape] = [*draw_axes(axes, tuple(map(words, picture.axes)))]
    for curves in (picture.dense, picture.curves):
        for index, curve in enumerate(curves):
            marked = curves is picture.curves and len(curve.xs) <= MOST_MARKERS
            shapes += draw_curve(curve, index, across, up, marked)
    height = TOP + HIGH + 50
    if at_ends:
        shapes += names_at_ends(picture.curves, names, across, up)
    elif several:
        names_below = [*name_curves_below(picture, names, height, frame)]
        shapes += names_below
        height = max(shape.y for shape in names_below if isinstance(shape, Words)) + 9
    return Drawing(tuple(shapes), math.ceil(height))


def name_curves_below(
    picture: Series, names: Sequence[str], top: float, frame: int
) -> Iterator[Shape]:
    """A piece of each curve as it is drawn, with its name, one below the other."""
    start = LEFT if frame == WIDTH else 4.0
    letters = int((frame - start - 74) / LETTER_WIDTH)
    for index, (curve, name) in enumerate(zip(picture.curves, names, strict=True)):
        colour, width = look(index, curve.style)
        y = top + LINE_HEIGHT - 10
        runs = joined_runs(curve, "x" in picture.logarithmic and 0 in curve.xs)
        if picture.dense or any(last - first > 1 for first, last in runs):
            yield stroke((start, y), (start + 60, y), colour, width, line_style(curve))
        if len(curve.xs) <= MOST_MARKERS:
            yield marker(index, (start + 30, y), colour)
        for number, line in enumerate(wrap(name, letters)):
            yield Words(start + 70, y + 5 + number * LINE_HEIGHT, line)
            top += LINE_HEIGHT + (0 if number else 2)


@dataclass(frozen=True, slots=True)
class Axes:
    """Both axes and the ends of the lines that cross the picture."""

    across: Axis
    up: Axis
    left: float
    right: float


def draw_axes(axes: Axes, titles: Sequence[str]) -> Iterator[Shape]:
    """Lines and numbers of both axes, and a gap in each that leaves its logarithms for 0."""
    bottom, left, right = TOP + HIGH, axes.left, axes.right
    for y, number in axes.up.ticks():
        yield stroke((left, y), (right, y))
        yield Words(left - 8, y + 5, number, "end")
    for x, number in axes.across.ticks():
        yield stroke((x, bottom), (x, bottom + 5))
        yield Words(x, bottom + 20, number, "middle")
    if (gap := axes.across.gap()) is not None:
        for x in (gap - 3, gap + 3):
            yield stroke((x - 3, bottom + 6), (x + 3, bottom - 6), "ink")
    if (gap := axes.up.gap()) is not None:
        for y in (gap - 3, gap + 3):
            yield stroke((left - 6, y + 3), (left + 6, y - 3), "ink")
    yield Words(4, TOP, titles[1])
    yield Words(right, bottom + 38, titles[0], "end")


def points_of(curve: Curve, across: Axis, up: Axis) -> list[Point | None]:
    """The places of the points of a curve, where the axes have one."""
    return [
        (across.place(x), up.place(y)) if across.holds(x) and up.holds(y) else None
        for x, y in zip(curve.xs, curve.ys, strict=True)
    ]


def draw_curve(curve: Curve, index: int, across: Axis, up: Axis, marked: bool) -> Iterator[Shape]:
    """Lines between neighbours that both have a place, and a marker at each point."""
    colour, width = look(index, curve.style)
    points = points_of(curve, across, up)
    for first, last in joined_runs(curve, across.zero is not None):
        run: list[Point] = []
        for point in (*points[first:last], None):
            if point is not None:
                run.append(point)
                continue
            if len(run) > 1:
                yield Path(tuple(run), colour, width, line_style(curve))
            run = []
    if marked:
        for point in points:
            if point is not None:
                yield marker(index, point, colour)


def names_at_ends(
    curves: Sequence[Curve], names: Sequence[str], across: Axis, up: Axis
) -> Iterator[Shape]:
    """The name of each curve at its last point, moved down where another name is."""
    ends = []
    for index, (curve, name) in enumerate(zip(curves, names, strict=True)):
        places = [point for point in points_of(curve, across, up) if point is not None]
        if places:
            ends.append((places[-1][1], index, name, look(index, curve.style)[0]))
    lowest = TOP + HIGH - LINE_HEIGHT * len(ends)
    before = -math.inf
    for number, (y, _, name, colour) in enumerate(sorted(ends)):
        limit = lowest + LINE_HEIGHT * (number + 1)
        before = max(min(y, limit), before + LINE_HEIGHT)
        yield Words(across.end + 14, before + 5, name, colour=colour)


def lay_out_heat(picture: Heat, words: Format, width: int) -> Drawing:
    """Cells as dark as they are great; each shows its sign, and its number where there is room."""
    row_names, column_names = (
        [words(name) for name in names] for names in (picture.row_names, picture.column_names)
    )
    letters = LONGEST_ROW_NAME if width < WIDTH else max(map(len, row_names), default=1)
    lines = [wrap(name, letters) for name in row_names]
    longest = max((width_of(line) for name in lines for line in name), default=0.0)
    left = max(left_of(width), longest + 12)
    room = width - left - (MARGIN if width == WIDTH else 4.0)
    size = min(96.0, room / max(len(column_names), 1))
    tall = max(20.0, min(size, 26.0 if len(row_names) > 8 else 48.0))
    tall = max(tall, *(LINE_HEIGHT * len(name) for name in lines))
    most = max((abs(value) for row in picture.values for value in row), default=0.0) or 1.0
    shapes: list[Shape] = [
        Words(left + (column + 0.5) * size, TOP + 6, name, "middle")
        for column, name in enumerate(column_names)
    ]
    for row, (name, values) in enumerate(zip(lines, picture.values, strict=True)):
        y = TOP + 14 + row * tall
        first = y + (tall - LINE_HEIGHT * (len(name) - 1)) / 2 + 5
        shapes += (
            Words(left - 8, first + LINE_HEIGHT * at, line, "end") for at, line in enumerate(name)
        )
        for column, value in enumerate(values):
            x, colour = left + column * size, "slow" if value < 0 else "fast"
            shapes.append(box(x, y, size, tall, colour, 0.45 * abs(value) / most))
            sign = sign_of_cell(words(Number(value)), size)
            shapes.append(Words(x + size / 2, y + tall / 2 + 5, sign, "middle"))
    bottom, right = TOP + 14 + tall * len(row_names), left + size * len(column_names)
    for row in range(len(row_names) + 1):
        shapes.append(stroke((left, TOP + 14 + row * tall), (right, TOP + 14 + row * tall)))
    for column in range(len(column_names) + 1):
        shapes.append(stroke((left + column * size, TOP + 14), (left + column * size, bottom)))
    return Drawing(tuple(shapes), math.ceil(bottom + 6))


def sign_of_cell(number: str, width: float) -> str:
    """A number with its sign, or the sign alone if it is too wide; a small dot is a bare 0."""
    zero, negative = not number.strip("0."), not number[0].isdigit()
    if width >= 80:
        return number if negative or zero else "+" + number
    return "·" if zero else number[0] if negative else "+"


def lay_out_dials(picture: Dials, words: Format, width: int) -> Drawing:
    """A dial with its hand for each place, a row for each pair; a tick where it began.

    On a narrow picture the name of a row stands above it.
    """
    names = [words(curve.name) for curve in picture.hands]
    above = 0 if width == WIDTH else LINE_HEIGHT
    left = 4.0 if above else max(LEFT, max(map(width_of, names), default=0.0) + 10)
    step = (width - left - (4 if above else MARGIN)) / max(len(picture.hands[0].xs), 1)
    radius = min(0.4 * step, 40.0)
    top, tall = TOP + 20 + above, 2 * radius + 24 + above
    shapes: list[Shape] = [Words(4, TOP + 4, words(picture.place))]
    for row, (curve, name) in enumerate(zip(picture.hands, names, strict=True)):
        y = top + row * tall + radius + above
        colour, thickness = look(row, curve.style)
        shapes.append(Words(4, y - radius - 8 if above else y + 5, name))
        for index, (place, angle) in enumerate(zip(curve.xs, curve.ys, strict=True)):
            x = left + (index + 0.5) * step
            end = x + radius * math.cos(angle), y - radius * math.sin(angle)
            shapes.append(Circle((x, y), radius))
            shapes.append(stroke((x + radius - 5, y), (x + radius + 5, y)))
            shapes.append(stroke((x, y), end, colour, thickness, line_style(curve)))
            if not row:
                shapes.append(Words(x, TOP + 4 + above, f"{place:g}", "middle"))
    return Drawing(tuple(shapes), math.ceil(top + tall * len(picture.hands)))


def lay_out_plane(picture: Plane, words: Format, width: int) -> Drawing:
    """Panels side by side, four or three in a row: a cross, circles and arrows from the middle."""
    count, columns = len(picture.panels), panels_in_a_row(picture, words, width)
    side = (width - 20.0) / columns
    tall = min(side, 230.0) + 24
    reach = max(
        [1.0]
        + [math.hypot(*vector.tip) for panel in picture.panels for vector in panel.arrows]
        + [radius for panel in picture.panels for radius in panel.circles]
    )
    unit = (min(side, 230.0) / 2 - 26) / reach
    shapes: list[Shape] = []
    for index, panel in enumerate(picture.panels):
        x = 10 + side * (index % columns + 0.5)
        top = TOP + tall * (index // columns)
        y = top + tall / 2 + 8
        shapes.append(Words(x, top + 2, words(panel.title), "middle"))
        for across, down in ((1, 0), (0, 1)):
            length = unit * reach + 8
            ends = [(x + sign * length * across, y + sign * length * down) for sign in (-1, 1)]
            shapes.append(stroke(ends[0], ends[1]))
        shapes += [Circle((x, y), unit * radius) for radius in panel.circles]
        for number, vector in enumerate(panel.arrows):
            colour, thickness = look(number, vector.style)
            end = x + unit * vector.tip[0], y - unit * vector.tip[1]
            shapes += arrow((x, y), end, colour, thickness + 0.5, line_style(vector))
            shapes.append(name_at_tip(vector, words(vector.name), (x, y), unit, colour))
    return Drawing(tuple(shapes), math.ceil(TOP + tall * math.ceil(count / columns)))


def panels_in_a_row(picture: Plane, words: Format, width: int) -> int:
    """How many panels stand side by side; on a narrow picture two, or one if its words are long."""
    count = len(picture.panels)
    if width == WIDTH:
        return count if count <= 4 else 3
    names = [words(vector.name) for panel in picture.panels for vector in panel.arrows]
    titles = [words(panel.title) for panel in picture.panels]
    short = max(map(len, names), default=0) <= 2 and max(map(width_of, titles)) <= width / 2 - 20
    return min(count, 2 if short else 1)


def name_at_tip(vector: Arrow, name: str, middle: Point, unit: float, colour: str) -> Words:
    """The name of an arrow, beyond its tip."""
    length = math.hypot(*vector.tip) or 1.0
    across, up = vector.tip[0] / length, vector.tip[1] / length
    away = unit * length + 8
    anchor: Anchor = "start" if across > 0.4 else "end" if across < -0.4 else "middle"
    return Words(middle[0] + away * across, middle[1] - (away + 4) * up + 5, name, anchor, colour)


def lay_out_arcs(picture: Arcs, words: Format, width: int) -> Drawing:
    """For each row of coordinates an arc above them from each to the one it is paired with."""
    shapes: list[Shape] = []
    y = TOP
    for title, pairs in picture.rows:
        count = 1 + max(index for pair in pairs for index in pair)
        step = (width - 80.0) / max(count - 1, 1)
        high = 14 + 0.5 * step * max(right - left for left, right in pairs)
        high, squash = min(high, 96.0), min(1.0, 82.0 / (high - 14))
        shapes.append(Words(4, y, words(title)))
        y += high + 12
        for number, (left, right) in enumerate(pairs):
            middle, radius = 40 + step * (left + right) / 2, step * (right - left) / 2
            turns = [math.pi * at / 24 for at in range(25)]
            arc = tuple(
                (middle - radius * math.cos(a), y - squash * radius * math.sin(a)) for a in turns
            )
            colour = CURVE_COLOURS[number % len(CURVE_COLOURS)]
            shapes.append(
                Path(arc, colour, 2.0, ("solid", "long", "dotted", "dashdot")[number % 4])
            )
        for index in range(count):
            shapes.append(Circle((40 + step * index, y), 4, "ink", 1.0, 1.0))
            shapes.append(Words(40 + step * index, y + 22, str(index), "middle"))
        y += 52
    return Drawing(tuple(shapes), math.ceil(y - 20))
