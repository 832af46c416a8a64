"""The words for figures, layouts, and what arrays cannot show."""

from __future__ import annotations

from typing import NamedTuple

from rope_cli.text import Text


class Named(NamedTuple):
    """A mistake in words; the placeholders of ``what`` are its figures."""

    what: Text
    advice: Text


# What stands for a figure that is a word.
FIGURES = {
    "adjacent": Text(en="adjacent", ru="соседние пары"),
    "half-split": Text(en="half-split", ru="половинная раскладка"),
    "degrees": Text(en="degrees", ru="градусы"),
    "radians": Text(en="radians although they were converted", ru="радианы уже после пересчёта"),
    "turns": Text(en="whole turns", ru="полные обороты"),
    "no turns": Text(en="radians already divided by 2 pi", ru="радианы, уже поделённые на 2 pi"),
    "lost": Text(en="a plus", ru="стал плюсом"),
    "moved": Text(en="in the other line too", ru="стоит и во второй строке"),
    "frequencies": Text(en="frequencies", ru="частоты"),
    "positions": Text(en="positions", ru="позиции"),
    "angles": Text(en="angles", ru="углы"),
    "tables": Text(en="cosines and sines", ru="косинусы и синусы"),
    "other-truncation": Text(
        en="the bounds of YaRN's ramp truncated to whole pairs, or not",
        ru="границы перехода YaRN округлены до целых пар или наоборот",
    ),
    "ramp-by-turns": Text(
        en="YaRN's ramp by turns, as in the paper",
        ru="переход YaRN по числу оборотов, как в статье",
    ),
    "dynamic-constant": Text(
        en="one dynamic base for every length, from s^2 - s + 1",
        ru="одно основание на все длины, из s^2 - s + 1",
    ),
    "dynamic-static": Text(
        en="the dynamic factor as a fixed one",
        ru="динамический множитель принят за постоянный",
    ),
    "quotient-width": Text(
        en="hidden_size / num_attention_heads for the width of a head",
        ru="ширина головы взята как hidden_size / num_attention_heads",
    ),
}
BLIND = {
    "other-layout": Text(en="another layout", ru="другую раскладку"),
    "no-rotation": Text(en="a missing rotation", ru="отсутствие поворота"),
    "direction": Text(en="the direction", ru="направление поворота"),
    "offset": Text(en="an offset of all positions", ru="смещение всех позиций"),
    "base": Text(en="another base", ru="другое основание частот"),
    "unscaled": Text(en="missing scaling", ru="отсутствие масштабирования"),
    "fast-pairs": Text(en="the turn of the fastest pairs", ru="поворот самых быстрых пар"),
    "batch": Text(en="a fault of single batch rows", ru="ошибку в отдельных строках пакета"),
}
MISSING = {
    "one-pair": Text(
        en="one pair only; a width of 6 or more would tell",
        ru="пара только одна; покажет ширина 6 или больше",
    ),
    "position-zero": Text(
        en="position 0 only; positions from 1 on would tell",
        ru="только позиция 0; покажут позиции от 1",
    ),
    "zeros": Text(
        en="all inputs are zero; other rows would tell",
        ru="на входе одни нули; покажут другие строки",
    ),
    "too-near": Text(
        en="the turns are smaller than the bound; later positions or a finer dtype would tell",
        ru="повороты меньше границы; покажут более далёкие позиции или более точный тип чисел",
    ),
    "scores": Text(
        en="scores depend on n-m alone; rotated rows would tell",
        ru="оценки зависят только от n-m; покажут повёрнутые строки",
    ),
    "same-rows": Text(
        en="the queries equal the keys; rows that differ would tell",
        ru="запросы равны ключам; покажут различные строки",
    ),
    "too-far": Text(
        en="the positions are too far out for the dtype; nearer ones or float64 would tell",
        ru="для этого типа чисел позиции слишком далеки; покажут более близкие или float64",
    ),
    "one-row": Text(
        en="there is one row; two or more would tell",
        ru="строка одна; покажут две или больше",
    ),
}
