"""The same rotation in every head: the width that counts is the width of one head."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Cell, Number, Rows, cue_of_pair
from rope_cli.document.evidence import Evidence, agree, differ, same_bits
from rope_cli.document.summaries import rows_by_position_and_pair
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY, Example, as_array
from rope_cli.rope import attention

TITLE = t("The same rotation in every head", "Один поворот во всех головах")
QUESTION = t(
    "A model of width 8 has two heads of width 4. Does its second head begin with a fast pair or "
    "with a slow one?",
    "В модели ширины 8 две головы ширины 4. С какой пары начинается вторая голова — с быстрой "
    "или с медленной?",
)

USES = frozenset({"feature_width", "shift"})
CLAIMS = {
    "each-head-alone": t(
        "each head turns as if it were alone, bit for bit",
        "каждая голова поворачивается так, как если бы она была одна, бит в бит",
    ),
    "head-scores-shift": t(
        "in each head an equal shift keeps every score",
        "в каждой голове одинаковый сдвиг сохраняет каждую оценку",
    ),
    "model-width-is-wrong": t(
        "one rotation across the whole model width is something else",
        "один поворот по всей ширине модели — это другое преобразование",
    ),
}
HEADS = 2


def gather(example: Example) -> Evidence:
    """Two heads, together and alone, and the mistake of rotating across both."""
    parameters = example.parameters
    rows = as_array([example.continued_to_width(row) for row in (GENERIC_QUERY, GENERIC_KEY)])
    heads = np.repeat(rows[:, np.newaxis], 3, axis=1)  # [heads, tokens, width]
    together = example.rotate_query(heads)
    alone = np.array([example.rotate_query(head) for head in heads])
    across = example.embedding_for(HEADS * parameters.feature_width, 3, parameters.base)
    joined = np.concatenate(list(heads), axis=-1)  # [tokens, model width]
    wrong = np.stack(np.split(example.rotate_query(joined, 0, across), HEADS, axis=-1))
    scores, shifted_scores = (
        attention.dot_products(
            example.rotate_query(heads, offset), example.rotate_key(heads[::-1].copy(), offset)
        )
        for offset in (0, parameters.shift)
    )
    tolerance = example.tolerance(float(np.linalg.norm(heads, axis=2).max() ** 2))
    return Evidence(
        values={
            "head_frequencies": np.tile(example.embedding.inverse_frequencies, (HEADS, 1)),
            "model_width_frequencies": across.inverse_frequencies.reshape(HEADS, -1),
            "heads_rotated": together,
            "heads_rotated_across": wrong,
        },
        checks=(
            same_bits("each-head-alone", together, alone),
            agree("head-scores-shift", shifted_scores, scores, tolerance),
            differ("model-width-is-wrong", wrong, together, 0.1),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The frequencies of both heads, right and wrong."""
    return (
        table(
            None,
            (
                *right(t("head", "голова")),
                *left(t("pair j", "пара j")),
                *right(
                    t("θ_j per head", "θ_j в каждой голове"),
                    t("θ_j across (wrong)", "θ_j по всей ширине модели (неверно)"),
                    t("x_2j at m=1, per head", "x_2j при m=1, в каждой голове отдельно"),
                    t("x_2j at m=1, across (wrong)", "x_2j при m=1, по всей ширине (неверно)"),
                ),
            ),
            head_rows(evidence),
        ),
        say(
            "One head holds the row q of the section on norms at each position, the other k. Every "
            "head begins with its own fast pair, {fast} radian per position: d in θ_j = b^(-2j/d) "
            "is the head width. The input of shape [..., heads, tokens, head width] is rotated "
            "along its last axis in one call.",
            "В одной голове стоит строка q из раздела о нормах, в другой — строка k. Каждая голова "
            "начинается со своей быстрой пары, {fast} радиана на позицию: d в формуле "
            "θ_j = b^(-2j/d) — ширина головы. Вход формы [..., головы, токены, ширина головы] "
            "поворачивается по последней оси одним вызовом.",
            fast=evidence["head_frequencies"][1][0],
        ),
    )


def head_rows(evidence: Evidence) -> Rows:
    """A row for each pair of each head."""
    theta, theta_across = evidence["head_frequencies"], evidence["model_width_frequencies"]
    rotated, rotated_across = evidence["heads_rotated"], evidence["heads_rotated_across"]

    def row(head: int, pair: int) -> tuple[Cell, ...]:
        return (
            head,
            (pair, " ", cue_of_pair(pair)),
            Number(theta[head][pair]),
            Number(theta_across[head][pair]),
            Number(rotated[head][1][2 * pair]),
            Number(rotated_across[head][1][2 * pair]),
        )

    return rows_by_position_and_pair(theta.shape, False, row)
