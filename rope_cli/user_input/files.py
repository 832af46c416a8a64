"""A file is written whole or not at all; a stream gets all of it or an error."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from rope_cli.text import Text
from rope_cli.user_input.command_errors import (
    CannotWrite,
    CommandRefusal,
    failure_reason,
    quoted_path,
)

Bytes: TypeAlias = bytes | bytearray | memoryview
TEMPORARY = re.compile("[.]rope-report-[0-9a-f]{16}")
# What /dev/stdout and /dev/fd/3 lead to: open files of this process (the number in brackets) or,
# in /proc, of another.
OWN_DESCRIPTOR = r"(?:/proc/{process}(?:/task/[0-9]+)?|/dev)/fd/([0-9]+)"
ANY_DESCRIPTOR = re.compile(r"/proc/[0-9]+(?:/task/[0-9]+)?/fd/[0-9]+")
MOST_LINKS = 40


class OutputIsInput(CommandRefusal):
    """An output that would replace what the command reads."""

    kind = "output-is-input"
    SENTENCE = Text(
        en="-o is {path}, which this command reads; accepted: any other file",
        ru="-o: файл {path} читает эта же команда; допустим любой другой файл",
    )


def refuse_overwriting(output: str, inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse an output that is one of the inputs, or a file in a folder that is one."""
    if any(_is_within(output, path) for path in inputs):
        raise OutputIsInput(path=quoted_path(output))


def write_file(path: str, data: Bytes) -> None:
    """Write the file, or leave what was there and raise :class:`CannotWrite`.

    A regular file appears complete, by a rename in its own directory. A symbolic link is followed
    and stays, a file that is there keeps its permissions, and what is no regular file (a device, a
    named pipe) is written directly. So are open files (``/dev/stdout``, ``/dev/fd/3``): what they
    hold stays. A reader who closes a pipe is not an error.
    """
    try:
        name = _end_of_links(path)
        mode = _mode_of(path)
        own = re.fullmatch(OWN_DESCRIPTOR.format(process=os.getpid()), name)
        if own:
            _write_to_descriptor(int(own[1]), data)
        elif ANY_DESCRIPTOR.fullmatch(name) or not (mode is None or stat.S_ISREG(mode)):
            _write_directly(name, data)
        else:
            from rope_cli.user_input.held_signals import signals_held

            with signals_held():
                _replace(_target_of(path), data, mode)
    except BrokenPipeError:
        pass
    except (OSError, ValueError) as failure:
        raise CannotWrite(path=quoted_path(path), reason=failure_reason(failure)) from failure


def refuse_unwritable(path: str) -> None:
    """Raise :class:`CannotWrite` before the work where :func:`write_file` would after it.

    Whatever is no regular file is not tried.
    """
    try:
        mode = _mode_of(path)
        if mode is None or stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            from rope_cli.user_input.held_signals import signals_held

            with signals_held():
                descriptor, temporary = _create_beside(_target_of(path))
                os.close(descriptor)
                os.unlink(temporary)
    except (OSError, ValueError) as failure:
        raise CannotWrite(path=quoted_path(path), reason=failure_reason(failure)) from failure


def write_all(
    data: Bytes, write: Callable[[memoryview], int | None], fileno: Callable[[], int]
) -> None:
    """Write every byte; raises ``OSError`` where that cannot be.

    ``write`` may take a part and returns its length, or ``None`` where a stream that does not block
    takes nothing now.
    """
    left = memoryview(data)
    while left:
        try:
            taken = write(left)
        except BlockingIOError:
            taken = None
        if taken is None:
            wait_until_ready(fileno())
        else:
            left = left[taken:]


def wait_until_ready(descriptor: int, reading: bool = False) -> None:
    """Wait until something can be written, or read; not at all where the system cannot tell."""
    import select

    if hasattr(select, "poll"):
        ready = select.poll()
        ready.register(descriptor, select.POLLIN if reading else select.POLLOUT)
        ready.poll()


def is_temporary(name: str) -> bool:
    """Whether a file of this name is one that a command is writing."""
    return TEMPORARY.fullmatch(name) is not None


def _end_of_links(path: str) -> str:
    """Where the symbolic links lead, but for those of open files, whose names lead nowhere."""
    for _ in range(MOST_LINKS):
        folder, name = os.path.split(path)
        path = os.path.join(os.path.realpath(folder), name)
        if ANY_DESCRIPTOR.fullmatch(path):
            break
        try:
            path = os.path.join(folder, os.readlink(path))
        except OSError:
            break
    return path


def _is_within(path: str, other: str | os.PathLike[str]) -> bool:
    """Whether a regular file is the other one, or lies in the other, which is a folder."""
    try:
        folder = os.path.dirname(os.path.realpath(path))
        is_file = stat.S_ISREG(os.stat(path).st_mode)
        return is_file and (os.path.samefile(other, path) or os.path.samefile(other, folder))
    except (OSError, ValueError):  # What is not there cannot be overwritten.
        return False


def _mode_of(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _target_of(path: str) -> str:
    target = os.path.realpath(path)
    if not path or path.endswith(os.sep) or os.path.isdir(target):
        raise OSError(errno.EISDIR if path else errno.ENOENT, "")
    return target


def _write_to_descriptor(descriptor: int, data: Bytes) -> None:
    write_all(data, partial(os.write, descriptor), lambda: descriptor)


def _write_directly(path: str, data: Bytes) -> None:
    # Appending changes nothing for a device, and keeps what another process has written.
    with open(path, "ab", buffering=0) as file:
        _write_to_descriptor(file.fileno(), data)


def _create_beside(path: str) -> tuple[int, str]:
    """A new file in the same folder, open for writing, and its name."""
    temporary = os.path.join(os.path.dirname(path), f".rope-report-{os.urandom(8).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # The process's own umask gives a new file its permissions.
    return os.open(temporary, flags, 0o666), temporary


def _replace(path: str, data: Bytes, mode: int | None) -> None:
    descriptor, temporary = _create_beside(path)
    try:
        try:
            _write_to_descriptor(descriptor, data)
        finally:
            os.close(descriptor)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
