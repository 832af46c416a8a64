"""Tables of answers: a row a question, or a row a student as a form exports them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from rope_cli.classroom.answer_lines import HEADERS, PairsAndProblems, unreadable
from rope_cli.classroom.question_names import IDS, SEED, exact_name, question_marks, split_line
from rope_cli.classroom.written_numbers import read_number
from rope_cli.document.blocks import Line
from rope_cli.text import Text

# The column of a form that says who answers.
STUDENT = re.compile(".*(?:name|student|имя|фамилия|фио|ученик|студент).*")
# A spreadsheet keeps a number as text in this form.
FORMULA_OF_TEXT = re.compile(r'="(.*)"')


def is_table(text: str) -> bool:
    """Whether a text begins with the header of a table, whatever its file is called."""
    header = re.split("[;,\t]", text.lstrip().partition("\n")[0])
    return len(header) > 1 and any(cell.strip('" \r').lower() in HEADERS for cell in header)


def delimited(text: str) -> tuple[str, str]:
    """The sign between the cells of a table, and the table."""
    first_line, _, others = text.partition("\n")
    if first_line.startswith("sep="):  # Excel's own note on the delimiter
        return first_line[4:5].strip("\r") or ",", others
    return next((sign for sign in ";\t" if sign in first_line), ","), text


def rows_of(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The number of the line and the cells of each row that has any. Raises ``csv.Error``."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    for row in rows:
        cells = [FORMULA_OF_TEXT.sub(r"\1", cell.strip()) for cell in row]
        if any(cells) and not cells[0].startswith("#"):
            yield rows.line_num, cells


def from_table(text: str) -> PairsAndProblems:
    """Two columns, with or without a header, divided by a comma, a semicolon or a tab.

    Of more columns, that after the name of the question counts. Raises ``csv.Error``.
    """
    pairs: list[tuple[str, str]] = []
    problems: list[Line] = []
    delimiter, table = delimited(text)
    columns = 2
    for number, cells in rows_of(table, delimiter):
        written = delimiter.join(cells)
        while len(cells) > 2 and not cells[-1]:
            cells.pop()
        if not pairs and not problems and {cell.lower() for cell in cells} & {*HEADERS}:
            columns = len(cells)
        elif in_row := pairs_of_cells(cells, delimiter, columns):
            pairs += in_row
        else:
            problems.append(unreadable(number, written))
    return pairs, problems


def from_form(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The students, as far as they are named, and their answers: a column for each question.

    It is what a form exports; for any other text there are none. Raises ``csv.Error``.
    """
    delimiter, table = delimited(text)
    if delimiter not in table.partition("\n")[0]:
        return []
    rows = rows_of(table, delimiter)
    _, header = next(rows, (0, []))
    names = [name_of_column(cell) for cell in header]
    if len({*names} & {*IDS}) < 2:
        return []
    column = next((at for at, cell in enumerate(header) if STUDENT.fullmatch(cell.lower())), None)
    students = []
    for _, cells in rows:
        student = "" if column is None else "".join(cells[column : column + 1])
        pairs = [(name, cell) for name, cell in zip(names, cells, strict=False) if name]
        students.append((student, pairs))
    return students


def name_of_column(cell: str) -> str:
    """The question or seed of a column, headed by its name or by the question; else nothing."""
    if exact_name(cell) in {SEED, *IDS}:
        return exact_name(cell)
    pairs = split_line(cell)
    return pairs[0][0] if len(pairs) == 1 and question_marks(*pairs[0]) else ""


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
