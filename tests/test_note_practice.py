"""The note in practice: a whole decoder, the cache, few bits, bugs, the audit and the words.

Numbers are typed by hand from the two texts' audit and from public reports.
"""

from __future__ import annotations

import csv
import io
import math
import re
from typing import Any

import numpy as np
import pytest

from rope_cli.cli.main import main
from rope_cli.document import terms
from rope_cli.document.evidence import Evidence
from rope_cli.document.spreadsheet import as_csv
from rope_cli.example import reference
from rope_cli.example.parameters import Parameters
from rope_cli.example.worked_example import Example
from rope_cli.experiments import bugs, detectors, toy_decoder
from rope_cli.renderers import render
from rope_cli.report import build, tracks
from rope_cli.report.build import section_module
from rope_cli.rope import reduced_precision
from rope_cli.rope.tables import RotaryEmbedding
from rope_cli.sections.note import claims

SIX = 5.1e-7


def evidence_of(slug: str, example: Example | None = None) -> Evidence:
    return build.section_module(slug).gather(example or Example(Parameters()))


# A whole decoder.


def test_decoder_ignores_shifts_and_pads_and_nothing_else() -> None:
    """Equal within 1e-9 after shifts and masked pads; different by more than 0.1 otherwise."""
    changes = evidence_of("whole-model")["logit_changes"]
    still = {"shift-1", "shift-3", "shift-1000", "shift-1000000", "pads"}
    moved = {"prefix", "doubled", "values-rotated", "sinusoid", "reordered"}
    assert changes.keys() == still | moved
    assert all(changes[name] <= 1e-9 for name in still)
    assert all(changes[name] > 0.1 for name in moved)


def test_prefix_changes_the_next_token_and_a_shift_does_not() -> None:
    """The section's own question has the answer that its table shows."""
    following = evidence_of("whole-model")["next_tokens"]
    assert following["shift-1000"] == following["pads"] == [10, 10]
    assert following["prefix"] == [10, 4]


def test_mask_alone_tells_the_order() -> None:
    """Without any rotation another order of the first five tokens moves the last logits."""
    found = evidence_of("whole-model")
    assert found["decoder_reordered"] == [1, 15, 3, 7, 7, 4]
    assert found["logit_changes"]["reordered"] == pytest.approx(1.172833, abs=SIX)
    assert found["next_tokens"]["reordered"] == [10, 4]
    assert found["weights_by_mask"][[1, 5]] == pytest.approx([1 / 2, 1 / 6], abs=1e-15)


def test_first_weight_follows_from_the_printed_formula() -> None:
    """i = j = 1, s = 12: (3 + 5 + 7 + 12·3) mod 31 is 20, and (20 - 15)/8 is 0.625."""
    assert evidence_of("whole-model")["first_weight"] == (51 % 31 - 15) / 8 == 0.625


@pytest.fixture
def random_weights(monkeypatch: pytest.MonkeyPatch) -> Example:
    """The decoder with weights of numpy's default_rng(0), for which numbers are known."""
    rng = np.random.default_rng(0)
    square = [rng.standard_normal((2, 8, 8)) / math.sqrt(8) for _ in range(4)]
    up = rng.standard_normal((2, 8, 16)) / math.sqrt(8)
    down = rng.standard_normal((2, 16, 8)) / 4
    monkeypatch.setattr(toy_decoder, "EMBEDDINGS", rng.standard_normal((20, 8)))
    layers = range(2)
    monkeypatch.setattr(toy_decoder, "ATTENTION", [[w[layer] for w in square] for layer in layers])
    monkeypatch.setattr(toy_decoder, "BLOCKS", [(up[layer], down[layer]) for layer in layers])
    return Example(Parameters())


def test_decoder_with_random_weights_gives_known_numbers(random_weights: Example) -> None:
    """Two real tokens 3.288530, positions doubled 2.409014, V rotated 7.174232, shifts nothing."""
    ids, places = (3, 7, 7, 1, 15, 4), range(6)

    def said(tokens: Any, positions: Any, **more: Any) -> Any:
        return toy_decoder.logits(random_weights, tokens, positions, **more)

    still = said(ids, places)
    prefixed = said((9, 2, *ids), range(8))[2:]
    doubled = said(ids, range(0, 12, 2))
    values = [said(ids, range(by, by + 6), rotate_values=True) for by in (0, 3)]
    assert np.abs(prefixed - still).max() == pytest.approx(3.288530, abs=SIX)
    assert np.abs(doubled - still).max() == pytest.approx(2.409014, abs=SIX)
    assert np.abs(values[1] - values[0]).max() == pytest.approx(7.174232, abs=SIX)
    for shift, bound in ((1, 1e-13), (3, 1e-13), (1000, 1e-12), (10**6, 1e-9)):
        assert np.abs(said(ids, range(shift, shift + 6)) - still).max() <= bound
    assert np.abs(said((0, 0, *ids), range(8), pads=2)[2:] - still).max() <= 1e-12


