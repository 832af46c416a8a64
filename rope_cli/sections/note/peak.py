"""A key that prefers a distance: any distance can win, so RoPE alone does not favour the near."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from rope_cli.document.blocks import Block, Table
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true
from rope_cli.document.vocabulary import formula, right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH, cosine_sums, scores_at
from rope_cli.rope import attention

TITLE = t("A key that prefers a distance", "Ключ, предпочитающий расстояние")
QUESTION = t(
    "Can content be chosen so that a key 256 positions away scores more than every nearer one?",
    "Можно ли подобрать содержимое так, чтобы ключ на расстоянии 256 получал больше, чем любой "
    "более близкий?",
)

CLAIMS = {
    "peak-where-chosen": t(
        "of all distances computed the greatest score is at the chosen one, D0",
        "из всех вычисленных расстояний оценка наибольшая при выбранном D0",
    ),
    "peak-is-square-norm": t(
        "at D0 the score is the squared norm: no turned key of this length can score more",
        "при D0 оценка равна квадрату нормы: больше ключ такой длины дать не может",
    ),
    "peak-by-cosines": t(
        "the score is twice the sum of cos((D-D0)θ_j)",
        "оценка равна удвоенной сумме cos((D-D0)θ_j)",
    ),
    "near-weights-of-equal-rows": t(
        "for equal rows the ten nearest of 1024 keys hold more than half of the weight",
        "для одинаковых строк на десять ближайших из 1024 ключей приходится больше половины веса",
    ),
    "far-weight-of-chosen-key": t(
        "with the key made for D0 = 256 the weight there is at least 100 times that at D = 0",
        "если ключ построен для D0 = 256, вес там больше веса при D = 0 по меньшей мере в 100 раз",
    ),
}
CHOSEN = (1, 16, 256, 4096)
CONTEXT = 1024
SHOWN = (0, 1, 2, 8, 15, 16, 32, 255, 256, 257, 4095, 4096, 4097)
SMALL_CHOSEN = 2
WEIGHTS_SHOWN = (0, 1, 10, 63, 255, 256, 257, 1023)


def gather(example: Example) -> Evidence:
    """A row of ones against keys made for four distances; the weights of 1024 keys."""
    ones, distances = np.ones(MODEL_WIDTH), [*range(CONTEXT), *range(4064, 4129)]
    keys = np.vstack([ones, keys_for(ones, CHOSEN, MODEL_BASE)])
    scores = scores_at(example, ones, keys, distances)
    for_256 = scores[:CONTEXT, [0, 1 + CHOSEN.index(256)]]
    return _peaks(example, distances, scores[:, 1:]) + _weights(for_256.T)


def keys_for(row: ArrayLike, distances: Sequence[int], base: float) -> Array:
    # [width] -> [distances, width]
    """For each distance the key R(D0 theta)q, by the plain formula."""
    return reference.rotate(np.tile(row, (len(distances), 1)), base, distances)


def _peaks(example: Example, distances: list[int], scores: Array) -> Evidence:
    """Where each column of the scores ``[distances, keys]`` is greatest; the chapter's row too."""
    base = example.parameters.base
    small_key = keys_for(FIRST_COLUMN, [SMALL_CHOSEN], base)
    small = scores_at(example, FIRST_COLUMN, small_key, range(6), base)[:, 0]
    peaks = [distances[row] for row in scores.argmax(axis=0)]
    at_chosen = scores[[distances.index(distance) for distance in CHOSEN]].diagonal()
    heights, norms = [*at_chosen, small[SMALL_CHOSEN]], [*[MODEL_WIDTH] * len(CHOSEN), 2]
    shown = scores[[distances.index(distance) for distance in SHOWN]]
    offsets = np.subtract.outer(SHOWN, CHOSEN)
    sums = [cosine_sums(column, MODEL_WIDTH, MODEL_BASE) for column in offsets.T]
    return Evidence(
        values={
            "chosen_distances": list(CHOSEN),
            "peak_distances": list(SHOWN),
            "peak_scores": shown,
            "peaks_found": peaks,
            "small_peak_scores": small,
        },
        checks=(
            all_true(
                "peak-where-chosen", np.equal([*peaks, small.argmax()], [*CHOSEN, SMALL_CHOSEN])
            ),
            agree("peak-is-square-norm", heights, norms, 1e-9),
            agree("peak-by-cosines", shown.T, sums, 1e-9),
        ),
    )


