"""Arrays of the witness put before ``verify``: in memory, in files, and two thousand at random."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import tempfile
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from rope_cli.scaling.config import read_config
from rope_cli.verify.explain.verdict import Finding, examine
from rope_cli.verify.measure.expected import Expected, expected_by_config, expected_plain
from rope_cli.verify.read.aligned_arrays import Arrays
from tools import mistaken as witness
from tools.mistaken import Array, Figures, Rng, Setup, changed

Named = tuple[tuple[str, Figures], ...]  # kinds of mistakes with their figures

# A figure fitted to the data makes the bound of verify four times as wide, and verify bounds each
# coordinate of a pair where the witness bounds the pair.
WIDEST = math.sqrt(2)
FITTED = 4 * WIDEST
# What is so far off, as a share of the greatest number, is something else in any dtype.
VACUOUS = 0.25
SEEDS_AT_ONCE = 10


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


def made_again(setup: Setup, mistakes: Named) -> Iterator[Setup]:
    """Setups whose right arrays are those of the mistakes; none where a setup cannot say them."""
    a, found = setup.attention, setup
    divided: list[Setup] = []
    for kind, figures in mistakes:
        match kind:
            case "base":
                found = changed(found, base=figures["base"])
            case "denominator":
                found = changed(found, denominator=figures["denominator"])
            case "ntk" | "yarn" | "llama3":
                found = changed(found, method=kind, values=figures)
            case "stale-length":
                found = changed(found, values={**found.values, **figures})
            case "rotary-width":
                found = changed(found, rotary_width=figures["width"])
            case "offset":
                found = found._replace(positions=found.positions + figures["offset"])
            case "frequencies-not-inverted":
                found = found._replace(theta=1 / found.theta)
            case "rotated-twice":
                found, a = found._replace(theta=2 * found.theta), a * a
            case "position-interpolation":
                # What is divided may be scaled already or not.
                divided = [found._replace(theta=found.plain / figures["factor"])]
                found = found._replace(theta=found.theta / figures["factor"])
            case "attention-factor":
                a = figures["found"]
            case _:
                return
    for each in (found, *divided):
        yield each._replace(attention=a)


class Trial(NamedTuple):
    """What was planted and what was found.

    ``visible`` is how far the arrays are from the right ones. If what was named first is not what
    was planted, ``left`` is how far they are from arrays made by what was named; ``nan`` if nobody
    can make those.
    """

    seed: int
    kind: str
    figures: Figures
    setup: Setup
    visible: float
    verdict: str
    named: tuple[Named, ...]
    proved: bool
    left: float

    @property
    def wrong(self) -> bool:
        """Whether the arrays are surely wrong."""
        return self.kind != "right" and self.visible > WIDEST

    @property
    def first(self) -> bool:
        """Whether the kind that was planted was named first."""
        return bool(self.named) and self.kind in dict(self.named[0])

    @property
    def exact(self) -> bool:
        """Whether it was named first, with its figures."""
        return self.first and agree(self.figures, dict(self.named[0])[self.kind])

    @property
    def same(self) -> bool:
        """Whether what was named first gives the same arrays."""
        return self.left <= FITTED

    @property
    def also(self) -> bool:
        """Whether the kind was named, though not first."""
        return any(self.kind in dict(each) for each in self.named)

    @property
    def called(self) -> str:
        """What was named first."""
        return " + ".join(kind for kind, _ in self.named[0]) if self.named else self.verdict


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
    """Right arrays for every fourth seed, else those of one mistake, of every kind as often."""
    rng = np.random.default_rng(seed)
    kind = witness.pick(rng, witness.KINDS) if seed % 4 else "right"
    setup, x, y, figures = planted(kind, rng)
    visible = witness.visible(setup, witness.right(setup, x), y, x)
    axis, by_config = int(rng.integers(1, 3)), bool(rng.integers(2))
    with warnings.catch_warnings(action="error"):
        finding = examined(setup, x, y, axis, by_config=by_config)
    found = named(finding)
    told = seed, kind, figures, setup, visible, finding.verdict, found, finding.proved
    if not found or Trial(*told, math.nan).exact:
        return Trial(*told, math.nan)
    return Trial(*told, left=min(left_by(setup, x, y, found[0]), default=math.nan))


def left_by(setup: Setup, x: Array, y: Array, mistakes: Named) -> Iterator[float]:
    """How far arrays are from those that mistakes make; a bound that lets all pass is none."""
    for other in made_again(setup, mistakes):
        exact = witness.right(other._replace(dtype="float64"), x)
        alike = np.abs(exact - y).max() < VACUOUS * np.abs(x).max()
        yield witness.visible(other, exact, y, x) if alike else math.inf


def tried(seed: int) -> Trial:
    """A trial; whatever goes wrong in it, its seed is known."""
    try:
        return trial(seed)
    except Exception as failure:
        raise RuntimeError(f"seed {seed}: {failure!r}") from failure


def trials(count: int) -> list[Trial]:
    """Those of the first seeds, in as many processes as there are processors."""
    spawned = multiprocessing.get_context("spawn")
    with (
        mock.patch.dict(os.environ, OPENBLAS_NUM_THREADS="1"),
        ProcessPoolExecutor(os.cpu_count(), spawned) as pool,
    ):
        return list(pool.map(tried, range(count), chunksize=SEEDS_AT_ONCE))
