"""Equal rows at a distance: the score falls on average, like a logarithm, and not steadily."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rope_cli.document.blocks import Block, Paragraph, Series, Table
from rope_cli.document.charts import curves, series_by_distance
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true
from rope_cli.document.vocabulary import formula, say, t, table_by_columns
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example
from rope_cli.experiments.distances import (
    MODEL_BASE,
    MODEL_WIDTH,
    cosine_sums,
    key_rows,
    query_rows,
    scores_at,
)

TITLE = t("Equal rows at a distance", "Одинаковые строки на расстоянии")
QUESTION = t(
    "Query and key are the same row, and the key is D positions before the query. Does the score "
    "fall with every step? For the row [1, 0, 1, 0], is the score at D = 6 smaller than at D = 1?",
    "Запрос и ключ — одна и та же строка, ключ на D позиций раньше запроса. Падает ли оценка с "
    "каждым шагом? Меньше ли она для строки [1, 0, 1, 0] при D = 6, чем при D = 1?",
)

CLAIMS = {
    "same-content-at-zero": t(
        "at D = 0 the score is the squared norm of the row",
        "при D = 0 оценка равна квадрату нормы строки",
    ),
    "same-content-by-cosines": t(
        "every score is the sum of |x_j|² cos(D·θ_j) over the pairs",
        "каждая оценка равна сумме |x_j|² cos(D·θ_j) по парам",
    ),
    "farther-key-wins": t(
        "for [1, 0, 1, 0] the score is larger at D = 6 than at D = 1",
        "для строки [1, 0, 1, 0] оценка при D = 6 больше, чем при D = 1",
    ),
    "farther-keys-win": t(
        "at d = 128 the scores at D = 67, 137 and 1030 are larger than those at D = 64, 128 and "
        "1024",
        "при d = 128 оценки для D = 67, 137 и 1030 больше, чем для D = 64, 128 и 1024",
    ),
    "first-negative-score": t(
        "at d = 128, b = 10000 the score is positive for every D < 1707 and negative at D = 1707",
        "при d = 128, b = 10000 оценка положительна для всех D < 1707 и отрицательна при D = 1707",
    ),
    "falls-like-a-logarithm": t(
        "in the windows up to D = 4095 the mean score is close to the mean of the formula",
        "на отрезках до D = 4095 средняя оценка близка к среднему значению формулы",
    ),
    "logarithm-ends": t(
        "in the window from D = 4096 to 16383 the mean of the formula is far below the mean score",
        "на отрезке от D = 4096 до 16383 среднее значение формулы намного ниже средней оценки",
    ),
    "formula-reaches-zero": t(
        "the formula is positive at D = 5614 and negative at D = 5615",
        "формула положительна при D = 5614 и отрицательна при D = 5615",
    ),
    "decay-factor-is-mean-cosine": t(
        "the score divided by |x|² = 128 is the mean of the 64 cosines",
        "оценка, делённая на |x|² = 128, — это среднее 64 косинусов",
    ),
}
SMALL_DISTANCES = range(13)
EVERY_DISTANCE = range(2049)
LISTED_DISTANCES = (0, *(2**power for power in range(17)))
FARTHER = ((64, 67), (128, 137), (1024, 1030))
WINDOWS = ((1, 3), (4, 15), (16, 63), (64, 255), (256, 1023))
FAR_WINDOWS = ((1024, 4095), (4096, 16383))
FACTOR_DISTANCES = (0, 1, 16, 256, 4096)
FIRST_NEGATIVE = 1707
FORMULA_ENDS = (5614, 5615)
SCORE = t("score", "оценка")


def gather(example: Example) -> Evidence:
    """The chapter's row at thirteen distances, a row of ones at many."""
    small = _chapters_row_scores(example)
    ones, near = np.ones(MODEL_WIDTH), range(FAR_WINDOWS[-1][-1] + 1)
    distances = [*near, *(distance for distance in LISTED_DISTANCES if distance not in near)]
    scores = scores_at(example, ones, ones[np.newaxis], distances)[:, 0]
    small_sums = cosine_sums(SMALL_DISTANCES, len(FIRST_COLUMN), example.parameters.base) / 2
    sums = cosine_sums(distances, MODEL_WIDTH, MODEL_BASE)
    values = {
        "small_distances": list(SMALL_DISTANCES),
        "small_same_scores": small,
        "every_distance": list(EVERY_DISTANCE),
        "scores_at_every_distance": scores[: len(EVERY_DISTANCE)],
        "listed_distances": list(LISTED_DISTANCES),
        "same_scores": scores[[distances.index(distance) for distance in LISTED_DISTANCES]],
        "same_norm": float(MODEL_WIDTH),
    }
    checks = (
        agree("same-content-at-zero", [small[0], scores[0]], [2.0, MODEL_WIDTH], 1e-10),
        agree("same-content-by-cosines", [*small, *scores], [*small_sums, *sums], 1e-10),
        Check("farther-key-wins", float(small[6] - small[1]), 0.1, 2, "at least"),
    )
    return Evidence(values, checks) + _single_distances(scores) + _means_of_windows(scores)


