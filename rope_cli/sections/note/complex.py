"""Pairs as complex numbers: one factor rotates, one conjugate makes the score relative."""

from __future__ import annotations

import cmath
import math

import numpy as np

from rope_cli.document.blocks import Block, Signed, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import formula, left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY, Array, Example, as_array
from rope_cli.experiments.distances import key_rows, query_rows

TITLE = t("Pairs as complex numbers", "Пары как комплексные числа")
QUESTION = t(
    "A pair of coordinates can be read as one complex number: (1, 2) as q = 1+2i, (3, -1) as k = "
    "3-i. Which of these is the dot product of the two pairs: Re(qk) or Re(qk*)? The star denotes "
    "the complex conjugate.",
    "Пару координат можно прочесть как одно комплексное число: (1, 2) — как q = 1+2i, (3, -1) — "
    "как k = 3-i. Что из двух равно скалярному произведению этих пар: Re(qk) или Re(qk*)? "
    "Звёздочкой обозначено комплексное сопряжение.",
)

USES = frozenset({"feature_width", "base", "layout"})
CLAIMS = {
    "conjugate-is-dot-product": t(
        "at position 0 the dot product of the two pairs is Re(qk*)",
        "в позиции 0 скалярное произведение двух пар равно Re(qk*)",
    ),
    "euler-by-series": t(
        "the pair [1, 0] rotated by φ is e^(iφ), summed as a power series",
        "пара [1, 0], повёрнутая на φ, — это e^(iφ), вычисленное как сумма степенного ряда",
    ),
    "cosine-even-sine-odd": t(
        "the series at -φ has the same real part and the opposite imaginary part",
        "у ряда в точке -φ вещественная часть та же, а мнимая противоположна",
    ),
    "turn-is-a-factor": t(
        "rotating a pair by m·θ and multiplying its complex number by e^(imθ) give the same result",
        "поворот пары на m·θ и умножение её комплексного числа на e^(imθ) дают одно и то же",
    ),
    "three-steps-agree": t(
        "all three lines of the derivation are the same complex number, at both places",
        "все три строки вывода — одно и то же комплексное число, при обеих парах позиций",
    ),
    "four-forms-agree": t(
        "the first four forms give the same score, at (5,2) and at (8,5)",
        "первые четыре записи дают одну и ту же оценку и в (5,2), и в (8,5)",
    ),
    "three-forms-differ": t(
        "each of the other three forms differs from the score at both places",
        "каждая из остальных трёх записей отличается от оценки при обеих парах позиций",
    ),
    "unconjugated-moves": t(
        "without the conjugate the result is different at (5,2) and at (8,5)",
        "без сопряжения результат в (5,2) не тот, что в (8,5)",
    ),
    "sum-over-pairs": t(
        "the score of two whole rows is the sum of the complex form over their pairs",
        "оценка двух целых строк — сумма комплексных записей по всем парам",
    ),
}
QUERY, KEY, THETA = complex(1, 2), complex(3, -1), 0.7
PLACES = ((5, 2), (8, 5))
UNIT_ANGLES = (1, 2, 3)


def gather(example: Example) -> Evidence:
    """One pair at two places in every form, and a row of several pairs."""
    # Pair 1 of width 4 rotates by base^(-1/2) radians per position: this base makes it 0.7.
    embedding = example.embedding_type(4, PLACES[-1][0] + 1, THETA**-2)
    query, key = (as_array([[0.0, 0.0, *as_pair(number)]]) for number in (QUERY, KEY))
    places = ((0, 0), *PLACES)
    queries = np.array([example.rotate_query(query, m, embedding)[0, 2:] for m, _ in places])
    keys = np.array([example.rotate_key(key, n, embedding)[0, 2:] for _, n in places])
    return (
        _products_and_factors(queries, keys)
        + _unit_numbers(example)
        + _derivation(queries[1:], keys[1:])
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
            "complex_factor": as_pair(factor(PLACES[0][0])),
        },
        checks=(
            agree("conjugate-is-dot-product", [queries[0] @ keys[0]], [conjugated], 1e-12),
            agree("turn-is-a-factor", [*queries[1:], *keys[1:]], [*map(as_pair, products)], 1e-12),
        ),
    )


def _unit_numbers(example: Example) -> Evidence:
    """e^(iφ) as the pair [1, 0] rotated by φ, against the power series at φ and at -φ."""
    rotated = query_rows(example, [1.0, 0.0], UNIT_ANGLES, 1.0)
    forward = np.array([as_pair(exponential_series(1j * angle)) for angle in UNIT_ANGLES])
    backward = np.array([as_pair(exponential_series(-1j * angle)) for angle in UNIT_ANGLES])
    return Evidence(
        values={
            "unit_angles": list(UNIT_ANGLES),
            "unit_numbers": rotated,
            "unit_numbers_back": backward,
        },
        checks=(
            agree("euler-by-series", rotated, forward, 1e-12),
            agree("cosine-even-sine-odd", backward, rotated * [1.0, -1.0], 1e-12),
        ),
    )


