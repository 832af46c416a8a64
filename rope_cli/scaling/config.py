"""The ``config.json`` of a model as plain checked data: how its heads are rotated, and warnings.

Old files hold ``rope_scaling`` beside ``rope_theta``. Since version 5 of transformers one object,
``rope_parameters``, holds everything, in some models once for each layer type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    SHARE_NAMES,
)
from rope_cli.scaling.layers import Layer, LayerReader
from rope_cli.scaling.methods import COMMON_KEYS, KNOWN_KEYS
from rope_cli.scaling.model_parts import choose_part
from rope_cli.scaling.model_types import (
    LayerKind,
    ModelType,
    model_type_named,
    recorded_from,
    type_inside,
    unknown_type,
)
from rope_cli.scaling.rotated_layers import RotatedLayers, is_off, rotated_layers
from rope_cli.scaling.spelling import meant_name
from rope_cli.scaling.warnings import ConfigWarning, Warnings

# Keys of a model that concern rotation; others that begin in such a way are unknown.
KNOWN_NAMES = {name for group in GROUPS for name in group}
BEGINNINGS = "rope", "rotary"
ROPE_KEYS = {*COMMON_KEYS, *KNOWN_KEYS}
SLIDING_BASE_NAMES = (*LOCAL_BASE_NAMES, *BASE_NAMES)
MOST_LAYER_TYPES = 64
# A round number that no model is known by.
ASSUMED_POSITIONS = 4096


@dataclass(frozen=True)
class ModelConfig:
    """What a config says about rotation, with one :class:`Layer` for each type of layers.

    ``max_positions`` is the number of positions of the model. ``format`` is the name of the format
    of the file, and ``part`` leads to the object that the model was read from, if not the whole.
    ``facts`` is what is known of the type of the model, ``layout`` which coordinates its code
    pairs, ``rotated`` which layers rotate, and ``window`` how many positions its sliding layers
    see; ``None`` stands for a layout that is not known and for no window.
    """

    path: str
    model_type: str
    max_positions: ConfigValue
    layers: tuple[Layer, ...]
    warnings: tuple[ConfigWarning, ...]
    facts: ModelType
    rotated: RotatedLayers
    layout: str | None = None
    window: int | None = None
    format: str = HUGGING_FACE
    part: str = ""


def read_config(path: str, part: str | None = None) -> ModelConfig:
    """Read and check a file, or one ``part`` of it, the keys to an object inside.

    Raises ``CannotRead``, ``BadConfigValue``, ``MissingConfigKey``, ``UnknownPart``, ``NoModel``,
    :class:`NoRotation`, :class:`OtherRotation`, and ``UnsupportedScaling`` for M-RoPE, axial
    rotation and unknown methods.
    """
    content, repeated = read_object(path)
    collected = Warnings()
    renamed = read_format(path, content, collected)
    model, part = choose_part(renamed.lookup(), part, collected)
    facts = facts_of_model(model, part, renamed.format, collected)
    if facts.defaults:
        defaults = ConfigObject(f"{facts.name}.", facts.defaults, is_default=True)
        model = replace(model, objects=(*model.objects, defaults))
    refuse_many_keys(model, repeated)
    for key in repeated:
        collected.add(warnings.REPEATED_KEY, key=key)
    rotated = rotated_layers(model, facts)
    max_positions = context_length(model)
    warn_of_unknown_keys(model, facts, collected)
    kinds = tuple(kinds_of_layers(model, facts, rotated, collected))
    layers = tuple(
        LayerReader(
            name, model, rope, facts, kind, len(kinds) == 1, max_positions, collected
        ).layer()
        for name, rope, kind in kinds
    )
    refuse_many_coordinates(model, layers)
    return ModelConfig(
        path=path,
        model_type=facts.name,
        max_positions=max_positions,
        layers=layers,
        warnings=tuple(collected),
        facts=facts,
        rotated=rotated,
        layout=layout(model, facts, renamed.format),
        window=sliding_window(model, facts, rotated),
        format=renamed.format,
        part=part,
    )


def facts_of_model(model: Lookup, part: str, file_format: str, collected: Warnings) -> ModelType:
    """What is known of the type that the file names; warn if nothing is.

    The language model in a model of several parts need not name its own type.
    """
    given = model.find("model_type")
    name = given.value if given and isinstance(given.value, str) else ""
    if file_format != HUGGING_FACE:
        return unknown_type(name, format_says_all=True)
    if given and part and given.source != f"{part}.model_type":
        around = given.source.rpartition(".")[0]
        for key in part.removeprefix(around).strip(".").split("."):
            name = type_inside(name, key)
    facts = model_type_named(name)
    if not facts.known and name:
        collected.add(warnings.UNKNOWN_TYPE, key="model_type", value=name, used=recorded_from())
    elif not facts.known:
        collected.add(warnings.NO_TYPE, key="model_type")
    return facts


def layout(model: Lookup, facts: ModelType, file_format: str) -> str | None:
    """Which coordinates the code pairs: that of the type, or that of the format's own code."""
    interleave = model.find("rope_interleave")
    if interleave and interleave.value is False and "rope_interleave" in facts.defaults:
        return HALF_SPLIT
    return facts.layout or LAYOUT_OF_FORMAT.get(file_format)


