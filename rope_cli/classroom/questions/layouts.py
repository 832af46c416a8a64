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
        "The row {row} is rotated at position {m} in the half-split layout (d = 4, b = "
        "100). What is its first coordinate after the rotation?",
        "Строку {row} повернули в позиции {m} в половинной раскладке (d = 4, b = 100). "
        "Чему равна её первая координата после поворота?",
        answer,
        wrong(
            rotate_row(row, m)[0],
            "This is the adjacent layout; in the half-split layout 0 and 2 form a pair.",
            "Так в раскладке соседних пар, а в половинной пару образуют координаты 0 и 2.",
        ),
        wrong(
            left * math.cos(m) - row[3] * math.sin(m),
            "Coordinate 0 was paired with 3, but in the half-split layout j is paired with j + "
            "d/2.",
            "Координата 0 взята в пару с 3, а в половинной раскладке j стоит в паре с j + d/2.",
        ),
        wrong(left * math.cos(m) + right * math.sin(m), mistakes.LOST_MINUS),
        wrong(left, mistakes.BEFORE_ROTATION),
        hint=t("The pairs are (0, 2) and (1, 3).", "Пары здесь — (0, 2) и (1, 3)."),
        explanation=t(
            "{left}·cos {m} - {right}·sin {m} = {answer}. Neither layout is a mistake, but "
            "mixing them is.",
            "{left}·cos {m} - {right}·sin {m} = {answer}. Ни одна из раскладок не ошибочна; "
            "ошибка — смешивать их.",
        ),
        row=format_row(row),
        m=m,
        left=Short(left),
        right=Short(right),
    )


@question("clocks-1", "clocks")
def exact_return(numbers: Numbers) -> Question:
    """No whole number of radians is a full circle."""
    return choice(
        "The fast hand moves by 1 radian per position. After how many positions is it "
        "exactly where it began?",
        "Быстрая стрелка проходит за позицию 1 радиан. Через сколько позиций она окажется "
        "точно там, откуда начала?",
        wrong(
            symbols("6"),
            "The period is 2π = 6.28..., which is not a whole number.",
            "Период равен 2π = 6.28..., и это не целое число.",
        ),
        wrong(
            symbols("360"),
            "That would hold for degrees, but the hand moves by a radian.",
            "Так было бы в градусах, а стрелка проходит за позицию радиан.",
        ),
        wrong(
            symbols("710"),
            "After 113 full circles the hand is very near its start, but not exactly there.",
            "Через 113 полных оборотов стрелка очень близко к началу, но не точно в нём.",
        ),
        right("never", "никогда"),
        hint=t("π is irrational.", "Число π иррационально."),
        explanation=t(
            "A whole number other than 0 is never a multiple of 2π. The near return at 710 "
            "follows from 710/113 being close to 2π.",
            "Ненулевое целое число не бывает кратным 2π. При 710 стрелка почти вернулась, "
            "потому что 710/113 близко к 2π.",
        ),
    )


QUESTIONS = (half_split, exact_return)
