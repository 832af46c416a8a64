"""Why a rotation: from the wish for scores that depend on n-m to planes and speeds."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Column, Short, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import formula, left, right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY, Array, Example, as_array

TITLE = t("Why a rotation", "Почему поворот")
QUESTION = t(
    "A matrix A(m) that changes no length writes position m into a row, and A(0) changes nothing. "
    "The score of A(m)q and A(n)k may depend on the positions only through n-m. How many of the "
    "matrices A(1), A(2), A(3), ... can still be chosen freely?",
    "Позицию m вносит в строку матрица A(m), не меняющая длин; A(0) не меняет ничего. Оценка строк "
    "A(m)q и A(n)k должна зависеть от позиций только через n-m. Сколько матриц из A(1), A(2), "
    "A(3), ... ещё можно выбрать свободно?",
)

CLAIMS = {
    "rotation-fits": t(
        "the scores of the rotated rows are qᵀR(n-m)k, by formula",
        "оценки повёрнутых строк равны qᵀR(n-m)k, вычисленному по формуле",
    ),
    "others-miss": t(
        "an added vector and a factor score differently at (1,0) and (3,2)",
        "прибавленный вектор и множитель дают в (1,0) и (3,2) разные оценки",
    ),
    "rotated-length": t(
        "at position 3 the rotated query is as long as before",
        "повёрнутый запрос в позиции 3 той же длины, что и до поворота",
    ),
    "difference-alone": t(
        "for m and n from 0 to 5, A(m)ᵀA(n) is the rotation by n-m positions",
        "при m и n от 0 до 5 матрица A(m)ᵀA(n) — поворот на n-m позиций",
    ),
    "positions-add": t("A(2)A(3) is A(5)", "A(2)A(3) равно A(5)"),
    "powers": t(
        "for m from 0 to 5, A(m) is the m-th power of A(1)",
        "при m от 0 до 5 матрица A(m) — это A(1) в степени m",
    ),
    "free-choice-misses": t(
        "with another A(2) the scores at (2,1) and (1,0) differ",
        "при другой A(2) оценки в (2,1) и (1,0) различаются",
    ),
    "planes-and-speeds": t(
        "A(1) rotates its planes by 1 and by 0.1 radians, tilted or not",
        "A(1) поворачивает свои плоскости на 1 и 0.1 радиана, наклонены они или нет",
    ),
    "planes-keep-difference": t(
        "in all planes shown the score at (3,2) is that at (1,0)",
        "во всех показанных плоскостях оценка в (3,2) та же, что в (1,0)",
    ),
    "tilted-planes": t(
        "in tilted planes, tilted rows have the scores of the rows themselves",
        "в наклонённых плоскостях у наклонённых строк те же оценки, что у прежних строк в "
        "координатных плоскостях",
    ),
}

QUERY, KEY = (2.0, 1.0), (-1.0, 3.0)
PLACES = ((1, 0), (3, 2), (0, 1))
WAYS = ("x", "x + [sin m, cos m]", "2^(-m) x", "R(m) x")
FARTHEST = 5
# Radians for position 2, where the rule leaves no choice but 2.
OTHER_SECOND_ANGLE = 1.5
# Orthogonal and its own inverse; its columns span planes that no two coordinates span.
TILT = 0.5 * as_array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])
WIDTH, BASE = 4, 100.0


def unchanged(row: Array, position: int) -> Array:
    """The row, whatever its position."""
    return row


def with_vector(row: Array, position: int) -> Array:
    """A vector that tells the position, added to the row."""
    return row + as_array([math.sin(position), math.cos(position)])


def with_factor(row: Array, position: int) -> Array:
    """The row halved for every position."""
    return row * 2.0**-position


def gather(example: Example) -> Evidence:
    """Four ways beside the wish, then what the wish leaves: one step, its planes and speeds."""
    return compare_ways(example) + repeat_one_step(example) + tilt_planes(example)


def compare_ways(example: Example) -> Evidence:
    """The scores of four ways of writing a position into a row, and the length at position 3."""
    query, key = as_array(QUERY), as_array(KEY)
    others = (unchanged, with_vector, with_factor)
    scores = [[float(way(query, m) @ way(key, n)) for m, n in PLACES] for way in others]
    rotated = [example.score(QUERY, KEY, m, n) for m, n in PLACES]
    expected = [
        reference.scores(as_array([QUERY]), [m], as_array([KEY]), [n], 1.0)[0, 0] for m, n in PLACES
    ]
    pair = example.embedding_for(2, 4, BASE)
    rows = [*(way(query, 3) for way in others), example.rotate_query(query[None], 3, pair)[0]]
    missed = [abs(score[0] - score[1]) for score in scores[1:]]
    return Evidence(
        values={
            "way_places": [list(place) for place in PLACES],
            "way_scores": [*scores, rotated],
            "way_lengths": [math.hypot(*row) for row in rows],
        },
        checks=(
            agree("rotation-fits", rotated, expected, 1e-12),
            Check("others-miss", min(missed), 0.1, 2 * len(missed), "at least"),
            agree("rotated-length", math.hypot(*rows[3]), math.hypot(*QUERY), 1e-12),
        ),
    )


def position_matrix(example: Example, position: int, width: int = WIDTH) -> Array:
    """The matrix that rotates a query to a position; its columns are the rotated unit rows."""
    embedding = example.embedding_for(width, FARTHEST + 1, BASE)
    return example.rotate_query(np.eye(width)[:, np.newaxis], position, embedding)[:, 0].T


def repeat_one_step(example: Example) -> Evidence:
    """A(m) as the power of A(1), and what another A(2) does to the scores."""
    steps = range(FARTHEST + 1)
    matrices = [position_matrix(example, m) for m in steps]
    pairwise = [matrices[m].T @ matrices[n] for m in steps for n in steps]
    by_difference = [reference.rotation_matrix(n - m, WIDTH, BASE) for m in steps for n in steps]
    powers = [np.linalg.matrix_power(matrices[1], m) for m in steps]
    small = [position_matrix(example, m, 2) for m in steps]
    cosine, sine = math.cos(OTHER_SECOND_ANGLE), math.sin(OTHER_SECOND_ANGLE)
    query, key = as_array(QUERY), as_array(KEY)
    other = as_array([[cosine, -sine], [sine, cosine]]) @ query @ (small[1] @ key)
    score = example.score(QUERY, KEY, 1, 0)
    return Evidence(
        values={
            "step_product": small[2] @ small[3],
            "step_sum": small[5],
            "other_second_angle": OTHER_SECOND_ANGLE,
            "other_second_score": float(other),
        },
        checks=(
            agree("difference-alone", pairwise, by_difference, 1e-12),
            agree("positions-add", matrices[2] @ matrices[3], matrices[5], 1e-12),
            agree("powers", powers, matrices, 1e-12),
            differ("free-choice-misses", [other], [score], 0.1),
        ),
    )


def tilt_planes(example: Example) -> Evidence:
    """The same two speeds in the planes of the coordinates and in planes tilted by an orthogonal B.

    Tilted, A(m) is B R(m) Bᵀ.
    """
    query, key = as_array(GENERIC_QUERY), as_array(GENERIC_KEY)
    bases = (np.eye(WIDTH), TILT, TILT)
    rows = ((query, key), (query, key), (TILT @ query, TILT @ key))
    scores, angles = [], []
    for planes, (q, k) in zip(bases, rows, strict=True):
        matrices = [planes @ position_matrix(example, m) @ planes.T for m in range(4)]
        scores.append([float((matrices[m] @ q) @ (matrices[n] @ k)) for m, n in PLACES[:2]])
        coordinates = planes.T @ matrices[1] @ planes
        angles.append(
            [math.atan2(coordinates[j + 1, j], coordinates[j, j]) for j in range(0, WIDTH, 2)]
        )
    theta = [reference.inverse_frequency(pair, WIDTH, BASE) for pair in range(WIDTH // 2)]
    expected = reference.scores(query[None], [1], key[None], [0], BASE)[0, 0]
    kept = [*scores[0], *scores[2]]
    return Evidence(
        values={"plane_scores": scores, "plane_angles": angles, "plane_tilt": TILT},
        checks=(
            agree("planes-and-speeds", angles, [theta] * 3, 1e-12),
            agree(
                "planes-keep-difference",
                [later for _, later in scores],
                [earlier for earlier, _ in scores],
                1e-12,
            ),
            agree("tilted-planes", kept, [expected] * len(kept), 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The wish, four ways that do or do not meet it, and what follows from it."""
    return (
        say(
            "The dot product of two rows is the same wherever they are: for q = [2, 1] and k = "
            "[-1, 3] it is {plain} at every pair of positions. Attention that compares such rows "
            "and hides none of them gives each token the same output in whatever order the "
            "tokens come, so the position has to be written into the rows. Su et al. (2021, "
            "arXiv 2104.09864) ask for a way f of writing it that makes the score depend on the "
            "content (the numbers of q and k themselves) and on n-m, and on nothing else. In the "
            "formula below q and k are columns, and ᵀ, which exchanges rows and columns, makes the "
            "dot product of two columns a product of matrices:",
            "Скалярное произведение двух строк не зависит от того, где они стоят: для q = [2, 1] "
            "и k = [-1, 3] оно равно {plain} при любых позициях. Если внимание сравнивает "
            "такие строки и ни одной не скрывает, выход каждого токена не зависит от порядка "
            "токенов, поэтому позицию нужно внести в сами строки. Су и соавторы "
            "(2021, arXiv 2104.09864) ищут такой способ f, при котором оценка зависит от "
            "содержимого (самих чисел q и k) и от n-m, и больше ни от чего. В формуле ниже q и k "
            "— столбцы, а знак ᵀ меняет местами строки и столбцы: так скалярное произведение "
            "столбцов становится произведением матриц:",
            plain=Short(evidence["way_scores"][0][0]),
        ),
        formula("f(q,m)ᵀ f(k,n) = g(q, k, n-m)"),
        table_of_ways(evidence),
        *what_the_ways_show(evidence),
        *derivation(),
        only_the_first_step_is_free(evidence),
        *planes_and_speeds(evidence),
    )


