"""The page in a real browser: it fits, fetches nothing, is accessible and holds every number.

Chromium is the one of the system. Without it these tests are skipped, except where the variable
ROPE_REPORT_NEEDS_CHROMIUM is set, as .ci/run does: there they fail.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page
from tools.checkout import ROOT
from tools.chromium import NEEDED, PAPER, WORDS, Opened, chromium, launched

from rope_cli.cli.main import main
from rope_cli.text import LANGUAGES

pytestmark = pytest.mark.slow

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
DATA = ROOT / "tests" / "data"
REPORTS = {
    "all": ("show", "all"),
    "verify": ("verify", str(DATA / "rope-from-pytorch.npz")),
    "scaling": ("scaling", str(DATA / "llama-3.1-8b.json")),
    "sheets": ("predict", "chapter", "--seed", "7"),
    "mark": ("mark", str(DATA / "answers")),
}
# The file of verify holds a base that nobody named: it differs, and the page says so.
CODES = {"verify": 1}
SCHEMES = ("light", "dark")
WIDTHS = (1920, 1280, 768, 360)
EVERY = [(report, language) for report in REPORTS for language in LANGUAGES]
NUMBERED = [(report, language) for report, language in EVERY if report in ("all", "verify")]
# In forced colours the longest report is looked at in one language.
COLOURED = [
    (report, language, colours)
    for report, language in EVERY
    for colours in (*SCHEMES, "forced")
    if (report, language, colours) != ("all", "ru", "forced")
]
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")
SMALLEST_PICTURE_LETTER = 11
# A picture of one pixel.
GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

TOO_WIDE = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
# Whatever sticks out at the right; on a screen, what lies inside a part that scrolls may.
STICKING_OUT = """scrolling => [...document.querySelectorAll('body *')].filter(each =>
    each.getBoundingClientRect().right > document.scrollingElement.clientWidth + 0.5
    && (each.matches('.scroll, pre') || !(scrolling && each.closest('.scroll, pre')))
    && !each.closest('.unseen')
).map(each => each.outerHTML.slice(0, 200))"""
SCROLLING = """() => [...document.querySelectorAll('.scroll, pre')]
    .filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => each.textContent.slice(0, 200))"""
LETTER = """() => Math.min(...[...document.querySelectorAll('svg')]
    .filter(each => each.checkVisibility())
    .map(each => each.getScreenCTM().a * parseFloat(each.getAttribute('font-size'))))"""
# Pieces of the page that lie over one another, from the top to the bottom.
COVERED = """() => {
    const leaf = 'h1, h2, h3, p, li, pre, figcaption, svg, table, legend, label, summary, '
        + 'output, dt, dd, button';
    const boxes = [...document.querySelectorAll('main, header, footer')]
        .flatMap(part => [...part.querySelectorAll(leaf)])
        .filter(each => each.checkVisibility() && !each.closest('dialog, .unseen, td, th')
            && !each.querySelector(leaf))
        .map(each => [each, each.getBoundingClientRect()])
        .filter(([_, box]) => box.width > 2 && box.height > 2)
        .sort(([_, a], [__, b]) => a.top - b.top);
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2;
    const found = [];
    boxes.forEach(([element, box], i) => {
        for (let j = i + 1; j < boxes.length && boxes[j][1].top < box.bottom - 2; j++)
            if (over(box, boxes[j][1]))
                found.push(`${element.textContent} | ${boxes[j][0].textContent}`.slice(0, 200));
    });
    return found;
}"""
# What a grid of marks is made of: it must not become cards.
ROWS_OF_MARKS = """() => [...new Set([...document.querySelectorAll('table.marks tr')]
    .map(each => getComputedStyle(each).display))]"""
# Words of a picture that are cut at its edge or lie over others.
SPOILED_WORDS = """() => [...document.querySelectorAll('figure svg')]
    .filter(svg => svg.checkVisibility())
    .flatMap(svg => {
        const {width, height} = svg.viewBox.baseVal;
        const words = [...svg.querySelectorAll('text')].map(text => [text, text.getBBox()]);
        const cut = ([_, box]) => box.x < -1 || box.y < -3
            || box.x + box.width > width + 1 || box.y + box.height > height + 3;
        const meet = (a, b) => Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1
            && Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 5;
        const over = words.filter(([_, a], i) =>
            words.some(([_, b], j) => i < j && meet(a, b)));
        return [...words.filter(cut), ...over].map(([text]) =>
            `${svg.closest('figure').textContent.slice(0, 50)}: ${text.textContent}`);
    })"""

AUDIT = """async () => {
    const kind = each => each ? each.tagName + '.' + each.className : '';
    const kinds = new Map();
    for (const each of document.querySelectorAll('body *'))
        if ([...each.childNodes].some(one => one.nodeType === 3 && one.data.trim().length > 1)) {
            const around = each.parentElement;
            const name = [each, around, around.parentElement].map(kind).join(' ');
            if (!each.closest('svg') && !kinds.has(name)) kinds.set(name, each);
        }
    const resultTypes = ['violations'], contrast = 'color-contrast';
    const found = [
        await axe.run({resultTypes, rules: {[contrast]: {enabled: false}}}),
        await axe.run({include: [...kinds.values()]}, {resultTypes, runOnly: [contrast]}),
    ];
    return [
        found.flatMap(one => one.passes.map(rule => rule.id)),
        found.flatMap(one => one.violations.map(rule =>
            [rule.id, rule.nodes.map(node => node.html.slice(0, 200))])),
    ];
}"""


# A layout is the same in all colours, and the longest report is laid out slowly.
LONG_AND_SEEN = {("all", "dark"), ("all", "forced")}
# Its audit is the slowest: a light page of one language, a dark one of the other.
NOT_AUDITED = {("all", "ru", "light"), ("all", "en", "dark")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every report as a page, some as text too."""
    made = tmp_path_factory.mktemp("pages")
    for report, language in EVERY:
        for form in ("text", "html") if (report, language) in NUMBERED else ("html",):
            path = made / f"{report}.{language}.{form}"
            words = [*REPORTS[report], "--lang", language, "--format", form, "-o", str(path)]
            assert main(words) == CODES.get(report, 0)
    return made


