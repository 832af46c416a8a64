"""Other schemes of positions, which code may follow in the place of RoPE."""

from __future__ import annotations

import numpy as np

from trials.implementation import Array, coordinates, frequencies, gain, held
from trials.mistakes import Mistakes
from trials.planted import Plant
from trials.setups import Rng, Setup

Wrong = tuple[Array, Mistakes] | None
LEAST_WIDTH, LEAST_TOKENS = 16, 12


def by_pairs(setup: Setup, x: Array, angles: Array, gains: Array | float = 1.0) -> Array:
    """Every pair rotated by its angle and multiplied, ``[tokens, pairs]`` of both."""
    code, y = setup.code, x.copy()
    left, right = (code.first + at for at in coordinates(code.layout, code.width))
    c, s = gain(code) * gains * np.cos(angles), gain(code) * gains * np.sin(angles)
    y[..., left] = held(c * x[..., left] - s * x[..., right], code.dtype)
    y[..., right] = held(s * x[..., left] + c * x[..., right], code.dtype)
    return y


def row_of(setup: Setup) -> Array | None:
    """The positions of all rows ``[tokens]``, if they follow one another and are enough."""
    row = setup.code.positions[:, 0]
    few = row.shape[-1] < LEAST_TOKENS or setup.code.width < LEAST_WIDTH
    if len(row) > 1 or few or (np.diff(row[0]) != 1).any():
        return None
    return np.asarray(row[0])


def xpos(setup: Setup, x: Array, rng: Rng) -> Wrong:
    """Gains ((j/d + 0.4) / 1.4)^((m - center) / 512), j = 0, 2, 4..., or their inverses."""
    row = row_of(setup)
    if row is None or setup.code.dtype not in ("float32", "float64"):
        return None
    scale = float(rng.choice((512, -512)))
    center = float(row[len(row) // 2])
    zeta = (np.arange(0, setup.code.width, 2) / setup.code.width + 0.4) / 1.4
    gains = zeta ** ((row[:, np.newaxis] - center) / scale)
    y = by_pairs(setup, x, row[:, np.newaxis] * frequencies(setup.code), gains)
    return y, [("xpos", {"scale": scale, "center": center})]


def clipped(setup: Setup, x: Array, rng: Rng) -> Wrong:
    """The slowest pairs do not rotate at all."""
    row, theta = row_of(setup), frequencies(setup.code)
    if row is None or setup.code.method != "default":
        return None
    count = int(rng.integers(2, len(theta) // 2))
    theta[-count:] = 0
    if (row.max() * theta[:-count] < 0.1).any():
        return None  # pairs that hardly move could be said not to
    y = by_pairs(setup, x, row[:, np.newaxis] * theta)
    return y, [("clipped-frequencies", {"pairs": count})]


def axial(setup: Setup, x: Array, rng: Rng) -> Wrong:
    """Pairs of one half by the rows of a grid of tokens, those of the other by its columns."""
    row = row_of(setup)
    if row is None or setup.code.method != "default":
        return None
    columns = int(rng.integers(3, 6))
    index, half = np.arange(len(row)), setup.code.width // 4
    theta = 100.0 ** (-np.arange(half) / half)
    angles = np.concatenate(
        [np.multiply.outer(index // columns, theta), np.multiply.outer(index % columns, theta)], 1
    )
    if 2 * half != setup.code.width // 2:
        return None
    figures = {"rows": -(-len(row) // columns), "columns": columns}
    return by_pairs(setup, x, angles), [("axial", figures)]


def sinusoid(setup: Setup, x: Array, rng: Rng) -> Wrong:
    """Sines and cosines in turn are added, and nothing is rotated."""
    row, code = row_of(setup), setup.code
    if row is None or code.method != "default" or code.width != code.head_width:
        return None
    angles, added = row[:, np.newaxis] * frequencies(code), np.zeros(x.shape[2:])
    added[:, ::2], added[:, 1::2] = np.sin(angles), np.cos(angles)
    figures = {"order": "sine-cosine", "factor": 1.0}
    return held(x + added, code.dtype), [("additive-sinusoid", figures)]


def learned(setup: Setup, x: Array, rng: Rng) -> Wrong:
    """Random vectors, one for each token, are added, and nothing is rotated."""
    if row_of(setup) is None or setup.batch * setup.heads < 3 or setup.code.first:
        return None
    y = held(x + rng.normal(size=x.shape[2:]), setup.code.dtype)
    return y, [("additive-positions", {})]


SCHEMES: dict[str, Plant] = {
    "scheme: xpos": xpos,
    "scheme: clipped-frequencies": clipped,
    "scheme: axial": axial,
    "scheme: additive-sinusoid": sinusoid,
    "scheme: additive-positions": learned,
}
