"""Configs as others than Hugging Face write them: other formats, other names, inner objects."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tools.command import Run

from rope_cli.document.blocks import Document
from rope_cli.document.formatting import nine_digits
from rope_cli.errors import RopeError
from rope_cli.renderers import render
from rope_cli.scaling.config import read_config
from rope_cli.scaling.report import config_document
from rope_cli.scaling.spelling import errors
from rope_cli.scaling.warnings import UNKNOWN_KEY, Warnings

Config = dict[str, Any]
Report = Callable[..., Document]

MISTRAL: Config = {
    **{"dim": 5120, "n_layers": 40, "head_dim": 128, "hidden_dim": 32768, "n_heads": 32},
    **{"n_kv_heads": 8, "rope_theta": 1e9, "vocab_size": 131072},
    "max_position_embeddings": 262144,
    "yarn": {
        **{"original_max_position_embeddings": 16384, "factor": 16, "apply_scale": False},
        **{"beta": 32, "alpha": 1},
    },
}
META: Config = {
    **{"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256},
    **{"ffn_dim_multiplier": 1.3, "multiple_of": 1024, "norm_eps": 1e-5},
    **{"rope_theta": 500000.0, "use_scaled_rope": True},
}
OPENAI: Config = {
    **{"num_hidden_layers": 36, "num_experts": 128, "vocab_size": 201088, "hidden_size": 2880},
    **{"head_dim": 64, "num_attention_heads": 64, "sliding_window": 128, "rope_theta": 150000.0},
    **{"initial_context_length": 4096, "rope_scaling_factor": 32.0},
    **{"rope_ntk_alpha": 1.0, "rope_ntk_beta": 32.0},
}
DEEPSEEK_GGUF: Config = {
    "general.architecture": "deepseek2",
    "deepseek2.embedding_length": 7168,
    "deepseek2.context_length": 163840,
    "deepseek2.attention.head_count": 128,
    "deepseek2.attention.key_length": 192,
    "deepseek2.rope.dimension_count": 64,
    "deepseek2.rope.freq_base": 10000.0,
    "deepseek2.rope.scaling.type": "yarn",
    "deepseek2.rope.scaling.factor": 40.0,
    "deepseek2.rope.scaling.original_context_length": 4096,
    "deepseek2.rope.scaling.yarn_log_multiplier": 0.1,
}
LLAMA: Config = {
    "model_type": "llama",
    **{"hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000.0},
    "max_position_embeddings": 8192,
}


@pytest.fixture
def report(tmp_path: Path) -> Report:
    """The report on a config, written to a file."""

    def reported(config: Any, length: int | None = None, part: str | None = None) -> Document:
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config), "utf-8")
        return config_document(read_config(str(path), part), length)

    return reported


def pairs_of(document: Document, *pairs: int) -> list[str]:
    """The frequencies of some pairs, and the attention factor."""
    (section,) = document.sections
    numbers = [section.values["inverse_frequencies"][pair] for pair in pairs]
    return [nine_digits(float(number)) for number in (*numbers, section.values["attention_factor"])]


def keys_of(document: Document) -> list[str]:
    """Kind and key of each warning."""
    return [f"{warning['kind']} {warning['key']}" for warning in document.parameters["warnings"]]


def sources_of(document: Document) -> dict[str, str]:
    """The column of the sources, in the order of the table."""
    text = render(document, "text", "en")
    rows = [line.strip("│").split("│") for line in text.splitlines() if line.startswith("│")]
    return {row[0].strip(): row[2].strip() for row in rows if len(row) == 3}


# params.json and the like


def test_mistral_scales_by_an_object_of_its_own(report: Report) -> None:
    """The ramp from 13.59 to 24.29 in whole pairs; apply_scale false leaves the length alone."""
    document = report(MISTRAL)
    expected = ["0.0148550802", "0.000697779207", "1.90657993e-05", "1.97642354e-06", "1"]
    assert pairs_of(document, 13, 20, 25, 32) == expected
    assert document.parameters["format"] == "mistral"
    assert keys_of(document) == []
    assert sources_of(document)["beta_fast"] == "yarn.beta"
    scaled = report({**MISTRAL, "yarn": {**MISTRAL["yarn"], "apply_scale": True}})
    assert pairs_of(scaled)[-1] == "1.27725887"  # 0.1 ln 16 + 1


@pytest.mark.parametrize(("window", "base"), [(None, 1e6), (4096, 1e4)])
def test_what_mistral_leaves_out(report: Report, window: int | None, base: float) -> None:
    """Base and context are those of Mistral's code, and the report says that they are assumed."""
    shape = {name: MISTRAL[name] for name in ("dim", "n_layers", "head_dim", "hidden_dim")}
    document = report({**shape, "n_heads": 32, "sliding_window": window})
    assert document.sections[0].values["base"] == base
    assert document.parameters["max_position_embeddings"] == 128000
    assert keys_of(document) == ["assumed max_position_embeddings", "assumed rope_theta"]


