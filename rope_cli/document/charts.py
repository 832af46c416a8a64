"""Curves of pictures, made from the numbers of the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rope_cli.document.blocks import Arrow, Cue, Curve, Heat, Line, Series, Style
from rope_cli.text import Text

# The styles of curves that are drawn together, in their order.
STYLES: tuple[Style, ...] = ("solid", "long", "dotted", "dashdot")
# Distances beyond this one are shown on a logarithmic axis.
FAR = 100


def floats(values: Iterable[float]) -> tuple[float, ...]:
    """Plain floats, from an array for instance."""
    return tuple(float(value) for value in values)


def curves(
    xs: Iterable[float], *names_and_values: tuple[Line, Iterable[float]]
) -> tuple[Curve, ...]:
    """Curves over the same places, in the styles of :data:`STYLES`."""
    places = floats(xs)
    return tuple(
        Curve(name, places, floats(ys), STYLES[index % len(STYLES)])
        for index, (name, ys) in enumerate(names_and_values)
    )


def series_by_distance(
    distances: Sequence[int], values: Iterable[float], name: Text, caption: Text, alt: Text
) -> Series:
    """One curve over the distance, on a logarithmic axis if it goes beyond :data:`FAR`."""
    far = distances[-1] > FAR
    axes = ("D = m-n", name)
    return Series(caption, axes, curves(distances, (name, values)), alt, "x" if far else "")


def heat_by_position(caption: Line, rows: Iterable[Iterable[float]], alt: Line) -> Heat:
    """Cells by the positions m of queries and n of keys from 0 on, for formats that draw."""
    values = tuple(map(floats, rows))
    queries = tuple(f"m={m}" for m in range(len(values)))
    return Heat(caption, queries, tuple(f"n={n}" for n in range(len(values[0]))), values, alt, True)


CUE_STYLES = {Cue.SLOW: "dashed", Cue.EARLIER: "dashed", Cue.EQUAL: "dotted"}


def joined_runs(curve: Curve, apart_from_zero: bool = False) -> Iterator[tuple[int, int]]:
    """Where a curve is a line: first index and end of each run of places one apart at most.

    Between places farther apart nobody knows the curve. ``apart_from_zero`` ends a run after 0,
    which a logarithmic axis holds beside its line.
    """
    begin = 0
    for end in range(1, len(curve.xs) + 1):
        before = curve.xs[end - 1]
        if (
            end < len(curve.xs)
            and curve.xs[end] - before <= 1
            and not (apart_from_zero and before == 0)
        ):
            continue
        yield begin, end
        begin = end


def line_style(curve: Curve | Arrow) -> str:
    """The style of a curve's line; each cue has a style of its own."""
    return CUE_STYLES.get(curve.style, "solid") if isinstance(curve.style, Cue) else curve.style