def sticking_out(tab: Page, scrolling: bool) -> list[str]:
    """What does not fit, an element a line."""
    found: list[str] = tab.evaluate(STICKING_OUT, scrolling)
    if (more := tab.evaluate(TOO_WIDE)) > 0:
        found.append(f"the page is wider than its window, by {more}")
    return found


def violations(tab: Page) -> list[str]:
    """What axe-core objects to, by all its default rules.

    Contrast is measured on one element of each kind, as a thousand cells of one kind take a minute.
    """
    if not tab.evaluate("() => 'axe' in window"):
        tab.evaluate(AXE.read_text("utf-8"))
    passed, violated = tab.evaluate(AUDIT)
    assert {"html-has-lang", "document-title"} <= set(passed)
    assert "color-contrast" in {*passed, *(rule for rule, _ in violated)}
    return [f"{rule}: {nodes[:3]}" for rule, nodes in violated]


@pytest.mark.parametrize(("report", "language", "colours"), COLOURED)
def test_page_fits_fetches_nothing_and_is_accessible(
    report: str, language: str, colours: str, browser: Browser, folder: Path
) -> None:
    """At every width and in print nothing sticks out, is cut or covered; axe-core is content.

    On a narrow screen a picture is drawn narrower rather than shrinking its letters away. The
    browser refuses neither the style of the page nor its scripts. The rules of axe-core are tried
    on a wide light page, a narrow dark one, and one in the system's colours.
    """
    scheme = "light" if colours == "forced" else colours
    page = Opened(browser, folder / f"{report}.{language}.html", scheme)
    page.unfold()
    for width in WIDTHS if (report, colours) not in LONG_AND_SEEN else ():
        assert sticking_out(page.wide(width), scrolling=True) == [], width
        assert page.tab.evaluate(SPOILED_WORDS) == [], width
        assert page.tab.evaluate(COVERED) == [], width
        assert page.tab.evaluate(LETTER) >= SMALLEST_PICTURE_LETTER, width
        if width == min(WIDTHS):
            assert page.tab.evaluate(SCROLLING) == []
            assert page.tab.evaluate(ROWS_OF_MARKS) in ([], ["table-row"])
    if colours == "forced":
        page.choose_colours()
    if (report, language, colours) not in NOT_AUDITED:
        assert violations(page.wide({"light": 1280, "dark": 360, "forced": 768}[colours])) == []
    assert sticking_out(page.wide(PAPER, "print"), scrolling=False) == []
    assert page.printed_pages() > 0
    assert (page.requests, page.complaints) == ([page.path.as_uri()], [])
    assert page.tab.evaluate("() => document.styleSheets.length") == 1
    page.tab.close()


