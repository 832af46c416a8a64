"""Heads that lie side by side in the last axis, read as an axis of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.explain.laws import frequencies_or_none
from rope_cli.verify.measure.expected import Expected
from rope_cli.verify.read.aligned_arrays import Arrays, Source

Array = NDArray[np.float64]

LEAST_WIDTH, MOST_HEADS = 8, 128


@dataclass(frozen=True, eq=False)
class HeadsApart:
    """An array ``[..., heads * width]`` as ``[..., heads, width]``."""

    array: Source
    width: int

    @property
    def dtype(self) -> str:
        """The precision in which it was computed."""
        return self.array.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape with an axis of heads."""
        *leading, features = self.array.shape
        return (*leading, features // self.width, self.width)

    def block(self, index: tuple[int | slice, ...]) -> Array:
        """Float64 values at an index."""
        *leading, heads, features = index
        values = self.array.block((*leading, slice(None)))
        apart = values.reshape(*values.shape[:-1], -1, self.width)
        return np.array(apart[..., heads, features])


def heads_apart(arrays: Arrays, expected: Expected) -> Iterator[tuple[Arrays, Expected]]:
    """The arrays with several heads in each row, and what is expected of one head.

    A head is as wide as the rotated part; if that is the whole row, as any even divisor of it.
    """
    rank, features = len(arrays.before.shape), arrays.shape[-1]
    if arrays.feature_axis != rank - 1 or expected.first:
        return
    widths = [expected.rotary_width]
    if expected.rotary_width == features:
        widths = [features // heads for heads in range(2, MOST_HEADS + 1) if not features % heads]
    for width in widths:
        if features % width or width % 2 or not LEAST_WIDTH <= width < features:
            continue
        if frequencies_or_none(partial(expected.scale, width, expected.base)) is None:
            continue
        head = replace(
            expected,
            head_width=width,
            rotary_width=width,
            scaled=expected.scale(width, expected.base),
            other_readings={} if width != expected.rotary_width else expected.other_readings,
        )
        before, after = (HeadsApart(array, width) for array in (arrays.before, arrays.after))
        yield replace(arrays, before=before, after=after, feature_axis=rank), head
