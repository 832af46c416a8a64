"""Other schemes of positions than RoPE with one position a token, recognized by what they do.

xPos: Sun et al., "A Length-Extrapolatable Transformer", 2023. Sinusoids: Vaswani et al., 2017.
M-RoPE: Wang et al., "Qwen2-VL", 2024.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.explain.diagnosis import FITTED_SLACK, Diagnosis
from rope_cli.verify.explain.hypotheses import OTHER_LAYOUT
from rope_cli.verify.measure.estimates import Rotations
from rope_cli.verify.measure.expected import ROUNDINGS, ROUNDOFF
from rope_cli.verify.measure.hypothesis import IN_HALVES, Hypothesis, Mistake
from rope_cli.verify.measure.recovered_positions import estimate_positions
from rope_cli.verify.measure.sampling import Sample

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

# Of these positions on, a law of the gains or a grid is no coincidence.
ENOUGH_ROWS = 4
# xPos raises (j/d + 0.4) / 1.4, j = 0, 2, 4..., to the power (m - center) / 512.
XPOS_SHIFT, XPOS_SCALE = 0.4, 512.0
LOOSE, MOST_ALLOWED, MOST_MULTIMODAL = 4.0, 0.1, 1 << 15
# Parts of the pairs by time, height and width, as fractions of them.
SECTIONS = ((1 / 4, 3 / 8, 3 / 8), (3 / 8, 5 / 16, 5 / 16), (1 / 3, 1 / 3, 1 / 3))


def other_schemes(diagnosis: Diagnosis) -> Iterator[Hypothesis]:
    """Hypotheses that the arrays follow another scheme, each with its name as a mistake."""
    right, sample = diagnosis.baseline, diagnosis.sample
    yield from added_to(right, sample)
    for start in starts(right):
        rotations = diagnosis.rotations(start)
        if not (rotations.misfit <= LOOSE * rotations.noise).all():
            continue  # no multiples of the input
        if rotations.distinct_positions < ENOUGH_ROWS:
            continue
        yield from xpos(start, rotations)
        yield from on_a_grid(start, rotations)
        yield from with_sections(start, rotations)


def starts(right: Hypothesis) -> Iterator[Hypothesis]:
    """The pairs of the expected layout, of the other one, and of two halves by themselves."""
    yield right
    if right.pairs > 1:
        other = OTHER_LAYOUT[right.layout_in]
        mistake = Mistake("other-layout", {"layout": other})
        yield right.with_change(mistake, layout_in=other, layout_out=other)
    if right.pairs > 2 and not right.pairs % 2:
        yield replace(right, layout_in=IN_HALVES, layout_out=IN_HALVES)


def xpos(start: Hypothesis, rotations: Rotations) -> Iterator[Hypothesis]:
    """Lengths grow or shrink with the position, by a rate of its own for each pair."""
    positions = rotations.positions
    logs = np.log(np.maximum(np.abs(rotations.factors) / start.gain, 1e-300))
    j = np.arange(start.pairs)
    rates = np.log((j / start.pairs + XPOS_SHIFT) / (1 + XPOS_SHIFT))
    power = float(np.sum(rates**2))
    if not power > 0:
        return
    powers = logs @ rates / power  # [rows], (m - center) / scale
    centered = positions - positions.mean()
    slope = float(np.sum(centered * powers)) / float(np.sum(centered**2))
    if not abs(slope) > LOOSE * float(rotations.noise.min()):
        return
    scale, center = 1 / slope, float(positions.mean() - powers.mean() / slope)
    for used, middle in ((math.copysign(XPOS_SCALE, scale), round(center)), (scale, center)):

        def table(m: Array, used: float = used, middle: float = middle) -> Complex:
            angles = np.multiply.outer(m, start.frequencies)
            growth = np.multiply.outer((m - middle) / used, rates)
            return np.asarray(start.gain * np.exp(growth + 1j * angles))

        exact = isinstance(middle, int)
        figures = {"scale": float(f"{used:.6g}"), "center": float(f"{middle:.6g}")}
        slack = start.slack if exact else FITTED_SLACK
        yield start.with_change(Mistake("xpos", figures), table=table, slack=slack)


def on_a_grid(start: Hypothesis, rotations: Rotations) -> Iterator[Hypothesis]:
    """Some pairs follow the row of a token in a grid, the others its column."""
    positions, rows = np.unique(rotations.positions, return_index=True)
    if len(rows) < len(rotations.positions) or (np.diff(positions) != 1).any():
        return
    # Both a number and the mean of its group are as inexact as the dtype.
    units, allowed = rotations.unit_factors, 2 * rotations.noise.max() + 1e-9
    if allowed > MOST_ALLOWED:
        return  # slow pairs would be the same throughout many a group
    indices = np.arange(len(positions))
    for width in range(2, len(positions) // 2 + 1):
        by_row, row_means = grouped(units[rows], indices // width, allowed)
        by_column, column_means = grouped(units[rows], indices % width, allowed)
        both = (by_row & ~by_column).any() and (by_column & ~by_row).any()
        if not (by_row | by_column).all() or not both:
            continue
        first = int(positions[0])

        def table(
            m: Array,
            width: int = width,
            first: int = first,
            by_row: NDArray[np.bool_] = by_row,
            means: tuple[Complex, Complex] = (row_means, column_means),
        ) -> Complex:
            index = (m - first).astype(np.int64)
            last = len(means[0]) - 1
            down, across = means[0][np.clip(index // width, 0, last)], means[1][index % width]
            return np.asarray(start.gain * np.where(by_row, down, across))

        figures = {"rows": -(-len(positions) // width), "columns": width}
        yield start.with_change(Mistake("axial", figures), table=table, slack=FITTED_SLACK)
        return


def grouped(
    units: Complex, groups: NDArray[np.int64], allowed: float
) -> tuple[NDArray[np.bool_], Complex]:
    """Which pairs are the same throughout each group of rows, and their means by group."""
    sums = np.zeros((int(groups.max()) + 1, units.shape[1]), dtype=np.complex128)
    np.add.at(sums, groups, units)
    means = sums / np.bincount(groups)[:, np.newaxis]
    return np.asarray((np.abs(units - means[groups]) <= allowed).all(axis=0)), means


def with_sections(start: Hypothesis, rotations: Rotations) -> Iterator[Hypothesis]:
    """M-RoPE: three sections of the pairs, each by positions of its own."""
    if start.layout_in == IN_HALVES or start.pairs < 2 * len(SECTIONS[0]):
        return
    # Pictures take fewer positions than they have tokens.
    farthest = int(rotations.positions.max())
    if farthest > MOST_MULTIMODAL:
        return
    for sizes, section_of in sections_of(start.pairs):
        by_section = []
        for number in range(len(sizes)):
            pairs = np.flatnonzero(section_of == number)
            frequencies = start.frequencies[pairs]
            positions = estimate_positions(rotations.of_pairs(pairs), frequencies, farthest)
            if positions is None:
                break
            by_section.append(positions)
        if len(by_section) < len(sizes) or all(
            np.array_equal(row, by_section[0]) for row in by_section
        ):
            continue
        in_sections = np.stack(by_section)
        known, rows = np.unique(rotations.positions, return_index=True)

        def table(
            m: Array,
            known: Array = known,
            positions: NDArray[np.int64] = in_sections[:, rows],
            section_of: NDArray[np.int64] = section_of,
        ) -> Complex:
            index = np.clip(np.searchsorted(known, m), 0, len(known) - 1)
            used = np.moveaxis(positions[:, index], 0, -1)[..., section_of]
            return np.asarray(start.gain * np.exp(1j * used * start.frequencies))

        yield start.with_change(Mistake("multimodal", {"sections": list(sizes)}), table=table)


def sections_of(pairs: int) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """Common sections: their sizes, and each pair's section, in runs or taken by turns."""
    for shares in SECTIONS:
        first, *others = (round(pairs * share) for share in shares)
        sizes = (pairs - sum(others), *others) if first else ()
        if not sizes or min(sizes) < 2:
            continue
        yield sizes, np.repeat(np.arange(len(sizes)), sizes)
        turns = np.arange(pairs) % len(sizes)
        for number, size in enumerate(sizes):
            turns[(turns == number) & (np.arange(pairs) >= len(sizes) * size)] = 0
        yield sizes, turns


