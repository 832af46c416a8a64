"""An array that was read: block by block, and the precision of its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.read import array_errors as words
from rope_cli.verify.read.array_errors import first_bad, invalid, number_at

HALVES = ("int16", "uint16")
GREATEST_WHOLE = 2**53


@dataclass(frozen=True, eq=False)
class Stored:
    """An array of a file: read-only, and memory-mapped where it lies uncompressed.

    ``name`` is its key in the file, or the name of the file. ``values`` are as they were stored, in
    any byte and axis order. ``dtype`` is the precision in which they were computed, one of
    :data:`DTYPES`.
    """

    path: str
    name: str
    values: NDArray[Any]
    dtype: str

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the values as they were stored."""
        return self.values.shape

    def block(self, index: Any) -> NDArray[np.float64]:
        """A copy of ``values[index]`` as float64 in C order, of 16-bit integers as bfloat16.

        Raises :class:`InvalidArray` for the first number that is not finite, or whole and not
        below 2^53, with its index in the whole array.
        """
        part = self.values[index]
        with np.errstate(invalid="ignore"):  # a signalling NaN is refused below, with its index
            if part.dtype.name in HALVES:
                part = (part.astype(np.uint32) << np.uint32(16)).view(np.float32)
            wide = np.array(part, np.float64, order="C")
        good = np.isfinite(wide) if part.dtype.kind == "f" else np.abs(wide) < GREATEST_WHOLE
        if not good.all():
            at = first_bad(good)
            # The numbers along each axis, indexed as the values were; no such array is built.
            axes = np.indices(self.shape, sparse=True)
            where = [int(np.broadcast_to(axis, self.shape)[index][at]) for axis in axes]
            raise invalid(self.path, self.name, number_at(f"{wide[at]:.17g}", where), words.FINITE)
        return wide


@dataclass(frozen=True, eq=False)
class Scores(Stored):
    """Stored scores, and the query and the key that they belong to, before the rotation."""

    query: Stored
    key: Stored


class Pair(NamedTuple):
    """What went in and what came out: ``"output"``, ``"query"`` or ``"key"``."""

    name: str
    before: Stored
    after: Stored


class Given(NamedTuple):
    """All that was given: pairs of equal shapes, positions ``[tokens]`` or ``[batch, tokens]``.

    There may be no pair where there are scores.
    """

    pairs: tuple[Pair, ...]
    positions: NDArray[np.int64] | None
    scores: Scores | None