@pytest.mark.parametrize(("report", "language"), NUMBERED)
def test_browser_shows_every_number_of_the_text(
    report: str, language: str, browser: Browser, folder: Path
) -> None:
    """Each number of the text report is shown once all is open, and so it is in print."""
    page = Opened(browser, folder / f"{report}.{language}.html")
    printed = page.wide(PAPER, "print").evaluate(WORDS)
    page.unfold()
    shown, on_paper = (
        set(NUMBER.findall(words.replace("−", "-")))
        for words in (page.wide(1280).evaluate(WORDS), printed)
    )
    text = (folder / f"{report}.{language}.text").read_text("utf-8")
    if report == "verify":
        # A picture of text names the pair of each line; the drawing has a point for every pair.
        text = re.sub(r"^ *\d+(?= +┊)", "", text, flags=re.MULTILINE)
    wanted = set(NUMBER.findall(text))
    assert len(wanted) > {"all": 700, "verify": 25}[report]
    assert wanted - shown == set()
    assert wanted - on_paper == set()
    page.tab.close()


def test_questions_are_printed_alone(browser: Browser, folder: Path) -> None:
    """A button prints the questions without answers, another everything, as the browser does."""
    page = Opened(browser, folder / "all.ru.html")
    page.tab.evaluate("() => { window.print = () => { window.printed = true; }; }")
    shown = {}
    for kind in (".questions", ":not(.questions)"):
        page.wide(PAPER).locator(f".print{kind}").click()
        assert page.tab.evaluate("() => window.printed")
        page.wide(PAPER, "print")
        shown[kind] = [
            page.tab.locator(each).first.is_visible()
            for each in (".exercise legend", ".exercise input", ".solution p", ".reveal table")
        ]
    assert shown == {".questions": [True, True, False, False], ":not(.questions)": [True] * 4}
    page.tab.close()


def test_contents_follow_the_reader(browser: Browser, folder: Path) -> None:
    """The link of the section that is read is in sight, in a list that scrolls by itself."""
    page = Opened(browser, folder / "all.en.html")
    tab = page.wide(1280)
    for slug in ("norms", "glossary", "one-pair"):
        tab.evaluate("slug => document.getElementById(slug).scrollIntoView()", slug)
        tab.wait_for_selector(f"nav a[href='#{slug}'][aria-current]")
        assert tab.evaluate(
            """slug => {
                const link = document.querySelector(`nav a[href='#${slug}']`);
                const box = link.getBoundingClientRect();
                return box.top >= 0 && box.bottom <= innerHeight;
            }""",
            slug,
        )
    page.tab.close()


def test_dark_page_is_dark(browser: Browser, folder: Path) -> None:
    """The two schemes differ, and paper is always light."""
    paper = "() => getComputedStyle(document.body).backgroundColor"
    seen = Counter[str]()
    for scheme in SCHEMES:
        page = Opened(browser, folder / "verify.en.html", scheme)
        seen[page.wide(768).evaluate(paper)] += 1
        assert page.wide(PAPER, "print").evaluate(paper) == "rgb(255, 255, 255)"
        page.tab.close()
    assert len(seen) == 2


