"""Questions about shapes, refusals and the way back."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, number, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import BASE, format_row, rotate_row
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import QUERY_OUTPUT_ADJOINT
from rope_cli.rope.tables import RotaryEmbedding


@question("shapes-1", "shapes")
def empty_block(numbers: Numbers) -> Question:
    """An empty interval at the end of the table."""
    end = numbers.whole(6, 4, 12)
    return choice(
        "A table holds the positions 0 to {last}. "
        "What happens to a block of shape [2, 0, 4], which has no tokens, at offset {end}?",
        "Таблица содержит позиции от 0 до {last}. "
        "Что будет с блоком формы [2, 0, 4], в котором нет токенов, при смещении {end}?",
        right("it comes back, its shape [2, 0, 4]", "он вернётся с той же формой [2, 0, 4]"),
        wrong(
            t("it is refused", "он будет отклонён"),
            "Offset + tokens is not beyond the table: no position is read.",
            "Смещение плюс число токенов не выходит за таблицу: ни одна позиция не читается.",
        ),
        wrong(
            t("it loses its empty axis", "пустая ось исчезнет"),
            "The output has the shape of the input, empty axes too.",
            "Форма выхода совпадает с формой входа, пустые оси тоже остаются.",
        ),
        hint=t(
            "Compare offset + tokens with the number of positions.",
            "Сравните сумму смещения и числа токенов с числом позиций.",
        ),
        explanation=t(
            "{end} + 0 = {end} is the end of the table and still within it.",
            "{end} + 0 = {end} — это конец таблицы, за него интервал не выходит.",
        ),
        last=end - 1,
        end=end,
    )


@question("refusals-1", "refusals")
def negative_offset(numbers: Numbers) -> Question:
    """Why -1 must not wrap round."""
    offset = numbers.whole(1, 2, 5)
    return choice(
        "The table is an array in Python, and a program asks for the row at position -{offset}. "
        "What must RoPE do?",
        "Таблица — массив в Python, а программа просит строку для позиции -{offset}. "
        "Что должно произойти?",
        wrong(
            t("take the row counted from the end of the table", "взять строку с конца таблицы"),
            "A negative index wraps round: the row would be turned by a late position.",
            "Отрицательный индекс отсчитывается с конца: "
            "строка повернулась бы на угол последних позиций.",
        ),
        wrong(
            t("take position 0", "взять позицию 0"),
            "A quiet repair hides the mistake of the caller.",
            "Молчаливая поправка скрыла бы ошибку вызывающей программы.",
        ),
        right("refuse it and say what is accepted", "отказ с указанием, что допустимо"),
        hint=t(
            "Which of the answers gives a wrong number that nobody sees?",
            "Какой из ответов даст неверное число, которого никто не заметит?",
        ),
        explanation=t(
            "An offset is a whole number, zero or greater: anything else is invalid-count.",
            "Смещение — целое неотрицательное число; всё прочее отклоняется: invalid-count.",
        ),
        offset=offset,
    )


@question("adjoints-1", "adjoints")
def input_adjoint(numbers: Numbers) -> Question:
    """The first coordinate of an input adjoint."""
    m = numbers.whole(1, 2, 5)
    row = QUERY_OUTPUT_ADJOINT[1]
    table = RotaryEmbedding(4, m + 1, BASE)
    answer = float(table.rotate_transpose(np.array([row]), m)[0][0])
    return number(
        "The rotated row at position {m} gets the output adjoint {row} (d = 4, b = 100). "
        "What is the first coordinate of the input adjoint?",
        "Повёрнутая строка в позиции {m} получает выходную сопряжённую величину {row} (d = 4, "
        "b = 100). Чему равна первая координата сопряжённой величины входа?",
        answer,
        wrong(
            rotate_row(row, m)[0],
            "This is the forward rotation; the way back is its transpose.",
            "Это прямой поворот, а обратно ведёт транспонированный.",
        ),
        wrong(row[0], mistakes.BEFORE_ROTATION),
        wrong(
            row[0] * math.cos(math.radians(m)) + row[1] * math.sin(math.radians(m)),
            mistakes.DEGREES,
        ),
        wrong(
            row[0] * math.sin(m) + row[1] * math.cos(m),
            "Sine and cosine have changed places.",
            "Синус и косинус переставлены.",
        ),
        hint=t(
            "R-transposed: left·cos + right·sin.",
            "Транспонированный поворот: left·cos + right·sin.",
        ),
        explanation=symbols("{left}·cos {m} + {right}·sin {m} = {answer}."),
        m=m,
        row=format_row(row),
        left=Short(row[0]),
        right=Short(row[1]),
    )


QUESTIONS = (empty_block, negative_offset, input_adjoint)
