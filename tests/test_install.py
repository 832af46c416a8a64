"""Installed from a wheel, installed for editing, or run from a checkout: it works the same."""

import email
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from tools.checkout import ROOT, copy_tree

from rope_cli import __version__

pytestmark = pytest.mark.slow


def finished(*words: str | Path, **more: object) -> "subprocess.CompletedProcess[str]":
    """A process that must succeed."""
    process = subprocess.run(  # type: ignore[call-overload]
        [str(word) for word in words],
        **{"capture_output": True, "check": False, "text": True, "encoding": "utf-8", **more},
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process  # type: ignore[no-any-return]


class Environment:
    """A new virtual environment that sees what this one has installed, but not this project."""

    def __init__(self, place: Path) -> None:
        venv.create(place, symlinks=True)
        self.binaries = place / "bin"
        self.python = self.binaries / "python"
        found = finished(
            self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"
        )
        self.packages = Path(found.stdout.strip())
        # A line of a .pth file is only a directory: what is installed there for editing stays out.
        paths = dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))
        (self.packages / "dependencies.pth").write_text("\n".join(paths))

    def install(self, *words: str | Path) -> None:
        """Let pip install something without a network."""
        quiet = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
        finished(
            *(sys.executable, "-m", "pip", "--python", self.python),
            *("install", *quiet, "--quiet", *words),
        )

    def run(self, *words: str, code: int = 0, **env: str) -> str:
        """What the installed ``rope-report`` prints, every warning being an error."""
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        process = subprocess.run(
            [self.python, "-W", "error", self.binaries / "rope-report", *words],
            cwd=self.packages,
            env={**clean, **env},
            capture_output=True,
            check=False,
            encoding="utf-8",
        )
        assert process.returncode == code, process.stdout + process.stderr
        return process.stdout if code == 0 else process.stderr


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, so that building leaves nothing in it."""
    copy = tmp_path_factory.mktemp("source") / "rope-report"
    copy_tree(ROOT, copy)
    return copy


@pytest.fixture(scope="module")
def built(source: Path) -> Path:
    """The directory with the wheel and the source archive."""
    finished(sys.executable, "-m", "hatchling", "build", cwd=source)
    return source / "dist"


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel."""
    return next(built.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment into which the wheel was installed."""
    environment = Environment(tmp_path_factory.mktemp("installed"))
    environment.install(wheel)
    return environment


@pytest.fixture(scope="module")
def editable(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment into which a copy of the checkout was installed for editing."""
    environment = Environment(tmp_path_factory.mktemp("editable"))
    environment.install("--editable", source)
    return environment


def source_of(text: str) -> str:
    """Where a JSON report of ``check`` found its golden files."""
    return str(json.loads(text)["sections"][0]["values"]["source"])


def test_wheel_holds_what_the_command_needs(wheel: Path) -> None:
    """Package, golden files, type marker and licence, and nothing of the tests."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        golden = {each.name: each.read_bytes() for each in (ROOT / "golden").iterdir()}
        held = {name: archive.read(f"rope_cli/_golden/{name}") for name in golden}
        metadata = archive.read(f"rope_report-{__version__}.dist-info/METADATA")
        scripts = archive.read(f"rope_report-{__version__}.dist-info/entry_points.txt")
    assert held == golden
    assert len([name for name in names if "/_golden/" in name]) == len(golden)
    assert {"rope_cli/py.typed", f"rope_report-{__version__}.dist-info/licenses/LICENSE"} <= names
    assert {name.split("/")[0] for name in names} == {
        "rope_cli",
        f"rope_report-{__version__}.dist-info",
    }
    page = {
        f"rope_cli/renderers/page/{each.name}"
        for each in (ROOT / "rope_cli/renderers/page").iterdir()
    }
    assert "rope_cli/renderers/page/style.css" in page <= names
    assert not [name for name in names if "__pycache__" in name]
    assert b"rope-report = rope_cli.__main__:main" in scripts
    facts = email.message_from_bytes(metadata)
    assert facts["Name"] == "rope-report"
    assert facts["Version"] == __version__
    assert facts["Requires-Python"] == ">=3.11"
    assert facts["License-Expression"] == "MIT"
    assert facts.get_all("Provides-Extra") == ["bench", "figures", "test"]
    needed = {text for text in facts.get_all("Requires-Dist", []) if "extra" not in text}
    assert needed == {"numpy>=1.26", "click>=8.2", "rich>=13.7"}


def test_source_archive_can_be_tested(built: Path) -> None:
    """The source archive has the tests, the golden files and what they read."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    kept = (ROOT / "rope_cli", ROOT / "tests", ROOT / "golden", ROOT / ".ci")
    files = [
        each.relative_to(ROOT).as_posix()
        for folder in kept
        for each in folder.rglob("*")
        if each.is_file() and not {"__pycache__", ".ruff_cache"} & set(each.parts)
    ]
    alone = [
        "pyproject.toml",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        ".gitattributes",
        "CONTRIBUTING.md",
    ]
    assert {*files, *alone} <= names


def test_installed_wheel_checks_itself(installed: Environment) -> None:
    """The golden files travel in the wheel and hold on this machine."""
    assert source_of(installed.run("check", "--format", "json")) == "package"
    assert "installed with the command" in " ".join(installed.run("check").split())


def test_installed_wheel_is_the_checkout(installed: Environment, run: object) -> None:
    """The installed command prints the bytes of the checkout."""
    for words in ((), ("list", "--lang", "ru"), ("-h",), ("show", "all", "--format=json")):
        process = run(*words)  # type: ignore[operator]
        assert installed.run(*words) == process.stdout.decode()


def test_installed_golden_files_are_not_rewritten(installed: Environment, tmp_path: Path) -> None:
    """--update needs --golden-dir there."""
    assert "--golden-dir DIR" in installed.run("check", "--update", code=2)
    installed.run("check", "--update", "--golden-dir", str(tmp_path))
    assert len(list(tmp_path.iterdir())) == len(list((ROOT / "golden").iterdir()))


def test_editable_install_uses_the_checkout(editable: Environment, source: Path) -> None:
    """Installed for editing, the golden files are those of the checkout, and may be rewritten."""
    assert source_of(editable.run("check", "--format", "json")) == "checkout"
    victim = source / "golden" / "norms.en.txt"
    before = victim.read_bytes()
    victim.write_bytes(b"wrong")
    assert "norms.en.txt" in editable.run("check", "--update")
    assert victim.read_bytes() == before


def test_checkout_needs_no_installation(source: Path) -> None:
    """``python -m rope_cli check`` works in a copy that was never installed."""
    words = [sys.executable, "-W", "error", "-m", "rope_cli", "check", "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    assert source_of(finished(*words, cwd=source, env=environment).stdout) == "checkout"


def test_lowest_versions_are_the_documented_ones() -> None:
    """Every dependency has a lower bound and no upper one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]["test"]
    for requirement in (*project["dependencies"], *extras):
        assert requirement.count(">=") == 1
        assert not set("<!~,;") & set(requirement)


def test_ci_runs_the_second_command_of_the_readme(tmp_path: Path) -> None:
    """.ci/run takes that command from the README, in a new environment that it removes again."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    text = (ROOT / "README.md").read_text("utf-8")
    second = "pip install -e '.[test]' && python -m pytest"
    assert text.count(second) == 1
    told = 'echo "$PWD $VIRTUAL_ENV" > told && exit 7'
    (tmp_path / "README.md").write_text(text.replace(second, told), "utf-8")
    process = subprocess.run(
        [tmp_path / ".ci" / "run"],
        env={**os.environ, "PYTHON": sys.executable, "CI": "true", "TMPDIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
    )
    assert process.returncode == 7, process.stderr
    assert told in process.stdout
    place, environment = (tmp_path / "told").read_text().split()
    assert Path(place) == tmp_path
    assert Path(environment).is_relative_to(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == [".ci", "README.md", "told"]
