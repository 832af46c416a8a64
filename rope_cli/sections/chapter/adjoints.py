"""The backward pass: loss, adjoints by the transposed rotation, and central differences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rope_cli.document.blocks import Block, Short, Table
from rope_cli.document.check import Check
from rope_cli.document.evidence import (
    Evidence,
    agree,
    all_true,
    differ,
    greatest_difference,
    same_bits,
)
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

TITLE = t("The backward pass", "Обратный проход")
QUESTION = t(
    "A loss L is the sum of all rotated coordinates, each multiplied by a weight of its own. "
    "Which rotation of these weights gives the derivatives of L with respect to the coordinates "
    "before the rotation? And in which row would a rotation in the wrong direction do no harm?",
    "Функция потерь L — сумма всех повёрнутых координат, каждая со своим весом. Каким поворотом "
    "этих весов получаются производные L по координатам до поворота? И в какой строке поворот не "
    "в ту сторону ничего бы не испортил?",
)

USES = frozenset({"feature_width", "base", "layout"})
CLAIMS = {
    "loss-by-witness": t(
        "the loss is the one computed with dense rotation matrices",
        "значение функции потерь совпадает с вычисленным по плотным матрицам поворота d × d",
    ),
    "adjoints-by-transpose": t(
        "the input adjoints are the transposed dense matrices times the output adjoints",
        "сопряжённые величины входов — это произведения транспонированных плотных "
        "матриц d × d на сопряжённые величины выходов",
    ),
    "first-row-blind": t(
        "in row 0 a rotation in the wrong direction changes no bit of the input adjoints",
        "в строке 0 поворот не в ту сторону не меняет ни одного бита",
    ),
    "wrong-direction-shows": t(
        "in rows 1 and 2 a rotation in the wrong direction changes the input adjoints",
        "в строках 1 и 2 поворот не в ту сторону меняет сопряжённые величины входов",
    ),
    "central-differences": t(
        "central differences with step 1e-6 agree with the input adjoints of Q and K",
        "центральные разности с шагом 1e-6 совпадают с сопряжёнными величинами входов Q и K",
    ),
    "central-differences-wide": t(
        "central differences with step 1e-4 agree much more closely",
        "центральные разности с шагом 1e-4 совпадают с ними гораздо точнее",
    ),
    "wide-step-closer": t(
        "the step 1e-4 is more accurate than the step 1e-6", "шаг 1e-4 точнее шага 1e-6"
    ),
    "kept-values-finite": t(
        "every value kept on the tape for the backward pass is finite",
        "все значения, сохранённые на ленте для обратного прохода, конечны",
    ),
    "released-refused": t(
        "every further use of a released value is refused",
        "после освобождения любое обращение к значению отклоняется",
    ),
}
STEPS = (1e-6, 1e-4)


def gather(example: Example) -> Evidence:
    """The loss of the chapter, its backward pass, and two ways to check it."""
    output_adjoints = weights_at_width(example)
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
    forward = np.array(
        [example.rotate_query(output_adjoints[0]), example.rotate_key(output_adjoints[1])]
    )
    return Evidence(
        values={
            "query_output_adjoint": output_adjoints[0],
            "key_output_adjoint": output_adjoints[1],
            "query_input_adjoint": input_adjoints[0],
            "key_input_adjoint": input_adjoints[1],
            "loss": loss_value,
            "wrong_direction_errors": np.abs(forward[0] - input_adjoints[0]).max(axis=1),
            "central_difference_steps": list(STEPS),
        },
        checks=(
            *reference_checks(example, content, output_adjoints, loss_value, input_adjoints),
            same_bits("first-row-blind", forward[:, 0], input_adjoints[:, 0]),
            differ("wrong-direction-shows", forward[:, 1:], input_adjoints[:, 1:], 0.1),
            *difference_checks(example, content, output_adjoints, input_adjoints),
            kept_values_finite(loss),
            released_refused(example, loss, query, rotated_query, rotated_key),
        ),
    )


def weights_at_width(example: Example) -> Array:
    """The output adjoints of Q and K, continued to the feature width."""
    return as_array(
        [
            [example.continued_to_width(row) for row in adjoint]
            for adjoint in (QUERY_OUTPUT_ADJOINT, KEY_OUTPUT_ADJOINT)
        ]
    )  # [Q and K, tokens, width]


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
    """What an adjoint is, output and input adjoints row under row, and what checks them."""
    return (
        formula("L = Σ R(m·θ)Q · Q_out + Σ R(m·θ)K · K_out"),
        formula("x_in = R(m·θ)ᵀ x_out"),
        say(
            "The derivative of L with respect to a coordinate is called its adjoint. The weights "
            "Q_out and K_out are the adjoints of the rotated rows, the output adjoints. If x "
            "changes by dx, the rotated row changes by R·dx and L by (R·dx)·x_out, which is "
            "dx·(Rᵀ·x_out). So the input adjoint x_in is Rᵀ·x_out, the output adjoint rotated "
            "back. In every row of Q and K here each pair is [1, 0], and L is {loss}.",
            "Производная L по координате называется её сопряжённой величиной. Веса Q_out и K_out — "
            "сопряжённые величины выхода, то есть повёрнутых строк. Если x изменится на dx, "
            "повёрнутая строка изменится на R·dx, а L — на (R·dx)·x_out, то есть на dx·(Rᵀ·x_out). "
            "Стало быть, x_in, сопряжённая величина входа, равна Rᵀ·x_out: её получают обратным "
            "поворотом. В каждой строке Q и K здесь все пары равны [1, 0], а L равна {loss}.",
            loss=evidence["loss"],
        ),
        adjoint_table("Q", evidence["query_output_adjoint"], evidence["query_input_adjoint"]),
        adjoint_table("K", evidence["key_output_adjoint"], evidence["key_input_adjoint"]),
        *what_the_checks_show(evidence),
        *what_is_proved(evidence),
    )


def what_the_checks_show(evidence: Evidence) -> tuple[Block, ...]:
    """The row that reveals nothing, and the steps of the differences."""
    narrow, wide = evidence["central_difference_steps"]
    return (
        say(
            "Row 0 cannot reveal a wrong direction, because R(0) is the identity and so is its "
            "transpose. Rows 1 and 2 can: with R in place of Rᵀ, the adjoints of Q there would be "
            "wrong by as much as {first} and {second}.",
            "Строка 0 не покажет, что направление выбрано неверно: R(0) — единичная матрица, и "
            "транспонирование её не меняет. Строки 1 и 2 покажут: с R вместо Rᵀ ошибка "
            "сопряжённых величин Q достигла бы там {first} и {second}.",
            first=evidence["wrong_direction_errors"][1],
            second=evidence["wrong_direction_errors"][2],
        ),
        formula("(L(x+h) - L(x-h)) / 2h"),
        say(
            "This is a central difference: an approximate derivative that needs no rules of "
            "calculus. Usually a smaller step h makes it more accurate. But L is linear in Q and "
            "K, so the formula has no error of its own, only rounding, which the division by 2h "
            "magnifies: the step {wide} is more accurate than {narrow}.",
            "Это центральная разность: приближённая производная, для которой не нужны правила "
            "дифференцирования. Обычно чем меньше шаг h, тем она точнее. Но L линейна по Q и K, "
            "собственной погрешности у формулы нет, остаётся ошибка округления, а деление на 2h "
            "её увеличивает. Поэтому шаг {wide} точнее шага {narrow}.",
            narrow=Short(narrow),
            wide=Short(wide),
        ),
    )


def what_is_proved(evidence: Evidence) -> tuple[Block, ...]:
    """What numbers show and what only the identity proves; the tape behind them."""
    return (
        say(
            "All of this compares {count} numbers for one choice of rows and weights, which is a "
            "single case. That Rᵀ is right for every row and every weight is shown by the identity "
            "above, (R·dx)·x_out = dx·(Rᵀ·x_out); the numbers only show that the program obeys it.",
            "Всё это — сравнение чисел (их {count}) при одном выборе строк и весов, то есть один "
            "случай. Что Rᵀ годится для любых строк и весов, доказывает тождество "
            "(R·dx)·x_out = dx·(Rᵀ·x_out); числа показывают лишь, что программа ему следует.",
            count=evidence["query_input_adjoint"].size + evidence["key_input_adjoint"].size,
        ),
        say(
            "The forward pass keeps on a tape what the backward pass will need. Once the tape is "
            "released, every further use of its values is refused.",
            "Вычисляя L, программа записывает всё, что понадобится обратному проходу; эту запись "
            "называют лентой. Когда лента освобождена, любое обращение к её значениям отклоняется.",
        ),
    )


def adjoint_table(letter: str, output_adjoint: Array, input_adjoint: Array) -> Table:
    """The adjoints of each row, of a wide one the first and last features."""
    features = shown_indices(output_adjoint.shape[1], everything=False)
    return table(
        t("Rows of {letter}:", "Строки {letter}:", letter=letter),
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
