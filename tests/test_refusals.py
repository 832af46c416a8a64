"""What is refused, by which rule, in which order, and with which values named."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rope_cli.errors import (
    AutodiffStage,
    FeatureWidthMismatch,
    InputRank,
    InputType,
    InvalidBase,
    InvalidCount,
    NonFiniteTableValue,
    OddFeatureWidth,
    OutputArray,
    PositionOffsetOverflow,
    PositionRangeExceeded,
    RopeError,
    TableAllocationFailed,
    TableSizeOverflow,
    UnknownLayout,
    ZeroFeatureWidth,
    ZeroPositionCapacity,
)
from rope_cli.rope import tables, tape
from rope_cli.rope.tables import RotaryEmbedding, first_that_holds

NAN = math.nan
SMALLEST = 5e-324  # 2^-1074

KINDS = {
    InvalidCount: "invalid-count",
    ZeroFeatureWidth: "zero-feature-width",
    OddFeatureWidth: "odd-feature-width",
    ZeroPositionCapacity: "zero-position-capacity",
    InvalidBase: "invalid-base",
    UnknownLayout: "unknown-layout",
    TableSizeOverflow: "table-size-overflow",
    TableAllocationFailed: "table-allocation-failed",
    NonFiniteTableValue: "non-finite-table-value",
    InputRank: "input-rank",
    InputType: "input-type",
    FeatureWidthMismatch: "feature-width-mismatch",
    PositionOffsetOverflow: "position-offset-overflow",
    PositionRangeExceeded: "position-range-exceeded",
    OutputArray: "output-array",
    AutodiffStage: "autodiff-stage",
}


def refusal(function: Callable[..., object], *given: Any, **named: Any) -> RopeError:
    """The refusal that a call must end in."""
    with pytest.raises(RopeError) as refused:
        function(*given, **named)
    return refused.value


def assert_refused(error: Any, kind: Any, values: Any) -> None:
    assert type(error) is kind
    assert error.kind == KINDS[kind]
    assert error.values == values


# Construction

# The chapter's known answers first, then every rule against all the later ones that the same
# input breaks as well: the first rule that applies wins.
CONSTRUCTION: list[tuple[Any, ...]] = [
    ((0, 0, NAN), ZeroFeatureWidth, {}),
    ((3, 0, NAN), OddFeatureWidth, {"feature_width": 3}),
    ((4, 0, NAN), ZeroPositionCapacity, {}),
    ((4, 2, 0.0), InvalidBase, {"base": 0.0}),
    ((4, 2**64 - 1, 100), TableSizeOverflow, {"positions": 2**64 - 1, "pairs": 2}),
    ((2, 2**60, 100), TableAllocationFailed, {"values": 2**60}),
    ((1024, 300, 1e-307), NonFiniteTableValue, {"position": 72, "pair": 511}),
    ((-1, -1, NAN), InvalidCount, {"name": "feature_width", "value": -1}),
    ((0, -1, NAN), ZeroFeatureWidth, {}),
    ((7, -1, NAN), OddFeatureWidth, {"feature_width": 7}),
    ((4, -1, NAN), InvalidCount, {"name": "max_positions", "value": -1}),
    ((4, 2**64, -1.0), InvalidBase, {"base": -1.0}),
    ((2**62, 2**60, SMALLEST), TableSizeOverflow, {"positions": 2**60, "pairs": 2**61}),
    ((2**61, 1, SMALLEST), TableAllocationFailed, {"values": 2**60}),
    ((2**61, 15, SMALLEST), TableAllocationFailed, {"values": 2**60}),
    # 2^(1074 * 2k / 2^40) reaches 2^1024 at k = 2^39 * 1024 / 1074, rounded up.
    ((2**40, 2**22, SMALLEST), NonFiniteTableValue, {"position": 0, "pair": 524161967804}),
    ((2**40, 2**22, 1e-307), TableAllocationFailed, {"values": 2**61}),
    # The border of each rule.
    ((2, 2**64, 100), TableSizeOverflow, {"positions": 2**64, "pairs": 1}),
    ((2, 2**64 - 1, 100), TableAllocationFailed, {"values": 2**64 - 1}),
    ((128, 10**10, 1e-305), NonFiniteTableValue, {"position": 104795000, "pair": 63}),
    ((128, 10**6, 1e-308), NonFiniteTableValue, {"position": 116739, "pair": 63}),
    ((1024, 73, 1e-307), NonFiniteTableValue, {"position": 72, "pair": 511}),
    ((10**400, 10**400, NAN), InvalidBase, None),
    ((10**400, 10**400, 1), TableSizeOverflow, None),
]
ACCEPTED = [
    (2, 1, 100),
    (2, 10**12, 100),
    (2, 2**60 - 1, 100),
    (2**61 - 2, 1, 100),
    (2**61 - 2, 1, 1e-307),
    (2**40, 2**20, 0.5),
    (1024, 72, 1e-307),
    (128, 104795000, 1e-305),
    (4, 10**6, 1e-300),
    (2, 5, SMALLEST),
    (1024, 5, 1.7e308),
    (4, 2, Fraction(1, 3)),
]


@pytest.mark.parametrize("make", [RotaryEmbedding, RotaryEmbedding.validate])
@pytest.mark.parametrize(("asked", "kind", "values"), CONSTRUCTION)
def test_construction_is_refused_by_the_first_rule_that_applies(
    make: Callable[..., Any], asked: Any, kind: Any, values: Any
) -> None:
    """Constructor and validation refuse alike, by kind and by the values named."""
    error = refusal(make, *asked)
    assert_refused(error, kind, error.values if values is None else values)


@pytest.mark.parametrize("least", [0, 1, 2**31, 3**40, 2**70 - 1, 2**70])
def test_search_is_longer_than_any_address(least: int) -> None:
    """A 32-bit system searches ten thousand million positions as any other does."""
    assert first_that_holds(2**70, lambda number: number >= least) == least


@pytest.mark.parametrize("asked", ACCEPTED)
def test_validation_accepts_what_float64_can_hold(asked: Any) -> None:
    """Up to the very border; the three come back as plain numbers."""
    accepted = RotaryEmbedding.validate(*asked)
    assert accepted == (*asked[:2], float(asked[2]))
    assert [type(number) for number in accepted] == [int, int, float]


@pytest.mark.parametrize("asked", [row[0] for row in CONSTRUCTION] + ACCEPTED)
def test_validation_is_a_search_and_builds_no_table(
    monkeypatch: pytest.MonkeyPatch, asked: Any
) -> None:
    """Some hundreds of powers at most and some kilobytes, for 10^12 positions or 2^60 pairs."""
    calls = []

    def counted(*given: Any) -> Any:
        calls.append(given)
        return inverse_frequency(*given)

    inverse_frequency = tables.inverse_frequency
    monkeypatch.setattr(tables, "inverse_frequency", counted)
    tracemalloc.start()
    try:
        RotaryEmbedding.validate(*asked)
    except RopeError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert len(calls) < 200
    assert peak < 200_000


BASES = [
    1e-308, 1e-307, 1e-305, 1e-300, 3e-200, 1e-100, SMALLEST, 2e-323, 1e-310, 0.5, 1.0, 100.0, 1e308
]  # fmt: skip


def searched_in_row_order(feature_width: int, positions: int, base: Any) -> Any:
    """The first cell that is not finite, found by looking at every cell; None if there is none."""
    theta = []
    for k in range(feature_width // 2):
        try:
            theta.append(float(base) ** (-2 * k / feature_width))
        except OverflowError:
            theta.append(math.inf)
    for pair, frequency in enumerate(theta):
        if math.isinf(frequency):
            return 0, pair
    with np.errstate(over="ignore"):
        angles = np.arange(positions, dtype=np.float64)[:, np.newaxis] * np.array(theta)
    cells = np.argwhere(~np.isfinite(angles))
    return tuple(cells[0].tolist()) if len(cells) else None


def found_by_validation(feature_width: int, positions: int, base: Any) -> Any:
    try:
        RotaryEmbedding.validate(feature_width, positions, base)
    except NonFiniteTableValue as error:
        return error.values["position"], error.values["pair"]
    return None


def test_binary_search_finds_what_looking_at_every_cell_finds() -> None:
    """The same first position and pair in row order, for many widths, capacities and bases."""
    narrow = product((2, 4, 6, 10, 64, 126, 128, 1024), (1, 2, 3, 72, 73, 300, 2500), BASES)
    wide = product((4096, 8192, 10000), (1, 2, 3, 9), (5e-309, 6e-309, 7e-309, 1e-308, 3e-308))
    seen = []
    for asked in (*narrow, *wide):
        expected = searched_in_row_order(*asked)
        assert found_by_validation(*asked) == expected, asked
        seen.append((asked[0] // 2 - 1, expected))
    # The cases are worth their name: good tables, bad frequencies, bad angles of the last pair,
    # and positions at which some earlier pair fails as well.
    failures = {(last, *cell) for last, cell in seen if cell is not None}
    assert len([cell for _, cell in seen if cell is None]) > 100
    assert len([position for _, position, _ in failures if position == 0]) > 5
    assert len([position for last, position, pair in failures if position and pair == last]) > 2
    assert len([position for last, position, pair in failures if position and pair < last]) > 5


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.integers(1, 6000), st.integers(1, 50), st.floats(-310.0, -305.0))
def test_binary_search_at_drawn_tables(pairs: int, positions: int, exponent: int) -> None:
    """The same for drawn ones, where frequencies near the border of float64 are frequent."""
    asked = (2 * pairs, positions, max(10.0**exponent, SMALLEST))
    assert found_by_validation(*asked) == searched_in_row_order(*asked)


@pytest.mark.parametrize(
    "value",
    [-1, -(10**400), 4.0, 4.5, NAN, math.inf, "4", b"4", None, True, False, [4], 4j,
     Decimal(4), Fraction(4), np.float64(4), np.True_, np.array([4]), np.array(4.0), np.int8(-4)],
)  # fmt: skip
def test_counts_are_whole_numbers(value: Any) -> None:
    """Nothing else is a width, a capacity or an offset, and a truth value is no number."""
    embedding = RotaryEmbedding(4, 6, 100.0)
    width = refusal(RotaryEmbedding, value, 6, 100.0)
    capacity = refusal(RotaryEmbedding, 4, value, 100.0)
    offset = refusal(embedding.rotate, np.ones((1, 4)), value)
    back = refusal(embedding.rotate_transpose, np.ones((1, 4)), value)
    for error, name in [
        (width, "feature_width"),
        (capacity, "max_positions"),
        (offset, "position_offset"),
        (back, "position_offset"),
    ]:
        assert_refused(error, InvalidCount, {"name": name, "value": value})


@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.int64, np.uint64, np.array])
def test_whole_numbers_of_numpy_are_counts(kind: Any) -> None:
    """Every type that Python takes as an index is taken here."""
    embedding = RotaryEmbedding(kind(4), kind(6), 100.0)
    x = np.ones((2, 4))
    assert embedding.rotate(x, kind(3)).tolist() == embedding.rotate(x, 3).tolist()
    error = refusal(embedding.rotate, x, np.uint64(2**64 - 2))
    assert_refused(error, PositionOffsetOverflow, {"offset": 2**64 - 2, "tokens": 2})


@pytest.mark.parametrize(
    "base",
    [0.0, -0.0, -1.0, -SMALLEST, NAN, math.inf, -math.inf, 10**400, -(10**400), True, False, "100",
     None, 100j, [100.0], Decimal(100), Fraction(10**400), Fraction(1, 10**400), np.float64(0),
     np.float32(np.inf), np.True_, np.longdouble(-1), np.array(100.0)],
)  # fmt: skip
def test_a_base_is_a_finite_number_above_0(base: Any) -> None:
    """NaN, what float64 cannot hold, and what is no real number are refused as they were given."""
    for make in (RotaryEmbedding, RotaryEmbedding.validate):
        error = refusal(make, 4, 6, base)
        assert type(error) is InvalidBase
        assert error.values["base"] is base


@pytest.mark.parametrize("base", [100, 100.0, np.float32(100), np.int16(100), Fraction(100)])
def test_any_real_number_is_a_base(base: Any) -> None:
    """Whole numbers, fractions and numpy's numbers give the table of the float."""
    expected = RotaryEmbedding(4, 6, 100.0)
    assert RotaryEmbedding(4, 6, base).factors.tobytes() == expected.factors.tobytes()


