"""Questions of the first sections: one pair, its speed, and a turned row."""

from __future__ import annotations

import math

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, number
from rope_cli.classroom.reference_numbers import (
    BASE,
    OTHER_BASE,
    at_angles,
    place,
    row_of,
    score,
    turned,
)
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t
from rope_cli.example import reference

Q, K = (1.0, 0.0), (0.0, 1.0)
TOWARDS = t(
    "Draw the unit circle: q starts on the first axis, k on the second.",
    "Нарисуйте единичную окружность: q начинает на первой оси, k — на второй.",
)


def one_coordinate(draw: Draw) -> Asked:
    """The first coordinate of R(m)q."""
    m = draw.whole(1, 2, 9)
    answer = turned(Q, m)[0]
    return number(
        t(
            "q = [1, 0] stands at position m = {m}; the pair turns counter-clockwise by 1 "
            "radian per position. What is the first coordinate of R(m)q?",
            "q = [1, 0] стоит в позиции m = {m}; пара поворачивается против часовой стрелки "
            "на 1 радиан за позицию. Чему равна первая координата R(m)q?",
            m=m,
        ),
        answer,
        (
            Wrong(math.sin(m), explanations.SINE),
            Wrong(math.cos(math.radians(m)), explanations.DEGREES),
            Wrong(Q[0], explanations.NOT_TURNED),
        ),
        t(
            "left' = left·cos - right·sin, and right is 0.",
            "left' = left·cos - right·sin, а right равно 0.",
        ),
        t(
            "R(m)q = [cos m, sin m]: {row}.",
            "R(m)q = [cos m, sin m]: {row}.",
            row=t("[{left}, {right}]", "[{left}, {right}]", left=answer, right=turned(Q, m)[1]),
        ),
    )


def pair_score(m: int, n: int) -> Asked:
    """The dot product of [1, 0] at m and [0, 1] at n."""
    answer = score(Q, K, m, n)
    wrong = [
        Wrong(-answer, explanations.TURNED),
        Wrong(math.cos(n - m), explanations.COSINE),
        Wrong(at_angles(Q, K, [math.radians(n - m)]), explanations.DEGREES),
        Wrong(0.0, explanations.UNROTATED),
    ]
    if m and n:
        wrong.append(Wrong(math.sin(m + n), explanations.ADDED))
    return number(
        t(
            "q = [1, 0] stands at position m, k = [0, 1] at position n, and the pair turns "
            "by 1 radian per position. What is their dot product at (m,n) = {place}?",
            "q = [1, 0] стоит в позиции m, k = [0, 1] — в позиции n, пара поворачивается на "
            "1 радиан за позицию. Чему равно их скалярное произведение при (m,n) = {place}?",
            place=place(m, n),
        ),
        answer,
        wrong,
        TOWARDS,
        t(
            "q turns towards k by m and k turns on by n: what is left is sin(m-n), here "
            "sin({turn}) = {answer}.",
            "q поворачивается к k на угол m, k уходит на угол n; остаётся sin(m-n), здесь "
            "sin({turn}) = {answer}.",
            turn=m - n,
            answer=answer,
        ),
    )


def key_earlier(draw: Draw) -> Asked:
    """Both positions are above 0, so that adding the angles shows."""
    m, n = draw.pick((3, 2), [(m, n) for m in range(2, 8) for n in range(1, m)])
    return pair_score(m, n)


def key_later(draw: Draw) -> Asked:
    """The key stands after the query."""
    m, n = draw.pick((0, 1), [(0, n) for n in range(2, 8)])
    return pair_score(m, n)


def slow_speed(draw: Draw) -> Asked:
    """The frequency of the last pair."""
    d = draw.pick(4, (4, 8, 16))
    base = draw.pick(BASE, (50.0, 100.0, 400.0, 1000.0))
    last = d // 2 - 1
    answer = reference.inverse_frequency(last, d, base)
    return number(
        t(
            "The head is d = {d} wide and the base is b = {base}. By how many radians per "
            "position does pair {last}, the last one, turn?",
            "Ширина головы d = {d}, основание b = {base}. На сколько радиан за позицию "
            "поворачивается последняя пара, пара {last}?",
            d=d,
            base=Short(base),
            last=last,
        ),
        answer,
        (
            Wrong(math.sqrt(answer), explanations.HALF_EXPONENT),
            Wrong(1 / answer, explanations.EXPONENT_SIGN),
            Wrong(reference.inverse_frequency(last, d, OTHER_BASE), explanations.OTHER_BASE),
        ),
        t("θ_j = b^(-2j/d), j from 0.", "θ_j = b^(-2j/d), j начинается с 0."),
        t(
            "θ = {base}^(-2·{last}/{d}) = {answer}. It is an angular frequency, although "
            "programs call it an inverse one.",
            "θ = {base}^(-2·{last}/{d}) = {answer}. Это угловая частота, хотя в программах "
            "её называют обратной.",
            base=Short(base),
            last=last,
            d=d,
            answer=answer,
        ),
    )


