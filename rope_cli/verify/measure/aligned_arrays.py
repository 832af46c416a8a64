"""Two arrays in one order of axes, the positions of their tokens, and blocks of both."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.expected import ROUNDOFF

Array = NDArray[np.float64]
Index = tuple[slice, ...]

CELLS_AT_ONCE = 1 << 18


class Source(Protocol):
    """An array that is read in blocks."""

    @property
    def dtype(self) -> str:
        """The precision in which it was computed."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape as it was stored."""
        ...

    def block(self, index: tuple[int | slice, ...]) -> Array:
        """Finite float64 values at an index."""
        ...


@dataclass(frozen=True, eq=False)
class Arrays:
    """What went in and what came out, both read as ``[..., tokens, features]``.

    ``token_axis`` and ``feature_axis`` count in the stored shape; the other axes keep their order.
    ``positions`` are ``[tokens]`` or ``[batch, tokens]``, where batch is the first stored axis.
    ``tolerance`` is an accepted error as a share of a pair's length, if the dtype's bound is not to
    count; ``precision`` a dtype coarser than those stored, if the numbers are only as exact.
    ``settled`` if the axis of the tokens is certain. ``first_axis`` is that of the batch.
    """

    before: Source
    after: Source
    positions: NDArray[np.int64]
    token_axis: int
    feature_axis: int
    tolerance: float | None = None
    precision: str | None = None
    settled: bool = True
    first_axis: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape in the order ``[..., tokens, features]``."""
        return tuple(self.before.shape[axis] for axis in self.order)

    @property
    def order(self) -> tuple[int, ...]:
        """The stored axes in the order ``[..., tokens, features]``."""
        last = (self.token_axis, self.feature_axis)
        others = [axis for axis in range(len(self.before.shape)) if axis not in last]
        others.sort(key=lambda axis: axis != self.first_axis)
        return (*others, *last)

    @property
    def dtype(self) -> str:
        """The coarsest of the precisions."""
        if self.precision is not None:
            return self.precision
        return max(self.before.dtype, self.after.dtype, key=ROUNDOFF.__getitem__)

    def block(self, index: Index) -> tuple[Array, Array]:
        """The same part of both arrays, ``[..., tokens, features]``; ``index`` has all axes."""
        stored: list[slice] = [slice(None)] * len(self.order)
        for part, axis in zip(index, self.order, strict=True):
            stored[axis] = part
        one, two = (
            np.transpose(source.block(tuple(stored)), self.order)
            for source in (self.before, self.after)
        )
        return one, two

    def positions_at(self, index: Index, used: NDArray[np.int64]) -> Array:
        """Of positions shaped as ``positions`` those of a block, to stand against its tokens."""
        if used.ndim == 1:
            return used[index[-2]].astype(np.float64)
        chosen = used[index[0], index[-2]].astype(np.float64)
        between = (1,) * (len(index) - 3)
        return chosen.reshape(chosen.shape[0], *between, chosen.shape[1])

    def blocks(self) -> Iterator[Index]:
        """Indices of blocks that together cover everything, in order."""
        return blocks(self.shape, CELLS_AT_ONCE)


def blocks(shape: tuple[int, ...], most: int) -> Iterator[Index]:
    """Slices of all axes; a block has at most ``most`` cells, or one row if that is more."""
    if len(shape) == 1:
        yield (slice(0, shape[0]),)
        return
    inner = math.prod(shape[1:])
    step = max(1, most // max(1, inner))
    for start in range(0, shape[0], step):
        outer = slice(start, min(start + step, shape[0]))
        if inner <= most:
            yield (outer, *(slice(0, size) for size in shape[1:]))
        else:
            for rest in blocks(shape[1:], most):
                yield (outer, *rest)


@dataclass(frozen=True, eq=False)
class Sample:
    """A part of two arrays, small enough to be measured again and again.

    ``before`` and ``after`` are ``[rows, samples, features]``: all samples of a row stand at one
    position. ``known`` are the positions of the whole arrays and ``places`` ``[rows]`` the flat
    index in them of each row.
    """

    before: Array
    after: Array
    known: NDArray[np.int64]
    places: NDArray[np.int64]
    dtype: str
    tolerance: float | None = None

    @property
    def positions(self) -> Array:  # [rows]
        """The position of each row."""
        return self.known.reshape(-1)[self.places].astype(np.float64)

    def few(self) -> Sample:
        """A few rows and samples of these, enough to refute what does not hold."""
        rows = np.unique(np.linspace(0, len(self.before) - 1, FEW).astype(np.intp))
        before, after = self.before[rows, :FEW], self.after[rows, :FEW]
        return Sample(before, after, self.known, self.places[rows], self.dtype, self.tolerance)


FEW = 4
MOST_ROWS, MOST_SAMPLES, MOST_SAMPLE_CELLS, MOST_BATCHES = 128, 48, 1 << 18, 16


def sampled(arrays: Arrays, leading: NDArray[np.int64], tokens: NDArray[np.int64]) -> Sample:
    """The rows at these leading indices (``[n, axes]``) and tokens (``[t]``)."""
    features = arrays.shape[-1]
    if arrays.positions.ndim > 1:
        # Each batch row has positions of its own, and so rows of its own.
        batches = np.unique(leading[:, 0])
        kept = batches[np.unique(np.linspace(0, len(batches) - 1, MOST_BATCHES).astype(np.intp))]
        leading = leading[np.isin(leading[:, 0], kept)]
        most = max(1, MOST_ROWS // len(kept))
        tokens = tokens[np.unique(np.linspace(0, len(tokens) - 1, most).astype(np.intp))]
    runs = runs_of(tokens)
    one, two = [], []
    for index in leading:
        at = [slice(int(i), int(i) + 1) for i in index]
        parts = [arrays.block((*at, run, slice(0, features))) for run in runs]
        shape = (-1, features)
        one.append(np.concatenate([part[0].reshape(shape) for part in parts]))
        two.append(np.concatenate([part[1].reshape(shape) for part in parts]))
    before, after = np.stack(one, axis=1), np.stack(two, axis=1)  # [tokens, samples, features]
    known = arrays.positions
    if known.ndim == 1:
        return Sample(before, after, known, tokens, arrays.dtype, arrays.tolerance)
    batches = np.unique(leading[:, 0])
    count = min(int((leading[:, 0] == batch).sum()) for batch in batches)
    chosen = [np.flatnonzero(leading[:, 0] == batch)[:count] for batch in batches]
    return Sample(
        np.concatenate([before[:, at] for at in chosen]),
        np.concatenate([after[:, at] for at in chosen]),
        known,
        np.concatenate([batch * known.shape[1] + tokens for batch in batches]),
        arrays.dtype,
        arrays.tolerance,
    )


def runs_of(tokens: NDArray[np.int64]) -> list[slice]:
    """Rising indices as slices, one for each unbroken run."""
    breaks = np.flatnonzero(np.diff(tokens) != 1) + 1
    return [slice(int(run[0]), int(run[-1]) + 1) for run in np.split(tokens, breaks)]
