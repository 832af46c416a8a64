"""Typical mistakes that several questions share, in words."""

from __future__ import annotations

from rope_cli.document.vocabulary import t

OTHER_DIRECTION = t(
    "Turned the other way: m-n in place of n-m, or clockwise.",
    "Поворот не в ту сторону: взято m-n вместо n-m или направление по часовой стрелке.",
)
COSINE = t("The cosine was taken where the sine belongs.", "Взят косинус вместо синуса.")
SINE = t("The sine was taken where the cosine belongs.", "Взят синус вместо косинуса.")
DEGREES = t(
    "The angle was taken in degrees; it is in radians.", "Угол взят в градусах, а он в радианах."
)
OTHER_BASE = t(
    "Another base, 10000; here it is smaller.", "Взято другое основание, 10000; здесь оно меньше."
)
HALF_EXPONENT = t(
    "The exponent -j/d was used; it is -2j/d.", "Взят показатель -j/d, а нужен -2j/d."
)
EXPONENT_SIGN = t(
    "The exponent has lost its minus: slow pairs became fast.",
    "В показателе потерян минус: медленные пары стали быстрыми.",
)
ONE_SPEED = t(
    "All pairs were turned at one speed; each has its own.",
    "Все пары повёрнуты с одной скоростью, а у каждой она своя.",
)
COUNTED_FROM_ONE = t(
    "The pairs were counted from 1; they begin with 0.",
    "Пары пронумерованы с 1, а нумерация начинается с 0.",
)
ONLY_FAST = t(
    "Only the fast pair was counted; the second one is forgotten.",
    "Учтена только быстрая пара, вторая забыта.",
)
WITHOUT_ROTATION = t(
    "This is the value without rotation. It stays only where n-m = 0.",
    "Это значение без поворота. Оно сохраняется лишь при n-m = 0.",
)
BEFORE_ROTATION = t("This is the value before the rotation.", "Это значение до поворота.")
ANGLES_ADDED = t(
    "The angles were added; in a dot product they are subtracted.",
    "Углы сложены, а в скалярном произведении они вычитаются.",
)
LOST_MINUS = t(
    "The minus of the formula left·cos - right·sin is lost.",
    "Потерян минус в формуле left·cos - right·sin.",
)
LINEAR = t(
    "A fall along a straight line was assumed; the score is a sum of cosines.",
    "Предположено убывание по прямой, а оценка — сумма косинусов.",
)
FALLS_WITH_DISTANCE = t(
    "A fall with distance was assumed; RoPE is no penalty on distance.",
    "Предположено убывание с расстоянием, а RoPE — не штраф за расстояние.",
)
HALF_TURN = t(
    "This is half a turn, π/θ; the period is 2π/θ.",
    "Это половина оборота, π/θ, а период равен 2π/θ.",
)
