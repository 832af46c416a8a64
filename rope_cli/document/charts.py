"""Numbers of the evidence as curves of a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rope_cli.document.blocks import Cue, Curve, Line, Series
from rope_cli.text import Text

Style = Literal["solid", "dashed", "dotted", "dashdot"]
# The styles of curves that are drawn together, in their order.
STYLES: tuple[Style, ...] = ("solid", "dashed", "dotted", "dashdot")
# Distances beyond this one are shown on a logarithmic axis.
FAR = 100


def floats(values: Iterable[float]) -> tuple[float, ...]:
    """Plain floats, from an array for instance."""
    return tuple(float(value) for value in values)


def curves(xs: Iterable[float], *named: tuple[Line, Iterable[float]]) -> tuple[Curve, ...]:
    """Curves over the same places, each with its name and in a style of its own."""
    places = floats(xs)
    return tuple(
        Curve(name, places, floats(ys), STYLES[at % len(STYLES)])
        for at, (name, ys) in enumerate(named)
    )


def by_distance(
    distances: Sequence[int], values: Iterable[float], name: Text, caption: Text, alt: Text
) -> Series:
    """One curve over the distance, whose axis is logarithmic where it goes far."""
    far = distances[-1] > FAR
    axes = ("D = m-n", name)
    return Series(caption, axes, curves(distances, (name, values)), alt, "x" if far else "")


CUES = {Cue.SLOW: "dashed", Cue.EARLIER: "dashed", Cue.EQUAL: "dotted"}


def line_style(curve: Curve) -> str:
    """How the line of a curve is drawn; a cue stands for the style of its own."""
    return CUES.get(curve.style, "solid") if isinstance(curve.style, Cue) else curve.style
