"""What is expected and at which positions, in words and for programs."""

from __future__ import annotations

from typing import Any

from rope_cli.document.blocks import Phrase, Piece, Short
from rope_cli.document.vocabulary import t
from rope_cli.example.positions import format_positions
from rope_cli.report.header_footer import LAYOUTS
from rope_cli.text import Text, counted
from rope_cli.user_input.command_errors import LONGEST_PATH, printable
from rope_cli.verify.measure.expected import STANDARD_LAYOUT, Expected
from rope_cli.verify.read.aligned_arrays import Arrays
from rope_cli.verify.read.request import MOST_LISTED, Request, layer_of

READ_AND_WRITTEN = t(
    "adjacent pairs read and half-split results written",
    "соседние пары на входе и половинная раскладка на выходе",
)
BY_DEFAULT = t(" (by default)", " (по умолчанию)")


def expectation_sentence(expected: Expected, request: Request, length: int) -> Phrase:
    """What is expected, and whether a config or the options say so."""
    layout, layout_source = layout_and_source(expected, request)
    first: Piece = ""
    if expected.first:
        number = expected.first
        first = t(" (from {first} on)", " (начиная с {first})", first=number)
    if request.config is None:
        return t(
            "Expected: rotated coordinates {rotary} of {head}{first}, base {base}{by_default}, "
            "{layout}{source}, no scaling.",
            "Ожидается: поворачиваемых координат {rotary} из {head}{first}, основание "
            "{base}{by_default}, {layout}{source}, без масштабирования.",
            rotary=expected.rotary_width,
            head=expected.head_width,
            first=first,
            base=Short(expected.base),
            by_default=BY_DEFAULT if request.base is None else "",
            layout=layout,
            source=layout_source,
        )
    layer = layer_of(request)
    of_layer: Piece = ""
    if layer is not None and layer.name is not None:
        name = printable(layer.name)
        of_layer = t(" (layers of type {name})", " (слои типа {name})", name=name)
    file = printable(request.config.path, LONGEST_PATH)
    part = printable(request.config.part)
    return t(
        "Expected by {file}{layer}: method {method}, rotated coordinates {rotary} of {head}"
        "{first}, base {base}, {layout}{source}, sequence length {length}.",
        "Ожидается по {file}{layer}: метод {method}, поворачиваемых координат {rotary} из "
        "{head}{first}, основание {base}, {layout}{source}, длина последовательности {length}.",
        file=f"{file}, {part}" if part else file,
        layer=of_layer,
        method=expected.method,
        rotary=expected.rotary_width,
        head=expected.head_width,
        first=first,
        base=Short(expected.base),
        layout=layout,
        source=layout_source,
        length=length if request.length is None else request.length,
    )


def layout_and_source(expected: Expected, request: Request) -> tuple[Text, Piece]:
    """The expected layout, and where it is from if nobody asked for it."""
    source: Piece = ""
    if request.layout_by_model:
        source = t(" as in the model's code", ", как в коде модели")
    elif expected.layout != (request.layout or STANDARD_LAYOUT):
        source = t(" (as measured)", " (по измерениям)")
    elif request.layout is None:
        source = BY_DEFAULT
    return READ_AND_WRITTEN if expected.written else LAYOUTS[expected.layout], source


def positions_sentence(arrays: Arrays, from_file: bool, request: Request, assumed: bool) -> Phrase:
    """The positions of the tokens, and where they come from."""
    positions = arrays.positions
    shown: Piece
    if positions.ndim == 2:
        rows, tokens = positions.shape
        shown = t(
            "{tokens} for each of {rows}",
            "по {tokens} в каждой из {rows}",
            tokens=tokens,
            rows=counted(rows, "batch row|batch rows", "строки пакета|строк пакета|строк пакета"),
        )
    elif len(positions) < MOST_LISTED:
        shown = format_positions(positions.tolist())
    else:
        shown = f"{positions[0]}, {positions[1]}, ..., {positions[-1]}"
    source: Piece = ""
    if assumed:
        source = t(" (assumed)", " (по предположению)")
    elif request.positions is None and request.offset is None:
        source = t(" (from the file)", " (из файла)") if from_file else BY_DEFAULT
    return t(
        "Positions of the tokens: {positions}{source}.",
        "Позиции токенов: {positions}{source}.",
        positions=shown,
        source=source,
    )


def parameter_values(expected: Expected, request: Request) -> dict[str, Any]:
    """The parameters of the comparison, for programs."""
    return {
        "files": [printable(path, LONGEST_PATH) for path in request.files],
        "config": printable(request.config.path, LONGEST_PATH) if request.config else None,
        "head_width": expected.head_width,
        "feature_width": expected.rotary_width,
        "first_feature": expected.first,
        "pairs": expected.pairs,
        "base": expected.base,
        "layout": expected.layout,
        "written_layout": expected.layouts[1],
        "method": expected.method,
        "attention_factor": expected.scaled.attention_factor,
        "tolerance": request.tolerance,
        "backward": request.backward,
    }