@pytest.mark.parametrize("layout", ["diagonal", "", None, 0, ["adjacent"]])
def test_unknown_layout_is_refused_after_the_chapters_rules(layout: Any) -> None:
    """By name, with those that are accepted; a broken width is told first."""
    error = refusal(RotaryEmbedding, 4, 6, 100.0, layout)
    assert type(error) is UnknownLayout
    assert error.values["layout"] is layout
    assert "adjacent" in str(error.values["accepted"]).split(", ")
    assert type(refusal(RotaryEmbedding, 3, 6, 100.0, layout)) is OddFeatureWidth


def out_of_memory(*given: Any, **named: Any) -> None:
    raise MemoryError


@pytest.mark.parametrize("allocator", ["empty", "fromiter"])
def test_what_the_allocator_refuses_is_told_by_the_constructor_alone(
    monkeypatch: pytest.MonkeyPatch, allocator: Any
) -> None:
    """``MemoryError`` becomes a refusal with the count of table values."""
    monkeypatch.setattr(np, allocator, out_of_memory)
    assert RotaryEmbedding.validate(6, 5, 100.0) == (6, 5, 100.0)
    error = refusal(RotaryEmbedding, 6, 5, 100.0)
    assert_refused(error, TableAllocationFailed, {"values": 15})


