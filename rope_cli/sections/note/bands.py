"""Fast and slow pairs: who still tells distances apart, and who never finishes a turn."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Column, Short, Significant, Table
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
    "Are the first pairs the low or the high frequencies? And which pairs still tell D = 1000 from "
    "D = 2000?",
    "Первые пары — это низкие частоты или высокие? И какие пары ещё отличают D = 1000 от D = 2000?",
)

CLAIMS = {
    "early-pairs-are-fast": t(
        "each pair turns more slowly than the one before it: the early ones are the "
        "high frequencies",
        "каждая пара поворачивается медленнее предыдущей: высокие частоты — у ранних пар",
    ),
    "band-sums-by-cosines": t(
        "each band adds up twice the cosines of its sixteen pairs",
        "каждая полоса складывает удвоенные косинусы своих шестнадцати пар",
    ),
    "spreads-by-cosines": t(
        "the spread of cos(D·θ_j) of rotated rows is that of plain cosines",
        "разброс cos(D·θ_j) у повёрнутых строк — тот же, что у прямо вычисленных косинусов",
    ),
    "slow-band-remains": t(
        "up to D = 1024 the slowest band still gives more than 28 of its 32",
        "вплоть до D = 1024 самая медленная полоса даёт больше 28 из своих 32",
    ),
    "spread-moves-to-slow-pairs": t(
        "for D = 1-7 only the fastest band has a spread of 0.1 or more; for D = 1024-2047 three "
        "bands have more than 0.4",
        "для D = 1-7 разброс не меньше 0.1 только у самой быстрой полосы, для D = 1024-2047 больше "
        "0.4 — у трёх полос",
    ),
    "unfinished-turns-by-formula": t(
        "in L positions the pairs beyond index d·ln(L/2π)/(2·ln(b)) never finish a turn",
        "за L позиций не завершают оборота пары с номером больше d·ln(L/2π)/(2·ln(b))",
    ),
}
PAIRS = MODEL_WIDTH // 2
BANDS = 4
BAND_DISTANCES = (0, 1, 16, 64, 256, 1024, 4096)
LISTED_PAIRS = (0, 15, 16, 31, 32, 47, 48, 63)
CONTEXTS = (2048, 4096, 8192, 32768)
BASES = (MODEL_BASE, 500000.0)
SPREAD_WINDOWS = ((1, 7), (64, 127), (1024, 2047))
BAND_COLUMNS = right("j = 0–15", "16–31", "32–47", "48–63")


def gather(example: Example) -> Evidence:
    """Four bands of sixteen pairs, and the turns that pairs make."""
    sums = in_bands(pair_scores(example)).sum(axis=-1)
    cosines = np.cos(reference.angles(BAND_DISTANCES, MODEL_WIDTH, MODEL_BASE))
    slowest = sums[: BAND_DISTANCES.index(1024) + 1, -1]
    rotated_spreads, plain_spreads = spreads_in_windows(example)
    frequencies = example.embedding_for(MODEL_WIDTH, 1, MODEL_BASE).inverse_frequencies
    listed = frequencies[list(LISTED_PAIRS)]
    counts, counts_by_formula = unfinished_pairs(example)
    return Evidence(
        values={
            "band_distances": list(BAND_DISTANCES),
            "band_sums": sums,
            "band_totals": sums.sum(axis=1),
            "listed_pairs": list(LISTED_PAIRS),
            "listed_frequencies": listed,
            "turns_in_context": MODEL_CONTEXT * listed / math.tau,
            "half_periods": math.pi / listed,
            "spread_windows": [list(window) for window in SPREAD_WINDOWS],
            "band_spreads": rotated_spreads,
            "turn_contexts": list(CONTEXTS),
            "turn_bases": list(BASES),
            "unfinished_pairs": counts,
            "first_unfinished_pair": first_unfinished(MODEL_BASE, MODEL_CONTEXT),
            "pairs_of_model": PAIRS,
        },
        checks=(
            all_true("early-pairs-are-fast", np.diff(frequencies) < 0),
            agree("band-sums-by-cosines", sums, in_bands(2 * cosines).sum(axis=-1), 1e-10),
            agree("spreads-by-cosines", rotated_spreads, plain_spreads, 1e-10),
            Check("slow-band-remains", float(slowest.min()), 28.0, len(slowest), "at least"),
            all_true(
                "spread-moves-to-slow-pairs",
                [*(rotated_spreads[0, 1:] < 0.1), *(rotated_spreads[-1, :3] > 0.4)],
            ),
            agree("unfinished-turns-by-formula", counts, counts_by_formula, 0.0),
        ),
    )


def in_bands(by_pair: Array) -> Array:  # [..., pairs] -> [..., bands, pairs of a band]
    """The pairs divided into bands of equal size."""
    return by_pair.reshape(*by_pair.shape[:-1], BANDS, -1)


def pair_scores(example: Example) -> Array:  # -> [distances, pairs]
    """What each pair adds to the score of two rows of ones."""
    ones = np.ones(MODEL_WIDTH)
    queries = query_rows(example, ones, BAND_DISTANCES, MODEL_BASE)
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
    """How many pairs finish no turn, by base and context: counted, and by the formula."""
    counts, by_formula = [], []
    for base in BASES:
        frequencies = example.embedding_for(MODEL_WIDTH, 1, base).inverse_frequencies
        counts.append([count_unfinished(frequencies, context) for context in CONTEXTS])
        firsts = [first_unfinished(base, context) for context in CONTEXTS]
        by_formula.append([PAIRS - math.ceil(first) for first in firsts])
    return counts, by_formula


def first_unfinished(base: float, context: int) -> float:
    """From which pair index on no turn is finished: d ln(L / 2 pi) / (2 ln b)."""
    return MODEL_WIDTH * math.log(context / math.tau) / (2 * math.log(base))


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Turns of single pairs, sums and spreads of bands, counts of unfinished turns."""
    return (
        _turns_of_pairs(evidence),
        say(
            "The note exchanges two names. Early pairs turn fast, and that is the high frequency: "
            "pair 0 makes {early} turns in 4096 positions. Late pairs turn slowly, at a low "
            "frequency: pair 63 makes {late} of a turn. (d is the width of one head, 64 to 256 in "
            "real models, many of which rotate only a part of it.)",
            "В заметке переставлены два названия. Ранние пары поворачиваются быстро — это и есть "
            "высокая частота: пара 0 делает за 4096 позиций {early} оборота. Поздние "
            "поворачиваются медленно, это низкая частота: пара 63 проходит {late} оборота. (d — "
            "ширина одной головы, в настоящих моделях от 64 до 256, и многие поворачивают лишь "
            "её часть.)",
            early=evidence["turns_in_context"][0],
            late=evidence["turns_in_context"][-1],
        ),
        _sums_of_bands(evidence),
        _spreads_of_bands(evidence),
        _unfinished_pairs(evidence),
        say(
            "Fast pairs tell neighbours apart and repeat themselves far away: from D = 16 on their "
            "sum says little. Only for pairs with π/θ_j above 2000 does the cosine never repeat up "
            "to D = 2000. But those pairs hardly move: at L = 4096, b = 10000 the ones beyond "
            "index {first}, {count} of 64, never finish a turn and carry content almost as if "
            "there were no position (Barbero et al., arXiv 2410.06205). The note has them capture "
            "long-range dependencies: by themselves they do not, but a model may learn to do so "
            "with them.",
            "Быстрые пары различают соседей, но вдали повторяются: начиная с D = 16 их сумма мало "
            "что говорит. Только у пар, для которых π/θ_j больше 2000, косинус не повторяется до "
            "D = 2000. Но они почти не движутся: при L = 4096, b = 10000 пары с номером больше "
            "{first} — их {count} из 64 — не завершают оборота и переносят содержимое почти так, "
            "как если бы позиции не было (Barbero et al., arXiv 2410.06205). Сами по себе они не "
            "захватывают дальние зависимости, как сказано в заметке: этому с их помощью может "
            "научиться модель.",
            first=evidence["first_unfinished_pair"],
            count=evidence["unfinished_pairs"][0][1],
        ),
    )


