"""Rotations of other libraries beside ours, in the layout of each, those that are installed.

A library is measured only after it has been seen to rotate as we do: a comparison of different
things is no comparison. Others make a new array for each result, so ours is called both with
``out=`` and without it.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.machine import versions
from benchmarks.peer_calls import BASE, PEERS, Call, Peer
from benchmarks.timing import Times, in_turn, ratio, row, stopwatch
from rope_cli.rope.tables import RotaryEmbedding

Array = NDArray[Any]

# Shapes, each with how many calls are timed together.
SHAPES = (((1, 32, 4096, 128), 1), ((8, 8, 512, 64), 1), ((1, 32, 1, 128), 500))
LAYOUTS = ("adjacent", "half-split")
OUT, NEW = "ours, out=", "ours, a new array"
# Some compute their tables in float32, so this holds for float64 too.
TOLERANCE = 1e-4
TOKENS_OF_PROOF = 16


class DifferentRotation(Exception):
    """A library does not rotate as we do, so there is nothing to compare."""


def prove(peer: Peer, call: Call, x: Array) -> int:
    """How many rotations a call does, once each is seen to be ours.

    Of no row may the difference be longer than ``TOLERANCE`` times the row.
    """
    ours = RotaryEmbedding(x.shape[-1], x.shape[-2], BASE, peer.layout).rotate(x)
    lengths = np.linalg.norm(x, axis=-1)
    results = [np.asarray(result) for result in call()]
    for result in results:
        if result.shape != x.shape or result.dtype != x.dtype:
            raise DifferentRotation(f"{peer.name}: {result.dtype} {result.shape}")
        errors = np.linalg.norm(result - ours, axis=-1)
        if not (errors <= TOLERANCE * lengths).all():
            worst = (errors / lengths).max()
            raise DifferentRotation(f"{peer.name} {x.dtype} {x.shape}: off by {worst:.2g} of a row")
    return len(results)


def prepared(peer: Peer, x: Array) -> tuple[Call, int]:
    """The call that is timed and its number of rotations, proved.

    One token stands at position 0, where nothing rotates. So more tokens are proved first.
    """
    shape = (*x.shape[:-2], TOKENS_OF_PROOF, x.shape[-1])
    more = np.random.default_rng(1).standard_normal(shape).astype(x.dtype, copy=False)
    prove(peer, peer.prepare(more), more)
    call = peer.prepare(x)
    return call, prove(peer, call, x)


def seconds_of_one(call: Call, rotations: int, calls: int) -> Callable[[], float]:
    """A measure of the seconds that one of a call's rotations takes."""
    measure = stopwatch(call, calls)
    return lambda: measure() / rotations


def measured(peers: Sequence[Peer], layout: str, x: Array, calls: int, runs: int) -> Times:
    """The times of ours, with ``out=`` and without, and of each library."""
    embedding = RotaryEmbedding(x.shape[-1], x.shape[-2], BASE, layout)
    out = np.empty_like(x)
    measures = {
        OUT: stopwatch(lambda: embedding.rotate(x, 0, out=out), calls),
        NEW: stopwatch(lambda: embedding.rotate(x, 0), calls),
    }
    for peer in peers:
        measures[peer.name] = seconds_of_one(*prepared(peer, x), calls)
    return in_turn(measures, runs)


def compared(times: Times) -> Iterator[str]:
    """A row for each of ours, and two for each library: beside the one, beside the other."""
    for name, own in times.items():
        if name in (OUT, NEW):
            yield row(name, statistics.median(own))
            continue
        shown: float | str = statistics.median(own)
        for ours in (OUT, NEW):
            beside = ratio(own, times[ours])
            word = "slower" if beside.median >= 1 else "FASTER"
            yield row(name if ours == OUT else "", shown, str(beside), f"{word} than {ours}")
            shown = ""


def installed(peers: Iterable[Peer]) -> tuple[list[Peer], list[str]]:
    """The libraries that can be measured, and the names of the modules that are not there."""
    wanted = dict.fromkeys(name for peer in peers for name in peer.needs)
    missing = [name for name in wanted if find_spec(name) is None]
    return [peer for peer in peers if not set(peer.needs) & set(missing)], missing


def lines(runs: int) -> Iterator[str]:
    """A block of rows for each shape, dtype and layout."""
    available, missing = installed(PEERS)
    for module in missing:
        name = module.replace("_", "-")
        yield f"  {name} is not installed: left out; pip install 'rope-report[bench]'"
    if not available:
        return
    yield f"  {versions(*dict.fromkeys(name for peer in available for name in peer.needs))}"
    random = np.random.default_rng(0)
    for shape, calls in SHAPES:
        for dtype in ("float32", "float64"):
            x = random.standard_normal(shape).astype(dtype, copy=False)
            for layout in LAYOUTS:
                peers = [
                    peer for peer in available if peer.layout == layout and dtype in peer.dtypes
                ]
                if peers:
                    yield row(f"{list(shape)} {dtype}, {layout}", "median", "time to ours")
                    yield from compared(measured(peers, layout, x, calls, runs))
