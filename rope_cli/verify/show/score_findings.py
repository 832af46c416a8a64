"""The verdict on scores."""

from __future__ import annotations

from typing import Any

from rope_cli.document.blocks import Block, Paragraph, Piece
from rope_cli.document.vocabulary import say, t
from rope_cli.verify.explain.scores import ScoreFinding
from rope_cli.verify.explain.verdict import AGREES, DIFFERS
from rope_cli.verify.show.findings import NOT_EXPLAINED
from rope_cli.verify.show.mistake_words import (
    format_list,
    mistake_values,
    mistakes_table,
    undetectable_blocks,
    undetectable_values,
)


def score_blocks(finding: ScoreFinding) -> tuple[Block, ...]:
    """The verdict, its reasons and what scores cannot show."""
    undetectable = undetectable_blocks(finding.undetectable)
    if finding.ratio <= 1:
        divided = t(", divided by the square root of d,", ", поделённых на корень из d")
        scale: Piece = "" if finding.scale == 1 else divided
        verdict = say(
            "AGREES. Each of the {compared} scores{scale} is within the {dtype} tolerance of the "
            "dot product of rows rotated by RoPE.",
            "СОВПАДАЕТ. Проверено оценок{scale}: {compared}; от скалярного произведения строк, "
            "повёрнутых RoPE, каждая отличается не больше чем на допуск {dtype}.",
            compared=finding.compared,
            scale=scale,
            dtype=finding.dtype,
        )
        return (verdict, *undetectable)
    mistakes = finding.mistakes
    return (
        say(
            "DIFFERS. The error of scores{where} is {ratio} times the {dtype} tolerance.",
            "НЕ СОВПАДАЕТ. Ошибка scores{where} равна допуску {dtype}, умноженному на {ratio}.",
            where=format_list(finding.where),
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
