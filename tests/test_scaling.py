"""Scaled frequencies: numbers typed by hand, laws, public cases of mistakes, and refusals."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tools.phi4 import LONG_FACTORS

from rope_cli.document.formatting import nine_digits
from rope_cli.errors import (
    InvalidBase,
    InvalidScaling,
    NonFiniteTableValue,
    OddFeatureWidth,
    RopeError,
    UnsupportedScaling,
    ZeroFeatureWidth,
)
from rope_cli.rope import scaling
from rope_cli.rope.scaling import (
    METHODS,
    Band,
    Default,
    DynamicNtk,
    Linear,
    Llama3,
    LongRope,
    NtkAware,
    Proportional,
    Yarn,
    magnitude,
    method_named,
    rotary_width,
)

LLAMA31 = Llama3(8.0, 1.0, 4.0, 8192)
LLAMA32 = Llama3(32.0, 1.0, 4.0, 8192)
QWEN = Yarn(4.0, 32768)
DEEPSEEK = Yarn(40.0, 4096, mscale=1.0, mscale_all_dim=1.0)
GPT_OSS = Yarn(32.0, 4096, truncate=False)
PHI4 = LongRope((1.0,) * 48, LONG_FACTORS, 4096, 32.0)


def spelled(method: Any, d: int, b: float, pair: int, length: int | None = None) -> str:
    """One scaled frequency with nine significant digits."""
    return nine_digits(float(method.scaled(d, b, length).inverse_frequencies[pair]))


# Real models: method, width, base, length, then pairs 0, 1, the middle one and the last, and a.
MODELS: dict[str, tuple[Any, ...]] = {
    "Llama-2-7B, Mistral-7B-v0.1": (
        *(Default(), 128, 1e4, 4096),
        *("1", "0.865964323", "0.01", "0.000115478198", "1"),
    ),
    "CodeLlama-7B, Qwen2.5-7B": (
        *(Default(), 128, 1e6, 32768),
        *("1", "0.805842188", "0.001", "1.24093776e-06", "1"),
    ),
    "Llama-3-8B": (
        *(Default(), 128, 5e5, 8192),
        *("1", "0.814617234", "0.00141421356", "2.45514079e-06", "1"),
    ),
    "Llama-3.1-8B": (
        *(LLAMA31, 128, 5e5, 131072),
        *("1", "0.814617234", "0.000524846161", "3.06892599e-07", "1"),
    ),
    "Gemma-3-4B global": (
        *(Linear(8.0), 256, 1e6, 131072),
        *("0.125", "0.112210892", "0.000125", "1.39246732e-07", "1"),
    ),
    "Gemma-3-4B local": (
        *(Default(), 256, 1e4, 131072),
        *("1", "0.930572041", "0.01", "0.000107460783", "1"),
    ),
    "Qwen2.5 with YaRN 4": (
        *(QWEN, 128, 1e6, 131072),
        *("1", "0.805842188", "0.000602941176", "3.1023444e-07", "1.13862944"),
    ),
    "DeepSeek-V3": (
        *(DEEPSEEK, 64, 1e4, 163840),
        *("1", "0.749894209", "0.0055", "3.33380358e-06", "1"),
    ),
    "gpt-oss": (
        *(GPT_OSS, 64, 150000.0, 131072),
        *("1", "0.689044306", "0.000456483919", "3.02351143e-07", "1.34657359"),
    ),
    "Phi-4-mini short": (
        *(PHI4, 96, 1e4, 4096),
        *("1", "0.825404185", "0.01", "0.000121152766", "1.19023807"),
    ),
    "Phi-4-mini long": (
        *(PHI4, 96, 1e4, 131072),
        *("1", "0.738074692", "0.000682979284", "2.53616843e-06", "1.19023807"),
    ),
    "GPT-J-6B, GLM-4-9B": (
        *(Default(), 64, 1e4, 2048),
        *("1", "0.749894209", "0.01", "0.000133352143", "1"),
    ),
}


@pytest.mark.parametrize("model", MODELS)
def test_frequencies_of_real_models(model: str) -> None:
    """Pair 0, pair 1, the middle pair, the last pair and the attention factor."""
    method, d, b, length, *expected = MODELS[model]
    frequencies = [spelled(method, d, b, pair, length) for pair in (0, 1, d // 4, -1)]
    assert [*frequencies, nine_digits(method.scaled(d, b, length).attention_factor)] == expected
    assert len(method.scaled(d, b, length).bands) == d // 2


STRETCHED = [
    (NtkAware(2.0), None, "20221.2617", "0.856488914", "0.00703227548", "5.77390992e-05"),
    (NtkAware(4.0), None, "40889.9424", "0.847117185", "0.00494528984", "2.88695496e-05"),
    (NtkAware(8.0), None, "82684.6226", "0.837848002", "0.00347766405", "1.44347748e-05"),
    (DynamicNtk(2.0, 4096), 4096, "10000", "0.865964323", "0.01", "0.000115478198"),
    (DynamicNtk(2.0, 4096), 8192, "30527.7367", "0.850994291", "0.00572338151", "3.84927328e-05"),
    (DynamicNtk(2.0, 4096), 16384, "72195.8601", "0.839625743", "0.00372172134", "1.64968855e-05"),
]


@pytest.mark.parametrize(("method", "length", "base", "first", "middle", "last"), STRETCHED)
def test_stretched_bases(
    method: Any, length: int | None, base: str, first: str, middle: str, last: str
) -> None:
    """NTK-aware and dynamic scaling of Llama-2's shape: the base and pairs 1, 32 and 63."""
    lengths = () if length is None else (length,)
    assert nine_digits(method.base(128, 1e4, *lengths)) == base
    frequencies = [spelled(method, 128, 1e4, pair, length) for pair in (1, 32, 63)]
    assert frequencies == [first, middle, last]


