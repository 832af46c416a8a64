"""The command: one command line in, an exit code out.

Exit codes: 0 every check holds; 1 a check or a comparison fails; 2 the input is refused, or a
file cannot be read or written; 130 interrupted.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Sequence

import click

from rope_cli.cli import completion, streams
from rope_cli.cli.commands import rope_report
from rope_cli.cli.output import reader_of_command_line
from rope_cli.errors import RopeError
from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal

# How the loader of shared libraries says that there is no memory for one.
NO_ROOM_FOR_LIBRARY = re.compile("failed to map segment|[Cc]annot allocate memory")


class OutOfMemory(CommandRefusal):
    """A request for which the memory of the process does not suffice."""

    kind = "out-of-memory"
    SENTENCE = Text(
        en="there is not enough memory for this request; accepted: a smaller one, or more memory",
        ru="на этот запрос не хватает памяти; допустим меньший запрос или больший объём памяти",
    )


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code."""
    words = list(sys.argv[1:] if words is None else words)
    reader = reader_of_command_line(words)
    refusal: RopeError
    try:
        request = os.environ.get(completion.VARIABLE)
        if request:
            return completion.answer_request(rope_report, request)
        with rope_report.make_context(rope_report.name, words, obj=reader) as ctx:
            return int(rope_report.invoke(ctx))
    except click.exceptions.Exit as end:
        return end.exit_code
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        refusal = OutOfMemory()
    except ImportError as failure:
        if not NO_ROOM_FOR_LIBRARY.search(str(failure)):
            raise
        refusal = OutOfMemory()
    except OSError as failure:
        if failure.errno != errno.ENOMEM:
            raise
        refusal = OutOfMemory()
    except RopeError as raised:
        refusal = raised
    # Only here is what the request has taken free again.
    streams.print_error(refusal, reader.language)
    return 2
