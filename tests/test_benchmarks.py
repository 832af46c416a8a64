"""The benchmarks compare like with like, in turn, and say what they have measured."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from benchmarks import (
    command,
    diagnoses,
    growth,
    kernel,
    machine,
    one_token,
    peers,
    plain,
    processes,
    tables,
    timing,
)
from benchmarks.peer_calls import PEERS, Peer, angles
from tools.checkout import ROOT

from rope_cli.rope.tables import RotaryEmbedding

LIBRARIES = {"jax", "onnx", "onnxruntime", "rotary_embedding_torch", "torch", "transformers"}
LAYOUTS = ("adjacent", "half-split")
DTYPES = ("float32", "float64")


def rows_of(shape: tuple[int, ...], dtype: str = "float64") -> Any:
    return np.random.default_rng(3).standard_normal(shape).astype(dtype)


def peer(prepare: Callable[[Any], Any], layout: str = "adjacent") -> Peer:
    return Peer("a library", layout, (), DTYPES, prepare)


def our_way(x: Any, layout: str = "adjacent", offset: int = 0, **more: Any) -> Any:
    tokens = x.shape[-2] + offset
    return RotaryEmbedding(x.shape[-1], tokens, 10000.0, layout).rotate(x, offset, **more)


def test_spread_is_median_and_quartiles() -> None:
    """Of the numbers from 1 to 11 the quartiles are 3 and 9, in whatever order they come."""
    values = [11, 2, 9, 4, 7, 6, 5, 8, 3, 10, 1]
    assert timing.spread(values) == timing.Spread(3, 6, 9)
    assert str(timing.spread(values)) == "6.00 (3.00 to 9.00)"


def test_times_are_compared_within_their_round() -> None:
    """A machine that is slow in some rounds changes no ratio of times that were slowed alike."""
    limits = [1.0, 8.0, 2.0, 64.0, 4.0]
    assert timing.ratio([3 * each for each in limits], limits) == timing.Spread(3, 3, 3)
    assert timing.difference([5 + each for each in limits], limits) == timing.Spread(5, 5, 5)


def test_median_of_ratios_is_no_ratio_of_medians() -> None:
    """The result is the median of 1, 2 and 9, not what the medians 4 and 1 would give."""
    assert timing.ratio([4.0, 2.0, 9.0], [4.0, 1.0, 1.0]).median == 2


def test_rounds_of_different_number_are_not_compared() -> None:
    """A time without a limit of its own round is a mistake."""
    with pytest.raises(ValueError, match="shorter"):
        timing.ratio([1.0, 2.0, 3.0], [1.0, 2.0])


def test_contestants_run_in_turn() -> None:
    """Each runs once in each round, in the given order; a round that is not kept goes before."""
    order: list[str] = []

    def measure(name: str) -> Callable[[], int]:
        def note() -> int:
            order.append(name)
            return len(order)

        return note

    measured = timing.in_turn({name: measure(name) for name in "abc"}, 3)
    assert "".join(order) == "abc" * 4
    assert measured == {"a": [4, 7, 10], "b": [5, 8, 11], "c": [6, 9, 12]}


def test_clock_counts_measured_calls_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is the mean of the calls after the first, which takes longer."""
    clock = SimpleNamespace(now=0.0, pace=8.0)
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: clock.now))

    def run() -> None:
        clock.now += clock.pace
        clock.pace = 0.5

    assert timing.stopwatch(run, calls=4)() == 0.5


def test_targets_are_met_or_missed() -> None:
    """A median at its target is ok, one above it is over, and without a target nothing is said."""
    assert timing.verdict(1.5, 1.5) == "at most 1.50: ok"
    assert timing.verdict(1.6, 1.5) == "at most 1.50: over"
    assert timing.verdict(1.6, None) == ""


def test_rows_show_time_ratio_and_target() -> None:
    """A row has the name, the median time, the ratio with its quartiles and the target."""
    times = {"limit": [0.001] * 11, "ours": [0.002] * 11}
    limit, ours = timing.ratio_rows(times, "limit", {"ours": 1.5})
    assert limit.split() == ["limit", "1.0", "ms", "limit"]
    assert " ".join(ours.split()) == "ours 2.0 ms 2.00 (2.00 to 2.00) at most 1.50: over"


