"""Options and arguments: click's own, with names and help in both languages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.types import StringParamType

from rope_cli.cli.output import (
    LEAST_WIDTH,
    MOST_WIDTH,
    OutputOptions,
    Reader,
    output_options,
    require_choice,
    require_width,
)
from rope_cli.example.parameters import PARAMETERS
from rope_cli.renderers import FORMATS
from rope_cli.text import LANGUAGES, Text

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COLORS = ("auto", "always", "never")
FILE = Text(en="FILE", ru="ФАЙЛ")
DIRECTORY = Text(en="DIR", ru="КАТАЛОГ")
NUMBER = Text(en="NUMBER", ru="ЧИСЛО")
NAME = Text(en="NAME", ru="ИМЯ")

Function = TypeVar("Function", bound=Callable[..., Any])


class Words(StringParamType):
    """Any word; completion offers a few."""

    name = "words"

    def __init__(self, *words: str) -> None:
        self.words = words

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The words that begin as what is typed."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]


class Choice(Words):
    """One of a few words; any other is refused."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word itself."""
        assert param is not None
        return require_choice(self.words, max(param.opts, key=len), value)


class Width(Words):
    """A number of columns, or ``auto``."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word, if it is one of these."""
        return require_width(value)


class PathName(StringParamType):
    """A file or a directory, which the shell completes."""

    name = "path"

    def __init__(self, kind: str = "file") -> None:
        self.kind = kind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave it to the shell."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type=self.kind)]


def reader_of(ctx: click.Context) -> Reader:
    """How help and refusals are printed; :func:`main` makes the context with it."""
    assert isinstance(ctx.obj, Reader)
    return ctx.obj


def in_language(words: Text | str, ctx: click.Context) -> str:
    """Words that may be the same in both languages."""
    return words.in_language(reader_of(ctx).language) if isinstance(words, Text) else words


class Option(click.Option):
    """An option with its help; ``takes`` stands for its value, by default its choices."""

    def __init__(
        self, names: list[str], *, en: str, ru: str, takes: Text | str = "", **settings: Any
    ) -> None:
        super().__init__(names, **settings)
        self.sentence = Text(en=en, ru=ru)
        words = self.type.words if isinstance(self.type, Choice) else ()
        self.takes = takes or "|".join(words)

    def make_metavar(self, ctx: click.Context) -> str:
        """What stands for the value; nothing for a switch."""
        return in_language(self.takes, ctx)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Both columns of the help page."""
        names = ", ".join(self.opts)
        return f"{names} {self.make_metavar(ctx)}".rstrip(), in_language(self.sentence, ctx)


class Argument(click.Argument):
    """An argument; ``takes`` stands for it in help and refusals."""

    def __init__(self, names: list[str], *, takes: Text | str, **settings: Any) -> None:
        super().__init__(names, **settings)
        self.takes = takes

    def make_metavar(self, ctx: click.Context) -> str:
        """What stands for the argument."""
        return in_language(self.takes, ctx)


option = partial(click.option, cls=Option)
argument = partial(click.argument, cls=Argument)
switch = partial(option, is_flag=True, default=False)


def options_of(command: click.Command) -> list[Option]:
    """The options of a command, without its arguments."""
    return [param for param in command.params if isinstance(param, Option)]


def combine_options(*decorators: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Several decorators as one; the options stand in the order given."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def parameter_option(name: str) -> Callable[[Function], Function]:
    """The option of a parameter of the worked example, as its table declares it."""
    parameter = PARAMETERS[name]
    kind: Words | PathName = PathName() if parameter.file else Words()
    if parameter.choices:
        kind = Choice(*parameter.choices)
    return option(
        *parameter.names,
        takes=parameter.metavar,
        type=kind,
        en=parameter.help.en,
        ru=parameter.help.ru,
    )


# Those that take a value stand before those that choose one.
parameter_options = combine_options(
    *map(parameter_option, sorted(PARAMETERS, key=lambda name: bool(PARAMETERS[name].choices)))
)


# How to print


def remember(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Keep an option of printing; one after the command replaces one before it."""
    if value not in (None, False):
        ctx.meta[str(param.name)] = value


printing_option = partial(option, expose_value=False, callback=remember)
printing_switch = partial(printing_option, is_flag=True, default=False)


def pass_output(function: Callable[..., int]) -> Callable[..., int]:
    """Call a command with its :class:`OutputOptions` first."""

    @click.pass_context
    @wraps(function)
    def with_output(ctx: click.Context, /, **values: Any) -> int:
        output = output_of(ctx)
        output.protect(paths_of(ctx))
        return function(output, **values)

    return with_output


def paths_of(ctx: click.Context) -> list[str]:
    """What the command is to read, by its arguments and options."""
    paths: list[str] = []
    for param in ctx.command.params:
        given = ctx.params.get(str(param.name))
        if isinstance(param.type, PathName) and given:
            paths.extend([given] if isinstance(given, str) else given)
    return paths


def output_of(ctx: click.Context) -> OutputOptions:
    """How to print, by the options before the command and after it."""
    return output_options(ctx.meta)


lang_option = printing_option(
    "--lang",
    type=Choice(*LANGUAGES),
    en="language; by default that of the variable ROPE_REPORT_LANG, else en",
    ru="язык; по умолчанию из переменной ROPE_REPORT_LANG, иначе en",
)


def format_option(*more: str) -> Callable[[Function], Function]:
    """The output format, one of :data:`FORMATS` or of those that a command adds."""
    return printing_option(
        "--format",
        type=Choice(*FORMATS, *more),
        en="output format; text by default",
        ru="формат; по умолчанию text",
    )


output_option = partial(printing_option, "-o", "--output", takes=FILE, type=PathName())
write_option = output_option(
    en='write to FILE (UTF-8), atomically; "-" is standard output',
    ru='записать в ФАЙЛ (UTF-8), атомарно; "-" — стандартный вывод',
)
look_options = combine_options(
    printing_option(
        "--width",
        takes="N|auto",
        type=Width("auto"),
        en=f"columns, {LEAST_WIDTH} to {MOST_WIDTH}; auto takes those of the terminal; by default "
        "80, or those of a narrower terminal",
        ru=f"число столбцов, от {LEAST_WIDTH} до {MOST_WIDTH}; auto — как у терминала; по "
        "умолчанию 80, но не больше ширины терминала",
    ),
    printing_option(
        "--color",
        type=Choice(*COLORS),
        en="colours; auto respects the terminal, NO_COLOR and FORCE_COLOR",
        ru="цвета; auto учитывает терминал, NO_COLOR и FORCE_COLOR",
    ),
    printing_switch(
        "--ascii",
        en="use ASCII symbols only; letters stay as they are",
        ru="только символы ASCII; буквы остаются как есть",
    ),
    printing_switch(
        "--no-pager",
        en="do not send long output to PAGER (less by default)",
        ru="печатать сразу и то, что длиннее экрана, без программы PAGER (по умолчанию less)",
    ),
)
printing_options = combine_options(lang_option, format_option(), write_option, look_options)
