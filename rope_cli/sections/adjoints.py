"""Backward by the transposed rotation: loss, adjoints, and central differences."""

from __future__ import annotations

import numpy as np

from rope_cli import witness
from rope_cli.document import (
    Block,
    Column,
    Formula,
    Number,
    Paragraph,
    Phrase,
    Rows,
    Short,
    Table,
)
from rope_cli.evidence import Check, Evidence, agree, all_true
from rope_cli.example import (
    KEY_OUTPUT_ADJOINT,
    QUERY_OUTPUT_ADJOINT,
    Array,
    Example,
    rows,
)
from rope_cli.rope import tape
from rope_cli.rope.differences import central_differences
from rope_cli.sections.refusals import refusal
from rope_cli.words import Text

TITLE = Text(
    en="Backward by the transposed rotation",
    ru="Обратный проход транспонированным поворотом",
)
QUESTION = Text(
    en="The loss is a weighted sum of the rotated rows. Which rotation carries the output adjoints "
    "back to the inputs, and for which row can a wrong direction not be seen?",
    ru="Функция потерь — взвешенная сумма повёрнутых строк. Какой поворот переносит выходные "
    "сопряжённые величины ко входам и для какой строки неверное направление незаметно?",
)
CLAIMS = {
    "loss-by-witness": Text(
        en="the loss is what the dense matrices give",
        ru="значение функции потерь совпало с вычисленным по плотным матрицам",
    ),
    "adjoints-by-transpose": Text(
        en="the input adjoints are the transposed dense matrices times the output adjoints",
        ru="сопряжённые величины входов равны произведению транспонированных плотных матриц на "
        "выходные",
    ),
    "central-differences": Text(
        en="central differences agree at every coordinate of Q and K, step 1e-6",
        ru="центральные разности совпали во всех координатах Q и K, шаг 1e-6",
    ),
    "central-differences-wide": Text(
        en="they agree more closely at step 1e-4, because the loss is linear",
        ru="при шаге 1e-4 совпадение точнее, потому что функция потерь линейна",
    ),
    "kept-values-finite": Text(
        en="every value that the tape kept for the backward pass is finite",
        ru="все значения, сохранённые лентой для обратного прохода, конечны",
    ),
    "released-refused": Text(
        en="a released value refuses every further use",
        ru="освобождённое значение отклоняет любое дальнейшее обращение",
    ),
}
STEPS = {"central-differences": (1e-6, 4e-6), "central-differences-wide": (1e-4, 2e-9)}


def gather(example: Example) -> Evidence:
    """The loss of the chapter, its backward pass, and two ways to check it."""
    asked, start = example.parameters, example.first_position
    query_adjoint, key_adjoint = rows(QUERY_OUTPUT_ADJOINT), rows(KEY_OUTPUT_ADJOINT)
    query, key = tape.Value(example.query), tape.Value(example.key)
    turned_query = tape.rotate(example.embedding, query, start)
    turned_key = tape.rotate(example.embedding, key, start)
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

    def query_loss(content: Array) -> float:
        return float((example.rotate_query(content, start) * query_adjoint).sum())

    def key_loss(content: Array) -> float:
        return float((example.rotate_key(content, start) * key_adjoint).sum())

    inputs = np.array([example.query, example.key])
    back = [
        np.array(
            [
                witness.rotation_matrix(m, asked.feature_width, asked.base).T @ row
                for m, row in zip(asked.positions, adjoint, strict=True)
            ]
        )
        for adjoint in (query_adjoint, key_adjoint)
    ]
    # The loss is a sum, so each half of its gradient needs only its own half of the loss.
    differences = [
        agree(
            name,
            [
                central_differences(query_loss, example.query, step),
                central_differences(key_loss, example.key, step),
            ],
            adjoints,
            bound,
        )
        for name, (step, bound) in STEPS.items()
    ]
    dense_loss = float((inputs * back).sum())
    finite = sum(int(np.count_nonzero(~np.isfinite(array))) for array in kept)
    return Evidence(
        values={
            "query_output_adjoint": query_adjoint,
            "key_output_adjoint": key_adjoint,
            "query_input_adjoint": adjoints[0],
            "key_input_adjoint": adjoints[1],
            "loss": value,
            "central_difference_steps": [step for step, _ in STEPS.values()],
        },
        checks=(
            agree("loss-by-witness", [value], [dense_loss], 1e-12),
            agree("adjoints-by-transpose", adjoints, back, 1e-12),
            *differences,
            Check("kept-values-finite", float(finite), 0.0, sum(array.size for array in kept)),
            all_true(
                "released-refused",
                [error is not None and error.kind == "autodiff-stage" for error in uses],
            ),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Output and input adjoints, row under row."""
    return (
        Formula("L = Σ R(m·θ)Q · Q_out + Σ R(m·θ)K · K_out,  x_in = R(m·θ)ᵀ x_out"),
        Paragraph(
            Phrase(
                Text(en="The loss is {loss}.", ru="Значение функции потерь: {loss}."),
                {"loss": Number(evidence["loss"])},
            )
        ),
        _adjoints(evidence, "query", "Q"),
        _adjoints(evidence, "key", "K"),
        Paragraph(
            Phrase(
                Text(
                    en="Row 0 is blind: R(0) is its own transpose. The loss is linear in Q and K, "
                    "so a central difference has no truncation error and the larger step, {wide}, "
                    "is the more exact one; {narrow} only adds rounding.",
                    ru="Строка 0 ничего не покажет: R(0) совпадает со своей транспонированной. "
                    "Функция потерь линейна по Q и K, поэтому у центральной разности нет "
                    "погрешности отбрасывания, и больший шаг {wide} точнее; шаг {narrow} лишь "
                    "добавляет ошибку округления.",
                ),
                {
                    "narrow": Short(evidence["central_difference_steps"][0]),
                    "wide": Short(evidence["central_difference_steps"][1]),
                },
            )
        ),
    )


def _adjoints(evidence: Evidence, side: str, letter: str) -> Table:
    output, found = (evidence[f"{side}_{end}_adjoint"] for end in ("output", "input"))
    lines: Rows = tuple(
        (m, name, *(Number(value) for value in array[m]))
        for m in range(len(output))
        for name, array in (
            (Text(en="output adjoint", ru="выходная"), output),
            (Text(en="input adjoint", ru="входа"), found),
        )
    )
    return Table(
        (
            Column("m", "right"),
            Column(Text(en="adjoint", ru="сопряжённая величина")),
            *(Column(f"[{feature}]", "right") for feature in range(output.shape[1])),
        ),
        lines,
        (letter, ":"),
    )
