"""The words for figures, layouts, and what arrays cannot show."""

from __future__ import annotations

from typing import NamedTuple

from rope_cli.document.vocabulary import t
from rope_cli.text import Text


class Named(NamedTuple):
    """A mistake in words; the placeholders of ``what`` are its figures."""

    what: Text
    advice: Text


# What stands for a figure that is a word.
FIGURES = {
    "adjacent": t("adjacent", "соседние пары"),
    "half-split": t("half-split", "половинная раскладка"),
    "degrees": t("degrees", "градусы"),
    "radians": t("radians although they were converted", "радианы уже после пересчёта"),
    "turns": t("whole turns", "полные обороты"),
    "no turns": t("radians already divided by 2 pi", "радианы, уже поделённые на 2 pi"),
    "lost": t("a plus", "стал плюсом"),
    "moved": t("in the other line too", "стоит и во второй строке"),
    "frequencies": t("frequencies", "частоты"),
    "positions": t("positions", "позиции"),
    "angles": t("angles", "углы"),
    "tables": t("cosines and sines", "косинусы и синусы"),
    "other-truncation": t(
        "the bounds of YaRN's ramp truncated to whole pairs, or not",
        "границы перехода YaRN округлены до целых пар или наоборот",
    ),
    "ramp-by-turns": t(
        "YaRN's ramp by turns, as in the paper", "переход YaRN по числу оборотов, как в статье"
    ),
    "dynamic-constant": t(
        "one dynamic base for every length, from s^2 - s + 1",
        "одно основание на все длины, из s^2 - s + 1",
    ),
    "dynamic-static": t(
        "the dynamic factor as a fixed one", "динамический множитель принят за постоянный"
    ),
    "quotient-width": t(
        "hidden_size / num_attention_heads for the width of a head",
        "ширина головы взята как hidden_size / num_attention_heads",
    ),
}
BLIND = {
    "other-layout": t("another layout", "другую раскладку"),
    "no-rotation": t("a missing rotation", "отсутствие поворота"),
    "direction": t("the direction", "направление поворота"),
    "offset": t("an offset of all positions", "смещение всех позиций"),
    "base": t("another base", "другое основание частот"),
    "unscaled": t("missing scaling", "отсутствие масштабирования"),
    "fast-pairs": t("the turn of the fastest pairs", "поворот самых быстрых пар"),
    "batch": t("a fault of single batch rows", "ошибку в отдельных строках пакета"),
}
MISSING = {
    "one-pair": t(
        "one pair only; a width of 6 or more would tell",
        "пара только одна; покажет ширина 6 или больше",
    ),
    "position-zero": t(
        "position 0 only; positions from 1 on would tell", "только позиция 0; покажут позиции от 1"
    ),
    "zeros": t(
        "all inputs are zero; other rows would tell", "на входе одни нули; покажут другие строки"
    ),
    "too-near": t(
        "the turns are smaller than the bound; later positions or a finer dtype would tell",
        "повороты меньше границы; покажут более далёкие позиции или более точный тип чисел",
    ),
    "scores": t(
        "scores depend on n-m alone; rotated rows would tell",
        "оценки зависят только от n-m; покажут повёрнутые строки",
    ),
    "same-rows": t(
        "the queries equal the keys; rows that differ would tell",
        "запросы равны ключам; покажут различные строки",
    ),
    "too-far": t(
        "the positions are too far out for the dtype; nearer ones or float64 would tell",
        "для этого типа чисел позиции слишком далеки; покажут более близкие или float64",
    ),
    "one-row": t("there is one row; two or more would tell", "строка одна; покажут две или больше"),
}
