"""Which object of a config says how the layers of each type rotate.

Old files hold ``rope_scaling``, new ones ``rope_parameters``, for the whole model or once for each
type of layers; the code of a model type may read one object for some of its layers only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.json_files import ConfigObject, ConfigValue, Lookup
from rope_cli.scaling.key_names import BASE_NAMES, LOCAL_BASE_NAMES, ROPE_OBJECTS
from rope_cli.scaling.methods import COMMON_KEYS, KNOWN_KEYS
from rope_cli.scaling.model_types import LayerKind, ModelType
from rope_cli.scaling.rotated_layers import RotatedLayers
from rope_cli.scaling.warnings import Warnings

ROPE_KEYS = {*COMMON_KEYS, *KNOWN_KEYS}
SLIDING_BASE_NAMES = (*LOCAL_BASE_NAMES, *BASE_NAMES)
MOST_LAYER_TYPES = 64
# What an object may hold although it is of the model, not of its scaling.
OF_THE_MODEL = ("rope_theta", "partial_rotary_factor")
# Which transformers looks for outside the objects for each kind of layers.
TRUNCATE = "truncate"
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
        first = rotated.types[0] if rotated.types else None
        for name, kind in listed_kinds(facts, rotated):
            yield name or first, object_for(model, rope, facts, kind), kind


def listed_kinds(
    facts: ModelType, rotated: RotatedLayers
) -> Iterator[tuple[str | None, LayerKind]]:
    """The rotating kinds of layers that the file lists; all of them if it lists none of them."""
    listed = facts.kinds.keys() & rotated.counts.keys()
    for name, kind in facts.kinds.items():
        if kind and (not listed or name in listed):
            yield name, kind


def object_for(model: Lookup, rope: Lookup, facts: ModelType, kind: LayerKind) -> Lookup:
    """One object for the whole model where it counts for these layers, else what the type takes."""
    prefix, content, _ = rope.objects[0]
    if content and name_of(prefix) in kind.objects:
        unread = unread_keys(facts, kind)
        read = {key: value for key, value in content.items() if key not in unread}
        own = ConfigObject(prefix, read)
        return replace(rope, objects=(own, default_part(facts, kind.in_rope)))
    return replace(model, objects=(default_part(facts, kind.rope),))


def unread_keys(facts: ModelType, kind: LayerKind) -> list[str]:
    """The keys that these layers do not take from one object for the whole model."""
    unread = [] if kind.base_in_object else [*OF_THE_MODEL]
    # Where there are several kinds of layers, transformers copies the object for each.
    return unread if None in facts.kinds else [*unread, TRUNCATE]


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
    for key in dict.fromkeys(key for kind in readers for key in unread_keys(facts, kind)):
        if key in content:
            collected.add(warnings.UNREAD_BY_TYPE, key=prefix + key, used=facts.name)
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
    complete = by_type.keys() >= facts.kinds.keys() and all(
        value.keys() >= {*OF_THE_MODEL} for value in by_type.values()
    )
    if not (facts.only_kind.base_in_object or complete):
        collected.add(warnings.INCOMPLETE_OBJECTS, key=prefix.rstrip("."), used=facts.name)
    for key, value in by_type.items():
        if key in rotated.unrotated:
            continue
        if facts.known and TRUNCATE in value:
            collected.add(warnings.UNREAD_BY_TYPE, key=f"{prefix}{key}.{TRUNCATE}", used=facts.name)
            value = {name: own for name, own in value.items() if name != TRUNCATE}
        kind = facts.kinds.get(key) or facts.only_kind
        if not facts.known and key == "sliding_attention":
            kind = replace(kind, bases=SLIDING_BASE_NAMES)
        yield key, replace(rope, objects=(ConfigObject(f"{prefix}{key}.", value),)), kind
    for name, kind in listed_kinds(facts, rotated):
        if name is not None and name not in content:
            yield name, replace(model, objects=(default_part(facts, kind.rope),)), kind


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