def _weights(scores: Array) -> Evidence:
    """Attention over 1024 keys: equal rows, and keys made for distance 256."""
    weights = attention.softmax(scores / MODEL_WIDTH**0.5)
    equal, chosen = weights
    nearest_ten, gain = weights[:, :10].sum(axis=1), chosen[256] / chosen[0]
    return Evidence(
        values={
            "weight_distances": list(WEIGHTS_SHOWN),
            "equal_row_weights": equal[list(WEIGHTS_SHOWN)],
            "chosen_key_weights": chosen[list(WEIGHTS_SHOWN)],
            "nearest_ten_weights": nearest_ten,
        },
        checks=(
            Check("near-weights-of-equal-rows", float(nearest_ten[0]), 0.5, CONTEXT, "at least"),
            Check("far-weight-of-chosen-key", float(gain), 100.0, 2, "at least"),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Scores against four keys, then weights, then what to think of them."""
    small = evidence["small_peak_scores"]
    return (
        formula("(R(m·θ)q)ᵀ (R(n·θ) R(D0·θ) q) = Σ |q_j|² cos((D - D0)·θ_j)"),
        table(
            t(
                "q is a row of ones, k = R(D0·θ)q; d = 128, b = 10000. The peak of each column "
                "is 128:",
                "q — строка из единиц, k = R(D0·θ)q; d = 128, b = 10000. Вершина каждого столбца "
                "— 128:",
            ),
            right("D = m-n", *(f"D0 = {chosen}" for chosen in evidence["chosen_distances"])),
            zip(evidence["peak_distances"], *evidence["peak_scores"].T, strict=True),
        ),
        _weights_by_distance(evidence),
        say(
            "That attention weights shrink with distance, as the note has it, holds for contents "
            "that are alike: the ten nearest keys then hold {equal} of the weight. A matrix that "
            "makes keys can also turn them by R(D0·θ); the ten nearest then hold {made}, and "
            "D = 256 alone {peak}. The chapter's row with D0 = 2 scores {zero}, {one}, {two}, "
            "{three} at D = 0, 1, 2, 3.",
            "Что веса внимания убывают с расстоянием, как сказано в заметке, верно для похожих "
            "содержимых: тогда на десять ближайших ключей приходится {equal} веса. Но матрица, "
            "которая строит ключи, может и повернуть их на R(D0·θ), и тогда на десять ближайших "
            "приходится {made}, а на одно расстояние 256 — {peak}. Строка из главы при D0 = 2 даёт "
            "{zero}, {one}, {two}, {three} при D = 0, 1, 2, 3.",
            equal=evidence["nearest_ten_weights"][0],
            made=evidence["nearest_ten_weights"][1],
            peak=evidence["chosen_key_weights"][5],
            zero=small[0],
            one=small[1],
            two=small[2],
            three=small[3],
        ),
    )


def _weights_by_distance(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "Softmax of the scores/√d over 1024 keys that all have the same content:",
            "Softmax от оценок, делённых на √d, по 1024 ключам с одним и тем же содержимым:",
        ),
        ("D = m-n", evidence["weight_distances"]),
        (t("weight, k = q", "вес, k = q"), evidence["equal_row_weights"]),
        (t("weight, k = R(256·θ)q", "вес, k = R(256·θ)q"), evidence["chosen_key_weights"]),
    )
