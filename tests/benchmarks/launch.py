"""Runs one process and prints the seconds that it took, its peak memory and its exit code.

A process begins with the peak of the one that starts it, so it is started from here: a Python that
has imported next to nothing and is smaller than whatever is measured. Run as
``python -I -S launch.py PROGRAM WORDS...``; its output goes nowhere.
"""

import os
import sys
import time

# The peak is given in bytes there, in units of 1024 bytes elsewhere.
UNIT = 1 if sys.platform == "darwin" else 1024


def measure(words: list[str]) -> tuple[float, int, int]:
    """Seconds, bytes and the exit code of one process."""
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    start = time.perf_counter()
    process = os.posix_spawn(words[0], words, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    elapsed = time.perf_counter() - start
    return elapsed, usage.ru_maxrss * UNIT, os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    print(*measure(sys.argv[1:]))