@pytest.mark.parametrize("asked", [(2, 2**60 - 1), (2**61 - 2, 1), (2, 2**52), (2**53, 1)])
def test_more_than_an_array_can_hold_is_refused_at_once(asked: Any) -> None:
    """Accepted by validation, too large for numpy or for the machine: refused, not crashed."""
    error = refusal(RotaryEmbedding, *asked, 100.0)
    assert_refused(error, TableAllocationFailed, {"values": asked[0] // 2 * asked[1]})


# Rotation

LIMIT = 2**64 - 1
ROTATION = [
    ((), 0, InputRank, {"rank": 0}),
    ((4,), 0, InputRank, {"rank": 1}),
    ((3,), -1, InputRank, {"rank": 1}),
    ((1, 3), -1, FeatureWidthMismatch, {"actual": 3, "expected": 4}),
    ((1, 0), LIMIT, FeatureWidthMismatch, {"actual": 0, "expected": 4}),
    ((2, 4, 1), LIMIT, FeatureWidthMismatch, {"actual": 1, "expected": 4}),
    ((1, 4), -1, InvalidCount, {"name": "position_offset", "value": -1}),
    ((1, 4), 0.5, InvalidCount, {"name": "position_offset", "value": 0.5}),
    ((1, 4), LIMIT, PositionOffsetOverflow, {"offset": LIMIT, "tokens": 1}),
    ((3, 4), LIMIT - 2, PositionOffsetOverflow, {"offset": LIMIT - 2, "tokens": 3}),
    ((0, 4), LIMIT + 1, PositionOffsetOverflow, {"offset": LIMIT + 1, "tokens": 0}),
    ((1, 4), 10**400, PositionOffsetOverflow, {"offset": 10**400, "tokens": 1}),
    ((3, 4), LIMIT - 3, PositionRangeExceeded,
     {"offset": LIMIT - 3, "tokens": 3, "max_positions": 6}),
    ((0, 4), LIMIT, PositionRangeExceeded, {"offset": LIMIT, "tokens": 0, "max_positions": 6}),
    ((7, 4), 0, PositionRangeExceeded, {"offset": 0, "tokens": 7, "max_positions": 6}),
    ((3, 4), 4, PositionRangeExceeded, {"offset": 4, "tokens": 3, "max_positions": 6}),
    ((1, 4), 6, PositionRangeExceeded, {"offset": 6, "tokens": 1, "max_positions": 6}),
    ((5, 0, 4), 7, PositionRangeExceeded, {"offset": 7, "tokens": 0, "max_positions": 6}),
]  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float64, np.int64])
@pytest.mark.parametrize(("shape", "offset", "kind", "values"), ROTATION)
def test_rotation_is_refused_by_the_first_rule_that_applies(
    shape: tuple[int, ...], offset: Any, kind: Any, values: Any, dtype: Any
) -> None:
    """Shape and offset come before the type of the values and before ``out``."""
    embedding, x = RotaryEmbedding(4, 6, 100.0), np.ones(shape, dtype)
    assert_refused(refusal(embedding.rotate, x, offset, out="nonsense"), kind, values)
    assert_refused(refusal(embedding.rotate_transpose, x, offset, out="nonsense"), kind, values)
    assert_refused(refusal(embedding.rows, shape, offset), kind, values)


