"""The complex-number view: four equal forms of one score, and three that are not it."""

from __future__ import annotations

import cmath
import math

import numpy as np

from rope_cli.document.blocks import (
    Block,
    Number,
    Table,
    vector,
)
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import formula, left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY, Array, Example, as_array

TITLE = t("The complex-number view", "Комплексная запись")
QUESTION = t(
    "Read a pair of coordinates as one complex number: q = 1+2i, k = 3-i. Which of the "
    "two is their dot product, Re(qk) or Re(qk*)? The star means the complex conjugate.",
    "Прочтём пару координат как одно комплексное число: q = 1+2i, k = 3-i. Какое из "
    "двух чисел равно их скалярному произведению, Re(qk) или Re(qk*)? Звёздочка — знак "
    "комплексного сопряжения.",
)

USES = frozenset({"feature_width", "base", "layout"})
CLAIMS = {
    "conjugate-is-dot-product": t(
        "Re(qk*) is the dot product of the two pairs at position 0",
        "Re(qk*) — скалярное произведение двух пар в позиции 0",
    ),
    "turn-is-a-factor": t(
        "R(mθ) applied to a pair and e^(imθ) times the complex number give the same numbers",
        "R(mθ), применённая к паре, и e^(imθ), умноженное на комплексное число, дают одно и то же",
    ),
    "four-forms-agree": t(
        "all four forms give the same score, before and after an equal shift",
        "все четыре формы дают одну оценку — и до одинакового сдвига, и после",
    ),
    "three-forms-differ": t(
        "the three other forms do not give that score (the least of six differences)",
        "три остальные формы этой оценки не дают (наименьшая из шести разностей)",
    ),
    "unconjugated-moves": t(
        "without the conjugate the result changes under an equal shift",
        "без сопряжения результат меняется от одинакового сдвига",
    ),
    "sum-over-pairs": t(
        "for a whole row the complex form is summed over its pairs",
        "для целой строки комплексная форма складывается по всем парам",
    ),
}
QUERY, KEY, THETA = complex(1, 2), complex(3, -1), 0.7
PLACES = ((5, 2), (8, 5))
RIGHT_FORMS = (
    "(R(mθ)q)·(R(nθ)k)",
    "qᵀR((n-m)θ)k",
    "Re(q e^(imθ) (k e^(inθ))*)",
    "Re(q k* e^(i(m-n)θ))",
)
YES, NO = t("yes", "да"), t("no", "нет")
WRONG_FORMS = (
    "qᵀR((m-n)θ)k",
    "Re(q* k e^(i(m-n)θ))",
    "Re(q e^(imθ) k e^(inθ))",
)


def gather(example: Example) -> Evidence:
    """One pair at two places in every form, and a row of several pairs."""
    # Pair 1 of width 4 turns by base^(-1/2) radians per position: this base makes it 0.7.
    embedding = example.embedding_type(4, PLACES[-1][0] + 1, THETA**-2)
    queries = [example.rotate_query(_row(QUERY), m, embedding)[0, 2:] for m, _ in PLACES]
    keys = [example.rotate_key(_row(KEY), n, embedding)[0, 2:] for _, n in PLACES]
    right_half = np.array(
        [_right(q, k, *at) for q, k, at in zip(queries, keys, PLACES, strict=True)]
    ).T
    wrong = np.array([_wrong(q, k, *at) for q, k, at in zip(queries, keys, PLACES, strict=True)]).T
    factors = [QUERY * _turn(m) for m, _ in PLACES] + [KEY * _turn(n) for _, n in PLACES]
    still = (
        example.rotate_query(_row(QUERY), 0, embedding)
        @ example.rotate_key(_row(KEY), 0, embedding).T
    )
    products = [(QUERY * KEY.conjugate()).real, (QUERY * KEY).real]
    width_score, width_form, scale = _whole_row(example)
    return Evidence(
        values={
            "complex_query": [QUERY.real, QUERY.imag],
            "complex_key": [KEY.real, KEY.imag],
            "complex_theta": THETA,
            "complex_positions": [list(place) for place in PLACES],
            "conjugated_product": products[0],
            "plain_product": products[1],
            "complex_turned_query": np.array(queries),
            "complex_turned_key": np.array(keys),
            "complex_turned_back": _pair(QUERY / _turn(PLACES[0][0])),
            "complex_scores": right_half,
            "complex_wrong_scores": wrong,
            "complex_row_score": width_score,
            "complex_row_sum": width_form,
        },
        checks=(
            agree("conjugate-is-dot-product", still[0], products[:1], 1e-12),
            agree("turn-is-a-factor", [*queries, *keys], [*map(_pair, factors)], 1e-12),
            agree("four-forms-agree", right_half[1:], right_half[[0, 0, 0]], 1e-12),
            Check(
                "three-forms-differ",
                float(np.abs(wrong - right_half[[0, 0, 0]]).min()),
                0.1,
                wrong.size,
                "at least",
            ),
            differ("unconjugated-moves", wrong[2, :1], wrong[2, 1:], 0.1),
            agree("sum-over-pairs", [width_score], [width_form], example.tolerance(scale)),
        ),
    )


def _row(number: complex) -> Array:
    """A row of width 4 whose slow pair is the number."""
    return as_array([[0.0, 0.0, number.real, number.imag]])


def _pair(number: complex) -> list[float]:
    return [number.real, number.imag]


def _turn(positions: int) -> complex:
    """e^(i positions θ)."""
    return cmath.exp(1j * positions * THETA)


