"""Signals that arrive while a file is written wait until it is there."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Those that do not end a process, those of its own faults, and those that cannot be caught.
OTHER_SIGNALS = frozenset(
    [
        "SIGCHLD",
        "SIGCONT",
        "SIGURG",
        "SIGWINCH",
        "SIGTSTP",
        "SIGTTIN",
        "SIGTTOU",
        "SIGINFO",
        "SIGABRT",
        "SIGBUS",
        "SIGFPE",
        "SIGILL",
        "SIGSEGV",
        "SIGSYS",
        "SIGTRAP",
        "SIGEMT",
        "SIGKILL",
        "SIGSTOP",
    ]
)


@contextmanager
def signals_held() -> Iterator[None]:
    """Hold back every signal that could end the process, and send it again at the end.

    Handlers do it, for a mask would hold back nothing from the threads of numpy. A signal that is
    ignored stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Only the main thread may have handlers.
        return
    received: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)

    before = {number: signal.signal(number, note) for number in ending_signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in received:
            signal.raise_signal(number)


def ending_signals() -> list[signal.Signals | int]:
    """The signals that can be held back and could end the process."""
    return [
        number
        for number in signal.valid_signals()
        if getattr(number, "name", "") not in OTHER_SIGNALS
        and signal.getsignal(number) not in (signal.SIG_IGN, None)
    ]
