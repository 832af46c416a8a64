"""The letters of a file of answers, in whatever encoding a program wrote them."""

from __future__ import annotations

import codecs
import re

from rope_cli.document.vocabulary import t
from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal, quoted

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
ACCEPTED = "utf-8, utf-16, cp1251, cp1252"
# UTF-8 in which so many signs come to a damaged one is UTF-8 all the same.
MOST_DAMAGED = 5
# Cyrillic words are runs of high bytes; accents of western languages stand alone.
CYRILLIC_WORD = re.compile(rb"[\xa8\xb8\xc0-\xff]{2}")
SPREADSHEET = t(
    "it is a spreadsheet or an archive; save the sheet as CSV",
    "это таблица или архив; сохраните лист как CSV",
)
NOT_TEXT = t(
    "it is not text in UTF-8, UTF-16, cp1251 or cp1252",
    "это не текст в UTF-8, UTF-16, cp1251 или cp1252",
)
ASSUMED = t(
    "the file is not proper UTF-8 and was read as {encoding}; --encoding decides",
    "не весь файл в UTF-8, и он прочитан как {encoding}; другую кодировку задаёт параметр "
    "--encoding",
)


class UnknownEncoding(CommandRefusal):
    """A name that is no encoding of text."""

    kind = "unknown-encoding"
    SENTENCE = Text(
        en="--encoding: there is no encoding {encoding}; accepted: {accepted} and the other names "
        "of Python's codecs",
        ru="--encoding: кодировки {encoding} нет; допустимо: {accepted} и другие имена, известные "
        "Python",
    )


class NotText(ValueError):
    """Bytes that are no text; ``reason`` says why."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason)
        self.reason = reason


def check_encoding(name: str | None) -> None:
    """Refuse a name that is no encoding of text: raises :class:`UnknownEncoding`."""
    if name is None:
        return
    try:
        "".encode(name)
        b"".decode(name)
    except (LookupError, ValueError, UnicodeError):
        raise UnknownEncoding(encoding=quoted(name), accepted=ACCEPTED) from None


def decode(data: bytes, encoding: str | None = None) -> tuple[str, str | None]:
    """The text, and the encoding if it had to be guessed.

    Raises :class:`NotText`. Without ``encoding``: UTF-8 and UTF-16 by their marks, then UTF-16 by
    its zeros, UTF-8 with few damaged signs, cp1251 if there are Cyrillic words, cp1252.
    """
    if data.startswith(b"PK\x03\x04"):
        raise NotText(SPREADSHEET)
    if encoding is not None:
        try:
            return data.decode(encoding).removeprefix("\ufeff"), None
        except (UnicodeError, ValueError):
            raise NotText(
                t(f"it is not text in {encoding}", f"это не текст в {encoding}")
            ) from None
    for mark, name in MARKS:
        if data.startswith(mark):
            return decoded(data, name), None
    if b"\0" in data:
        name = "utf-16-le" if data[1::2].count(0) > data[::2].count(0) else "utf-16-be"
        return decoded(data, name), name
    return decode_bytes(data)


def decode_bytes(data: bytes) -> tuple[str, str | None]:
    """The text of a file without zeros and marks. Raises :class:`NotText`."""
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        mended = data.decode("utf-8", "replace")
    damaged = mended.count("\ufffd")
    if sum(not sign.isascii() for sign in mended) > MOST_DAMAGED * damaged:
        return mended, "utf-8"
    if CYRILLIC_WORD.search(data):
        return data.decode("cp1251", "replace"), "cp1251"
    try:
        return data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        return decoded(data, "cp1251"), "cp1251"


def decoded(data: bytes, name: str) -> str:
    """The text in an encoding. Raises :class:`NotText`."""
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        raise NotText(NOT_TEXT) from None
