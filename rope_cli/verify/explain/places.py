"""Which rows of arrays are wrong, as indices of their axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.hypothesis import Mistake
from rope_cli.verify.read.aligned_arrays import Arrays

Mask = NDArray[np.bool_]  # [..., tokens]

MOST_LISTED = 64
# Kinds that say where another mistake was made.
PLACES = frozenset({"some-rows", "some-tokens", "scattered-rows"})


def wrong_places(arrays: Arrays, wrong: Mask, right: Mask) -> tuple[Mistake, ...]:
    """The wrong rows, axis by axis; none where all rows may be wrong.

    Rows that are neither ``wrong`` nor ``right`` show nothing, such as those at position 0: an axis
    is named only if its other indices have rows that are surely right.
    """
    kept = [np.unique(indices) for indices in np.nonzero(wrong)]
    if not wrong.any() or not right.any():
        return ()
    if right[np.ix_(*kept)].any():
        return (scattered_rows(arrays, wrong),)
    for axis, size in enumerate(wrong.shape):
        wider = [*kept[:axis], np.arange(size), *kept[axis + 1 :]]
        if not right[np.ix_(*wider)].any():
            kept = wider
    *leading, tokens = kept
    sizes = wrong.shape
    named = [
        Mistake("some-rows", {"axis": arrays.order[axis], "rows": rows.tolist()})
        for axis, rows in enumerate(leading)
        if len(rows) < sizes[axis]
    ]
    if len(tokens) < sizes[-1]:
        named.append(Mistake("some-tokens", {"tokens": tokens.tolist()}))
    return tuple(named)


def scattered_rows(arrays: Arrays, wrong: Mask) -> Mistake:
    """Wrong rows that no choice of indices along the axes singles out."""
    stored = np.argsort(arrays.order[:-1])  # the axes as they are stored, without the features
    indices = np.argwhere(np.transpose(wrong, stored))
    return Mistake(
        "scattered-rows",
        {
            "count": len(indices),
            "rows": int(wrong.size),
            "indices": indices[:MOST_LISTED].tolist(),
        },
    )


def rows_that_show(arrays: Arrays) -> Mask:
    """The rows at other positions than 0, which a wrong rotation would change."""
    everything = tuple(slice(0, size) for size in arrays.shape)
    positions = arrays.positions_at(everything, arrays.positions)
    return np.asarray(np.broadcast_to(positions != 0, arrays.shape[:-1]))
