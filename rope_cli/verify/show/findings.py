"""The verdict on two arrays: what is wrong, what to change, and how well that is proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Paragraph, Phrase, Piece, Short, Table
from rope_cli.document.vocabulary import left, say, t, table
from rope_cli.rope.layouts import adjacent_order, half_split_order
from rope_cli.text import Text, counted
from rope_cli.verify.explain.verdict import AGREES, DIFFERS, OTHER_LAYOUT, Finding
from rope_cli.verify.measure.expected import ROUNDOFF, Expected
from rope_cli.verify.read.aligned_arrays import Arrays
from rope_cli.verify.read.request import Request
from rope_cli.verify.read.stored_array import StoredArray
from rope_cli.verify.show.mistake_words import (
    FIGURES,
    alternatives,
    explanation_values,
    format_list,
    mistake_values,
    mistakes_table,
    sentence_of,
    undetectable_blocks,
    undetectable_values,
)
from rope_cli.verify.show.pairs import measured_frequencies, pairs_table

NOT_EXPLAINED = t(
    "No known mistake explains these numbers, nor does any pair of mistakes that was tried.",
    "Ни одна из известных ошибок и ни одно из проверенных сочетаний двух ошибок не объясняют этих "
    "чисел.",
)
TABLE = t(
    "The squares of the two arrays add up to 1, as those of cosines and sines do. If they are a "
    "table of these, name the arrays or the files cos and sin, and verify checks them as a table.",
    "Квадраты чисел двух массивов в сумме дают 1, как у косинусов и синусов. Назовите массивы или "
    "файлы такой таблицы cos и sin, и она будет проверена как таблица.",
)
# Why arrays agree with RoPE and with no rotation at all.
UNTESTED = {
    "position-zero": t(
        "every token is at position 0, where RoPE is the identity",
        "все токены в позиции 0, где RoPE ничего не меняет",
    ),
    "zeros": t("all numbers of the input are zero", "все числа входа равны нулю"),
    "too-near": t(
        "at these positions no pair rotates by more than the rounding error",
        "в этих позициях ни одна пара не поворачивается больше чем на ошибку округления",
    ),
}
# Known ways of computing in float32.
WAYS = {
    "angles-multiplied": t(
        "each angle is that of the previous pair times base^(-2/d), as in the loop of llama.cpp",
        "каждый угол получен из угла предыдущей пары умножением на b^(-2/d), как в цикле llama.cpp",
    ),
    "frequencies-multiplied": t(
        "each frequency is that of the previous pair times base^(-2/d)",
        "каждая частота получена из частоты предыдущей пары умножением на b^(-2/d)",
    ),
    "frequencies-by-powers": t(
        "base^(-2/d) is rounded first, and its j-th power is the frequency of pair j",
        "частота пары j получена возведением уже округлённого b^(-2/d) в степень j",
    ),
}
NAME_AXES = t(
    "If the axes are in another order, name them with --axes.",
    "Если оси идут в другом порядке, назовите их параметром --axes.",
)
LAYOUT_NAMES = {
    "adjacent": t("adjacent", "раскладка соседних пар"),
    "half-split": t("half-split", "половинная раскладка"),
}
# Of code that reads pairs in one layout and writes them in the other, which is always this way.
WRITTEN = t(
    "a layout of adjacent pairs with half-split results",
    "раскладка, где пары соседние, а результаты записаны по половинам",
)
LAYOUT_USERS = {
    "adjacent": t(
        "coordinates 2j and 2j+1 form a pair, as in RoFormer",
        "пару образуют координаты 2j и 2j+1, как в RoFormer",
    ),
    "half-split": t(
        "coordinates j and j+d/2 form a pair, as in rotate_half of transformers",
        "пару образуют координаты j и j+d/2, как в rotate_half из transformers",
    ),
}


def finding_blocks(
    finding: Finding, expected: Expected, files: str, layout_given: bool, every_row: bool
) -> tuple[Block, ...]:
    """Everything about one pair of arrays; ``files`` names them and where they lie."""
    return (
        Paragraph(verdict_sentence(finding, expected, layout_given)),
        *computation_blocks(finding),
        *untested_blocks(finding),
        *axes_blocks(finding),
        *reason_blocks(finding, expected),
        *whole_number_blocks(finding),
        arrays_table(finding, files),
        *pairs_table(finding, expected, every_row),
        *undetectable_blocks(finding.undetectable),
    )


def verdict_sentence(finding: Finding, expected: Expected, layout_given: bool) -> Phrase:
    """The verdict in one sentence; another layout than the one asked for is a difference."""
    errors, layout = finding.errors, finding.hypothesis.layout_in
    if finding.verdict == OTHER_LAYOUT and layout_given:
        return t(
            "DIFFERS. The layout is {actual}, but {expected} was expected. Once the coordinates "
            "are permuted, every number agrees.",
            "НЕ СОВПАДАЕТ. В массивах {actual}, а ожидалась {expected}. После перестановки "
            "координат совпадает каждое число.",
            actual=LAYOUT_NAMES[layout],
            expected=WRITTEN if expected.written else LAYOUT_NAMES[expected.layout],
        )
    if finding.verdict != DIFFERS:
        return agreement_sentence(finding)
    return t(
        "DIFFERS. Errors exceed {tolerance} in {wrong} of {tokens}.",
        "НЕ СОВПАДАЕТ. У {wrong} из {tokens} ошибка больше, чем {tolerance}.",
        wrong=int((errors.by_token > 1).sum()),
        tokens=counted(len(errors.by_token), "token|tokens", "токена|токенов|токенов"),
        tolerance=name_tolerance(finding.arrays),
    )


def agreement_sentence(finding: Finding) -> Phrase:
    """That arrays agree, and in which way of computing or layout, if not the usual one."""
    layout = finding.hypothesis.layout_in
    values = {"compared": finding.errors.compared, "tolerance": name_tolerance(finding.arrays)}
    if finding.way is not None:
        return t(
            "AGREES. Each of the {compared} numbers is within {tolerance} of what RoPE gives when "
            "it is computed in the way below.",
            "СОВПАДАЕТ. Проверено чисел: {compared}; от значения, которое RoPE даёт при описанном "
            "ниже способе вычисления, каждое отличается не больше чем на {tolerance}.",
            **values,
        )
    if finding.verdict == AGREES:
        return t(
            "AGREES. Each of the {compared} numbers is within {tolerance} of what RoPE gives.",
            "СОВПАДАЕТ. Проверено чисел: {compared}; от значения, которое даёт RoPE, каждое "
            "отличается не больше чем на {tolerance}.",
            **values,
        )
    return t(
        "AGREES. The layout is {layout}: {pairs}. In this layout each of the {compared} "
        "numbers is within {tolerance} of what RoPE gives.",
        "СОВПАДАЕТ. В массивах {layout}: {pairs}. Проверено чисел: {compared}; от значения, "
        "которое даёт RoPE в этой раскладке, каждое отличается не больше чем на {tolerance}.",
        layout=LAYOUT_NAMES[layout],
        pairs=LAYOUT_USERS[layout],
        **values,
    )


def name_tolerance(arrays: Arrays) -> Phrase | Text:
    """The tolerance of a comparison: that of the dtype, or the user's own."""
    if arrays.tolerance is not None:
        return t("the given tolerance", "заданный допуск")
    return t("the {dtype} tolerance", "допуск {dtype}", dtype=arrays.dtype)


