"""What is said about the config of a model: what is accepted, and what deserves a warning."""

from __future__ import annotations

from typing import NamedTuple

from rope_cli.document.vocabulary import t
from rope_cli.text import Text

CONFIG = t(
    "the config.json of a model, one JSON object in UTF-8",
    "config.json модели — один объект JSON в UTF-8",
)
AN_OBJECT = t("an object", "объект")
A_LIST = t("a list", "список")
TRUTH = t("true or false", "true или false")
NUMBERS = t("a list of numbers", "список чисел")
EVEN_SHARE = t(
    "a share from 0 to 1 that leaves an even rotary width, 2 or greater",
    "доля от 0 до 1, при которой ширина поворота чётна и не меньше 2",
)
EVEN_WIDTH = t("an even width", "чётная ширина")
WITHIN_HEAD = t("an even width no greater than the head's", "чётная ширина не больше ширины головы")
FEW_LAYER_TYPES = t("at most 64 types of layers", "не больше 64 видов слоёв")
MULTIPLE = t("a multiple of the number of heads", "число, которое делится на количество голов")
NOT_BELOW_LOW = t("a number no smaller than low_freq_factor", "число не меньше low_freq_factor")
FAST_NOT_BELOW_SLOW = t("beta_fast no smaller than beta_slow", "beta_fast не меньше beta_slow")

TOO_LARGE = t("it is larger than 4 MiB", "он больше 4 МиБ")
NOT_UTF8 = t("it is not UTF-8", "это не UTF-8")
EMPTY = t("it is empty", "он пуст")
TOO_DEEP = t("its objects are nested too deeply", "объекты вложены слишком глубоко")
NO_OBJECT = t("it holds no JSON object", "в нём нет объекта JSON")


def not_json(line: int, column: int) -> Text:
    """Where the text stops being JSON."""
    return t(
        f"it is not JSON at line {line}, column {column}",
        f"это не JSON: строка {line}, столбец {column}",
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
    t("a whole number from 1 to 2^53", "целое число от 1 до 2^53"),
)
WIDTH = Span(2, 2**16, True, t("a whole number from 2 to 65536", "целое число от 2 до 65536"))
COUNT = Span(1, 2**32, True, t("a whole number from 1 to 2^32", "целое число от 1 до 2^32"))
BASE = Span(1.001, 1e100, False, t("a number from 1.001 to 1e100", "число от 1.001 до 1e100"))
FACTOR = Span(1e-3, 1e9, False, t("a number from 0.001 to 1e9", "число от 0.001 до 1e9"))
WEIGHT = Span(0, 1e9, False, t("a number from 0 to 1e9", "число от 0 до 1e9"))
SHARE = Span(0, 1, False, EVEN_SHARE)
LENGTH_OF_TEXT = Span(
    2,
    2**53,
    True,
    t("a whole number from 2 to 2^53", "целое число от 2 до 2^53"),
)


class Warned(NamedTuple):
    """A kind of warning: its stable name and its sentence."""

    kind: str
    sentence: Text


NO_ROTATION = Warned(
    "contradictory",
    t(
        "{key} = {value}: such a model is known to have no rotation; the table shows what its "
        "numbers would give.",
        "{key} = {value}: известно, что в такой модели поворота нет; таблица показывает, что "
        "дали "
        "бы её числа.",
    ),
)
UNROTATED_LAYERS = Warned(
    "ignored",
    t(
        "{key}: some layers of this model are not rotated; the table is about the others.",
        "{key}: часть слоёв этой модели не поворачивается; таблица — об остальных.",
    ),
)
UNKNOWN = Warned(
    "unknown",
    t(
        "{key}: no method of scaling reads this key; it changes nothing.",
        "{key}: такой ключ не читает ни один метод масштабирования; он ни на что не влияет.",
    ),
)
IGNORED = Warned(
    "ignored",
    t(
        "{key}: the method {used} does not read this key; it changes nothing.",
        "{key}: метод {used} этот ключ не читает; он ни на что не влияет.",
    ),
)
TWICE = Warned(
    "contradictory",
    t(
        "{key} is written more than once; the last one is used.",
        "{key}: ключ записан несколько раз; используется последнее значение.",
    ),
)
CONTRADICTS = Warned(
    "contradictory",
    t(
        "{key} = {value}, but {used} = {used_value}; the second is used.",
        "{key} = {value}, но {used} = {used_value}; используется второе.",
    ),
)
BOTH_OBJECTS = Warned(
    "contradictory",
    t(
        "{key} differs from {used}; the second is used.",
        "{key} отличается от {used}; используется второй объект.",
    ),
)
NOT_THE_RATIO = Warned(
    "contradictory",
    t(
        "{key} = {value}, but max_position_embeddings / original_max_position_embeddings = "
        "{ratio}; the factor is used.",
        "{key} = {value}, но max_position_embeddings / original_max_position_embeddings = "
        "{ratio}; используется множитель.",
    ),
)
NOT_LONGER = Warned(
    "contradictory",
    t(
        "{key} = {value} is not below max_position_embeddings = {used_value}: there is "
        "nothing to extend.",
        "{key} = {value} не меньше max_position_embeddings = {used_value}: удлинять нечего.",
    ),
)
SHRINKS = Warned(
    "contradictory",
    t(
        "{key} = {value} is below 1: the pairs would turn faster, not more slowly.",
        "{key} = {value} меньше 1: пары ускорятся, а не замедлятся.",
    ),
)
NO_BAND = Warned(
    "contradictory",
    t(
        "{key} = {value} equals low_freq_factor: no pair is blended, and reference code would "
        "divide by zero at the bound.",
        "{key} = {value} равно low_freq_factor: смешанных пар нет, а эталонный код на самой "
        "границе делил бы на ноль.",
    ),
)
BEYOND = Warned(
    "contradictory",
    t(
        "{key} = {value} is beyond max_position_embeddings = {used_value}.",
        "{key} = {value} больше, чем max_position_embeddings = {used_value}.",
    ),
)
NO_TYPE = Warned(
    "assumed",
    t(
        "{key} names no rope_type; without one nothing is scaled.",
        "{key}: не задан rope_type, а без него ничего не масштабируется.",
    ),
)
OTHER_NAME = Warned(
    "assumed",
    t("{key} = {value} is read as {used}.", "{key} = {value} прочитано как {used}."),
)
FROM_RATIO = Warned(
    "assumed",
    t(
        "{key} is null; the factor is max_position_embeddings / "
        "original_max_position_embeddings = {ratio}.",
        "{key}: null; множитель равен max_position_embeddings / "
        "original_max_position_embeddings = {ratio}.",
    ),
)
NO_ORIGINAL = Warned(
    "assumed",
    t(
        "{key} is missing; max_position_embeddings = {used_value} is used.",
        "{key}: не задано; используется max_position_embeddings = {used_value}.",
    ),
)
UNROTATED = Warned(
    "assumed",
    t(
        "{key} is null: the layers of this type are not rotated.",
        "{key}: null, слои этого вида не поворачиваются.",
    ),
)
