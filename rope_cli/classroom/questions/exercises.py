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
        "The row {row} stands at position 0. What is its second coordinate after the rotation?",
        "Строка {row} стоит в позиции 0. Чему равна её вторая координата после поворота?",
        answer,
        wrong(
            mistaken(sine_cosine_exchanged),
            "Sine and cosine have changed places: cos 0 = 1, sin 0 = 0.",
            "Синус и косинус переставлены: cos 0 = 1, sin 0 = 0.",
        ),
        wrong(
            mistaken(reflection),
            "This is a reflection; a rotation by 0 is the identity.",
            "Это отражение, а поворот на угол 0 — единичный.",
        ),
        wrong(
            mistaken(one_position_late),
            "The positions were counted from 1; they begin with 0.",
            "Позиции пронумерованы с 1, а нумерация начинается с 0.",
        ),
        hint=t("What is R(0)?", "Чему равно R(0)?"),
        explanation=t(
            "Every angle is 0, R(0) = I, so it stays {answer}.",
            "Все углы равны 0, R(0) = I, и остаётся {answer}.",
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
        "q = k = [1, 0, 1, 0], d = 4, b = 100. At (m,n) = (0,1) the score is {before}. "
        "What is it at {place}, both moved by {shift}?",
        "q = k = [1, 0, 1, 0], d = 4, b = 100. При (m,n) = (0,1) оценка равна {before}. "
        "Какова она при {place}, если обе позиции сдвинуть на {shift}?",
        score(row, row, shift, shift + 1),
        wrong(
            score(row, row, shift, 1),
            "Only the query was moved; the shift is that of both.",
            "Сдвинут только запрос, а сдвигаются обе позиции.",
        ),
        wrong(
            score_at_angles(row, row, multiply(2 * shift + 1, frequencies(4))),
            mistakes.ANGLES_ADDED,
        ),
        wrong(dot(row, row), mistakes.WITHOUT_ROTATION),
        hint=t("What is n-m before and after?", "Чему равно n-m до и после?"),
        explanation=t(
            "{answer}: the rotated coordinates change, n-m and the score do not.",
            "{answer}: повёрнутые координаты меняются, а n-m и оценка — нет.",
        ),
        before=score(row, row, 0, 1),
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
        "q = k = [1, 0, 1, 0], d = 4, b = 100. At (m,n) = {old} the score is {before}. "
        "Now m alone moves to {m}. What is the score at {new}?",
        "q = k = [1, 0, 1, 0], d = 4, b = 100. При (m,n) = {old} оценка равна {before}. "
        "Теперь m одна переходит в {m}. Какова оценка при {new}?",
        answer,
        wrong(
            score(row, row, 2 * n, 0),
            "m was taken for m-n; the key stands at n.",
            "Вместо m-n взята m, а ключ стоит в позиции n.",
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
            "{answer}, as before: n-m changed its sign only. "
            "Most shifts of m alone do change the score.",
            "{answer}, как и было: у n-m изменился лишь знак. Обычно сдвиг одной m оценку меняет.",
        ),
        old=format_positions(0, n),
        new=format_positions(2 * n, n),
        m=2 * n,
        before=score(row, row, 0, n),
    )


@question("exercise-5", SLUG)
def orthogonal(numbers: Numbers) -> Question:
    """A diagonal entry of R-transposed times R."""
    m = numbers.whole(1, 2, 9)
    left, right = rotate_row((1.0, 0.0), m)
    return number(
        "R is the rotation of one pair by the angle {m}, in radians. "
        "What is the upper left entry of R-transposed times R?",
        "R — поворот одной пары на угол {m} рад. Чему равен левый верхний элемент матрицы RᵀR?",
        math.fsum((left * left, right * right)),
        wrong(
            left * left - right * right,
            "This is R times R: the transposition is forgotten, or a minus lost.",
            "Это R, умноженное на R: забыто транспонирование или потерян минус.",
        ),
        wrong(
            left + right,
            "Cosine and sine were added without squaring.",
            "Косинус и синус сложены без возведения в квадрат.",
        ),
        wrong(
            2 * left * right,
            "This is sin 2m, an entry off the diagonal of R times R.",
            "Это sin 2m, элемент вне диагонали матрицы R, умноженной на R.",
        ),
        hint=symbols("cos² + sin²."),
        explanation=t(
            "cos² + sin² = 1: |Rx|² = xᵀRᵀRx = xᵀx, the norm is kept.",
            "cos² + sin² = 1: |Rx|² = xᵀRᵀRx = xᵀx, норма сохраняется.",
        ),
        m=m,
    )


@question("exercise-6", SLUG)
def values_and_mask(numbers: Numbers) -> Question:
    """Neither V nor the mask is rotated."""
    return choice(
        "Which of them does RoPE rotate?",
        "Что поворачивает RoPE?",
        wrong(
            t("Q, K and V", "Q, K и V"),
            "Rotated values carry absolute positions: an equal shift moves the output.",
            "Повёрнутые V несут абсолютные позиции: одинаковый сдвиг изменит выход.",
        ),
        wrong(
            t("Q, K and the mask", "Q, K и маску"),
            "The mask has no coordinates; it only says what may be seen.",
            "В маске нет координат, она лишь задаёт видимость.",
        ),
        right("Q and K alone", "только Q и K"),
        wrong(
            t("Q alone", "только Q"),
            "Then the score would depend on m alone, not on n-m.",
            "Тогда оценка зависела бы от одной m, а не от n-m.",
        ),
        hint=t(
            "Where should n-m appear: in scores or in outputs?",
            "Где должна появиться разность n-m: в оценках или в выходах?",
        ),
        explanation=t(
            "The difference arises in the dot product of rotated q and k; V and the mask stay.",
            "Разность возникает в скалярном произведении повёрнутых q и k; V и маска прежние.",
        ),
    )