@pytest.mark.slow
@pytest.mark.parametrize("runs", ["10", "0"])
def test_too_few_runs_are_refused(runs: str) -> None:
    """Fewer than eleven runs are refused in one line, before anything is measured."""
    process = subprocess.run(
        [sys.executable, "tests/benchmarks", "--runs", runs],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert process.returncode == 2
    assert process.stdout == ""
    assert process.stderr == f"--runs is {runs}; at least 11 are needed\n"


def test_sections_are_chosen_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only what is asked for is run; a target that is missed changes no exit code."""
    for name in command.ONE_THREAD:
        monkeypatch.setenv(name, "4")
    over = timing.row("a row", 0.001, timing.verdict(9, 1))
    monkeypatch.setattr(tables, "lines", lambda runs: iter([f"{runs} runs", over]))
    assert command.main(["--only", "tables", "--runs", "12"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == machine.first_line(12)
    assert printed[2:] == ["", f"tables: {str(tables.__doc__).splitlines()[0]}", "12 runs", over]
    assert {name: os.environ[name] for name in command.ONE_THREAD} == command.ONE_THREAD


@pytest.mark.parametrize(
    ("section", "smaller", "rows"),
    [
        (kernel, {"CASES": (kernel.Case((2, 3, 4), ("float32",), {}),)}, 22),
        (one_token, {"CALLS": 1}, 36),
        (tables, {"POSITIONS": 16}, 5),
        (growth, {"POSITIONS": (1, 2), "WIDTHS": (2, 4), "VALIDATIONS": 1, "LENGTH": 1}, 26),
        pytest.param(diagnoses, {"INPUTS": 6, "MOST_NUMBERS": 2**8}, 8, marks=pytest.mark.slow),
        (processes, {"usage": lambda words: processes.Usage(0.1, 10**7)}, 21),
    ],
    ids=lambda value: str(getattr(value, "__name__", "")),
)
def test_section_runs_to_its_end(
    section: Any, smaller: dict[str, Any], rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each section gives a title for each block and a row for each contestant, at any size."""
    monkeypatch.setattr(timing, "SETTLING", 0.0)
    for name, value in smaller.items():
        monkeypatch.setattr(section, name, value)
    printed = list(section.lines(11))
    assert len(printed) == rows
    assert all(line.startswith("  ") and line == line.rstrip() for line in printed)


@pytest.mark.parametrize("backward", [False, True], ids=["forward", "transpose"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_plain_numpy_rotates_as_we_do(layout: str, dtype: str, backward: bool) -> None:
    """Every form that the kernel is measured beside has the same result."""
    x = rows_of((2, 3, 5, 8), dtype)
    embedding = RotaryEmbedding(8, 7, 10000.0, layout)
    expected = (embedding.rotate_transpose if backward else embedding.rotate)(x)
    out = np.empty_like(x)
    runs = kernel.contestants(x, out, embedding, backward)
    assert len(runs) == 3 + len(plain.FORMS[layout])
    for name in runs.keys() - {kernel.COPY, kernel.PASS}:
        out.fill(np.nan)
        runs[name]()
        np.testing.assert_allclose(out, expected, rtol=0, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("backward", [False, True], ids=["forward", "transpose"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_token_is_turned_alike(layout: str, dtype: str, backward: bool) -> None:
    """What a call is measured beside turns the token to the same position."""
    x = rows_of(one_token.SHAPE, dtype)
    embedding = RotaryEmbedding(x.shape[-1], one_token.POSITIONS, one_token.BASE, layout)
    turn = embedding.rotate_transpose if backward else embedding.rotate
    expected = turn(x, one_token.POSITION)
    out = np.empty_like(x)
    runs = one_token.contestants(x, out, embedding, backward)
    same = {one_token.OURS, one_token.PRODUCT if layout == "adjacent" else one_token.HALVES}
    for name in same:
        out.fill(np.nan)
        runs[name]()
        np.testing.assert_allclose(out, expected, rtol=0, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_library_that_agrees_is_measured(layout: str, dtype: str) -> None:
    """Each result of a call is looked at, and counted as one rotation."""
    x = rows_of((1, 2, 6, 8), dtype)
    twice = peer(lambda x: lambda: [our_way(x, layout)] * 2, layout)
    assert peers.prepared(twice, x)[1] == 2
    taken = peers.measured([twice], layout, x, 1, 11)
    assert {name: len(times) for name, times in taken.items()} == {
        peers.OUT: 11,
        peers.NEW: 11,
        "a library": 11,
    }


@pytest.mark.parametrize("tokens", [1, 6])
@pytest.mark.parametrize(
    "other",
    [
        lambda x: x,
        lambda x: our_way(x, "half-split"),
        lambda x: our_way(x, offset=1),
        lambda x: our_way(x) * 1.001,
        lambda x: our_way(x) * np.nan,
        lambda x: our_way(x)[..., :-2],
        lambda x: our_way(x.astype(np.float32)),
        lambda x: RotaryEmbedding(x.shape[-1], x.shape[-2], 500000.0).rotate(x),
    ],
    ids=["nothing", "layout", "offset", "length", "nan", "shape", "dtype", "base"],
)
def test_library_that_differs_is_refused(other: Callable[[Any], Any], tokens: int) -> None:
    """A library that does something else is not measured, not even with one token at position 0."""
    x = rows_of((1, 2, tokens, 8))
    with pytest.raises(peers.DifferentRotation, match="a library"):
        peers.prepared(peer(lambda x: lambda: [other(x)]), x)
    with pytest.raises(peers.DifferentRotation, match="a library"):
        peers.prepared(peer(lambda x: lambda: [our_way(x), other(x)]), x)


def test_angles_of_libraries_are_ours() -> None:
    """Libraries that are handed their angles get those of our table."""
    table = RotaryEmbedding(8, 50, 10000.0)
    ours = np.arange(50)[:, np.newaxis] * table.inverse_frequencies
    np.testing.assert_allclose(angles(rows_of((1, 1, 50, 8))), ours, rtol=1e-14)


def test_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that is not installed is left out, in one line that says how to get it."""
    absent = Peer("absent", "adjacent", ("no_such_library",), DTYPES, lambda x: lambda: [x])
    monkeypatch.setattr(peers, "PEERS", (absent, absent))
    assert list(peers.lines(11)) == [
        "  no-such-library is not installed: left out; pip install 'rope-report[bench]'"
    ]


def test_faster_library_is_called_faster() -> None:
    """Each library has a line beside ours with an array of results and one beside ours without."""
    times = {peers.OUT: [2.0] * 11, peers.NEW: [4.0] * 11, "a library": [3.0] * 11}
    *_, beside_out, beside_new = peers.compared(times)
    assert beside_out.endswith(f"1.50 (1.50 to 1.50)     slower than {peers.OUT}")
    assert beside_new.endswith(f"0.75 (0.75 to 0.75)     FASTER than {peers.NEW}")


@pytest.mark.slow
def test_no_library_is_imported_before_it_is_measured() -> None:
    """Every module can be imported with numpy alone, the command line without it."""
    program = (
        "import pkgutil, sys, benchmarks, benchmarks.command\n"
        "print('numpy' in sys.modules)\n"
        "for found in pkgutil.iter_modules(benchmarks.__path__, 'benchmarks.'):\n"
        "    __import__(found.name)\n"
        "print(*sorted(name for name in sys.modules if '.' not in name))\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT)])},
        capture_output=True,
        check=True,
        text=True,
    )
    early, modules = process.stdout.splitlines()
    assert early == "False"
    assert "numpy" in modules.split()
    assert not LIBRARIES & set(modules.split())
    assert {name for each in PEERS for name in each.needs} <= LIBRARIES


def test_same_bits_are_more_than_equal_numbers() -> None:
    """Tables whose zeros differ in sign are different."""
    assert tables.same_bits(np.array([1.0, 0.0]), np.array([1.0, 0.0]))
    assert not tables.same_bits(np.array([1.0, 0.0]), np.array([1.0, -0.0]))
    assert not tables.same_bits(np.array([1.0]), np.array([np.nextafter(1.0, 2.0)]))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="the system does not tell it")
def test_memory_is_that_of_the_process_alone() -> None:
    """However much memory the benchmarks have used, a small process is small, a large one large."""
    here = np.ones(25_000_000)
    small = processes.usage([sys.executable, "-c", "pass"])
    large = processes.usage([sys.executable, "-c", "bytearray(100_000_000)"])
    assert small.bytes < 60_000_000 < 100_000_000 < large.bytes < here.nbytes
    assert min(small.seconds, large.seconds) > 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "wait4"), reason="the system does not tell it")
def test_process_that_fails_is_no_measurement() -> None:
    """A command that does not work is not reported as a quick one."""
    with pytest.raises(subprocess.CalledProcessError):
        processes.usage([sys.executable, "-c", "raise SystemExit(3)"])


def test_processes_run_as_those_of_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have their threads, may keep compiled modules, and are of this checkout."""
    for name in (*command.ONE_THREAD, "PYTHONDONTWRITEBYTECODE"):
        monkeypatch.setenv(name, "1")
    found = processes.environment()
    assert not found.keys() & {*command.ONE_THREAD, "PYTHONDONTWRITEBYTECODE"}
    assert found["PYTHONPATH"].split(os.pathsep)[0] == str(ROOT)


@pytest.mark.slow
def test_machine_is_described(tmp_path: Any) -> None:
    """The processor's model and its data caches are read where the system has them."""
    info = tmp_path / "cpuinfo"
    info.write_text("processor\t: 0\nmodel name\t: Some Model: 2 GHz\n")
    assert machine.processor(info) == "Some Model: 2 GHz"
    assert machine.processor(tmp_path / "absent") != ""
    for index, words in enumerate(("1 Data 48K", "1 Instruction 32K", "2 Unified 2048K")):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, word in zip(("level", "type", "size"), words.split(), strict=True):
            (folder / name).write_text(f"{word}\n")
    (tmp_path / "index3").mkdir()
    assert machine.caches(tmp_path) == "L1 48K, L2 2048K"
    assert machine.caches(tmp_path / "absent") == ""
