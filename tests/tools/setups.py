"""Setups and rows of the public cases of RoPE gone wrong, typed from their reports."""

from __future__ import annotations

from typing import Any

import numpy as np
from tools import mistaken as witness
from tools.mistaken import LLAMA3, Array, Setup, changed, right

COMBINED = (
    *(("other-layout", "offset"), ("base", "direction"), ("other-layout", "direction")),
    *(("offset", "direction"), ("base", "offset")),
)
ADJACENT = (-1.142639664, 1.922075597, 2.959850668, 4.029799502)
HALF = (-1.984110649, 1.959900667, 2.462377902, 4.019799668)
MIXED_ROW = (-1.984110649, -2.285279327, 3.009849835, 4.019799668)
MIRRORED_ROW = (-1.142639664, 2.009899834, -1.744977022, 4.029799502)
REORDERED = (-1.142639664, 2.959850668, 1.922075597, 4.029799502)
MIXED = {"angles": "adjacent", "rotation": "half-split"}
MIRROR = {"angles": "half-split", "rotation": "adjacent"}
ORDER = {"layout_in": "adjacent", "layout_out": "half-split"}
ONCE, TWICE = [0, 2, 4, 6, 1, 3, 5, 7], [0, 4, 1, 5, 2, 6, 3, 7]


def told(d: int = 4, base: float = 1e4, at: Any = 1, half: bool = False, **more: Any) -> Setup:
    layout, m, none = "half-split" if half else "adjacent", np.atleast_1d(at), np.ones(0)
    return changed(Setup(d, d, base, layout, m, "float64", none, none, 1.0, "default", {}), **more)


def scaled(method: str, d: int, base: float, **values: Any) -> Setup:
    return told(d, base, method=method, values=values)


def rows(*values: float) -> Array:  # [batch, heads, tokens, head_width]
    return np.array([[[values]]], np.float64)


def spelled(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: f"{n:.9g}" if isinstance(n, float) else n for name, n in figures.items()}


def made(kind: str, setup: Setup, x: Array, **figures: Any) -> Array:
    """The right arrays, or those of a mistake that has these figures, to nine digits."""
    if kind == "right":
        return right(setup, x)
    for seed in range(1000):
        found = witness.mistaken(kind, setup, x, np.random.default_rng(seed))
        if found and spelled(found[1]) == spelled(figures):
            return found[0]
    raise AssertionError(f"{kind} is never made with {figures}")


GPT_OSS = {"factor": 32, "original_length": 4096}
OPEN = scaled("yarn", 64, 15e4, **GPT_OSS, truncate=False)
LLAMA31 = scaled("llama3", 128, 5e5, **LLAMA3 | {"factor": 8})
