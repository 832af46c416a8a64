"""Pictures for a page: inline SVG that follows the colours of the page, on a screen and on paper.

Colour only adds: curves differ in their strokes as well, cells show their signs, and the words of
a picture are in its title and description.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from html import escape

from rope_cli.document import formatting
from rope_cli.document.blocks import Curve, Dials, Heat, Line, Picture, Series
from rope_cli.document.charts import line_style

WIDTH, LEFT, RIGHT, TOP, HIGH, LETTER = 640, 96, 620, 14, 240, 14
DASHES = {"solid": "", "dashed": "9 5", "dotted": "2 5", "dashdot": "10 4 2 4"}
COLOURS = {"solid": "fast", "dashed": "slow", "dotted": "ink", "dashdot": "ink"}
GRID = 'stroke="var(--grid)" stroke-width="1"'
ANCHORS = {"middle": ' text-anchor="middle"', "end": ' text-anchor="end"', "start": ""}


def figure(picture: Picture, language: str, ascii_only: bool, name: str) -> Iterator[str]:
    """The lines of a figure; ``name`` is a beginning of ids that no other figure has."""

    def words(line: Line) -> str:
        return escape(formatting.format_line(line, language, ascii_only, true_minus=True))

    match picture:
        case Series():
            drawn, height = series(picture, words)
        case Heat():
            drawn, height = heat(picture, words)
        case Dials():
            drawn, height = dials(picture, words)
    caption = words(picture.caption)
    yield f"<figure>\n<figcaption>{caption}</figcaption>"
    yield f'<svg role="img" aria-labelledby="{name}-title {name}-desc" width="100%"'
    yield f'viewBox="0 0 {WIDTH} {height}" font-size="{LETTER}"'
    yield 'font-family="inherit" fill="none" stroke-width="2">'
    yield f'<title id="{name}-title">{caption}</title>'
    yield f'<desc id="{name}-desc">{words(picture.alt)}</desc>'
    yield from drawn
    yield "</svg>\n</figure>"


def label(x: float, y: float, text: str, anchor: str = "start") -> str:
    """An escaped text whose start, middle or end is at a point."""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="var(--ink)"{ANCHORS[anchor]}>{text}</text>'


def stroke(x: float, y: float, to_x: float, to_y: float, attributes: str = GRID) -> str:
    """A straight stroke."""
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" {attributes}/>'


def stroke_attributes(curve: Curve, dashed: bool = True) -> str:
    """Colour and dashes of a curve."""
    style = line_style(curve)
    dashes = f' stroke-dasharray="{DASHES[style]}"' if dashed and DASHES[style] else ""
    return f'stroke="var(--{COLOURS[style]})"{dashes}'


class Axis:
    """Numbers to places between two ends of the picture, with a tick here and there."""

    def __init__(self, values: list[float], logarithmic: bool, start: float, end: float) -> None:
        self.logarithmic, self.start, self.end = logarithmic, start, end
        drawable = [self.linear(value) for value in values if self.holds(value)] or [0.0]
        if logarithmic:
            low = float(math.floor(min(drawable) + 1e-9))
            high = float(math.ceil(max(drawable) - 1e-9))
            self.step = float(max(1, math.ceil((high - low) / 6)))
        else:
            low, high = min(0.0, *drawable, 0.0), max(0.0, *drawable, 0.0)
            rough = ((high - low) or 1.0) / 4
            power = 10 ** math.floor(math.log10(rough))
            self.step = next(n * power for n in (1, 2, 5, 10) if n * power >= 0.99 * rough)
            if all(float(value).is_integer() for value in values):
                self.step = max(self.step, 1.0)
            low = math.floor(low / self.step + 1e-9) * self.step
        self.low, self.high = low, max(high, low + self.step / 2)

    def holds(self, value: float) -> bool:
        """Whether the axis has a place for a value."""
        return math.isfinite(value) and (value > 0 or not self.logarithmic)

    def linear(self, value: float) -> float:
        """What a place is proportional to: a value, or its logarithm."""
        return math.log10(value) if self.logarithmic else value

    def place(self, value: float) -> float:
        """Where a value is on the picture."""
        share = (self.linear(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Places with their numbers."""
        for count in range(math.floor((self.high - self.low) / self.step + 1e-9) + 1):
            value = round(self.low + count * self.step, 12)
            value = 10.0**value if self.logarithmic else value
            yield self.place(value), formatting.format_short(value + 0.0)


