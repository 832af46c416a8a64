"""The values that the reader gives instead of the chapter's, checked together."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from rope_cli.errors import RowCount, RowWidth
from rope_cli.example.parameters import PARAMETERS, Parameters
from rope_cli.rope.tables import RotaryEmbedding, inverse_frequency
from rope_cli.user_input.command_errors import printable
from rope_cli.user_input.numbers import (
    GREATEST_POSITION,
    InvalidNumber,
    invalid_positions,
    number_between,
    whole_number_between,
)

MOST_WHOLE_ROWS = 64
MOST_COORDINATES = 2**22
GREATEST_ANGLE = 2.0**43


def parameters_from(options: Mapping[str, Any]) -> Parameters:
    """The parameters that the options of ``show`` ask for; what is missing stays the chapter's.

    The feature width follows from the rows when it is not given. Raises the refusals of the
    command, and those of :meth:`RotaryEmbedding.validate`.
    """
    values: dict[str, Any] = {}
    for name, parameter in PARAMETERS.items():
        text = options.get(parameter.key)
        value = None if text is None else parameter.read(parameter.option, text)
        if value is not None:
            values[name] = value
    widths = [len(values[name][0]) for name in ("query", "key") if name in values]
    # A width that follows from the rows is the reader's as well.
    if widths and "feature_width" not in values:
        values["feature_width"] = widths[0]
    parameters = Parameters(
        **values, given=frozenset(values), options_typed=options_as_typed(options)
    )
    if parameters.greatest_position > GREATEST_POSITION:
        if "shift" not in parameters.given:
            raise invalid_positions("--positions", str(options["positions"]))
        most = GREATEST_POSITION - parameters.positions[-1]
        accepted = whole_number_between(0, most)
        raise InvalidNumber(option="--shift", value=parameters.shift, accepted=accepted)
    if parameters.every_row and len(parameters.positions) > MOST_WHOLE_ROWS:
        typed = f"{len(parameters.positions)}, --rows all"
        raise invalid_positions("--positions", typed, MOST_WHOLE_ROWS)
    RotaryEmbedding.validate(
        parameters.feature_width, parameters.greatest_position + 1, parameters.base
    )
    refuse_too_much(parameters)
    for name in ("query", "key"):
        content = getattr(parameters, name)
        if content is not None and len(content[0]) != parameters.feature_width:
            raise RowWidth(name=name, actual=len(content[0]), expected=parameters.feature_width)
        if content is not None and len(content) not in (1, len(parameters.positions)):
            raise RowCount(name=name, actual=len(content), expected=len(parameters.positions))
    return parameters


def options_as_typed(options: Mapping[str, Any]) -> str:
    """The options of the reader for another command line; three dots for what is too long."""
    words = [
        (parameter.names[0], printable(options[parameter.key]))
        for parameter in PARAMETERS.values()
        if options.get(parameter.key) is not None
    ]
    return "".join(f" {name} {shlex.quote(value)}" for name, value in words)


def refuse_too_much(parameters: Parameters) -> None:
    """Refuse more coordinates than a report should hold, and angles that float64 cannot tell."""
    coordinates = len(parameters.positions) * parameters.feature_width
    if coordinates > MOST_COORDINATES:
        option = "--feature-width * --positions"
        raise InvalidNumber(
            option=option, value=coordinates, accepted=whole_number_between(1, MOST_COORDINATES)
        )
    pairs = (0, parameters.pairs - 1)
    fastest = max(
        inverse_frequency(parameters.feature_width, parameters.base, pair) for pair in pairs
    )
    angle = parameters.greatest_position * fastest
    if angle > GREATEST_ANGLE:
        # Beyond it not even the third digit of a cosine is certain, and no check could fail.
        accepted = number_between(0, GREATEST_ANGLE)
        raise InvalidNumber(option="m·θ", value=f"{angle:.4g}", accepted=accepted)
