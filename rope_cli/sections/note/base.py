"""The base of the frequencies: what a larger one changes, and what happens at 1 and below."""

from __future__ import annotations

import math
from itertools import count

import numpy as np

from rope_cli.document.blocks import Block, Series, Short, Significant, Table
from rope_cli.document.charts import curves
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
    "The base rises from 10000 to 500000. What happens to the frequency of pair 0, and to that of "
    "the last pair? And which pair is the fastest when the base is below 1?",
    "Основание выросло с 10000 до 500000. Что станет с частотой пары 0 и что — с частотой "
    "последней? А какая пара самая быстрая, если основание меньше 1?",
)

CLAIMS = {
    "first-pair-any-base": t(
        "with every base pair 0 rotates by exactly 1 radian per position",
        "при любом основании пара 0 поворачивается за позицию ровно на 1 радиан",
    ),
    "frequencies-of-bases": t(
        "with every base the frequencies are b^(-2j/d)",
        "при любом основании частоты равны b^(-2j/d)",
    ),
    "order-by-base": t(
        "as j grows, the frequencies fall if the base is above 1, stay equal if it is 1, and rise "
        "if it is below 1",
        "с ростом j частоты падают, если основание больше 1, не меняются, если оно равно 1, и "
        "растут, если оно меньше 1",
    ),
    "base-scores-by-cosines": t(
        "with every base the score of equal rows is a sum of cosines",
        "при любом основании оценка одинаковых строк — сумма косинусов",
    ),
    "greater-base-falls-later": t(
        "at D = 1024 and 4096 base 500000 leaves at least 0.1 more of the score than base 10000",
        "при D = 1024 и 4096 с основанием 500000 от оценки остаётся хотя бы на 0.1 больше, чем с "
        "10000",
    ),
    "first-negative-by-base": t(
        "for each base the score of equal rows is negative at the D named and not one step before",
        "при каждом основании оценка одинаковых строк отрицательна при названном D, а на шаг "
        "раньше — нет",
    ),
    "fast-turn-is-an-alias": t(
        "10 radians per position and 10-2π carry a pair to the same places",
        "10 радиан за позицию и 10-2π приводят пару в одни и те же места",
    ),
}
MODEL_BASES = (100.0, 10000.0, 500000.0, 1000000.0)
SMALL_WIDTH = 8
SMALL_BASES = (100.0, 1.0, 0.01)
DISTANCES = (0, 1, 16, 256, 1024, 4096)
DRAWN = range(1025)
# With base 0.01 and width 8, pair 2 rotates by 10 radians per position.
ALIASED_PAIR = 2


def gather(example: Example) -> Evidence:
    """Frequencies and scores of equal rows by base; a pair that is too fast."""
    return (
        _frequencies(example)
        + _scores_of_equal_rows(example)
        + _first_negative_scores(example)
        + _alias(example)
    )


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
            "first_period": math.tau / float(first[0]),
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
    drawn = [
        scores_at(example, ones, ones[np.newaxis], DRAWN, base)[:, 0] / MODEL_WIDTH
        for base in bases[:-1]
    ]
    gains = shares[1, -2:] - shares[0, -2:]
    return Evidence(
        values={
            "compared_bases": list(bases),
            "base_distances": list(DISTANCES),
            "shares_by_base": shares,
            "drawn_base_distances": list(DRAWN),
            "drawn_shares_by_base": np.array(drawn),
        },
        checks=(
            agree("base-scores-by-cosines", shares, np.array(sums) / MODEL_WIDTH, 1e-10),
            Check("greater-base-falls-later", float(gains.min()), 0.1, 4, "at least"),
        ),
    )


def _first_negative_scores(example: Example) -> Evidence:
    """For each base of a model, the smallest D at which two rows of ones score below 0."""
    ones = np.ones(MODEL_WIDTH)
    firsts = [_first_negative(base) for base in MODEL_BASES]
    around = [
        scores_at(example, ones, ones[np.newaxis], [first - 1, first], base)[:, 0]
        for first, base in zip(firsts, MODEL_BASES, strict=True)
    ]
    return Evidence(
        values={"first_negative_distances": firsts},
        checks=(
            all_true("first-negative-by-base", [before >= 0 > after for before, after in around]),
        ),
    )


def _first_negative(base: float) -> int:
    """By the plain sums of cosines, some thousand distances at a time."""
    for start in count(0, 4096):
        negative = np.flatnonzero(
            cosine_sums(np.arange(start, start + 4096), MODEL_WIDTH, base) < 0
        )
        if negative.size:
            return start + int(negative[0])
    raise AssertionError


