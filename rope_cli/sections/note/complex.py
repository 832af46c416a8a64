"""The complex-number view: four equal forms of one score, and three that are not it."""

from __future__ import annotations

import cmath
import math

import numpy as np

from rope_cli.document.blocks import Block, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import formula, left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY, Array, Example, as_array
from rope_cli.experiments.distances import key_rows, query_rows

TITLE = t("The complex-number view", "Комплексная запись")
QUESTION = t(
    "Read a pair of coordinates as one complex number: q = 1+2i, k = 3-i. Which of the two is "
    "their dot product, Re(qk) or Re(qk*)? The star means the complex conjugate.",
    "Прочтём пару координат как одно комплексное число: q = 1+2i, k = 3-i. Какое из двух чисел "
    "равно их скалярному произведению, Re(qk) или Re(qk*)? Звёздочка — знак "
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


def gather(example: Example) -> Evidence:
    """One pair at two places in every form, and a row of several pairs."""
    # Pair 1 of width 4 turns by base^(-1/2) radians per position: this base makes it 0.7.
    embedding = example.embedding_type(4, PLACES[-1][0] + 1, THETA**-2)
    query, key = (as_array([[0.0, 0.0, *as_pair(number)]]) for number in (QUERY, KEY))
    places = ((0, 0), *PLACES)
    queries = np.array([example.rotate_query(query, m, embedding)[0, 2:] for m, _ in places])
    keys = np.array([example.rotate_key(key, n, embedding)[0, 2:] for _, n in places])
    return (
        _products_and_factors(queries, keys)
        + _forms_of_the_score(queries[1:], keys[1:])
        + _row_of_pairs(example)
    )


def as_pair(number: complex) -> list[float]:
    """The real and the imaginary part: a pair of coordinates."""
    return [number.real, number.imag]


def factor(positions: int) -> complex:
    """e^(i positions θ)."""
    return cmath.exp(1j * positions * THETA)


def _products_and_factors(queries: Array, keys: Array) -> Evidence:
    """The product before any rotation; rotated pairs and complex factors beside each other."""
    conjugated = (QUERY * KEY.conjugate()).real
    products = [*(QUERY * factor(m) for m, _ in PLACES), *(KEY * factor(n) for _, n in PLACES)]
    return Evidence(
        values={
            "complex_query": as_pair(QUERY),
            "complex_key": as_pair(KEY),
            "complex_theta": THETA,
            "complex_positions": [list(place) for place in PLACES],
            "conjugated_product": conjugated,
            "plain_product": (QUERY * KEY).real,
            "complex_turned_query": queries[1:],
            "complex_turned_key": keys[1:],
            "complex_turned_back": as_pair(QUERY / factor(PLACES[0][0])),
        },
        checks=(
            agree("conjugate-is-dot-product", [queries[0] @ keys[0]], [conjugated], 1e-12),
            agree("turn-is-a-factor", [*queries[1:], *keys[1:]], [*map(as_pair, products)], 1e-12),
        ),
    )


def _forms_of_the_score(queries: Array, keys: Array) -> Evidence:
    """Four equal forms; then the wrong sign, the wrong partner, and the missing conjugate."""
    places = list(zip(queries, keys, PLACES, strict=True))
    scores = [
        [query @ key for query, key, _ in places],
        [real_form(n - m) for m, n in PLACES],
        [(QUERY * factor(m) * (KEY * factor(n)).conjugate()).real for m, n in PLACES],
        [(QUERY * KEY.conjugate() * factor(m - n)).real for m, n in PLACES],
    ]
    others = [
        [real_form(m - n) for m, n in PLACES],
        [(QUERY.conjugate() * KEY * factor(m - n)).real for m, n in PLACES],
        [query[0] * key[0] - query[1] * key[1] for query, key, _ in places],
    ]
    least = np.abs(np.array(others) - scores[0]).min()
    return Evidence(
        values={"complex_scores": np.array(scores), "complex_wrong_scores": np.array(others)},
        checks=(
            agree("four-forms-agree", scores[1:], scores[:1] * 3, 1e-12),
            Check("three-forms-differ", float(least), 0.1, np.size(others), "at least"),
            differ("unconjugated-moves", others[2][:1], others[2][1:], 0.1),
        ),
    )


def real_form(difference: int) -> float:
    """qᵀR(difference θ)k in real numbers, written out."""
    cosine, sine = math.cos(difference * THETA), math.sin(difference * THETA)
    (q0, q1), (k0, k1) = as_pair(QUERY), as_pair(KEY)
    return q0 * (cosine * k0 - sine * k1) + q1 * (sine * k0 + cosine * k1)


def _row_of_pairs(example: Example) -> Evidence:
    """A row of the example's width at (1,0): its score, and the sum over its pairs."""
    width, base = example.parameters.feature_width, example.parameters.base
    query, key = (as_array(example.continued_to_width(row)) for row in (GENERIC_QUERY, GENERIC_KEY))
    scores = query_rows(example, query, [1], base) @ key_rows(example, key, [0], base).T
    firsts, seconds = reference.partners(width, example.parameters.layout)
    query_pairs, key_pairs = (row[firsts] + 1j * row[seconds] for row in (query, key))
    factors = np.exp(1j * reference.angles(1, width, base))
    score, total = float(scores[0, 0]), float((query_pairs * key_pairs.conj() * factors).real.sum())
    tolerance = example.tolerance(float(np.linalg.norm(query) * np.linalg.norm(key)))
    return Evidence(
        values={"complex_row_score": score, "complex_row_sum": total},
        checks=(agree("sum-over-pairs", [score], [total], tolerance),),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The note's path: a product, a factor, the forms of the score, all pairs."""
    return (
        table(
            t("Before any rotation:", "До всякого поворота:"),
            (*left(t("form", "запись")), *right(t("value", "значение"))),
            (
                ("1·3 + 2·(-1) = Re(qk*)", evidence["conjugated_product"]),
                ("Re(qk)", evidence["plain_product"]),
            ),
        ),
        _factors(evidence),
        _forms(evidence),
        say(
            "The note counts m-n and the chapter n-m, and both are right: conjugating k turns its "
            "factor back, and so does the transpose in qᵀR((n-m)θ)k. The form qᵀR((m-n)θ)k is what "
            "code that turns clockwise computes. It too knows the difference alone, so a model "
            "that was trained with it works; its scores are other numbers. The last form is no "
            "score at all: an equal shift changes it.",
            "В заметке стоит m-n, в главе n-m, и верно и то и другое: сопряжение обращает поворот "
            "k, а в qᵀR((n-m)θ)k то же самое делает транспонирование. Форму qᵀR((m-n)θ)k вычислит "
            "код, который поворачивает по часовой стрелке. Она тоже зависит только от разности, и "
            "обученная с ней модель работает, просто оценки у неё другие. Последняя форма — вовсе "
            "не оценка: одинаковый сдвиг её меняет.",
        ),
        formula("(R(m)q)·(R(n)k) = Σ_j Re(q_j k_j* e^(i(m-n)θ_j))"),
        say(
            "A row of several pairs adds them up. For the rows without zeros at (m,n) = (1,0) the "
            "rotated rows score {score}, and the sum is {total}.",
            "Если пар несколько, слагаемые складываются. У строк без нулей при (m,n) = (1,0) "
            "оценка повёрнутых строк {score}, сумма {total}.",
            score=evidence["complex_row_score"],
            total=evidence["complex_row_sum"],
        ),
    )


def _factors(evidence: Evidence) -> Table:
    (m, n), _ = evidence["complex_positions"]
    return table(
        t(
            "A turn is one complex factor, here with θ = {theta} radians per position; the third "
            "line turns clockwise:",
            "Поворот — умножение на одно комплексное число; здесь θ = {theta} радиан на позицию, "
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
    yes, no = t("yes", "да"), t("no", "нет")
    forms = (
        ("(R(mθ)q)·(R(nθ)k)", yes),
        ("qᵀR((n-m)θ)k", yes),
        ("Re(q e^(imθ) (k e^(inθ))*)", yes),
        ("Re(q k* e^(i(m-n)θ))", yes),
        ("qᵀR((m-n)θ)k", no),
        ("Re(q* k e^(i(m-n)θ))", no),
        ("Re(q e^(imθ) k e^(inθ))", no),
    )
    scores = (*evidence["complex_scores"], *evidence["complex_wrong_scores"])
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
        ((form, *by_place, word) for (form, word), by_place in zip(forms, scores, strict=True)),
    )
