"""The page as a workbook: answers are read, judged and explained as ``predict`` does, and kept."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from tools.chromium import PAPER, WORDS, Opened

from rope_cli.classroom.answer_files import read_answers
from rope_cli.classroom.answers import judge
from rope_cli.classroom.marks import mark_files
from rope_cli.classroom.question import Question
from rope_cli.classroom.questions import questions_with
from rope_cli.classroom.workbook import WORDS as SENTENCES
from rope_cli.classroom.written_numbers import in_degrees, read_number
from rope_cli.cli.main import main
from rope_cli.document.formatting import format_line
from rope_cli.text import LANGUAGES, Text

pytestmark = pytest.mark.slow

SPELLINGS = (
    "0.5|0,5|.5|,5|5.|1/2|-5e-1|−0.5|–0.5|+0.5|2,5·10^-3|2.5*10**-3|2.371 x 10^-3|2,371 х 10^-3"
    "|2.5×10⁻³|10⁻¹|3·10^2|1e-3|1E3|1е3|½|2½|¼ rad|sqrt(2)|√2|√2/2|sqrt 2|2√3|cos 1|sin(0.1)"
    "|-2^2|sin 2pi|tg 1|tan(pi/4)|π|2π|π/2|-π/2|2 pi / 3|3(4+5)|(1+2)*3|1-2-3|1-cos(2)|2^-1|(-2)^2"
    "|(-8)^(1/3)|2^0.5|0^0|0^-1|54 410,14|54,410.14|54.410,14|1,048,576|1'000|12,345|0,283 662"
    "|1,2,3|1.2.3|about 0.5|примерно 0,5|≈ 0.54|x = 0.54|cos 1 = 0.540302|q·k = -0.416147 ≈ -0.42"
    "|0.5 rad|0.5 радиана|0,1 рад на позицию|5 positions|62.8 токена|3 пары|90°|90 degrees"
    "|57.3 град"
    "|0.5.|0.5 ;|0.54 (rounded)|0.54 (2 digits)|| |?|abc|nan|-inf|∞|1e999|10^400|1/0|1/(1-1)"
    "|sqrt(-1)|√(-2)|1/2/3|--1|1+|(1|1)|2 3|0x10|5%|'|1e|1/10^400|１２|٣|x|=|1 = "
    "|-nan|+inf|1e308*10|1e308*10-1e308*10|sin(1e308*10)|(1e308*10)/(1e308*10)|0*10^400"
    "|0,5 \U0001f44d|\u2248-0.37 \U0001f914|1\ufe0f\u20e3|ответ: 0,28|Ответ 0,54|ответ - 0,5"
    "|ответ -0,5|0,841 (это sin 1)"
    "|корень из 31|минус 0,5|cos (pi)|sin(pi)|sin(1 рад)|sin 57.3°|sin(57,3 град)|90° / поз"
    "|$\\frac{1}{2}$|2{,}371\\cdot10^{-3}|\\sqrt{31}|\\frac{\\sqrt{2}}{2}|\\approx 0.5"
    "|“0.5”|**0.5**"
    "|0.8414...|5.57 (√31)|sin 1 (0.841)|2 (3+1)|25%|1:4|2.371 10^-3|2.371·10-3|=> 0.5|-> -0.5"
    "|в 2,5 раза|3x|×3|0.5 ± 0.1|±0.5|I think it is 0.5|0,5 наверное|____0.28____|[0.5]|'0.5'"
    "|10 в степени -3|ноль|not 0.5|не 0,5|0.1 рад./поз.|-0,5 рад, примерно|это не 0,5|"
    + "(" * 400
    + "|"
    + "1+" * 31
    + "1"
).split("|")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of everything in both languages."""
    made = tmp_path_factory.mktemp("pages")
    for language in LANGUAGES:
        path = made / f"all.{language}.html"
        assert main(["show", "all", "--lang", language, "--format", "html", "-o", str(path)]) == 0
    return made


def test_numbers_are_read_as_mark_reads_them(browser: Browser, folder: Path) -> None:
    """The same number, or the same reason why it is none, for a hundred spellings."""
    page = Opened(browser, folder / "all.en.html")
    seen = page.tab.evaluate("all => all.map(readNumber)", SPELLINGS)
    degrees = page.tab.evaluate("all => all.map(inDegrees)", SPELLINGS)
    names = {sentence.en: name for name, sentence in SENTENCES.items()}
    for spelling, value, angle in zip(SPELLINGS, seen, degrees, strict=True):
        expected = read_number(spelling)
        if isinstance(expected, Text):
            assert value == names[expected.en], spelling
        else:
            assert value == pytest.approx(expected, rel=1e-15, abs=0), spelling
        assert angle == in_degrees(spelling), spelling
    assert len({*map(str, seen)}) > 40
    page.tab.close()


