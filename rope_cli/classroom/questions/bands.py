"""Questions about fast and slow pairs of a real model."""

from __future__ import annotations

import math

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, count, number
from rope_cli.classroom.reference_numbers import OTHER_BASE, speeds
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t

MODEL_WIDTH = 128


def high_frequencies(draw: Draw) -> Asked:
    """The names that are easily exchanged."""
    return choice(
        t(
            "b = 10000. The early pairs turn fast. Which part of the spectrum are they?",
            "b = 10000. Первые пары поворачиваются быстро. Какие это частоты?",
        ),
        t("the high frequencies", "высокие"),
        (
            (
                t("the low frequencies", "низкие"),
                t(
                    "Low index, but high frequency: more radians per position.",
                    "Номер малый, а частота высокая: больше радиан на позицию.",
                ),
            ),
            (
                t("none: all have the same frequency", "никакие: частота у всех одна"),
                t(
                    "That is base 1; here θ falls from pair to pair.",
                    "Так при основании 1, а здесь θ убывает от пары к паре.",
                ),
            ),
        ),
        t(
            "A frequency is the number of turns per position.",
            "Частота — это число оборотов на позицию.",
        ),
        t(
            "θ_0 = 1 is the highest; the last pair is the slowest, the low frequency.",
            "θ_0 = 1 — самая высокая; последняя пара самая медленная, это низкая частота.",
        ),
        at=2,
    )


def full_turns(draw: Draw) -> Asked:
    """How many turns pair 0 makes."""
    length = draw.pick(4096, (1000, 2048, 8192))
    answer = length / (2 * math.pi)
    return number(
        t(
            "How many turns, the fraction included, does pair 0 make in {length} positions?",
            "Сколько оборотов, считая и дробную часть, делает пара 0 за {length} позиций?",
            length=length,
        ),
        answer,
        (
            Wrong(
                length / math.pi,
                t(
                    "These are half turns; a turn has 2π radians.",
                    "Это половины оборотов, а в обороте 2π радиан.",
                ),
            ),
            Wrong(length / 360, explanations.DEGREES),
            Wrong(
                length,
                t("These are radians; divide by 2π.", "Это радианы; разделите на 2π."),
            ),
        ),
        t("θ_0 = 1 radian per position.", "θ_0 = 1 радиан на позицию."),
        t(
            "{length}/2π = {answer}; the last pair of d = 128, b = 10000 makes {slow}.",
            "{length}/2π = {answer}; последняя пара при d = 128, b = 10000 — лишь {slow}.",
            length=length,
            answer=answer,
            slow=answer * speeds(MODEL_WIDTH, OTHER_BASE)[-1],
        ),
    )


def unfinished(draw: Draw) -> Asked:
    """How many pairs never finish a turn."""
    length = draw.pick(4096, (2048, 8192, 16384, 32768))
    angles = [length * theta for theta in speeds(MODEL_WIDTH, OTHER_BASE)]
    answer = sum(angle < 2 * math.pi for angle in angles)
    return count(
        t(
            "d = {d}, b = {base}: how many of the pairs do not finish a full turn in "
            "{length} positions?",
            "d = {d}, b = {base}: сколько пар не завершает полного оборота за {length} позиций?",
            d=MODEL_WIDTH,
            base=Short(OTHER_BASE),
            length=length,
        ),
        answer,
        (
            Wrong(
                len(angles) - answer,
                t("So many do finish a turn.", "Столько пар как раз завершает оборот."),
            ),
            Wrong(
                sum(angle < math.pi for angle in angles),
                t(
                    "So many do not finish half a turn; a full turn has 2π radians.",
                    "Столько не завершает и половины оборота, а в полном обороте 2π радиан.",
                ),
            ),
            Wrong(
                2 * answer,
                t(
                    "Coordinates were counted; a pair has two.",
                    "Посчитаны координаты, а в паре их две.",
                ),
            ),
        ),
        t("Solve L·b^(-2j/d) < 2π for j.", "Решите L·b^(-2j/d) < 2π относительно j."),
        t(
            "{answer} of {pairs}: neighbouring positions hardly turn them, distances never repeat.",
            "{answer} из {pairs}: соседние позиции их почти не поворачивают, зато "
            "расстояния не повторяются.",
            answer=answer,
            pairs=len(angles),
        ),
    )


QUESTIONS = (
    Question("bands-1", "bands", high_frequencies),
    Question("bands-2", "bands", full_turns),
    Question("bands-3", "bands", unfinished),
)
