"""The arrays that ``rope-report verify`` is given: read exactly, or refused with one line."""

from __future__ import annotations

import io
import json
import math
import os
import pickle
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rope_cli.errors import RopeError
from rope_cli.user_input.array_refusals import InvalidArray, MissingArray
from rope_cli.user_input.command_errors import CannotRead, UnknownChoice
from rope_cli.verify.measure.expected import expected_plain
from rope_cli.verify.read.named_arrays import InputArrays, read_arrays, read_frequencies
from rope_cli.verify.read.stored_array import StoredArray, StoredScores
from rope_cli.verify.reference_vectors import as_json, as_npz, vectors_from

BEFORE = np.arange(24.0).reshape(2, 3, 4) / 8
AFTER = -BEFORE[..., ::-1]
Put = Callable[[str, bytes], str]  # a name and what is in the file; its path


def npz(compressed: bool = False, **arrays: Any) -> bytes:
    buffer = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(buffer, **arrays)
    return buffer.getvalue()


def npy(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def with_header(text: str, data: bytes, version: int = 1) -> bytes:
    """A .npy file with a header written by hand."""
    header = text.encode("latin1")
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


def as_text(**arrays: Any) -> bytes:
    listed = {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in arrays.items()
    }
    return json.dumps(listed).encode()


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def put(name: str, data: bytes) -> str:
        (tmp_path / name).write_bytes(data)
        return str(tmp_path / name)

    return put


def refused(
    kind: type[RopeError],
    said: str | tuple[str, ...],
    read: Callable[..., Any],
    *values: Any,
    **options: Any,
) -> RopeError:
    """The refusal: of this kind, one line in both languages, and with these words in English."""
    with pytest.raises(RopeError) as caught:
        read(*values, **options)
    error = caught.value
    assert isinstance(error, kind), error
    assert_one_line(error)
    assert "; accepted: " in str(error)
    assert "; допустимо: " in error.sentence("ru")
    for words in (said,) if isinstance(said, str) else said:
        assert words in str(error)
    return error


def assert_one_line(error: RopeError) -> None:
    for language in ("en", "ru"):
        assert error.sentence(language).splitlines() == [error.sentence(language)]
        assert len(error.sentence(language)) < 600


def whole_positions(found: InputArrays, pair: str = "output") -> Any:
    positions = found.positions.of(pair)
    assert positions is not None
    assert positions.dtype == np.int64
    return positions.tolist()


def whole(stored: StoredArray) -> Any:
    return stored.block(...).tolist()


# Formats


@pytest.mark.parametrize("name", ["a.npz", "a.npy", "a.json", "a", "a.pt"])
@pytest.mark.parametrize("kind", ["stored", "compressed", "json", "json with a mark"])
def test_one_file_gives_what_was_saved_in_it(kind: str, name: str, put: Put) -> None:
    """Known by its content, whatever its suffix; the values and the precision are as saved."""
    arrays: dict[str, Any] = {"input": BEFORE, "output": AFTER, "positions": np.array([5, 6, 9])}
    data = {
        "stored": npz(**arrays),
        "compressed": npz(compressed=True, **arrays),
        "json": as_text(**arrays),
        "json with a mark": b"\xef\xbb\xbf" + as_text(**arrays),
    }[kind]
    path = put(name, data)
    found = read_arrays([path])
    [(title, before, after)] = found.pairs
    assert title == "output"
    assert (before.name, before.path, before.dtype) == ("input", path, "float64")
    assert (whole(before), whole(after)) == (BEFORE.tolist(), AFTER.tolist())
    assert before.shape == (2, 3, 4)
    assert whole_positions(found) == [5, 6, 9]
    assert found.scores is None


@pytest.mark.parametrize("second", ["b.npy", "one.npz", "named.npz", "one.json", "bare.json"])
@pytest.mark.parametrize("first", ["b.npy", "one.npz", "named.npz", "one.json", "bare.json"])
def test_two_files_are_input_and_output(first: str, second: str, put: Put) -> None:
    """An array alone in its file needs no name; among others it has the standard one."""

    def data(name: str, array: Any, standard: str) -> bytes:
        return {
            "b.npy": npy(array),
            "one.npz": npz(x=array, positions=np.arange(3)),
            "named.npz": npz(x=np.zeros(3), **{standard: array}),
            "one.json": as_text(x=array, model="llama", width=4),
            "bare.json": json.dumps(array.tolist()).encode(),
        }[name]

    paths = [
        put(f"1{first}", data(first, BEFORE, "input")),
        put(f"2{second}", data(second, AFTER, "output")),
    ]
    found = read_arrays(paths)
    [(title, before, after)] = found.pairs
    assert (title, found.scores) == ("output", None)
    assert (whole(before), whole(after)) == (BEFORE.tolist(), AFTER.tolist())
    assert before.name == {"b.npy": "1b.npy", "bare.json": "1bare.json"}.get(
        first, "input" if first == "named.npz" else "x"
    )
    assert (not found.positions.arrays) == ("one.npz" not in (first, second))


@pytest.mark.parametrize("name", ["input", "output", "positions"])
def test_a_nameless_array_is_not_named_by_its_file(name: str, put: Put) -> None:
    """A file called ``positions`` without an array of that name holds no positions."""
    before, after = put(name, npy(BEFORE)), put("after", npy(AFTER))
    assert not read_arrays([before, after]).positions.arrays
    refused(MissingArray, "numpy.savez(FILE, input=", read_arrays, [before])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", ">f4", "<f2", ">f2", "<i4", ">u8", "i1"])
@pytest.mark.parametrize("compressed", [False, True])
def test_any_byte_and_axis_order_gives_the_same_blocks(
    compressed: bool, dtype: str, order: Any, put: Put
) -> None:
    """Blocks are float64 in C order; the type of integers is float64, of floats their own."""
    array = np.array(np.arange(24).reshape(2, 3, 4), dtype=dtype, order=order)
    path = put("a.npz", npz(compressed=compressed, pad=b"x" * 3, input=array, output=-array))
    stored = read_arrays([path]).pairs[0].before
    assert stored.values.flags.f_contiguous == (order == "F")
    block = stored.block((slice(None), slice(1, 3)))
    assert block.tolist() == np.arange(24).reshape(2, 3, 4)[:, 1:3].tolist()
    assert (block.dtype, block.flags.c_contiguous) == (np.dtype(np.float64), True)
    assert stored.dtype == {"f4": "float32", "f2": "float16"}.get(dtype[1:], "float64")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_every_version_of_the_header_is_read(version: int, put: Put) -> None:
    """Also one that Python 2 wrote, without a warning."""
    data = np.arange(8.0).tobytes()
    for shape in ("(2, 4)", "(2L, 4L)"):
        text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n"
        path = put("a.npy", with_header(text, data, version))
        [(_, before, _)] = read_arrays([path, path]).pairs
        assert whole(before) == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_bits_of_bfloat16(put: Put) -> None:
    """By hand: 3F80 is 1, C049 is -3.140625, 0001 is 2^-133; never read as whole numbers."""
    bits = np.array([[0x3F80, 0xC049, 0x0001, 0x8000]], np.uint16)
    for array in (bits, bits.view(np.int16), bits.astype(">u2")):
        path = put("a.npz", npz(input=array, output=array))
        stored = read_arrays([path], dtype="bfloat16").pairs[0].before
        assert stored.dtype == "bfloat16"
        assert whole(stored) == [[1.0, -3.140625, 2.0**-133, 0.0]]
        assert stored.block((0, 1)).tolist() == -3.140625
        for dtype in (None, "float32", "float16"):
            refused(InvalidArray, "--dtype bfloat16", read_arrays, [path], dtype=dtype)


# Memory


def test_what_lies_uncompressed_is_mapped_and_nothing_is_writable(put: Put) -> None:
    """A .npy file and the members of a .npz; what was compressed is in memory."""
    plain = put("a.npz", npz(input=BEFORE, output=AFTER))
    packed = put("b.npz", npz(compressed=True, input=BEFORE, output=AFTER))
    single = put("a.npy", npy(BEFORE))
    mapped = [*read_arrays([plain]).pairs[0][1:], *read_arrays([single, single]).pairs[0][1:]]
    read = read_arrays([packed]).pairs[0][1:]
    assert all(isinstance(stored.values, np.memmap) for stored in mapped)
    assert not any(isinstance(stored.values, np.memmap) for stored in read)
    for stored in (*mapped, *read):
        assert not stored.values.flags.writeable
        block = stored.block(...)
        assert type(block) is np.ndarray
        block[...] = 0  # a copy, the reader's own


def test_memory_is_that_of_the_blocks(put: Put) -> None:
    """32 MiB of float32 are opened, checked, read row by row and refused within 3 MiB."""
    big = np.ones((2**15, 256), np.float32)
    big[-1, 7] = np.nan
    paths = [put("a.npy", npy(big)), put("b.npz", npz(output=big))]
    tracemalloc.start()
    try:
        [(_, before, after)] = read_arrays(paths).pairs
        total = sum(float(stored.block(0).sum()) for stored in (before, after))
        refused(InvalidArray, "nan at [32767, 7]", after.block, slice(-1, None))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert total == 512
    assert peak < 3 * 2**20


def test_only_what_is_needed_is_read(put: Put) -> None:
    """Other arrays may be objects or damaged, other keys of JSON may be anything."""
    data = bytearray(npz(other=np.full(4, 7.0), input=BEFORE, output=AFTER, names=["a", "b"]))
    data[data.index(np.float64(7).tobytes())] ^= 1
    assert len(read_arrays([put("a.npz", bytes(data))]).pairs) == 1
    text = as_text(input=BEFORE, output=AFTER, model={"a": [None]}, key="layer 0", rows=[[1], []])
    assert len(read_arrays([put("a.json", text)]).pairs) == 1


# Names


NAMES = [
    ({"input", "output"}, ["output"]),
    ({"query", "rotated_query"}, ["query"]),
    ({"key", "key_output"}, ["key"]),
    ({"query", "query_output", "key", "rotated_key", "x"}, ["query", "key"]),
    ({"input", "output", "query", "rotated_query", "key"}, ["output", "query"]),
    ({"query", "key", "scores"}, []),
    ({"query", "key", "scores", "key_output"}, ["key"]),
]


@pytest.mark.parametrize("write", [npz, as_text])
@pytest.mark.parametrize(("names", "titles"), NAMES)
def test_standard_names_are_found(names: set[str], titles: list[str], write: Any, put: Put) -> None:
    """Each pair under its title, and scores with the query and the key they belong to."""
    arrays = {name: np.full((2, 4), float(at)) for at, name in enumerate(sorted(names))}
    found = read_arrays([put("a", write(**arrays))])
    assert [pair.name for pair in found.pairs] == titles
    for title, before, after in found.pairs:
        assert before.name == ("input" if title == "output" else title)
        expected = [f"rotated_{title}", f"{title}_output", "output"]
        assert after.name == next(name for name in expected if name in names)
        for stored in (before, after):
            assert whole(stored) == arrays[stored.name].tolist()
    assert (found.scores is not None) == ("scores" in names)
    if found.scores is not None:
        assert isinstance(found.scores, StoredScores)
        whose = found.scores, found.scores.query, found.scores.key
        assert [stored.name for stored in whose] == ["scores", "query", "key"]
        for stored in whose:
            assert whole(stored) == arrays[stored.name].tolist()


def test_the_rotated_name_comes_first(put: Put) -> None:
    """With both names of an output in the file, ``rotated_query`` counts."""
    path = put("a", npz(query=BEFORE, query_output=BEFORE, rotated_query=AFTER))
    assert read_arrays([path]).pairs[0].after.name == "rotated_query"


def test_scores_may_be_one_number_wide(put: Put) -> None:
    """One token has one score; the query must be two wide all the same."""
    row, score = np.ones((1, 4)), np.ones((1, 1))
    assert read_arrays([put("a", npz(query=row, key=row, scores=score))]).scores is not None
    path = put("b", npz(query=row[:, :1], key=row, scores=score))
    refused(InvalidArray, ('"query" is of shape [1, 1]', "width 2"), read_arrays, [path])


def test_names_that_are_given_count_alone(put: Put) -> None:
    """One of the two leaves the other standard; standard pairs are then not looked for."""
    arrays: dict[str, Any] = {"input": BEFORE, "output": AFTER, "a/x": BEFORE + 1, "y": AFTER - 1}
    more: dict[str, Any] = {"query": BEFORE, "key": BEFORE, "scores": BEFORE}
    path = put("a", npz(**arrays, **more, rotated_query=AFTER, positions=np.arange(3)))
    for names, expected in (
        (("a/x", "y"), ("a/x", "y")),
        (("a/x", None), ("a/x", "output")),
        ((None, "y"), ("input", "y")),
    ):
        found = read_arrays([path], *names)
        [(title, before, after)] = found.pairs
        assert (title, before.name, after.name) == ("output", *expected)
        assert whole(before) == arrays[before.name].tolist()
        assert found.scores is None
        assert whole_positions(found) == [0, 1, 2]
    [(_, before, after)] = read_arrays([path, path], "a/x", "y").pairs
    assert (before.name, after.name) == ("a/x", "y")
    single = put("b", npy(BEFORE))
    assert whole(read_arrays([single, path], "any", "y").pairs[0].before) == BEFORE.tolist()


def test_a_name_is_shown_harmless(put: Put) -> None:
    """Whatever the key in the file: on one line, and without what a terminal obeys."""
    odd: dict[str, Any] = {"output": BEFORE, "\n\x1b[31m": BEFORE}
    path = put("a", npz(**odd))
    assert read_arrays([path], "\n\x1b[31m").pairs[0].before.name == r"\n\x1b[31m"


@pytest.mark.parametrize(
    ("names", "options", "missing", "told"),
    [
        ({"a", "b"}, (), '"input"', '"a", "b"'),
        ({"input", "b"}, (), '"output"', '"b", "input"'),
        ({"query", "key"}, (), '"rotated_query"', '"key", "query"'),
        ({"query", "scores"}, (), '"rotated_query"', '"query", "scores"'),
        ({"input", "output"}, ("z", None), '"z"', '"input", "output"'),
        ({"input", "output"}, (None, ""), '""', '"input", "output"'),
        ({"input", "b"}, ("b", None), '"output"', '"b", "input"'),
        ({f"n{at:02}" for at in range(50)}, (), '"input"', '"n11", ...'),
        ({"\n\x1b[31m{}"}, (), '"input"', r'"\n\x1b[31m{}"'),
        (set(), (), '"input"', "numpy.savez"),
    ],
)
def test_a_missing_array_is_told_with_the_names_there_are(
    names: set[str], options: tuple[Any, ...], missing: str, told: str, put: Put
) -> None:
    """Harmless and not too many of them."""
    arrays: dict[str, Any] = {name: np.ones((2, 4)) for name in sorted(names)}
    for data in (npz(**arrays), as_text(**arrays)):
        path = put("a", data)
        error = refused(MissingArray, told, read_arrays, [path], *options)
        assert f"has no array {missing};" in str(error)


def test_two_files_of_several_arrays_need_the_names(put: Put) -> None:
    """Neither the standard name nor a single array: the file and the name are told."""
    path, single = put("a.npz", npz(a=BEFORE, b=AFTER)), put("b.npz", npz(c=BEFORE))
    refused(MissingArray, ("a.npz", '"input"'), read_arrays, [path, single])
    refused(MissingArray, ("a.npz", '"output"'), read_arrays, [single, path])
    refused(MissingArray, ("b.npz", '"d"', '"c"'), read_arrays, [single, single], "d")


# What is in the arrays


def test_what_is_not_finite_is_refused_with_its_index(put: Put) -> None:
    """The index in the whole array, however the block was asked for, with no warning."""
    array = np.zeros((1, 4, 3, 20), np.float32)
    array[0, 3, 2, 17] = np.nan
    array[0, 3, 2, 18] = np.inf
    stored = read_arrays([put("a", npz(input=array, output=array))]).pairs[0].before
    for index in (
        ...,
        (0, slice(1, 4)),
        (slice(None), slice(None, None, -1), 2, slice(10, None)),
        (0, 3, 2, 17),
        (..., slice(16, 18)),
        (0, [1, 3], 2),
        np.array([0]),
    ):
        refused(InvalidArray, '"input" is nan at [0, 3, 2, 17]', stored.block, index)
    refused(InvalidArray, "inf at [0, 3, 2, 18]", stored.block, (0, 3, 2, slice(18, 20)))
    assert stored.block((0, slice(0, 3))).shape == (3, 3, 20)


@pytest.mark.parametrize(
    ("dtype", "bits", "said"),
    [
        ("<u4", 0x7F800001, "nan"),
        ("<u8", 0x7FF0000000000001, "nan"),
        ("<u2", 0x7C01, "nan"),
        ("<u2", 0xFC00, "-inf"),
        ("<u4", 0xFF800000, "-inf"),
    ],
)
def test_a_signalling_nan_gives_no_warning(dtype: str, bits: int, said: str, put: Put) -> None:
    """Nor does any other; it is refused as what it is."""
    array = np.array([[0, bits]], dtype).view(dtype.replace("u", "f"))
    stored = read_arrays([put("a", npz(input=array, output=array))]).pairs[0].before
    refused(InvalidArray, f"{said} at [0, 1]", stored.block, ...)


def test_raw_bytes_of_bfloat16(put: Put) -> None:
    """As ml_dtypes writes them; the same bits as above, and no other dtype may be declared."""
    bits = np.array([[0x3F80, 0xC049, 0x0001, 0x8000]], np.uint16)
    for compressed in (False, True):
        path = put("a.npz", npz(compressed, input=bits.view("V2"), output=bits.view("V2")))
        for dtype in (None, "bfloat16"):
            stored = read_arrays([path], dtype=dtype).pairs[0].before
            assert stored.dtype == "bfloat16"
            assert whole(stored) == [[1.0, -3.140625, 2.0**-133, 0.0]]
        refused(InvalidArray, "--dtype bfloat16", read_arrays, [path], dtype="float16")


def test_bits_of_bfloat16_may_be_no_number(put: Put) -> None:
    """7F81, a signalling NaN, and FF80, minus infinity, are told with their index."""
    array = np.array([[0x3F80, 0x7F81], [0xFF80, 0]], np.uint16)
    path = put("a", npz(input=array, output=array))
    stored = read_arrays([path], dtype="bfloat16").pairs[0].before
    refused(InvalidArray, "nan at [0, 1]", stored.block, ...)
    refused(InvalidArray, "-inf at [1, 0]", stored.block, 1)


def test_whole_numbers_are_read_below_2_to_53(put: Put) -> None:
    """Beyond it float64 would change them."""
    for dtype in (np.int64, np.uint64):
        array = np.array([[0, 2**53 - 1], [2**53, 0]], dtype)
        stored = read_arrays([put("a", npz(input=array, output=array))]).pairs[0].before
        assert stored.block(0).tolist() == [0, 2**53 - 1]
        assert stored.dtype == "float64"
        refused(InvalidArray, "9007199254740992 at [1, 0]", stored.block, ...)
    lowest = np.array([-(2**63), 0])
    stored = read_arrays([put("a", npz(input=lowest, output=lowest))]).pairs[0].before
    refused(InvalidArray, "at [0]", stored.block, ...)


@pytest.mark.parametrize(
    ("stored", "declared", "accepted"),
    [
        ("float64", "bfloat16", True),
        ("float64", "float64", True),
        ("float32", "float16", True),
        ("float32", "float64", False),
        ("float16", "float32", False),
        ("float16", "bfloat16", True),
        ("int64", "float32", True),
        ("uint16", "float64", False),
    ],
)
def test_a_declared_precision_is_no_finer_than_the_stored_one(
    stored: str, declared: str, accepted: bool, put: Put
) -> None:
    """Values stay as they are; only the precision of the computation is told."""
    array = np.ones((2, 4), stored)
    path = put("a", npz(input=array, output=array))
    if accepted:
        found = read_arrays([path], dtype=declared).pairs[0].after
        assert (found.dtype, found.values.dtype.name) == (declared, stored)
        assert whole(found) == [[1.0] * 4] * 2
    else:
        refused(InvalidArray, f"of dtype {stored}", read_arrays, [path], dtype=declared)


def test_a_precision_that_nobody_has_is_refused(put: Put) -> None:
    """By the option that names it."""
    path = put("a", npz(input=BEFORE, output=AFTER))
    refused(UnknownChoice, ("--dtype", "bfloat16"), read_arrays, [path], dtype="int8")


OTHER_TYPES = {
    "bool": np.ones((2, 4), bool),
    "complex128": np.ones((2, 4), complex),
    "str32": np.array([["1", "2"]]),
    "bytes8": np.array([[b"1", b"2"]]),
    "datetime64": np.array([["2020-01-01", "2020-01-02"]], "datetime64[D]"),
    "void": np.zeros((2, 4), [("{a", "<f8"), ("b}", "<f4")]),
    "void24": np.zeros((2, 4), "V3"),
    "longdouble or float128": np.ones((2, 4), np.longdouble),
    "object": np.array([[1, None]], object),
}


@pytest.mark.parametrize("name", OTHER_TYPES)
@pytest.mark.parametrize("compressed", [False, True])
def test_other_types_are_refused(compressed: bool, name: str, put: Put) -> None:
    """Alone in a file or in company, by the name of the type."""
    array = OTHER_TYPES[name]
    if array.dtype.itemsize == 8 and name.startswith("longdouble"):
        pytest.skip("a long double is a double here")
    path = put("a", npz(compressed=compressed, input=array, output=array))
    single = put("b", npy(array))
    for paths in ([path], [single, single]):
        error = refused(InvalidArray, "of dtype ", read_arrays, paths)
        assert any(each in str(error) for each in name.split(" or "))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0), (0, 4), (1,) * 8 + (2,), (1,), (3, 1)])
