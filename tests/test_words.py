"""The printed words: plurals, stops, and what must not stand in a sentence of either language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import pytest
from tools.checkout import ROOT

from rope_cli.report.tracks import SLUGS
from rope_cli.text import counted, plural_form

PACKAGE = ROOT / "rope_cli"
# The rooms whose sentences are held here: what verify, vectors, scaling and refusals print.
ROOMS = ("verify", "scaling", "user_input", "errors.py")
# Calls with a sentence in both languages, and which of their arguments these are.
PAIRS = {"t": (0, 1), "say": (0, 1), "warning_kind": (1, 2), "in_words": (0, 1)}
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
# What stays Latin in Russian: names of programs, files, formats, functions and letters.
LATIN = {
    *("RoPE", "RoFormer", "YaRN", "NTK", "LongRoPE", "Llama", "MLA", "PyTorch", "transformers"),
    *(
        "vLLM",
        "yarn",
        "alpha",
        "mscale",
        "llama.cpp",
        "ALiBi",
        "xPos",
        "CoPE",
        "M-RoPE",
        "JSON",
        "ZIP",
        "UTF",
        "utf",
        "CI",
    ),
    *("PYTHONIOENCODING", "config.json", "npy", "npz", "csv", "json", "txt", "pickle"),
    *("numpy.savez", "input", "output", "out", "query", "key", "features", "tokens"),
    *("heads", "batch", "position", "ids", "padding", "true", "false", "null"),
    *("default", "auto", "check", "list", "verify", "scaling", "completion", "rope"),
    *("rope-report", "scores", "softmax", "cos", "sin", "ln"),
    *("angle", "en", "Hugging", "Face", "Mistral", "Meta", "OpenAI", "GGUF", "params.json"),
    "factor",
}


class Sentence(NamedTuple):
    """A sentence in both languages, where it stands, and the name of the call that makes it."""

    place: str
    call: str
    en: str
    ru: str


def literal(node: ast.expr) -> str | None:
    """A string as it is written; what an f-string fills in becomes a placeholder."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{value}" for part in parts
            )
    return None


def pairs_of(call: ast.Call) -> Iterator[tuple[str | None, str | None]]:
    """The English and the Russian of a call, if it has them."""
    name = getattr(call.func, "id", "")
    if name == "Text":
        words = {keyword.arg: literal(keyword.value) for keyword in call.keywords}
        yield words.get("en"), words.get("ru")
    elif name in PAIRS and not any(isinstance(argument, ast.Starred) for argument in call.args[:2]):
        first, second = PAIRS[name]
        if len(call.args) > second:
            yield literal(call.args[first]), literal(call.args[second])
        if name == "in_words" and len(call.args) == 4:
            yield literal(call.args[2]), literal(call.args[3])


@cache
def sentences() -> tuple[Sentence, ...]:
    """Every sentence of the rooms."""
    files = [path for room in ROOMS for path in sorted((PACKAGE / room).glob("**/*.py"))]
    files.append(PACKAGE / "errors.py")
    made = []
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                for en, ru in pairs_of(node):
                    if en is not None and ru is not None:
                        place = f"{path.relative_to(ROOT)}:{node.lineno}"
                        made.append(Sentence(place, getattr(node.func, "id", ""), en, ru))
    return tuple(made)


def test_there_are_sentences() -> None:
    """The walk finds them: a rule about nothing would hold."""
    assert len(sentences()) > 300
    assert {sentence.call for sentence in sentences()} == {*PAIRS, "Text"}


# Languages

CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
ENGLISH_WORDS = re.compile("[a-z]{3,} [a-z]{3,}")


