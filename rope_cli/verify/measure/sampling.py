"""A sample of two arrays, small enough to be measured many times."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.read.aligned_arrays import Arrays

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

MOST_ROWS, MOST_SAMPLES, MOST_SAMPLE_CELLS, MOST_BATCHES = 128, 48, 1 << 18, 16
MOST_WRONG_ROWS, SUBSAMPLE = 64, 4
# Of wide rows fewer are taken, so that a sample has about so many numbers.
MOST_CELLS, LEAST_ROWS = 1 << 20, 12


@dataclass(frozen=True, eq=False)
class Sample:
    """Some rows of two arrays, ``[rows, samples, features]``; a row is one position.

    ``array_positions`` are those of the whole arrays, and ``position_indices`` ``[rows]`` the flat
    index in them of each row.
    """

    before: Array
    after: Array
    array_positions: NDArray[np.int64]
    position_indices: NDArray[np.int64]
    dtype: str
    tolerance: float | None = None

    @property
    def positions(self) -> Array:  # [rows]
        """The position of each row."""
        return self.array_positions.reshape(-1)[self.position_indices].astype(np.float64)

    def subsample(self) -> Sample:
        """A few of the rows and samples, enough to refute most wrong hypotheses."""
        rows = np.unique(np.linspace(0, len(self.before) - 1, SUBSAMPLE).astype(np.intp))
        return replace(
            self,
            before=self.before[rows, :SUBSAMPLE],
            after=self.after[rows, :SUBSAMPLE],
            position_indices=self.position_indices[rows],
        )


def draw_sample(arrays: Arrays, wrong: Mask) -> Sample:
    """A sample of the leading indices at which some row is wrong; of all if none is."""
    wrong_tokens = np.asarray(wrong.any(axis=tuple(range(wrong.ndim - 1))))
    leading = leading_indices(arrays, np.asarray(wrong.any(axis=-1)))
    return take_rows(arrays, leading, token_indices(arrays, wrong_tokens))


def take_wrong_rows(arrays: Arrays, wrong: Mask) -> Sample:
    """A sample of wrong rows alone, each with a single sample."""
    flat = np.flatnonzero(wrong)
    spread = np.unique(np.linspace(0, len(flat) - 1, MOST_WRONG_ROWS).astype(np.int64))
    places = np.stack(np.unravel_index(flat[spread], wrong.shape), axis=1)
    rows = [arrays.block((*(slice(i, i + 1) for i in place), slice(None))) for place in places]
    before, after = (
        np.stack([row[which].reshape(1, -1) for row in rows]) for which in (0, 1)
    )  # [rows, 1, features]
    indices = places[:, -1]
    if arrays.positions.ndim > 1:
        indices = places[:, 0] * arrays.positions.shape[1] + indices
    return Sample(before, after, arrays.positions, indices, arrays.dtype, arrays.tolerance)


def leading_indices(
    arrays: Arrays, wrong: Mask | None = None
) -> NDArray[np.int64]:  # [samples, leading axes]
    """Evenly spread indices of the leading axes, among the wrong ones if there are any."""
    sizes = arrays.shape[:-2]
    if not sizes:
        return np.zeros((1, 0), dtype=np.int64)
    cells = MOST_SAMPLE_CELLS // (min(MOST_ROWS, arrays.shape[-2]) * arrays.shape[-1])
    most = int(np.clip(cells, 2, MOST_SAMPLES))
    among = np.arange(math.prod(sizes))
    if wrong is not None and wrong.any():
        among = np.flatnonzero(wrong)
    spread = np.unique(np.linspace(0, len(among) - 1, min(most, len(among))).astype(np.int64))
    return np.stack(np.unravel_index(among[spread], sizes), axis=1).astype(np.int64)


def token_indices(arrays: Arrays, wrong_tokens: Mask) -> NDArray[np.int64]:
    """The first tokens, the last ones, and those around the first wrong token."""
    tokens = arrays.shape[-2]
    most = int(np.clip(MOST_CELLS // arrays.shape[-1], LEAST_ROWS, MOST_ROWS))
    if tokens <= most:
        return np.arange(tokens)
    third = most // 3
    wrong = np.flatnonzero(wrong_tokens)
    first_wrong = int(wrong[0]) if len(wrong) else tokens // 2
    start = int(np.clip(first_wrong - third // 2, 0, tokens - third))
    parts = (np.arange(third), np.arange(start, start + third), np.arange(tokens - third, tokens))
    return np.unique(np.concatenate(parts))


def take_rows(arrays: Arrays, leading: NDArray[np.int64], tokens: NDArray[np.int64]) -> Sample:
    """The rows at these indices of the leading axes (``[n, axes]``) and tokens (``[t]``)."""
    positions = arrays.positions
    if positions.ndim > 1:
        leading, tokens = limit_batches(leading, tokens)
    before, after = stack_rows(arrays, leading, tokens)
    if positions.ndim == 1:
        return Sample(before, after, positions, tokens, arrays.dtype, arrays.tolerance)
    # Batch rows have positions of their own, so each (batch, token) becomes a row of the sample.
    batches = np.unique(leading[:, 0])
    count = min(int((leading[:, 0] == batch).sum()) for batch in batches)
    columns = [np.flatnonzero(leading[:, 0] == batch)[:count] for batch in batches]
    return Sample(
        np.concatenate([before[:, column] for column in columns]),
        np.concatenate([after[:, column] for column in columns]),
        positions,
        np.concatenate([batch * positions.shape[1] + tokens for batch in batches]),
        arrays.dtype,
        arrays.tolerance,
    )


def limit_batches(
    leading: NDArray[np.int64], tokens: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Fewer batch rows and tokens, so that all (batch, token) pairs stay within the limits."""
    batches = np.unique(leading[:, 0])
    kept = batches[np.unique(np.linspace(0, len(batches) - 1, MOST_BATCHES).astype(np.intp))]
    most_tokens = max(1, MOST_ROWS // len(kept))
    spread = np.unique(np.linspace(0, len(tokens) - 1, most_tokens).astype(np.intp))
    return leading[np.isin(leading[:, 0], kept)], tokens[spread]


def stack_rows(
    arrays: Arrays, leading: NDArray[np.int64], tokens: NDArray[np.int64]
) -> tuple[Array, Array]:  # twice [tokens, samples, features]
    """Both arrays at these indices, read in unbroken runs of tokens."""
    features = arrays.shape[-1]
    runs = unbroken_runs(tokens)
    before, after = [], []
    for index in leading:
        place = [slice(int(i), int(i) + 1) for i in index]
        blocks = [arrays.block((*place, run, slice(0, features))) for run in runs]
        before.append(np.concatenate([block[0].reshape(-1, features) for block in blocks]))
        after.append(np.concatenate([block[1].reshape(-1, features) for block in blocks]))
    return np.stack(before, axis=1), np.stack(after, axis=1)


def unbroken_runs(tokens: NDArray[np.int64]) -> list[slice]:
    """Rising indices as slices, one for each unbroken run."""
    breaks = np.flatnonzero(np.diff(tokens) != 1) + 1
    return [slice(int(run[0]), int(run[-1]) + 1) for run in np.split(tokens, breaks)]
