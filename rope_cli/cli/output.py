"""How to print: what the options ask for, and the one way in which a document leaves the command.

Knows nothing of click.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rope_cli.cli import streams
from rope_cli.renderers import render
from rope_cli.text import LANGUAGES
from rope_cli.user_input.command_errors import InvalidWidth, UnknownChoice, quoted
from rope_cli.user_input.files import write_file

if TYPE_CHECKING:
    from rope_cli.document.blocks import Document

LANGUAGE_VARIABLE = "ROPE_REPORT_LANG"
LEAST_WIDTH, DEFAULT_WIDTH, MOST_WIDTH = 40, 80, 1000


class Manner(NamedTuple):
    """Language, format, destination and looks of what is printed."""

    language: str
    form: str
    output: str
    width: int
    color: bool
    ascii_only: bool
    big: bool = False

    def deliver(self, compose: Callable[[bool], str], escape_letters: bool = False) -> None:
        """Print ``compose(ascii_only)``, or write it to the file asked for."""
        if self.output == "-":
            streams.write(compose, self.ascii_only, escape_letters)
        else:
            write_file(self.output, compose(self.ascii_only).encode("utf-8"))

    def rendered(self, document: Document, ascii_only: bool) -> str:
        """The document in this manner."""
        return render(
            document,
            self.form,
            self.language,
            width=self.width,
            ascii_only=ascii_only,
            color=self.color,
            big=self.big,
        )

    def print(self, document: Document) -> int:
        """Print a document; the exit code says whether its checks hold."""
        self.deliver(
            lambda ascii_only: self.rendered(document, ascii_only),
            # The English glossary holds Russian words.
            escape_letters=self.language == LANGUAGES[0],
        )
        return 0 if document.holds else 1


def manner_of(*levels: Mapping[str, Any]) -> Manner:
    """What the options ask for; a later level, that of the command, wins over the group's."""
    given: dict[str, Any] = {}
    for level in levels:
        given.update((name, value) for name, value in level.items() if value not in (None, False))
    output = given.get("output", "-")
    to_file = output != "-"
    return Manner(
        language=given.get("lang") or one_of(LANGUAGES, LANGUAGE_VARIABLE, environment_language()),
        form=given.get("format", "text"),
        output=output,
        width=columns(given.get("width", DEFAULT_WIDTH), to_file),
        color=streams.wants_color(given.get("color", "auto"), to_file),
        ascii_only=given.get("ascii", False),
        big=given.get("big", False),
    )


def columns(width: int | str, to_file: bool) -> int:
    """The width asked for; ``auto`` is that of the terminal, within the bounds."""
    if isinstance(width, int):
        return width
    found = None if to_file else streams.terminal_width()
    return min(max(found or DEFAULT_WIDTH, LEAST_WIDTH), MOST_WIDTH)


def environment_language() -> str:
    """What the environment asks for, which may be no language at all."""
    return os.environ.get(LANGUAGE_VARIABLE) or LANGUAGES[0]


def spoken_language(words: Sequence[str]) -> str:
    """The language of a command line that may not even be readable, for help and complaints."""
    asked = environment_language()
    for word, following in zip(words, (*words, "")[1:], strict=True):
        if word == "--lang":
            asked = following
        elif word.startswith("--lang="):
            asked = word.removeprefix("--lang=")
    return asked if asked in LANGUAGES else LANGUAGES[0]


def one_of(accepted: Sequence[str], option: str, value: str) -> str:
    """The value, if it is accepted."""
    if value not in accepted:
        raise UnknownChoice(option=option, value=quoted(value), accepted=", ".join(accepted))
    return value


def width_from(value: str) -> int | str:
    """``auto`` or a number of columns within the bounds."""
    if value == "auto":
        return value
    if re.fullmatch("[0-9]{1,9}", value) and LEAST_WIDTH <= int(value) <= MOST_WIDTH:
        return int(value)
    raise InvalidWidth(value=quoted(value), least=LEAST_WIDTH, most=MOST_WIDTH)
