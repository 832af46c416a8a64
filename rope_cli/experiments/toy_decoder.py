"""A toy decoder that uses position numbers only to rotate its queries and keys.

Two layers, width 8, two heads of 4; RMS norm before attention and before a ReLU block of 16,
residual sums, a causal mask, and the embeddings again as output. The weights are not learned:
a formula gives them, in eighths, the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rope_cli.example.worked_example import Array, Example
from rope_cli.rope import attention

LAYERS, WIDTH, HEADS, HIDDEN, VOCABULARY = 2, 8, 2, 16, 20
HEAD_WIDTH = WIDTH // HEADS
EPSILON = 1e-6
MODULUS = 31


def weights(rows: int, columns: int, seed: int) -> Array:
    """A matrix ``[rows, columns]`` of eighths, -15 to 15 of them: remainders, shifted."""
    i, j = np.ogrid[1 : rows + 1, 1 : columns + 1]
    remainders = (3 * i * i + 5 * j * j * j + 7 * i * j + seed * (i + 2 * j)) % MODULUS
    return np.asarray((remainders - MODULUS // 2) / 8.0)


EMBEDDINGS = weights(VOCABULARY, WIDTH, 12)
ATTENTION = tuple(
    tuple(weights(WIDTH, WIDTH, 4 * layer + part + 2) / math.sqrt(WIDTH) for part in range(4))
    for layer in range(LAYERS)
)
BLOCKS = tuple(
    (
        weights(WIDTH, HIDDEN, layer + 14) / math.sqrt(WIDTH),
        weights(HIDDEN, WIDTH, layer + 16) / math.sqrt(HIDDEN),
    )
    for layer in range(LAYERS)
)


def rms_norm(x: Array) -> Array:
    """Rows divided by the root of their mean square."""
    return np.asarray(x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPSILON))


def logits(
    example: Example,
    ids: Sequence[int],
    positions: Sequence[int],
    *,
    pads: int = 0,
    rotate_values: bool = False,
    added: Array | None = None,
) -> Array:  # -> [tokens, vocabulary]
    """The logits after each token; the first ``pads`` tokens are masked.

    ``added`` is added to the embeddings, ``[tokens, width]``; with ``rotate_values`` the values
    are rotated like keys.
    """
    x = EMBEDDINGS[list(ids)] + (0.0 if added is None else added)
    visible = attention.causal_mask(len(ids))
    visible[:, :pads] = False
    for (w_q, w_k, w_v, w_o), (w_up, w_down) in zip(ATTENTION, BLOCKS, strict=True):
        rows = rms_norm(x)
        q, k, v = rows @ w_q, rows @ w_k, rows @ w_v
        heads = []
        for start in range(0, WIDTH, HEAD_WIDTH):
            head = slice(start, start + HEAD_WIDTH)
            values = example.rotate_keys(v[:, head], positions) if rotate_values else v[:, head]
            heads.append(
                attention.attend(
                    example.rotate_queries(q[:, head], positions),
                    example.rotate_keys(k[:, head], positions),
                    values,
                    visible,
                )
            )
        x = x + np.concatenate(heads, axis=1) @ w_o
        x = x + np.maximum(rms_norm(x) @ w_up, 0.0) @ w_down
    return np.asarray(rms_norm(x) @ EMBEDDINGS.T)
