"""How time grows with what is asked: in proportion to the work, or not at all.

Twice the positions or twice the width are twice the work. To prove that a table would be finite,
and to build a window far from position 0, is as much work for a large capacity as for a small one.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from benchmarks.timing import Run, Times, ratio, ratio_rows, row, times_in_turn
from rope_cli.rope.tables import RotaryEmbedding

BASE, HEADS = 10000.0, 32
POSITIONS, WIDTHS = (1024, 2048, 4096), (64, 128, 256)
WIDTH, LENGTH = 128, 2048
CAPACITIES = (10**3, 10**6, 10**9, 10**12)
FAR, WINDOW = 10**9, 16
VALIDATIONS, CONSTRUCTIONS = 1000, 50

Size = tuple[int, int]
Make = Callable[[int, int], Run]


def kernel(layout: str) -> Make:
    """The rotation of an array of so many heads, with its table ready."""

    def make(positions: int, width: int) -> Run:
        shape = 1, HEADS, positions, width
        x = np.random.default_rng(0).standard_normal(shape, np.float32)
        out = np.empty_like(x)
        embedding = RotaryEmbedding(width, positions, BASE, layout)
        return lambda: embedding.rotate(x, 0, out=out)

    return make


def table(positions: int, width: int) -> Run:
    """The construction of a table."""
    return lambda: RotaryEmbedding(width, positions, BASE)


def validation(capacity: int, width: int) -> Run:
    """The proof that a table of so many positions would be finite."""
    return lambda: RotaryEmbedding.validate(width, capacity, BASE)


def grown(times: Times) -> Iterator[str]:
    """A row for each size, the smallest first: beside the smallest, and beside the one before."""
    names = list(times)
    smallest = names[0]
    yield row(smallest, statistics.median(times[smallest]), "smallest")
    for before, name in pairwise(names):
        own = times[name]
        cells = str(ratio(own, times[smallest])), str(ratio(own, times[before]))
        yield row(name, statistics.median(own), *cells)


def sizes(make: Make, shapes: Sequence[Size], runs: int, calls: int = 1) -> Iterator[str]:
    """The rows of one thing at several sizes, each of positions and width."""
    contestants = {
        f"{positions:,} positions, width {width}": make(positions, width)
        for positions, width in shapes
    }
    yield from grown(times_in_turn(contestants, runs, calls))


def lines(runs: int) -> Iterator[str]:
    """A block of rows for each thing that is measured."""
    longer = [(positions, WIDTH) for positions in POSITIONS]
    wider = [(LENGTH, width) for width in WIDTHS]
    cells = "median", "to the smallest", "to the one before"
    for layout in ("adjacent", "half-split"):
        for shapes in (longer, wider):
            yield row(f"rotate, {HEADS} heads, float32, {layout}", *cells)
            yield from sizes(kernel(layout), shapes, runs)
    for shapes in (longer, wider):
        yield row("build a table", *cells)
        yield from sizes(table, shapes, runs, calls=3)
    yield row("validate, which must not grow", *cells)
    yield from sizes(validation, [(capacity, WIDTH) for capacity in CAPACITIES], runs, VALIDATIONS)
    yield row(f"build a table of {WINDOW} positions", "median", "to the first")
    near, far = f"from position 0, width {WIDTH}", f"from position {FAR:,}, width {WIDTH}"
    windows: dict[str, Run] = {
        near: lambda: RotaryEmbedding(WIDTH, WINDOW, BASE),
        far: lambda: RotaryEmbedding(WIDTH, FAR + WINDOW, BASE, first_position=FAR),
    }
    yield from ratio_rows(times_in_turn(windows, runs, CONSTRUCTIONS), near)
