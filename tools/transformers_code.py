"""The code of the installed transformers: its configuration classes, and what they rotate.

Only ``record_model_types.py`` uses this; it needs torch and transformers.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import logging
import re
import warnings
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import torch
import transformers
import transformers.models
from transformers import PreTrainedConfig, PreTrainedModel
from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

VERSION = transformers.__version__
ROTARY_NAME = re.compile(r"Rotary|Rope|RoPE")
SPEAKS_OF_ROPE = re.compile(r"rope_|rotary|RoPE|Rope|Rotary")
ADJACENT, HALF_SPLIT = "adjacent", "half-split"
# Its frequencies are kept by section, and put into the order of the pairs for every position.
REORDERED = ("Ernie4_5_VLMoeTextRotaryEmbedding",)
ADJACENT_IN, BACKWARDS = "adjacent in, half-split out", "half-split, backwards"

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)


class Rotation(NamedTuple):
    """The frequencies ``[pairs]`` of one kind of layers, and the factor of cosines and sines."""

    frequencies: list[float]
    attention_factor: float


def config_classes() -> dict[str, type]:
    """Every configuration class by its model type, in alphabetical order."""
    found: dict[str, type] = {}
    root = Path(transformers.models.__file__).parent
    for path in sorted(root.glob("*/configuration_*.py")):
        module = importlib.import_module(f"transformers.models.{path.parent.name}.{path.stem}")
        for value in vars(module).values():
            if is_class_of(value, PreTrainedConfig, module) and value.model_type:
                found.setdefault(value.model_type, value)
    return dict(sorted(found.items()))


def is_class_of(value: Any, parent: type, module: ModuleType) -> bool:
    """Whether a value is a class below ``parent`` that ``module`` itself defines."""
    return (
        inspect.isclass(value) and issubclass(value, parent) and value.__module__ == module.__name__
    )


def model_module(config_class: type) -> ModuleType | None:
    """The module of the model's code if it rotates: its own, or that of the model it reuses."""
    name = config_class.__module__.replace("configuration_", "modeling_")
    if importlib.util.find_spec(name) is None and config_class.model_type in MODEL_MAPPING_NAMES:
        reused = MODEL_MAPPING_NAMES[config_class.model_type]
        reused = reused if isinstance(reused, str) else reused[0]
        name = str(getattr(transformers, reused).__module__)
    return importlib.import_module(name) if SPEAKS_OF_ROPE.search(source_of(name)) else None


def may_rotate(config_class: type) -> bool:
    """Whether the module of the model's code has any code of a rotation, or is not there at all."""
    source = source_of(config_class.__module__.replace("configuration_", "modeling_"))
    return not source or re.search(r"rotate_|apply_rotary|Rotary|rope_", source) is not None


def source_of(module_name: str) -> str:
    """The text of a module that need not be imported; empty if there is none."""
    spec = importlib.util.find_spec(module_name)
    return Path(spec.origin).read_text("utf-8") if spec and spec.origin else ""


def rotary_class(config_class: type) -> tuple[ModuleType, type] | None:
    """The class that holds the frequencies for models of this configuration, and its module."""
    module = model_module(config_class)
    if module is None:
        return None
    rotary = {
        name: value
        for name, value in vars(module).items()
        if is_class_of(value, torch.nn.Module, module)
        and ROTARY_NAME.search(name)
        and "Attention" not in name
    }
    name = next(rotary_names(module, rotary, config_class), None)
    return None if name is None else (module, rotary[name])


def rotary_names(
    module: ModuleType, rotary: Mapping[str, type], config_class: type
) -> Iterator[str]:
    """Names of rotary classes: by annotation, by the model that builds them, by likeness."""
    for name, value in rotary.items():
        parameter = inspect.signature(value.__init__).parameters.get("config")
        if parameter is not None and parameter.annotation is config_class:
            yield name
    for value in vars(module).values():
        if is_class_of(value, PreTrainedModel, module):
            annotated = value.__annotations__.get("config")
            if config_class in (value.__dict__.get("config_class"), annotated):
                built = re.findall(r"\b(\w+)\(config", inspect.getsource(value))
                yield from (name for name in built if name in rotary)
    for name in rotary:
        parts = ("Vision", "Audio")
        if all((part in name) == (part in config_class.__name__) for part in parts):
            yield name


def rotations(config_class: type, file: Mapping[str, Any], rotary: type) -> dict[str, Rotation]:
    """What the model's own code computes for a file, by kinds of layers (``""`` for one kind)."""
    built = rotary(config_class.from_dict(deepcopy(dict(file))))  # which changes what it is given
    found = {}
    for name, buffer in built.named_buffers():
        if name == "embed_positions":  # sines, then cosines of each position
            sine, cosine = buffer[1].detach().double().chunk(2)
            found[""] = Rotation(torch.atan2(sine, cosine).tolist(), 1.0)
        if name.endswith("inv_freq") and "original" not in name and buffer.dim() == 1:
            kind = name.removesuffix("inv_freq").rstrip("_")
            prefix = f"{kind}_" if kind else ""
            usual = getattr(built, "attention_scaling", 1.0)
            factor = float(getattr(built, f"{prefix}attention_scaling", usual))
            frequencies = buffer.detach().float().tolist()
            if rotary.__name__ in REORDERED:
                frequencies.sort(reverse=True)
            found[kind] = Rotation(frequencies, factor)
    if not found:
        raise LookupError("no inverse frequencies")
    return found


def try_rotations(
    config_class: type, file: Mapping[str, Any], rotary: type
) -> dict[str, Rotation] | None:
    """The same, or ``None`` where the model's own code refuses the file."""
    try:
        return rotations(config_class, file, rotary)
    except Exception:  # whatever it is that a model type's own code raises
        return None


def kinds_of_layers(config_class: type) -> list[str]:
    """The kinds of layers that have objects of their own by default; none if one is for all."""
    try:
        objects = getattr(config_class(), "rope_parameters", None) or {}
    except Exception:  # of a class that cannot be built without values
        return []
    return [kind for kind, rope in objects.items() if isinstance(rope, dict)]


def layout(module: ModuleType) -> str:
    """Which coordinates the code pairs, found by rotating ``[1, 2, ..., 8]``."""
    functions = vars(module)
    if "apply_rotary_pos_emb_interleave" in functions:
        return ADJACENT_IN
    names = ("rotate_half_llm", "rotate_half_text", "rotate_every_two", "rotate_half")
    for name in names:
        if name in functions:
            row = torch.arange(1.0, 9.0).reshape(1, 1, 1, 8)
            return LAYOUT_BY_ROW[tuple(functions[name](row).flatten().int().tolist())]
    source = inspect.getsource(module)
    complex_numbers = "view_as_complex" in source or "stack_freqs" in source
    return ADJACENT if complex_numbers else HALF_SPLIT


LAYOUT_BY_ROW = {
    (-5, -6, -7, -8, 1, 2, 3, 4): HALF_SPLIT,
    (5, 6, 7, 8, -1, -2, -3, -4): BACKWARDS,
    (-2, 1, -4, 3, -6, 5, -8, 7): ADJACENT,
}
