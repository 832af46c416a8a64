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
        "d = {d}. The base grows from {before} to {base}. "
        "How many times as slowly does the last pair turn?",
        "d = {d}. Основание выросло с {before} до {base}. "
        "Во сколько раз медленнее поворачивается последняя пара?",
        ratio,
        wrong(
            base / OTHER_BASE,
            "The exponent of the last pair is -{part}/{d}, not -1.",
            "Показатель у последней пары -{part}/{d}, а не -1.",
        ),
        wrong(
            1.0,
            "That is pair 0: θ_0 = 1 for every base.",
            "Так у пары 0: θ_0 = 1 при любом основании.",
        ),
        wrong(math.sqrt(ratio), mistakes.HALF_EXPONENT),
        wrong(1 / ratio, mistakes.EXPONENT_SIGN),
        hint=t("j = {last} in b^(-2j/d).", "j = {last} в b^(-2j/d)."),
        explanation=t(
            "(b'/b)^({part}/{d}) = {ratio}; pair 0 keeps its speed of 1.",
            "(b'/b)^({part}/{d}) = {ratio}; скорость пары 0 по-прежнему равна 1.",
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
        "The base is 0.01. Which pair turns fastest?",
        "Основание равно 0.01. Какая пара поворачивается быстрее всех?",
        wrong(
            t("pair 0", "пара 0"),
            "That is so for a base above 1 only.",
            "Так бывает лишь при основании больше 1.",
        ),
        right("the last one", "последняя"),
        wrong(
            t("all turn alike", "все одинаково"),
            "That is so for base 1.",
            "Так бывает при основании 1.",
        ),
        wrong(
            t("none: it is refused", "никакая: его отклонят"),
            "Any finite positive base is accepted.",
            "Допустимо любое конечное положительное основание.",
        ),
        hint=t("Is 0.01^(-2j/d) more or less than 1?", "0.01^(-2j/d) больше 1 или меньше?"),
        explanation=t(
            "θ_0 = 1 and every later pair is faster.", "θ_0 = 1, и каждая следующая пара быстрее."
        ),
    )


@question("extension-1", "extension")
def ntk_base(numbers: Numbers) -> Question:
    """The base of NTK-aware scaling."""
    s = numbers.pick(4, (2, 3, 8, 16))
    answer = NtkAware(s).base(WIDTH, OTHER_BASE)
    return number(
        "d = {d}, b = {b}; a context s = {s} times as long. "
        "Which base does NTK-aware scaling take?",
        "d = {d}, b = {b}; контекст удлиняется, s = {s}. "
        "Какое основание берёт NTK-масштабирование?",
        answer,
        wrong(
            OTHER_BASE * s,
            "b·s was taken; it is b·s^(d/(d-2)), so that the last pair slows by s.",
            "Взято b·s, а нужно b·s^(d/(d-2)), чтобы последняя пара замедлилась в s раз.",
        ),
        wrong(
            OTHER_BASE,
            "This base is for interpolation of positions, which keeps the base.",
            "Основание не меняется при интерполяции позиций, а здесь меняется.",
        ),
        wrong(
            OTHER_BASE * s ** ((WIDTH - 2) / WIDTH),
            "The exponent is turned over: it is d/(d-2).",
            "Показатель перевёрнут: нужен d/(d-2).",
        ),
        wrong(
            OTHER_BASE * s ** ((WIDTH // 2) / (WIDTH // 2 - 2)),
            "The number of pairs was taken for d.",
            "Вместо d взято число пар.",
        ),
        hint=t(
            "The last pair, b^(-(d-2)/d), is to turn s times as slowly.",
            "Последняя пара, b^(-(d-2)/d), должна замедлиться в s раз.",
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
        "NTK-aware scaling, d = {d}, b = {b}, s = {s}. "
        "By which factor is the speed of pair {pair} multiplied?",
        "NTK-масштабирование, d = {d}, b = {b}, s = {s}. "
        "На какой множитель умножается скорость пары {pair}?",
        answer,
        wrong(
            linear,
            "1/s is linear interpolation, which slows all pairs alike.",
            "1/s — это линейная интерполяция: она замедляет все пары одинаково.",
        ),
        wrong(
            naive,
            "This is base b·s; it is b·s^(d/(d-2)).",
            "Это при основании b·s, а нужно b·s^(d/(d-2)).",
        ),
        wrong(1.0, "Only pair 0 keeps its speed.", "Скорость сохраняет только пара 0."),
        wrong(
            1 / answer,
            "The pair becomes slower, not faster.",
            "Пара становится медленнее, а не быстрее.",
        ),
        hint=symbols("s^(-2j/(d-2))."),
        explanation=t(
            "{answer}: between 1 for pair 0 and 1/s for the last one.",
            "{answer}: между 1 у пары 0 и 1/s у последней.",
        ),
        d=WIDTH,
        b=Short(OTHER_BASE),
        s=Short(s),
        pair=pair,
    )


QUESTIONS = (greater_base, base_below_one, ntk_base, ntk_ratio)
