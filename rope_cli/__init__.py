"""Rotary position embeddings (RoPE) with numbers that were just computed and just checked."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rope_cli import report
    from rope_cli.errors import RopeError
    from rope_cli.rope.tables import RotaryEmbedding

__version__ = "0.1.0"
__all__ = ["RopeError", "RotaryEmbedding", "__version__", "report"]


def __getattr__(name: str) -> Any:
    # Lazily, because importing numpy takes longer than printing a help text.
    if name == "RotaryEmbedding":
        return import_module("rope_cli.rope.tables").RotaryEmbedding
    # The kinds of RopeError, by class name; a module of the package is no attribute of errors.
    if name[:1].isupper() and hasattr(kinds := import_module("rope_cli.errors"), name):
        return getattr(kinds, name)
    if name == "report":  # a folder that can be called
        return import_module("rope_cli.report")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
