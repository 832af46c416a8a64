"""Standard output and standard error, whatever they are connected to. Knows nothing of click.

Everything that the command prints goes through :func:`write`, in one piece.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TextIO, TypeAlias

from rope_cli.errors import RopeError
from rope_cli.renderers import Colors
from rope_cli.user_input.command_errors import CLOSED, OutputEncoding, OutputFailed, failure_reason
from rope_cli.user_input.files import wait_until_ready, write_all

# Error handlers that a user can only have asked for: with them, something always comes out.
LENIENT = ("replace", "ignore", "backslashreplace", "namereplace", "xmlcharrefreplace")
# The names of terminals with 256 colours or more end in one of these.
MANY_COLORS = ("256color", "direct", "kitty", "ghostty", "alacritty")
UNKNOWN_TERMINALS = ("", "dumb", "unknown")


# Text for ``ascii_only`` or not, whole or in parts.
Compose: TypeAlias = Callable[[bool], str | Iterator[str]]


def write(
    compose: Compose,
    ascii_only: bool = False,
    escape_letters: bool = False,
    paged: bool = False,
) -> None:
    """Print what ``compose(ascii_only)`` returns.

    If the stream cannot encode it, it is composed again with the ASCII forms of all signs; letters
    that it still cannot encode are refused, or escaped. A reader who closed the pipe is no error;
    a stream that is closed or full is refused. ``paged`` shows in a pager what is longer than the
    screen of a terminal.
    """
    stream: TextIO | None = sys.stdout
    if stream is None or stream.closed:
        raise OutputFailed(reason=CLOSED)
    encoding: str | None = stream.encoding
    errors = "backslashreplace" if escape_letters else stream.errors or "strict"
    data = encoded(compose, ascii_only, encoding or "utf-8", errors)
    if paged and stream.isatty():
        from rope_cli.cli import pager

        if pager.show(data, stream, *terminal_size()):
            return
    try:
        _write_whole(stream, data)
    except BrokenPipeError:
        _abandon(stream)
    except OSError as failure:
        _abandon(stream)
        raise OutputFailed(reason=failure_reason(failure)) from failure


def encoded(compose: Compose, ascii_only: bool, encoding: str, errors: str) -> bytes | bytearray:
    """The bytes for a stream, with ASCII signs if it has no others."""
    for plain in dict.fromkeys((ascii_only, True)):
        try:
            return joined(compose(plain), encoding)
        except UnicodeError:  # A codec for names of hosts knows no other.
            continue
    if errors in LENIENT:
        with suppress(UnicodeError):
            return joined(compose(True), encoding, errors)
    raise OutputEncoding(encoding=encoding)


def joined(text: str | Iterator[str], encoding: str, errors: str = "strict") -> bytes | bytearray:
    """The bytes of a text; its parts are encoded as they come, so that it is held once."""
    if isinstance(text, str):
        return text.encode(encoding, errors)
    data = bytearray()
    encoder = codecs.getincrementalencoder(encoding)(errors)  # One mark of byte order, not many.
    for part in text:
        data += encoder.encode(part)
    data += encoder.encode("", final=True)
    return data


def print_error(refusal: RopeError, language: str) -> None:
    """One line on standard error, in a language that it can encode."""
    stream: TextIO | None = sys.stderr
    if stream is None or stream.closed:
        return
    encoding = stream.encoding or "utf-8"
    for sentence in (refusal.sentence(language), refusal.sentence("en")):
        line = f"rope-report: {sentence}\n"
        if _encodes(line, encoding):
            break
    try:
        data = line.encode(encoding, "backslashreplace")
    except UnicodeError:
        data = line.encode("ascii", "backslashreplace")
    try:
        _write_whole(stream, data)
    except OSError:
        _abandon(stream)


def wants_color(choice: str, to_file: bool) -> bool:
    """Whether to add colour: by the option, else by the environment and the terminal.

    ``auto`` never colours a file; NO_COLOR comes before FORCE_COLOR, both before TERM.
    """
    if choice != "auto" or to_file:
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and sys.stdout is not None and sys.stdout.isatty()


def colors(choice: str, to_file: bool) -> Colors:
    """How many colours to use: those of the terminal as TERM and COLORTERM tell, in a pipe too.

    256 where nothing is known of a terminal, as for ``--color always`` in a script without TERM.
    """
    if not wants_color(choice, to_file):
        return 0
    terminal = os.environ.get("TERM", "")
    many = os.environ.get("COLORTERM") in ("truecolor", "24bit") or terminal.endswith(MANY_COLORS)
    return 256 if many or terminal in UNKNOWN_TERMINALS else 16


def terminal_width() -> int | None:
    """How many columns the terminal has, or ``None`` when there is none.

    Behind a pipe to a pager the terminal is still known to standard error and standard input.
    """
    size = _terminal()
    return None if size is None else size.columns or None


def output_width() -> int | None:
    """How many columns standard output has, or ``None`` where it is no terminal."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except (AttributeError, OSError, ValueError):
        return None


def terminal_size() -> tuple[int, int]:
    """Columns and lines of the terminal, 80 and 24 where they are unknown."""
    columns, lines = _terminal() or (0, 0)
    return columns or 80, lines or 24


def interactive() -> bool:
    """Whether both standard input and standard output are a terminal."""
    return all(
        stream is not None and not stream.closed and stream.isatty()
        for stream in (sys.stdin, sys.stdout)
    )


def encoding() -> str:
    """The encoding of standard output."""
    return (sys.stdout.encoding if sys.stdout is not None else None) or "utf-8"


def has(signs: str) -> bool:
    """Whether standard output can encode these signs."""
    return sys.stdout is not None and _encodes(signs, encoding())


def read_line() -> str:
    """A line of standard input, whatever bytes it holds; ``EOFError`` when there are no more."""
    try:
        wait_until_ready(sys.stdin.fileno(), reading=True)
        line = sys.stdin.buffer.readline()
    except (OSError, ValueError) as failure:  # the terminal is gone
        raise EOFError from failure
    if not line:
        raise EOFError
    return line.decode(sys.stdin.encoding or "utf-8", "replace")


def _terminal() -> os.terminal_size | None:
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        try:
            return os.get_terminal_size(stream.fileno())
        except (AttributeError, OSError, ValueError):
            continue
    return None


def _encodes(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeError:
        return False
    return True


def _write_whole(stream: TextIO, data: bytes | bytearray) -> None:
    """Write encoded text to the stream, past its buffers, which may lose what is not taken."""
    stream.flush()
    if stream.encoding is None:  # text in memory
        stream.write(data.decode("utf-8"))
        return
    raw = getattr(stream.buffer, "raw", stream.buffer)
    write_all(data, raw.write, raw.fileno)


def _abandon(stream: TextIO) -> None:
    """Send what the stream still holds to nowhere, or Python would complain about it at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass
