"""A JSON file from anywhere, read within bounds, and the values in it with their keys.

Whatever the file holds, the result is a plain checked value or one refusal.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rope_cli.document.vocabulary import t
from rope_cli.errors import shown
from rope_cli.scaling.ranges import A_LIST, AN_OBJECT, NumberRange
from rope_cli.scaling.spelling import meant_name
from rope_cli.text import Text
from rope_cli.user_input.command_errors import (
    LONGEST_PATH,
    BadConfigValue,
    MissingConfigKey,
    MisspelledConfigKey,
    printable,
    quoted,
    quoted_path,
)
from rope_cli.user_input.file_contents import cannot_read, parse_json, read_text

LARGEST_FILE = 4 * 2**20
MOST_DIGITS = 400
MOST_WRITTEN_OUT = 1e15
LONGEST_KEY = 100

CONFIG = t(
    "the config.json of a model, one JSON object in UTF-8",
    "config.json модели — один объект JSON в UTF-8",
)
NO_OBJECT = t("it holds no JSON object", "в нём нет объекта JSON")


class ConfigValue(NamedTuple):
    """A value and the keys that lead to it, or what stands for them if it is a default."""

    value: Any
    source: str
    is_default: bool = False


class ConfigObject(NamedTuple):
    """An object of the file under the keys that lead to it, or the defaults of a model."""

    prefix: str
    content: Mapping[str, Any]
    is_default: bool = False


@dataclass(frozen=True)
class Lookup:
    """Objects of one file in which keys are looked up in turn; ``null`` counts as missing.

    ``sources`` holds what the file itself calls a key, where the file is of another format and its
    keys were renamed.
    """

    path: str
    objects: tuple[ConfigObject, ...]
    sources: Mapping[str, str] = field(default_factory=dict)

    def after(self, other: Lookup) -> Lookup:
        """The same lookup with the objects of ``other`` before its own."""
        return replace(self, objects=other.objects + self.objects)

    def source(self, key: str) -> str:
        """The key as the file calls it."""
        return self.sources.get(key, key)

    def find(self, *names: str) -> ConfigValue | None:
        """The unchecked value of the first of these keys that is there."""
        for prefix, content, is_default in self.objects:
            for name in names:
                if content.get(name) is not None:
                    return ConfigValue(content[name], self.source(prefix + name), is_default)
        return None

    def number(self, accepted: NumberRange, *names: str) -> ConfigValue | None:
        """The number of the first of these keys that is there; refuse what is out of range."""
        value = self.find(*names)
        return None if value is None else self.check_range(accepted, value)

    def required_number(self, accepted: NumberRange, *names: str) -> ConfigValue:
        """The same, but refuse a config without any of the keys."""
        value = self.number(accepted, *names)
        if value is None:
            raise self.missing_key(names[0], accepted.accepted, names)
        return value

    def check_range(self, accepted: NumberRange, number: ConfigValue) -> ConfigValue:
        """The number as an int or a float, as its range says; refuse what is out of range."""
        value = number.value
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not accepted.least <= value <= accepted.most:
            raise self.bad_value(number, accepted.accepted)
        if accepted.whole and value != int(value):
            raise self.bad_value(number, accepted.accepted)
        return number._replace(value=int(value) if accepted.whole else float(value))

    def inside(self, name: str) -> Lookup | None:
        """A lookup in the object under a key, or ``None`` if there is none."""
        value = self.find(name)
        if value is None:
            return None
        if not isinstance(value.value, dict):
            raise self.bad_value(value, AN_OBJECT)
        return replace(self, objects=(ConfigObject(f"{value.source}.", value.value),))

    def bad_value(self, value: ConfigValue, accepted: Text | str) -> BadConfigValue:
        """The refusal of a value."""
        return BadConfigValue(
            path=quoted_path(self.path),
            key=format_key(value.source),
            value=format_value(value.value),
            accepted=accepted,
        )

    def missing_key(
        self, name: str, accepted: Text, names: tuple[str, ...] = ()
    ) -> MissingConfigKey:
        """The refusal of a config without a required key, which ``names`` would do for as well."""
        path = quoted_path(self.path)
        for prefix, content, is_default in self.objects:
            for misspelled in () if is_default else content:
                meant = meant_name(misspelled, names or (name,))
                if meant:
                    key, misspelled = format_key(prefix + meant), format_key(prefix + misspelled)
                    return MisspelledConfigKey(
                        path=path, key=key, found=misspelled, accepted=accepted
                    )
        key = format_key(self.source(self.objects[0].prefix + name))
        return MissingConfigKey(path=path, key=key, accepted=accepted)


def format_key(key: str) -> str:
    """The keys that lead to a value, printable; of very long ones only both ends."""
    text = printable(key, LONGEST_PATH)
    if len(text) <= LONGEST_KEY:
        return text
    half = LONGEST_KEY // 2
    return f"{text[:half]}...{printable(key[-half:])[-half:]}"


def format_value(value: Any) -> str | Text:
    """A value of a JSON file as it is shown, short and on one line."""
    match value:
        case dict():
            return AN_OBJECT
        case list():
            return A_LIST
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
    """The object in a JSON file, and the keys that stand more than once in one object.

    A number of very many digits stays a text, which no key accepts. Raises :class:`CannotRead`.
    """
    repeated: list[str] = []

    def as_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            repeated.extend(name for name, count in counts.items() if count > 1)
        return content

    text = read_text(path, CONFIG, LARGEST_FILE)
    content = parse_json(path, text, CONFIG, object_pairs_hook=as_dict, parse_int=parse_int)
    if not isinstance(content, dict):
        raise cannot_read(path, NO_OBJECT, CONFIG)
    return content, tuple(dict.fromkeys(repeated))


def parse_int(digits: str) -> int | str:
    """A whole number, or its text if converting it would take long."""
    return int(digits) if len(digits) <= MOST_DIGITS else digits
