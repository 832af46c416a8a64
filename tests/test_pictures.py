"""Pictures: true to their values, inside every page, and readable without seeing them."""

from __future__ import annotations

import importlib.util
import json
import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tools.command import Run

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    PICTURES,
    Arcs,
    Arrow,
    Cue,
    Curve,
    Dials,
    Document,
    Heat,
    Panel,
    Picture,
    Plane,
    Series,
)
from rope_cli.document.charts import curves, series_by_distance
from rope_cli.renderers import render
from rope_cli.renderers.draw_svg import figure as as_svg
from rope_cli.renderers.draw_text import Canvas, draw_picture
from rope_cli.report import build, figure
from rope_cli.report.figure import NoMatplotlib, NoPicture, UnknownFigureFormat
from rope_cli.report.tracks import ILLUSTRATED
from rope_cli.text import LANGUAGES, Text
from rope_cli.user_input.command_errors import CannotWrite, CommandRefusal, UnknownSection

WIDTHS = (40, 60, 80, 120)
MOST_LINES = 16
# These stand in place of longer tables, whose numbers they show.
IN_PLACE_OF_TABLES = {"same-content", "bound"}
NAME = Text(en="a name", ru="имя")
SMALLEST_LETTER = 12
FRAMES = {"wide": 640, "narrow": 340}
DRAWN = {"svg", "title", "desc", "line", "text", "polyline", "polygon", "circle"}
CURVE_COLOURS = [f"var(--{name})" for name in ("first", "second", "third", "fourth")]
CUE_COLOURS = {"var(--fast)", "var(--slow)"}


@pytest.fixture(scope="module")
def whole() -> Document:
    """All sections."""
    return build.build(["all"])


@pytest.fixture(scope="module")
def pictures(whole: Document) -> dict[str, list[Picture]]:
    """The pictures of every section that has some."""
    found = {
        section.slug: [each for each in section.blocks if isinstance(each, PICTURES)]
        for section in whole.sections
    }
    return {slug: each for slug, each in found.items() if each}


def every(pictures: dict[str, list[Picture]]) -> Iterator[tuple[str, Picture]]:
    for slug, each in pictures.items():
        for picture in each:
            yield slug, picture


def in_text(pictures: dict[str, list[Picture]]) -> Iterator[tuple[str, Picture]]:
    return ((slug, each) for slug, each in every(pictures) if not each.graphical)


def all_series(pictures: dict[str, list[Picture]]) -> Iterator[tuple[str, Series]]:
    return ((slug, each) for slug, each in every(pictures) if isinstance(each, Series))


def segments(svg: ElementTree.Element, colour: str) -> int:
    """How many pieces of lines the curve of a colour has; its markers are closed."""
    lines = [
        each.get("points", "").split()
        for each in svg.iter("polyline")
        if each.get("stroke") == colour
    ]
    joined = sum(len(points) - 1 for points in lines if points[0] != points[-1])
    return joined + sum(each.get("stroke") == colour for each in svg.iter("line"))


def one_curve(*values: float, logarithmic: Any = "") -> Series:
    made = series_by_distance(range(len(values)), values, NAME, NAME, NAME)
    return replace(made, logarithmic=logarithmic)


def two_curves(first: float, second: float) -> Series:
    made = curves([0, 1], (NAME, [first, 1.0]), (NAME, [second, 1.0]))
    return Series(NAME, ("x", "y"), made, NAME)


def heat_of(*rows: tuple[float, ...]) -> Heat:
    names = tuple(str(at) for at in range(len(rows)))
    return Heat(NAME, names, names, rows, NAME)


def dial_of(*angles: float) -> Dials:
    places = tuple(float(at) for at in range(len(angles)))
    return Dials(NAME, "m", (Curve(NAME, places, angles, Cue.FAST),), NAME)


def svg_of(picture: Picture, language: str = "en", kind: str = "wide") -> ElementTree.Element:
    found = ElementTree.fromstring("\n".join(as_svg(picture, language, False, "one")))
    for each in found.findall("svg"):
        if each.get("class") != kind:
            found.remove(each)
    assert len(found.findall("svg")) == 1
    return found


