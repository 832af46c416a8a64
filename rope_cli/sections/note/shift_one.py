"""Shift only one position: the score changes, apart from coincidences that can be named."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Column, Short, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import left, right, say, stack, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_KEY, GENERIC_QUERY, Example
from rope_cli.experiments.distances import key_rows, query_rows

TITLE = t("Shifting one position", "Сдвиг одной позиции")
QUESTION = t(
    "The key stays where it is and the query moves to another position. Must the score change?",
    "Ключ остаётся на месте, а запрос переходит в другую позицию. Обязательно ли изменится оценка?",
)

CLAIMS = {
    "generic-moves": t(
        "with different rows q and k the score changes from m = 1 to m = 2",
        "при разных строках q и k оценка меняется от m = 1 к m = 2",
    ),
    "scores-by-formula": t(
        "every score of the three tables is qᵀR(n-m)k by the plain formula",
        "каждая оценка трёх таблиц равна qᵀR(n-m)k, вычисленному по формуле",
    ),
    "mirror-equal": t(
        "for equal rows the score is the same one position before the key and one after it",
        "при одинаковых строках оценка одна и та же, стоит ли запрос на позицию раньше ключа или "
        "на позицию позже",
    ),
    "mirror-needs-equal-rows": t(
        "for different rows the two scores on either side of the key differ",
        "для разных строк две оценки по обе стороны от ключа различаются",
    ),
    "period-equal": t(
        "with content only in a pair of period 8 the score is the same after each period",
        "если ненулевое содержимое только в паре с периодом 8, через каждый период оценка та же",
    ),
    "period-needs-one-pair": t(
        "with content in the other pair as well the score changes",
        "если ненулевое содержимое есть и в другой паре, оценка меняется",
    ),
    "near-period-close": t(
        "at 1 radian per position the score is nearly the same after 710 and after 103993 "
        "positions",
        "при 1 радиане на позицию оценка через 710 и через 103993 позиции почти та же",
    ),
    "near-period-not-equal": t(
        "after 710 and after 103993 positions the score still differs from the first",
        "через 710 и через 103993 позиции оценка всё же отличается от первой",
    ),
}
# Pair 1 of width 4 rotates by base^(-1/2): this base gives it a period of exactly 8 positions.
PERIODIC_BASE = (8 / math.tau) ** 2
PERIODIC_KEY = (0.2, 0.5, -0.7, 0.3)
PERIODIC_QUERIES = ((0.0, 0.0, 1.0, 0.0), (1.0, 0.0, 1.0, 0.0))
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
        for query in PERIODIC_QUERIES
    )
    near = [_score(example, (1.0, 0.0), (0.0, 1.0), m, 0, base) for m in NEAR_POSITIONS]
    scores = [*generic, *mirror, *unlike, *slow_pair, *both_pairs, *near]
    differences = [abs(score - near[0]) for score in near[1:]]
    return Evidence(
        values={
            "shift_one_generic": generic,
            "shift_one_mirror": mirror,
            "shift_one_unlike_mirror": unlike,
            "periodic_base": PERIODIC_BASE,
            "periodic_positions": list(PERIODIC_POSITIONS),
            "periodic_key": list(PERIODIC_KEY),
            "periodic_queries": [list(query) for query in PERIODIC_QUERIES],
            "periodic_scores": slow_pair,
            "periodic_scores_both_pairs": both_pairs,
            "near_period_positions": list(NEAR_POSITIONS),
            "near_period_scores": near,
            "near_period_differences": differences,
        },
        checks=(
            agree("scores-by-formula", scores, _scores_by_formula(base), 1e-9),
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


def _scores_by_formula(base: float) -> list[float]:
    """The scores of the three tables from the signed differences alone."""
    generic, mirror = (GENERIC_QUERY, GENERIC_KEY), (FIRST_COLUMN, FIRST_COLUMN)
    rows = (
        (*generic, (1, 2), 0, base),
        (*mirror, (0, 2), 1, base),
        (*generic, (0, 2), 1, base),
        *(
            (query, PERIODIC_KEY, PERIODIC_POSITIONS, 0, PERIODIC_BASE)
            for query in PERIODIC_QUERIES
        ),
        ((1.0, 0.0), (0.0, 1.0), NEAR_POSITIONS, 0, base),
    )
    return [
        float(reference.scores(np.array([query]), [m], np.array([key]), [n], of_base)[0, 0])
        for query, key, positions, n, of_base in rows
        for m in positions
    ]


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The rule, then the three coincidences."""
    return (
        _two_places(evidence),
        say(
            "In general the score changes, but not always. In the second line q = k, so the score "
            "is a sum of cosines of (n-m)θ_j; the cosine is even, and n-m = +1 and n-m = -1 give "
            "the same score. With different rows, in the third line, the coincidence disappears. "
            "A second exception is a period. With b = (4/π)², about {base}, the slow pair rotates "
            "by exactly 2π/8 per position; the key is k = {key} at n = 0:",
            "Обычно оценка меняется, но не всегда. Во второй строке таблицы q = k, поэтому оценка "
            "— сумма косинусов (n-m)θ_j; косинус — чётная функция, и n-m = +1 и n-m = -1 дают одно "
            "и то же. Если q и k различны, как в третьей, совпадение пропадает. Второе исключение "
            "— период. При b = (4/π)², примерно {base}, медленная пара поворачивается за позицию "
            "ровно на 2π/8; ключ k = {key} находится в позиции n = 0:",
            base=evidence["periodic_base"],
            key=vector(evidence["periodic_key"], short=True),
        ),
        _exact_period(evidence),
        say(
            "In the first line only the slow pair of q has content, and the score returns every 8 "
            "positions. In the second the fast pair has content too; its period is 2π positions, "
            "and the score no longer returns.",
            "В первой строке ненулевое содержимое есть только в медленной паре q, и оценка "
            "повторяется через каждые 8 позиций. Во второй оно есть и в быстрой паре, период "
            "которой равен 2π позиций, и оценка уже не повторяется.",
        ),
        _near_periods(evidence),
        say(
            "So the chapter is right to say 'usually'. Moving one position changes n-m and with it "
            "the score, unless the content is special or every pair with content has made a whole "
            "number of full turns. Full turns that are almost complete, as after 710 positions, "
            "change the score only a little.",
            "Так что слово «обычно» стоит в главе не зря. Сдвиг одной позиции меняет n-m, а с ней "
            "и оценку, если только содержимое не особое и не все пары с ненулевым содержимым "
            "сделали целое число оборотов. Если обороты почти завершены, как через 710 позиций, "
            "оценка меняется совсем немного.",
        ),
    )


