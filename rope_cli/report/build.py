"""Build documents from the names of sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Protocol

from rope_cli.document.blocks import Block, Document, Section, Verdict
from rope_cli.document.evidence import Evidence
from rope_cli.example.parameters import Parameters
from rope_cli.example.worked_example import Example
from rope_cli.report import header_footer
from rope_cli.report.replay import compare_runs
from rope_cli.report.tracks import SLUGS, expand_groups, next_section, number_of, track_of
from rope_cli.text import Text


class SectionModule(Protocol):
    """What every file of the folder ``sections`` defines.

    It may also define ``USES``, the names of the parameters that it takes from the reader, and
    ``OWN_QUESTION``, which replaces the question when the reader gives values.
    """

    TITLE: Text
    QUESTION: Text
    CLAIMS: Mapping[str, Text]

    def gather(self, example: Example) -> Evidence:
        """Compute the numbers and the checks."""
        ...

    def present(self, evidence: Evidence) -> tuple[Block, ...]:
        """Show them."""
        ...


def section_module(slug: str) -> SectionModule:
    """The file behind a slug."""
    name = f"rope_cli.sections.{track_of(slug)}.{slug.replace('-', '_')}"
    module: Any = import_module(name)
    return module  # type: ignore[no-any-return]


def listing() -> Document:
    """Titles and questions alone, nothing computed."""
    modules = {slug: section_module(slug) for slug in SLUGS}
    return Document(
        opening=(),
        sections=tuple(
            Section(number_of(slug), slug, module.TITLE, module.QUESTION)
            for slug, module in modules.items()
        ),
    )


def section_alone(slug: str) -> Document:
    """One section of the chapter's example and nothing around it: what a golden file holds."""
    parameters = Parameters()
    evidence = gather_sections([slug], parameters, Example)[slug]
    section = assemble_section(slug, evidence, parameters)
    return Document((), (section,), parameters=parameters.for_programs())


def gather_sections(
    slugs: Iterable[str], parameters: Parameters, example_type: type[Example]
) -> dict[str, Evidence]:
    """The evidence of each section by its slug, from those of the reader's values that it uses.

    Sections that use the same values share one example, so that nothing is rotated twice.
    """
    examples: dict[Parameters, Example] = {}
    evidence = {}
    for slug in slugs:
        module = section_module(slug)
        used = parameters.restricted_to(used_parameters(module))
        example = examples.setdefault(used, example_type(used))
        evidence[slug] = module.gather(example)
    return evidence


def used_parameters(module: SectionModule) -> frozenset[str]:
    """The parameters that a section takes from the reader; most take none."""
    return getattr(module, "USES", frozenset())


def assemble_section(slug: str, evidence: Evidence, parameters: Parameters) -> Section:
    """A section from its evidence."""
    module = section_module(slug)
    own_question = getattr(module, "OWN_QUESTION", None) if evidence.own else None
    return Section(
        number=number_of(slug),
        slug=slug,
        title=module.TITLE,
        question=own_question or module.QUESTION,
        blocks=(
            *header_footer.kept_values(parameters, used_parameters(module)),
            *module.present(evidence),
        ),
        verdicts=tuple(Verdict(check, module.CLAIMS[check.name]) for check in evidence.checks),
        values=evidence.values,
    )


def build(
    names: Iterable[str],
    parameters: Parameters | None = None,
    example_type: type[Example] = Example,
) -> Document:
    """The report: sections by slug or group name, computed twice so that a replay can be checked.

    ``parameters`` are the chapter's unless given. ``example_type`` is for tests that break the
    mathematics on purpose.
    """
    parameters = parameters or Parameters()
    slugs = expand_groups(names)
    first, second = (gather_sections(slugs, parameters, example_type) for _ in range(2))
    sections = tuple(
        assemble_section(slug, evidence, parameters) for slug, evidence in first.items()
    )
    verdicts = (compare_runs(tuple(first.values()), tuple(second.values())),)
    return Document(
        opening=header_footer.opening(parameters),
        sections=sections,
        closing=(
            *header_footer.reading(),
            header_footer.outcome(sections, verdicts),
            header_footer.next_section_step(next_section(slugs)),
        ),
        verdicts=verdicts,
        parameters=parameters.for_programs(),
    )
