"""Questions about complex numbers and counting."""

from __future__ import annotations

import math

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import count, number, question, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import format_positions
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t


def complex_text(value: complex) -> str:
    """A complex number of whole parts, as 1+2i."""
    return f"{value.real:g}{value.imag:+g}i"


@question("complex-1", "complex")
def conjugate(numbers: Numbers) -> Question:
    """The dot product of two pairs read as complex numbers."""
    q = numbers.pick(1 + 2j, [complex(a, b) for a in (1, 2, 3) for b in (-3, -2, 2, 3)])
    k = numbers.pick(3 - 1j, [complex(a, b) for a in (-2, 2, 4) for b in (-1, 1, 2)])
    answer = (q * k.conjugate()).real
    return number(
        "Read two pairs as complex numbers: q = {q}, k = {k}. What is their dot product?",
        "Прочтём две пары как комплексные числа: q = {q}, k = {k}. "
        "Чему равно их скалярное произведение?",
        answer,
        wrong(
            (q * k).real,
            "This is Re(qk): one of the two must be conjugated.",
            "Это Re(qk), а один из множителей нужно сопрячь.",
        ),
        wrong(
            (q * k.conjugate()).imag,
            "This is the imaginary part of qk*; take the real one.",
            "Это мнимая часть qk*, а нужна вещественная.",
        ),
        wrong(abs(q * k), "This is the absolute value |qk|.", "Это модуль |qk|."),
        hint=t(
            "The real part of qk*; the star conjugates.",
            "Вещественная часть qk*; звёздочка — сопряжение.",
        ),
        explanation=t(
            "Re(qk*) = {answer}, the sum of products of like parts.",
            "Re(qk*) = {answer}: сумма произведений одноимённых частей.",
        ),
        q=complex_text(q),
        k=complex_text(k),
    )


@question("complex-2", "complex")
def complex_score(numbers: Numbers) -> Question:
    """A score by complex factors, and the three ways to get it wrong."""
    m, n = numbers.pick((5, 2), [(m, n) for m in range(3, 9) for n in range(1, m)])
    q, k, theta = 1 + 2j, 3 - 1j, 0.7

    def rotation(angle: float) -> complex:
        return complex(math.cos(angle), math.sin(angle))

    answer = (q * rotation(m * theta) * (k * rotation(n * theta)).conjugate()).real
    return number(
        "q = {q}, k = {k}, θ = {theta}. What is Re(qk*·e^(i(m-n)θ)) at (m,n) = {place}?",
        "q = {q}, k = {k}, θ = {theta}. Чему равно Re(qk*·e^(i(m-n)θ)) при (m,n) = {place}?",
        answer,
        wrong(
            (q * k.conjugate() * rotation((n - m) * theta)).real,
            "n-m was taken where m-n belongs: with k conjugated the factor has m-n.",
            "Вместо m-n взято n-m: при сопряжённом k в множителе стоит m-n.",
        ),
        wrong(
            (q * rotation(m * theta) * k * rotation(n * theta)).real,
            "The conjugation is forgotten, so the angles were added.",
            "Забыто сопряжение, и углы сложились.",
        ),
        wrong((q * k.conjugate()).real, mistakes.WITHOUT_ROTATION),
        hint=t(
            "qk* = {product}; turn it by (m-n)θ and take the real part.",
            "qk* = {product}; поверните на (m-n)θ и возьмите вещественную часть.",
        ),
        explanation=t(
            "{answer}. The chapter's qᵀR((n-m)θ)k is the same number: "
            "conjugating k turns the sign round.",
            "{answer}. Выражение qᵀR((n-m)θ)k из главы — то же число: сопряжение k меняет знак.",
        ),
        q=complex_text(q),
        k=complex_text(k),
        theta=Short(theta),
        place=format_positions(m, n),
        product=complex_text(q * k.conjugate()),
    )


@question("dense-vs-pairs-1", "dense-vs-pairs")
def multiplications(numbers: Numbers) -> Question:
    """How many multiplications the pairs need."""
    d = numbers.pick(128, (32, 64, 80, 96, 256))
    return count(
        "A vector of width d = {d} is rotated pair by pair, cosines and sines given. "
        "How many multiplications does it take?",
        "Вектор ширины d = {d} поворачивают по парам, косинусы и синусы даны. "
        "Сколько нужно умножений?",
        4 * (d // 2),
        wrong(
            d * d,
            "This is the full matrix; all but 2d of its entries are zero.",
            "Это полная матрица, а в ней все элементы, кроме 2d, нулевые.",
        ),
        wrong(4 * d, "d pairs were counted; there are d/2.", "Посчитано d пар, а их d/2."),
        wrong(
            d, "A pair takes four products, not two.", "На пару уходит четыре умножения, а не два."
        ),
        wrong(
            d // 2,
            "These are the pairs; each takes four products.",
            "Это число пар, а на каждую уходит четыре умножения.",
        ),
        hint=t(
            "d/2 pairs, and in each: left·cos, right·sin, left·sin, right·cos.",
            "d/2 пар, в каждой: left·cos, right·sin, left·sin, right·cos.",
        ),
        explanation=t(
            "4·{pairs} = {answer}, of {dense} for the full matrix.",
            "4·{pairs} = {answer} вместо {dense} для полной матрицы.",
        ),
        d=d,
        pairs=d // 2,
        dense=d * d,
    )


QUESTIONS = (conjugate, complex_score, multiplications)
