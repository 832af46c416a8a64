"""Fast and slow pairs: which separate distances, and how far the slow ones get in a context."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.blocks import Block, Column, Paragraph, Series, Short, Significant, Table
from rope_cli.document.charts import curves
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true
from rope_cli.document.vocabulary import right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example
from rope_cli.experiments.distances import (
    MODEL_BASE,
    MODEL_CONTEXT,
    MODEL_WIDTH,
    count_unfinished,
    key_rows,
    query_rows,
)

TITLE = t("Fast and slow pairs", "Быстрые и медленные пары")
QUESTION = t(
    "Which pairs are the high frequencies, the first or the last? And from which pairs can one "
    "still read whether D is 1000 or 2000?",
    "Какие пары высокочастотные — первые или последние? И по каким парам ещё можно отличить "
    "D = 1000 от D = 2000?",
)

CLAIMS = {
    "early-pairs-are-fast": t(
        "each pair rotates more slowly than the one before it, so the early pairs are the high "
        "frequencies",
        "каждая пара поворачивается медленнее предыдущей, то есть высокие частоты — у ранних пар",
    ),
    "band-sums-by-cosines": t(
        "each band adds twice the sum of the cosines of its sixteen pairs",
        "каждая полоса вносит удвоенную сумму косинусов своих шестнадцати пар",
    ),
    "spreads-by-cosines": t(
        "the spread of cos(D·θ_j) is the same for rotated rows as for plain cosines",
        "разброс cos(D·θ_j) у повёрнутых строк тот же, что у прямо вычисленных косинусов",
    ),
    "slow-band-remains": t(
        "up to D = 1024 the slowest band adds more than 28, of 32 at most",
        "вплоть до D = 1024 самая медленная полоса вносит больше 28 из возможных 32",
    ),
    "spread-moves-to-slow-pairs": t(
        "for D from 1 to 7 only the fastest band has a spread of 0.1 or more; for D from 1024 to "
        "2047 three bands have more than 0.4",
        "при D от 1 до 7 разброс не меньше 0.1 только у самой быстрой полосы, при D от 1024 до "
        "2047 больше 0.4 он у трёх полос",
    ),
    "unfinished-turns-by-formula": t(
        "the pairs that make less than one full turn in L positions are those with j above "
        "d·ln(L/2π)/(2·ln(b))",
        "за L позиций не делают полного оборота пары с номером больше d·ln(L/2π)/(2·ln(b))",
    ),
    "slow-angles-by-formula": t(
        "in 4096 positions the pairs with j above d·ln(L/φ)/(2·ln(b)) rotate by less than φ, for "
        "φ of 30, 90 and 360 degrees",
        "за 4096 позиций меньше чем на φ поворачиваются пары с номером больше "
        "d·ln(L/φ)/(2·ln(b)), где φ — 30, 90 и 360 градусов",
    ),
    "slow-cosines-fall": t(
        "up to D = 2000 the cosine falls at every step for the pairs with π/θ_j above 2000 and "
        "for no other pair",
        "до D = 2000 косинус падает на каждом шаге у пар, для которых π/θ_j больше 2000, и только "
        "у них",
    ),
}
PAIRS = MODEL_WIDTH // 2
BANDS = 4
BAND_DISTANCES = (0, 1, 16, 64, 256, 1024, 4096)
DRAWN = range(257)
LISTED_PAIRS = (0, 15, 16, 31, 32, 47, 48, 63)
CONTEXTS = (2048, 4096, 8192, 32768)
BASES = (MODEL_BASE, 500000.0)
SPREAD_WINDOWS = ((1, 7), (64, 127), (1024, 2047))
BAND_COLUMNS = right("j = 0–15", "16–31", "32–47", "48–63")
DEGREES = (30, 90, 360)
FAR = 2000


def gather(example: Example) -> Evidence:
    """Four bands of sixteen pairs, and how far pairs rotate in a context."""
    return _bands(example) + _angles_in_context(example)


def _bands(example: Example) -> Evidence:
    """What each band adds to a score, and how much its cosines vary."""
    sums = in_bands(pair_scores(example, BAND_DISTANCES)).sum(axis=-1)
    cosines = np.cos(reference.angles(BAND_DISTANCES, MODEL_WIDTH, MODEL_BASE))
    slowest = sums[: BAND_DISTANCES.index(1024) + 1, -1]
    rotated_spreads, plain_spreads = spreads_in_windows(example)
    return Evidence(
        values={
            "band_distances": list(BAND_DISTANCES),
            "band_sums": sums,
            "drawn_band_distances": list(DRAWN),
            "drawn_band_sums": in_bands(pair_scores(example, DRAWN)).sum(axis=-1),
            "band_totals": sums.sum(axis=1),
            "spread_windows": [list(window) for window in SPREAD_WINDOWS],
            "band_spreads": rotated_spreads,
        },
        checks=(
            agree("band-sums-by-cosines", sums, in_bands(2 * cosines).sum(axis=-1), 1e-10),
            agree("spreads-by-cosines", rotated_spreads, plain_spreads, 1e-10),
            Check("slow-band-remains", float(slowest.min()), 28.0, len(slowest), "at least"),
            all_true(
                "spread-moves-to-slow-pairs",
                [*(rotated_spreads[0, 1:] < 0.1), *(rotated_spreads[-1, :3] > 0.4)],
            ),
        ),
    )


def _angles_in_context(example: Example) -> Evidence:
    """Full turns of pairs in a context, and which pairs stay below an angle or always fall."""
    frequencies = example.embedding_for(MODEL_WIDTH, 1, MODEL_BASE).inverse_frequencies
    listed = frequencies[list(LISTED_PAIRS)]
    counts, counts_by_formula = unfinished_pairs(example)
    angles = np.degrees(MODEL_CONTEXT * frequencies)
    below = [int((angles < degrees).sum()) for degrees in DEGREES]
    firsts = [first_below(degrees, MODEL_BASE, MODEL_CONTEXT) for degrees in DEGREES]
    falling = always_falling(example)
    return Evidence(
        values={
            "listed_pairs": list(LISTED_PAIRS),
            "listed_frequencies": listed,
            "turns_in_context": MODEL_CONTEXT * listed / math.tau,
            "half_periods": math.pi / listed,
            "turn_contexts": list(CONTEXTS),
            "turn_bases": list(BASES),
            "unfinished_pairs": counts,
            "first_unfinished_pair": firsts[-1],
            "turn_of_first_unfinished": angles[math.ceil(firsts[-1])] / 360,
            "pairs_below_degrees": dict(zip(map(str, DEGREES), below, strict=True)),
            "pairs_always_falling": int(falling.sum()),
            "pairs_of_model": PAIRS,
        },
        checks=(
            all_true("early-pairs-are-fast", np.diff(frequencies) < 0),
            agree("unfinished-turns-by-formula", counts, counts_by_formula, 0.0),
            agree("slow-angles-by-formula", below, [PAIRS - math.ceil(j) for j in firsts], 0.0),
            all_true("slow-cosines-fall", falling == (math.pi / frequencies > FAR)),
        ),
    )


def in_bands(by_pair: Array) -> Array:  # [..., pairs] -> [..., bands, pairs of a band]
    """The pairs divided into bands of equal size."""
    return by_pair.reshape(*by_pair.shape[:-1], BANDS, -1)


def pair_scores(example: Example, distances: Sequence[int]) -> Array:  # -> [distances, pairs]
    """What each pair adds to the score of two rows of ones."""
    ones = np.ones(MODEL_WIDTH)
    queries = query_rows(example, ones, distances, MODEL_BASE)
    products = queries * key_rows(example, ones, [0], MODEL_BASE)
    return np.asarray(products.reshape(-1, PAIRS, 2).sum(axis=-1))


def spreads(cosines: Array) -> Array:  # [distances, pairs] -> [bands]
    """The standard deviation of each pair over the distances, averaged over each band."""
    return np.asarray(in_bands(cosines.std(axis=0)).mean(axis=-1))


def spreads_in_windows(example: Example) -> tuple[Array, Array]:  # -> [windows, bands] twice
    """The spreads of each window, from rotated rows and from plain cosines."""
    row = np.resize(FIRST_COLUMN, MODEL_WIDTH)
    windows = [range(first, last + 1) for first, last in SPREAD_WINDOWS]
    rotated = [query_rows(example, row, window, MODEL_BASE)[:, 0::2] for window in windows]
    plain = [np.cos(reference.angles(window, MODEL_WIDTH, MODEL_BASE)) for window in windows]
    return np.array([*map(spreads, rotated)]), np.array([*map(spreads, plain)])


def unfinished_pairs(example: Example) -> tuple[list[list[int]], list[list[int]]]:
    """Pairs that make less than a full turn, by base and context: counted, and by formula."""
    counts, by_formula = [], []
    for base in BASES:
        frequencies = example.embedding_for(MODEL_WIDTH, 1, base).inverse_frequencies
        counts.append([count_unfinished(frequencies, context) for context in CONTEXTS])
        firsts = [first_below(360, base, context) for context in CONTEXTS]
        by_formula.append([PAIRS - math.ceil(first) for first in firsts])
    return counts, by_formula


def first_below(degrees: float, base: float, context: int) -> float:
    """From which j on pairs rotate by less than an angle: d ln(L / angle) / (2 ln b)."""
    return MODEL_WIDTH * math.log(context / math.radians(degrees)) / (2 * math.log(base))


def always_falling(example: Example) -> NDArray[np.bool_]:  # -> [pairs]
    """Whether the cosine of a rotated pair falls at every step up to D = 2000."""
    row = np.resize(FIRST_COLUMN, MODEL_WIDTH)
    cosines = query_rows(example, row, range(FAR + 1), MODEL_BASE)[:, 0::2]
    return np.asarray((np.diff(cosines, axis=0) < 0).all(axis=0))


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Periods of single pairs, sums and spreads of bands, and how far the slow pairs get."""
    return (
        _turns_of_pairs(evidence),
        say(
            "The note has the two names the wrong way round. Early pairs rotate fast, and that "
            "is the high frequency: pair 0 makes {early} full turns in 4096 positions. Late "
            "pairs rotate slowly, at a low frequency: pair 63 makes {late} of one. There are "
            "{pairs} pairs, because d = 128 is the width of one head; in most real models it is "
            "between 64 and 256, and some rotate only a part of the head.",
            "В заметке два названия поменялись местами. Ранние пары поворачиваются быстро, а это "
            "и есть высокая частота: пара 0 делает за 4096 позиций {early} оборота. Поздние "
            "поворачиваются медленно, у них низкая частота: пара 63 проходит лишь {late} "
            "оборота. Пар всего {pairs}, потому что d = 128 — ширина одной головы; в большинстве "
            "настоящих моделей она от 64 до 256, а некоторые модели поворачивают только часть "
            "головы.",
            early=f"{evidence['turns_in_context'][0]:.1f}",
            late=f"{evidence['turns_in_context'][-1]:.3f}",
            pairs=evidence["pairs_of_model"],
        ),
        _sums_as_curves(evidence),
        _sums_of_bands(evidence),
        _spreads_of_bands(evidence),
        _unfinished_pairs(evidence),
        say(
            "Fast pairs separate neighbours, but far away they nearly repeat themselves: from "
            "D = 16 on, the sum of the fastest band says little about D. One cosine orders all "
            "distances up to 2000 if it falls at every step, which takes π/θ_j above 2000. Of the "
            "64 pairs, {falling} are that slow.",
            "Быстрые пары различают соседей, но вдали почти повторяются: начиная с D = 16 сумма "
            "самой быстрой полосы мало о чём говорит. Один косинус упорядочивает все расстояния "
            "до 2000, если падает на каждом шаге, а для этого π/θ_j должно быть больше 2000. Таких "
            "медленных пар {falling} из 64.",
            falling=evidence["pairs_always_falling"],
        ),
        _how_far_slow_pairs_get(evidence),
    )


