"""Reference vectors: right by formulas written out here, blind to nothing, whole when read."""

from __future__ import annotations

import io
import itertools
import json
import math
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.checkout import ROOT

from rope_cli.cli import streams
from rope_cli.example.user_values import GREATEST_ANGLE
from rope_cli.rope.reduced_precision import to_bfloat16, to_float16, to_float32
from rope_cli.rope.scaling import Default, Proportional, Scaled
from rope_cli.scaling.config import read_config
from rope_cli.user_input.numbers import InvalidNumber
from rope_cli.verify.measure.expected import Expected, expected_by_config, expected_plain
from rope_cli.verify.reference_vectors import (
    DEFAULT_POSITIONS,
    INPUTS,
    KEYS,
    Vectors,
    as_json,
    as_npz,
    count_numbers,
    rotate_head,
    vectors_from,
)

LAYOUTS = {"adjacent": "adjacent", "half_split": "half-split"}
YARN = {
    "head_dim": 16,
    "max_position_embeddings": 1024,
    "partial_rotary_factor": 0.5,
    "rope_theta": 10000.0,
    "rope_scaling": {
        "rope_type": "yarn",
        "factor": 4.0,
        "original_max_position_embeddings": 256,
    },
}


def vectors_of(expected: Expected, positions: Sequence[int]) -> dict[str, Any]:
    """The reference vectors; every test knows the type of the value that it looks at."""
    return {**vectors_from(expected, positions)}


def plain(head_width: int, rotary_width: int | None = None, base: float = 1e4) -> Expected:
    return expected_plain(head_width, rotary_width or head_width, base, "adjacent")


def from_config(path: Path, length: int) -> Expected:
    (layer,) = read_config(str(path)).layers
    return expected_by_config(layer, "half-split", length)


def llama(_: Path) -> Expected:
    return from_config(ROOT / "tests" / "data" / "llama-3.1-8b.json", 131072)


def yarn(directory: Path) -> Expected:
    path = directory / "yarn.json"
    path.write_text(json.dumps(YARN))
    return from_config(path, 1024)


# The witness: nothing of rope_cli's, one number at a time.


