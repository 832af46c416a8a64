"""Visibility is separate: the mask decides what is seen, the rotation shapes what is seen."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Matrix, Number, Paragraph, Phrase
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, differ, greatest_difference
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.worked_example import (
    TOKEN_KEYS,
    TOKEN_QUERIES,
    TOKEN_VALUES,
    Array,
    Example,
    as_array,
)
from rope_cli.rope import attention
from rope_cli.text import Text

TITLE = t("Visibility is separate", "Маска отдельно, поворот отдельно")
QUESTION = t(
    "Can the rotation hide a future key? And if V were rotated too, would an equal "
    "shift still leave the output alone?",
    "Может ли поворот скрыть будущий ключ? И если повернуть ещё и V, останется ли выход "
    "прежним при одинаковом сдвиге?",
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


def gather(example: Example) -> Evidence:
    """Masked weights without and with RoPE, and four choices of what to rotate."""
    q, k = as_array(TOKEN_QUERIES), as_array(TOKEN_KEYS)
    shift = example.parameters.shift
    visible = attention.causal_mask(len(q))
    plain_scores = attention.scores(q, k)
    scores = attention.scores(example.rotate_query(q), example.rotate_key(k))
    plain, turned = (attention.softmax(raw, visible) for raw in (plain_scores, scores))
    hidden = scores[~visible]
    future = np.triu(np.ones((len(q), len(q)), dtype=bool), 1)
    names = ("queries-and-keys", "with-values", "rotated-back", "queries")
    kept, values, back, alone = outputs = [
        [_output(example, offset, name) for offset in (0, shift)] for name in names
    ]
    moves = [greatest_difference(before, after) for before, after in outputs]
    return Evidence(
        values={
            "visibility_shift": shift,
            "plain_weights": plain,
            "rotated_weights": turned,
            "hidden_scores": hidden,
            "output_moves": dict(zip(names, moves, strict=True)),
        },
        checks=(
            all_true(
                "same-zeros",
                [*((plain == 0) == future).ravel(), *((turned == 0) == future).ravel()],
            ),
            agree("weights-sum-to-one", [plain.sum(1), turned.sum(1)], np.ones((2, len(q))), 1e-12),
            Check(
                "hidden-scores-not-zero",
                float(np.abs(hidden).min(initial=np.inf)),
                0.1,
                hidden.size,
                "at least",
            ),
            agree("queries-and-keys-only", kept[1], kept[0], 1e-12),
            differ("values-rotated-move", values[1], values[0], 0.1),
            agree("values-rotated-back", back[1], back[0], 1e-12),
            differ("queries-only-move", alone[1], alone[0], 0.1),
        ),
    )


def _output(example: Example, offset: int, rotated: str) -> Array:
    """Attention without a mask at positions from the offset, with some of Q, K, V rotated."""
    q, k, v = as_array(TOKEN_QUERIES), as_array(TOKEN_KEYS), as_array(TOKEN_VALUES)
    q = example.rotate_query(q, offset)
    if rotated != "queries":
        k = example.rotate_key(k, offset)
    if rotated in ("with-values", "rotated-back"):
        v = example.rotate_key(v, offset)
    out = attention.attend(q, k, v)
    if rotated == "rotated-back":
        out = example.embedding.rotate_transpose(out, offset)
    return out


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The two triangles of weights, then what an equal shift does to the output."""
    choices = (
        ("queries-and-keys", "Q, K"),
        ("with-values", "Q, K, V"),
        ("rotated-back", t("Q, K, V, and the output back", "Q, K, V, а выход — обратно")),
        ("queries", t("Q alone", "только Q")),
    )
    moves = tuple((words, Number(evidence["output_moves"][name])) for name, words in choices)
    hidden = evidence["hidden_scores"]
    return (
        _weights(
            evidence["plain_weights"],
            t("Causal weights without RoPE:", "Каузальные веса без RoPE:"),
        ),
        _weights(
            evidence["rotated_weights"],
            t("Causal weights with RoPE:", "Каузальные веса с RoPE:"),
        ),
        Paragraph(
            Phrase(
                t(
                    "RoPE changed the weights, not the zeros. The scores q·k/√d at (0,1), "
                    "(0,2), "
                    "(1,2), which the mask hides, are {first}, {second}, {third}.",
                    "RoPE изменил веса, но не нули. Скрытые маской оценки q·k/√d в (0,1), "
                    "(0,2), "
                    "(1,2) равны {first}, {second}, {third}.",
                ),
                dict(zip(("first", "second", "third"), map(Number, hidden.tolist()), strict=True)),
            )
        ),
        table(
            t(
                "All positions shifted by {shift}, no mask:",
                "Все позиции сдвинуты на {shift}, маски нет:",
                shift=evidence["visibility_shift"],
            ),
            (
                *left(t("what is rotated", "что поворачивается")),
                *right(t("greatest change of the output", "наибольшее изменение выхода")),
            ),
            moves,
        ),
        say(
            "Scores need the difference of positions, and rotating Q and K gives it. A "
            "rotated V would put absolute positions into the output.",
            "Оценкам нужна разность позиций, и поворот Q и K её даёт. Повёрнутые значения V "
            "внесли бы в выход абсолютные позиции.",
        ),
    )


def _weights(weights: Array, caption: Text) -> Matrix:
    tokens = range(len(weights))
    return Matrix(
        t("query \\ key", "запрос \\ ключ"),
        tuple(f"m={m}" for m in tokens),
        tuple(f"n={n}" for n in tokens),
        tuple(tuple(Number(value) for value in row) for row in weights),
        caption,
    )
