"""Shapes and positions: each sequence has its own, and two kinds of nothing are allowed."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Table
from rope_cli.document.evidence import Evidence, agree, all_true, same_bits
from rope_cli.document.summaries import shown_indices
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import GENERIC_QUERY, Array, Example, as_array

TITLE = t("Shapes and positions", "Формы и позиции")
QUESTION = t(
    "Two sequences of three tokens are rotated together, as one array of shape [2, 3, 4]. "
    "Is the first token of the second sequence rotated for position 0 or for position 3?",
    "Две последовательности по три токена поворачивают вместе, одним массивом формы [2, 3, 4]. "
    "Для какой позиции повёрнут первый токен второй последовательности: для 0 или для 3?",
)
OWN_QUESTION = t(
    "Two sequences of three tokens are rotated together, as one array. Is the first token of the "
    "second sequence rotated for position 0 or for position 3?",
    "Две последовательности по три токена поворачивают вместе, одним массивом. Для какой позиции "
    "повёрнут первый токен второй последовательности: для 0 или для 3?",
)

USES = frozenset({"feature_width", "base", "layout"})
CLAIMS = {
    "each-sequence-from-zero": t(
        "the tokens of both sequences are rotated for positions 0, 1, 2",
        "в обеих последовательностях токены повёрнуты для позиций 0, 1, 2",
    ),
    "shapes-kept": t(
        "the output has the shape of the input", "форма выхода совпадает с формой входа"
    ),
    "lanes-independent": t(
        "each slice along the leading axes is rotated as if it were alone, bit for bit",
        "каждый срез по ведущим осям повёрнут так, как если бы он был один, бит в бит",
    ),
    "input-untouched": t("no bit of the input changes", "во входе не меняется ни один бит"),
    "single-precision-kept": t(
        "the output for a float32 input is float32", "на входе float32 — на выходе float32"
    ),
}


def gather(example: Example) -> Evidence:
    """Two sequences of one row each, then five shapes, each rotated at its offset."""
    width, capacity = example.parameters.feature_width, example.embedding.max_positions
    row = as_array(example.continued_to_width(GENERIC_QUERY))
    shapes = ((3, width), (2, 3, width), (2, 2, 3, width), (0, 3, width), (2, 0, width))
    offsets = (0, 0, 0, 0, capacity)
    inputs = [distinct_lanes(row, shape) for shape in shapes]
    copies = [array.copy() for array in inputs]
    outputs = [
        example.rotate_query(array, offset) for array, offset in zip(inputs, offsets, strict=True)
    ]
    lanes, rotated_lanes = (
        np.concatenate([array.reshape(-1, 3, width) for array in arrays[1:3]])
        for arrays in (inputs, outputs)
    )
    alone = np.array([example.rotate_query(lane) for lane in lanes])
    single = example.rotate_query(row[np.newaxis].astype(np.float32))
    return two_sequences(example, row) + Evidence(
        values={
            "capacity": capacity,
            "shapes": [
                {"input": list(array.shape), "offset": offset, "output": list(output.shape)}
                for array, offset, output in zip(inputs, offsets, outputs, strict=True)
            ],
        },
        checks=(
            all_true(
                "shapes-kept",
                [array.shape == shape for array, shape in zip(outputs, shapes, strict=True)],
            ),
            same_bits("lanes-independent", rotated_lanes, alone),
            same_bits("input-untouched", joined(inputs), joined(copies)),
            all_true("single-precision-kept", [single.dtype == np.float32]),
        ),
        parameters=example.parameters,
    )


def two_sequences(example: Example, row: Array) -> Evidence:
    """The same row as every token of two sequences, rotated in one call."""
    parameters = example.parameters
    rotated = example.rotate_query(np.tile(row, (2, 3, 1)))
    expected = reference.rotate(np.tile(row, (3, 1)), parameters.base, range(3), parameters.layout)
    return Evidence(
        values={"sequences_row": row, "sequences_rotated": rotated.reshape(2, 3, -1)},
        checks=(agree("each-sequence-from-zero", rotated, np.tile(expected, (2, 1, 1)), 1e-12),),
    )


def distinct_lanes(row: Array, shape: tuple[int, ...]) -> Array:
    """An array of this shape in which no two lanes are equal, so that a mix-up of lanes shows."""
    return np.resize(row, shape) + np.arange(math.prod(shape)).reshape(shape) / 8


def joined(arrays: list[Array]) -> Array:
    """All values of the arrays in a row."""
    return np.concatenate([array.ravel() for array in arrays])


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Two sequences, then the shapes side by side."""
    last = evidence["capacity"] - 1
    return (
        sequences_table(evidence),
        say(
            "For position 0: its row comes out unchanged, as in the first sequence. The last "
            "axis holds the features and the one before it the tokens. The axes in front of "
            "these, for the sequences of a batch or the heads of attention, only repeat the "
            "rotation, so every sequence begins at position 0. The number of axes is called the "
            "rank.",
            "Для позиции 0: строка этого токена не изменилась, как и строка первого токена первой "
            "последовательности. На последней оси лежат признаки, на предпоследней — токены. Вдоль "
            "осей перед ними (ведущих осей), будь то последовательности пакета или головы "
            "внимания, поворот лишь повторяется, и каждая последовательность начинается с позиции "
            "0. Число осей называется рангом.",
        ),
        shapes_table(evidence),
        say(
            "With an offset o, T tokens are at positions o to o+T-1. Here the table of cosines and "
            "sines ends at position {last}. It must therefore be long enough for a prompt and for "
            "everything generated after it: a prompt of 4 tokens leaves room for {room} more. A "
            "block without tokens needs no row of the table, so it may even start at {end}.",
            "При смещении o токены, а их T, занимают позиции от o до o+T-1. Таблица косинусов и "
            "синусов здесь кончается позицией {last}, а её длины должно хватить и на промпт, и на "
            "всё, что модель допишет: после промпта из 4 токенов остаётся место ещё для {room}. "
            "Блоку без токенов строки таблицы не нужны, и начинаться он может даже с позиции "
            "{end}.",
            last=last,
            room=last + 1 - 4,
            end=last + 1,
        ),
    )