def test_sections_worth_seeing_have_pictures(pictures: dict[str, list[Picture]]) -> None:
    """The list that figures are offered from is the list of sections with pictures."""
    assert set(pictures) == set(ILLUSTRATED)


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_picture_keeps_to_the_page(
    width: int, language: str, ascii_only: bool, pictures: dict[str, list[Picture]]
) -> None:
    """No line is too long or ends with a blank, and no number is cut, wherever it is drawn."""
    for slug, picture in in_text(pictures):
        lines = draw_picture(picture, language, width, ascii_only)
        assert max(map(len, lines)) <= width, slug
        assert [line for line in lines if line != line.rstrip()] == []
        wide = "\n".join(draw_picture(picture, language, 300, ascii_only))
        number = re.compile(r"-?\d+\.\d+")
        assert sorted(number.findall("\n".join(lines))) == sorted(number.findall(wide)), slug
        if isinstance(picture, Series) and len(picture.curves) == 1:
            words = {word for line in lines for word in line.split()}
            assert words >= set(map(formatting.six_decimals, picture.curves[0].ys)), slug


@pytest.mark.parametrize("language", LANGUAGES)
def test_picture_is_small(language: str, pictures: dict[str, list[Picture]]) -> None:
    """A section with its picture still reads well on a small screen."""
    for slug, picture in in_text(pictures):
        lines = draw_picture(picture, language, 80, ascii_only=False)
        alone = isinstance(picture, Series) and len(picture.curves) == 1
        rows = len(picture.curves[0].xs) if alone and isinstance(picture, Series) else 0
        assert slug in IN_PLACE_OF_TABLES or not alone
        assert len(lines) <= (rows + 2 if alone else MOST_LINES), slug


def test_ascii_picture_is_ascii(pictures: dict[str, list[Picture]]) -> None:
    """With ASCII signs an English picture has no other sign."""
    for _, picture in in_text(pictures):
        assert "\n".join(draw_picture(picture, "en", 80, ascii_only=True)).isascii()


@pytest.mark.parametrize("ascii_only", [False, True])
def test_bar_is_as_long_as_its_value(ascii_only: bool) -> None:
    """Twice the value is twice the bar; a negative one goes to the other side of zero."""
    axis, full = ("|", "#") if ascii_only else ("│", "█")
    _, _, *rows = draw_picture(one_curve(2.0, 1.0, 0.0, -1.0), "en", 80, ascii_only)
    right = [row.partition(axis)[2] for row in rows]
    left = [row.partition(axis)[0].split()[2:] for row in rows]
    assert len(right[0]) == pytest.approx(2 * len(right[1]), abs=2)
    assert set(right[0]) <= {full, "▌"}
    assert right[2:] == ["", ""]
    assert left[:3] == [[], [], []]
    assert len(left[3][0]) == pytest.approx(len(right[1]), abs=1)


def test_mark_stands_where_its_value_is() -> None:
    """Marks keep the order of their values, and those that coincide are counted."""
    lines = draw_picture(two_curves(0.2, 0.8), "en", 80, ascii_only=False)
    apart, together = lines[-2:]
    assert apart.index("○") / apart.index("●") == pytest.approx(4, rel=0.2)
    assert together.endswith("2")
    assert any("overlap" in line for line in lines)
    alone = two_curves(0.0, 2.0)
    first, second = alone.curves
    alone = replace(alone, curves=(first, replace(second, xs=(2.0, 3.0))))
    assert not any("overlap" in line for line in draw_picture(alone, "en", 80, ascii_only=False))


def test_logarithmic_marks_are_evenly_spaced() -> None:
    """Each power of ten is as far from the next; what has no logarithm is left out."""
    picture = one_curve(1.0, 10.0, 100.0, -5.0, 1000.0, logarithmic="y")
    _, _, _, ends, *rows = draw_picture(picture, "en", 80, ascii_only=False)
    at = [row.find("●") for row in rows]
    assert ends.split() == ["1", "1000"]
    assert at[3] == -1
    steps = [at[1] - at[0], at[2] - at[1], at[4] - at[2]]
    assert max(steps) - min(steps) <= 1 < min(steps)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_diagonals_of_the_matrix_have_one_shade(
    ascii_only: bool, pictures: dict[str, list[Picture]]
) -> None:
    """Along each diagonal all cells are alike, and other diagonals have other cells."""
    (heat,) = pictures["dot-products"]
    cells = [line.split()[1:] for line in draw_picture(heat, "en", 80, ascii_only)[-3:]]
    diagonals = [
        {cells[m][n] for m in range(3) for n in range(3) if n - m == off} for off in range(-2, 3)
    ]
    assert [len(each) for each in diagonals] == [1] * 5
    assert diagonals == diagonals[::-1]
    assert len(set().union(*diagonals)) == 3


