"""How far a long pass over large arrays is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

# A pass over so many numbers takes long enough to be watched.
LONG_PASS = 1 << 24


def progress_bar() -> Callable[[int, int], None] | None:
    """What draws ``progress(done, total)`` on standard error; ``None`` if that is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    bars: dict[int, Any] = {}

    def progress(done: int, total: int) -> None:
        if total < LONG_PASS:
            return
        if total not in bars:
            bars[total] = click.progressbar(length=total, file=sys.stderr)
        bars[total].update(done - bars[total].pos)
        if done >= total:
            bars.pop(total).render_finish()

    return progress
