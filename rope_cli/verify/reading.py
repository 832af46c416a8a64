"""The arrays that ``rope-report verify`` is given: what went into a RoPE and what came out of it.

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
from functools import cache, cached_property, partial
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rope_cli.errors import shown
from rope_cli.models.words import EMPTY, NOT_UTF8, TOO_DEEP, not_json
from rope_cli.own_values import number_from
from rope_cli.refusals import (
    CannotRead,
    CommandRefusal,
    UnknownChoice,
    harmless,
    quoted,
    quoted_path,
    reason,
)
from rope_cli.words import Text

# How many bits of a significand each precision holds.
DTYPES = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
HALVES = ("int16", "uint16")
PAIRS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("output", "input", ("output",)),
    ("query", "query", ("rotated_query", "query_output")),
    ("key", "key", ("rotated_key", "key_output")),
)
FREQUENCIES = ("inverse_frequencies", "inv_freq")
GREATEST_WHOLE = 2**53
MOST_AXES, LEAST_WIDTH, MOST_FREQUENCIES, MOST_NAMES = 8, 2, 65_536, 12
LARGEST_TEXT, LARGEST_UNPACKED, LONGEST_HEADER, BLOCK = 2**26, 2**33, 2**16, 2**20

FILES = Text(
    en="a .npz from numpy.savez(FILE, input=..., output=...), or .npy and .json files",
    ru="файл .npz, записанный через numpy.savez(ФАЙЛ, input=..., output=...), "
    "или файлы .npy и .json",
)
LIST = Text(
    en="a list of 1 to 65536 finite numbers in a .json, .npy, .npz, .csv or .txt file",
    ru="список конечных чисел (от 1 до 65536) в файле .json, .npy, .npz, .csv или .txt",
)
ARRAY = Text(
    en="float64, float32, float16 or whole numbers along 1 to 8 axes, none of them empty",
    ru="float64, float32, float16 или целые числа; от 1 до 8 непустых осей",
)
BITS = Text(
    en="--dtype bfloat16, if these are the bits of bfloat16 as uint16",
    ru="--dtype bfloat16, если это биты bfloat16 в виде uint16",
)
WIDE = Text(en="a last axis of width 2 or more", ru="последняя ось шириной не меньше 2")
POSITIONS = Text(
    en="whole numbers from 0 to 2^53 of shape [tokens] or [batch, tokens]",
    ru="целые числа от 0 до 2^53, форма [токены] или [пакет, токены]",
)
FINITE = Text(
    en="finite numbers, and whole ones below 2^53 in magnitude",
    ru="конечные числа, а целые — по модулю меньше 2^53",
)
COMPLETE = Text(
    en="exactly as many bytes as the header says",
    ru="ровно столько байт, сколько указано в заголовке",
)
UNPACKED = Text(
    en="at most 2^33 bytes, or numpy.savez, which does not compress",
    ru="не больше 2^33 байт или файл, записанный через numpy.savez без сжатия",
)
UNEVEN = Text(
    en="a list of rows of unequal length, or not of numbers alone",
    ru="строки разной длины или не только числа",
)
PICKLE = Text(
    en="it is a PyTorch or pickle file, not opened because a pickle can run code",
    ru="это файл PyTorch или pickle, а такие не открываются: pickle может выполнить чужой код",
)
DAMAGED = Text(
    en="it is damaged, cut short or of another format",
    ru="он повреждён, обрезан или записан в другом формате",
)
IRREGULAR = Text(en="it is not a regular file", ru="это не обычный файл")
TOO_LARGE = Text(en="its text is larger than 64 MiB", ru="текст в нём больше 64 МиБ")
TWICE = Text(en="a name in it is given twice", ru="в нём повторяется имя")
NO_MEMORY = Text(en="there is not enough memory", ru="не хватает памяти")


class InvalidArray(CommandRefusal):
    """An array whose type, shape or values say nothing about a rotation."""

    kind = "invalid-array"
    SENTENCE = Text(
        en="{path}: {name} is {value}; accepted: {accepted}",
        ru="{path}: массив {name}: {value}; допустимо: {accepted}",
    )


class MissingArray(CommandRefusal):
    """A file without an array that is needed."""

    kind = "missing-array"
    SENTENCE = Text(
        en="{path} has no array {name}; accepted: {accepted}",
        ru="{path}: нет массива {name}; допустимо: {accepted}",
    )


def invalid(path: str, name: str, value: Text, accepted: Text) -> InvalidArray:
    """The refusal of an array."""
    return InvalidArray(path=quoted_path(path), name=quoted(name), value=value, accepted=accepted)


def of_dtype(name: str) -> Text:
    """A type of numbers, as the value of a refusal."""
    return Text(en=f"of dtype {name}", ru=f"тип чисел {name}")


def of_shape(shape: Sequence[int]) -> Text:
    """A shape, as the value of a refusal."""
    return Text(en=f"of shape {shown(list(shape))}", ru=f"форма {shown(list(shape))}")


def first_bad(good: NDArray[np.bool_]) -> tuple[int, ...]:
    """Where the first ``False`` stands."""
    return tuple(map(int, np.unravel_index(int(np.argmin(good)), good.shape)))


def of_bytes(promised: int, size: int) -> Text:
    """What a header promises and what there is, as the value of a refusal."""
    return Text(
        en=f"of {shown(promised)} bytes by its header, but of {size} in the file",
        ru=f"по заголовку {shown(promised)} байт, а в файле {size}",
    )


def unpacked(size: int) -> Text:
    """How much a compressed array would take, as the value of a refusal."""
    return Text(en=f"compressed, of {size} bytes", ru=f"сжат, после распаковки займёт {size} байт")


def coarser(own: str) -> Text:
    """What is accepted for values that are stored in this precision."""
    names = ", ".join(name for name, bits in DTYPES.items() if bits <= DTYPES[own])
    return Text(en=f"--dtype {names} for such values", ru=f"для таких чисел --dtype {names}")


def number_at(number: Any, where: Sequence[int]) -> Text:
    """A number and its index, as the value of a refusal."""
    return Text(en=f"{number} at {list(where)}", ru=f"значение {number} по индексу {list(where)}")


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
            raise invalid(self.path, self.name, number_at(f"{wide[at]:.17g}", where), FINITE)
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
                raise self.unreadable(IRREGULAR)  # a pipe, which may never be written to
            with open(self.path, "rb") as file:
                data = file.read(len(npy.MAGIC_PREFIX))
                if data.startswith(b"PK"):
                    with zipfile.ZipFile(file) as archive:
                        return self.members(archive.namelist())
                if data == npy.MAGIC_PREFIX:
                    return {self.base_name: self.whole}
                if not data or data.startswith(b"\x80"):
                    raise self.unreadable(PICKLE if data else EMPTY)
                data += file.read(LARGEST_TEXT)
            if len(data) > LARGEST_TEXT:
                raise self.unreadable(TOO_LARGE)
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
        names = [quoted(each) for each in islice(self.arrays, MOST_NAMES)]
        if len(self.arrays) > MOST_NAMES:
            names.append("...")
        accepted = self.accepted if self.nameless or not names else ", ".join(names)
        return MissingArray(path=quoted_path(self.path), name=quoted(name), accepted=accepted)

    def members(self, names: Sequence[str]) -> dict[str, Loader]:
        """The arrays of a .npz file with members of these names."""
        if any(name.endswith("data.pkl") for name in names):
            raise self.unreadable(PICKLE)
        if len(set(names)) < len(names):
            raise self.unreadable(TWICE)
        stems = [name.removesuffix(".npy") for name in names if name.endswith(".npy")]
        return {name: partial(self.member, name) for name in stems}

    def written(self, text: str) -> dict[str, Loader]:
        """The arrays of a JSON file, or of a text of numbers; values that are no lists are none."""

        def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            if len(dict(pairs)) < len(pairs):
                raise self.unreadable(TWICE)
            return dict(pairs)

        if self.plain and not text.startswith(("[", "{")):
            found: Any = [number_from(word) for word in re.split(r"\s*,\s*|\s+", text)]
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
                raise self.invalid(name, UNEVEN, accepted) from None
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
                raise self.invalid(name, unpacked(info.file_size), UNPACKED)
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
            raise self.invalid(name, of_bytes(promised, size), COMPLETE)
        return Form(dtype, file.tell(), shape, "F" if fortran else "C")

    def check(self, name: str, dtype: np.dtype[Any], shape: Sequence[int], accepted: Text) -> None:
        """Refuses what holds no real numbers of at most 64 bits, or none at all."""
        if dtype.kind not in "fiu" or dtype.itemsize > 8:
            # Without a type of its own, numpy saves bfloat16 as two bytes of anything.
            told = BITS if dtype.name == "void16" else accepted
            raise self.invalid(name, of_dtype(dtype.name), told)
        if not 1 <= len(shape) <= MOST_AXES or min(shape) < 1:
            raise self.invalid(name, of_shape(shape), accepted)

    def stored(self, name: str, dtype: str | None, width: int = LEAST_WIDTH) -> Stored:
        """An array that must be there, its last axis no narrower than ``width``."""
        if name not in self.arrays:
            raise self.missing(name)
        values = self.arrays[name](ARRAY)
        kind = values.dtype.name
        if kind in HALVES and dtype != "bfloat16":
            raise self.invalid(name, of_dtype(kind), BITS)
        own = "bfloat16" if kind in HALVES else kind if kind in DTYPES else "float64"
        if dtype is not None and DTYPES[dtype] > DTYPES[own]:
            raise self.invalid(name, of_dtype(kind), coarser(own))
        if values.shape[-1] < width:
            raise self.invalid(name, of_shape(values.shape), WIDE)
        values.flags.writeable = False
        return Stored(self.path, harmless(name), values, dtype or own)

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
        found = load(POSITIONS)
        if found.ndim > 2:
            raise self.invalid("positions", of_shape(found.shape), POSITIONS)
        with np.errstate(invalid="ignore"):
            # What uint64 holds beyond int64 becomes negative, and is refused as well.
            wide = found.astype(np.float64 if found.dtype.kind == "f" else np.int64)
            good = (wide >= 0) & (wide <= GREATEST_WHOLE) & (wide == np.floor(wide))
        if not good.all():
            where = first_bad(good)
            raise self.invalid("positions", number_at(found[where], where), POSITIONS)
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
            return NO_MEMORY
        case OSError() if failure.errno not in (None, errno.EINVAL):
            return reason(failure)
        case _:
            return DAMAGED


def only_numbers(value: Any) -> bool:
    """Whether a value of a JSON file is numbers in lists of lists; truth values are none."""
    if not isinstance(value, list):
        return False
    return set(map(type, value)) <= {int, float} or all(map(only_numbers, value))


def read_arrays(
    paths: Sequence[str],
    input_name: str | None = None,
    output_name: str | None = None,
    dtype: str | None = None,
) -> Given:
    """The arrays of one file, or of two: what went in and what came out.

    The names are looked for instead of the standard ones. ``dtype`` is the precision, one of
    :data:`DTYPES`, in which the values were computed, if it is not the one in which they are
    stored. Raises :class:`CannotRead`, :class:`InvalidArray` or :class:`MissingArray`.
    """
    if dtype is not None and dtype not in DTYPES:
        raise UnknownChoice(option="--dtype", value=quoted(dtype), accepted=", ".join(DTYPES))
    first, *others = [File(path, FILES) for path in paths]
    if others:
        last = others[0]
        before = first.stored(first.only(input_name, "input"), dtype)
        after = last.stored(last.only(output_name, "output"), dtype)
        positions = first.positions()
        positions = last.positions() if positions is None else positions
        return Given((pair("output", before, after),), positions, None)
    if input_name is None and output_name is None:
        pairs, scores = standard_arrays(first, dtype)
    else:
        before = first.stored("input" if input_name is None else input_name, dtype)
        after = first.stored("output" if output_name is None else output_name, dtype)
        pairs, scores = (pair("output", before, after),), None
    return Given(pairs, first.positions(), scores)


def standard_arrays(file: File, dtype: str | None) -> tuple[tuple[Pair, ...], Scores | None]:
    """The pairs and the scores of a file that uses the standard names."""
    take = cache(partial(file.stored, dtype=dtype))
    pairs = []
    for name, before, afters in PAIRS:
        after = next((each for each in afters if each in file.arrays), None)
        if before in file.arrays and after is not None:
            pairs.append(pair(name, take(before), take(after)))
    scores = None
    if {"query", "key", "scores"} <= file.arrays.keys():
        found = file.stored("scores", dtype, width=1)
        scores = Scores(
            found.path, found.name, found.values, found.dtype, take("query"), take("key")
        )
    if not pairs and scores is None:
        halves = (afters[0] for _, before, afters in PAIRS if before in file.arrays)
        raise file.missing(next(halves, PAIRS[0][1]))
    return tuple(pairs), scores


def pair(name: str, before: Stored, after: Stored) -> Pair:
    """Two arrays of one shape."""
    if before.shape != after.shape:
        shape = shown(list(before.shape))
        accepted = Text(en=f"the shape of the input, {shape}", ru=f"форма входа {shape}")
        raise invalid(after.path, after.name, of_shape(after.shape), accepted)
    return Pair(name, before, after)


def read_frequencies(path: str) -> NDArray[np.float64]:
    """Inverse frequencies ``[pairs]`` in radians per position, from a list in a file.

    Raises :class:`CannotRead`, :class:`InvalidArray` or :class:`MissingArray`.
    """
    file = File(path, LIST, plain=True)
    name = next((each for each in FREQUENCIES if each in file.arrays), None)
    if name is None:
        if len(file.arrays) != 1:
            raise file.missing(FREQUENCIES[0])
        name = next(iter(file.arrays))
    values = file.arrays[name](LIST)
    if values.ndim != 1 or values.size > MOST_FREQUENCIES:
        raise file.invalid(name, of_shape(values.shape), LIST)
    # Whole numbers come from a list in JSON; those of 16 bits may be bfloat16, and are not read.
    if values.dtype.kind != "f" and values.dtype.name != "int64":
        raise file.invalid(name, of_dtype(values.dtype.name), LIST)
    return Stored(path, harmless(name), values, "float64").block(...)
