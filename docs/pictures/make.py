"""Make the pictures of the README: ``python docs/pictures/make.py``, from a checkout.

``terminal.svg`` is what a terminal shows, ``same-content.svg`` a figure. The pictures of the page
in both languages are taken by Chromium, which has to be installed, through Playwright and made
small by Pillow (``pip install '.[test]'`` brings both).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

HERE = Path(__file__).parent
COMMAND = ("show", "dot-products")
FIRST, LAST = "Positions before", "Positions after"
GROUND, INK = (250, 250, 250), (40, 40, 40)
COLORS = [
    *((0, 0, 0), (197, 15, 31), (19, 122, 13), (150, 110, 0)),
    *((0, 95, 215), (136, 23, 152), (0, 120, 140), (90, 90, 90)),
]


def run(*words: str) -> str:
    """What the command prints."""
    process = subprocess.run(
        [sys.executable, "-m", "rope_cli", *words], check=True, capture_output=True, text=True
    )
    return process.stdout


def terminal() -> str:
    """The first matrix of dot products, as SVG."""
    lines = run(*COMMAND, "--color", "always").splitlines()
    texts = [Text.from_ansi(line) for line in lines]
    title = next(at for at, text in enumerate(texts) if "[dot-products]" in text.plain)
    first = next(at for at, text in enumerate(texts) if FIRST in text.plain)
    last = next(at for at, text in enumerate(texts) if LAST in text.plain)
    console = Console(record=True, width=80, file=StringIO(), force_terminal=True, height=100)
    for text in (*texts[title : title + 6], *texts[first:last]):
        console.print(text, no_wrap=True)
    theme = TerminalTheme(GROUND, INK, COLORS)
    return console.export_svg(
        title=f"rope-report {' '.join(COMMAND)}", theme=theme, unique_id="rope-report"
    )


def save_small(picture: bytes, path: Path) -> None:
    """Write a screenshot with a palette of 128 colours."""
    image = Image.open(BytesIO(picture)).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    image.save(path, optimize=True)


def answer_questions(tab: Page) -> None:
    """Answer the second question of one-pair wrongly, and open what the section shows."""
    box = tab.locator("[data-exercise=one-pair-2]")
    box.locator("input").fill("-0.841")
    box.locator(".check").click()
    tab.locator("#one-pair .reveal > summary").click()
    for number in (1, 3):  # the picture has room for one
        tab.locator(f"[data-exercise=one-pair-{number}]").evaluate("box => box.remove()")


def page_pictures(language: str, folder: Path) -> None:
    """The picture to move, and a question that was answered wrongly."""
    path = folder / "chapter.html"
    run("--lang", language, "--format", "html", "-o", str(path))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        tab = browser.new_page(viewport={"width": 1280, "height": 1080})
        tab.goto(path.as_uri())
        tab.evaluate("() => document.querySelector('.progress').remove()")
        tab.locator("#explore .panels").evaluate("panels => panels.scrollIntoView()")
        save_small(tab.screenshot(), HERE / f"page-moved.{language}.png")
        answer_questions(tab)
        tab.locator("#one-pair-title").evaluate("title => title.scrollIntoView()")
        save_small(tab.screenshot(), HERE / f"page-question.{language}.png")
        browser.close()


def main() -> None:
    """Write every picture beside this file."""
    (HERE / "terminal.svg").write_text(terminal(), "utf-8")
    run("figure", "same-content", "-o", str(HERE / "same-content.svg"))
    with TemporaryDirectory() as folder:
        for language in ("en", "ru"):
            page_pictures(language, Path(folder))


if __name__ == "__main__":
    main()
