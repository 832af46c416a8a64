"""What moves on the page: the query and key of the reader, and the report screen by screen."""

from __future__ import annotations

import cmath
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page
from tools.chromium import Opened

from rope_cli.cli.main import main
from rope_cli.text import LANGUAGES

pytestmark = pytest.mark.slow

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
BASES = (2, 10, 100, 500, 1000, 10000, 100000, 500000, 1000000)
WIDTHS = (2, 4, 8)
# Query and key before the rotation, two pairs of each as complex numbers.
ROWS = {
    "same": ((1, 1), (1, 1)),
    "crossed": ((1, 1), (1j, 1j)),
    "generic": ((1 + 2j, -0.5 + 0.75j), (0.3 - 1j, 2 + 0.25j)),
}
SETTINGS = (
    (0, 0, 100, 4, "same"),
    (0, 0, 100, 4, "generic"),
    (1, 0, 100, 4, "same"),
    (0, 1, 100, 4, "crossed"),
    (3, 2, 100, 4, "crossed"),
    (2, 5, 100, 4, "generic"),
    (0, 3, 100, 2, "same"),
    (0, 6, 1000000, 2, "same"),
    (64, 0, 2, 2, "generic"),
    (0, 64, 2, 8, "generic"),
    (64, 64, 10, 8, "same"),
    (63, 64, 10, 4, "generic"),
    (17, 40, 500, 8, "crossed"),
    (40, 17, 500, 8, "generic"),
    (5, 18, 1000, 8, "generic"),
    (31, 7, 10000, 8, "same"),
    (12, 50, 10000, 4, "generic"),
    (9, 33, 100000, 8, "crossed"),
    (22, 44, 500000, 8, "generic"),
    (64, 1, 1000000, 8, "generic"),
)
# The chapter's matrix: 1 + 1, cos 1 + cos 0.1, cos 2 + cos 0.2.
CHAPTER = (
    ("2.000000", "1.535306", "0.563920"),
    ("1.535306", "2.000000", "1.535306"),
    ("0.563920", "1.535306", "2.000000"),
)

SET = """values => {
    for (const [name, value] of Object.entries(values)) {
        const input = document.getElementById(`explore-${name}`);
        input.value = value;
        if (input.value !== String(value)) throw `${name} cannot be ${value}`;
        input.dispatchEvent(new Event('input'));
    }
    document.getElementById('explore-m').dispatchEvent(new Event('change'));
}"""
READ = """() => {
    const place = document.getElementById('explore');
    const values = selector =>
        [...place.querySelectorAll(selector)].map(each => Number(each.dataset.value));
    const ends = selector => [...place.querySelectorAll(selector)].map(
        each => [Number(each.dataset.x), Number(each.dataset.y)]);
    return {
        terms: values('.terms td[data-value]'), nine: values('.nine tbody td'),
        angles: values('.heat rect[data-value]'), frequencies: values('.stick'),
        arcs: values('.arc'), q: ends('line.q'), k: ends('line.k'),
        shown: [...place.querySelectorAll('td[data-value]')].map(
            each => [each.textContent, Number(each.dataset.value)]),
    };
}"""
NINE = "() => [...document.querySelectorAll('.nine tbody td')].map(each => each.textContent)"
STATUS = "() => document.querySelector('#explore .status').textContent"
TOO_WIDE = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
SMALLEST_LETTER = """() => Math.min(...[...document.querySelectorAll('#explore svg')]
    .filter(each => each.getBoundingClientRect().width)
    .map(each => each.getScreenCTM().a * parseFloat(each.getAttribute('font-size'))))"""
AUDIT = """async place => (await axe.run(place)).violations.map(rule =>
    [rule.id, rule.nodes.map(node => node.html.slice(0, 200))])"""
