"""Public cases of RoPE gone wrong, by the names of their list: ``verify`` names each mistake.

Arrays come from the witness or are typed from the reports, and so are all numbers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tools import mistaken as witness
from tools.command import Run
from tools.mistaken import Array, Figures, Setup, changed, right
from tools.setups import (
    ADJACENT,
    COMBINED,
    GPT_OSS,
    HALF,
    LLAMA31,
    MIRROR,
    MIRRORED_ROW,
    MIXED,
    MIXED_ROW,
    ONCE,
    OPEN,
    ORDER,
    REORDERED,
    TWICE,
    made,
    scaled,
    told,
)
from tools.verifying import WIDEST, agree, config_of, examined, named, saved

from rope_cli.cli.main import main
from rope_cli.verify.explain import fitted_laws, joint_laws
from rope_cli.verify.measure.estimates import FrequencyEstimate, Rotations
from rope_cli.verify.measure.expected import expected_plain

pytestmark = pytest.mark.slow

Values = dict[str, Any]
Mistakes = Sequence[tuple[str, Figures]]
Verify = Callable[..., tuple[int, Values]]
# A setup whose right arrays are the wrong ones, or a kind of mistake with its figures.
Wrong = Setup | tuple[str, Figures]
OTHER_LAYOUT = "agrees-in-another-layout"


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> Verify:
    """Run the command in this process: its exit code, and what a program reads of one section."""

    def verify(*words: str) -> tuple[int, Values]:
        code = main([*words, "--format", "json"])
        out, err = capsys.readouterr()
        assert err == ""
        [section] = json.loads(out)["sections"]
        return code, section["values"]

    return verify


@pytest.fixture
def typed(verify: Verify, tmp_path: Path) -> Verify:
    """The same for arrays typed into a file, with as many digits as float32 has."""

    def typed(*words: str, **arrays: Any) -> tuple[int, Values]:
        (tmp_path / "typed.json").write_text(json.dumps(arrays))
        return verify("verify", str(tmp_path / "typed.json"), "--dtype", "float32", *words)

    return typed


def explained(values: Values) -> list[Mistakes]:
    """Kinds and figures of every explanation, the first one first."""
    return [
        [(each["kind"], {k: v for k, v in each.items() if k != "kind"}) for each in mistakes]
        for mistakes in (values["mistakes"], *values["alternatives"])
    ]


def says(found: Mistakes, expected: Mistakes) -> bool:
    """Whether these are the kinds, with at least these figures, measured ones to seven digits."""
    return [kind for kind, _ in found] == [kind for kind, _ in expected] and all(
        said[name] == (pytest.approx(value, rel=1e-7) if isinstance(value, float) else value)
        for (_, said), (_, figures) in zip(found, expected, strict=True)
        for name, value in figures.items()
    )


def blind(values: Values) -> dict[str, str]:
    return {each["kind"]: each["why"] for each in values["cannot_show"]}


def close(found: Any, *expected: float, off: float = 0.0) -> None:
    np.testing.assert_allclose(found, expected, rtol=3e-9, atol=off)


def random_rows(setup: Setup, batch: int = 2, heads: int = 3) -> Array:
    """Rows ``[batch, heads, tokens, head_width]`` that the dtype holds."""
    shape = batch, heads, setup.positions.shape[-1], setup.head_width
    return witness.rounded(np.random.default_rng(8).normal(size=shape), setup.dtype)


def made_wrong(wrong: Wrong, setup: Setup, x: Array) -> Array:
    """What an implementation with the mistake would save."""
    return right(wrong, x) if isinstance(wrong, Setup) else made(wrong[0], setup, x, **wrong[1])


# Typed rows


class Toy(NamedTuple):
    """The rows of a case as they were published, and what is named: first, or among others."""

    case: str
    mistake: tuple[str, Figures]
    x: Any
    y: Any
    positions: Any = (1,)
    words: Sequence[str] = ()
    first: bool = True


HALF_SPLIT = ("--layout", "half-split")
HEADS = ("--axes", "heads,tokens,features")
FOUR, EIGHT, ONE = [[1, 2, 3, 4]], [list(range(8))], [1, 0]
AT_1, AT_2, AT_3 = (
    (0.540302306, 0.841470985),
    (-0.416146837, 0.909297427),
    (-0.989992497, 0.141120008),
)
AT_9 = (-0.911130262, 0.412118485)
TOYS = (
    Toy("A2", ("mixed-layout", MIXED), FOUR, [MIXED_ROW]),
    Toy("A2 halves", ("mixed-layout", MIXED), FOUR, [MIXED_ROW], words=HALF_SPLIT),
    Toy("A2 mirror", ("mixed-layout", MIRROR), FOUR, [MIRRORED_ROW]),
    Toy("A4", ("order-out", ORDER), FOUR, [REORDERED]),
    Toy("A4 still", ("order-out", ORDER), EIGHT, [ONCE], (0,)),
    Toy("B1 still", ("permuted", {"order": TWICE}), EIGHT, [TWICE], (0,), HALF_SPLIT, False),
    Toy("C1", ("direction", {}), [ONE], [(0.540302306, -0.841470985)]),
    # Nothing else than a row at rest: the offset cannot be told from a missing rotation.
    Toy("D1", ("offset", {"offset": -5}), [ONE], [ONE], (5,), (), False),
    Toy("D4", ("slot-positions", {}), [ONE] * 4, [ONE, AT_1, AT_2, AT_3], (0, 1, 1, 2)),
    Toy("D4 shift", ("offset", {"offset": 3}), [ONE], [AT_3], (0,)),
    Toy("D5", ("clamped-positions", {"last": 9}), [ONE] * 2, [AT_9] * 2, (9, 10)),
    Toy("D8", ("axes-exchanged", {}), [[ONE] * 2] * 2, [[ONE] * 2, [AT_1] * 2], (0, 1), HEADS),
    # Tokens may also lie before the heads, but then it must be said.
    Toy("D8 no axes", ("axes-exchanged", {}), [[ONE] * 2] * 2, [[ONE] * 2, [AT_1] * 2], (0, 1)),
)


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.case)
def test_published_rows(toy: Toy, typed: Verify) -> None:
    """Wrong rows end with 1 and are named; nothing that is named is unproved."""
    code, values = typed(*toy.words, input=toy.x, output=toy.y, positions=toy.positions)
    assert (code, values["verdict"]) == (1, "differs")
    assert values["every_number_explained"]
    found = explained(values)
    assert any(says(each, [toy.mistake]) for each in (found[:1] if toy.first else found))


RIGHT = (
    ("A1", (), FOUR, [ADJACENT], (1,)),
    ("A1 halves", HALF_SPLIT, FOUR, [HALF], (1,)),
    ("C1", (), [ONE], [AT_1], (1,)),
    ("D1", (), [ONE], [(0.283662185, -0.958924275)], (5,)),
    ("D4", (), [ONE] * 4, [ONE, AT_1, AT_1, AT_2], (0, 1, 1, 2)),
    ("D8", HEADS, [[ONE] * 2] * 2, [[ONE, AT_1]] * 2, (0, 1)),
    (
        "D8 other axes",
        ("--axes", "tokens,x,features"),
        [[ONE] * 2] * 2,
        [[ONE] * 2, [AT_1] * 2],
        (0, 1),
    ),
    ("E1", (*HALF_SPLIT, "-d", "4"), [range(1, 9)], [(*HALF, 5, 6, 7, 8)], (1,)),
)


@pytest.mark.parametrize(("case", "words", "x", "y", "positions"), RIGHT)
def test_published_right_rows(
    case: str, words: Sequence[str], x: Any, y: Any, positions: Any, typed: Verify
) -> None:
    """They agree, and nothing is named."""
    code, values = typed(*words, input=[*map(list, x)], output=y, positions=positions)
    assert (code, values["verdict"], values["mistakes"]) == (0, "agrees", [])


@pytest.mark.parametrize(("asked", "code"), [((), 0), (HALF_SPLIT, 1)])
def test_a_layout_is_no_mistake_until_it_is_asked_for(
    asked: Sequence[str], code: int, typed: Verify
) -> None:
    """Case A1: adjacent where halves belong; position 0 alone cannot tell."""
    expected, y = ("adjacent", HALF) if not asked else ("half-split", ADJACENT)
    found, values = typed(*asked, input=FOUR, output=[y], positions=[1])
    assert (found, values["verdict"]) == (code, OTHER_LAYOUT)
    other = witness.OTHER[expected]
    assert explained(values) == [[("other-layout", {"layout": other})]]
    _, values = typed(*asked, input=FOUR, output=FOUR, positions=[0])
    assert blind(values)["other-layout"] == "position-zero"


# Whole arrays

NEAR = np.arange(5, 29)
# Near and far, so that slow pairs are measured as well as fast ones.
FAR = np.r_[0:24, 1000:1008, 2030:2040]


def at(setup: Setup, positions: Any = FAR, half: bool = True) -> Setup:
    layout = "half-split" if half else "adjacent"
    return setup._replace(positions=np.asarray(positions), layout=layout)


def dynamic(s: int, length: int) -> Setup:
    return at(scaled("dynamic", 128, 1e4, factor=s, original_length=4096, length=length))


def ntk(s: int) -> Setup:
    return at(scaled("ntk", 128, 1e4, factor=s))


def llama3(s: int) -> Setup:
    return at(scaled("llama3", 64, 5e5, **{**LLAMA31.values, "factor": s}))


class Case(NamedTuple):
    """What is expected, what was done, and what is named.

    ``expected`` and ``measured`` are frequencies of some pairs, as published.
    """

    case: str
    setup: Setup
    wrong: Wrong
    mistakes: Mistakes
    expected: str = ""
    measured: str = ""


WIDE, HALVES = at(told(64), NEAR, False), at(told(64), NEAR)
PARTIAL, NEMO = at(told(64, 1e7, head_width=256)), at(told(128, 1e6))
TABLE, LLAMA2, LLAMA_3 = at(told(128), [*range(8, 24)]), at(told(128)), at(told(128, 5e5))
REPEATED = at(told(64), np.repeat(np.arange(12), 2))
GIVEN = {"original_length": 4096, "attention_factor": 1.0}
SIXTY_FOUR, SIXTEEN = (at(scaled("yarn", 64, 1e4, factor=s, **GIVEN)) for s in (64, 16))
YARN128 = at(scaled("yarn", 64, 1e4, factor=128, original_length=4096))
CUT = at(scaled("yarn", 64, 15e4, **GPT_OSS, truncate=True))
CONSTANT, STATIC = (
    [("other-rule", {"rule": rule})] for rule in ("dynamic-constant", "dynamic-static")
)
# Lists of LongRoPE whose last factors are those of the case and whose others are not 1.
LISTS = {"short_factor": (*(1.25,) * 47, 1.0), "long_factor": (*(2.5,) * 47, 47.77)}
SHORT, LONG = (
    at(scaled("longrope", 96, 1e4, **GPT_OSS, **LISTS, length=length)) for length in (4096, 4097)
)
TRUNCATED = [("other-rule", {"rule": "other-truncation"})]
BF16 = {"dtype": "bfloat16", "rounded": ["frequencies"]}
OUT = {"layout_in": "half-split", "layout_out": "adjacent"}
PERMUTED = {"order": [4 * k % 64 + k // 16 for k in range(64)]}
CASES = (
    Case("A1", WIDE, HALVES, [("other-layout", {"layout": "half-split"})]),
    Case("A1 halves", HALVES, WIDE, [("other-layout", {"layout": "adjacent"})]),
    Case("A2", HALVES, ("mixed-layout", MIXED), [("mixed-layout", MIXED)]),
    Case("A2 mirror", WIDE, ("mixed-layout", MIRROR), [("mixed-layout", MIRROR)]),
    Case("A4", HALVES, ("order-out", ORDER), [("order-out", ORDER)]),
    Case("A4 mirror", WIDE, ("order-out", OUT), [("order-out", OUT)]),
    Case("B1", HALVES, ("permuted", PERMUTED), [("permuted", PERMUTED)]),
    Case(
        *("B1 width 8", at(told(8), NEAR), ("permuted", {"order": TWICE})),
        [("permuted", {"order": TWICE})],
    ),
    Case("C1", WIDE, ("direction", {}), [("direction", {})]),
    Case("D1", WIDE, at(WIDE, NEAR - 5, False), [("offset", {"offset": -5})]),
    Case("D4", REPEATED, ("slot-positions", {}), [("slot-positions", {})]),
    Case("D4 shift", HALVES, at(HALVES, NEAR + 3), [("offset", {"offset": 3})]),
    Case(
        *("D5", TABLE, at(TABLE, [8, 9, *[9] * 14]), [("clamped-positions", {"last": 9})]),
    ),
    Case("D8", HALVES, ("axes-exchanged", {}), [("axes-exchanged", {})]),
    Case(
        *("E1", PARTIAL, ("denominator", {"denominator": 256})),
        [("denominator", {"denominator": 256})],
        *("1:6.04296390e-01", "1:8.81683067e-01"),
    ),
    Case("E1 stride", PARTIAL, ("stride", {"stride": 128}), [("stride", {"stride": 128})]),
    Case(
        *("E1 toy", at(told(4, head_width=8), NEAR), ("stride", {"stride": 4})),
        [("stride", {"stride": 4})],
    ),
    Case(
        *("E5", NEMO, changed(NEMO, denominator=160), [("denominator", {"denominator": 160})]),
        *("1:8.05842188e-01", "1:8.41395142e-01"),
    ),
    Case(
        *("F1", LLAMA_3, LLAMA2, [("base", {"base": 1e4})]),
        "1:8.14617234e-01 32:1.41421356e-03 63:2.45514079e-06",
        "1:8.65964323e-01 32:1.00000000e-02 63:1.15478198e-04",
    ),
    Case("F1 toy", at(told(4, 5e5), NEAR), at(told(4), NEAR), [("base", {"base": 1e4})]),
    Case(
        *("G1", LLAMA2, ("low-precision", {**BF16, "rounded": "frequencies"})),
        [("low-precision", BF16)],
        *("1:8.65964323e-01", "1:8.67187500e-01"),
    ),
    Case("H1", dynamic(4, 8192), ntk(13), CONSTANT),
    Case("H1 short", dynamic(4, 2048), ntk(13), CONSTANT),
    Case("H1 static", dynamic(4, 8192), ntk(4), STATIC),
    Case("H1 unscaled", dynamic(4, 8192), LLAMA2, [("unscaled", {})]),
    Case(
        *("H4", at(OPEN), CUT, TRUNCATED),
        "12:6.79495949e-03 16:4.56483919e-04 17:1.29318701e-04",
        "12:7.01571391e-03 16:5.80947502e-04 17:2.27947796e-04",
    ),
    Case(
        *("H4 truncated", CUT, at(OPEN), TRUNCATED),
        "12:7.01571391e-03 16:5.80947502e-04 17:2.27947796e-04",
        "12:6.79495949e-03 16:4.56483919e-04 17:1.29318701e-04",
    ),
    Case(
        *("H9", SIXTY_FOUR, SIXTY_FOUR._replace(attention=1 + math.log(64) / 10)),
        [("attention-factor", {"found": 1.41588831, "expected": 1.0})],
    ),
    Case(
        *("H9 16", SIXTEEN, SIXTEEN._replace(attention=1 + math.log(16) / 10)),
        [("attention-factor", {"found": 1.27725887, "expected": 1.0})],
    ),
    Case(
        *("H9 twice", YARN128, YARN128._replace(attention=YARN128.attention**2)),
        [("attention-factor", {"found": 2.20582803, "expected": 1.48520303})],
    ),
    Case(
        *("H9 none", YARN128, YARN128._replace(attention=1.0)),
        [("attention-factor", {"found": 1.0, "expected": 1.48520303})],
    ),
    Case(
        *("H12", at(LLAMA31), at(told(128, 5e5)), [("unscaled", {})]),
        *("29:2.16657076e-03", "29:2.61609925e-03"),
    ),
    Case(
        *("H12 factor", llama3(32), llama3(8), [("llama3", {"factor": 8.0})]),
        *("31:9.41830673e-08", "31:3.76732269e-07"),
    ),
    Case(
        *("H13", SHORT, LONG, [("other-list", {})]),
        *("47:1.21152766e-04", "47:2.53616843e-06"),
    ),
    Case(
        *("H13 long", LONG, SHORT, [("other-list", {})]),
        *("47:2.53616843e-06", "47:1.21152766e-04"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case)
def test_wrong_arrays_are_named_and_right_ones_agree(
    case: Case, verify: Verify, tmp_path: Path
) -> None:
    """First of all explanations, with published figures and frequencies; exit codes 1 and 0."""
    setup, x = case.setup, random_rows(case.setup)
    y, wrong = right(setup, x), made_wrong(case.wrong, setup, x)
    code, values = verify(*saved(tmp_path, setup, x, wrong))
    assert says(explained(values)[0], case.mistakes), explained(values)
    assert (code, values["verdict"]) == (
        1,
        OTHER_LAYOUT if case.mistakes[0][0] == "other-layout" else "differs",
    )
    for name, published in (("expected", case.expected), ("measured", case.measured)):
        for pair, digits in (each.split(":") for each in published.split()):
            assert f"{values[f'{name}_frequencies'][int(pair)]:.8e}" == digits, (name, pair)
    assert values["every_number_explained"] or case.mistakes[0][0] == "low-precision"
    code, values = verify(*saved(tmp_path, setup, x, y))
    assert (code, values["verdict"], values["mistakes"]) == (0, "agrees", [])


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case)
def test_in_coarser_dtypes_too(case: Case, dtype: str) -> None:
    """The mistake is among the explanations, if any can be seen; right arrays agree."""
    setup = case.setup._replace(dtype=dtype)
    other = case.wrong._replace(dtype=dtype) if isinstance(case.wrong, Setup) else case.wrong
    x = random_rows(setup)
    y, wrong = right(setup, x), made_wrong(other, setup, x)
    assert examined(setup, x, y).verdict == "agrees"
    found = examined(setup, x, wrong)
    if witness.visible(setup, y, wrong, x) > WIDEST:
        kinds = [kind for kind, _ in case.mistakes]
        assert kinds in [[kind for kind, _ in each] for each in named(found)]
    else:
        assert found.verdict == "agrees"


def test_a_row_padded_on_the_left(verify: Verify, tmp_path: Path) -> None:
    """Case D4: each batch row has positions of its own, and places in the array are taken."""
    tokens = np.arange(16)
    padded = at(told(64), np.stack([tokens, np.maximum(tokens - 3, 0)])[:, np.newaxis])
    x = random_rows(padded)
    y, wrong = right(padded, x), right(at(told(64), tokens), x)
    words = saved(tmp_path, padded._replace(positions=padded.positions[:, 0]), x, wrong)
    code, values = verify(*words)
    assert (code, values["verdict"]) == (1, "differs")
    # The other row has its places for positions: the same mistake in it changes nothing.
    assert says(explained(values)[0], [("slot-positions", {})])
    saved(tmp_path, padded._replace(positions=padded.positions[:, 0]), x, y)
    assert verify(*words)[0] == 0


def test_a_quotient_is_not_the_width_of_a_head(verify: Verify, tmp_path: Path) -> None:
    """Case E5: 5120 / 32 = 160 where head_dim is 128, in arrays and in a list of frequencies."""
    x = random_rows(NEMO)
    words = saved(tmp_path, NEMO, x, right(changed(NEMO, denominator=160), x))
    config = tmp_path / "config.json"
    hidden = {"hidden_size": 5120, "num_attention_heads": 32}
    config.write_text(json.dumps(config_of(NEMO) | hidden))
    quotient = [("other-rule", {"rule": "quotient-width"})]
    denominator = [("denominator", {"denominator": 160, "expected": 128})]
    assert explained(verify(*words)[1]) == [quotient, denominator]

    path = tmp_path / "list.json"
    words = ["verify", "--frequencies", str(path), "--config", str(config)]
    for count, width, mistakes in (
        (64, 128, []),
        (64, 160, quotient),
        (80, 160, [("rotary-width", {"width": 160, "expected": 128})]),
    ):
        path.write_text(json.dumps([1e6 ** (-2 * k / width) for k in range(count)]))
        code, values = verify(*words)
        assert (code, values["verdict"]) == ((1, "differs") if mistakes else (0, "agrees"))
        assert explained(values)[0] == mistakes
        assert f"{values['expected_frequencies'][1]:.9f}" == "0.805842188"
        listed = "0.841395142" if width == 160 else "0.805842188"
        assert f"{values['listed_frequencies'][1]:.9f}" == listed


def test_frequencies_and_wavelengths_are_listed(
    verify: Verify, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Case F2: of Llama 2; 18 of 64 pairs never complete a turn in 4096 tokens."""
    x = random_rows(LLAMA2)
    words = saved(tmp_path, LLAMA2, x, right(LLAMA2, x))
    frequencies = np.array(verify(*words)[1]["expected_frequencies"])
    close(math.tau / frequencies[[0, 63]], 6.283185307, 54410.1431)
    assert (math.tau / frequencies > 4096).nonzero()[0].tolist() == list(range(46, 64))
    assert main([*words, "--rows", "all"]) == 0
    rows = [line.strip("│ ").split("│") for line in capsys.readouterr().out.splitlines()]
    listed = {row[0].strip(): row[2].strip() for row in rows if len(row) == 6}
    assert (listed["0"], listed["63"]) == ("6.28318531", "54410.1431")


