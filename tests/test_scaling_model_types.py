"""What a config leaves to the code of its model type: recorded frequencies, and cases by hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tools.recorded import AGREES, REFUSED, REFUSED_VALUE, WARNED, WRONG, outcomes

from rope_cli.cli.main import main
from rope_cli.document.blocks import Document
from rope_cli.document.formatting import nine_digits
from rope_cli.errors import RopeError
from rope_cli.renderers import render
from rope_cli.scaling.config import ModelConfig, read_config
from rope_cli.scaling.model_types import model_type_named, recorded_from, table
from rope_cli.scaling.report import config_document
from rope_cli.text import LANGUAGES

Keys = dict[str, Any]
SHAPE: Keys = {"hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 8192}
YARN: Keys = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}


def read(tmp_path: Path, keys: Keys) -> ModelConfig:
    """The config in a file with these keys."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps(keys))
    return read_config(str(path))


def report(tmp_path: Path, keys: Keys, length: int | None = None) -> Document:
    """The report on a file with these keys."""
    return config_document(read(tmp_path, keys), length)


def kinds(document: Document) -> list[str]:
    """The kinds of the warnings."""
    return [warning["kind"] for warning in document.parameters["warnings"]]


# Recorded frequencies


@pytest.mark.slow
def test_no_model_type_is_silently_wrong() -> None:
    """Each recorded file agrees to 1e-6, is refused by name, or has a warning that says why not."""
    results = [(case.file["model_type"], case.style, result) for case, result in outcomes()]
    assert [entry for entry in results if entry[2] == WRONG] == []
    counts = Counter(result for *_, result in results)
    assert counts[AGREES] > 3000
    assert counts[REFUSED] > 90
    # Odd rotary widths, which the code of some types rounds up, and default sizes whose quotient,
    # the width of a head, it rounds down.
    refused = {name for name, _, result in results if result == REFUSED_VALUE}
    assert refused == {
        *("glm4_moe", "moonshine", "moonshine_streaming"),
        *("glm4v_moe_text", "qwen3_omni_moe_text"),
    }
    assert counts[WARNED] < 150


def test_the_table_says_where_it_is_from() -> None:
    """The library and its version; every type is an entry that can be read."""
    assert recorded_from().startswith("transformers ")
    content = table()
    names = [*content["types"], *content["without rotation"], *content["elsewhere"]]
    assert len(names) == len(set(names)) > 600
    for name in names:
        assert model_type_named(name).known or content["types"].get(name, {}).get("inside")


