"""Questions about whole models, caches, few bits and bugs."""

from __future__ import annotations

import numpy as np

from rope_cli.classroom.compose import choice, count, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.document.vocabulary import t
from rope_cli.rope.reduced_precision import to_bfloat16
from rope_cli.text import counted


@question("whole-model-1", "whole-model")
def numbers_or_words(numbers: Numbers) -> Question:
    """Position numbers against a real prefix."""
    return choice(
        "A decoder uses position numbers only in RoPE. It has read six tokens. What "
        "changes its next token?",
        "Декодер использует номера позиций только в RoPE. Он прочитал шесть токенов. Какое "
        "действие изменит следующий токен?",
        wrong(
            t("1000 added to every position number", "прибавить 1000 к номерам всех позиций"),
            "Every n-m stays the same in every layer, and so do the logits.",
            "Все n-m остаются прежними в каждом слое, а с ними и логиты.",
        ),
        wrong(
            t("both", "и то и другое"),
            "An equal shift of all position numbers keeps every n-m.",
            "Одинаковый сдвиг всех номеров сохраняет все n-m.",
        ),
        right("two more words in front", "поставить впереди ещё два слова"),
        wrong(
            t("neither", "ни то ни другое"),
            "New words bring new keys into the softmax.",
            "С новыми словами в softmax входят новые ключи.",
        ),
        hint=t("Which of the two brings new keys?", "В каком случае появляются новые ключи?"),
        explanation=t(
            "Shifting the numbers changes nothing, but a changed context does.",
            "Сдвиг номеров ничего не меняет, а изменённый контекст — меняет.",
        ),
    )


@question("cache-1", "cache")
def cached_key(numbers: Numbers) -> Question:
    """A cached key that is rotated again."""
    n, more = numbers.whole(1, 2, 9), numbers.whole(4, 3, 9)
    return count(
        "A key was rotated at position {n} and cached. By mistake it is rotated once more, "
        "by {added}. Which position does its rotation correspond to now?",
        "Ключ повернули в позиции {n} и положили в кэш. По ошибке его повернули ещё раз, "
        "на {added}. Какой позиции теперь соответствует его поворот?",
        n + more,
        wrong(
            more,
            "The first rotation was not undone, so the angles add up.",
            "Первый поворот никто не отменял, и углы складываются.",
        ),
        wrong(n, "The second rotation was left out.", "Второй поворот не учтён."),
        wrong(
            n - more,
            "Both rotations go the same way, so their angles are added.",
            "Оба поворота направлены в одну сторону, поэтому углы складываются.",
        ),
        hint=symbols("R(a)R(b) = R(a+b)."),
        explanation=t(
            "R({more})R({n}) = R({both}). A cached key must not be rotated again.",
            "R({more})R({n}) = R({both}). Ключи из кэша снова не поворачивают.",
        ),
        n=n,
        more=more,
        added=counted(more, "position|positions", "позицию|позиции|позиций"),
        both=n + more,
    )


@question("precision-1", "precision")
def next_position(numbers: Numbers) -> Question:
    """What bfloat16 makes of an odd position."""
    position = numbers.pick(257, (259, 261, 263, 265, 275))
    return count(
        "A program keeps positions in bfloat16. Which number does position {position} become?",
        "Программа хранит позиции в bfloat16. В какое число превратится позиция {position}?",
        int(to_bfloat16(np.float64(position))),
        wrong(
            position,
            "From 256 to 512 bfloat16 has only even numbers: its significand has 8 bits.",
            "От 256 до 512 в bfloat16 есть только чётные числа: значащих битов 8.",
        ),
        wrong(
            position + 1 if (position - 1) % 4 == 0 else position - 1,
            "The position is half way between two numbers, so it is rounded to the one whose "
            "last bit is 0.",
            "Позиция ровно посередине между двумя числами, и округляется она к тому, у "
            "которого последний бит равен 0.",
        ),
        hint=t(
            "The significand has 8 bits, of which 7 are stored; ties are rounded to even.",
            "Значащих битов 8 (7 хранятся явно); середина округляется к чётному.",
        ),
        explanation=t(
            "Two different positions have become one number, so between them n-m = 0.",
            "Две разные позиции стали одним числом, и n-m между ними равна 0.",
        ),
        position=position,
    )


@question("bugs-1", "bugs")
def three_checks(numbers: Numbers) -> Question:
    """Checks that even no rotation passes."""
    return choice(
        "Norms are kept, position 0 changes nothing, and an equal shift keeps the scores. "
        "Is the rotation right?",
        "Нормы сохраняются, позиция 0 ничего не меняет, одинаковый сдвиг не меняет оценок. "
        "Верен ли поворот?",
        right(
            "not proved: without any rotation all three hold too",
            "не доказано: всё это верно и тогда, когда поворота нет вовсе",
        ),
        wrong(
            t("yes: all three hold", "да: выполнены все три условия"),
            "A clockwise rotation, degrees or a wrong base would pass all three too.",
            "Эти три проверки пройдут и поворот по часовой стрелке, и градусы вместо радиан, и "
            "другое основание.",
        ),
        wrong(
            t("yes, except perhaps for the sign", "да, разве что с точностью до знака"),
            "These checks do not prove even the speeds.",
            "Даже скорости эти проверки не доказывают.",
        ),
        hint=t(
            "Which of them fails if nothing is rotated?",
            "Какое из них не выполнено, если ничего не поворачивать?",
        ),
        explanation=t(
            "Compare the result with the formula, on rows without zeros.",
            "Сравните результат с формулой на строках без нулей.",
        ),
    )


QUESTIONS = (numbers_or_words, cached_key, next_position, three_checks)