@pytest.mark.parametrize("ascii_only", [False, True])
def test_sign_of_a_cell_is_drawn(ascii_only: bool) -> None:
    """A negative cell differs from a positive one of the same size, and zero from both."""
    *_, first, second = draw_picture(heat_of((1.0, -1.0), (0.0, 0.5)), "en", 80, ascii_only)
    assert [cell[0] for cell in first.split()[1:]] == ["+", "-" if ascii_only else "−"]
    assert first.split()[1][1:] == first.split()[2][1:]
    assert second.split()[1] == "0"
    shown = [text.text for text in svg_of(heat_of((1.0, -1.0), (0.0, 0.5))).iter("text")]
    assert {"+1.000000", "−1.000000", "0.000000", "+0.500000"} <= set(shown)


@pytest.mark.parametrize(
    ("eighths", "row", "column", "sign"),
    [
        (0, 1, 4, "─"),
        (1, 0, 3, "╱"),
        (2, 0, 2, "│"),
        (3, 0, 1, "╲"),
        (4, 1, 0, "─"),
        (5, 2, 1, "╱"),
        (6, 2, 2, "│"),
        (7, 2, 3, "╲"),
        (8, 1, 4, "─"),
    ],
)
def test_hand_points_where_its_angle_says(eighths: int, row: int, column: int, sign: str) -> None:
    """Angles grow counter-clockwise from the right: a quarter of a turn is up."""
    angle = eighths * math.tau / 8
    for nudge in (-0.3, 0.0, 0.3):
        assert Canvas("en", 80, False).hand(angle + nudge)[row][column] == sign
    (circle,), (_, hand) = (list(svg_of(dial_of(angle)).iter(tag)) for tag in ("circle", "line"))
    across = float(hand.get("x2", "")) - float(circle.get("cx", ""))
    up = float(circle.get("cy", "")) - float(hand.get("y2", ""))
    length = float(circle.get("r", ""))
    assert (across / length, up / length) == pytest.approx(
        (math.cos(angle), math.sin(angle)), abs=0.01
    )


def test_convention_of_the_dials_is_said(pictures: dict[str, list[Picture]]) -> None:
    """The caption says where angle 0 is and which way angles grow."""
    (dials,) = pictures["clocks"]
    for language, word in zip(LANGUAGES, ("counter-clockwise", "против часовой"), strict=True):
        assert word in formatting.format_line(dials.caption, language)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (one_curve(1.0, 2.0), one_curve(1.0, 1.5)),
        (two_curves(0.2, 0.8), two_curves(0.2, 0.6)),
        (heat_of((1.0, 2.0), (2.0, 1.0)), heat_of((1.0, 2.0), (2.0, 1.9))),
        (dial_of(0.0, 1.0), dial_of(0.0, 2.0)),
    ],
    ids=["bars", "marks", "heat", "dials"],
)
def test_value_reaches_the_drawing(one: Picture, other: Picture) -> None:
    """Another value gives another drawing, as text and as SVG."""
    for ascii_only in (False, True):
        assert draw_picture(one, "en", 80, ascii_only) != draw_picture(other, "en", 80, ascii_only)
    assert ElementTree.tostring(svg_of(one)) != ElementTree.tostring(svg_of(other))


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_of_all_sections_holds_sound_figures(language: str, whole: Document) -> None:
    """Each figure is XML with title and description, ids differ, and nothing is fetched."""
    page = render(whole, "html", language)
    found = re.findall(r"<figure>.*?</figure>", page, re.DOTALL)
    assert len(found) >= len(ILLUSTRATED)
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(set(ids)) == len(ids)
    for text in found:
        figure_ = ElementTree.fromstring(text)
        assert figure_.findtext("figcaption")
        drawings = figure_.findall("svg")
        assert [each.get("class") for each in drawings] == ["wide", "narrow"]
        for svg, width in zip(drawings, FRAMES.values(), strict=True):
            assert svg.get("role") == "img"
            words = [each for each in figure_.iter() if each.tag in ("title", "desc")]
            named = {each.get("id"): each.text for each in words}
            assert list(named) == str(svg.get("aria-labelledby")).split()
            assert all(named.values())
            assert len(named) == 2
            assert float(svg.get("font-size", "0")) >= SMALLEST_LETTER
            assert str(svg.get("viewBox")).startswith(f"0 0 {width} ")
            assert svg.get("width") == "100%"
            for each in svg.iter():
                assert each.tag in DRAWN
                assert not {at for at in each.attrib if at.endswith("href") or at[:2] == "on"}
    assert not re.search(r"<(script|img|link|iframe)\b|url\(|@import|https?://", "".join(found))


