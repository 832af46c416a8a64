"""Who gets Ctrl-C: the command, its dialogue, or the program that it has started."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Let Ctrl-C raise ``KeyboardInterrupt``, for whoever has something to say then."""
    with _interrupts_go_to(signal.default_int_handler):
        yield


@contextmanager
def interrupts_left_to_pager() -> Iterator[None]:
    """Let Ctrl-C reach the pager alone, which may mean something else by it.

    The pager is started inside: a handler, unlike a signal that is ignored, is not handed on to it.
    """
    with _interrupts_go_to(lambda *_: None):
        yield


@contextmanager
def _interrupts_go_to(handler: Any) -> Iterator[None]:
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
