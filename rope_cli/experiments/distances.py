"""Rows rotated to any positions, and the scores of a query by its distance D = m-n from the key.

However far apart the positions are, only they get tables, not those between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from rope_cli.example import reference
from rope_cli.example.positions import consecutive_runs
from rope_cli.example.worked_example import Array, Example, as_array

# The usual head width, base and training length of a language model.
MODEL_WIDTH, MODEL_BASE, MODEL_CONTEXT = 128, 10000.0, 4096


def query_rows(
    example: Example, row: ArrayLike, positions: Sequence[int], base: float
) -> Array:  # [width] -> [positions, width]
    """The row as a query, rotated to each of the positions."""
    return _rotate_to_each(example, example.rotate_query, row, positions, base)


def key_rows(
    example: Example, row: ArrayLike, positions: Sequence[int], base: float
) -> Array:  # [width] -> [positions, width]
    """The row as a key, rotated to each of the positions."""
    return _rotate_to_each(example, example.rotate_key, row, positions, base)


def _rotate_to_each(
    example: Example,
    rotate: Callable[..., Array],
    row: ArrayLike,
    positions: Sequence[int],
    base: float,
) -> Array:
    content, rotated = as_array(row), []
    for part in consecutive_runs(positions):
        tokens, first = part.stop - part.start, positions[part.start]
        embedding = example.embedding_for(content.size, first + tokens, base, first)
        rotated.append(rotate(np.tile(content, (tokens, 1)), first, embedding))
    return np.concatenate(rotated)


def scores_at(
    example: Example,
    query: ArrayLike,
    keys: Array,
    distances: Sequence[int],
    base: float = MODEL_BASE,
) -> Array:  # [width], [keys, width] -> [distances, keys]
    """The query at position D against each key at position 0, for every distance D = m-n."""
    embedding = example.embedding_for(keys.shape[1], 1, base)
    rotated_keys = example.rotate_key(keys[:, np.newaxis, :], 0, embedding)[:, 0, :]
    return np.asarray(query_rows(example, query, distances, base) @ rotated_keys.T)


def cosine_sums(distances: ArrayLike, width: int, base: float) -> Array:  # -> [distances]
    """Twice the sum of cos(D theta_j): the score of two rows of ones, by the plain formula."""
    return np.asarray(2 * np.cos(reference.angles(distances, width, base)).sum(axis=1))


def count_unfinished(frequencies: Array, context: int) -> int:
    """How many pairs make less than one full turn in ``context`` positions."""
    return int((context * frequencies < 2 * np.pi).sum())
