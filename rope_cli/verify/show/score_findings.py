"""What was found out about scores, as blocks of a document."""

from __future__ import annotations

from typing import Any

from rope_cli.document.blocks import Block, Paragraph, Phrase, Piece
from rope_cli.document.vocabulary import t
from rope_cli.verify.explain.scores import ScoreFinding
from rope_cli.verify.explain.verdict import AGREES, DIFFERS, for_programs
from rope_cli.verify.show.findings import NOT_EXPLAINED, blind_spots_in_words, mistakes_table

AGREE = t(
    "AGREES: all {compared} scores{scale} are those of rows that RoPE rotates, within what "
    "{dtype} allows.",
    "СОВПАДАЕТ: все оценки ({compared}){scale} — как у строк, повёрнутых RoPE, в пределах "
    "точности {dtype}.",
)
DIFFER = t(
    "DIFFERS: the score at {where} is {ratio} times as far off as {dtype} allows.",
    "НЕ СОВПАДАЕТ: оценка по индексу {where} отклоняется в {ratio} раз больше, чем допускает "
    "{dtype}.",
)
DIVIDED = t(", divided by the root of d,", ", поделённые на корень из d,")


def score_blocks(found: ScoreFinding) -> tuple[Block, ...]:
    """The verdict, its reasons and what scores cannot show."""
    said: dict[str, Piece] = {
        "compared": found.compared,
        "dtype": found.dtype,
        "scale": "" if found.scale == 1 else DIVIDED,
        "where": str(list(found.where)),
        "ratio": f"{found.ratio:.3g}",
    }
    blocks: list[Block] = [Paragraph(Phrase(AGREE if found.ratio <= 1 else DIFFER, said))]
    if found.ratio > 1:
        named = found.mistakes
        blocks.append(mistakes_table(named) if named else Paragraph(NOT_EXPLAINED))
    return (*blocks, *blind_spots_in_words(found.blind))


def score_values(found: ScoreFinding) -> dict[str, Any]:
    """What programs read."""
    return {
        "verdict": AGREES if found.ratio <= 1 else DIFFERS,
        "mistakes": [for_programs(mistake) for mistake in found.mistakes],
        "where": list(found.where),
        "scale": found.scale,
        "compared": found.compared,
        "cannot_show": [{"kind": each.kind, "why": each.why} for each in found.blind],
    }
