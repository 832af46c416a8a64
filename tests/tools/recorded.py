"""The frequencies that the code of every recorded model type computes, set beside ours."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.errors import RopeError
from rope_cli.scaling.compute import ScaledLayer
from rope_cli.scaling.config import ModelConfig, read_config

DATA = Path(__file__).parent.parent / "data" / "model_types.npz"
# The recorded numbers are float32: blended pairs are up to 2.2e-6 off, others 3e-7.
RELATIVE = 3e-6
AGREES, WARNED, WRONG = "agrees", "differs, and a warning says why", "SILENTLY WRONG"
REFUSED = "refused by name"
REFUSED_VALUE = "refused for a value"


class Case(NamedTuple):
    """A file, and by kinds of layers what the code of its type computes for it.

    ``kinds`` holds frequencies ``[pairs]`` and the attention factor; it is empty where the rotation
    is of another kind.
    """

    style: str
    file: dict[str, Any]
    kinds: dict[str, tuple[NDArray[np.float32], float]]


def recorded_cases() -> Iterator[Case]:
    """All that was recorded."""
    data = np.load(DATA)
    pool = np.split(data["frequencies"], np.cumsum(data["lengths"])[:-1])
    for case in json.loads(data["cases"].tobytes()):
        kinds = {name: (pool[index], factor) for name, (index, factor) in case["kinds"].items()}
        yield Case(case["style"], case["file"], kinds)


def outcome(case: Case, path: Path, relative: float = RELATIVE) -> str:
    """How the report on a file compares with what the code of its type computes."""
    path.write_text(json.dumps(case.file), "utf-8")
    try:
        config = read_config(str(path))
    except RopeError as refusal:
        by_name = refusal.kind in ("no-rotation", "unsupported-rotation", "unsupported-scaling")
        return REFUSED if by_name else REFUSED_VALUE
    if agrees(config, case, relative):
        return AGREES
    return WARNED if config.warnings else WRONG


def agrees(config: ModelConfig, case: Case, relative: float) -> bool:
    """Whether all layers have the recorded frequencies and factors, those of LongRoPE for a start.

    The code of the types begins with its list for short texts.
    """
    layers = {layer.name or "": layer for layer in config.layers}
    if set(case.kinds) == {""} and len(layers) == 1:
        layers = {"": config.layers[0]}
    if not case.kinds or not case.kinds.keys() <= layers.keys():
        return False
    for name, (frequencies, factor) in case.kinds.items():
        layer = layers[name]
        length = 1 if layer.method == "longrope" else config.max_positions.value
        ours = ScaledLayer(layer, length).scaled
        if len(ours.inverse_frequencies) != len(frequencies):
            return False
        if not np.allclose(ours.inverse_frequencies, frequencies, rtol=relative, atol=0):
            return False
        if abs(ours.attention_factor / factor - 1) > relative:
            return False
    return True


def outcomes() -> Iterator[tuple[Case, str]]:
    """Every case with its outcome."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "config.json"
        for case in recorded_cases():
            yield case, outcome(case, path)


def counted() -> str:
    """How many cases have which outcome."""
    counts = Counter(result for _, result in outcomes())
    return "\n".join(f"{count:5} {name}" for name, count in counts.most_common())
