"""One large matrix or small pairs: the same rotation, and what each way of computing it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from rope_cli.document.blocks import (
    Block,
    Column,
    Heat,
    Matrix,
    Paragraph,
    Short,
    Table,
    vector,
)
from rope_cli.document.charts import floats
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree
from rope_cli.document.vocabulary import formula, left, matrix, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import GENERIC_QUERY, Array, Example, as_array
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH

TITLE = t("One large matrix or small pairs", "Одна большая матрица или маленькие пары")
QUESTION = t(
    "A vector of width d = 128 is rotated pair by pair. How many multiplications does this take, "
    "and how many would the product with the whole 128 × 128 matrix R take?",
    "Вектор ширины d = 128 поворачивают пара за парой. Сколько умножений на это уйдёт и сколько их "
    "потребовалось бы, если умножать на всю матрицу R размера 128 × 128?",
)

CLAIMS = {
    "dense-equals-pairs": t(
        "multiplying x by the dense matrix, zeros included, and rotating it pair by pair give the "
        "same row",
        "умножение x на плотную матрицу, вместе с нулями, и поворот по парам дают одну и ту же "
        "строку",
    ),
    "nonzeros-2d": t(
        "at position 1 exactly 2d entries of the matrix are not zero, at every width",
        "в позиции 1 у матрицы любой ширины ровно 2d ненулевых элементов",
    ),
    "block-diagonal": t(
        "all the entries of R outside the 2 × 2 blocks on the diagonal are zero",
        "все элементы R вне блоков 2 × 2 на диагонали равны нулю",
    ),
    "swap-with-a-sign": t(
        "x·cos + (x swapped, with a sign)·sin is the rotated row, at d = 128 and in the table",
        "x·cos + (x с перестановкой и знаком)·sin — это повёрнутая строка, при d = 128 и в таблице",
    ),
    "three-multiplications": t(
        "three multiplications per pair give the same row as four, in both ways of adding",
        "три умножения на пару дают ту же строку, что и четыре, вычислены ли c + s и s - c на "
        "месте или взяты из таблицы",
    ),
    "operations-counted": t(
        "the operations counted while a row is rotated are those of the last three lines of the "
        "table",
        "операций, сосчитанных во время поворота строки, столько, сколько указано в трёх "
        "последних строках таблицы",
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
    widest, small = matrices[-1], _swap_of_a_small_row(example)
    by_four = [rotate_by_four(row, cosines, sines), _rotate_small(small["swap_parts"])]
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
            "three_multiplications_from_table": [3 * MODEL_WIDTH // 2, 3 * MODEL_WIDTH // 2],
            **small,
            "table_bytes": cells * embedding.factors.itemsize // 2,
            "dense_bytes": cells * MODEL_WIDTH * row.itemsize,
        },
        checks=(
            agree("dense-equals-pairs", rotated, by_matrix, 1e-12),
            agree("nonzeros-2d", nonzeros, 2 * WIDTHS, 0.0),
            agree("block-diagonal", np.where(blocks, 0.0, widest), np.zeros_like(widest), 0.0),
            agree(
                "swap-with-a-sign", [*rotated, *small["swap_rotated"]], np.hstack(by_four), 1e-12
            ),
            *_checks_of_operations(rotated, row, cosines, sines),
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


def _rotate_small(parts: Array) -> Array:
    """The last line of the table from the four above it."""
    row, exchanged, cosines, sines = parts
    return np.asarray(row * cosines + exchanged * sines)


def swapped(row: Array) -> Array:
    """[-x1, x0, -x3, x2, ...]: each pair exchanged, with a sign."""
    return np.stack([-row[1::2], row[0::2]], axis=-1).ravel()


def rotate_by_four(row: Array, cosines: Array, sines: Array) -> Array:
    """x cos + swapped x sin: four multiplications and two additions a pair."""
    return row * np.repeat(cosines, 2) + swapped(row) * np.repeat(sines, 2)


def rotate_by_three(row: Array, cosines: Array, sines: Array) -> Array:
    """(x0 + i x1)(cos + i sin) with three multiplications and five additions a pair."""
    return rotate_from_table(row, cosines, cosines + sines, sines - cosines)


def rotate_from_table(row: Array, cosines: Array, sums: Array, differences: Array) -> Array:
    """The same with cos + sin and sin - cos at hand: three multiplications, three additions."""
    first, second = row[0::2], row[1::2]
    shared = cosines * (first + second)
    rotated = shared - second * sums, shared + first * differences
    return np.stack(rotated, axis=-1).ravel()


class OperationCounter(np.ndarray[Any, Any]):
    """An array that counts the multiplications and the additions of its elements."""

    counts: ClassVar[dict[str, int]] = {}

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Compute as numpy does, and count; a subtraction counts as an addition."""
        plain = [np.asarray(values) for values in inputs]
        result = getattr(ufunc, method)(*plain, **options)
        name = "add" if ufunc is np.subtract else ufunc.__name__
        self.counts[name] = self.counts.get(name, 0) + result.size
        return result.view(OperationCounter)


