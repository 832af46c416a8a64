"""What the program of the chapter does and its exercises claim."""

from __future__ import annotations

from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_QUERY
from rope_cli.experiments.claims import attending, counting, numbers
from rope_cli.experiments.claims.claim import Claim, conditional, program, right, term

CLAIMS: tuple[Claim, ...] = (
    conditional(
        "C24",
        "base",
        numbers.speed(3, 8, 0.01),
        ("the base is positive and finite", "основание положительно и конечно"),
        (
            "below 1 pair 0 is the slowest: at b = 0.01, d = 8 this is pair 3",
            "меньше 1 — и пара 0 самая медленная: при b = 0.01, d = 8 вот пара 3",
        ),
    ),
    right(
        "C25",
        "refusals",
        counting.lost_above,
        "the angle never falls with the position",
        "угол не убывает с ростом позиции",
        (
            "but beyond 2^53 positions merge: so far apart are 2^53 and the next",
            "но после 2^53 позиции сливаются: вот расстояние от 2^53 до следующей",
        ),
    ),
    conditional(
        "C26",
        "precision",
        numbers.float32_error,
        ("sine and cosine of a finite angle are finite", "синус и косинус конечного угла конечны"),
        (
            "but not accurate: error with float32 angles near a million",
            "но не точны: ошибка при углах в float32 около миллиона",
        ),
    ),
    program(
        "C27",
        "refusals",
        counting.first_failure,
        "first bad cell by binary search: row",
        "первая плохая ячейка, строка",
    ),
    program(
        "C28",
        "refusals",
        counting.cells_not_visited,
        "found without a walk of so many cells",
        "найдена без обхода стольких ячеек",
    ),
    program(
        "C29",
        "dense-vs-pairs",
        counting.table_octets,
        "cos, sin: bytes, d = 128, m < 131072",
        "cos, sin: байтов, d = 128, m < 131072",
    ),
    program(
        "C30",
        "shapes",
        counting.empty_interval,
        "empty interval at the end: rows",
        "пустой промежуток в конце: строк",
    ),
    right(
        "C31",
        "dense-vs-pairs",
        counting.matrix_entries,
        "each pair once: not zero of 16384",
        "без матрицы: не нулей из 16384",
    ),
    right(
        "C32",
        "adjoints",
        numbers.turned_forward,
        "central differences, h = 1e-6, bound 4e-6",
        "центральные разности, h = 1e-6, граница 4e-6",
        (
            "loose: h may be larger, the map is linear; row 0 is blind, row 1 sees a wrong turn",
            "с запасом: отображение линейно, h бывает и больше; строка 0 слепа, строка 1 видит "
            "неверный поворот",
        ),
    ),
    right(
        "C33",
        "frequencies",
        numbers.degrees_per_position,
        "1 and 0.1 rad a step; pair 0, degrees",
        "1 и 0.1 рад на шаг; пара 0, градусов",
    ),
    right(
        "C34",
        "rotations",
        numbers.turned(FIRST_COLUMN, 2, 1),
        "table of rotated rows: m = 2, sine",
        "таблица строк: m = 2, синус",
    ),
    right(
        "C35",
        "content",
        attending.own_score,
        "unlike rows: diagonal 2, then",
        "разные строки: диагональ 2, затем",
    ),
    conditional(
        "C36",
        "dot-products",
        attending.coordinate_move,
        (
            "a shift by 3 keeps nine scores to 1e-12, though coordinates move by",
            "сдвиг на 3 сохраняет девять оценок с точностью 1e-12, хотя координаты сдвинулись на",
        ),
        (
            "not for every shift: in float64 the error passes 1e-12 near a million",
            "но не всякий сдвиг: в float64 около миллиона ошибка переходит за 1e-12",
        ),
    ),
    right(
        "C37",
        "norms",
        numbers.norm(FIRST_COLUMN, 5),
        "norm of 1, 0, 1, 0 after the shift",
        "норма 1, 0, 1, 0 после сдвига",
    ),
    program(
        "C38",
        "shapes",
        counting.lanes_turned,
        "lanes turned alike, of four",
        "одинаково повёрнуто слоёв из четырёх",
    ),
    program(
        "C39",
        "refusals",
        counting.refused_cases,
        "edge cases refused, of six",
        "отклонено граничных случаев из шести",
    ),
    right(
        "C40",
        "adjoints",
        numbers.adjoint("query", 1, 0),
        "gradient matrices: Q, row 1 begins",
        "градиенты: Q, начало строки 1",
    ),
    right(
        "C41",
        "bugs",
        counting.blind_checks,
        "classic checks blind to no rotation",
        "слепых классических проверок",
    ),
    right(
        "C42",
        "shift-one",
        numbers.score(FIRST_COLUMN, FIRST_COLUMN, 2, 1),
        "m alone, mirror: (0,1) and (2,1) agree",
        "одна m, зеркало: (0,1) и (2,1) равны",
    ),
    right(
        "C43",
        "refusals",
        counting.left_alone,
        "d = 3: coordinates without partner",
        "d = 3: координат без пары",
    ),
    conditional(
        "C44",
        "whole-model",
        attending.decoder_change(1_000_000),
        (
            "the identity alone proves nothing of a whole decoder",
            "одно тождество ничего не доказывает о декодере",
        ),
        (
            "if nothing else reads positions it follows, layer by layer; a million moves logits by",
            "если позиций больше никто не читает, следует, слой за слоем; изменение при миллионе",
        ),
    ),
    right(
        "C45",
        "exercises",
        numbers.turned(GENERIC_QUERY, 2, 0),
        "indices are absolute: R(2)q begins",
        "индексы абсолютные: начало R(2)q",
    ),
    right(
        "C46",
        "visibility",
        attending.leaked_by_mask,
        "RoPE does not replace the mask",
        "RoPE не заменяет маску",
        (
            "but the mask, too, tells positions: with equal scores token 5 gives token 0",
            "но и маска выдаёт позицию: при равных оценках токен 5 даёт токену 0 вес",
        ),
    ),
    right(
        "C47",
        "heads",
        counting.head_width,
        "per head: the width of a toy head",
        "по головам: ширина игрушечной головы",
    ),
    term(
        "C48",
        "frequencies",
        numbers.inverse(1, 4, 100.0),
        ("θ is called the inverse frequency", "θ называют обратной частотой"),
        (
            "it is the angular frequency, the inverse of b^(2k/d), which is",
            "это сама угловая частота; обратна она числу b^(2k/d), равному",
        ),
    ),
    term(
        "C49",
        "glossary",
        counting.uses_of_k,
        ("k is the pair, and k is the key", "k — это пара, и k — это ключ"),
        (
            "here j is the pair; in one symbol of the chapter k stands for both",
            "здесь пара — j; в одном обозначении главы k стоит в обеих ролях",
        ),
    ),
)
