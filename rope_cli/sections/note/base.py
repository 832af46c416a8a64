"""The base of the frequencies: what a greater one changes, and what happens at 1 and below."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Short, Significant, Table
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, same_bits
from rope_cli.document.vocabulary import right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Example
from rope_cli.experiments.distances import (
    MODEL_BASE,
    MODEL_CONTEXT,
    MODEL_WIDTH,
    cosine_sums,
    count_unfinished,
    key_rows,
    query_rows,
    scores_at,
)

TITLE = t("Changing the base", "Основание частот")
QUESTION = t(
    "Base 500000 instead of 10000: what happens to pair 0, and what to the last pair? And which "
    "pair is the fast one when the base is below 1?",
    "Основание 500000 вместо 10000: что будет с парой 0 и что — с последней? А какая пара самая "
    "быстрая, если основание меньше 1?",
)

CLAIMS = {
    "first-pair-any-base": t(
        "with every base pair 0 turns by exactly 1 radian per position",
        "при любом основании пара 0 поворачивается ровно на 1 радиан за позицию",
    ),
    "frequencies-of-bases": t(
        "with every base the frequencies are b^(-2j/d)",
        "при любом основании частоты равны b^(-2j/d)",
    ),
    "order-by-base": t(
        "frequencies fall with j for a base above 1, are equal for base 1 and rise below it",
        "с ростом j частоты падают, если основание больше 1, равны при 1 и растут, если меньше",
    ),
    "base-scores-by-cosines": t(
        "scores of equal rows are sums of cosines with every base",
        "оценки одинаковых строк при любом основании — суммы косинусов",
    ),
    "greater-base-falls-later": t(
        "at D = 1024 and 4096 base 500000 leaves a greater share than 10000, by 0.1 or more",
        "при D = 1024 и 4096 остающаяся доля с основанием 500000 больше, чем с 10000, хотя бы "
        "на 0.1",
    ),
    "fast-turn-is-an-alias": t(
        "10 radians per position and 10-2π turn a pair to the same places",
        "10 радиан на позицию и 10-2π приводят пару в одни и те же места",
    ),
}
MODEL_BASES = (100.0, 10000.0, 500000.0, 1000000.0)
SMALL_WIDTH = 8
SMALL_BASES = (100.0, 1.0, 0.01)
DISTANCES = (0, 1, 16, 256, 1024, 4096)
# With base 0.01 and width 8, pair 2 turns by 10 radians per position.
ALIASED_PAIR = 2


def gather(example: Example) -> Evidence:
    """Frequencies for seven bases; scores of equal rows for three; one pair beyond a turn."""
    return _frequencies(example) + _scores_of_equal_rows(example) + _alias(example)


def _frequencies(example: Example) -> Evidence:
    settings = {MODEL_WIDTH: MODEL_BASES, SMALL_WIDTH: SMALL_BASES}
    model, small = (
        np.array([example.embedding_for(width, 1, base).inverse_frequencies for base in bases])
        for width, bases in settings.items()
    )
    plain = [
        reference.angles(1, width, base) for width, bases in settings.items() for base in bases
    ]
    ratios = np.concatenate([*model, *small]) / np.concatenate(plain)
    first, last = np.concatenate([model[:, 0], small[:, 0]]), model[:, -1]
    order = [
        sign == np.sign(1.0 - base)
        for base, frequencies in zip((*MODEL_BASES, *SMALL_BASES), (*model, *small), strict=True)
        for sign in np.sign(np.diff(frequencies))
    ]
    return Evidence(
        values={
            "model_bases": list(MODEL_BASES),
            "last_frequencies": last,
            "last_periods": math.tau / last,
            "last_turns": MODEL_CONTEXT * last / math.tau,
            "unfinished_by_base": [count_unfinished(row, MODEL_CONTEXT) for row in model],
            "small_bases": list(SMALL_BASES),
            "small_frequencies": small,
        },
        checks=(
            same_bits("first-pair-any-base", first, np.ones(first.size)),
            agree("frequencies-of-bases", ratios, np.ones(ratios.size), 1e-14),
            all_true("order-by-base", order),
        ),
    )


def _scores_of_equal_rows(example: Example) -> Evidence:
    ones, bases = np.ones(MODEL_WIDTH), (MODEL_BASE, 500000.0, 1.0)
    scores = [scores_at(example, ones, ones[np.newaxis], DISTANCES, base)[:, 0] for base in bases]
    sums = [cosine_sums(DISTANCES, MODEL_WIDTH, base) for base in bases]
    shares = np.array(scores) / MODEL_WIDTH
    gains = shares[1, -2:] - shares[0, -2:]
    return Evidence(
        values={
            "compared_bases": list(bases),
            "base_distances": list(DISTANCES),
            "shares_by_base": shares,
        },
        checks=(
            agree("base-scores-by-cosines", shares, np.array(sums) / MODEL_WIDTH, 1e-10),
            Check("greater-base-falls-later", float(gains.min()), 0.1, 4, "at least"),
        ),
    )


def _alias(example: Example) -> Evidence:
    """The aliased pair of queries and of keys beside a pair that turns by the lesser angle."""
    content, positions = np.resize(FIRST_COLUMN, SMALL_WIDTH), range(6)
    pair = slice(2 * ALIASED_PAIR, 2 * ALIASED_PAIR + 2)
    rotated = [
        rows(example, content, positions, SMALL_BASES[-1])[:, pair]
        for rows in (query_rows, key_rows)
    ]
    angle = 10 - math.tau
    angles = np.array(positions) * angle
    slower = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return Evidence(
        values={"alias_angle": angle},
        checks=(agree("fast-turn-is-an-alias", rotated, [slower, slower], 1e-12),),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The last pair for real bases, scores with distance, and bases that are no use."""
    by_base = zip(evidence["small_bases"], evidence["small_frequencies"], strict=True)
    return (
        _last_pair(evidence),
        table(
            t(
                "Two rows of ones, d = 128, score divided by 128:",
                "Две строки из единиц, d = 128, оценка, делённая на 128:",
            ),
            right("D = m-n", *(("b = ", Short(base)) for base in evidence["compared_bases"])),
            zip(evidence["base_distances"], *evidence["shares_by_base"], strict=True),
        ),
        table(
            t(
                "d = 8: bases above 1, at 1 and below 1:",
                "d = 8: основания больше 1, равное 1 и меньше 1:",
            ),
            right(t("base b", "основание b"), *(f"θ_{pair}" for pair in range(SMALL_WIDTH // 2))),
            ((Short(base), *frequencies) for base, frequencies in by_base),
        ),
        say(
            "A greater base leaves pair 0 alone and slows every later pair, the last one most. The "
            "note's 10000 is the value of RoFormer and the first LLaMA models; Llama 3 has 500000, "
            "Qwen2.5 has 1000000. With b = 1 all pairs turn alike and the score is a single cosine "
            "that never fades. A base below 1 is accepted too, but then the last pair is the fast "
            "one, and beyond π radians per position it seems slower than it is: {ten} radians look "
            "like {alias}.",
            "Большее основание не трогает пару 0 и замедляет все остальные, сильнее всего "
            "последнюю. Число 10000 из заметки взято в RoFormer и в первых моделях LLaMA; в Llama "
            "3 стоит 500000, в Qwen2.5 — 1000000. При b = 1 все пары поворачиваются одинаково, и "
            "оценка — один косинус, который никогда не угасает. Основание меньше 1 тоже допустимо, "
            "но тогда быстрее всех последняя пара, а если за позицию она проходит больше π радиан, "
            "то кажется медленнее, чем есть: {ten} радиан выглядят как {alias}.",
            ten=evidence["small_frequencies"][-1][ALIASED_PAIR],
            alias=evidence["alias_angle"],
        ),
    )


def _last_pair(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "d = 128: pair 63 with the chapter's base and with bases of real models:",
            "d = 128: пара 63 при основании из главы и при основаниях настоящих моделей:",
        ),
        (t("base b", "основание b"), map(int, evidence["model_bases"])),
        (t("last θ_j", "последняя θ_j"), map(Significant, evidence["last_frequencies"])),
        (t("its period, positions", "её период, позиций"), evidence["last_periods"]),
        (t("turns in 4096", "оборотов за 4096"), evidence["last_turns"]),
        (t("pairs without a full turn", "пар без полного оборота"), evidence["unfinished_by_base"]),
    )
