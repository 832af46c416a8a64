"""The verdict on scores."""

from __future__ import annotations

from typing import Any

from rope_cli.document.blocks import Block, Paragraph, Piece
from rope_cli.document.vocabulary import say, t
from rope_cli.verify.explain.scores import ScoreFinding
from rope_cli.verify.explain.verdict import AGREES, DIFFERS
from rope_cli.verify.show.findings import NOT_EXPLAINED
from rope_cli.verify.show.mistake_words import (
    mistake_values,
    mistakes_table,
    undetectable_blocks,
    undetectable_values,
)


def score_blocks(finding: ScoreFinding) -> tuple[Block, ...]:
    """The verdict, its reasons and what scores cannot show."""
    undetectable = undetectable_blocks(finding.undetectable)
    if finding.ratio <= 1:
        divided = t(", divided by the root of d,", ", поделённые на корень из d,")
        scale: Piece = "" if finding.scale == 1 else divided
        verdict = say(
            "AGREES: all {compared} scores{scale} are those of rows that RoPE rotates, within what "
            "{dtype} allows.",
            "СОВПАДАЕТ: все оценки ({compared}){scale} — как у строк, повёрнутых RoPE, в пределах "
            "точности {dtype}.",
            compared=finding.compared,
            scale=scale,
            dtype=finding.dtype,
        )
        return (verdict, *undetectable)
    mistakes = finding.mistakes
    return (
        say(
            "DIFFERS: the score at {where} is {ratio} times as far off as {dtype} allows.",
            "НЕ СОВПАДАЕТ: оценка по индексу {where} отклоняется в {ratio} раз больше, чем "
            "допускает {dtype}.",
            where=str(list(finding.where)),
            ratio=f"{finding.ratio:.3g}",
            dtype=finding.dtype,
        ),
        mistakes_table(mistakes) if mistakes else Paragraph(NOT_EXPLAINED),
        *undetectable,
    )


def score_values(finding: ScoreFinding) -> dict[str, Any]:
    """The finding for programs."""
    return {
        "verdict": AGREES if finding.ratio <= 1 else DIFFERS,
        "mistakes": mistake_values(finding.mistakes),
        "where": list(finding.where),
        "scale": finding.scale,
        "compared": finding.compared,
        "cannot_show": undetectable_values(finding.undetectable),
    }
