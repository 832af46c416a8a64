"""The command line of the trials."""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Sequence

from trials.confusions import Counts, seeds
from trials.trial import Trial, judged

COUNT, AT_ONCE = 400, 8


def tried(seed: int) -> Trial:
    """A trial; whatever goes wrong in it, its seed is known."""
    try:
        return judged(seed)
    except Exception as failure:
        raise RuntimeError(f"seed {seed}: {failure!r}") from failure


def trials(first: int, count: int, processes: int = 1) -> list[Trial]:
    """Those of the seeds from ``first`` on."""
    every = range(first, first + count)
    if processes == 1:
        return [tried(seed) for seed in every]
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return pool.map(tried, every, chunksize=AT_ONCE)


def main(words: Sequence[str]) -> int:
    """Run the trials and print the table; 1 if ``verify`` was fooled."""
    options = argparse.ArgumentParser(
        prog="python tests/trials",
        description="Random numbers, right and wrong, put before verify: is it ever fooled?",
    )
    options.add_argument("--count", type=int, default=COUNT, help=f"trials; {COUNT} by default")
    options.add_argument("--first", type=int, default=0, help="the first seed; 0 by default")
    options.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options.add_argument("--seeds", action="store_true", help="list all seeds that go wrong")
    asked = options.parse_args(words)
    counts = Counts(trials(asked.first, asked.count, asked.processes))
    fooled = [*counts.alarms, *counts.missed]
    unnamed = [each for each in counts.named if each not in counts.first]
    for line in (
        *counts.lines(),
        *seeds([*fooled, *counts.misnamed]),
        *(("not named first:", *seeds(unnamed)) if asked.seeds else ()),
    ):
        print(line)
    return int(bool(fooled))
