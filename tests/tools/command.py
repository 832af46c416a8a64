"""The command as a process of its own."""

import os
import subprocess
import sys
from typing import Any, Protocol


class Run(Protocol):
    """What the fixture ``run`` is: words of the command line in, a finished process out."""

    def __call__(
        self, *words: str, env: dict[str, str] | None = None, **options: Any
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run to the end."""


def run_command(
    *words: str, env: dict[str, str] | None = None, **options: Any
) -> "subprocess.CompletedProcess[bytes]":
    """Run the command with every warning an error, its output to pipes unless told otherwise."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "rope_cli", *words],
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
        **options,
    )
