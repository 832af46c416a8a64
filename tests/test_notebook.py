"""The report in Python: computed by name, printed as text, shown by a notebook as the page."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

import rope_cli
from rope_cli.classroom.notebook import Report, as_typed, report
from rope_cli.cli.main import main


def test_report_is_called_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    """``rope_cli.report("norms")`` prints what ``rope-report show norms`` prints."""
    computed: Report = rope_cli.report("norms", feature_width=8, positions=[0, 1, 7])  # type: ignore[operator]
    assert computed.holds
    assert main(["show", "norms", "-d", "8", "--positions", "0,1,7"]) == 0
    assert capsys.readouterr().out == str(computed)
    assert repr(computed) == "<rope-report: norms; all checks held>"
    # The norm of [1, 0, 1, 0, 1, 0, 1, 0].
    assert "2.000000" in str(computed)


def test_notebook_shows_the_page_in_a_frame_of_its_own() -> None:
    """Its styles and its script cannot reach what is around; the page inside is whole."""
    shown = report("norms", language="ru")._repr_html_()
    assert shown.startswith('<iframe title="rope-report" srcdoc="')
    assert len(re.findall("<", shown)) == 2  # the frame and its end; the rest is escaped
    page = html.unescape(shown.partition('srcdoc="')[2].partition('" width=')[0])
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "Content-Security-Policy" in page
    assert "Длина строки" in page


def test_values_are_those_of_the_command_line() -> None:
    """Numbers, lists, rows and arrays."""
    assert as_typed([0, 1, 7]) == "0,1,7"
    assert as_typed(np.array([[1.0, 0.5], [0.0, 1.0]])) == "1.0,0.5;0.0,1.0"
    assert as_typed("0:3") == "0:3"
    assert as_typed(np.float64(100)) == "100.0"
    computed = report("dot-products", query=[[1, 0, 1, 0]], key=np.eye(4)[:1], positions=range(3))
    assert computed.document.parameters["positions"] == [0, 1, 2]


def test_refusals_are_errors_with_a_sentence() -> None:
    """Unknown names and values say what is accepted."""
    with pytest.raises(TypeError, match="does not take 'width'; accepted: feature_width, base"):
        report(width=8)
    with pytest.raises(ValueError, match="there is no language 'de'; accepted: en, ru"):
        report(language="de")
    with pytest.raises(rope_cli.RopeError, match="nroms"):
        report("nroms")
    with pytest.raises(rope_cli.RopeError, match="an even width"):
        report("norms", feature_width=3)
