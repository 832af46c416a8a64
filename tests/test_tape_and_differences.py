"""The backward pass: the chapter's adjoints, release, and central differences as a witness."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rope_cli.errors import AutodiffStage, InputRank, PositionRangeExceeded
from rope_cli.rope import tape
from rope_cli.rope.differences import central_differences
from rope_cli.rope.tables import RotaryEmbedding

Array = NDArray[Any]

SIX_DECIMALS = 5.1e-7
CHAPTER_BOUND = 4e-6  # the chapter's, at step 1e-6
TIGHT_BOUND = 2e-9  # at step 1e-4, which is the more exact one for a linear function

# The chapter, backward pass: output adjoints, loss, input adjoints.
ROWS = [[1.0, 0.0, 1.0, 0.0]] * 3
QUERY_OUTPUT_ADJOINT = [[1.0, -0.5, 0.25, 0.75], [-0.3, 0.8, 1.2, -0.4], [0.6, 0.1, -0.7, 0.9]]
KEY_OUTPUT_ADJOINT = [[-0.2, 0.4, 0.9, -0.6], [0.5, 1.1, -0.8, 0.3], [1.0, -0.9, 0.2, 0.7]]
LOSS = 2.479438
QUERY_INPUT_ADJOINT = [
    [1.000000, -0.500000, 0.250000, 0.750000],
    [0.511086, 0.684683, 1.154072, -0.517802],
    [-0.158758, -0.587193, -0.507244, 1.021128],
]
KEY_INPUT_ADJOINT = [
    [-0.200000, 0.400000, 0.900000, -0.600000],
    [1.195769, 0.173597, -0.766053, 0.378368],
    [-1.234515, -0.534765, 0.335082, 0.646313],
]


def chapter_loss(query: Any, key: Any) -> Any:
    """The chapter's loss on the tape: its two leaves and the scalar."""
    embedding = RotaryEmbedding(4, 6, 100.0)
    q, k = tape.Value(query), tape.Value(key)
    turned_q, turned_k = tape.rotate(embedding, q), tape.rotate(embedding, k)
    query_part = tape.total(tape.multiply(turned_q, QUERY_OUTPUT_ADJOINT))
    key_part = tape.total(tape.multiply(turned_k, KEY_OUTPUT_ADJOINT))
    return q, k, tape.add(query_part, key_part)


def loss_of_both(inputs: Any) -> Any:
    """The same loss as a plain function of both inputs, written without the rotation's code."""
    loss = 0.0
    weights = np.array([QUERY_OUTPUT_ADJOINT, KEY_OUTPUT_ADJOINT])
    for which, m, pair in np.ndindex(2, 3, 2):
        angle = m * (1.0, 0.1)[pair]
        c, s = math.cos(angle), math.sin(angle)
        left, right = inputs[which, m, 2 * pair : 2 * pair + 2]
        first, second = weights[which, m, 2 * pair : 2 * pair + 2]
        loss += (left * c - right * s) * first + (left * s + right * c) * second
    return loss


def greatest_error(gradient: Any, step: float) -> Any:
    """How far a gradient of the chapter's loss is from the central differences."""
    differences = central_differences(
        lambda points: np.array([loss_of_both(point) for point in points]), [ROWS, ROWS], step
    )
    assert differences.shape == (2, 3, 4)
    return np.abs(differences - gradient).max()


def test_chapter_loss() -> None:
    """The forward value."""
    *_, loss = chapter_loss(ROWS, ROWS)
    assert loss.shape == ()
    assert float(loss.array) == pytest.approx(LOSS, abs=SIX_DECIMALS)


def test_chapter_input_adjoints() -> None:
    """All 24 numbers of the backward pass."""
    q, k, loss = chapter_loss(ROWS, ROWS)
    tape.backward(loss)
    assert q.adjoint is not None
    np.testing.assert_allclose(q.adjoint, QUERY_INPUT_ADJOINT, rtol=0, atol=SIX_DECIMALS)
    np.testing.assert_allclose(k.adjoint, KEY_INPUT_ADJOINT, rtol=0, atol=SIX_DECIMALS)


