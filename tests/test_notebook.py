"""The report in Python: computed by name, printed as text, shown by a notebook as the page."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

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
    with pytest.raises(rope_cli.RopeError, match="an even number from 2 to 1024"):
        report("norms", feature_width=3)


SHOWN = "The cell after the report."
# How the notebook itself looks: everything but what the report put into it.
LOOKS = """() => ['body', 'main', '.jp-Notebook', '.jp-Cell', 'pre', 'h1', 'p'].map(name => {
    const style = getComputedStyle(document.querySelector(name) ?? document.body);
    return [name, style.font, style.color, style.backgroundColor, style.maxWidth, style.display];
})"""


def executed(folder: Path, code: str) -> Path:
    """A notebook with a cell of code, executed and converted to HTML by nbconvert."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "source": "# A notebook\n\nIts own words."},
        {"cell_type": "code", "source": code, "execution_count": None, "outputs": []},
        {"cell_type": "markdown", "source": SHOWN},
    ]
    notebook = {
        "cells": [{"id": f"cell-{at}", "metadata": {}, **cell} for at, cell in enumerate(cells)],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path = folder / "report.ipynb"
    path.write_text(json.dumps(notebook), "utf-8")
    own = {f"JUPYTER_{kind}_DIR": str(folder) for kind in ("CONFIG", "DATA", "RUNTIME")}
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", str(path)]
    subprocess.run(command, env={**os.environ, **own}, capture_output=True, check=True, timeout=120)
    return path.with_suffix(".html")


def looks(tab: Page, path: Path) -> Any:
    tab.goto(path.as_uri())
    return tab.evaluate(LOOKS)


@pytest.mark.slow
@pytest.mark.skipif(
    not (find_spec("nbconvert") and find_spec("ipykernel")),
    reason="nbconvert or ipykernel is not installed: pip install '.[test]'",
)
def test_executed_notebook_shows_the_report_and_keeps_its_own_looks(
    browser: Browser, tmp_path: Path
) -> None:
    """The page stands in its frame, answers questions there, and changes nothing around it."""
    path = executed(tmp_path, "import rope_cli\nrope_cli.report('norms')")
    text, without = path.read_text("utf-8"), tmp_path / "without.html"
    frames = re.compile("<iframe.*?</iframe>", re.DOTALL)
    assert len(frames.findall(text)) == 1
    without.write_text(frames.sub("", text), "utf-8")
    tab = browser.new_page()
    tab.route(re.compile("^https?:"), lambda route: route.abort())  # nbconvert's own MathJax
    assert looks(tab, without) == looks(tab, path)
    assert tab.get_by_text(SHOWN).is_visible()
    frame = tab.frame_locator("iframe[title=rope-report]")
    assert frame.locator("h2#norms-title").is_visible()
    exercise = frame.locator("[data-exercise=norms-1]")
    exercise.locator("input").fill("12345")
    exercise.locator(".check").click()
    assert (exercise.locator("output").text_content() or "").startswith("WRONG")
    tab.close()
