"""The two tracks and the slugs of their sections; help and completion read only this."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rope_cli.report import chapter, note
from rope_cli.text import Text
from rope_cli.user_input.command_errors import UnknownSection, closest_match, quoted

TRACKS = {"chapter": chapter.SLUGS, "note": note.SLUGS}
SLUGS = (*chapter.SLUGS, *note.SLUGS)
GROUPS = {**TRACKS, "all": SLUGS}
NAMES = (*GROUPS, *SLUGS)
NUMBER = re.compile(r"(?:(?P<track>[a-z]+):)?0*(?P<number>[0-9]{1,9})")
# The sections that show a picture; a test compares this list with their blocks.
ILLUSTRATED = (
    "one-pair",
    "frequencies",
    "rotations",
    "dot-products",
    "direction",
    "norms",
    "additive",
    "order",
    "visibility",
    "clocks",
    "dense-vs-pairs",
    "layouts",
    "common-shift",
    "same-content",
    "bound",
    "expectation",
    "peak",
    "bands",
    "base",
    "extension",
    "cache",
    "precision",
    "bugs",
)


def section_or_group(name: str) -> str:
    """The slug or the group that a reader means: ``norms``, ``NORMS``, ``6``, ``note:3``.

    A number alone is one of the chapter. Raises :class:`UnknownSection`.
    """
    lower = name.lower()
    if lower in NAMES:
        return lower
    match = NUMBER.fullmatch(lower)
    slugs = TRACKS.get(match["track"] or "chapter", ()) if match else ()
    if match and 1 <= int(match["number"]) <= len(slugs):
        return slugs[int(match["number"]) - 1]
    # A number that is too large is like no name.
    meant = None if slugs else closest_match(lower, NAMES)
    last, last_of_note = (len(slugs) for slugs in TRACKS.values())
    groups = ", ".join(GROUPS)
    accepted = Text(
        en=f"{groups}, 1 to {last}, note:1 to note:{last_of_note}",
        ru=f"{groups}, от 1 до {last}, от note:1 до note:{last_of_note}",
    )
    raise UnknownSection(meant, slug=quoted(name), accepted=accepted)


def track_of(slug: str) -> str:
    """The name of the track that a section belongs to."""
    return next(name for name, slugs in TRACKS.items() if slug in slugs)


def number_of(slug: str) -> int:
    """The number of a section in its track, from 1."""
    return TRACKS[track_of(slug)].index(slug) + 1


def expand_groups(names: Iterable[str]) -> tuple[str, ...]:
    """Slugs and group names as slugs without repetition, in their order."""
    slugs = (slug for name in names for slug in GROUPS.get(name, (name,)))
    return tuple(dict.fromkeys(slugs))


def next_section(slugs: Sequence[str]) -> str | None:
    """The section after the last one shown, or ``None`` at the end of a track."""
    for track in TRACKS.values():
        for slug, following in pairwise(track):
            if slugs and slugs[-1] == slug:
                return following
    return None
