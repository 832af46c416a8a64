"""What the fast kernels promise: the plain formula's numbers from every kind of array."""

import copy
import math
import pickle
import threading
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rope_cli import RotaryEmbedding
from rope_cli.errors import OutputArray
from rope_cli.rope import fast
from rope_cli.rope.tables import LAYOUTS

Array = NDArray[Any]

# Products and sums with eleven bits more than float64; float32 has float64 for that.
EXTENDED = {"float64": np.longdouble, "float32": np.float64}
needs_extended = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="no float here is longer than float64"
)
METHODS = ("rotate", "rotate_transpose")
POSITIONS = 4200
WIDTHS = (2, 4, 6, 8, 16, 64, 128)
TABLES = {
    (width, layout): RotaryEmbedding(width, POSITIONS, 10000.0, layout)
    for width in WIDTHS
    for layout in ("adjacent", "half-split")
}
# From what fits no row at all to what holds all arrays of these tests at once.
CACHES = (1, 200, 1000, 4096, 20_000, fast.CACHE_BYTES)


def terms(embedding: RotaryEmbedding, method: str, x: Array, offset: int) -> Any:
    """Both products of each coordinate in extended precision, in the order of the coordinates."""
    kind = EXTENDED[str(x.dtype)]
    turns = embedding.factors[offset : offset + x.shape[-2]]
    cos, sin = (part.astype(x.dtype).astype(kind) for part in (turns.real, turns.imag))
    if method == "rotate_transpose":
        sin = -sin
    half = x.shape[-1] // 2
    adjacent = embedding.layout == "adjacent"
    first, second = (
        (slice(0, None, 2), slice(1, None, 2)) if adjacent else (slice(half), slice(half, None))
    )
    left, right = x[..., first].astype(kind), x[..., second].astype(kind)
    one, other = np.empty((2, *x.shape), kind)
    one[..., first], other[..., first] = left * cos, -(right * sin)
    one[..., second], other[..., second] = left * sin, right * cos
    return one, other


def assert_formula(
    embedding: RotaryEmbedding, method: str, x: Array, offset: int, found: Array
) -> None:
    """Two units in the last place of the larger term at most; the same infinities; no -0.0."""
    with np.errstate(all="ignore"):
        one, other = terms(embedding, method, x, offset)
        expected = one + other
        larger = np.maximum(abs(one), abs(other)).astype(x.dtype)
        unit = np.spacing(np.where(np.isfinite(larger), larger, 1)).astype(expected.dtype)
        rounded = expected.astype(x.dtype)
        near = abs(found.astype(expected.dtype) - expected) <= 2 * unit
    plain = np.isfinite(rounded)
    np.testing.assert_array_equal(near[plain], True)
    np.testing.assert_array_equal(found[~plain], rounded[~plain])
    assert not np.signbit(found[found == 0]).any()


def spread(rng: np.random.Generator, values: Array, kind: str) -> Any:
    """The same values in an array whose elements lie elsewhere in memory."""
    if kind == "plain":
        return values.copy()
    if kind == "unaligned":
        memory = np.zeros(values.nbytes + 64, np.uint8)
        start = int(rng.integers(1, 64))
        view = memory[start : start + values.nbytes].view(values.dtype).reshape(values.shape)
    elif kind == "fortran":
        view = np.empty(values.shape, values.dtype, order="F")
    elif kind == "axes":  # leading axes and tokens lie in memory in another order
        order = [*rng.permutation(values.ndim - 1).tolist(), values.ndim - 1]
        whole = np.empty([values.shape[axis] for axis in order], values.dtype)
        view = whole.transpose(np.argsort(order))
    elif kind == "every other":  # gaps between all elements, those of a row among them
        whole = np.zeros([2 * size + 1 for size in values.shape], values.dtype)
        view = whole[tuple(slice(1, None, 2) for _ in values.shape)]
    elif kind == "gaps between rows":
        whole = np.zeros((*values.shape[:-1], values.shape[-1] + 3), values.dtype)
        view = whole[..., 1 : 1 + values.shape[-1]]
    else:
        assert kind == "backward"
        view = np.empty(values.shape, values.dtype)[..., ::-1, ::-1]
    view[...] = values
    return view


KINDS = ("plain", "unaligned", "fortran", "axes", "every other", "gaps between rows", "backward")


