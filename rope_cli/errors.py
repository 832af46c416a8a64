"""Everything that is refused: one class a rule, each with its kind and its sentence.

A sentence says the rule, the value that was given and what is accepted. It is raised deep down
and printed once, by the command.
"""

from __future__ import annotations

import math
from numbers import Number
from string import Formatter
from typing import Any, ClassVar

from rope_cli.text import Text

LONGEST_VALUE = 60
LARGEST_WRITTEN_OUT = 10**30


def shown(value: object) -> str:
    """A value as one would type it: on one line and never long, whatever was given."""
    if isinstance(value, int) and abs(value) > LARGEST_WRITTEN_OUT:
        return f"~{'-' if value < 0 else ''}10^{round(math.log10(abs(value)))}"
    if isinstance(value, str | bytes):
        value = value[:LONGEST_VALUE]
    # A number of numpy's would show its type as well: np.float64(1.0).
    write = str if isinstance(value, Number) and type(value).__module__ == "numpy" else repr
    try:
        text = " ".join(write(value).split())
    except ValueError:  # a fraction of more digits than Python is willing to write
        text = type(value).__name__
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."


class SentenceFormatter(Formatter):
    """Fills a sentence: its own words as they are, what was given as :func:`shown`."""

    def convert_field(self, value: Any, conversion: str | None) -> str:
        """A string is the sentence's own word, unless it is marked as given: ``{value!r}``."""
        return value if isinstance(value, str) and conversion is None else shown(value)


class RopeError(ValueError):
    """The root of all refusals; ``str()`` gives the English sentence.

    ``kind`` is the stable name of the rule and ``values`` holds what was given, by name.
    """

    kind: ClassVar[str] = "rope-error"
    SENTENCE: ClassVar[Text]

    def __init__(self, **values: object) -> None:
        super().__init__()
        self.values = values

    def __str__(self) -> str:
        return self.sentence("en")

    def __reduce__(self) -> tuple[Any, ...]:
        """How pickle and copy rebuild a refusal, for a worker process to hand it back."""
        return restored, (type(self), self.values)

    def sentence(self, language: str) -> str:
        """The sentence in ``"en"`` or ``"ru"``, with the values filled in."""
        return SentenceFormatter().format(self.SENTENCE.in_language(language), **self.values)


def restored(kind: type[RopeError], values: dict[str, object]) -> RopeError:
    """A refusal rebuilt from its class and its values."""
    return kind(**values)


class InvalidCount(RopeError):
    """A width, capacity or offset that is negative or not a whole number."""

    kind = "invalid-count"
    SENTENCE = Text(
        en="{name} is {value!r}; accepted: a whole number, zero or greater",
        ru="{name}: задано {value!r}; допустимо целое неотрицательное число",
    )


class ZeroFeatureWidth(RopeError):
    """Feature width 0."""

    kind = "zero-feature-width"
    SENTENCE = Text(
        en="the feature width is 0, so there is nothing to rotate; "
        "accepted: an even width from 2 on",
        ru="ширина признаков равна 0, поворачивать нечего; допустима чётная ширина не меньше 2",
    )


class OddFeatureWidth(RopeError):
    """A width that leaves one coordinate without a partner."""

    kind = "odd-feature-width"
    SENTENCE = Text(
        en="the feature width {feature_width} is odd, so its last coordinate has no partner; "
        "accepted: an even width",
        ru="ширина признаков {feature_width} нечётна, и у последней координаты нет пары; "
        "допустима чётная ширина",
    )


class ZeroPositionCapacity(RopeError):
    """A table for no position at all."""

    kind = "zero-position-capacity"
    SENTENCE = Text(
        en="the position capacity is 0, so the table would be empty; accepted: 1 or more positions",
        ru="ёмкость по позициям равна 0, таблица была бы пустой; допустима хотя бы одна позиция",
    )


class InvalidBase(RopeError):
    """A base that is not a finite positive number."""

    kind = "invalid-base"
    SENTENCE = Text(
        en="the frequency base is {base!r}; accepted: a finite number greater than 0",
        ru="основание частот: задано {base!r}; допустимо конечное число больше 0",
    )


class UnknownLayout(RopeError):
    """A layout that is not offered."""

    kind = "unknown-layout"
    SENTENCE = Text(
        en="there is no layout {layout!r}; accepted: {accepted}",
        ru="нет раскладки {layout!r}; допустимо: {accepted}",
    )


class TableSizeOverflow(RopeError):
    """More table cells than an index can count."""

    kind = "table-size-overflow"
    SENTENCE = Text(
        en="{positions} positions times {pairs} pairs are more table cells than an index can "
        "count; accepted: at most 2^64 - 1 cells",
        ru="число позиций {positions}, число пар {pairs}: столько ячеек индексом не занумеровать; "
        "допустимо не больше 2^64 - 1",
    )


