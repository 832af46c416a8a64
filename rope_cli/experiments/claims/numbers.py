"""Numbers of the audit that come from rotations, scores and frequencies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from rope_cli.document.evidence import greatest_difference
from rope_cli.example import reference
from rope_cli.example.worked_example import (
    FIRST_COLUMN,
    KEY_OUTPUT_ADJOINT,
    QUERY_OUTPUT_ADJOINT,
    Array,
    Example,
    as_array,
)
from rope_cli.experiments.claims.claim import Measure
from rope_cli.experiments.distances import query_rows
from rope_cli.rope import reduced_precision
from rope_cli.rope.tables import RotaryEmbedding

WIDTH, BASE = 4, 100.0
HEAD_WIDTH, HEAD_BASE, CONTEXT = 128, 10000.0, 4096
# The note's complex pair.
Q, K, THETA = 1 + 2j, 3 - 1j, 0.7
SIGNS = as_array(list(product((1.0, -1.0), repeat=WIDTH)))


def score(query: Sequence[float], key: Sequence[float], m: int, n: int) -> Measure:
    """One dot product, the query at m, the key at n."""
    return lambda example: example.score(query, key, m, n)


def rotated_coordinate(row: Sequence[float], position: int, coordinate: int) -> Measure:
    """One coordinate of a row after its rotation."""

    def measure(example: Example) -> float:
        embedding = example.embedding_for(len(row), position + 1, BASE)
        return float(example.rotate_query(as_array([row]), position, embedding)[0, coordinate])

    return measure


def norm(row: Sequence[float], position: int) -> Measure:
    """The norm of a row after its rotation."""
    return lambda example: float(
        np.linalg.norm(example.rotate_queries(as_array([row]), [position]))
    )


def frequency(pair: int, width: int, base: float) -> Measure:
    """Radians per position."""
    return lambda example: float(example.embedding_for(width, 1, base).inverse_frequencies[pair])


def inverse_of_frequency(pair: int, width: int, base: float) -> Measure:
    """What a frequency is the inverse of: b^(2k/d)."""
    return lambda example: 1.0 / frequency(pair, width, base)(example)


def period(pair: int, width: int, base: float) -> Measure:
    """Positions in a full turn."""
    return lambda example: math.tau / frequency(pair, width, base)(example)


def turns(pair: int) -> Measure:
    """Full turns of a pair of a wide head in a context of 4096."""
    return lambda example: CONTEXT / period(pair, HEAD_WIDTH, HEAD_BASE)(example)


def unfinished_pairs(example: Example) -> int:
    """How many pairs of a wide head never finish a turn in 4096 positions."""
    return sum(turns(pair)(example) < 1 for pair in range(HEAD_WIDTH // 2))


def degrees_per_position(example: Example) -> float:
    """The angle of the first pair in degrees."""
    return math.degrees(frequency(0, WIDTH, BASE)(example))


def relative_rotation(example: Example) -> float:
    """R(2)ᵀR(3) applied to the chapter's row, its first coordinate."""
    embedding = example.embedding_for(WIDTH, 4, BASE)
    rotated = example.rotate_query(as_array([FIRST_COLUMN]), 3, embedding)
    return float(embedding.rotate_transpose(rotated, 2)[0, 0])


def adjoint(side: str, token: int, coordinate: int) -> Measure:
    """A coordinate of an input adjoint of the chapter."""
    output_adjoint = as_array(QUERY_OUTPUT_ADJOINT if side == "query" else KEY_OUTPUT_ADJOINT)
    return lambda example: float(
        example.embedding.rotate_transpose(output_adjoint)[token, coordinate]
    )


def forward_for_transposed(example: Example) -> float:
    """How far the input adjoint of row 1 is off when the rotation is used for its transpose."""
    output_adjoint = as_array(QUERY_OUTPUT_ADJOINT)
    right = example.embedding.rotate_transpose(output_adjoint)
    return greatest_difference(example.rotate_query(output_adjoint)[1], right[1])