# Bases, shares and widths that the file leaves out, or gives under other names: the file, then of
# each type of layers the base, the rotated coordinates, those of the head, pair 1 and the last.
FILES: dict[str, tuple[Keys, list[tuple[str | None, float, int, int, str, str]]]] = {
    "glm4": (
        {"model_type": "glm4", **SHAPE, "head_dim": 128, "rope_theta": 10000.0},
        [(None, 1e4, 64, 128, "0.749894209", "0.000133352143")],
    ),
    "llama4": (
        {
            "model_type": "llama4",
            "text_config": {"model_type": "llama4_text", **SHAPE, "head_dim": 128},
        },
        [(None, 5e5, 128, 128, "0.814617234", "2.45514079e-06")],
    ),
    "modernbert": (
        {"model_type": "modernbert", **SHAPE, "hidden_size": 768, "num_attention_heads": 12},
        [
            ("full_attention", 160000.0, 64, 64, "0.687656022", "9.08884646e-06"),
            ("sliding_attention", 1e4, 64, 64, "0.749894209", "0.000133352143"),
        ],
    ),
    "nomic": (
        {"model_type": "nomic_bert", **SHAPE, "hidden_size": 768, "num_attention_heads": 12},
        [(None, 1000.0, 64, 64, "0.805842188", "0.00124093776")],
    ),
    "persimmon": (
        {"model_type": "persimmon", **SHAPE, "num_attention_heads": 64, "rope_theta": 25000.0},
        [(None, 25000.0, 32, 64, "0.531041852", "7.53236301e-05")],
    ),
    "phi": (
        {"model_type": "phi", **SHAPE, "hidden_size": 2560},
        [(None, 1e4, 40, 80, "0.630957344", "0.000158489319")],
    ),
    "smollm3": (
        {"model_type": "smollm3", **SHAPE, "hidden_size": 2048, "num_attention_heads": 16},
        [(None, 2e6, 128, 128, "0.797161666", "6.27225344e-07")],
    ),
    "stablelm": (
        {"model_type": "stablelm", **SHAPE, "hidden_size": 2560, "rope_theta": 10000},
        [(None, 1e4, 20, 80, "0.398107171", "0.000251188643")],
    ),
    "mixtral": (
        {"model_type": "mixtral", **SHAPE},
        [(None, 1e6, 128, 128, "0.805842188", "1.24093776e-06")],
    ),
    "gemma3 without its local base": (
        {"model_type": "gemma3_text", **SHAPE, "head_dim": 256, "rope_theta": 1000000},
        [
            ("full_attention", 1e6, 256, 256, "0.897687132", "1.11397386e-06"),
            ("sliding_attention", 1e4, 256, 256, "0.930572041", "0.000107460783"),
        ],
    ),
    "zamba2": (
        {
            **{"model_type": "zamba2", **SHAPE, "hidden_size": 2560, "rope_theta": 10000},
            **{"attention_head_dim": 160, "kv_channels": 80, "use_mem_rope": True},
        },
        [(None, 1e4, 160, 160, "0.891250938", "0.000112201845")],
    ),
    "zamba2 without its width": (
        {"model_type": "zamba2", **SHAPE, "hidden_size": 2560, "use_mem_rope": True},
        [(None, 1e4, 160, 160, "0.891250938", "0.000112201845")],
    ),
    "jetmoe": (
        {"model_type": "jetmoe", **SHAPE, "hidden_size": 2048, "kv_channels": 128},
        [(None, 1e4, 128, 128, "0.865964323", "0.000115478198")],
    ),
    "gemma4_unified with widths of single layers": (
        {
            **{"model_type": "gemma4_unified_text", **SHAPE, "head_dim": 256},
            "layer_types": ["sliding_attention", "full_attention"],
            "per_layer_config": {"1": {"head_dim": 512}},
            "rope_parameters": {
                "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
                "full_attention": {
                    **{"rope_type": "proportional", "partial_rotary_factor": 0.25},
                    "rope_theta": 1000000.0,
                },
            },
        },
        [
            ("sliding_attention", 1e4, 256, 256, "0.930572041", "0.000107460783"),
            ("full_attention", 1e6, 512, 512, "0.947463526", "0"),
        ],
    ),
    "falcon without a context length": (
        {"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71, "alibi": False},
        [(None, 1e4, 64, 64, "0.749894209", "0.000133352143")],
    ),
    "chatglm with rope_ratio": (
        {
            **{"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32},
            **{"kv_channels": 128, "rope_ratio": 500, "seq_length": 131072},
        },
        [(None, 5e6, 64, 128, "0.617528758", "3.23871556e-07")],
    ),
    "deepseek_v4": (
        {
            **{"model_type": "deepseek_v4", "hidden_size": 4096, "num_attention_heads": 64},
            **{"head_dim": 512, "qk_rope_head_dim": 64, "max_position_embeddings": 1048576},
            **{"rope_theta": 10000.0, "compress_rope_theta": 160000.0},
            "compress_ratios": [0, 0, 4, 128],
            "rope_scaling": {
                **{"type": "yarn", "factor": 16, "beta_fast": 32, "beta_slow": 1},
                "original_max_position_embeddings": 65536,
            },
        },
        [
            ("compress", 160000.0, 64, 512, "0.687656022", "5.68052904e-07"),
            ("main", 1e4, 64, 512, "0.749894209", "0.000133352143"),
        ],
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_what_a_type_takes_where_a_file_is_silent(name: str, tmp_path: Path) -> None:
    """Bases, shares and widths by the code of the type, without a warning."""
    keys, expected = FILES[name]
    document = report(tmp_path, keys)
    found = []
    for section in document.sections:
        values = section.values
        frequencies = [nine_digits(float(values["inverse_frequencies"][at])) for at in (1, -1)]
        widths = values["rotary_width"], values["head_width"]
        found.append((values["layer_type"], values["base"], *widths, *frequencies))
    assert found == expected
    assert kinds(document) == []
    assert document.holds


# What the code of a type makes of a share: the file, the coordinates that have a frequency other
# than 0 in its first layers, and the key that a warning names.
HALF_AND_LINEAR: Keys = {
    **{"partial_rotary_factor": 0.75, "rope_theta": 10000.0},
    **{"rope_scaling": {"type": "linear", "factor": 2.0}},
}
SHARES: dict[str, tuple[Keys, int, list[str]]] = {
    "scaled, of a type that always takes a half": (
        {"model_type": "bamba", **SHAPE, **HALF_AND_LINEAR},
        64,
        ["partial_rotary_factor"],
    ),
    "scaled, of a type that rotates the whole head": (
        {"model_type": "llama", **SHAPE, **HALF_AND_LINEAR},
        96,
        [],
    ),
    "not scaled, of a type that scales by default": (
        {
            **{"model_type": "gpt_oss", **SHAPE, "head_dim": 64, "partial_rotary_factor": 0.5},
            "rope_scaling": {"rope_type": "default"},
        },
        64,
        ["partial_rotary_factor"],
    ),
    "scaled by default": (
        {"model_type": "gpt_oss", **SHAPE, "head_dim": 64, "partial_rotary_factor": 0.5},
        32,
        [],
    ),
    "beside an object by default that names another": (
        {"model_type": "mistral4", **SHAPE, "partial_rotary_factor": 0.75},
        64,
        ["partial_rotary_factor"],
    ),
    "beside such an object for some layers": (
        {"model_type": "lfm3", **SHAPE, "head_dim": 128, "partial_rotary_factor": 1.0},
        64,
        [],
    ),
    "in an object of which only the scaling is read": (
        {
            **{"model_type": "deepseek_v4", **SHAPE, "head_dim": 512},
            "rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.75},
        },
        64,
        ["rope_parameters.partial_rotary_factor"],
    ),
}


@pytest.mark.parametrize("name", SHARES)
def test_a_share_that_the_code_passes_over(name: str, tmp_path: Path) -> None:
    """Where the share counts, and where it is said not to."""
    keys, rotated, ignored = SHARES[name]
    document = report(tmp_path, keys)
    frequencies = document.sections[0].values["inverse_frequencies"]
    assert 2 * sum(frequency != 0 for frequency in frequencies) == rotated
    warned = [warning["key"] for warning in document.parameters["warnings"]]
    assert [key for key in warned if key.endswith("partial_rotary_factor")] == ignored


def test_a_base_beside_scaled_layers_and_a_ramp_that_is_read_elsewhere(tmp_path: Path) -> None:
    """By code: the base of the model fills in, and truncate counts outside the objects only."""
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048}
    keys = {
        **{"model_type": "mellum", **SHAPE, "head_dim": 64, "rope_theta": 500000.0},
        "rope_parameters": {
            "full_attention": {**yarn, "truncate": False},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        },
    }
    document = report(tmp_path, keys)
    bases = {section.values["layer_type"]: section.values["base"] for section in document.sections}
    assert bases == {"full_attention": 500000.0, "sliding_attention": 10000.0}
    # The ramp begins at 64 ln(2048/64π) / (2 ln 500000) = 5.655, rounded down to 5, and ends at
    # 14.11, rounded up to 15, so pair 6 is divided by a tenth: 0.9 + 0.1 / 4 of its frequency.
    pair_6 = document.sections[0].values["inverse_frequencies"][6]
    assert pair_6 == pytest.approx(0.925 * 500000 ** (-6 / 32), rel=1e-12)
    [warning] = document.parameters["warnings"]
    assert warning["key"] == "rope_parameters.full_attention.truncate"


def test_two_widths_of_a_head_are_told(tmp_path: Path) -> None:
    """The rotated part of latent attention, and another head_dim beside it."""
    keys = {"model_type": "deepseek_v3", **SHAPE, "head_dim": 96, "qk_rope_head_dim": 64}
    document = report(tmp_path, keys)
    assert document.sections[0].values["rotary_width"] == 64
    assert kinds(document) == ["contradictory"]
    # Mistral 4 keeps it in the share of its default object, which does not follow the file.
    document = report(tmp_path, {"model_type": "mistral4", **SHAPE, "qk_rope_head_dim": 32})
    assert document.sections[0].values["rotary_width"] == 64
    assert kinds(document) == ["contradictory"]


def test_scaling_for_some_layers_only(tmp_path: Path) -> None:
    """YaRN reaches Olmo 3's full layers; its sliding ones are not scaled, with a factor of 1."""
    keys = {
        **{"model_type": "olmo3", **SHAPE, "rope_theta": 500000, "max_position_embeddings": 65536},
        **{"sliding_window": 4096, "layer_types": [*["sliding_attention"] * 3, "full_attention"]},
        "rope_scaling": {
            **{"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 8192},
            **{"attention_factor": 1.2079441541679836, "beta_fast": 32, "beta_slow": 1},
        },
    }
    document = report(tmp_path, keys)
    found = {
        section.values["layer_type"]: (
            section.values["method"],
            nine_digits(section.values["attention_factor"]),
        )
        for section in document.sections
    }
    assert found == {
        "full_attention": ("yarn", "1.20794415"),
        "sliding_attention": ("default", "1"),
    }
    assert document.parameters["sliding_window"] == 4096
    assert "attends only to the last 4096 positions" in render(document, "text", "en", width=200)


def test_layers_of_deepseek_v4(tmp_path: Path) -> None:
    """No factor of cosines for YaRN here, and the last coordinates of a head rotate."""
    document = report(tmp_path, FILES["deepseek_v4"][0])
    assert [section.values["attention_factor"] for section in document.sections] == [1.0, 1.0]
    assert document.parameters["rotated_part"] == "last"
    assert "its last, not its first" in render(document, "text", "en", width=200)


@pytest.mark.parametrize(
    ("length", "factor", "last"),
    [(None, "1.243163121", "3.6086937e-06"), (4096, "1.243163121", "5.77390992e-05")],
)
def test_phi_3_5_moe_has_attention_factors_of_its_own(
    length: int | None, factor: str, last: str, tmp_path: Path
) -> None:
    """long_mscale and short_mscale replace sqrt(1 + ln 32 / ln 4096) = 1.19023807."""
    scaling: Keys = {"type": "longrope", "short_factor": [2.0] * 64, "long_factor": [32.0] * 64}
    scaling |= {"short_mscale": 1.243163121016122, "long_mscale": 1.243163121016122}
    keys = {"model_type": "phimoe", **SHAPE, "max_position_embeddings": 131072}
    keys |= {"original_max_position_embeddings": 4096, "rope_theta": 10000.0}
    document = report(tmp_path, {**keys, "rope_scaling": scaling}, length)
    values = document.sections[0].values
    assert f"{values['attention_factor']:.10g}" == factor
    assert nine_digits(float(values["inverse_frequencies"][-1])) == last
    assert kinds(document) == ["assumed"]
    assert document.holds
    other = report(tmp_path, {**keys, "model_type": "phi3", "rope_scaling": scaling})
    assert nine_digits(other.sections[0].values["attention_factor"]) == "1.19023807"


def test_a_misspelled_type_is_suggested(tmp_path: Path) -> None:
    """Nothing is known of it, but what may have been meant."""
    text = render(report(tmp_path, {"model_type": "lama", **SHAPE}), "text", "en", width=300)
    assert "Was llama meant?" in text
    text = render(report(tmp_path, {"model_type": "never_seen", **SHAPE}), "text", "en", width=300)
    assert "nothing is known of it" in text
    assert "meant?" not in text


def test_mpt_with_rope(tmp_path: Path) -> None:
    """transformers knows only MPT without it; the file may ask for it all the same."""
    attention = {"rope": True, "rope_theta": 500000}
    keys = {"model_type": "mpt", "d_model": 256, "n_heads": 4, "max_seq_len": 2048}
    document = report(tmp_path, {**keys, "attn_config": attention})
    assert document.sections[0].values["base"] == 500000
    assert kinds(document)[0] == "unknown"
    with pytest.raises(RopeError, match="rotate nothing"):
        read(tmp_path, {**keys, "attn_config": {"rope": False}})


def test_the_code_of_kimi_k2_is_that_of_deepseek_v3(tmp_path: Path) -> None:
    """Its layout is known, and that 64 coordinates rotate."""
    config = read(tmp_path, {"model_type": "kimi_k2", **SHAPE, "rope_theta": 50000.0})
    assert config.layout == "adjacent in, half-split out"
    assert config.layers[0].rotary_width.value == 64


QWEN1: Keys = {
    **{"model_type": "qwen", "hidden_size": 4096, "num_attention_heads": 32, "kv_channels": 128},
    **{"max_position_embeddings": 32768, "rotary_emb_base": 10000, "rotary_pct": 1.0},
    **{"seq_length": 8192, "use_dynamic_ntk": True},
}


@pytest.mark.parametrize(
    ("length", "base"),
    [
        (8192, "10000"),  # alpha 1
        (8193, "30527.7367"),  # alpha 3: 10000 * 3^(128/126)
        (16384, "30527.7367"),
        (None, "72195.8601"),  # 32768 positions, alpha 7
        (32769, "156588.323"),  # alpha 15
    ],
)
def test_the_base_of_qwen1_grows_in_steps(length: int | None, base: str, tmp_path: Path) -> None:
    """alpha = 2^ceil(log2(n/8192) + 1) - 1, at most 8192 positions unscaled."""
    document = report(tmp_path, QWEN1, length)
    values = document.sections[0].values
    assert values["scaled_base"] == pytest.approx(float(base), rel=1e-6)
    assert document.holds
    logarithmic = report(tmp_path, {**QWEN1, "use_logn_attn": True})
    assert [warning["key"] for warning in logarithmic.parameters["warnings"]] == ["use_logn_attn"]
    plain = report(tmp_path, {**QWEN1, "use_dynamic_ntk": False}).sections[0].values
    assert plain["method"] == "default"


@pytest.mark.parametrize(
    ("keys", "here", "there"),
    [
        ({"attn_factor": 0.8782488562869419}, "1.13862944", "1"),
        ({"apply_yarn_scaling": False}, "1.13862944", "1"),
        ({"apply_yarn_scaling": False, "attn_factor": 0.5}, "1.13862944", "0.5"),
    ],
)
def test_keys_that_only_other_code_reads(keys: Keys, here: str, there: str, tmp_path: Path) -> None:
    """vLLM multiplies; the warning no longer says that the key changes nothing."""
    parameters = {**YARN, "rope_theta": 1e6, **keys}
    config = {"model_type": "qwen3", **SHAPE, "max_position_embeddings": 131072}
    document = report(tmp_path, {**config, "rope_parameters": parameters})
    rows = document.sections[0].values["elsewhere"]
    numbers = [
        (nine_digits(row["here"]), nine_digits(row["there"]))
        for row in rows
        if row["where"] == "vLLM"
    ]
    assert numbers == [(here, there)]
    assert "see the table of other code" in render(document, "text", "en", width=300)


# Layers and models without rotation


@pytest.mark.parametrize(
    "keys",
    [
        {"model_type": "jamba"},
        {"model_type": "nemotron_h", "head_dim": 128, "hybrid_override_pattern": "M-M-M-MM*-"},
        {"model_type": "kimi_linear"},
        *({"model_type": name} for name in ("bert", "gpt2", "gpt_bigcode", "gpt_neo", "electra")),
        *({"model_type": name} for name in ("deberta-v2", "xlnet", "whisper", "mamba2", "bloom")),
        {"model_type": "esm", "position_embedding_type": "absolute"},
        {"model_type": "esm"},
        {"model_type": "granitemoehybrid", "position_embedding_type": "nope", "rope_theta": 10000},
        {"model_type": "granitemoehybrid", "rope_theta": 10000},
        {"model_type": "zamba2", "rope_theta": 10000},
        {"model_type": "falcon", "alibi": True},
        {"model_type": "cohere2", "layer_types": ["full_attention"]},
        {"model_type": "smollm3", "no_rope_layers": [0, 0]},
        {"model_type": "beam", "layer_types": ["full_attention"]},
        {
            **{"model_type": "cohere2", "layer_types": ["sliding_attention", "full_attention"]},
            "rope_parameters": {"full_attention": {"rope_theta": 10000.0}},
        },
        {"model_type": "never_seen", "position_embedding_type": "alibi"},
    ],
    ids=lambda keys: "-".join(map(str, keys.values())),
)
def test_a_model_without_rotation_is_refused_by_name(
    keys: Keys, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line that says so, in both languages, and exit code 2; no table of a rotation."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**SHAPE, **keys}))
    for language, words in (("en", "rotate nothing"), ("ru", "ничего не поворачивается")):
        assert main(["scaling", str(path), "--lang", language]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert words in err
        assert err.count("\n") == 1


MROPE: Keys = {"type": "mrope", "mrope_section": [16, 24, 24]}


@pytest.mark.parametrize(
    ("keys", "base", "last"),
    [
        ({"model_type": "qwen2_5_vl_text", **SHAPE}, 1e6, "1.24093776e-06"),
        ({"model_type": "qwen2_5_vl", **SHAPE, "rope_scaling": MROPE}, 1e6, "1.24093776e-06"),
        ({"model_type": "qwen2_vl", **SHAPE, "rope_theta": 1e4}, 1e4, "0.000115478198"),
        (
            {"model_type": "qwen2_5_omni", "thinker_config": {"text_config": {**SHAPE}}},
            1e6,
            "1.24093776e-06",
        ),
        ({"model_type": "ernie4_5_vl_moe_text", **SHAPE}, 5e5, "2.45514079e-06"),
        ({"model_type": "never_seen", **SHAPE, "rope_scaling": MROPE}, 1e4, "0.000115478198"),
    ],
    ids=lambda keys: keys["model_type"] if isinstance(keys, dict) else None,
)
def test_m_rope_is_rope_for_text(keys: Keys, base: float, last: str, tmp_path: Path) -> None:
    """Three equal positions: the frequencies of RoPE, and a warning that says what is assumed."""
    document = report(tmp_path, keys)
    values = document.sections[0].values
    assert (values["base"], values["rotary_width"]) == (base, 128)
    assert nine_digits(float(values["inverse_frequencies"][-1])) == last
    assert "assumed" in kinds(document)
    for language, words in (("en", "there is only text"), ("ru", "только текст")):
        assert render(document, "text", language, width=300).count(words) == 1


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"model_type": "qwen2_vl", "rope_parameters": {"rope_type": "axial"}}, "axial"),
        ({"model_type": "qwen2_vl_vision"}, "axial"),
        ({"model_type": "dinov3_vit"}, "axial"),
        ({"model_type": "vjepa2"}, "axial"),
        ({"model_type": "muse_spark_text"}, "a rule of its own"),
    ],
    ids=str,
)
def test_another_rotation_is_refused_by_name(keys: Keys, words: str, tmp_path: Path) -> None:
    """Rows and columns of images are not one position a token."""
    with pytest.raises(RopeError, match="not computed here") as refusal:
        read(tmp_path, {**SHAPE, **keys})
    assert words in str(refusal.value)


def test_layers_without_rotation_are_named(tmp_path: Path) -> None:
    """Cohere 2 rotates sliding layers only; SmolLM3 and Llama 4 leave out every fourth layer."""
    types = [*["sliding_attention"] * 3, "full_attention"]
    cohere = {"model_type": "cohere2", **SHAPE, "layer_types": types, "rope_theta": 50000}
    document = report(tmp_path, cohere)
    assert [section.slug for section in document.sections] == ["scaling-sliding_attention"]
    assert document.parameters["unrotated_layer_types"] == ["full_attention"]
    text = render(document, "text", "en", width=200)
    assert "Layers without rotation: full_attention (1 of 4)." in text
    assert "Слои без поворота: full_attention (1 из 4)." in render(
        document, "text", "ru", width=200
    )
    smollm3 = {"model_type": "smollm3", **SHAPE}
    by_list = report(tmp_path, {**smollm3, "no_rope_layers": [1, 1, 1, 0]})
    assert "Layers without rotation: 1 of 4." in render(by_list, "text", "en", width=200)
    assert "One layer of every 4" in render(report(tmp_path, smollm3), "text", "en", width=200)
    every = report(tmp_path, {**smollm3, "no_rope_layers": [1, 1]})
    assert every.parameters["unrotated_layers"] is every.parameters["unrotated_interval"] is None
    exaone = {"model_type": "exaone4", **SHAPE, "layer_types": types}
    assert report(tmp_path, exaone).parameters["unrotated_layer_types"] == ["full_attention"]
    whole = report(tmp_path, {**exaone, "sliding_window": None, "layer_types": types[3:]})
    assert whole.parameters["unrotated_layer_types"] == []


@pytest.mark.parametrize(
    ("keys", "window"),
    [
        ({"model_type": "qwen3"}, None),
        ({"model_type": "qwen3", "sliding_window": 4096}, None),
        ({"model_type": "qwen3", "sliding_window": 4096, "use_sliding_window": True}, 4096),
        ({"model_type": "mistral"}, None),
        ({"model_type": "mistral", "sliding_window": 4096}, 4096),
        ({"model_type": "mistral", "sliding_window": None}, None),
        ({"model_type": "gemma3_text"}, 4096),
        ({"model_type": "gpt_oss", "layer_types": ["sliding_attention"]}, 128),
        ({"model_type": "gpt_oss", "layer_types": ["full_attention"]}, None),
        ({"model_type": "gemma3_text", "sliding_window": 512}, 512),
        ({"model_type": "gemma3_text", "sliding_window": "x"}, None),
    ],
    ids=str,
)
def test_the_window_of_sliding_layers(keys: Keys, window: int | None, tmp_path: Path) -> None:
    """Only of models that are known to have such layers."""
    assert report(tmp_path, {**SHAPE, **keys}).parameters["sliding_window"] == window


# Unknown types


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"model_type": "never_seen"},
        {"model_type": "never_seen", "rope_theta": 1e4},
        {"model_type": "never_seen", "rope_theta": 1e4, "partial_rotary_factor": 0.5},
    ],
    ids=str,
)
def test_an_unknown_type_is_said_to_be_unknown(keys: Keys, tmp_path: Path) -> None:
    """Each default is a warning, and nothing is claimed of other code."""
    document = report(tmp_path, {**SHAPE, **keys})
    assumed = {"rope_theta", "partial_rotary_factor"} - keys.keys()
    assert kinds(document)[0] == "unknown"
    named = {warning["key"] for warning in document.parameters["warnings"]}
    assert assumed <= named
    assert "hidden_size / num_attention_heads" in named
    assert document.parameters["layout"] is None
    assert document.parameters["type_is_known"] is False
    for language, words in (("en", "No difference is known"), ("ru", "известных отличий нет")):
        assert words not in render(document, "text", language, width=300)
    assert "Layout: not known." in render(document, "text", "en", width=200)


