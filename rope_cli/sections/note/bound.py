"""The bound behind the decay with distance: true for all contents, and silent about most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.blocks import Block, Series, Table
from rope_cli.document.charts import curves, series_by_distance
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, greatest_difference
from rope_cli.document.vocabulary import formula, say, t, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH, query_rows, scores_at
from rope_cli.sections.note.same_content import LISTED_DISTANCES

TITLE = t("The decay bound", "Верхняя граница и убывание")
QUESTION = t(
    "RoFormer proves an upper bound of the dot product, and the bound falls with distance. Does "
    "that mean that the dot product falls?",
    "В RoFormer доказана верхняя граница скалярного произведения, и с расстоянием она падает. "
    "Значит ли это, что падает и само скалярное произведение?",
)

Complex = NDArray[np.complex128]

CLAIMS = {
    "partial-sums-by-formula": t(
        "the mean of |S_1| ... |S_64| is that of plain sums of e^(iDθ_j)",
        "среднее |S_1| ... |S_64| — то же, что у сумм e^(iDθ_j), вычисленных прямо",
    ),
    "sums-by-rotation": t(
        "the rotated rows give the sum Σ h_j e^(iDθ_j) of each content",
        "повёрнутые строки дают для каждого содержимого сумму Σ h_j e^(iDθ_j)",
    ),
    "bound-holds": t(
        "no sum is greater than its bound: their ratio is at most 1",
        "ни одна сумма не больше своей границы: их отношение не больше 1",
    ),
    "bound-tight-for-taper": t(
        "for falling h_j the bound at D = 0 is the sum itself, 32.5",
        "для убывающих h_j граница при D = 0 равна самой сумме, 32.5",
    ),
    "bound-says-nothing": t(
        "for equal and for alternating h_j the bound is above Σ |h_j| at every D of the table",
        "для равных и чередующихся h_j граница выше Σ |h_j| при всех D таблицы",
    ),
    "bound-rises": t(
        "the mean of |S_j| rises from D = 18 to 19 and from D = 2048 to 4096",
        "среднее |S_j| растёт от D = 18 к 19 и от D = 2048 к 4096",
    ),
    "bound-falls-sum-rises": t(
        "from D = 0 to 4096 the bound of the alternating h_j falls and their sum grows",
        "от D = 0 к 4096 граница для чередующихся h_j падает, а сумма растёт",
    ),
}
# The last is the distance up to 65536 at which the bound is smallest.
BOUND_DISTANCES = (0, 256, 4096, 61061)
RISES = ((18, 19), (2048, 4096))
SUM, BOUND = t("|sum|", "|сумма|"), t("bound", "граница")


def contents() -> dict[str, tuple[Array, Array]]:
    """Query and key rows ``[width]`` by the values of their h_j."""
    ones, row = np.ones(MODEL_WIDTH), np.resize(FIRST_COLUMN, MODEL_WIDTH)
    pairs = np.arange(MODEL_WIDTH // 2)
    return {
        "equal": (ones, ones),
        "alternating": (ones, np.repeat((-1.0) ** pairs, 2)),
        "falling": (row, row * np.repeat(1 - pairs / len(pairs), 2)),
    }


def as_pairs(content: Array) -> Complex:
    """The pairs of the last axis as complex numbers."""
    return np.asarray(content[..., 0::2] + 1j * content[..., 1::2])


def pair_products(query: Array, key: Array) -> Complex:  # [width], [width] -> [pairs]
    """``h_j``, the query's pair times the conjugate of the key's."""
    return as_pairs(query) * as_pairs(key).conj()


def abel_bound(products: Complex, partial_sums: Complex) -> Array:
    # [pairs], [distances, pairs] -> [distances]
    """RoFormer's bound: max |h_(j+1) - h_j| times the sum of |S_1| ... |S_last|.

    A 0 stands behind the last h. This is summation by parts (arXiv 2104.09864, section 3.4.3).
    """
    steps = np.abs(np.diff(np.append(products, 0.0)))
    return np.asarray(steps.max() * np.abs(partial_sums).sum(axis=-1))


def complex_scores(example: Example, query: Array, key: Array) -> Complex:  # -> [distances]
    """The sum of h_j e^(iD theta_j) from rotated rows: the score is its real part.

    Against the key with each pair rotated by a quarter turn the score is the imaginary part.
    """
    quarter = np.stack([-key[1::2], key[0::2]], axis=-1).ravel()
    return as_pairs(scores_at(example, query, np.array([key, quarter]), BOUND_DISTANCES))[:, 0]


def gather(example: Example) -> Evidence:
    """The mean of the partial sums at many distances; sum, bound and plain limit of contents."""
    distances = sorted({*LISTED_DISTANCES, *BOUND_DISTANCES, *np.ravel(RISES).tolist()})
    rows = [distances.index(distance) for distance in BOUND_DISTANCES]
    content = np.resize(FIRST_COLUMN, MODEL_WIDTH)
    rotated = as_pairs(query_rows(example, content, distances, MODEL_BASE))
    plain = np.exp(1j * reference.angles(distances, MODEL_WIDTH, MODEL_BASE))
    plain_means = np.abs(np.cumsum(plain, axis=1)).mean(axis=1)
    partial_sums = np.cumsum(rotated, axis=1)
    means = dict(zip(distances, np.abs(partial_sums).mean(axis=1), strict=True))
    listed_means = np.array([means[distance] for distance in LISTED_DISTANCES])
    products = [pair_products(query, key) for query, key in contents().values()]
    scores = np.array([complex_scores(example, query, key) for query, key in contents().values()])
    expected = np.array([(plain[rows] * product).sum(axis=1) for product in products])
    sums, limits = np.abs(scores), np.abs(products).sum(axis=1)
    bounds = np.array([abel_bound(product, partial_sums[rows]) for product in products])
    return Evidence(
        values={
            "mean_partial_sums": listed_means,
            "share_of_first_mean": listed_means / listed_means[0],
            "bound_rise": np.array([means[distance] for distance in RISES[0]]),
            "mean_partial_sum_distances": list(LISTED_DISTANCES),
            "bound_contents": list(contents()),
            "bound_distances": list(BOUND_DISTANCES),
            "bound_scores": scores.real,
            "whole_sums": sums,
            "abel_bounds": bounds,
            "plain_limits": limits,
        },
        checks=(
            agree("partial-sums-by-formula", list(means.values()), plain_means, 1e-10),
            agree(
                "sums-by-rotation", [scores.real, scores.imag], [expected.real, expected.imag], 1e-9
            ),
            *_checks_of_bounds(sums, bounds, limits, means),
        ),
    )


def _checks_of_bounds(
    sums: Array, bounds: Array, limits: Array, means: Mapping[int, float]
) -> tuple[Check, ...]:
    tapered = [sums[2, 0], bounds[2, 0], limits[2]]
    room = bounds[:2] - limits[:2, np.newaxis]
    rises = [means[far] - means[near] for near, far in RISES]
    opposite = [bounds[1, 0] - bounds[1, 2], sums[1, 2] - sums[1, 0]]
    return (
        Check("bound-holds", float((sums / bounds).max()), 1 + 1e-12, sums.size),
        Check("bound-tight-for-taper", greatest_difference(tapered, [32.5] * 3), 1e-10, 3),
        Check("bound-says-nothing", float(room.min()), 1.0, room.size, "at least"),
        Check("bound-rises", float(min(rises)), 0.01, 4, "at least"),
        Check("bound-falls-sum-rises", float(min(opposite)), 1.0, 4, "at least"),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """What is proved, the sums in it, and three contents."""
    first, second = evidence["bound_rise"]
    return (
        formula("|Σ h_j e^(iDθ_j)| ≤ max |h_(j+1) - h_j| · (|S_1| + ... + |S_64|)"),
        formula("S_j = e^(iDθ_0) + ... + e^(iDθ_(j-1)),   D = m-n"),
        say(
            "h_j is the query's pair j times the conjugate of the key's, and 0 behind the last "
            "pair; the dot product is the real part of the sum.",
            "h_j — пара j запроса, умноженная на комплексно сопряжённую пару ключа, а за последней "
            "парой — нуль; скалярное произведение — вещественная часть суммы.",
        ),
        _falling_factor(evidence),
        *_tables_of_contents(evidence),
        _room_below_the_bound(evidence),
        say(
            "The bound is true for every content; so is Σ |h_j|, which needs no proof. For equal "
            "rows the proven one is {smallest} even at D = 61061, still above {limit}. It says "
            "something where neighbouring h_j are close, as in the third table. An upper bound "
            "that falls leaves room to grow: with alternating signs |sum| goes from {start} to "
            "{end}. Nor does it fall with every step: from D = 18 to 19 the mean of |S_j| rises "
            "from {first} to {second}.",
            "Граница верна для любого содержимого, но есть и другая, которую не нужно доказывать: "
            "Σ |h_j|. Для одинаковых строк доказанная граница даже при D = 61061 равна "
            "{smallest} — и всё же выше, чем {limit}. Полезна она там, где соседние h_j близки, "
            "как в третьей таблице. Если верхняя граница падает, под ней ещё есть куда расти: при "
            "чередующихся знаках |сумма| меняется от {start} до {end}. И падает граница не на "
            "каждом шаге: от D = 18 к 19 среднее |S_j| растёт от {first} до {second}.",
            smallest=evidence["abel_bounds"][0][-1],
            limit=evidence["plain_limits"][0],
            start=evidence["whole_sums"][1][0],
            end=evidence["whole_sums"][1][2],
            first=first,
            second=second,
        ),
    )


def _falling_factor(evidence: Evidence) -> Series:
    return series_by_distance(
        evidence["mean_partial_sum_distances"],
        evidence["mean_partial_sums"],
        t("mean of |S_j|", "среднее |S_j|"),
        t(
            "The factor that falls, d = 128, b = 10000:",
            "Множитель, который падает, d = 128, b = 10000:",
        ),
        t(
            "The mean falls by most of its size over the first distances, then no further.",
            "На первых расстояниях среднее сильно падает, а дальше уже не падает.",
        ),
    )


def _tables_of_contents(evidence: Evidence) -> Iterator[Table]:
    equal, alternating, falling = evidence["plain_limits"]
    captions = (
        t(
            "Equal h_j = 2 (two rows of ones), Σ |h_j| = {limit}:",
            "Равные h_j = 2 (две строки из единиц), Σ |h_j| = {limit}:",
            limit=equal,
        ),
        t(
            "Alternating h_j = 2, -2, 2, -2, ..., Σ |h_j| = {limit}:",
            "Чередующиеся h_j = 2, -2, 2, -2, ..., Σ |h_j| = {limit}:",
            limit=alternating,
        ),
        t(
            "Falling h_j = 1 - j/64, Σ |h_j| = {limit}:",
            "Убывающие h_j = 1 - j/64, Σ |h_j| = {limit}:",
            limit=falling,
        ),
    )
    numbers = (evidence[name] for name in ("bound_scores", "whole_sums", "abel_bounds"))
    for caption, scores, sums, bounds in zip(captions, *numbers, strict=True):
        yield table_by_columns(
            caption,
            ("D", evidence["bound_distances"]),
            (t("dot product", "скалярное произведение"), scores),
            (SUM, sums),
            (BOUND, bounds),
        )


def _room_below_the_bound(evidence: Evidence) -> Series:
    bounds = evidence["abel_bounds"][0]
    return Series(
        t("Equal h_j, how much room the bound leaves:", "Равные h_j, запас под границей:"),
        ("D = m-n", t("|sum| and what limits it", "|сумма| и её пределы")),
        curves(
            evidence["bound_distances"],
            (SUM, evidence["whole_sums"][0]),
            (BOUND, bounds),
            ("Σ |h_j|", np.full_like(bounds, evidence["plain_limits"][0])),
        ),
        t(
            "The bound falls with the sum but stays above it, and above Σ |h_j|, everywhere.",
            "Граница падает вместе с суммой, но всюду остаётся выше неё и выше Σ |h_j|.",
        ),
        "xy",
    )