@pytest.mark.parametrize(("shape", "offset", "kind", "values"), ROTATION)
def test_a_tape_value_is_refused_by_its_shape_before_its_stage(
    shape: tuple[int, ...], offset: Any, kind: Any, values: Any
) -> None:
    """A released value of a wrong shape or range is told the shape or range first."""
    embedding, value = RotaryEmbedding(4, 6, 100.0), tape.Value(np.ones(shape))
    assert_refused(refusal(tape.rotate, embedding, value, offset), kind, values)
    value.release()
    assert_refused(refusal(tape.rotate, embedding, value, offset), kind, values)


def test_the_type_of_the_values_comes_before_out() -> None:
    """The last two rules of a rotation, in their order."""
    embedding = RotaryEmbedding(4, 6, 100.0)
    error = refusal(embedding.rotate, np.ones((1, 4), np.int64), 0, out="nonsense")
    assert_refused(error, InputType, {"dtype": "int64"})


@pytest.mark.parametrize(
    ("shape", "offset", "rows"),
    [
        ((6, 4), 0, slice(0, 6)),
        ((1, 4), 5, slice(5, 6)),
        ((2, 3, 4), 3, slice(3, 6)),
        ((2, 0, 4), 6, slice(6, 6)),
        ((0, 2, 4), np.int64(4), slice(4, 6)),
    ],
)
def test_rows_of_the_table_up_to_its_end(shape: tuple[int, ...], offset: Any, rows: Any) -> None:
    """The interval that an input needs; without tokens it may start at the table's end."""
    assert RotaryEmbedding(4, 6, 100.0).rows(shape, offset) == rows


