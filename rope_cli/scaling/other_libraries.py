"""What other implementations make of the same config, where their numbers differ from these.

The numbers are computed here by their rule; which rule is whose was read in their code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rope_cli.document.vocabulary import t
from rope_cli.rope.scaling import Band, Llama3, LongRope, Method, NtkAware, Scaled, Yarn, magnitude
from rope_cli.scaling.compute import Computed
from rope_cli.scaling.methods import ORIGINAL
from rope_cli.text import Text

# Below this relative difference two numbers count as one: float32 tables differ by 1e-7 anyway.
ALIKE = 1e-7
LLAMA_LENGTH = 8192

FREQUENCY = t("frequency of pair {pair}", "частота пары {pair}")
SHORT_FREQUENCY = t(
    "frequency of pair {pair} in a short text", "частота пары {pair} в коротком тексте"
)
ATTENTION = t("attention factor", "множитель внимания")
SCORE = t("factor of the scores", "множитель оценок")

ROUNDS = t(
    "always widens the bounds of the ramp to whole pairs",
    "всегда расширяет границы перехода до целых номеров пар",
)
IN_TURNS = t(
    "the share grows with the turns of a pair, not with its index",
    "доля растёт с числом оборотов пары, а не с её номером",
)
MULTIPLIES = t(
    "attention_factor multiplies 0.1 ln s + 1 instead of replacing it",
    "attention_factor умножает 0.1 ln s + 1, а не заменяет его",
)
ONLY_FACTOR = t(
    "reads neither attention_factor nor mscale: 0.1 ln s + 1",
    "не читает ни attention_factor, ни mscale: 0.1 ln s + 1",
)
OWN_STANDARDS = t(
    "M(mscale)/M(mscale_all_dim) with 1 and 0 for what is missing; no attention_factor",
    "M(mscale)/M(mscale_all_dim), вместо недостающих 1 и 0; attention_factor не читает",
)
ONE_WHEN_SILENT = t(
    "1 unless the config gives a factor or an mscale",
    "1, если в конфигурации нет ни множителя, ни mscale",
)
SOFTMAX_ONLY = t(
    "scales the softmax alone, by M(mscale)^2, and only beyond the original length",
    "умножает только под softmax, на M(mscale)^2, и лишь за исходной длиной",
)
ONE_BASE = t(
    "one table for all lengths, with s^2 - s + 1 in the place of s n/L - (s - 1)",
    "одна таблица на все длины: s^2 - s + 1 вместо s n/L - (s - 1)",
)
STATIC_ALPHA = t(
    "an alpha makes the base fixed, whatever the length",
    "alpha делает основание постоянным при любой длине",
)
NTK_OTHERWISE = t(
    "divides all by s^(2/d) and multiplies the base by s alone: pair 0 is not kept",
    "делит всё на s^(2/d), а основание умножает только на s: пара 0 не сохраняется",
)
LENGTH_8192 = t(
    "looks for the original length outside the object, else takes 8192",
    "ищет исходную длину вне объекта, иначе берёт 8192",
)
ALWAYS_LONG = t(
    "takes the long list even for texts up to the original length",
    "берёт длинный список и для текстов не длиннее исходной длины",
)
ONCE = t(
    "choose once, by the configured context, so texts up to the original length get the long "
    "list too",
    "выбирают один раз, по заданному контексту, и текстам не длиннее исходной длины тоже "
    "достаётся длинный список",
)
LOG_FORM = t(
    "0.1 ln s + 1, because the type is written yarn",
    "0.1 ln s + 1, потому что тип записан как yarn",
)
BY_QUOTIENT = t(
    "takes hidden_size / num_attention_heads = {width} for the width",
    "берёт ширину hidden_size / num_attention_heads = {width}",
)
WHOLE_HEAD = t(
    "keeps the whole head, {width}, in the exponent",
    "оставляет в показателе степени всю голову, {width}",
)
PAPER = t("the YaRN paper", "статья о YaRN")
OLDER_VLLM = t("older vLLM", "старый vLLM")
YARN_AND_OLDER_VLLM = t("YaRN, older vLLM", "YaRN, старый vLLM")
MISTAKE = t("a known mistake", "известная ошибка")


class Elsewhere(NamedTuple):
    """One number that other code computes otherwise."""

    who: str | Text
    does: Text
    filling: dict[str, int]
    quantity: Text
    pair: int | None
    here: float
    there: float


def differences(computed: Computed, maximum: int) -> list[Elsewhere]:
    """Every known difference that changes a number of this config of ``maximum`` positions."""
    method = computed.method
    found = list(widths(computed))
    if isinstance(method, Yarn):
        found += [*ramps(computed, method), *attention_factors(computed, method)]
        found += scores(computed, method, maximum)
    elif isinstance(method, Llama3) and not stands_outside(computed):
        theirs = replace(method, original_length=LLAMA_LENGTH)
        found.append(worst(computed, "llama.cpp", LENGTH_8192, theirs))
    elif isinstance(method, LongRope):
        found += lists(computed, method, maximum)
    elif computed.layer.method == "dynamic":
        found += fixed_bases(computed)
    elif isinstance(method, NtkAware):
        here = float(computed.scaled.inverse_frequencies[0])
        there = method.factor ** (-2 / computed.d)  # pair 0 of any base, divided by s^(2/d)
        found.append(Elsewhere("vLLM", NTK_OTHERWISE, {}, FREQUENCY, 0, here, there))
    return [each for each in found if not math.isclose(each.here, each.there, rel_tol=ALIKE)]


def worst(computed: Computed, who: str | Text, does: Text, theirs: Method | Scaled) -> Elsewhere:
    """The pair where the frequencies of the other code differ most, as a ratio."""
    if not isinstance(theirs, Scaled):
        theirs = theirs.scaled(computed.d, computed.b, computed.length)
    ours, others = computed.scaled.inverse_frequencies, theirs.inverse_frequencies
    pair = int(np.abs(np.log(others / ours)).argmax())
    return Elsewhere(who, does, {}, FREQUENCY, pair, float(ours[pair]), float(others[pair]))


def widths(computed: Computed) -> Iterator[Elsewhere]:
    """Code that takes another width for d."""
    if computed.d < 4:
        return
    here = float(computed.scaled.inverse_frequencies[1])
    head, quotient = int(computed.layer.head_width.value), computed.layer.quotient
    for width, does in ((quotient, BY_QUOTIENT), (head, WHOLE_HEAD)):
        if width and width != computed.d:
            # Lists of factors fit one width, and an odd width no method: there only a pair that
            # is kept can be compared.
            plain = isinstance(computed.method, LongRope) or width % 2 == 1
            if plain and computed.scaled.bands[1] is not Band.KEPT:
                continue
            there = computed.b ** (-2 / width) if plain else frequency_at(computed, width)
            yield Elsewhere(MISTAKE, does, {"width": width}, FREQUENCY, 1, here, there)


def frequency_at(computed: Computed, width: int) -> float:
    """What the method would make of pair 1 of another width."""
    theirs = computed.method.scaled(width, computed.b, computed.length)
    return float(theirs.inverse_frequencies[1])


def ramps(computed: Computed, method: Yarn) -> Iterator[Elsewhere]:
    """Other ramps between the kept and the divided pairs."""
    who = "YaRN, llama.cpp, mlx-lm"
    yield worst(computed, who, ROUNDS, replace(method, truncate=True))
    paper = method.scaled_by_turns(computed.d, computed.b)
    yield worst(computed, PAPER, IN_TURNS, paper)


def attention_factors(computed: Computed, method: Yarn) -> Iterator[Elsewhere]:
    """Other readings of attention_factor, mscale and mscale_all_dim."""
    s, given = method.factor, method.attention_factor
    one, other = method.mscale, method.mscale_all_dim
    ratio = magnitude(s, 1.0 if one is None else one) / magnitude(s, other or 0.0)
    theirs: list[tuple[str | Text, Text, float]] = [("mlx-lm", OWN_STANDARDS, ratio)]
    if given is None:
        theirs.append((YARN_AND_OLDER_VLLM, ONLY_FACTOR, magnitude(s)))
    else:
        theirs.append(("YaRN", MULTIPLIES, magnitude(s) * given))
        theirs.append((OLDER_VLLM, ONLY_FACTOR, magnitude(s)))
    if given is None and not (one and other):
        theirs.append(("litgpt", ONE_WHEN_SILENT, magnitude(s, one or other or 0.0)))
    here = computed.scaled.attention_factor
    for who, does, there in theirs:
        yield Elsewhere(who, does, {}, ATTENTION, None, here, there)


def scores(computed: Computed, method: Yarn, maximum: int) -> Iterator[Elsewhere]:
    """How much the scores of latent attention gain in the rotated part, all factors together."""
    if computed.softmax_factor is None:
        return
    here = computed.scaled.attention_factor**2 * computed.softmax_factor
    beyond = maximum > method.original_length
    there = magnitude(method.factor, method.mscale or 1.0) ** 2 if beyond else 1.0
    yield Elsewhere("DeepSeek-V3", SOFTMAX_ONLY, {}, SCORE, None, here, there)


def lists(computed: Computed, method: LongRope, maximum: int) -> Iterator[Elsewhere]:
    """Other choices between the two lists, in a text that fits the original length."""
    original = int(method.original_length)
    short, long = (
        method.scaled(computed.d, computed.b, length).inverse_frequencies
        for length in (original, original + 1)
    )
    pair = int(np.abs(np.log(long / short)).argmax())
    pairs = pair, float(short[pair]), float(long[pair])
    yield Elsewhere("mlx-lm", ALWAYS_LONG, {}, SHORT_FREQUENCY, *pairs)
    if maximum > original:
        yield Elsewhere("llama.cpp, vLLM", ONCE, {}, SHORT_FREQUENCY, *pairs)
    if computed.layer.written.value == "yarn" and method.attention_factor is None:
        there = magnitude(method.factor)
        here = computed.scaled.attention_factor
        yield Elsewhere("llama.cpp", LOG_FORM, {}, ATTENTION, None, here, there)


def fixed_bases(computed: Computed) -> Iterator[Elsewhere]:
    """Dynamic scaling that does not follow the length."""
    s = float(computed.values["factor"])
    yield worst(computed, "vLLM", ONE_BASE, NtkAware(s * s - s + 1))
    if computed.layer.alpha:
        yield worst(computed, "vLLM", STATIC_ALPHA, NtkAware(computed.layer.alpha))


def stands_outside(computed: Computed) -> bool:
    """Whether the original length was read from the model's own keys."""
    read = computed.layer.values.get(ORIGINAL)
    return read is not None and read.source in (ORIGINAL, f"text_config.{ORIGINAL}")
