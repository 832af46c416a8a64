"""The table of pairs: what was expected of each, and what was measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rope_cli.document.blocks import (
    MORE,
    Block,
    Cell,
    Column,
    Curve,
    Number,
    Paragraph,
    Phrase,
    Series,
    Significant,
    Table,
    shown_indices,
)
from rope_cli.document.charts import Style, floats
from rope_cli.document.vocabulary import t, table
from rope_cli.text import Text
from rope_cli.verify.explain.verdict import Finding
from rope_cli.verify.measure.expected import Expected

# A measured frequency is shown when it is surer than this share of it.
SURE = 0.01
# A ratio that differs from 1 by more than this is shown, however many pairs there are.
SEEN = 1e-3
ALIKE = 0.98
UNKNOWN = "?"
FREQUENCY = t("frequency", "частота")
BESIDE = t(
    "Measured frequencies beside the expected ones:", "Измеренные частоты рядом с ожидаемыми:"
)
SEEN_THERE = t(
    "Where measured and expected coincide, the pair turns as it should; a gap is a wrong "
    "frequency. What turns backwards is a curve of its own.",
    "Где измеренное и ожидаемое совпали, пара поворачивается верно; просвет — неверная частота. "
    "Поворот в обратную сторону показан отдельной кривой.",
)
UNMEASURED = t(
    "? These arrays leave that pair open: it turns by less than the rounding between them.",
    "? Для такой пары массивы ничего не говорят: её поворот меньше округления.",
)


def pairs_table(finding: Finding, expected: Expected, every_row: bool) -> tuple[Block, ...]:
    """Each pair with what was expected of it and what was measured.

    Of tokens at several positions the frequency is measured, of a single position only the angle.
    """
    if finding.slopes is None:
        return (angles_table(finding, expected, every_row),)
    measured, gains = measured_frequencies(finding), gains_of(finding)

    def row(pair: int) -> tuple[Cell, ...]:
        found, right = measured[pair], frequency_of(expected, pair)
        return (
            pair,
            *expectation(right),
            UNKNOWN if found is None else Significant(float(f"{found:.6g}")),
            UNKNOWN if found is None or right == 0 else Number(found / right),
            Number(gains[pair]),
        )

    columns = (
        *EXPECTATION,
        Column(t("measured", "измерено"), "right"),
        Column(t("ratio", "отношение"), "right"),
        Column(t("gain", "рост длины"), "right"),
    )
    right = [frequency_of(expected, pair) for pair in range(len(measured))]
    telling = telling_pairs(measured, right)
    pairs = table(None, columns, rows_of(len(measured), every_row, row, len(columns), telling))
    unsure = (Paragraph(UNMEASURED),) if None in measured else ()
    return (pairs, *unsure, *picture(measured, right))


def picture(measured: Sequence[float | None], right: Sequence[float]) -> tuple[Series, ...]:
    """Measured frequencies beside the expected ones, where at least two were measured."""
    known = [(pair, value) for pair, value in enumerate(measured) if value is not None]
    expected = [(pair, value) for pair, value in enumerate(right) if value > 0]
    curves = (
        curve(t("expected", "ожидается"), expected, "dashed"),
        curve(t("measured", "измерено"), [(at, one) for at, one in known if one > 0]),
        curve(
            t("measured, turning backwards", "измерено, поворот в обратную сторону"),
            [(at, -one) for at, one in known if one < 0],
            "dotted",
        ),
    )
    if len(known) < 2 or not expected:
        return ()
    drawn = tuple(each for each in curves if each.xs)
    return (Series(BESIDE, (t("pair j", "пара j"), FREQUENCY), drawn, SEEN_THERE, "y"),)


def curve(
    name: Text,
    points: Sequence[tuple[int, float]],
    style: Style = "solid",
) -> Curve:
    """Pairs and their frequencies as a curve."""
    places, values = zip(*points, strict=True) if points else ((), ())
    return Curve(name, floats(places), floats(values), style)


EXPECTATION = (
    Column("j", "right"),
    Column(FREQUENCY, "right"),
    Column(t("wavelength", "длина волны"), "right"),
)


def frequency_of(expected: Expected, pair: int) -> float:
    """The expected frequency of a pair; 0 of one that should not turn at all."""
    return float(expected.theta[pair]) if pair < len(expected.theta) else 0.0


def expectation(right: float) -> tuple[Cell, ...]:
    """The expected frequency and its wavelength."""
    return Significant(right), "-" if right == 0 else Significant(2 * math.pi / right)


def angles_table(finding: Finding, expected: Expected, every_row: bool) -> Table:
    """The angle of each pair at the only position there is."""
    m = float(finding.turns.positions[0])
    angles = np.angle(finding.turns.factors.sum(axis=0))
    gains = gains_of(finding)

    def row(pair: int) -> tuple[Cell, ...]:
        right = frequency_of(expected, pair)
        turned = math.remainder(m * right, 2 * math.pi)
        return (
            pair,
            *expectation(right),
            Number(turned),
            Number(angles[pair]),
            Number(gains[pair]),
        )

    columns = (
        *EXPECTATION,
        Column(t("angle", "угол"), "right"),
        Column(t("measured", "измерено"), "right"),
        Column(t("gain", "рост длины"), "right"),
    )
    return table(None, columns, rows_of(len(gains), every_row, row, len(columns)))


def rows_of(
    count: int,
    every_row: bool,
    row: Callable[[int], tuple[Cell, ...]],
    width: int,
    telling: Iterable[int] = (),
) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a table of pairs, of many only those at both ends and the telling ones."""
    wanted = [at for at in shown_indices(count, every_row) if at is not None]
    if len(wanted) < count:
        wanted = sorted({*wanted, *(at for at in telling if 0 <= at < count)})
    rows: list[tuple[Cell, ...]] = []
    for before, at in zip([-1, *wanted], wanted, strict=False):
        if at - before > 1:
            hidden: Cell = Phrase(MORE, {"hidden": at - before - 1})
            rows.append(("", hidden, *[""] * (width - 2)))
        rows.append(row(at))
    return tuple(rows)


def telling_pairs(found: Sequence[float | None], right: Sequence[float]) -> Iterable[int]:
    """Where frequencies begin to differ from the expected ones, and where they differ most."""
    off = [
        abs(one / two - 1) if one is not None and two else 0.0
        for one, two in zip(found, right, strict=True)
    ]
    first = next((pair for pair, much in enumerate(off) if much > SEEN), None)
    if first is None:
        return ()
    # Of pairs that are all off alike the first is the telling one, not the noisiest.
    far = next(pair for pair, much in enumerate(off) if much >= ALIKE * max(off))
    return (first - 1, first, first + 1, far - 1, far)


def measured_frequencies(finding: Finding) -> list[float | None]:
    """The measured frequency of each pair; ``None`` where the data leaves it open."""
    slopes = finding.slopes
    if slopes is None:
        return [None] * finding.turns.factors.shape[1]
    return [
        float(value) if off <= max(SURE * abs(value), 1e-12) else None
        for value, off in zip(slopes.theta, slopes.uncertainty, strict=True)
    ]


def gains_of(finding: Finding) -> list[float]:
    """By how much the length of each pair grew, in the middle of all rows."""
    return [float(gain) for gain in np.median(np.abs(finding.turns.factors), axis=0)]