def test_decoder_sees_no_later_token() -> None:
    """Changing the last token changes the last row of logits alone."""
    example = Example(Parameters())
    one = toy_decoder.logits(example, (3, 7, 1), range(3))
    two = toy_decoder.logits(example, (3, 7, 5), range(3))
    np.testing.assert_array_equal(one[:2], two[:2])
    assert np.abs(one[2] - two[2]).max() > 0.1


def test_decoder_weights_are_exact_eighths() -> None:
    """The weights before scaling are whole eighths, and no two tokens have the same row."""
    weights = toy_decoder.EMBEDDINGS
    np.testing.assert_array_equal(weights * 8, np.round(weights * 8))
    assert np.abs(weights).max() <= 15 / 8
    assert len({row.tobytes() for row in weights}) == toy_decoder.VOCABULARY


# Keys in the cache.


def test_cache_mistakes_have_the_known_sizes() -> None:
    """Rows of each mistake, dot products of the last query, and scores after an eviction."""
    found = evidence_of("cache")
    off = found["cache_differences"]
    np.testing.assert_allclose(off["position-zero"], [0, 0.301712, 0.288721], atol=SIX)
    np.testing.assert_allclose(off["rotated-twice"], [0, 0.105728, 0.824112], atol=SIX)
    scores = found["cache_scores"]
    np.testing.assert_allclose(scores["right"], [-1.154013, -0.505192, -1.150000], atol=SIX)
    np.testing.assert_allclose(scores["query-at-zero"], [0.2, -0.056503, 0.793873], atol=SIX)
    evicted = found["evicted_scores"]
    np.testing.assert_allclose(evicted["true"], [1.236403, -0.505192], atol=SIX)
    np.testing.assert_allclose(evicted["renumbered"], [-1.154013, -0.505192], atol=SIX)


def test_other_ways_to_keep_keys() -> None:
    """Only keys of an old base and samples that see each other change outputs."""
    found = evidence_of("cache")
    assert found["unrotated_difference"] <= 1e-12
    assert found["key_rotations"] == [1 + 2 + 3, 3]
    mixed, moved = found["base_differences"]
    assert mixed == pytest.approx(0.008379, abs=SIX)
    assert moved <= 1e-12
    restarting, continued, together = found["packed_differences"]
    assert max(restarting, continued) <= 1e-12
    assert together > 0.1


# Few bits.


@pytest.mark.parametrize(
    ("name", "length", "expected", "half_a_digit"),
    [
        ("float32", 256, 1.4e-5, 0.05e-5),
        ("float32", 2048, 1.1e-4, 0.05e-4),
        ("float32", 4096, 2.3e-4, 0.05e-4),
        ("float32", 65536, 3.9e-3, 0.05e-3),
        ("float32", 131072, 7.7e-3, 0.05e-3),
        ("float32", 1048576, 6.2e-2, 0.05e-2),
        ("float16", 256, 0.108705, SIX),
        ("float16", 2048, 0.880244, SIX),
        ("bfloat16", 256, 0.738570, SIX),
        ("bfloat16", 512, 1.854848, SIX),
    ],
)
def test_cosine_error_is_the_known_one(
    name: str, length: int, expected: float, half_a_digit: float
) -> None:
    """The greatest error of a cosine near each length, for angles in fewer bits."""
    found = evidence_of("precision")
    at = found["cosine_lengths"].index(length)
    assert found["cosine_errors"][name][at] == pytest.approx(expected, abs=half_a_digit)


