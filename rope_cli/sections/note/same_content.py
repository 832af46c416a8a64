"""Equal contents and distance: the score falls on average, like a logarithm, and not steadily."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Series
from rope_cli.document.charts import series_by_distance
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

TITLE = t("Equal contents and distance", "Одинаковое содержимое и расстояние")
QUESTION = t(
    "Query and key are the same row, and the key stands D positions before the query. Does the "
    "score fall with every step? With the chapter's row, is a key at D = 6 weaker than the direct "
    "neighbour at D = 1?",
    "Запрос и ключ — одна и та же строка, ключ стоит на D позиций раньше запроса. Падает ли оценка "
    "с каждым шагом? Слабее ли для строки из главы ключ при D = 6, чем ближайший сосед при D = 1?",
)

CLAIMS = {
    "same-content-at-zero": t(
        "at D = 0 query and key are turned alike: the score is the squared norm",
        "при D = 0 взаимного поворота нет: оценка равна квадрату нормы",
    ),
    "same-content-by-cosines": t(
        "every score of equal rows is a sum of cosines of D·θ_j",
        "любая оценка одинаковых строк — сумма косинусов D·θ_j",
    ),
    "farther-key-wins": t(
        "with the chapter's row the key at D = 6 scores more than the key at D = 1",
        "для строки из главы ключ при D = 6 получает больше, чем ключ при D = 1",
    ),
    "farther-keys-win": t(
        "with d = 128 too, D = 67, 137 and 1030 score more than D = 64, 128 and 1024",
        "и при d = 128 оценка при D = 67, 137 и 1030 выше, чем при D = 64, 128 и 1024",
    ),
    "first-negative-score": t(
        "with d = 128, b = 10000 the score is positive for D < 1707 and negative at D = 1707",
        "при d = 128, b = 10000 оценка положительна для D < 1707 и отрицательна при D = 1707",
    ),
    "falls-like-a-logarithm": t(
        "the mean score of each window of distances stays close to the logarithm beside it",
        "средняя оценка на каждом отрезке расстояний близка к логарифму, стоящему рядом",
    ),
}
SMALL_DISTANCES = range(13)
LISTED_DISTANCES = (0, *(2**power for power in range(17)))
FARTHER = ((64, 67), (128, 137), (1024, 1030))
WINDOWS = ((1, 3), (4, 15), (16, 63), (64, 255), (256, 1023))
FIRST_NEGATIVE = 1707
SCORE = t("score", "оценка")


def gather(example: Example) -> Evidence:
    """The chapter's row at thirteen distances, a row of ones at many."""
    small = _chapters_row_scores(example)
    ones, near = np.ones(MODEL_WIDTH), range(FIRST_NEGATIVE + 1)
    distances = [*near, *(distance for distance in LISTED_DISTANCES if distance not in near)]
    scores = scores_at(example, ones, ones[np.newaxis], distances)[:, 0]
    near_scores = scores[: len(near)]
    farther = near_scores[np.array(FARTHER)]
    means = [near_scores[first : last + 1].mean() for first, last in WINDOWS]
    lines = [
        np.mean([logarithm_line(distance) for distance in range(first, last + 1)])
        for first, last in WINDOWS
    ]
    small_sums = cosine_sums(SMALL_DISTANCES, len(FIRST_COLUMN), example.parameters.base) / 2
    sums = cosine_sums(distances, MODEL_WIDTH, MODEL_BASE)
    return Evidence(
        values={
            "small_distances": list(SMALL_DISTANCES),
            "small_same_scores": small,
            "listed_distances": list(LISTED_DISTANCES),
            "same_scores": scores[[distances.index(distance) for distance in LISTED_DISTANCES]],
            "same_norm": float(MODEL_WIDTH),
            "farther_pairs": [list(pair) for pair in FARTHER],
            "farther_scores": farther,
            "last_positive_score": float(near_scores[-2]),
            "first_negative_score": float(near_scores[-1]),
            "rising_steps_to_256": int((np.diff(near_scores[:257]) > 0).sum()),
            "score_windows": [list(window) for window in WINDOWS],
            "window_means": np.array(means),
            "window_lines": np.array(lines),
        },
        checks=(
            agree("same-content-at-zero", [small[0], scores[0]], [2.0, MODEL_WIDTH], 1e-10),
            agree("same-content-by-cosines", [*small, *scores], [*small_sums, *sums], 1e-10),
            Check("farther-key-wins", float(small[6] - small[1]), 0.1, 2, "at least"),
            Check("farther-keys-win", float(np.diff(farther).min()), 1.0, farther.size, "at least"),
            all_true("first-negative-score", [*(near_scores[:-1] > 0), near_scores[-1] < 0]),
            agree("falls-like-a-logarithm", means, lines, 3.0),
        ),
    )


