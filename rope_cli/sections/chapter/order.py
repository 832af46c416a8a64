"""Attention without order: permuted rows give permuted outputs, until positions are rotated in."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Number, Rows, Table
from rope_cli.document.evidence import Evidence, agree, differ, greatest_difference
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

TITLE = t("Attention without order", "Внимание без порядка")
QUESTION = t(
    "Three tokens change places. Without position information, do the outputs of "
    "attention change, move along, or stay where they were?",
    "Три токена поменялись местами. Если сведений о позиции нет, выходы внимания "
    "изменятся, переставятся вместе с токенами или останутся на своих местах?",
)

CLAIMS = {
    "equivariant-without-positions": t(
        "without positions the outputs move along with the rows, unchanged",
        "без позиций выходы переставляются вместе со строками и не меняются",
    ),
    "not-invariant": t(
        "without positions the outputs do move: equivariant is not invariant",
        "без позиций выходы именно переставляются: эквивариантность — не инвариантность",
    ),
    "order-counts-with-rotation": t(
        "with RoPE at positions 0, 1, 2 some outputs change",
        "с RoPE в позициях 0, 1, 2 выходы меняются",
    ),
    "positions-travel": t(
        "if each row takes its position along, the outputs only move along",
        "если каждая строка уносит с собой свою позицию, выходы только переставляются",
    ),
}
PERMUTATION = (2, 0, 1)


def gather(example: Example) -> Evidence:
    """Attention on three tokens, in both orders, without and with the rotation."""
    q, k, v = as_array(TOKEN_QUERIES), as_array(TOKEN_KEYS), as_array(TOKEN_VALUES)
    moved = list(PERMUTATION)
    stay = tuple(range(len(moved)))

    def rotated(positions: tuple[int, ...], order: list[int]) -> Array:
        turned_q = example.rotate_queries(q[order], positions)
        turned_k = example.rotate_keys(k[order], positions)
        return attention.attend(turned_q, turned_k, v[order])

    plain = attention.attend(q, k, v)
    plain_moved = attention.attend(q[moved], k[moved], v[moved])
    turned, turned_moved = rotated(stay, list(stay)), rotated(stay, moved)
    travelled = rotated(PERMUTATION, moved)
    return Evidence(
        values={
            "permutation": moved,
            "token_queries": q,
            "token_keys": k,
            "token_values": v,
            "plain_outputs": plain,
            "plain_outputs_of_permuted": plain_moved,
            "rotated_outputs": turned,
            "rotated_outputs_of_permuted": turned_moved,
            "order_difference": greatest_difference(turned_moved, turned[moved]),
        },
        checks=(
            agree("equivariant-without-positions", plain_moved, plain[moved], 1e-12),
            differ("not-invariant", plain_moved, plain, 0.1),
            differ("order-counts-with-rotation", turned_moved, turned[moved], 0.1),
            agree("positions-travel", travelled, turned[moved], 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """For each token the output before and after the permutation."""
    contents: Rows = tuple(
        (token, letter, *(Number(value) for value in evidence[name][token]))
        for letter, name in (("Q", "token_queries"), ("K", "token_keys"), ("V", "token_values"))
        for token in range(len(evidence[name]))
    )
    return (
        table(
            t(
                "Queries, keys and values of the three tokens, here and in the next section:",
                "Запросы, ключи и значения трёх токенов, здесь и в следующем разделе:",
            ),
            (
                *right(t("token", "токен")),
                *left(""),
                *right(*(f"[{at}]" for at in range(len(TOKEN_QUERIES[0])))),
            ),
            contents,
        ),
        _outputs(
            evidence,
            "plain",
            t(
                "Without positions, output of each token in both orders:",
                "Без позиций, выход каждого токена при обоих порядках:",
            ),
        ),
        _outputs(
            evidence,
            "rotated",
            t("With RoPE at positions 0, 1, 2:", "С RoPE в позициях 0, 1, 2:"),
        ),
        say(
            "Without positions each output keeps its token, whatever the order: "
            "attention is permutation-equivariant. RoPE turns row 0 by 0, row 1 by 1 and "
            "row 2 by 2 positions, whoever stands there, and outputs differ by up to "
            "{difference}. No causal mask is used here.",
            "Без позиций выход следует за своим токеном при любом порядке: внимание "
            "эквивариантно относительно перестановки. RoPE поворачивает строки 0, 1 и 2 "
            "на 0, 1 и 2 позиции, какой бы токен там ни стоял, и выходы расходятся на "
            "величину до {difference}. Каузальной маски здесь нет.",
            difference=evidence["order_difference"],
        ),
    )


def _outputs(evidence: Evidence, kind: str, caption: Text) -> Table:
    before, after = evidence[f"{kind}_outputs"], evidence[f"{kind}_outputs_of_permuted"]
    moved = ", ".join(map(str, evidence["permutation"]))
    first = ", ".join(map(str, range(len(before))))
    places = {token: place for place, token in enumerate(evidence["permutation"])}
    lines: Rows = tuple(
        (token, name, *(Number(value) for value in output))
        for token in range(len(before))
        for name, output in ((first, before[token]), (moved, after[places[token]]))
    )
    return table(
        caption,
        (
            *right(t("token", "токен")),
            *left(t("order", "порядок")),
            *right(*(f"[{feature}]" for feature in range(np.shape(before)[1]))),
        ),
        lines,
    )
