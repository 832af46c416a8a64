"""Keys in the cache: rotated once, at their own positions; mistakes and other ways beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.blocks import Block, Column, Heat, Phrase, Table
from rope_cli.document.charts import floats
from rope_cli.document.evidence import Evidence, agree, differ, greatest_difference
from rope_cli.document.vocabulary import left, right, say, t, table, table_by_columns
from rope_cli.example.worked_example import Array, Example
from rope_cli.experiments.three_tokens import contents
from rope_cli.rope import attention
from rope_cli.rope.tables import RotaryEmbedding

TITLE = t("Keys in the cache", "Ключи в кэше")
QUESTION = t(
    "A decoder writes one token at a time and keeps the rotated keys of the earlier ones. When the "
    "next token comes, must the kept keys be rotated again? And if somebody gets this wrong, at "
    "which token does it show first?",
    "Декодер пишет по одному токену и хранит уже повёрнутые ключи прежних. Нужно ли поворачивать "
    "их снова, когда приходит следующий токен? А если тут ошибиться, на каком токене ошибка "
    "впервые проявится?",
)

CLAIMS = {
    "cache-equals-full": t(
        "token by token, at the true positions, the outputs are those of one full pass",
        "по одному токену, в верных позициях, выходы те же, что за один полный проход",
    ),
    "cache-first-token-blind": t(
        "token 0 reveals none of the mistakes, because it attends only to itself",
        "токен 0 не выдаёт ни одной из ошибок: он обращается только к самому себе",
    ),
    "cache-position-zero": t(
        "with every new token at position 0 outputs change",
        "если каждый новый токен стоит в позиции 0, выходы меняются",
    ),
    "cache-query-at-zero": t(
        "with every query left at position 0 scores change",
        "если каждый запрос оставить в позиции 0, оценки меняются",
    ),
    "cache-rotated-twice": t(
        "with the kept keys rotated once more outputs change",
        "если повернуть хранимые ключи ещё раз, выходы меняются",
    ),
    "cache-renumbered": t(
        "if all positions are renumbered after an eviction, those of kept keys too, the score of "
        "the far key changes",
        "если после вытеснения перенумеровать все позиции, и хранимых ключей тоже, оценка дальнего "
        "ключа меняется",
    ),
    "cache-moved": t(
        "a kept key can be moved: R(4) takes R(1)k to R(5)k",
        "хранимый ключ можно передвинуть: R(4) переводит R(1)k в R(5)k",
    ),
    "cache-unrotated": t(
        "keys that are kept unrotated and rotated at each use give the same outputs",
        "ключи, которые хранят неповёрнутыми и поворачивают при каждом обращении, дают те же "
        "выходы",
    ),
    "cache-old-base": t(
        "with a new base, keys kept from the old one change outputs by 0.005 or more",
        "при новом основании ключи, хранимые со старым, меняют выходы хотя бы на 0.005",
    ),
    "cache-new-base": t(
        "in one layer kept keys rotated back with the old base and forward with the new one give "
        "the outputs of the new base",
        "в одном слое хранимые ключи, повёрнутые назад со старым основанием и вперёд с новым, дают "
        "выходы нового основания",
    ),
    "cache-packed": t(
        "samples that are masked from one another have the same outputs with restarting and with "
        "continued positions",
        "у примеров, скрытых друг от друга маской, выходы одни и те же, начинаются позиции заново "
        "или продолжаются",
    ),
    "cache-packed-visible": t(
        "without that mask the outputs of the second sample are different",
        "без этой маски выходы второго примера другие",
    ),
}
TOKENS = range(3)
TRUE_POSITIONS = t("true positions", "верные позиции")
WHAT_IS_DONE = t("what is done", "что сделано")
NEW_BASE = 10000.0
MISTAKES = {
    "position-zero": t("each new token at position 0", "новый токен всегда в позиции 0"),
    "query-at-zero": t("each query at position 0", "запрос всегда в позиции 0"),
    "rotated-twice": t("kept keys rotated again", "хранимые ключи повёрнуты снова"),
}

# What else is done to kept keys, in the order of the last table.
OTHER_WAYS = (
    t("kept unrotated, rotated at each use", "хранятся без поворота, повёрнуты при обращении"),
    t("base raised to 10000, kept keys as before", "основание стало 10000, хранимые ключи те же"),
    t("the same, keys rotated back and anew", "то же, ключи повёрнуты назад и заново"),
    t(
        "two samples masked apart, positions 0–2, 0–2",
        "два примера под маской, позиции 0–2, 0–2",
    ),
    t("two samples masked apart, positions 0–5", "два примера под маской, позиции 0–5"),
    t("two samples, not masked apart", "два примера, друг от друга не скрыты"),
)


def gather(example: Example) -> Evidence:
    """Outputs token by token, right and with each mistake, and other ways to keep keys."""
    return (
        _token_by_token(example)
        + _eviction(example)
        + _moved_keys(example)
        + _unrotated_keys(example)
        + _another_base(example)
        + _packed_samples(example)
    )


def _token_by_token(example: Example) -> Evidence:
    full = _full_pass(example)
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


def _full_pass(example: Example, embedding: RotaryEmbedding | None = None) -> Array:
    """The outputs of the three tokens at positions 0, 1, 2, each attending to what came before."""
    queries, keys, values = contents()
    return attention.attend(
        example.rotate_query(queries, 0, embedding),
        example.rotate_key(keys, 0, embedding),
        values,
        attention.causal_mask(len(TOKENS)),
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


def _unrotated_keys(example: Example) -> Evidence:
    """Each new token rotates every kept key to its own position."""
    queries, keys, values = contents()
    outputs, rotations = [], 0
    for token in TOKENS:
        kept = slice(0, token + 1)
        query = example.rotate_queries(queries[token : token + 1], [token])
        rotated = example.rotate_keys(keys[kept], range(token + 1))
        rotations += len(rotated)
        outputs.append(attention.attend(query, rotated, values[kept])[0])
    full = _full_pass(example)
    return Evidence(
        values={
            "unrotated_difference": greatest_difference(outputs, full),
            "key_rotations": [rotations, len(TOKENS)],
        },
        checks=(agree("cache-unrotated", outputs, full, 1e-12),),
    )


def _another_base(example: Example) -> Evidence:
    """The base rises, while the cache holds keys that were rotated with the old one.

    Each token meets the earlier keys as they were kept, and its own with the new base.
    """
    queries, keys, values = contents()
    embedding = example.embedding_for(keys.shape[1], len(TOKENS), NEW_BASE)
    visible = attention.causal_mask(len(TOKENS))
    full, query = _full_pass(example, embedding), example.rotate_query(queries, 0, embedding)
    old = example.rotate_key(keys)
    anew = example.rotate_key(example.embedding.rotate_transpose(old, 0), 0, embedding)
    moved = attention.attend(query, anew, values, visible)
    mixed = np.concatenate(
        [
            attention.attend(
                query[token : token + 1],
                np.concatenate([old[:token], anew[token : token + 1]]),
                values[: token + 1],
            )
            for token in TOKENS
        ]
    )
    return Evidence(
        values={
            "base_differences": [greatest_difference(rows, full) for rows in (mixed, moved)],
        },
        checks=(
            differ("cache-old-base", mixed, full, 0.005),
            agree("cache-new-base", moved, full, 1e-12),
        ),
    )


def _packed_samples(example: Example) -> Evidence:
    """The three tokens twice in one row of six, as two samples."""
    queries, keys, values = (np.tile(rows, (2, 1)) for rows in contents())
    causal = attention.causal_mask(2 * len(TOKENS))
    apart = causal & (np.arange(len(causal))[:, np.newaxis] // 3 == np.arange(len(causal)) // 3)
    restarting, continued = [*TOKENS, *TOKENS], range(2 * len(TOKENS))

    def outputs(positions: Sequence[int], visible: NDArray[np.bool_]) -> Array:
        query = example.rotate_queries(queries, positions)
        return attention.attend(query, example.rotate_keys(keys, positions), values, visible)

    alone = np.tile(_full_pass(example), (2, 1))
    packed = [outputs(positions, apart) for positions in (restarting, continued)]
    together = outputs(continued, causal)
    return Evidence(
        values={
            "packed_differences": [
                greatest_difference(rows, alone) for rows in (*packed, together)
            ],
        },
        checks=(
            agree("cache-packed", packed, [alone, alone], 1e-12),
            differ("cache-packed-visible", together, alone, 0.1),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """How wrong each token's output is, scores, and what else can happen to kept keys."""
    return (
        *_mistakes(evidence),
        _over_time(evidence),
        say(
            "A kept key carries its position and is not rotated again when a new token comes. "
            "Only the new query and the new key are rotated, to the next position counted from "
            "the start of the text. Token 0 attends to nothing but itself, so it comes out right "
            "under each of these mistakes, and a test with a single token reveals none of them.",
            "Хранимый ключ уже несёт свою позицию, и с приходом нового токена его заново не "
            "поворачивают. Поворачивают только новые запрос и ключ — для следующей позиции, считая "
            "от начала текста. Токен 0 обращается лишь к самому себе, и его выход верен при любой "
            "из этих ошибок: тест из одного токена ничего не доказывает.",
        ),
        _evicted(evidence),
        say(
            "The near key keeps its score, because n-m is -1 either way; that of the far key "
            "changes. To move a kept key on purpose, from 1 to 5, rotate it by the difference, 4. "
            "In deeper layers a trace remains that no rotation removes: there the kept keys were "
            "computed from rows that had attended to the evicted tokens.",
            "У ближнего ключа оценка прежняя, потому что n-m в обоих случаях равна -1; у дальнего "
            "она меняется. Чтобы намеренно передвинуть хранимый ключ из позиции 1 в позицию 5, "
            "поверните его на разность, 4. А в более глубоких слоях остаётся след, которого "
            "никакой поворот не уберёт: хранимые ключи там вычислены по строкам, в которые вошли "
            "значения вытесненных токенов.",
        ),
        *_other_ways(evidence),
    )