def _two_places(evidence: Evidence) -> Table:
    generic = stack("q = [1, 2, -0.5, 0.75]", "k = [0.3, -1, 2, 0.25]")
    names = ("shift_one_generic", "shift_one_mirror", "shift_one_unlike_mirror")
    before, after = zip(*(evidence[name] for name in names), strict=True)
    return table_by_columns(
        t(
            "The score before and after a move of m alone; d = 4, b = 100:",
            "Оценка до и после сдвига одной только m; d = 4, b = 100:",
        ),
        (Column(t("rows", "строки")), (generic, "q = k = [1, 0, 1, 0]", generic)),
        (Column("(m,n)"), ("(1,0)", "(0,1)", "(0,1)")),
        (SCORE, before),
        (Column("(m,n)"), ("(2,0)", "(2,1)", "(2,1)")),
        (SCORE, after),
    )


def _exact_period(evidence: Evidence) -> Table:
    return table(
        None,
        (
            *left("q"),
            *right(*(f"m={position}" for position in evidence["periodic_positions"])),
        ),
        (
            ("[0, 0, 1, 0]", *evidence["periodic_scores"]),
            ("[1, 0, 1, 0]", *evidence["periodic_scores_both_pairs"]),
        ),
    )


def _near_periods(evidence: Evidence) -> Table:
    differences = (0.0, *evidence["near_period_differences"])
    return table_by_columns(
        t(
            "At 1 radian per position 710 positions are almost 113 full turns and 103993 almost "
            "16551; one pair, q = [1, 0], k = [0, 1], n = 0:",
            "При 1 радиане на позицию 710 позиций — почти 113 оборотов, а 103993 — почти 16551; "
            "одна пара, q = [1, 0], k = [0, 1], n = 0:",
        ),
        ("m", evidence["near_period_positions"]),
        (SCORE, evidence["near_period_scores"]),
        (
            t("change", "изменение"),
            (Short(float(f"{difference:.1e}")) for difference in differences),
        ),
    )
