"""Build documents from the names of sections."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Protocol

from rope_cli.document.blocks import (
    Block,
    Commands,
    Dials,
    Document,
    Heat,
    Paragraph,
    Phrase,
    Plane,
    Section,
    Series,
    Verdict,
)
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence
from rope_cli.document.vocabulary import say, t
from rope_cli.errors import RopeError
from rope_cli.example.parameters import Parameters
from rope_cli.example.worked_example import Example
from rope_cli.report import header_footer
from rope_cli.report.printed import compare_page
from rope_cli.report.replay import compare_runs
from rope_cli.report.start import start_of
from rope_cli.report.tracks import SLUGS, TRACKS, expand_groups, number_of, track_of
from rope_cli.text import Text

# Failed checks of sections that broke down, which only wrong mathematics makes them do.
COMPUTED = Check("section-computed", 1.0, 0.0, 1)
SHOWN = Check("section-shown", 1.0, 0.0, 1)
CLAIMS = {
    COMPUTED.name: t("the section can be computed", "раздел удаётся вычислить"),
    SHOWN.name: t("the section can be shown", "раздел удаётся показать"),
}


NOT_DRAWN = say(
    "A picture of this section could not be drawn: not all of its numbers are finite.",
    "Один из рисунков раздела не удалось построить: не все его числа конечны.",
)


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


def contents() -> Document:
    """Number, title and name of each section, a line each; nothing computed."""
    tracks = (
        (Paragraph(header_footer.PARTS[track]), Commands(tuple(map(line_of_contents, slugs))))
        for track, slugs in TRACKS.items()
    )
    blocks = (block for pair in tracks for block in pair)
    return Document(
        (header_footer.NAMES_OF_SECTIONS, *blocks, header_footer.ALL_QUESTIONS), sections=()
    )


def line_of_contents(slug: str) -> tuple[Phrase, str]:
    """Number and title of a section, and its name."""
    title = section_module(slug).TITLE
    return t("{number}. {title}", "{number}. {title}", number=number_of(slug), title=title), slug


def listing() -> Document:
    """Titles and questions alone, nothing computed."""
    modules = {slug: section_module(slug) for slug in SLUGS}
    return Document(
        opening=(header_footer.NAMES_OF_SECTIONS,),
        sections=header_footer.with_parts(
            [
                Section(number_of(slug), slug, module.TITLE, module.QUESTION)
                for slug, module in modules.items()
            ]
        ),
    )


def section_alone(slug: str) -> Document:
    """One section of the chapter's example and nothing around it: what a golden file holds."""
    parameters = Parameters()
    evidence = gather_sections([slug], parameters, Example)[slug]
    section = assemble_section(slug, evidence, parameters)
    sections = header_footer.explained([section])
    return Document((), sections, parameters=parameters.for_programs())


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
        try:
            evidence[slug] = example.result_of(module.gather)
        except Exception as error:
            if concerns_reader(error, used):
                raise
            evidence[slug] = Evidence({"error": name_of(error)}, (COMPUTED,))
    return evidence


def concerns_reader(error: Exception, parameters: Parameters) -> bool:
    """Whether the reader can do something about an error: ask for less, or for other values."""
    return isinstance(error, MemoryError) or (
        isinstance(error, RopeError) and bool(parameters.given)
    )


def name_of(error: Exception) -> str:
    """What went wrong, for a programmer: ``ValueError: cannot convert float NaN to integer``."""
    return f"{type(error).__name__}: {error}"


def used_parameters(module: SectionModule) -> frozenset[str]:
    """The parameters that a section takes from the reader; most take none."""
    return getattr(module, "USES", frozenset())


def uses_generic_rows(module: SectionModule) -> bool:
    """Whether a section computes with the rows without zeros of the worked example."""
    return any(hasattr(module, name) for name in ("GENERIC_QUERY", "GENERIC_KEY"))


def assemble_section(slug: str, evidence: Evidence, parameters: Parameters) -> Section:
    """A section from its evidence.

    Wrong evidence may be impossible to show. Its checks are printed all the same, and one fails.
    """
    module = section_module(slug)
    own_question = getattr(module, "OWN_QUESTION", None) if evidence.own else None
    checks = evidence.checks
    try:
        blocks = not_computed(evidence) if COMPUTED in checks else module.present(evidence)
    except Exception as error:
        if concerns_reader(error, parameters):
            raise
        blocks = not_shown(error)
        checks = (*checks, SHOWN)
    claims = {**module.CLAIMS, **CLAIMS}
    return Section(
        number=number_of(slug),
        slug=slug,
        title=module.TITLE,
        question=own_question or module.QUESTION,
        blocks=(
            *header_footer.kept_values(parameters, used_parameters(module)),
            *(block if is_drawable(block) else NOT_DRAWN for block in blocks),
        ),
        verdicts=tuple(Verdict(check, claims[check.name]) for check in checks),
        values=evidence.values,
    )


def is_drawable(block: Block) -> bool:
    """Whether every number of a picture is finite; other blocks can always be printed."""
    match block:
        case Series(curves=curves) | Dials(hands=curves):
            return all(math.isfinite(y) for curve in curves for y in (*curve.xs, *curve.ys))
        case Plane(panels=panels):
            tips = (arrow.tip for panel in panels for arrow in panel.arrows)
            return all(math.isfinite(value) for tip in tips for value in tip)
        case Heat(values=values):
            return all(math.isfinite(value) for row in values for value in row)
        case _:
            return True


def not_computed(evidence: Evidence) -> tuple[Block, ...]:
    """What stands in a section that broke down while it was computed."""
    sentence = say(
        "This section could not be computed ({error}).",
        "Этот раздел не удалось вычислить ({error}).",
        error=evidence["error"],
    )
    return (sentence,)


def not_shown(error: Exception) -> tuple[Block, ...]:
    """What stands in a section that broke down while it was shown."""
    sentence = say(
        "The rest of this section could not be shown ({error}).",
        "Остальную часть раздела не удалось показать ({error}).",
        error=name_of(error),
    )
    return (sentence,)


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
    sections = header_footer.with_parts(
        [assemble_section(slug, evidence, parameters) for slug, evidence in first.items()]
    )
    modules = [section_module(slug) for slug in slugs]
    used = frozenset[str]().union(*map(used_parameters, modules))
    generic_rows = any(map(uses_generic_rows, modules))
    opening = header_footer.opening(parameters, sections, used, first.get("one-pair"))
    note = any(track_of(slug) == "note" for slug in slugs)
    values = header_footer.chapter_values(parameters, used, note)
    verdicts = (
        compare_runs(tuple(first.values()), tuple(second.values())),
        *compare_page(
            (*opening, *values),
            sections,
            parameters.restricted_to(used),
            [parameters.restricted_to(used_parameters(module)) for module in modules],
        ),
    )
    return Document(
        opening=opening,
        sections=header_footer.explained(sections, opening),
        closing=header_footer.closing(sections, verdicts, values, parameters, generic_rows),
        verdicts=verdicts,
        verdicts_caption=header_footer.CHECKS_OF_REPORT,
        parameters=parameters.for_programs(),
        explorable=start_of(parameters) if set(slugs) >= set(TRACKS["chapter"]) else None,
    )
