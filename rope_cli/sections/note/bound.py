"""RoFormer's upper bound: true for all contents, and useful for few."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.blocks import Block, Paragraph, Series, Short, Table
from rope_cli.document.charts import curves, series_by_distance
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, greatest_difference
from rope_cli.document.vocabulary import formula, say, t, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example
from rope_cli.experiments.distances import (
    MODEL_BASE,
    MODEL_WIDTH,
    cosine_sums,
    query_rows,
    scores_at,
)
from rope_cli.sections.note.same_content import LISTED_DISTANCES

TITLE = t("RoFormer's upper bound", "Верхняя граница из RoFormer")
QUESTION = t(
    "RoFormer (Su et al., 2021, arXiv 2104.09864, section 3.4.3) proves an upper bound on the dot "
    "product and plots how the bound decays with the distance. If an upper bound falls, must the "
    "dot product fall too?",
    "В статье о RoFormer (Su и др., 2021, arXiv 2104.09864, раздел 3.4.3) доказана верхняя граница "
    "скалярного произведения и показан график: с расстоянием она убывает. Если верхняя граница "
    "падает, обязано ли падать и само скалярное произведение?",
)

Complex = NDArray[np.complex128]

CLAIMS = {
    "partial-sums-by-formula": t(
        "the mean of |S_1|, ..., |S_64| from rotated rows is that of plain sums of e^(iDθ_j)",
        "среднее |S_1|, ..., |S_64| по повёрнутым строкам то же, что у прямо вычисленных сумм "
        "e^(iDθ_j)",
    ),
    "sums-by-rotation": t(
        "in each table the rotated rows give the sum Σ h_j e^(iDθ_j)",
        "в каждой таблице повёрнутые строки дают сумму Σ h_j e^(iDθ_j)",
    ),
    "bound-holds": t(
        "in all three tables |sum| is at most the upper bound: their ratio is at most 1",
        "во всех трёх таблицах |сумма| не больше верхней границы: их отношение не больше 1",
    ),
    "bound-tight-for-taper": t(
        "for falling h_j the upper bound at D = 0 equals the sum, 32.5",
        "для убывающих h_j верхняя граница при D = 0 равна самой сумме, 32.5",
    ),
    "bound-says-nothing": t(
        "for equal and for alternating h_j the upper bound exceeds Σ |h_j| at every D of their "
        "tables",
        "для равных и для чередующихся h_j верхняя граница больше, чем Σ |h_j|, при всех D их "
        "таблиц",
    ),
    "bound-rises": t(
        "the mean of |S_j| rises from D = 18 to 19 and from D = 2048 to 4096",
        "среднее |S_j| растёт от D = 18 к 19 и от D = 2048 к 4096",
    ),
    "bound-falls-sum-rises": t(
        "from D = 0 to 4096 the upper bound for alternating h_j falls and |sum| grows",
        "от D = 0 к 4096 верхняя граница для чередующихся h_j падает, а |сумма| растёт",
    ),
    "largest-steps": t(
        "the largest step |h_(j+1) - h_j| is 2, 4 and 1/64 in the three tables",
        "наибольший шаг |h_(j+1) - h_j| в трёх таблицах равен 2, 4 и 1/64",
    ),
    "decay-factors-by-formula": t(
        "each share of equal rows is the mean of the 64 cosines",
        "каждая доля для одинаковых строк — это среднее 64 косинусов",
    ),
}
# The last is the distance up to 65536 at which the bound is smallest.
BOUND_DISTANCES = (0, 256, 4096, 61061)
SHARES_SHOWN = (0, 1, 16, 256, 4096)
RISES = ((18, 19), (2048, 4096))
SUM, BOUND = t("|sum|", "|сумма|"), t("upper bound", "верхняя граница")


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

    A 0 follows the last h. This is summation by parts (arXiv 2104.09864, section 3.4.3).
    """
    return np.asarray(largest_step(products) * np.abs(partial_sums).sum(axis=-1))


def largest_step(products: Complex) -> float:
    """max |h_(j+1) - h_j|, with a 0 after the last h."""
    return float(np.abs(np.diff(np.append(products, 0.0))).max())


