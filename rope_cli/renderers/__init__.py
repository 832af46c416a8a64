"""One file, one format: ``render(document, language, width, ascii_only, color) -> str``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rope_cli.document.blocks import Document

# A new format is one file of this folder, and its name here.
FORMATS = ("text", "json", "markdown", "html")


def render(
    document: Document,
    format_name: str,
    language: str,
    *,
    width: int = 80,
    ascii_only: bool = False,
    color: bool = False,
    big: bool = False,
) -> str:
    """The document in one of :data:`FORMATS` and one language, ending with one line feed.

    ``width`` is in columns, ``ascii_only`` prints every sign except letters in ASCII, ``color``
    adds terminal colours; formats ignore what means nothing to them. ``big`` spaces out the text
    format and is passed to no other.
    """
    renderer = import_module(f"{__name__}.{format_name}")
    options = {"width": width, "ascii_only": ascii_only, "color": color}
    if format_name == "text":
        options["big"] = big
    text: str = renderer.render(document, language, **options)
    return text
