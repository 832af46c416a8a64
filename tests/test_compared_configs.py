"""Frequencies as a picture, and two configs beside each other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rope_cli.cli.main import main
from rope_cli.document.blocks import Document, Series
from rope_cli.document.formatting import nine_digits
from rope_cli.renderers import FORMATS, render
from rope_cli.scaling import two_models, two_models_report
from rope_cli.scaling.report import report
from rope_cli.scaling.two_models import distance_to
from rope_cli.text import LANGUAGES

Config = dict[str, Any]
Write = Callable[[str, Config], str]

LLAMA3: Config = {
    **{"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32},
    **{"rope_theta": 500000.0, "max_position_embeddings": 8192},
}
LLAMA31: Config = {
    **LLAMA3,
    "max_position_embeddings": 131072,
    "rope_scaling": {
        **{"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0},
        **{"high_freq_factor": 4.0, "original_max_position_embeddings": 8192},
    },
}


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a config under a name in the current directory and return the name."""
    monkeypatch.chdir(tmp_path)

    def written(name: str, config: Config) -> str:
        Path(name).write_text(json.dumps(config), "utf-8")
        return name

    return written


def pictures_of(document: Document) -> list[Series]:
    """The pictures of a report."""
    return [
        block
        for section in document.sections
        for block in section.blocks
        if isinstance(block, Series)
    ]


# The picture of one model


def test_picture_before_and_after_scaling(write: Write) -> None:
    """Pair 32 of Llama 3.1 before and after, over its index, on a logarithmic scale."""
    (picture,) = pictures_of(report(write("a.json", LLAMA31)))
    before, after = picture.curves
    assert picture.logarithmic == "y"
    assert before.xs == after.xs == tuple(float(pair) for pair in range(64))
    assert nine_digits(before.ys[32]) == "0.00141421356"
    assert nine_digits(after.ys[32]) == "0.000524846161"


def test_nothing_scaled_has_no_picture(write: Write) -> None:
    """Without scaling there is nothing to compare."""
    assert pictures_of(report(write("a.json", LLAMA3))) == []


EXTREME: dict[str, Config] = {
    "pairs that stand still": {
        "partial_rotary_factor": 0.25,
        "rope_scaling": {"rope_type": "proportional", "factor": 2.0},
    },
    "a huge base": {"rope_theta": 1e100, "rope_scaling": {"type": "linear", "factor": 1e9}},
    "a wide head": {"head_dim": 65536, "rope_scaling": {"type": "linear", "factor": 2.0}},
    "one pair": {"head_dim": 2, "rope_scaling": {"type": "linear", "factor": 2.0}},
}


@pytest.mark.parametrize("case", EXTREME)
def test_picture_of_anything(case: str, write: Write) -> None:
    """At most 256 points a curve, drawn in every format, and no wider than the page."""
    document = report(write("a.json", {**LLAMA3, **EXTREME[case]}))
    (picture,) = pictures_of(document)
    assert all(0 < len(curve.xs) <= 256 for curve in picture.curves)
    for language in LANGUAGES:
        for name in FORMATS:
            # The page's own script knows the word, to refuse it as an answer.
            shown = re.sub(r"<script.*?</script>", "", render(document, name, language), flags=re.S)
            assert "nan" not in shown.lower().replace("nano", "")
        lines = render(document, "text", language, width=40).splitlines()
        assert max(map(len, lines)) <= 40


