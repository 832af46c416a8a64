"""A JSON file from anywhere, read within bounds; and its values, each by the keys that lead to it.

Whatever the file holds, the answer is a plain checked value or one refusal.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rope_cli.errors import shown
from rope_cli.scaling import messages
from rope_cli.scaling.messages import Span
from rope_cli.text import Text
from rope_cli.user_input.command_errors import (
    LONGEST_PATH,
    BadConfigValue,
    CannotRead,
    MissingConfigKey,
    failure_reason,
    printable,
    quoted,
    quoted_path,
)

LARGEST_FILE = 4 * 2**20
MOST_DIGITS = 400
MOST_WRITTEN_OUT = 1e15
LONGEST_KEY = 100


class Read(NamedTuple):
    """A checked value and where it stood; ``standard`` if it is a default and stood nowhere."""

    value: Any
    source: str
    standard: bool = False


class Level(NamedTuple):
    """One object of the file, under the keys that lead to it, or the defaults of a model."""

    prefix: str
    found: Mapping[str, Any]
    standard: bool = False


@dataclass(frozen=True)
class Keys:
    """Objects of one file, the one that counts most first; ``null`` is as good as missing."""

    path: str
    levels: tuple[Level, ...]

    def below(self, other: Keys) -> Keys:
        """The same keys, asked only after those of ``other``."""
        return Keys(self.path, other.levels + self.levels)

    def find(self, *names: str) -> Read | None:
        """The first of these keys that is there, unchecked."""
        for prefix, found, standard in self.levels:
            for name in names:
                if found.get(name) is not None:
                    return Read(found[name], prefix + name, standard)
        return None

    def number(self, span: Span, *names: str) -> Read | None:
        """The first of these keys that is there, if its value lies within the span."""
        found = self.find(*names)
        return None if found is None else self.within(span, found)

    def needed(self, span: Span, *names: str) -> Read:
        """A number that must be there."""
        found = self.number(span, *names)
        if found is None:
            raise self.missing(names[0], span.accepted)
        return found

    def within(self, span: Span, read: Read) -> Read:
        """The number, a whole one as an int, or its refusal."""
        value = read.value
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        if not plain or not span.least <= value <= span.most:
            raise self.bad(read, span.accepted)
        if span.whole and value != int(value):
            raise self.bad(read, span.accepted)
        return read._replace(value=int(value) if span.whole else float(value))

    def within_object(self, name: str) -> Keys | None:
        """The object under a key, to be asked alone; ``None`` if there is none."""
        found = self.find(name)
        if found is None:
            return None
        if not isinstance(found.value, dict):
            raise self.bad(found, messages.AN_OBJECT)
        return Keys(self.path, (Level(f"{found.source}.", found.value),))

    def bad(self, read: Read, accepted: Text | str) -> BadConfigValue:
        """The refusal of a value."""
        path, key = quoted_path(self.path), spelled_key(read.source)
        return BadConfigValue(path=path, key=key, value=spelled(read.value), accepted=accepted)

    def missing(self, name: str, accepted: Text) -> MissingConfigKey:
        """The refusal of a config without a key that is needed."""
        key = spelled_key(self.levels[0].prefix + name)
        return MissingConfigKey(path=quoted_path(self.path), key=key, accepted=accepted)


def spelled_key(key: str) -> str:
    """The keys that lead to a value, harmless; of very long ones both ends."""
    shown_whole = printable(key, LONGEST_PATH)
    if len(shown_whole) <= LONGEST_KEY:
        return shown_whole
    half = LONGEST_KEY // 2
    return f"{shown_whole[:half]}...{printable(key[-half:])[-half:]}"


def spelled(value: Any) -> str | Text:
    """A value of a JSON file as it may be shown: never long, never on two lines."""
    match value:
        case dict():
            return messages.AN_OBJECT
        case list():
            return messages.A_LIST
        case str():
            return quoted(value)
        case None | True | False:
            return json.dumps(value)
        case float() if not math.isfinite(value):
            return json.dumps(value)
        case float() if value.is_integer() and abs(value) < MOST_WRITTEN_OUT:
            return str(int(value))
        case _:
            return shown(value)


def read_object(path: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The object that a JSON file holds, and the keys written more than once in one object.

    Raises :class:`CannotRead`. A number of very many digits stays the text that it was, which no
    key accepts.
    """
    twice: list[str] = []

    def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            counted = Counter(name for name, _ in pairs)
            twice.extend(name for name, times in counted.items() if times > 1)
        return made

    text = _text(path)
    try:
        found = json.loads(text, object_pairs_hook=without_repetition, parse_int=_whole)
    except json.JSONDecodeError as failure:
        where = messages.not_json(failure.lineno, failure.colno)
        raise _unreadable(path, where if text.strip() else messages.EMPTY) from None
    except RecursionError:
        raise _unreadable(path, messages.TOO_DEEP) from None
    if not isinstance(found, dict):
        raise _unreadable(path, messages.NO_OBJECT)
    return found, tuple(dict.fromkeys(twice))


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as failure:
        raise _unreadable(path, failure_reason(failure)) from failure
    if len(data) > LARGEST_FILE:
        raise _unreadable(path, messages.TOO_LARGE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unreadable(path, messages.NOT_UTF8) from None


def _unreadable(path: str, why: Text) -> CannotRead:
    return CannotRead(path=quoted_path(path), reason=why, accepted=messages.CONFIG)
