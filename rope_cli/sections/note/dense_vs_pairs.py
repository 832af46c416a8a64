"""One large matrix or small pairs: the same rotation, and what each way of computing it costs."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Matrix, Table, vector
from rope_cli.document.evidence import Evidence, agree
from rope_cli.document.vocabulary import formula, left, matrix, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import GENERIC_QUERY, Array, Example, as_array
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH

TITLE = t("One large matrix or small pairs", "Одна большая матрица или маленькие пары")
QUESTION = t(
    "A vector of width d = 128 is rotated. How many multiplications does that take with the full "
    "matrix R, and how many pair by pair?",
    "Поворачивается вектор ширины d = 128. Сколько умножений уйдёт на это с полной матрицей R и "
    "сколько — при счёте по парам?",
)

CLAIMS = {
    "dense-equals-pairs": t(
        "the full matrix times x and the rotation pair by pair give the same row",
        "полная матрица, умноженная на x, и поворот по парам дают одну строку",
    ),
    "nonzeros-2d": t(
        "at position 1 the matrix has exactly 2d entries that are not zero, at every width",
        "в позиции 1 у матрицы ровно 2d ненулевых элементов при любой ширине",
    ),
    "block-diagonal": t(
        "the entries of R that are not zero all stand in 2 x 2 blocks on the diagonal",
        "все ненулевые элементы R стоят в блоках 2 × 2 на диагонали",
    ),
    "swap-with-a-sign": t(
        "x cos + swapped x sin is the rotated row",
        "x cos + переставленный x sin — это повёрнутая строка",
    ),
    "three-multiplications": t(
        "three multiplications a pair give the same row as four",
        "три умножения на пару дают ту же строку, что и четыре",
    ),
}
WIDTHS = np.array([2, 4, 8, 64, 128, 256])
PICTURED = 2
POSITION = 7
CONTEXT = 131072


def gather(example: Example) -> Evidence:
    """The matrix of the rotation at several widths, and one row rotated in four ways."""
    matrices = [_dense(example, width) for width in WIDTHS.tolist()]
    nonzeros = np.array([np.count_nonzero(entries) for entries in matrices])
    row = np.resize(GENERIC_QUERY, MODEL_WIDTH)
    embedding = example.embedding_for(MODEL_WIDTH, POSITION + 1, MODEL_BASE)
    rotated = example.rotate_query(row[np.newaxis], POSITION, embedding)[0]
    cosines, sines = embedding.cosines[POSITION], embedding.sines[POSITION]
    by_matrix = reference.rotation_matrix(POSITION, MODEL_WIDTH, MODEL_BASE) @ row
    by_swap = row * np.repeat(cosines, 2) + swapped(row) * np.repeat(sines, 2)
    widest = matrices[-1]
    blocks = np.kron(np.eye(len(widest) // 2), np.ones((2, 2))).astype(bool)
    cells = CONTEXT * MODEL_WIDTH
    return Evidence(
        values={
            "dense_widths": WIDTHS,
            "dense_nonzeros": nonzeros,
            "dense_shares": 100 * nonzeros / np.square(WIDTHS),
            "dense_pattern": matrices[PICTURED] != 0,
            "dense_multiplications": np.square(WIDTHS),
            "pair_multiplications": nonzeros,
            "dense_additions": np.square(WIDTHS) - WIDTHS,
            "pair_additions": nonzeros - WIDTHS,
            "three_multiplications": [3 * MODEL_WIDTH // 2, 5 * MODEL_WIDTH // 2],
            **_swap_of_a_small_row(example),
            "table_bytes": cells * embedding.factors.itemsize // 2,
            "dense_bytes": cells * MODEL_WIDTH * row.itemsize,
        },
        checks=(
            agree("dense-equals-pairs", rotated, by_matrix, 1e-12),
            agree("nonzeros-2d", nonzeros, 2 * WIDTHS, 0.0),
            agree("block-diagonal", np.where(blocks, 0.0, widest), np.zeros_like(widest), 0.0),
            agree("swap-with-a-sign", rotated, by_swap, 1e-12),
            agree("three-multiplications", rotated, rotate_by_three(row, cosines, sines), 1e-12),
        ),
    )


def _dense(example: Example, width: int) -> Array:
    """R at position 1, column by column: what the unit vectors become."""
    embedding = example.embedding_for(width, 2, MODEL_BASE)
    return example.rotate_query(np.eye(width)[:, np.newaxis], 1, embedding)[:, 0].T


def _swap_of_a_small_row(example: Example) -> dict[str, Array]:
    row = as_array(GENERIC_QUERY)
    embedding = example.embedding_for(row.size, 2, example.parameters.base)
    cosines, sines = np.repeat(embedding.cosines[1], 2), np.repeat(embedding.sines[1], 2)
    return {
        "swap_parts": np.array([row, swapped(row), cosines, sines]),
        "swap_rotated": example.rotate_query(row[np.newaxis], 1, embedding)[0],
    }


def swapped(row: Array) -> Array:
    """[-x1, x0, -x3, x2, ...]: each pair exchanged, with a sign."""
    return np.stack([-row[1::2], row[0::2]], axis=-1).ravel()


def rotate_by_three(row: Array, cosines: Array, sines: Array) -> Array:
    """(x0 + i x1)(cos + i sin) with three multiplications and five additions a pair."""
    first, second = row[0::2], row[1::2]
    shared = cosines * (first + second)
    rotated = shared - second * (cosines + sines), shared + first * (sines - cosines)
    return np.stack(rotated, axis=-1).ravel()


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The pattern of the matrix, the counts, and how code does it."""
    multiplications, additions = evidence["three_multiplications"]
    return (
        _pattern(evidence),
        _counts(evidence),
        say(
            "The note is right: O(d²) becomes O(d), for each vector; the table of cosines and "
            "sines is not counted here. With three multiplications a pair instead of four there "
            "would be {multiplications} products and {additions} sums at d = 128.",
            "Заметка права: вместо O(d²) выходит O(d) — на каждый вектор; таблица косинусов и "
            "синусов здесь не учтена. Если обойтись тремя умножениями на пару вместо четырёх, при "
            "d = 128 умножений будет {multiplications}, сложений — {additions}.",
            multiplications=multiplications,
            additions=additions,
        ),
        formula("R(m)x = x·cos + [-x1, x0, -x3, x2, ...]·sin"),
        _swap(evidence),
        say(
            "This is the swap with a sign that the note means, for neighbours as pairs; other code "
            "swaps halves: see the next section. The table for {context} positions of width 128 "
            "takes {table} bytes in float64, the full matrices would take {dense}.",
            "Это и есть перестановка с изменением знака, о которой говорит заметка, для соседних "
            "пар; другой код меняет местами половины — о них следующий раздел. Таблица для "
            "{context} позиций при ширине 128 занимает {table} байт в float64, полные матрицы "
            "заняли бы {dense}.",
            context=CONTEXT,
            table=evidence["table_bytes"],
            dense=evidence["dense_bytes"],
        ),
    )


