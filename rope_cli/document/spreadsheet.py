"""Rows as CSV that a spreadsheet opens without running anything in them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence

FORMULA_SIGNS = tuple("=+-@＝＋－＠")


def as_csv(
    rows: Iterable[Sequence[str]], is_number: Callable[[str], bool] = lambda cell: False
) -> str:
    """Rows with commas between the cells and a line feed at the end; no cell is a formula.

    ``is_number`` names cells that stay as they are although they begin with a sign.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([cell if is_number(cell) else guard_formula(cell) for cell in row])
    return text.getvalue()


def guard_formula(cell: str) -> str:
    """The text of a cell, quoted if a spreadsheet would take it for a formula.

    Some spreadsheets pass over what does not show before the sign, and take its wide forms too.
    """
    seen = "".join(sign for sign in cell if sign.isprintable() and not sign.isspace())
    return "'" + cell if seen.startswith(FORMULA_SIGNS) else cell