@pytest.mark.parametrize("write", [npz, as_text])
def test_shapes_that_hold_no_pair_are_refused(write: Any, shape: tuple[int, ...], put: Put) -> None:
    """No axis, too many, an empty one, or a last one of width 1."""
    array = np.ones(shape)
    path = put("a", write(input=array, output=array))
    if write is as_text and shape == ():
        refused(MissingArray, (), read_arrays, [path])
    else:
        # In JSON an empty axis hides what is within it.
        told = "of shape [" if write is as_text else f"of shape {list(shape)};"
        refused(InvalidArray, ('"input"', told), read_arrays, [path])


def test_shapes_of_few_and_of_many_axes_are_read(put: Put) -> None:
    """One row alone, and eight axes."""
    for shape in ((2,), (1,) * 7 + (2,)):
        for write in (npz, as_text):
            array = np.ones(shape)
            path = put("a", write(input=array, output=array))
            assert read_arrays([path]).pairs[0].before.shape == shape


def test_shapes_must_agree(put: Put) -> None:
    """Both shapes are told, and the file and the array of the second."""
    pair = npz(query=BEFORE, rotated_query=AFTER[:1], key=BEFORE, rotated_key=AFTER)
    told = '"rotated_query" is of shape [1, 3, 4]; accepted: the shape of the input, [2, 3, 4]'
    refused(InvalidArray, told, read_arrays, [put("a", pair)])
    paths = [put("b.npy", npy(BEFORE)), put("c.npy", npy(AFTER.reshape(2, 12)))]
    refused(InvalidArray, 'c.npy": "c.npy" is of shape [2, 12]', read_arrays, paths)


