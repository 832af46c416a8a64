"""The house stays in order: imports go down, and libraries keep to their room."""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

import pytest
from tools.checkout import ROOT

Sources = Mapping[str, str]  # the text of each file by its path, as "renderers/text.py"

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
FLOOR = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
ON_TOP = {"__init__.py", "__main__.py", "errors.py", "text.py"}
# Inside verify/ the same; its other files stand above these folders.
VERIFY = ("read", "measure", "explain", "show")
# A library with the only paths that may import it.
ONLY_IN = {"click": "cli/", "rich": "renderers/text.py"}
# Files here are named after a section or the subject of a question.
NAMED_BY_SUBJECT = ("sections/", "classroom/questions/")
# Elsewhere a name means one file, except these, which say what a file is to its room.
SHARED_NAMES = {"chapter", "note", "numbers", "reference", "report", "text"}


def sources_of(folder: Path) -> Sources:
    """Every Python file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.py"))
    }


PACKAGE = sources_of(ROOT / "rope_cli")
TESTS = {name: text for name, text in sources_of(ROOT / "tests").items() if "/" not in name}


@cache
def imports(source: str) -> tuple[str, ...]:
    """Everything that a file imports, wherever in it the import stands, as ``module.name``."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [f"{module}.{alias.name}" for alias in node.names]
    return tuple(found)


def inside(source: str) -> Iterator[str]:
    """What a file imports from this package, as ``room.module.name``."""
    for imported in imports(source):
        package, _, rest = imported.partition(".")
        if package == "rope_cli" and rest != "__version__":
            yield rest


def room_of(name: str) -> str:
    """The room of a file: its folder, or the file itself on top of the package."""
    return name.partition("/")[0].removesuffix(".py")


def wrong_imports(sources: Sources) -> Iterator[str]:
    """Imports that do not go down, or that take a private name."""
    for name, source in sources.items():
        room = room_of(name)
        if room not in FLOOR:
            if name != "__init__.py":
                yield f"{name}: {room} has no floor"
            continue
        for imported in inside(source):
            other = imported.partition(".")[0]
            if other != room and FLOOR.get(other, len(FLOORS)) >= FLOOR[room]:
                yield f"{name} imports {imported}, which is not below it"
            if imported.rpartition(".")[2].startswith("_"):
                yield f"{name} imports the private name {imported}"
        if any(imported.startswith(".") for imported in imports(source)):
            yield f"{name}: imports are written out in full"


def wrong_imports_in_verify(sources: Sources) -> Iterator[str]:
    """Imports inside verify/ that go up: measure/ knows nothing of explain/, for instance."""
    for name, source in sources.items():
        folder = PurePosixPath(name).parts[1] if name.startswith("verify/") else ""
        if folder in VERIFY:
            below = VERIFY[: VERIFY.index(folder) + 1]
            for imported in inside(source):
                room, _, rest = imported.partition(".")
                if room == "verify" and rest.partition(".")[0] not in below:
                    yield f"{name} imports {imported}, which is above it"


def wrong_libraries(sources: Sources) -> Iterator[str]:
    """Libraries outside their place, and mathematics that needs more than numpy."""
    for name, source in sources.items():
        for library in {imported.partition(".")[0] for imported in imports(source)}:
            if not name.startswith(ONLY_IN.get(library, "")):
                yield f"{name} imports {library}, which belongs to {ONLY_IN[library]}"
            known = sys.stdlib_module_names | {"numpy", "rope_cli"}
            if name.startswith("rope/") and library not in known:
                yield f"{name} imports {library}: the mathematics needs numpy alone"


def wrong_names(sources: Sources) -> Iterator[str]:
    """Files on top that belong in a room, and names that two rooms use without need."""
    for name in sources:
        if "/" not in name and name not in ON_TOP:
            yield f"{name} stands on top of the package; it belongs in a room"
    files = defaultdict(list)
    for name in sources:
        if not name.startswith(NAMED_BY_SUBJECT) and not name.endswith("__init__.py"):
            files[PurePosixPath(name).stem].append(name)
    for stem, names in files.items():
        if len(names) > 1 and stem not in SHARED_NAMES:
            yield f"{' and '.join(names)} share a name"
    for stem in SHARED_NAMES:
        if len(files[stem]) < 2:
            yield f"{stem} is no longer a shared name"


