"""The metadata of a GGUF file, listed as JSON by some tool and read as llama.cpp reads it."""

from __future__ import annotations

import math
from typing import Any

from rope_cli.scaling import ranges, warnings
from rope_cli.scaling.json_files import ConfigValue, Lookup
from rope_cli.scaling.key_names import ORIGINAL
from rope_cli.scaling.renamed_keys import Content, Renamed, is_number
from rope_cli.scaling.warnings import Warnings

# Objects that tools put around the metadata.
ROOMS = "metadata", "model_info", "modelinfo", "kv"
ARCHITECTURE = "general.architecture"
LONGEST_NUMBER = 40
NAMES = (
    ("hidden_size", "embedding_length"),
    ("num_attention_heads", "attention.head_count"),
    ("head_dim", "attention.key_length"),
    ("max_position_embeddings", "context_length"),
    ("rope_theta", "rope.freq_base"),
    ("rope_local_base_freq", "rope.freq_base_swa"),
)
# Architectures with multi-head latent attention, and what their converter multiplies by.
LATENT = {"deepseek2": 0.1}


def metadata_object(content: Content) -> tuple[str, Content] | None:
    """The object that holds GGUF metadata, with the keys that lead to it."""
    if ARCHITECTURE in content:
        return "", content
    for name in ROOMS:
        inner = content.get(name)
        if isinstance(inner, dict) and ARCHITECTURE in inner:
            return f"{name}.", inner
    return None


def is_gguf(content: Content) -> bool:
    """Whether the file lists the metadata of a GGUF file."""
    return metadata_object(content) is not None


def gguf(path: str, content: Content, collected: Warnings) -> Renamed:
    """The metadata of a GGUF file, as llama.cpp reads it; keys begin with the architecture."""
    room = metadata_object(content)
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
    rotated = file.get("rope.dimension_count")
    latent = architecture in LATENT and rotated is not None
    for name, *keys in NAMES:
        if not (latent and name == "head_dim"):  # which is the whole head, rotated or not
            renamed.take(file, name, *keys, prefix=prefix + own)
    if latent:
        renamed.take(file, "qk_rope_head_dim", "rope.dimension_count", prefix=prefix + own)
    elif rotated is not None and rotated != file.get("attention.key_length"):
        renamed.take(file, "rotary_dim", "rope.dimension_count", prefix=prefix + own)
    if file.get("rope.dimension_sections") is not None:
        renamed.put("rope_scaling.mrope_section", [], f"{prefix}{own}rope.dimension_sections")
    take_scaling(renamed, file, prefix + own)
    if not has_tensors(content):
        collected.add(warnings.TENSOR_NOT_LISTED, key="rope_freqs.weight")
    elif "rope_freqs.weight" in tensor_names(content):
        collected.add(warnings.TENSOR_NOT_READ, key="rope_freqs.weight")
    return renamed


def take_scaling(renamed: Renamed, file: Content, prefix: str) -> None:
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
        source = f"{prefix}rope.scaling.attn_factor × (0.1·ln(s) + 1)"
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


def has_tensors(content: Content) -> bool:
    """Whether the file lists the tensors too."""
    return isinstance(content.get("tensors"), dict | list)


def tensor_names(content: Content) -> set[str]:
    """The names of the tensors, which some tools list as an object and others as a list."""
    tensors = content["tensors"]
    if isinstance(tensors, dict):
        return set(tensors)
    return {str(tensor.get("name")) for tensor in tensors if isinstance(tensor, dict)}
