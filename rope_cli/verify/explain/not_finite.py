"""An output that is not finite although its input is: where it begins, and what lies before.

Numbers too large for their products to be finite count as such.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.explain.verdict import Finding
from rope_cli.verify.read.aligned_arrays import Arrays
from rope_cli.verify.read.stored_array import GREATEST_NUMBER, StoredArray

# float16 rounds whole numbers from here on to infinity.
FLOAT16_END = 65520


@dataclass(frozen=True, eq=False)
class NotFiniteFinding:
    """Where an output is not finite.

    ``by_token`` ``[tokens]`` counts such numbers. ``where`` is the index ``[..., token, feature]``
    of one in the first such token, and ``position`` its position. ``before`` is the finding on the
    tokens before it, ``None`` if there are none or finite ones follow.
    """

    arrays: Arrays
    value: float
    where: tuple[int, ...]
    position: int
    by_token: NDArray[np.int64]
    before: Finding | None = None

    @property
    def first(self) -> int:
        """The first token that is not finite."""
        return self.where[-2]

    @property
    def to_the_end(self) -> bool:
        """Whether no later token is finite."""
        return bool(self.by_token[self.first :].all())

    @property
    def beyond_float16(self) -> bool:
        """Whether exactly the positions that float16 cannot hold are not finite."""
        positions = np.abs(self.arrays.positions)
        return positions.ndim == 1 and np.array_equal(positions >= FLOAT16_END, self.by_token > 0)


@dataclass(frozen=True, eq=False)
class Unchecked:
    """A stored array whose numbers may be anything."""

    stored: StoredArray

    @property
    def dtype(self) -> str:
        """The precision in which it was computed."""
        return self.stored.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The stored shape."""
        return self.stored.shape

    def block(self, index: tuple[int | slice, ...]) -> NDArray[np.float64]:
        """A copy of the values at an index."""
        return self.stored.unchecked_block(index)


def examine_not_finite(arrays: Arrays, output: StoredArray) -> NotFiniteFinding:
    """Find where ``output``, aligned as in ``arrays``, is not finite.

    Raises :class:`NotFinite` if the input is not finite either.
    """
    unchecked = replace(arrays, after=Unchecked(output))
    by_token = np.zeros(arrays.shape[-2], np.int64)
    value, where = math.nan, arrays.shape
    for index in arrays.blocks():
        after = unchecked.block(index)[1]
        wrong = ~(np.abs(after) <= GREATEST_NUMBER)
        if not wrong.any():
            continue
        by_token[index[-2]] += wrong.sum(axis=(*range(wrong.ndim - 2), -1))
        # With the axis of the tokens first, the first index is one of the first token.
        token, *others, feature = np.argwhere(np.moveaxis(wrong, -2, 0))[0].tolist()
        place = (*others, token, feature)
        if token + index[-2].start < where[-2]:
            value = float(after[place])
            where = tuple(at + part.start for at, part in zip(place, index, strict=True))
    return NotFiniteFinding(arrays, value, where, arrays.position_at(where), by_token)


def finite_tokens(finding: NotFiniteFinding, output: StoredArray) -> Arrays | None:
    """The arrays up to the first token that is not finite, if none follows that is."""
    arrays, count = finding.arrays, finding.first
    if count == 0 or not finding.to_the_end:
        return None
    part = tuple(
        slice(0, count if axis == arrays.token_axis else None) for axis in range(len(output.shape))
    )
    assert isinstance(arrays.before, StoredArray)
    return replace(
        arrays,
        before=replace(arrays.before, values=arrays.before.values[part]),
        after=replace(output, values=output.values[part]),
        positions=arrays.positions[..., :count],
    )
