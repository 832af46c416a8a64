"""Length is kept: norms before, after, and after the equal shift."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Number, vector
from rope_cli.document.evidence import Evidence, agree
from rope_cli.document.summaries import summarised_rows
from rope_cli.document.vocabulary import formula, right, say, t, table
from rope_cli.example.parameters import EVERYTHING
from rope_cli.example.positions import rows_to_compare
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY, Example, as_array, norms

TITLE = t("Length is kept", "Норма сохраняется")
QUESTION = t(
    "Does a row grow longer, shorter, or neither when it is rotated?",
    "Станет ли строка после поворота длиннее, короче или не изменит длины?",
)

USES = EVERYTHING
CLAIMS = {
    "norms-kept": t(
        "the norms of queries and keys are kept, also after the shift (relative difference)",
        "нормы запросов и ключей сохраняются, и после сдвига тоже (относительная разность)",
    ),
    "generic-norms-kept": t(
        "rows without zeros keep their norm at every position (relative difference)",
        "строки без нулей сохраняют норму в каждой позиции (относительная разность)",
    ),
}


def gather(example: Example) -> Evidence:
    """Norms of the rows of the example and of rows that use the whole rotation matrix."""
    parameters = example.parameters
    before = np.array([norms(example.query), norms(example.key)])
    after = np.array([norms(example.rotated_query), norms(example.rotated_key)])
    shifted = np.array([norms(example.shifted_query), norms(example.shifted_key)])
    # A row of zeros has no norm to measure in, and must stay one.
    unit = np.where(before > 0, before, 1.0)
    reached = example.reached_positions
    positions = [reached[index] for index in rows_to_compare(len(reached))]
    contents = as_array([example.continued_to_width(row) for row in (GENERIC_QUERY, GENERIC_KEY)])
    turns = (example.rotate_queries, example.rotate_keys)
    generic = np.array(
        [
            np.linalg.norm(turn(np.tile(row, (len(positions), 1)), positions), axis=1)
            for row, turn in zip(contents, turns, strict=True)
        ]
    )
    generic_before = np.linalg.norm(contents, axis=1)
    return Evidence(
        values={
            "input_norms": before[0],
            "rotated_norms": after[0],
            "shifted_norms": shifted[0],
            "norm_positions": np.array(positions),
            "generic_contents": contents,
            "generic_input_norms": generic_before,
            "generic_rotated_norms": generic,
        },
        checks=(
            agree(
                "norms-kept",
                [after / unit, shifted / unit],
                [before / unit, before / unit],
                example.tolerance(1.0),
            ),
            agree(
                "generic-norms-kept",
                generic / generic_before[:, np.newaxis],
                np.ones_like(generic),
                1e-12,
            ),
        ),
        parameters=parameters,
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The chapter's three rows, then the rows without zeros at every position."""
    before, after = evidence["input_norms"], evidence["rotated_norms"]
    shifted, generic = evidence["shifted_norms"], evidence["generic_rotated_norms"]
    contents = evidence["generic_contents"]
    lines = summarised_rows(
        len(before),
        evidence.every_row,
        lambda at: (
            at,
            Number(before[at]),
            Number(after[at]),
            Number(shifted[at]),
        ),
    )
    every = summarised_rows(
        generic.shape[1],
        evidence.every_row,
        lambda at: (
            int(evidence["norm_positions"][at]),
            Number(generic[0][at]),
            Number(generic[1][at]),
        ),
    )
    return (
        formula("R(φ)ᵀ R(φ) = I,  |R(φ)x| = |x|"),
        table(
            t("Norms of the queries:", "Нормы запросов:"),
            right(
                t("row", "строка"),
                t("before", "до поворота"),
                t("after", "после поворота"),
                t("after the shift", "после сдвига"),
            ),
            lines,
        ),
        table(
            t(
                "Rows without zeros, q = {query} of norm {query_norm} and k = {key} of norm "
                "{key_norm}:",
                "Строки без нулей: q = {query} с нормой {query_norm} и k = {key} с нормой "
                "{key_norm}:",
                query=vector(contents[0]),
                query_norm=evidence["generic_input_norms"][0],
                key=vector(contents[1]),
                key_norm=evidence["generic_input_norms"][1],
            ),
            right(
                t("position m", "позиция m"),
                t("|q| rotated", "|q| после поворота"),
                t("|k| rotated", "|k| после поворота"),
            ),
            every,
        ),
        say(
            "A lost minus in the matrix shows in the second table only: [1, 0, 1, 0] would "
            "keep its norm all the same.",
            "Потерянный в матрице минус заметен только по второй таблице: норма строки "
            "[1, 0, 1, 0] сохранится и с ним.",
        ),
    )
