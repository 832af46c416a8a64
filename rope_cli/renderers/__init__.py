"""One file, one format: ``render(document, language, width, ascii_only, colors) -> str``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from rope_cli.document.blocks import Document

# A new format is one file of this folder, and its name here.
FORMATS = ("text", "json", "markdown", "html")
# How many colours a terminal has; none for a file or a plain pipe.
Colors: TypeAlias = Literal[0, 16, 256]


def render(
    document: Document,
    format_name: str,
    language: str,
    *,
    width: int = 80,
    ascii_only: bool = False,
    colors: Colors = 0,
    big: bool = False,
    encoding: str = "utf-8",
    unfolded: bool = False,
) -> str:
    """The document in one of :data:`FORMATS` and one language, ending with one line feed.

    ``width`` is in columns, ``ascii_only`` prints every sign except letters in ASCII, ``colors``
    adds bold letters and so many terminal colours; formats ignore what means nothing to them.
    ``big`` spaces out the text format, ``encoding`` has the letters that it does not escape, and
    ``unfolded`` opens what the page folds; none of them is passed to another format.
    """
    renderer = import_module(f"{__name__}.{format_name}")
    options: dict[str, Any] = {"width": width, "ascii_only": ascii_only, "colors": colors}
    if format_name == "text":
        options |= {"big": big, "encoding": encoding}
    if format_name == "html":
        options["unfolded"] = unfolded
    text: str = renderer.render(document, language, **options)
    return text


def render_in_parts(
    document: Document, format_name: str, language: str, *, ascii_only: bool, **looks: Any
) -> str | Iterator[str]:
    """What :func:`render` returns, or its parts one by one where a format can compose them so."""
    if format_name != "json":
        return render(document, format_name, language, ascii_only=ascii_only, **looks)
    from rope_cli.renderers import json

    return json.render_in_parts(document, language, ascii_only=ascii_only)
