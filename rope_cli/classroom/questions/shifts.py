"""Questions about shifts and about equal contents at a distance."""

from __future__ import annotations

import math
from itertools import count as count_from

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, count, number
from rope_cli.classroom.questions.rotations import HALF_TURN
from rope_cli.classroom.reference_numbers import OTHER_BASE, at_angles, score, speeds, times
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN


def exact_period(draw: Draw) -> Asked:
    """A base for which pair 1 repeats after whole positions."""
    period = draw.whole(8, 5, 20)
    base = (period / (2 * math.pi)) ** 2
    theta = reference.inverse_frequency(1, 4, base)
    return count(
        t(
            "d = 4 and the base is chosen so that θ_1 = 2π/{period}. Only pair 1 has "
            "content. After how many positions of m alone does the score repeat for every "
            "content?",
            "d = 4, а основание подобрано так, что θ_1 = 2π/{period}. Ненулевое содержимое "
            "только в паре 1. На сколько позиций надо сдвинуть одну m, чтобы оценка "
            "повторилась при любом содержимом?",
            period=period,
        ),
        round(2 * math.pi / theta),
        (
            Wrong(period / 2, HALF_TURN),
            Wrong(
                period * period,
                t(
                    "The period is that of the pair, not its square.",
                    "Нужен период самой пары, а не его квадрат.",
                ),
            ),
            Wrong(
                1,
                t(
                    "That holds only if the pair does not turn at all.",
                    "Так было бы, только если бы пара не поворачивалась.",
                ),
            ),
        ),
        t(
            "After how many steps of θ_1 is the turn full?",
            "Через сколько шагов θ_1 оборот станет полным?",
        ),
        t(
            "{period} steps of 2π/{period} are a full turn. Content in pair 0 as well would "
            "break it.",
            "{period} шагов по 2π/{period} — полный оборот. Содержимое ещё и в паре 0 это нарушит.",
            period=period,
        ),
    )


def great_shift(draw: Draw) -> Asked:
    """Float64 at a distance."""
    return choice(
        t(
            "In float64, 10^12 is added to both positions of the chapter's example. What "
            "becomes of the score?",
            "В float64 к обеим позициям примера из главы прибавили 10^12. Что станет с оценкой?",
        ),
        t("it moves in about the sixth decimal", "изменится около шестого знака"),
        (
            (
                t("not one bit changes", "не изменится ни один бит"),
                t(
                    "So it is on paper; the angle 10^12·0.1 is rounded.",
                    "Так на бумаге, а угол 10^12·0.1 округляется.",
                ),
            ),
            (
                t("it is a random number", "станет случайным числом"),
                t(
                    "Not yet: an angle of 10^11 still has about five correct decimals.",
                    "Ещё нет: у угла 10^11 верны около пяти знаков после точки.",
                ),
            ),
        ),
        t(
            "float64 has about 16 digits; how many are left behind the point of 10^11?",
            "У float64 около 16 цифр. Сколько из них остаётся после точки у числа 10^11?",
        ),
        t(
            "The identity is exact, arithmetic is not: a bound of 1e-12 holds for small shifts.",
            "Тождество точное, а арифметика — нет: граница 1e-12 верна для малых сдвигов.",
        ),
        at=2,
    )


def far_key(draw: Draw) -> Asked:
    """The chapter's row against itself at a distance: not monotone."""
    apart = draw.whole(6, 5, 12)
    at = FIRST_COLUMN
    answer, one, whole = (score(at, at, distance, 0) for distance in (apart, 1, 0))
    # The first distance that scores more than a neighbour.
    far = next(distance for distance in count_from(2) if score(at, at, distance, 0) > one)
    return number(
        t(
            "q = k = [1, 0, 1, 0], d = 4, b = 100. A direct neighbour scores {one}. What "
            "does a key at distance D = {apart} score?",
            "q = k = [1, 0, 1, 0], d = 4, b = 100. Оценка соседнего ключа {one}. Какова "
            "оценка ключа на расстоянии D = {apart}?",
            one=one,
            apart=apart,
        ),
        answer,
        (
            Wrong(whole - apart * (whole - one), explanations.LINEAR),
            Wrong(one / apart, FALLS),
            Wrong(math.cos(apart), explanations.ONLY_FAST),
            Wrong(at_angles(at, at, (apart, apart)), explanations.ONE_SPEED),
            Wrong(at_angles(at, at, times(apart, speeds(4, OTHER_BASE))), explanations.OTHER_BASE),
            Wrong(at_angles(at, at, times(math.radians(apart), speeds(4))), explanations.DEGREES),
        ),
        t("cos D + cos 0.1D.", "cos D + cos 0.1D."),
        t(
            "{answer}. The score does not fall with every step: at D = {far} it is "
            "{greater}, at D = 1 only {one}.",
            "{answer}. Оценка падает не с каждым шагом: при D = {far} она равна {greater}, "
            "а при D = 1 — только {one}.",
            answer=answer,
            far=far,
            greater=score(at, at, far, 0),
            one=one,
        ),
    )


FALLS = t(
    "A fall with distance was assumed; RoPE is no penalty on distance.",
    "Предположено убывание с расстоянием, а RoPE — не штраф за расстояние.",
)


QUESTIONS = (
    Question("shift-one-1", "shift-one", exact_period),
    Question("common-shift-1", "common-shift", great_shift),
    Question("same-content-1", "same-content", far_key),
)
