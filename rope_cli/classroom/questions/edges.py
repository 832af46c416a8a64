"""Questions about shapes, refusals and the way back."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, number
from rope_cli.classroom.reference_numbers import BASE, row_of, turned
from rope_cli.document.blocks import Number, Phrase, Short
from rope_cli.example.worked_example import QUERY_OUTPUT_ADJOINT
from rope_cli.rope.tables import RotaryEmbedding
from rope_cli.text import Text


def empty_block(draw: Draw) -> Asked:
    """An empty interval at the end of the table."""
    end = draw.whole(6, 4, 12)
    return choice(
        Phrase(
            Text(
                en="A table holds the positions 0 to {last}. What happens to a block of shape "
                "[2, 0, 4], which has no tokens, at offset {end}?",
                ru="Таблица содержит позиции от 0 до {last}. Что будет с блоком формы [2, 0, 4], в "
                "котором нет токенов, при смещении {end}?",
            ),
            {"last": end - 1, "end": end},
        ),
        Text(en="it comes back, its shape [2, 0, 4]", ru="он вернётся с той же формой [2, 0, 4]"),
        (
            (
                Text(en="it is refused", ru="он будет отклонён"),
                Text(
                    en="Offset + tokens is not beyond the table: no position is read.",
                    ru="Смещение плюс число токенов не выходит за таблицу: ни одна позиция не "
                    "читается.",
                ),
            ),
            (
                Text(en="it loses its empty axis", ru="пустая ось исчезнет"),
                Text(
                    en="The output has the shape of the input, empty axes too.",
                    ru="Форма выхода совпадает с формой входа, пустые оси тоже остаются.",
                ),
            ),
        ),
        Text(
            en="Compare offset + tokens with the number of positions.",
            ru="Сравните сумму смещения и числа токенов с числом позиций.",
        ),
        Phrase(
            Text(
                en="{end} + 0 = {end} is the end of the table and still within it.",
                ru="{end} + 0 = {end} — это конец таблицы, за него интервал не выходит.",
            ),
            {"end": end},
        ),
    )


def negative_offset(draw: Draw) -> Asked:
    """Why -1 must not wrap round."""
    offset = draw.whole(1, 2, 5)
    return choice(
        Phrase(
            Text(
                en="The table is an array in Python, and a program asks for the row at position "
                "-{offset}. What must RoPE do?",
                ru="Таблица — массив в Python, а программа просит строку для позиции -{offset}. "
                "Что должно произойти?",
            ),
            {"offset": offset},
        ),
        Text(en="refuse it and say what is accepted", ru="отказ с указанием, что допустимо"),
        (
            (
                Text(
                    en="take the row counted from the end of the table",
                    ru="взять строку с конца таблицы",
                ),
                Text(
                    en="A negative index wraps round: the row would be turned by a late position.",
                    ru="Отрицательный индекс отсчитывается с конца: строка повернулась бы на угол "
                    "последних позиций.",
                ),
            ),
            (
                Text(en="take position 0", ru="взять позицию 0"),
                Text(
                    en="A quiet repair hides the mistake of the caller.",
                    ru="Молчаливая поправка скрыла бы ошибку вызывающей программы.",
                ),
            ),
        ),
        Text(
            en="Which of the answers gives a wrong number that nobody sees?",
            ru="Какой из ответов даст неверное число, которого никто не заметит?",
        ),
        Text(
            en="An offset is a whole number, zero or greater: anything else is invalid-count.",
            ru="Смещение — целое неотрицательное число; всё прочее отклоняется: invalid-count.",
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
        Phrase(
            Text(
                en="The rotated row at position {m} gets the output adjoint {row} (d = 4, b = "
                "100). What is the first coordinate of the input adjoint?",
                ru="Повёрнутая строка в позиции {m} получает выходную сопряжённую величину {row} "
                "(d = 4, b = 100). Чему равна первая координата сопряжённой величины входа?",
            ),
            {"m": m, "row": row_of(row)},
        ),
        answer,
        (
            Wrong(
                turned(row, m)[0],
                Text(
                    en="This is the forward rotation; the way back is its transpose.",
                    ru="Это прямой поворот, а обратно ведёт транспонированный.",
                ),
            ),
            Wrong(row[0], explanations.NOT_TURNED),
            Wrong(
                row[0] * math.cos(math.radians(m)) + row[1] * math.sin(math.radians(m)),
                explanations.DEGREES,
            ),
            Wrong(
                row[0] * math.sin(m) + row[1] * math.cos(m),
                Text(
                    en="Sine and cosine have changed places.",
                    ru="Синус и косинус переставлены.",
                ),
            ),
        ),
        Text(
            en="R-transposed: left·cos + right·sin.",
            ru="Транспонированный поворот: left·cos + right·sin.",
        ),
        Phrase(
            Text(
                en="{left}·cos {m} + {right}·sin {m} = {answer}.",
                ru="{left}·cos {m} + {right}·sin {m} = {answer}.",
            ),
            {"left": Short(row[0]), "right": Short(row[1]), "m": m, "answer": Number(answer)},
        ),
    )


QUESTIONS = (
    Question("shapes-1", "shapes", empty_block),
    Question("refusals-1", "refusals", negative_offset),
    Question("adjoints-1", "adjoints", input_adjoint),
)
