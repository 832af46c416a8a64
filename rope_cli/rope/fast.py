"""Large arrays in blocks that stay in the processor's cache, each with its turns made ready.

numpy passes through memory once for each operation, and memory is slower than the arithmetic. A
block is written, read and written again before the next is looked at. One block of turns serves all
heads, and the next call, which in a model is for the same positions, finds it ready.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Prepare = Callable[[Array, Any], Array]  # turns [tokens, pairs], dtype -> factors [..., tokens, n]

# What is worked on at one time fits into a second-level cache.
CACHE_BYTES = 3 << 18
# What may be kept of the factors, and what an array of them takes besides its numbers.
KEPT_BYTES = 1 << 24
ENTRY_BYTES = 512
# Wide loads and stores are slow where they cross the border of two lines of the cache.
CACHE_LINE = 64
SMALL_BYTES = 1 << 15


class ReadyTurns:
    """A table of turns, complex ``[positions, pairs]``, and the factors made of its rows so far.

    ``prepare`` turns some rows into factors of the asked dtype. They are repeated for the leading
    axes of a block, for numpy is quick only where it need not start again for each row.
    """

    def __init__(self, turns: Array) -> None:
        self.turns = turns
        self._kept: dict[tuple[object, ...], Array] = {}
        self._room = KEPT_BYTES

    def __reduce__(self) -> tuple[type[ReadyTurns], tuple[Array]]:
        """A copy, or what is pickled, begins with nothing ready."""
        return ReadyTurns, (self.turns,)

    def factors(
        self, prepare: Prepare, start: int, stop: int, heads: tuple[int, ...], dtype: Any
    ) -> Array:
        """The factors of the rows from ``start`` to ``stop``, for blocks of these leading axes."""
        key = prepare, start, stop, heads, dtype
        found = self._kept.get(key)
        if found is None:
            found = prepare(self.turns[start:stop], dtype)
            if heads:
                kinds, row = found.shape[:-2], found.shape[-2:]
                once = found.reshape(*kinds, *(1 for _ in heads), *row)
                found = np.ascontiguousarray(np.broadcast_to(once, kinds + heads + row))
            size = found.nbytes + ENTRY_BYTES
            if size > self._room:
                self._kept.clear()
                self._room = KEPT_BYTES
            if size <= self._room:
                self._kept[key] = found
                self._room -= size
        return found


def blocks(
    arrays: int, prepare: Prepare, x: Array, turns: ReadyTurns, first: int, out: Array
) -> Iterable[tuple[Array, Array, Array]]:
    """Parts of ``x``, their factors, and the same parts of ``out``; row ``first`` turns token 0.

    A part is of such a size that so many ``arrays`` of it fit into the cache together.
    """
    most = CACHE_BYTES // arrays
    if x.nbytes <= most:
        shape = x.shape
        return ((x, turns.factors(prepare, first, first + shape[-2], shape[:-2], x.dtype), out),)
    return by_tokens(most, prepare, x, turns, first, out)


def by_tokens(
    most: int, prepare: Prepare, x: Array, turns: ReadyTurns, first: int, out: Array
) -> Iterator[tuple[Array, Array, Array]]:
    """What :func:`blocks` gives, some tokens of all heads before the next."""
    height = max(1, most // (x.shape[-1] * x.itemsize))
    for start in range(0, x.shape[-2], height):
        stop = min(start + height, x.shape[-2])
        heads = None
        for part, result in by_heads(most, x[..., start:stop, :], out[..., start:stop, :]):
            if part.shape[:-2] != heads:
                heads = part.shape[:-2]
                factors = turns.factors(prepare, first + start, first + stop, heads, x.dtype)
            yield part, factors, result


def by_heads(most: int, x: Array, out: Array) -> Iterator[tuple[Array, Array]]:
    """Both in parts of at most so many bytes, divided along the leading axes only."""
    if x.ndim == 2 or x.nbytes <= most:
        yield x, out
        return
    together = most // x[0].nbytes
    if together < 2:
        for part, result in zip(x, out, strict=True):
            yield from by_heads(most, part, result)
        return
    for start in range(0, len(x), together):
        yield x[start : start + together], out[start : start + together]


def aligned_like(part: Array) -> Array:
    """A new array of this shape and dtype, in C order, that starts with a line of the cache.

    A small one starts anywhere: to align it would take longer than is gained.
    """
    if part.nbytes <= SMALL_BYTES:
        return np.empty(part.shape, part.dtype)
    memory = np.empty(part.nbytes + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + part.nbytes].view(part.dtype).reshape(part.shape)