GOOD_POSITIONS: dict[str, Any] = {
    "int8": np.array([0, 1, 127], np.int8),
    "uint16": np.array([0, 1, 65535], np.uint16),
    "float16": np.array([0, 1, 2048], np.float16),
    "big-endian": np.array([3, 2, 1], ">i4"),
    "farthest": np.array([0, 2**53], np.uint64),
    "floats": np.array([-0.0, 7.0, 2.0**53]),
    "batch": np.array([[0, 1, 2], [4, 5, 6]], order="F"),
    "padding on the left": np.array([-2, -1, 0, 1], np.int16),
    "lowest": np.array([-(2**53), -1.0]),
}


@pytest.mark.parametrize("name", GOOD_POSITIONS)
@pytest.mark.parametrize("write", [npz, as_text])
def test_positions_are_whole_numbers(write: Any, name: str, put: Put) -> None:
    """Of any type that holds them, for all sequences or for each of a batch."""
    positions = GOOD_POSITIONS[name]
    path = put("a", write(input=BEFORE, output=AFTER, positions=positions))
    found = read_arrays([path])
    assert found.positions.linear_factor == 1
    assert whole_positions(found) == positions.tolist()


FRACTIONS: dict[str, tuple[Any, list[int], float]] = {
    "quarters": (np.array([0, 0.25, 0.5, 1.25]), [0, 1, 2, 5], 4),
    "negative": (np.array([-0.5, 0, 1.5], np.float16), [-1, 0, 3], 2),
    "thirds": (np.arange(7) / 3, [0, 1, 2, 3, 4, 5, 6], 3),
    "thirds in float32": ((np.arange(900, 907) / 3).astype("f4"), list(range(900, 907)), 3),
    "by 2.5": (np.array([0, 0.4, 0.8, 1.2]), [0, 1, 2, 3], 2.5),
    "by 10/3, times 3": (np.array([2, 5, 9]) * 0.3, [2, 5, 9], 10 / 3),
    "from 1000 on": (1000 + np.array([0, 0.5, 1]), [2000, 2001, 2002], 2),
    "one alone": (np.array([0.125]), [1], 8),
    "frames in seconds": (np.arange(3001) / 30, list(range(3001)), 30),
    "whole ones first": (np.array([1, 2, 2.5]), [2, 4, 5], 2),
    "above one": (np.array([1.5, 3, 4.5]), [2, 4, 6], 4 / 3),
}


