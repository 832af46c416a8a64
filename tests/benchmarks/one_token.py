"""One decoded token: how much a call adds to the bare numpy product, in microseconds.

Here not memory counts but what is done for each call: checks, the choice of a kernel, silence.
``numpy.multiply`` of the same row read as complex numbers is what cannot be done without. For the
half-split layout it is a product of as many pairs, which is less than that layout needs.

A model asks for one position in each of its layers, so factors are ready but for the first. The
last row asks for another position each time, so that none ever are.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.plain import PAIR_DTYPES, halves
from benchmarks.timing import difference, row, times_in_turn, verdict
from rope_cli.rope.tables import RotaryEmbedding

Array = NDArray[Any]

SHAPE, POSITIONS, POSITION, BASE = (1, 32, 1, 128), 4096, 1000, 10000.0
CALLS = 2000
MOST_ADDED = 3.0  # microseconds
PRODUCT, OURS = "bare numpy product", "ours, out="
HALVES, ANEW = "plain numpy, halves", "ours, out=, another position each time"
MICROSECOND = 1e-6


def bare_product(x: Array, table: Array, out: Array) -> Callable[[], object]:
    """The product of one row of the table with the pairs of ``x``, and no more than that."""
    pair = PAIR_DTYPES[x.dtype]
    factors: Array = table.astype(pair)
    return lambda: np.multiply(x.view(pair), factors[POSITION : POSITION + 1], out=out.view(pair))


def contestants(
    x: Array, out: Array, embedding: RotaryEmbedding, backward: bool
) -> dict[str, Callable[[], object]]:
    """Each by its name; all write to ``out``."""
    table = np.conjugate(embedding.factors) if backward else embedding.factors
    ours = embedding.rotate_transpose if backward else embedding.rotate
    following = cycle(range(POSITIONS))
    forms = {PRODUCT: bare_product(x, table, out)}
    if embedding.layout == "half-split":
        forms[HALVES] = halves(x, table[POSITION : POSITION + 1], out)
    forms[OURS] = lambda: ours(x, POSITION, out=out)
    forms[ANEW] = lambda: ours(x, next(following), out=out)
    return forms


def lines(runs: int) -> Iterator[str]:
    """A block of rows for each layout, dtype and direction."""
    random = np.random.default_rng(0)
    for layout, aim in (("adjacent", MOST_ADDED), ("half-split", None)):
        embedding = RotaryEmbedding(SHAPE[-1], POSITIONS, BASE, layout)
        for dtype in ("float32", "float64"):
            out = np.empty(SHAPE, dtype)
            x = random.standard_normal(SHAPE).astype(dtype, copy=False)
            for backward in (False, True):
                times = times_in_turn(contestants(x, out, embedding, backward), runs, CALLS)
                direction = "transpose" if backward else "forward"
                title = f"{list(SHAPE)} {dtype}, {layout}, {direction}"
                yield row(title, "median", "us more than product", "target")
                for name, own in times.items():
                    more = difference(
                        [seconds / MICROSECOND for seconds in own],
                        [seconds / MICROSECOND for seconds in times[PRODUCT]],
                    )
                    shown = "limit" if name == PRODUCT else str(more)
                    met = verdict(more.median, aim if name == OURS else None)
                    yield row(name, statistics.median(own), shown, met)