HALF_SPLIT = "half-split"
LAYOUT_OF_FORMAT = {"mistral": "adjacent", "meta": "adjacent", "openai": HALF_SPLIT}


def sliding_window(model: Lookup, facts: ModelType, rotated: RotatedLayers) -> int | None:
    """How many positions sliding layers see, if the model is known to have such layers."""
    listed = any("sliding" in name for name in rotated.counts)
    named = {name or "" for name in facts.kinds} | {*(rotated.types or ())}
    by_type = not rotated.counts and any("sliding" in name for name in named)
    window, used = model.find("sliding_window"), model.find("use_sliding_window")
    if is_off(model, "sliding_window") or window is None or type(window.value) is not int:
        return None
    unused = used is not None and used.value is False
    in_file = not (window.is_default or rotated.counts or unused)
    return window.value if listed or by_type or in_file else None


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


def warn_of_unknown_keys(model: Lookup, facts: ModelType, collected: Warnings) -> None:
    """Warn of keys that seem to concern rotation and are not read."""
    kinds = [kind for kind in facts.kinds.values() if kind]
    read = {key for kind in kinds for key in (*kind.bases, *kind.shares)}
    read |= {"rope_ratio"} if facts.rope_ratio else set()
    given = replace(model, objects=tuple(own for own in model.objects if not own.is_default))
    missing = [name for group in GROUPS if not given.find(*group) for name in group]
    for prefix, content, is_default in model.objects:
        for key, value in () if is_default else content.items():
            if value is None or key in read:
                continue
            if key == "use_logn_attn" and value is True:
                collected.add(warnings.SCALED_QUERIES, key=prefix + key)
            if key in OWN_KEYS:
                raise model.bad_value(ConfigValue(value, prefix + key), OWN_KEYS[key])
            concerns = key.startswith(BEGINNINGS) or meant_name(key, missing)
            if facts.known and key in KEYS_OF_TYPES:
                collected.add(warnings.UNREAD_BY_TYPE, key=prefix + key, used=facts.name)
            elif key not in KNOWN_NAMES and concerns:
                collected.add_unknown(prefix, key, missing)


# Keys that some types read. The code of transformers moves the first name of the share for all.
KEYS_OF_TYPES = {*BASE_NAMES, *LOCAL_BASE_NAMES, *SHARE_NAMES[1:], "rotary_dim"}
OWN_KEYS = {"layer_rope_theta": ranges.NO_BASE_PER_LAYER}
Kind = tuple[str | None, Lookup, LayerKind]  # name of the layers, object, what they read


def kinds_of_layers(
    model: Lookup, facts: ModelType, rotated: RotatedLayers, collected: Warnings
) -> Iterator[Kind]:
    """Each type of layers with the object that says how to scale it."""
    rope = rope_object(model, collected)
    by_type = objects_by_type(model, rope, facts)
    if by_type:
        yield from nested_kinds(model, rope, by_type, facts, rotated, collected)
    elif not facts.known and model.find(*LOCAL_BASE_NAMES):
        kind = facts.only_kind
        yield "full_attention", rope, replace(kind, bases=BASE_NAMES)
        yield "sliding_attention", nothing(model), replace(kind, bases=SLIDING_BASE_NAMES)
    else:
        warn_of_unread_object(rope, facts, collected)
        for name, own in facts.kinds.items():
            if own and (name is None or not rotated.counts or name in rotated.counts):
                first = rotated.types[0] if rotated.types else None
                yield name or first, object_for(model, rope, facts, own), own


