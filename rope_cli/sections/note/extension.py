"""Longer contexts: which pairs each method of scaling slows down, and by how much."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Number, Series, Table
from rope_cli.document.charts import curves
from rope_cli.document.evidence import Evidence, agree, all_true, differ
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, Array, Example, as_array
from rope_cli.rope.scaling import Band, Linear, Llama3, NtkAware, Scaled, Yarn
from rope_cli.sections.note.same_content import MODEL_BASE, MODEL_WIDTH, turned_queries
from rope_cli.text import Text

TITLE = t("Longer contexts", "Расширение контекста")
QUESTION = t(
    "A model was trained on 4096 positions and is to read four times as many. Which "
    "pair keeps its speed when all positions are divided by 4, which with NTK-aware "
    "scaling, which with YaRN?",
    "Модель обучена на 4096 позициях, а читать должна вчетверо больше. Какая пара "
    "сохранит скорость, если разделить все позиции на 4, какая — при "
    "NTK-масштабировании, какая — в YaRN?",
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
        "при линейном и при NTK-масштабировании последняя пара в позиции 4L повёрнута не "
        "дальше, чем раньше в L",
    ),
}
PAIR = t("pair j", "пара j")
RULES: tuple[str | Text, ...] = (
    t("linear (PI)", "линейно (PI)"),
    "NTK",
    t("YaRN, by index", "YaRN, по номеру"),
    t("YaRN, by turns", "YaRN, по оборотам"),
)
FACTORS = (2, 4, 8, 32)
FACTOR, CONTEXT = 4, 4096
SCALED_PAIRS = (0, 1, 16, 20, 21, 31, 32, 45, 46, 63)
# The values of Llama 3.1.
LLAMA = Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=8192)
LLAMA_BASE = 500000.0
POSITIONS = (1, 2, 3, 500)


def ratios(scaled: Scaled) -> Array:
    """What is left of each pair's frequency."""
    divided: Array = scaled.inverse_frequencies / scaled.theta
    return divided


def counted(scaled: Scaled) -> list[int]:
    """How many pairs are kept, blended and divided."""
    return [scaled.bands.count(band) for band in (Band.KEPT, Band.BLENDED, Band.DIVIDED)]


def counted_by_turns(base: float, context: int, many: float, few: float) -> list[int]:
    """Kept: at least ``many`` turns in the context; divided: at most ``few``."""
    turns = reference.angles(context, MODEL_WIDTH, base) / (2 * math.pi)
    kept, divided = int((turns >= many).sum()), int((turns <= few).sum())
    return [kept, turns.size - kept - divided, divided]


def turned_alike(
    example: Example, scaled: Scaled, stretch: int, base: float
) -> tuple[Array, Array]:
    """Scaled turns at ``stretch`` times some positions; rows turned by plain RoPE at these."""
    row = np.resize(as_array(FIRST_COLUMN), MODEL_WIDTH).tolist()
    turned = turned_queries(example, row, POSITIONS, base)
    turns = scaled.turns(stretch * np.array(POSITIONS))
    return np.hstack([turns.real, turns.imag]), np.hstack([turned[:, 0::2], turned[:, 1::2]])


