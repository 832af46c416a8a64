"""How fast each pair turns: frequencies, degrees, periods, and the tables made from them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Cue, Paragraph, Series, Table, cue_of_speed
from rope_cli.document.charts import curves
from rope_cli.document.evidence import Evidence, agree, all_true, same_bits
from rope_cli.document.formatting import CUE_WORDS
from rope_cli.document.summaries import rows_by_position_and_pair, summarised_rows
from rope_cli.document.vocabulary import formula, left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.positions import rows_to_compare
from rope_cli.example.worked_example import Array, Example

TITLE = t("How fast each pair turns", "Скорости поворота пар")
QUESTION = t(
    "Which pair turns faster, and how many positions does a full turn of each take?",
    "Какая пара поворачивается быстрее и сколько позиций занимает полный оборот каждой?",
)

USES = frozenset({"feature_width", "base", "layout", "positions", "shift", "every_row"})
CLAIMS = {
    "first-frequency-is-one": t(
        "pair 0 turns by exactly 1 radian per position",
        "пара 0 поворачивается ровно на 1 радиан за позицию",
    ),
    "frequencies-by-formula": t("every frequency is b^(-2j/d)", "каждая частота равна b^(-2j/d)"),
    "frequency-ratio": t(
        "neighbouring frequencies have the ratio b^(-2/d), down to 1/b",
        "отношение соседних частот равно b^(-2/d), вплоть до 1/b",
    ),
    "fast-pair-first": t(
        "each pair turns more slowly than the one before it (a base below 1: faster)",
        "каждая пара поворачивается медленнее предыдущей (при b < 1 — быстрее)",
    ),
    "tables-from-angles": t(
        "the tables hold cos and sin of position times frequency",
        "в таблицах стоят cos и sin произведения позиции на частоту",
    ),
}
PAIR = t("pair j", "пара j")


def gather(example: Example) -> Evidence:
    """Frequencies and tables of the embedding beside the plain formula."""
    parameters = example.parameters
    theta = example.embedding.inverse_frequencies
    width, base = parameters.feature_width, parameters.base
    plain = [reference.inverse_frequency(pair, width, base) for pair in range(parameters.pairs)]
    cosines, sines = example.tables_at(example.reached_positions)
    positions = np.array(example.reached_positions)
    compared = rows_to_compare(len(positions))
    plain_angles = np.outer(positions[compared], plain)
    # The next frequency after the last would be 1 / base: a single pair has a neighbour too.
    neighbours = np.append(theta, 1 / base)
    steps = neighbours[1:] / neighbours[:-1] * base ** (2 / width)
    falling = np.sign(neighbours[:-1] - neighbours[1:]) == np.sign(base - 1)
    return Evidence(
        values={
            "inverse_frequencies": theta,
            "degrees_per_position": np.degrees(theta),
            "periods": 2 * math.pi / theta,
            "table_length": len(positions),
            "table_positions": positions,
            "angles": np.outer(positions, theta),
            "cosines": cosines,
            "sines": sines,
        },
        checks=(
            same_bits("first-frequency-is-one", theta[:1], np.ones(1)),
            agree("frequencies-by-formula", theta / plain, np.ones(len(plain)), 1e-14),
            agree("frequency-ratio", steps, np.ones(len(steps)), 1e-14),
            all_true("fast-pair-first", falling.tolist()),
            agree(
                "tables-from-angles",
                [cosines[compared], sines[compared]],
                [np.cos(plain_angles), np.sin(plain_angles)],
                example.tolerance(1.0),
            ),
        ),
        parameters=parameters,
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """A table of the pairs, one of angles with their cosines and sines."""
    return (
        formula("θ_j = b^(-2j/d)"),
        table_of_pairs(evidence),
        chart_of_periods(evidence),
        describe_speeds(evidence["inverse_frequencies"]),
        table_of_angles(evidence),
    )


def table_of_pairs(evidence: Evidence) -> Table:
    """Frequency, degrees and period of each pair."""
    theta, degrees = evidence["inverse_frequencies"], evidence["degrees_per_position"]
    periods = evidence["periods"]

    def row(pair: int) -> tuple[Any, ...]:
        cue = cue_of_speed(pair, theta)
        name = (cue, " ", CUE_WORDS[cue]) if isinstance(cue, Cue) else (cue,)
        return (pair, " ", *name), theta[pair], degrees[pair], periods[pair]

    return table(
        None,
        (
            *left(PAIR),
            *right(
                t("radians per position", "радиан на позицию"),
                t("degrees per position", "градусов на позицию"),
                t("period, positions", "период, позиций"),
            ),
        ),
        summarised_rows(len(theta), evidence.every_row, row),
    )


def chart_of_periods(evidence: Evidence) -> Series:
    """Frequencies and periods beside the number of positions."""
    theta, positions = evidence["inverse_frequencies"], int(evidence["table_positions"].max()) + 1
    count = t(
        "positions of the table below: {count}", "позиций в таблице ниже: {count}", count=positions
    )
    return Series(
        t(
            "Each pair's frequency and period, beside the number of positions:",
            "Частота и период каждой пары рядом с числом позиций:",
        ),
        (PAIR, t("radians per position, positions", "радиан на позицию, позиций")),
        curves(
            range(len(theta)),
            (t("frequency θ_j", "частота θ_j"), theta),
            (t("period 2π/θ_j", "период 2π/θ_j"), evidence["periods"]),
            (count, np.full_like(theta, positions)),
        ),
        t(
            "On this logarithmic scale the frequencies lie on one straight line and the periods "
            "on another. A pair whose period is beyond the number of positions completes no turn "
            "within them.",
            "На этой логарифмической шкале частоты лежат на одной прямой, а периоды — на "
            "другой. Пара, чей период больше числа позиций, не успевает сделать полный оборот.",
        ),
        "y",
    )


def describe_speeds(theta: Array) -> Paragraph:
    """Which pair rotates fastest, and what code calls the frequencies."""
    if len(theta) > 1 and theta[0] == theta[-1]:
        en = "With base 1 all pairs turn alike"
        ru = "При основании 1 все пары поворачиваются одинаково"
    elif theta[0] >= theta[-1]:
        en = "Pair 0 is the high-frequency one"
        ru = "Пара 0 — высокочастотная"
    else:
        en = "With a base below 1 the last pair is the high-frequency one"
        ru = "При основании меньше 1 высокочастотна последняя пара"
    return say(
        en + ": {fast} radians per position. Code calls these numbers inverse frequencies (they "
        "are 1 / b^(2j/d)); they are angular speeds, and the period is 2π/θ_j.",
        ru + ": {fast} радиана на позицию. В коде эти числа называют обратными частотами (это "
        "1 / b^(2j/d)), но по смыслу они — угловые скорости, а период равен 2π/θ_j.",
        fast=max(theta),
    )


def table_of_angles(evidence: Evidence) -> Table:
    """The tables of the embedding: angle, cosine and sine of each pair at each position."""
    theta, positions = evidence["inverse_frequencies"], evidence["table_positions"]
    angles, cosines, sines = (evidence[name] for name in ("angles", "cosines", "sines"))
    return table(
        None,
        (*right("m"), *left(PAIR), *right(t("angle m·θ_j", "угол m·θ_j"), "cos", "sin")),
        rows_by_position_and_pair(
            angles.shape,
            evidence.every_row,
            lambda row, pair: (
                positions[row],
                (pair, " ", cue_of_speed(pair, theta)),
                angles[row][pair],
                cosines[row][pair],
                sines[row][pair],
            ),
        ),
    )
