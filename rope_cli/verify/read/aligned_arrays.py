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
from rope_cli.verify.read.request import BATCH, FEATURES, TOKENS, BadAxes, Request
from rope_cli.verify.read.stored_array import ArrayPair

Array = NDArray[np.float64]
Index = tuple[slice, ...]

BLOCK_CELLS = 1 << 18


class PositionCount(CommandRefusal):
    """The number of positions is not that of the tokens."""

    kind = "position-count"
    SENTENCE = t(
        "the positions have the shape {given}, and the tokens are {tokens}; accepted: one position "
        "for each token, [tokens] or [batch, tokens]",
        "форма массива позиций {given}, а токенов {tokens}; допустимо по позиции на токен: "
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
    ``token_axis_certain`` is false where the tokens could also lie on another axis.
    """

    before: Source
    after: Source
    positions: NDArray[np.int64]
    token_axis: int
    feature_axis: int
    tolerance: float | None = None
    precision: str | None = None
    token_axis_certain: bool = True
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
        """Indices of blocks that together cover both arrays, in order."""
        return split_into_blocks(self.shape, BLOCK_CELLS)


def split_into_blocks(shape: tuple[int, ...], most: int) -> Iterator[Index]:
    """Slices of all axes; a block has at most ``most`` cells, or one row if a row is longer."""
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
    token_axis, feature_axis, certain = token_and_feature_axes(shape, positions, request.axes)
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
        token_axis_certain=certain,
        batch_axis=request.axes.index(BATCH) if request.axes and BATCH in request.axes else 0,
    )
    batched = len(shape) > 2 and positions.shape == (arrays.shape[0], tokens)
    if not batched and positions.shape != (tokens,):
        raise PositionCount(given=str(list(positions.shape)), tokens=tokens)
    return arrays


def token_and_feature_axes(
    shape: tuple[int, ...], positions: NDArray[np.int64] | None, names: tuple[str, ...] | None
) -> tuple[int, int, bool]:
    """The token axis, the feature axis, and whether the former is certain."""
    rank = len(shape)
    if names is not None:
        if len(names) != rank or names.count(TOKENS) != 1 or names.count(FEATURES) != 1:
            raise BadAxes(value=quoted(",".join(names)), rank=rank)
        return names.index(TOKENS), names.index(FEATURES), True
    if rank < 3:
        return rank - 2, rank - 1, True
    if positions is None:
        return rank - 2, rank - 1, False
    # The token axis has as many entries as there are positions; certain if only one axis has.
    fits = [axis for axis in (rank - 2, rank - 3) if shape[axis] == positions.shape[-1]]
    return (fits or [rank - 2])[0], rank - 1, len(fits) == 1
