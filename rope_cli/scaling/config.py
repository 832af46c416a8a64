"""The ``config.json`` of a model as plain checked data: how its heads are rotated, and what is odd.

Old files hold ``rope_scaling`` beside ``rope_theta``; since version 5 of transformers one object,
``rope_parameters``, holds everything, at times once for each layer type. Nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rope_cli.scaling import messages
from rope_cli.scaling.json_files import Keys, Level, Read, read_object
from rope_cli.scaling.layers import BASE_NAMES, LOCAL_BASE_NAMES, Layer, LayerReader
from rope_cli.scaling.methods import COMMON_KEYS, KNOWN_KEYS, ORIGINAL
from rope_cli.scaling.warnings import Note, Notes

MAXIMUM_NAMES = "max_position_embeddings", "n_positions", "seq_length"
OBJECTS = "rope_scaling", "rope_parameters"
# Keys of a model that concern rotation; another one with such a beginning is not known to us.
TOP_KEYS = {
    *BASE_NAMES,
    *LOCAL_BASE_NAMES,
    *OBJECTS,
    *("partial_rotary_factor", "rotary_dim", "rotary_pct", "rope_interleave", ORIGINAL),
}
BEGINNINGS = "rope", "rotary"
UNROTATED_KEYS = "no_rope_layers", "no_rope_layer_interval"
# Models whose positions are added, learned or put into the scores as distances.
WITHOUT_ROTATION = {"albert", "bart", "bert", "bloom", "gpt2", "mpt", "opt", "roberta", "t5"}
READ_KEYS = {*COMMON_KEYS, *KNOWN_KEYS}
SLIDING_BASE_NAMES = (*LOCAL_BASE_NAMES, *BASE_NAMES)
MOST_LAYER_TYPES = 64
# What transformers takes for granted when the file of such a model leaves it out.
STANDARDS: dict[str, dict[str, Any]] = {
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
    """What a config says about rotation: one :class:`Layer` for each type of layers."""

    path: str
    model_type: str
    max_positions: Read
    layers: tuple[Layer, ...]
    notes: tuple[Note, ...]


def read_config(path: str) -> ModelConfig:
    """Read and check a file.

    Raises ``CannotRead``, ``BadConfigValue``, ``MissingConfigKey``, and ``UnsupportedScaling`` for
    M-RoPE, axial rotation and methods that nobody knows.
    """
    found, twice = read_object(path)
    notes = Notes()
    for key in twice:
        notes.add(messages.TWICE, key=key)
    keys = Keys(path, (Level("", found),))
    text = keys.within_object("text_config")
    keys = keys.below(text) if text else keys
    model = keys.find("model_type")
    model_type = model.value if model and isinstance(model.value, str) else ""
    if model_type in STANDARDS:
        standards = Level(f"{model_type}.", STANDARDS[model_type], standard=True)
        keys = Keys(path, (*keys.levels, standards))
    if model_type in WITHOUT_ROTATION:
        notes.add(messages.NO_ROTATION, key="model_type", value=model_type)
    maximum = keys.needed(messages.POSITIONS, *MAXIMUM_NAMES)
    warn_of_unknown_keys(keys, notes)
    layers = tuple(
        LayerReader(name, keys, rope, model_type, maximum, notes).layer(bases)
        for name, rope, bases in layer_types(keys, notes)
    )
    return ModelConfig(path, model_type, maximum, layers, tuple(notes))


def warn_of_unknown_keys(keys: Keys, notes: Notes) -> None:
    """Warn of each key that seems to concern rotation and that nobody here reads."""
    for level in keys.levels:
        for key in () if level.standard else level.found:
            if key.startswith(BEGINNINGS) and key not in TOP_KEYS:
                notes.add(messages.UNKNOWN, key=level.prefix + key)
            if key in UNROTATED_KEYS and level.found[key]:
                notes.add(messages.UNROTATED_LAYERS, key=level.prefix + key)
            if key == "alibi" and level.found[key] is True:
                notes.add(messages.NO_ROTATION, key=level.prefix + key, value=True)


def layer_types(
    keys: Keys, notes: Notes
) -> Iterator[tuple[str | None, Keys, tuple[str, ...]]]:  # name, object, names of its base
    """Each type of layers with the object that says how to scale it."""
    rope = scaling_object(keys, notes)
    prefix, found, _ = rope.levels[0]
    nested = {
        key: value
        for key, value in found.items()
        if isinstance(value, dict) and key not in READ_KEYS
    }
    if len(nested) > MOST_LAYER_TYPES:
        size = Read(len(nested), f"len({prefix.rstrip('.')})")
        raise keys.bad(size, messages.FEW_LAYER_TYPES)
    if nested and not found.keys() & {"rope_type", "type"}:
        for key, value in found.items():
            if value is None:
                notes.add(messages.UNROTATED, key=prefix + key)
            elif key not in nested:
                notes.add(messages.UNKNOWN, key=prefix + key)
        for key, value in nested.items():
            bases = SLIDING_BASE_NAMES if key == "sliding_attention" else BASE_NAMES
            yield key, Keys(keys.path, (Level(f"{prefix}{key}.", value),)), bases
    elif keys.find(*LOCAL_BASE_NAMES):
        yield "full_attention", rope, BASE_NAMES
        yield "sliding_attention", Keys(keys.path, (Level("", {}),)), SLIDING_BASE_NAMES
    else:
        yield None, rope, BASE_NAMES


def scaling_object(keys: Keys, notes: Notes) -> Keys:
    """The object that says how to scale, the old one before the new one; it may be empty."""
    given = [each for each in map(keys.within_object, OBJECTS) if each and each.levels[0].found]
    if not given:
        return Keys(keys.path, (Level("", {}),))
    chosen, *others = given
    for other in others:
        if other.levels[0].found != chosen.levels[0].found:
            key, used = (each.levels[0].prefix.rstrip(".") for each in (other, chosen))
            notes.add(messages.BOTH_OBJECTS, key=key, used=used)
    return chosen
