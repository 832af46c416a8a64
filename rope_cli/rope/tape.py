"""Reverse mode, just enough for the chapter's loss: values that remember how they were made.

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
    """A float64 array on the tape, copied from what is given and read-only.

    ``shape`` outlives the release. ``adjoint`` is None until :func:`backward` fills it, then the
    derivative of the loss by this value, an array of the same shape. ``kept`` holds the arrays that
    the operation which made the value saved for its backward rule; a leaf has none.
    """

    def __init__(
        self,
        array: ArrayLike,
        made_from: tuple[Value, ...] = (),
        backward_rule: BackwardRule | None = None,
        kept: tuple[Array, ...] = (),
    ) -> None:
        held = np.array(array, dtype=np.float64)
        held.setflags(write=False)
        self.shape = held.shape
        self.adjoint: Array | None = None
        self.kept = kept
        self.made_from = made_from
        self.backward_rule = backward_rule
        self._array: Array | None = held

    @property
    def array(self) -> Array:
        """The numbers; ``AutodiffStage`` once the value is released."""
        if self._array is None:
            raise AutodiffStage(shape=self.shape)
        return self._array

    def release(self) -> None:
        """Let the numbers and all that was kept go; every later use is refused."""
        self._array, self.backward_rule, self.kept = None, None, ()


def rotate(embedding: RotaryEmbedding, value: Value, position_offset: SupportsIndex = 0) -> Value:
    """The rotated rows; backward they are turned back by the same angles.

    Raises what ``embedding.rotate`` raises for the shape and the offset, then ``AutodiffStage``.
    """
    rows = embedding.rows(value.shape, position_offset)
    # Views of the very table rows that the transposed rotation will read.
    kept = (embedding.cosines[rows], embedding.sines[rows])
    return Value(
        embedding.rotate(value.array, position_offset),
        (value,),
        lambda adjoint: (embedding.rotate_transpose(adjoint, position_offset),),
        kept,
    )


def multiply(value: Value, constant: ArrayLike) -> Value:
    """The product, number by number, with a constant of the same shape."""
    factor = np.array(constant, dtype=np.float64)
    same_shape(value.shape, factor.shape)
    return Value(
        value.array * factor,
        (value,),
        lambda adjoint: (adjoint * factor,),
        (factor,),
    )


def add(a: Value, b: Value) -> Value:
    """The sum, number by number, of two values of one shape."""
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
    """Fill the adjoint of every value on the tape behind a scalar; earlier adjoints are replaced.

    ``AutodiffStage`` if any of them was released, ``ValueError`` if the value is no scalar.
    """
    same_shape(value.shape, ())
    tape = tape_behind(value)
    adjoints = {id(earlier): np.zeros_like(earlier.array) for earlier in tape}
    adjoints[id(value)] += 1.0
    for later in reversed(tape):
        later.adjoint = adjoints[id(later)]
        if later.backward_rule is not None:
            parts = later.backward_rule(later.adjoint)
            for source, part in zip(later.made_from, parts, strict=True):
                adjoints[id(source)] += part


def kept(value: Value) -> list[Array]:
    """Every array that the tape behind a value keeps for the backward pass."""
    return [array for earlier in tape_behind(value) for array in earlier.kept]


def release(value: Value) -> None:
    """Release the whole tape behind a value, its leaves too; adjoints stay readable."""
    for earlier in tape_behind(value):
        earlier.release()


def tape_behind(value: Value) -> list[Value]:
    """The value and all that it was made from, each once, and after all that it was made from."""
    tape: list[Value] = []
    found: set[int] = set()
    open_ends = [(value, False)]
    while open_ends:
        latest, sources_listed = open_ends.pop()
        if sources_listed:
            tape.append(latest)
        elif id(latest) not in found:
            found.add(id(latest))
            open_ends.append((latest, True))
            open_ends.extend((source, False) for source in latest.made_from)
    return tape


def same_shape(shape: tuple[int, ...], accepted: tuple[int, ...]) -> None:
    """Refuse to combine what does not match: the tape does not broadcast."""
    if shape != accepted:
        raise ValueError(f"the tape value has shape {shape}; accepted: {accepted}")
