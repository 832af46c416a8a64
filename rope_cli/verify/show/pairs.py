"""The table of pairs: what was expected of each, and what was measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from rope_cli.document.blocks import Block, Curve, Phrase, Series, Significant, Style, Table
from rope_cli.document.charts import floats
from rope_cli.document.summaries import MORE, shown_indices
from rope_cli.document.vocabulary import Values, right, say, t, table
from rope_cli.text import Text
from rope_cli.verify.explain.verdict import Finding
from rope_cli.verify.measure.expected import Expected

Row = tuple[Values, ...]

# A measured frequency is shown if its uncertainty is below this share of it.
MOST_UNCERTAINTY = 0.01
# A ratio that differs from 1 by more than this is always shown.
VISIBLE = 1e-3
# Differences of at least this share of the greatest one count as equal to it.
NEARLY_GREATEST = 0.98
UNKNOWN = "?"
FREQUENCY = t("frequency", "частота")
EXPECTED_COLUMNS = right("j", FREQUENCY, t("period", "период"))


def pairs_table(finding: Finding, expected: Expected, every_row: bool) -> tuple[Block, ...]:
    """Each pair with what was expected of it and what was measured.

    Tokens at several positions give a frequency, those at a single position only an angle.
    """
    if finding.estimate is None:
        return (angles_table(finding, expected, every_row),)
    measured, gains = measured_frequencies(finding), finding.rotations.gains
    pairs = range(len(measured))
    frequencies = [expected_frequency(expected, pair) for pair in pairs]

    def row(pair: int) -> Row:
        value, frequency = measured[pair], frequencies[pair]
        return (
            pair,
            *expected_cells(frequency),
            UNKNOWN if value is None else Significant(float(f"{value:.6g}")),
            UNKNOWN if value is None or frequency == 0 else value / frequency,
            gains[pair],
        )

    columns = (
        *EXPECTED_COLUMNS,
        *right(
            t("measured", "измерено"), t("ratio", "отношение"), t("length ratio", "отношение длин")
        ),
    )
    telling = telling_pairs(measured, frequencies)
    blocks: list[Block] = [
        table(None, columns, table_rows(len(measured), every_row, row, len(columns), telling))
    ]
    if None in measured:
        blocks.append(
            say(
                "? The arrays do not determine this frequency: between their positions the pair "
                "rotates by less than the rounding error.",
                "? По массивам эту частоту не определить: между их позициями пара поворачивается "
                "меньше чем на величину округления.",
            )
        )
    return (*blocks, *frequency_chart(measured, frequencies))


def angles_table(finding: Finding, expected: Expected, every_row: bool) -> Table:
    """The angle of each pair at the only position there is."""
    position = float(finding.rotations.positions[0])
    angles, gains = finding.rotations.mean_angles, finding.rotations.gains

    def row(pair: int) -> Row:
        frequency = expected_frequency(expected, pair)
        angle = math.remainder(position * frequency, 2 * math.pi)
        return (pair, *expected_cells(frequency), angle, angles[pair], gains[pair])

    columns = (
        *EXPECTED_COLUMNS,
        *right(t("angle", "угол"), t("measured", "измерено"), t("length ratio", "отношение длин")),
    )
    return table(None, columns, table_rows(len(gains), every_row, row, len(columns)))


def frequency_chart(
    measured: Sequence[float | None], frequencies: Sequence[float]
) -> tuple[Series, ...]:
    """Measured frequencies beside the expected ones, where at least two were measured."""
    known = [(pair, value) for pair, value in enumerate(measured) if value is not None]
    expected = [(pair, value) for pair, value in enumerate(frequencies) if value > 0]
    if len(known) < 2 or not expected:
        return ()
    forward = [(pair, value) for pair, value in known if value > 0]
    backward = [(pair, -value) for pair, value in known if value < 0]
    curves = (
        curve(t("expected", "ожидается"), expected, "long"),
        curve(t("measured", "измерено"), forward),
        curve(
            t("measured, rotating backwards", "измерено, поворот в обратную сторону"),
            backward,
            "dotted",
        ),
    )
    return (
        Series(
            t(
                "Measured frequencies beside the expected ones:",
                "Измеренные частоты рядом с ожидаемыми:",
            ),
            (t("pair j", "пара j"), FREQUENCY),
            tuple(drawn for drawn in curves if drawn.xs),
            t(
                "Where the measured point meets the expected one, the pair rotates as it should; "
                "a gap is a wrong frequency. Pairs that rotate backwards have a curve of their "
                "own.",
                "Там, где измеренная точка совпала с ожидаемой, пара поворачивается верно; просвет "
                "между ними — неверная частота. Пары, которые поворачиваются в обратную сторону, "
                "показаны отдельной кривой.",
            ),
            "y",
        ),
    )


def curve(name: Text, points: Sequence[tuple[int, float]], style: Style = "solid") -> Curve:
    """Pairs and their frequencies as a curve."""
    pairs, values = zip(*points, strict=True) if points else ((), ())
    return Curve(name, floats(pairs), floats(values), style)


def expected_frequency(expected: Expected, pair: int) -> float:
    """The expected frequency of a pair; 0 if it must not rotate at all."""
    return float(expected.frequencies[pair]) if pair < expected.pairs else 0.0


def expected_cells(frequency: float) -> Row:
    """The expected frequency and its wavelength."""
    return Significant(frequency), "-" if frequency == 0 else Significant(2 * math.pi / frequency)


def table_rows(
    count: int, every_row: bool, row: Callable[[int], Row], width: int, telling: Iterable[int] = ()
) -> tuple[Row, ...]:
    """The rows of a table of pairs; of many pairs only those at both ends and the telling ones."""
    pairs = [pair for pair in shown_indices(count, every_row) if pair is not None]
    if len(pairs) < count:
        pairs = sorted({*pairs, *(pair for pair in telling if 0 <= pair < count)})
    rows: list[Row] = []
    for previous, pair in zip([-1, *pairs], pairs, strict=False):
        if pair - previous > 1:
            hidden = Phrase(MORE, {"hidden": pair - previous - 1})
            rows.append(("", hidden, *[""] * (width - 2)))
        rows.append(row(pair))
    return tuple(rows)


def telling_pairs(measured: Sequence[float | None], expected: Sequence[float]) -> Iterable[int]:
    """The pairs where frequencies begin to differ, and where they differ most."""
    differences = [
        abs(value / frequency - 1) if value is not None and frequency else 0.0
        for value, frequency in zip(measured, expected, strict=True)
    ]
    first = next((pair for pair, size in enumerate(differences) if size > VISIBLE), None)
    if first is None:
        return ()
    # If all differ alike, show the first, not the noisiest.
    least = NEARLY_GREATEST * max(differences)
    greatest = next(pair for pair, size in enumerate(differences) if size >= least)
    return (first - 1, first, first + 1, greatest - 1, greatest)


def measured_frequencies(finding: Finding) -> list[float | None]:
    """The measured frequency of each pair; ``None`` where the data leaves it open."""
    estimate = finding.estimate
    if estimate is None:
        return [None] * finding.rotations.factors.shape[1]
    return [
        float(value) if deviation <= max(MOST_UNCERTAINTY * abs(value), 1e-12) else None
        for value, deviation in zip(estimate.frequencies, estimate.uncertainty, strict=True)
    ]