def added_to(right: Hypothesis, sample: Sample) -> Iterator[Hypothesis]:
    """Something was added to every row of a token: a sinusoid of its position, or other numbers."""
    differences = sample.after - sample.before
    sizes = np.abs(sample.after) + np.abs(sample.before)
    allowed = 2 * ROUNDINGS * ROUNDOFF[sample.dtype] * sizes.max(initial=0.0)
    mean = differences.mean(axis=1)
    if not (np.abs(differences - mean[:, np.newaxis]) <= allowed).all():
        return
    still = {"frequencies": np.zeros_like(right.frequencies), "gain": 1.0}
    for order, wave in sinusoids(right, sample.before.shape[-1]):
        exact = wave(sample.positions)
        power = float(np.sum(exact**2))
        scale = float(np.sum(exact * mean)) / power if power > 0 else 0.0
        of_angles = abs(scale) * angle_error(right, sample)
        if power > 0 and (np.abs(mean - scale * exact) <= allowed + of_angles).all():
            near = 1.0 if abs(scale - 1) < 1e-3 else scale

            def added(m: Array, wave: Sinusoid = wave, near: float = near) -> Array:
                return near * wave(m)

            mistake = Mistake("additive-sinusoid", {"order": order, "factor": near})
            yield right.with_change(mistake, added=added, added_error=of_angles, **still)
            return
    different = np.abs(sample.before - sample.before[:, :1]).max(initial=0.0) > allowed
    if different and len(np.unique(sample.positions)) == len(sample.positions):
        known = sample.positions
        order_of = np.argsort(known)

        def looked_up(m: Array) -> Array:
            index = np.clip(np.searchsorted(known[order_of], m), 0, len(known) - 1)
            return np.asarray(mean[order_of][index])

        # A mean is as inexact as the greatest of its rows.
        noise = 2 * ROUNDOFF[sample.dtype] * float(sizes.max(initial=0.0))
        mistake = Mistake("additive-positions")
        yield right.with_change(mistake, added=looked_up, added_error=noise, **still)


