"""Keys in the cache: rotated once, at their own positions; the usual mistakes beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rope_cli.document.blocks import Block, Column, Number, Rows
from rope_cli.document.evidence import Evidence, agree, differ
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

TITLE = t("Keys in the cache", "Ключи в кэше")
QUESTION = t(
    "A decoder writes one token at a time and keeps its rotated keys. When the next "
    "token comes, must the kept keys be rotated again? Which token would notice a "
    "mistake first?",
    "Декодер пишет по одному токену и хранит уже повёрнутые ключи. Нужно ли "
    "поворачивать их снова, когда приходит следующий токен? И какой токен первым "
    "заметит ошибку?",
)

CLAIMS = {
    "cache-equals-full": t(
        "token by token, with true positions, the outputs are those of one full pass",
        "по одному токену, с верными позициями, выходы те же, что за один полный проход",
    ),
    "cache-first-token-blind": t(
        "at the first token no mistake shows: it sees nothing but itself",
        "на первом токене ни одна ошибка не видна: он видит только себя",
    ),
    "cache-position-zero": t(
        "with every new token at position 0 outputs change",
        "если каждый новый токен ставить в позицию 0, выходы меняются",
    ),
    "cache-query-at-zero": t(
        "with the query left at position 0 scores change",
        "если запрос оставить в позиции 0, оценки меняются",
    ),
    "cache-rotated-twice": t(
        "with kept keys rotated once more outputs change",
        "если повернуть хранимые ключи ещё раз, выходы меняются",
    ),
    "cache-renumbered": t(
        "if everything is renumbered after eviction, keys too, the score of the far key changes",
        "если после вытеснения перенумеровать всё, и ключи тоже, оценка дальнего ключа меняется",
    ),
    "cache-moved": t(
        "a kept key can be moved: R(4) of R(1)k is R(5)k",
        "хранимый ключ можно передвинуть: R(4), применённый к R(1)k, даёт R(5)k",
    ),
}
TOKENS = range(3)
# The last query at 100, of the first hundred keys only those at 0 and 99 left.
FAR, KEPT = 100, (0, 99)
MISTAKES = ("position-zero", "query-at-zero", "rotated-twice")


def gather(example: Example) -> Evidence:
    """Outputs token by token, right and with each mistake, and scores after an eviction."""
    q, k, v = as_array(TOKEN_QUERIES), as_array(TOKEN_KEYS), as_array(TOKEN_VALUES)
    visible = attention.causal_mask(len(q))
    full = attention.attend(example.rotate_query(q), example.rotate_key(k), v, visible)
    zeros = [0] * len(q)
    right_scores, scores = _token_by_token(example, TOKENS, TOKENS)
    wrong = {
        "position-zero": _token_by_token(example, zeros, zeros),
        "query-at-zero": _token_by_token(example, zeros, TOKENS),
        "rotated-twice": _token_by_token(example, TOKENS, TOKENS, again=True),
    }
    outputs = {name: found for name, (found, _) in wrong.items()}
    last = q[-1:]
    true = attention.dot_products(
        example.rotate_queries(last, [FAR]), example.rotate_keys(k[:2], KEPT)
    )
    renumbered = attention.dot_products(
        example.rotate_queries(last, [2]), example.rotate_keys(k[:2], (0, 1))
    )
    # A key that knows only where it stands: turned on from there, or rotated where it shall be.
    moved = example.rotate_keys(example.rotate_keys(k, [1] * len(k)), [4] * len(k))
    return Evidence(
        values={
            "cache_outputs": right_scores,
            "cache_differences": {
                name: np.abs(found - full).max(axis=1) for name, found in outputs.items()
            },
            "cache_scores": {
                "right": scores,
                **{name: found for name, (_, found) in wrong.items()},
            },
            "evicted_scores": {"true": true[0], "renumbered": renumbered[0]},
        },
        checks=(
            agree("cache-equals-full", right_scores, full, 1e-12),
            agree(
                "cache-first-token-blind",
                [found[0] for found in outputs.values()],
                [full[0]] * len(outputs),
                1e-12,
            ),
            differ("cache-position-zero", outputs["position-zero"], full, 0.1),
            differ("cache-query-at-zero", wrong["query-at-zero"][1], scores, 0.1),
            differ("cache-rotated-twice", outputs["rotated-twice"], full, 0.1),
            differ("cache-renumbered", renumbered, true, 0.1),
            agree("cache-moved", moved, example.rotate_keys(k, [5] * len(k)), 1e-12),
        ),
    )


def _token_by_token(
    example: Example,
    query_positions: Sequence[int],
    key_positions: Sequence[int],
    again: bool = False,
) -> tuple[Array, Array]:
    """Outputs of the three tokens, each with the keys kept so far, and the last dot products."""
    q, k, v = as_array(TOKEN_QUERIES), as_array(TOKEN_KEYS), as_array(TOKEN_VALUES)
    kept = np.empty((0, k.shape[1]))
    outputs, products = [], np.empty((1, 0))
    for token in TOKENS:
        query = example.rotate_queries(q[token : token + 1], [query_positions[token]])
        key = example.rotate_keys(k[token : token + 1], [key_positions[token]])
        kept = np.concatenate([kept, key])
        keys = example.rotate_keys(kept, range(token + 1)) if again else kept
        products = attention.dot_products(query, keys)
        outputs.append(attention.attend(query, keys, v[: token + 1])[0])
    return np.array(outputs), products[0]


def present(evidence: Evidence) -> tuple[Block, ...]:
    """How far each token's output is off, the last scores, and the scores after an eviction."""
    token = t("token", "токен")
    names = {"right": t("true positions", "верные позиции"), **WORDS}
    off: Rows = tuple(
        (WORDS[name], *(Number(value) for value in evidence["cache_differences"][name]))
        for name in MISTAKES
    )
    scores: Rows = tuple(
        (names[name], *(Number(value) for value in evidence["cache_scores"][name]))
        for name in ("right", *MISTAKES)
    )
    evicted: Rows = tuple(
        (places, words, *(Number(value) for value in evidence["evicted_scores"][name]))
        for name, places, words in (
            ("true", "m=100, n=0, 99", t("true positions", "верные позиции")),
            ("renumbered", "m=2, n=0, 1", t("renumbered", "перенумерованы")),
        )
    )
    numbered = tuple(Column((token, f" {at}"), "right") for at in TOKENS)
    products = tuple(Column(f"q·k, n={at}", "right") for at in TOKENS)
    manner = Column(t("what is done", "что делают"))
    return (
        table(
            t(
                "How far the output of each token is from that of the full pass:",
                "Насколько выход каждого токена отличается от полного прохода:",
            ),
            (
                manner,
                *numbered,
            ),
            off,
        ),
        table(
            t("Dot products of the last query:", "Скалярные произведения последнего запроса:"),
            (
                manner,
                *products,
            ),
            scores,
        ),
        table(
            t(
                "The last query and two keys, after the keys between them were evicted:",
                "Последний запрос и два ключа, когда ключи между ними вытеснены:",
            ),
            (
                *left(t("positions", "позиции"), ""),
                *right(t("first key", "первый ключ"), t("second key", "второй ключ")),
            ),
            evicted,
        ),
        say(
            "The near key keeps its score because n-m is -1 either way; the far one does "
            "not. A kept key "
            "carries its position and is never rotated again for a new token; the new "
            "query and key go to the next position, counted from the start of the text. "
            "To move a kept key from 1 to 5 on purpose, turn it by the difference, 4.",
            "У ближнего ключа оценка прежняя, потому что n-m в обоих случаях -1; у "
            "дальнего — нет. "
            "Хранимый ключ несёт свою позицию и для нового токена заново не поворачивается; "
            "новые запрос и ключ получают следующую позицию, считая от начала текста. "
            "Чтобы намеренно перенести хранимый ключ из 1 в 5, поверните его на разность, 4.",
        ),
    )


WORDS = {
    "position-zero": t("each new token at position 0", "новый токен всегда в позиции 0"),
    "query-at-zero": t("query left at position 0", "запрос оставлен в позиции 0"),
    "rotated-twice": t("kept keys rotated again", "хранимые ключи повёрнуты снова"),
}
