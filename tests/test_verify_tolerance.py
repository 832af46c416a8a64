"""What rounding may do, pair by pair: usual float32 computations stay within it, little else does.

The arrays are computed with numpy in float32, as frameworks compute them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rope_cli.cli.main import main
from rope_cli.verify.measure.estimates import Rotations
from rope_cli.verify.measure.expected import relative_tolerance

Array = NDArray[Any]
Verify = Callable[..., tuple[int, dict[str, Any]]]

single = np.float32
U = 2.0**-24
FAR = [0, 1, 2, 3, 4097, 32771, 131064, 131071, 1_048_573, 2**24]


def frequencies(width: int, base: float) -> Array:
    """The frequencies of the paper in float64."""
    return np.asarray(base ** (-np.arange(0, width, 2) / width))


def rotated(x: Array, cosines: Array, sines: Array) -> Array:
    """Half-split rows in the dtype of the tables."""
    left, right = np.split(x.astype(cosines.dtype), 2, axis=-1)
    return np.concatenate([left * cosines - right * sines, left * sines + right * cosines], -1)


def by_reciprocal(width: int, base: float) -> Array:
    exponents = np.arange(0, width, 2, dtype=single) / single(width)
    return np.asarray(single(1) / np.power(single(base), exponents))


def by_negative_power(width: int, base: float) -> Array:
    return np.asarray(np.power(single(base), -np.arange(0, width, 2, dtype=single) / single(width)))


def by_exponential(width: int, base: float) -> Array:
    exponents = np.arange(0, width, 2, dtype=single) * single(-math.log(base) / width)
    return np.asarray(np.exp(exponents))


def by_rounded_logarithm(width: int, base: float) -> Array:
    exponents = np.arange(0, width, 2, dtype=single) / single(width)
    return np.asarray(np.exp(-exponents * np.log(single(base))))


USUAL_WAYS = (by_reciprocal, by_negative_power, by_exponential, by_rounded_logarithm)


@pytest.mark.parametrize("way", USUAL_WAYS)
def test_usual_float32_computations_are_within_the_tolerance(way: Any) -> None:
    """At any position, width and base; and at least one gets to a quarter of what is allowed."""
    greatest = 0.0
    for width in (2, 6, 32, 64, 80, 96, 128, 256):
        for base in (500.0, 1e4, 12345.0, 5e5, 1e6, 1e7):
            exact = np.multiply.outer(np.array(FAR, float), frequencies(width, base))
            angles = np.multiply.outer(np.array(FAR, single), way(width, base))
            assert angles.dtype == single
            off = np.abs(np.exp(1j * exact) - (np.cos(angles) + 1j * np.sin(angles)))
            shares = off / relative_tolerance(frequencies(width, base), FAR, "float32")
            greatest = max(greatest, float(shares.max()))
    assert 0.25 < greatest <= 1


def test_tolerance_of_each_pair_by_hand() -> None:
    """Pair 0 has 8 roundoffs as long as float32 holds the position; pair 1 has its angle's too."""
    theta = np.array([1.0, 0.865964323360065])  # of width 128, base 10000
    near, far, odd = relative_tolerance(theta, [0, 131071, 2**24 + 1], "float32")
    assert near.tolist() == [4.76837158203125e-07, 4.76837158203125e-07]
    assert far[0] == 4.76837158203125e-07
    # 131071 * 0.865964323 * (6 + 3 * 0.143911568) / 2^24 + 8 / 2^24
    assert far[1] == pytest.approx(0.0435130573, rel=1e-8)
    assert odd[0] == pytest.approx(1.00000053644, rel=1e-10)  # an odd number above 2^24
    # In linear scaling by 4 pair 0 is exact too, by 3 it is not.
    assert relative_tolerance(theta / 4, [1000], "float32")[0, 0] == 4.76837158203125e-07
    assert relative_tolerance(theta / 3, [1000], "float32")[0, 0] > 1e-4


@pytest.mark.parametrize("off", [0.0, 1e-5, 0.039])
def test_far_positions_hide_no_error_of_the_fastest_pair(off: float, verify: Verify) -> None:
    """Sines that are off by 0.039 at position 131071, as inaccurate library functions are."""
    positions = np.arange(131064, 131072)
    angles: Array = positions[:, np.newaxis] * frequencies(16, 1e4)
    angles[:, 0] = angles[:, 0] + off
    x = np.random.default_rng(0).normal(size=(1, 4, 8, 16)).astype(single)
    y = rotated(x.astype(float), np.cos(angles), np.sin(angles)).astype(single)
    code, values = verify("--layout", "half-split", input=x, output=y, positions=positions)
    assert (code, values["verdict"]) == ((1, "differs") if off else (0, "agrees"))