def series(picture: Series, words: Callable[[Line], str]) -> tuple[list[str], int]:
    """Two axes, and curves with their points; below them the name of each curve."""
    bottom = TOP + HIGH
    xs = [x for curve in picture.curves for x in curve.xs]
    ys = [y for curve in picture.curves for y in curve.ys]
    across = Axis(xs, "x" in picture.logarithmic, LEFT, RIGHT - 16)
    up = Axis(ys, "y" in picture.logarithmic, bottom, TOP + 24)
    lines = [label(4, TOP, words(picture.axes[1]))]
    for y, number in up.ticks():
        lines += [stroke(LEFT, y, RIGHT, y), label(LEFT - 6, y + 5, number, "end")]
    for x, number in across.ticks():
        lines += [stroke(x, bottom, x, bottom + 5), label(x, bottom + 20, number, "middle")]
    lines.append(label(RIGHT, bottom + 38, words(picture.axes[0]), "end"))
    for curve in picture.curves:
        points = [
            (across.place(x), up.place(y))
            for x, y in zip(curve.xs, curve.ys, strict=True)
            if across.holds(x) and up.holds(y)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        lines.append(f'<polyline points="{line}" {stroke_attributes(curve)}/>')
        squares = " ".join(f"M{x - 3:.1f} {y - 3:.1f}h6v6h-6z" for x, y in points)
        lines.append(f'<path d="{squares}" {stroke_attributes(curve, dashed=False)}/>')
    for row, curve in enumerate(picture.curves):
        y = bottom + 58 + 20 * row
        lines += [stroke(LEFT, y - 5, LEFT + 60, y - 5, stroke_attributes(curve))]
        lines.append(label(LEFT + 70, y, words(curve.name)))
    return lines, bottom + 50 + 20 * len(picture.curves)


def heat(picture: Heat, words: Callable[[Line], str]) -> tuple[list[str], int]:
    """Cells as dark as they are great; each shows its sign, and its number where there is room."""
    size = min(96.0, (RIGHT - LEFT) / max(len(picture.column_names), 1))
    tall = min(size, 48.0)
    most = max((abs(value) for row in picture.values for value in row), default=0.0) or 1.0
    lines = [
        label(LEFT + (column + 0.5) * size, TOP + 6, words(name), "middle")
        for column, name in enumerate(picture.column_names)
    ]
    for row, (name, values) in enumerate(zip(picture.row_names, picture.values, strict=True)):
        y = TOP + 14 + row * tall
        lines.append(label(LEFT - 6, y + tall / 2 + 5, words(name), "end"))
        for column, value in enumerate(values):
            colour, share = "slow" if value < 0 else "fast", 0.45 * abs(value) / most
            lines.append(
                f'<rect x="{LEFT + column * size:.1f}" y="{y:.1f}" width="{size:.1f}" '
                f'height="{tall:.1f}" fill="var(--{colour})" fill-opacity="{share:.3f}" '
                f"{GRID}/>"
            )
            number = formatting.six_decimals(value)
            number = number if number.startswith("-") or float(number) == 0 else "+" + number
            shown = number if size >= 80 else number[0]
            lines.append(label(LEFT + (column + 0.5) * size, y + tall / 2 + 5, shown, "middle"))
    return lines, math.ceil(TOP + 20 + tall * len(picture.row_names))


def dials(picture: Dials, words: Callable[[Line], str]) -> tuple[list[str], int]:
    """A dial with its hand for each place, a row for each pair; a tick where it began."""
    count = len(picture.hands[0].xs)
    step = (RIGHT - LEFT) / max(count, 1)
    radius = min(0.4 * step, 40.0)
    tall, lines = 2 * radius + 34, [label(4, TOP + 4, words(picture.place))]
    for row, curve in enumerate(picture.hands):
        y = TOP + 20 + row * tall + radius
        lines.append(label(4, y + 5, words(curve.name)))
        for index, (place, angle) in enumerate(zip(curve.xs, curve.ys, strict=True)):
            x = LEFT + (index + 0.5) * step
            end = x + radius * math.cos(angle), y - radius * math.sin(angle)
            lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {GRID}/>')
            lines.append(stroke(x + radius - 5, y, x + radius + 5, y))
            lines.append(stroke(x, y, *end, stroke_attributes(curve)))
            if not row:
                lines.append(label(x, TOP + 4, f"{place:g}", "middle"))
    return lines, math.ceil(TOP + 20 + tall * len(picture.hands))
