"""The whole positions, or the offset of all positions, that explain measured rotations."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.estimates import Rotations
from rope_cli.verify.measure.expected import relative_tolerance

Array = NDArray[np.float64]

FARTHEST = 1 << 18
POSITIONS_PER_BLOCK = 1 << 14
COMPARED_PAIRS = 8
PRESELECTING_PAIRS = 3
PRESELECTED = 32
# A match that has a greater probability by chance proves nothing.
CHANCE = 0.01
# Layouts, directions, gains and dtypes with which each offset is tried.
OTHER_CHOICES = 50
BEFORE_ZERO = 16
TESTED_ROWS = 4
# A row farther off than this many tolerances is at another position.
LOOSE = 4.0
# From so many different positions on, matching frequencies are no coincidence.
ENOUGH_POSITIONS = 4
FEW_OFFSETS, MANY_OFFSETS = 3, 40


def estimate_offsets(
    rotations: Rotations, frequencies: Array, farthest: int = FARTHEST
) -> list[int]:
    """Whole offsets that may have been added to all positions, the likeliest first.

    A single pair returns to its angle again and again, so few pairs give many offsets.
    """
    pairs = spread_known_pairs(frequencies, rotations)
    if not len(pairs):
        return []
    expected_angles = np.multiply.outer(rotations.positions, frequencies[pairs])
    weights = 1 / np.maximum(rotations.noise[:, pairs], 1e-9) ** 2
    units = rotations.unit_factors[:, pairs]
    remainder = np.sum(units * np.exp(-1j * expected_angles) * weights, axis=0)
    remainder /= np.maximum(np.sum(weights, axis=0), 1e-300)
    to_zero = -int(rotations.positions.min())
    # Counting may begin a little before 0, or anywhere if it is to begin before 0.
    first = -farthest if to_zero > 0 else max(to_zero - BEFORE_ZERO, -farthest)
    count = FEW_OFFSETS if len(pairs) > 2 else MANY_OFFSETS
    offsets = likeliest_positions(
        remainder[np.newaxis], frequencies[pairs], first, farthest, count
    )[0]
    # The smaller of two offsets is the likelier mistake. Positions that start again at 0 may be
    # farther off than the search goes.
    return [
        offset
        for offset in dict.fromkeys((*sorted(offsets, key=abs), to_zero))
        if offset
        and not matches_by_chance(
            rotations.at_offset(offset), frequencies, number_of_tries(offset, to_zero)
        )
    ]


def number_of_tries(offset: int, to_zero: int) -> int:
    """How many hypotheses are tried up to this offset; starting at 0 is a single one."""
    return OTHER_CHOICES * (1 if offset == to_zero else 2 * abs(offset) + 1)


def matches_by_chance(rotations: Rotations, frequencies: Array, tries: int) -> bool:
    """Whether so many tries are likely to match any rotations within the tolerance."""
    if rotations.distinct_positions >= ENOUGH_POSITIONS:
        return False
    noise = rotations.noise.min(axis=0)
    known = (frequencies > 0) & (noise < 1)
    farthest = float(np.abs(rotations.positions).max())
    tolerance = relative_tolerance(frequencies[known], [farthest], rotations.dtype)[0]
    shares = np.minimum(1.0, (noise[known] + 2 * tolerance) / math.pi)
    return bool(tries * np.prod(shares) > CHANCE)


def spread_known_pairs(frequencies: Array, rotations: Rotations) -> NDArray[np.intp]:
    """A few pairs of very different frequencies whose rotations are known."""
    known = np.flatnonzero((frequencies > 0) & (rotations.noise.min(axis=0) < 1))
    if len(known) <= COMPARED_PAIRS:
        return known
    spread = np.linspace(0, len(known) - 1, COMPARED_PAIRS).astype(np.intp)
    return np.asarray(known[np.unique(spread)])


def likeliest_positions(
    units: NDArray[np.complex128], frequencies: Array, first: int, last: int, count: int
) -> list[list[int]]:  # units [rows, pairs] -> count positions for each row
    """The whole positions from ``first`` to ``last`` whose rotations are nearest to each row.

    A few pairs preselect among all positions, then all pairs choose among those.
    """
    candidates = preselect_positions(units, frequencies, first, last, max(count, PRESELECTED))
    likeliest = []
    for row, positions in enumerate(candidates):
        rotations = np.exp(1j * np.multiply.outer(positions, frequencies))
        scores = np.sum((np.conj(rotations) * units[row]).real, axis=1)
        # The best score first; of equal ones the smallest position.
        order = np.lexsort((np.abs(positions), np.round(-scores, 9)))
        likeliest.append([int(position) for position in positions[order[:count]]])
    return likeliest


def preselect_positions(
    units: NDArray[np.complex128], frequencies: Array, first: int, last: int, most: int
) -> list[Array]:
    """For each row the ``most`` best positions of every block, judged by a few pairs."""
    few = np.unique(np.linspace(0, len(frequencies) - 1, PRESELECTING_PAIRS).astype(int))
    # One table serves all blocks: the rows are rotated back to its start instead.
    block = np.arange(min(POSITIONS_PER_BLOCK, last + 1 - first), dtype=np.float64)
    angles = np.multiply.outer(block, frequencies[few])
    table = np.concatenate([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    candidates: list[list[Array]] = [[] for _ in units]
    for start in range(first, last + 1, POSITIONS_PER_BLOCK):
        stop = min(start + POSITIONS_PER_BLOCK, last + 1)
        positions = np.arange(start, stop, dtype=np.float64)
        back = units[:, few] * np.exp(-1j * start * frequencies[few])
        parts = np.concatenate([back.real, back.imag], axis=1).astype(np.float32)
        scores = parts @ table[: len(positions)].T
        for row, blocks in enumerate(candidates):
            blocks.append(positions[best_scores(scores[row], most)])
    return [np.concatenate(parts) for parts in candidates]


def best_scores(scores: NDArray[np.float32], most: int) -> NDArray[np.intp]:
    """The indices of the ``most`` greatest scores; a bound picks a few, which are then sorted."""
    if len(scores) <= most:
        return np.arange(len(scores))
    bound = float(scores.max())
    step = 0.002 * max(abs(bound), 1e-3)
    while True:
        few = np.flatnonzero(scores >= bound - step)
        if len(few) >= most:
            break
        step *= 4
    if len(few) > 16 * most:
        return np.argpartition(-scores, most - 1)[:most]
    return few[np.argsort(-scores[few], kind="stable")[:most]]


def estimate_positions(
    rotations: Rotations, frequencies: Array, farthest: int
) -> NDArray[np.int64] | None:  # [rows]
    """The likeliest position of each row; ``None`` where chance would match as well.

    If no position gives the first rows, the others are not tried.
    """
    share = np.minimum(1.0, 2 * rotations.noise.min(axis=0)[frequencies > 0] / math.pi)
    if farthest * np.prod(share) > CHANCE:
        return None
    few = np.unique(np.linspace(0, len(rotations.positions) - 1, TESTED_ROWS).astype(np.intp))
    few_positions = positions_of_rows(rotations, few, frequencies, farthest)
    if not all_fit(rotations, few, frequencies, few_positions):
        return None
    return positions_of_rows(rotations, np.arange(len(rotations.positions)), frequencies, farthest)


def positions_of_rows(
    rotations: Rotations, rows: NDArray[np.intp], frequencies: Array, farthest: int
) -> NDArray[np.int64]:
    """The likeliest position of each of some rows."""
    pairs = spread_known_pairs(frequencies, rotations)
    units = rotations.unit_factors[np.ix_(rows, pairs)]
    # Padding may have positions a little before 0.
    first = max(min(0, int(rotations.positions.min())) - BEFORE_ZERO, -FARTHEST)
    likeliest = likeliest_positions(units, frequencies[pairs], first, max(farthest, 0), 1)
    return np.array([positions[0] for positions in likeliest], dtype=np.int64)


def all_fit(
    rotations: Rotations,
    rows: NDArray[np.intp],
    frequencies: Array,
    positions: NDArray[np.int64],
) -> bool:
    """Whether every one of some rows is nearly rotated as at its position."""
    predicted = np.exp(1j * np.multiply.outer(positions, frequencies))
    tolerance = relative_tolerance(frequencies, positions, rotations.dtype)
    errors = np.abs(rotations.unit_factors[rows] - predicted)
    return bool((errors <= LOOSE * (rotations.noise[rows] + tolerance)).all())