def plain_theta(d: int, b: float) -> list[float]:
    return [b ** (-2 * k / d) for k in range(d // 2)]


def llama_theta() -> list[float]:
    """Slower than 1 turn in 8192 positions: divided by 8; faster than 4: kept; between: mixed."""
    found = []
    for theta in plain_theta(128, 500000.0):
        turns = 8192 * theta / (2 * math.pi)
        kept = min(1.0, max(0.0, (turns - 1) / (4 - 1)))
        found.append(kept * theta + (1 - kept) * theta / 8)
    return found


def yarn_theta() -> list[float]:
    """Between the pairs that turn 32 times and once in 256 positions, divided by 4 gradually."""

    def pair_with(turns: float) -> float:
        return 8 * math.log(256 / (2 * math.pi * turns)) / (2 * math.log(10000.0))

    low, high = max(0, math.floor(pair_with(32))), min(7, math.ceil(pair_with(1)))
    found = []
    for k, theta in enumerate(plain_theta(8, 10000.0)):
        divided = min(1.0, max(0.0, (k - low) / (high - low)))
        found.append((1 - divided) * theta + divided * theta / 4)
    return found


def partners(k: int, pairs: int, layout: str) -> tuple[int, int]:
    return (2 * k, 2 * k + 1) if layout == "adjacent" else (k, k + pairs)


def turned(
    row: list[float], m: int, theta: list[float], a: float, layout: str, sign: int
) -> list[float]:
    """One row: ``sign`` -1 turns it back."""
    result = list(row)
    for k, speed in enumerate(theta):
        left, right = partners(k, len(theta), layout)
        cosine, sine = a * math.cos(m * speed), sign * a * math.sin(m * speed)
        result[left] = row[left] * cosine - row[right] * sine
        result[right] = row[left] * sine + row[right] * cosine
    return result


def by_rows(
    vectors: dict[str, Any], name: str, turn: Callable[[list[float], int], list[float]]
) -> Any:
    positions = vectors["positions"].tolist()
    return [
        [[turn(row, m) for row, m in zip(rows, positions, strict=True)] for rows in heads]
        for heads in vectors[name].tolist()
    ]


CASES: dict[str, tuple[Callable[[Path], Expected], int, list[float], float]] = {
    "default": (lambda _: plain(8), 8, plain_theta(8, 1e4), 1.0),
    "width 2": (lambda _: plain(2), 2, [1.0], 1.0),
    "half of the head": (lambda _: plain(8, 4), 8, [1.0, 0.01], 1.0),
    "another base": (lambda _: plain(6, base=0.5), 6, plain_theta(6, 0.5), 1.0),
    "llama3": (llama, 128, llama_theta(), 1.0),
    "yarn": (yarn, 16, yarn_theta(), 0.1 * math.log(4) + 1),
}


@pytest.mark.parametrize("case", CASES)
def test_every_output_is_that_of_the_formulas(case: str, tmp_path: Path) -> None:
    """Frequencies, tables, rotations, scores and adjoints agree with loops over plain floats."""
    build, width, theta, a = CASES[case]
    vectors = vectors_of(build(tmp_path), DEFAULT_POSITIONS)
    assert vectors["feature_width"] == width
    assert vectors["rotary_width"] == 2 * len(theta)
    assert vectors["positions"].tolist() == [5, 6, 7, 8, 9, 12, 200, 201]
    assert vectors["attention_factor"] == pytest.approx(a, rel=1e-15)

    def agree(name: str, expected: Any, size: float = 1.0) -> None:
        np.testing.assert_allclose(vectors[name], expected, rtol=0, atol=5e-13 * size, err_msg=name)

    angles = [[m * speed for speed in theta] for m in DEFAULT_POSITIONS]
    agree("angles", angles)
    np.testing.assert_allclose(vectors["inverse_frequencies"], theta, rtol=1e-14)
    agree("cosines", [[a * math.cos(angle) for angle in row] for row in angles])
    agree("sines", [[a * math.sin(angle) for angle in row] for row in angles])
    for prefix, layout in LAYOUTS.items():
        turn = partial(turned, theta=theta, a=a, layout=layout, sign=1)
        turn_back = partial(turned, theta=theta, a=a, layout=layout, sign=-1)
        forth = {name: by_rows(vectors, name, turn) for name in ("query", "key")}
        for name, rows in forth.items():
            agree(f"{prefix}_rotated_{name}", rows)
            back = by_rows(vectors, f"{name}_output_adjoint", turn_back)
            agree(f"{prefix}_{name}_input_adjoint", back)
        scores = [
            [
                [[math.fsum(map(float.__mul__, q, k)) for k in keys] for q in queries]
                for queries, keys in zip(query_heads, key_heads, strict=True)
            ]
            for query_heads, key_heads in zip(forth["query"], forth["key"], strict=True)
        ]
        agree(f"{prefix}_scores", scores, width)


ANCHORS = {
    "adjacent": [-1.142639664, 1.922075597, 2.959850668, 4.029799502],
    "half-split": [-1.984110649, 1.959900667, 2.462377902, 4.019799668],
}


@pytest.mark.parametrize("layout", ANCHORS)
def test_numbers_typed_by_hand(layout: str) -> None:
    """The row 1, 2, 3, 4 at position 1, and back again; what is beyond the pairs stays."""
    turns = Default().scaled(4, 1e4).factors([1])
    found = rotate_head(np.array([[1.0, 2, 3, 4, 5, 6]]), turns, layout)
    np.testing.assert_allclose(found, [[*ANCHORS[layout], 5, 6]], rtol=0, atol=5e-10)
    back = rotate_head(found, turns, layout, backward=True)
    np.testing.assert_allclose(back, [[1, 2, 3, 4, 5, 6]], rtol=1e-15)


def test_the_given_rows_are_not_written_to() -> None:
    """A rotation makes a new array, whatever the order in memory of the old one."""
    x = np.asfortranarray(np.arange(1.0, 9.0).reshape(2, 4))
    x.setflags(write=False)
    found = rotate_head(x, Default().scaled(4, 1e4).factors([0, 1]), "half-split")
    assert found[0].tolist() == [1, 2, 3, 4]
    assert found.flags.c_contiguous


# What the inputs are


def drawn(first: int, count: int) -> list[int]:
    """Splitmix64 with plain integers."""
    found = []
    for at in range(first + 1, first + 1 + count):
        z = at * 0x9E3779B97F4A7C15 % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        found.append(z ^ z >> 31)
    return found


@pytest.mark.parametrize(("width", "most"), [(2, 128), (8, 128), (128, 128), (130, 256)])
def test_inputs_follow_the_documented_recipe(width: int, most: int) -> None:
    """Rank and low bit of each draw give a magnitude and a sign; the draws are the public ones."""
    assert drawn(0, 2) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]
    vectors = vectors_of(plain(width), DEFAULT_POSITIONS)
    rows = np.concatenate([vectors[name].reshape(-1, width) for name in INPUTS]).tolist()
    assert len(rows) == 4 * 6 * 8
    for at, row in enumerate(rows):
        draws = drawn(at * most, most)
        ranks = sorted(range(most), key=lambda number: draws[number])
        assert row == [
            (-1) ** (draws[c] & 1) * (128 + ranks[c] % 128) * 2.0 ** -(7 + ranks[c] // 128)
            for c in range(width)
        ]


@pytest.mark.parametrize("width", [2, 4, 6, 64, 128, 256, 1024])
def test_inputs_hide_nothing(width: int) -> None:
    """No zero, no equal magnitudes in a row, no row twice, and every dtype holds them exactly."""
    vectors = vectors_of(plain(width), DEFAULT_POSITIONS)
    rows = np.concatenate([vectors[name].reshape(-1, width) for name in INPUTS])
    sizes = np.sort(np.abs(rows), axis=1)
    assert sizes.min() >= (1.0 if width <= 128 else 2.0**-7)
    assert sizes.max() < 2
    assert (np.diff(sizes) > 0).all()
    assert len(np.unique(rows, axis=0)) == len(rows)
    for narrow in (to_float32, to_float16, to_bfloat16):
        np.testing.assert_array_equal(narrow(rows), rows)
    assert 0.4 < (rows < 0).mean() < 0.6


@pytest.mark.parametrize(("width", "rotary"), [(4, 4), (8, 4), (128, 128)])
def test_no_array_can_pass_for_another(width: int, rotary: int) -> None:
    """Every row of every array differs from the row at its place in all the others."""
    vectors = vectors_of(plain(width, rotary), DEFAULT_POSITIONS)
    alike = [name for name in KEYS if name.endswith(("query", "key", "adjoint"))]
    assert len(alike) == 12
    for one, other in itertools.combinations(alike, 2):
        apart = np.abs(vectors[one] - vectors[other]).max(axis=-1)
        assert apart.min() > 0.02, (one, other)
    one, other = vectors["adjacent_scores"], vectors["half_split_scores"]
    tables = one, other, one.swapaxes(2, 3), other.swapaxes(2, 3)
    for one, other in itertools.combinations(tables, 2):
        assert np.abs(one - other).max(axis=(2, 3)).min() > 1.0


def test_positions_are_no_indices() -> None:
    """The default positions rise, begin after 0, and have a gap; no index is its own position."""
    assert list(DEFAULT_POSITIONS) == sorted(set(DEFAULT_POSITIONS))
    assert all(position != at for at, position in enumerate(DEFAULT_POSITIONS))
    assert len({later - at for at, later in enumerate(DEFAULT_POSITIONS)}) > 2


def test_layout_and_direction_of_what_is_expected_change_nothing() -> None:
    """Both layouts and both directions are in the file anyway."""
    expected = plain(8, 4)
    other = replace(expected, layout="half-split", backward=True)
    positions = (0, 3)
    assert as_npz(vectors_of(expected, positions)) == as_npz(vectors_of(other, positions))


# Laws


@pytest.mark.parametrize("case", CASES)
def test_the_adjoint_is_the_transpose(case: str, tmp_path: Path) -> None:
    """<y', R x> = <R^T y', x> in every row, whatever the attention factor and the tail."""
    vectors = vectors_of(CASES[case][0](tmp_path), DEFAULT_POSITIONS)
    for prefix, name in itertools.product(LAYOUTS, ("query", "key")):
        forth = vectors[f"{name}_output_adjoint"] * vectors[f"{prefix}_rotated_{name}"]
        back = vectors[f"{prefix}_{name}_input_adjoint"] * vectors[name]
        np.testing.assert_allclose(forth.sum(-1), back.sum(-1), rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_the_permutation_joins_the_layouts(case: str, tmp_path: Path) -> None:
    """half_split(x[P]) = adjacent(x)[P], the tail included."""
    expected = CASES[case][0](tmp_path)
    vectors = vectors_of(expected, DEFAULT_POSITIONS)
    order = vectors["half_split_order"]
    assert sorted(order.tolist()) == list(range(expected.head_width))
    found = rotate_head(
        vectors["query"][..., order], expected.scaled.factors(DEFAULT_POSITIONS), "half-split"
    )
    np.testing.assert_allclose(
        found, vectors["adjacent_rotated_query"][..., order], rtol=0, atol=1e-14
    )


def test_the_permutation_typed_by_hand() -> None:
    """Even coordinates, odd ones, and those that do not turn in their places."""
    assert vectors_of(plain(8, 6), (1,))["half_split_order"].tolist() == [0, 2, 4, 1, 3, 5, 6, 7]


def test_the_tail_passes_through() -> None:
    """Coordinates after the rotary width keep their bits in every rotated array."""
    vectors = vectors_of(plain(8, 4), DEFAULT_POSITIONS)
    for prefix, name in itertools.product(LAYOUTS, ("query", "key")):
        for turned_name, given in (
            (f"{prefix}_rotated_{name}", name),
            (f"{prefix}_{name}_input_adjoint", f"{name}_output_adjoint"),
        ):
            np.testing.assert_array_equal(vectors[turned_name][..., 4:], vectors[given][..., 4:])
            assert (vectors[turned_name][..., :4] != vectors[given][..., :4]).all()


@pytest.mark.parametrize("shift", [1, 1000, 2**20])
def test_scores_depend_on_differences_alone(shift: int) -> None:
    """All positions moved alike: the same inputs and the same scores, but other rotated rows."""
    here, there = (
        vectors_of(plain(8), [m + moved for m in DEFAULT_POSITIONS]) for moved in (0, shift)
    )
    for prefix in LAYOUTS:
        name = f"{prefix}_scores"
        np.testing.assert_allclose(here[name], there[name], rtol=0, atol=1e-12 * (10 + shift / 1e3))
        name = f"{prefix}_rotated_query"
        assert np.abs(here[name] - there[name]).max() > 0.5
    np.testing.assert_array_equal(here["query"], there["query"])


def test_the_attention_factor_counts_once_each_way(tmp_path: Path) -> None:
    """Rotated rows are a times as long, in both directions; a is in the tables already."""
    vectors = vectors_of(yarn(tmp_path), DEFAULT_POSITIONS)
    a = vectors["attention_factor"]
    assert a == pytest.approx(1.138629436)
    np.testing.assert_allclose(np.hypot(vectors["cosines"], vectors["sines"]), a, rtol=1e-15)
    for turned_name, given in (
        ("half_split_rotated_key", "key"),
        ("half_split_key_input_adjoint", "key_output_adjoint"),
    ):
        longer, norms = (
            np.linalg.norm(vectors[name][..., :8], axis=-1) for name in (turned_name, given)
        )
        np.testing.assert_allclose(longer, a * norms, rtol=1e-14)


# The file


def test_every_key_is_described_and_has_its_shape() -> None:
    """Names, order, types and shapes, as the descriptions say."""
    vectors = vectors_of(plain(8, 4), (0, 7, 9))
    assert list(vectors) == list(KEYS)
    assert {
        name: value for name, value in vectors.items() if not isinstance(value, np.ndarray)
    } == {
        "format": "rope-report-vectors",
        "version": 1,
        "feature_width": 8,
        "rotary_width": 4,
        "base": 10000.0,
        "method": "default",
        "attention_factor": 1.0,
    }
    shapes = {
        "positions": (3,),
        "inverse_frequencies": (2,),
        **dict.fromkeys(("angles", "cosines", "sines"), (3, 2)),
        "half_split_order": (8,),
        **dict.fromkeys(("adjacent_scores", "half_split_scores"), (2, 3, 3, 3)),
    }
    for name, value in vectors.items():
        if isinstance(value, np.ndarray):
            assert value.shape == shapes.get(name, (2, 3, 3, 8)), name
            whole = name in ("positions", "half_split_order")
            assert value.dtype == (np.int64 if whole else np.float64), name
            assert value.flags.c_contiguous, name
    arrays = [value for value in vectors.values() if isinstance(value, np.ndarray)]
    assert count_numbers(8, 4, 3) == sum(array.size for array in arrays)
    for text in KEYS.values():
        assert "\n" not in text.en + text.ru


def same_bits(found: Any, expected: Any) -> bool:
    one, other = np.asarray(found), np.asarray(expected)
    return (
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )


def test_npz_keeps_every_bit(tmp_path: Path) -> None:
    """numpy.load without pickle gives the same names, types, shapes and bits."""
    vectors = vectors_of(yarn(tmp_path), (*DEFAULT_POSITIONS, 2**40 + 1))
    data = as_npz(vectors)
    with np.load(io.BytesIO(data), allow_pickle=False) as loaded:
        assert loaded.files == list(KEYS)
        for name, value in vectors.items():
            assert same_bits(loaded[name], value), name
        assert loaded["format"].item() == "rope-report-vectors"
        assert loaded["attention_factor"].item() == vectors["attention_factor"]
        assert loaded["positions"][-1] == 2**40 + 1


def test_npz_bytes_show_neither_clock_nor_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same vectors give the same bytes, stored plainly and little-endian, at any time."""
    vectors = vectors_of(plain(4), (0, 1))
    first = as_npz(vectors)
    monkeypatch.setattr("time.time", lambda: 2e9)
    monkeypatch.setattr("sys.platform", "win32")
    assert as_npz(vectors_of(plain(4), (0, 1))) == first
    swapped: Vectors = {
        name: value.astype(value.dtype.newbyteorder(">"))
        if isinstance(value, np.ndarray)
        else value
        for name, value in vectors.items()
    }
    assert as_npz(swapped) == first
    for entry in zipfile.ZipFile(io.BytesIO(first)).infolist():
        assert entry.compress_type == zipfile.ZIP_STORED
        assert entry.date_time == (1980, 1, 1, 0, 0, 0)
        assert (entry.create_system, entry.external_attr >> 16) == (3, 0o644)


def test_json_keeps_every_bit(tmp_path: Path) -> None:
    """One strict object in ASCII whose numbers read back to the same bits."""

    def refused(word: str) -> None:
        raise AssertionError(word)

    vectors = vectors_of(yarn(tmp_path), (*DEFAULT_POSITIONS, 2**40 + 1))
    text = "".join(as_json(vectors))
    assert text.isascii()
    assert text.endswith("}\n")
    read = json.loads(text, parse_constant=refused)
    assert list(read) == list(KEYS)
    for name, value in vectors.items():
        assert same_bits(read[name], value), name
        assert type(read[name]) is (list if isinstance(value, np.ndarray) else type(value))


@pytest.mark.slow
def test_only_the_file_is_held_beside_the_arrays() -> None:
    """What either form takes while it is written: the file, and less than a quarter of it more."""
    vectors = vectors_of(plain(2), tuple(range(200)))
    for write in (as_npz, lambda arrays: streams.joined(as_json(arrays), "utf-8")):
        tracemalloc.start()
        size = len(write(vectors))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert size > 2**21
        assert peak < 1.25 * size


class Full(io.BytesIO):
    """A buffer that cannot grow, which BytesIO leaves closed."""

    def write(self, data: Any) -> int:
        """No more than 3000 bytes."""
        if self.tell() + len(data) > 3000:
            self.close()
            raise MemoryError
        return super().write(data)


def test_npz_without_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the lack of memory that is told, not what closing the archive makes of it."""
    monkeypatch.setattr(io, "BytesIO", Full)
    with pytest.raises(MemoryError):
        as_npz(vectors_of(plain(4), (0, 1)))


def test_json_has_one_row_a_line() -> None:
    """The layout of the text, typed by hand."""
    lines = "".join(as_json(vectors_of(plain(4), (0, 5)))).splitlines()
    assert lines[:4] == [
        "{",
        '  "format": "rope-report-vectors",',
        '  "version": 1,',
        '  "feature_width": 4,',
    ]
    at = lines.index('  "angles": [')
    assert lines[at + 1 : at + 4] == ["    [0.0, 0.0],", "    [5.0, 0.05]", "  ],"]
    at = lines.index('  "query": [')
    assert lines[at + 1 : at + 3] == ["    [", "      ["]
    assert lines[at + 3].startswith("        [-1.4140625, 1.2578125,")
    assert lines[at + 3].endswith("],")
    assert lines[at + 4].endswith("]")
    assert lines[at + 5] == "      ],"


# Edges


def with_factor(a: float) -> Expected:
    expected = plain(4)
    return replace(expected, scaled=replace(expected.scaled, attention_factor=a))


@pytest.mark.parametrize(
    ("expected", "positions"),
    [
        (plain(4), (0,)),
        (plain(4), ()),
        (plain(4), (int(GREATEST_ANGLE),)),
        (plain(4, base=1e-9), (0, 1)),
        (expected_plain(4, 4, 1e300, "adjacent"), (0, 1)),
        (replace(plain(8), scaled=Proportional(0.25).scaled(8, 1e4)), (2**40,)),
        (with_factor(1e-15), (3,)),
        (with_factor(1e15), (3,)),
    ],
)
def test_edges_are_finite_and_silent(expected: Expected, positions: tuple[int, ...]) -> None:
    """Position 0, none, the greatest angle, pairs that stand still: finite, and no warning."""
    with warnings.catch_warnings(), np.errstate(all="warn", under="ignore"):
        warnings.simplefilter("error")
        vectors = vectors_of(expected, positions)
        assert json.loads("".join(as_json(vectors)))["positions"] == list(positions)
        as_npz(vectors)
    for value in vectors.values():
        if isinstance(value, np.ndarray):
            assert np.isfinite(value).all()


def overflowing() -> Expected:
    expected = plain(4)
    fast = np.array([1.0, 1e300])
    return replace(expected, scaled=Scaled(fast.copy(), fast, 1.0, expected.scaled.bands))


@pytest.mark.parametrize(
    ("expected", "positions", "said"),
    [
        (
            plain(4),
            (0, int(GREATEST_ANGLE) + 1),
            "--positions is 8796093022209; .* to 8796093022208",
        ),
        (plain(4, base=1e-9), (0, 2**53), "--positions is .* to 278156884$"),
        (overflowing(), (0, 2**53), "--positions is .* only 0"),
        (plain(1026), (0,), "--feature-width is 1026"),
        (with_factor(1.1e15), (0,), "attention_factor is 1.1e"),
        (with_factor(0.9e-15), (0,), "attention_factor is 9e-16"),
        (with_factor(1e308), (0,), "attention_factor is 1e"),
    ],
)
def test_what_would_say_nothing_is_refused(
    expected: Expected, positions: tuple[int, ...], said: str
) -> None:
    """Angles, widths and factors beyond what the numbers can serve, in both languages."""
    with pytest.raises(InvalidNumber, match=said) as refused:
        vectors_of(expected, positions)
    for language in ("en", "ru"):
        assert refused.value.sentence(language).isprintable()
