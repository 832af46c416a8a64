"""Questions of the first sections: one pair, its speed, and a rotated row."""

from __future__ import annotations

import math

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, number, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import (
    BASE,
    OTHER_BASE,
    format_positions,
    format_row,
    rotate_row,
    score,
    score_at_angles,
)
from rope_cli.document.blocks import Short, Signed
from rope_cli.document.vocabulary import t
from rope_cli.example import reference

Q, K = (1.0, 0.0), (0.0, 1.0)


@question("one-pair-1", "one-pair")
def one_coordinate(numbers: Numbers) -> Question:
    """The first coordinate of R(m)q."""
    m = numbers.whole(1, 2, 9)
    answer, right = rotate_row(Q, m)
    return number(
        "q = [1, 0] is at position m = {m}. The pair rotates counter-clockwise by 1 radian "
        "per position. What is the first coordinate of q after the rotation?",
        "q = [1, 0] стоит в позиции m = {m}. Пара поворачивается против часовой стрелки на "
        "1 радиан за позицию. Чему равна первая координата q после поворота?",
        answer,
        wrong(math.sin(m), mistakes.SINE),
        wrong(math.cos(math.radians(m)), mistakes.DEGREES),
        wrong(Q[0], mistakes.BEFORE_ROTATION),
        hint=t(
            "In x' = x·cos - y·sin the second coordinate y is 0.",
            "x' = x·cos - y·sin, и вторая координата y равна 0.",
        ),
        explanation=t(
            "The rotated q, R(m)q for short, is [cos m, sin m] = [{answer}, {right}].",
            "После поворота q, коротко R(m)q, равен [cos m, sin m] = [{answer}, {right}].",
        ),
        m=m,
        right=right,
    )


def pair_score(m: int, n: int) -> Question:
    """The dot product of [1, 0] at m and [0, 1] at n."""
    answer = score(Q, K, m, n)
    # With one position at 0 the sum of the angles is right up to its sign.
    added = [wrong(math.sin(m + n), mistakes.ANGLES_ADDED)] if m and n else []
    return number(
        "q = [1, 0] is at position m and k = [0, 1] at position n. The pair rotates "
        "counter-clockwise by 1 radian per position. What is their dot product after the rotation "
        "at (m,n) = {place}?",
        "q = [1, 0] стоит в позиции m, k = [0, 1] — в позиции n. Пара поворачивается против "
        "часовой стрелки на 1 радиан за позицию. Чему равно их скалярное произведение после "
        "поворота при (m,n) = {place}?",
        answer,
        wrong(-answer, mistakes.OTHER_DIRECTION),
        wrong(math.cos(n - m), mistakes.COSINE),
        wrong(score_at_angles(Q, K, [math.radians(n - m)]), mistakes.DEGREES),
        wrong(0.0, mistakes.WITHOUT_ROTATION),
        *added,
        hint=t(
            "Draw the unit circle: q starts on the first axis, k on the second.",
            "Нарисуйте единичную окружность: q вначале на первой оси, k — на второй.",
        ),
        explanation=t(
            "Both rows have length 1, so their dot product is the cosine of the angle between "
            "them. Before the rotation k is a quarter circle ahead of q, afterwards it is ahead by "
            "π/2 + (n-m), and cos(π/2 + (n-m)) = -sin(n-m). Here n-m = {difference}.",
            "Длина обеих строк равна 1, поэтому их скалярное произведение — косинус угла между "
            "ними. До поворота k опережает q на четверть оборота, после — на угол π/2 + (n-m), а "
            "cos(π/2 + (n-m)) = -sin(n-m). Здесь n-m = {difference}.",
        ),
        place=format_positions(m, n),
        difference=Signed(n - m),
    )


@question("one-pair-2", "one-pair")
def key_earlier(numbers: Numbers) -> Question:
    """Both positions are above 0, so that adding the angles shows."""
    m, n = numbers.pick((3, 2), [(m, n) for m in range(2, 8) for n in range(1, m)])
    return pair_score(m, n)


@question("one-pair-3", "one-pair")
def key_later(numbers: Numbers) -> Question:
    """The key is after the query."""
    m, n = numbers.pick((0, 1), [(0, n) for n in range(2, 8)])
    return pair_score(m, n)


@question("why-rotation-1", "why-rotation")
def free_choices(numbers: Numbers) -> Question:
    """What the wish for n-m leaves to choose."""
    return choice(
        "A matrix A(m) that changes no length writes position m into a row; A(0) changes nothing. "
        "The score of A(m)q and A(n)k depends on the positions only through n-m, for all q and k. "
        "Which of A(1), A(2), A(3), ... can be chosen freely?",
        "Позицию m вносит в строку матрица A(m), не меняющая длин; A(0) не меняет ничего. Оценка "
        "строк A(m)q и A(n)k при любых q и k зависит от позиций только через n-m. Какие из матриц "
        "A(1), A(2), A(3), ... можно выбрать свободно?",
        wrong(
            t("all of them", "все"),
            "Then the scores at (1,0) and (2,1) could differ, though n-m = -1 in both.",
            "Тогда оценки в (1,0) и (2,1) могли бы различаться, хотя в обеих n-m = -1.",
        ),
        right("only A(1)", "только A(1)"),
        wrong(
            t("A(1) and A(2)", "A(1) и A(2)"),
            "A(2) is already fixed: the step from 1 to 2 must equal the step from 0 to 1.",
            "A(2) уже определена: шаг от 1 к 2 обязан быть таким же, как от 0 к 1.",
        ),
        wrong(
            t("none of them", "ни одну"),
            "The first step is still open: choosing a frequency means choosing it.",
            "Первый шаг ещё не определён: выбрать частоту и значит выбрать его.",
        ),
        hint=t("Put m = 0 in A(m)ᵀA(n) = G(n-m).", "Подставьте m = 0 в A(m)ᵀA(n) = G(n-m)."),
        explanation=t(
            "A(m+n) = A(m)A(n), so A(m) is the m-th power of A(1).",
            "A(m+n) = A(m)A(n), поэтому A(m) — это m-я степень A(1).",
        ),
    )


