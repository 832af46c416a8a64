"""Whether a key of a config is a known name with a typing error in it."""

from __future__ import annotations

from collections.abc import Iterable

# Names shorter than this are too much alike; longer ones than that may hold two errors.
SHORTEST, LONG = 4, 12


def meant_name(key: str, names: Iterable[str]) -> str | None:
    """The name that a key is a misspelling of, or ``None``."""
    return min(
        (name for name in names if is_misspelled(key, name)),
        key=lambda name: (errors(key, name), name),
        default=None,
    )


def is_misspelled(key: str, name: str) -> bool:
    """Whether a key is a name with an error or two, but not in its first letter."""
    most = 1 if len(name) < LONG else 2
    return (
        len(name) >= SHORTEST
        and key[:1] == name[:1]
        and abs(len(key) - len(name)) <= most
        and 0 < errors(key, name) <= most
    )


def errors(key: str, name: str) -> int:
    """How many letters are missing, added, wrong or swapped with their neighbour.

    The optimal string alignment distance.
    """
    before: list[int] = []
    row = list(range(len(name) + 1))
    for i, letter in enumerate(key, 1):
        last, before, row = before, row, [i, *row[1:]]
        for j, expected in enumerate(name, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != expected))
            if i > 1 and j > 1 and letter == name[j - 2] and key[i - 2] == expected:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]
