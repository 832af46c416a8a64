"""``python -m rope_cli`` is the same command as ``rope-report``.

What it imports is imported inside, so that an interrupt during start-up ends as quietly as later.
"""

import sys


def main() -> int:
    """Run the command line of this process; returns the exit code."""
    try:
        from rope_cli.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
