"""The chapter's nine exercises and its misconception."""

from __future__ import annotations

import math

from rope_cli.classroom import mistakes
from rope_cli.classroom.compose import choice, count, number, question, right, symbols, wrong
from rope_cli.classroom.question import Numbers, Question
from rope_cli.classroom.questions.rotations import pair_score
from rope_cli.classroom.reference_numbers import (
    BASE,
    dot,
    format_positions,
    format_row,
    frequencies,
    multiply,
    rotate_row,
    score,
    score_at_angles,
)
from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_QUERY, as_array
from rope_cli.experiments.bugs import Rotate, one_position_late, reflection, sine_cosine_exchanged

SLUG = "exercises"


@question("exercise-1", SLUG)
def identity(numbers: Numbers) -> Question:
    """Position 0 changes nothing."""
    row = numbers.row(GENERIC_QUERY)
    answer = rotate_row(row, 0)[1]

    def mistaken(bug: Rotate) -> float:
        return float(bug(as_array([row]), as_array([0]), 4, BASE)[0][1])

    return number(
        "The row {row} is at position 0. What is its second coordinate after the rotation?",
        "Строка {row} стоит в позиции 0. Чему равна её вторая координата после поворота?",
        answer,
        wrong(
            mistaken(sine_cosine_exchanged),
            "Sine and cosine were swapped: cos 0 = 1, sin 0 = 0.",
            "Синус и косинус переставлены: cos 0 = 1, sin 0 = 0.",
        ),
        wrong(
            mistaken(reflection),
            "This is a reflection. A rotation by the angle 0 changes nothing.",
            "Это отражение, а поворот на угол 0 ничего не меняет.",
        ),
        wrong(
            mistaken(one_position_late),
            "The positions were counted from 1, but the first is position 0.",
            "Позиции пронумерованы с 1, а первая из них — позиция 0.",
        ),
        hint=t("What is R(0)?", "Чему равно R(0)?"),
        explanation=t(
            "Every angle is 0, so R(0) = I and the coordinate stays as it was.",
            "Все углы равны 0, поэтому R(0) = I и координата остаётся прежней.",
        ),
        row=format_row(row),
    )


@question("exercise-2", SLUG)
def at_one_and_zero(numbers: Numbers) -> Question:
    """The pair at (1,0)."""
    return pair_score(numbers.whole(1, 2, 9), 0)


@question("exercise-3", SLUG)
def equal_shift(numbers: Numbers) -> Question:
    """Both positions move by the same amount."""
    shift = numbers.whole(3, 2, 12)
    row = FIRST_COLUMN
    return number(
        "q = k = [1, 0, 1, 0], d = 4, b = 100. The score at (m,n) = (0,1) is known. Both "
        "positions grow by {shift}. What is the score at {place}?",
        "q = k = [1, 0, 1, 0], d = 4, b = 100. Оценка при (m,n) = (0,1) известна. Обе позиции "
        "увеличили на {shift}. Какова оценка при {place}?",
        score(row, row, shift, shift + 1),
        wrong(
            score(row, row, shift, 1),
            "Only the query was moved, but the shift applies to both positions.",
            "Сдвинут только запрос, а сдвигаются обе позиции.",
        ),
        wrong(
            score_at_angles(row, row, multiply(2 * shift + 1, frequencies(4))),
            mistakes.ANGLES_ADDED,
        ),
        wrong(dot(row, row), mistakes.WITHOUT_ROTATION),
        hint=t("What is n-m before and after the shift?", "Чему равна n-m до сдвига и после?"),
        explanation=t(
            "The rotated coordinates change, but n-m does not, and therefore neither does the "
            "score.",
            "Повёрнутые координаты изменились, но n-m осталась прежней, а с ней и оценка.",
        ),
        place=format_positions(shift, shift + 1),
        shift=shift,
    )