# Sentences


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (InvalidCount(name="feature_width", value=np.float64(4.5)), "feature_width is 4.5;"),
        (InvalidCount(name="feature_width", value="4"), "feature_width is '4';"),
        (InvalidCount(name="feature_width", value=np.array([4])), "feature_width is array([4]);"),
        (InvalidCount(name="max_positions", value=-(10**5000)), "max_positions is ~-10^5000;"),
        (InvalidBase(base=np.float32(-1.5)), "base is -1.5;"),
        (InvalidBase(base=NAN), "base is nan;"),
        (InvalidBase(base=10**400), "base is ~10^400;"),
        (InvalidBase(base=Fraction(10**5000)), "base is Fraction;"),
        (InvalidBase(base=Decimal("1e3")), "base is Decimal('1E+3');"),
        (UnknownLayout(layout="split", accepted="adjacent"), "layout 'split'; accepted: adjacent"),
        (
            PositionOffsetOverflow(offset=LIMIT, tokens=1),
            "offset + tokens is 18446744073709551615 + 1",
        ),
        (PositionOffsetOverflow(offset=10**5000, tokens=1), "offset + tokens is ~10^5000 + 1"),
        (TableAllocationFailed(values=2**60), " 1152921504606846976 table values "),
        (AutodiffStage(shape=(2, 3)), "shape (2, 3) was"),
        (OutputArray(given="float64 (2,)", accepted="float64 (3,)"), "is float64 (2,); accepted:"),
    ],
)
def test_a_sentence_names_what_was_given(error: Any, said: str) -> None:
    """As one would type it: numpy's numbers without their type, strings in quotes."""
    assert said in str(error)
    assert "np." not in str(error)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    "value",
    ["4" * 10**6, 10**5000, np.arange(10**6), [1] * 1000, "a\nb", np.eye(2)],
    ids=["long string", "huge number", "large array", "long list", "two lines", "matrix"],
)
def test_a_sentence_is_one_short_line(value: Any, language: str) -> None:
    """Whatever was given, in both languages."""
    refusals = [
        InvalidCount(name="feature_width", value=value),
        InvalidBase(base=value),
        UnknownLayout(layout=value, accepted="adjacent"),
        PositionOffsetOverflow(offset=10**5000, tokens=1),
    ]
    for error in refusals:
        assert len(error.sentence(language)) < 200
        assert error.sentence(language).splitlines() == [error.sentence(language)]
    assert error.sentence("en") == str(error)
    assert error.sentence("ru") != str(error)


def test_every_refusal_is_a_value_error_with_its_kind() -> None:
    """So that programs may catch them all at once, or one by one by name."""
    for kind, name in KINDS.items():
        assert issubclass(kind, RopeError)
        assert kind.kind == name
    assert issubclass(RopeError, ValueError)