def table_of_ways(evidence: Evidence) -> Table:
    """The score of each way at three pairs of positions."""
    columns = zip(*evidence["way_scores"], strict=True)
    return table_by_columns(
        t(
            "Four ways of writing position m into q and k, their scores at three pairs (m,n), and "
            "the length of the query at position 3:",
            "Четыре способа внести позицию m в q и k, оценки при трёх парах (m,n) и длина запроса "
            "в позиции 3:",
        ),
        (Column("f(x,m)"), WAYS),
        *((f"({m},{n})", scores) for (m, n), scores in zip(PLACES, columns, strict=True)),
        ("|f(q,3)|", evidence["way_lengths"]),
    )


def what_the_ways_show(evidence: Evidence) -> tuple[Block, ...]:
    """Which way meets the wish."""
    _, added, scaled, rotated = evidence["way_scores"]
    return (
        say(
            "At (1,0) and at (3,2) the difference n-m is -1, so the two scores should be equal. "
            "The added vector gives {added} and {added_later}, the factor {scaled} and "
            "{scaled_later}: both fail this test. The row left alone passes it, but only because "
            "its score depends on no position at all. The rotation gives {rotated} twice, {later} "
            "at (0,1), where n-m is +1, and it keeps the length {length}. Could anything else "
            "have done it?",
            "В (1,0) и в (3,2) разность n-m равна -1, так что и оценки должны совпасть. "
            "Прибавленный вектор даёт {added} и {added_later}, множитель — {scaled} и "
            "{scaled_later}: оба не годятся. Нетронутая строка годится, но лишь потому, что её "
            "оценка вообще не зависит от позиций. Поворот оба раза даёт {rotated}, а в (0,1), где "
            "n-m равна +1, уже {later}, и длина {length} при нём не меняется. Мог бы подойти и "
            "другой способ?",
            added=added[0],
            added_later=added[1],
            scaled=Short(scaled[0]),
            scaled_later=Short(scaled[1]),
            rotated=rotated[0],
            later=rotated[2],
            length=evidence["way_lengths"][3],
        ),
    )


