"""Mask, values and rotation: what hides a key, and what becomes of a rotated V."""

from __future__ import annotations

from functools import partial

import numpy as np

from rope_cli.document.blocks import Block, Heat, Matrix, Paragraph, Table
from rope_cli.document.charts import heat_by_position
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, differ, greatest_difference
from rope_cli.document.vocabulary import brief, left, matrix, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array
from rope_cli.experiments import three_tokens
from rope_cli.experiments.three_tokens import Rotated
from rope_cli.rope import attention
from rope_cli.text import Text

TITLE = t("Mask, values and rotation", "Маска, значения и поворот")
QUESTION = t(
    "Can a rotation hide from a query a key that comes later? And if V is rotated like Q and K, "
    "does an equal shift still leave the output as it was?",
    "Может ли поворот скрыть от запроса ключ, который стоит позже? И если повернуть V так же, как "
    "Q и K, останется ли выход прежним при одинаковом сдвиге?",
)

CLAIMS = {
    "weights-by-definition": t(
        "the weights are those of softmax and mask, computed in plain Python",
        "веса совпадают с вычисленными по определению softmax и маски на чистом Python",
    ),
    "same-zeros": t(
        "the causal weights are 0 for later keys and nowhere else, with and without RoPE",
        "каузальные веса равны 0 для более поздних ключей и только для них, с RoPE и без него",
    ),
    "weights-sum-to-one": t(
        "the weights of every query add up to 1", "сумма весов каждого запроса равна 1"
    ),
    "hidden-scores-not-zero": t(
        "each score behind the mask is far from 0: it is the mask that hides it",
        "каждая оценка под маской далека от нуля: скрывает её именно маска",
    ),
    "equal-scores-share": t(
        "with equal scores the query at position 5 gives each of six keys the weight 1/6",
        "при равных оценках запрос в позиции 5 даёт каждому из шести ключей вес 1/6",
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
        "with V rotated and the output rotated back, an equal shift keeps the output",
        "если повернуть V, а выход — обратно, одинаковый сдвиг не меняет выход",
    ),
    "queries-only-move": t(
        "with Q alone rotated, an equal shift changes the output",
        "если повернуть только Q, одинаковый сдвиг меняет выход",
    ),
    "moves-by-definition": t(
        "these changes are the ones computed by the three formulas in plain Python",
        "эти изменения совпадают с вычисленными по трём формулам на чистом Python",
    ),
}
ROTATED: tuple[Rotated, ...] = ("queries-and-keys", "with-values", "rotated-back", "queries")


def gather(example: Example) -> Evidence:
    """Masked weights without and with RoPE, and four choices of what to rotate."""
    return masked_weights(example) + output_changes(example)


def masked_weights(example: Example) -> Evidence:
    """The weights of three tokens, of the chapter's rows, and of equal scores."""
    q, k, _ = three_tokens.contents()
    base, visible = example.parameters.base, attention.causal_mask(len(q))
    future = np.triu(np.ones((len(q), len(q)), dtype=bool), 1)
    scores = attention.scores(example.rotate_query(q), example.rotate_key(k))
    plain_weights = attention.softmax(attention.scores(q, k), visible)
    rotated_weights = attention.softmax(scores, visible)
    row = np.tile(as_array(FIRST_COLUMN), (3, 1))
    chapter_scores = attention.scores(example.rotate_query(row), example.rotate_key(row))
    weights = np.array([plain_weights, rotated_weights, attention.softmax(chapter_scores, visible)])
    at_positions = partial(reference.rotate, base=base, positions=range(3))
    rows = ((q, k), (at_positions(q), at_positions(k)), (at_positions(row), at_positions(row)))
    by_definition = [reference.attention_weights(*pair, causal=True) for pair in rows]
    hidden = scores[future]
    least_hidden = float(np.abs(hidden).min(initial=np.inf))
    share = attention.softmax(np.zeros((6, 6)), attention.causal_mask(6))[5]
    return Evidence(
        values={
            "plain_weights": plain_weights,
            "rotated_weights": rotated_weights,
            "chapter_scores": example.grid(FIRST_COLUMN, FIRST_COLUMN)[1],
            "chapter_weights": weights[2, 1],
            "hidden_scores": hidden,
            "equal_share": share[0],
        },
        checks=(
            agree("weights-by-definition", weights, by_definition, 1e-12),
            all_true("same-zeros", ((weights[:2] == 0) == future).ravel().tolist()),
            agree("weights-sum-to-one", weights[:2].sum(axis=2), np.ones((2, len(q))), 1e-12),
            Check("hidden-scores-not-zero", least_hidden, 0.1, hidden.size, "at least"),
            agree("equal-scores-share", share, [1 / 6] * 6, 1e-12),
        ),
    )


