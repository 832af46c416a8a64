"""The options of ``verify``, parsed and checked one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rope_cli.document.vocabulary import t
from rope_cli.scaling.config import ModelConfig, read_config
from rope_cli.scaling.layers import Layer
from rope_cli.user_input.command_errors import (
    CommandRefusal,
    UnknownChoice,
    closest_match,
    printable,
    quoted,
)
from rope_cli.user_input.numbers import (
    GREATEST_POSITION,
    InvalidNumber,
    decimal_number,
    read_base,
    read_positions,
    read_whole_number,
    read_width,
)

TOKENS, FEATURES, BATCH = "tokens", "features", "batch"
MOST_TOLERANCE, MOST_LISTED, GREATEST_ROTARY_WIDTH = 1.0, 4096, 65_536


NO_TYPES = t(
    "no --layer-type, because all layers rotate in the same way",
    "не задавать --layer-type: поворот во всех слоях одинаков",
)
NOT_GIVEN = t("not given", "не задано")
SHARE = t("a number above 0 and at most 1", "число больше 0 и не больше 1")


class BadAxes(CommandRefusal):
    """``--axes`` does not fit the axes of the arrays."""

    kind = "bad-axes"
    SENTENCE = t(
        "--axes is {value}; accepted: a name for each of the {rank} axes, tokens and features "
        "among them, such as batch,tokens,heads,features",
        "--axes: задано {value}; допустимо одно имя на каждую ось (число осей {rank}), среди них "
        "tokens и features, например batch,tokens,heads,features",
    )


class ConfigNeeded(CommandRefusal):
    """An option that needs ``--config``."""

    kind = "config-needed"
    SENTENCE = t(
        "{option} is given without a config; accepted: {option} with {accepted}",
        "параметр {option} задан без конфигурации; допустимо: {option} вместе с {accepted}",
    )


class OptionClash(CommandRefusal):
    """Two options that exclude each other."""

    kind = "option-clash"
    SENTENCE = t(
        "{option} and {other} are given together; accepted: one of them",
        "параметры {option} и {other} заданы вместе; допустим один из них",
    )


NOT_WITH_FREQUENCIES = (
    *("tolerance", "axes", "offset", "positions", "backward", "first_feature"),
    *("dtype", "layout", "input_name", "output_name"),
)
CLASHES = (  # options that exclude each other
    ("positions", "offset"),
    ("feature_width", "config"),
    *(("frequencies", option) for option in NOT_WITH_FREQUENCIES),
)
NEED_CONFIG = ("layer_type", "length", "part")


@dataclass(frozen=True)
class Request:
    """The files and options of ``verify``, parsed but not yet compared with the arrays.

    ``frequencies`` if the file is a list of frequencies; ``every_row`` to print all pairs.
    ``linear_factor`` is by what whole positions are divided where the file gives fractions.
    ``layout_by_model`` if the layout is that of the model's code, which may write pairs in another
    one, ``written``.
    """

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
    linear_factor: float = 1.0
    first_feature: int | None = None
    layout_by_model: bool = False
    written: str | None = None


def request_from(options: Mapping[str, Any]) -> Request:
    """Parse the options of the command line. Raises the refusals of the command."""

    def read(name: str, reader: Callable[[str, str], Any]) -> Any:
        text = options.get(name)
        return None if text is None else reader(option_name(name), text)

    path, part = options.get("config"), options.get("part")
    config = None if path is None else read_config(path, part)
    for first, second in CLASHES:
        if options.get(first) not in (None, False) and options.get(second) not in (None, False):
            raise OptionClash(option=option_name(first), other=option_name(second))
    for name in NEED_CONFIG:
        if options.get(name) is not None and config is None:
            raise ConfigNeeded(option=option_name(name), accepted="--config CONFIG.json")
    return Request(
        files=tuple(options.get("files", ())),
        config=config,
        layer_type=options.get("layer_type"),
        width=read("feature_width", partial(read_width, most=GREATEST_ROTARY_WIDTH)),
        base=read("base", read_base),
        layout=options.get("layout"),
        length=read("length", partial(read_whole_number, least=1)),
        positions=read("positions", partial(read_positions, may_be_negative=True)),
        offset=read("offset", partial(read_whole_number, least=-GREATEST_POSITION)),
        axes=read("axes", read_axes),
        tolerance=read("tolerance", read_tolerance),
        backward=bool(options.get("backward")),
        dtype=options.get("dtype"),
        input_name=options.get("input_name"),
        output_name=options.get("output_name"),
        frequencies=bool(options.get("frequencies")),
        every_row=options.get("rows") == "all",
        first_feature=read("first_feature", read_whole_number),
    )


def option_name(name: str) -> str:
    """An option as the user types it."""
    return "--" + name.replace("_", "-")


def read_axes(option: str, text: str) -> tuple[str, ...]:
    """Split the names of the axes; they are checked against the arrays."""
    return tuple(part.strip() for part in text.split(","))


def read_tolerance(option: str, text: str) -> float:
    """Parse a tolerance, a share of a pair's length."""
    value = decimal_number(text)
    if value is None or not 0 < value <= MOST_TOLERANCE:
        raise InvalidNumber(option=option, value=quoted(text), accepted=SHARE)
    return value


def layer_of(request: Request) -> Layer | None:
    """The layers of the config that ``--layer-type`` selects."""
    if request.config is None:
        return None
    layers = request.config.layers
    if request.layer_type is None and len(layers) == 1:
        return layers[0]
    for layer in layers:
        if layer.name == request.layer_type:
            return layer
    accepted = ", ".join(printable(layer.name or "") for layer in layers)
    meant = closest_match(request.layer_type or "", [layer.name or "" for layer in layers])
    raise UnknownChoice(
        meant and printable(meant),
        option="--layer-type",
        value=NOT_GIVEN if request.layer_type is None else quoted(request.layer_type),
        accepted=accepted or NO_TYPES,
    )
