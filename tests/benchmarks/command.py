"""The command line of the benchmarks.

No target that is missed changes the exit code: speed is measured here, never tested.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module

from benchmarks.timing import LEAST_ROUNDS

STANDARD_ROUNDS = 15
# Each section's name and the module of the package that measures it.
SECTIONS = {
    "kernel": "kernel",
    "token": "one_token",
    "peers": "peers",
    "tables": "tables",
    "growth": "growth",
    "processes": "processes",
    "diagnoses": "diagnoses",
}
# Libraries read these when they are imported. Ours has one thread, so have all.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def parser() -> argparse.ArgumentParser:
    """The options of the program."""
    options = argparse.ArgumentParser(
        prog="python tests/benchmarks",
        description="Time beside a limit that is measured in the same run, contestants in turn.",
        epilog="A ratio is given as its median with quartiles: 1.20 (1.18 to 1.23).",
    )
    options.add_argument(
        "--runs",
        type=int,
        default=STANDARD_ROUNDS,
        metavar="N",
        help=f"runs of each contestant, at least {LEAST_ROUNDS}; {STANDARD_ROUNDS} if not given",
    )
    options.add_argument(
        "--only",
        nargs="+",
        choices=tuple(SECTIONS),
        default=tuple(SECTIONS),
        metavar="NAME",
        help=f"only these of the sections: {', '.join(SECTIONS)}",
    )
    return options


def lines(runs: int, names: Sequence[str]) -> Iterator[str]:
    """All that is printed, each line when it is known."""
    from benchmarks.machine import first_line

    yield first_line(runs)
    package = import_module("rope_cli")
    folder = os.path.dirname(str(package.__file__))
    yield f"Measured: {folder}. One thread. Ratios: the median of all runs (quartile to quartile)."
    for name in SECTIONS:
        if name in names:
            section = import_module(f"benchmarks.{SECTIONS[name]}")
            yield ""
            yield f"{name}: {str(section.__doc__).splitlines()[0]}"
            yield from section.lines(runs)


def main(words: Sequence[str]) -> int:
    """Run the sections that are asked for; the exit code."""
    options = parser().parse_args(words)
    if options.runs < LEAST_ROUNDS:
        print(f"--runs is {options.runs}; at least {LEAST_ROUNDS} are needed", file=sys.stderr)
        return 2
    os.environ.update(ONE_THREAD)
    for line in lines(options.runs, options.only):
        print(line, flush=True)
    return 0
