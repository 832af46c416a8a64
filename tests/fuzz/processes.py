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
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from tools.checkout import ROOT

COMMAND = (sys.executable, "-W", "error", "-m", "rope_cli")
LINES: tuple[tuple[str, ...], ...] = (
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
MEMORIES = tuple(range(200 * 10**6, 2001 * 10**6, 1800 * 10**6 // 19))
SECONDS = 300
REFUSAL = re.compile(rb"rope-report: [^\n]+\n")


class Answer(NamedTuple):
    """What a command leaves: its exit code, its standard output, and new files by their names."""

    code: int
    out: bytes
    files: Mapping[str, bytes] = {}


def fill(folder: Path) -> None:
    """Write the files that :data:`LINES` and the sweep of memory name."""
    data = ROOT / "tests" / "data"
    (folder / "model.json").write_bytes((data / "llama-3.1-8b.json").read_bytes())
    (folder / "other.json").write_bytes((data / "llama-3-8b.json").read_bytes())
    (folder / "answers.txt").write_bytes((data / "answers" / "anna.txt").read_bytes())
    rows = np.random.default_rng(1).standard_normal((32, 16, 64))
    np.savez_compressed(folder / "arrays.npz", input=rows, output=rows)
    np.save(folder / "rows.npy", np.ones((2000, 64)))
    (folder / "list.csv").write_text("".join(f"{10000 ** (-k / 32)}\n" for k in range(32)))


INPUTS = {"model.json", "other.json", "answers.txt", "arrays.npz", "rows.npy", "list.csv"}


class Process(subprocess.Popen[bytes]):
    """A process that does not outlive its trial."""

    def __exit__(self, *failure: Any) -> None:
        self.kill()  # Nothing to one that has ended.
        super().__exit__(*failure)


def start(words: tuple[str, ...], folder: str, **options: Any) -> Process:
    """Start the command in a folder that has the files of :data:`LINES`."""
    fill(Path(folder))
    unbuffered = options.pop("unbuffered", "")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
    options.setdefault("stdout", subprocess.PIPE)
    return Process(
        [*COMMAND, *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        **options,
    )


@cache
def right_answer(words: tuple[str, ...]) -> Answer:
    """What the command leaves where nothing is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        with start(words, folder) as process:
            out, _ = process.communicate(timeout=SECONDS)
        return Answer(process.returncode, out, new_files(folder))


def new_files(folder: str) -> dict[str, bytes]:
    """What a command has written."""
    return {
        path.name: path.read_bytes() for path in Path(folder).iterdir() if path.name not in INPUTS
    }


def wrong(words: tuple[str, ...], what: str, answer: Answer, err: bytes) -> str | None:
    """A sentence unless the answer is the right one, or exit code 2 with one line."""
    if answer == right_answer(words) and not err:
        return None
    if answer.code == 2 and REFUSAL.fullmatch(err) and not answer.files:
        return None
    return (
        f"{' '.join(words)}, {what}: exit code {answer.code}, {len(answer.out)} bytes, "
        f"{err[-300:]!r}, files {list(answer.files)}"
    )


def with_little_memory(words: tuple[str, ...], memory: int) -> str | None:
    """What is wrong with a command in so many bytes of addresses, if numpy itself can start."""
    if not numpy_starts(memory):
        return None
    with tempfile.TemporaryDirectory() as folder:
        limit = limited(resource.RLIMIT_AS, memory)
        with start(words, folder, preexec_fn=limit) as process:
            out, err = process.communicate(timeout=SECONDS)
        answer = Answer(process.returncode, out, new_files(folder))
    return wrong(words, f"with {memory / 2**20:.0f} MiB", answer, err)


@cache
def numpy_starts(memory: int) -> bool:
    """Whether numpy can be imported in so many bytes of addresses, and multiply matrices."""
    script = "import numpy, rich.console; x = numpy.ones((200, 200)); x @ x"
    process = subprocess.run(
        [sys.executable, "-c", script],
        preexec_fn=limited(resource.RLIMIT_AS, memory),
        capture_output=True,
        check=False,
    )
    # OpenBLAS goes on with fewer threads where it gets none, but says so.
    return not process.returncode and not process.stderr


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
    if Answer(code, bytes(out)) == right_answer(words) and not err:
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
        left = {*os.listdir(folder)} - {"out", "file"} - INPUTS
    if left:
        return f"{' '.join(words)}, {most} bytes at most: leaves {left}"
    return wrong(words, f"{most} bytes at most", Answer(process.returncode, out), err)


def with_signal(words: tuple[str, ...], number: signal.Signals, after: float) -> str | None:
    """What is wrong if a signal comes so many seconds after the start."""
    with tempfile.TemporaryDirectory() as folder:
        with start((*words, "-o", "file"), folder) as process:
            time.sleep(after)
            process.send_signal(number)
            _, err = process.communicate(timeout=SECONDS)
        left = {*os.listdir(folder)} - {"file"} - INPUTS
    what = f"{' '.join(words)}, {number.name} after {after:.3f} s"
    if left:
        return f"{what}: leaves {left}"
    # Before the command begins, an interrupt is Python's own.
    starting = b"rope_cli" not in err and number == signal.SIGINT
    if err and not starting:
        return f"{what}: {err[-300:]!r}"
    ends = {-number, 130 if number == signal.SIGINT else -number, right_answer(words).code}
    if process.returncode not in ends and not starting:
        return f"{what}: exit code {process.returncode}"
    return None


def random_process_problem(random: Random) -> str | None:
    """What is wrong with one command under one fault."""
    words = random.choice(LINES)
    kind = random.randrange(4)
    if kind == 0:
        return with_little_memory(words, random.choice(MEMORIES))
    unbuffered = random.choice(("", "1"))
    if kind == 1:
        return with_slow_reader(words, unbuffered, random.random() < 0.5)
    if kind == 2:
        most = random.choice((0, 1, 4096, 65_536, 2**20))
        return with_full_disk(words, unbuffered, most, random.random() < 0.5)
    return with_signal(words, random.choice(SIGNALS), random.random() ** 2)
