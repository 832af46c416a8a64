"""What the tests of the command share: a clean environment and a way to run it as a process."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
UNWANTED = (
    "CI",
    "COLUMNS",
    "FORCE_COLOR",
    "LINES",
    "NO_COLOR",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "PYTHONWARNINGS",
    "ROPE_REPORT_LANG",
    "_ROPE_REPORT_COMPLETE",
)

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever surrounds the tests, the command sees nothing of it."""
    for name in UNWANTED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def run() -> Run:
    """Run the command as a process of its own, its output to pipes unless told otherwise."""

    def run(*words: str, env: dict[str, str] | None = None, **more: Any) -> Any:
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "rope_cli", *words],
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            timeout=120,
            check=False,
            **more,
        )

    return run
