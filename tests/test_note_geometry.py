"""Sections of the note on form, layout, clocks and shifts: their numbers, typed here by hand."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest

from rope_cli import RotaryEmbedding
from rope_cli.document.blocks import Document
from rope_cli.example import reference
from rope_cli.example.parameters import Parameters
from rope_cli.experiments.bugs import BUGS
from rope_cli.renderers import render
from rope_cli.report import build
from rope_cli.rope.layouts import adjacent_order, half_split_order, to_adjacent, to_half_split
from rope_cli.rope.reduced_precision import to_bfloat16
from rope_cli.sections.note import dense_vs_pairs

SLUGS = (
    "complex",
    "dense-vs-pairs",
    "layouts",
    "clocks",
    "content",
    "shift-one",
    "common-shift",
)
WIDTHS = [2, 4, 8, 64, 128, 256]
GENERIC_QUERY, GENERIC_KEY = np.array([1, 2, -0.5, 0.75]), np.array([0.3, -1, 2, 0.25])
# Value, section, what must come out to six decimals.
EXPECTED: dict[str, tuple[str, Any]] = {
    "conjugated_product": ("complex", 1.0),
    "plain_product": ("complex", 5.0),
    "complex_scores": ("complex", [[-6.547312, -6.547312]] * 4),
    "complex_wrong_scores": (
        "complex",
        [[5.537619, 5.537619], [5.537619, 5.537619], [5.844825, -6.334100]],
    ),
    "complex_row_score": ("complex", -3.235538),
    "complex_row_sum": ("complex", -3.235538),
    "complex_factor": ("complex", [-0.936457, -0.350783]),
    "unit_numbers": (
        "complex",
        [[0.540302, 0.841471], [-0.416147, 0.909297], [-0.989992, 0.141120]],
    ),
    "unit_numbers_back": (
        "complex",
        [[0.540302, -0.841471], [-0.416147, -0.909297], [-0.989992, -0.141120]],
    ),
    "complex_steps": ("complex", [[[-6.547312, -2.670713]] * 2] * 3),
    "dense_widths": ("dense-vs-pairs", WIDTHS),
    "dense_nonzeros": ("dense-vs-pairs", [4, 8, 16, 128, 256, 512]),
    "dense_multiplications": ("dense-vs-pairs", [4, 16, 64, 4096, 16384, 65536]),
    "pair_multiplications": ("dense-vs-pairs", [4, 8, 16, 128, 256, 512]),
    "dense_additions": ("dense-vs-pairs", [2, 12, 56, 4032, 16256, 65280]),
    "pair_additions": ("dense-vs-pairs", [2, 4, 8, 64, 128, 256]),
    "dense_shares": ("dense-vs-pairs", [100.0, 50.0, 25.0, 3.125, 1.5625, 0.78125]),
    "three_multiplications": ("dense-vs-pairs", [192, 320]),
    "three_multiplications_from_table": ("dense-vs-pairs", [192, 192]),
    "table_bytes": ("dense-vs-pairs", 134217728),
    "dense_bytes": ("dense-vs-pairs", 17179869184),
    "swap_rotated": ("dense-vs-pairs", [-1.142640, 1.922076, -0.572377, 0.696336]),
    "layout_pairs": (
        "layouts",
        [[[0, 2, 4, 6], [1, 3, 5, 7]], [[0, 1, 2, 3], [4, 5, 6, 7]]],
    ),
    "layout_order": ("layouts", [0, 2, 4, 6, 1, 3, 5, 7]),
    "layout_inverse_order": ("layouts", [0, 4, 1, 5, 2, 6, 3, 7]),
    "small_adjacent": ("layouts", [-1.142640, 1.922076, 2.585679, 4.279517]),
    "small_half": ("layouts", [-1.984111, 1.590675, 2.462378, 4.179683]),
    "layout_errors": ("layouts", [0, 0.841471, 0.909297, 1.358885, 1.520488]),
    "pure_scores": ("layouts", [6.957479] * 3),
    "mixed_scores": ("layouts", [11.642599, 9.637620, 9.850785]),
    "self_inverse_widths": ("layouts", [True, False, False, False]),
    "mixed_norms": ("layouts", [5.477226, 6.012090]),
    "clock_periods": ("clocks", [6.283185, 62.831853]),
    "slowest_period": ("clocks", 54410.143131),
    "return_positions": ("clocks", [1, 6, 19, 25, 44, 333, 710]),
    "return_turns": ("clocks", [0, 1, 3, 4, 7, 53, 113]),
    "alias_cosines": (
        "clocks",
        [
            [0.540302, 0.995004],
            [0.753902, 0.764842],
            [0.525322, -0.210796],
            [0.391857, 0.993185],
            [0.540252, -0.402426],
        ],
    ),
    "content_scores": ("content", [0.841471, 0.540302, 6.430599, 0.0]),
    "content_base_scores": ("content", [1.535306, 1.540252, 1.080605]),
    "content_dot_products": (
        "content",
        [
            [2.000000, 1.216789, -0.287379],
            [1.216789, 0.885000, -0.326112],
            [-0.287379, -0.326112, 1.130000],
        ],
    ),
    "shift_one_generic": ("shift-one", [-3.235538, -1.866568]),
    "shift_one_mirror": ("shift-one", [1.535306, 1.535306]),
    "shift_one_unlike_mirror": ("shift-one", [-0.218372, -3.235538]),
    "periodic_base": ("shift-one", 1.621139),
    "periodic_scores": ("shift-one", [-0.282842712475] * 4),
    "periodic_scores_both_pairs": (
        "shift-one",
        [0.245953, -0.259010, -0.818574, -0.428754],
    ),
    "near_period_scores": ("shift-one", [0.841471, 0.841504, 0.841461]),
    "common_shift_scores": (
        "common-shift",
        [
            [
                [-2.512500, -0.218372, 1.688859],
                [-3.235538, -2.512500, -0.218372],
                [-1.866568, -3.235538, -2.512500],
            ]
        ]
        * 4,
    ),
    "bfloat16_scores": ("common-shift", [-3.235538, -3.235538, -2.512500, -2.512500]),
    "ladder_shifts": ("common-shift", [3, 300, 10**4, 10**6, 10**8, 10**9, 10**12]),
    "ladder_decimals": (
        "common-shift",
        [[12, 12, 12, 10, 8, 7, 4], [12, 12, 11, 9, 7, 6, 3]],
    ),
}


@pytest.fixture(scope="module")
def document() -> Document:
    """The seven sections."""
    return build.build(SLUGS)


@pytest.fixture(scope="module")
def values(document: Document) -> dict[str, dict[str, Any]]:
    """What a program reads, section by section."""
    loaded = json.loads(render(document, "json", "en"))
    return {section["slug"]: section["values"] for section in loaded["sections"]}


@pytest.mark.parametrize("name", EXPECTED)
def test_value_is_the_one_typed_by_hand(name: str, values: dict[str, dict[str, Any]]) -> None:
    """Every number of the tables comes out, through the JSON of its section."""
    slug, expected = EXPECTED[name]
    found = np.array(values[slug][name], dtype=np.float64)
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=0, atol=5.1e-7)


def test_every_check_holds(document: Document) -> None:
    """Nothing fails, and each section has a check of its own."""
    assert document.holds
    assert all(section.verdicts for section in document.sections)


def test_near_period_differences(values: dict[str, dict[str, Any]]) -> None:
    """At 711 the sine is off by 3.3e-5, at 103994 by 1.0e-5; 710 - 113 turns are 6.028871e-05."""
    found = values["shift-one"]["near_period_differences"]
    assert [f"{each:.1e}" for each in found] == ["3.3e-05", "1.0e-05"]
    assert values["clocks"]["return_angles"][-1] == pytest.approx(6.028871e-05, abs=1e-11)


def test_scores_of_generated_rows_in_both_layouts() -> None:
    """d = 128, b = 10000, (7,3), rows from default_rng(1) and (2): one score in four ways."""
    query, key = (np.random.default_rng(seed).standard_normal((1, 128)) for seed in (1, 2))
    adjacent, half = (
        RotaryEmbedding(128, 8, 10000.0, layout) for layout in ("adjacent", "half-split")
    )
    turned = adjacent.rotate(query, 7), adjacent.rotate(key, 3)
    permuted = half.rotate(to_half_split(query), 7), half.rotate(to_half_split(key), 3)
    split = half.rotate(query, 7), half.rotate(key, 3)
    found = [float(q[0] @ k[0]) for q, k in (turned, permuted, split, (turned[0], split[1]))]
    np.testing.assert_allclose(found, [1.380586, 1.380586, 13.333562, -3.060660], atol=5.1e-7)
    for one, other in zip(turned, permuted, strict=True):
        np.testing.assert_allclose(to_half_split(one), other, rtol=0, atol=1e-14)


@pytest.mark.parametrize("width", [2, 4, 6, 8, 64, 128])
def test_permutation_and_its_inverse(width: int) -> None:
    """There and back leaves a row alone; the two are the same only at widths 2 and 4."""
    row = np.arange(float(width))
    assert (to_adjacent(to_half_split(row)) == row).all()
    assert (half_split_order(width) == adjacent_order(width)).all() == (width in (2, 4))


@pytest.mark.parametrize("width", [4, 128])
@pytest.mark.parametrize("shift", [3, 300, 10**4, 10**6, 10**8, 10**9, 10**12])
def test_shift_keeps_to_a_tenth_of_the_bound(width: int, shift: int) -> None:
    """Nine generic scores after the shift, against the formula that knows n-m alone."""
    base = 100.0 if width == 4 else 10000.0
    query, key = (np.resize(row, (3, width)) for row in (GENERIC_QUERY, GENERIC_KEY))
    table = RotaryEmbedding(width, shift + 3, base, first_position=shift)
    found = table.rotate(query, shift) @ table.rotate(key, shift).T
    expected = reference.scores(query, range(3), key, range(3), base)
    size = float(np.linalg.norm(query[0]) * np.linalg.norm(key[0]))
    bound = max(1e-12, 2.0**-54 * (shift + 2) * size)
    assert np.abs(found - expected).max() <= bound / 10


def test_size_of_the_errors(values: dict[str, dict[str, Any]]) -> None:
    """The generic grid at d = 4: 4e-16, 5e-15, 8e-14, 2e-11 and 2e-8, each within a factor of 3."""
    (four, _) = values["common-shift"]["ladder_errors"]
    for at, size in ((0, 4e-16), (1, 5e-15), (2, 8e-14), (3, 2e-11), (5, 2e-8)):
        assert size / 3 <= four[at] <= 3 * size


def test_one_more_decimal_would_be_wrong(values: dict[str, dict[str, Any]]) -> None:
    """From 10^6 on the decimals kept are all that the measured errors leave alone."""
    ladder = values["common-shift"]
    kept, errors = np.array(ladder["ladder_decimals"]), np.array(ladder["ladder_errors"])
    assert (errors * 10.0**kept < 1).all()
    assert (errors[:, 3:] * 10.0 ** (kept[:, 3:] + 1) > 1).all()


def test_errors_are_rounding_of_the_angles(values: dict[str, dict[str, Any]]) -> None:
    """No error exceeds the worst case, 2^-52 times the last position times |q||k|."""
    ladder = values["common-shift"]
    for width, errors in zip(ladder["ladder_widths"], ladder["ladder_errors"], strict=True):
        query, key = (np.resize(row, width) for row in (GENERIC_QUERY, GENERIC_KEY))
        size = float(np.linalg.norm(query) * np.linalg.norm(key))
        shifts = np.array(ladder["ladder_shifts"][2:])
        assert (np.array(errors[2:]) <= 2.0**-52 * (shifts + 2) * size).all()


def test_operations_of_a_known_function() -> None:
    """Two products and a difference of rows of three are counted as six and three."""
    x, y = np.arange(3.0), np.ones(3)
    assert dense_vs_pairs.count_operations(lambda a, b: a * b - b * b, x, y) == [6, 3]
    assert dense_vs_pairs.count_operations(lambda a: -a, x) == [0, 0]


def failed(name: str) -> set[str]:
    """The checks of the seven sections that a bug breaks."""
    bug = next(bug for bug in BUGS if bug.name == name)
    checks = build.build(SLUGS, example_type=bug.example_type).checks
    return {check.name for check in checks if not check.holds}


def test_long_shift_alone_catches_the_low_precision_position() -> None:
    """Positions in bfloat16 pass the shift by 3 and fail by 300, where 301 becomes 300."""
    found = failed("bf16 position")
    assert {"long-shift", "ladder"} <= found
    assert found.isdisjoint({"short-shift", "content-keeps-under-shift", "four-forms-agree"})
    assert to_bfloat16([256, 257, 300, 301, 302]).tolist() == [256, 256, 300, 300, 302]


@pytest.mark.parametrize(
    ("bug", "checks"),
    [
        ("clockwise", {"four-forms-agree", "three-forms-differ", "turn-is-a-factor"}),
        ("half-split pairs", {"block-diagonal", "dense-equals-pairs", "never-exactly-back"}),
        ("mixed layout", {"pure-layouts-keep-score", "short-shift", "block-diagonal"}),
        ("position +1", {"position-zero-hides-it", "hands-by-remainder"}),
        ("degrees for radians", {"alias", "generic-moves", "period-equal", "near-period-close"}),
        ("base 10000", {"frequencies-count", "period-equal", "hands-by-remainder"}),
        ("no rotation at all", {"nonzeros-2d", "coordinates-move", "period-needs-one-pair"}),
        ("q clockwise, k not", {"unconjugated-moves", "whole-angles-keep", "mirror-equal"}),
        ("sinusoid added instead", {"conjugate-is-dot-product", "swap-with-a-sign"}),
    ],
)
def test_bug_breaks_the_checks_that_name_it(bug: str, checks: set[str]) -> None:
    """A wrong rotation is caught where the section says that it would be."""
    assert checks <= failed(bug)


def test_identity_has_only_d_entries() -> None:
    """The count of 2d is that of a position that turns: at position 0 R has d entries."""
    for width in WIDTHS:
        table = RotaryEmbedding(width, 2, 10000.0)
        matrices = [table.rotate(np.eye(width)[:, np.newaxis], m)[:, 0].T for m in (0, 1)]
        assert [int(np.count_nonzero(matrix)) for matrix in matrices] == [width, 2 * width]
        expected = reference.rotation_matrix(1, width, 10000.0)
        np.testing.assert_allclose(matrices[1], expected, rtol=0, atol=1e-15)


def test_swap_with_a_sign() -> None:
    """Each pair is exchanged and its new left number negated."""
    assert dense_vs_pairs.swapped(np.arange(1.0, 7.0)).tolist() == [-2, 1, -4, 3, -6, 5]


def test_only_two_pi_times_a_whole_number_brings_a_hand_back() -> None:
    """No position up to 1000 is a whole number of turns, and 103993 is nearer than 710."""
    left = [abs(math.remainder(m, math.tau)) for m in (*range(1, 1001), 103993)]
    assert min(left[:-1]) == left[709] == pytest.approx(6.028871e-05, abs=1e-11)
    assert left[-1] < left[709]


@pytest.mark.parametrize("layout", ["adjacent", "half-split"])
@pytest.mark.parametrize(("width", "base"), [(2, 100.0), (128, 500000.0), (4, 0.01), (8, 1e30)])
def test_complex_sum_takes_the_readers_values(width: int, base: float, layout: str) -> None:
    """Width, base and layout reach the sum over pairs, and every check still holds."""
    given = frozenset({"feature_width", "base", "layout"})
    asked = Parameters(feature_width=width, base=base, layout=layout, given=given)
    document = build.build(["complex"], asked)
    assert document.holds
    found = document.sections[0].values["complex_row_score"]
    query, key = np.resize(GENERIC_QUERY, (1, width)), np.resize(GENERIC_KEY, (1, width))
    assert found == pytest.approx(reference.scores(query, [1], key, [0], base)[0, 0], abs=1e-11)


@pytest.mark.parametrize("slug", SLUGS)
def test_both_languages_show_the_same_numbers(slug: str) -> None:
    """The numbers of a section do not depend on the language."""
    alone = build.section_alone(slug)
    english, russian = (
        sorted(re.findall(r"-?\d+\.\d{6}", render(alone, "text", language)))
        for language in ("en", "ru")
    )
    assert english == russian
    assert english
