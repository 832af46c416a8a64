"""Questions for course systems, read back by a parser that others wrote; sheets tell no answers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from tools.checkout import ROOT
from tools.chromium import Opened

from rope_cli.classroom.compose import half_unit
from rope_cli.classroom.gift import as_gift, escape
from rope_cli.classroom.handout import HandoutRequest, report
from rope_cli.classroom.question import Question
from rope_cli.classroom.questions import questions_with
from rope_cli.cli.main import main
from rope_cli.document import formatting
from rope_cli.document.blocks import Line
from rope_cli.renderers import render
from rope_cli.report.build import section_module
from rope_cli.text import LANGUAGES

# gift-pegjs 1.0.2 from npm, as it is published for browsers.
PARSER = ROOT / "tests" / "data" / "gift-pegjs" / "gift-parser-globals.js"


def sentence(line: Line, language: str) -> str:
    """A sentence with blanks of one kind."""
    return formatting.format_line(line, language).replace("\u00a0", " ")


def read_back(browser: Browser, text: str) -> list[dict[str, Any]]:
    """The questions that gift-pegjs finds, without the categories."""
    tab = browser.new_page()
    tab.add_script_tag(path=PARSER)
    parsed: list[dict[str, Any]] = tab.evaluate("text => giftParser.parse(text)", text)
    tab.close()
    return [entry for entry in parsed if entry["type"] != "Category"]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [None, 1, 7, 12, 2026])
def test_another_parser_reads_every_question(
    browser: Browser, language: str, seed: int | None
) -> None:
    """Names, texts, right answers, tolerances and the reasons of wrong ones come back equal."""
    questions = questions_with(seed)
    entries = read_back(browser, as_gift(questions, language))
    assert [entry["title"] for entry in entries] == [question.id for question in questions]
    for question, entry in zip(questions, entries, strict=True):
        assert entry["stem"]["text"].startswith(sentence(question.sentence, language))
        assert entry["globalFeedback"]["text"] == sentence(question.explanation, language)
        check = check_choices if question.choices else check_numbers
        check(question, entry["choices"], language)


def check_choices(question: Question, answers: list[dict[str, Any]], language: str) -> None:
    """The lines in their order, one of them right, the others with their reasons."""
    texts = [answer["text"]["text"] for answer in answers]
    assert texts == [sentence(line, language) for line in question.choices]
    right = [place for place, answer in enumerate(answers, 1) if answer["isCorrect"]]
    assert right == [question.answer]
    reasons = {place: answer["feedback"] for place, answer in enumerate(answers, 1)}
    for wrong in question.wrong:
        assert reasons[int(wrong.value)]["text"] == sentence(wrong.reason, language)


def check_numbers(question: Question, answers: list[dict[str, Any]], language: str) -> None:
    """The right number has all the points and its tolerance, a typical mistake none."""
    right, *wrong = answers
    assert right["weight"] == 100
    numbers = [right, *wrong]
    expected = [(question.answer, question.tolerance)] + [
        (mistake.value, half_unit(mistake.value, 3) if question.tolerance else 0.0)
        for mistake in question.wrong
    ]
    for answer, (value, tolerance) in zip(numbers, expected, strict=True):
        # The parser gives a number without a tolerance by itself.
        number = answer["text"]
        assert number["number"] == pytest.approx(value, abs=1e-11)
        assert number.get("range", 0.0) == pytest.approx(tolerance, rel=1e-9)
    for answer, mistake in zip(wrong, question.wrong, strict=True):
        assert answer["weight"] == 0
        assert answer["feedback"]["text"] == sentence(mistake.reason, language)


def test_signs_of_the_format_are_escaped() -> None:
    """The six signs and the backslash; braces open and close each question once."""
    assert escape(r"a=b ~ {c} # d: \n") == r"a\=b \~ \{c\} \# d\: \\n"
    for language in LANGUAGES:
        text = re.sub(r"\\.", "", as_gift(questions_with(), language))
        assert text.count("{") == text.count("}") == len(questions_with())
        assert text.count("\n####") == len(questions_with())


def test_gift_is_a_format_of_predict(capsys: pytest.CaptureFixture[str]) -> None:
    """By section, with a seed, in both languages; other commands refuse it."""
    assert main(["predict", "one-pair", "--format", "gift"]) == 0
    out = capsys.readouterr().out
    assert out.count("::one-pair-") == 3
    assert out.startswith("$CATEGORY: $course$/Rotary position embedding/One pair by hand\n")
    # cos 1 to the third digit, and the sine as a mistake.
    assert "=%100%0.540302305868:0.0005\n" in out
    assert "=%0%0.841470984808:0.0005#The sine was used" in out
    assert main(["predict", "one-pair", "--format", "gift", "--lang", "ru", "--seed", "3"]) == 0
    assert "Одна пара вручную" in capsys.readouterr().out
    assert main(["list", "--format", "gift"]) == 2


# Sheets


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [None, *range(12)])
def test_no_question_tells_the_answer_of_another(language: str, seed: int | None) -> None:
    """No number of a sheet or a title, within the tolerance, is another question's answer.

    Answers of one or two digits, 0.25 or 3, stand everywhere and tell nothing.
    """
    questions = questions_with(seed)
    told = {
        question.id: [
            float(number)
            for line in (
                question.sentence,
                *question.choices,
                section_module(question.slug).TITLE,
            )
            for number in re.findall(r"\d+\.\d+|\d+", sentence(line, language))
        ]
        for question in questions
    }
    for question in questions:
        if question.kind == "choice" or len(f"{question.answer:.6g}".strip("-0.")) <= 2:
            continue
        for name, numbers in told.items():
            near = [
                number
                for number in numbers
                if abs(number - abs(question.answer)) <= question.tolerance
            ]
            assert name == question.id or not near, (question.id, name, near)


def test_frequency_is_not_told_by_the_next_question() -> None:
    """The speed that the first question asks for does not stand in the second."""
    by_id = {question.id: question for question in questions_with()}
    assert by_id["frequencies-1"].answer == pytest.approx(0.1)
    assert "0.1" not in sentence(by_id["frequencies-2"].sentence, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheet_has_a_head_and_room_for_answers(language: str) -> None:
    """Name, group, date and seed once, the rule once, a line for each answer, the matrix drawn."""
    document = report(HandoutRequest(["dot-products", "direction"], 7, "questions"))
    text = " ".join(render(document, "text", language).split())
    name, seed, answer = {
        "en": ("Name: ____", "seed 7: copy this line", "Answer: ____"),
        "ru": ("Имя: ____", "seed 7: перепишите эту строку", "Ответ: ____"),
    }[language]
    assert [text.count(part) for part in (name, seed, answer)] == [1, 1, 4]
    assert text.count(" 3 significant digits" if language == "en" else " 3 значащих") == 1
    assert text.count("│ ? │") + text.count("? │") >= 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_have_their_seed_and_tolerances(language: str) -> None:
    """Whoever marks by hand sees to which sheet they belong, and what counts."""
    document = report(HandoutRequest(["norms", "direction"], 7, "answers"))
    text = " ".join(render(document, "text", language).replace("\u00a0", " ").split())
    assert text.count(" seed 7 ") == 1
    within = {"en": "(accepted within ", "ru": "(засчитывается с отклонением до "}[language]
    questions = questions_with(7, ["norms", "direction"])
    assert text.count(within) == sum(question.tolerance > 0 for question in questions) == 2
    assert f"{within}0.0" in text


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_sheet_of_the_chapter_prints_on_four_pages(
    tmp_path: Path, language: str, browser: Browser
) -> None:
    """With the numbers of a seed too, whose matrices are larger."""
    page = tmp_path / "sheet.html"
    seed = ["--seed", "3"]
    options = ["--lang", language, "--handout", "questions", "--format", "html", "-o", str(page)]
    assert main(["predict", "chapter", *seed, *options]) == 0
    assert 1 <= Opened(browser, page).printed_pages() <= 4
