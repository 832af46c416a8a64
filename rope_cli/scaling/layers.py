"""How the layers of one type are rotated, according to the config of their model.

Where a file contradicts itself, it is read as transformers 5.24.0 reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.json_files import ConfigValue, Lookup, format_key
from rope_cli.scaling.key_names import ORIGINAL
from rope_cli.scaling.methods import (
    COMMON_KEYS,
    FACTORS_BY_LENGTH,
    KNOWN_KEYS,
    METHOD_KEYS,
    ValueReader,
    default,
)
from rope_cli.scaling.model_types import LATENT_WIDTH, MULTIMODAL, LayerKind, ModelType
from rope_cli.scaling.warnings import Warnings
from rope_cli.scaling.widths import ROTARY_WIDTHS, SHARE, WidthReader
from rope_cli.user_input.command_errors import (
    UnknownConfigMethod,
    closest_match,
    quoted,
    quoted_path,
)

BASE_IN_OBJECT = "rope_theta", "rope_base"
READ_ELSEWHERE = "attn_factor", "apply_yarn_scaling"
QUERY_KEYS = ("llama_4_scaling_beta",)
MROPE = "mrope"
# The model type whose code reads an attention factor by the length of the text.
FACTORS_READ_BY = "phimoe"
OTHER_NAMES = {"su": "longrope", "ntk-aware": "ntk", MROPE: "default"}


class KeysElsewhere(NamedTuple):
    """What a file says by keys that only other code reads."""

    alpha: float | None
    attn_factor: float | None
    apply_yarn_scaling: bool


@dataclass(frozen=True)
class Layer:
    """How the layers of one type are rotated; ``name`` is ``None`` if there is only one type.

    ``method`` is our name of the method of scaling and ``method_in_file`` that of the file;
    ``values`` are the values of the method by their keys. ``quotient`` is the width that some code
    computes from hidden_size although the head has another. ``latent`` says that the heads are
    those of multi-head latent attention, whose rotated part has a width of its own; ``unrotated``
    coordinates of a row lie before it, if the file says how many.
    ``keys_elsewhere`` are keys that only other code reads.
    """

    name: str | None
    method: str
    method_in_file: ConfigValue
    head_width: ConfigValue
    quotient: int | None
    rotary_width: ConfigValue
    base: ConfigValue
    values: Mapping[str, ConfigValue]
    latent: bool
    unrotated: int | None
    keys_elsewhere: KeysElsewhere


@dataclass(frozen=True)
class LayerReader:
    """Reads one type of layers from ``rope``, the object that says how to scale, and ``model``.

    ``model`` holds the model's own keys, ``max_positions`` its number of positions, ``kind`` what
    the code of ``model_type`` reads for these layers. ``alone`` if the model has no other layers.
    """

    name: str | None
    model: Lookup
    rope: Lookup
    model_type: ModelType
    kind: LayerKind
    alone: bool
    max_positions: ConfigValue
    warnings: Warnings

    def layer(self) -> Layer:
        """Everything that the config says about this type of layers."""
        method_in_file = self.method_in_file()
        method = self.method(method_in_file.value)
        widths = WidthReader(self.name, self.model, self.model_type, self.kind, self.warnings)
        head = widths.head()
        share = self.share(method)
        if share and share.is_default and head.latent:
            share = None  # the rotated part is a head of its own
        whole = method == "proportional"
        rotary = head.width if whole else widths.rotary(head, share)
        if rotary.value % 2:
            raise self.model.bad_value(rotary, ranges.EVEN_WIDTH)
        if LATENT_WIDTH not in self.kind.widths:
            self.warnings.add_contradiction(self.model.find(LATENT_WIDTH), rotary)
        values = self.method_values(method, rotary, share)
        self.warn_of_unread_keys(method)
        return Layer(
            name=self.name,
            method="dynamic" if "doubling" in values else method,
            method_in_file=method_in_file,
            head_width=head.width,
            quotient=head.quotient,
            rotary_width=rotary,
            base=self.base(),
            values=values,
            latent=head.latent,
            unrotated=head.unrotated,
            keys_elsewhere=self.keys_elsewhere(),
        )

    def method_values(
        self, method: str, rotary: ConfigValue, share: ConfigValue | None
    ) -> dict[str, ConfigValue]:
        """The values of the method by their keys."""
        # Keys of the model count for a method only if all layers are of one type.
        model = self.model if self.alone else None
        reader = ValueReader(self.rope, model, self.max_positions, self.warnings)
        values = reader.values(method, rotary.value // 2)
        if self.grows_by_doubling(method):
            return reader.doubling(self.model)
        if method == "longrope" and self.model_type.name == FACTORS_READ_BY:
            factor = reader.factor_by_length(values[ORIGINAL])
            values |= {"attention_factor": factor} if factor else {}
            self.warnings.add(warnings.SHORT_LIST, key="model_type", value=self.model_type.name)
        if method == "proportional":
            values["share"] = share or default(1.0)
            if share and int(share.value * rotary.value // 2) < 1:
                raise self.model.bad_value(share, ranges.EVEN_SHARE)
        return values

    def keys_elsewhere(self) -> KeysElsewhere:
        """The keys that only other code reads."""
        alpha = self.rope.number(ranges.FACTOR, "alpha")
        attn_factor = self.rope.number(ranges.FACTOR, "attn_factor")
        applied = self.rope.find("apply_yarn_scaling")
        return KeysElsewhere(
            alpha=alpha.value if alpha else None,
            attn_factor=attn_factor.value if attn_factor else None,
            apply_yarn_scaling=applied is None or applied.value is not False,
        )

    def grows_by_doubling(self, method: str) -> bool:
        """Whether the base grows where the length doubles, as in the code of the first Qwen."""
        used = self.model.find("use_dynamic_ntk") if self.model_type.doubling else None
        return method == "default" and used is not None and used.value is True

    def base(self) -> ConfigValue:
        """The base: of the object, of the model, or what the type takes without one."""
        in_object = self.rope.number(ranges.BASE, *BASE_IN_OBJECT)
        in_model = self.model.number(ranges.BASE, *self.kind.bases)
        base = in_object or in_model or self.type_default("rope_theta", self.kind.base)
        if self.alone:
            self.warnings.add_contradiction(in_model, base)
        if not (in_object or in_model or self.model_type.known):
            key = self.kind.bases[0]
            self.warnings.add(warnings.BASE_ASSUMED, key=key, used_value=base.value)
        return self.multiplied(base) if self.model_type.rope_ratio else base

    def multiplied(self, base: ConfigValue) -> ConfigValue:
        """The base times the ratio that the file gives."""
        ratio = self.model.number(ranges.FACTOR, "rope_ratio")
        if ratio is None:
            return base
        product = ConfigValue(base.value * ratio.value, f"{base.value:g} * {ratio.source}")
        return self.model.check_range(ranges.BASE, product)

    def type_default(self, key: str, value: float) -> ConfigValue:
        """What the code of a known type takes for a missing key, or what everybody would."""
        known = self.model_type.known and self.model_type.name
        return ConfigValue(value, f"{self.model_type.name}.{key}" if known else "", is_default=True)

    def share(self, method: str) -> ConfigValue | None:
        """The share of the head that rotates, or ``None`` if it is the whole head."""
        in_object = self.rope.number(ranges.SHARE, SHARE)
        names = [name for name in self.kind.shares if name not in ROTARY_WIDTHS]
        in_model = self.model.number(ranges.SHARE, *(names or [SHARE]))
        if method == "default" and not self.kind.share_in_rope:
            self.warn_of_unread_share(in_object)
            in_object = None
        # Other methods read the share of most types, whatever their own code does without a method.
        if not (names if method == "default" else self.kind.share_if_scaled):
            self.warn_of_unread_share(in_model)
            in_model = None
        share = in_object or in_model
        if self.alone and share:
            self.warnings.add_contradiction(in_model, share)
        missing = self.kind.share if method == "default" else self.kind.scaled_share
        if share is None and missing != 1:
            return self.type_default(SHARE, missing)
        return share

    def warn_of_unread_share(self, share: ConfigValue | None) -> None:
        """Warn of a share that the code of the type does not read."""
        if share and not share.is_default and share.value != 1:
            used = self.model_type.name
            self.warnings.add(warnings.UNREAD_BY_TYPE, key=share.source, used=used)

    def method_in_file(self) -> ConfigValue:
        """The name of the method in the file; without one nothing is scaled."""
        prefix, content, _ = self.rope.objects[0]
        for key in content:
            if key.startswith(MROPE) and self.model_type.rotation != MULTIMODAL:
                self.warnings.add(warnings.TEXT_ONLY, key=self.rope.source(prefix + key))
        new, old = self.rope.find("rope_type"), self.rope.find("type")
        name = new or old
        if name is None:
            if any(key not in COMMON_KEYS and not key.startswith(MROPE) for key in content):
                self.warnings.add(warnings.NO_METHOD, key=prefix.rstrip("."))
            return ConfigValue("default", "", is_default=True)
        if not isinstance(name.value, str):
            raise self.rope.bad_value(name, ", ".join(METHOD_KEYS))
        if new:
            self.warnings.add_contradiction(old, new)
        return name

    def method(self, name: str) -> str:
        """Our own name of a method; warn if it is another one."""
        method = self.own_name(name)
        if method != name:
            key = self.rope.source(self.rope.objects[0].prefix + "rope_type")
            self.warnings.add(warnings.RENAMED_METHOD, key=key, value=name, used=method)
        return method

    def own_name(self, name: str) -> str:
        """Our own name of a method; in two model types a name means another method."""
        if name == "yarn" and self.model_type.name.startswith(("phi3", "phi4_multimodal")):
            return "longrope"
        hunyuan = self.model_type.name.startswith("hunyuan")
        if name == "dynamic" and hunyuan and self.rope.find("alpha"):
            return "ntk"
        method = OTHER_NAMES.get(name, name)
        if method not in METHOD_KEYS:
            raise self.unsupported(quoted(name), "rope_type", closest_match(name, METHOD_KEYS))
        return method

    def unsupported(self, name: str, key: str, meant: str | None = None) -> UnknownConfigMethod:
        """The refusal of a method by its name, with the key that asks for it."""
        if key == "rope_type" and not self.rope.find(key):
            key = "type"
        return UnknownConfigMethod(
            meant,
            path=quoted_path(self.rope.path),
            key=format_key(self.rope.source(self.rope.objects[0].prefix + key)),
            method=name,
            accepted=", ".join(METHOD_KEYS),
        )

    def warn_of_unread_keys(self, method: str) -> None:
        """Warn of each key of the object that this method, or every method, ignores."""
        prefix, content, is_default = self.rope.objects[0]
        for key, value in () if is_default else content.items():
            if key in READ_ELSEWHERE and method == "yarn":
                self.warnings.add(warnings.READ_ELSEWHERE, key=prefix + key)
            elif key in QUERY_KEYS:
                self.warnings.add(warnings.SCALED_QUERIES, key=prefix + key)
            elif key in FACTORS_BY_LENGTH and self.model_type.name == FACTORS_READ_BY:
                continue
            elif key in KNOWN_KEYS:
                if key not in METHOD_KEYS[method] and value is not None:
                    ignored = self.rope.source(prefix + key)
                    self.warnings.add(warnings.IGNORED_KEY, key=ignored, used=method)
            elif key not in COMMON_KEYS and not key.startswith(MROPE):
                self.warnings.add_unknown(prefix, key, {*COMMON_KEYS, *KNOWN_KEYS})