def computation_blocks(finding: Finding) -> tuple[Block, ...]:
    """How the numbers were computed, where that changes what is allowed."""
    arrays = finding.arrays
    blocks: list[Block] = []
    if finding.way is not None:
        blocks.append(
            say(
                "They were computed in float32: {way}. From exact RoPE they differ by up to "
                "{ratio} times the tolerance, because the rounding errors of all previous pairs "
                "add up.",
                "Они вычислены в float32: {way}. От точных значений RoPE они отличаются самое "
                "большее на допуск, умноженный на {ratio}: складываются ошибки округления всех "
                "предыдущих пар.",
                way=WAYS[finding.way],
                ratio=f"{finding.errors.worst:.2g}",
            )
        )
    stored = arrays.after.dtype
    if arrays.precision is not None and finding.coarser_dtype is None:
        blocks.append(
            say(
                "The output is stored as {stored}, but {dtype} can hold each of its numbers, so "
                "it is compared as a {dtype} output.",
                "Выход хранится как {stored}, но все его числа представимы в {dtype}: они и "
                "сравниваются как числа {dtype}.",
                stored=stored,
                dtype=arrays.precision,
            )
        )
    return tuple(blocks)


def rotation_untested(finding: Finding) -> Piece | None:
    """Why right arrays say nothing about the rotation, if they would be right without one."""
    if finding.verdict != AGREES:
        return None
    reasons = {mistake.kind: mistake.why for mistake in finding.undetectable}
    return UNTESTED.get(reasons.get("no-rotation", ""))


def tells_layout(finding: Finding) -> bool:
    """Whether the arrays agree and could not agree in both layouts."""
    return finding.verdict != DIFFERS and rotation_untested(finding) is None


