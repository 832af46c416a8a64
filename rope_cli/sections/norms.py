"""Length is kept: norms before, after, and after the equal shift."""

from __future__ import annotations

import numpy as np

from rope_cli.document import Block, Column, Formula, Number, Paragraph, Phrase, Table, vector
from rope_cli.evidence import Evidence, agree
from rope_cli.example import GENERIC_KEY, GENERIC_QUERY, Example, rows
from rope_cli.words import Text

TITLE = Text(en="Length is kept", ru="Норма сохраняется")
QUESTION = Text(
    en="Does a row grow longer, shorter, or neither when it is rotated?",
    ru="Станет ли строка после поворота длиннее, короче или не изменит длины?",
)
CLAIMS = {
    "norms-kept": Text(
        en="the norms of the chapter's rows are kept, also after the shift",
        ru="нормы строк из главы сохраняются, и после сдвига тоже",
    ),
    "generic-norms-kept": Text(
        en="rows without zeros keep their norm at every position (relative difference)",
        ru="строки без нулей сохраняют норму в каждой позиции (относительная разность)",
    ),
}


def gather(example: Example) -> Evidence:
    """Norms of the chapter's rows and of rows that use the whole rotation matrix."""
    before = np.linalg.norm(example.query, axis=1)
    after, shifted = (
        np.linalg.norm(turned, axis=1) for turned in (example.rotated_query, example.shifted_query)
    )
    capacity = example.parameters.capacity
    contents = rows([GENERIC_QUERY, GENERIC_KEY])
    generic = np.array(
        [
            np.linalg.norm(turn(np.tile(row, (capacity, 1))), axis=1)
            for row, turn in zip(contents, (example.rotate_query, example.rotate_key), strict=True)
        ]
    )
    generic_before = np.linalg.norm(contents, axis=1)
    return Evidence(
        values={
            "input_norms": before,
            "rotated_norms": after,
            "shifted_norms": shifted,
            "generic_contents": contents,
            "generic_input_norms": generic_before,
            "generic_rotated_norms": generic,
        },
        checks=(
            agree("norms-kept", [after, shifted], [before, before], 1e-12),
            agree(
                "generic-norms-kept",
                generic / generic_before[:, np.newaxis],
                np.ones_like(generic),
                1e-12,
            ),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The chapter's three rows, then the rows without zeros at every position."""
    before, after = evidence["input_norms"], evidence["rotated_norms"]
    shifted, generic = evidence["shifted_norms"], evidence["generic_rotated_norms"]
    contents = evidence["generic_contents"]
    lines = tuple(
        (token, Number(before[token]), Number(after[token]), Number(shifted[token]))
        for token in range(len(before))
    )
    every = tuple(
        (m, Number(generic[0][m]), Number(generic[1][m])) for m in range(generic.shape[1])
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
            Text(en="The chapter's rows:", ru="Строки из главы:"),
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
                en="The second table is the one that can fail: with the minus of the matrix lost, "
                "[1, 0, 1, 0] still keeps its norm.",
                ru="Ошибку способна показать вторая таблица: если потерять минус в матрице, норма "
                "строки [1, 0, 1, 0] всё равно сохранится.",
            )
        ),
    )
