"""How the layers of one type are rotated, by the config of their model.

Where a file contradicts itself the rules are those of transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rope_cli.errors import UnsupportedScaling
from rope_cli.scaling import messages
from rope_cli.scaling.json_files import Keys, Read
from rope_cli.scaling.methods import COMMON_KEYS, KNOWN_KEYS, METHOD_KEYS, ValueReader
from rope_cli.scaling.warnings import Notes

QUOTIENT = "hidden_size / num_attention_heads"
SHARE_NAMES = "partial_rotary_factor", "rotary_pct"
BASE_NAMES = "rope_theta", "rotary_emb_base", "global_rope_theta"
LOCAL_BASE_NAMES = "rope_local_base_freq", "local_rope_theta"
STANDARD_BASE = Read(10000.0, "", standard=True)
OTHER_NAMES = {"su": "longrope", "ntk-aware": "ntk"}


@dataclass(frozen=True)
class Layer:
    """How the layers of one type are rotated; ``name`` is ``None`` if there is only one type.

    ``written`` is the name of the method in the file and ``values`` are the values that it works
    with. ``quotient`` is the width that some code would compute
    although the head has another. ``latent`` tells the heads of multi-head latent attention, whose
    rotated part has a width of its own. ``alpha`` is a key that only other code reads.
    """

    name: str | None
    method: str
    written: Read
    head_width: Read
    quotient: int | None
    rotary_width: Read
    base: Read
    values: Mapping[str, Read]
    latent: bool
    alpha: float | None


@dataclass(frozen=True)
class LayerReader:
    """One layer type while it is read: ``rope`` is asked before ``keys``, those of the model."""

    name: str | None
    keys: Keys
    rope: Keys
    model_type: str
    maximum: Read
    notes: Notes

    def layer(self, base_names: tuple[str, ...] = BASE_NAMES) -> Layer:
        """Everything that the config says about this type of layers."""
        written = self.written()
        method = self.method(written.value)
        both = self.keys.below(self.rope)
        base = both.number(messages.BASE, *base_names) or STANDARD_BASE
        if self.name is None:
            self.notes.contradiction(self.keys.find(*base_names), base)
        head, quotient, latent = self.head_width()
        share = both.number(messages.SHARE, *SHARE_NAMES)
        if self.name is None and share:
            self.notes.contradiction(self.keys.find(*SHARE_NAMES), share)
        proportional = method == "proportional"
        rotary = head if proportional else self.rotary_width(head, share)
        if rotary.value % 2:
            raise self.keys.bad(rotary, messages.EVEN_WIDTH)
        outside = self.keys if self.name is None else None
        reader = ValueReader(self.rope, outside, self.maximum, self.notes)
        values = reader.values(method, rotary.value // 2)
        if proportional:
            values["share"] = share or Read(1.0, "", standard=True)
            if share and int(share.value * head.value // 2) < 1:
                raise self.keys.bad(share, messages.EVEN_SHARE)
        alpha = self.rope.number(messages.FACTOR, "alpha")
        self.warn_of_unread_keys(method)
        return Layer(
            name=self.name,
            method=method,
            written=written,
            head_width=head,
            quotient=quotient,
            rotary_width=rotary,
            base=base,
            values=values,
            latent=latent,
            alpha=alpha.value if alpha else None,
        )

    def written(self) -> Read:
        """The name of the method in the file; without one nothing is scaled."""
        prefix, found, _ = self.rope.levels[0]
        if any(key.startswith("mrope") for key in found):
            raise self.unsupported("M-RoPE")
        named, old = self.rope.find("rope_type"), self.rope.find("type")
        chosen = named or old
        if chosen is None:
            if found.keys() - {*COMMON_KEYS}:
                self.notes.add(messages.NO_TYPE, key=prefix.rstrip("."))
            return Read("default", "", standard=True)
        if not isinstance(chosen.value, str):
            raise self.rope.bad(chosen, ", ".join(METHOD_KEYS))
        if named:
            self.notes.contradiction(old, named)
        return chosen

    def method(self, given: str) -> str:
        """The method of scaling, by our own name for it."""
        method = self.by_our_name(given)
        if method != given:
            key = self.rope.levels[0].prefix + "rope_type"
            self.notes.add(messages.OTHER_NAME, key=key, value=given, used=method)
        return method

    def by_our_name(self, given: str) -> str:
        """What a name means, which for two model types is not what it says."""
        if given == "mrope":
            raise self.unsupported("M-RoPE")
        if given == "yarn" and self.model_type.startswith("phi3"):
            return "longrope"
        if given == "dynamic" and self.model_type.startswith("hunyuan") and self.rope.find("alpha"):
            return "ntk"
        method = OTHER_NAMES.get(given, given)
        if method not in METHOD_KEYS:
            raise self.unsupported(given)
        return method

    def unsupported(self, name: str) -> UnsupportedScaling:
        """The refusal of a method by its name."""
        return UnsupportedScaling(method=name, accepted=", ".join(METHOD_KEYS))

    def head_width(self) -> tuple[Read, int | None, bool]:
        """The width that may be rotated, the quotient if another, whether heads are latent."""
        latent = self.keys.number(messages.WIDTH, "qk_rope_head_dim")
        hidden = self.keys.number(messages.COUNT, "hidden_size", "n_embd")
        heads = self.keys.number(messages.COUNT, "num_attention_heads", "n_head")
        given = self.keys.number(messages.WIDTH, "head_dim")
        if self.name == "full_attention":
            given = self.keys.number(messages.WIDTH, "global_head_dim") or given
        if latent:
            return latent, None, True
        if hidden is None or heads is None:
            return given or self.keys.needed(messages.WIDTH, "head_dim"), None, False
        quotient = Read(hidden.value // heads.value, QUOTIENT)
        if given:
            other = None if quotient.value == given.value else quotient.value
            return given, other, False
        if hidden.value % heads.value:
            raise self.keys.bad(hidden, messages.MULTIPLE)
        return self.keys.within(messages.WIDTH, quotient), None, False

    def rotary_width(self, head: Read, share: Read | None) -> Read:
        """How many coordinates of a head are rotated: all, a share of them, or as many as said."""
        said = self.keys.number(messages.WIDTH, "rotary_dim")
        if share is None or (share.standard and said):
            if said is not None and said.value > head.value:
                raise self.keys.bad(said, messages.WITHIN_HEAD)
            return said or head
        width = int(head.value * share.value)
        if width < 2 or width % 2:
            raise self.keys.bad(share, messages.EVEN_SHARE)
        rotary = Read(width, share.source, share.standard)
        self.notes.contradiction(said, rotary)
        return rotary

    def warn_of_unread_keys(self, method: str) -> None:
        """Warn of each key that this method, or every method, leaves unread."""
        prefix, found, _ = self.rope.levels[0]
        for key, value in found.items():
            if key in KNOWN_KEYS:
                if key not in METHOD_KEYS[method] and value is not None:
                    self.notes.add(messages.IGNORED, key=prefix + key, used=method)
            elif key not in COMMON_KEYS:
                self.notes.add(messages.UNKNOWN, key=prefix + key)