def test_narrow_frequencies_are_measured(verify: Verify, tmp_path: Path) -> None:
    """Case G1: the errors of phases grow with the position."""
    setup, frequencies = at(told(128), np.arange(4000, 4096)), {"frequencies": "bfloat16"}
    x = random_rows(setup, 1)
    code, values = verify(*saved(tmp_path, setup, x, right(setup, x, **frequencies)))
    [[(kind, figures)]] = explained(values)
    assert (code, kind, figures["rounded"]) == (1, "low-precision", ["frequencies"])
    assert (figures["dtype"], figures["from_position"]) == ("bfloat16", 4000)
    exact, measured = (
        np.array(values[f"{name}_frequencies"], float) for name in ("expected", "measured")
    )
    off = np.nanmax(np.abs(measured - exact))
    close(off * np.array([511, 2047, 4095]), 0.625043263, 2.503842582, 5.00890834)
    close(np.cos([4095 * exact[1], values["measured_angles"][-1][1]]), -0.742365818, 0.423841455)


def test_narrow_tables_are_measured(verify: Verify, tmp_path: Path) -> None:
    """Case G1: everything in float16, where the angle 1044.27 is 1045."""
    setup = at(told(32), np.arange(1840, 1872))
    what = ("frequencies", "positions", "angles", "tables")
    x = random_rows(setup)
    y = right(setup, x, **dict.fromkeys(what, "float16"))
    code, values = verify(*saved(tmp_path, setup, x, y))
    [(kind, figures)] = explained(values)[0]
    assert (code, kind) == (1, "low-precision")
    assert (figures["dtype"], figures["rounded"]) == ("float16", list(what))
    at_1857 = values["measured_positions"].index(1857)
    close(math.cos(1857 * values["expected_frequencies"][1]), 0.306692810)
    assert abs(math.cos(values["measured_angles"][at_1857][1]) + 0.408203125) < 2**-11


