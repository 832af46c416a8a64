"""Questions about shapes, refusals and the way back."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import count, number, question, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import BASE, format_row, rotate_row
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import QUERY_OUTPUT_ADJOINT
from rope_cli.rope.tables import RotaryEmbedding
from rope_cli.text import counted


@question("shapes-1", "shapes")
def second_sequence(numbers: Numbers) -> Question:
    """Positions begin anew in every sequence of a batch."""
    tokens = numbers.whole(3, 4, 9)
    return count(
        "Two sequences of {length} are rotated together, as one array of shape [2, {tokens}, 4], "
        "with offset 0. For which position is the first token of the second sequence rotated?",
        "Две последовательности по {length} поворачивают вместе, одним "
        "массивом формы [2, {tokens}, 4], со смещением 0. "
        "Для какой позиции повёрнут первый токен второй последовательности?",
        0,
        wrong(
            tokens,
            "The tokens of the first sequence were counted too.",
            "Посчитаны и токены первой последовательности.",
        ),
        wrong(
            1,
            "This is the index of the sequence, but positions run along the axis of the tokens.",
            "Это номер последовательности, а позиции отсчитываются вдоль оси токенов.",
        ),
        hint=t("Along which axis do positions run?", "Вдоль какой оси отсчитываются позиции?"),
        explanation=t(
            "Positions run along the last axis but one. The axes in front of it only repeat the "
            "rotation, so every sequence begins at position 0.",
            "Позиции отсчитываются вдоль предпоследней оси. Вдоль осей перед ней поворот лишь "
            "повторяется, поэтому каждая последовательность начинается с позиции 0.",
        ),
        tokens=tokens,
        length=counted(tokens, "token|tokens", "токен|токена|токенов"),
    )


@question("refusals-1", "refusals")
def negative_offset(numbers: Numbers) -> Question:
    """Why -1 must not wrap round."""
    offset = numbers.whole(1, 2, 4)
    size = numbers.whole(6, 6, 12)
    return count(
        "A table holds cosines and sines for positions 0 to {last}. Python counts a negative "
        "index from the end of an array: -1 is its last element. If position "
        "-{offset} is not refused, by how many radians is pair 0 (θ = 1) rotated there?",
        "В таблице лежат косинусы и синусы позиций от 0 до {last}. Отрицательный индекс Python "
        "отсчитывает с конца массива: -1 — последний элемент. Если позицию -{offset} не отклонить, "
        "на сколько радиан повернётся в ней пара 0 (θ = 1)?",
        size - offset,
        wrong(
            -offset,
            "This would be the correct angle, but the table has no row for a negative position.",
            "Такой угол был бы верным, но строки для отрицательной позиции в таблице нет.",
        ),
        wrong(
            size - offset + 1,
            "The rows were counted from 1, but the first is that of position 0.",
            "Строки пронумерованы с 1, а первая относится к позиции 0.",
        ),
        wrong(
            0,
            "This is the row of position 0, but a negative index finds a row near the end.",
            "Это строка позиции 0, а отрицательный индекс находит строку у конца.",
        ),
        hint=t(
            "Which position does the row at index -{offset} belong to?",
            "К какой позиции относится строка с индексом -{offset}?",
        ),
        explanation=t(
            "Index -{offset} finds the row of position {wrapped}. No error is raised and the norm "
            "is kept, so the wrong number looks like any other: -{offset} must be refused.",
            "Индекс -{offset} находит строку позиции {wrapped}. Ошибки нет, и норма сохраняется, "
            "поэтому неверное число выглядит обычным: позицию -{offset} нужно отклонить.",
        ),
        offset=offset,
        last=size - 1,
        wrapped=size - offset,
    )


@question("adjoints-1", "adjoints")
def input_adjoint(numbers: Numbers) -> Question:
    """The first coordinate of an input adjoint."""
    m = numbers.whole(1, 2, 5)
    row = QUERY_OUTPUT_ADJOINT[1]
    table = RotaryEmbedding(4, m + 1, BASE)
    answer = float(table.rotate_transpose(np.array([row]), m)[0][0])
    return number(
        "After its rotation the row at position {m} has the output adjoint {row} (d = 4, b = 100). "
        "What is the first coordinate of its input adjoint?",
        "У строки в позиции {m} после поворота сопряжённая величина равна {row} (d = 4, b "
        "= 100). Чему равна первая координата сопряжённой величины до поворота?",
        answer,
        wrong(
            rotate_row(row, m)[0],
            "This is the forward rotation; the backward pass uses its transpose.",
            "Это прямой поворот, а в обратном проходе нужен транспонированный.",
        ),
        wrong(row[0], mistakes.BEFORE_ROTATION),
        wrong(
            row[0] * math.cos(math.radians(m)) + row[1] * math.sin(math.radians(m)),
            mistakes.DEGREES,
        ),
        wrong(
            row[0] * math.sin(m) + row[1] * math.cos(m),
            "Sine and cosine were swapped.",
            "Синус и косинус переставлены.",
        ),
        hint=t(
            "The transposed rotation: x' = x·cos + y·sin.",
            "Транспонированный поворот: x' = x·cos + y·sin.",
        ),
        explanation=symbols("{left}·cos {m} + {right}·sin {m} = {answer}."),
        m=m,
        row=format_row(row),
        left=Short(row[0]),
        right=Short(row[1]),
    )


QUESTIONS = (second_sequence, negative_offset, input_adjoint)