def test_policy_stops_whatever_is_not_of_the_page(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    """Foreign styles, scripts, handlers and pictures that got into a page come to nothing."""
    foreign = (
        "<style>h1 { color: rgb(1, 2, 3) }</style><h1 style='color: rgb(1, 2, 3)'>x</h1>"
        "<script>document.title = 'foreign'</script><iframe src='data:,x'></iframe>"
        f"<img src='data:image/gif;base64,{GIF}' onload='document.title = `foreign`'>"
    )
    path = tmp_path / "foreign.html"
    text = (folder / "verify.en.html").read_text("utf-8")
    path.write_text(text.replace("<main", foreign + "<main"), "utf-8")
    for lawless in (False, True):
        page = Opened(browser, path, lawless=lawless)
        colours = page.tab.evaluate(
            "() => [...document.querySelectorAll('h1')].map(each => getComputedStyle(each).color)"
        )
        seen = (
            page.tab.title() == "foreign",
            "rgb(1, 2, 3)" in colours,
            page.tab.evaluate("() => document.images[0].naturalWidth") == 1,
        )
        assert seen == (lawless,) * 3
        page.tab.close()


@pytest.mark.parametrize(("report", "language"), EVERY)
def test_page_has_neither_inline_styles_nor_handlers(
    report: str, language: str, folder: Path
) -> None:
    """Its policy would refuse them."""
    text = (folder / f"{report}.{language}.html").read_text("utf-8")
    assert not re.search(r"<[^>]* (?:style|on[a-z]+)=", text)


SPOILED = {
    "wide": ("</main>", "<div style='width: 120vw'>wide</div></main>"),
    "cut": ("</main>", "<div class='scroll'><p style='width: 120vw'>wide</p></div></main>"),
    "fetched": ("</main>", "<img src='none.png' alt='none'></main>"),
    "unnamed": ("</main>", "<img src='data:,' ></main>"),
    "covered": ("</main>", "<p>under</p><p style='margin-top: -3rem'>over</p></main>"),
    "drawn": (
        "</main>",
        "<figure><svg width='100' viewBox='0 0 640 20' font-size='14'><text x='630' y='12'>words"
        "</text></svg></figure></main>",
    ),
    "pale": ("</main>", "<p style='color: #999; background: #aaa'>pale</p></main>"),
}


@pytest.mark.parametrize("fault", SPOILED)
def test_fault_of_a_page_would_be_seen(
    fault: str, browser: Browser, folder: Path, tmp_path: Path
) -> None:
    """What the tests above look for is found in a page that has it."""
    path = tmp_path / "spoiled.html"
    path.write_text(
        (folder / "verify.en.html").read_text("utf-8").replace(*SPOILED[fault]), "utf-8"
    )
    page = Opened(browser, path, lawless=True)
    on_screen = [sticking_out(page.wide(width), scrolling=True) != [] for width in WIDTHS]
    in_print = sticking_out(page.wide(PAPER, "print"), scrolling=False) != []
    assert on_screen == [fault == "wide"] * len(WIDTHS)
    assert in_print == (fault in ("wide", "cut"))
    assert any(url.endswith("none.png") for url in page.requests) == (fault == "fetched")
    assert (page.tab.evaluate(COVERED) != []) == (fault == "covered")
    assert (page.tab.evaluate(SPOILED_WORDS) != []) == (fault == "drawn")
    found = {each.partition(":")[0] for each in violations(page.wide(1280))}
    assert (page.tab.evaluate(LETTER) < SMALLEST_PICTURE_LETTER) == (fault == "drawn")
    assert found == {"unnamed": {"image-alt"}, "pale": {"color-contrast"}}.get(fault, set())
    page.tab.close()


@pytest.mark.parametrize("needed", [False, True])
def test_missing_browser_is_said(
    needed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without Chromium the tests are skipped with a reason, or fail where it is needed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(NEEDED, "1" if needed else "")
    assert chromium() is None
    outcome = pytest.fail.Exception if needed else pytest.skip.Exception
    with pytest.raises(outcome, match="none of chromium, "):
        next(launched())
