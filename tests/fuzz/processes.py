"""What only a process of its own meets: faulty streams, signals at any moment, little memory."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from tools.checkout import ROOT

COMMAND = (sys.executable, "-W", "error", "-m", "rope_cli")
LINES = (
    ("completion", "bash"),
    ("list", "--lang", "ru"),
    ("show", "norms", "--format", "json"),
    ("show", "chapter"),
    ("vectors", "-d", "32", "--positions", "0:400"),
    ("scaling", "model.json", "--rows", "all"),
    ("verify", "arrays.npz"),
    ("predict", "chapter"),
)
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LEAST_MEMORY, MOST_MEMORY, STEPS = 200 * 2**20, 2000 * 2**20, 20
SECONDS = 60
REFUSAL = re.compile(rb"rope-report: [^\n]+\n")


def start(words: tuple[str, ...], folder: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start the command in a folder that has the files of :data:`LINES`."""
    path = Path(folder)
    (path / "model.json").write_bytes((ROOT / "tests/data/llama-3.1-8b.json").read_bytes())
    rows = np.random.default_rng(1).standard_normal((32, 16, 64))
    np.savez_compressed(path / "arrays.npz", input=rows, output=rows)
    unbuffered = options.pop("unbuffered", "")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.Popen(
        [*COMMAND, *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        **options,
    )


@cache
def right_answer(words: tuple[str, ...]) -> tuple[int, bytes]:
    """Exit code and output where nothing is wrong."""
    with tempfile.TemporaryDirectory() as folder, start(words, folder) as process:
        out, _ = process.communicate(timeout=SECONDS)
    return process.returncode, out


def wrong(words: tuple[str, ...], what: str, code: int, out: bytes, err: bytes) -> str | None:
    """A sentence unless the answer is the right one, or exit code 2 with one line."""
    if (code, out) == right_answer(words) and not err:
        return None
    if code == 2 and REFUSAL.fullmatch(err):
        return None
    return f"{' '.join(words)}, {what}: exit code {code}, {len(out)} bytes, {err[-300:]!r}"


def with_little_memory(words: tuple[str, ...], memory: int) -> str | None:
    """What is wrong with a command in so many bytes of addresses, if numpy itself can start."""
    if not numpy_starts(memory):
        return None
    with (
        tempfile.TemporaryDirectory() as folder,
        start(words, folder, preexec_fn=limited(resource.RLIMIT_AS, memory)) as process,
    ):
        out, err = process.communicate(timeout=SECONDS)
    return wrong(words, f"with {memory / 2**20:.0f} MiB", process.returncode, out, err)


@cache
def numpy_starts(memory: int) -> bool:
    """Whether numpy can be imported in so many bytes of addresses, and multiply matrices."""
    script = "import numpy, rich.console; numpy.ones((64, 64)) @ numpy.ones((64, 64))"
    return not subprocess.run(
        [sys.executable, "-c", script],
        preexec_fn=limited(resource.RLIMIT_AS, memory),
        capture_output=True,
        check=False,
    ).returncode


def limited(what: int, most: int) -> Callable[[], None]:
    """Set a limit for the process that is about to start."""
    return lambda: resource.setrlimit(what, (most, most))


def with_slow_reader(words: tuple[str, ...], unbuffered: str, blocking: bool) -> str | None:
    """What is wrong if the reader of the pipe sleeps, and the pipe may not block."""
    reading, writing = os.pipe()
    os.set_blocking(writing, blocking)
    out = bytearray()
    with (
        tempfile.TemporaryDirectory() as folder,
        start(words, folder, stdout=writing, unbuffered=unbuffered) as process,
    ):
        os.close(writing)
        time.sleep(0.3)
        while part := os.read(reading, 30_000):
            out += part
        err = process.communicate(timeout=SECONDS)[1]
    os.close(reading)
    code = process.returncode
    what = f"slow reader, unbuffered {unbuffered!r}, blocking {blocking}"
    if (code, bytes(out)) == right_answer(words) and not err:
        return None
    return f"{' '.join(words)}, {what}: exit code {code}, {len(out)} bytes, {err[-300:]!r}"


def with_full_disk(words: tuple[str, ...], unbuffered: str, most: int, file: bool) -> str | None:
    """What is wrong if the file that standard output or -o is may have so many bytes."""
    limit = limited(resource.RLIMIT_FSIZE, most)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "out")
        with (
            path.open("wb") as stream,
            start(
                (*words, "-o", "file") if file else words,
                folder,
                stdout=stream,
                unbuffered=unbuffered,
                preexec_fn=limit,
            ) as process,
        ):
            err = process.communicate(timeout=SECONDS)[1]
        written = Path(folder, "file") if file else path
        out = written.read_bytes() if written.exists() else b""
        left = {*os.listdir(folder)} - {"out", "file", "model.json", "arrays.npz"}
    if left:
        return f"{' '.join(words)}, {most} bytes at most: leaves {left}"
    return wrong(words, f"{most} bytes at most", process.returncode, out, err)


def with_signal(words: tuple[str, ...], number: signal.Signals, after: float) -> str | None:
    """What is wrong if a signal comes so many seconds after the start."""
    with tempfile.TemporaryDirectory() as folder:
        with start((*words, "-o", "file"), folder) as process:
            time.sleep(after)
            process.send_signal(number)
            _, err = process.communicate(timeout=SECONDS)
        left = {*os.listdir(folder)} - {"file", "model.json", "arrays.npz"}
    what = f"{' '.join(words)}, {number.name} after {after:.3f} s"
    if left:
        return f"{what}: leaves {left}"
    # Before the command begins, an interrupt is Python's own.
    starting = b"rope_cli" not in err and number == signal.SIGINT
    if err and not starting:
        return f"{what}: {err[-300:]!r}"
    ends = {-number, 130 if number == signal.SIGINT else -number, right_answer(words)[0]}
    if process.returncode not in ends and not starting:
        return f"{what}: exit code {process.returncode}"
    return None


def random_process_problem(random: Random) -> str | None:
    """What is wrong with one command under one fault."""
    words = random.choice(LINES)
    kind = random.randrange(4)
    if kind == 0:
        step = (MOST_MEMORY - LEAST_MEMORY) // (STEPS - 1)
        return with_little_memory(words, LEAST_MEMORY + step * random.randrange(STEPS))
    unbuffered = random.choice(("", "1"))
    if kind == 1:
        return with_slow_reader(words, unbuffered, random.random() < 0.5)
    if kind == 2:
        most = random.choice((0, 1, 4096, 65_536, 2**20))
        return with_full_disk(words, unbuffered, most, random.random() < 0.5)
    return with_signal(words, random.choice(SIGNALS), random.random() ** 2)