@pytest.mark.parametrize("name", FRACTIONS)
def test_fractions_are_whole_positions_and_linear_scaling(name: str, put: Put) -> None:
    """By the smallest factor that makes them whole, whatever their dtype rounded off."""
    positions, expected, factor = FRACTIONS[name]
    one = np.ones((len(positions), 4), "f4")
    found = read_arrays([put("a", npz(input=one, output=one, positions=positions))])
    assert whole_positions(found) == expected
    assert found.positions.linear_factor == factor


def test_what_rounding_left_of_fractions_is_kept_for_finer_arrays(put: Put) -> None:
    """float32 thirds before float64 arrays are the floats that they are, by a power of two."""
    positions = (np.arange(7) / 3).astype("f4")
    one = np.ones((7, 4))
    found = read_arrays([put("a", npz(input=one, output=one, positions=positions))])
    factor = found.positions.linear_factor
    assert math.log2(factor) % 1 == 0
    assert (np.array(whole_positions(found)) / factor).tolist() == positions.tolist()


def test_any_floats_are_positions_of_float32_arrays(put: Put) -> None:
    """Times of arrival, say: to 53 bits of the farthest."""
    positions = np.sort(np.random.default_rng(5).uniform(0, 300, 40))
    one = np.ones((40, 4), "f4")
    found = read_arrays([put("a", npz(input=one, output=one, positions=positions))])
    read = np.array(whole_positions(found)) / found.positions.linear_factor
    assert np.abs(read - positions).max() < 1e-12


