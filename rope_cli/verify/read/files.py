"""Files of arrays: .npz, .npy, JSON or text.

The content of a file decides its format, not its suffix. Uncompressed arrays are memory-mapped,
pickles are never opened, and any sequence of bytes gives either arrays or one refusal.
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

from rope_cli.scaling.json_files import EMPTY, NOT_UTF8, TOO_DEEP, not_json
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
    describe_dtype,
    describe_number,
    describe_shape,
    describe_size,
    describe_unpacked,
    dtypes_up_to,
    first_false,
    invalid_array,
)
from rope_cli.verify.read.stored_array import BFLOAT16_STORAGE, GREATEST_WHOLE, StoredArray

MOST_AXES, LEAST_WIDTH, MOST_NAMES = 8, 2, 12
LARGEST_TEXT, LARGEST_UNPACKED, LONGEST_HEADER, BLOCK = 2**26, 2**33, 2**16, 2**20
# From the words for what is accepted to the array; raises its refusal.
Loader = Callable[[Text], NDArray[Any]]


class Header(NamedTuple):
    """The header of a .npy file; its fields are arguments of :class:`numpy.memmap`."""

    dtype: np.dtype[Any]
    offset: int
    shape: tuple[int, ...]
    order: Literal["C", "F"]


@dataclass(frozen=True)
class File:
    """A file of arrays.

    ``accepted`` is named in refusals; ``allows_text`` admits a text of numbers. Every method
    raises :class:`CannotRead`, :class:`InvalidArray` or :class:`MissingArray`.
    """

    path: str
    accepted: Text
    allows_text: bool = False

    @cached_property
    def arrays(self) -> dict[str, Loader]:
        """A loader for each array by name; an unnamed array takes the name of the file."""
        with self.refusing_failures():
            if stat.S_IFMT(os.stat(self.path).st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
                raise self.unreadable(words.IRREGULAR)  # reading a pipe could wait for ever
            with open(self.path, "rb") as file:
                data = file.read(len(npy.MAGIC_PREFIX))
                if data.startswith(b"PK"):
                    with zipfile.ZipFile(file) as archive:
                        return self.npz_loaders(archive.namelist())
                if data == npy.MAGIC_PREFIX:
                    return {self.base_name: self.load_npy}
                if not data or data.startswith(b"\x80"):
                    raise self.unreadable(words.PICKLE if data else EMPTY)
                data += file.read(LARGEST_TEXT)
            if len(data) > LARGEST_TEXT:
                raise self.unreadable(words.TOO_LARGE)
            return self.text_loaders(data.decode("utf-8-sig").strip())

    @property
    def base_name(self) -> str:
        """The name of the file, without its directories."""
        return os.path.basename(self.path)

    @property
    def is_single_array(self) -> bool:
        """Whether the file is one array without a name."""
        return list(self.arrays) == [self.base_name]

    @contextmanager
    def refusing_failures(self) -> Iterator[None]:
        """Turn any failure into a refusal: damaged bytes break the parsers in countless ways."""
        try:
            # numpy warns of headers written by Python 2, but reads them.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except CommandRefusal:
            raise
        except Exception as failure:
            raise self.unreadable(failure_cause(failure)) from None

    def unreadable(self, reason: Text) -> CannotRead:
        """Build the refusal of the file."""
        return CannotRead(path=quoted_path(self.path), reason=reason, accepted=self.accepted)

    def invalid(self, name: str, value: Text, accepted: Text) -> InvalidArray:
        """Build the refusal of an array."""
        return invalid_array(self.path, name, value, accepted)

    def missing(self, name: str) -> MissingArray:
        """Build the refusal of a file without this array; it lists the names that are there."""
        names = [quoted(present) for present in list(self.arrays)[:MOST_NAMES]]
        if len(self.arrays) > MOST_NAMES:
            names.append("...")
        accepted = self.accepted if self.is_single_array or not names else ", ".join(names)
        return MissingArray(path=quoted_path(self.path), name=quoted(name), accepted=accepted)

    def npz_loaders(self, names: Sequence[str]) -> dict[str, Loader]:
        """Loaders for the members of a .npz file."""
        if any(name.endswith("data.pkl") for name in names):
            raise self.unreadable(words.PICKLE)
        if len(set(names)) < len(names):
            raise self.unreadable(words.TWICE)
        stems = [name.removesuffix(".npy") for name in names if name.endswith(".npy")]
        return {name: partial(self.load_npz_member, name) for name in stems}

    def text_loaders(self, text: str) -> dict[str, Loader]:
        """Loaders for a JSON file or a text of numbers; keys whose value is no list are ignored."""

        def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            if len(dict(pairs)) < len(pairs):
                raise self.unreadable(words.TWICE)
            return dict(pairs)

        if self.allows_text and not text.startswith(("[", "{")):
            values: Any = [decimal_number(word) for word in re.split(r"\s*,\s*|\s+", text)]
        else:
            values = json.loads(text, object_pairs_hook=refuse_duplicates)
        if not isinstance(values, dict):
            values = {self.base_name: values}
        return {
            name: partial(self.load_list, name, value)
            for name, value in values.items()
            # Positions in another form are refused, not ignored.
            if isinstance(value, list) or name == "positions"
        }

    def load_list(self, name: str, value: Any, accepted: Text) -> NDArray[Any]:
        """An array from nested lists of finite numbers."""
        with self.refusing_failures():
            try:
                if not is_nested_numbers(value):
                    raise ValueError
                array = np.array(value)
                # Whole numbers beyond 64 bits become Python objects.
                array = array.astype(np.float64) if array.dtype.hasobject else array
            except (ValueError, OverflowError):
                raise self.invalid(name, words.UNEVEN, accepted) from None
        self.check_type_and_shape(name, array.dtype, array.shape, accepted)
        if array.dtype.kind == "f":
            StoredArray(self.path, name, array, "float64").block(...)  # refuses NaN and infinity
        return array

    def load_npy(self, accepted: Text) -> NDArray[Any]:
        """The array of a .npy file, memory-mapped."""
        with self.refusing_failures(), open(self.path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            header = self.read_header(self.base_name, file.read(LONGEST_HEADER), size, accepted)
            return np.memmap(file, mode="r", **header._asdict())

    def load_npz_member(self, name: str, accepted: Text) -> NDArray[Any]:
        """An array of a .npz file, memory-mapped unless it is compressed."""
        with (
            self.refusing_failures(),
            open(self.path, "rb") as file,
            zipfile.ZipFile(file) as archive,
        ):
            info = archive.getinfo(f"{name}.npy")
            in_place = info.compress_type == zipfile.ZIP_STORED
            if in_place and info.file_size != info.compress_size:
                raise zipfile.BadZipFile
            if not in_place and info.file_size > LARGEST_UNPACKED:
                raise self.invalid(name, describe_unpacked(info.file_size), words.UNPACKED)
            with archive.open(info) as data:
                header = self.read_header(name, data.read(LONGEST_HEADER), info.file_size, accepted)
                # zipfile compares the checksum once the data is read to its end.
                while in_place and data.read(BLOCK):
                    pass
            if not in_place:
                with archive.open(info) as data:
                    return npy.read_array(data, allow_pickle=False)
            # The local header can have other lengths than the central directory.
            file.seek(info.header_offset)
            lengths = struct.unpack("<26x2H", file.read(30))
            start = info.header_offset + 30 + sum(lengths) + header.offset
            return np.memmap(file, mode="r", **header._replace(offset=start)._asdict())

    def read_header(self, name: str, data: bytes, size: int, accepted: Text) -> Header:
        """The header at the start of ``size`` bytes, checked before any memory is allocated."""
        file = io.BytesIO(data)
        version, _ = npy.read_magic(file)
        if not 1 <= version <= 3:
            raise ValueError
        # Version 3 differs from 2 only in the encoding of field names.
        read = npy.read_array_header_1_0 if version == 1 else npy.read_array_header_2_0
        shape, fortran, dtype = read(file)
        self.check_type_and_shape(name, dtype, shape, accepted)
        expected = file.tell() + math.prod(shape) * dtype.itemsize
        if expected != size:
            raise self.invalid(name, describe_size(expected, size), words.COMPLETE)
        return Header(dtype, file.tell(), shape, "F" if fortran else "C")

    def check_type_and_shape(
        self, name: str, dtype: np.dtype[Any], shape: Sequence[int], accepted: Text
    ) -> None:
        """Refuse empty arrays, and anything but real numbers of at most 64 bits."""
        if dtype.kind not in "fiu" or dtype.itemsize > 8:
            # numpy has no bfloat16, and some programs save it as two raw bytes.
            hint = words.BITS if dtype.name == "void16" else accepted
            raise self.invalid(name, describe_dtype(dtype.name), hint)
        if not 1 <= len(shape) <= MOST_AXES or min(shape) < 1:
            raise self.invalid(name, describe_shape(shape), accepted)

    def array(self, name: str, dtype: str | None, least_width: int = LEAST_WIDTH) -> StoredArray:
        """A required array, its last axis at least ``least_width`` wide."""
        if name not in self.arrays:
            raise self.missing(name)
        values = self.arrays[name](words.ARRAY)
        kind = values.dtype.name
        if kind in BFLOAT16_STORAGE and dtype != "bfloat16":
            raise self.invalid(name, describe_dtype(kind), words.BITS)
        stored = kind if kind in DTYPES else "float64"
        if kind in BFLOAT16_STORAGE:
            stored = "bfloat16"
        if dtype is not None and DTYPES[dtype] > DTYPES[stored]:
            raise self.invalid(name, describe_dtype(kind), dtypes_up_to(stored))
        if values.shape[-1] < least_width:
            raise self.invalid(name, describe_shape(values.shape), words.WIDE)
        values.flags.writeable = False
        return StoredArray(self.path, printable(name), values, dtype or stored)

    def resolve_name(self, name: str | None, standard: str) -> str:
        """The name of the array to load: the only one, the given one or the standard one."""
        names = [present for present in self.arrays if present != "positions"]
        if self.is_single_array:
            return self.base_name
        if name is None and standard not in names and len(names) == 1:
            return names[0]
        return standard if name is None else name

    def positions(self) -> NDArray[np.int64] | None:
        """The array of positions, if there is one."""
        load = self.arrays.get("positions")
        if load is None or self.is_single_array:
            return None
        values = load(words.POSITIONS)
        if values.ndim > 2:
            raise self.invalid("positions", describe_shape(values.shape), words.POSITIONS)
        with np.errstate(invalid="ignore"):
            # uint64 values beyond int64 become negative, and so are refused.
            wide = values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
            valid = (wide >= 0) & (wide <= GREATEST_WHOLE) & (wide == np.floor(wide))
        if not valid.all():
            bad = first_false(valid)
            raise self.invalid("positions", describe_number(values[bad], bad), words.POSITIONS)
        return wide.astype(np.int64)


def failure_cause(failure: Exception) -> Text:
    """Why a file cannot be read, as precisely as helps the user."""
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


def is_nested_numbers(value: Any) -> bool:
    """Whether a JSON value is nested lists of numbers; booleans are not numbers."""
    if not isinstance(value, list):
        return False
    return set(map(type, value)) <= {int, float} or all(map(is_nested_numbers, value))
