"""Known ways of computing angles in float32 whose roundings add up from pair to pair.

Each is repeated here bit by bit, for no bound on it would be tight: the error of pair j grows with
j, and how far it gets depends on the base and the width alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rope_cli.rope.scaled_frequencies import Scaled

Array = NDArray[np.float64]
Single = NDArray[np.float32]

ANGLES_MULTIPLIED = "angles-multiplied"
# Power functions of float32 may be off by one unit in the last place.
UNITS_OFF = (0, -1, 1)


@dataclass(frozen=True, eq=False, slots=True)
class Way:
    """A way of computing: its kind, and the angles ``[..., pairs]`` at positions ``[...]``."""

    kind: str
    angles: Callable[[Array], Array]


def float32_ways(scaled: Scaled) -> Iterator[Way]:
    """The known ways of computing the angles of these frequencies from base^(-2/d) alone.

    llama.cpp multiplies the angle from pair to pair (``ggml_rope_cache_init``, theta_scale), others
    multiply the frequency, or raise base^(-2/d) to the power j.
    """
    unscaled = scaled.theta
    if len(unscaled) < 2 or not (unscaled > 0).all():
        return
    shares = (scaled.inverse_frequencies / unscaled).astype(np.float32)
    for units in UNITS_OFF:
        step = np.float32(unscaled[1] / unscaled[0])
        if units:
            step = np.nextafter(step, np.float32(units), dtype=np.float32)
        yield Way(ANGLES_MULTIPLIED, partial(multiplied_angles, step, shares))
        frequencies = multiplied(np.ones((), np.float32), step, len(shares)) * shares
        yield Way("frequencies-multiplied", partial(angles_of, frequencies.astype(np.float64)))
        powers = np.power(float(step), np.arange(len(shares))).astype(np.float32) * shares
        yield Way("frequencies-by-powers", partial(angles_of, powers.astype(np.float64)))


def multiplied(first: Single, step: np.float32, count: int) -> Single:  # [...] -> [..., count]
    """Numbers each of which is the one before it times ``step``, rounded."""
    numbers = np.empty((*first.shape, count), np.float32)
    numbers[..., 0] = first
    for index in range(1, count):
        numbers[..., index] = numbers[..., index - 1] * step
    return numbers


def multiplied_angles(step: np.float32, shares: Single, positions: Array) -> Array:
    """Angles multiplied from pair to pair, then scaled."""
    angles = multiplied(positions.astype(np.float32), step, len(shares)) * shares
    return angles.astype(np.float64)


def angles_of(frequencies: Array, positions: Array) -> Array:
    """The angles of rounded frequencies."""
    return np.asarray(positions[..., np.newaxis] * frequencies)


def inverted_ways(frequencies: Array) -> Iterator[Way]:
    """Frequencies that were not inverted, whose angles are too great for any bound on roundings.

    They are rounded to float32 as powers, or as inverses of rounded frequencies.
    """
    powers = (1 / frequencies).astype(np.float32)
    inverses = np.float32(1) / frequencies.astype(np.float32)
    for rounded in (powers, inverses):
        yield Way("frequencies-not-inverted", partial(rounded_angles, rounded))


def rounded_angles(frequencies: Single, positions: Array) -> Array:
    """The angles of rounded frequencies, rounded."""
    return (positions[..., np.newaxis].astype(np.float32) * frequencies).astype(np.float64)
