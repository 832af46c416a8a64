"""The code that makes the trials of ``verify`` agrees with typed numbers; a few trials of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from trials.command import main, trials
from trials.confusions import Counts, seeds
from trials.implementation import Code, frequencies, gain, held, rotate, stretched_base
from trials.mistakes import Mistakes, allowed, seen
from trials.trial import LABELS, agree, judged

QUICK = 12
ROW = np.array([[[[1.0, 2.0, 3.0, 4.0]]]])
AT_1 = np.array([[[1.0]]])


def code(d: int = 4, base: float = 1e4, layout: str = "adjacent", **more: Any) -> Code:
    return Code(d, d, base, layout, AT_1, "float64")._replace(**more)


@pytest.mark.parametrize(
    ("more", "row"),
    [
        ({}, (-1.142639664, 1.922075597, 2.959850668, 4.029799502)),
        ({"layout": "half-split"}, (-1.984110649, 1.959900667, 2.462377902, 4.019799668)),
        ({"written": "half-split"}, (-1.142639664, 2.959850668, 1.922075597, 4.029799502)),
        (
            {"layout": "half-split", "angles": "adjacent"},
            (-1.984110649, -2.285279327, 3.009849835, 4.019799668),
        ),
        ({"angles": "half-split"}, (-1.142639664, 2.009899834, -1.744977022, 4.029799502)),
        ({"width": 2, "speed": -1.0}, (2.223244275, 0.239133627, 3.0, 4.0)),
    ],
)
def test_code_of_the_trials_rotates_as_published(
    more: dict[str, Any], row: tuple[float, ...]
) -> None:
    """The row [1, 2, 3, 4] at position 1: both layouts, results in the other order, mixed ones."""
    np.testing.assert_allclose(rotate(code(**more), ROW)[0, 0, 0], row, atol=1e-9)


GPT_OSS = {"factor": 32.0, "original_length": 4096}
LLAMA3 = {
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_length": 8192,
}


@pytest.mark.parametrize(
    ("setup", "pair", "frequency"),
    [
        (code(128), 1, 0.865964323),
        (code(128, 5e5), 63, 2.45514079e-06),
        (code(64, 15e4, method="yarn", values=GPT_OSS | {"truncate": False}), 16, 4.56483919e-04),
        (code(64, 15e4, method="yarn", values=GPT_OSS | {"truncate": True}), 17, 2.27947796e-04),
        (code(128, 5e5, method="llama3", values=LLAMA3), 29, 2.16657076e-03),
        (code(64, 1e7, exponent_width=256), 1, 0.881683067),
        (code(64, 1e7), 1, 0.604296390),
    ],
)
def test_code_of_the_trials_has_published_frequencies(
    setup: Code, pair: int, frequency: float
) -> None:
    """Of unscaled and scaled models, right and by a wrong width."""
    np.testing.assert_allclose(frequencies(setup)[pair], frequency, rtol=2e-9)


def test_code_of_the_trials_rounds_and_scales_as_published() -> None:
    """Bases of dynamic scaling, attention factors, and a frequency in bfloat16."""
    values = {"factor": 4.0, "original_length": 4096, "length": 8192}
    assert stretched_base(code(128, method="dynamic", values=values)) == pytest.approx(51293.7873)
    values["length"] = 4096
    assert stretched_base(code(128, method="dynamic", values=values)) == 10000
    yarn = code(64, method="yarn", values={"factor": 64.0, "original_length": 4096})
    assert gain(yarn) == pytest.approx(1.41588831)
    assert held(0.865964323, "bfloat16") == 0.8671875
    assert held(2049.0, "float16") == 2048


def test_what_is_seen_is_more_than_rounding() -> None:
    """Eight roundoffs of a pair are allowed; pair 0 has no more of them far away, pair 1 has."""
    x = np.array([[[[3.0, 4.0, 0.6, 0.8]]]])
    far = code(dtype="float32")._replace(positions=np.array([[[2.0**17]]]))
    errors = allowed(far, x)[0, 0, 0]
    np.testing.assert_allclose(errors[:2], 5 * 8 * 2.0**-24)
    # (8 + 2 + ln 100) roundoffs of the angle 2^17 / 100.
    np.testing.assert_allclose(errors[2:], (8 + 2**17 / 100 * 14.605170186) * 2.0**-24)
    assert seen(errors, x, x + errors) == pytest.approx(1.0)
    assert seen(errors, x, x * np.nan) == np.inf


def test_names_and_figures_agree() -> None:
    """All kinds, in any order, with their figures; measured ones within a hundredth."""
    planted: Mistakes = [("base", {"base": 500.0}), ("offset", {"offset": 3})]
    found: Mistakes = [("offset", {"offset": 3}), ("base", {"base": 500.4, "expected": 1e4})]
    assert agree(planted, found)
    assert not agree(planted, found[:1])
    assert not agree(planted, [("offset", {"offset": 4}), found[1]])
    assert not agree(planted, [found[0], ("base", {"base": 510.0})])


def test_a_trial_is_made_again_from_its_seed() -> None:
    """The same numbers and the same answer."""
    for seed in (1, 8, 14):
        one, two = judged(seed), judged(seed)
        assert one._replace(words=()) == two._replace(words=())


def test_a_few_trials() -> None:
    """Right numbers agree; what is surely wrong is not called right."""
    counts = Counts(trials(0, QUICK))
    assert len(counts.right) == QUICK // 4
    assert seeds([*counts.alarms, *counts.missed, *counts.misnamed]) == []


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """What was planted, how many were seen, named first and equal; then the shares."""
    assert main(["--count", "8", "--processes", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["planted", "seen", "first", "equal", "named", "otherwise"]
    assert lines[-1].startswith("named wrong with confidence 0,")
    assert [line.split("  ")[0] for line in lines[1:-6]] == sorted(LABELS[:6])
