"""What was asked for, in words and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.blocks import Phrase, Piece, Short
from rope_cli.document.vocabulary import t
from rope_cli.example.positions import format_positions
from rope_cli.report import header_footer
from rope_cli.user_input.command_errors import LONGEST_PATH, printable
from rope_cli.verify.measure.aligned_arrays import Arrays
from rope_cli.verify.measure.expected import STANDARD_LAYOUT, Expected
from rope_cli.verify.read.request import MOST_LISTED, Request, layer_of

BY_CONFIG = t(
    "Expected by {file}{layer}: {method}, {rotary} of {head} coordinates rotated, base {base}, "
    "{layout}{found}, text of {length} positions.",
    "Ожидается по {file}{layer}: {method}, поворот {rotary} из {head} координат, основание "
    "{base}, {layout}{found}, длина текста {length}.",
)
BY_OPTIONS = t(
    "Expected: {rotary} of {head} coordinates rotated, base {base}{by_default}, "
    "{layout}{found}, "
    "no "
    "scaling.",
    "Ожидается: поворот {rotary} из {head} координат, основание {base}{by_default}, "
    "{layout}{found}, "
    "без масштабирования.",
)
FOUND = t(" (found)", " (найдена)")
DEFAULT_BASE = t(" (by default)", " (по умолчанию)")
OF_LAYER = t(" (layers of type {name})", " (слои вида {name})")
POSITIONS = t(
    "Positions of the tokens: {positions}{source}.", "Позиции токенов: {positions}{source}."
)
FROM_FILE = t(" (from the file)", " (из файла)")
BY_DEFAULT = t(" (by default)", " (по умолчанию)")
SHAPE = t("of shape {shape}", "формы {shape}")


def source_of(expected: Expected, request: Request, length: int) -> Phrase:
    """What is expected, in words."""
    said: dict[str, Piece] = {
        "rotary": expected.rotary_width,
        "head": expected.head_width,
        "base": Short(expected.base),
        "layout": header_footer.LAYOUTS[expected.layout],
        "found": FOUND if request.layout is None and expected.layout != STANDARD_LAYOUT else "",
    }
    if request.config is None:
        said["by_default"] = DEFAULT_BASE if request.base is None else ""
        return Phrase(BY_OPTIONS, said)
    said["file"] = printable(request.config.path, LONGEST_PATH)
    said["method"] = expected.method
    said["length"] = length if request.length is None else request.length
    layer = layer_of(request)
    said["layer"] = ""
    if layer is not None and layer.name is not None:
        said["layer"] = Phrase(OF_LAYER, {"name": printable(layer.name)})
    return Phrase(BY_CONFIG, said)


def positions_in_words(arrays: Arrays, from_file: bool, request: Request) -> Phrase:
    """Which positions the tokens have, and who says so."""
    known = arrays.positions
    if known.ndim == 1:
        shown: Piece = format_positions(known.tolist()) if len(known) < MOST_LISTED else ends(known)
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
        "files": [printable(path, LONGEST_PATH) for path in files],
        "config": printable(request.config.path, LONGEST_PATH) if request.config else None,
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
