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
        "d = 4, and the base is such that θ_1 = 2π/{period}. Only pair 1 has content. By how "
        "many positions, at least, must m alone be shifted for the score to repeat, whatever "
        "that content is?",
        "d = 4, и основание таково, что θ_1 = 2π/{period}. Ненулевое содержимое есть "
        "только в паре 1. На какое наименьшее число позиций нужно сдвинуть одну m, чтобы "
        "оценка повторилась при любом содержимом?",
        round(2 * math.pi / theta),
        wrong(period / 2, mistakes.HALF_TURN),
        wrong(
            period * period,
            "The period was squared; one period is enough.",
            "Период возведён в квадрат, а хватает одного периода.",
        ),
        wrong(
            1,
            "That would be so only if the pair did not rotate at all.",
            "Так было бы, только если бы пара не поворачивалась вовсе.",
        ),
        hint=t(
            "How many steps of θ_1 make a full circle?",
            "Сколько шагов по θ_1 составляют полный оборот?",
        ),
        explanation=t(
            "After {period} steps of 2π/{period} the circle is complete. With content in pair "
            "0 too, the score would not repeat.",
            "Полный оборот складывается из {period} шагов по 2π/{period}. Будь содержимое и в "
            "паре 0, оценка бы не повторилась.",
        ),
        period=period,
    )


@question("common-shift-1", "common-shift")
def great_shift(numbers: Numbers) -> Question:
    """Float64 at a distance."""
    return choice(
        "q = [1, 2, -0.5, 0.75] is at position 2 and k = [0.3, -1, 2, 0.25] at position 0; d = 4, "
        "b = 100. In float64, 10^12 is added to both positions. What happens to the score?",
        "q = [1, 2, -0.5, 0.75] стоит в позиции 2, k = [0.3, -1, 2, 0.25] — в позиции 0; d "
        "= 4, b = 100. В float64 к обеим позициям прибавили 10^12. Что станет с оценкой?",
        wrong(
            t("not one bit changes", "не изменится ни один бит"),
            "This is so on paper, but in float64 the angle 10^12·0.1 is rounded.",
            "Так на бумаге, но в float64 угол 10^12·0.1 округляется.",
        ),
        right(
            "it changes from about the fifth decimal on",
            "изменится примерно с пятого знака после точки",
        ),
        wrong(
            t("it becomes a random number", "станет случайным числом"),
            "Not yet: an angle near 10^11 still has four correct decimals.",
            "Ещё нет: у угла около 10^11 верны ещё четыре знака после точки.",
        ),
        hint=t(
            "float64 has about 16 digits. How many of them are left after the point of a "
            "number near 10^11?",
            "В float64 около 16 цифр. Сколько из них остаётся после точки у числа около 10^11?",
        ),
        explanation=t(
            "The identity is exact, but arithmetic is not: near 10^11 float64 rounds an angle to a "
            "multiple of 0.000015. An error below 1e-12 can be expected only of small shifts.",
            "Тождество точное, а арифметика — нет: около 10^11 float64 округляет угол до "
            "кратного 0.000015. Погрешность меньше 1e-12 бывает только при небольших сдвигах.",
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
        "q = k = [1, 0, 1, 0], d = 4, b = 100. At distance D = 0 the score is {same}. "
        "What is it at D = {apart}?",
        "q = k = [1, 0, 1, 0], d = 4, b = 100. На расстоянии D = 0 оценка равна {same}. "
        "Какова она при D = {apart}?",
        answer,
        wrong(same - apart * (same - next_to), mistakes.LINEAR),
        wrong(same / apart, mistakes.FALLS_WITH_DISTANCE),
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
            "The score does not fall with every step: at D = {far} it is {greater}, at D = 1 "
            "only {next_to}.",
            "Оценка падает не с каждым шагом: при D = {far} она равна {greater}, а при D = 1 — "
            "только {next_to}.",
        ),
        next_to=next_to,
        same=int(same),
        apart=apart,
        far=far,
        greater=score(row, row, far, 0),
    )


QUESTIONS = (exact_period, great_shift, far_key)