BAND_OF_LLAMA31 = [
    (28, "1956.49727", "1", "0.00321144599"),
    (29, "2401.73812", "0.803621042", "0.00216657076"),
    (30, "2948.30262", "0.592849295", "0.00137189357"),
    (31, "3619.24901", "0.421150997", "0.000856751413"),
    (32, "4442.88294", "0.281282605", "0.000524846161"),
    (33, "5453.95157", "0.167343402", "0.00031269375"),
    (34, "6695.10948", "0.0745265642", "0.000178507813"),
    (35, "8218.71819", "0", "9.55621235e-05"),
]


@pytest.mark.parametrize(("pair", "wavelength", "kept", "frequency"), BAND_OF_LLAMA31)
def test_the_band_of_llama31(pair: int, wavelength: str, kept: str, frequency: str) -> None:
    """Wavelength, kept share z and scaled frequency from the last kept to the first divided."""
    scaled = LLAMA31.scaled(128, 5e5)
    assert nine_digits(2 * math.pi / float(scaled.theta[pair])) == wavelength
    assert nine_digits(float(LLAMA31.kept(128, 5e5)[pair])) == kept
    assert spelled(LLAMA31, 128, 5e5, pair) == frequency
    expected = {28: Band.KEPT, 35: Band.DIVIDED}.get(pair, Band.BLENDED)
    assert scaled.bands[pair] is expected


def test_llama32_needs_its_own_factor() -> None:
    """Llama-3.2-1B is scaled by 32; by 8 its last pair would be four times too fast."""
    frequencies = [spelled(LLAMA32, 64, 5e5, pair) for pair in (15, 16, 17, 18, 31)]
    assert frequencies == [
        *("0.00129054793", "0.000429556797", "9.7082878e-05", "1.94616382e-05"),
        "9.41830673e-08",
    ]
    assert spelled(LLAMA31, 64, 5e5, 31) == "3.76732269e-07"


