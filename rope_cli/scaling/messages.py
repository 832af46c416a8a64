"""What is said about the config of a model: what is accepted, and what deserves a warning."""

from __future__ import annotations

from typing import NamedTuple

from rope_cli.text import Text

CONFIG = Text(
    en="the config.json of a model, one JSON object in UTF-8",
    ru="config.json модели — один объект JSON в UTF-8",
)
AN_OBJECT = Text(en="an object", ru="объект")
A_LIST = Text(en="a list", ru="список")
TRUTH = Text(en="true or false", ru="true или false")
NUMBERS = Text(en="a list of numbers", ru="список чисел")
EVEN_SHARE = Text(
    en="a share from 0 to 1 that leaves an even rotary width, 2 or greater",
    ru="доля от 0 до 1, при которой ширина поворота чётна и не меньше 2",
)
EVEN_WIDTH = Text(en="an even width", ru="чётная ширина")
WITHIN_HEAD = Text(
    en="an even width no greater than the head's", ru="чётная ширина не больше ширины головы"
)
FEW_LAYER_TYPES = Text(en="at most 64 types of layers", ru="не больше 64 видов слоёв")
MULTIPLE = Text(
    en="a multiple of the number of heads", ru="число, которое делится на количество голов"
)
NOT_BELOW_LOW = Text(
    en="a number no smaller than low_freq_factor", ru="число не меньше low_freq_factor"
)
FAST_NOT_BELOW_SLOW = Text(
    en="beta_fast no smaller than beta_slow", ru="beta_fast не меньше beta_slow"
)

TOO_LARGE = Text(en="it is larger than 4 MiB", ru="он больше 4 МиБ")
NOT_UTF8 = Text(en="it is not UTF-8", ru="это не UTF-8")
EMPTY = Text(en="it is empty", ru="он пуст")
TOO_DEEP = Text(en="its objects are nested too deeply", ru="объекты вложены слишком глубоко")
NO_OBJECT = Text(en="it holds no JSON object", ru="в нём нет объекта JSON")


def not_json(line: int, column: int) -> Text:
    """Where the text stops being JSON."""
    return Text(
        en=f"it is not JSON at line {line}, column {column}",
        ru=f"это не JSON: строка {line}, столбец {column}",
    )


class Span(NamedTuple):
    """Which numbers are accepted."""

    least: float
    most: float
    whole: bool
    accepted: Text


POSITIONS = Span(
    1,
    2**53,
    True,
    Text(en="a whole number from 1 to 2^53", ru="целое число от 1 до 2^53"),
)
WIDTH = Span(
    2, 2**16, True, Text(en="a whole number from 2 to 65536", ru="целое число от 2 до 65536")
)
COUNT = Span(
    1, 2**32, True, Text(en="a whole number from 1 to 2^32", ru="целое число от 1 до 2^32")
)
BASE = Span(
    1.001, 1e100, False, Text(en="a number from 1.001 to 1e100", ru="число от 1.001 до 1e100")
)
FACTOR = Span(1e-3, 1e9, False, Text(en="a number from 0.001 to 1e9", ru="число от 0.001 до 1e9"))
WEIGHT = Span(0, 1e9, False, Text(en="a number from 0 to 1e9", ru="число от 0 до 1e9"))
SHARE = Span(0, 1, False, EVEN_SHARE)
LENGTH_OF_TEXT = Span(
    2,
    2**53,
    True,
    Text(en="a whole number from 2 to 2^53", ru="целое число от 2 до 2^53"),
)


class Warned(NamedTuple):
    """A kind of warning: its stable name and its sentence."""

    kind: str
    sentence: Text


