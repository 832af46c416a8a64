"""Each mistake in words: what was done, and what to change; here those of frequencies."""

from __future__ import annotations

from rope_cli.document.vocabulary import t
from rope_cli.verify.show.names import Named
from rope_cli.verify.show.rotation_mistakes import OF_TURNING

OF_FREQUENCIES: dict[str, Named] = {
    "pairs-from-one": Named(
        t(
            "pairs are counted from 1: each turns as the next one should",
            "пары нумеруются с 1: каждая поворачивается так, как должна следующая",
        ),
        t("the exponent of the first pair is 0", "показатель степени первой пары равен 0"),
    ),
    "reversed-frequencies": Named(
        t(
            "the frequencies are in reverse order: the first pair is the slowest",
            "частоты идут в обратном порядке: первая пара самая медленная",
        ),
        t(
            "the first pair turns fastest, by 1 radian per position",
            "первая пара самая быстрая: 1 радиан на позицию",
        ),
    ),
    "frequencies-not-inverted": Named(
        t(
            "the frequencies are not inverted: base^(2k/d) instead of base^(-2k/d)",
            "частоты не обращены: base^(2k/d) вместо base^(-2k/d)",
        ),
        t("divide the position by base^(2k/d)", "делите позицию на base^(2k/d)"),
    ),
    "base": Named(
        t("the base is {base}, not {expected}", "основание частот равно {base}, а не {expected}"),
        t("set the base (rope_theta) of the model", "задайте основание (rope_theta) этой модели"),
    ),
    "ntk": Named(
        t(
            "the base is stretched to {base}: NTK-aware scaling by {factor}",
            "основание увеличено до {base}: NTK-масштабирование с множителем {factor}",
        ),
        t(
            "scale on both sides alike, or on neither",
            "масштабируйте в обеих программах одинаково или ни в одной",
        ),
    ),
    "denominator": Named(
        t(
            "the width in the exponent is {denominator}, not {expected}",
            "в показателе степени стоит ширина {denominator}, а не {expected}",
        ),
        t(
            "divide the exponent by the width that is rotated",
            "делите показатель на ширину поворачиваемой части",
        ),
    ),
    "position-interpolation": Named(
        t(
            "positions or frequencies are divided by {factor} (position interpolation)",
            "позиции или частоты поделены на {factor} (интерполяция позиций)",
        ),
        t("apply the factor of the config, once", "примените множитель из конфигурации, один раз"),
    ),
    "yarn": Named(
        t(
            "slow pairs are divided by {factor} and fast ones kept, as YaRN does for an "
            "original length of {original_length} (pair bounds truncated: {truncate})",
            "медленные пары поделены на {factor}, быстрые прежние: YaRN с исходной длиной "
            "{original_length} (границы пар округлены: {truncate})",
        ),
        t(
            "scale on both sides alike: verify --config reads the scaling of a model",
            "масштабируйте в обеих программах одинаково: verify --config прочтёт "
            "масштабирование "
            "модели",
        ),
    ),
    "llama3": Named(
        t(
            "slow pairs are divided by {factor} and fast ones kept, as Llama 3 does for an "
            "original length of {original_length}",
            "медленные пары поделены на {factor}, быстрые прежние: масштабирование Llama 3 с "
            "исходной длиной {original_length}",
        ),
        t(
            "scale on both sides alike: verify --config reads the scaling of a model",
            "масштабируйте в обеих программах одинаково: verify --config прочтёт "
            "масштабирование "
            "модели",
        ),
    ),
    "unscaled": Named(
        t("the frequencies are not scaled", "частоты не масштабированы"),
        t(
            "apply the scaling of the config (rope_scaling or rope_parameters)",
            "примените масштабирование из конфигурации (rope_scaling или rope_parameters)",
        ),
    ),
    "other-list": Named(
        t(
            "the other list of LongRoPE divides the frequencies",
            "частоты поделены на другой список LongRoPE",
        ),
        t(
            "long_factor is for texts longer than the original length, short_factor for others",
            "long_factor нужен текстам длиннее исходной длины, остальным — short_factor",
        ),
    ),
    "other-rule": Named(
        t(
            "the config is read by another rule: {rule}",
            "конфигурация прочитана по другому правилу: {rule}",
        ),
        t(
            "rope-report scaling shows how programs differ on this config",
            "rope-report scaling покажет, в чём программы расходятся на этой конфигурации",
        ),
    ),
    "stale-length": Named(
        t(
            "the table was made for a text of {length} positions",
            "таблица построена для текста из {length} позиций",
        ),
        t(
            "make the table again when the length of the text changes",
            "стройте таблицу заново, когда меняется длина текста",
        ),
    ),
    "attention-factor": Named(
        t(
            "cosines and sines are multiplied by {found} instead of {expected} (attention factor)",
            "косинусы и синусы умножены на {found} вместо {expected} (множитель внимания)",
        ),
        t(
            "multiply cosines and sines by the attention factor exactly once",
            "умножайте косинусы и синусы на множитель внимания ровно один раз",
        ),
    ),
    "rotary-width": Named(
        t(
            "{width} coordinates are rotated, not {expected}",
            "поворачивается координат: {width}, а не {expected}",
        ),
        t(
            "rotate as many coordinates as the model does (partial_rotary_factor)",
            "поворачивайте столько координат, сколько модель (partial_rotary_factor)",
        ),
    ),
    "stride": Named(
        t("the coordinates of a pair are {stride} apart", "координаты пары отстоят на {stride}"),
        t(
            "they are half the rotated width apart, not half a head",
            "расстояние между ними — половина поворачиваемой ширины, а не половина головы",
        ),
    ),
    "unknown-frequencies": Named(
        t(
            "the pairs turn evenly, but by frequencies of no known law",
            "пары поворачиваются равномерно, но частоты не следуют известному закону",
        ),
        t(
            "compare the measured frequencies below with those of your code",
            "сравните измеренные частоты ниже с частотами вашего кода",
        ),
    ),
}
MISTAKES = {**OF_TURNING, **OF_FREQUENCIES}
