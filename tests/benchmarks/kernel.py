"""The rotation of large arrays beside a bare copy of the same array.

No rotation can be quicker than to read everything once and to write it once. ``numpy.copyto`` does
just that, and is the limit. A second limit is ``numpy.negative``, one pass with arithmetic: a copy
of a very large array uses stores that go past the cache, which no arithmetic of numpy can. One
shape lies below the size from which the C library copies so.

Tables are ready, ``out`` is there and has been written to before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.plain import FORMS
from benchmarks.timing import ratio_rows, row, times_in_turn
from rope_cli.rope.tables import RotaryEmbedding

Array = NDArray[Any]

BASE = 10000.0
COPY, PASS, OURS = "numpy.copyto", "one pass (numpy.negative)", "ours, out="


class Case(NamedTuple):
    """A shape, the dtypes that it is measured in, and the greatest ratios that are aimed at."""

    shape: tuple[int, ...]
    dtypes: tuple[str, ...]
    targets: dict[str, float]


CASES = (
    Case((1, 32, 4096, 128), ("float32", "float64"), {"adjacent": 1.5, "half-split": 2.6}),
    Case((8, 8, 512, 64), ("float32", "float64"), {"adjacent": 3.0, "half-split": 7.0}),
    Case((1, 16, 4096, 128), ("float64",), {}),
)


def contestants(
    x: Array, out: Array, embedding: RotaryEmbedding, backward: bool
) -> dict[str, Callable[[], object]]:
    """Each by its name, the limits first; all write to ``out``."""
    factors = embedding.factors[: x.shape[-2]]
    if backward:
        factors = np.conjugate(factors)
    ours = embedding.rotate_transpose if backward else embedding.rotate
    forms: dict[str, Callable[[], object]] = {
        COPY: lambda: np.copyto(out, x),
        PASS: lambda: np.negative(x, out=out),
        OURS: lambda: ours(x, 0, out=out),
    }
    for name, form in FORMS[embedding.layout].items():
        forms[name] = form(x, factors, out)
    return forms


def lines(runs: int) -> Iterator[str]:
    """A block of rows for each shape, dtype, layout and direction."""
    random = np.random.default_rng(0)
    for shape, dtypes, targets in CASES:
        for dtype in dtypes:
            out = np.empty(shape, dtype)
            x = random.standard_normal(shape).astype(dtype, copy=False)
            for layout in FORMS:
                embedding = RotaryEmbedding(shape[-1], shape[-2], BASE, layout)
                aims = {OURS: targets[layout]} if targets else {}
                for backward in (False, True):
                    times = times_in_turn(contestants(x, out, embedding, backward), runs)
                    direction = "transpose" if backward else "forward"
                    title = f"{list(shape)} {dtype}, {layout}, {direction}"
                    yield row(title, "median", "to copyto", "to one pass", "target")
                    yield from ratio_rows(times, COPY, aims, beside=PASS)