def _single_distances(scores: Array) -> Evidence:
    """Farther keys with larger scores, the first score below 0, and shares of the largest."""
    farther, factors = scores[np.array(FARTHER)], scores[list(FACTOR_DISTANCES)] / scores[0]
    positive, negative = scores[:FIRST_NEGATIVE], scores[FIRST_NEGATIVE]
    mean_cosines = cosine_sums(FACTOR_DISTANCES, MODEL_WIDTH, MODEL_BASE) / MODEL_WIDTH
    return Evidence(
        values={
            "farther_pairs": [list(pair) for pair in FARTHER],
            "farther_scores": farther,
            "last_positive_score": float(positive[-1]),
            "first_negative_score": float(negative),
            "rising_steps_to_256": int((np.diff(scores[:257]) > 0).sum()),
            "decay_distances": list(FACTOR_DISTANCES),
            "decay_factors": factors,
        },
        checks=(
            Check("farther-keys-win", float(np.diff(farther).min()), 1.0, farther.size, "at least"),
            all_true("first-negative-score", [*(positive > 0), negative < 0]),
            agree("decay-factor-is-mean-cosine", factors, mean_cosines, 1e-10),
        ),
    )


def _means_of_windows(scores: Array) -> Evidence:
    """Mean scores of windows of distances, and the means of the formula there."""
    windows = (*WINDOWS, *FAR_WINDOWS)
    means = np.array([scores[first : last + 1].mean() for first, last in windows])
    lines = np.array(
        [
            np.mean([logarithm_line(distance) for distance in range(first, last + 1)])
            for first, last in windows
        ]
    )
    near, end = len(WINDOWS), [logarithm_line(distance) for distance in FORMULA_ENDS]
    return Evidence(
        values={
            "score_windows": [list(window) for window in WINDOWS],
            "window_means": means[:near],
            "window_lines": lines[:near],
            "far_windows": [list(window) for window in FAR_WINDOWS],
            "far_window_means": means[near:],
            "far_window_lines": lines[near:],
        },
        checks=(
            agree("falls-like-a-logarithm", means[:-1], lines[:-1], 3.0),
            Check("logarithm-ends", float(means[-1] - lines[-1]), 3.0, 2, "at least"),
            all_true("formula-reaches-zero", [end[0] > 0, end[1] < 0]),
        ),
    )


def _chapters_row_scores(example: Example) -> Array:  # -> [distances]
    """One query that looks back at keys of its own content: the last is at its own position."""
    base = example.parameters.base
    query = query_rows(example, FIRST_COLUMN, SMALL_DISTANCES[-1:], base)[0]
    return np.flip(key_rows(example, FIRST_COLUMN, SMALL_DISTANCES, base) @ query)


