"""Arrays of the witness put before ``verify``: in memory, in files, and two thousand at random."""

from __future__ import annotations

import json
import multiprocessing
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import mistaken as witness
import numpy as np
from mistaken import Array, Figures, Rng, Setup

from rope_cli.model_config import read_config
from rope_cli.verify.arrays import Arrays
from rope_cli.verify.examining import Finding, examine
from rope_cli.verify.expected import Expected, expected_by_config, expected_plain

ORDERS = {"batch,heads,tokens,features": 2, "batch,tokens,heads,features": 1}
# By what name a config has the values of the witness.
KEYS = {"original_length": "original_max_position_embeddings"}
PER_TASK = 20


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
    """The ``config.json`` of a model with this setup; a text's length is no part of it."""
    values = {KEYS.get(name, name): value for name, value in setup.values.items()}
    longest = max(4096, int(setup.positions.max()) + 1, int(values.pop("length", 1)))
    if setup.method == "dynamic":
        longest = values.pop("original_max_position_embeddings")
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
        config["rope_scaling"] = {"rope_type": setup.method, **values}
    return config


def length_of(setup: Setup) -> int:
    """The length of the text."""
    return int(setup.values.get("length", setup.positions.max() + 1))


def expected_of(setup: Setup, by_config: bool = True, backward: bool = False) -> Expected:
    """What ``verify`` expects of the arrays of this setup, from a config or from options."""
    head, d, base, layout = setup[:4]
    if not by_config and setup.method == "default":
        return expected_plain(head, d, base, layout, backward)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "config.json")
        path.write_text(json.dumps(config_of(setup)), "utf-8")
        [layer] = read_config(str(path)).layers
    return expected_by_config(layer, layout, length_of(setup), backward=backward)


def examined(
    setup: Setup, x: Array, y: Array, axis: int = 2, given: bool = True, **options: Any
) -> Finding:
    """``[batch, heads, tokens, features]`` as ``verify`` sees them, the tokens on some axis."""
    before, after = (Memory(np.moveaxis(each, 2, axis), setup.dtype) for each in (x, y))
    arrays = Arrays(before, after, setup.positions, axis, 3)
    return examine(arrays, expected_of(setup, **options), axes_given=given)


class Trial(NamedTuple):
    """What was planted, what was found, and how far the wrong arrays were from the right ones.

    ``named`` are the mistakes of every explanation, those of the first one first.
    """

    seed: int
    kind: str
    figures: Figures
    setup: Setup
    visible: float
    verdict: str
    named: tuple[tuple[tuple[str, Figures], ...], ...]


def planted(kind: str, rng: Rng) -> tuple[Setup, Array, Array, Figures]:
    """A setup in which a kind of mistake can be made, its input and output, and the figures."""
    while True:
        setup = witness.random_setup(rng)
        x = witness.random_input(rng, setup)
        if kind == "right":
            return setup, x, witness.right(setup, x), {}
        made = witness.mistaken(kind, setup, x, rng)
        if made is not None:
            return setup, x, *made


def trial(seed: int) -> Trial:
    """Right arrays for every fourth seed, else those of one mistake, every kind as often."""
    rng = np.random.default_rng(seed)
    kind = witness.pick(rng, witness.KINDS) if seed % 4 else "right"
    setup, x, y, figures = planted(kind, rng)
    far = witness.visible(setup, witness.right(setup, x), y, x)
    axis, by_config = int(rng.integers(1, 3)), bool(rng.integers(2))
    found = examined(setup, x, y, axis, by_config=by_config)
    named = tuple(tuple(map(tuple, each.mistakes)) for each in found.explanations)
    return Trial(seed, kind, figures, setup, far, found.verdict, named)


def trials(count: int) -> list[Trial]:
    """Those of the first seeds, made by as many processes as there are processors."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), context) as pool:
        return list(pool.map(trial, range(count), chunksize=PER_TASK))
