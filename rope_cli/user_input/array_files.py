"""The one reader of files of arrays: .npz, .npy, JSON or text, whatever option names them.

The content of a file decides its format, not its suffix. Uncompressed arrays are memory-mapped,
pickles are never opened, and any sequence of bytes gives either arrays or one refusal.
"""

from __future__ import annotations

import errno
import io
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
from typing import IO, Any, Literal, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rope_cli.text import Text
from rope_cli.user_input import array_refusals as words
from rope_cli.user_input.array_refusals import (
    InvalidArray,
    MissingArray,
    describe_count,
    describe_dtype,
    describe_shape,
    describe_size,
    describe_unpacked,
    invalid_array,
)
from rope_cli.user_input.command_errors import (
    CannotRead,
    CommandRefusal,
    closest_match,
    failure_reason,
    printable,
    quoted,
    quoted_path,
)
from rope_cli.user_input.file_contents import (
    EMPTY,
    NO_MEMORY,
    NOT_UTF8,
    cannot_read,
    parse_json,
    read_bytes,
)
from rope_cli.user_input.numbers import LONGEST_NUMBER

MOST_AXES, MOST_NAMES, MOST_COMPARED = 8, 12, 1000
LARGEST_TEXT, LARGEST_UNPACKED, LONGEST_HEADER, BLOCK = 2**26, 10**8, 2**16, 2**20
# Four times what the highest level of xz takes.
LARGEST_DICTIONARY = 2**28
BINARY = (".npy", ".npz")
# Accepted names of the positions of all arrays, of queries and of keys.
POSITION_NAMES = {
    "output": ("positions", "position_ids"),
    "query": ("query_positions",),
    "key": ("key_positions",),
}
ALL_POSITION_NAMES = frozenset(name for names in POSITION_NAMES.values() for name in names)
QUOTED, NUMBERS = re.compile(r'^"(.*)"$'), re.compile(r'[-+.eE0-9,"\s]*')
# numpy has no bfloat16; ml_dtypes writes it as two raw bytes.
RAW_BFLOAT16 = "|V2"
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

    ``accepted`` is named in refusals. ``parse_text`` reads a text that is not JSON. A text, or a
    JSON list, of more than ``most_numbers`` numbers is refused before they are read. Every method
    raises :class:`CannotRead`, :class:`InvalidArray` or :class:`MissingArray`. Complex numbers are
    refused unless ``allows_complex``.
    """

    path: str
    accepted: Text
    parse_text: Callable[[str], Any] | None = None
    most_numbers: int | None = None
    allows_complex: bool = False

    @cached_property
    def arrays(self) -> dict[str, Loader]:
        """A loader for each array by name; an unnamed array takes the name of the file."""
        try:
            mode = os.stat(self.path).st_mode
        except (OSError, ValueError) as failure:
            raise self.unreadable(failure_reason(failure)) from None
        with self.refusing_failures():
            if stat.S_IFMT(mode) not in (stat.S_IFREG, stat.S_IFDIR):
                raise self.unreadable(words.IRREGULAR)  # reading a pipe could wait for ever
            with open(self.path, "rb") as file:
                start = file.read(len(npy.MAGIC_PREFIX))
                if start.startswith(b"PK"):
                    return self.npz_loaders(file)
            if start == npy.MAGIC_PREFIX:
                return {self.base_name: self.load_npy}
            if not start or start.startswith(b"\x80"):
                raise self.unreadable(words.PICKLE if start else EMPTY)
            return self.text_loaders(read_bytes(self.path, self.accepted, LARGEST_TEXT))

    @property
    def base_name(self) -> str:
        """The name of the file, without its directories."""
        return os.path.basename(self.path)

    @property
    def is_single_array(self) -> bool:
        """Whether the file is one array without a name."""
        return list(self.arrays) == [self.base_name]

    @contextmanager
    def refusing_failures(self, damage: Text = words.DAMAGED) -> Iterator[None]:
        """Turn any failure into a refusal: damaged bytes break the parsers in countless ways."""
        try:
            # numpy warns of headers written by Python 2, but reads them.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except CommandRefusal:
            raise
        except Exception as failure:
            raise self.unreadable(failure_cause(failure, damage)) from None

    def unreadable(self, reason: Text) -> CannotRead:
        """Build the refusal of the file."""
        return cannot_read(self.path, reason, self.accepted)

    def invalid(self, name: str, value: Text, accepted: Text) -> InvalidArray:
        """Build the refusal of an array."""
        return invalid_array(self.path, name, value, accepted)

    def missing(self, name: str) -> MissingArray:
        """Build the refusal of a file without this array; it lists the names that are there."""
        names = [quoted(present) for present in list(self.arrays)[:MOST_NAMES]]
        if len(self.arrays) > MOST_NAMES:
            names.append("...")
        accepted = self.accepted if self.is_single_array or not names else ", ".join(names)
        meant = closest_match(name, list(self.arrays)[:MOST_COMPARED])
        return MissingArray(
            meant and printable(meant),
            path=quoted_path(self.path),
            name=quoted(name),
            accepted=accepted,
        )

    def npz_loaders(self, file: IO[bytes]) -> dict[str, Loader]:
        """Loaders for the members of a .npz file."""
        with self.refusing_failures(words.ZIP_DIRECTORY), zipfile.ZipFile(file) as archive:
            names = archive.namelist()
        if any(name.endswith("data.pkl") for name in names):
            raise self.unreadable(words.PICKLE)
        if len(set(names)) < len(names):
            raise self.unreadable(words.TWICE)
        stems = [name.removesuffix(".npy") for name in names if name.endswith(".npy")]
        return {name: partial(self.load_npz_member, name) for name in stems}

    def text_loaders(self, data: bytes) -> dict[str, Loader]:
        """Loaders for a JSON file or a text of numbers; keys whose value is no list are ignored."""

        def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            if len(dict(pairs)) < len(pairs):
                raise self.unreadable(words.TWICE)
            return dict(pairs)

        is_binary = self.path.lower().endswith(BINARY)
        with self.refusing_failures(words.OTHER_START if is_binary else NOT_UTF8):
            text = data.decode("utf-8-sig").strip()
        if self.most_numbers is not None and not text.startswith("{"):
            separators = max(map(text.count, ", \t\n"))
            if separators >= self.most_numbers:
                raise self.invalid(self.base_name, describe_count(separators), self.accepted)
        if self.parse_text is not None and not text.startswith(("[", "{")):
            values: Any = self.parse_text(text)
        else:
            hook = refuse_duplicates
            values = parse_json(self.path, text, self.accepted, object_pairs_hook=hook)
        if not isinstance(values, dict):
            values = {self.base_name: values}
        return {
            name: partial(self.load_list, name, value)
            for name, value in values.items()
            # Positions in another form are refused, not ignored.
            if isinstance(value, list) or name in ALL_POSITION_NAMES
        }

    def load_list(self, name: str, value: Any, accepted: Text) -> NDArray[Any]:
        """An array from nested lists of numbers."""
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
            self.refusing_failures(words.about(words.ZIP_MEMBER, name)),
            open(self.path, "rb") as file,
            zipfile.ZipFile(file) as archive,
        ):
            info = archive.getinfo(f"{name}.npy")
            in_place = info.compress_type == zipfile.ZIP_STORED
            if in_place and info.file_size != info.compress_size:
                raise zipfile.BadZipFile
            if not in_place and info.file_size > LARGEST_UNPACKED:
                raise self.invalid(name, describe_unpacked(info.file_size), words.UNPACKED)
            begin = begin_of_member(file, info)
            if info.compress_type == zipfile.ZIP_LZMA:
                refuse_huge_dictionary(file, begin)
            with archive.open(info) as data:
                header = self.read_header(name, data.read(LONGEST_HEADER), info.file_size, accepted)
                # zipfile compares the checksum once the data is read to its end.
                while in_place and data.read(BLOCK):
                    pass
            if not in_place:
                with archive.open(info) as data:
                    return npy.read_array(data, allow_pickle=False)
            start = begin + header.offset
            return np.memmap(file, mode="r", **header._replace(offset=start)._asdict())

    def read_header(self, name: str, data: bytes, size: int, accepted: Text) -> Header:
        """The header at the start of ``size`` bytes, checked before any memory is allocated."""
        file = io.BytesIO(data)
        with self.refusing_failures(words.about(words.ARRAY_HEADER, name)):
            version, _ = npy.read_magic(file)
            if not 1 <= version <= 3:
                raise ValueError
            # Version 3 differs from 2 only in the encoding of field names.
            read = npy.read_array_header_1_0 if version == 1 else npy.read_array_header_2_0
            shape, fortran, dtype = read(file)
            shape = tuple(map(int, shape))  # numpy lets a truth value pass
        self.check_type_and_shape(name, dtype, shape, accepted)
        expected = file.tell() + math.prod(shape) * dtype.itemsize
        if expected != size:
            raise self.invalid(name, describe_size(expected, size), words.COMPLETE)
        return Header(dtype, file.tell(), shape, "F" if fortran else "C")

    def check_type_and_shape(
        self, name: str, dtype: np.dtype[Any], shape: Sequence[int], accepted: Text
    ) -> None:
        """Refuse empty arrays, and anything but numbers with at most 64 bits in a real one."""
        is_real = dtype.kind in "fiu" and dtype.itemsize <= 8
        is_complex = self.allows_complex and dtype.kind == "c" and dtype.itemsize <= 16
        if not (is_real or is_complex or dtype.str == RAW_BFLOAT16):
            raise self.invalid(name, describe_dtype(dtype.name), accepted)
        if not 1 <= len(shape) <= MOST_AXES or min(shape) < 1:
            raise self.invalid(name, describe_shape(shape), accepted)

    def load(self, name: str, accepted: Text) -> NDArray[Any]:
        """A required array, read-only."""
        if name not in self.arrays:
            raise self.missing(name)
        values = self.arrays[name](accepted)
        values.flags.writeable = False
        return values

    def resolve_name(self, name: str | None, standard: str) -> str:
        """The name of the array to load: the only one, the given one or the standard one."""
        names = [present for present in self.arrays if present not in ALL_POSITION_NAMES]
        if self.is_single_array:
            return self.base_name
        if name is None and standard not in names and len(names) == 1:
            return names[0]
        return standard if name is None else name


def begin_of_member(file: IO[bytes], info: zipfile.ZipInfo) -> int:
    """Where the data of a member begin in a zip file."""
    # The local header can have other lengths than the central directory.
    file.seek(info.header_offset)
    name, extra = struct.unpack("<26x2H", file.read(30))
    return info.header_offset + 30 + int(name) + int(extra)


def refuse_huge_dictionary(file: IO[bytes], begin: int) -> None:
    """Refuse an LZMA member whose header asks for more memory than any compressor does.

    Raises ``zipfile.BadZipFile``. The header: two bytes of version, two of length, one of
    properties, then the size of the dictionary (APPNOTE.TXT of the zip format, 5.8.8).
    """
    file.seek(begin)
    (size,) = struct.unpack("<5xI", file.read(9))
    if size > LARGEST_DICTIONARY:
        raise zipfile.BadZipFile


def failure_cause(failure: Exception, damage: Text) -> Text:
    """Why a file cannot be read, as precisely as helps the user."""
    match failure:
        case MemoryError():
            return NO_MEMORY
        case OSError() if failure.errno not in (None, errno.EINVAL):
            return failure_reason(failure)
        case _:
            return damage


def bfloat16_values(stored: NDArray[Any]) -> NDArray[np.float32]:
    """The numbers whose bfloat16 bits are stored as 16-bit integers or as two raw bytes."""
    bits = stored.view("<u2") if stored.dtype.kind == "V" else stored
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def numbers_in_line(text: str) -> list[float] | list[None]:
    """Numbers with commas or blanks between them, any of them in quotes as CSV may have them.

    ``[None]`` if one of them is no decimal number.
    """
    words = [word for part in text.split(",") for word in part.split() or [""]]
    if '"' in text:
        words = [QUOTED.sub(r"\1", word) for word in words]
    try:
        # Not even nan or 1_0 passes, which Python would take for numbers.
        if NUMBERS.fullmatch(text) and max(map(len, words)) <= LONGEST_NUMBER:
            return list(map(float, words))
    except ValueError:
        pass
    return [None]


def numbers_in_lines(text: str) -> list[list[float] | list[None]]:
    """The numbers of each line that is not blank."""
    return [numbers_in_line(line) for line in text.splitlines() if line.strip()]


def is_nested_numbers(value: Any) -> bool:
    """Whether a JSON value is nested lists of numbers; booleans are not numbers."""
    if not isinstance(value, list):
        return False
    return set(map(type, value)) <= {int, float} or all(map(is_nested_numbers, value))
