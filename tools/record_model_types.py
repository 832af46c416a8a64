"""Record what each model type of the installed transformers rotates, and by which frequencies.

    python tools/record_model_types.py           # writes both files
    python tools/record_model_types.py --count   # how scaling fares with the recorded frequencies

The first file, ``rope_cli/scaling/model_types.json``, is what ``scaling`` knows of model types. The
second, ``tests/data/model_types.npz``, holds small files of every type in several styles and what
the type's own code computes for them; the tests compare ``scaling`` with it without transformers.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "rope_cli" / "scaling" / "model_types.json"
FREQUENCIES = ROOT / "tests" / "data" / "model_types.npz"

# Keys whose defaults are recorded: all that a rotation may depend on.
DEFAULT_KEYS = (
    *("hidden_size", "n_embd", "d_model", "num_attention_heads", "n_head", "n_heads"),
    *("head_dim", "attention_head_dim", "kv_channels", "qk_rope_head_dim", "global_head_dim"),
    *("max_position_embeddings", "n_positions", "max_seq_len", "original_max_position_embeddings"),
    *("rotary_dim", "partial_rotary_factor", "rope_theta", "compress_rope_theta"),
    *("position_embedding_type", "use_mem_rope", "alibi", "use_rotary_embedding"),
    *("no_rope_layer_interval", "sliding_window", "use_sliding_window", "rope_interleave"),
)
BASE_KEYS = (
    *("rope_theta", "rotary_emb_base", "global_rope_theta", "rope_local_base_freq"),
    *("local_rope_theta", "swa_rope_theta", "compress_rope_theta"),
)
SHARE_KEYS = "partial_rotary_factor", "rotary_pct", "rotary_dim"
# Values unlike any default.
PROBES = {**dict.fromkeys(BASE_KEYS, 54321.0), "rotary_dim": 16}
WIDTH_KEYS = "attention_head_dim", "kv_channels", "qk_rope_head_dim", "global_head_dim", "head_dim"
# What most types have; only what differs is written down.
USUAL: dict[str, Any] = {
    "rotation": "plain",
    "layout": "half-split",
    "bases": ["rope_theta"],
    "shares": [],
    "share in rope": False,
    "share if scaled": True,
    "widths": ["head_dim", "hidden_size / num_attention_heads"],
    "base": 10000.0,
    "share": 1.0,
    "scaled share": None,
    "defaults": {},
    "rope": {},
    "in rope": {},
    "objects": ["rope_scaling", "rope_parameters"],
    "old name": True,
    "base in object": True,
    "layers": {},
    "rotated": {},
    "rotated part": "first",
    "inside": [],
}
QUOTIENT = USUAL["widths"][1]
TWICE = "2 * " + QUOTIENT
PROBE = 54321.0
OWN_RULE = "a rule of its own"
# M-RoPE has the frequencies of RoPE: where the three positions of a token are equal, it is RoPE.
WITH_FREQUENCIES = "plain", "multimodal"
AXIAL = "dinov3_vit", "eomt_dinov3", "sapiens2", "efficientloftr", "lightglue", "vjepa2"
AXIAL += "llama4_vision_model", "esmfold2"
OF_THEIR_OWN = "musicflamingo", "muse_glimmer_text", "muse_spark_text", "clvp_encoder"
OF_THEIR_OWN += "seamless_m4t", "wav2vec2-bert", "wav2vec2-conformer", "step3p5", "dots3_note_text"
# Their modules hold code of rotations that these models do not use.
WITHOUT_ROTATION = "jamba", "nemotron_h", "kimi_linear", "glm5_next_text", "moshi_depth"
# What no probe can see.
BY_HAND: dict[str, dict[str, Any]] = {
    **{name: {"rotation": "axial"} for name in AXIAL},
    **{name: {"rotation": OWN_RULE} for name in OF_THEIR_OWN},
    **{name: {"rotation": "none"} for name in WITHOUT_ROTATION},
    "deepseek_v4": {"rotated part": "last"},
    # Their sections of the pairs fit one width only, so that no other can be tried.
    "cosmos3_edge_text": {"widths": ["head_dim", USUAL["widths"][1]]},
    "ernie4_5_vl_moe_text": {"widths": ["head_dim", USUAL["widths"][1]]},
    "hy_v4_vl_text": {"widths": ["qk_rope_head_dim"]},
    "zamba2": {"widths": ["attention_head_dim", "head_dim", TWICE]},
}
GLOBAL_HEADS = "gemma4_text", "gemma4_unified_text", "diffusion_gemma_text"
GLOBAL_HEADS += ("embedding_gemma2_text",)
# Their classes compute these in code that no field shows.
DEFAULTS_BY_HAND: dict[str, dict[str, Any]] = {
    **{name: {"global_head_dim": 512} for name in GLOBAL_HEADS},
    "mistral4": {"head_dim": 128},
}
NOT_DEFAULTS = {"mistral4": ("qk_rope_head_dim",)}
DEEPSEEK_V4 = {
    "widths": ["head_dim"],
    "shares": ["partial_rotary_factor", "qk_rope_head_dim"],
    "share": 0.125,
    "share in rope": True,
    "base in object": False,
    "rope": {"rope_type": "default"},
}
BY_HAND_KINDS: dict[str, dict[str, Any]] = {
    "deepseek_v4": {
        "compress": {
            **DEEPSEEK_V4,
            "bases": ["compress_rope_theta"],
            "in rope": {"attention_factor": 1.0},
        },
        "main": DEEPSEEK_V4,
    },
    # Its own code, unlike that of the methods, takes this share where an object names none.
    "mimo_v2_flash": {
        kind: {"share": 0.334, "scaled share": 1.0}
        for kind in ("full_attention", "sliding_attention")
    },
    "mistral4": {
        **{"widths": ["head_dim"], "shares": [], "share in rope": False, "share": 1.0},
        **{"in rope": {"partial_rotary_factor": 0.5}, "objects": ["rope_parameters"]},
    },
}
# Which layers rotate, by a line of the model's code.
RULES = (
    (
        r"if self\.sliding_window is not None( or self\.force_rope)?:\n\s+(cos, sin|query)",
        "sliding",
    ),
    (r"if self\.is_local_attention:\n\s+cos, sin", "sliding"),
    (r'position_embeddings if layer_type == "sliding_attention" else None', "sliding"),
    (r"if self\.sliding_window is None or self\.is_sliding:\n\s+(cos, sin|query)", "if_sliding"),
    (r'position_embeddings if self\.config\.layer_types\[i\] == "full_attention"', "full"),
    (r"self\.use_rope = config\.no_rope_layers\[layer_idx\]", "no_rope_layers"),
    (r'config\.position_embedding_type == "rope"', "rope"),
    (r'self\.position_embedding_type == "rotary"', "rotary"),
    (r"if self\.config\.use_mem_rope:\n\s+cos, sin", "use_mem_rope"),
    (r"if alibi is None:\n\s+cos, sin", "alibi"),
)
ROTATED: dict[str, dict[str, Any]] = {
    "sliding": {"layer_types": ["sliding_attention"]},
    "if_sliding": {"layer_types": ["sliding_attention"], "if": "sliding_window"},
    "full": {"layer_types": ["full_attention"]},
    "no_rope_layers": {"flags": "no_rope_layers", "interval": "no_rope_layer_interval"},
    "rope": {"key": "position_embedding_type", "value": "rope"},
    "rotary": {"key": "position_embedding_type", "value": "rotary"},
    "use_mem_rope": {"key": "use_mem_rope", "value": True},
    "alibi": {"key": "alibi", "value": False},
}
INSIDE = "text_config", "thinker_config", "decoder", "decoder_config", "vlm_config"
# Types whose code was read: not part of transformers, or without a class of frequencies.
ELSEWHERE: dict[str, dict[str, Any]] = {
    "chatglm": {
        "layout": "adjacent",
        "widths": ["kv_channels", QUOTIENT],
        "share": 0.5,
        "rope_ratio": True,
        "defaults": {"seq_length": 2048},
    },
    "roformer": {
        "layout": "adjacent",
        "bases": [],
        "widths": [QUOTIENT],
        "objects": [],
        "defaults": {
            **{"hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 1536},
        },
    },
    # Its code is that of DeepSeek-V3.
    "kimi_k2": {
        "layout": "adjacent in, half-split out",
        "widths": ["qk_rope_head_dim", "head_dim"],
        "defaults": {"qk_rope_head_dim": 64},
    },
    "qwen": {
        "bases": ["rotary_emb_base"],
        "shares": ["rotary_pct"],
        "widths": ["kv_channels", QUOTIENT],
        "doubling": True,
        "defaults": {"kv_channels": 128, "seq_length": 2048},
    },
}


def main(arguments: list[str]) -> None:
    """Record, or count."""
    if "--count" in arguments:
        sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
        from tools.recorded import counted

        print(counted())
        return
    import transformers_code as code

    types, unrotated, cases = {}, [], []
    for model_type, config_class in code.config_classes().items():
        facts = facts_of(config_class)
        if facts is None:
            continue
        if facts == {"rotation": "none"}:
            unrotated.append(model_type)
            continue
        types[model_type] = {key: value for key, value in facts.items() if value != USUAL[key]}
        cases += recorded_cases(model_type, config_class, facts)
        print(model_type, len(cases), file=sys.stderr)
    write_table(types, unrotated, f"transformers {code.VERSION}")
    write_frequencies(cases)


def facts_of(config_class: Any) -> dict[str, Any] | None:
    """What the table says of a type, with all keys of :data:`USUAL`; ``None`` if nothing can be."""
    import transformers_code as code

    by_hand = BY_HAND.get(config_class.model_type, {})
    inside = part_inside(config_class)
    if inside:
        return {**USUAL, "inside": inside}
    found = code.rotary_class(config_class)
    speaks = code.SPEAKS_OF_ROPE.search(inspect.getsource(config_class)) or hasattr(
        config_class, "rope_parameters"
    )
    if by_hand and found is None:
        return {**USUAL, **by_hand} if by_hand != {"rotation": "none"} else by_hand
    if found is None or not (speaks or by_hand):
        return (
            None
            if has_parts(config_class) or code.may_rotate(config_class)
            else {"rotation": "none"}
        )
    module, rotary = found
    facts = {
        **USUAL,
        "layout": code.layout(module),
        "rotation": rotation(config_class, rotary),
        "defaults": defaults(config_class),
        "rotated": rotated(inspect.getsource(module)),
        **by_hand,
    }
    if facts["rotation"] in WITH_FREQUENCIES:
        facts |= probed(config_class, rotary) | by_hand
    return facts


def part_inside(config_class: Any) -> list[str]:
    """The key of the text model inside, and its type if the file does not name one."""
    parts = getattr(config_class, "sub_configs_defaults", None) or {}
    for key in INSIDE:
        if key in parts:
            return [key, getattr(parts[key], "model_type", None) or ""]
    return []


def has_parts(config_class: Any) -> bool:
    """Whether models of this type consist of others."""
    return bool(getattr(config_class, "sub_configs_defaults", None))


def rotation(config_class: Any, rotary: type) -> str:
    """Plain, or the name of another kind."""
    source = inspect.getsource(rotary)
    if getattr(config_class, "default_rope_type", "") == "axial" or "Vision" in rotary.__name__:
        return "axial"
    if re.search(r"mrope|xdrope|apply_interleaved|expand\(3,", source):
        return "multimodal"
    return "plain"


def defaults(config_class: Any) -> dict[str, Any]:
    """The defaults of the class itself, before it computes others from them."""
    fields = {field.name: field.default for field in dataclasses.fields(config_class)}
    name = config_class.model_type
    found = {key: fields.get(key) for key in DEFAULT_KEYS} | DEFAULTS_BY_HAND.get(name, {})
    return {
        key: value
        for key, value in found.items()
        if isinstance(value, bool | int | float | str) and key not in NOT_DEFAULTS.get(name, ())
    }


def rotated(source: str) -> dict[str, Any]:
    """Which layers rotate, if not all."""
    for pattern, name in RULES:
        if re.search(pattern, source):
            return ROTATED[name]
    return {}


def probed(config_class: Any, rotary: type) -> dict[str, Any]:
    """What a type reads, found by changing one key after another; by kinds of layers if several."""
    import transformers_code as code

    def run(**file: Any) -> dict[str, Any]:
        return code.try_rotations(config_class, file, rotary) or {}

    own = run()
    if not own:
        return {"rotation": OWN_RULE}
    parameters = saved_parameters(config_class, {})
    by_hand = BY_HAND_KINDS.get(config_class.model_type, {})
    if set(own) == {""}:
        return probed_kind("", [], config_class, run, parameters) | by_hand
    kinds = [kind for kind, value in parameters.items() if value]
    if set(run(**every_kind(parameters))) >= set(kinds):
        run = partial(run, **every_kind(parameters))
    layers = {kind: None for kind, value in parameters.items() if value is None}
    for kind in sorted(run()):
        facts = probed_kind(kind, kinds, config_class, run, parameters[kind])
        facts |= by_hand.get(kind, {})
        layers[kind] = {key: value for key, value in facts.items() if value != USUAL.get(key)}
    return {"layers": layers}


def every_kind(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a file that has a layer of every kind."""
    kinds = [*parameters]
    return {"layer_types": kinds, "num_hidden_layers": len(kinds)}


