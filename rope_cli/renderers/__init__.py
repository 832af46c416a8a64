"""One file, one format: ``render(document, language, width, ascii_only, colors) -> str``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal, TypeAlias

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
) -> str:
    """The document in one of :data:`FORMATS` and one language, ending with one line feed.

    ``width`` is in columns, ``ascii_only`` prints every sign except letters in ASCII, ``colors``
    adds bold letters and so many terminal colours; formats ignore what means nothing to them.
    ``big`` spaces out the text format and is passed to no other.
    """
    renderer = import_module(f"{__name__}.{format_name}")
    options = {"width": width, "ascii_only": ascii_only, "colors": colors}
    if format_name == "text":
        options["big"] = big
    text: str = renderer.render(document, language, **options)
    return text
