"""How far a long pass over large arrays is."""

from __future__ import annotations

import sys
from collections.abc import Callable

# A pass over so many numbers takes long enough to be watched.
LONG_PASS = 1 << 24
BAR_WIDTH = 36


def progress_bar() -> Callable[[int, int], None] | None:
    """What draws ``progress(done, total)`` on standard error; ``None`` if that is no terminal.

    The line is drawn when its percentage changes, and a terminal that is gone is no error.
    """
    stream = sys.stderr
    if stream is None or not stream.isatty():
        return None
    shown: int | None = None

    def progress(done: int, total: int) -> None:
        nonlocal shown
        percent = 100 * done // max(total, 1)
        if total < LONG_PASS or percent == shown:
            return
        shown = percent
        filled = BAR_WIDTH * percent // 100
        line = f"\r[{'#' * filled}{'-' * (BAR_WIDTH - filled)}] {percent:3}%"
        if done >= total:
            line, shown = line + "\n", None
        try:
            stream.write(line)
            stream.flush()
        except OSError:
            pass

    return progress