def _alias(example: Example) -> Evidence:
    """The aliased pair of queries and keys, beside one that rotates by the smaller angle."""
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
        _shares_as_curves(evidence),
        table(
            t(
                "Score of two rows of ones for d = 128, divided by 128:",
                "Оценка двух строк из единиц при d = 128, делённая на 128:",
            ),
            right("D = m-n", *(("b = ", Short(base)) for base in evidence["compared_bases"])),
            zip(evidence["base_distances"], *evidence["shares_by_base"], strict=True),
        ),
        table(
            t(
                "Frequencies for d = 8, with a base above 1, the base 1, and one below 1:",
                "Частоты при d = 8, если основание больше 1, равно 1 и меньше 1:",
            ),
            right(t("base b", "основание b"), *(f"θ_{pair}" for pair in range(SMALL_WIDTH // 2))),
            ((Short(base), *frequencies) for base, frequencies in by_base),
        ),
        *_conclusions(evidence),
    )


def _conclusions(evidence: Evidence) -> tuple[Block, ...]:
    negative = dict(
        zip(("chapter", "note", "llama", "qwen"), evidence["first_negative_distances"], strict=True)
    )
    return (
        say(
            "A larger base leaves pair 0 alone, with its period of {period} positions, and slows "
            "every later pair, the last one most. RoFormer and the first LLaMA models use the "
            "note's 10000, Llama 3 uses 500000 and Qwen2.5 uses 1000000. On the whole, slower "
            "pairs also keep the score of two rows of ones above 0 for longer, though not at every "
            "step of the base: the first negative one comes at D = {chapter} with base 100, at "
            "{note} with 10000, at {llama} with 500000 and at {qwen} with 1000000. Men et al. "
            "(2024, arXiv 2405.14591) derive from this that a context of a given length needs a "
            "base above a certain limit.",
            "Большее основание не меняет пару 0, период которой — {period} позиции, и замедляет "
            "все остальные, сильнее всего последнюю. Число 10000 из заметки взято в RoFormer и в "
            "первых моделях LLaMA; в Llama 3 основание 500000, в Qwen2.5 — 1000000. В целом, чем "
            "медленнее пары, тем дольше оценки двух строк из единиц остаются выше нуля, хотя и не "
            "при каждом увеличении основания: первая отрицательная появляется при основании 100 на "
            "расстоянии D = {chapter}, при 10000 — на {note}, при 500000 — на {llama}, при 1000000 "
            "— на {qwen}. Мэнь и соавторы (2024, arXiv 2405.14591) выводят отсюда, что для "
            "контекста данной длины основание должно быть не меньше некоторого предела.",
            period=evidence["first_period"],
            **negative,
        ),
        say(
            "With b = 1 all pairs rotate at the same speed, and the score of two rows of ones is "
            "a single cosine that never fades. Below 1 the last pair is the fastest, and a pair "
            "that rotates by more than 2π radians per position looks slower than it is: {ten} "
            "radians end where {alias} would. Such bases are accepted, as long as every angle "
            "stays finite.",
            "При b = 1 все пары поворачиваются одинаково, и оценка — один косинус, который с "
            "расстоянием не затухает. При основании меньше 1 самая быстрая пара — последняя, а та, "
            "что проходит за позицию больше 2π радиан, кажется медленнее, чем есть: {ten} радиан "
            "приводят туда же, что и {alias}. Такие основания допустимы, пока каждый угол конечен.",
            ten=Short(evidence["small_frequencies"][-1][ALIASED_PAIR]),
            alias=evidence["alias_angle"],
        ),
    )


def _last_pair(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "Pair 63 of d = 128, with the chapter's base and with those of real models:",
            "Пара 63 при d = 128, с основанием из главы и с основаниями настоящих моделей:",
        ),
        (t("base b", "основание b"), map(int, evidence["model_bases"])),
        ("θ_63", map(Significant, evidence["last_frequencies"])),
        (t("period, positions", "период, позиций"), evidence["last_periods"]),
        (
            t("full turns in 4096 positions", "оборотов за 4096 позиций"),
            evidence["last_turns"],
        ),
        (
            t("pairs without a full turn", "пар без полного оборота"),
            evidence["unfinished_by_base"],
        ),
    )


def _shares_as_curves(evidence: Evidence) -> Series:
    names = (("b = ", Short(base)) for base in evidence["compared_bases"][:-1])
    return Series(
        t(
            "Score of two rows of ones for d = 128, divided by 128",
            "Оценка двух строк из единиц при d = 128, делённая на 128",
        ),
        ("D = m-n", t("share of the score at D = 0", "доля оценки при D = 0")),
        curves(
            evidence["drawn_base_distances"],
            *zip(names, evidence["drawn_shares_by_base"], strict=True),
        ),
        t(
            "With the larger base the curve falls more slowly. Both swing, and neither falls at "
            "every step.",
            "При большем основании кривая падает медленнее. Обе колеблются, и ни одна не падает на "
            "каждом шаге.",
        ),
        graphical=True,
    )
