"""Files of answers: lines, CSV or JSON; what cannot be read is kept as a problem, not lost."""

from __future__ import annotations

import csv
import errno
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
from rope_cli.user_input.command_errors import (
    EMPTY_NAME,
    CannotRead,
    failure_reason,
    printable,
    quoted,
    quoted_path,
)

LARGEST = 1 << 20
ACCEPTED = t(
    "lines `question: value`, CSV or a JSON object, in UTF-8",
    "строки «вопрос: значение», CSV или объект JSON, в UTF-8",
)
NOT_UTF8 = t("it is not UTF-8", "это не UTF-8")
NOT_JSON = t("it is not a JSON object", "это не объект JSON")
NOT_CSV = t("it is not CSV", "это не CSV")
TOO_LARGE = t("it is larger than 1 MiB", "он больше 1 МиБ")
NO_FILE = t("it is no regular file", "это не обычный файл")
EMPTY_FOLDER = t("no file is in it", "в нём нет файлов")
UNREADABLE = t("line {number} cannot be read: {line}", "строка {number} не читается: {line}")
NO_ANSWER = t(
    "{question}: an answer is a number or a text, not {value}",
    "{question}: ответ — число или строка, а не {value}",
)
NESTED = t("a list or an object", "список или объект")
SEPARATED = re.compile(r"\s*([^:=\s]+)\s*[:=](.*)")
HEADER = "question"


class Answers(NamedTuple):
    """A student's file: pairs of question and answer in their order, and what was unreadable."""

    student: str
    pairs: tuple[tuple[str, str], ...]
    problems: tuple[Line, ...] = ()


def files_in(path: str) -> tuple[Path, ...]:
    """The file itself, or the files of a folder by name, without hidden ones."""
    if not path:  # an unset variable in a script must not mean the current directory
        raise refused(path, EMPTY_NAME)
    place = Path(path)
    try:
        # Anything may be in a folder, and only regular files are students'.
        if not place.is_dir():
            return (place,)
        names = sorted(os.listdir(place))
        found = tuple(place / name for name in names if not name.startswith("."))
        files = tuple(each for each in found if each.is_file())
    except (OSError, ValueError) as failure:
        raise refused(path, failure_reason(failure)) from failure
    if not files:
        raise refused(path, EMPTY_FOLDER)
    return files


def refused(path: object, why: Text) -> CannotRead:
    """The refusal of a file."""
    return CannotRead(path=quoted_path(path), reason=why, accepted=ACCEPTED)


def read_answers(path: Path) -> Answers:
    """One student's answers; the name is that of the file. Raises :class:`CannotRead`."""
    text = read_text(path)
    suffix = path.suffix.lower()
    if suffix == ".json":
        pairs, problems = from_json(path, text)
    elif suffix == ".csv":
        pairs, problems = from_csv(path, text)
    else:
        pairs, problems = from_lines(text)
    return Answers(printable(path.stem), tuple(pairs), tuple(problems))


def read_text(path: Path) -> str:
    """The file's text, a mark of the byte order left out."""
    try:
        if path.exists() and not path.is_file():
            why = failure_reason(OSError(errno.EISDIR, "")) if path.is_dir() else NO_FILE
            raise refused(path, why)
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise refused(path, TOO_LARGE)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        raise refused(path, NOT_UTF8) from failure
    except CannotRead:
        raise
    except (OSError, ValueError) as failure:
        raise refused(path, failure_reason(failure)) from failure


Found = tuple[list[tuple[str, str]], list[Line]]


def unreadable(number: int, line: str) -> Phrase:
    """A line that holds no answer."""
    return Phrase(UNREADABLE, {"number": number, "line": quoted(line.strip())})


def from_lines(text: str) -> Found:
    """Lines ``question: value`` or ``question = value``; from # on a comment."""
    pairs: list[tuple[str, str]] = []
    problems: list[Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        said = line.partition("#")[0].strip()
        if not said:
            continue
        found = SEPARATED.fullmatch(said)
        if found is None:
            problems.append(unreadable(number, line))
        else:
            pairs.append((found[1], found[2].strip()))
    return pairs, problems


def from_csv(path: Path, text: str) -> Found:
    """Two columns, with or without a header; a semicolon may divide them, as spreadsheets do."""
    pairs: list[tuple[str, str]] = []
    problems: list[Line] = []
    first = text.partition("\n")[0]
    mark = ";" if ";" in first else "\t" if "\t" in first else ","
    columns = 2
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if not pairs and not problems and cells[0].lower() == HEADER:
                columns = len(cells)
                continue
            if mark == "," and columns == 2:
                cells = with_decimal_comma(cells)
            if len(cells) == 2 and cells[0]:
                pairs.append((cells[0], cells[1]))
            else:
                problems.append(unreadable(rows.line_num, mark.join(row)))
    except csv.Error as failure:
        raise refused(path, NOT_CSV) from failure
    return pairs, problems


def with_decimal_comma(cells: list[str]) -> list[str]:
    """The cells, the last two of three made one if they are a number that its comma divided."""
    if len(cells) == 3 and cells[1]:
        together = ",".join(cells[1:])
        if not isinstance(read_number(together), Text):
            return [cells[0], together]
    return cells


def from_json(path: Path, text: str) -> Found:
    """One object; numbers keep the digits they were written with, doubled names both stay."""
    try:
        found = json.loads(
            text, object_pairs_hook=list, parse_float=str, parse_int=str, parse_constant=str
        )
    except (ValueError, RecursionError) as failure:
        raise refused(path, NOT_JSON) from failure
    # An empty array is no object, although both come out as empty lists.
    if not isinstance(found, list) or not text.lstrip().startswith("{"):
        raise refused(path, NOT_JSON)
    pairs: list[tuple[str, str]] = []
    problems: list[Line] = []
    for name, value in found:
        if isinstance(value, str):
            pairs.append((name, value))
        else:
            # What stands inside an object or a list came out as pairs, not as it was written.
            shown = NESTED if isinstance(value, list) else json.dumps(value)
            problems.append(Phrase(NO_ANSWER, {"question": printable(name), "value": shown}))
    return pairs, problems
