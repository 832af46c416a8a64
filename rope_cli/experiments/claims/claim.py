"""One claim of a text: our words for it, a verdict, a number computed now, a section."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import Example
from rope_cli.text import Text

Verdict = Literal["wrong", "conditional", "right", "term", "program", "open"]
Measure = Callable[[Example], float]


class Claim(NamedTuple):
    """A claim with the section that shows it.

    ``mark`` counts the claims of the chapter (C) and of the note (N). ``remark`` says what is true
    instead, or on which condition. A wrong claim has a ``rival``: were it right, its number would
    be smaller than this one.
    """

    mark: str
    verdict: Verdict
    slug: str
    number: Measure
    words: Text
    remark: Text | None = None
    rival: Measure | None = None


def right(
    mark: str,
    slug: str,
    number: Measure,
    en: str,
    ru: str,
    remark: tuple[str, str] | None = None,
) -> Claim:
    """A claim that is right as it stands; some deserve a remark."""
    noted = None if remark is None else _text(remark)
    return Claim(mark, "right", slug, number, t(en, ru), noted)


def program(mark: str, slug: str, number: Measure, en: str, ru: str) -> Claim:
    """What the chapter's program does, and this one too."""
    return Claim(mark, "program", slug, number, t(en, ru))


def conditional(
    mark: str, slug: str, number: Measure, words: tuple[str, str], remark: tuple[str, str]
) -> Claim:
    """A claim that is right on a condition."""
    return Claim(mark, "conditional", slug, number, _text(words), _text(remark))


def term(
    mark: str, slug: str, number: Measure, words: tuple[str, str], remark: tuple[str, str]
) -> Claim:
    """A word that leads astray."""
    return Claim(mark, "term", slug, number, _text(words), _text(remark))


def unjudged(
    mark: str, slug: str, number: Measure, words: tuple[str, str], remark: tuple[str, str]
) -> Claim:
    """A sentence that says nothing to be judged, and why."""
    return Claim(mark, "open", slug, number, _text(words), _text(remark))


def wrong(
    mark: str,
    slug: str,
    number: Measure,
    rival: Measure,
    words: tuple[str, str],
    remark: tuple[str, str],
) -> Claim:
    """A claim that is wrong as it stands, and what is true."""
    return Claim(mark, "wrong", slug, number, _text(words), _text(remark), rival)


def _text(both: tuple[str, str]) -> Text:
    en, ru = both
    return t(en, ru)