def count_operations(rotate: Callable[..., Array], *arrays: Array) -> list[int]:
    """How many multiplications and additions ``rotate`` makes."""
    OperationCounter.counts.clear()
    rotate(*(array.view(OperationCounter) for array in arrays))
    return [OperationCounter.counts.get(name, 0) for name in ("multiply", "add")]


def _checks_of_operations(
    rotated: Array, row: Array, cosines: Array, sines: Array
) -> tuple[Check, ...]:
    """Three ways of rotating a row: its numbers, and how many operations they take."""
    table_of_three = cosines, cosines + sines, sines - cosines
    by_three = [rotate_by_three(row, cosines, sines), rotate_from_table(row, *table_of_three)]
    counted = [
        count_operations(rotate_by_four, row, cosines, sines),
        count_operations(rotate_by_three, row, cosines, sines),
        count_operations(rotate_from_table, row, *table_of_three),
    ]
    pairs = MODEL_WIDTH // 2
    expected = [[4 * pairs, 2 * pairs], [3 * pairs, 5 * pairs], [3 * pairs, 3 * pairs]]
    return (
        agree("three-multiplications", by_three, [rotated, rotated], 1e-12),
        agree("operations-counted", counted, expected, 0.0),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The pattern of the matrix, the counts, and how code does it."""
    return (
        _pattern(evidence),
        _pattern_as_heat(evidence),
        _counts(evidence),
        say(
            "So the note is right: the cost of one vector falls from O(d²) to O(d). The counts "
            "leave out the d/2 cosines and sines, which come from a table. At d = 128 this saves a "
            "factor of 64.",
            "Итак, заметка права: на один вектор вместо O(d²) уходит O(d) операций. Вычисление d/2 "
            "косинусов и синусов не подсчитано: они взяты из таблицы. При d = 128 умножений "
            "становится в 64 раза меньше.",
        ),
        formula("R(m)x = x·cos + [-x1, x0, -x3, x2, ...]·sin"),
        _swap(evidence),
        say(
            "This is the note's swap with a change of sign (RoFormer, arXiv 2104.09864, section "
            "3.4.2), for pairs of neighbours. Other code swaps the halves of the row instead, as "
            "the next section shows.",
            "Это и есть перестановка со сменой знака из заметки (в статье о RoFormer, arXiv "
            "2104.09864, ей посвящён раздел 3.4.2), для соседних пар. Другие программы меняют "
            "местами половины строки: о них следующий раздел.",
        ),
        _ways_of_counting(evidence),
        _what_three_cost(),
        _memory(evidence),
    )


def _what_three_cost() -> Paragraph:
    return say(
        "The trick with three multiplications comes from multiplying complex numbers: c·(x0 + x1) "
        "serves both coordinates, with c = cos and s = sin. It pays only if multiplying costs "
        "more than adding. With c + s and s - c computed on the spot it takes more operations in "
        "all; with both kept in the table it takes exactly as many as the way with four "
        "multiplications, and the table grows by half.",
        "Приём с тремя умножениями взят из умножения комплексных чисел: произведение c·(x0 + x1) "
        "служит обеим координатам (c — косинус, s — синус). Выгоден он, только если умножение "
        "дороже сложения. Когда c + s и s - c вычисляются на месте, операций в сумме больше; когда "
        "берутся из таблицы, операций столько же, сколько при четырёх умножениях, но таблица "
        "вырастает в полтора раза.",
    )


def _memory(evidence: Evidence) -> Paragraph:
    return say(
        "Nor is memory a reason for the matrix. For {context} positions at d = 128 the table of "
        "cosines and sines takes {table} bytes in float64, which is {table_mib} MiB; the dense "
        "matrices would take {dense} bytes, or {dense_gib} GiB.",
        "Матрица проигрывает и по памяти. Таблица косинусов и синусов для {context} позиций при "
        "d = 128 занимает в float64 {table} байт ({table_mib} МиБ), а плотные матрицы заняли бы "
        "{dense} байта ({dense_gib} ГиБ).",
        context=CONTEXT,
        table=evidence["table_bytes"],
        table_mib=evidence["table_bytes"] // 2**20,
        dense=evidence["dense_bytes"],
        dense_gib=evidence["dense_bytes"] // 2**30,
    )


def _pattern(evidence: Evidence) -> Matrix:
    pattern = evidence["dense_pattern"]
    letters = (("c", "-s"), ("s", "c"))
    indices = range(len(pattern))
    return matrix(
        t(
            "R(m) for d = 8. Pair j is rotated by m·θ_j; cj is cos(m·θ_j), sj is sin(m·θ_j), and a "
            "dot is a zero:",
            "R(m) при d = 8. Пара j поворачивается на m·θ_j; cj — это cos(m·θ_j), sj — sin(m·θ_j), "
            "точка — нуль:",
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
            "Share of the entries of R that are not zero, and the multiplications (×) and "
            "additions (+) for one vector, with R and pair by pair. The saving is the ratio of the "
            "two numbers of multiplications:",
            "Доля ненулевых элементов R; число умножений (×) и сложений (+) на один вектор с "
            "матрицей R и по парам. Выигрыш — во сколько раз умножений меньше:",
        ),
        ("d", evidence["dense_widths"]),
        (t("not zero, %", "не 0, %"), map(Short, evidence["dense_shares"])),
        (t("× with R", "× с R"), by_matrix),
        (t("× by pairs", "× по парам"), by_pairs),
        (t("saving of ×", "выигрыш в ×"), by_matrix // by_pairs),
        (t("+ with R", "+ с R"), evidence["dense_additions"]),
        (t("+ by pairs", "+ по парам"), evidence["pair_additions"]),
    )


def _ways_of_counting(evidence: Evidence) -> Table:
    width = list(evidence["dense_widths"]).index(MODEL_WIDTH)
    counts = (
        (evidence["dense_multiplications"][width], evidence["dense_additions"][width]),
        (evidence["pair_multiplications"][width], evidence["pair_additions"][width]),
        evidence["three_multiplications"],
        evidence["three_multiplications_from_table"],
    )
    ways = (
        t("dense matrix", "плотная матрица"),
        t("four multiplications per pair", "четыре умножения на пару"),
        t("three, c + s and s - c on the spot", "три, c + s и s - c на месте"),
        t("three, c + s and s - c in the table", "три, c + s и s - c в таблице"),
    )
    multiplications, additions = zip(*counts, strict=True)
    return table_by_columns(
        t("Operations for one vector, d = 128:", "Операции на один вектор, d = 128:"),
        (Column(t("way", "способ")), ways),
        (t("multiplications", "умножений"), multiplications),
        (t("additions", "сложений"), additions),
        (t("in all", "всего"), map(sum, counts)),
    )


def _swap(evidence: Evidence) -> Table:
    row, exchanged, cosines, sines = map(vector, evidence["swap_parts"])
    return table(
        t(
            "x rotated at position 1, d = 4, b = 100:",
            "Строка x, повёрнутая в позиции 1, d = 4, b = 100:",
        ),
        left(t("row", "строка"), t("numbers", "числа")),
        (
            ("x", row),
            (t("x swapped, with a sign", "перестановка со знаком"), exchanged),
            ("cos", cosines),
            ("sin", sines),
            (t("rotated x", "x после поворота"), vector(evidence["swap_rotated"])),
        ),
    )


def _pattern_as_heat(evidence: Evidence) -> Heat:
    indices = tuple(str(index) for index in range(len(evidence["dense_pattern"])))
    return Heat(
        t(
            "The cells of R(m) that are not 0 by construction, d = 8",
            "Элементы R(m), которые могут быть отличны от нуля, d = 8",
        ),
        indices,
        indices,
        tuple(floats(row) for row in evidence["dense_pattern"]),
        t(
            "Four blocks of 2 × 2 cells along the diagonal; everything else is empty.",
            "Вдоль диагонали — четыре блока 2 × 2; остальные ячейки пусты.",
        ),
        graphical=True,
    )
