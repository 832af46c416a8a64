"""The values that the reader gives instead of the chapter's, checked together."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from rope_cli.errors import RowCount, RowWidth
from rope_cli.example.parameters import PARAMETERS, Parameters
from rope_cli.rope.tables import inverse_frequency
from rope_cli.text import Text
from rope_cli.user_input.command_errors import printable
from rope_cli.user_input.numbers import (
    GREATEST_POSITION,
    InvalidNumber,
    invalid_positions,
    whole_number_between,
)
from rope_cli.user_input.rows import Rows

MOST_WHOLE_ROWS = 64
MOST_COORDINATES = 2**22
GREATEST_ANGLE = 2.0**43


def parameters_from(options: Mapping[str, Any]) -> Parameters:
    """The parameters that the options of ``show`` ask for; what is missing stays the chapter's.

    The feature width follows from the rows when it is not given. Raises the refusals of the
    command.
    """
    values: dict[str, Any] = {}
    for name, parameter in PARAMETERS.items():
        text = options.get(parameter.key)
        value = None if text is None else parameter.read(parameter.option, text)
        if value is not None:
            values[name] = value
    rows = [name for name in ("query", "key") if name in values]
    width_of_rows = bool(rows) and "feature_width" not in values
    if width_of_rows:
        # A width that follows from the rows is the reader's as well.
        values["feature_width"] = even_width(rows[0], values[rows[0]])
    parameters = Parameters(
        **values,
        given=frozenset(values),
        width_of_rows=width_of_rows,
        options_typed=options_as_typed(options),
    )
    refuse_too_much(parameters)
    refuse_far_positions(parameters, options)
    for name in rows:
        option, content = PARAMETERS[name].option, getattr(parameters, name)
        if len(content[0]) != parameters.feature_width:
            raise RowWidth(option=option, actual=len(content[0]), expected=parameters.feature_width)
        if len(content) not in (1, len(parameters.positions)):
            raise RowCount(option=option, actual=len(content), expected=len(parameters.positions))
    return parameters


def options_as_typed(options: Mapping[str, Any]) -> str:
    """The options of the reader for another command line; three dots for what is too long."""
    words = [
        (parameter.names[0], printable(options[parameter.key]))
        for parameter in PARAMETERS.values()
        if options.get(parameter.key) is not None
    ]
    return "".join(f" {name} {shlex.quote(value)}" for name, value in words)


def even_width(name: str, rows: Rows) -> int:
    """The width of rows, which are the value of ``name``."""
    width = len(rows[0])
    if width % 2:
        value = Text(en=f"of width {width}", ru=f"чисел в строке {width}")
        accepted = Text(en="an even number", ru="чётное число")
        raise InvalidNumber(option=PARAMETERS[name].option, value=value, accepted=accepted)
    return width


def refuse_too_much(parameters: Parameters) -> None:
    """Refuse more coordinates, and longer tables, than a report should hold."""
    tokens = len(parameters.positions)
    if parameters.every_row and tokens > MOST_WHOLE_ROWS:
        value = Text(en=f"asked for {tokens} positions", ru=f"позиций {tokens}")
        accepted = Text(
            en=f"at most {MOST_WHOLE_ROWS} positions", ru=f"не больше {MOST_WHOLE_ROWS} позиций"
        )
        raise InvalidNumber(option="--rows all", value=value, accepted=accepted)
    coordinates = tokens * parameters.feature_width
    if coordinates > MOST_COORDINATES:
        option = "--feature-width * --positions"
        raise InvalidNumber(
            option=option, value=coordinates, accepted=whole_number_between(1, MOST_COORDINATES)
        )


def refuse_far_positions(parameters: Parameters, options: Mapping[str, Any]) -> None:
    """Refuse positions whose angles float64 cannot tell; the option that goes too far is named."""
    pairs = (0, parameters.pairs - 1)
    fastest = max(
        inverse_frequency(parameters.feature_width, parameters.base, pair) for pair in pairs
    )
    farthest, last = farthest_position(fastest), parameters.positions[-1]
    if parameters.greatest_position <= farthest:
        return
    if "shift" in parameters.given and last <= farthest:
        accepted = whole_number_between(0, farthest - last)
        raise InvalidNumber(option="--shift", value=parameters.shift, accepted=accepted)
    default_shift = 0 if "shift" in parameters.given else parameters.shift
    typed = str(options["positions"])
    raise invalid_positions("--positions", typed, last=farthest - default_shift)


def farthest_position(frequency: float) -> int:
    """The last position whose angle is at most :data:`GREATEST_ANGLE`.

    Beyond it not even the third digit of a cosine is certain, and no check could fail.
    """
    return min(int(GREATEST_ANGLE / frequency), GREATEST_POSITION)
