"""``rope-report scaling``: real configs in old and new style, garbage, and checks that can fail."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.command import Run
from tools.phi4 import LONG_FACTORS

from rope_cli.cli.main import main
from rope_cli.document import formatting
from rope_cli.document.blocks import Document, Significant
from rope_cli.document.formatting import nine_digits
from rope_cli.errors import RopeError
from rope_cli.renderers import render
from rope_cli.rope import ramps, scaling
from rope_cli.rope.scaled_frequencies import Band, Scaled
from rope_cli.scaling import compute, descriptions, json_files, other_libraries, reference
from rope_cli.scaling.config import read_config
from rope_cli.scaling.methods import METHOD_KEYS
from rope_cli.scaling.report import WARNING_WORDS, config_document
from rope_cli.scaling.warnings import CONTRADICTION
from rope_cli.text import LANGUAGES

NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]\d+)?")
Config = dict[str, Any]
Write = Callable[..., str]

LLAMA_SHAPE: Config = {"hidden_size": 4096, "num_attention_heads": 32}
LLAMA3: Config = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
YARN: Config = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
LONGROPE: Config = {
    "type": "longrope",
    "short_factor": [1.0] * 48,
    "long_factor": list(LONG_FACTORS),
}
QWEN: Config = {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "num_attention_heads": 28,
    "max_position_embeddings": 32768,
    "rope_theta": 1000000.0,
}
DEEPSEEK: Config = {
    "model_type": "deepseek_v3",
    "hidden_size": 7168,
    "num_attention_heads": 128,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "max_position_embeddings": 163840,
    "rope_theta": 10000,
    "rope_scaling": {
        "type": "yarn",
        "factor": 40,
        "original_max_position_embeddings": 4096,
        "beta_fast": 32,
        "beta_slow": 1,
        "mscale": 1.0,
        "mscale_all_dim": 1.0,
    },
}
GPT_OSS: Config = {
    "model_type": "gpt_oss",
    "hidden_size": 2880,
    "num_attention_heads": 64,
    "head_dim": 64,
    "max_position_embeddings": 131072,
    "rope_theta": 150000,
    "rope_scaling": {
        "rope_type": "yarn",
        "factor": 32.0,
        "original_max_position_embeddings": 4096,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
        "truncate": False,
    },
}
PHI4: Config = {
    "model_type": "phi3",
    "hidden_size": 3072,
    "num_attention_heads": 24,
    "partial_rotary_factor": 0.75,
    "max_position_embeddings": 131072,
    "original_max_position_embeddings": 4096,
    "rope_theta": 10000.0,
    "rope_scaling": LONGROPE,
}
GEMMA3: Config = {
    "model_type": "gemma3",
    "text_config": {
        "model_type": "gemma3_text",
        "hidden_size": 2560,
        "rope_scaling": {"rope_type": "linear", "factor": 8.0},
    },
}
NEMO: Config = {
    "model_type": "mistral",
    "hidden_size": 5120,
    "num_attention_heads": 32,
    "head_dim": 128,
    "max_position_embeddings": 131072,
    "rope_theta": 1000000.0,
}
GPTJ: Config = {
    "model_type": "gptj",
    "n_embd": 4096,
    "n_head": 16,
    "n_positions": 2048,
    "rotary_dim": 64,
}


def llama(positions: Any, base: Any = None, **more: Any) -> Config:
    """A config of Llama's shape."""
    theta = {} if base is None else {"rope_theta": base}
    return (
        {"model_type": "llama", **LLAMA_SHAPE, "max_position_embeddings": positions} | theta | more
    )


def new_style(config: Config, **inside: Any) -> Config:
    """The same config with everything in one ``rope_parameters``."""
    rest = {name: value for name, value in config.items() if name not in ("rope_theta",)}
    old = rest.pop("rope_scaling", {})
    parameters = {"rope_theta": config.get("rope_theta", 10000.0), **old, **inside}
    parameters["rope_type"] = parameters.pop("type", parameters.get("rope_type", "default"))
    return rest | {"rope_parameters": parameters}


