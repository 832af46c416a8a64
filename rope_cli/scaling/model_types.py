"""What is known of each model type: whether it rotates, by which keys, and what it assumes.

``model_types.json`` holds it, written by ``tools/record_model_types.py`` from the code of
transformers. A type that is not there is said to be unknown, and what is assumed of it is said too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rope_cli.scaling.key_names import BASE_NAMES, HEAD_WIDTH_NAMES, ROPE_OBJECTS, SHARE_NAMES

QUOTIENT = "hidden_size / num_attention_heads"
TWICE_QUOTIENT = f"2 * {QUOTIENT}"
PLAIN, NONE, MULTIMODAL = "plain", "none", "multimodal"
STANDARD_BASE = 10000.0
# How deeply models of several parts are nested.
DEEPEST = 4
ROTARY_DIM, LATENT_WIDTH = "rotary_dim", "qk_rope_head_dim"
UNKNOWN_WIDTHS = LATENT_WIDTH, *HEAD_WIDTH_NAMES, "attention_head_dim", "kv_channels", QUOTIENT


@dataclass(frozen=True)
class LayerKind:
    """What the code of a model type reads for one kind of its layers.

    ``bases``, ``shares`` and ``widths`` are the keys that it reads, the first found counting;
    ``base`` and ``share`` stand in for missing ones (``scaled_share`` where an object scales),
    ``rope`` for a missing object and ``in_rope`` for what an object leaves out. A share in the
    object is read if ``share_in_rope``, one beside an object that scales if ``share_if_scaled``,
    and the object's ``type`` if ``old_name``. ``objects`` are the names of objects for the whole
    model that count for these layers, and their base and share do too if ``base_in_object``.
    """

    bases: tuple[str, ...]
    shares: tuple[str, ...]
    widths: tuple[str, ...]
    base: float
    share: float
    scaled_share: float
    share_in_rope: bool
    share_if_scaled: bool
    rope: Mapping[str, Any]
    in_rope: Mapping[str, Any]
    objects: tuple[str, ...]
    old_name: bool
    base_in_object: bool


@dataclass(frozen=True)
class ModelType:
    """A model type: ``rotation`` is plain, none, or the name of another kind of rotation.

    Multimodal rotation is plain for text.

    ``kinds`` are its layers by name, ``None`` if they do not rotate; the only kind of most types
    has the name ``None``. ``defaults`` stand in for keys that a file leaves out. ``rotated`` is the
    rule that says which layers rotate, empty if all do. ``rope_ratio`` if that key multiplies the
    base, ``doubling`` if dynamic scaling grows in steps. ``last`` if the rotated part of a head is
    its last, not its first. ``known`` if the type is in the table.
    """

    name: str
    known: bool
    rotation: str
    layout: str | None
    kinds: Mapping[str | None, LayerKind | None]
    defaults: Mapping[str, Any]
    rotated: Mapping[str, Any]
    rope_ratio: bool = False
    doubling: bool = False
    last: bool = False

    @property
    def only_kind(self) -> LayerKind:
        """The only kind of layers, or the first that rotates."""
        return self.kinds.get(None) or next(kind for kind in self.kinds.values() if kind)


@cache
def table() -> dict[str, Any]:
    """The table as it was recorded."""
    text = files("rope_cli.scaling").joinpath("model_types.json").read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def recorded_from() -> str:
    """The library whose code the table describes, and its version."""
    return str(table()["recorded from"])


def names_of_types() -> list[str]:
    """The names of all types in the table."""
    content = table()
    return [*content["types"], *content["elsewhere"], *content["without rotation"]]


def type_inside(name: str, key: str) -> str:
    """The type of the model under a key of a type that consists of several, or an empty name."""
    inside = (facts_of(name) or {}).get("inside") or ("", "")
    return str(inside[1]) if inside[0] == key else ""


def model_type_named(name: str) -> ModelType:
    """What is known of a type; of one that consists of others, of its language model."""
    facts = facts_of(name)
    for _ in range(DEEPEST):
        inside = facts.get("inside") if facts else None
        if not inside:
            break
        name = inside[1]
        facts = facts_of(name)
    if facts is None:
        return unknown_type(name)
    facts = table()["usual"] | facts
    if facts["layers"]:
        kinds: dict[str | None, LayerKind | None] = {
            kind: None if own is None else layer_kind(table()["usual"] | own)
            for kind, own in facts["layers"].items()
        }
    else:
        kinds = {None: layer_kind(facts)}
    return ModelType(
        name=name,
        known=True,
        rotation=facts["rotation"],
        layout=facts["layout"],
        kinds=kinds,
        defaults=facts["defaults"],
        rotated=facts["rotated"],
        rope_ratio=bool(facts.get("rope_ratio")),
        doubling=bool(facts.get("doubling")),
        last=facts["rotated part"] == "last",
    )


def facts_of(name: str) -> dict[str, Any] | None:
    """What the table says of a type, or ``None``."""
    content = table()
    if name in content["without rotation"]:
        return {"rotation": NONE, "defaults": {}}
    facts: dict[str, Any] | None = content["types"].get(name) or content["elsewhere"].get(name)
    return facts


def layer_kind(facts: Mapping[str, Any]) -> LayerKind:
    """One kind of layers from its facts."""
    return LayerKind(
        bases=tuple(facts["bases"]),
        shares=tuple(facts["shares"]),
        widths=tuple(facts["widths"]),
        base=float(facts["base"]),
        share=float(facts["share"]),
        scaled_share=float(facts["scaled share"] or facts["share"]),
        share_in_rope=facts["share in rope"],
        share_if_scaled=facts["share if scaled"],
        rope=facts["rope"],
        in_rope=facts["in rope"],
        objects=tuple(facts["objects"]),
        old_name=facts["old name"],
        base_in_object=facts["base in object"],
    )


def unknown_type(name: str, format_says_all: bool = False) -> ModelType:
    """A type of which nothing is known: every name that any type uses is read.

    ``format_says_all`` if the format of the file leaves nothing to the code of its type.
    """
    kind = LayerKind(
        bases=BASE_NAMES,
        shares=(*SHARE_NAMES, ROTARY_DIM),
        widths=UNKNOWN_WIDTHS,
        base=STANDARD_BASE,
        share=1.0,
        scaled_share=1.0,
        share_in_rope=True,
        share_if_scaled=True,
        rope={},
        in_rope={},
        objects=ROPE_OBJECTS,
        old_name=True,
        base_in_object=True,
    )
    return ModelType(name, format_says_all, PLAIN, None, {None: kind}, {}, {})