def _turns_of_pairs(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "d = 128, b = 10000. Up to D = π/θ_j the cosine of a pair falls with every step:",
            "d = 128, b = 10000. До D = π/θ_j косинус пары падает с каждым шагом:",
        ),
        (Column(t("pair j", "пара j")), evidence["listed_pairs"]),
        ("θ_j", map(Significant, evidence["listed_frequencies"])),
        (t("turns in 4096 positions", "оборотов за 4096 позиций"), evidence["turns_in_context"]),
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
            "How much cos(D·θ_j) varies between these distances (mean standard deviation):",
            "Как сильно cos(D·θ_j) меняется между этими расстояниями (среднеквадратичное "
            "отклонение, среднее по полосе):",
        ),
        (*right("D"), *BAND_COLUMNS),
        ((f"{first}–{last}", *by_band) for (first, last), by_band in windows),
    )


def _unfinished_pairs(evidence: Evidence) -> Table:
    by_base = zip(evidence["turn_bases"], evidence["unfinished_pairs"], strict=True)
    return table(
        t(
            "How many of the 64 pairs never finish a turn in L positions:",
            "Сколько из 64 пар не завершают ни одного оборота за L позиций:",
        ),
        right(
            t("base b", "основание b"), *(f"L = {context}" for context in evidence["turn_contexts"])
        ),
        ((Short(base), *counts) for base, counts in by_base),
    )
