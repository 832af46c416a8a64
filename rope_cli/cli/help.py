"""Commands whose help and refusals are in both languages. click draws the pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from rope_cli import __version__
from rope_cli.cli import streams
from rope_cli.cli.options import Option, in_language, options_of, reader_of
from rope_cli.text import Text
from rope_cli.user_input import command_errors
from rope_cli.user_input.command_errors import closest_match, printable, quoted

PROGRAM = "rope-report"
USAGE = Text(en="Usage:", ru="Использование:")
OPTIONS = Text(en="OPTIONS", ru="ПАРАМЕТРЫ")
COMMAND = Text(en="COMMAND", ru="КОМАНДА")
OPTIONS_HEADING = Text(en="Options", ru="Параметры")
COMMANDS_HEADING = Text(en="Commands", ru="Команды")
# What the second column of a help page needs at least.
WIDE_COLUMN = 30
NO_BREAK_HYPHEN = "\u2011"


class HelpFormatter(click.HelpFormatter):
    """click's formatter, which breaks lines at blanks only: names have hyphens."""

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(text.replace("-", NO_BREAK_HYPHEN))

    def write_dl(self, rows: Any, col_max: int = 30, col_spacing: int = 2) -> None:
        """Write two columns; on a narrow page the first leaves room for the second."""
        col_max = min(col_max, self.width - WIDE_COLUMN)
        kept = [(left, right.replace("-", NO_BREAK_HYPHEN)) for left, right in rows]
        super().write_dl(kept, col_max, col_spacing)

    def getvalue(self) -> str:
        """The page."""
        page = super().getvalue().replace(NO_BREAK_HYPHEN, "-")
        return "".join(f"{line.rstrip()}\n" for line in page.splitlines())


class BilingualCommand(click.Command):
    """What a command and the group of all have in common.

    ``summary`` says what it does, ``details`` are paragraphs below the options. The docstring of
    the function is for those who read the code.
    """

    def __init__(
        self, *args: Any, summary: Text, details: tuple[Text, ...] = (), **settings: Any
    ) -> None:
        super().__init__(*args, **{**settings, "help": None, "add_help_option": False})
        self.summary = summary
        self.details = details
        self.params += [HELP, VERSION]

    def get_help(self, ctx: click.Context) -> str:
        """The page, a column narrower than what reports may fill."""
        formatter = HelpFormatter(width=reader_of(ctx).columns - 1)
        self.format_help(ctx, formatter)
        return formatter.getvalue()

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The words after the command: ``[OPTIONS] SECTION...``."""
        arguments = [piece for param in self.params for piece in param.get_usage_pieces(ctx)]
        return [f"[{in_language(OPTIONS, ctx)}]", *arguments]

    def usage(self, ctx: click.Context) -> str:
        """The command as it is typed: ``rope-report show [OPTIONS] SECTION...``."""
        return " ".join([ctx.command_path, *self.collect_usage_pieces(ctx)])

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first line."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, f"{in_language(USAGE, ctx)} ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does."""
        write_paragraph(formatter, in_language(self.summary, ctx))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options."""
        with formatter.section(in_language(OPTIONS_HEADING, ctx)):
            formatter.write_dl([option.get_help_record(ctx) for option in options_of(self)])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the details."""
        for paragraph in self.details:
            write_paragraph(formatter, in_language(paragraph, ctx))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and refuse in our own words what click objects to."""
        # click looks for a long name first; finding none, it imports what suggests another.
        if args[:1] == ["-h"]:
            args = ["--help", *args[1:]]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as failure:
            raise self.refusal(failure, ctx) from failure

    def refusal(
        self, failure: click.UsageError, ctx: click.Context
    ) -> command_errors.CommandRefusal:
        """An objection of click's as one of our refusals."""
        takes = {name: param.make_metavar(ctx) for param in options_of(self) for name in param.opts}
        if isinstance(failure, click.NoSuchOption):
            name = failure.option_name
            return command_errors.UnknownOption(
                closest_match(name, takes), option=quoted(name), accepted=", ".join(takes)
            )
        if isinstance(failure, click.BadOptionUsage):
            name = printable(failure.option_name)
            accepted = takes.get(failure.option_name)
            if not accepted:
                return command_errors.UnexpectedValue(option=name)
            return command_errors.MissingValue(option=name, accepted=accepted)
        if isinstance(failure, click.MissingParameter):
            return command_errors.MissingArgument(command=self.name, accepted=self.usage(ctx))
        value = printable(failure.message)
        return command_errors.BadCommandLine(value=value, accepted=f"{PROGRAM} -h")


