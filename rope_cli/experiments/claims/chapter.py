"""What the chapter claims: its text, C1 to C23, then its program and its exercises."""

from __future__ import annotations

from rope_cli.document.evidence import greatest_difference
from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_KEY, GENERIC_QUERY, SECOND_COLUMN
from rope_cli.experiments import toy_decoder
from rope_cli.experiments.claims import attending, counting, numbers
from rope_cli.experiments.claims.claim import Claim, conditional, program, right, term
from rope_cli.experiments.claims.numbers import HEAD_BASE, HEAD_WIDTH

# One pair by hand.
QUERY, KEY = (1.0, 0.0), (0.0, 1.0)

CLAIMS: tuple[Claim, ...] = (
    right(
        "C1",
        "one-pair",
        numbers.score(QUERY, KEY, 0, 0),
        t("one pair, (0,0): the score is 0", "одна пара, (0,0): оценка 0"),
    ),
    right(
        "C2",
        "one-pair",
        numbers.rotated_coordinate(QUERY, 1, 0),
        t("R(1)q begins with cos 1", "R(1)q начинается с cos 1"),
    ),
    right(
        "C3",
        "one-pair",
        numbers.score(QUERY, KEY, 1, 0),
        t("at (1,0) the score is sin 1", "при (1,0) оценка равна sin 1"),
    ),
    right(
        "C4",
        "one-pair",
        numbers.score(QUERY, KEY, 3, 2),
        t("at (3,2), n-m = -1, it is the same", "при (3,2), n-m = -1, она та же"),
    ),
    right(
        "C5",
        "one-pair",
        numbers.rotated_coordinate(QUERY, 3, 0),
        t("yet both rows turned: R(3)q begins", "но строки повернулись: начало R(3)q"),
    ),
    right(
        "C6",
        "frequencies",
        numbers.frequency(1, 4, 100.0),
        t("d = 4, b = 100: pair 1 turns by", "d = 4, b = 100: пара 1, радиан"),
    ),
    right(
        "C7",
        "rotations",
        numbers.rotated_coordinate(FIRST_COLUMN, 2, 3),
        t("turns of m·b^(-2k/d): m = 2, sine", "углы m·b^(-2k/d): m = 2, синус"),
    ),
    right(
        "C8",
        "layouts",
        numbers.half_split,
        t("half-split R(1) of 1, 2, 3, 4 begins", "половинная R(1) от 1, 2, 3, 4: начало"),
    ),
    conditional(
        "C9",
        "refusals",
        counting.refused_widths,
        t(
            "d must be even and not 0: of the widths 1-8 so many are refused",
            "d чётно и не равно 0: сколько из ширин 1-8 отклонено",
        ),
        t(
            "if every coordinate turns; a partial rotation leaves some alone",
            "если поворачиваются все координаты; частичный поворот часть из них не трогает",
        ),
    ),
    conditional(
        "C10",
        "rotations",
        counting.changed_at_zero,
        t("R(0) = I: coordinates changed at 0", "R(0) = I: изменилось координат в позиции 0"),
        t(
            "for finite values; minus zero becomes zero, and infinity times sin 0 is no number",
            "для конечных значений; минус ноль становится нулём, бесконечность на sin 0 — не число",
        ),
    ),
    right(
        "C11",
        "norms",
        numbers.norm(GENERIC_QUERY, 5),
        t("RᵀR = I: norm of q = 1, 2, -0.5, 0.75", "RᵀR = I: норма q = 1, 2, -0.5, 0.75"),
    ),
    right(
        "C12",
        "direction",
        numbers.score(GENERIC_QUERY, GENERIC_KEY, 1, 0),
        t("the product is qᵀR((n-m)θ)k", "произведение равно qᵀR((n-m)θ)k"),
    ),
    right(
        "C13",
        "direction",
        numbers.relative_rotation,
        t("R(a)ᵀR(b) = R(b-a): R(2)ᵀR(3)", "R(a)ᵀR(b) = R(b-a): R(2)ᵀR(3)"),
    ),
    right(
        "C14",
        "content",
        numbers.score((2.0, 1.0), (-1.0, 3.0), 1, 0),
        t("content counts: other q, k at (1,0)", "содержимое важно: иные q, k в (1,0)"),
    ),
    right(
        "C15",
        "adjoints",
        numbers.adjoint("key", 2, 0),
        t("transposed turn backward: K, row 2", "транспонированный поворот: K, строка 2"),
    ),
    right(
        "C16",
        "direction",
        numbers.score(FIRST_COLUMN, SECOND_COLUMN, 1, 0),
        t("n-m has a sign (k not along q)", "у n-m есть знак (k не вдоль q)"),
    ),
    right(
        "C17",
        "order",
        attending.order_difference,
        t("equivariant; RoPE breaks that by", "эквивариантность; RoPE нарушает её на"),
    ),
    right(
        "C18a",
        "visibility",
        attending.hidden_score,
        t("RoPE hides no key: a masked score is", "RoPE не прячет ключ: оценка под маской"),
    ),
    right(
        "C18b",
        "visibility",
        attending.output_move("with-values"),
        t("V stays; if turned, outputs move by", "V не трогают; иначе выход сдвинется на"),
    ),
    right(
        "C19",
        "additive",
        attending.remembered_order,
        t("a state h/2 + x keeps the order: gap", "h/2 + x помнит порядок: разница"),
    ),
    right(
        "C20",
        "additive",
        numbers.position_term,
        t("sinusoids: fixed offsets, no promise", "синусоиды: сдвиги, но без обещаний"),
    ),
    conditional(
        "C21",
        "additive",
        numbers.frequency(1, 4, 10000.0),
        t("a sinusoid is added before q, k, v", "синусоида прибавляется до q, k, v"),
        t(
            "with base 10000, while the chapter rotates with base 100",
            "с основанием 10000, а поворачивает глава с основанием 100",
        ),
    ),
    conditional(
        "C22",
        "additive",
        numbers.cross_term,
        t("adding puts no n-m into the score", "сложение не вносит n-m в оценку"),
        t(
            "its position term has n-m; the cross term, here at (11,10), has not",
            "позиционное слагаемое знает n-m, перекрёстное — здесь в (11,10) — нет",
        ),
    ),
    right(
        "C23",
        "whole-model",
        attending.logit_change(0, attending.PREFIX),
        t("a prefix moves a decoder's logits by", "от префикса логиты сдвинулись на"),
    ),
    conditional(
        "C24",
        "base",
        numbers.frequency(3, 8, 0.01),
        t("the base is positive and finite", "основание положительно и конечно"),
        t(
            "below 1 pair 0 is the slowest: at b = 0.01, d = 8 this is pair 3",
            "меньше 1 — и пара 0 самая медленная: при b = 0.01, d = 8 вот пара 3",
        ),
    ),
    right(
        "C25",
        "refusals",
        lambda example: int(float(2**53 + 1) - float(2**53)),
        t("the angle never falls with the position", "угол не убывает с ростом позиции"),
        t(
            "but beyond 2^53 positions merge: so far apart are 2^53 and the next",
            "но после 2^53 позиции сливаются: вот расстояние от 2^53 до следующей",
        ),
    ),
    conditional(
        "C26",
        "precision",
        numbers.float32_error,
        t("sine and cosine of a finite angle are finite", "синус и косинус конечного угла конечны"),
        t(
            "but not accurate: error with float32 angles near a million",
            "но не точны: ошибка при углах в float32 около миллиона",
        ),
    ),
    program(
        "C27",
        "refusals",
        counting.first_failure,
        t("first bad cell by binary search: row", "первая плохая ячейка, строка"),
    ),
    program(
        "C28",
        "refusals",
        lambda example: 10**10 * example.embedding_for(HEAD_WIDTH, 1, HEAD_BASE).pairs,
        t("found without a walk of so many cells", "найдена без обхода стольких ячеек"),
    ),
    program(
        "C29",
        "dense-vs-pairs",
        counting.table_bytes,
        t("cos, sin: bytes, d = 128, m < 131072", "cos, sin: байтов, d = 128, m < 131072"),
    ),
    program(
        "C30",
        "shapes",
        counting.empty_interval,
        t("empty interval at the end: rows", "пустой промежуток в конце: строк"),
    ),
    right(
        "C31",
        "dense-vs-pairs",
        counting.matrix_entries,
        t("each pair once: not zero of 16384", "без матрицы: не нулей из 16384"),
    ),
    right(
        "C32",
        "adjoints",
        numbers.forward_for_transposed,
        t(
            "central differences, h = 1e-6, bound 4e-6",
            "центральные разности, h = 1e-6, граница 4e-6",
        ),
        t(
            "loose: h may be larger, the map is linear; row 0 is blind, row 1 sees a wrong turn",
            "с запасом: отображение линейно, h бывает и больше; строка 0 слепа, строка 1 "
            "видит неверный поворот",
        ),
    ),
    right(
        "C33",
        "frequencies",
        numbers.degrees_per_position,
        t("1 and 0.1 rad a step; pair 0, degrees", "1 и 0.1 рад на шаг; пара 0, градусов"),
    ),
    right(
        "C34",
        "rotations",
        numbers.rotated_coordinate(FIRST_COLUMN, 2, 1),
        t("table of rotated rows: m = 2, sine", "таблица строк: m = 2, синус"),
    ),
    right(
        "C35",
        "content",
        attending.own_score,
        t("unlike rows: diagonal 2, then", "разные строки: диагональ 2, затем"),
    ),
    conditional(
        "C36",
        "dot-products",
        lambda example: greatest_difference(example.rotated_query, example.shifted_query),
        t(
            "a shift by 3 keeps nine scores to 1e-12, though coordinates move by",
            "сдвиг на 3 сохраняет девять оценок с точностью 1e-12, хотя координаты сдвинулись на",
        ),
        t(
            "not for every shift: in float64 the error passes 1e-12 near a million",
            "но не всякий сдвиг: в float64 около миллиона ошибка переходит за 1e-12",
        ),
    ),
    right(
        "C37",
        "norms",
        numbers.norm(FIRST_COLUMN, 5),
        t("norm of 1, 0, 1, 0 after the shift", "норма 1, 0, 1, 0 после сдвига"),
    ),
    program(
        "C38",
        "shapes",
        counting.equal_lanes,
        t("lanes turned alike, of four", "одинаково повёрнуто слоёв из четырёх"),
    ),
    program(
        "C39",
        "refusals",
        counting.refused_cases,
        t("edge cases refused, of six", "отклонено граничных случаев из шести"),
    ),
    right(
        "C40",
        "adjoints",
        numbers.adjoint("query", 1, 0),
        t("gradient matrices: Q, row 1 begins", "градиенты: Q, начало строки 1"),
    ),
    right(
        "C41",
        "bugs",
        counting.blind_checks,
        t("classic checks blind to no rotation", "слепых классических проверок"),
    ),
    right(
        "C42",
        "shift-one",
        numbers.score(FIRST_COLUMN, FIRST_COLUMN, 2, 1),
        t("m alone, mirror: (0,1) and (2,1) agree", "одна m, зеркало: (0,1) и (2,1) равны"),
    ),
    right(
        "C43",
        "refusals",
        lambda example: 3 % 2,
        t("d = 3: coordinates without partner", "d = 3: координат без пары"),
    ),
    conditional(
        "C44",
        "whole-model",
        attending.logit_change(1000000),
        t(
            "the identity alone proves nothing of a whole decoder",
            "одно тождество ничего не доказывает о декодере",
        ),
        t(
            "if nothing else reads positions it follows, layer by layer; a million moves logits by",
            "если позиций больше никто не читает, следует, слой за слоем; изменение при миллионе",
        ),
    ),
    right(
        "C45",
        "exercises",
        numbers.rotated_coordinate(GENERIC_QUERY, 2, 0),
        t("indices are absolute: R(2)q begins", "индексы абсолютные: начало R(2)q"),
    ),
    right(
        "C46",
        "visibility",
        attending.weight_by_mask,
        t("RoPE does not replace the mask", "RoPE не заменяет маску"),
        t(
            "but the mask, too, tells positions: with equal scores token 5 gives token 0",
            "но и маска выдаёт позицию: при равных оценках токен 5 даёт токену 0 вес",
        ),
    ),
    right(
        "C47",
        "heads",
        lambda example: toy_decoder.HEAD_WIDTH,
        t("per head: the width of a toy head", "по головам: ширина игрушечной головы"),
    ),
    term(
        "C48",
        "frequencies",
        numbers.inverse_of_frequency(1, 4, 100.0),
        t("θ is called the inverse frequency", "θ называют обратной частотой"),
        t(
            "it is the angular frequency, the inverse of b^(2k/d), which is",
            "это сама угловая частота; обратна она числу b^(2k/d), равному",
        ),
    ),
    term(
        "C49",
        "glossary",
        lambda example: "k_n^(k)".count("k"),
        t("k is the pair, and k is the key", "k — это пара, и k — это ключ"),
        t(
            "here j is the pair; in one symbol of the chapter k stands for both",
            "здесь пара — j; в одном обозначении главы k стоит в обеих ролях",
        ),
    ),
)
