"""Equal contents and distance: the score falls on average, like a logarithm, and not steadily."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from rope_cli.document.blocks import Block
from rope_cli.document.charts import by_distance
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true
from rope_cli.document.vocabulary import formula, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.positions import consecutive_runs
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array

TITLE = t("Equal contents and distance", "Одинаковое содержимое и расстояние")
QUESTION = t(
    "Query and key are the same row, and the key stands D positions before the query. "
    "Does the score fall with every step? With the chapter's row, is a key at D = 6 "
    "weaker than the direct neighbour at D = 1?",
    "Запрос и ключ — одна и та же строка, ключ стоит на D позиций раньше запроса. "
    "Падает ли оценка с каждым шагом? Слабее ли для строки из главы ключ при D = 6, чем "
    "ближайший сосед при D = 1?",
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
# The usual head width and base of a language model.
MODEL_WIDTH, MODEL_BASE = 128, 10000.0
SMALL_DISTANCES = tuple(range(13))
LISTED_DISTANCES = (0, *(2**power for power in range(17)))
FARTHER = ((64, 67), (128, 137), (1024, 1030))
WINDOWS = ((1, 3), (4, 15), (16, 63), (64, 255), (256, 1023))
FIRST_NEGATIVE = 1707
EULER = 0.5772156649015329


def turned_queries(
    example: Example, row: Sequence[float], positions: Sequence[int], base: float
) -> Array:  # [positions, width]
    """One query row turned to each position of a list; no table holds what lies in between."""
    turned = []
    for part in consecutive_runs(positions):
        tokens, start = part.stop - part.start, positions[part.start]
        embedding = example.embedding_for(len(row), start + tokens, base, start)
        turned.append(example.rotate_query(np.tile(as_array(row), (tokens, 1)), start, embedding))
    return np.concatenate(turned)


def scores_at(
    example: Example,
    query: Sequence[float],
    keys: Array,
    distances: Sequence[int],
    base: float = MODEL_BASE,
) -> Array:  # [keys, width] -> [distances, keys]
    """The query at position D against each key at position 0, for every distance D = m-n."""
    embedding = example.embedding_for(len(query), 1, base)
    turned_keys = example.rotate_key(keys[:, np.newaxis, :], 0, embedding)[:, 0, :]
    scores: Array = turned_queries(example, query, distances, base) @ turned_keys.T
    return scores


def cosine_sums(distances: ArrayLike, width: int, base: float) -> Array:
    """Twice the sum of cos(D theta_j): the score of two rows of ones, by the plain formula."""
    sums: Array = 2 * np.cos(reference.angles(distances, width, base)).sum(axis=1)
    return sums


def logarithm_line(distance: int, width: int, base: float) -> float:
    """Where the score of two rows of ones lies on average: width (1 - (ln D + gamma)/ln base)."""
    return width * (1 - (math.log(distance) + EULER) / math.log(base))


def gather(example: Example) -> Evidence:
    """The chapter's row at thirteen distances, a row of ones at many."""
    width, base, small_base = MODEL_WIDTH, MODEL_BASE, example.parameters.base
    small_queries = turned_queries(example, FIRST_COLUMN, SMALL_DISTANCES[-1:], small_base)
    small_table = example.embedding_for(len(FIRST_COLUMN), len(SMALL_DISTANCES), small_base)
    small_keys = np.tile(as_array(FIRST_COLUMN), (len(SMALL_DISTANCES), 1))
    # One query looks back at all keys: the last of them stands beside it.
    small = (example.rotate_key(small_keys, 0, small_table) @ small_queries[0])[::-1].copy()
    ones = np.ones(width)
    begin = range(FIRST_NEGATIVE + 1)
    beyond = [distance for distance in LISTED_DISTANCES if distance not in begin]
    every = (*begin, *beyond)
    found = dict(
        zip(every, scores_at(example, ones.tolist(), ones[np.newaxis], every)[:, 0], strict=True)
    )
    run = np.array([found[distance] for distance in begin])
    means = [run[first : last + 1].mean() for first, last in WINDOWS]
    lines = [
        np.mean([logarithm_line(at, width, base) for at in range(first, last + 1)])
        for first, last in WINDOWS
    ]
    gains = [found[far] - found[near] for near, far in FARTHER]
    expected = [*cosine_sums(every, width, base)]
    expected_small = cosine_sums(SMALL_DISTANCES, len(FIRST_COLUMN), small_base) / 2
    return Evidence(
        values={
            "small_distances": list(SMALL_DISTANCES),
            "small_same_scores": small,
            "listed_distances": list(LISTED_DISTANCES),
            "same_scores": np.array([found[distance] for distance in LISTED_DISTANCES]),
            "same_norm": float(width),
            "farther_pairs": [list(pair) for pair in FARTHER],
            "farther_scores": np.array([[found[near], found[far]] for near, far in FARTHER]),
            "last_positive_score": float(run[FIRST_NEGATIVE - 1]),
            "first_negative_score": float(run[FIRST_NEGATIVE]),
            "rising_steps_to_256": int((np.diff(run[:257]) > 0).sum()),
            "score_windows": [list(window) for window in WINDOWS],
            "window_means": np.array(means),
            "window_lines": np.array(lines),
        },
        checks=(
            agree("same-content-at-zero", [small[0], run[0]], [2.0, width], 1e-10),
            agree(
                "same-content-by-cosines",
                [*small, *found.values()],
                [*expected_small, *expected],
                1e-10,
            ),
            Check("farther-key-wins", float(small[6] - small[1]), 0.1, 2, "at least"),
            Check("farther-keys-win", float(min(gains)), 1.0, 6, "at least"),
            all_true("first-negative-score", [*(run[:-1] > 0).tolist(), bool(run[-1] < 0)]),
            agree("falls-like-a-logarithm", means, lines, 3.0),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Two curves, then the windows."""
    score = t("score", "оценка")
    curves = (
        by_distance(
            evidence["small_distances"],
            evidence["small_same_scores"],
            score,
            t("The chapter's row, d = 4, b = 100:", "Строка из главы, d = 4, b = 100:"),
            t(
                "The score falls, rises again almost to where it began, and goes below zero: "
                "waves, not a steady fall.",
                "Оценка падает, снова поднимается почти до начального значения, опускается ниже "
                "нуля: это волны, а не ровное убывание.",
            ),
        ),
        by_distance(
            evidence["listed_distances"],
            evidence["same_scores"],
            score,
            t("A row of ones, d = 128, b = 10000:", "Строка из единиц, d = 128, b = 10000:"),
            t(
                "With each doubling of the distance the score falls by about the same amount; "
                "at the far end it swings around zero.",
                "С каждым удвоением расстояния оценка падает примерно на одну и ту же величину, "
                "а вдали колеблется около нуля.",
            ),
        ),
    )
    return (formula("(R(m·θ)x)ᵀ (R(n·θ)x) = Σ |x_j|² cos(D·θ_j)"), *curves, *_on_average(evidence))


def _on_average(evidence: Evidence) -> tuple[Block, ...]:
    (near, far), (near_score, far_score) = (
        evidence["farther_pairs"][0],
        evidence["farther_scores"][0],
    )
    windows = zip(
        evidence["score_windows"],
        evidence["window_means"],
        evidence["window_lines"],
        strict=True,
    )
    return (
        table(
            t(
                "Means over windows, d = 128 (0.577216 is Euler's constant):",
                "Средние по отрезкам, d = 128 (0.577216 — постоянная Эйлера):",
            ),
            right("D", t("mean score", "средняя оценка"), "d(1 - (ln D + 0.577216)/ln b)"),
            ((f"{first}-{last}", mean, line) for (first, last), mean, line in windows),
        ),
        say(
            "For equal rows the note is right on average: the score falls, as a "
            "logarithm does and not exponentially. It is no law for single keys: D = {far} "
            "scores {more} where D = {near} scores {less}, {rising} of the first 256 steps "
            "go up, and at D = 1707 the score is negative for the first time, {negative}.",
            "Для одинаковых строк заметка в среднем права: оценка падает, но "
            "логарифмически, а не экспоненциально. К отдельным ключам это не относится: "
            "при D = {far} оценка {more}, а при D = {near} — {less}; из первых 256 шагов "
            "{rising} ведут вверх, а при D = 1707 оценка впервые отрицательна: {negative}.",
            far=far,
            near=near,
            more=far_score,
            less=near_score,
            rising=evidence["rising_steps_to_256"],
            negative=evidence["first_negative_score"],
        ),
    )
