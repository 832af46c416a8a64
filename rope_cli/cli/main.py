"""The command: its words and its exit codes.

Exit codes: 0 every check holds; 1 a check or a comparison fails; 2 the input is refused, or a
file cannot be read or written; 130 interrupted. numpy and rich are imported inside the commands
only, because help, version and completion must not wait for them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from rope_cli import __version__
from rope_cli.cli import classroom_commands, commands, help, streams
from rope_cli.cli.classroom_commands import NAMES
from rope_cli.cli.options import (
    CHECKED,
    LANG,
    MARKED,
    OUTPUT,
    PREDICTED,
    PRINTING,
    SCALED,
    SHOWN,
    VECTORS,
    VERIFIED,
    argument,
    offer,
    offer_paths,
    progress_bar,
)
from rope_cli.cli.output import Manner, manner_of, one_of, spoken_language
from rope_cli.errors import RopeError
from rope_cli.report.tracks import ILLUSTRATED
from rope_cli.user_input import command_errors
from rope_cli.user_input.command_errors import closest_match, printable, quoted

if TYPE_CHECKING:
    from click.shell_completion import ShellComplete

PROGRAM = "rope-report"
COMPLETION_VARIABLE = "_ROPE_REPORT_COMPLETE"
SHELLS = ("bash", "zsh", "fish")

Parse = Callable[[click.Context, list[str]], list[str]]
Run = Callable[[Manner, "dict[str, Any]"], int]


class Command(click.Command):
    """A command that refuses in our own words, and runs with its manner of printing.

    ``run`` takes the manner and the values of the parameters, by name.
    """

    def __init__(self, name: str, run: Run, *params: click.Parameter) -> None:
        super().__init__(name, params=[*params, *STANDING], add_help_option=False)
        self.run = run

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, then look for words too many or too few."""
        ctx.allow_extra_args = True
        left = parsed(super().parse_args, ctx, args)
        if ctx.resilient_parsing:
            return left
        name, accepted = self.name, help.usage(typed(ctx), str(ctx.obj))
        if left:
            word = quoted(left[0])
            raise command_errors.UnexpectedArgument(command=name, value=word, accepted=accepted)
        takes = [each for each in self.params if isinstance(each, click.Argument)]
        needed = [each for each in takes if not str(each.metavar).startswith("[")]
        if any(ctx.params[str(each.name)] in (None, ()) for each in needed):
            raise command_errors.MissingArgument(command=name, accepted=accepted)
        return left

    def invoke(self, ctx: click.Context) -> int:
        """Run the command."""
        return self.run(asked_manner(ctx), ctx.params)


