"""What the rotation promises: the chapter's numbers, its laws, and every kind of array."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from numpy.typing import NDArray

from rope_cli.errors import InputType, OutputArray
from rope_cli.rope import fast, rotation
from rope_cli.rope.tables import RotaryEmbedding, inverse_frequency

Array = NDArray[Any]

SIX_DECIMALS = 5.1e-7
LAW = 1e-12

# The chapter, worked example: width 4, base 100, rows [1, 0, 1, 0].
CHAPTER_ROW = [1.0, 0.0, 1.0, 0.0]
CHAPTER_ANGLES = [[0.0, 0.0], [1.0, 0.1], [2.0, 0.2]]
CHAPTER_COSINES = [[1.0, 1.0], [0.540302, 0.995004], [-0.416147, 0.980067]]
CHAPTER_SINES = [[0.0, 0.0], [0.841471, 0.099833], [0.909297, 0.198669]]
CHAPTER_ROTATED = [
    [1.0, 0.0, 1.0, 0.0],
    [0.540302, 0.841471, 0.995004, 0.099833],
    [-0.416147, 0.909297, 0.980067, 0.198669],
]
CHAPTER_DOT_PRODUCTS = [
    [2.0, 1.535306, 0.563920],
    [1.535306, 2.0, 1.535306],
    [0.563920, 1.535306, 2.0],
]
GENERIC_QUERY = [1.0, 2.0, -0.5, 0.75]
GENERIC_KEY = [0.3, -1.0, 2.0, 0.25]


def chapter_embedding(max_positions: int = 6) -> RotaryEmbedding:
    return RotaryEmbedding(4, max_positions, 100.0)


def dense_matrix(position: int, feature_width: int, base: float) -> np.ndarray:
    """R at a position as the d x d matrix of the text, by Python's own power, cosine and sine."""
    matrix = np.zeros((feature_width, feature_width))
    for k in range(0, feature_width, 2):
        angle = position * base ** (-k / feature_width)
        c, s = math.cos(angle), math.sin(angle)
        matrix[k : k + 2, k : k + 2] = [[c, -s], [s, c]]
    return matrix


def negative_zeros(array: np.ndarray) -> int:
    return int(np.count_nonzero((array == 0) & np.signbit(array)))


def plain_formula(x: Array, turns: Array, turned_back: bool = False) -> Any:
    """Each coordinate in long double, and the larger of its two terms."""
    c, s = turns.real.astype(np.longdouble), turns.imag.astype(np.longdouble)
    if turned_back:
        s = -s
    left, right = x[..., 0::2].astype(np.longdouble), x[..., 1::2].astype(np.longdouble)
    exact, larger = (np.empty(x.shape, np.longdouble) for _ in range(2))
    exact[..., 0::2], exact[..., 1::2] = left * c - right * s, left * s + right * c
    larger[..., 0::2] = np.maximum(abs(left * c), abs(right * s))
    larger[..., 1::2] = np.maximum(abs(left * s), abs(right * c))
    return exact, larger


def assert_within_two_ulp(
    result: Array, x: Array, embedding: RotaryEmbedding, offset: int, turned_back: bool = False
) -> None:
    """Compare with the plain formula, in units of the last place of the larger term."""
    turns = embedding.factors[offset : offset + x.shape[-2]]
    if x.dtype == np.float32:
        turns = turns.astype(np.complex64)
    exact, larger = plain_formula(x, turns, turned_back)
    assert result.dtype == x.dtype
    assert result.shape == x.shape
    unit = np.spacing(larger.astype(x.dtype)).astype(np.longdouble)
    assert np.all(abs(result - exact) <= 2 * unit)


# The table


