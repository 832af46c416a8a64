"""Mistakes: the figures that one may have, what it does to code, and how far off that is seen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trials.implementation import (
    OTHER,
    ROUNDOFF,
    Array,
    Code,
    coordinates,
    frequencies,
    gain,
    rotate,
    unscaled,
)
from trials.setups import BASES, LENGTHS, Rng, Setup, pick

Figures = Mapping[str, Any]
Shape = tuple[int, ...]  # [batch, heads, tokens, features]
Mistakes = Sequence[tuple[str, Figures]]  # kinds with their figures, all made together

UNITS = {"degrees": math.pi / 180, "turns": 2 * math.pi}
# Kinds that say on which rows the others were made.
ON_SOME_ROWS = {"some-rows", "some-tokens"}
TOKENS = 2  # the axis of the tokens
LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_length": 8192}
# Mistakes without a figure, and the field of the code that each changes.
PLAIN: dict[str, dict[str, Any]] = {
    "no-rotation": {"speed": 0.0, "gain": 1.0, "method": "default"},
    "sine-cosine-exchanged": {"form": "exchanged"},
    "in-place": {"form": "in-place"},
    "no-sine": {"form": "no-sine"},
    "pairs-from-one": {"sequence": "from-one"},
    "reversed-frequencies": {"sequence": "rising"},
    "frequencies-not-inverted": {"sequence": "inverted"},
    "zeros": {"form": "zeros"},
    "unscaled": {"method": "default", "values": {}},
}


def changed(code: Code, kind: str, figures: Figures, shape: Shape) -> Code | None:
    """The code with one more mistake; ``None`` for a kind that no code here can make."""
    p = code.positions
    if kind in PLAIN:
        return code._replace(**PLAIN[kind])
    match kind:
        case "other-layout":
            return code._replace(layout=figures["layout"])
        case "order-out":
            return code._replace(layout=figures["layout_in"], written=figures["layout_out"])
        case "mixed-layout":
            return code._replace(layout=figures["rotation"], angles=figures["angles"])
        case "direction":
            return code._replace(speed=-code.speed)
        case "negated":
            return code._replace(gain=-gain(code))
        case "rotated-twice":
            return code._replace(speed=2 * code.speed, gain=gain(code) ** 2)
        case "degrees":
            return code._replace(speed=code.speed * UNITS.get(figures["taken_as"], math.nan))
        case "lost-minus":
            return code._replace(form=figures["minus"])
        case "attention-factor":
            return code._replace(gain=figures["found"])
        case "results-exchanged":
            return code._replace(exchanged=True)
        case "half-written":
            return code._replace(written_half=figures["written"])
        case "slice-start":
            return code._replace(first=figures["first"])
        case "low-precision":
            return code._replace(narrow=dict.fromkeys(figures["rounded"], str(figures["dtype"])))
        case "offset":
            return code._replace(positions=p + figures["offset"])
        case "reversed-positions":
            return code._replace(positions=p[..., ::-1])
        case "slot-positions":
            return code._replace(positions=np.arange(float(p.shape[-1])) + 0 * p)
        case "clamped-positions":
            return code._replace(positions=np.minimum(p, figures["last"]))
        case "wrapped-positions":
            return code._replace(positions=np.mod(p, figures["size"]))
        case "axes-exchanged":
            return code._replace(positions=np.arange(float(shape[1]))[:, np.newaxis] + 0 * p)
        case "shared-positions":
            return code._replace(positions=p[figures["row"], np.newaxis] + 0 * p)
        case "running-positions":
            before = float(p.shape[-1]) * np.arange(shape[0])
            return code._replace(positions=p + before[:, np.newaxis, np.newaxis])
        case "row-offsets":
            own = np.array(figures["offsets"])[:, np.newaxis, np.newaxis]
            return code._replace(positions=p + own)
        case "permuted":
            rest = range(len(figures["order"]), code.head_width)
            return code._replace(order=(*figures["order"], *rest))
    return changed_frequencies(code, kind, figures)


def changed_frequencies(code: Code, kind: str, figures: Figures) -> Code | None:
    """The same for kinds that change the frequencies."""
    values = {k: v for k, v in figures.items() if k not in ("attention_factor", "base")}
    match kind:
        case "base":
            return code._replace(base=figures["base"])
        case "denominator" if code.method in ("ntk", "dynamic", "yarn"):
            # Scaled after it: another width in the exponent is the base raised to a power.
            return code._replace(base=code.base ** (code.width / figures["denominator"]))
        case "denominator":
            return code._replace(exponent_width=figures["denominator"])
        case "rotary-width":
            return code._replace(width=figures["width"])
        case "stride":
            return code._replace(stride=figures["stride"])
        case "position-interpolation":
            return code._replace(speed=code.speed / figures["factor"])
        case "ntk":
            return code._replace(method="ntk", values=values, gain=gain(code))
        case "yarn" | "llama3":
            # Their frequencies; an attention factor is a mistake of its own.
            return code._replace(method=kind, values=LLAMA3 | values, gain=gain(code))
        case "stale-length":
            return code._replace(values={**code.values, **figures})
        case "other-list":
            lists = code.values["short_factor"], code.values["long_factor"]
            names = ("long_factor", "short_factor")
            return code._replace(values={**code.values, **dict(zip(names, lists, strict=True))})
        case "other-rule":
            return other_rule(code, figures["rule"])
    return None


def other_rule(code: Code, rule: str) -> Code | None:
    """The same config as another program reads it."""
    s = code.values.get("factor", 1.0)
    match rule:
        case "other-truncation":
            cut = not code.values.get("truncate", True)
            return code._replace(values={**code.values, "truncate": cut})
        case "dynamic-static":
            return code._replace(method="ntk", values={"factor": s})
        case "dynamic-constant":
            return code._replace(method="ntk", values={"factor": s * s - s + 1})
    return None


def figures_of(kind: str, setup: Setup, rng: Rng) -> Figures | None:
    """Random figures for a kind of mistake; ``None`` where it cannot be made."""
    code, d = setup.code, setup.code.width
    p, (one, other) = code.positions, pick(rng, tuple(OTHER.items()))
    first, last = int(p.min()), int(p.max())
    half, wide = code.layout == "half-split", d >= 8
    match kind:
        case "other-layout" if d > 2:
            return {"layout": OTHER[code.layout]}
        case "order-out" if d > 2:
            return {"layout_in": one, "layout_out": other}
        case "mixed-layout" if d > 2:
            return {"angles": one, "rotation": other}
        case "offset":
            near, far = int(rng.integers(1, 6)), int(rng.integers(1, 100_001))
            options = [n for n in (near, -near, far, -first) if n and first + n >= 0]
            return {"offset": pick(rng, options)}
        case "shared-positions" if len(np.unique(p, axis=0)) > 1:
            return {"row": int(rng.integers(len(p)))}
        case "running-positions" if setup.batch > 1:
            return {}
        case "row-offsets" if setup.batch > 1 and len(p) == 1:
            offsets = rng.permutation(np.arange(0, 40))[: setup.batch]
            return {"offsets": offsets.tolist()}
        case "slot-positions" if (p - p.min(axis=-1, keepdims=True) != p).any():
            return {} if np.ptp(p - np.arange(p.shape[-1])) else None
        case "clamped-positions" if 0 <= first < last:
            return {"last": int(pick(rng, np.unique(p)[:-1].tolist()))}
        case "wrapped-positions" if 0 <= first < last - 2:  # else it is an offset
            return {"size": int(rng.integers(first + 1, last + 1))}
        case "axes-exchanged" if setup.heads > 2:
            return {}
        case "permuted" if half and wide:
            once = np.concatenate(coordinates("adjacent", d))
            return {"order": once[once].tolist()}
        case "degrees":
            return {"taken_as": pick(rng, tuple(UNITS))}
        case "half-written":
            return {"written": pick(rng, ("left", "right"))}
        case "slice-start" if d < code.head_width:
            starts = {0, code.head_width - d} - {code.first}
            return {"first": pick(rng, sorted(starts))}
        case "lost-minus":
            return {"minus": pick(rng, ("lost", "moved"))}
        case "attention-factor":
            a = gain(code)
            return {"found": pick(rng, (1.0, a * a)) if a != 1 else 1 + rng.uniform(0.05, 0.5)}
        case "low-precision" if last < 65_504:
            coarse = code.dtype in ("float16", "bfloat16")
            what = pick(rng, ("frequencies", "angles", "positions", "tables")[: 4 - coarse])
            return {"dtype": pick(rng, ("float16", "bfloat16")), "rounded": [what]}
        case "direction" | "negated" | "rotated-twice" | "reversed-positions" | "results-exchanged":
            return {}
        case "no-rotation" | "sine-cosine-exchanged" | "in-place" | "no-sine" | "zeros":
            return {}
    return figures_of_frequencies(kind, setup, rng)


def figures_of_frequencies(kind: str, setup: Setup, rng: Rng) -> Figures | None:
    """The same for kinds that change the frequencies."""
    code, d, values = setup.code, setup.code.width, setup.code.values
    head, plain, wide = code.head_width, code.method == "default", d >= 16
    match kind:
        case "base" if d > 2:
            options = [b for b in (*BASES, round(10 ** rng.uniform(2, 7), 3)) if b != code.base]
            return {"base": pick(rng, options)}
        case "denominator" if d > 2 and code.method not in ("ntk", "yarn", "dynamic"):
            options = [w for w in (head, 2 * d, 5 * d // 4) if w != d and w % 2 == 0]
            return {"denominator": pick(rng, options)}
        case "rotary-width" if code.method != "longrope" and d >= 8:
            options = [w for w in {d // 4 * 2, d - 2, d + 2, head} - {d} if code.first + w <= head]
            return {"width": pick(rng, sorted(options))}
        case "stride" if code.layout == "half-split" and d < head and not code.first:
            return {"stride": head // 2}
        case "position-interpolation":
            factors = {2.0, 4.0, 8.0, 16.0} - {values.get("factor")}
            return {"factor": pick(rng, sorted(factors))}
        case "ntk" if d >= 8 and plain:
            return {"factor": pick(rng, (2.0, 4.0, 8.0))}
        case "yarn" | "llama3" if wide and plain and code.base >= 1e4:
            length = 8192 if kind == "llama3" else pick(rng, LENGTHS)
            return {"factor": pick(rng, (4.0, 8.0, 32.0)), "original_length": length}
        case "unscaled" if not plain:
            return {}
        case "stale-length" if code.method == "dynamic":
            return {"length": pick(rng, (2, 4)) * max(values["length"], values["original_length"])}
        case "other-list" if code.method == "longrope":
            return {}
        case "other-rule":
            rules = {
                "yarn": ("other-truncation",),
                "dynamic": ("dynamic-static", "dynamic-constant"),
            }
            return {"rule": pick(rng, rules[code.method])} if code.method in rules else None
        case "pairs-from-one" if plain and d > 2:
            return {}
        # The loop of angles has no list of frequencies that could be reversed or inverted.
        case "reversed-frequencies" if plain and d > 2 and code.way != "loop":
            return {}
        case "frequencies-not-inverted" if plain and d > 2 and code.base <= 1e5:
            return {} if code.way != "loop" else None
    return None


def wrong_code(code: Code, mistakes: Mistakes, shape: Shape) -> Code | None:
    """The code with all of these mistakes; ``None`` if none here can have them."""
    wrong: Code | None = code
    for kind, figures in mistakes:
        if kind not in ON_SOME_ROWS:
            wrong = wrong and changed(wrong, kind, figures, shape)
    return None if wrong is None or wrong.first + wrong.width > wrong.head_width else wrong


def made(code: Code, x: Array, mistakes: Mistakes) -> Array | None:
    """What code with some mistakes makes of ``x``; ``None`` if none here can have them."""
    wrong = wrong_code(code, mistakes, x.shape)
    if wrong is None:
        return None
    y, right = rotate(wrong, x), rotate(code, x)
    place: list[Any] = [np.arange(size) for size in x.shape]
    for kind, figures in mistakes:
        if kind in ON_SOME_ROWS:
            axis = figures.get("axis", TOKENS)
            place[axis] = np.array(figures["rows" if "rows" in figures else "tokens"])
    right[np.ix_(*place)] = y[np.ix_(*place)]
    return right


def allowed(code: Code, x: Array) -> Array:
    """The greatest error of each number that rounding explains, in any way of computing.

    A rotated coordinate is exact to 8 roundoffs, its angle to some roundoffs of float32 (float64
    for float64): as many as the pair's number where frequencies come by multiplication. The angle
    of pair 0 is its position, which is exact.
    """
    u = ROUNDOFF[code.dtype]
    inner = u if code.dtype == "float64" else ROUNDOFF["float32"]
    theta = np.abs(frequencies(code._replace(way="exact")))
    plain = unscaled(code._replace(way="exact"), code.base, np.float64)
    k = np.arange(len(theta))
    roundings = np.where(theta == 1, 0, 8 + 2 * k + np.abs(np.log(np.maximum(plain, 1e-300))))
    blended = (theta != plain) & (code.method in ("yarn", "llama3"))
    errors = np.abs(code.positions)[..., np.newaxis] * inner * roundings
    shares = 8 * u + errors * np.where(blended, 4 * np.maximum(plain, theta), theta)
    left, right = (code.first + each for each in coordinates(code.layout, code.width, code.stride))
    lengths = abs(gain(code)) * np.hypot(x[..., left], x[..., right])
    errors = 2 * u * np.abs(x)
    for at in coordinates(code.written or code.layout, code.width, code.stride):
        errors[..., code.first + at] = lengths * shares
    return np.asarray(errors + (2.0**-22 if code.dtype == "float16" else 1e-300))


def seen(errors: Array, right: Array, wrong: Array) -> float:
    """The greatest difference over the errors that are allowed."""
    with np.errstate(invalid="ignore"):
        ratios = np.abs(wrong - right) / errors
    return float(np.nan_to_num(ratios, nan=np.inf, posinf=np.inf).max())
