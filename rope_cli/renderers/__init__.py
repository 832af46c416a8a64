"""One file, one format: ``render(document, language, width, ascii_only, color) -> str``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rope_cli.document.blocks import Document

# A new format is one file of this folder and its name here.
FORMATS = ("text", "json", "markdown", "html")


def render(
    document: Document,
    form: str,
    language: str,
    *,
    width: int = 80,
    ascii_only: bool = False,
    color: bool = False,
    big: bool = False,
) -> str:
    """The document in one of :data:`FORMATS` and one language, ending with one line feed.

    ``width`` counts columns, ``ascii_only`` draws every sign but the letters in ASCII, ``color``
    adds terminal colours; a format that has no use for one of these ignores it. ``big`` spaces out
    the text, and only the text.
    """
    renderer = import_module(f"{__name__}.{form}")
    looks = {"width": width, "ascii_only": ascii_only, "color": color}
    if form == "text":
        looks["big"] = big
    text: str = renderer.render(document, language, **looks)
    return text
