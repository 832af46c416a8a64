"""As many cases as fit into the time, in forked workers; what is wrong is made small and kept."""

from __future__ import annotations

import argparse
import mmap
import os
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from fuzz.case import CASES, Case, keep
from fuzz.files import random_file_case
from fuzz.lines import random_line
from fuzz.processes import random_process_problem
from fuzz.trial import own_folder, problem_of

KINDS: dict[str, Callable[[Random], Case]] = {"lines": random_line, "files": random_file_case}
# Two files to a line; one worker in so many of its cases starts a process.
TURN = ("lines", "files", "files")
CASES_TO_A_PROCESS = 150
MOST_TRIES, MOST_SECONDS = 200, 30


@dataclass(frozen=True)
class Board:
    """What a worker says of itself in shared memory, so that its death loses nothing.

    Numbers of lines, files and processes tried, of problems, and of the case at hand.
    """

    memory: mmap.mmap
    FORM = struct.Struct("5q")

    def read(self, worker: int) -> tuple[int, ...]:
        """The five numbers of a worker."""
        return self.FORM.unpack_from(self.memory, worker * self.FORM.size)

    def write(self, worker: int, numbers: list[int]) -> None:
        """Replace them."""
        self.FORM.pack_into(self.memory, worker * self.FORM.size, *numbers)


def case_of(seed: int, number: int) -> Case:
    """The case of a number; the same seed always makes the same."""
    kind = TURN[number % len(TURN)]
    return KINDS[kind](Random(f"{seed} {kind} {number}"))


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


def work(worker: int, workers: int, seed: int, end: float, board: Board, folder: Path) -> None:
    """Try cases until the time is over: those whose number is the worker's own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    counts = [0, 0, 0, 0, worker]
    number = worker
    with tempfile.TemporaryDirectory() as home, own_folder(Path(home)):
        while time.monotonic() < end:
            counts[4] = number
            board.write(worker, counts)
            case = case_of(seed, number)
            problem = problem_of(case)
            if problem is not None:
                keep(smallest(case, problem, problem_of), problem, folder)
                counts[3] += 1
            counts[0 if TURN[number % len(TURN)] == "lines" else 1] += 1
            if number % CASES_TO_A_PROCESS == 0:
                counts[2] += 1
                found = random_process_problem(Random(f"{seed} process {number}"))
                if found:
                    print(found, file=sys.stderr, flush=True)
                    counts[3] += 1
            number += workers
        board.write(worker, counts)


def try_for(seconds: float, workers: int, seed: int, folder: Path = CASES) -> list[int]:
    """Numbers of lines, files and processes tried, and of problems, which stand in ``folder``."""
    board = Board(mmap.mmap(-1, Board.FORM.size * workers))
    end = time.monotonic() + seconds
    children = {}
    for worker in range(workers):
        child = os.fork()
        if not child:
            try:
                work(worker, workers, seed, end, board, folder)
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
            keep(case_of(seed, numbers[4]), f"the process ends with {status}", folder)
            totals[3] += 1
    return totals


def main(words: list[str]) -> int:
    """Run for the minutes given; exit code 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=None, help="by default the clock's")
    chosen = parser.parse_args(words)
    seed = int(time.time()) if chosen.seed is None else chosen.seed
    begin = time.monotonic()
    lines, files, processes, problems = try_for(60 * chosen.minutes, chosen.workers, seed)
    print(
        f"seed {seed}: {lines:,} command lines, {files:,} damaged files, {processes:,} processes "
        f"in {time.monotonic() - begin:.0f} s; {problems:,} problems"
    )
    if problems:
        print(f"The cases are in {CASES}; the suite tries them from now on.")
    return 1 if problems else 0
