"""What an engineer meets first: printed numbers, tables, pads, layers without rotation, configs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rope_cli.cli.main import main
from rope_cli.verify.explain import joint_laws
from rope_cli.verify.explain.frequency_list import examine_list
from rope_cli.verify.explain.laws import Law
from rope_cli.verify.measure.expected import expected_plain

Array = NDArray[np.float64]
Verify = Callable[..., tuple[int, dict[str, Any], str]]
ROWS = np.random.default_rng(12).normal(size=(2, 3, 12, 64))
TOKENS = np.arange(12)
LLAMA = {
    **{"model_type": "llama", "hidden_size": 256, "num_attention_heads": 4},
    **{"rope_theta": 10000.0, "max_position_embeddings": 4096},
}
GPT_OSS = {
    **{"model_type": "gpt_oss", "hidden_size": 2880, "num_attention_heads": 64, "head_dim": 64},
    **{"max_position_embeddings": 131072, "rope_theta": 150000.0},
    "rope_scaling": {
        **{"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096},
        "truncate": False,
    },
}
LONG = [1.0 + k for k in range(32)]
PHI_3 = {
    **LLAMA,
    **{"model_type": "phi3", "max_position_embeddings": 131072},
    "original_max_position_embeddings": 4096,
    "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 32, "long_factor": LONG},
}
SMOLLM = {**LLAMA, "model_type": "smollm3", "no_rope_layers": [1, 1, 1, 0]}


def powers(base: float = 1e4, denominator: float = 64) -> Array:
    """Frequencies of 32 pairs."""
    return np.asarray(base ** (-2 * np.arange(32) / denominator))


def rotated(theta: Array, positions: Any = TOKENS) -> Array:
    """The rows rotated in two halves."""
    angles = np.multiply.outer(np.asarray(positions, np.float64), theta)
    c, s, left, right = np.cos(angles), np.sin(angles), ROWS[..., :32], ROWS[..., 32:]
    return np.concatenate([left * c - right * s, left * s + right * c], axis=-1)


@pytest.fixture
def verify(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Verify:
    """Exit code, what a program reads, and the text with single blanks."""
    monkeypatch.chdir(tmp_path)

    def verify(config: dict[str, Any], *words: str) -> tuple[int, dict[str, Any], str]:
        Path("config.json").write_text(json.dumps(config))
        words = ("verify", *words, "--config", "config.json")
        code = main([*words, "--format", "json", "-o", "report.json"])
        assert main([*words]) == code
        text = capsys.readouterr().out
        return code, json.loads(Path("report.json").read_text()), " ".join(text.split())

    return verify


def mistakes(found: dict[str, Any]) -> list[dict[str, Any]]:
    [section] = found["sections"]
    return list(section["values"]["mistakes"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "output", "named"),
    [
        (
            GPT_OSS,
            rotated(powers(150000.0, 45)),
            [{"kind": "other-rule", "rule": "quotient-width"}],
        ),
        (
            PHI_3,
            rotated(powers() / np.array(LONG)),
            [
                {"kind": "attention-factor", "found": 1.0, "expected": 1.190238071},
                {"kind": "other-list"},
            ],
        ),
        (LLAMA, rotated(powers()) / 8, [{"kind": "scaled-rows", "width": 64}]),
        (
            LLAMA,
            rotated(powers(), [-1, -1, -1, -1, *range(8)]),
            [{"kind": "other-positions", "found": [-1, -1, -1, -1, *range(8)]}],
        ),
    ],
    ids=["quotient", "other list without its factor", "softmax scale", "left padding"],
)
def test_the_name_of_what_was_done(
    config: dict[str, Any], output: Array, named: list[dict[str, Any]], verify: Verify
) -> None:
    """The config itself suggests the width, the list and the scale; pads may be before 0."""
    np.savez("a.npz", input=ROWS, output=output)
    code, found, _ = verify(config, "a.npz")
    assert code == 1
    told = mistakes(found)
    assert [mistake["kind"] for mistake in told] == [mistake["kind"] for mistake in named]
    for mistake, expected in zip(told, named, strict=True):
        for name, value in expected.items():
            close = pytest.approx(value, rel=1e-9) if isinstance(value, float) else value
            assert mistake[name] == close


def test_layers_without_rotation_are_remembered(verify: Verify) -> None:
    """Rows that are not rotated may be those of such a layer."""
    np.savez("a.npz", input=ROWS, output=ROWS)
    code, found, text = verify(SMOLLM, "a.npz")
    assert (code, mistakes(found)) == (1, [{"kind": "no-rotation"}])
    assert "Some layers of this model have no rotation" in text
    assert "Some layers" not in verify(LLAMA, "a.npz")[2]


@pytest.mark.slow
def test_printed_numbers(verify: Verify) -> None:
    """With four decimals they are right within what those leave, and the tolerance is told."""
    printed = {"input": ROWS.round(4).tolist(), "output": rotated(powers()).round(4).tolist()}
    Path("a.json").write_text(json.dumps(printed))
    code, found, _ = verify(LLAMA, "a.json")
    [mistake] = mistakes(found)
    assert (code, mistake["kind"], mistake["decimals"]) == (1, "printed-decimals", 4)
    assert verify(LLAMA, "a.json", "--tolerance", str(mistake["tolerance"]))[0] == 0
    printed["output"] = rotated(powers(5e5)).round(4).tolist()
    Path("a.json").write_text(json.dumps(printed))
    assert [each["kind"] for each in mistakes(verify(LLAMA, "a.json")[1])] != ["printed-decimals"]


def bfloat16(numbers: Array) -> Array:
    bits = numbers.astype(np.float32).view(np.uint32).astype(np.uint64)
    bits += 0x7FFF + (bits >> 16 & 1)
    return (bits & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("listed", "named"),
    [
        ([float(f"{f:.4e}") for f in powers()], {"kind": "printed-digits", "digits": 5}),
        (bfloat16(powers()).tolist(), {"kind": "narrow-list", "dtype": "bfloat16"}),
        (powers().astype(np.float16).tolist(), {"kind": "narrow-list", "dtype": "float16"}),
    ],
)
def test_rounded_lists(listed: list[float], named: dict[str, Any], verify: Verify) -> None:
    """Of the right base they are named as rounded."""
    Path("list.json").write_text(json.dumps(listed))
    code, found, _ = verify(LLAMA, "--frequencies", "list.json")
    assert (code, mistakes(found)) == (1, [named])
    Path("list.json").write_text(json.dumps([7 * frequency for frequency in listed]))
    kinds = [
        mistake["kind"] for mistake in mistakes(verify(LLAMA, "--frequencies", "list.json")[1])
    ]
    assert named["kind"] not in kinds


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [100, 249])
def test_one_wrong_frequency_leaves_few_laws_to_try(
    pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every beginning of the list has a base of its own, but they all stand for one."""
    calls: list[float] = []

    def no_laws(width: int, base: float, factor: float, length: int) -> Iterator[Law]:
        calls.append(base)
        return iter(())

    monkeypatch.setattr(joint_laws, "ramp_laws", no_laws)
    frequencies = np.power(0.99, np.arange(pairs), dtype=np.float64)
    frequencies[83] *= 1.000003
    examine_list(frequencies, expected_plain(2 * pairs, 2 * pairs, 1e4, "adjacent"))
    assert 1 <= len(set(calls)) <= 4
    assert all(abs(base - 0.99**-pairs) < 1e-5 * base for base in calls)


