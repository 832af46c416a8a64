"""The scaled frequencies computed a second time, each method in another form, for the checks.

Nothing here imports :mod:`rope_cli`, so that a mistake there cannot repeat itself here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def frequencies(method: str, values: Mapping[str, Any], d: int, b: float, length: int) -> Array:
    """Radians per position of each pair ``[pairs]`` of rotary width ``d`` after scaling."""
    k = np.arange(d // 2)
    theta: Array = np.exp(-2.0 * k / d * math.log(b))
    return theta * ratios(method, values, d, b, length)


def ratios(method: str, values: Mapping[str, Any], d: int, b: float, length: int) -> Array:
    """The factor by which a method multiplies each frequency, ``[pairs]``."""
    k, s = np.arange(d // 2), float(values.get("factor", 1.0))
    ratio: Array = np.ones(d // 2)
    match method:
        case "linear":
            ratio = ratio / s
        case "ntk":
            ratio = np.power(s, -2.0 * k / (d - 2))
        case "dynamic":
            original = values["original_length"]
            growth = 1.0 + s * (max(length, original) - original) / original
            if values.get("doubling"):
                doublings = 0
                while original * 2**doublings < length:
                    doublings += 1
                growth = 2.0 ** (doublings + 1) - 1.0
            ratio = np.power(growth, -2.0 * k / (d - 2))
        case "yarn":
            ratio = yarn_ratios(values, d, b)
        case "llama3":
            low, high = values["low_freq_factor"], values["high_freq_factor"]
            turns = values["original_length"] / (2 * math.pi * np.power(b, 2.0 * k / d))
            ratio = 1.0 / s + (1.0 - 1.0 / s) * linear_ramp(turns, low, high)
        case "longrope":
            long = length > values["original_length"]
            ratio = 1.0 / np.array(values["long_factor" if long else "short_factor"])
        case "proportional":
            ratio = (2 * (k + 1) <= values["share"] * d) / s
    return ratio


def yarn_ratios(values: Mapping[str, Any], d: int, b: float) -> Array:
    """YaRN's factors: 1, 1/s, or between them on a line over the index of the pair."""
    low, high = (
        d / 2 * math.log(values["original_length"] / (2 * math.pi * values[turns]), b)
        for turns in ("beta_fast", "beta_slow")
    )
    if values["truncate"]:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(0, low), min(d - 1, high)
    if low == high:
        high = low + 0.001
    divided = [min(1.0, max(0.0, (pair - low) / (high - low))) for pair in range(d // 2)]
    return np.array([(1.0 - share) + share / values["factor"] for share in divided])


def linear_ramp(turns: Array, low: float, high: float) -> Array:
    """0 up to ``low`` turns, 1 from ``high`` turns on, a straight line between them."""
    if low == high:
        return (turns >= high).astype(np.float64)
    return np.interp(turns, [low, high], [0.0, 1.0])


def attention_factor(method: str, values: Mapping[str, Any]) -> float:
    """The factor of all cosines and sines."""
    explicit = values.get("attention_factor")
    s = values.get("factor", 1.0)
    if explicit is not None:
        return float(explicit)
    if s <= 1 or method not in ("yarn", "longrope"):
        return 1.0
    if method == "longrope":
        return math.sqrt(math.log(s * values["original_length"], values["original_length"]))
    mscale, mscale_all_dim = values.get("mscale"), values.get("mscale_all_dim")
    tenth = math.log(s) / 10
    if mscale and mscale_all_dim:
        return float((1 + tenth * mscale) / (1 + tenth * mscale_all_dim))
    return 1 + tenth
