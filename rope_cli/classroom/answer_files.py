"""Files of answers: lines, CSV or JSON. A line that cannot be read becomes a remark."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from rope_cli.classroom.answers import read_number
from rope_cli.document.blocks import Line, Phrase
from rope_cli.document.vocabulary import t
from rope_cli.text import Text
from rope_cli.user_input.command_errors import EMPTY_NAME, failure_reason, printable, quoted
from rope_cli.user_input.file_contents import cannot_read, parse_json, read_text

LARGEST = 1 << 20
ACCEPTED = t(
    "lines `question: value`, CSV or a JSON object, in UTF-8",
    "строки «вопрос: значение», CSV или объект JSON, в UTF-8",
)
NOT_JSON = t("it is not a JSON object", "это не объект JSON")
NOT_CSV = t("it is not CSV", "это не CSV")
EMPTY_FOLDER = t("there is no file in it", "в нём нет файлов")
UNREADABLE = t("line {number} cannot be read: {line}", "строка {number} не читается: {line}")
NO_ANSWER = t(
    "{question}: an answer must be a number or a string, not {value}",
    "{question}: ответом должно быть число или строка, а не {value}",
)
NESTED = t("a list or an object", "список или объект")
SEPARATED = re.compile(r"\s*([^:=\s]+)\s*[:=](.*)")
HEADER = "question"


class Answers(NamedTuple):
    """A student's file: pairs of question and answer in their order, and what is unreadable."""

    student: str
    pairs: tuple[tuple[str, str], ...]
    problems: tuple[Line, ...] = ()


def files_in(path: str) -> tuple[Path, ...]:
    """The file itself, or the regular files of a folder by name, hidden ones left out."""
    if not path:  # an unset variable in a script must not mean the current directory
        raise cannot_read(path, EMPTY_NAME, ACCEPTED)
    folder = Path(path)
    try:
        if not folder.is_dir():
            return (folder,)
        visible = (name for name in sorted(os.listdir(folder)) if not name.startswith("."))
        files = tuple(file for file in map(folder.joinpath, visible) if file.is_file())
    except (OSError, ValueError) as failure:
        raise cannot_read(path, failure_reason(failure), ACCEPTED) from failure
    if not files:
        raise cannot_read(path, EMPTY_FOLDER, ACCEPTED)
    return files


def read_answers(path: Path) -> Answers:
    """One student's answers; the name is that of the file. Raises :class:`CannotRead`."""
    text = read_text(path, ACCEPTED, LARGEST)
    suffix = path.suffix.lower()
    if suffix == ".json":
        pairs, problems = from_json(path, text)
    elif suffix == ".csv":
        pairs, problems = from_csv(path, text)
    else:
        pairs, problems = from_lines(text)
    return Answers(printable(path.stem), tuple(pairs), tuple(problems))


# Pairs of question and answer, and remarks on what is unreadable.
PairsAndProblems = tuple[list[tuple[str, str]], list[Line]]


def unreadable(number: int, line: str) -> Phrase:
    """The remark on a line without an answer."""
    return Phrase(UNREADABLE, {"number": number, "line": quoted(line.strip())})


def from_lines(text: str) -> PairsAndProblems:
    """Lines ``question: value`` or ``question = value``; ``#`` begins a comment."""
    pairs: list[tuple[str, str]] = []
    problems: list[Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        match = SEPARATED.fullmatch(content)
        if match is None:
            problems.append(unreadable(number, line))
        else:
            pairs.append((match[1], match[2].strip()))
    return pairs, problems


def from_csv(path: Path, text: str) -> PairsAndProblems:
    """Two columns, with or without a header, divided by a comma, a semicolon or a tab."""
    pairs: list[tuple[str, str]] = []
    problems: list[Line] = []
    first_line = text.partition("\n")[0]
    delimiter = next((sign for sign in ";\t" if sign in first_line), ",")
    columns = 2
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if not pairs and not problems and cells[0].lower() == HEADER:
                columns = len(cells)
                continue
            if delimiter == "," and columns == 2:
                cells = join_decimal_comma(cells)
            if len(cells) == 2 and cells[0]:
                pairs.append((cells[0], cells[1]))
            else:
                problems.append(unreadable(rows.line_num, delimiter.join(row)))
    except csv.Error as failure:
        raise cannot_read(path, NOT_CSV, ACCEPTED) from failure
    return pairs, problems


def join_decimal_comma(cells: list[str]) -> list[str]:
    """Two cells in place of three if the last two are a number divided at its decimal comma."""
    if len(cells) == 3 and cells[1]:
        joined = ",".join(cells[1:])
        if not isinstance(read_number(joined), Text):
            return [cells[0], joined]
    return cells


def from_json(path: Path, text: str) -> PairsAndProblems:
    """One object; numbers keep their digits, and a name written twice is kept twice."""
    as_written = {"parse_float": str, "parse_int": str, "parse_constant": str}
    content = parse_json(path, text, ACCEPTED, object_pairs_hook=list, **as_written)
    # Objects come out as lists of pairs, so an array is told apart by its first sign.
    if not isinstance(content, list) or not text.lstrip().startswith("{"):
        raise cannot_read(path, NOT_JSON, ACCEPTED)
    pairs: list[tuple[str, str]] = []
    problems: list[Line] = []
    for name, value in content:
        if isinstance(value, str):
            pairs.append((name, value))
        else:
            value_text = NESTED if isinstance(value, list) else json.dumps(value)
            problems.append(Phrase(NO_ANSWER, {"question": printable(name), "value": value_text}))
    return pairs, problems
