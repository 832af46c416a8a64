"""The table of rotation factors, and the rotation of rows by it.

Pair ``k`` of a feature width ``d`` rotates by ``theta_k = base^(-2k/d)`` radians per position, so
its angle at position ``m`` is ``m theta_k`` (RoFormer, arXiv 2104.09864). Everything is float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rope_cli.errors import (
    FeatureWidthMismatch,
    InputRank,
    InputType,
    NonFiniteTableValue,
    OddFeatureWidth,
    PositionBeforeTable,
    PositionOffsetOverflow,
    PositionRangeExceeded,
    TableAllocationFailed,
    TableSizeOverflow,
    UnknownLayout,
    ZeroFeatureWidth,
    ZeroPositionCapacity,
)
from rope_cli.rope import fast, rotation
from rope_cli.rope.arguments import positive_number, shifted_against, whole_number, writable_like
from rope_cli.rope.rotation import Rotation
from rope_cli.rope.silent_arithmetic import silently

Array = NDArray[Any]

LAYOUTS: dict[str, tuple[Rotation, Rotation]] = {
    "adjacent": (rotation.rotate_adjacent, rotation.rotate_adjacent_transpose),
    "half-split": (rotation.rotate_half_split, rotation.rotate_half_split_transpose),
}
FLOATS = frozenset({np.dtype(np.float64), np.dtype(np.float32)})
GREATEST_INDEX = 2**64 - 1
ADDRESSABLE_VALUES = (2**63 - 1) // 8
ANGLES_AT_ONCE = 1 << 15


def inverse_frequency(feature_width: int, base: float, pair: int) -> float:
    """``theta_k = base^(-2k/d)`` radians per position, for ``k = pair`` and ``d = feature_width``.

    The name is the usual one: it is the inverse of ``base^(2k/d)``, hence itself the angular
    frequency; ``2 pi / theta_k`` positions make a full turn. Infinite where float64 cannot hold it,
    for which the base must be far below 1; never 0.0 for a finite base. Nothing is checked.
    """
    try:
        # The scalar power has the C library's bits; numpy's vector power may differ in the last.
        return math.pow(base, -2.0 * pair / feature_width)
    except OverflowError:
        return math.inf


class RotaryEmbedding:
    """Frequencies, cosines and sines for one feature width, ready to rotate rows.

    ``feature_width`` is the even width d of the last axis, ``max_positions`` how many positions the
    table holds, from 0, and ``base`` the finite positive base of the frequencies. A base below 1
    makes later pairs rotate faster; at 1 all rotate alike. ``layout`` says which coordinates form a
    pair: in ``"adjacent"`` they are ``2k`` and ``2k + 1``, in ``"half-split"`` ``k`` and
    ``k + d/2``.

    With ``first_position`` the table leaves out the positions before it, so that rows far from 0
    need no table of everything in between.

    Rotations may run in several threads at once. Rows of the table that were prepared for the
    dtype of an input are kept for the next call, up to 16 MB.

    The read-only arrays are ``inverse_frequencies`` ``[pairs]`` (radians per position), ``factors``
    ``[positions, pairs]`` (complex: ``cos + i sin`` of the angle) and its parts ``cosines`` and
    ``sines``. Raises what :meth:`validate` raises, ``UnknownLayout``, and ``TableAllocationFailed``
    if the memory is not to be had.
    """

    def __init__(
        self,
        feature_width: SupportsIndex,
        max_positions: SupportsIndex,
        base: float,
        layout: str = "adjacent",
        *,
        first_position: SupportsIndex = 0,
    ) -> None:
        self.feature_width, self.max_positions, self.base = self.validate(
            feature_width, max_positions, base
        )
        self.first_position = whole_number("first_position", first_position)
        if self.first_position >= self.max_positions:
            raise PositionRangeExceeded(
                offset=self.first_position, tokens=1, max_positions=self.max_positions
            )
        if not isinstance(layout, str) or layout not in LAYOUTS:
            raise UnknownLayout(layout=layout, accepted=", ".join(LAYOUTS))
        self.layout = layout
        self.pairs = self.feature_width // 2
        positions = self.max_positions - self.first_position
        try:
            self.factors = np.empty((positions, self.pairs), np.complex128)
            theta = (inverse_frequency(self.feature_width, self.base, k) for k in range(self.pairs))
            self.inverse_frequencies = np.fromiter(theta, np.float64, count=self.pairs)
            self._fill_factors()
        except (MemoryError, ValueError):  # numpy's ValueError: more than an array may hold
            raise TableAllocationFailed(values=positions * self.pairs) from None
        self.factors.setflags(write=False)
        self.inverse_frequencies.setflags(write=False)
        self.cosines, self.sines = self.factors.real, self.factors.imag
        self._prepared = fast.PreparedFactors(self.factors)
        self._rotation, self._transpose = LAYOUTS[layout]

    def __repr__(self) -> str:
        return (
            f"RotaryEmbedding({self.feature_width}, {self.max_positions}, {self.base}, "
            f"{self.layout!r})"
        )

    def _fill_factors(self) -> None:
        """Write cosines and sines, some rows at a time so that the angles need little memory."""
        height = max(1, ANGLES_AT_ONCE // self.pairs)
        for start in range(0, len(self.factors), height):
            rows = self.factors[start : start + height]
            m = np.arange(start, start + len(rows), dtype=np.float64) + self.first_position
            with np.errstate(all="ignore"):
                angles = m[:, np.newaxis] * self.inverse_frequencies
                np.cos(angles, out=rows.real)
                np.sin(angles, out=rows.imag)

    @staticmethod
    def validate(
        feature_width: SupportsIndex, max_positions: SupportsIndex, base: float
    ) -> tuple[int, int, float]:
        """Prove without a table that all its values are finite; return the three as plain numbers.

        The work is two binary searches at most, whatever the width and the capacity. Raises the
        first of these that applies: ``InvalidCount``, ``ZeroFeatureWidth`` or ``OddFeatureWidth``
        for the width, ``InvalidCount`` or ``ZeroPositionCapacity`` for the capacity,
        ``InvalidBase``, ``TableSizeOverflow``, ``TableAllocationFailed``, ``NonFiniteTableValue``
        (with the first position and pair in the order of the rows). Only the constructor can tell
        whether the allocator has the memory.
        """
        width = whole_number("feature_width", feature_width)
        if width == 0:
            raise ZeroFeatureWidth
        if width % 2 != 0:
            raise OddFeatureWidth(feature_width=width)
        positions = whole_number("max_positions", max_positions)
        if positions == 0:
            raise ZeroPositionCapacity
        number = positive_number(base)
        refuse_impossible_table(width, positions, number)
        return width, positions, number

    def rotate(
        self, x: ArrayLike, position_offset: SupportsIndex = 0, out: Array | None = None
    ) -> Array:  # [..., tokens, features] -> [..., tokens, features]
        """Rotate row ``t`` of ``x`` to position ``position_offset + t``, each pair by its angle.

        ``x`` has rank two or more and native float64 or float32 values; float32 is multiplied by
        the table rounded to float32. The result has the dtype of ``x`` and C order, or is ``out``:
        an array of the same shape and dtype, of any strides, that may be ``x`` or overlap it, but
        whose elements share no memory with each other. Nothing else is written to.

        Each number is within two units in the last place of the larger of the two products that
        it is the sum of. At position 0 finite values keep their bits, save that every zero of a
        result is +0.0. An infinity or NaN affects its own pair only, by the rules of IEEE
        arithmetic (``inf * sin 0`` is NaN), without a warning.

        Raises, in this order, ``InputRank``, ``FeatureWidthMismatch``, ``InvalidCount`` for the
        offset, ``PositionOffsetOverflow``, ``PositionBeforeTable``, ``PositionRangeExceeded``,
        ``InputType`` and ``OutputArray``.
        """
        return self._apply(self._rotation, x, position_offset, out)

    def rotate_transpose(
        self, adjoint: ArrayLike, position_offset: SupportsIndex = 0, out: Array | None = None
    ) -> Array:  # [..., tokens, features] -> [..., tokens, features]
        """The vector-Jacobian product of :meth:`rotate`: output adjoints to input adjoints.

        Each pair is rotated back by its angle. Shapes, ``out``, special values and errors are
        those of :meth:`rotate`.
        """
        return self._apply(self._transpose, adjoint, position_offset, out)

    def rows(self, shape: Sequence[int], position_offset: SupportsIndex = 0) -> slice:
        """The rows of the table that an input of this shape needs.

        An interval of no tokens may start at the table's end. Raises those refusals of
        :meth:`rotate` that concern shape and offset.
        """
        if len(shape) < 2:
            raise InputRank(rank=len(shape))
        tokens, features = shape[-2:]
        if features != self.feature_width:
            raise FeatureWidthMismatch(actual=features, expected=self.feature_width)
        offset = whole_number("position_offset", position_offset)
        end = offset + tokens
        if end > GREATEST_INDEX:
            raise PositionOffsetOverflow(offset=offset, tokens=tokens)
        if offset < self.first_position:
            raise PositionBeforeTable(offset=offset, first_position=self.first_position)
        if end > self.max_positions:
            raise PositionRangeExceeded(
                offset=offset, tokens=tokens, max_positions=self.max_positions
            )
        return slice(offset - self.first_position, end - self.first_position)

    def _apply(
        self,
        plain: Rotation,
        values: ArrayLike,
        position_offset: SupportsIndex,
        out: Array | None,
    ) -> Array:
        """Rotate by the plain form, or by the fast one with the same bits."""
        x = np.asarray(values)
        rows = self.rows(x.shape, position_offset)
        if x.dtype not in FLOATS:
            raise InputType(dtype=str(x.dtype))
        if out is None:
            out = target = np.empty(x.shape, x.dtype)
            separate = False
        else:
            target, separate = writable_like(x, out)
            if shifted_against(x, target):
                x = x.copy()
        if x.size < fast.LEAST_SIZE:
            np.copyto(target, silently(plain, x, self.factors[rows]))
        else:
            silently(fast.FORMS[plain], x, self._prepared, target, rows.start)
        if separate:
            np.copyto(np.asarray(out), target)
        return out


def first_that_holds(count: int, holds: Callable[[int], bool]) -> int:
    """The least of 0, 1, ..., count - 1 that ``holds``, as all later ones do; else ``count``.

    ``bisect`` cannot search a range that is longer than the addresses of a 32-bit system.
    """
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def refuse_impossible_table(width: int, positions: int, base: float) -> None:
    """Refuse a table with too many cells, or with a frequency or an angle that is not finite.

    Angles never fall with the position, nor with the pair when the base is below 1, and are finite
    for every other base. So the last pair decides the first position that fails.
    """
    pairs = width // 2
    if positions * pairs > GREATEST_INDEX:
        raise TableSizeOverflow(positions=positions, pairs=pairs)
    if pairs > ADDRESSABLE_VALUES:
        raise TableAllocationFailed(values=pairs)

    def overflows(position: int, pair: int) -> bool:
        return math.isinf(position * inverse_frequency(width, base, pair))

    def first_pair(position: int) -> int:
        return first_that_holds(pairs, lambda pair: overflows(position, pair))

    if overflows(1, pairs - 1):
        raise NonFiniteTableValue(position=0, pair=first_pair(1))
    if positions * pairs > ADDRESSABLE_VALUES:
        raise TableAllocationFailed(values=positions * pairs)
    if overflows(positions - 1, pairs - 1):
        position = first_that_holds(positions, lambda m: overflows(m, pairs - 1))
        raise NonFiniteTableValue(position=position, pair=first_pair(position))
