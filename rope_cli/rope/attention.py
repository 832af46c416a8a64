"""Attention over rows: scores, the causal mask, softmax, and the weighted rows of values.

Scaled dot-product attention is that of arXiv 1706.03762. Queries ``q`` stand at positions ``m``,
one a row of the scores, keys ``k`` at positions ``n``, one a column. Rotation enters through ``q``
and ``k`` alone: rotate them before, and leave the values ``v`` as they are.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]


def dot_products(
    q: ArrayLike, k: ArrayLike
) -> Array:  # [..., queries, features], [..., keys, features] -> [..., queries, keys]
    """``q k^T``: every query with every key."""
    products: Array = np.matmul(np.asarray(q), np.swapaxes(np.asarray(k), -1, -2))
    return products


def scores(
    q: ArrayLike, k: ArrayLike
) -> Array:  # [..., queries, features], [..., keys, features] -> [..., queries, keys]
    """``q k^T / sqrt(d)``, with ``d`` the width of the features."""
    return dot_products(q, k) / math.sqrt(np.shape(q)[-1])


def causal_mask(tokens: int) -> NDArray[np.bool_]:  # -> [tokens, tokens]
    """True where key ``n`` may be seen by query ``m``, which is where ``n <= m``."""
    return np.tri(tokens, dtype=np.bool_)


def softmax(
    scores: ArrayLike, visible: ArrayLike | None = None
) -> Array:  # [..., queries, keys], [..., queries, keys] -> [..., queries, keys]
    """Weights along the last axis: positive, of sum 1, and exactly +0.0 where not visible.

    ``visible`` holds truth values and is broadcast; without it everything is seen. A row in which
    nothing is visible has only zero weights, not NaN. Visible scores must be finite; what stands in
    the others, even NaN, changes nothing. No score is too large or too far from the others.
    """
    seen = True if visible is None else np.asarray(visible, dtype=np.bool_)
    kept = np.where(seen, scores, -np.inf)
    greatest = kept.max(axis=-1, keepdims=True, initial=-np.inf)
    with np.errstate(over="ignore", under="ignore"):
        weights = np.exp(kept - np.where(np.isneginf(greatest), 0.0, greatest))
        sums = weights.sum(axis=-1, keepdims=True)
        return np.asarray(weights / np.where(sums == 0.0, 1.0, sums))


def attend(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, visible: ArrayLike | None = None
) -> Array:  # [..., queries, d], [..., keys, d], [..., keys, width] -> [..., queries, width]
    """Rows of ``v``, mixed by the softmax of the scores; a query that sees no key gets zeros."""
    mixed: Array = np.matmul(softmax(scores(q, k), visible), np.asarray(v))
    return mixed
