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
    if type(value) is int and value >= 0:  # what it nearly always is
        return value
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


def writable_like(x: Array, out: object) -> tuple[Array, bool]:
    """The memory of ``out`` as a plain array, if a result like ``x`` can be written to it.

    Or a new array, and that it is to be copied to ``out``, if the features there do not lie side by
    side in memory, which no kernel can write.
    """
    if not isinstance(out, np.ndarray):
        given = type(out).__name__
    elif out.shape != x.shape or out.dtype != x.dtype:
        given = f"{out.dtype} {out.shape}"
    else:
        flags = out.flags
        if flags.carray and type(out) is np.ndarray:  # what it nearly always is
            return out, False
        given = f"{out.dtype} {out.shape} (strides={out.strides})"
        if not flags.writeable:
            given = f"{out.dtype} {out.shape} (writeable=False)"
        elif not overlaps_itself(out):
            if out.strides[-1] == out.itemsize:
                return np.asarray(out), False
            return np.empty(x.shape, x.dtype), True
    raise OutputArray(given=given, accepted=f"{x.dtype} {x.shape}")


def overlaps_itself(out: Array) -> bool:
    """Whether two elements may share memory, as they do in a window that was moved by hand."""
    end = out.itemsize
    axes = [(abs(step), n) for step, n in zip(out.strides, out.shape, strict=True) if n > 1]
    for step, n in sorted(axes):
        if step < end:
            return True
        end += step * (n - 1)
    return False


def shifted_against(x: Array, out: Array) -> bool:
    """Whether writing to ``out`` may change elements of ``x`` that are still to be read.

    Not if each has its place in common with its own result, which the kernels allow for.
    """
    apart = x.base is None and out.base is None  # both own their memory; quicker than asking numpy
    if x is out or apart or not np.may_share_memory(x, out):
        return False
    return (x.ctypes.data, x.strides) != (out.ctypes.data, out.strides)