def test_chapter_table() -> None:
    """Frequencies, angles, cosines and sines of the chapter's table, positions 0 to 2."""
    embedding = chapter_embedding()
    angles = np.arange(3)[:, np.newaxis] * embedding.inverse_frequencies
    np.testing.assert_allclose(embedding.inverse_frequencies, [1.0, 0.1], rtol=0, atol=1e-16)
    np.testing.assert_allclose(angles, CHAPTER_ANGLES, rtol=0, atol=1e-15)
    np.testing.assert_allclose(embedding.cosines[:3], CHAPTER_COSINES, rtol=0, atol=SIX_DECIMALS)
    np.testing.assert_allclose(embedding.sines[:3], CHAPTER_SINES, rtol=0, atol=SIX_DECIMALS)


@pytest.mark.parametrize(
    ("feature_width", "base", "pair", "theta"),
    [
        (128, 10000.0, 63, 1.154782e-04),
        (128, 500000.0, 63, 2.455141e-06),
        (128, 1000000.0, 63, 1.240938e-06),
        (64, 1e7, 1, 0.604296390),
        (4, 10000.0, 1, 0.01),
        (6, 1.0, 2, 1.0),
        (8, 0.01, 3, 31.622777),
        (128, 5e-324, 63, math.inf),
        (128, 1e308, 0, 1.0),
    ],
)
def test_known_frequencies(feature_width: int, base: float, pair: int, theta: float) -> None:
    """Frequencies of known models and of odd bases; one beyond float64 is infinite."""
    assert inverse_frequency(feature_width, base, pair) == pytest.approx(theta, rel=1e-6)


def test_frequencies_have_the_bits_of_the_scalar_power() -> None:
    """Not numpy's vector power, which differs in some last bits."""
    for base in (100.0, 10000.0, 500000.0, 0.3):
        found = RotaryEmbedding(128, 1, base).inverse_frequencies
        assert found.tolist() == [base ** (-2 * k / 128) for k in range(64)]