def objections(sources: Sources) -> list[str]:
    """Everything that is out of order in a package."""
    rules = (wrong_imports, wrong_imports_in_verify, wrong_libraries, wrong_names)
    return [objection for rule in rules for objection in rule(sources)]


def test_house_is_in_order() -> None:
    """Imports go down, libraries and private names stay in their place, names are plain."""
    assert objections(PACKAGE) == []
    assert {room_of(name) for name in PACKAGE} - {"__init__"} == FLOOR.keys()


@pytest.mark.parametrize(
    ("name", "line", "objection"),
    [
        ("text.py", "import rope_cli.errors", "text.py imports errors"),
        ("text.py", "from rope_cli import cli", "text.py imports cli"),
        ("rope/tables.py", "from rope_cli.example import reference", "rope/tables.py imports ex"),
        ("classroom/mark.py", "from rope_cli.verify import report", "classroom/mark.py imports v"),
        ("scaling/layers.py", "from . import config", "scaling/layers.py: imports are written"),
        ("rope/fast.py", "from rope_cli.rope.tables import _x", "rope/fast.py imports the private"),
        ("renderers/markdown.py", "import rich.table", "renderers/markdown.py imports rich"),
        ("user_input/files.py", "from click import echo", "user_input/files.py imports click"),
        ("rope/rotation.py", "import matplotlib", "rope/rotation.py imports matplotlib"),
        ("verify/read/request.py", "import rope_cli.verify.show", "verify/read/request.py imports"),
        ("verify/explain/laws.py", "from rope_cli.verify import report", "verify/explain/laws.py"),
        ("helpers/words.py", "", "helpers/words.py: helpers has no floor"),
        ("scaling/check.py", "", "document/check.py and scaling/check.py share a name"),
    ],
)
def test_disorder_would_be_seen(name: str, line: str, objection: str) -> None:
    """One line or one file too many is objected to once, by its name, wherever it stands."""
    tampered = f"{PACKAGE.get(name, '')}\ndef later():\n    {line or 'pass'}\n"
    [found] = objections(dict(sorted({**PACKAGE, name: tampered}.items())))
    assert found.startswith(objection)


def test_file_on_top_would_be_seen() -> None:
    """A fifth file on top of the package has no floor and is asked to go into a room."""
    assert objections({**PACKAGE, "utils.py": ""}) == [
        "utils.py: utils has no floor",
        "utils.py stands on top of the package; it belongs in a room",
    ]


def wrong_tests(sources: Sources) -> Iterator[str]:
    """Tests without a promise or with a name used before, and test modules that share code."""
    for name, source in sources.items():
        nodes = ast.parse(source).body
        tests = [node for node in nodes if isinstance(node, ast.FunctionDef)]
        tests = [node for node in tests if node.name.startswith("test_")]
        if name.startswith("test_") and not tests:
            yield f"{name} has no test"
        for node in tests:
            if not ast.get_docstring(node):
                yield f"{name}: {node.name} has no docstring"
        counts = Counter(node.name for node in tests)
        for test in counts - Counter(counts.keys()):
            yield f"{name}: {test} stands twice"
        for imported in imports(source):
            if imported.startswith((".", "conftest", "test_", "tests")):
                yield f"{name} imports {imported}: what tests share lies in tests/tools"


@pytest.mark.slow
def test_every_test_says_its_promise_and_stands_alone() -> None:
    """A test has a docstring and a name of its own; test modules do not import one another."""
    assert list(wrong_tests(TESTS)) == []
    good = 'def test_a() -> None:\n    """A."""\n'
    for bad, objection in (
        ("", "test_x.py has no test"),
        ("def test_a() -> None:\n    pass\n", "test_x.py: test_a has no docstring"),
        (good + good, "test_x.py: test_a stands twice"),
        (good + "from test_text import page\n", "test_x.py imports test_text.page: what tests"),
        (good + "import conftest\n", "test_x.py imports conftest: what tests"),
    ):
        [found] = wrong_tests({"test_x.py": bad})
        assert found.startswith(objection)
