"""Shapes are kept: rank two, three and four, and two kinds of nothing."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Column, Paragraph, Table
from rope_cli.document.evidence import Evidence, all_true, same_bits
from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import GENERIC_QUERY, Example, as_array
from rope_cli.text import Text

TITLE = t("Shapes are kept", "Формы сохраняются")
QUESTION = t(
    "The last position of the table is 5. May a block without tokens start at position 6?",
    "Последняя позиция таблицы — 5. Может ли блок без токенов начинаться с позиции 6?",
)

USES = frozenset({"feature_width", "base", "layout"})
CLAIMS = {
    "shapes-kept": Text(
        en="the output has the shape of the input",
        ru="форма выхода совпадает с формой входа",
    ),
    "lanes-independent": Text(
        en="each slice along the leading axes turns as if it were alone, bit for bit",
        ru="каждый срез по ведущим осям поворачивается так, как если бы он был один, бит в бит",
    ),
    "input-untouched": Text(
        en="the input keeps its bits",
        ru="биты входа не меняются",
    ),
    "single-precision-kept": Text(
        en="float32 in, float32 out",
        ru="на входе float32 — на выходе float32",
    ),
}
AXES = (
    Text(en="tokens, features", ru="токены, признаки"),
    Text(en="batch, tokens, features", ru="пакет, токены, признаки"),
    Text(en="batch, heads, tokens, features", ru="пакет, головы, токены, признаки"),
    Text(en="empty leading axis", ru="пустая ведущая ось"),
    Text(en="no tokens, at the table's end", ru="нет токенов, у конца таблицы"),
)


def gather(example: Example) -> Evidence:
    """Five shapes, each rotated at its offset."""
    width, capacity = example.parameters.feature_width, example.embedding.max_positions
    cases = (
        ((3, width), 0),
        ((2, 3, width), 0),
        ((2, 2, 3, width), 0),
        ((0, 3, width), 0),
        ((2, 0, width), capacity),
    )
    inputs = [
        np.resize(as_array(example.continued_to_width(GENERIC_QUERY)), shape) for shape, _ in cases
    ]
    for array in inputs:
        # Lanes that differ, so that a mix-up of lanes shows.
        array += np.arange(array.size, dtype=np.float64).reshape(array.shape) / 8
    kept = [array.copy() for array in inputs]
    outputs = [
        example.rotate_query(array, offset)
        for array, (_, offset) in zip(inputs, cases, strict=True)
    ]
    lanes = [array.reshape(-1, 3, width) for array in (*inputs[1:3], *outputs[1:3])]
    whole = np.concatenate(lanes[2:])
    alone = np.concatenate(
        [example.rotate_query(lane)[np.newaxis] for lane in np.concatenate(lanes[:2])]
    )
    single = example.rotate_query(
        as_array([example.continued_to_width(GENERIC_QUERY)]).astype(np.float32)
    )
    return Evidence(
        values={
            "shapes": [
                {"input": list(array.shape), "offset": offset, "output": list(output.shape)}
                for array, output, (_, offset) in zip(inputs, outputs, cases, strict=True)
            ],
        },
        checks=(
            all_true(
                "shapes-kept",
                [one.shape == two.shape for one, two in zip(inputs, outputs, strict=True)],
            ),
            same_bits("lanes-independent", whole, alone),
            same_bits(
                "input-untouched",
                np.concatenate([array.ravel() for array in inputs]),
                np.concatenate([array.ravel() for array in kept]),
            ),
            all_true("single-precision-kept", [single.dtype == np.float32]),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The shapes side by side."""
    lines = tuple(
        (axes, brackets(case["input"]), case["offset"], brackets(case["output"]))
        for axes, case in zip(AXES, evidence["shapes"], strict=True)
    )
    return (
        Table(
            (
                Column(Text(en="axes", ru="оси")),
                Column(Text(en="input", ru="вход")),
                Column(Text(en="offset", ru="смещение"), "right"),
                Column(Text(en="output", ru="выход")),
            ),
            lines,
        ),
        Paragraph(
            Text(
                en="The last axis holds the features, the one before it the tokens; every earlier "
                "axis only repeats the same rotation. An interval without tokens may start right "
                "after "
                "the table's last position.",
                ru="Последняя ось — признаки, предпоследняя — токены; все оси перед ними лишь "
                "повторяют тот же поворот. Интервал без токенов может начинаться сразу за "
                "последней позицией таблицы.",
            )
        ),
    )


def brackets(shape: list[int]) -> str:
    """A shape without blanks, so that it stays on one line."""
    return f"[{','.join(map(str, shape))}]"
