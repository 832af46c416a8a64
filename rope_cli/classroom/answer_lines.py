"""Lines of answers: one after another, or a sheet that was filled in."""

from __future__ import annotations

import re

from rope_cli.classroom.question_names import HEAD_OF_SHEET, LABEL, SEED, question_marks, split_line
from rope_cli.classroom.written_numbers import LONGEST_TEXT, read_number
from rope_cli.document.blocks import Line, Phrase
from rope_cli.document.vocabulary import t
from rope_cli.text import Text
from rope_cli.user_input.command_errors import quoted

UNREADABLE = t("line {number} cannot be read: {line}", "строка {number} не читается: {line}")
SEPARATED = re.compile(r"\s*([^:=\s]+)[ ]*[:=\t](.*)")
HEADERS = ("question", "вопрос")
# A number that may be somebody's answer: with a point or alone on its line, but no date.
MAY_ANSWER = re.compile(r"\s*[-+−]?[0-9]+[).]?\s*|.*(?<![\w.,:])[0-9]+[.,][0-9]+(?![\w.,:]).*")
# A row of the drawing of a matrix.
DRAWN = re.compile(r"[\t|│]|[.·] +[.·?]")
CHOSEN = re.compile(r"\(?[0-9]\)")


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
            if "?" not in self.copied:  # only its beginning is copied
                rest = rest.rpartition(";")[2]
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
