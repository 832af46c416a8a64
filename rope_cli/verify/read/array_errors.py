"""Refusals of files of arrays and of the arrays in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.vocabulary import t
from rope_cli.errors import shown
from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal, quoted, quoted_path

# Significant bits of each precision.
DTYPES = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}

FILES = t(
    "a .npz from numpy.savez(FILE, input=..., output=...), or .npy and .json files",
    "файл .npz, записанный через numpy.savez(ФАЙЛ, input=..., output=...), или файлы .npy и .json",
)
LIST = t(
    "a list of 1 to 65536 finite numbers in a .json, .npy, .npz, .csv or .txt file",
    "список конечных чисел (от 1 до 65536) в файле .json, .npy, .npz, .csv или .txt",
)
ARRAY = t(
    "float64, float32, float16 or whole numbers, along 1 to 8 axes that are not empty",
    "float64, float32, float16 или целые числа; от 1 до 8 непустых осей",
)
BITS = t(
    "another dtype, or --dtype bfloat16 if these are the bits of bfloat16 as uint16",
    "другой тип или --dtype bfloat16, если это биты bfloat16 в виде uint16",
)
WIDE = t("a last axis of width 2 or more", "последняя ось шириной не меньше 2")
POSITIONS = t(
    "whole numbers from 0 to 2^53 of shape [tokens] or [batch, tokens]",
    "целые числа от 0 до 2^53, форма [токены] или [пакет, токены]",
)
FINITE = t(
    "finite numbers; whole ones must be below 2^53 in magnitude",
    "конечные числа, а целые — по модулю меньше 2^53",
)
COMPLETE = t(
    "exactly as many bytes as the header says", "ровно столько байт, сколько указано в заголовке"
)
UNPACKED = t(
    "at most 2^33 bytes, or numpy.savez, which does not compress",
    "не больше 2^33 байт или файл, записанный через numpy.savez без сжатия",
)
UNEVEN = t(
    "a list of rows of unequal length, or not of numbers alone",
    "строки разной длины или не только числа",
)
PICKLE = t(
    "it is a PyTorch or pickle file, not opened because a pickle can run code",
    "это файл PyTorch или pickle, а такие не открываются: pickle может выполнить чужой код",
)
DAMAGED = t(
    "it is damaged, cut short or of another format",
    "он повреждён, обрезан или записан в другом формате",
)
IRREGULAR = t("it is not a regular file", "это не обычный файл")
TOO_LARGE = t("its text is larger than 64 MiB", "текст в нём больше 64 МиБ")
TWICE = t("a name in it is given twice", "в нём повторяется имя")
NO_MEMORY = t("there is not enough memory", "не хватает памяти")


class InvalidArray(CommandRefusal):
    """An array whose type, shape or values cannot be those of a rotation."""

    kind = "invalid-array"
    SENTENCE = t(
        "{path}: {name} is {value}; accepted: {accepted}",
        "{path}: массив {name}: {value}; допустимо: {accepted}",
    )


class MissingArray(CommandRefusal):
    """A file that lacks a required array."""

    kind = "missing-array"
    SENTENCE = t(
        "{path} has no array {name}; accepted: {accepted}",
        "{path}: нет массива {name}; допустимо: {accepted}",
    )


def invalid_array(path: str, name: str, value: Text, accepted: Text | str) -> InvalidArray:
    """Build the refusal of an array."""
    return InvalidArray(path=quoted_path(path), name=quoted(name), value=value, accepted=accepted)


def describe_dtype(name: str) -> Text:
    """A dtype, as the value in a refusal."""
    return t(f"of dtype {name}", f"тип чисел {name}")


def describe_shape(shape: Sequence[int]) -> Text:
    """A shape, as the value in a refusal."""
    return t(f"of shape {shown(list(shape))}", f"форма {shown(list(shape))}")


def first_false(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    """The index of the first ``False``."""
    return tuple(map(int, np.unravel_index(int(np.argmin(mask)), mask.shape)))


def describe_size(expected: int, actual: int) -> Text:
    """The size in the header and the actual size, as the value in a refusal."""
    return t(
        f"of {shown(expected)} bytes by its header, but of {actual} in the file",
        f"байтов в файле {actual}, а по заголовку {shown(expected)}",
    )


def describe_unpacked(size: int) -> Text:
    """The size of a compressed array once unpacked, as the value in a refusal."""
    return t(f"compressed, of {size} bytes", f"сжат, после распаковки займёт {size} байт")


def dtypes_up_to(stored: str) -> Text:
    """The dtypes that ``--dtype`` accepts for values stored in this precision."""
    names = ", ".join(name for name, bits in DTYPES.items() if bits <= DTYPES[stored])
    return t(f"for such numbers --dtype {names}", f"для таких чисел --dtype {names}")


def describe_number(number: Any, index: Sequence[int]) -> Text:
    """A number and its index, as the value in a refusal."""
    place = ", ".join(map(str, index))
    return t(f"{number} at [{place}]", f"значение {number} по индексу [{place}]")
