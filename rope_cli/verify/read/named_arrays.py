"""The arrays of ``rope-report verify``, looked up in their files by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.user_input.array_files import File, numbers_in_line
from rope_cli.user_input.array_refusals import (
    ARRAY,
    MissingArray,
    describe_dtype,
    describe_shape,
    invalid_array,
)
from rope_cli.user_input.command_errors import UnknownChoice, meant_choice, printable, quoted
from rope_cli.verify.read import array_errors as words
from rope_cli.verify.read.array_errors import DTYPES, dtypes_up_to
from rope_cli.verify.read.position_arrays import FilePositions, read_positions_of
from rope_cli.verify.read.rotation_tables import COSINES, SINES, read_table
from rope_cli.verify.read.stored_array import (
    BFLOAT16_STORAGE,
    ArrayPair,
    StoredArray,
    StoredScores,
)

# Name of the pair, name of its input, and the accepted names of its output.
STANDARD_PAIRS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("output", "input", ("output",)),
    ("query", "query", ("rotated_query", "query_output")),
    ("key", "key", ("rotated_key", "key_output")),
)
FREQUENCIES = ("inverse_frequencies", "inv_freq")
LEAST_WIDTH, MOST_FREQUENCIES = 2, 65_536


class InputArrays(NamedTuple):
    """All arrays of the user's files.

    The arrays of a pair have one shape; there may be no pair where there are scores. ``table_form``
    is the form of a table of cosines and sines, if the only pair is one.
    """

    pairs: tuple[ArrayPair, ...]
    positions: FilePositions
    scores: StoredScores | None
    table_form: str | None = None

    @property
    def stored(self) -> Iterator[StoredArray]:
        """Every array in turn; one that stands in two pairs comes twice."""
        for pair in self.pairs:
            yield from (pair.before, pair.after)
        if self.scores is not None:
            yield from (self.scores.query, self.scores.key, self.scores)


def read_arrays(
    paths: Sequence[str],
    input_name: str | None = None,
    output_name: str | None = None,
    dtype: str | None = None,
    layout: str = "adjacent",
) -> InputArrays:
    """The arrays of one file, or of two: the inputs, then the outputs; or a table.

    ``input_name`` and ``output_name`` replace the standard names. ``dtype``, one of
    :data:`DTYPES`, is the precision of the computation, if it is not that of the stored values.
    Of reference vectors, which hold outputs in both layouts, those of ``layout`` are taken.
    Raises :class:`CannotRead`, :class:`InvalidArray` or :class:`MissingArray`.
    """
    if dtype is not None and dtype not in DTYPES:
        raise UnknownChoice(
            meant_choice(dtype, DTYPES),
            option="--dtype",
            value=quoted(dtype),
            accepted=", ".join(DTYPES),
        )
    files = [File(path, words.FILES, allows_complex=True) for path in paths]
    names, named = (input_name, output_name), input_name is not None or output_name is not None
    table, scores = None, None
    pairs: tuple[ArrayPair, ...]
    if len(files) > 1 or named:
        if not named or (input_name in COSINES and output_name in SINES):
            table = read_table(files, partial(stored_array, dtype=dtype, least_width=1))
        pairs = (named_pair(files, names, dtype) if table is None else table.pair,)
    else:
        try:
            pairs, scores = standard_arrays(files[0], dtype, layout)
        except MissingArray:
            table = read_table(files, partial(stored_array, dtype=dtype, least_width=1))
            if table is None:
                raise
            pairs = (table.pair,)
    outputs = [pair.after for pair in pairs] + ([] if scores is None else [scores])
    finest = max((output.dtype for output in outputs), key=DTYPES.__getitem__)
    by_file = (read_positions_of(file, finest) for file in files)
    positions = next(filter(attrgetter("arrays"), by_file), FilePositions())
    return InputArrays(pairs, positions, scores, None if table is None else table.form)


def named_pair(
    files: Sequence[File], names: tuple[str | None, str | None], dtype: str | None
) -> ArrayPair:
    """An input and an output by their names, in one file or each in its own."""
    first, last = files[0], files[-1]
    before = "input" if names[0] is None else names[0]
    after = "output" if names[1] is None else names[1]
    if len(files) > 1:
        before = first.resolve_name(names[0], "input")
        after = last.resolve_name(names[1], "output")
    return pair_arrays(
        "output", stored_array(first, before, dtype), stored_array(last, after, dtype)
    )


def standard_arrays(
    file: File, dtype: str | None, layout: str
) -> tuple[tuple[ArrayPair, ...], StoredScores | None]:
    """The pairs and the scores of a file that uses the standard names."""
    load = cache(partial(stored_array, file, dtype=dtype))
    prefix = layout.replace("-", "_")
    pairs = []
    for name, before, outputs in STANDARD_PAIRS:
        names = (*outputs, f"{prefix}_rotated_{name}")
        after = next((output for output in names if output in file.arrays), None)
        if before in file.arrays and after is not None:
            pairs.append(pair_arrays(name, load(before), load(after)))
    scores = None
    of_scores = next((n for n in ("scores", f"{prefix}_scores") if n in file.arrays), None)
    if of_scores is not None and {"query", "key"} <= file.arrays.keys():
        array = stored_array(file, of_scores, dtype, least_width=1)
        scores = StoredScores(
            array.path, array.name, array.values, array.dtype, load("query"), load("key")
        )
    if not pairs and scores is None:
        missing = (outputs[0] for _, before, outputs in STANDARD_PAIRS if before in file.arrays)
        raise file.missing(next(missing, STANDARD_PAIRS[0][1]))
    return tuple(pairs), scores


def stored_array(
    file: File, name: str, dtype: str | None, least_width: int = LEAST_WIDTH
) -> StoredArray:
    """A required array, its last axis at least ``least_width`` wide."""
    values = file.load(name, ARRAY)
    kind = values.dtype.name
    if values.dtype.kind == "c":
        raise file.invalid(name, describe_dtype(kind), ARRAY)
    # Integers could be numbers, but two raw bytes are what ml_dtypes writes for bfloat16.
    if kind in BFLOAT16_STORAGE and dtype != "bfloat16" and values.dtype.kind != "V":
        raise file.invalid(name, describe_dtype(kind), words.BITS)
    stored = kind if kind in DTYPES else "float64"
    if kind in BFLOAT16_STORAGE:
        stored = "bfloat16"
    if dtype is not None and DTYPES[dtype] > DTYPES[stored]:
        raise file.invalid(name, describe_dtype(kind), dtypes_up_to(stored))
    if values.shape[-1] < least_width:
        raise file.invalid(name, describe_shape(values.shape), words.WIDE)
    return StoredArray(file.path, printable(name), values, dtype or stored)


def pair_arrays(name: str, before: StoredArray, after: StoredArray) -> ArrayPair:
    """Join an input and an output; refuse different shapes."""
    if before.shape != after.shape:
        accepted = words.same_shape(before.shape)
        raise invalid_array(after.path, after.name, describe_shape(after.shape), accepted)
    return ArrayPair(name, before, after)


def read_frequencies(path: str) -> NDArray[np.float64]:
    """Inverse frequencies ``[pairs]`` in radians per position, from a list in a file.

    Raises :class:`CannotRead`, :class:`InvalidArray` or :class:`MissingArray`.
    """
    file = File(path, words.LIST, numbers_in_line, MOST_FREQUENCIES)
    name = next((name for name in FREQUENCIES if name in file.arrays), None)
    if name is None:
        if len(file.arrays) != 1:
            raise file.missing(FREQUENCIES[0])
        name = next(iter(file.arrays))
    values = file.load(name, words.LIST)
    if values.ndim != 1 or values.size > MOST_FREQUENCIES:
        raise file.invalid(name, describe_shape(values.shape), words.LIST)
    # JSON gives int64. Integers of 16 bits could be bfloat16, so other integers are refused.
    if values.dtype.kind != "f" and values.dtype.name != "int64":
        raise file.invalid(name, describe_dtype(values.dtype.name), words.LIST)
    return StoredArray(path, printable(name), values, "float64").block(...)
