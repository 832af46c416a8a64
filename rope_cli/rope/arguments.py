"""What a caller hands in: turned into the plain thing that it must be, or refused."""

from __future__ import annotations

import math
import operator
from numbers import Real
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from rope_cli.errors import InvalidBase, InvalidCount, OutputArray

Array = NDArray[Any]


def whole_number(name: str, value: SupportsIndex) -> int:
    """A width, a capacity or an offset as a Python int; truth values are no counts."""
    try:
        number = -1 if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise InvalidCount(name=name, value=value)
    return number


def positive_number(base: float) -> float:
    """A base of frequencies as a finite float above 0; truth values are no bases."""
    real = isinstance(base, Real) and not isinstance(base, bool)
    try:
        number = float(base) if real else math.nan
    except OverflowError:  # a whole number or a fraction beyond float64
        number = math.inf
    if not 0 < number < math.inf:
        raise InvalidBase(base=base)
    return number


def writable_like(x: Array, out: object) -> Array:
    """``out``, if a result of the shape and dtype of ``x`` can be written to it."""
    if not isinstance(out, np.ndarray):
        given = type(out).__name__
    elif out.shape != x.shape or out.dtype != x.dtype:
        given = f"{out.dtype} {out.shape}"
    elif not out.flags.writeable:
        given = f"{out.dtype} {out.shape} (writeable=False)"
    else:
        return out
    raise OutputArray(given=given, accepted=f"{x.dtype} {x.shape}")
