"""Questions about whole models, caches, few bits and bugs."""

from __future__ import annotations

import numpy as np

from rope_cli.classroom.compose import choice, count, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.document.vocabulary import t
from rope_cli.rope.reduced_precision import to_bfloat16


@question("whole-model-1", "whole-model")
def numbers_or_words(numbers: Numbers) -> Question:
    """Position numbers against a real prefix."""
    return choice(
        "A decoder whose only position information is RoPE has read six tokens. "
        "What changes its next token?",
        "Декодер, который узнаёт о позициях только через RoPE, прочитал шесть токенов. "
        "Что изменит следующий токен?",
        wrong(
            t("1000 added to every position number", "прибавить 1000 к каждому номеру позиции"),
            "All n-m are the same, layer by layer: the logits stay.",
            "Все n-m прежние, слой за слоем: логиты не изменятся.",
        ),
        wrong(
            t("both", "и то и другое"),
            "An equal shift of all numbers keeps all n-m.",
            "Одинаковый сдвиг всех номеров сохраняет все n-m.",
        ),
        right("two more words in front", "ещё два слова впереди"),
        wrong(
            t("neither", "ни то ни другое"),
            "New words are new keys in the softmax.",
            "Новые слова — новые ключи в softmax.",
        ),
        hint=t("Which of the two brings new keys?", "В каком случае появляются новые ключи?"),
        explanation=t(
            "Numbers may be shifted, the context may not.", "Сдвинуть можно номера, но не контекст."
        ),
    )


@question("cache-1", "cache")
def cached_key(numbers: Numbers) -> Question:
    """A cached key that is rotated again."""
    n, more = numbers.whole(1, 2, 9), numbers.whole(4, 3, 9)
    return count(
        "A key was rotated at position {n} and cached. By mistake it is rotated again, "
        "by {more} positions. At which position does it seem to stand?",
        "Ключ повернули в позиции {n} и положили в кэш. По ошибке его повернули ещё раз, "
        "со смещением {more}. В какой позиции он теперь будто бы стоит?",
        n + more,
        wrong(
            more,
            "The first rotation is still in it: turns add up.",
            "Первый поворот никуда не делся: углы складываются.",
        ),
        wrong(
            n, "It would be so without the second rotation.", "Так было бы без второго поворота."
        ),
        wrong(
            n - more,
            "Both rotations have the same direction.",
            "Оба поворота направлены в одну сторону.",
        ),
        hint=symbols("R(a)R(b) = R(a+b)."),
        explanation=t(
            "R({more})R({n}) = R({both}): cached keys are not rotated again.",
            "R({more})R({n}) = R({both}): ключи из кэша снова не поворачивают.",
        ),
        n=n,
        more=more,
        both=n + more,
    )


@question("precision-1", "precision")
def next_position(numbers: Numbers) -> Question:
    """What bfloat16 makes of an odd position."""
    position = numbers.pick(257, (259, 261, 263, 265, 275))
    return count(
        "A program keeps positions in bfloat16. What becomes of position {position}?",
        "Программа хранит позиции в bfloat16. Во что превратится позиция {position}?",
        int(to_bfloat16(np.float64(position))),
        wrong(
            position,
            "From 256 on only even numbers can be held: 8 bits of significand.",
            "Начиная с 256 хранятся только чётные числа: у мантиссы 8 битов.",
        ),
        wrong(
            position + 1 if (position - 1) % 4 == 0 else position - 1,
            "Half way between two: rounded to the one whose last bit is even.",
            "Ровно посередине: округляется к соседу с чётным последним битом.",
        ),
        hint=t(
            "8 bits of significand; ties go to the even one.",
            "Мантисса — 8 битов; середина округляется к чётному.",
        ),
        explanation=t(
            "Two positions become one, and their n-m is 0.",
            "Две позиции сливаются в одну, и их n-m равна 0.",
        ),
        position=position,
    )


@question("bugs-1", "bugs")
def three_checks(numbers: Numbers) -> Question:
    """Checks that even no rotation passes."""
    return choice(
        "Norms are kept, position 0 changes nothing, an equal shift keeps the scores. "
        "Is the rotation right?",
        "Нормы сохраняются, позиция 0 ничего не меняет, "
        "одинаковый сдвиг сохраняет оценки. Верен ли поворот?",
        right("not shown: no rotation passes too", "не доказано: их пройдёт и отсутствие поворота"),
        wrong(
            t("yes, all three hold", "да, пройдены все три"),
            "Clockwise, degrees, a wrong base: all of them pass the three.",
            "По часовой стрелке, в градусах, с другим основанием — все три пройдут.",
        ),
        wrong(
            t("yes, but for the sign", "да, с точностью до знака"),
            "Not even the speeds are proved by these checks.",
            "Эти проверки не доказывают даже скоростей.",
        ),
        hint=t(
            "Which of them fails if nothing is rotated?",
            "Какая из них не пройдёт, если ничего не поворачивать?",
        ),
        explanation=t(
            "Compare with the formula, on rows without zeros.",
            "Сравнивайте с формулой, на строках без нулей.",
        ),
    )


QUESTIONS = (numbers_or_words, cached_key, next_position, three_checks)
