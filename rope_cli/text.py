"""One sentence in both languages, side by side, so that neither can be forgotten."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter

LANGUAGES = ("en", "ru")
BLANK = "\u00a0"  # a line must not end between a number and its noun
BRACE = re.compile("[{}]")


@lru_cache(maxsize=4096)
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


def counted(count: int, en: str, ru: str) -> Text:
    """A number and its noun: ``counted(21, "token|tokens", "токен|токена|токенов")``.

    The forms of the noun follow 1 and other numbers in English, and 1, 2 and 5 in Russian.
    """
    english, russian = en.split("|"), ru.split("|")
    return Text(
        en=f"{count}{BLANK}{english[plural_form(count, 'en')]}",
        ru=f"{count}{BLANK}{russian[plural_form(count, 'ru')]}",
    )


def plural_form(count: int, language: str) -> int:
    """Which form of a noun follows a whole number, counted from 0.

    English has two forms, as after 1 and 2. Russian has three, as after 1, 2 and 5: the last two
    digits decide, so that 21 is like 1 but 11 is like 5.
    """
    if language != "ru":
        return 0 if count == 1 else 1
    if count % 100 in range(11, 15) or count % 10 not in range(1, 5):
        return 2
    return 0 if count % 10 == 1 else 1
