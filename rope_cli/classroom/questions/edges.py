"""Questions about shapes, refusals and the way back."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, number
from rope_cli.classroom.reference_numbers import BASE, row_of, turned
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import QUERY_OUTPUT_ADJOINT
from rope_cli.rope.tables import RotaryEmbedding


def empty_block(draw: Draw) -> Asked:
    """An empty interval at the end of the table."""
    end = draw.whole(6, 4, 12)
    return choice(
        t(
            "A table holds the positions 0 to {last}. What happens to a block of shape "
            "[2, 0, 4], which has no tokens, at offset {end}?",
            "Таблица содержит позиции от 0 до {last}. Что будет с блоком формы [2, 0, 4], в "
            "котором нет токенов, при смещении {end}?",
            last=end - 1,
            end=end,
        ),
        t("it comes back, its shape [2, 0, 4]", "он вернётся с той же формой [2, 0, 4]"),
        (
            (
                t("it is refused", "он будет отклонён"),
                t(
                    "Offset + tokens is not beyond the table: no position is read.",
                    "Смещение плюс число токенов не выходит за таблицу: ни одна позиция не "
                    "читается.",
                ),
            ),
            (
                t("it loses its empty axis", "пустая ось исчезнет"),
                t(
                    "The output has the shape of the input, empty axes too.",
                    "Форма выхода совпадает с формой входа, пустые оси тоже остаются.",
                ),
            ),
        ),
        t(
            "Compare offset + tokens with the number of positions.",
            "Сравните сумму смещения и числа токенов с числом позиций.",
        ),
        t(
            "{end} + 0 = {end} is the end of the table and still within it.",
            "{end} + 0 = {end} — это конец таблицы, за него интервал не выходит.",
            end=end,
        ),
    )


def negative_offset(draw: Draw) -> Asked:
    """Why -1 must not wrap round."""
    offset = draw.whole(1, 2, 5)
    return choice(
        t(
            "The table is an array in Python, and a program asks for the row at position "
            "-{offset}. What must RoPE do?",
            "Таблица — массив в Python, а программа просит строку для позиции -{offset}. "
            "Что должно произойти?",
            offset=offset,
        ),
        t("refuse it and say what is accepted", "отказ с указанием, что допустимо"),
        (
            (
                t("take the row counted from the end of the table", "взять строку с конца таблицы"),
                t(
                    "A negative index wraps round: the row would be turned by a late position.",
                    "Отрицательный индекс отсчитывается с конца: строка повернулась бы на угол "
                    "последних позиций.",
                ),
            ),
            (
                t("take position 0", "взять позицию 0"),
                t(
                    "A quiet repair hides the mistake of the caller.",
                    "Молчаливая поправка скрыла бы ошибку вызывающей программы.",
                ),
            ),
        ),
        t(
            "Which of the answers gives a wrong number that nobody sees?",
            "Какой из ответов даст неверное число, которого никто не заметит?",
        ),
        t(
            "An offset is a whole number, zero or greater: anything else is invalid-count.",
            "Смещение — целое неотрицательное число; всё прочее отклоняется: invalid-count.",
        ),
        at=3,
    )


def input_adjoint(draw: Draw) -> Asked:
    """The first coordinate of an input adjoint."""
    m = draw.whole(1, 2, 5)
    row = QUERY_OUTPUT_ADJOINT[1]
    table = RotaryEmbedding(4, m + 1, BASE)
    answer = float(table.rotate_transpose(np.array([row]), m)[0][0])
    return number(
        t(
            "The rotated row at position {m} gets the output adjoint {row} (d = 4, b = "
            "100). What is the first coordinate of the input adjoint?",
            "Повёрнутая строка в позиции {m} получает выходную сопряжённую величину {row} "
            "(d = 4, b = 100). Чему равна первая координата сопряжённой величины входа?",
            m=m,
            row=row_of(row),
        ),
        answer,
        (
            Wrong(
                turned(row, m)[0],
                t(
                    "This is the forward rotation; the way back is its transpose.",
                    "Это прямой поворот, а обратно ведёт транспонированный.",
                ),
            ),
            Wrong(row[0], explanations.NOT_TURNED),
            Wrong(
                row[0] * math.cos(math.radians(m)) + row[1] * math.sin(math.radians(m)),
                explanations.DEGREES,
            ),
            Wrong(
                row[0] * math.sin(m) + row[1] * math.cos(m),
                t("Sine and cosine have changed places.", "Синус и косинус переставлены."),
            ),
        ),
        t(
            "R-transposed: left·cos + right·sin.",
            "Транспонированный поворот: left·cos + right·sin.",
        ),
        t(
            "{left}·cos {m} + {right}·sin {m} = {answer}.",
            "{left}·cos {m} + {right}·sin {m} = {answer}.",
            left=Short(row[0]),
            right=Short(row[1]),
            m=m,
            answer=answer,
        ),
    )


QUESTIONS = (
    Question("shapes-1", "shapes", empty_block),
    Question("refusals-1", "refusals", negative_offset),
    Question("adjoints-1", "adjoints", input_adjoint),
)
