"""Configs of other formats than Hugging Face's, read by renaming their keys.

Mistral and Meta publish a ``params.json``, OpenAI a ``config.json`` of its own, and the metadata of
a GGUF file can be listed as JSON. Each says the same things by other names, and leaves out what its
code fixes. A file that describes no model is refused by its name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rope_cli.document.vocabulary import t
from rope_cli.scaling import warnings
from rope_cli.scaling.gguf_metadata import gguf, is_gguf
from rope_cli.scaling.json_files import CONFIG
from rope_cli.scaling.key_names import ORIGINAL
from rope_cli.scaling.renamed_keys import Content, Renamed, is_number
from rope_cli.scaling.warnings import Warnings
from rope_cli.text import Text
from rope_cli.user_input.file_contents import cannot_read

HUGGING_FACE = "hugging-face"
# The names of the formats in sentences.
FORMAT_WORDS = {
    HUGGING_FACE: t("config.json of Hugging Face", "config.json в формате Hugging Face"),
    "mistral": t("params.json of Mistral", "params.json в формате Mistral"),
    "meta": t("params.json of Meta", "params.json в формате Meta"),
    "openai": t("config.json of OpenAI", "config.json в формате OpenAI"),
    "gguf": t("GGUF metadata", "метаданные GGUF"),
}
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
    rotated = renamed.take(content, "qk_rope_head_dim", "qk_rope_head_dim")
    if rotated is None:  # otherwise head_dim is the whole head, rotated or not
        renamed.take(content, "head_dim", "head_dim")


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


Translate: TypeAlias = Callable[[str, Content, Warnings], Renamed]
FORMATS: tuple[tuple[Callable[[Content], bool], Translate], ...] = (
    (is_gguf, gguf),
    (is_mistral, mistral),
    (is_params, meta),
    (is_openai, openai),
)