LLAMA31 = llama(131072, 500000.0, rope_scaling=LLAMA3)
# A config, then of its first type of layers pairs 0, 1, the middle one and the last, and a.
MODELS: dict[str, tuple[Config, tuple[str, ...]]] = {
    "Llama-2-7B": (llama(4096), ("1", "0.865964323", "0.01", "0.000115478198", "1")),
    "CodeLlama-7B": (
        llama(16384, 1000000),
        ("1", "0.805842188", "0.001", "1.24093776e-06", "1"),
    ),
    "Llama-3-8B": (
        llama(8192, 500000.0),
        ("1", "0.814617234", "0.00141421356", "2.45514079e-06", "1"),
    ),
    "Llama-3.1-8B": (LLAMA31, ("1", "0.814617234", "0.000524846161", "3.06892599e-07", "1")),
    "Llama-3.2-1B": (
        {
            **LLAMA31,
            "hidden_size": 2048,
            "head_dim": 64,
            "rope_scaling": {**LLAMA3, "factor": 32.0},
        },
        ("1", "0.663601238", "0.000429556797", "9.41830673e-08", "1"),
    ),
    "Gemma-3-4B": (GEMMA3, ("0.125", "0.112210892", "0.000125", "1.39246732e-07", "1")),
    "Qwen2.5-7B": (QWEN, ("1", "0.805842188", "0.001", "1.24093776e-06", "1")),
    "Qwen2.5-7B with YaRN": (
        {**QWEN, "rope_scaling": YARN},
        ("1", "0.805842188", "0.000602941176", "3.1023444e-07", "1.13862944"),
    ),
    "Mistral-Nemo": (NEMO, ("1", "0.805842188", "0.001", "1.24093776e-06", "1")),
    "DeepSeek-V3": (DEEPSEEK, ("1", "0.749894209", "0.0055", "3.33380358e-06", "1")),
    "gpt-oss": (GPT_OSS, ("1", "0.689044306", "0.000456483919", "3.02351143e-07", "1.34657359")),
    "Phi-4-mini": (PHI4, ("1", "0.738074692", "0.000682979284", "2.53616843e-06", "1.19023807")),
    "GPT-J-6B": (GPTJ, ("1", "0.749894209", "0.01", "0.000133352143", "1")),
    "Phi-2": (
        llama(2048, model_type="phi", hidden_size=2560, partial_rotary_factor=0.4),
        ("1", "0.562341325", "0.01", "0.000177827941", "1"),
    ),
    "GLM-4-9B": (
        llama(131072, model_type="glm", head_dim=128, partial_rotary_factor=0.5),
        ("1", "0.749894209", "0.01", "0.000133352143", "1"),
    ),
}


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a config and return the name of its file, in a directory of its own."""
    monkeypatch.chdir(tmp_path)

    def written(config: Any) -> str:
        data = config if isinstance(config, bytes) else json.dumps(config).encode()
        Path("config.json").write_bytes(data)
        return "config.json"

    return written


def reported(write: Write, config: Any, length: int | None = None) -> Document:
    """The report on a config."""
    return config_document(read_config(write(config)), length)


def spelled(document: Document, layer: int = 0) -> tuple[str, ...]:
    """Pairs 0, 1, the middle one and the last, and the attention factor."""
    values = document.sections[layer].values
    frequencies = values["inverse_frequencies"]
    numbers = [
        frequencies[0],
        frequencies[1],
        frequencies[len(frequencies) // 2],
        frequencies[-1],
        values["attention_factor"],
    ]
    return tuple(nine_digits(float(number)) for number in numbers)


def warnings(document: Document) -> list[tuple[str, str]]:
    """Kind and key of each warning."""
    return [(warning["kind"], warning["key"]) for warning in document.parameters["warnings"]]


# Real models


@pytest.mark.parametrize("style", ["old", "new"])
@pytest.mark.parametrize("model", MODELS)
def test_real_models(model: str, style: str, write: Write) -> None:
    """The files of real models give their known frequencies in both styles, without a warning."""
    config, expected = MODELS[model]
    if style == "new" and model not in ("Gemma-3-4B", "GPT-J-6B"):
        config = new_style(config)
    document = reported(write, config)
    assert spelled(document) == expected
    assert document.holds
    assert warnings(document) == []


def test_layer_types_are_told_apart(write: Write) -> None:
    """Gemma 3 has slow global layers and fast local ones, in the old style and nested."""
    local = ("1", "0.930572041", "0.01", "0.000107460783", "1")
    nested = {
        "model_type": "gemma3_text",
        "head_dim": 256,
        "max_position_embeddings": 131072,
        "rope_parameters": {
            "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
            "sliding_attention": {"rope_type": "default"},
        },
    }
    for config in (GEMMA3, nested):
        document = reported(write, config)
        slugs = [section.slug for section in document.sections]
        assert slugs == ["scaling-full_attention", "scaling-sliding_attention"]
        assert spelled(document, 1) == local
        assert spelled(document) == MODELS["Gemma-3-4B"][1]


def test_proportional_layers_of_gemma4(write: Write) -> None:
    """A quarter of the pairs of the wider global heads turn; null layers are not rotated."""
    parameters = {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6}
    config = {
        "model_type": "gemma4_text",
        "head_dim": 256,
        "max_position_embeddings": 131072,
        "rope_parameters": {
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
            "full_attention": parameters,
            "no_attention": None,
            "rope_theta": 5.0,
        },
    }
    document = reported(write, config)
    local, whole = (section.values for section in document.sections)
    assert (local["head_width"], whole["head_width"]) == (256, 512)
    assert whole["band_counts"] == {"kept": 64, "blended": 0, "divided": 0, "still": 192}
    assert warnings(document) == [
        ("assumed", "rope_parameters.no_attention"),
        ("unknown", "rope_parameters.rope_theta"),
    ]
    assert document.holds


def test_longrope_follows_the_length(write: Write) -> None:
    """Up to 4096 positions Phi-4-mini has its short list; ``su`` is the same method."""
    for scaling_object in (LONGROPE, {**LONGROPE, "type": "su"}, {**LONGROPE, "type": "yarn"}):
        document = reported(write, {**PHI4, "rope_scaling": scaling_object}, 4096)
        assert spelled(document)[1:4] == ("0.825404185", "0.01", "0.000121152766")
        assert document.sections[0].values["divisors"] == "short_factor"
    document = reported(write, PHI4, 4097)
    assert spelled(document) == MODELS["Phi-4-mini"][1]


def test_dynamic_follows_the_length(write: Write) -> None:
    """At the whole context nothing is scaled; beyond it the base grows."""
    config = llama(4096, rope_scaling={"type": "dynamic", "factor": 4.0})
    for length, base in ((None, "10000"), (2048, "10000"), (8192, "51293.7873")):
        document = reported(write, config, length)
        assert nine_digits(document.sections[0].values["scaled_base"]) == base
        assert document.holds
    assert warnings(document) == [("contradictory", "--length")]
    assert "--length = 8192 is greater than" in render(document, "text", "en")


@pytest.mark.parametrize(
    "scaling_object",
    [{"type": "dynamic", "factor": 1.0, "alpha": 8.0}, {"type": "ntk", "factor": 8.0}],
)
def test_ntk_by_either_name(scaling_object: Config, write: Write) -> None:
    """Hunyuan's alpha and the name ntk both mean the fixed base."""
    document = reported(
        write, llama(32768, model_type="hunyuan_v1_dense", rope_scaling=scaling_object)
    )
    values = document.sections[0].values
    assert (values["method"], nine_digits(values["scaled_base"])) == ("ntk", "82684.6226")
    assert spelled(document)[1:4] == ("0.837848002", "0.00347766405", "1.44347748e-05")
    assert document.holds


def test_latent_attention_scales_under_the_softmax(write: Write) -> None:
    """DeepSeek-V3 multiplies its scores by M(1)^2, V2-Lite by M(0.707)^2."""
    for weight, factor in ((1.0, "1.87385421"), (0.707, "1.58962617")):
        scaling_object = {**DEEPSEEK["rope_scaling"], "mscale": weight, "mscale_all_dim": weight}
        document = reported(write, {**DEEPSEEK, "rope_scaling": scaling_object})
        values = document.sections[0].values
        assert values["attention_factor"] == 1.0
        assert nine_digits(values["softmax_factor"]) == factor
        assert factor in render(document, "text", "en")
    assert reported(write, LLAMA31).sections[0].values["softmax_factor"] is None


def test_turns_in_the_context(write: Write) -> None:
    """18 of Llama-2's 64 pairs make less than a full turn in 4096 positions, the last one 0.075."""
    values = reported(write, llama(4096)).sections[0].values
    assert int((values["turns"] < 1).sum()) == 18
    assert [nine_digits(float(values["wavelengths"][pair])) for pair in (0, 63)] == [
        *("6.28318531", "54410.1431")
    ]
    english = render(reported(write, llama(4096)), "text", "en")
    assert "Pairs with less than one full turn in 4096 positions: 18 of 64." in english


