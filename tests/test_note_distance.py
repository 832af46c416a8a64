"""Distance, bands, bases and longer contexts: the numbers of these sections, typed by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from rope_cli.example import reference
from rope_cli.example.parameters import Parameters
from rope_cli.example.worked_example import Example
from rope_cli.experiments import distances
from rope_cli.experiments.bugs import BUGS
from rope_cli.renderers import render
from rope_cli.report import build
from rope_cli.rope.scaling import Linear, Llama3, NtkAware, Yarn
from rope_cli.rope.tables import RotaryEmbedding
from rope_cli.sections.note import bands, bound, expectation, extension, peak, same_content

SLUGS = ("same-content", "bound", "expectation", "peak", "bands", "base", "extension")
# Distance: the mean of |S_j|, its share of 32.5, the score of equal rows, its share of 128.
DECAY = """
    0     32.500000 1.000000 128.000000  1.000000
    1     31.538166 0.970405 124.187368  0.970214
    2     28.955988 0.890953 114.763721  0.896592
    4     22.604043 0.695509  97.172061  0.759157
    8     19.817395 0.609766  91.441028  0.714383
    16    15.774951 0.485383  79.403308  0.620338
    32    13.384314 0.411825  71.355629  0.557466
    64    10.089942 0.310460  61.040118  0.476876
    128    9.272903 0.285320  42.597681  0.332794
    256    6.543097 0.201326  41.049665  0.320701
    512    5.311366 0.163427  28.086320  0.219424
    1024   4.024113 0.123819  26.168502  0.204441
    2048   3.618515 0.111339  15.268341  0.119284
    4096   4.882792 0.150240  -6.765228 -0.052853
    8192   4.901878 0.150827   3.188387  0.024909
    16384  5.110582 0.157249 -18.211315 -0.142276
    32768  3.802596 0.117003   7.227121  0.056462
    65536  4.891816 0.150517  -0.957376 -0.007480
"""
# Distance: the score in four bands of sixteen pairs, and all together.
BANDS = """
    0    32.000000 32.000000 32.000000 32.000000 128.000000
    1    28.227332 31.960436 31.999604 31.999996 124.187368
    16   -7.531337 23.036867 31.898792 31.998987  79.403308
    64   -1.058488 -0.295467 30.410284 31.983790  61.040118
    256  -1.671019 -2.030007 13.009288 31.741404  41.049665
    1024 -2.232175  7.096902 -6.749504 28.053278  26.168502
    4096  0.368716 -9.273760  0.751895  1.387921  -6.765228
"""
# Distance: the greatest score of independent signs, the score of equal signs.
SIGNS = """
    0  4.000000  4.000000
    1  3.672950  3.070613
    2  3.778728  1.127839
    5  3.673014  2.322489
    10 3.361085 -0.597538
    31 3.827755 -0.168786
