"""Files of answers: lines, CSV or JSON. A line that cannot be read becomes a remark."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from rope_cli.classroom.encodings import ASSUMED, NotText, decode
from rope_cli.classroom.question_names import (
    HEAD_OF_SHEET,
    IDS,
    LABEL,
    SEED,
    exact_name,
    question_marks,
    split_line,
)
from rope_cli.classroom.written_numbers import LONGEST_TEXT, read_number
from rope_cli.document.blocks import Line, Phrase
from rope_cli.document.vocabulary import t
from rope_cli.text import Text
from rope_cli.user_input.command_errors import EMPTY_NAME, failure_reason, printable, quoted
from rope_cli.user_input.file_contents import cannot_read, parse_json, read_bytes

LARGEST = 1 << 20
LEFT_BEHIND = re.compile(r"\.|~\$|(?:thumbs\.db|desktop\.ini)$", re.IGNORECASE)
ACCEPTED = t(
    "lines `question: value`, CSV or a JSON object, in UTF-8, UTF-16, cp1251 or cp1252",
    "строки «вопрос: значение», CSV или объект JSON, в UTF-8, UTF-16, cp1251 или cp1252",
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
SEPARATED = re.compile(r"\s*([^:=\s]+)[ ]*[:=\t](.*)")
SEEDS_DIFFER = t("the file names two seeds", "в файле названы два значения seed")
HEADERS = ("question", "вопрос")
# A number that may be somebody's answer: with a point or alone on its line, but no date.
MAY_ANSWER = re.compile(r"\s*[-+−]?[0-9]+[).]?\s*|.*(?<![\w.,:])[0-9]+[.,][0-9]+(?![\w.,:]).*")
# A row of the drawing of a matrix.
DRAWN = re.compile(r"[\t|│]|[.·] +[.·?]")
CHOSEN = re.compile(r"\(?[0-9]\)")
# A spreadsheet keeps a number as text in this form.
FORMULA_OF_TEXT = re.compile(r'="(.*)"')


class Answers(NamedTuple):
    """A student's file: pairs of question and answer in their order, and what is unreadable.

    ``seed`` is the one that the file names.
    """

    student: str
    pairs: tuple[tuple[str, str], ...]
    problems: tuple[Line, ...] = ()
    seed: int | None = None


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


def read_answers(path: Path, encoding: str | None = None) -> Answers:
    """One student's answers; the name is that of the file. Raises :class:`CannotRead`."""
    data = read_bytes(path, ACCEPTED, LARGEST)
    try:
        text, assumed = decode(data, encoding)
    except NotText as failure:
        raise cannot_read(path, failure.reason, ACCEPTED) from None
    suffix = path.suffix.lower()
    if suffix == ".json" or (suffix != ".csv" and is_object(text)):
        pairs, problems = from_json(path, text)
    elif suffix == ".csv" or is_table(text):
        pairs, problems = from_csv(path, text)
    else:
        pairs, problems = from_lines(text)
    pairs = [(exact_name(name), answer) for name, answer in pairs]
    seeds = {seed for name, answer in pairs if name == SEED for seed in [read_seed(answer)]}
    if len(seeds) > 1:
        problems.append(SEEDS_DIFFER)
    if assumed is not None:
        problems.append(Phrase(ASSUMED, {"encoding": assumed}))
    return Answers(
        printable(path.stem),
        tuple(
            pair for pair in pairs if pair[0] != SEED and pair[0].casefold() not in HEAD_OF_SHEET
        ),
        tuple(problems),
        seeds.pop() if len(seeds) == 1 else None,
    )


def is_object(text: str) -> bool:
    """Whether a text is a JSON object, whatever its file is called."""
    try:
        return text.lstrip().startswith("{") and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def is_table(text: str) -> bool:
    """Whether a text begins with the header of a table, whatever its file is called."""
    header = re.split("[;,\t]", text.lstrip().partition("\n")[0])
    return len(header) > 1 and any(cell.strip('" \r').lower() in HEADERS for cell in header)


def read_seed(text: str) -> int | None:
    """The seed that a file names, whatever stands behind it; ``None`` if it is no whole number."""
    match = re.match(r"[\s:=№#]*(?:--seed\s*)?([0-9]{1,18})(?![0-9]|[.,][0-9])", text)
    return None if match is None else int(match[1])


# Pairs of question and answer, and remarks on what is unreadable.
PairsAndProblems = tuple[list[tuple[str, str]], list[Line]]


def unreadable(number: int, line: str) -> Phrase:
    """The remark on a line without an answer."""
    return Phrase(UNREADABLE, {"number": number, "line": quoted(line.strip())})


def from_lines(text: str) -> PairsAndProblems:
    """Lines ``question: value``, with any bullet and separator; ``#`` begins a comment.

    The name of another question, or a misspelled one, has to end in ``:`` or ``=``. An answer may
    stand on the line after its question. Of a sheet that was filled in, or a question that was
    copied with its answer, only the answer counts.
    """
    lines = Lines()
    for number, line in enumerate(text.splitlines(), 1):
        content = (line.partition("#")[0] if line.lstrip()[:1] != "#" else line).strip()
        if any(map(str.isalnum, content)):
            lines.take(number, content, line)
    lines.end_question()
    return lines.pairs, [] if lines.labels else lines.problems


