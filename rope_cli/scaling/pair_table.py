"""The pairs before and after scaling: all of them, or the first, the last and the borders.

Two tables, because one with all columns is wider than a terminal of 80.
"""

from __future__ import annotations

from rope_cli.document.blocks import Block, Cell, Phrase, Significant
from rope_cli.document.evidence import Evidence
from rope_cli.document.summaries import MORE
from rope_cli.document.vocabulary import Values, left, right, say, t, table
from rope_cli.report import header_footer

# Tables of at most so many pairs are shown whole.
FEW = 16
AT_EACH_END = 3
AT_EACH_BORDER = 2
BANDS = {
    "kept": t("= kept", "= прежняя"),
    "blended": t("~ blended", "~ промежуточная"),
    "divided": t("÷ divided", "÷ поделена"),
    "still": t("0 unrotated", "0 без поворота"),
}
BAND_COUNTS = {
    "kept": t("{count} kept", "прежних {count}"),
    "blended": t("{count} blended", "промежуточных {count}"),
    "divided": t("{count} divided", "поделённых {count}"),
    "still": t("{count} unrotated", "без поворота {count}"),
}


def pair_table(evidence: Evidence, every_row: bool) -> tuple[Block, ...]:
    """The pairs, and if something is scaled what became of each and how many are in each band."""
    bands, ranges = evidence["bands"], row_ranges(evidence["bands"], every_row)
    scaled = evidence["method"] != "default"
    length = t(
        "full turns in {length}", "оборотов на длине {length}", length=evidence["turning_length"]
    )
    before = table(
        t("The pairs before scaling:", "Пары до масштабирования:") if scaled else None,
        right("j", t("frequency", "частота"), t("period", "период"), length),
        [
            pair_before(evidence, start) if stop - start == 1 else gap_row(stop - start, "", "")
            for start, stop in ranges
        ],
    )
    if not scaled:
        return (before,)
    after = table(
        t("The same pairs after scaling:", "Те же пары после масштабирования:"),
        (
            *right("j", t("scaled frequency", "новая частота"), t("ratio", "новая / прежняя")),
            *left(t("band", "полоса")),
        ),
        [
            pair_after(evidence, start)
            if stop - start == 1
            else gap_row(stop - start, "", BANDS[bands[start]])
            for start, stop in ranges
        ],
    )
    counts = [
        Phrase(BAND_COUNTS[band], {"count": count})
        for band, count in evidence["band_counts"].items()
        if count
    ]
    by_band = say(
        "The frequencies of the pairs: {counts}.",
        "Частоты пар: {counts}.",
        counts=header_footer.join(counts),
    )
    return (before, after, by_band)


def is_summarized(evidence: Evidence) -> bool:
    """Whether the table leaves pairs out unless every row is asked for."""
    bands = evidence["bands"]
    return len(row_ranges(bands, every_row=False)) < len(bands)


def row_ranges(bands: list[str], every_row: bool) -> list[tuple[int, int]]:
    """The pairs from ``start`` to before ``stop`` of each row: one pair, or several left out.

    The first and last pairs are shown and those on both sides of a border between bands, so that
    all pairs left out in a row are of one band.
    """
    count = len(bands)
    if every_row or count <= FEW:
        return [(pair, pair + 1) for pair in range(count)]
    wanted = {*range(AT_EACH_END), *range(count - AT_EACH_END, count)}
    for pair in range(1, count):
        if bands[pair] != bands[pair - 1]:
            wanted.update(range(pair - AT_EACH_BORDER, pair + AT_EACH_BORDER))
    # A row that says "1 more" would be no shorter than the pair itself.
    wanted |= {pair + 1 for pair in wanted if pair + 2 in wanted}
    ranges: list[tuple[int, int]] = []
    for pair in sorted(wanted & set(range(count))):
        if ranges and pair > ranges[-1][1]:
            ranges.append((ranges[-1][1], pair))
        ranges.append((pair, pair + 1))
    return ranges


def pair_before(evidence: Evidence, pair: int) -> tuple[Values, ...]:
    """One pair of the model without scaling."""
    return (
        pair,
        Significant(evidence["unscaled_inverse_frequencies"][pair]),
        Significant(evidence["wavelengths"][pair]),
        evidence["turns"][pair],
    )


def pair_after(evidence: Evidence, pair: int) -> tuple[Values, ...]:
    """What scaling makes of one pair."""
    frequency = Significant(evidence["inverse_frequencies"][pair])
    return (pair, frequency, evidence["ratios"][pair], BANDS[evidence["bands"][pair]])


def gap_row(hidden: int, *others: Cell) -> tuple[Cell, ...]:
    """The row that says how many pairs are left out, all of one band."""
    return ("", Phrase(MORE, {"hidden": hidden}), *others)