def _pattern(evidence: Evidence) -> Matrix:
    pattern = evidence["dense_pattern"]
    letters = (("c", "-s"), ("s", "c"))
    indices = range(len(pattern))
    return matrix(
        t(
            "R for d = 8; c0 is cos(m·θ_0), s0 is sin(m·θ_0), a dot is a zero:",
            "R при d = 8; c0 — это cos(m·θ_0), s0 — sin(m·θ_0), точка — ноль:",
        ),
        "R",
        (f"[{row}]" for row in indices),
        (f"[{column}]" for column in indices),
        (
            (
                f"{letters[row % 2][column % 2]}{row // 2}" if pattern[row][column] else "."
                for column in indices
            )
            for row in indices
        ),
    )


def _counts(evidence: Evidence) -> Table:
    by_matrix, by_pairs = evidence["dense_multiplications"], evidence["pair_multiplications"]
    return table_by_columns(
        t(
            "Entries of R that are not zero, and operations for one vector:",
            "Ненулевые элементы R и операции на один вектор:",
        ),
        ("d", evidence["dense_widths"]),
        (t("not zero, %", "ненулевых, %"), evidence["dense_shares"]),
        (t("products with R", "умножений с R"), by_matrix),
        (t("products by pairs", "умножений по парам"), by_pairs),
        (t("gain", "выигрыш"), (f"×{gain}" for gain in by_matrix // by_pairs)),
        (t("sums with R", "сложений с R"), evidence["dense_additions"]),
        (t("sums by pairs", "сложений по парам"), evidence["pair_additions"]),
    )


def _swap(evidence: Evidence) -> Table:
    row, exchanged, cosines, sines = map(vector, evidence["swap_parts"])
    return table(
        t(
            "At position 1, with the chapter's width and base:",
            "В позиции 1, с шириной и основанием главы:",
        ),
        left(t("row", "строка"), t("numbers", "числа")),
        (
            ("x", row),
            (t("swapped, with a sign", "переставлено, со знаком"), exchanged),
            ("cos", cosines),
            ("sin", sines),
            (t("rotated", "повёрнуто"), vector(evidence["swap_rotated"])),
        ),
    )
