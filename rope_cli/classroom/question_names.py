"""The names of questions, however people copy them from a sheet, and what stands behind them."""

from __future__ import annotations

import re
from functools import cache

from rope_cli.classroom.questions import QUESTIONS
from rope_cli.document.formatting import format_line
from rope_cli.text import LANGUAGES

IDS = tuple(question.id for question in QUESTIONS)
SEED = "seed"
# What stands at the head of a sheet besides the seed.
HEAD_OF_SHEET = frozenset(["name", "date", "group", "имя", "дата", "группа", "фамилия", "класс"])
# Cyrillic letters that look like Latin ones.
LATIN = str.maketrans("аеорсухАЕОРСУХ", "aeopcyxAEOPCYX")
# A question that begins like this many letters of the sheet's is copied from it.
LETTERS_COMPARED = 12

_DASH = r"[\s_–—‑‐−-]*"


def _spellings(name: str) -> str:
    return _DASH.join(re.escape(word) for word in name.split("-"))


# Longer names first, so that a name is not taken for the beginning of another.
_ANY_ID = "|".join(f"(?:{_spellings(name)})" for name in sorted(IDS, key=len, reverse=True))
_ANY_SEED = "|".join((SEED, "вариант".translate(LATIN)))
NAME = re.compile(rf"(?P<name>{_ANY_ID}|{_ANY_SEED})(?![^\W_])", re.IGNORECASE)
# Signs and emoji; a place in a list, perhaps in a ring or a box; the word "question".
_BULLET = r"(?:[^\w\s#]\s*|[0-9]\ufe0f?\u20e3\s*|[0-9]+[.)]\s+|(?:question|вопрос|no)\s+)*"
_MARKS = r"[\s\"'”»*_`]*"
_SEPARATOR = rf"{_MARKS}(?:[:=;,)\]|\t]|\.(?![0-9])|->|→|[–—](?=\s)|-(?=\s))?\s*"
BEGINNING = re.compile(
    rf"\s*{_BULLET}{NAME.pattern}{_SEPARATOR}"
    rf"|#+\s*{NAME.pattern.replace('<name>', '<heading>')}\s*$",
    re.IGNORECASE,
)
# Inside a line a name has to be followed by a sign.
INSIDE = re.compile(
    rf"(?<![\w-])(?P<name>{_ANY_ID}){_MARKS}(?:[:=]|->|→|[–—](?=\s)|-(?=\s))\s*", re.IGNORECASE
)
NAMED_SEED = re.compile(
    rf"(?<!\w)(?P<name>{_ANY_SEED})[\s:=№#–—-]*(?=[0-9]{{1,18}}(?![0-9]|[.,][0-9]))", re.IGNORECASE
)
LABEL = re.compile(
    rf"\s*{_BULLET}(?:мой\s+|my\s+)?(?:answer|ans|ответ|отв)(?!\w)(?!\s+—\s+целое)\.?"
    r"\s*(?:[:=]|[–—-](?=\s))?(.*)",
    re.IGNORECASE,
)


def exact_name(name: str) -> str:
    """The name of the question as the sheet prints it; an unknown name comes back as it is."""
    match = NAME.fullmatch(name.strip(" \t\"'*_`").translate(LATIN))
    if match is None:
        return name
    known = re.sub(_DASH, "", match["name"].casefold())
    return next((id for id in IDS if id.replace("-", "") == known), SEED)


def split_line(line: str) -> list[tuple[str, str]]:
    """The questions and answers of a line, which begins with a name or has a sign behind each.

    What follows a tab after an answer is another column.
    """
    latin = line.translate(LATIN)
    matches = [match for match in (BEGINNING.match(latin),) if match is not None]
    if not latin.lstrip().startswith("#"):
        matches += INSIDE.finditer(latin, matches[0].end() if matches else 0)
    if not matches and (seed := NAMED_SEED.search(latin)) is not None:
        matches = [seed]
    ends = [*(match.start() for match in matches), len(line)][1:]
    return [
        (
            exact_name(match[match.lastgroup or "name"]),
            line[match.end() : end].partition("\t")[0].strip(" ;,|/"),
        )
        for match, end in zip(matches, ends, strict=True)
    ]


def question_marks(name: str, text: str) -> int:
    """How many question marks the question of this name has if the text begins as it does.

    0 for any other text.
    """
    letters = letters_of(text)[:LETTERS_COMPARED]
    return beginnings(name).get(letters, 0) if len(letters) == LETTERS_COMPARED else 0


@cache
def beginnings(name: str) -> dict[str, int]:
    """The question of this name in both languages: its first letters, and its question marks."""
    sentences = (
        format_line(question.make().sentence, language)
        for question in QUESTIONS
        for language in LANGUAGES
        if question.id == name
    )
    return {letters_of(sentence)[:LETTERS_COMPARED]: sentence.count("?") for sentence in sentences}


def letters_of(text: str) -> str:
    """The letters of a text, without the numbers, which depend on the seed."""
    return "".join(sign for sign in text.casefold() if sign.isalpha())