"""
CHAPTERS_ROW = [
    *(2.000000, 1.535306, 0.563920, -0.034656, 0.267417, 1.161245, 1.785506),
    *(1.518744, 0.551207, -0.289520, -0.298769, 0.458022, 1.206212),
]
FARTHEST = 65536


def typed(table: str) -> np.ndarray[Any, Any]:
    return np.array([[float(word) for word in line.split()] for line in table.strip().splitlines()])


def near(found: Any, expected: Any, digits: int = 6) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=0.51 * 10.0**-digits)


@pytest.fixture(scope="module")
def values() -> dict[str, Any]:
    """The values of the seven sections as a program reads them."""
    loaded = json.loads(render(build.build(SLUGS), "json", "en"))
    assert loaded["checks"]["failed"] == 0
    return {name: held for part in loaded["sections"] for name, held in part["values"].items()}


@lru_cache(maxsize=1)
def all_turns() -> Any:
    """``cos + i sin`` of every pair at every distance from 0 to 65536, d = 128, b = 10000."""
    return RotaryEmbedding(128, FARTHEST + 1, 10000.0).factors


@lru_cache(maxsize=1)
def all_scores() -> Any:
    return 2 * all_turns().real.sum(axis=1)


@lru_cache(maxsize=1)
def all_partial_sums() -> np.ndarray[Any, Any]:
    """The sum of |S_1| ... |S_64| at every distance."""
    total, running = np.zeros(FARTHEST + 1), np.zeros(FARTHEST + 1, dtype=complex)
    for pair in range(64):
        running += all_turns()[:, pair]
        total += np.abs(running)
    return total


def test_decay_table(values: dict[str, Any]) -> None:
    """Eighteen distances: the falling factor of the bound and the score of equal rows."""
    distances, means, shares, scores, score_shares = typed(DECAY).T
    assert values["listed_distances"] == values["mean_partial_sum_distances"] == distances.tolist()
    near(values["mean_partial_sums"], means)
    near(values["share_of_first_mean"], shares)
    near(values["same_scores"], scores)
    near(np.array(values["same_scores"]) / values["same_norm"], score_shares)


def test_chapters_row(values: dict[str, Any]) -> None:
    """Thirteen distances of [1, 0, 1, 0]: 6 scores more than 1."""
    near(values["small_same_scores"], CHAPTERS_ROW)


def test_score_does_not_fall_steadily(values: dict[str, Any]) -> None:
    """Where equal rows first score more, less than nothing, least of all, and rise most."""
    scores = all_scores()
    near(scores[[11, 12]], [84.688646, 84.762773])
    steps = np.diff(scores)
    assert int(np.argmax(steps > 0)) == 11
    assert int(np.argmax(scores < 0)) == same_content.FIRST_NEGATIVE == 1707
    near(values["first_negative_score"], scores[1707])
    assert int(scores.argmin()) == 62376
    near(scores.min(), -36.064063)
    assert int(steps.argmax()) == 2008
    near(steps.max(), 10.104060)
    rising = [int((steps[:end] > 0).sum()) for end in (64, 256, 1024, FARTHEST)]
    assert rising == [20, 115, 492, 32715]
    assert values["rising_steps_to_256"] == 115
    near(
        values["farther_scores"],
        [[61.040118, 65.108134], [42.597681, 57.025155], [26.168502, 41.114190]],
    )


def test_bound_does_not_fall_steadily(values: dict[str, Any]) -> None:
    """Where the mean of |S_j| first rises, is least, and rises most."""
    means = all_partial_sums() / 64
    near(means[[18, 19]], [15.348746, 15.390800])
    near(values["bound_rise"], means[[18, 19]])
    steps = np.diff(means)
    assert int(np.argmax(steps > 0)) == 18
    assert int(means.argmin()) == bound.BOUND_DISTANCES[-1] == 61061
    near(means.min(), 1.206244)
    assert int(steps.argmax()) == 54942
    near(steps.max(), 2.667640)
    rising = [int((steps[:end] > 0).sum()) for end in (64, 256, 1024, FARTHEST)]
    assert rising == [18, 115, 496, 33059]


def test_mean_scores_of_windows(values: dict[str, Any]) -> None:
    """On average the score of equal rows falls from window to window."""
    edges = [(1, 3), (4, 15), (16, 63), (64, 255), (256, 1023)]
    far = [(1024, 4095), (4096, 16383), (16384, 65535)]
    means = [all_scores()[first : last + 1].mean() for first, last in edges + far]
    near(means[:5], [114.441182, 88.545803, 68.706440, 49.570444, 30.146384])
    near(means[5:], [10.981497, -3.921465, -0.254628])
    assert values["score_windows"] == [list(edge) for edge in edges]
    near(values["window_means"], means[:5])
    assert values["far_windows"] == [list(edge) for edge in far[:2]]
    near(values["far_window_means"], means[5:7])
    near(values["far_window_lines"], [11.861257, -7.407014])


@pytest.mark.parametrize(
    ("distance", "expected"), [(16, 81.4), (64, 62.2), (256, 42.9), (1024, 23.6), (4096, 4.4)]
)
def test_logarithm_line(distance: int, expected: float) -> None:
    """The line around which the scores of equal rows lie, up to 1024 positions."""
    line = same_content.logarithm_line(distance)
    near(line, expected, digits=1)
    assert (abs(line - all_scores()[distance]) < 3) == (distance < 4096)


def contents() -> dict[str, Any]:
    draws = np.random.default_rng(0)
    drawn = draws.standard_normal(128), draws.standard_normal(128)
    named = bound.contents()
    return {name: bound.pair_products(*rows) for name, rows in {**named, "drawn": drawn}.items()}


@pytest.mark.parametrize(
    ("name", "distance", "real", "whole", "limit", "trivial"),
    [
        ("equal", 0, 128.0, 128.0, 4160.0, 128.0),
        ("equal", 256, 41.049665, 46.891601, 837.516457, 128.0),
        ("equal", 4096, -6.765228, 8.655507, 624.997400, 128.0),
        ("drawn", 0, 0.346338, None, 13097.916288, 107.691161),
        ("drawn", 256, 2.970321, None, 2636.952031, 107.691161),
        ("drawn", 4096, 21.981121, None, 1967.827796, 107.691161),
        ("falling", 0, 32.5, 32.5, 32.5, 32.5),
        ("falling", 256, None, 4.955509, 6.543097, 32.5),
        ("falling", 4096, None, 4.426799, 4.882792, 32.5),
    ],
)
def test_bound_of_contents(
    name: str, distance: int, real: float | None, whole: float | None, limit: float, trivial: float
) -> None:
    """Sum, bound and plain limit of contents; one is numpy's default_rng(0), q before k."""
    h, turns = contents()[name], all_turns()[distance]
    found = (h * turns).sum()
    if real is not None:
        near(found.real, real)
    if whole is not None:
        near(abs(found), whole)
    near(bound.abel_bound(h, np.cumsum(turns)), limit)
    near(np.abs(h).sum(), trivial)