def half_split(example: Example) -> float:
    """The row [1, 2, 3, 4] in the half-split layout at position 1, its first coordinate."""
    embedding = example.embedding_type(WIDTH, 2, BASE, "half-split")
    return float(example.rotate_query(as_array([[1, 2, 3, 4]]), 1, embedding)[0, 0])


def cross_term(example: Example) -> float:
    """Content times added sinusoid, the query at 11 and the key at 10."""
    angles = reference.angles((11, 10), WIDTH, HEAD_BASE)
    added = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(2, WIDTH)
    return float((as_array([FIRST_COLUMN]) @ added.T).sum())


def float32_error(example: Example) -> float:
    """The largest error of a cosine in the 1024 positions before 2^20, with float32 angles."""
    theta = example.embedding_for(HEAD_WIDTH, 1, HEAD_BASE).inverse_frequencies
    return reduced_precision.cosine_error(reduced_precision.to_float32, theta, 2**20, 1024)


def difference_beyond_integers(example: Example) -> float:
    """How far the chapter's row at position 2^53 is from that at 2^53 + 1."""
    first, second = query_rows(example, FIRST_COLUMN, [2**53, 2**53 + 1], BASE)
    return greatest_difference(first, second)


def complex_score(m: int, n: int) -> Measure:
    """The dot product of the note's q and k, rotated to m and n."""

    def measure(example: Example) -> float:
        embedding = complex_embedding(example)
        query = example.rotate_query(complex_row(Q), m, embedding)
        key = example.rotate_key(complex_row(K), n, embedding)
        return float(query[0] @ key[0])

    return measure


def complex_real_part(number: complex, position: int) -> Measure:
    """The real part of a complex number times e^(imθ)."""
    return lambda example: _complex_rotated(example, number, position)[0]


def complex_imaginary_part(number: complex, position: int) -> Measure:
    """The imaginary part of a complex number times e^(imθ)."""
    return lambda example: _complex_rotated(example, number, position)[1]


def _complex_rotated(example: Example, number: complex, position: int) -> tuple[float, float]:
    rotated = example.rotate_query(complex_row(number), position, complex_embedding(example))
    return float(rotated[0, 2]), float(rotated[0, 3])


def complex_row(number: complex) -> Array:
    """A row ``[1, width]`` whose second pair is the number."""
    return as_array([[0.0, 0.0, number.real, number.imag]])


def complex_embedding(example: Example) -> RotaryEmbedding:
    """The second pair of width 4 turns by the note's 0.7 radians per position."""
    return example.embedding_for(WIDTH, 16, THETA**-2)


def greatest_score(distance: int) -> Measure:
    """The greatest score over all 256 pairs of sign rows at a distance."""

    def measure(example: Example) -> float:
        embedding = example.embedding_for(WIDTH, distance + 1, BASE)
        queries = example.rotate_query(SIGNS[:, np.newaxis], distance, embedding)[:, 0]
        keys = example.rotate_key(SIGNS[:, np.newaxis], 0, embedding)[:, 0]
        return float((queries @ keys.T).max())

    return measure


def mean_of_equal_rows(distance: int) -> Measure:
    """The mean score at a distance of each of the 16 sign rows with itself."""

    def measure(example: Example) -> float:
        embedding = example.embedding_for(WIDTH, distance + 1, BASE)
        queries = example.rotate_query(SIGNS[:, np.newaxis], distance, embedding)[:, 0]
        keys = example.rotate_key(SIGNS[:, np.newaxis], 0, embedding)[:, 0]
        return float((queries * keys).sum(axis=1).mean())

    return measure


def score_of_preferred(distance: int) -> Measure:
    """The score at a distance of a key built for distance 16, d = 128."""

    def measure(example: Example) -> float:
        embedding = example.embedding_for(HEAD_WIDTH, 65, HEAD_BASE)
        ones = np.ones((1, HEAD_WIDTH))
        key = example.rotate_key(ones, 16, embedding)
        return float((example.rotate_query(ones, distance, embedding) @ key.T)[0, 0])

    return measure
