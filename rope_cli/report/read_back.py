"""What left a renderer, read back: the check that no number was lost on the way to the characters.

The other checks look at blocks; here the finished text is searched for the numbers of the blocks,
and finished JSON is compared with the values. It is printed only if it fails.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from rope_cli.document.blocks import Document, Number, Paragraph, Phrase, Vector, Verdict
from rope_cli.document.check import Check
from rope_cli.document.formatting import TRUE_MINUS
from rope_cli.document.vocabulary import t
from rope_cli.report.header_footer import outcome
from rope_cli.report.printed import Numeric, numeric_pieces
from rope_cli.report.replay import leaves_of, size_of

CLAIM = t(
    "the finished report holds every number of its sections",
    "в готовом отчёте есть каждое число его разделов",
)
SIX_DECIMALS = re.compile(r"-?\d+\.\d{6}(?!\d)")
# The formats that hold every number; nothing is known of what another one leaves out.
COMPLETE_FORMATS = ("text", "json", "markdown", "html")
# Longer JSON is written as it is composed, and nobody holds all of it.
MOST_VALUES = 200_000


def can_be_read_back(document: Document, format_name: str) -> bool:
    """Whether a format holds every number, and JSON few enough to be composed and read at once."""
    if format_name == "json":
        return values_of(document) <= MOST_VALUES
    return format_name in COMPLETE_FORMATS


def values_of(document: Document) -> int:
    """How many numbers and words all sections hold."""
    return sum(
        size_of(leaf) for section in document.sections for _, leaf in leaves_of(section.values)
    )


def read_back(document: Document, text: str, format_name: str) -> Document:
    """The document itself, or one with a failing check if its text lacks something."""
    try:
        lost = (lost_values if format_name == "json" else lost_numbers)(document, text)
        lost += wrong_counts(document)
    except Exception:  # what was written cannot even be read
        lost = 1
    if not lost:
        return document
    verdicts = (*document.verdicts, Verdict(Check("read-back", float(lost), 0.0, lost), CLAIM))
    closing = tuple(
        outcome(document.sections, verdicts) if is_outcome(block) else block
        for block in document.closing
    )
    return replace(document, verdicts=verdicts, closing=closing)


def lost_numbers(document: Document, text: str) -> int:
    """How many numbers with six decimals of the sections are missing from the text."""
    expected = Counter(
        f"{value:z.6f}"
        for section in document.sections
        for piece in numeric_pieces(section.blocks)
        for value in values_with_six_decimals(piece)
    )
    shown = Counter(SIX_DECIMALS.findall(text.replace(TRUE_MINUS, "-")))
    return (expected - shown).total()


def values_with_six_decimals(piece: Numeric) -> tuple[float, ...]:
    """The numbers of a piece that are shown with six decimals."""
    match piece:
        case Number(value):
            return (value,)
        case Vector(values, short=False):
            return values
        case _:
            return ()


def lost_values(document: Document, text: str) -> int:
    """How many arrays and numbers of the sections are others in the JSON."""
    written = json.loads(text)["sections"]
    return sum(
        differs(value, section["values"].get(name))
        for computed, section in zip(document.sections, written, strict=True)
        for name, value in computed.values.items()
        if computed.holds and isinstance(value, np.ndarray | float | int)
    )


def differs(value: Any, written: Any) -> bool:
    """Whether an array or a number is not what was read."""
    return not np.array_equal(np.asarray(value), np.asarray(written))


def wrong_counts(document: Document) -> int:
    """How many of the two counts in the sentence about all checks are wrong."""
    checks = document.checks
    held = sum(check.holds for check in checks)
    return sum(
        (phrase.values["held"] != held) + (phrase.values["total"] != len(checks))
        for block in document.closing
        for phrase in outcomes(block)
    )


def is_outcome(block: object) -> bool:
    """Whether a block says how many checks hold."""
    return any(True for _ in outcomes(block))


def outcomes(block: object) -> Iterator[Phrase]:
    """The sentence of a block about all checks, if it is that."""
    phrase = block.content if isinstance(block, Paragraph) else None
    if isinstance(phrase, Phrase) and {"held", "total"} <= phrase.values.keys():
        yield phrase
