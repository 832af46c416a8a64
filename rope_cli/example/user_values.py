"""What the reader types, or hands over as a file, turned into parameters.

Knows nothing of click. Numbers are read strictly: what is not finite, or so large that six decimals
and a dot product would say nothing about it, is refused.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rope_cli.errors import RowCount, RowWidth
from rope_cli.example.parameters import Parameters, Rows
from rope_cli.rope.tables import RotaryEmbedding, inverse_frequency
from rope_cli.text import Text
from rope_cli.user_input.command_errors import (
    CannotRead,
    CommandRefusal,
    failure_reason,
    quoted,
    quoted_path,
)

GREATEST_WIDTH = 1024
LEAST_BASE, GREATEST_BASE = 1e-9, 1e15
GREATEST_POSITION = 2**53
MOST_POSITIONS = 2**20
MOST_WHOLE_ROWS = 64
MOST_GIVEN = 2**22
GREATEST_ANGLE = 2.0**43
GREATEST_NUMBER = 1e15
LARGEST_FILE = 64 * 2**20
SUFFIXES = (".npy", ".csv", ".json")
INTEGER = re.compile(r"[0-9]{1,20}")


class InvalidNumber(CommandRefusal):
    """A width, base or shift that is no number or out of range."""

    kind = "invalid-number"
    SENTENCE = Text(
        en="{option} is {value}; accepted: a number in the range {accepted}",
        ru="{option}: задано {value}; допустимо число в пределах {accepted}",
    )


class InvalidPositions(CommandRefusal):
    """Positions that are not rising whole numbers, too many, or too far out."""

    kind = "invalid-positions"
    SENTENCE = Text(
        en="--positions is {value}; accepted: rising whole numbers such as 0:3 or 0,1,7, at most "
        "{most} of them, none beyond {last} even after the shift",
        ru="--positions: задано {value}; допустимы возрастающие целые числа, например 0:3 или "
        "0,1,7, не больше {most}, не дальше {last} и после сдвига",
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


def parameters_from(given: Mapping[str, Any]) -> Parameters:
    """The parameters that the options of ``show`` ask for; what is missing stays the chapter's.

    The feature width follows from the rows when it is not given. Raises the refusals of the
    command, and those of :meth:`RotaryEmbedding.validate`.
    """
    readers: Mapping[str, Callable[[str], Any]] = {
        "feature_width": width_from,
        "base": base_from,
        "layout": str,
        "positions": positions_from,
        "shift": lambda text: whole_number("--shift", text, GREATEST_POSITION),
        "query": lambda text: rows_from("--query", text),
        "key": lambda text: rows_from("--key", text),
        "dtype": str,
    }
    values = {
        name: read(given[name]) for name, read in readers.items() if given.get(name) is not None
    }
    widths = [len(values[name][0]) for name in ("query", "key") if name in values]
    # A width that follows from the rows is the reader's as well.
    if widths and "feature_width" not in values:
        values["feature_width"] = widths[0]
    if given.get("rows") == "all":
        values["every_row"] = True
    parameters = Parameters(**values, given=frozenset(values))
    if parameters.greatest_position > GREATEST_POSITION:
        raise InvalidPositions(
            value=quoted(str(parameters.greatest_position)), most=MOST_POSITIONS, last="2^53"
        )
    if parameters.every_row and len(parameters.positions) > MOST_WHOLE_ROWS:
        raise InvalidPositions(
            value=quoted(f"{len(parameters.positions)} x --rows all"),
            most=MOST_WHOLE_ROWS,
            last="2^53",
        )
    RotaryEmbedding.validate(
        parameters.feature_width, parameters.greatest_position + 1, parameters.base
    )
    refuse_too_much(parameters)
    for name in ("query", "key"):
        content = getattr(parameters, name)
        if content is not None and len(content[0]) != parameters.feature_width:
            raise RowWidth(name=name, actual=len(content[0]), expected=parameters.feature_width)
        if content is not None and len(content) not in (1, len(parameters.positions)):
            raise RowCount(name=name, actual=len(content), expected=len(parameters.positions))
    return parameters


def refuse_too_much(parameters: Parameters) -> None:
    """Refuse rows that memory or float64 cannot serve."""
    for option, content in (("--query", parameters.query), ("--key", parameters.key)):
        numbers = len(content or ()) * parameters.feature_width
        if numbers > MOST_GIVEN:
            counted = f"{option} (rows x width)"
            raise InvalidNumber(option=counted, value=numbers, accepted=f"1...{MOST_GIVEN}")
    pairs = (0, parameters.pairs - 1)
    fastest = max(
        inverse_frequency(parameters.feature_width, parameters.base, pair) for pair in pairs
    )
    angle = parameters.greatest_position * fastest
    if angle > GREATEST_ANGLE:
        # Beyond it not even the third digit of a cosine is certain, and no check could fail.
        accepted = f"0...{GREATEST_ANGLE:.4g}"
        raise InvalidNumber(option="m·θ", value=f"{angle:.4g}", accepted=accepted)


def whole_number(option: str, text: str, most: int, least: int = 0) -> int:
    """A whole number from ``least`` to ``most``."""
    if not INTEGER.fullmatch(text) or not least <= int(text) <= most:
        accepted = f"{least}...{most}"
        raise InvalidNumber(option=option, value=quoted(text), accepted=accepted)
    return int(text)


def width_from(text: str) -> int:
    """An even width that the report can still show; which rule is broken, the rotation says."""
    if not INTEGER.fullmatch(text) or int(text) > GREATEST_WIDTH:
        accepted = f"2, 4, ..., {GREATEST_WIDTH}"
        raise InvalidNumber(option="--feature-width", value=quoted(text), accepted=accepted)
    return int(text)


def base_from(text: str) -> float:
    """A base of frequencies that six decimals can speak of."""
    base = number_from(text)
    if base is None or not LEAST_BASE <= base <= GREATEST_BASE:
        accepted = f"{LEAST_BASE:g}...{GREATEST_BASE:g}"
        raise InvalidNumber(option="--base", value=quoted(text), accepted=accepted)
    return base


def number_from(text: str) -> float | None:
    """A decimal number, or ``None``; no underscores, no words such as nan."""
    stripped = text.strip()
    if len(stripped) > 60 or not re.fullmatch(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?", stripped):
        return None
    try:
        return float(stripped)
    except ValueError:
        return None


def positions_from(text: str) -> Sequence[int]:
    """``0:3`` or ``0,1,7`` or both: rising whole numbers, the end of a range not included."""
    found: list[range] = []
    count = 0
    for part in text.split(","):
        first, colon, last = part.strip().partition(":")
        if not INTEGER.fullmatch(first) or (colon and not INTEGER.fullmatch(last)):
            raise refused_positions(text)
        start, stop = int(first), int(last) if colon else int(first) + 1
        rising = not found or start >= found[-1].stop
        within = start < stop <= GREATEST_POSITION + 1
        if not rising or not within or count + stop - start > MOST_POSITIONS:
            raise refused_positions(text)
        found.append(range(start, stop))
        count += stop - start
    return found[0] if len(found) == 1 else tuple(chain(*found))


def refused_positions(text: str) -> InvalidPositions:
    """Why positions are refused."""
    return InvalidPositions(value=quoted(text), most=MOST_POSITIONS, last="2^53")


def rows_from(option: str, text: str) -> Rows:
    """Rows typed in place (``1,0,1,0;0,1,0,1``) or taken from a .npy, .csv or .json file."""
    if text.lower().endswith(SUFFIXES):
        values = read_file(option, text)
    else:
        values = [[number_from(cell) for cell in row.split(",")] for row in text.split(";")]
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidRows(option=option, value=quoted(text), most=f"{GREATEST_NUMBER:g}") from None
    if array.ndim == 1 and array.size:
        array = array[np.newaxis]
    good = array.ndim == 2 and array.size and len(array) <= MOST_POSITIONS
    if not good or not bool((np.abs(array) <= GREATEST_NUMBER).all()):
        raise InvalidRows(option=option, value=quoted(text), most=f"{GREATEST_NUMBER:g}")
    return tuple(map(tuple, array.tolist()))


def strictly_numbers(loaded: Any) -> Any:
    """What JSON gave, if it is numbers in lists; strings and truth values are no numbers."""
    if isinstance(loaded, list):
        return [strictly_numbers(inner) for inner in loaded]
    if isinstance(loaded, bool) or not isinstance(loaded, int | float):
        raise ValueError(loaded)
    return loaded


def read_file(option: str, path: str) -> Any:
    """The numbers of a file, not yet checked; pickled arrays are never loaded."""
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size > LARGEST_FILE:
                raise InvalidRows(
                    option=option, value=quoted_path(path), most=f"{GREATEST_NUMBER:g}"
                )
            data = file.read(LARGEST_FILE)
    except (OSError, ValueError) as failure:
        if isinstance(failure, InvalidRows):
            raise
        raise CannotRead(
            path=quoted_path(path), reason=failure_reason(failure), accepted=", ".join(SUFFIXES)
        ) from failure
    try:
        if path.lower().endswith(".npy"):
            loaded = np.load(io.BytesIO(data), allow_pickle=False)
            # A zip of arrays is no array, whatever its name.
            return loaded if isinstance(loaded, np.ndarray) and loaded.dtype.kind in "fiu" else None
        text = data.decode("utf-8-sig")
        if path.lower().endswith(".json"):
            return strictly_numbers(json.loads(text))
        lines = csv.reader(io.StringIO(text, newline=""), strict=True)
        return [[number_from(cell) for cell in line] for line in lines if line]
    except (ValueError, EOFError, OSError, RecursionError, MemoryError, csv.Error):
        shown = f"{GREATEST_NUMBER:g}"
        raise InvalidRows(option=option, value=quoted_path(path), most=shown) from None