@pytest.mark.parametrize(
    ("feature_width", "max_positions", "base"),
    [(2, 70000, 100.0), (6, 40000, 10000.0), (128, 3000, 10000.0), (8, 5, 0.01), (4, 3, 1.0)],
)
def test_table_is_cosine_and_sine_of_position_times_frequency(
    feature_width: int, max_positions: int, base: float
) -> None:
    """Every position of the table, whichever piece of it was computed at once."""
    embedding = RotaryEmbedding(feature_width, max_positions, base)
    for m in {0, 1, max_positions // 2, max_positions - 2, max_positions - 1}:
        for k in range(feature_width // 2):
            angle = m * base ** (-2 * k / feature_width)
            assert embedding.cosines[m, k] == pytest.approx(math.cos(angle), abs=2**-52)
            assert embedding.sines[m, k] == pytest.approx(math.sin(angle), abs=2**-52)
    angles = np.arange(max_positions)[:, np.newaxis] * embedding.inverse_frequencies
    np.testing.assert_allclose(embedding.cosines, np.cos(angles), rtol=0, atol=2**-52)
    np.testing.assert_allclose(embedding.sines, np.sin(angles), rtol=0, atol=2**-52)


def test_table_holds_no_negative_zero() -> None:
    """Neither at position 0 nor where angles are the smallest that a base can make."""
    for embedding in (chapter_embedding(), RotaryEmbedding(10000, 3, 1.7e308)):
        assert np.count_nonzero(embedding.sines == 0.0) == embedding.pairs
        assert negative_zeros(embedding.sines) == negative_zeros(embedding.cosines) == 0


def test_attributes_of_an_embedding() -> None:
    """Names, types and shapes that programs rely on; plain numbers whatever was given."""
    embedding = RotaryEmbedding(np.int64(6), np.uint8(5), np.float32(100.0))  # type: ignore[arg-type]
    assert (embedding.feature_width, embedding.pairs, embedding.max_positions) == (6, 3, 5)
    assert (embedding.base, embedding.layout) == (100.0, "adjacent")
    assert type(embedding.feature_width) is type(embedding.max_positions) is int
    assert type(embedding.base) is float
    assert embedding.inverse_frequencies.shape == (3,)
    assert embedding.cosines.shape == embedding.sines.shape == (5, 3)
    for array in (embedding.inverse_frequencies, embedding.cosines, embedding.sines):
        assert array.dtype == np.float64
    assert repr(embedding) == "RotaryEmbedding(6, 5, 100.0, 'adjacent')"


@pytest.mark.parametrize("name", ["inverse_frequencies", "factors", "cosines", "sines"])
def test_tables_are_read_only(name: str) -> None:
    """Nobody changes the table under a running computation."""
    table = getattr(chapter_embedding(), name)
    with pytest.raises(ValueError, match="read-only"):
        table[...] = 0.0


def test_cosines_and_sines_are_stored_once() -> None:
    """The two tables are views of the complex one, not copies."""
    embedding = chapter_embedding()
    assert np.shares_memory(embedding.cosines, embedding.factors)
    assert np.shares_memory(embedding.sines, embedding.factors)


# The rotation


def test_chapter_rows() -> None:
    """The chapter's rotated rows at positions 0, 1, 2."""
    rotated = chapter_embedding().rotate([CHAPTER_ROW] * 3)
    np.testing.assert_allclose(rotated, CHAPTER_ROTATED, rtol=0, atol=SIX_DECIMALS)


@pytest.mark.parametrize("offset", [0, 3])
def test_chapter_dot_products(offset: int) -> None:
    """The nine dot products, the same at positions 0..2 and 3..5."""
    embedding = chapter_embedding()
    rows = embedding.rotate([CHAPTER_ROW] * 3, offset)
    grid = rows @ rows.T
    unshifted = embedding.rotate([CHAPTER_ROW] * 3)
    np.testing.assert_allclose(grid, CHAPTER_DOT_PRODUCTS, rtol=0, atol=SIX_DECIMALS)
    np.testing.assert_allclose(grid, unshifted @ unshifted.T, rtol=0, atol=LAW)


def test_one_pair_by_hand() -> None:
    """The chapter's single pair, theta = 1: turned rows and the signs of the scores."""
    embedding = RotaryEmbedding(2, 4, 100.0)

    def at(row: Any, position: int) -> Any:
        return embedding.rotate([row], position)[0]

    q, k = [1.0, 0.0], [0.0, 1.0]
    np.testing.assert_allclose(at(q, 1), [0.540302, 0.841471], rtol=0, atol=SIX_DECIMALS)
    np.testing.assert_allclose(at(q, 3), [-0.989992, 0.141120], rtol=0, atol=SIX_DECIMALS)
    np.testing.assert_allclose(at(k, 2), [-0.909297, -0.416147], rtol=0, atol=SIX_DECIMALS)
    scores = {(m, n): at(q, m) @ at(k, n) for m, n in [(0, 0), (1, 0), (3, 2), (0, 1)]}
    assert scores[0, 0] == 0.0
    assert scores[1, 0] == pytest.approx(0.841471, abs=SIX_DECIMALS)
    assert scores[3, 2] == pytest.approx(0.841471, abs=SIX_DECIMALS)
    assert scores[0, 1] == pytest.approx(-0.841471, abs=SIX_DECIMALS)


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        (100.0, [-1.142640, 1.922076, 2.585679, 4.279517]),
        (10000.0, [-1.142640, 1.922076, 2.959851, 4.029800]),
    ],
)
def test_row_without_zeros(base: float, expected: Any) -> None:
    """[1, 2, 3, 4] at position 1 uses all four entries of each turn."""
    rotated = RotaryEmbedding(4, 2, base).rotate([[1.0, 2.0, 3.0, 4.0]], 1)
    np.testing.assert_allclose(rotated, [expected], rtol=0, atol=SIX_DECIMALS)