def test_queries_and_keys_have_positions_of_their_own(put: Put) -> None:
    """Fractions among any of them scale all; without its own an array has those of all."""
    row, rows = np.ones((1, 4)), np.ones((3, 4))
    arrays: dict[str, Any] = {"query": row, "rotated_query": row, "key": rows, "rotated_key": rows}
    path = put("a", npz(**arrays, query_positions=[1.5], key_positions=[0, 1, 2]))
    found = read_arrays([path])
    assert (whole_positions(found, "query"), whole_positions(found, "key")) == ([3], [0, 2, 4])
    assert found.positions.of("output") is None
    path = put("b", npz(**arrays, query_positions=[7], position_ids=[5, 6, 7]))
    found = read_arrays([path])
    assert (whole_positions(found, "query"), whole_positions(found, "key")) == ([7], [5, 6, 7])


BAD_POSITIONS = {
    "-9007199254740993 at [1]": np.array([0, -(2**53) - 1]),
    "not multiples of one fraction": np.array([1e-9, math.pi * 1e9]),
    "nan at [1]": np.array([0, np.nan]),
    "inf at [1]": np.array([0, np.inf], np.float16),
    "9007199254740993 at [1, 0]": np.array([[1], [2**53 + 1]]),
    "18446744073709551615 at [0]": np.array([2**64 - 1], np.uint64),
    "of dtype bool": np.array([True, False]),
    "of dtype complex64": np.array([1], np.complex64),
    "of shape []": np.array(3),
    "of shape [0]": np.array([]),
    "of shape [1, 1, 2]": np.array([[[0, 1]]]),
}


@pytest.mark.parametrize("said", BAD_POSITIONS)
def test_other_positions_are_refused(said: str, put: Put) -> None:
    """With the first that is wrong and where, also when they come with one of two files."""
    positions = BAD_POSITIONS[said]
    path = put("a", npz(input=BEFORE, output=AFTER, positions=positions))
    for paths in ([path], [path, path]):
        error = refused(InvalidArray, f'"positions" is {said};', read_arrays, paths)
        assert "numbers from -2^53 to 2^53" in str(error)


@pytest.mark.parametrize(
    "text", ["[9007199254740993]", "[-9007199254740993]",
             "[1" + "0" * 25 + "]", "3", '"0:3"', "null", "true",
             "{}", "[true]", "[0, [1]]", "[NaN]", "[1e999]", "[]"]
)  # fmt: skip
def test_positions_in_json_are_never_passed_over(text: str, put: Put) -> None:
    """What is no list of positions is refused, and not taken for something else."""
    listed = as_text(input=BEFORE, output=AFTER)[:-1].decode()
    path = put("a", f'{listed}, "positions": {text}}}'.encode())
    refused(InvalidArray, '"positions" is ', read_arrays, [path])


