"""What the text of the chapter claims."""

from __future__ import annotations

from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_KEY, GENERIC_QUERY, SECOND_COLUMN
from rope_cli.experiments.claims import attending, counting, numbers
from rope_cli.experiments.claims.claim import Claim, conditional, right

ONE, OTHER = (1.0, 0.0), (0.0, 1.0)

CLAIMS: tuple[Claim, ...] = (
    right(
        "C1",
        "one-pair",
        numbers.score(ONE, OTHER, 0, 0),
        "one pair, (0,0): the score is 0",
        "одна пара, (0,0): оценка 0",
    ),
    right(
        "C2",
        "one-pair",
        numbers.turned(ONE, 1, 0),
        "R(1)q begins with cos 1",
        "R(1)q начинается с cos 1",
    ),
    right(
        "C3",
        "one-pair",
        numbers.score(ONE, OTHER, 1, 0),
        "at (1,0) the score is sin 1",
        "при (1,0) оценка равна sin 1",
    ),
    right(
        "C4",
        "one-pair",
        numbers.score(ONE, OTHER, 3, 2),
        "at (3,2), n-m = -1, it is the same",
        "при (3,2), n-m = -1, она та же",
    ),
    right(
        "C5",
        "one-pair",
        numbers.turned(ONE, 3, 0),
        "yet both rows turned: R(3)q begins",
        "но строки повернулись: начало R(3)q",
    ),
    right(
        "C6",
        "frequencies",
        numbers.speed(1, 4, 100.0),
        "d = 4, b = 100: pair 1 turns by",
        "d = 4, b = 100: пара 1, радиан",
    ),
    right(
        "C7",
        "rotations",
        numbers.turned(FIRST_COLUMN, 2, 3),
        "turns of m·b^(-2k/d): m = 2, sine",
        "углы m·b^(-2k/d): m = 2, синус",
    ),
    right(
        "C8",
        "layouts",
        numbers.half_split,
        "half-split R(1) of 1, 2, 3, 4 begins",
        "половинная R(1) от 1, 2, 3, 4: начало",
    ),
    conditional(
        "C9",
        "refusals",
        counting.refused_widths,
        (
            "d must be even and not 0: of the widths 1-8 so many are refused",
            "d чётно и не равно 0: сколько из ширин 1-8 отклонено",
        ),
        (
            "if every coordinate turns; a partial rotation leaves some alone",
            "если поворачиваются все координаты; частичный поворот часть из них не трогает",
        ),
    ),
    conditional(
        "C10",
        "rotations",
        counting.changed_at_zero,
        ("R(0) = I: coordinates changed at 0", "R(0) = I: изменилось координат в позиции 0"),
        (
            "for finite values; minus zero becomes zero, and infinity times sin 0 is no number",
            "для конечных значений; минус ноль становится нулём, бесконечность на sin 0 — не число",
        ),
    ),
    right(
        "C11",
        "norms",
        numbers.norm(GENERIC_QUERY, 5),
        "RᵀR = I: norm of q = 1, 2, -0.5, 0.75",
        "RᵀR = I: норма q = 1, 2, -0.5, 0.75",
    ),
    right(
        "C12",
        "direction",
        numbers.score(GENERIC_QUERY, GENERIC_KEY, 1, 0),
        "the product is qᵀR((n-m)θ)k",
        "произведение равно qᵀR((n-m)θ)k",
    ),
    right(
        "C13",
        "direction",
        numbers.undone,
        "R(a)ᵀR(b) = R(b-a): R(2)ᵀR(3)",
        "R(a)ᵀR(b) = R(b-a): R(2)ᵀR(3)",
    ),
    right(
        "C14",
        "content",
        numbers.score((2.0, 1.0), (-1.0, 3.0), 1, 0),
        "content counts: other q, k at (1,0)",
        "содержимое важно: иные q, k в (1,0)",
    ),
    right(
        "C15",
        "adjoints",
        numbers.adjoint("key", 2, 0),
        "transposed turn backward: K, row 2",
        "транспонированный поворот: K, строка 2",
    ),
    right(
        "C16",
        "direction",
        numbers.score(FIRST_COLUMN, SECOND_COLUMN, 1, 0),
        "n-m has a sign (k not along q)",
        "у n-m есть знак (k не вдоль q)",
    ),
    right(
        "C17",
        "order",
        attending.order_difference,
        "equivariant; RoPE breaks that by",
        "эквивариантность; RoPE нарушает её на",
    ),
    right(
        "C18a",
        "visibility",
        attending.hidden_score,
        "RoPE hides no key: a masked score is",
        "RoPE не прячет ключ: оценка под маской",
    ),
    right(
        "C18b",
        "visibility",
        attending.output_move(rotate_values=True),
        "V stays; if turned, outputs move by",
        "V не трогают; иначе выход сдвинется на",
    ),
    right(
        "C19",
        "additive",
        attending.remembered_order,
        "a state h/2 + x keeps the order: gap",
        "h/2 + x помнит порядок: разница",
    ),
    right(
        "C20",
        "additive",
        numbers.position_term,
        "sinusoids: fixed offsets, no promise",
        "синусоиды: сдвиги, но без обещаний",
    ),
    conditional(
        "C21",
        "additive",
        numbers.speed(1, 4, 10000.0),
        ("a sinusoid is added before q, k, v", "синусоида прибавляется до q, k, v"),
        (
            "with base 10000, while the chapter rotates with base 100",
            "с основанием 10000, а поворачивает глава с основанием 100",
        ),
    ),
    conditional(
        "C22",
        "additive",
        numbers.cross_term,
        (
            "adding puts no n-m into the score",
            "сложение не вносит n-m в оценку",
        ),
        (
            "its position term has n-m; the cross term, here at (11,10), has not",
            "позиционное слагаемое знает n-m, перекрёстное — здесь в (11,10) — нет",
        ),
    ),
    right(
        "C23",
        "whole-model",
        attending.decoder_change(0, attending.PREFIX),
        "a prefix moves a decoder's logits by",
        "от префикса логиты сдвинулись на",
    ),
)
