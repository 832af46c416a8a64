"""When digits run out: angles and positions in float32, float16 and bfloat16."""

from __future__ import annotations

from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Rows, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, greatest_difference
from rope_cli.document.vocabulary import right, say, t, table
from rope_cli.example.reference import inverse_frequency
from rope_cli.example.worked_example import (
    FIRST_COLUMN,
    GENERIC_KEY,
    GENERIC_QUERY,
    Array,
    Example,
    as_array,
)
from rope_cli.rope import reduced_precision

TITLE = t("When digits run out", "Когда не хватает разрядов")
QUESTION = t(
    "A program keeps positions in bfloat16. Which position comes after 256? And how "
    "wrong can a cosine get when only the angles are kept in fewer bits?",
    "Программа хранит позиции в bfloat16. Какая позиция идёт после 256? И насколько "
    "неверным станет косинус, если в меньшем числе битов хранить одни лишь углы?",
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
        "на "
        "полрадиана",
    ),
}
WIDTH, BASE = 128, 10000.0
LENGTHS = (256, 512, 2048, 4096, 65536, 131072, 1048576)
# The last positions before each length in which the greatest error is looked for.
WINDOW = 1024
# float16 ends at 65504, and by 4096 both short formats have lost all but the slow pairs.
SHORT_LENGTHS = LENGTHS[:4]
COUNTED = (256, 512, 1024, 2048, 4096, 8192)
NEIGHBOURS = (255, 256, 257, 258, 259)
SHIFT = 300
# Two public reports: GPT-NeoX issue 1003 and Modalities pull request 462.
NEOX_WIDTH, NEOX_POSITION, NEOX_PAIR, NEOX_CONTEXT = 32, 1857, 1, 2048
PHASE_POSITIONS = (511, 2047)