def test_a_factor_of_two_at_twice_the_length_hides_the_constant_base(
    verify: Verify, tmp_path: Path
) -> None:
    """Case H1: 30527.7367 by both rules; at other lengths, and by the factor 4, they differ."""
    for s, length, constant, base, found in (
        (2, 8192, 3, 30527.7367, 30527.7367),
        (2, 4096, 3, 10000, 30527.7367),
        (4, 2048, 13, 10000, 135401.973),
        (4, 8192, 13, 51293.7873, 135401.973),
    ):
        setup = dynamic(s, length)
        x = random_rows(setup)
        code, values = verify(*saved(tmp_path, setup, x, right(ntk(constant), x)))
        assert code == (base != found)
        assert explained(values)[0] == (CONSTANT if code else [])
        close(np.array(values["expected_frequencies"])[1] ** -64, base)
        close(np.array(values["measured_frequencies"])[1] ** -64, found)


def test_far_positions_wrap(verify: Verify, tmp_path: Path) -> None:
    """Cases F1 and H12: 10 radians where 1.414 belong, 25.05 where 3.13 belong."""
    for right_setup, wrong_setup, m, pair, angle, found in (
        (LLAMA_3, LLAMA2, 1000, 32, 1.414213562, 10),
        (at(LLAMA31), at(told(128, 5e5)), 32768, 35, 3.13137966, 25.0510373),
    ):
        setup = at(right_setup, [m - 2, m - 1, m])
        x = random_rows(setup)
        wrong = right(at(wrong_setup, setup.positions), x)
        values = verify(*saved(tmp_path, setup, x, wrong))[1]
        close(m * values["expected_frequencies"][pair], angle)
        close(values["measured_angles"][2][pair], math.remainder(found, math.tau), off=5e-8)