def test_a_language_model_that_does_not_stand_where_its_type_keeps_it(tmp_path: Path) -> None:
    """The keys around it are read, and that is said."""
    document = report(tmp_path, {"model_type": "llama4", **SHAPE, "head_dim": 64})
    assert kinds(document) == ["assumed"]
    assert document.sections[0].values["base"] == 5e5
    nested = {"text_config": {**SHAPE, "head_dim": 64}, "model_type": "llama4"}
    assert kinds(report(tmp_path, nested)) == []


def test_keys_that_a_type_does_not_read(tmp_path: Path) -> None:
    """Llama's code rotates whole heads whatever share is given, and reads one base."""
    keys = {"partial_rotary_factor": 0.5, "rotary_emb_base": 5.0, "rope_local_base_freq": 7.0}
    document = report(tmp_path, {"model_type": "llama", **SHAPE, **keys})
    values = document.sections[0].values
    assert (values["rotary_width"], values["base"]) == (128, 10000.0)
    assert kinds(document) == ["ignored"] * 3


@pytest.mark.parametrize(
    ("keys", "kind", "key"),
    [
        ({"model_type": "mimo_v2_flash", "swa_rope_theta": 5.0}, "ignored", "swa_rope_theta"),
        ({"model_type": "llama", "no_rope_layers": [1, 0]}, "ignored", "no_rope_layers"),
        ({"model_type": "llama", "global_rope": 1}, "unknown", "global_rope"),
        ({"model_type": "falcon", "head_dim": 64}, "contradictory", "head_dim"),
        ({"model_type": "gptj", "rope_scaling": {"type": "linear"}}, "ignored", "rope_scaling"),
        (
            {"model_type": "gemma3_text", "rope_scaling": {"type": "linear", "factor": 4.0}},
            *("contradictory", "rope_scaling.type"),
        ),
    ],
    ids=str,
)
def test_a_key_that_the_code_passes_over(keys: Keys, kind: str, key: str, tmp_path: Path) -> None:
    """Whatever speaks of rotation and is not read is told."""
    warnings = report(tmp_path, {**SHAPE, **keys}).parameters["warnings"]
    assert [(warning["kind"], warning["key"]) for warning in warnings] == [(kind, key)]


