"""Every number of the report stands in its place, and the list of places is complete."""

from __future__ import annotations

import numpy as np
import pytest

from rope_cli.document import formatting
from rope_cli.document.blocks import Cue, Document, Short, vector
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.parameters import Parameters
from rope_cli.example.user_values import parameters_from
from rope_cli.report import build, printed
from rope_cli.report.number_places import (
    Place,
    Shown,
    is_right,
    named_tables,
    numbers_of_cell,
    places_in_sentences,
    places_of,
    rounding_of_short,
    value_at,
)
from rope_cli.report.number_sources import SOURCES

# Together they show every sentence that has a number.
READERS: tuple[dict[str, str], ...] = (
    {},
    {"feature_width": "8", "positions": "0,1,7", "shift": "1000", "dtype": "float32"},
    {"positions": "2,5", "query": "1,2,3,4", "key": "0.5,-2,1,1.5", "shift": "7"},
)
# Tables that other checks read cell by cell, or that hold signs and words.
ELSEWHERE = {
    ("frequencies", "Code often computes the"),
    ("rotations", "{rows}, {positions}:"),
    ("rotations", "{rows} after the equal"),
    ("dot-products", "Positions before the shift:"),
    ("dot-products", "Positions after the equal"),
    ("dense-vs-pairs", "R(m) for d ="),
}
# Sections of words, whose numbers have checks of their own.
OF_WORDS = {"claims", "glossary"}


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return [
        build.build(["all"], parameters_from(values) if values else Parameters())
        for values in READERS
    ]


@pytest.mark.slow
def test_every_source_has_its_place(documents: list[Document]) -> None:
    """A sentence or a title that was reworded leaves a source without a place: rename it there."""
    shown = {
        (section.slug, place.name)
        for document in documents
        for section in document.sections
        for place in places_of(section.blocks, SOURCES.get(section.slug, {}))
    }
    listed = {(slug, name) for slug, sources in SOURCES.items() for name in sources}
    assert listed - shown == set()
    assert shown - listed == set()


@pytest.mark.slow
def test_every_number_has_a_source(documents: list[Document]) -> None:
    """Tables and sentences with numbers are all listed, except those with a check of their own."""
    missing = set()
    for section in documents[0].sections:
        sources = SOURCES.get(section.slug, {})
        if section.slug in OF_WORDS:
            continue
        missing |= {
            (section.slug, place.name)
            for place in places_in_sentences(section.blocks)
            if place.name not in sources
        }
        missing |= {
            (section.slug, name)
            for name, shown in named_tables(section.blocks)
            if any([*numbers_of_cell(cell)] for row in shown.rows for cell in row)
            and not any(source.startswith(f"{name} | ") for source in sources)
        }
    assert missing - ELSEWHERE == set()


def test_places_are_named_by_the_words_before_them() -> None:
    """A sentence by four words, a table by its caption and titles, other columns by their rows."""
    blocks = (
        say("The norm goes from {a} to {b}.", "Норма меняется с {a} на {b}.", a=1.0, b=Short(2)),
        table(
            t("Two rows of numbers:", "Две строки чисел:"),
            (*left("name"), *right("m", "x")),
            [("q", 1, 0.5), ("k", 2, vector([1, 2]))],
        ),
    )
    sources = {
        "The norm goes from {a}": "",
        "goes from {a} to {b}": "",
        "Two rows of numbers: | m": "",
    }
    places = {
        place.name: [shown.value for shown in place.numbers] for place in places_of(blocks, sources)
    }
    assert places == {
        "The norm goes from {a}": [1.0],
        "goes from {a} to {b}": [2.0],
        "Two rows of numbers: | m": [1.0, 2.0],
        "Two rows of numbers: | q |": [0.5],
        "Two rows of numbers: | k |": [1.0, 2.0],
    }


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("scores[1]", [3, 4]),
        ("scores[:,0]", [1, 3]),
        ("-scores[0,-1]", [-2]),
        ("errors/float32", [5]),
        ("steps/position", [6, 7]),
        ("max scores", [4]),
        ("min scores[1]", [3]),
        ("= 0.5, d, d/2, pairs of d", [0.5, 4, 2, 6]),
    ],
)
def test_sources_name_values(source: str, value: list[float]) -> None:
    """Entries, rows and columns of arrays, extremes, items of mappings, numbers typed by hand."""
    values = {
        "scores": np.array([[1, 2], [3, 4]]),
        "errors": {"float32": 5},
        "steps": [{"position": 6}, {"position": 7}],
    }
    resolved = value_at(values, source, Parameters())
    assert resolved is not None
    assert resolved.ravel().tolist() == value
    assert value_at(values, "missing/float32", Parameters()) is None


@pytest.mark.parametrize(
    ("numbers", "gap", "value", "right"),
    [
        ([1, 2, 3], None, [1, 2, 3], True),
        ([1, 3, 2], None, [1, 2, 3], False),
        ([1, 2], None, [1, 2, 3], False),
        ([1, 2, 5], (2, 2), [1, 2, 3, 4, 5], True),
        ([1, 2, 5], (2, 1), [1, 2, 3, 4, 5], False),
        ([1, 2, 4], (2, 0), [1, 2, 3, 4, 5], False),
        ([1, 4], (1, 0), [[1, 2], [3, 4]], True),
        ([1, 3], (1, 0), [[1, 2], [3, 4]], False),
    ],
)
def test_a_gap_leaves_out_the_middle(
    numbers: list[float], gap: tuple[int, int] | None, value: list[float], right: bool
) -> None:
    """Both ends stand where they belong, and as many are left out as the page says."""
    place = Place("", [Shown(float(number)) for number in numbers], gap)
    assert is_right(place, np.array(value, dtype=np.float64)) == right


def test_rounded_numbers_are_compared_to_their_last_digit() -> None:
    """A value that is shown as 0.89 may be 0.885 and may not be 0.88."""
    shown = Place("", [Shown(0.89, 0.0050001)])
    assert is_right(shown, np.array([0.885]))
    assert not is_right(shown, np.array([0.88]))


@pytest.mark.parametrize("signs", ["CUE_LINES", "CUE_WORDS"])
@pytest.mark.parametrize(
    ("cue", "other", "check"),
    [
        (Cue.LATER, Cue.EARLIER, "printed-differences"),
        (Cue.FAST, Cue.SLOW, "printed-speeds"),
    ],
)
def test_two_cues_exchanged_everywhere_fail(
    cue: Cue, other: Cue, check: str, signs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every cell and the legend would agree with one another, and all of them be wrong."""
    table_of_signs = getattr(formatting, signs)
    exchanged = {**table_of_signs, cue: table_of_signs[other], other: table_of_signs[cue]}
    assert failed() == set()
    monkeypatch.setattr(formatting, signs, exchanged)
    monkeypatch.setattr(printed, "CUE_WORDS", formatting.CUE_WORDS)
    assert failed() == {check}


def test_one_decimal_for_all_digits_fails() -> None:
    """What is shown briefly, as 0.366, may not lose its second and third decimal."""
    assert rounding_of_short(0.4) < 0.4 - 0.366
    assert rounding_of_short(0.37) > 0.37 - 0.366
    assert rounding_of_short(154.4) > 154.4 - 154.39928
    assert 2 - 1.998 < rounding_of_short(2.0) < 0.01
    assert rounding_of_short(31.0) < 31.0 - 30.6
    assert rounding_of_short(3.1) > 3.14 - 3.1


def failed() -> set[str]:
    """The checks of the page that fail for sections with all cues."""
    document = build.build(["rotations", "dot-products"], Parameters())
    return {check.name for check in document.checks if not check.holds}
