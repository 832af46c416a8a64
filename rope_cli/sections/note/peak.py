"""Does the nearest key win? Any distance can, so RoPE alone does not favour the near."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from rope_cli.document.blocks import Block, Series, Table
from rope_cli.document.charts import curves
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true
from rope_cli.document.vocabulary import formula, right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH, cosine_sums, scores_at
from rope_cli.rope import attention

TITLE = t("Does the nearest key win?", "Побеждает ли ближайший ключ?")
QUESTION = t(
    "All keys have the same content. Can it be chosen so that the score is larger at D = 256 than "
    "at any smaller distance?",
    "Содержимое у всех ключей одно. Можно ли подобрать его так, чтобы оценка при D = 256 была "
    "больше, чем на любом меньшем расстоянии?",
)

CLAIMS = {
    "peak-where-chosen": t(
        "of all the distances computed the score is largest at the chosen one, D0",
        "из всех вычисленных расстояний оценка наибольшая на выбранном, D0",
    ),
    "peak-is-square-norm": t(
        "at D0 the score is |q|², which no key of this length exceeds",
        "при D0 оценка равна |q|²: больше у ключа такой длины не бывает",
    ),
    "peak-by-cosines": t(
        "every score shown is the sum of |q_j|² cos((D-D0)·θ_j) over the pairs",
        "каждая показанная оценка равна сумме |q_j|² cos((D-D0)·θ_j) по парам",
    ),
    "weights-by-formula": t(
        "the weights shown are e^(score/√128), divided by the sum over all 1024 keys",
        "показанные веса — это e^(оценка/√128), делённое на сумму по всем 1024 ключам",
    ),
    "near-weights-of-equal-rows": t(
        "for k = q the ten nearest of 1024 keys together have more than half of the weight",
        "при k = q на десять ближайших из 1024 ключей приходится больше половины веса",
    ),
    "far-weight-of-chosen-key": t(
        "for k = R(256)q the weight at D = 256 is at least 100 times that at D = 0",
        "при k = R(256)q вес при D = 256 по меньшей мере в 100 раз больше, чем при D = 0",
    ),
}
CHOSEN = (1, 16, 256, 4096)
CONTEXT = 1024
SHOWN = (0, 1, 2, 8, 15, 16, 32, 255, 256, 257, 4095, 4096, 4097)
SMALL_CHOSEN = 2
DRAWN = range(513)
WEIGHTS_SHOWN = (0, 1, 10, 63, 255, 256, 257, 1023)


def gather(example: Example) -> Evidence:
    """A row of ones against keys made for four distances; the weights of 1024 keys."""
    ones, distances = np.ones(MODEL_WIDTH), [*range(CONTEXT), *range(4064, 4129)]
    keys = np.vstack([ones, keys_for(ones, CHOSEN, MODEL_BASE)])
    scores = scores_at(example, ones, keys, distances)
    for_256 = scores[:CONTEXT, [0, 1 + CHOSEN.index(256)]]
    return _peaks(example, distances, scores[:, 0], scores[:, 1:]) + _weights(for_256.T)


def keys_for(row: ArrayLike, distances: Sequence[int], base: float) -> Array:
    # [width] -> [distances, width]
    """For each distance the key R(D0 theta)q, by the plain formula."""
    return reference.rotate(np.tile(row, (len(distances), 1)), base, distances)


def _peaks(example: Example, distances: list[int], equal: Array, scores: Array) -> Evidence:
    """Where each column of the scores ``[distances, keys]`` is largest; the chapter's row too."""
    base = example.parameters.base
    small_key = keys_for(FIRST_COLUMN, [SMALL_CHOSEN], base)
    small = scores_at(example, FIRST_COLUMN, small_key, range(6), base)[:, 0]
    peaks = [distances[row] for row in scores.argmax(axis=0)]
    at_chosen = scores[[distances.index(distance) for distance in CHOSEN]].diagonal()
    heights, norms = [*at_chosen, small[SMALL_CHOSEN]], [*[MODEL_WIDTH] * len(CHOSEN), 2]
    shown = scores[[distances.index(distance) for distance in SHOWN]]
    offsets = np.subtract.outer(SHOWN, CHOSEN)
    sums = [cosine_sums(column, MODEL_WIDTH, MODEL_BASE) for column in offsets.T]
    small_offsets = np.arange(len(small)) - SMALL_CHOSEN
    small_sums = cosine_sums(small_offsets, len(FIRST_COLUMN), base) / 2
    return Evidence(
        values={
            "chosen_distances": list(CHOSEN),
            "peak_distances": list(SHOWN),
            "peak_scores": shown,
            "peaks_found": peaks,
            "small_peak_scores": small,
            "drawn_distances": list(DRAWN),
            "drawn_equal_scores": equal[: len(DRAWN)],
            "drawn_chosen_scores": scores[: len(DRAWN), CHOSEN.index(256)],
        },
        checks=(
            all_true(
                "peak-where-chosen", np.equal([*peaks, small.argmax()], [*CHOSEN, SMALL_CHOSEN])
            ),
            agree("peak-is-square-norm", heights, norms, 1e-9),
            agree("peak-by-cosines", [*shown.T.flat, *small], [*np.ravel(sums), *small_sums], 1e-9),
        ),
    )