def _how_far_slow_pairs_get(evidence: Evidence) -> Paragraph:
    below = evidence["pairs_below_degrees"]
    return say(
        "Slow pairs do move, though. In 4096 positions {unfinished} pairs, those with j above "
        "{first}, make less than one full turn, but pair 46 still makes {turn} of one. Only "
        "{ninety} pairs rotate by less than 90 degrees, and {thirty} by less than 30. Barbero et "
        "al. (2024, arXiv 2410.06205) found that Gemma 7B relies most on the lowest frequencies, "
        "and suspect that these carry meaning rather than position. They add that this is not "
        "robust over very long contexts, in which slow pairs rotate far as well. According to "
        "the note, slow pairs capture long-range dependencies. By themselves they do not, but a "
        "model can learn to use them in this way.",
        "Но и медленные пары движутся. За 4096 позиций {unfinished} пар с номером больше {first} "
        "не делают полного оборота, и всё же пара 46 проходит {turn} оборота; меньше чем на 90 "
        "градусов поворачиваются {ninety} пар, меньше чем на 30 — {thirty}. Барберо и соавторы "
        "(2024, arXiv 2410.06205) обнаружили, что Gemma 7B больше всего опирается на самые низкие "
        "частоты, и предполагают, что те передают смысл, а не позицию; но на очень длинных "
        "контекстах, по их словам, это ненадёжно: там далеко поворачиваются и медленные пары. По "
        "заметке, медленные пары улавливают дальние зависимости. Сами по себе они этого не делают, "
        "но модель может научиться так их использовать.",
        unfinished=below["360"],
        first=f"{evidence['first_unfinished_pair']:.3f}",
        turn=f"{evidence['turn_of_first_unfinished']:.3f}",
        ninety=below["90"],
        thirty=below["30"],
    )