class Group(click.Group):
    """The commands; an unknown one is refused in our own words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options before the command."""
        return parsed(super().parse_args, ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one may have been meant."""
        name = args[0]
        if name not in self.commands and not ctx.resilient_parsing:
            meant = closest_match(name, self.commands)
            section = None if meant else closest_match(name, NAMES)
            raise command_errors.UnknownCommand(
                f"show {section}" if section else meant,
                command=quoted(name),
                accepted=", ".join(self.commands),
            )
        return super().resolve_command(ctx, args)


def parsed(parse: Parse, ctx: click.Context, words: list[str]) -> list[str]:
    """Parse, and turn what click objects to into one of our refusals."""
    takes = {name: each.metavar for each in options_of(ctx.command) for name in each.opts}
    try:
        return parse(ctx, words)
    except click.NoSuchOption as failure:
        name, accepted = failure.option_name, ", ".join(takes)
        meant = closest_match(name, takes)
        raise command_errors.UnknownOption(
            meant, option=quoted(name), accepted=accepted
        ) from failure
    except click.BadOptionUsage as failure:
        name = failure.option_name
        value = takes.get(name)
        if value is None:
            raise command_errors.UnexpectedValue(option=printable(name)) from failure
        accepted = help.metavar(value, str(ctx.obj))
        raise command_errors.MissingValue(option=printable(name), accepted=accepted) from failure
    except click.UsageError as failure:
        said = printable(failure.message)
        raise command_errors.BadCommandLine(value=said, accepted=f"{PROGRAM} -h") from failure


def answer(*names: str, compose: Callable[[click.Context], str]) -> click.Option:
    """An option that prints something instead of running the command."""

    def callback(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            text = compose(ctx)
            # The dash is the only sign of a help page that a code page may lack.
            streams.write(lambda ascii_only: text.replace("—", "-") if ascii_only else text)
            ctx.exit()

    return click.Option(names, is_flag=True, is_eager=True, expose_value=False, callback=callback)


def typed(ctx: click.Context) -> list[str]:
    """The words of the usage line."""
    command = ctx.command
    takes = [each.metavar or "" for each in command.params if isinstance(each, click.Argument)]
    if isinstance(command, Group):
        takes.append("[COMMAND]")
    return [ctx.command_path, "[OPTIONS]", *takes]


def help_page(ctx: click.Context) -> str:
    """The help of a command in the language asked for."""
    command = ctx.command
    return help.help_page(
        command.name or PROGRAM,
        typed(ctx),
        command.commands if isinstance(command, Group) else (),
        [(each.opts, each.metavar) for each in options_of(command)],
        str(ctx.obj),
        commands.FACTS,
    )


def options_of(command: click.Command) -> list[click.Option]:
    """The options of a command, without its arguments."""
    return [each for each in command.params if isinstance(each, click.Option)]


def asked_manner(ctx: click.Context) -> Manner:
    """The manner of printing that the options ask for, here and before the command."""
    return manner_of(*(level.params for level in (ctx.parent, ctx) if level is not None))


@click.pass_context
def start(ctx: click.Context, /, **options: Any) -> int:
    """Without a command: the chapter."""
    return commands.show(asked_manner(ctx), ["chapter"]) if ctx.invoked_subcommand is None else 0


def completion(manner: Manner, shell: str) -> int:
    """Print the completion script of a shell."""
    script = completer(one_of(SHELLS, "completion", shell))
    # Not script.source(): that of bash starts a bash to ask for its version.
    text = script.source_template % script.source_vars()
    manner.deliver(lambda ascii_only: text)
    return 0


def complete(request: str) -> int:
    """Print what a completion script asks for in the variables that it sets."""
    shell, _, wish = request.partition("_")
    try:
        if wish != "complete":
            raise KeyError(request)
        offered = completer(shell).complete() + "\n"
    except (KeyError, ValueError):
        variable = COMPLETION_VARIABLE
        raise command_errors.BadCompletion(variable=variable, value=quoted(request)) from None
    streams.write(lambda ascii_only: offered)
    return 0


def completer(shell: str) -> ShellComplete:
    """What click knows about completion in a shell."""
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if shell not in SHELLS or made is None:
        raise KeyError(shell)
    return made(COMMANDS, {}, PROGRAM, COMPLETION_VARIABLE)


STANDING = (
    answer("-h", "--help", compose=help_page),
    answer("--version", compose=lambda ctx: f"{PROGRAM} {__version__}\n"),
)
COMMANDS = Group(
    PROGRAM,
    params=[*PRINTING, *STANDING],
    callback=start,
    invoke_without_command=True,
    add_help_option=False,
)
for command in (
    Command(
        "show",
        lambda manner, given: commands.show(manner, given["slugs"], given),
        argument("slugs", "SLUG...", offer(*NAMES)),
        *SHOWN,
    ),
    Command(
        "predict",
        lambda manner, given: classroom_commands.predict(manner, **given),
        argument("slugs", "[SLUG...]", offer(*NAMES)),
        *PREDICTED,
    ),
    Command(
        "mark",
        lambda manner, given: classroom_commands.mark(manner, **given),
        argument("answers", "ANSWERS", offer_paths("file")),
        argument("slugs", "[SLUG...]", offer(*NAMES)),
        *MARKED,
    ),
    Command(
        "figure",
        lambda manner, given: classroom_commands.figure(manner, given["slug"]),
        argument("slug", "SLUG", offer(*ILLUSTRATED)),
        LANG,
        OUTPUT,
    ),
    Command("list", lambda manner, given: commands.list_sections(manner), *PRINTING),
    Command(
        "check",
        lambda manner, given: commands.check(manner, given["update"], given["golden_dir"]),
        *CHECKED,
    ),
    Command(
        "scaling",
        lambda manner, given: commands.scaling(manner, **given),
        argument("config", "CONFIG.json", offer_paths("file")),
        *SCALED,
    ),
    Command(
        "verify",
        lambda manner, given: commands.verify(manner, given["files"], given, progress_bar()),
        argument("files", "FILE...", offer_paths("file")),
        *VERIFIED,
    ),
    Command("vectors", commands.vectors, *VECTORS),
    Command(
        "completion",
        lambda manner, given: completion(manner, given["shell"]),
        argument("shell", "|".join(SHELLS), offer(*SHELLS)),
        LANG,
        OUTPUT,
    ),
):
    COMMANDS.add_command(command)


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code."""
    asked = list(sys.argv[1:] if words is None else words)
    language = spoken_language(asked)
    try:
        request = os.environ.get(COMPLETION_VARIABLE)
        if request:
            return complete(request)
        with COMMANDS.make_context(PROGRAM, asked, obj=language) as ctx:
            return int(COMMANDS.invoke(ctx))
    except click.exceptions.Exit as answered:
        return answered.exit_code
    except KeyboardInterrupt:
        return 130
    except RopeError as refusal:
        streams.complain(refusal, language)
    return 2
