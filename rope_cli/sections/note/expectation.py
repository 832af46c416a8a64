"""The average score: zero at every distance for independent rows, counted and not sampled."""

from __future__ import annotations

from itertools import product

import numpy as np

from rope_cli.document.blocks import Block, Line, Paragraph, Series, Table
from rope_cli.document.charts import curves
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree
from rope_cli.document.vocabulary import say, t, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array

TITLE = t("The average score", "Средняя оценка")
QUESTION = t(
    "Query and key are independent, and each of their four coordinates is +1 or -1, all cases "
    "equally likely. Does the mean score fall as the distance D grows?",
    "Запрос и ключ независимы, каждая из их четырёх координат равна +1 или -1, и все случаи "
    "равновероятны. Падает ли средняя оценка, когда растёт расстояние D?",
)

CLAIMS = {
    "mean-is-zero": t(
        "for independent q and k of mean 0 the mean score is 0 at all six distances",
        "для независимых q и k со средним 0 средняя оценка равна 0 на всех шести расстояниях",
    ),
    "variance-is-width": t(
        "for independent signs the variance of the score is d = 4 at all six distances",
        "для независимых q и k из +1 и -1 дисперсия оценки равна d = 4 на всех шести расстояниях",
    ),
    "extremes-by-formula": t(
        "the largest score is the sum of 2 max(|cos(D·θ_j)|, |sin(D·θ_j)|), the smallest its "
        "opposite",
        "наибольшая оценка — сумма 2 max(|cos(D·θ_j)|, |sin(D·θ_j)|), наименьшая ей противоположна",
    ),
    "equal-contents-give-trace": t(
        "with q = k the score of each of the 16 rows is the trace of R, twice the sum of cosines",
        "при q = k оценка каждой из 16 строк равна следу R — удвоенной сумме косинусов",
    ),
    "common-mean-gives-a-quarter": t(
        "with 1/2 added to every coordinate the mean score is a quarter of the trace",
        "если к каждой координате прибавить 1/2, средняя оценка равна четверти следа",
    ),
    "trace-not-monotone": t(
        "the trace rises from D = 2 to D = 5 and is negative at D = 10",
        "след растёт от D = 2 к D = 5, а при D = 10 отрицателен",
    ),
    "one-direction-mean-is-zero": t(
        "for independent q and k along [1, 0, 1, 0] the mean score is 0 as well",
        "для независимых q и k вдоль [1, 0, 1, 0] средняя оценка тоже равна 0",
    ),
    "one-direction-varies": t(
        "for q and k along [1, 0, 1, 0] the variance falls by more than 3.9 from D = 0 to 3",
        "для q и k вдоль [1, 0, 1, 0] дисперсия от D = 0 к 3 падает больше чем на 3.9",
    ),
}
WIDTH = 4
ONE_DIRECTION_DISTANCES = (0, 1, 3, 6)
DISTANCES = (0, 1, 2, 5, 10, 31)
EVERY_DISTANCE = range(32)
COMMON_MEAN = 0.5
VARIANCE = t("variance", "дисперсия")


def gather(example: Example) -> Evidence:
    """All 256 pairs of rows of signs at six distances, and rows along one direction."""
    return (
        _rows_of_signs(example)
        + _rows_along_one_direction(example)
        + Evidence(_means_at_every_distance(example), ())
    )


def _means_at_every_distance(example: Example) -> dict[str, object]:
    """The three mean scores at each distance up to the last, for the picture."""
    signs = as_array(list(product((1.0, -1.0), repeat=WIDTH)))
    scores = [score_all(example, signs, distance) for distance in EVERY_DISTANCE]
    moved = [score_all(example, signs + COMMON_MEAN, distance) for distance in EVERY_DISTANCE]
    return {
        "mean_distances": list(EVERY_DISTANCE),
        "independent_means_at_every_distance": np.array([each.mean() for each in scores]),
        "equal_content_means_at_every_distance": np.array(
            [each.diagonal().mean() for each in scores]
        ),
        "common_mean_means_at_every_distance": np.array([each.mean() for each in moved]),
    }


