"""The length of a row: norms before, after, and after the equal shift."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Arrow, Block, Panel, Plane, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.summaries import summarised_rows
from rope_cli.document.vocabulary import formula, right, say, t, table
from rope_cli.example.parameters import EVERYTHING
from rope_cli.example.positions import rows_to_compare
from rope_cli.example.worked_example import (
    FIRST_COLUMN,
    GENERIC_KEY,
    GENERIC_QUERY,
    Array,
    Example,
    as_array,
    norms,
)
from rope_cli.experiments import bugs

TITLE = t("The length of a row", "Длина строки")
QUESTION = t(
    "Does a row grow longer, shorter, or neither when it is rotated?",
    "Что происходит с длиной строки при повороте: она растёт, уменьшается или не меняется?",
)

USES = EVERYTHING
CLAIMS = {
    "norms-by-formula": t(
        "every norm before the rotation is the square root of the sum of squares (relative "
        "difference)",
        "каждая норма до поворота — корень из суммы квадратов (относительная разность)",
    ),
    "norms-kept": t(
        "queries and keys keep their norms, after the shift too (relative difference)",
        "нормы запросов и ключей не меняются, после сдвига тоже (относительная разность)",
    ),
    "generic-norms-kept": t(
        "rows without zeros keep their norms at every position (relative difference)",
        "нормы строк без нулей не меняются ни в одной позиции (относительная разность)",
    ),
    "lost-minus-hides": t(
        "without the minus of R(φ) the norm of [1, 0, 1, 0] would be the same",
        "без минуса в R(φ) норма строки [1, 0, 1, 0] осталась бы прежней",
    ),
    "lost-minus-shows": t(
        "without the minus of R(φ) the norm of [1, 2, -0.5, 0.75] would change",
        "без минуса в R(φ) норма строки [1, 2, -0.5, 0.75] изменилась бы",
    ),
}


def gather(example: Example) -> Evidence:
    """Norms of the rows of the example, of rows without zeros, and without the minus."""
    before = np.array([norms(example.query), norms(example.key)])
    after = np.array([norms(example.rotated_query), norms(example.rotated_key)])
    shifted = np.array([norms(example.shifted_query), norms(example.shifted_key)])
    # A row of zeros has no norm to measure in, and must stay one.
    unit = np.where(before > 0, before, 1.0)
    return (
        Evidence(
            values={
                "input_norms": before[0],
                "rotated_norms": after[0],
                "shifted_norms": shifted[0],
            },
            checks=(
                check_by_formula(example, before),
                agree(
                    "norms-kept",
                    [after / unit, shifted / unit],
                    [before / unit, before / unit],
                    example.tolerance(1.0),
                ),
            ),
            parameters=example.parameters,
        )
        + keep_generic_norms(example)
        + lose_the_minus()
    )


def keep_generic_norms(example: Example) -> Evidence:
    """The norms of two rows that use the whole rotation matrix, at every position."""
    reached = example.reached_positions
    positions = [reached[index] for index in rows_to_compare(len(reached))]
    query, key = contents = as_array(
        [example.continued_to_width(row) for row in (GENERIC_QUERY, GENERIC_KEY)]
    )
    tiles = (len(positions), 1)
    rotated_query = example.rotate_queries(np.tile(query, tiles), positions)
    rotated_key = example.rotate_keys(np.tile(key, tiles), positions)
    generic_before = norms(contents)
    generic = np.array([norms(rotated_query), norms(rotated_key)])
    ratios = generic / generic_before[:, np.newaxis]
    return Evidence(
        values={
            "norm_positions": np.array(positions),
            "generic_contents": contents,
            "generic_input_norms": generic_before,
            "generic_rotated_norms": generic,
        },
        checks=(agree("generic-norms-kept", ratios, np.ones_like(ratios), 1e-12),),
    )


def check_by_formula(example: Example, before: Array) -> Check:
    """The norms shown and those of rows without zeros: the plain root of the sum of squares."""
    tokens = rows_to_compare(before.shape[1])
    generic = as_array([example.continued_to_width(row) for row in (GENERIC_QUERY, GENERIC_KEY)])
    rows = [*example.query[tokens], *example.key[tokens], *generic]
    actual = np.array([*before[:, tokens].ravel(), *norms(generic)])
    expected = np.array([math.sqrt(math.fsum(float(x) ** 2 for x in row)) for row in rows])
    unit = np.where(expected > 0, expected, 1.0)
    return agree("norms-by-formula", actual / unit, expected / unit, 1e-12)


def lose_the_minus() -> Evidence:
    """Two rows at position 1, had the minus of R(φ) been lost."""
    rows = as_array([FIRST_COLUMN, GENERIC_QUERY])
    before = norms(rows)
    moved, wrong = (
        rotate(rows, np.ones(2), 4, 100.0) for rotate in (bugs.correct_rotation, bugs.lost_minus)
    )
    broken = norms(wrong)
    return Evidence(
        values={
            "lost_minus_norms": broken,
            "first_pairs_at_one": np.array([rows[1, :2], moved[1, :2], wrong[1, :2]]),
            "norm_of_first_pair": math.hypot(*rows[1, :2]),
        },
        checks=(
            agree("lost-minus-hides", broken[:1], before[:1], 1e-12),
            differ("lost-minus-shows", broken[1:], before[1:], 0.1),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The norms of the queries, then of rows without zeros at every position."""
    lost, changed = evidence["lost_minus_norms"]
    return (
        say(
            "The length of a row, its norm |x|, is the square root of xᵀx. From R(α)ᵀR(β) = "
            "R(β-α) with β = α = φ it follows that",
            "Длина строки, её норма |x|, — это корень из xᵀx. Из R(α)ᵀR(β) = R(β-α) при "
            "β = α = φ получаем:",
        ),
        formula("R(φ)ᵀ R(φ) = R(0) = I"),
        formula("|R(φ)x|² = xᵀ R(φ)ᵀ R(φ) x = xᵀx = |x|²"),
        table_of_norms(evidence),
        table_of_generic_norms(evidence),
        lost_minus_as_arrows(evidence),
        say(
            "A rotation never changes the length of a row. But a row like [1, 0, 1, 0] proves "
            "little: had the minus sign of R(φ) been lost, its norm at position 1 would still be "
            "{lost}. Rows without zeros give that mistake away: the norm of [1, 2, -0.5, 0.75] "
            "would become {changed}.",
            "Поворот не меняет длины строки. Но строка вроде [1, 0, 1, 0] доказывает немногое: "
            "если потерять минус в R(φ), её норма в позиции 1 всё равно останется равной {lost}. "
            "Такую ошибку выдают строки без нулей: норма строки [1, 2, -0.5, 0.75] стала бы равна "
            "{changed}.",
            lost=lost,
            changed=changed,
        ),
    )


