"""The table of pairs: every pair or the telling ones, before and after scaling."""

from __future__ import annotations

from rope_cli.document.blocks import (
    Block,
    Cell,
    Column,
    Number,
    Paragraph,
    Phrase,
    Piece,
    Significant,
)
from rope_cli.document.evidence import Evidence
from rope_cli.document.summaries import MORE
from rope_cli.document.vocabulary import t, table

# Tables of so many pairs are shown whole.
FEW = 16
AT_EACH_END = 3
AT_EACH_BORDER = 2
CUES = {"kept": "=", "blended": "~", "divided": "÷", "still": "0"}
WORDS = {
    "kept": t("kept", "прежняя"),
    "blended": t("blended", "смешана"),
    "divided": t("divided", "поделена"),
    "still": t("still", "стоит"),
}
COUNTS = t("Frequencies by band: {counts}.", "Частоты по полосам: {counts}.")


def pair_table(evidence: Evidence, every_row: bool) -> tuple[Block, ...]:
    """The pairs, and how many there are in each band."""
    plain = evidence["method"] == "default"
    bands = evidence["bands"]
    rows = []
    for start, stop in stretches(bands, every_row):
        if stop - start == 1:
            row = plain_row(evidence, start) if plain else scaled_row(evidence, start)
        else:
            row = gap(stop - start, 4 if plain else 7, None if plain else bands[start])
        rows.append(row)
    pairs = table(None, headings(evidence["turning_length"])[: 4 if plain else 7], rows)
    return (pairs,) if plain else (pairs, Paragraph(counted(evidence["band_counts"])))


def summarises(evidence: Evidence) -> bool:
    """Whether the table of pairs leaves some out."""
    bands = evidence["bands"]
    return len(stretches(bands, every_row=False)) < len(bands)


def stretches(bands: list[str], every_row: bool) -> list[tuple[int, int]]:
    """Pairs to be shown, each alone, and the stretches between them to be left out.

    The first and last pairs are shown and those on both sides of a border of bands, so that all
    pairs of a stretch that is left out are in one band.
    """
    count = len(bands)
    if every_row or count <= FEW:
        return [(pair, pair + 1) for pair in range(count)]
    wanted = {*range(AT_EACH_END), *range(count - AT_EACH_END, count)}
    for pair in range(1, count):
        if bands[pair] != bands[pair - 1]:
            wanted.update(range(pair - AT_EACH_BORDER, pair + AT_EACH_BORDER))
    # One row that says "1 more" would be no shorter than the row itself.
    wanted |= {pair + 1 for pair in wanted if pair + 2 in wanted}
    shown = sorted(wanted & set(range(count)))
    found = []
    for at, pair in enumerate(shown):
        if at and pair - shown[at - 1] > 1:
            found.append((shown[at - 1] + 1, pair))
        found.append((pair, pair + 1))
    return found


def headings(turning_length: int) -> tuple[Column, ...]:
    """The headings; those after the fourth speak of the scaled frequency."""
    turns = t("turns in {length}", "оборотов за {length}")
    return (
        Column("j", "right"),
        Column(t("frequency", "частота"), "right"),
        Column(t("wavelength", "длина волны"), "right"),
        Column(Phrase(turns, {"length": turning_length}), "right"),
        Column(t("scaled frequency", "новая частота"), "right"),
        Column(t("ratio", "новая / прежняя"), "right"),
        Column(t("band", "полоса")),
    )


def plain_row(evidence: Evidence, pair: int) -> tuple[Cell, ...]:
    """One pair that nothing scales."""
    return (
        pair,
        Significant(evidence["unscaled_inverse_frequencies"][pair]),
        Significant(evidence["wavelengths"][pair]),
        Number(evidence["turns"][pair]),
    )


def scaled_row(evidence: Evidence, pair: int) -> tuple[Cell, ...]:
    """One pair before and after."""
    return (
        *plain_row(evidence, pair),
        Significant(evidence["inverse_frequencies"][pair]),
        Number(evidence["ratios"][pair]),
        banded(evidence["bands"][pair]),
    )


def gap(hidden: int, width: int, band: str | None) -> tuple[Cell, ...]:
    """The row that says how many pairs are left out, all of one band."""
    end: tuple[Cell, ...] = () if band is None else (banded(band),)
    middle: tuple[Cell, ...] = ("",) * (width - 2 - len(end))
    return ("", Phrase(MORE, {"hidden": hidden}), *middle, *end)


def banded(band: str) -> tuple[Piece, ...]:
    """A band by its cue and its word."""
    return (CUES[band], " ", WORDS[band])


def counted(counts: dict[str, int]) -> Phrase:
    """Each band that has pairs, with their number."""
    present = [(band, count) for band, count in counts.items() if count]
    names = [f"{{{band}}} {{{band}_count}}" for band, _ in present]
    pattern = ", ".join(names)
    filling: dict[str, Piece] = {}
    for band, count in present:
        cue = t(f"{CUES[band]} {WORDS[band].en}", f"{CUES[band]} {WORDS[band].ru}")
        filling.update({band: cue, f"{band}_count": count})
    return Phrase(COUNTS, {"counts": Phrase(t(pattern, pattern), filling)})
