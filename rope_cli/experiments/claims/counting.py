"""Numbers of the audit that are counted: refusals, shapes, tables, operations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rope_cli.errors import NonFiniteTableValue, RopeError
from rope_cli.example.worked_example import FIRST_COLUMN, TOKEN_QUERIES, Example, as_array
from rope_cli.experiments import bugs, detectors
from rope_cli.experiments.claims.numbers import BASE, HEAD_BASE, HEAD_WIDTH, WIDTH
from rope_cli.rope import tape


def changed_at_zero(example: Example) -> int:
    """How many coordinates position 0 changes."""
    row = as_array(TOKEN_QUERIES[1:2])
    return int((example.rotate_query(row, 0) != row).sum())


def first_failure(example: Example) -> int:
    """The first position with an infinite angle in a table of 10^10 positions."""
    try:
        example.embedding_type.validate(HEAD_WIDTH, 10**10, 1e-305)
    except NonFiniteTableValue as refusal:
        return int(str(refusal.values["position"]))
    return 0


def refused_widths(example: Example) -> int:
    """How many of the widths 1 to 8 are refused."""
    return refusals(*(partial(example.embedding_type, width, 1, BASE) for width in range(1, 9)))


def refused_cases(example: Example) -> int:
    """How many of the six edge cases of the chapter are refused."""
    embedding, row = example.embedding, as_array([FIRST_COLUMN])
    released = tape.Value(row)
    released.release()
    return refusals(
        partial(example.embedding_type, 3, 6, BASE),
        partial(embedding.rotate, row[0]),
        partial(embedding.rotate, row[:, :2]),
        partial(embedding.rotate, row, embedding.max_positions),
        partial(embedding.rotate, row, 2**64 - 1),
        partial(tape.rotate, embedding, released),
    )


def refusals(*attempts: Callable[[], object]) -> int:
    """How many of the calls are refused."""
    refused = 0
    for attempt in attempts:
        try:
            attempt()
        except RopeError:
            refused += 1
    return refused


def empty_interval(example: Example) -> int:
    """The rows of a rotated interval that is empty and starts at the end of the table."""
    empty = as_array(np.zeros((2, 0, WIDTH)))
    return int(example.embedding.rotate(empty, example.embedding.max_positions).shape[1])


def equal_lanes(example: Example) -> int:
    """How many of the four lanes of a [2, 2, 3, 4] input are rotated as the first one is."""
    lanes = example.rotate_query(np.tile(as_array(TOKEN_QUERIES), (2, 2, 1, 1)))
    return int((lanes == lanes[0, 0]).all(axis=(-1, -2)).sum())


def table_bytes(example: Example) -> int:
    """Bytes of the cosines and sines of 131072 positions of a wide head."""
    embedding = example.embedding_for(HEAD_WIDTH, 1, HEAD_BASE)
    return 131072 * (embedding.cosines.nbytes + embedding.sines.nbytes)


def matrix_entries(example: Example) -> int:
    """Entries that are not zero in the rotation of a wide head at position 1."""
    embedding = example.embedding_for(HEAD_WIDTH, 2, HEAD_BASE)
    units = np.eye(HEAD_WIDTH)[:, np.newaxis]
    return int(np.count_nonzero(example.rotate_query(units, 1, embedding)))


def multiplication_ratio(example: Example) -> int:
    """Multiplications of a dense product for one of the pairwise form: d^2 to 2d."""
    return HEAD_WIDTH**2 // matrix_entries(example)


def blind_checks(example: Example) -> int:
    """Of norms, position 0 and the equal shift, how many pass without any rotation."""
    measures = detectors.of_mistake(bugs.unrotated, bugs.unrotated)
    return sum(
        measures[name] <= detectors.TOLERANCE for name in ("norms", "position-zero", "shift-3-row")
    )