def derivation() -> tuple[Block, ...]:
    """From the wish to powers of one matrix."""
    return (
        say(
            "Let f be linear in the content: f(x,m) = A(m)x, with a matrix A(m) and x as a column. "
            "Let it change no length, which means A(m)ᵀA(m) = I, where I is the identity matrix, "
            "which changes nothing. Let nothing change at position 0, A(0) = I. The score is then "
            "qᵀA(m)ᵀA(n)k, and it depends on n-m alone for all q and k only if the matrix in the "
            "middle does:",
            "Пусть способ f линеен по содержимому: f(x,m) = A(m)x, где A(m) — матрица, а x — "
            "столбец. Пусть он не меняет длин, то есть A(m)ᵀA(m) = I, где I — единичная матрица, "
            "которая ничего не меняет. Пусть и в позиции 0 ничего не меняется: A(0) = I. Тогда "
            "оценка равна qᵀA(m)ᵀA(n)k. Чтобы при любых q и k она зависела только от n-m, только "
            "от этой разности должна зависеть и матрица в середине:",
        ),
        formula("A(m)ᵀ A(n) = G(n-m)"),
        say(
            "At m = 0 this says A(n) = G(n), so G is A. Multiply by A(m), which A(m)ᵀ undoes:",
            "При m = 0 отсюда A(n) = G(n), то есть G — это сама A. Умножим слева на A(m), обратную "
            "к A(m)ᵀ:",
        ),
        formula("A(n) = A(m) A(n-m)"),
        say(
            "This holds for every n. Put m+n in place of n: the difference from m is then n, and "
            "the line gives the matrix of a sum of two positions. Position m is a sum of m ones, "
            "so its matrix is the m-th power of A(1):",
            "Это верно при любом n. Поставим на его место m+n: разность с m равна n, и равенство "
            "показывает, какая матрица отвечает сумме двух позиций. А если сложить m единичных "
            "шагов, матрица окажется степенью:",
        ),
        formula("A(m+n) = A(m) A(n),  A(m) = A(1)^m"),
    )


