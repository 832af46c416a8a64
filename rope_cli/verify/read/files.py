"""Files of arrays: .npz, .npy, JSON or text.

A file is known by its content, not by its suffix. What lies in it uncompressed is memory-mapped,
pickles are never opened, and whatever the bytes are, they give arrays or one refusal.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import re
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rope_cli.scaling.messages import EMPTY, NOT_UTF8, TOO_DEEP, not_json
from rope_cli.text import Text
from rope_cli.user_input.command_errors import (
    CannotRead,
    CommandRefusal,
    failure_reason,
    printable,
    quoted,
    quoted_path,
)
from rope_cli.user_input.numbers import decimal_number
from rope_cli.verify.read import array_errors as words
from rope_cli.verify.read.array_errors import (
    DTYPES,
    InvalidArray,
    MissingArray,
    coarser,
    first_bad,
    invalid,
    number_at,
    of_bytes,
    of_dtype,
    of_shape,
    unpacked,
)
from rope_cli.verify.read.stored_array import GREATEST_WHOLE, HALVES, Stored

MOST_AXES, LEAST_WIDTH, MOST_NAMES = 8, 2, 12
LARGEST_TEXT, LARGEST_UNPACKED, LONGEST_HEADER, BLOCK = 2**26, 2**33, 2**16, 2**20


Loader = Callable[[Text], NDArray[Any]]  # given what is accepted, the array or its refusal


class Form(NamedTuple):
    """What the header of a .npy file says; the names are those of :class:`numpy.memmap`."""

    dtype: np.dtype[Any]
    offset: int
    shape: tuple[int, ...]
    order: Literal["C", "F"]


@dataclass(frozen=True)
class File:
    """A file of arrays, and what is accepted in its place; ``plain`` if numbers alone are as well.

    Every method raises :class:`CannotRead`, :class:`InvalidArray` or :class:`MissingArray`.
    """

    path: str
    accepted: Text
    plain: bool = False

    @cached_property
    def arrays(self) -> dict[str, Loader]:
        """What loads each array, by name; an array without a name has that of the file."""
        with self.reading():
            if stat.S_IFMT(os.stat(self.path).st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
                raise self.unreadable(words.IRREGULAR)  # a pipe, which may never be written to
            with open(self.path, "rb") as file:
                data = file.read(len(npy.MAGIC_PREFIX))
                if data.startswith(b"PK"):
                    with zipfile.ZipFile(file) as archive:
                        return self.members(archive.namelist())
                if data == npy.MAGIC_PREFIX:
                    return {self.base_name: self.whole}
                if not data or data.startswith(b"\x80"):
                    raise self.unreadable(words.PICKLE if data else EMPTY)
                data += file.read(LARGEST_TEXT)
            if len(data) > LARGEST_TEXT:
                raise self.unreadable(words.TOO_LARGE)
            return self.written(data.decode("utf-8-sig").strip())

    @property
    def base_name(self) -> str:
        """The name of the file, without its directories."""
        return os.path.basename(self.path)

    @property
    def nameless(self) -> bool:
        """Whether the file is one array without a name."""
        return list(self.arrays) == [self.base_name]

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Refuses the file, whatever fails within: there is no end to what strange bytes break."""
        try:
            # Headers that Python 2 wrote are read all the same.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except CommandRefusal:
            raise
        except Exception as failure:
            raise self.unreadable(cause(failure)) from None

    def unreadable(self, why: Text) -> CannotRead:
        """The refusal of the file."""
        return CannotRead(path=quoted_path(self.path), reason=why, accepted=self.accepted)

    def invalid(self, name: str, value: Text, accepted: Text) -> InvalidArray:
        """The refusal of an array."""
        return invalid(self.path, name, value, accepted)

    def missing(self, name: str) -> MissingArray:
        """The refusal of a file without such an array; it tells the names that are there."""
        names = [quoted(each) for each in list(self.arrays)[:MOST_NAMES]]
        if len(self.arrays) > MOST_NAMES:
            names.append("...")
        accepted = self.accepted if self.nameless or not names else ", ".join(names)
        return MissingArray(path=quoted_path(self.path), name=quoted(name), accepted=accepted)

    def members(self, names: Sequence[str]) -> dict[str, Loader]:
        """The arrays of a .npz file with members of these names."""
        if any(name.endswith("data.pkl") for name in names):
            raise self.unreadable(words.PICKLE)
        if len(set(names)) < len(names):
            raise self.unreadable(words.TWICE)
        stems = [name.removesuffix(".npy") for name in names if name.endswith(".npy")]
        return {name: partial(self.member, name) for name in stems}

    def written(self, text: str) -> dict[str, Loader]:
        """The arrays of a JSON file, or of a text of numbers; values that are no lists are none."""

        def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            if len(dict(pairs)) < len(pairs):
                raise self.unreadable(words.TWICE)
            return dict(pairs)

        if self.plain and not text.startswith(("[", "{")):
            found: Any = [decimal_number(word) for word in re.split(r"\s*,\s*|\s+", text)]
        else:
            found = json.loads(text, object_pairs_hook=once)
        if not isinstance(found, dict):
            found = {self.base_name: found}
        return {
            name: partial(self.listed, name, value)
            for name, value in found.items()
            # Positions of another form are refused, rather than not seen.
            if isinstance(value, list) or name == "positions"
        }

    def listed(self, name: str, value: Any, accepted: Text) -> NDArray[Any]:
        """An array from nested lists of finite numbers."""
        with self.reading():
            try:
                if not only_numbers(value):
                    raise ValueError
                array = np.array(value)
                # Whole numbers beyond 64 bits.
                array = array.astype(np.float64) if array.dtype.hasobject else array
            except (ValueError, OverflowError):
                raise self.invalid(name, words.UNEVEN, accepted) from None
        self.check(name, array.dtype, array.shape, accepted)
        if array.dtype.kind == "f":
            Stored(self.path, name, array, "float64").block(...)
        return array

    def whole(self, accepted: Text) -> NDArray[Any]:
        """The array of a .npy file, memory-mapped."""
        with self.reading(), open(self.path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            form = self.form(self.base_name, file.read(LONGEST_HEADER), size, accepted)
            return np.memmap(file, mode="r", **form._asdict())

    def member(self, name: str, accepted: Text) -> NDArray[Any]:
        """An array of a .npz file, memory-mapped unless it is compressed."""
        with self.reading(), open(self.path, "rb") as file, zipfile.ZipFile(file) as archive:
            info = archive.getinfo(f"{name}.npy")
            in_place = info.compress_type == zipfile.ZIP_STORED
            if in_place and info.file_size != info.compress_size:
                raise zipfile.BadZipFile
            if not in_place and info.file_size > LARGEST_UNPACKED:
                raise self.invalid(name, unpacked(info.file_size), words.UNPACKED)
            with archive.open(info) as data:
                form = self.form(name, data.read(LONGEST_HEADER), info.file_size, accepted)
                # At the end of the data, zipfile compares the checksum.
                while in_place and data.read(BLOCK):
                    pass
            if not in_place:
                with archive.open(info) as data:
                    return npy.read_array(data, allow_pickle=False)
            # The lengths in the local header need not be those of the directory.
            file.seek(info.header_offset)
            lengths = struct.unpack("<26x2H", file.read(30))
            start = info.header_offset + 30 + sum(lengths) + form.offset
            return np.memmap(file, mode="r", **form._replace(offset=start)._asdict())

    def form(self, name: str, data: bytes, size: int, accepted: Text) -> Form:
        """The header at the start of ``size`` bytes, checked before any memory is reserved."""
        file = io.BytesIO(data)
        version, _ = npy.read_magic(file)
        if not 1 <= version <= 3:
            raise ValueError
        # Version 3 differs from 2 in the names of fields alone.
        read = npy.read_array_header_1_0 if version == 1 else npy.read_array_header_2_0
        shape, fortran, dtype = read(file)
        self.check(name, dtype, shape, accepted)
        promised = file.tell() + math.prod(shape) * dtype.itemsize
        if promised != size:
            raise self.invalid(name, of_bytes(promised, size), words.COMPLETE)
        return Form(dtype, file.tell(), shape, "F" if fortran else "C")

    def check(self, name: str, dtype: np.dtype[Any], shape: Sequence[int], accepted: Text) -> None:
        """Refuses what holds no real numbers of at most 64 bits, or none at all."""
        if dtype.kind not in "fiu" or dtype.itemsize > 8:
            # Without a type of its own, numpy saves bfloat16 as two bytes of anything.
            told = words.BITS if dtype.name == "void16" else accepted
            raise self.invalid(name, of_dtype(dtype.name), told)
        if not 1 <= len(shape) <= MOST_AXES or min(shape) < 1:
            raise self.invalid(name, of_shape(shape), accepted)

    def stored(self, name: str, dtype: str | None, width: int = LEAST_WIDTH) -> Stored:
        """An array that must be there, its last axis no narrower than ``width``."""
        if name not in self.arrays:
            raise self.missing(name)
        values = self.arrays[name](words.ARRAY)
        kind = values.dtype.name
        if kind in HALVES and dtype != "bfloat16":
            raise self.invalid(name, of_dtype(kind), words.BITS)
        own = "bfloat16" if kind in HALVES else kind if kind in DTYPES else "float64"
        if dtype is not None and DTYPES[dtype] > DTYPES[own]:
            raise self.invalid(name, of_dtype(kind), coarser(own))
        if values.shape[-1] < width:
            raise self.invalid(name, of_shape(values.shape), words.WIDE)
        values.flags.writeable = False
        return Stored(self.path, printable(name), values, dtype or own)

    def only(self, name: str | None, standard: str) -> str:
        """The name of the array that is meant where one is: as given, or standard, or the only."""
        others = [each for each in self.arrays if each != "positions"]
        if self.nameless:
            return self.base_name
        if name is None and standard not in others and len(others) == 1:
            return others[0]
        return standard if name is None else name

    def positions(self) -> NDArray[np.int64] | None:
        """The array of positions, if there is one."""
        load = self.arrays.get("positions")
        if load is None or self.nameless:
            return None
        found = load(words.POSITIONS)
        if found.ndim > 2:
            raise self.invalid("positions", of_shape(found.shape), words.POSITIONS)
        with np.errstate(invalid="ignore"):
            # What uint64 holds beyond int64 becomes negative, and is refused as well.
            wide = found.astype(np.float64 if found.dtype.kind == "f" else np.int64)
            good = (wide >= 0) & (wide <= GREATEST_WHOLE) & (wide == np.floor(wide))
        if not good.all():
            where = first_bad(good)
            raise self.invalid("positions", number_at(found[where], where), words.POSITIONS)
        return wide.astype(np.int64)


def cause(failure: Exception) -> Text:
    """Why a file cannot be read, as far as the reader can mend it."""
    match failure:
        case json.JSONDecodeError():
            return not_json(failure.lineno, failure.colno)
        case UnicodeDecodeError():
            return NOT_UTF8
        case RecursionError():
            return TOO_DEEP
        case MemoryError():
            return words.NO_MEMORY
        case OSError() if failure.errno not in (None, errno.EINVAL):
            return failure_reason(failure)
        case _:
            return words.DAMAGED


def only_numbers(value: Any) -> bool:
    """Whether a value of a JSON file is numbers in lists of lists; truth values are none."""
    if not isinstance(value, list):
        return False
    return set(map(type, value)) <= {int, float} or all(map(only_numbers, value))