def exponential_series(number: complex) -> complex:
    """1 + z + z^2/2! + z^3/3! + ...: no cosine and no sine is used."""
    return sum((number**power / math.factorial(power) for power in range(40)), 0j)


def _derivation(queries: Array, keys: Array) -> Evidence:
    """The product of rotated pairs, its factors gathered, and the factor of the difference."""
    places = list(zip(queries, keys, PLACES, strict=True))
    content = QUERY * KEY.conjugate()
    steps = [
        [complex(*query) * complex(*key).conjugate() for query, key, _ in places],
        [content * factor(m) * factor(-n) for m, n in PLACES],
        [content * factor(m - n) for m, n in PLACES],
    ]
    pairs = np.array([[as_pair(number) for number in step] for step in steps])
    expected = np.stack([pairs[0], pairs[0]])
    return Evidence(
        {"complex_steps": pairs}, (agree("three-steps-agree", pairs[1:], expected, 1e-12),)
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
    """The note's path: a product, a factor, the derivation, the forms of the score, all pairs."""
    return (
        _before_any_rotation(evidence),
        *_rotation_by_a_factor(evidence),
        *_derivation_in_three_lines(evidence),
        _forms(evidence),
        say(
            "The note writes m-n, the chapter n-m, and both are right: the conjugate changes the "
            "sign of k's angle, the transpose in qᵀR((n-m)θ)k that of q's. Code that "
            "rotates clockwise computes qᵀR((m-n)θ)k instead. That form, too, depends on the "
            "positions only through their difference, so a model trained with it works, although "
            "its scores are different. The last form is not a score at all: adding 3 to both "
            "positions changes it.",
            "В заметке стоит m-n, в главе — n-m, и верно и то и другое: сопряжение меняет знак "
            "угла у k, а транспонирование в записи qᵀR((n-m)θ)k — у q. Код, который "
            "поворачивает по часовой стрелке, вычисляет qᵀR((m-n)θ)k. И это выражение зависит от "
            "позиций только через их разность, поэтому модель, обученная с ним, работает, хотя "
            "оценки у неё другие. Последняя же запись оценкой не является: если к обеим позициям "
            "прибавить 3, её значение меняется.",
        ),
        formula("(R(m)q)·(R(n)k) = Σ_j Re(q_j k_j* e^(i(m-n)θ_j))"),
        say(
            "A row of d numbers is d/2 pairs, each with a speed θ_j = b^(-2j/d) of its own; R(m) "
            "rotates pair j by m·θ_j, and the score adds the pairs up. Take d and b of this "
            "report, q = [1, 2, -0.5, 0.75] and k = [0.3, -1, 2, 0.25] (a wider row repeats these "
            "four numbers): the rotated rows give {score} at (m,n) = (1,0), and the sum over pairs "
            "gives {total}.",
            "Строка из d чисел — это d/2 пар, и у каждой своя скорость θ_j = b^(-2j/d); R(m) "
            "поворачивает пару j на m·θ_j, а оценка складывается из вкладов всех пар. Возьмём d и "
            "b этого отчёта, q = [1, 2, -0.5, 0.75] и k = [0.3, -1, 2, 0.25] (в более широкой "
            "строке эти четыре числа повторяются). Повёрнутые строки дают при (m,n) = (1,0) оценку "
            "{score}, и сумма по парам равна {total}.",
            score=evidence["complex_row_score"],
            total=evidence["complex_row_sum"],
        ),
    )


def _before_any_rotation(evidence: Evidence) -> Table:
    return table(
        t(
            "The dot product of (1, 2) and (3, -1), and two products of q = 1+2i and k = 3-i:",
            "Скалярное произведение (1, 2) и (3, -1) и два произведения чисел q = 1+2i и k = 3-i:",
        ),
        (*left(t("form", "запись")), *right(t("value", "значение"))),
        (
            ("1·3 + 2·(-1)", evidence["conjugated_product"]),
            ("Re(qk*)", evidence["conjugated_product"]),
            ("Re(qk)", evidence["plain_product"]),
        ),
    )


def _rotation_by_a_factor(evidence: Evidence) -> tuple[Block, ...]:
    (m, n), _ = evidence["complex_positions"]
    return (
        say(
            "Write R(φ) for the matrix with the rows [cos φ, -sin φ] and [sin φ, cos φ]: it "
            "rotates a pair counter-clockwise by φ. It takes the pair [1, 0] to [cos φ, sin φ], "
            "and this pair, read as one complex number, is e^(iφ) (Euler's formula). At φ = 1 it "
            "is a single number, {real} + {imaginary}i. Rotating by -φ instead gives the mirror "
            "image in the horizontal axis: the first coordinate stays and the second changes its "
            "sign. That is why the cosine is even, the sine is odd, and e^(-iφ) is the conjugate "
            "of e^(iφ).",
            "Пусть R(φ) — матрица со строками [cos φ, -sin φ] и [sin φ, cos φ]: она поворачивает "
            "пару на угол φ против часовой стрелки. Пара [1, 0] переходит в [cos φ, sin φ], а это, "
            "если прочесть пару как комплексное число, и есть e^(iφ) (формула Эйлера). При "
            "φ = 1 это одно число: {real} + {imaginary}i. Поворот на -φ приводит в точку, "
            "симметричную относительно горизонтальной оси: первая координата та же, у второй "
            "другой знак. Поэтому косинус — чётная функция, синус — нечётная, а число e^(-iφ) "
            "сопряжено с e^(iφ).",
            real=evidence["unit_numbers"][0][0],
            imaginary=evidence["unit_numbers"][0][1],
        ),
        _unit_table(evidence),
        table(
            t(
                "Multiplying by e^(imθ) rotates a pair by m·θ, here with θ = 0.7 radians per "
                "position. The last line rotates clockwise:",
                "Умножение на e^(imθ) поворачивает пару на m·θ; здесь θ равна 0.7 радиана на "
                "позицию. В последней строке поворот по часовой стрелке:",
            ),
            left(t("number", "число"), "[Re, Im]"),
            (
                (f"e^({m}iθ)", vector(evidence["complex_factor"])),
                (f"q e^({m}iθ) = R({m}θ)q", vector(evidence["complex_turned_query"][0])),
                (f"k e^({n}iθ) = R({n}θ)k", vector(evidence["complex_turned_key"][0])),
                (f"q e^(-{m}iθ) = R({m}θ)ᵀq", vector(evidence["complex_turned_back"])),
            ),
        ),
    )


def _unit_table(evidence: Evidence) -> Table:
    rows = zip(
        evidence["unit_angles"],
        evidence["unit_numbers"],
        evidence["unit_numbers_back"],
        strict=True,
    )
    return table(
        t(
            "e^(iφ) for angles φ and -φ, in radians:",
            "e^(iφ) для углов φ и -φ, в радианах:",
        ),
        right("φ", "Re = cos φ", "Im = sin φ"),
        (
            (str(sign * angle), *pair)
            for angle, *both in rows
            for sign, pair in zip((1, -1), both, strict=True)
        ),
    )


def _derivation_in_three_lines(evidence: Evidence) -> tuple[Block, ...]:
    steps = (
        "(q e^(imθ)) (k e^(inθ))*",
        "= q k* e^(imθ) e^(-inθ)",
        "= q k* e^(i(m-n)θ)",
    )
    return (
        say(
            "Which f makes the dot product of f(q, m) and f(k, n) depend on the positions only "
            "through m-n? RoFormer begins with this question (Su et al., 2021, arXiv 2104.09864), "
            "and f(q, m) = q e^(imθ) is its answer. Three lines prove it. The conjugate reverses "
            "the key's rotation, exponents add, and only the difference is left; in real numbers "
            "the same three steps read R(mθ)ᵀR(nθ) = R(-mθ)R(nθ) = R((n-m)θ).",
            "При какой функции f скалярное произведение f(q, m) и f(k, n) зависит от позиций "
            "только через m-n? С этого вопроса начинается статья о RoFormer (Su и др., 2021, arXiv "
            "2104.09864), и её ответ — f(q, m) = q e^(imθ). Доказательство умещается в три строки. "
            "Сопряжение обращает поворот ключа, показатели складываются, остаётся одна разность; в "
            "вещественных числах те же шаги выглядят так: R(mθ)ᵀR(nθ) = R(-mθ)R(nθ) = R((n-m)θ).",
        ),
        table(
            t(
                "The three lines at two places, each a complex number [Re, Im]. Its real part is "
                "the score, the dot product of the two rotated pairs:",
                "Эти три строки при двух парах позиций; каждое комплексное число записано как [Re, "
                "Im]. Вещественная часть — это оценка, скалярное произведение двух повёрнутых пар:",
            ),
            left(
                t("step", "шаг"),
                *(f"(m,n) = ({m},{n})" for m, n in evidence["complex_positions"]),
            ),
            (
                (step, *map(vector, numbers))
                for step, numbers in zip(steps, evidence["complex_steps"], strict=True)
            ),
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
    (m, n), _ = evidence["complex_positions"]
    scores = (*evidence["complex_scores"], *evidence["complex_wrong_scores"])
    return table(
        t(
            "Seven forms at two places with the same difference, m-n = {before} and n-m = {after}:",
            "Семь записей при двух парах позиций с одной и той же разностью (m-n = {before}, n-m = "
            "{after}):",
            before=Signed(m - n),
            after=Signed(n - m),
        ),
        (
            *left(t("form", "запись")),
            *right(*(f"({m},{n})" for m, n in evidence["complex_positions"])),
            *left(t("the score?", "это оценка?")),
        ),
        ((form, *by_place, word) for (form, word), by_place in zip(forms, scores, strict=True)),
    )
