"""Positions in a file: whole numbers of either sign, or fractions, for all arrays or for each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rope_cli.user_input.array_files import POSITION_NAMES, File
from rope_cli.user_input.array_refusals import (
    describe_dtype,
    describe_number,
    describe_shape,
    first_false,
)
from rope_cli.verify.read import array_errors as words
from rope_cli.verify.read.array_errors import DTYPES
from rope_cli.verify.read.stored_array import GREATEST_WHOLE

Positions = NDArray[np.int64]
Floats = NDArray[np.float64]

# A step between fractions is looked for among these parts of their smallest distance.
MOST_PARTS, MOST_DENOMINATOR = 64, 1000
# Arrays no finer than this do not show what the last of 53 bits of a position would change.
COARSE = DTYPES["float32"]


@dataclass(frozen=True, eq=False)
class FilePositions:
    """Whole positions ``[tokens]`` or ``[batch, tokens]`` by the name of the pair, or ``"output"``.

    Fractional positions are ``arrays`` divided by ``linear_factor``, as linear scaling does it.
    """

    arrays: Mapping[str, Positions] = field(default_factory=dict)
    linear_factor: float = 1.0

    def of(self, pair: str) -> Positions | None:
        """The positions of a pair: its own, or those of all arrays."""
        return self.arrays.get(pair, self.arrays.get("output"))


def read_positions_of(file: File, dtype: str) -> FilePositions:
    """All positions that a file gives for arrays of this precision."""
    stored, dtypes = {}, {"float64"}
    if not file.is_single_array:
        for pair, names in POSITION_NAMES.items():
            name = next((name for name in names if name in file.arrays), None)
            if name is not None:
                stored[pair], stored_as = finite_positions(file, name)
                dtypes.add(stored_as)
    if all((values == np.floor(values)).all() for values in stored.values()):
        return FilePositions({pair: values.astype(np.int64) for pair, values in stored.items()})
    together = np.concatenate([values.ravel() for values in stored.values()])
    factor = linear_factor(together, min(dtypes, key=DTYPES.__getitem__), dtype)
    if factor is None:
        raise file.invalid(name_in(file), words.NO_COMMON_STEP, words.POSITIONS)
    whole = {pair: np.round(values * factor).astype(np.int64) for pair, values in stored.items()}
    return FilePositions(whole, factor)


def name_in(file: File) -> str:
    """The first name of positions in a file."""
    return next(name for names in POSITION_NAMES.values() for name in names if name in file.arrays)


def finite_positions(file: File, name: str) -> tuple[Floats, str]:
    """One array of positions, none of them beyond 2^53, and the dtype in which they may be rounded.

    That of whole numbers is float64.
    """
    values = file.load(name, words.POSITIONS)
    if values.dtype.kind not in "fiu":
        raise file.invalid(name, describe_dtype(values.dtype.name), words.POSITIONS)
    if values.ndim > 2:
        raise file.invalid(name, describe_shape(values.shape), words.POSITIONS)
    is_float = values.dtype.kind == "f"
    with np.errstate(invalid="ignore"):  # signalling NaNs
        wide = values.astype(np.float64) if is_float else values
    valid = (wide <= GREATEST_WHOLE) & (wide >= -GREATEST_WHOLE)
    if not valid.all():
        bad = first_false(valid)
        raise file.invalid(name, describe_number(values[bad], bad), words.POSITIONS)
    return wide.astype(np.float64), values.dtype.name if is_float else "float64"


def linear_factor(values: Floats, stored: str, dtype: str) -> float | None:
    """The factor that makes fractions ``[count]`` whole, or ``None``.

    The smallest that does so up to the rounding of the dtype in which they are stored, if the
    arrays are no finer than it; otherwise a power of two, which makes every float whole.
    """
    distinct = np.unique(np.append(np.abs(values), 0.0))
    step, farthest = float(np.diff(distinct).min()), float(distinct[-1])
    precision = DTYPES[dtype]
    rounding = 2.0 ** -DTYPES[stored] if precision <= DTYPES[stored] else 0.0
    for parts in range(1, MOST_PARTS + 1):
        ratio = float(np.round(farthest * parts / step)) / farthest
        simple = float(Fraction(ratio).limit_denominator(MOST_DENOMINATOR))
        for factor in (simple, ratio):
            whole = np.round(values * factor)
            near = np.abs(whole - values * factor) <= 2 * rounding * np.abs(whole)
            if factor >= 1 and near.all() and farthest * factor <= GREATEST_WHOLE:
                return factor
    power = 2.0 ** (DTYPES["float64"] - math.frexp(farthest)[1])
    exact = bool((np.round(values * power) == values * power).all())
    return power if exact or precision <= COARSE else None
