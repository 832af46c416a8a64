"""Arrays as they lie in a file: read in blocks, with the precision of their values."""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.user_input.array_files import bfloat16_values
from rope_cli.user_input.array_refusals import (
    CUT_SHORT,
    FINITE,
    UNCHANGING,
    InvalidArray,
    describe_number,
    first_false,
    invalid_array,
)
from rope_cli.user_input.file_contents import cannot_read

# numpy has no bfloat16: its bits are stored as 16-bit integers, or as two raw bytes.
BFLOAT16_STORAGE = ("int16", "uint16", "void16")
GREATEST_WHOLE, GREATEST_NUMBER = 2**53, 1e150


class NotFinite(InvalidArray):
    """A number that is NaN, infinite, or so large that float64 cannot hold products of it."""


@dataclass(frozen=True, eq=False)
class StoredArray:
    """A read-only array of a file, memory-mapped where it is stored uncompressed.

    ``name`` is its key in the file, or the name of the file. ``values`` keep the byte order and
    axis order of the file. ``dtype`` is the precision in which they were computed, one of
    :data:`DTYPES`.
    """

    path: str
    name: str
    values: NDArray[Any]
    dtype: str

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape in the file."""
        return self.values.shape

    @property
    def whole(self) -> bool:
        """Whether the numbers are stored as integers and do not stand for bfloat16."""
        return self.values.dtype.kind != "f" and self.dtype != "bfloat16"

    def block(self, index: Any) -> NDArray[np.float64]:
        """A copy of ``values[index]`` as float64 in C order; 16 raw bits are read as bfloat16.

        Raises :class:`NotFinite` or :class:`InvalidArray`, with the index in the whole array, for
        the first number that is not finite or too large.
        """
        wide = self.unchecked_block(index)
        most = GREATEST_WHOLE - 1 if self.whole else GREATEST_NUMBER
        # The least and the greatest take no memory, and NaN is neither.
        if wide.size and not -most <= wide.min() <= wide.max() <= most:
            bad = first_false(np.abs(wide) <= most)
            # Sparse indices of the whole array, sliced like the values, locate the bad number.
            axes = np.indices(self.shape, sparse=True)
            where = [int(np.broadcast_to(axis, self.shape)[index][bad]) for axis in axes]
            value = describe_number(f"{wide[bad]:.17g}", where)
            kind = InvalidArray if self.whole else NotFinite
            raise invalid_array(self.path, self.name, value, FINITE, kind)
        return wide

    @property
    def mapping(self) -> mmap.mmap | None:
        """The mapping of the file, if there is one."""
        mapped: Any = self.values
        while isinstance(mapped, np.ndarray):
            mapped = mapped.base
        return mapped if isinstance(mapped, mmap.mmap) else None

    def release(self) -> None:
        """Give back the memory of the blocks that were read, where the system can."""
        if self.mapping is not None and hasattr(mmap, "MADV_DONTNEED"):
            self.mapping.madvise(mmap.MADV_DONTNEED)

    def refuse_cut_file(self) -> None:
        """Refuse a file that another program has cut short: to read beyond its end is fatal."""
        end = getattr(self.values, "offset", 0) + self.values.nbytes
        if self.mapping is not None and self.mapping.size() < end:
            raise cannot_read(self.path, CUT_SHORT, UNCHANGING)

    def unchecked_block(self, index: Any) -> NDArray[np.float64]:
        """The same copy, whatever numbers are in it."""
        self.refuse_cut_file()
        part = self.values[index]
        with np.errstate(invalid="ignore"):  # signalling NaNs
            if part.dtype.name in BFLOAT16_STORAGE and self.dtype == "bfloat16":
                part = bfloat16_values(part)
            return np.array(part, np.float64, order="C")


@dataclass(frozen=True, eq=False)
class StoredScores(StoredArray):
    """Scores with their query and key, both not yet rotated."""

    query: StoredArray
    key: StoredArray


class ArrayPair(NamedTuple):
    """An input and its output; ``name`` is ``"output"``, ``"query"`` or ``"key"``."""

    name: str
    before: StoredArray
    after: StoredArray
