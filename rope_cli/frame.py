"""What stands around the sections: the parameters above them, the verdict below them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rope_cli.document import (
    Block,
    Legend,
    Paragraph,
    Phrase,
    Section,
    Short,
    Verdict,
)
from rope_cli.evidence import Check, Evidence
from rope_cli.parameters import Parameters
from rope_cli.words import Text

NAME = Text(
    en="Rotary position embedding (RoPE), computed and checked on this machine",
    ru="Ротационное позиционное кодирование (RoPE): вычислено и проверено на этой машине",
)
GIVEN = Text(
    en="The chapter's values: feature width d = {width}, pairs {pairs}, base b = {base}, adjacent "
    "layout, positions {first}-{last}, equal shift +{shift}, float64.",
    ru="Значения главы: ширина признаков d = {width}, пар {pairs}, основание b = {base}, соседние "
    "пары, позиции {first}–{last}, одинаковый сдвиг +{shift}, float64.",
)
REPLAY = Text(
    en="a second run gives the same bits",
    ru="второй запуск даёт те же биты",
)
ALL_HELD = Text(
    en="{held} of {total} checks held.",
    ru="Выполнено проверок: {held} из {total}.",
)
SOME_FAILED = Text(
    en="{held} of {total} checks held; {failed} FAILED: {names}.",
    ru="Выполнено проверок: {held} из {total}; ОТКЛОНЕНО {failed}: {names}.",
)
NEXT = Text(
    en="Next: {command} ({reason}).",
    ru="Дальше: {command} ({reason}).",
)
PROVE = Text(
    en="compares this text with its golden files",
    ru="сверит этот текст с эталонными файлами",
)
READ_ON = Text(en="the next section", ru="следующий раздел")


def opening(parameters: Parameters) -> tuple[Block, ...]:
    """The name of the report, its parameters and its cues."""
    return (
        Paragraph(NAME),
        Paragraph(
            Phrase(
                GIVEN,
                {
                    "width": parameters.feature_width,
                    "pairs": parameters.pairs,
                    "base": Short(parameters.base),
                    "first": parameters.positions[0],
                    "last": parameters.positions[-1],
                    "shift": parameters.shift,
                },
            )
        ),
        Legend(),
    )


def replay(first: Sequence[Evidence], second: Sequence[Evidence]) -> Verdict:
    """Whether two runs found the same bits, value by value."""
    one, two = ([*_octets(run)] for run in (first, second))
    changed = sum(a != b for a, b in zip(one, two, strict=False)) + abs(len(one) - len(two))
    return Verdict(Check("bitwise-replay", float(changed), 0.0, len(one)), REPLAY)


def _octets(value: Any) -> Iterator[bytes]:
    """The bits of every number and word inside a value, in order."""
    match value:
        case Evidence():
            yield from _octets(value.values)
        case Mapping():
            for name, inner in value.items():
                yield str(name).encode()
                yield from _octets(inner)
        case np.ndarray():
            yield str((value.shape, value.dtype)).encode()
            yield from (number.tobytes() for number in value.ravel())
        case list() | tuple():
            for inner in value:
                yield from _octets(inner)
        case _:
            yield repr(value).encode()


def closing(
    sections: Sequence[Section], verdicts: Sequence[Verdict], following: str | None
) -> tuple[Block, ...]:
    """How many checks held, which did not, and what to run next."""
    nested = (section.verdicts for section in sections)
    checks = [verdict.check for group in (*nested, verdicts) for verdict in group]
    failed = [check.name for check in checks if not check.holds]
    count = {"held": len(checks) - len(failed), "total": len(checks)}
    if failed:
        named = ", ".join(failed)
        outcome = Phrase(SOME_FAILED, {**count, "failed": len(failed), "names": named})
    else:
        outcome = Phrase(ALL_HELD, count)
    if following is None:
        command, reason = "rope-report check", PROVE
    else:
        command, reason = f"rope-report show {following}", READ_ON
    return (
        Paragraph(outcome),
        Paragraph(Phrase(NEXT, {"command": command, "reason": reason})),
    )
