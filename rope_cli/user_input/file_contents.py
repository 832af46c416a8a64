"""Files that somebody named, read whole and within bounds: bytes, text, JSON.

Whatever lies there, a reader gives its contents or raises :class:`CannotRead`. What only a reader
needs is imported inside, because help must not wait for it.
"""

from __future__ import annotations

import os
import stat
from contextlib import AbstractContextManager
from typing import IO, Any

from rope_cli.text import Text
from rope_cli.user_input.command_errors import CannotRead, failure_reason, quoted_path

SECONDS_TO_OPEN = 0.5

NOT_UTF8 = Text(en="it is not UTF-8", ru="это не UTF-8")
EMPTY = Text(en="it is empty", ru="он пуст")
TOO_DEEP = Text(en="its objects are nested too deeply", ru="вложенность объектов слишком велика")
TOO_MANY_DIGITS = Text(
    en="a number in it has too many digits", ru="в одном из чисел слишком много цифр"
)
NO_MEMORY = Text(en="there is not enough memory", ru="не хватает памяти")
NO_WRITER = Text(
    en="it is a pipe, and no program writes to it",
    ru="это канал, и ни одна программа в него не пишет",
)


def cannot_read(path: object, reason: Text, accepted: Text) -> CannotRead:
    """The refusal of a file."""
    return CannotRead(path=quoted_path(path), reason=reason, accepted=accepted)


def read_text(path: str | os.PathLike[str], accepted: Text, largest: int) -> str:
    """The text of a file of at most ``largest`` bytes, without its byte-order mark."""
    try:
        return read_bytes(path, accepted, largest).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise cannot_read(path, NOT_UTF8, accepted) from None


def read_bytes(path: str | os.PathLike[str], accepted: Text, largest: int) -> bytes:
    """The bytes of a file or of a pipe; more than ``largest`` are refused, if possible unread."""
    try:
        with open_at_once(path) as file:
            status = os.fstat(file.fileno())
            start = first_bytes(file) if stat.S_ISFIFO(status.st_mode) else b""
            if start is None:
                raise cannot_read(path, NO_WRITER, accepted)
            if stat.S_ISREG(status.st_mode) and status.st_size > largest:
                raise cannot_read(path, too_large(largest, status.st_size), accepted)
            data = start + file.read(largest + 1)
    except CannotRead:
        raise
    except (OSError, ValueError) as failure:
        raise cannot_read(path, failure_reason(failure), accepted) from failure
    except MemoryError:
        raise cannot_read(path, NO_MEMORY, accepted) from None
    if len(data) > largest:
        raise cannot_read(path, too_large(largest), accepted)
    return data


def open_at_once(path: str | os.PathLike[str]) -> AbstractContextManager[IO[bytes]]:
    """Open a file for reading; a named pipe is not waited for until it has a writer."""
    without_waiting = getattr(os, "O_NONBLOCK", 0)
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | without_waiting))


def first_bytes(pipe: IO[bytes]) -> bytes | None:
    """The first bytes of a pipe, from now on waited for; ``None`` if nobody writes to it."""
    import select

    select.select([pipe], [], [], SECONDS_TO_OPEN)
    try:
        start = os.read(pipe.fileno(), 1)
    except BlockingIOError:  # its writer takes time
        start = b""
    else:
        if not start:
            return None
    os.set_blocking(pipe.fileno(), True)
    return start


def parse_json(path: str | os.PathLike[str], text: str, accepted: Text, **hooks: Any) -> Any:
    """What a JSON text holds; ``hooks`` are those of :func:`json.loads`."""
    import json

    try:
        return json.loads(text, **hooks)
    except CannotRead:  # what a hook refused
        raise
    except json.JSONDecodeError as failure:
        reason = not_json(failure.lineno, failure.colno) if text.strip() else EMPTY
    except RecursionError:
        reason = TOO_DEEP
    except MemoryError:
        reason = NO_MEMORY
    except ValueError:  # of Python's own bound on the digits of a whole number
        reason = TOO_MANY_DIGITS
    raise cannot_read(path, reason, accepted) from None


def not_json(line: int, column: int) -> Text:
    """Where the text stops being JSON."""
    return Text(
        en=f"it is not JSON at line {line}, column {column}",
        ru=f"это не JSON: строка {line}, столбец {column}",
    )


def too_large(most: int, size: int | None = None) -> Text:
    """The bound that a file exceeds, in MiB, and its size in bytes where that is known."""
    bound = most // 2**20
    return Text(
        en=f"it is larger than {bound} MiB" + (f": {size} bytes" if size else ""),
        ru=f"он больше {bound} МиБ" + (f": {size} байт" if size else ""),
    )
