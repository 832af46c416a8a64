"""``rope-report verify``: the user's arrays or frequencies against RoPE, as a document."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rope_cli.document.blocks import Document, Paragraph, Piece, Section, Verdict
from rope_cli.document.check import Check
from rope_cli.document.vocabulary import t
from rope_cli.report import header_footer
from rope_cli.scaling.report import warning_values, warnings_table
from rope_cli.scaling.warnings import ConfigWarning
from rope_cli.user_input.command_errors import LONGEST_PATH, UnexpectedArgument, printable, quoted
from rope_cli.verify.comparison import (
    compare,
    compare_list,
    compare_not_finite,
    compare_query,
    compare_scores,
    outputs_exchanged,
    request_for_following,
    text_length,
)
from rope_cli.verify.explain.not_finite import NotFiniteFinding
from rope_cli.verify.explain.scores import ScoreFinding
from rope_cli.verify.explain.table_mistakes import of_table
from rope_cli.verify.explain.verdict import DIFFERS, OTHER_LAYOUT, Finding
from rope_cli.verify.measure.expected import STANDARD_LAYOUT, Expected, with_layout_of_model
from rope_cli.verify.measure.prediction_errors import Progress
from rope_cli.verify.read.named_arrays import read_arrays, read_frequencies
from rope_cli.verify.read.request import Request
from rope_cli.verify.read.stored_array import ArrayPair, NotFinite
from rope_cli.verify.show.findings import (
    finding_blocks,
    finding_values,
    model_layout_blocks,
    still_layers_blocks,
    tells_layout,
)
from rope_cli.verify.show.listed_frequencies import list_blocks, list_values
from rope_cli.verify.show.not_finite_findings import not_finite_blocks, not_finite_values
from rope_cli.verify.show.remarks import Remark, remark_sentence, remarks_on
from rope_cli.verify.show.request_summary import (
    expectation_sentence,
    parameter_values,
    positions_sentence,
)
from rope_cli.verify.show.score_findings import score_blocks, score_values

MOST_FILES = 2
TWO_FILES = t("verify FILE [FILE]", "verify ФАЙЛ [ФАЙЛ]")
ONE_LIST = t("verify --frequencies FILE", "verify --frequencies ФАЙЛ")
TITLES = {
    "output": t("The output against the input", "Выход и вход"),
    "query": t("The rotated query", "Повёрнутый запрос"),
    "key": t("The rotated key", "Повёрнутый ключ"),
    "table": t("The table of cosines and sines", "Таблица косинусов и синусов"),
}
CLAIMS = {
    "output-finite": t(
        "every number of the output is finite (how many are not)",
        "каждое число выхода конечно (количество неконечных)",
    ),
    "output-agrees": t(
        "every number is within its tolerance (error as a share of it)",
        "каждое число в пределах своего допуска (ошибка в его долях)",
    ),
    "permuted-output-agrees": t(
        "in this layout every number is within its tolerance (error as a share of it)",
        "в этой раскладке каждое число в пределах своего допуска (ошибка в его долях)",
    ),
    "float32-output-agrees": t(
        "computed in float32 in the way named above, every number is within its tolerance (error "
        "as a share of the tolerance)",
        "при названном способе вычисления в float32 каждое число в пределах своего допуска "
        "(ошибка в его долях)",
    ),
    "scores-agree": t(
        "every score is within its tolerance (error as a share of it)",
        "каждая оценка в пределах своего допуска (ошибка в его долях)",
    ),
    "frequencies-agree": t(
        "every frequency is within the float32 tolerance (difference as a share of it)",
        "каждая частота в пределах допуска float32 (разность в его долях)",
    ),
}


def report(request: Request, progress: Progress | None = None) -> Document:
    """Read the files of a request, compare them with RoPE and report; raises refusals."""
    request = with_layout_of_model(request)
    return report_list(request) if request.frequencies else report_arrays(request, progress)


def report_arrays(request: Request, progress: Progress | None) -> Document:
    """Every pair of arrays in the files, and the scores."""
    refuse_more_than(MOST_FILES, request.files)
    names, layout = (request.input_name, request.output_name), request.layout or STANDARD_LAYOUT
    arrays = read_arrays(request.files, *names, request.dtype, layout)
    if request.positions is None and request.offset is None:
        request = replace(request, linear_factor=arrays.positions.linear_factor)
    if arrays.table_form is not None:
        request = replace(request, layout=STANDARD_LAYOUT, written=None)
    following, layout_given, assumed = request, request.layout is not None, None
    sections: list[Section] = []
    unexplained: list[str] = []
    for number, pair in enumerate(arrays.pairs, start=1):
        positions = arrays.positions.of(pair.name)
        finding: Finding | NotFiniteFinding
        try:
            if pair.name == "query":
                finding, expected, assumed = compare_query(pair, arrays, following, progress)
            else:
                finding, expected = compare(pair, positions, following, progress)
            finding = of_table(finding) if arrays.table_form is not None else finding
        except NotFinite:
            finding, expected = compare_not_finite(pair, positions, following)
            section = not_finite_section(number, pair, finding)
        else:
            section = pair_section(number, pair, finding, expected, layout_given, request)
        sections.append(section)
        if isinstance(finding, Finding) and finding.verdict == DIFFERS and not finding.mistakes:
            unexplained.append(pair.name)
        if number == 1:
            first_arrays, first_expected = finding.arrays, expected
            if isinstance(finding, Finding) and tells_layout(finding):
                # The other arrays must have the layout and axes of the first.
                following, layout_given = request_for_following(finding, request), True
    if arrays.scores is not None:
        score_finding, expected, query = compare_scores(arrays.scores, arrays.positions, following)
        sections.append(score_section(len(sections) + 1, score_finding))
        if not arrays.pairs:
            first_arrays, first_expected = query, expected
    exchanged = unexplained == ["query", "key"] and outputs_exchanged(arrays, following)
    remarks = remarks_on(arrays, request, assumed, exchanged)
    opening = (
        expectation_sentence(first_expected, request, text_length(first_arrays, request)),
        positions_sentence(
            first_arrays, bool(arrays.positions.arrays), following, assumed is not None
        ),
        *map(remark_sentence, remarks),
    )
    return document(opening, sections, first_expected, request, remarks)


def report_list(request: Request) -> Document:
    """A plain list of inverse frequencies."""
    refuse_more_than(1, request.files)
    [path] = request.files
    frequencies = read_frequencies(path)
    finding, expected, length = compare_list(frequencies, request)
    check = Check("frequencies-agree", finding.ratio, 1.0, len(frequencies))
    section = Section(
        number=1,
        slug="verify-frequencies",
        title=t("The list of frequencies", "Список частот"),
        question=None,
        blocks=list_blocks(finding, printable(path, LONGEST_PATH), request.every_row),
        verdicts=(Verdict(check, CLAIMS[check.name]),),
        values=list_values(finding),
    )
    return document(
        (expectation_sentence(expected, request, length),), [section], expected, request
    )


def pair_section(
    number: int,
    pair: ArrayPair,
    finding: Finding,
    expected: Expected,
    layout_given: bool,
    request: Request,
) -> Section:
    """An input and its output."""
    files = array_names(pair)
    verdict, *details = finding_blocks(finding, expected, files, layout_given, request.every_row)
    return Section(
        number=number,
        slug=f"verify-{pair.name}",
        title=TITLES[pair.name],
        question=None,
        blocks=(
            verdict,
            *model_layout_blocks(finding, request),
            *still_layers_blocks(finding, request),
            *details,
        ),
        verdicts=(pair_verdict(finding, layout_given),),
        values=finding_values(finding, expected),
    )


def not_finite_section(number: int, pair: ArrayPair, finding: NotFiniteFinding) -> Section:
    """An output that is not finite, though its input is."""
    wrong = float(finding.by_token.sum())
    check = Check("output-finite", wrong, 0.0, math.prod(finding.arrays.shape))
    return Section(
        number=number,
        slug=f"verify-{pair.name}",
        title=TITLES[pair.name],
        question=None,
        blocks=not_finite_blocks(finding),
        verdicts=(Verdict(check, CLAIMS[check.name]),),
        values=not_finite_values(finding),
    )


def pair_verdict(finding: Finding, layout_given: bool) -> Verdict:
    """The check behind the exit code; a layout other than the one asked for fails it."""
    name, errors = "output-agrees", finding.errors
    if finding.verdict == OTHER_LAYOUT and not layout_given:
        name, errors = "permuted-output-agrees", finding.remaining
    elif finding.way is not None:
        name, errors = "float32-output-agrees", finding.remaining
    return Verdict(Check(name, errors.worst, 1.0, errors.compared), CLAIMS[name])


def score_section(number: int, finding: ScoreFinding) -> Section:
    """Scores, without the rotated rows behind them."""
    check = Check("scores-agree", finding.ratio, 1.0, finding.compared)
    return Section(
        number=number,
        slug="verify-scores",
        title=t("The scores", "Оценки запрос–ключ"),
        question=None,
        blocks=score_blocks(finding),
        verdicts=(Verdict(check, CLAIMS[check.name]),),
        values=score_values(finding),
    )


def array_names(pair: ArrayPair) -> str:
    """Both arrays by their names, and the file or files in which they lie."""
    arrays = pair.before, pair.after
    names = ", ".join(dict.fromkeys(printable(array.name) for array in arrays))
    paths = ", ".join(dict.fromkeys(printable(array.path, LONGEST_PATH) for array in arrays))
    return names if names == paths else f"{names} ({paths})"


def refuse_more_than(most: int, files: Sequence[str]) -> None:
    """Refuse a file too many."""
    if len(files) > most:
        accepted = TWO_FILES if most > 1 else ONE_LIST
        raise UnexpectedArgument(command="verify", value=quoted(files[most]), accepted=accepted)


def document(
    opening: Sequence[Piece],
    sections: Sequence[Section],
    expected: Expected,
    request: Request,
    remarks: Sequence[Remark] = (),
) -> Document:
    """The report around its sections."""
    doubtful = doubtful_of_config(request)
    caption = t("Warnings about the config:", "Предупреждения о конфигурации:")
    return Document(
        opening=(
            header_footer.NAME,
            *map(Paragraph, opening),
            *((warnings_table(caption, doubtful),) if doubtful else ()),
        ),
        sections=header_footer.with_bounds(sections),
        closing=(header_footer.outcome(sections),),
        parameters={
            **parameter_values(expected, request),
            "remarks": [{"kind": remark.kind, **remark.figures} for remark in remarks],
            "warnings": [warning_values(warning) for warning in doubtful],
        },
    )


def doubtful_of_config(request: Request) -> list[ConfigWarning]:
    """The warnings of a config about what it does not say: then it was assumed."""
    warnings = request.config.warnings if request.config else ()
    return [warning for warning in warnings if warning.kind.name in ("unknown", "assumed")]
