"""Files of every kind before every option that takes one: read right, or refused in one line.

The readers are called in this process, so that thousands of damaged files take seconds. What a
reader gives back is enough: the report around it is tested elsewhere.
"""

from __future__ import annotations

import ast
import io
import json
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.checkout import ROOT

from rope_cli.classroom.answer_files import read_class
from rope_cli.classroom.kept_answers import read_progress
from rope_cli.errors import RopeError
from rope_cli.scaling.config import read_config
from rope_cli.user_input import array_files, file_contents
from rope_cli.user_input.command_errors import CannotRead
from rope_cli.user_input.rows import read_rows
from rope_cli.verify.read.named_arrays import read_arrays, read_frequencies

ROWS = np.array([[1.0, -0.5], [0.25, 2.0]])
CONFIG = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "max_position_embeddings": 512,
    "rope_theta": 1e4,
    "rope_scaling": {"rope_type": "linear", "factor": 2.0},
}


def binary(write: Callable[..., None], *arrays: Any, **named: Any) -> bytes:
    buffer = io.BytesIO()
    write(buffer, *arrays, **named)
    return buffer.getvalue()


FILES = {
    "npy": binary(np.save, ROWS),
    "npz": binary(np.savez, input=ROWS, output=-ROWS),
    "packed.npz": binary(np.savez_compressed, input=ROWS, output=-ROWS),
    "json": json.dumps({"input": ROWS.tolist(), "output": ROWS.tolist()}).encode(),
    "list.json": json.dumps(ROWS.tolist()).encode(),
    "csv": b"1,-0.5\n0.25,2e0\n",
    "config.json": json.dumps(CONFIG).encode(),
}


def whole(path: str, *names: str) -> list[Any]:
    """The arrays that ``verify`` finds in one file, or in the same file twice."""
    found = read_arrays([path] * (1 + (not names)))
    return [stored.block(...) for pair in found.pairs for stored in pair[1:]]


# Every option and argument that takes a file, as a reader of one path.
READERS: dict[str, Callable[[str], Any]] = {
    "--query": lambda path: read_rows("--query", path),
    "verify": lambda path: whole(path, "input"),
    "verify two": whole,
    "verify --frequencies": read_frequencies,
    "--config": read_config,
    "mark": lambda path: read_class(Path(path), "anna"),
    "--progress": lambda path: read_progress(path, None, again=False),
}


# Before the others these files are only bytes that are no UTF-8, or no array is asked for.
READERS_OF = {
    "npy": ("--query", "verify two", "verify --frequencies"),
    "npz": ("verify",),
    "packed.npz": ("verify",),
}


