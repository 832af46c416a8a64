"""Questions about shifts and about equal contents at a distance."""

from __future__ import annotations

import math
from itertools import count as count_from

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, count, number, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import (
    OTHER_BASE,
    frequencies,
    multiply,
    score,
    score_at_angles,
)
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN


@question("shift-one-1", "shift-one")
def exact_period(numbers: Numbers) -> Question:
    """A base for which pair 1 repeats after whole positions."""
    period = numbers.whole(8, 5, 20)
    base = (period / (2 * math.pi)) ** 2
    theta = reference.inverse_frequency(1, 4, base)
    return count(
        "d = 4 and the base is chosen so that θ_1 = 2π/{period}. Only pair 1 has content. "
        "After how many positions of m alone does the score repeat for every content?",
        "d = 4, а основание подобрано так, что θ_1 = 2π/{period}. Ненулевое содержимое только в "
        "паре 1. На сколько позиций надо сдвинуть одну m, "
        "чтобы оценка повторилась при любом содержимом?",
        round(2 * math.pi / theta),
        wrong(period / 2, mistakes.HALF_TURN),
        wrong(
            period * period,
            "The period is that of the pair, not its square.",
            "Нужен период самой пары, а не его квадрат.",
        ),
        wrong(
            1,
            "That holds only if the pair does not turn at all.",
            "Так было бы, только если бы пара не поворачивалась.",
        ),
        hint=t(
            "After how many steps of θ_1 is the turn full?",
            "Через сколько шагов θ_1 оборот станет полным?",
        ),
        explanation=t(
            "{period} steps of 2π/{period} are a full turn. "
            "Content in pair 0 as well would break it.",
            "{period} шагов по 2π/{period} — полный оборот. Содержимое ещё и в паре 0 это нарушит.",
        ),
        period=period,
    )


@question("common-shift-1", "common-shift")
def great_shift(numbers: Numbers) -> Question:
    """Float64 at a distance."""
    return choice(
        "In float64, 10^12 is added to both positions of the chapter's example. "
        "What becomes of the score?",
        "В float64 к обеим позициям примера из главы прибавили 10^12. Что станет с оценкой?",
        wrong(
            t("not one bit changes", "не изменится ни один бит"),
            "So it is on paper; the angle 10^12·0.1 is rounded.",
            "Так на бумаге, а угол 10^12·0.1 округляется.",
        ),
        right("it moves in about the sixth decimal", "изменится около шестого знака"),
        wrong(
            t("it is a random number", "станет случайным числом"),
            "Not yet: an angle of 10^11 still has about five correct decimals.",
            "Ещё нет: у угла 10^11 верны около пяти знаков после точки.",
        ),
        hint=t(
            "float64 has about 16 digits; how many are left behind the point of 10^11?",
            "У float64 около 16 цифр. Сколько из них остаётся после точки у числа 10^11?",
        ),
        explanation=t(
            "The identity is exact, arithmetic is not: a bound of 1e-12 holds for small shifts.",
            "Тождество точное, а арифметика — нет: граница 1e-12 верна для малых сдвигов.",
        ),
    )


@question("same-content-1", "same-content")
def far_key(numbers: Numbers) -> Question:
    """The chapter's row against itself at a distance: not monotone."""
    apart = numbers.whole(6, 5, 12)
    row = FIRST_COLUMN
    answer, next_to, same = (score(row, row, distance, 0) for distance in (apart, 1, 0))
    # The first distance that scores more than a neighbour.
    far = next(distance for distance in count_from(2) if score(row, row, distance, 0) > next_to)
    return number(
        "q = k = [1, 0, 1, 0], d = 4, b = 100. A direct neighbour scores {next_to}. "
        "What does a key at distance D = {apart} score?",
        "q = k = [1, 0, 1, 0], d = 4, b = 100. Оценка соседнего ключа {next_to}. "
        "Какова оценка ключа на расстоянии D = {apart}?",
        answer,
        wrong(same - apart * (same - next_to), mistakes.LINEAR),
        wrong(next_to / apart, mistakes.FALLS_WITH_DISTANCE),
        wrong(math.cos(apart), mistakes.ONLY_FAST),
        wrong(score_at_angles(row, row, (apart, apart)), mistakes.ONE_SPEED),
        wrong(
            score_at_angles(row, row, multiply(apart, frequencies(4, OTHER_BASE))),
            mistakes.OTHER_BASE,
        ),
        wrong(
            score_at_angles(row, row, multiply(math.radians(apart), frequencies(4))),
            mistakes.DEGREES,
        ),
        hint=symbols("cos D + cos 0.1D."),
        explanation=t(
            "{answer}. The score does not fall with every step: "
            "at D = {far} it is {greater}, at D = 1 only {next_to}.",
            "{answer}. Оценка падает не с каждым шагом: "
            "при D = {far} она равна {greater}, а при D = 1 — только {next_to}.",
        ),
        next_to=next_to,
        apart=apart,
        far=far,
        greater=score(row, row, far, 0),
    )


QUESTIONS = (exact_period, great_shift, far_key)
