"""When digits run out: angles and positions in float32, float16 and bfloat16."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Paragraph, Series, Table
from rope_cli.document.charts import curves
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, greatest_difference
from rope_cli.document.vocabulary import right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_KEY, GENERIC_QUERY, Array, Example
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH, key_rows, query_rows
from rope_cli.rope import reduced_precision

TITLE = t("When digits run out", "Когда не хватает разрядов")
QUESTION = t(
    "A program keeps positions in bfloat16, a format with 8 significant bits. Which position comes "
    "after 256? And how wrong can a cosine be when only the angles are kept in so few bits?",
    "Программа хранит позиции в формате bfloat16, где 8 значащих битов. Какая позиция идёт после "
    "256? И насколько неверным станет косинус, если так хранить одни лишь углы?",
)

CLAIMS = {
    "precision-reference": t(
        "up to a million positions float64 rotates the row as the plain formula does",
        "вплоть до миллиона позиций float64 поворачивает строку так же, как прямая формула",
    ),
    "float32-far": t(
        "in the 1024 positions before 1048576 float32 angles make some cosine wrong by 0.01 or "
        "more",
        "в 1024 позициях перед 1048576 углы в float32 портят косинус хотя бы на 0.01",
    ),
    "narrow-order": t(
        "at each length float32 is more accurate than float16, and float16 more accurate than "
        "bfloat16",
        "при каждой длине float32 лучше, чем float16, а float16 лучше, чем bfloat16",
    ),
    "bfloat16-positions": t(
        "in bfloat16 255, 256, 257, 258 and 259 become 255, 256, 256, 258 and 260",
        "в bfloat16 255, 256, 257, 258 и 259 становятся 255, 256, 256, 258 и 260",
    ),
    "bfloat16-distinct": t(
        "beyond 256 each doubling of the length adds only 128 different positions",
        "после 256 каждое удвоение длины добавляет всего 128 различных позиций",
    ),
    "bfloat16-shift": t(
        "with positions in bfloat16 a shift by 300 changes scores",
        "если позиции хранятся в bfloat16, сдвиг на 300 меняет оценки",
    ),
    "float16-angle": t(
        "with frequency and product in float16 the angle 1044.267841 becomes 1045",
        "если округлить до float16 частоту и произведение, угол 1044.267841 становится равен 1045",
    ),
    "bfloat16-phase": t(
        "with frequencies in bfloat16 the angle of some pair at position 511 is wrong by more than "
        "half a radian",
        "если хранить частоты в bfloat16, угол какой-то пары в позиции 511 неверен больше чем на "
        "полрадиана",
    ),
    "float64-merges": t(
        "a row is rotated equally at positions 2^53 and 2^53 + 1, and differently at 2^53 - 1",
        "в позициях 2^53 и 2^53 + 1 строка повёрнута одинаково, а в 2^53 - 1 — иначе",
    ),
}
LENGTHS = (256, 512, 2048, 4096, 65536, 131072, 1048576)
# float16 ends at 65504, and by 4096 both short formats have lost all but the slow pairs.
SHORT_LENGTHS = LENGTHS[:4]
WINDOW = 1024
COUNTED = (256, 512, 1024, 2048, 4096, 8192)
DRAWN = range(496, 529)


def gather(example: Example) -> Evidence:
    """Errors of the cosines, what becomes of whole numbers, and two reported cases."""
    return _fewer_bits(example) + _merged_positions(example)


def _merged_positions(example: Example) -> Evidence:
    """Rows at the last position that float64 keeps apart, and at the two after it."""
    positions = [2**53 - 1, 2**53, 2**53 + 1]
    last, first, second = query_rows(example, FIRST_COLUMN, positions, example.parameters.base)
    merged = [np.array_equal(first, second), not np.array_equal(last, first)]
    return Evidence(
        values={"merged_difference": greatest_difference(first, second)},
        checks=(all_true("float64-merges", merged),),
    )


def _fewer_bits(example: Example) -> Evidence:
    frequencies = reference.angles(1, MODEL_WIDTH, MODEL_BASE)
    errors = _cosine_errors(frequencies)
    short = [by_length[: len(SHORT_LENGTHS)] for by_length in errors.values()]
    rounded = reduced_precision.to_bfloat16([255, 256, 257, 258, 259])
    distinct = [
        np.unique(reduced_precision.to_bfloat16(np.arange(length))).size for length in COUNTED
    ]
    rotated, plain = _rows_at_the_ends(example)
    kept, moved = _grids_in_bfloat16(example)
    move = greatest_difference(moved, kept)
    reported = {**_float16_report(), **_bfloat16_report(frequencies)}
    return Evidence(
        values={
            "cosine_lengths": list(LENGTHS),
            "cosine_errors": errors,
            "bfloat16_positions": rounded,
            "drawn_positions": list(DRAWN),
            "drawn_in_bfloat16": reduced_precision.to_bfloat16(DRAWN),
            "bfloat16_distinct": distinct,
            "bfloat16_shift_move": move,
            **reported,
        },
        checks=(
            agree("precision-reference", rotated, plain, 1e-9),
            Check("float32-far", errors["float32"][-1], 0.01, 1, "at least"),
            all_true("narrow-order", np.diff(short, axis=0).min(axis=0) > 0),
            agree("bfloat16-positions", rounded, [255, 256, 256, 258, 260], 0.0),
            agree("bfloat16-distinct", distinct, [256, *range(385, 1025, 128)], 0.0),
            Check("bfloat16-shift", move, 0.1, kept.size, "at least"),
            agree("float16-angle", reported["float16_angles"], [1044.267841, 1045.0], 5e-7),
            Check("bfloat16-phase", float(reported["phase_errors"][0]), 0.5, 1, "at least"),
        ),
    )


def _cosine_errors(frequencies: Array) -> dict[str, list[float]]:
    """The largest error in the last 1024 positions before each length, or in all of them."""
    formats = (
        ("float32", reduced_precision.to_float32, LENGTHS),
        ("float16", reduced_precision.to_float16, SHORT_LENGTHS),
        ("bfloat16", reduced_precision.to_bfloat16, SHORT_LENGTHS),
    )
    return {
        name: [
            reduced_precision.cosine_error(rounding, frequencies, length, WINDOW)
            for length in lengths
        ]
        for name, rounding, lengths in formats
    }


def _rows_at_the_ends(example: Example) -> tuple[Array, Array]:
    """The row [1, 0, 1, 0, ...] at the last position of each length: rotated, and by formula."""
    row = np.resize(FIRST_COLUMN, MODEL_WIDTH)
    positions = [length - 1 for length in LENGTHS]
    plain = reference.rotate(np.tile(row, (len(LENGTHS), 1)), MODEL_BASE, positions)
    return query_rows(example, row, positions, MODEL_BASE), plain


def _grids_in_bfloat16(example: Example) -> list[Array]:
    """Dot products at 0, 1, 2, and after a shift by 300, with every position in bfloat16."""
    base = example.parameters.base
    far = [int(position) for position in reduced_precision.to_bfloat16([300, 301, 302])]
    return [
        query_rows(example, GENERIC_QUERY, positions, base)
        @ key_rows(example, GENERIC_KEY, positions, base).T
        for positions in ([0, 1, 2], far)
    ]


def _float16_report() -> dict[str, Any]:
    """GPT-NeoX, issue 1003: pair 1 of width 32 at position 1857, and all of 2048 positions."""
    frequencies = reference.angles(1, 32, MODEL_BASE)
    positions = np.arange(2048.0)[:, np.newaxis]
    exact = positions * frequencies
    short = reduced_precision.to_float16(positions * reduced_precision.to_float16(frequencies))
    angles = np.array([exact[1857, 1], short[1857, 1]])
    return {
        "float16_angles": angles,
        "float16_cosines": np.cos(angles),
        "float16_cosine_error": greatest_difference(np.cos(short), np.cos(exact)),
    }


def _bfloat16_report(frequencies: Array) -> dict[str, Any]:
    """Modalities, pull request 462: frequencies in bfloat16."""
    error = np.abs(reduced_precision.to_bfloat16(frequencies) - frequencies).max()
    return {"phase_positions": [511, 2047], "phase_errors": error * np.array([511, 2047])}


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Errors by length and format, whole numbers in bfloat16, and the two reports."""
    return (
        _largest_errors(evidence),
        say(
            "The error grows with the length, because a format has a fixed number of digits and a "
            "large angle uses them up before the point. Whole positions suffer too: in bfloat16, "
            "with 8 significant bits, 255, 256, 257, 258, 259 become {rounded}. Rounding "
            "the positions alone, with exact angles, changes scores by up to {move} under a shift "
            "by 300.",
            "Ошибка растёт с длиной: число разрядов у формата постоянно, и чем больше угол, тем "
            "меньше их остаётся после точки. Страдают и целые позиции: в bfloat16, где 8 значащих "
            "битов, 255, 256, 257, 258, 259 превращаются в {rounded}. Даже при точных углах одно "
            "это меняет оценки при сдвиге на 300 на величину до {move}.",
            rounded=", ".join(f"{position:.0f}" for position in evidence["bfloat16_positions"]),
            move=evidence["bfloat16_shift_move"],
        ),
        _rounding_as_curve(evidence),
        table_by_columns(
            t(
                "How many of the first positions are still different in bfloat16:",
                "Сколько из первых позиций ещё различаются в bfloat16:",
            ),
            (t("positions", "позиций"), COUNTED),
            (t("different", "различных"), evidence["bfloat16_distinct"]),
        ),
        _reports(evidence),
        say(
            "So a finite sine need not be an accurate one, and float64 has its limit as well: the "
            "rows rotated for 2^53 and for 2^53 + 1 are the same (largest difference "
            "{difference}), because the two positions become one number. Keep positions as whole "
            "numbers, and angles in float64, or in float32 as long as the context allows. Only the "
            "finished cosines and sines may be rounded to fewer bits.",
            "Итак, мало проверить, что нет бесконечностей и не-чисел: синус может быть неточным. "
            "Предел есть и у float64: строки, повёрнутые для позиций 2^53 и 2^53 + 1, совпадают "
            "(наибольшая разница {difference}), потому что для float64 это одно число. Храните "
            "позиции целыми, а углы — в float64 или, пока позволяет длина контекста, в float32. До "
            "меньшего числа битов можно округлять только готовые косинусы и синусы.",
            difference=evidence["merged_difference"],
        ),
    )