def _chapters_row_scores(example: Example) -> Array:  # -> [distances]
    """One query that looks back at keys of its own content: the last of them stands beside it."""
    base = example.parameters.base
    query = query_rows(example, FIRST_COLUMN, SMALL_DISTANCES[-1:], base)[0]
    return np.flip(key_rows(example, FIRST_COLUMN, SMALL_DISTANCES, base) @ query)


def logarithm_line(distance: int) -> float:
    """Where the score of two rows of ones lies on average: d (1 - (ln D + gamma)/ln b)."""
    return MODEL_WIDTH * (1 - (math.log(distance) + np.euler_gamma) / math.log(MODEL_BASE))


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Two curves, then the windows."""
    return (
        formula("(R(m·θ)x)ᵀ (R(n·θ)x) = Σ |x_j|² cos(D·θ_j)"),
        _chapters_row(evidence),
        _row_of_ones(evidence),
        table_by_columns(
            t(
                "Means over windows, d = 128 (0.577216 is Euler's constant):",
                "Средние по отрезкам, d = 128 (0.577216 — постоянная Эйлера):",
            ),
            ("D", (f"{first}–{last}" for first, last in evidence["score_windows"])),
            (t("mean score", "средняя оценка"), evidence["window_means"]),
            ("d(1 - (ln D + 0.577216)/ln b)", evidence["window_lines"]),
        ),
        say(
            "For equal rows the note is right on average: the score falls, as a logarithm does and "
            "not exponentially. It is no law for single keys: D = {far} scores {more} where "
            "D = {near} scores {less}, {rising} of the first 256 steps go up, and at D = 1707 the "
            "score is negative for the first time, {negative}.",
            "Для одинаковых строк заметка в среднем права: оценка падает, но логарифмически, а не "
            "экспоненциально. К отдельным ключам это не относится: при D = {far} оценка {more}, а "
            "при D = {near} — {less}; из первых 256 шагов {rising} ведут вверх, а при D = 1707 "
            "оценка впервые отрицательна: {negative}.",
            far=evidence["farther_pairs"][0][1],
            near=evidence["farther_pairs"][0][0],
            more=evidence["farther_scores"][0][1],
            less=evidence["farther_scores"][0][0],
            rising=evidence["rising_steps_to_256"],
            negative=evidence["first_negative_score"],
        ),
    )


def _chapters_row(evidence: Evidence) -> Series:
    return series_by_distance(
        evidence["small_distances"],
        evidence["small_same_scores"],
        SCORE,
        t("The chapter's row, d = 4, b = 100:", "Строка из главы, d = 4, b = 100:"),
        t(
            "The score falls, rises again almost to where it began, and goes below zero: waves, "
            "not a steady fall.",
            "Оценка падает, снова поднимается почти до начального значения, опускается ниже нуля: "
            "это волны, а не ровное убывание.",
        ),
    )


def _row_of_ones(evidence: Evidence) -> Series:
    return series_by_distance(
        evidence["listed_distances"],
        evidence["same_scores"],
        SCORE,
        t("A row of ones, d = 128, b = 10000:", "Строка из единиц, d = 128, b = 10000:"),
        t(
            "With each doubling of the distance the score falls by about the same amount; at the "
            "far end it swings around zero.",
            "С каждым удвоением расстояния оценка падает примерно на одну и ту же величину, а "
            "вдали колеблется около нуля.",
        ),
    )
