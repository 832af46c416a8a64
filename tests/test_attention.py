"""Scores, mask and softmax, and what rotation does to attention as a whole."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rope_cli.rope.attention import attend, causal_mask, dot_products, scores, softmax
from rope_cli.rope.tables import RotaryEmbedding

Array = NDArray[Any]

SIX_DECIMALS = 5.1e-7
LAW = 1e-12

# Three tokens of width 4, base 100, positions 0, 1, 2. What the rotation does to their outputs was
# computed in plain Python from softmax(q k / 2) v, with rows rotated coordinate by coordinate.
Q = np.array([[1.0, 0.0, 1.0, 0.0], [0.5, -0.25, 0.75, 0.1], [-0.3, 0.8, 0.2, -0.6]])
K = np.array([[0.0, 1.0, 0.0, 1.0], [0.2, 0.3, -0.4, 0.5], [1.0, -1.0, 0.5, 0.25]])
V = np.array([[1.0, 2.0, 0.0, -1.0], [5.0, 0.0, 1.0, 2.0], [-1.0, 1.0, 3.0, 0.0]])
ORDER = [2, 0, 1]
CHAPTER_ROWS = [[1.0, 0.0, 1.0, 0.0]] * 3

EMBEDDING = RotaryEmbedding(4, 16, 100.0)
turn = EMBEDDING.rotate


def greatest(difference: Array) -> Any:
    return float(np.abs(difference).max())


def test_dot_products_of_every_query_with_every_key() -> None:
    """Queries in rows, keys in columns."""
    expected = [[0.0, -0.2, 1.5], [-0.15, -0.225, 1.15], [0.2, -0.2, -1.15]]
    np.testing.assert_allclose(dot_products(Q, K), expected, rtol=0, atol=1e-15)
    assert dot_products(Q[:2], K).shape == (2, 3)


def test_scores_are_divided_by_the_root_of_the_width() -> None:
    """The width of a row, not the number of rows: sqrt(4), and sqrt(2) for narrower ones."""
    np.testing.assert_allclose(scores(Q, K)[0], [0.0, -0.1, 0.75], rtol=0, atol=1e-15)
    narrow = scores([[1.0, 1.0]], [[1.0, 1.0], [2.0, 0.0], [3.0, 0.0]])
    np.testing.assert_allclose(narrow, [[1.414214, 1.414214, 2.121320]], rtol=0, atol=SIX_DECIMALS)


def test_leading_axes_are_independent() -> None:
    """Heads and batches are lanes of their own."""
    q, k, v = (np.stack([array, 2 * array[::-1]]) for array in (Q, K, V))
    together = attend(q, k, v, causal_mask(3))
    for lane in range(2):
        alone = attend(q[lane], k[lane], v[lane], causal_mask(3))
        np.testing.assert_allclose(together[lane], alone, rtol=0, atol=LAW)
    assert together.shape == (2, 3, 4)


def test_causal_mask() -> None:
    """True where the key is not later than the query."""
    expected = [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(3).dtype == np.bool_
    assert causal_mask(3).tolist() == expected
    assert causal_mask(0).shape == (0, 0)


def test_softmax_of_the_chapters_grid() -> None:
    """The chapter's nine scores over 2: rows with and without the mask."""
    rows = turn(CHAPTER_ROWS)
    weights = softmax(scores(rows, rows))
    masked = softmax(scores(rows, rows), causal_mask(3))
    free = [0.438524, 0.347605, 0.213871]
    np.testing.assert_allclose(weights[0], free, rtol=0, atol=SIX_DECIMALS)
    np.testing.assert_allclose(masked[0], [1.0, 0.0, 0.0], rtol=0, atol=0)
    np.testing.assert_allclose(masked[1], [0.442173, 0.557827, 0.0], rtol=0, atol=SIX_DECIMALS)
    np.testing.assert_allclose(masked[2], free[::-1], rtol=0, atol=SIX_DECIMALS)
    np.testing.assert_allclose(softmax(np.zeros((2, 3))), 1 / 3, rtol=0, atol=LAW)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([0.0, math.log(3.0)], [0.25, 0.75]),
        ([1000.0, 1000.0 + math.log(3.0)], [0.25, 0.75]),
        ([-1e300, -1e300], [0.5, 0.5]),
        ([1.7e308, -1.7e308], [1.0, 0.0]),
        ([-1.7e308, 1.7e308, 1.7e308], [0.0, 0.5, 0.5]),
        ([0.0, 0.0, -744.0, -800.0], [0.5, 0.5, 0.0, 0.0]),
        ([7.0], [1.0]),
    ],
)
def test_softmax_is_stable(row: Any, expected: Any) -> None:
    """No score is too large or too far from the others, and no warning is given."""
    with np.errstate(all="raise"):
        np.testing.assert_allclose(softmax([row]), [expected], rtol=0, atol=1e-9)


