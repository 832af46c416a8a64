"""The pictures of a section as a file for a lecture or a paper, drawn by matplotlib.

matplotlib is no dependency: it is imported when a figure is drawn, and a missing one is refused in
one line. The same section gives the same bytes, where matplotlib allows it.
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO
from pathlib import PurePath
from typing import Any

from rope_cli.document import formatting
from rope_cli.document.blocks import Curve, Dials, Heat, Line, Picture, Section, Series
from rope_cli.document.charts import line_style
from rope_cli.document.vocabulary import t
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

# Endings of files, and the metadata that keeps the time of drawing out of each.
FORMATS: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
STEADY = {"svg.hashsalt": "rope-report", "font.family": "DejaVu Sans", "font.size": 10}
WIDTH, HEIGHT, DOTS = 8.0, 3.6, 150
STROKES = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-."}
MARKERS = "osD^v*"


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
        "the figure {path} has no known ending; accepted: {accepted}",
        "окончание имени рисунка {path} неизвестно; допустимо: {accepted}",
    )


def pictures_in(sections: Iterable[Section]) -> tuple[Picture, ...]:
    """The pictures of some sections, in their order."""
    blocks = (block for section in sections for block in section.blocks)
    return tuple(block for block in blocks if isinstance(block, Series | Heat | Dials))


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
    try:
        with nobodys_settings():
            matplotlib: Any = import_module("matplotlib")
            backend: Any = import_module("matplotlib.backends.backend_agg")
            figures: Any = import_module("matplotlib.figure")
    except ImportError as missing:
        raise NoMatplotlib(install=INSTALL) from missing
    with matplotlib.rc_context(STEADY):
        canvas = figures.Figure(figsize=(WIDTH, HEIGHT * len(pictures)), layout="constrained")
        backend.FigureCanvasAgg(canvas)
        parts = canvas.subfigures(len(pictures), 1, squeeze=False)
        for part, picture in zip(parts.flat, pictures, strict=True):
            part.suptitle(label(picture.caption, language), wrap=True)
            draw(part, picture, language)
        data = BytesIO()
        canvas.savefig(data, format=ending[1:], metadata=FORMATS[ending], dpi=DOTS)
    write_file(path, data.getvalue())


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


def label(line: Line, language: str) -> str:
    """The characters of a line; a dollar sign would begin a formula of matplotlib's."""
    return formatting.format_line(line, language).replace("$", r"\$")


def draw(part: Any, picture: Picture, language: str) -> None:
    """Draw one picture in its part of the figure."""
    match picture:
        case Series():
            series(part.subplots(), picture, language)
        case Heat():
            heat(part.subplots(), picture, language)
        case Dials():
            dials(part, picture, language)


def stroke(curve: Curve) -> str:
    """The line style of a curve, as matplotlib writes it."""
    return STROKES[line_style(curve)]


def series(axes: Any, picture: Series, language: str) -> None:
    """Draw curves over named axes."""
    for index, curve in enumerate(picture.curves):
        axes.plot(
            [x if x > 0 or "x" not in picture.logarithmic else math.nan for x in curve.xs],
            [y if y > 0 or "y" not in picture.logarithmic else math.nan for y in curve.ys],
            linestyle=stroke(curve),
            marker=MARKERS[index % len(MARKERS)],
            label=label(curve.name, language),
        )
    if "x" in picture.logarithmic:
        axes.set_xscale("log")
    if "y" in picture.logarithmic:
        axes.set_yscale("log")
    else:
        axes.axhline(0.0, color="0.5", linewidth=0.8)
    axes.set_xlabel(label(picture.axes[0], language))
    axes.set_ylabel(label(picture.axes[1], language))
    axes.grid(visible=True, alpha=0.4)
    if len(picture.curves) > 1:
        axes.legend()


def heat(axes: Any, picture: Heat, language: str) -> None:
    """Draw shaded cells with their numbers."""
    most = max((abs(value) for row in picture.values for value in row), default=0.0) or 1.0
    axes.imshow(picture.values, cmap="RdBu_r", vmin=-most, vmax=most)
    axes.set_xticks(range(len(picture.column_names)))
    axes.set_xticklabels([label(name, language) for name in picture.column_names])
    axes.set_yticks(range(len(picture.row_names)))
    axes.set_yticklabels([label(name, language) for name in picture.row_names])
    for row, values in enumerate(picture.values):
        for column, value in enumerate(values):
            shade = "white" if abs(value) > 0.6 * most else "black"
            number = formatting.six_decimals(value)
            axes.text(column, row, number, ha="center", va="center", color=shade)


def dials(part: Any, picture: Dials, language: str) -> None:
    """Draw a dial for each place and pair; the tick is where the hand began."""
    places = picture.hands[0].xs
    circle = [math.tau * step / 72 for step in range(73)]
    grid = part.subplots(len(picture.hands), len(places), squeeze=False)
    for row, curve in zip(grid, picture.hands, strict=True):
        for axes, x, angle in zip(row, places, curve.ys, strict=True):
            axes.plot([math.cos(a) for a in circle], [math.sin(a) for a in circle], "0.6")
            axes.plot([0.85, 1.15], [0.0, 0.0], "0.3")
            hand = [0.0, math.cos(angle)], [0.0, math.sin(angle)]
            axes.plot(*hand, "k", linestyle=stroke(curve), linewidth=2)
            axes.set_aspect("equal")
            axes.set_axis_off()
            if curve is picture.hands[0]:
                axes.set_title(f"{label(picture.place, language)} = {x:g}")
        row[0].text(-1.3, 0.0, label(curve.name, language), ha="right", va="center")
