"""The options of the commands, as click knows them, and its bar of progress.

Only this file and cli.py know click.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from rope_cli.cli.output import one_of, width_from
from rope_cli.renderers import FORMATS
from rope_cli.text import LANGUAGES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# A pass over so many numbers takes long enough to be watched.
LONG_PASS = 1 << 24
COLORS = ("auto", "always", "never")

Offer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem] | list[str]"]


def offer(*names: str) -> Offer:
    """What completion offers for a parameter that takes one of some names."""
    return lambda ctx, param, begun: [name for name in names if name.startswith(begun)]


def offer_paths(kind: str) -> Offer:
    """Leave the completion of files or directories to the shell."""

    def offered(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(begun, type=kind)]

    return offered


def checked(check: Callable[[str], Any]) -> Callable[..., Any]:
    """Refuse a bad value as soon as it is read."""
    return lambda ctx, param, value: None if value is None else check(value)


def choice(name: str, accepted: Sequence[str]) -> click.Option:
    """An option that takes one of a few values."""
    check = checked(lambda value: one_of(accepted, name, value))
    metavar = "|".join(accepted)
    return click.Option([name], metavar=metavar, callback=check, shell_complete=offer(*accepted))


def argument(name: str, metavar: str, offered: Offer) -> click.Argument:
    """Words after the options. ``Command`` says that one is missing, so click need not.

    A metavar in brackets may be left out.
    """
    count = -1 if metavar.strip("[]").endswith("...") else 1
    return click.Argument(
        [name], nargs=count, required=False, metavar=metavar, shell_complete=offered
    )


def switch(*names: str) -> click.Option:
    """An option without a value."""
    return click.Option(names, is_flag=True, default=False)


def progress_bar() -> Callable[[int, int], None] | None:
    """What shows how far a long pass is, on standard error if that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    bars: dict[int, Any] = {}

    def progress(done: int, total: int) -> None:
        if total < LONG_PASS:
            return
        if total not in bars:
            bars[total] = click.progressbar(length=total, file=sys.stderr)
        bars[total].update(done - bars[total].pos)
        if done >= total:
            bars.pop(total).render_finish()

    return progress


LANG = choice("--lang", LANGUAGES)
OUTPUT = click.Option(["-o", "--output"], metavar="FILE", shell_complete=offer_paths("file"))
PRINTING = (
    LANG,
    choice("--format", FORMATS),
    OUTPUT,
    click.Option(
        ["--width"], metavar="N|auto", callback=checked(width_from), shell_complete=offer("auto")
    ),
    choice("--color", COLORS),
    switch("--ascii"),
)
WIDTH_AND_BASE = (
    click.Option(["-d", "--feature-width"], metavar="N"),
    click.Option(["-b", "--base"], metavar="NUMBER"),
)
POSITIONS = click.Option(["--positions"], metavar="LIST")
LAYOUT = choice("--layout", ("adjacent", "half-split"))
MODEL = (
    click.Option(["--config"], metavar="CONFIG.json", shell_complete=offer_paths("file")),
    click.Option(["--layer-type"], metavar="NAME"),
    click.Option(["--length"], metavar="N"),
)
ROWS = choice("--rows", ("summary", "all"))
SEED = click.Option(["--seed"], metavar="N")
PREDICTED = SEED, choice("--handout", ("questions", "answers")), *PRINTING
# A table for the teacher's own spreadsheet; no other command has a use for it.
MARKED = SEED, LANG, choice("--format", (*FORMATS, "csv")), *PRINTING[2:]
CHECKED = (
    switch("--update"),
    click.Option(["--golden-dir"], metavar="DIR", shell_complete=offer_paths("dir")),
    *PRINTING,
)
SCALED = click.Option(["--length"], metavar="N"), ROWS, *PRINTING
VECTORS = *MODEL, *WIDTH_AND_BASE, POSITIONS, LANG, OUTPUT
OWN_VALUES = (
    *WIDTH_AND_BASE,
    POSITIONS,
    click.Option(["--shift"], metavar="N"),
    click.Option(["--query"], metavar="ROWS", shell_complete=offer_paths("file")),
    click.Option(["--key"], metavar="ROWS", shell_complete=offer_paths("file")),
    LAYOUT,
    choice("--dtype", ("float64", "float32")),
    ROWS,
)
SHOWN = *OWN_VALUES, switch("--step"), switch("--big"), *PRINTING
VERIFIED = (
    *MODEL,
    *WIDTH_AND_BASE,
    LAYOUT,
    POSITIONS,
    click.Option(["--offset"], metavar="N"),
    click.Option(["--axes"], metavar="NAMES"),
    choice("--dtype", ("float64", "float32", "float16", "bfloat16")),
    click.Option(["--tolerance"], metavar="NUMBER"),
    click.Option(["--input-name"], metavar="NAME"),
    click.Option(["--output-name"], metavar="NAME"),
    switch("--backward"),
    switch("--frequencies"),
    ROWS,
    *PRINTING,
)
