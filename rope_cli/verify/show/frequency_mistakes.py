"""Each mistake in words: what was done, and what to change; here those of frequencies."""

from __future__ import annotations

from rope_cli.text import Text
from rope_cli.verify.show.names import Named
from rope_cli.verify.show.rotation_mistakes import OF_TURNING

OF_FREQUENCIES: dict[str, Named] = {
    "pairs-from-one": Named(
        Text(
            en="pairs are counted from 1: each turns as the next one should",
            ru="пары нумеруются с 1: каждая поворачивается так, как должна следующая",
        ),
        Text(
            en="the exponent of the first pair is 0",
            ru="показатель степени первой пары равен 0",
        ),
    ),
    "reversed-frequencies": Named(
        Text(
            en="the frequencies are in reverse order: the first pair is the slowest",
            ru="частоты идут в обратном порядке: первая пара самая медленная",
        ),
        Text(
            en="the first pair turns fastest, by 1 radian per position",
            ru="первая пара самая быстрая: 1 радиан на позицию",
        ),
    ),
    "frequencies-not-inverted": Named(
        Text(
            en="the frequencies are not inverted: base^(2k/d) instead of base^(-2k/d)",
            ru="частоты не обращены: base^(2k/d) вместо base^(-2k/d)",
        ),
        Text(
            en="divide the position by base^(2k/d)",
            ru="делите позицию на base^(2k/d)",
        ),
    ),
    "base": Named(
        Text(
            en="the base is {base}, not {expected}",
            ru="основание частот равно {base}, а не {expected}",
        ),
        Text(
            en="set the base (rope_theta) of the model",
            ru="задайте основание (rope_theta) этой модели",
        ),
    ),
    "ntk": Named(
        Text(
            en="the base is stretched to {base}: NTK-aware scaling by {factor}",
            ru="основание увеличено до {base}: NTK-масштабирование с множителем {factor}",
        ),
        Text(
            en="scale on both sides alike, or on neither",
            ru="масштабируйте в обеих программах одинаково или ни в одной",
        ),
    ),
    "denominator": Named(
        Text(
            en="the width in the exponent is {denominator}, not {expected}",
            ru="в показателе степени стоит ширина {denominator}, а не {expected}",
        ),
        Text(
            en="divide the exponent by the width that is rotated",
            ru="делите показатель на ширину поворачиваемой части",
        ),
    ),
    "position-interpolation": Named(
        Text(
            en="positions or frequencies are divided by {factor} (position interpolation)",
            ru="позиции или частоты поделены на {factor} (интерполяция позиций)",
        ),
        Text(
            en="apply the factor of the config, once",
            ru="примените множитель из конфигурации, один раз",
        ),
    ),
    "yarn": Named(
        Text(
            en="slow pairs are divided by {factor} and fast ones kept, as YaRN does for an "
            "original length of {original_length} (pair bounds truncated: {truncate})",
            ru="медленные пары поделены на {factor}, быстрые прежние: YaRN с исходной длиной "
            "{original_length} (границы пар округлены: {truncate})",
        ),
        Text(
            en="scale on both sides alike: verify --config reads the scaling of a model",
            ru="масштабируйте в обеих программах одинаково: verify --config прочтёт "
            "масштабирование "
            "модели",
        ),
    ),
    "llama3": Named(
        Text(
            en="slow pairs are divided by {factor} and fast ones kept, as Llama 3 does for an "
            "original length of {original_length}",
            ru="медленные пары поделены на {factor}, быстрые прежние: масштабирование Llama 3 с "
            "исходной длиной {original_length}",
        ),
        Text(
            en="scale on both sides alike: verify --config reads the scaling of a model",
            ru="масштабируйте в обеих программах одинаково: verify --config прочтёт "
            "масштабирование "
            "модели",
        ),
    ),
    "unscaled": Named(
        Text(
            en="the frequencies are not scaled",
            ru="частоты не масштабированы",
        ),
        Text(
            en="apply the scaling of the config (rope_scaling or rope_parameters)",
            ru="примените масштабирование из конфигурации (rope_scaling или rope_parameters)",
        ),
    ),
    "other-list": Named(
        Text(
            en="the other list of LongRoPE divides the frequencies",
            ru="частоты поделены на другой список LongRoPE",
        ),
        Text(
            en="long_factor is for texts longer than the original length, short_factor for others",
            ru="long_factor нужен текстам длиннее исходной длины, остальным — short_factor",
        ),
    ),
    "other-rule": Named(
        Text(
            en="the config is read by another rule: {rule}",
            ru="конфигурация прочитана по другому правилу: {rule}",
        ),
        Text(
            en="rope-report scaling shows how programs differ on this config",
            ru="rope-report scaling покажет, в чём программы расходятся на этой конфигурации",
        ),
    ),
    "stale-length": Named(
        Text(
            en="the table was made for a text of {length} positions",
            ru="таблица построена для текста из {length} позиций",
        ),
        Text(
            en="make the table again when the length of the text changes",
            ru="стройте таблицу заново, когда меняется длина текста",
        ),
    ),
    "attention-factor": Named(
        Text(
            en="cosines and sines are multiplied by {found} instead of {expected} (attention "
            "factor)",
            ru="косинусы и синусы умножены на {found} вместо {expected} (множитель внимания)",
        ),
        Text(
            en="multiply cosines and sines by the attention factor exactly once",
            ru="умножайте косинусы и синусы на множитель внимания ровно один раз",
        ),
    ),
    "rotary-width": Named(
        Text(
            en="{width} coordinates are rotated, not {expected}",
            ru="поворачивается координат: {width}, а не {expected}",
        ),
        Text(
            en="rotate as many coordinates as the model does (partial_rotary_factor)",
            ru="поворачивайте столько координат, сколько модель (partial_rotary_factor)",
        ),
    ),
    "stride": Named(
        Text(
            en="the coordinates of a pair are {stride} apart",
            ru="координаты пары отстоят на {stride}",
        ),
        Text(
            en="they are half the rotated width apart, not half a head",
            ru="расстояние между ними — половина поворачиваемой ширины, а не половина головы",
        ),
    ),
    "unknown-frequencies": Named(
        Text(
            en="the pairs turn evenly, but by frequencies of no known law",
            ru="пары поворачиваются равномерно, но частоты не следуют известному закону",
        ),
        Text(
            en="compare the measured frequencies below with those of your code",
            ru="сравните измеренные частоты ниже с частотами вашего кода",
        ),
    ),
}
MISTAKES = {**OF_TURNING, **OF_FREQUENCIES}