def sequences_table(evidence: Evidence) -> Table:
    """Every token of both sequences after the rotation, of a wide row the ends."""
    rotated = evidence["sequences_rotated"]
    features = shown_indices(rotated.shape[-1], everything=False)
    return table(
        t(
            'Every token is the row q of section "norms"; each row after the rotation:',
            "У всех токенов одна и та же строка, q из раздела «norms»; после поворота:",
        ),
        right(
            t("sequence", "последовательность"),
            t("token", "токен"),
            *("..." if feature is None else f"[{feature}]" for feature in features),
        ),
        (
            (sequence, token, *("..." if feature is None else row[feature] for feature in features))
            for sequence, rows in enumerate(rotated)
            for token, row in enumerate(rows)
        ),
    )


def shapes_table(evidence: Evidence) -> Table:
    """The shapes before and after the rotation."""
    axes = (
        t("tokens, features", "токены, признаки"),
        t("batch, tokens, features", "пакет, токены, признаки"),
        t("batch, heads, tokens, features", "пакет, головы, токены, признаки"),
        t("a leading axis of length 0", "ведущая ось длины 0"),
        t("no tokens, past the last position", "без токенов, за последней позицией"),
    )
    return table(
        t("Five shapes, each rotated in one call:", "Пять форм, каждая за один вызов:"),
        (
            *left(t("axes", "оси"), t("input", "вход")),
            *right(t("offset", "смещение")),
            *left(t("output", "выход")),
        ),
        (
            (name, brackets(case["input"]), case["offset"], brackets(case["output"]))
            for name, case in zip(axes, evidence["shapes"], strict=True)
        ),
    )


def brackets(shape: list[int]) -> str:
    """A shape without blanks, so that it stays on one line."""
    return f"[{','.join(map(str, shape))}]"