def test_meta_says_only_that_it_scales(report: Report) -> None:
    """use_scaled_rope is Llama 3 scaling by 8, 1, 4, 8192, which is said to be assumed."""
    document = report(META, length=131072)
    assert pairs_of(document, 1, 32, 63) == ["0.814617234", "0.000524846161", "3.06892599e-07", "1"]
    assert document.parameters["format"] == "meta"
    assert keys_of(document) == ["assumed use_scaled_rope"]
    assert sources_of(document)["head width"] == "dim / n_heads"
    for plain in ({**META, "use_scaled_rope": False}, without(META, "use_scaled_rope")):
        unscaled = report(plain, length=8192)
        assert pairs_of(unscaled, 32) == ["0.00141421356", "1"]
        assert keys_of(unscaled) == []


def test_llama_4_has_constants_of_its_own(report: Report) -> None:
    """Factor 16 and no ramp: pair 34 is the last that is kept."""
    config = {**META, "dim": 5120, "n_heads": 40, "moe_args": {}, "nope_layer_interval": 4}
    document = report(config, length=8192)
    assert pairs_of(document, 34, 35) == ["0.00093847387", "4.77810618e-05", "1"]
    assert "ignored nope_layer_interval" in keys_of(document)


def test_openai_scales_without_rounding(report: Report) -> None:
    """The original config of gpt-oss: pair 16 lies between bounds that are no whole numbers."""
    document = report(OPENAI)
    assert pairs_of(document, 1, 16, 31) == [
        *("0.689044306", "0.000456483919", "3.02351143e-07", "1.34657359")
    ]
    assert document.parameters["max_position_embeddings"] == 131072
    assert document.parameters["format"] == "openai"


def without(config: Config, *names: str) -> Config:
    """A config without some of its keys."""
    return {name: value for name, value in config.items() if name not in names}


# GGUF


WRAPPED = {
    "as it is": DEEPSEEK_GGUF,
    "in metadata, with types": {
        "metadata": {name: {"type": "?", "value": value} for name, value in DEEPSEEK_GGUF.items()},
        "tensors": {"output.weight": {}},
    },
    "in model_info": {"model_info": DEEPSEEK_GGUF},
    "numbers as text": {name: str(value) for name, value in DEEPSEEK_GGUF.items()},
}


@pytest.mark.parametrize("wrapping", WRAPPED)
def test_gguf_metadata(report: Report, wrapping: str) -> None:
    """DeepSeek-V3 as llama.cpp stores it gives the frequencies of its config.json."""
    document = report(WRAPPED[wrapping])
    assert pairs_of(document, 1, 16, 31) == ["0.749894209", "0.0055", "3.33380358e-06", "1"]
    assert document.sections[0].values["softmax_factor"] == pytest.approx(1.87385421, abs=5e-9)
    assert document.parameters["format"] == "gguf"
    listed = wrapping == "in metadata, with types"
    assert keys_of(document) == ([] if listed else ["assumed rope_freqs.weight"])


def test_gguf_sections_are_read_for_text_alone(report: Report) -> None:
    """The sections of M-RoPE change no frequency, and what is assumed of them is said."""
    sections = {"deepseek2.rope.dimension_sections": [16, 24, 24, 0]}
    document = report({**DEEPSEEK_GGUF, **sections})
    assert "assumed deepseek2.rope.dimension_sections" in keys_of(document)
    assert pairs_of(document, 1, 16, 31) == pairs_of(report(DEEPSEEK_GGUF), 1, 16, 31)