LINEAR = {"rope_type": "linear", "factor": 4.0}


def saved_parameters(config_class: Any, file: Mapping[str, Any]) -> dict[str, Any]:
    """The rope_parameters that the class makes of a file."""
    try:
        return getattr(config_class.from_dict(deepcopy(dict(file))), "rope_parameters", None) or {}
    except Exception:  # whatever a model type's own code raises
        return {}


def is_scaled(kind: str, run: Any, **file: Any) -> bool:
    """Whether linear scaling by 4 reaches these layers: it divides 1, the frequency of pair 0."""
    scaled = run(**file).get(kind)
    return scaled is not None and scaled.frequencies[0] == 0.25


def reads_object(kind: str, own: Any, run: Any, key: str) -> bool:
    """Whether one object for the whole model reaches these layers: its factor, or its base."""
    base = {"rope_theta": PROBE}
    if any(is_scaled(kind, run, **{key: {**LINEAR, **more}}) for more in ({}, base)):
        return True
    return run(**{key: {"rope_type": "default", **base}}).get(kind) not in (None, own)


def start_of(kinds: list[str], **more: Any) -> dict[str, Any]:
    """A file with an object for all kinds of layers, and nothing in it that the type knows."""
    rope = {"rope_type": "default", **more}
    return {"rope_parameters": {kind: dict(rope) for kind in kinds} if kinds else rope}