@pytest.mark.parametrize(
    ("query", "key", "expected"),
    [
        (
            GENERIC_QUERY,
            GENERIC_KEY,
            [
                [-2.512500, -0.218372, 1.688859],
                [-3.235538, -2.512500, -0.218372],
                [-1.866568, -3.235538, -2.512500],
            ],
        ),
        (
            [1.0, 0.0, 1.0, 0.0],
            [0.0, 1.0, 0.0, 1.0],
            [
                [0.0, -0.941304, -1.107967],
                [0.941304, 0.0, -0.941304],
                [1.107967, 0.941304, 0.0],
            ],
        ),
    ],
)
def test_grids_that_see_the_sign(query: Any, key: Any, expected: Any) -> None:
    """Dot products of unlike rows: n - m has a sign, which the chapter's grid cannot show."""
    embedding = chapter_embedding()
    grid = embedding.rotate([query] * 3) @ embedding.rotate([key] * 3).T
    np.testing.assert_allclose(grid, expected, rtol=0, atol=SIX_DECIMALS)


@pytest.mark.parametrize(
    ("feature_width", "base", "offset"),
    [(4, 100.0, 0), (10, 10000.0, 3), (128, 10000.0, 1000), (6, 0.01, 2), (4, 1.0, 5)],
)
def test_dense_matrix_gives_the_same(feature_width: int, base: float, offset: int) -> None:
    """Rows times the text's d x d matrix, and times its transpose, as an independent witness."""
    x = np.random.default_rng(7).standard_normal((3, feature_width))
    embedding = RotaryEmbedding(feature_width, offset + 3, base)
    matrices = [dense_matrix(offset + t, feature_width, base) for t in range(3)]
    forward = [matrix @ row for matrix, row in zip(matrices, x, strict=True)]
    back = [matrix.T @ row for matrix, row in zip(matrices, x, strict=True)]
    np.testing.assert_allclose(embedding.rotate(x, offset), forward, rtol=0, atol=LAW)
    np.testing.assert_allclose(embedding.rotate_transpose(x, offset), back, rtol=0, atol=LAW)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_position_0_is_the_identity_bit_for_bit(dtype: Any) -> None:
    """Finite values keep their bits at position 0, both ways."""
    rows = [[1.1, -2.2, 3.3e-30, 4.4], [0.1, 0.2, -0.3, 0.7], [1e30, -1e-40, 1.0, 0.0]]
    x = np.array(rows, dtype).reshape(3, 1, 4)
    embedding = chapter_embedding()
    assert embedding.rotate(x).tobytes() == x.tobytes()
    assert embedding.rotate_transpose(x).tobytes() == x.tobytes()


def test_norms_are_kept() -> None:
    """Before, after, and after a shift of the chapter's rows 1.414214; generic rows far away."""
    embedding = RotaryEmbedding(4, 1_000_003, 100.0)
    for offset in (0, 3, 1_000_000):
        chapter = np.linalg.norm(embedding.rotate([CHAPTER_ROW] * 3, offset), axis=-1)
        generic = np.linalg.norm(embedding.rotate([GENERIC_QUERY] * 3, offset), axis=-1)
        np.testing.assert_allclose(chapter, 1.414214, rtol=0, atol=SIX_DECIMALS)
        np.testing.assert_allclose(chapter, math.sqrt(2.0), rtol=0, atol=LAW)
        np.testing.assert_allclose(generic, math.sqrt(5.8125), rtol=0, atol=LAW)


def test_transpose_undoes_the_rotation_and_is_its_adjoint() -> None:
    """R^T R x = x, and <R x, y> = <x, R^T y>, pair by pair and for unlike rows."""
    embedding = RotaryEmbedding(8, 50, 10000.0)
    x, y = np.random.default_rng(3).standard_normal((2, 3, 20, 8))
    back = embedding.rotate_transpose(embedding.rotate(x, 30), 30)
    np.testing.assert_allclose(back, x, rtol=0, atol=LAW)
    one = (embedding.rotate(x, 30) * y).sum(axis=-1)
    other = (x * embedding.rotate_transpose(y, 30)).sum(axis=-1)
    np.testing.assert_allclose(one, other, rtol=0, atol=LAW)


