"""The pictures of a section as a file for a lecture or a paper, drawn by matplotlib.

matplotlib is no dependency: it is looked for when a figure is asked for, and what is missing is
said in one line. The same section gives the same bytes, where matplotlib allows it.
"""

from __future__ import annotations

import math
from importlib import import_module
from io import BytesIO
from pathlib import PurePath
from typing import Any

from rope_cli.document import formatting
from rope_cli.document.blocks import Curve, Dials, Heat, Line, Picture, Series
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

# What a file is called, and what keeps the hour of drawing out of it.
FORMATS: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
STEADY = {"svg.hashsalt": "rope-report", "font.family": "DejaVu Sans", "font.size": 10}
WIDTH, HEIGHT, DOTS = 8.0, 3.6, 150
STROKES = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-."}
MARKERS = "osD^v*"


class NoMatplotlib(CommandRefusal):
    """A figure is asked for where nothing can draw it."""

    kind = "no-matplotlib"
    SENTENCE = t(
        "figures need matplotlib, which is not installed: {install}",
        "для рисунков нужна библиотека matplotlib; она не установлена: {install}",
    )


class NoPicture(CommandRefusal):
    """A section that has nothing to draw."""

    kind = "no-picture"
    SENTENCE = t(
        "the section {slug} has no picture; accepted: {accepted}",
        "в разделе {slug} нет рисунка; допустимо: {accepted}",
    )


class UnknownFigureFormat(CommandRefusal):
    """A file whose name ends as no figure does."""

    kind = "unknown-figure-format"
    SENTENCE = t(
        "the figure {path} has no known ending; accepted: {accepted}",
        "окончание имени рисунка {path} неизвестно; допустимо: {accepted}",
    )


def pictures_of(slug: str) -> tuple[Picture, ...]:
    """The pictures of a section, computed with the chapter's values."""
    (section,) = section_alone(slug).sections
    return tuple(each for each in section.blocks if isinstance(each, Series | Heat | Dials))


def figure(slug: str, path: str, language: str) -> None:
    """Write the pictures of a section, one below the other, to a .png, .svg or .pdf file."""
    if slug not in SLUGS:
        accepted = ", ".join(GROUPS)
        raise UnknownSection(closest_match(slug, SLUGS), slug=quoted(slug), accepted=accepted)
    ending = PurePath(path).suffix.lower()
    if ending not in FORMATS:
        raise UnknownFigureFormat(path=quoted_path(path), accepted=", ".join(FORMATS))
    if slug not in ILLUSTRATED:
        raise NoPicture(slug=quoted(slug), accepted=", ".join(ILLUSTRATED))
    try:
        matplotlib: Any = import_module("matplotlib")
        backend: Any = import_module("matplotlib.backends.backend_agg")
        figures: Any = import_module("matplotlib.figure")
    except ImportError as missing:
        raise NoMatplotlib(install="pip install 'rope-report[figures]'") from missing
    pictures = pictures_of(slug)
    with matplotlib.rc_context(STEADY):
        whole = figures.Figure(figsize=(WIDTH, HEIGHT * len(pictures)), layout="constrained")
        backend.FigureCanvasAgg(whole)
        parts = whole.subfigures(len(pictures), 1, squeeze=False)
        for part, picture in zip(parts.flat, pictures, strict=True):
            part.suptitle(said(picture.caption, language), wrap=True)
            draw(part, picture, language)
        data = BytesIO()
        whole.savefig(data, format=ending[1:], metadata=FORMATS[ending], dpi=DOTS)
    write_file(path, data.getvalue())


def said(line: Line, language: str) -> str:
    """The characters of a line; a dollar sign would begin a formula of matplotlib's."""
    return formatting.format_line(line, language).replace("$", r"\$")


def draw(part: Any, picture: Picture, language: str) -> None:
    """One picture in its part of the figure."""
    match picture:
        case Series():
            series(part.subplots(), picture, language)
        case Heat():
            heat(part.subplots(), picture, language)
        case Dials():
            dials(part, picture, language)


def stroke(curve: Curve) -> str:
    """The stroke of a curve, in matplotlib's spelling."""
    style = line_style(curve)
    return STROKES[style]


def series(axes: Any, picture: Series, language: str) -> None:
    """Curves over named axes."""
    for at, curve in enumerate(picture.curves):
        axes.plot(
            [x if x > 0 or "x" not in picture.logarithmic else math.nan for x in curve.xs],
            [y if y > 0 or "y" not in picture.logarithmic else math.nan for y in curve.ys],
            linestyle=stroke(curve),
            marker=MARKERS[at % len(MARKERS)],
            label=said(curve.name, language),
        )
    if "x" in picture.logarithmic:
        axes.set_xscale("log")
    if "y" in picture.logarithmic:
        axes.set_yscale("log")
    else:
        axes.axhline(0.0, color="0.5", linewidth=0.8)
    axes.set_xlabel(said(picture.axes[0], language))
    axes.set_ylabel(said(picture.axes[1], language))
    axes.grid(visible=True, alpha=0.4)
    if len(picture.curves) > 1:
        axes.legend()


def heat(axes: Any, picture: Heat, language: str) -> None:
    """Shaded cells with their numbers."""
    most = max((abs(value) for row in picture.values for value in row), default=0.0) or 1.0
    axes.imshow(picture.values, cmap="RdBu_r", vmin=-most, vmax=most)
    axes.set_xticks(range(len(picture.column_names)))
    axes.set_xticklabels([said(name, language) for name in picture.column_names])
    axes.set_yticks(range(len(picture.row_names)))
    axes.set_yticklabels([said(name, language) for name in picture.row_names])
    for row, values in enumerate(picture.values):
        for at, value in enumerate(values):
            shade = "white" if abs(value) > 0.6 * most else "black"
            words = formatting.six_decimals(value)
            axes.text(at, row, words, ha="center", va="center", color=shade)


def dials(part: Any, picture: Dials, language: str) -> None:
    """A dial for each place and pair; the tick is where the hand began."""
    places = picture.hands[0].xs
    grid = part.subplots(len(picture.hands), len(places), squeeze=False)
    for row, curve in zip(grid, picture.hands, strict=True):
        for axes, x, angle in zip(row, places, curve.ys, strict=True):
            turns = [math.tau * step / 72 for step in range(73)]
            axes.plot([math.cos(one) for one in turns], [math.sin(one) for one in turns], "0.6")
            axes.plot([0.85, 1.15], [0.0, 0.0], "0.3")
            hand = [0.0, math.cos(angle)], [0.0, math.sin(angle)]
            axes.plot(*hand, "k", linestyle=stroke(curve), linewidth=2)
            axes.set_aspect("equal")
            axes.set_axis_off()
            if curve is picture.hands[0]:
                axes.set_title(f"{said(picture.place, language)} = {x:g}")
        row[0].text(-1.3, 0.0, said(curve.name, language), ha="right", va="center")