def _rows_of_signs(example: Example) -> Evidence:
    signs = as_array(list(product((1.0, -1.0), repeat=WIDTH)))
    scores = np.array([score_all(example, signs, distance) for distance in DISTANCES])
    means, variances = scores.mean(axis=(1, 2)), scores.var(axis=(1, 2))
    smallest, largest = scores.min(axis=(1, 2)), scores.max(axis=(1, 2))
    angles = reference.angles(DISTANCES, WIDTH, example.parameters.base)
    extremes = 2 * np.maximum(np.abs(np.cos(angles)), np.abs(np.sin(angles))).sum(axis=1)
    equal = scores.diagonal(axis1=1, axis2=2)
    _, _, at_two, at_five, at_ten, _ = equal.mean(axis=1)
    moved = [score_all(example, signs + COMMON_MEAN, distance).mean() for distance in DISTANCES]
    traces = np.array(
        [
            reference.rotation_matrix(distance, WIDTH, example.parameters.base).trace()
            for distance in DISTANCES
        ]
    )
    return Evidence(
        values={
            "expectation_distances": list(DISTANCES),
            "independent_means": means,
            "independent_variances": variances,
            "independent_least": smallest,
            "independent_greatest": largest,
            "equal_content_means": equal.mean(axis=1),
            "equal_content_variances": equal.var(axis=1),
            "common_mean_means": np.array(moved),
            "rotation_traces": traces,
        },
        checks=(
            Check("mean-is-zero", float(np.abs(means).max()), 1e-12, scores.size),
            Check("variance-is-width", float(np.abs(variances - WIDTH).max()), 1e-12, scores.size),
            agree("extremes-by-formula", [largest, smallest], [extremes, -extremes], 1e-12),
            agree("equal-contents-give-trace", equal, np.outer(traces, np.ones(len(signs))), 1e-12),
            agree("common-mean-gives-a-quarter", moved, COMMON_MEAN**2 * traces, 1e-12),
            Check("trace-not-monotone", float(min(at_five - at_two, -at_ten)), 0.1, 3, "at least"),
        ),
    )


def _rows_along_one_direction(example: Example) -> Evidence:
    """Independent q and k that are the chapter's row or its opposite."""
    row = as_array(FIRST_COLUMN)
    opposites = np.array([row, -row])
    scores = np.array(
        [score_all(example, opposites, distance) for distance in ONE_DIRECTION_DISTANCES]
    )
    means, variances = scores.mean(axis=(1, 2)), scores.var(axis=(1, 2))
    return Evidence(
        values={
            "one_direction_distances": list(ONE_DIRECTION_DISTANCES),
            "one_direction_means": means,
            "one_direction_variances": variances,
        },
        checks=(
            agree("one-direction-mean-is-zero", means, np.zeros_like(means), 1e-12),
            Check("one-direction-varies", float(variances[0] - variances[2]), 3.9, 2, "at least"),
        ),
    )