def test_a_base_too_great_for_float64_is_no_explanation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Angles that follow no law may be fitted by any base, even by e^10000."""
    expected = expected_plain(16, 16, 1e4, "adjacent")
    thirds = FrequencyEstimate(expected.frequencies / 3, np.full(8, 1e-9), 0.0, np.zeros(8))
    ones = np.ones((1, 8))
    rotations = Rotations(np.ones((1, 8), np.complex128), ones, ones, np.ones(1), "float64")
    for log, laws in ((math.log(5e5), 1), (1e4, 0)):
        fit = fitted_laws.Fit(log, 1e-9)
        monkeypatch.setattr(joint_laws, "fit_parameter", lambda *_, fit=fit: fit)
        assert len(list(joint_laws.base_and_factor_laws(expected, thirds, rotations))) == laws


def test_a_fit_that_runs_away_stays_finite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever base is tried on the way, its frequencies have squares in float64."""
    expected = expected_plain(64, 64, 5e5, "adjacent")
    thirds = FrequencyEstimate(expected.frequencies / 3, np.full(32, 1e-9), 0.0, np.zeros(32))
    ones = np.ones((1, 32))
    rotations = Rotations(np.ones((1, 32), np.complex128), ones, ones, np.ones(1), "float64")

    def run_away(curve: Any, start: fitted_laws.Fit, *_: Any) -> fitted_laws.Fit:
        for log in (1e4, -1e4):
            assert np.isfinite((1e6 * curve(log)) ** 2).all()
        return start

    monkeypatch.setattr(joint_laws, "fit_parameter", run_away)
    assert len(list(joint_laws.base_and_factor_laws(expected, thirds, rotations))) == 0


