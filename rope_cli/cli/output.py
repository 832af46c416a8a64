"""How to print, and the one way in which a document leaves the command. Knows nothing of click."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rope_cli.cli import streams
from rope_cli.renderers import Colors, render_in_parts
from rope_cli.text import LANGUAGES
from rope_cli.user_input.command_errors import InvalidWidth, UnknownChoice, meant_choice, quoted
from rope_cli.user_input.files import refuse_overwriting, write_file

if TYPE_CHECKING:
    from rope_cli.document.blocks import Document

LANGUAGE_VARIABLE = "ROPE_REPORT_LANG"
LOCALE = re.compile(r"(?P<language>[A-Za-z]+)([_-][A-Za-z0-9]+)*(\.[\w-]+)?(@\w+)?")
PAGED_FORMATS = ("text", "markdown")
LEAST_WIDTH, DEFAULT_WIDTH, MOST_WIDTH = 40, 80, 1000


@dataclass(frozen=True)
class OutputOptions:
    """Language, format, destination and looks of what is printed."""

    language: str
    format: str
    output: str
    width: int
    colors: Colors
    ascii_only: bool
    big: bool = False
    unfolded: bool = False
    pager: bool = False

    def deliver(
        self, compose: streams.Compose, escape_letters: bool = False, paged: bool = False
    ) -> None:
        """Print ``compose(ascii_only)``, or write it to the file named by --output."""
        if self.output == "-":
            streams.write(compose, self.ascii_only, escape_letters, paged)
        else:
            write_file(self.output, streams.joined(compose(self.ascii_only), "utf-8"))

    @property
    def escapes_letters(self) -> bool:
        """Whether letters that standard output lacks are escaped rather than refused.

        Files, keys, golden files and the glossary may hold letters of any language.
        """
        return self.output == "-" and self.language == LANGUAGES[0]

    def protect(self, inputs: Iterable[str | os.PathLike[str]]) -> None:
        """Refuse to write over what the command reads."""
        if self.output != "-":
            refuse_overwriting(self.output, inputs)

    def render(self, document: Document, ascii_only: bool) -> str:
        """The document as text in its format."""
        return "".join(self.render_in_parts(document, ascii_only))

    def render_in_parts(self, document: Document, ascii_only: bool) -> str | Iterator[str]:
        """The same, in parts where it may be long."""
        return render_in_parts(
            document,
            self.format,
            self.language,
            width=self.width,
            ascii_only=ascii_only,
            colors=self.colors,
            big=self.big,
            # Other signs have ASCII forms; letters that are lacking have none.
            encoding=streams.encoding() if self.escapes_letters and ascii_only else "utf-8",
            unfolded=self.unfolded,
        )

    def print(self, document: Document) -> int:
        """Print a document; the exit code says whether its checks hold."""
        self.deliver(
            lambda ascii_only: self.render_in_parts(document, ascii_only),
            escape_letters=self.escapes_letters,
            paged=self.pager,
        )
        return 0 if document.holds else 1

    def print_report(self, document: Document) -> int:
        """Print a report whose numbers were looked for in what the renderer made of it."""
        from rope_cli.report.read_back import can_be_read_back, read_back

        printed = document

        def compose(ascii_only: bool) -> str | Iterator[str]:
            nonlocal printed
            if not can_be_read_back(document, self.format):
                return self.render_in_parts(document, ascii_only)
            text = self.render(document, ascii_only)
            printed = read_back(document, text, self.format)
            return text if printed is document else self.render(printed, ascii_only)

        self.deliver(compose, escape_letters=self.escapes_letters, paged=self.pager)
        return 0 if printed.holds else 1


def output_options(chosen: Mapping[str, Any]) -> OutputOptions:
    """What the options of printing ask for, by their names; an option that is missing is not set.

    Raises a refusal if the language of the environment counts and is none.
    """
    output = chosen.get("output", "-")
    to_file = output != "-"
    language = chosen.get("lang")
    if language is None:
        language = environment_language()
        if language not in LANGUAGES:
            require_choice(LANGUAGES, LANGUAGE_VARIABLE, os.environ[LANGUAGE_VARIABLE])
    format_name = chosen.get("format", "text")
    return OutputOptions(
        language=language,
        format=format_name,
        output=output,
        width=columns(chosen.get("width"), to_file),
        colors=streams.colors(chosen.get("color", "auto"), to_file),
        ascii_only=chosen.get("ascii", False),
        big=chosen.get("big", False),
        unfolded=chosen.get("open", False),
        pager=format_name in PAGED_FORMATS and not chosen.get("no_pager", False),
    )


def columns(width: str | None, to_file: bool) -> int:
    """The width in columns; ``auto`` is that of the terminal, within the bounds.

    Without a width it is 80, or that of a narrower terminal where the output is one.
    """
    if width is None:
        narrow = None if to_file else streams.output_width()
        return max(min(narrow or DEFAULT_WIDTH, DEFAULT_WIDTH), LEAST_WIDTH)
    if width != "auto":
        return int(width)
    terminal = None if to_file else streams.terminal_width()
    return min(max(terminal or DEFAULT_WIDTH, LEAST_WIDTH), MOST_WIDTH)


def environment_language() -> str:
    """The language named by the environment, which may be none that there is.

    The name of a locale, such as ru_RU.UTF-8 or en-US, begins with that of its language; C and
    POSIX are English.
    """
    named = os.environ.get(LANGUAGE_VARIABLE) or LANGUAGES[0]
    locale = LOCALE.fullmatch(named)
    name = locale["language"].lower() if locale else named
    return LANGUAGES[0] if name in ("c", "posix") else name


@dataclass(frozen=True)
class Reader:
    """How help and refusals are printed: the language, the columns, and whether a pager may."""

    language: str
    columns: int
    pager: bool


def reader_of_command_line(words: Sequence[str]) -> Reader:
    """The reader of help and refusals, found even where the words cannot be parsed."""
    # A value that is not accepted leaves the one that counted before.
    languages = (environment_language(), *values_of("--lang", words))
    widths = [width for width in values_of("--width", words) if is_width(width)]
    return Reader(
        language=next((name for name in reversed(languages) if name in LANGUAGES), LANGUAGES[0]),
        columns=columns(widths[-1] if widths else None, to_file=False),
        pager="--no-pager" not in words,
    )


def values_of(option: str, words: Sequence[str]) -> list[str]:
    """Every value that a command line gives an option."""
    values = []
    for word, following in zip(words, (*words, "")[1:], strict=True):
        if word == option:
            values.append(following)
        elif word.startswith(f"{option}="):
            values.append(word.removeprefix(f"{option}="))
    return values


def require_choice(accepted: Sequence[str], option: str, value: str) -> str:
    """The value, if it is accepted."""
    if value not in accepted:
        raise UnknownChoice(
            meant_choice(value, accepted),
            option=option,
            value=quoted(value),
            accepted=", ".join(accepted),
        )
    return value


def require_width(value: str) -> str:
    """The value, if it is ``auto`` or a number of columns within the bounds."""
    if is_width(value):
        return value
    raise InvalidWidth(value=quoted(value), least=LEAST_WIDTH, most=MOST_WIDTH)


def is_width(value: str) -> bool:
    """Whether a value is ``auto`` or a number of columns within the bounds."""
    is_number = re.fullmatch("[0-9]{1,9}", value)
    return value == "auto" or (bool(is_number) and LEAST_WIDTH <= int(value) <= MOST_WIDTH)