def test_gguf_keeps_divisors_in_a_tensor(report: Report) -> None:
    """Llama 3 scaling is not in the metadata: the report says what its table leaves out."""
    llama = {
        "general.architecture": "llama",
        "llama.context_length": 131072,
        "llama.embedding_length": 4096,
        "llama.attention.head_count": 32,
        "llama.rope.freq_base": 500000.0,
        "llama.rope.dimension_count": 128,
    }
    document = report({"metadata": llama, "tensors": [{"name": "rope_freqs.weight"}]})
    assert pairs_of(document, 32) == ["0.00141421356", "1"]
    assert keys_of(document) == ["contradictory rope_freqs.weight"]
    partly = report({**llama, "llama.rope.dimension_count": 64})
    assert partly.sections[0].values["rotary_width"] == 64


REFUSED: dict[str, tuple[Any, str]] = {
    "true as a number": ({**META, "use_scaled_rope": 1}, "use_scaled_rope is 1; accepted: true"),
    "a list of YaRN": ({**MISTRAL, "yarn": [16]}, "yarn is a list; accepted: an object"),
    "a factor as text": (
        {**MISTRAL, "yarn": {**MISTRAL["yarn"], "factor": "16"}},
        'yarn.factor is "16"; accepted: a number',
    ),
    "YaRN without a factor": (
        {**MISTRAL, "yarn": without(MISTRAL["yarn"], "factor")},
        "yarn.factor is missing",
    ),
    "a list of architectures": (
        {**DEEPSEEK_GGUF, "general.architecture": ["llama"]},
        "general.architecture is a list; accepted: a name",
    ),
    "LongRoPE, whose lists are tensors": (
        {**DEEPSEEK_GGUF, "deepseek2.rope.scaling.type": "longrope"},
        "short_factor is missing",
    ),
    "a tokenizer": ({"tokenizer_class": "Qwen2Tokenizer"}, "looks like tokenizer_config.json"),
    "an index": ({"weight_map": {}, "metadata": {}}, "looks like model.safetensors.index.json"),
    "an adapter": ({"peft_type": "LORA", "r": 8}, "looks like adapter_config.json"),
    "pictures only": ({"vision_config": LLAMA}, "accepted: --part with vision_config"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_the_key_of_the_file(case: str, report: Report) -> None:
    """A refusal names the key as the file calls it, or the file by its kind."""
    config, expected = REFUSED[case]
    with pytest.raises(RopeError) as refusal:
        report(config)
    assert expected in refusal.value.sentence("en")
    assert refusal.value.sentence("ru").isprintable()


# Names


OTHER_NAMES: dict[str, Config] = {
    "MPT and DBRX": {
        **{"d_model": 4096, "n_heads": 32, "max_seq_len": 8192},
        "attn_config": {"rope_theta": 500000.0, "kv_n_heads": 8},
    },
    "hybrids": {
        **{"hidden_size": 4096, "num_heads": 4, "max_position_embeddings": 8192},
        "attn": {"num_heads": 32, "rope_theta": 500000.0},
    },
    "OLMo": {
        **{"d_model": 4096, "n_heads": 32, "max_sequence_length": 8192, "rope_theta": 500000.0},
    },
    "GPT-NeoX": {
        **{"n_embd": 4096, "n_head": 32, "n_ctx": 8192, "rotary_emb_base": 500000.0},
        "rotary_percent": 1.0,
    },
    "a head of its own": {
        **{"model_dim": 1024, "num_heads": 32, "d_head": 128, "seq_len": 8192},
        "rope_base": 500000.0,
    },
}


@pytest.mark.parametrize("names", OTHER_NAMES)
def test_other_names(report: Report, names: str) -> None:
    """The same model under other names."""
    document = report({"model_type": "x", **OTHER_NAMES[names]})
    assert pairs_of(document, 1, 32, 63) == ["0.814617234", "0.00141421356", "2.45514079e-06", "1"]
    assert document.parameters["max_position_embeddings"] == 8192
    others = [key for key in keys_of(document) if not key.startswith("assumed")]
    assert others == ["unknown model_type"]


# Objects inside


@pytest.mark.parametrize(
    "part",
    ["text_config", "llm_config", "language_config", "lm_config", "thinker_config.text_config"],
)
def test_the_language_model_is_found(report: Report, part: str) -> None:
    """Wherever it stands, and the report says where."""
    config: Config = LLAMA
    for name in reversed(part.split(".")):
        config = {"model_type": "omni", "vision_config": {"hidden_size": 1024}, name: config}
    document = report(config)
    assert pairs_of(document, 32) == ["0.00141421356", "1"]
    assert document.parameters["part"] == part
    assert f"read from the object {part}" in " ".join(render(document, "text", "en").split())
    assert part in render(document, "html", "ru")


def test_one_of_several_is_chosen(report: Report) -> None:
    """The thinker is read and the talker named; --part chooses any object with a model."""
    talker = {**LLAMA, "rope_theta": 1e6}
    config = {
        "thinker_config": {"text_config": LLAMA, "audio_config": {"d_model": 1280}},
        "talker_config": {"text_config": talker},
    }
    document = report(config)
    assert keys_of(document) == ["assumed thinker_config.text_config"]
    assert document.parameters["warnings"][0]["used"] == "talker_config.text_config"
    chosen = report(config, part="talker_config.text_config")
    assert chosen.sections[0].values["base"] == 1e6
    assert keys_of(chosen) == []


def test_part_takes_nothing_from_around_it(report: Report) -> None:
    """A vision model has not the base of the language model, nor has text that of its frame.

    Text of an unknown type takes what it leaves out.
    """
    vision = {"hidden_size": 1024, "num_attention_heads": 16, "max_position_embeddings": 256}
    config = {**LLAMA, "vision_config": vision, "text_config": without(LLAMA, "rope_theta")}
    assert report(config, part="vision_config").sections[0].values["base"] == 10000.0
    document = report(config)
    assert document.sections[0].values["base"] == 10000.0
    assert keys_of(document) == ["ignored rope_theta"]
    config["text_config"] = {**config["text_config"], "model_type": "nobodys"}
    assert report(config).sections[0].values["base"] == 500000.0


def test_part_on_the_command_line(tmp_path: Path, run: Run) -> None:
    """A misspelled part is refused with those that there are."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"llm_config": LLAMA, "vision_config": {"hidden_size": 8}}), "utf-8")
    result = run("scaling", str(path), "--part", "lm_config")
    assert result.returncode == 2
    assert b"accepted: llm_config, vision_config; did you mean llm_config?" in result.stderr
    assert run("scaling", str(path), "--part", "llm_config").returncode == 0


# Without a context length


def test_context_length_is_assumed_where_it_changes_nothing(report: Report) -> None:
    """No length is needed to show frequencies; the report says that it is not given."""
    config = without(LLAMA, "model_type", "max_position_embeddings")
    document = report(config)
    assert document.parameters["max_position_embeddings"] is None
    assumed = "assumed max_position_embeddings"
    assert assumed in keys_of(document)
    assert assumed not in keys_of(report(config, length=8192))
    scaling = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    assert report({**config, "rope_scaling": scaling}).parameters["length"] == 131072


@pytest.mark.parametrize("scaling", [{"type": "dynamic"}, {"type": "yarn"}])
def test_context_length_that_a_method_needs(report: Report, scaling: Config) -> None:
    """Dynamic scaling and YaRN without an original length cannot do without it."""
    config = without(LLAMA, "model_type", "max_position_embeddings")
    with pytest.raises(RopeError, match="max_position_embeddings is missing"):
        report({**config, "rope_scaling": {**scaling, "factor": 2.0}})


def test_axial_rotation_is_refused_by_name(report: Report) -> None:
    """Not for want of a context length, which no vision model has."""
    axial = {"embed_dim": 1280, "num_heads": 16, "rope_parameters": {"rope_type": "axial"}}
    with pytest.raises(RopeError, match='scaling method "axial"'):
        report(axial)


# Whatever stands there


PIECES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1e300, 10**60, "", "x", [], [0], {}, {"a": [{}]}),
    *("yarn", "linear", {"value": []}, {"rope_theta": {}}, float("nan")),
)


@pytest.mark.slow
@pytest.mark.parametrize("config", [MISTRAL, META, OPENAI, DEEPSEEK_GGUF, *WRAPPED.values()])
def test_anything_is_a_report_or_a_refusal(report: Report, config: Config) -> None:
    """One or two values replaced by others: a refusal in one line, or a report that holds."""
    generator = random.Random(len(config))
    sentences = []
    for _ in range(60):
        changed = json.loads(json.dumps(config))
        for _ in range(generator.choice((1, 2))):
            place = changed
            while True:
                key = generator.choice(sorted(place))
                inner = place[key]
                if isinstance(inner, dict) and inner and generator.random() < 0.8:
                    place = inner
                    continue
                place[key] = deepcopy(generator.choice(PIECES))
                break
        try:
            document = report(changed)
        except RopeError as refusal:
            sentences.append(refusal.sentence("en"))
        else:
            assert document.holds, changed
    assert [sentence for sentence in sentences if not sentence.isprintable()] == []


# Typing errors


MISSPELLED: dict[str, tuple[Config, str]] = {
    "a key that a method needs": (
        {**LLAMA, "rope_scaling": {"rope_type": "linear", "facter": 2.0}},
        "rope_scaling.factor is missing, and rope_scaling.facter looks like a misspelling of it",
    ),
    "a width": (
        {"hiden_size": 4096, "num_attention_heads": 32},
        "hidden_size is missing, and hiden_size looks like a misspelling of it",
    ),
    "heads": (
        {"hidden_size": 4096, "num_atention_heads": 32},
        "num_attention_heads is missing, and num_atention_heads looks like",
    ),
    "a method": (
        {**LLAMA, "rope_scaling": {"rope_type": "lama3", "factor": 2.0}},
        'config.json": rope_scaling.rope_type asks for the scaling method "lama3", which is not '
        "supported; accepted: default, linear, ntk, dynamic, yarn, llama3, longrope, proportional; "
        "did you mean llama3?",
    ),
    "a method in capitals": (
        {**LLAMA, "rope_scaling": {"rope_type": "YARN", "factor": 2.0}},
        "did you mean yarn?",
    ),
}


@pytest.mark.parametrize("case", MISSPELLED)
def test_misspelled_key_that_is_needed(case: str, report: Report) -> None:
    """The refusal names the file, the key that is missing and what stands there instead."""
    config, expected = MISSPELLED[case]
    with pytest.raises(RopeError) as refusal:
        report(config)
    assert expected in refusal.value.sentence("en")


@pytest.mark.parametrize(
    ("config", "key", "meant"),
    [
        ({"rope_thetta": 1e6}, "rope_thetta", "rope_theta"),
        ({"partial_rotary_facter": 0.5}, "partial_rotary_facter", "partial_rotary_factor"),
        ({"head_dims": 64}, "head_dims", "head_dim"),
        ({"max_postion_embeddings": 9}, "max_postion_embeddings", "max_position_embeddings"),
        ({"rope_scalling": {"type": "linear"}}, "rope_scalling", "rope_scaling"),
        (
            {"rope_scaling": {"type": "yarn", "factor": 2.0, "beta_fsat": 8}},
            "rope_scaling.beta_fsat",
            "beta_fast",
        ),
        ({"rope_scaling": {"rope_typ": "yarn"}}, "rope_scaling.rope_typ", "rope_type"),
    ],
)
def test_misspelled_key_that_may_be_left_out(
    config: Config, key: str, meant: str, report: Report
) -> None:
    """It changes nothing, as in transformers, and the warning says which key it looks like."""
    shape = without(LLAMA, "rope_theta", "max_position_embeddings" if "postion" in key else "")
    document = report({**shape, **config})
    found = [warning for warning in document.parameters["warnings"] if warning["key"] == key]
    assert found == [{"kind": "unknown", "key": key, "meant": meant}]


@pytest.mark.parametrize(
    "key", ["v_head_dim", "num_beams", "num_key_value_heads", "scale", "head_dimension_of_it"]
)
def test_other_keys_are_not_taken_for_misspelled(key: str, report: Report) -> None:
    """Keys that models have, near as they may be to those that are read."""
    assert keys_of(report({**LLAMA, key: 4})) == []


@pytest.mark.parametrize(
    ("key", "name", "expected"),
    [
        *(("factor", "factor", 0), ("facter", "factor", 1), ("fatcor", "factor", 1)),
        *(("factr", "factor", 1), ("ffactor", "factor", 1), ("fctro", "factor", 2)),
        *(("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3)),
    ],
)
def test_errors_of_a_word(key: str, name: str, expected: int) -> None:
    """Letters that are missing, added, wrong or swapped."""
    assert errors(key, name) == expected


# Bounds


BOUNDED: dict[str, tuple[Config, str]] = {
    "keys of one object": (
        {**LLAMA, "rope_scaling": {f"k{key}": 1 for key in range(20000)}},
        "len(rope_scaling) is 20000; accepted: at most 1024 keys",
    ),
    "keys of all types of layers": (
        {
            **LLAMA,
            "rope_parameters": {f"t{at}": dict.fromkeys("abcdefghijklmnop", 1) for at in range(64)},
        },
        "len(rope_parameters) is 1088",
    ),
    "keys of the model": (
        {**LLAMA, **{f"rope_{key}": 1 for key in range(100000)}},
        "len(config) is 100005",
    ),
    "keys of the language model": (
        {"text_config": {**LLAMA, **{f"rope_{key}": 1 for key in range(1100)}}},
        "len(text_config) is 1105",
    ),
    "coordinates of all types of layers": (
        {
            **{"head_dim": 65536, "max_position_embeddings": 4096},
            "rope_parameters": {f"t{at}": {"rope_type": "default"} for at in range(3)},
        },
        "head_dim × 3 is 196608; accepted: at most 131072 rotated coordinates",
    ),
    "a list of divisors": (
        {**LLAMA, "rope_scaling": {"type": "longrope", "short_factor": [1] * 10**5}},
        "len(rope_scaling.short_factor) is 100000; accepted: 64",
    ),
}


@pytest.mark.parametrize("case", BOUNDED)
def test_what_a_config_may_ask_for(case: str, report: Report) -> None:
    """Too much is refused by its number, in far less than a second."""
    config, expected = BOUNDED[case]
    with pytest.raises(RopeError) as refusal:
        report(config)
    assert expected in refusal.value.sentence("en")


def test_repeated_keys_are_bounded(tmp_path: Path) -> None:
    """Keys that stand twice are named one by one, so there may not be too many of them."""
    path = tmp_path / "config.json"
    pairs = ", ".join(f'"k{key}": 1, "k{key}": 2' for key in range(2000))
    path.write_text(f'{{"head_dim": 64, "text": {{{pairs}}}}}', "utf-8")
    with pytest.raises(RopeError, match=r"len\(repeated keys\) is 2000"):
        read_config(str(path))


def test_as_many_keys_as_are_accepted(report: Report) -> None:
    """A thousand warnings are named without comparing each with each."""
    scaling = {"type": "linear", "factor": 2.0, **{f"key{key}": 1 for key in range(1022)}}
    document = report({**LLAMA, "rope_scaling": scaling})
    assert len(keys_of(document)) == 1022
    collected = Warnings()
    for _ in range(3):
        collected.add(UNKNOWN_KEY, key="a")
    assert len(Warnings(collected)) == len(collected) == 1


def test_json_escapes_what_a_terminal_obeys(report: Report) -> None:
    """Control characters and marks of direction, which JSON itself would let through."""
    signs = "\x7f\x80\x9b\u200e\u202e\u2066\u2028\ufeff"
    document = replace(report(LLAMA), parameters={"name": signs + "é"})
    text = render(document, "json", "ru")
    assert not set(text) & set(signs)
    assert "\\u007f\\u0080\\u009b\\u200e\\u202e\\u2066\\u2028\\ufeffé" in text
    assert json.loads(text)["parameters"]["name"] == signs + "é"
