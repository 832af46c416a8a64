"""What stands around the sections: the parameters above them, the verdict below them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rope_cli.document.blocks import (
    Block,
    Legend,
    Paragraph,
    Phrase,
    Piece,
    Section,
    Short,
    Verdict,
    vector,
)
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, same_bits
from rope_cli.document.vocabulary import t
from rope_cli.example.parameters import PARAMETERS, Parameters
from rope_cli.example.positions import format_positions
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY
from rope_cli.text import Text
from rope_cli.user_input.rows import Rows

SHORT_ROW = 8
NAME = t(
    "Rotary position embedding (RoPE), computed and checked on this machine",
    "Ротационное позиционное кодирование (RoPE): вычислено и проверено на этой машине",
)
CHAPTERS = t("The chapter's values: {values}.", "Значения главы: {values}.")
READERS = t(
    "Your values: {given}. The chapter's: {kept}.", "Ваши значения: {given}. Из главы: {kept}."
)
READERS_ALONE = t("Your values: {given}.", "Ваши значения: {given}.")
KEPT = t(
    "This section keeps the chapter's values of: {names}.",
    "В этом разделе остаются значения главы: {names}.",
)
LAYOUTS = PARAMETERS["layout"].words
GENERIC = t(
    "Rows without zeros, where a section speaks of them: q = {query}, k = {key}.",
    "Строки без нулей, о которых говорится в разделах: q = {query}, k = {key}.",
)
BOUNDS = t(
    "Checks: ≤ bounds the greatest difference, ≥ says how far at least one value differs, exact "
    "allows no difference.",
    "Проверки: ≤ — граница наибольшей разности, ≥ — на сколько отличается хотя бы одно "
    "значение, "
    "«точно» — без единого отличия.",
)
REPLAY = t("a second run gives the same bits", "второй запуск даёт те же биты")
ALL_HELD = t("{held} of {total} checks held.", "Пройдено проверок: {held} из {total}.")
SOME_FAILED = t(
    "{held} of {total} checks held; {failed} FAILED: {names}.",
    "Пройдено проверок: {held} из {total}; НЕ ПРОЙДЕНО {failed}: {names}.",
)
NEXT = t("Next: {command} ({reason}).", "Дальше: {command} ({reason}).")
PROVE = t("compares every section with its golden file", "сверит каждый раздел с эталонным файлом")
READ_ON = t("the next section", "следующий раздел")


def opening(parameters: Parameters) -> tuple[Block, ...]:
    """The name of the report, its parameters and its cues."""
    mentioned = {name: declared for name, declared in PARAMETERS.items() if declared.header}
    # The chapter's rows are mentioned only beside rows of the reader's.
    if not parameters.given & {"query", "key"}:
        del mentioned["query"], mentioned["key"]
    own = [header_entry(name, parameters) for name in mentioned if name in parameters.given]
    kept = [header_entry(name, parameters) for name in mentioned if name not in parameters.given]
    if not own:
        values = Phrase(CHAPTERS, {"values": listed(kept)})
    elif kept:
        values = Phrase(READERS, {"given": listed(own), "kept": listed(kept)})
    else:
        values = Phrase(READERS_ALONE, {"given": listed(own)})
    return (Paragraph(NAME), Paragraph(values), Legend())


def kept_values(parameters: Parameters, used: frozenset[str]) -> tuple[Block, ...]:
    """A line that says which of the reader's values a section cannot use, if there are any."""
    unused = [
        declared.name
        for name, declared in PARAMETERS.items()
        if declared.name and name in parameters.given - used
    ]
    return (Paragraph(Phrase(KEPT, {"names": listed(unused)})),) if unused else ()


def listed(texts: Sequence[Text | Phrase]) -> Phrase:
    """Several things with commas between them."""
    names = [f"part{at}" for at in range(len(texts))]
    pattern = ", ".join(f"{{{name}}}" for name in names)
    return Phrase(t(pattern, pattern), dict(zip(names, texts, strict=True)))


def header_entry(name: str, parameters: Parameters) -> Phrase:
    """A parameter as the header shows it."""
    declared = PARAMETERS[name]
    assert declared.header is not None
    values = {
        attribute: short_value(getattr(parameters, attribute))
        for attribute in declared.header.placeholders
    }
    word = declared.words.get(str(getattr(parameters, name)))
    return Phrase(declared.header, values if word is None else {**values, name: word})


def short_value(value: Any) -> Piece:
    """The value of a parameter, as short as it can be said."""
    if value is None:
        return t("of the chapter", "из главы")
    if isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return Short(value)
    return row_count(value) if isinstance(value[0], tuple) else format_positions(value)


def row_count(rows: Rows) -> Piece:
    """A single row itself when it is short, else how many rows there are."""
    if len(rows) == 1 and len(rows[0]) <= SHORT_ROW:
        return vector(rows[0])
    return t(
        "of {rows} x {width} numbers",
        "из {rows} × {width} чисел",
        rows=len(rows),
        width=len(rows[0]),
    )


def replay(first: Sequence[Evidence], second: Sequence[Evidence]) -> Verdict:
    """Whether two runs found the same bits, value by value."""
    one, two = ([*_leaves([evidence.values for evidence in run])] for run in (first, second))
    compared = sum(size_of(leaf) for _, leaf in one)
    if [name for name, _ in one] != [name for name, _ in two]:
        return Verdict(Check("bitwise-replay", float(compared), 0.0, compared), REPLAY)
    changed = sum(changes(a, b) for (_, a), (_, b) in zip(one, two, strict=True))
    return Verdict(Check("bitwise-replay", float(changed), 0.0, compared), REPLAY)


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every array, number and word inside a value, with the names that lead to it."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}/{key}")
    elif isinstance(value, list | tuple):
        for at, inner in enumerate(value):
            yield from _leaves(inner, f"{name}/{at}")
    else:
        yield name, value


def size_of(leaf: Any) -> int:
    """How many values a leaf holds."""
    return leaf.size if isinstance(leaf, np.ndarray) else 1


def changes(one: Any, two: Any) -> int:
    """How many values of two leaves differ in any bit."""
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        return int(same_bits("replay", one, two).measured if one.size else one.shape != two.shape)
    return int(repr(one) != repr(two))


def reading() -> tuple[Block, ...]:
    """How to read the checks, and the rows that many sections share."""
    generic = {"query": vector(GENERIC_QUERY), "key": vector(GENERIC_KEY)}
    return (Paragraph(Phrase(GENERIC, generic)), Paragraph(BOUNDS))


def closing(
    sections: Sequence[Section], verdicts: Sequence[Verdict], following: str | None
) -> tuple[Block, ...]:
    """How many checks held, which did not, and what to run next."""
    nested = (section.verdicts for section in sections)
    checks = [verdict.check for group in (*nested, verdicts) for verdict in group]
    failed = [check.name for check in checks if not check.holds]
    count = {"held": len(checks) - len(failed), "total": len(checks)}
    if failed:
        named = ", ".join(failed)
        outcome = Phrase(SOME_FAILED, {**count, "failed": len(failed), "names": named})
    else:
        outcome = Phrase(ALL_HELD, count)
    if following is None:
        typed, reason = "rope-report check", PROVE
    else:
        typed, reason = f"rope-report show {following}", READ_ON
    command = t(typed, f"{typed} --lang ru")
    return (
        Paragraph(outcome),
        Paragraph(Phrase(NEXT, {"command": command, "reason": reason})),
    )
