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
        "b = 10000, and the first pairs rotate fast. Which frequencies are theirs?",
        "b = 10000, и первые пары поворачиваются быстро. Какие у них частоты?",
        wrong(
            t("the low ones", "низкие"),
            "Their index is low, but their frequency is high: they make more radians per position.",
            "Низкий у них номер, а частота высокая: больше радиан за позицию.",
        ),
        right("the high ones", "высокие"),
        wrong(
            t("neither: all pairs have the same frequency", "у всех пар частота одна"),
            "That is so at base 1, but here θ falls from pair to pair.",
            "Так было бы при основании 1, а здесь θ убывает от пары к паре.",
        ),
        hint=t(
            "The frequency is the angle per position.",
            "Частота — это угол за одну позицию.",
        ),
        explanation=t(
            "θ_0 = 1 is the highest frequency; the last pair has the lowest and is the slowest.",
            "Самая высокая частота — θ_0 = 1; у последней, самой медленной пары она самая низкая.",
        ),
    )


@question("bands-2", "bands")
def full_turns(numbers: Numbers) -> Question:
    """How many full circles pair 0 makes."""
    length = numbers.pick(4096, (1000, 2048, 8192))
    answer = length / (2 * math.pi)
    return number(
        "How many full circles, not rounded to a whole number, does pair 0 make in {length} "
        "positions?",
        "Сколько оборотов, считая и дробную часть, делает пара 0 за {length} позиций?",
        answer,
        wrong(
            length / math.pi,
            "These are half circles; a full circle is 2π radians.",
            "Это половины оборотов, а полный оборот — 2π радиан.",
        ),
        wrong(length / 360, mistakes.DEGREES),
        wrong(length, "These are radians; divide by 2π.", "Это радианы; разделите на 2π."),
        hint=t("θ_0 = 1 radian per position.", "За позицию θ_0 = 1 радиан."),
        explanation=t(
            "{length}/2π = {answer}, while the last pair at d = 128, b = 10000 makes {slow}.",
            "{length}/2π = {answer}, а последняя пара при d = 128, b = 10000 делает всего "
            "{slow} оборота.",
        ),
        length=length,
        slow=answer * frequencies(MODEL_WIDTH, OTHER_BASE)[-1],
    )


@question("bands-3", "bands")
def unfinished(numbers: Numbers) -> Question:
    """How many pairs complete no full circle."""
    length = numbers.pick(4096, (2048, 8192, 16384, 32768))
    angles = [length * theta for theta in frequencies(MODEL_WIDTH, OTHER_BASE)]
    answer = sum(angle < 2 * math.pi for angle in angles)
    return count(
        "How many of the pairs do not complete a full circle in {length} positions at d = "
        "{d}, b = {base}?",
        "Сколько пар не завершает полного оборота за {length} позиций при d = {d}, b = {base}?",
        answer,
        wrong(
            len(angles) - answer,
            "This many pairs do complete a full circle.",
            "Столько пар как раз завершает полный оборот.",
        ),
        wrong(
            sum(angle < math.pi for angle in angles),
            "This many do not complete even half a circle, but a full circle is 2π radians.",
            "Столько пар не завершает и половины оборота, а полный оборот — 2π радиан.",
        ),
        wrong(
            2 * answer,
            "Coordinates were counted, but a pair has two of them.",
            "Посчитаны координаты, а в паре их две.",
        ),
        hint=t("Solve L·b^(-2j/d) < 2π for j.", "Решите L·b^(-2j/d) < 2π относительно j."),
        explanation=t(
            "These are the slowest of the {pairs} pairs. Over {length} positions their angles "
            "never repeat, though a cosine can repeat once its angle exceeds π.",
            "Это самые медленные пары из {pairs}. За {length} позиций их углы не "
            "повторяются, но косинус может повториться, когда угол больше π.",
        ),
        d=MODEL_WIDTH,
        base=Short(OTHER_BASE),
        length=length,
        pairs=len(angles),
    )


QUESTIONS = (high_frequencies, full_turns, unfinished)
