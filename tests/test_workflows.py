"""What runs the checks elsewhere: the workflow and the hooks before a commit."""

import re
import shutil
import subprocess
import sysconfig
import tomllib
from pathlib import Path

import pytest
from tools.checkout import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"
HOOKS = ROOT / ".pre-commit-config.yaml"
COMMAND = "pip install -e '.[test]' && python -m pytest"


def lint(path: Path) -> "subprocess.CompletedProcess[str]":
    """The linter for workflows, which needs no network."""
    linter = shutil.which("zizmor", path=sysconfig.get_path("scripts")) or shutil.which("zizmor")
    assert linter is not None
    words = [linter, "--offline", "--persona=auditor", "--no-progress", str(path)]
    return subprocess.run(words, capture_output=True, check=False, encoding="utf-8")


def test_workflow_runs_the_command_of_the_readme_everywhere() -> None:
    """The second command of the README, on three systems and each Python that is promised."""
    text = WORKFLOW.read_text("utf-8")
    assert COMMAND in (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"^ *- run: (.*)$", text, re.M) == [COMMAND]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert re.findall(r'"(3\.\d+)"', text) == versions
    assert project["requires-python"] == f">={versions[0]}"
    for system in ("ubuntu", "macos", "windows"):
        assert f"{system}-latest" in text


@pytest.mark.slow
def test_linter_is_content_with_the_workflow() -> None:
    """It is a workflow, may do nothing but read, and names what it uses by content."""
    process = lint(WORKFLOW)
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("runs-on:", "run-on:"),
        ("@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2", "@v4"),
        ("permissions:\n  contents: read\n", "permissions: write-all\n"),
        ("persist-credentials: false", "persist-credentials: true"),
    ],
)
def test_mistake_in_the_workflow_would_be_seen(right: str, wrong: str, tmp_path: Path) -> None:
    """A misspelled key, a moving version, and rights that nobody needs."""
    text = WORKFLOW.read_text("utf-8")
    assert text.count(right) == 1
    path = tmp_path / ".github" / "workflows" / "tests.yml"
    path.parent.mkdir(parents=True)
    path.write_text(text.replace(right, wrong), "utf-8")
    assert lint(path).returncode != 0


def test_hooks_run_the_tools_of_the_checkout() -> None:
    """Format, lint and types before a commit, by the installed tools, so that all agree."""
    text = HOOKS.read_text("utf-8")
    assert re.findall(r"^ *- repo: (.*)$", text, re.M) == ["local"]
    assert re.findall(r"^ *entry: (.*)$", text, re.M) == ["ruff format", "ruff check", "mypy"]
    assert re.findall(r"^ *language: (.*)$", text, re.M) == 3 * ["system"]
