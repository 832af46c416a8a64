"""Rows of numbers, typed in place or taken from a file.

numpy is imported inside: the table of parameters names :func:`read_rows`, and help must not wait.
"""

from __future__ import annotations

import os
from typing import Any

from rope_cli.text import Text
from rope_cli.user_input.command_errors import (
    CannotRead,
    CommandRefusal,
    failure_reason,
    quoted,
    quoted_path,
)
from rope_cli.user_input.numbers import (
    GREATEST_NUMBER,
    MOST_POSITIONS,
    decimal_number,
    short_number,
)

Rows = tuple[tuple[float, ...], ...]

LARGEST_FILE = 64 * 2**20
SUFFIXES = (".npy", ".csv", ".json")


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

    if text.lower().endswith(SUFFIXES):
        values = numbers_of_file(option, text)
    else:
        values = [[decimal_number(cell) for cell in row.split(",")] for row in text.split(";")]
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise invalid_rows(option, quoted(text)) from None
    if array.ndim == 1 and array.size:
        array = array[np.newaxis]
    is_matrix = array.ndim == 2 and array.size and len(array) <= MOST_POSITIONS
    if not is_matrix or not bool((np.abs(array) <= GREATEST_NUMBER).all()):
        raise invalid_rows(option, quoted(text))
    return tuple(map(tuple, array.tolist()))


def numbers_of_file(option: str, path: str) -> Any:
    """The numbers of a file, not yet checked; pickled arrays are never loaded."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(LARGEST_FILE)
    except (OSError, ValueError) as failure:
        raise CannotRead(
            path=quoted_path(path), reason=failure_reason(failure), accepted=", ".join(SUFFIXES)
        ) from failure
    if size > LARGEST_FILE:
        raise invalid_rows(option, quoted_path(path))
    try:
        return parse_numbers(data, path.lower())
    except (ValueError, EOFError, OSError, RecursionError, MemoryError):
        raise invalid_rows(option, quoted_path(path)) from None


def parse_numbers(data: bytes, path: str) -> Any:
    """The numbers in the bytes of a file, by the ending of its name."""
    import csv
    import io
    import json

    import numpy as np

    if path.endswith(".npy"):
        loaded = np.load(io.BytesIO(data), allow_pickle=False)
        # A zip of arrays is no array, whatever its name.
        return loaded if isinstance(loaded, np.ndarray) and loaded.dtype.kind in "fiu" else None
    text = data.decode("utf-8-sig")
    if path.endswith(".json"):
        return strictly_numbers(json.loads(text))
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as failure:
        raise ValueError(path) from failure
    return [[decimal_number(cell) for cell in line] for line in lines if line]


def strictly_numbers(loaded: Any) -> Any:
    """What JSON gave, if it is numbers in lists; strings and truth values are no numbers."""
    if isinstance(loaded, list):
        return [strictly_numbers(inner) for inner in loaded]
    if isinstance(loaded, bool) or not isinstance(loaded, int | float):
        raise ValueError(loaded)
    return loaded


def invalid_rows(option: str, shown: str) -> InvalidRows:
    """The refusal of rows, with what was typed or the file that holds them."""
    return InvalidRows(option=option, value=shown, most=short_number(GREATEST_NUMBER))