class Command(BilingualCommand):
    """One command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and refuse a word too many."""
        ctx.allow_extra_args = True
        left = super().parse_args(ctx, args)
        if left and not ctx.resilient_parsing:
            word, accepted = quoted(left[0]), self.usage(ctx)
            raise command_errors.UnexpectedArgument(
                command=self.name, value=word, accepted=accepted
            )
        return left


class Group(BilingualCommand, click.Group):
    """The group of all commands.

    ``others`` are words that may be meant by an unknown command, with what to type instead.
    ``default`` is the command with its arguments that runs without one, and may have its options.
    """

    command_class = Command

    def __init__(
        self, *args: Any, default: tuple[str, ...], others: dict[str, str], **settings: Any
    ) -> None:
        super().__init__(*args, **settings)
        self.default = default
        self.others = others

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; an option of the default command without a command asks for that command."""
        try:
            return super().parse_args(ctx, [*args])
        except command_errors.UnknownOption as refusal:
            command = self.default[0]
            names = (name for param in options_of(self.commands[command]) for name in param.opts)
            name = next((name for name in names if quoted(name) == refusal.values["option"]), None)
            if name is not None and self.commands.keys().isdisjoint(args):
                return super().parse_args(ctx, [*self.default, *args])
            if name is not None:
                refusal.meant = f"{command} {name}"
            raise

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The words after the program: ``[OPTIONS] [COMMAND]``."""
        return [*super().collect_usage_pieces(ctx), f"[{in_language(COMMAND, ctx)}]"]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        summaries = [
            (name, in_language(command.summary, ctx))
            for name, command in self.commands.items()
            if isinstance(command, Command)
        ]
        with formatter.section(in_language(COMMANDS_HEADING, ctx)):
            formatter.write_dl(summaries)
        super().format_options(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one may have been meant."""
        name = args[0]
        if name not in self.commands and not ctx.resilient_parsing:
            meant = closest_match(name, self.commands)
            other = None if meant else closest_match(name, self.others)
            raise command_errors.UnknownCommand(
                meant if other is None else self.others[other],
                command=quoted(name),
                accepted=", ".join(self.commands),
            )
        return super().resolve_command(ctx, args)


def write_paragraph(formatter: click.HelpFormatter, text: str) -> None:
    """Write an empty line and an indented paragraph."""
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(text)


def info_option(*names: str, en: str, ru: str, compose: Callable[[click.Context], str]) -> Option:
    """An option that prints something instead of running the command."""

    def print_and_exit(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            text = compose(ctx)
            # The dash is the only sign of a help page that a code page may lack.
            streams.write(
                lambda ascii_only: text.replace("—", "-") if ascii_only else text,
                paged=reader_of(ctx).pager,
            )
            ctx.exit()

    return Option(
        list(names),
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=print_and_exit,
        en=en,
        ru=ru,
    )


HELP = info_option(
    "-h",
    "--help",
    en="print this help",
    ru="напечатать эту справку",
    compose=lambda ctx: ctx.get_help(),
)
VERSION = info_option(
    "--version",
    en="print the version",
    ru="напечатать версию",
    compose=lambda ctx: f"{PROGRAM} {__version__}\n",
)
