"""The commands of the classroom: predict, mark, figure, and showing section by section.

Knows nothing of click. What computes or draws is imported inside, for help must not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rope_cli.cli import streams
from rope_cli.cli.output import Manner
from rope_cli.report.tracks import GROUPS, SLUGS
from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal, quoted
from rope_cli.user_input.numbers import read_whole_number

if TYPE_CHECKING:
    from rope_cli.classroom.handout import Part
    from rope_cli.classroom.question import Question
    from rope_cli.document.blocks import Document

NAMES = (*GROUPS, *SLUGS)
# Signs that a terminal must have for anything but ASCII.
SIGNS = "─≤θᵀ²"
INTERRUPTED = 130
QUIT = "q", "й"  # the same key while a Russian keyboard layout is on
GO_ON = Text(
    en="[{at}/{count}] Enter: go on, q: quit ",
    ru="[{at}/{count}] Enter — дальше, q — выход ",
)


class NoFigureFile(CommandRefusal):
    """A figure without a file to draw it into."""

    kind = "no-figure-file"
    SENTENCE = Text(
        en="the figure of {slug} needs a file; accepted: -o FILE.png, -o FILE.svg or -o FILE.pdf",
        ru="для рисунка раздела {slug} нужен файл; допустимо: -o ФАЙЛ.png, -o ФАЙЛ.svg или "
        "-o ФАЙЛ.pdf",
    )


def seed_from(text: str | None) -> int | None:
    """The seed asked for; ``None`` keeps the chapter's numbers."""
    return None if text is None else read_whole_number("--seed", text)


def in_dialogue(manner: Manner) -> bool:
    """Whether somebody sits at a terminal who can be asked."""
    return manner.form == "text" and manner.output == "-" and streams.interactive()


def predict(
    manner: Manner, slugs: Sequence[str], seed: str | None, handout: Part | None, **common: object
) -> int:
    """Ask at a terminal; elsewhere, and for a handout, print. ``common`` is known."""
    from rope_cli.classroom.handout import HandoutRequest, report
    from rope_cli.classroom.selection import select_questions

    number = seed_from(seed)
    if handout is None and in_dialogue(manner):
        return ask(manner, select_questions(slugs, number))
    return manner.print(report(HandoutRequest(slugs, number, handout)))


def ask(manner: Manner, questions: Sequence[Question]) -> int:
    """The dialogue, on screens of the terminal's size; the score comes last in any case."""
    from rope_cli.classroom.session import Session, run

    columns, lines = streams.terminal_size()
    # A screen is laid out once, with signs that the terminal has.
    ascii_only = manner.ascii_only or not streams.has(SIGNS)
    session = Session(questions, manner.language, min(columns, manner.width), lines, ascii_only)

    def write(text: str) -> None:
        streams.write(lambda plain: text)

    return INTERRUPTED if run(streams.read_line, write, session) else 0


def mark(
    manner: Manner, answers: str, slugs: Sequence[str], seed: str | None, **common: object
) -> int:
    """Mark a file of answers, or a folder of them; ``common`` is known."""
    from rope_cli.classroom.mark import MarkRequest, report, spreadsheet

    request = MarkRequest(answers, slugs, seed_from(seed))
    if manner.form != "csv":
        return manner.print(report(request))
    text = spreadsheet(request, manner.language)
    manner.deliver(lambda ascii_only: text, True)
    return 0


def figure(manner: Manner, slug: str) -> int:
    """Draw the pictures of a section into a file."""
    if manner.output == "-":
        raise NoFigureFile(slug=quoted(slug))
    from rope_cli.report import figure as drawing

    drawing.figure(slug, manner.output, manner.language)
    return 0


def in_steps(manner: Manner, document: Document) -> int:
    """Print a document page by page, waiting for Enter between two, at a terminal.

    A page ends after each question, before its answer can be seen, and where the screen is full.
    """
    if not in_dialogue(manner):
        return manner.print(document)
    from rope_cli.document import formatting

    ascii_only = manner.ascii_only or not streams.has(SIGNS)
    asked = formatting.format_line(formatting.PREDICT, manner.language)
    pages: list[str] = []
    for part in parts_of(document):
        text = manner.rendered(part, ascii_only)
        pages.extend(pages_of(text.rstrip("\n").split("\n"), asked, streams.terminal_size()[1]))
    for at, page in enumerate(pages):
        if at:
            said = GO_ON.in_language(manner.language).format(at=at, count=len(pages))
            prompt = partial(formatting.format_line, said, manner.language)
            try:
                streams.write(prompt, ascii_only)
                if streams.read_line().strip().lower() in QUIT:
                    break
            except (EOFError, KeyboardInterrupt) as end:
                # The cursor stands behind the prompt.
                streams.write(lambda plain: "\n")
                if isinstance(end, KeyboardInterrupt):
                    raise
                break
        streams.write(partial(plainly, page), ascii_only)
    return 0 if document.holds else 1


def plainly(page: str, ascii_only: bool) -> str:
    """A page as it is; its signs were chosen before."""
    return page


def pages_of(lines: list[str], asked: str, height: int) -> Iterator[str]:
    """Lines in pages that leave room for the prompt, cut at empty lines where there are any."""
    room = max(height - 2, 1)
    while lines:
        cut = min(room, len(lines))
        empty = [at for at in range(cut) if not lines[at].strip() and at]
        question = next((at for at in range(cut) if lines[at].startswith(asked)), None)
        after = [at for at in empty if question is not None and at > question]
        if after:
            cut = after[0] + 1
        elif len(lines) > room and empty and empty[-1] > room // 2:
            cut = empty[-1] + 1
        yield "\n".join(lines[:cut]) + "\n"
        lines = lines[cut:]


def parts_of(document: Document) -> Iterator[Document]:
    """Each section as a document; what stands above goes with the first, below with the last."""
    if not document.sections:
        yield document
    last = len(document.sections) - 1
    for at, section in enumerate(document.sections):
        yield replace(
            document,
            opening=document.opening if at == 0 else (),
            sections=(section,),
            closing=document.closing if at == last else (),
            verdicts=document.verdicts if at == last else (),
        )
