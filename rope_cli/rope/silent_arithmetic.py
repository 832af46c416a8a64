"""Arithmetic during which numpy says nothing about overflow and the like."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from typing import TypeVar, TypeVarTuple

import numpy as np

Given = TypeVarTuple("Given")
Result = TypeVar("Result")

_CONTEXT = Context()
# From 2.0 on what numpy does about errors belongs to the context, before that to the thread.
_BY_CONTEXT = int(np.__version__.split(".")[0]) >= 2
if _BY_CONTEXT:
    _CONTEXT.run(np.seterr, all="ignore")


def silently(function: Callable[[*Given], Result], *arguments: *Given) -> Result:
    """What the function returns; no error of numpy's arithmetic becomes a warning or an exception.

    ``numpy.errstate`` would take a good part of the time that one token takes; to run in a context
    that has been prepared once takes far less.
    """
    if _BY_CONTEXT:
        # A context can be entered once at a time, its copies by as many threads as there are.
        return _CONTEXT.copy().run(function, *arguments)
    with np.errstate(all="ignore"):
        return function(*arguments)
