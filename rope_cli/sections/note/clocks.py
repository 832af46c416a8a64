"""Pairs as clock hands: periods, near returns, and what one hand alone cannot tell apart."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import (
    Block,
    Cue,
    Curve,
    Dials,
    Number,
    Short,
    Table,
)
from rope_cli.document.charts import floats
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array

TITLE = t("Pairs as clock hands", "Пары как стрелки часов")
QUESTION = t(
    "The hand of the fast pair moves by 1 radian per position. After how many positions "
    "does it stand exactly where it began?",
    "Стрелка быстрой пары сдвигается на 1 радиан за позицию. Через сколько позиций она "
    "окажется ровно там, где начала?",
)

CLAIMS = {
    "hands-by-remainder": t(
        "each hand shows m·θ_j without its whole turns, for every m up to 1000",
        "каждая стрелка показывает m·θ_j без целых оборотов, для всех m до 1000",
    ),
    "never-exactly-back": t(
        "for no m from 1 to 1000 is the fast hand exactly back (the least angle left)",
        "ни при каком m от 1 до 1000 быстрая стрелка не возвращается точно (наименьший "
        "оставшийся угол)",
    ),
    "nearest-return": t(
        "the fast hand comes nearest at m = 710, where 710 - 113·2π radians are left",
        "быстрая стрелка ближе всего к началу при m = 710: остаётся 710 - 113·2π радиан",
    ),
    "alias": t(
        "the fast pair alone hardly tells 1 from 711",
        "одна лишь быстрая пара почти не отличает 1 от 711",
    ),
    "two-hands-tell": t(
        "both pairs together do tell 1 from 711", "две пары вместе отличают 1 от 711"
    ),
}
FARTHEST = 1000
SHOWN = (0, 1, 3, 6, 7, 13, 44, 63, 710)
MARKS = 12
ALIASES = (1, 45, 711)
HAND_NAMES = {
    Cue.FAST: t("fast hand", "быстрая"),
    Cue.SLOW: t("slow hand", "медленная"),
}
LARGE_WIDTH, LARGE_BASE = 128, 10000.0


def gather(example: Example) -> Evidence:
    """Both hands of the chapter's row at every position, and the records of nearness."""
    parameters = example.parameters
    width, base = parameters.feature_width, parameters.base
    embedding = example.embedding_for(width, FARTHEST + 1, base)
    still = np.tile(as_array(FIRST_COLUMN), (FARTHEST + 1, 1))
    turned = example.rotate_query(still, 0, embedding)
    hands = np.arctan2(turned[:, 1::2], turned[:, 0::2])
    speeds = [reference.inverse_frequency(pair, width, base) for pair in range(width // 2)]
    angles = np.outer(np.arange(FARTHEST + 1.0), speeds)
    exact = angles - math.tau * np.round(angles / math.tau)
    fast = np.abs(hands[1:, 0])
    nearest = np.minimum.accumulate(fast)
    records = [1, *(2 + np.flatnonzero(nearest[1:] < nearest[:-1])).tolist()]
    products = [_products(example, distance) for distance in ALIASES]
    scores = np.array(products).sum(axis=1)
    slowest = reference.inverse_frequency(LARGE_WIDTH // 2 - 1, LARGE_WIDTH, LARGE_BASE)
    return Evidence(
        values={
            "clock_positions": list(SHOWN),
            "clock_hands": hands[list(SHOWN)] % math.tau,
            "clock_marks": (MARKS * (hands[list(SHOWN)] % math.tau) / math.tau).astype(int) % MARKS,
            "clock_periods": [math.tau / speed for speed in speeds],
            "slowest_period": math.tau / slowest,
            "return_positions": records,
            "return_turns": [round(m * speeds[0] / math.tau) for m in records],
            "return_angles": [float(hands[m, 0]) for m in records],
            "alias_distances": list(ALIASES),
            "alias_cosines": np.array(products),
            "alias_scores": scores,
        },
        checks=(
            agree("hands-by-remainder", hands, exact, 1e-12),
            Check("never-exactly-back", float(fast.min()), 1e-5, fast.size, "at least"),
            agree(
                "nearest-return",
                [records[-1], hands[records[-1], 0]],
                [710, 710 - 113 * math.tau],
                1e-9,
            ),
            agree("alias", [products[0][0]], [products[-1][0]], 1e-4),
            differ("two-hands-tell", scores[:1], scores[-1:], 0.1),
        ),
    )


def _products(example: Example, distance: int) -> Array:
    """What each pair adds to the score of the chapter's row with itself, this far away."""
    parameters, row = example.parameters, as_array([FIRST_COLUMN])
    near, far = (
        example.embedding_for(parameters.feature_width, at + 1, parameters.base, at)
        for at in (0, distance)
    )
    product = example.rotate_query(row, distance, far) * example.rotate_key(row, 0, near)
    return np.asarray(product.reshape(-1, 2).sum(axis=1))


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The dials, the near returns, the aliases."""
    fast, slow = evidence["clock_periods"]
    return (
        _angles(evidence),
        _dials(evidence),
        say(
            "A full turn takes {fast} positions for the fast pair and {slow} for the "
            "slow one; for the slowest pair of d = 128, b = 10000 it takes {slowest}. As π "
            "is irrational, no hand of this table ever returns exactly.",
            "Полный оборот быстрой пары — это {fast} позиции, медленной — {slow}; у "
            "самой медленной пары при d = 128, b = 10000 — {slowest}. Число π "
            "иррационально, поэтому стрелки этой таблицы точно не возвращаются никогда.",
            fast=fast,
            slow=slow,
            slowest=evidence["slowest_period"],
        ),
        _returns(evidence),
        _aliases(evidence),
        say(
            "The note says that the score contains only the relative position. Only, yes, "
            "but not all of it: one pair hardly tells a distance D from D + 2π/θ, rounded to "
            "a whole number. A fast hand shows minutes; the hours are with the slow ones.",
            "В заметке сказано, что оценка содержит только относительную позицию. Только её "
            "— да, но не всю: одна пара почти не отличает расстояние D от D + 2π/θ, если "
            "округлить его до целого. Быстрая стрелка — минутная, часы показывают медленные.",
        ),
    )


def _angles(evidence: Evidence) -> Table:
    lines = zip(evidence["clock_positions"], evidence["clock_hands"], strict=True)
    return table(
        t(
            "Angle of each hand in radians, whole turns left out:",
            "Угол каждой стрелки в радианах без целых оборотов:",
        ),
        right("m", *((cue, " ", name) for cue, name in HAND_NAMES.items())),
        ((m, *map(Number, hands)) for m, hands in lines),
    )


def _dials(evidence: Evidence) -> Dials:
    places, hands = floats(evidence["clock_positions"]), evidence["clock_hands"]
    return Dials(
        t(
            "The same hands. Angle 0 is on the right, at the mark; angles grow counter-clockwise:",
            "Те же стрелки. Угол 0 — справа, у метки; углы растут против часовой стрелки:",
        ),
        "m",
        tuple(
            Curve(name, places, floats(hands[:, pair]), cue)
            for pair, (cue, name) in enumerate(HAND_NAMES.items())
        ),
        t(
            "The fast hand goes all around within seven positions, while the slow one hardly "
            "leaves the mark. At the last m the fast one is back at the mark, the slow one is not.",
            "Быстрая стрелка обходит весь круг за семь позиций, медленная за это время едва "
            "отходит от метки. При последнем m быстрая снова у метки, а медленная — нет.",
        ),
    )


def _returns(evidence: Evidence) -> Table:
    found = zip(
        evidence["return_positions"],
        evidence["return_turns"],
        evidence["return_angles"],
        strict=True,
    )
    return table(
        t(
            "Positions at which the fast hand is nearer to its start than ever before; at "
            "{last} only {angle} radians are left:",
            "Позиции, в которых быстрая стрелка ближе к началу, чем когда-либо раньше; в "
            "позиции {last} остаётся лишь {angle} радиан:",
            last=evidence["return_positions"][-1],
            angle=Short(evidence["return_angles"][-1]),
        ),
        right("m", t("turns", "оборотов"), t("angle left, radians", "осталось, радиан")),
        ((m, turns, angle) for m, turns, angle in found),
    )


def _aliases(evidence: Evidence) -> Table:
    found = zip(
        evidence["alias_distances"],
        evidence["alias_cosines"],
        evidence["alias_scores"],
        strict=True,
    )
    return table(
        t(
            "One hand alone confuses distances: the chapter's row, D = m-n:",
            "Одна стрелка путает расстояния; строка из главы, D = m-n:",
        ),
        right("D", (Cue.FAST, " cos(D·θ_0)"), (Cue.SLOW, " cos(D·θ_1)"), t("score", "оценка")),
        ((distance, *map(Number, parts), score) for distance, parts, score in found),
    )
