"""What ``verify`` says about somebody's arrays or list of frequencies, as a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rope_cli.document.blocks import Document, Paragraph, Piece, Section, Verdict
from rope_cli.document.check import Check
from rope_cli.document.vocabulary import t
from rope_cli.report import header_footer
from rope_cli.user_input.command_errors import LONGEST_PATH, UnexpectedArgument, printable, quoted
from rope_cli.verify.comparison import compare, compare_scores, expected_of_list, settled_by
from rope_cli.verify.explain.frequency_list import listed
from rope_cli.verify.explain.scores import ScoreFinding
from rope_cli.verify.explain.verdict import AGREES, OTHER_LAYOUT, Finding, for_programs
from rope_cli.verify.measure.aligned_arrays import Arrays
from rope_cli.verify.measure.expected import Expected
from rope_cli.verify.measure.sweep import Progress
from rope_cli.verify.read.named_arrays import read_arrays, read_frequencies
from rope_cli.verify.read.request import Request
from rope_cli.verify.read.stored_array import Pair
from rope_cli.verify.show import findings, pairs
from rope_cli.verify.show.findings import Checked
from rope_cli.verify.show.listed_frequencies import list_blocks, list_values
from rope_cli.verify.show.request_summary import parameters_of, positions_in_words, source_of
from rope_cli.verify.show.score_findings import score_blocks, score_values

MOST_FILES = 2
TITLES = {
    "output": t("The output against the input", "Выход по сравнению с входом"),
    "query": t("The rotated query", "Повёрнутый запрос"),
    "key": t("The rotated key", "Повёрнутый ключ"),
    "scores": t("The scores", "Оценки запрос–ключ"),
    "frequencies": t("The list of frequencies", "Список частот"),
}
CLAIMS = {
    "output-agrees": t(
        "every number is within its bound (error as a share of it)",
        "каждое число в пределах своей границы (ошибка в её долях)",
    ),
    "permuted-output-agrees": t(
        "in that layout every number is within its bound (error as a share of it)",
        "в этой раскладке каждое число в пределах своей границы (ошибка в её долях)",
    ),
    "scores-agree": t(
        "every score is within its bound (error as a share of it)",
        "каждая оценка в пределах своей границы (ошибка в её долях)",
    ),
    "frequencies-agree": t(
        "every frequency is within what float32 allows (difference as a share of it)",
        "каждая частота в пределах точности float32 (разность в её долях)",
    ),
}


class Asked(NamedTuple):
    """What was compared with what, in words and for programs."""

    expected: Expected
    opening: tuple[Piece, ...]
    layout_given: bool
    parameters: Mapping[str, Any]


def report(request: Request, progress: Progress | None = None) -> Document:
    """Compare the arrays, or the list of frequencies, with what is expected."""
    if request.frequencies:
        return document_of_list(request.files, request, request.every_row)
    names = request.input_name, request.output_name
    return document_of_arrays(
        request.files, request, request.every_row, names, request.dtype, progress
    )


def document_of_arrays(
    files: Sequence[str],
    request: Request,
    every_row: bool,
    names: tuple[str | None, str | None] = (None, None),
    dtype: str | None = None,
    progress: Progress | None = None,
) -> Document:
    """Read the files, compare every pair of arrays in them, and report."""
    refuse_more_than(MOST_FILES, files)
    given = read_arrays(files, *names, dtype)
    from_file = given.positions is not None
    sections = []
    for number, pair in enumerate(given.pairs, start=1):
        finding, expected = compare(pair, given.positions, request, progress)
        if number == 1:
            layout_given, request = request.layout is not None, settled_by(finding, request)
            asked = asked_of(finding.arrays, expected, request, files, from_file)
        checked = Checked(pair.name, finding, in_words(pair))
        sections.append(section(number, checked, expected, layout_given or number > 1, every_row))
    if given.scores is not None:
        query, expected, found = compare_scores(given.scores, given.positions, request)
        if not sections:
            asked = asked_of(query, expected, request, files, from_file)
        sections.append(score_section(len(sections) + 1, found))
    return document(asked, sections)


def score_section(number: int, found: ScoreFinding) -> Section:
    """Scores without the rows that gave them."""
    check = Check("scores-agree", found.ratio, 1.0, found.compared)
    return Section(
        number=number,
        slug="verify-scores",
        title=TITLES["scores"],
        question=None,
        blocks=score_blocks(found),
        verdicts=(Verdict(check, CLAIMS[check.name]),),
        values=score_values(found),
    )


def asked_of(
    arrays: Arrays, expected: Expected, request: Request, files: Sequence[str], from_file: bool
) -> Asked:
    """What was asked for, by the first arrays."""
    length = int(arrays.positions.max()) + 1
    opening = (
        source_of(expected, request, length),
        positions_in_words(arrays, from_file, request),
    )
    parameters = parameters_of(expected, request, files)
    return Asked(expected, opening, request.layout is not None, parameters)


def refuse_more_than(most: int, files: Sequence[str]) -> None:
    """Refuse a file too many."""
    if len(files) > most:
        accepted = "verify FILE [FILE]" if most > 1 else "verify --frequencies FILE"
        raise UnexpectedArgument(command="verify", value=quoted(files[most]), accepted=accepted)


def document(asked: Asked, sections: Sequence[Section]) -> Document:
    """The report around its sections."""
    return Document(
        opening=(Paragraph(header_footer.NAME), *(Paragraph(piece) for piece in asked.opening)),
        sections=tuple(sections),
        closing=(Paragraph(header_footer.BOUNDS), header_footer.closing(sections, (), None)[0]),
        parameters=asked.parameters,
    )


def in_words(pair: Pair) -> str:
    """Both arrays by their names, and the file or files they are in."""
    one, two = pair.before, pair.after
    names = f"{printable(one.name)}, {printable(two.name)}"
    paths = ", ".join(dict.fromkeys(printable(each.path, LONGEST_PATH) for each in (one, two)))
    return names if names == paths else f"{names} ({paths})"


def section(
    number: int, checked: Checked, expected: Expected, layout_given: bool, every_row: bool
) -> Section:
    """One pair of arrays."""
    finding = checked.finding
    return Section(
        number=number,
        slug=f"verify-{checked.name}",
        title=TITLES[checked.name],
        question=None,
        blocks=(
            Paragraph(findings.verdict_of(finding, expected, layout_given)),
            *findings.reasons(finding, expected),
            findings.arrays_table(checked),
            *pairs.pairs_table(finding, expected, every_row),
            *findings.blindness(finding),
        ),
        verdicts=(check_of(finding, layout_given),),
        values=values_of(finding, expected),
    )


def check_of(finding: Finding, layout_given: bool) -> Verdict:
    """The check behind the exit code; another layout than the one asked for by name fails it."""
    permuted = finding.verdict == OTHER_LAYOUT and not layout_given
    errors = finding.remaining if permuted else finding.errors
    name = "permuted-output-agrees" if permuted else "output-agrees"
    return Verdict(Check(name, errors.worst, 1.0, errors.compared), CLAIMS[name])


def values_of(finding: Finding, expected: Expected) -> dict[str, Any]:
    """What programs read."""
    errors, turns = finding.errors, finding.turns
    if finding.verdict == OTHER_LAYOUT:
        errors = finding.remaining
    return {
        "verdict": finding.verdict,
        "mistakes": [for_programs(mistake) for mistake in finding.mistakes],
        "alternatives": [
            [for_programs(mistake) for mistake in each.mistakes]
            for each in finding.explanations[1:]
        ],
        "every_number_explained": finding.proved or finding.verdict == AGREES,
        "coarser_dtype": finding.coarser,
        "greatest_error": errors.error,
        "allowed": errors.allowed,
        "where": list(errors.where),
        "position": findings.position_at(finding.arrays, errors),
        "compared": errors.compared,
        "cannot_show": [{"kind": each.kind, "why": each.why} for each in finding.blind],
        "expected_frequencies": expected.theta,
        "measured_frequencies": pairs.measured_frequencies(finding),
        "measured_positions": turns.positions,
        "measured_angles": np.angle(turns.factors),
        "gains": pairs.gains_of(finding),
        "dtype": finding.arrays.dtype,
        "shape": list(finding.arrays.before.shape),
        "token_axis": finding.arrays.token_axis,
    }


def document_of_list(files: Sequence[str], request: Request, every_row: bool) -> Document:
    """Read a plain list of inverse frequencies and compare it with the expected ones."""
    refuse_more_than(1, files)
    theta = read_frequencies(files[0])
    expected, length = expected_of_list(request, len(theta))
    found = listed(theta, expected)
    check = Check("frequencies-agree", found.ratio, 1.0, len(theta))
    path = printable(files[0], LONGEST_PATH)
    one = Section(
        number=1,
        slug="verify-frequencies",
        title=TITLES["frequencies"],
        question=None,
        blocks=list_blocks(found, path, every_row),
        verdicts=(Verdict(check, CLAIMS[check.name]),),
        values=list_values(found),
    )
    parameters = parameters_of(expected, request, files)
    opening = (source_of(expected, request, length),)
    return document(Asked(expected, opening, False, parameters), (one,))
