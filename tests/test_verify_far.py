"""Mistakes at far positions, in coarse dtypes, with gains: what rounding leaves names them still.

Arrays come from the witness; those of float32 loops and axial rotations are made here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools import mistaken as witness
from tools.mistaken import Array, Setup, changed, right
from tools.setups import scaled, told
from tools.verifying import examined, named

from rope_cli.cli.main import main

LLAMA3_8 = {**witness.LLAMA3, "factor": 8}


def at(setup: Setup, positions: Any, dtype: str) -> Setup:
    """The setup at these positions, half-split, in a dtype."""
    return setup._replace(positions=np.asarray(positions), layout="half-split", dtype=dtype)


def random_rows(setup: Setup, batch: int = 2, heads: int = 3) -> Array:
    """Rows ``[batch, heads, tokens, head_width]`` that the dtype holds."""
    shape = batch, heads, setup.positions.shape[-1], setup.head_width
    return witness.rounded(np.random.default_rng(8).normal(size=shape), setup.dtype)


def first_named(setup: Setup, x: Array, y: Array) -> dict[str, Any]:
    """The kinds that are named first, with their figures; nothing may be left unexplained."""
    finding = examined(setup, x, y)
    assert finding.proved
    return dict(named(finding)[0])


@pytest.mark.parametrize(
    ("head", "positions", "dtype"),
    [
        (44, np.arange(7686, 7706), "float64"),
        (26, np.arange(90806, 90829), "float32"),
        (44, np.arange(7), "bfloat16"),
    ],
)
def test_gains_of_rows(head: int, positions: Any, dtype: str) -> None:
    """The coordinates that are not rotated are multiplied as well; far angles are inexact."""
    setup = at(told(26, 15e4, head_width=head), positions, dtype)
    x = random_rows(setup)
    gains = np.random.default_rng(1).uniform(0.5, 2, (*x.shape[:3], 1))
    y = witness.rounded(right(setup, x) * gains, dtype)
    figures = first_named(setup, x, y)["row-gains"]
    rel = 1e-5 if dtype != "bfloat16" else 0.02
    assert figures["least"] == pytest.approx(gains.min(), rel=rel)
    assert figures["greatest"] == pytest.approx(gains.max(), rel=rel)


def test_a_grid_in_bfloat16() -> None:
    """Rows and columns of five tokens are told apart by the pairs that move more than rounding."""
    setup = at(told(32, 1e6), np.arange(99143, 99175), "bfloat16")
    theta, m = 100.0 ** (-np.arange(8) / 8), np.arange(32)
    angles = np.concatenate([np.outer(m // 5, theta), np.outer(m % 5, theta)], 1)
    x = random_rows(setup)
    c, s, left, other = np.cos(angles), np.sin(angles), x[..., :16], x[..., 16:]
    y = witness.rounded(
        np.concatenate([c * left - s * other, s * left + c * other], -1), "bfloat16"
    )
    assert first_named(setup, x, y) == {"axial": {"rows": 7, "columns": 5}}


@pytest.mark.parametrize(("width", "base"), [(8, 3361.0), (16, 1e4)])
@pytest.mark.parametrize("inverse", [False, True])
def test_frequencies_that_were_not_inverted(width: int, base: float, inverse: bool) -> None:
    """At position 66345 float32 has no digit of their angles left, but the same wrong digits."""
    setup = at(told(width, base), np.arange(66345, 66371), "float32")
    powers = np.float32(base) ** (np.arange(width // 2, dtype=np.float32) * np.float32(2 / width))
    theta = np.float32(1) / (np.float32(1) / powers) if inverse else powers
    x = random_rows(setup)
    y = right(setup._replace(theta=theta.astype(np.float64)), x)
    assert first_named(setup, x, y) == {"frequencies-not-inverted": {}}


@pytest.mark.parametrize(
    ("wrong", "positions", "dtype"),
    [
        (scaled("yarn", 32, 27931.566, factor=32, original_length=8192), 107256, "float16"),
        (scaled("yarn", 68, 583358.0, factor=32, original_length=8192), 130370, "bfloat16"),
        (scaled("llama3", 128, 1e7, **LLAMA3_8), 50058, "float32"),
    ],
)
def test_another_base_under_a_ramp(wrong: Setup, positions: int, dtype: str) -> None:
    """The fast pairs give the base to as many digits as the far angles need."""
    wrong = at(wrong, np.arange(positions, positions + 11), dtype)._replace(attention=1.0)
    setup = changed(wrong, base=5e5, method="default", values={})
    x = random_rows(setup)
    found = first_named(setup, x, right(wrong, x))
    assert set(found) == {"base", wrong.method}
    assert found["base"]["base"] == pytest.approx(wrong.base, rel=1e-5)
    assert found[wrong.method]["factor"] == wrong.values["factor"]
    assert found[wrong.method]["original_length"] == wrong.values["original_length"]


def test_a_base_is_not_bent_to_explain_a_ramp() -> None:
    """In bfloat16 base 152670 would be near enough, were not one pair too slow throughout."""
    wrong = scaled("yarn", 16, 15e4, factor=32, original_length=4096)._replace(attention=1.0)
    wrong = at(wrong, np.arange(28), "bfloat16")
    setup = changed(wrong, base=1e7, method="default", values={})
    x = random_rows(setup)
    found = first_named(setup, x, right(wrong, x))
    assert set(found) == {"base", "yarn"}
    assert found["base"]["base"] == 15e4


def test_roundings_that_add_up_hide_no_mistake() -> None:
    """Frequencies multiplied from pair to pair in float32, and the positions reversed."""
    setup = at(told(122), np.arange(37995, 38024), "float32")
    step = np.float32(1e4 ** (-2 / 122))
    theta = np.cumprod(np.r_[np.float32(1), np.full(60, step)], dtype=np.float32)
    loop = setup._replace(theta=theta.astype(np.float64))
    x = random_rows(setup)
    assert examined(setup, x, right(loop, x)).verdict == "agrees"
    reversed_row = loop._replace(positions=loop.positions[::-1])
    assert first_named(setup, x, right(reversed_row, x)) == {"reversed-positions": {}}


def test_the_short_list_in_place_of_the_long_one(tmp_path: Path) -> None:
    """However much slower the expected frequencies are."""
    short, long = [1.375, *(1.5 + k / 8 for k in range(15))], [41.0, *range(40, 10, -2)]
    config = {
        "model_type": "any",
        "max_position_embeddings": 32768,
        "head_dim": 32,
        "hidden_size": 64,
        "num_attention_heads": 2,
        "rope_theta": 1e6,
        "rope_scaling": {
            "rope_type": "longrope",
            "factor": 8.0,
            "short_factor": short,
            "long_factor": long,
            "original_max_position_embeddings": 8192,
        },
    }
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    listed = 1e6 ** (-np.arange(16) / 16) / np.array(short)
    (tmp_path / "list.json").write_text(json.dumps(listed.tolist()), "utf-8")
    words = ["verify", "--frequencies", str(tmp_path / "list.json"), "--length", "32768"]
    words += ["--config", str(tmp_path / "config.json"), "--format", "json"]
    assert main([*words, "-o", str(tmp_path / "report.json")]) == 1
    [section] = json.loads((tmp_path / "report.json").read_text("utf-8"))["sections"]
    assert section["values"]["mistakes"] == [{"kind": "other-list"}]