@question("exercise-4", SLUG)
def lone_shift(numbers: Numbers) -> Question:
    """Only m moves, to the mirrored place: the cosine is even."""
    n = numbers.whole(1, 2, 5)
    row = FIRST_COLUMN
    answer = score(row, row, 2 * n, n)
    return number(
        "q = k = [1, 0, 1, 0], d = 4, b = 100. The score at (m,n) = {old} is known. Now only m "
        "changes, to {m}. What is the score at {new}?",
        "q = k = [1, 0, 1, 0], d = 4, b = 100. Оценка при (m,n) = {old} известна. Теперь меняется "
        "только m: она становится равной {m}. Какова оценка при {new}?",
        answer,
        wrong(
            score(row, row, 2 * n, 0),
            "The distance was taken from position 0, but the key is at position n.",
            "Расстояние отсчитано от позиции 0, а ключ стоит в позиции n.",
        ),
        wrong(
            -answer,
            "n-m changes its sign, but the cosine is even.",
            "Знак n-m меняется, но косинус — чётная функция.",
        ),
        wrong(dot(row, row), mistakes.WITHOUT_ROTATION),
        hint=t(
            "Compare n-m before and after; q and k are parallel.",
            "Сравните n-m до и после; q и k параллельны.",
        ),
        explanation=t(
            "Only the sign of n-m has changed, and for parallel q and k the score is even in "
            "n-m. Moving m alone usually changes the score.",
            "У n-m изменился лишь знак, а при параллельных q и k оценка от него не зависит. "
            "Обычно сдвиг одной только m меняет оценку.",
        ),
        old=format_positions(0, n),
        new=format_positions(2 * n, n),
        m=2 * n,
    )


@question("exercise-5", SLUG)
def orthogonal(numbers: Numbers) -> Question:
    """A diagonal entry of R-transposed times R."""
    m = numbers.whole(1, 2, 9)
    left, right = rotate_row((1.0, 0.0), m)
    return number(
        "R rotates one pair by the angle {m}, in radians. What is the upper left entry of RᵀR?",
        "R поворачивает одну пару на угол {m}, в радианах. Чему равен левый верхний "
        "элемент матрицы RᵀR?",
        math.fsum((left * left, right * right)),
        wrong(
            left * left - right * right,
            "This is an entry of RR: the transpose was forgotten, or a minus sign lost.",
            "Это элемент матрицы RR: забыто транспонирование или потерян минус.",
        ),
        wrong(
            left + right,
            "Cosine and sine were added without being squared.",
            "Косинус и синус сложены без возведения в квадрат.",
        ),
        wrong(
            2 * left * right,
            "This is sin 2m, an entry of RR off the diagonal.",
            "Это sin 2m, внедиагональный элемент матрицы RR.",
        ),
        hint=symbols("cos² + sin²."),
        explanation=t(
            "cos² + sin² = 1. So |Rx|² = xᵀRᵀRx = xᵀx, and the norm is kept.",
            "cos² + sin² = 1. Поэтому |Rx|² = xᵀRᵀRx = xᵀx, и норма сохраняется.",
        ),
        m=m,
    )


@question("exercise-6", SLUG)
def values_and_mask(numbers: Numbers) -> Question:
    """Neither V nor the mask is rotated."""
    return choice(
        "What does RoPE rotate?",
        "Что поворачивает RoPE?",
        wrong(
            t("Q, K and V", "Q, K и V"),
            "Rotated values carry absolute positions, so an equal shift would change the output.",
            "Повёрнутое V вносит в выход абсолютные позиции, и одинаковый сдвиг изменил бы его.",
        ),
        wrong(
            t("Q, K and the mask", "Q, K и маску"),
            "The mask has no coordinates to rotate; it says which keys are visible.",
            "У маски нет координат, поворачивать нечего: она задаёт, какие ключи видны.",
        ),
        right("Q and K alone", "только Q и K"),
        wrong(
            t("Q alone", "только Q"),
            "Then the score would depend on m alone, not on n-m.",
            "Тогда оценка зависела бы только от m, а не от n-m.",
        ),
        hint=t(
            "Where should n-m appear: in the scores or in the outputs?",
            "Где должна появиться разность n-m: в оценках или в выходах?",
        ),
        explanation=t(
            "The difference n-m arises in the dot product of the rotated q and k. V and the "
            "mask need no rotation.",
            "Разность n-m возникает в скалярном произведении повёрнутых q и k. V и маску "
            "поворачивать не нужно.",
        ),
    )


@question("exercise-7", SLUG)
def width_three(numbers: Numbers) -> Question:
    """An odd width leaves one coordinate alone."""
    d = numbers.pick(3, (5, 7, 9, 11))
    return count(
        "A width of d = {d} is refused. How many coordinates would be left without a partner?",
        "Ширину d = {d} не принимают. Сколько координат осталось бы без пары?",
        d % 2,
        wrong(0, "An odd width leaves something over.", "При нечётной ширине что-то остаётся."),
        wrong(
            d - 1,
            "This many coordinates do have a partner.",
            "Столько координат как раз входит в пары.",
        ),
        wrong(
            d,
            "All coordinates were counted, but most of them form pairs.",
            "Посчитаны все координаты, а большинство из них образует пары.",
        ),
        hint=t("Divide d by 2.", "Разделите d на 2."),
        explanation=t(
            "One is left over, but a rotation needs two. That is why every odd width is refused.",
            "Одна остаётся, а для поворота нужны две. Поэтому нечётную ширину и не принимают.",
        ),
        d=d,
    )


