"""The finished report is read back: a number that a renderer loses fails a check of the report."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from rope_cli.cli.main import main
from rope_cli.renderers import FORMATS, cell_layout
from rope_cli.renderers import json as json_format
from rope_cli.report import build, header_footer
from rope_cli.report.read_back import lost_numbers, lost_values, read_back

SECTIONS = ("one-pair", "rotations", "norms", "heads")


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("looks", [(), ("--width", "40"), ("--ascii",), ("--color", "always")])
@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_holds_all_numbers(
    format_name: str, looks: tuple[str, ...], language: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """In each language, narrow, in ASCII and in colours."""
    options = ["--format", format_name, "--lang", language, *looks]
    assert main(["show", *SECTIONS, *options]) == 0
    assert "read-back" not in capfd.readouterr().out


def test_digits_that_are_cut_off_fail(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Vectors whose last digits are gone in the text format."""
    real = cell_layout.wrap
    monkeypatch.setattr(cell_layout, "wrap", lambda line, width: real(line[:-2], width))
    assert main(["show", "rotations"]) == 1
    assert "1 FAILED: read-back" in capfd.readouterr().out


def test_json_with_rounded_arrays_fails(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What programs read has all bits of what was computed."""

    def rounded(value: Any) -> Any:
        return np.round(value, 6).tolist()

    monkeypatch.setattr(json_format, "listed", rounded)
    assert main(["show", "rotations", "--format", "json"]) == 1
    report = json.loads(capfd.readouterr().out)
    assert report["document_checks"][-1]["name"] == "read-back"
    assert report["checks"]["failed"] == 1


def test_a_wrong_count_of_checks_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence about all checks counts those of the document."""
    real = header_footer.outcome
    monkeypatch.setattr(header_footer, "outcome", lambda sections, verdicts=(): real(sections))
    document = build.build(["norms"])
    assert read_back(document, "", "text").holds is False


def test_lost_numbers_are_counted() -> None:
    """Nothing is lost in a page with everything, all of it in an empty one."""
    document = build.build(["one-pair"])
    assert lost_numbers(document, "") > 20
    values = dict.fromkeys(document.sections[0].values)
    assert lost_values(document, json.dumps({"sections": [{"values": values}]})) == 4
