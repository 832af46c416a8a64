"""The arrays that ``rope-report verify`` is given: what went into a RoPE, and what came out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.vocabulary import t
from rope_cli.errors import shown
from rope_cli.user_input.command_errors import UnknownChoice, printable, quoted
from rope_cli.verify.read import array_errors as words
from rope_cli.verify.read.array_errors import DTYPES, invalid, of_dtype, of_shape
from rope_cli.verify.read.files import File
from rope_cli.verify.read.stored_array import Given, Pair, Scores, Stored

PAIRS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("output", "input", ("output",)),
    ("query", "query", ("rotated_query", "query_output")),
    ("key", "key", ("rotated_key", "key_output")),
)
FREQUENCIES = ("inverse_frequencies", "inv_freq")
MOST_FREQUENCIES = 65_536


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
    first, *others = [File(path, words.FILES) for path in paths]
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
        accepted = t(f"the shape of the input, {shape}", f"форма входа {shape}")
        raise invalid(after.path, after.name, of_shape(after.shape), accepted)
    return Pair(name, before, after)


def read_frequencies(path: str) -> NDArray[np.float64]:
    """Inverse frequencies ``[pairs]`` in radians per position, from a list in a file.

    Raises :class:`CannotRead`, :class:`InvalidArray` or :class:`MissingArray`.
    """
    file = File(path, words.LIST, plain=True)
    name = next((each for each in FREQUENCIES if each in file.arrays), None)
    if name is None:
        if len(file.arrays) != 1:
            raise file.missing(FREQUENCIES[0])
        name = next(iter(file.arrays))
    values = file.arrays[name](words.LIST)
    if values.ndim != 1 or values.size > MOST_FREQUENCIES:
        raise file.invalid(name, of_shape(values.shape), words.LIST)
    # Whole numbers come from a list in JSON; those of 16 bits may be bfloat16, and are not read.
    if values.dtype.kind != "f" and values.dtype.name != "int64":
        raise file.invalid(name, of_dtype(values.dtype.name), words.LIST)
    return Stored(path, printable(name), values, "float64").block(...)
