"""Attention without order: permuted rows give permuted outputs, until positions are rotated in."""

from __future__ import annotations

from rope_cli.document.blocks import Block, Table
from rope_cli.document.evidence import Evidence, agree, differ, greatest_difference
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.worked_example import Array, Example
from rope_cli.experiments import three_tokens
from rope_cli.rope import attention
from rope_cli.text import Text

TITLE = t("Attention without order", "Внимание без порядка")
QUESTION = t(
    "Three tokens change places. Without position information, do the outputs of attention change, "
    "move along, or stay where they were?",
    "Три токена поменялись местами. Если сведений о позиции нет, выходы внимания изменятся, "
    "переставятся вместе с токенами или останутся на своих местах?",
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


def gather(example: Example) -> Evidence:
    """Attention on three tokens, in both orders, without and with the rotation."""
    q, k, v = three_tokens.contents()
    in_order, permuted = [0, 1, 2], [2, 0, 1]

    def attend_rotated(tokens: list[int], positions: list[int]) -> Array:
        queries = example.rotate_queries(q[tokens], positions)
        return attention.attend(queries, example.rotate_keys(k[tokens], positions), v[tokens])

    plain = attention.attend(q, k, v)
    plain_permuted = attention.attend(q[permuted], k[permuted], v[permuted])
    rotated = attend_rotated(in_order, in_order)
    rotated_permuted = attend_rotated(permuted, in_order)
    with_positions = attend_rotated(permuted, permuted)
    return Evidence(
        values={
            "permutation": permuted,
            "token_queries": q,
            "token_keys": k,
            "token_values": v,
            "plain_outputs": plain,
            "plain_outputs_of_permuted": plain_permuted,
            "rotated_outputs": rotated,
            "rotated_outputs_of_permuted": rotated_permuted,
            "order_difference": greatest_difference(rotated_permuted, rotated[permuted]),
        },
        checks=(
            agree("equivariant-without-positions", plain_permuted, plain[permuted], 1e-12),
            differ("not-invariant", plain_permuted, plain, 0.1),
            differ("order-counts-with-rotation", rotated_permuted, rotated[permuted], 0.1),
            agree("positions-travel", with_positions, rotated[permuted], 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """For each token the output before and after the permutation."""
    return (
        contents(evidence),
        outputs(
            evidence,
            "plain",
            t(
                "Without positions, output of each token in both orders:",
                "Без позиций, выход каждого токена при обоих порядках:",
            ),
        ),
        outputs(
            evidence, "rotated", t("With RoPE at positions 0, 1, 2:", "С RoPE в позициях 0, 1, 2:")
        ),
        say(
            "Without positions each output keeps its token, whatever the order: attention is "
            "permutation-equivariant. RoPE turns row 0 by 0, row 1 by 1 and row 2 by 2 "
            "positions, whoever stands there, and outputs differ by up to {difference}. No "
            "causal mask is used here.",
            "Без позиций выход следует за своим токеном при любом порядке: внимание эквивариантно "
            "относительно перестановки. RoPE поворачивает строки 0, 1 и 2 на 0, 1 и 2 позиции, "
            "какой бы токен там ни стоял, и выходы расходятся на величину до {difference}. "
            "Каузальной маски здесь нет.",
            difference=evidence["order_difference"],
        ),
    )


def contents(evidence: Evidence) -> Table:
    """Queries, keys and values."""
    return table(
        t(
            "Queries, keys and values of the three tokens, here and in the next section:",
            "Запросы, ключи и значения трёх токенов, здесь и в следующем разделе:",
        ),
        (*right(t("token", "токен")), *left(""), *right("[0]", "[1]", "[2]", "[3]")),
        (
            (token, letter, *row)
            for letter, name in (("Q", "queries"), ("K", "keys"), ("V", "values"))
            for token, row in enumerate(evidence[f"token_{name}"])
        ),
    )


def outputs(evidence: Evidence, kind: str, caption: Text) -> Table:
    """The output of each token in both orders."""
    before, after = evidence[f"{kind}_outputs"], evidence[f"{kind}_outputs_of_permuted"]
    permutation = evidence["permutation"]
    return table(
        caption,
        (
            *right(t("token", "токен")),
            *left(t("order", "порядок")),
            *right("[0]", "[1]", "[2]", "[3]"),
        ),
        (
            (token, order, *row)
            for token in range(len(before))
            for order, row in (
                ("0, 1, 2", before[token]),
                (", ".join(map(str, permutation)), after[permutation.index(token)]),
            )
        ),
    )