# The layout


@pytest.mark.parametrize(
    ("keys", "layout"),
    [
        ({"model_type": "llama"}, "half-split"),
        ({"model_type": "cohere"}, "adjacent"),
        ({"model_type": "gptj", "rotary_dim": 64}, "adjacent"),
        ({"model_type": "roformer"}, "adjacent"),
        ({"model_type": "glm4"}, "adjacent"),
        ({"model_type": "chatglm"}, "adjacent"),
        ({"model_type": "deepseek_v2"}, "adjacent"),
        ({"model_type": "deepseek_v3"}, "adjacent in, half-split out"),
        ({"model_type": "deepseek_v3", "rope_interleave": False}, "half-split"),
        ({"model_type": "nanochat"}, "half-split, backwards"),
        ({"model_type": "gpt_oss"}, "half-split"),
    ],
    ids=str,
)
def test_the_report_says_which_layout_the_code_uses(
    keys: Keys, layout: str, tmp_path: Path
) -> None:
    """Users ask this first; no config says it."""
    document = report(tmp_path, {**SHAPE, **keys})
    assert document.parameters["layout"] == layout
    for language in LANGUAGES:
        words = {"en": "Layout: this model's code", "ru": "Раскладка: код этой модели"}[language]
        assert words in render(document, "text", language, width=300)


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_fits(width: int, language: str, tmp_path: Path) -> None:
    """Neither the layers nor the warnings widen the page."""
    cohere = {"model_type": "cohere2", **SHAPE, "layer_types": ["a_" * 30, "sliding_attention"]}
    for keys in (cohere, {"model_type": "never_seen", **SHAPE}, FILES["deepseek_v4"][0]):
        text = render(report(tmp_path, keys), "text", language, width=width)
        longer = [line for line in text.splitlines() if len(line) > width]
        assert [line for line in longer if "_" not in line] == []