@pytest.mark.parametrize(
    ("broken", "asked", "expected"),
    [
        ("rotate_adjacent", "rotate_adjacent_transpose", [[0.0, 1.0]]),
        ("rotate_adjacent_transpose", "rotate_adjacent", [[0.0, -1.0]]),
        ("rotate_half_split", "rotate_half_split_transpose", [[0.0, 1.0]]),
        ("rotate_half_split_transpose", "rotate_half_split", [[0.0, -1.0]]),
    ],
)
def test_the_two_rotations_are_written_independently(
    monkeypatch: pytest.MonkeyPatch, broken: str, asked: str, expected: Any
) -> None:
    """Breaking one leaves the other right; else a gradient check would pass for a wrong one."""

    def nonsense(*arguments: Any) -> None:
        raise AssertionError(f"{asked} called {broken}")

    x, quarter = np.array([[1.0, 0.0]]), np.array([[-1j]])
    plain, fast_form, out = getattr(rotation, asked), getattr(fast, asked), np.empty_like(x)
    monkeypatch.setattr(rotation, broken, nonsense)
    monkeypatch.setattr(fast, broken, nonsense)
    np.testing.assert_array_equal(plain(x, quarter), expected)
    fast_form(x, fast.PreparedFactors(quarter), out, 0)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (2, 2, 3, 4), (5, 1, 2, 3, 4)])
def test_leading_axes_are_independent(shape: tuple[int, ...]) -> None:
    """Each lane of any rank is rotated as it would be alone, and the shape is kept."""
    embedding = chapter_embedding()
    x = np.random.default_rng(1).standard_normal(shape)
    rotated, back = embedding.rotate(x, 2), embedding.rotate_transpose(x, 2)
    assert rotated.shape == back.shape == shape
    for lane in np.ndindex(shape[:-2]):
        for t in range(shape[-2]):
            matrix = dense_matrix(2 + t, 4, 100.0)
            np.testing.assert_allclose(rotated[lane][t], matrix @ x[lane][t], rtol=0, atol=LAW)
            np.testing.assert_allclose(back[lane][t], matrix.T @ x[lane][t], rtol=0, atol=LAW)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("shape", "offset"),
    [((0, 3, 4), 0), ((2, 0, 4), 6), ((0, 4), 6), ((2, 0, 3, 4), 3), ((0, 0, 4), 0)],
)
def test_empty_axes(shape: tuple[int, ...], offset: int, dtype: Any) -> None:
    """No lanes, or no tokens even at the table's end: an empty result of the same shape."""
    embedding = chapter_embedding()
    for x in (np.empty(shape, dtype), np.empty((*shape[:-1], 8), dtype)[..., ::2]):
        for rotate in (embedding.rotate, embedding.rotate_transpose):
            result = rotate(x, offset)
            assert (result.shape, result.dtype) == (shape, dtype)
            out = np.empty(shape, dtype)
            assert rotate(x, offset, out=out) is out


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("zero", [0.0, -0.0])
@pytest.mark.parametrize("method", ["rotate", "rotate_transpose"])
def test_every_zero_is_positive(method: str, zero: Any, dtype: Any) -> None:
    """No result holds -0.0, whichever coordinates are zero and whichever sign they have."""
    embedding = RotaryEmbedding(2, 400, 100.0)
    rotate = getattr(embedding, method)
    for pair in ([zero, zero], [zero, 1.0], [1.0, zero], [-1.0, zero], [zero, -1.0]):
        x = np.tile(np.array(pair, dtype), (400, 1))
        out = np.full((400, 4), 7.0, dtype)[:, ::2]
        assert negative_zeros(rotate(x)) == 0
        assert negative_zeros(rotate(x, out=out)) == 0
    zeros = rotate(np.full((400, 2), zero, dtype))
    assert np.count_nonzero(zeros) == 0


