"""What ``verify`` and ``vectors`` are asked for: options and files turned into what is compared.

Knows nothing of click. The floor is just above :mod:`rope_cli.verify`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli import frame
from rope_cli.document import Phrase, Piece, Short, stretch
from rope_cli.model_config import ModelConfig, read_config
from rope_cli.models.layers import Layer
from rope_cli.own_values import (
    GREATEST_ANGLE,
    GREATEST_POSITION,
    InvalidNumber,
    base_from,
    number_from,
    positions_from,
    whole_number,
)
from rope_cli.refusals import (
    LONGEST_PATH,
    CommandRefusal,
    UnexpectedArgument,
    UnknownChoice,
    harmless,
    quoted,
    quoted_path,
)
from rope_cli.rope.tables import RotaryEmbedding
from rope_cli.vectors import DEFAULT_POSITIONS, cells
from rope_cli.verify.arrays import Arrays
from rope_cli.verify.examining import Finding, examine
from rope_cli.verify.expected import (
    STANDARD_BASE,
    Expected,
    expected_by_config,
    expected_plain,
)
from rope_cli.verify.reading import InvalidArray, Pair
from rope_cli.words import Text

TOKENS, FEATURES = "tokens", "features"
ARRAYS = ("batch", "heads", TOKENS, FEATURES)
MOST_TOLERANCE, MOST_LISTED = 1.0, 4096
STANDARD_WIDTH, MOST_VECTOR_CELLS = 8, 1 << 22

Progress = Callable[[int, int], None]

BY_CONFIG = Text(
    en="Expected by {file}{layer}: {method}, {rotary} of {head} coordinates rotated, base {base}, "
    "{layout}, text of {length} positions.",
    ru="Ожидается по {file}{layer}: {method}, поворот {rotary} из {head} координат, основание "
    "{base}, {layout}, длина текста {length}.",
)
BY_OPTIONS = Text(
    en="Expected: {rotary} of {head} coordinates rotated, base {base}{by_default}, {layout}, no "
    "scaling.",
    ru="Ожидается: поворот {rotary} из {head} координат, основание {base}{by_default}, {layout}, "
    "без масштабирования.",
)
DEFAULT_BASE = Text(en=" (by default)", ru=" (по умолчанию)")
OF_LAYER = Text(en=" (layers of type {name})", ru=" (слои вида {name})")
POSITIONS = Text(
    en="Positions of the tokens: {positions}{source}.", ru="Позиции токенов: {positions}{source}."
)
FROM_FILE = Text(en=" (from the file)", ru=" (из файла)")
BY_DEFAULT = Text(en=" (by default)", ru=" (по умолчанию)")
SHAPE = Text(en="of shape {shape}", ru="формы {shape}")


class BadAxes(CommandRefusal):
    """Axes that do not name those of the arrays."""

    kind = "bad-axes"
    SENTENCE = Text(
        en="--axes is {value}; accepted: a name for each of the {rank} axes, tokens and features "
        "among them, such as batch,tokens,heads,features",
        ru="--axes: задано {value}; допустимо по имени на каждую ось (число осей {rank}), среди "
        "них "
        "tokens и features, например batch,tokens,heads,features",
    )


class PositionCount(CommandRefusal):
    """Positions that are not as many as the tokens."""

    kind = "position-count"
    SENTENCE = Text(
        en="there are positions {given} for {tokens} tokens; accepted: one position for each "
        "token, "
        "[tokens] or [batch, tokens]",
        ru="позиции: {given}, а токенов {tokens}; допустимо по позиции на токен: [токены] или "
        "[пакет, токены]",
    )


class ConfigNeeded(CommandRefusal):
    """A list of frequencies without anything to compare it with."""

    kind = "config-needed"
    SENTENCE = Text(
        en="{option} is given alone; accepted: {option} with {accepted}",
        ru="параметр {option} задан один; допустимо: {option} и {accepted}",
    )


@dataclass(frozen=True)
class Request:
    """The options of ``verify``, read but not yet compared with the files."""

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


def request_from(given: Mapping[str, Any]) -> Request:
    """The options, each checked alone. Raises the refusals of the command."""

    def read(name: str, reader: Callable[[str], Any]) -> Any:
        value = given.get(name)
        return None if value is None else reader(value)

    config = read("config", read_config)
    if given.get("positions") is not None and given.get("offset") is not None:
        raise UnexpectedArgument(
            command="verify", value="--offset", accepted="--positions LIST | --offset N"
        )
    if given.get("layer_type") is not None and config is None:
        raise ConfigNeeded(option="--layer-type", accepted="--config CONFIG.json")
    return Request(
        config=config,
        layer_type=given.get("layer_type"),
        width=read("feature_width", lambda text: whole_number("--feature-width", text, 65536, 2)),
        base=read("base", base_from),
        layout=given.get("layout"),
        length=read("length", lambda text: whole_number("--length", text, GREATEST_POSITION, 1)),
        positions=read("positions", positions_from),
        offset=read("offset", lambda text: whole_number("--offset", text, GREATEST_POSITION)),
        axes=read("axes", lambda text: tuple(part.strip() for part in text.split(","))),
        tolerance=read("tolerance", tolerance_from),
        backward=bool(given.get("backward")),
    )


def tolerance_from(text: str) -> float:
    """A share of a pair's length."""
    value = number_from(text)
    if value is None or not 0 < value <= MOST_TOLERANCE:
        raise InvalidNumber(option="--tolerance", value=quoted(text), accepted="0 < ... <= 1")
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
    accepted = ", ".join(harmless(layer.name or "") for layer in layers)
    value = Text(en="missing", ru="пусто")
    raise UnknownChoice(
        option="--layer-type",
        value=value if request.layer_type is None else quoted(request.layer_type),
        accepted=accepted or "--layer-type",
    )


