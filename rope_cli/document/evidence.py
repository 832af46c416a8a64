"""Facts without words: the numbers of a section and the checks that they passed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rope_cli.document.check import Check
from rope_cli.example.parameters import Parameters


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a section computed: named values for programs, and its checks.

    A value is a number, a string, a truth value, an array, or a list or mapping of these.
    ``parameters`` are those of the example, where the section takes some from the reader.
    """

    values: Mapping[str, Any]
    checks: tuple[Check, ...]
    parameters: Parameters | None = None

    @property
    def every_row(self) -> bool:
        """Whether tables show every row."""
        return self.parameters is not None and self.parameters.every_row

    @property
    def own(self) -> bool:
        """Whether the section used a value of the reader's."""
        return self.parameters is not None and bool(self.parameters.given - {"every_row"})

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __add__(self, other: Evidence) -> Evidence:
        """The evidence of two experiments of one section."""
        values, checks = {**self.values, **other.values}, (*self.checks, *other.checks)
        return Evidence(values, checks, self.parameters or other.parameters)


def greatest_difference(first: ArrayLike, second: ArrayLike) -> float:
    """The greatest absolute difference of two arrays of one shape; infinite if the shapes differ.

    NaN if any difference is NaN, which no tolerance allows; 0 for empty arrays.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape:
        return math.inf
    with np.errstate(invalid="ignore", over="ignore"):
        return float(np.abs(a - b).max(initial=0.0))


def agree(name: str, actual: ArrayLike, expected: ArrayLike, tolerance: float) -> Check:
    """Check that every value of ``actual`` is within ``tolerance`` of that in ``expected``."""
    return Check(name, greatest_difference(actual, expected), tolerance, int(np.size(actual)))


def differ(name: str, first: ArrayLike, second: ArrayLike, tolerance: float) -> Check:
    """Check that some value of ``first`` is at least ``tolerance`` from that in ``second``."""
    distance = greatest_difference(first, second)
    measured = distance if math.isfinite(distance) else -math.inf
    return Check(name, measured, tolerance, int(np.size(first)), "at least")


def same_bits(name: str, actual: ArrayLike, expected: ArrayLike) -> Check:
    """Check that shape, dtype and all bits agree, the sign of zero included."""
    a, b = np.ascontiguousarray(actual), np.ascontiguousarray(expected)
    if a.shape != b.shape or a.dtype != b.dtype:
        return Check(name, math.inf, 0.0, a.size)
    bits = [array.reshape(-1).view(f"u{array.itemsize}") for array in (a, b)]
    return Check(name, float(np.count_nonzero(bits[0] != bits[1])), 0.0, a.size)


def all_true(name: str, facts: Iterable[bool]) -> Check:
    """Check that none of the facts is false."""
    values = list(facts)
    return Check(name, float(values.count(False)), 0.0, len(values))