def test_a_second_run_gives_the_same_bits() -> None:
    """Table and both rotations, computed anew from the same input."""
    x = np.random.default_rng(5).standard_normal((2, 3, 40, 64))
    first, second = (RotaryEmbedding(64, 100, 10000.0) for _ in range(2))
    assert first.factors.tobytes() == second.factors.tobytes()
    for name in ("rotate", "rotate_transpose"):
        bits = getattr(first, name)(x, 17).tobytes()
        assert getattr(first, name)(x, 17).tobytes() == bits
        assert getattr(second, name)(x.copy(), 17).tobytes() == bits


EMBEDDINGS = {
    (width, base): RotaryEmbedding(width, 2000, base)
    for width in (2, 4, 6, 10, 16)
    for base in (100.0, 10000.0, 0.9)
}


@st.composite
def inputs(draw: st.DrawFn) -> Any:
    """An embedding, an offset and an array of some shape, dtype and way to lie in memory."""
    width, base = draw(st.sampled_from(sorted(EMBEDDINGS)))
    dtype = draw(st.sampled_from([np.float64, np.float32]))
    leading = draw(st.lists(st.integers(0, 3), max_size=3))
    tokens = draw(st.integers(0, 5))
    largest = 1e200 if dtype is np.float64 else 2.0**100
    values = st.floats(-largest, largest, width=64 if dtype is np.float64 else 32)
    shape = (*leading, tokens, width)
    x = draw(arrays_of.arrays(dtype, shape, elements=values, fill=st.just(dtype(-0.75))))
    ways: dict[str, Callable[[], Array]] = {
        "as it is": lambda: x,
        "every other feature": lambda: np.repeat(x, 2, axis=-1)[..., ::2],
        "features backwards": lambda: x[..., ::-1],
        "rows backwards": lambda: x[..., ::-1, :],
        "Fortran order": lambda: np.asfortranarray(x),
        "one row seen many times": lambda: np.broadcast_to(x[..., :1, :], x.shape),
        "one number seen many times": lambda: np.broadcast_to(x[..., :1], x.shape),
        "unaligned": lambda: np.ndarray(x.shape, x.dtype, b"\0" + x.tobytes(), 1),
    }
    way = draw(st.sampled_from(sorted(ways)))
    if tokens == 0 and way == "one row seen many times":
        way = "as it is"
    return EMBEDDINGS[width, base], ways[way](), draw(st.integers(0, 2000 - tokens))


@settings(derandomize=True, deadline=None, max_examples=400)
@given(inputs())
def test_within_two_units_of_the_plain_formula(drawn: Any) -> None:
    """Any shape, strides, dtype and offset: two units in the last place of the larger term.

    The plain formula with four products is computed in long double. The caller's array keeps its
    bits, and the result has C order and no negative zero.
    """
    embedding, x, offset = drawn
    before = x.tobytes()
    rotated, back = embedding.rotate(x, offset), embedding.rotate_transpose(x, offset)
    assert_within_two_ulp(rotated, x, embedding, offset)
    assert_within_two_ulp(back, x, embedding, offset, turned_back=True)
    for result in (rotated, back):
        assert result.flags.c_contiguous
        assert negative_zeros(result) == 0
        assert not np.shares_memory(result, x)
    assert x.tobytes() == before


def test_float32_uses_the_table_rounded_once() -> None:
    """A float32 input meets cosines and sines that were rounded to float32, far away too."""
    embedding = RotaryEmbedding(2, 200_001, 100.0)
    x = np.array([[1.0, 0.0]], np.float32)
    expected = [np.float32(math.cos(200_000.0)), np.float32(math.sin(200_000.0))]
    assert embedding.rotate(x, 200_000).tolist() == [expected]
    assert embedding.rotate(x, 200_000).dtype == np.float32