@pytest.mark.parametrize(
    "rounding",
    [reduced_precision.to_float32, reduced_precision.to_float16, reduced_precision.to_bfloat16],
)
@pytest.mark.parametrize("length", [3, 300, 2048])
def test_cosine_error_is_the_greatest_of_all(rounding: Any, length: int) -> None:
    """Looking at the worst angles first finds what looking at every angle finds."""
    theta = np.array([reference.inverse_frequency(pair, 64, 10000.0) for pair in range(32)])
    m = np.arange(max(0, length - 200), length, dtype=np.float64)[:, np.newaxis]
    rounded = rounding(rounding(m) * rounding(theta))
    every = np.abs(np.cos(rounded) - np.cos(m * theta)).max()
    assert reduced_precision.cosine_error(rounding, theta, length, 200) == every


def test_positions_in_bfloat16_are_the_known_ones() -> None:
    """257 becomes 256, and of the first 512 positions 385 are left."""
    found = evidence_of("precision")
    assert found["bfloat16_positions"].tolist() == [255, 256, 256, 258, 260]
    assert found["bfloat16_distinct"] == [256, 385, 513, 641, 769, 897]
    assert found["bfloat16_shift_move"] == pytest.approx(2.29, abs=5e-3)


def test_public_reports_are_reproduced() -> None:
    """GPT-NeoX 1003: 1045 for 1044.267841, cosines off by 0.781908; Modalities 462: 0.625043."""
    found = evidence_of("precision")
    np.testing.assert_allclose(found["float16_angles"], [1044.267841, 1045.0], atol=SIX)
    assert found["float16_cosine_error"] == pytest.approx(0.781908, abs=SIX)
    np.testing.assert_allclose(found["phase_errors"], [0.625043, 2.503843], atol=SIX)


