"""Questions about the matrix of dot products, its sign, and the norm."""

from __future__ import annotations

import math

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, number
from rope_cli.classroom.reference_numbers import (
    BASE,
    OTHER_BASE,
    Row,
    at_angles,
    dot,
    place,
    row_of,
    score,
    speeds,
    times,
    turned,
)
from rope_cli.document.blocks import Number, Phrase, Signed
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_QUERY, SECOND_COLUMN, as_array
from rope_cli.experiments.bugs import lost_minus
from rope_cli.text import Text

SIZE = 3
IN_THE_MATRIX = t(
    "Every query is {q}, every key {k}; d = 4, b = 100. What stands in the matrix of dot "
    "products at (m,n) = {place}?",
    "Каждый запрос равен {q}, каждый ключ — {k}; d = 4, b = 100. Что стоит в матрице скалярных "
    "произведений в ячейке (m,n) = {place}?",
)


def cell(q: Row, k: Row, m: int, n: int, wrong: list[Wrong], hint: Text, by: Text) -> Asked:
    """A cell of the matrix; ``by`` explains it with n-m and the answer."""
    answer = score(q, k, m, n)
    return number(
        Phrase(IN_THE_MATRIX, {"q": row_of(q), "k": row_of(k), "place": place(m, n)}),
        answer,
        wrong,
        hint,
        Phrase(by, {"difference": Signed(n - m), "answer": Number(answer)}),
        (m, n, max(SIZE, m + 1, n + 1)),
    )


def neighbours(draw: Draw) -> Asked:
    """The chapter's row against itself, one position apart."""
    apart = draw.whole(1, 2, 4)
    at = FIRST_COLUMN
    theta = speeds(4)
    mistakes: tuple[tuple[Row, Text], ...] = (
        (speeds(4, OTHER_BASE), explanations.OTHER_BASE),
        ([BASE ** (-pair / 4) for pair in range(2)], explanations.HALF_EXPONENT),
        ((theta[0], theta[0]), explanations.ONE_SPEED),
        ([1 / speed for speed in theta], explanations.EXPONENT_SIGN),
        ([math.radians(speed) for speed in theta], explanations.DEGREES),
        ([reference.inverse_frequency(pair, 4, BASE) for pair in (1, 2)], explanations.FROM_ONE),
    )
    wrong = [Wrong(at_angles(at, at, times(apart, angles)), reason) for angles, reason in mistakes]
    wrong.append(Wrong(math.cos(apart), explanations.ONLY_FAST))
    wrong.append(Wrong(dot(at, at), explanations.UNROTATED))
    return cell(
        at,
        at,
        0,
        apart,
        wrong,
        t(
            "Each of the two pairs adds the cosine of its own angle.",
            "Каждая из двух пар добавляет косинус своего угла.",
        ),
        BY_COSINES,
    )


BY_COSINES = t(
    "n-m = {difference}: the cosines of (n-m)·1 and (n-m)·0.1 add up to {answer}.",
    "n-m = {difference}: сумма косинусов углов (n-m)·1 и (n-m)·0.1 равна {answer}.",
)


def second_neighbours(draw: Draw) -> Asked:
    """Two steps apart: the score does not fall along a straight line."""
    apart = draw.whole(2, 3, 5)
    at = FIRST_COLUMN
    whole, one = dot(at, at), score(at, at, 0, 1)
    theta = speeds(4)
    wrong = [
        Wrong(whole - apart * (whole - one), explanations.LINEAR),
        Wrong(at_angles(at, at, (apart, apart)), explanations.ONE_SPEED),
        Wrong(at_angles(at, at, times(apart, speeds(4, OTHER_BASE))), explanations.OTHER_BASE),
        Wrong(at_angles(at, at, times(math.radians(apart), theta)), explanations.DEGREES),
        Wrong(math.cos(apart), explanations.ONLY_FAST),
        Wrong(
            one,
            t("This is the cell of direct neighbours.", "Это ячейка соседних позиций."),
        ),
    ]
    hint = t(
        "The angles are (n-m)·1 and (n-m)·0.1; add their cosines.",
        "Углы равны (n-m)·1 и (n-m)·0.1; сложите их косинусы.",
    )
    return cell(at, at, 0, apart, wrong, hint, BY_COSINES)