def test_the_rotation_instead_of_its_transpose_would_be_seen_except_in_row_0() -> None:
    """Turning the adjoints forward is wrong by 0, 1.346354 and 1.091157 in the rows of Q."""
    q, _, loss = chapter_loss(ROWS, ROWS)
    tape.backward(loss)
    forward = RotaryEmbedding(4, 6, 100.0).rotate(QUERY_OUTPUT_ADJOINT)
    errors = np.abs(forward - q.adjoint).max(axis=-1)
    np.testing.assert_allclose(errors, [0.0, 1.346354, 1.091157], rtol=0, atol=SIX_DECIMALS)


@pytest.mark.parametrize(("step", "bound"), [(1e-6, CHAPTER_BOUND), (1e-4, TIGHT_BOUND)])
def test_backward_agrees_with_central_differences(step: float, bound: float) -> None:
    """At all 12 + 12 coordinates, at the chapter's step and more closely at a larger one."""
    q, k, loss = chapter_loss(ROWS, ROWS)
    tape.backward(loss)
    assert greatest_error([q.adjoint, k.adjoint], step) <= bound


@pytest.mark.parametrize("coordinate", list(np.ndindex(2, 3, 4)))
@pytest.mark.parametrize(
    ("step", "bound", "wrong_by"), [(1e-6, CHAPTER_BOUND, 1e-5), (1e-4, TIGHT_BOUND, 1e-8)]
)
def test_a_slightly_wrong_derivative_is_noticed(
    step: float, bound: float, wrong_by: float, coordinate: int
) -> None:
    """At each of the 24 coordinates: the comparison fails as soon as one number is a bit off."""
    q, k, loss = chapter_loss(ROWS, ROWS)
    tape.backward(loss)
    gradient = np.array([q.adjoint, k.adjoint])
    gradient[coordinate] += wrong_by
    assert greatest_error(gradient, step) > bound


@pytest.mark.parametrize("offset", [0, 3, np.int64(17)])
def test_backward_at_an_offset_and_with_leading_axes(offset: int) -> None:
    """The same offset backward as forward; pairs turned back by Python's own cosine and sine."""
    embedding = RotaryEmbedding(4, 20, 100.0)
    weights = np.random.default_rng(11).standard_normal((2, 3, 4))
    x = tape.Value(np.ones((2, 3, 4)))
    tape.backward(tape.total(tape.multiply(tape.rotate(embedding, x, offset), weights)))
    for lane, t, pair in np.ndindex(2, 3, 2):
        angle = (int(offset) + t) * (1.0, 0.1)[pair]
        c, s = math.cos(angle), math.sin(angle)
        left, right = weights[lane, t, 2 * pair : 2 * pair + 2]
        expected = [left * c + right * s, right * c - left * s]
        assert x.adjoint is not None
        assert x.adjoint[lane, t, 2 * pair : 2 * pair + 2] == pytest.approx(expected, abs=1e-12)


def test_all_that_is_kept_is_finite_and_enough() -> None:
    """Cosines, sines and the constant for each of the two inputs; nothing for sums."""
    q, _, loss = chapter_loss(ROWS, ROWS)
    kept = tape.saved_arrays(loss)
    assert sorted(array.shape for array in kept) == [(3, 2)] * 4 + [(3, 4)] * 2
    assert all(np.isfinite(array).all() for array in kept)
    assert sum(array.size for array in kept) == 48
    assert any(np.array_equal(array, QUERY_OUTPUT_ADJOINT) for array in kept)
    assert q.saved == () == loss.saved
    turned = tape.rotate(RotaryEmbedding(4, 6, 100.0), q, 1)
    expected = [[[math.cos(m), math.cos(m * 0.1)] for m in (1, 2, 3)],
                [[math.sin(m), math.sin(m * 0.1)] for m in (1, 2, 3)]]  # fmt: skip
    np.testing.assert_allclose(turned.saved, expected, rtol=0, atol=1e-15)


