"""Questions about scores at a distance: bounds, means, peaks."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, count, number, question, right, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import frequencies, multiply, score_at_angles
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN


@question("bound-1", "bound")
def falling_bound(numbers: Numbers) -> Question:
    """A falling upper bound says little."""
    return choice(
        "From one distance to the next, an upper bound of the score falls. What does the score do?",
        "Расстояние выросло на единицу, и доказанная для оценки верхняя граница упала. Как "
        "изменилась сама оценка?",
        wrong(
            t("it falls too", "тоже упала"),
            "The score only has to stay below the bound; it need not follow it.",
            "Оценка обязана лишь не превышать границу, а не следовать за ней.",
        ),
        wrong(
            t("it falls on average", "в среднем упала"),
            "Not for independent q and k: their mean score is 0 at every distance.",
            "Не при независимых q и k: их средняя оценка равна 0 на любом расстоянии.",
        ),
        right(
            "it may rise or fall below the bound",
            "могла и вырасти, и упасть, оставаясь под границей",
        ),
        hint=t(
            "Can a number rise under a falling ceiling?",
            "Может ли число вырасти, когда потолок над ним опускается?",
        ),
        explanation=t(
            "A bound may even say nothing: for two rows of ones, that of RoFormer "
            "exceeds the trivial bound Σ|h_j| at every D up to 65536.",
            "Граница может и ничего не сказать: для двух строк из единиц граница из RoFormer "
            "при всех D до 65536 больше тривиальной, Σ|h_j|.",
        ),
    )


@question("expectation-1", "expectation")
def mean_score(numbers: Numbers) -> Question:
    """The mean over independent signs."""
    apart = numbers.whole(1, 2, 9)
    signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * 4)).reshape(4, -1).T
    spots = np.full(len(signs), apart)
    keys = reference.rotate(signs, 100.0, np.zeros(len(signs)))
    grid = reference.rotate(signs, 100.0, spots) @ keys.T
    # The signs cancel in pairs; what is left is rounding.
    mean = round(float(grid.mean()), 9) + 0.0
    trace = 2 * sum(math.cos(apart * theta) for theta in frequencies(4))
    return number(
        "q and k are independent; each coordinate is +1 or -1 with equal probability; d = "
        "4, b = 100. What is the mean score at distance {apart}?",
        "q и k независимы, каждая координата с равной вероятностью равна +1 или -1; d = 4, "
        "b = 100. Чему равна средняя оценка на расстоянии {apart}?",
        mean,
        wrong(
            trace,
            "This is the mean for q = k, the trace of R, but here q and k are independent.",
            "Это среднее при q = k, то есть след матрицы R, а здесь q и k независимы.",
        ),
        wrong(
            4.0,
            "This is the variance, or the mean for q = k at distance 0.",
            "Это дисперсия — или среднее при q = k на расстоянии 0.",
        ),
        wrong(1 / apart, mistakes.FALLS_WITH_DISTANCE),
        hint=t(
            "Each key is as probable as its opposite.",
            "Каждый ключ так же вероятен, как и противоположный.",
        ),
        explanation=t(
            "The scores of k and -k cancel at every distance, so the mean does not fall. It "
            "depends on D if q and k depend on one another, as for q = k.",
            "Оценки ключей k и -k взаимно уничтожаются на любом расстоянии, и падать среднему "
            "некуда. От D оно зависит, если q и k связаны, например если q = k.",
        ),
        apart=apart,
    )


@question("peak-1", "peak")
def preferred(numbers: Numbers) -> Question:
    """A key that is built to win at a distance."""
    far = numbers.whole(2, 3, 9)
    distances = range(40)
    # The angles of k before its own rotation are far·θ, those of q grow with D.
    scores = [
        score_at_angles(FIRST_COLUMN, FIRST_COLUMN, multiply(apart - far, frequencies(4)))
        for apart in distances
    ]
    return count(
        "k = R({far}θ)q, q = [1, 0, 1, 0], d = 4, b = 100. The key is D positions before "
        "the query. For which D from 0 to 39 is the score largest?",
        "k = R({far}θ)q, q = [1, 0, 1, 0], d = 4, b = 100. Ключ стоит на D позиций раньше "
        "запроса. При каком D от 0 до 39 оценка наибольшая?",
        int(np.argmax(scores)),
        wrong(
            0,
            "The nearest key would win if k = q, but RoPE is not a penalty on distance.",
            "Ближайший ключ выиграл бы при k = q, но RoPE — не штраф за расстояние.",
        ),
        wrong(-far, mistakes.OTHER_DIRECTION),
        wrong(
            39,
            "Distance alone decides nothing: the score depends on D - {far}.",
            "Само расстояние ничего не решает: оценка зависит от D - {far}.",
        ),
        hint=t(
            "When are q and k rotated by the same angles in all?",
            "Когда q и k повёрнуты в итоге на одинаковые углы?",
        ),
        explanation=t(
            "At D = {far} the rotated q and k are equal, so the score is |q|², the largest "
            "possible.",
            "При D = {far} повёрнутые q и k равны, поэтому оценка равна |q|² — наибольшему "
            "возможному значению.",
        ),
        far=far,
    )


QUESTIONS = (falling_bound, mean_score, preferred)
