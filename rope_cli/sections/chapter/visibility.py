"""Visibility is separate: the mask decides what is seen, the rotation shapes what is seen."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Matrix, Table
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, differ, greatest_difference
from rope_cli.document.vocabulary import left, matrix, right, say, t, table
from rope_cli.example.worked_example import Array, Example
from rope_cli.experiments import three_tokens
from rope_cli.experiments.three_tokens import Rotated
from rope_cli.rope import attention
from rope_cli.text import Text

TITLE = t("Visibility is separate", "Маска отдельно, поворот отдельно")
QUESTION = t(
    "Can the rotation hide a future key? And if V were rotated too, would an equal shift still "
    "leave the output alone?",
    "Может ли поворот скрыть будущий ключ? И если повернуть ещё и V, останется ли выход прежним "
    "при одинаковом сдвиге?",
)

CLAIMS = {
    "same-zeros": t(
        "the causal weights are zero in the same places with and without RoPE",
        "нули каузальных весов стоят на тех же местах с RoPE и без него",
    ),
    "weights-sum-to-one": t(
        "every row of weights sums to 1", "сумма весов в каждой строке равна 1"
    ),
    "hidden-scores-not-zero": t(
        "each score behind the mask is far from 0: it is the mask that hides it",
        "каждая оценка под маской далека от нуля: скрывает её именно маска",
    ),
    "queries-and-keys-only": t(
        "with Q and K rotated, an equal shift keeps the output",
        "если повёрнуты Q и K, одинаковый сдвиг не меняет выход",
    ),
    "values-rotated-move": t(
        "with V rotated too, an equal shift changes the output",
        "если повернуть и V, одинаковый сдвиг меняет выход",
    ),
    "values-rotated-back": t(
        "with V rotated and the output turned back, an equal shift keeps the output",
        "если повернуть V, а выход — обратно, одинаковый сдвиг не меняет выход",
    ),
    "queries-only-move": t(
        "with Q alone rotated, an equal shift changes the output",
        "если повернуть только Q, одинаковый сдвиг меняет выход",
    ),
}
ROTATED: tuple[Rotated, ...] = ("queries-and-keys", "with-values", "rotated-back", "queries")


def gather(example: Example) -> Evidence:
    """Masked weights without and with RoPE, and four choices of what to rotate."""
    q, k, _ = three_tokens.contents()
    visible = attention.causal_mask(len(q))
    scores = attention.scores(example.rotate_query(q), example.rotate_key(k))
    plain_weights = attention.softmax(attention.scores(q, k), visible)
    rotated_weights = attention.softmax(scores, visible)
    weights = np.array([plain_weights, rotated_weights])
    hidden = scores[~visible]
    least_hidden = float(np.abs(hidden).min(initial=np.inf))
    future = np.triu(np.ones((len(q), len(q)), dtype=bool), 1)
    shift = example.parameters.shift
    outputs = {
        rotated: [three_tokens.attend(example, offset, rotated) for offset in (0, shift)]
        for rotated in ROTATED
    }
    kept, values, back, alone = outputs.values()
    return Evidence(
        values={
            "visibility_shift": shift,
            "plain_weights": plain_weights,
            "rotated_weights": rotated_weights,
            "hidden_scores": hidden,
            "output_moves": {name: greatest_difference(*pair) for name, pair in outputs.items()},
        },
        checks=(
            all_true("same-zeros", ((weights == 0) == future).ravel().tolist()),
            agree("weights-sum-to-one", weights.sum(axis=2), np.ones((2, len(q))), 1e-12),
            Check("hidden-scores-not-zero", least_hidden, 0.1, hidden.size, "at least"),
            agree("queries-and-keys-only", kept[1], kept[0], 1e-12),
            differ("values-rotated-move", values[1], values[0], 0.1),
            agree("values-rotated-back", back[1], back[0], 1e-12),
            differ("queries-only-move", alone[1], alone[0], 0.1),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The two triangles of weights, then what an equal shift does to the output."""
    first, second, third = evidence["hidden_scores"]
    return (
        weights_table(
            t("Causal weights without RoPE:", "Каузальные веса без RoPE:"),
            evidence["plain_weights"],
        ),
        weights_table(
            t("Causal weights with RoPE:", "Каузальные веса с RoPE:"), evidence["rotated_weights"]
        ),
        say(
            "RoPE changed the weights, not the zeros. The scores q·k/√d at (0,1), (0,2), (1,2), "
            "which the mask hides, are {first}, {second}, {third}.",
            "RoPE изменил веса, но не нули. Скрытые маской оценки q·k/√d в (0,1), (0,2), (1,2) "
            "равны {first}, {second}, {third}.",
            first=first,
            second=second,
            third=third,
        ),
        output_moves(evidence),
        say(
            "Scores need the difference of positions, and rotating Q and K gives it. A rotated V "
            "would put absolute positions into the output.",
            "Оценкам нужна разность позиций, и поворот Q и K её даёт. Повёрнутые значения V внесли "
            "бы в выход абсолютные позиции.",
        ),
    )


def weights_table(caption: Text, weights: Array) -> Matrix:
    """Weights by query and key."""
    tokens = range(len(weights))
    return matrix(
        caption,
        t("query \\ key", "запрос \\ ключ"),
        (f"m={m}" for m in tokens),
        (f"n={n}" for n in tokens),
        weights,
    )


def output_moves(evidence: Evidence) -> Table:
    """How far an equal shift moves the output, by what is rotated."""
    moves = evidence["output_moves"]
    return table(
        t(
            "All positions shifted by {shift}, no mask:",
            "Все позиции сдвинуты на {shift}, маски нет:",
            shift=evidence["visibility_shift"],
        ),
        (
            *left(t("what is rotated", "что поворачивается")),
            *right(t("greatest change of the output", "наибольшее изменение выхода")),
        ),
        (
            ("Q, K", moves["queries-and-keys"]),
            ("Q, K, V", moves["with-values"]),
            (
                t("Q, K, V, and the output back", "Q, K, V, а выход — обратно"),
                moves["rotated-back"],
            ),
            (t("Q alone", "только Q"), moves["queries"]),
        ),
    )
