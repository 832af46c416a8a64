"""The ``config.json`` of a model as plain checked data: how its heads are rotated, and warnings.

Old files hold ``rope_scaling`` beside ``rope_theta``. Since version 5 of transformers one object,
``rope_parameters``, holds everything, in some models once for each layer type.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.bounds import refuse_many_coordinates, refuse_many_keys
from rope_cli.scaling.file_formats import HUGGING_FACE, read_format
from rope_cli.scaling.json_files import ConfigObject, ConfigValue, Lookup, read_object
from rope_cli.scaling.key_names import (
    BASE_NAMES,
    CONTEXT_NAMES,
    GROUPS,
    HEAD_WIDTH_NAMES,
    HIDDEN_NAMES,
    LOCAL_BASE_NAMES,
    ORIGINAL,
    ROPE_OBJECTS,
    SHARE_NAMES,
)
from rope_cli.scaling.layer_objects import kinds_of_layers
from rope_cli.scaling.layers import Layer, LayerReader
from rope_cli.scaling.model_parts import choose_part
from rope_cli.scaling.model_types import (
    MULTIMODAL,
    NONE,
    ModelType,
    model_type_named,
    names_of_types,
    recorded_from,
    type_inside,
    unknown_type,
)
from rope_cli.scaling.rotated_layers import RotatedLayers, is_off, no_rotation, rotated_layers
from rope_cli.scaling.spelling import meant_name
from rope_cli.scaling.warnings import ConfigWarning, Warnings

# Keys of a model that concern rotation; others that begin in such a way are unknown.
KNOWN_NAMES = {name for group in GROUPS for name in group}
# Words in the names of keys that concern rotation.
WORDS = {"rope", "nope", "rotary", "mrope"}
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
    if part and facts.known and renamed.format == HUGGING_FACE:
        model = part_alone(model, part, collected)
    if facts.defaults:
        defaults = ConfigObject(f"{facts.name}.", facts.defaults, is_default=True)
        model = replace(model, objects=(*model.objects, defaults))
    refuse_many_keys(model, repeated)
    for key in repeated:
        collected.add(warnings.REPEATED_KEY, key=key)
    rotated = rotated_layers(model, facts)
    max_positions = context_length(model)
    layers = read_layers(model, facts, rotated, max_positions, collected)
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


def part_alone(model: Lookup, part: str, collected: Warnings) -> Lookup:
    """The part without what stands around it, which the code of a known type does not read."""
    inside = [found.prefix.startswith(f"{part}.") for found in model.objects]
    own, around = (
        replace(model, objects=tuple(itertools.compress(model.objects, chosen)))
        for chosen in (inside, [not each for each in inside])
    )
    for names in (BASE_NAMES, SHARE_NAMES, ROPE_OBJECTS, HEAD_WIDTH_NAMES, HIDDEN_NAMES):
        unread = around.find(*names)
        if unread is not None and own.find(*names) is None:
            collected.add(warnings.UNREAD_AROUND, key=unread.source, used=part)
    return own


def read_layers(
    model: Lookup,
    facts: ModelType,
    rotated: RotatedLayers,
    max_positions: ConfigValue,
    collected: Warnings,
) -> tuple[Layer, ...]:
    """The layers that rotate, by their types."""
    warn_of_unknown_keys(model, facts, collected)
    kinds = tuple(kinds_of_layers(model, facts, rotated, collected))
    alone = len(kinds) == 1
    layers = tuple(
        LayerReader(name, model, rope, facts, kind, alone, max_positions, collected).layer()
        for name, rope, kind in kinds
    )
    if not layers:
        raise no_rotation(model, "layer_types", ", ".join(rotated.unrotated))
    refuse_many_coordinates(model, layers)
    return layers


def facts_of_model(model: Lookup, part: str, file_format: str, collected: Warnings) -> ModelType:
    """What is known of the type that the file names; warn if nothing is.

    The language model in a model of several parts need not name its own type.
    """
    named = model.find("model_type")
    name = named.value if named and isinstance(named.value, str) else ""
    if file_format != HUGGING_FACE:
        return unknown_type(name, format_says_all=True)
    if named and part and named.source != f"{part}.model_type":
        around = named.source.rpartition(".")[0]
        for key in part.removeprefix(around).strip(".").split("."):
            name = type_inside(name, key)
    facts = model_type_named(name)
    rope = model.find("rope")
    if facts.rotation == NONE and rope and rope.value is True:
        facts = unknown_type(name)  # MPT, of which transformers knows only models without RoPE
    if not part and name and facts.name != name:
        collected.add(warnings.MODEL_AT_TOP, key="model_type", value=name, used=facts.name)
    if facts.rotation == MULTIMODAL:
        collected.add(warnings.TEXT_ONLY, key="model_type")
    if not facts.known and name:
        meant = meant_name(name, names_of_types())
        more = {} if meant is None else {"meant": meant}
        kind = warnings.MISSPELLED_TYPE if meant else warnings.UNKNOWN_TYPE
        collected.add(kind, key="model_type", value=name, used=recorded_from(), **more)
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
    positions_given = model.number(ranges.POSITIONS, *CONTEXT_NAMES)
    if positions_given:
        return positions_given
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
    read = keys_read(facts)
    in_file = replace(model, objects=tuple(own for own in model.objects if not own.is_default))
    missing = [name for group in GROUPS if not in_file.find(*group) for name in group]
    for prefix, content, is_default in model.objects:
        for key, value in () if is_default else content.items():
            if value in (None, []) or key in read or (key == "rope" and value is True):
                continue
            if key == "use_logn_attn" and value is True:
                collected.add(warnings.SCALED_QUERIES, key=prefix + key)
            if key in OWN_KEYS:
                raise model.bad_value(ConfigValue(value, prefix + key), OWN_KEYS[key])
            concerns = WORDS & {*key.split("_")} or meant_name(key, missing)
            if facts.known and key in KEYS_OF_TYPES:
                collected.add(warnings.UNREAD_BY_TYPE, key=prefix + key, used=facts.name)
            elif key not in KNOWN_NAMES and concerns:
                collected.add_unknown(prefix, key, missing)


def keys_read(facts: ModelType) -> set[str]:
    """The keys of a model that the code of its type reads, apart from those that all types read."""
    kinds = [kind for kind in facts.kinds.values() if kind]
    read = {key for kind in kinds for key in (*kind.bases, *kind.shares, *kind.widths)}
    read |= {"rope_ratio"} if facts.rope_ratio else set()
    rule = [facts.rotated.get(name) for name in ("flags", "interval", "key", "if")]
    flags = FLAGS if not facts.known else [key for key in rule if key]
    return read | {*LATENT_WIDTHS, *flags}


LATENT_WIDTHS = "qk_rope_head_dim", "qk_nope_head_dim"
FLAGS = "no_rope_layers", "no_rope_layer_interval"
# Keys that some types read. The code of transformers moves the first name of the share for all.
KEYS_OF_TYPES = {
    *(*BASE_NAMES, *LOCAL_BASE_NAMES, *SHARE_NAMES[1:], *FLAGS),
    *("rotary_dim", "swa_rope_theta", "compress_rope_theta", "use_mem_rope"),
}
OWN_KEYS = {"layer_rope_theta": ranges.NO_BASE_PER_LAYER}