# What other code does


def elsewhere_of(document: Document) -> dict[str, tuple[str, str, str]]:
    """For each place what differs, here and there."""
    rows = document.sections[0].values["elsewhere"]
    return {
        row["where"]: (row["number"], nine_digits(row["here"]), nine_digits(row["there"]))
        for row in rows
    }


def test_other_ramps_of_yarn(write: Write) -> None:
    """gpt-oss under code that always widens, and DeepSeek-V3 by the paper's formula."""
    others = elsewhere_of(reported(write, GPT_OSS))
    assert others["YaRN, llama.cpp, mlx-lm"] == (
        *("frequency of pair 17", "0.000129318701", "0.000227947796"),
    )
    assert others["litgpt"] == ("attention factor", "1.34657359", "1")
    others = elsewhere_of(reported(write, DEEPSEEK))
    assert others["the YaRN paper"] == (
        *("frequency of pair 20", "0.000790569415", "0.000184630848"),
    )
    assert "YaRN, llama.cpp, mlx-lm" not in others
    assert "DeepSeek-V3" not in others


def test_other_attention_factors_of_yarn(write: Write) -> None:
    """An attention_factor replaces here, multiplies there, and is not read elsewhere."""
    scaling_object = {**YARN, "factor": 64.0, "attention_factor": 1.0}
    others = elsewhere_of(reported(write, {**QWEN, "rope_scaling": scaling_object}))
    assert others["YaRN"] == others["older vLLM"] == ("attention factor", "1", "1.41588831")
    assert "litgpt" not in others
    ministral = {**YARN, "factor": 16.0, "mscale": 1.0, "mscale_all_dim": 1.0}
    others = elsewhere_of(reported(write, {**QWEN, "rope_scaling": ministral}))
    assert others["YaRN, older vLLM"] == ("attention factor", "1", "1.27725887")
    assert "mlx-lm" not in others
    others = elsewhere_of(reported(write, {**DEEPSEEK, "max_position_embeddings": 4096}))
    assert others["DeepSeek-V3"] == ("factor of the scores", "1.87385421", "1")


def test_other_choices_of_longrope(write: Write) -> None:
    """Some take the long list for short texts too; one has another attention factor for yarn."""
    short_and_long = (
        "frequency of pair 47 in a short sequence",
        "0.000121152766",
        "2.53616843e-06",
    )
    others = elsewhere_of(reported(write, PHI4))
    assert others["mlx-lm"] == others["llama.cpp, vLLM"] == short_and_long
    written_yarn = {**PHI4, "rope_scaling": {**LONGROPE, "type": "yarn"}}
    others = elsewhere_of(reported(write, written_yarn))
    assert others["llama.cpp"] == ("attention factor", "1.19023807", "1.34657359")


def test_other_bases_of_ntk(write: Write) -> None:
    """A fixed base for dynamic scaling, an alpha, and NTK that does not keep pair 0."""
    config = llama(4096, rope_scaling={"type": "dynamic", "factor": 4.0})
    where, here, there = elsewhere_of(reported(write, config, 8192))["vLLM"]
    assert where == "frequency of pair 63"
    assert float(here) == pytest.approx(1.15478198e-4 / 5, rel=1e-8)
    assert float(there) == pytest.approx(1.15478198e-4 / 13, rel=1e-8)
    assert "vLLM" not in elsewhere_of(reported(write, config, 16384))
    with_alpha = llama(4096, rope_scaling={"type": "dynamic", "factor": 4.0, "alpha": 8.0})
    document = reported(write, with_alpha, 16384)
    assert elsewhere_of(document)["vLLM"][2] == "1.44347748e-05"
    assert ("ignored", "rope_scaling.alpha") in warnings(document)
    others = elsewhere_of(reported(write, llama(4096, rope_scaling={"type": "ntk", "factor": 4.0})))
    assert others["vLLM"] == ("frequency of pair 0", "1", "0.978572062")


def test_original_length_of_llama3_elsewhere(write: Write) -> None:
    """A converter that does not look inside the object takes 8192, whatever stands there."""
    inside = llama(
        131072, 500000.0, rope_scaling={**LLAMA3, "original_max_position_embeddings": 4096}
    )
    assert elsewhere_of(reported(write, inside))["llama.cpp"][0].startswith("frequency of pair")
    assert "llama.cpp" not in elsewhere_of(reported(write, LLAMA31))
    outside = {**inside, "original_max_position_embeddings": 4096}
    assert "llama.cpp" not in elsewhere_of(reported(write, outside))


def test_known_mistakes_of_width(write: Write) -> None:
    """The quotient for the head, and the whole head for its rotated part."""
    mistake = elsewhere_of(reported(write, NEMO))["a known mistake"]
    assert mistake == ("frequency of pair 1", "0.805842188", "0.841395142")
    partial = llama(
        4096, 1e7, model_type="glm", head_dim=256, partial_rotary_factor=0.25, hidden_size=8192
    )
    mistake = elsewhere_of(reported(write, partial))["a known mistake"]
    assert mistake == ("frequency of pair 1", "0.60429639", "0.881683067")
    assert elsewhere_of(reported(write, llama(4096))) == {}


