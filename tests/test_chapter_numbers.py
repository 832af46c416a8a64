"""The report shows the chapter's numbers, typed here by hand."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from rope_cli.renderers import render
from rope_cli.report import build

GRID = [
    [2.000000, 1.535306, 0.563920],
    [1.535306, 2.000000, 1.535306],
    [0.563920, 1.535306, 2.000000],
]
CHAPTER: dict[str, tuple[str, Any]] = {
    "inverse_frequencies": ("frequencies", [1.0, 0.1]),
    "angles": (
        "frequencies",
        [[0.0, 0.0], [1.0, 0.1], [2.0, 0.2], [3.0, 0.3], [4.0, 0.4], [5.0, 0.5]],
    ),
    "query": ("rotations", [[1, 0, 1, 0]] * 3),
    "key": ("rotations", [[1, 0, 1, 0]] * 3),
    "rotated_query": (
        "rotations",
        [
            [1.000000, 0.000000, 1.000000, 0.000000],
            [0.540302, 0.841471, 0.995004, 0.099833],
            [-0.416147, 0.909297, 0.980067, 0.198669],
        ],
    ),
    "rotated_key": (
        "rotations",
        [
            [1.000000, 0.000000, 1.000000, 0.000000],
            [0.540302, 0.841471, 0.995004, 0.099833],
            [-0.416147, 0.909297, 0.980067, 0.198669],
        ],
    ),
    "dot_products": ("dot-products", GRID),
    "shifted_dot_products": ("dot-products", GRID),
    "input_norms": ("norms", [1.414214] * 3),
    "rotated_norms": ("norms", [1.414214] * 3),
    "shifted_norms": ("norms", [1.414214] * 3),
    "query_output_adjoint": (
        "adjoints",
        [[1.0, -0.5, 0.25, 0.75], [-0.3, 0.8, 1.2, -0.4], [0.6, 0.1, -0.7, 0.9]],
    ),
    "key_output_adjoint": (
        "adjoints",
        [[-0.2, 0.4, 0.9, -0.6], [0.5, 1.1, -0.8, 0.3], [1.0, -0.9, 0.2, 0.7]],
    ),
    "query_input_adjoint": (
        "adjoints",
        [
            [1.000000, -0.500000, 0.250000, 0.750000],
            [0.511086, 0.684683, 1.154072, -0.517802],
            [-0.158758, -0.587193, -0.507244, 1.021128],
        ],
    ),
    "key_input_adjoint": (
        "adjoints",
        [
            [-0.200000, 0.400000, 0.900000, -0.600000],
            [1.195769, 0.173597, -0.766053, 0.378368],
            [-1.234515, -0.534765, 0.335082, 0.646313],
        ],
    ),
    "loss": ("adjoints", 2.479438),
    # The hand example.
    "hand_query": (
        "one-pair",
        [[1, 0], [0.540302, 0.841471], [-0.989992, 0.141120], [1, 0]],
    ),
    "hand_scores": ("one-pair", [0.0, 0.841471, 0.841471, -0.841471]),
    "scores_two_apart": ("one-pair", [0.0, 0.909297, 0.909297, -0.909297]),
    # Four ways of writing a position into [2, 1] and [-1, 3]; a free choice of A(2); two planes.
    "way_scores": (
        "why-rotation",
        [
            [1.0, 1.0, 1.0],
            [3.319738, -0.168347, 6.763547],
            [0.5, 0.03125, 0.5],
            [6.430599, 6.430599, -5.349995],
        ],
    ),
    "way_lengths": ("why-rotation", [2.236068, 2.141143, 0.279508, 2.236068]),
    "step_product": ("why-rotation", [[0.283662, 0.958924], [-0.958924, 0.283662]]),
    "other_second_score": ("why-rotation", 4.233561),
    "plane_scores": (
        "why-rotation",
        [[-3.235538, -3.235538], [0.513958, 0.513958], [-3.235538, -3.235538]],
    ),
    "plane_angles": ("why-rotation", [[1.0, 0.1]] * 3),
    # The additive contrast, base 10000.
    "sums": ("additive", [[1, 1, 1, 1], [1.841471, 0.540302, 1.010000, 0.999950]]),
    "additive_totals": ("additive", [4.391723, 4.640664, 2.205853]),
    "rotation_scores_at_sinusoid_base": ("additive", [1.540252] * 3),
    # Content that is not blind.
    "direction_dot_products": (
        "direction",
        [[0, -0.941304, -1.107967], [0.941304, 0, -0.941304], [1.107967, 0.941304, 0]],
    ),
    "generic_dot_products": (
        "direction",
        [
            [-2.512500, -0.218372, 1.688859],
            [-3.235538, -2.512500, -0.218372],
            [-1.866568, -3.235538, -2.512500],
        ],
    ),
    "minus_one_read": ("refusals", [0.283662, -0.958924]),
    "wrong_direction_errors": ("adjoints", [0.0, 1.346354, 1.091157]),
    "order_difference": ("order", 0.473613),
    "equal_tokens_apart": ("order", 1.245973),
    "chapter_weights": ("visibility", [0.442173, 0.557827, 0.0]),
    "equal_share": ("visibility", 0.166667),
    # Two heads: every number from the formulas that the section shows, in plain Python.
    "heads_apart": ("heads", 0.153355),
    "gains_apart": ("heads", 1.508636),
    "hidden_scores": ("visibility", [-0.296150, 0.466758, 0.499935]),
    "greatest_move": ("dot-products", 1.989992),
}
TABLES = {
    "cosines": [[1.0, 1.0], [0.540302, 0.995004], [-0.416147, 0.980067]],
    "sines": [[0.0, 0.0], [0.841471, 0.099833], [0.909297, 0.198669]],
}


@pytest.fixture(scope="module")
def for_programs() -> dict[str, Any]:
    """The whole chapter as a program reads it."""
    loaded: dict[str, Any] = json.loads(render(build.build(["chapter"]), "json", "en"))
    return loaded


def value(for_programs: dict[str, Any], name: str) -> tuple[str, Any]:
    """The only section that holds a value of this name, and the value."""
    [found] = [
        (section["slug"], section["values"][name])
        for section in for_programs["sections"]
        if name in section["values"]
    ]
    return found


@pytest.mark.parametrize("name", CHAPTER)
def test_a_value_is_the_chapters(name: str, for_programs: dict[str, Any]) -> None:
    """Each value stands in its one section and is the number of the text."""
    slug, found = value(for_programs, name)
    expected_slug, expected = CHAPTER[name]
    assert slug == expected_slug
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=0, atol=5.1e-7)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_begins_with_the_chapters_rows(name: str, for_programs: dict[str, Any]) -> None:
    """The tables of cosines and sines hold six positions, the first three as in the text."""
    slug, found = value(for_programs, name)
    assert slug == "frequencies"
    assert np.shape(found) == (6, 2)
    np.testing.assert_allclose(found[:3], TABLES[name], rtol=0, atol=5.1e-7)


def test_shifted_rows_are_those_of_positions_three_to_five(for_programs: dict[str, Any]) -> None:
    """After the shift by 3 a row is cosine and sine of 3, 4, 5 radians and of a tenth of them."""
    expected = [
        [-0.989992, 0.141120, 0.955336, 0.295520],
        [-0.653644, -0.756802, 0.921061, 0.389418],
        [0.283662, -0.958924, 0.877583, 0.479426],
    ]
    for name in ("shifted_query", "shifted_key"):
        slug, found = value(for_programs, name)
        assert slug == "rotations"
        np.testing.assert_allclose(found, expected, rtol=0, atol=5.1e-7)


def test_rotating_values_moves_the_output(for_programs: dict[str, Any]) -> None:
    """What an equal shift by 3 does to the output, for the four choices of what to rotate."""
    _, moves = value(for_programs, "output_moves")
    assert moves["queries-and-keys"] <= 1e-12
    assert moves["with-values"] == pytest.approx(3.639186, abs=5.1e-7)
    assert moves["rotated-back"] <= 1e-12
    assert moves["queries"] == pytest.approx(0.790227, abs=5.1e-7)


def test_the_layer_of_two_heads_gives_the_output_of_its_formulas(
    for_programs: dict[str, Any],
) -> None:
    """Token 2 after projections, two rotated heads, joining and W_O, in plain Python."""
    _, path = value(for_programs, "heads_path")
    expected = [
        [0.370407, -0.169007, -0.341411, 0.324041],
        [-0.073321, -0.114595, 0.399408, -0.394419],
    ]
    np.testing.assert_allclose(path["joined"], expected, rtol=0, atol=5.1e-7)


def test_the_first_cell_that_overflows_is_found_in_33_steps(for_programs: dict[str, Any]) -> None:
    """Of 10^10 positions and 64 pairs at base 1e-305: 1.797...e308 is the end of float64."""
    slug, first = value(for_programs, "first_failure")
    assert (slug, first) == ("refusals", {"position": 104795000, "pair": 63})
    assert value(for_programs, "table_cells") == ("refusals", 640000000000)
    assert len(value(for_programs, "search_steps")[1]) == 33


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_number_of_the_chapter_is_in_the_text(language: str) -> None:
    """The text shows each number of the chapter with six decimals, in both languages."""
    text = render(build.build(["chapter"]), "text", language)
    shown = set(re.findall(r"-?\d+\.\d{6}", text))
    expected = {
        f"{number:z.6f}"
        for _, values in [*CHAPTER.values(), *((None, table) for table in TABLES.values())]
        for number in np.ravel(values)
    }
    missing = {
        number
        for number in expected - shown
        # A hand-typed number is itself rounded, so its last digit may stand one off.
        if not any(abs(float(number) - float(near)) < 1.5e-6 for near in shown)
    }
    assert missing == set()
    assert {"1.535306", "0.563920", "2.479438", "-0.989992", "-0.909297"} <= shown


def test_both_languages_show_the_same_numbers() -> None:
    """Section by section the numbers are the same, in the same order."""
    document = build.build(["chapter"])
    for section in document.sections:
        alone = build.section_alone(section.slug)
        english, russian = (render(alone, "text", language) for language in ("en", "ru"))
        numbers = [re.findall(r"-?\d+\.\d{6}", text) for text in (english, russian)]
        assert sorted(numbers[0]) == sorted(numbers[1]), section.slug


def test_refusals_carry_the_chapters_values(for_programs: dict[str, Any]) -> None:
    """Kinds and values of the refusals that the chapter names."""
    _, refusals = value(for_programs, "refusals")
    by_kind = {case["kind"]: case["values"] for case in refusals}
    assert set(by_kind) >= {
        "odd-feature-width",
        "input-rank",
        "feature-width-mismatch",
        "position-range-exceeded",
        "position-offset-overflow",
        "autodiff-stage",
        "zero-feature-width",
        "zero-position-capacity",
        "invalid-base",
        "table-size-overflow",
        "table-allocation-failed",
        "non-finite-table-value",
    }
    assert by_kind["non-finite-table-value"] == {"position": "72", "pair": "511"}
    assert by_kind["table-allocation-failed"] == {"values": str(2**60)}
    assert by_kind["table-size-overflow"] == {"positions": str(2**64 - 1), "pairs": "2"}
