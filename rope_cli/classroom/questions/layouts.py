"""Questions about layouts, clocks and content."""

from __future__ import annotations

import math

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, number, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import dot, format_row, rotate_row, score
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t


@question("layouts-1", "layouts")
def half_split(numbers: Numbers) -> Question:
    """The first coordinate in the half-split layout."""
    m = numbers.whole(1, 2, 7)
    row = (1.0, 2.0, 3.0, 4.0)
    answer = rotate_row(row, m, layout="half-split")[0]
    left, right = row[0], row[2]
    return number(
        "The row {row} is rotated at position {m} in the half-split layout (d = 4, b = 100). "
        "What is its first coordinate?",
        "Строку {row} повернули в позиции {m} в половинной раскладке (d = 4, b = 100). "
        "Чему равна её первая координата?",
        answer,
        wrong(
            rotate_row(row, m)[0],
            "This is the adjacent layout; here 0 and 2 form a pair.",
            "Это соседние пары, а здесь пару образуют координаты 0 и 2.",
        ),
        wrong(
            left * math.cos(m) - row[3] * math.sin(m),
            "0 was paired with 3; in the half-split layout j goes with j + d/2.",
            "В пару взяты 0 и 3, а в половинной раскладке j стоит в паре с j + d/2.",
        ),
        wrong(left * math.cos(m) + right * math.sin(m), mistakes.LOST_MINUS),
        wrong(left, mistakes.BEFORE_ROTATION),
        hint=t("The pairs are (0, 2) and (1, 3).", "Пары здесь — (0, 2) и (1, 3)."),
        explanation=t(
            "{left}·cos {m} - {right}·sin {m} = {answer}. "
            "Neither layout is a mistake, mixing them is.",
            "{left}·cos {m} - {right}·sin {m} = {answer}. Ни одна раскладка не ошибка; "
            "ошибка — их смешивать.",
        ),
        row=format_row(row),
        m=m,
        left=Short(left),
        right=Short(right),
    )


@question("clocks-1", "clocks")
def exact_return(numbers: Numbers) -> Question:
    """No whole number of radians is a full turn."""
    return choice(
        "The fast hand moves by 1 radian per position. "
        "After how many positions does it stand exactly where it began?",
        "Быстрая стрелка сдвигается на 1 радиан за позицию. "
        "Через сколько позиций она окажется ровно там, где начала?",
        wrong(
            symbols("6"),
            "The period is 2π = 6.28..., no whole number.",
            "Период равен 2π = 6.28..., это не целое число.",
        ),
        wrong(
            symbols("360"),
            "That would be degrees; the step is a radian.",
            "Так было бы в градусах, а шаг — один радиан.",
        ),
        wrong(
            symbols("710"),
            "Very near to 113 turns, but not exactly.",
            "Очень близко к 113 оборотам, но не ровно.",
        ),
        right("never", "никогда"),
        hint=t("π is irrational.", "Число π иррационально."),
        explanation=t(
            "A whole number is never a multiple of 2π; "
            "after 710 positions 113 turns are almost complete.",
            "Целое число не бывает кратным 2π; через 710 позиций почти завершены 113 оборотов.",
        ),
    )


@question("content-1", "content")
def content(numbers: Numbers) -> Question:
    """The same difference, another content."""
    q = numbers.row((2.0, 1.0))
    k = numbers.row((-1.0, 3.0))
    m = numbers.whole(1, 2, 6)
    answer = score(q, k, m, 0)
    return number(
        "q = {q} at position {m}, k = {k} at position 0, one pair, θ = 1. "
        "What is the score q·k after the rotation?",
        "q = {q} в позиции {m}, k = {k} в позиции 0, одна пара, θ = 1. "
        "Чему равна оценка q·k после поворота?",
        answer,
        wrong(score(q, k, 0, m), mistakes.OTHER_DIRECTION),
        wrong(dot(q, k), mistakes.WITHOUT_ROTATION),
        wrong(
            score((1.0, 0.0), (0.0, 1.0), m, 0),
            "This is the score of [1, 0] and [0, 1]; content counts as well.",
            "Это оценка для [1, 0] и [0, 1], но и содержимое важно.",
        ),
        wrong(
            dot(q, k) * math.cos(m),
            "Only the cosine part was counted; q and k are not parallel.",
            "Учтена только часть с косинусом, но q и k не параллельны.",
        ),
        hint=t(
            "Rotate q by m radians, then multiply with k.",
            "Поверните q на m радиан и умножьте на k.",
        ),
        explanation=t(
            "{answer}. n-m alone does not make the score, content does its part.",
            "{answer}. Одной разности n-m для оценки мало, содержимое тоже важно.",
        ),
        q=format_row(q),
        k=format_row(k),
        m=m,
    )


QUESTIONS = (half_split, exact_return, content)
