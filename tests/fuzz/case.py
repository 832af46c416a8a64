"""A case: a command line, the files that it may read, and what surrounds it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

CASES = Path(__file__).resolve().parent / "cases"
ENCODINGS = ("utf-8", "utf-8", "cp1251", "cp866", "koi8-r", "latin-1", "ascii")
ENVIRONMENT_LANGUAGES = (None, None, "en", "ru", "ru", "xx", "", "\udcff")


@dataclass(frozen=True)
class Case:
    """What is tried once."""

    words: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    language: str | None = None
    encoding: str = "utf-8"

    def as_json(self, problem: str) -> str:
        """The case and what was wrong with it, as a file of ``cases`` holds them."""
        files = {name: base64.b64encode(data).decode() for name, data in self.files.items()}
        stored = {
            "problem": problem,
            "words": self.words,
            "files": files,
            "language": self.language,
            "encoding": self.encoding,
        }
        return json.dumps(stored, indent=1) + "\n"


def keep(case: Case, problem: str, folder: Path = CASES) -> Path:
    """Write a case down; the same words and files have the same name."""
    text = case.as_json(problem)
    command = case.words[0] if case.words and case.words[0].isalpha() else "line"
    digest = hashlib.sha256(case.as_json("").encode()).hexdigest()[:8]
    path = folder / f"{command}-{digest}.json"
    path.write_text(text, "ascii")
    return path


def kept(folder: Path = CASES) -> Iterator[tuple[str, Case]]:
    """Every case that was written down, by the name of its file."""
    for path in sorted(folder.glob("*.json")):
        stored = json.loads(path.read_text("ascii"))
        files = {name: base64.b64decode(data) for name, data in stored["files"].items()}
        yield (
            path.name,
            Case(tuple(stored["words"]), files, stored["language"], stored["encoding"]),
        )