def logarithm_line(distance: int) -> float:
    """Where the score of two rows of ones lies on average: d (1 - (ln D + gamma)/ln b)."""
    return MODEL_WIDTH * (1 - (math.log(distance) + np.euler_gamma) / math.log(MODEL_BASE))


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Two curves, the decay factor, then the windows."""
    return (
        formula("(R(m)x)·(R(n)x) = Σ_j |x_j|² cos(D·θ_j)"),
        say(
            "Here x_j is pair j of the row, |x_j| its length, and D = m-n. The angle between a "
            "pair and the same pair rotated is D·θ_j, so each pair contributes a cosine and no "
            "sine.",
            "Здесь x_j — пара j строки, |x_j| — её длина, D = m-n. Между парой и ею же после "
            "поворота угол D·θ_j, поэтому каждая пара вносит косинус, а синусов нет.",
        ),
        _chapters_row(evidence),
        _row_of_ones(evidence),
        *_decay_factor(evidence),
        _windows(evidence),
        _why_a_logarithm(),
        _no_promise_for_one_key(evidence),
    )


def _no_promise_for_one_key(evidence: Evidence) -> Paragraph:
    return say(
        "For a single key this average promises nothing. At D = {far} the score is {more}, at D = "
        "{near} only {less}; of the first 256 steps {rising} lead upwards; and at D = 1707 the "
        "score is negative for the first time, {negative}.",
        "Отдельному ключу это среднее ничего не обещает. При D = {far} оценка {more}, а при D = "
        "{near} — только {less}; из первых 256 шагов вверх ведут {rising}; при D = 1707 оценка "
        "впервые отрицательна: {negative}.",
        far=evidence["farther_pairs"][0][1],
        near=evidence["farther_pairs"][0][0],
        more=evidence["farther_scores"][0][1],
        less=evidence["farther_scores"][0][0],
        rising=evidence["rising_steps_to_256"],
        negative=evidence["first_negative_score"],
    )


def _why_a_logarithm() -> Paragraph:
    return say(
        "So for this row the note is right on average: the score falls, and it falls like a "
        "logarithm, not exponentially. The same holds for any q = k whose pairs have about the "
        "same length; a row with one long pair swings with the cosine of that pair. The logarithm "
        "comes from the cosines. Pairs with D·θ_j well above 1 have cosines of either sign, which "
        "nearly cancel; pairs with D·θ_j well below 1 still contribute almost as much as at D = 0. "
        "The speeds form a geometric sequence, so each doubling of D moves about the same number "
        "of pairs, five of the 64, from the second group to the first. When none is left in the "
        "second group the logarithm ends: the formula reaches 0 between D = {zero} and {below} and "
        "would go on falling, but the scores then swing around 0.",
        "Итак, для этой строки заметка в среднем права: оценка падает, но как логарифм, а не "
        "экспоненциально. То же верно для любых q = k, у которых все пары примерно одной длины; "
        "если же одна пара намного длиннее прочих, оценка колеблется вместе с её косинусом. Откуда "
        "логарифм, объясняют косинусы. У пар, для которых D·θ_j намного больше 1, они бывают обоих "
        "знаков и почти взаимно уничтожаются; пары, для которых D·θ_j намного меньше 1, "
        "по-прежнему дают почти столько же, сколько при D = 0. Скорости образуют геометрическую "
        "прогрессию, поэтому каждое удвоение D переводит из второй группы в первую примерно одно и "
        "то же число пар: около пяти из 64. Когда вторая группа пустеет, логарифм кончается: "
        "формула обращается в 0 между D = {zero} и {below} и дальше падала бы без конца, а оценки "
        "колеблются около 0.",
        zero=FORMULA_ENDS[0],
        below=FORMULA_ENDS[1],
    )


def _decay_factor(evidence: Evidence) -> tuple[Block, ...]:
    return (
        table_by_columns(
            t(
                "The decay factor of the row of ones, score/128 = (cos(D·θ_0) + ... + "
                "cos(D·θ_63))/64:",
                "Множитель убывания для строки из единиц, оценка/128 = (cos(D·θ_0) + ... + "
                "cos(D·θ_63))/64:",
            ),
            ("D = m-n", evidence["decay_distances"]),
            (t("decay factor", "множитель"), evidence["decay_factors"]),
        ),
        say(
            "When all pairs of x have the same length, the score is |x|² times one number that "
            "depends on D alone: the mean of the cosines, often called the decay factor. For "
            "other rows each cosine has a weight of its own, |x_j|², and for different q and k "
            "sines enter as well. So no single factor describes the decay of RoPE.",
            "Если все пары строки x одинаковой длины, оценка равна |x|², умноженному на одно "
            "число, которое зависит лишь от D: на среднее косинусов. Его часто называют "
            "множителем убывания. Для других строк у каждого косинуса свой вес, |x_j|², а если q "
            "и k различны, в оценку входят и синусы. Поэтому одного множителя, описывающего "
            "убывание в RoPE, не существует.",
        ),
    )


def _windows(evidence: Evidence) -> Table:
    windows, means, lines = (
        [*evidence[near], *evidence[far]]
        for near, far in (
            ("score_windows", "far_windows"),
            ("window_means", "far_window_means"),
            ("window_lines", "far_window_lines"),
        )
    )
    return table_by_columns(
        t(
            "Mean score of the row of ones in windows of distances, and the mean of the formula "
            "d(1 - (ln D + 0.577216)/ln b), where 0.577216 is Euler's constant:",
            "Средняя оценка строки из единиц на отрезках расстояний и среднее значение формулы d(1 "
            "- (ln D + 0.577216)/ln b), где 0.577216 — постоянная Эйлера:",
        ),
        (t("D from–to", "D от–до"), (f"{first}–{last}" for first, last in windows)),
        (t("mean score", "средняя оценка"), means),
        (t("mean of the formula", "среднее формулы"), lines),
    )


def _chapters_row(evidence: Evidence) -> Series:
    return series_by_distance(
        evidence["small_distances"],
        evidence["small_same_scores"],
        SCORE,
        t("The row [1, 0, 1, 0], d = 4, b = 100:", "Строка [1, 0, 1, 0], d = 4, b = 100:"),
        t(
            "The score falls below zero at D = 3, rises to 1.79 at D = 6, almost its value at 0, "
            "and falls below zero again at D = 9: waves, not a steady fall.",
            "Оценка опускается ниже нуля при D = 3, при D = 6 поднимается до 1.79, почти до "
            "начального значения, и при D = 9 снова отрицательна: это волны, а не ровное убывание.",
        ),
    )


def _row_of_ones(evidence: Evidence) -> Series:
    every = curves(evidence["every_distance"], (SCORE, evidence["scores_at_every_distance"]))
    listed = series_by_distance(
        evidence["listed_distances"],
        evidence["same_scores"],
        SCORE,
        t("A row of ones, d = 128, b = 10000:", "Строка из единиц, d = 128, b = 10000:"),
        t(
            "The score falls from 128 at D = 0 to 26 at D = 1024, roughly along a straight line on "
            "this logarithmic axis; from D = 4096 on it swings around zero.",
            "Оценка падает со 128 при D = 0 до 26 при D = 1024, на этой логарифмической оси — "
            "примерно по прямой; начиная с D = 4096 она колеблется около нуля.",
        ),
    )
    return replace(listed, dense=every)