# Every screen from the first on, by the space bar.
WALK = """() => {
    const dialog = document.querySelector('.presentation');
    const screen = dialog.querySelector('.screen');
    const press = key => screen.dispatchEvent(
        new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    const here = () => `${dialog.dataset.section} ${dialog.dataset.step}`;
    const words = element => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), found = [];
        while (walker.nextNode()) found.push(walker.currentNode.data);
        return found.join(' ');
    };
    const seen = [];
    press('Home');
    for (let before = ''; before !== here();) {
        before = here();
        const room = screen.getBoundingClientRect();
        const inside = [...screen.querySelectorAll('*')].filter(each => !each.closest('.unseen'));
        seen.push({
            section: dialog.dataset.section,
            question: screen.querySelector('.question') !== null,
            words: words(screen),
            size: parseFloat(screen.style.fontSize),
            cut: inside.filter(each => {
                const box = each.getBoundingClientRect();
                return box.right > room.right + 0.5 || box.bottom > room.bottom + 0.5
                    || (each.matches('.scroll, pre') && each.scrollWidth > each.clientWidth);
            }).map(each => each.outerHTML.slice(0, 200)),
        });
        press(' ');
    }
    const sections = {};
    for (const section of document.querySelectorAll('main > section[id]')) {
        if (!section.querySelector('.question')) continue;
        const copy = section.cloneNode(true);
        for (const each of copy.querySelectorAll('.checks, .slug, .steps, [data-exercise]'))
            each.remove();
        sections[section.id] = words(copy);
    }
    return [innerHeight, seen, sections];
}"""
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?!\w)")
LARGE = 20  # pixels of a letter on a screen 720 pixels high


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The chapter's page in both languages."""
    made = tmp_path_factory.mktemp("pages")
    for language in LANGUAGES:
        path = made / f"{language}.html"
        assert main(["--lang", language, "--format", "html", "-o", str(path)]) == 0
    return made


def choose(tab: Page, m: int, n: int, base: int, width: int, rows: str) -> None:
    """Move the sliders."""
    places = {"base": BASES.index(base), "width": WIDTHS.index(width)}
    tab.evaluate(SET, {"m": m, "n": n, **places, "rows": rows})


def rotated(rows: str, side: int, position: int, frequencies: list[float]) -> list[complex]:
    """The pairs of a row, as complex numbers multiplied by a unit."""
    content = ROWS[rows][side]
    return [
        content[pair % 2] * cmath.exp(1j * position * frequency)
        for pair, frequency in enumerate(frequencies)
    ]


def terms_of(query: list[complex], key: list[complex]) -> list[float]:
    """What each pair adds to the score: the real part of the conjugate times the other."""
    return [(q.conjugate() * k).real for q, k in zip(query, key, strict=True)]