STEP = single(0.865964323)  # 10000^(-2/128), as float32 prints it


def angles_multiplied(positions: Array) -> Array:
    """The loop of llama.cpp: theta *= theta_scale."""
    theta, angles = positions.astype(single), []
    for _ in range(64):
        angles.append(theta)
        theta = theta * STEP
    return np.stack(angles, axis=-1)


def frequencies_multiplied(positions: Array) -> Array:
    listed = np.cumprod(np.r_[single(1), np.full(63, STEP)], dtype=single)
    return np.multiply.outer(positions.astype(single), listed)


@pytest.mark.parametrize("layout", ["half-split", None])
@pytest.mark.parametrize(
    ("way", "kind", "ratio"),
    [
        (angles_multiplied, "angles-multiplied", 1.31),
        (frequencies_multiplied, "frequencies-multiplied", 1.12),
    ],
)
def test_known_float32_computations_agree_and_are_named(
    way: Any, kind: str, ratio: float, layout: str | None, verify: Verify
) -> None:
    """Far off, where roundings that add up exceed the tolerance; with any other mistake it differs.

    The ratios were measured on these arrays without the package.
    """
    positions = np.arange(131040, 131072)
    angles = way(positions)
    assert angles.dtype == single
    x = np.random.default_rng(0).normal(size=(1, 1, 32, 128)).astype(single)
    words = () if layout is None else ("--layout", layout)
    arrays = {"input": x, "positions": positions}
    y = rotated(x, np.cos(angles), np.sin(angles))
    code, values = verify(*words, output=y, **arrays)
    assert (code, values["verdict"], values["computed_by"]) == (0, "agrees", kind)
    assert values["times_tolerance"] == pytest.approx(ratio, rel=0.05)
    exact = np.multiply.outer(positions.astype(float), frequencies(128, 1e4))
    off = np.abs(np.exp(1j * exact) - np.exp(1j * angles.astype(float)))
    assert (off / relative_tolerance(frequencies(128, 1e4), positions, "float32")).max() > 1
    wrong = rotated(x, np.cos(angles), -np.sin(angles))
    code, values = verify("--layout", "half-split", output=wrong, **arrays)
    assert (code, values["verdict"], values["computed_by"]) == (1, "differs", None)


def to_bfloat16(x: Array) -> Array:
    """Float32 numbers rounded to bfloat16, to even."""
    raw = np.ascontiguousarray(x, single).view(np.uint32)
    rounded = (raw + 0x7FFF + ((raw >> 16) & 1)) & np.uint32(0xFFFF0000)
    return rounded.astype(np.uint32).view(single)


@pytest.mark.parametrize(
    ("narrow", "name"),
    [(to_bfloat16, "bfloat16"), (lambda y: y.astype(np.float16).astype(single), "float16")],
)
def test_an_output_in_a_narrow_dtype_is_compared_as_such(
    narrow: Any, name: str, verify: Verify
) -> None:
    """Stored as float32, as is its input, which is not rounded."""
    x = np.random.default_rng(0).normal(size=(2, 3, 8, 16)).astype(single)
    angles = np.multiply.outer(np.arange(8.0), frequencies(16, 1e4))
    y = narrow(rotated(x, np.cos(angles), np.sin(angles)))
    code, values = verify("--layout", "half-split", input=x, output=y)
    assert (code, values["verdict"], values["dtype"]) == (0, "agrees", name)
    y[..., 3, 5] *= 1.1
    assert verify("--layout", "half-split", input=x, output=y)[0] == 1


def yarn_in_float32(factor: int, length: int, low: float, high: float) -> Array:
    """A list as transformers computes it: interpolated, kept, and a ramp between two pairs."""
    kept = np.power(single(1e4), np.arange(0, 128, 2, dtype=single) / single(128))
    ramp = (np.arange(64, dtype=single) - single(low)) / single(high - low)
    share = single(1) - np.clip(ramp, 0, 1)
    interpolated, extrapolated = single(1) / (single(factor) * kept), single(1) / kept
    return np.asarray(interpolated * (1 - share) + extrapolated * share)