def expected_for(request: Request, head_width: int | None, length: int) -> Expected:
    """What is expected of rows of ``head_width`` coordinates (by default those of the config)."""
    layer, layout = layer_of(request), request.layout or "adjacent"
    asked = length if request.length is None else request.length
    if layer is not None:
        return expected_by_config(layer, layout, asked, request.base, request.backward)
    head = head_width or request.width or 0
    width = request.width or head
    if width > head:
        raise InvalidNumber(option="--feature-width", value=width, accepted=f"2...{head}")
    base = STANDARD_BASE if request.base is None else request.base
    return expected_plain(head, width, base, layout, request.backward)


def arranged(pair: Pair, positions: NDArray[np.int64] | None, request: Request) -> Arrays:
    """Both arrays with their axes and positions."""
    before, after = pair.before, pair.after
    if len(before.shape) == 1:  # one row, that of one token
        before, after = (replace(each, values=each.values[np.newaxis]) for each in (before, after))
    shape = before.shape
    token_axis, feature_axis = axes_of(shape, positions, request)
    tokens = shape[token_axis]
    if request.positions is not None:
        used = np.array(request.positions, dtype=np.int64)
    elif positions is not None and request.offset is None:
        used = positions
    else:
        used = np.arange(tokens, dtype=np.int64) + (request.offset or 0)
    batched = used.ndim == 2 and len(shape) > 2 and used.shape == (shape[0], tokens)
    if not batched and used.shape != (tokens,):
        raise PositionCount(given=str(list(used.shape)), tokens=tokens)
    return Arrays(before, after, used, token_axis, feature_axis)


def axes_of(
    shape: tuple[int, ...], positions: NDArray[np.int64] | None, request: Request
) -> tuple[int, int]:
    """Which axis holds the tokens and which the features."""
    rank = len(shape)
    if request.axes is not None:
        names = request.axes
        if len(names) != rank or names.count(TOKENS) != 1 or names.count(FEATURES) != 1:
            raise BadAxes(value=quoted(",".join(names)), rank=rank)
        return names.index(TOKENS), names.index(FEATURES)
    token_axis = rank - 2
    known = positions if request.positions is None else np.array(request.positions)
    if known is not None and rank > 2:
        # As many positions as the other axis has entries, and this one not: they say which it is.
        count = known.shape[-1]
        if shape[rank - 2] != count and shape[rank - 3] == count:
            token_axis = rank - 3
    return token_axis, rank - 1


