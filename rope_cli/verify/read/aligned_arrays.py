"""An input and an output in one order of axes, with the positions of their tokens."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.vocabulary import t
from rope_cli.user_input.command_errors import CommandRefusal, quoted
from rope_cli.verify.read.array_errors import DTYPES
from rope_cli.verify.read.request import (
    BATCH,
    FEATURES,
    TOKENS,
    BadAxes,
    Request,
    layer_of,
)
from rope_cli.verify.read.stored_array import ArrayPair, StoredArray

Array = NDArray[np.float64]
Index = tuple[slice, ...]
# Those of the tokens and of the features.
Axes = tuple[int, int]

# The numbers in a block, and its tokens, which lie together in most files.
BLOCK_CELLS, LEAST_RUN = 1 << 18, 16


class PositionCount(CommandRefusal):
    """The number of positions is not that of the tokens."""

    kind = "position-count"
    SENTENCE = t(
        "the positions have the shape {given}, but the tokens are {tokens}; accepted: one "
        "position for each token, [tokens] or [batch, tokens]",
        "форма массива позиций {given}, а токенов {tokens}; допустима одна позиция на токен: "
        "[токены] или [пакет, токены]",
    )


class Source(Protocol):
    """An array that is read in blocks."""

    @property
    def dtype(self) -> str:
        """The precision in which it was computed."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """The stored shape."""
        ...

    def block(self, index: tuple[int | slice, ...]) -> Array:
        """Finite float64 values at an index."""
        ...


@dataclass(frozen=True, eq=False)
class Arrays:
    """An input and an output, read as ``[..., tokens, features]``.

    ``token_axis``, ``feature_axis`` and ``batch_axis`` count in the stored shape. The batch axis
    comes first; the other axes keep their order. ``positions`` are ``[tokens]`` or
    ``[batch, tokens]``. ``tolerance`` is the user's accepted error, a share of a pair's length;
    ``precision`` a dtype coarser than the stored ones in which the numbers were computed.
    ``other_axes`` are the other axes on which tokens and features may lie, the likeliest first.
    """

    before: Source
    after: Source
    positions: NDArray[np.int64]
    token_axis: int
    feature_axis: int
    tolerance: float | None = None
    precision: str | None = None
    other_axes: tuple[Axes, ...] = ()
    batch_axis: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape in the order ``[..., tokens, features]``."""
        return tuple(self.before.shape[axis] for axis in self.order)

    @property
    def order(self) -> tuple[int, ...]:
        """The stored axes in the order ``[..., tokens, features]``."""
        last = (self.token_axis, self.feature_axis)
        leading = [axis for axis in range(len(self.before.shape)) if axis not in last]
        leading.sort(key=lambda axis: axis != self.batch_axis)
        return (*leading, *last)

    @property
    def axis_names(self) -> tuple[str, ...]:
        """A name for each stored axis, as ``--axes`` takes it."""
        rank = len(self.order)
        others = ["batch", "heads"] if rank > 3 else ["heads"]
        names = dict(
            zip(self.order, (*others, *["other"] * (rank - 2 - len(others))), strict=False)
        )
        names |= {self.token_axis: TOKENS, self.feature_axis: FEATURES}
        return tuple(names[axis] for axis in range(rank))

    def on_other_axes(self) -> Iterator[Arrays]:
        """The same arrays with tokens and features on each pair of the other axes.

        Positions stay where they fit; consecutive ones are continued to as many as are needed.
        """
        for token_axis, feature_axis in self.other_axes:
            moved = replace(self, token_axis=token_axis, feature_axis=feature_axis, other_axes=())
            tokens, positions = moved.shape[-2], self.positions
            if tokens != positions.shape[-1]:
                if positions.ndim > 1 or (np.diff(positions) != 1).any():
                    continue
                positions = positions[0] + np.arange(tokens)
            if tokens > 1 or positions.any():  # a single token at position 0 is not rotated
                yield replace(moved, positions=positions)

    @property
    def dtype(self) -> str:
        """The coarsest precision involved."""
        if self.precision is not None:
            return self.precision
        return min(self.before.dtype, self.after.dtype, key=DTYPES.__getitem__)

    def block(self, index: Index) -> tuple[Array, Array]:
        """The same part of both arrays, ``[..., tokens, features]``; ``index`` has all axes."""
        stored: list[slice] = [slice(None)] * len(self.order)
        for part, axis in zip(index, self.order, strict=True):
            stored[axis] = part
        before = self.before.block(tuple(stored))
        after = self.after.block(tuple(stored))
        return np.transpose(before, self.order), np.transpose(after, self.order)

    def positions_at(self, index: Index, positions: NDArray[np.int64]) -> Array:
        """The entries of ``positions`` that belong to a block, shaped to broadcast against it."""
        if positions.ndim == 1:
            return positions[index[-2]].astype(np.float64)
        block = positions[index[0], index[-2]].astype(np.float64)
        between = (1,) * (len(index) - 3)
        return block.reshape(block.shape[0], *between, block.shape[1])

    def position_at(self, place: tuple[int, ...]) -> int:
        """The position of the token at an index ``[..., token, feature]``."""
        token = place[-2]
        if self.positions.ndim == 1:
            return int(self.positions[token])
        return int(self.positions[place[0], token])

    def blocks(self) -> Iterator[Index]:
        """Indices of blocks that together cover both arrays.

        A block holds the same few tokens of as many other rows as fit, so that the cosines and
        sines of a position are computed once.
        """
        *leading, tokens, features = self.shape
        rows = max(1, BLOCK_CELLS // features)
        run = min(tokens, max(min(LEAST_RUN, rows), rows // math.prod(leading)))
        for start in range(0, tokens, run):
            place = slice(start, min(start + run, tokens)), slice(0, features)
            for index in split_into_blocks(tuple(leading), max(1, rows // run)):
                yield (*index, *place)

    def release(self) -> None:
        """Give back the memory of what was read of the files."""
        for source in (self.before, self.after):
            if isinstance(source, StoredArray):
                source.release()


def split_into_blocks(shape: tuple[int, ...], most: int) -> Iterator[Index]:
    """Slices of all axes; a block has at most ``most`` entries."""
    if not shape:
        yield ()
        return
    inner = math.prod(shape[1:])
    step = max(1, most // inner)
    for start in range(0, shape[0], step):
        outer = slice(start, min(start + step, shape[0]))
        for rest in split_into_blocks(shape[1:], most):
            yield (outer, *rest)


def align_arrays(pair: ArrayPair, positions: NDArray[np.int64] | None, request: Request) -> Arrays:
    """Settle the axes and positions of a pair from the file's positions and the options."""
    before, after = pair.before, pair.after
    if len(before.shape) == 1:  # a single row is that of one token
        before = replace(before, values=before.values[np.newaxis])
        after = replace(after, values=after.values[np.newaxis])
    shape = before.shape
    if request.offset is not None:
        positions = None
    if request.positions is not None:
        positions = np.array(request.positions, dtype=np.int64)
    (token_axis, feature_axis), *others = possible_axes(shape, positions, request)
    tokens = shape[token_axis]
    if positions is None:
        positions = np.arange(tokens, dtype=np.int64) + (request.offset or 0)
    if positions.ndim == 2 and len(positions) == 1:  # one row of positions for the whole batch
        positions = positions[0]
    arrays = Arrays(
        before,
        after,
        positions,
        token_axis,
        feature_axis,
        request.tolerance,
        other_axes=tuple(others),
        batch_axis=request.axes.index(BATCH) if request.axes and BATCH in request.axes else 0,
    )
    batched = len(shape) > 2 and positions.shape == (arrays.shape[0], tokens)
    if not batched and positions.shape != (tokens,):
        raise PositionCount(given=str(list(positions.shape)), tokens=tokens)
    return arrays


def possible_axes(
    shape: tuple[int, ...], positions: NDArray[np.int64] | None, request: Request
) -> list[Axes]:
    """The axes of tokens and features that fit what was given, the likeliest first.

    Unless they are named, features lie last and tokens before them; other axes are taken in their
    place only if these do not have as many entries as there are positions, or not the width of a
    head of the config. An odd number of features cannot be rotated.
    """
    rank, names = len(shape), request.axes
    if names is not None:
        if len(names) != rank or names.count(TOKENS) != 1 or names.count(FEATURES) != 1:
            raise BadAxes(value=quoted(",".join(names)), rank=rank)
        return [(names.index(TOKENS), names.index(FEATURES))]
    backwards = range(rank - 1, -1, -1)
    axes = [(token, feature) for feature in backwards for token in backwards if token != feature]
    if positions is not None:
        fitting = [
            pair
            for pair in axes
            if positions_fit(shape, positions, pair) and shape[pair[1]] % 2 == 0
        ]
        axes = fitting or axes[:1]
    layer = layer_of(request)
    if layer is not None:
        width = layer.head_width.value
        axes = [pair for pair in axes if shape[pair[1]] == width] or axes
    return axes


def positions_fit(shape: tuple[int, ...], positions: NDArray[np.int64], axes: Axes) -> bool:
    """Whether each token on an axis has a position, and each batch row if they have their own."""
    batched = positions.ndim > 1 and len(positions) > 1
    leading = [size for axis, size in enumerate(shape) if axis not in axes]
    if batched and leading[:1] != [len(positions)]:
        return False
    return shape[axes[0]] == int(positions.shape[-1])
