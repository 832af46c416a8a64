"""Reference vectors: inputs and right outputs, to test any implementation of RoPE in any language.

The inputs hide no mistake: no two rows are equal, and within a row no two magnitudes are equal and
none is zero. Each number has 8 significant bits and no small exponent, so that float32, float16
and bfloat16 hold it exactly. The numbers come from splitmix64 with state 0 (Steele, Lea, Flood,
"Fast splittable pseudorandom number generators", 2014), counted through all rows: M draws a row,
where M is the head width rounded up to a multiple of 128. Coordinate c has the magnitude
``(128 + r mod 128) / 2^(7 + floor(r/128))``, where draw number r is the c-th smallest of the row,
and is negative if draw number c is odd.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rope_cli.document.vocabulary import t
from rope_cli.example.user_values import farthest_position
from rope_cli.rope.attention import dot_products
from rope_cli.rope.layouts import half_split_order
from rope_cli.rope.tables import LAYOUTS, RotaryEmbedding
from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal, quoted_path
from rope_cli.user_input.numbers import (
    GREATEST_NUMBER,
    GREATEST_WIDTH,
    InvalidNumber,
    even_number_up_to,
    number_between,
    read_positions,
    whole_number_between,
)
from rope_cli.verify.measure.expected import STANDARD_BASE, Expected, expected_for
from rope_cli.verify.read.request import layer_of, request_from

Array = NDArray[Any]
Vectors = dict[str, Array | str | float | int]

SUFFIXES = (".json", ".npz")
FORMAT, VERSION = "rope-report-vectors", 1
# Rising, with an offset and gaps, so that no index passes for a position.
DEFAULT_POSITIONS = (5, 6, 7, 8, 9, 12, 200, 201)
STANDARD_WIDTH, MOST_NUMBERS = 8, 1 << 22
BATCH, HEADS = 2, 3
ROWS = BATCH * HEADS
MAGNITUDES = 128  # with 8 significant bits, between a power of two and the next
INPUTS = "query", "key", "query_output_adjoint", "key_output_adjoint"

KEYS: dict[str, Text] = {
    "format": t('"rope-report-vectors"', '"rope-report-vectors"'),
    "version": t("version of the format: 1", "версия формата: 1"),
    "feature_width": t("head width, features", "ширина головы, features"),
    "rotary_width": t(
        "how many coordinates are rotated, from the first on; the others pass through",
        "сколько координат поворачивается, начиная с первой; остальные не меняются",
    ),
    "base": t("base of the frequencies, before scaling", "основание частот до масштабирования"),
    "method": t("method of scaling, or default", "метод масштабирования или default"),
    "attention_factor": t(
        "the factor that cosines and sines already contain",
        "множитель внимания, уже вошедший в косинусы и синусы",
    ),
    "positions": t("[tokens], whole numbers", "[tokens], целые числа"),
    "inverse_frequencies": t(
        "[pairs], radians per position, after scaling",
        "[pairs], радиан на позицию, после масштабирования",
    ),
    "angles": t(
        "[tokens, pairs], radians: position times inverse frequency",
        "[tokens, pairs], радианы: позиция, умноженная на inverse_frequencies",
    ),
    "cosines": t(
        "[tokens, pairs], cos(angle) times attention_factor",
        "[tokens, pairs], cos(angle), умноженный на attention_factor",
    ),
    "sines": t(
        "[tokens, pairs], sin(angle) times attention_factor",
        "[tokens, pairs], sin(angle), умноженный на attention_factor",
    ),
    "half_split_order": t(
        "[features], the permutation P: half_split(x[P]) = adjacent(x)[P]",
        "[features], перестановка P: half_split(x[P]) = adjacent(x)[P]",
    ),
    "query": t(
        "[2 batch, 3 heads, tokens, features], not yet rotated",
        "[2 batch, 3 heads, tokens, features], ещё не повёрнут",
    ),
    "key": t("as query, other numbers", "как query, другие числа"),
    "query_output_adjoint": t(
        "as query: an arbitrary gradient with respect to the rotated query",
        "как query: произвольный градиент по повёрнутому запросу",
    ),
    "key_output_adjoint": t(
        "as query: an arbitrary gradient with respect to the rotated key",
        "как query: произвольный градиент по повёрнутому ключу",
    ),
    "adjacent_rotated_query": t(
        "as query: query rotated with pairs 2j, 2j+1",
        "как query: query, повёрнутый парами 2j, 2j+1",
    ),
    "adjacent_rotated_key": t(
        "as query: key rotated with pairs 2j, 2j+1", "как query: key, повёрнутый парами 2j, 2j+1"
    ),
    "adjacent_scores": t(
        "[2 batch, 3 heads, tokens (query), tokens (key)], plain dot products of the two: no "
        "mask, not divided by sqrt(features)",
        "[2 batch, 3 heads, tokens (query), tokens (key)], скалярные произведения двух "
        "предыдущих: без маски, без деления на sqrt(features)",
    ),
    "adjacent_query_input_adjoint": t(
        "as query: query_output_adjoint after the transposed rotation, times attention_factor",
        "как query: query_output_adjoint после транспонированного поворота, множитель "
        "attention_factor остаётся",
    ),
    "adjacent_key_input_adjoint": t(
        "as query: the same for key_output_adjoint", "как query: то же для key_output_adjoint"
    ),
    "half_split_rotated_query": t(
        "as query: the same query rotated with pairs j, j+rotary_width/2",
        "как query: тот же query, повёрнутый парами j, j+rotary_width/2",
    ),
    "half_split_rotated_key": t(
        "as query: the same key rotated with pairs j, j+rotary_width/2",
        "как query: тот же key, повёрнутый парами j, j+rotary_width/2",
    ),
    "half_split_scores": t(
        "as adjacent_scores, of these two", "как adjacent_scores, для этих двух"
    ),
    "half_split_query_input_adjoint": t(
        "as adjacent_query_input_adjoint, with pairs j, j+rotary_width/2",
        "как adjacent_query_input_adjoint, парами j, j+rotary_width/2",
    ),
    "half_split_key_input_adjoint": t(
        "as adjacent_key_input_adjoint, with pairs j, j+rotary_width/2",
        "как adjacent_key_input_adjoint, парами j, j+rotary_width/2",
    ),
}


class UnknownVectorsFormat(CommandRefusal):
    """The ending of the file names no format of reference vectors."""

    kind = "unknown-vectors-format"
    SENTENCE = t(
        "reference vectors cannot be written as {path}; accepted: a name that ends in {accepted}",
        "эталонные векторы нельзя записать в {path}; допустимо имя с окончанием {accepted}",
    )


def refuse_other_suffix(path: str) -> None:
    """Refuse a file whose suffix promises another format; a name without one gets JSON."""
    if os.path.splitext(path)[1].lower() not in ("", *SUFFIXES):
        accepted = t(" or ".join(SUFFIXES), " или ".join(SUFFIXES))
        raise UnknownVectorsFormat(path=quoted_path(path), accepted=accepted)


def expected_and_positions(options: Mapping[str, Any]) -> tuple[Expected, Sequence[int]]:
    """What the command ``vectors`` is to rotate, and at which positions.

    Raises the refusals of the command.
    """
    request = request_from({**options, "positions": None})
    text = options.get("positions")
    positions = DEFAULT_POSITIONS if text is None else read_positions("--positions", text)
    width = STANDARD_WIDTH if request.width is None else request.width
    length = positions[-1] + 1
    if layer_of(request) is None:
        RotaryEmbedding.validate(width, length, request.base or STANDARD_BASE)
    expected = expected_for(request, width, length)
    count = count_numbers(expected.head_width, expected.rotary_width, len(positions))
    if count > MOST_NUMBERS:
        option = "--feature-width * --positions"
        raise InvalidNumber(
            option=option, value=count, accepted=whole_number_between(1, MOST_NUMBERS)
        )
    return expected, positions


def vectors_from(expected: Expected, positions: Sequence[int]) -> Vectors:
    """All values of :data:`KEYS`, in that order; arrays are float64 or int64, in C order.

    ``positions`` are whole numbers up to 2^53, one for each token. Both layouts are computed,
    whatever ``expected.layout`` and ``expected.backward`` are. Equal arguments give equal inputs
    everywhere; outputs may differ in the last bits between machines and versions of numpy.

    Raises ``InvalidNumber`` for a head wider than 1024, for an attention factor outside
    1e-15...1e15, and for an angle beyond 2^43 radians, whose cosine float64 cannot resolve.
    """
    refuse_unusable(expected, positions)
    scaled = expected.scaled
    factors = scaled.factors(positions)
    vectors: Vectors = {
        "format": FORMAT,
        "version": VERSION,
        "feature_width": expected.head_width,
        "rotary_width": expected.rotary_width,
        "base": float(expected.base),
        "method": expected.method,
        "attention_factor": float(scaled.attention_factor),
        "positions": np.array(positions, np.int64),
        "inverse_frequencies": scaled.inverse_frequencies.copy(),
        "angles": np.multiply.outer(np.array(positions, np.float64), scaled.inverse_frequencies),
        "cosines": factors.real.copy(),
        "sines": factors.imag.copy(),
        "half_split_order": head_order(expected),
    }
    inputs = {
        name: input_numbers(index, len(positions), expected.head_width)
        for index, name in enumerate(INPUTS)
    }
    vectors.update(inputs)
    for layout in LAYOUTS:
        vectors.update(layout_vectors(layout, inputs, factors))
    return {name: vectors[name] for name in KEYS}


def head_order(expected: Expected) -> NDArray[np.int64]:  # [features]
    """The permutation from half-split to adjacent pairs; unrotated coordinates stay in place."""
    unrotated = np.arange(expected.rotary_width, expected.head_width)
    order = np.concatenate([half_split_order(expected.rotary_width), unrotated])
    return order.astype(np.int64)


def layout_vectors(
    layout: str, inputs: Mapping[str, Array], factors: NDArray[np.complex128]
) -> dict[str, Array]:
    """Rotated rows, input adjoints and scores in one layout."""
    prefix = layout.replace("-", "_")
    vectors: dict[str, Array] = {}
    for name in ("query", "key"):
        adjoint = inputs[f"{name}_output_adjoint"]
        vectors[f"{prefix}_rotated_{name}"] = rotate_head(inputs[name], factors, layout)
        vectors[f"{prefix}_{name}_input_adjoint"] = rotate_head(
            adjoint, factors, layout, backward=True
        )
    vectors[f"{prefix}_scores"] = dot_products(
        vectors[f"{prefix}_rotated_query"], vectors[f"{prefix}_rotated_key"]
    )
    return vectors


def rotate_head(
    x: Array, factors: NDArray[np.complex128], layout: str, backward: bool = False
) -> Array:  # [..., tokens, features], [tokens, pairs] -> [..., tokens, features]
    """The first ``2 pairs`` coordinates rotated in one of ``LAYOUTS``, the others copied.

    ``backward`` applies the transposed rotation. The modulus of ``factors``, which is the
    attention factor, multiplies the rotated coordinates in both cases. The result is float64.
    """
    result = np.array(x, dtype=np.float64, order="C")
    rotary = result[..., : 2 * factors.shape[-1]]
    rotary[...] = LAYOUTS[layout][int(backward)](rotary, factors)
    return result


def count_numbers(head_width: int, rotary_width: int, tokens: int) -> int:
    """How many numbers the arrays of :func:`vectors_from` will hold."""
    pairs = rotary_width // 2
    rows = ROWS * tokens * (12 * head_width + 2 * tokens)
    return rows + tokens * (1 + 3 * pairs) + pairs + head_width


def refuse_unusable(expected: Expected, positions: Sequence[int]) -> None:
    """Refuse widths that the inputs lack, and numbers that float64 cannot hold."""
    if expected.head_width > GREATEST_WIDTH:
        accepted = even_number_up_to(GREATEST_WIDTH)
        raise InvalidNumber(option="--feature-width", value=expected.head_width, accepted=accepted)
    factor = float(expected.scaled.attention_factor)
    if not 1 / GREATEST_NUMBER <= factor <= GREATEST_NUMBER:
        accepted = number_between(1 / GREATEST_NUMBER, GREATEST_NUMBER)
        raise InvalidNumber(option="attention_factor", value=f"{factor:.4g}", accepted=accepted)
    farthest = farthest_position(float(np.abs(expected.frequencies).max()))
    last = max(positions, default=0)
    if last > farthest:
        accepted = whole_number_between(0, farthest)
        raise InvalidNumber(option="--positions", value=last, accepted=accepted)


def input_numbers(
    number: int, tokens: int, width: int
) -> Array:  # -> [batch, heads, tokens, features]
    """Input ``number`` of :data:`INPUTS`, as the docstring of this module defines it."""
    drawn = MAGNITUDES * -(-width // MAGNITUDES)
    rows = ROWS * tokens
    draws = splitmix64(number * rows * drawn, rows * drawn).reshape(rows, drawn)
    # The draws of splitmix64 are distinct, so every sort gives this order.
    order = np.argsort(draws, axis=-1)[:, :width]
    magnitudes = (MAGNITUDES + order % MAGNITUDES) / (MAGNITUDES << order // MAGNITUDES)
    negative = draws[:, :width] % np.uint64(2) == 1
    shape = BATCH, HEADS, tokens, width
    return np.where(negative, -magnitudes, magnitudes).reshape(shape)


def splitmix64(first: int, count: int) -> NDArray[np.uint64]:  # -> [count]
    """Draws ``first``, ``first + 1``, ... of the generator with state 0, modulo 2^64."""
    counted = np.arange(first + 1, first + 1 + count, dtype=np.uint64)
    mixed = counted * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def as_npz(vectors: Vectors) -> memoryview:
    """The vectors as a file for ``numpy.load``, without pickle; equal vectors give equal bytes.

    Little-endian and uncompressed. Strings and numbers become arrays of rank 0. Beside the
    arrays only the file is held. Raises ``MemoryError``.
    """
    buffer = io.BytesIO()
    try:
        write_archive(buffer, vectors)
    except ValueError:
        if buffer.closed:  # as a buffer is that could not grow
            raise MemoryError from None
        raise
    return buffer.getbuffer()


def write_archive(file: io.BytesIO, vectors: Vectors) -> None:
    """Write the vectors as members of an uncompressed archive."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, value in vectors.items():
            array = np.asarray(value)
            array = array.astype(array.dtype.newbyteorder("<"), copy=False)
            # The bytes must not depend on the clock or the system.
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            with archive.open(entry, "w") as member:
                npy.write_array_header_1_0(member, npy.header_data_from_array_1_0(array))
                member.write(array.reshape(-1).view(np.uint8).data)


def as_json(vectors: Vectors) -> Iterator[str]:
    """The vectors as one JSON object in ASCII, in parts; floats read back to the same bits.

    Arrays become nested lists, one innermost row on each line.
    """
    before = "{\n"
    for name, value in vectors.items():
        yield f"{before}  {json.dumps(name)}: "
        yield from lists_in_parts(np.asarray(value), "  ")
        before = ",\n"
    yield "\n}\n"


def lists_in_parts(array: Array, indent: str) -> Iterator[str]:
    """An array in JSON; one of more axes than one has each of its parts on lines of its own."""
    if array.ndim < 2 or not len(array):
        yield json.dumps(array.tolist(), allow_nan=False)
        return
    deeper = indent + "  "
    before = "[\n"
    for part in array:
        yield before + deeper
        yield from lists_in_parts(part, deeper)
        before = ",\n"
    yield f"\n{indent}]"
