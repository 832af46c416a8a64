"""One large matrix or small pairs: the same rotation, and what each way of computing it costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rope_cli.document.blocks import (
    Block,
    Matrix,
    Number,
    Paragraph,
    Phrase,
    Piece,
    Table,
    vector,
)
from rope_cli.document.evidence import Evidence, agree
from rope_cli.document.vocabulary import formula, left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import GENERIC_QUERY, Array, Example, as_array

TITLE = t("One large matrix or small pairs", "Одна большая матрица или маленькие пары")
QUESTION = t(
    "A vector of width d = 128 is rotated. How many multiplications does that take with "
    "the full matrix R, and how many pair by pair?",
    "Поворачивается вектор ширины d = 128. Сколько умножений уйдёт на это с полной "
    "матрицей R и сколько — при счёте по парам?",
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
WIDTHS = (2, 4, 8, 64, 128, 256)
PICTURED = 8
WIDTH, BASE, POSITION = 128, 10000.0, 7
CONTEXT = 131072


def gather(example: Example) -> Evidence:
    """The matrix of the rotation at several widths, and one row turned in four ways."""
    matrices = [_dense(example, width) for width in WIDTHS]
    nonzeros = [int(np.count_nonzero(matrix)) for matrix in matrices]
    row = np.resize(as_array(GENERIC_QUERY), WIDTH)
    embedding = example.embedding_for(WIDTH, POSITION + 1, BASE)
    turned = example.rotate_query(row[np.newaxis], POSITION, embedding)[0]
    cosines, sines = embedding.cosines[POSITION], embedding.sines[POSITION]
    small = as_array(GENERIC_QUERY)
    own = example.embedding_for(len(small), 2, example.parameters.base)
    parts = [small, swapped(small), np.repeat(own.cosines[1], 2), np.repeat(own.sines[1], 2)]
    cells = CONTEXT * WIDTH
    return Evidence(
        values={
            "dense_widths": list(WIDTHS),
            "dense_nonzeros": nonzeros,
            "dense_shares": (100 * np.array(nonzeros) / np.square(WIDTHS)).tolist(),
            "dense_pattern": matrices[WIDTHS.index(PICTURED)] != 0,
            "dense_multiplications": [width**2 for width in WIDTHS],
            "pair_multiplications": nonzeros,
            "dense_additions": [width**2 - width for width in WIDTHS],
            "pair_additions": (np.array(nonzeros) - WIDTHS).tolist(),
            "three_multiplications": [3 * WIDTH // 2, 5 * WIDTH // 2],
            "swap_parts": np.array(parts),
            "swap_rotated": example.rotate_query(small[np.newaxis], 1, own)[0],
            "table_bytes": cells * embedding.turns.itemsize // 2,
            "dense_bytes": cells * WIDTH * row.itemsize,
        },
        checks=(
            agree(
                "dense-equals-pairs",
                turned,
                reference.rotation_matrix(POSITION, WIDTH, BASE) @ row,
                1e-12,
            ),
            agree("nonzeros-2d", nonzeros, [2 * width for width in WIDTHS], 0.0),
            agree(
                "block-diagonal",
                np.where(_blocks(), 0.0, matrices[-1]),
                np.zeros_like(matrices[-1]),
                0.0,
            ),
            agree(
                "swap-with-a-sign",
                turned,
                row * np.repeat(cosines, 2) + swapped(row) * np.repeat(sines, 2),
                1e-12,
            ),
            agree("three-multiplications", turned, _three(row, cosines, sines), 1e-12),
        ),
    )


def _dense(example: Example, width: int) -> Array:
    """R at position 1, column by column: what the unit vectors become."""
    embedding = example.embedding_for(width, 2, BASE)
    return example.rotate_query(np.eye(width)[:, np.newaxis], 1, embedding)[:, 0].T


def _blocks() -> Any:
    """Where the 2 x 2 blocks of the widest matrix are."""
    return np.kron(np.eye(WIDTHS[-1] // 2), np.ones((2, 2))).astype(bool)


def swapped(row: Array) -> Array:
    """[-x1, x0, -x3, x2, ...]: each pair exchanged, with a sign."""
    exchanged: Array = np.stack([-row[1::2], row[0::2]], axis=-1).ravel()
    return exchanged


def _three(row: Array, cosines: Array, sines: Array) -> Array:
    """(x0 + i x1)(cos + i sin) with three multiplications and five additions a pair."""
    left_half, right_half = row[0::2], row[1::2]
    both = cosines * (left_half + right_half)
    turned = both - right_half * (cosines + sines), both + left_half * (sines - cosines)
    row_turned: Array = np.stack(turned, axis=-1).ravel()
    return row_turned


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The pattern of the matrix, the counts, and how code does it."""
    three = evidence["three_multiplications"]
    return (
        _picture(evidence["dense_pattern"]),
        _counts(evidence),
        Paragraph(
            Phrase(
                t(
                    "The note is right: O(d²) becomes O(d), for each vector; the table of "
                    "cosines and sines is not counted here. With three multiplications a pair "
                    "instead of four there would be {multiplications} products and {additions} "
                    "sums at d = 128.",
                    "Заметка права: вместо O(d²) выходит O(d) — на каждый вектор; таблица "
                    "косинусов и синусов здесь не учтена. Если обойтись тремя умножениями на пару "
                    "вместо четырёх, при d = 128 умножений будет {multiplications}, сложений — "
                    "{additions}.",
                ),
                dict(zip(("multiplications", "additions"), three, strict=True)),
            )
        ),
        formula("R(m)x = x·cos + [-x1, x0, -x3, x2, ...]·sin"),
        _swap(evidence),
        say(
            "This is the swap with a sign that the note means, for neighbours as pairs; "
            "other code swaps halves: see the next section. The table for {context} "
            "positions of width 128 takes {table} bytes in float64, the full matrices "
            "would take {dense}.",
            "Это и есть перестановка с изменением знака, о которой говорит заметка, для "
            "соседних пар; другой код меняет местами половины — о них следующий раздел. "
            "Таблица для {context} позиций при ширине 128 занимает {table} байт в float64, "
            "полные матрицы заняли бы {dense}.",
            context=CONTEXT,
            table=evidence["table_bytes"],
            dense=evidence["dense_bytes"],
        ),
    )