def slow_period(draw: Draw) -> Asked:
    """How many positions a full turn of the slow pair takes."""
    base = draw.pick(BASE, (25.0, 64.0, 144.0, 400.0))
    theta = reference.inverse_frequency(1, 4, base)
    answer = 2 * math.pi / theta
    return number(
        t(
            "A pair turns by θ = {theta} radians per position. How many positions does a "
            "full turn take?",
            "Пара поворачивается на θ = {theta} радиан за позицию. Сколько позиций занимает "
            "полный оборот?",
            theta=Short(theta),
        ),
        answer,
        (
            Wrong(answer / 2, HALF_TURN),
            Wrong(
                1 / theta,
                t(
                    "1/θ is one radian's worth; a full turn has 2π radians.",
                    "1/θ — это один радиан, а в полном обороте 2π радиан.",
                ),
            ),
            Wrong(360 / theta, explanations.DEGREES),
            Wrong(
                2 * math.pi,
                t("This is the period of the fast pair, θ = 1.", "Это период быстрой пары, θ = 1."),
            ),
        ),
        t("A full turn is 2π radians.", "Полный оборот — 2π радиан."),
        t(
            "2π/θ = {answer}; no whole number of positions makes an exact turn.",
            "2π/θ = {answer}; целое число позиций точного оборота не даёт.",
            answer=answer,
        ),
    )


HALF_TURN = t(
    "This is half a turn, π/θ; the period is 2π/θ.",
    "Это половина оборота, π/θ, а период равен 2π/θ.",
)


def turned_row(row: tuple[float, ...], m: int) -> Asked:
    """The first coordinate of a row of width 4 at position m."""
    answer = turned(row, m)[0]
    first, second = row[0], row[1]
    plain = math.cos(m), math.sin(m)
    wrong = [
        Wrong(
            first * math.cos(math.radians(m)) - second * math.sin(math.radians(m)),
            explanations.DEGREES,
        ),
        Wrong(first, explanations.NOT_TURNED),
        Wrong(
            first * plain[1] - second * plain[0],
            t("Sine and cosine have changed places.", "Синус и косинус переставлены."),
        ),
    ]
    if second:
        wrong.append(
            Wrong(
                first * plain[0] + second * plain[1],
                t(
                    "The minus is lost, or the row was turned clockwise.",
                    "Потерян минус или строка повёрнута по часовой стрелке.",
                ),
            )
        )
    return number(
        t(
            "The row {row} stands at position {m} (d = 4, b = 100, adjacent pairs). What "
            "is its first coordinate after the rotation?",
            "Строка {row} стоит в позиции {m} (d = 4, b = 100, соседние пары). Чему равна "
            "её первая координата после поворота?",
            row=row_of(row),
            m=m,
        ),
        answer,
        wrong,
        t(
            "Pair 0 turns by 1 radian per position: left·cos - right·sin.",
            "Пара 0 поворачивается на 1 радиан за позицию: left·cos - right·sin.",
        ),
        t(
            "{left}·cos {m} - ({right})·sin {m} = {answer}.",
            "{left}·cos {m} - ({right})·sin {m} = {answer}.",
            left=Short(first),
            right=Short(second),
            m=m,
            answer=answer,
        ),
    )


def first_column(draw: Draw) -> Asked:
    """The chapter's row."""
    return turned_row((1.0, 0.0, 1.0, 0.0), draw.whole(2, 1, 9))


def second_column(draw: Draw) -> Asked:
    """The row that sees the other column of R."""
    return turned_row((0.0, 1.0, 0.0, 1.0), draw.whole(1, 2, 9))


QUESTIONS = (
    Question("one-pair-1", "one-pair", one_coordinate),
    Question("one-pair-2", "one-pair", key_earlier),
    Question("one-pair-3", "one-pair", key_later),
    Question("frequencies-1", "frequencies", slow_speed),
    Question("frequencies-2", "frequencies", slow_period),
    Question("rotations-1", "rotations", first_column),
    Question("rotations-2", "rotations", second_column),
)