def test_picture_as_a_file(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """figure draws the same picture; a config without scaling has none."""
    pytest.importorskip("matplotlib")
    scaled, plain = write("a.json", LLAMA31), write("b.json", LLAMA3)
    assert main(["figure", scaled, "-o", "a.svg", "--lang", "ru"]) == 0
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")
    for words, kind in (([plain, "-o", "b.svg"], "nothing is scaled"), ([scaled], "needs a file")):
        assert main(["figure", *words]) == 2
        assert kind in capsys.readouterr().err
    assert not (tmp_path / "b.svg").exists()


# Two models


def comparison(write: Write, first: Config, second: Config, length: int | None = None) -> Document:
    """The report on two configs."""
    return two_models_report.report([write("a.json", first), write("b.json", second)], length)


def test_two_models_beside_each_other(write: Write) -> None:
    """Llama 3 against 3.1: which values, which pairs, and from which distance on."""
    document = comparison(write, LLAMA3, LLAMA31)
    (section,) = document.sections
    values = section.values
    assert [row["name"] for row in values["differences"]] == [
        *("context", "method", "factor", "low_freq_factor", "high_freq_factor"),
        "original_max_position_embeddings",
    ]
    assert values["differences"][1] == {"name": "method", "first": "default", "second": "llama3"}
    assert values["different_pairs"] == 35
    assert nine_digits(values["second_inverse_frequencies"][32]) == "0.000524846161"
    # 1 / (0.00141421356 - 0.000524846161) = 1124.4, 0.1 / (0.00261609925 - 0.00216657076) = 222.5
    assert values["distances_to_one_radian"][28:33] == [None, 2225, 1318, 1138, 1125]
    assert values["distances_to_tenth_radian"][28:30] == [None, 223]
    assert values["pairs_within_length_tenth_radian"] == 35
    assert values["pairs_within_length_one_radian"] == 28
    assert [check.name for check in document.checks if not check.holds] == ["same-frequencies"]
    text = " ".join(render(document, "text", "en").split())
    assert "The first to differ by 1 radian is pair 32, at distance 1125." in text
    assert "│ 32 │ 0.00141421356 │ 0.000524846161 │ 0.371122 │ 113 │ 1125 │" in text


def test_same_models(write: Write) -> None:
    """Equal files, and files that say the same in the old style and the new."""
    scaling = {"rope_theta": 500000.0, **LLAMA31["rope_scaling"]}
    new = {**LLAMA31, "rope_parameters": scaling}
    del new["rope_scaling"], new["rope_theta"]
    for other in (LLAMA31, new):
        document = comparison(write, LLAMA31, other)
        assert document.holds
        assert document.sections[0].values["differences"] == []
        assert "A and B give the same values" in " ".join(render(document, "text", "en").split())
        assert pictures_of(document) == []


def test_attention_factor_alone(write: Write) -> None:
    """The same frequencies, but rows of another length."""
    yarn = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}
    own = {"attention_factor": 1}
    first, second = ({**LLAMA3, "rope_scaling": {**yarn, **more}} for more in ({}, own))
    document = comparison(write, first, second)
    failed = [check.name for check in document.checks if not check.holds]
    assert failed == ["same-attention-factor"]
    assert document.sections[0].values["attention_factors"] == [1.138629436111989, 1.0]


def test_other_width(write: Write) -> None:
    """Half of the head is rotated: 32 pairs against 64, and only 32 are compared."""
    partial = {**LLAMA3, "model_type": "glm", "partial_rotary_factor": 0.5}
    document = comparison(write, LLAMA3, partial)
    assert [check.name for check in document.checks if not check.holds] == [
        *("same-frequencies", "same-rotary-width", "same-layout")
    ]
    assert len(document.sections[0].values["ratios"]) == 32


def test_pairs_without_rotation(write: Write) -> None:
    """A pair that stands still in one model has a distance but no ratio in the other direction."""
    still = {"rope_scaling": {"rope_type": "proportional"}, "partial_rotary_factor": 0.5}
    document = comparison(write, {**LLAMA3, **still}, LLAMA3)
    values = document.sections[0].values
    assert values["ratios"][31:33] == [1.0, None]
    assert values["distances_to_one_radian"][31:33] == [None, 708]  # 1 / 0.00141421356 = 707.1
    assert json.loads(render(document, "json", "en"))["sections"][0]["values"]["ratios"][32] is None


