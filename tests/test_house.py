"""The house stays in order: floors, guarded imports and clean tools."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.checkout import ROOT

PACKAGE = ROOT / "rope_cli"
# From the ground up. A room imports from lower floors only; the files of one room may use each
# other, two rooms of one floor may not.
FLOORS = (
    ("text",),
    ("errors",),
    ("user_input", "rope"),
    ("example",),
    ("document",),
    ("experiments",),
    ("sections", "renderers"),
    ("report",),
    ("scaling",),
    ("verify", "classroom"),
    ("cli",),
    ("__main__",),
)
FLOOR = {name: height for height, names in enumerate(FLOORS) for name in names}
ONLY_HERE = {"click": {"cli/main.py", "cli/options.py"}, "rich": {"renderers/text.py"}}
FILES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").glob("test_*.py"))


def name_of(path: Path) -> str:
    """A path below the package, as ``renderers/text.py``."""
    return path.relative_to(PACKAGE).as_posix()


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            assert node.module is not None
            if node.module == "rope_cli":
                yield from (f"rope_cli.{alias.name}" for alias in node.names)
            else:
                yield node.module


def part_of(module: str) -> str:
    """The floor's name for a module of the package: its first part."""
    return module.removeprefix("rope_cli.").partition(".")[0]


def objections(path: Path) -> Iterator[str]:
    """What a file imports from its own floor or from above."""
    own = part_of(name_of(path).removesuffix(".py").replace("/", "."))
    for module in imported(path):
        if not module.startswith("rope_cli.") or module == "rope_cli.__version__":
            continue
        other = part_of(module)
        if other != own and FLOOR[other] >= FLOOR[own]:
            yield f"{name_of(path)} imports {other}, which is not below it"


def test_every_module_has_a_floor() -> None:
    """A new module is given a floor, and no floor is empty."""
    parts = {part_of(name_of(path).removesuffix(".py").replace("/", ".")) for path in FILES}
    assert parts - {"__init__"} == FLOOR.keys()


@pytest.mark.parametrize(
    "path",
    [each for each in FILES if each.parent != PACKAGE or each.stem != "__init__"],
    ids=name_of,
)
def test_imports_go_down(path: Path) -> None:
    """No module imports from its own floor or from above, not even inside a function."""
    assert list(objections(path)) == []


def test_import_upwards_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above objects to an import that goes up, in any spelling."""
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    path = tmp_path / "text.py"
    for line in (
        "import rope_cli.errors",
        "from rope_cli import cli",
        "from rope_cli.rope import tape",
    ):
        path.write_text(f"def later():\n    {line}\n")
        assert len(list(objections(path))) == 1


@pytest.mark.parametrize("library", ONLY_HERE)
def test_library_is_used_in_one_place(library: str) -> None:
    """click is known to the command line alone, rich to the terminal renderer alone."""
    users = {
        name_of(path)
        for path in FILES
        if any(module.partition(".")[0] == library for module in imported(path))
    }
    assert users == ONLY_HERE[library]


def test_mathematics_knows_numpy_and_errors_only() -> None:
    """The folder rope/ imports numpy, the refusals, itself and the standard library."""
    for path in (PACKAGE / "rope").glob("*.py"):
        for module in imported(path):
            if module.startswith("rope_cli"):
                assert part_of(module) in ("rope", "errors"), name_of(path)
            else:
                top = module.partition(".")[0]
                assert top in sys.stdlib_module_names | {"numpy"}, name_of(path)


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_every_test_says_its_promise(path: Path) -> None:
    """A test has a docstring, and no two tests of a file share a name."""
    tests = [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert tests
    assert [node.name for node in tests if not ast.get_docstring(node)] == []
    assert len({node.name for node in tests}) == len(tests)


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
