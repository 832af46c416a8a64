"""The average score: zero at every distance for independent contents, counted and not sampled."""

from __future__ import annotations

from itertools import product

import numpy as np

from rope_cli.document.blocks import Block, Series, Table
from rope_cli.document.charts import curves
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree
from rope_cli.document.vocabulary import say, t, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import Array, Example, as_array

TITLE = t("What is the average score?", "Чему в среднем равна оценка")
QUESTION = t(
    "Query and key are independent: each of their four coordinates is +1 or -1, all cases equally "
    "likely. Does the mean of their dot product fall as the distance D grows?",
    "Запрос и ключ независимы: каждая из четырёх координат равна +1 или -1, все случаи "
    "равновероятны. Падает ли среднее их скалярного произведения, когда растёт расстояние D?",
)

CLAIMS = {
    "mean-is-zero": t(
        "for these independent contents of mean 0 the mean score is 0 at every distance",
        "для этих независимых содержимых со средним 0 средняя оценка на любом расстоянии равна 0",
    ),
    "variance-is-width": t(
        "for independent contents the variance is d = 4 at every distance",
        "для независимых содержимых дисперсия на любом расстоянии равна d = 4",
    ),
    "equal-contents-give-trace": t(
        "with q = k each of the 16 contents scores the trace of R, twice the sum of cosines",
        "при q = k оценка каждого из 16 содержимых равна следу R — удвоенной сумме косинусов",
    ),
    "common-mean-gives-a-quarter": t(
        "with 1/2 added to every coordinate the mean is a quarter of the trace",
        "если к каждой координате прибавить 1/2, среднее равно четверти следа",
    ),
    "trace-not-monotone": t(
        "the trace rises again from D = 2 to D = 5, and is negative at D = 10",
        "след снова растёт от D = 2 к D = 5, а при D = 10 отрицателен",
    ),
}
WIDTH = 4
DISTANCES = (0, 1, 2, 5, 10, 31)
COMMON_MEAN = 0.5
VARIANCE = t("variance", "дисперсия")


def gather(example: Example) -> Evidence:
    """All 256 pairs of contents at six distances."""
    signs = as_array(list(product((1.0, -1.0), repeat=WIDTH)))
    scores = np.array([score_all(example, signs, distance) for distance in DISTANCES])
    means, variances = scores.mean(axis=(1, 2)), scores.var(axis=(1, 2))
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
            "independent_least": scores.min(axis=(1, 2)),
            "independent_greatest": scores.max(axis=(1, 2)),
            "equal_content_means": equal.mean(axis=1),
            "equal_content_variances": equal.var(axis=1),
            "common_mean_means": np.array(moved),
            "rotation_traces": traces,
        },
        checks=(
            Check("mean-is-zero", float(np.abs(means).max()), 1e-12, scores.size),
            Check("variance-is-width", float(np.abs(variances - WIDTH).max()), 1e-12, scores.size),
            agree("equal-contents-give-trace", equal, np.outer(traces, np.ones(len(signs))), 1e-12),
            agree("common-mean-gives-a-quarter", moved, COMMON_MEAN**2 * traces, 1e-12),
            Check("trace-not-monotone", float(min(at_five - at_two, -at_ten)), 0.1, 3, "at least"),
        ),
    )


def score_all(example: Example, contents: Array, distance: int) -> Array:
    # [contents, width] -> [contents, contents]
    """Every content as query against every content as key, which stands at position 3."""
    position = 3 + distance
    embedding = example.embedding_for(WIDTH, position + 1, example.parameters.base)
    queries = example.rotate_query(contents[:, np.newaxis], position, embedding)[:, 0]
    keys = example.rotate_key(contents[:, np.newaxis], 3, embedding)[:, 0]
    return np.asarray(queries @ keys.T)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Independent contents, then contents that have something in common."""
    _, at_one, _, at_five, at_ten, _ = evidence["equal_content_means"]
    return (
        _independent(evidence),
        _related(evidence),
        _means(evidence),
        say(
            "The note says that the expected dot product falls with m-n. For independent contents "
            "of mean 0 it does not: a turn sends the mean 0 to 0 and keeps the spread. What falls, "
            "on average and not at every step, is the score of contents that are alike: {one} at "
            "D = 1, {ten} at D = 10, and {five} again at D = 5. Training may make contents alike; "
            "the rotation by itself prefers no distance. And what the note calls a decay over "
            "frequency, θ_j = b^(-2j/d), is a list of speeds, not a penalty.",
            "В заметке сказано, что математическое ожидание скалярного произведения падает с "
            "ростом m-n. Для независимых содержимых со средним 0 это не так: поворот переводит "
            "нулевое среднее в нулевое и сохраняет разброс. Падает — в среднем, а не на каждом "
            "шаге — оценка похожих содержимых: {one} при D = 1, {ten} при D = 10, но при D = 5 "
            "снова {five}. Похожими их может сделать обучение, а сам поворот не предпочитает ни "
            "одного расстояния. А то, что названо в заметке затуханием по частоте, "
            "θ_j = b^(-2j/d), — это набор скоростей, а не штраф.",
            one=at_one,
            ten=at_ten,
            five=at_five,
        ),
    )


def _independent(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "Independent q and k, all 16 x 16 contents, d = 4, b = 100:",
            "Независимые q и k, все 16 x 16 содержимых, d = 4, b = 100:",
        ),
        ("D = m-n", evidence["expectation_distances"]),
        (t("mean", "среднее"), evidence["independent_means"]),
        (VARIANCE, evidence["independent_variances"]),
        (t("least", "наименьшая"), evidence["independent_least"]),
        (t("greatest", "наибольшая"), evidence["independent_greatest"]),
    )


def _related(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "Equal contents (16), and independent ones with a common mean (16 x 16):",
            "Одинаковые содержимые (16) и независимые с общим средним (16 x 16):",
        ),
        ("D = m-n", evidence["expectation_distances"]),
        (t("q = k: mean", "q = k: среднее"), evidence["equal_content_means"]),
        (VARIANCE, evidence["equal_content_variances"]),
        (t("trace of R", "след R"), evidence["rotation_traces"]),
        (
            t(
                "mean with 1/2 added to all coordinates",
                "среднее, если к координатам прибавить 1/2",
            ),
            evidence["common_mean_means"],
        ),
    )


def _means(evidence: Evidence) -> Series:
    return Series(
        t("The three means by distance:", "Три средних на каждом расстоянии:"),
        ("D = m-n", t("mean score", "средняя оценка")),
        curves(
            evidence["expectation_distances"],
            (t("independent", "независимые"), evidence["independent_means"]),
            ("q = k", evidence["equal_content_means"]),
            (t("common mean 1/2", "общее среднее 1/2"), evidence["common_mean_means"]),
        ),
        t(
            "The mean of independent contents stays at zero. Those of equal contents and of "
            "contents with a common mean go up and down together, the second a quarter of "
            "the first.",
            "Среднее для независимых содержимых остаётся на нуле. Средние для одинаковых и для "
            "имеющих общее среднее растут и падают вместе, второе — четверть первого.",
        ),
    )