def test_bfloat16_is_the_nearest_number_with_eight_bits() -> None:
    """Rounding agrees with a search among the neighbours; ties go to the even one."""
    values = np.concatenate([np.arange(-1000, 1000) * 0.73, 2.0 ** np.arange(-20, 20) * 1.7])
    values = values.astype(np.float32)
    below = (values.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    above = ((values.view(np.uint32) & np.uint32(0xFFFF0000)) + np.uint32(0x10000)).view(np.float32)
    rounded = reduced_precision.to_bfloat16(values)
    assert ((rounded == below) | (rounded == above)).all()
    least = np.minimum(np.abs(above - values), np.abs(values - below))
    np.testing.assert_array_equal(np.abs(rounded - values), least)
    assert reduced_precision.to_bfloat16([257.0, 259.0, 1.00390625]).tolist() == [256.0, 260.0, 1.0]
    assert reduced_precision.to_bfloat16([-257.0, 0.0]).tolist() == [-256.0, 0.0]


def test_turning_step_by_step_drifts() -> None:
    """A million turns by one radian end further off than one turn by a million radians."""
    z, step = 1 + 0j, complex(math.cos(1), math.sin(1))
    for _ in range(10**6):
        z *= step
    far = complex(math.cos(10**6), math.sin(10**6))
    assert 1e-12 < abs(z - far) < 1e-9


@pytest.mark.parametrize(
    ("dtype", "shift", "least", "most"),
    [
        (np.float64, 10**3, 0.0, 1e-12),
        (np.float64, 10**6, 1e-13, 1e-8),
        (np.float64, 10**9, 1e-10, 1e-5),
        (np.float32, 10**3, 1e-7, 1e-2),
        (np.float32, 10**7, 0.05, 50.0),
    ],
)
def test_equal_shift_is_kept_as_far_as_the_bits_reach(
    dtype: Any, shift: int, least: float, most: float
) -> None:
    """d = 128: float64 keeps an equal shift up to a billion to 1e-5, float32 loses it by 10^7."""
    theta = np.array([reference.inverse_frequency(pair, 128, 10000.0) for pair in range(64)], dtype)
    rng = [np.random.default_rng(seed) for seed in (1, 2)]
    query, key = (one.standard_normal(128).astype(dtype).view(complexed(dtype)) for one in rng)

    def score(m: int, n: int) -> float:
        at_m, at_n = (np.exp(1j * (dtype(at) * theta)) for at in (m, n))
        return float((query * at_m * np.conj(key * at_n)).real.sum())

    assert least <= abs(score(1 + shift, shift) - score(1, 0)) <= most


def complexed(dtype: Any) -> Any:
    return np.complex128 if dtype is np.float64 else np.complex64


# The table of bugs against checks. A point is a check that passes.

CHECKS = (
    "norms",
    "position-zero",
    "shift-3-row",
    "shift-3",
    "shift-300",
    "one-pair",
    "chapter-grid",
    "signed-grid",
    "row-at-one",
    "dense-matrix",
    "composition",
)
MEASURES = {
    "clockwise": ". . . . . 1.68 . 2.22 1.68 3.84 .",
    "only q rotated": ". . 2.03 4.18 5.63 . 1.44 1.88 . 1.69 .",
    "half-split pairs": ". . . . . . 1.40 1.11 0.841 2.88 .",
    "mixed layout": "0.935 . 0.844 0.615 3.36 . 1.15 1.11 0.841 2.88 0.983",
    "degrees for radians": ". . . . . 0.824 1.44 1.07 0.824 3.16 .",
    "exponent -k/d": ". . . . . . 0.173 0.392 0.211 1.91 .",
    "exponent +2k/d": ". . . . . . 1.83 0.714 1.83 3.51 .",
    "sin and cos exchanged": ". 3.00 . . . 1.68 . 2.22 0.895 3.98 3.16",
    "reflection": ". 4.00 . . . 1.68 . 2.22 . 3.84 3.45",
    "lost minus": "0.832 . . 0.888 2.03 . . 2.22 . 3.84 0.513",
    "position +1": ". 2.14 . . . . . . 0.956 2.03 2.08",
    "pairs counted from 1": ". . . . . 0.831 1.42 0.889 0.742 2.82 .",
    "bf16 position": ". . . . 2.29 . . . . . .",
    "sinusoid added instead": "1.24 1.00 3.17 4.91 7.10 0.239 4.22 5.42 1.30 4.14 2.01",
    "base 10000": ". . . . . . 0.020 0.179 0.090 0.829 .",
    "q clockwise, k not": ". . 0.566 1.70 4.56 1.68 1.73 2.22 1.68 3.84 .",
    "no rotation at all": ". . . . . 0.841 1.44 1.11 0.841 3.23 .",
}


def test_the_table_has_seventeen_bugs() -> None:
    """One bug a line, the same names as in the section, each with words in both languages."""
    assert len(bugs.BUGS) == 17
    assert {bug.name for bug in bugs.BUGS} == MEASURES.keys()
    assert len({bug.words.ru for bug in bugs.BUGS}) == 17


@pytest.mark.parametrize("name", MEASURES)
def test_bug_violates_each_check_by_the_known_size(name: str) -> None:
    """Every cell of the table: how far off the check is, or that it passes."""
    found = evidence_of("bugs")["bug_measures"][name]
    assert tuple(found) == CHECKS
    for check, typed in zip(CHECKS, MEASURES[name].split(), strict=True):
        if typed == ".":
            assert found[check] <= 1e-9, check
        else:
            half_a_digit = 0.5 * 10.0 ** -len(typed.partition(".")[2])
            assert found[check] == pytest.approx(float(typed), abs=1.02 * half_a_digit), check


def test_right_rotation_passes_every_check() -> None:
    """By the report's own rotation, and by the plain one of the table."""
    assert max(evidence_of("bugs")["right_measures"].values()) <= 1e-9
    assert max(detectors.of_mistake(bugs.correct_rotation, bugs.correct_rotation).values()) <= 1e-12


def test_the_classic_three_let_these_bugs_through() -> None:
    """Norms, position 0 and the equal shift miss nine bugs, no rotation at all among them."""
    assert evidence_of("bugs")["hidden_from_trio"] == [
        "clockwise",
        "half-split pairs",
        "degrees for radians",
        "exponent -k/d",
        "exponent +2k/d",
        "pairs counted from 1",
        "bf16 position",
        "base 10000",
        "no rotation at all",
    ]


def test_two_checks_catch_every_bug() -> None:
    """The plain formula and the long shift leave nothing of the list, as the section says."""
    found = evidence_of("bugs")["bug_measures"]
    assert all(max(row["dense-matrix"], row["shift-300"]) > 1e-9 for row in found.values())


def test_each_mark_of_a_bug_stands_under_its_letter() -> None:
    """Eleven columns on the page and in Markdown; in text each mark is right below its letter."""
    report = build.section_alone("bugs")
    text = render(report, "text", "ru").splitlines()
    (head,) = (line for line in text if "A B C" in line)
    (row,) = (line for line in text if line.startswith("│ поворот по часовой"))
    assert [letter for letter in "ABCDEFGHIJK" if row[head.index(letter)] == "x"] == list("FHIJ")
    (cells,) = (
        [cell.strip() for cell in line.split("|")[2:-2]]
        for line in render(report, "markdown", "ru").splitlines()
        if line.startswith("| поворот по часовой")
    )
    page = render(report, "html", "ru")
    heads = re.findall(r">([A-K])</th>", page)
    (found,) = re.findall("<td[^>]*>поворот по часовой стрелке</td>(.*)</tr>", page)
    *on_page, _ = re.findall("<td[^>]*>(.*?)</td>", found)
    assert "".join(cells) == "".join(on_page) == ".....x.xxx."
    assert "".join(heads) == "ABCDEFGHIJK"


@pytest.mark.parametrize("bug", bugs.BUGS, ids=lambda bug: bug.name)
def test_section_sees_a_broken_report(bug: bugs.Bug) -> None:
    """When the report itself is broken by a bug, the section says so, by the same size."""
    found = evidence_of("bugs", bug.example_type(Parameters()))
    assert not found.checks[0].holds
    expected = found["bug_measures"][bug.name]
    for name, measure in found["right_measures"].items():
        assert measure == pytest.approx(expected[name], abs=1e-9), name


# The audit.

RIGHT, CONDITION, WRONG = "right", "conditional", "wrong"
CONDITIONAL = [f"C{at}" for at in (9, 10, 21, 22, 24, 26, 36, 44)]
CONDITIONAL += [f"N{at}" for at in (2, 3, 5, 8, 10, 12, 15, 17, 19, 20, 21)]
PROGRAM = ["C27", "C28", "C29", "C30", "C38", "C39"]
NUMBERS = {
    "C1": 0.0,
    "C2": 0.540302,
    "C3": 0.841471,
    "C4": 0.841471,
    "C5": -0.989992,
    "C6": 0.1,
    "C7": 0.198669,
    "C8": -1.984111,
    "C9": 4,
    "C10": 0,
    "C11": 2.410913,
    "C12": -3.235538,
    "C13": 0.540302,
    "C14": 6.430599,
    "C15": -1.234515,
    "C16": 0.941304,
    "C17": 0.473613,
    "C18a": -0.296150,
    "C18b": 3.639186,
    "C21": 0.01,
    "C22": -1.334400,
    "C24": 31.622777,
    "C25": 0,
    "C26": 0.061702,
    "C27": 104795000,
    "C28": 640000000000,
    "C29": 134217728,
    "C30": 0,
    "C31": 256,
    "C32": 1.346354,
    "C33": 57.295780,
    "C34": 0.909297,
    "C35": 0.885000,
    "C36": 1.989992,
    "C37": 1.414214,
    "C38": 4,
    "C39": 6,
    "C40": 0.511086,
    "C41": 3,
    "C42": 1.535306,
    "C43": 1,
    "C44": 0.0,
    "C45": -2.234742,
    "C46": 0.166667,
    "C47": 4,
    "C48": 10.0,
    "C49": 2,
    "N1": 1.535306,
    "N2": 0.415198,
    "N3": 1.245973,
    "N4": -6.547312,
    "N5": 5.0,
    "N6": -0.234890,
    "N7": -6.547312,
    "N8": 0.540252,
    "N9": -2.223697,
    "N10": 64,
    "N11": 3.827755,
    "N12": 2559195.517371,
    "N13": 651.898647,
    "N14": 54410.143131,
    "N15": 18,
    "N16": 2.322489,
    "N17": 128.0,
    "N18": 64,
    "N19": 0.0,
    "N21": 40889.942432,
    "N22": 0.540302,
}


@pytest.fixture(scope="module")
def audit() -> Evidence:
    """The audit, computed once."""
    return evidence_of("claims")


@pytest.mark.parametrize("mark", NUMBERS)
def test_claim_has_its_number(mark: str, audit: Evidence) -> None:
    """The number beside each claim is the one typed here."""
    assert audit["claims"][mark]["number"] == pytest.approx(NUMBERS[mark], rel=0, abs=SIX)


def test_numbers_of_sections_and_audit_are_the_same(audit: Evidence) -> None:
    """Where a section computes the same thing, the audit shows the same number."""
    found = audit["claims"]
    changes = evidence_of("whole-model")["logit_changes"]
    assert found["C23"]["number"] == changes["prefix"]
    assert found["C44"]["number"] == changes["shift-1000000"]
    precision = evidence_of("precision")["cosine_errors"]["float32"][-1]
    assert found["C26"]["number"] == precision
    assert found["C46"]["number"] == evidence_of("whole-model")["weights_by_mask"][5]
    assert found["N3"]["number"] == evidence_of("whole-model")["gap_by_mask"]
    measures = evidence_of("bugs")["bug_measures"]["no rotation at all"]
    classic = ("norms", "position-zero", "shift-3-row")
    assert found["C41"]["number"] == sum(measures[name] <= 1e-9 for name in classic)


def test_every_claim_is_judged_and_shown(audit: Evidence) -> None:
    """All 72 claims have a verdict of the audit and a section of a track; none is an orphan."""
    found = audit["claims"]
    marks = [f"C{at}" for at in range(1, 50) if at != 18] + ["C18a", "C18b"]
    marks += [f"N{at}" for at in range(1, 23)]
    assert sorted(found) == sorted(marks)
    assert len(found) == 72
    expected = dict.fromkeys(marks, RIGHT)
    expected |= dict.fromkeys(CONDITIONAL, CONDITION)
    expected |= dict.fromkeys(("N11", "N13", "N14", "N16"), WRONG)
    expected |= dict.fromkeys(PROGRAM, "program")
    expected |= {"C48": "term", "C49": "term", "N22": "open"}
    assert {mark: claim["verdict"] for mark, claim in found.items()} == expected
    assert {claim["section"] for claim in found.values()} <= set(tracks.SLUGS)


def test_wrong_and_conditional_claims_say_what_is_true() -> None:
    """Neither stands without a remark, and a wrong one has a number that it does not allow."""
    for claim in claims.AUDIT:
        if claim.verdict in (WRONG, CONDITION):
            assert claim.remark is not None, claim.mark
        assert (claim.rival is not None) == (claim.verdict == WRONG), claim.mark


def test_wrong_claims_have_the_known_rivals(audit: Evidence) -> None:
    """What each wrong claim would allow at most."""
    assert audit["claim_rivals"] == pytest.approx(
        {"N11": 3.672950, "N13": 0.075280, "N14": 6.283185, "N16": 1.127839}, abs=SIX
    )


# Claims of history and of usage, which have no number of their own.
WITHOUT_NUMBER = {"C19", "C20", "N20"}


def test_only_these_claims_have_no_number(audit: Evidence) -> None:
    """Every other number is typed above, or is that of a section."""
    found = audit["claims"]
    assert {mark for mark, claim in found.items() if claim["number"] is None} == WITHOUT_NUMBER
    assert set(found) - WITHOUT_NUMBER - NUMBERS.keys() == {"C23"}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_claims_are_sentences(language: str) -> None:
    """Claims and remarks begin with a capital or a letter of a formula, and end in a stop."""
    for claim in claims.AUDIT:
        for text in (claim.words, claim.remark):
            if text is not None:
                sentence = text.in_language(language)
                assert re.match(r"[A-ZА-ЯЁ\[θ]|[dfknq][ (·-]", sentence), sentence
                assert sentence.endswith("."), sentence


@pytest.mark.parametrize("language", ["en", "ru"])
def test_claims_without_a_remark_stand_on_two_lines(language: str) -> None:
    """At 80 columns a claim without a remark takes at most two: a class reads it fast."""
    lines = render(build.section_alone("claims"), "text", language).splitlines()
    for claim in claims.AUDIT:
        if claim.remark is None:
            rows = [at for at, line in enumerate(lines) if re.match(rf"│ {claim.mark} +│", line)]
            assert len(rows) == 1, claim.mark
            assert re.search(rf"│ {claim.slug} +│$", lines[rows[0]]), claim.mark
            below = lines[rows[0] + 1 : rows[0] + 3]
            assert any(re.match("[├└]", line) for line in below), claim.mark


@pytest.mark.parametrize(
    ("text", "numbers", "printed"),
    [
        ("the score is -0.841471.", [-0.841471], True),
        ("the score is -0.841471.", [0.841471], False),
        ("1.535306 and 18 pairs", [1.535306, 18], True),
        ("11.535306 and 180 pairs", [1.535306], False),
        ("1.535306 and 180 pairs", [18], False),
        ("0.25", [0], False),
        ("anything", [None], True),
        ("", [None], False),
    ],
)
def test_a_number_is_printed_only_by_itself(
    text: str, numbers: list[float | None], printed: bool
) -> None:
    """Not as a part of another number, and not with another sign."""
    assert claims.prints(text, *numbers) is printed


# The words.


# Words of titles that need no translation, a few letters of each.
EVERYDAY = re.compile(
    "addi|both|by|catc|chan|digi|does|each|earl|ever|from|hand|how|kept|larg|late|lett|long|matt|"
    "must|near|nine|numb|one|only|othe|pref|ques|run|same|sepa|smal|stil|that|the|two|view|what|"
    "when|whic|whol|why|win|with|word|a|and|as|in|is|of|or|to"
)


def test_words_of_titles_are_in_the_glossary() -> None:
    """What a title calls a thing, the glossary defines, or it is an everyday word."""
    known = " ".join(term.en.casefold() for term in terms.TERMS)
    missing = {
        (slug, word)
        for slug in tracks.SLUGS
        for word in re.findall("[a-z]+", section_module(slug).TITLE.en.casefold())
        if not EVERYDAY.fullmatch(word[:4]) and word.rstrip("s")[:4] not in known
    }
    assert missing == set()


def test_glossary_shows_both_languages_in_both_reports() -> None:
    """Every term stands in English and in Russian in either report, one's own language first."""
    english, russian = (
        render(build.section_alone("glossary"), "text", language, width=200)
        for language in ("en", "ru")
    )
    for term in terms.TERMS:
        en, ru, slug = map(re.escape, (term.en, term.ru, term.section))
        assert re.search(rf"│ {en} +│ .*│ {slug} +│\n│ {ru} +│", english)
        assert re.search(rf"│ {ru} +│ .*│ {slug} +│\n│ {en} +│", russian)


def test_every_term_is_defined_and_shown() -> None:
    """A definition is one sentence in each language, and the section it names exists."""
    for term in terms.TERMS:
        assert term.section in tracks.SLUGS, term.en
        for language in ("en", "ru"):
            meaning = term.meaning.in_language(language)
            assert re.fullmatch(r"[^.]*(\w\.\w[^.]*)*\.", meaning), meaning


def test_no_definition_is_circular() -> None:
    """A definition uses terms that stand above it, not itself and none from further below."""
    words = [
        (place, word) for place, term in enumerate(terms.TERMS) for word in term.en.split(", ")
    ]
    for place, term in enumerate(terms.TERMS):
        used = {at for at, word in words if re.search(rf"\b{re.escape(word)}s?\b", term.meaning.en)}
        assert all(at < place for at in used), (term.en, [terms.TERMS[at].en for at in used])


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    "slug", ["whole-model", "cache", "precision", "bugs", "claims", "glossary"]
)
def test_section_fits_the_page(slug: str, language: str) -> None:
    """At 40, 60 and 80 columns no line is longer than the page, but for a number."""
    for width in (40, 60, 80):
        text = render(build.section_alone(slug), "text", language, width=width)
        assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize(
    ("shift", "size"), [(10**3, 9e-14), (10**5, 9e-12), (10**6, 4e-11), (10**9, 2e-7)]
)
def test_a_common_shift_errs_by_this_much_at_width_128(shift: int, size: float) -> None:
    """Contents of default_rng(0), positions 5 and 2: float64 loses as many digits as the note says.

    The last bits of a score differ between machines, so the size is held and not the digits.
    """
    query, key = np.random.default_rng(0).standard_normal((2, 128))

    def score(offset: int) -> float:
        table = RotaryEmbedding(128, offset + 6, 10000.0, first_position=offset)
        turned = table.rotate(query[None], offset + 5)[0] @ table.rotate(key[None], offset + 2)[0]
        return float(turned)

    assert size / 20 <= abs(score(shift) - score(0)) <= size * 4


def test_glossary_for_a_spreadsheet(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each term with both languages, whatever the language of the report."""
    assert main(["show", "glossary", "--format", "csv", "--lang", "ru"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(rows[0]) == ["term_en", "term_ru", "meaning_en", "meaning_ru", "section"]
    assert len(rows) == len(terms.TERMS)
    tokens = {row["term_en"]: (row["term_ru"], row["section"]) for row in rows}
    assert tokens["token"] == ("токен", "order")
    assert all(cell for row in rows for cell in row.values())


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-x", "@a", "\t=1"])
def test_csv_has_no_formula(cell: str) -> None:
    """A cell that a spreadsheet would compute is quoted; one that is a number need not be."""
    assert next(csv.reader(io.StringIO(as_csv([[cell, "a=b"]]), newline=""))) == ["'" + cell, "a=b"]
    assert as_csv([["-1"]], lambda text: text == "-1") == "-1\n"
