"""Cases in forked workers: random ones for a time, or a sweep to its end.

What is wrong is made small and kept.
"""

from __future__ import annotations

import argparse
import mmap
import os
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count as count_from
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from subprocess import TimeoutExpired

from fuzz.case import CASES, Case, keep
from fuzz.classes import random_class
from fuzz.files import random_file_case
from fuzz.lines import random_line
from fuzz.processes import random_process_problem
from fuzz.sweeps import damage_sweep, memory_sweep
from fuzz.trial import own_folder, problem_of

KINDS: dict[str, Callable[[Random], Case]] = {
    "lines": random_line,
    "files": random_file_case,
    "classes": random_class,
}
# After so many cases, of each kind in its turn, a worker starts a process, which takes as long.
TURN = tuple(KINDS)
CASES_TO_A_PROCESS = 400
ONLY = ("cases", "classes", "processes", "memory", "damage")
# A case for this process, or a trial that starts one of its own.
Trial = Case | Callable[[], str | None]
MOST_TRIES, MOST_SECONDS = 200, 30


@dataclass(frozen=True)
class Board:
    """What a worker says of itself in shared memory, so that its death loses nothing.

    Numbers of lines, files and processes tried, of problems, and of the trial at hand.
    """

    memory: mmap.mmap
    FORM = struct.Struct("5q")

    def read(self, worker: int) -> tuple[int, ...]:
        """The five numbers of a worker."""
        return self.FORM.unpack_from(self.memory, worker * self.FORM.size)

    def write(self, worker: int, numbers: list[int]) -> None:
        """Replace them."""
        self.FORM.pack_into(self.memory, worker * self.FORM.size, *numbers)


def case_of(seed: int, number: int, turn: Sequence[str] = TURN) -> Case:
    """The case of a number; the same seed always makes the same."""
    kind = turn[number % len(turn)]
    return KINDS[kind](Random(f"{seed} {kind} {number}"))


def trials(only: str | None, seed: int, worker: int, workers: int) -> Iterator[Trial]:
    """What a worker tries: random cases and processes, one of the two, or its share of a sweep."""
    if only in ("memory", "damage"):
        sweep: Iterator[Trial] = memory_sweep() if only == "memory" else damage_sweep()
        yield from islice(sweep, worker, None, workers)
        return
    for number in count_from(worker, workers):
        if only != "processes":
            yield case_of(seed, number)
        if only == "processes" or (only is None and number // workers % CASES_TO_A_PROCESS == 0):
            yield partial(random_process_problem, Random(f"{seed} process {number}"))


def smallest(case: Case, problem: str, problem_of: Callable[[Case], str | None]) -> Case:
    """A case with fewer words and bytes that has a problem of the same kind."""
    kind = problem.partition(":")[0]
    tries, end = 0, time.monotonic() + MOST_SECONDS

    def still_fails(smaller: Case) -> bool:
        nonlocal tries
        tries += 1
        if tries > MOST_TRIES or time.monotonic() > end:
            return False
        found = problem_of(smaller)
        return found is not None and found.partition(":")[0] == kind

    for count in (1, 2, 1):  # An option goes with its value.
        for index in reversed(range(len(case.words))):
            words = case.words[:index] + case.words[index + count :]
            smaller = replace(case, words=words)
            if words != case.words and still_fails(smaller):
                case = smaller
    for name in case.files:
        size = len(case.files[name]) // 2
        while size:
            for begin in reversed(range(0, len(case.files[name]), size)):
                data = case.files[name]
                shorter = data[:begin] + data[begin + size :]
                smaller = replace(case, files={**case.files, name: shorter})
                if still_fails(smaller):
                    case = smaller
            size //= 2
    return case


def problem_of_process(trial: Callable[[], str | None]) -> str | None:
    """What is wrong with a trial that starts a process, which may not end."""
    try:
        return trial()
    except TimeoutExpired as failure:
        return str(failure)


def work(trials: Iterator[Trial], end: float, board: Board, worker: int, folder: Path) -> None:
    """Try one after another until none is left or the time is over."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    counts = [0, 0, 0, 0, 0]
    with tempfile.TemporaryDirectory() as home, own_folder(Path(home)):
        for trial in trials:
            if time.monotonic() > end:
                break
            board.write(worker, counts)
            if isinstance(trial, Case):
                kind = 1 if trial.files else 0
                problem = problem_of(trial)
                if problem:
                    keep(smallest(trial, problem, problem_of), problem, folder)
            else:
                kind = 2
                problem = problem_of_process(trial)
                if problem:
                    print(problem, file=sys.stderr, flush=True)
            counts[kind] += 1
            counts[3] += problem is not None
            counts[4] += 1
        board.write(worker, counts)


def try_for(
    seconds: float, workers: int, seed: int, folder: Path = CASES, only: str | None = None
) -> list[int]:
    """Numbers of lines, files and processes tried, and of problems, which stand in ``folder``."""
    board = Board(mmap.mmap(-1, Board.FORM.size * workers))
    end = time.monotonic() + seconds
    children = {}
    for worker in range(workers):
        child = os.fork()
        if not child:
            try:
                work(trials(only, seed, worker, workers), end, board, worker, folder)
            except BaseException as failure:
                print(f"worker {worker}: {failure!r}", file=sys.stderr)
                os._exit(3)
            os._exit(0)
        children[child] = worker
    totals = [0, 0, 0, 0]
    for child, worker in children.items():
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        numbers = board.read(worker)
        totals = [total + count for total, count in zip(totals, numbers, strict=False)]
        if status:
            # It died of its case: a crash, or memory that the system did not give.
            [trial] = islice(trials(only, seed, worker, workers), numbers[4], numbers[4] + 1)
            if isinstance(trial, Case):
                keep(trial, f"the process ends with {status}", folder)
            totals[3] += 1
    return totals


def main(words: list[str]) -> int:
    """Run for the minutes given; exit code 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=None, help="by default the clock's")
    parser.add_argument("--only", choices=ONLY, help="memory and damage run to their end")
    chosen = parser.parse_args(words)
    seed = int(time.time()) if chosen.seed is None else chosen.seed
    seconds = inf if chosen.only in ("memory", "damage") else 60 * chosen.minutes
    begin = time.monotonic()
    lines, files, processes, problems = try_for(seconds, chosen.workers, seed, only=chosen.only)
    print(
        f"seed {seed}: {lines:,} command lines, {files:,} files and classes, "
        f"{processes:,} processes in {time.monotonic() - begin:.0f} s; {problems:,} problems"
    )
    if problems:
        print(f"The cases are in {CASES}; the suite tries them from now on.")
    return 1 if problems else 0
