"""What the command refuses: words on the command line, files, streams.

These classes share the root of :mod:`rope_cli.errors`; they stand apart
because a program that only rotates arrays never meets them.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import ClassVar

from rope_cli.errors import RopeError, UnsupportedScaling
from rope_cli.text import Text

LONGEST_WORD, LONGEST_PATH = 60, 4096
MEANT = Text(en="; did you mean {name}?", ru="; возможно, имелось в виду {name}")

REASONS = {
    errno.ENOENT: Text(en="no such file or directory", ru="нет такого файла или каталога"),
    errno.EACCES: Text(en="permission denied", ru="нет прав доступа"),
    errno.EPERM: Text(en="operation not permitted", ru="действие запрещено"),
    errno.EISDIR: Text(en="it is a directory", ru="это каталог"),
    errno.ENOTDIR: Text(en="it is not a directory", ru="это не каталог"),
    errno.ENOSPC: Text(en="no space is left", ru="не осталось места"),
    errno.EDQUOT: Text(en="the disk quota is used up", ru="исчерпана дисковая квота"),
    errno.EFBIG: Text(en="the file would be too large", ru="файл стал бы слишком большим"),
    errno.EROFS: Text(en="the file system is read-only", ru="файловая система только для чтения"),
    errno.ENAMETOOLONG: Text(en="the name is too long", ru="слишком длинное имя"),
    errno.ELOOP: Text(
        en="its symbolic links form a loop", ru="символьные ссылки замкнуты в кольцо"
    ),
    errno.EBADF: Text(en="it is not open for writing", ru="не открыто для записи"),
    errno.EBUSY: Text(en="it is busy", ru="ресурс занят"),
    errno.EIO: Text(en="input or output error", ru="ошибка ввода-вывода"),
}
EMPTY_NAME = Text(en="the name is empty", ru="имя пустое")
CLOSED = Text(en="it is closed", ru="он закрыт")
IMPOSSIBLE_NAME = Text(en="no file can have this name", ru="такого имени у файла быть не может")


def printable(text: str, longest: int = LONGEST_WORD) -> str:
    """The text on one line: whatever does not print is escaped, and a long text is cut."""
    shown = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text[:longest]
    )
    return shown if len(text) <= longest else shown + "..."


def quoted(text: str) -> str:
    """A value as it was typed, in quotes, so that an empty one is seen too."""
    return f'"{printable(text)}"'


def quoted_path(path: object) -> str:
    """A path in quotes, cut only when it is longer than any that works."""
    return f'"{printable(str(path), LONGEST_PATH)}"'


def closest_match(name: str, names: Iterable[str]) -> str | None:
    """The name that begins as it does or is spelled most like it, in any case, or ``None``."""
    from difflib import get_close_matches

    by_lower, name = {known.lower(): known for known in names}, name.lower()
    longer = [known for known in by_lower if len(name) > 1 and known.startswith(name)]
    close = next(iter(longer or get_close_matches(name, by_lower, n=1)), None)
    return None if close is None else by_lower[close]


# What other programs call the words that are accepted here.
OTHER_WORDS = {
    **dict.fromkeys(("rotate_half", "rotate-half", "neox", "gpt-neox", "half"), "half-split"),
    **dict.fromkeys(("interleaved", "interleave", "gptj", "gpt-j", "complex"), "adjacent"),
    **{"bf16": "bfloat16", "fp16": "float16", "f16": "float16", "fp32": "float32"},
    **{"f32": "float32", "float": "float32", "single": "float32", "fp64": "float64"},
    **{"f64": "float64", "double": "float64"},
}


def meant_choice(word: str, accepted: Iterable[str]) -> str | None:
    """The accepted word that another word may stand for, or is a misspelling of; or ``None``."""
    accepted = list(accepted)
    other = OTHER_WORDS.get(word.lower().removeprefix("torch."))
    return other if other in accepted else closest_match(word, accepted)


def failure_reason(failure: OSError | ValueError) -> Text:
    """Why the system refused, in both languages."""
    if not isinstance(failure, OSError):
        return IMPOSSIBLE_NAME
    known = REASONS.get(failure.errno or 0)
    if known is not None:
        return known
    words = printable(failure.strerror or type(failure).__name__)
    words = words.replace("{", "").replace("}", "")
    return Text(en=words, ru=words)


class CommandRefusal(RopeError):
    """The root of what the command refuses. A value may be a :class:`Text`.

    ``meant`` is a name that the user may have had in mind.
    """

    kind: ClassVar[str] = "command-refusal"

    def __init__(self, meant: str | None = None, **values: object) -> None:
        self.meant = meant
        super().__init__(**values)

    def sentence(self, language: str) -> str:
        """The sentence in one language, and the name that may have been meant."""
        values = {
            name: value.in_language(language) if isinstance(value, Text) else value
            for name, value in self.values.items()
        }
        sentence = self.SENTENCE.in_language(language).format(**values)
        if self.meant is None:
            return sentence
        return sentence + MEANT.in_language(language).format(name=self.meant)


class UnknownCommand(CommandRefusal):
    """A first word that names no command."""

    kind = "unknown-command"
    SENTENCE = Text(
        en="there is no command {command}; accepted: {accepted}",
        ru="нет команды {command}; допустимо: {accepted}",
    )


class UnknownSection(CommandRefusal):
    """A slug that names neither a section nor a group."""

    kind = "unknown-section"
    SENTENCE = Text(
        en="there is no section {slug}; accepted: {accepted}, or a name from rope-report list",
        ru="нет раздела {slug}; допустимо: {accepted}, а также имя из rope-report list",
    )


class UnknownOption(CommandRefusal):
    """An option that the command does not have."""

    kind = "unknown-option"
    SENTENCE = Text(
        en="there is no option {option}; accepted: {accepted}",
        ru="нет параметра {option}; допустимо: {accepted}",
    )


class MissingValue(CommandRefusal):
    """An option at the end of the line, its value forgotten."""

    kind = "missing-value"
    SENTENCE = Text(
        en="option {option} is given without a value; accepted: {option} {accepted}",
        ru="параметр {option} задан без значения; допустимо: {option} {accepted}",
    )


class UnexpectedValue(CommandRefusal):
    """A value for an option that is only a switch."""

    kind = "unexpected-value"
    SENTENCE = Text(
        en="option {option} is given a value, but it is a switch; accepted: {option} alone",
        ru="параметру {option} задано значение, хотя это переключатель; "
        "допустимо: {option} без значения",
    )


class UnknownChoice(CommandRefusal):
    """A value that is not one of a few."""

    kind = "unknown-choice"
    SENTENCE = Text(
        en="{option} is {value}; accepted: {accepted}",
        ru="{option}: значение {value}; допустимо: {accepted}",
    )


class InvalidWidth(CommandRefusal):
    """A width that is no number of columns, or too small or too large a one."""

    kind = "invalid-width"
    SENTENCE = Text(
        en="--width is {value}; accepted: a whole number from {least} to {most}, or auto",
        ru="--width: задано {value}; допустимо целое число от {least} до {most} или auto",
    )


class MissingArgument(CommandRefusal):
    """A command without the word that it needs."""

    kind = "missing-argument"
    SENTENCE = Text(
        en="{command} is given no argument; accepted: {accepted}",
        ru="команде {command} нужен аргумент; допустимо: {accepted}",
    )


class UnexpectedArgument(CommandRefusal):
    """A word too many."""

    kind = "unexpected-argument"
    SENTENCE = Text(
        en="{command} is given one argument too many, {value}; accepted: {accepted}",
        ru="команде {command} задан лишний аргумент {value}; допустимо: {accepted}",
    )


class BadCommandLine(CommandRefusal):
    """Whatever else the parser of the command line may object to."""

    kind = "bad-command-line"
    SENTENCE = Text(
        en="the command line cannot be read ({value}); accepted: see {accepted}",
        ru="не удалось разобрать командную строку ({value}); допустимое показывает {accepted}",
    )


class BadCompletion(CommandRefusal):
    """A completion request that no completion script sends."""

    kind = "bad-completion"
    SENTENCE = Text(
        en="{variable} is {value}; accepted: what the script of rope-report completion sets",
        ru="{variable}: задано {value}; допустимо то, что задаёт скрипт rope-report completion",
    )


class CannotRead(CommandRefusal):
    """A file or directory that the system does not let us read."""

    kind = "cannot-read"
    SENTENCE = Text(
        en="{path} cannot be read: {reason}; accepted: {accepted}",
        ru="не удаётся прочитать {path}: {reason}; допустимо: {accepted}",
    )


class CannotWrite(CommandRefusal):
    """A file that the system does not let us write; what was there before is unchanged."""

    kind = "cannot-write"
    SENTENCE = Text(
        en="{path} cannot be written: {reason}; accepted: a file in a writable directory",
        ru="не удаётся записать {path}: {reason}; допустим файл в каталоге, открытом для записи",
    )


class OutputFailed(CommandRefusal):
    """A standard output that is closed or full."""

    kind = "output-failed"
    SENTENCE = Text(
        en="standard output cannot be written: {reason}; accepted: an open output, or -o FILE",
        ru="не удаётся записать в стандартный вывод: {reason}; допустим открытый вывод или -o ФАЙЛ",
    )


class OutputEncoding(CommandRefusal):
    """A standard output whose encoding lacks the letters of the language."""

    kind = "output-encoding"
    SENTENCE = Text(
        en="the output encoding {encoding} lacks letters of this text; "
        "accepted: --lang en, -o FILE, or PYTHONIOENCODING=utf-8",
        ru="в кодировке вывода {encoding} нет букв этого текста; "
        "допустимо: --lang en, -o ФАЙЛ или PYTHONIOENCODING=utf-8",
    )


class UpdateUnderCI(CommandRefusal):
    """Golden files rewritten where nobody would look at them."""

    kind = "update-under-ci"
    SENTENCE = Text(
        en="check --update rewrites golden files only by hand, and CI is {value}; "
        "accepted: CI unset or empty",
        ru="check --update переписывает эталонные файлы только при запуске вручную, а задана "
        "переменная CI={value}; допустима незаданная или пустая переменная CI",
    )


class UpdateOfPackage(CommandRefusal):
    """The golden files that were installed with the command are not its to rewrite."""

    kind = "update-of-package"
    SENTENCE = Text(
        en="the golden files installed with the command are not rewritten ({path}); "
        "accepted: check --update --golden-dir DIR",
        ru="эталонные файлы, установленные вместе с командой, не переписываются ({path}); "
        "допустимо: check --update --golden-dir КАТАЛОГ",
    )


class BadConfigValue(CommandRefusal):
    """A value in the configuration of a model with which nothing can be computed."""

    kind = "bad-config-value"
    SENTENCE = Text(
        en="{path}: {key} is {value}; accepted: {accepted}",
        ru="{path}: значение {key} — {value}; допустимо: {accepted}",
    )


class UnknownConfigMethod(CommandRefusal, UnsupportedScaling):
    """A configuration that asks for a scaling method that is not supported."""

    kind = UnsupportedScaling.kind
    SENTENCE = Text(
        en="{path}: {key} asks for the scaling method {method}, which is not supported; "
        "accepted: {accepted}",
        ru="{path}: {key} задаёт метод масштабирования {method}, он не поддерживается; "
        "допустимо: {accepted}",
    )


class MissingConfigKey(CommandRefusal):
    """A configuration without a key that is needed."""

    kind = "missing-config-key"
    SENTENCE = Text(
        en="{path}: {key} is missing; accepted: {accepted}",
        ru="{path}: нет ключа {key}; допустимо: {accepted}",
    )


class MisspelledConfigKey(MissingConfigKey):
    """A configuration without a key that is needed, but with one that is spelled almost like it."""

    SENTENCE = Text(
        en="{path}: {key} is missing, and {found} looks like a misspelling of it; "
        "accepted: {accepted}",
        ru="{path}: нет ключа {key}, зато есть похожий {found}; допустимо: {accepted}",
    )
