"""Questions about adding, order, the mask and the heads."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, number
from rope_cli.classroom.reference_numbers import BASE, OTHER_BASE, turned
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.rope import attention


def added_vector(draw: Draw) -> Asked:
    """A coordinate of a row to which a sinusoid was added."""
    p = draw.whole(1, 2, 30)
    answer = 1 + math.sin(p * reference.inverse_frequency(1, 4, OTHER_BASE))
    slow = reference.inverse_frequency(1, 4, BASE)
    return number(
        t(
            "The sinusoidal vector [sin p, cos p, sin(p/100), cos(p/100)] is added to "
            "[1, 0, 1, 0] at p = {p}. What is the third coordinate of the sum?",
            "К строке [1, 0, 1, 0] при p = {p} прибавлен синусоидальный вектор [sin p, "
            "cos p, sin(p/100), cos(p/100)]. Чему равна третья координата суммы?",
            p=p,
        ),
        answer,
        (
            Wrong(
                1 + math.sin(p * slow),
                t(
                    "This is base 100, that of the RoPE example; p/100 belongs to base 10000.",
                    "Это основание 100 из примера с RoPE; p/100 соответствует основанию 10000.",
                ),
            ),
            Wrong(
                turned((1.0, 0.0, 1.0, 0.0), p)[2],
                t(
                    "Here the row was turned; the vector of a position is added.",
                    "Здесь строка повёрнута, а вектор позиции прибавляется.",
                ),
            ),
            Wrong(1 + math.cos(p / 100), explanations.COSINE),
        ),
        t("1 + sin(p/100).", "1 + sin(p/100)."),
        t(
            "{answer}. Added, position and content mix; their cross terms in a dot product "
            "depend on absolute positions.",
            "{answer}. При сложении позиция смешивается с содержимым, и перекрёстные члены "
            "скалярного произведения зависят от абсолютных позиций.",
            answer=answer,
        ),
    )


def permuted(draw: Draw) -> Asked:
    """Attention without positions is equivariant."""
    tokens = draw.whole(3, 4, 9)
    return choice(
        t(
            "{tokens} tokens change places; there is no position information and no mask. "
            "What becomes of the outputs of attention?",
            "Токены поменялись местами (их {tokens}); сведений о позиции и маски нет. Что "
            "будет с выходами внимания?",
            tokens=tokens,
        ),
        t("they move along with the tokens", "переставятся вместе с токенами"),
        (
            (
                t("they stay where they were", "останутся на своих местах"),
                t(
                    "That would be invariance; attention is equivariant.",
                    "Это была бы инвариантность, а внимание эквивариантно.",
                ),
            ),
            (
                t("their values change", "изменятся их значения"),
                t(
                    "Each token still mixes the same set of values with the same weights.",
                    "Каждый токен смешивает тот же набор значений с теми же весами.",
                ),
            ),
        ),
        t(
            "Does a score without positions know in which row a token stands?",
            "Знает ли оценка без позиций, в какой строке стоит токен?",
        ),
        t(
            "Equivariance: permuted inputs give the same outputs, permuted.",
            "Эквивариантность: переставленные входы дают те же выходы, переставленные.",
        ),
        at=2,
    )


def masked_weight(draw: Draw) -> Asked:
    """The weight of the first token when all scores are equal."""
    tokens = draw.whole(6, 5, 9)
    token = draw.whole(3, 2, tokens - 2)
    seen = attention.softmax(np.zeros((tokens, tokens)), attention.causal_mask(tokens))
    answer = float(seen[token][0])
    return number(
        t(
            "{tokens} tokens, all scores equal, a causal mask. What weight does token 0 get "
            "from the query at position {t}?",
            "Число токенов {tokens}, все оценки равны, маска каузальная. Какой вес получает "
            "токен 0 от запроса в позиции {t}?",
            tokens=tokens,
            t=token,
        ),
        answer,
        (
            Wrong(
                1 / tokens,
                t(
                    "The mask is forgotten: future keys were counted too.",
                    "Забыта маска: посчитаны и будущие ключи.",
                ),
            ),
            Wrong(
                1 / token,
                t(
                    "A query sees its own position as well: t+1 keys.",
                    "Запрос видит и собственную позицию: ключей t+1.",
                ),
            ),
            Wrong(
                1.0,
                t(
                    "The softmax is forgotten: the weights of a row add up to 1.",
                    "Забыт softmax: сумма весов строки равна 1.",
                ),
            ),
        ),
        t("How many keys can be seen from there?", "Сколько ключей видно из этой позиции?"),
        t(
            "1/(t+1) = {answer}: the mask decides what is seen, RoPE does not.",
            "1/(t+1) = {answer}: видимость задаёт маска, а не RoPE.",
            answer=answer,
        ),
    )


def second_head(draw: Draw) -> Asked:
    """Where the second head's pairs begin."""
    base = draw.pick(BASE, (16.0, 81.0, 400.0))
    return number(
        t(
            "A model of width 8 has two heads of width 4, base {base}. By how many radians "
            "per position does the first pair of the second head turn?",
            "В модели ширины 8 две головы ширины 4, основание {base}. На сколько радиан за "
            "позицию поворачивается первая пара второй головы?",
            base=Short(base),
        ),
        reference.inverse_frequency(0, 4, base),
        (
            Wrong(
                reference.inverse_frequency(2, 8, base),
                t(
                    "d is the width of a head, not that of the model.",
                    "d — ширина головы, а не всей модели.",
                ),
            ),
            Wrong(
                reference.inverse_frequency(2, 4, base),
                t(
                    "The pairs are counted anew in every head.",
                    "В каждой голове пары нумеруются заново.",
                ),
            ),
        ),
        t("What is d in b^(-2j/d)?", "Что такое d в b^(-2j/d)?"),
        t(
            "Every head begins with pair 0, and θ_0 = 1 for every base.",
            "Каждая голова начинается с пары 0, а θ_0 = 1 при любом основании.",
        ),
    )


QUESTIONS = (
    Question("additive-1", "additive", added_vector),
    Question("order-1", "order", permuted),
    Question("visibility-1", "visibility", masked_weight),
    Question("heads-1", "heads", second_head),
)
