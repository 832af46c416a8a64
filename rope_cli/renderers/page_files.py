"""The template, the style and the scripts of the page, and the policy that allows no others."""

from __future__ import annotations

import base64
import hashlib
import pkgutil
from collections.abc import Mapping
from string import Template

# A new script of the page is a file of the folder ``page``, and its name here. They run in this
# order at the end of the page; each does nothing on a page that has no place for it.
SCRIPTS = ("numbers.js", "workbook.js", "reading.js", "explorable.js", "present.js")
STYLES = ("style.css", "explorable.css", "present.css")
# Nothing is fetched, no form is sent, and only the style and the scripts of these files count.
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src {}; script-src {}"


def fill_template(language: str, title: str, body: str) -> str:
    """The whole page; ``title`` and ``body`` are HTML."""
    style, scripts = "".join(map(read_file, STYLES)), [read_file(name) for name in SCRIPTS]
    return Template(read_file("template.html")).substitute(
        language=language,
        policy=POLICY.format(fingerprint(style), " ".join(map(fingerprint, scripts))),
        title=title,
        style=style,
        body=body,
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def fill_part(name: str, words: Mapping[str, str]) -> str:
    """A part of the page from its file; ``words`` are HTML."""
    return Template(read_file(name)).substitute(words)


def read_file(name: str) -> str:
    """A file of the folder ``page``, which may be inside a zip file.

    Styles and scripts hold ASCII only, so that no encoding of the page changes their fingerprints.
    """
    data = pkgutil.get_data(__package__, f"page/{name}")
    assert data is not None  # the loaders of files and of zip files both read data
    return data.decode("ascii")


def fingerprint(text: str) -> str:
    """The hash by which a browser knows an inline style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
