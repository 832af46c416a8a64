"""The sections in teaching order, and the document that they make.

Only names stand at the top: completion and help need them and must not wait for numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from rope_cli.report.tracks import HEADINGS, TRACKS

if TYPE_CHECKING:
    from rope_cli.document.blocks import Block, Document, Section, Verdict
    from rope_cli.document.evidence import Evidence
    from rope_cli.example.parameters import Parameters
    from rope_cli.example.worked_example import Example
    from rope_cli.text import Text

SLUGS = tuple(HEADINGS)
GROUPS = {**{name: tuple(track) for name, track in TRACKS.items()}, "all": SLUGS}
# Held true by a test: the sections that show a picture.
ILLUSTRATED = (
    "frequencies",
    "dot-products",
    "clocks",
    "same-content",
    "bound",
    "expectation",
    "extension",
)


class SectionModule(Protocol):
    """What every file of the folder ``sections`` offers."""

    CLAIMS: Mapping[str, Text]

    def gather(self, example: Example) -> Evidence:
        """Compute the numbers and the checks."""
        ...

    def present(self, evidence: Evidence) -> tuple[Block, ...]:
        """Show them."""
        ...


def section_module(slug: str) -> SectionModule:
    """The file behind a slug."""
    track = next(name for name, track in TRACKS.items() if slug in track)
    module: Any = import_module(f"rope_cli.sections.{track}.{slug.replace('-', '_')}")
    return module  # type: ignore[no-any-return]


def number_of(slug: str) -> int:
    """The place of a section in its track, from 1."""
    return next(list(track).index(slug) + 1 for track in TRACKS.values() if slug in track)


def expand_groups(names: Iterable[str]) -> tuple[str, ...]:
    """Slugs and group names as slugs, each once, in the order in which they were first named."""
    wanted = (slug for name in names for slug in GROUPS.get(name, (name,)))
    return tuple(dict.fromkeys(wanted))


def next_section(slugs: tuple[str, ...]) -> str | None:
    """The section after the last one shown, or ``None`` at the end of a track."""
    for track in TRACKS.values():
        for slug, after in pairwise(track):
            if slugs and slugs[-1] == slug:
                return after
    return None


def listing() -> Document:
    """Titles and questions alone, nothing computed."""
    from rope_cli.document.blocks import Document, Section

    sections = (
        Section(number_of(slug), slug, heading.title, heading.question)
        for slug, heading in HEADINGS.items()
    )
    return Document(opening=(), sections=tuple(sections))


def section_alone(slug: str) -> Document:
    """One section of the chapter's example and nothing around it: what a golden file holds."""
    from rope_cli.document.blocks import Document
    from rope_cli.example.parameters import Parameters
    from rope_cli.example.worked_example import Example

    parameters = Parameters()
    section = assemble_section(slug, gather_sections([slug], parameters, Example)[slug], parameters)
    return Document((), (section,), parameters=parameters.for_programs())


def gather_sections(
    slugs: Iterable[str], asked: Parameters, made: type[Example]
) -> dict[str, Evidence]:
    """What each section finds out, with those of the reader's values that it can use.

    Sections that use the same values share one example, so that nothing is rotated twice.
    """
    examples: dict[Parameters, Example] = {}
    found = {}
    for slug in slugs:
        module = section_module(slug)
        used = asked.restricted_to(used_parameters(module))
        example = examples.setdefault(used, made(used))
        found[slug] = module.gather(example)
    return found


def used_parameters(module: SectionModule) -> frozenset[str]:
    """The parameters that a section takes from the reader; most take none."""
    return getattr(module, "USES", frozenset())


def assemble_section(slug: str, evidence: Evidence, asked: Parameters) -> Section:
    """A section with what it found out."""
    from rope_cli.document.blocks import Section, Verdict
    from rope_cli.report import header_footer

    module, heading = section_module(slug), HEADINGS[slug]
    own_question = getattr(module, "OWN_QUESTION", None) if evidence.own else None
    return Section(
        number=number_of(slug),
        slug=slug,
        title=heading.title,
        question=own_question or heading.question,
        blocks=(
            *header_footer.kept_values(asked, used_parameters(module)),
            *module.present(evidence),
        ),
        verdicts=tuple(Verdict(check, module.CLAIMS[check.name]) for check in evidence.checks),
        values=evidence.values,
    )


def build(
    names: Iterable[str],
    parameters: Parameters | None = None,
    example_type: type[Example] | None = None,
) -> Document:
    """The report: sections by slug or group name, computed twice so that a replay can be checked.

    ``parameters`` are the chapter's unless given. ``example_type`` is for tests that break the
    mathematics on purpose.
    """
    from rope_cli.document.blocks import Document
    from rope_cli.example.parameters import Parameters
    from rope_cli.example.worked_example import Example
    from rope_cli.report import header_footer

    asked = parameters or Parameters()
    slugs = expand_groups(names)
    made = example_type or Example
    first, second = (gather_sections(slugs, asked, made) for _ in range(2))
    sections = tuple(assemble_section(slug, evidence, asked) for slug, evidence in first.items())
    replay = header_footer.replay(tuple(first.values()), tuple(second.values()))
    verdicts: tuple[Verdict, ...] = (replay,)
    return Document(
        opening=header_footer.opening(asked),
        sections=sections,
        closing=(
            *header_footer.reading(),
            *header_footer.closing(sections, verdicts, next_section(slugs)),
        ),
        verdicts=verdicts,
        parameters=asked.for_programs(),
    )