@pytest.mark.parametrize(
    ("name", "ratio", "useful"),
    [("equal", 0.067514, 0), ("drawn", 0.067225, 0), ("falling", 1.0, FARTHEST)],
)
def test_bound_at_every_distance(name: str, ratio: float, useful: int) -> None:
    """The bound holds at all 65537 distances, and where it is below the plain limit."""
    h = contents()[name]
    limits = np.abs(np.diff(np.append(h, 0.0))).max() * all_partial_sums()
    sums = np.abs(all_turns() @ h)
    assert (sums <= limits * (1 + 1e-12)).all()
    assert int((limits[1:] < np.abs(h).sum()).sum()) == useful
    near((sums / limits).max(), ratio)
    if name == "equal":
        near(limits.min(), 154.399283)


def test_bound_values_are_those_of_plain_sums(values: dict[str, Any]) -> None:
    """The section's sums and bounds are those of the whole range at its distances."""
    at = values["bound_distances"]
    for row, name in enumerate(values["bound_contents"]):
        h = contents()[name]
        near(values["whole_sums"][row], np.abs(all_turns()[at] @ h))
        near(values["bound_scores"][row], (all_turns()[at] @ h).real)
        steps = np.abs(np.diff(np.append(h, 0.0))).max()
        near(values["abel_bounds"][row], steps * all_partial_sums()[at])


def test_largest_steps_and_shares(values: dict[str, Any]) -> None:
    """The step to the 0 after the last h counts; two shares of the value at D = 0."""
    near(values["largest_steps"], [2.0, 4.0, 0.015625])
    shown = [values["listed_distances"].index(distance) for distance in (1, 16, 256, 4096)]
    expected = [0.970214, 0.620338, 0.320701, -0.052853]
    near(np.array(values["equal_row_shares"])[shown], expected)
    near(values["decay_factors"], [1.0, *expected])


def test_rows_along_one_direction(values: dict[str, Any]) -> None:
    """q and k are [1, 0, 1, 0] or its opposite: mean 0, and a variance that nearly vanishes."""
    near(values["one_direction_means"], [0.0] * 4)
    near(values["one_direction_variances"], [4.0, 2.357166, 0.001201, 3.188031])


def test_expectation_table(values: dict[str, Any]) -> None:
    """All 256 pairs of sign contents: mean 0, variance 4, and the trace for equal ones."""
    distances, greatest, traces = typed(SIGNS).T
    assert values["expectation_distances"] == distances.tolist()
    near(values["independent_means"], np.zeros(6))
    near(values["independent_variances"], np.full(6, 4.0))
    near(values["independent_greatest"], greatest)
    near(values["independent_least"], -greatest)
    near(values["equal_content_means"], traces)
    near(values["equal_content_variances"], np.zeros(6))
    near(values["rotation_traces"], traces)
    near(values["common_mean_means"], traces / 4, digits=5)


