"""The verdict on an output that is not finite."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Paragraph
from rope_cli.document.vocabulary import say, t
from rope_cli.text import Text, counted
from rope_cli.verify.explain.not_finite import NotFiniteFinding
from rope_cli.verify.explain.verdict import DIFFERS
from rope_cli.verify.show.findings import NOT_EXPLAINED
from rope_cli.verify.show.mistake_words import format_list, mistake_values, mistakes_table

NOT_FINITE = t("not finite", "неконечен")
BEYOND = t("beyond 1e150", "по модулю больше 1e150")


def not_finite_blocks(finding: NotFiniteFinding) -> tuple[Block, ...]:
    """Where it begins, why if that is plain, and whether the tokens before it agree."""
    blocks: list[Block] = [verdict_paragraph(finding)]
    if finding.beyond_float16:
        blocks.append(
            say(
                "In float16 every position from 65520 on is infinite, and infinity has no cosine "
                "and no sine: compute positions and angles in float32.",
                "В float16 любая позиция от 65520 — бесконечность, а у бесконечности нет ни "
                "косинуса, ни синуса: вычисляйте позиции и углы в float32.",
            )
        )
    if finding.before is not None and finding.before.verdict == DIFFERS:
        blocks.append(
            say(
                "The tokens before it differ from RoPE as well.",
                "Токены в более ранних позициях тоже отличаются от RoPE.",
            )
        )
        mistakes = finding.before.mistakes
        blocks.append(mistakes_table(mistakes) if mistakes else Paragraph(NOT_EXPLAINED))
    elif finding.before is not None:
        blocks.append(
            say(
                "The output before it agrees with RoPE: {tokens}.",
                "В более ранних позициях выход совпадает с RoPE: {tokens}.",
                tokens=counted(finding.first, "token|tokens", "токен|токена|токенов"),
            )
        )
    return tuple(blocks)


def verdict_paragraph(finding: NotFiniteFinding) -> Block:
    """The verdict in one sentence."""
    values: dict[str, str | int | Text] = {
        "not_finite": BEYOND if math.isfinite(finding.value) else NOT_FINITE,
        "position": finding.position,
        "value": f"{finding.value:.6g}",
        "where": format_list(finding.where),
        "count": int(finding.by_token.sum()),
    }
    if finding.to_the_end:
        return say(
            "DIFFERS. From position {position} on, the output is {not_finite}: it holds {value} at "
            "{where}. Such numbers: {count}.",
            "НЕ СОВПАДАЕТ. Начиная с позиции {position} выход {not_finite}: по индексу {where} в "
            "нём {value}. Всего таких чисел: {count}.",
            **values,
        )
    return say(
        "DIFFERS. The output is {not_finite} in {wrong} of {tokens}, first at position {position}: "
        "it holds {value} at {where}. Such numbers: {count}.",
        "НЕ СОВПАДАЕТ. Выход {not_finite} у {wrong} из {tokens}, впервые в позиции {position}: по "
        "индексу {where} в нём {value}. Всего таких чисел: {count}.",
        wrong=int((finding.by_token > 0).sum()),
        tokens=counted(len(finding.by_token), "token|tokens", "токена|токенов|токенов"),
        **values,
    )


def not_finite_values(finding: NotFiniteFinding) -> dict[str, Any]:
    """The finding for programs."""
    figures = {
        "from_position": finding.position,
        "tokens": int((finding.by_token > 0).sum()),
        "numbers": int(finding.by_token.sum()),
        "to_the_end": finding.to_the_end,
        "beyond_float16": finding.beyond_float16,
    }
    before = () if finding.before is None else finding.before.mistakes
    return {
        "verdict": DIFFERS,
        "mistakes": [{"kind": "not-finite", **figures}, *mistake_values(before)],
        "where": list(finding.where),
        "position": finding.position,
        "compared": int(np.prod(finding.arrays.shape)),
    }
