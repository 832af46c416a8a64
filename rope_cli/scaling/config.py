"""The ``config.json`` of a model as plain checked data: how its heads are rotated, and warnings.

Old files hold ``rope_scaling`` beside ``rope_theta``. Since version 5 of transformers one object,
``rope_parameters``, holds everything, in some models once for each layer type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.bounds import refuse_many_coordinates, refuse_many_keys
from rope_cli.scaling.file_formats import HUGGING_FACE, read_format
from rope_cli.scaling.json_files import ConfigObject, ConfigValue, Lookup, read_object
from rope_cli.scaling.key_names import (
    BASE_NAMES,
    CONTEXT_NAMES,
    GROUPS,
    LOCAL_BASE_NAMES,
    ORIGINAL,
    ROPE_OBJECTS,
)
from rope_cli.scaling.layers import Layer, LayerReader
from rope_cli.scaling.methods import COMMON_KEYS, KNOWN_KEYS
from rope_cli.scaling.model_parts import choose_part
from rope_cli.scaling.spelling import meant_name
from rope_cli.scaling.warnings import ConfigWarning, Warnings

# Keys of a model that concern rotation; others that begin in such a way are unknown.
KNOWN_NAMES = {name for group in GROUPS for name in group}
BEGINNINGS = "rope", "rotary"
UNROTATED_KEYS = "no_rope_layers", "no_rope_layer_interval"
# Models that add or learn their positions, or put distances into the scores.
WITHOUT_ROTATION = {"albert", "bart", "bert", "bloom", "gpt2", "mpt", "opt", "roberta", "t5"}
ROPE_KEYS = {*COMMON_KEYS, *KNOWN_KEYS}
SLIDING_BASE_NAMES = (*LOCAL_BASE_NAMES, *BASE_NAMES)
MOST_LAYER_TYPES = 64
# A round number that no model is known by.
ASSUMED_POSITIONS = 4096
# What transformers assumes if the file of such a model leaves it out.
MODEL_DEFAULTS: dict[str, dict[str, Any]] = {
    "gemma3_text": {
        "head_dim": 256,
        "max_position_embeddings": 131072,
        "rope_theta": 1e6,
        "rope_local_base_freq": 1e4,
    },
    "gemma4_text": {"global_head_dim": 512},
    "gpt_neox": {"rotary_pct": 0.25},
}


@dataclass(frozen=True)
class ModelConfig:
    """What a config says about rotation, with one :class:`Layer` for each type of layers.

    ``max_positions`` is the number of positions of the model. ``format`` is the name of the format
    of the file, and ``part`` leads to the object that the model was read from, if not the whole.
    """

    path: str
    model_type: str
    max_positions: ConfigValue
    layers: tuple[Layer, ...]
    warnings: tuple[ConfigWarning, ...]
    format: str = HUGGING_FACE
    part: str = ""


def read_config(path: str, part: str | None = None) -> ModelConfig:
    """Read and check a file, or one ``part`` of it, the keys to an object inside.

    Raises ``CannotRead``, ``BadConfigValue``, ``MissingConfigKey``, ``UnknownPart``, ``NoModel``,
    and ``UnsupportedScaling`` for M-RoPE, axial rotation and unknown methods.
    """
    content, repeated = read_object(path)
    collected = Warnings()
    renamed = read_format(path, content, collected)
    model, part = choose_part(renamed.lookup(), part, collected)
    type_value = model.find("model_type")
    model_type = type_value.value if type_value and isinstance(type_value.value, str) else ""
    if model_type in MODEL_DEFAULTS:
        defaults = ConfigObject(f"{model_type}.", MODEL_DEFAULTS[model_type], is_default=True)
        model = replace(model, objects=(*model.objects, defaults))
    if model_type in WITHOUT_ROTATION:
        collected.add(warnings.WITHOUT_ROTATION, key="model_type", value=model_type)
    refuse_many_keys(model, repeated)
    for key in repeated:
        collected.add(warnings.REPEATED_KEY, key=key)
    max_positions = context_length(model)
    warn_of_unknown_keys(model, collected)
    layers = tuple(
        LayerReader(name, model, rope, model_type, max_positions, collected).layer(base_names)
        for name, rope, base_names in layer_types(model, collected)
    )
    refuse_many_coordinates(model, layers)
    return ModelConfig(
        path, model_type, max_positions, layers, tuple(collected), renamed.format, part
    )


def context_length(model: Lookup) -> ConfigValue:
    """How many positions the model has; assumed if the file does not say.

    Then it is as many as the scaling was made for, else :data:`ASSUMED_POSITIONS`.
    """
    given = model.number(ranges.POSITIONS, *CONTEXT_NAMES)
    if given:
        return given
    positions: float = ASSUMED_POSITIONS
    for name in ROPE_OBJECTS:
        rope = model.inside(name)
        original = rope and rope.number(ranges.ORIGINAL_LENGTH, ORIGINAL)
        factor = rope and rope.number(ranges.FACTOR, "factor")
        if original:
            positions = original.value * max(factor.value if factor else 1.0, 1.0)
            break
    return ConfigValue(min(int(positions), ranges.POSITIONS.most), "", is_default=True)


def warn_of_unknown_keys(model: Lookup, collected: Warnings) -> None:
    """Warn of keys that seem to concern rotation and are not read, and of unrotated layers."""
    missing = [name for group in GROUPS if not model.find(*group) for name in group]
    for prefix, content, is_default in model.objects:
        for key in () if is_default else content:
            concerns = key.startswith(BEGINNINGS) or meant_name(key, missing)
            if key not in KNOWN_NAMES and concerns:
                collected.add_unknown(prefix, key, missing)
            if key in UNROTATED_KEYS and content[key]:
                collected.add(warnings.UNROTATED_LAYERS, key=prefix + key)
            if key == "alibi" and content[key] is True:
                collected.add(warnings.WITHOUT_ROTATION, key=prefix + key, value=True)


def layer_types(
    model: Lookup, collected: Warnings
) -> Iterator[tuple[str | None, Lookup, tuple[str, ...]]]:  # name, object, names of its base
    """Each type of layers with the object that says how to scale it."""
    rope = rope_object(model, collected)
    prefix, content, _ = rope.objects[0]
    by_type = {
        key: value
        for key, value in content.items()
        if isinstance(value, dict) and key not in ROPE_KEYS
    }
    if len(by_type) > MOST_LAYER_TYPES:
        size = ConfigValue(len(by_type), f"len({prefix.rstrip('.')})")
        raise model.bad_value(size, ranges.FEW_LAYER_TYPES)
    if by_type and not content.keys() & {"rope_type", "type"}:
        for key, value in content.items():
            if value is None:
                collected.add(warnings.UNROTATED_LAYER_TYPE, key=prefix + key)
            elif key not in by_type:
                collected.add_unknown(prefix, key, ())
        for key, value in by_type.items():
            base_names = SLIDING_BASE_NAMES if key == "sliding_attention" else BASE_NAMES
            inner = ConfigObject(f"{prefix}{key}.", value)
            yield key, replace(rope, objects=(inner,)), base_names
    elif model.find(*LOCAL_BASE_NAMES):
        yield "full_attention", rope, BASE_NAMES
        yield "sliding_attention", nothing(model), SLIDING_BASE_NAMES
    else:
        yield None, rope, BASE_NAMES


def rope_object(model: Lookup, collected: Warnings) -> Lookup:
    """The object that says how to scale, the old one before the new one; it may be empty."""
    inside = map(model.inside, ROPE_OBJECTS)
    present = [rope for rope in inside if rope and rope.objects[0].content]
    if not present:
        return nothing(model)
    used, *others = present
    for other in others:
        if other.objects[0].content != used.objects[0].content:
            other_key, used_key = (rope.objects[0].prefix.rstrip(".") for rope in (other, used))
            collected.add(warnings.BOTH_OBJECTS, key=other_key, used=used_key)
    return used


def nothing(model: Lookup) -> Lookup:
    """An object without keys."""
    return replace(model, objects=(ConfigObject("", {}),))