def _through(difference: int) -> float:
    """qᵀR(difference θ)k in real numbers, written out."""
    cosine, sine = math.cos(difference * THETA), math.sin(difference * THETA)
    (q0, q1), (k0, k1) = _pair(QUERY), _pair(KEY)
    return q0 * (cosine * k0 - sine * k1) + q1 * (sine * k0 + cosine * k1)


def _right(query: Array, key: Array, m: int, n: int) -> list[float]:
    """The four forms of the score, from the rotated pairs and from the complex numbers."""
    return [
        float(query @ key),
        _through(n - m),
        (QUERY * _turn(m) * (KEY * _turn(n)).conjugate()).real,
        (QUERY * KEY.conjugate() * _turn(m - n)).real,
    ]


def _wrong(query: Array, key: Array, m: int, n: int) -> list[float]:
    """Three forms that look alike: the sign, the partner, and the conjugate that is missing."""
    return [
        _through(m - n),
        (QUERY.conjugate() * KEY * _turn(m - n)).real,
        float(query[0] * key[0] - query[1] * key[1]),
    ]


def _whole_row(example: Example) -> tuple[float, float, float]:
    """A row of the example's width at (1,0): its score, the sum over its pairs, and a scale."""
    parameters = example.parameters
    query, key = (as_array(example.continued_to_width(row)) for row in (GENERIC_QUERY, GENERIC_KEY))
    embedding = example.embedding_for(parameters.feature_width, 2, parameters.base)
    turned = example.rotate_query(query[np.newaxis], 1, embedding)
    score = float((turned @ example.rotate_key(key[np.newaxis], 0, embedding).T)[0, 0])
    left_half, right_half = reference.partners(parameters.feature_width, parameters.layout)
    q, k = (row[left_half] + 1j * row[right_half] for row in (query, key))
    speeds = [
        reference.inverse_frequency(j, parameters.feature_width, parameters.base)
        for j in range(parameters.pairs)
    ]
    total = float((q * k.conj() * np.exp(1j * np.array(speeds))).real.sum())
    return score, total, float(np.linalg.norm(query) * np.linalg.norm(key))


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The note's path: a product, a factor, the forms of the score, all pairs."""
    return (
        table(
            t("Before any rotation:", "До всякого поворота:"),
            (
                *left(t("form", "запись")),
                *right(t("value", "значение")),
            ),
            (
                ("1·3 + 2·(-1) = Re(qk*)", evidence["conjugated_product"]),
                ("Re(qk)", evidence["plain_product"]),
            ),
        ),
        _turned_pairs(evidence),
        _forms(evidence),
        say(
            "The note counts m-n and the chapter n-m, and both are right: conjugating k "
            "turns its factor back, and so does the transpose in qᵀR((n-m)θ)k. The form "
            "qᵀR((m-n)θ)k is what code that turns clockwise computes. It too knows the "
            "difference alone, so a model that was trained with it works; its scores are "
            "other numbers. The last form is no score at all: an equal shift changes it.",
            "В заметке стоит m-n, в главе n-m, и верно и то и другое: сопряжение обращает "
            "поворот k, а в qᵀR((n-m)θ)k то же самое делает транспонирование. Форму "
            "qᵀR((m-n)θ)k вычислит код, который поворачивает по часовой стрелке. Она тоже "
            "зависит только от разности, и обученная с ней модель работает, просто оценки у "
            "неё "
            "другие. Последняя форма — вовсе не оценка: одинаковый сдвиг её меняет.",
        ),
        formula("(R(m)q)·(R(n)k) = Σ_j Re(q_j k_j* e^(i(m-n)θ_j))"),
        say(
            "A row of several pairs adds them up. For the rows without zeros at "
            "(m,n) = (1,0) the rotated rows score {score}, and the sum is {total}.",
            "Если пар несколько, слагаемые складываются. У строк без нулей при "
            "(m,n) = (1,0) оценка повёрнутых строк {score}, сумма {total}.",
            score=evidence["complex_row_score"],
            total=evidence["complex_row_sum"],
        ),
    )


def _turned_pairs(evidence: Evidence) -> Table:
    (m, n), _ = evidence["complex_positions"]
    return table(
        t(
            "A turn is one complex factor, here with θ = {theta} radians per position; the "
            "third line turns clockwise:",
            "Поворот — умножение на одно комплексное число; здесь θ = {theta} радиан на "
            "позицию, "
            "третья строка — поворот по часовой стрелке:",
            theta=evidence["complex_theta"],
        ),
        left(t("number", "число"), "[Re, Im]"),
        (
            (f"q e^({m}iθ) = R({m}θ)q", vector(evidence["complex_turned_query"][0])),
            (f"k e^({n}iθ) = R({n}θ)k", vector(evidence["complex_turned_key"][0])),
            (f"q e^(-{m}iθ) = R({m}θ)ᵀq", vector(evidence["complex_turned_back"])),
        ),
    )


def _forms(evidence: Evidence) -> Table:
    forms = [*((form, YES) for form in RIGHT_FORMS), *((form, NO) for form in WRONG_FORMS)]
    found = [*evidence["complex_scores"], *evidence["complex_wrong_scores"]]
    return table(
        t(
            "The score at two places with the same difference, m-n = +3 and n-m = -3:",
            "Оценка в двух местах с одной разностью, m-n = +3 и n-m = -3:",
        ),
        (
            *left(t("form", "запись")),
            *right(*(f"({m},{n})" for m, n in evidence["complex_positions"])),
            *left(t("the score?", "оценка?")),
        ),
        (
            (form, *map(Number, values), word)
            for (form, word), values in zip(forms, found, strict=True)
        ),
    )
