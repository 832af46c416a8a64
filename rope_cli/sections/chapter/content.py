"""What else a score depends on: content, every speed, and how much of a head rotates."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Column, Short, Signed, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import say, t, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import (
    FIRST_COLUMN,
    GENERIC_KEY,
    GENERIC_QUERY,
    TOKEN_QUERIES,
    Array,
    Example,
    as_array,
)
from rope_cli.rope import attention
from rope_cli.sections.chapter.dot_products import signed_matrix

TITLE = t("The same difference, other rows", "Та же разность, другие строки")
QUESTION = t(
    "Four queries and four keys are compared, each time at (m,n) = (1,0), so n-m is always -1. Do "
    "they all have the same score?",
    "Четыре запроса сравнивают с четырьмя ключами, каждый раз при (m,n) = (1,0), так что n-m "
    "всегда равна -1. Одинаковы ли оценки?",
)

CLAIMS = {
    "contents-by-formula": t(
        "each score is qᵀR((n-m)·θ)k of its own content",
        "каждая оценка равна qᵀR((n-m)·θ)k для своего содержимого",
    ),
    "contents-spread": t(
        "at one n-m the largest and the smallest score are far apart",
        "при одной и той же n-m наибольшая и наименьшая оценки далеки друг от друга",
    ),
    "frequencies-count": t(
        "at one content and one n-m the score is the sum of cos θ_j over all pairs",
        "при одном содержимом и одной n-m оценка равна сумме cos θ_j по всем парам",
    ),
    "diagonals-differ": t(
        "with three different rows no diagonal holds one value",
        "при трёх разных строках диагонали не постоянны",
    ),
    "content-keeps-under-shift": t(
        "an equal shift keeps the dot products of the three rows too",
        "одинаковый сдвиг сохраняет и произведения трёх разных строк",
    ),
    "part-rotated": t(
        "with one pair rotated, its part of the score is that of the formula at every n-m",
        "если повёрнута одна пара, её вклад в оценку зависит от n-m по формуле",
    ),
    "part-constant": t(
        "the part of the coordinates left alone is the same at every n-m",
        "вклад неповёрнутых координат один и тот же при всех n-m",
    ),
}
CONTENTS = (
    ((1.0, 0.0), (0.0, 1.0)),
    ((1.0, 0.0), (1.0, 0.0)),
    ((2.0, 1.0), (-1.0, 3.0)),
    ((0.0, 0.0), (5.0, 7.0)),
)
BASES = (100.0, 10000.0, 1.0)
SHIFT = 3
# Where only the first of two pairs is rotated: positions of the query, the key being at 0.
PARTIAL_POSITIONS = (0, 1, 2, 3, 100)
ROTATED = 2
SCORE = t("score", "оценка")


def gather(example: Example) -> Evidence:
    """Four contents at (1,0), one content at three bases, and three different rows."""
    scores = [example.score(query, key, 1, 0) for query, key in CONTENTS]
    expected = [
        reference.scores(as_array([query]), [1], as_array([key]), [0], 1.0)[0, 0]
        for query, key in CONTENTS
    ]
    by_base = [float(example.grid(FIRST_COLUMN, FIRST_COLUMN, 0, base)[1, 0]) for base in BASES]
    sums = [np.cos(reference.angles(1, len(FIRST_COLUMN), base)).sum() for base in BASES]
    rows = as_array(TOKEN_QUERIES)
    before, after = (
        attention.dot_products(example.rotate_query(rows, offset), example.rotate_key(rows, offset))
        for offset in (0, SHIFT)
    )
    return Evidence(
        values={
            "content_queries": as_array([query for query, _ in CONTENTS]),
            "content_keys": as_array([key for _, key in CONTENTS]),
            "content_scores": scores,
            "content_bases": list(BASES),
            "content_base_scores": by_base,
            "content_rows": rows,
            "content_dot_products": before,
            "content_shifted_dot_products": after,
            "content_shift": SHIFT,
        },
        checks=(
            agree("contents-by-formula", scores, expected, 1e-12),
            Check("contents-spread", float(np.ptp(scores)), 0.1, len(scores), "at least"),
            agree("frequencies-count", by_base, sums, 1e-12),
            differ("diagonals-differ", before[1:, 1:], before[:-1, :-1], 0.1),
            agree("content-keeps-under-shift", after, before, 1e-12),
        ),
    ) + rotate_a_part(example)


def rotate_first_pair(example: Example, row: Array, position: int) -> Array:
    """A row of which only the first two coordinates are rotated."""
    capacity = max(PARTIAL_POSITIONS) + 1
    embedding = example.embedding_for(ROTATED, capacity, example.parameters.base)
    rotated = example.rotate_query(row[:, :ROTATED], position, embedding)
    return np.hstack([rotated, row[:, ROTATED:]])


def rotate_a_part(example: Example) -> Evidence:
    """Rows without zeros of which only pair 0 is rotated: both parts of the score."""
    query, key = as_array([GENERIC_QUERY]), as_array([GENERIC_KEY])
    products = [
        (rotate_first_pair(example, query, m) * rotate_first_pair(example, key, 0))[0]
        for m in PARTIAL_POSITIONS
    ]
    rotated = [float(product[:ROTATED].sum()) for product in products]
    constant = [float(product[ROTATED:].sum()) for product in products]
    expected = reference.scores(
        np.tile(query[:, :ROTATED], (len(PARTIAL_POSITIONS), 1)),
        PARTIAL_POSITIONS,
        key[:, :ROTATED],
        [0],
        1.0,
    )[:, 0]
    plain = sum(q * k for q, k in zip(GENERIC_QUERY[ROTATED:], GENERIC_KEY[ROTATED:], strict=True))
    return Evidence(
        values={
            "partial_positions": list(PARTIAL_POSITIONS),
            "partial_rotated": rotated,
            "partial_constant": constant,
            "partial_scores": [a + b for a, b in zip(rotated, constant, strict=True)],
        },
        checks=(
            agree("part-rotated", rotated, expected, 1e-12),
            agree("part-constant", constant, [plain] * len(constant), 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Four contents, three bases, three different rows, and a head rotated in part."""
    return (*content_and_speeds(evidence), *three_rows(evidence), *partial_rotation(evidence))