@question("exercise-8", SLUG)
def absolute_angle(numbers: Numbers) -> Question:
    """A query is rotated by its own position."""
    m, n = numbers.pick((3, 2), [(m, n) for m in range(3, 10) for n in range(1, m)])
    return number(
        "q is at position m = {m} and k at n = {n}. The pair rotates by 1 radian per "
        "position. By how many radians is q rotated?",
        "q стоит в позиции m = {m}, k — в позиции n = {n}. Пара поворачивается на 1 радиан "
        "за позицию. На сколько радиан повернётся q?",
        m,
        wrong(
            n - m,
            "n-m appears only in the score; each row is rotated by its own position.",
            "n-m появляется лишь в оценке, а угол поворота строки задаёт её собственная позиция.",
        ),
        wrong(
            -m,
            "The rotation is counter-clockwise, so the angle is positive.",
            "Поворот — против часовой стрелки, поэтому угол положителен.",
        ),
        wrong(
            math.degrees(m),
            "These are degrees; the question is about radians.",
            "Это градусы, а вопрос о радианах.",
        ),
        wrong(
            m + n,
            "The position of the other row does not matter here.",
            "Позиция другой строки здесь ни при чём.",
        ),
        hint=t(
            "Does the rotation of q depend on the position of k?",
            "Зависит ли поворот q от позиции k?",
        ),
        explanation=t(
            "Its angle is {m}·1, whatever n is. Positions enter as absolute numbers; the "
            "difference arises in the dot product.",
            "Угол равен {m}·1 при любом n. На входе абсолютные позиции, а разность возникает в "
            "скалярном произведении.",
        ),
        m=m,
        n=n,
    )


@question("exercise-9", SLUG)
def whole_decoder(numbers: Numbers) -> Question:
    """The identity is about a score, not about a decoder."""
    return choice(
        "An equal shift keeps every score q·k. Does this prove that two more words at the "
        "beginning of the text leave the output of a whole decoder unchanged?",
        "Одинаковый сдвиг сохраняет каждую оценку q·k. Доказано ли этим, что два лишних "
        "слова в начале текста не изменят выхода всего декодера?",
        wrong(
            t("yes: n-m is the same", "да: n-m прежняя"),
            "The old scores stay, but the softmax now includes new keys.",
            "Прежние оценки сохранились, но в softmax вошли новые ключи.",
        ),
        right("no: the context has changed", "нет: изменился контекст"),
        wrong(
            t("no: the old scores change", "нет: изменятся прежние оценки"),
            "They stay the same, because both positions grow by two.",
            "Они сохранятся: обе позиции увеличились на два.",
        ),
        hint=t("Which keys does the softmax include?", "Какие ключи входят в softmax?"),
        explanation=t(
            "The identity is about a single score with content and context unchanged. It does "
            "not cover every part of a decoder, and a prefix is not a shift: it adds keys.",
            "Тождество говорит об одной оценке при неизменных содержимом и контексте. Всех "
            "частей декодера оно не охватывает, а префикс — не сдвиг: он добавляет ключи.",
        ),
    )


@question("misconception", SLUG)
def misconception(numbers: Numbers) -> Question:
    """RoPE is not given relative indices."""
    return choice(
        "Which numbers does RoPE take as its input?",
        "Какие числа получает RoPE на вход?",
        right("absolute positions", "абсолютные позиции"),
        wrong(
            t("differences n-m", "разности n-m"),
            "This is the chapter's misconception. Each row is rotated on its own, so there is "
            "no difference yet.",
            "Это и есть заблуждение из главы. Каждую строку поворачивают отдельно, и разности "
            "ещё нет.",
        ),
        wrong(
            t("distances |n-m|", "расстояния |n-m|"),
            "No: a distance has no sign, but even the score depends on the sign of n-m.",
            "Нет: у расстояния нет знака, а оценка зависит и от знака n-m.",
        ),
        hint=t(
            "What does rotate() need besides the row?", "Что, кроме строки, нужно функции rotate()?"
        ),
        explanation=t(
            "Each row is rotated for its absolute position; the signed difference arises in "
            "the dot product.",
            "Каждую строку поворачивают для её абсолютной позиции, а разность со знаком "
            "возникает в скалярном произведении.",
        ),
    )


QUESTIONS = (
    identity,
    at_one_and_zero,
    equal_shift,
    lone_shift,
    orthogonal,
    values_and_mask,
    width_three,
    absolute_angle,
    whole_decoder,
    misconception,
)