def tried(question: Question) -> list[str]:
    """Wrong answers of every kind, then the right one."""
    if question.choices:
        places = [str(place) for place in range(1, len(question.choices) + 1)]
        return sorted(places, key=lambda place: float(place) == question.answer)
    values = [wrong.value for wrong in question.wrong]
    degrees = math.degrees(question.answer)
    wrong = [
        *map(repr, values),
        *(f"{value:.2g}" for value in values),
        *(f"{value:.3g}".replace(".", ",") for value in values),
        repr(-question.answer - 1e-9),
        repr(degrees),
        f"{question.answer}°",
        repr(question.answer + 3 * question.tolerance),
        repr(question.answer + 1.5 * question.tolerance),
        "12345.678",
        "no idea",
    ]
    edge = question.answer + question.tolerance
    return [*(each for each in wrong if not judge(question, each).right), repr(edge)]


ANSWER = """all => all.map(([id, typed]) => {
    const box = document.querySelector(`[data-exercise=${id}]`);
    const line = box.querySelector(`input[type=radio][value="${typed}"]`);
    if (line) line.checked = true; else box.querySelector('input').value = typed;
    box.querySelector('.check').click();
    return [box.querySelector('output').textContent, box.querySelector('.solution').open];
})"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_are_judged_as_predict_judges_them(
    language: str, browser: Browser, folder: Path
) -> None:
    """Right, or wrong with the same reason, for every question and every kind of answer."""
    page = Opened(browser, folder / f"all.{language}.html")
    reasons = set()
    asked = [(question, typed) for question in questions_with() for typed in tried(question)]
    seen = page.tab.evaluate(ANSWER, [[question.id, typed] for question, typed in asked])
    for (question, typed), (shown, opened) in zip(asked, seen, strict=True):
        judgement = judge(question, typed)
        word = SENTENCES["right" if judgement.right else "wrong"].in_language(language)
        reason = judgement.reason
        words = "" if reason is None else format_line(reason, language, true_minus=True)
        expected = f"{'' if judgement.value is None else word + '.'} {words}".strip()
        assert (shown, opened) == (expected, judgement.right), (question.id, typed)
        reasons.add(words)
    assert len(reasons) > 100
    page.tab.close()


def test_answers_outlive_a_reload_and_are_saved_for_mark(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    """The counter, the file and a reload know what was answered; what was shown is not saved."""
    page = Opened(browser, folder / "all.ru.html")
    tab = page.tab
    first, second, third, *others = questions_with()
    assert tab.locator(".progress output").text_content() == (
        f"Вопросов: {len(others) + 3}. Ответов пока нет."
    )
    tab.evaluate(ANSWER, [[first.id, "100,5"], [second.id, tried(second)[-1]]])
    tab.locator(f"[data-exercise={third.id}] .solution > summary").click()
    for _ in range(2):
        score = tab.locator(".progress output").text_content() or ""
        assert re.findall("[0-9]+", score) == ["1", "2", str(len(others))]
        assert tab.locator(f"[data-exercise={third.id}] .check").is_disabled()
        assert tab.locator(f"[data-exercise={second.id}] .check").is_disabled()
        assert tab.locator(f"[data-exercise={first.id}] .check").is_enabled()
        with tab.expect_download() as saving:
            tab.locator(".save").click()
        path = tmp_path / "answers.txt"
        saving.value.save_as(path)
        answers = read_answers(path)
        assert answers.pairs == ((first.id, "100,5"), (second.id, tried(second)[-1]))
        assert (answers.problems, answers.seed, answers.seedless) == ((), None, True)
        tab.reload()
    tab.locator(".forget").click()
    tab.wait_for_function("document.querySelector('.check:disabled') === null")
    assert page.complaints == []
    tab.close()


WHERE = """() => {
    const box = document.activeElement.closest('[data-exercise]');
    return box && document.activeElement.matches('input') ? box.dataset.exercise : '';
}"""
SAID = "id => document.querySelector(`[data-exercise=${id}] output`).textContent"


def answer_by_keys(tab: Page, question: Question, answer: str, before: str | None) -> str:
    """Answer the question that has the focus; what the page says about it."""
    if not question.choices:
        tab.keyboard.press("Control+A")
        tab.keyboard.insert_text(answer)
    elif before is None:
        tab.keyboard.press("Space")
        before = "1"
    if question.choices:
        for _ in range((int(answer) - int(before or "1")) % len(question.choices)):
            tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    said: str = tab.evaluate(SAID, question.id)
    return said


def test_keyboard_answers_every_question_and_mark_counts_the_same(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    """Tab leads from field to field: each listed wrong answer, an unreadable one, the right one.

    The last question is left wrong, and the saved file has the score of the page.
    """
    page = Opened(browser, folder / "all.en.html")
    tab, questions = page.tab, list(questions_with())
    right, wrong = (SENTENCES[name].in_language("en") + "." for name in ("right", "wrong"))
    for question in questions:
        for _ in range(60):
            if tab.evaluate(WHERE) == question.id:
                break
            tab.keyboard.press("Tab")
        answers = [*(repr(mistake.value) for mistake in question.wrong), "no idea"]
        if question.choices:
            answers = [f"{mistake.value:.0f}" for mistake in question.wrong]
        if question is not questions[-1]:
            answers.append(
                repr(question.answer) if not question.choices else f"{question.answer:.0f}"
            )
        before = None
        for answer in answers:
            said = answer_by_keys(tab, question, answer, before)
            judged = judge(question, answer)
            word = "" if judged.value is None else right if judged.right else wrong
            assert said.startswith(word), (question.id, answer, said)
            assert said
            before = answer
    score = re.findall("[0-9]+", tab.locator(".progress output").text_content() or "")
    assert score == [str(len(questions) - 1), str(len(questions)), "0"]
    tab.locator(".progress .name").fill("../Анна К.")
    tab.locator(".save").focus()
    with tab.expect_download() as saving:
        tab.keyboard.press("Enter")
    assert saving.value.suggested_filename == "Анна К.txt"
    saving.value.save_as(tmp_path / "answers.txt")
    (marks,) = mark_files(str(tmp_path / "answers.txt"), questions_with, 7)
    assert marks.seed is None
    assert (marks.right, len(marks.wrong)) == (len(questions) - 1, 1)
    assert page.complaints == []
    tab.close()


def test_without_a_script_everything_is_there(browser: Browser, folder: Path) -> None:
    """Buttons that would do nothing are not shown; answers unfold, and print shows them."""
    tab = browser.new_page(java_script_enabled=False)
    tab.goto((folder / "all.en.html").as_uri())
    assert tab.locator("button:visible").count() == 0
    solution = tab.locator(".solution").first
    assert not solution.locator("strong").is_visible()
    solution.locator("summary").click()
    assert solution.locator("strong").is_visible()
    tab.close()


def test_open_page_has_nothing_folded(tmp_path: Path) -> None:
    """``--open`` unfolds answers, numbers and checks; other formats do not know it."""
    words = ["show", "norms", "order"]
    for form in ("html", "text"):
        for more in ([], ["--open"]):
            path = tmp_path / f"{form}{len(more)}"
            assert main([*words, *more, "--format", form, "-o", str(path)]) == 0
    folded, unfolded = ((tmp_path / f"html{n}").read_text("utf-8") for n in (0, 1))
    assert folded.count("<details") == unfolded.count("<details") > 8
    assert [tag for tag in re.findall("<details[^>]*>", unfolded) if " open" not in tag] == []
    assert re.findall("<details[^>]* open>", folded) == ["<details open>"]  # the contents
    assert (tmp_path / "text0").read_bytes() == (tmp_path / "text1").read_bytes()


def test_own_values_have_no_questions_about_the_chapters(tmp_path: Path) -> None:
    """Where the reader gives values the questions about the chapter's are left out."""
    path = tmp_path / "own.html"
    assert main(["show", "norms", "-d", "8", "--format", "html", "-o", str(path)]) == 0
    text = path.read_text("utf-8")
    assert "data-exercise" not in text.partition("<script>")[0]
    assert 'class="reveal"' in text


