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


@question("additive-1", "additive")
def added_vector(numbers: Numbers) -> Question:
    """A coordinate of a row to which a sinusoid was added."""
    p = numbers.whole(1, 2, 30)
    answer = 1 + math.sin(p * reference.inverse_frequency(1, 4, OTHER_BASE))
    slow = reference.inverse_frequency(1, 4, BASE)
    return number(
        "The sinusoidal vector [sin p, cos p, sin(p/100), cos(p/100)] is added to [1, 0, 1, "
        "0] at p = {p}. What is the third coordinate of the sum?",
        "К строке [1, 0, 1, 0] при p = {p} прибавлен синусоидальный вектор [sin p, cos p, "
        "sin(p/100), cos(p/100)]. Чему равна третья координата суммы?",
        answer,
        wrong(
            1 + math.sin(p * slow),
            "This is base 100, that of the RoPE example; p/100 belongs to base 10000.",
            "Это основание 100 из примера с RoPE; p/100 соответствует основанию 10000.",
        ),
        wrong(
            rotate_row((1.0, 0.0, 1.0, 0.0), p)[2],
            "Here the row was turned; the vector of a position is added.",
            "Здесь строка повёрнута, а вектор позиции прибавляется.",
        ),
        wrong(1 + math.cos(p / 100), mistakes.COSINE),
        hint=symbols("1 + sin(p/100)."),
        explanation=t(
            "{answer}. Added, position and content mix; "
            "their cross terms in a dot product depend on absolute positions.",
            "{answer}. При сложении позиция смешивается с содержимым, "
            "и перекрёстные члены скалярного произведения зависят от абсолютных позиций.",
        ),
        p=p,
    )


@question("order-1", "order")
def permuted(numbers: Numbers) -> Question:
    """Attention without positions is equivariant."""
    tokens = numbers.whole(3, 4, 9)
    return choice(
        "{tokens} tokens change places; there is no position information and no mask. "
        "What becomes of the outputs of attention?",
        "Токены поменялись местами (их {tokens}); сведений о позиции и маски нет. "
        "Что будет с выходами внимания?",
        wrong(
            t("they stay where they were", "останутся на своих местах"),
            "That would be invariance; attention is equivariant.",
            "Это была бы инвариантность, а внимание эквивариантно.",
        ),
        right("they move along with the tokens", "переставятся вместе с токенами"),
        wrong(
            t("their values change", "изменятся их значения"),
            "Each token still mixes the same set of values with the same weights.",
            "Каждый токен смешивает тот же набор значений с теми же весами.",
        ),
        hint=t(
            "Does a score without positions know in which row a token stands?",
            "Знает ли оценка без позиций, в какой строке стоит токен?",
        ),
        explanation=t(
            "Equivariance: permuted inputs give the same outputs, permuted.",
            "Эквивариантность: переставленные входы дают те же выходы, переставленные.",
        ),
        tokens=tokens,
    )


@question("visibility-1", "visibility")
def masked_weight(numbers: Numbers) -> Question:
    """The weight of the first token when all scores are equal."""
    tokens = numbers.whole(6, 5, 9)
    token = numbers.whole(3, 2, tokens - 2)
    seen = attention.softmax(np.zeros((tokens, tokens)), attention.causal_mask(tokens))
    answer = float(seen[token][0])
    return number(
        "{tokens} tokens, all scores equal, a causal mask. "
        "What weight does token 0 get from the query at position {t}?",
        "Число токенов {tokens}, все оценки равны, маска каузальная. "
        "Какой вес получает токен 0 от запроса в позиции {t}?",
        answer,
        wrong(
            1 / tokens,
            "The mask is forgotten: future keys were counted too.",
            "Забыта маска: посчитаны и будущие ключи.",
        ),
        wrong(
            1 / token,
            "A query sees its own position as well: t+1 keys.",
            "Запрос видит и собственную позицию: ключей t+1.",
        ),
        wrong(
            1.0,
            "The softmax is forgotten: the weights of a row add up to 1.",
            "Забыт softmax: сумма весов строки равна 1.",
        ),
        hint=t("How many keys can be seen from there?", "Сколько ключей видно из этой позиции?"),
        explanation=t(
            "1/(t+1) = {answer}: the mask decides what is seen, RoPE does not.",
            "1/(t+1) = {answer}: видимость задаёт маска, а не RoPE.",
        ),
        tokens=tokens,
        t=token,
    )


@question("heads-1", "heads")
def second_head(numbers: Numbers) -> Question:
    """Where the second head's pairs begin."""
    base = numbers.pick(BASE, (16.0, 81.0, 400.0))
    return number(
        "A model of width 8 has two heads of width 4, base {base}. "
        "By how many radians per position does the first pair of the second head turn?",
        "В модели ширины 8 две головы ширины 4, основание {base}. "
        "На сколько радиан за позицию поворачивается первая пара второй головы?",
        reference.inverse_frequency(0, 4, base),
        wrong(
            reference.inverse_frequency(2, 8, base),
            "d is the width of a head, not that of the model.",
            "d — ширина головы, а не всей модели.",
        ),
        wrong(
            reference.inverse_frequency(2, 4, base),
            "The pairs are counted anew in every head.",
            "В каждой голове пары нумеруются заново.",
        ),
        hint=t("What is d in b^(-2j/d)?", "Что такое d в b^(-2j/d)?"),
        explanation=t(
            "Every head begins with pair 0, and θ_0 = 1 for every base.",
            "Каждая голова начинается с пары 0, а θ_0 = 1 при любом основании.",
        ),
        base=Short(base),
    )


QUESTIONS = (added_vector, permuted, masked_weight, second_head)
