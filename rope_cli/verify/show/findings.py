"""What was found out about two arrays, as blocks of a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rope_cli.document.blocks import (
    Block,
    Cell,
    Column,
    Paragraph,
    Phrase,
    Piece,
    Short,
    Signed,
    Significant,
    Table,
    shown_indices,
)
from rope_cli.document.vocabulary import t, table
from rope_cli.report.header_footer import LAYOUTS
from rope_cli.rope.layouts import adjacent_order, half_split_order
from rope_cli.verify.explain.undetectable import Blind
from rope_cli.verify.explain.verdict import AGREES, OTHER_LAYOUT, Finding
from rope_cli.verify.measure.aligned_arrays import Arrays
from rope_cli.verify.measure.expected import Expected
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake
from rope_cli.verify.measure.sweep import Errors
from rope_cli.verify.show.frequency_mistakes import MISTAKES
from rope_cli.verify.show.names import BLIND, FIGURES, MISSING

LONGEST_LIST = 12
VERDICTS = {
    "agrees": t(
        "AGREES: all {compared} numbers are where RoPE puts them, within what {dtype} allows.",
        "СОВПАДАЕТ: все числа ({compared}) стоят там, куда их переводит RoPE, в пределах "
        "границы ({dtype}).",
    ),
    "agrees-in-another-layout": t(
        "AGREES IN ANOTHER LAYOUT: {found}, not {expected}. This is a difference, not a "
        "mistake: the two are joined by a permutation of the coordinates.",
        "СОВПАДАЕТ В ДРУГОЙ РАСКЛАДКЕ: {found}, а не {expected}. Это отличие, а не ошибка: "
        "раскладки связаны перестановкой координат.",
    ),
    "agrees-in-another-layout-given": t(
        "DIFFERS IN THE LAYOUT: {found}, not {expected}. The numbers agree once the coordinates "
        "are permuted.",
        "НЕ СОВПАДАЕТ РАСКЛАДКА: {found}, а не {expected}. После перестановки координат числа "
        "совпадают.",
    ),
    "differs": t(
        "DIFFERS: in {wrong} of {tokens} tokens numbers are farther off than {dtype} allows.",
        "НЕ СОВПАДАЕТ: у {wrong} из {tokens} токенов числа выходят за границу ({dtype}).",
    ),
}
PERMUTATION = t(
    "Take coordinate P[i] for place i, P = {order}, to pass from {found} to {expected}.",
    "Перестановка координат ({found} → {expected}): на место i ставится координата P[i], "
    "P = {order}.",
)
NOT_EXPLAINED = t(
    "No known mistake, and no two together, explains these numbers. What was measured stands "
    "below.",
    "Ни одна известная ошибка, ни две вместе не объясняют этих чисел. Ниже показано, что измерено.",
)
MOVED = t(
    "The tokens are taken to lie on axis {found} ({count} of them). If they lie on axis "
    "{other}, "
    "the heads were rotated instead of them: say so by --axes.",
    "Токенами считается ось {found} (их {count}). Если токены лежат на оси {other}, вместо них "
    "повёрнуты головы: укажите это через --axes.",
)
ROUNDING = t(
    "The errors are those of rounding in {dtype}: the tolerance asked for is finer.",
    "Это ошибки округления в {dtype}: заданный допуск строже.",
)
SCARCE = t(
    "There are so few numbers here, or so coarse ones, that chance could explain them; more "
    "tokens, more pairs or a finer dtype would tell.",
    "Чисел здесь так мало или они так грубы, что объяснение подошло бы случайно; помогут новые "
    "токены, новые пары или более точный тип чисел.",
)
AS_COARSER = t(
    "As {dtype} numbers they can be explained: if they were computed or printed with so few "
    "digits, say so by --dtype {dtype}.",
    "Как числа {dtype} они объяснимы: если столько цифр осталось при вычислении или печати, "
    "укажите --dtype {dtype}.",
)
PROVED = t(
    "With this every number is explained: the greatest error left is {share} of what is allowed.",
    "Это объясняет каждое число: наибольшая оставшаяся ошибка составляет {share} от допустимой.",
)
PROVED_IN_PART = t(
    "This explains the part of the arrays that was measured, not every number.",
    "Это объясняет ту часть массивов, на которой проведены измерения, но не каждое число.",
)
PROVED_BUT_FOR_BITS = t(
    "This explains the numbers that were measured, save single ones that were rounded the other "
    "way.",
    "Это объясняет измеренные числа, кроме единичных, округлённых в другую сторону.",
)
ALTERNATIVES = t(
    "These arrays cannot tell it from: {others}.",
    "К этим массивам подходит и другое объяснение: {others}.",
)
CANNOT_SHOW = t(
    "What these arrays could not show: {blind}.", "Чего эти массивы не покажут: {blind}."
)
ONE_BLIND = t("{what} ({why})", "{what} ({why})")
TOLERANCE = t("the tolerance", "заданный допуск")
WHAT = Column(t("what", "величина"))
VALUE = Column(t("value", "значение"))


class Checked(NamedTuple):
    """One pair of arrays by name, what was found, and the arrays and files in words."""

    name: str
    finding: Finding
    files: str


def verdict_of(finding: Finding, expected: Expected, layout_given: bool) -> Phrase:
    """The verdict in one sentence; another layout than one that was given is a difference."""
    said: dict[str, Piece] = {
        "compared": finding.errors.compared,
        "dtype": finding.arrays.dtype if finding.arrays.tolerance is None else TOLERANCE,
        "wrong": int((finding.errors.by_token > 1).sum()),
        "tokens": len(finding.errors.by_token),
        "expected": LAYOUTS[expected.layout],
        "found": LAYOUTS[finding.read.layout_in],
    }
    name = finding.verdict
    return Phrase(
        VERDICTS[f"{name}-given" if name == OTHER_LAYOUT and layout_given else name], said
    )


def arrays_table(checked: Checked) -> Table:
    """What was compared, and the greatest error."""
    finding = checked.finding
    arrays, errors = finding.arrays, finding.errors
    if finding.verdict == OTHER_LAYOUT:
        errors = finding.remaining
    *leading, token, feature = errors.where
    rows: tuple[tuple[Cell, ...], ...] = (
        (t("arrays", "массивы"), checked.files),
        (t("shape, dtype", "форма, тип"), f"{list(arrays.before.shape)}, {arrays.dtype}"),
        (
            t("axes of tokens, features", "оси токенов, признаков"),
            f"{arrays.token_axis}, {arrays.feature_axis}",
        ),
        (
            t("greatest error / pair length", "наибольшая ошибка / длина пары"),
            rough(errors.error),
        ),
        (t("allowed there", "допускается там же"), rough(errors.allowed)),
        (
            t("at [..., token, feature]", "где: [..., токен, признак]"),
            str([*leading, token, feature]),
        ),
        (t("position there", "позиция там же"), position_at(arrays, errors)),
    )
    return table(
        None,
        (
            WHAT,
            VALUE,
        ),
        rows,
    )


def rough(value: float) -> Short:
    """A size of which three digits are enough."""
    return Short(float(f"{value:.2e}"))


def position_at(arrays: Arrays, errors: Errors) -> int:
    """The position of the token with the greatest error."""
    known, token = arrays.positions, errors.where[-2]
    return int(known[token] if known.ndim == 1 else known[errors.where[0], token])


def reasons(finding: Finding, expected: Expected) -> tuple[Block, ...]:
    """What is wrong and what to change, and how well that is proved."""
    moved: tuple[Block, ...] = ()
    if finding.moved_axis:
        said: dict[str, Piece] = {
            "found": finding.arrays.token_axis,
            "other": finding.arrays.order[-3],
            "count": finding.arrays.shape[-2],
        }
        moved = (Paragraph(Phrase(MOVED, said)),)
    return (*moved, *reasons_of(finding, expected))


def reasons_of(finding: Finding, expected: Expected) -> tuple[Block, ...]:
    """The reasons without a word on axes."""
    if finding.verdict == AGREES:
        return ()
    if finding.verdict == OTHER_LAYOUT:
        return (Paragraph(permutation(finding, expected)),)
    if finding.rounding_only:
        return (Paragraph(Phrase(ROUNDING, {"dtype": finding.arrays.dtype})),)
    rougher: tuple[Block, ...] = ()
    if finding.coarser is not None:
        rougher = (Paragraph(Phrase(AS_COARSER, {"dtype": finding.coarser})),)
    if finding.scarce:
        rougher = (*rougher, Paragraph(SCARCE))
    if not finding.explanations:
        return rougher or (Paragraph(NOT_EXPLAINED),)
    blocks: list[Block] = [*rougher, mistakes_table(finding.mistakes)]
    if finding.proved:
        share = Short(float(f"{finding.remaining.worst:.1g}"))
        blocks.append(Paragraph(Phrase(PROVED, {"share": share})))
    else:
        narrow = finding.explanations[0].rounded is not None
        blocks.append(Paragraph(PROVED_BUT_FOR_BITS if narrow else PROVED_IN_PART))
    return (*blocks, *alternatives(finding.explanations[1:]))


def mistakes_table(mistakes: Sequence[Mistake]) -> Table:
    """What is wrong, and what to change."""
    rows = tuple((sentence(mistake), MISTAKES[mistake.kind].advice) for mistake in mistakes)
    columns = (
        Column(t("what is wrong", "что не так")),
        Column(t("what to change", "что изменить")),
    )
    return table(None, columns, rows)


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
            return t("yes", "да") if value else t("no", "нет")
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
    indices = shown_indices(len(values), len(values) <= LONGEST_LIST)
    return "[" + ", ".join("..." if at is None else str(values[at]) for at in indices) + "]"


def joined(pieces: Sequence[Piece], comma: str = ", ") -> Phrase:
    """Several pieces with commas between them."""
    pattern = comma.join(f"{{part{at}}}" for at in range(len(pieces)))
    filling = {f"part{at}": piece for at, piece in enumerate(pieces)}
    return Phrase(t(pattern, pattern), filling)


def blindness(finding: Finding) -> tuple[Block, ...]:
    """What these arrays could not have shown."""
    return blind_spots_in_words(finding.blind)


def blind_spots_in_words(blind: Sequence[Blind]) -> tuple[Block, ...]:
    """Mistakes that would have changed nothing, each with what is missing."""
    if not blind:
        return ()
    parts = [
        Phrase(ONE_BLIND, {"what": BLIND[each.kind], "why": MISSING[each.why]}) for each in blind
    ]
    return (Paragraph(Phrase(CANNOT_SHOW, {"blind": joined(parts, "; ")})),)
