"""What ``check`` says: a state for each golden file, the differences made visible, a verdict."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from rope_cli.document import formatting
from rope_cli.document.blocks import (
    Block,
    Difference,
    Document,
    Paragraph,
    Phrase,
    Section,
    Verdict,
)
from rope_cli.document.check import Check
from rope_cli.document.vocabulary import left, t, table
from rope_cli.report.golden import Comparison, Directory, Source, State
from rope_cli.user_input.command_errors import LONGEST_PATH, printable, quoted_path

TITLE = t("Golden files", "Эталонные файлы")
FILE = t("file", "файл")
STATE = t("state", "состояние")
STATES = {
    State.SAME: t("same", "совпадает"),
    State.DIFFERS: t("DIFFERS", "ОТЛИЧАЕТСЯ"),
    State.MISSING: t("MISSING", "ОТСУТСТВУЕТ"),
    State.ORPHAN: t("ORPHAN", "ЛИШНИЙ"),
}
WRITTEN = t("same, written now", "совпадает, записан сейчас")
SOURCES = {
    Source.GIVEN: t(
        "Each section is computed and compared with its golden file in {path}.",
        "Каждый раздел вычислен и сравнён со своим эталонным файлом из каталога {path}.",
    ),
    Source.CHECKOUT: t(
        "Each section is computed and compared with its golden file in this checkout.",
        "Каждый раздел вычислен и сравнён со своим эталонным файлом из рабочей копии.",
    ),
    Source.PACKAGE: t(
        "Each section is computed and compared with the golden file installed with the command.",
        "Каждый раздел вычислен и сравнён с эталонным файлом, установленным вместе с командой.",
    ),
}
CLAIM = t(
    "every section prints the bytes of its golden file, and no file is left over",
    "каждый раздел печатает байты своего эталонного файла, и лишних файлов нет",
)
SIGNS = t(
    'In the differences "-" marks a line of the golden file, "+" a line printed now; in both, '
    "{blank} is a blank, <TAB> a tab, <CR> a carriage return, <BOM> a byte order mark, <no LF> "
    "a file that ends without a line feed, <U+...> another sign, and <byte ..> is no UTF-8.",
    'В различиях знак "-" отмечает строку эталонного файла, "+" — напечатанную сейчас; в них '
    "{blank} - пробел, <TAB> - табуляция, <CR> - возврат каретки, <BOM> - метка порядка байтов, "
    "<no LF> - файл без перевода строки в конце, <U+...> - другой знак, <byte ..> - не UTF-8.",
)
REWRITE = t(
    "If the new text is meant, run {command}.", "Если новый текст верен, выполните {command}."
)
REINSTALL = t(
    "The installed golden files are not for rewriting: install rope-report again.",
    "Установленные эталонные файлы не переписываются: установите rope-report заново.",
)
DELETE = t(
    "A file that belongs to no section is for you to delete.",
    "Файл, который не относится ни к одному разделу, удалите сами.",
)

BLANK, ASCII_BLANK = "␣", "_"
NAMED = {"\t": "<TAB>", "\r": "<CR>", "\ufeff": "<BOM>"}
RUSSIAN = frozenset("абвгдеёжзийклмнопрстуфхцчшщъыьэюя")
ASCII_RULES = str.maketrans("─│┌┬┐├┼┤└┴┘═▶◀╌", "-|+++++++++=><.")


def document(
    directory: Directory,
    comparisons: Sequence[Comparison],
    written: Sequence[str] = (),
    ascii_only: bool = False,
) -> Document:
    """The comparison as a report of one section, whose check is ``golden-files-same``."""
    wrong = [each for each in comparisons if each.state is not State.SAME]
    path = quoted_path(directory.path)
    said = Phrase(SOURCES[directory.source], {"path": path} if _names_path(directory) else {})
    rows = tuple(
        (
            printable(each.name, LONGEST_PATH),
            WRITTEN if each.name in written else STATES[each.state],
        )
        for each in comparisons
    )
    blocks: list[Block] = [Paragraph(said), table(None, left(FILE, STATE), rows)]
    differing = [each for each in wrong if each.state is State.DIFFERS]
    if differing:
        sign = ASCII_BLANK if ascii_only else BLANK
        blocks.append(Paragraph(Phrase(SIGNS, {"blank": sign})))
        blocks.extend(Difference(unified(each, ascii_only)) for each in differing)
    check = Check("golden-files-same", float(len(wrong)), 0.0, len(comparisons))
    values = {
        "source": directory.source.value,
        "files": [
            {
                "file": printable(each.name, LONGEST_PATH),
                "state": each.state.value,
                "written": each.name in written,
                "difference": list(unified(each, ascii_only)) if each in differing else [],
            }
            for each in comparisons
        ],
    }
    section = Section(1, "check", TITLE, None, tuple(blocks), (Verdict(check, CLAIM),), values)
    return Document((), (section,), tuple(advice(directory, wrong)))


def advice(directory: Directory, wrong: Sequence[Comparison]) -> Iterator[Paragraph]:
    """What to do about what is wrong, as far as the command can do it."""
    states = {each.state for each in wrong}
    if states & {State.DIFFERS, State.MISSING}:
        if directory.source is Source.PACKAGE:
            yield Paragraph(REINSTALL)
        else:
            command = "rope-report check --update"
            if directory.source is Source.GIVEN:
                command += f" --golden-dir {quoted_path(directory.path)}"
            yield Paragraph(Phrase(REWRITE, {"command": command}))
    if State.ORPHAN in states:
        yield Paragraph(DELETE)


def _names_path(directory: Directory) -> bool:
    return directory.source is Source.GIVEN


def unified(comparison: Comparison, ascii_only: bool = False) -> tuple[str, ...]:
    """The lines of a unified diff, with everything in them that could deceive the eye spelled."""
    held, expected = (_lines(data or b"") for data in (comparison.held, comparison.expected))
    name = printable(comparison.name, LONGEST_PATH)
    found = list(
        difflib.unified_diff(held, expected, f"golden/{name}", f"printed/{name}", lineterm="")
    )
    signs = ASCII_BLANK if ascii_only else BLANK
    loose = tuple(_shown(line, at < 2, signs, ascii_only, False) for at, line in enumerate(found))
    if not ascii_only or not _alike(loose[2:]):
        return loose
    # Two signs share one ASCII form: only their numbers tell them apart.
    return tuple(_shown(line, at < 2, signs, True, True) for at, line in enumerate(found))


def _lines(data: bytes) -> list[str]:
    """Lines without their line feed; the last is marked if the data do not end with one."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    last = lines.pop()
    return [*lines, last + "\n"] if last else lines


def _shown(line: str, heading: bool, blank: str, ascii_only: bool, exact: bool) -> str:
    if heading or line.startswith("@@"):
        return line
    sign, rest = line[:1], line[1:]
    ended = rest.removesuffix("\n")
    space = " " if sign == " " else blank
    spelled = "".join(space if each == " " else _spelled(each, ascii_only, exact) for each in ended)
    return sign + spelled + ("<no LF>" if ended != rest else "")


def _spelled(sign: str, ascii_only: bool, exact: bool) -> str:
    if sign in NAMED:
        return NAMED[sign]
    if "\udc80" <= sign <= "\udcff":
        return f"<byte {ord(sign) - 0xDC00:02X}>"
    if not sign.isprintable():
        return f"<U+{ord(sign):04X}>"
    if not ascii_only or sign.isascii() or sign.lower() in RUSSIAN:
        return sign
    drawn = formatting.with_ascii_signs(sign, True).translate(ASCII_RULES)
    return drawn if drawn.isascii() and not exact else f"<U+{ord(sign):04X}>"


def _alike(lines: Sequence[str]) -> bool:
    removed = {line[1:] for line in lines if line.startswith("-")}
    return any(line[1:] in removed for line in lines if line.startswith("+"))
