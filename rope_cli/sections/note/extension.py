"""Longer contexts: which pairs each method of scaling slows down, and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from rope_cli.document.blocks import Block, Paragraph, Series, Table
from rope_cli.document.charts import curves
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, differ
from rope_cli.document.vocabulary import brief, left, right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example
from rope_cli.experiments.distances import (
    MODEL_BASE,
    MODEL_CONTEXT,
    MODEL_WIDTH,
    key_rows,
    query_rows,
)
from rope_cli.rope.scaling import Band, Linear, Llama3, NtkAware, Scaled, Yarn
from rope_cli.text import Text

TITLE = t("Longer contexts", "Расширение контекста")
QUESTION = t(
    "A model was trained on 4096 positions and is to read four times as many. If all positions are "
    "divided by 4, which pairs become slower? And if the base is raised instead, which pair keeps "
    "its speed?",
    "Модель обучена на 4096 позициях, а читать должна вчетверо больше. Какие пары станут "
    "медленнее, если разделить все позиции на 4? А какая сохранит скорость, если вместо этого "
    "увеличить основание?",
)

CLAIMS = {
    "interpolated-positions": t(
        "with position interpolation position 4m rotates a row as position m did before",
        "при интерполяции позиций позиция 4m поворачивает строку так же, как прежде позиция m",
    ),
    "ntk-is-another-base": t(
        "NTK-aware scaling is plain RoPE with a larger base",
        "NTK-масштабирование — это обычное RoPE с большим основанием",
    ),
    "ntk-first-and-last-pair": t(
        "NTK-aware scaling keeps the frequency of pair 0 and divides that of the last pair by s",
        "NTK-масштабирование сохраняет частоту пары 0, а частоту последней делит на s",
    ),
    "yarn-ratios-in-bounds": t(
        "in either version of YaRN the ratios lie between 1/s and 1 and never rise with j",
        "при обоих правилах смешивания отношения в YaRN лежат между 1/s и 1 и не растут с номером "
        "j",
    ),
    "yarn-ramps-differ": t(
        "the two published versions of YaRN give different frequencies in between",
        "два правила YaRN, по номеру и по оборотам, дают промежуточным парам разные частоты",
    ),
    "bands-by-turns": t(
        "whether a pair is kept or divided depends on its full turns in the training length",
        "сохраняется частота пары или делится на s, зависит от числа её оборотов на длине L",
    ),
    "yarn-factor-by-formula": t(
        "the attention factor of YaRN is 0.1·ln(s) + 1",
        "множитель внимания YaRN равен 0.1·ln(s) + 1",
    ),
    "slowest-angle-as-trained": t(
        "with PI and NTK the last pair is rotated at 4L no further than at L before",
        "при PI и NTK последняя пара в позиции 4L повёрнута не дальше, чем прежде в L",
    ),
    "slowest-pairs-by-cosines": t(
        "the sixteen slowest pairs of ones add twice the sum of their cosines at D = 4096, and 32 "
        "if they are not rotated",
        "шестнадцать самых медленных пар из единиц вносят при D = 4096 удвоенную сумму своих "
        "косинусов, а без поворота — 32",
    ),
}
PAIR = t("pair j", "пара j")
RULES: tuple[str | Text, ...] = (
    "PI",
    "NTK",
    t("YaRN, by index", "YaRN, по номеру"),
    t("YaRN, by turns", "YaRN, по оборотам"),
)
MODEL = (MODEL_WIDTH, MODEL_BASE)
FACTOR, FACTORS = 4, (2, 4, 8, 32)
SCALED_PAIRS = (0, 1, 16, 20, 21, 31, 32, 45, 46, 63)
# The values of Llama 3.1.
LLAMA = Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=8192)
LLAMA_BASE = 500000.0
# p-RoPE with p = 0.75 rotates the fastest three quarters of the pairs.
UNROTATED = MODEL_WIDTH // 2 // 4


def gather(example: Example) -> Evidence:
    """Four rules at s = 4, numbers for four s, three bands, and pairs left unrotated."""
    return _rules(example) + _slowest_pairs(example)


def _rules(example: Example) -> Evidence:
    yarn = Yarn(FACTOR, MODEL_CONTEXT)
    linear, ntk = Linear(FACTOR).scaled(*MODEL), NtkAware(FACTOR).scaled(*MODEL)
    by_index, by_turns = yarn.scaled(*MODEL), yarn.scaled_by_turns(*MODEL)
    kept = np.array([ratios(rule) for rule in (linear, ntk, by_index, by_turns)])
    llama = LLAMA.scaled(MODEL_WIDTH, LLAMA_BASE)
    counts = [count_bands(rule) for rule in (by_turns, by_index, llama)]
    last_ratios = [ratios(NtkAware(s).scaled(*MODEL))[-1] for s in FACTORS]
    factors = [Yarn(s, MODEL_CONTEXT).magnitude() for s in FACTORS]
    neighbour = float(linear.inverse_frequencies[0])
    trained = MODEL_CONTEXT * reference.inverse_frequency(MODEL_WIDTH // 2 - 1, *MODEL)
    farthest = FACTOR * MODEL_CONTEXT
    extended = [farthest * float(rule.inverse_frequencies[-1]) for rule in (linear, ntk)]
    return Evidence(
        values={
            "extension_factor": FACTOR,
            "every_pair": list(range(MODEL_WIDTH // 2)),
            "ratios_of_every_pair": kept,
            "scaled_pairs": list(SCALED_PAIRS),
            "scaling_ratios": kept[:, SCALED_PAIRS],
            "extension_factors": list(FACTORS),
            "ntk_bases": np.array([NtkAware(s).base(*MODEL) for s in FACTORS]),
            "ntk_last_ratios": np.array(last_ratios),
            "plain_base_last_ratios": np.array([s ** (2 / MODEL_WIDTH - 1) for s in FACTORS]),
            "yarn_factors": np.array(factors),
            "band_counts": counts,
            "slowest_angles": [trained, FACTOR * trained, *extended],
            "neighbour_angle": neighbour,
            "neighbour_cosines": [math.cos(1), math.cos(neighbour)],
            "score_factor": factors[FACTORS.index(FACTOR)] ** 2,
        },
        checks=(
            *_checks_of_linear_and_ntk(example, linear, ntk, last_ratios),
            *_checks_of_yarn(kept[2:], counts, factors),
            agree("slowest-angle-as-trained", extended, [trained] * 2, 1e-12),
        ),
    )


def _checks_of_linear_and_ntk(
    example: Example, linear: Scaled, ntk: Scaled, last_ratios: list[float]
) -> Iterator[Check]:
    scaled, plain = scaled_and_plain(example, linear, FACTOR, MODEL_BASE)
    yield agree("interpolated-positions", scaled, plain, 1e-12)
    scaled, plain = scaled_and_plain(example, ntk, 1, NtkAware(FACTOR).base(*MODEL))
    yield agree("ntk-is-another-base", scaled, plain, 1e-12)
    expected = [1.0, *(1 / s for s in FACTORS)]
    yield agree("ntk-first-and-last-pair", [ratios(ntk)[0], *last_ratios], expected, 1e-12)


def _checks_of_yarn(ramps: Array, counts: list[list[int]], factors: list[float]) -> Iterator[Check]:
    bounded = (ramps >= 1 / FACTOR - 1e-15) & (ramps <= 1 + 1e-15)
    falling = np.diff(ramps) <= 1e-15
    yield all_true("yarn-ratios-in-bounds", [*bounded.flat, *falling.flat])
    yield differ("yarn-ramps-differ", ramps[0], ramps[1], 0.1)
    yarn = Yarn(FACTOR, MODEL_CONTEXT)
    of_yarn = count_bands_by_turns(MODEL_BASE, MODEL_CONTEXT, yarn.beta_fast, yarn.beta_slow)
    of_llama = count_bands_by_turns(
        LLAMA_BASE, LLAMA.original_length, LLAMA.high_freq_factor, LLAMA.low_freq_factor
    )
    yield agree("bands-by-turns", counts, [of_yarn, of_yarn, of_llama], 0.0)
    yield agree("yarn-factor-by-formula", factors, [0.1 * math.log(s) + 1 for s in FACTORS], 1e-12)


def ratios(scaled: Scaled) -> Array:  # -> [pairs]
    """What is left of each pair's frequency."""
    return np.asarray(scaled.inverse_frequencies / scaled.theta)


