"""Questions about fast and slow pairs of a real model."""

from __future__ import annotations

import math

from rope_cli.classroom import explanations
from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, count, number
from rope_cli.classroom.reference_numbers import OTHER_BASE, speeds
from rope_cli.document.blocks import Number, Phrase, Short
from rope_cli.text import Text

MODEL_WIDTH = 128


def high_frequencies(draw: Draw) -> Asked:
    """The names that are easily exchanged."""
    return choice(
        Text(
            en="b = 10000. The early pairs turn fast. Which part of the spectrum are they?",
            ru="b = 10000. Первые пары поворачиваются быстро. Какие это частоты?",
        ),
        Text(en="the high frequencies", ru="высокие"),
        (
            (
                Text(en="the low frequencies", ru="низкие"),
                Text(
                    en="Low index, but high frequency: more radians per position.",
                    ru="Номер малый, а частота высокая: больше радиан на позицию.",
                ),
            ),
            (
                Text(
                    en="none: all have the same frequency",
                    ru="никакие: частота у всех одна",
                ),
                Text(
                    en="That is base 1; here θ falls from pair to pair.",
                    ru="Так при основании 1, а здесь θ убывает от пары к паре.",
                ),
            ),
        ),
        Text(
            en="A frequency is the number of turns per position.",
            ru="Частота — это число оборотов на позицию.",
        ),
        Text(
            en="θ_0 = 1 is the highest; the last pair is the slowest, the low frequency.",
            ru="θ_0 = 1 — самая высокая; последняя пара самая медленная, это низкая частота.",
        ),
        at=2,
    )


def full_turns(draw: Draw) -> Asked:
    """How many turns pair 0 makes."""
    length = draw.pick(4096, (1000, 2048, 8192))
    answer = length / (2 * math.pi)
    return number(
        Phrase(
            Text(
                en="How many turns, the fraction included, does pair 0 make in {length} positions?",
                ru="Сколько оборотов, считая и дробную часть, делает пара 0 за {length} позиций?",
            ),
            {"length": length},
        ),
        answer,
        (
            Wrong(
                length / math.pi,
                Text(
                    en="These are half turns; a turn has 2π radians.",
                    ru="Это половины оборотов, а в обороте 2π радиан.",
                ),
            ),
            Wrong(length / 360, explanations.DEGREES),
            Wrong(
                length,
                Text(
                    en="These are radians; divide by 2π.",
                    ru="Это радианы; разделите на 2π.",
                ),
            ),
        ),
        Text(en="θ_0 = 1 radian per position.", ru="θ_0 = 1 радиан на позицию."),
        Phrase(
            Text(
                en="{length}/2π = {answer}; the last pair of d = 128, b = 10000 makes {slow}.",
                ru="{length}/2π = {answer}; последняя пара при d = 128, b = 10000 — лишь {slow}.",
            ),
            {
                "length": length,
                "answer": Number(answer),
                "slow": Number(answer * speeds(MODEL_WIDTH, OTHER_BASE)[-1]),
            },
        ),
    )


def unfinished(draw: Draw) -> Asked:
    """How many pairs never finish a turn."""
    length = draw.pick(4096, (2048, 8192, 16384, 32768))
    angles = [length * theta for theta in speeds(MODEL_WIDTH, OTHER_BASE)]
    answer = sum(angle < 2 * math.pi for angle in angles)
    return count(
        Phrase(
            Text(
                en="d = {d}, b = {base}: how many of the pairs do not finish a full turn in "
                "{length} positions?",
                ru="d = {d}, b = {base}: сколько пар не завершает полного оборота за {length} "
                "позиций?",
            ),
            {"d": MODEL_WIDTH, "base": Short(OTHER_BASE), "length": length},
        ),
        answer,
        (
            Wrong(
                len(angles) - answer,
                Text(
                    en="So many do finish a turn.",
                    ru="Столько пар как раз завершает оборот.",
                ),
            ),
            Wrong(
                sum(angle < math.pi for angle in angles),
                Text(
                    en="So many do not finish half a turn; a full turn has 2π radians.",
                    ru="Столько не завершает и половины оборота, а в полном обороте 2π радиан.",
                ),
            ),
            Wrong(
                2 * answer,
                Text(
                    en="Coordinates were counted; a pair has two.",
                    ru="Посчитаны координаты, а в паре их две.",
                ),
            ),
        ),
        Text(
            en="Solve L·b^(-2j/d) < 2π for j.",
            ru="Решите L·b^(-2j/d) < 2π относительно j.",
        ),
        Phrase(
            Text(
                en="{answer} of {pairs}: neighbouring positions hardly turn them, distances never "
                "repeat.",
                ru="{answer} из {pairs}: соседние позиции их почти не поворачивают, зато "
                "расстояния не повторяются.",
            ),
            {"answer": answer, "pairs": len(angles)},
        ),
    )


QUESTIONS = (
    Question("bands-1", "bands", high_frequencies),
    Question("bands-2", "bands", full_turns),
    Question("bands-3", "bands", unfinished),
)