# Where the result goes


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("method", ["rotate", "rotate_transpose"])
@pytest.mark.parametrize(
    "place",
    [
        lambda shape, dtype: np.empty(shape, dtype),
        lambda shape, dtype: np.empty(shape, dtype, order="F"),
        lambda shape, dtype: np.empty((*shape[:-1], 2 * shape[-1]), dtype)[..., 1::2],
        lambda shape, dtype: np.empty((*shape[:-1], 2 * shape[-1]), dtype)[..., : shape[-1]],
        lambda shape, dtype: np.empty(shape, dtype)[::-1, ::-1, ::-1],
        lambda shape, dtype: np.ndarray(shape, dtype, bytearray(4096), 1),
    ],
    ids=["C", "Fortran", "every other", "left part", "backwards", "unaligned"],
)
def test_out_of_any_strides_takes_the_result(
    place: Callable[..., Array], method: str, dtype: Any
) -> None:
    """``out`` itself is returned, filled with the right values, and the input is left alone."""
    embedding = chapter_embedding()
    x = np.random.default_rng(2).standard_normal((2, 3, 4)).astype(dtype)
    before, out = x.copy(), place(x.shape, dtype)
    result = getattr(embedding, method)(x, 1, out=out)
    assert result is out
    assert_within_two_ulp(out, x, embedding, 1, turned_back=method == "rotate_transpose")
    np.testing.assert_array_equal(x, before)