@pytest.mark.parametrize("learned", [False, True])
def test_added_numbers_are_as_inexact_as_what_makes_them(
    learned: bool, verify: Verify, tmp_path: Path
) -> None:
    """Sinusoids of far float32 angles; vectors measured on rows of which one is much longer."""
    rng = np.random.default_rng(4)
    x, m = rng.normal(size=(3, 16, 32)).astype(np.float32), np.arange(100_000, 100_016)
    x[2] *= 100
    angles = m[:, np.newaxis].astype(np.float32) * np.float32(1e4) ** (-np.arange(16) / 16)
    added = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(16, 32).astype(np.float32)
    added = rng.normal(size=(16, 32)).astype(np.float32) if learned else added
    np.savez(tmp_path / "added.npz", input=x, output=x + added, positions=m)
    code, values = verify("verify", str(tmp_path / "added.npz"), "--layout", "adjacent")
    named = ("additive-positions", {}) if learned else ("additive-sinusoid", {"factor": 1.0})
    assert code == 1
    assert says(explained(values)[0], [named])


@pytest.mark.parametrize("start", [-31, -100_000, -1_000_000])
def test_positions_before_0_are_explained_too(start: int, verify: Verify, tmp_path: Path) -> None:
    """An offset of 7 is named however far before 0 the tokens are; random angles have no name."""
    rng = np.random.default_rng(6)
    x, m = rng.normal(size=(2, 24, 16)), np.arange(start, start + 24)
    shifted = (m + 7)[:, np.newaxis] * 1e4 ** (-np.arange(8) / 8)
    for angles, names in (
        (shifted, [("offset", {"offset": 7})]),
        (rng.uniform(0, 6, (24, 8)), []),
    ):
        c, s = np.cos(angles), np.sin(angles)
        left, other, y = x[..., ::2], x[..., 1::2], x.copy()
        y[..., ::2], y[..., 1::2] = left * c - other * s, left * s + other * c
        np.savez(tmp_path / "far.npz", input=x, output=y, positions=m)
        code, values = verify("verify", str(tmp_path / "far.npz"), "--layout", "adjacent")
        assert code == 1
        assert says(explained(values)[0], names)