def speeds(width: int) -> Array:
    """The frequencies of every pair at base 10000."""
    return np.array([inverse_frequency(pair, width, BASE) for pair in range(width // 2)])


def gather(example: Example) -> Evidence:
    """Errors of the cosines, what becomes of whole numbers, and two reported cases."""
    theta = speeds(WIDTH)
    errors = {
        name: [
            reduced_precision.cosine_error(rounding, theta, length, WINDOW) for length in lengths
        ]
        for name, rounding, lengths in (
            ("float32", reduced_precision.to_float32, LENGTHS),
            ("float16", reduced_precision.to_float16, SHORT_LENGTHS),
            ("bfloat16", reduced_precision.to_bfloat16, SHORT_LENGTHS),
        )
    }
    order = zip(errors["float32"], errors["float16"], errors["bfloat16"], strict=False)
    rounded = reduced_precision.to_bfloat16(NEIGHBOURS)
    distinct = [
        len(np.unique(reduced_precision.to_bfloat16(np.arange(length)))) for length in COUNTED
    ]
    by_rule = [256 + (128 * at + 1 if at else 0) for at in range(len(COUNTED))]
    turned, plain = _last_rows(example, theta)
    kept, moved = _grids(example)
    neox = _reported(theta)
    return Evidence(
        values={
            "cosine_lengths": list(LENGTHS),
            "cosine_errors": errors,
            "bfloat16_positions": rounded,
            "bfloat16_distinct": distinct,
            "bfloat16_shift_move": greatest_difference(moved, kept),
            **neox,
        },
        checks=(
            agree("precision-reference", turned, plain, 1e-9),
            Check("float32-far", errors["float32"][-1], 0.01, 1, "at least"),
            all_true("narrow-order", [one < two < three for one, two, three in order]),
            agree("bfloat16-positions", rounded, [255, 256, 256, 258, 260], 0.0),
            agree("bfloat16-distinct", distinct, by_rule, 0.0),
            Check("bfloat16-shift", greatest_difference(moved, kept), 0.1, kept.size, "at least"),
            agree("float16-angle", neox["float16_angles"], [1044.267841, 1045.0], 5e-7),
            Check("bfloat16-phase", float(neox["phase_errors"][0]), 0.5, 1, "at least"),
        ),
    )


def _last_rows(example: Example, theta: Array) -> tuple[Array, Array]:
    """The row [1, 0, 1, 0, ...] at the last position of each length: turned, and by formula."""
    row = as_array([FIRST_COLUMN * (WIDTH // len(FIRST_COLUMN))])
    turned = [
        example.rotate_query(
            row, length - 1, example.embedding_for(WIDTH, length, BASE, length - 1)
        )
        for length in LENGTHS
    ]
    angles = np.subtract(LENGTHS, 1)[:, np.newaxis] * theta
    plain = np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(len(LENGTHS), WIDTH)
    return np.concatenate(turned), plain


def _grids(example: Example) -> tuple[Array, Array]:
    """Dot products at 0, 1, 2, and after the shift with every position in bfloat16."""
    query, key = (
        np.tile(as_array([GENERIC_QUERY]), (3, 1)),
        np.tile(as_array([GENERIC_KEY]), (3, 1)),
    )
    far = [int(position) for position in reduced_precision.to_bfloat16(np.arange(3) + SHIFT)]
    kept, moved = (
        example.rotate_queries(query, positions) @ example.rotate_keys(key, positions).T
        for positions in ([0, 1, 2], far)
    )
    return np.asarray(kept), np.asarray(moved)


def _reported(theta: Array) -> dict[str, Any]:
    """The numbers of the two public reports."""
    fast = speeds(NEOX_WIDTH)
    m = np.arange(NEOX_CONTEXT, dtype=np.float64)[:, np.newaxis]
    angles, short = m * fast, reduced_precision.to_float16(m * reduced_precision.to_float16(fast))
    there = (NEOX_POSITION, NEOX_PAIR)
    found = [float(angles[there]), float(short[there])]
    phases = np.abs(reduced_precision.to_bfloat16(theta) - theta).max() * np.array(PHASE_POSITIONS)
    return {
        "float16_angles": found,
        "float16_cosines": np.cos(found),
        "float16_cosine_error": greatest_difference(np.cos(short), np.cos(angles)),
        "phase_positions": list(PHASE_POSITIONS),
        "phase_errors": phases,
    }


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Errors by length and format, whole numbers in bfloat16, and the two reports."""
    errors = evidence["cosine_errors"]
    counts: Rows = tuple(
        (length, distinct)
        for length, distinct in zip(COUNTED, evidence["bfloat16_distinct"], strict=True)
    )
    return (
        table(
            t(
                "Greatest error of a cosine at the last positions, d = 128, b = 10000, angles "
                "computed in fewer bits:",
                "Наибольшая ошибка косинуса в последних позициях, d = 128, b = 10000, углы "
                "вычислены с меньшим числом битов:",
            ),
            right(t("positions up to", "позиции до"), *(name for name in errors)),
            (
                (length, *(each[at] if at < len(each) else "-" for each in errors.values()))
                for at, length in enumerate(evidence["cosine_lengths"])
            ),
        ),
        say(
            "In bfloat16, with its 8 significant bits, 255, 256, 257, 258, 259 become "
            "{rounded}. That alone, angles exact, moves scores by up to {move} under a "
            "shift by 300.",
            "В bfloat16, где всего 8 значащих битов, позиции 255, 256, 257, 258, 259 "
            "становятся {rounded}. Одно это, при точных углах, меняет оценки на величину "
            "до {move} при сдвиге на 300.",
            rounded=", ".join(f"{each:.0f}" for each in evidence["bfloat16_positions"]),
            move=evidence["bfloat16_shift_move"],
        ),
        table(
            None,
            right(
                t("first positions", "первых позиций"),
                t("different in bfloat16", "различимы в bfloat16"),
            ),
            counts,
        ),
        *_reports(evidence),
    )


def _reports(evidence: Evidence) -> tuple[Block, ...]:
    exact, short = evidence["float16_cosines"]
    return (
        say(
            "Two reports from practice, computed again. GPT-NeoX, issue 1003 (d = 32, "
            "pair 1, position 1857): the exact angle and that of float16 are {angles}, the "
            "cosines {exact} and {short}; in the first 2048 positions a cosine is off by "
            "up to {error}. Modalities, pull request 462 (frequencies in bfloat16, "
            "d = 128): at positions 511 and 2047 an angle is off by {phases} radians.",
            "Два случая из практики, вычисленные заново. GPT-NeoX, issue 1003 (d = 32, "
            "пара 1, позиция 1857): точный угол и угол в float16 — {angles}, косинусы — "
            "{exact} и {short}; в первых 2048 позициях косинус неверен на величину до "
            "{error}. Modalities, pull request 462 (частоты в bfloat16, d = 128): в "
            "позициях 511 и 2047 угол неверен на {phases} радиан.",
            angles=vector(evidence["float16_angles"]),
            exact=exact,
            short=short,
            error=evidence["float16_cosine_error"],
            phases=vector(evidence["phase_errors"]),
        ),
        say(
            "A finite sine need not be an accurate one. Keep positions whole and angles in "
            "float64, or in float32 as long as the context allows; only the finished cosines "
            "and sines may be rounded to fewer bits.",
            "Конечный синус ещё не точный синус. Храните позиции целыми, углы — в float64 "
            "или, пока позволяет длина контекста, в float32; округлять до меньшего числа "
            "битов можно лишь готовые косинусы и синусы.",
        ),
    )