@pytest.mark.parametrize(("kind", "width"), FRAMES.items())
def test_figure_stays_within_its_frame(
    kind: str, width: int, pictures: dict[str, list[Picture]]
) -> None:
    """No point of a figure lies outside what is shown of it."""
    for slug, picture in every(pictures):
        for language in LANGUAGES:
            svg = svg_of(picture, language, kind).find("svg")
            assert svg is not None
            height = float(str(svg.get("viewBox")).split()[3])
            for each in svg.iter():
                for name in ("x", "x1", "x2", "cx"):
                    assert 0 <= float(each.get(name, "0")) <= width, slug
                for name in ("y", "y1", "y2", "cy"):
                    assert 0 <= float(each.get(name, "0")) <= height, slug


def test_curves_differ_without_colour() -> None:
    """Four curves have four kinds of stroke and four markers, and names at their ends."""
    picture = Series(NAME, ("x", "y"), curves([0, 1], *[(NAME, [0, 1])] * 4), NAME)
    svg = svg_of(picture)
    lines = [each for each in svg.iter("line") if each.get("stroke") in CURVE_COLOURS]
    assert len({each.get("stroke-dasharray") for each in lines}) == 4
    circles = [each.get("fill") is None for each in svg.iter("circle")]
    assert circles == [False, False, True, True]
    assert len([*svg.iter("polygon"), *svg.iter("polyline")]) == 4
    names = [each for each in svg.iter("text") if each.text == NAME.en]
    ends = [each for each in names if each.get("fill") in CURVE_COLOURS]
    assert len(ends) == 4
    assert min(float(each.get("x", "0")) for each in ends) > max(
        float(each.get("x2", "0")) for each in lines
    )
    assert len({each.get("y") for each in ends}) == 4


def test_two_cues_are_for_the_two_pairs(pictures: dict[str, list[Picture]]) -> None:
    """Blue and brown lines are those of fast and slow pairs, in whatever picture."""
    for slug, series in all_series(pictures):
        used = {each.get("stroke") for each in svg_of(series).iter()} & CUE_COLOURS
        cues = {c.style for c in (*series.curves, *series.dense)} & {Cue.FAST, Cue.SLOW}
        assert len(used) == len(cues), slug


def test_line_joins_neighbours_only(pictures: dict[str, list[Picture]]) -> None:
    """No line runs between places that are more than one apart, nor from 0 to logarithms."""
    curve = Curve(NAME, (0.0, 1.0, 2.0, 5.0, 6.0, 100.0), (1.0,) * 6)
    alone = Series(NAME, ("x", "y"), (curve,), NAME)
    assert segments(svg_of(alone), CURVE_COLOURS[0]) == 3
    assert segments(svg_of(replace(alone, logarithmic="x")), CURVE_COLOURS[0]) == 2
    for slug, series in all_series(pictures):
        first = 1 if "x" in series.logarithmic else 0
        for index, colour in enumerate(CURVE_COLOURS):
            drawn = [*series.curves[index : index + 1], *series.dense[index : index + 1]]
            expected = sum(
                here <= before + 1 and before >= first
                for each in drawn
                for before, here in pairwise(each.xs)
            )
            # A name too long for the end of its curve stands below, beside a piece of its line.
            below = {0, len(drawn[:1])}
            assert segments(svg_of(series), colour) - expected in below, slug


def test_zero_has_a_place_on_a_logarithmic_axis() -> None:
    """D = 0 is drawn, named and apart; so is every other point."""
    picture = one_curve(*range(18), logarithmic="x")
    svg = svg_of(picture)
    across = [float(each.get("cx", "0")) for each in svg.iter("circle")]
    assert len(across) == 18
    assert across[0] < across[1] - 20
    assert [each.text for each in svg.iter("text")].count("0") == 2


