"""The chapter's exercises 1 to 5."""

from __future__ import annotations

import math

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, number
from rope_cli.classroom.questions.rotations import pair_score
from rope_cli.classroom.reference_numbers import (
    BASE,
    at_angles,
    dot,
    place,
    row_of,
    score,
    speeds,
    times,
    turned,
)
from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_QUERY, as_array
from rope_cli.experiments.bugs import Turn, one_position_late, reflection, sine_cosine_exchanged

SLUG = "exercises"


def identity(draw: Draw) -> Asked:
    """Position 0 changes nothing."""
    row = draw.row(GENERIC_QUERY)
    answer = turned(row, 0)[1]

    def mistaken(bug: Turn) -> float:
        return float(bug(as_array([row]), as_array([0]), 4, BASE)[0][1])

    return number(
        t(
            "The row {row} stands at position 0. What is its second coordinate after the rotation?",
            "Строка {row} стоит в позиции 0. Чему равна её вторая координата после поворота?",
            row=row_of(row),
        ),
        answer,
        (
            Wrong(
                mistaken(sine_cosine_exchanged),
                t(
                    "Sine and cosine have changed places: cos 0 = 1, sin 0 = 0.",
                    "Синус и косинус переставлены: cos 0 = 1, sin 0 = 0.",
                ),
            ),
            Wrong(
                mistaken(reflection),
                t(
                    "This is a reflection; a rotation by 0 is the identity.",
                    "Это отражение, а поворот на угол 0 — единичный.",
                ),
            ),
            Wrong(
                mistaken(one_position_late),
                t(
                    "The positions were counted from 1; they begin with 0.",
                    "Позиции пронумерованы с 1, а нумерация начинается с 0.",
                ),
            ),
        ),
        t("What is R(0)?", "Чему равно R(0)?"),
        t(
            "Every angle is 0, R(0) = I, so it stays {answer}.",
            "Все углы равны 0, R(0) = I, и остаётся {answer}.",
            answer=answer,
        ),
    )


def at_one_and_zero(draw: Draw) -> Asked:
    """The pair at (1,0)."""
    return pair_score(draw.whole(1, 2, 9), 0)


def equal_shift(draw: Draw) -> Asked:
    """Both positions move by the same."""
    shift = draw.whole(3, 2, 12)
    at = FIRST_COLUMN
    before, after = score(at, at, 0, 1), score(at, at, shift, shift + 1)
    return number(
        t(
            "q = k = [1, 0, 1, 0], d = 4, b = 100. At (m,n) = (0,1) the score is {before}. "
            "What is it at {place}, both moved by {shift}?",
            "q = k = [1, 0, 1, 0], d = 4, b = 100. При (m,n) = (0,1) оценка равна {before}. "
            "Какова она при {place}, если обе позиции сдвинуть на {shift}?",
            before=before,
            place=place(shift, shift + 1),
            shift=shift,
        ),
        after,
        (
            Wrong(
                score(at, at, shift, 1),
                t(
                    "Only the query was moved; the shift is that of both.",
                    "Сдвинут только запрос, а сдвигаются обе позиции.",
                ),
            ),
            Wrong(at_angles(at, at, times(2 * shift + 1, speeds(4))), explanations.ADDED),
            Wrong(dot(at, at), explanations.UNROTATED),
        ),
        t("What is n-m before and after?", "Чему равно n-m до и после?"),
        t(
            "{after}: the rotated coordinates change, n-m and the score do not.",
            "{after}: повёрнутые координаты меняются, а n-m и оценка — нет.",
            after=after,
        ),
    )


def lone_shift(draw: Draw) -> Asked:
    """Only m moves, to the mirrored place: the cosine is even."""
    n = draw.whole(1, 2, 5)
    at = FIRST_COLUMN
    answer = score(at, at, 2 * n, n)
    return number(
        t(
            "q = k = [1, 0, 1, 0], d = 4, b = 100. At (m,n) = {one} the score is {before}. "
            "Now m alone moves to {m}. What is the score at {two}?",
            "q = k = [1, 0, 1, 0], d = 4, b = 100. При (m,n) = {one} оценка равна {before}. "
            "Теперь m одна переходит в {m}. Какова оценка при {two}?",
            one=place(0, n),
            two=place(2 * n, n),
            m=2 * n,
            before=score(at, at, 0, n),
        ),
        answer,
        (
            Wrong(
                score(at, at, 2 * n, 0),
                t(
                    "m was taken for m-n; the key stands at n.",
                    "Вместо m-n взята m, а ключ стоит в позиции n.",
                ),
            ),
            Wrong(
                -answer,
                t(
                    "n-m changes its sign, but the cosine is even.",
                    "Знак n-m меняется, но косинус — чётная функция.",
                ),
            ),
            Wrong(dot(at, at), explanations.UNROTATED),
        ),
        t(
            "Compare n-m before and after; q and k are parallel.",
            "Сравните n-m до и после; q и k параллельны.",
        ),
        t(
            "{answer}, as before: n-m changed its sign only. Most shifts of m alone do "
            "change the score.",
            "{answer}, как и было: у n-m изменился лишь знак. Обычно сдвиг одной m оценку меняет.",
            answer=answer,
        ),
    )


def orthogonal(draw: Draw) -> Asked:
    """A diagonal entry of R-transposed times R."""
    m = draw.whole(1, 2, 9)
    left, right = turned((1.0, 0.0), m)
    return number(
        t(
            "R is the rotation of one pair by the angle {m}, in radians. What is the "
            "upper left entry of R-transposed times R?",
            "R — поворот одной пары на угол {m} рад. Чему равен левый верхний элемент матрицы RᵀR?",
            m=m,
        ),
        math.fsum((left * left, right * right)),
        (
            Wrong(
                left * left - right * right,
                t(
                    "This is R times R: the transposition is forgotten, or a minus lost.",
                    "Это R, умноженное на R: забыто транспонирование или потерян минус.",
                ),
            ),
            Wrong(
                left + right,
                t(
                    "Cosine and sine were added without squaring.",
                    "Косинус и синус сложены без возведения в квадрат.",
                ),
            ),
            Wrong(
                2 * left * right,
                t(
                    "This is sin 2m, an entry off the diagonal of R times R.",
                    "Это sin 2m, элемент вне диагонали матрицы R, умноженной на R.",
                ),
            ),
        ),
        t("cos² + sin².", "cos² + sin²."),
        t(
            "cos² + sin² = 1: |Rx|² = xᵀRᵀRx = xᵀx, the norm is kept.",
            "cos² + sin² = 1: |Rx|² = xᵀRᵀRx = xᵀx, норма сохраняется.",
        ),
    )


QUESTIONS = (
    Question("exercise-1", SLUG, identity),
    Question("exercise-2", SLUG, at_one_and_zero),
    Question("exercise-3", SLUG, equal_shift),
    Question("exercise-4", SLUG, lone_shift),
    Question("exercise-5", SLUG, orthogonal),
)
