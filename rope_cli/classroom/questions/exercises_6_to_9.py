"""The chapter's exercises 6 to 9, and its misconception."""

from __future__ import annotations

import math

from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, count, number
from rope_cli.classroom.questions.exercises_1_to_5 import SLUG
from rope_cli.document.vocabulary import t


def values_and_mask(draw: Draw) -> Asked:
    """Neither V nor the mask is rotated."""
    return choice(
        t("Which of them does RoPE rotate?", "Что поворачивает RoPE?"),
        t("Q and K alone", "только Q и K"),
        (
            (
                t("Q, K and V", "Q, K и V"),
                t(
                    "Rotated values carry absolute positions: an equal shift moves the output.",
                    "Повёрнутые V несут абсолютные позиции: одинаковый сдвиг изменит выход.",
                ),
            ),
            (
                t("Q, K and the mask", "Q, K и маску"),
                t(
                    "The mask has no coordinates; it only says what may be seen.",
                    "В маске нет координат, она лишь задаёт видимость.",
                ),
            ),
            (
                t("Q alone", "только Q"),
                t(
                    "Then the score would depend on m alone, not on n-m.",
                    "Тогда оценка зависела бы от одной m, а не от n-m.",
                ),
            ),
        ),
        t(
            "Where should n-m appear: in scores or in outputs?",
            "Где должна появиться разность n-m: в оценках или в выходах?",
        ),
        t(
            "The difference arises in the dot product of rotated q and k; V and the mask stay.",
            "Разность возникает в скалярном произведении повёрнутых q и k; V и маска прежние.",
        ),
        at=3,
    )


def width_three(draw: Draw) -> Asked:
    """An odd width leaves one coordinate alone."""
    d = draw.pick(3, (5, 7, 9, 11))
    return count(
        t(
            "d = {d} is refused. How many coordinates would have no partner?",
            "Ширина d = {d} отклоняется. Сколько координат осталось бы без пары?",
            d=d,
        ),
        d % 2,
        (
            Wrong(
                0,
                t("The width is odd.", "Ширина нечётна."),
            ),
            Wrong(
                d - 1,
                t(
                    "So many coordinates do have a partner.",
                    "Столько координат как раз имеют пару.",
                ),
            ),
            Wrong(
                d,
                t(
                    "All were counted; most of them form pairs.",
                    "Посчитаны все, а большинство образует пары.",
                ),
            ),
        ),
        t("Divide d by 2.", "Разделите d на 2."),
        t(
            "One is left over, and a rotation needs two: odd-feature-width.",
            "Остаётся одна, а для поворота нужны две: odd-feature-width.",
        ),
    )


def absolute_angle(draw: Draw) -> Asked:
    """What turns a query is its own position."""
    m, n = draw.pick((3, 2), [(m, n) for m in range(3, 10) for n in range(1, m)])
    return number(
        t(
            "q stands at m = {m}, k at n = {n}, and the pair turns by 1 radian per "
            "position. By how many radians is q turned?",
            "q стоит в позиции m = {m}, k — в позиции n = {n}, пара поворачивается на 1 "
            "радиан за позицию. На сколько радиан повернётся q?",
            m=m,
            n=n,
        ),
        m,
        (
            Wrong(
                n - m,
                t(
                    "n-m appears in the score only; each row turns by its own position.",
                    "n-m появляется лишь в оценке; строку поворачивает её собственная позиция.",
                ),
            ),
            Wrong(
                -m,
                t(
                    "The direction is counter-clockwise: a positive angle.",
                    "Направление — против часовой стрелки: угол положителен.",
                ),
            ),
            Wrong(
                math.degrees(m),
                t("These are degrees; radians are asked for.", "Это градусы, а нужны радианы."),
            ),
            Wrong(
                m + n,
                t(
                    "The other row's position does not matter for this one.",
                    "Позиция другой строки на эту не влияет.",
                ),
            ),
        ),
        t("Does the rotation of q know where k stands?", "Знает ли поворот q, где стоит k?"),
        t(
            "By {m}·1 = {m}: the inputs are absolute. The difference arises in the dot product.",
            "На {m}·1 = {m}: на входе абсолютные позиции. Разность возникает в скалярном "
            "произведении.",
            m=m,
        ),
    )


def whole_decoder(draw: Draw) -> Asked:
    """The identity is about a score, not about a decoder."""
    return choice(
        t(
            "An equal shift keeps every score q·k. Is a whole decoder thereby shown to ignore "
            "two more words put in front?",
            "Одинаковый сдвиг сохраняет каждую оценку q·k. Доказано ли этим, что весь декодер "
            "не заметит двух лишних слов в начале текста?",
        ),
        t("no: the context has changed", "нет: изменился контекст"),
        (
            (
                t("yes: n-m is the same", "да: n-m прежние"),
                t(
                    "Old scores stay, but the softmax now counts new keys too.",
                    "Прежние оценки сохранились, но в softmax теперь входят и новые ключи.",
                ),
            ),
            (
                t("no: the old scores change", "нет: изменятся прежние оценки"),
                t(
                    "They stay: both positions move by two.",
                    "Они сохранятся: обе позиции сдвинулись на два.",
                ),
            ),
        ),
        t("Over which keys does the softmax run?", "По каким ключам считается softmax?"),
        t(
            "The identity is local: a prefix, absolute embeddings or low precision break the "
            "invariance of the whole.",
            "Тождество локально: инвариантность целого нарушат префикс, абсолютные эмбеддинги "
            "или низкая точность.",
        ),
        at=2,
    )


def misconception(draw: Draw) -> Asked:
    """RoPE is not given relative indices."""
    return choice(
        t("Which numbers are handed to RoPE?", "Какие числа получает RoPE на вход?"),
        t("absolute positions", "абсолютные позиции"),
        (
            (
                t("differences n-m", "разности n-m"),
                t(
                    "The chapter's misconception: a row is rotated without knowing the others.",
                    "Заблуждение из главы: строка поворачивается, не зная о других.",
                ),
            ),
            (
                t("distances |n-m|", "расстояния |n-m|"),
                t(
                    "No: and even the score knows the sign of n-m.",
                    "Нет, и даже оценка знает знак n-m.",
                ),
            ),
        ),
        t("What does rotate() need besides the row?", "Что, кроме строки, нужно функции rotate()?"),
        t(
            "Absolute on the way in; the signed difference arises in the dot product.",
            "На входе — абсолютные; знаковая разность возникает в скалярном произведении.",
        ),
    )


QUESTIONS = (
    Question("exercise-6", SLUG, values_and_mask),
    Question("exercise-7", SLUG, width_three),
    Question("exercise-8", SLUG, absolute_angle),
    Question("exercise-9", SLUG, whole_decoder),
    Question("misconception", SLUG, misconception),
)
