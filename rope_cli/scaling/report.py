"""What ``scaling`` says about a model: the values read, its pairs, and what other code does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rope_cli.document.blocks import (
    Block,
    Document,
    Line,
    Paragraph,
    Phrase,
    Piece,
    Section,
    Significant,
    Table,
    Verdict,
)
from rope_cli.document.evidence import Evidence
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.report import header_footer
from rope_cli.report.replay import compare_runs
from rope_cli.scaling import warnings
from rope_cli.scaling.compute import ScaledLayer, gather
from rope_cli.scaling.config import ModelConfig, read_config
from rope_cli.scaling.descriptions import CLAIMS, METHOD_SENTENCES
from rope_cli.scaling.file_formats import FORMAT_WORDS, HUGGING_FACE
from rope_cli.scaling.frequency_chart import scaling_chart
from rope_cli.scaling.json_files import ConfigValue, format_key
from rope_cli.scaling.key_names import CONTEXT_NAMES, ORIGINAL
from rope_cli.scaling.layers import Layer
from rope_cli.scaling.layers_in_words import about_layers, layer_values
from rope_cli.scaling.methods import RATIO, is_assumed
from rope_cli.scaling.other_libraries import OtherResult, other_results
from rope_cli.scaling.pair_table import is_summarized, pair_table
from rope_cli.scaling.warnings import ConfigWarning, Warnings
from rope_cli.text import Text, counted
from rope_cli.user_input.command_errors import LONGEST_PATH, printable

LONGEST_NAME = 40


def report(
    path: str, length: int | None = None, every_row: bool = False, part: str | None = None
) -> Document:
    """The report on the config in a file. Raises what :func:`read_config` raises."""
    return config_document(read_config(path, part), length, every_row)


def config_document(
    config: ModelConfig, length: int | None = None, every_row: bool = False
) -> Document:
    """The report on a config that has been read, for a text of ``length`` positions."""
    collected = Warnings(config.warnings)
    length = sequence_length(config, length, collected)
    known = not is_assumed(config.max_positions)
    max_positions = config.max_positions.value if known else length
    scaled_layers = [ScaledLayer(layer, length) for layer in config.layers]
    first = [gather(layer) for layer in scaled_layers]
    second = [gather(ScaledLayer(layer, length)) for layer in config.layers]
    sections = tuple(
        layer_section(number, layer, evidence, config, max_positions, every_row)
        for number, (layer, evidence) in enumerate(zip(scaled_layers, first, strict=True), 1)
    )
    verdicts = (compare_runs(first, second),)
    file = printable(config.path, LONGEST_PATH)
    return Document(
        opening=tuple(opening(config, length, collected)),
        sections=sections,
        closing=(
            header_footer.outcome(sections, verdicts),
            next_command(file, not every_row and any(map(is_summarized, first))),
        ),
        verdicts=verdicts,
        parameters={**file_values(config, collected), "length": length},
    )


def file_values(config: ModelConfig, collected: Warnings) -> dict[str, Any]:
    """A file and the warnings about it as JSON holds them."""
    maximum = config.max_positions
    return {
        "file": printable(config.path, LONGEST_PATH),
        "format": config.format,
        "part": format_key(config.part),
        "model_type": printable(config.model_type, LONGEST_NAME),
        "max_position_embeddings": None if is_assumed(maximum) else maximum.value,
        **layer_values(config),
        "warnings": [warning_values(warning) for warning in collected],
    }


def sequence_length(config: ModelConfig, length: int | None, collected: Warnings) -> int:
    """How long the sequence is: ``length``, else the whole context; warn where they do not fit."""
    maximum = int(config.max_positions.value)
    if is_assumed(config.max_positions):
        if length is None:
            kind, key = warnings.CONTEXT_ASSUMED, CONTEXT_NAMES[0]
            collected.add(kind, key=key, used_value=maximum)
    elif length is not None and length > maximum:
        kind = warnings.LONGER_THAN_CONTEXT
        collected.add(kind, key="--length", value=length, used_value=maximum)
    return maximum if length is None else length


def opening(config: ModelConfig, length: int, collected: Warnings) -> Iterator[Block]:
    """The name of the report, the file, and the warnings about it."""
    yield header_footer.NAME
    yield from about_file(config, length, collected)
    yield header_footer.BOUNDS


def about_file(
    config: ModelConfig, length: int, collected: Warnings, letter: str | None = None
) -> Iterator[Block]:
    """What a file is, with the letter that stands for it if there are two, and the warnings."""
    unknown = is_assumed(config.max_positions)
    file = printable(config.path, LONGEST_PATH)
    yield say(
        "{file}: model type {model}, context length {maximum}, sequence length {length}.",
        "{file}: тип модели {model}, длина контекста {maximum}, длина последовательности {length}.",
        file=f"{letter} = {file}" if letter else file,
        model=printable(config.model_type, LONGEST_NAME) or t("not given", "не указан"),
        maximum=t("not given", "не указана") if unknown else context_words(config.max_positions),
        length=length,
    )
    yield from where_the_model_stands(config)
    yield from about_layers(config)
    if collected:
        caption = t("Warnings about the file:", "Предупреждения о файле:")
        about = t("Warnings about {letter}:", "Предупреждения о {letter}:", letter=letter or "")
        yield warnings_table(about if letter else caption, collected)


def warnings_table(caption: Piece, collected: Sequence[ConfigWarning]) -> Table:
    """Warnings about a file with their kinds."""
    return table(
        caption,
        left(t("kind", "вид"), t("warning", "предупреждение")),
        (
            (WARNING_WORDS[kind.name], Phrase(kind.sentence, dict(values)))
            for kind, values in collected
        ),
    )


def context_words(positions: ConfigValue) -> Piece:
    """The context length, and where it is from if the file does not say it."""
    if not positions.is_default:
        return int(positions.value)
    of_type = t("{number} (by default, {source})", "{number} (по умолчанию, {source})")
    return Phrase(of_type, {"number": positions.value, "source": positions.source})


def where_the_model_stands(config: ModelConfig) -> Iterator[Paragraph]:
    """Which object holds the model and which format the file has, if not the usual ones."""
    if config.part:
        yield say(
            "The model is read from the object {part} of the file.",
            "Модель прочитана из объекта {part} этого файла.",
            part=format_key(config.part),
        )
    if config.format != HUGGING_FACE:
        yield say(
            "The file is read as {format}; its keys are named here as they are in it.",
            "Файл прочитан как {format}; ключи названы так, как в нём.",
            format=FORMAT_WORDS[config.format],
        )


WARNING_WORDS = {
    "unknown": t("unknown", "неизвестно"),
    "ignored": t("not read", "не читается"),
    "contradictory": t("contradiction", "противоречие"),
    "assumed": t("assumed", "допущение"),
}


def layer_section(
    number: int,
    layer: ScaledLayer,
    evidence: Evidence,
    config: ModelConfig,
    max_positions: int,
    every_row: bool,
) -> Section:
    """One type of layers."""
    others = other_results(layer, max_positions)
    slug, title = slug_and_title(layer.config.name)
    return Section(
        number=number,
        slug=slug,
        title=title,
        question=question(layer.config.method),
        blocks=(
            values_table(layer.config),
            method_paragraph(evidence),
            *pair_table(evidence, every_row),
            *scaling_chart(evidence),
            pairs_without_a_turn(evidence),
            *attention_factor(evidence),
            other_code(others, config.facts.known),
        ),
        verdicts=tuple(Verdict(check, CLAIMS[check.name]) for check in evidence.checks),
        values={**evidence.values, "elsewhere": [other_values(other) for other in others]},
    )


def slug_and_title(layer_type: str | None) -> tuple[str, Text]:
    """The slug and the title of a section, with the type of its layers if there are several."""
    if layer_type is None:
        return "scaling", t(
            "How fast the pairs of this model rotate", "Как быстро поворачиваются пары этой модели"
        )
    name = re.sub(r"[^\w.-]", "?", layer_type[:LONGEST_NAME], flags=re.ASCII)
    return f"scaling-{name}", t(f"Layers of type {name}", f"Слои типа {name}")


def question(method: str) -> Text:
    """The question to answer before looking."""
    if method == "default":
        return t(
            "How many pairs do not complete a full turn within the context?",
            "Сколько пар не успевают сделать полный оборот в пределах контекста?",
        )
    return t(
        "Which pairs keep their frequency in the longer context, and how many times slower do the "
        "others become?",
        "Какие пары сохранят частоту в длинном контексте и во сколько раз замедлятся остальные?",
    )


def values_table(layer: Layer) -> Table:
    """Each value and the key where it stood."""
    values = {
        "method": layer.method_in_file._replace(value=layer.method),
        "head_width": layer.head_width,
        "rotary_width": layer.rotary_width,
        "base": layer.base,
        **layer.values,
    }
    return table(
        None,
        (
            *left(t("quantity", "величина")),
            *right(t("value", "значение")),
            *left(t("source", "источник")),
        ),
        (
            (VALUE_WORDS.get(name, name), value_piece(value.value), source(name, value))
            for name, value in values.items()
        ),
    )


VALUE_WORDS = {
    "method": t("method", "метод"),
    "head_width": t("head width", "ширина головы"),
    "rotary_width": t("rotary width d", "поворачиваемая ширина d"),
    "base": t("base b", "основание b"),
    "factor": t("factor s", "множитель s"),
    ORIGINAL: t("original length L", "исходная длина L"),
    "share": t("rotated share", "поворачиваемая доля"),
}


def value_piece(value: Any) -> Piece:
    """A value of a config as a piece of text; of a list only its size."""
    if isinstance(value, bool | str):
        return str(value).lower()
    if isinstance(value, tuple):
        return counted(len(value), "number|numbers", "число|числа|чисел")
    return Significant(value) if isinstance(value, float) else int(value)


def source(name: str, value: ConfigValue) -> Piece:
    """The key where a value stood; if the key is its name, only the object around it."""
    key = format_key(value.source)
    if value.is_default and key:
        return t("by default, {source}", "по умолчанию, {source}", source=key)
    if value.is_default:
        return t("by default", "по умолчанию")
    return t("context / L", "контекст / L") if key == RATIO else key.removesuffix(f".{name}")


def method_paragraph(evidence: Evidence) -> Paragraph:
    """How the method works, with its numbers."""
    method, own = evidence["method"], evidence["method_values"]
    values: dict[str, Piece] = {name: evidence[name] for name in ("length", "turning_length")}
    match method:
        case "ntk" | "dynamic":
            values["scaled_base"] = Significant(evidence["scaled_base"])
        case "yarn":
            low, high = evidence["ramp_bounds"]
            values.update(low=Significant(low), high=Significant(high))
        case "llama3":
            low, high = own["low_freq_factor"], own["high_freq_factor"]
            values.update(low=Significant(low), high=Significant(high))
        case "longrope":
            values["divisors"] = evidence["divisors"]
        case "proportional":
            pairs = len(evidence["bands"])
            values.update(moving=pairs - evidence["band_counts"]["still"], pairs=pairs)
    return Paragraph(Phrase(METHOD_SENTENCES[method], values))


def pairs_without_a_turn(evidence: Evidence) -> Paragraph:
    """How many pairs do not complete a turn in the length in which turns are counted."""
    values = {
        "still": int((evidence["turns"] < 1).sum()),
        "pairs": len(evidence["turns"]),
        "turning_length": evidence["turning_length"],
    }
    if evidence["method"] == "default":
        return say(
            "Pairs with less than one full turn in {turning_length} positions: {still} of {pairs}.",
            "Пар без полного оборота на длине {turning_length}: {still} из {pairs}.",
            **values,
        )
    return say(
        "Pairs with less than one full turn in {turning_length} positions before scaling: "
        "{still} of {pairs}.",
        "До масштабирования пар без полного оборота на длине {turning_length}: {still} из {pairs}.",
        **values,
    )


def attention_factor(evidence: Evidence) -> Iterator[Block]:
    """The attention factor and where it applies."""
    if evidence["attention_factor"] == 1:
        yield say(
            "The attention factor is 1, so a rotated row keeps its length.",
            "Множитель внимания равен 1, поэтому длина строки при повороте не меняется.",
        )
    else:
        yield say(
            "Cosines and sines are multiplied by the attention factor {a}. So is the length of the "
            "rotated part of a row, and the part of a score that comes from it is multiplied by "
            "the square, {gain}.",
            "Косинусы и синусы умножаются на множитель внимания {a}. На него же умножается длина "
            "поворачиваемой части строки, а её вклад в оценку запрос–ключ — на его "
            "квадрат, {gain}.",
            a=Significant(evidence["attention_factor"]),
            gain=Significant(evidence["score_gain"]),
        )
    if evidence["rotary_width"] != evidence["head_width"]:
        yield say(
            "Rotated coordinates of a head: {rotary} of {head}. The others stay as they are.",
            "Поворачиваемых координат головы: {rotary} из {head}. Остальные не меняются.",
            rotary=evidence["rotary_width"],
            head=evidence["head_width"],
        )
    if evidence["softmax_factor"] is not None:
        yield say(
            "Multi-head latent attention (MLA) multiplies every score once more before the "
            "softmax, by M(mscale_all_dim)^2 = {factor}, where M(m) = 0.1·m·ln(s) + 1.",
            "Во внимании с латентным представлением (MLA) каждая оценка перед softmax умножается "
            "ещё и на M(mscale_all_dim)^2 = {factor}, где M(m) = 0.1·m·ln(s) + 1.",
            factor=Significant(evidence["softmax_factor"]),
        )


def other_code(others: Sequence[OtherResult], type_is_known: bool) -> Block:
    """What other code computes where it differs."""
    if not others and not type_is_known:
        return say(
            "Nothing is known of the code of this model, so other numbers are possible.",
            "О коде этой модели ничего не известно, поэтому возможны и другие числа.",
        )
    if not others:
        return say(
            "No difference is known for this config: the implementations compared here compute the "
            "same numbers, apart from rounding. Frequencies in float32 differ by about 1e-7 of "
            "their value, and the cosines and sines by about as much times the angle.",
            "При этой конфигурации известных отличий нет: сравниваемые здесь реализации вычисляют "
            "те же числа, если не считать округления. Частоты в float32 отличаются примерно на "
            "1e-7 своей величины, а косинусы и синусы — примерно на столько же, умноженное на "
            "угол.",
        )
    return table(
        t(
            "What other code computes for this config:",
            "Что вычисляют по этой конфигурации другие реализации:",
        ),
        (
            *left(
                t("code", "реализация"),
                t("its rule; what is compared", "её правило; что сравнивается"),
            ),
            *right(t("here", "здесь"), t("there", "там")),
        ),
        map(other_row, others),
    )


def other_row(other: OtherResult) -> tuple[Line, ...]:
    """The library, its rule and which number differs, and both numbers."""
    rule = other.rule if other.width is None else Phrase(other.rule, {"width": other.width})
    number = other.quantity if other.pair is None else Phrase(other.quantity, {"pair": other.pair})
    here, there = Significant(other.here), Significant(other.there)
    return (other.library, (rule, "; ", number), here, there)


def next_command(file: str, summarized: bool) -> Paragraph:
    """What to run next: every pair of a summarised table, else the section on frequencies."""
    if summarized:
        reason = t("all pairs", "все пары")
        return header_footer.next_step("rope-report scaling {file} --rows all", reason, file=file)
    reason = t("how fast each pair rotates", "как быстро поворачивается каждая пара")
    return header_footer.next_step("rope-report show frequencies", reason)


def warning_values(warning: ConfigWarning) -> dict[str, Any]:
    """A warning as JSON holds it."""
    return {"kind": warning.kind.name, **{name: english(x) for name, x in warning.values.items()}}


def other_values(other: OtherResult) -> dict[str, Any]:
    """A result of another library as JSON holds it."""
    return {
        "where": english(other.library),
        "what": other.rule.en.format(width=other.width),
        "number": other.quantity.en.format(pair=other.pair),
        "here": other.here,
        "there": other.there,
    }


def english(value: Any) -> Any:
    """The English of a text; any other value as it is."""
    return value.en if isinstance(value, Text) else value
