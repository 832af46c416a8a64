"""Keys in the cache: rotated once, at their own positions; the usual mistakes beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rope_cli.document.blocks import Block, Table
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.worked_example import Array, Example
from rope_cli.experiments.three_tokens import contents
from rope_cli.rope import attention

TITLE = t("Keys in the cache", "Ключи в кэше")
QUESTION = t(
    "A decoder writes one token at a time and keeps its rotated keys. When the next token comes, "
    "must the kept keys be rotated again? Which token would notice a mistake first?",
    "Декодер пишет по одному токену и хранит уже повёрнутые ключи. Нужно ли поворачивать их снова, "
    "когда приходит следующий токен? И какой токен первым заметит ошибку?",
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
TRUE_POSITIONS = t("true positions", "верные позиции")
WHAT_IS_DONE = t("what is done", "что делают")
MISTAKES = {
    "position-zero": t("each new token at position 0", "новый токен всегда в позиции 0"),
    "query-at-zero": t("query left at position 0", "запрос оставлен в позиции 0"),
    "rotated-twice": t("kept keys rotated again", "хранимые ключи повёрнуты снова"),
}


def gather(example: Example) -> Evidence:
    """Outputs token by token, right and with each mistake, and scores after an eviction."""
    return _token_by_token(example) + _eviction(example) + _moved_keys(example)


def _token_by_token(example: Example) -> Evidence:
    queries, keys, values = contents()
    full = attention.attend(
        example.rotate_query(queries),
        example.rotate_key(keys),
        values,
        attention.causal_mask(len(TOKENS)),
    )
    outputs, scores = _decode(example, TOKENS, TOKENS)
    zeros = [0] * len(TOKENS)
    at_zero, at_zero_scores = _decode(example, zeros, zeros)
    query_at_zero, query_at_zero_scores = _decode(example, zeros, TOKENS)
    twice, twice_scores = _decode(example, TOKENS, TOKENS, rotate_again=True)
    wrong = (at_zero, query_at_zero, twice)
    differences = (np.abs(mistaken - full).max(axis=1) for mistaken in wrong)
    return Evidence(
        values={
            "cache_outputs": outputs,
            "cache_differences": dict(zip(MISTAKES, differences, strict=True)),
            "cache_scores": {
                "right": scores,
                "position-zero": at_zero_scores,
                "query-at-zero": query_at_zero_scores,
                "rotated-twice": twice_scores,
            },
        },
        checks=(
            agree("cache-equals-full", outputs, full, 1e-12),
            agree("cache-first-token-blind", [first for first, *_ in wrong], [full[0]] * 3, 1e-12),
            differ("cache-position-zero", at_zero, full, 0.1),
            differ("cache-query-at-zero", query_at_zero_scores, scores, 0.1),
            differ("cache-rotated-twice", twice, full, 0.1),
        ),
    )


def _decode(
    example: Example,
    query_positions: Sequence[int],
    key_positions: Sequence[int],
    rotate_again: bool = False,
) -> tuple[Array, Array]:
    """Outputs of the three tokens, each with the keys kept so far, and the last dot products."""
    queries, keys, values = contents()
    new_keys = [example.rotate_keys(keys[n : n + 1], [key_positions[n]]) for n in TOKENS]
    outputs, products = [], []
    for token in TOKENS:
        query = example.rotate_queries(queries[token : token + 1], [query_positions[token]])
        kept = np.concatenate(new_keys[: token + 1])
        if rotate_again:
            kept = example.rotate_keys(kept, range(token + 1))
        products.append(attention.dot_products(query, kept)[0])
        outputs.append(attention.attend(query, kept, values[: token + 1])[0])
    return np.array(outputs), products[-1]


def _eviction(example: Example) -> Evidence:
    """Of a hundred keys the first and the last are left; then everything is renumbered."""
    queries, keys, _ = contents()
    kept, renumbered = (
        attention.dot_products(
            example.rotate_queries(queries[-1:], [query_position]),
            example.rotate_keys(keys[:2], key_positions),
        )[0]
        for query_position, key_positions in ((100, (0, 99)), (2, (0, 1)))
    )
    return Evidence(
        values={"evicted_scores": {"true": kept, "renumbered": renumbered}},
        checks=(differ("cache-renumbered", renumbered, kept, 0.1),),
    )


def _moved_keys(example: Example) -> Evidence:
    """Keys that stand at 1, rotated on to 5, and keys rotated there at once."""
    _, keys, _ = contents()
    moved = example.rotate_keys(example.rotate_keys(keys, [1] * 3), [4] * 3)
    at_five = example.rotate_keys(keys, [5] * 3)
    return Evidence(values={}, checks=(agree("cache-moved", moved, at_five, 1e-12),))


def present(evidence: Evidence) -> tuple[Block, ...]:
    """How far each token's output is off, the last scores, and the scores after an eviction."""
    token, ways = t("token", "токен"), {"right": TRUE_POSITIONS, **MISTAKES}
    differences, scores = evidence["cache_differences"], evidence["cache_scores"]
    return (
        table(
            t(
                "How far the output of each token is from that of the full pass:",
                "Насколько выход каждого токена отличается от полного прохода:",
            ),
            (*left(WHAT_IS_DONE), *right(*((token, f" {number}") for number in TOKENS))),
            ((words, *differences[name]) for name, words in MISTAKES.items()),
        ),
        table(
            t("Dot products of the last query:", "Скалярные произведения последнего запроса:"),
            (*left(WHAT_IS_DONE), *right(*(f"q·k, n={number}" for number in TOKENS))),
            ((words, *scores[name]) for name, words in ways.items()),
        ),
        _evicted(evidence),
        say(
            "The near key keeps its score because n-m is -1 either way; the far one does not. A "
            "kept key carries its position and is never rotated again for a new token; the new "
            "query and key go to the next position, counted from the start of the text. To move a "
            "kept key from 1 to 5 on purpose, turn it by the difference, 4.",
            "У ближнего ключа оценка прежняя, потому что n-m в обоих случаях -1; у дальнего — нет. "
            "Хранимый ключ несёт свою позицию и для нового токена заново не поворачивается; новые "
            "запрос и ключ получают следующую позицию, считая от начала текста. Чтобы намеренно "
            "перенести хранимый ключ из 1 в 5, поверните его на разность, 4.",
        ),
    )


def _evicted(evidence: Evidence) -> Table:
    scores = evidence["evicted_scores"]
    return table(
        t(
            "The last query and two keys, after the keys between them were evicted:",
            "Последний запрос и два ключа, когда ключи между ними вытеснены:",
        ),
        (
            *left(t("positions", "позиции"), ""),
            *right(t("first key", "первый ключ"), t("second key", "второй ключ")),
        ),
        (
            ("m=100, n=0, 99", TRUE_POSITIONS, *scores["true"]),
            ("m=2, n=0, 1", t("renumbered", "перенумерованы"), *scores["renumbered"]),
        ),
    )
