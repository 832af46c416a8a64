"""The report for programs: one JSON object, every number with all its bits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from rope_cli import __version__
from rope_cli.document.blocks import Difference, Document, Section, Verdict

TOKENS_AT_ONCE = 4096
# What JSON lets through and a terminal obeys or does not show: control characters, marks of
# direction, blanks without width, separators of lines.
INVISIBLE = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)


def render(document: Document, language: str, *, width: int, ascii_only: bool, colors: int) -> str:
    """The document as JSON; floats read back to the same bits.

    ``width`` and ``colors`` have no meaning here; ``ascii_only`` escapes every other character.
    """
    return "".join(render_in_parts(document, language, ascii_only=ascii_only))


def render_in_parts(document: Document, language: str, *, ascii_only: bool) -> Iterator[str]:
    """The same text, composed as it is taken, so that nobody has to hold all of it."""
    checks = document.checks
    held = sum(check.holds for check in checks)
    report = {
        "report": "rope-report",
        "version": __version__,
        "language": language,
        "parameters": plain(document.parameters, ascii_only),
        "sections": [_section(section, language, ascii_only) for section in document.sections],
        "checks": {"total": len(checks), "held": held, "failed": len(checks) - held},
    }
    if document.verdicts:
        report["document_checks"] = [_check(verdict, language) for verdict in document.verdicts]
    encoder = json.JSONEncoder(ensure_ascii=ascii_only, allow_nan=False, indent=2, default=listed)
    tokens = encoder.iterencode(report)
    while text := "".join(islice(tokens, TOKENS_AT_ONCE)):
        yield text if text.isascii() and "\x7f" not in text else INVISIBLE.sub(escape, text)
    yield "\n"


def escape(sign: re.Match[str]) -> str:
    """A character as JSON escapes it."""
    return f"\\u{ord(sign[0]):04x}"


def listed(value: Any) -> Any:
    """An array, or a number of numpy, as Python's own lists and numbers; once it is its turn."""
    return value.tolist()


def _section(section: Section, language: str, ascii_only: bool) -> dict[str, Any]:
    return {
        "slug": section.slug,
        "title": section.title.in_language(language),
        "question": section.question.in_language(language) if section.question else None,
        "values": plain(section.values, ascii_only, with_nulls=not section.holds),
        "checks": [_check(verdict, language) for verdict in section.verdicts],
    }


def _check(verdict: Verdict, language: str) -> dict[str, Any]:
    check = verdict.check
    return {
        "name": check.name,
        "claim": verdict.claim.in_language(language),
        "holds": check.holds,
        "measured": check.measured if math.isfinite(check.measured) else None,
        "relation": check.relation,
        "bound": check.tolerance,
        "compared": check.compared,
    }


def plain(value: Any, ascii_only: bool = False, with_nulls: bool = False) -> Any:
    """The value in JSON's own types, but for the arrays of numpy, which take more room as lists.

    ``with_nulls`` writes null for what is not finite, which only wrong mathematics computes.
    """
    match value:
        case Mapping():
            return {str(name): plain(item, ascii_only, with_nulls) for name, item in value.items()}
        case list() | tuple():
            return [plain(item, ascii_only, with_nulls) for item in value]
        case Difference():
            return list(value.drawn(ascii_only))
        case _:
            if with_nulls and hasattr(value, "tolist"):
                return plain(value.tolist(), ascii_only, with_nulls)
            if with_nulls and isinstance(value, float) and not math.isfinite(value):
                return None
            return value
