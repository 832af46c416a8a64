"""``python -m rope_cli`` is the same command as ``rope-report``.

What it imports is imported inside, so that an interrupt during start-up ends as quietly as later.
"""

import gc
import sys

# A run is short and leaves few cycles. To look for them as often as Python does takes a twentieth
# of it; not to look at all would cost memory where large files are verified.
OBJECTS_BETWEEN_COLLECTIONS = 200_000


def main() -> int:
    """Run the command line of this process; returns the exit code."""
    try:
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
        from rope_cli.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return 130
    finally:
        gc.freeze()  # at its end Python would look through everything once more


if __name__ == "__main__":
    sys.exit(main())
