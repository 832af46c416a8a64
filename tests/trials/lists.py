"""Questions about lists of frequencies."""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path

import numpy as np

from trials.implementation import OTHER, ROUNDOFF, Array, Code, frequencies
from trials.mistakes import Mistakes, figures_of, seen, wrong_code
from trials.question import SURE, Question
from trials.setups import Rng, config_of, length_of, pick, random_setup

KINDS = (
    *("base", "denominator", "rotary-width", "position-interpolation", "ntk", "yarn", "llama3"),
    *("unscaled", "stale-length", "other-list", "other-rule", "pairs-from-one", "degrees"),
    *("reversed-frequencies", "frequencies-not-inverted", "wavelengths", "written-twice"),
)
METHOD_OF = {"stale-length": "dynamic", "other-list": "longrope", "other-rule": "yarn"}
labels = tuple(f"list: {kind}" for kind in KINDS)


def random_code(rng: Rng) -> Code:
    """Code that computes its list in float32, or in float64."""
    code = random_setup(rng).code
    way = pick(rng, ("powers", "exponentials"))
    return code._replace(dtype=pick(rng, ("float32", "float64")), way=way)


def right(rng: Rng, folder: Path) -> Question:
    """The list of right code."""
    code = random_code(rng)
    return question("right", rng, folder, code, frequencies(code), ())


def wrong(label: str, rng: Rng, folder: Path) -> Question:
    """The list of code with the mistake that a label names."""
    kind = label.removeprefix("list: ")
    while True:
        setup = random_setup(rng)
        code = random_code(rng)
        if code.method != METHOD_OF.get(kind, code.method) or code.width < 8:
            continue
        theta = frequencies(code)
        if kind == "wavelengths":
            return question(label, rng, folder, code, 2 * math.pi / theta, [(kind, {})])
        if kind == "written-twice":
            layout = pick(rng, tuple(OTHER))
            twice = np.tile(theta, 2) if layout == "half-split" else np.repeat(theta, 2)
            return question(label, rng, folder, code, twice, [(kind, {"layout": layout})])
        figures = figures_of(kind, setup._replace(code=code), rng)
        other = None if figures is None else wrong_code(code, [(kind, figures)], setup.shape)
        if figures is not None and other is not None:
            return question(label, rng, folder, code, frequencies(other), [(kind, figures)])


def question(
    label: str, rng: Rng, folder: Path, code: Code, listed: Array, mistakes: Mistakes
) -> Question:
    """The question whether a list is that of the code."""
    visible = off(code, listed)
    words = ["verify", "--frequencies", str(folder / "list.json")]
    (folder / "list.json").write_text(json.dumps(listed.tolist()), "utf-8")
    if code.method != "default" or rng.random() < 0.5:
        (folder / "config.json").write_text(json.dumps(config_of(code)), "utf-8")
        words += ["--config", str(folder / "config.json")]
        words += ["--length", str(length_of(code))]
    else:
        words += ["-d", str(code.width), "-b", repr(code.base)]
    return Question(label, tuple(mistakes), visible, words, partial(remade, code, listed))


def off(code: Code, listed: Array) -> float:
    """The greatest difference of a list from that of code, over what float32 may do."""
    exact = frequencies(code._replace(way="exact"))
    if len(exact) != len(listed):
        return math.inf
    logs = np.abs(np.log(np.maximum(exact, 1e-300)))
    blended = 4 * (exact[0] / exact if code.method in ("yarn", "llama3") else 1.0)
    return seen(exact * ROUNDOFF["float32"] * (8 + 3 * logs) * blended, exact, listed)


def remade(code: Code, listed: Array, mistakes: Mistakes) -> bool:
    """Whether mistakes give the same list."""
    try:
        other = wrong_code(code, mistakes, (1, 1, 1, code.head_width))
    except (ValueError, IndexError, KeyError):
        return False
    return other is not None and off(other, listed) <= SURE
