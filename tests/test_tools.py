"""Format, lint and types: each tool is content with the whole checkout."""

import subprocess
import sys
from pathlib import Path

import pytest
from tools.checkout import ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "words",
    [["ruff", "format", "--check"], ["ruff", "check"], ["mypy"]],
    ids=" ".join,
)
def test_tool_is_content(words: list[str], tmp_path: Path) -> None:
    """Format, lint and types are part of the one command that checks everything."""
    cache = ["--cache-dir", str(tmp_path)]
    process = subprocess.run(
        [sys.executable, "-m", *words, *cache],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert process.returncode == 0, process.stdout + process.stderr