NO_ROTATION = Warned(
    "contradictory",
    Text(
        en="{key} = {value}: such a model is known to have no rotation; the table shows what its "
        "numbers would give.",
        ru="{key} = {value}: известно, что в такой модели поворота нет; таблица показывает, что "
        "дали "
        "бы её числа.",
    ),
)
UNROTATED_LAYERS = Warned(
    "ignored",
    Text(
        en="{key}: some layers of this model are not rotated; the table is about the others.",
        ru="{key}: часть слоёв этой модели не поворачивается; таблица — об остальных.",
    ),
)
UNKNOWN = Warned(
    "unknown",
    Text(
        en="{key}: no method of scaling reads this key; it changes nothing.",
        ru="{key}: такой ключ не читает ни один метод масштабирования; он ни на что не влияет.",
    ),
)
IGNORED = Warned(
    "ignored",
    Text(
        en="{key}: the method {used} does not read this key; it changes nothing.",
        ru="{key}: метод {used} этот ключ не читает; он ни на что не влияет.",
    ),
)
TWICE = Warned(
    "contradictory",
    Text(
        en="{key} is written more than once; the last one is used.",
        ru="{key}: ключ записан несколько раз; используется последнее значение.",
    ),
)
CONTRADICTS = Warned(
    "contradictory",
    Text(
        en="{key} = {value}, but {used} = {used_value}; the second is used.",
        ru="{key} = {value}, но {used} = {used_value}; используется второе.",
    ),
)
BOTH_OBJECTS = Warned(
    "contradictory",
    Text(
        en="{key} differs from {used}; the second is used.",
        ru="{key} отличается от {used}; используется второй объект.",
    ),
)
NOT_THE_RATIO = Warned(
    "contradictory",
    Text(
        en="{key} = {value}, but max_position_embeddings / original_max_position_embeddings = "
        "{ratio}; the factor is used.",
        ru="{key} = {value}, но max_position_embeddings / original_max_position_embeddings = "
        "{ratio}; используется множитель.",
    ),
)
NOT_LONGER = Warned(
    "contradictory",
    Text(
        en="{key} = {value} is not below max_position_embeddings = {used_value}: there is "
        "nothing to extend.",
        ru="{key} = {value} не меньше max_position_embeddings = {used_value}: удлинять нечего.",
    ),
)
SHRINKS = Warned(
    "contradictory",
    Text(
        en="{key} = {value} is below 1: the pairs would turn faster, not more slowly.",
        ru="{key} = {value} меньше 1: пары ускорятся, а не замедлятся.",
    ),
)
NO_BAND = Warned(
    "contradictory",
    Text(
        en="{key} = {value} equals low_freq_factor: no pair is blended, and reference code would "
        "divide by zero at the bound.",
        ru="{key} = {value} равно low_freq_factor: смешанных пар нет, а эталонный код на самой "
        "границе делил бы на ноль.",
    ),
)
BEYOND = Warned(
    "contradictory",
    Text(
        en="{key} = {value} is beyond max_position_embeddings = {used_value}.",
        ru="{key} = {value} больше, чем max_position_embeddings = {used_value}.",
    ),
)
NO_TYPE = Warned(
    "assumed",
    Text(
        en="{key} names no rope_type; without one nothing is scaled.",
        ru="{key}: не задан rope_type, а без него ничего не масштабируется.",
    ),
)
OTHER_NAME = Warned(
    "assumed",
    Text(
        en="{key} = {value} is read as {used}.",
        ru="{key} = {value} прочитано как {used}.",
    ),
)
FROM_RATIO = Warned(
    "assumed",
    Text(
        en="{key} is null; the factor is max_position_embeddings / "
        "original_max_position_embeddings = {ratio}.",
        ru="{key}: null; множитель равен max_position_embeddings / "
        "original_max_position_embeddings = {ratio}.",
    ),
)
NO_ORIGINAL = Warned(
    "assumed",
    Text(
        en="{key} is missing; max_position_embeddings = {used_value} is used.",
        ru="{key}: не задано; используется max_position_embeddings = {used_value}.",
    ),
)
UNROTATED = Warned(
    "assumed",
    Text(
        en="{key} is null: the layers of this type are not rotated.",
        ru="{key}: null, слои этого вида не поворачиваются.",
    ),
)
