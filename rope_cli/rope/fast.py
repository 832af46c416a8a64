"""The rotations of :mod:`rope_cli.rope.rotation` for large arrays: the same bits in less time.

numpy passes through memory once for each operation, and memory is slower than arithmetic. Here an
array is rotated in blocks that stay in the processor's cache until they are finished. The factors
of a block serve all heads, and are kept for the next call, which in a model has the same positions.

An adjacent pair times its complex factor is one operation where the formula has six. Half rows are
short, and numpy has a cost for each, so the half-split rotations multiply whole rows: ``x`` by
``[cos, cos]``, and ``x`` with its halves exchanged by ``[-sin, sin]``. The sum of the two products
is the rotation, their difference the transpose. These forms were the quickest in
``tests/benchmarks``.

Each rotation writes to ``out``, which has the shape and dtype of ``x``, features side by side in
memory, and shares either all places with ``x`` or none. Token 0 takes row ``first`` of the factors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rope_cli.rope import rotation

Array = NDArray[Any]
Prepare = Callable[[Array, Any], Array]  # [tokens, pairs], dtype -> [..., tokens, n]
Block = tuple[Array, Array, Array]  # part of x, its factors, the same part of out
Heads: TypeAlias = tuple[int, ...]

# Smaller arrays take the plain form, which needs about two microseconds more.
LEAST_SIZE = 64
# The arrays of one block fit into a second-level cache.
CACHE_BYTES = 3 << 18
# How much is kept of prepared factors, and what one array of them takes besides its numbers.
KEPT_BYTES = 1 << 24
ENTRY_BYTES = 512
# Wide loads and stores are slow where they cross the border of two cache lines.
CACHE_LINE = 64
LEAST_ALIGNED_BYTES = 1 << 15
# A product of more pairs than this is searched for a negative zero before it is written again.
LEAST_SEARCHED = 1 << 12

FLOAT64, FLOAT32 = np.dtype(np.float64), np.dtype(np.float32)
COMPLEX: dict[Any, type] = {FLOAT64: np.complex128, FLOAT32: np.complex64}
# With its bits read as an integer, -0.0 is the least of all.
INTEGER: dict[Any, type] = {FLOAT64: np.int64, FLOAT32: np.int32}
NEGATIVE_ZERO: dict[Any, int] = {dtype: np.iinfo(bits).min for dtype, bits in INTEGER.items()}
# As an array, which numpy would otherwise make of Python's 0.0 at each call.
ZERO = {dtype: np.zeros((), dtype) for dtype in COMPLEX}


class PreparedFactors:
    """A table of factors, complex ``[positions, pairs]``, and its rows as the rotations need them.

    What was prepared is kept, up to ``KEPT_BYTES``.
    """

    def __init__(self, factors: Array) -> None:
        self.factors = factors
        self._kept: dict[tuple[object, ...], Array] = {}
        self._free_bytes = KEPT_BYTES

    def __reduce__(self) -> tuple[type[PreparedFactors], tuple[Array]]:
        """A copy or a pickle holds the table alone."""
        return PreparedFactors, (self.factors,)

    def rows(self, prepare: Prepare, start: int, stop: int, heads: Heads, dtype: Any) -> Array:
        """Rows from ``start`` to ``stop``, prepared in ``dtype`` and repeated for these heads.

        Repeated, because numpy is quick only where it need not start again for each row.
        """
        key = prepare, start, stop, heads, dtype
        rows = self._kept.get(key)
        if rows is None:
            rows = prepare(self.factors[start:stop], dtype)
            if heads:
                kinds, row = rows.shape[:-2], rows.shape[-2:]
                once = rows.reshape(*kinds, *(1 for _ in heads), *row)
                rows = np.ascontiguousarray(np.broadcast_to(once, kinds + heads + row))
            size = rows.nbytes + ENTRY_BYTES
            if size > self._free_bytes:
                self._kept.clear()
                self._free_bytes = KEPT_BYTES
            if size <= self._free_bytes:
                self._kept[key] = rows
                self._free_bytes -= size
        return rows


FastRotation = Callable[[Array, PreparedFactors, Array, int], None]


def rotate_adjacent(x: Array, table: PreparedFactors, out: Array, first: int) -> None:
    """Rotate adjacent pairs."""
    for part, factors, result in blocks(3, pair_factors, x, table, out, first):
        multiply_pairs(part, factors, result)


def rotate_adjacent_transpose(x: Array, table: PreparedFactors, out: Array, first: int) -> None:
    """Rotate adjacent pairs back."""
    for part, conjugates, result in blocks(3, pair_conjugates, x, table, out, first):
        multiply_pairs(part, conjugates, result)


def rotate_half_split(x: Array, table: PreparedFactors, out: Array, first: int) -> None:
    """Rotate the pairs of both halves."""
    workspaces: Workspaces = {}
    for part, factors, result in blocks(6, row_factors, x, table, out, first):
        by_cosines, by_sines = row_products(part, factors, workspaces)
        np.add(by_cosines, by_sines, by_cosines)
        np.add(by_cosines, ZERO[x.dtype], result)


def rotate_half_split_transpose(x: Array, table: PreparedFactors, out: Array, first: int) -> None:
    """Rotate the pairs of both halves back."""
    workspaces: Workspaces = {}
    for part, factors, result in blocks(6, row_factors, x, table, out, first):
        by_cosines, by_sines = row_products(part, factors, workspaces)
        np.subtract(by_cosines, by_sines, by_cosines)
        np.add(by_cosines, ZERO[x.dtype], result)


# The fast form of each plain rotation.
FORMS: dict[rotation.Rotation, FastRotation] = {
    rotation.rotate_adjacent: rotate_adjacent,
    rotation.rotate_adjacent_transpose: rotate_adjacent_transpose,
    rotation.rotate_half_split: rotate_half_split,
    rotation.rotate_half_split_transpose: rotate_half_split_transpose,
}


def pair_factors(factors: Array, dtype: Any) -> Array:  # [tokens, pairs] -> [tokens, pairs]
    """The complex factors of adjacent pairs."""
    return factors.astype(COMPLEX[dtype], copy=False)


def pair_conjugates(factors: Array, dtype: Any) -> Array:  # [tokens, pairs] -> [tokens, pairs]
    """The complex factors that rotate adjacent pairs back."""
    return np.conjugate(factors).astype(COMPLEX[dtype], copy=False)


def row_factors(factors: Array, dtype: Any) -> Array:  # [tokens, pairs] -> [2, tokens, features]
    """``[cos, cos]`` for the rows, and ``[-sin, sin]`` for the rows with their halves exchanged."""
    cos, sin = factors.real, factors.imag
    rows = [np.concatenate(halves, axis=-1) for halves in ((cos, cos), (-sin, sin))]
    return np.array(rows, dtype)


def multiply_pairs(part: Array, factors: Array, result: Array) -> None:
    """Write adjacent pairs times their complex factors."""
    if part.strides[-1] != part.itemsize:  # a complex number lies in one piece: go by way of result
        np.copyto(result, part)
        part = result
    pairs, products = part.view(factors.dtype), result.view(factors.dtype)
    size = products.size
    if size == 1:  # in place or unaligned, numpy rounds a single product differently
        products[...] = pairs.copy() * factors
    else:
        np.multiply(pairs, factors, products)
    # A sum with 0.0 makes zeros positive. To look for a negative one takes half as long as to
    # write everything again, but to begin takes longer.
    dtype = result.dtype
    if size <= LEAST_SEARCHED or result.view(INTEGER[dtype]).min() == NEGATIVE_ZERO[dtype]:
        np.add(result, ZERO[dtype], result)


# By the shape of a block: room for both products, and the second seen as half rows.
Workspaces = dict[tuple[int, ...], tuple[Array, Array, Array]]


def row_products(part: Array, factors: Array, workspaces: Workspaces) -> tuple[Array, Array]:
    """``part`` times its cosines, and with its halves exchanged times its sines.

    Both lie in memory of our own, where no wide store crosses a cache line, and are written out
    once.
    """
    if part.shape not in workspaces:
        by_sines = empty_aligned(part)
        halves = by_sines.view(bytes_dtype(part.shape[-1] // 2 * part.itemsize))
        workspaces[part.shape] = empty_aligned(part), by_sines, halves
    by_cosines, by_sines, halves = workspaces[part.shape]
    if part.strides[-1] != part.itemsize:
        np.copyto(by_cosines, part)
        part = by_cosines
    np.copyto(halves, part.view(halves.dtype)[..., ::-1])
    np.multiply(part, factors[0], by_cosines)
    np.multiply(by_sines, factors[1], by_sines)
    return by_cosines, by_sines


@cache
def bytes_dtype(size: int) -> Any:
    """The dtype of so many bytes, which numpy copies at once."""
    return np.dtype((np.void, size))


def empty_aligned(part: Array) -> Array:
    """A new array of this shape and dtype that begins with a cache line.

    A small one begins anywhere: to align it would take longer than is gained.
    """
    if part.nbytes <= LEAST_ALIGNED_BYTES:
        return np.empty(part.shape, part.dtype)
    memory = np.empty(part.nbytes + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + part.nbytes].view(part.dtype).reshape(part.shape)


def blocks(
    arrays: int, prepare: Prepare, x: Array, table: PreparedFactors, out: Array, first: int
) -> Iterable[Block]:
    """``x`` and ``out`` in parts, so many ``arrays`` of which fit into the cache together."""
    most = CACHE_BYTES // arrays
    if x.nbytes <= most:
        shape = x.shape
        return ((x, table.rows(prepare, first, first + shape[-2], shape[:-2], x.dtype), out),)
    return blocks_of_tokens(most, prepare, x, table, out, first)


def blocks_of_tokens(
    most: int, prepare: Prepare, x: Array, table: PreparedFactors, out: Array, first: int
) -> Iterator[Block]:
    """Blocks of at most so many bytes: some tokens of all heads before the next tokens."""
    height = max(1, most // (x.shape[-1] * x.itemsize))
    for start in range(0, x.shape[-2], height):
        stop = min(start + height, x.shape[-2])
        heads = None
        for part, result in parts_of_heads(most, x[..., start:stop, :], out[..., start:stop, :]):
            if part.shape[:-2] != heads:
                heads = part.shape[:-2]
                factors = table.rows(prepare, first + start, first + stop, heads, x.dtype)
            yield part, factors, result


def parts_of_heads(most: int, x: Array, out: Array) -> Iterator[tuple[Array, Array]]:
    """Both in parts of at most so many bytes, divided along the leading axes only."""
    if x.ndim == 2 or x.nbytes <= most:
        yield x, out
        return
    together = most // x[0].nbytes
    if together < 2:
        for part, result in zip(x, out, strict=True):
            yield from parts_of_heads(most, part, result)
        return
    for start in range(0, len(x), together):
        yield x[start : start + together], out[start : start + together]