@question("exercise-7", SLUG)
def width_three(numbers: Numbers) -> Question:
    """An odd width leaves one coordinate alone."""
    d = numbers.pick(3, (5, 7, 9, 11))
    return count(
        "d = {d} is refused. How many coordinates would have no partner?",
        "Ширина d = {d} отклоняется. Сколько координат осталось бы без пары?",
        d % 2,
        wrong(0, "The width is odd.", "Ширина нечётна."),
        wrong(
            d - 1, "So many coordinates do have a partner.", "Столько координат как раз имеют пару."
        ),
        wrong(
            d,
            "All were counted; most of them form pairs.",
            "Посчитаны все, а большинство образует пары.",
        ),
        hint=t("Divide d by 2.", "Разделите d на 2."),
        explanation=t(
            "One is left over, and a rotation needs two: odd-feature-width.",
            "Остаётся одна, а для поворота нужны две: odd-feature-width.",
        ),
        d=d,
    )


@question("exercise-8", SLUG)
def absolute_angle(numbers: Numbers) -> Question:
    """A query is rotated by its own position."""
    m, n = numbers.pick((3, 2), [(m, n) for m in range(3, 10) for n in range(1, m)])
    return number(
        "q stands at m = {m}, k at n = {n}, and the pair turns by 1 radian per position. "
        "By how many radians is q turned?",
        "q стоит в позиции m = {m}, k — в позиции n = {n}, "
        "пара поворачивается на 1 радиан за позицию. На сколько радиан повернётся q?",
        m,
        wrong(
            n - m,
            "n-m appears in the score only; each row turns by its own position.",
            "n-m появляется лишь в оценке; строку поворачивает её собственная позиция.",
        ),
        wrong(
            -m,
            "The direction is counter-clockwise: a positive angle.",
            "Направление — против часовой стрелки: угол положителен.",
        ),
        wrong(
            math.degrees(m),
            "These are degrees; radians are asked for.",
            "Это градусы, а нужны радианы.",
        ),
        wrong(
            m + n,
            "The other row's position does not matter for this one.",
            "Позиция другой строки на эту не влияет.",
        ),
        hint=t("Does the rotation of q know where k stands?", "Знает ли поворот q, где стоит k?"),
        explanation=t(
            "By {m}·1 = {m}: the inputs are absolute. The difference arises in the dot product.",
            "На {m}·1 = {m}: на входе абсолютные позиции. "
            "Разность возникает в скалярном произведении.",
        ),
        m=m,
        n=n,
    )


@question("exercise-9", SLUG)
def whole_decoder(numbers: Numbers) -> Question:
    """The identity is about a score, not about a decoder."""
    return choice(
        "An equal shift keeps every score q·k. "
        "Is a whole decoder thereby shown to ignore two more words put in front?",
        "Одинаковый сдвиг сохраняет каждую оценку q·k. "
        "Доказано ли этим, что весь декодер не заметит двух лишних слов в начале текста?",
        wrong(
            t("yes: n-m is the same", "да: n-m прежние"),
            "Old scores stay, but the softmax now counts new keys too.",
            "Прежние оценки сохранились, но в softmax теперь входят и новые ключи.",
        ),
        right("no: the context has changed", "нет: изменился контекст"),
        wrong(
            t("no: the old scores change", "нет: изменятся прежние оценки"),
            "They stay: both positions move by two.",
            "Они сохранятся: обе позиции сдвинулись на два.",
        ),
        hint=t("Over which keys does the softmax run?", "По каким ключам считается softmax?"),
        explanation=t(
            "The identity is local: "
            "a prefix, absolute embeddings or low precision break the invariance of the whole.",
            "Тождество локально: "
            "инвариантность целого нарушат префикс, абсолютные эмбеддинги или низкая точность.",
        ),
    )


@question("misconception", SLUG)
def misconception(numbers: Numbers) -> Question:
    """RoPE is not given relative indices."""
    return choice(
        "Which numbers are handed to RoPE?",
        "Какие числа получает RoPE на вход?",
        right("absolute positions", "абсолютные позиции"),
        wrong(
            t("differences n-m", "разности n-m"),
            "The chapter's misconception: a row is rotated without knowing the others.",
            "Заблуждение из главы: строка поворачивается, не зная о других.",
        ),
        wrong(
            t("distances |n-m|", "расстояния |n-m|"),
            "No: and even the score knows the sign of n-m.",
            "Нет, и даже оценка знает знак n-m.",
        ),
        hint=t(
            "What does rotate() need besides the row?", "Что, кроме строки, нужно функции rotate()?"
        ),
        explanation=t(
            "Absolute on the way in; the signed difference arises in the dot product.",
            "На входе — абсолютные; знаковая разность возникает в скалярном произведении.",
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