def test_out_writes_nothing_beside_it() -> None:
    """The gaps of a strided ``out`` keep what they held."""
    embedding = chapter_embedding()
    for part in (np.s_[..., ::2], np.s_[..., :4], np.s_[..., 4:]):
        field = np.full((3, 8), 9.0)
        written = np.zeros((3, 8), bool)
        written[part] = True
        embedding.rotate(np.ones((3, 4)), out=field[part])
        assert np.all(field[~written] == 9.0)
        assert not np.any(field[written] == 9.0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("method", ["rotate", "rotate_transpose"])
@pytest.mark.parametrize(
    ("source", "target"),
    [
        (np.s_[0:60], np.s_[0:60]),
        (np.s_[0:60], np.s_[4:64]),
        (np.s_[4:64], np.s_[0:60]),
        (np.s_[0:60], np.s_[1:61]),
        (np.s_[3:63], np.s_[0:60]),
        (np.s_[0:120:2], np.s_[0:60]),
        (np.s_[0:60], np.s_[0:120:2]),
        (np.s_[0:60], np.s_[59::-1]),
        (np.s_[59::-1], np.s_[0:60]),
    ],
)
def test_out_may_overlap_the_input(source: Any, target: Any, method: str, dtype: Any) -> None:
    """In place, shifted by rows or by one number, strided or backwards: the right result."""
    embedding = RotaryEmbedding(4, 20, 100.0)
    memory = np.random.default_rng(4).standard_normal(120).astype(dtype)
    x, out = memory[source].reshape(15, 4), memory[target].reshape(15, 4)
    assert np.shares_memory(x, memory)
    assert np.shares_memory(out, memory)
    before = x.copy()
    assert getattr(embedding, method)(x, 5, out=out) is out
    assert_within_two_ulp(out, before, embedding, 5, turned_back=method == "rotate_transpose")


def read_only(shape: tuple[int, ...]) -> Any:
    array = np.zeros(shape)
    array.setflags(write=False)
    return array


@pytest.mark.parametrize("method", ["rotate", "rotate_transpose"])
@pytest.mark.parametrize(
    ("out", "given_as"),
    [
        (np.zeros((4, 4)), "float64 (4, 4)"),
        (np.zeros((1, 3, 4)), "float64 (1, 3, 4)"),
        (np.zeros((3, 4), np.float32), "float32 (3, 4)"),
        (np.zeros((3, 4), complex), "complex128 (3, 4)"),
        (np.zeros((3, 4), ">f8"), ">f8 (3, 4)"),
        (read_only((3, 4)), "float64 (3, 4) (writeable=False)"),
        ([[0.0] * 4] * 3, "list"),
        (0.0, "float"),
    ],
)
def test_out_that_cannot_take_the_result_is_refused(out: Any, given_as: str, method: str) -> None:
    """Another shape, dtype or type, or no permission to write: named, with what is accepted."""
    before = np.array(out).tobytes()
    with pytest.raises(OutputArray) as refused:
        getattr(chapter_embedding(), method)(np.ones((3, 4)), out=out)
    assert refused.value.values == {"given": given_as, "accepted": "float64 (3, 4)"}
    assert np.array(out).tobytes() == before


@pytest.mark.parametrize(
    ("x", "dtype"),
    [
        ([[1, 0, 1, 0]], "int64"),
        (np.ones((1, 4), np.float16), "float16"),
        (np.ones((1, 4), ">f8"), ">f8"),
        (np.ones((1, 4), ">f4"), ">f4"),
        (np.ones((1, 4), complex), "complex128"),
        (np.ones((1, 4), bool), "bool"),
        (np.array([["a", "b", "c", "d"]]), "<U1"),
        (np.ones((1, 4), object), "object"),
    ],
)
def test_input_of_another_type_is_refused(x: Array, dtype: Any) -> None:
    """Only native float64 and float32 are rotated; nothing is converted silently."""
    for method in ("rotate", "rotate_transpose"):
        with pytest.raises(InputType) as refused:
            getattr(chapter_embedding(), method)(x)
        assert refused.value.values == {"dtype": dtype}


def test_longdouble_is_refused() -> None:
    """A wider type would lose digits on the way."""
    with pytest.raises(InputType):
        chapter_embedding().rotate(np.ones((1, 4), np.longdouble))


# Values that are no ordinary numbers


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_is_not_finite_spoils_its_own_pair_only(dtype: Any) -> None:
    """IEEE arithmetic as documented: inf times sin 0 is NaN, inf times cos 1 is inf."""
    embedding = chapter_embedding()
    x = np.tile(np.array([[np.inf, 1.0, 0.5, 0.25]], dtype), (2, 1))
    forward, back = embedding.rotate(x), embedding.rotate_transpose(x)
    np.testing.assert_array_equal(forward[:, :2], [[np.inf, np.nan], [np.inf, np.inf]])
    np.testing.assert_array_equal(back[:, :2], [[np.inf, np.nan], [np.inf, -np.inf]])
    clean = x.copy()
    clean[:, :2] = 0.0
    np.testing.assert_array_equal(forward[:, 2:], embedding.rotate(clean)[:, 2:])
    x[:, 0] = np.nan
    assert np.isnan(embedding.rotate(x)[:, :2]).all()
    assert np.isfinite(embedding.rotate(x)[:, 2:]).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, "largest", "smallest"])
def test_no_value_makes_a_warning(value: Any, dtype: Any) -> None:
    """Not even for a caller who turns every floating point event into an error."""
    limits = np.finfo(dtype)
    number = {"largest": limits.max, "smallest": limits.smallest_subnormal}.get(value, value)
    with np.errstate(all="raise"):
        RotaryEmbedding(10000, 3, 1.7e308)  # its slowest angles are subnormal
        embedding = RotaryEmbedding(4, 5000, 1e300)
        for sign in (1, -1):
            x = np.full((5000, 4), number, dtype)
            x[:, 1::2] *= dtype(sign)
            embedding.rotate(x)
            embedding.rotate_transpose(x, out=x)


def test_overflow_is_infinite() -> None:
    """A turned coordinate that float64 cannot hold is infinite, of the right sign."""
    largest = np.finfo(np.float64).max
    rotated = RotaryEmbedding(2, 2, 100.0).rotate([[largest, -largest]], 1)
    assert rotated[0, 0] == np.inf
    assert math.isfinite(rotated[0, 1])
