"""Reverse-mode differentiation, just enough for the chapter's loss.

Each operation states its result and, in the next line, how an output adjoint becomes the adjoints
of its inputs. ``backward`` walks the tape from the loss to the leaves and adds these up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rope_cli.errors import AutodiffStage
from rope_cli.rope.tables import RotaryEmbedding

Array = NDArray[Any]
BackwardRule = Callable[[Array], tuple[Array, ...]]


class Value:
    """A float64 array on the tape: a read-only copy of ``array``.

    ``shape`` outlives the release. ``adjoint`` is None until :func:`backward` fills it, then the
    derivative of the loss with respect to this value, an array of the same shape. ``saved`` holds
    the arrays that the operation saved for its backward rule; a leaf has none.
    """

    def __init__(
        self,
        array: ArrayLike,
        inputs: tuple[Value, ...] = (),
        backward_rule: BackwardRule | None = None,
        saved: tuple[Array, ...] = (),
    ) -> None:
        copied = np.array(array, dtype=np.float64)
        copied.setflags(write=False)
        self.shape = copied.shape
        self.adjoint: Array | None = None
        self.saved = saved
        self.inputs = inputs
        self.backward_rule = backward_rule
        self._array: Array | None = copied

    @property
    def array(self) -> Array:
        """The numbers; ``AutodiffStage`` once the value is released."""
        if self._array is None:
            raise AutodiffStage(shape=self.shape)
        return self._array

    def release(self) -> None:
        """Let go of the numbers and the saved arrays; every later use is refused."""
        self._array, self.backward_rule, self.saved = None, None, ()


def rotate(embedding: RotaryEmbedding, value: Value, position_offset: SupportsIndex = 0) -> Value:
    """The rotated rows; backward, adjoints are rotated back by the same angles.

    Raises what ``embedding.rotate`` raises for the shape and the offset, then ``AutodiffStage``.
    """
    rows = embedding.rows(value.shape, position_offset)
    # Views of the very table rows that the transposed rotation will read.
    saved = (embedding.cosines[rows], embedding.sines[rows])
    return Value(
        embedding.rotate(value.array, position_offset),
        (value,),
        lambda adjoint: (embedding.rotate_transpose(adjoint, position_offset),),
        saved,
    )


def multiply(value: Value, constant: ArrayLike) -> Value:
    """The elementwise product with a constant of the same shape."""
    factor = np.array(constant, dtype=np.float64)
    same_shape(value.shape, factor.shape)
    return Value(
        value.array * factor,
        (value,),
        lambda adjoint: (adjoint * factor,),
        (factor,),
    )


def add(a: Value, b: Value) -> Value:
    """The elementwise sum of two values of the same shape."""
    same_shape(a.shape, b.shape)
    return Value(
        a.array + b.array,
        (a, b),
        lambda adjoint: (adjoint, adjoint),
    )


def total(value: Value) -> Value:
    """The sum of all numbers, a scalar."""
    return Value(
        value.array.sum(),
        (value,),
        lambda adjoint: (np.full(value.shape, adjoint),),
    )


def backward(value: Value) -> None:
    """Fill the adjoint of every value that a scalar depends on; earlier adjoints are replaced.

    ``AutodiffStage`` if any of them was released, ``ValueError`` if the value is not a scalar.
    """
    same_shape(value.shape, ())
    tape = tape_behind(value)
    adjoints = {id(earlier): np.zeros_like(earlier.array) for earlier in tape}
    adjoints[id(value)] += 1.0
    for later in reversed(tape):
        later.adjoint = adjoints[id(later)]
        if later.backward_rule is not None:
            parts = later.backward_rule(later.adjoint)
            for source, part in zip(later.inputs, parts, strict=True):
                adjoints[id(source)] += part


def saved_arrays(value: Value) -> list[Array]:
    """Every array that the tape behind a value saved for the backward pass."""
    return [array for earlier in tape_behind(value) for array in earlier.saved]


def release(value: Value) -> None:
    """Release the whole tape behind a value, its leaves too; adjoints stay readable."""
    for earlier in tape_behind(value):
        earlier.release()


def tape_behind(value: Value) -> list[Value]:
    """The value and all that it depends on, each once and after its own inputs."""
    tape: list[Value] = []
    visited: set[int] = set()
    open_ends = [(value, False)]
    while open_ends:
        latest, inputs_listed = open_ends.pop()
        if inputs_listed:
            tape.append(latest)
        elif id(latest) not in visited:
            visited.add(id(latest))
            open_ends.append((latest, True))
            open_ends.extend((source, False) for source in latest.inputs)
    return tape


def same_shape(shape: tuple[int, ...], accepted: tuple[int, ...]) -> None:
    """Refuse shapes that differ: the tape does not broadcast."""
    if shape != accepted:
        raise ValueError(f"the tape value has shape {shape}; accepted: {accepted}")