@pytest.mark.parametrize(
    ("factor", "expected", "squared"),
    [
        (2, "1.06931472", "1.14343397"),
        (4, "1.13862944", "1.29647699"),
        (8, "1.20794415", "1.45912908"),
        (16, "1.27725887", "1.63139023"),
        (32, "1.34657359", "1.81326043"),
        (40, "1.36888795", "1.87385421"),
        (64, "1.41588831", "2.0047397"),
        (128, "1.48520303", "2.20582803"),
    ],
)
def test_magnitudes_of_yarn(factor: float, expected: str, squared: str) -> None:
    """M(1) = 0.1 ln s + 1 and its square, which is what scores gain."""
    assert nine_digits(magnitude(factor)) == expected
    assert nine_digits(magnitude(factor) ** 2) == squared
    assert Yarn(factor, 4096).scaled(8, 1e4).attention_factor == magnitude(factor)
    assert magnitude(1.0) == magnitude(0.5) == 1.0


@pytest.mark.parametrize(
    ("original", "factor", "expected"),
    [
        (4096, 32.0, "1.19023807"),
        (4096, 2.0, "1.040833"),
        (8192, 16.0, "1.14354375"),
        (4096, 1.0, "1"),
    ],
)
def test_attention_factor_of_longrope(original: int, factor: float, expected: str) -> None:
    """sqrt(1 + ln s / ln L), and 1 when nothing is extended."""
    ones = (1.0,)
    assert nine_digits(LongRope(ones, ones, original, factor).magnitude()) == expected


def test_bounds_of_yarn() -> None:
    """The pair indices between which the ramp lies, widened to whole pairs or not."""
    assert QWEN.bounds(128, 1e6) == (23, 40)
    assert DEEPSEEK.bounds(64, 1e4) == (10, 23)
    assert [f"{bound:.10f}" for bound in GPT_OSS.bounds(64, 150000.0)] == [
        *("8.0927791155", "17.3980245016")
    ]


def test_attention_factor_of_deepseek_v2_lite() -> None:
    """Equal mscales cancel; under the softmax M(0.707)^2 remains."""
    lite = Yarn(40.0, 4096, mscale=0.707, mscale_all_dim=0.707)
    assert lite.magnitude() == 1.0
    assert nine_digits(magnitude(40.0, 0.707) ** 2) == "1.58962617"


# Relations


def test_llama3_is_a_ramp_in_turns() -> None:
    """The three cases by wavelength and one ramp in turns differ by rounding only."""
    kept = LLAMA31.kept_by_turns(128, 5e5)
    theta = scaling.unscaled(128, 5e5)
    ramp = theta / 8 * (1 - kept) + theta * kept
    assert np.abs(LLAMA31.scaled(128, 5e5).inverse_frequencies - ramp).max() < 1e-18


