"""Where the picture that a reader moves begins."""

from __future__ import annotations

from dataclasses import replace

from rope_cli.document.exercise import Start
from rope_cli.example.parameters import Parameters
from rope_cli.example.worked_example import Example
from rope_cli.rope.layouts import to_adjacent

# What the picture has room for: the script knows the same ends.
LAST_POSITION, WIDEST, LARGEST_BASE = 64, 8, 1e7


def start_of(parameters: Parameters) -> Start:
    """The chapter's values, and in place of them those of the reader that the picture can show.

    The query is that of the first token, the key that of the second, as far as there are two.
    """
    chapter = Parameters()
    m, n = chapter.positions[1:]
    if "positions" in parameters.given:
        own_m, own_n = (*parameters.positions[:2], *parameters.positions)[:2]
        m, n = (own_m, own_n) if max(own_m, own_n) <= LAST_POSITION else (m, n)
    base = parameters.base if 1 < parameters.base <= LARGEST_BASE else chapter.base
    width = parameters.feature_width
    start = Start(m, n, base, min(width, WIDEST))
    if width > WIDEST or not {"query", "key"} & parameters.given:
        return start
    example = Example(parameters)
    query, key = example.query[0], example.key[min(1, len(example.key) - 1)]
    if parameters.layout != "adjacent":
        query, key = to_adjacent(query), to_adjacent(key)
    return replace(start, query=tuple(map(float, query)), key=tuple(map(float, key)))
