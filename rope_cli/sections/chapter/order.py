"""Attention without order: permuted rows give permuted outputs, until positions are rotated in."""

from __future__ import annotations

from rope_cli.document.blocks import Block, Heat, Phrase, Table
from rope_cli.document.charts import floats
from rope_cli.document.evidence import Evidence, agree, differ, greatest_difference
from rope_cli.document.vocabulary import formula, left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import Array, Example
from rope_cli.experiments import three_tokens
from rope_cli.rope import attention
from rope_cli.text import Text

TITLE = t("Attention and order", "Внимание и порядок токенов")
QUESTION = t(
    "Three tokens change places. Without any information about positions, do the outputs of "
    "attention change, move along with the tokens, or stay where they were?",
    "Три токена поменялись местами. Если сведений о позициях нет, выходы внимания изменятся, "
    "переставятся вместе с токенами или останутся на своих местах?",
)

CLAIMS = {
    "outputs-by-definition": t(
        "the outputs are those of the three formulas, computed in plain Python",
        "выходы совпадают с вычисленными по трём формулам на чистом Python",
    ),
    "equivariant-without-positions": t(
        "without positions the outputs move along with the tokens, unchanged",
        "без позиций выходы переставляются вместе с токенами и не меняются",
    ),
    "not-invariant": t(
        "without positions the outputs do move: equivariant is not invariant",
        "без позиций выходы всё же переставляются, поэтому внимание не инвариантно",
    ),
    "order-counts-with-rotation": t(
        "with RoPE at positions 0, 1, 2 some outputs change",
        "с RoPE в позициях 0, 1, 2 выходы меняются",
    ),
    "positions-travel": t(
        "if each token takes its position along, the outputs only move along",
        "если каждый токен уносит с собой свою позицию, выходы только переставляются",
    ),
    "mask-tells-order": t(
        "under a causal mask two equal tokens have different outputs, even without positions",
        "под каузальной маской выходы двух равных токенов различны даже без позиций",
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
    outputs = [plain, plain_permuted, rotated, rotated_permuted]
    return (
        Evidence(
            values={
                "permutation": permuted,
                "token_queries": q,
                "token_keys": k,
                "token_values": v,
                "plain_outputs": plain,
                "plain_outputs_of_permuted": plain_permuted,
                "rotated_outputs": rotated,
                "rotated_outputs_of_permuted": rotated_permuted,
                "output_changes": rotated_permuted - rotated[permuted],
                "order_difference": greatest_difference(rotated_permuted, rotated[permuted]),
            },
            checks=(
                agree("outputs-by-definition", outputs, defined_outputs(example), 1e-12),
                agree("equivariant-without-positions", plain_permuted, plain[permuted], 1e-12),
                differ("not-invariant", plain_permuted, plain, 0.1),
                differ("order-counts-with-rotation", rotated_permuted, rotated[permuted], 0.1),
                agree("positions-travel", with_positions, rotated[permuted], 1e-12),
            ),
        )
        + equal_tokens()
    )


def defined_outputs(example: Example) -> list[Array]:
    """The outputs of both orders by definition, without and with the rotation."""
    outputs = []
    for base in (None, example.parameters.base):
        for tokens in ([0, 1, 2], [2, 0, 1]):
            q, k, v = (rows[tokens] for rows in three_tokens.contents())
            if base is not None:
                q, k = (reference.rotate(rows, base, range(len(tokens))) for rows in (q, k))
            outputs.append(reference.attend(q, k, v))
    return outputs


def equal_tokens() -> Evidence:
    """Tokens 0, 1, 0 under a causal mask: how far apart the outputs of the two equal ones are."""
    q, k, v = (rows[[0, 1, 0]] for rows in three_tokens.contents())
    first, _, last = attention.attend(q, k, v, attention.causal_mask(3))
    return Evidence(
        values={"equal_tokens_apart": greatest_difference(first, last)},
        checks=(differ("mask-tells-order", first, last, 0.1),),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Attention by its formulas; for each token the output before and after the permutation."""
    return (
        formula("s_mn = q_m·k_n / √d"),
        formula("a_mn = e^(s_mn) / Σ_n e^(s_mn)"),
        formula("o_m = Σ_n a_mn v_n"),
        say(
            "This is attention (Vaswani et al. 2017, arXiv 1706.03762). Query m gives every key n "
            "a score s_mn. The second line, softmax, converts the scores of a query into positive "
            "weights a_mn whose sum is 1, and the output o_m mixes the value rows v_n with these "
            "weights. Here d = 4, so each dot product is divided by 2.",
            "Это внимание (Vaswani и др., 2017, arXiv 1706.03762). У запроса m и каждого ключа n "
            "есть оценка s_mn. Вторая формула, softmax, делает из оценок одного запроса "
            "положительные веса a_mn с суммой 1. С этими весами складываются строки значений v_n, "
            "и получается выход o_m. Здесь d = 4, и каждое скалярное произведение делится на 2.",
        ),
        contents(evidence),
        outputs(
            evidence,
            "plain",
            t(
                "Without positions, the output of each token in both orders:",
                "Выход каждого токена при обоих порядках, без позиций:",
            ),
        ),
        outputs(
            evidence,
            "rotated",
            t(
                "With RoPE at positions 0, 1, 2, the output of each token in both orders:",
                "Выход каждого токена при обоих порядках, с RoPE в позициях 0, 1, 2:",
            ),
        ),
        changes(evidence),
        *what_moves(evidence),
    )


def changes(evidence: Evidence) -> Heat:
    """What the other order adds to the output of each token, with RoPE."""
    tokens = t("token {token}", "токен {token}")
    rows = sorted(zip(evidence["permutation"], evidence["output_changes"], strict=True))
    return Heat(
        t(
            "With RoPE, what the other order adds to the output of each token; without positions "
            "every cell would be 0",
            "Что другой порядок прибавляет к выходу каждого токена с RoPE; без позиций в каждой "
            "ячейке стоял бы 0",
        ),
        tuple(Phrase(tokens, {"token": token}) for token, _ in rows),
        ("[0]", "[1]", "[2]", "[3]"),
        tuple(floats(row) for _, row in rows),
        t(
            "No cell is 0. The largest change is that of token 1, at coordinate 0.",
            "Ни в одной ячейке нет нуля. Сильнее всего изменилась координата 0 токена 1.",
        ),
        graphical=True,
    )


def what_moves(evidence: Evidence) -> tuple[Block, ...]:
    """Equivariance, what ends it, and the order that a mask gives away."""
    return (
        say(
            "Without positions each token has the same output in either order: the outputs move "
            "along. This is called equivariance under permutations. It is not invariance, since "
            "the list of outputs does change. RoPE rotates whichever token is in row m for "
            "position m. A token that changes places is rotated differently, and the outputs "
            "differ by up to {difference}. They depend on the order, then, though not on absolute "
            "positions: the next section shifts all three.",
            "Без позиций выход токена один и тот же при любом порядке: выходы переставляются "
            "вместе с токенами. Это называют эквивариантностью относительно перестановки. "
            "Инвариантности здесь нет: список выходов всё-таки меняется. RoPE поворачивает строку "
            "m для позиции m, какой бы токен в ней ни оказался. У переставленного токена поворот "
            "уже другой, и выходы расходятся на величину до {difference}. Итак, от порядка они "
            "зависят, а от абсолютных позиций — нет: это покажет следующий раздел, в котором все "
            "три позиции сдвигаются.",
            difference=evidence["order_difference"],
        ),
        say(
            "No key is hidden here. A causal mask hides from query m every key later than m, and "
            "it gives the order away even without positions. Take the tokens 0, 1, 0: for the "
            "first only its own key is visible, for the last all three are, and the outputs of "
            "these two equal tokens differ by up to {apart}.",
            "Здесь ни один ключ не скрыт. Каузальная маска скрывает от запроса m все ключи позже "
            "m и выдаёт порядок даже без позиций. Возьмём токены 0, 1, 0: первому виден только "
            "собственный ключ, последнему — все три, и выходы этих двух равных токенов расходятся "
            "на величину до {apart}.",
            apart=evidence["equal_tokens_apart"],
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