# Scores, and the backward pass


@pytest.mark.parametrize(
    ("case", "half", "q", "k", "m", "n", "scores"),
    [
        ("A1 other-layout", False, FOUR[0], [4, 3, 2, 1], 5, 2, (-0.760002170, -1.615579711)),
        ("A1 other-layout", True, FOUR[0], [4, 3, 2, 1], 5, 2, (-1.615579711, -0.760002170)),
        ("C1 direction", False, ONE, [0, 1], 3, 1, (0.909297427, -0.909297427)),
        ("C1 alike", False, ONE, ONE, 3, 1, (-0.416146837, -0.416146837)),
    ],
)
def test_scores(
    case: str, half: bool, q: Any, k: Any, m: int, n: int, scores: Any, typed: Verify
) -> None:
    """Of rows at two positions; a query like its key hides the direction."""
    setup = at(told(len(q)), [n, m], half)
    mistake = case.split()[1]
    kind = "direction" if mistake == "alike" else mistake
    figures = {"layout": "adjacent" if half else "half-split"} if kind == "other-layout" else {}
    rows = [np.tile(np.array(each, float), (1, 1, 2, 1)) for each in (q, k)]
    for wrong, expected in zip((False, True), scores, strict=True):
        query, key = (made(kind, setup, x, **figures) if wrong else right(setup, x) for x in rows)
        found = query[0, 0] @ key[0, 0].T
        close(found[1, 0], expected)
        code, values = typed(
            *("--layout", setup.layout),
            **{"query": [q, q], "key": [k, k], "scores": found.tolist(), "positions": [n, m]},
        )
        seen = wrong and mistake != "alike"
        assert (code, values["verdict"]) == ((1, "differs") if seen else (0, "agrees"))
        assert [each["kind"] for each in values["mistakes"]] == ([kind] if seen else [])
        assert ("direction" in blind(values)) == (mistake == "alike")


