"""Which part of two arrays is measured: rows that are wrong if any are, spread evenly."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.aligned_arrays import (
    MOST_ROWS,
    MOST_SAMPLE_CELLS,
    MOST_SAMPLES,
    Arrays,
    Sample,
    sampled,
)
from rope_cli.verify.measure.sweep import Errors, Failing


def failing_rows(errors: Errors) -> Failing | None:
    """Indices of one leading axis that are wrong while its others are right, if there are any."""
    wrong = errors.by_leading > 1.0
    for axis in range(wrong.ndim):
        rest = tuple(other for other in range(wrong.ndim) if other != axis)
        by_row = wrong.any(axis=rest)
        if by_row.any() and not by_row.all():
            return Failing(axis, np.flatnonzero(by_row))
    return None


def sample_of(arrays: Arrays, errors: Errors) -> Sample:
    """The part that is measured: of the wrong rows, if only some are wrong."""
    leading = chosen_leading(arrays, failing_rows(errors))
    return sampled(arrays, leading, chosen_tokens(arrays, errors))


def chosen_leading(
    arrays: Arrays, failing: Failing | None
) -> NDArray[np.int64]:  # [n, leading axes]
    """Leading indices to be measured, spread evenly."""
    sizes = list(arrays.shape[:-2])
    if not sizes:
        return np.zeros((1, 0), dtype=np.int64)
    if failing is not None:
        sizes[failing.axis] = len(failing.rows)
    cells = MOST_SAMPLE_CELLS // (min(MOST_ROWS, arrays.shape[-2]) * arrays.shape[-1])
    most = int(np.clip(cells, 2, MOST_SAMPLES))
    total = math.prod(sizes)
    flat = np.unique(np.linspace(0, total - 1, min(most, total)).astype(np.int64))
    index = np.stack(np.unravel_index(flat, sizes), axis=1)
    if failing is not None:
        index[:, failing.axis] = failing.rows[index[:, failing.axis]]
    return np.asarray(index, dtype=np.int64)


def chosen_tokens(arrays: Arrays, errors: Errors) -> NDArray[np.int64]:
    """Tokens to be measured: the first, the last, and those where errors begin."""
    tokens = arrays.shape[-2]
    if tokens <= MOST_ROWS:
        return np.arange(tokens)
    third = MOST_ROWS // 3
    wrong = np.flatnonzero(errors.by_token > 1.0)
    begin = int(wrong[0]) if len(wrong) else tokens // 2
    start = int(np.clip(begin - third // 2, 0, tokens - third))
    parts = (np.arange(third), np.arange(start, start + third), np.arange(tokens - third, tokens))
    return np.unique(np.concatenate(parts))
