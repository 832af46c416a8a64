"""Questions about complex numbers and counting."""

from __future__ import annotations

import math

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, count, number
from rope_cli.classroom.reference_numbers import place
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t


def complex_text(value: complex) -> str:
    """A complex number of whole parts, as 1+2i."""
    return f"{value.real:g}{value.imag:+g}i"


def conjugate(draw: Draw) -> Asked:
    """The dot product of two pairs read as complex numbers."""
    q = draw.pick(1 + 2j, [complex(a, b) for a in (1, 2, 3) for b in (-3, -2, 2, 3)])
    k = draw.pick(3 - 1j, [complex(a, b) for a in (-2, 2, 4) for b in (-1, 1, 2)])
    answer = (q * k.conjugate()).real
    return number(
        t(
            "Read two pairs as complex numbers: q = {q}, k = {k}. What is their dot product?",
            "Прочтём две пары как комплексные числа: q = {q}, k = {k}. Чему равно их "
            "скалярное произведение?",
            q=complex_text(q),
            k=complex_text(k),
        ),
        answer,
        (
            Wrong(
                (q * k).real,
                t(
                    "This is Re(qk): one of the two must be conjugated.",
                    "Это Re(qk), а один из множителей нужно сопрячь.",
                ),
            ),
            Wrong(
                (q * k.conjugate()).imag,
                t(
                    "This is the imaginary part of qk*; take the real one.",
                    "Это мнимая часть qk*, а нужна вещественная.",
                ),
            ),
            Wrong(
                abs(q * k),
                t("This is the absolute value |qk|.", "Это модуль |qk|."),
            ),
        ),
        t(
            "The real part of qk*; the star conjugates.",
            "Вещественная часть qk*; звёздочка — сопряжение.",
        ),
        t(
            "Re(qk*) = {answer}, the sum of products of like parts.",
            "Re(qk*) = {answer}: сумма произведений одноимённых частей.",
            answer=answer,
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
        t(
            "q = {q}, k = {k}, θ = {theta}. What is Re(qk*·e^(i(m-n)θ)) at (m,n) = {place}?",
            "q = {q}, k = {k}, θ = {theta}. Чему равно Re(qk*·e^(i(m-n)θ)) при (m,n) = {place}?",
            q=complex_text(q),
            k=complex_text(k),
            theta=Short(theta),
            place=place(m, n),
        ),
        answer,
        (
            Wrong(
                (q * k.conjugate() * turn((n - m) * theta)).real,
                t(
                    "n-m was taken where m-n belongs: with k conjugated the factor has m-n.",
                    "Вместо m-n взято n-m: при сопряжённом k в множителе стоит m-n.",
                ),
            ),
            Wrong(
                (q * turn(m * theta) * k * turn(n * theta)).real,
                t(
                    "The conjugation is forgotten, so the angles were added.",
                    "Забыто сопряжение, и углы сложились.",
                ),
            ),
            Wrong((q * k.conjugate()).real, explanations.UNROTATED),
        ),
        t(
            "qk* = {product}; turn it by (m-n)θ and take the real part.",
            "qk* = {product}; поверните на (m-n)θ и возьмите вещественную часть.",
            product=complex_text(q * k.conjugate()),
        ),
        t(
            "{answer}. The chapter's qᵀR((n-m)θ)k is the same number: conjugating k turns "
            "the sign round.",
            "{answer}. Выражение qᵀR((n-m)θ)k из главы — то же число: сопряжение k меняет знак.",
            answer=answer,
        ),
    )


def multiplications(draw: Draw) -> Asked:
    """How many multiplications the pairs need."""
    d = draw.pick(128, (32, 64, 80, 96, 256))
    return count(
        t(
            "A vector of width d = {d} is rotated pair by pair, cosines and sines given. "
            "How many multiplications does it take?",
            "Вектор ширины d = {d} поворачивают по парам, косинусы и синусы даны. Сколько "
            "нужно умножений?",
            d=d,
        ),
        4 * (d // 2),
        (
            Wrong(
                d * d,
                t(
                    "This is the full matrix; all but 2d of its entries are zero.",
                    "Это полная матрица, а в ней все элементы, кроме 2d, нулевые.",
                ),
            ),
            Wrong(
                4 * d,
                t("d pairs were counted; there are d/2.", "Посчитано d пар, а их d/2."),
            ),
            Wrong(
                d,
                t(
                    "A pair takes four products, not two.",
                    "На пару уходит четыре умножения, а не два.",
                ),
            ),
            Wrong(
                d // 2,
                t(
                    "These are the pairs; each takes four products.",
                    "Это число пар, а на каждую уходит четыре умножения.",
                ),
            ),
        ),
        t(
            "d/2 pairs, and in each: left·cos, right·sin, left·sin, right·cos.",
            "d/2 пар, в каждой: left·cos, right·sin, left·sin, right·cos.",
        ),
        t(
            "4·{pairs} = {answer}, of {dense} for the full matrix.",
            "4·{pairs} = {answer} вместо {dense} для полной матрицы.",
            pairs=d // 2,
            answer=2 * d,
            dense=d * d,
        ),
    )


QUESTIONS = (
    Question("complex-1", "complex", conjugate),
    Question("complex-2", "complex", complex_score),
    Question("dense-vs-pairs-1", "dense-vs-pairs", multiplications),
)
