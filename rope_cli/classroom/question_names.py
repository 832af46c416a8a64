"""The names of questions, however people copy them from a sheet."""

from __future__ import annotations

import re

from rope_cli.classroom.questions import QUESTIONS

IDS = tuple(question.id for question in QUESTIONS)
SEED = "seed"
# What stands at the head of a sheet besides the seed.
HEAD_OF_SHEET = frozenset(["name", "date", "group", "имя", "дата", "группа", "фамилия", "класс"])

_DASH = r"[\s_–—‑‐−-]*"


def _spellings(name: str) -> str:
    return _DASH.join(re.escape(word) for word in name.split("-"))


# Longer names first, so that a name is not taken for the beginning of another.
_ANY_ID = "|".join(f"(?:{_spellings(name)})" for name in sorted(IDS, key=len, reverse=True))
NAME = re.compile(rf"(?P<name>{_ANY_ID}|seed|вариант)(?![^\W_])", re.IGNORECASE)
_BULLET = r"(?:[-*•–—|]\s*|\(?[0-9]+[.)]\s+)*"
_SEPARATOR = r"\s*(?:[:=)\]|]|\.(?![0-9])|->|→|[–—](?=\s)|-(?=\s))?\s*"
LINE = re.compile(
    rf"\s*{_BULLET}[*_`]*{NAME.pattern}[*_`]*{_SEPARATOR}(?P<answer>.*?)[\s|]*", re.IGNORECASE
)


def exact_name(name: str) -> str:
    """The name of the question as the sheet prints it; an unknown name comes back as it is."""
    match = NAME.fullmatch(name.strip())
    if match is None:
        return name
    known = re.sub(_DASH, "", match["name"].casefold())
    if known in ("seed", "вариант"):
        return SEED
    return next(id for id in IDS if id.replace("-", "") == known)


def split_line(line: str) -> tuple[str, str] | None:
    """The question and the answer of a line that begins with a question's name."""
    match = LINE.fullmatch(line)
    return None if match is None else (exact_name(match["name"]), match["answer"])
