"""How much a config may ask for: keys, rotated coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rope_cli.scaling import ranges
from rope_cli.scaling.json_files import ConfigValue, Lookup
from rope_cli.scaling.key_names import ROPE_OBJECTS
from rope_cli.scaling.layers import Layer

# Real models have tens of keys, and heads of a few hundred coordinates in two or three types.
MOST_KEYS = 1024
MOST_COORDINATES = 2**17


def refuse_many_keys(model: Lookup, repeated: Sequence[str]) -> None:
    """Refuse a config with more keys than a report can name. Raises ``BadConfigValue``."""
    counts = {"repeated keys": len(repeated)}
    for prefix, content, _ in model.objects:
        counts[prefix.rstrip(".") or "config"] = len(content)
        for name in ROPE_OBJECTS:
            counts[prefix + name] = count_keys(content.get(name))
    for place, count in counts.items():
        if count > MOST_KEYS:
            raise model.bad_value(ConfigValue(count, f"len({place})"), ranges.FEW_KEYS)


def count_keys(value: Any) -> int:
    """The keys of an object and of the objects inside it."""
    if not isinstance(value, Mapping):
        return 0
    return len(value) + sum(map(count_keys, value.values()))


def refuse_many_coordinates(model: Lookup, layers: Sequence[Layer]) -> None:
    """Refuse heads so wide, in so many types of layers. Raises ``BadConfigValue``."""
    together = sum(layer.rotary_width.value for layer in layers)
    if together > MOST_COORDINATES:
        head = layers[0].head_width.source
        size = ConfigValue(together, f"{head} × {len(layers)}")
        raise model.bad_value(size, ranges.FEW_COORDINATES)