def probed_kind(
    kind: str, kinds: list[str], config_class: Any, run: Any, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """What one kind of layers reads, its base and share, and its object if the file has none.

    A base or share that stands beside a missing object is used unless the default object names it.
    Shares are those read without scaling, so where the default object scales, only what stands
    beside another object tells them.
    """
    starts = start_of(kinds), start_of(kinds, rope_theta=USUAL["base"])
    start = next((start for start in starts if kind in run(**start)), {})
    own, plain = run()[kind], run(**start)[kind]

    def read(file: Mapping[str, Any], before: Any, key: str, value: Any) -> bool:
        changed = run(**file, **{key: value}).get(kind)
        return changed is not None and changed != before

    def keys_read(
        keys: tuple[str, ...], usual: float, only_beside: bool = False
    ) -> tuple[list[str], bool]:
        probes = {key: PROBES.get(key, usual) for key in keys}
        alone = [key for key, value in probes.items() if read({}, own, key, value)]
        counted = [key for key, value in probes.items() if read(start, plain, key, value)]
        counted += [] if only_beside else alone
        if start is starts[1]:  # without a base these layers are computed only if they are scaled
            counted += [key for key, value in probes.items() if read(scaled, before, key, value)]
        return [key for key in keys if key in counted], bool(alone)

    scaled = start_of(kinds, **LINEAR)
    before = run(**scaled).get(kind)
    bases, base_alone = keys_read(BASE_KEYS, PROBE)
    scales = parameters.get("rope_type", "default") != "default"
    shares, share_alone = keys_read(SHARE_KEYS, 0.75, only_beside=scales)
    widths = keys_read(WIDTH_KEYS, 48)[0]
    if not widths or read(start, plain, "hidden_size", 1536):
        widths.append(QUOTIENT)
    saved = saved_parameters(config_class, start)
    saved = saved.get(kind) or saved
    base = saved.get("rope_theta") or base_of(plain)
    if start is starts[1]:
        base = parameters.get("rope_theta", base)
    dropped = {"rope_theta": base_alone, "partial_rotary_factor": share_alone}
    rope = {key: value for key, value in parameters.items() if not dropped.get(key)}
    if not kind and rope == {"rope_type": "default", "rope_theta": base}:
        rope = {}
    base_given = {"rope_theta": USUAL["base"]} if start is starts[1] else {}
    with_share = run(**start_of(kinds, partial_rotary_factor=0.75, **base_given)).get(kind)
    names = [key for key in shares if key != "rotary_dim"] or ["partial_rotary_factor"]
    objects = [key for key in USUAL["objects"] if reads_object(kind, own, run, key)]
    old_linear = {"type": "linear", "factor": 4.0}
    old_name = is_scaled(kind, run, rope_scaling=old_linear) or not is_scaled(
        kind, run, rope_scaling=LINEAR
    )
    return {
        "bases": bases,
        "shares": shares,
        "share in rope": with_share not in (None, plain),
        "share if scaled": before is None or any(read(scaled, before, key, 0.75) for key in names),
        "widths": USUAL["widths"] if widths in (["head_dim"], USUAL["widths"]) else widths,
        "base": base,
        "share": saved.get("partial_rotary_factor") or USUAL["share"],
        "rope": {} if rope == {"rope_type": "default"} else rope,
        "objects": objects,
        "old name": old_name,
    }


def base_of(rotation: Any) -> float:
    """The base of frequencies that nothing scales, as far as float32 tells it."""
    frequencies = rotation.frequencies
    return float(f"{frequencies[1] ** -len(frequencies):.4g}")


def recorded_cases(
    model_type: str, config_class: Any, facts: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Files of a type in several styles, with what its code computes for each kind of layers."""
    import transformers_code as code

    found = code.rotary_class(config_class)
    if found is None or facts["inside"]:
        return
    files = dict(files_of(config_class, facts))
    if facts["rotation"] not in WITH_FREQUENCIES:
        files = {"empty": {}}
    for style, file in files.items():
        computed = code.try_rotations(config_class, file, found[1])
        if computed is not None or facts["rotation"] not in WITH_FREQUENCIES:
            yield {
                "style": style,
                "file": {"model_type": model_type, **file},
                "kinds": computed or {},
            }


def files_of(config_class: Any, facts: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Files in the styles that lie in public repositories."""
    shape = {"hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 8192}
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048}
    yield "empty", {}
    yield "shape", shape
    yield "head_dim", {**shape, "head_dim": 96}
    yield "old base", {**shape, "rope_theta": PROBE}
    yield "old linear", {**shape, "rope_scaling": {"type": "linear", "factor": 4.0}}
    yield "old yarn", {**shape, "rope_theta": PROBE, "rope_scaling": yarn}
    # Of the shares that are tried, one is the default of some types, which would tell nothing.
    for share in (0.5, 0.75):
        old = {**shape, "rope_theta": PROBE, "partial_rotary_factor": share}
        yield f"old share {share}", old
        yield (
            f"old scaled share {share}",
            {**old, "rope_scaling": {"type": "linear", "factor": 4.0}},
        )
        yield f"share {share} beside", {**old, "rope_parameters": {"rope_type": "default"}}
    yield "new default", {**shape, "rope_parameters": {"rope_type": "default"}}
    yield "new base", {**shape, "rope_parameters": {"rope_type": "default", "rope_theta": PROBE}}
    yield "new yarn", {**shape, "rope_parameters": {**yarn, "rope_theta": PROBE}}
    share = {"rope_type": "default", "rope_theta": PROBE, "partial_rotary_factor": 0.75}
    yield "whole ramp", {**shape, "rope_scaling": {**yarn, "truncate": False}}
    yield "new share", {**shape, "rope_parameters": share}
    kinds = [kind for kind, value in facts["layers"].items() if value is not None]
    if set(kinds) > {"full_attention"}:
        shape |= every_kind(facts["layers"])
    for name, rope in {
        "default": {"rope_type": "default", "rope_theta": PROBE},
        "linear": {**LINEAR, "rope_theta": PROBE},
        "whole ramp": {**yarn, "truncate": False},
        "share": share,
    }.items():
        if kinds:  # which must not be given one and the same object
            yield f"nested {name}", {**shape, "rope_parameters": {kind: {**rope} for kind in kinds}}
    for kind in kinds:
        yield f"nested {kind}", {**shape, "rope_parameters": {kind: {**yarn, "rope_theta": PROBE}}}
    if kinds:
        yield "nested empty", {**shape, "rope_parameters": {kind: {} for kind in kinds}}
    yield "saved", saved_file(config_class)


def saved_file(config_class: Any) -> dict[str, Any]:
    """The default config as transformers saves it, without what no rotation reads."""
    whole = json.loads(config_class().to_json_string(use_diff=False))
    wanted = {*DEFAULT_KEYS, *BASE_KEYS, *SHARE_KEYS, *WIDTH_KEYS}
    wanted |= {"rope_parameters", "rope_scaling", "layer_types", "per_layer_config"}
    return {key: value for key, value in whole.items() if key in wanted and value is not None}


def write_table(types: Mapping[str, Any], unrotated: list[str], source: str) -> None:
    """Write the table, one type a line."""
    parts = {
        "recorded from": source,
        "usual": USUAL,
        "without rotation": unrotated,
        "elsewhere": ELSEWHERE,
    }
    head = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in parts.items()]
    lines = [f"{json.dumps(name)}: {json.dumps(facts)}" for name, facts in types.items()]
    body = ",\n".join(lines)
    TABLE.write_text("{\n" + "\n".join(head) + '\n"types": {\n' + body + "\n}\n}\n", "utf-8")


def write_frequencies(cases: list[dict[str, Any]]) -> None:
    """Write the cases as JSON, and all different lists of frequencies one after another."""
    pool: dict[tuple[float, ...], int] = {}
    for case in cases:
        case["kinds"] = {
            kind: [pool.setdefault(tuple(result.frequencies), len(pool)), result.attention_factor]
            for kind, result in case["kinds"].items()
        }
    lengths = np.array([len(frequencies) for frequencies in pool], np.int32)
    flat = np.array([number for frequencies in pool for number in frequencies], np.float32)
    text = np.frombuffer(json.dumps(cases).encode(), np.uint8)
    FREQUENCIES.parent.mkdir(exist_ok=True)
    np.savez_compressed(FREQUENCIES, cases=text, lengths=lengths, frequencies=flat)


if __name__ == "__main__":
    main(sys.argv[1:])
