"""Which layers of a model rotate, by the rule of its type and the keys of its file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from rope_cli.document.vocabulary import t
from rope_cli.scaling.json_files import Lookup, format_key, format_value
from rope_cli.scaling.key_names import ROPE_OBJECTS
from rope_cli.scaling.model_types import MULTIMODAL, NONE, PLAIN, ModelType
from rope_cli.user_input.command_errors import CommandRefusal, quoted, quoted_path

LAYER_LISTS = "layer_types", "layers_block_type"
POSITION_TYPE = "position_embedding_type"
ROTARY_VALUES = "rope", "rotary", "rotary_embedding"
WITHOUT_ATTENTION = "linear", "mamba", "conv", "recurrent", "moe", "mlp"
MOST_LAYERS = 4096


class NoRotation(CommandRefusal):
    """A config of a model that rotates nothing."""

    kind = "no-rotation"
    SENTENCE = t(
        "{path}: {key} is {value}, and the layers of such a model rotate nothing; accepted: the "
        "config of a model with rotary position embedding",
        "{path}: {key}: {value}; в слоях такой модели ничего не поворачивается; допустимо: "
        "конфигурация модели с ротационным кодированием",
    )


class OtherRotation(CommandRefusal):
    """A config of a model that rotates in a way that this report does not compute."""

    kind = "unsupported-rotation"
    SENTENCE = t(
        "{path}: {key} is {value}, whose rotation is {rotation}, which is not computed here; "
        "accepted: a model with one position for each token",
        "{path}: {key}: {value}; такая модель поворачивает пары иначе ({rotation}), здесь это не "
        "вычисляется; допустимо: модель с одной позицией на токен",
    )


ROTATIONS = {
    "axial": t("axial (rows and columns of an image)", "осевой поворот по строкам и столбцам"),
    "a rule of its own": t("a rule of its own", "по собственному правилу"),
}


@dataclass(frozen=True)
class RotatedLayers:
    """The layers of a model by their types.

    ``types`` are the types that rotate, ``None`` if the rule names none; ``counts`` how many
    layers of each type there are, as far as the file says; ``unrotated`` the types without
    rotation. Where flags tell layers apart, ``flagged`` says how many of how many do not rotate,
    and ``interval`` that the last of so many does not.
    """

    types: tuple[str, ...] | None
    counts: dict[str, int]
    unrotated: tuple[str, ...]
    flagged: tuple[int, int] | None
    interval: int | None


def rotated_layers(model: Lookup, model_type: ModelType) -> RotatedLayers:
    """Which layers rotate. Raises :class:`NoRotation` and :class:`OtherRotation`."""
    refuse_type(model, model_type)
    refuse_by_keys(model, model_type)
    counts = counts_of_types(model)
    rule = model_type.rotated
    types: tuple[str, ...] | None = None
    if "layer_types" in rule and not ("if" in rule and is_off(model, rule["if"])):
        types = tuple(rule["layer_types"])
        if counts and not set(types) & set(counts):
            raise no_rotation(model, LAYER_LISTS[0], ", ".join(counts))
    still = {kind for kind, own in model_type.kinds.items() if kind is not None and own is None}
    still |= {name for name in counts if any(part in name for part in WITHOUT_ATTENTION)}
    if types is not None:
        others = set(counts) or {"full_attention", "sliding_attention"}
        still |= others - set(types)
    return RotatedLayers(types, counts, tuple(sorted(still)), *flagged(model, model_type))


def refuse_type(model: Lookup, model_type: ModelType) -> None:
    """Refuse a type that rotates nothing, or in another way."""
    if model_type.rotation == NONE:
        raise no_rotation(model, "model_type", model_type.name)
    rotation = model_type.rotation
    if rotation == MULTIMODAL:
        rotation = "axial" if asks_for_axial(model) else PLAIN
    if rotation != PLAIN:
        raise OtherRotation(
            path=quoted_path(model.path),
            key="model_type",
            value=quoted(model_type.name),
            rotation=ROTATIONS[rotation],
        )


def asks_for_axial(model: Lookup) -> bool:
    """Whether the file itself asks for the rotation of images."""
    ropes = [model.find(name) for name in ROPE_OBJECTS]
    return any(
        isinstance(rope.value, dict) and rope.value.get("rope_type") == "axial"
        for rope in ropes
        if rope
    )


def refuse_by_keys(model: Lookup, model_type: ModelType) -> None:
    """Refuse a model whose own keys say that it rotates nothing."""
    rule = model_type.rotated
    position_type, alibi = model.find(POSITION_TYPE), model.find("alibi")
    if alibi and alibi.value is True:
        raise no_rotation(model, alibi.source, True)
    if "key" in rule:
        key = model.find(rule["key"])
        value = None if key is None else key.value
        if value != rule["value"] and not (rule["value"] is False and value is None):
            raise no_rotation(model, key.source if key else rule["key"], value)
    elif position_type and not model_type.known and position_type.value not in ROTARY_VALUES:
        raise no_rotation(model, position_type.source, position_type.value)


def no_rotation(model: Lookup, key: str, value: Any) -> NoRotation:
    """The refusal of a model without rotation."""
    return NoRotation(path=quoted_path(model.path), key=format_key(key), value=format_value(value))


def is_off(model: Lookup, key: str) -> bool:
    """Whether a key is 0, false or null in the file, or is in neither file nor defaults."""
    for _, content, _ in model.objects:
        if key in content:
            return not content[key]
    return True


def counts_of_types(model: Lookup) -> dict[str, int]:
    """How many layers of each type the file lists."""
    ratios = model.find("compress_ratios")
    if ratios and isinstance(ratios.value, list):
        kinds = ("compress" if ratio else "main" for ratio in ratios.value[:MOST_LAYERS])
        return dict(Counter(kinds))
    types = model.find(*LAYER_LISTS)
    if types is None or not isinstance(types.value, list):
        return {}
    return dict(Counter(name for name in types.value[:MOST_LAYERS] if isinstance(name, str)))


def flagged(model: Lookup, model_type: ModelType) -> tuple[tuple[int, int] | None, int | None]:
    """How many layers of how many have no rotation, or which interval lies between them."""
    rule = model_type.rotated
    if "flags" not in rule and model_type.known:
        return None, None
    flags = model.find(rule.get("flags", "no_rope_layers"))
    if flags and isinstance(flags.value, list) and flags.value:
        still = sum(not flag for flag in flags.value)
        if still == len(flags.value):
            raise no_rotation(model, flags.source, 0)
        return ((still, len(flags.value)) if still else None), None
    interval = model.find(rule.get("interval", "no_rope_layer_interval"))
    if interval and type(interval.value) is int and interval.value > 0:
        if interval.value == 1:
            raise no_rotation(model, interval.source, 1)
        return None, interval.value
    return None, None
