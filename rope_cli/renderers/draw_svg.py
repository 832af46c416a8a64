"""Shapes as SVG: inside a page, in the colours of the reader, or as a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape

from rope_cli.document import formatting
from rope_cli.document.blocks import Line, Picture
from rope_cli.renderers.picture_layout import lay_out
from rope_cli.renderers.shapes import (
    DASHES,
    LETTER,
    NARROW,
    WIDTH,
    Circle,
    Path,
    Point,
    Shape,
    Words,
)


def format_picture_line(line: Line, language: str, ascii_only: bool = False) -> str:
    """The characters of a line of a picture, with a true minus where one is meant."""
    return formatting.format_line(line, language, ascii_only, true_minus=True)


def caption_of(picture: Picture, language: str, ascii_only: bool = False) -> str:
    """The caption without the colon that leads from it to what stands below in text."""
    return format_picture_line(picture.caption, language, ascii_only).rstrip(":")


def figure(picture: Picture, language: str, ascii_only: bool, name: str) -> Iterator[str]:
    """The lines of a figure, drawn for a wide and for a narrow page, of which one is shown.

    ``name`` is a beginning of ids that no other figure has.
    """

    def words(line: Line) -> str:
        return format_picture_line(line, language, ascii_only)

    caption = escape(caption_of(picture, language, ascii_only))
    yield f"<figure>\n<figcaption>{caption}</figcaption>"
    for kind, width in (("wide", WIDTH), ("narrow", NARROW)):
        drawing = lay_out(picture, words, width)
        yield f'<svg class="{kind}" role="img" aria-labelledby="{name} {name}-desc" width="100%"'
        yield f'viewBox="0 0 {width} {drawing.height}" font-size="{LETTER}"'
        yield 'font-family="inherit" fill="none">'
        if kind == "wide":  # its words name both drawings
            yield f'<title id="{name}">{caption}</title>'
            yield f'<desc id="{name}-desc">{escape(words(picture.alt))}</desc>'
        yield from draw_shapes(drawing.shapes, lambda colour: f"var(--{colour})")
        yield "</svg>"
    yield "</figure>"


def draw_shapes(shapes: Iterable[Shape], colour_of: Callable[[str], str]) -> Iterator[str]:
    """An element for each shape; ``colour_of`` gives the colour of a name."""
    for shape in shapes:
        match shape:
            case Words(x, y, text, anchor):
                side = "" if anchor == "start" else f' text-anchor="{anchor}"'
                fill = colour_of(shape.colour)
                side += ' font-weight="bold"' if shape.bold else ""
                yield f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}"{side}>{escape(text)}</text>'
            case Circle((x, y), radius):
                at = f'cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"'
                yield f"<circle {at}{attributes(shape, colour_of)}/>"
            case Path(((x, y), (to_x, to_y))):
                at = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
                yield f"<line {at}{attributes(shape, colour_of)}/>"
            case Path(points):
                name = "polygon" if shape.filled else "polyline"
                yield f'<{name} points="{listed(points)}"{attributes(shape, colour_of)}/>'


def listed(points: Iterable[Point]) -> str:
    """Points as SVG writes them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def attributes(shape: Path | Circle, colour_of: Callable[[str], str]) -> str:
    """Colour, width and dashes of the line of a shape, and what fills it."""
    colour, parts = colour_of(shape.colour), ""
    if shape.width:
        parts += f' stroke="{colour}" stroke-width="{shape.width:g}"'
    if isinstance(shape, Path) and DASHES[shape.style]:
        parts += f' stroke-dasharray="{" ".join(map(str, DASHES[shape.style]))}"'
    if shape.filled:
        parts += f' fill="{colour}"'
        parts += "" if shape.filled == 1 else f' fill-opacity="{shape.filled:.3f}"'
    return parts
