"""Backward by the transposed rotation: loss, adjoints, and central differences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rope_cli.document.blocks import (
    Block,
    Number,
    Rows,
    Short,
    Table,
    shown_indices,
)
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, greatest_difference
from rope_cli.document.vocabulary import formula, left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import (
    FIRST_COLUMN,
    KEY_OUTPUT_ADJOINT,
    QUERY_OUTPUT_ADJOINT,
    Array,
    Example,
    as_array,
)
from rope_cli.rope import tape
from rope_cli.rope.differences import central_differences
from rope_cli.sections.chapter.refusals import refusal

TITLE = t(
    "Backward by the transposed rotation",
    "Обратный проход транспонированным поворотом",
)
QUESTION = t(
    "The loss is a weighted sum of the rotated rows. Which rotation carries the output "
    "adjoints back to the inputs, and for which row can a wrong direction not be seen?",
    "Функция потерь — взвешенная сумма повёрнутых строк. Какой поворот переносит "
    "выходные сопряжённые величины ко входам и для какой строки неверное направление "
    "незаметно?",
)

USES = frozenset({"feature_width", "base", "layout"})
CLAIMS = {
    "loss-by-witness": t(
        "the loss is what the dense matrices give",
        "значение функции потерь совпало с вычисленным по плотным матрицам",
    ),
    "adjoints-by-transpose": t(
        "the input adjoints are the transposed dense matrices times the output adjoints",
        "сопряжённые величины входов равны произведению транспонированных плотных матриц на "
        "выходные",
    ),
    "central-differences": t(
        "central differences agree at 12 + 12 coordinates of Q and K, step 1e-6",
        "центральные разности совпали в 12 + 12 координатах Q и K, шаг 1e-6",
    ),
    "central-differences-wide": t(
        "central differences with step 1e-4 keep to a much tighter bound",
        "центральные разности с шагом 1e-4 укладываются в гораздо более строгий допуск",
    ),
    "wide-step-closer": t(
        "the step 1e-4 is closer than the step 1e-6", "шаг 1e-4 точнее шага 1e-6"
    ),
    "kept-values-finite": t(
        "every value that the tape kept for the backward pass is finite",
        "все значения, сохранённые лентой вычислений для обратного прохода, конечны",
    ),
    "released-refused": t(
        "a released value refuses every further use",
        "после освобождения любое обращение к значению отклоняется",
    ),
}
STEPS = (1e-6, 1e-4)


def gather(example: Example) -> Evidence:
    """The loss of the chapter, its backward pass, and two ways to check it."""
    parameters = example.parameters
    width = parameters.feature_width
    query_adjoint, key_adjoint = (
        as_array([example.continued_to_width(row) for row in adjoint])
        for adjoint in (QUERY_OUTPUT_ADJOINT, KEY_OUTPUT_ADJOINT)
    )
    content = np.tile(as_array(example.continued_to_width(FIRST_COLUMN)), (len(query_adjoint), 1))
    query, key = tape.Value(content), tape.Value(content)
    turned_query = tape.rotate(example.embedding, query)
    turned_key = tape.rotate(example.embedding, key)
    loss = tape.add(
        tape.total(tape.multiply(turned_query, query_adjoint)),
        tape.total(tape.multiply(turned_key, key_adjoint)),
    )
    value = float(loss.array)
    tape.backward(loss)
    kept = [array.copy() for array in tape.kept(loss)]
    adjoints = np.array([query.adjoint, key.adjoint])
    tape.release(loss)
    uses = [
        refusal(lambda: tape.rotate(example.embedding, query)),
        refusal(lambda: tape.multiply(turned_query, query_adjoint)),
        refusal(lambda: tape.add(loss, loss)),
        refusal(lambda: tape.total(turned_key)),
        refusal(lambda: tape.backward(loss)),
        refusal(lambda: loss.array),
    ]
    back = [
        np.array(
            [
                reference.rotation_matrix(m, width, parameters.base, parameters.layout).T @ row
                for m, row in enumerate(adjoint)
            ]
        )
        for adjoint in (query_adjoint, key_adjoint)
    ]
    moved = moved_features(width, parameters.layout)
    differences = [
        np.array(
            [
                central_differences(
                    partial(half_loss, turn, content, moved, adjoint), content[:, moved], step
                )
                for turn, adjoint in (
                    (example.rotate_query, query_adjoint),
                    (example.rotate_key, key_adjoint),
                )
            ]
        )
        for step in STEPS
    ]
    narrow, wide = (greatest_difference(found, adjoints[:, :, moved]) for found in differences)
    dense_loss = float((content * back).sum())
    finite = sum(int(np.count_nonzero(~np.isfinite(array))) for array in kept)
    return Evidence(
        values={
            "query_output_adjoint": query_adjoint,
            "key_output_adjoint": key_adjoint,
            "query_input_adjoint": adjoints[0],
            "key_input_adjoint": adjoints[1],
            "loss": value,
            "central_difference_steps": list(STEPS),
        },
        checks=(
            agree(
                "loss-by-witness",
                [value],
                [dense_loss],
                example.tolerance(float(np.abs(content * back).sum())),
            ),
            agree("adjoints-by-transpose", adjoints, back, 1e-12),
            Check("central-differences", narrow, 4e-6, differences[0].size),
            Check("central-differences-wide", wide, 2e-9, differences[1].size),
            all_true("wide-step-closer", [wide < narrow]),
            Check("kept-values-finite", float(finite), 0.0, sum(array.size for array in kept)),
            all_true(
                "released-refused",
                [error is not None and error.kind == "autodiff-stage" for error in uses],
            ),
        ),
    )


def moved_features(width: int, layout: str) -> list[int]:
    """The coordinates that central differences move: those of the first and the last pair."""
    left_half, right_half = reference.partners(width, layout)
    return sorted({left_half[0], right_half[0], left_half[-1], right_half[-1]})


def half_loss(
    turn: Callable[[Array], Array],
    content: Array,
    moved: list[int],
    adjoint: Array,
    moved_content: Array,
) -> Array:  # [points, tokens, moved features] -> [points]
    """The half of the loss that one tensor gives, as a function of its moved coordinates."""
    changed = np.tile(content, (len(moved_content), 1, 1))
    changed[..., moved] = moved_content
    turned = (turn(changed) * adjoint).sum(axis=(-2, -1))
    return np.asarray(turned)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Output and input adjoints, row under row."""
    return (
        formula("L = Σ R(m·θ)Q · Q_out + Σ R(m·θ)K · K_out"),
        formula("x_in = R(m·θ)ᵀ x_out"),
        say(
            "In every row of Q and K each pair is [1, 0]; Q_out and K_out are the "
            "output "
            "adjoints, x_in is the input adjoint. The loss is {loss}.",
            "В каждой строке Q и K все пары равны [1, 0]; Q_out и K_out — сопряжённые "
            "величины "
            "выхода, x_in — входа. Значение функции потерь: {loss}.",
            loss=evidence["loss"],
        ),
        _adjoints(evidence, "query", "Q"),
        _adjoints(evidence, "key", "K"),
        say(
            "Row 0 is blind: R(0) is its own transpose. The loss is linear in Q and K, "
            "so a central difference has no truncation error and the larger step, {wide}, "
            "is the more exact one; {narrow} only adds rounding.",
            "Строка 0 ничего не покажет: R(0) совпадает со своей транспонированной. "
            "Функция потерь линейна по Q и K, поэтому у центральной разности нет "
            "погрешности метода, и больший шаг {wide} точнее; шаг {narrow} лишь "
            "добавляет ошибку округления.",
            narrow=Short(evidence["central_difference_steps"][0]),
            wide=Short(evidence["central_difference_steps"][1]),
        ),
    )


def _adjoints(evidence: Evidence, side: str, letter: str) -> Table:
    output, found = (evidence[f"{side}_{end}_adjoint"] for end in ("output", "input"))
    features = shown_indices(output.shape[1], everything=False)
    lines: Rows = tuple(
        (
            m,
            name,
            *("..." if feature is None else Number(array[m][feature]) for feature in features),
        )
        for m in range(len(output))
        for name, array in (
            (t("of the output", "выхода"), output),
            (t("of the input", "входа"), found),
        )
    )
    return table(
        (letter, ":"),
        (
            *right("m"),
            *left(t("adjoint", "сопряжённая величина")),
            *right(*("..." if at is None else f"[{at}]" for at in features)),
        ),
        lines,
    )
