"""Random right code, and how ``verify`` is told what to expect of its arrays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from trials.implementation import ROUNDOFF, WAYS, Array, Code, held, stored

Rng = np.random.Generator

ORDERS = (
    *(("batch", "heads", "tokens", "features"), ("batch", "tokens", "heads", "features")),
    *(("tokens", "batch", "heads", "features"), ("heads", "tokens", "features")),
    *(("tokens", "heads", "features"), ("tokens", "features")),
)
FARTHEST = 131_071
BASES = (1e4, 5e5, 1e6, 1.5e5, 1e7)
LENGTHS = (2048, 4096, 8192)
METHODS = ("linear", "ntk", "dynamic", "yarn", "llama3", "longrope")
# The least width for which a method does more than for the whole, and the least base.
LEAST = {"ntk": (8, 100), "dynamic": (8, 100), "yarn": (16, 1000), "llama3": (16, 10_000)}


class Setup(NamedTuple):
    """Right code with the shape of its arrays, and how both are told to ``verify``."""

    code: Code
    batch: int
    heads: int
    axes: tuple[str, ...]
    axes_named: bool
    layout_named: bool
    by_config: bool
    positions_by: str
    form: str

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """``[batch, heads, tokens, features]``."""
        return self.batch, self.heads, self.code.positions.shape[-1], self.code.head_width


def pick(rng: Rng, options: Sequence[Any]) -> Any:
    """One of several."""
    return options[int(rng.integers(len(options)))]


def random_values(method: str, width: int, last: int, rng: Rng) -> dict[str, Any]:
    """The parameters of a method of scaling."""
    length = 8192 if method == "llama3" else pick(rng, LENGTHS)
    text = max(last + 1, int(pick(rng, (0.5, 1, 1.5, 4)) * length))
    lists = {
        name: tuple(rng.uniform(1, most, width // 2).round(3).tolist())
        for name, most in (("short_factor", 3), ("long_factor", 60))
    }
    return {
        "linear": {"factor": pick(rng, (2.0, 4.0, 8.0))},
        "ntk": {"factor": pick(rng, (2.0, 4.0, 8.0))},
        "dynamic": {"factor": pick(rng, (2.0, 4.0)), "original_length": length, "length": text},
        "yarn": {
            "factor": pick(rng, (4.0, 8.0, 16.0, 32.0)),
            "original_length": length,
            "truncate": bool(rng.integers(2)),
        },
        "llama3": {
            "factor": pick(rng, (8.0, 32.0)),
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_length": length,
        },
        "longrope": {"factor": 8.0, "original_length": length, "length": text, **lists},
    }.get(method, {})


def random_positions(batch: int, rng: Rng) -> Array:
    """Near or far, mostly one after the other, now and then other ones for each batch row."""
    count = int(rng.integers(8, 41))
    steps = rng.integers(1, 10 if rng.random() < 0.15 else 2, count)
    steps[0] = 0
    row = np.cumsum(steps)
    starts = (0, int(rng.integers(-200, 200)), int(rng.integers(FARTHEST - int(row[-1]))))
    rows = 1 if batch == 1 or rng.random() < 0.8 else batch
    begin = [pick(rng, starts) for _ in range(rows)]
    return np.asarray(np.array(begin, float)[:, np.newaxis, np.newaxis] + row)


def random_code(batch: int, rng: Rng) -> Code:
    """What a model may have."""
    method = pick(rng, METHODS) if rng.random() < 0.4 else "default"
    narrowest, lowest = LEAST.get(method, (2, 100))
    width = max(narrowest, pick(rng, (8, 16, 32, 64, 128, 2 * int(rng.integers(1, 65)))))
    head = width if rng.random() < 0.75 else 2 * int(rng.integers(width // 2, width + 1))
    base = pick(rng, BASES) if rng.random() < 0.7 else max(lowest, 10 ** rng.uniform(2, 7))
    positions = random_positions(batch, rng)
    dtype = pick(rng, tuple(ROUNDOFF))
    # What the loop of angles is for are plain frequencies.
    ways = WAYS if method in ("default", "ntk") else tuple({*WAYS} - {"loop", "products"})
    way = pick(rng, sorted(ways)) if dtype != "float64" else pick(rng, ("powers", "exact"))
    layout = pick(rng, ("adjacent", "half-split"))
    values = random_values(method, width, int(positions.max()), rng)
    first = head - width if rng.random() < 0.25 else 0
    code = Code(head, width, base, layout, positions, dtype, way, first)
    return code._replace(method=method, values=values)


def random_setup(rng: Rng) -> Setup:
    """Right code and a way of telling it."""
    axes = pick(rng, ORDERS) if rng.random() < 0.4 else ORDERS[0]
    batch = int(rng.integers(1, 4)) if "batch" in axes else 1
    heads = int(rng.integers(1, 5)) if "heads" in axes else 1
    code = random_code(batch, rng)
    row = code.positions.reshape(-1)
    own = len(row) > code.positions.shape[-1]
    follow = not own and bool((np.diff(row) == 1).all())
    by = pick(rng, ("file", "list", "offset") if follow else ("file", "list"))
    by = "file" if own or row.min() < 0 else by
    # Of arrays without names the tokens are on the last axis but one, or no other axis fits.
    certain = axes[-2] == "tokens" or (by == "file" and axes[-3] == "tokens" and heads < 5)
    own_axes = axes[0] == "batch" or not own
    code = code if own_axes else code._replace(positions=code.positions[:1])
    return Setup(
        *(code, batch, heads, axes, not certain or rng.random() < 0.4, rng.random() < 0.7),
        by_config=code.method != "default" or rng.random() < 0.3,
        positions_by=by if own_axes else "file",
        form="npy" if by != "file" and rng.random() < 0.2 else pick(rng, ("npz", "npz", "json")),
    )


def random_input(setup: Setup, rng: Rng) -> Array:
    """``[batch, heads, tokens, features]`` that the dtype holds."""
    return held(rng.normal(size=setup.shape), setup.code.dtype)


def length_of(code: Code) -> int:
    """The length of the text."""
    return int(code.values.get("length", max(int(code.positions.max()) + 1, 1)))


def config_of(code: Code) -> dict[str, Any]:
    """The ``config.json`` of a model that has this code."""
    scaling = dict(code.values)
    longest = max(4096, int(code.positions.max()) + 1)
    original = scaling.pop("original_length", None)
    longest = max(longest, scaling.pop("length", 1))
    if code.method == "dynamic":
        longest = original
    elif original:
        scaling["original_max_position_embeddings"] = original
    config = {
        "model_type": "any",
        "max_position_embeddings": longest,
        "head_dim": code.head_width,
        "hidden_size": 2 * code.head_width,
        "num_attention_heads": 2,
        "rope_theta": code.base,
        "rotary_dim": code.width,
    }
    return config | (
        {} if code.method == "default" else {"rope_scaling": {"rope_type": code.method} | scaling}
    )


def in_order(array: Array, axes: Sequence[str]) -> Array:
    """``[batch, heads, tokens, features]`` with these axes, the others dropped."""
    names = ORDERS[0]
    array = array[tuple(slice(None) if name in axes else 0 for name in names)]
    kept = [name for name in names if name in axes]
    return np.transpose(array, [kept.index(name) for name in axes])


def write_setup(folder: Path, setup: Setup, x: Array, y: Array) -> list[str]:
    """The files of both arrays, and the words of a command line that verifies them."""
    code = setup.code
    before, after = (in_order(each, setup.axes) for each in (x, y))
    row = code.positions[:, 0]
    row = row.astype(int) if (row % 1 == 0).all() else row
    positions = row if len(row) > 1 else row[0]
    files = write_arrays(folder, setup, before, after, positions)
    words = ["verify", *files, "--dtype", code.dtype]
    if setup.by_config:
        (folder / "config.json").write_text(json.dumps(config_of(code)), "utf-8")
        words += ["--config", str(folder / "config.json"), "--length", str(length_of(code))]
    else:
        words += ["-d", str(code.width), "-b", repr(code.base)]
    words += ["--axes", ",".join(setup.axes)] * setup.axes_named
    words += ["--layout", code.layout] * setup.layout_named
    words += ["--first-feature", str(code.first)] * (code.first > 0)
    if setup.positions_by == "list":
        words += ["--positions", ",".join(map(str, positions))]
    if setup.positions_by == "offset":
        words += ["--offset", str(positions[0])]
    return words


def save_together(path: Path, arrays: dict[str, Any]) -> None:
    """An ``.npz`` of these arrays."""
    np.savez(path, **arrays)


def write_arrays(
    folder: Path, setup: Setup, before: Array, after: Array, positions: Any
) -> list[str]:
    """The files of both arrays, with their positions if those are to stand in a file."""
    dtype, held_in_file = setup.code.dtype, setup.positions_by == "file"
    if setup.form == "json":
        arrays = {"input": before.tolist(), "output": after.tolist()}
        arrays |= {"positions": positions.tolist()} if held_in_file else {}
        (folder / "arrays.json").write_text(json.dumps(arrays), "utf-8")
        return [str(folder / "arrays.json")]
    raw = {"input": stored(before, dtype), "output": stored(after, dtype)}
    if dtype == "bfloat16" and setup.heads % 2:  # as ml_dtypes is saved by numpy
        raw = {name: array.view("V2") for name, array in raw.items()}
    if setup.form == "npy":
        for name, array in raw.items():
            np.save(folder / f"{name}.npy", array)
        return [str(folder / f"{name}.npy") for name in raw]
    if held_in_file:
        raw["positions"] = positions
    save_together(folder / "arrays.npz", raw)
    return [str(folder / "arrays.npz")]