def _weights(scores: Array) -> Evidence:
    """Attention over 1024 keys: equal rows, and keys made for distance 256."""
    weights = attention.softmax(scores / MODEL_WIDTH**0.5)
    equal, chosen = weights
    # Attention again, in plain numbers: cosines for the scores, powers of e for the softmax.
    offsets = np.subtract.outer([0, 256], range(CONTEXT))
    plain = [cosine_sums(row, MODEL_WIDTH, MODEL_BASE) / math.sqrt(MODEL_WIDTH) for row in offsets]
    expected = [[math.exp(score) / np.exp(row).sum() for score in row] for row in plain]
    nearest_ten, gain = weights[:, :10].sum(axis=1), chosen[256] / chosen[0]
    return Evidence(
        values={
            "weight_distances": list(WEIGHTS_SHOWN),
            "equal_row_weights": equal[list(WEIGHTS_SHOWN)],
            "chosen_key_weights": chosen[list(WEIGHTS_SHOWN)],
            "nearest_ten_weights": nearest_ten,
        },
        checks=(
            agree("weights-by-formula", weights, expected, 1e-12),
            Check("near-weights-of-equal-rows", float(nearest_ten[0]), 0.5, CONTEXT, "at least"),
            Check("far-weight-of-chosen-key", float(gain), 100.0, 2, "at least"),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Scores against four keys, then weights, then what to think of them."""
    small = evidence["small_peak_scores"]
    return (
        formula("(R(m)q)·(R(n)R(D0)q) = Σ_j |q_j|² cos((D - D0)·θ_j)"),
        _scores_as_curves(evidence),
        _scores_by_distance(evidence),
        _weights_by_distance(evidence),
        say(
            "Such a key is rotated by D0 steps in advance. So at D = D0 query and key are rotated "
            "by the same angles, and the score is |q|², the largest that a key of this length can "
            "have. Attention weights shrink with distance on the whole, as the note says, when "
            "query and key are the same row and its pairs have about the same length: the ten "
            "nearest keys then have {equal} of the weight. But W_k, the matrix that makes keys, "
            "can also multiply them by R(256). Then the ten nearest have {made}, and the key at D "
            "= 256 alone has {peak}. Barbero et al. (2024, arXiv 2410.06205) prove that every "
            "distance has such a key. Nor does it take a large model: for q = [1, 0, 1, 0] and D0 "
            "= 2 the scores at D = 0, 1, 2, 3 are {zero}, {one}, {two} and {three}.",
            "Ключ R(D0)q заранее повёрнут на D0 позиций. Поэтому при D = D0 запрос и ключ "
            "повёрнуты на одни и те же углы, и оценка равна |q|²: больше у ключа такой длины не "
            "бывает. Веса внимания в целом убывают с расстоянием, как сказано в заметке, если "
            "запрос и ключ — одна и та же строка и пары её примерно одной длины: тогда на десять "
            "ближайших ключей приходится {equal} веса. Но матрица W_k, которая даёт ключи, может "
            "ещё и умножить их на R(256). Тогда на десять ближайших приходится {made}, а на один "
            "ключ при D = 256 — {peak}. Барберо и соавторы (2024, arXiv 2410.06205) доказывают, "
            "что такой ключ есть для любого расстояния. И большая модель для этого не нужна: для q "
            "= [1, 0, 1, 0] и D0 = 2 оценки при D = 0, 1, 2, 3 равны {zero}, {one}, {two} и "
            "{three}.",
            equal=evidence["nearest_ten_weights"][0],
            made=evidence["nearest_ten_weights"][1],
            peak=evidence["chosen_key_weights"][5],
            zero=small[0],
            one=small[1],
            two=small[2],
            three=small[3],
        ),
    )


def _scores_by_distance(evidence: Evidence) -> Table:
    return table(
        t(
            "q is a row of ones and k = R(D0)q, for four choices of D0; d = 128, b = 10000. The "
            "largest score of each column is 128:",
            "q — строка из единиц, k = R(D0)q для четырёх значений D0; d = 128, b = 10000. "
            "Наибольшая оценка в каждом столбце — 128:",
        ),
        right("D = m-n", *(f"D0 = {chosen}" for chosen in evidence["chosen_distances"])),
        zip(evidence["peak_distances"], *evidence["peak_scores"].T, strict=True),
    )


def _weights_by_distance(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "Attention weights of 1024 keys with the same content: e^(score/√d), divided by its "
            "sum over all keys (softmax):",
            "Веса внимания 1024 ключей с одним и тем же содержимым: e^(оценка/√d), делённое на "
            "сумму по всем ключам (softmax):",
        ),
        ("D = m-n", evidence["weight_distances"]),
        (t("weight, k = q", "вес, k = q"), evidence["equal_row_weights"]),
        (t("weight, k = R(256)q", "вес, k = R(256)q"), evidence["chosen_key_weights"]),
    )


def _scores_as_curves(evidence: Evidence) -> Series:
    return Series(
        t(
            "Scores of a row of ones with two keys, d = 128",
            "Оценки строки из единиц с двумя ключами, d = 128",
        ),
        ("D = m-n", t("score", "оценка")),
        curves(
            evidence["drawn_distances"],
            ("k = q", evidence["drawn_equal_scores"]),
            ("k = R(256)q", evidence["drawn_chosen_scores"]),
        ),
        t(
            "The score of equal rows is largest at D = 0, that of the key R(256)q at D = 256; "
            "the second curve is symmetric about its peak.",
            "Оценка одинаковых строк наибольшая при D = 0, оценка с ключом R(256)q — при D = 256; "
            "вторая кривая симметрична относительно своей вершины.",
        ),
        graphical=True,
    )
