"""``python -m rope_cli`` is the same command as ``rope-report``.

What it imports is imported inside, so that an interrupt during start-up ends as quietly as later.
"""

import gc
import os
import sys

# A run is short and leaves few cycles. To look for them as often as Python does takes a twentieth
# of it; not to look at all would cost memory where large files are verified.
OBJECTS_BETWEEN_COLLECTIONS = 200_000
INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process; returns the exit code."""
    try:
        leave_on_interrupt()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
        from rope_cli.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        gc.freeze()  # at its end Python would look through everything once more


def leave_on_interrupt() -> None:
    """Let Ctrl-C end the process at once and in silence.

    Python's own exception could be raised where nobody catches it: while a module is imported, in a
    finalizer, or at the very end. Where an interrupt is ignored, as under nohup, it stays so.
    """
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))


if __name__ == "__main__":
    sys.exit(main())
