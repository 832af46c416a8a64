"""Derivatives by central differences: an independent reference for every gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]


def central_differences(
    function: Callable[[Array], Array], x: ArrayLike, step: float
) -> NDArray[np.float64]:  # [...] -> [...]
    """The gradient of a scalar function: ``(f(x + step) - f(x - step)) / (2 step)`` by coordinate.

    One coordinate moves at a time: ``function`` gets a point for each coordinate, ``[points, ...]``
    in float64, and returns ``[points]`` values. For a linear function the formula is exact, so the
    only error is rounding, which a larger step makes smaller.
    ``ValueError`` if the step is not above 0.
    """
    if not step > 0:
        raise ValueError(f"the step of a central difference is {step}; accepted: a number above 0")
    point = np.asarray(x, dtype=np.float64)
    moves = step * np.eye(point.size).reshape(point.size, *point.shape)
    gradient = (function(point + moves) - function(point - moves)) / (2 * step)
    return np.asarray(gradient).reshape(point.shape)
