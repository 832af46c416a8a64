"""How fast each pair turns: frequencies, degrees, periods, and the tables made from them."""

from __future__ import annotations

import math

import numpy as np

from rope_cli import witness
from rope_cli.characters import CUE_WORDS
from rope_cli.document import (
    Block,
    Column,
    Formula,
    Number,
    Paragraph,
    Phrase,
    Table,
    cue_of_pair,
)
from rope_cli.evidence import Evidence, agree, all_true, same_bits
from rope_cli.example import Example
from rope_cli.words import Text

TITLE = Text(en="How fast each pair turns", ru="Скорости поворота пар")
QUESTION = Text(
    en="Which pair turns faster, and after how many positions is each back where it started?",
    ru="Какая пара поворачивается быстрее и через сколько позиций каждая сделает полный оборот?",
)
CLAIMS = {
    "first-frequency-is-one": Text(
        en="pair 0 turns by exactly 1 radian per position",
        ru="пара 0 поворачивается ровно на 1 радиан за позицию",
    ),
    "frequencies-by-formula": Text(
        en="every frequency is base^(-2j/d)",
        ru="каждая частота равна b^(-2j/d)",
    ),
    "frequency-ratio": Text(
        en="neighbouring frequencies have the ratio base^(-2/d)",
        ru="отношение соседних частот равно b^(-2/d)",
    ),
    "fast-pair-first": Text(
        en="each pair turns more slowly than the one before it",
        ru="каждая пара поворачивается медленнее предыдущей",
    ),
    "tables-from-angles": Text(
        en="the tables hold cos and sin of position times frequency",
        ru="в таблицах стоят cos и sin произведения позиции на частоту",
    ),
}


def gather(example: Example) -> Evidence:
    """Frequencies and tables of the embedding beside the plain formula."""
    asked, embedding = example.parameters, example.embedding
    theta = embedding.inverse_frequencies
    width, base = asked.feature_width, asked.base
    plain = [witness.frequency(pair, width, base) for pair in range(asked.pairs)]
    positions = np.arange(asked.capacity, dtype=np.float64)
    angles = positions[:, np.newaxis] * theta
    expected = [
        [trigonometric(m * frequency) for frequency in plain]
        for trigonometric in (math.cos, math.sin)
        for m in range(asked.capacity)
    ]
    tables = np.concatenate([embedding.cosines, embedding.sines])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = theta[1:] / theta[:-1]
        periods = 2 * math.pi / theta
    return Evidence(
        values={
            "inverse_frequencies": theta,
            "degrees_per_position": np.degrees(theta),
            "periods": periods,
            "angles": angles,
            "cosines": embedding.cosines,
            "sines": embedding.sines,
        },
        checks=(
            same_bits("first-frequency-is-one", theta[:1], np.ones(1)),
            agree("frequencies-by-formula", theta / plain, np.ones(len(plain)), 1e-14),
            agree("frequency-ratio", ratios * base ** (2 / width), np.ones(len(ratios)), 1e-14),
            all_true("fast-pair-first", (theta[1:] < theta[:-1]).tolist()),
            agree("tables-from-angles", tables, expected, 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """One table of pairs, one of angles with their cosines and sines."""
    theta = evidence["inverse_frequencies"]
    pairs = tuple(
        (
            (pair, " ", cue_of_pair(pair), " ", CUE_WORDS[cue_of_pair(pair)]),
            f"[{2 * pair},{2 * pair + 1}]",
            Number(theta[pair]),
            Number(evidence["degrees_per_position"][pair]),
            Number(evidence["periods"][pair]),
        )
        for pair in range(len(theta))
    )
    angles = tuple(
        (
            position,
            (pair, " ", cue_of_pair(pair)),
            Number(evidence["angles"][position][pair]),
            Number(evidence["cosines"][position][pair]),
            Number(evidence["sines"][position][pair]),
        )
        for position in range(len(evidence["angles"]))
        for pair in range(len(theta))
    )
    pair_title = Text(en="pair j", ru="пара j")
    return (
        Formula("θ_j = b^(-2j/d)"),
        Table(
            (
                Column(pair_title),
                Column(Text(en="coordinates", ru="координаты")),
                Column(Text(en="radians per position", ru="радиан на позицию"), "right"),
                Column(Text(en="degrees per position", ru="градусов на позицию"), "right"),
                Column(Text(en="period, positions", ru="период, позиций"), "right"),
            ),
            pairs,
        ),
        Paragraph(
            Phrase(
                Text(
                    en="Pair 0 is the high-frequency one: {fast} radians per position. Code calls "
                    "these numbers inverse frequencies (they are 1 / b^(2j/d)); they are angular "
                    "speeds, and the period is 2π/θ_j.",
                    ru="Пара 0 — высокочастотная: {fast} радиана на позицию. В коде эти числа "
                    "называют обратными частотами (это 1 / b^(2j/d)), но по смыслу они — угловые "
                    "скорости, а период равен 2π/θ_j.",
                ),
                {"fast": Number(theta[0])},
            )
        ),
        Table(
            (
                Column("m", "right"),
                Column(pair_title),
                Column(Text(en="angle m·θ_j", ru="угол m·θ_j"), "right"),
                Column("cos", "right"),
                Column("sin", "right"),
            ),
            angles,
        ),
    )