class TableAllocationFailed(RopeError):
    """More values than memory can address, or than the allocator gives."""

    kind = "table-allocation-failed"
    SENTENCE = Text(
        en="memory for {values} table values of 8 bytes is not available; "
        "accepted: a smaller width or position capacity",
        ru="не хватает памяти для таблицы: значений {values}, каждое по 8 байт; допустима меньшая "
        "ширина или ёмкость по позициям",
    )


class NonFiniteTableValue(RopeError):
    """A frequency or an angle that float64 cannot hold."""

    kind = "non-finite-table-value"
    SENTENCE = Text(
        en="the table value at position {position}, pair {pair} is not finite; "
        "accepted: a base and a capacity whose every angle is a finite float64",
        ru="значение таблицы в позиции {position} для пары {pair} не конечно; допустимы основание "
        "и ёмкость, при которых каждый угол остаётся конечным числом float64",
    )


class InputRank(RopeError):
    """An input without a token axis and a feature axis."""

    kind = "input-rank"
    SENTENCE = Text(
        en="the input has rank {rank}; accepted: rank 2 or more, [..., tokens, features]",
        ru="ранг входа равен {rank}; допустим ранг не меньше 2, форма [..., токены, признаки]",
    )


class InputType(RopeError):
    """An input that holds something else than float64 or float32."""

    kind = "input-type"
    SENTENCE = Text(
        en="the input holds {dtype}; accepted: float64 or float32",
        ru="тип значений входа {dtype}; допустимы float64 и float32",
    )


class FeatureWidthMismatch(RopeError):
    """A last axis that is not as wide as the table was made for."""

    kind = "feature-width-mismatch"
    SENTENCE = Text(
        en="the last axis of the input has width {actual}; "
        "accepted: {expected}, the width of the table",
        ru="ширина последней оси входа равна {actual}; допустима ширина таблицы, {expected}",
    )


class PositionOffsetOverflow(RopeError):
    """An interval of positions whose end no index can hold."""

    kind = "position-offset-overflow"
    SENTENCE = Text(
        en="offset + tokens is {offset} + {tokens}, more than an index can count; "
        "accepted: a sum of at most 2^64 - 1",
        ru="смещение {offset}, число токенов {tokens}: сумма не помещается в индекс; "
        "допустима сумма не больше 2^64 - 1",
    )


class PositionRangeExceeded(RopeError):
    """An interval of positions that leaves the table."""

    kind = "position-range-exceeded"
    SENTENCE = Text(
        en="offset + tokens is {offset} + {tokens}, beyond the end of the table; "
        "accepted: a sum of at most {max_positions}, the number of its positions",
        ru="смещение {offset}, число токенов {tokens}: интервал выходит за конец таблицы; "
        "допустима сумма не больше {max_positions} — столько в таблице позиций",
    )


class PositionBeforeTable(RopeError):
    """An interval of positions that begins before a table that does not begin at 0."""

    kind = "position-before-table"
    SENTENCE = Text(
        en="offset {offset} is before the table; accepted: position {first_position} or later",
        ru="смещение {offset} раньше начала таблицы; "
        "допустима позиция {first_position} или более поздняя",
    )


class OutputArray(RopeError):
    """An ``out`` array that cannot take the result."""

    kind = "output-array"
    SENTENCE = Text(
        en="out is {given}; accepted: a writable array of {accepted}",
        ru="out: задано {given}; допустим массив, в который можно записывать: {accepted}",
    )


class AutodiffStage(RopeError):
    """A tape value used after it was released."""

    kind = "autodiff-stage"
    SENTENCE = Text(
        en="the tape value of shape {shape} was released; accepted: a value not yet released",
        ru="значение ленты вычислений формы {shape} уже освобождено; допустимо ещё не "
        "освобождённое значение",
    )


class RowWidth(RopeError):
    """A row of the reader's that is not as wide as the feature width."""

    kind = "row-width"
    SENTENCE = Text(
        en="{option}: numbers in a row: {actual}; accepted: the feature width, {expected}",
        ru="{option}: чисел в строке {actual}; допустимо столько, сколько признаков: {expected}",
    )


class RowCount(RopeError):
    """Neither one row for all positions nor a row for each."""

    kind = "row-count"
    SENTENCE = Text(
        en="{option} has rows: {actual}; accepted: one for all positions or {expected}, one for "
        "each",
        ru="{option}: строк {actual}; допустима 1 на все позиции или {expected}, по одной на "
        "каждую",
    )


class InvalidScaling(RopeError):
    """A value with which no frequency can be scaled."""

    kind = "invalid-scaling"
    SENTENCE = Text(
        en="{name} is {value!r}; accepted: {accepted}",
        ru="{name}: задано {value!r}; допустимо: {accepted}",
    )


class UnsupportedScaling(RopeError):
    """A method that gives each pair another kind of position, or one that nobody knows."""

    kind = "unsupported-scaling"
    SENTENCE = Text(
        en="the scaling method {method!r} is not supported; accepted: {accepted}",
        ru="метод масштабирования {method!r} не поддерживается; допустимо: {accepted}",
    )