def angle_error(right: Hypothesis, sample: Sample) -> float:
    """How far rounding may bring an angle at the farthest position of a sample."""
    farthest = [float(np.abs(sample.positions).max(initial=0.0))]
    return float(right.relative_tolerance(farthest, sample.dtype).max(initial=0.0))


def sinusoids(right: Hypothesis, width: int) -> Iterator[tuple[str, Sinusoid]]:
    """Sinusoids of a position over a row, by the order of sines and cosines."""
    if width % 2:
        return
    frequencies = right.frequencies
    if len(frequencies) != width // 2:
        return
    for order in ("sine-cosine", "sines-cosines", "cosines-sines"):
        yield order, Sinusoid(frequencies, order)


class Sinusoid:
    """The additive encoding of a position: [..., rows] -> [..., rows, features]."""

    def __init__(self, frequencies: Array, order: str) -> None:
        self.frequencies, self.order = frequencies, order

    def __call__(self, positions: Array) -> Array:
        """The row that is added at each position."""
        angles = np.multiply.outer(positions, self.frequencies)
        parts: Sequence[Array] = (np.sin(angles), np.cos(angles))
        if self.order == "sine-cosine":
            return np.stack(parts, axis=-1).reshape(*angles.shape[:-1], -1)
        if self.order == "cosines-sines":
            parts = parts[::-1]
        return np.concatenate(parts, axis=-1)
