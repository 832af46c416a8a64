"""Refusals of files of arrays and of the arrays in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.errors import shown
from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal, printable, quoted, quoted_path

ARRAY = Text(
    en="float64, float32, float16 or whole numbers, along 1 to 8 axes that are not empty",
    ru="float64, float32, float16 или целые числа; от 1 до 8 непустых осей",
)
FINITE = Text(
    en="finite numbers of at most 1e150 in magnitude; whole numbers must be below 2^53",
    ru="конечные числа, по модулю не больше 1e150, а целые — меньше 2^53",
)
COMPLETE = Text(
    en="exactly as many bytes as the header says",
    ru="ровно столько байт, сколько указано в заголовке",
)
UNPACKED = Text(
    en="at most 10^8 bytes, or numpy.savez, which does not compress",
    ru="не больше 10^8 байт или файл, записанный через numpy.savez без сжатия",
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
OTHER_START = Text(
    en="it does not begin as a .npz or .npy file does: it is damaged or of another format",
    ru="его начало не такое, как у файлов .npz и .npy: он повреждён или записан в другом формате",
)
ZIP_DIRECTORY = Text(
    en="it is a zip file whose directory, at its end, is damaged or cut off",
    ru="это файл ZIP, оглавление которого (в конце файла) повреждено или обрезано",
)
ZIP_MEMBER = Text(
    en="it is a zip file, and {name} in it is damaged: its unpacked contents do not have the size "
    "or the checksum recorded in the zip directory",
    ru="это файл ZIP, и {name} в нём повреждён: распакованное не совпадает с записанными в "
    "оглавлении размером или контрольной суммой",
)
ARRAY_HEADER = Text(
    en="the header of {name} is damaged or of another format",
    ru="заголовок {name} повреждён или записан в другом формате",
)
IRREGULAR = Text(en="it is not a regular file", ru="это не обычный файл")
CUT_SHORT = Text(en="it became shorter while it was read", ru="он стал короче, пока его читали")
UNCHANGING = Text(en="a file that nobody writes to", ru="файл, в который никто не пишет")
TWICE = Text(en="a name in it is given twice", ru="в нём повторяется имя")


class InvalidArray(CommandRefusal):
    """An array whose type, shape or values cannot be those of a rotation."""

    kind = "invalid-array"
    SENTENCE = Text(
        en="{path}: {name} is {value}; accepted: {accepted}",
        ru="{path}: массив {name}: {value}; допустимо: {accepted}",
    )


class MissingArray(CommandRefusal):
    """A file that lacks a required array."""

    kind = "missing-array"
    SENTENCE = Text(
        en="{path} has no array {name}; accepted: {accepted}",
        ru="{path}: нет массива {name}; допустимо: {accepted}",
    )


def invalid_array(
    path: str,
    name: str,
    value: Text,
    accepted: Text | str,
    kind: type[InvalidArray] = InvalidArray,
) -> InvalidArray:
    """Build the refusal of an array."""
    return kind(path=quoted_path(path), name=quoted(name), value=value, accepted=accepted)


def about(reason: Text, name: str) -> Text:
    """A reason that speaks of one array of the file."""
    shown_name = f'"{printable(name)}"'.replace("{", "").replace("}", "")
    return Text(
        en=reason.en.replace("{name}", shown_name), ru=reason.ru.replace("{name}", shown_name)
    )


def describe_dtype(name: str) -> Text:
    """A dtype, as the value in a refusal."""
    return Text(en=f"of dtype {name}", ru=f"тип чисел {name}")


def describe_shape(shape: Sequence[int]) -> Text:
    """A shape, as the value in a refusal."""
    return Text(en=f"of shape {shown(list(shape))}", ru=f"форма {shown(list(shape))}")


def first_false(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    """The index of the first ``False``."""
    return tuple(map(int, np.unravel_index(int(np.argmin(mask)), mask.shape)))


def describe_size(expected: int, actual: int) -> Text:
    """The size in the header and the actual size, as the value in a refusal."""
    return Text(
        en=f"of {shown(expected)} bytes according to its header, but of {actual} in the file",
        ru=f"байтов в файле {actual}, а по заголовку {shown(expected)}",
    )


def describe_count(separators: int) -> Text:
    """A text of too many numbers, as the value in a refusal."""
    return Text(en=f"of more than {separators} numbers", ru=f"больше {separators} чисел")


def describe_unpacked(size: int) -> Text:
    """The size of a compressed array once unpacked, as the value in a refusal."""
    return Text(en=f"compressed, of {size} bytes", ru=f"сжат, после распаковки займёт {size} байт")


def describe_number(number: Any, index: Sequence[int]) -> Text:
    """A number and its index, as the value in a refusal."""
    place = ", ".join(map(str, index))
    return Text(en=f"{number} at [{place}]", ru=f"значение {number} по индексу [{place}]")
