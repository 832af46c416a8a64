"""Completion in a shell: the script that asks, and what it is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rope_cli.cli import streams
from rope_cli.user_input.command_errors import BadCompletion, quoted

if TYPE_CHECKING:
    import click
    from click.shell_completion import ShellComplete

VARIABLE = "_ROPE_REPORT_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


def completion_script(group: click.Group, shell: str) -> str:
    """The script of one of :data:`SHELLS`."""
    completer = completer_of(group, shell)
    # Not completer.source(): that of bash starts a bash to ask for its version.
    return completer.source_template % completer.source_vars()


def answer_request(group: click.Group, request: str) -> int:
    """Print what a completion script asks for in the variables that it sets."""
    shell, _, wish = request.partition("_")
    try:
        if wish != "complete":
            raise KeyError(request)
        words = completer_of(group, shell).complete() + "\n"
    except (KeyError, ValueError):
        raise BadCompletion(variable=VARIABLE, value=quoted(request)) from None
    streams.write(lambda ascii_only: words)
    return 0


def completer_of(group: click.Group, shell: str) -> ShellComplete:
    """What click knows about completion in a shell. Raises ``KeyError`` for another shell."""
    from click.shell_completion import get_completion_class

    completer = get_completion_class(shell)
    if shell not in SHELLS or completer is None:
        raise KeyError(shell)
    return completer(group, {}, str(group.name), VARIABLE)
