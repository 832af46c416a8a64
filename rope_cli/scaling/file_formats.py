"""Configs of other formats than Hugging Face's, read by renaming their keys.

Mistral and Meta publish a ``params.json``, OpenAI a ``config.json`` of its own, and the metadata of
a GGUF file can be listed as JSON. Each says the same things by other names, and leaves out what its
code fixes. A file that describes no model is refused by its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeGuard

from rope_cli.document.vocabulary import t
from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.json_files import CONFIG, ConfigObject, ConfigValue, Lookup
from rope_cli.scaling.key_names import ORIGINAL
from rope_cli.scaling.warnings import Warnings
from rope_cli.text import Text
from rope_cli.user_input.file_contents import cannot_read

Content = Mapping[str, Any]
HUGGING_FACE = "hugging-face"
# The names of the formats in sentences.
FORMAT_WORDS = {
    HUGGING_FACE: t("config.json of Hugging Face", "config.json в формате Hugging Face"),
    "mistral": t("params.json of Mistral", "params.json в формате Mistral"),
    "meta": t("params.json of Meta", "params.json в формате Meta"),
    "openai": t("config.json of OpenAI", "config.json в формате OpenAI"),
    "gguf": t("GGUF metadata", "метаданные GGUF"),
}
# Objects that tools put around the metadata of a GGUF file.
GGUF_ROOMS = "metadata", "model_info", "modelinfo", "kv"
ARCHITECTURE = "general.architecture"
# A key that only files of one kind have, and the kind: none of them says how a model rotates.
OTHER_FILES = {
    "weight_map": "model.safetensors.index.json",
    "peft_type": "adapter_config.json",
    "tokenizer_class": "tokenizer_config.json",
    "image_processor_type": "preprocessor_config.json",
    "_diffusers_version": "model_index.json",
    "_from_model_config": "generation_config.json",
}
MISTRAL_CODE = "mistral-inference"
MODEL_SIGNS = {"model_type", "architectures", "hidden_size", "n_embd", "d_model", "dim"}


@dataclass
class Renamed:
    """A config under the names of Hugging Face, and the key of the file behind each name.

    ``content`` is what the rest of this room reads and ``defaults`` what the file leaves out;
    ``sources`` leads from a name in them, such as ``rope_scaling.factor``, to the key that the
    report prints as its source.
    """

    format: str
    path: str
    content: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    def lookup(self) -> Lookup:
        """Everything in the file, then what it leaves out."""
        objects = (ConfigObject("", self.content), ConfigObject("", self.defaults, is_default=True))
        return Lookup(self.path, objects if self.defaults else objects[:1], self.sources)

    def take(self, file: Content, name: str, *keys: str, prefix: str = "") -> Any:
        """Take the first of these keys that the file has under another name; return its value."""
        for key in keys:
            if file.get(key) is not None:
                self.put(name, file[key], prefix + key)
                return file[key]
        self.sources[name] = prefix + keys[0]
        return None

    def put(self, name: str, value: Any, source: str) -> None:
        """Set a name, which may lead into an inner object, and say where its value comes from."""
        *outer, last = name.split(".", 1)
        content = self.content.setdefault(outer[0], {}) if outer else self.content
        content[last] = value
        self.sources[name] = source

    def assume(self, collected: Warnings, name: str, value: float, code: str) -> None:
        """Set a value that the file leaves out and that ``code`` fixes, and warn."""
        key = self.sources[name]
        collected.add(warnings.FIXED_IN_CODE, key=key, used_value=value, used=code)
        self.defaults[name] = value
        self.sources[name] = code

    def is_true(self, file: Content, key: str, prefix: str = "") -> bool | None:
        """Whether a key is true, ``None`` without it; refuse what is neither true nor false."""
        value = file.get(key)
        if not isinstance(value, bool | None):
            wrong = ConfigValue(value, prefix + key)
            raise self.lookup().bad_value(wrong, ranges.A_TRUTH_VALUE)
        return value


def read_format(path: str, content: Content, collected: Warnings) -> Renamed:
    """The config under the names of Hugging Face, whatever format the file has.

    Raises ``CannotRead`` with the name of a file that describes no model.
    """
    for reads, translate in FORMATS:
        if reads(content):
            return translate(path, content, collected)
    for key, name in OTHER_FILES.items():
        if key in content and not content.keys() & MODEL_SIGNS:
            raise cannot_read(path, another_file(name), CONFIG)
    return Renamed(HUGGING_FACE, path, dict(content))


def another_file(name: str) -> Text:
    """The reason why a file of another kind is refused."""
    return t(f"it looks like {name}", f"похоже, это {name}")


def is_of_hugging_face(content: Content) -> bool:
    """Whether the file names a type of model as configs of Hugging Face do."""
    return content.get("model_type") not in (None, "transformer") or "architectures" in content


def is_params(content: Content) -> bool:
    """Whether the file has the keys that the ``params.json`` of Mistral and of Meta share."""
    return {"dim", "n_heads"} <= content.keys() and not is_of_hugging_face(content)


def is_mistral(content: Content) -> bool:
    """Whether it is Mistral's: it gives the width of the feed-forward layers, Meta's a rule."""
    return is_params(content) and bool(content.keys() & {"hidden_dim", "yarn"})


def mistral(path: str, content: Content, collected: Warnings) -> Renamed:
    """The ``params.json`` of Mistral, with YaRN in an object of its own.

    What it leaves out is what mistral-inference takes: tables for 128000 positions, and the base
    1e6, or 1e4 where a sliding window is given.
    """
    renamed = Renamed("mistral", path)
    take_shape(renamed, content)
    if renamed.take(content, "max_position_embeddings", "max_position_embeddings") is None:
        renamed.assume(collected, "max_position_embeddings", 128000, MISTRAL_CODE)
    if renamed.take(content, "rope_theta", "rope_theta") is None:
        base = 1e4 if content.get("sliding_window") else 1e6
        renamed.assume(collected, "rope_theta", base, MISTRAL_CODE)
    yarn = content.get("yarn")
    if content.get("llama_4_scaling"):
        collected.add(warnings.SCALED_QUERIES, key="llama_4_scaling")
    if isinstance(yarn, dict):
        renamed.put("rope_scaling.rope_type", "yarn", "yarn")
        for name, key in (
            ("factor", "factor"),
            (ORIGINAL, ORIGINAL),
            ("beta_fast", "beta"),
            ("beta_slow", "alpha"),
        ):
            renamed.take(yarn, f"rope_scaling.{name}", key, prefix="yarn.")
        if renamed.is_true(yarn, "apply_scale", prefix="yarn.") is False:
            renamed.put("rope_scaling.attention_factor", 1.0, "yarn.apply_scale = false")
        known = {"factor", ORIGINAL, "beta", "alpha", "apply_scale"}
        for key in yarn.keys() - known:
            collected.add(warnings.UNKNOWN_KEY, key=f"yarn.{key}")
    elif yarn is not None:
        renamed.take(content, "rope_scaling", "yarn")
    return renamed


def meta(path: str, content: Content, collected: Warnings) -> Renamed:
    """The ``params.json`` of Meta, whose code fixes the values of Llama 3 scaling.

    ``use_scaled_rope`` alone asks for it. Llama 4 has values of its own, two of which the file may
    give. The number of positions is an option of Meta's programs, not part of the file.
    """
    renamed = Renamed("meta", path)
    take_shape(renamed, content)
    renamed.take(content, "rope_theta", "rope_theta")
    llama4 = bool(content.keys() & {"moe_args", "nope_layer_interval", "rope_scaling_factor"})
    scaled = renamed.is_true(content, "use_scaled_rope")
    if scaled:
        source = "use_scaled_rope"
        renamed.put("rope_scaling.rope_type", "llama3", source)
        for name, value in (
            ("factor", 16 if llama4 else 8),
            ("low_freq_factor", 1),
            ("high_freq_factor", 1 if llama4 else 4),
            (ORIGINAL, 8192),
        ):
            renamed.put(f"rope_scaling.{name}", value, source)
        for name, key in (
            ("factor", "rope_scaling_factor"),
            ("high_freq_factor", "rope_high_freq_factor"),
        ):
            if content.get(key) is not None:
                renamed.put(f"rope_scaling.{name}", content[key], key)
        collected.add(
            warnings.LLAMA4_CONSTANTS if llama4 else warnings.LLAMA3_CONSTANTS, key=source
        )
    if content.get("nope_layer_interval"):
        collected.add(warnings.UNROTATED_LAYERS, key="nope_layer_interval")
    renamed.take(content, "max_position_embeddings", "max_seq_len")
    return renamed


def take_shape(renamed: Renamed, content: Content) -> None:
    """The widths in a ``params.json``."""
    renamed.take(content, "hidden_size", "dim")
    renamed.take(content, "num_attention_heads", "n_heads")
    renamed.take(content, "head_dim", "head_dim")
    renamed.take(content, "qk_rope_head_dim", "qk_rope_head_dim")


def is_openai(content: Content) -> bool:
    """Whether it is the config beside the original weights of gpt-oss."""
    return "initial_context_length" in content and not is_of_hugging_face(content)


def openai(path: str, content: Content, _: Warnings) -> Renamed:
    """The config beside the original weights of gpt-oss: YaRN with bounds that are not rounded."""
    renamed = Renamed("openai", path)
    for name in ("hidden_size", "num_attention_heads", "head_dim", "rope_theta"):
        renamed.take(content, name, name)
    original = content["initial_context_length"]
    factor = renamed.take(content, "rope_scaling.factor", "rope_scaling_factor")
    product = "initial_context_length × rope_scaling_factor"
    if is_number(factor) and is_number(original):
        renamed.put("max_position_embeddings", original * factor, product)
    if factor is not None and not (is_number(factor) and factor <= 1):
        source = "rope_scaling_factor"
        renamed.put("rope_scaling.rope_type", "yarn", source)
        renamed.put("rope_scaling.truncate", False, source)
        renamed.put(f"rope_scaling.{ORIGINAL}", original, "initial_context_length")
        renamed.take(content, "rope_scaling.beta_fast", "rope_ntk_beta")
        renamed.take(content, "rope_scaling.beta_slow", "rope_ntk_alpha")
    else:
        renamed.content.pop("rope_scaling", None)
        renamed.put("max_position_embeddings", original, "initial_context_length")
    return renamed


def gguf_room(content: Content) -> tuple[str, Content] | None:
    """The object that holds GGUF metadata, with the keys that lead to it."""
    if ARCHITECTURE in content:
        return "", content
    for name in GGUF_ROOMS:
        inner = content.get(name)
        if isinstance(inner, dict) and ARCHITECTURE in inner:
            return f"{name}.", inner
    return None


def is_gguf(content: Content) -> bool:
    """Whether the file lists the metadata of a GGUF file."""
    return gguf_room(content) is not None


def gguf(path: str, content: Content, collected: Warnings) -> Renamed:
    """The metadata of a GGUF file, as llama.cpp reads it; keys begin with the architecture."""
    room = gguf_room(content)
    assert room is not None
    prefix, metadata = room
    architecture = plain_value(metadata[ARCHITECTURE])
    if not isinstance(architecture, str):
        wrong = ConfigValue(architecture, prefix + ARCHITECTURE)
        raise Lookup(path, ()).bad_value(wrong, ranges.A_NAME)
    own = f"{architecture}."
    file = {
        key.removeprefix(own): plain_value(value)
        for key, value in metadata.items()
        if key.startswith(own)
    }
    renamed = Renamed("gguf", path)
    renamed.put("model_type", architecture, prefix + ARCHITECTURE)
    for name, *keys in GGUF_NAMES:
        renamed.take(file, name, *keys, prefix=prefix + own)
    rotated = file.get("rope.dimension_count")
    if architecture in LATENT and rotated is not None:
        renamed.take(file, "qk_rope_head_dim", "rope.dimension_count", prefix=prefix + own)
    elif rotated is not None and rotated != file.get("attention.key_length"):
        renamed.take(file, "rotary_dim", "rope.dimension_count", prefix=prefix + own)
    if file.get("rope.dimension_sections") is not None:
        renamed.put("rope_scaling.mrope_section", [], f"{prefix}{own}rope.dimension_sections")
    take_gguf_scaling(renamed, file, prefix + own)
    if not has_tensors(content):
        collected.add(warnings.TENSOR_NOT_LISTED, key="rope_freqs.weight")
    elif "rope_freqs.weight" in tensor_names(content):
        collected.add(warnings.TENSOR_NOT_READ, key="rope_freqs.weight")
    return renamed


GGUF_NAMES = (
    ("hidden_size", "embedding_length"),
    ("num_attention_heads", "attention.head_count"),
    ("head_dim", "attention.key_length"),
    ("max_position_embeddings", "context_length"),
    ("rope_theta", "rope.freq_base"),
    ("rope_local_base_freq", "rope.freq_base_swa"),
)
# Architectures with multi-head latent attention, and what their converter multiplies by.
LATENT = {"deepseek2": 0.1}


def take_gguf_scaling(renamed: Renamed, file: Content, prefix: str) -> None:
    """The scaling in GGUF metadata; llama.cpp always rounds the bounds of YaRN."""
    method = file.get("rope.scaling.type")
    legacy = file.get("rope.scale_linear")
    if method in (None, "none") and legacy in (None, 1, 1.0):
        return
    if method in (None, "none"):
        renamed.put("rope_scaling.rope_type", "linear", f"{prefix}rope.scale_linear")
        renamed.put("rope_scaling.factor", legacy, f"{prefix}rope.scale_linear")
        return
    renamed.put("rope_scaling.rope_type", method, f"{prefix}rope.scaling.type")
    for name, *keys in (
        ("factor", "rope.scaling.factor"),
        (ORIGINAL, "rope.scaling.original_context_length"),
        ("beta_fast", "rope.scaling.yarn_beta_fast"),
        ("beta_slow", "rope.scaling.yarn_beta_slow"),
    ):
        renamed.take(file, f"rope_scaling.{name}", *keys, prefix=prefix)
    factor, own = file.get("rope.scaling.factor"), file.get("rope.scaling.attn_factor")
    weight = file.get("rope.scaling.yarn_log_multiplier")
    if method == "yarn" and weight is not None and is_number(weight):
        latent = LATENT.get(renamed.content["model_type"])
        source = f"{prefix}rope.scaling.yarn_log_multiplier"
        all_dim = weight / latent if latent else weight
        renamed.put("rope_scaling.mscale_all_dim", all_dim, source)
        renamed.put("rope_scaling.mscale", all_dim if latent else 1.0, source)
    elif method == "yarn" and is_number(own) and is_number(factor) and factor > 0:
        source = f"{prefix}rope.scaling.attn_factor × (0.1 ln s + 1)"
        own = own * (0.1 * math.log(max(factor, 1.0)) + 1)
        renamed.put("rope_scaling.attention_factor", own, source)


def plain_value(value: Any) -> Any:
    """A value of metadata: some tools put an object around it, others write numbers as text."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, str) and len(value) <= LONGEST_NUMBER:
        for convert in (int, float):
            try:
                return convert(value)
            except ValueError:
                continue
    return value


LONGEST_NUMBER = 40


def has_tensors(content: Content) -> bool:
    """Whether the file lists the tensors too."""
    return isinstance(content.get("tensors"), dict | list)


def tensor_names(content: Content) -> set[str]:
    """The names of the tensors, which some tools list as an object and others as a list."""
    tensors = content["tensors"]
    if isinstance(tensors, dict):
        return set(tensors)
    return {str(tensor.get("name")) for tensor in tensors if isinstance(tensor, dict)}


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a value can be computed with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


Translate: TypeAlias = Callable[[str, Content, Warnings], Renamed]
FORMATS: tuple[tuple[Callable[[Content], bool], Translate], ...] = (
    (is_gguf, gguf),
    (is_mistral, mistral),
    (is_params, meta),
    (is_openai, openai),
)
