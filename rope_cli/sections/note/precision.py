"""When digits run out: angles and positions in float32, float16 and bfloat16."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Paragraph, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, greatest_difference
from rope_cli.document.vocabulary import right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_KEY, GENERIC_QUERY, Array, Example
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH, key_rows, query_rows
from rope_cli.rope import reduced_precision

TITLE = t("When digits run out", "Когда не хватает разрядов")
QUESTION = t(
    "A program keeps positions in bfloat16. Which position comes after 256? And how wrong can a "
    "cosine get when only the angles are kept in fewer bits?",
    "Программа хранит позиции в bfloat16. Какая позиция идёт после 256? И насколько неверным "
    "станет косинус, если в меньшем числе битов хранить одни лишь углы?",
)

CLAIMS = {
    "precision-reference": t(
        "float64 turns the row as the plain formula does, up to a million positions",
        "float64 поворачивает строку так же, как прямая формула, вплоть до миллиона позиций",
    ),
    "float32-far": t(
        "near a million positions float32 angles spoil a cosine",
        "около миллионной позиции углы в float32 портят косинус",
    ),
    "narrow-order": t(
        "float32 is better than float16, and float16 better than bfloat16, at each length",
        "при каждой длине float32 лучше, чем float16, а float16 лучше, чем bfloat16",
    ),
    "bfloat16-positions": t(
        "255, 256, 257, 258 and 259 become 255, 256, 256, 258 and 260 in bfloat16",
        "255, 256, 257, 258 и 259 в bfloat16 становятся 255, 256, 256, 258 и 260",
    ),
    "bfloat16-distinct": t(
        "each doubling of the length beyond 256 adds just 128 positions",
        "после 256 каждое удвоение длины добавляет всего 128 позиций",
    ),
    "bfloat16-shift": t(
        "with positions in bfloat16 a shift by 300 changes scores",
        "если позиции хранятся в bfloat16, сдвиг на 300 меняет оценки",
    ),
    "float16-angle": t(
        "with frequency and product in float16 the angle 1044.267841 becomes 1045",
        "если округлить до float16 частоту и произведение, угол 1044.267841 становится 1045",
    ),
    "bfloat16-phase": t(
        "frequencies kept in bfloat16 put some hand off by more than half a radian at 511",
        "если хранить частоты в bfloat16, угол какой-то пары в позиции 511 ошибочен больше чем "
        "на полрадиана",
    ),
}
LENGTHS = (256, 512, 2048, 4096, 65536, 131072, 1048576)
# float16 ends at 65504, and by 4096 both short formats have lost all but the slow pairs.
SHORT_LENGTHS = LENGTHS[:4]
COUNTED = (256, 512, 1024, 2048, 4096, 8192)


def gather(example: Example) -> Evidence:
    """Errors of the cosines, what becomes of whole numbers, and two reported cases."""
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
    """The greatest error in the last 1024 positions before each length."""
    formats = (
        ("float32", reduced_precision.to_float32, LENGTHS),
        ("float16", reduced_precision.to_float16, SHORT_LENGTHS),
        ("bfloat16", reduced_precision.to_bfloat16, SHORT_LENGTHS),
    )
    return {
        name: [
            reduced_precision.cosine_error(rounding, frequencies, length, 1024)
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
        _greatest_errors(evidence),
        say(
            "In bfloat16, with its 8 significant bits, 255, 256, 257, 258, 259 become {rounded}. "
            "That alone, angles exact, moves scores by up to {move} under a shift by 300.",
            "В bfloat16, где всего 8 значащих битов, позиции 255, 256, 257, 258, 259 становятся "
            "{rounded}. Одно это, при точных углах, меняет оценки на величину до {move} при сдвиге "
            "на 300.",
            rounded=", ".join(f"{position:.0f}" for position in evidence["bfloat16_positions"]),
            move=evidence["bfloat16_shift_move"],
        ),
        table_by_columns(
            None,
            (t("first positions", "первых позиций"), COUNTED),
            (t("different in bfloat16", "различимы в bfloat16"), evidence["bfloat16_distinct"]),
        ),
        _reports(evidence),
        say(
            "A finite sine need not be an accurate one. Keep positions whole and angles in "
            "float64, or in float32 as long as the context allows; only the finished cosines and "
            "sines may be rounded to fewer bits.",
            "Конечный синус ещё не точный синус. Храните позиции целыми, углы — в float64 или, "
            "пока позволяет длина контекста, в float32; округлять до меньшего числа битов можно "
            "лишь готовые косинусы и синусы.",
        ),
    )


def _greatest_errors(evidence: Evidence) -> Table:
    lengths, errors = evidence["cosine_lengths"], evidence["cosine_errors"]
    return table(
        t(
            "Greatest error of a cosine at the last positions, d = 128, b = 10000, angles computed "
            "in fewer bits:",
            "Наибольшая ошибка косинуса в последних позициях, d = 128, b = 10000, углы вычислены с "
            "меньшим числом битов:",
        ),
        right(t("positions up to", "позиции до"), *errors),
        zip_longest(lengths, *errors.values(), fillvalue="-"),
    )


def _reports(evidence: Evidence) -> Paragraph:
    exact, short = evidence["float16_cosines"]
    return say(
        "Two reports from practice, computed again. GPT-NeoX, issue 1003 (d = 32, pair 1, position "
        "1857): the exact angle and that of float16 are {angles}, the cosines {exact} and {short}; "
        "in the first 2048 positions a cosine is off by up to {error}. Modalities, pull request "
        "462 (frequencies in bfloat16, d = 128): at positions 511 and 2047 an angle is off by "
        "{phases} radians.",
        "Два случая из практики, вычисленные заново. GPT-NeoX, issue 1003 (d = 32, пара 1, позиция "
        "1857): точный угол и угол в float16 — {angles}, косинусы — {exact} и {short}; в первых "
        "2048 позициях косинус неверен на величину до {error}. Modalities, pull request 462 "
        "(частоты в bfloat16, d = 128): в позициях 511 и 2047 угол неверен на {phases} радиан.",
        angles=vector(evidence["float16_angles"]),
        exact=exact,
        short=short,
        error=evidence["float16_cosine_error"],
        phases=vector(evidence["phase_errors"]),
    )
