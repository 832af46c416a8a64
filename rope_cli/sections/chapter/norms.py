"""Length is kept: norms before, after, and after the equal shift."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Table, vector
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
    before = np.array([norms(example.query), norms(example.key)])
    after = np.array([norms(example.rotated_query), norms(example.rotated_key)])
    shifted = np.array([norms(example.shifted_query), norms(example.shifted_key)])
    # A row of zeros has no norm to measure in, and must stay one.
    unit = np.where(before > 0, before, 1.0)
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
            agree("generic-norms-kept", ratios, np.ones_like(ratios), 1e-12),
        ),
        parameters=example.parameters,
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The norms of the queries, then of rows without zeros at every position."""
    before, after = evidence["input_norms"], evidence["rotated_norms"]
    shifted = evidence["shifted_norms"]
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
            summarised_rows(
                len(before),
                evidence.every_row,
                lambda token: (token, before[token], after[token], shifted[token]),
            ),
        ),
        table_of_generic_norms(evidence),
        say(
            "A lost minus in the matrix shows in the second table only: [1, 0, 1, 0] would "
            "keep its norm all the same.",
            "Потерянный в матрице минус заметен только по второй таблице: норма строки "
            "[1, 0, 1, 0] сохранится и с ним.",
        ),
    )


def table_of_generic_norms(evidence: Evidence) -> Table:
    """The norms of two rows without zeros at every position."""
    positions, (query, key) = evidence["norm_positions"], evidence["generic_contents"]
    query_norm, key_norm = evidence["generic_input_norms"]
    rotated_query, rotated_key = evidence["generic_rotated_norms"]
    return table(
        t(
            "Rows without zeros, q = {query} of norm {query_norm} and k = {key} of norm "
            "{key_norm}:",
            "Строки без нулей: q = {query} с нормой {query_norm} и k = {key} с нормой {key_norm}:",
            query=vector(query),
            query_norm=query_norm,
            key=vector(key),
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
