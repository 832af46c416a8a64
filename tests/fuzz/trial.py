"""One case in this process: what the command does, and what is wrong with it."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import shutil
import signal
import traceback
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
from tools.computed_once import everything_computed_once

from fuzz.case import Case
from fuzz.classes import FOLDER, problem_of_marks
from rope_cli.cli.main import main

SECONDS, SECONDS_WAITING, MEMORY = 5, 60, 2**30
LONGEST_REFUSAL = 500
STANDARD = {
    *("empty", "rows.npy", "rows.json", "rows.csv", "turned.npz", "one.csv", "zip.npy"),
    *("config.json", "broken.json"),
}


class TooSlow(BaseException):
    """The command takes longer than it may."""


def prepare_folder() -> None:
    """Fill the current folder, an empty one, with what command lines name."""
    Path("empty").mkdir(exist_ok=True)
    np.save("rows.npy", np.eye(4))
    Path("rows.json").write_text("[[1, 0.5, -2, 3]]")
    Path("rows.csv").write_text("1,0,0,1\n")
    # Right whatever is expected of them, for a diagnosis takes too long to be made so often.
    np.savez("turned.npz", input=np.zeros((3, 4)), output=np.zeros((3, 4)))
    Path("one.csv").write_text("1\n")
    with zipfile.ZipFile("zip.npy", "w") as archive:
        archive.writestr("rows.npy", b"")
    Path("config.json").write_text(
        '{"head_dim": 8, "rope_theta": 1e4, "max_position_embeddings": 64,'
        ' "rope_scaling": {"rope_type": "linear", "factor": 2}}'
    )
    Path("broken.json").write_text('{"head_dim": [')


@contextlib.contextmanager
def own_folder(path: Path) -> Iterator[None]:
    """Try in this folder, which is there, and rewrite no golden file."""
    before = Path.cwd()
    os.chdir(path)
    try:
        prepare_folder()
        with patch.dict(os.environ, {"CI": "true", "PAGER": "cat"}), everything_computed_once():
            yield
    finally:
        os.chdir(before)


def problem_of(case: Case) -> str | None:
    """What is wrong with the command's answer to a case, in a line; ``None`` for nothing.

    The current folder is that of :func:`own_folder`.
    """
    for name, data in case.files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(data)
    try:
        code, out, err = outcome(case)
    except TooSlow:
        return f"takes more than {SECONDS} s"
    except BaseException as failure:  # what the command lets through is what is looked for
        place = traceback.extract_tb(failure.__traceback__)[-1]
        return f"{type(failure).__name__} at {Path(place.filename).name}:{place.name}: {failure}"
    finally:
        for name in case.files:
            Path(name).unlink(missing_ok=True)
        clean_up()
    problem = broken_promise(code, out, err, case.encoding)
    if problem is None and code == 0 and any(name.startswith(FOLDER) for name in case.files):
        problem = problem_of_marks(case, out.decode(case.encoding))
    return problem


def broken_promise(code: object, out: bytes, err: bytes, encoding: str) -> str | None:
    """0 or 1 with output and no complaint, or 2 with one line of complaint and no output."""
    if code == 2:
        line = err.decode(encoding)
        if out:
            return "a refusal with output"
        if not line.startswith("rope-report: ") or not line.endswith("\n"):
            return f"no line of refusal: {line!r}"
        if not line[:-1].isprintable() or len(line) >= LONGEST_REFUSAL:
            return f"a refusal that does not print, or is too long: {line!r}"
        if "not enough memory" in line or "не хватает памяти" in line:
            return f"takes more than {MEMORY} bytes"
        return None
    if code not in (0, 1):
        return f"exit code {code!r}"
    if err:
        return f"a complaint beside the report: {err!r}"
    out.decode(encoding)
    return None


def outcome(case: Case) -> tuple[int, bytes, bytes]:
    """Exit code, output and complaints of one command line in this process."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding=case.encoding, errors=errors, newline="\n")
        for errors in ("strict", "backslashreplace")
    )
    language = {} if case.language is None else {"ROPE_REPORT_LANG": case.language}
    with warnings.catch_warnings(), patch.dict(os.environ, language), limits():
        warnings.simplefilter("error")
        with patch("sys.stdout", out), patch("sys.stderr", err):
            code = main(case.words)
    out.flush()
    err.flush()
    return code, out.buffer.getvalue(), err.buffer.getvalue()


@contextlib.contextmanager
def limits() -> Iterator[None]:
    """Bound the time and the memory of what runs inside."""

    def too_slow(*_: object) -> None:
        raise TooSlow

    # The processor's seconds, for others may use it as well; and the clock's, for what waits.
    before = {
        number: signal.signal(number, too_slow) for number in (signal.SIGPROF, signal.SIGALRM)
    }
    allowed = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, allowed[1]))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(SECONDS_WAITING)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, allowed)
        for number, handler in before.items():
            signal.signal(number, handler)


def clean_up() -> None:
    """Remove what a case has left in the folder, which later cases would read."""
    for name in set(os.listdir()) - STANDARD:
        if os.path.isdir(name):
            shutil.rmtree(name)
        else:
            os.unlink(name)
