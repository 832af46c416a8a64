"""Pictures as shapes, the same for a page and for files.

Colour only adds: curves differ in their strokes and markers, cells show their signs. Fast and slow
pairs keep their two cues, blue and solid, brown and dashed, which no other curve has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    Arcs,
    Arrow,
    Cue,
    Curve,
    Dials,
    Heat,
    Line,
    Picture,
    Plane,
    Series,
)
from rope_cli.document.charts import joined_runs, line_style
from rope_cli.renderers.axis import Axis
from rope_cli.renderers.shapes import (
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
LEFT, RIGHT, TOP, HIGH = 96.0, 620.0, 14.0, 240.0
CUE_COLOURS = {Cue.FAST: "fast", Cue.SLOW: "slow"}
CURVE_COLOURS = ("first", "second", "third", "fourth")
# Names longer than this stand below a picture, not at the ends of curves; a curve of more points
# than this has no markers.
LONGEST_NAME, MOST_MARKERS = 22, 70


def lay_out(picture: Picture, words: Format) -> Drawing:
    """The shapes of a picture; ``words`` makes characters of a line."""
    match picture:
        case Series():
            return lay_out_series(picture, words)
        case Heat():
            return lay_out_heat(picture, words)
        case Dials():
            return lay_out_dials(picture, words)
        case Plane():
            return lay_out_plane(picture, words)
        case Arcs():
            return lay_out_arcs(picture, words)


def look(index: int, style: str | Cue) -> tuple[str, float]:
    """The colour and the width of a curve or an arrow, by its place among others."""
    if isinstance(style, Cue):
        return CUE_COLOURS.get(style, "ink"), 2.5
    return CURVE_COLOURS[index % len(CURVE_COLOURS)], 1.5


def lay_out_series(picture: Series, words: Format) -> Drawing:
    """Two axes, and curves with their points and names."""
    names = [words(curve.name) for curve in picture.curves]
    several = len(names) > 1
    at_ends = several and max(map(len, names)) <= LONGEST_NAME
    right = RIGHT - (max(map(width_of, names)) + 12 if at_ends else 0)
    every = (*picture.dense, *picture.curves)
    xs, ys = [x for c in every for x in c.xs], [y for c in every for y in c.ys]
    zero = not picture.enlarged
    across = Axis(xs, "x" in picture.logarithmic, LEFT, right - 16, zero)
    up = Axis(ys, "y" in picture.logarithmic, TOP + HIGH, TOP + 24, zero)
    shapes: list[Shape] = [*draw_axes(across, up, right, tuple(map(words, picture.axes)))]
    for curves in (picture.dense, picture.curves):
        for index, curve in enumerate(curves):
            marked = curves is picture.curves and len(curve.xs) <= MOST_MARKERS
            shapes += draw_curve(curve, index, across, up, marked)
    height = TOP + HIGH + 50
    if at_ends:
        shapes += names_at_ends(picture.curves, names, across, up)
    elif several:
        for index, (curve, name) in enumerate(zip(picture.curves, names, strict=True)):
            height += LINE_HEIGHT + 2
            colour, width = look(index, curve.style)
            y = height - 12
            shapes.append(stroke((LEFT, y), (LEFT + 60, y), colour, width, line_style(curve)))
            shapes.append(marker(index, (LEFT + 30, y), colour))
            shapes.append(Words(LEFT + 70, y + 5, name))
    return Drawing(tuple(shapes), math.ceil(height))


def draw_axes(across: Axis, up: Axis, right: float, titles: Sequence[str]) -> Iterator[Shape]:
    """Lines and numbers of both axes, and a gap in each that leaves its logarithms for 0."""
    bottom = TOP + HIGH
    for y, number in up.ticks():
        yield stroke((LEFT, y), (right, y))
        yield Words(LEFT - 8, y + 5, number, "end")
    for x, number in across.ticks():
        yield stroke((x, bottom), (x, bottom + 5))
        yield Words(x, bottom + 20, number, "middle")
    if (gap := across.gap()) is not None:
        for x in (gap - 3, gap + 3):
            yield stroke((x - 3, bottom + 6), (x + 3, bottom - 6), "ink")
    if (gap := up.gap()) is not None:
        for y in (gap - 3, gap + 3):
            yield stroke((LEFT - 6, y + 3), (LEFT + 6, y - 3), "ink")
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


def lay_out_heat(picture: Heat, words: Format) -> Drawing:
    """Cells as dark as they are great; each shows its sign, and its number where there is room."""
    row_names, column_names = (
        [words(name) for name in names] for names in (picture.row_names, picture.column_names)
    )
    left = max(LEFT, max(map(width_of, row_names), default=0.0) + 12)
    size = min(96.0, (RIGHT - left) / max(len(column_names), 1))
    tall = min(size, 26.0 if len(row_names) > 8 else 48.0)
    most = max((abs(value) for row in picture.values for value in row), default=0.0) or 1.0
    shapes: list[Shape] = [
        Words(left + (column + 0.5) * size, TOP + 6, name, "middle")
        for column, name in enumerate(column_names)
    ]
    for row, (name, values) in enumerate(zip(row_names, picture.values, strict=True)):
        y = TOP + 14 + row * tall
        shapes.append(Words(left - 8, y + tall / 2 + 5, name, "end"))
        for column, value in enumerate(values):
            x, colour = left + column * size, "slow" if value < 0 else "fast"
            shapes.append(box(x, y, size, tall, colour, 0.45 * abs(value) / most))
            sign = sign_of_cell(value, size)
            shapes.append(Words(x + size / 2, y + tall / 2 + 5, sign, "middle"))
    bottom, right = TOP + 14 + tall * len(row_names), left + size * len(column_names)
    for row in range(len(row_names) + 1):
        shapes.append(stroke((left, TOP + 14 + row * tall), (right, TOP + 14 + row * tall)))
    for column in range(len(column_names) + 1):
        shapes.append(stroke((left + column * size, TOP + 14), (left + column * size, bottom)))
    return Drawing(tuple(shapes), math.ceil(bottom + 6))


def sign_of_cell(value: float, width: float) -> str:
    """A number with its sign, or the sign alone if it is too wide; a small dot is a bare 0."""
    number = formatting.six_decimals(value)
    zero = float(number) == 0
    if width >= 80:
        return number if number.startswith("-") or zero else "+" + number
    return "·" if zero else number[0] if number.startswith("-") else "+"


def lay_out_dials(picture: Dials, words: Format) -> Drawing:
    """A dial with its hand for each place, a row for each pair; a tick where it began."""
    names = [words(curve.name) for curve in picture.hands]
    left = max(LEFT, max(map(width_of, names), default=0.0) + 10)
    step = (RIGHT - left) / max(len(picture.hands[0].xs), 1)
    radius = min(0.4 * step, 40.0)
    tall = 2 * radius + 24
    shapes: list[Shape] = [Words(4, TOP + 4, words(picture.place))]
    for row, (curve, name) in enumerate(zip(picture.hands, names, strict=True)):
        y = TOP + 20 + row * tall + radius
        colour, width = look(row, curve.style)
        shapes.append(Words(4, y + 5, name))
        for index, (place, angle) in enumerate(zip(curve.xs, curve.ys, strict=True)):
            x = left + (index + 0.5) * step
            end = x + radius * math.cos(angle), y - radius * math.sin(angle)
            shapes.append(Circle((x, y), radius))
            shapes.append(stroke((x + radius - 5, y), (x + radius + 5, y)))
            shapes.append(stroke((x, y), end, colour, width, line_style(curve)))
            if not row:
                shapes.append(Words(x, TOP + 4, f"{place:g}", "middle"))
    return Drawing(tuple(shapes), math.ceil(TOP + 20 + tall * len(picture.hands)))


def lay_out_plane(picture: Plane, words: Format) -> Drawing:
    """Panels side by side, two or three in a row: a cross, circles and arrows from the middle."""
    count = len(picture.panels)
    columns = count if count <= 3 else 2 if count == 4 else 3
    side = (WIDTH - 20.0) / columns
    tall = min(side, 230.0) + 24
    reach = max(
        [1.0]
        + [math.hypot(*a.tip) for panel in picture.panels for a in panel.arrows]
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
        for number, each in enumerate(panel.arrows):
            colour, width = look(number, each.style)
            end = x + unit * each.tip[0], y - unit * each.tip[1]
            shapes += arrow((x, y), end, colour, width + 0.5, line_style(each))
            shapes.append(name_at_tip(each, words(each.name), (x, y), unit, colour))
    return Drawing(tuple(shapes), math.ceil(TOP + tall * math.ceil(count / columns)))


def name_at_tip(each: Arrow, name: str, middle: Point, unit: float, colour: str) -> Words:
    """The name of an arrow, beyond its tip."""
    length = math.hypot(*each.tip) or 1.0
    across, up = each.tip[0] / length, each.tip[1] / length
    away = unit * length + 8
    anchor: Anchor = "start" if across > 0.4 else "end" if across < -0.4 else "middle"
    return Words(middle[0] + away * across, middle[1] - (away + 4) * up + 5, name, anchor, colour)


def lay_out_arcs(picture: Arcs, words: Format) -> Drawing:
    """For each row of coordinates an arc above them from each to the one it is paired with."""
    shapes: list[Shape] = []
    y = TOP
    for title, pairs in picture.rows:
        count = 1 + max(index for pair in pairs for index in pair)
        step = (WIDTH - 80.0) / max(count - 1, 1)
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