def signed_cell(draw: Draw) -> Asked:
    """Queries X, keys Y: the cell knows the sign of n-m."""
    m = draw.whole(1, 2, 4)
    q, k = FIRST_COLUMN, SECOND_COLUMN
    theta = speeds(4)
    answer = score(q, k, m, 0)
    wrong = [
        Wrong(-answer, explanations.TURNED),
        Wrong(score(q, q, m, 0), explanations.COSINE),
        Wrong(dot(q, k), explanations.UNROTATED),
        Wrong(math.sin(m * theta[0]), explanations.ONLY_FAST),
        Wrong(at_angles(q, k, times(-m, speeds(4, OTHER_BASE))), explanations.OTHER_BASE),
        Wrong(at_angles(q, k, times(-math.radians(m), theta)), explanations.DEGREES),
    ]
    return cell(
        q,
        k,
        m,
        0,
        wrong,
        t(
            "In each pair q is [1, 0] and k is [0, 1]: a sine.",
            "В каждой паре q — это [1, 0], а k — [0, 1]: получается синус.",
        ),
        t(
            "n-m = {difference}: the sines of m·1 and m·0.1 add up to {answer}. At the mirrored "
            "place the sign is the other one.",
            "n-m = {difference}: сумма синусов углов m·1 и m·0.1 равна {answer}. В симметричной "
            "ячейке знак противоположный.",
        ),
    )


def mirrored(draw: Draw) -> Asked:
    """What the mirrored cell holds when q and k are not parallel."""
    m, n = draw.pick((0, 2), ((0, 2), (1, 2), (0, 1)))
    q, k = FIRST_COLUMN, SECOND_COLUMN
    there, here = score(q, k, n, m), score(q, k, m, n)
    return choice(
        t(
            "Queries [1, 0, 1, 0], keys [0, 1, 0, 1]. At (m,n) = {one} stands {there}. What "
            "stands in the mirrored cell, {other}?",
            "Запросы [1, 0, 1, 0], ключи [0, 1, 0, 1]. В ячейке (m,n) = {one} стоит "
            "{there}. Что стоит в симметричной ячейке {other}?",
            one=place(n, m),
            other=place(m, n),
            there=there,
        ),
        t("the same number with the other sign", "то же число с другим знаком"),
        (
            (
                t("the same number", "то же число"),
                t(
                    "That holds for parallel q and k only; n-m is a signed difference, no "
                    "distance.",
                    "Так бывает лишь при параллельных q и k; n-m — знаковая разность, а не "
                    "расстояние.",
                ),
            ),
            (
                t("zero: that key is in the future", "ноль: этот ключ в будущем"),
                t(
                    "Hiding the future is the mask's work, not that of the rotation.",
                    "Скрывать будущее — дело маски, а не поворота.",
                ),
            ),
        ),
        t("Replace n-m by m-n in a sine.", "Замените в синусе n-m на m-n."),
        t(
            "There it is {here}: a sine is odd.",
            "Там стоит {here}: синус — нечётная функция.",
            here=here,
        ),
        at=2,
    )


def norm(draw: Draw) -> Asked:
    """The norm after a rotation, which is the norm before it."""
    row, m = draw.row(GENERIC_QUERY), draw.whole(5, 1, 9)
    answer = math.hypot(*turned(row, m))
    broken = lost_minus(as_array([row]), as_array([m]), 4, BASE)[0].tolist()
    return number(
        t(
            "The row {row} is rotated at position {m}. What is its norm afterwards?",
            "Строку {row} повернули в позиции {m}. Чему равна её норма после поворота?",
            row=row_of(row),
            m=m,
        ),
        answer,
        (
            Wrong(
                math.hypot(*broken),
                t(
                    "With the minus of the formula lost the norm changes; a rotation keeps it.",
                    "Если потерять минус в формуле, норма изменится; поворот её сохраняет.",
                ),
            ),
            Wrong(
                dot(row, row),
                t(
                    "This is the squared norm; take the root.",
                    "Это квадрат нормы; извлеките корень.",
                ),
            ),
            Wrong(
                math.fsum(map(abs, row)),
                t(
                    "These are the absolute values added up, not the Euclidean norm.",
                    "Это сумма модулей, а не евклидова норма.",
                ),
            ),
            Wrong(
                math.hypot(*row[:2]),
                t(
                    "Only the first pair was counted; the second one is forgotten.",
                    "Учтена только первая пара, вторая забыта.",
                ),
            ),
        ),
        t("Does a turn make a vector longer?", "Становится ли вектор от поворота длиннее?"),
        t(
            "R-transposed times R is the identity, so the norm stays {answer}.",
            "RᵀR — единичная матрица, поэтому норма остаётся равной {answer}.",
            answer=answer,
        ),
    )


QUESTIONS = (
    Question("dot-products-1", "dot-products", neighbours),
    Question("dot-products-2", "dot-products", second_neighbours),
    Question("direction-1", "direction", signed_cell),
    Question("direction-2", "direction", mirrored),
    Question("norms-1", "norms", norm),
)
