"""The report: the order of the sections, what stands around them, and the golden files.

Called as a function, ``rope_cli.report("norms")``, it computes sections.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class CallableFolder(ModuleType):
    """A folder that has the name of the function that Python users call."""

    def __call__(self, *names: str, **values: Any) -> Any:
        """Compute sections: :func:`rope_cli.classroom.notebook.report`."""
        return import_module("rope_cli.classroom.notebook").report(*names, **values)


sys.modules[__name__].__class__ = CallableFolder
