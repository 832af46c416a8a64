"""Questions about the dot products of rotated queries and keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from trials.implementation import OTHER, ROUNDOFF, Array, Code, gain, held, rotate, stored
from trials.mistakes import Mistakes, allowed, seen, wrong_code
from trials.question import SURE, Question
from trials.setups import BASES, Rng, config_of, length_of, pick, random_setup, save_together

# What is done to queries and what to keys, and how both are named.
Both = tuple[Mistakes, Mistakes, Mistakes]
STILL: Mistakes = (("no-rotation", {}),)
BACK: Mistakes = (("direction", {}),)


def other_layout(code: Code, _: Rng) -> Both:
    """Queries and keys in the other layout."""
    mistakes: Mistakes = (("other-layout", {"layout": OTHER[code.layout]}),)
    return mistakes, mistakes, mistakes


def other_base(code: Code, rng: Rng) -> Both:
    """Queries and keys by another base."""
    mistakes: Mistakes = (("base", {"base": pick(rng, [b for b in BASES if b != code.base])}),)
    return mistakes, mistakes, mistakes


def rotated_twice(code: Code, _: Rng) -> Both:
    """Queries and keys rotated twice."""
    mistakes: Mistakes = (("rotated-twice", {}),)
    return mistakes, mistakes, mistakes


def layouts_differ(code: Code, rng: Rng) -> Both:
    """Queries in one layout, keys in the other."""
    other: Mistakes = (("other-layout", {"layout": OTHER[code.layout]}),)
    own, wrong = code.layout, OTHER[code.layout]
    if rng.random() < 0.5:
        return other, (), (("layouts-differ", {"query": wrong, "key": own}),)
    return (), other, (("layouts-differ", {"query": own, "key": wrong}),)


def query_offset(code: Code, rng: Rng) -> Both:
    """Queries shifted against their keys."""
    figures = {"offset": int(pick(rng, (1, -1, 3, 17, int(rng.integers(100, 4000)))))}
    return (("offset", figures),), (), (("query-offset", figures),)


PLANTS: dict[str, Callable[[Code, Rng], Both]] = {
    "scores: no-rotation": lambda code, rng: (STILL, STILL, STILL),
    "scores: key-not-rotated": lambda code, rng: ((), STILL, (("key-not-rotated", {}),)),
    "scores: query-not-rotated": lambda code, rng: (STILL, (), (("query-not-rotated", {}),)),
    "scores: direction": lambda code, rng: (BACK, BACK, BACK),
    "scores: other-layout": other_layout,
    "scores: base": other_base,
    "scores: rotated-twice": rotated_twice,
    "scores: key-direction": lambda code, rng: ((), BACK, (("key-direction", {}),)),
    "scores: query-direction": lambda code, rng: (BACK, (), (("query-direction", {}),)),
    "scores: layouts-differ": layouts_differ,
    "scores: query-offset": query_offset,
}
labels = tuple(PLANTS)


class Rows:
    """Queries, keys ``[heads, tokens, features]`` and the code that rotates both."""

    code: Code
    query: Array
    key: Array

    def __init__(self, rng: Rng) -> None:
        code = self.code = random_code(rng)
        shape = int(rng.integers(1, 4)), code.positions.shape[-1], code.head_width
        self.query, self.key = held(rng.normal(size=(2, 1, *shape)), code.dtype)
        self.scale: float = pick(rng, (1.0, code.head_width**-0.5))

    def scores(self, of_query: Mistakes, of_key: Mistakes) -> Array | None:
        """The scores ``[1, heads, tokens, tokens]`` with these mistakes; ``None`` if unknown."""
        shape = self.query.shape
        codes = [wrong_code(self.code, mistakes, shape) for mistakes in (of_query, of_key)]
        if codes[0] is None or codes[1] is None:
            return None
        query, key = rotate(codes[0], self.query), rotate(codes[1], self.key)
        return np.asarray(query @ np.swapaxes(key, -1, -2)) * self.scale

    def errors(self) -> Array:
        """What rounding may do to each score."""
        query, key = (np.linalg.norm(each, axis=-1) for each in (self.query, self.key))
        units = np.full_like(self.query, 0.5**0.5)  # every pair as long as 1
        share = float(allowed(self.code, units).max())
        unit = 2 * share + (self.code.head_width + 8) * ROUNDOFF[self.code.dtype]
        lengths = query[..., :, np.newaxis] * key[..., np.newaxis, :]
        return np.asarray(lengths * unit * gain(self.code) ** 2 * self.scale + 1e-300)


def random_code(rng: Rng) -> Code:
    """Code whose tokens have the same positions in all rows."""
    while len((code := random_setup(rng).code).positions) > 1 or code.width < 4:
        pass
    return code


def right(rng: Rng, folder: Path) -> Question:
    """Scores of right code."""
    return question("right", rng, folder, Rows(rng), ((), (), ()))


def wrong(label: str, rng: Rng, folder: Path) -> Question:
    """Scores with what a label names planted into them."""
    rows = Rows(rng)
    return question(label, rng, folder, rows, PLANTS[label](rows.code, rng))


def question(label: str, rng: Rng, folder: Path, rows: Rows, both: Both) -> Question:
    """The question whether scores are those of their queries and keys."""
    of_query, of_key, mistakes = both
    exact, scores = rows.scores((), ()), rows.scores(of_query, of_key)
    assert exact is not None
    assert scores is not None
    code = rows.code
    scores = held(scores, code.dtype)
    arrays = {"query": rows.query[0], "key": rows.key[0], "scores": scores[0]}
    arrays = {name: stored(array, code.dtype) for name, array in arrays.items()}
    positions = code.positions[0, 0].astype(int)
    save_together(folder / "scores.npz", {**arrays, "positions": positions})
    (folder / "config.json").write_text(json.dumps(config_of(code)), "utf-8")
    words = ["verify", str(folder / "scores.npz"), "--config", str(folder / "config.json")]
    words += ["--length", str(length_of(code))]
    words += ["--dtype", code.dtype, "--layout", code.layout, "--axes", "heads,tokens,features"]
    words += ["--first-feature", str(code.first)] * (code.first > 0)
    visible = seen(rows.errors(), exact, scores)
    return Question(label, mistakes, visible, words, partial(remade, rows, scores))


def remade(rows: Rows, scores: Array, mistakes: Mistakes) -> bool:
    """Whether mistakes made with queries and keys alike give the same scores."""
    try:
        again = rows.scores(mistakes, mistakes)
    except (ValueError, IndexError, KeyError):
        return False
    return again is not None and seen(rows.errors(), again, scores) <= SURE
