"""Pairs as clock hands: periods, near returns, and what one hand alone cannot tell apart."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Cue, Curve, Dials, Paragraph, Short, Table
from rope_cli.document.charts import floats
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH, key_rows, query_rows

TITLE = t("Pairs as clock hands", "Пары как стрелки часов")
QUESTION = t(
    "At d = 4, b = 100 the fast pair rotates by 1 radian per position, the slow pair by 0.1. "
    "Picture each as the hand of a clock. After how many positions is the fast hand exactly where "
    "it began?",
    "При d = 4, b = 100 быстрая пара поворачивается за позицию на 1 радиан, медленная — на 0.1. "
    "Представьте их стрелками часов. Через сколько позиций быстрая стрелка окажется точно там, "
    "откуда начала?",
)

CLAIMS = {
    "hands-by-remainder": t(
        "for every m up to 1000 the angle of each hand is m·θ_j without the full turns",
        "при каждом m до 1000 угол каждой стрелки равен m·θ_j за вычетом целых оборотов",
    ),
    "hands-in-the-table": t(
        "the angles in the first table are those of the formula",
        "углы в первой таблице совпадают с вычисленными по формуле",
    ),
    "periods-bring-back": t(
        "one period, rounded to whole positions, brings each of the three hands back to within "
        "half a step",
        "через период, округлённый до целого, каждая из трёх стрелок отстоит от начала не более "
        "чем на полшага",
    ),
    "never-exactly-back": t(
        "at no m from 1 to 1000 is the fast hand exactly back",
        "ни при каком m от 1 до 1000 быстрая стрелка не возвращается точно",
    ),
    "nearest-return": t(
        "of all m up to 1000 the fast hand is nearest to its start at m = 710, by 710 - 113·2π "
        "radians",
        "из всех m до 1000 быстрая стрелка ближе всего к началу при m = 710: остаётся 710 - 113·2π "
        "радиан",
    ),
    "cosines-by-formula": t(
        "the cosines of the last table are those of D·θ_j",
        "косинусы последней таблицы — это cos(D·θ_j)",
    ),
    "rounded-period-is-no-alias": t(
        "for the fast pair D = 1 and D = 7 have clearly different cosines",
        "у быстрой пары косинусы при D = 1 и D = 7 заметно различаются",
    ),
    "slow-alias": t(
        "for the slow pair D = 1 and D = 64 have nearly the same cosine",
        "у медленной пары косинусы при D = 1 и D = 64 почти равны",
    ),
    "alias": t(
        "for the fast pair D = 1 and D = 711 have nearly the same cosine",
        "у быстрой пары косинусы при D = 1 и D = 711 почти равны",
    ),
    "two-hands-tell": t(
        "with both pairs the scores at D = 1 and D = 711 are clearly different",
        "с двумя парами оценки при D = 1 и D = 711 заметно различаются",
    ),
}
POSITIONS = range(1001)
SHOWN = (0, 1, 3, 6, 7, 13, 44, 63, 710)
MARKS = 12
ALIASES = (1, 7, 45, 64, 711)
HAND_NAMES = {Cue.FAST: t("fast hand", "быстрая"), Cue.SLOW: t("slow hand", "медленная")}


def gather(example: Example) -> Evidence:
    """Both hands of the chapter's row at every position, and the records of nearness."""
    width, base = example.parameters.feature_width, example.parameters.base
    rotated = query_rows(example, FIRST_COLUMN, POSITIONS, base)
    hands = np.arctan2(rotated[:, 1::2], rotated[:, 0::2])
    shown = hands[list(SHOWN)] % math.tau
    angles = reference.angles(POSITIONS, width, base)
    remainders = angles - math.tau * np.round(angles / math.tau)
    left_over = np.abs(hands[1:, 0])
    nearest = np.minimum.accumulate(left_over)
    records = [1, *(2 + np.flatnonzero(nearest[1:] < nearest[:-1])).tolist()]
    last = records[-1]
    slowest = reference.inverse_frequency(MODEL_WIDTH // 2 - 1, MODEL_WIDTH, MODEL_BASE)
    periods = [*map(full_turn, angles[1]), full_turn(slowest)]
    returns = Evidence(
        values={
            "clock_positions": list(SHOWN),
            "clock_hands": shown,
            "clock_marks": (MARKS * shown / math.tau).astype(int) % MARKS,
            "clock_periods": periods[:-1],
            "slowest_period": periods[-1],
            "return_positions": records,
            "return_turns": np.round(angles[records, 0] / math.tau).astype(int),
            "return_angles": hands[records, 0],
        },
        checks=(
            agree("hands-by-remainder", hands, remainders, 1e-12),
            agree("hands-in-the-table", shown, angles[list(SHOWN)] % math.tau, 1e-12),
            Check("periods-bring-back", _steps_from_start(example, periods), 0.5, len(periods)),
            Check("never-exactly-back", float(nearest[-1]), 1e-5, nearest.size, "at least"),
            agree("nearest-return", [last, hands[last, 0]], [710, 710 - 113 * math.tau], 1e-9),
        ),
    )
    return returns + _aliases_of_one_hand(example, angles[1])


def _aliases_of_one_hand(example: Example, theta: Array) -> Evidence:
    """Both cosines and the score of the chapter's row at distances that look alike to one hand."""
    base = example.parameters.base
    queries = query_rows(example, FIRST_COLUMN, ALIASES, base)
    products = queries * key_rows(example, FIRST_COLUMN, [0], base)
    cosines = products.reshape(len(ALIASES), -1, 2).sum(axis=-1)
    scores, expected = cosines.sum(axis=1), np.cos(np.multiply.outer(ALIASES, theta))
    return Evidence(
        values={
            "alias_distances": list(ALIASES),
            "alias_cosines": cosines,
            "alias_scores": scores,
        },
        checks=(
            agree("cosines-by-formula", cosines, expected, 1e-12),
            differ("rounded-period-is-no-alias", cosines[:1, 0], cosines[1:2, 0], 0.1),
            agree("slow-alias", cosines[:1, 1], cosines[3:4, 1], 0.01),
            agree("alias", cosines[:1, 0], cosines[-1:, 0], 1e-4),
            differ("two-hands-tell", scores[:1], scores[-1:], 0.1),
        ),
    )


def full_turn(theta: float) -> float:
    """The positions in which a hand of this speed goes around once."""
    return math.tau / theta


def _steps_from_start(example: Example, periods: list[float]) -> float:
    """How far a hand is from its start after its rounded period, in steps; the largest of all."""
    base, model_row = example.parameters.base, np.tile([1.0, 0.0], MODEL_WIDTH // 2)
    fast, slow = query_rows(example, FIRST_COLUMN, [round(period) for period in periods[:2]], base)
    last = query_rows(example, model_row, [round(periods[-1])], MODEL_BASE)[0]
    hands = [math.atan2(fast[1], fast[0]), math.atan2(slow[3], slow[2])]
    angles = np.abs([*hands, math.atan2(last[-1], last[-2])])
    return float((angles * periods / math.tau).max())


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The dials, the near returns, the aliases."""
    fast, slow = evidence["clock_periods"]
    return (
        table(
            t(
                "The angle of each hand at position m in radians, without the full turns; d = 4, b "
                "= 100:",
                "Угол каждой стрелки в позиции m, в радианах, без целых оборотов; d = 4, b = 100:",
            ),
            right("m", *((cue, " ", name) for cue, name in HAND_NAMES.items())),
            zip(evidence["clock_positions"], *evidence["clock_hands"].T, strict=True),
        ),
        _dials(evidence),
        say(
            "A full turn takes 2π/θ positions, the period: {fast} for the fast pair, {slow} for "
            "the slow one and {slowest} for the slowest pair of d = 128, b = 10000. A hand with θ "
            "= 1 or θ = 0.1 is exactly at its start at m = 0 and never again: otherwise some whole "
            "number m would be a multiple of 2π or 20π, but π is irrational. (At any rational b "
            "every θ_j is algebraic and π is transcendental, so no hand ever returns exactly.) It "
            "can come very near, though.",
            "Полный оборот занимает 2π/θ позиций, это период: {fast} у быстрой пары, {slow} у "
            "медленной и {slowest} у самой медленной пары при d = 128, b = 10000. Стрелка, у "
            "которой θ = 1 или θ = 0.1, находится точно в начале только при m = 0: иначе какое-то "
            "целое m делилось бы нацело на 2π или 20π, а число π иррационально. (При любом "
            "рациональном b все θ_j — алгебраические числа, а π трансцендентно, поэтому точно не "
            "возвращается ни одна стрелка.) Но подойти к началу очень близко она может.",
            fast=fast,
            slow=slow,
            slowest=evidence["slowest_period"],
        ),
        _returns(evidence),
        _aliases(evidence),
        _what_one_hand_tells(),
    )


def _what_one_hand_tells() -> Paragraph:
    return say(
        "The note says that the score contains only the relative position. That is true, but a "
        "single pair does not contain all of it: where its hand comes near its start, after p "
        "positions, the cosines at D and D + p are nearly equal. For the fast pair p = 44 and p = "
        "710 are such near returns. Its period rounded to a whole number, p = 6, is not: 0.28 "
        "radians are left, and cos 7 is far from cos 1. Rounding a period leaves at most θ/2 "
        "radians, so it does little harm to a slow pair: its cosine at D = 64 is almost that at D "
        "= 1. As on a clock, one hand is not enough: here the distances that agree for one pair "
        "differ for the other.",
        "В заметке сказано, что оценка содержит только относительную позицию. Это так, но по "
        "одной паре она видна не всегда: если через p позиций стрелка подходит близко к началу, "
        "косинусы при D и D + p почти равны. Для быстрой пары такие почти возвраты — p = 44 и p = "
        "710. А период, округлённый до целого, p = 6, возвратом не будет: остаётся 0.28 радиана, "
        "и cos 7 далёк от cos 1. Из-за округления периода остаётся не больше θ/2 радиана, поэтому "
        "медленной паре оно почти не вредит: её косинус при D = 64 почти тот же, что при D = 1. "
        "Одной стрелки мало, как и на часах: здесь расстояния, почти одинаковые для одной пары, "
        "различаются для другой.",
    )


def _dials(evidence: Evidence) -> Dials:
    positions, hands = floats(evidence["clock_positions"]), evidence["clock_hands"].T
    return Dials(
        t(
            "The same hands as dials. Angle 0 is on the right, at the mark; angles grow "
            "counter-clockwise:",
            "Те же стрелки на циферблатах. Угол 0 — справа, у метки; углы растут против часовой "
            "стрелки:",
        ),
        "m",
        tuple(
            Curve(name, positions, floats(angles), cue)
            for (cue, name), angles in zip(HAND_NAMES.items(), hands, strict=True)
        ),
        t(
            "Within seven positions the fast hand goes all the way around, while the slow one "
            "covers 0.7 radians. At m = 710 the fast hand is back at the mark and the slow one is "
            "not.",
            "Быстрая стрелка за семь позиций обходит весь круг, медленная за это время проходит "
            "0.7 радиана. При m = 710 быстрая снова у метки, а медленная — нет.",
        ),
    )


def _returns(evidence: Evidence) -> Table:
    positions, angles = evidence["return_positions"], evidence["return_angles"]
    return table_by_columns(
        t(
            "Positions at which the fast hand is nearer to its start than ever before. At m = "
            "{last} only {angle} radians are left:",
            "Позиции, в которых быстрая стрелка ближе к началу, чем когда-либо раньше. При m = "
            "{last} остаётся лишь {angle} радиана:",
            last=positions[-1],
            angle=Short(angles[-1]),
        ),
        ("m", positions),
        (t("full turns", "полных оборотов"), evidence["return_turns"]),
        (t("angle left, radians", "остаток угла, рад"), angles),
    )


def _aliases(evidence: Evidence) -> Table:
    fast, slow = evidence["alias_cosines"].T
    return table_by_columns(
        t(
            "Both hands at five distances D = m-n. Here q = k = [1, 0, 1, 0], so the score is "
            "cos(D·θ_0) + cos(D·θ_1):",
            "Обе стрелки на пяти расстояниях D = m-n. Здесь q = k = [1, 0, 1, 0], поэтому оценка "
            "равна cos(D·θ_0) + cos(D·θ_1):",
        ),
        ("D", evidence["alias_distances"]),
        ((Cue.FAST, " cos(D·θ_0)"), fast),
        ((Cue.SLOW, " cos(D·θ_1)"), slow),
        (t("score", "оценка"), evidence["alias_scores"]),
    )
