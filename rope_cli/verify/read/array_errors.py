"""What ``verify`` accepts of arrays, in words."""

from __future__ import annotations

from collections.abc import Sequence

from rope_cli.document.vocabulary import t
from rope_cli.errors import shown
from rope_cli.text import Text

# Significant bits of each precision.
DTYPES = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}

FILES = t(
    "a .npz from numpy.savez(FILE, input=..., output=...), or .npy and .json files",
    "файл .npz, записанный через numpy.savez(ФАЙЛ, input=..., output=...), или файлы .npy и .json",
)
LIST = t(
    "a list of 1 to 65536 finite numbers in a .json, .npy, .npz, .csv or .txt file",
    "список конечных чисел (от 1 до 65536) в файле .json, .npy, .npz, .csv или .txt",
)
BITS = t(
    "another dtype, or --dtype bfloat16 if these are the bits of bfloat16 as uint16",
    "другой тип или --dtype bfloat16, если это биты bfloat16 в виде uint16",
)
WIDE = t("a last axis of width 2 or more", "последняя ось шириной не меньше 2")
POSITIONS = t(
    "numbers from -2^53 to 2^53 of shape [tokens] or [batch, tokens], whole or multiples of one "
    "fraction",
    "числа от -2^53 до 2^53, форма [токены] или [пакет, токены]; они целые или кратны одной дроби",
)
EVEN = t(
    "a last axis of even width, cosines and then sines",
    "чётная последняя ось: косинусы, затем синусы",
)
TABLE = t("a table of at most 2^26 numbers", "таблица, в которой не больше 2^26 чисел")
NO_COMMON_STEP = t("not multiples of one fraction", "не кратен одной дроби")


def same_shape(shape: Sequence[int]) -> Text:
    """The shape that a second array must have."""
    listed = shown(list(shape))
    return t(f"the shape of the input, {listed}", f"форма входа {listed}")


def dtypes_up_to(stored: str) -> Text:
    """The dtypes that ``--dtype`` accepts for values stored in this precision."""
    names = ", ".join(name for name, bits in DTYPES.items() if bits <= DTYPES[stored])
    return t(f"for such numbers --dtype {names}", f"для таких чисел --dtype {names}")