def _mistakes(evidence: Evidence) -> tuple[Table, Table]:
    token, ways = t("token", "токен"), {"right": TRUE_POSITIONS, **MISTAKES}
    differences, scores = evidence["cache_differences"], evidence["cache_scores"]
    return (
        table(
            t(
                "How far the output of each token is from that of one full pass, which computes "
                "all three tokens at once and keeps nothing:",
                "Насколько выход каждого токена отличается от выхода при полном проходе, когда все "
                "три токена вычисляют сразу и ничего не хранят:",
            ),
            (*left(WHAT_IS_DONE), *right(*((token, f" {number}") for number in TOKENS))),
            ((words, *differences[name]) for name, words in MISTAKES.items()),
        ),
        table(
            t(
                "Dot products of the last query with the three keys:",
                "Скалярные произведения последнего запроса с тремя ключами:",
            ),
            (*left(WHAT_IS_DONE), *right(*(f"q·k, n={number}" for number in TOKENS))),
            ((words, *scores[name]) for name, words in ways.items()),
        ),
    )


def _over_time(evidence: Evidence) -> Heat:
    """The first table as a time line: how each mistake grows, token by token."""
    token, differences = t("token {token}", "токен {token}"), evidence["cache_differences"]
    return Heat(
        t(
            "Token by token, from left to right: how far the output is from that of one full pass",
            "Токен за токеном, слева направо: насколько выход отличается от выхода при полном "
            "проходе",
        ),
        tuple(MISTAKES.values()),
        tuple(Phrase(token, {"token": number}) for number in TOKENS),
        tuple(floats(differences[name]) for name in MISTAKES),
        t(
            "The column of token 0 is empty under each mistake; from token 1 on every cell is "
            "shaded.",
            "Столбец токена 0 пуст при любой из ошибок; начиная с токена 1 закрашены все ячейки.",
        ),
        graphical=True,
    )


