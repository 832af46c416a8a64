"""Fast and slow pairs: who still tells distances apart, and who never finishes a turn."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import (
    Block,
    Column,
    Number,
    Short,
    Significant,
    Table,
)
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array
from rope_cli.sections.note.same_content import MODEL_BASE, MODEL_WIDTH, turned_queries

TITLE = t("Fast and slow pairs", "Быстрые и медленные пары")
QUESTION = t(
    "Are the first pairs the low or the high frequencies? And which pairs still tell D "
    "= 1000 from D = 2000?",
    "Первые пары — это низкие частоты или высокие? И какие пары ещё отличают D = 1000 от D = 2000?",
)

CLAIMS = {
    "early-pairs-are-fast": t(
        "each pair turns more slowly than the one before it: the early ones are the high "
        "frequencies",
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
        "for D = 1-7 only the fastest band has a spread of 0.1 or more; for D = 1024-2047 "
        "three bands have more than 0.4",
        "для D = 1-7 разброс не меньше 0.1 только у самой быстрой полосы, для D = 1024-2047 "
        "больше 0.4 — у трёх полос",
    ),
    "unfinished-turns-by-formula": t(
        "in L positions the pairs beyond index d·ln(L/2π)/(2·ln(b)) never finish a turn",
        "за L позиций не завершают оборота пары с номером больше d·ln(L/2π)/(2·ln(b))",
    ),
}
BANDS = 4
BAND_DISTANCES = (0, 1, 16, 64, 256, 1024, 4096)
LISTED_PAIRS = (0, 15, 16, 31, 32, 47, 48, 63)
CONTEXTS = (2048, 4096, 8192, 32768)
TURNS_CONTEXT = 4096
BASES = (MODEL_BASE, 500000.0)
SPREAD_WINDOWS = ((1, 7), (64, 127), (1024, 2047))
BAND_NAMES = ("j = 0-15", "16-31", "32-47", "48-63")


def in_bands(by_pair: Array) -> Array:  # [..., pairs] -> [..., bands, pairs of a band]
    """The pairs divided into bands of equal size."""
    return by_pair.reshape(*by_pair.shape[:-1], BANDS, -1)


def pair_scores(example: Example, distances: tuple[int, ...]) -> Array:
    """Two rows of ones: what each pair adds to the score ``[distances, pairs]``."""
    ones = np.ones(MODEL_WIDTH)
    queries = turned_queries(example, ones.tolist(), distances, MODEL_BASE)
    embedding = example.embedding_for(MODEL_WIDTH, 1, MODEL_BASE)
    products = queries * example.rotate_key(ones[np.newaxis], 0, embedding)
    by_pair: Array = products.reshape(len(distances), -1, 2).sum(axis=-1)
    return by_pair


def spreads(cosines: Array) -> Array:  # [distances, pairs] -> [bands]
    """The standard deviation of each pair over the distances, averaged over each band."""
    means: Array = in_bands(cosines.std(axis=0)).mean(axis=-1)
    return means


def unfinished(frequencies: Array, context: int) -> int:
    """How many pairs make less than one turn in ``context`` positions."""
    return int((context * frequencies < 2 * math.pi).sum())


def first_unfinished(width: int, base: float, context: int) -> float:
    """From which pair index on no turn is finished: width ln(L / 2 pi) / (2 ln base)."""
    return width * math.log(context / (2 * math.pi)) / (2 * math.log(base))


def gather(example: Example) -> Evidence:
    """Four bands of sixteen pairs, and the turns that pairs make."""
    width, base = MODEL_WIDTH, MODEL_BASE
    sums = in_bands(pair_scores(example, BAND_DISTANCES)).sum(axis=-1)
    cosines: Array = np.cos(reference.angles(BAND_DISTANCES, width, base))
    expected = in_bands(2 * cosines).sum(axis=-1)
    row = np.resize(as_array(FIRST_COLUMN), width).tolist()
    found, plain = [], []
    for first, last in SPREAD_WINDOWS:
        window = range(first, last + 1)
        found.append(spreads(turned_queries(example, row, window, base)[:, 0::2]))
        plain.append(spreads(np.cos(reference.angles(window, width, base))))
    spread = np.array(found)
    theta = {b: example.embedding_for(width, 1, b).inverse_frequencies for b in BASES}
    counts = [[unfinished(theta[b], context) for context in CONTEXTS] for b in BASES]
    by_formula = [
        [width // 2 - math.ceil(first_unfinished(width, b, context)) for context in CONTEXTS]
        for b in BASES
    ]
    listed = theta[base][list(LISTED_PAIRS)]
    slow = sums[BAND_DISTANCES.index(0) : BAND_DISTANCES.index(1024) + 1, -1]
    return Evidence(
        values={
            "band_distances": list(BAND_DISTANCES),
            "band_sums": sums,
            "band_totals": sums.sum(axis=1),
            "listed_pairs": list(LISTED_PAIRS),
            "listed_frequencies": listed,
            "turns_in_context": TURNS_CONTEXT * listed / (2 * math.pi),
            "half_periods": math.pi / listed,
            "spread_windows": [list(window) for window in SPREAD_WINDOWS],
            "band_spreads": spread,
            "turn_contexts": list(CONTEXTS),
            "turn_bases": list(BASES),
            "unfinished_pairs": counts,
            "first_unfinished_pair": first_unfinished(width, base, TURNS_CONTEXT),
            "pairs_of_model": width // 2,
        },
        checks=(
            all_true("early-pairs-are-fast", (np.diff(theta[base]) < 0).tolist()),
            agree("band-sums-by-cosines", sums, expected, 1e-10),
            agree("spreads-by-cosines", spread, plain, 1e-10),
            Check("slow-band-remains", float(slow.min()), 28.0, len(slow), "at least"),
            all_true(
                "spread-moves-to-slow-pairs",
                [*(spread[0, 1:] < 0.1).tolist(), *(spread[-1, :3] > 0.4).tolist()],
            ),
            agree("unfinished-turns-by-formula", counts, by_formula, 0.0),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Turns of single pairs, sums and spreads of bands, counts of unfinished turns."""
    pairs = table(
        t(
            "d = 128, b = 10000. Up to D = π/θ_j the cosine of a pair falls with every step:",
            "d = 128, b = 10000. До D = π/θ_j косинус пары падает с каждым шагом:",
        ),
        (
            *left(t("pair j", "пара j")),
            *right("θ_j", t("turns in 4096 positions", "оборотов за 4096 позиций"), "π/θ_j"),
        ),
        (
            (pair, Significant(theta), turns, half)
            for pair, theta, turns, half in zip(
                evidence["listed_pairs"],
                evidence["listed_frequencies"],
                evidence["turns_in_context"],
                evidence["half_periods"],
                strict=True,
            )
        ),
    )
    early, late = evidence["turns_in_context"][0], evidence["turns_in_context"][-1]
    names = say(
        "The note exchanges two names. Early pairs turn fast, and that is the high "
        "frequency: pair 0 makes {early} turns in 4096 positions. Late pairs turn slowly, "
        "at a low frequency: pair 63 makes {late} of a turn. (d is the width of one head, "
        "64 to 256 in real models, many of which rotate only a part of it.)",
        "В заметке переставлены два названия. Ранние пары поворачиваются быстро — это "
        "и есть высокая частота: пара 0 делает за 4096 позиций {early} оборота. Поздние "
        "поворачиваются медленно, это низкая частота: пара 63 проходит {late} оборота. "
        "(d — ширина одной головы, в настоящих моделях от 64 до 256, и многие "
        "поворачивают лишь её часть.)",
        early=early,
        late=late,
    )
    return (pairs, names, *_of_bands(evidence), _counts(evidence), *_reading(evidence))


