"""A config under the names of Hugging Face whose file calls its keys otherwise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeGuard

from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.json_files import ConfigObject, ConfigValue, Lookup
from rope_cli.scaling.warnings import Warnings

Content: TypeAlias = Mapping[str, Any]


@dataclass
class Renamed:
    """A config under the names of Hugging Face, and the key of the file behind each name.

    ``content`` is what the rest of this room reads and ``defaults`` what the file leaves out;
    ``sources`` leads from a name in them, such as ``rope_scaling.factor``, to the key that the
    report prints as its source.
    """

    format: str
    path: str
    content: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    def lookup(self) -> Lookup:
        """Everything in the file, then what it leaves out."""
        objects = (ConfigObject("", self.content), ConfigObject("", self.defaults, is_default=True))
        return Lookup(self.path, objects if self.defaults else objects[:1], self.sources)

    def take(self, file: Content, name: str, *keys: str, prefix: str = "") -> Any:
        """Take the first of these keys that the file has under another name; return its value."""
        for key in keys:
            if file.get(key) is not None:
                self.put(name, file[key], prefix + key)
                return file[key]
        self.sources[name] = prefix + keys[0]
        return None

    def put(self, name: str, value: Any, source: str) -> None:
        """Set a name, which may lead into an inner object, and say where its value comes from."""
        *outer, last = name.split(".", 1)
        content = self.content.setdefault(outer[0], {}) if outer else self.content
        content[last] = value
        self.sources[name] = source

    def assume(self, collected: Warnings, name: str, value: float, code: str) -> None:
        """Set a value that the file leaves out and that ``code`` fixes, and warn."""
        key = self.sources[name]
        collected.add(warnings.FIXED_IN_CODE, key=key, used_value=value, used=code)
        self.defaults[name] = value
        self.sources[name] = code

    def is_true(self, file: Content, key: str, prefix: str = "") -> bool | None:
        """Whether a key is true, ``None`` without it; refuse what is neither true nor false."""
        value = file.get(key)
        if not isinstance(value, bool | None):
            wrong = ConfigValue(value, prefix + key)
            raise self.lookup().bad_value(wrong, ranges.A_TRUTH_VALUE)
        return value


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a value can be computed with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