def test_common_mean_of_a_model() -> None:
    """With a common mean of 1/2 the exact expectation at d = 128 is a quarter of equal rows'."""
    expected = [32.0, 19.850827, 10.262416, -1.691307]
    near(all_scores()[[0, 16, 256, 4096]] * expectation.COMMON_MEAN**2, expected)


PEAKS = {
    1: {0: 124.187368, 1: 128.0, 2: 124.187368},
    16: {0: 79.403308, 8: 91.441028, 15: 124.187368, 16: 128.0, 32: 79.403308},
    256: {0: 41.049665, 256: 128.0},
    4096: {0: -6.765228, 4096: 128.0},
}


@pytest.mark.parametrize("chosen", PEAKS)
def test_key_prefers_its_distance(chosen: int, values: dict[str, Any]) -> None:
    """Over 0 to 8192 the greatest score is at the chosen distance, and only there."""
    embedding, ones = RotaryEmbedding(128, 8193, 10000.0), np.ones((1, 128))
    [key] = embedding.rotate(ones, chosen)
    curve = embedding.rotate(np.ones((8193, 128))) @ key
    assert int(curve.argmax()) == chosen
    column = values["chosen_distances"].index(chosen)
    for distance, expected in PEAKS[chosen].items():
        near(curve[distance], expected)
        row = values["peak_distances"].index(distance)
        near(values["peak_scores"][row][column], expected)


def test_small_peak_and_weights(values: dict[str, Any]) -> None:
    """The chapter's row prefers D = 2; the weights of 1024 keys of equal content."""
    near(
        values["small_peak_scores"],
        [0.563920, 1.535306, 2.000000, 1.535306, 0.563920, -0.034656],
    )
    weights = dict(zip(values["weight_distances"], values["equal_row_weights"], strict=True))
    near(
        [weights[distance] for distance in (0, 1, 10, 63, 1023)],
        [0.307328, 0.219406, 0.007270, 0.000664, 0.000033],
    )
    near(values["nearest_ten_weights"][0], 0.747486)


def test_band_table(values: dict[str, Any]) -> None:
    """Seven distances in four bands."""
    rows = typed(BANDS)
    assert values["band_distances"] == rows[:, 0].tolist()
    near(values["band_sums"], rows[:, 1:5])
    near(values["band_totals"], rows[:, 5])


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (1, 7, [0.471490, 0.019782, 0.000202, 0.000002]),
        (64, 127, [0.703335, 0.426496, 0.039819, 0.000438]),
        (1024, 2047, [0.707044, 0.706783, 0.516470, 0.087881]),
        (8192, 16383, [0.707128, 0.707030, 0.706035, 0.478789]),
    ],
)
def test_spread_of_bands(
    first: int, last: int, expected: list[float], values: dict[str, Any]
) -> None:
    """How much the cosines of a band vary inside a window of distances."""
    near(bands.spreads(all_turns()[first : last + 1].real), expected)
    if [first, last] in values["spread_windows"]:
        near(values["band_spreads"][values["spread_windows"].index([first, last])], expected)


def test_turns_and_half_periods(values: dict[str, Any]) -> None:
    """Turns of eight pairs in 4096 positions, and how far their cosines order distances."""
    assert values["listed_pairs"] == [0, 15, 16, 31, 32, 47, 48, 63]
    turns = [651.899, 75.280, 65.190, 7.528, 6.519, 0.753, 0.652, 0.075]
    near(values["turns_in_context"], turns, digits=3)
    halves = dict(zip(values["listed_pairs"], values["half_periods"], strict=True))
    near(
        [halves[pair] for pair in (0, 16, 32, 48, 63)],
        [3.142, 31.416, 314.159, 3141.593, 27205.072],
        digits=3,
    )
    near(values["listed_frequencies"][-1], 0.000115478, digits=9)


