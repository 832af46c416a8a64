"""Attention on the three tokens of the worked example, with some of Q, K and V rotated."""

from __future__ import annotations

from typing import Literal

from rope_cli.example.worked_example import (
    TOKEN_KEYS,
    TOKEN_QUERIES,
    TOKEN_VALUES,
    Array,
    Example,
    as_array,
)
from rope_cli.rope import attention

Rotated = Literal["queries-and-keys", "with-values", "rotated-back", "queries"]


def contents() -> tuple[Array, Array, Array]:
    """Q, K and V ``[tokens, width]``, not rotated."""
    return as_array(TOKEN_QUERIES), as_array(TOKEN_KEYS), as_array(TOKEN_VALUES)


def attend(example: Example, offset: int, rotated: Rotated = "queries-and-keys") -> Array:
    """Attention without a mask, the tokens at positions from the offset.

    ``with-values`` rotates V too, and ``rotated-back`` also rotates the output back.
    """
    q, k, v = contents()
    q = example.rotate_query(q, offset)
    if rotated != "queries":
        k = example.rotate_key(k, offset)
    if rotated in ("with-values", "rotated-back"):
        v = example.rotate_key(v, offset)
    output = attention.attend(q, k, v)
    if rotated == "rotated-back":
        output = example.embedding.rotate_transpose(output, offset)
    return output
