"""Longer contexts: which pairs each method of scaling slows down, and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from rope_cli.document.blocks import Block, Series, Table
from rope_cli.document.charts import curves
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, differ
from rope_cli.document.vocabulary import left, right, say, t, table, table_by_columns
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example
from rope_cli.experiments.distances import MODEL_BASE, MODEL_CONTEXT, MODEL_WIDTH, query_rows
from rope_cli.rope.scaling import Band, Linear, Llama3, NtkAware, Scaled, Yarn
from rope_cli.text import Text

TITLE = t("Longer contexts", "Расширение контекста")
QUESTION = t(
    "A model was trained on 4096 positions and is to read four times as many. Which pair keeps its "
    "speed when all positions are divided by 4, which with NTK-aware scaling, which with YaRN?",
    "Модель обучена на 4096 позициях, а читать должна вчетверо больше. Какая пара сохранит "
    "скорость, если разделить все позиции на 4, какая — при NTK-масштабировании, какая — в YaRN?",
)

CLAIMS = {
    "interpolated-positions": t(
        "with linear scaling position 4m turns as position m did before",
        "при линейном масштабировании позиция 4m поворачивает так же, как раньше позиция m",
    ),
    "ntk-is-another-base": t(
        "NTK-aware scaling is plain RoPE with a greater base",
        "NTK-масштабирование — это обычное RoPE с большим основанием",
    ),
    "ntk-first-and-last-pair": t(
        "NTK-aware scaling keeps the speed of pair 0 and divides that of the last by s",
        "NTK-масштабирование сохраняет скорость пары 0, а у последней делит её на s",
    ),
    "yarn-ratios-in-bounds": t(
        "the ratios of YaRN lie between 1/s and 1 and never rise with j, with either ramp",
        "отношения в YaRN лежат между 1/s и 1 и не растут с номером j — при любом из переходов",
    ),
    "yarn-ramps-differ": t(
        "the two published ramps of YaRN give other speeds in between",
        "два опубликованных перехода YaRN дают в промежутке разные скорости",
    ),
    "bands-by-turns": t(
        "the turns that a pair makes in the training length decide if it is kept or divided",
        "сохранена пара или поделена, решает число её оборотов на длине обучения",
    ),
    "yarn-factor-by-formula": t(
        "the attention factor of YaRN is 0.1·ln(s) + 1",
        "множитель внимания YaRN равен 0.1·ln(s) + 1",
    ),
    "slowest-angle-as-trained": t(
        "linear and NTK-aware scaling turn the last pair at 4L no further than it went at L",
        "при линейном и при NTK-масштабировании последняя пара в позиции 4L повёрнута не дальше, "
        "чем раньше в L",
    ),
}
PAIR = t("pair j", "пара j")
RULES: tuple[str | Text, ...] = (
    t("linear (PI)", "линейно (PI)"),
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


def gather(example: Example) -> Evidence:
    """Ratios of four rules at s = 4, NTK's base and YaRN's factor for four s, three bands."""
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


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Ratios by pair, numbers by factor, bands, and what to make of them."""
    trained, unscaled, linear, _ = evidence["slowest_angles"]
    return (
        table(
            t(
                "What is left of each speed at s = 4, d = 128, b = 10000, L = 4096:",
                "Что остаётся от каждой скорости при s = 4, d = 128, b = 10000, L = 4096:",
            ),
            right(PAIR, *RULES),
            zip(evidence["scaled_pairs"], *evidence["scaling_ratios"], strict=True),
        ),
        _ratios_as_curves(evidence),
        _by_factor(evidence),
        _bands(evidence),
        say(
            "Unscaled RoPE does not reach beyond the training length by itself: in 4096 positions "
            "pair 63 never turned beyond {trained} radians, and at 4L it comes to {unscaled}. PI "
            "and NTK bring it back to {linear}. PI pays with the neighbours, whose angle in pair 0 "
            "falls from 1 to {neighbour} (cosine {one}, then {quarter}). NTK leaves pair 0 as it "
            "is. YaRN keeps the fast pairs, divides the slow ones and blends in between: by the "
            "pair's index in its authors' code, by its turns in the paper, which is not the same "
            "thing; it also multiplies cosines and sines by its factor.",
            "Само по себе RoPE без масштабирования за длину обучения не выходит: за 4096 позиций "
            "пара 63 не поворачивалась дальше {trained} радиана, а в позиции 4L дойдёт до "
            "{unscaled}. PI и NTK возвращают её к {linear}. PI расплачивается соседями: их угол в "
            "паре 0 падает с 1 до {neighbour} (косинус был {one}, стал {quarter}). NTK пару 0 не "
            "трогает. YaRN сохраняет быстрые пары, делит медленные, а промежуточные смешивает — в "
            "коде авторов по номеру пары, в статье по числу её оборотов, и это не одно и то же; "
            "кроме того, косинусы и синусы умножаются на его множитель.",
            trained=trained,
            unscaled=unscaled,
            linear=linear,
            neighbour=evidence["neighbour_angle"],
            one=evidence["neighbour_cosines"][0],
            quarter=evidence["neighbour_cosines"][1],
        ),
    )


def _ratios_as_curves(evidence: Evidence) -> Series:
    return Series(
        t("The same ratios:", "Те же отношения:"),
        (PAIR, t("scaled / unscaled speed", "скорость после / до масштабирования")),
        curves(evidence["scaled_pairs"], *zip(RULES, evidence["scaling_ratios"], strict=True)),
        t(
            "PI slows down all pairs alike. NTK leaves the first as it is and slows down each "
            "further one a little more. YaRN leaves the fast third alone and slows down the slow "
            "third as PI does, and passes between the two, by turns more steeply.",
            "PI замедляет все пары одинаково. NTK не трогает первую, а каждую следующую замедляет "
            "чуть сильнее. YaRN не трогает быструю треть, медленную замедляет, как PI, а между "
            "ними переходит от одного к другому — по оборотам круче, чем по номеру.",
        ),
    )


def _by_factor(evidence: Evidence) -> Table:
    return table_by_columns(
        t(
            "By the factor s. NTK's base is b·s^(d/(d-2)), not b·s:",
            "В зависимости от s. Основание NTK равно b·s^(d/(d-2)), а не b·s:",
        ),
        ("s", evidence["extension_factors"]),
        (t("NTK base", "основание NTK"), evidence["ntk_bases"]),
        (t("its last ratio", "его последнее отношение"), evidence["ntk_last_ratios"]),
        (t("that with base b·s", "то же при основании b·s"), evidence["plain_base_last_ratios"]),
        (t("YaRN's factor", "множитель YaRN"), evidence["yarn_factors"]),
    )


def _bands(evidence: Evidence) -> Table:
    rules = (RULES[3], RULES[2], "Llama 3.1")
    return table(
        t("How many of the 64 pairs:", "Сколько из 64 пар:"),
        (
            *left(t("rule", "правило")),
            *right(t("kept", "сохранено"), t("blended", "смешано"), t("divided", "поделено")),
        ),
        ((rule, *counts) for rule, counts in zip(rules, evidence["band_counts"], strict=True)),
    )
