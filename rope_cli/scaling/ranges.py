"""Which values a config may hold, and the words that say so in a refusal."""

from __future__ import annotations

from typing import NamedTuple

from rope_cli.document.vocabulary import t
from rope_cli.text import Text

AN_OBJECT = t("an object", "объект")
A_LIST = t("a list", "список")
A_NAME = t("a name", "имя")
A_TRUTH_VALUE = t("true or false", "true или false")
NUMBERS = t("a list of numbers", "список чисел")
EVEN_SHARE = t(
    "a share from 0 to 1 that leaves an even rotary width, 2 or greater",
    "доля от 0 до 1, при которой поворачиваемая ширина чётна и не меньше 2",
)
ONE_WIDTH = t("one width for all layers of a type", "одна ширина для всех слоёв одного типа")
EVEN_WIDTH = t("an even width", "чётная ширина")
WITHIN_HEAD = t("an even width no greater than the head's", "чётная ширина не больше ширины головы")
FEW_KEYS = t("at most 1024 keys", "не больше 1024 ключей")
FEW_COORDINATES = t(
    "at most 131072 rotated coordinates, those of all types of layers together",
    "не больше 131072 поворачиваемых координат во всех типах слоёв вместе",
)
NO_BASE_PER_LAYER = t(
    "one base for all layers of a type (bases of single layers are not computed here)",
    "одно основание для всех слоёв одного типа (основания отдельных слоёв здесь не вычисляются)",
)
FEW_LAYER_TYPES = t("at most 64 types of layers", "не больше 64 типов слоёв")
MULTIPLE_OF_HEADS = t("a multiple of the number of heads", "число, которое делится на число голов")
NOT_BELOW_LOW = t("a number no smaller than low_freq_factor", "число не меньше low_freq_factor")
FAST_NOT_BELOW_SLOW = t("beta_fast no smaller than beta_slow", "beta_fast не меньше beta_slow")


class NumberRange(NamedTuple):
    """Which numbers are accepted, whole ones only or all, bounds included."""

    least: float
    most: float
    whole: bool
    accepted: Text


def whole_numbers(least: int, most: int, en: str, ru: str) -> NumberRange:
    """A range of whole numbers."""
    return NumberRange(least, most, True, t(en, ru))


def numbers(least: float, most: float, en: str, ru: str) -> NumberRange:
    """A range of real numbers."""
    return NumberRange(least, most, False, t(en, ru))


POSITIONS = whole_numbers(1, 2**53, "a whole number from 1 to 2^53", "целое число от 1 до 2^53")
WIDTH = whole_numbers(2, 2**16, "a whole number from 2 to 65536", "целое число от 2 до 65536")
COUNT = whole_numbers(1, 2**32, "a whole number from 1 to 2^32", "целое число от 1 до 2^32")
# The logarithm of an original length is a divisor.
ORIGINAL_LENGTH = whole_numbers(
    2, 2**53, "a whole number from 2 to 2^53", "целое число от 2 до 2^53"
)
BASE = numbers(1.001, 1e100, "a number from 1.001 to 1e100", "число от 1.001 до 1e100")
FACTOR = numbers(1e-3, 1e9, "a number from 0.001 to 1e9", "число от 0.001 до 1e9")
WEIGHT = numbers(0, 1e9, "a number from 0 to 1e9", "число от 0 до 1e9")
SHARE = NumberRange(0, 1, False, EVEN_SHARE)