def object_for(model: Lookup, rope: Lookup, facts: ModelType, kind: LayerKind) -> Lookup:
    """One object for the whole model where it counts for these layers, else what the type takes."""
    prefix, content, _ = rope.objects[0]
    if content and name_of(prefix) in kind.objects:
        read = content if kind.base_in_object else without_base(content)
        own = ConfigObject(prefix, read)
        return replace(rope, objects=(own, default_part(facts, kind.in_rope)))
    return replace(model, objects=(default_part(facts, kind.rope),))


def without_base(content: Mapping[str, Any]) -> dict[str, Any]:
    """An object without the base, which is not that of these layers."""
    return {key: value for key, value in content.items() if key != BASE_NAMES[0]}


def default_part(facts: ModelType, content: Mapping[str, Any]) -> ConfigObject:
    """What a type takes where the file has no object, or where an object leaves something out."""
    return ConfigObject(f"{facts.name}.rope_parameters.", content, is_default=True)


def warn_of_unread_object(rope: Lookup, facts: ModelType, collected: Warnings) -> None:
    """Warn of an object that the code of the type reads for no layers, or by another name."""
    prefix, content, _ = rope.objects[0]
    kinds = [kind for kind in facts.kinds.values() if kind]
    if not content or not facts.known:
        return
    readers = [kind for kind in kinds if name_of(prefix) in kind.objects]
    if BASE_NAMES[0] in content and not all(kind.base_in_object for kind in readers):
        collected.add(warnings.UNREAD_BY_TYPE, key=prefix + BASE_NAMES[0], used=facts.name)
    if not readers:
        collected.add(warnings.UNREAD_BY_TYPE, key=prefix.rstrip("."), used=facts.name)
    elif not readers[0].old_name and "rope_type" not in content and "type" in content:
        collected.add(warnings.OLD_NAME_UNREAD, key=f"{prefix}type", used=facts.name)


def name_of(prefix: str) -> str:
    """The last key of those that lead to an object."""
    return prefix.rstrip(".").rpartition(".")[2]


def objects_by_type(model: Lookup, rope: Lookup, facts: ModelType) -> dict[str, Any]:
    """The objects for single types of layers; empty if there is one for all."""
    prefix, content, _ = rope.objects[0]
    by_type = {
        key: value
        for key, value in content.items()
        if isinstance(value, dict) and key not in ROPE_KEYS
    }
    if len(by_type) > MOST_LAYER_TYPES:
        size = ConfigValue(len(by_type), f"len({prefix.rstrip('.')})")
        raise model.bad_value(size, ranges.FEW_LAYER_TYPES)
    named = by_type.keys() & facts.kinds.keys()
    return by_type if named or not content.keys() & {"rope_type", "type"} else {}


def nested_kinds(
    model: Lookup,
    rope: Lookup,
    by_type: Mapping[str, Any],
    facts: ModelType,
    rotated: RotatedLayers,
    collected: Warnings,
) -> Iterator[Kind]:
    """The types of layers of a file with an object for each."""
    prefix, content, _ = rope.objects[0]
    for key, value in content.items():
        if value is None:
            collected.add(warnings.UNROTATED_LAYER_TYPE, key=prefix + key)
        elif key not in by_type:
            collected.add_unknown(prefix, key, ())
    whole = {"rope_theta", "partial_rotary_factor"}
    complete = by_type.keys() >= facts.kinds.keys() and all(
        whole <= value.keys() for value in by_type.values()
    )
    if not (facts.only_kind.base_in_object or complete):
        collected.add(warnings.INCOMPLETE_OBJECTS, key=prefix.rstrip("."), used=facts.name)
    for key, value in by_type.items():
        kind = facts.kinds.get(key) or facts.only_kind
        if not facts.known and key == "sliding_attention":
            kind = replace(kind, bases=SLIDING_BASE_NAMES)
        yield key, replace(rope, objects=(ConfigObject(f"{prefix}{key}.", value),)), kind
    for name, own in facts.kinds.items():
        listed = not rotated.counts or name in rotated.counts
        if name is not None and own and name not in content and listed:
            yield name, replace(model, objects=(default_part(facts, own.rope),)), own


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
