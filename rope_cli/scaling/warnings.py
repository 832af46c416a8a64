"""The warnings about a file, as data: each a kind of warning and the values of its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rope_cli.scaling import messages
from rope_cli.scaling.json_files import Read, spelled, spelled_key
from rope_cli.scaling.messages import Warned


class Note(NamedTuple):
    """A warning and the values of its sentence, each of them harmless."""

    warned: Warned
    values: Mapping[str, Any]


class Notes(list[Note]):
    """The warnings about one file, in the order in which they were met."""

    def add(self, warned: Warned, **values: Any) -> None:
        """Keep a warning; what comes from the file is shortened and made harmless."""
        shown = {
            name: spelled_key(value) if name in ("key", "used") else spelled(value)
            for name, value in values.items()
        }
        note = Note(warned, shown)
        if note not in self:
            self.append(note)

    def contradiction(self, ignored: Read | None, used: Read) -> None:
        """Warn if the file says one thing twice, in two ways."""
        if ignored and not ignored.standard and ignored.value != used.value:
            said = {"used": used.source, "used_value": used.value}
            self.add(messages.CONTRADICTS, key=ignored.source, value=ignored.value, **said)
