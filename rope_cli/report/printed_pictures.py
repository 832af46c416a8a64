"""Checks between the computed arrays and the pictures."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.blocks import (
    Curve,
    Dials,
    Heat,
    Line,
    Matrix,
    Number,
    Panel,
    Plane,
    Section,
    Series,
    lines_of,
)
from rope_cli.document.check import Check
from rope_cli.example import reference
from rope_cli.example.parameters import Parameters
from rope_cli.report.replay import leaves_of

Array = NDArray[np.float64]


def check_pictures(sections: Sequence[Section], parameters: Sequence[Parameters]) -> Check:
    """How many curves, shades and arrows show no part of an array of their section in its order."""
    facts = [
        fact
        for section, used in zip(sections, parameters, strict=True)
        for fact in facts_of(section, used)
    ]
    return Check("printed-pictures", float(facts.count(False)), 0.0, len(facts))


def facts_of(section: Section, used: Parameters) -> Iterator[bool]:
    """For each line, matrix or arrow of the pictures whether it is one of the section."""
    pictures = [
        block for block in section.blocks if isinstance(block, Series | Dials | Heat | Plane)
    ]
    arrays = arrays_of(section) if pictures else []
    for picture in pictures:
        match picture:
            case Series(curves=curves, dense=dense):
                for curve in (*curves, *dense):
                    yield from facts_of_curve(curve, arrays)
            case Dials(hands=curves):
                for curve in curves:
                    yield from facts_of_curve(curve, arrays)
            case Heat():
                yield from facts_of_heat(picture, section, arrays)
            case Plane(panels=panels):
                for panel in panels:
                    yield all(is_pair(arrow.tip, arrays) for arrow in panel.arrows)
                    yield is_named_by_positions(panel, used)


def arrays_of(section: Section) -> list[Array]:
    """The arrays of a section; of numbers that stand alone in lists the lists."""
    arrays = [
        np.asarray(leaf, dtype=np.float64)
        for _, leaf in leaves_of(section.values)
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "iuf"
    ]
    lists: list[object] = [section.values]
    while lists:
        value = lists.pop()
        if isinstance(value, dict):
            lists += value.values()
        elif isinstance(value, list) and value:
            if all(isinstance(item, int | float) for item in value):
                arrays.append(np.asarray(value, dtype=np.float64))
            else:
                lists += value
    return arrays


def facts_of_curve(curve: Curve, arrays: Sequence[Array]) -> Iterator[bool]:
    """Places counted from 0 and heights that are all the same need no array."""
    xs, ys = np.array(curve.xs), np.array(curve.ys)
    yield bool((xs == np.arange(xs.size)).all()) or is_line(xs, arrays)
    yield bool((ys == ys[:1]).all()) or is_line(ys, arrays)


def is_line(line: Array, arrays: Sequence[Array], along: Sequence[int] = (-1, -2, -3)) -> bool:
    """Whether an array has this line along one of these axes."""
    return any(
        line.size == array.shape[axis]
        and bool((np.moveaxis(array, axis, -1).reshape(-1, line.size) == line).all(axis=1).any())
        for array in arrays
        for axis in along
        if array.ndim >= -axis
    )


def facts_of_heat(heat: Heat, section: Section, arrays: Sequence[Array]) -> Iterator[bool]:
    """Rows of the section; signs alone need none. A table of these numbers has these names."""
    rows, names = np.array(heat.values), (heat.row_names, heat.column_names)
    if not np.isin(rows, (0.0, 1.0)).all():
        yield all(is_line(row, arrays, along=(-1,)) for row in rows)
    tables = [
        ((block.row_names, block.column_names) == names, np.array_equal(numbers_of(block), rows))
        for block in section.blocks
        if isinstance(block, Matrix)
    ]
    if any(map(any, tables)):
        yield any(map(all, tables))


def numbers_of(matrix: Matrix) -> Array:
    """The first number of each cell, NaN where there is none."""
    lines: list[list[Line]] = [[lines_of(cell)[0] for cell in row] for row in matrix.cells]
    return np.array(
        [[line.value if isinstance(line, Number) else math.nan for line in row] for row in lines]
    )


def is_pair(tip: tuple[float, float], arrays: Sequence[Array]) -> bool:
    """Whether a row of an array has these coordinates, the first before the second."""
    return any(
        bool(((array == tip[0]).argmax(axis=-1) < last_of(array == tip[1])).any())
        for array in arrays
        if array.ndim and (array == tip[0]).any()
    )


def last_of(places: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The last true place of each row, -1 if there is none."""
    backwards = places[..., ::-1].argmax(axis=-1)
    return np.where(places.any(axis=-1), places.shape[-1] - 1 - backwards, -1)


def is_named_by_positions(panel: Panel, used: Parameters) -> bool:
    """Whether arrows of one length that are named m=0, m=1 ... are rotated by m·θ_j for one j.

    Arrows of length 1 begin at [1, 0] for m = 0; of others the first one is taken as it is.
    """
    names = [str(arrow.name).partition("m=")[2] for arrow in panel.arrows]
    tips = [complex(*arrow.tip) for arrow in panel.arrows]
    lengths = np.abs(tips)
    if not all(name.isdigit() for name in names) or np.ptp(lengths) > 1e-9:
        return True
    positions = [int(name) for name in names]
    first, start = (0, 1 + 0j) if abs(lengths[0] - 1) < 1e-9 else (positions[0], tips[0])
    return any(
        all(
            abs(tip - start * cmath.exp(1j * (position - first) * theta)) < 1e-5
            for tip, position in zip(tips, positions, strict=True)
        )
        for theta in reference.angles(1, used.feature_width, used.base).tolist()
    )
