"""Numbers of the audit that come from attention and from the toy decoder."""

from __future__ import annotations

import numpy as np

from rope_cli.document.evidence import greatest_difference
from rope_cli.example.worked_example import (
    TOKEN_KEYS,
    TOKEN_QUERIES,
    TOKEN_VALUES,
    Array,
    Example,
    as_array,
)
from rope_cli.experiments import toy_decoder
from rope_cli.experiments.claims.claim import Measure
from rope_cli.rope import attention

TOKENS, PREFIX = (3, 7, 7, 1, 15, 4), (9, 2)


def attended(example: Example, offset: int, rotate_values: bool = False) -> Array:
    """Attention of the three tokens, without a mask."""
    q, k, v = as_array(TOKEN_QUERIES), as_array(TOKEN_KEYS), as_array(TOKEN_VALUES)
    values = example.rotate_key(v, offset) if rotate_values else v
    return attention.attend(example.rotate_query(q, offset), example.rotate_key(k, offset), values)


def output_move(rotate_values: bool) -> Measure:
    """How far an equal shift by 3 moves outputs."""
    return lambda example: greatest_difference(
        attended(example, 3, rotate_values), attended(example, 0, rotate_values)
    )


def order_difference(example: Example) -> float:
    """How far permuted tokens give other outputs once positions are rotated in."""
    q, k, v, order = (
        as_array(TOKEN_QUERIES),
        as_array(TOKEN_KEYS),
        as_array(TOKEN_VALUES),
        [2, 0, 1],
    )
    moved = attention.attend(example.rotate_query(q[order]), example.rotate_key(k[order]), v[order])
    return greatest_difference(moved, attended(example, 0)[order])


def hidden_score(example: Example) -> float:
    """The score q k / sqrt d that the mask hides at (0,1)."""
    q, k = example.rotate_query(as_array(TOKEN_QUERIES)), example.rotate_key(as_array(TOKEN_KEYS))
    return float(attention.scores(q, k)[0, 1])


def causal_weight(example: Example) -> float:
    """The weight of row 1 on itself in the chapter's matrix, masked."""
    weights = attention.softmax(example.dot_products / 2.0, attention.causal_mask(3))
    return float(weights[1, 1])


def told_apart_by_mask(example: Example) -> float:
    """How far two equal tokens differ under a causal mask, with no positions at all."""
    again = [0, 1, 0]
    q, k, v = (as_array(content)[again] for content in (TOKEN_QUERIES, TOKEN_KEYS, TOKEN_VALUES))
    output = attention.attend(q, k, v, attention.causal_mask(3))
    return greatest_difference(output[0], output[2])


def leaked_by_mask(example: Example) -> float:
    """What token 5 gets of token 0 when all scores are equal."""
    weights = attention.softmax(np.zeros((6, 6)), attention.causal_mask(6))
    return float(weights[5, 0])


def own_score(example: Example) -> float:
    """The second diagonal cell when the three queries are also the keys."""
    turned_rows = example.rotate_query(as_array(TOKEN_QUERIES))
    return float(turned_rows[1] @ example.rotate_key(as_array(TOKEN_QUERIES))[1])


def coordinate_move(example: Example) -> float:
    """How far the shift by 3 moves rotated coordinates."""
    return greatest_difference(example.rotated_query, example.shifted_query)


def after_shift(example: Example) -> float:
    """A dot product of neighbours after the shift by 3."""
    return float(example.shifted_dot_products[0, 1])


def decoder_change(shift: int, prefix: tuple[int, ...] = ()) -> Measure:
    """How far the toy decoder's logits move under a shift, or behind a prefix."""

    def measure(example: Example) -> float:
        places = range(len(TOKENS))
        still = toy_decoder.logits(example, TOKENS, places)
        ids = (*prefix, *TOKENS)
        moved = toy_decoder.logits(example, ids, [at + shift for at in range(len(ids))])
        return greatest_difference(moved[len(prefix) :], still)

    return measure


def remembered_order(example: Example) -> float:
    """How far the state h = h/2 + x ends apart after 1, 2 and after 2, 1."""
    states = [0.0, 0.0]
    for inputs in ((1, 2), (2, 1)):
        states = [state / 2 + given for state, given in zip(states, inputs, strict=True)]
    return abs(states[0] - states[1])
