"""A pager for what is longer than the screen, as git has it. Knows nothing of click.

``PAGER`` names it, else it is less; an empty ``PAGER``, ``cat``, or a dumb terminal means none.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from typing import TextIO

from rope_cli.cli.interrupts import interrupts_left_to_pager

DEFAULT = "less"
# F: leave if all fits on the screen, R: keep colours, X: leave the text on the screen.
LESS_OPTIONS = "FRX"
# Exit codes of a shell that cannot run a command, or does not find it.
NOT_STARTED = (126, 127)
COLOR_CODE = re.compile("\x1b\\[[0-9;]*m")


def show(data: bytes | bytearray, stream: TextIO, columns: int, lines: int) -> bool:
    """Show encoded text in a pager; False if it is to be printed: none is wanted, needed or there.

    ``columns`` and ``lines`` are those of the terminal that ``stream`` is. A reader who leaves the
    pager early is no error.
    """
    command = pager_command()
    text = data.decode(stream.encoding, "replace")
    if command is None or rows_on_screen(text, columns) < lines:
        return False
    stream.flush()
    environment = pager_environment(stream.encoding)
    with interrupts_left_to_pager():
        try:
            process = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, env=environment)
        except OSError:  # No memory, or no process more.
            return False
        # communicate() is silent about a pipe that the pager has closed.
        process.communicate(bytes(data))
    return process.returncode not in NOT_STARTED


def pager_command() -> str | None:
    """The command line of the pager, if one is wanted and its program is there."""
    command = os.environ.get("PAGER", DEFAULT)
    try:
        words = [word for word in shlex.split(command) if "=" not in word]
    except ValueError:  # a quotation mark is missing
        return None
    wanted = os.environ.get("TERM") != "dumb" and words and words != ["cat"]
    return command if wanted and shutil.which(words[0]) else None


def pager_environment(encoding: str) -> dict[str, str]:
    """The environment, with what less needs where the user says nothing else."""
    environment = {"LESS": LESS_OPTIONS, "LV": "-c", **os.environ}
    if encoding.lower().replace("-", "") == "utf8":
        # In the locale C the text is UTF-8 all the same.
        environment.setdefault("LESSCHARSET", "utf-8")
    return environment


def rows_on_screen(text: str, columns: int) -> int:
    """How many rows of a terminal the text takes; long lines take several."""
    lengths = (len(COLOR_CODE.sub("", line)) for line in text.splitlines())
    return sum(max(1, -(-length // columns)) for length in lengths)