def test_a_value_used_twice_gets_both_adjoints() -> None:
    """d(x + x + 3x)/dx = 5, though the value stands at different depths of the tape."""
    x = tape.Value([[1.0, 2.0]])
    tripled = tape.multiply(x, [[3.0, 3.0]])
    tape.backward(tape.total(tape.add(tape.add(x, x), tripled)))
    np.testing.assert_array_equal(x.adjoint, [[5.0, 5.0]])
    np.testing.assert_array_equal(tripled.adjoint, [[1.0, 1.0]])
    y = tape.Value([[1.0, 2.0]])
    tape.backward(tape.total(tape.add(tape.multiply(tape.add(y, y), [[3.0, 4.0]]), y)))
    np.testing.assert_array_equal(y.adjoint, [[7.0, 9.0]])
    z = tape.Value([[1.0, 2.0]])
    doubled = tape.multiply(z, [[2.0, 2.0]])
    tape.backward(tape.total(tape.add(doubled, doubled)))
    np.testing.assert_array_equal(z.adjoint, [[4.0, 4.0]])


def test_a_second_backward_replaces_the_adjoints() -> None:
    """They are not added up over several passes."""
    q, _, loss = chapter_loss(ROWS, ROWS)
    assert q.adjoint is loss.adjoint is None
    tape.backward(loss)
    tape.backward(loss)
    assert q.adjoint is not None
    np.testing.assert_allclose(q.adjoint, QUERY_INPUT_ADJOINT, rtol=0, atol=SIX_DECIMALS)
    assert loss.adjoint == 1.0


def test_a_long_tape() -> None:
    """Thousands of operations in a row are no deeper than one."""
    value = leaf = tape.Value(1.0)
    for _ in range(5000):
        value = tape.multiply(value, 1.0)
    tape.backward(value)
    assert leaf.adjoint == 1.0
    assert len(tape.saved_arrays(value)) == 5000


def test_the_tape_keeps_its_own_numbers() -> None:
    """Changing the caller's arrays afterwards changes nothing, and the tape's are read-only."""
    x, weights = np.ones((1, 2)), np.full((1, 2), 3.0)
    leaf = tape.Value(x)
    loss = tape.total(tape.multiply(leaf, weights))
    x[...], weights[...] = 100.0, 100.0
    tape.backward(loss)
    assert float(loss.array) == 6.0
    np.testing.assert_array_equal(leaf.adjoint, [[3.0, 3.0]])
    with pytest.raises(ValueError, match="read-only"):
        leaf.array[...] = 0.0


USES = {
    "rotate": lambda value: tape.rotate(RotaryEmbedding(2, 1, 100.0), value),
    "multiply": lambda value: tape.multiply(value, np.ones(value.shape)),
    "add first": lambda value: tape.add(value, tape.Value(np.ones(value.shape))),
    "add second": lambda value: tape.add(tape.Value(np.ones(value.shape)), value),
    "total": tape.total,
    "array": lambda value: value.array,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_released_value_refuses_every_use(use: Any) -> None:
    """What worked before the release is refused after it, by the shape of the value."""
    value = tape.Value(np.ones((1, 2)))
    use(value)
    value.release()
    value.release()
    with pytest.raises(AutodiffStage) as refused:
        use(value)
    assert refused.value.values == {"shape": (1, 2)}
    assert value.shape == (1, 2)


def test_a_released_tape_refuses_everything_behind_the_value() -> None:
    """From the loss to the leaves; only shapes and the adjoints that were asked for remain."""
    q, k, loss = chapter_loss(ROWS, ROWS)
    tape.backward(loss)
    turned = q_parent(loss)
    tape.release(loss)
    with pytest.raises(AutodiffStage):
        tape.backward(loss)
    for value in (q, k, turned):
        with pytest.raises(AutodiffStage):
            tape.multiply(value, np.ones(value.shape))
    assert tape.saved_arrays(loss) == []
    np.testing.assert_allclose(k.adjoint, KEY_INPUT_ADJOINT, rtol=0, atol=SIX_DECIMALS)


def q_parent(loss: Any) -> Any:
    """The rotated queries, three steps behind the loss."""
    return loss.inputs[0].inputs[0].inputs[0]


def test_backward_refuses_a_tape_that_is_released_in_part() -> None:
    """One released value behind the loss is enough, and no adjoint is touched."""
    q, k, loss = chapter_loss(ROWS, ROWS)
    q_parent(loss).release()
    with pytest.raises(AutodiffStage) as refused:
        tape.backward(loss)
    assert refused.value.values == {"shape": (3, 4)}
    assert q.adjoint is k.adjoint is loss.adjoint is None
    tape.release(loss)
    with pytest.raises(AutodiffStage):
        q.array.sum()


def test_shape_and_range_are_refused_before_the_release() -> None:
    """The chapter's order: rank, width, offset, range, then the stage of the tape."""
    embedding = RotaryEmbedding(2, 1, 100.0)
    flat, row = tape.Value([1.0, 0.0]), tape.Value([[1.0, 0.0]])
    flat.release()
    row.release()
    with pytest.raises(InputRank):
        tape.rotate(embedding, flat)
    with pytest.raises(PositionRangeExceeded):
        tape.rotate(embedding, row, 1)
    with pytest.raises(AutodiffStage):
        tape.rotate(embedding, row, 0)


@pytest.mark.parametrize(
    "combine",
    [
        lambda value: tape.multiply(value, 2.0),
        lambda value: tape.multiply(value, np.ones((2, 2, 2))),
        lambda value: tape.add(value, tape.Value([1.0, 1.0])),
        tape.backward,
    ],
    ids=["constant of no axes", "constant of more axes", "sum", "backward"],
)
def test_the_tape_does_not_broadcast(combine: Any) -> None:
    """Shapes must be equal, and backward starts from a scalar."""
    with pytest.raises(ValueError, match="shape"):
        combine(tape.Value(np.ones((2, 2))))


# Central differences


def test_central_differences_of_a_known_function() -> None:
    """The gradient of x0^2 x1 + 3 x2 at (2, 5, 7) is (20, 4, 3)."""
    point = np.array([2.0, 5.0, 7.0])
    gradient = central_differences(lambda x: x[:, 0] ** 2 * x[:, 1] + 3 * x[:, 2], point, 1e-4)
    np.testing.assert_allclose(gradient, [20.0, 4.0, 3.0], rtol=0, atol=1e-8)
    np.testing.assert_array_equal(point, [2.0, 5.0, 7.0])


def test_central_differences_have_the_error_of_their_order() -> None:
    """For x^3 the formula gives 3 x^2 + step^2: it is central, and divides by two steps."""
    gradient = central_differences(lambda x: x**3, 2.0, 0.5)
    assert gradient.shape == ()
    assert float(gradient) == 12.25


def test_central_differences_move_one_coordinate_at_a_time() -> None:
    """Two points a coordinate, in fresh arrays, each of which differs from x in one place."""
    point, calls = np.arange(6.0).reshape(2, 3), []

    def spoiled(points: Array) -> Any:
        calls.append(points.copy())
        points[...] = math.nan
        return np.zeros(len(points))

    central_differences(spoiled, point, 0.25)
    for points, move in zip(calls, (0.25, -0.25), strict=True):
        places = [np.argwhere(each != point).tolist() for each in points]
        assert places == [[list(index)] for index in np.ndindex(2, 3)]
        assert [float((each - point).sum()) for each in points] == [move] * 6


@pytest.mark.parametrize("step", [0.0, -1e-6, math.nan])
def test_a_step_that_is_not_above_0_is_refused(step: float) -> None:
    """Also one that is not a number."""
    with pytest.raises(ValueError, match="step"):
        central_differences(lambda x: x[:, 0], [1.0], step)
