"""Length is kept: norms before, after, and after the equal shift."""

from __future__ import annotations

import numpy as np

from rope_cli.document import (
    Block,
    Column,
    Formula,
    Number,
    Paragraph,
    Phrase,
    Table,
    summarised,
    vector,
)
from rope_cli.evidence import Evidence, agree
from rope_cli.example import GENERIC_KEY, GENERIC_QUERY, Example, norms, rows, witnessed
from rope_cli.parameters import EVERYTHING
from rope_cli.words import Text

USES = EVERYTHING
TITLE = Text(en="Length is kept", ru="Норма сохраняется")
QUESTION = Text(
    en="Does a row grow longer, shorter, or neither when it is rotated?",
    ru="Станет ли строка после поворота длиннее, короче или не изменит длины?",
)
CLAIMS = {
    "norms-kept": Text(
        en="the norms of queries and keys are kept, also after the shift (relative difference)",
        ru="нормы запросов и ключей сохраняются, и после сдвига тоже (относительная разность)",
    ),
    "generic-norms-kept": Text(
        en="rows without zeros keep their norm at every position (relative difference)",
        ru="строки без нулей сохраняют норму в каждой позиции (относительная разность)",
    ),
}


def gather(example: Example) -> Evidence:
    """Norms of the rows of the example and of rows that use the whole rotation matrix."""
    before, after, shifted = (
        norms(content) for content in (example.query, example.rotated_query, example.shifted_query)
    )
    key_before, key_after, key_shifted = (
        norms(content) for content in (example.key, example.rotated_key, example.shifted_key)
    )
    # In units of the norm itself; a row of zeros has none and must stay one.
    one = np.concatenate([np.where(lengths > 0, lengths, 1.0) for lengths in (before, key_before)])
    unturned = np.concatenate([before, key_before]) / one
    turned = [np.concatenate(pair) / one for pair in ((after, key_after), (shifted, key_shifted))]
    reached = sorted({*example.parameters.positions, *example.shifted_positions})
    positions = [reached[at] for at in witnessed(len(reached))]
    contents = rows([example.widened(row) for row in (GENERIC_QUERY, GENERIC_KEY)])
    turns = (example.queries_at, example.keys_at)
    generic = np.array(
        [
            np.linalg.norm(turn(np.tile(row, (len(positions), 1)), positions), axis=1)
            for row, turn in zip(contents, turns, strict=True)
        ]
    )
    generic_before = np.linalg.norm(contents, axis=1)
    return Evidence(
        values={
            "input_norms": before,
            "rotated_norms": after,
            "shifted_norms": shifted,
            "norm_positions": np.array(positions),
            "generic_contents": contents,
            "generic_input_norms": generic_before,
            "generic_rotated_norms": generic,
        },
        checks=(
            agree("norms-kept", turned, [unturned, unturned], example.bound(1.0)),
            agree(
                "generic-norms-kept",
                generic / generic_before[:, np.newaxis],
                np.ones_like(generic),
                1e-12,
            ),
        ),
        asked=example.parameters,
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The chapter's three rows, then the rows without zeros at every position."""
    before, after = evidence["input_norms"], evidence["rotated_norms"]
    shifted, generic = evidence["shifted_norms"], evidence["generic_rotated_norms"]
    contents = evidence["generic_contents"]
    lines = summarised(
        len(before),
        evidence.every_row,
        lambda token: (token, Number(before[token]), Number(after[token]), Number(shifted[token])),
    )
    every = summarised(
        generic.shape[1],
        evidence.every_row,
        lambda at: (
            int(evidence["norm_positions"][at]),
            Number(generic[0][at]),
            Number(generic[1][at]),
        ),
    )
    return (
        Formula("R(φ)ᵀ R(φ) = I,  |R(φ)x| = |x|"),
        Table(
            (
                Column(Text(en="row", ru="строка"), "right"),
                Column(Text(en="before", ru="до поворота"), "right"),
                Column(Text(en="after", ru="после поворота"), "right"),
                Column(Text(en="after the shift", ru="после сдвига"), "right"),
            ),
            lines,
            Text(en="Norms of the queries:", ru="Нормы запросов:"),
        ),
        Table(
            (
                Column(Text(en="position m", ru="позиция m"), "right"),
                Column(Text(en="|q| rotated", ru="|q| после поворота"), "right"),
                Column(Text(en="|k| rotated", ru="|k| после поворота"), "right"),
            ),
            every,
            Phrase(
                Text(
                    en="Rows without zeros, q = {query} of norm {query_norm} and k = {key} of norm "
                    "{key_norm}:",
                    ru="Строки без нулей: q = {query} с нормой {query_norm} и k = {key} с нормой "
                    "{key_norm}:",
                ),
                {
                    "query": vector(contents[0]),
                    "query_norm": Number(evidence["generic_input_norms"][0]),
                    "key": vector(contents[1]),
                    "key_norm": Number(evidence["generic_input_norms"][1]),
                },
            ),
        ),
        Paragraph(
            Text(
                en="A lost minus in the matrix shows in the second table only: [1, 0, 1, 0] would "
                "keep its norm all the same.",
                ru="Потерянный в матрице минус заметен только по второй таблице: норма строки "
                "[1, 0, 1, 0] сохранится и с ним.",
            )
        ),
    )