def score_all(example: Example, contents: Array, distance: int) -> Array:
    # [contents, width] -> [contents, contents]
    """Every row as the query against every row as the key, which is at position 3."""
    position = 3 + distance
    embedding = example.embedding_for(WIDTH, position + 1, example.parameters.base)
    queries = example.rotate_query(contents[:, np.newaxis], position, embedding)[:, 0]
    keys = example.rotate_key(contents[:, np.newaxis], 3, embedding)[:, 0]
    return np.asarray(queries @ keys.T)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Independent rows, rows along one direction, then rows that have something in common."""
    _, at_one, at_two, at_five, at_ten, _ = evidence["equal_content_means"]
    return (
        _independent(evidence),
        _why_zero(),
        _one_direction(evidence),
        _related(evidence),
        _means(evidence),
        say(
            "The note says that the expected dot product falls with m-n. For independent rows of "
            "mean 0 it does not: it is 0 at every distance. What can fall, on average and not at "
            "every step, is the score of rows that have something in common: for this q = k it is "
            "{one} at D = 1 and {ten} at D = 10, but from D = 2 to D = 5 it rises from {two} to "
            "{five}. Training may give rows something in common; the rotation by itself prefers no "
            "distance. Barbero et al. (2024, arXiv 2410.06205) prove the same for Gaussian q and k "
            "and argue that decay is not why RoPE works. And what the note calls a decay over "
            "frequency, θ_j = b^(-2j/d), is a list of speeds, not a penalty on distance.",
            "В заметке сказано, что математическое ожидание скалярного произведения падает с "
            "ростом m-n. Для независимых строк со средним 0 это не так: на любом расстоянии оно "
            "равно 0. Падать — в среднем, а не на каждом шаге — может оценка строк, у которых есть "
            "что-то общее: при таких q = k она равна {one} при D = 1 и {ten} при D = 10, но от D = "
            "2 к D = 5 растёт с {two} до {five}. Общее у строк может появиться при обучении, а сам "
            "поворот не предпочитает ни одного расстояния. Барберо и соавторы (2024, arXiv "
            "2410.06205) доказывают то же для гауссовых q и k и считают, что RoPE работает не "
            "благодаря убыванию. А то, что названо в заметке затуханием по частоте, θ_j = "
            "b^(-2j/d), — это набор скоростей, а не штраф за расстояние.",
            one=at_one,
            two=at_two,
            ten=at_ten,
            five=at_five,
        ),
    )


def _why_zero() -> Paragraph:
    return say(
        "The mean is 0 at every distance. Write R for R(n-m), so that the score is q·Rk. When q "
        "and k are independent, the mean of q·Rk is the dot product of the means of q and of Rk, "
        "and a rotation sends the mean 0 to 0. The variance stays the same too, but that is a "
        "property of these rows: the coordinates of q are uncorrelated, and the two of each pair "
        "have the same variance. Other rows of mean 0 can lose their spread at some distances, "
        "for instance those that lie along [1, 0, 1, 0]:",
        "Среднее равно 0 на любом расстоянии. Пусть R — это R(n-m), тогда оценка равна q·Rk. Если "
        "q и k независимы, среднее от q·Rk — скалярное произведение средних, q и Rk, а поворот "
        "переводит нулевое среднее в нулевое. Дисперсия тоже не меняется, но таково свойство "
        "именно этих строк: координаты q не коррелированы, и дисперсия у двух координат каждой "
        "пары одна и та же. У других строк со средним 0 разброс на некоторых расстояниях может "
        "почти исчезнуть — например, если они направлены вдоль [1, 0, 1, 0]:",
    )


def _one_direction(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "Scores of independent q and k, each [1, 0, 1, 0] or [-1, 0, -1, 0]:",
            "Оценки независимых q и k; каждая — [1, 0, 1, 0] или [-1, 0, -1, 0]:",
        ),
        ("D = m-n", evidence["one_direction_distances"]),
        (t("mean", "среднее"), evidence["one_direction_means"]),
        (VARIANCE, evidence["one_direction_variances"]),
    )


def _independent(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "Scores of independent q and k, all 16 × 16 pairs of rows of signs; d = 4, b = 100:",
            "Оценки независимых q и k: все 16 × 16 пар строк из +1 и -1; d = 4, b = 100:",
        ),
        ("D = m-n", evidence["expectation_distances"]),
        (t("mean", "среднее"), evidence["independent_means"]),
        (VARIANCE, evidence["independent_variances"]),
        (t("smallest", "наименьшая"), evidence["independent_least"]),
        (t("largest", "наибольшая"), evidence["independent_greatest"]),
    )


def _related(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "Scores of equal rows (16), and of independent rows with a common mean (16 × 16). The "
            "trace of R is the sum of its diagonal, 2 cos(D·θ_0) + 2 cos(D·θ_1):",
            "Оценки одинаковых строк (16) и независимых строк с общим средним (16 × 16). След R — "
            "сумма элементов на диагонали, 2 cos(D·θ_0) + 2 cos(D·θ_1):",
        ),
        ("D = m-n", evidence["expectation_distances"]),
        (t("q = k: mean", "q = k: среднее"), evidence["equal_content_means"]),
        (VARIANCE, evidence["equal_content_variances"]),
        (t("trace of R", "след R"), evidence["rotation_traces"]),
        (
            t("1/2 added to all coordinates: mean", "ко всем координатам прибавлено 1/2: среднее"),
            evidence["common_mean_means"],
        ),
    )


def _means(evidence: Evidence) -> Series:
    names: tuple[Line, ...] = (
        t("independent", "независимые"),
        "q = k",
        t("common mean 1/2", "общее среднее 1/2"),
    )
    keys = "independent_means", "equal_content_means", "common_mean_means"
    listed, every = (
        curves(evidence[places], *zip(names, (evidence[key + ending] for key in keys), strict=True))
        for places, ending in (
            ("expectation_distances", ""),
            ("mean_distances", "_at_every_distance"),
        )
    )
    return Series(
        t("The three mean scores by distance:", "Три средние оценки на каждом расстоянии:"),
        ("D = m-n", t("mean score", "средняя оценка")),
        listed,
        t(
            "The mean for independent rows stays at 0. The means for equal rows and for rows with "
            "a common mean fall and rise together, the second a quarter of the first.",
            "Среднее для независимых строк остаётся равным 0. Средние для одинаковых строк и для "
            "строк с общим средним падают и растут вместе, второе — четверть первого.",
        ),
        dense=every,
    )