def compare(
    pair: Pair,
    positions: NDArray[np.int64] | None,
    request: Request,
    progress: Progress | None = None,
) -> tuple[Finding, Expected]:
    """One pair of arrays against what is expected of it."""
    arrays = arranged(pair, positions, request)
    head = arrays.shape[-1]
    expected = expected_for(request, head, int(arrays.positions.max()) + 1)
    if head == expected.rotary_width:
        # Of a head that is rotated in part, only the rotated part was saved.
        expected = replace(expected, head_width=head)
    if expected.head_width != head:
        shape = list(pair.before.shape)
        raise InvalidArray(
            path=quoted_path(pair.before.path),
            name=pair.before.name,
            value=Text(en=f"of shape {shape}", ru=f"форма {shape}"),
            accepted=f"[..., {expected.head_width}]",
        )
    refuse_unusable(expected, int(arrays.positions.max()))
    given = request.axes is not None or arrays.token_axis != len(arrays.order) - 2
    finding = examine(arrays, expected, request.tolerance, progress, axes_given=given)
    return finding, expected


def expected_of_list(request: Request, pairs: int) -> tuple[Expected, int]:
    """What is expected of a list of frequencies, and for which length of a text."""
    length = 1
    if request.config is not None:
        length = request.length or int(request.config.max_positions.value)
    return expected_for(request, request.width or 2 * pairs, length), length


def refuse_unusable(expected: Expected, position: int) -> None:
    """Refuse angles of which float64 cannot hold a cosine."""
    angle = position * float(expected.theta.max(initial=0.0))
    if angle > GREATEST_ANGLE:
        accepted = f"0...{GREATEST_ANGLE:.4g}"
        raise InvalidNumber(option="m·θ", value=f"{angle:.4g}", accepted=accepted)


def source_of(expected: Expected, request: Request, length: int) -> Phrase:
    """What is expected, in words."""
    said: dict[str, Piece] = {
        "rotary": expected.rotary_width,
        "head": expected.head_width,
        "base": Short(expected.base),
        "layout": frame.LAYOUTS[expected.layout],
    }
    if request.config is None:
        said["by_default"] = DEFAULT_BASE if request.base is None else ""
        return Phrase(BY_OPTIONS, said)
    said["file"] = harmless(request.config.path, LONGEST_PATH)
    said["method"] = expected.method
    said["length"] = length if request.length is None else request.length
    layer = layer_of(request)
    said["layer"] = ""
    if layer is not None and layer.name is not None:
        said["layer"] = Phrase(OF_LAYER, {"name": harmless(layer.name)})
    return Phrase(BY_CONFIG, said)


def positions_in_words(arrays: Arrays, from_file: bool, request: Request) -> Phrase:
    """Which positions the tokens have, and who says so."""
    known = arrays.positions
    if known.ndim == 1:
        shown: Piece = stretch(known.tolist()) if len(known) < MOST_LISTED else ends(known)
    else:
        shown = Phrase(SHAPE, {"shape": str(list(known.shape))})
    source: Piece = ""
    if request.positions is None and request.offset is None:
        source = FROM_FILE if from_file else BY_DEFAULT
    return Phrase(POSITIONS, {"positions": shown, "source": source})


def ends(known: NDArray[np.int64]) -> str:
    """The first and the last of very many positions."""
    return f"{known[0]}, {known[1]}, ..., {known[-1]}"


def parameters_of(expected: Expected, request: Request, files: Sequence[str]) -> dict[str, Any]:
    """The parameters of the comparison, for programs."""
    return {
        "files": [harmless(path, LONGEST_PATH) for path in files],
        "config": harmless(request.config.path, LONGEST_PATH) if request.config else None,
        "head_width": expected.head_width,
        "feature_width": expected.rotary_width,
        "pairs": expected.pairs,
        "base": expected.base,
        "layout": expected.layout,
        "method": expected.method,
        "attention_factor": expected.scaled.attention_factor,
        "tolerance": request.tolerance,
        "backward": expected.backward,
    }


def for_vectors(given: Mapping[str, Any]) -> tuple[Expected, Sequence[int]]:
    """What ``vectors`` is asked for: what to rotate, and the positions."""
    request = request_from({**given, "positions": None})
    asked = given.get("positions")
    positions = DEFAULT_POSITIONS if asked is None else positions_from(asked)
    width = STANDARD_WIDTH if request.width is None else request.width
    layer = layer_of(request)
    if layer is None:
        RotaryEmbedding.validate(width, positions[-1] + 1, request.base or STANDARD_BASE)
    expected = expected_for(request, width, positions[-1] + 1)
    count = cells(expected.head_width, expected.rotary_width, len(positions))
    if count > MOST_VECTOR_CELLS:
        option = "--feature-width x --positions"
        raise InvalidNumber(option=option, value=count, accepted=f"1...{MOST_VECTOR_CELLS}")
    return expected, positions
