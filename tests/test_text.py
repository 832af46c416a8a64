"""The text: nothing is cut at any width, in any language, with or without colour and signs."""

from __future__ import annotations

import json
import re
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.table import Table as RichTable

from rope_cli.cli.streams import joined
from rope_cli.document import blocks, formatting
from rope_cli.document.blocks import (
    TIGHT,
    Column,
    Cue,
    Document,
    Formula,
    Legend,
    Matrix,
    Number,
    Paragraph,
    Phrase,
    Section,
    Short,
    Signed,
    Significant,
    Stack,
    Table,
    Vector,
    Verdict,
    as_table,
    lines_of,
    pieces_of,
)
from rope_cli.document.check import Check
from rope_cli.document.vocabulary import table_by_columns
from rope_cli.renderers import render, render_in_parts
from rope_cli.renderers.cell_layout import wrap
from rope_cli.renderers.text import STYLES
from rope_cli.report import build
from rope_cli.text import LANGUAGES, Text

# The narrowest and the widest page, the usual ones and their neighbours, and some between them.
WIDTHS = (40, 41, 44, 47, 50, 54, 59, 60, 61, 66, 72, 79, 80, 81, 90, 100, 119, 120, 121, 200)
NUMBER = re.compile(r"-?\d+\.\d+")


@pytest.fixture(scope="module")
def whole() -> Document:
    """All sections."""
    return build.build(["all"])


def numbers(text: str) -> list[str]:
    return sorted(NUMBER.findall(text))


@pytest.fixture(scope="module")
def plain(whole: Document) -> dict[str, str]:
    """The report as it is printed by default."""
    return {language: render(whole, "text", language) for language in LANGUAGES}


@pytest.fixture(scope="module")
def widest(whole: Document) -> dict[str, list[str]]:
    """The numbers on a page that is wide enough for every table."""
    return {language: numbers(render(whole, "text", language, width=300)) for language in LANGUAGES}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_number_is_cut_or_folded(
    width: int, language: str, whole: Document, widest: dict[str, list[str]]
) -> None:
    """At widths from 40 to 200 the text holds exactly the numbers it holds at 300 columns."""
    text = render(whole, "text", language, width=width)
    assert numbers(text) == widest[language]
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= max(width, 40)


def tables_of(document: Document) -> list[Table]:
    """Every table and matrix of the document's sections, opening and closing."""
    nested = (section.blocks for section in document.sections)
    candidates = (
        block for group in (document.opening, *nested, document.closing) for block in group
    )
    return [
        as_table(block) if isinstance(block, Matrix) else block
        for block in candidates
        if isinstance(block, Table | Matrix)
    ]


def numbers_of(table: Table) -> Iterator[str]:
    """The characters of every number in the cells of a table."""
    cells = (cell for row in table.rows for cell in row)
    for piece in (piece for cell in cells for line in lines_of(cell) for piece in pieces_of(line)):
        match piece:
            case Vector(values):
                yield from (f"{value:z.6f}" for value in values)
            case Number() | Significant() | Short() | Signed() | int():
                yield formatting.format_line(piece, "en")


OTHER_BORDERS = [pytest.param(width, marks=pytest.mark.slow) for width in (59, 60, 81, 120)]


@pytest.mark.parametrize("width", [40, 79, 80, 200, *OTHER_BORDERS])
def test_every_number_of_every_cell_is_whole(width: int, whole: Document) -> None:
    """At the borders of the layout each number of each table stands in the text uncut."""
    for table in tables_of(whole):
        words = re.split(r"[^\w.+-]+", render(page(table), "text", "en", width=width))
        expected = list(numbers_of(table))
        assert all(words.count(number) >= expected.count(number) for number in expected)


