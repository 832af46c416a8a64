"""Questions about fast and slow pairs of a real model."""

from __future__ import annotations

import math

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, count, number, question, right, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import OTHER_BASE, frequencies
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t

MODEL_WIDTH = 128


@question("bands-1", "bands")
def high_frequencies(numbers: Numbers) -> Question:
    """The names that are easily exchanged."""
    return choice(
        "b = 10000. The early pairs turn fast. Which part of the spectrum are they?",
        "b = 10000. Первые пары поворачиваются быстро. Какие это частоты?",
        wrong(
            t("the low frequencies", "низкие"),
            "Low index, but high frequency: more radians per position.",
            "Номер малый, а частота высокая: больше радиан на позицию.",
        ),
        right("the high frequencies", "высокие"),
        wrong(
            t("none: all have the same frequency", "никакие: частота у всех одна"),
            "That is base 1; here θ falls from pair to pair.",
            "Так при основании 1, а здесь θ убывает от пары к паре.",
        ),
        hint=t(
            "A frequency is the number of turns per position.",
            "Частота — это число оборотов на позицию.",
        ),
        explanation=t(
            "θ_0 = 1 is the highest; the last pair is the slowest, the low frequency.",
            "θ_0 = 1 — самая высокая; последняя пара самая медленная, это низкая частота.",
        ),
    )


@question("bands-2", "bands")
def full_turns(numbers: Numbers) -> Question:
    """How many turns pair 0 makes."""
    length = numbers.pick(4096, (1000, 2048, 8192))
    answer = length / (2 * math.pi)
    return number(
        "How many turns, the fraction included, does pair 0 make in {length} positions?",
        "Сколько оборотов, считая и дробную часть, делает пара 0 за {length} позиций?",
        answer,
        wrong(
            length / math.pi,
            "These are half turns; a turn has 2π radians.",
            "Это половины оборотов, а в обороте 2π радиан.",
        ),
        wrong(length / 360, mistakes.DEGREES),
        wrong(length, "These are radians; divide by 2π.", "Это радианы; разделите на 2π."),
        hint=t("θ_0 = 1 radian per position.", "θ_0 = 1 радиан на позицию."),
        explanation=t(
            "{length}/2π = {answer}; the last pair of d = 128, b = 10000 makes {slow}.",
            "{length}/2π = {answer}; последняя пара при d = 128, b = 10000 — лишь {slow}.",
        ),
        length=length,
        slow=answer * frequencies(MODEL_WIDTH, OTHER_BASE)[-1],
    )


@question("bands-3", "bands")
def unfinished(numbers: Numbers) -> Question:
    """How many pairs never finish a turn."""
    length = numbers.pick(4096, (2048, 8192, 16384, 32768))
    angles = [length * theta for theta in frequencies(MODEL_WIDTH, OTHER_BASE)]
    answer = sum(angle < 2 * math.pi for angle in angles)
    return count(
        "d = {d}, b = {base}: "
        "how many of the pairs do not finish a full turn in {length} positions?",
        "d = {d}, b = {base}: сколько пар не завершает полного оборота за {length} позиций?",
        answer,
        wrong(
            len(angles) - answer,
            "So many do finish a turn.",
            "Столько пар как раз завершает оборот.",
        ),
        wrong(
            sum(angle < math.pi for angle in angles),
            "So many do not finish half a turn; a full turn has 2π radians.",
            "Столько не завершает и половины оборота, а в полном обороте 2π радиан.",
        ),
        wrong(
            2 * answer,
            "Coordinates were counted; a pair has two.",
            "Посчитаны координаты, а в паре их две.",
        ),
        hint=t("Solve L·b^(-2j/d) < 2π for j.", "Решите L·b^(-2j/d) < 2π относительно j."),
        explanation=t(
            "{answer} of {pairs}: neighbouring positions hardly turn them, distances never repeat.",
            "{answer} из {pairs}: "
            "соседние позиции их почти не поворачивают, зато расстояния не повторяются.",
        ),
        d=MODEL_WIDTH,
        base=Short(OTHER_BASE),
        length=length,
        pairs=len(angles),
    )


QUESTIONS = (high_frequencies, full_turns, unfinished)
