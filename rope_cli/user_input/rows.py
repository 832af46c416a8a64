"""Rows of numbers, typed in place or taken from a file.

numpy is imported inside: the table of parameters names :func:`read_rows`, and help must not wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal, quoted
from rope_cli.user_input.file_contents import NO_MEMORY, cannot_read
from rope_cli.user_input.numbers import (
    GREATEST_NUMBER,
    MOST_POSITIONS,
    decimal_number,
    short_number,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Rows = tuple[tuple[float, ...], ...]

MOST_NUMBERS = 2**22
SUFFIXES = (".npy", ".csv", ".json")
IN_FILES = Text(
    en="rows of equal length in a .npy, .csv or .json file, at most 2^22 numbers, and their text "
    "at most 64 MiB",
    ru="строки равной длины в файле .npy, .csv или .json, не больше 2^22 чисел, а текст — не "
    "больше 64 МиБ",
)


class InvalidRows(CommandRefusal):
    """Rows that are no rectangle of finite numbers."""

    kind = "invalid-rows"
    SENTENCE = Text(
        en="{option} is {value}; accepted: rows of equal length such as 1,0,1,0;0,1,0,1, or a "
        ".npy, .csv or .json file of them, every number between -{most} and {most}",
        ru="{option}: задано {value}; допустимы строки равной длины, например 1,0,1,0;0,1,0,1, "
        "или файл .npy, .csv, .json с ними, все числа от -{most} до {most}",
    )


def read_rows(option: str, text: str) -> Rows:
    """Rows typed in place (``1,0,1,0;0,1,0,1``) or taken from a .npy, .csv or .json file."""
    import numpy as np

    try:
        in_file = text.lower().endswith(SUFFIXES)
        array = rows_of_file(option, text) if in_file else typed_rows(text)
        if array.ndim == 1 and array.size:
            array = array[np.newaxis]
        is_matrix = array.ndim == 2 and array.size and len(array) <= MOST_POSITIONS
        if not is_matrix or not bool((np.abs(array) <= GREATEST_NUMBER).all()):
            most = short_number(GREATEST_NUMBER)
            raise InvalidRows(option=option, value=quoted(text), most=most)
        return tuple(map(tuple, array.tolist()))
    except MemoryError:
        raise cannot_read(text, NO_MEMORY, IN_FILES) from None


def typed_rows(text: str) -> NDArray[np.float64]:
    """Rows typed in place; empty if they are not equally long, and NaN where no number stands."""
    import numpy as np

    rows = [[decimal_number(cell) for cell in row.split(",")] for row in text.split(";")]
    equally_long = len(set(map(len, rows))) == 1
    return np.array(rows if equally_long else [], dtype=np.float64)


def rows_of_file(option: str, path: str) -> NDArray[np.float64]:
    """The numbers of a file: its only array, or the one with the name of the option."""
    import numpy as np

    from rope_cli.user_input.array_files import File, bfloat16_values, numbers_in_lines
    from rope_cli.user_input.array_refusals import describe_shape

    file = File(path, IN_FILES, numbers_in_lines, MOST_NUMBERS)
    name = file.resolve_name(None, option.removeprefix("--"))
    values = file.load(name, IN_FILES)
    if values.size > MOST_NUMBERS:
        raise file.invalid(name, describe_shape(values.shape), IN_FILES)
    return np.array(bfloat16_values(values) if values.dtype.kind == "V" else values, np.float64)