@pytest.mark.parametrize(("width", "language"), [(40, "en"), (60, "ru"), (80, "en"), (200, "ru")])
def test_every_table_is_drawn_by_rich(
    width: int, language: str, whole: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables, matrices and lists of checks, stacked ones too, go through a console of rich's."""
    drawn: list[RichTable] = []
    plain_print = Console.print

    def recorded_print(console: Console, *objects: Any, **options: Any) -> None:
        drawn.extend(thing for thing in objects if isinstance(thing, RichTable))
        plain_print(console, *objects, **options)

    monkeypatch.setattr(Console, "print", recorded_print)
    text = render(whole, "text", language, width=width)
    groups: tuple[Section | Document, ...] = (*whole.sections, whole)
    checked = [group for group in groups if group.verdicts]
    assert len(drawn) == len(tables_of(whole)) + len(checked)
    boxes = [table for table in drawn if table.box is not None]
    assert text.count("┌") == len(boxes)
    assert all(column.width is not None for table in drawn for column in table.columns)
    assert len(boxes) == len(drawn) or width < 80


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_default_text_is_at_most_80_columns(
    language: str, ascii_only: bool, whole: Document, plain: dict[str, str]
) -> None:
    """The default page is 80 columns wide, and no line ends with a blank."""
    text = render(whole, "text", language, ascii_only=True) if ascii_only else plain[language]
    lines = text.split("\n")
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip()] == []
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_ascii_forms_leave_only_letters(language: str, whole: Document) -> None:
    """With ASCII signs every character is ASCII or a Russian letter, and no number changes.

    The glossary shows Russian words in the English report too.
    """
    others = tuple(section for section in whole.sections if section.slug != "glossary")
    whole = replace(whole, sections=others)
    text = render(whole, "text", language, ascii_only=True)
    foreign = {sign for sign in text if not sign.isascii() and not sign.isalpha()}
    letters = {sign for sign in text if not sign.isascii() and sign.isalpha()}
    assert foreign == set()
    assert all("а" <= letter.lower() <= "я" or letter.lower() == "ё" for letter in letters)
    assert language == "ru" or letters == set()
    assert numbers(text) == numbers(render(whole, "text", language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_colour_only_adds(language: str, whole: Document, plain: dict[str, str]) -> None:
    """Without its escape sequences the coloured text is the plain text."""
    coloured = render(whole, "text", language, colors=256)
    assert "\x1b[" in coloured
    lines = [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", coloured).split("\n")]
    assert "\n".join(lines) == plain[language]


def luminance(red: int, green: int, blue: int) -> float:
    """The relative luminance of a colour as WCAG 2 defines it, from its three bytes."""
    linear = [
        byte / 255 / 12.92 if byte / 255 <= 0.04045 else ((byte / 255 + 0.055) / 1.055) ** 2.4
        for byte in (red, green, blue)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_colour_can_be_read_on_black_and_on_white() -> None:
    """Each of the 256 colours in use has a contrast of 3 or more on both grounds."""
    assert luminance(255, 255, 255) == pytest.approx(1.0)
    used = [color for style in STYLES[256].values() for color in re.findall(r"\((\d+)\)", style)]
    assert len(used) == len(set(used)) == 6
    for color in map(int, used):
        assert 16 <= color <= 231
        # The cube of 6 x 6 x 6 colours: 0, 95, 135, 175, 215, 255.
        steps = [(color - 16) // 36, (color - 16) // 6 % 6, (color - 16) % 6]
        light = luminance(*(step and 55 + 40 * step for step in steps))
        assert min((light + 0.05) / 0.05, 1.05 / (light + 0.05)) >= 3, color


def test_sixteen_colours_avoid_those_that_one_ground_swallows() -> None:
    """With 16 colours no style is dark blue, yellow, white or black, and all cues differ."""
    styles = STYLES[16]
    swallowed = {"blue", "yellow", "bright_yellow", "white", "bright_white", "black"}
    assert not swallowed & {word for style in styles.values() for word in style.split()}
    for table in STYLES.values():
        assert len({table[cue.value] for cue in Cue}) == len(Cue)


@pytest.mark.parametrize(("colors", "codes"), [(16, ("94", "35")), (256, ("38;5;33", "38;5;136"))])
def test_the_legend_has_the_colours_that_it_explains(colors: Any, codes: tuple[str, str]) -> None:
    """A cue is painted alike in the legend and in a table; title and question stand out."""
    cells = Table((Column("x"),), (((Cue.FAST, " a"),), ((Cue.SLOW, " b"),)))
    document = page(Legend(), cells, question=Text(en="Which?", ru="Какая?"))
    text = render(document, "text", "en", colors=colors)
    for code, word, letter in zip(codes, ("fast", "slow"), "ab", strict=True):
        assert re.search(rf"\x1b\[{code}m\S\S {word} pair\x1b", text)
        assert re.search(rf"\x1b\[{code}m \S\S {letter} ?\x1b", text)
    assert "\x1b[1;7m1. T [made-up]\x1b[0m" in text
    assert "\x1b[1;7mPredict first:\x1b[0m\x1b[1m Which?\x1b[0m" in text


def test_no_number_is_negative_zero_or_not_a_number(whole: Document) -> None:
    """No zero has a minus, and nothing is nan or inf, in either language."""
    for language in LANGUAGES:
        text = render(whole, "text", language)
        assert re.search(r"-0\.0+(?!\d)", text) is None
        assert re.search(r"\b(nan|inf)\b", text, re.IGNORECASE) is None


def test_no_number_sits_on_a_rounding_tie(whole: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every printed number moved by 16 units in the last place is spelled the same."""
    six_decimals = formatting.six_decimals
    moved = []

    def nudged(value: float) -> str:
        for direction in (-np.inf, np.inf):
            other = np.float64(value)
            for _ in range(16):
                other = np.nextafter(other, direction)
            if six_decimals(float(other)) != six_decimals(value):
                moved.append(value)
        return six_decimals(value)

    monkeypatch.setattr(formatting, "six_decimals", nudged)
    render(whole, "text", "en")
    assert moved == []
    nudged(0.0000005)
    assert moved == [0.0000005]


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        (Number(1.0), "1.000000"),
        (Number(-0.0), "0.000000"),
        (Number(-4e-7), "0.000000"),
        (Number(57.29577951308232), "57.295780"),
        (Signed(1), "+1"),
        (Signed(-2), "-2"),
        (Signed(0), "0"),
        (Short(1e-12), "1e-12"),
        (Short(4e-6), "4e-6"),
        (Short(0.1), "0.1"),
        (Short(0.0001), "1e-4"),
        (Short(2.5e-7), "2.5e-7"),
        (Short(10000.0), "10000"),
        (Short(1e20), "1e20"),
        (Vector((1.0, -0.5)), "[1.000000,\u00a0-0.500000]"),
        (Cue.LATER, "─▶"),
        ("[m,n] [/] :x:", "[m,n] [/] :x:"),
        (7, "7"),
        (Phrase(Text(en="a {x}", ru="б {x}"), {"x": Number(2.0)}), "a 2.000000"),
    ],
)
def test_a_piece_is_spelled(piece: Any, expected: str) -> None:
    """Six decimals, a sign on n-m, short bounds; markup means nothing."""
    assert formatting.format_line(piece, "en") == expected


SET = [
    # As it is written, set for a terminal, set for a page. "~" is a blank where no line breaks.
    ("positions 0-2, D = 1024-2047", "positions 0–2, D~=~1024–2047", None),
    ("claims C1-C49.", "claims C1–C49.", None),
    ("10-2π, 3-1, 2024-05-01, 0.5-0.7, x1-x2", None, "10−2π, 3−1, 2024-05-01, 0.5−0.7, x1-x2"),
    ("2 x 2 blocks of {m} x {n} numbers", "2~×~2 blocks of {m}~×~{n} numbers", None),
    ("a - b, n-m, -1 and −2", "a~-~b, n-m, -1 and -2", "a~−~b, n−m, −1 and −2"),
    ("x cos - y sin of [1, 0]", "x~cos~-~y~sin of [1,~0]", "x~cos~−~y~sin of [1,~0]"),
    ("sin 1 = 0.841471 - cos φ", "sin~1~=~0.841471~-~cos~φ", "sin~1~=~0.841471~−~cos~φ"),
    ("1 - (ln D + 0.577216)/ln b", "1~-~(ln~D~+~0.577216)/ln~b", "1~−~(ln~D~+~0.577216)/ln~b"),
    ("are e^(iφ), Re(q k* e^(iφ))", "are e^(iφ), Re(q k*~e^(iφ))", None),
    ("|h| ≤ Σ |a| + 2·b → 0", "|h|~≤~Σ~|a|~+~2·b~→~0", None),
    ("{x} radians in 3 positions of 16 MiB", "{x}~radians in 3~positions of 16~MiB", None),
    ("{x} радиана за 4 позиции, 2 пары", "{x}~радиана за 4~позиции, 2 пары", None),
    ("RoPE — a rotation", "RoPE~— a rotation", None),
    ("rope-report show -d 8 --shift -3", "rope-report show -d 8 --shift -3", None),
    ("half-split, key-value, well-known", "half-split, key-value, well-known", None),
]


@pytest.mark.parametrize(("written", "terminal", "web"), SET, ids=[case[0] for case in SET])
def test_a_sentence_is_typeset(written: str, terminal: str | None, web: str | None) -> None:
    """Dashes, crosses and minus signs are set, and no formula, vector or unit can be torn apart.

    With ASCII signs nothing else is left, and the page alone has a true minus.
    """
    terminal = written if terminal is None else terminal
    sentence = Text(en=written, ru=written)
    shown = formatting.format_line(sentence, "en")
    assert shown == terminal.replace("~", "\u00a0")
    assert formatting.format_line(sentence, "en", true_minus=True) == (
        (web or terminal).replace("~", "\u00a0")
    )
    for true_minus in (False, True):
        plain = formatting.format_line(sentence, "en", True, true_minus)
        assert not set(plain) & set("–—×−≤Σφ·→π")


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        (Number(-0.5), "−0.500000"),
        (Vector((1.0, -0.5)), "[1.000000,\u00a0−0.500000]"),
        (Signed(-2), "−2"),
        (Significant(-1.24e-06), "−1.24e-06"),
        (("n-m=", Signed(-1)), "n−m=−1"),
        ("D = m-n", "D\u00a0=\u00a0m−n"),
        ("my-file-2.npz", "my-file-2.npz"),
    ],
)
def test_a_page_has_a_true_minus(piece: Any, expected: str) -> None:
    """Numbers and differences have one on a page; names of files and exponents keep a hyphen."""
    assert formatting.format_line(piece, "en", true_minus=True) == expected
    assert "−" not in formatting.format_line(piece, "en")
    html = render(page(Paragraph(piece)), "html", "en")
    assert formatting.format_line(piece, "en", true_minus=True) in html
    for format_name in ("text", "markdown"):
        assert "−" not in render(page(Paragraph(piece)), format_name, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_range_of_the_report_has_a_hyphen(language: str, whole: Document) -> None:
    """Ranges have an en dash and sizes a cross, wherever they come from."""
    text = render(whole, "text", language, width=300)
    assert not re.search(r"(?<![\w.^+-])\d+-\d+(?![\w.-])", text)
    assert not re.search(r"\d x \d", text)


def test_every_cue_has_a_line_an_ascii_form_and_a_word() -> None:
    """The five cues are told apart without colour, in Unicode and in ASCII."""
    for forms in (formatting.CUE_LINES, formatting.CUE_LINES_ASCII):
        assert set(forms) == set(Cue)
        assert len(set(forms.values())) == len(Cue)
    assert all(form.isascii() for form in formatting.CUE_LINES_ASCII.values())
    text = render(Document((Legend(),), ()), "text", "en")
    assert all(formatting.CUE_WORDS[cue].en in text for cue in Cue)


def page(*blocks: blocks.Block, **changes: Any) -> Document:
    section = Section(1, "made-up", Text(en="T", ru="Т"), None, blocks)
    return Document((), (replace(section, **changes),))


def test_a_table_too_wide_for_the_page_is_stacked() -> None:
    """Every cell follows its title, and a vector breaks only between its numbers."""
    row = Vector((0.123456, -123456.654321, 1.0, 2.0, 3.0, 4.0))
    table = Table((Column("m"), Column("row")), ((1, row), (2, row)))
    text = render(page(table), "text", "en", width=40)
    assert "m: 1" in text
    assert "m: 2" in text
    assert numbers(text) == numbers(render(page(table), "text", "en", width=200))
    assert "│" not in text
    assert "│" in render(page(table), "text", "en", width=200)


def test_an_unbreakable_number_is_whole_even_if_wider_than_the_page() -> None:
    """A number longer than the page is wide stands on a longer line."""
    table = Table((Column("x", "right"),), ((Number(1e60),),))
    assert f"{1e60:.6f}" in render(page(table), "text", "en", width=40)


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("color", [0, 16, 256])
def test_signs_of_two_columns_and_markup_stay(color: Any, width: int) -> None:
    """Ideograms, which take two columns each, and what rich reads as markup are drawn whole."""
    names = ("文件名文件名.npz", "[bold]x[/]", ":smiley:", "[nan]")
    table = Table((Column("名"), Column("x", "right")), tuple((name, name) for name in names))
    lines = render(page(table), "text", "en", width=width, colors=color).splitlines()
    for name in names:
        assert sum(line.count(name) for line in lines) == 2


def test_an_empty_table_and_an_odd_cell_are_drawn() -> None:
    """No rows, empty cells and stacked cells are no special case."""
    empty = Table((Column("a"), Column("b")), ())
    odd = Table(
        (Column("a"), Column("b")), (("", Stack(("x", (Cue.FAST, " y")))), (1, Number(2.0)))
    )
    text = render(page(empty, odd), "text", "en")
    assert "│ a │ b │" in text
    assert "── y" in text


def test_a_table_by_columns_has_each_heading_beside_its_cells() -> None:
    """A plain heading stands over numbers; columns of unequal length are refused."""
    words, numbers = (Column("row"), ("a", "b")), ("x", np.array([0.5, 2.0]))
    expected = Table(
        (Column("row"), Column("x", "right")), (("a", Number(0.5)), ("b", Number(2.0)))
    )
    assert table_by_columns(None, words, numbers) == expected
    with pytest.raises(ValueError, match="shorter"):
        table_by_columns(None, words, ("x", [1.0]))


def test_a_failed_check_says_what_was_measured() -> None:
    """A failure has its word in capitals, its measure and its bound."""
    verdict = Verdict(Check("twice", 0.25, 1e-12, 3), Text(en="two is two", ru="два есть два"))
    text = render(page(verdicts=(verdict,)), "text", "en")
    assert "│ FAILS   │ twice: two is two │   ≤ 1e-12 │      3 │" in text
    assert "│         │ measured: 0.25    │           │        │" in text
    assert "НЕВЕРНО" in render(page(verdicts=(verdict,)), "text", "ru")


def test_prose_is_wrapped_at_blanks_only() -> None:
    """A long number stays whole on a line of its own."""
    word = "1" * 60
    text = render(page(Paragraph(f"before {word} after")), "text", "en", width=40)
    assert word in text.splitlines()


@pytest.mark.parametrize(
    ("formula", "width", "expected"),
    [
        (
            "R(φ) = [[cos φ, -sin φ], [sin φ, cos φ]]",
            40,
            ["R(phi) = [[cos phi, -sin phi],", "[sin phi, cos phi]]"],
        ),
        (
            "qᵀ R(φ) k = (q_0 k_0 + q_1 k_1) cos φ + (q_1 k_0 - q_0 k_1) sin φ",
            40,
            [
                "q^T R(phi) k",
                "= (q_0 k_0 + q_1 k_1) cos phi",
                "+ (q_1 k_0 - q_0 k_1) sin phi",
            ],
        ),
        ("a ≤ |b - c| · (d + e),   D = m-n", 40, ["a <= |b - c| * (d + e),   D = m-n"]),
        ("a b c = |d - e| + f", 16, ["a b c", "= |d - e|", "+ f"]),
    ],
)
def test_a_formula_breaks_between_its_parts(formula: str, width: int, expected: list[str]) -> None:
    """Before relations and terms, between rows of a matrix, and never inside R(φ) or sin φ."""
    text = render(page(Formula(formula)), "text", "en", width=width, ascii_only=True)
    lines = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    assert lines == expected


@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_formula_of_the_report_is_torn(whole: Document, ascii_only: bool) -> None:
    """On the narrowest page no line ends behind sin, cos, an open bracket or an odd bar."""
    for section in whole.sections:
        for block in section.blocks:
            if not isinstance(block, Formula):
                continue
            text = render(page(block), "text", "en", width=40, ascii_only=ascii_only)
            lines = [line[4:] for line in text.splitlines() if line.startswith("    ")]
            assert "".join(lines).replace(" ", "") == formatting.format_line(
                block.formula, "en", ascii_only
            ).replace(" ", "").replace(TIGHT, "")
            for line in lines[:-1]:
                assert len(line) <= 36
                assert not re.search(r"(sin|cos|[(\[])$", line), line
                assert line.count("|") % 2 == 0, line


@pytest.mark.parametrize(
    "surroundings",
    [
        {"COLUMNS": "20", "TERM": "dumb", "FORCE_COLOR": "3"},
        {"COLUMNS": "0", "NO_COLOR": "1", "JUPYTER_COLUMNS": "10", "TERM": "unknown"},
        {"COLUMNS": "40", "LINES": "1", "LC_ALL": "C", "FORCE_COLOR": "1"},
    ],
)
def test_the_surroundings_change_nothing(
    surroundings: dict[str, str],
    whole: Document,
    plain: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The text is the same bytes whatever the environment says of the terminal."""
    for name, content in surroundings.items():
        monkeypatch.setenv(name, content)
    assert render(whole, "text", "en") == plain["en"]


def test_json_reads_back_to_the_same_bits(whole: Document) -> None:
    """Every float of the values survives; nothing is NaN or infinite; the counts are right."""
    loaded = json.loads(
        render(whole, "json", "ru"), parse_constant=lambda name: pytest.fail(f"{name} is no JSON")
    )
    for section, read in zip(whole.sections, loaded["sections"], strict=True):
        assert set(read) == {"slug", "title", "question", "values", "checks"}
        assert read["slug"] == section.slug
        for name, value in section.values.items():
            if isinstance(value, np.ndarray):
                back = np.array(read["values"][name], dtype=value.dtype).reshape(value.shape)
                assert back.tobytes() == value.tobytes(), name
        for check in read["checks"]:
            assert check["holds"] is True
            assert check["compared"] >= 1
            assert isinstance(check["bound"], float)
    assert loaded["report"] == "rope-report"
    assert loaded["language"] == "ru"
    assert loaded["checks"]["failed"] == 0
    assert loaded["checks"]["held"] == loaded["checks"]["total"] == len(whole.checks)
    assert loaded["parameters"] == {
        "feature_width": 4,
        "pairs": 2,
        "base": 100.0,
        "layout": "adjacent",
        "positions": [0, 1, 2],
        "shift": 3,
        "dtype": "float64",
        "given": [],
    }


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("key " + "x" * 25, ["key", "x" * 10, "x" * 10, "x" * 5]),
        ("x" * 12 + ": a", ["x" * 10, "xx: a"]),
        ("1234567890.123456 a", ["1234567890.123456", "a"]),
        ("[-1234567890.5],", ["[-1234567890.5],"]),
        (f"[0.123456,{TIGHT}-0.123456]", ["[0.123456,", "-0.123456]"]),
    ],
)
def test_names_break_where_the_page_ends_and_numbers_never(line: str, expected: list[str]) -> None:
    """A key of a file that is wider than the page cannot overrun it."""
    assert wrap(line, 10) == expected


@pytest.mark.parametrize("width", [40, 80])
def test_escaped_letters_fit_the_page(width: int) -> None:
    """Letters that a stream lacks are escaped before columns are laid out."""
    document = build.build(["glossary"])
    text = render(document, "text", "en", width=width, ascii_only=True, encoding="ascii")
    assert "\\u0442\\u043e\\u043a" in text
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= width


def test_json_escapes_what_does_not_show() -> None:
    """Controls and signs that turn the direction of writing stand as escapes, letters as they are.

    They read back to the same text, in a key too.
    """
    signs = "\x00\x1f\x7f\x80\x85\x9f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069"
    values = {f"name{signs}": f"имя θ{signs}", "x": np.array([[0.5], [2.0]])}
    for ascii_only in (False, True):
        text = render(page(values=values), "json", "ru", ascii_only=ascii_only)
        assert not set(text) & set(signs)
        assert ("имя θ" in text) != ascii_only
        read = json.loads(text)["sections"][0]["values"]
        assert read == {f"name{signs}": f"имя θ{signs}", "x": [[0.5], [2.0]]}


def test_long_json_is_held_once() -> None:
    """The bytes for a stream are all that is held of a long report, whatever its letters are."""
    document = page(values={"имя": np.linspace(0.0, 1.0, 30_000).reshape(300, 100)})
    tracemalloc.start()
    data = joined(render_in_parts(document, "json", "ru", ascii_only=False), "utf-8")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert data.decode() == render(document, "json", "ru")
    # Lists of the numbers, and what a growing array of bytes has to spare.
    assert peak < 30_000 * 40 + 1.5 * len(data) + 500_000


def test_json_writes_no_number_that_is_none() -> None:
    """A measure that is not finite becomes null, and a value that is not finite is refused."""
    verdict = Verdict(Check("far", float("inf"), 1.0, 1), Text(en="x", ru="х"))
    loaded = json.loads(render(page(verdicts=(verdict,)), "json", "en"))
    assert loaded["sections"][0]["checks"][0]["measured"] is None
    with pytest.raises(ValueError, match="not JSON compliant"):
        render(page(values={"x": float("nan")}), "json", "en")


def test_names_of_values_and_checks_are_unique(whole: Document) -> None:
    """A value stands in one section, and a check's name means one check."""
    names = [name for section in whole.sections for name in section.values]
    assert sorted(names) == sorted(set(names))
    checks = [check.name for check in whole.checks]
    assert sorted(checks) == sorted(set(checks))


def test_a_sentence_has_both_languages_and_the_same_placeholders() -> None:
    """Leaving a language out, blank, or with other placeholders fails when it is written."""
    with pytest.raises(TypeError):
        Text(en="only English")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="blank"):
        Text(en="x", ru=" ")
    with pytest.raises(ValueError, match="placeholders"):
        Text(en="{a}", ru="{b}")


def test_russian_is_russian(whole: Document) -> None:
    """No title, question, claim or sentence of the Russian report is left in English."""
    for section in whole.sections:
        sentences = [section.title, section.question, *(v.claim for v in section.verdicts)]
        for sentence in filter(None, sentences):
            assert sentence.ru != sentence.en
            assert re.search("[а-яё]", sentence.ru, re.IGNORECASE), sentence
