"""Typical mistakes that several questions share, in words."""

from __future__ import annotations

from rope_cli.document.vocabulary import t

OTHER_DIRECTION = t(
    "The rotation went the wrong way: clockwise, or with m-n in place of n-m. It should be "
    "counter-clockwise.",
    "Поворот не в ту сторону: по часовой стрелке или с m-n вместо n-m. Поворачивать нужно против "
    "часовой стрелки.",
)
COSINE = t(
    "The cosine was used where the formula has a sine.", "Взят косинус, а в формуле стоит синус."
)
SINE = t(
    "The sine was used where the formula has a cosine.", "Взят синус, а в формуле стоит косинус."
)
DEGREES = t(
    "The angle was read as degrees, but it is in radians.",
    "Угол взят в градусах, а задан он в радианах.",
)
OTHER_BASE = t("Base 10000 was used instead of 100.", "Взято основание 10000 вместо 100.")
HALF_EXPONENT = t(
    "The exponent -j/d was used instead of -2j/d.", "Взят показатель -j/d вместо -2j/d."
)
EXPONENT_SIGN = t(
    "The minus of the exponent was lost, so the slow pairs became fast.",
    "В показателе потерян минус, и медленные пары стали быстрыми.",
)
ONE_SPEED = t(
    "All pairs were rotated at the same speed, but each has its own.",
    "Все пары повёрнуты с одной скоростью, а у каждой она своя.",
)
COUNTED_FROM_ONE = t(
    "The pairs were numbered from 1, but the first is pair 0.",
    "Пары пронумерованы с 1, а первая из них — пара 0.",
)
ONLY_FAST = t(
    "Only the fast pair was counted; the second pair contributes too.",
    "Учтена только быстрая пара, а вклад даёт и вторая.",
)
WITHOUT_ROTATION = t(
    "This is the score without rotation. Rotation leaves every score unchanged only at n-m = 0.",
    "Это оценка без поворота. При любом содержимом она остаётся прежней, только если n-m = 0.",
)
BEFORE_ROTATION = t("This is the value before the rotation.", "Это значение до поворота.")
ANGLES_ADDED = t(
    "The angles were added, but in a dot product they are subtracted.",
    "Углы сложены, а в скалярном произведении они вычитаются.",
)
LOST_MINUS = t(
    "The minus sign of x' = x·cos - y·sin was lost.",
    "Потерян минус в формуле x' = x·cos - y·sin.",
)
LINEAR = t(
    "The score was assumed to fall along a straight line, but it is a sum of cosines.",
    "Принято, что оценка убывает линейно, а она — сумма косинусов.",
)
FALLS_WITH_DISTANCE = t(
    "The score was assumed to fall with distance, but RoPE is not a penalty on distance.",
    "Принято, что оценка убывает с расстоянием, но RoPE — не штраф за расстояние.",
)
HALF_TURN = t(
    "This is half the period, π/θ; a full circle takes 2π/θ.",
    "Это половина периода, π/θ, а полный оборот занимает 2π/θ.",
)