def extreme(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Any:
    """Numbers of every exponent, subnormals, zeros of both signs, now and then no number at all."""
    limits = np.finfo(dtype)
    exponents = rng.integers(limits.minexp - limits.nmant, limits.maxexp, shape)
    values = np.ldexp(rng.uniform(1, 2, shape), exponents).astype(dtype)
    values *= rng.choice([-1, 1], shape)
    special = [0.0, -0.0, limits.max, -limits.max, limits.smallest_subnormal, -limits.tiny]
    values = np.where(rng.random(shape) < 0.3, rng.choice(np.array(special, dtype), shape), values)
    unbounded = np.array([np.inf, -np.inf, np.nan], dtype)
    return np.where(rng.random(shape) < 0.05, rng.choice(unbounded, shape), values)


def ordinary(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Any:
    """What activations look like."""
    return rng.standard_normal(shape).astype(dtype)


def few_bits(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Any:
    """Small whole numbers and zeros of both signs, whose products cancel exactly."""
    return rng.choice(np.array([-2, -1, -0.0, 0.0, 1, 2], dtype), shape)


@pytest.mark.slow
@needs_extended
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_kernels_keep_to_the_formula(data: st.DataObject) -> None:
    """Any shape, strides, alignment, dtype, offset, values and block border, in place or not."""
    draw = data.draw
    width = draw(st.sampled_from(WIDTHS), "width")
    layout = draw(st.sampled_from(["adjacent", "half-split"]), "layout")
    leading = draw(st.lists(st.integers(1, 5), max_size=3), "leading")
    shape = (*leading, draw(st.integers(1, 40), "tokens"), width)
    dtype = np.dtype(draw(st.sampled_from(["float32", "float64"]), "dtype"))
    rng = np.random.default_rng(draw(st.integers(0, 2**32), "seed"))
    content = draw(st.sampled_from([extreme, ordinary, few_bits]), "content")
    x = spread(rng, content(rng, shape, dtype), draw(st.sampled_from(KINDS), "x"))
    where = draw(st.sampled_from([*KINDS, "in place", "none"]), "out")
    offset = draw(st.sampled_from([0, 1, 7, 4000]), "offset")
    method = draw(st.sampled_from(METHODS), "method")
    cache = draw(st.sampled_from(CACHES), "cache")
    before = x.copy()
    out = None
    if where != "none":
        out = x if where == "in place" else spread(rng, np.full(shape, 9, dtype), where)
    embedding = TABLES[width, layout]
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error")
        patch.setattr(fast, "CACHE_BYTES", cache)
        found = getattr(embedding, method)(x, offset, out=out)
    assert out is None or found is out
    if where != "in place":
        np.testing.assert_array_equal(x, before)
    assert_formula(embedding, method, before, offset, found)


def assert_same_bits(found: Array, expected: Array) -> None:
    """Every bit, that of a zero's sign among them; only which NaN it is, numpy's loops decide."""
    bits = np.dtype(f"u{expected.itemsize}")
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(~np.isnan(found), numbers)
    np.testing.assert_array_equal(found[numbers].view(bits), expected[numbers].view(bits))


@pytest.mark.parametrize("form", ["adjacent", "half-split"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("leading", "tokens", "width"),
    [((), 1, 2), ((), 4100, 16), ((), 4100, 128), ((2,), 4100, 16)],
)
def test_one_pair_and_many_have_the_bits_of_the_plain_forms(
    leading: tuple[int, ...], tokens: int, width: int, dtype: str, form: str
) -> None:
    """numpy rounds a complex product differently where it is written over one of its factors."""
    factors = TABLES[width, form].factors
    for seed in range(20 if tokens == 1 else 1):
        x = np.random.default_rng(seed).standard_normal((*leading, tokens, width)).astype(dtype)
        for plain in LAYOUTS[form]:
            out = np.empty_like(x)
            fast.FORMS[plain](x, fast.PreparedFactors(factors), out, 1)
            assert_same_bits(out, plain(x, factors[1 : 1 + tokens]))


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_fast_forms_have_the_bits_of_the_plain_ones(data: st.DataObject) -> None:
    """Any shape, strides, dtype, values and block border, both directions, in place or not."""
    draw = data.draw
    width = draw(st.sampled_from(WIDTHS), "width")
    layout = draw(st.sampled_from(["adjacent", "half-split"]), "layout")
    leading = draw(st.lists(st.integers(1, 5), max_size=3), "leading")
    shape = (*leading, draw(st.integers(1, 40), "tokens"), width)
    dtype = np.dtype(draw(st.sampled_from(["float32", "float64"]), "dtype"))
    rng = np.random.default_rng(draw(st.integers(0, 2**32), "seed"))
    content = draw(st.sampled_from([extreme, ordinary, few_bits]), "content")
    x = spread(rng, content(rng, shape, dtype), draw(st.sampled_from(KINDS), "x"))
    offset = draw(st.sampled_from([0, 1, 7, 4000]), "offset")
    plain = LAYOUTS[layout][draw(st.integers(0, 1), "direction")]
    factors = TABLES[width, layout].factors
    in_place = draw(st.booleans(), "in place") and x.strides[-1] == x.itemsize
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(fast, "CACHE_BYTES", draw(st.sampled_from(CACHES), "cache"))
        # numpy rounds a single product differently if its factor has fewer axes.
        rows = x.reshape(1, 2) if x.size == 2 else x
        expected = plain(rows, factors[offset : offset + shape[-2]]).reshape(shape)
        out = x if in_place else np.full(shape, 9, dtype)
        fast.FORMS[plain](x, fast.PreparedFactors(factors), out, offset)
    assert expected.dtype == dtype
    assert not np.signbit(expected[expected == 0]).any()
    assert_same_bits(out, expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["plain", "unaligned"])
@pytest.mark.parametrize("direction", [0, 1])
def test_blocks_of_one_pair_have_the_same_bits(
    direction: int, kind: str, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In place or unaligned, numpy itself would round the product of a single pair differently."""
    monkeypatch.setattr(fast, "CACHE_BYTES", 1)
    rng = np.random.default_rng(8)
    x = spread(rng, ordinary(rng, (100, 2), dtype), kind)
    plain, factors = LAYOUTS["adjacent"][direction], TABLES[2, "adjacent"].factors
    expected = plain(x, factors[7:107])
    fast.FORMS[plain](x, fast.PreparedFactors(factors), x, 7)
    assert_same_bits(x, expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("layout", ["adjacent", "half-split"])
@pytest.mark.parametrize("direction", [0, 1])
def test_sizes_around_the_threshold_have_the_same_bits(
    direction: int, layout: str, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An embedding changes its form at a size, and nothing shows it."""
    used: list[int] = []

    def noting(form: Callable[..., Any]) -> Callable[..., Any]:
        def note(x: Array, *arguments: Any) -> Any:
            used.append(x.size)
            return form(x, *arguments)

        return note

    for plain, form in list(fast.FORMS.items()):
        monkeypatch.setitem(fast.FORMS, plain, noting(form))
    embedding, method = TABLES[2, layout], METHODS[direction]
    sizes = [fast.LEAST_SIZE + more for more in (-2, 0, 2)]
    for size in sizes:
        x = extreme(np.random.default_rng(size), (size // 2, 2), dtype)
        with np.errstate(all="ignore"):
            expected = LAYOUTS[layout][direction](x, embedding.factors[3 : 3 + size // 2])
        assert_same_bits(getattr(embedding, method)(x, 3), expected)
    assert used == sizes[1:]


@pytest.mark.slow
@needs_extended
@pytest.mark.parametrize("layout", ["adjacent", "half-split"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "shape",
    [
        (2, 4097, 64),  # one token more than a whole number of blocks
        (1, 3, 4096, 64),
        (3, 5, 511, 64),
        (700, 2, 64),  # many heads of few tokens, and a rest
        (129, 3, 1, 128),
        (1, 100_000, 2),
    ],
)
def test_large_arrays_keep_to_the_formula(
    shape: tuple[int, ...], method: str, dtype: Any, layout: str
) -> None:
    """Sizes around the borders of real blocks."""
    rng = np.random.default_rng(0)
    x = few_bits(rng, shape, dtype) * ordinary(rng, shape, dtype)
    tokens, width = shape[-2:]
    embedding = (
        TABLES[width, layout]
        if tokens <= POSITIONS
        else RotaryEmbedding(width, tokens, 10000.0, layout)
    )
    found = getattr(embedding, method)(x)
    assert_formula(embedding, method, x, 0, found)
    assert_same_bits(found, LAYOUTS[layout][METHODS.index(method)](x, embedding.factors[:tokens]))


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["adjacent", "half-split"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("heads", [1, 40])
def test_out_may_overlap_the_input(heads: int, dtype: Any, method: str, layout: str) -> None:
    """In place, moved by one row, by one element, upside down: what a copy of the input gives."""
    rotate = getattr(TABLES[128, layout], method)
    rng = np.random.default_rng(3)
    size = heads * 300 * 128
    for move in (0, 1, 64, 127, 128, 128 * 150):
        for ahead in (True, False):
            memory = rng.standard_normal(size + move).astype(dtype)
            early = memory[:size].reshape(heads, 300, 128)
            late = memory[move:].reshape(heads, 300, 128)
            x, out = (late, early) if ahead else (early, late)
            expected = rotate(x.copy(), 5)
            assert rotate(x, 5, out=out) is out
            np.testing.assert_array_equal(out, expected)
    for turn in (np.s_[:, ::-1], np.s_[..., ::-1], np.s_[::-1]):
        x = rng.standard_normal((heads, 300, 128)).astype(dtype)
        expected = rotate(x.copy(), 5)
        np.testing.assert_array_equal(rotate(x, 5, out=x[turn]), expected)


@pytest.mark.parametrize("layout", ["adjacent", "half-split"])
def test_same_memory_with_axes_exchanged_is_not_in_place(layout: str) -> None:
    """Tokens written where heads are still to be read."""
    x = np.random.default_rng(4).standard_normal((64, 64, 64))
    expected = TABLES[64, layout].rotate(x.copy(), 3)
    np.testing.assert_array_equal(TABLES[64, layout].rotate(x, 3, out=x.swapaxes(0, 1)), expected)


@pytest.mark.parametrize(
    ("out", "given"),
    [
        ([[0.0] * 4] * 3, "list"),
        (np.empty((3, 6)), "float64 (3, 6)"),
        (np.empty((1, 3, 4)), "float64 (1, 3, 4)"),
        (np.empty((3, 4), np.float32), "float32 (3, 4)"),
        (np.empty((3, 4), ">f8"), ">f8 (3, 4)"),
        (np.broadcast_to(0.0, (3, 4)), "float64 (3, 4) (writeable=False)"),
        (
            np.lib.stride_tricks.as_strided(np.zeros(4), (3, 4), (0, 8)),
            "float64 (3, 4) (strides=(0, 8))",
        ),
        (
            np.lib.stride_tricks.as_strided(np.zeros(8), (3, 4), (16, 8)),
            "float64 (3, 4) (strides=(16, 8))",
        ),
    ],
)
@pytest.mark.parametrize("layout", ["adjacent", "half-split"])
@pytest.mark.parametrize("method", METHODS)
def test_unfit_out_is_named(method: str, layout: str, out: Any, given: str) -> None:
    """What out is and what it must be, before anything is written."""
    before = np.array(out)
    with pytest.raises(OutputArray) as refused:
        getattr(TABLES[4, layout], method)(np.ones((3, 4)), 1, out=out)
    assert str(refused.value).startswith(f"out is {given}; ")
    assert "a writable array of float64 (3, 4)" in str(refused.value)
    np.testing.assert_array_equal(np.array(out), before)


class Stubborn(np.ndarray):
    """Nothing of numpy may be called with it."""

    def __array_ufunc__(self, *arguments: Any, **named: Any) -> None:
        raise AssertionError(arguments)

    __array_function__ = __array_ufunc__


@pytest.mark.parametrize("layout", ["adjacent", "half-split"])
@pytest.mark.parametrize("part", [np.s_[:], np.s_[:, ::2], np.s_[::2]])
def test_out_of_a_subclass_is_written(part: Any, layout: str) -> None:
    """Its memory takes the result, whatever rules the subclass has, and it is what comes back."""
    memory = np.zeros((6, 8))[part]
    out = memory.view(Stubborn)
    table = TABLES[memory.shape[1], layout]
    x = np.arange(1.0, memory.size + 1).reshape(memory.shape)
    found = table.rotate(x, 1, out=out)
    assert found is out
    np.testing.assert_array_equal(memory, table.rotate(x, 1))


@pytest.mark.parametrize("layout", ["adjacent", "half-split"])
def test_kept_factors_are_bounded_and_right(layout: str) -> None:
    """However many windows are asked for, little is kept, and each gets its own factors."""
    embedding = RotaryEmbedding(64, 100_000, 10000.0, layout)
    x = np.random.default_rng(5).standard_normal((2, 1000, 64)).astype(np.float32)
    fresh = RotaryEmbedding(64, 100_000, 10000.0, layout)
    embedding.rotate(x)
    tracemalloc.start()
    for offset in range(0, 99_000, 900):
        found = embedding.rotate(x, offset)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 3 * fast.KEPT_BYTES / 2
    np.testing.assert_array_equal(found, fresh.rotate(x, offset))
    for method in METHODS * 2:
        for dtype in ("float64", "float32"):
            y = x.astype(dtype)
            again = getattr(embedding, method)(y, 17)
            np.testing.assert_array_equal(again, getattr(fresh, method)(y.copy(), 17))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_turn_alike_and_keep_nothing_ready(copied: Any) -> None:
    """A copy has the same bits, and takes no more memory than its table."""
    embedding = RotaryEmbedding(64, 5000, 10000.0, "half-split")
    x = np.random.default_rng(7).standard_normal((3, 5000, 64))
    expected = embedding.rotate(x)
    other = copied(embedding)
    assert len(pickle.dumps(other)) < 1.1 * len(pickle.dumps(RotaryEmbedding(64, 5000, 10000.0)))
    assert len(pickle.dumps(embedding)) < 1.1 * len(pickle.dumps(other))
    np.testing.assert_array_equal(other.rotate(x), expected)


def test_threads_share_an_embedding() -> None:
    """Rotations at the same time do not disturb each other, nor numpy's error state."""
    embedding = TABLES[64, "half-split"]
    x = np.random.default_rng(6).standard_normal((4, 600, 64))
    x[0, 0, 0] = np.inf
    expected = [embedding.rotate(x, offset) for offset in range(8)]
    wrong = []

    def work(offset: int) -> None:
        for _ in range(20):
            found = embedding.rotate(x, offset)
            if not np.array_equal(found, expected[offset], equal_nan=True):
                wrong.append(offset)

    before = np.geterr()
    threads = [threading.Thread(target=work, args=(offset,)) for offset in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert np.geterr() == before


def test_callers_error_state_is_left_alone() -> None:
    """Who wants numpy to raise is not told of infinities in a rotation, but of his own still."""
    with np.errstate(all="raise"):
        found = TABLES[4, "adjacent"].rotate([[math.inf, 0.0, 1e308, 1e308]], 0)
        assert np.isnan(found[0, 1])
        with pytest.raises(FloatingPointError):
            np.multiply(np.array([1e308]), 10.0)


@pytest.mark.parametrize("first", [0, 12_345, 10**9])
def test_table_has_the_bits_of_bare_calls(first: int) -> None:
    """cos and sin of position times frequency, over many blocks of rows."""
    table = RotaryEmbedding(128, first + 5000, 10000.0, first_position=first)
    angles = (
        np.arange(first, first + 5000, dtype=np.float64)[:, np.newaxis] * table.inverse_frequencies
    )
    assert table.cosines.tobytes() == np.cos(angles).tobytes()
    assert table.sines.tobytes() == np.sin(angles).tobytes()


@pytest.mark.slow
def test_many_small_windows_keep_little() -> None:
    """What an array takes besides its numbers counts as well."""
    embedding = RotaryEmbedding(2, 100_000, 100.0, "half-split")
    x = np.ones((1, 2))
    embedding.rotate(x)
    tracemalloc.start()
    for offset in range(100_000):
        embedding.rotate(x, offset)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 1.1 * fast.KEPT_BYTES


def test_building_a_table_takes_little_beside_it() -> None:
    """At most 16 MB more than the table itself, at 131,072 positions of 64 pairs."""
    tracemalloc.start()
    table = RotaryEmbedding(128, 131_072, 10000.0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak - table.factors.nbytes < 16e6


def test_far_window_builds_its_own_rows_only() -> None:
    """Rows at position 10^9 cost what rows at 0 cost."""
    tracemalloc.start()
    table = RotaryEmbedding(128, 10**9 + 16, 10000.0, first_position=10**9)
    table.rotate(np.ones((16, 128)), 10**9)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert table.factors.shape == (16, 64)
    assert peak < 1e6
