"""The two tracks and the slugs of their sections; help and completion read only this."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from rope_cli.report import chapter, note
from rope_cli.user_input.command_errors import UnknownSection, closest_match, quoted

TRACKS = {"chapter": chapter.SLUGS, "note": note.SLUGS}
SLUGS = (*chapter.SLUGS, *note.SLUGS)
GROUPS = {**TRACKS, "all": SLUGS}
NAMES = (*GROUPS, *SLUGS)
# The sections that show a picture; a test compares this list with their blocks.
ILLUSTRATED = (
    "frequencies",
    "dot-products",
    "clocks",
    "same-content",
    "bound",
    "expectation",
    "extension",
)


def require_section(name: str) -> None:
    """Refuse what names neither a section nor a group."""
    if name not in NAMES:
        accepted = ", ".join(GROUPS)
        raise UnknownSection(closest_match(name, NAMES), slug=quoted(name), accepted=accepted)


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


def next_section(slugs: tuple[str, ...]) -> str | None:
    """The section after the last one shown, or ``None`` at the end of a track."""
    for track in TRACKS.values():
        for slug, following in pairwise(track):
            if slugs and slugs[-1] == slug:
                return following
    return None
