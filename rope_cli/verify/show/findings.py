"""The verdict on two arrays: what is wrong, what to change, and how well that is proved."""

from __future__ import annotations

from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Paragraph, Phrase, Piece, Short, Table
from rope_cli.document.vocabulary import left, say, t, table
from rope_cli.report.header_footer import LAYOUTS
from rope_cli.rope.layouts import adjacent_order, half_split_order
from rope_cli.verify.explain.verdict import AGREES, OTHER_LAYOUT, Finding
from rope_cli.verify.measure.expected import Expected
from rope_cli.verify.show.mistake_words import (
    alternatives,
    explanation_values,
    format_list,
    mistakes_table,
    undetectable_blocks,
    undetectable_values,
)
from rope_cli.verify.show.pairs import measured_frequencies, pairs_table

NOT_EXPLAINED = t(
    "No known mistake, and no two together, explains these numbers. What was measured stands "
    "below.",
    "Ни одна известная ошибка, ни две вместе не объясняют этих чисел. Ниже показано, что измерено.",
)


def finding_blocks(
    finding: Finding, expected: Expected, files: str, layout_given: bool, every_row: bool
) -> tuple[Block, ...]:
    """Everything about one pair of arrays; ``files`` names them and where they lie."""
    return (
        Paragraph(verdict_sentence(finding, expected, layout_given)),
        *token_axis_blocks(finding),
        *reason_blocks(finding, expected),
        arrays_table(finding, files),
        *pairs_table(finding, expected, every_row),
        *undetectable_blocks(finding.undetectable),
    )


def verdict_sentence(finding: Finding, expected: Expected, layout_given: bool) -> Phrase:
    """The verdict in one sentence; another layout than the one asked for is a difference."""
    arrays, errors = finding.arrays, finding.errors
    dtype: Piece = arrays.dtype
    if arrays.tolerance is not None:
        dtype = t("the tolerance", "заданный допуск")
    if finding.verdict == AGREES:
        return t(
            "AGREES: all {compared} numbers are where RoPE puts them, within what {dtype} allows.",
            "СОВПАДАЕТ: все числа ({compared}) стоят там, куда их переводит RoPE, в пределах "
            "границы ({dtype}).",
            compared=errors.compared,
            dtype=dtype,
        )
    if finding.verdict == OTHER_LAYOUT:
        actual, right = LAYOUTS[finding.hypothesis.layout_in], LAYOUTS[expected.layout]
        if layout_given:
            return t(
                "DIFFERS IN THE LAYOUT: {found}, not {expected}. The numbers agree once the "
                "coordinates are permuted.",
                "НЕ СОВПАДАЕТ РАСКЛАДКА: {found}, а не {expected}. После перестановки координат "
                "числа совпадают.",
                found=actual,
                expected=right,
            )
        return t(
            "AGREES IN ANOTHER LAYOUT: {found}, not {expected}. This is a difference, not a "
            "mistake: the two are joined by a permutation of the coordinates.",
            "СОВПАДАЕТ В ДРУГОЙ РАСКЛАДКЕ: {found}, а не {expected}. Это отличие, а не ошибка: "
            "раскладки связаны перестановкой координат.",
            found=actual,
            expected=right,
        )
    return t(
        "DIFFERS: in {wrong} of {tokens} tokens numbers are farther off than {dtype} allows.",
        "НЕ СОВПАДАЕТ: у {wrong} из {tokens} токенов числа выходят за границу ({dtype}).",
        wrong=int((errors.by_token > 1).sum()),
        tokens=len(errors.by_token),
        dtype=dtype,
    )


def token_axis_blocks(finding: Finding) -> tuple[Block, ...]:
    """Which axis was taken for that of the tokens, if it is not the usual one."""
    if not finding.token_axis_moved:
        return ()
    return (
        say(
            "The tokens are taken to lie on axis {found} ({count} of them). If they lie on axis "
            "{other}, the heads were rotated instead of them: say so by --axes.",
            "Токенами считается ось {found} (их {count}). Если токены лежат на оси {other}, вместо "
            "них повёрнуты головы: укажите это через --axes.",
            found=finding.arrays.token_axis,
            count=finding.arrays.shape[-2],
            other=finding.arrays.order[-3],
        ),
    )


def reason_blocks(finding: Finding, expected: Expected) -> tuple[Block, ...]:
    """What is wrong and what to change, and how well that is proved."""
    if finding.verdict == AGREES:
        return ()
    if finding.verdict == OTHER_LAYOUT:
        return (Paragraph(permutation_sentence(finding, expected)),)
    if finding.rounding_only:
        return (
            say(
                "The errors are those of rounding in {dtype}: the tolerance asked for is finer.",
                "Это ошибки округления в {dtype}: заданный допуск строже.",
                dtype=finding.arrays.dtype,
            ),
        )
    hints = hint_blocks(finding)
    if not finding.explanations:
        return hints or (Paragraph(NOT_EXPLAINED),)
    return (
        *hints,
        mistakes_table(finding.mistakes),
        proof_paragraph(finding),
        *alternatives(finding.explanations[1:]),
    )


