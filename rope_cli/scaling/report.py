"""What ``scaling`` says about a model: the values read, its pairs, and what other code does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rope_cli.document.blocks import (
    Block,
    Column,
    Document,
    Paragraph,
    Phrase,
    Piece,
    Section,
    Significant,
    Table,
    Verdict,
)
from rope_cli.document.evidence import Evidence
from rope_cli.document.vocabulary import t, table
from rope_cli.report import header_footer
from rope_cli.scaling import descriptions, messages
from rope_cli.scaling.compute import Computed, gather
from rope_cli.scaling.config import ModelConfig, read_config
from rope_cli.scaling.json_files import Read, spelled_key
from rope_cli.scaling.layers import Layer
from rope_cli.scaling.methods import ORIGINAL, RATIO
from rope_cli.scaling.other_libraries import Elsewhere, differences
from rope_cli.scaling.pair_table import pair_table, summarises
from rope_cli.scaling.warnings import Note, Notes
from rope_cli.text import Text
from rope_cli.user_input.command_errors import LONGEST_PATH, printable

LONGEST_NAME = 40
LABELS = {
    "method": t("method", "метод"),
    "head_width": t("head width", "ширина головы"),
    "rotary_width": t("rotary width d", "ширина поворота d"),
    "base": t("base b", "основание b"),
    "factor": t("factor s", "множитель s"),
    ORIGINAL: t("original length L", "исходная длина L"),
    "share": t("rotated share", "доля поворота"),
}
STANDARD = t("by default", "по умолчанию")
STANDARD_OF = t("by default, {source}", "по умолчанию, {source}")
LIST = t("{size} numbers", "чисел: {size}")


def report(path: str, length: int | None = None, every_row: bool = False) -> Document:
    """The report on the configuration in a file. Raises the refusals of :func:`read_config`."""
    return document(read_config(path), length, every_row)


def document(config: ModelConfig, length: int | None = None, every_row: bool = False) -> Document:
    """The report on a config for a text of ``length`` positions, by default the whole context."""
    notes = Notes(config.notes)
    maximum = config.max_positions.value
    if length is not None and length > maximum:
        notes.add(messages.BEYOND, key="--length", value=length, used_value=maximum)
    asked = maximum if length is None else length
    computed = [Computed(layer, asked) for layer in config.layers]
    others = [differences(each, maximum) for each in computed]
    first = [gather(each) for each in computed]
    second = [gather(Computed(layer, asked)) for layer in config.layers]
    sections = tuple(
        section(at + 1, layer, first[at], others[at], every_row)
        for at, layer in enumerate(config.layers)
    )
    verdicts = (header_footer.replay(first, second),)
    summarised = not every_row and any(map(summarises, first))
    file = printable(config.path, LONGEST_PATH)
    return Document(
        opening=opening(config, file, asked, notes),
        sections=sections,
        closing=(
            *header_footer.closing(sections, verdicts, None)[:1],
            Paragraph(Phrase(header_footer.NEXT, following(file, summarised))),
        ),
        verdicts=verdicts,
        parameters={
            "file": file,
            "model_type": printable(config.model_type, LONGEST_NAME),
            "max_position_embeddings": maximum,
            "length": asked,
            "warnings": [for_programs(note) for note in notes],
        },
    )


def following(file: str, summarised: bool) -> dict[str, Piece]:
    """What to run next, and why."""
    typed, reason = "rope-report show frequencies", descriptions.BASICS
    if summarised:
        typed, reason = "rope-report scaling {file} --rows all", descriptions.EVERY_PAIR
    command = t(typed, f"{typed} --lang ru")
    return {"command": Phrase(command, {"file": file}), "reason": reason}


def opening(config: ModelConfig, file: str, length: int, notes: Notes) -> tuple[Block, ...]:
    """The name of the report, the file, and what is odd about it."""
    model: Piece = descriptions.NO_MODEL
    if config.model_type:
        model = printable(config.model_type, LONGEST_NAME)
    said = {"file": file, "model": model, "maximum": config.max_positions.value, "length": length}
    blocks: list[Block] = [
        Paragraph(header_footer.NAME),
        Paragraph(Phrase(descriptions.FILE, said)),
    ]
    if notes:
        rows = tuple(
            (descriptions.KINDS[note.warned.kind], Phrase(note.warned.sentence, dict(note.values)))
            for note in notes
        )
        columns = (
            Column(t("warning", "предупреждение")),
            Column(t("key and value", "ключ и значение")),
        )
        blocks.append(table(descriptions.WARNINGS, columns, rows))
    return (*blocks, Paragraph(header_footer.BOUNDS))


def for_programs(note: Note) -> dict[str, Any]:
    """A warning as JSON holds it."""
    values = {
        name: value.en if isinstance(value, Text) else value for name, value in note.values.items()
    }
    return {"kind": note.warned.kind, **values}


def section(
    number: int, layer: Layer, evidence: Evidence, others: list[Elsewhere], every_row: bool
) -> Section:
    """One type of layers."""
    slug, title = "scaling", descriptions.TITLE
    if layer.name is not None:
        name = re.sub(r"[^\w.-]", "?", layer.name[:LONGEST_NAME], flags=re.ASCII)
        slug = f"scaling-{name}"
        title = t(f"Layers of type {name}", f"Слои вида {name}")
    plain = layer.method == "default"
    return Section(
        number=number,
        slug=slug,
        title=title,
        question=descriptions.PLAIN_QUESTION if plain else descriptions.QUESTION,
        blocks=(
            values_read(layer),
            Paragraph(how(evidence)),
            *pair_table(evidence, every_row),
            Paragraph(turnless(evidence)),
            *attention(evidence),
            *elsewhere(others),
        ),
        verdicts=tuple(
            Verdict(check, descriptions.CLAIMS[check.name]) for check in evidence.checks
        ),
        values={**evidence.values, "elsewhere": [row_for_programs(each) for each in others]},
    )


def values_read(layer: Layer) -> Table:
    """Each value and the key where it stood."""
    method = layer.written._replace(value=layer.method)
    read = {
        "method": method,
        "head_width": layer.head_width,
        "rotary_width": layer.rotary_width,
        "base": layer.base,
        **layer.values,
    }
    rows = tuple(
        (LABELS.get(name, name), shown(each.value), source(name, each))
        for name, each in read.items()
    )
    columns = (
        Column(t("what", "величина")),
        Column(t("value", "значение"), "right"),
        Column(t("read from", "откуда")),
    )
    return table(None, columns, rows)


def shown(value: Any) -> Piece:
    """A value of a config as a piece of text."""
    if isinstance(value, bool | str):
        return str(value).lower()
    if isinstance(value, tuple):
        return Phrase(LIST, {"size": len(value)})
    return Significant(value) if isinstance(value, float) else int(value)


def source(name: str, read: Read) -> Piece:
    """The key where a value stood; of a key of that very name only the object around it."""
    found = spelled_key(read.source)
    if read.standard:
        return Phrase(STANDARD_OF, {"source": found}) if found else STANDARD
    return descriptions.THE_RATIO if found == RATIO else found.removesuffix(f".{name}")


def how(evidence: Evidence) -> Phrase:
    """How the method works, with its numbers."""
    own: Mapping[str, Any] = evidence["method_values"]
    filling: dict[str, Piece] = {name: evidence[name] for name in ("length", "turning_length")}
    match evidence["method"]:
        case "ntk" | "dynamic":
            filling["scaled_base"] = Significant(evidence["scaled_base"])
        case "yarn":
            low, high = evidence["ramp_bounds"]
            filling.update(low=Significant(low), high=Significant(high))
        case "llama3":
            low, high = own["low_freq_factor"], own["high_freq_factor"]
            filling.update(low=Significant(low), high=Significant(high))
        case "longrope":
            filling["divisors"] = evidence["divisors"]
        case "proportional":
            pairs = len(evidence["bands"])
            filling.update(moving=pairs - evidence["band_counts"]["still"], pairs=pairs)
    return Phrase(descriptions.HOW[evidence["method"]], filling)


def turnless(evidence: Evidence) -> Phrase:
    """How many pairs are slower than the length that they are counted in."""
    plain = evidence["method"] == "default"
    said = {
        "still": int((evidence["turns"] < 1).sum()),
        "pairs": len(evidence["turns"]),
        "turning_length": evidence["turning_length"],
    }
    return Phrase(descriptions.PLAIN_NO_TURN if plain else descriptions.NO_TURN, said)


def attention(evidence: Evidence) -> tuple[Block, ...]:
    """The attention factor and where it applies."""
    a, gain = evidence["attention_factor"], evidence["score_gain"]
    said = {"a": Significant(a), "gain": Significant(gain)}
    blocks = [
        Paragraph(descriptions.ROW_OF_ONE if a == 1 else Phrase(descriptions.LONGER_ROW, said))
    ]
    if evidence["rotary_width"] != evidence["head_width"]:
        parts = {"rotary": evidence["rotary_width"], "head": evidence["head_width"]}
        blocks.append(Paragraph(Phrase(descriptions.PART_OF_HEAD, parts)))
    if evidence["softmax_factor"] is not None:
        factor = Significant(evidence["softmax_factor"])
        blocks.append(Paragraph(Phrase(descriptions.LATENT, {"factor": factor})))
    return tuple(blocks)


def row_for_programs(row: Elsewhere) -> dict[str, Any]:
    """A difference as JSON holds it."""
    who, does = (each.en if isinstance(each, Text) else each for each in (row.who, row.does))
    said = {"where": who, "what": does.format(**row.filling)}
    quantity = row.quantity.en.format(pair=row.pair)
    return {**said, "number": quantity, "here": row.here, "there": row.there}


def quantity(row: Elsewhere) -> Piece:
    """Which number differs."""
    return row.quantity if row.pair is None else Phrase(row.quantity, {"pair": row.pair})


def elsewhere(others: list[Elsewhere]) -> tuple[Block, ...]:
    """What other code computes, where it differs."""
    rows = tuple(
        (
            each.who,
            (Phrase(each.does, each.filling), "; ", quantity(each)),
            Significant(each.here),
            Significant(each.there),
        )
        for each in others
    )
    if not rows:
        return (Paragraph(descriptions.NOWHERE),)
    columns = (
        Column(t("where", "где")),
        Column(t("what it does", "что делает")),
        Column(t("here", "здесь"), "right"),
        Column(t("there", "там"), "right"),
    )
    return (table(descriptions.ELSEWHERE, columns, rows),)
