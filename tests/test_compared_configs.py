"""Frequencies as a picture, and two configs beside each other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rope_cli.document.blocks import Document, Series
from rope_cli.document.formatting import nine_digits
from rope_cli.renderers import FORMATS, render
from rope_cli.scaling.report import report
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
            assert "nan" not in render(document, name, language).lower().replace("nano", "")
        lines = render(document, "text", language, width=40).splitlines()
        assert max(map(len, lines)) <= 40