def only_the_first_step_is_free(evidence: Evidence) -> Block:
    """What adding positions leaves open."""
    return say(
        "Where positions add, matrices multiply. Only A(1) is free: every further position repeats "
        "that step. In one pair that rotates by 1 radian per position, the first row of A(2)A(3) "
        "is {product}, and so is the first row of A(5). Were A(2) a rotation by {angle} radians, "
        "the score at (2,1) would be {other} and no longer that of (1,0), {score}.",
        "Позиции складываются — матрицы перемножаются. Свободна только A(1): каждая следующая "
        "позиция повторяет тот же шаг. Для пары, которая поворачивается на 1 радиан за "
        "позицию, первая строка произведения A(2)A(3) равна {product}, и такова же первая "
        "строка A(5). Будь A(2) поворотом на {angle} радиана, оценка в (2,1) равнялась бы "
        "{other}, а не {score}, как в (1,0).",
        product=vector(evidence["step_product"][0]),
        angle=Short(evidence["other_second_angle"]),
        other=evidence["other_second_score"],
        score=evidence["way_scores"][3][0],
    )


def planes_and_speeds(evidence: Evidence) -> tuple[Block, ...]:
    """What A(1) can be, and why the planes of the coordinates will do."""
    return (
        say(
            "And A(1)? A matrix that changes no length splits the space into perpendicular "
            "planes, which it rotates, and single directions, which it keeps or reverses. If "
            "half a position makes sense, A(1) is the square of A(1/2). Its determinant, whose "
            "sign every reversed direction changes, is then 1, so reversed directions come in "
            "twos: a plane rotated by half a circle. For an even width d that leaves d/2 planes, "
            "each rotated at its own speed.",
            "Какой может быть A(1)? Матрица, не меняющая длин, разбивает пространство на "
            "перпендикулярные плоскости, которые она поворачивает, и отдельные направления, "
            "которые она сохраняет или обращает. Если имеет смысл и половина позиции, то A(1) — "
            "квадрат матрицы A(1/2). Тогда её определитель, у которого каждое обращённое "
            "направление меняет знак, равен 1, и обращённых направлений чётное число: два таких — "
            "это плоскость, повёрнутая на пол-оборота. При чётной ширине d остаются d/2 "
            "плоскостей, и у каждой своя скорость.",
        ),
        formula("B = 1/2 [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]"),
        table_of_planes(evidence),
        say(
            "In both kinds of planes the score depends on the positions only through n-m, and rows "
            "tilted along with the planes have the scores of rows left in place. A model learns "
            "the matrices that make its queries and keys, tilts included, so RoPE takes the planes "
            "at hand: two coordinates to a plane, called a pair. What remains to be chosen is the "
            "speed of each pair.",
            "И там и там оценка зависит только от n-m, а строки, наклонённые вместе с плоскостями, "
            "дают прежние оценки. Матрицы, которые превращают строку токена в запрос и ключ, "
            "модель выучивает сама, вместе с любым наклоном. Поэтому в RoPE взяты готовые "
            "плоскости: по две координаты на плоскость, такие две координаты и называют парой. "
            "Остаётся выбрать скорость каждой пары.",
        ),
    )


def table_of_planes(evidence: Evidence) -> Table:
    """Two scores of one difference in each kind of planes, and the angles of one step."""
    straight = t("of the coordinates", "координатные")
    tilted = t("tilted", "наклонённые")
    return table(
        t(
            "Rows without zeros, q = [1, 2, -0.5, 0.75] and k = [0.3, -1, 2, 0.25], in the planes "
            "of the coordinates, A(m) = R(m), and in planes tilted by B, A(m) = B R(m) Bᵀ:",
            "Строки без нулей, q = [1, 2, -0.5, 0.75] и k = [0.3, -1, 2, 0.25], в координатных "
            "плоскостях, A(m) = R(m), и в плоскостях, наклонённых матрицей B, A(m) = B R(m) Bᵀ:",
        ),
        (
            *left(t("planes", "плоскости"), t("rows", "строки")),
            *right("(1,0)", "(3,2)"),
            *left(t("angles of A(1), rad", "углы A(1), рад")),
        ),
        (
            (plane, rows, *scores, vector(angles))
            for plane, rows, scores, angles in zip(
                (straight, tilted, tilted),
                ("q, k", "q, k", "Bq, Bk"),
                evidence["plane_scores"],
                evidence["plane_angles"],
                strict=True,
            )
        ),
    )