def test_points_are_values_of_their_section(
    pictures: dict[str, list[Picture]], whole: Document
) -> None:
    """The heights of each curve are a row or a column of the section's values, or one of them."""
    values = {
        each["slug"]: each["values"] for each in json.loads(render(whole, "json", "en"))["sections"]
    }
    for slug, series in all_series(pictures):
        rows = set(rows_of(values[slug]))
        for curve in (*series.curves, *series.dense):
            assert curve.ys in rows or {(curve.ys[0],) * len(curve.ys)} == {curve.ys}, slug


def test_cells_and_arrows_are_values_of_their_section(
    pictures: dict[str, list[Picture]], whole: Document
) -> None:
    """Each row of a shaded matrix, and both coordinates of each arrow."""
    values = {
        each["slug"]: each["values"] for each in json.loads(render(whole, "json", "en"))["sections"]
    }
    for slug, picture in every(pictures):
        rows = set(rows_of(values[slug]))
        if isinstance(picture, Heat) and slug != "bugs":
            assert set(picture.values) <= rows, slug
        if isinstance(picture, Plane):
            tips = {x for panel in picture.panels for arrow in panel.arrows for x in arrow.tip}
            assert tips <= {number for row in rows for number in row}, slug


def test_cell_of_the_picture_of_bugs_is_a_mark(pictures: dict[str, list[Picture]]) -> None:
    """Position in bfloat16: caught by E alone; a sinusoid added: by all eleven."""
    (heat,) = pictures["bugs"]
    assert isinstance(heat, Heat)
    assert heat.values[12] == (0.0,) * 4 + (1.0,) + (0.0,) * 6
    assert heat.values[13] == (1.0,) * 11


def test_arrow_ends_at_its_tip() -> None:
    """The unit of the plane is the radius of its circle; y grows upwards."""
    panel = Panel(NAME, (Arrow(NAME, (0.6, 0.8)), Arrow(NAME, (-1.0, 0.0), Cue.SLOW)))
    svg = svg_of(Plane(NAME, (panel,), NAME))
    (circle,) = svg.iter("circle")
    x, y, radius = (float(circle.get(name, "")) for name in ("cx", "cy", "r"))
    heads = [each.get("points", "").split()[0].split(",") for each in svg.iter("polygon")]
    tips = [((float(a) - x) / radius, (y - float(b)) / radius) for a, b in heads]
    assert tips == [pytest.approx((0.6, 0.8), abs=0.01), pytest.approx((-1.0, 0.0), abs=0.01)]


def test_arc_joins_its_two_coordinates() -> None:
    """It begins at the one and ends at the other."""
    svg = svg_of(Arcs(NAME, ((NAME, ((0, 2), (1, 3))),), NAME))
    dots = [each.get("cx") for each in svg.iter("circle")]
    arcs = [each.get("points", "").split() for each in svg.iter("polyline")]
    ends = [tuple(point.split(",")[0] for point in (arc[0], arc[-1])) for arc in arcs]
    assert ends == [(dots[0], dots[2]), (dots[1], dots[3])]


def rows_of(value: Any) -> Iterator[tuple[float, ...]]:
    """Every row and column of numbers in values read from JSON."""
    if isinstance(value, dict):
        for each in value.values():
            yield from rows_of(each)
    elif isinstance(value, list) and value:
        if all(isinstance(each, int | float) for each in value):
            yield tuple(map(float, value))
        elif all(isinstance(each, list) for each in value):
            for each in (*value, *map(list, zip(*value, strict=False))):
                yield from rows_of(each)


def test_axis_of_pairs_has_whole_numbers(pictures: dict[str, list[Picture]]) -> None:
    """Between two pairs there is none."""
    for series in pictures["frequencies"]:
        texts = [each.text for each in svg_of(series).iter("text")]
        assert "1" in texts
        assert "0.5" not in texts


def test_words_of_a_picture_are_escaped() -> None:
    """Markup in a name stays text."""
    bad = Text(en="<b>&\"'", ru="<b>")
    picture = replace(one_curve(1.0, 2.0), caption=bad, alt=bad, axes=(bad, bad))
    svg = svg_of(picture)
    assert svg.findtext("svg/desc") == svg.findtext("figcaption") == bad.en
    assert svg.find(".//b") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_says_what_is_to_be_seen(language: str, whole: Document) -> None:
    """A picture is a block of code between its caption and its description."""
    text = render(whole, "markdown", language)
    (dials,) = [
        each for section in whole.sections for each in section.blocks if isinstance(each, Dials)
    ]
    caption, alt = (formatting.format_line(each, language) for each in (dials.caption, dials.alt))
    plain = text.replace("\u00a0", " ")
    assert f"{caption}\n\n```text\nm ".replace("\u00a0", " ") in plain
    assert f"```\n\n{alt}".replace("\u00a0", " ") in plain


HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
drawing = pytest.mark.skipif(not HAS_MATPLOTLIB, reason="matplotlib is not installed")
BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.slow
@drawing
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", ILLUSTRATED)
def test_figure_of_each_section_is_written(slug: str, language: str, tmp_path: Path) -> None:
    """Every section with a picture gives a figure."""
    figure.figure(slug, str(tmp_path / "one.svg"), language)
    assert ElementTree.parse(tmp_path / "one.svg").getroot().tag.endswith("svg")


@drawing
@pytest.mark.parametrize("ending", BEGINNINGS)
def test_figure_is_the_same_twice(ending: str, tmp_path: Path) -> None:
    """The ending chooses the format, and neither clock nor chance reaches the file."""
    for name in ("one", "two"):
        figure.figure("dot-products", str(tmp_path / (name + ending)), "en")
    one, two = ((tmp_path / (name + ending)).read_bytes() for name in ("one", "two"))
    assert one == two
    assert one.startswith(BEGINNINGS[ending])


def test_svg_file_is_the_picture_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pictures: dict[str, list[Picture]]
) -> None:
    """The same shapes without matplotlib; captions as headings, with no colon at their ends."""
    monkeypatch.setattr(figure, "import_module", None)
    figure.figure("bound", str(tmp_path / "one.svg"), "en")
    found = list(ElementTree.parse(tmp_path / "one.svg").getroot().iter())
    on_page = [each for picture in pictures["bound"] for each in svg_of(picture).iter()]
    for tag in ("circle", "polyline", "polygon", "line"):
        count = sum(each.tag.endswith("}" + tag) for each in found)
        assert count == sum(each.tag == tag for each in on_page), tag
    bold = [each.text or "" for each in found if each.get("font-weight") == "bold"]
    assert len(bold) >= 2
    assert not [text for text in bold if text.endswith(":")]


@drawing
def test_figure_heeds_no_settings(tmp_path: Path, run: Run) -> None:
    """Neither a backend, nor a file of settings in the folder, nor a home without a place."""
    assert run("figure", "bound", "-o", "plain.svg", cwd=tmp_path).returncode == 0
    (tmp_path / "matplotlibrc").write_bytes(b"font.size: 30\nnonsense: 3\n\xff\xfe")
    surroundings = {"MPLBACKEND": "nonsense", "MATPLOTLIBRC": "matplotlibrc", "HOME": "/dev/null"}
    process = run("figure", "bound", "-o", "other.svg", cwd=tmp_path, env=surroundings)
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")
    assert (tmp_path / "plain.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


@drawing
def test_figure_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A missing directory is one line, as with every output."""
    with pytest.raises(CannotWrite):
        figure.figure("dot-products", str(tmp_path / "none" / "one.png"), "en")


@pytest.mark.parametrize(
    ("slug", "name", "kind"),
    [
        ("glossary", "one.png", NoPicture),
        ("clock", "one.png", UnknownSection),
        ("clocks", "one.gif", UnknownFigureFormat),
        ("clocks", "one", UnknownFigureFormat),
    ],
)
def test_figure_is_refused_in_one_line(
    slug: str, name: str, kind: type[CommandRefusal], tmp_path: Path
) -> None:
    """No picture, no such section, no such format: one line, and no file."""
    with pytest.raises(kind) as refused:
        figure.figure(slug, str(tmp_path / name), "ru")
    for language in LANGUAGES:
        assert "\n" not in refused.value.sentence(language)
    assert list(tmp_path.iterdir()) == []


def test_missing_matplotlib_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without matplotlib the refusal says how to install it."""

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(figure, "import_module", missing)
    with pytest.raises(NoMatplotlib) as refused:
        figure.figure("clocks", str(tmp_path / "one.png"), "en")
    assert refused.value.kind == "no-matplotlib"
    for language in LANGUAGES:
        assert refused.value.sentence(language).endswith("pip install 'rope-report[figures]'")
