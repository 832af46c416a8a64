"""How fast each pair rotates: frequencies, degrees, periods, and the tables made from them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Cue, Paragraph, Series, Short, Table, cue_of_speed
from rope_cli.document.charts import curves
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, same_bits
from rope_cli.document.formatting import CUE_WORDS
from rope_cli.document.summaries import rows_by_position_and_pair, summarised_rows
from rope_cli.document.vocabulary import digits_kept, formula, left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.positions import rows_to_compare
from rope_cli.example.worked_example import Array, Example, as_array

TITLE = t("How fast each pair rotates", "Скорость каждой пары")
QUESTION = t(
    "In a row of d coordinates pair j, counted from 0, rotates by θ_j = b^(-2j/d) radians per "
    "position; b, the base, is chosen in advance. With d = 4 and b = 100, which pair is faster, "
    "and how many positions does each need for a full circle?",
    "В строке из d координат пара j (считая с 0) поворачивается за позицию на θ_j = b^(-2j/d) "
    "радиан; число b, основание, выбрано заранее. Какая пара быстрее при d = 4 и b = 100 и сколько "
    "позиций нужно каждой на полный оборот?",
)
OWN_QUESTION = t(
    "In a row of d coordinates pair j rotates by θ_j = b^(-2j/d) radians per position. Which pair "
    "is the fastest, and how many positions does each need for a full circle?",
    "В строке из d координат пара j поворачивается за позицию на θ_j = b^(-2j/d) радиан. Какая "
    "пара самая быстрая и сколько позиций нужно каждой на полный оборот?",
)

USES = frozenset({"feature_width", "base", "layout", "positions", "shift", "every_row"})
CLAIMS = {
    "first-frequency-is-one": t(
        "pair 0 rotates by exactly 1 radian per position",
        "пара 0 поворачивается ровно на 1 радиан за позицию",
    ),
    "frequencies-by-formula": t("every frequency is b^(-2j/d)", "каждая частота равна b^(-2j/d)"),
    "degrees-and-periods": t(
        "degrees are θ_j·180/π and periods 2π/θ_j",
        "градусы равны θ_j·180/π, периоды — 2π/θ_j",
    ),
    "frequency-ratio": t(
        "neighbouring frequencies have the ratio b^(-2/d); the next after the last would be 1/b",
        "отношение соседних частот равно b^(-2/d); за последней шла бы частота 1/b",
    ),
    "fast-pair-first": t(
        "each pair is slower than the one before it; faster if b < 1, as fast if b = 1",
        "каждая пара медленнее предыдущей; при b < 1 — быстрее, при b = 1 скорости равны",
    ),
    "angles-by-formula": t(
        "each angle is the position times b^(-2j/d)",
        "каждый угол равен позиции, умноженной на b^(-2j/d)",
    ),
    "tables-from-angles": t(
        "the tables hold the cosines and sines of these angles",
        "в таблицах стоят косинусы и синусы этих углов",
    ),
}
PAIR = t("pair j", "пара j")
WHY_THIS_BASE = say(
    "Language models mostly use 10000 or more. The chapter uses 100, because otherwise the slower "
    "of only two pairs would hardly move in a few positions.",
    "В языковых моделях основание обычно 10000 или больше. Но пар здесь всего две, и при таком "
    "основании медленная за несколько позиций почти не повернулась бы; поэтому в главе взято 100.",
)


def gather(example: Example) -> Evidence:
    """Frequencies and tables of the embedding beside the plain formula."""
    parameters = example.parameters
    theta = example.embedding.inverse_frequencies
    width, base = parameters.feature_width, parameters.base
    plain = [reference.inverse_frequency(pair, width, base) for pair in range(parameters.pairs)]
    positions = np.array(example.reached_positions)
    cosines, sines = example.tables_at(example.reached_positions)
    compared = rows_to_compare(len(positions))
    degrees = np.degrees(theta)
    periods = 2 * math.pi / theta
    angles = np.outer(positions, theta)
    plain_angles = np.outer(positions[compared], plain)
    tables = [cosines[compared], sines[compared]]
    plain_tables = [np.cos(plain_angles), np.sin(plain_angles)]
    return Evidence(
        values={
            "frequency_base": base,
            "inverse_frequencies": theta,
            "degrees_per_position": degrees,
            "periods": periods,
            "table_length": len(positions),
            "table_positions": positions,
            "table_shift": parameters.shift,
            "angles": angles,
            "cosines": cosines,
            "sines": sines,
        },
        checks=(
            same_bits("first-frequency-is-one", theta[:1], np.ones(1)),
            agree("frequencies-by-formula", theta / plain, np.ones(len(plain)), 1e-14),
            check_degrees_and_periods(plain, degrees, periods),
            *check_neighbours(theta, width, base),
            agree("angles-by-formula", angles[compared], plain_angles, example.tolerance(1.0)),
            agree("tables-from-angles", tables, plain_tables, example.tolerance(1.0)),
        ),
        parameters=parameters,
    )


def check_neighbours(theta: Array, width: int, base: float) -> tuple[Check, Check]:
    """Each frequency beside the next one; that after the last would be 1 / base."""
    neighbours = np.append(theta, 1 / base)
    steps = neighbours[1:] / neighbours[:-1] * base ** (2 / width)
    falling = np.sign(neighbours[:-1] - neighbours[1:]) == np.sign(base - 1)
    return (
        agree("frequency-ratio", steps, np.ones(len(steps)), 1e-14),
        all_true("fast-pair-first", falling.tolist()),
    )


def check_degrees_and_periods(plain: list[float], degrees: Array, periods: Array) -> Check:
    """The columns shown beside the frequencies, relative to the plain formula."""
    expected = [[theta * 180 / math.pi, 2 * math.pi / theta] for theta in plain]
    ratios = np.column_stack([degrees, periods]) / as_array(expected)
    return agree("degrees-and-periods", ratios, np.ones_like(ratios), 1e-14)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """A table of the pairs, one of angles with their cosines and sines."""
    theta = evidence["inverse_frequencies"]
    return (
        say(
            "A row of d coordinates (d is the feature width, an even number) consists of d/2 "
            "pairs, in the chapter of neighbouring coordinates, counted from 0. Here d = {width}; "
            "number of pairs: {pairs}. The speed of pair j, its frequency θ_j in radians per "
            "position, follows from one number b > 0, the base, here {base}:",
            "Строка из d координат (d — ширина признаков, чётное число) состоит из d/2 пар, их "
            "нумеруют с 0; в главе пара — две соседние координаты. Здесь d = {width}, число пар: "
            "{pairs}. Скорость пары j, её частоту θ_j в радианах на позицию, задаёт одно число b > "
            "0, основание частот, здесь {base}:",
            width=2 * len(theta),
            pairs=len(theta),
            base=Short(evidence["frequency_base"]),
        ),
        formula("θ_j = b^(-2j/d)"),
        *(() if evidence.own else (WHY_THIS_BASE,)),
        table_of_pairs(evidence),
        describe_speeds(theta),
        chart_of_frequencies(evidence),
        chart_of_periods(evidence),
        table_of_angles(evidence),
    )


def table_of_pairs(evidence: Evidence) -> Table:
    """Frequency, degrees and period of each pair."""
    theta, degrees = evidence["inverse_frequencies"], evidence["degrees_per_position"]
    periods = evidence["periods"]

    def row(pair: int) -> tuple[Any, ...]:
        cue = cue_of_speed(pair, theta)
        name = (cue, " ", CUE_WORDS[cue]) if isinstance(cue, Cue) else (cue,)
        return (
            (pair, " ", *name),
            digits_kept(theta[pair]),
            digits_kept(degrees[pair]),
            periods[pair],
        )

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


def chart_of_frequencies(evidence: Evidence) -> Series:
    """The frequency of each pair."""
    theta = evidence["inverse_frequencies"]
    return Series(
        t("Frequency of each pair", "Частота каждой пары"),
        (PAIR, t("radians per position", "радианы на позицию")),
        curves(range(len(theta)), (t("frequency θ_j", "частота θ_j"), theta)),
        t(
            "On this logarithmic scale the frequencies lie on one straight line.",
            "На этой логарифмической шкале частоты лежат на одной прямой.",
        ),
        "y",
        graphical=True,
    )


def chart_of_periods(evidence: Evidence) -> Series:
    """Periods beside the number of positions."""
    theta, positions = evidence["inverse_frequencies"], int(evidence["table_positions"].max()) + 1
    count = t(
        "number of positions in the table below: {count}",
        "число позиций в таблице ниже: {count}",
        count=positions,
    )
    return Series(
        t(
            "Period of each pair, and the number of positions:",
            "Период каждой пары и число позиций:",
        ),
        (PAIR, t("positions", "позиции")),
        curves(
            range(len(theta)),
            (t("period 2π/θ_j", "период 2π/θ_j"), evidence["periods"]),
            (count, np.full_like(theta, positions)),
        ),
        t(
            "On this logarithmic scale the periods lie on one straight line. A pair whose period "
            "exceeds the number of positions does not complete a circle within them.",
            "На этой логарифмической шкале периоды лежат на одной прямой. Пара, период которой "
            "больше числа позиций, не успевает сделать полный оборот.",
        ),
        "y",
    )


def describe_speeds(theta: Array) -> Paragraph:
    """Which pair rotates fastest, and what code calls the frequencies."""
    if len(theta) == 1:
        en = "Pair 0, the only one here, rotates by {fast} rad per position whatever the base."
        ru = "Пара 0, здесь единственная, при любом основании проходит {fast} рад за позицию."
    elif theta[0] == theta[-1]:
        en = "With base 1 all pairs rotate equally fast, by {fast} rad per position."
        ru = "При основании 1 все пары поворачиваются одинаково, на {fast} рад за позицию."
    elif theta[0] >= theta[-1]:
        en = "Pair 0 has the highest frequency, {fast} rad per position whatever the base."
        ru = "Частота пары 0 самая высокая; она равна {fast} рад на позицию при любом основании."
    else:
        en = "With a base below 1 the last pair has the highest frequency, {fast} rad per position."
        ru = "При основании меньше 1 самая высокая частота у последней пары: {fast} рад на позицию."
    return say(
        en + " At that speed a full circle, 2π radians, takes {period} positions. Code calls the "
        "θ_j inverse frequencies, because it computes them as 1 / b^(2j/d). They are speeds all "
        "the same: the larger θ_j is, the faster the pair and the shorter its period, 2π/θ_j.",
        ru + " При такой скорости полный оборот, 2π радиан, занимает {period} позиции. В коде "
        "числа θ_j называют обратными частотами, ведь их вычисляют как 1 / b^(2j/d). И всё же это "
        "скорости: чем больше θ_j, тем быстрее пара и тем короче её период, 2π/θ_j.",
        fast=Short(max(theta)),
        period=2 * math.pi / max(theta),
    )


def table_of_angles(evidence: Evidence) -> Table:
    """Angle, cosine and sine of each pair at each position."""
    theta, positions = evidence["inverse_frequencies"], evidence["table_positions"]
    angles, cosines, sines = (evidence[name] for name in ("angles", "cosines", "sines"))
    return table(
        t(
            "Code often computes the cosines and sines once and keeps them as a table. Here it "
            "holds the positions of the example, and the same positions after the equal shift, "
            "which adds {shift} to every position:",
            "Косинусы и синусы нередко вычисляют один раз и хранят таблицей. В ней позиции примера "
            "и они же после одинакового сдвига, при котором к каждой позиции прибавляется {shift}:",
            shift=evidence["table_shift"],
        ),
        (*right("m"), *left(PAIR), *right(t("angle m·θ_j", "угол m·θ_j"), "cos", "sin")),
        rows_by_position_and_pair(
            angles.shape,
            evidence.every_row,
            lambda row, pair: (
                positions[row],
                (pair, " ", cue_of_speed(pair, theta)),
                digits_kept(angles[row][pair]),
                cosines[row][pair],
                sines[row][pair],
            ),
        ),
    )
