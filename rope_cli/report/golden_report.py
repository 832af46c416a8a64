"""The report of ``check``: a state for each golden file, visible differences, a verdict."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Any

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
from rope_cli.report import golden
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
ALL_SAME = t(
    "Files compared: {count}; all are the same.", "Сверено файлов: {count}; все совпадают."
)
SOME_SAME = t(
    "Files compared: {count}; the same: {same}.", "Сверено файлов: {count}; совпадают: {same}."
)
OVERLOOKED = t(
    "The directory {path} in the current directory was not used; to compare with it, run "
    "{command}.",
    "Каталог {path} в текущем каталоге не использован; чтобы сверить с ним, выполните {command}.",
)
CLAIM = t(
    "every section prints the bytes of its golden file, and no file is left over",
    "каждый раздел совпадает со своим эталонным файлом до байта, и лишних файлов нет",
)
SIGNS = t(
    'In the differences "-" marks a line of the golden file, "+" a line printed now, "?" what '
    "changed inside it. In both lines {blank} is a blank, <TAB> a tab, <CR> a carriage return, "
    "<BOM> a byte order mark, <no LF> a file that ends without a line feed, <U+...> another "
    "sign, and <byte ..> a byte that is not UTF-8.",
    'В различиях знак "-" отмечает строку эталонного файла, "+" — напечатанную сейчас, "?" — что '
    "изменилось внутри строки. В обеих строках {blank} — пробел, <TAB> — табуляция, <CR> — возврат "
    "каретки, <BOM> — метка порядка байтов, <no LF> — файл без перевода строки в конце, <U+...> — "
    "другой знак, <byte ..> — не UTF-8.",
)
REWRITE = t(
    "If the new text is meant, run {command}.", "Если новый текст верен, выполните {command}."
)
REINSTALL = t(
    "Do not rewrite the installed golden files; to restore them, install rope-report again.",
    "Установленные эталонные файлы не переписываются: установите rope-report заново.",
)
DELETE = t(
    "If a file belongs to no section, delete it yourself.",
    "Файл, который не относится ни к одному разделу, удалите сами.",
)

# Lines at least so much alike are taken for one line that changed.
SIMILAR = 0.5
# Longer lines are folded by a terminal, where carets would stand anywhere.
LONGEST_MARKED = 80
# The partner of a new line is sought among so many old ones.
MOST_TRIED = 3
BLANK, ASCII_BLANK = "␣", "_"
SIGN_NAMES = {"\t": "<TAB>", "\r": "<CR>", "\ufeff": "<BOM>"}
RUSSIAN = frozenset("абвгдеёжзийклмнопрстуфхцчшщъыьэюя")
ASCII_RULES = str.maketrans("─│┌┬┐├┼┤└┴┘═▶◀╌", "-|+++++++++=><.")


def report(golden_dir: str | None, update: bool, verbose: bool = False) -> Document:
    """Compare every section with its golden file, after rewriting what differs if ``update``.

    ``verbose`` lists the files that are the same, too.
    """
    directory = golden.find_directory(golden_dir)
    if update:
        golden.allow_update(directory)
    else:
        golden.names_in(directory)  # refused before anything is computed
    expected = golden.expected_files()
    written = golden.update(directory, expected) if update else ()
    return present(directory, golden.compare(directory, expected), written, verbose)


def present(
    directory: Directory,
    comparisons: Sequence[Comparison],
    written: Sequence[str] = (),
    verbose: bool = False,
) -> Document:
    """The comparison as a report of one section, whose check is ``golden-files-same``."""
    differences = {
        comparison.name: Difference(unified_diff(comparison), unified_diff(comparison, True))
        for comparison in comparisons
        if comparison.state is State.DIFFERS
    }
    blocks = [*introduction(directory), *states_of(comparisons, written, verbose)]
    if differences:
        blocks += [Paragraph(Phrase(SIGNS, {"blank": BLANK})), *differences.values()]
    files: list[dict[str, Any]] = [
        {
            "file": printable(comparison.name, LONGEST_PATH),
            "state": comparison.state.value,
            "written": comparison.name in written,
            "difference": differences.get(comparison.name, []),
        }
        for comparison in comparisons
    ]
    values = {"source": directory.source.value, "files": files}
    states = [comparison.state for comparison in comparisons]
    wrong = len(states) - states.count(State.SAME)
    check = Check("golden-files-same", float(wrong), 0.0, len(comparisons))
    section = Section(1, "check", TITLE, None, tuple(blocks), (Verdict(check, CLAIM),), values)
    return Document((), (section,), tuple(advice(directory, states)))


def introduction(directory: Directory) -> Iterator[Block]:
    """Which golden files are compared, and which might have been meant."""
    path = {"path": quoted_path(directory.path)} if directory.source is Source.GIVEN else {}
    yield Paragraph(Phrase(SOURCES[directory.source], path))
    overlooked = golden.overlooked_directory(directory)
    if overlooked is not None:
        command = f"rope-report check --golden-dir {overlooked}"
        yield Paragraph(Phrase(OVERLOOKED, {"path": f"./{overlooked}", "command": command}))


def states_of(
    comparisons: Sequence[Comparison], written: Sequence[str], verbose: bool
) -> Iterator[Block]:
    """How many files are the same; the others one by one, all of them if ``verbose``."""
    same = sum(comparison.state is State.SAME for comparison in comparisons)
    counts = {"count": len(comparisons), "same": same}
    if same == len(comparisons):
        yield Paragraph(Phrase(ALL_SAME, {"count": same}))
    else:
        yield Paragraph(Phrase(SOME_SAME, counts))
    rows = [
        (
            printable(comparison.name, LONGEST_PATH),
            WRITTEN if comparison.name in written else STATES[comparison.state],
        )
        for comparison in comparisons
        if verbose or comparison.state is not State.SAME or comparison.name in written
    ]
    if rows:
        yield table(None, left(FILE, STATE), rows)


def advice(directory: Directory, states: Sequence[State]) -> Iterator[Paragraph]:
    """What to do about files that are not the same, as far as the command can do it."""
    if State.DIFFERS in states or State.MISSING in states:
        if directory.source is Source.PACKAGE:
            yield Paragraph(REINSTALL)
        else:
            command = "rope-report check --update"
            if directory.source is Source.GIVEN:
                command += f" --golden-dir {quoted_path(directory.path)}"
            yield Paragraph(Phrase(REWRITE, {"command": command}))
    if State.ORPHAN in states:
        yield Paragraph(DELETE)


def unified_diff(comparison: Comparison, ascii_only: bool = False) -> tuple[str, ...]:
    """A unified diff in which blanks, control characters and other invisible signs are visible."""
    name = printable(comparison.name, LONGEST_PATH)
    diff = list(
        difflib.unified_diff(
            _lines(comparison.stored or b""),
            _lines(comparison.expected or b""),
            f"golden/{name}",
            f"printed/{name}",
            lineterm="",
        )
    )
    heading, changes = diff[:2], diff[2:]
    visible = [_visible_line(line, ascii_only) for line in changes]
    if ascii_only and _hides_change(visible):
        visible = [_visible_line(line, ascii_only, code_points=True) for line in changes]
    return (*heading, *with_marks(visible))


def with_marks(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a diff, with a line of marks below each line that replaces a similar one."""
    removed: list[str] = []
    for line in lines:
        yield line
        if line.startswith("-"):
            removed.append(line[1:])
        elif line.startswith("+"):
            for index, old in enumerate(removed[:MOST_TRIED]):
                if are_similar(old, line[1:]):
                    # Lines keep their order, so those before a line's partner have no other one.
                    removed = removed[index + 1 :]
                    yield "?" + marks(old, line[1:])
                    break
        else:
            removed = []