def model_layout_blocks(finding: Finding, request: Request) -> tuple[Block, ...]:
    """That the expected layout is that of the model's code, where the arrays have another."""
    if finding.verdict != OTHER_LAYOUT or not request.layout_by_model:
        return ()
    return (
        say(
            "The layout expected here is that of this model's own code. If the query and key "
            "weights are arranged for the other one, as in Meta's files and those of llama.cpp, "
            "the arrays are right; if so, add --layout {layout}.",
            "Здесь ожидалась раскладка из кода самой модели. Если строки весов запросов и ключей "
            "переставлены под другую, как в файлах Meta и llama.cpp, массивы верны; тогда добавьте "
            "--layout {layout}.",
            layout=finding.hypothesis.layout_in,
        ),
    )


def still_layers_blocks(finding: Finding, request: Request) -> tuple[Block, ...]:
    """That some layers of the model do not rotate, where rows are not rotated."""
    named = any(mistake.kind == "no-rotation" for mistake in finding.mistakes)
    rotated = request.config.rotated if request.config else None
    if not named or rotated is None:
        return ()
    if not (rotated.unrotated or rotated.flagged or rotated.interval):
        return ()
    return (
        say(
            "Some layers of this model have no rotation, as rope-report scaling says. If these "
            "arrays are from one of them, they are right.",
            "В части слоёв этой модели поворота нет, о чём сообщает rope-report scaling. Если "
            "массивы взяты из такого слоя, они верны.",
        ),
    )


def untested_blocks(finding: Finding) -> tuple[Block, ...]:
    """That the agreement says nothing about the rotation."""
    why = rotation_untested(finding)
    if why is None:
        return ()
    return (
        say(
            "Nothing about the rotation was tested: {why}.",
            "Сам поворот не проверен: {why}.",
            why=why,
        ),
    )


