"""The chapter's exercises 6 to 9, and its misconception."""

from __future__ import annotations

import math

from rope_cli.classroom.question import Asked, Draw, Question, Wrong, choice, count, number
from rope_cli.classroom.questions.exercises_1_to_5 import SLUG
from rope_cli.document.blocks import Phrase
from rope_cli.text import Text


def values_and_mask(draw: Draw) -> Asked:
    """Neither V nor the mask is rotated."""
    return choice(
        Text(
            en="Which of them does RoPE rotate?",
            ru="Что поворачивает RoPE?",
        ),
        Text(en="Q and K alone", ru="только Q и K"),
        (
            (
                Text(en="Q, K and V", ru="Q, K и V"),
                Text(
                    en="Rotated values carry absolute positions: an equal shift moves the output.",
                    ru="Повёрнутые V несут абсолютные позиции: одинаковый сдвиг изменит выход.",
                ),
            ),
            (
                Text(en="Q, K and the mask", ru="Q, K и маску"),
                Text(
                    en="The mask has no coordinates; it only says what may be seen.",
                    ru="В маске нет координат, она лишь задаёт видимость.",
                ),
            ),
            (
                Text(en="Q alone", ru="только Q"),
                Text(
                    en="Then the score would depend on m alone, not on n-m.",
                    ru="Тогда оценка зависела бы от одной m, а не от n-m.",
                ),
            ),
        ),
        Text(
            en="Where should n-m appear: in scores or in outputs?",
            ru="Где должна появиться разность n-m: в оценках или в выходах?",
        ),
        Text(
            en="The difference arises in the dot product of rotated q and k; V and the mask stay.",
            ru="Разность возникает в скалярном произведении повёрнутых q и k; V и маска прежние.",
        ),
        at=3,
    )


def width_three(draw: Draw) -> Asked:
    """An odd width leaves one coordinate alone."""
    d = draw.pick(3, (5, 7, 9, 11))
    return count(
        Phrase(
            Text(
                en="d = {d} is refused. How many coordinates would have no partner?",
                ru="Ширина d = {d} отклоняется. Сколько координат осталось бы без пары?",
            ),
            {"d": d},
        ),
        d % 2,
        (
            Wrong(
                0,
                Text(en="The width is odd.", ru="Ширина нечётна."),
            ),
            Wrong(
                d - 1,
                Text(
                    en="So many coordinates do have a partner.",
                    ru="Столько координат как раз имеют пару.",
                ),
            ),
            Wrong(
                d,
                Text(
                    en="All were counted; most of them form pairs.",
                    ru="Посчитаны все, а большинство образует пары.",
                ),
            ),
        ),
        Text(en="Divide d by 2.", ru="Разделите d на 2."),
        Text(
            en="One is left over, and a rotation needs two: odd-feature-width.",
            ru="Остаётся одна, а для поворота нужны две: odd-feature-width.",
        ),
    )


def absolute_angle(draw: Draw) -> Asked:
    """What turns a query is its own position."""
    m, n = draw.pick((3, 2), [(m, n) for m in range(3, 10) for n in range(1, m)])
    return number(
        Phrase(
            Text(
                en="q stands at m = {m}, k at n = {n}, and the pair turns by 1 radian per "
                "position. By how many radians is q turned?",
                ru="q стоит в позиции m = {m}, k — в позиции n = {n}, пара поворачивается на 1 "
                "радиан за позицию. На сколько радиан повернётся q?",
            ),
            {"m": m, "n": n},
        ),
        m,
        (
            Wrong(
                n - m,
                Text(
                    en="n-m appears in the score only; each row turns by its own position.",
                    ru="n-m появляется лишь в оценке; строку поворачивает её собственная позиция.",
                ),
            ),
            Wrong(
                -m,
                Text(
                    en="The direction is counter-clockwise: a positive angle.",
                    ru="Направление — против часовой стрелки: угол положителен.",
                ),
            ),
            Wrong(
                math.degrees(m),
                Text(
                    en="These are degrees; radians are asked for.",
                    ru="Это градусы, а нужны радианы.",
                ),
            ),
            Wrong(
                m + n,
                Text(
                    en="The other row's position does not matter for this one.",
                    ru="Позиция другой строки на эту не влияет.",
                ),
            ),
        ),
        Text(
            en="Does the rotation of q know where k stands?",
            ru="Знает ли поворот q, где стоит k?",
        ),
        Phrase(
            Text(
                en="By {m}·1 = {m}: the inputs are absolute. The difference arises in the dot "
                "product.",
                ru="На {m}·1 = {m}: на входе абсолютные позиции. Разность возникает в скалярном "
                "произведении.",
            ),
            {"m": m},
        ),
    )


def whole_decoder(draw: Draw) -> Asked:
    """The identity is about a score, not about a decoder."""
    return choice(
        Text(
            en="An equal shift keeps every score q·k. Is a whole decoder thereby shown to ignore "
            "two more words put in front?",
            ru="Одинаковый сдвиг сохраняет каждую оценку q·k. Доказано ли этим, что весь декодер "
            "не заметит двух лишних слов в начале текста?",
        ),
        Text(
            en="no: the context has changed",
            ru="нет: изменился контекст",
        ),
        (
            (
                Text(en="yes: n-m is the same", ru="да: n-m прежние"),
                Text(
                    en="Old scores stay, but the softmax now counts new keys too.",
                    ru="Прежние оценки сохранились, но в softmax теперь входят и новые ключи.",
                ),
            ),
            (
                Text(en="no: the old scores change", ru="нет: изменятся прежние оценки"),
                Text(
                    en="They stay: both positions move by two.",
                    ru="Они сохранятся: обе позиции сдвинулись на два.",
                ),
            ),
        ),
        Text(
            en="Over which keys does the softmax run?",
            ru="По каким ключам считается softmax?",
        ),
        Text(
            en="The identity is local: a prefix, absolute embeddings or low precision break the "
            "invariance of the whole.",
            ru="Тождество локально: инвариантность целого нарушат префикс, абсолютные эмбеддинги "
            "или низкая точность.",
        ),
        at=2,
    )


def misconception(draw: Draw) -> Asked:
    """RoPE is not given relative indices."""
    return choice(
        Text(
            en="Which numbers are handed to RoPE?",
            ru="Какие числа получает RoPE на вход?",
        ),
        Text(en="absolute positions", ru="абсолютные позиции"),
        (
            (
                Text(en="differences n-m", ru="разности n-m"),
                Text(
                    en="The chapter's misconception: a row is rotated without knowing the others.",
                    ru="Заблуждение из главы: строка поворачивается, не зная о других.",
                ),
            ),
            (
                Text(en="distances |n-m|", ru="расстояния |n-m|"),
                Text(
                    en="No: and even the score knows the sign of n-m.",
                    ru="Нет, и даже оценка знает знак n-m.",
                ),
            ),
        ),
        Text(
            en="What does rotate() need besides the row?",
            ru="Что, кроме строки, нужно функции rotate()?",
        ),
        Text(
            en="Absolute on the way in; the signed difference arises in the dot product.",
            ru="На входе — абсолютные; знаковая разность возникает в скалярном произведении.",
        ),
    )


QUESTIONS = (
    Question("exercise-6", SLUG, values_and_mask),
    Question("exercise-7", SLUG, width_three),
    Question("exercise-8", SLUG, absolute_angle),
    Question("exercise-9", SLUG, whole_decoder),
    Question("misconception", SLUG, misconception),
)
