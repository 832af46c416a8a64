"""Questions about adding, order, the mask and the heads."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, number, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import BASE, OTHER_BASE, rotate_row
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.rope import attention
from rope_cli.text import counted


@question("additive-1", "additive")
def added_vector(numbers: Numbers) -> Question:
    """A coordinate of a row to which a sinusoid was added."""
    p = numbers.whole(1, 2, 30)
    answer = 1 + math.sin(p * reference.inverse_frequency(1, 4, OTHER_BASE))
    slow = reference.inverse_frequency(1, 4, BASE)
    return number(
        "The sinusoidal vector [sin p, cos p, sin(p/100), cos(p/100)] is added to the row "
        "[1, 0, 1, 0] at p = {p}. What is the third coordinate of the sum?",
        "К строке [1, 0, 1, 0] при p = {p} прибавлен синусоидальный вектор [sin p, cos p, "
        "sin(p/100), cos(p/100)]. Чему равна третья координата суммы?",
        answer,
        wrong(
            1 + math.sin(p * slow),
            "The base was taken as 100, as in the RoPE example; p/100 belongs to base 10000.",
            "Взято основание 100 из примера с RoPE, а p/100 соответствует основанию 10000.",
        ),
        wrong(
            rotate_row((1.0, 0.0, 1.0, 0.0), p)[2],
            "The row was rotated, but here the vector of its position is added to it.",
            "Строка повёрнута, а здесь к ней прибавляют вектор позиции.",
        ),
        wrong(1 + math.cos(p / 100), mistakes.COSINE),
        hint=symbols("1 + sin(p/100)."),
        explanation=t(
            "Addition mixes position with content, so the dot product has cross terms that "
            "depend on absolute positions.",
            "Сложение смешивает позицию с содержимым, и в скалярном произведении появляются "
            "перекрёстные слагаемые, зависящие от абсолютных позиций.",
        ),
        p=p,
    )


@question("order-1", "order")
def permuted(numbers: Numbers) -> Question:
    """Attention without positions is equivariant."""
    tokens = numbers.whole(3, 4, 9)
    return choice(
        "In a text {tokens} change places. There is neither information about positions nor a "
        "mask. What happens to the outputs of attention?",
        "Местами поменялись {tokens}. Нет ни сведений о позициях, ни маски. Что будет с "
        "выходами внимания?",
        wrong(
            t("they stay where they were", "останутся на своих местах"),
            "That would be invariance, but attention is equivariant.",
            "Это была бы инвариантность, а внимание эквивариантно.",
        ),
        right("they move along with the tokens", "переставятся вместе с токенами"),
        wrong(
            t("their values change", "изменятся их значения"),
            "Each token still mixes the same values with the same weights.",
            "Каждый токен смешивает те же значения с теми же весами.",
        ),
        hint=t(
            "Does a score without positions depend on the row in which a token is?",
            "Зависит ли оценка без позиций от того, в какой строке стоит токен?",
        ),
        explanation=t(
            "This is equivariance: permuted inputs give the same outputs, permuted in the same "
            "way.",
            "Это эквивариантность: при перестановке входов выходы остаются теми же и "
            "переставляются так же.",
        ),
        tokens=counted(tokens, "token|tokens", "токен|токена|токенов"),
    )


@question("visibility-1", "visibility")
def masked_weight(numbers: Numbers) -> Question:
    """The weight of the first token when all scores are equal."""
    tokens = numbers.whole(6, 5, 9)
    token = numbers.whole(3, 2, tokens - 2)
    seen = attention.softmax(np.zeros((tokens, tokens)), attention.causal_mask(tokens))
    answer = float(seen[token][0])
    return number(
        "In a sequence of {tokens} tokens all scores are equal and the mask is causal. "
        "What weight does the query at position t = {t} give to token 0?",
        "В последовательности из {tokens} токенов все оценки равны, маска каузальная. "
        "Какой вес получает токен 0 от запроса в позиции t = {t}?",
        answer,
        wrong(
            1 / tokens,
            "The mask was forgotten, so future keys were counted too.",
            "Забыта маска, и посчитаны будущие ключи.",
        ),
        wrong(
            1 / token,
            "The key at the query's own position is visible too, so there are t+1 keys.",
            "Ключ в позиции самого запроса тоже виден, поэтому ключей t+1.",
        ),
        wrong(
            1.0,
            "The softmax was forgotten: the weights of a row add up to 1.",
            "Забыт softmax: сумма весов строки равна 1.",
        ),
        hint=t(
            "How many keys are visible from that position?", "Сколько ключей видно из этой позиции?"
        ),
        explanation=t(
            "The weight is 1/(t+1): the mask decides which keys are visible, the rotation does "
            "not.",
            "Вес равен 1/(t+1): какие ключи видны, решает маска, а не поворот.",
        ),
        tokens=tokens,
        t=token,
    )


@question("heads-1", "heads")
def second_head(numbers: Numbers) -> Question:
    """Where the second head's pairs begin."""
    base = numbers.pick(BASE, (16.0, 81.0, 400.0))
    return number(
        "A model of width 8 has two heads of width 4; the base is {base}. By how many "
        "radians per position does the first pair of the second head rotate?",
        "В модели ширины 8 две головы ширины 4, основание {base}. На сколько радиан за "
        "позицию поворачивается первая пара второй головы?",
        reference.inverse_frequency(0, 4, base),
        wrong(
            reference.inverse_frequency(2, 8, base),
            "The width of the model was used, but d is the width of one head.",
            "Взята ширина модели, а d — ширина одной головы.",
        ),
        wrong(
            reference.inverse_frequency(2, 4, base),
            "The pairs were numbered on from the first head, but every head starts again at "
            "pair 0.",
            "Нумерация пар продолжена из первой головы, а в каждой голове она начинается с 0.",
        ),
        hint=t("Which width is d in b^(-2j/d)?", "Какая ширина обозначена буквой d в b^(-2j/d)?"),
        explanation=t(
            "Every head begins with pair 0, and θ_0 = 1 whatever the base.",
            "Каждая голова начинается с пары 0, а θ_0 = 1 при любом основании.",
        ),
        base=Short(base),
    )


QUESTIONS = (added_vector, permuted, masked_weight, second_head)
