"""Chromium, the one of the system, and a tab of it that remembers what its page does."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

NEEDED = "ROPE_REPORT_NEEDS_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A4 in the browser's pixels, without the margins that the style sheet asks for.
PAPER = round((210 - 2 * 12) / 25.4 * 96)
# The words that are shown, with a space between two elements.
WORDS = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const words = [];
    while (walker.nextNode())
        if (walker.currentNode.parentElement.checkVisibility(
            {visibilityProperty: true, contentVisibilityAuto: true}))
            words.push(walker.currentNode.data);
    return words.join(' ');
}"""


def chromium() -> str | None:
    """The browser of the system, if it has one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def launched() -> Iterator[Browser]:
    """The browser; without one the test is skipped, or fails where :data:`NEEDED` is set."""
    path = chromium()
    if path is None:
        reason = f"none of {', '.join(NAMES)} is installed"
        if os.environ.get(NEEDED):
            pytest.fail(f"{NEEDED} is set, but {reason}")
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


class Opened:
    """A tab with a page, what it asked for and what the browser objects to."""

    def __init__(
        self, browser: Browser, path: Path, scheme: Any = "light", lawless: bool = False
    ) -> None:
        self.tab: Page = browser.new_page(color_scheme=scheme, bypass_csp=lawless)
        self.path, self.scheme = path, scheme
        self.requests, self.complaints = list[str](), list[str]()
        self.tab.on("request", self.note)
        self.tab.on("console", lambda message: self.complaints.append(message.text))
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.goto(path.as_uri())

    def note(self, request: Request) -> None:
        """Remember a request."""
        self.requests.append(request.url)

    def choose_colours(self) -> None:
        """Let the reader's system choose all colours."""
        self.tab.emulate_media(forced_colors="active")

    def wide(self, width: int, media: Any = "screen") -> Page:
        """The tab at a width, on a screen or as if printed."""
        self.tab.emulate_media(media=media, color_scheme=self.scheme)
        self.tab.set_viewport_size({"width": width, "height": 900})
        return self.tab

    def printed_pages(self) -> int:
        """On how many pages of A4 it is printed."""
        printed = self.tab.pdf(format="A4", prefer_css_page_size=True)
        return len(re.findall(rb"/Type\s*/Page\b", printed))

    def unfold(self) -> None:
        """Open everything that is folded."""
        self.tab.evaluate("() => document.querySelectorAll('details').forEach(x => x.open = true)")
