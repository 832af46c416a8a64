"""Formulas on the page: MathML that holds each letter and number of the plain form, in order."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from rope_cli.document.blocks import Formula
from rope_cli.renderers import render
from rope_cli.renderers.mathml import as_mathml
from rope_cli.report import build

NAMES = {"math", "mi", "mn", "mo", "mrow", "mspace", "msub", "msup", "msubsup", "msqrt"} | {
    "mfrac",
    "mtable",
    "mtr",
    "mtd",
}


@pytest.mark.parametrize(
    ("formula", "markup"),
    [
        ("x", "<math><mi>x</mi></math>"),
        ("x_2j", "<math><msub><mi>x</mi><mrow><mn>2</mn><mi>j</mi></mrow></msub></math>"),
        ("xᵀx", "<math><msup><mi>x</mi><mi>T</mi></msup><mi>x</mi></math>"),
        ("a b", '<math><mi>a</mi><mspace width=".2em"/><mi>b</mi></math>'),
        ("-1", "<math><mn>−1</mn></math>"),
        (
            "b^(-2j/d)",
            "<math><msup><mi>b</mi><mrow><mn>−2</mn><mi>j</mi><mo>/</mo><mi>d</mi></mrow></msup></math>",
        ),
        (
            "s = (x + 1) / √d",
            '<math><mi>s</mi></math> <math><mo form="infix">=</mo><mfrac><mrow><mi>x</mi><mo>+</mo>'
            "<mn>1</mn></mrow><mrow><msqrt><mi>d</mi></msqrt></mrow></mfrac></math>",
        ),
        (
            "[[1, -y], [0, 1]]",
            "<math><mrow><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd>"
            '<mtd><mo form="prefix">−</mo><mi>y</mi></mtd></mtr>'
            "<mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>]</mo></mrow></math>",
        ),
    ],
)
def test_formula_becomes_mathml(formula: str, markup: str) -> None:
    """Indices, powers, fractions, roots, matrices and signs, as typed by hand."""
    assert as_mathml(formula) == markup


def test_every_formula_of_the_report_keeps_its_signs() -> None:
    """Letters and numbers come in the order of the plain form, in elements of MathML alone."""
    blocks = [block for section in build.build(["all"]).sections for block in section.blocks]
    formulas = [block.formula for block in blocks if isinstance(block, Formula)]
    assert len(formulas) > 30
    for formula in formulas:
        root = ElementTree.fromstring(f"<p>{as_mathml(formula)}</p>")
        assert {each.tag for each in root.iter()} - {"p"} <= NAMES
        plain = formula.replace("ᵀ", "T").replace("²", "2").replace("Σ", "")
        assert re.findall(r"\w", "".join(root.itertext())) == re.findall(r"[^\W_]", plain), formula
        depth = [root.findall(f".//{tag}") for tag in ("msub", "msup", "mfrac", "msubsup")]
        assert all(
            len(each) == (3 if each.tag == "msubsup" else 2) for kind in depth for each in kind
        )


def test_page_keeps_the_plain_form_for_browsers_without_mathml() -> None:
    """Beside each formula in MathML stands the one that text prints; in ASCII that stands alone."""
    document = build.build(["frequencies"])
    page = render(document, "html", "en")
    assert page.count("<math>") == 2  # both sides of the relation
    assert '<code class="plain">θ_j\xa0=\xa0b^(−2j/d)</code>' in page
    plain = render(document, "html", "en", ascii_only=True)
    assert "<math>" not in plain
    assert "b^(-2j/d)</code>" in plain
