"""Arithmetic without numpy's warnings about overflow and invalid values."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context
from typing import TypeVar, TypeVarTuple

import numpy as np

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

_CONTEXT = Context()
# From numpy 2.0 on the handling of errors belongs to the context, before that to the thread.
_BY_CONTEXT = int(np.__version__.split(".")[0]) >= 2
if _BY_CONTEXT:
    _CONTEXT.run(np.seterr, all="ignore")


def silently(function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Call the function; no error of numpy's arithmetic becomes a warning or an exception.

    ``numpy.errstate`` takes a good part of the time of rotating one token; to run in a context
    that was prepared once takes far less.
    """
    if _BY_CONTEXT:
        # A context can be entered by one thread at a time, so each call takes a copy.
        return _CONTEXT.copy().run(function, *arguments)
    with np.errstate(all="ignore"):
        return function(*arguments)