def test_unfinished_turns(values: dict[str, Any]) -> None:
    """How many of 64 pairs never finish a turn, and from which index on."""
    assert values["turn_contexts"] == [2048, 4096, 8192, 32768]
    assert values["unfinished_pairs"] == [[23, 18, 14, 4], [35, 32, 29, 22]]
    near(values["first_unfinished_pair"], 45.026881)
    theta = RotaryEmbedding(128, 1, 10000.0).inverse_frequencies
    assert np.flatnonzero(theta * 4096 < 2 * math.pi).tolist() == list(range(46, 64))
    slowest = 4096 * theta[63]
    near([slowest, math.cos(slowest)], [0.472999, 0.890206])


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (0, [0.459698, 1.839072, 0.137681, 0.437621, 1.952155]),
        (32, [0.000050, 0.004996, 0.459698, 1.839072, 0.137681]),
        (63, [0.000000, 0.000001, 0.000067, 0.006660, 0.595882]),
    ],
)
def test_loss_of_agreement(pair: int, expected: list[float]) -> None:
    """1 - cos(D theta) of a fast, a middle and a slow pair at D = 1, 10, ... 10000."""
    near(1 - all_turns()[[1, 10, 100, 1000, 10000], pair].real, expected)


def test_how_far_slow_pairs_get(values: dict[str, Any]) -> None:
    """Up to 4096 pair 46 makes 0.869 turns; 9 pairs stay under 90 degrees, 1 under 30."""
    assert values["pairs_below_degrees"] == {"30": 1, "90": 9, "360": 18}
    near(values["turn_of_first_unfinished"], 0.869321)
    assert values["pairs_always_falling"] == 19


def test_first_negative_scores(values: dict[str, Any]) -> None:
    """Where the score of two rows of ones first falls below 0, by base; 1707 is the note's."""
    assert values["first_negative_distances"] == [59, 1707, 18438, 27115]


def test_slowest_pairs_left_unrotated(values: dict[str, Any]) -> None:
    """At D = 4096 the band 48-63 adds 1.387921 when rotated and 32 when not; YaRN's square at 4."""
    assert values["slowest_pairs"] == 16
    near(values["slowest_pairs_sums"], [1.387921, 32.0])
    near(values["score_factor"], 1.138629**2, digits=5)


def test_bases(values: dict[str, Any]) -> None:
    """The last pair with bases of real models; bases of 1 and below."""
    assert values["model_bases"] == [100.0, 10000.0, 500000.0, 1000000.0]
    np.testing.assert_allclose(
        values["last_frequencies"][1:], [1.154782e-4, 2.455141e-6, 1.240938e-6], rtol=5e-7
    )
    near(values["last_periods"][1:], [54410.143, 2559195.517, 5063255.794], digits=3)
    assert values["small_bases"] == [100.0, 1.0, 0.01]
    near(
        values["small_frequencies"],
        [[1, 0.316228, 0.1, 0.031623], [1, 1, 1, 1], [1, 3.162278, 10, 31.622777]],
    )
    near(values["alias_angle"], 3.716815)
    greater = dict(zip(values["base_distances"], values["shares_by_base"][1], strict=True))
    expected = {1: 0.977909224, 16: 0.729513878, 256: 0.559515066, 1024: 0.479104292}
    for distance, share in {**expected, 4096: 0.382752955}.items():
        near(greater[distance], share, digits=9)


def test_extension_ratios(values: dict[str, Any]) -> None:
    """What is left of each speed at s = 4, and NTK's base and YaRN's factor for four s."""
    pairs = values["scaled_pairs"]
    linear, ntk, by_index, by_turns = (
        dict(zip(pairs, row, strict=True)) for row in values["scaling_ratios"]
    )
    near(list(linear.values()), [0.25] * len(pairs))
    near([ntk[pair] for pair in (0, 1, 31, 63)], [1.0, 0.978236, 0.505532, 0.25])
    assert ntk[63] == pytest.approx(0.25, abs=1e-12)
    near([by_turns[32], by_index[32]], [0.383524, 0.653846])
    assert values["extension_factors"] == [2, 4, 8, 32]
    near(values["ntk_bases"], [20221.261690, 40889.942432, 82684.622641, 338096.945982])
    near(values["plain_base_last_ratios"][1], 0.255474)
    near(values["yarn_factors"], [1.069315, 1.138629, 1.207944, 1.346574])
    trained, unscaled, *extended = values["slowest_angles"]
    near([trained, unscaled, *extended], [0.472999, 1.891995, 0.472999, 0.472999])
    near([values["neighbour_angle"], *values["neighbour_cosines"]], [0.25, 0.540302, 0.968912])


