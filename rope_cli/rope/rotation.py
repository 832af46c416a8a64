"""The rotation and its transpose, one under the other, for both layouts of pairs.

``left' = left cos - right sin`` and ``right' = left sin + right cos`` (RoFormer, arXiv 2104.09864).
An adjacent pair is read as one complex number and a turn is one complex factor, so that both lines
are a single product; the transpose multiplies by the conjugate turn. In the half-split layout a row
is multiplied by its cosines, the same row with its halves exchanged by ``-sin`` and ``sin``; their
sum is the rotation, their difference the transpose.

In every kernel ``out`` has the shape and dtype of ``x``, features that lie side by side in memory,
and either the very places of ``x`` or none of them. Row ``first`` of ``turns`` is for token 0. No
zero of a result is negative.

The forms are those that were quickest in ``tests/benchmarks``. One complex product does the work of
four products and two sums, each of them a pass over memory. Half rows are too short for numpy,
which starts again for each: whole rows are multiplied, and halves are moved as blocks of bytes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.rope.fast import ReadyTurns, aligned_like, blocks

Array = NDArray[Any]
Room = dict[tuple[int, ...], tuple[Array, Array, Array]]

# The dtypes that rows may have, each with the complex one of a pair.
FLOAT64, FLOAT32 = np.dtype(np.float64), np.dtype(np.float32)
COMPLEX: dict[Any, type] = {FLOAT64: np.complex128, FLOAT32: np.complex64}
# With its bits read as an integer, -0.0 is the least of all.
INTEGER: dict[Any, type] = {FLOAT64: np.int64, FLOAT32: np.int32}
NEGATIVE_ZERO: dict[Any, int] = {dtype: np.iinfo(bits).min for dtype, bits in INTEGER.items()}
# Python's 0.0 would be made into an array each time.
ZERO = {dtype: np.zeros((), dtype) for dtype in COMPLEX}
FEW = 1 << 13


def rotate_adjacent(x: Array, turns: ReadyTurns, out: Array, first: int = 0) -> Array:
    # [..., tokens, features], [positions, pairs] -> [..., tokens, features]
    """Each pair of ``x`` turned counter-clockwise."""
    for part, factors, result in blocks(3, as_factors, x, turns, first, out):
        multiply_pairs(part, factors, result)
    return out


def rotate_adjacent_transpose(x: Array, turns: ReadyTurns, out: Array, first: int = 0) -> Array:
    # [..., tokens, features], [positions, pairs] -> [..., tokens, features]
    """Each pair of ``x`` turned back."""
    for part, factors, result in blocks(3, as_conjugates, x, turns, first, out):
        multiply_pairs(part, factors, result)
    return out


def rotate_half_split(x: Array, turns: ReadyTurns, out: Array, first: int = 0) -> Array:
    # [..., tokens, features], [positions, pairs] -> [..., tokens, features]
    """Coordinates ``k`` and ``k + d/2`` turned counter-clockwise."""
    room: Room = {}
    for part, factors, result in blocks(6, as_rows, x, turns, first, out):
        by_cosines, by_sines = products(part, factors, room)
        np.add(by_cosines, by_sines, by_cosines)
        np.add(by_cosines, ZERO[x.dtype], result)
    return out


def rotate_half_split_transpose(x: Array, turns: ReadyTurns, out: Array, first: int = 0) -> Array:
    # [..., tokens, features], [positions, pairs] -> [..., tokens, features]
    """Coordinates ``k`` and ``k + d/2`` turned back."""
    room: Room = {}
    for part, factors, result in blocks(6, as_rows, x, turns, first, out):
        by_cosines, by_sines = products(part, factors, room)
        np.subtract(by_cosines, by_sines, by_cosines)
        np.add(by_cosines, ZERO[x.dtype], result)
    return out


def as_factors(turns: Array, dtype: Any) -> Array:  # -> [tokens, pairs]
    """The complex factors of adjacent pairs."""
    return turns.astype(COMPLEX[dtype], copy=False)


def as_conjugates(turns: Array, dtype: Any) -> Array:  # -> [tokens, pairs]
    """The complex factors that turn adjacent pairs back."""
    return np.conjugate(turns).astype(COMPLEX[dtype], copy=False)


def as_rows(turns: Array, dtype: Any) -> Array:  # -> [2, tokens, features]
    """The cosines of each row, twice, and the sines that its exchanged halves are to meet."""
    cos, sin = turns.real, turns.imag
    rows = [np.concatenate(halves, axis=-1) for halves in ((cos, cos), (-sin, sin))]
    return np.array(rows, dtype)


def multiply_pairs(part: Array, factors: Array, result: Array) -> None:
    """Adjacent pairs times their complex factors."""
    if part.strides[-1] != part.itemsize:  # a complex number lies in one piece: go by way of result
        np.copyto(result, part)
        part = result
    np.multiply(part.view(factors.dtype), factors, result.view(factors.dtype))
    # A sum with 0.0 makes zeros positive. To look for one that is not takes half as long as to
    # write everything again, but to begin takes longer.
    dtype = result.dtype
    few = result.size <= FEW
    if few or result.view(INTEGER[dtype]).min() == NEGATIVE_ZERO[dtype]:
        np.add(result, ZERO[dtype], result)


@cache
def block_of(size: int) -> Any:
    """So many bytes as one thing that numpy can copy."""
    return np.dtype((np.void, size))


def products(part: Array, factors: Array, room: Room) -> tuple[Array, Array]:
    """The part times its cosines, and with its halves exchanged times its sines, both in ``room``.

    Halves are exchanged as things of so many bytes, each copied at once. What is worked on lies in
    memory of our own, where no wide store crosses a line of the cache, and is written out once.
    """
    if part.shape not in room:
        by_sines = aligned_like(part)
        halves = by_sines.view(block_of(part.shape[-1] // 2 * part.itemsize))
        room[part.shape] = aligned_like(part), by_sines, halves
    by_cosines, by_sines, halves = room[part.shape]
    if part.strides[-1] != part.itemsize:
        np.copyto(by_cosines, part)
        part = by_cosines
    np.copyto(halves, part.view(halves.dtype)[..., ::-1])
    np.multiply(part, factors[0], by_cosines)
    np.multiply(by_sines, factors[1], by_sines)
    return by_cosines, by_sines