def _picture(pattern: Array) -> Matrix:
    """Names of the entries; a dot for a zero."""
    letters = (("c", "-s"), ("s", "c"))

    def entry(row: int, column: int) -> str:
        return f"{letters[row % 2][column % 2]}{row // 2}" if pattern[row][column] else "."

    indices = range(len(pattern))
    return Matrix(
        "R",
        tuple(f"[{row}]" for row in indices),
        tuple(f"[{column}]" for column in indices),
        tuple(tuple(entry(row, column) for column in indices) for row in indices),
        t(
            "R for d = 8; c0 is cos(m·θ_0), s0 is sin(m·θ_0), a dot is a zero:",
            "R при d = 8; c0 — это cos(m·θ_0), s0 — sin(m·θ_0), точка — ноль:",
        ),
    )


def _counts(evidence: Evidence) -> Table:
    lines = tuple(
        (
            width,
            Number(evidence["dense_shares"][at]),
            evidence["dense_multiplications"][at],
            evidence["pair_multiplications"][at],
            f"×{evidence['dense_multiplications'][at] // evidence['pair_multiplications'][at]}",
            evidence["dense_additions"][at],
            evidence["pair_additions"][at],
        )
        for at, width in enumerate(evidence["dense_widths"])
    )
    return table(
        t(
            "Entries of R that are not zero, and operations for one vector:",
            "Ненулевые элементы R и операции на один вектор:",
        ),
        right(
            "d",
            t("not zero, %", "ненулевых, %"),
            t("products with R", "умножений с R"),
            t("products by pairs", "умножений по парам"),
            t("gain", "выигрыш"),
            t("sums with R", "сложений с R"),
            t("sums by pairs", "сложений по парам"),
        ),
        lines,
    )


def _swap(evidence: Evidence) -> Table:
    words: tuple[Piece, ...] = (
        "x",
        t("swapped, with a sign", "переставлено, со знаком"),
        "cos",
        "sin",
        t("rotated", "повёрнуто"),
    )
    found = [*evidence["swap_parts"], evidence["swap_rotated"]]
    return table(
        t(
            "At position 1, with the chapter's width and base:",
            "В позиции 1, с шириной и основанием главы:",
        ),
        left(t("row", "строка"), t("numbers", "числа")),
        ((word, vector(numbers)) for word, numbers in zip(words, found, strict=True)),
    )
