"""Questions about layouts and clocks."""

from __future__ import annotations

import math

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, number, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import format_row, rotate_row
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


QUESTIONS = (half_split, exact_return)
