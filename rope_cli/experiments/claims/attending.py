"""Numbers of the audit that come from attention and from the toy decoder."""

from __future__ import annotations

import numpy as np

from rope_cli.document.evidence import greatest_difference
from rope_cli.example.worked_example import Array, Example
from rope_cli.experiments import three_tokens, toy_decoder
from rope_cli.experiments.claims.claim import Measure
from rope_cli.experiments.three_tokens import Rotated
from rope_cli.rope import attention

TOKENS, PREFIX = (3, 7, 7, 1, 15, 4), (9, 2)


def output_move(rotated: Rotated) -> Measure:
    """How far an equal shift by 3 moves outputs."""
    return lambda example: greatest_difference(
        three_tokens.attend(example, 3, rotated), three_tokens.attend(example, 0, rotated)
    )


def order_difference(example: Example) -> float:
    """How far permuted tokens give other outputs once positions are rotated in."""
    order = [2, 0, 1]
    q, k, v = (rows[order] for rows in three_tokens.contents())
    permuted = attention.attend(example.rotate_query(q), example.rotate_key(k), v)
    return greatest_difference(permuted, three_tokens.attend(example, 0)[order])


def hidden_score(example: Example) -> float:
    """The score q k / sqrt d that the mask hides at (0,1)."""
    q, k, _ = three_tokens.contents()
    return float(attention.scores(example.rotate_query(q), example.rotate_key(k))[0, 1])


def causal_weight(example: Example) -> float:
    """The weight of token 1 on itself, masked."""
    q, k, _ = three_tokens.contents()
    scores = attention.scores(example.rotate_query(q), example.rotate_key(k))
    return float(attention.softmax(scores, attention.causal_mask(len(q)))[1, 1])


def gap_by_mask(example: Example) -> float:
    """How far two equal tokens differ under a causal mask, with no positions at all."""
    q, k, v = (rows[[0, 1, 0]] for rows in three_tokens.contents())
    output = attention.attend(q, k, v, attention.causal_mask(3))
    return greatest_difference(output[0], output[2])


def weights_by_mask(tokens: int) -> Array:  # -> [tokens]
    """What each token gives token 0 under a causal mask when all scores are equal."""
    weights = attention.softmax(np.zeros((tokens, tokens)), attention.causal_mask(tokens))
    return np.asarray(weights[:, 0])


def weight_by_mask(example: Example) -> float:
    """What token 5 gives token 0 when all scores are equal."""
    return float(weights_by_mask(6)[5])


def own_score(example: Example) -> float:
    """The second diagonal cell when the three queries are also the keys."""
    q, _, _ = three_tokens.contents()
    return float(example.rotate_query(q)[1] @ example.rotate_key(q)[1])


def logit_change(shift: int, prefix: tuple[int, ...] = ()) -> Measure:
    """How far the toy decoder's logits move under a shift, or behind a prefix."""

    def measure(example: Example) -> float:
        tokens = (*prefix, *TOKENS)
        before = toy_decoder.logits(example, TOKENS, range(len(TOKENS)))
        after = toy_decoder.logits(example, tokens, range(shift, shift + len(tokens)))
        return greatest_difference(after[len(prefix) :], before)

    return measure
