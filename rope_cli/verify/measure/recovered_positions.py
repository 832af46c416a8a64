"""Which whole positions give the turns that were measured."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.estimates import Turns
from rope_cli.verify.measure.expected import bound
from rope_cli.verify.measure.hypothesis import Mistake, PositionRule

Array = NDArray[np.float64]
Rule = tuple[Mistake, PositionRule]

FARTHEST = 1 << 18
AT_ONCE = 1 << 14
TELLING_PAIRS = 8
CHOOSING_PAIRS = 3
KEPT = 32
# A match that chance gives with a greater probability proves nothing.
CHANCE = 0.01
# Layouts, directions, gains and dtypes that an offset is tried with.
OTHER_CHOICES = 50
BEFORE_ZERO = 16
TELLING_POSITIONS = 4
LISTED = 64
FEW_OFFSETS, MANY_OFFSETS = 3, 40


def offsets(turns: Turns, theta: Array, farthest: int = FARTHEST) -> list[int]:
    """Whole offsets that may have been added to all positions, the likeliest first.

    One pair alone comes near to its angle again and again, so of few pairs more are given.
    """
    chosen = telling(theta, turns)
    if not len(chosen):
        return []
    angles = np.multiply.outer(turns.positions, theta[chosen])
    weights = 1 / np.maximum(turns.noise[:, chosen], 1e-9) ** 2
    left = np.sum(turns.units[:, chosen] * np.exp(-1j * angles) * weights, axis=0)
    left /= np.maximum(np.sum(weights, axis=0), 1e-300)
    least = -int(turns.positions.min())
    # Counting may begin a little before 0.
    first = max(least - BEFORE_ZERO, -farthest)
    count = FEW_OFFSETS if len(chosen) > 2 else MANY_OFFSETS
    found = likeliest(left[np.newaxis], theta[chosen], first, farthest, count)[0]
    # Positions that forget where they start may be farther off than the search goes. The nearer of
    # two is the likelier mistake.
    return [
        offset
        for offset in dict.fromkeys((*sorted(found, key=abs), least))
        if offset and not by_chance(turns.moved(offset), theta, tries(offset, least))
    ]


def tries(offset: int, least: int) -> int:
    """Among how many offsets one was found; to forget where positions start is one by itself."""
    return OTHER_CHOICES * (1 if offset == least else 2 * abs(offset) + 1)


def by_chance(turns: Turns, theta: Array, tried: int) -> bool:
    """Whether among so many positions one would give any turns at all, within what is allowed."""
    if len(np.unique(turns.positions)) >= TELLING_POSITIONS:
        # Frequencies that are right at so many positions are not so by chance.
        return False
    noise = turns.noise.min(axis=0)
    known = (theta > 0) & (noise < 1)
    allowed = bound(theta[known], [float(np.abs(turns.positions).max())], turns.dtype)[0]
    shares = np.minimum(1.0, (noise[known] + 2 * allowed) / math.pi)
    return bool(tried * np.prod(shares) > CHANCE)


def telling(theta: Array, turns: Turns) -> NDArray[np.intp]:
    """A few pairs of very different speed whose turns are known."""
    known = np.flatnonzero((theta > 0) & (turns.noise.min(axis=0) < 1))
    if len(known) <= TELLING_PAIRS:
        return known
    spread = np.linspace(0, len(known) - 1, TELLING_PAIRS).astype(np.intp)
    return np.asarray(known[np.unique(spread)])


def likeliest(
    units: NDArray[np.complex128], theta: Array, first: int, last: int, count: int
) -> list[list[int]]:  # units [rows, pairs] -> count positions for each row
    """The whole positions whose turns are nearest to those of each row.

    A few pairs choose among all positions, then all pairs among those that are left.
    """
    few = np.unique(np.linspace(0, len(theta) - 1, CHOOSING_PAIRS).astype(int))
    # One table of turns does for every block: what is sought is turned back instead.
    angles = np.multiply.outer(np.arange(AT_ONCE, dtype=np.float64), theta[few])
    table = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    kept: list[list[NDArray[np.float64]]] = [[] for _ in units]
    for start in range(first, last + 1, AT_ONCE):
        m = np.arange(start, min(start + AT_ONCE, last + 1), dtype=np.float64)
        back = units[:, few] * np.exp(-1j * start * theta[few])
        scores = table[: len(m)] @ np.concatenate([back.real, back.imag], axis=1).T
        most = min(max(count, KEPT), len(m))
        best = np.argpartition(-scores, most - 1, axis=0)[:most]
        for row in range(len(units)):
            kept[row].append(m[best[:, row]])
    found = []
    for row, parts in enumerate(kept):
        m = np.concatenate(parts)
        turned = np.exp(1j * np.multiply.outer(m, theta))
        scores = np.sum((np.conj(turned) * units[row]).real, axis=1)
        # Of equals the nearest: -scores first, then the distance from where nothing is moved.
        order = np.lexsort((np.abs(m), np.round(-scores, 9)))
        found.append([int(position) for position in m[order[:count]]])
    return found


def positions_of(turns: Turns, theta: Array, farthest: int) -> NDArray[np.int64] | None:  # [rows]
    """The likeliest position of each row; ``None`` where chance would find some as well."""
    share = np.minimum(1.0, 2 * turns.noise.min(axis=0)[theta > 0] / math.pi)
    if farthest * np.prod(share) > CHANCE:
        return None
    chosen = telling(theta, turns)
    found = likeliest(turns.units[:, chosen], theta[chosen], 0, farthest, 1)
    return np.array([each[0] for each in found], dtype=np.int64)


def usual_rules(positions: NDArray[np.int64]) -> Iterator[Rule]:
    """Positions ``[..., tokens]`` that are often taken for the right ones."""
    slots = np.broadcast_to(np.arange(positions.shape[-1]), positions.shape)
    if not np.array_equal(positions, positions[..., ::-1]):
        yield Mistake("reversed-positions", {}), lambda known: known[..., ::-1]
    # Where all are off by the same number, that is an offset.
    if len(np.unique(positions - slots)) > 1:
        yield Mistake("slot-positions", {}), lambda known: slots


def shifted(offset: int) -> Rule:
    """Every position so much further."""
    return Mistake("offset", {"offset": offset}), lambda known: known + offset


def clamped(last: int) -> Rule:
    """Every position beyond a last one taken for it."""
    return Mistake("clamped-positions", {"last": last}), lambda known: np.minimum(known, last)


def wrapped(size: int) -> Rule:
    """Positions that begin again from 0."""
    return Mistake("wrapped-positions", {"size": size}), lambda known: np.mod(known, size)


def found_rules(
    known: NDArray[np.int64], places: NDArray[np.int64], found: NDArray[np.int64]
) -> Iterator[Rule]:
    """The simplest rules that turn the known positions at ``places`` into those found there."""
    positions = known.reshape(-1)[places]
    differs = positions != found
    if not differs.any():
        return
    last = int(found[differs].max())
    if np.array_equal(np.minimum(positions, last), found):
        yield clamped(last)
    size = int(np.gcd.reduce(positions[differs] - found[differs]))
    if size > 0 and np.array_equal(positions % size, found):
        yield wrapped(size)
    figures: dict[str, Any] = {
        "positions": positions[differs][:LISTED].tolist(),
        "found": found[differs][:LISTED].tolist(),
        "differing": int(differs.sum()),
        "complete": len(np.unique(places)) == known.size,
    }

    def rule(asked: NDArray[np.int64]) -> NDArray[np.int64]:
        used = asked.copy()
        used.reshape(-1)[places] = found
        return used

    yield Mistake("other-positions", figures), rule