def test_a_float32_list_of_a_ramp_agrees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the ramp ends, the difference of nearly equal numbers keeps few digits."""
    config = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}
    config |= {"max_position_embeddings": 65536, "rope_theta": 10000.0}
    yarn = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 4096}
    config["rope_scaling"] = {**yarn, "truncate": False}
    (tmp_path / "config.json").write_text(json.dumps(config))
    # 64 ln(4096 / (2 pi beta)) / ln 10000 for beta = 32 and 1
    listed = yarn_in_float32(16, 4096, 20.9444816, 45.0268813)
    assert listed[45] == pytest.approx(9.78567841e-05, rel=1e-7)  # as transformers 5.24.0 prints it
    listed[45] = 9.78567841e-05
    for pair, change, code in ((45, 0, 0), (60, 1e-5, 1)):
        listed[pair] *= 1 + change
        np.savetxt(tmp_path / "list.txt", listed, "%.9e")
        words = ["--frequencies", str(tmp_path / "list.txt")]
        assert main(["verify", *words, "--config", str(tmp_path / "config.json")]) == code
        assert capsys.readouterr().err == ""


def test_a_list_of_multiplied_frequencies_agrees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its last frequency is 1.154779e-04 where 1.154782e-04 is exact; any other one differs."""
    listed = frequencies_multiplied(np.ones(1))[0]
    assert f"{listed[63]:.6e}" == "1.154779e-04"
    for change, code in ((0, 0), (1e-5, 1)):
        listed[63] *= 1 + change
        np.savetxt(tmp_path / "list.txt", listed, "%.9e")
        words = ["verify", "--frequencies", str(tmp_path / "list.txt"), "--format", "json"]
        assert main(words) == code
        [section] = json.loads(capsys.readouterr().out)["sections"]
        found = section["values"]["computed_by"]
        assert found == (None if code else "frequencies-multiplied")


@pytest.mark.parametrize("wrong", ["left alone", "gains", "phases"])
def test_float64_arrays_are_not_explained_as_float32_by_loose_bounds(
    wrong: str, verify: Verify
) -> None:
    """Far off, float32 would allow half of a pair's length, and with it nearly any figure."""
    rng = np.random.default_rng(3)
    if wrong == "left alone":
        x, base, offset = rng.normal(size=(4, 2)), 1e4, 10**6
    else:
        x, base, offset = rng.normal(size=(2, 8, 10)), 1.0, 10**5
    z = x[..., ::2] + 1j * x[..., 1::2]
    positions = np.arange(x.shape[-2]) + offset
    w = z * np.exp(1j * np.multiply.outer(positions, frequencies(x.shape[-1], base)))
    if wrong == "left alone":
        w.imag = z.imag
    elif wrong == "gains":
        w = w * (1 + 0.05 * rng.normal(size=w.shape))
    else:
        w = w * np.exp(0.003j)
    y = np.empty_like(x)
    y[..., ::2], y[..., 1::2] = w.real, w.imag
    words = ("--layout", "adjacent", "--offset", str(offset), "--base", str(base))
    code, values = verify(*words, input=x, output=y)
    assert (code, values["coarser_dtype"]) == (1, None)
    # Numbers of float32 near 0 are still known by their digits.
    z32 = z * np.exp(1j * np.multiply.outer(np.arange(x.shape[-2]), frequencies(x.shape[-1], 1e4)))
    y[..., ::2], y[..., 1::2] = z32.real.round(7), z32.imag.round(7)
    code, values = verify("--layout", "adjacent", input=x, output=y)
    assert (code, values["coarser_dtype"]) == (1, "float32")


def test_no_number_and_no_tolerance_gives_a_warning(verify: Verify) -> None:
    """Warnings are errors here: 1e150 beside small numbers, the least tolerance, tiny gains."""
    x = np.random.default_rng(3).normal(size=(2, 4, 2))
    z = (x[..., 0] + 1j * x[..., 1]) * np.exp(1j * np.arange(4))
    y = np.stack([z.real, z.imag], axis=-1)
    scores = y @ np.swapaxes(y, -1, -2)
    assert verify("--tolerance", "5e-324", query=x, key=x, scores=-scores)[0] == 1
    x[0, 3, 1] = y[0, 2, 0] = 1e150
    for tolerance in ((), ("--tolerance", "5e-324")):
        assert verify(*tolerance, input=x, output=y)[0] == 1
    tiny, zeros = np.full((1, 1), 5e-324 + 5e-324j), np.zeros((1, 1))
    assert Rotations(tiny, zeros, zeros, np.zeros(1), "float64").unit_factors == 1
