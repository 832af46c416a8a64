"""The worked example's parameters: the chapter's unless the reader gives other values.

:class:`Parameters` is the table of them. Each field declares its option once; the command line,
its help, the header of the report and the notes of the sections follow from it. Imports neither
numpy nor click, because help reads the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from rope_cli.text import Text
from rope_cli.user_input.numbers import (
    read_base,
    read_positions,
    read_whole_number,
    read_width,
)
from rope_cli.user_input.rows import Rows, read_rows

LIST, ROWS = Text(en="LIST", ru="СПИСОК"), Text(en="ROWS", ru="СТРОКИ")


def take_as_typed(option: str, text: str) -> str:
    """The text itself: for options whose choices the command line checks."""
    return text


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """How one parameter is given, and how the report speaks of it.

    An option has either a ``metavar`` or ``choices``. ``read(option, text)`` returns the value, or
    ``None`` for one that stays the chapter's, and raises a refusal. ``header`` is filled with
    attributes of :class:`Parameters`; a choice stands there by its word, if it has one. ``name`` is
    what a section calls it that keeps the chapter's value. Without these two the report does not
    mention the parameter.
    """

    names: tuple[str, ...]
    help: Text
    metavar: Text | str = ""
    choices: tuple[str, ...] = ()
    file: bool = False
    read: Callable[[str, str], Any] = take_as_typed
    header: Text | None = None
    words: Mapping[str, Text] = field(default_factory=dict)
    name: Text | None = None
    in_json: bool = True

    @property
    def option(self) -> str:
        """The long name: ``--feature-width``."""
        return max(self.names, key=len)

    @property
    def key(self) -> str:
        """The name under which the command line hands it over: ``feature_width``."""
        return self.option.removeprefix("--").replace("-", "_")


def option(*names: str, **declared: Any) -> dict[str, Parameter]:
    """The metadata of a field: its option."""
    return {"parameter": Parameter(names=names, **declared)}


@dataclass(frozen=True, slots=True)
class Parameters:
    """The chapter's worked example: width 4, base 100, positions 0-2 and an equal shift of 3.

    ``query`` and ``key`` hold one row, which then stands at every position, or a row for each
    position; without rows the chapter's row [1, 0, 1, 0, ...] is continued to the feature width.
    ``dtype`` is that of the rotated rows. ``every_row`` asks for tables without a summary.
    ``given`` names the values that come from the reader; with ``width_of_rows`` the feature width
    is one of them because their rows are that wide. ``options_typed`` are their options as a shell
    reads them, each with a blank before it.
    """

    feature_width: int = field(
        default=4,
        metadata=option(
            "-d",
            "--feature-width",
            metavar="N",
            read=read_width,
            help=Text(
                en="your feature width d instead of the chapter's 4",
                ru="ваша ширина признаков d вместо 4 из главы",
            ),
            header=Text(
                en="feature width d = {feature_width}, pairs {pairs}",
                ru="ширина признаков d = {feature_width}, число пар {pairs}",
            ),
            name=Text(en="feature width", ru="ширина признаков"),
        ),
    )
    base: float = field(
        default=100.0,
        metadata=option(
            "-b",
            "--base",
            metavar=Text(en="NUMBER", ru="ЧИСЛО"),
            read=read_base,
            help=Text(
                en="your frequency base instead of the chapter's 100",
                ru="ваше основание частот вместо 100 из главы",
            ),
            header=Text(en="base b = {base}", ru="основание b = {base}"),
            name=Text(en="base", ru="основание частот"),
        ),
    )
    layout: str = field(
        default="adjacent",
        metadata=option(
            "--layout",
            choices=("adjacent", "half-split"),
            help=Text(
                en="which coordinates form a pair: neighbours, or one from each half",
                ru="какие координаты образуют пару: соседние или по одной из каждой половины",
            ),
            header=Text(en="{layout}", ru="{layout}"),
            words={
                "adjacent": Text(en="adjacent layout", ru="соседние пары"),
                "half-split": Text(en="half-split layout", ru="половинная раскладка"),
            },
            name=Text(en="layout", ru="раскладка"),
        ),
    )
    positions: Sequence[int] = field(
        default=(0, 1, 2),
        metadata=option(
            "--positions",
            metavar=LIST,
            read=read_positions,
            help=Text(
                en="your positions, such as 0:3 or 0,1,7",
                ru="ваши позиции, например 0:3 или 0,1,7",
            ),
            header=Text(en="{positions}", ru="{positions}"),
            name=Text(en="positions", ru="позиции"),
        ),
    )
    shift: int = field(
        default=3,
        metadata=option(
            "--shift",
            metavar="N",
            read=read_whole_number,
            help=Text(
                en="your shift, the same for all positions",
                ru="ваш сдвиг, одинаковый для всех позиций",
            ),
            header=Text(en="equal shift +{shift}", ru="одинаковый сдвиг +{shift}"),
            name=Text(en="shift", ru="сдвиг"),
        ),
    )
    query: Rows | None = field(
        default=None,
        metadata=option(
            "--query",
            metavar=ROWS,
            file=True,
            read=read_rows,
            help=Text(
                en="your query rows: 1,0,1,0;0,1,0,1 or a .npy, .csv or .json file",
                ru="ваши строки запросов: 1,0,1,0;0,1,0,1 или файл .npy, .csv, .json",
            ),
            header=Text(en="queries {query}", ru="запросы {query}"),
            name=Text(en="queries", ru="запросы"),
            in_json=False,
        ),
    )
    key: Rows | None = field(
        default=None,
        metadata=option(
            "--key",
            metavar=ROWS,
            file=True,
            read=read_rows,
            help=Text(
                en="your key rows, written the same way", ru="ваши строки ключей, в том же виде"
            ),
            header=Text(en="keys {key}", ru="ключи {key}"),
            name=Text(en="keys", ru="ключи"),
            in_json=False,
        ),
    )
    dtype: str = field(
        default="float64",
        metadata=option(
            "--dtype",
            choices=("float64", "float32"),
            help=Text(en="type of the numbers that are rotated", ru="тип поворачиваемых чисел"),
            header=Text(en="{dtype}", ru="{dtype}"),
            name=Text(en="dtype", ru="тип чисел"),
        ),
    )
    every_row: bool = field(
        default=False,
        metadata=option(
            "--rows",
            choices=("summary", "all"),
            read=lambda option, text: True if text == "all" else None,
            help=Text(
                en="summary, the default, shortens long tables; all prints every row",
                ru="summary (по умолчанию) сокращает длинные таблицы, all печатает все строки",
            ),
            in_json=False,
        ),
    )
    given: frozenset[str] = frozenset()
    width_of_rows: bool = field(default=False, compare=False)
    options_typed: str = field(default="", compare=False)

    @property
    def pairs(self) -> int:
        """How many pairs of coordinates are rotated."""
        return self.feature_width // 2

    @property
    def greatest_position(self) -> int:
        """The last position that the shifted rows reach."""
        return self.positions[-1] + self.shift

    def restricted_to(self, used: frozenset[str]) -> Parameters:
        """The reader's values of these names, and the chapter's for all others."""
        kept = {name: getattr(self, name) for name in self.given & used}
        return Parameters(**kept, given=self.given & used, width_of_rows=self.width_of_rows)

    def for_programs(self) -> dict[str, Any]:
        """The parameters under the names that the JSON report uses."""
        values = {
            name: getattr(self, name) for name, parameter in PARAMETERS.items() if parameter.in_json
        }
        return {
            "feature_width": self.feature_width,
            "pairs": self.pairs,
            **values,
            "positions": list(self.positions),
            "given": sorted(self.given),
        }


# Every parameter that a reader can give, by the name of its field, in the order of the header.
PARAMETERS: Mapping[str, Parameter] = {
    declared.name: declared.metadata["parameter"]
    for declared in fields(Parameters)
    if "parameter" in declared.metadata
}
EVERYTHING = frozenset(PARAMETERS)