def gather(example: Example) -> Evidence:
    """Ratios of four rules at s = 4, NTK's base and YaRN's factor for four s, three bands."""
    d, b = MODEL_WIDTH, MODEL_BASE
    linear, ntk = Linear(FACTOR).scaled(d, b), NtkAware(FACTOR).scaled(d, b)
    yarn = Yarn(FACTOR, CONTEXT)
    by_index, by_turns = yarn.scaled(d, b), yarn.scaled_by_turns(d, b)
    embedding = np.array([ratios(each) for each in (linear, ntk, by_index, by_turns)])
    bases = [NtkAware(s).base(d, b) for s in FACTORS]
    last = [ratios(NtkAware(s).scaled(d, b))[-1] for s in FACTORS]
    temperatures = [Yarn(s, CONTEXT).magnitude() for s in FACTORS]
    counts = [counted(by_turns), counted(by_index), counted(LLAMA.scaled(d, LLAMA_BASE))]
    yarn_counts = counted_by_turns(b, CONTEXT, yarn.beta_fast, yarn.beta_slow)
    llama_counts = counted_by_turns(
        LLAMA_BASE, LLAMA.original_length, LLAMA.high_freq_factor, LLAMA.low_freq_factor
    )
    slowest = reference.inverse_frequency(d // 2 - 1, d, b)
    angles = [FACTOR * CONTEXT * float(each.inverse_frequencies[-1]) for each in (linear, ntk)]
    return Evidence(
        values={
            "extension_factor": FACTOR,
            "scaled_pairs": list(SCALED_PAIRS),
            "scaling_ratios": embedding[:, SCALED_PAIRS],
            "extension_factors": list(FACTORS),
            "ntk_bases": np.array(bases),
            "ntk_last_ratios": np.array(last),
            "plain_base_last_ratios": np.array([s ** (2 / d - 1) for s in FACTORS]),
            "yarn_factors": np.array(temperatures),
            "band_counts": counts,
            "slowest_angles": [CONTEXT * slowest, FACTOR * CONTEXT * slowest, *angles],
            "neighbour_angle": float(linear.inverse_frequencies[0]),
            "neighbour_cosines": [math.cos(1), math.cos(linear.inverse_frequencies[0])],
        },
        checks=(
            agree("interpolated-positions", *turned_alike(example, linear, FACTOR, b), 1e-12),
            agree("ntk-is-another-base", *turned_alike(example, ntk, 1, bases[1]), 1e-12),
            agree(
                "ntk-first-and-last-pair",
                [ratios(ntk)[0], *last],
                [1.0, *(1 / s for s in FACTORS)],
                1e-12,
            ),
            all_true(
                "yarn-ratios-in-bounds",
                [
                    *((embedding[2:] >= 1 / FACTOR - 1e-15) & (embedding[2:] <= 1 + 1e-15)).ravel(),
                    *(np.diff(embedding[2:]) <= 1e-15).ravel(),
                ],
            ),
            differ("yarn-ramps-differ", embedding[2], embedding[3], 0.1),
            agree("bands-by-turns", counts, [yarn_counts, yarn_counts, llama_counts], 0.0),
            agree(
                "yarn-factor-by-formula",
                temperatures,
                [0.1 * math.log(s) + 1 for s in FACTORS],
                1e-12,
            ),
            agree("slowest-angle-as-trained", angles, [CONTEXT * slowest] * 2, 1e-12),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Ratios by pair, numbers by factor, bands, and what to make of them."""
    by_pair = table(
        t(
            "What is left of each speed at s = 4, d = 128, b = 10000, L = 4096:",
            "Что остаётся от каждой скорости при s = 4, d = 128, b = 10000, L = 4096:",
        ),
        right(PAIR, *(name for name in RULES)),
        (
            (pair, *map(Number, evidence["scaling_ratios"][:, at]))
            for at, pair in enumerate(evidence["scaled_pairs"])
        ),
    )
    by_factor = table(
        t(
            "By the factor s. NTK's base is b·s^(d/(d-2)), not b·s:",
            "В зависимости от s. Основание NTK равно b·s^(d/(d-2)), а не b·s:",
        ),
        right(
            "s",
            t("NTK base", "основание NTK"),
            t("its last ratio", "его последнее отношение"),
            t("that with base b·s", "то же при основании b·s"),
            t("YaRN's factor", "множитель YaRN"),
        ),
        (
            (s, *map(Number, numbers))
            for s, *numbers in zip(
                evidence["extension_factors"],
                evidence["ntk_bases"],
                evidence["ntk_last_ratios"],
                evidence["plain_base_last_ratios"],
                evidence["yarn_factors"],
                strict=True,
            )
        ),
    )
    return (by_pair, _ratios(evidence), by_factor, _bands(evidence), *_reading(evidence))


def _ratios(evidence: Evidence) -> Series:
    return Series(
        t("The same ratios:", "Те же отношения:"),
        (PAIR, t("scaled / unscaled speed", "скорость после / до масштабирования")),
        curves(evidence["scaled_pairs"], *zip(RULES, evidence["scaling_ratios"], strict=True)),
        t(
            "PI slows down all pairs alike. NTK leaves the first as it is and slows down each "
            "further one a little more. YaRN leaves the fast third alone and slows down the slow "
            "third as PI does, and passes between the two, by turns more steeply.",
            "PI замедляет все пары одинаково. NTK не трогает первую, а каждую следующую "
            "замедляет чуть сильнее. YaRN не трогает быструю треть, медленную замедляет, как PI, а "
            "между ними переходит от одного к другому — по оборотам круче, чем по номеру.",
        ),
    )


def _bands(evidence: Evidence) -> Table:
    names: tuple[str | Text, ...] = (
        t("YaRN, by turns", "YaRN, по оборотам"),
        t("YaRN, by index", "YaRN, по номеру"),
        "Llama 3.1",
    )
    return table(
        t("How many of the 64 pairs:", "Сколько из 64 пар:"),
        (
            *left(t("rule", "правило")),
            *right(t("kept", "сохранено"), t("blended", "смешано"), t("divided", "поделено")),
        ),
        ((name, *counts) for name, counts in zip(names, evidence["band_counts"], strict=True)),
    )


def _reading(evidence: Evidence) -> tuple[Block, ...]:
    trained, unscaled, linear, _ = evidence["slowest_angles"]
    one, quarter = evidence["neighbour_cosines"]
    return (
        say(
            "Unscaled RoPE does not reach beyond the training length by itself: in 4096 "
            "positions pair 63 never turned beyond {trained} radians, and at 4L it comes "
            "to {unscaled}. PI and NTK bring it back to {linear}. PI pays with the "
            "neighbours, whose angle in pair 0 falls from 1 to {neighbour} (cosine {one}, "
            "then {quarter}). NTK leaves pair 0 as it is. YaRN keeps the fast pairs, "
            "divides the slow ones and blends in between: by the pair's index in its "
            "authors' code, by its turns in the paper, which is not the same thing; it "
            "also multiplies cosines and sines by its factor.",
            "Само по себе RoPE без масштабирования за длину обучения не выходит: за "
            "4096 позиций пара 63 не поворачивалась дальше {trained} радиана, а в позиции "
            "4L дойдёт до {unscaled}. PI и NTK возвращают её к {linear}. PI расплачивается "
            "соседями: их угол в паре 0 падает с 1 до {neighbour} (косинус был {one}, стал "
            "{quarter}). NTK пару 0 не трогает. YaRN сохраняет быстрые пары, делит "
            "медленные, а промежуточные смешивает — в коде авторов по номеру пары, в "
            "статье по числу её оборотов, и это не одно и то же; кроме того, косинусы и "
            "синусы умножаются на его множитель.",
            trained=trained,
            unscaled=unscaled,
            linear=linear,
            neighbour=evidence["neighbour_angle"],
            one=one,
            quarter=quarter,
        ),
    )
