"""Questions about the matrix of dot products, content, the sign of n-m, and the norm."""

from __future__ import annotations

import math

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, number, question, right, wrong
from rope_cli.classroom.question import Numbers, Question, Wrong
from rope_cli.classroom.reference_numbers import (
    BASE,
    OTHER_BASE,
    Row,
    dot,
    format_positions,
    format_row,
    frequencies,
    multiply,
    rotate_row,
    score,
    score_at_angles,
)
from rope_cli.document.blocks import Signed
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_QUERY, SECOND_COLUMN, as_array
from rope_cli.experiments.bugs import lost_minus
from rope_cli.text import Text

SIZE = 3
BY_COSINES = t(
    "Here n-m = {difference}: the cosines of (n-m)·1 and (n-m)·0.1 add up to {answer}.",
    "Здесь n-m = {difference}: сумма косинусов углов (n-m)·1 и (n-m)·0.1 равна {answer}.",
)


def cell(q: Row, k: Row, m: int, n: int, *wrong: Wrong, hint: Text, explanation: Text) -> Question:
    """A cell of the matrix of dot products; the explanation names n-m and the answer."""
    return number(
        "Every query is {q}, every key {k}; d = 4, b = 100. Which number is in row m, column n of "
        "the matrix of dot products at (m,n) = {place}?",
        "Каждый запрос равен {q}, каждый ключ — {k}; d = 4, b = 100. Какое число стоит в "
        "матрице скалярных произведений в строке m и столбце n при (m,n) = {place}?",
        score(q, k, m, n),
        *wrong,
        hint=hint,
        explanation=explanation,
        cell=(m, n, max(SIZE, m + 1, n + 1)),
        q=format_row(q),
        k=format_row(k),
        place=format_positions(m, n),
        difference=Signed(n - m),
    )


@question("dot-products-1", "dot-products")
def neighbours(numbers: Numbers) -> Question:
    """The chapter's row against itself, one position apart."""
    apart = numbers.whole(1, 2, 4)
    row = FIRST_COLUMN
    theta = frequencies(4)
    half_exponent = [BASE ** (-pair / 4) for pair in range(2)]
    counted_from_one = [reference.inverse_frequency(pair, 4, BASE) for pair in (1, 2)]

    def mistaken(angles: Row) -> float:
        return score_at_angles(row, row, multiply(apart, angles))

    return cell(
        row,
        row,
        0,
        apart,
        wrong(mistaken(frequencies(4, OTHER_BASE)), mistakes.OTHER_BASE),
        wrong(mistaken(half_exponent), mistakes.HALF_EXPONENT),
        wrong(mistaken((theta[0], theta[0])), mistakes.ONE_SPEED),
        wrong(mistaken([1 / speed for speed in theta]), mistakes.EXPONENT_SIGN),
        wrong(mistaken([math.radians(speed) for speed in theta]), mistakes.DEGREES),
        wrong(mistaken(counted_from_one), mistakes.COUNTED_FROM_ONE),
        wrong(math.cos(apart), mistakes.ONLY_FAST),
        wrong(dot(row, row), mistakes.WITHOUT_ROTATION),
        hint=t(
            "Each of the two pairs contributes the cosine of its own angle.",
            "Каждая из двух пар вносит косинус своего угла.",
        ),
        explanation=BY_COSINES,
    )


@question("dot-products-2", "dot-products")
def second_neighbours(numbers: Numbers) -> Question:
    """Two steps apart: the score does not fall along a straight line."""
    apart = numbers.whole(2, 3, 5)
    row = FIRST_COLUMN
    same, next_to = dot(row, row), score(row, row, 0, 1)
    in_degrees = multiply(math.radians(apart), frequencies(4))
    return cell(
        row,
        row,
        0,
        apart,
        wrong(same - apart * (same - next_to), mistakes.LINEAR),
        wrong(score_at_angles(row, row, (apart, apart)), mistakes.ONE_SPEED),
        wrong(
            score_at_angles(row, row, multiply(apart, frequencies(4, OTHER_BASE))),
            mistakes.OTHER_BASE,
        ),
        wrong(score_at_angles(row, row, in_degrees), mistakes.DEGREES),
        wrong(math.cos(apart), mistakes.ONLY_FAST),
        wrong(
            next_to, "This is the score of neighbouring positions.", "Это оценка соседних позиций."
        ),
        hint=t(
            "The angles are (n-m)·1 and (n-m)·0.1; add their cosines.",
            "Углы равны (n-m)·1 и (n-m)·0.1; сложите их косинусы.",
        ),
        explanation=BY_COSINES,
    )


@question("content-1", "content")
def content(numbers: Numbers) -> Question:
    """The same difference, another content."""
    q = numbers.row((2.0, 1.0))
    k = numbers.row((-1.0, 3.0))
    m = numbers.whole(1, 2, 6)
    answer = score(q, k, m, 0)
    return number(
        "q = {q} is at position {m} and k = {k} at position 0; there is one pair, which rotates "
        "counter-clockwise, θ = 1. What is the score q·k after the rotation?",
        "q = {q} стоит в позиции {m}, k = {k} — в позиции 0; пара одна, она поворачивается против "
        "часовой стрелки, θ = 1. Чему равна оценка q·k после поворота?",
        answer,
        wrong(score(q, k, 0, m), mistakes.OTHER_DIRECTION),
        wrong(dot(q, k), mistakes.WITHOUT_ROTATION),
        wrong(
            score((1.0, 0.0), (0.0, 1.0), m, 0),
            "This is the score of [1, 0] and [0, 1], but the score depends on the content too.",
            "Это оценка строк [1, 0] и [0, 1], а она зависит и от содержимого.",
        ),
        wrong(
            dot(q, k) * math.cos(m),
            "Only the cosine term was counted. q and k are not parallel, so there is a sine "
            "term too.",
            "Учтено только слагаемое с косинусом, но q и k не параллельны: есть и слагаемое с "
            "синусом.",
        ),
        hint=t(
            "Rotate q by the angle {m}, then take the dot product with k.",
            "Поверните q на угол {m} и умножьте скалярно на k.",
        ),
        explanation=t(
            "The score depends not on n-m alone but on the content too: other rows with the "
            "same n-m have another score.",
            "Оценка зависит не только от n-m, но и от содержимого: у других строк при той же "
            "n-m она другая.",
        ),
        q=format_row(q),
        k=format_row(k),
        m=m,
    )


