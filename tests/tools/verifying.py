"""Arrays of the witness put before ``verify``: in memory, or in files."""

from __future__ import annotations

import json
import math
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tools import mistaken as witness
from tools.mistaken import Array, Figures, Setup

from rope_cli.scaling.config import read_config
from rope_cli.verify.explain.verdict import Finding, examine
from rope_cli.verify.measure.expected import Expected, expected_by_config, expected_plain
from rope_cli.verify.read.aligned_arrays import Arrays

Named = tuple[tuple[str, Figures], ...]  # kinds of mistakes with their figures

# Verify bounds each coordinate of a pair where the witness bounds the pair.
WIDEST = math.sqrt(2)


@dataclass(frozen=True, eq=False)
class Memory:
    """An array in memory, as computed in ``dtype``."""

    values: Array
    dtype: str

    @property
    def shape(self) -> tuple[int, ...]:
        """Of all axes."""
        return self.values.shape

    def block(self, index: tuple[int | slice, ...]) -> Array:
        """A copy of the values at an index."""
        return np.array(self.values[index])


def config_of(setup: Setup) -> dict[str, Any]:
    """The ``config.json`` of a model with this setup; the length of a text is no part of it."""
    scaling = dict(setup.values)
    longest = max(4096, int(setup.positions.max()) + 1, int(scaling.pop("length", 1)))
    if "original_length" in scaling:
        original = scaling.pop("original_length")
        if setup.method == "dynamic":
            longest = original
        else:
            scaling["original_max_position_embeddings"] = original
    config = {
        "model_type": "any",
        "max_position_embeddings": longest,
        "head_dim": setup.head_width,
        "hidden_size": 4 * setup.head_width,
        "num_attention_heads": 4,
        "rope_theta": setup.base,
        "rotary_dim": setup.rotary_width,
    }
    if setup.method != "default":
        config["rope_scaling"] = {"rope_type": setup.method, **scaling}
    return config


def length_of(setup: Setup) -> int:
    """The length of the text."""
    return int(setup.values.get("length", setup.positions.max() + 1))


def expected_of(setup: Setup, by_config: bool = True, backward: bool = False) -> Expected:
    """What ``verify`` expects of the arrays of this setup, by a config or by options."""
    head, d, base, layout = setup[:4]
    if not by_config and setup.method == "default":
        return expected_plain(head, d, base, layout, backward)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "config.json")
        path.write_text(json.dumps(config_of(setup)), "utf-8")
        [layer] = read_config(str(path)).layers
    return expected_by_config(layer, layout, length_of(setup), backward=backward)


def examined(setup: Setup, x: Array, y: Array, axis: int = 2, **options: bool) -> Finding:
    """What is found out about ``[batch, heads, tokens, features]``, put with tokens on an axis."""
    before, after = (Memory(np.moveaxis(each, 2, axis), setup.dtype) for each in (x, y))
    arrays = Arrays(before, after, setup.positions, axis, 3)
    return examine(arrays, expected_of(setup, **options))


def saved(folder: Path, setup: Setup, x: Array, y: Array) -> list[str]:
    """The words of the command that verifies these arrays, whose files are put in a folder."""
    (folder / "config.json").write_text(json.dumps(config_of(setup)), "utf-8")
    before, after = (witness.stored(each, setup.dtype) for each in (x, y))
    np.savez(folder / "arrays.npz", positions=setup.positions, input=before, output=after)
    return [
        *("verify", str(folder / "arrays.npz"), "--axes", "batch,heads,tokens,features"),
        *("--config", str(folder / "config.json"), "--length", str(length_of(setup))),
        *("--layout", setup.layout, "--dtype", setup.dtype),
    ]


def named(finding: Finding) -> tuple[Named, ...]:
    """The mistakes of each explanation, those of the first one first."""
    return tuple(
        tuple((mistake.kind, mistake.figures) for mistake in each.mistakes)
        for each in finding.explanations
    )


def agree(planted: Figures, found: Figures) -> bool:
    """Whether figures are those that were planted: measured ones within 1 of 100."""
    for name, value in planted.items():
        match name, found.get(name):
            case (("base" | "factor" | "found" | "length"), float() | int() as measured):
                if abs(measured - value) > abs(value) / 100:
                    return False
            case "rounded", list(several):
                if value not in several:
                    return False
            case "order", list(whole):
                if value != whole[: len(value)]:
                    return False
            case _, other:
                if other != value:
                    return False
    return True
