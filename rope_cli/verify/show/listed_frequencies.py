"""What was found out about a list of frequencies, as blocks of a document."""

from __future__ import annotations

from typing import Any

from rope_cli.document.blocks import (
    Block,
    Cell,
    Column,
    Paragraph,
    Phrase,
    Piece,
    Short,
    Significant,
)
from rope_cli.document.vocabulary import t, table
from rope_cli.verify.explain.frequency_list import Listed
from rope_cli.verify.explain.verdict import AGREES, DIFFERS, for_programs
from rope_cli.verify.show.findings import NOT_EXPLAINED, alternatives, mistakes_table, rough
from rope_cli.verify.show.pairs import UNKNOWN, expectation, rows_of, telling_pairs

AGREE = t(
    "AGREES: all {pairs} frequencies of {path} are the expected ones, within what float32 allows.",
    "СОВПАДАЕТ: все частоты из {path} ({pairs}) равны ожидаемым в пределах точности float32.",
)
DIFFER = t(
    "DIFFERS: {wrong} of {pairs} frequencies of {path} are farther off than float32 allows, "
    "pair {worst} most.",
    "НЕ СОВПАДАЕТ: частот из {path}, отклоняющихся больше, чем допускает float32: {wrong} из "
    "{pairs}; больше всех отклоняется пара {worst}.",
)
COLUMNS = (
    Column("j", "right"),
    Column(t("frequency", "частота"), "right"),
    Column(t("wavelength", "длина волны"), "right"),
    Column(t("listed", "в списке"), "right"),
    Column(t("relative difference", "относительная разность"), "right"),
)


def list_blocks(found: Listed, path: str, every_row: bool) -> tuple[Block, ...]:
    """The verdict, its reasons and the pairs."""
    agrees = found.ratio <= 1
    said: dict[str, Piece] = {
        "pairs": len(found.theta),
        "path": path,
        "wrong": int((found.off > found.allowed).sum()),
        "worst": found.worst,
    }
    blocks: list[Block] = [Paragraph(Phrase(AGREE if agrees else DIFFER, said))]
    if not agrees and found.explanations:
        blocks.append(mistakes_table(found.explanations[0].mistakes))
        blocks.extend(alternatives(found.explanations[1:]))
    elif not agrees:
        blocks.append(Paragraph(NOT_EXPLAINED))

    def row(pair: int) -> tuple[Cell, ...]:
        off: Cell = UNKNOWN if found.expected[pair] == 0 else difference(found, pair)
        listed = Significant(float(found.theta[pair]))
        return (pair, *expectation(float(found.expected[pair])), listed, off)

    telling = telling_pairs(found.theta.tolist(), found.expected.tolist())
    return (
        *blocks,
        table(None, COLUMNS, rows_of(len(found.theta), every_row, row, len(COLUMNS), telling)),
    )


def difference(found: Listed, pair: int) -> Cell:
    """A relative difference; what rounding may have left is not spelled out."""
    if found.off[pair] <= found.allowed[pair]:
        return (t("at most", "не больше"), " ", Short(1e-5))
    return rough(float(found.off[pair]))


def list_values(found: Listed) -> dict[str, Any]:
    """What programs read."""
    first = found.explanations[0].mistakes if found.explanations else ()
    return {
        "verdict": AGREES if found.ratio <= 1 else DIFFERS,
        "mistakes": [for_programs(mistake) for mistake in first],
        "alternatives": [
            [for_programs(mistake) for mistake in each.mistakes] for each in found.explanations[1:]
        ],
        "greatest_difference": float(found.off[found.worst]),
        "pair": found.worst,
        "compared": len(found.theta),
        "expected_frequencies": found.expected,
        "listed_frequencies": found.theta,
    }