@pytest.mark.parametrize(("hidden", "heads"), [(16, 6), (16, 10), (13, 4)])
def test_widths_of_one_pair_have_no_pair_1(hidden: int, heads: int, write: Write) -> None:
    """A quotient of 1 or 2 has nothing to compare; one of 3 has two pairs, rounded up."""
    config = llama(4096, head_dim=8, hidden_size=hidden, num_attention_heads=heads)
    mistake = elsewhere_of(reported(write, config)).get("a known mistake")
    assert (mistake is not None) == (hidden // heads == 3)


# Warnings


ODD: dict[str, tuple[Config, list[tuple[str, str]]]] = {
    "a key nobody knows": (
        llama(4096, rope_scaling={"type": "linear", "factor": 2.0, "finetuned": True}),
        [("unknown", "rope_scaling.finetuned")],
    ),
    "a key of the model nobody knows": (
        llama(4096, rope_ratio=500),
        [("unknown", "rope_ratio")],
    ),
    "a key of another method": (
        llama(4096, rope_scaling={"type": "linear", "factor": 2.0, "beta_fast": 32}),
        [("ignored", "rope_scaling.beta_fast")],
    ),
    "a factor without a method": (
        llama(4096, rope_scaling={"factor": 2.0}),
        [("assumed", "rope_scaling"), ("ignored", "rope_scaling.factor")],
    ),
    "two bases": (
        llama(4096, 10000.0, rope_parameters={"rope_type": "default", "rope_theta": 500000.0}),
        [("contradictory", "rope_theta")],
    ),
    "two shares": (
        llama(
            4096,
            model_type="phi",
            partial_rotary_factor=0.5,
            rope_parameters={"rope_type": "default", "partial_rotary_factor": 0.25},
        ),
        [("contradictory", "partial_rotary_factor")],
    ),
    "a share and a width": (
        llama(4096, model_type="minimax_m2", partial_rotary_factor=0.5, rotary_dim=32),
        [("contradictory", "rotary_dim")],
    ),
    "two methods": (
        llama(4096, rope_scaling={"rope_type": "linear", "type": "dynamic", "factor": 2.0}),
        [("contradictory", "rope_scaling.type")],
    ),
    "two objects": (
        llama(
            4096,
            rope_scaling={"rope_type": "linear", "factor": 2.0},
            rope_parameters={"rope_type": "linear", "factor": 4.0},
        ),
        [("contradictory", "rope_parameters")],
    ),
    "two original lengths": (
        llama(131072, 1e6, rope_scaling=YARN, original_max_position_embeddings=65536),
        [
            ("contradictory", "rope_scaling.original_max_position_embeddings"),
            ("contradictory", "rope_scaling.factor"),
        ],
    ),
    "a factor that is not the ratio": (
        llama(131072, 1e6, rope_scaling={**YARN, "factor": 8}),
        [("contradictory", "rope_scaling.factor")],
    ),
    "a factor that is null": (
        llama(131072, 1e6, rope_scaling={**YARN, "factor": None}),
        [("assumed", "rope_scaling.factor")],
    ),
    "no original length": (
        llama(131072, 1e6, rope_scaling={"type": "yarn", "factor": 4.0}),
        [("assumed", "rope_scaling.original_max_position_embeddings")],
    ),
    "an original length beyond the context": (
        llama(4096, 5e5, rope_scaling=LLAMA3),
        [("contradictory", "rope_scaling.original_max_position_embeddings")],
    ),
    "no band": (
        llama(131072, 5e5, rope_scaling={**LLAMA3, "low_freq_factor": 4.0}),
        [("contradictory", "rope_scaling.high_freq_factor")],
    ),
    "a factor below 1": (
        llama(4096, rope_scaling={"type": "linear", "factor": 0.5}),
        [("contradictory", "rope_scaling.factor")],
    ),
    "an old name": (
        {**PHI4, "rope_scaling": {**LONGROPE, "type": "su"}},
        [("assumed", "rope_scaling.rope_type")],
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_config_is_warned_about(case: str, write: Write) -> None:
    """What is unknown, ignored, contradictory or assumed is said, and the report still holds."""
    config, expected = ODD[case]
    document = reported(write, config)
    assert warnings(document) == expected
    assert document.holds
    for language in LANGUAGES:
        text = render(document, "text", language, width=300)
        assert all(WARNING_WORDS[kind].in_language(language) in text for kind, _ in expected)
        assert all(key in text for _, key in expected)


def test_key_written_twice(write: Write) -> None:
    """JSON lets a key stand twice; the last one counts, and that is said."""
    data = json.dumps(llama(4096, 10000.0)).encode().replace(b"{", b'{"rope_theta": 5.0, ', 1)
    document = reported(write, data)
    assert warnings(document) == [("contradictory", "rope_theta")]
    assert document.sections[0].values["base"] == 10000.0


def test_what_is_used_where_a_file_contradicts_itself(write: Write) -> None:
    """The object before the keys around it, the outer original length, the old object first."""
    base = reported(write, ODD["two bases"][0]).sections[0].values["base"]
    share = reported(write, ODD["two shares"][0]).sections[0].values["rotary_width"]
    factor = reported(write, ODD["two objects"][0]).sections[0].values["method_values"]["factor"]
    original = reported(write, ODD["two original lengths"][0]).sections[0].values["turning_length"]
    assert (base, share, factor, original) == (500000.0, 32, 2.0, 65536)
    assert "the second value is used" in CONTRADICTION.sentence.en


# Garbage


def broken(**changes: Any) -> Config:
    """Llama-3.1 with some keys of its object changed; a key that is ``...`` is left out."""
    scaling_object = {**LLAMA3, **changes}
    return {
        **LLAMA31,
        "rope_scaling": {k: v for k, v in scaling_object.items() if v is not ...},
    }


GARBAGE: dict[str, tuple[Any, str]] = {
    "empty": (b"", "it is empty"),
    "blank": (b" \n", "it is empty"),
    "not JSON": (b'{"a": 1,', "not JSON at line 1, column 9"),
    "not UTF-8": (b'{"a": "\xff"}', "not UTF-8"),
    "a list": ([], "no JSON object"),
    "a string": ("config", "no JSON object"),
    "null": (None, "no JSON object"),
    "a number": (b"NaN", "no JSON object"),
    "a depth bomb": (b'{"a":' + b"[" * 100_000, "nested too deeply"),
    "a bomb of objects": (b'{"a":' * 100_000, "nested too deeply"),
    "too large": (b'{"a": "' + b"x" * json_files.LARGEST_FILE + b'"}', "larger than 4 MiB"),
    "nothing": ({}, "head_dim is missing"),
    "no width": ({"max_position_embeddings": 4096}, "head_dim is missing"),
    "no heads": (llama(4096, num_attention_heads=0), "num_attention_heads is 0"),
    "heads that do not divide": (llama(4096, num_attention_heads=33), "hidden_size is 4096"),
    "odd heads": (llama(4096, hidden_size=480), "num_attention_heads is 15"),
    "heads of one": (llama(4096, hidden_size=32), "hidden_size / num_attention_heads is 1;"),
    "an odd head": (llama(4096, head_dim=127), "head_dim is 127"),
    "a boundless head": (llama(4096, head_dim=2**40), "head_dim is 1099511627776"),
    "a huge whole number": (llama(10**300), "max_position_embeddings is ~10^300"),
    "more digits than Python reads": (
        json.dumps(llama(4096)).encode().replace(b"4096}", b"9" * 5000 + b"}"),
        'max_position_embeddings is "99999',
    ),
    "a huge base": (llama(4096, 1e200), "rope_theta is 1e+200"),
    "a base that is infinite": (llama(4096, math.inf), "rope_theta is Infinity"),
    "a base that is no number": (llama(4096, math.nan), "rope_theta is NaN"),
    "a base of 1": (llama(4096, 1.0), "rope_theta is 1;"),
    "a base of 0": (llama(4096, 0), "rope_theta is 0;"),
    "a base that is a list": (llama(4096, [1e4]), "rope_theta is a list"),
    "half a position": (llama(4096.5), "max_position_embeddings is 4096.5"),
    "no position": (llama(0), "max_position_embeddings is 0"),
    "positions that are true": (llama(True), "max_position_embeddings is true"),
    "an object that is a string": (llama(4096, rope_scaling="linear"), 'rope_scaling is "linear"'),
    "an object that is a list": (llama(4096, rope_parameters=[1]), "rope_parameters is a list"),
    "text that is a list": ({"text_config": [1]}, "text_config is a list"),
    "no factor": (broken(factor=...), "rope_scaling.factor is missing"),
    "factor null": (broken(factor=None), "rope_scaling.factor is missing"),
    "factor 0": (broken(factor=0), "rope_scaling.factor is 0;"),
    "factor -1": (broken(factor=-1), "rope_scaling.factor is -1;"),
    "factor true": (broken(factor=True), "rope_scaling.factor is true"),
    "factor NaN": (broken(factor=math.nan), "rope_scaling.factor is NaN"),
    "factor too great": (broken(factor=1e300), "rope_scaling.factor is 1e+300"),
    "factor a string": (broken(factor="8"), 'rope_scaling.factor is "8"'),
    "factor an object": (broken(factor={"a": {}}), "rope_scaling.factor is an object"),
    "low above high": (broken(low_freq_factor=8.0), "high_freq_factor is 4"),
    "no low": (broken(low_freq_factor=...), "low_freq_factor is missing"),
    "an original length of 1": (
        broken(original_max_position_embeddings=1),
        "original_max_position_embeddings is 1;",
    ),
    "a method that is a number": (broken(rope_type=3), "rope_scaling.rope_type is 3"),
    "a method nobody knows": (
        broken(rope_type="llama4"),
        'the scaling method "llama4", which is not supported',
    ),
    "axial": (broken(rope_type="axial"), 'the scaling method "axial", which is not supported'),
    "a ramp the wrong way": (
        llama(131072, 1e6, rope_scaling={**YARN, "beta_fast": 1, "beta_slow": 32}),
        "rope_scaling.beta_fast is 1;",
    ),
    "a slow beta above the usual fast one": (
        llama(131072, 1e6, rope_scaling={**YARN, "beta_slow": 64}),
        "rope_scaling.beta_slow is 64;",
    ),
    "truncate a number": (
        llama(131072, 1e6, rope_scaling={**YARN, "truncate": 1}),
        "rope_scaling.truncate is 1;",
    ),
    "a negative mscale": (
        llama(131072, 1e6, rope_scaling={**YARN, "mscale": -0.5}),
        "rope_scaling.mscale is -0.5",
    ),
    "a short list": (
        {**PHI4, "rope_scaling": {**LONGROPE, "long_factor": [1.0] * 47}},
        "len(rope_scaling.long_factor) is 47; accepted: 48",
    ),
    "a list with a zero": (
        {**PHI4, "rope_scaling": {**LONGROPE, "short_factor": [1.0] * 47 + [0]}},
        "rope_scaling.short_factor[47] is 0",
    ),
    "a list that is none": (
        {**PHI4, "rope_scaling": {**LONGROPE, "short_factor": "1"}},
        'rope_scaling.short_factor is "1"',
    ),
    "no list": (
        {**PHI4, "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 48}},
        "rope_scaling.long_factor is missing",
    ),
    "a share of nothing": (
        llama(4096, model_type="phi", partial_rotary_factor=0),
        "partial_rotary_factor is 0;",
    ),
    "a share above 1": (llama(4096, partial_rotary_factor=1.5), "partial_rotary_factor is 1.5"),
    "a share that leaves an odd width": (
        llama(4096, model_type="phi", partial_rotary_factor=0.25, head_dim=20, hidden_size=640),
        "partial_rotary_factor is 0.25",
    ),
    "a rotated part wider than the head": (
        llama(4096, model_type="gptj", rotary_dim=256),
        "rotary_dim is 256",
    ),
    "a share too small to turn": (
        llama(4096, rope_scaling={"rope_type": "proportional"}, partial_rotary_factor=0.001),
        "partial_rotary_factor is 0.001",
    ),
    "too many types of layers": (
        llama(4096, rope_parameters={f"type{at}": {} for at in range(65)}),
        "len(rope_parameters) is 65",
    ),
    "a hostile name": (
        llama(4096, rope_parameters={"\x1b[31m{}{x}\n" * 99: {"rope_type": "x\u202e\n{y}" * 99}}),
        "is not supported",
    ),
    "a hostile key": (
        llama(4096, rope_parameters={"\x1b[31m{}{x}\n" * 99: {"rope_theta": "{z}\u2028" * 99}}),
        "rope_theta",
    ),
}


@pytest.mark.parametrize("case", GARBAGE)
def test_garbage_is_one_line(case: str, write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """The rule, the value and what is accepted, in either language, and exit code 2."""
    data, reason = GARBAGE[case]
    path = write(data)
    for language, accepted in (("en", "accepted: "), ("ru", "допустимо: ")):
        assert main(["scaling", path, "--lang", language]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("rope-report: ")
        assert err.endswith("\n")
        assert err[:-1].isprintable()
        assert len(err) < 500
        assert accepted in err
        assert language == "ru" or reason in err


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("nowhere.json", "no such file or directory"),
        (".", "it is a directory"),
        ("a\0b", "no file can have this name"),
        (os.devnull, "it is empty"),
        ("/dev/zero", "larger than 4 MiB"),
    ],
)
def test_what_is_no_file_is_one_line(
    path: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing file, a directory, an impossible name, and an endless one."""
    assert main(["scaling", path]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert reason in err


@pytest.mark.parametrize(
    "length", ["0", "-1", "1.5", "", "x", "9" * 99, "\uff11", "9007199254740993"]
)
def test_length_is_a_whole_number(
    length: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """From 1 to 2^53, as a plain number."""
    assert main(["scaling", write(LLAMA31), f"--length={length}"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "--length" in err


@pytest.mark.parametrize("length", ["1", "9007199254740992"])
@pytest.mark.parametrize("model", MODELS)
def test_length_reaches_its_ends(
    model: str, length: str, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """One position and 2^53 of them are accepted by every method, and every check holds."""
    assert main(["scaling", write(MODELS[model][0]), "--length", length]) == 0
    assert capsys.readouterr().err == ""


PIECES: tuple[Any, ...] = (
    *(None, True, 0, -1, 2, 3, 0.5, 1e-320, 1e308, 10**400, math.nan, math.inf, -math.inf),
    *("", "x", "\ud800{}\n", [], [1.0], [[]], {}, {"a": None}, {"rope_type": "yarn"}),
)


def positions_in(config: Config, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The keys that lead to each value of a config."""
    positions = []
    for key, value in config.items():
        positions.append((*before, key))
        if isinstance(value, dict):
            positions += positions_in(value, (*before, key))
    return positions


@pytest.mark.slow
@pytest.mark.parametrize("model", [*MODELS, "Gemma-4"])
def test_one_wrong_value_is_refused_or_reported(model: str, write: Write) -> None:
    """Whatever stands in the place of one value: a refusal of ours, or a report that holds."""
    gemma4 = {"head_dim": 64, "model_type": "gemma4_text", "max_position_embeddings": 4096}
    layers = {"a": {"rope_type": "proportional"}, "b": {"rope_type": "linear", "factor": 2.0}}
    config = MODELS[model][0] if model in MODELS else {**gemma4, "rope_parameters": layers}
    sentences = []
    for *way, last in positions_in(config):
        for piece in PIECES:
            changed = json.loads(json.dumps(config))
            place = changed
            for key in way:
                place = place[key]
            place[last] = piece
            try:
                document = reported(write, changed)
            except RopeError as refusal:
                sentences += [refusal.sentence(language) for language in LANGUAGES]
            else:
                assert document.holds, (way, last, piece)
                render(document, "json", "en")
                assert max(map(len, render(document, "text", "ru").splitlines())) < 120
    assert len(sentences) > 40
    assert [sentence for sentence in sentences if not sentence.isprintable()] == []


def test_harmless_name_of_a_layer_type(write: Write) -> None:
    """Whatever a type of layers is called, the report has no braces to fill and no control sign."""
    name = "\x1b[31m{}{x}[/]\n\u202e слой"
    document = reported(write, llama(4096, rope_parameters={name: {"rope_type": "default"}}))
    for language in LANGUAGES:
        text = render(document, "text", language)
        assert all(line.isprintable() for line in text.splitlines())
        assert "??31m???x" + 11 * "?" in text
        render(document, "json", language)


def test_extreme_values_hold(write: Write) -> None:
    """At the ends of what is accepted every check still holds, without a warning from numpy."""
    for base in (1.001, 1e100):
        for factor in (1e-3, 1.0, 1e9):
            for scaling_object in (
                {"type": "linear", "factor": factor},
                {"type": "ntk", "factor": factor},
                {**YARN, "factor": factor},
                {**YARN, "factor": factor, "attention_factor": 1e9},
                {**LLAMA3, "factor": factor},
                {"type": "dynamic", "factor": factor},
                {"type": "longrope", "short_factor": [factor] * 64, "long_factor": [1e9] * 64}
                | {"factor": factor},
            ):
                document = reported(write, llama(131072, base, rope_scaling=scaling_object))
                failed = [check.name for check in document.checks if not check.holds]
                assert failed == [], (base, scaling_object)


def test_a_misspelled_method_is_told_with_file_and_key(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal names the file, the key, what was given and the method that was meant."""
    for key in ("rope_type", "type"):
        path = write(llama(4096, rope_scaling={key: "lama3", "factor": 8}))
        assert main(["scaling", path]) == 2
        line = capsys.readouterr().err
        assert f'config.json": rope_scaling.{key} asks for the scaling method "lama3"' in line
        assert line.endswith("; did you mean llama3?\n")


# What is printed


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[Document]:
    """The reports on all real models, and on one with every kind of warning."""
    made = []
    path = tmp_path_factory.mktemp("configs") / "config.json"
    for config in [*(config for config, _ in MODELS.values()), *(odd for odd, _ in ODD.values())]:
        path.write_text(json.dumps(config))
        read = replace(read_config(str(path)), path="a config.json")
        made.append(config_document(read))
    return made


def numbers(text: str) -> list[str]:
    return sorted(NUMBER.findall(text))


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_text_is_at_most_80_columns(
    language: str, ascii_only: bool, documents: list[Document]
) -> None:
    """By default no line is longer, no table is stacked, and ASCII forms leave only letters."""
    for document in documents:
        text = render(document, "text", language, ascii_only=ascii_only)
        assert max(map(len, text.splitlines())) <= 80
        assert "\nj: 0" not in text
        assert {sign for sign in text if not sign.isascii() and not sign.isalpha()} == set() or (
            not ascii_only
        )


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [*range(40, 81, 4), 100, 200])
def test_no_number_is_cut(width: int, language: str, documents: list[Document]) -> None:
    """The text holds the numbers of a very wide page; only a long key may stick out."""
    for document in documents:
        wide = render(document, "text", language, width=400)
        text = render(document, "text", language, width=width)
        assert numbers(text) == numbers(wide)
        longer = [line for line in text.splitlines() if len(line) > width]
        assert [line for line in longer if "max_position_embeddings" not in line] == []
        assert width < 50 or not longer


def test_no_number_sits_on_a_rounding_tie(
    documents: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers of nine digits moved by 8 units in the last place are spelled the same."""
    moved: list[float] = []

    def nudged(value: float) -> str:
        around = [value * (1 + way * 2.0**-50) for way in (-1, 1)]
        moved.extend(other for other in around if nine_digits(other) != nine_digits(value))
        return nine_digits(value)

    monkeypatch.setattr("rope_cli.document.formatting.nine_digits", nudged)
    for document in documents:
        render(document, "text", "en")
    assert moved == []
    nudged(1.000000005 * (1 + 2.0**-52))
    assert moved


def rows_of(text: str) -> list[str]:
    """The numbers of the pairs in a table of pairs."""
    return re.findall(r"^│ +(\d+) │", text, re.MULTILINE)


def test_rows_all_prints_every_pair(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """The summary says how many pairs it leaves out; ``--rows all`` leaves out none."""
    path = write(LLAMA31)
    assert main(["scaling", path]) == 0
    summary = capsys.readouterr().out
    before, after = (tables := summary.split("pairs after scaling:"))
    for part in tables:
        hidden = [int(count) for count in re.findall(r"\.\.\. (\d+) more", part)]
        assert len(rows_of(part)) + sum(hidden) == 64
    assert rows_of(before) == (rows := rows_of(after))
    assert rows == sorted(rows, key=int)
    assert "27 28 29 30 33 34 35 36" in " ".join(rows)
    assert "--rows all" in summary
    assert main(["scaling", path, "--rows", "all"]) == 0
    whole = capsys.readouterr().out
    assert rows_of(whole) == [str(pair) for pair in range(64)] * 2
    assert not re.search(r"\d more", whole)
    assert "Next: rope-report show frequencies" in whole


def test_what_is_left_out_is_of_one_band(documents: list[Document]) -> None:
    """The borders of the bands are shown, so a row of pairs left out needs only one band."""
    from rope_cli.scaling.pair_table import row_ranges

    for document in documents:
        for section in document.sections:
            bands = section.values["bands"]
            ranges = row_ranges(bands, every_row=False)
            assert [pair for start, stop in ranges for pair in range(start, stop)] == list(
                range(len(bands))
            )
            assert all(len(set(bands[start:stop])) == 1 for start, stop in ranges)
            assert all(stop - start != 2 or len(bands) > 16 for start, stop in ranges)


def test_json_has_every_value(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """All bits of every pair, what was read, the warnings and the differences."""
    path = write({**GPT_OSS, "rope_extra": 1})
    assert main(["scaling", path, "--format", "json", "--lang", "ru"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["parameters"] == {
        "file": path,
        "format": "hugging-face",
        "part": "",
        "model_type": "gpt_oss",
        "max_position_embeddings": 131072,
        "length": 131072,
        "layout": "half-split",
        "rotated_part": "first",
        "type_is_known": True,
        "unrotated_layer_types": [],
        "unrotated_layers": None,
        "unrotated_interval": None,
        "sliding_window": None,
        "warnings": [{"kind": "unknown", "key": "rope_extra"}],
    }
    (section,) = report["sections"]
    values = section["values"]
    expected = scaling.Yarn(32.0, 4096, truncate=False).scaled(64, 150000.0)
    assert values["inverse_frequencies"] == expected.inverse_frequencies.tolist()
    assert values["unscaled_inverse_frequencies"] == expected.theta.tolist()
    assert values["attention_factor"] == expected.attention_factor
    assert values["score_gain"] == expected.attention_factor**2
    assert values["bands"] == [band.value for band in expected.bands]
    assert values["method_values"]["truncate"] is False
    assert values["ramp_bounds"] == pytest.approx([8.0927791155, 17.3980245016], abs=5e-11)
    assert {row["where"] for row in values["elsewhere"]} == {
        *("a known mistake", "YaRN, llama.cpp, mlx-lm", "the YaRN paper", "litgpt")
    }
    assert all(check["holds"] for check in section["checks"])


def test_values_say_where_they_were_read(write: Write) -> None:
    """Each value stands beside its key, a default beside the word."""
    text = render(reported(write, PHI4), "text", "en", width=120)
    for line in (
        "│ method            │   longrope │ rope_scaling.type ",
        "│ head width        │        128 │ hidden_size / num_attention_heads ",
        "│ rotary width d    │         96 │ partial_rotary_factor ",
        "│ original length L │       4096 │ original_max_position_embeddings ",
        "│ factor s          │         32 │ context / L ",
        "│ long_factor       │ 48 numbers │ rope_scaling ",
    ):
        assert line in text
    assert "by default, gemma3_text.head_dim" in render(reported(write, GEMMA3), "text", "en")
    assert "по умолчанию" in render(reported(write, GPTJ), "text", "ru")


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_says_where_the_attention_factor_applies(language: str, write: Write) -> None:
    """Factor and square beside the words for rows and scores; the unrotated part is named."""
    text = " ".join(render(reported(write, PHI4), "text", language).split())
    assert "1.19023807" in text
    assert "1.41666667" in text
    expected = {
        "en": "Rotated coordinates of a head: 96 of 128.",
        "ru": "Поворачиваемых координат головы: 96 из 128.",
    }
    assert expected[language] in text
    assert set(METHOD_KEYS) == set(descriptions.METHOD_SENTENCES) == set(scaling.METHODS)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.00011547819846894581, "0.000115478198"),
        (1.2409377607517206e-06, "1.24093776e-06"),
        (0.125, "0.125"),
        (1000000.0, "1000000"),
        (1e300, "1e+300"),
        (-0.0, "0"),
    ],
)
def test_nine_significant_digits(value: float, expected: str) -> None:
    """A number whose size matters keeps nine digits, however small it is."""
    for language in LANGUAGES:
        assert formatting.format_line(Significant(value), language) == expected


def test_file_named_in_other_letters(write: Write, run: Run) -> None:
    """An English report on an ASCII stream escapes the letters of a foreign name."""
    path = Path(write(LLAMA31)).rename("модель.json")
    process = run("scaling", str(path), env={"PYTHONIOENCODING": "ascii"})
    assert (process.returncode, process.stderr) == (0, b"")
    assert b"\\u043c\\u043e\\u0434" in process.stdout
    process = run("scaling", str(path), "--lang", "ru", env={"PYTHONIOENCODING": "utf-8"})
    assert "модель.json: тип модели llama" in process.stdout.decode()


# Checks that can fail

EVERY_METHOD: dict[str, Config] = {
    "default": llama(4096),
    "linear": llama(4096, rope_scaling={"type": "linear", "factor": 4.0}),
    "ntk": llama(4096, rope_scaling={"type": "ntk", "factor": 4.0}),
    "dynamic": llama(4096, rope_scaling={"type": "dynamic", "factor": 4.0}),
    "yarn": {**QWEN, "rope_scaling": YARN},
    "gpt-oss": GPT_OSS,
    "llama3": LLAMA31,
    "longrope": PHI4,
    "proportional": llama(
        4096, rope_scaling={"rope_type": "proportional", "factor": 2.0}, partial_rotary_factor=0.25
    ),
}
Break = Callable[[pytest.MonkeyPatch], None]


def changed_result(change: Callable[[Scaled], Scaled]) -> Break:
    """Whatever a method gives is changed afterwards."""

    def broken_by(patch: pytest.MonkeyPatch) -> None:
        for kind in scaling.METHODS.values():
            real = kind.scaled  # type: ignore[attr-defined]

            def wrong(method: Any, *arguments: Any, real: Any = real) -> Scaled:
                return change(real(method, *arguments))

            patch.setattr(kind, "scaled", wrong)

    return broken_by


def frequencies(change: Callable[[np.ndarray[Any, Any]], Any]) -> Break:
    """The frequencies that a method gives are changed."""
    return changed_result(
        lambda scaled: replace(
            scaled, inverse_frequencies=np.array(change(scaled.inverse_frequencies.copy()))
        )
    )


def sine_without_factor(patch: pytest.MonkeyPatch) -> None:
    real = Scaled.factors

    def wrong(scaled: Scaled, positions: Any) -> Any:
        turns = real(scaled, positions)
        return turns.real + 1j * turns.imag / scaled.attention_factor

    patch.setattr(Scaled, "factors", wrong)


def positions_shifted_unevenly(patch: pytest.MonkeyPatch) -> None:
    real = Scaled.factors
    patch.setattr(
        Scaled, "factors", lambda scaled, positions: real(scaled, np.asarray(positions) ** 2)
    )


def widened_for_all(patch: pytest.MonkeyPatch) -> None:
    real = ramps.Yarn.bounds
    patch.setattr(ramps.Yarn, "bounds", lambda yarn, d, b: real(replace(yarn, truncate=True), d, b))


def ramp_of_the_paper(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ramps.Yarn, "ramp", ramps.Yarn.turn_ramp)


def paper_without_its_bounds(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ramps.Yarn, "turn_ramp", lambda yarn, d, b: np.linspace(0, 1, d // 2))


def ramp_turned_round(patch: pytest.MonkeyPatch) -> None:
    real = ramps.Yarn.ramp
    patch.setattr(ramps.Yarn, "ramp", lambda yarn, d, b: 1 - real(yarn, d, b))


def ramp_over_wavelengths(patch: pytest.MonkeyPatch) -> None:
    def kept(llama3: Any, d: int, b: float) -> Any:
        w = 2 * np.pi / b ** (-2 * np.arange(d // 2) / d)
        low, high = llama3.low_freq_factor, llama3.high_freq_factor
        longest, shortest = llama3.original_length / low, llama3.original_length / high
        return np.clip((longest - w) / (longest - shortest), 0, 1)

    patch.setattr(ramps.Llama3, "kept", kept)


def base_fixed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(scaling.DynamicNtk, "stretch", lambda dynamic, length=None: dynamic.factor)


def base_not_clamped(patch: pytest.MonkeyPatch) -> None:
    def stretch(dynamic: Any, length: Any = None) -> Any:
        return max(0.1, dynamic.factor * (length or 1) / dynamic.original_length - 1.5)

    patch.setattr(scaling.DynamicNtk, "stretch", stretch)


def list_switched_too_early(patch: pytest.MonkeyPatch) -> None:
    def divisors(rope: Any, length: Any = None) -> Any:
        name = "long_factor" if (length or 0) >= rope.original_length else "short_factor"
        return name, getattr(rope, name)

    patch.setattr(scaling.LongRope, "divisors", divisors)


def list_never_switched(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        scaling.LongRope,
        "divisors",
        lambda rope, length=None: ("short_factor", rope.short_factor),
    )


def factor_applied_twice(patch: pytest.MonkeyPatch) -> None:
    real = ramps.Yarn.magnitude
    patch.setattr(ramps.Yarn, "magnitude", lambda yarn: real(yarn) ** 2)


BREAKS: dict[str, Break] = {
    "all twice as fast": frequencies(lambda theta: 2 * theta),
    "all a little faster": frequencies(lambda theta: theta * (1 + 1e-9)),
    "pair 0 a last bit faster": frequencies(
        lambda theta: np.r_[np.nextafter(theta[:1], 2), theta[1:]]
    ),
    "the last pair kept": frequencies(lambda theta: np.r_[theta[:-1], theta[-2]]),
    "backwards": frequencies(lambda theta: theta[::-1]),
    "still pairs that turn": frequencies(lambda theta: np.where(theta == 0, 1e-3, theta)),
    "no attention factor": changed_result(lambda scaled: replace(scaled, attention_factor=1.0)),
    "an attention factor for all": changed_result(
        lambda scaled: replace(scaled, attention_factor=1.1)
    ),
    "all called kept": changed_result(
        lambda scaled: replace(scaled, bands=(Band.KEPT,) * len(scaled.bands))
    ),
    "all called divided": changed_result(
        lambda scaled: replace(scaled, bands=(Band.DIVIDED,) * len(scaled.bands))
    ),
    **{
        broken_by.__name__.replace("_", " "): broken_by
        for broken_by in (
            sine_without_factor,
            positions_shifted_unevenly,
            widened_for_all,
            ramp_of_the_paper,
            paper_without_its_bounds,
            ramp_turned_round,
            ramp_over_wavelengths,
            base_fixed,
            base_not_clamped,
            list_switched_too_early,
            list_never_switched,
            factor_applied_twice,
        )
    },
}


@pytest.fixture(scope="module")
def caught(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """For each way to be wrong the checks that fail, whichever method shows it."""
    path = tmp_path_factory.mktemp("broken") / "config.json"
    failed: dict[str, set[str]] = {}
    for name, broken_by in {"nothing": lambda patch: None, **BREAKS}.items():
        failed[name] = set()
        for config in EVERY_METHOD.values():
            path.write_text(json.dumps(config))
            with pytest.MonkeyPatch.context() as patch:
                broken_by(patch)
                for length in (None, 1000):
                    document = config_document(read_config(str(path)), length)
                    failed[name] |= {check.name for check in document.checks if not check.holds}
    return failed


@pytest.mark.slow
def test_right_scaling_passes(caught: dict[str, set[str]]) -> None:
    """Nothing fails where nothing is broken."""
    assert caught["nothing"] == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", BREAKS)
def test_broken_scaling_is_caught(name: str, caught: dict[str, set[str]]) -> None:
    """The report's own checks notice every one of these mistakes."""
    assert caught[name]


@pytest.mark.slow
def test_every_check_is_broken_by_something(caught: dict[str, set[str]]) -> None:
    """No check of the report on a model holds whatever happens."""
    assert set(descriptions.CLAIMS) == set().union(*caught.values())


def test_broken_scaling_is_exit_code_1(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A check that fails is printed and decides the exit code."""
    ramp_turned_round(monkeypatch)
    assert main(["scaling", write(GPT_OSS)]) == 1
    assert "FAILED: frequencies-recomputed" in capsys.readouterr().out


def test_the_witness_uses_nothing_that_it_checks() -> None:
    """The second computation of the frequencies is one of its own."""
    text = Path(reference.__file__).read_text("utf-8")
    assert "from rope_cli" not in text
    assert vars(compute)["reference"] is reference
    assert set(other_libraries.OtherResult._fields) >= {"here", "there"}