class Lines:
    """The answers in the lines that were read so far.

    ``copied`` is the text of the question at hand where it is copied from a sheet. ``labels`` says
    whether a line has the word "Answer", as those of a sheet.
    """

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []
        self.problems: list[Line] = []
        self.copied: str | None = None
        self.labels = False

    def take(self, number: int, content: str, line: str) -> None:
        """A line with a letter or a digit."""
        if pairs := self.named(content):
            self.end_question()
            *others, (name, text) = pairs
            self.copied = text if question_marks(name, text) else None
            # Behind a semicolon is another column.
            self.pairs += [*others, (name, text if self.copied else text.partition(";")[0])]
        elif content.startswith("#"):
            return
        elif self.pairs and (label := LABEL.fullmatch(content)) is not None:
            self.labels, self.copied = True, None
            self.answer(label[1].strip("_\\ \t"))
        elif self.copied is not None:
            self.copied += "\n" + content
        elif (match := SEPARATED.fullmatch(content)) and match[1].casefold() in {
            *HEAD_OF_SHEET,
            *HEADERS,
        }:
            return
        elif self.awaits(content):
            self.answer(content)
        elif match is not None:
            self.pairs.append((match[1], match[2].strip()))
        elif any(name != SEED for name, _ in self.pairs) or may_answer(content):
            self.problems.append(unreadable(number, line))

    def awaits(self, content: str) -> bool:
        """Whether a line answers the question before it, as far as one can see.

        On a sheet the title of the next section may follow.
        """
        if not self.pairs or self.pairs[-1][0] == SEED or self.pairs[-1][1]:
            return False
        return not self.labels or is_number(content) or CHOSEN.match(content) is not None

    def named(self, content: str) -> list[tuple[str, str]]:
        """The answers of a line that names questions or the seed."""
        pairs = split_line(content)
        if self.copied is not None and pairs and pairs[0][0] == SEED:
            return []
        return pairs

    def answer(self, text: str) -> None:
        """Answer the question at hand."""
        self.pairs[-1] = self.pairs[-1][0], text

    def end_question(self) -> None:
        """Of a copied question the answer is what stands after its question mark."""
        if self.copied is not None:
            *_, rest = self.copied.split("?", question_marks(*self.pairs[-1]))
            first, *others = rest.splitlines() or [""]
            numbers = [line for line in others if is_number(line)]
            self.answer(first.strip() or (numbers[-1] if numbers else ""))
            self.copied = None


def may_answer(line: str) -> bool:
    """Whether a line without a name may be meant as an answer."""
    return len(line) > LONGEST_TEXT or MAY_ANSWER.fullmatch(line) is not None


def is_number(line: str) -> bool:
    """Whether a line is a number and no row of a matrix."""
    return not DRAWN.search(line) and not isinstance(read_number(line), Text)


def from_csv(path: Path, text: str) -> PairsAndProblems:
    """Two columns, with or without a header, divided by a comma, a semicolon or a tab.

    Of more columns, that after the name of the question counts.
    """
    pairs: list[tuple[str, str]] = []
    problems: list[Line] = []
    first_line, _, others = text.partition("\n")
    delimiter = next((sign for sign in ";\t" if sign in first_line), ",")
    if first_line.startswith("sep="):  # Excel's own note on the delimiter
        delimiter, text = first_line[4:5].strip("\r") or ",", others
    columns = 2
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in rows:
            cells = [FORMULA_OF_TEXT.sub(r"\1", cell.strip()) for cell in row]
            while len(cells) > 2 and not cells[-1]:
                cells.pop()
            if not any(cells) or cells[0].startswith("#"):
                continue
            if not pairs and not problems and {cell.lower() for cell in cells} & {*HEADERS}:
                columns = len(cells)
                continue
            if in_row := pairs_of_cells(cells, delimiter, columns):
                pairs += in_row
            else:
                problems.append(unreadable(rows.line_num, delimiter.join(row)))
    except csv.Error as failure:
        raise cannot_read(path, NOT_CSV, ACCEPTED) from failure
    return pairs, problems


def pairs_of_cells(cells: list[str], delimiter: str, columns: int) -> list[tuple[str, str]]:
    """The name and the answer in a row, which may have cells before and behind them.

    A row may also be a line ``question: value``.
    """
    names = [place for place, cell in enumerate(cells) if exact_name(cell) in {SEED, *IDS}]
    if not names and (pairs := split_line(delimiter.join(cells))):
        return pairs
    cells = cells[names[0] if names else 0 :]
    if delimiter == "," and columns == 2:
        cells = join_decimal_comma(cells)
    # A comma may divide columns, or a number at its decimal comma.
    divided = delimiter == "," and not any(cell.strip("+-0123456789") for cell in cells[1:3])
    complete = len(cells) == 2 or (len(cells) > 2 and names and not divided)
    return [(cells[0], cells[1])] if complete and cells[0] else []


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