def test_failing_check_is_open_and_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """A section with a check that fails folds nothing away."""
    from rope_cli.document.blocks import Document, Section, Verdict
    from rope_cli.document.check import Check
    from rope_cli.document.exercise import Workbook
    from rope_cli.document.vocabulary import say, t
    from rope_cli.renderers import render

    claim = t("it is so", "это так")
    held, failed = (Verdict(Check("c", measured, 1.0, 1), claim) for measured in (0.0, 2.0))
    for verdicts, opened in (((held, held), 0), ((held, failed), 2)):
        section = Section(1, "s", claim, claim, (say("a", "b"),), verdicts)
        text = render(Document((), (section,), workbook=Workbook({}, {}, {})), "html", "en")
        assert len(re.findall("<details[^>]* open>", text)) == opened
        assert f"Checks that hold: {2 - bool(opened)} of 2" in text


def test_paper_shows_what_is_folded(browser: Browser, folder: Path) -> None:
    """The answer to each question is in print, whether it was looked at or not."""
    page = Opened(browser, folder / "all.en.html")
    shown = page.wide(PAPER, "print").evaluate(WORDS)
    for question in questions_with():
        assert format_line(question.explanation, "en", true_minus=True) in shown
    assert page.tab.locator(".progress").is_hidden()
    page.tab.close()
