"""Tables that show the first and last of many rows, and say how many stand between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rope_cli.document.blocks import Cell, Phrase, Rows
from rope_cli.document.vocabulary import t

MORE = t("... {hidden} more", "... ещё {hidden}")
SHOWN_AT_EACH_END = 3


def shown_indices(
    count: int, everything: bool, ends: int = SHOWN_AT_EACH_END
) -> tuple[int | None, ...]:
    """The indices that a table shows of ``count``; ``None`` stands where some are left out."""
    if everything or count <= 2 * ends + 2:
        return tuple(range(count))
    return (*range(ends), None, *range(count - ends, count))


def hidden_note(count: int, indices: Sequence[int | None]) -> Phrase:
    """How many of ``count`` are left out where ``None`` stands among the indices."""
    return Phrase(MORE, {"hidden": count - len(indices) + 1})


def summarised_rows(count: int, everything: bool, row: Callable[[int], tuple[Cell, ...]]) -> Rows:
    """The rows of a table by index, with one row in place of those left out."""
    indices = shown_indices(count, everything)
    width = len(row(0)) if count else 0
    gap: tuple[Cell, ...] = (hidden_note(count, indices), *["..."] * (width - 1))
    return tuple(gap if index is None else row(index) for index in indices)


def rows_by_position_and_pair(
    shape: tuple[int, ...], everything: bool, row: Callable[[int, int], tuple[Cell, ...]]
) -> Rows:
    """The rows of a table by position and, inside each, by pair, both summarised."""
    positions, pairs = shape
    if not pairs:
        return ()
    rows: list[tuple[Cell, ...]] = []
    indices = shown_indices(positions, everything)
    for position in indices:
        if position is None:
            columns = len(row(0, 0))
            rows.append((hidden_note(positions, indices), *["..."] * (columns - 1)))
        else:
            rows += summarised_rows(pairs, everything, partial(row, position))
    return tuple(rows)
