"""Warnings about a config, as data: the kind of a warning and the values of its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from rope_cli.document.vocabulary import t
from rope_cli.scaling.json_files import ConfigValue, format_key, format_value
from rope_cli.scaling.spelling import meant_name
from rope_cli.text import Text

# The values that are keys of the file.
KEYS = "key", "used", "meant"


class WarningKind(NamedTuple):
    """A stable name that several warnings may share, and a sentence."""

    name: str
    sentence: Text


def warning_kind(name: str, en: str, ru: str) -> WarningKind:
    """A kind of warning with its sentence in both languages."""
    return WarningKind(name, t(en, ru))


class ConfigWarning(NamedTuple):
    """A warning and the values of its sentence, each of them safe to print."""

    kind: WarningKind
    values: Mapping[str, Any]


class Warnings(list[ConfigWarning]):
    """The warnings about one file in the order in which they arose, none of them twice."""

    def __init__(self, warnings: Iterable[ConfigWarning] = ()) -> None:
        super().__init__(warnings)
        self.known = {(kind, *values.items()) for kind, values in self}

    def add(self, kind: WarningKind, **values: Any) -> None:
        """Add a warning; values from the file are shortened and made printable."""
        printable = {
            name: format_key(value) if name in KEYS else format_value(value)
            for name, value in values.items()
        }
        identity = (kind, *printable.items())
        if identity not in self.known:
            self.known.add(identity)
            self.append(ConfigWarning(kind, printable))

    def add_unknown(self, prefix: str, key: str, names: Iterable[str]) -> None:
        """Warn of a key that nobody reads, and name the one that it may be a misspelling of."""
        meant = meant_name(key, names)
        if meant is None:
            self.add(UNKNOWN_KEY, key=prefix + key)
        else:
            self.add(MISSPELLED_KEY, key=prefix + key, meant=meant)

    def add_contradiction(self, ignored: ConfigValue | None, used: ConfigValue) -> None:
        """Warn if the file gives the same value twice and differently."""
        if ignored and not ignored.is_default and ignored.value != used.value:
            self.add(
                CONTRADICTION,
                key=ignored.source,
                value=ignored.value,
                used=used.source,
                used_value=used.value,
            )


UNKNOWN_TYPE = warning_kind(
    "unknown",
    "{key} = {value}: this type is not in the table made from {used}, so nothing is known of it. "
    "The report assumes that all its layers rotate, and in the same way as in most models.",
    "{key} = {value}: об этом типе ничего не известно, его нет в таблице, составленной по {used}. "
    "Предполагается, что RoPE есть во всех его слоях и устроено так же, как в большинстве моделей.",
)
MISSPELLED_TYPE = warning_kind(
    "unknown",
    "{key} = {value}: this type is not in the table made from {used}, so nothing is known of it. "
    "The report assumes that all its layers rotate, and in the same way as in most models. Was "
    "{meant} meant?",
    "{key} = {value}: об этом типе ничего не известно, его нет в таблице, составленной по {used}. "
    "Предполагается, что RoPE есть во всех его слоях и устроено так же, как в большинстве моделей. "
    "Может быть, имелся в виду {meant}?",
)
MODEL_AT_TOP = warning_kind(
    "assumed",
    "{key} = {value}: files of this type describe the language model in a nested object; here the "
    "keys of the file itself are read, as those of {used}.",
    "{key} = {value}: в файлах этого типа языковая модель описана во вложенном объекте, а здесь "
    "прочитаны ключи самого файла, как у типа {used}.",
)
NO_TYPE = warning_kind(
    "unknown",
    "{key} is missing, so nothing is known of the model. The report assumes that all its layers "
    "rotate, and in the same way as in most models.",
    "{key}: ключ не задан, и о модели ничего не известно. Предполагается, что RoPE есть во всех "
    "её слоях и устроено так же, как в большинстве моделей.",
)
TEXT_ONLY = warning_kind(
    "assumed",
    "{key}: this model uses M-RoPE, which gives each token three positions, in time, height and "
    "width. The report assumes that there is only text. Then the three are equal, and M-RoPE is "
    "ordinary RoPE; pictures and video are not covered.",
    "{key}: это модель с M-RoPE, где у токена три позиции — по времени, высоте и ширине. "
    "Предполагается, что на входе только текст. Тогда все три равны, и M-RoPE совпадает с обычным "
    "RoPE; изображения и видео здесь не рассматриваются.",
)
SHORT_LIST = warning_kind(
    "assumed",
    "{key} = {value}: for texts beyond the original length the report takes long_factor, as vLLM "
    "does. For this type the code in transformers 5.24.0 always takes short_factor.",
    "{key} = {value}: в текстах длиннее исходной длины берётся long_factor, как в vLLM. Код в "
    "transformers 5.24.0 для этого типа всегда берёт short_factor.",
)
BASE_ASSUMED = warning_kind(
    "assumed",
    "{key} is missing; the base {used_value} is assumed. Many models use another one.",
    "{key}: ключ не задан; принято основание {used_value}. Во многих моделях оно другое.",
)
SHARE_ASSUMED = warning_kind(
    "assumed",
    "{key} is missing; all {value} coordinates of a head are assumed to rotate. In some models "
    "only part of a head rotates.",
    "{key}: ключ не задан; предполагается, что поворачиваются все координаты головы, их {value}. "
    "В некоторых моделях поворачивается только часть.",
)
WIDTH_ASSUMED = warning_kind(
    "assumed",
    "The head width is assumed to be {key} = {value}, since the file does not give one.",
    "Ширина головы в файле не задана; принято {key} = {value}.",
)
OLD_NAME_UNREAD = warning_kind(
    "contradictory",
    "{key}: the code of the model type {used} in transformers reads rope_type only and would "
    "scale nothing; here the method is applied.",
    "{key}: код моделей типа {used} в transformers читает только rope_type и ничего не "
    "масштабировал бы; здесь метод применён.",
)
INCOMPLETE_OBJECTS = warning_kind(
    "contradictory",
    "{key}: the code of the model type {used} expects an object for each type of layers, with "
    "rope_theta and partial_rotary_factor in each; with these objects it would compute other "
    "numbers.",
    "{key}: код моделей типа {used} ждёт по объекту на каждый тип слоёв, с rope_theta и "
    "partial_rotary_factor в каждом; с такими объектами он вычисляет другие числа.",
)
READ_ELSEWHERE = warning_kind(
    "ignored",
    "{key}: transformers does not read this key, but other code does; see the table of other code.",
    "{key}: transformers не читает этот ключ, но его читает другой код; см. таблицу других "
    "реализаций.",
)
UNROTATED_LAYERS = warning_kind(
    "ignored",
    "{key}: some layers of this model have no rotation; the table describes the others.",
    "{key}: в части слоёв этой модели поворота нет; таблица описывает остальные.",
)
UNREAD_AROUND = warning_kind(
    "ignored",
    "{key}: the code of this model reads only {used}, so this key outside it changes nothing here.",
    "{key}: код этой модели читает только {used}, поэтому этот ключ вне его ни на что не влияет.",
)
UNREAD_BY_TYPE = warning_kind(
    "ignored",
    "{key}: the code of the model type {used} does not read this key, so it changes nothing here.",
    "{key}: код моделей типа {used} не читает этот ключ, поэтому здесь он ни на что не влияет.",
)
UNKNOWN_KEY = warning_kind(
    "unknown",
    "{key}: no scaling method reads this key, so it changes nothing here.",
    "{key}: ни один метод масштабирования не читает этот ключ, поэтому здесь он ни на что не "
    "влияет.",
)
MISSPELLED_KEY = warning_kind(
    "unknown",
    "{key}: no code that is known here reads this key, so it changes nothing. Was {meant} meant?",
    "{key}: ни один код, известный программе, не читает этот ключ, поэтому здесь он ни на что не "
    "влияет. Может быть, имелся в виду {meant}?",
)
IGNORED_KEY = warning_kind(
    "ignored",
    "{key}: the method {used} does not read this key, so it changes nothing here.",
    "{key}: метод {used} не читает этот ключ, поэтому здесь он ни на что не влияет.",
)
REPEATED_KEY = warning_kind(
    "contradictory",
    "{key} is given more than once; the last value is used.",
    "{key}: ключ задан несколько раз; используется последнее значение.",
)
CONTRADICTION = warning_kind(
    "contradictory",
    "{key} = {value}, but {used} = {used_value}; the second value is used.",
    "{key} = {value}, но {used} = {used_value}; используется второе значение.",
)
BOTH_OBJECTS = warning_kind(
    "contradictory",
    "{key} differs from {used}; the second object is used.",
    "{key} отличается от {used}; используется второй объект.",
)
FACTOR_IS_NOT_RATIO = warning_kind(
    "contradictory",
    "{key} = {value}, but max_position_embeddings / original_max_position_embeddings = "
    "{ratio}; the factor is used.",
    "{key} = {value}, но max_position_embeddings / original_max_position_embeddings = {ratio}; "
    "используется множитель.",
)
NOTHING_TO_EXTEND = warning_kind(
    "contradictory",
    "{key} = {value} is not below max_position_embeddings = {used_value}: "
    "there is nothing to extend.",
    "{key} = {value} не меньше max_position_embeddings = {used_value}: удлинять нечего.",
)
FACTOR_BELOW_ONE = warning_kind(
    "contradictory",
    "{key} = {value} is below 1, which makes the pairs faster instead of slower.",
    "{key} = {value} меньше 1: такой множитель ускоряет пары, а не замедляет.",
)
EQUAL_BOUNDS = warning_kind(
    "contradictory",
    "{key} = {value} equals low_freq_factor: no pair is blended, and the code of the authors would "
    "divide by zero at the bound.",
    "{key} = {value} равно low_freq_factor: промежуточных пар нет, а код авторов на самой границе "
    "делил бы на ноль.",
)
LONGER_THAN_CONTEXT = warning_kind(
    "contradictory",
    "{key} = {value} is greater than max_position_embeddings = {used_value}.",
    "{key} = {value} больше, чем max_position_embeddings = {used_value}.",
)
NO_METHOD = warning_kind(
    "assumed",
    "{key} has no rope_type, and without one nothing is scaled.",
    "{key}: нет ключа rope_type, а без него ничего не масштабируется.",
)
RENAMED_METHOD = warning_kind(
    "assumed", "{key} = {value} is read as {used}.", "{key} = {value} прочитано как {used}."
)
FACTOR_FROM_RATIO = warning_kind(
    "assumed",
    "{key} is null; the factor is max_position_embeddings / "
    "original_max_position_embeddings = {ratio}.",
    "{key}: null; множитель равен max_position_embeddings / "
    "original_max_position_embeddings = {ratio}.",
)
ORIGINAL_FROM_CONTEXT = warning_kind(
    "assumed",
    "{key} is missing; max_position_embeddings = {used_value} is used.",
    "{key}: ключ не задан; используется max_position_embeddings = {used_value}.",
)
UNROTATED_LAYER_TYPE = warning_kind(
    "assumed",
    "{key} is null, so the layers of this type have no rotation.",
    "{key}: null, поэтому в слоях этого типа поворота нет.",
)
CONTEXT_ASSUMED = warning_kind(
    "assumed",
    "{key} is missing, and so is every other key that gives the context length; {used_value} "
    "positions are assumed. --length N sets another length.",
    "{key}: ключ не задан, как и другие имена длины контекста; принято позиций: {used_value}. "
    "Другую длину задаёт --length N.",
)
SEVERAL_MODELS = warning_kind(
    "assumed",
    "The file holds several language models. {key} is read; --part chooses another: {used}.",
    "В файле несколько языковых моделей. Прочитана {key}; другую выбирает --part: {used}.",
)
FIXED_IN_CODE = warning_kind(
    "assumed",
    "{key} is missing; {used_value} is assumed, as in {used}.",
    "{key}: ключ не задан; принято {used_value}, как в {used}.",
)
LLAMA3_CONSTANTS = warning_kind(
    "assumed",
    "{key}: the file does not say how the frequencies are scaled. The constants of Meta's code "
    "for Llama 3 are assumed: factor 8, low_freq_factor 1, high_freq_factor 4, original length "
    "8192. On Hugging Face, Llama 3.2 with 1B and 3B parameters has factor 32 instead.",
    "{key}: как масштабировать, в файле не сказано. Приняты постоянные из кода Meta для Llama 3: "
    "factor 8, low_freq_factor 1, high_freq_factor 4, исходная длина 8192. У Llama 3.2 на 1B и 3B "
    "параметров на Hugging Face задано factor 32.",
)
LLAMA4_CONSTANTS = warning_kind(
    "assumed",
    "{key}: what the file leaves out is assumed to be as in Meta's code for Llama 4: factor 16, "
    "low_freq_factor 1, high_freq_factor 1, original length 8192.",
    "{key}: недостающее взято из кода Meta для Llama 4: factor 16, low_freq_factor 1, "
    "high_freq_factor 1, исходная длина 8192.",
)
SCALED_QUERIES = warning_kind(
    "ignored",
    "{key} multiplies queries by a factor that grows with their position. The rotation stays as it "
    "is, and the factor is not shown.",
    "{key} умножает запросы на множитель, растущий с позицией. На поворот это не влияет, и здесь "
    "множитель не показан.",
)
TENSOR_NOT_LISTED = warning_kind(
    "assumed",
    "A GGUF file keeps the divisors of Llama 3 scaling in the tensor {key}, not in its metadata. "
    "This file lists no tensors, so the report assumes that there is none of this name.",
    "Делители масштабирования Llama 3 хранятся в файле GGUF тензором {key}, а не в метаданных. "
    "Тензоры здесь не перечислены, поэтому принято, что его нет.",
)
TENSOR_NOT_READ = warning_kind(
    "contradictory",
    "The tensor {key} divides the frequencies, as Llama 3 scaling does. Its numbers are not in "
    "the metadata, so the table shows the frequencies before the division.",
    "Тензор {key} делит частоты, как при масштабировании Llama 3. Его чисел в метаданных нет, "
    "поэтому таблица показывает частоты до деления.",
)
