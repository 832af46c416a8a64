"""The verdict on a list of frequencies."""

from __future__ import annotations

from typing import Any

from rope_cli.document.blocks import Block, Paragraph, Phrase, Short, Significant
from rope_cli.document.vocabulary import Values, right, say, t, table
from rope_cli.verify.explain.frequency_list import ListFinding
from rope_cli.verify.explain.verdict import AGREES, DIFFERS
from rope_cli.verify.show.findings import NOT_EXPLAINED, WAYS, three_digits
from rope_cli.verify.show.mistake_words import alternatives, explanation_values, mistakes_table
from rope_cli.verify.show.pairs import (
    EXPECTED_COLUMNS,
    UNKNOWN,
    Row,
    expected_cells,
    table_rows,
    telling_pairs,
)


def list_blocks(finding: ListFinding, path: str, every_row: bool) -> tuple[Block, ...]:
    """The verdict, its reasons and the pairs."""
    blocks: list[Block] = [Paragraph(verdict_sentence(finding, path))]
    if finding.way is not None:
        blocks.append(
            say(
                "They were computed in float32: {way}. The rounding errors of all previous pairs "
                "add up.",
                "Они вычислены в float32: {way}. Ошибки округления всех предыдущих пар "
                "складываются.",
                way=WAYS[finding.way],
            )
        )
    if finding.explanations:
        blocks.append(mistakes_table(finding.explanations[0].mistakes))
        blocks.extend(alternatives(finding.explanations[1:]))
    elif finding.ratio > 1:
        blocks.append(Paragraph(NOT_EXPLAINED))

    def row(pair: int) -> Row:
        frequency = float(finding.expected[pair])
        listed = Significant(float(finding.frequencies[pair]))
        difference: Values = UNKNOWN if frequency == 0 else difference_cell(finding, pair)
        return (pair, *expected_cells(frequency), listed, difference)

    columns = (
        *EXPECTED_COLUMNS,
        *right(t("listed", "в списке"), t("relative difference", "относительная разность")),
    )
    telling = telling_pairs(finding.frequencies.tolist(), finding.expected.tolist())
    pairs = len(finding.frequencies)
    rows = table_rows(pairs, every_row, row, len(columns), telling)
    return (*blocks, table(None, columns, rows))


def verdict_sentence(finding: ListFinding, path: str) -> Phrase:
    """The verdict in one sentence."""
    pairs = len(finding.frequencies)
    if finding.way is not None:
        return t(
            "AGREES. Frequencies in {path}: {pairs}, all as RoPE computed in the way below gives "
            "them.",
            "СОВПАДАЕТ. Частот в {path}: {pairs}; все они такие, какие даёт RoPE при описанном "
            "ниже способе вычисления.",
            pairs=pairs,
            path=path,
        )
    if finding.ratio <= 1:
        return t(
            "AGREES. Frequencies in {path}: {pairs}, all within the float32 tolerance of the "
            "expected ones.",
            "СОВПАДАЕТ. Частот в {path}: {pairs}; от ожидаемой каждая отличается не больше чем на "
            "допуск float32.",
            pairs=pairs,
            path=path,
        )
    return t(
        "DIFFERS. Frequencies in {path} outside the float32 tolerance: {wrong} of {pairs}. The "
        "largest difference is at pair {worst}.",
        "НЕ СОВПАДАЕТ. Частот в {path}, которые выходят за допуск float32: {wrong} из {pairs}. "
        "Наибольшее отличие у пары {worst}.",
        wrong=int((finding.differences > finding.allowed).sum()),
        pairs=pairs,
        path=path,
        worst=finding.worst,
    )


def difference_cell(finding: ListFinding, pair: int) -> Values:
    """A relative difference; one that rounding explains is not written out."""
    if finding.differences[pair] <= finding.allowed[pair]:
        return (t("at most", "не больше"), " ", Short(1e-5))
    return three_digits(float(finding.differences[pair]))


def list_values(finding: ListFinding) -> dict[str, Any]:
    """The finding for programs."""
    return {
        "verdict": AGREES if finding.ratio <= 1 else DIFFERS,
        **explanation_values(finding.explanations),
        "computed_by": finding.way,
        "greatest_difference": float(finding.differences[finding.worst]),
        "pair": finding.worst,
        "compared": len(finding.frequencies),
        "expected_frequencies": finding.expected,
        "listed_frequencies": finding.frequencies,
    }