def damaged(data: bytes, step: int) -> Iterator[bytes]:
    """Every ``step``-th of all single flipped bits, and of all shorter files."""
    for place in range(0, 8 * len(data), step):
        changed = bytearray(data)
        changed[place // 8] ^= 1 << place % 8
        yield bytes(changed)
    for length in range(0, len(data), step):
        yield data[:length]


def assert_one_line(refusal: RopeError) -> None:
    for language in ("en", "ru"):
        sentence = refusal.sentence(language)
        assert sentence.isprintable() or BLANK in sentence
        assert sentence.splitlines() == [sentence]
        assert len(sentence) < 700


BLANK = "\u00a0"


def read_all_damaged(kind: str, step: int, folder: Path) -> tuple[int, int]:
    """Read every damaged file with every reader; how many were read and how many refused."""
    path = folder / f"a.{kind}"
    readers = [READERS[name] for name in READERS_OF.get(kind, READERS)]
    read = refused = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for data in damaged(FILES[kind], step):
            path.write_bytes(data)
            for reader in readers:
                try:
                    reader(str(path))
                except RopeError as refusal:
                    refused += 1
                    assert_one_line(refusal)
                else:
                    read += 1
    return read, refused


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_a_damaged_file_is_read_or_refused(kind: str, tmp_path: Path) -> None:
    """Some flipped bits and some shorter files: no traceback, no warning, one line."""
    assert min(read_all_damaged(kind, 37, tmp_path)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_every_flipped_bit_and_every_shorter_file(kind: str, tmp_path: Path) -> None:
    """All of them, before every option that takes a file."""
    assert min(read_all_damaged(kind, 1, tmp_path)) > 0


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("ending", [".npy", ".npz", ".json", ".csv"])
def test_an_end_of_memory_while_reading_is_told(
    reader: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``MemoryError`` anywhere below becomes the reason of the refusal."""

    def none_left(*given: Any, **named: Any) -> None:
        raise MemoryError

    data = {".npy": "npy", ".npz": "npz", ".json": "json", ".csv": "csv"}[ending]
    path = tmp_path / f"a{ending}"
    path.write_bytes(FILES[data])
    for place, name in (
        (np, "memmap"),
        (json, "loads"),
        (array_files, "read_bytes"),
        (array_files, "numbers_in_line"),
        (file_contents, "open_at_once"),
    ):
        monkeypatch.setattr(place, name, none_left)
    if reader == "--query" and ending == ".npz":
        pytest.skip("--query takes no .npz")
    with pytest.raises(RopeError) as refusal:
        READERS[reader](str(path))
    assert_one_line(refusal.value)


def test_rows_that_memory_cannot_hold_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the file is read, but not what becomes of it."""

    def none_left(*given: Any) -> None:
        raise MemoryError

    path = tmp_path / "a.npy"
    path.write_bytes(FILES["npy"])
    monkeypatch.setattr(np, "abs", none_left)
    with pytest.raises(CannotRead, match="there is not enough memory; accepted: rows of equal"):
        read_rows("--query", str(path))


# One room

# What opens, loads or parses a file, and the only files that may: those of the readers, and those
# that handle files of this program alone.
OPENING = {"open", "load", "loads", "loadtxt", "genfromtxt", "fromfile", "memmap", "read_bytes"}
OPENING |= {"read_text", "read_array", "ZipFile"}
MAY_OPEN = {
    "user_input/file_contents.py",
    "user_input/array_files.py",
    "user_input/files.py",
    "report/golden.py",
    "scaling/model_types.py",  # the data of the package itself
}
# Called by others, but defined by the readers.
READING = {"read_text", "read_bytes", "load"}


def test_files_are_opened_in_one_room() -> None:
    """A second reader would be hardened a second time, or not at all."""
    package = ROOT / "rope_cli"
    found = []
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or name in MAY_OPEN:
                continue
            called = node.func
            if isinstance(called, ast.Name) and called.id in OPENING - READING:
                found.append((name, called.id))
            if isinstance(called, ast.Attribute) and called.attr in OPENING:
                owner = ast.unparse(called.value)
                if (owner, called.attr) != ("file", "load"):
                    found.append((name, f"{owner}.{called.attr}"))
    # One closes streams, one reads what was just written, the others write into memory.
    assert found == [
        ("cli/streams.py", "os.open"),
        ("report/read_back.py", "json.loads"),
        ("verify/reference_vectors.py", "zipfile.ZipFile"),
        ("verify/reference_vectors.py", "archive.open"),
    ]


# Sizes


@pytest.mark.parametrize(
    ("reader", "ending", "size", "said"),
    [
        ("--query", ".csv", 2**26 + 1, "larger than 64 MiB: 67108865 bytes"),
        ("--query", ".json", 2**26 + 1, "larger than 64 MiB: 67108865 bytes"),
        ("verify", ".json", 2**26 + 1, "larger than 64 MiB: 67108865 bytes"),
        ("verify --frequencies", ".txt", 2**26 + 1, "larger than 64 MiB: 67108865 bytes"),
        ("--config", ".json", 2**22 + 1, "larger than 4 MiB: 4194305 bytes"),
        ("mark", ".csv", 2**20 + 1, "larger than 1 MiB: 1048577 bytes"),
    ],
)
def test_a_file_too_large_is_refused_unread(
    reader: str, ending: str, size: int, said: str, tmp_path: Path
) -> None:
    """Its size in bytes is told; a hole of a terabyte would be refused as fast."""
    path = tmp_path / f"a{ending}"
    with path.open("wb") as file:
        file.write(b"[1, ")
        file.truncate(size)
    with pytest.raises(CannotRead, match=said):
        READERS[reader](str(path))


@pytest.mark.parametrize(
    ("reader", "ending", "data", "said"),
    [
        ("--query", ".csv", b"0,0,0,0,0\n" * 2**20 + b"0", "more than 4194304 numbers"),
        ("--query", ".json", b"[" + b"0," * 2**22 + b"0]", "more than 4194304 numbers"),
        ("--query", ".npy", binary(np.save, np.zeros((2**21, 3), np.int8)), r"\[2097152, 3\]"),
        ("verify --frequencies", ".txt", b"1 " * 2**22, "more than 4194303 numbers"),
        ("verify --frequencies", ".json", b"[" + b"1," * 65_536 + b"1]", "more than 65536"),
    ],
)
def test_too_many_numbers_are_refused_before_they_are_read(
    reader: str, ending: str, data: bytes, said: str, tmp_path: Path
) -> None:
    """Counted by the commas and blanks between them, which takes no time and no memory."""
    path = tmp_path / f"a{ending}"
    path.write_bytes(data)
    start = time.process_time()
    with pytest.raises(RopeError, match=said) as refusal:
        READERS[reader](str(path))
    assert time.process_time() - start < 2
    assert_one_line(refusal.value)


def test_a_long_run_of_blanks_takes_no_time(tmp_path: Path) -> None:
    """Two numbers, and a megabyte of nothing between them: no pattern tries every blank."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"1" + b"\r" * 2**20 + b"0.5")
    start = time.process_time()
    assert read_frequencies(str(path)).tolist() == [1.0, 0.5]
    assert time.process_time() - start < 2


# Pipes


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("reader", READERS)
def test_a_pipe_without_a_writer_is_not_waited_for(reader: str, tmp_path: Path) -> None:
    """Refused within a second or two."""
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    with pytest.raises(CannotRead) as refusal:
        READERS[reader](str(path))
    assert_one_line(refusal.value)
    assert "no program writes to it" in str(refusal.value) or "regular file" in str(refusal.value)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("delays", [(0, 0), (0.2, 0), (0, 1.0)])
def test_a_pipe_with_a_writer_is_read_to_its_end(
    delays: tuple[float, float], tmp_path: Path
) -> None:
    """One that opens it a little later, and one that opens it and then takes its time."""
    path = tmp_path / "pipe.json"
    os.mkfifo(path)

    def write() -> None:
        time.sleep(delays[0])
        with path.open("wb") as pipe:
            time.sleep(delays[1])
            pipe.write(FILES["config.json"][:20])
            pipe.flush()
            time.sleep(0.05)
            pipe.write(FILES["config.json"][20:])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert read_config(str(path)).max_positions.value == 512
    finally:
        writer.join()
