"""The base of the frequencies: what a greater one changes, and what happens at 1 and below."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import (
    Block,
    Number,
    Short,
    Significant,
)
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, same_bits
from rope_cli.document.vocabulary import right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import Example
from rope_cli.sections.note.bands import TURNS_CONTEXT, unfinished
from rope_cli.sections.note.same_content import MODEL_BASE, MODEL_WIDTH, cosine_sums, scores_at

TITLE = t("Changing the base", "Основание частот")
QUESTION = t(
    "Base 500000 instead of 10000: what happens to pair 0, and what to the last pair? "
    "And which pair is the fast one when the base is below 1?",
    "Основание 500000 вместо 10000: что будет с парой 0 и что — с последней? А какая "
    "пара самая быстрая, если основание меньше 1?",
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
BASE_DISTANCES = (0, 1, 16, 256, 1024, 4096)
COMPARED_BASES = (MODEL_BASE, 500000.0, 1.0)
# With base 0.01 and width 8, pair 2 turns by 10 radians per position.
ALIASED_PAIR, ALIAS_POSITIONS = 2, 6


def gather(example: Example) -> Evidence:
    """Frequencies for seven bases; scores of equal rows for three; one pair beyond a turn."""
    width = MODEL_WIDTH
    settings = [(width, base) for base in MODEL_BASES] + [
        (SMALL_WIDTH, base) for base in SMALL_BASES
    ]
    theta = [example.embedding_for(d, 1, base).inverse_frequencies for d, base in settings]
    plain = [
        [reference.inverse_frequency(j, d, base) for j in range(d // 2)] for d, base in settings
    ]
    order = [
        sign == np.sign(1.0 - base)
        for (_, base), found in zip(settings, theta, strict=True)
        for sign in np.sign(np.diff(found)).tolist()
    ]
    last = np.array([found[-1] for found in theta[: len(MODEL_BASES)]])
    ones = np.ones(width)
    shares = (
        np.array(
            [
                scores_at(example, ones.tolist(), ones[np.newaxis], BASE_DISTANCES, base)[:, 0]
                for base in COMPARED_BASES
            ]
        )
        / width
    )
    expected = [cosine_sums(BASE_DISTANCES, width, base) / width for base in COMPARED_BASES]
    gains = shares[1, -2:] - shares[0, -2:]
    alias = 10 - 2 * math.pi
    return Evidence(
        values={
            "model_bases": list(MODEL_BASES),
            "last_frequencies": last,
            "last_periods": 2 * math.pi / last,
            "last_turns": TURNS_CONTEXT * last / (2 * math.pi),
            "unfinished_by_base": [
                unfinished(found, TURNS_CONTEXT) for found in theta[: len(MODEL_BASES)]
            ],
            "small_bases": list(SMALL_BASES),
            "small_frequencies": np.array(theta[len(MODEL_BASES) :]),
            "compared_bases": list(COMPARED_BASES),
            "base_distances": list(BASE_DISTANCES),
            "shares_by_base": shares,
            "alias_angle": alias,
        },
        checks=(
            same_bits("first-pair-any-base", [found[0] for found in theta], np.ones(len(theta))),
            agree(
                "frequencies-of-bases",
                np.concatenate(theta) / np.concatenate(plain),
                np.ones(sum(map(len, plain))),
                1e-14,
            ),
            all_true("order-by-base", order),
            agree("base-scores-by-cosines", shares, expected, 1e-10),
            Check("greater-base-falls-later", float(gains.min()), 0.1, 4, "at least"),
            _alias("fast-turn-is-an-alias", example, alias),
        ),
    )


def _alias(name: str, example: Example, angle: float) -> Check:
    """The aliased pair of turned queries and keys beside a pair that turns by ``angle``."""
    embedding = example.embedding_for(SMALL_WIDTH, ALIAS_POSITIONS, SMALL_BASES[-1])
    row = np.tile([1.0, 0.0], (ALIAS_POSITIONS, SMALL_WIDTH // 2))
    at = slice(2 * ALIASED_PAIR, 2 * ALIASED_PAIR + 2)
    turned = [turn(row, 0, embedding)[:, at] for turn in (example.rotate_query, example.rotate_key)]
    angles = np.arange(ALIAS_POSITIONS) * angle
    slow = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return agree(name, turned, [slow, slow], 1e-12)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The last pair for real bases, scores with distance, and bases that are no use."""
    last = table(
        t(
            "d = 128: pair 63 with the chapter's base and with bases of real models:",
            "d = 128: пара 63 при основании из главы и при основаниях настоящих моделей:",
        ),
        right(
            t("base b", "основание b"),
            t("last θ_j", "последняя θ_j"),
            t("its period, positions", "её период, позиций"),
            t("turns in 4096", "оборотов за 4096"),
            t("pairs without a full turn", "пар без полного оборота"),
        ),
        (
            (int(base), Significant(float(theta)), period, turns, count)
            for base, theta, period, turns, count in zip(
                evidence["model_bases"],
                evidence["last_frequencies"],
                evidence["last_periods"],
                evidence["last_turns"],
                evidence["unfinished_by_base"],
                strict=True,
            )
        ),
    )
    shares = table(
        t(
            "Two rows of ones, d = 128, score divided by 128:",
            "Две строки из единиц, d = 128, оценка, делённая на 128:",
        ),
        right("D = m-n", *(("b = ", Short(base)) for base in evidence["compared_bases"])),
        (
            (distance, *map(Number, evidence["shares_by_base"][:, at]))
            for at, distance in enumerate(evidence["base_distances"])
        ),
    )
    small = table(
        t(
            "d = 8: bases above 1, at 1 and below 1:",
            "d = 8: основания больше 1, равное 1 и меньше 1:",
        ),
        right(t("base b", "основание b"), *(f"θ_{pair}" for pair in range(SMALL_WIDTH // 2))),
        (
            (Short(base), *map(Number, row))
            for base, row in zip(
                evidence["small_bases"], evidence["small_frequencies"], strict=True
            )
        ),
    )
    return (last, shares, small, *_reading(evidence))


def _reading(evidence: Evidence) -> tuple[Block, ...]:
    return (
        say(
            "A greater base leaves pair 0 alone and slows every later pair, the last "
            "one most. The note's 10000 is the value of RoFormer and the first LLaMA "
            "models; Llama 3 has 500000, Qwen2.5 has 1000000. With b = 1 all pairs turn "
            "alike and the score is a single cosine that never fades. A base below 1 is "
            "accepted too, but then the last pair is the fast one, and beyond π radians "
            "per position it seems slower than it is: {ten} radians look like {alias}.",
            "Большее основание не трогает пару 0 и замедляет все остальные, сильнее "
            "всего последнюю. Число 10000 из заметки взято в RoFormer и в первых моделях "
            "LLaMA; в Llama 3 стоит 500000, в Qwen2.5 — 1000000. При b = 1 все пары "
            "поворачиваются одинаково, и оценка — один косинус, который никогда не "
            "угасает. Основание меньше 1 тоже допустимо, но тогда быстрее всех последняя "
            "пара, а если за позицию она проходит больше π радиан, то кажется медленнее, "
            "чем есть: {ten} радиан выглядят как {alias}.",
            ten=evidence["small_frequencies"][-1][ALIASED_PAIR],
            alias=evidence["alias_angle"],
        ),
    )