# Files that are not what they should be


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[1, 2], [3]]', "rows of unequal length"),
        ('[1, [2, 3]]', "not of numbers"),
        ('[["1", "2"]]', "not of numbers"),
        ("[[true, 1]]", "not of numbers"),
        ("[[null, 1]]", "not of numbers"),
        ("[{}, 1]", "not of numbers"),
        ("[[1, 1" + "0" * 400 + "]]", "not of numbers"),
        ("[[]]", "of shape [1, 0]"),
        ("[" * 70 + "1" + "]" * 70, ""),
    ],
)  # fmt: skip
def test_json_is_read_strictly(text: str, said: str, put: Put) -> None:
    """Nested lists of numbers, and nothing that could be taken for them."""
    path = put("a", f'{{"input": {text}, "output": [[1, 2]]}}'.encode())
    refused(InvalidArray, ('"input" is ', said), read_arrays, [path])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[NaN, 1]]", "nan at [0, 0]"),
        ("[[1, 2], [3, -Infinity]]", "-inf at [1, 1]"),
        ("[[1, 1e999]]", "inf at [0, 1]"),
    ],
)
def test_what_is_not_finite_in_json_is_refused_when_it_is_read(
    text: str, said: str, put: Put
) -> None:
    """With its index, as in every other file."""
    path = put("a", f'{{"input": {text}, "output": {text}}}'.encode())
    stored = read_arrays([path]).pairs[0].before
    refused(InvalidArray, f'"input" is {said}', stored.block, ...)


