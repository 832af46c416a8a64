"""The check that a second run gives the same bits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rope_cli.document.blocks import Verdict
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, same_bits
from rope_cli.document.vocabulary import t


def compare_runs(first: Sequence[Evidence], second: Sequence[Evidence]) -> Verdict:
    """Whether two runs gave the same bits, value by value."""
    leaves, repeated = (
        list(leaves_of([evidence.values for evidence in run])) for run in (first, second)
    )
    compared = sum(size_of(leaf) for _, leaf in leaves)
    if [name for name, _ in leaves] != [name for name, _ in repeated]:
        changed = compared
    else:
        changed = sum(
            count_changes(leaf, again)
            for (_, leaf), (_, again) in zip(leaves, repeated, strict=True)
        )
    check = Check("bitwise-replay", float(changed), 0.0, compared)
    return Verdict(
        check,
        t(
            "a second run gives the same numbers, to the last bit",
            "повторное вычисление даёт те же числа, до последнего бита",
        ),
    )


def leaves_of(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every array, number and word inside a value, with the names that lead to it."""
    if isinstance(value, np.ndarray | float | int | str):  # the most frequent first
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves_of(inner, f"{name}/{key}")
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from leaves_of(inner, f"{name}/{index}")
    else:
        yield name, value


def size_of(leaf: Any) -> int:
    """How many values a leaf holds."""
    return leaf.size if isinstance(leaf, np.ndarray) else 1


def count_changes(leaf: Any, again: Any) -> int:
    """How many values of two leaves differ in any bit."""
    if isinstance(leaf, np.ndarray) and isinstance(again, np.ndarray):
        if not leaf.size:
            return int(leaf.shape != again.shape)
        return int(same_bits("replay", leaf, again).measured)
    return int(repr(leaf) != repr(again))
