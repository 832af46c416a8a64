"""What probably went wrong, in words that several questions share."""

from __future__ import annotations

from rope_cli.text import Text

TURNED = Text(
    en="Turned the other way: m-n in place of n-m, or clockwise.",
    ru="Поворот не в ту сторону: взято m-n вместо n-m или направление по часовой стрелке.",
)
COSINE = Text(
    en="The cosine was taken where the sine belongs.",
    ru="Взят косинус вместо синуса.",
)
SINE = Text(
    en="The sine was taken where the cosine belongs.",
    ru="Взят синус вместо косинуса.",
)
DEGREES = Text(
    en="The angle was taken in degrees; it is in radians.",
    ru="Угол взят в градусах, а он в радианах.",
)
OTHER_BASE = Text(
    en="Another base, 10000; here it is smaller.",
    ru="Взято другое основание, 10000; здесь оно меньше.",
)
HALF_EXPONENT = Text(
    en="The exponent -j/d was used; it is -2j/d.",
    ru="Взят показатель -j/d, а нужен -2j/d.",
)
EXPONENT_SIGN = Text(
    en="The exponent has lost its minus: slow pairs became fast.",
    ru="В показателе потерян минус: медленные пары стали быстрыми.",
)
ONE_SPEED = Text(
    en="All pairs were turned at one speed; each has its own.",
    ru="Все пары повёрнуты с одной скоростью, а у каждой она своя.",
)
FROM_ONE = Text(
    en="The pairs were counted from 1; they begin with 0.",
    ru="Пары пронумерованы с 1, а нумерация начинается с 0.",
)
ONLY_FAST = Text(
    en="Only the fast pair was counted; the second one is forgotten.",
    ru="Учтена только быстрая пара, вторая забыта.",
)
UNROTATED = Text(
    en="This is the value without rotation. It stays only where n-m = 0.",
    ru="Это значение без поворота. Оно сохраняется лишь при n-m = 0.",
)
NOT_TURNED = Text(
    en="This is the value before the rotation.",
    ru="Это значение до поворота.",
)
ADDED = Text(
    en="The angles were added; in a dot product they are subtracted.",
    ru="Углы сложены, а в скалярном произведении они вычитаются.",
)
LOST_MINUS = Text(
    en="The minus of the formula left·cos - right·sin is lost.",
    ru="Потерян минус в формуле left·cos - right·sin.",
)
LINEAR = Text(
    en="A fall along a straight line was assumed; the score is a sum of cosines.",
    ru="Предположено убывание по прямой, а оценка — сумма косинусов.",
)
