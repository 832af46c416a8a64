"""The table of pairs before and after scaling, all pairs or the first, the last and the borders."""

from __future__ import annotations

from rope_cli.document.blocks import Block, Cell, Column, Phrase, Significant
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
    "blended": t("~ blended", "~ смешана"),
    "divided": t("÷ divided", "÷ поделена"),
    "still": t("0 still", "0 стоит"),
}


def pair_table(evidence: Evidence, every_row: bool) -> tuple[Block, ...]:
    """The pairs, and how many there are in each band."""
    bands, scaled = evidence["bands"], evidence["method"] != "default"
    columns = headings(evidence["turning_length"], scaled)
    rows = [
        pair_row(evidence, start, scaled)
        if stop - start == 1
        else gap_row(stop - start, len(columns), bands[start] if scaled else None)
        for start, stop in row_ranges(bands, every_row)
    ]
    pairs = table(None, columns, rows)
    if not scaled:
        return (pairs,)
    counts = [
        t("{band} {count}", "{band} {count}", band=BANDS[band], count=count)
        for band, count in evidence["band_counts"].items()
        if count
    ]
    by_band = say(
        "Frequencies by band: {counts}.",
        "Частоты по полосам: {counts}.",
        counts=header_footer.join(counts),
    )
    return (pairs, by_band)


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


def headings(turning_length: int, scaled: bool) -> tuple[Column, ...]:
    """The headings of the columns, the last three only if something is scaled."""
    before = right(
        "j",
        t("frequency", "частота"),
        t("wavelength", "длина волны"),
        t("turns in {length}", "оборотов за {length}", length=turning_length),
    )
    after = right(t("scaled frequency", "новая частота"), t("ratio", "новая / прежняя"))
    return (*before, *after, *left(t("band", "полоса"))) if scaled else before


def pair_row(evidence: Evidence, pair: int, scaled: bool) -> tuple[Values, ...]:
    """One pair, after scaling too if something is scaled."""
    before = (
        pair,
        Significant(evidence["unscaled_inverse_frequencies"][pair]),
        Significant(evidence["wavelengths"][pair]),
        evidence["turns"][pair],
    )
    if not scaled:
        return before
    frequency = Significant(evidence["inverse_frequencies"][pair])
    return (*before, frequency, evidence["ratios"][pair], BANDS[evidence["bands"][pair]])


def gap_row(hidden: int, width: int, band: str | None) -> tuple[Cell, ...]:
    """The row that says how many pairs are left out, all of one band."""
    more = Phrase(MORE, {"hidden": hidden})
    if band is None:
        return ("", more, *("",) * (width - 2))
    return ("", more, *("",) * (width - 3), BANDS[band])
