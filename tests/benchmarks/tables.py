"""Building a large table beside the cosines and sines that it cannot do without.

Also what a construction needs in memory at its height, besides the table itself.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import ratio_rows, row, times_in_turn, verdict
from rope_cli.rope.tables import RotaryEmbedding

Array = NDArray[Any]

WIDTH, POSITIONS, BASE = 128, 131072, 10000.0
MOST_TIME, MOST_MEGABYTES = 1.05, 16.0
MEGABYTE = 10**6
OURS, LIMIT = "ours, RotaryEmbedding(...)", "numpy.cos and numpy.sin of a product"
READY = "numpy.cos and numpy.sin of ready angles"


class DifferentTables(Exception):
    """The bits of a table are not those of the two plain calls."""


def build() -> RotaryEmbedding:
    """The table that is measured."""
    return RotaryEmbedding(WIDTH, POSITIONS, BASE)


def contestants(cosines: Array, sines: Array, theta: Array) -> dict[str, Callable[[], object]]:
    """Each by its name; the plain calls write to arrays that are there."""
    position = np.arange(POSITIONS, dtype=np.float64)[:, np.newaxis]
    angles = position * theta

    def of_products() -> None:
        np.cos(position * theta, out=cosines)
        np.sin(position * theta, out=sines)

    def of_ready_angles() -> None:
        np.cos(angles, out=cosines)
        np.sin(angles, out=sines)

    return {LIMIT: of_products, READY: of_ready_angles, OURS: build}


def same_bits(one: Array, other: Array) -> bool:
    """Whether two float64 arrays are equal, zeros with their signs."""
    return np.array_equal(
        np.ascontiguousarray(one).view(np.int64), np.ascontiguousarray(other).view(np.int64)
    )


def peak_beside_table() -> float:
    """The most megabytes that are in use during a construction, less those of the table."""
    tracemalloc.start()
    try:
        embedding = build()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (peak - embedding.factors.nbytes) / MEGABYTE


def lines(runs: int) -> Iterator[str]:
    """A row for each contestant, and one for memory."""
    embedding = build()
    cosines, sines = (np.zeros((POSITIONS, WIDTH // 2)) for _ in range(2))
    named = contestants(cosines, sines, embedding.inverse_frequencies)
    named[LIMIT]()
    if not same_bits(embedding.cosines, cosines) or not same_bits(embedding.sines, sines):
        raise DifferentTables(f"the table of {embedding!r} has other bits than the plain calls")
    del embedding
    times = times_in_turn(named, runs)
    yield row(f"{POSITIONS:,} positions, {WIDTH // 2} pairs", "median", "to the product", "target")
    yield from ratio_rows(times, LIMIT, {OURS: MOST_TIME})
    more = peak_beside_table()
    met = verdict(more, MOST_MEGABYTES, 0)
    yield row("memory at the height, besides the table", f"{more:.1f} MB", "", met)