def exchanged_languages(source: str) -> list[int]:
    """The lines of calls whose English is in Russian, or whose Russian is in English."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        texts = [literal(argument) or "" for argument in node.args]
        neighbours = list(pairwise(texts))
        twice_russian = any(CYRILLIC.search(en) and CYRILLIC.search(ru) for en, ru in neighbours)
        pairs = neighbours[:1] if getattr(node.func, "id", "") in {"t", "say", "right"} else ()
        twice_english = any(ENGLISH_WORDS.search(ru) and not CYRILLIC.search(ru) for _, ru in pairs)
        if twice_russian or twice_english:
            lines.append(node.lineno)
    return lines


def test_each_sentence_is_in_its_language() -> None:
    """No English sentence is in Russian, and no Russian one in English, in any room."""
    found = {
        str(path.relative_to(ROOT)): lines
        for path in sorted(PACKAGE.glob("**/*.py"))
        if (lines := exchanged_languages(path.read_text("utf-8")))
    }
    assert not found


def test_exchanged_languages_are_found() -> None:
    """Russian twice and English twice, typed by hand."""
    assert exchanged_languages('t("Сравните с формулой.", "Нужна формула.")') == [1]
    assert exchanged_languages('t("Which of them fails?", "Compare with the formula.")') == [1]
    assert exchanged_languages('t("Which of them fails?", "Какое из них неверно?")') == []


@cache
def russian_strings() -> tuple[tuple[str, str], ...]:
    """Every string of the package with a Russian letter in it, and where it stands."""
    strings = []
    for path in sorted(PACKAGE.glob("**/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.expr) and CYRILLIC.search(text := literal(node) or ""):
                strings.append((f"{path.relative_to(ROOT)}:{node.lineno}", text))
    return tuple(strings)


SLUG = "(?:" + "|".join(SLUGS) + ")"


@pytest.mark.parametrize(
    "banned",
    [
        r"\bet\s+al\b",
        r"соседн\w+ раскладк",
        r"\bклет(?:к|ок)",
        r"длин\w+ обучения|обученн\w+ диапазон",
        rf"раздел\w* {SLUG}\b|\b(?:в|из) {SLUG}\b",
    ],
)
def test_words_that_no_russian_sentence_has(banned: str) -> None:
    """Authors are «и др.», coordinates (not layouts) adjacent, cells ячейки, names quoted."""
    assert len(russian_strings()) > 2000
    assert [place for place, text in russian_strings() if re.search(banned, text)] == []


# Plurals

# Typed from a grammar: the last two digits of the numbers that take each Russian form.
AS_ONE = {1, 21, 31, 41, 51, 61, 71, 81, 91}
AS_TWO = {
    *(2, 3, 4, 22, 23, 24, 32, 33, 34, 42, 43, 44, 52, 53, 54, 62, 63, 64),
    *(72, 73, 74, 82, 83, 84, 92, 93, 94),
}


@pytest.mark.parametrize("count", range(126))
def test_a_noun_agrees_with_its_number(count: int) -> None:
    """Of 0 to 125 in English only 1 is singular; in Russian the last two digits decide."""
    russian = 0 if count % 100 in AS_ONE else 1 if count % 100 in AS_TWO else 2
    assert plural_form(count, "ru") == russian
    assert plural_form(count, "en") == (0 if count == 1 else 1)
    words = counted(count, "token|tokens", "токен|токена|токенов")
    assert words.en == f"{count}\u00a0{'token' if count == 1 else 'tokens'}"
    assert words.ru == f"{count}\u00a0{('токен', 'токена', 'токенов')[russian]}"


@pytest.mark.parametrize(
    ("count", "ru"),
    [
        (0, "пар"),
        (1, "пара"),
        (2, "пары"),
        (5, "пар"),
        (11, "пар"),
        (14, "пар"),
        (21, "пара"),
        (111, "пар"),
        (122, "пары"),
    ],
)
def test_russian_numbers_typed_by_hand(count: int, ru: str) -> None:
    """1 пара, 2 пары, 5 пар, 11 пар, 21 пара."""
    assert counted(count, "pair|pairs", "пара|пары|пар").ru == f"{count}\u00a0{ru}"


def test_no_noun_follows_a_number_of_a_sentence() -> None:
    """A count stands behind a colon or goes through ``counted``: nothing says "1 of 1 tokens"."""
    # A pair of arrays has at least two numbers, a header alone has many bytes, and a grid or an
    # array whose other rows are right has several rows.
    never_one = {("compared", "numbers"), ("compared", "scores"), ("value", "bytes")}
    never_one |= {
        ("rows", "rows"),
        ("rows", "строк"),
        ("width", "coordinates"),
        ("width", "координат"),
    }
    no_noun = {("name", "is"), ("value", "in"), ("dtype", "they"), ("tokens", "ошибка")}
    no_noun |= {("sections", "pairs"), ("sections", "пар")}  # a list of counts
    for sentence in sentences():
        for text in (sentence.en, sentence.ru):
            for before, noun in re.findall(r"(?:of|из) \{(\w+)\} ([a-zа-яё]+)", text):
                assert (before, noun) in never_one | no_noun, (sentence.place, text)


# Form


def stop_of(text: str) -> str:
    """The stop or colon that ends a text, or nothing."""
    return text[-1] if text[-1] in ".:" else ""


def test_sentences_are_tidy() -> None:
    """No two blanks, no blank before a stop, and both languages end with the same sign."""
    for place, _, en, ru in sentences():
        for text in (en, ru):
            assert "  " not in text, place
            assert not re.search(r" [,;:.](?!\.)(?:\s|$)", text), place
            assert text == text.rstrip(), place
        assert stop_of(en) == stop_of(ru), place


def test_paragraphs_and_warnings_end_with_a_stop() -> None:
    """What is said is a sentence; it begins with a capital letter or with what is named."""
    for place, call, en, ru in sentences():
        if call in ("say", "warning_kind"):
            for text in (en, ru):
                assert text[-1] in ".:?", place
                assert text[0] in "{?" or text[0].isupper(), place


def test_refusals_say_what_is_accepted() -> None:
    """Every template of a refusal has its rule, then what is accepted, and no final stop."""
    templates = [each for each in sentences() if "accepted:" in each.en]
    assert len(templates) > 40
    for place, _, en, ru in templates:
        assert en.count("; accepted: ") == 1, place
        assert re.search(r"; допустим[аоы]?:? ", ru) or "; допустимое " in ru, place
        assert en[-1] not in ".;:", place


# Words


@pytest.mark.parametrize(
    "banned",
    [
        r"(?<!full )\bturn(?:s|ed|ing)?\b",
        r"\bgreatest\b",
        r"(?<!at )\bleast\b",
        r"\bstands? at\b",
        r"\balike\b(?!, their)",
        r"\bfar off\b|\bfarther off\b",
        r"\bsay so\b",
        r"\bknown to this report\b",
    ],
)
def test_words_that_the_english_avoids(banned: str) -> None:
    """A rotation is no turn, largest is not greatest, and nothing is far off."""
    found = [each.place for each in sentences() if re.search(banned, PLACEHOLDER.sub("", each.en))]
    assert found == []


@pytest.mark.parametrize(
    "banned",
    [
        "смешан",
        "ничего не говор",
        "рост длины",
        "длин[аы] текста",
        "знают|знает",
        "в пределах (?:своей )?границы",
        "(?:точк[аи]|границ[аы]) ошибки",
    ],
)
def test_words_that_the_russian_avoids(banned: str) -> None:
    """An intermediate frequency is not mixed, arrays do not speak, a tolerance is a допуск."""
    assert [each.place for each in sentences() if re.search(banned, each.ru)] == []


def test_russian_sentences_have_no_english_in_them() -> None:
    """Latin in Russian is a name, an option, a file, code or a formula, and nothing else."""
    for place, _, _, ru in sentences():
        if not re.search("[а-яё]", ru, re.I):
            continue  # a formula or a name
        text = PLACEHOLDER.sub(" ", ru)
        # Shapes, options, names with an underscore, calls and formulas.
        text = re.sub(
            r"\[[^]]*\]|--?\w[\w-]*|\w*_\w+|\w+\.\.\.|[\w.]+\(|\b\w+\d\w*\b|\w+\^\S+", " ", text
        )
        words = re.findall(r"[A-Za-z][A-Za-z.-]*[A-Za-z]", text)
        assert [word for word in words if word.strip(".-") not in LATIN] == [], place


@cache
def english_strings() -> tuple[tuple[str, str], ...]:
    """Every English sentence of the package that a Russian one follows, and where it stands."""
    strings = []
    for path in sorted(PACKAGE.glob("**/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                named = {keyword.arg: literal(keyword.value) for keyword in node.keywords}
                texts = [*map(literal, node.args), named.get("en"), named.get("ru")]
                for en, ru in pairwise(text or "" for text in texts):
                    if en and CYRILLIC.search(ru) and not CYRILLIC.search(en):
                        strings.append((f"{path.relative_to(ROOT)}:{node.lineno}", en))
    return tuple(strings)


@pytest.mark.parametrize(
    "banned",
    [
        r"(?<!somebody )\bgets?\b",
        r"\b(?:knows?|notices?|wants?)\b",
        r"\b[Ii]t is assumed\b",
        r"(?<!\w)e\.g\.|i\.e\.|\betc\b",
    ],
)
def test_words_that_no_english_sentence_has(banned: str) -> None:
    """Quantities have and depend, only people get and know; the report says that it assumes."""
    assert len(english_strings()) > 2000
    assert [place for place, text in english_strings() if re.search(banned, text)] == []


# A slug is part of a command, of a file's name, or is quoted; these are the field's own words.
HYPHENATED = "|".join(slug for slug in SLUGS if "-" in slug)
PLAIN_SLUG = re.compile(
    rf"\b[Ss]ection {SLUG}\b|\bsections? on {SLUG}\b|(?<![-\"\w:.])(?:{HYPHENATED})(?![-\"\w.:])"
)
COMMAND = re.compile(r"(?:rope-report|show|predict|figure) [a-z][\w -]*")


def test_slugs_are_quoted_in_sentences() -> None:
    """The name of a section stands in quotes; else it would read as words of the sentence."""
    found = [
        (place, text)
        for place, text in english_strings()
        if " " in text and PLAIN_SLUG.search(COMMAND.sub("", text))
    ]
    assert not found


def test_no_list_or_name_of_python_stands_in_a_sentence() -> None:
    """None, True and quotes of Python are for programs."""
    for place, _, en, ru in sentences():
        for text in (en, ru):
            assert not re.search(r"\b(?:None|True|False)\b|\['|\{'|array\(", text), place
