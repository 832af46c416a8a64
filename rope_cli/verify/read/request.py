"""What ``verify`` is asked for: its options, each read and checked alone.

Knows nothing of click.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rope_cli.document.vocabulary import t
from rope_cli.scaling.config import ModelConfig, read_config
from rope_cli.scaling.layers import Layer
from rope_cli.user_input.command_errors import CommandRefusal, UnknownChoice, printable, quoted
from rope_cli.user_input.numbers import (
    InvalidNumber,
    decimal_number,
    read_base,
    read_positions,
    read_whole_number,
)

TOKENS, FEATURES, BATCH = "tokens", "features", "batch"
MOST_TOLERANCE, MOST_LISTED, GREATEST_ROTARY_WIDTH = 1.0, 4096, 65_536


NO_TYPES = t("no --layer-type, for all layers are alike", "без --layer-type: слои одинаковы")


class BadAxes(CommandRefusal):
    """Axes that do not name those of the arrays."""

    kind = "bad-axes"
    SENTENCE = t(
        "--axes is {value}; accepted: a name for each of the {rank} axes, tokens and features "
        "among them, such as batch,tokens,heads,features",
        "--axes: задано {value}; допустимо по имени на каждую ось (число осей {rank}), среди "
        "них "
        "tokens и features, например batch,tokens,heads,features",
    )


class ConfigNeeded(CommandRefusal):
    """An option that means something only beside another."""

    kind = "config-needed"
    SENTENCE = t(
        "{option} is given alone; accepted: {option} with {accepted}",
        "параметр {option} задан один; допустимо: {option} и {accepted}",
    )


class OptionClash(CommandRefusal):
    """Two options of which only one can be obeyed."""

    kind = "option-clash"
    SENTENCE = t(
        "{option} and {other} are given together; accepted: one of them",
        "параметры {option} и {other} заданы вместе; допустим один из них",
    )


# Options of which only one counts, and options that need another.
CLASHES = (
    ("positions", "offset"),
    ("feature_width", "config"),
    *(
        ("frequencies", each)
        for each in ("tolerance", "axes", "offset", "positions", "backward", "dtype", "layout")
    ),
    *(("frequencies", each) for each in ("input_name", "output_name")),
)
NEEDS = ("layer_type", "length")


@dataclass(frozen=True)
class Request:
    """The options of ``verify``, read but not yet compared with the files."""

    files: tuple[str, ...]
    config: ModelConfig | None
    layer_type: str | None
    width: int | None
    base: float | None
    layout: str | None
    length: int | None
    positions: Sequence[int] | None
    offset: int | None
    axes: tuple[str, ...] | None
    tolerance: float | None
    backward: bool
    dtype: str | None
    input_name: str | None
    output_name: str | None
    frequencies: bool
    every_row: bool


def request_from(given: Mapping[str, Any]) -> Request:
    """The options, each checked alone. Raises the refusals of the command."""

    def read(name: str, reader: Callable[[str, str], Any]) -> Any:
        text = given.get(name)
        return None if text is None else reader(typed(name), text)

    config = None if given.get("config") is None else read_config(given["config"])
    for one, two in CLASHES:
        if given.get(one) not in (None, False) and given.get(two) not in (None, False):
            raise OptionClash(option=typed(one), other=typed(two))
    for name in NEEDS:
        if given.get(name) is not None and config is None:
            raise ConfigNeeded(option=typed(name), accepted="--config CONFIG.json")
    return Request(
        files=tuple(given.get("files", ())),
        config=config,
        layer_type=given.get("layer_type"),
        width=read(
            "feature_width", partial(read_whole_number, most=GREATEST_ROTARY_WIDTH, least=2)
        ),
        base=read("base", read_base),
        layout=given.get("layout"),
        length=read("length", partial(read_whole_number, least=1)),
        positions=read("positions", read_positions),
        offset=read("offset", read_whole_number),
        axes=read("axes", read_axes),
        tolerance=read("tolerance", read_tolerance),
        backward=bool(given.get("backward")),
        dtype=given.get("dtype"),
        input_name=given.get("input_name"),
        output_name=given.get("output_name"),
        frequencies=bool(given.get("frequencies")),
        every_row=given.get("rows") == "all",
    )


def typed(name: str) -> str:
    """An option as it is typed."""
    return "--" + name.replace("_", "-")


def read_axes(option: str, text: str) -> tuple[str, ...]:
    """The names of the axes; whether they suit the arrays is seen when these are read."""
    return tuple(part.strip() for part in text.split(","))


def read_tolerance(option: str, text: str) -> float:
    """A share of a pair's length."""
    value = decimal_number(text)
    if value is None or not 0 < value <= MOST_TOLERANCE:
        raise InvalidNumber(option=option, value=quoted(text), accepted="0 < ... <= 1")
    return value


def layer_of(request: Request) -> Layer | None:
    """The layers of the config that are meant."""
    if request.config is None:
        return None
    layers = request.config.layers
    if request.layer_type is None and len(layers) == 1:
        return layers[0]
    for layer in layers:
        if layer.name == request.layer_type:
            return layer
    accepted = ", ".join(printable(layer.name or "") for layer in layers)
    value = t("missing", "пусто")
    raise UnknownChoice(
        option="--layer-type",
        value=value if request.layer_type is None else quoted(request.layer_type),
        accepted=accepted or NO_TYPES,
    )