def are_similar(old: str, new: str) -> bool:
    """Whether the two lines are one line that changed."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return matcher.quick_ratio() > SIMILAR and matcher.ratio() > SIMILAR


def marks(old: str, new: str) -> str:
    """Carets below the changed places of the new line; of a long line, its changed words."""
    if max(len(old), len(new)) <= LONGEST_MARKED:
        changed = ["^" if sign else " " for sign in changes(old, new)]
        return "".join(changed).rstrip()
    blank = re.compile(f"[ {BLANK}{ASCII_BLANK}]")
    before, after = blank.split(old), blank.split(new)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    pairs = [
        f'"{" ".join(before[a:b])}" -> "{" ".join(after[c:d])}"'
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]
    return " " + ", ".join(pairs)


def changes(old: str, new: str) -> list[bool]:
    """Whether each sign of the new line, or one that stood before it, is another one now."""
    changed = [False] * (len(new) + 1)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, _, _, start, stop in matcher.get_opcodes():
        if kind != "equal":
            changed[start : max(stop, start + 1)] = [True] * max(stop - start, 1)
    return changed


def _lines(data: bytes) -> list[str]:
    """Lines without their line feed; the last keeps one if the data do not end with it."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    last = lines.pop()
    return [*lines, last + "\n"] if last else lines


def _visible_line(line: str, ascii_only: bool, code_points: bool = False) -> str:
    if line.startswith("@@"):
        return line
    mark, content = line[:1], line[1:]
    text = content.removesuffix("\n")
    blank = " " if mark == " " else ASCII_BLANK if ascii_only else BLANK
    signs = (
        blank if sign == " " else _visible_sign(sign, ascii_only, code_points) for sign in text
    )
    return mark + "".join(signs) + ("<no LF>" if text != content else "")


def _visible_sign(sign: str, ascii_only: bool, code_points: bool) -> str:
    if sign in SIGN_NAMES:
        return SIGN_NAMES[sign]
    if "\udc80" <= sign <= "\udcff":
        return f"<byte {ord(sign) - 0xDC00:02X}>"
    if not sign.isprintable():
        return f"<U+{ord(sign):04X}>"
    if not ascii_only or sign.isascii() or sign.lower() in RUSSIAN:
        return sign
    form = formatting.with_ascii_signs(sign, True).translate(ASCII_RULES)
    return form if form.isascii() and sign != BLANK and not code_points else f"<U+{ord(sign):04X}>"


def _hides_change(lines: Sequence[str]) -> bool:
    """Whether a removed and an added line look alike: two signs may share one ASCII form."""
    removed = {line[1:] for line in lines if line.startswith("-")}
    return any(line[1:] in removed for line in lines if line.startswith("+"))
