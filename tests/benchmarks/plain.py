"""The rotation as one writes it in numpy by hand: what the kernels have to be quicker than.

Each form is a function of ``x``, the complex ``factors`` of its tokens ``[tokens, pairs]`` and
``out``. Whatever can be made before, is; the call that it returns fills ``out``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Form = Callable[[Array, Array, Array], Callable[[], object]]

PAIR_DTYPES = {np.dtype(np.float64): np.complex128, np.dtype(np.float32): np.complex64}


def rotated_parts(
    left: Array, right: Array, factors: Array, out_left: Array, out_right: Array
) -> Callable[[], object]:
    """Four products and two sums over two parts of each row, as the formula says."""
    cos, sin = (
        np.ascontiguousarray(part, dtype=left.dtype) for part in (factors.real, factors.imag)
    )

    def rotate() -> None:
        np.subtract(left * cos, right * sin, out=out_left)
        np.add(left * sin, right * cos, out=out_right)

    return rotate


def strided_slices(x: Array, factors: Array, out: Array) -> Callable[[], object]:
    """Adjacent pairs: every second coordinate, from the first and from the second."""
    return rotated_parts(x[..., 0::2], x[..., 1::2], factors, out[..., 0::2], out[..., 1::2])


def halves(x: Array, factors: Array, out: Array) -> Callable[[], object]:
    """Half-split pairs: the first half of each row and the second."""
    p = x.shape[-1] // 2
    return rotated_parts(x[..., :p], x[..., p:], factors, out[..., :p], out[..., p:])


def complex_product(x: Array, factors: Array, out: Array) -> Callable[[], object]:
    """Adjacent pairs read as complex numbers: one product, which makes no zero positive."""
    pair = PAIR_DTYPES[x.dtype]
    rounded: Array = factors.astype(pair)
    numbers: Array = x.view(pair)
    results: Array = out.view(pair)
    return lambda: np.multiply(numbers, rounded, out=results)


FORMS: dict[str, dict[str, Form]] = {
    "adjacent": {
        "plain numpy, strided slices": strided_slices,
        "plain numpy, bare complex product": complex_product,
    },
    "half-split": {"plain numpy, halves": halves},
}
