"""Tables of cosines and sines: the rotation of the pair (1, 0) at each position.

Their columns are pairs; many libraries write each column twice, as both coordinates of a pair need
it, or keep cosines and sines in one array.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.user_input.array_files import File
from rope_cli.user_input.array_refusals import ARRAY, describe_shape, invalid_array
from rope_cli.user_input.command_errors import printable
from rope_cli.verify.read import array_errors as words
from rope_cli.verify.read.array_errors import DTYPES
from rope_cli.verify.read.stored_array import ArrayPair, StoredArray

Array = NDArray[np.float64]
# From the name of an array in a file to the array; raises its refusal.
Load = Callable[[File, str], StoredArray]

COSINES = ("cos", "cosines", "cos_cached", "cos_cache", "freqs_cos")
SINES = ("sin", "sines", "sin_cached", "sin_cache", "freqs_sin")
IN_ONE, COMPLEX = ("cos_sin_cache", "cos_sin"), ("freqs_cis",)
MOST_NUMBERS = 1 << 26
# So many rows of an array without a name must be cosines and sines, this far from one length.
TRIED_ROWS, NEARLY = 64, 1e-2


class RotationTable(NamedTuple):
    """The rotated pairs (1, 0) ``[..., tokens, 2 pairs]``, and in which form the file has them.

    ``form`` is ``"pairs"`` for a column for each pair, ``"halves"`` or ``"neighbours"`` if each
    stands twice, ``"cos-sin"`` for both in one array, ``"complex"`` for complex numbers.
    """

    pair: ArrayPair
    form: str


def read_table(files: Sequence[File], load: Load) -> RotationTable | None:
    """The table in one file or in two, or ``None`` if it holds another thing."""
    first, last = files[0], files[-1]
    for cosine, sine in zip(COSINES, SINES, strict=True):
        names = (name_of(first, cosine), name_of(last, sine))
        if names[0] is not None and names[1] is not None:
            return from_two(load(first, names[0]), load(last, names[1]))
    if len(files) > 1:
        return None
    for name in COMPLEX:
        stored_name = name_of(first, name)
        if stored_name is not None and is_complex(first, stored_name):
            return from_complex(first, stored_name)
    for name in IN_ONE:
        stored_name = name_of(first, name)
        if stored_name is not None:
            return from_one(load(first, stored_name))
    if not first.is_single_array:
        return None
    if is_complex(first, first.base_name):
        return from_complex(first, first.base_name)
    alone = load(first, first.base_name)
    return from_one(alone) if holds_cosines_and_sines(alone) else None


def name_of(file: File, name: str) -> str | None:
    """The array of this name, which an array alone in its file has from the file."""
    if file.is_single_array:
        stem = os.path.splitext(file.base_name)[0].lower()
        return file.base_name if stem == name else None
    return name if name in file.arrays else None


def is_complex(file: File, name: str) -> bool:
    """Whether the numbers of an array are complex."""
    return file.load(name, ARRAY).dtype.kind == "c"


def holds_cosines_and_sines(stored: StoredArray) -> bool:
    """Whether the two halves of each row are cosines and sines of one length."""
    width = stored.shape[-1]
    if len(stored.shape) < 2 or width % 2:
        return False
    start = tuple(slice(0, TRIED_ROWS) for _ in stored.shape[:-1])
    cosines, sines = np.split(stored.unchecked_block((*start, slice(None))), 2, axis=-1)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.hypot(cosines, sines)
        longest = float(lengths.max())
        return bool(longest > 0 and (lengths >= (1 - NEARLY) * longest).all())


def from_two(cosines: StoredArray, sines: StoredArray) -> RotationTable:
    """The table of an array of cosines and one of sines."""
    if cosines.shape != sines.shape:
        accepted = words.same_shape(cosines.shape)
        raise invalid_array(sines.path, sines.name, describe_shape(sines.shape), accepted)
    columns = numbers_of(cosines), numbers_of(sines)
    form, every = form_of(columns)
    cosine, sine = (column[..., every] for column in columns)
    return table_of(cosines, sines, cosine, sine, form)


def form_of(columns: tuple[Array, Array]) -> tuple[str, slice]:
    """How often each column of ``[..., tokens, columns]`` stands there, and where to take it."""
    width = columns[0].shape[-1]
    half = width // 2
    if width % 2 == 0:
        if all(np.array_equal(c[..., :half], c[..., half:]) for c in columns):
            return "halves", slice(0, half)
        if all(np.array_equal(c[..., 0::2], c[..., 1::2]) for c in columns):
            return "neighbours", slice(0, None, 2)
    return "pairs", slice(None)


def from_one(stored: StoredArray) -> RotationTable:
    """The table of an array whose rows are cosines, then sines."""
    if stored.shape[-1] % 2:
        raise invalid_array(stored.path, stored.name, describe_shape(stored.shape), words.EVEN)
    cosines, sines = np.split(numbers_of(stored), 2, axis=-1)
    return table_of(stored, stored, cosines, sines, "cos-sin")


def from_complex(file: File, name: str) -> RotationTable:
    """The table of complex numbers cos + i sin."""
    values = file.load(name, ARRAY)
    dtype = "float32" if values.dtype.itemsize == 8 else "float64"
    shown = printable(name)
    real, imaginary = (
        StoredArray(file.path, shown, part, dtype) for part in (values.real, values.imag)
    )
    return table_of(real, imaginary, numbers_of(real), numbers_of(imaginary), "complex")


def numbers_of(stored: StoredArray) -> Array:
    """All numbers ``[..., tokens, columns]``, without axes of one entry before the last two."""
    if np.prod(stored.shape, dtype=float) > MOST_NUMBERS:
        raise invalid_array(stored.path, stored.name, describe_shape(stored.shape), words.TABLE)
    *leading, columns = stored.shape
    axes = [size for size in leading if size > 1] or [1]
    return stored.unchecked_block(...).reshape(*axes, columns)


def table_of(
    cosines: StoredArray, sines: StoredArray, cosine: Array, sine: Array, form: str
) -> RotationTable:
    """The pairs (1, 0) before the rotation and after it, in neighbouring coordinates."""
    after = np.stack([cosine, sine], axis=-1).reshape(*cosine.shape[:-1], -1)
    before = np.broadcast_to(np.arange(after.shape[-1]) % 2 == 0, after.shape)
    dtype = min(cosines.dtype, sines.dtype, key=DTYPES.__getitem__)
    return RotationTable(
        ArrayPair(
            "table",
            StoredArray(cosines.path, cosines.name, before.astype(np.float64), dtype),
            StoredArray(sines.path, sines.name, after, dtype),
        ),
        form,
    )
