"""Axes that nobody named: no wrong array agrees by them, and right ones are told what to type."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tools.verifying import Memory

from rope_cli.cli.main import main
from rope_cli.verify.read.aligned_arrays import Arrays

Array = NDArray[np.float64]
Verify = Callable[..., tuple[int, dict[str, Any]]]

ONE = [1.0, 0.0]
AT_1 = [0.5403023058681398, 0.8414709848078965]
AT_2 = [-0.4161468365471424, 0.9092974268256817]
AT_3 = [-0.9899924966004454, 0.1411200080598672]


def rotated(x: Array, positions: Any = None, half: bool = False) -> Array:
    """Rows ``[..., tokens, features]`` rotated at the positions of their tokens."""
    width, tokens = x.shape[-1], x.shape[-2]
    positions = np.arange(tokens) if positions is None else np.asarray(positions)
    angles = positions[:, np.newaxis] * 1e4 ** (-np.arange(0, width, 2) / width)
    adjacent = slice(0, width, 2), slice(1, width, 2)
    left, right = (slice(width // 2), slice(width // 2, width)) if half else adjacent
    y = x.copy()
    y[..., left] = x[..., left] * np.cos(angles) - x[..., right] * np.sin(angles)
    y[..., right] = x[..., left] * np.sin(angles) + x[..., right] * np.cos(angles)
    return y


def rows(*shape: int) -> Array:
    return np.random.default_rng(7).normal(size=shape)


def kinds(values: dict[str, Any]) -> list[list[str]]:
    """The kinds of each explanation, the first one first."""
    every = [values["mistakes"], *values["alternatives"]]
    return [[mistake["kind"] for mistake in each] for each in every]


def test_all_tokens_at_one_position_differ(verify: Verify) -> None:
    """One key head [1, 1, 4, 2] from position 1 on: 1, 2, 3, 4 by hand, not 1, 1, 1, 1.

    The head is no token for lack of another axis: only ``--axes`` may say that it is.
    """
    x = [[[ONE] * 4]]
    code, values = verify("--offset", "1", input=x, output=[[[AT_1] * 4]])
    assert (code, values["verdict"], values["token_axis"]) == (1, "differs", 2)
    assert values["agrees_with_axes"] == "batch,tokens,heads,features"
    assert ["axes-exchanged"] in kinds(values)
    right = [[[AT_1, AT_2, AT_3, [-0.6536436208636119, -0.7568024953079282]]]]
    assert verify("--offset", "1", input=x, output=right)[0] == 0
    words = ("--offset", "1", "--axes", "batch,tokens,heads,features")
    assert verify(*words, input=x, output=[[[AT_1] * 4]])[0] == 0


def test_positions_rounded_to_bfloat16_differ(verify: Verify) -> None:
    """8000 to 8007 all become 8000; with one key head that looks like one token of 8 heads."""
    x = rows(1, 1, 8, 16)
    y = rotated(x, [8000] * 8)
    code, values = verify("--offset", "8000", input=x, output=y)
    assert (code, values["agrees_with_axes"]) == (1, "batch,tokens,heads,features")
    assert kinds(values)[0] != ["axes-exchanged"]


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("shape", [(1, 2, 32, 16), (1, 8, 8, 16), (3, 5, 7, 16)])
def test_heads_rotated_as_tokens_differ(shape: tuple[int, ...], half: bool, verify: Verify) -> None:
    """Whatever the numbers of heads and tokens; in text and for programs the axes are named."""
    x = rows(*shape)
    y = np.swapaxes(rotated(np.swapaxes(x, 1, 2), half=half), 1, 2)
    code, values = verify(input=x, output=y)
    assert (code, values["verdict"], values["every_number_explained"]) == (1, "differs", True)
    assert values["mistakes"] == [{"kind": "axes-exchanged", "axes": "batch,tokens,heads,features"}]
    axes = values["agrees_with_axes"]
    assert axes == "batch,tokens,heads,features"
    code, values = verify("--axes", axes, input=x, output=y)
    assert (code, values["agrees_with_axes"]) == (0, None)
    positions = np.arange(shape[2])
    assert verify(input=x, output=y, positions=positions)[0] == 1
    assert verify(input=x, output=rotated(x, half=half), positions=positions)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("tokens", [7, 16, 200])
@pytest.mark.parametrize(
    ("order", "axes"),
    [
        ((0, 1, 3, 2), "batch,heads,features,tokens"),
        ((0, 2, 1, 3), "batch,tokens,heads,features"),
        ((2, 0, 1, 3), "tokens,batch,heads,features"),
        ((3, 0, 1, 2), "features,batch,heads,tokens"),
    ],
)
def test_right_arrays_in_any_order_are_told_their_axes(
    order: tuple[int, ...], axes: str, tokens: int, half: bool, verify: Verify
) -> None:
    """Seven tokens cannot be features, for their number is odd, so the axes are certain."""
    x = rows(1, 2, tokens, 64)
    both = {"input": x.transpose(order), "output": rotated(x, half=half).transpose(order)}
    code, values = verify(**both)
    certain = tokens == 7 and order[-1] == 2
    assert code == (0 if certain else 1)
    assert values["agrees_with_axes"] == (None if certain else axes)
    code, values = verify("--axes", axes, **both)
    assert (code, values["token_axis"]) == (0, order.index(2))


def test_positions_and_a_config_tell_the_axes(verify: Verify, tmp_path: Path) -> None:
    """As many positions as there are on one axis only; a head as wide as one axis only."""
    x = rows(2, 3, 5, 8)
    first = {"input": np.moveaxis(x, 2, 0), "output": np.moveaxis(rotated(x), 2, 0)}
    assert verify(**first, positions=np.arange(5))[0] == 0
    before_tokens = {"input": np.swapaxes(x, 2, 3), "output": np.swapaxes(rotated(x), 2, 3)}
    config = {"model_type": "llama", "head_dim": 8, "max_position_embeddings": 64}
    config |= {"hidden_size": 32, "num_attention_heads": 4, "rope_theta": 10000.0}
    (tmp_path / "config.json").write_text(json.dumps(config))
    words = ("--config", str(tmp_path / "config.json"), "--layout", "adjacent")
    code, values = verify(*words, **before_tokens)
    assert (code, values["token_axis"]) == (0, 3)


def test_position_0_tests_no_rotation(verify: Verify) -> None:
    """A token at position 0 agrees and says nothing; the report says that."""
    code, values = verify(input=[[1.0, 2.0, 3.0, 4.0]], output=[[1.0, 2.0, 3.0, 4.0]])
    assert (code, values["verdict"], values["rotation_tested"]) == (0, "agrees", False)
    code, values = verify(input=[ONE, ONE], output=[ONE, AT_1])
    assert (code, values["verdict"], values["rotation_tested"]) == (0, "agrees", True)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "every token is at position 0, where RoPE is the identity."),
        ("ru", "все токены в позиции 0, где RoPE ничего не меняет."),
    ],
)
def test_position_0_in_words(
    language: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Right under the verdict."""
    (tmp_path / "a.json").write_text('{"input": [[1, 2]], "output": [[1, 2]]}')
    assert main(["verify", str(tmp_path / "a.json"), "--lang", language]) == 0
    assert sentence in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "shape",
    [(7, 2), (3, 5, 9, 4), (40, 100, 300, 8), (2, 3, 4, 60000), (70000, 3, 4), (5, 9000, 8)],
)
def test_blocks_hold_every_number_once(shape: tuple[int, ...]) -> None:
    """And few at a time, with every leading row of a token where they fit."""
    memory = Memory(np.broadcast_to(np.float64(0), shape), "float64")
    axes = len(shape) - 2, len(shape) - 1
    arrays = Arrays(memory, memory, np.arange(shape[-2]), *axes)
    seen = np.zeros(shape[:-1], np.uint8)
    for index in arrays.blocks():
        seen[index[:-1]] += 1
        assert index[-1] == slice(0, shape[-1])
        assert math.prod(part.stop - part.start for part in index) <= 2**18
    assert (seen == 1).all()