def rotate_half(x: Array) -> Array:
    left, other = np.split(x, 2, axis=-1)
    return np.concatenate([-other, left], axis=-1)


@pytest.mark.parametrize("mixed", [False, True])
def test_backward_in_the_wrong_order(mixed: bool, verify: Verify, tmp_path: Path) -> None:
    """Case C2: only where the halves of the tables differ does the order of R and s matter.

    They differ in no table of RoPE but a mixed one: its forward pass and the wrong backward pass
    are named as such, its right backward pass is something else.
    """
    setup = HALVES
    angles = np.repeat(setup.positions[:, np.newaxis] * setup.theta, 2, axis=1)  # t0 t0 t1 t1
    if not mixed:
        angles = np.concatenate([angles[:, ::2]] * 2, axis=1)  # t0 t1 t0 t1
    c, s = np.cos(angles), np.sin(angles)
    y = random_rows(setup)
    words = saved(tmp_path, setup, y, y * c + rotate_half(y) * s)
    code, values = verify(*words)
    names = [("mixed-layout", MIXED)] if mixed else []
    assert (code, explained(values)) == (int(mixed), [names])
    for order in (y * c - rotate_half(y * s), y * c - rotate_half(y) * s):
        saved(tmp_path, setup, y, order)
        code, values = verify(*words, "--backward")
        wrong_order = np.array_equal(order, y * c - rotate_half(y) * s)
        assert code == int(mixed)
        assert (explained(values)[0] == [("mixed-layout", MIXED)]) == (mixed and wrong_order)
    # The numbers of the case are those of no rotation, and of different rows.
    c, s, y = np.array([0.8, 0.6]), np.array([0.6, 0.8]), np.array([1.0, 2.0])
    close(y * c - rotate_half(y * s), 2.4, 0.6)
    close(y * c - rotate_half(y) * s, 2.0, 0.4)


