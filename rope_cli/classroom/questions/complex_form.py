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
    """A complex number of whole parts, as 1+2i, 3-i, 2i or 5."""
    real = f"{value.real:g}" if value.real or not value.imag else ""
    imaginary = f"{value.imag:+g}i" if value.imag else ""
    if abs(value.imag) == 1:
        imaginary = imaginary.replace("1", "")
    return (real + imaginary).removeprefix("+")


@question("complex-1", "complex")
def conjugate(numbers: Numbers) -> Question:
    """The dot product of two pairs read as complex numbers."""
    q = numbers.pick(1 + 2j, [complex(a, b) for a in (1, 2, 3) for b in (-3, -2, 2, 3)])
    k = numbers.pick(3 - 1j, [complex(a, b) for a in (-2, 2, 4) for b in (-1, 1, 2)])
    answer = (q * k.conjugate()).real
    return number(
        "Two pairs are read as complex numbers, q = {q} and k = {k}. What is their dot product?",
        "Две пары прочитаны как комплексные числа q = {q} и k = {k}. Чему равно их "
        "скалярное произведение?",
        answer,
        wrong(
            (q * k).real,
            "This is Re(qk), but one of the two factors must be conjugated.",
            "Это Re(qk), а один из множителей нужно сопрячь.",
        ),
        wrong(
            (q * k.conjugate()).imag,
            "This is the imaginary part of qk*; the dot product is its real part.",
            "Это мнимая часть qk*, а скалярное произведение — вещественная.",
        ),
        wrong(abs(q * k), "This is the absolute value |qk|.", "Это модуль |qk|."),
        hint=t(
            "It is the real part of qk*, where the star denotes the conjugate.",
            "Это вещественная часть qk*; звёздочкой обозначено сопряжение.",
        ),
        explanation=t(
            "Re(qk*) is the product of the real parts plus the product of the imaginary parts.",
            "Re(qk*) — это произведение вещественных частей плюс произведение мнимых.",
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
            "n-m was used instead of m-n. Since k is conjugated here, the factor contains m-n.",
            "Взято n-m вместо m-n. Здесь сопряжено k, поэтому в множителе стоит m-n.",
        ),
        wrong(
            (q * rotation(m * theta) * k * rotation(n * theta)).real,
            "The conjugation was forgotten, so the angles were added.",
            "Забыто сопряжение, и углы сложились.",
        ),
        wrong((q * k.conjugate()).real, mistakes.WITHOUT_ROTATION),
        hint=t(
            "qk* = {product}; rotate it by (m-n)θ and take the real part.",
            "qk* = {product}; поверните на (m-n)θ и возьмите вещественную часть.",
        ),
        explanation=t(
            "Conjugating k reverses the sign of its angle, so this is the same number as the "
            "chapter's qᵀR((n-m)θ)k.",
            "Сопряжение меняет знак угла у k, поэтому это то же число, что qᵀR((n-m)θ)k из главы.",
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
        "A vector of width d = {d} is rotated pair by pair; the cosines and sines are "
        "given. How many multiplications does this take?",
        "Вектор ширины d = {d} поворачивают пара за парой; косинусы и синусы даны. Сколько "
        "умножений на это уйдёт?",
        4 * (d // 2),
        wrong(
            d * d,
            "This is for the dense matrix, but all except 2d of its entries are zero.",
            "Столько нужно для плотной матрицы, но в ней все элементы, кроме 2d, — нули.",
        ),
        wrong(
            4 * d,
            "The pairs were counted as d, but there are only d/2.",
            "Пар посчитано d, а их всего d/2.",
        ),
        wrong(
            d,
            "Each pair takes four multiplications, not two.",
            "На каждую пару уходит четыре умножения, а не два.",
        ),
        wrong(
            d // 2,
            "This is the number of pairs, but each takes four multiplications.",
            "Это число пар, а на каждую уходит четыре умножения.",
        ),
        hint=t(
            "There are d/2 pairs, and each pair [x, y] needs x·cos, y·sin, x·sin and y·cos.",
            "Пар d/2, и для каждой пары [x, y] нужны x·cos, y·sin, x·sin и y·cos.",
        ),
        explanation=t(
            "4·{pairs} = {answer}, where the dense matrix would take {dense}.",
            "4·{pairs} = {answer}, а плотная матрица потребовала бы {dense}.",
        ),
        d=d,
        pairs=d // 2,
        dense=d * d,
    )


QUESTIONS = (conjugate, complex_score, multiplications)
