"""Golden files: what every section must print in every language, byte for byte."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from rope_cli.document.vocabulary import t
from rope_cli.renderers import render
from rope_cli.report.build import section_alone
from rope_cli.report.tracks import SLUGS
from rope_cli.text import LANGUAGES
from rope_cli.user_input.command_errors import (
    EMPTY_NAME,
    CannotRead,
    UpdateOfPackage,
    UpdateUnderCI,
    failure_reason,
    quoted,
    quoted_path,
)
from rope_cli.user_input.files import is_temporary, write_file

PACKAGE = Path(__file__).resolve().parent.parent
# The endings of golden files and their formats.
FORMATS = {"txt": "text", "md": "markdown"}
READABLE = t("a directory of golden files", "каталог с эталонными файлами")


class Source(Enum):
    """How the directory of golden files was chosen."""

    GIVEN = "given"
    CHECKOUT = "checkout"
    PACKAGE = "package"


class State(Enum):
    """What a comparison says of one file."""

    SAME = "same"
    DIFFERS = "differs"
    MISSING = "missing"
    ORPHAN = "orphan"


@dataclass(frozen=True)
class Directory:
    """A directory of golden files and how it was chosen."""

    path: Path
    source: Source

    @property
    def folder(self) -> Traversable:
        """The directory to read, which lies in a zip file if the package does."""
        if self.source is not Source.PACKAGE or self.path.is_dir():
            return self.path
        return resources.files("rope_cli").joinpath(self.path.name)


@dataclass(frozen=True)
class Comparison:
    """One file: its bytes and those it should have, ``None`` for no file and for an orphan."""

    name: str
    stored: bytes | None
    expected: bytes | None

    @property
    def state(self) -> State:
        """Whether both are the same bytes."""
        if self.expected is None:
            return State.ORPHAN
        if self.stored is None:
            return State.MISSING
        return State.SAME if self.stored == self.expected else State.DIFFERS


def find_directory(golden_dir: str | None = None) -> Directory:
    """``golden_dir`` if there is one, else that of the checkout, else that of the package."""
    if golden_dir == "":  # an unset variable in a script must not mean the current directory
        raise CannotRead(path=quoted_path(golden_dir), reason=EMPTY_NAME, accepted=READABLE)
    if golden_dir is not None:
        return Directory(Path(golden_dir), Source.GIVEN)
    if _is_checkout(PACKAGE.parent):
        return Directory(PACKAGE.parent / "golden", Source.CHECKOUT)
    return Directory(PACKAGE / "_golden", Source.PACKAGE)


def overlooked_directory(used: Directory) -> Path | None:
    """A directory ``golden`` where the command was called, if that is not the one in use.

    Whoever names a directory knows which one they want.
    """
    here = Path("golden")
    if used.source is Source.GIVEN:
        return None
    try:
        same = here.resolve() == used.path.resolve()
        return here if here.is_dir() and not same else None
    except OSError:  # the current directory is gone
        return None


def _is_checkout(root: Path) -> bool:
    try:
        project = (root / "pyproject.toml").read_bytes()
    except OSError:
        return False
    return b'name = "rope-report"' in project


def expected_files() -> dict[str, bytes]:
    """The bytes of every golden file by its name, computed now."""
    files = {}
    for slug in SLUGS:
        document = section_alone(slug)
        for language in LANGUAGES:
            for ending, format_name in FORMATS.items():
                text = render(document, format_name, language)
                files[f"{slug}.{language}.{ending}"] = text.encode("utf-8")
    return files


def compare(directory: Directory, expected: Mapping[str, bytes]) -> tuple[Comparison, ...]:
    """Compare every golden file, then list the entries of the directory that are none."""
    entries = names_in(directory)
    cases = [
        Comparison(name, _read(directory, name) if name in entries else None, data)
        for name, data in expected.items()
    ]
    orphans = [Comparison(name, None, None) for name in sorted(entries - expected.keys())]
    return (*cases, *orphans)


def allow_update(directory: Directory) -> None:
    """Refuse to rewrite files under CI, where nobody would see it, or those of the package."""
    ci = os.environ.get("CI")
    if ci:
        raise UpdateUnderCI(value=quoted(ci))
    if directory.source is Source.PACKAGE:
        raise UpdateOfPackage(path=quoted_path(directory.path))


def update(directory: Directory, expected: Mapping[str, bytes]) -> tuple[str, ...]:
    """Write every file that is missing or differs and return their names; orphans stay."""
    allow_update(directory)
    try:
        directory.path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        pass  # Not a directory: reading it says so.
    except (OSError, ValueError) as failure:
        raise _unreadable(directory.path, failure) from failure
    changed = [
        comparison
        for comparison in compare(directory, expected)
        if comparison.state in (State.DIFFERS, State.MISSING)
    ]
    for comparison in changed:
        write_file(str(directory.path / comparison.name), expected[comparison.name])
    return tuple(comparison.name for comparison in changed)


def names_in(directory: Directory) -> set[str]:
    """What lies in the directory, without the files that a command is writing."""
    folder = directory.folder
    try:
        if not isinstance(folder, Path) and not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, "")
        return {entry.name for entry in folder.iterdir() if not is_temporary(entry.name)}
    except (OSError, ValueError) as failure:
        raise _unreadable(directory.path, failure) from failure


def _read(directory: Directory, name: str) -> bytes:
    try:
        return directory.folder.joinpath(name).read_bytes()
    except OSError as failure:
        raise _unreadable(directory.path / name, failure) from failure


def _unreadable(path: Path, failure: OSError | ValueError) -> CannotRead:
    return CannotRead(path=quoted_path(path), reason=failure_reason(failure), accepted=READABLE)
