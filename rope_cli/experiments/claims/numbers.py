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
    Example,
    as_array,
)
from rope_cli.experiments.claims.claim import Measure
from rope_cli.rope import reduced_precision

BASE, WIDTH, HEAD_WIDTH, HEAD_BASE, CONTEXT = 100.0, 4, 128, 10000.0, 4096
# The note's complex pair.
Q, K, THETA = 1 + 2j, 3 - 1j, 0.7
SIGNS = as_array(list(product((1.0, -1.0), repeat=WIDTH)))


def score(query: Sequence[float], key: Sequence[float], m: int, n: int) -> Measure:
    """One dot product, the query at m, the key at n."""
    return lambda example: example.score(query, key, m, n)


def turned(row: Sequence[float], position: int, coordinate: int) -> Measure:
    """One coordinate of a row after its turn."""

    def measure(example: Example) -> float:
        embedding = example.embedding_for(len(row), position + 1, BASE)
        return float(example.rotate_query(as_array([row]), position, embedding)[0, coordinate])

    return measure


def norm(row: Sequence[float], position: int) -> Measure:
    """The norm of a row after its turn."""
    return lambda example: float(
        np.linalg.norm(example.rotate_queries(as_array([row]), [position]))
    )


def speed(pair: int, width: int, base: float) -> Measure:
    """Radians per position."""
    return lambda example: float(example.embedding_for(width, 1, base).inverse_frequencies[pair])


def period(pair: int, width: int, base: float) -> Measure:
    """Positions in a full turn."""
    return lambda example: math.tau / speed(pair, width, base)(example)


def turns(pair: int) -> Measure:
    """Full turns of a pair of a wide head in a context of 4096."""
    return lambda example: CONTEXT / period(pair, HEAD_WIDTH, HEAD_BASE)(example)


def undone(example: Example) -> float:
    """R(2)ᵀR(3) applied to the chapter's row, its first coordinate."""
    embedding = example.embedding_for(WIDTH, 4, BASE)
    ahead = example.rotate_query(as_array([FIRST_COLUMN]), 3, embedding)
    return float(embedding.rotate_transpose(ahead, 2)[0, 0])


def adjoint(side: str, token: int, coordinate: int) -> Measure:
    """A coordinate of an input adjoint of the chapter."""
    given = as_array(QUERY_OUTPUT_ADJOINT if side == "query" else KEY_OUTPUT_ADJOINT)
    return lambda example: float(example.embedding.rotate_transpose(given)[token, coordinate])


def turned_forward(example: Example) -> float:
    """How far the input adjoint of row 1 is off when the rotation is used for its transpose."""
    given = as_array(QUERY_OUTPUT_ADJOINT)
    back, ahead = example.embedding.rotate_transpose(given), example.rotate_query(given)
    return greatest_difference(ahead[1], back[1])


def half_split(example: Example) -> float:
    """The row [1, 2, 3, 4] in the half-split layout at position 1, its first coordinate."""
    embedding = example.embedding_type(WIDTH, 2, BASE, "half-split")
    return float(example.rotate_query(as_array([[1, 2, 3, 4]]), 1, embedding)[0, 0])


def position_term(example: Example) -> float:
    """The product of two neighbours' sinusoids: the chapter's row, rotated at base 10000."""
    return float(example.grid(FIRST_COLUMN, FIRST_COLUMN, base=HEAD_BASE)[1, 0])


def cross_term(example: Example) -> float:
    """Content times added sinusoid, the query at 11 and the key at 10."""
    speeds = [reference.inverse_frequency(pair, WIDTH, HEAD_BASE) for pair in range(WIDTH // 2)]
    added = [
        [wave(m * speed) for speed in speeds for wave in (math.sin, math.cos)] for m in (11, 10)
    ]
    return float((as_array([FIRST_COLUMN]) @ as_array(added).T).sum())


def float32_error(example: Example) -> float:
    """The greatest error of a cosine near a million positions with float32 angles."""
    theta = example.embedding_for(HEAD_WIDTH, 1, HEAD_BASE).inverse_frequencies
    return reduced_precision.cosine_error(reduced_precision.to_float32, theta, 2**20, 64)


def complex_score(m: int, n: int) -> Measure:
    """The dot product of the note's pair, turned to m and n."""
    turns_of_a_radian = ((Q.real, Q.imag), (K.real, K.imag))

    def measure(example: Example) -> float:
        # A pair of 0.7 radians per position is the second of width 4 at base 0.7^-2.
        embedding = example.embedding_for(WIDTH, 16, THETA**-2)
        query, key = (as_array([[0.0, 0.0, *pair]]) for pair in turns_of_a_radian)
        at_m, at_n = (
            example.rotate_query(query, m, embedding),
            example.rotate_key(key, n, embedding),
        )
        return float(at_m[0] @ at_n[0])

    return measure


def greatest(distance: int) -> Measure:
    """The greatest score over all 256 pairs of sign rows at a distance."""

    def measure(example: Example) -> float:
        embedding = example.embedding_for(WIDTH, distance + 1, BASE)
        queries = example.rotate_query(SIGNS[:, np.newaxis], distance, embedding)[:, 0]
        keys = example.rotate_key(SIGNS[:, np.newaxis], 0, embedding)[:, 0]
        return float((queries @ keys.T).max())

    return measure


def preferred(distance: int) -> Measure:
    """The score at a distance of a key built for distance 16, d = 128."""

    def measure(example: Example) -> float:
        embedding = example.embedding_for(HEAD_WIDTH, 65, HEAD_BASE)
        ones = np.ones((1, HEAD_WIDTH))
        key = example.rotate_key(ones, 16, embedding)
        return float((example.rotate_query(ones, distance, embedding) @ key.T)[0, 0])

    return measure


def enlarged_base(example: Example) -> float:
    """The base of NTK-aware scaling by 4: b s^(d/(d-2))."""
    return float(HEAD_BASE * 4.0 ** (HEAD_WIDTH / (HEAD_WIDTH - 2)))


def degrees_per_position(example: Example) -> float:
    """The turn of the first pair in degrees."""
    return math.degrees(speed(0, WIDTH, BASE)(example))


def inverse(pair: int, width: int, base: float) -> Measure:
    """What a frequency is the inverse of: b^(2k/d)."""
    return lambda example: 1.0 / speed(pair, width, base)(example)


def unconjugated(example: Example) -> float:
    """Re(q k) of the note's pair, with nothing conjugated."""
    return (Q * K).real


def complex_coordinate(example: Example) -> float:
    """The real part of q e^(imθ) at m = 5."""
    embedding = example.embedding_for(WIDTH, 16, THETA**-2)
    return float(example.rotate_query(as_array([[0.0, 0.0, Q.real, Q.imag]]), 5, embedding)[0, 2])


def complex_cosine(example: Example) -> float:
    """The real part of e^(imθ) at m = 5."""
    embedding = example.embedding_for(WIDTH, 16, THETA**-2)
    return float(example.rotate_query(as_array([[0.0, 0.0, 1.0, 0.0]]), 5, embedding)[0, 2])