def output_changes(example: Example) -> Evidence:
    """What an equal shift does to the output, by what is rotated."""
    shift = example.parameters.shift
    outputs = {
        rotated: [three_tokens.attend(example, offset, rotated) for offset in (0, shift)]
        for rotated in ROTATED
    }
    moves = {name: greatest_difference(*pair) for name, pair in outputs.items()}
    kept, values, back, alone = outputs.values()
    defined = [
        greatest_difference(*(defined_output(example, offset, rotated) for offset in (0, shift)))
        for rotated in ("QKV", "Q")
    ]
    return Evidence(
        values={"visibility_shift": shift, "output_moves": moves},
        checks=(
            agree("queries-and-keys-only", kept[1], kept[0], 1e-12),
            differ("values-rotated-move", values[1], values[0], 0.1),
            agree("values-rotated-back", back[1], back[0], 1e-12),
            differ("queries-only-move", alone[1], alone[0], 0.1),
            agree("moves-by-definition", [moves["with-values"], moves["queries"]], defined, 1e-12),
        ),
    )


def defined_output(example: Example, offset: int, rotated: str) -> Array:
    """The output by definition; ``rotated`` holds the letters of what is rotated."""
    positions = range(offset, offset + 3)
    q, k, v = (
        reference.rotate(rows, example.parameters.base, positions) if letter in rotated else rows
        for letter, rows in zip("QKV", three_tokens.contents(), strict=True)
    )
    return reference.attend(q, k, v)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """From dot products to weights, the two triangles, then what a shift does to the output."""
    return (
        from_scores_to_weights(evidence),
        weights_table(
            t(
                'Without RoPE, the causal weights of the three tokens of section "order":',
                "Каузальные веса трёх токенов из раздела «order» без RoPE:",
            ),
            evidence["plain_weights"],
        ),
        weights_table(
            t(
                "With RoPE, the causal weights of the same tokens:",
                "Каузальные веса тех же токенов с RoPE:",
            ),
            evidence["rotated_weights"],
        ),
        weights_as_heat(evidence),
        what_the_mask_does(evidence),
        output_moves(evidence),
        *what_to_rotate(evidence),
    )


def from_scores_to_weights(evidence: Evidence) -> Paragraph:
    """How a dot product of the chapter's matrix becomes a weight."""
    near, own, _ = evidence["chapter_scores"]
    near_weight, own_weight, _ = evidence["chapter_weights"]
    return say(
        "A dot product becomes a weight in three steps: it is divided by √d, it is dropped if "
        "the key is later than the query, and softmax is applied to the scores that remain. In "
        'the chapter\'s matrix (section "dot-products") the product of query 1 is {near} with key '
        "0 and {own} with key 1. They are halved, key 2 is hidden, and softmax turns these two "
        "into the weights {near_weight} and {own_weight}.",
        "Скалярное произведение становится весом в три шага: его делят на √d, отбрасывают, если "
        "ключ позже запроса, и к оставшимся оценкам применяют softmax. В матрице из главы (раздел "
        "«dot-products») у запроса 1 с ключом 0 вышло {near}, с ключом 1 — {own}. После деления на "
        "√d = 2 и маски, которая скрывает ключ 2, получаются веса {near_weight} и {own_weight}.",
        near=near,
        own=brief(own),
        near_weight=near_weight,
        own_weight=own_weight,
    )