def test_types_of_layers(write: Write) -> None:
    """Types of the same name are compared; a model of one type with each; others are named."""
    types = {"full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 1e4}}
    gemma = {**LLAMA3, "rope_parameters": types}
    slugs = ["comparison-full_attention", "comparison-sliding_attention"]
    same = comparison(write, gemma, gemma)
    assert [section.slug for section in same.sections] == slugs
    assert same.holds
    plain = comparison(write, LLAMA3, gemma)
    assert [section.slug for section in plain.sections] == slugs
    other = {**LLAMA3, "rope_parameters": {"full_attention": {}, "chunked_attention": {}}}
    document = comparison(write, gemma, other)
    assert [section.slug for section in document.sections] == slugs[:1]
    assert "sliding_attention, chunked_attention" in " ".join(
        render(document, "text", "en").split()
    )
    assert "same-layer-types" in [check.name for check in document.checks if not check.holds]


def test_layers_that_rotate_and_layouts(write: Write) -> None:
    """Meta's files have another layout for the same model; layers without rotation differ."""
    shape = {"dim": 4096, "n_heads": 32, "multiple_of": 256, "max_seq_len": 8192}
    params = {**shape, "rope_theta": 500000.0}
    document = comparison(write, LLAMA3, params)
    row = {"name": "layout", "first": "half-split", "second": "adjacent"}
    assert document.sections[0].values["differences"] == [row]
    assert document.holds
    assert "│ раскладка в коде │ половинная │ соседние пары │" in render(document, "text", "ru")
    smollm = {**LLAMA3, "model_type": "smollm3", "num_hidden_layers": 8}
    every = {**smollm, "no_rope_layers": [1] * 8}
    some = {**smollm, "no_rope_layers": [1, 1, 1, 0] * 2}
    document = comparison(write, every, some)
    assert [check.name for check in document.checks if not check.holds] == ["same-layer-types"]
    (row,) = document.sections[0].values["differences"]
    assert (row["name"], row["second"]) == ("unrotated_layers", [2, 8])


def test_length_of_both(write: Write) -> None:
    """Dynamic scaling is compared for the longer context, or for --length."""
    dynamic = {**LLAMA3, "rope_scaling": {"type": "dynamic", "factor": 2.0}}
    assert comparison(write, LLAMA3, dynamic).holds
    document = comparison(write, LLAMA3, dynamic, length=16384)
    assert document.sections[0].values["different_pairs"] == 63  # pair 0 is always kept
    warned = [document.parameters[name]["warnings"][0]["key"] for name in ("first", "second")]
    assert warned == ["--length", "--length"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_comparison_fits_any_width(language: str, write: Write) -> None:
    """Cards at 40 columns, a table at 80; never wider, whatever the format."""
    types = {"full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 1e4}}
    for second in (LLAMA31, {**LLAMA3, "rope_parameters": types}, LLAMA3):
        document = comparison(write, LLAMA3, second)
        for width in (40, 48, 60, 80):
            lines = render(document, "text", language, width=width).splitlines()
            assert max(map(len, lines)) <= width
        for name in FORMATS:
            assert "comparison" in render(document, name, language)


def test_two_files_on_the_command_line(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1 if they rotate differently, 0 if alike, 2 if one of them cannot be read."""
    first, second = write("a.json", LLAMA3), write("b.json", LLAMA31)
    assert main(["scaling", first, second, "--rows", "all"]) == 1
    assert " more" not in capsys.readouterr().out
    assert main(["scaling", first, first]) == main(["scaling", first]) == 0
    capsys.readouterr()
    assert main(["scaling", first, "nowhere.json"]) == 2
    assert 'rope-report: "nowhere.json" cannot be read' in capsys.readouterr().err
    assert main(["scaling", first, second, first]) == 2
    assert "one argument too many" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("angle", "difference", "expected"),
    [
        *((Fraction(1), 0.25, 4), (Fraction(1), 0.3, 4), (Fraction(1, 10), 0.1, 1)),
        *((Fraction(1), 3.0, 1), (Fraction(1), 0.0, None), (Fraction(1), 1e-17, None)),
        (Fraction(1), 2.0**-53, 2**53),
    ],
)
def test_smallest_distance(angle: Fraction, difference: float, expected: int | None) -> None:
    """The smallest whole distance, exact in every bit, or none that a position has."""
    assert distance_to(angle, difference) == expected


def test_wrong_distances_are_caught(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """One position too many fails the check of the distances."""

    def too_far(angle: Fraction, difference: float) -> int | None:
        right = distance_to(angle, difference)
        return right if right is None else right + 1

    monkeypatch.setattr(two_models, "distance_to", too_far)
    document = comparison(write, LLAMA3, LLAMA31)
    failed = [check.name for check in document.checks if not check.holds]
    assert failed == ["same-frequencies", "distances-are-smallest"]
