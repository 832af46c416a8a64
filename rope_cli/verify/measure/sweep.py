"""One pass over two arrays, in blocks: how far the output is from what a hypothesis gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.verify.measure.aligned_arrays import Arrays, Sample
from rope_cli.verify.measure.hypothesis import Hypothesis

Array = NDArray[np.float64]
# What overflows is reported as this.
GREATEST = 1e300
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Errors:
    """What one pass found; every ratio is an error over what is allowed, at most 1 if right.

    ``worst`` is the greatest ratio and ``where`` its index, ``[..., token, feature]``. ``error`` is
    the greatest error as a share of its pair's length, ``allowed`` the bound at that place.
    ``by_leading`` has the shape of the leading axes, ``by_token`` and ``by_feature`` are flat.
    """

    worst: float
    where: tuple[int, ...]
    error: float
    allowed: float
    by_leading: Array
    by_token: Array
    by_feature: Array
    compared: int

    @property
    def holds(self) -> bool:
        """Whether nothing is further from the hypothesis than allowed."""
        return self.worst <= 1.0


class Failing(NamedTuple):
    """Indices of one leading axis."""

    axis: int
    rows: NDArray[np.intp]


def sweep(
    arrays: Arrays,
    hypothesis: Hypothesis,
    progress: Progress | None = None,
    only: Failing | None = None,
    *,
    strict: bool = True,
) -> Errors:
    """Compare everything, or some rows ``only``.

    The tolerance of the arrays replaces the bound; not ``strict``, the greater of both counts.
    """
    shape = arrays.shape
    by_leading = np.zeros(shape[:-2])
    by_token, by_feature = np.zeros(shape[-2]), np.zeros(shape[-1])
    worst, where, at_worst = -1.0, (0,) * len(shape), (0.0, 0.0)
    done, total = 0, int(np.prod(shape))
    used = hypothesis.used(arrays.positions)
    for index in arrays.blocks():
        before, after = arrays.block(index)
        ratios, off, allowed = compared(
            hypothesis,
            (before, after),
            arrays.positions_at(index, used),
            arrays.dtype,
            arrays.tolerance,
            strict=strict,
        )
        if only is not None:
            start, stop = index[only.axis].start, index[only.axis].stop
            others = np.isin(np.arange(start, stop), only.rows, invert=True)
            np.moveaxis(ratios, only.axis, 0)[others] = 0.0
        flat = int(np.argmax(ratios))
        if ratios.flat[flat] > worst:
            place = np.unravel_index(flat, ratios.shape)
            worst = float(ratios.flat[flat])
            where = tuple(int(i) + part.start for i, part in zip(place, index, strict=True))
            at_worst = shares(hypothesis, before, off, allowed, place)
        lead = index[:-2]
        by_leading[lead] = np.maximum(by_leading[lead], ratios.max(axis=(-2, -1)))
        rest = tuple(range(len(shape) - 2))
        tokens, features = by_token[index[-2]], by_feature[index[-1]]
        np.maximum(tokens, ratios.max(axis=(*rest, len(shape) - 1)), out=tokens)
        np.maximum(features, ratios.max(axis=(*rest, len(shape) - 2)), out=features)
        done += before.size
        if progress:
            progress(done, total)
    error, room = (min(each, GREATEST) for each in at_worst)
    worst = min(worst, GREATEST)
    return Errors(worst, where, error, room, by_leading, by_token, by_feature, total)


def compared(
    hypothesis: Hypothesis,
    arrays: tuple[Array, Array],
    positions: Array,
    dtype: str,
    tolerance: float | None = None,
    *,
    strict: bool = True,
) -> tuple[Array, Array, Array]:  # each [..., rows, features]
    """Errors over what is allowed, the errors, and what is allowed."""
    before, after = arrays
    # What overflows is as far off as can be.
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(after - hypothesis.predict(before, positions))
        off = np.where(np.isnan(off), np.inf, off)
        if tolerance is None:
            allowed = hypothesis.allowed(before, positions, dtype)
        else:
            # A pair of zeros stays one.
            tiny = float(np.finfo(np.float64).tiny)
            allowed = np.maximum(tolerance * lengths(hypothesis, before), tiny)
            if not strict:
                allowed = np.maximum(allowed, hypothesis.allowed(before, positions, dtype))
        allowed = np.minimum(allowed, float(np.finfo(np.float64).max))
        return off / allowed, off, allowed


def lengths(hypothesis: Hypothesis, before: Array) -> Array:
    """The length of each coordinate's pair, and of an unpaired coordinate itself."""
    x = before if hypothesis.order is None else before[..., hypothesis.order]
    left, right = hypothesis.places(hypothesis.layout_in)
    long = np.abs(x)
    pair = np.hypot(x[..., left], x[..., right]) * abs(hypothesis.gain)
    for place in hypothesis.places(hypothesis.layout_out):
        long[..., place] = pair
    return long


def shares(
    hypothesis: Hypothesis,
    before: Array,
    off: Array,
    allowed: Array,
    place: tuple[np.intp, ...],
) -> tuple[float, float]:
    """An error and its bound as shares of the pair's length; of a pair of zeros as they are."""
    row = place[:-1]
    with np.errstate(over="ignore", invalid="ignore"):
        long = min(float(lengths(hypothesis, before[row])[place[-1]]), GREATEST) or 1.0
        return float(off[place] / long), float(allowed[place] / long)


def ratios_of(hypothesis: Hypothesis, sample: Sample) -> Array:  # [rows, samples, features]
    """Errors over what is allowed, in a sample."""
    used = hypothesis.used(sample.known).reshape(-1)[sample.places]
    positions = used.astype(np.float64)[:, np.newaxis]
    both = sample.before, sample.after
    return compared(hypothesis, both, positions, sample.dtype, sample.tolerance, strict=False)[0]


def worst_ratio(hypothesis: Hypothesis, sample: Sample) -> float:
    """The greatest error over what is allowed, in a sample."""
    return float(ratios_of(hypothesis, sample).max(initial=0.0))
