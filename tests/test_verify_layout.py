"""The layout of arrays beside that of the model's code, and of queries beside keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rope_cli.cli.main import main

# The code of Llama is half-split, that of GPT-J pairs neighbours.
LLAMA = {
    "model_type": "llama",
    "hidden_size": 16,
    "num_attention_heads": 2,
    "rope_theta": 10000.0,
    "max_position_embeddings": 64,
}
CONFIGS = {
    "llama.json": LLAMA,
    "gptj.json": {
        **{"model_type": "gptj", "n_embd": 16, "n_head": 2, "rotary_dim": 8},
        "n_positions": 64,
    },
    "deepseek.json": {**LLAMA, "model_type": "deepseek_v3", "qk_rope_head_dim": 8},
    "nanochat.json": {**LLAMA, "model_type": "nanochat"},
    "unknown.json": {**LLAMA, "model_type": "never_seen"},
}


def rotated(rows: np.ndarray, positions: np.ndarray, half_split: bool) -> np.ndarray:
    """Rows of width 8 rotated by the plain formula, base 10000."""
    result = rows.copy()
    for pair in range(4):
        angle = positions * 10000.0 ** (-2 * pair / 8)
        left, right = (pair, pair + 4) if half_split else (2 * pair, 2 * pair + 1)
        result[:, left] = rows[:, left] * np.cos(angle) - rows[:, right] * np.sin(angle)
        result[:, right] = rows[:, left] * np.sin(angle) + rows[:, right] * np.cos(angle)
    return result


@pytest.fixture
def report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Verify arrays, and give the exit code and what was printed with single blanks."""
    monkeypatch.chdir(tmp_path)
    for name, config in CONFIGS.items():
        Path(name).write_text(json.dumps(config))

    def verify(arrays: dict[str, np.ndarray], *options: str) -> tuple[int, str]:
        np.savez("arrays.npz", **arrays)  # type: ignore[arg-type]
        code = main(["verify", "arrays.npz", *options])
        return code, " ".join(capsys.readouterr().out.split())

    return verify


ROWS = np.random.default_rng(5).normal(size=(12, 8))
POSITIONS = np.arange(12.0)


@pytest.mark.parametrize(
    ("config", "half_split", "right"),
    [
        ("llama.json", True, True),
        ("llama.json", False, False),
        ("gptj.json", False, True),
        ("gptj.json", True, False),
        ("unknown.json", True, True),
        ("unknown.json", False, True),
    ],
)
def test_the_layout_of_the_models_code_is_expected(
    report: Any, config: str, half_split: bool, right: bool
) -> None:
    """Another layout differs; it may be right if weights were converted, which --layout says."""
    arrays = {"input": ROWS, "output": rotated(ROWS, POSITIONS, half_split)}
    code, text = report(arrays, "--config", config)
    assert code == (0 if right else 1)
    layout = "half-split" if half_split else "adjacent"
    assert (f"DIFFERS. The layout is {layout}" in text) == (not right)
    assert (f"if so, add --layout {layout}" in text) == (not right)
    assert ("layout as in the model's code, sequence" in text) == (config != "unknown.json")
    assert report(arrays, "--config", config, "--layout", layout)[0] == 0


HALVES = np.r_[0:8:2, 1:8:2]


@pytest.mark.parametrize(
    ("half_split", "order", "layout"),
    [
        (False, HALVES, None),
        (True, np.arange(8), "half-split"),
        (False, np.arange(8), "adjacent"),
    ],
)
def test_pairs_read_in_one_layout_and_written_in_the_other(
    report: Any, half_split: bool, order: np.ndarray, layout: str | None
) -> None:
    """DeepSeek-V3 in transformers does so; whatever else is right once it is asked for."""
    arrays = {"input": ROWS, "output": rotated(ROWS, POSITIONS, half_split)[:, order]}
    code, text = report(arrays, "--config", "deepseek.json")
    assert code == (0 if layout is None else 1)
    assert "adjacent pairs read and half-split results written as in the model's code" in text
    if layout is not None:
        assert f"DIFFERS. The layout is {layout}, but a layout of adjacent pairs" in text
        assert report(arrays, "--config", "deepseek.json", "--layout", layout)[0] == 0


def test_a_mistake_beside_the_layout_of_deepseek(report: Any) -> None:
    """An offset is named alone, for the layout is right."""
    output = rotated(ROWS, POSITIONS + 3, half_split=False)[:, HALVES]
    code, text = report(
        {"input": ROWS, "output": output}, "--config", "deepseek.json", "--format", "json"
    )
    (section,) = json.loads(text)["sections"]
    assert code == 1
    assert section["values"]["mistakes"] == [{"kind": "offset", "offset": 3}]


def test_code_that_rotates_by_minus_the_angle(report: Any) -> None:
    """nanochat does, and keeps it so."""
    output = rotated(ROWS, -POSITIONS, half_split=True)
    assert report({"input": ROWS, "output": output}, "--config", "nanochat.json")[0] == 0
    output = rotated(ROWS, POSITIONS, half_split=True)
    code, text = report({"input": ROWS, "output": output}, "--config", "nanochat.json")
    assert code == 1
    assert "the pairs rotate the other way" in text.replace("│ ", "").replace("  ", " ")


def test_a_right_key_is_right_beside_a_wrong_query(report: Any) -> None:
    """A query that is one position late tells nothing of the layout of the key."""
    arrays = {
        "query": ROWS,
        "rotated_query": rotated(ROWS, POSITIONS + 1, half_split=True),
        "key": ROWS[::-1].copy(),
        "rotated_key": rotated(ROWS[::-1].copy(), POSITIONS, half_split=True),
    }
    code, text = report(arrays)
    assert code == 1
    query, key = text.split("2. The rotated key")
    assert "DIFFERS" in query
    assert "+1" in query
    assert "AGREES" in key
    assert "DIFFERS" not in key


def test_layouts_of_query_and_key_have_to_match(report: Any) -> None:
    """Where the query is right, the key in another layout differs, as before."""
    arrays = {
        "query": ROWS,
        "rotated_query": rotated(ROWS, POSITIONS, half_split=True),
        "key": ROWS,
        "rotated_key": rotated(ROWS, POSITIONS, half_split=False),
    }
    code, text = report(arrays)
    assert code == 1
    assert "DIFFERS. The layout is adjacent, but half-split was expected." in text


def test_a_common_base_comes_before_a_width_that_no_head_has(report: Any) -> None:
    """In bfloat16 and few tokens, base 500000 for 10000 at width 128 is also an exponent of 90."""
    rows = np.random.default_rng(3).normal(size=(32, 128))
    positions = np.arange(32.0)[:, np.newaxis]
    angles = positions * 500000.0 ** (-np.arange(64) / 64)
    left, right = rows[:, :64], rows[:, 64:]
    output = np.concatenate(
        [
            left * np.cos(angles) - right * np.sin(angles),
            left * np.sin(angles) + right * np.cos(angles),
        ],
        axis=1,
    )
    # bfloat16 keeps the upper 16 bits of a float32; rounded to nearest.
    bits = output.astype(np.float32).view(np.uint32)
    narrow = ((bits + 0x8000) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    code, text = report(
        {"input": rows, "output": narrow}, "--dtype", "bfloat16", "--format", "json"
    )
    assert code == 1
    (section,) = json.loads(text)["sections"]
    (mistake,) = section["values"]["mistakes"]
    assert (mistake["kind"], mistake["base"]) == ("base", 500000.0)