def permutation_sentence(finding: Finding, expected: Expected) -> Phrase:
    """The permutation of coordinates from the layout of the arrays to the expected one."""
    actual = finding.hypothesis.layout_in
    order = half_split_order if actual == "adjacent" else adjacent_order
    return t(
        "Take coordinate P[i] for place i, P = {order}, to pass from {found} to {expected}.",
        "Перестановка координат ({found} → {expected}): на место i ставится координата P[i], "
        "P = {order}.",
        order=format_list(order(expected.rotary_width).tolist()),
        found=LAYOUTS[actual],
        expected=LAYOUTS[expected.layout],
    )


def hint_blocks(finding: Finding) -> tuple[Block, ...]:
    """A dtype in which the numbers can be explained, and a lack of data."""
    blocks: list[Block] = []
    if finding.coarser_dtype is not None:
        blocks.append(
            say(
                "As {dtype} numbers they can be explained: if they were computed or printed with "
                "so few digits, say so by --dtype {dtype}.",
                "Как числа {dtype} они объяснимы: если столько цифр осталось при вычислении или "
                "печати, укажите --dtype {dtype}.",
                dtype=finding.coarser_dtype,
            )
        )
    if finding.too_little_data:
        blocks.append(
            say(
                "There are so few numbers here, or so coarse ones, that chance could explain them; "
                "more tokens, more pairs or a finer dtype would tell.",
                "Чисел здесь так мало или они так грубы, что объяснение подошло бы случайно; "
                "помогут новые токены, новые пары или более точный тип чисел.",
            )
        )
    return tuple(blocks)


def proof_paragraph(finding: Finding) -> Paragraph:
    """Whether the first explanation explains every number, or which it leaves out."""
    if finding.proved:
        return say(
            "With this every number is explained: the greatest error left is {share} of what is "
            "allowed.",
            "Это объясняет каждое число: наибольшая оставшаяся ошибка составляет {share} от "
            "допустимой.",
            share=Short(float(f"{finding.remaining.worst:.1g}")),
        )
    if finding.explanations[0].rounding is not None:
        return say(
            "This explains the numbers that were measured, save single ones that were rounded the "
            "other way.",
            "Это объясняет измеренные числа, кроме единичных, округлённых в другую сторону.",
        )
    return say(
        "This explains the part of the arrays that was measured, not every number.",
        "Это объясняет ту часть массивов, на которой проведены измерения, но не каждое число.",
    )


def arrays_table(finding: Finding, files: str) -> Table:
    """What was compared, and the greatest error."""
    arrays = finding.arrays
    errors = finding.remaining if finding.verdict == OTHER_LAYOUT else finding.errors
    return table(
        None,
        left(t("what", "величина"), t("value", "значение")),
        (
            (t("arrays", "массивы"), files),
            (t("shape, dtype", "форма, тип"), f"{list(arrays.before.shape)}, {arrays.dtype}"),
            (
                t("axes of tokens, features", "оси токенов, признаков"),
                f"{arrays.token_axis}, {arrays.feature_axis}",
            ),
            (
                t("greatest error / pair length", "наибольшая ошибка / длина пары"),
                three_digits(errors.error),
            ),
            (t("allowed there", "допускается там же"), three_digits(errors.allowed)),
            (t("at [..., token, feature]", "где: [..., токен, признак]"), str(list(errors.where))),
            (t("position there", "позиция там же"), arrays.position_at(errors.where)),
        ),
    )


def three_digits(value: float) -> Short:
    """A size of which three digits are enough."""
    return Short(float(f"{value:.2e}"))


def finding_values(finding: Finding, expected: Expected) -> dict[str, Any]:
    """A finding for programs."""
    arrays, rotations = finding.arrays, finding.rotations
    errors = finding.remaining if finding.verdict == OTHER_LAYOUT else finding.errors
    return {
        "verdict": finding.verdict,
        **explanation_values(finding.explanations),
        "every_number_explained": finding.proved or finding.verdict == AGREES,
        "coarser_dtype": finding.coarser_dtype,
        "greatest_error": errors.error,
        "allowed": errors.allowed,
        "where": list(errors.where),
        "position": arrays.position_at(errors.where),
        "compared": errors.compared,
        "cannot_show": undetectable_values(finding.undetectable),
        "expected_frequencies": expected.frequencies,
        "measured_frequencies": measured_frequencies(finding),
        "measured_positions": rotations.positions,
        "measured_angles": np.angle(rotations.factors),
        "gains": rotations.gains.tolist(),
        "dtype": arrays.dtype,
        "shape": list(arrays.before.shape),
        "token_axis": arrays.token_axis,
    }