def expected(m: int, n: int, base: int, width: int, rows: str) -> dict[str, list[Any]]:
    """Everything that the page shows at a setting, computed by complex numbers."""
    step = 1 / base ** (2 / width)
    frequencies = [step**pair for pair in range(width // 2)]
    query, key = rotated(rows, 0, m, frequencies), rotated(rows, 1, n, frequencies)
    terms = terms_of(query, key)
    columns = zip(frequencies, terms, strict=True)
    return {
        "frequencies": frequencies,
        "terms": [*(x for f, term in columns for x in (f, (n - m) * f, term)), math.fsum(terms)],
        "nine": [
            math.fsum(
                terms_of(
                    rotated(rows, 0, m + row, frequencies),
                    rotated(rows, 1, n + column, frequencies),
                )
            )
            for row in range(3)
            for column in range(3)
        ],
        "angles": [position * frequency for frequency in frequencies for position in range(65)],
        "q": [x for pair in query for x in (pair.real, pair.imag)],
        "k": [x for pair in key for x in (pair.real, pair.imag)],
        "arcs": [k / q / abs(k / q) for q, k in zip(query, key, strict=True)],
    }


def test_numbers_are_those_of_complex_arithmetic(browser: Browser, folder: Path) -> None:
    """At 20 settings every number that is shown or drawn is right within 1e-12."""
    page = Opened(browser, folder / "en.html")
    for setting in SETTINGS:
        choose(page.tab, *setting)
        seen = page.tab.evaluate(READ)
        for text, value in seen.pop("shown"):
            assert text.replace("−", "-").removeprefix("+") == f"{value:z.6f}"
        seen |= {name: [x for end in seen[name] for x in end] for name in ("q", "k")}
        seen["arcs"] = [cmath.exp(1j * angle) for angle in seen["arcs"]]
        wanted = expected(*setting)
        assert seen.keys() == wanted.keys()
        for name, values in wanted.items():
            assert len(seen[name]) == len(values), (setting, name)
            worst = max(abs(a - b) for a, b in zip(seen[name], values, strict=True))
            assert worst <= 1e-12, (setting, name)
    assert len(SETTINGS) == 20
    assert page.complaints == []
    page.tab.close()


@pytest.mark.parametrize(
    ("options", "shown", "scores"),
    [
        # cos 3, and with the key at one position more or less.
        (
            ("-d", "2", "-b", "1234", "--positions", "4,7"),
            (4, 7, "1234", "2", "same"),
            [math.cos(n - m) for m in (4, 5, 6) for n in (7, 8, 9)],
        ),
        # One pair of [1, 0] and [0, 2], the other of zeros: -2 sin(n - m) by the first.
        (
            ("--layout", "half-split", "--query", "1,0,0,0", "--key", "0,5,2,5"),
            (1, 2, "100", "4", "own"),
            [-2 * math.sin(n - m) for m in (1, 2, 3) for n in (2, 3, 4)],
        ),
        (("-d", "64", "--positions", "0,900"), (1, 2, "100", "8", "same"), None),
    ],
)
def test_picture_begins_with_the_values_of_the_report(
    options: tuple[str, ...],
    shown: tuple[Any, ...],
    scores: list[float] | None,
    browser: Browser,
    tmp_path: Path,
) -> None:
    """Positions, base, width and rows of the reader, where the picture has room for them."""
    path = tmp_path / "own.html"
    assert main(["show", "chapter", *options, "--format", "html", "-o", str(path)]) == 0
    page = Opened(browser, path)
    value = "name => document.getElementById(`explore-${name}`).value"
    m, n, rows = (page.tab.evaluate(value, name) for name in ("m", "n", "rows"))
    base, width = (
        page.tab.locator(f"[data-shown={name}]").text_content() for name in ("base", "width")
    )
    assert (int(m), int(n), base, width, rows) == shown
    if scores is not None:
        assert page.tab.evaluate(READ)["nine"] == pytest.approx(scores, abs=1e-12)
    assert page.complaints == []
    page.tab.close()


def test_matrix_is_that_of_the_chapter(browser: Browser, folder: Path) -> None:
    """At m = n = 0 the nine scores are those of the chapter, and none is marked as changed."""
    page = Opened(browser, folder / "ru.html")
    choose(page.tab, 0, 0, 100, 4, "same")
    assert page.tab.evaluate(NINE) == [score for row in CHAPTER for score in row]
    assert page.tab.locator(".nine .moved").count() == 0
    page.tab.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_matrix_stays_when_both_shift_and_moves_when_one_does(
    language: str, browser: Browser, folder: Path
) -> None:
    """Buttons move one position or both, the status says how many scores changed, to the edge."""
    page = Opened(browser, folder / f"{language}.html")
    tab, of = page.tab, {"en": "of", "ru": "из"}[language]

    def press(which: str, step: int) -> tuple[list[str], str]:
        tab.locator(f"[data-shift={which}][data-step='{step}']").click()
        return tab.evaluate(NINE), tab.evaluate(STATUS).replace("\xa0", " ")

    choose(tab, 62, 60, 10000, 8, "generic")
    before = tab.evaluate(NINE)
    for step in (1, 1, -1):
        shown, status = press("both", step)
        assert shown == before
        assert "−2" in status
        assert f": 0 {of} 9." in status
    shown, status = press("key", -1)
    assert all(a != b for a, b in zip(shown, before, strict=True))
    assert "−3" in status
    assert f": 9 {of} 9." in status
    assert tab.locator(".nine .moved").count() == 9
    for _ in range(2):
        before, status = press("both", 1)
    assert "64" in status
    assert tab.locator("#explore-m").input_value() == "64"
    assert tab.evaluate(NINE) == before
    page.tab.close()


def test_keys_move_sliders_and_the_status_is_read_aloud(browser: Browser, folder: Path) -> None:
    """An arrow key moves a slider by one; its value is words, and the live status has the score."""
    page = Opened(browser, folder / "en.html")
    page.tab.locator("#explore-n").focus()
    page.tab.keyboard.press("ArrowRight")
    assert page.tab.locator("#explore-n").get_attribute("aria-valuetext") == "3"
    page.tab.keyboard.press("Shift+Tab")
    page.tab.keyboard.press("ArrowRight")
    assert page.tab.evaluate(STATUS).replace("\xa0", " ") == (
        "m = 2, n = 3, n−m = +1. The score is 1.535306."
    )
    assert page.tab.locator("#explore .status").get_attribute("role") == "status"
    for _ in range(2):
        page.tab.keyboard.press("Tab")
    page.tab.keyboard.press("End")
    assert page.tab.locator("#explore-base").get_attribute("aria-valuetext") == "1000000"
    page.tab.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_a_sentence_stands_there(
    language: str, browser: Browser, folder: Path
) -> None:
    """What needs a script is hidden, the sentence says so, and the report is all there."""
    tab = browser.new_page(java_script_enabled=False)
    tab.goto((folder / f"{language}.html").as_uri())
    assert tab.locator("#explore .without-script").is_visible()
    for hidden in ("#explore .live", "button >> nth=0", ".presentation"):
        assert not tab.locator(hidden).is_visible()
    tab.close()


@pytest.mark.parametrize(("language", "scheme"), [("en", "dark"), ("ru", "light")])
def test_moved_picture_fits_and_is_accessible(
    language: str, scheme: str, browser: Browser, folder: Path
) -> None:
    """With four pairs and changed scores nothing sticks out, letters are large, axe is content."""
    page = Opened(browser, folder / f"{language}.html", scheme, lawless=True)
    choose(page.tab, 12, 3, 100000, 8, "generic")
    page.tab.locator("[data-shift=key]").first.click()
    for width in (360, 768, 1280, 1920):
        tab = page.wide(width)
        assert tab.evaluate(TOO_WIDE) <= 0
        assert tab.evaluate(SMALLEST_LETTER) >= 11
    page.tab.evaluate(AXE.read_text("utf-8"))
    assert page.tab.evaluate(AUDIT, "#explore") == []
    page.tab.keyboard.press("p")
    assert page.tab.evaluate(AUDIT, ".presentation") == []
    page.tab.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_sliders_scores_and_circles_are_in_sight_together(
    language: str, browser: Browser, folder: Path
) -> None:
    """On a projector of 1280 x 720, above the line that counts the answers."""
    page = Opened(browser, folder / f"{language}.html")
    page.tab.set_viewport_size({"width": 1280, "height": 720})
    page.tab.evaluate("() => document.querySelector('.panels').scrollIntoView()")
    below = page.tab.evaluate("() => document.querySelector('.progress').offsetHeight")
    for part in ("label[for=explore-m]", ".circles", ".terms", ".shifts"):
        box = page.tab.locator(f"#explore {part}").bounding_box()
        assert box is not None
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 720 - below, part
    page.tab.close()


def test_only_the_chapter_has_it_and_its_page_is_small(folder: Path, tmp_path: Path) -> None:
    """A section alone has no picture to move; nowhere is a score said to fall with distance."""
    path = tmp_path / "norms.html"
    assert main(["show", "norms", "--format", "html", "-o", str(path)]) == 0
    assert 'id="explore"' not in path.read_text("utf-8")
    for language in LANGUAGES:
        page = (folder / f"{language}.html").read_bytes()
        assert len(page) <= 400_000
        [part] = re.findall('<section id="explore".*?</section>', page.decode(), re.DOTALL)
        assert re.search("decay|distan|farther|nearer|убыва|затуха|расстоян|дальн", part) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_presentation_shows_everything_in_large_letters(
    language: str, size: tuple[int, int], browser: Browser, folder: Path
) -> None:
    """Space leads from question to answer to question through all sections, and nothing is cut."""
    page = Opened(browser, folder / f"{language}.html")
    page.tab.set_viewport_size({"width": size[0], "height": size[1]})
    page.tab.keyboard.press("p")
    height, seen, sections = page.tab.evaluate(WALK)
    assert height == size[1]
    assert len(sections) == 16
    assert list(dict.fromkeys(each["section"] for each in seen)) == list(sections)
    for before, each in pairwise([{"section": ""}, *seen]):
        assert each["cut"] == []
        assert each["size"] >= LARGE * height / 720
        assert each["question"] == (each["section"] != before["section"])
    for slug, words in sections.items():
        shown = " ".join(each["words"] for each in seen if each["section"] == slug)
        assert set(NUMBER.findall(words)) <= set(NUMBER.findall(shown)), slug
        assert sum(each["section"] == slug for each in seen) > 1
    assert page.complaints == []
    page.tab.close()


def test_presentation_obeys_its_keys(browser: Browser, folder: Path) -> None:
    """It begins where one reads, moves by arrows and buttons, and ends with Escape or P."""
    page = Opened(browser, folder / "ru.html")
    tab = page.tab

    def here() -> tuple[str, str]:
        shown = tab.locator(".presentation")
        return shown.get_attribute("data-section") or "", shown.get_attribute("data-step") or ""

    tab.locator("#explore-rows").focus()
    tab.keyboard.press("p")
    assert not tab.locator(".presentation").is_visible()
    tab.evaluate("() => document.activeElement.blur()")
    tab.evaluate("() => document.getElementById('norms').scrollIntoView()")
    # The same key where letters are Cyrillic.
    tab.evaluate("() => dispatchEvent(new KeyboardEvent('keydown', {key: 'з', code: 'KeyP'}))")
    assert here() == ("norms", "0")
    for key, place in (
        ("Space", ("norms", "1")),
        ("ArrowRight", ("norms", "2")),
        ("ArrowLeft", ("norms", "1")),
        ("Shift+Space", ("norms", "0")),
        ("ArrowDown", ("shapes", "0")),
        ("Space", ("shapes", "1")),
        ("ArrowUp", ("shapes", "0")),
        ("ArrowUp", ("norms", "0")),
        ("Home", ("one-pair", "0")),
        ("ArrowLeft", ("one-pair", "0")),
        ("End", ("exercises", "0")),
        ("ArrowDown", ("exercises", "0")),
    ):
        tab.keyboard.press(key)
        assert here() == place, key
    tab.locator("[data-move='-1']").click()
    assert here()[0] == "heads"
    tab.keyboard.press("Space")  # belongs to the screen again, not to the button
    assert here() == ("exercises", "0")
    tab.keyboard.press("Escape")
    assert not tab.locator(".presentation").is_visible()
    assert (
        tab.evaluate("() => document.getElementById('exercises').getBoundingClientRect().top") < 40
    )
    tab.locator("button.present").click()  # at the top of the page
    assert here() == ("one-pair", "0")
    tab.keyboard.press("p")
    assert not tab.locator(".presentation").is_visible()
    page.tab.close()