def table_of_norms(evidence: Evidence) -> Table:
    """The norms of the queries before the rotation, after it, and after the shift."""
    before, after = evidence["input_norms"], evidence["rotated_norms"]
    shifted = evidence["shifted_norms"]
    return table(
        t("Norms of the queries:", "Нормы запросов:"),
        right(
            t("row", "строка"),
            t("before", "до поворота"),
            t("after", "после поворота"),
            t("after the shift", "после сдвига"),
        ),
        summarised_rows(
            len(before),
            evidence.every_row,
            lambda token: (token, before[token], after[token], shifted[token]),
        ),
    )


def table_of_generic_norms(evidence: Evidence) -> Table:
    """The norms of two rows without zeros at every position."""
    positions, (query, key) = evidence["norm_positions"], evidence["generic_contents"]
    query_norm, key_norm = evidence["generic_input_norms"]
    rotated_query, rotated_key = evidence["generic_rotated_norms"]
    return table(
        t(
            "Rows without zeros, q = {query} with norm {query_norm} and k = {key} with norm "
            "{key_norm}:",
            "Строки без нулей: q = {query}, норма {query_norm}, и k = {key}, норма {key_norm}:",
            query=vector(query, short=True),
            query_norm=query_norm,
            key=vector(key, short=True),
            key_norm=key_norm,
        ),
        right(
            t("position m", "позиция m"),
            t("|q| rotated", "|q| после поворота"),
            t("|k| rotated", "|k| после поворота"),
        ),
        summarised_rows(
            len(positions),
            evidence.every_row,
            lambda index: (positions[index], rotated_query[index], rotated_key[index]),
        ),
    )


def lost_minus_as_arrows(evidence: Evidence) -> Plane:
    """The first pair of a row at position 1, with and without the minus of R(φ)."""
    before, moved, wrong = ((float(x), float(y)) for x, y in evidence["first_pairs_at_one"])
    circle = (evidence["norm_of_first_pair"],)
    return Plane(
        t(
            "The pair [1, 2] at position 1: rotated, and with the minus sign lost",
            "Пара [1, 2] в позиции 1: после поворота и с потерянным минусом",
        ),
        (
            Panel(
                t("the rotation", "поворот"),
                (Arrow("x", before), Arrow("R(1)x", moved, "long")),
                circle,
            ),
            Panel(
                t("without the minus", "без минуса"),
                (Arrow("x", before), Arrow("x'", wrong, "long")),
                circle,
            ),
        ),
        t(
            "The rotation keeps the pair on its circle. Without the minus it leaves the circle.",
            "Поворот оставляет пару на её окружности. Без минуса она с окружности сходит.",
        ),
    )