def axes_blocks(finding: Finding) -> tuple[Block, ...]:
    """On which other axes the arrays agree, or are explained."""
    moved = finding.agrees_on
    if moved is not None:
        return (
            say(
                "Every number agrees if the tokens are on axis {tokens}, of length {count}, and "
                "the features on axis {features}. If that is so, add --axes {axes}.",
                "Все числа совпадают, если токены лежат на оси {tokens} длины {count}, а признаки "
                "на оси {features}. Если это так, добавьте --axes {axes}.",
                tokens=moved.token_axis,
                count=moved.shape[-2],
                features=moved.feature_axis,
                axes=",".join(moved.axis_names),
            ),
        )
    if not finding.token_axis_moved:
        return ()
    return (
        say(
            "The verdict holds if the tokens are on axis {found}, of length {count}. If they are "
            "on axis {other}, the heads were rotated in their place: name the axes with --axes.",
            "Вывод верен, если токены лежат на оси {found} длины {count}. Если они лежат на оси "
            "{other}, вместо них повёрнуты головы: назовите оси параметром --axes.",
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
        return () if expected.written else (Paragraph(permutation_sentence(finding, expected)),)
    if finding.rounding_only:
        return (
            say(
                "The errors are no larger than rounding errors of {dtype}: the given tolerance is "
                "stricter than the dtype allows.",
                "Ошибки не больше округления в {dtype}: заданный допуск строже, чем позволяет "
                "этот тип чисел.",
                dtype=finding.arrays.dtype,
            ),
        )
    hints = hint_blocks(finding)
    if not finding.explanations:
        several_orders = len(finding.arrays.order) > 2 and finding.arrays.other_axes
        order = (Paragraph(NAME_AXES),) if several_orders else ()
        unexplained = (Paragraph(TABLE if looks_like_table(finding) else NOT_EXPLAINED),)
        return (*(hints or unexplained), *order, *places_blocks(finding))
    return (
        *hints,
        mistakes_table(finding.mistakes),
        proof_paragraph(finding),
        *alternatives(finding.explanations[1:]),
    )


def looks_like_table(finding: Finding) -> bool:
    """Whether both arrays are cosines and sines: their squares add up to 1."""
    arrays = finding.arrays
    before, after = arrays.block(next(arrays.blocks()))
    squares = before * before + after * after
    return bool(np.abs(squares - 1).max(initial=0.0) <= 64 * ROUNDOFF[arrays.dtype])


def places_blocks(finding: Finding) -> tuple[Block, ...]:
    """The wrong rows of arrays that stay unexplained, if others are right."""
    return tuple(Paragraph(sentence_of(place)) for place in finding.wrong_places)


def stored_dtype(arrays: Arrays) -> str:
    """The dtype of an output of integers, else the precision of the comparison."""
    output = arrays.after
    if isinstance(output, StoredArray) and output.whole:
        return str(output.values.dtype.name)
    return arrays.dtype


def whole_number_blocks(finding: Finding) -> tuple[Block, ...]:
    """What becomes of rotated numbers that are stored as integers."""
    dtype = stored_dtype(finding.arrays)
    if finding.verdict == AGREES or dtype == finding.arrays.dtype:
        return ()
    return (
        say(
            "The output is stored as integers ({dtype}): whatever was written into it has lost its "
            "fraction.",
            "Выход хранится в целых числах ({dtype}): у всего, что в него записано, потеряна "
            "дробная часть.",
            dtype=dtype,
        ),
    )


def permutation_sentence(finding: Finding, expected: Expected) -> Phrase:
    """The permutation of coordinates from the layout of the arrays to the expected one."""
    actual = finding.hypothesis.layout_in
    order = half_split_order if actual == "adjacent" else adjacent_order
    return t(
        "To convert a row x to the other layout ({expected}), take x[P] with P = {order}.",
        "Та же строка x в другой раскладке ({expected}) — это x[P], где P = {order}.",
        order=format_list(order(expected.rotary_width).tolist()),
        expected=FIGURES[expected.layout],
    )


def hint_blocks(finding: Finding) -> tuple[Block, ...]:
    """A dtype in which the numbers can be explained, and a lack of data."""
    blocks: list[Block] = []
    if finding.coarser_dtype is not None:
        blocks.append(
            say(
                "As numbers of {dtype} they can be explained. If they were computed or printed "
                "with that few digits, add --dtype {dtype}.",
                "С точностью {dtype} эти числа объяснимы. Если при вычислении или печати осталось "
                "столько цифр, добавьте --dtype {dtype}.",
                dtype=finding.coarser_dtype,
            )
        )
    if finding.too_little_data:
        blocks.append(
            say(
                "The numbers are so few, or so coarse, that a wrong explanation could fit them by "
                "chance. More tokens, more pairs or a finer dtype would settle it.",
                "Чисел так мало или они так неточны, что к ним могло бы случайно подойти и "
                "неверное объяснение. Помогут другие токены, другие пары или более точный тип "
                "чисел.",
            )
        )
    return tuple(blocks)


def proof_paragraph(finding: Finding) -> Paragraph:
    """Whether the first explanation explains every number, or which it leaves out."""
    if finding.proved and finding.remaining.worst == 0:
        return say(
            "This explains every number exactly: no error remains.",
            "Это в точности объясняет все числа: ошибки не остаётся.",
        )
    if finding.proved:
        return say(
            "This explains every number: the largest remaining error is {share} of its tolerance.",
            "Это объясняет все числа: наибольшая оставшаяся ошибка составляет {share} допуска.",
            share=Short(float(f"{finding.remaining.worst:.1g}")),
        )
    if finding.explanations[0].rounding is not None:
        return say(
            "This explains the sampled numbers, except a few that were rounded the other way.",
            "Это объясняет числа выборки, кроме отдельных, округлённых в другую сторону.",
        )
    return say(
        "This explains the numbers that were sampled, but not every number of the arrays.",
        "Это объясняет числа выборки, но не все числа массивов.",
    )


def arrays_table(finding: Finding, files: str) -> Table:
    """What was compared, and the greatest error."""
    arrays = finding.arrays
    errors = finding.decisive_errors
    return table(
        None,
        left(t("quantity", "величина"), t("value", "значение")),
        (
            (t("arrays", "массивы"), files),
            (
                t("shape, dtype", "форма, тип"),
                (format_shape(arrays.before.shape), f", {stored_dtype(arrays)}"),
            ),
            (
                t("axes of tokens, features", "оси токенов и признаков"),
                f"{arrays.token_axis}, {arrays.feature_axis}",
            ),
            (
                t("largest error / pair length", "наибольшая ошибка / длина пары"),
                three_digits(errors.error),
            ),
            (t("tolerance of that number", "допуск этого числа"), three_digits(errors.allowed)),
            (
                t("its index [..., token, feature]", "индекс этого числа [..., токен, признак]"),
                format_list(errors.where),
            ),
            (t("position of its token", "позиция этого токена"), arrays.position_at(errors.where)),
        ),
    )


def format_shape(shape: Sequence[int]) -> str:
    """A shape as its sizes with a sign of multiplication between them."""
    return " × ".join(map(str, shape))


def three_digits(value: float) -> Short:
    """A size of which three digits are enough."""
    return Short(float(f"{value:.2e}"))


def finding_values(finding: Finding, expected: Expected) -> dict[str, Any]:
    """A finding for programs."""
    arrays, rotations, agreeing = finding.arrays, finding.rotations, finding.agrees_on
    errors = finding.decisive_errors
    return {
        "verdict": finding.verdict,
        **explanation_values(finding.explanations),
        "wrong_rows": [] if finding.verdict == AGREES else mistake_values(finding.wrong_places),
        "every_number_explained": finding.proved or finding.verdict == AGREES,
        "coarser_dtype": finding.coarser_dtype,
        "computed_by": finding.way,
        "times_tolerance": finding.errors.worst if finding.way else None,
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
        "rotation_tested": rotation_untested(finding) is None,
        "agrees_with_axes": ",".join(agreeing.axis_names) if agreeing is not None else None,
    }
