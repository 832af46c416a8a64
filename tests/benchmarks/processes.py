"""Whole processes beside the imports that they cannot do without: time and peak memory.

Modules are compiled before, output goes nowhere, and the environment is that of a user: threads are
not held to one here, nor is it forbidden to keep compiled modules.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.command import ONE_THREAD
from benchmarks.timing import in_turn, ratio, row, verdict

ROOT = Path(__file__).resolve().parent.parent.parent
LAUNCHER = Path(__file__).with_name("launch.py")
MEGABYTE = 10**6

# The greatest ratios of time and of memory that are aimed at.
Aims = tuple[float | None, float | None]


class Usage(NamedTuple):
    """What one process took."""

    seconds: float
    bytes: int


class Group(NamedTuple):
    """Commands, by their options, that are measured beside the same imports."""

    statement: str
    commands: dict[str, Aims]


GROUPS = (
    Group(
        "import numpy, click, rich.console, rich.table",
        {
            "": (1.7, 1.25),
            # The most coordinates that are taken, and half of them.
            "show norms -d 128 --positions 0:16384": (None, None),
            "show norms -d 128 --positions 0:32768": (None, None),
        },
    ),
    Group(
        "import click",
        {
            "-h": (1.35, None),
            "--version": (1.35, None),
            "list": (None, None),
            "completion bash": (1.35, None),
        },
    ),
)


def environment() -> dict[str, str]:
    """That of a user who runs this checkout."""
    unwanted = {*ONE_THREAD, "PYTHONDONTWRITEBYTECODE"}
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    paths = [str(ROOT), *filter(None, [kept.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(paths)}


def usage(words: list[str]) -> Usage:
    """What a process takes; one that fails is no measurement."""
    launched = subprocess.run(
        [sys.executable, "-I", "-S", str(LAUNCHER), *words],
        check=True,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    seconds, peak, code = launched.stdout.split()
    if code != "0":
        raise subprocess.CalledProcessError(int(code), words)
    return Usage(float(seconds), int(peak))


def measure(words: list[str]) -> Callable[[], Usage]:
    """A measure of one process."""
    return lambda: usage(words)


def command() -> list[str]:
    """The command as it is installed beside this Python, or else as a module."""
    script = Path(sys.executable).with_name("rope-report")
    return [str(script)] if script.exists() else [sys.executable, "-m", "rope_cli"]


def rows(group: Group, runs: int) -> Iterator[str]:
    """A row of time and one of memory for the imports and for each command."""
    imports = group.statement
    words = {imports: [sys.executable, "-c", imports]}
    aims: dict[str, Aims] = {imports: (None, None)}
    for options, aimed in group.commands.items():
        name = f"rope-report {options}".strip()
        words[name], aims[name] = [*command(), *options.split()], aimed
    taken = in_turn({name: measure(each) for name, each in words.items()}, runs)
    for name in taken:
        limit = name == imports
        for kind in (0, 1):
            own, least = ([usage[kind] for usage in taken[which]] for which in (name, imports))
            middle, beside = statistics.median(own), ratio(own, least)
            shown = f"{middle / MEGABYTE:.1f} MB" if kind else middle
            met = verdict(beside.median, aims[name][kind])
            yield row("" if kind else name, shown, "limit" if limit else str(beside), met)


def lines(runs: int) -> Iterator[str]:
    """A block of rows for each group."""
    if not hasattr(os, "wait4"):
        yield "  not measured: this system does not tell what a single process has taken"
        return
    missing = [name for name in ("click", "rich") if find_spec(name) is None]
    if missing:
        yield f"  {' and '.join(missing)} not installed: left out; pip install rope-report"
        return
    yield f"  The command is {' '.join(command())}; imports are run by python -c."
    for group in GROUPS:
        yield row("time, then memory", "median", "to the imports", "target")
        yield from rows(group, runs)
