"""One sentence in both languages, side by side, so that neither can be forgotten."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import Formatter

LANGUAGES = ("en", "ru")
BRACE = re.compile("[{}]")


def placeholders(sentence: str) -> frozenset[str]:
    """The names in braces of a sentence: ``"{a} is not {b}"`` has ``a`` and ``b``."""
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name is not None)


@dataclass(frozen=True, kw_only=True)
class Text:
    """A sentence in English and in Russian.

    Both languages must be given, must not be blank, and must have the same placeholders;
    otherwise ``TypeError`` or ``ValueError`` is raised, which happens when the module that holds
    the sentence is imported.
    """

    en: str
    ru: str

    def __post_init__(self) -> None:
        for language in LANGUAGES:
            if not self.in_language(language).strip():
                raise ValueError(f"a sentence is blank in {language!r}: {self!r}")
        # Most sentences have no placeholder, and all are made before anything is printed.
        if BRACE.search(self.en + self.ru) and placeholders(self.en) != placeholders(self.ru):
            raise ValueError(f"the placeholders of a sentence differ: {self!r}")

    @property
    def placeholders(self) -> frozenset[str]:
        """The names in braces, the same in both languages."""
        return placeholders(self.en)

    def in_language(self, language: str) -> str:
        """The sentence in one of :data:`LANGUAGES`, its placeholders not yet filled."""
        return self.ru if language == "ru" else self.en
