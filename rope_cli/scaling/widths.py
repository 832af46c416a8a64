"""How wide the heads of a model are, and how many coordinates of each rotate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.json_files import ConfigObject, ConfigValue, Lookup
from rope_cli.scaling.key_names import HEAD_COUNT_NAMES, HEAD_WIDTH_NAMES, HIDDEN_NAMES
from rope_cli.scaling.model_types import (
    LATENT_WIDTH,
    QUOTIENT,
    ROTARY_DIM,
    TWICE_QUOTIENT,
    LayerKind,
    ModelType,
)
from rope_cli.scaling.warnings import Warnings

# Keys that say in coordinates how much of a head rotates.
ROTARY_WIDTHS = ROTARY_DIM, LATENT_WIDTH
SHARE, UNROTATED_WIDTH = "partial_rotary_factor", "qk_nope_head_dim"


class HeadWidth(NamedTuple):
    """The coordinates that may rotate.

    ``quotient`` is the width that some code computes from hidden_size although the head has
    another; ``latent`` if these are the rotated part of multi-head latent attention, in which
    ``unrotated`` coordinates of a row lie before them.
    """

    width: ConfigValue
    quotient: int | None = None
    latent: bool = False
    unrotated: int | None = None


@dataclass(frozen=True)
class WidthReader:
    """Reads the widths of one type of layers; the fields are those of ``LayerReader``."""

    name: str | None
    model: Lookup
    model_type: ModelType
    kind: LayerKind
    warnings: Warnings

    def head(self) -> HeadWidth:
        """The width of a head, by the keys that the code of the type reads."""
        names = [name for name in self.kind.widths if name not in (QUOTIENT, TWICE_QUOTIENT)]
        width = width_of_layers(self.model, self.name, ["head_dim", *names])
        if width is None and names:
            width = self.model.number(ranges.WIDTH, *names)
            for name in names:
                if width:
                    self.warnings.add_contradiction(self.model.number(ranges.WIDTH, name), width)
        latent = self.model.find(LATENT_WIDTH) if LATENT_WIDTH in names else None
        if width and latent and width.source == latent.source:
            still = self.model.number(ranges.WIDTH, UNROTATED_WIDTH)
            return HeadWidth(width, latent=True, unrotated=still.value if still else None)
        hidden = self.model.number(ranges.COUNT, *HIDDEN_NAMES)
        heads = self.model.number(ranges.COUNT, *HEAD_COUNT_NAMES)
        if hidden and heads:
            return self.beside_quotient(width, hidden, heads)
        if width is None:
            any_of = HEAD_WIDTH_NAMES + HIDDEN_NAMES + HEAD_COUNT_NAMES
            raise self.model.missing_key("head_dim", ranges.WIDTH.accepted, any_of)
        return HeadWidth(width)

    def beside_quotient(
        self, width: ConfigValue | None, hidden: ConfigValue, heads: ConfigValue
    ) -> HeadWidth:
        """The width, or the quotient of the model's width and its heads where there is none."""
        source = " / ".join(value.source.rpartition(".")[2] for value in (hidden, heads))
        quotient = ConfigValue(hidden.value // heads.value, source)
        if width:
            return HeadWidth(width, None if quotient.value == width.value else quotient.value)
        if hidden.value % heads.value:
            raise self.model.bad_value(hidden, ranges.MULTIPLE_OF_HEADS)
        self.warnings.add_contradiction(self.model.find("head_dim"), quotient)
        if TWICE_QUOTIENT in self.kind.widths:
            quotient = ConfigValue(2 * quotient.value, f"2 * {source}")
        elif not self.model_type.known:
            self.warnings.add(warnings.WIDTH_ASSUMED, key=source, value=quotient.value)
        return HeadWidth(self.model.check_range(ranges.WIDTH, quotient))

    def rotary(self, head: HeadWidth, share: ConfigValue | None) -> ConfigValue:
        """How many coordinates of a head are rotated: ``rotary_dim``, a share of them, or all."""
        read = [name for name in self.kind.shares if name in ROTARY_WIDTHS]
        rotary_dim = self.model.number(ranges.WIDTH, *read) if read else None
        if share is None or (share.is_default and rotary_dim):
            if rotary_dim is not None and rotary_dim.value > head.width.value:
                raise self.model.bad_value(rotary_dim, ranges.WITHIN_HEAD)
            if not (rotary_dim or head.latent or self.model_type.known):
                self.warnings.add(warnings.SHARE_ASSUMED, key=SHARE, value=head.width.value)
            return rotary_dim or head.width
        width = int(head.width.value * share.value)
        if width < 2 or width % 2:
            raise self.model.bad_value(share, ranges.EVEN_SHARE)
        rotary = share._replace(value=width)
        self.warnings.add_contradiction(rotary_dim, rotary)
        return rotary


def width_of_layers(model: Lookup, name: str | None, names: list[str]) -> ConfigValue | None:
    """The head width that ``per_layer_config`` gives to all layers of a type, if it gives one.

    Refuses layers of one type with different widths.
    """
    own, types = model.find("per_layer_config"), model.find("layer_types")
    if own is None or not isinstance(own.value, dict):
        return None
    listed = types.value if types and isinstance(types.value, list) else []
    by_width: dict[Any, ConfigValue] = {}
    for index, content in own.value.items():
        at = int(index) if str(index).isdecimal() else -1
        of_this_type = name is None or (0 <= at < len(listed) and listed[at] == name)
        if of_this_type and isinstance(content, dict):
            layer = ConfigObject(f"{own.source}.{index}.", content)
            width = replace(model, objects=(layer,)).number(ranges.WIDTH, *names)
            if width:
                by_width.setdefault(width.value, width)
    if len(by_width) > 1:
        raise model.bad_value([*by_width.values()][1], ranges.ONE_WIDTH)
    return next(iter(by_width.values()), None)
