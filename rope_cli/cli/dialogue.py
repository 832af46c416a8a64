"""What waits for the reader at a terminal: the questions of predict, the pages of show --step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rope_cli.cli import streams
from rope_cli.cli.interrupts import interrupts_raised
from rope_cli.cli.output import OutputOptions
from rope_cli.text import Text

if TYPE_CHECKING:
    from rope_cli.classroom.kept_answers import Progress
    from rope_cli.classroom.question import Question
    from rope_cli.document.blocks import Document

# Signs that a terminal must have for anything but ASCII.
SIGNS = "─≤θᵀ²"
INTERRUPTED = 130
QUIT = "q", "й"  # the same key while a Russian keyboard layout is on
GO_ON = Text(
    en="[{page}/{count}] Enter: go on, q: quit ",
    ru="[{page}/{count}] Enter — дальше, q — выход ",
)
STEP_HINT = Text(
    en="To answer a question before its answer is in sight, add --step.",
    ru="Чтобы ответить на вопрос раньше, чем ответ появится на экране, добавьте --step.",
)


def can_ask(output: OutputOptions) -> bool:
    """Whether somebody sits at a terminal who can answer."""
    return output.format == "text" and output.output == "-" and streams.interactive()


def needs_ascii(output: OutputOptions) -> bool:
    """Whether screens are laid out in ASCII: they are laid out once, before they are written."""
    return output.ascii_only or not streams.has(SIGNS)


def write_as_it_is(text: str) -> None:
    """Write text whose signs are chosen already."""
    streams.write(lambda ascii_only: text)


def ask(
    output: OutputOptions, questions: Sequence[Question], progress: Progress | None = None
) -> int:
    """Ask on screens of the terminal's size; the score comes last in any case.

    With ``progress`` the session goes on where its file ends, and adds its answers there.
    """
    from rope_cli.classroom.session import Session, run

    columns, lines = streams.terminal_size()
    width = min(columns, output.width)
    kept: dict[str, Any] = {}
    if progress is not None:
        questions = progress.to_ask(questions)
        kept = {"answers": progress.kept(questions), "keep": progress.add}
    session = Session(questions, output.language, width, lines, needs_ascii(output), **kept)
    with interrupts_raised():
        interrupted = run(streams.read_line, write_as_it_is, session)
    return INTERRUPTED if interrupted else 0


def print_in_steps(output: OutputOptions, document: Document) -> int:
    """Print a document page by page, waiting for Enter between two, at a terminal.

    A page ends after each question, before its answer can be seen, and where the screen is full.
    """
    if not can_ask(output):
        return output.print_report(document)
    pages = list(pages_of_document(output, document))
    for number, page in enumerate(pages):
        if number and not go_on(output, number, len(pages)):
            break
        write_as_it_is(page)
    return 0 if document.holds else 1


def with_step_hint(output: OutputOptions, document: Document) -> Document:
    """The document, at a terminal with a line above its sections on how to answer them first."""
    from rope_cli.document.blocks import Paragraph

    if not can_ask(output):
        return document
    return replace(document, opening=(*document.opening, Paragraph(STEP_HINT)))


def go_on(output: OutputOptions, page: int, count: int) -> bool:
    """Whether the reader wants the next page; raises ``KeyboardInterrupt``."""
    from rope_cli.document.formatting import format_line

    prompt = GO_ON.in_language(output.language).format(page=page, count=count)
    try:
        with interrupts_raised():
            streams.write(
                lambda ascii_only: format_line(prompt, output.language, ascii_only),
                needs_ascii(output),
            )
            return streams.read_line().strip().lower() not in QUIT
    except (EOFError, KeyboardInterrupt) as end:
        # The cursor stands behind the prompt.
        write_as_it_is("\n")
        if isinstance(end, KeyboardInterrupt):
            raise
        return False


def pages_of_document(output: OutputOptions, document: Document) -> Iterator[str]:
    """The pages of all sections; each section begins a new one."""
    from rope_cli.document.formatting import PREDICT, format_line

    question = format_line(PREDICT, output.language)
    height = streams.terminal_size()[1]
    for index, section in enumerate(sections_of(document)):
        lines = output.render(section, needs_ascii(output)).rstrip("\n").split("\n")
        # Above the first page there is no prompt.
        yield from pages_of(lines, question, height, height - (1 if index == 0 else 2))


def pages_of(lines: list[str], question: str, height: int, first_page: int) -> Iterator[str]:
    """Lines in pages that leave room for prompts, cut at empty lines where there are any.

    ``question`` is how the line of a question begins, apart from its colours; a page ends at the
    empty line after it. ``first_page`` is how many lines the first page may have.
    """
    room = max(first_page, 1)
    while lines:
        cut = min(room, len(lines))
        empty = [index for index in range(1, cut) if not lines[index].strip()]
        asked = (index for index in range(cut) if unpainted(lines[index]).startswith(question))
        asking = next(asked, None)
        after = [index for index in empty if asking is not None and index > asking]
        if after:
            cut = after[0] + 1
        elif len(lines) > room and lines[room].strip() and empty and empty[-1] > room // 3:
            cut = empty[-1] + 1
        yield "\n".join(lines[:cut]) + "\n"
        lines = lines[cut:]
        room = max(height - 2, 1)


def unpainted(line: str) -> str:
    """The line without the codes of its colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def sections_of(document: Document) -> Iterator[Document]:
    """Each section as a document; what stands above goes with the first, below with the last."""
    if not document.sections:
        yield document
    last = len(document.sections) - 1
    for index, section in enumerate(document.sections):
        yield replace(
            document,
            opening=document.opening if index == 0 else (),
            sections=(section,),
            closing=document.closing if index == last else (),
            verdicts=document.verdicts if index == last else (),
        )