def _turns_of_pairs(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "d = 128, b = 10000. Up to D = π/θ_j the cosine of pair j falls at every step:",
            "d = 128, b = 10000. До D = π/θ_j косинус пары j падает на каждом шаге:",
        ),
        (Column(t("pair j", "пара j")), evidence["listed_pairs"]),
        ("θ_j", map(Significant, evidence["listed_frequencies"])),
        (
            t("full turns in 4096 positions", "оборотов за 4096 позиций"),
            evidence["turns_in_context"],
        ),
        ("π/θ_j", evidence["half_periods"]),
    )


def _sums_of_bands(evidence: Evidence) -> Table:
    sums = zip(
        evidence["band_distances"], evidence["band_sums"], evidence["band_totals"], strict=True
    )
    return table(
        t(
            "What each band of 16 pairs adds to the score of two rows of ones:",
            "Сколько каждая полоса из 16 пар вносит в оценку двух строк из единиц:",
        ),
        (*right("D"), *BAND_COLUMNS, *right(t("score", "оценка"))),
        ((distance, *by_band, total) for distance, by_band, total in sums),
    )


def _spreads_of_bands(evidence: Evidence) -> Table:
    windows = zip(evidence["spread_windows"], evidence["band_spreads"], strict=True)
    return table(
        t(
            "How much cos(D·θ_j) varies within a range of distances (standard deviation, averaged "
            "over the band):",
            "Как сильно меняется cos(D·θ_j) в пределах этих расстояний (среднеквадратичное "
            "отклонение, среднее по полосе):",
        ),
        (*right("D"), *BAND_COLUMNS),
        ((f"{first}–{last}", *by_band) for (first, last), by_band in windows),
    )


def _unfinished_pairs(evidence: Evidence) -> Table:
    by_base = zip(evidence["turn_bases"], evidence["unfinished_pairs"], strict=True)
    return table(
        t(
            "Pairs, of 64, that make less than one full turn in L positions:",
            "Сколько пар из 64 не делают полного оборота за L позиций:",
        ),
        right(
            t("base b", "основание b"), *(f"L = {context}" for context in evidence["turn_contexts"])
        ),
        ((Short(base), *counts) for base, counts in by_base),
    )


def _sums_as_curves(evidence: Evidence) -> Series:
    names = (column.title for column in BAND_COLUMNS)
    return Series(
        t(
            "What each band of pairs adds to the score of two rows of ones, d = 128",
            "Сколько каждая полоса пар вносит в оценку двух строк из единиц, d = 128",
        ),
        ("D = m-n", t("sum of the band", "сумма полосы")),
        curves(
            evidence["drawn_band_distances"],
            *zip(names, evidence["drawn_band_sums"].T, strict=True),
        ),
        t(
            "The fastest band falls within a few steps and then swings around 0; the next one "
            "follows later; the two slowest hardly move up to D = 256.",
            "Сумма самой быстрой полосы падает за несколько шагов и дальше колеблется около 0, "
            "сумма следующей падает позже, а у двух самых медленных она до D = 256 почти не "
            "меняется.",
        ),
        graphical=True,
    )