def count_bands(scaled: Scaled) -> list[int]:
    """How many pairs are kept, blended and divided."""
    return [scaled.bands.count(band) for band in (Band.KEPT, Band.BLENDED, Band.DIVIDED)]


def count_bands_by_turns(base: float, context: int, many: float, few: float) -> list[int]:
    """Kept: at least ``many`` turns in the context; divided: at most ``few``."""
    turns = reference.angles(context, MODEL_WIDTH, base) / math.tau
    kept, divided = int((turns >= many).sum()), int((turns <= few).sum())
    return [kept, turns.size - kept - divided, divided]


def scaled_and_plain(
    example: Example, scaled: Scaled, stretch: int, base: float
) -> tuple[Array, Array]:  # -> [positions, width] twice
    """Scaled factors at ``stretch`` times some positions; rows rotated by plain RoPE to these."""
    positions = (1, 2, 3, 500)
    factors = scaled.factors(stretch * np.array(positions))
    row = np.resize(FIRST_COLUMN, MODEL_WIDTH)
    plain = query_rows(example, row, positions, base)
    return np.hstack([factors.real, factors.imag]), np.hstack([plain[:, 0::2], plain[:, 1::2]])


def _slowest_pairs(example: Example) -> Evidence:
    """What the slowest pairs of two rows of ones add at D = 4096: rotated, and left alone."""
    ones = np.ones(MODEL_WIDTH)
    query = query_rows(example, ones, [MODEL_CONTEXT], MODEL_BASE)[0]
    key = key_rows(example, ones, [0], MODEL_BASE)[0]
    slowest = slice(-2 * UNROTATED, None)
    sums = [float(query[slowest] @ key[slowest]), float(ones[slowest] @ ones[slowest])]
    cosines = np.cos(reference.angles(MODEL_CONTEXT, *MODEL))[-UNROTATED:]
    expected = [2 * cosines.sum(), 2 * UNROTATED]
    return Evidence(
        values={"slowest_pairs": UNROTATED, "slowest_pairs_sums": sums},
        checks=(agree("slowest-pairs-by-cosines", sums, expected, 1e-10),),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The rules, ratios by pair, numbers by factor, bands, and what to make of them."""
    return (
        say(
            "Three ways to read s times as many positions. Position interpolation, PI, divides "
            "every position by s (Chen et al. 2023, arXiv 2306.15595). NTK-aware scaling raises "
            "the base (proposed by bloc97 on Reddit in 2023). YaRN keeps the fast pairs, "
            "divides the slow ones by s and blends those in between (Peng et al. 2023, arXiv "
            "2309.00071): by the number of the pair in its authors' code, by its full turns within "
            "the training length L in the paper.",
            "Вот три способа читать в s раз больше позиций. Интерполяция позиций, PI, делит "
            "каждую позицию на s (Chen и др., 2023, arXiv 2306.15595). NTK-масштабирование "
            "увеличивает основание (его предложил на Reddit в 2023 году bloc97). YaRN сохраняет "
            "частоты быстрых пар, частоты медленных делит на s, а у промежуточных пар берёт смесь "
            "(Peng и др., 2023, arXiv 2309.00071): в коде авторов — по номеру пары, в статье — по "
            "числу её оборотов на длине L, на которой модель обучена.",
        ),
        table(
            t(
                "New frequency divided by the old one, s = 4, d = 128, b = 10000, L = 4096:",
                "Новая частота, делённая на прежнюю; s = 4, d = 128, b = 10000, L = 4096:",
            ),
            right(PAIR, *RULES),
            zip(evidence["scaled_pairs"], *evidence["scaling_ratios"], strict=True),
        ),
        _ratios_as_curves(evidence),
        _by_factor(evidence),
        _bands(evidence),
        _what_each_pays(evidence),
        _other_ways(evidence),
    )


def _what_each_pays(evidence: Evidence) -> Paragraph:
    trained, unscaled, linear, _ = evidence["slowest_angles"]
    return say(
        "Left alone, RoPE guarantees nothing beyond the training length. At L = 4096 pair 63 is "
        "rotated by {trained} radians; at 4L it would be rotated by {unscaled}, an angle that "
        "training never showed. PI and NTK bring it back to {linear}. PI pays for this between "
        "neighbours: their angle in pair 0 falls from 1 radian to {neighbour}, so its cosine "
        "rises from {one} to {quarter}. NTK leaves pair 0 as it is, and YaRN leaves about a third "
        "of all pairs as they are. YaRN also multiplies cosines and sines by its attention "
        "factor, and therefore scores by the square of it, {square} at s = 4.",
        "Само по себе RoPE ничего не гарантирует дальше L. В позиции L = 4096 пара 63 повёрнута на "
        "{trained} радиана; в 4L она повернулась бы на {unscaled}, а такого угла при обучении не "
        "было. PI и NTK возвращают её к {linear}. Но при PI хуже различаются соседи: угол между "
        "ними в паре 0 падает с 1 радиана до {neighbour}, и косинус растёт с {one} до {quarter}. "
        "NTK не меняет частоту пары 0, а YaRN — около трети всех частот. Кроме того, YaRN умножает "
        "косинусы и синусы на множитель внимания, а значит, оценки — на его квадрат, при s = 4 "
        "равный {square}.",
        trained=trained,
        unscaled=unscaled,
        linear=linear,
        neighbour=brief(evidence["neighbour_angle"]),
        one=evidence["neighbour_cosines"][0],
        quarter=evidence["neighbour_cosines"][1],
        square=evidence["score_factor"],
    )


def _other_ways(evidence: Evidence) -> Paragraph:
    rotated, unrotated = evidence["slowest_pairs_sums"]
    return say(
        "There are more ways. LongRoPE (Ding et al. 2024, arXiv 2402.13753) searches for a factor "
        "for each single pair. p-RoPE (in Barbero et al. 2024, arXiv 2410.06205) does not rotate "
        "the slowest pairs: with p = 0.75 these are {pairs} of 64, and at D = 4096 they add "
        "{unrotated} to the score of two rows of ones instead of {rotated}. And some models have "
        "no rotation at all: BLOOM and MPT lower scores in proportion to the distance (ALiBi, "
        "Press et al. 2021, arXiv 2108.12409), while GPT-2, GPT-3 and OPT add a learned vector, of "
        "which there is none beyond the last trained position.",
        "Есть и другие способы. LongRoPE (Ding и др., 2024, arXiv 2402.13753) подбирает множитель "
        "для каждой пары отдельно. p-RoPE (Barbero и др., 2024, arXiv 2410.06205) самых медленных "
        "пар не поворачивает: при p = 0.75 таких {pairs} из 64, и при D = 4096 они вносят в оценку "
        "двух строк из единиц {unrotated} вместо {rotated}. А в некоторых моделях поворота нет "
        "вовсе: BLOOM и MPT вычитают из оценки величину, пропорциональную расстоянию (ALiBi, Press "
        "и др., 2021, arXiv 2108.12409), а GPT-2, GPT-3 и OPT прибавляют обучаемый вектор, "
        "которого за последней позицией, встреченной при обучении, просто нет.",
        pairs=evidence["slowest_pairs"],
        rotated=rotated,
        unrotated=brief(unrotated),
    )


def _ratios_as_curves(evidence: Evidence) -> Series:
    listed, every = (
        curves(evidence[pairs], *zip(RULES, evidence[kept], strict=True))
        for pairs, kept in (
            ("scaled_pairs", "scaling_ratios"),
            ("every_pair", "ratios_of_every_pair"),
        )
    )
    return Series(
        t("The same ratios:", "Те же отношения:"),
        (PAIR, t("new / old frequency", "новая / прежняя частота")),
        listed,
        t(
            "PI slows all pairs equally. NTK leaves the first as it is and slows each further one "
            "a little more. YaRN leaves the fast third alone, slows the slow third as PI does, "
            "and passes from one to the other in between, by turns more steeply than by index.",
            "PI замедляет все пары одинаково. NTK не трогает первую, а каждую следующую замедляет "
            "чуть сильнее. YaRN не трогает быструю треть, медленную замедляет, как PI, а между "
            "ними переходит от одного к другому — по оборотам круче, чем по номеру.",
        ),
        dense=every,
    )


def _by_factor(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "For several factors s. The base of NTK is b·s^(d/(d-2)); b·s would be too small for "
            "pair 63 to become s times slower:",
            "Для нескольких множителей s. Основание NTK — b·s^(d/(d-2)); при основании b·s пара 63 "
            "не стала бы медленнее в s раз:",
        ),
        ("s", evidence["extension_factors"]),
        (t("base of NTK", "основание NTK"), evidence["ntk_bases"]),
        (t("ratio for pair 63", "отношение для пары 63"), evidence["ntk_last_ratios"]),
        (t("the same with b·s", "то же при b·s"), evidence["plain_base_last_ratios"]),
        (t("attention factor of YaRN", "множитель внимания YaRN"), evidence["yarn_factors"]),
    )


def _bands(evidence: Evidence) -> Table:
    rules = (RULES[3], RULES[2], "Llama 3.1")
    return table(
        t(
            "Pairs, of 64, that a rule keeps, blends or divides by s; the rule of Llama 3.1 with "
            "s = 8, b = 500000, L = 8192:",
            "Из 64 пар: у скольких частота сохраняется, у скольких промежуточная и у скольких "
            "делится на s. В правиле Llama 3.1 s = 8, b = 500000, L = 8192:",
        ),
        (
            *left(t("rule", "правило")),
            *right(
                t("kept", "сохраняется"), t("blended", "промежуточная"), t("divided", "делится")
            ),
        ),
        ((rule, *counts) for rule, counts in zip(rules, evidence["band_counts"], strict=True)),
    )
