"""RoPE as somebody else's code computes it, in plain numpy; nothing here knows the package.

Arrays are float64, whatever dtype they stand for; each number is rounded where that code rounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

# The unit roundoff of each dtype.
ROUNDOFF = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
OTHER = {"adjacent": "half-split", "half-split": "adjacent"}
# Frequencies from powers, from exponentials of logarithms, or by one multiplication a pair; angles
# by one multiplication a pair; cosines and sines in the dtype, or everything in float32 and rounded
# once; everything in float64 and rounded once.
WAYS = ("powers", "exponentials", "products", "loop", "once", "exact")


class Code(NamedTuple):
    """What some code does; the fields below ``values`` are those of mistaken code only.

    ``positions`` are ``[batch or 1, heads or 1, tokens]``. The rotated coordinates begin at
    ``first``. ``order`` holds the indices with which coordinates are permuted beforehand,
    ``narrow`` a dtype by quantity.
    """

    head_width: int
    width: int
    base: float
    layout: str
    positions: Array
    dtype: str
    way: str = "exact"
    first: int = 0
    method: str = "default"
    values: Mapping[str, Any] = {}
    exponent_width: int | None = None
    speed: float = 1.0
    sequence: str = "falling"
    gain: float | None = None
    written: str | None = None
    angles: str | None = None
    stride: int | None = None
    exchanged: bool = False
    written_half: str = "both"
    form: str = "plain"
    order: tuple[int, ...] | None = None
    narrow: Mapping[str, str] = {}


def held(values: Any, dtype: str) -> Array:
    """The nearest numbers of a dtype, ties to even."""
    with np.errstate(over="ignore"):
        if dtype != "bfloat16":
            return np.asarray(values, np.float64).astype(dtype).astype(np.float64)
        bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    bits += 0x7FFF + (bits >> 16 & 1)
    return (bits & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)


def stored(values: Array, dtype: str) -> NDArray[Any]:
    """As a framework saves it; bfloat16 as its 16 bits."""
    if dtype != "bfloat16":
        return values.astype(dtype)
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def stretched_base(code: Code) -> float:
    """The base of NTK-aware and dynamic scaling; that of the code for other methods."""
    values, s = code.values, code.values.get("factor", 1.0)
    if code.method == "dynamic":
        length = values["original_length"]
        s = s * max(values["length"], length) / length - (s - 1)
    if code.method in ("ntk", "dynamic"):
        return float(code.base * s ** (code.width / (code.width - 2)))
    return code.base


def unscaled(code: Code, base: float, number: Any) -> Any:
    """``base^(-2k/d)`` ``[pairs]``, with the arithmetic of a numpy type of numbers."""
    k, d, b = np.arange(code.width // 2, dtype=number), code.exponent_width or code.width, base
    if code.way == "exponentials":
        return np.exp(-(2 * k / number(d)) * np.log(number(b)))
    if code.way == "products":
        steps = np.full(len(k), number(b ** (-2 / d)))
        steps[:1] = 1
        return np.cumprod(steps, dtype=number)
    return 1 / number(b) ** (2 * k / number(d))


def scaled(code: Code, theta: Any) -> Any:
    """The frequencies ``[pairs]`` after scaling, with the arithmetic of those before."""
    values, s = code.values, code.values.get("factor", 1.0)
    length = values.get("original_length", 1)
    if code.method == "linear":
        return theta / s
    if code.method == "yarn":
        ends = [
            code.width * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(code.base))
            for turns in (32, 1)
        ]
        if values.get("truncate", True):
            ends = [math.floor(ends[0]), math.ceil(ends[1])]
        low, high = max(ends[0], 0), min(ends[1], code.width - 1)
        high += 0.001 * (low == high)
        ramp = np.clip((np.arange(len(theta), dtype=theta.dtype) - low) / (high - low), 0, 1)
        return theta / s * ramp + theta * (1 - ramp)
    if code.method == "llama3":
        low, high = values["low_freq_factor"], values["high_freq_factor"]
        turns = length * theta / (2 * math.pi)
        smooth = np.clip((turns - low) / (high - low), 0, 1)
        return (1 - smooth) * theta / s + smooth * theta
    if code.method == "longrope":
        which = "long_factor" if values["length"] > length else "short_factor"
        return theta / np.array(values[which], theta.dtype)
    return theta


def frequencies(code: Code) -> Array:
    """The frequencies ``[pairs]`` in radians per position, as exact as the way is."""
    number = np.float64 if code.way == "exact" or code.dtype == "float64" else np.float32
    theta = scaled(code, unscaled(code, stretched_base(code), number))
    match code.sequence:
        case "rising":
            theta = theta[::-1]
        case "from-one":
            theta = theta * number(code.base ** (-2 / code.width))
        case "inverted":
            theta = 1 / theta
    return np.asarray(theta * number(code.speed), np.float64)


def gain(code: Code) -> float:
    """The attention factor."""
    s = code.values.get("factor", 1.0)
    if code.gain is not None:
        return code.gain
    if code.method == "yarn":
        return 0.1 * math.log(s) + 1
    if code.method == "longrope":
        return math.sqrt(1 + math.log(s) / math.log(code.values["original_length"]))
    return 1.0


def angles(code: Code) -> Array:
    """The angles ``[batch or 1, heads or 1, tokens, pairs]`` in radians."""
    single = code.way != "exact" and code.dtype != "float64"
    inner = "float32" if single else "float64"
    narrow = dict.fromkeys(("frequencies", "positions", "angles"), inner) | dict(code.narrow)
    positions = held(code.positions, narrow["positions"])[..., np.newaxis]
    if code.way == "loop" and single:
        b, d = stretched_base(code), code.exponent_width or code.width
        steps = np.full((*positions.shape[:-1], code.width // 2), np.float32(b ** (-2 / d)))
        steps[..., 0] = positions[..., 0]
        products = np.cumprod(steps, axis=-1, dtype=np.float32)
        return held(products * np.float32(frequencies(code)[0]), narrow["angles"])
    theta = held(frequencies(code), narrow["frequencies"])
    return held(positions * theta, narrow["angles"])


def coordinates(layout: str, width: int, stride: int | None = None) -> tuple[Indices, Indices]:
    """Where the left and the right coordinates of all pairs stand."""
    k = np.arange(width // 2)
    return (2 * k, 2 * k + 1) if layout == "adjacent" else (k, k + (stride or width // 2))


def matrices(code: Code) -> tuple[Array, Array, Array, Array]:
    """What a pair ``(l, r)`` is multiplied by: ``(a l + b r, c l + d r)``."""
    single = code.way != "exact" and code.dtype != "float64"
    inner = "float32" if single else "float64"
    table = inner if code.way in ("once", "loop", "exact") else code.dtype
    table = code.narrow.get("tables", table)
    both = angles(code)
    cosines, sines = (held(held(f(both), inner) * gain(code), table) for f in (np.cos, np.sin))
    if code.angles is not None:
        # A row of angles in the order of one layout, for pairs of the other.
        pair = np.argsort(np.concatenate(coordinates(code.angles, code.width))) % (code.width // 2)
        left, right = (pair[at] for at in coordinates(code.layout, code.width))
        return cosines[..., left], -sines[..., left], sines[..., right], cosines[..., right]
    still = np.zeros_like(sines)
    return {
        "plain": (cosines, -sines, sines, cosines),
        "exchanged": (sines, -cosines, cosines, sines),
        "lost": (cosines, sines, sines, cosines),
        "moved": (cosines, -sines, -sines, cosines),
        "no-sine": (cosines, still, still, cosines),
        "zeros": (still, still, still, still),
        "in-place": (cosines, -sines, sines * cosines, cosines - sines * sines),
    }[code.form]


def rotate(code: Code, x: Array) -> Array:
    """``[batch, heads, tokens, features]`` as the code rotates it."""
    steps = "float64" if code.way == "exact" else code.dtype
    if code.way in ("once", "loop") and code.dtype != "float64":
        steps = "float32"
    x = x if code.order is None else x[..., list(code.order)]
    a, b, c, d = matrices(code)
    at = coordinates(code.layout, code.width, code.stride)
    to = at if code.written is None else coordinates(code.written, code.width)
    to = to[::-1] if code.exchanged else to
    left, right = (x[..., code.first + each] for each in at)
    y = x.copy()
    for place, one, other in ((to[0], a, b), (to[1], c, d)):
        total = held(held(left * one, steps) + held(right * other, steps), steps)
        if code.written_half in ("both", "left" if place is to[0] else "right"):
            y[..., code.first + place] = held(total, code.dtype)
    return 0 * y if code.form == "zeros" else y
