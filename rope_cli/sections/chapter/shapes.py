"""Shapes are kept: rank two, three and four, and two kinds of nothing."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block
from rope_cli.document.evidence import Evidence, all_true, same_bits
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.worked_example import GENERIC_QUERY, Array, Example, as_array

TITLE = t("Shapes are kept", "Формы сохраняются")
QUESTION = t(
    "The last position of the table is 5. May a block without tokens start at position 6?",
    "Последняя позиция таблицы — 5. Может ли блок без токенов начинаться с позиции 6?",
)

USES = frozenset({"feature_width", "base", "layout"})
CLAIMS = {
    "shapes-kept": t(
        "the output has the shape of the input", "форма выхода совпадает с формой входа"
    ),
    "lanes-independent": t(
        "each slice along the leading axes turns as if it were alone, bit for bit",
        "каждый срез по ведущим осям поворачивается так, как если бы он был один, бит в бит",
    ),
    "input-untouched": t("the input keeps its bits", "биты входа не меняются"),
    "single-precision-kept": t("float32 in, float32 out", "на входе float32 — на выходе float32"),
}


def gather(example: Example) -> Evidence:
    """Five shapes, each rotated at its offset."""
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
    return Evidence(
        values={
            "shapes": [
                {"input": list(array.shape), "offset": offset, "output": list(output.shape)}
                for array, offset, output in zip(inputs, offsets, outputs, strict=True)
            ]
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
    )


def distinct_lanes(row: Array, shape: tuple[int, ...]) -> Array:
    """An array of this shape in which no two lanes are equal, so that a mix-up of lanes shows."""
    return np.resize(row, shape) + np.arange(math.prod(shape)).reshape(shape) / 8


def joined(arrays: list[Array]) -> Array:
    """All values of the arrays in a row."""
    return np.concatenate([array.ravel() for array in arrays])


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The shapes side by side."""
    axes = (
        t("tokens, features", "токены, признаки"),
        t("batch, tokens, features", "пакет, токены, признаки"),
        t("batch, heads, tokens, features", "пакет, головы, токены, признаки"),
        t("empty leading axis", "пустая ведущая ось"),
        t("no tokens, at the table's end", "нет токенов, у конца таблицы"),
    )
    return (
        table(
            None,
            (
                *left(t("axes", "оси"), t("input", "вход")),
                *right(t("offset", "смещение")),
                *left(t("output", "выход")),
            ),
            (
                (name, brackets(case["input"]), case["offset"], brackets(case["output"]))
                for name, case in zip(axes, evidence["shapes"], strict=True)
            ),
        ),
        say(
            "The last axis holds the features, the one before it the tokens; every earlier axis "
            "only repeats the same rotation. An interval without tokens may start right after the "
            "table's last position.",
            "Последняя ось — признаки, предпоследняя — токены; все оси перед ними лишь "
            "повторяют тот же поворот. Интервал без токенов может начинаться сразу за "
            "последней позицией таблицы.",
        ),
    )


def brackets(shape: list[int]) -> str:
    """A shape without blanks, so that it stays on one line."""
    return f"[{','.join(map(str, shape))}]"