@pytest.mark.parametrize(
    ("method", "d", "b", "pair", "paper", "code"),
    [
        (DEEPSEEK, 64, 1e4, 20, "0.000184630848", "0.000790569415"),
        (QWEN, 128, 1e6, 32, "0.000351980383", "0.000602941176"),
    ],
)
def test_the_paper_of_yarn_ramps_in_turns(
    method: Yarn, d: int, b: float, pair: int, paper: str, code: str
) -> None:
    """Inside the band paper and code differ by far; outside they agree."""
    by_turns = method.scaled_by_turns(d, b).inverse_frequencies
    assert nine_digits(float(by_turns[pair])) == paper
    assert spelled(method, d, b, pair) == code
    low, high = (int(bound) for bound in method.bounds(d, b))
    ours = method.scaled(d, b).inverse_frequencies
    outside = np.r_[0 : low + 1, high : d // 2]
    np.testing.assert_allclose(by_turns[outside], ours[outside], rtol=1e-14)
    assert (np.abs(by_turns / ours - 1)[low + 1 : high] > 1e-3).all()


@pytest.mark.parametrize("s", [1.0, 1.5, 4.0, 100.0])
@pytest.mark.parametrize("d", [4, 6, 128])
def test_ends_of_ntk_and_linear(s: float, d: int) -> None:
    """NTK keeps pair 0 and divides the last by s; linear divides all by s."""
    ratios = NtkAware(s).scaled(d, 1e4)
    factors = ratios.inverse_frequencies / ratios.theta
    assert factors[0] == 1.0
    assert factors[-1] == pytest.approx(1 / s, rel=1e-13)
    expected = s ** (-2 * np.arange(d // 2) / (d - 2))
    np.testing.assert_allclose(factors, expected, rtol=1e-13)
    linear = Linear(s).scaled(d, 1e4)
    np.testing.assert_array_equal(linear.inverse_frequencies, linear.theta / s)


SCALED_BY_FOUR: list[Any] = [
    Linear(4.0),
    NtkAware(4.0),
    DynamicNtk(4.0, 2048),
    Yarn(4.0, 2048),
    Yarn(4.0, 2048, truncate=False),
    Llama3(4.0, 1.0, 4.0, 2048),
    Llama3(4.0, 2.0, 2.0, 2048),
    Proportional(0.5, 4.0),
]


@pytest.mark.parametrize("method", SCALED_BY_FOUR, ids=repr)
def test_bands_say_what_was_done(method: Any) -> None:
    """A kept pair has its own bits, a divided one is theta / s, a blended one lies between."""
    scaled = method.scaled(64, 1e4, 8192)
    s = method.stretch(8192) if isinstance(method, DynamicNtk) else 4.0
    rows = zip(scaled.bands, scaled.theta, scaled.inverse_frequencies, strict=True)
    for band, theta, frequency in rows:
        if band is Band.KEPT:
            assert frequency == theta
        elif band is Band.DIVIDED:
            assert frequency == pytest.approx(theta / s, rel=1e-13)
        else:
            assert theta / s < frequency < theta or (band is Band.STILL and frequency == 0)
    assert set(scaled.bands) <= set(Band)


FACTOR_ONE: list[Any] = [
    replace(each, factor=1.0) for each in SCALED_BY_FOUR if not isinstance(each, DynamicNtk)
]


@pytest.mark.parametrize("method", FACTOR_ONE, ids=repr)
def test_factor_one_keeps_everything(method: Any) -> None:
    """By a factor of 1 nothing changes; dynamic scaling alone follows the length even then."""
    scaled = method.scaled(64, 1e4, 8192)
    moving = scaled.inverse_frequencies > 0
    np.testing.assert_allclose(scaled.inverse_frequencies[moving], scaled.theta[moving], rtol=1e-15)
    assert {band for band in scaled.bands if band is not Band.STILL} == {Band.KEPT}
    assert scaled.attention_factor == 1.0
    assert DynamicNtk(1.0, 2048).stretch(8192) == 4.0


def test_equal_bounds_leave_a_step() -> None:
    """Without room between its bounds a ramp is a step, and nobody divides by zero."""
    assert Yarn(4.0, 4096, beta_fast=8.0, beta_slow=8.0, truncate=False).ramp(64, 1e4)[
        [0, -1]
    ].tolist() == [0.0, 1.0]
    assert set(Llama3(4.0, 2.0, 2.0, 2048).scaled(64, 1e4).bands) == {Band.KEPT, Band.DIVIDED}
    np.testing.assert_array_equal(
        Llama3(4.0, 2.0, 2.0, 2048).kept(64, 1e4),
        Llama3(4.0, 2.0, 2.0, 2048).kept_by_turns(64, 1e4),
    )
    exactly_on_the_bound = Llama3(4.0, 2.0, 2.0, 4 * math.pi)  # type: ignore[arg-type]
    assert exactly_on_the_bound.kept(2, 1e4).tolist() == [1.0]
    together = Yarn(4.0, 64, beta_fast=1e6, beta_slow=1e5)
    assert together.bounds(8, 1e4)[1] < 0
    assert set(together.scaled(8, 1e4).bands) == {Band.KEPT}


def test_proportional_turns_the_first_share() -> None:
    """A quarter of 256 pairs turn with the exponent of the whole head; the others stand still."""
    scaled = Proportional(0.25).scaled(512, 1e6)
    assert scaled.bands == (Band.KEPT,) * 64 + (Band.STILL,) * 192
    assert scaled.inverse_frequencies[63] == pytest.approx(1e6 ** (-126 / 512), rel=1e-14)
    assert not scaled.inverse_frequencies[64:].any()
    assert Proportional(1.0, 2.0).scaled(8, 1e4).bands == (Band.DIVIDED,) * 4


@pytest.mark.parametrize("method", [QWEN, PHI4, Linear(8.0)], ids=repr)
def test_a_rotated_row_is_as_long_as_the_attention_factor_says(method: Any) -> None:
    """Norms grow by a, scores by a squared, and scores depend on n-m alone."""
    scaled = method.scaled(96, 1e4, 100000)
    a = scaled.attention_factor
    row = np.exp(1j * np.arange(48)) * (1 + np.arange(48) % 3)
    turned = row * scaled.factors([0, 7, 5000, 5007])
    np.testing.assert_allclose(np.linalg.norm(turned, axis=1), a * np.linalg.norm(row), rtol=1e-14)
    near, far = (float((turned[at] * turned[at + 1].conj()).sum().real) for at in (0, 2))
    assert near == pytest.approx(far, rel=1e-9)
    plain = row * np.exp(1j * np.array([[0], [7]]) * scaled.inverse_frequencies)
    assert near == pytest.approx(a * a * float((plain[0] * plain[1].conj()).sum().real), rel=1e-12)


def test_results_cannot_be_changed() -> None:
    """The frequencies of a result are read-only, as the tables are."""
    scaled = Default().scaled(4, 100.0)
    for array in (scaled.theta, scaled.inverse_frequencies):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 2.0


# Public cases of mistakes


def test_partial_rotary_has_the_rotated_width_in_its_exponent() -> None:
    """Of 256 coordinates 64 turn: the exponent has 64, not 256; the tail is left alone."""
    assert rotary_width(256, 0.25) == 64
    assert spelled(Default(), 64, 1e7, 1) == "0.60429639"
    assert spelled(Default(), 256, 1e7, 1) == "0.881683067"
    head = np.arange(1.0, 9.0)
    d = rotary_width(8, 0.5)
    left, right = head[: d // 2], head[d // 2 : d]
    turned = (left + 1j * right) * Default().scaled(d, 1e4).factors(1)
    row = np.concatenate([turned.real, turned.imag, head[d:]])
    np.testing.assert_allclose(
        row,
        [-1.984110649, 1.959900667, 2.462377902, 4.019799668, 5, 6, 7, 8],
        atol=5e-10,
    )


@pytest.mark.parametrize(
    ("head", "share", "expected"), [(128, 0.75, 96), (80, 0.4, 32), (128, 0.5, 64), (64, 1.0, 64)]
)
def test_rotary_width_of_real_models(head: int, share: float, expected: int) -> None:
    """Phi-4-mini, Phi-2, GLM-4-9B, and a head that is rotated whole."""
    assert rotary_width(head, share) == expected


def test_head_width_is_not_the_quotient() -> None:
    """Mistral-Nemo's heads are 128 wide although 5120 / 32 is 160."""
    assert spelled(Default(), 128, 1e6, 1) == "0.805842188"
    assert spelled(Default(), 160, 1e6, 1) == "0.841395142"


def test_base_ignored() -> None:
    """Llama-3 run with base 10000: the middle pair at position 1000 is off by many turns."""
    right, wrong = (Default().scaled(128, base).inverse_frequencies for base in (5e5, 1e4))
    assert [nine_digits(float(right[pair])) for pair in (1, 63)] == [
        *("0.814617234", "2.45514079e-06")
    ]
    assert [nine_digits(float(wrong[pair])) for pair in (1, 63)] == [
        *("0.865964323", "0.000115478198")
    ]
    angles = [1000 * float(frequencies[32]) for frequencies in (right, wrong)]
    assert angles == pytest.approx([1.414213562, 10.0], abs=5e-10)


def test_dynamic_is_not_static() -> None:
    """Up to the original length the base stays; the constant variant is right at one length."""
    dynamic = DynamicNtk(4.0, 4096)
    for length in (None, 0, 512, 4096):
        assert dynamic.base(128, 1e4, length) == 1e4
    assert {DynamicNtk(s, 4096).base(128, 1e4) for s in (0.3, 1.1, 7.9, 1e17)} == {1e4}
    assert nine_digits(dynamic.base(128, 1e4, 8192)) == "51293.7873"
    assert nine_digits(NtkAware(4.0**2 - 4 + 1).base(128, 1e4)) == "135401.973"
    assert DynamicNtk(2.0, 4096).base(128, 1e4, 8192) == NtkAware(3.0).base(128, 1e4)
    assert dynamic.scaled(128, 1e4, 512).bands == (Band.KEPT,) * 64


def test_truncation_of_the_ramp() -> None:
    """gpt-oss does not widen its bounds; code that does is wrong inside the band only."""
    widened = replace(GPT_OSS, truncate=True)
    right, wrong = (
        [spelled(method, 64, 150000.0, pair) for pair in (12, 16, 17)]
        for method in (GPT_OSS, widened)
    )
    assert right == ["0.00679495949", "0.000456483919", "0.000129318701"]
    assert wrong == ["0.00701571391", "0.000580947502", "0.000227947796"]
    ours, theirs = (
        method.scaled(64, 150000.0).inverse_frequencies for method in (GPT_OSS, widened)
    )
    np.testing.assert_array_equal(ours[np.r_[0:9, 18:32]], theirs[np.r_[0:9, 18:32]])


def test_attention_factor_replaces() -> None:
    """An attention_factor replaces M(1), and is applied once; equal mscales cancel."""
    assert Yarn(64.0, 4096, attention_factor=1.0).magnitude() == 1.0
    assert nine_digits(Yarn(64.0, 4096).magnitude()) == "1.41588831"
    once = Yarn(128.0, 4096).scaled(8, 1e4)
    assert nine_digits(once.attention_factor) == "1.48520303"
    assert nine_digits(abs(complex(once.factors(3)[0]))) == "1.48520303"
    assert Yarn(16.0, 16384, mscale=1.0, mscale_all_dim=1.0).magnitude() == 1.0
    assert nine_digits(Yarn(16.0, 16384).magnitude()) == "1.27725887"
    half = Yarn(16.0, 16384, mscale=1.0)
    assert half.magnitude() == replace(half, mscale_all_dim=0.0).magnitude() == magnitude(16.0)
    assert LongRope((1.0,), (1.0,), 4096, 32.0, 1.25).magnitude() == 1.25


def test_llama3_far_out() -> None:
    """Pair 35 at position 32768 has turned half a circle, unscaled it would be four circles."""
    scaled = LLAMA31.scaled(128, 5e5)
    angles = [
        32768 * float(frequencies[35]) for frequencies in (scaled.inverse_frequencies, scaled.theta)
    ]
    assert [nine_digits(angle) for angle in angles] == ["3.13137966", "25.0510373"]
    assert nine_digits(float(scaled.theta[29])) == "0.00261609925"


def test_longrope_switches_after_the_original_length() -> None:
    """4096 positions still take the short list, 4097 the long one, for the whole text."""
    assert PHI4.divisors(4096)[0] == "short_factor"
    assert PHI4.divisors(4097)[0] == "long_factor"
    assert PHI4.divisors() == ("short_factor", PHI4.short_factor)
    short, long = (PHI4.scaled(96, 1e4, length) for length in (4096, 4097))
    assert [nine_digits(float(scaled.inverse_frequencies[47])) for scaled in (short, long)] == [
        *("0.000121152766", "2.53616843e-06")
    ]
    angles = [float(np.angle(scaled.factors(4095)[47])) for scaled in (short, long)]
    assert [nine_digits(angle) for angle in angles] == ["0.496120576", "0.0103856097"]
    assert short.attention_factor == long.attention_factor


# Refusals


REFUSED: list[tuple[Any, type[RopeError], str]] = [
    *(
        (lambda value=value: Linear(value), InvalidScaling, "factor")
        for value in (0, -1, math.nan, math.inf, True, "4", None, 10**400)
    ),
    (lambda: NtkAware(0), InvalidScaling, "factor"),
    (lambda: NtkAware(2.0).scaled(2, 1e4), InvalidScaling, "feature_width"),
    (lambda: NtkAware(1e300).scaled(4, 1e300), InvalidBase, "base"),
    (lambda: DynamicNtk(2.0, 0), InvalidScaling, "original_length"),
    (lambda: DynamicNtk(2.0, 4).scaled(4, 1e4, -1), RopeError, "length"),
    (lambda: Yarn(2.0, 4096, beta_fast=0), InvalidScaling, "beta_fast"),
    (lambda: Yarn(2.0, 4096, attention_factor=-1.0), InvalidScaling, "attention_factor"),
    (lambda: Yarn(2.0, 4096, mscale=math.nan), InvalidScaling, "mscale"),
    (lambda: Yarn(2.0, 4096).scaled(4, 1.0), InvalidScaling, "base"),
    (lambda: Llama3(8.0, 4.0, 1.0, 8192), InvalidScaling, "high_freq_factor >= low_freq_factor"),
    (lambda: Llama3(8.0, 0, 1.0, 8192), InvalidScaling, "low_freq_factor"),
    (lambda: LongRope((1.0,), (0.0,), 4096, 2.0), InvalidScaling, r"long_factor\[0\]"),
    (lambda: LongRope((1.0,), (1.0,), 1, 2.0), InvalidScaling, "original_length"),
    (lambda: LongRope((1.0,), (1.0,), 4, 2.0).scaled(4, 1e4), InvalidScaling, "len.short_factor"),
    (lambda: Proportional(0.0), InvalidScaling, "share"),
    (lambda: Proportional(1.5), InvalidScaling, "<= 1"),
    (lambda: rotary_width(64, math.nan), InvalidScaling, "share"),
    (lambda: Default().scaled(3, 1e4), OddFeatureWidth, "3"),
    (lambda: Linear(2.0).scaled(0, 1e4), ZeroFeatureWidth, "0"),
    (lambda: Yarn(2.0, 4096).scaled(5, 1e4), OddFeatureWidth, "5"),
    (lambda: Default().scaled(4, -1.0), InvalidBase, "base"),
    (lambda: Linear(1e-300).scaled(4, 1e-20), NonFiniteTableValue, "pair 1"),
    (lambda: LongRope((1e-320, 1), (1, 1), 4, 2.0).scaled(4, 1e4), NonFiniteTableValue, "pair 0"),
    (lambda: Proportional(1.0, 1e-320).scaled(4, 1e4), NonFiniteTableValue, "pair 0"),
    (lambda: method_named("mrope"), UnsupportedScaling, "mrope"),
    (lambda: method_named("axial"), UnsupportedScaling, "axial"),
    (lambda: method_named("x" * 999), UnsupportedScaling, "xxx"),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), REFUSED)
def test_what_cannot_be_scaled_is_refused(call: Any, kind: type[RopeError], sentence: str) -> None:
    """By its rule, in one line of both languages, without a warning from numpy."""
    with pytest.raises(kind, match=sentence) as refused:
        call()
    for language, accepted in (("en", "accepted"), ("ru", "допустим")):
        sentence = refused.value.sentence(language)
        assert accepted in sentence
        assert sentence.isprintable()
        assert len(sentence) < 300


def test_every_method_has_its_name() -> None:
    """Eight methods are found by name, with their values by keyword."""
    assert list(METHODS) == [
        *("default", "linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "proportional")
    ]
    assert method_named("yarn", factor=4.0, original_length=32768) == QWEN
    assert method_named("default") == Default()
