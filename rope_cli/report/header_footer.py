"""What stands around the sections: the parameters above them, the verdict below them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from rope_cli.document.vocabulary import say, t
from rope_cli.example.parameters import PARAMETERS, Parameters
from rope_cli.example.positions import format_positions
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY
from rope_cli.text import Text
from rope_cli.user_input.rows import Rows

SHORT_ROW = 8
LAYOUTS = PARAMETERS["layout"].words
NAME = say(
    "Rotary position embedding (RoPE), computed and checked on this machine",
    "Ротационное позиционное кодирование (RoPE): вычислено и проверено на этой машине",
)
BOUNDS = say(
    "Checks: ≤ bounds the greatest difference, ≥ says how far at least one value differs, exact "
    "allows no difference.",
    "Проверки: ≤ — граница наибольшей разности, ≥ — на сколько отличается хотя бы одно "
    "значение, «точно» — без единого отличия.",
)


def opening(parameters: Parameters) -> tuple[Block, ...]:
    """The name of the report, its parameters and its cues."""
    shown = [name for name, parameter in PARAMETERS.items() if parameter.header]
    # The chapter's rows are mentioned only beside rows of the reader's.
    if not parameters.given & {"query", "key"}:
        shown = [name for name in shown if name not in ("query", "key")]
    own = [header_entry(name, parameters) for name in shown if name in parameters.given]
    kept = [header_entry(name, parameters) for name in shown if name not in parameters.given]
    if not own:
        values = say("The chapter's values: {kept}.", "Значения главы: {kept}.", kept=join(kept))
    elif kept:
        values = say(
            "Your values: {own}. The chapter's: {kept}.",
            "Ваши значения: {own}. Из главы: {kept}.",
            own=join(own),
            kept=join(kept),
        )
    else:
        values = say("Your values: {own}.", "Ваши значения: {own}.", own=join(own))
    return (NAME, values, Legend())


def header_entry(name: str, parameters: Parameters) -> Phrase:
    """A parameter as the header shows it."""
    parameter = PARAMETERS[name]
    assert parameter.header is not None
    values = {
        attribute: short_value(getattr(parameters, attribute))
        for attribute in parameter.header.placeholders
    }
    word = parameter.words.get(str(getattr(parameters, name)))
    return Phrase(parameter.header, values if word is None else {**values, name: word})


def short_value(value: Any) -> Piece:
    """The value of a parameter, as short as it can be said."""
    if value is None:
        return t("of the chapter", "из главы")
    if isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return Short(value)
    return short_rows(value) if isinstance(value[0], tuple) else format_positions(value)


def short_rows(rows: Rows) -> Piece:
    """A single row itself when it is short, else how many rows there are."""
    if len(rows) == 1 and len(rows[0]) <= SHORT_ROW:
        return vector(rows[0])
    return t(
        "of {rows} x {width} numbers",
        "из {rows} × {width} чисел",
        rows=len(rows),
        width=len(rows[0]),
    )


def join(pieces: Sequence[Text | Phrase]) -> Phrase:
    """Pieces with commas between them."""
    names = [f"part{index}" for index in range(len(pieces))]
    pattern = ", ".join(f"{{{name}}}" for name in names)
    return Phrase(t(pattern, pattern), dict(zip(names, pieces, strict=True)))


def kept_values(parameters: Parameters, used: frozenset[str]) -> tuple[Block, ...]:
    """A line that says which of the reader's values a section cannot use, if there are any."""
    unused = parameters.given - used
    names = [
        parameter.name
        for name, parameter in PARAMETERS.items()
        if parameter.name and name in unused
    ]
    if not names:
        return ()
    sentence = say(
        "This section keeps the chapter's values of: {names}.",
        "В этом разделе остаются значения главы: {names}.",
        names=join(names),
    )
    return (sentence,)


def reading() -> tuple[Block, ...]:
    """How to read the checks, and the rows that many sections share."""
    generic = say(
        "Rows without zeros, where a section speaks of them: q = {query}, k = {key}.",
        "Строки без нулей, о которых говорится в разделах: q = {query}, k = {key}.",
        query=vector(GENERIC_QUERY),
        key=vector(GENERIC_KEY),
    )
    return (generic, BOUNDS)


def outcome(sections: Sequence[Section], verdicts: Sequence[Verdict] = ()) -> Paragraph:
    """How many checks held, and which did not."""
    nested = (section.verdicts for section in sections)
    checks = [verdict.check for group in (*nested, verdicts) for verdict in group]
    failed = [check.name for check in checks if not check.holds]
    held = len(checks) - len(failed)
    if not failed:
        return say(
            "{held} of {total} checks held.",
            "Пройдено проверок: {held} из {total}.",
            held=held,
            total=len(checks),
        )
    return say(
        "{held} of {total} checks held; {failed} FAILED: {names}.",
        "Пройдено проверок: {held} из {total}; НЕ ПРОЙДЕНО {failed}: {names}.",
        held=held,
        total=len(checks),
        failed=len(failed),
        names=", ".join(failed),
    )


def next_step(command: str, reason: Text, **values: Piece) -> Paragraph:
    """What to run next, and why; ``values`` fill the placeholders of the command."""
    return say(
        "Next: {command} ({reason}).",
        "Дальше: {command} ({reason}).",
        command=Phrase(t(command, f"{command} --lang ru"), values),
        reason=reason,
    )


def next_section_step(slug: str | None) -> Paragraph:
    """The section to read next; at the end of a track, the golden files."""
    if slug is None:
        reason = t(
            "compares every section with its golden file", "сверит каждый раздел с эталонным файлом"
        )
        return next_step("rope-report check", reason)
    return next_step(f"rope-report show {slug}", t("the next section", "следующий раздел"))