def complex_scores(example: Example, query: Array, key: Array) -> Complex:  # -> [distances]
    """The sum of h_j e^(iD theta_j) from rotated rows: the score is its real part.

    Against the key with each pair rotated by 90 degrees the score is the imaginary part.
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
    products = [pair_products(query, key) for query, key in contents().values()]
    scores = np.array([complex_scores(example, query, key) for query, key in contents().values()])
    expected = np.array([(plain[rows] * product).sum(axis=1) for product in products])
    sums, limits = np.abs(scores), np.abs(products).sum(axis=1)
    bounds = np.array([abel_bound(product, partial_sums[rows]) for product in products])
    steps = [largest_step(product) for product in products]
    listed = [distances.index(distance) for distance in LISTED_DISTANCES]
    return _decay_factors(partial_sums[listed]) + Evidence(
        values={
            "bound_rise": np.array([means[distance] for distance in RISES[0]]),
            "bound_contents": list(contents()),
            "bound_distances": list(BOUND_DISTANCES),
            "bound_scores": scores.real,
            "whole_sums": sums,
            "abel_bounds": bounds,
            "plain_limits": limits,
            "largest_steps": steps,
        },
        checks=(
            agree("partial-sums-by-formula", list(means.values()), plain_means, 1e-10),
            agree(
                "sums-by-rotation", [scores.real, scores.imag], [expected.real, expected.imag], 1e-9
            ),
            agree("largest-steps", steps, [2.0, 4.0, 1 / 64], 1e-12),
            *_checks_of_bounds(sums, bounds, limits, means),
        ),
    )


def _decay_factors(partial_sums: Complex) -> Evidence:  # [distances, pairs]
    """The mean of |S_j| at the listed distances and the score of equal rows, as shares."""
    means, shares = np.abs(partial_sums).mean(axis=1), partial_sums[:, -1].real / 64
    mean_cosines = cosine_sums(LISTED_DISTANCES, MODEL_WIDTH, MODEL_BASE) / MODEL_WIDTH
    return Evidence(
        values={
            "mean_partial_sum_distances": list(LISTED_DISTANCES),
            "mean_partial_sums": means,
            "share_of_first_mean": means / means[0],
            "equal_row_shares": shares,
        },
        checks=(agree("decay-factors-by-formula", shares, mean_cosines, 1e-10),),
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
            'Read pairs as complex numbers (section "complex"): multiplying by '
            "e^(iφ) = cos φ + i sin φ rotates by φ. Then h_j is the query's pair j times the "
            "conjugate of the key's, and after the last pair, h_63, comes h_64 = 0. The dot "
            "product is the real part of the sum on the left. Summation by parts, which writes "
            "this sum with the steps h_(j+1) - h_j and the partial sums S_j, proves the upper "
            "bound. It has two factors: the largest step, which depends on q and k, and the sum of "
            "the |S_j|, which depends on the distance.",
            "Пары читаются как комплексные числа (раздел «complex»): умножение на e^(iφ) = cos φ + "
            "i sin φ — это поворот на φ. Тогда h_j — пара j запроса, умноженная на сопряжённую "
            "пару j ключа; после последней пары, h_63, полагают h_64 = 0. Скалярное произведение — "
            "вещественная часть суммы слева. Границу доказывают суммированием по частям: сумму "
            "записывают через шаги h_(j+1) - h_j и частичные суммы S_j. У границы два множителя: "
            "наибольший шаг зависит от q и k, сумма |S_j| — от расстояния.",
        ),
        _falling_factor(evidence),
        *_tables_of_contents(evidence),
        _room_below_the_bound(evidence),
        _when_it_is_useful(evidence),
        say(
            "Nor does a falling bound force the sum to fall, since there is room below it: for "
            "alternating h_j the bound falls from D = 0 to 4096 while |sum| grows from 0 to {end}. "
            "And the bound itself does not fall at every step: from D = 18 to 19 the mean of |S_j| "
            "rises from {first} to {second}.",
            "И убывающая граница не заставляет убывать сумму, ведь сумма может быть намного меньше "
            "границы: при чередующихся h_j граница от D = 0 к 4096 падает, а |сумма| вырастает от "
            "0 до {end}. Да и сама граница падает не на каждом шаге: от D = 18 к D = 19 среднее "
            "|S_j| растёт от {first} до {second}.",
            end=Short(round(evidence["whole_sums"][1][2], 2)),
            first=Short(round(first, 2)),
            second=Short(round(second, 2)),
        ),
        _shares(evidence),
        _two_decays(),
    )


def _when_it_is_useful(evidence: Evidence) -> Paragraph:
    return say(
        "The inequality holds for any q and k. But so does a simpler one that needs no proof: "
        "|sum| ≤ Σ |h_j|. For two rows of ones and D up to 65536 RoFormer's bound does not come "
        "below it: at D = 61061, where it is smallest, it is {smallest}, against {limit}. "
        "Although there is no step between equal neighbours, there is one after the last h_j, "
        "from 2 to h_64 = 0. So the bound is useful only when neighbouring h_j are close and the "
        "last ones are close to 0 as well, as in the third table, where every step is 1/64.",
        "Неравенство верно для любых q и k. Но верно и более простое, которое не нужно доказывать: "
        "|сумма| ≤ Σ |h_j|. Для двух строк из единиц граница из статьи ни при одном D до 65536 не "
        "опускается ниже: даже наименьшая из этих границ, при D = 61061, равна {smallest}, а Σ "
        "|h_j| = {limit}. Между соседними равными h_j шагов нет, но есть шаг от последнего, "
        "равного 2, к h_64 = 0. Поэтому польза от границы есть, только если соседние h_j близки и "
        "к тому же последние близки к 0, как в третьей таблице, где все шаги равны 1/64.",
        smallest=Short(round(evidence["abel_bounds"][0][-1], 2)),
        limit=Short(evidence["plain_limits"][0]),
    )


def _two_decays() -> Paragraph:
    return say(
        "Two different numbers, then, are called the decay of RoPE. The first is the mean of "
        "|S_j| as a share of its value at D = 0, and says something about an upper bound. The "
        "second is the decay factor of equal rows, and says something about scores: it crosses 0, "
        "which no upper bound on |sum| can.",
        "Итак, убыванием в RoPE называют две разные величины. Первая — доля среднего |S_j| от его "
        "значения при D = 0, и говорит она о верхней границе. Вторая — множитель убывания "
        "одинаковых строк, и говорит она об оценках; этот множитель переходит через 0, а "
        "верхняя граница для |суммы| отрицательной быть не может.",
    )


def _shares(evidence: Evidence) -> Table:
    shown = [LISTED_DISTANCES.index(distance) for distance in SHARES_SHOWN]
    return table_by_columns(
        t(
            "Shares of the value at D = 0: the mean of |S_j|, and the score of equal rows (the "
            "decay factor):",
            "Доли от значения при D = 0: среднее |S_j| и оценка одинаковых строк (множитель "
            "убывания):",
        ),
        ("D = m-n", SHARES_SHOWN),
        (t("mean of |S_j|", "среднее |S_j|"), evidence["share_of_first_mean"][shown]),
        (t("score of equal rows", "оценка одинаковых строк"), evidence["equal_row_shares"][shown]),
    )


def _falling_factor(evidence: Evidence) -> Series:
    return series_by_distance(
        evidence["mean_partial_sum_distances"],
        evidence["mean_partial_sums"],
        t("mean of |S_j|", "среднее |S_j|"),
        t(
            "The factor that depends on the distance, as a mean; d = 128, b = 10000:",
            "Множитель, зависящий от расстояния (среднее); d = 128, b = 10000:",
        ),
        t(
            "The mean falls from 32.5 at D = 0 to 3.6 at D = 2048; at the larger distances shown "
            "it lies between 3.8 and 5.2.",
            "Среднее падает с 32.5 при D = 0 до 3.6 при D = 2048; на бо́льших расстояниях рисунка "
            "оно лежит между 3.8 и 5.2.",
        ),
    )


def _tables_of_contents(evidence: Evidence) -> Iterator[Table]:
    (equal, alternating, falling), steps = evidence["plain_limits"], evidence["largest_steps"]
    captions = (
        t(
            "Equal h_j = 2, from two rows of ones. Largest step {step}, Σ |h_j| = {limit}:",
            "Равные h_j = 2 (две строки из единиц). Наибольший шаг {step}, Σ |h_j| = {limit}:",
            limit=Short(equal),
            step=Short(steps[0]),
        ),
        t(
            "Alternating h_j = 2, -2, 2, -2, ... Largest step {step}, Σ |h_j| = {limit}:",
            "Чередующиеся h_j = 2, -2, 2, -2, ... Наибольший шаг {step}, Σ |h_j| = {limit}:",
            limit=Short(alternating),
            step=Short(steps[1]),
        ),
        t(
            "Falling h_j = 1 - j/64. Largest step {step}, Σ |h_j| = {limit}:",
            "Убывающие h_j = 1 - j/64. Наибольший шаг {step}, Σ |h_j| = {limit}:",
            limit=Short(falling),
            step=Short(steps[2]),
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
        t(
            "For equal h_j, |sum| and two upper bounds on it:",
            "Для равных h_j: |сумма| и две её верхние границы:",
        ),
        ("D = m-n", t("|sum| and its bounds", "|сумма| и её границы")),
        curves(
            evidence["bound_distances"],
            (SUM, evidence["whole_sums"][0]),
            (BOUND, bounds),
            ("Σ |h_j|", np.full_like(bounds, evidence["plain_limits"][0])),
        ),
        t(
            "At each of the four distances the upper bound lies above Σ |h_j|, and Σ |h_j| is at "
            "least |sum|.",
            "На каждом из четырёх расстояний верхняя граница лежит выше Σ |h_j|, а Σ |h_j| не "
            "меньше |суммы|.",
        ),
        "xy",
    )
