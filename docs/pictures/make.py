"""Make the pictures of the README: ``python docs/pictures/make.py``, from a checkout.

``terminal.svg`` is what a terminal shows, ``same-content.svg`` a figure as matplotlib draws it
(``pip install '.[figures]'``).
"""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

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


def main() -> None:
    """Write both pictures beside this file."""
    (HERE / "terminal.svg").write_text(terminal(), "utf-8")
    run("figure", "same-content", "-o", str(HERE / "same-content.svg"))


if __name__ == "__main__":
    main()
