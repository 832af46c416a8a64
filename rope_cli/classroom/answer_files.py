"""Files of answers: lines, CSV or JSON. A line that cannot be read becomes a remark."""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rope_cli.classroom.answer_lines import PairsAndProblems, from_lines
from rope_cli.classroom.answer_tables import from_form, from_table, is_table
from rope_cli.classroom.encodings import ASSUMED, NotText, decode
from rope_cli.classroom.question_names import HEAD_OF_SHEET, SEED, exact_name
from rope_cli.document.blocks import Line, Phrase
from rope_cli.document.vocabulary import t
from rope_cli.user_input.command_errors import EMPTY_NAME, CannotRead, failure_reason, printable
from rope_cli.user_input.file_contents import cannot_read, parse_json, read_bytes

LARGEST = 1 << 20
TABLES = (".csv", ".tsv")
LEFT_BEHIND = re.compile(r"\.|~\$|(?:thumbs\.db|desktop\.ini)$", re.IGNORECASE)
ACCEPTED = t(
    "lines `question: value`, CSV or a JSON object, in UTF-8, UTF-16, cp1251 or cp1252",
    "строки «вопрос: значение», CSV или объект JSON, в UTF-8, UTF-16, cp1251 или cp1252",
)
NOT_CSV = t("it is not CSV", "это не CSV")
NOT_JSON = t("it is not a JSON object", "это не объект JSON")
EMPTY_FOLDER = t("there is no file in it", "в нём нет файлов")
NO_ANSWER = t(
    "{question}: an answer must be a number or a string, not {value}",
    "{question}: ответом должно быть число или строка, а не {value}",
)
NESTED = t("a list or an object", "список или объект")
NO_SEED = "none"
SEEDS_DIFFER = t("the file names two seeds", "в файле названы два значения seed")


class Answers(NamedTuple):
    """A student's file: pairs of question and answer in their order, and what is unreadable.

    ``seed`` is the one that the file names; ``seedless`` is a file that says it has none, as the
    page saves it: its answers are to the chapter's numbers.
    """

    student: str
    pairs: tuple[tuple[str, str], ...]
    problems: tuple[Line, ...] = ()
    seed: int | None = None
    seedless: bool = False


def files_in(path: str) -> tuple[Path, ...]:
    """The file itself, or the regular files of a folder by name.

    Hidden ones are left out, and those that systems and office programs leave behind.
    """
    if not path:  # an unset variable in a script must not mean the current directory
        raise cannot_read(path, EMPTY_NAME, ACCEPTED)
    folder = Path(path)
    try:
        if not folder.is_dir():
            return (folder,)
        visible = (name for name in sorted(os.listdir(folder)) if not LEFT_BEHIND.match(name))
        files = tuple(file for file in map(folder.joinpath, visible) if file.is_file())
    except (OSError, ValueError) as failure:
        raise cannot_read(path, failure_reason(failure), ACCEPTED) from failure
    if not files:
        raise cannot_read(path, EMPTY_FOLDER, ACCEPTED)
    return files


def read_class(path: Path, student: str, encoding: str | None = None) -> tuple[Answers, ...]:
    """The answers in a file, which most often are those of ``student``.

    A form has a row for each student, whose name is that in the row; of a row without a name, or
    with one that stands twice, it is ``student`` and the number of the row. Raises
    :class:`CannotRead`.
    """
    text, assumed = read_text(path, encoding)
    try:
        rows = from_form(text) if path.suffix.lower() in TABLES else []
    except csv.Error:
        rows = []
    if not rows:
        return (student_answers(student, path, text, assumed),)
    names = Counter(name for name, _ in rows)
    numbered = len(rows) > 1
    return tuple(
        answers_of(
            name if name and names[name] == 1 else f"{student}.{place}" if numbered else student,
            pairs,
            [],
            assumed,
        )
        for place, (name, pairs) in enumerate(rows, 1)
    )


def read_answers(path: Path) -> Answers:
    """The answers of the student after whom a file is named. Raises :class:`CannotRead`."""
    return student_answers(path.stem, path, *read_text(path, None))


def student_answers(student: str, path: Path, text: str, assumed: str | None) -> Answers:
    """The answers in a student's file, whose text this is. Raises :class:`CannotRead`."""
    try:
        pairs, problems = pairs_in(path, text)
    except csv.Error as failure:
        raise cannot_read(path, NOT_CSV, ACCEPTED) from failure
    return answers_of(student, pairs, problems, assumed)


def pairs_in(path: Path, text: str) -> PairsAndProblems:
    """The answers in a text, by the ending of its file, else by how it begins.

    Raises :class:`CannotRead` and ``csv.Error``.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        return from_json(path, text)
    if suffix in TABLES or is_table(text):
        return from_table(text)
    if text.lstrip().startswith("{"):
        with suppress(CannotRead):
            return from_json(path, text)
    return from_lines(text)


def read_text(path: Path, encoding: str | None) -> tuple[str, str | None]:
    """The text of a file, and its encoding if it was guessed. Raises :class:`CannotRead`."""
    try:
        return decode(read_bytes(path, ACCEPTED, LARGEST), encoding)
    except NotText as failure:
        raise cannot_read(path, failure.reason, ACCEPTED) from None


def answers_of(
    student: str, pairs: list[tuple[str, str]], problems: list[Line], assumed: str | None
) -> Answers:
    """The answers of a student: names as the sheet prints them, the seed apart."""
    pairs = [(exact_name(name), answer) for name, answer in pairs]
    seeds = {read_seed(answer) for name, answer in pairs if name == SEED}
    if len(seeds) > 1:
        problems.append(SEEDS_DIFFER)
    if assumed is not None:
        problems.append(Phrase(ASSUMED, {"encoding": assumed}))
    return Answers(
        printable(student),
        tuple(
            pair for pair in pairs if pair[0] != SEED and pair[0].casefold() not in HEAD_OF_SHEET
        ),
        tuple(problems),
        seeds.pop() if len(seeds) == 1 else None,
        any(name == SEED and answer.strip(" :=").casefold() == NO_SEED for name, answer in pairs),
    )


def read_seed(text: str) -> int | None:
    """The seed that a file names, whatever stands behind it; ``None`` if it is no whole number."""
    match = re.match(r"[\s:=№#]*(?:--seed\s*)?([0-9]{1,18})(?![0-9]|[.,][0-9])", text)
    return None if match is None else int(match[1])


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
