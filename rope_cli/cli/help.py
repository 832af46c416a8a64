"""How a help page is laid out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rope_cli.cli import classroom_help, help_texts
from rope_cli.cli.help_texts import COMMANDS_HEADING, OPTIONS_HEADING, USAGE
from rope_cli.text import Text

WIDTH, WIDEST_MARGIN = 79, 34
METAVARS = {**help_texts.METAVARS, **classroom_help.METAVARS}
SUMMARIES = {**help_texts.SUMMARIES, **classroom_help.SUMMARIES}
DETAILS = {**help_texts.DETAILS, **classroom_help.DETAILS}
OPTIONS = {**help_texts.OPTIONS, **classroom_help.OPTIONS}
OPTIONS_OF = {**help_texts.OPTIONS_OF, **classroom_help.OPTIONS_OF}


def metavar(written: str, language: str) -> str:
    """What stands for a value in one language: ``FILE`` or ``ФАЙЛ``, ``en|ru`` in both."""
    word = written.strip("[].")
    said = METAVARS[word].in_language(language) if word in METAVARS else word
    return written.replace(word, said)


def usage(words: Iterable[str], language: str) -> str:
    """A command as it is typed: ``rope-report show [OPTIONS] SLUG...``."""
    return " ".join(metavar(word, language) for word in words)


def help_page(
    name: str,
    typed: Iterable[str],
    commands: Iterable[str],
    options: Iterable[tuple[Sequence[str], str | None]],
    language: str,
    values: Mapping[str, object],
) -> str:
    """The help of the command ``name`` in one language.

    ``typed`` are the words of its usage line, an option is its names and what it takes, and
    ``values`` fill the placeholders of the texts.
    """

    def said(text: Text) -> str:
        return text.in_language(language).format(**values)

    rows, own = [], OPTIONS_OF.get(name, {})
    for names, takes in options:
        value, longest = f" {metavar(takes, language)}" if takes else "", max(names, key=len)
        rows.append((", ".join(names) + value, said(own.get(longest) or OPTIONS[longest])))
    listed = [(command, said(SUMMARIES[command])) for command in commands]
    parts = [f"{said(USAGE)} {usage(typed, language)}", paragraph(said(SUMMARIES[name]))]
    if listed:
        parts.append(said(COMMANDS_HEADING) + "\n" + entries(listed))
    parts.append(said(OPTIONS_HEADING) + "\n" + entries(rows))
    parts.extend(paragraph(said(text)) for text in DETAILS.get(name, ()))
    return "\n\n".join(parts) + "\n"


def paragraph(text: str) -> str:
    """The text wrapped and indented by two."""
    return "\n".join("  " + line for line in wrapped(text, WIDTH - 2))


def entries(rows: Sequence[tuple[str, str]]) -> str:
    """Signs on the left and their meaning on the right, of a very long sign below it."""
    margin = min(max(len(sign) for sign, _ in rows) + 4, WIDEST_MARGIN)
    lines = []
    for sign, meaning in rows:
        first, *others = wrapped(meaning, WIDTH - margin)
        if len(sign) + 4 > margin:
            lines.append(f"  {sign}")
            others.insert(0, first)
        else:
            lines.append(f"  {sign}".ljust(margin) + first)
        lines.extend(" " * margin + line for line in others)
    return "\n".join(lines)


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` columns; importing textwrap would take longer than all this."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines
