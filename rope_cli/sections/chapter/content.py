"""Content still counts: one difference of positions, many scores."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Column, Matrix, Short, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import say, t, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, TOKEN_QUERIES, Example, as_array
from rope_cli.rope import attention
from rope_cli.sections.chapter.dot_products import signed_matrix

TITLE = t("Content still counts", "Содержимое важно")
QUESTION = t(
    "n-m is the same. Is the score the same too, whatever stands in the rows?",
    "Разность n-m одна и та же. Будет ли и оценка одной и той же, что бы ни стояло в строках?",
)

CLAIMS = {
    "contents-by-formula": t(
        "each score is qᵀR((n-m)θ)k of its own content",
        "каждая оценка равна qᵀR((n-m)θ)k для своего содержимого",
    ),
    "contents-spread": t(
        "with one n-m the scores still differ (greatest minus least)",
        "при одной и той же n-m оценки различаются (наибольшая минус наименьшая)",
    ),
    "frequencies-count": t(
        "with one content and one n-m the score is the sum of cos θ_j over all pairs",
        "при том же содержимом и той же n-m оценка — сумма cos θ_j по всем парам",
    ),
    "diagonals-differ": t(
        "three different rows: the dot products are not constant along the diagonals",
        "три разные строки: вдоль диагоналей произведения не постоянны",
    ),
    "content-keeps-under-shift": t(
        "three different rows: an equal shift keeps every dot product all the same",
        "три разные строки: одинаковый сдвиг всё равно сохраняет каждое произведение",
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
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The four contents, the three bases, the matrix whose diagonals do not repeat."""
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
        table_by_columns(
            t(
                "The chapter's row with itself, n-m = -1 again, other frequencies: every θ_j has a "
                "part in the score, and with b = 1 all pairs turn alike.",
                "Строка из главы сама с собой, снова n-m = -1, но другие частоты: в оценке "
                "участвует каждая θ_j, а при b = 1 все пары поворачиваются одинаково.",
            ),
            (t("base b", "основание b"), map(Short, evidence["content_bases"])),
            (SCORE, evidence["content_base_scores"]),
        ),
        _three_rows(evidence),
        say(
            "The main diagonal, where n-m = 0, holds {main}; the next one, where n-m = +1, holds "
            "{next}. The diagonals of the chapter's matrix repeat because its row repeats. "
            "Position alone does not make a score.",
            "На главной диагонали, где n-m = 0, стоит {main}, на соседней, где n-m = +1, — {next}. "
            "В матрице из главы диагонали повторяются потому, что повторяется строка. Одна лишь "
            "позиция оценку не определяет.",
            main=vector(np.diag(evidence["content_dot_products"])),
            next=vector(np.diag(evidence["content_dot_products"], 1)),
        ),
    )


def _three_rows(evidence: Evidence) -> Matrix:
    first, second, third = map(vector, evidence["content_rows"])
    return signed_matrix(
        evidence["content_dot_products"],
        [0, 1, 2],
        [0, 1, 2],
        t(
            "The rows {first}, {second} and {third}, each as query and as key at its position:",
            "Строки {first}, {second} и {third}, каждая — и запрос, и ключ в своей позиции:",
            first=first,
            second=second,
            third=third,
        ),
    )
