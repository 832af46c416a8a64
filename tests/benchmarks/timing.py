"""What all benchmarks share: contestants in turn, their statistics, and a printed row.

In each round each contestant runs once, so that a machine that is busy for a while slows all of
them. A time is compared with that of another contestant in the same round only; of these ratios, or
differences, the median is the result and the quartiles are its spread. A time in seconds means
nothing on another machine.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

LEAST_ROUNDS = 11
# Caches and the memory that was given back keep traces of the contestant before for some calls.
SETTLING = 0.003  # seconds
NAME_WIDTH = 52

Measured = TypeVar("Measured")
Run = Callable[[], Any]
Times = dict[str, list[float]]


@dataclass(frozen=True)
class Spread:
    """The median of some values and their quartiles."""

    low: float
    median: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f})"


def spread(values: Sequence[float]) -> Spread:
    """The median and the quartiles."""
    return Spread(*statistics.quantiles(values, n=4))


def ratio(times: Sequence[float], limits: Sequence[float]) -> Spread:
    """How many times the limit of the same round each time is."""
    return spread([one / limit for one, limit in zip(times, limits, strict=True)])


def difference(times: Sequence[float], limits: Sequence[float]) -> Spread:
    """How much longer than the limit of the same round each time is."""
    return spread([one - limit for one, limit in zip(times, limits, strict=True)])


def stopwatch(run: Run, calls: int = 1) -> Callable[[], float]:
    """A measure of the seconds that a call takes, the mean of so many calls.

    Calls go before it unmeasured, one at least, so that each contestant is measured after itself
    and not after another. What the last call returns is given up after the clock has stopped.
    """

    def seconds() -> float:
        every = range(calls)
        settled = time.perf_counter() + SETTLING
        run()
        while time.perf_counter() < settled:
            run()
        start = time.perf_counter()
        for _ in every:
            kept = run()
        elapsed = time.perf_counter() - start
        del kept
        return elapsed / calls

    return seconds


def in_turn(
    measures: Mapping[str, Callable[[], Measured]], rounds: int
) -> dict[str, list[Measured]]:
    """What each measure gives in each round; one round before the first only warms up.

    Python's collector of cycles, which would strike now one and now another, waits meanwhile.
    """
    measured: dict[str, list[Measured]] = {name: [] for name in measures}
    for measure in measures.values():
        measure()
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, measure in measures.items():
                measured[name].append(measure())
    finally:
        if collecting:
            gc.enable()
    return measured


def times_in_turn(contestants: Mapping[str, Run], rounds: int, calls: int = 1) -> Times:
    """The seconds that a call of each contestant takes in each round."""
    return in_turn({name: stopwatch(run, calls) for name, run in contestants.items()}, rounds)


def readable(seconds: float) -> str:
    """A time, for orientation."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.1f} ms"


def verdict(value: float, target: float | None, digits: int = 2) -> str:
    """Whether a median keeps to its target; nothing if there is none."""
    if target is None:
        return ""
    word = "ok" if value <= target else "over"
    return f"at most {target:.{digits}f}: {word}"


def row(name: str, seconds: float | str, *cells: str) -> str:
    """One printed row: who, the time for orientation, and then what counts."""
    shown = seconds if isinstance(seconds, str) else readable(seconds)
    padded = "".join(f"  {cell:<22}" for cell in cells)
    return f"  {name:<{NAME_WIDTH}}{shown:>11}{padded}".rstrip()


def ratio_rows(
    times: Times, limit: str, targets: Mapping[str, float] | None = None, beside: str | None = None
) -> list[str]:
    """A row for each contestant with its ratio to the limit, and to one beside it if that is given.

    ``targets`` has the greatest ratio to the limit for those that have one.
    """
    lines = []
    for name, own in times.items():
        cells = ["limit" if name == limit else str(ratio(own, times[limit]))]
        if beside is not None:
            cells.append("limit" if name == beside else str(ratio(own, times[beside])))
        target = (targets or {}).get(name)
        cells.append(verdict(ratio(own, times[limit]).median, target))
        lines.append(row(name, statistics.median(own), *cells))
    return lines
