"""The pictures of a section as a file for a lecture or a paper, in the style of the page.

An .svg file is written here. The others are drawn by matplotlib, which is no dependency: it is
imported when it draws, and a missing one is refused in one line. The same section gives the same
bytes, where matplotlib allows it.
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from io import BytesIO
from pathlib import PurePath
from typing import Any

from rope_cli.document.blocks import PICTURES, Picture, Section
from rope_cli.document.vocabulary import t
from rope_cli.renderers.cell_layout import wrap
from rope_cli.renderers.draw_svg import caption_of, draw_shapes, format_picture_line
from rope_cli.renderers.picture_layout import lay_out
from rope_cli.renderers.shapes import (
    DASHES,
    LETTER,
    LINE_HEIGHT,
    PAPER,
    WIDTH,
    Circle,
    Drawing,
    Shape,
    Words,
    moved_down,
)
from rope_cli.report.build import section_alone
from rope_cli.report.tracks import GROUPS, ILLUSTRATED, SLUGS
from rope_cli.user_input.command_errors import (
    CommandRefusal,
    UnknownSection,
    closest_match,
    quoted,
    quoted_path,
)
from rope_cli.user_input.files import write_file

# Endings of files that matplotlib writes, and the metadata that keeps the time of drawing out.
METADATA: dict[str, dict[str, None]] = {".png": {"Software": None}, ".pdf": {"CreationDate": None}}
FORMATS = (".png", ".svg", ".pdf")
FONT = "DejaVu Sans"
# Units of a frame to an inch, points to an inch, and dots of a .png file to an inch.
UNITS, POINTS, DOTS = 80, 72, 160
LONGEST_CAPTION = 66


INSTALL = "pip install 'rope-report[figures]'"


class NoMatplotlib(CommandRefusal):
    """matplotlib is not installed."""

    kind = "no-matplotlib"
    SENTENCE = t(
        "figures need matplotlib, which is not installed: {install}",
        "для рисунков нужна библиотека matplotlib; она не установлена: {install}",
    )


class NoPicture(CommandRefusal):
    """The section has no picture."""

    kind = "no-picture"
    SENTENCE = t(
        "the section {slug} has no picture; accepted: {accepted}",
        "в разделе {slug} нет рисунка; допустимо: {accepted}",
    )


class UnknownFigureFormat(CommandRefusal):
    """The ending of the file names no format of a figure."""

    kind = "unknown-figure-format"
    SENTENCE = t(
        "the name of the figure, {path}, has no known ending; accepted: {accepted}",
        "окончание имени рисунка {path} неизвестно; допустимо: {accepted}",
    )


def pictures_in(sections: Iterable[Section]) -> tuple[Picture, ...]:
    """The pictures of some sections, in their order."""
    blocks = (block for section in sections for block in section.blocks)
    return tuple(block for block in blocks if isinstance(block, PICTURES))


def figure(slug: str, path: str, language: str) -> None:
    """Write the pictures of a section, computed with the chapter's values, to a file.

    Raises a refusal if the section is unknown or has no picture, and those of
    :func:`save_pictures`.
    """
    if slug not in SLUGS:
        accepted = ", ".join(GROUPS)
        raise UnknownSection(closest_match(slug, SLUGS), slug=quoted(slug), accepted=accepted)
    if slug not in ILLUSTRATED:
        raise NoPicture(slug=quoted(slug), accepted=", ".join(ILLUSTRATED))
    save_pictures(pictures_in(section_alone(slug).sections), path, language)


def save_pictures(pictures: Sequence[Picture], path: str, language: str) -> None:
    """Write pictures, one below the other, to a .png, .svg or .pdf file.

    Raises a refusal if the ending is unknown, matplotlib is missing or the file cannot be written.
    """
    ending = PurePath(path).suffix.lower()
    if ending not in FORMATS:
        raise UnknownFigureFormat(path=quoted_path(path), accepted=", ".join(FORMATS))
    drawing = draw_below_one_another(pictures, language)
    data = as_svg(drawing) if ending == ".svg" else as_matplotlib(drawing, ending)
    write_file(path, data)


def draw_below_one_another(pictures: Sequence[Picture], language: str) -> Drawing:
    """The shapes of all pictures, each below its caption."""
    shapes: list[Shape] = []
    height = 0.0
    for picture in pictures:
        for line in wrap(caption_of(picture, language), LONGEST_CAPTION):
            height += LINE_HEIGHT
            shapes.append(Words(4, height, line, bold=True))
        height += LINE_HEIGHT / 2
        drawing = lay_out(picture, partial(format_picture_line, language=language))
        shapes += (moved_down(shape, height) for shape in drawing.shapes)
        height += drawing.height + LINE_HEIGHT
    return Drawing(tuple(shapes), math.ceil(height))


def as_svg(drawing: Drawing) -> bytes:
    """A file for a browser or a drawing program, on white paper."""
    width, height = WIDTH, drawing.height
    lines = (
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
        f'viewBox="0 0 {width} {height}" font-size="{LETTER}"',
        f'font-family="{FONT}, sans-serif" fill="none">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *draw_shapes(drawing.shapes, PAPER.__getitem__),
        "</svg>",
    )
    return "".join(f"{line}\n" for line in lines).encode()


def as_matplotlib(drawing: Drawing, ending: str) -> bytes:
    """The same shapes drawn by matplotlib; raises :class:`NoMatplotlib`."""
    try:
        with nobodys_settings():
            matplotlib: Any = import_module("matplotlib")
            backend: Any = import_module("matplotlib.backends.backend_agg")
            figures: Any = import_module("matplotlib.figure")
            patches: Any = import_module("matplotlib.patches")
    except ImportError as missing:
        raise NoMatplotlib(install=INSTALL) from missing
    with matplotlib.rc_context({"font.family": FONT}):
        canvas = figures.Figure(figsize=(WIDTH / UNITS, drawing.height / UNITS))
        backend.FigureCanvasAgg(canvas)
        axes = canvas.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(drawing.height, 0))
        axes.set_axis_off()
        for order, shape in enumerate(drawing.shapes):
            draw(axes, patches, shape, order)
        data = BytesIO()
        canvas.savefig(data, format=ending[1:], metadata=METADATA[ending], dpi=DOTS)
    return data.getvalue()


@contextmanager
def nobodys_settings() -> Iterator[None]:
    """Let matplotlib be imported as it was installed, in silence.

    It reads a file ``matplotlibrc`` of the current folder before any other, refuses an unknown
    backend of the environment, and complains of a home that cannot be written.
    """
    logging.getLogger("matplotlib").setLevel(logging.CRITICAL)
    names = {"MPLBACKEND": "agg", "MATPLOTLIBRC": os.devnull}
    before = {name: os.environ.get(name) for name in names}
    try:
        here = os.getcwd()
    except OSError:  # the current folder is gone
        here = os.path.sep
    os.environ.update(names)
    os.chdir(os.path.dirname(os.__file__))
    try:
        yield
    finally:
        os.chdir(here)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def draw(axes: Any, patches: Any, shape: Shape, order: int) -> None:
    """Draw a shape above those of a lower order."""
    colour = PAPER[shape.colour]
    looks: dict[str, Any]
    if isinstance(shape, Words):
        # A dollar sign would begin a formula of matplotlib's.
        text, size = shape.text.replace("$", r"\$"), LETTER * POINTS / UNITS
        side = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
        weight = "bold" if shape.bold else "normal"
        looks = {"color": colour, "size": size, "weight": weight, "ha": side, "zorder": order}
        axes.text(shape.x, shape.y, text, **looks)
        return
    looks = {"linewidth": shape.width * POINTS / UNITS, "zorder": order}
    looks["edgecolor"] = colour if shape.width else "none"
    looks["facecolor"] = (colour, shape.filled) if shape.filled else "none"
    if isinstance(shape, Circle):
        axes.add_patch(patches.Circle(shape.centre, shape.radius, **looks))
    elif shape.filled:
        axes.add_patch(patches.Polygon(shape.points, closed=True, **looks))
    else:
        # matplotlib counts dashes in widths of their line.
        dashes = tuple(length / shape.width for length in DASHES[shape.style])
        xs, ys = zip(*shape.points, strict=True)
        looks = {"linewidth": looks["linewidth"], "zorder": order, "color": colour}
        axes.plot(xs, ys, linestyle=(0, dashes or None), **looks)
