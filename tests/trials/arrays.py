"""Questions about arrays before and after a rotation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from trials.implementation import Array, rotate
from trials.mistakes import Figures, Mistakes, allowed, made, seen, wrong_code
from trials.planted import PLANTS, UNKNOWN
from trials.question import SURE, Question
from trials.schemes import SCHEMES
from trials.setups import ORDERS, Rng, Setup, random_input, random_setup, write_setup

# What a kind needs that random code seldom has.
METHOD_OF = {"stale-length": "dynamic", "other-list": "longrope"}
LEAST_UNKNOWN = 8  # coordinates, of which fewer may be explained by chance
labels = (*PLANTS, *SCHEMES)


def right(rng: Rng, folder: Path) -> Question:
    """Arrays of right code."""
    setup = random_setup(rng)
    if setup.code.method == "default" and rng.random() < 0.15:  # as interpolation gives them
        code = setup.code._replace(positions=setup.code.positions / 4)
        setup = setup._replace(code=code, positions_by="file", form="npz")
    x = random_input(setup, rng)
    return question("right", folder, setup, x, rotate(setup.code, x), ())


def wrong(label: str, rng: Rng, folder: Path) -> Question:
    """Arrays with what a label names planted into them."""
    while True:
        setup = random_setup(rng)
        code = setup.code
        if code.method != METHOD_OF.get(label, code.method):
            continue
        if label in UNKNOWN and code.width < LEAST_UNKNOWN:
            continue
        if "layout" in label:  # which is no mistake until one is asked for
            setup = setup._replace(layout_named=True)
        x = random_input(setup, rng)
        found = (PLANTS | SCHEMES)[label](setup, x, rng)
        if found is not None:
            return question(label, folder, setup, x, *found)


def question(
    label: str, folder: Path, setup: Setup, x: Array, y: Array, mistakes: Mistakes
) -> Question:
    """The question whether ``y`` is ``x`` rotated as the setup says."""
    visible = seen(allowed(setup.code, x), exactly(setup, x, ()), y)
    words = write_setup(folder, setup, x, y)
    same = partial(remade, setup, x, y)
    told = setup.code.layout, setup.layout_named
    return Question(label, tuple(mistakes), visible, words, same, *told)


def exactly(setup: Setup, x: Array, mistakes: Mistakes) -> Any:
    """What mistakes make of the input in float64; ``None`` if no code here can make them."""
    return made(setup.code._replace(way="exact", dtype="float64"), x, mistakes)


def remade(setup: Setup, x: Array, y: Array, mistakes: Mistakes) -> bool:
    """Whether mistakes make the same arrays as those that were planted, as far as is seen."""
    mistakes = [(kind, with_own_axis(figures, setup.axes)) for kind, figures in mistakes]
    try:
        other, again = wrong_code(setup.code, mistakes, x.shape), exactly(setup, x, mistakes)
    except (ValueError, IndexError, KeyError):
        return False
    if other is None or again is None:
        return False
    return seen(np.maximum(allowed(setup.code, x), allowed(other, x)), again, y) <= SURE


def with_own_axis(figures: Figures, axes: Sequence[str]) -> Figures:
    """Figures whose axis is one of ``[batch, heads, tokens, features]``, not of those stored."""
    if "axis" not in figures:
        return figures
    return {**figures, "axis": ORDERS[0].index(axes[figures["axis"]])}
