"""Check the arguments of a caller, and return them as plain numbers and arrays."""

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
    """A width, a capacity or an offset as a Python int; truth values are refused."""
    if type(value) is int and value >= 0:  # the common case, quickly
        return value
    try:
        number = -1 if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise InvalidCount(name=name, value=value)
    return number


def positive_number(base: float) -> float:
    """A base of frequencies as a finite float above 0; truth values are refused."""
    real = isinstance(base, Real) and not isinstance(base, bool)
    try:
        number = float(base) if real else math.nan
    except OverflowError:  # a whole number or a fraction beyond float64
        number = math.inf
    if not 0 < number < math.inf:
        raise InvalidBase(base=base)
    return number


def writable_like(x: Array, out: object) -> tuple[Array, bool]:
    """The array to write a result like ``x`` to, and whether it must then be copied to ``out``.

    It is the memory of ``out`` as a plain array, or a new array if the features of ``out`` do not
    lie side by side, which the fast rotations cannot write. Raises ``OutputArray`` for an ``out``
    that no result can be written to.
    """
    if not isinstance(out, np.ndarray):
        description = type(out).__name__
    elif out.shape != x.shape or out.dtype != x.dtype:
        description = f"{out.dtype} {out.shape}"
    else:
        flags = out.flags
        if flags.carray and type(out) is np.ndarray:  # the common case, quickly
            return out, False
        description = f"{out.dtype} {out.shape} (strides={out.strides})"
        if not flags.writeable:
            description = f"{out.dtype} {out.shape} (writeable=False)"
        elif not overlaps_itself(out):
            if out.strides[-1] == out.itemsize:
                return np.asarray(out), False
            return np.empty(x.shape, x.dtype), True
    raise OutputArray(given=description, accepted=f"{x.dtype} {x.shape}")


def overlaps_itself(out: Array) -> bool:
    """Whether elements of ``out`` may share memory, as with strides that were set by hand."""
    end = out.itemsize
    axes = [(abs(step), n) for step, n in zip(out.strides, out.shape, strict=True) if n > 1]
    for step, n in sorted(axes):
        if step < end:
            return True
        end += step * (n - 1)
    return False


def shifted_against(x: Array, out: Array) -> bool:
    """Whether writing to ``out`` may change elements of ``x`` that are still to be read.

    False if every element lies where its own result goes, which the rotations allow for.
    """
    separate = x.base is None and out.base is None  # both own their memory; quicker than numpy
    if x is out or separate or not np.may_share_memory(x, out):
        return False
    return (x.ctypes.data, x.strides) != (out.ctypes.data, out.strides)