@question("direction-1", "direction")
def signed_cell(numbers: Numbers) -> Question:
    """Queries X, keys Y: the cell depends on the sign of n-m."""
    m = numbers.whole(1, 2, 4)
    q, k = FIRST_COLUMN, SECOND_COLUMN
    theta = frequencies(4)
    return cell(
        q,
        k,
        m,
        0,
        wrong(-score(q, k, m, 0), mistakes.OTHER_DIRECTION),
        wrong(score(q, q, m, 0), mistakes.COSINE),
        wrong(dot(q, k), mistakes.WITHOUT_ROTATION),
        wrong(math.sin(m * theta[0]), mistakes.ONLY_FAST),
        wrong(score_at_angles(q, k, multiply(-m, frequencies(4, OTHER_BASE))), mistakes.OTHER_BASE),
        wrong(score_at_angles(q, k, multiply(-math.radians(m), theta)), mistakes.DEGREES),
        hint=t(
            "In each pair q is [1, 0] and k is [0, 1], so each contributes a sine.",
            "В каждой паре q — это [1, 0], а k — [0, 1], поэтому каждая вносит синус.",
        ),
        explanation=t(
            "Here n-m = {difference}: the sines of -(n-m)·1 and -(n-m)·0.1 add up to {answer}. "
            "In the mirrored cell the sign is reversed.",
            "Здесь n-m = {difference}: сумма синусов углов -(n-m)·1 и -(n-m)·0.1 равна "
            "{answer}. В симметричной ячейке знак противоположный.",
        ),
    )


@question("direction-2", "direction")
def mirrored(numbers: Numbers) -> Question:
    """What the mirrored cell holds when q and k are not parallel."""
    m, n = numbers.pick((0, 2), ((0, 2), (1, 2), (0, 1)))
    q, k = FIRST_COLUMN, SECOND_COLUMN
    there, here = score(q, k, n, m), score(q, k, m, n)
    return choice(
        "Queries are [1, 0, 1, 0], keys [0, 1, 0, 1]. The cell (m,n) = {first} holds "
        "{there}. What does the mirrored cell {second} hold?",
        "Запросы — [1, 0, 1, 0], ключи — [0, 1, 0, 1]. В ячейке (m,n) = {first} стоит "
        "{there}. Что стоит в симметричной ячейке {second}?",
        wrong(
            t("the same number", "то же число"),
            "That holds if q and k are parallel. These are not, so the sign of n-m matters.",
            "Так бывает, если q и k параллельны. Эти не параллельны, и знак n-m важен.",
        ),
        right("the same number with the opposite sign", "то же число с противоположным знаком"),
        wrong(
            t("zero: that key is in the future", "ноль: этот ключ в будущем"),
            "A mask hides the future; a rotation does not.",
            "Будущее скрывает маска, а не поворот.",
        ),
        hint=t("Replace n-m by m-n inside a sine.", "Замените n-m на m-n под знаком синуса."),
        explanation=t(
            "It holds {here}, because the sine is odd.",
            "Там стоит {here}: синус — нечётная функция.",
        ),
        first=format_positions(n, m),
        second=format_positions(m, n),
        there=there,
        here=here,
    )


@question("norms-1", "norms")
def norm(numbers: Numbers) -> Question:
    """The norm after a rotation, which is the norm before it."""
    row, m = numbers.row(GENERIC_QUERY), numbers.whole(5, 1, 9)
    answer = math.hypot(*rotate_row(row, m))
    broken = lost_minus(as_array([row]), as_array([m]), 4, BASE)[0].tolist()
    return number(
        "The row {row} is rotated at position {m}. What is its norm afterwards?",
        "Строку {row} повернули в позиции {m}. Чему равна её норма после поворота?",
        answer,
        wrong(
            math.hypot(*broken),
            "The minus sign of the formula was lost. A rotation keeps the norm, the wrong "
            "formula does not.",
            "В формуле потерян минус. Поворот сохраняет норму, а неверная формула — нет.",
        ),
        wrong(
            dot(row, row),
            "This is the squared norm; take the square root.",
            "Это квадрат нормы; извлеките корень.",
        ),
        wrong(
            math.fsum(map(abs, row)),
            "This is the sum of the absolute values, not the Euclidean norm.",
            "Это сумма модулей, а не евклидова норма.",
        ),
        wrong(
            math.hypot(*row[:2]),
            "Only the first pair was counted; the second contributes too.",
            "Учтена только первая пара, а вклад даёт и вторая.",
        ),
        hint=t("Does a rotation make a vector longer?", "Удлиняет ли поворот вектор?"),
        explanation=t(
            "RᵀR is the identity matrix, so the norm stays as it was.",
            "RᵀR — единичная матрица, поэтому норма остаётся прежней.",
        ),
        row=format_row(row),
        m=m,
    )


QUESTIONS = (neighbours, second_neighbours, content, signed_cell, mirrored, norm)
