"""What other implementations compute from the same config where their numbers differ from ours.

Their rules were read in their code and are followed here; nothing of theirs is run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rope_cli.document.vocabulary import t
from rope_cli.rope.scaling import Band, Llama3, LongRope, Method, NtkAware, Scaled, Yarn, magnitude
from rope_cli.scaling.compute import ScaledLayer
from rope_cli.scaling.key_names import ORIGINAL, ROPE_OBJECTS
from rope_cli.text import Text

# Numbers closer than this count as equal: tables in float32 differ by 1e-7 anyway.
ALIKE = 1e-7
LLAMA_CPP_LENGTH = 8192

FREQUENCY = t("frequency of pair {pair}", "частота пары {pair}")
SHORT_FREQUENCY = t(
    "frequency of pair {pair} in a short sequence",
    "частота пары {pair} в короткой последовательности",
)
ATTENTION = t("attention factor", "множитель внимания")
SCORE = t("factor of the scores", "множитель оценок")
ONLY_FACTOR = t(
    "always 0.1·ln(s) + 1; reads neither attention_factor nor mscale",
    "всегда 0.1·ln(s) + 1; не читает ни attention_factor, ни mscale",
)


class OtherResult(NamedTuple):
    """A number that another library computes by a rule of its own.

    ``quantity`` says which number, ``pair`` of which pair if it is a frequency; ``here`` is our
    number and ``there`` that of the library. ``width`` fills a placeholder of the rule.
    """

    library: str | Text
    rule: Text
    quantity: Text
    here: float
    there: float
    pair: int | None = None
    width: int | None = None


def other_results(layer: ScaledLayer, max_positions: int) -> list[OtherResult]:
    """Every known difference that changes a number for a model of ``max_positions`` positions."""
    method = layer.method
    results = list(other_widths(layer))
    if isinstance(method, Yarn):
        results += [*other_ramps(layer, method), *other_attention_factors(layer, method)]
        results += softmax_factors(layer, method, max_positions)
    elif isinstance(method, Llama3) and not original_is_outside(layer):
        rule = t(
            "looks for the original length outside the object; without it takes 8192",
            "ищет исходную длину вне объекта, а если её там нет, берёт 8192",
        )
        theirs = replace(method, original_length=LLAMA_CPP_LENGTH)
        results.append(greatest_difference(layer, "llama.cpp", rule, theirs))
    elif isinstance(method, LongRope):
        results += other_lists(layer, method, max_positions)
    elif layer.config.method == "dynamic":
        results += fixed_bases(layer)
    elif isinstance(method, NtkAware):
        rule = t(
            "divides every frequency by s^(2/d) and multiplies the base by s alone, so pair 0 is "
            "not kept",
            "делит каждую частоту на s^(2/d), а основание умножает только на s, и пара 0 не "
            "сохраняется",
        )
        here = float(layer.scaled.inverse_frequencies[0])
        there = method.factor ** (-2 / layer.d)  # pair 0 of any base, divided by s^(2/d)
        results.append(OtherResult("vLLM", rule, FREQUENCY, here, there, pair=0))
    return [
        result for result in results if not math.isclose(result.here, result.there, rel_tol=ALIKE)
    ]


def greatest_difference(
    layer: ScaledLayer, library: str | Text, rule: Text, theirs: Method | Scaled
) -> OtherResult:
    """The pair whose frequencies here and there have the ratio furthest from 1."""
    if not isinstance(theirs, Scaled):
        theirs = theirs.scaled(layer.d, layer.b, layer.length)
    here, there = layer.scaled.inverse_frequencies, theirs.inverse_frequencies
    pair = int(np.abs(np.log(there / here)).argmax())
    return OtherResult(library, rule, FREQUENCY, float(here[pair]), float(there[pair]), pair)


def other_widths(layer: ScaledLayer) -> Iterator[OtherResult]:
    """Code that takes another width for d."""
    if layer.d < 4:
        return
    by_quotient = t(
        "takes the width hidden_size / num_attention_heads = {width}",
        "берёт ширину hidden_size / num_attention_heads = {width}",
    )
    whole_head = t(
        "keeps the width of the whole head, {width}, in the exponent",
        "оставляет в показателе степени ширину всей головы, {width}",
    )
    here = float(layer.scaled.inverse_frequencies[1])
    head, quotient = int(layer.config.head_width.value), layer.config.quotient
    for width, rule in ((quotient, by_quotient), (head, whole_head)):
        if width and width > 2 and width != layer.d:  # up to two coordinates have no pair 1
            # Lists of divisors fit one width only, and no method takes an odd one: there pair 1
            # can be compared only if it is kept.
            unscaled = isinstance(layer.method, LongRope) or width % 2 == 1
            if unscaled and layer.scaled.bands[1] is not Band.KEPT:
                continue
            there = layer.b ** (-2 / width) if unscaled else frequency_at_width(layer, width)
            library = t("a known mistake", "известная ошибка")
            yield OtherResult(library, rule, FREQUENCY, here, there, pair=1, width=width)


def frequency_at_width(layer: ScaledLayer, width: int) -> float:
    """The scaled frequency of pair 1 for another rotary width."""
    theirs = layer.method.scaled(width, layer.b, layer.length)
    return float(theirs.inverse_frequencies[1])


def other_ramps(layer: ScaledLayer, method: Yarn) -> Iterator[OtherResult]:
    """Other ramps between the kept and the divided pairs."""
    rounding = t(
        "always widens the bounds of the ramp to whole indices of pairs",
        "всегда расширяет границы перехода до целых номеров пар",
    )
    widened = replace(method, truncate=True)
    yield greatest_difference(layer, "YaRN, llama.cpp, mlx-lm", rounding, widened)
    in_turns = t(
        "the share grows with the number of full turns of a pair, not with its index",
        "доля растёт с числом оборотов пары, а не с её номером",
    )
    paper = method.scaled_by_turns(layer.d, layer.b)
    yield greatest_difference(layer, t("the YaRN paper", "статья о YaRN"), in_turns, paper)


def other_attention_factors(layer: ScaledLayer, method: Yarn) -> Iterator[OtherResult]:
    """Other readings of attention_factor, mscale and mscale_all_dim."""
    here, s, explicit = layer.scaled.attention_factor, method.factor, method.attention_factor
    mscale, all_dim = method.mscale, method.mscale_all_dim
    own_defaults = t(
        "M(mscale)/M(mscale_all_dim), with 1 and 0 for missing values; does not read "
        "attention_factor",
        "M(mscale)/M(mscale_all_dim), вместо недостающих значений 1 и 0; attention_factor не "
        "читает",
    )
    ratio = magnitude(s, 1.0 if mscale is None else mscale) / magnitude(s, all_dim or 0.0)
    yield OtherResult("mlx-lm", own_defaults, ATTENTION, here, ratio)
    if explicit is None:
        library = t("YaRN, older vLLM", "YaRN, старый vLLM")
        yield OtherResult(library, ONLY_FACTOR, ATTENTION, here, magnitude(s))
    else:
        multiplies = t(
            "attention_factor multiplies 0.1·ln(s) + 1 instead of replacing it",
            "attention_factor умножает 0.1·ln(s) + 1, а не заменяет его",
        )
        yield OtherResult("YaRN", multiplies, ATTENTION, here, magnitude(s) * explicit)
        library = t("older vLLM", "старый vLLM")
        yield OtherResult(library, ONLY_FACTOR, ATTENTION, here, magnitude(s))
    keys = layer.config.keys_elsewhere
    if keys.attn_factor is not None or not keys.apply_yarn_scaling:
        yield OtherResult("vLLM", BY_OWN_KEYS, ATTENTION, here, vllm_factor(layer, here))
    if explicit is None and not (mscale and all_dim):
        one_if_missing = t(
            "1 unless the config gives attention_factor or mscale",
            "1, если в конфигурации нет ни attention_factor, ни mscale",
        )
        there = magnitude(s, mscale or all_dim or 0.0)
        yield OtherResult("litgpt", one_if_missing, ATTENTION, here, there)


BY_OWN_KEYS = t(
    "multiplies by attn_factor, and by nothing else if apply_yarn_scaling is false",
    "умножает на attn_factor, а при apply_yarn_scaling = false больше ни на что",
)


def vllm_factor(layer: ScaledLayer, here: float) -> float:
    """The attention factor of vLLM, which reads two keys that transformers does not read."""
    keys = layer.config.keys_elsewhere
    return (here if keys.apply_yarn_scaling else 1.0) * (keys.attn_factor or 1.0)


def softmax_factors(layer: ScaledLayer, method: Yarn, max_positions: int) -> Iterator[OtherResult]:
    """The gain of scores in the rotated part of latent attention, all factors together."""
    if layer.softmax_factor is None:
        return
    rule = t(
        "multiplies the scores before the softmax by M(mscale)^2 only, and only beyond the "
        "original length",
        "умножает оценки перед softmax только на M(mscale)^2 и лишь за исходной длиной",
    )
    here = layer.scaled.attention_factor**2 * layer.softmax_factor
    beyond = max_positions > method.original_length
    there = magnitude(method.factor, method.mscale or 1.0) ** 2 if beyond else 1.0
    yield OtherResult("DeepSeek-V3", rule, SCORE, here, there)


def other_lists(layer: ScaledLayer, method: LongRope, max_positions: int) -> Iterator[OtherResult]:
    """Other choices between the two lists for texts up to the original length."""
    original = int(method.original_length)
    short, long = (
        method.scaled(layer.d, layer.b, length).inverse_frequencies
        for length in (original, original + 1)
    )
    pair = int(np.abs(np.log(long / short)).argmax())
    difference = SHORT_FREQUENCY, float(short[pair]), float(long[pair]), pair
    always_long = t(
        "takes the long list even up to the original length",
        "берёт длинный список даже до исходной длины",
    )
    yield OtherResult("mlx-lm", always_long, *difference)
    if max_positions > original:
        once = t(
            "choose the list once, by the context length of the config, so that short sequences "
            "have the long list too",
            "выбирают список один раз, по длине контекста из конфигурации, и длинный список "
            "достаётся даже коротким последовательностям",
        )
        yield OtherResult("llama.cpp, vLLM", once, *difference)
    if layer.config.method_in_file.value == "yarn" and method.attention_factor is None:
        as_yarn = t(
            "0.1·ln(s) + 1, because the type is written yarn",
            "0.1·ln(s) + 1, потому что тип записан как yarn",
        )
        here, there = layer.scaled.attention_factor, magnitude(method.factor)
        yield OtherResult("llama.cpp", as_yarn, ATTENTION, here, there)


def fixed_bases(layer: ScaledLayer) -> Iterator[OtherResult]:
    """Dynamic scaling that does not follow the length of the text."""
    if layer.values.get("doubling"):
        return
    s = float(layer.values["factor"])
    one_table = t(
        "one table for all lengths, with s^2 - s + 1 instead of s·n/L - (s - 1)",
        "одна таблица на все длины: s^2 - s + 1 вместо s·n/L - (s - 1)",
    )
    yield greatest_difference(layer, "vLLM", one_table, NtkAware(s * s - s + 1))
    alpha = layer.config.keys_elsewhere.alpha
    if alpha:
        by_alpha = t(
            "alpha makes the base the same for all lengths",
            "alpha делает основание одним и тем же для всех длин",
        )
        yield greatest_difference(layer, "vLLM", by_alpha, NtkAware(alpha))


def original_is_outside(layer: ScaledLayer) -> bool:
    """Whether the original length was read from the model's own keys."""
    original = layer.config.values.get(ORIGINAL)
    return original is not None and not {*ROPE_OBJECTS} & {*original.source.split(".")}
