"""Pairs as clock hands: periods, near returns, and what one hand alone cannot tell apart."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Cue, Curve, Dials, Short, Table
from rope_cli.document.charts import floats
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Example
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH, key_rows, query_rows

TITLE = t("Pairs as clock hands", "Пары как стрелки часов")
QUESTION = t(
    "The hand of the fast pair moves by 1 radian per position. After how many positions does it "
    "stand exactly where it began?",
    "Стрелка быстрой пары сдвигается на 1 радиан за позицию. Через сколько позиций она окажется "
    "ровно там, где начала?",
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
POSITIONS = range(1001)
SHOWN = (0, 1, 3, 6, 7, 13, 44, 63, 710)
MARKS = 12
ALIASES = (1, 45, 711)
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
    aliases = query_rows(example, FIRST_COLUMN, ALIASES, base)
    products = aliases * key_rows(example, FIRST_COLUMN, [0], base)
    cosines = products.reshape(len(ALIASES), -1, 2).sum(axis=-1)
    scores = cosines.sum(axis=1)
    slowest = reference.inverse_frequency(MODEL_WIDTH // 2 - 1, MODEL_WIDTH, MODEL_BASE)
    return Evidence(
        values={
            "clock_positions": list(SHOWN),
            "clock_hands": shown,
            "clock_marks": (MARKS * shown / math.tau).astype(int) % MARKS,
            "clock_periods": math.tau / angles[1],
            "slowest_period": math.tau / slowest,
            "return_positions": records,
            "return_turns": np.round(angles[records, 0] / math.tau).astype(int),
            "return_angles": hands[records, 0],
            "alias_distances": list(ALIASES),
            "alias_cosines": cosines,
            "alias_scores": scores,
        },
        checks=(
            agree("hands-by-remainder", hands, remainders, 1e-12),
            Check("never-exactly-back", float(nearest[-1]), 1e-5, nearest.size, "at least"),
            agree("nearest-return", [last, hands[last, 0]], [710, 710 - 113 * math.tau], 1e-9),
            agree("alias", cosines[:1, 0], cosines[-1:, 0], 1e-4),
            differ("two-hands-tell", scores[:1], scores[-1:], 0.1),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The dials, the near returns, the aliases."""
    fast, slow = evidence["clock_periods"]
    return (
        table(
            t(
                "Angle of each hand in radians, whole turns left out:",
                "Угол каждой стрелки в радианах без целых оборотов:",
            ),
            right("m", *((cue, " ", name) for cue, name in HAND_NAMES.items())),
            zip(evidence["clock_positions"], *evidence["clock_hands"].T, strict=True),
        ),
        _dials(evidence),
        say(
            "A full turn takes {fast} positions for the fast pair and {slow} for the slow one; for "
            "the slowest pair of d = 128, b = 10000 it takes {slowest}. As π is irrational, no "
            "hand of this table ever returns exactly.",
            "Полный оборот быстрой пары — это {fast} позиции, медленной — {slow}; у самой "
            "медленной пары при d = 128, b = 10000 — {slowest}. Число π иррационально, поэтому "
            "стрелки этой таблицы точно не возвращаются никогда.",
            fast=fast,
            slow=slow,
            slowest=evidence["slowest_period"],
        ),
        _returns(evidence),
        _aliases(evidence),
        say(
            "The note says that the score contains only the relative position. Only, yes, but not "
            "all of it: one pair hardly tells a distance D from D + 2π/θ, rounded to a whole "
            "number. A fast hand shows minutes; the hours are with the slow ones.",
            "В заметке сказано, что оценка содержит только относительную позицию. Только её — да, "
            "но не всю: одна пара почти не отличает расстояние D от D + 2π/θ, если округлить его "
            "до целого. Быстрая стрелка — минутная, часы показывают медленные.",
        ),
    )


def _dials(evidence: Evidence) -> Dials:
    positions, hands = floats(evidence["clock_positions"]), evidence["clock_hands"].T
    return Dials(
        t(
            "The same hands. Angle 0 is on the right, at the mark; angles grow counter-clockwise:",
            "Те же стрелки. Угол 0 — справа, у метки; углы растут против часовой стрелки:",
        ),
        "m",
        tuple(
            Curve(name, positions, floats(angles), cue)
            for (cue, name), angles in zip(HAND_NAMES.items(), hands, strict=True)
        ),
        t(
            "The fast hand goes all around within seven positions, while the slow one hardly "
            "leaves the mark. At the last m the fast one is back at the mark, the slow one is not.",
            "Быстрая стрелка обходит весь круг за семь позиций, медленная за это время едва "
            "отходит от метки. При последнем m быстрая снова у метки, а медленная — нет.",
        ),
    )


def _returns(evidence: Evidence) -> Table:
    positions, angles = evidence["return_positions"], evidence["return_angles"]
    return table_by_columns(
        t(
            "Positions at which the fast hand is nearer to its start than ever before; at {last} "
            "only {angle} radians are left:",
            "Позиции, в которых быстрая стрелка ближе к началу, чем когда-либо раньше; в позиции "
            "{last} остаётся лишь {angle} радиан:",
            last=positions[-1],
            angle=Short(angles[-1]),
        ),
        ("m", positions),
        (t("turns", "оборотов"), evidence["return_turns"]),
        (t("angle left, radians", "осталось, радиан"), angles),
    )


def _aliases(evidence: Evidence) -> Table:
    fast, slow = evidence["alias_cosines"].T
    return table_by_columns(
        t(
            "One hand alone confuses distances: the chapter's row, D = m-n:",
            "Одна стрелка путает расстояния; строка из главы, D = m-n:",
        ),
        ("D", evidence["alias_distances"]),
        ((Cue.FAST, " cos(D·θ_0)"), fast),
        ((Cue.SLOW, " cos(D·θ_1)"), slow),
        (t("score", "оценка"), evidence["alias_scores"]),
    )
