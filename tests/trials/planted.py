"""What is planted into random arrays: one mistake, two, or something that no mistake explains."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from trials.implementation import Array, coordinates, held, rotate
from trials.mistakes import TOKENS, Mistakes, changed, figures_of, made
from trials.setups import Rng, Setup

SINGLE = (
    *("no-rotation", "other-layout", "order-out", "mixed-layout", "direction", "negated", "offset"),
    *("reversed-positions", "slot-positions", "clamped-positions", "wrapped-positions"),
    *("axes-exchanged", "permuted", "rotated-twice", "degrees", "lost-minus", "in-place"),
    *("no-sine", "sine-cosine-exchanged", "attention-factor", "low-precision", "base"),
    *("denominator", "rotary-width", "stride", "position-interpolation", "ntk", "yarn", "llama3"),
    *("unscaled", "stale-length", "other-list", "other-rule", "pairs-from-one"),
    *("reversed-frequencies", "frequencies-not-inverted"),
    *("shared-positions", "running-positions", "row-offsets", "zeros", "slice-start"),
    *("results-exchanged", "half-written"),
)
DOUBLE = (
    *(("other-layout", "offset"), ("base", "direction"), ("other-layout", "direction")),
    *(("offset", "direction"), ("base", "offset"), ("negated", "offset"), ("base", "yarn")),
    *(("base", "llama3"), ("other-layout", "base"), ("attention-factor", "offset")),
)


class Planted(NamedTuple):
    """Arrays ``[batch, heads, tokens, features]`` and what was planted into them."""

    setup: Setup
    x: Array
    right: Array
    y: Array
    mistakes: Mistakes


Plant = Callable[[Setup, Array, Rng], tuple[Array, Mistakes] | None]


def one_or_two(kinds: tuple[str, ...]) -> Plant:
    """Mistakes of these kinds, all made at once."""

    def plant(setup: Setup, x: Array, rng: Rng) -> tuple[Array, Mistakes] | None:
        code, mistakes = setup.code, []
        for kind in kinds:
            figures = figures_of(kind, setup._replace(code=code), rng)
            wrong = None if figures is None else changed(code, kind, figures, setup.shape)
            if figures is None or wrong is None:
                return None
            code = wrong
            mistakes.append((kind, figures))
        y = made(setup.code, x, mistakes)
        return None if y is None else (y, mistakes)

    return plant


def on_some_rows(kind: str) -> Plant:
    """Batch rows, heads or tokens that were not rotated, or never written; the others are right."""

    def plant(setup: Setup, x: Array, rng: Rng) -> tuple[Array, Mistakes] | None:
        axis = int(rng.integers(3))
        if x.shape[axis] < 2:
            return None
        rows = sorted(rng.permutation(x.shape[axis])[: rng.integers(1, x.shape[axis])].tolist())
        where = ("some-rows", {"axis": axis, "rows": rows})
        mistakes = [where if axis < TOKENS else ("some-tokens", {"tokens": rows}), (kind, {})]
        y = made(setup.code, x, mistakes)
        return None if y is None else (y, mistakes)

    return plant


def row_gains(setup: Setup, x: Array, rng: Rng) -> tuple[Array, Mistakes] | None:
    """Each row multiplied by a factor of its own, as a normalization after the rotation does."""
    gains = rng.uniform(0.5, 2, x.shape[:3])[..., np.newaxis]
    return held(rotate(setup.code, x) * gains, setup.code.dtype), [("row-gains", {})]


def other_gains(setup: Setup, x: Array, rng: Rng) -> tuple[Array, Mistakes] | None:
    """Every pair with a length of its own."""
    code = setup.code
    y = rotate(code, x)
    gains = rng.uniform(0.3, 2, code.width // 2)
    for at in coordinates(code.layout, code.width):
        at = at + code.first
        y[..., at] = held(y[..., at] * gains, code.dtype)
    return (y, []) if code.width > 4 else None


def other_matrices(setup: Setup, x: Array, rng: Rng) -> tuple[Array, Mistakes] | None:
    """Random numbers in place of cosines and sines."""
    code = setup.code
    y = x.copy()
    left, right = (code.first + at for at in coordinates(code.layout, code.width))
    a, b, c, d = rng.uniform(-1, 1, (4, x.shape[2], code.width // 2))
    y[..., left] = held(a * x[..., left] + b * x[..., right], code.dtype)
    y[..., right] = held(c * x[..., left] + d * x[..., right], code.dtype)
    return y, []


def random_angles(setup: Setup, x: Array, rng: Rng) -> tuple[Array, Mistakes] | None:
    """Rotations by random angles, at each position its own."""
    code = setup.code
    y = x.copy()
    left, right = (code.first + at for at in coordinates(code.layout, code.width))
    angles = rng.uniform(-np.pi, np.pi, (x.shape[2], code.width // 2))
    c, s = np.cos(angles), np.sin(angles)
    y[..., left] = held(c * x[..., left] - s * x[..., right], code.dtype)
    y[..., right] = held(s * x[..., left] + c * x[..., right], code.dtype)
    return (y, []) if code.width > 4 else None


def random_numbers(setup: Setup, x: Array, rng: Rng) -> tuple[Array, Mistakes] | None:
    """An output that has nothing to do with the input."""
    return held(rng.normal(size=x.shape), setup.code.dtype), []


def inexact_sines(setup: Setup, x: Array, rng: Rng) -> tuple[Array, Mistakes] | None:
    """The angles of the fastest pair off by some hundredths, at each position by others."""
    code = setup.code
    y = rotate(code, x)
    at = [code.first + each[0] for each in coordinates(code.layout, code.width)]
    angles = rng.uniform(0.02, 0.06, x.shape[2]) * rng.choice((-1, 1), x.shape[2])
    exact = rotate(code._replace(way="exact", dtype="float64"), x)
    left, right, c, s = exact[..., at[0]], exact[..., at[1]], np.cos(angles), np.sin(angles)
    y[..., at[0]] = held(c * left - s * right, code.dtype)
    y[..., at[1]] = held(s * left + c * right, code.dtype)
    return (y, []) if code.width > 4 else None


UNKNOWN: dict[str, Plant] = {
    plant.__name__.replace("_", "-"): plant
    for plant in (*(other_gains, other_matrices, random_angles, random_numbers, inexact_sines),)
}
PLANTS: dict[str, Plant] = {
    **{kind: one_or_two((kind,)) for kind in SINGLE},
    **{" + ".join(kinds): one_or_two(kinds) for kinds in DOUBLE},
    **{f"{kind} in some rows": on_some_rows(kind) for kind in ("no-rotation", "zeros")},
    "row-gains": row_gains,
    **UNKNOWN,
}
