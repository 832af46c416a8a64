"""Backward by the transposed rotation: loss, adjoints, and central differences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rope_cli.document.blocks import Block, Short, Table
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, greatest_difference
from rope_cli.document.summaries import shown_indices
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
from rope_cli.sections.chapter.refusals import is_kind, refusal

TITLE = t("Backward by the transposed rotation", "Обратный проход транспонированным поворотом")
QUESTION = t(
    "The loss is a weighted sum of the rotated rows. Which rotation carries the output adjoints "
    "back to the inputs, and for which row can a wrong direction not be seen?",
    "Функция потерь — взвешенная сумма повёрнутых строк. Какой поворот переносит выходные "
    "сопряжённые величины ко входам и для какой строки неверное направление незаметно?",
)

USES = frozenset({"feature_width", "base", "layout"})
CLAIMS = {
    "loss-by-witness": t(
        "the loss is what the dense matrices give",
        "значение функции потерь совпало с вычисленным по плотным матрицам",
    ),
    "adjoints-by-transpose": t(
        "the input adjoints are the transposed dense matrices times the output adjoints",
        "сопряжённые величины входов равны произведению транспонированных плотных "
        "матриц на выходные",
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
    output_adjoints = as_array(
        [
            [example.continued_to_width(row) for row in adjoint]
            for adjoint in (QUERY_OUTPUT_ADJOINT, KEY_OUTPUT_ADJOINT)
        ]
    )  # [Q and K, tokens, width]
    content = np.tile(as_array(example.continued_to_width(FIRST_COLUMN)), (3, 1))
    query, key = tape.Value(content), tape.Value(content)
    rotated_query = tape.rotate(example.embedding, query)
    rotated_key = tape.rotate(example.embedding, key)
    loss = tape.add(
        tape.total(tape.multiply(rotated_query, output_adjoints[0])),
        tape.total(tape.multiply(rotated_key, output_adjoints[1])),
    )
    loss_value = float(loss.array)
    tape.backward(loss)
    input_adjoints = np.array([query.adjoint, key.adjoint])
    return Evidence(
        values={
            "query_output_adjoint": output_adjoints[0],
            "key_output_adjoint": output_adjoints[1],
            "query_input_adjoint": input_adjoints[0],
            "key_input_adjoint": input_adjoints[1],
            "loss": loss_value,
            "central_difference_steps": list(STEPS),
        },
        checks=(
            *reference_checks(example, content, output_adjoints, loss_value, input_adjoints),
            *difference_checks(example, content, output_adjoints, input_adjoints),
            kept_values_finite(loss),
            released_refused(example, loss, query, rotated_query, rotated_key),
        ),
    )


def reference_checks(
    example: Example, content: Array, output_adjoints: Array, loss: float, input_adjoints: Array
) -> tuple[Check, ...]:
    """Loss and input adjoints beside those of dense rotations and their transposes."""
    parameters = example.parameters
    width, base, layout = parameters.feature_width, parameters.base, parameters.layout
    rotations = [reference.rotation_matrix(m, width, base, layout) for m in range(3)]
    expected = as_array(
        [
            [rotation.T @ row for rotation, row in zip(rotations, adjoint, strict=True)]
            for adjoint in output_adjoints
        ]
    )
    terms = content * expected
    tolerance = example.tolerance(float(np.abs(terms).sum()))
    return (
        agree("loss-by-witness", [loss], [float(terms.sum())], tolerance),
        agree("adjoints-by-transpose", input_adjoints, expected, 1e-12),
    )


def difference_checks(
    example: Example, content: Array, output_adjoints: Array, input_adjoints: Array
) -> tuple[Check, ...]:
    """Central differences at two steps beside the input adjoints.

    They move the coordinates of the first and the last pair.
    """
    firsts, seconds = reference.partners(content.shape[1], example.parameters.layout)
    moved = sorted({firsts[0], seconds[0], firsts[-1], seconds[-1]})

    def half_loss(rotate: Callable[[Array], Array], adjoint: Array, moved_content: Array) -> Array:
        # The part of the loss that Q or K gives: [points, tokens, moved features] -> [points]
        changed = np.tile(content, (len(moved_content), 1, 1))
        changed[..., moved] = moved_content
        return np.asarray((rotate(changed) * adjoint).sum(axis=(-2, -1)))

    rotations = (example.rotate_query, example.rotate_key)
    losses = [
        partial(half_loss, rotate, adjoint)
        for rotate, adjoint in zip(rotations, output_adjoints, strict=True)
    ]
    expected = input_adjoints[:, :, moved]
    narrow, wide = (
        greatest_difference(
            [central_differences(loss, content[:, moved], step) for loss in losses], expected
        )
        for step in STEPS
    )
    return (
        Check("central-differences", narrow, 4e-6, expected.size),
        Check("central-differences-wide", wide, 2e-9, expected.size),
        all_true("wide-step-closer", [wide < narrow]),
    )


def kept_values_finite(loss: tape.Value) -> Check:
    """Every value that the tape keeps is finite."""
    kept = np.concatenate([array.ravel() for array in tape.saved_arrays(loss)])
    infinite = np.count_nonzero(~np.isfinite(kept))
    return Check("kept-values-finite", float(infinite), 0.0, kept.size)


def released_refused(
    example: Example,
    loss: tape.Value,
    query: tape.Value,
    rotated_query: tape.Value,
    rotated_key: tape.Value,
) -> Check:
    """Release the tape; then every operation refuses its values."""
    tape.release(loss)
    uses = (
        lambda: tape.rotate(example.embedding, query),
        lambda: tape.multiply(rotated_query, np.ones(rotated_query.shape)),
        lambda: tape.add(loss, loss),
        lambda: tape.total(rotated_key),
        lambda: tape.backward(loss),
        lambda: loss.array,
    )
    return all_true("released-refused", [is_kind(refusal(use), "autodiff-stage") for use in uses])


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Output and input adjoints, row under row."""
    narrow, wide = evidence["central_difference_steps"]
    return (
        formula("L = Σ R(m·θ)Q · Q_out + Σ R(m·θ)K · K_out"),
        formula("x_in = R(m·θ)ᵀ x_out"),
        say(
            "In every row of Q and K each pair is [1, 0]; Q_out and K_out are the output adjoints, "
            "x_in is the input adjoint. The loss is {loss}.",
            "В каждой строке Q и K все пары равны [1, 0]; Q_out и K_out — сопряжённые величины "
            "выхода, x_in — входа. Значение функции потерь: {loss}.",
            loss=evidence["loss"],
        ),
        adjoint_table("Q", evidence["query_output_adjoint"], evidence["query_input_adjoint"]),
        adjoint_table("K", evidence["key_output_adjoint"], evidence["key_input_adjoint"]),
        say(
            "Row 0 is blind: R(0) is its own transpose. The loss is linear in Q and K, so a "
            "central difference has no truncation error and the larger step, {wide}, is the more "
            "exact one; {narrow} only adds rounding.",
            "Строка 0 ничего не покажет: R(0) совпадает со своей транспонированной. Функция потерь "
            "линейна по Q и K, поэтому у центральной разности нет погрешности метода, и больший "
            "шаг {wide} точнее; шаг {narrow} лишь добавляет ошибку округления.",
            narrow=Short(narrow),
            wide=Short(wide),
        ),
    )


def adjoint_table(letter: str, output_adjoint: Array, input_adjoint: Array) -> Table:
    """The adjoints of each row, of a wide one the first and last features."""
    features = shown_indices(output_adjoint.shape[1], everything=False)
    return table(
        (letter, ":"),
        (
            *right("m"),
            *left(t("adjoint", "сопряжённая величина")),
            *right(*("..." if feature is None else f"[{feature}]" for feature in features)),
        ),
        (
            (m, name, *("..." if feature is None else row[feature] for feature in features))
            for m, rows in enumerate(zip(output_adjoint, input_adjoint, strict=True))
            for name, row in zip(
                (t("of the output", "выхода"), t("of the input", "входа")), rows, strict=True
            )
        ),
    )
