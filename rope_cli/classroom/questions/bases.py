"""Questions about bases and longer contexts."""

from __future__ import annotations

import math

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, number, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.reference_numbers import OTHER_BASE
from rope_cli.document.blocks import Short
from rope_cli.document.vocabulary import t
from rope_cli.example import reference
from rope_cli.rope.scaling import Linear, NtkAware

WIDTH = 128


@question("base-1", "base")
def greater_base(numbers: Numbers) -> Question:
    """How much slower the last pair becomes with a greater base."""
    base = numbers.pick(500000.0, (20000.0, 100000.0, 1000000.0))
    last = WIDTH // 2 - 1
    speed, before = (reference.inverse_frequency(last, WIDTH, b) for b in (base, OTHER_BASE))
    ratio = before / speed
    return number(
        "d = {d}. The base grows from {before} to {base}. By which factor does the last "
        "pair become slower?",
        "d = {d}. Основание выросло с {before} до {base}. Во сколько раз медленнее стала "
        "последняя пара?",
        ratio,
        wrong(
            base / OTHER_BASE,
            "The exponent of the last pair is -{part}/{d}, not -1.",
            "Показатель у последней пары -{part}/{d}, а не -1.",
        ),
        wrong(
            1.0,
            "This holds for pair 0: θ_0 = 1 whatever the base.",
            "Так у пары 0: θ_0 = 1 при любом основании.",
        ),
        wrong(math.sqrt(ratio), mistakes.HALF_EXPONENT),
        wrong(1 / ratio, mistakes.EXPONENT_SIGN),
        hint=t("Put j = {last} in b^(-2j/d).", "Подставьте j = {last} в b^(-2j/d)."),
        explanation=t(
            "(b'/b)^({part}/{d}) = {ratio}, while pair 0 keeps its speed of 1.",
            "(b'/b)^({part}/{d}) = {ratio}, а скорость пары 0 по-прежнему равна 1.",
        ),
        d=WIDTH,
        before=Short(OTHER_BASE),
        base=int(base),
        part=2 * last,
        last=last,
        ratio=ratio,
    )


@question("base-2", "base")
def base_below_one(numbers: Numbers) -> Question:
    """Which pair is fast for a base below 1."""
    return choice(
        "The base is 0.01. Which pair rotates fastest?",
        "Основание равно 0.01. Какая пара поворачивается быстрее всех?",
        wrong(
            t("pair 0", "пара 0"),
            "That is so only if the base is above 1.",
            "Так бывает, только если основание больше 1.",
        ),
        right("the last one", "последняя"),
        wrong(
            t("all pairs are equally fast", "все одинаково быстры"),
            "That is so only if the base is 1.",
            "Так бывает, только если основание равно 1.",
        ),
        wrong(
            t("none: such a base is refused", "никакая: такое основание не принимают"),
            "Every positive base is accepted, as long as every angle stays finite.",
            "Допустимо любое положительное основание, пока все углы конечны.",
        ),
        hint=t("Is 0.01^(-2j/d) larger or smaller than 1?", "0.01^(-2j/d) больше 1 или меньше?"),
        explanation=t(
            "θ_0 = 1, and every later pair is faster than the one before.",
            "θ_0 = 1, и каждая следующая пара быстрее предыдущей.",
        ),
    )


@question("extension-1", "extension")
def ntk_base(numbers: Numbers) -> Question:
    """The base of NTK-aware scaling."""
    s = numbers.pick(4, (2, 3, 8, 16))
    answer = NtkAware(s).base(WIDTH, OTHER_BASE)
    return number(
        "d = {d}, b = {b}, and the context becomes s = {s} times as long. Which base does "
        "NTK-aware scaling use?",
        "d = {d}, b = {b}, а контекст удлиняется в s раз, s = {s}. Какое основание берут "
        "при NTK-масштабировании?",
        answer,
        wrong(
            OTHER_BASE * s,
            "b·s was used. The base is b·s^(d/(d-2)), so that the last pair becomes s times "
            "slower.",
            "Взято b·s, а нужно b·s^(d/(d-2)): тогда последняя пара замедлится в s раз.",
        ),
        wrong(
            OTHER_BASE,
            "Interpolation of positions keeps the base, but NTK-aware scaling changes it.",
            "Основание сохраняется при интерполяции позиций, а здесь оно меняется.",
        ),
        wrong(
            OTHER_BASE * s ** ((WIDTH - 2) / WIDTH),
            "The exponent was inverted: it is d/(d-2).",
            "Показатель перевёрнут, а нужен d/(d-2).",
        ),
        wrong(
            OTHER_BASE * s ** ((WIDTH // 2) / (WIDTH // 2 - 2)),
            "The number of pairs was used in place of d.",
            "Вместо d взято число пар.",
        ),
        hint=t(
            "The speed of the last pair, b^(-(d-2)/d), has to become s times smaller.",
            "Скорость последней пары, b^(-(d-2)/d), должна уменьшиться в s раз.",
        ),
        explanation=symbols("{b}·{s}^({d}/{part}) = {answer}."),
        d=WIDTH,
        b=Short(OTHER_BASE),
        s=s,
        part=WIDTH - 2,
    )


@question("extension-2", "extension")
def ntk_ratio(numbers: Numbers) -> Question:
    """How much a middle pair is slowed by NTK-aware scaling."""
    s = numbers.pick(4.0, (2.0, 8.0, 16.0))
    pair = numbers.whole(31, 10, 50)
    theta = [reference.inverse_frequency(j, WIDTH, OTHER_BASE) for j in range(WIDTH // 2)]
    answer = float(NtkAware(s).scaled(WIDTH, OTHER_BASE).inverse_frequencies[pair]) / theta[pair]
    linear = float(Linear(s).scaled(WIDTH, OTHER_BASE).inverse_frequencies[pair]) / theta[pair]
    naive = reference.inverse_frequency(pair, WIDTH, OTHER_BASE * s) / theta[pair]
    return number(
        "NTK-aware scaling with d = {d}, b = {b}, s = {s}. By which factor is the speed of "
        "pair {pair} multiplied?",
        "NTK-масштабирование, d = {d}, b = {b}, s = {s}. На какой множитель умножается "
        "скорость пары {pair}?",
        answer,
        wrong(
            linear,
            "1/s belongs to position interpolation, which slows all pairs equally.",
            "1/s — множитель интерполяции позиций, которая замедляет все пары одинаково.",
        ),
        wrong(
            naive,
            "The base was taken as b·s instead of b·s^(d/(d-2)).",
            "Основание взято равным b·s вместо b·s^(d/(d-2)).",
        ),
        wrong(1.0, "Only pair 0 keeps its speed.", "Скорость сохраняет только пара 0."),
        wrong(
            1 / answer,
            "The pair becomes slower, not faster.",
            "Пара становится медленнее, а не быстрее.",
        ),
        hint=symbols("s^(-2j/(d-2))."),
        explanation=t(
            "s^(-2j/(d-2)) lies between 1, for pair 0, and 1/s, for the last pair.",
            "s^(-2j/(d-2)) лежит между 1 у пары 0 и 1/s у последней.",
        ),
        d=WIDTH,
        b=Short(OTHER_BASE),
        s=Short(s),
        pair=pair,
    )


QUESTIONS = (greater_base, base_below_one, ntk_base, ntk_ratio)
