"""How long verify looks for the cause of numbers that nothing explains, in arrays up to 2^16.

Random outputs, random rotations and the like are made by the code of the trials, in every dtype,
layout and method of scaling. Each input is diagnosed once: a limit for all says more than a mean.
"""

from __future__ import annotations

import contextlib
import io
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from trials.planted import UNKNOWN
from trials.setups import Rng, Setup, pick, random_input, random_setup, write_setup

from benchmarks.timing import row, verdict
from rope_cli.cli.main import main

INPUTS, LEAST_NUMBERS, MOST_NUMBERS = 200, 2**6, 2**16
MOST_SECONDS = 2.0


class Diagnosis(NamedTuple):
    """The seconds of processor time that an input took, its kind, its seed and its size."""

    seconds: float
    kind: str
    seed: int
    numbers: int


def sized_setup(rng: Rng) -> Setup:
    """A random setup with some numbers in its arrays, few as often as many."""
    while (setup := random_setup(rng)).code.width < 8 or len(setup.code.positions) > 1:
        pass
    numbers = 2 ** rng.uniform(np.log2(LEAST_NUMBERS), np.log2(MOST_NUMBERS))
    rows = max(1, int(numbers / setup.code.head_width))
    heads = pick(rng, [n for n in (1, 2, 4, 8, 16, 32) if n <= rows]) if setup.heads > 1 else 1
    start = int(setup.code.positions.min())
    positions = np.arange(start, start + max(1, rows // heads), dtype=float)
    code = setup.code._replace(positions=positions[np.newaxis, np.newaxis])
    setup = setup._replace(code=code, batch=1, heads=heads, axes_named=True)
    return setup._replace(positions_by="file", form="npz")


def diagnose(seed: int) -> Diagnosis:
    """One input, written, read and explained by the command in this process."""
    rng = np.random.default_rng(seed)
    kind = tuple(UNKNOWN)[seed % len(UNKNOWN)]
    while True:
        setup = sized_setup(rng)
        x = random_input(setup, rng)
        if (planted := UNKNOWN[kind](setup, x, rng)) is not None:
            break
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        words = write_setup(Path(name), setup, x, planted[0])
        start = time.process_time()
        try:
            main([*words, "--format", "json", "-o", str(Path(name, "report.json"))])
        except Exception as failure:
            raise RuntimeError(f"seed {seed}, {kind}: {failure!r}") from failure
        return Diagnosis(time.process_time() - start, kind, seed, x.size)


def lines(runs: int) -> Iterator[str]:
    """The median and the longest time of all inputs, and the longest of each kind."""
    diagnoses = [diagnose(seed) for seed in range(INPUTS)]
    yield row(f"{len(diagnoses)} inputs of up to {MOST_NUMBERS:,} numbers", "longest", "input")
    for kind in UNKNOWN:
        longest = max(each for each in diagnoses if each.kind == kind)
        yield row(kind, longest.seconds, f"seed {longest.seed}, {longest.numbers:,} numbers")
    worst = max(diagnoses)
    yield row("median of all", statistics.median(each.seconds for each in diagnoses))
    yield row("longest of all", worst.seconds, verdict(worst.seconds, MOST_SECONDS))