def test_invisible_weights_are_exactly_zero() -> None:
    """Positive zeros, and what is not seen does not count: not even NaN or infinity."""
    visible = [[True, False, True], [False, True, False]]
    hidden = np.array([[0.0, math.nan, math.log(3.0)], [math.inf, -5.0, -math.inf]])
    with np.errstate(all="raise"):
        weights = softmax(hidden, visible)
    np.testing.assert_allclose(weights, [[0.25, 0.0, 0.75], [0.0, 1.0, 0.0]], rtol=0, atol=1e-15)
    assert not np.any(weights[~np.array(visible)])
    assert not np.signbit(weights).any()


def test_a_row_that_sees_nothing_has_zero_weights() -> None:
    """Neither NaN nor a warning, also without any key; attention then gives zeros."""
    with np.errstate(all="raise"):
        blind = softmax(Q[:, :3], [[True, True, True], [False, False, False], [True, False, False]])
        none = softmax(np.empty((2, 0)))
        mixed = attend(Q, K, V, np.zeros((3, 3), bool))
    np.testing.assert_array_equal(blind[1], [0.0, 0.0, 0.0])
    assert not np.signbit(blind[1]).any()
    assert greatest(blind[[0, 2]].sum(axis=-1) - 1.0) <= LAW
    assert none.shape == (2, 0)
    np.testing.assert_array_equal(mixed, np.zeros((3, 4)))


def test_uniform_scores_show_that_the_mask_alone_tells_the_position() -> None:
    """With value 1 at token 0 and 0 elsewhere, row t gets 1 / (t + 1)."""
    value = np.eye(6)[:, :1]
    found = attend(np.zeros((6, 2)), np.zeros((6, 2)), value, causal_mask(6))[:, 0]
    expected = [1.0, 0.5, 0.333333, 0.25, 0.2, 0.166667]
    np.testing.assert_allclose(found, expected, rtol=0, atol=SIX_DECIMALS)


def test_attention_without_positions_follows_the_order_of_the_rows() -> None:
    """Permuted inputs give the same outputs, permuted; rotation ends that, by 0.473613.

    If each row takes its position along, the order of the rows matters as little as before.
    """
    plain = attend(Q, K, V)
    turned = attend(turn(Q), turn(K), V)
    assert greatest(attend(Q[ORDER], K[ORDER], V[ORDER]) - plain[ORDER]) <= LAW
    moved = attend(turn(Q[ORDER]), turn(K[ORDER]), V[ORDER])
    assert greatest(moved - turned[ORDER]) == pytest.approx(0.473613, abs=SIX_DECIMALS)
    along = attend(turn(Q)[ORDER], turn(K)[ORDER], V[ORDER])
    assert greatest(along - turned[ORDER]) <= LAW


def test_rotation_does_not_decide_what_is_visible() -> None:
    """The zeros of the causal weights are the same, though the scores under them are not zero."""
    raw = scores(turn(Q), turn(K))
    hidden = [raw[0, 1], raw[0, 2], raw[1, 2]]
    np.testing.assert_allclose(hidden, [-0.296150, 0.466758, 0.499935], rtol=0, atol=SIX_DECIMALS)
    turned, plain = softmax(raw, causal_mask(3)), softmax(scores(Q, K), causal_mask(3))
    np.testing.assert_array_equal(turned == 0.0, ~causal_mask(3))
    np.testing.assert_array_equal(plain == 0.0, ~causal_mask(3))
    np.testing.assert_array_equal(turned[0], [1.0, 0.0, 0.0])


def test_values_are_not_rotated() -> None:
    """An equal shift by 3 changes nothing, as long as only queries and keys are rotated.

    Rotated values change by 3.639186, unless the output is rotated back; queries alone by 0.790227.
    """

    def rotated(offset: int) -> Any:
        return turn(Q, offset), turn(K, offset), turn(V, offset)

    (q0, k0, v0), (q3, k3, v3) = rotated(0), rotated(3)
    assert greatest(attend(q3, k3, V) - attend(q0, k0, V)) <= LAW
    with_values = greatest(attend(q3, k3, v3) - attend(q0, k0, v0))
    assert with_values == pytest.approx(3.639186, abs=SIX_DECIMALS)
    back = EMBEDDING.rotate_transpose
    undone = back(attend(q3, k3, v3), 3) - back(attend(q0, k0, v0))
    assert greatest(undone) <= LAW
    queries_alone = greatest(attend(q3, K, V) - attend(q0, K, V))
    assert queries_alone == pytest.approx(0.790227, abs=SIX_DECIMALS)
