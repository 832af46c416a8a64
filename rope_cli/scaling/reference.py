"""The scaled frequencies once more, each method in another form, for the checks to compare with.

Nothing here uses :mod:`rope_cli.rope`: a mistake there must not repeat itself in its witness.
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
    """What each frequency is multiplied by, ``[pairs]``."""
    k, s = np.arange(d // 2), float(values.get("factor", 1.0))
    made: Array = np.ones(d // 2)
    match method:
        case "linear":
            made = made / s
        case "ntk":
            made = np.power(s, -2.0 * k / (d - 2))
        case "dynamic":
            original = values["original_length"]
            growth = 1.0 + s * (max(length, original) - original) / original
            made = np.power(growth, -2.0 * k / (d - 2))
        case "yarn":
            made = ratios_of_yarn(values, d, b)
        case "llama3":
            low, high = values["low_freq_factor"], values["high_freq_factor"]
            turns = values["original_length"] / (2 * math.pi * np.power(b, 2.0 * k / d))
            made = 1.0 / s + (1.0 - 1.0 / s) * climb(turns, low, high)
        case "longrope":
            long = length > values["original_length"]
            made = 1.0 / np.array(values["long_factor" if long else "short_factor"])
        case "proportional":
            made = (2 * (k + 1) <= values["share"] * d) / s
    return made


def ratios_of_yarn(values: Mapping[str, Any], d: int, b: float) -> Array:
    """What YaRN multiplies each frequency by: 1, 1/s, or on the line between, by pair index."""
    low, high = (
        d / 2 * math.log(values["original_length"] / (2 * math.pi * values[turns]), b)
        for turns in ("beta_fast", "beta_slow")
    )
    if values["truncate"]:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(0, low), min(d - 1, high)
    if low == high:
        high = low + 0.001
    shares = [min(1.0, max(0.0, (pair - low) / (high - low))) for pair in range(d // 2)]
    return np.array([(1.0 - share) + share / values["factor"] for share in shares])


def climb(turns: Array, low: float, high: float) -> Array:
    """0 up to ``low`` turns, 1 from ``high`` on, a straight line between them."""
    if low == high:
        return (turns >= high).astype(np.float64)
    return np.interp(turns, [low, high], [0.0, 1.0])


def attention_factor(method: str, values: Mapping[str, Any]) -> float:
    """What cosines and sines are multiplied by."""
    given = values.get("attention_factor")
    s = values.get("factor", 1.0)
    if given is not None:
        return float(given)
    if s <= 1 or method not in ("yarn", "longrope"):
        return 1.0
    if method == "longrope":
        return math.sqrt(math.log(s * values["original_length"], values["original_length"]))
    one, other = values.get("mscale"), values.get("mscale_all_dim")
    tenth = math.log(s) / 10
    return (1 + tenth * one) / (1 + tenth * other) if one and other else 1 + tenth
