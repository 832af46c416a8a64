"""Numbers of the audit that are counted: refusals, shapes, tables, operations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rope_cli.errors import NonFiniteTableValue, RopeError
from rope_cli.example.worked_example import FIRST_COLUMN, TOKEN_QUERIES, Example, as_array
from rope_cli.experiments import bugs, detectors, toy_decoder
from rope_cli.experiments.claims.numbers import BASE, HEAD_BASE, HEAD_WIDTH, WIDTH, turns
from rope_cli.rope import tape

# Public models of the years of LLaMA without RoPE: two with ALiBi, three with learned positions.
WITHOUT_ROPE = ("BLOOM", "MPT", "GPT-2", "GPT-3", "OPT")


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
    make = example.embedding_type
    return refusals(*(partial(make, width, 1, BASE) for width in range(1, 9)))


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
    nothing = as_array(np.zeros((2, 0, WIDTH)))
    return int(example.embedding.rotate(nothing, example.embedding.max_positions).shape[1])


def lanes_turned(example: Example) -> int:
    """How many of the four lanes of a [2, 2, 3, 4] input turn as the first one does."""
    lanes = example.rotate_query(np.tile(as_array(TOKEN_QUERIES), (2, 2, 1, 1)))
    return int((lanes == lanes[0, 0]).all(axis=(-1, -2)).sum())


def table_octets(example: Example) -> int:
    """Octets of the cosines and sines of 131072 positions of a wide head."""
    embedding = example.embedding_for(HEAD_WIDTH, 1, HEAD_BASE)
    return 131072 * (embedding.cosines.nbytes + embedding.sines.nbytes)


def matrix_entries(example: Example) -> int:
    """Entries that are not zero in the rotation of a wide head at position 1."""
    embedding = example.embedding_for(HEAD_WIDTH, 2, HEAD_BASE)
    return int(
        np.count_nonzero(example.rotate_query(np.eye(HEAD_WIDTH)[:, np.newaxis], 1, embedding))
    )


def blind_checks(example: Example) -> int:
    """Of norms, position 0 and the equal shift, how many pass without any rotation."""
    measures = detectors.of_mistake(bugs.unrotated, bugs.unrotated)
    return sum(
        measures[name] <= detectors.BOUND for name in ("norms", "position-zero", "shift-3-row")
    )


def lost_above(example: Example) -> int:
    """How far 2^53 and the whole number after it are apart as floats."""
    return int(float(2**53 + 1) - float(2**53))


def half_width(example: Example) -> int:
    """Pairs of a wide head."""
    return example.embedding_for(HEAD_WIDTH, 1, HEAD_BASE).pairs


def head_width(example: Example) -> int:
    """The width of a head of the toy decoder, which is 8 wide."""
    return toy_decoder.HEAD_WIDTH


def cells_not_visited(example: Example) -> int:
    """Cells of the table of 10^10 positions."""
    return half_width(example) * 10**10


def left_alone(example: Example) -> int:
    """Coordinates without a partner at width 3."""
    return 3 % 2


def uses_of_k(example: Example) -> int:
    """How often the letter stands in the symbol for a pair of a key."""
    return "k_n^(k)".count("k")


def times_fewer(example: Example) -> int:
    """Multiplications of a dense product for one of the pairwise form: d^2 to 2d."""
    return HEAD_WIDTH**2 // matrix_entries(example)


def exceptions(example: Example) -> int:
    """How many models without RoPE are named."""
    return len(WITHOUT_ROPE)


def unfinished(example: Example) -> int:
    """How many pairs of a wide head never finish a turn in 4096 positions."""
    return sum(turns(pair)(example) < 1 for pair in range(HEAD_WIDTH // 2))
