"""What pictures are drawn of: paths, circles and words, each at its place.

Places are in units of a frame that is :data:`WIDTH` wide, or :data:`NARROW` for a phone; y grows
downwards. A colour is a name: a page gives it the colours of the reader, a file those of
:data:`PAPER`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

WIDTH, NARROW, LETTER = 640, 340, 14
# How wide a letter is on average, a Cyrillic one too, and how far lines of words are apart.
LETTER_WIDTH, CYRILLIC_WIDTH, LINE_HEIGHT = 8.4, 8.9, 18
PAPER = {
    "ink": "#1a1a1a",
    "grid": "#8a8f98",
    "fast": "#0b57d0",
    "slow": "#8a4b00",
    "first": "#6a1b9a",
    "second": "#00695c",
    "third": "#9a1750",
    "fourth": "#1a1a1a",
}
DASHES: dict[str, tuple[int, ...]] = {
    "solid": (),
    "dashed": (9, 5),
    "dotted": (2, 5),
    "dashdot": (10, 4, 2, 4),
    "long": (16, 4),
}
Anchor: TypeAlias = Literal["start", "middle", "end"]
Point: TypeAlias = "tuple[float, float]"


@dataclass(frozen=True, slots=True)
class Path:
    """Points joined by a line; a path with a share of ``filled`` is closed and filled so far."""

    points: tuple[Point, ...]
    colour: str = "grid"
    width: float = 1.0
    style: str = "solid"
    filled: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle; ``filled`` as in :class:`Path`."""

    centre: Point
    radius: float
    colour: str = "grid"
    width: float = 1.0
    filled: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """Words whose start, middle or end is at a place."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    colour: str = "ink"
    bold: bool = False


Shape: TypeAlias = "Path | Circle | Words"


@dataclass(frozen=True, slots=True)
class Drawing:
    """The shapes of a picture, from the lowest to the uppermost, and how high they reach."""

    shapes: tuple[Shape, ...]
    height: int


def stroke(
    start: Point, end: Point, colour: str = "grid", width: float = 1.0, style: str = "solid"
) -> Path:
    """A straight line."""
    return Path((start, end), colour, width, style)


def box(x: float, y: float, width: float, height: float, colour: str, filled: float) -> Path:
    """A filled rectangle with its upper left corner at a place."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Path(corners, colour, 0.0, filled=filled)


def arrow(start: Point, end: Point, colour: str, width: float, style: str) -> tuple[Path, ...]:
    """A line with a head at its end; one without a length is only its head's point."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.hypot(across, down) or 1.0
    along, side = (across / length, down / length), (-down / length, across / length)
    head = min(12.0, 0.5 * length)
    neck = end[0] - head * along[0], end[1] - head * along[1]
    wings = (
        (neck[0] + 0.4 * head * side[0], neck[1] + 0.4 * head * side[1]),
        (neck[0] - 0.4 * head * side[0], neck[1] - 0.4 * head * side[1]),
    )
    return stroke(start, neck, colour, width, style), Path((end, *wings), colour, 1.0, filled=1.0)


def marker(index: int, place: Point, colour: str) -> Shape:
    """The sign of the curve with an index, as in text: circles, diamonds, triangles."""
    (x, y), size = place, 4.0
    filled = 1.0 if index % 2 == 0 else 0.0
    corners: tuple[Point, ...]
    match index // 2 % 3:
        case 0:
            return Circle(place, size, colour, 1.5, filled)
        case 1:
            corners = ((x, y - size - 1), (x + size + 1, y), (x, y + size + 1), (x - size - 1, y))
        case _:
            corners = ((x, y - size - 1), (x + size + 1, y + size), (x - size - 1, y + size))
    return Path((*corners, corners[0]), colour, 1.5, filled=filled)


def width_of(text: str) -> float:
    """About how wide words are."""
    return sum(CYRILLIC_WIDTH if "Ѐ" <= letter <= "ӿ" else LETTER_WIDTH for letter in text)


def moved_down(shape: Shape, by: float) -> Shape:
    """A shape so much lower."""
    match shape:
        case Words():
            return replace(shape, y=shape.y + by)
        case Circle((x, y)):
            return replace(shape, centre=(x, y + by))
        case Path(points):
            return replace(shape, points=tuple((x, y + by) for x, y in points))
