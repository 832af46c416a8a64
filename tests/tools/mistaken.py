"""RoPE right and wrong, on purpose: arrays that an implementation with one mistake would save.

A witness for ``verify`` that knows nothing of the package. Arrays are float64, whatever they hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]
Figures = dict[str, Any]
Made = tuple[Array, Figures] | None
Rng = np.random.Generator

OTHER = {"adjacent": "half-split", "half-split": "adjacent"}
ROUNDOFF = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
BASES, LENGTHS = (1e4, 5e5, 1e6), (2048, 4096, 8192)
LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_length": 8192}
# By method the least width and base, below which it does little or nothing; factors; values.
METHODS = {
    "default": (2, 1e2, (1,), ""),
    "linear": (2, 1e2, (2, 4, 8), "factor"),
    "ntk": (4, 1e2, (2, 4, 8), "factor"),
    "yarn": (8, 1e3, (4, 8, 16, 32), "factor original_length truncate"),
    "llama3": (16, 1e4, (8, 32), "factor low_freq_factor high_freq_factor original_length"),
    "dynamic": (4, 1e2, (2, 4), "factor original_length length"),
    "longrope": (2, 1e2, (4, 16, 32), "factor original_length length short_factor long_factor"),
}
KINDS = (
    *("no-rotation", "other-layout", "order-out", "mixed-layout", "direction", "offset", "base"),
    *("reversed-positions", "slot-positions", "clamped-positions", "axes-exchanged", "permuted"),
    *("rotated-twice", "position-interpolation", "ntk", "yarn", "llama3", "unscaled", "degrees"),
    *("attention-factor", "rotary-width", "denominator", "stride", "sine-cosine-exchanged"),
    *("lost-minus", "low-precision", "some-rows", "stale-length", "other-list"),
)


class Setup(NamedTuple):
    """How the arrays should have been made; the ``length`` of a text is one of the ``values``."""

    head_width: int
    rotary_width: int
    base: float
    layout: str
    positions: NDArray[np.int64]  # [tokens]
    dtype: str
    theta: Array  # [pairs], radians per position
    plain: Array  # the same before scaling
    attention: float
    method: str
    values: Mapping[str, Any]


def changed(setup: Setup, denominator: int | None = None, **fields: Any) -> Setup:
    """The setup with other fields, and the frequencies and attention factor that follow."""
    setup = setup._replace(**fields)
    d, method, values = setup.rotary_width, setup.method, setup.values
    s, length = values.get("factor", 1.0), values.get("original_length", 1)
    k = np.arange(d // 2)
    plain = setup.base ** (-2.0 * k / (denominator or d))
    kept, divisors, a = 0.0 * k, s, 1.0
    if method == "dynamic":
        s = s * max(values["length"], length) / length - (s - 1)
    if method in ("ntk", "dynamic"):
        divisors = s ** (2.0 * k / (d - 2))
    if method == "yarn":
        # The pairs that turn 32 times and once in the original length.
        low, high = d * np.log(length / 2 / math.pi / np.array([32, 1])) / 2 / math.log(setup.base)
        if values.get("truncate", True):
            low, high = np.floor(low), np.ceil(high)
        kept = 1 - np.interp(k, [max(low, 0), min(high, d - 1)], [0, 1])
        a = 0.1 * math.log(s) + 1
    if method == "llama3":
        bounds = values["low_freq_factor"], values["high_freq_factor"]
        kept = np.interp(length * plain / (2 * math.pi), bounds, [0, 1])
    if method == "longrope":
        divisors = values["long_factor" if values["length"] > length else "short_factor"]
        a = math.sqrt(1 + math.log(s) / math.log(length))
    theta = plain * kept + plain / np.array(divisors) * (1 - kept)
    return setup._replace(theta=theta, plain=plain, attention=values.get("attention_factor", a))


def rounded(values: Any, dtype: str) -> Array:
    """The nearest values that ``dtype`` holds, ties to even."""
    if dtype == "bfloat16":
        step = np.ldexp(1.0, np.maximum(np.frexp(values)[1] - 8, -133))  # 8 significant bits
        return np.asarray(np.rint(values / step) * step)
    return np.asarray(values, np.float64).astype(dtype).astype(np.float64)


def stored(values: Array, dtype: str) -> NDArray[Any]:
    """As a framework would save it; bfloat16 as its 16 bits, the upper half of a float32."""
    if dtype != "bfloat16":
        return values.astype(dtype)
    return (rounded(values, dtype).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def pairs(layout: str, width: int) -> Pairs:
    """Where the left and the right coordinates of all pairs stand."""
    k = np.arange(width // 2)
    return (2 * k, 2 * k + 1) if layout == "adjacent" else (k, k + width // 2)


def tables(setup: Setup, **coarse: str) -> Array:
    """Cosines, -sines, sines, cosines ``[4, ..., tokens, pairs]``; ``coarse`` gives dtypes."""
    inner = "float64" if setup.dtype == "float64" else "float32"  # of angles, as in frameworks
    held = dict.fromkeys(("frequencies", "positions", "angles"), inner) | coarse
    theta = rounded(setup.theta, held["frequencies"])
    positions = rounded(setup.positions, held["positions"])
    angles = rounded(positions[..., None] * theta, held["angles"])
    cos, sin = (rounded(turn(angles), inner) * setup.attention for turn in (np.cos, np.sin))
    return rounded(np.stack([cos, -sin, sin, cos]), held.get("tables", setup.dtype))


def turned(setup: Setup, x: Array, matrix: Any, read: Pairs, write: Pairs) -> Array:
    """Every pair ``(l, r)`` becomes ``(a l + b r, c l + d r)``, each step rounded to the dtype."""
    y = x.copy()
    for at, row in zip(write, (matrix[:2], matrix[2:]), strict=True):
        left, right = (rounded(x[..., read[i]] * row[i], setup.dtype) for i in (0, 1))
        y[..., at] = rounded(left + right, setup.dtype)
    return y


def right(setup: Setup, x: Array, **coarse: str) -> Array:
    """The rotation ``(l c - r s, l s + r c)``, as a framework computes it in the dtype."""
    at = pairs(setup.layout, setup.rotary_width)
    return turned(setup, x, tables(setup, **coarse), at, at)


def pick(rng: Rng, options: Sequence[Any]) -> Any:
    return options[int(rng.integers(len(options)))]


def told_wrong(kind: str, setup: Setup, heads: int, rng: Rng) -> tuple[Setup, Figures] | None:
    """Another setup, which a right implementation then follows."""
    head, d, base, layout, positions, _, theta, plain, a, method, values = setup
    first, last, length = int(positions.min()), int(positions.max()), values.get("length", 0)
    s = pick(rng, [s for s in (2, 4, 8, 16) if s != values.get("factor")])
    narrowest, lowest, factors, _ = METHODS.get(kind, METHODS["default"])
    match kind:
        case "other-layout":
            return setup._replace(layout=OTHER[layout]), {"layout": OTHER[layout]}
        case "direction":
            return setup._replace(theta=-theta), {}
        case "offset":  # among them the expected one, forgotten
            near, far = int(rng.integers(1, 6)), int(rng.integers(1, 100_001))
            n = pick(rng, [n for n in (near, -near, far, -far, -first) if n and first + n >= 0])
            return setup._replace(positions=positions + n), {"offset": n}
        case "reversed-positions":
            return setup._replace(positions=positions[::-1]), {}
        case "slot-positions" if (np.diff(positions) != 1).any():  # else it is an offset
            return setup._replace(positions=np.arange(len(positions))), {}
        case "clamped-positions" if first < last:
            n = pick(rng, positions[positions < last].tolist())
            return setup._replace(positions=np.minimum(positions, n)), {"last": n}
        case "axes-exchanged" if heads >= 3:
            return setup._replace(positions=np.arange(heads)[:, None] + 0 * positions), {}
        case "base":
            b = pick(rng, [b for b in (*BASES, 10 ** rng.uniform(2, 7)) if b != base])
            return changed(setup, base=b), {"base": b}
        case "position-interpolation":
            return setup._replace(theta=plain / s), {"factor": s}
        case "ntk" if d > 2:
            found = {"factor": s, "attention_factor": a}
            return changed(setup, method=kind, values=found), {"factor": s}
        case "yarn" | "llama3" if method == "default" and d >= narrowest and base >= lowest:
            n = 8192 if kind == "llama3" else pick(rng, LENGTHS)
            found = {"factor": pick(rng, factors), "original_length": n}
            return changed(setup, method=kind, values=LLAMA3 | found), found
        case "unscaled" if method != "default":
            return changed(setup, method="default", values={}), {}
        case "attention-factor":  # that of YaRN where there is none, or none, or applied twice
            m = 1 + 0.1 * math.log(2 ** int(rng.integers(1, 8)))
            m = m if a == 1 else pick(rng, (1.0, a * a))
            return setup._replace(attention=m), {"found": m}
        case "rotary-width" if method != "longrope":  # its lists have a length of their own
            widths = {d // 4 * 2, d - 2, d + 2, 2 * d, head} - {d}
            w = pick(rng, [w for w in widths if METHODS[method][0] <= w <= head] or [d])
            return changed(setup, rotary_width=w), {"width": w}
        case "denominator" if method not in ("ntk", "yarn", "dynamic"):  # 5/4: hidden / heads
            w = pick(rng, [w for w in (head, 2 * d, 5 * d // 4) if w != d and w % 2 == 0])
            return changed(setup, denominator=w), {"denominator": w}
        case "degrees":
            return setup._replace(theta=np.deg2rad(theta)), {}
        case "stale-length" if method == "dynamic":  # if never scaled, it is called unscaled
            n = pick(rng, (2 * length, (length + values["original_length"]) // 2))
            return changed(setup, values={**values, "length": n}), {"length": n}
        case "other-list" if method == "longrope":
            lists = {"short_factor": values["long_factor"], "long_factor": values["short_factor"]}
            return changed(setup, values={**values, **lists}), {}
    return None


def done_wrong(kind: str, setup: Setup, x: Array, rng: Rng) -> Made:
    """Arrays of an implementation that does something else than a rotation of its pairs."""
    head, d, half = setup.head_width, setup.rotary_width, setup.layout == "half-split"
    at, (one, other) = pairs(setup.layout, d), pick(rng, tuple(OTHER.items()))
    here, there, order = pairs(one, d), pairs(other, d), np.arange(head)
    cos, _, sin, _ = rotation = tables(setup)
    match kind:
        case "no-rotation":
            return x.copy(), {}
        case "order-out":
            return turned(setup, x, rotation, here, there), {"layout_in": one, "layout_out": other}
        case "mixed-layout":
            # Coordinates get their angles by one layout and are paired by the other.
            k = np.argsort(np.concatenate(here)) % (d // 2)
            row = [each[..., k[there[i]]] for each, i in zip(rotation, (0, 0, 1, 1), strict=True)]
            return turned(setup, x, row, there, there), {"angles": one, "rotation": other}
        case "rotated-twice":
            return right(setup, right(setup, x)), {}
        case "stride" if half and d < head:
            at = at[0], at[0] + head // 2
            return turned(setup, x, rotation, at, at), {"stride": head // 2}
        case "sine-cosine-exchanged":
            return turned(setup, x, (sin, -cos, cos, sin), at, at), {}
        case "lost-minus":
            minus, sign = pick(rng, (("lost", 1), ("moved", -1)))
            return turned(setup, x, (cos, sign * sin, sign * sin, cos), at, at), {"minus": minus}
        case "low-precision" if setup.positions.max() < 65504:  # where float16 ends
            whole = setup.dtype in ("float64", "float32")  # else its tables are narrow anyway
            what = pick(rng, ("frequencies", "angles", "positions", "tables")[: 3 + whole])
            dtype = pick(rng, ("float16", "bfloat16"))
            return right(setup, x, **{what: dtype}), {"dtype": dtype, "rounded": what}
        case "some-rows" if len(x) >= 2:
            rows = sorted(rng.permutation(len(x))[: rng.integers(1, len(x))].tolist())
            y = right(setup, x)
            y[rows] = x[rows]
            return y, {"rows": rows}
        case "permuted" if half and d > 4:
            once = np.concatenate(pairs("adjacent", d))
            order[:d] = once[once]
            return right(setup, x[..., order]), {"order": order[:d].tolist()}
    return None


def mistaken(kind: str, setup: Setup, x: Array, rng: Rng) -> Made:
    """One mistake and its figures, or ``None`` if it does not apply or changes nothing."""
    told = told_wrong(kind, setup, x.shape[1], rng)
    made = (right(told[0], x), told[1]) if told else done_wrong(kind, setup, x, rng)
    return None if made is None or np.array_equal(made[0], right(setup, x)) else made


def combined(kinds: tuple[str, str], setup: Setup, x: Array, rng: Rng) -> Made:
    """Two mistakes, the first of them in what is told; ``None`` as for one."""
    told = told_wrong(kinds[0], setup, x.shape[1], rng)
    if told is None or np.array_equal(right(told[0], x), right(setup, x)):
        return None
    made = mistaken(kinds[1], told[0], x, rng)
    return made and (made[0], told[1] | made[1])


def random_setup(rng: Rng) -> Setup:
    """What a model could have."""
    method = "default" if rng.random() < 0.5 else pick(rng, tuple(METHODS)[1:])
    narrowest, lowest, factors, names = METHODS[method]
    d = max(narrowest, pick(rng, (2 ** int(rng.integers(1, 9)), 2 * int(rng.integers(1, 129)))))
    head = d if rng.random() < 0.7 else 2 * int(rng.integers(d // 2, 129))
    base = pick(rng, BASES) if rng.random() < 0.3 else 10 ** rng.uniform(math.log10(lowest), 7)
    count = int(rng.integers(8, 49) if rng.random() < 0.8 else rng.integers(1, 65))
    steps = rng.integers(1, 9 if rng.random() < 0.2 else 2, size=count)
    positions = pick(rng, (0, rng.integers(100), rng.integers(100_001))) + steps.cumsum() - steps[0]
    length = 8192 if method == "llama3" else pick(rng, LENGTHS)
    beyond = rng.uniform(1.25, 8) if method == "dynamic" else pick(rng, (0.5, 1.0, 4.0))
    values = LLAMA3 | {
        "factor": pick(rng, factors),
        "original_length": length,
        "truncate": bool(rng.integers(2)),
        "length": max(int(beyond * length), int(positions[-1]) + 1),
        "short_factor": tuple(rng.uniform(1, 3, size=d // 2).round(3).tolist()),
        "long_factor": tuple(rng.uniform(1, 60, size=d // 2).round(3).tolist()),
    }
    values = {name: values[name] for name in names.split()}
    layout, dtype, none = pick(rng, tuple(OTHER)), pick(rng, tuple(ROUNDOFF)), np.ones(0)
    return changed(Setup(head, d, base, layout, positions, dtype, none, none, 1.0, method, values))


def random_input(rng: Rng, setup: Setup) -> Array:
    """Rows ``[batch, heads, tokens, head_width]`` that the dtype holds exactly."""
    shape = rng.integers(1, 4), rng.integers(1, 5), len(setup.positions), setup.head_width
    return rounded(rng.normal(size=shape), setup.dtype)


def visible(setup: Setup, right_y: Array, wrong_y: Array, x: Array) -> float:
    """The greatest difference, counted in what rounding may do; not above 1, nobody can see it."""
    u, angles = ROUNDOFF[setup.dtype], setup.positions[:, None] * setup.theta
    loose = (u if setup.dtype == "float64" else 2.0**-24) * (6 + 3 * np.abs(np.log(setup.theta)))
    loose = np.where(setup.theta == 1, 0, loose)  # the power 0 of a base, and the position itself
    left, right = pairs(setup.layout, setup.rotary_width)
    lengths = setup.attention * np.hypot(x[..., left], x[..., right])
    off, allowed = np.abs(wrong_y - right_y), 2 * u * np.abs(x)
    off[..., left] = off[..., right] = np.hypot(off[..., left], off[..., right])
    allowed[..., left] = allowed[..., right] = lengths * (8 * u + loose * angles)
    return float((off / (allowed + 1e-300)).max())  # a row of zeros may differ nowhere
