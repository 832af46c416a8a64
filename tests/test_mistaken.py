"""The witness that makes right and wrong arrays agrees with numbers typed from public cases."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tools import mistaken as witness
from tools.mistaken import KINDS, ROUNDOFF, Array, Setup, pairs, right, visible
from tools.setups import (
    ADJACENT,
    COMBINED,
    GPT_OSS,
    HALF,
    LLAMA31,
    MIRROR,
    MIRRORED_ROW,
    MIXED,
    MIXED_ROW,
    ONCE,
    OPEN,
    ORDER,
    REORDERED,
    TWICE,
    made,
    rows,
    scaled,
    told,
)

# What a mistake says of itself; the others say nothing.
FIGURES = {
    **{"other-layout": "layout", "order-out": "layout_in layout_out", "offset": "offset"},
    **{"mixed-layout": "angles rotation", "clamped-positions": "last", "base": "base"},
    **{"position-interpolation": "factor", "ntk": "factor", "rotary-width": "width"},
    **{"attention-factor": "found", "denominator": "denominator", "stride": "stride"},
    **{"lost-minus": "minus", "low-precision": "dtype rounded", "some-rows": "rows"},
    **dict.fromkeys(("yarn", "llama3"), "factor original_length"),
    **{"stale-length": "length", "permuted": "order"},
}


def unit(setup: Setup) -> Array:
    """Left coordinates 1 and right ones 0, for as many tokens as there are positions."""
    x = np.zeros((1, 1, len(setup.positions), setup.head_width))
    x[..., pairs(setup.layout, setup.rotary_width)[0]] = 1
    return x


def angles(kind: str, setup: Setup, **figures: Any) -> Array:
    """By how much the pairs of the first row are turned; at position 1, the frequencies."""
    left, other = pairs(setup.layout, setup.rotary_width)
    y = made(kind, setup, unit(setup), **figures)[0, 0, 0]
    return np.asarray(np.arctan2(y[other], y[left]))


def close(found: Any, *expected: float) -> None:
    np.testing.assert_allclose(np.ravel(found), expected, rtol=3e-9, atol=5e-10)


# Rows of numbers: case and mistake, its figures, setup, input, output

ONE, FOUR, EIGHT, NINE = rows(1, 0), rows(1, 2, 3, 4), rows(*range(8)), rows(*range(1, 9))
TOY, TOY_HALF, PAIR, PART = told(), told(half=True), told(2), told(4, half=True, head_width=8)
AT_0, AT_5, STILL, STILL_HALF = told(2, at=0), told(2, at=5), told(8, at=0), told(8, 1e4, 0, True)
ROWS: tuple[tuple[str, dict[str, Any], Setup, Array, Any], ...] = (
    ("A1 right", {}, TOY, FOUR, ADJACENT),
    ("A1 right", {}, TOY_HALF, FOUR, HALF),
    ("A1 other-layout", {"layout": "half-split"}, TOY, FOUR, HALF),
    ("A1 other-layout", {"layout": "adjacent"}, TOY_HALF, FOUR, ADJACENT),
    ("A2 mixed-layout", MIXED, TOY, FOUR, MIXED_ROW),
    ("A2 mixed-layout", MIRROR, TOY, FOUR, MIRRORED_ROW),
    ("A4 order-out", ORDER, TOY_HALF, FOUR, REORDERED),
    ("A4 order-out", ORDER, STILL, EIGHT, ONCE),
    ("B1 permuted", {"order": TWICE}, STILL_HALF, EIGHT, TWICE),
    ("C1 right", {}, PAIR, ONE, (0.540302306, 0.841470985)),
    ("C1 direction", {}, PAIR, ONE, (0.540302306, -0.841470985)),
    ("D1 right", {}, AT_5, ONE, (0.283662185, -0.958924275)),
    ("D1 offset", {"offset": -5}, AT_5, ONE, (1, 0)),
    ("D4 offset", {"offset": 3}, AT_0, ONE, (-0.989992497, 0.141120008)),
    ("E1 right", {}, PART, NINE, (*HALF, 5, 6, 7, 8)),
)


@pytest.mark.parametrize(("case", "figures", "setup", "x", "expected"), ROWS)
def test_rows(case: str, figures: Any, setup: Setup, x: Array, expected: Any) -> None:
    """Right and wrong rows of the public cases."""
    close(made(case.split()[1], setup, x, **figures), *expected)


def score(kind: str, query: Setup, q: Array, key: Setup, k: Array, **figures: Any) -> float:
    return float((made(kind, query, q, **figures) * made(kind, key, k, **figures)).sum())


def test_scores() -> None:
    """Cases A1, A2, C1: scores of rows whose positions differ; a query like its key hides much."""
    back, q, k = rows(4, 3, 2, 1), ONE, rows(0, 1)
    for half, expected, constant in (
        (False, -0.760002170, 27.700261540),
        (True, -1.615579711, 25.402023067),
    ):
        at = {m: told(at=m, half=half) for m in (0, 1, 2, 5, 10, 11)}
        close(score("right", at[5], FOUR, at[2], back), expected)
        close(score("right", at[2], FOUR, at[2], back), 20)
        close([score("right", at[m], FOUR, at[m - 1], FOUR) for m in (1, 2, 11)], *3 * [constant])
    # Position 0 has no mixture, so it is a right row.
    mixed = [made("mixed-layout", at[m], FOUR, **MIXED) for m in (1, 2, 10, 11)]
    found = [(mixed[0] * FOUR).sum(), (mixed[1] * mixed[0]).sum(), (mixed[3] * mixed[2]).sum()]
    close(found, 18.554078874, 41.776840311, 31.451233218)
    mirror = made("mixed-layout", TOY, FOUR, **MIRROR)
    close([(mixed[0] ** 2).sum(), (mirror**2).sum()], 34.377182071, 24.629551574)
    three, one = told(2, at=3), told(2, at=1)
    close(score("right", three, q, one, k), 0.909297427)
    close(score("direction", three, q, one, k), -0.909297427)
    for kind in ("right", "direction"):
        close(score(kind, three, q, one, q), -0.416146837)


def test_positions() -> None:
    """Cases D4 and D8: slots where positions repeat, and heads where tokens belong."""
    setup = told(2, at=[0, 1, 1, 2])
    y, wrong = made("right", setup, unit(setup))[0, 0], made("slot-positions", setup, unit(setup))
    close([y[2] @ y[0], wrong[0, 0, 2] @ wrong[0, 0, 0]], 0.540302306, -0.416146837)
    setup, x = told(2, at=[0, 1]), np.tile([1.0, 0.0], (1, 3, 2, 1))
    y, wrong = made("right", setup, x)[0], made("axes-exchanged", setup, x)[0]
    close([y[0, 1], y[1, 0]], 0.540302306, 0.841470985, 1, 0)
    close([wrong[0, 1], wrong[1, 0]], 1, 0, 0.540302306, 0.841470985)


def test_orders() -> None:
    """Cases A1 and B1: the two orders of width 8; width 4 cannot show the second permutation."""
    assert np.concatenate(pairs("adjacent", 8)).tolist() == ONCE
    assert np.stack(pairs("half-split", 8), axis=1).ravel().tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    assert witness.mistaken("permuted", TOY_HALF, FOUR, np.random.default_rng(0)) is None
    swapped = [0, 2, 1, 3]
    np.testing.assert_array_equal(
        right(TOY_HALF, FOUR[..., swapped]), right(TOY, FOUR)[..., swapped]
    )
    # Case E1 with the pairs (0, 4) and (1, 5): the right frequencies, other coordinates.
    far = made("stride", PART, NINE, stride=4)[..., [0, 4, 1, 5]]
    np.testing.assert_array_equal(far, right(TOY, rows(1, 5, 2, 6)))


# Frequencies: case and mistake, its figures, setup, then pairs with their digits

PHI4 = GPT_OSS | {"short_factor": (1.0,) * 48, "long_factor": (*(1.0,) * 47, 47.77)}
SHORT, LONG = (scaled("longrope", 96, 1e4, **PHI4, length=n) for n in (4096, 4097))
TO_8192 = {"original_length": 8192}
BF16 = {"dtype": "bfloat16", "rounded": "frequencies"}
FREQUENCIES: tuple[tuple[str, dict[str, Any], Setup, str], ...] = (
    ("E1 right", {}, told(64, 1e7), "1:6.04296390e-01"),
    ("E1 denominator", {"denominator": 256}, told(64, 1e7, head_width=256), "1:8.81683067e-01"),
    ("E5 right", {}, told(128, 1e6), "1:8.05842188e-01"),
    ("E5 denominator", {"denominator": 160}, told(128, 1e6), "1:8.41395142e-01"),
    ("F1 right", {}, told(128, 5e5), "1:8.14617234e-01 32:1.41421356e-03 63:2.45514079e-06"),
    ("F1 base", {"base": 1e4}, told(128, 5e5), "1:8.65964323e-01 63:1.15478198e-04"),
    ("G1 low-precision", BF16, told(128), "0:1.00000000e+00 1:8.67187500e-01"),
    ("H4 right", {}, OPEN, "12:6.79495949e-03 16:4.56483919e-04 17:1.29318701e-04"),
    ("H4 yarn", GPT_OSS, told(64, 15e4), "12:7.01571391e-03 16:5.80947502e-04 17:2.27947796e-04"),
    ("H12 right", {}, LLAMA31, "29:2.16657076e-03"),
    ("H12 unscaled", {}, LLAMA31, "29:2.61609925e-03"),
    ("H12 llama3", {"factor": 8, **TO_8192}, told(64, 5e5), "31:3.76732269e-07"),
    ("H12 llama3", {"factor": 32, **TO_8192}, told(64, 5e5), "31:9.41830673e-08"),
    ("H13 right", {}, SHORT, "47:1.21152766e-04"),
    ("H13 other-list", {}, SHORT, "47:2.53616843e-06"),
    ("H13 right", {}, LONG, "47:2.53616843e-06"),
    ("H13 other-list", {}, LONG, "47:1.21152766e-04"),
)


@pytest.mark.parametrize(("case", "figures", "setup", "expected"), FREQUENCIES)
def test_frequencies(case: str, figures: Any, setup: Setup, expected: str) -> None:
    """Frequencies as they are read from right and wrong arrays."""
    found = angles(case.split()[1], setup, **figures)
    for pair, digits in (each.split(":") for each in expected.split()):
        assert f"{found[int(pair)]:.8e}" == digits


def test_bases() -> None:
    """Case H1: the base follows the length; s = 2 at exactly twice L hides the constant rule."""

    def dynamic(s: int, n: int) -> Setup:
        return scaled("dynamic", 128, 1e4, factor=s, original_length=4096, length=n)

    def base(setup: Setup) -> str:
        return f"{float(setup.theta[1]) ** -64:.9g}"

    constant = [scaled("ntk", 128, 1e4, factor=factor) for factor in (13, 3)]
    found = [dynamic(4, 2048), dynamic(4, 4096), dynamic(4, 8192), dynamic(2, 8192), *constant]
    expected = ["10000", "10000", "51293.7873", "30527.7367", "135401.973", "30527.7367"]
    assert [base(each) for each in found] == expected
    close(angles("unscaled", found[2]), *found[0].theta)
    close(angles("stale-length", found[2], length=16384), *dynamic(4, 16384).theta)


def test_far_positions() -> None:
    """Cases F1, G1, H12, H13: angles at a thousand positions and more."""
    far, farther = told(128, 5e5, at=1000), LLAMA31._replace(positions=np.array([32768]))
    close(angles("right", far)[32], 1.414213562)
    close(angles("base", far, base=1e4)[32] + 2 * math.tau, 10)
    close(angles("right", farther)[35], 3.13137966)
    close(angles("unscaled", farther)[35] + 4 * math.tau, 25.0510373)
    close([4095 * SHORT.theta[47], 4095 * LONG.theta[47]], 0.496120576, 0.0103856097)
    off = angles("low-precision", told(128), **BF16) - told(128).theta
    close(np.abs(off).max() * np.array([511, 2047, 4095]), 0.625043263, 2.503842582, 5.00890834)
    far = told(128, at=4095)
    close(np.cos(angles("right", far)[1]), -0.742365818)
    close(np.cos(angles("low-precision", far, **BF16)[1]), 0.423841455)
    far = told(32, at=1857)
    narrow = dict.fromkeys(("frequencies", "positions", "angles", "tables"), "float16")
    close([1857 * far.theta[1], right(far, unit(far))[..., 2].item()], 1044.26784, 0.306692810)
    assert right(far, unit(far), **narrow)[..., 2] == -0.408203125


def test_attention_factors() -> None:
    """Cases H9 and H13: 1 is meant and the rule is applied, or the rule is applied twice."""
    x = unit(told(64))
    for factor, given, meant, wrong in (
        (64, {"attention_factor": 1.0}, 1.0, 1.41588831),
        (16, {"attention_factor": 1.0}, 1.0, 1.27725887),
        (128, {}, 1.48520303, 2.20582803),
        (128, {}, 1.48520303, 1.0),
    ):
        setup = scaled("yarn", 64, 1e4, factor=factor, original_length=4096, **given)
        close(np.linalg.norm(right(setup, x)[..., :2]), meant)
        found = made("attention-factor", setup, x, found=wrong)
        close(np.linalg.norm(found[..., :2]), wrong)
    close([SHORT.attention, LONG.attention], 1.19023807, 1.19023807)


# The builder itself


def test_bits_of_bfloat16() -> None:
    """To nearest, ties to even, and the upper half of a float32."""
    values = np.array([1, -2, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-30, 0, 2**-133])
    found = [f"{bits:04x}" for bits in witness.stored(values, "bfloat16")]
    assert found == ["3f80", "c000", "3f80", "3f82", "3f81", "0000", "0001"]
    for dtype in ("float64", "float32", "float16"):
        assert witness.stored(values, dtype).dtype == dtype


@pytest.mark.parametrize("dtype", ROUNDOFF)
def test_right_arrays_are_within_rounding(dtype: str) -> None:
    """What a framework computes in a dtype is never further from the exact than is allowed."""
    rng = np.random.default_rng(17)
    for _ in range(60):
        setup = witness.random_setup(rng)._replace(dtype=dtype)
        x = witness.random_input(rng, setup)
        exact = right(setup._replace(dtype="float64"), x)
        assert visible(setup, exact, right(setup, x), x) < 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *COMBINED], ids=str)
def test_mistake_is_seen(kind: Any) -> None:
    """Every kind is made in some setup, has its figures, and differs by more than rounding."""
    rng, seen, two = np.random.default_rng(5), 0, isinstance(kind, tuple)
    names = {name for each in (kind if two else [kind]) for name in FIGURES.get(each, "").split()}
    for _ in range(100):
        setup = witness.random_setup(rng)
        setup = setup._replace(positions=setup.positions[:20])
        x = witness.random_input(rng, setup)
        found = (witness.combined if two else witness.mistaken)(kind, setup, x, rng)
        if found is not None:
            assert found[1].keys() == names
            assert np.isfinite(found[0]).all()
            seen += visible(setup, right(setup, x), found[0], x) > 1
    assert seen >= 3