def _of_bands(evidence: Evidence) -> tuple[Block, ...]:
    bands = tuple(Column(name, "right") for name in BAND_NAMES)
    sums = zip(
        evidence["band_distances"], evidence["band_sums"], evidence["band_totals"], strict=True
    )
    windows = zip(evidence["spread_windows"], evidence["band_spreads"], strict=True)
    return (
        table(
            t(
                "What each band of 16 pairs adds to the score of two rows of ones:",
                "Сколько каждая полоса из 16 пар вносит в оценку двух строк из единиц:",
            ),
            (
                *right("D"),
                *bands,
                *right(t("score", "оценка")),
            ),
            ((distance, *map(Number, by_band), total) for distance, by_band, total in sums),
        ),
        table(
            t(
                "How much cos(D·θ_j) varies between these distances (mean standard deviation):",
                "Как сильно cos(D·θ_j) меняется между этими расстояниями (среднеквадратичное "
                "отклонение, среднее по полосе):",
            ),
            (
                *right("D"),
                *bands,
            ),
            ((f"{first}-{last}", *map(Number, row)) for (first, last), row in windows),
        ),
    )


def _counts(evidence: Evidence) -> Table:
    return table(
        t(
            "How many of the 64 pairs never finish a turn in L positions:",
            "Сколько из 64 пар не завершают ни одного оборота за L позиций:",
        ),
        right(
            t("base b", "основание b"), *(f"L = {context}" for context in evidence["turn_contexts"])
        ),
        (
            (Short(base), *counts)
            for base, counts in zip(
                evidence["turn_bases"], evidence["unfinished_pairs"], strict=True
            )
        ),
    )


def _reading(evidence: Evidence) -> tuple[Block, ...]:
    return (
        say(
            "Fast pairs tell neighbours apart and repeat themselves far away: from "
            "D = 16 on their sum says little. Only for pairs with π/θ_j above 2000 does "
            "the "
            "cosine never repeat up to D = 2000. But those pairs hardly move: at L = 4096, "
            "b = 10000 the ones beyond index {first}, {count} of 64, never finish a turn "
            "and carry content almost as if there were no position (Barbero et al., arXiv "
            "2410.06205). The note has them capture long-range dependencies: by themselves "
            "they do not, but a model may learn to do so with them.",
            "Быстрые пары различают соседей, но вдали повторяются: начиная с D = 16 их "
            "сумма мало что говорит. Только у пар, для которых π/θ_j больше 2000, "
            "косинус не повторяется до D = 2000. Но они почти не движутся: при L = 4096, "
            "b = 10000 пары с номером больше {first} — их {count} из 64 — не завершают "
            "оборота и переносят содержимое почти так, как если бы позиции не было "
            "(Barbero et al., arXiv 2410.06205). Сами по себе они не захватывают дальние "
            "зависимости, как сказано в заметке: этому с их помощью может научиться "
            "модель.",
            first=evidence["first_unfinished_pair"],
            count=evidence["unfinished_pairs"][0][1],
        ),
    )