BAD_TEXTS = {
    "empty": (b"", "it is empty"),
    "blank": (b" \n", "it is empty"),
    "words": (b"hello", "line 1, column 1"),
    "cut": (b'{"input": [[1,', "it is not JSON at line 1"),
    "twice": (b'{"input": [[1, 2]], "input": [[1, 3]]}', "given twice"),
    "latin": (b'{"\xe9": 1}', "does not begin as a .npz or .npy file does"),
    "png": (b"\x89PNG\r\n\x1a\n", "does not begin as a .npz or .npy file does"),
    "deep": (b"[" * 100_000, "nested too deeply"),
    "many digits": (b'{"input": [[1' + b"0" * 6000 + b", 1]]}", "too many digits"),
    "deep lists": (b'{"input": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
}


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_a_text_that_is_no_json_is_refused(name: str, put: Put) -> None:
    """With the place where it stops being JSON, or what else is wrong."""
    data, said = BAD_TEXTS[name]
    path = put("a.npz", data)
    refused(CannotRead, said, read_arrays, [path])
    refused(CannotRead, said, read_arrays, [path, path])


def test_too_long_a_text_is_refused(tmp_path: Path) -> None:
    """Beyond 64 MiB, without reading on."""
    path = tmp_path / "a.json"
    with path.open("wb") as file:
        file.write(b"[")
        file.truncate(2**26 + 1)
    refused(CannotRead, "larger than 64 MiB", read_arrays, [str(path)])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    """A missing file, a directory, and a pipe to which nobody writes."""
    os.mkfifo(tmp_path / "pipe")
    for name, said in (
        ("none", "no such file"),
        ("", "it is a directory"),
        ("pipe", "not a regular file"),
        ("n" * 300, "too long"),
        ("a\0b", "no file can have this name"),
    ):
        path = str(tmp_path / name)
        refused(CannotRead, said, read_arrays, [path])
        refused(CannotRead, said, read_frequencies, path)


def test_a_member_that_asks_for_gigabytes_is_refused(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An LZMA header names the memory that unpacking takes, and four damaged bytes name 3.7 GB."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        for name in ("input", "output"):
            archive.writestr(f"{name}.npy", npy(np.arange(8.0).reshape(2, 4)))
    data = bytearray(buffer.getvalue())
    assert (
        everything(put("whole.npz", bytes(data)), "npz")
        == [[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]] * 2
    )
    begin = 30 + len("input.npy")
    assert data[begin + 2 : begin + 5] == b"\x05\x00\x5d"
    data[begin + 5 : begin + 9] = struct.pack("<I", 3_700_000_000)
    unpacked: list[bool] = []
    monkeypatch.setattr(zipfile, "LZMADecompressor", lambda: unpacked.append(True))
    refused(CannotRead, '"input" in it is damaged', everything, put("huge.npz", bytes(data)), "npz")
    assert unpacked == []


class Harmful:
    """A pickle of it makes a directory when it is loaded."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (self.path,)


def test_no_pickle_is_ever_opened(tmp_path: Path, put: Put) -> None:
    """Neither alone, nor in an array, nor in what torch.save writes."""
    harmful = Harmful(str(tmp_path / "made"))
    array = np.array([harmful, harmful], object)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(harmful))
        archive.writestr("archive/data/0", b"1234")
    for data in (
        *(pickle.dumps(harmful, protocol) for protocol in range(6)),
        npy(array, allow_pickle=True),
        npz(input=array, output=array),
        npz(compressed=True, input=array, output=array),
        buffer.getvalue(),
    ):
        path = put("a.pt", data)
        for paths in ([path], [path, path]):
            with pytest.raises(RopeError):
                read_arrays(paths)
        with pytest.raises(RopeError):
            read_frequencies(path)
    assert not (tmp_path / "made").exists()


def test_a_file_of_torch_is_told_what_to_save_instead(put: Put) -> None:
    """A zip with data.pkl, or a pickle of any protocol since 2."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("x/data.pkl", b"\x80\x02.")
    for data in (buffer.getvalue(), b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.", b"\x80"):
        path = put("a.pth", data)
        told = "numpy.savez(FILE, input=..., output=...)"
        error = refused(CannotRead, ("PyTorch", told), read_arrays, [path])
        assert "pickle может выполнить чужой код" in error.sentence("ru")


BAD_HEADERS = {
    "more than there is": ("'<f8'", "(2, 5)", "according to its header, but of "),
    "less than there is": ("'<f8'", "(2, 3)", "according to its header, but of "),
    "very much": ("'<f8'", "(1000000000000, 1000)", "according to its header, but of "),
    "beyond any": ("'<f8'", f"({'9' * 4000}, 4)", "according to its header, but of "),
    "negative": ("'<f8'", "(-2, -4)", "of shape [-2, -4]"),
    "empty but large": ("'<f8'", f"(0, {'9' * 4000})", "of shape "),
    "no tuple": ("'<f8'", "8", "damaged"),
    "call": ("'<f8'", "__import__('os')", "damaged"),
    "no type": ("'nonsense'", "(2, 4)", "damaged"),
    "objects": ("'|O'", "(8,)", "of dtype object"),
    "subarray": ("('<f8', (2, 2))", "(2,)", "of dtype "),
    "brackets": ("'<f8'", "(" * 300 + ")" * 300, ""),
    "long": ("'<f8'", "(2, 4)" + " " * 20_000, "damaged"),
    "escape": (r"'\d'", "(2, 4)", "damaged"),
}


@pytest.mark.parametrize("name", BAD_HEADERS)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_header_is_not_believed(zipped: bool, name: str, put: Put) -> None:
    """Whatever it claims, it reserves no memory and is refused."""
    descr, shape, said = BAD_HEADERS[name]
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n"
    data = with_header(text, np.arange(8.0).tobytes(), 2)
    if zipped:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("input.npy", data)
            archive.writestr("output.npy", npy(AFTER))
        paths = [put("a", buffer.getvalue())]
    else:
        paths = [put("a", data)] * 2
    tracemalloc.start()
    try:
        with pytest.raises(RopeError) as caught:
            read_arrays(paths)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert said in str(caught.value)
    assert_one_line(caught.value)
    assert peak < 2 * 2**20


def test_unknown_versions_and_long_headers_are_refused(put: Put) -> None:
    """A header of gigabytes is not read, and a version of the future is not guessed."""
    text = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }\n"
    for data in (
        with_header(text, bytes(64), 4),
        with_header(text, bytes(64), 0),
        b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + text.encode(),
    ):
        path = put("a", data)
        refused(CannotRead, "damaged", read_arrays, [path, path])


@pytest.mark.parametrize("compressed", [False, True])
def test_damage_of_the_data_is_found(compressed: bool, put: Put) -> None:
    """One changed bit in any array that is needed: the checksum of the .npz tells."""
    arrays = {"input": np.arange(40_000.0).reshape(-1, 4), "positions": np.arange(10_000)}
    data = bytearray(npz(compressed=compressed, **arrays, output=arrays["input"]))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            at = info.header_offset + info.compress_size - 50
            data[at] ^= 4
            path = put("a.npz", bytes(data))
            refused(CannotRead, "damaged", read_arrays, [path])
            data[at] ^= 4
    assert read_arrays([put("a.npz", bytes(data))]).pairs


def test_checksums_of_zip_are_compared_to_the_end(put: Put) -> None:
    """The last byte of an array counts as well, wherever the array lies."""
    for compressed in (False, True):
        data = bytearray(npz(compressed=compressed, input=BEFORE, output=AFTER))
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            start = data.index(b"PK\x01\x02")
            assert archive.infolist()[0].filename == "input.npy"
        data[start + 16] ^= 1  # the checksum in the directory itself
        path = put("a.npz", bytes(data))
        refused(CannotRead, "damaged", read_arrays, [path])


def test_what_unpacks_to_too_much_is_refused(put: Put) -> None:
    """A compressed member that claims more than 10^8 bytes is not unpacked."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("input.npy", npy(BEFORE))
        archive.writestr("output.npy", npy(AFTER))
        archive.filelist[0].file_size = 10**8 + 1
    path = put("a", buffer.getvalue())
    refused(InvalidArray, ('"input"', "100000001 bytes", "10^8"), read_arrays, [path])


@pytest.mark.parametrize("change", [-8, 8])
def test_a_directory_that_lies_about_a_size_is_refused(change: int, put: Put) -> None:
    """A mapped array never reaches into what follows it in the file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        promised = npy(np.arange(8 + change / 8))
        archive.writestr("input.npy", promised[:128] + np.arange(8.0).tobytes())
        archive.writestr("output.npy", promised)
        archive.filelist[0].file_size += change
    path = put("a", buffer.getvalue())
    with pytest.raises(RopeError):
        read_arrays([path])


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_arrays_of_one_name_are_refused(put: Put) -> None:
    """Which of them was meant nobody knows."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in ("input", "output", "input"):
            archive.writestr(f"{name}.npy", npy(BEFORE))
    path = put("a", buffer.getvalue())
    refused(CannotRead, "given twice", read_arrays, [path])


def test_a_zip_of_other_things_has_no_arrays(put: Put) -> None:
    """It is told what numpy would have written."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<xml/>")
    path = put("a.docx", buffer.getvalue())
    refused(MissingArray, "numpy.savez", read_arrays, [path])
    refused(MissingArray, "a list of 1 to 65536", read_frequencies, path)


WHOLE_FILES = {
    "stored": npz(input=BEFORE, output=AFTER, positions=np.arange(3)),
    "compressed": npz(compressed=True, input=BEFORE, output=AFTER, positions=np.arange(3)),
    "npy": npy(BEFORE.astype(">f4")),
    "json": as_text(input=BEFORE, output=AFTER, positions=np.arange(3)),
}


def everything(path: str, name: str) -> list[Any]:
    found = read_arrays([path] * (2 if name == "npy" else 1))
    return [whole(stored) for pair in found.pairs for stored in pair[1:]]


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE_FILES)
def test_a_file_cut_anywhere_is_refused(name: str, put: Put) -> None:
    """At every length: never a traceback, never a part for the whole."""
    data = WHOLE_FILES[name]
    assert everything(put("whole", data), name)
    for length in range(len(data)):
        path = put("cut", data[:length])
        with pytest.raises(RopeError) as caught:
            everything(path, name)
        assert_one_line(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE_FILES)
@settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(flips=st.lists(st.tuples(st.integers(0, 2**16), st.integers(1, 255)), min_size=1))
def test_damaged_bytes_give_arrays_or_a_refusal(
    name: str, flips: list[tuple[int, int]], put: Put
) -> None:
    """Whatever is changed, nothing but a refusal is raised."""
    data = bytearray(WHOLE_FILES[name])
    for at, bits in flips:
        data[at % len(data)] ^= bits
    path = put("damaged", bytes(data))
    for read in (lambda path: everything(path, name), read_frequencies):
        try:
            read(path)
        except RopeError as error:
            assert_one_line(error)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stored", "compressed"])
