"""Questions about whole models, caches, few bits and bugs."""

from __future__ import annotations

import numpy as np

from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, count
from rope_cli.document.blocks import Phrase
from rope_cli.rope.reduced_precision import to_bfloat16
from rope_cli.text import Text


def numbers_or_words(draw: Draw) -> Asked:
    """Position numbers against a real prefix."""
    return choice(
        Text(
            en="A decoder whose only position information is RoPE has read six tokens. What "
            "changes its next token?",
            ru="Декодер, который узнаёт о позициях только через RoPE, прочитал шесть токенов. Что "
            "изменит следующий токен?",
        ),
        Text(en="two more words in front", ru="ещё два слова впереди"),
        (
            (
                Text(
                    en="1000 added to every position number",
                    ru="прибавить 1000 к каждому номеру позиции",
                ),
                Text(
                    en="All n-m are the same, layer by layer: the logits stay.",
                    ru="Все n-m прежние, слой за слоем: логиты не изменятся.",
                ),
            ),
            (
                Text(en="both", ru="и то и другое"),
                Text(
                    en="An equal shift of all numbers keeps all n-m.",
                    ru="Одинаковый сдвиг всех номеров сохраняет все n-m.",
                ),
            ),
            (
                Text(en="neither", ru="ни то ни другое"),
                Text(
                    en="New words are new keys in the softmax.",
                    ru="Новые слова — новые ключи в softmax.",
                ),
            ),
        ),
        Text(
            en="Which of the two brings new keys?",
            ru="В каком случае появляются новые ключи?",
        ),
        Text(
            en="Numbers may be shifted, the context may not.",
            ru="Сдвинуть можно номера, но не контекст.",
        ),
        at=3,
    )


def cached_key(draw: Draw) -> Asked:
    """A cached key that is rotated again."""
    n, more = draw.whole(1, 2, 9), draw.whole(4, 3, 9)
    return count(
        Phrase(
            Text(
                en="A key was rotated at position {n} and cached. By mistake it is rotated again, "
                "by {more} positions. At which position does it seem to stand?",
                ru="Ключ повернули в позиции {n} и положили в кэш. По ошибке его повернули ещё "
                "раз, со смещением {more}. В какой позиции он теперь будто бы стоит?",
            ),
            {"n": n, "more": more},
        ),
        n + more,
        (
            Wrong(
                more,
                Text(
                    en="The first rotation is still in it: turns add up.",
                    ru="Первый поворот никуда не делся: углы складываются.",
                ),
            ),
            Wrong(
                n,
                Text(
                    en="It would be so without the second rotation.",
                    ru="Так было бы без второго поворота.",
                ),
            ),
            Wrong(
                n - more,
                Text(
                    en="Both rotations have the same direction.",
                    ru="Оба поворота направлены в одну сторону.",
                ),
            ),
        ),
        Text(en="R(a)R(b) = R(a+b).", ru="R(a)R(b) = R(a+b)."),
        Phrase(
            Text(
                en="R({more})R({n}) = R({both}): cached keys are not rotated again.",
                ru="R({more})R({n}) = R({both}): ключи из кэша снова не поворачивают.",
            ),
            {"n": n, "more": more, "both": n + more},
        ),
    )


def next_position(draw: Draw) -> Asked:
    """What bfloat16 makes of an odd position."""
    position = draw.pick(257, (259, 261, 263, 265, 275))
    return count(
        Phrase(
            Text(
                en="A program keeps positions in bfloat16. What becomes of position {position}?",
                ru="Программа хранит позиции в bfloat16. Во что превратится позиция {position}?",
            ),
            {"position": position},
        ),
        int(to_bfloat16(np.float64(position))),
        (
            Wrong(
                position,
                Text(
                    en="From 256 on only even numbers can be held: 8 bits of significand.",
                    ru="Начиная с 256 хранятся только чётные числа: у мантиссы 8 битов.",
                ),
            ),
            Wrong(
                position + 1 if (position - 1) % 4 == 0 else position - 1,
                Text(
                    en="Half way between two: rounded to the one whose last bit is even.",
                    ru="Ровно посередине: округляется к соседу с чётным последним битом.",
                ),
            ),
        ),
        Text(
            en="8 bits of significand; ties go to the even one.",
            ru="Мантисса — 8 битов; середина округляется к чётному.",
        ),
        Text(
            en="Two positions become one, and their n-m is 0.",
            ru="Две позиции сливаются в одну, и их n-m равна 0.",
        ),
    )


def three_checks(draw: Draw) -> Asked:
    """Checks that even no rotation passes."""
    return choice(
        Text(
            en="Norms are kept, position 0 changes nothing, an equal shift keeps the scores. Is "
            "the rotation right?",
            ru="Нормы сохраняются, позиция 0 ничего не меняет, одинаковый сдвиг сохраняет оценки. "
            "Верен ли поворот?",
        ),
        Text(
            en="not shown: no rotation passes too",
            ru="не доказано: их пройдёт и отсутствие поворота",
        ),
        (
            (
                Text(en="yes, all three hold", ru="да, пройдены все три"),
                Text(
                    en="Clockwise, degrees, a wrong base: all of them pass the three.",
                    ru="По часовой стрелке, в градусах, с другим основанием — все три пройдут.",
                ),
            ),
            (
                Text(
                    en="yes, but for the sign",
                    ru="да, с точностью до знака",
                ),
                Text(
                    en="Not even the speeds are proved by these checks.",
                    ru="Эти проверки не доказывают даже скоростей.",
                ),
            ),
        ),
        Text(
            en="Which of them fails if nothing is rotated?",
            ru="Какая из них не пройдёт, если ничего не поворачивать?",
        ),
        Text(
            en="Compare with the formula, on rows without zeros.",
            ru="Сравнивайте с формулой, на строках без нулей.",
        ),
    )


QUESTIONS = (
    Question("whole-model-1", "whole-model", numbers_or_words),
    Question("cache-1", "cache", cached_key),
    Question("precision-1", "precision", next_position),
    Question("bugs-1", "bugs", three_checks),
)
