"""Every test runs in a clean environment, and is either quick or slow.

A test is slow if it is marked ``slow`` or starts the command with the fixture ``run``; every other
test is quick. A quick test that starts a process fails, however it starts it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tools.checkout import ROOT
from tools.command import Run, run_command

if TYPE_CHECKING:
    from playwright.sync_api import Browser

UNWANTED = (
    "CI",
    "COLUMNS",
    "FORCE_COLOR",
    "LESS",
    "LESSCHARSET",
    "LINES",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "PYTHONWARNINGS",
    "ROPE_REPORT_LANG",
    "_ROPE_REPORT_COMPLETE",
)
Verify = Callable[..., tuple[int, dict[str, Any]]]
STARTS_A_PROCESS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"}

running_quick_test = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test as quick or slow, and order the files for the workers.

    Files that are slow as a whole begin, then the longest: at the end only short ones are left.
    """
    for item in items:
        if "run" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
        if item.get_closest_marker("slow") is None:
            item.add_marker("quick")
    sizes = {item.path: item.path.stat().st_size for item in items}
    items.sort(key=lambda item: (not is_slow_file(item), -sizes[item.path]))


def is_slow_file(item: pytest.Item) -> bool:
    """Whether every test of the file is slow, so that no worker should get the file last."""
    module = item.getparent(pytest.Module)
    return module is not None and module.get_closest_marker("slow") is not None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Know whether the test that runs now, with its fixtures, is a quick one."""
    global running_quick_test
    running_quick_test = item.get_closest_marker("quick") is not None
    try:
        return (yield)
    finally:
        running_quick_test = False


def refuse_process(event: str, _: object) -> None:
    """Fail a quick test that starts a process."""
    if running_quick_test and event in STARTS_A_PROCESS:
        pytest.fail(f"{event} in a quick test: mark the test with @pytest.mark.slow")


sys.addaudithook(refuse_process)


@pytest.fixture(autouse=True)
def _interrupts_arrive() -> Iterator[None]:
    """Ctrl-C reaches the processes that a test starts, even where ``nohup ... &`` ignores it."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def _compiled_modules(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the processes of all workers keep compiled modules, outside the checkout."""
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    return str(shared / "compiled")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, _compiled_modules: str) -> None:
    """Whatever surrounds the tests, the command sees nothing of it."""
    for name in UNWANTED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("PAGER", "cat")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", _compiled_modules)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, once a worker; without it tests are skipped, or fail in .ci/run."""
    from tools.chromium import launched

    yield from launched()


@pytest.fixture
def run() -> Run:
    """Run the command as a process of its own."""
    return run_command


@pytest.fixture
def verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verify:
    """Save arrays, run the command on them, and read the exit code and the values for programs."""
    import numpy as np

    from rope_cli.cli.main import main

    warnings.simplefilter("error")

    def verify(*words: str, **arrays: Any) -> tuple[int, dict[str, Any]]:
        np.savez(tmp_path / "arrays.npz", **arrays)
        code = main(["verify", str(tmp_path / "arrays.npz"), *words, "--format", "json"])
        out, err = capsys.readouterr()
        assert err == ""
        [section] = json.loads(out)["sections"]
        return code, section["values"]

    return verify
