"""Questions about complex numbers and counting."""

from __future__ import annotations

import math

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, count, number
from rope_cli.classroom.reference_numbers import place
from rope_cli.document.blocks import Number, Phrase, Short
from rope_cli.text import Text


def complex_text(value: complex) -> str:
    """A complex number of whole parts, as 1+2i."""
    return f"{value.real:g}{value.imag:+g}i"


def conjugate(draw: Draw) -> Asked:
    """The dot product of two pairs read as complex numbers."""
    q = draw.pick(1 + 2j, [complex(a, b) for a in (1, 2, 3) for b in (-3, -2, 2, 3)])
    k = draw.pick(3 - 1j, [complex(a, b) for a in (-2, 2, 4) for b in (-1, 1, 2)])
    answer = (q * k.conjugate()).real
    return number(
        Phrase(
            Text(
                en="Read two pairs as complex numbers: q = {q}, k = {k}. What is their dot "
                "product?",
                ru="Прочтём две пары как комплексные числа: q = {q}, k = {k}. Чему равно их "
                "скалярное произведение?",
            ),
            {"q": complex_text(q), "k": complex_text(k)},
        ),
        answer,
        (
            Wrong(
                (q * k).real,
                Text(
                    en="This is Re(qk): one of the two must be conjugated.",
                    ru="Это Re(qk), а один из множителей нужно сопрячь.",
                ),
            ),
            Wrong(
                (q * k.conjugate()).imag,
                Text(
                    en="This is the imaginary part of qk*; take the real one.",
                    ru="Это мнимая часть qk*, а нужна вещественная.",
                ),
            ),
            Wrong(
                abs(q * k),
                Text(
                    en="This is the absolute value |qk|.",
                    ru="Это модуль |qk|.",
                ),
            ),
        ),
        Text(
            en="The real part of qk*; the star conjugates.",
            ru="Вещественная часть qk*; звёздочка — сопряжение.",
        ),
        Phrase(
            Text(
                en="Re(qk*) = {answer}, the sum of products of like parts.",
                ru="Re(qk*) = {answer}: сумма произведений одноимённых частей.",
            ),
            {"answer": Number(answer)},
        ),
    )


def complex_score(draw: Draw) -> Asked:
    """A score by complex factors, and the three ways to get it wrong."""
    m, n = draw.pick((5, 2), [(m, n) for m in range(3, 9) for n in range(1, m)])
    q, k, theta = 1 + 2j, 3 - 1j, 0.7

    def turn(angle: float) -> complex:
        return complex(math.cos(angle), math.sin(angle))

    answer = (q * turn(m * theta) * (k * turn(n * theta)).conjugate()).real
    return number(
        Phrase(
            Text(
                en="q = {q}, k = {k}, θ = {theta}. What is Re(qk*·e^(i(m-n)θ)) at (m,n) = {place}?",
                ru="q = {q}, k = {k}, θ = {theta}. Чему равно Re(qk*·e^(i(m-n)θ)) при (m,n) = "
                "{place}?",
            ),
            {
                "q": complex_text(q),
                "k": complex_text(k),
                "theta": Short(theta),
                "place": place(m, n),
            },
        ),
        answer,
        (
            Wrong(
                (q * k.conjugate() * turn((n - m) * theta)).real,
                Text(
                    en="n-m was taken where m-n belongs: with k conjugated the factor has m-n.",
                    ru="Вместо m-n взято n-m: при сопряжённом k в множителе стоит m-n.",
                ),
            ),
            Wrong(
                (q * turn(m * theta) * k * turn(n * theta)).real,
                Text(
                    en="The conjugation is forgotten, so the angles were added.",
                    ru="Забыто сопряжение, и углы сложились.",
                ),
            ),
            Wrong((q * k.conjugate()).real, explanations.UNROTATED),
        ),
        Phrase(
            Text(
                en="qk* = {product}; turn it by (m-n)θ and take the real part.",
                ru="qk* = {product}; поверните на (m-n)θ и возьмите вещественную часть.",
            ),
            {"product": complex_text(q * k.conjugate())},
        ),
        Phrase(
            Text(
                en="{answer}. The chapter's qᵀR((n-m)θ)k is the same number: conjugating k turns "
                "the sign round.",
                ru="{answer}. Выражение qᵀR((n-m)θ)k из главы — то же число: сопряжение k меняет "
                "знак.",
            ),
            {"answer": Number(answer)},
        ),
    )


def multiplications(draw: Draw) -> Asked:
    """How many multiplications the pairs need."""
    d = draw.pick(128, (32, 64, 80, 96, 256))
    return count(
        Phrase(
            Text(
                en="A vector of width d = {d} is rotated pair by pair, cosines and sines given. "
                "How many multiplications does it take?",
                ru="Вектор ширины d = {d} поворачивают по парам, косинусы и синусы даны. Сколько "
                "нужно умножений?",
            ),
            {"d": d},
        ),
        4 * (d // 2),
        (
            Wrong(
                d * d,
                Text(
                    en="This is the full matrix; all but 2d of its entries are zero.",
                    ru="Это полная матрица, а в ней все элементы, кроме 2d, нулевые.",
                ),
            ),
            Wrong(
                4 * d,
                Text(
                    en="d pairs were counted; there are d/2.",
                    ru="Посчитано d пар, а их d/2.",
                ),
            ),
            Wrong(
                d,
                Text(
                    en="A pair takes four products, not two.",
                    ru="На пару уходит четыре умножения, а не два.",
                ),
            ),
            Wrong(
                d // 2,
                Text(
                    en="These are the pairs; each takes four products.",
                    ru="Это число пар, а на каждую уходит четыре умножения.",
                ),
            ),
        ),
        Text(
            en="d/2 pairs, and in each: left·cos, right·sin, left·sin, right·cos.",
            ru="d/2 пар, в каждой: left·cos, right·sin, left·sin, right·cos.",
        ),
        Phrase(
            Text(
                en="4·{pairs} = {answer}, of {dense} for the full matrix.",
                ru="4·{pairs} = {answer} вместо {dense} для полной матрицы.",
            ),
            {"pairs": d // 2, "answer": 2 * d, "dense": d * d},
        ),
    )


QUESTIONS = (
    Question("complex-1", "complex", conjugate),
    Question("complex-2", "complex", complex_score),
    Question("dense-vs-pairs-1", "dense-vs-pairs", multiplications),
)
