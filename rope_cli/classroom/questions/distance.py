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
        "An upper bound of the score falls with distance. What does the score do?",
        "Верхняя граница скалярного произведения падает с расстоянием. Как ведёт себя оно само?",
        wrong(
            t("it falls too", "тоже падает"),
            "The bound falls, so the score falls: no. It only stays below.",
            "Из падения границы падение оценки не следует: она лишь не выше границы.",
        ),
        wrong(
            t("it falls on average", "падает в среднем"),
            "Not for independent q and k: their mean is 0 at every distance.",
            "Не для независимых q и k: их среднее равно 0 на любом расстоянии.",
        ),
        right("it may rise or fall below it", "под ней может и расти, и падать"),
        hint=t(
            "Can a number below a falling ceiling rise?",
            "Может ли число расти под опускающимся потолком?",
        ),
        explanation=t(
            "For rows of ones the bound of RoFormer is even above the trivial one.",
            "Для строк из единиц граница из RoFormer даже хуже тривиальной.",
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
        "q and k are independent, each coordinate +1 or -1 with equal chance; d = 4, b = 100. "
        "What is the mean score at distance {apart}?",
        "q и k независимы, каждая координата равна +1 или -1 с равной вероятностью; "
        "d = 4, b = 100. Чему равна средняя оценка на расстоянии {apart}?",
        mean,
        wrong(
            trace,
            "This is the mean for q = k, the trace of R; here they are independent.",
            "Это среднее при q = k, след матрицы R, а здесь они независимы.",
        ),
        wrong(
            4.0,
            "This is the variance (and the mean for q = k at distance 0).",
            "Это дисперсия (и среднее при q = k на расстоянии 0).",
        ),
        wrong(1 / apart, mistakes.FALLS_WITH_DISTANCE),
        hint=t(
            "For each key there is the opposite one.", "Для каждого ключа есть противоположный."
        ),
        explanation=t(
            "0 at every distance: nothing falls. It falls, on average, for q = k only.",
            "0 на любом расстоянии: падать нечему. В среднем убывает лишь оценка при q = k.",
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
        "k = R({far}θ)q, q = [1, 0, 1, 0], d = 4, b = 100; the key stands D positions before the "
        "query. For which D from 0 to 39 is the score greatest?",
        "k = R({far}θ)q, q = [1, 0, 1, 0], d = 4, b = 100; ключ стоит на D позиций раньше запроса. "
        "При каком D от 0 до 39 оценка наибольшая?",
        int(np.argmax(scores)),
        wrong(
            0,
            "The nearest key wins only if k = q: RoPE is no penalty on distance.",
            "Ближайший ключ выигрывает лишь при k = q: RoPE — не штраф за расстояние.",
        ),
        wrong(-far, mistakes.OTHER_DIRECTION),
        wrong(
            39,
            "The farthest does not win: the score depends on D - D0.",
            "Самый дальний не выигрывает: оценка зависит от D - D0.",
        ),
        hint=t("When are the two turns equal?", "Когда два поворота одинаковы?"),
        explanation=t(
            "At D = {far} both are turned alike, and the score is |q|², the greatest there can be.",
            "При D = {far} они повёрнуты одинаково, и оценка равна |q|²: больше не бывает.",
        ),
        far=far,
    )


QUESTIONS = (falling_bound, mean_score, preferred)