# Two mistakes, and none that can be seen


def instead_of_both(kinds: tuple[str, str], setup: Setup, rng: witness.Rng) -> list[str]:
    """What is named instead of two mistakes with their figures; of equals, in any place."""
    x = random_rows(setup)
    while (found := witness.combined(kinds, setup, x, rng)) is None:
        pass
    y, figures = found
    explanations = named(examined(setup, x, y))
    for each in explanations:
        said = {name: value for _, more in each for name, value in more.items()}
        if sorted(kind for kind, _ in each) == sorted(kinds) and agree(figures, said):
            return []
    return [f"{setup} {figures}: {explanations}"]


@pytest.mark.parametrize("kinds", COMBINED, ids=" and ".join)
def test_two_mistakes_at_once(kinds: tuple[str, str]) -> None:
    """Both are named with their figures, in any setup of 8 pairs or more within 4096 positions."""
    rng = np.random.default_rng(3)
    for dtype in ("float64", "float32") * 3:
        while (setup := witness.random_setup(rng)).rotary_width < 16:
            pass
        start = int(rng.integers(1, 4000))
        setup = at(setup, np.arange(start, start + 24), setup.layout == "half-split")
        assert instead_of_both(kinds, setup._replace(dtype=dtype), rng) == []


@pytest.mark.parametrize("offset", [4795, 90952])
def test_a_far_offset_makes_float32_angles_inexact(offset: int) -> None:
    """Tokens from 0 on that were rotated far out, with another gain: both are named."""
    setup = at(told(42, 15e4), np.arange(24))._replace(dtype="float32")
    far = setup._replace(positions=setup.positions + offset, attention=1.25)
    x = random_rows(setup)
    [kinds, *_] = named(examined(setup, x, right(far, x)))
    assert says(kinds, [("attention-factor", {}), ("offset", {"offset": offset})])
    assert dict(kinds)["attention-factor"]["found"] == pytest.approx(1.25, rel=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("kinds", COMBINED, ids=" and ".join)
def test_two_mistakes_at_once_in_coarse_dtypes(kinds: tuple[str, str], dtype: str) -> None:
    """The same for a common width and base, and for as many tokens as coarse numbers need."""
    for seed in range(3):
        setup = at(told(64, 5e5), np.arange(5, 45), seed % 2 == 0)._replace(dtype=dtype)
        assert instead_of_both(kinds, setup, np.random.default_rng(seed)) == []


@pytest.mark.parametrize("half", [False, True])
def test_what_arrays_cannot_show(half: bool, verify: Verify, tmp_path: Path) -> None:
    """Position 0, one pair, rows of zeros, single rows and short turns tell less; it is said."""
    everything = ("other-layout", "no-rotation", "direction", "base")
    pair = dict.fromkeys(("other-layout", "base"), "one-pair")
    short = at(scaled("llama3", 64, 5e5, **LLAMA31.values), range(4), half)._replace(
        dtype="bfloat16"
    )
    for setup, zeros, single, missing in (
        (at(told(8), [0], half), False, False, dict.fromkeys(everything, "position-zero")),
        (at(told(2), NEAR, half), False, False, pair),
        (at(told(8), NEAR, half), True, False, dict.fromkeys((*everything, "offset"), "zeros")),
        (at(told(8), NEAR, half), False, True, {"batch": "one-row"}),
        (at(told(8), NEAR, half), False, False, {}),
        (short, False, False, {"unscaled": "too-near"}),
    ):
        x = random_rows(setup, *((1, 1) if single else (2, 3))) * (not zeros)
        code, values = verify(*saved(tmp_path, setup, x, right(setup, x)))
        assert (code, values["verdict"], blind(values)) == (0, "agrees", missing)


def test_the_command_in_a_process(run: Run, tmp_path: Path) -> None:
    """Exit codes and words, as they are read in a terminal."""
    x = random_rows(LLAMA_3)
    words = saved(tmp_path, LLAMA_3, x, right(LLAMA2, x))
    wrong = run(*words)
    assert (wrong.returncode, wrong.stderr) == (1, b"")
    assert "the base is 10000" in " ".join(wrong.stdout.decode().split())
    saved(tmp_path, LLAMA_3, x, right(LLAMA_3, x))
    agreed = run(*words, "--format", "json")
    assert (agreed.returncode, agreed.stderr) == (0, b"")
    [section] = json.loads(agreed.stdout)["sections"]
    assert (section["values"]["verdict"], section["values"]["mistakes"]) == ("agrees", [])
