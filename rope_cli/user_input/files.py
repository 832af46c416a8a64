"""A file is written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

from rope_cli.user_input.command_errors import CannotWrite, failure_reason, quoted_path


def write_file(path: str, data: bytes) -> None:
    """Write the file, or leave what was there and raise :class:`CannotWrite`.

    A regular file appears complete, by a rename in its own directory. A symbolic link is followed
    and stays, a file that is there keeps its permissions, and what is no regular file (a device, a
    named pipe) is written directly. A reader who closes such a pipe is not an error.
    """
    try:
        mode = _mode_of(path)
        if mode is None or stat.S_ISREG(mode):
            _replace(_target_of(path), data, mode)
        else:
            _write_directly(path, data)
    except BrokenPipeError:
        pass
    except (OSError, ValueError) as failure:
        raise CannotWrite(path=quoted_path(path), reason=failure_reason(failure)) from failure


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


def _write_directly(path: str, data: bytes) -> None:
    with open(path, "wb", buffering=0) as file:
        _write_all(file.fileno(), data)


def _replace(path: str, data: bytes, mode: int | None) -> None:
    temporary = os.path.join(os.path.dirname(path), f".rope-report-{os.urandom(8).hex()}")
    binary = getattr(os, "O_BINARY", 0)
    try:
        # The process's own umask gives a new file its permissions.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | binary, 0o666)
        try:
            _write_all(descriptor, data)
        finally:
            os.close(descriptor)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