def content_and_speeds(evidence: Evidence) -> tuple[Block, ...]:
    """One difference: four contents, then one content at three bases."""
    return (
        table_by_columns(
            t(
                "One pair, 1 radian per position, (m,n) = (1,0), n-m = -1 in every line:",
                "Одна пара, 1 радиан на позицию, (m,n) = (1,0), n-m = -1 в каждой строке:",
            ),
            (Column("q"), map(vector, evidence["content_queries"])),
            (Column("k"), map(vector, evidence["content_keys"])),
            (SCORE, evidence["content_scores"]),
        ),
        say(
            "The difference is the same, the scores are not: qᵀR((n-m)·θ)k also depends on q and "
            "k, and on the speeds of all pairs.",
            "Разность одна, а оценки разные: в qᵀR((n-m)·θ)k входят q, k и скорости всех пар.",
        ),
        table_by_columns(
            t(
                "[1, 0, 1, 0] with itself, still at n-m = -1, at three bases:",
                "Строка [1, 0, 1, 0] с самой собой, по-прежнему n-m = -1, три основания:",
            ),
            (t("base b", "основание b"), map(Short, evidence["content_bases"])),
            (SCORE, evidence["content_base_scores"]),
        ),
        say(
            "Every pair adds cos θ_j. Pair 0 adds the same cos 1 each time; the other one changes "
            "with the base, and with b = 1 it is as fast as pair 0.",
            "Каждая пара добавляет cos θ_j. Пара 0 всякий раз добавляет cos 1, а вклад пары 1 "
            "зависит от основания; при b = 1 она такая же быстрая, как пара 0.",
        ),
    )


def three_rows(evidence: Evidence) -> tuple[Block, ...]:
    """Three different rows: the diagonals hold several values."""
    first, second, third = (vector(row, short=True) for row in evidence["content_rows"])
    return (
        signed_matrix(
            evidence["content_dot_products"],
            [0, 1, 2],
            [0, 1, 2],
            t(
                "Three rows, {first}, {second} and {third}, each as query and as key at its "
                "position (b = 100):",
                "Три строки, {first}, {second} и {third}, каждая — и запрос, и ключ в своей "
                "позиции (b = 100):",
                first=first,
                second=second,
                third=third,
            ),
        ),
        say(
            "On the main diagonal, where n-m = 0, the scores are {main}; on the next one, where "
            "n-m = +1, {next}. If each diagonal of the chapter's matrix holds a single value "
            '(section "dot-products"), it is because its rows are the same, not because n-m alone '
            "determines a score.",
            "На главной диагонали, где n-m = 0, стоят {main}, на соседней, где n-m = +1, — {next}. "
            "В матрице из главы (раздел «dot-products») на диагонали стоит одно число, потому что "
            "строки одинаковы, а не потому, что одной разности n-m достаточно.",
            main=vector(np.diag(evidence["content_dot_products"])),
            next=vector(np.diag(evidence["content_dot_products"], 1)),
        ),
    )


def partial_rotation(evidence: Evidence) -> tuple[Block, ...]:
    """What part of a score stays when only a part of the head is rotated, and who does so."""
    rotated, constant = evidence["partial_rotated"], evidence["partial_constant"]
    return (
        say(
            "Some models rotate only a part of each head: GPT-J 64 of its 256 coordinates (Wang "
            "and Komatsuzaki 2021), GPT-NeoX-20B 24 of 96 (Black et al. 2022, arXiv 2204.06745). "
            "The score is then a sum of two parts, and only one of them depends on n-m.",
            "Некоторые модели поворачивают лишь часть головы: GPT-J — 64 координаты из 256 (Wang и "
            "Komatsuzaki, 2021), GPT-NeoX-20B — 24 из 96 (Black и др., 2022, arXiv 2204.06745). "
            "Тогда оценка складывается из двух частей, и от n-m зависит только одна.",
        ),
        table_by_columns(
            t(
                "Rows without zeros, q = [1, 2, -0.5, 0.75] and k = [0.3, -1, 2, 0.25], pair 0 "
                "rotated, the other coordinates left alone:",
                "Строки без нулей, q = [1, 2, -0.5, 0.75] и k = [0.3, -1, 2, 0.25], повёрнута "
                "только пара 0:",
            ),
            ("n-m", (Signed(-m) for m in evidence["partial_positions"])),
            (t("rotated part", "повёрнутая часть"), rotated),
            (t("constant part", "постоянная часть"), constant),
            (SCORE, evidence["partial_scores"]),
        ),
        say(
            "The constant part, {constant}, compares content in the same way at every distance. "
            "Rotating fewer coordinates is also less work: Black et al. chose a quarter of the "
            "head as the best balance of quality and speed in their first experiments.",
            "Постоянная часть, {constant}, сравнивает содержимое одинаково на любом расстоянии. К "
            "тому же на поворот этих координат не тратится время: Блэк и соавторы поворачивали "
            "четверть головы, потому что в их первых опытах так получалось лучшее сочетание "
            "качества и скорости.",
            constant=constant[0],
        ),
    )