def test_float32_frequencies_in_float64_code(verify: Verify) -> None:
    """They follow no law; as float32 they are right, which is what is told."""
    theta = powers().astype(np.float32).astype(np.float64)
    np.savez("a.npz", input=ROWS, output=rotated(theta))
    code, found, text = verify(LLAMA, "a.npz")
    assert (code, mistakes(found)) == (1, [])
    assert "add --dtype float32" in text


def test_two_files_of_a_table(verify: Verify) -> None:
    """Cosines and sines under other names are no input and output."""
    angles = np.multiply.outer(np.arange(40), powers())
    for name, values in (("rope_c", np.cos(angles)), ("rope_s", np.sin(angles))):
        np.save(f"{name}.npy", np.concatenate([values, values], axis=-1))
    code, _, text = verify(LLAMA, "rope_c.npy", "rope_s.npy")
    assert code == 1
    assert "name the arrays or the files cos and sin" in text


def test_what_a_config_leaves_open_is_said(verify: Verify) -> None:
    """An assumed base looks like that of the file, unless it is said."""
    keys = {name: value for name, value in LLAMA.items() if name != "rope_theta"}
    np.savez("a.npz", input=ROWS, output=rotated(powers()))
    code, found, text = verify({**keys, "model_type": "never_seen"}, "a.npz")
    assert code == 0
    kinds = {warning["kind"] for warning in found["parameters"]["warnings"]}
    assert kinds == {"unknown", "assumed"}
    assert "the base 10000 is assumed" in text
    assert verify(LLAMA, "a.npz")[1]["parameters"]["warnings"] == []


def test_a_token_found_elsewhere_is_not_called_unseen(verify: Verify) -> None:
    """Position 0 hides mistakes, but not where the token is really at 777."""
    output = rotated(powers(), [777])[:, :, :1]
    np.savez("a.npz", input=ROWS[:, :, :1], output=output)
    code, found, text = verify(LLAMA, "a.npz")
    assert (code, mistakes(found)) == (1, [{"kind": "offset", "offset": 777}])
    assert "--offset" in text
    [section] = found["sections"]
    assert [
        each for each in section["values"]["cannot_show"] if each["why"] == "position-zero"
    ] == []


def test_typed_positions_may_be_negative(verify: Verify) -> None:
    """As they may in a file."""
    np.savez("a.npz", input=ROWS, output=rotated(powers(), np.arange(-4, 8)))
    assert verify(LLAMA, "a.npz", "--positions=-4:8")[0] == 0
    assert verify(LLAMA, "a.npz", "--positions=0:12")[0] == 1


@pytest.mark.slow
def test_float16_frequencies_far_out(verify: Verify) -> None:
    """Positions beyond the range of float16 do not matter where only frequencies are in it."""
    far = np.arange(100_000, 100_012)
    theta = powers().astype(np.float16).astype(np.float64)
    output = rotated(theta, far).astype(np.float32)
    np.savez("a.npz", input=ROWS.astype(np.float32), output=output, positions=far)
    code, found, _ = verify(LLAMA, "a.npz")
    [mistake] = mistakes(found)
    assert (code, mistake["kind"]) == (1, "low-precision")
    assert (mistake["dtype"], mistake["rounded"]) == ("float16", ["frequencies"])