def _evicted(evidence: Evidence) -> Table:
    scores = evidence["evicted_scores"]
    return table(
        t(
            "Dot products of the last query with two keys, when the keys between them were "
            "evicted, that is, dropped from the cache:",
            "Скалярные произведения последнего запроса с двумя ключами, когда ключи между ними "
            "вытеснены, то есть удалены из кэша:",
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


def _other_ways(evidence: Evidence) -> tuple[Block, ...]:
    differences = (
        evidence["unrotated_difference"],
        *evidence["base_differences"],
        *evidence["packed_differences"],
    )
    each_time, once = evidence["key_rotations"]
    return (
        table_by_columns(
            t("What else can happen to kept keys:", "Что ещё бывает с хранимыми ключами:"),
            (Column(WHAT_IS_DONE), OTHER_WAYS),
            (t("largest change of an output", "наибольшее изменение выхода"), differences),
        ),
        say(
            "Keys kept unrotated give the same outputs, but are rotated anew for every token: "
            "{each_time} rotations instead of {once} for three tokens. When the base changes as a "
            "text grows, which is what dynamic NTK-aware scaling does, kept keys still have the "
            "old base. In the first layer, rotating them back with it and forward with the new one "
            "gives what a full pass with the new base gives. In deeper layers a trace of the old "
            "base remains, because the rows that those keys are made from were computed with it. "
            "Hugging Face Transformers leaves kept keys as they are. And training samples packed "
            "into one sequence influence one another unless a mask hides them; once it does, it "
            "does not matter whether positions restart.",
            "Ключи, хранимые без поворота, дают те же выходы, но их поворачивают заново для "
            "каждого токена: на три токена поворотов {each_time}, а не {once}. Если основание "
            "меняется с ростом текста, как при динамическом NTK-масштабировании, у хранимых ключей "
            "оно старое. В первом слое их можно повернуть с ним назад, а с новым — вперёд, и "
            "выйдет то же, что при полном проходе с новым основанием. В следующих слоях след "
            "старого основания остаётся: строки, из которых там получаются ключи, сами вычислены с "
            "ним. Hugging Face Transformers хранимые ключи не трогает. Наконец, примеры, уложенные "
            "при обучении в одну последовательность, влияют друг на друга, если их не разделяет "
            "маска; а когда разделяет, неважно, начинаются ли позиции заново.",
            each_time=each_time,
            once=once,
        ),
    )
