"""What was found out about two arrays, as blocks of a document."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rope_cli.document import (
    MORE,
    Block,
    Cell,
    Column,
    Number,
    Paragraph,
    Phrase,
    Piece,
    Short,
    Signed,
    Significant,
    Table,
    shown,
)
from rope_cli.rope.layouts import adjacent_order, half_split_order
from rope_cli.verify.arrays import Arrays
from rope_cli.verify.examining import AGREES, OTHER_LAYOUT, Finding
from rope_cli.verify.expected import Expected
from rope_cli.verify.hypotheses import Hypothesis, Mistake
from rope_cli.verify.mistakes import MISTAKES
from rope_cli.verify.sweep import Errors
from rope_cli.verify.words import BLIND, FIGURES, LAYOUTS, MISSING
from rope_cli.words import Text

LONGEST_LIST = 12
# A measured frequency is shown when it is surer than this share of it.
SURE = 0.01

VERDICTS = {
    "agrees": Text(
        en="AGREES: all {compared} numbers are where RoPE puts them, within what {dtype} allows.",
        ru="СОВПАДАЕТ: все числа ({compared}) стоят там, куда их переводит RoPE, в пределах "
        "точности {dtype}.",
    ),
    "agrees-in-another-layout": Text(
        en="AGREES IN ANOTHER LAYOUT: {found}, not {expected}. This is a difference, not a "
        "mistake: the two are joined by a permutation of the coordinates.",
        ru="СОВПАДАЕТ В ДРУГОЙ РАСКЛАДКЕ: {found}, а не {expected}. Это отличие, а не ошибка: "
        "раскладки связаны перестановкой координат.",
    ),
    "differs": Text(
        en="DIFFERS: in {wrong} of {tokens} tokens numbers are farther off than {dtype} allows.",
        ru="НЕ СОВПАДАЕТ: токенов, у которых числа отклоняются больше, чем допускает {dtype}: "
        "{wrong} из {tokens}.",
    ),
}
PERMUTATION = Text(
    en="Take coordinate P[i] for place i, P = {order}, to pass from {found} to {expected}.",
    ru="Чтобы перейти от раскладки «{found}» к «{expected}», ставьте на место i координату P[i], "
    "P = {order}.",
)
NOT_EXPLAINED = Text(
    en="No known mistake, and no two together, explains these numbers. What was measured stands "
    "below.",
    ru="Ни одна известная ошибка, ни две вместе не объясняют этих чисел. Ниже показано, что "
    "измерено.",
)
ROUNDING = Text(
    en="The errors are those of rounding in {dtype}: the tolerance asked for is finer.",
    ru="Это ошибки округления в {dtype}: заданный допуск строже.",
)
PROVED = Text(
    en="With this every number is explained: the greatest error left is {share} of what is "
    "allowed.",
    ru="Это объясняет каждое число: наибольшая оставшаяся ошибка составляет {share} от допустимой.",
)
PROVED_IN_PART = Text(
    en="This explains the part of the arrays that was measured, not every number.",
    ru="Это объясняет ту часть массивов, на которой проведены измерения, но не каждое число.",
)
ALTERNATIVES = Text(
    en="These arrays cannot tell it from: {others}.",
    ru="По этим массивам то же самое неотличимо от такого: {others}.",
)
CANNOT_SHOW = Text(
    en="What these arrays could not show: {blind}.",
    ru="Чего эти массивы не покажут: {blind}.",
)
ONE_BLIND = Text(en="{what} ({why})", ru="{what} ({why})")
WHAT = Column(Text(en="what", ru="величина"))
VALUE = Column(Text(en="value", ru="значение"))
UNKNOWN = "?"


class Checked(NamedTuple):
    """One pair of arrays by name, what was found, and the arrays and files in words."""

    name: str
    finding: Finding
    files: str


def verdict_of(finding: Finding, expected: Expected) -> Phrase:
    """The verdict in one sentence."""
    said: dict[str, Piece] = {
        "compared": finding.errors.compared,
        "dtype": finding.arrays.dtype,
        "wrong": int((finding.errors.by_token > 1).sum()),
        "tokens": len(finding.errors.by_token),
        "expected": LAYOUTS[expected.layout],
        "found": LAYOUTS[finding.read.layout_in],
    }
    return Phrase(VERDICTS[finding.verdict], said)


def arrays_table(checked: Checked) -> Table:
    """What was compared, and the greatest error."""
    finding = checked.finding
    arrays, errors = finding.arrays, finding.errors
    if finding.verdict == OTHER_LAYOUT:
        errors = finding.remaining
    *leading, token, feature = errors.where
    rows: tuple[tuple[Cell, ...], ...] = (
        (Text(en="arrays", ru="массивы"), checked.files),
        (Text(en="shape, dtype", ru="форма, тип"), f"{list(arrays.before.shape)}, {arrays.dtype}"),
        (
            Text(en="axes of tokens, features", ru="оси токенов, признаков"),
            f"{arrays.token_axis}, {arrays.feature_axis}",
        ),
        (
            Text(en="greatest error / pair length", ru="наибольшая ошибка / длина пары"),
            rough(errors.error),
        ),
        (Text(en="allowed there", ru="допускается там же"), rough(errors.allowed)),
        (
            Text(en="at [..., token, feature]", ru="где: [..., токен, признак]"),
            str([*leading, token, feature]),
        ),
        (Text(en="position there", ru="позиция там же"), position_at(arrays, errors)),
    )
    return Table((WHAT, VALUE), rows)


def rough(value: float) -> Short:
    """A size of which three digits are enough."""
    return Short(float(f"{value:.2e}"))


def position_at(arrays: Arrays, errors: Errors) -> int:
    """The position of the token with the greatest error."""
    known, token = arrays.positions, errors.where[-2]
    return int(known[token] if known.ndim == 1 else known[errors.where[0], token])


def reasons(finding: Finding, expected: Expected) -> tuple[Block, ...]:
    """What is wrong and what to change, and how well that is proved."""
    if finding.verdict == AGREES:
        return ()
    if finding.verdict == OTHER_LAYOUT:
        return (Paragraph(permutation(finding, expected)),)
    if finding.rounding_only:
        return (Paragraph(Phrase(ROUNDING, {"dtype": finding.arrays.dtype})),)
    if not finding.explanations:
        return (Paragraph(NOT_EXPLAINED),)
    blocks: list[Block] = [mistakes_table(finding.mistakes)]
    if finding.proved:
        share = Short(float(f"{finding.remaining.worst:.1g}"))
        blocks.append(Paragraph(Phrase(PROVED, {"share": share})))
    else:
        blocks.append(Paragraph(PROVED_IN_PART))
    return (*blocks, *alternatives(finding.explanations[1:]))


def mistakes_table(mistakes: Sequence[Mistake]) -> Table:
    """What is wrong, and what to change."""
    rows = tuple((sentence(mistake), MISTAKES[mistake.kind].advice) for mistake in mistakes)
    columns = (
        Column(Text(en="what is wrong", ru="что не так")),
        Column(Text(en="what to change", ru="что изменить")),
    )
    return Table(columns, rows)


def alternatives(others: Sequence[Hypothesis]) -> tuple[Block, ...]:
    """Other explanations that give the same numbers."""
    said = [joined([sentence(one) for one in each.mistakes]) for each in others]
    return (Paragraph(Phrase(ALTERNATIVES, {"others": joined(said, "; ")})),) if said else ()


def permutation(finding: Finding, expected: Expected) -> Phrase:
    """Which coordinate goes where, so that the layout becomes the expected one."""
    to_half = finding.read.layout_in == "adjacent"
    order = (half_split_order if to_half else adjacent_order)(expected.rotary_width)
    return Phrase(
        PERMUTATION,
        {
            "order": listed(order.tolist()),
            "found": LAYOUTS[finding.read.layout_in],
            "expected": LAYOUTS[expected.layout],
        },
    )


def sentence(mistake: Mistake) -> Phrase:
    """A mistake in words, with its figures."""
    filling = {name: figure(value) for name, value in mistake.figures.items()}
    if "offset" in filling:
        filling["offset"] = Signed(mistake.figures["offset"])
    return Phrase(MISTAKES[mistake.kind].what, filling)


def figure(value: Any) -> Piece:
    """A figure of a mistake as a piece of text."""
    match value:
        case bool():
            return Text(en="yes", ru="да") if value else Text(en="no", ru="нет")
        case str():
            return FIGURES.get(value, value)
        case [str(), *_]:
            return joined([FIGURES[word] for word in value])
        case list():
            return listed(value)
        case float():
            return Significant(float(f"{value:.9g}"))
    return int(value)


def listed(values: Sequence[Any]) -> str:
    """A list in brackets, of a long one both ends."""
    indices = shown(len(values), len(values) <= LONGEST_LIST)
    return "[" + ", ".join("..." if at is None else str(values[at]) for at in indices) + "]"


def joined(pieces: Sequence[Piece], comma: str = ", ") -> Phrase:
    """Several pieces with commas between them."""
    pattern = comma.join(f"{{part{at}}}" for at in range(len(pieces)))
    filling = {f"part{at}": piece for at, piece in enumerate(pieces)}
    return Phrase(Text(en=pattern, ru=pattern), filling)


def pairs_table(finding: Finding, expected: Expected, every_row: bool) -> tuple[Block, ...]:
    """Each pair with what was expected of it and what was measured.

    Of tokens at several positions the frequency is measured, of a single position only the angle.
    """
    if finding.slopes is None:
        return (angles_table(finding, expected, every_row),)
    measured, gains = measured_frequencies(finding), gains_of(finding)

    def row(pair: int) -> tuple[Cell, ...]:
        found, right = measured[pair], frequency_of(expected, pair)
        return (
            pair,
            *expectation(right),
            UNKNOWN if found is None else Significant(float(f"{found:.6g}")),
            UNKNOWN if found is None or right == 0 else Number(found / right),
            Number(gains[pair]),
        )

    columns = (
        *EXPECTATION,
        Column(Text(en="measured", ru="измерено"), "right"),
        Column(Text(en="ratio", ru="отношение"), "right"),
        Column(Text(en="gain", ru="рост длины"), "right"),
    )
    return (Table(columns, rows_of(len(measured), every_row, row, len(columns))),)


EXPECTATION = (
    Column("j", "right"),
    Column(Text(en="frequency", ru="частота"), "right"),
    Column(Text(en="wavelength", ru="длина волны"), "right"),
)


def frequency_of(expected: Expected, pair: int) -> float:
    """The expected frequency of a pair; 0 of one that should not turn at all."""
    return float(expected.theta[pair]) if pair < len(expected.theta) else 0.0


def expectation(right: float) -> tuple[Cell, ...]:
    """The expected frequency and its wavelength."""
    return Significant(right), "-" if right == 0 else Significant(2 * math.pi / right)


def angles_table(finding: Finding, expected: Expected, every_row: bool) -> Table:
    """The angle of each pair at the only position there is."""
    m = float(finding.turns.positions[0])
    angles = np.angle(finding.turns.factors.sum(axis=0))
    gains = gains_of(finding)

    def row(pair: int) -> tuple[Cell, ...]:
        right = frequency_of(expected, pair)
        turned = math.remainder(m * right, 2 * math.pi)
        return (
            pair,
            *expectation(right),
            Number(turned),
            Number(angles[pair]),
            Number(gains[pair]),
        )

    columns = (
        *EXPECTATION,
        Column(Text(en="angle", ru="угол"), "right"),
        Column(Text(en="measured", ru="измерено"), "right"),
        Column(Text(en="gain", ru="рост длины"), "right"),
    )
    return Table(columns, rows_of(len(gains), every_row, row, len(columns)))


def rows_of(
    count: int, every_row: bool, row: Callable[[int], tuple[Cell, ...]], width: int
) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a table of pairs, of many only those at both ends."""
    indices = shown(count, every_row)
    hidden: Cell = Phrase(MORE, {"hidden": count - len(indices) + 1})
    gap: tuple[Cell, ...] = ("", hidden, *[""] * (width - 2))
    return tuple(gap if at is None else row(at) for at in indices)


def measured_frequencies(finding: Finding) -> list[float | None]:
    """The measured frequency of each pair; ``None`` where the data leaves it open."""
    slopes = finding.slopes
    if slopes is None:
        return [None] * finding.turns.factors.shape[1]
    return [
        float(value) if off <= max(SURE * abs(value), 1e-12) else None
        for value, off in zip(slopes.theta, slopes.uncertainty, strict=True)
    ]


def gains_of(finding: Finding) -> list[float]:
    """By how much the length of each pair grew, in the middle of all rows."""
    return [float(gain) for gain in np.median(np.abs(finding.turns.factors), axis=0)]


def blindness(finding: Finding) -> tuple[Block, ...]:
    """What these arrays could not have shown."""
    if not finding.blind:
        return ()
    parts = [
        Phrase(ONE_BLIND, {"what": BLIND[each.kind], "why": MISSING[each.why]})
        for each in finding.blind
    ]
    return (Paragraph(Phrase(CANNOT_SHOW, {"blind": joined(parts, "; ")})),)
