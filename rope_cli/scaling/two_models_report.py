"""``rope-report scaling A.json B.json``: what differs between two configs, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rope_cli.document.blocks import Block, Cell, Document, Phrase, Section, Significant, Verdict
from rope_cli.document.evidence import Evidence, all_true
from rope_cli.document.summaries import MORE
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.report import header_footer
from rope_cli.report.replay import compare_runs
from rope_cli.scaling.compute import ScaledLayer
from rope_cli.scaling.config import ModelConfig, read_config
from rope_cli.scaling.frequency_chart import frequency_chart
from rope_cli.scaling.json_files import format_key
from rope_cli.scaling.layers import Layer
from rope_cli.scaling.layers_in_words import layer_values
from rope_cli.scaling.methods import is_assumed
from rope_cli.scaling.pair_table import row_ranges
from rope_cli.scaling.report import (
    VALUE_WORDS,
    about_file,
    file_values,
    sequence_length,
    slug_and_title,
    value_piece,
)
from rope_cli.scaling.two_models import TwoLayers, compare_layers, pairs_of_layers
from rope_cli.scaling.warnings import Warnings
from rope_cli.user_input.command_errors import LONGEST_PATH, printable

LETTERS = "A", "B"
CLAIMS = {
    "same-frequencies": t(
        "every pair rotates at the same frequency in A and B (relative difference)",
        "каждая пара поворачивается в A и B с одной и той же частотой (относительная разность)",
    ),
    "same-rotary-width": t(
        "as many coordinates are rotated in A as in B",
        "в A и B поворачивается одно и то же число координат",
    ),
    "same-attention-factor": t(
        "the attention factor is the same in A and B (relative difference)",
        "множитель внимания в A и B один и тот же (относительная разность)",
    ),
    "first-recomputed": t(
        "every frequency of A agrees with another form of its formula (relative difference)",
        "каждая частота A совпадает с вычисленной по другой записи формулы (относительная "
        "разность)",
    ),
    "second-recomputed": t(
        "every frequency of B agrees with another form of its formula (relative difference)",
        "каждая частота B совпадает с вычисленной по другой записи формулы (относительная "
        "разность)",
    ),
    "distances-are-smallest": t(
        "at each distance in the table the angles differ by the stated amount, one position "
        "nearer by less",
        "на расстояниях из таблицы углы уже разошлись на 0.1 и на 1 радиан, а на позицию ближе — "
        "ещё нет",
    ),
    "same-layout": t(
        "the code of both model types pairs the same coordinates",
        "код обоих типов моделей объединяет в пары одни и те же координаты",
    ),
    "same-layer-types": t(
        "A and B have the same types of layers, and the same ones rotate",
        "в A и B одни и те же типы слоёв, и в слоях каждого типа поворот либо есть в обеих "
        "моделях, либо нет в обеих",
    ),
}
QUESTION = t(
    "Which pairs rotate at different speeds, and from which distance on does that matter?",
    "У каких пар скорости в двух моделях различны и с какого расстояния это заметно?",
)


def report(
    paths: Sequence[str],
    length: int | None = None,
    every_row: bool = False,
    part: str | None = None,
) -> Document:
    """The report on two files. Raises what :func:`read_config` raises."""
    first, second = (read_config(path, part) for path in paths)
    return comparison_document(first, second, length, every_row)


def comparison_document(
    first: ModelConfig, second: ModelConfig, length: int | None = None, every_row: bool = False
) -> Document:
    """The report on two configs, for a sequence of ``length`` or as long as the longer context."""
    configs = first, second
    collected = [Warnings(config.warnings) for config in configs]
    length = length_of_both(configs, length, collected)
    pairs, alone = pairs_of_layers(first, second)
    layers = [TwoLayers(ScaledLayer(a, length), ScaledLayer(b, length)) for _, a, b in pairs]
    evidence = [compare_layers(two) for two in layers]
    repeated = [compare_layers(two.computed_again()) for two in layers]
    sections = tuple(
        comparison_section(number, name, configs, (a, b), numbers, every_row)
        for number, ((name, a, b), numbers) in enumerate(zip(pairs, evidence, strict=True), 1)
    )
    replayed = compare_runs(evidence, repeated)
    verdicts = (same_layers(configs, alone), *same_layout(configs), replayed)
    files = [printable(config.path, LONGEST_PATH) for config in configs]
    return Document(
        opening=tuple(opening(configs, length, collected, alone)),
        sections=sections,
        closing=(
            header_footer.outcome(sections, verdicts),
            header_footer.next_step(
                "rope-report scaling {file}",
                t(
                    "what B says about each pair",
                    "как поворачивает каждую пару модель B",
                ),
                file=files[1],
            ),
        ),
        verdicts=verdicts,
        parameters={
            "length": length,
            "first": file_values(first, collected[0]),
            "second": file_values(second, collected[1]),
        },
    )


def same_layers(configs: Sequence[ModelConfig], alone: Sequence[str]) -> Verdict:
    """Whether both have the same types of layers and rotate the same ones."""
    first, second = (
        (config.rotated.unrotated, config.rotated.flagged, config.rotated.interval)
        for config in configs
    )
    check = all_true("same-layer-types", [not alone, first == second])
    return Verdict(check, CLAIMS[check.name])


def same_layout(configs: Sequence[ModelConfig]) -> Iterator[Verdict]:
    """Whether the code of both pairs the same coordinates, if that is known of both.

    Files of two formats hold weights in the order of each.
    """
    first, second = configs
    if first.layout and second.layout and first.format == second.format:
        check = all_true("same-layout", [first.layout == second.layout])
        yield Verdict(check, CLAIMS[check.name])


def length_of_both(
    configs: Sequence[ModelConfig], length: int | None, collected: Sequence[Warnings]
) -> int:
    """One length for both: ``length``, else the longer context; warn where it does not fit."""
    if length is None:
        known = [config.max_positions for config in configs if not is_assumed(config.max_positions)]
        longest = max((int(positions.value) for positions in known), default=None)
        return longest or sequence_length(configs[0], None, collected[0])
    for config, warnings_of_config in zip(configs, collected, strict=True):
        sequence_length(config, length, warnings_of_config)
    return length


def opening(
    configs: Sequence[ModelConfig], length: int, collected: Sequence[Warnings], alone: Sequence[str]
) -> Iterator[Block]:
    """The two files, the warnings about each, and the types of layers that only one has."""
    yield header_footer.NAME
    for letter, config, warnings_of_config in zip(LETTERS, configs, collected, strict=True):
        yield from about_file(config, length, warnings_of_config, letter)
    if alone:
        yield say(
            "Types of layers that only one of the two has, and that are not compared: {names}.",
            "Типы слоёв, которые есть только в одной из двух моделей и потому не сравниваются: "
            "{names}.",
            names=", ".join(map(format_key, alone)),
        )
    yield header_footer.BOUNDS


def comparison_section(
    number: int,
    name: str | None,
    configs: Sequence[ModelConfig],
    layers: tuple[Layer, Layer],
    evidence: Evidence,
    every_row: bool,
) -> Section:
    """One type of layers in both models."""
    slug, title = slug_and_title(name)
    if name is None:
        title = t("Two configs beside each other", "Две конфигурации рядом")
    rows = list(different_values(configs, layers, evidence))
    return Section(
        number=number,
        slug=slug.replace("scaling", "comparison", 1),
        title=title,
        question=QUESTION,
        blocks=(*values_that_differ(rows), *pairs_that_differ(evidence, every_row)),
        verdicts=tuple(Verdict(check, CLAIMS[check.name]) for check in evidence.checks),
        values={
            "differences": [{"name": key, "first": a, "second": b} for key, a, b in rows],
            **evidence.values,
        },
    )


def different_values(
    configs: Sequence[ModelConfig], layers: tuple[Layer, Layer], evidence: Evidence
) -> Iterator[tuple[str, Any, Any]]:
    """The name of each value that differs, and both values, ``None`` where one is missing."""
    first, second = (
        {
            "context": None if is_assumed(config.max_positions) else config.max_positions.value,
            "method": layer.method,
            "head_width": layer.head_width.value,
            "rotary_width": layer.rotary_width.value,
            "base": layer.base.value,
            **{key: value.value for key, value in layer.values.items()},
            "applied_attention_factor": factor,
            **{key: value for key, value in layer_values(config).items() if key in NAMES},
        }
        for config, layer, factor in zip(
            configs, layers, evidence["attention_factors"], strict=True
        )
    )
    for key in {**first, **second}:
        a, b = first.get(key), second.get(key)
        if a != b:
            yield key, a, b


NAMES = {
    **VALUE_WORDS,
    "context": t("context length", "длина контекста"),
    "applied_attention_factor": t("attention factor", "множитель внимания"),
    "layout": t("layout of the code", "раскладка в коде"),
    "rotated_part": t("rotated part of a head", "поворачиваемая часть головы"),
    "unrotated_layer_types": t("types of layers without rotation", "типы слоёв без поворота"),
    "unrotated_layers": t("layers without rotation", "слоёв без поворота"),
    "unrotated_interval": t("layers per layer without rotation", "слоёв на один слой без поворота"),
    "sliding_window": t("sliding window", "скользящее окно"),
}
WORDS = {
    "adjacent": t("adjacent", "соседние пары"),
    "half-split": t("half-split", "половинная"),
    "adjacent in, half-split out": t(
        "adjacent in, half-split out", "на входе соседние пары, на выходе половины"
    ),
    "half-split, backwards": t("half-split, backwards", "половинная, в обратную сторону"),
    "first": t("the first", "первая"),
    "last": t("the last", "последняя"),
}
MISSING = t("none", "нет")


def values_that_differ(rows: Sequence[tuple[str, Any, Any]]) -> Iterator[Block]:
    """The values that differ, or that none does."""
    if not rows:
        yield say(
            "A and B give the same values: the base, the widths and the scaling are equal.",
            "Значения в A и B одни и те же: совпадают основание, ширины и масштабирование.",
        )
        return
    yield table(
        t("What differs:", "Чем они отличаются:"),
        (*left(t("quantity", "величина")), *right(*LETTERS)),
        (
            (
                NAMES.get(key, key),
                *(different_value(value) for value in (a, b)),
            )
            for key, a, b in rows
        ),
    )


def different_value(value: Any) -> Any:
    """One of two values that differ, as it is printed."""
    if value is None or value == []:
        return MISSING
    if isinstance(value, list):
        return ", ".join(format_key(str(entry)) for entry in value)
    return WORDS.get(value, value) if isinstance(value, str) else value_piece(value)


def pairs_that_differ(evidence: Evidence, every_row: bool) -> Iterator[Block]:
    """Each pair in both models, and the distance from which on their angles differ."""
    pairs, different = len(evidence["angle_differences"]), evidence["different_pairs"]
    widths = evidence["rotary_widths"]
    if widths[0] != widths[1]:
        yield say(
            "Rotated coordinates of a head: {first} in A, {second} in B. The first pairs "
            "({pairs}) are compared; the others exist in only one of the two models.",
            "Поворачиваемых координат головы в A: {first}, в B: {second}. Сравниваются первые пары "
            "({pairs}); остальные есть только в одной из двух моделей.",
            first=widths[0],
            second=widths[1],
            pairs=pairs,
        )
    if not different:
        yield say(
            "Pairs with the same frequency in A and B: {pairs} of {pairs}.",
            "Пар с одинаковой частотой в A и B: {pairs} из {pairs}.",
            pairs=pairs,
        )
        return
    yield pair_rows(evidence, every_row)
    yield say(
        "Pairs with different frequencies in A and B: {different} of {pairs}. The two angles of "
        "such a pair differ in proportion to the distance; full turns are not subtracted from the "
        "difference.",
        "Пар, у которых в A и B разные частоты: {different} из {pairs}. Два угла такой пары "
        "расходятся пропорционально расстоянию; полные обороты из их разности не вычитаются.",
        different=different,
        pairs=pairs,
    )
    yield from earliest_pair(evidence)
    yield chart_of_both(evidence)


def chart_of_both(evidence: Evidence) -> Block:
    """The frequencies of both models as two curves."""
    frequencies = evidence["first_inverse_frequencies"], evidence["second_inverse_frequencies"]
    return frequency_chart(
        t("The frequencies of both:", "Частоты A и B:"),
        t(
            "Where the two curves coincide, the frequencies are equal. Elsewhere the gap is the "
            "ratio of the two frequencies: {ratio} for the last pair.",
            "Где кривые совпадают, пары поворачиваются одинаково. Просвет между кривыми — "
            "отношение частот: для последней пары {ratio}.",
            ratio=ratio_piece(evidence["ratios"][-1]),
        ),
        *zip(LETTERS, frequencies, strict=True),
    )


def pair_rows(evidence: Evidence, every_row: bool) -> Block:
    """The table of pairs: all, or the first, the last, and where equal ones begin or end."""
    states = ["other" if value else "same" for value in evidence["angle_differences"].tolist()]
    earliest = first_to_differ(evidence)
    if earliest is not None:
        states[earliest] = "earliest"
    rows: list[tuple[Cell, ...]] = []
    for start, stop in row_ranges(states, every_row):
        if stop - start > 1:
            rows.append(("", Phrase(MORE, {"hidden": stop - start}), "", "", "", ""))
            continue
        rows.append(
            (
                start,
                Significant(evidence["first_inverse_frequencies"][start]),
                Significant(evidence["second_inverse_frequencies"][start]),
                ratio_piece(evidence["ratios"][start]),
                distance_piece(evidence["distances_to_tenth_radian"][start]),
                distance_piece(evidence["distances_to_one_radian"][start]),
            )
        )
    return table(
        t(
            "The frequencies of the pairs, and the distances at which their angles in A and B "
            "come to differ by 0.1 and by 1 radian:",
            "Частоты пар и расстояния, начиная с которых их углы в A и B расходятся на 0.1 и на 1 "
            "радиан:",
        ),
        right("j", *LETTERS, "B / A", t("0.1 rad", "0.1 рад"), t("1 rad", "1 рад")),
        rows,
    )


def first_to_differ(evidence: Evidence) -> int | None:
    """The pair whose angles differ by a radian at the smallest distance, if any ever do."""
    distances = evidence["distances_to_one_radian"]
    reached = [pair for pair, distance in enumerate(distances) if distance is not None]
    return min(reached, key=lambda pair: distances[pair], default=None)


def distance_piece(distance: int | None) -> Any:
    """A distance, or that there is none."""
    return t("never", "никогда") if distance is None else distance


def ratio_piece(ratio: float | None) -> Any:
    """A ratio of frequencies; a pair that does not rotate has none."""
    return MISSING if ratio is None else ratio


def earliest_pair(evidence: Evidence) -> Iterator[Block]:
    """The pair whose angles are the first to differ by a radian, and how many follow in time."""
    distances, pair = evidence["distances_to_one_radian"], first_to_differ(evidence)
    if pair is None:
        return
    yield say(
        "The first to differ by 1 radian is pair {pair}, at distance {distance}. Pairs that differ "
        "by at least 0.1 radian somewhere in a sequence of length {length}: {tenth} of {pairs}; by "
        "at least 1 radian: {one}.",
        "Раньше всех на 1 радиан расходятся углы пары {pair}: на расстоянии {distance}. Пары, "
        "углы которых успевают разойтись в последовательности длины {length}: на 0.1 радиана — "
        "{tenth} из {pairs}, на 1 радиан — {one}.",
        pair=pair,
        distance=distances[pair],
        length=evidence["length"],
        tenth=evidence["pairs_within_length_tenth_radian"],
        one=evidence["pairs_within_length_one_radian"],
        pairs=len(distances),
    )