def test_no_single_byte_of_a_npz_changes_what_is_read(name: str, put: Put) -> None:
    """Every byte in turn: what is read is what was saved, or nothing."""
    data, saved = bytearray(WHOLE_FILES[name]), [BEFORE.tolist(), AFTER.tolist()]
    for at in range(len(data)):
        data[at] ^= 0x11
        with suppress(RopeError):
            assert everything(put("damaged", bytes(data)), name) == saved
        data[at] ^= 0x11


# Frequencies


@pytest.mark.parametrize(
    "data",
    [
        b"[1, 0.25, 1e-2]",
        b'{"inverse_frequencies": [1, 0.25, 0.01], "inv_freq": [2]}',
        b'{"base": 10000, "inv_freq": [1.0, 0.25, 0.01]}',
        b'{"theta": [1.0, 0.25, 0.01], "base": 1}',
        b"1,0.25,0.01",
        b"1 0.25\t 1e-2\n",
        b"\xef\xbb\xbf1.0\r\n0.25\r\n0.01\r\n",
        b"1, 0.25,\n0.01",
        npy(np.array([1, 0.25, 0.01])),
        npy(np.array([1, 0.25, 0.01], ">f8")),
        npz(inv_freq=np.array([1, 0.25, 0.01]), other=np.ones(3)),
        npz(compressed=True, anything=np.array([1, 0.25, 0.01])),
    ],
)
def test_frequencies_are_read_from_any_list(data: bytes, put: Put) -> None:
    """Known by content as well; float64 in memory."""
    found = read_frequencies(put("list", data))
    assert (found.dtype, found.tolist()) == (np.dtype(np.float64), [1.0, 0.25, 0.01])
    assert type(found) is np.ndarray


def test_narrow_frequencies_are_widened(put: Put) -> None:
    """float32 and float16 give the very numbers that they hold."""
    for dtype in (np.float32, np.float16):
        array = np.array([1, 0.3], dtype)
        assert read_frequencies(put("a", npy(array))).tolist() == array.tolist()
    assert read_frequencies(put("a", b"[1, 2]")).tolist() == [1.0, 2.0]


BAD_LISTS: dict[str, tuple[bytes, type[RopeError]]] = {
    "nothing": (b"", CannotRead),
    "blank": (b"\n", InvalidArray),
    "empty list": (b"[]", InvalidArray),
    "words": (b"one two", InvalidArray),
    "a gap": (b"1,,2", InvalidArray),
    "a comment": (b"# theta\n1", InvalidArray),
    "nan": (b"1 nan", InvalidArray),
    "infinite": (b"1 1e999", InvalidArray),
    "infinite in JSON": (b"[1, Infinity]", InvalidArray),
    "underscores": (b"1_0", InvalidArray),
    "truth": (b"[true]", InvalidArray),
    "strings": (b'["1"]', InvalidArray),
    "rows": (b"[[1, 2]]", InvalidArray),
    "too many": (b"1 " * 65_537, InvalidArray),
    "too large": (b"[18014398509481984]", InvalidArray),
    "two lists": (b'{"a": [1], "b": [1]}', MissingArray),
    "no list": (b'{"inv_freq": 1}', MissingArray),
    "latin": (b"\xe9", CannotRead),
    "cut": (b"[1, 2", CannotRead),
    "table": (npy(np.ones((2, 2))), InvalidArray),
    "number": (npy(np.float64(1)), InvalidArray),
    "integers": (npy(np.ones(3, np.int32)), InvalidArray),
    "bits": (npy(np.ones(3, np.uint16)), InvalidArray),
    "truths": (npy(np.ones(3, bool)), InvalidArray),
    "not finite": (npy(np.array([1, np.nan])), InvalidArray),
    "long": (npy(np.ones(65_537)), InvalidArray),
    "two arrays": (npz(a=np.ones(2), b=np.ones(2)), MissingArray),
    "cut array": (npy(np.ones(3))[:-1], InvalidArray),
}


@pytest.mark.parametrize("name", BAD_LISTS)
def test_other_lists_of_frequencies_are_refused(name: str, put: Put) -> None:
    """With what is accepted."""
    data, kind = BAD_LISTS[name]
    path = put("list.txt", data)
    refused(kind, "list.txt", read_frequencies, path)


def test_the_longest_list_is_read(put: Put) -> None:
    """65536 numbers, in text and in binary."""
    for data in (b"1 " * 65_536, npy(np.ones(65_536, np.float32))):
        assert len(read_frequencies(put("a", data))) == 65_536


@pytest.mark.parametrize("kind", ["npy", "npz"])
def test_a_file_cut_while_it_is_read_is_refused(kind: str, put: Put) -> None:
    """What lies in a mapping beyond the end of its file would end the process without a word."""
    rows = np.ones((9000, 8))
    data = npy(rows) if kind == "npy" else npz(input=rows, output=rows)
    path = put(f"a.{kind}", data)
    [(_, before, after)] = read_arrays([path] * (1 + (kind == "npy"))).pairs
    assert np.array_equal(after.block(...), rows)
    os.truncate(path, len(data) - 9000)
    refused(CannotRead, "it became shorter while it was read", after.block, ...)
    if kind == "npz":  # the other array lies before the cut
        assert np.array_equal(before.block(...), rows)


def test_what_is_unpacked_may_be_cut_while_it_is_read(put: Put) -> None:
    """Compressed arrays are in memory."""
    rows = np.ones((9000, 8))
    path = put("a.npz", npz(compressed=True, input=rows, output=rows))
    [(_, before, after)] = read_arrays([path]).pairs
    os.truncate(path, 0)
    assert np.array_equal(before.block(...), after.block(...))


# Files of this program


def test_reference_vectors_are_read(put: Put) -> None:
    """What ``rope-report vectors`` writes is what ``verify`` reads, in both formats."""
    vectors = vectors_from(expected_plain(8, 8, 1e4, "adjacent"), (5, 6, 9))
    for data in (as_npz(vectors), "".join(as_json(vectors)).encode()):
        path = put("vectors", bytes(data))
        found = read_arrays([path], "query", "half_split_rotated_query")
        [(_, before, after)] = found.pairs
        assert np.array_equal(before.block(...), vectors["query"])
        assert np.array_equal(after.block(...), vectors["half_split_rotated_query"])
        assert whole_positions(found) == [5, 6, 9]
        assert np.array_equal(read_frequencies(path), vectors["inverse_frequencies"])