def what_the_mask_does(evidence: Evidence) -> Paragraph:
    """That the zeros are the mask's work, and that they tell positions too."""
    first, second, third = evidence["hidden_scores"]
    return say(
        "RoPE changes the weights but not the zeros. The scores under the zeros, at (0,1), (0,2) "
        "and (1,2), are {first}, {second} and {third}: only the mask removes them. Nor can RoPE "
        "replace the mask, although the mask by itself reveals something about positions. Even if "
        "all scores are equal, the query at position 5 gives each of its 6 visible keys the weight "
        "{share}, and at any other position this share is different.",
        "RoPE меняет веса, но не нули. Под нулями в (0,1), (0,2) и (1,2) лежат оценки {first}, "
        "{second} и {third}; убирает их только маска. Заменить её RoPE не может, хотя маска и сама "
        "кое-что сообщает о позициях: даже если все оценки равны, запрос в позиции 5 даёт каждому "
        "из 6 видимых ключей вес {share}, а в другой позиции эта доля другая.",
        first=first,
        second=second,
        third=third,
        share=evidence["equal_share"],
    )


def what_to_rotate(evidence: Evidence) -> tuple[Block, ...]:
    """Why V stays, why every layer rotates again, and a query that is rotated alone."""
    moves = evidence["output_moves"]
    return (
        say(
            "A score needs the difference of two positions, and rotating both Q and K provides it. "
            "A value meets no second rotation, so a rotated V carries its absolute position into "
            "the output, unless the output is rotated back. With V left alone the output does not "
            "depend on where the numbering starts. RoPE leaves no position there for the next "
            "layer to use, so a layer that is to see n-m rotates its own queries and keys. LLaMA "
            "applies RoPE in every layer; Llama 4 leaves some layers without it.",
            "В оценке встречаются два поворота, запроса и ключа, и от них остаётся разность "
            "позиций. А поворот значения ничем не уравновешен, и повёрнутое V заносит в выход свою "
            "абсолютную позицию, если только выход потом не повернуть обратно. Если же V не "
            "трогать, выход не зависит от того, с какого номера начинается счёт. Следующему слою "
            "RoPE никакой позиции не оставляет, поэтому слой, которому нужна n-m, поворачивает "
            "свои запросы и ключи сам. В LLaMA RoPE применяется в каждом слое, а в Llama 4 "
            "некоторые слои обходятся без него.",
        ),
        say(
            "The last line matters for cross-attention, where the keys come from another sequence. "
            "If the query alone is rotated, its score depends on its absolute position, and the "
            "output changes by up to {alone}. So either both sides have positions that can be "
            "compared, or neither is rotated.",
            "Последняя строка важна для перекрёстного внимания, где ключи приходят из другой "
            "последовательности. Если поворачивать только запрос, оценка зависит от его абсолютной "
            "позиции и выход меняется на величину до {alone}. Поэтому либо позиции обеих сторон "
            "сравнимы, либо не поворачивают ничего.",
            alone=moves["queries"],
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


def weights_as_heat(evidence: Evidence) -> Heat:
    """The weights with RoPE, shaded."""
    return heat_by_position(
        t("Causal weights with RoPE as a picture", "Каузальные веса с RoPE на рисунке"),
        evidence["rotated_weights"],
        t(
            "Above the diagonal every cell is empty. Each row shares the weight 1 among the keys "
            "visible to its query.",
            "Выше диагонали все ячейки пусты. В каждой строке вес 1 делится между ключами, которые "
            "видит запрос.",
        ),
    )


def output_moves(evidence: Evidence) -> Table:
    """How far an equal shift moves the output, by what is rotated."""
    moves = evidence["output_moves"]
    return table(
        t(
            "What a shift of all positions by {shift} does to the output, without a mask:",
            "Как сдвиг всех позиций на {shift} меняет выход, без маски:",
            shift=evidence["visibility_shift"],
        ),
        (
            *left(t("what is rotated", "что поворачивается")),
            *right(t("largest change of the output", "наибольшее изменение выхода")),
        ),
        (
            ("Q, K", moves["queries-and-keys"]),
            ("Q, K, V", moves["with-values"]),
            (
                t("Q, K, V; the output rotated back", "Q, K, V; выход — обратно"),
                moves["rotated-back"],
            ),
            (t("Q alone", "только Q"), moves["queries"]),
        ),
    )