def _largest_errors(evidence: Evidence) -> Table:
    lengths, errors = evidence["cosine_lengths"], evidence["cosine_errors"]
    return table(
        t(
            "Largest error of a cosine in the last 1024 positions before each length (or in all, "
            "if there are fewer), with angles computed in fewer bits; d = 128, b = 10000:",
            "Наибольшая ошибка косинуса в последних 1024 позициях перед каждой длиной (или во "
            "всех, если их меньше), когда углы вычислены с меньшим числом битов; d = 128, "
            "b = 10000:",
        ),
        right(t("length", "длина"), *errors),
        zip_longest(lengths, *errors.values(), fillvalue="-"),
    )


def _reports(evidence: Evidence) -> Paragraph:
    (angle, short_angle), (exact, short) = evidence["float16_angles"], evidence["float16_cosines"]
    near, far = evidence["phase_errors"]
    return say(
        "Two reports from practice, computed again. In GPT-NeoX (issue 1003: d = 32, pair 1, "
        "position 1857) the exact angle is {angle} radians, and in float16 it is {short_angle}; "
        "its cosine is then {short} instead of {exact}. Over the first 2048 positions cosines are "
        "wrong by up to {error}. In Modalities (pull request 462: frequencies in bfloat16, "
        "d = 128) an angle is wrong by {near} radians at position 511 and by {far} at 2047.",
        "Два случая из практики, вычисленные заново. В GPT-NeoX (issue 1003: d = 32, пара 1, "
        "позиция 1857) точный угол — {angle} радиана, а в float16 он равен {short_angle}; косинус "
        "тогда {short} вместо {exact}. В первых 2048 позициях косинусы неверны на величину до "
        "{error}. В Modalities (pull request 462: частоты в bfloat16, d = 128) угол неверен на "
        "{near} радиана в позиции 511 и на {far} в позиции 2047.",
        angle=angle,
        short_angle=f"{short_angle:.0f}",
        exact=exact,
        short=short,
        error=evidence["float16_cosine_error"],
        near=near,
        far=far,
    )


def _rounding_as_curve(evidence: Evidence) -> Series:
    return Series(
        t(
            "What positions become in bfloat16",
            "Во что превращаются позиции в bfloat16",
        ),
        (t("position", "позиция"), t("its value in bfloat16", "её значение в bfloat16")),
        curves(
            evidence["drawn_positions"],
            (t("value", "значение"), evidence["drawn_in_bfloat16"]),
        ),
        t(
            "A staircase: below 512 only even numbers are left, from 512 on only multiples of 4.",
            "Лестница: до 512 остаются только чётные числа, начиная с 512 — только кратные 4.",
        ),
        graphical=True,
        enlarged=True,
    )