@pytest.mark.parametrize("s", [2, 4, 8, 32])
def test_bands_of_methods(s: int, values: dict[str, Any]) -> None:
    """Pairs kept, blended and divided, whatever the factor; the bounds of the index ramp."""
    yarn = Yarn(s, 4096)
    assert extension.count_bands(yarn.scaled_by_turns(128, 10000.0)) == [21, 25, 18]
    assert extension.count_bands(yarn.scaled(128, 10000.0)) == [21, 25, 18]
    assert yarn.bounds(128, 10000.0) == (20, 46)
    assert values["band_counts"] == [[21, 25, 18], [21, 25, 18], [29, 6, 29]]
    llama = Llama3(8, 1, 4, 8192).scaled(128, 500000.0)
    assert extension.count_bands(llama) == [29, 6, 29]
    assert np.allclose(extension.ratios(Linear(s).scaled(128, 10000.0)), 1 / s, rtol=1e-15)
    assert extension.ratios(NtkAware(s).scaled(128, 10000.0))[0] == 1.0


def test_scores_of_a_window_need_no_table_of_the_rest() -> None:
    """Listed positions are rotated one stretch at a time, as a whole table would."""
    embedding, row = RotaryEmbedding(8, 1000, 50.0), [0.5, -1, 2, 3, 1, 0, -2, 4]
    positions = [0, 1, 2, 500, 501, 999]
    found = distances.query_rows(Example(Parameters()), row, positions, 50.0)
    whole = embedding.rotate(np.tile(np.array(row), (1000, 1)))
    assert found.tobytes() == whole[positions].tobytes()


def test_plain_witnesses_agree_with_the_dense_matrix() -> None:
    """The sum of cosines is the trace of the rotation, and the made key turns back to the row."""
    for distance in (0, 1, 7, 300):
        trace = reference.rotation_matrix(distance, 8, 100.0).trace()
        near(distances.cosine_sums([distance], 8, 100.0), [trace], digits=9)
    [made] = peak.keys_for([1.0, 0.0, 1.0, 0.0], [3], 100.0)
    near(made @ reference.rotation_matrix(3, 4, 100.0), [1, 0, 1, 0], digits=9)


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_section_sees_broken_rotation(slug: str) -> None:
    """At least half of the bugs are caught by each of these sections alone."""
    gather = build.section_module(slug).gather
    caught = 0
    for bug in BUGS:
        checks = gather(bug.example_type(Parameters())).checks
        caught += not all(check.holds for check in checks)
        if caught >= len(BUGS) // 2:
            return
    pytest.fail(f"{caught} of {len(BUGS)} bugs are caught")


def monotone(real: Callable[..., Any]) -> Callable[..., Any]:
    """A model of the score that falls steadily: what the sections say is not so."""

    def scores(
        example: Example, query: Any, keys: Any, distances: Any, base: float = 10000.0
    ) -> Any:
        right = real(example, query, keys, distances, base)
        return np.abs(right[:1]) * np.exp(-np.abs(np.asarray(distances)) / 500.0)[:, None]

    return scores


@pytest.mark.parametrize(
    ("slug", "module", "expected"),
    [
        ("same-content", same_content, {"farther-keys-win", "first-negative-score"}),
        ("peak", peak, {"peak-where-chosen", "far-weight-of-chosen-key"}),
    ],
)
def test_steady_fall_would_be_seen(
    slug: str, module: Any, expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With scores that fall exponentially the sections' checks fail."""
    monkeypatch.setattr(module, "scores_at", monotone(module.scores_at))
    failed = {check.name for check in build.build([slug]).checks if not check.holds}
    assert expected <= failed