@question("frequencies-1", "frequencies")
def slow_speed(numbers: Numbers) -> Question:
    """The frequency of the last pair."""
    d = numbers.pick(4, (4, 8, 16))
    base = numbers.pick(BASE, (50.0, 100.0, 400.0, 1000.0))
    last = d // 2 - 1
    answer = reference.inverse_frequency(last, d, base)
    return number(
        "In a row of d coordinates pair j rotates by θ_j = b^(-2j/d) radians per position. Let the "
        "width be d = {d} and the base b = {base}. By how many radians per position does the last "
        "pair, pair {last}, rotate?",
        "В строке из d координат пара j поворачивается за позицию на θ_j = b^(-2j/d) радиан. Пусть "
        "ширина d = {d}, основание b = {base}. На сколько радиан за позицию поворачивается "
        "последняя пара, пара {last}?",
        answer,
        wrong(math.sqrt(answer), mistakes.HALF_EXPONENT),
        wrong(1 / answer, mistakes.EXPONENT_SIGN),
        wrong(
            reference.inverse_frequency(last, d, OTHER_BASE),
            "Base 10000 was used instead of {base}.",
            "Взято основание 10000 вместо {base}.",
        ),
        hint=t(
            "Put j = {last} into the exponent -2j/d.",
            "Подставьте j = {last} в показатель -2j/d.",
        ),
        explanation=t(
            "θ = {base}^(-2·{last}/{d}) = {answer}. This is an angular frequency, although "
            "programs call it an inverse frequency.",
            "θ = {base}^(-2·{last}/{d}) = {answer}. Это угловая частота, хотя в программах её "
            "называют обратной частотой.",
        ),
        d=d,
        base=Short(base),
        last=last,
    )


@question("frequencies-2", "frequencies")
def slow_period(numbers: Numbers) -> Question:
    """How many positions a full circle of the slow pair takes."""
    base = numbers.pick(BASE, (25.0, 64.0, 144.0, 400.0))
    theta = reference.inverse_frequency(1, 4, base)
    answer = 2 * math.pi / theta
    return number(
        "A row has the width d = 4, and the base is b = {base}. How many positions does a full "
        "circle of the last pair, pair 1, take?",
        "Ширина строки d = 4, основание b = {base}. Сколько позиций занимает полный оборот "
        "последней пары, пары 1?",
        answer,
        wrong(answer / 2, mistakes.HALF_TURN),
        wrong(
            1 / theta,
            "After 1/θ positions the angle is one radian, but a full circle is 2π radians.",
            "За 1/θ позиций набирается один радиан, а полный оборот — это 2π радиан.",
        ),
        wrong(360 / theta, mistakes.DEGREES),
        wrong(
            2 * math.pi,
            "This is the period of the fast pair, for which θ = 1.",
            "Это период быстрой пары, у которой θ = 1.",
        ),
        hint=t("A full circle is 2π radians.", "Полный оборот — это 2π радиан."),
        explanation=t(
            "θ = {theta}, and 2π/θ = {answer}. A full circle is never completed exactly at a "
            "whole position.",
            "θ = {theta}, поэтому 2π/θ = {answer}. Полный оборот никогда не завершается точно в "
            "целой позиции.",
        ),
        base=Short(base),
        theta=Short(theta),
    )


def rotated_row(row: tuple[float, ...], m: int) -> Question:
    """The first coordinate of a row of width 4 at position m."""
    left, right = row[0], row[1]
    cosine, sine, degrees = math.cos(m), math.sin(m), math.radians(m)
    clockwise = wrong(
        left * cosine + right * sine,
        "The minus sign was lost, or the row was rotated clockwise.",
        "Потерян минус, или строка повёрнута по часовой стрелке.",
    )
    return number(
        "The row {row} is at position {m} (d = 4, b = 100, adjacent pairs). What is its "
        "first coordinate after the rotation?",
        "Строка {row} стоит в позиции {m} (d = 4, b = 100, соседние пары). Чему равна её "
        "первая координата после поворота?",
        rotate_row(row, m)[0],
        wrong(left * math.cos(degrees) - right * math.sin(degrees), mistakes.DEGREES),
        wrong(left, mistakes.BEFORE_ROTATION),
        wrong(
            left * sine - right * cosine,
            "Sine and cosine were swapped.",
            "Синус и косинус переставлены.",
        ),
        *([clockwise] if right else []),
        hint=t(
            "Pair 0 rotates by 1 radian per position: x' = x·cos - y·sin.",
            "Пара 0 поворачивается на 1 радиан за позицию: x' = x·cos - y·sin.",
        ),
        explanation=symbols("{left}·cos {m} - {right}·sin {m} = {answer}."),
        row=format_row(row),
        m=m,
        left=Short(left),
        right=Short(right),
    )


@question("rotations-1", "rotations")
def first_column(numbers: Numbers) -> Question:
    """The chapter's row."""
    return rotated_row((1.0, 0.0, 1.0, 0.0), numbers.whole(2, 1, 9))


@question("rotations-2", "rotations")
def second_column(numbers: Numbers) -> Question:
    """The row that shows the other column of R."""
    return rotated_row((0.0, 1.0, 0.0, 1.0), numbers.whole(1, 2, 9))


QUESTIONS = (
    one_coordinate,
    key_earlier,
    key_later,
    free_choices,
    slow_speed,
    slow_period,
    first_column,
    second_column,
)
