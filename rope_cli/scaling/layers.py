"""How the layers of one type are rotated, according to the config of their model.

Where a file contradicts itself, it is read as transformers 5.24.0 reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.json_files import ConfigValue, Lookup, format_key
from rope_cli.scaling.key_names import (
    BASE_NAMES,
    HEAD_COUNT_NAMES,
    HEAD_WIDTH_NAMES,
    HIDDEN_NAMES,
    SHARE_NAMES,
)
from rope_cli.scaling.methods import COMMON_KEYS, KNOWN_KEYS, METHOD_KEYS, ValueReader, default
from rope_cli.scaling.warnings import Warnings
from rope_cli.user_input.command_errors import (
    UnknownConfigMethod,
    closest_match,
    quoted,
    quoted_path,
)

DEFAULT_BASE = default(10000.0)
OTHER_NAMES = {"su": "longrope", "ntk-aware": "ntk"}


@dataclass(frozen=True)
class Layer:
    """How the layers of one type are rotated; ``name`` is ``None`` if there is only one type.

    ``method`` is our name of the method of scaling and ``method_in_file`` that of the file;
    ``values`` are the values of the method by their keys. ``quotient`` is the width that some code
    computes from hidden_size although the head has another. ``latent`` says that the heads are
    those of multi-head latent attention, whose rotated part has a width of its own. ``alpha`` is a
    key that only other code reads.
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
    alpha: float | None


@dataclass(frozen=True)
class LayerReader:
    """Reads one type of layers from ``rope``, the object that says how to scale, and ``model``.

    ``model`` holds the model's own keys, ``max_positions`` its number of positions.
    """

    name: str | None
    model: Lookup
    rope: Lookup
    model_type: str
    max_positions: ConfigValue
    warnings: Warnings

    def layer(self, base_names: tuple[str, ...] = BASE_NAMES) -> Layer:
        """Everything that the config says about this type of layers."""
        method_in_file = self.method_in_file()
        method = self.method(method_in_file.value)
        rope_then_model = self.model.after(self.rope)
        base = rope_then_model.number(ranges.BASE, *base_names) or DEFAULT_BASE
        if self.name is None:
            self.warnings.add_contradiction(self.model.find(*base_names), base)
        head, quotient, latent = self.head_width()
        share = rope_then_model.number(ranges.SHARE, *SHARE_NAMES)
        if self.name is None and share:
            self.warnings.add_contradiction(self.model.find(*SHARE_NAMES), share)
        proportional = method == "proportional"
        rotary = head if proportional else self.rotary_width(head, share)
        if rotary.value % 2:
            raise self.model.bad_value(rotary, ranges.EVEN_WIDTH)
        # Keys of the model count for a method only if all layers are of one type.
        model = self.model if self.name is None else None
        reader = ValueReader(self.rope, model, self.max_positions, self.warnings)
        values = reader.values(method, rotary.value // 2)
        if proportional:
            values["share"] = share or default(1.0)
            if share and int(share.value * head.value // 2) < 1:
                raise self.model.bad_value(share, ranges.EVEN_SHARE)
        alpha = self.rope.number(ranges.FACTOR, "alpha")
        self.warn_of_unread_keys(method)
        return Layer(
            name=self.name,
            method=method,
            method_in_file=method_in_file,
            head_width=head,
            quotient=quotient,
            rotary_width=rotary,
            base=base,
            values=values,
            latent=latent,
            alpha=alpha.value if alpha else None,
        )

    def method_in_file(self) -> ConfigValue:
        """The name of the method in the file; without one nothing is scaled."""
        prefix, content, _ = self.rope.objects[0]
        for key in content:
            if key.startswith("mrope"):
                raise self.unsupported("M-RoPE", key)
        new, old = self.rope.find("rope_type"), self.rope.find("type")
        name = new or old
        if name is None:
            if content.keys() - {*COMMON_KEYS}:
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
        if name == "mrope":
            raise self.unsupported("M-RoPE", "rope_type")
        if name == "yarn" and self.model_type.startswith("phi3"):
            return "longrope"
        if name == "dynamic" and self.model_type.startswith("hunyuan") and self.rope.find("alpha"):
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

    def head_width(self) -> tuple[ConfigValue, int | None, bool]:
        """The width that may be rotated, ``quotient`` and ``latent`` of the layer."""
        latent = self.model.number(ranges.WIDTH, "qk_rope_head_dim")
        hidden = self.model.number(ranges.COUNT, *HIDDEN_NAMES)
        heads = self.model.number(ranges.COUNT, *HEAD_COUNT_NAMES)
        head = self.model.number(ranges.WIDTH, *HEAD_WIDTH_NAMES)
        if self.name == "full_attention":
            head = self.model.number(ranges.WIDTH, "global_head_dim") or head
        if latent:
            return latent, None, True
        if hidden is None or heads is None:
            if head is None:
                names = HEAD_WIDTH_NAMES + HIDDEN_NAMES + HEAD_COUNT_NAMES
                raise self.model.missing_key("head_dim", ranges.WIDTH.accepted, names)
            return head, None, False
        source = " / ".join(value.source.rpartition(".")[2] for value in (hidden, heads))
        quotient = ConfigValue(hidden.value // heads.value, source)
        if head:
            return head, None if quotient.value == head.value else quotient.value, False
        if hidden.value % heads.value:
            raise self.model.bad_value(hidden, ranges.MULTIPLE_OF_HEADS)
        return self.model.check_range(ranges.WIDTH, quotient), None, False

    def rotary_width(self, head: ConfigValue, share: ConfigValue | None) -> ConfigValue:
        """How many coordinates of a head are rotated: ``rotary_dim``, a share of them, or all."""
        rotary_dim = self.model.number(ranges.WIDTH, "rotary_dim")
        if share is None or (share.is_default and rotary_dim):
            if rotary_dim is not None and rotary_dim.value > head.value:
                raise self.model.bad_value(rotary_dim, ranges.WITHIN_HEAD)
            return rotary_dim or head
        width = int(head.value * share.value)
        if width < 2 or width % 2:
            raise self.model.bad_value(share, ranges.EVEN_SHARE)
        rotary = share._replace(value=width)
        self.warnings.add_contradiction(rotary_dim, rotary)
        return rotary

    def warn_of_unread_keys(self, method: str) -> None:
        """Warn of each key of the object that this method, or every method, ignores."""
        prefix, content, _ = self.rope.objects[0]
        for key, value in content.items():
            if key in KNOWN_KEYS:
                if key not in METHOD_KEYS[method] and value is not None:
                    ignored = self.rope.source(prefix + key)
                    self.warnings.add(warnings.IGNORED_KEY, key=ignored, used=method)
            elif key not in COMMON_KEYS:
                self.warnings.add_unknown(prefix, key, {*COMMON_KEYS, *KNOWN_KEYS})
