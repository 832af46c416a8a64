"""The verdict on scores."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rope_cli.document.blocks import Block, Paragraph, Piece
from rope_cli.document.vocabulary import say, t
from rope_cli.example.positions import format_positions
from rope_cli.verify.explain.scores import ScoreFinding
from rope_cli.verify.explain.verdict import AGREES, DIFFERS
from rope_cli.verify.read.position_arrays import Positions
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
    return (verdict_paragraph(finding), *remaining_blocks(finding))


def verdict_paragraph(finding: ScoreFinding) -> Block:
    """The verdict in one sentence."""
    if finding.ratio <= 1:
        divided = t(", divided by the square root of d,", ", поделённых на корень из d")
        scale: Piece = "" if finding.scale == 1 else divided
        return say(
            "AGREES. Each of the {compared} scores{scale} is within the {dtype} tolerance of the "
            "dot product of rows rotated by RoPE.",
            "СОВПАДАЕТ. Проверено оценок{scale}: {compared}; от скалярного произведения строк, "
            "повёрнутых RoPE, каждая отличается не больше чем на допуск {dtype}.",
            compared=finding.compared,
            scale=scale,
            dtype=finding.dtype,
        )
    if not math.isfinite(finding.value):
        return say(
            "DIFFERS. scores{where} is {value}, which is not a finite number.",
            "НЕ СОВПАДАЕТ. scores{where} равно {value}, а это не конечное число.",
            where=format_list(finding.where),
            value=str(finding.value),
        )
    return say(
        "DIFFERS. The error of scores{where} is {ratio} times the {dtype} tolerance.",
        "НЕ СОВПАДАЕТ. Ошибка scores{where} равна допуску {dtype}, умноженному на {ratio}.",
        where=format_list(finding.where),
        ratio=f"{finding.ratio:.3g}",
        dtype=finding.dtype,
    )


def remaining_blocks(finding: ScoreFinding) -> Iterator[Block]:
    """What was not compared, what was assumed, the mistake, and what scores cannot show."""
    if finding.masked:
        yield say(
            "Scores that are masked and were not compared: {masked}.",
            "Оценок, которые закрыты маской и не проверялись: {masked}.",
            masked=finding.masked,
        )
    if finding.assumed_positions is not None:
        queries, keys = (short_positions(positions) for positions in finding.assumed_positions)
        yield say(
            "Assumed: the queries are at positions {queries} and the keys at {keys}, as with a "
            "cache. To give other positions, put the arrays query_positions and key_positions "
            "into the file.",
            "Предполагается, что запросы стоят в позициях {queries}, а ключи — в позициях {keys}, "
            "как при кэше. Другие позиции читаются из массивов query_positions и key_positions.",
            queries=queries,
            keys=keys,
        )
    if finding.mistakes:
        yield mistakes_table(finding.mistakes)
    elif finding.ratio > 1 and math.isfinite(finding.value):
        yield Paragraph(NOT_EXPLAINED)
    yield from undetectable_blocks(finding.undetectable)


def short_positions(positions: Positions) -> str:
    """The positions of the first batch row."""
    return format_positions(positions.reshape(-1, positions.shape[-1])[0].tolist())


def score_values(finding: ScoreFinding) -> dict[str, Any]:
    """The finding for programs."""
    return {
        "verdict": AGREES if finding.ratio <= 1 else DIFFERS,
        "mistakes": mistake_values(finding.mistakes),
        "where": list(finding.where),
        "scale": finding.scale,
        "compared": finding.compared,
        "masked": finding.masked,
        **assumed_values(finding),
        "cannot_show": undetectable_values(finding.undetectable),
    }


def assumed_values(finding: ScoreFinding) -> dict[str, Any]:
    """The positions of queries and keys, where they were assumed."""
    if finding.assumed_positions is None:
        return {}
    queries, keys = finding.assumed_positions
    return {"assumed_query_positions": queries, "assumed_key_positions": keys}
