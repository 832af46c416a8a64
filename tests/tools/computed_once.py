"""Reports that are computed and drawn once, though many command lines ask for them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from rope_cli.classroom.questions import questions_with
from rope_cli.cli import output
from rope_cli.renderers import render_in_parts
from rope_cli.report import build, golden, tracks

DRAWN_TEXTS = 2000


@contextlib.contextmanager
def everything_computed_once() -> Iterator[None]:
    """Compute and draw every report once, though many lines ask for it."""
    report, listing = lru_cache(build.build), lru_cache(build.listing)
    drawn: dict[Any, tuple[Any, str]] = {}

    def built(names: Any, asked: Any = None) -> Any:
        return report(tracks.expand_groups(names), asked)

    def rendered(document: Any, *words: str, **looks: Any) -> str:
        key = (id(document), *words, *looks.items())
        if key not in drawn:
            if len(drawn) >= DRAWN_TEXTS:
                drawn.clear()
            # The document is kept as well, or another one could get its id.
            drawn[key] = document, "".join(render_in_parts(document, *words, **looks))
        return drawn[key][1]

    with (
        patch.object(build, "build", built),
        patch.object(build, "listing", listing),
        patch("rope_cli.classroom.selection.questions_with", lru_cache(questions_with)),
        patch.object(golden, "expected_files", lru_cache(golden.expected_files)),
        patch.object(output, "render_in_parts", rendered),
    ):
        yield
