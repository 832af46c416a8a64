"""Shift only one position: the score changes, apart from coincidences that can be named."""

from __future__ import annotations

import math

from rope_cli.document.blocks import Block, Column, Short, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import left, right, say, t, table, table_by_columns
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_KEY, GENERIC_QUERY, Example
from rope_cli.experiments.distances import key_rows, query_rows

TITLE = t("Shift only one", "Сдвиг одной позиции")
QUESTION = t(
    "The key stays where it is, the query moves. Must the score change?",
    "Ключ остаётся на месте, запрос сдвигается. Обязана ли оценка измениться?",
)

CLAIMS = {
    "generic-moves": t(
        "rows without zeros: the score changes", "строки без нулей: оценка меняется"
    ),
    "mirror-equal": t(
        "equal rows on either side of the key, equally far: the same score",
        "одинаковые строки по обе стороны от ключа на равном расстоянии: оценка та же",
    ),
    "mirror-needs-equal-rows": t(
        "rows without zeros on either side of the key: two scores",
        "строки без нулей по обе стороны от ключа: оценки разные",
    ),
    "period-equal": t(
        "a pair with a period of exactly 8 positions: the same score after each period",
        "пара с периодом ровно 8 позиций: через каждый период оценка та же",
    ),
    "period-needs-one-pair": t(
        "with content in the other pair too the score changes",
        "если содержимое есть и в другой паре, оценка меняется",
    ),
    "near-period-close": t(
        "1 radian per position: after 710 and 103993 positions nearly the same score",
        "1 радиан на позицию: через 710 и 103993 позиции оценка почти та же",
    ),
    "near-period-not-equal": t(
        "after 710 and 103993 positions the score is still not the same (the lesser difference)",
        "через 710 и 103993 позиции оценка всё же не та же самая (меньшая из двух разностей)",
    ),
}
# Pair 1 of width 4 turns by base^(-1/2): this base gives it a period of exactly 8 positions.
PERIODIC_BASE = (8 / math.tau) ** 2
PERIODIC_KEY = (0.2, 0.5, -0.7, 0.3)
PERIODIC_POSITIONS = (1, 9, 17, 801)
NEAR_POSITIONS = (1, 711, 103994)
SCORE = t("score", "оценка")
Row = tuple[float, ...]


def gather(example: Example) -> Evidence:
    """Four ways of moving m alone."""
    base = example.parameters.base
    generic = [_score(example, GENERIC_QUERY, GENERIC_KEY, m, 0, base) for m in (1, 2)]
    mirror = [_score(example, FIRST_COLUMN, FIRST_COLUMN, m, 1, base) for m in (0, 2)]
    unlike = [_score(example, GENERIC_QUERY, GENERIC_KEY, m, 1, base) for m in (0, 2)]
    slow_pair, both_pairs = (
        [_score(example, query, PERIODIC_KEY, m, 0, PERIODIC_BASE) for m in PERIODIC_POSITIONS]
        for query in ((0.0, 0.0, 1.0, 0.0), (1.0, 0.0, 1.0, 0.0))
    )
    near = [_score(example, (1.0, 0.0), (0.0, 1.0), m, 0, base) for m in NEAR_POSITIONS]
    differences = [abs(score - near[0]) for score in near[1:]]
    return Evidence(
        values={
            "shift_one_generic": generic,
            "shift_one_mirror": mirror,
            "shift_one_unlike_mirror": unlike,
            "periodic_base": PERIODIC_BASE,
            "periodic_positions": list(PERIODIC_POSITIONS),
            "periodic_key": list(PERIODIC_KEY),
            "periodic_scores": slow_pair,
            "periodic_scores_both_pairs": both_pairs,
            "near_period_positions": list(NEAR_POSITIONS),
            "near_period_scores": near,
            "near_period_differences": differences,
        },
        checks=(
            differ("generic-moves", generic[1:], generic[:1], 0.05),
            agree("mirror-equal", mirror[1:], mirror[:1], 1e-12),
            differ("mirror-needs-equal-rows", unlike[1:], unlike[:1], 0.1),
            agree("period-equal", slow_pair[1:], slow_pair[:1] * 3, 1e-12),
            differ("period-needs-one-pair", both_pairs[1:], both_pairs[:1] * 3, 0.1),
            agree("near-period-close", near[1:], near[:1] * 2, 1e-4),
            Check("near-period-not-equal", min(differences), 5e-6, 2, "at least"),
        ),
    )


def _score(example: Example, query: Row, key: Row, m: int, n: int, base: float) -> float:
    queries, keys = query_rows(example, query, [m], base), key_rows(example, key, [n], base)
    return float(queries[0] @ keys[0])


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The rule, then the three coincidences."""
    return (
        _two_places(evidence),
        say(
            "The second line stands in the chapter's own matrix: for equal rows only the cosine of "
            "n-m is left, and the cosine is even. The third line takes away this coincidence. A "
            "period is another exception. With base {base} the slow pair turns by 2π/8 per "
            "position; the key is {key} at n = 0:",
            "Вторая строка стоит в матрице из самой главы: для одинаковых строк от n-m остаётся "
            "только косинус, а косинус — чётная функция. В третьей строке этого совпадения уже "
            "нет. Другое исключение — период. При основании {base} медленная пара поворачивается "
            "на 2π/8 за позицию; ключ {key} стоит в n = 0:",
            base=evidence["periodic_base"],
            key=vector(evidence["periodic_key"]),
        ),
        table(
            None,
            (
                *left(t("content of q", "содержимое q")),
                *right(*(f"m={position}" for position in evidence["periodic_positions"])),
            ),
            (
                (t("in the slow pair", "в медленной паре"), *evidence["periodic_scores"]),
                (t("in both pairs", "в обеих парах"), *evidence["periodic_scores_both_pairs"]),
            ),
        ),
        _near_periods(evidence),
        say(
            "So the chapter is right to say usually: moving one position changes n-m, and the "
            "score with it, unless the content is special or a whole number of turns went by.",
            "Так что «обычно» в главе сказано верно: сдвиг одной позиции меняет n-m, а с ней и "
            "оценку — если только содержимое не особое и не прошло целое число оборотов.",
        ),
    )


def _two_places(evidence: Evidence) -> Table:
    generic = t("rows without zeros", "строки без нулей")
    names = ("shift_one_generic", "shift_one_mirror", "shift_one_unlike_mirror")
    before, after = zip(*(evidence[name] for name in names), strict=True)
    return table_by_columns(
        t("m moves, n stays; d = 4, b = 100:", "m сдвигается, n остаётся; d = 4, b = 100:"),
        (Column(t("content", "содержимое")), (generic, "q = k = [1, 0, 1, 0]", generic)),
        (Column("(m,n)"), ("(1,0)", "(0,1)", "(0,1)")),
        (SCORE, before),
        (Column("(m,n)"), ("(2,0)", "(2,1)", "(2,1)")),
        (SCORE, after),
    )


def _near_periods(evidence: Evidence) -> Table:
    differences = (0.0, *evidence["near_period_differences"])
    return table_by_columns(
        t(
            "At 1 radian per position 710 positions are almost 113 turns, 103993 almost 16551; "
            "q = [1, 0], k = [0, 1], n = 0:",
            "При 1 радиане на позицию 710 позиций — почти 113 оборотов, 103993 — почти 16551; "
            "q = [1, 0], k = [0, 1], n = 0:",
        ),
        ("m", evidence["near_period_positions"]),
        (SCORE, evidence["near_period_scores"]),
        (
            t("off by", "отличие"),
            (Short(float(f"{difference:.1e}")) for difference in differences),
        ),
    )
