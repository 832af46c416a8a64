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
        t(
            "At (0,0) the pairs q = [1, 0] and k = [0, 1] score {number}.",
            "В позициях (0,0) оценка пар q = [1, 0] и k = [0, 1] равна {number}.",
        ),
    ),
    right(
        "C2",
        "one-pair",
        numbers.rotated_coordinate(QUERY, 1, 0),
        t(
            "Rotated by one radian, q = [1, 0] begins with cos 1 = {number}.",
            "После поворота на радиан q = [1, 0] начинается с cos 1 = {number}.",
        ),
    ),
    right(
        "C3",
        "one-pair",
        numbers.score(QUERY, KEY, 1, 0),
        t(
            "At (1,0) the score is sin 1 = {number}.",
            "В позициях (1,0) оценка равна sin 1 = {number}.",
        ),
    ),
    right(
        "C4",
        "one-pair",
        numbers.score(QUERY, KEY, 3, 2),
        t(
            "At (3,2), where n-m is -1 as well, the score is {number} again.",
            "В позициях (3,2), где n-m тоже равна -1, оценка снова {number}.",
        ),
    ),
    right(
        "C5",
        "one-pair",
        numbers.rotated_coordinate(QUERY, 3, 0),
        t(
            "Yet both rows have been rotated: R(3)q begins with {number}.",
            "Сами строки при этом повёрнуты: R(3)q начинается с {number}.",
        ),
    ),
    right(
        "C6",
        "frequencies",
        numbers.frequency(1, 4, 100.0),
        t(
            "With d = 4 and b = 100 pair 1 rotates by {number} radians per position.",
            "При d = 4 и b = 100 пара 1 поворачивается за позицию на {number} радиана.",
        ),
    ),
    right(
        "C7",
        "rotations",
        numbers.rotated_coordinate(FIRST_COLUMN, 2, 3),
        t(
            "Pair j rotates by m·b^(-2j/d): for j = 1 and m = 2 the sine is {number}.",
            "Пара j поворачивается на угол m·b^(-2j/d): при j = 1 и m = 2 его синус равен "
            "{number}.",
        ),
    ),
    right(
        "C8",
        "layouts",
        numbers.half_split,
        t(
            "In the half-split layout other pairs are rotated: R(1) takes [1, 2, 3, 4] to "
            "[{number}, ...].",
            "В половинной раскладке пары другие: R(1) переводит [1, 2, 3, 4] в [{number}, ...].",
        ),
    ),
    conditional(
        "C9",
        "refusals",
        counting.refused_widths,
        t("The width d must be even and not zero.", "Ширина d должна быть чётной и ненулевой."),
        t(
            "True if every coordinate is rotated: of the widths 1 to 8 the {number} odd ones are "
            "refused. A partial rotation leaves the other coordinates as they are.",
            "Верно, если поворачиваются все координаты: из ширин от 1 до 8 отклонены нечётные, их "
            "{number}. При частичном повороте остальные координаты не меняются.",
        ),
    ),
    conditional(
        "C10",
        "rotations",
        counting.changed_at_zero,
        t("R(0) is the identity.", "R(0) — единичная матрица."),
        t(
            "True for finite rows: position 0 changes {number} of their coordinates. But minus "
            "zero may become zero, and infinity times sin 0 is not a number.",
            "Верно для конечных строк: в позиции 0 у них изменилось {number} координат. Но минус "
            "ноль может стать нулём, а произведение бесконечности на sin 0 не определено.",
        ),
    ),
    right(
        "C11",
        "norms",
        numbers.norm(GENERIC_QUERY, 5),
        t(
            "RᵀR = I, so [1, 2, -0.5, 0.75] has the norm {number} at every position.",
            "RᵀR = I, поэтому норма строки [1, 2, -0.5, 0.75] в любой позиции равна {number}.",
        ),
    ),
    right(
        "C12",
        "direction",
        numbers.score(GENERIC_QUERY, GENERIC_KEY, 1, 0),
        t(
            "The score is qᵀR((n-m)θ)k: for the rows without zeros at (1,0) it is {number}.",
            "Оценка равна qᵀR((n-m)θ)k: для строк без нулей в позициях (1,0) это {number}.",
        ),
    ),
    right(
        "C13",
        "rotations",
        numbers.relative_rotation,
        t(
            "R(a)ᵀR(b) = R(b-a): after R(3) and R(2)ᵀ the row [1, 0, 1, 0] begins with {number}.",
            "R(a)ᵀR(b) = R(b-a): после R(3) и R(2)ᵀ строка [1, 0, 1, 0] начинается с {number}.",
        ),
    ),
    right(
        "C14",
        "content",
        numbers.score((2.0, 1.0), (-1.0, 3.0), 1, 0),
        t(
            "The score depends on content too: at (1,0) [2, 1] and [-1, 3] score {number}.",
            "Оценка зависит и от содержимого: у [2, 1] и [-1, 3] в позициях (1,0) она равна "
            "{number}.",
        ),
    ),
    right(
        "C15",
        "adjoints",
        numbers.adjoint("key", 2, 0),
        t(
            "The transposed rotation carries adjoints back: for K, row 2 then begins with "
            "{number}.",
            "Сопряжённые величины переносит назад Rᵀ: строка 2 для K начинается с {number}.",
        ),
    ),
    right(
        "C16",
        "direction",
        numbers.score(FIRST_COLUMN, SECOND_COLUMN, 1, 0),
        t(
            "n-m has a sign: [1, 0, 1, 0] and [0, 1, 0, 1] score {number} at (1,0) and the "
            "opposite at (0,1).",
            "У n-m есть знак: оценка [1, 0, 1, 0] и [0, 1, 0, 1] в (1,0) равна {number}, а в (0,1) "
            "противоположна.",
        ),
    ),
    right(
        "C17",
        "order",
        attending.order_difference,
        t(
            "Without positions attention is equivariant; with RoPE a permutation moves outputs by "
            "up to {number}.",
            "Без позиций внимание эквивариантно; с RoPE перестановка меняет выходы на величину до "
            "{number}.",
        ),
    ),
    right(
        "C18a",
        "visibility",
        attending.hidden_score,
        t(
            "RoPE hides no key: at (0,1), where the mask hides one, the score is {number}.",
            "RoPE не скрывает ключей: в (0,1), где ключ закрыт маской, оценка равна {number}.",
        ),
    ),
    right(
        "C18b",
        "visibility",
        attending.output_move("with-values"),
        t(
            "V is not rotated; otherwise a shift by 3 would change outputs by up to {number}.",
            "V не поворачивают, иначе сдвиг на 3 изменил бы выходы на величину до {number}.",
        ),
    ),
    right(
        "C19",
        "additive",
        None,
        t(
            "A recurrent network keeps the order of tokens in a state that each token updates.",
            "Рекуррентная сеть хранит порядок токенов в состоянии, которое обновляет каждый токен.",
        ),
    ),
    right(
        "C20",
        "additive",
        None,
        t(
            "Sinusoids were meant to make fixed offsets easy to learn; at new lengths that "
            "promises nothing.",
            "Синусоиды выбрали, чтобы модели было легче выучить сдвиги; работы на новых длинах это "
            "не гарантирует.",
        ),
    ),
    conditional(
        "C21",
        "additive",
        numbers.frequency(1, 4, 10000.0),
        t(
            "A sinusoid is added to the embedding before q, k and v are made.",
            "Синусоида прибавляется к эмбеддингу до того, как получены q, k и v.",
        ),
        t(
            "The bases differ: the chapter's sinusoid has base 10000, so its pair 1 moves by "
            "{number} radians per position, while the rotation has base 100.",
            "Основания разные: у синусоиды главы оно 10000, и пара 1 проходит {number} радиана за "
            "позицию, а у поворота — 100.",
        ),
    ),
    conditional(
        "C22",
        "additive",
        numbers.cross_term,
        t(
            "An added position vector brings no n-m into the score.",
            "Прибавленный вектор позиции не вносит в оценку n-m.",
        ),
        t(
            "For sinusoids it does, in the product of the two position vectors, as long as no "
            "matrix stands between; but the cross term depends on both positions and is {number} "
            "at (11,10).",
            "У синусоид вносит — в произведении двух векторов позиции, если между ними нет матриц; "
            "но перекрёстное слагаемое зависит от обеих позиций, в (11,10) оно равно {number}.",
        ),
    ),
    right(
        "C23",
        "whole-model",
        attending.logit_change(0, attending.PREFIX),
        t(
            "LLaMA applies RoPE in every layer. Not every large model has RoPE, and RoPE promises "
            "neither longer contexts nor a decoder that ignores a shift.",
            "В LLaMA RoPE применяется в каждом слое. Оно есть не во всех больших моделях и не "
            "гарантирует ни работы на большей длине, ни того, что от сдвига не зависит весь "
            "декодер.",
        ),
        t(
            "Two tokens put in front of six others change a logit of the toy decoder by up to "
            "{number}.",
            "Два токена, поставленные перед шестью, меняют логит игрушечного декодера на величину "
            "до {number}.",
        ),
    ),
    conditional(
        "C24",
        "base",
        numbers.frequency(3, 8, 0.01),
        t("The base is positive and finite.", "Основание положительно и конечно."),
        t(
            "True, but pair 0 is the fastest only for a base above 1: with b = 0.01 and d = 8 "
            "pair 3 rotates by {number} radians per position.",
            "Верно, но пара 0 самая быстрая, только если основание больше 1: при b = 0.01 и d = 8 "
            "пара 3 проходит за позицию {number} радиана.",
        ),
    ),
    right(
        "C25",
        "precision",
        numbers.difference_beyond_integers,
        t(
            "The angle never falls as the position grows.",
            "С ростом позиции угол не убывает.",
        ),
        t(
            "It need not rise either: in float64 a row at position 2^53 and one at 2^53 + 1 are "
            "the same (largest difference {number}).",
            "Но может и не расти: в float64 строки в позициях 2^53 и 2^53 + 1 совпадают "
            "(наибольшая разница {number}).",
        ),
    ),
    conditional(
        "C26",
        "precision",
        numbers.float32_error,
        t(
            "Sine and cosine of a finite angle are finite.",
            "Синус и косинус конечного угла конечны.",
        ),
        t(
            "They are, but they need not be accurate: with float32 angles a cosine just before "
            "position 1048576 is wrong by up to {number}.",
            "Да, но они бывают неточны: если углы вычислены в float32, косинус в позициях перед "
            "1048576 неверен на величину до {number}.",
        ),
    ),
    program(
        "C27",
        "refusals",
        counting.first_failure,
        t(
            "The first angle that is not finite is found by halving: d = 128, b = 1e-305, "
            "position {number}.",
            "Первый бесконечный угол находит двоичный поиск: d = 128, b = 1e-305, позиция "
            "{number}.",
        ),
    ),
    program(
        "C28",
        "refusals",
        lambda example: 10**10 * example.embedding_for(HEAD_WIDTH, 1, HEAD_BASE).pairs,
        t(
            "The search visits none of the cells of the table, {number} for 10^10 positions.",
            "Поиск не обходит ячейки таблицы; при 10^10 позиций их {number}.",
        ),
    ),
    program(
        "C29",
        "dense-vs-pairs",
        counting.table_bytes,
        t(
            "Cosines and sines are kept: for d = 128 and 131072 positions they take {number} "
            "bytes.",
            "Косинусы и синусы хранятся: при d = 128 для 131072 позиций они занимают {number} "
            "байт.",
        ),
    ),
    program(
        "C30",
        "shapes",
        counting.empty_interval,
        t(
            "A block without tokens may begin right after the last position; its result has "
            "{number} rows.",
            "Блок без токенов может начинаться сразу за последней позицией; в результате {number} "
            "строк.",
        ),
    ),
    right(
        "C31",
        "dense-vs-pairs",
        counting.matrix_entries,
        t(
            "Each pair is visited once, without a matrix: of its 16384 entries at d = 128 only "
            "{number} are not zero.",
            "Каждая пара обрабатывается один раз и без матрицы: при d = 128 из её 16384 элементов "
            "ненулевых {number}.",
        ),
    ),
    right(
        "C32",
        "adjoints",
        numbers.forward_for_transposed,
        t(
            "Central differences with step 1e-6 confirm the adjoints to within 4e-6.",
            "Центральные разности с шагом 1e-6 подтверждают сопряжённые величины с точностью 4e-6.",
        ),
        t(
            "They reveal a rotation used in place of its transpose: row 1 would be wrong by up to "
            "{number}, though row 0 would be right, because R(0) is symmetric. The step may even "
            "be larger, because the loss is linear in Q and K.",
            "Они выдают поворот, взятый вместо транспонированного: строка 1 была бы неверна на "
            "величину до {number}, хотя строка 0 верна, ведь R(0) симметрична. Шаг может быть и "
            "больше, потому что функция потерь линейна по Q и K.",
        ),
    ),
    right(
        "C33",
        "frequencies",
        numbers.degrees_per_position,
        t(
            "The pairs rotate by 1 and by 0.1 radians per position; for pair 0 this is {number} "
            "degrees.",
            "Пары проходят за позицию 1 и 0.1 радиана; у пары 0 в градусах это {number}.",
        ),
    ),
    right(
        "C34",
        "rotations",
        numbers.rotated_coordinate(FIRST_COLUMN, 2, 1),
        t(
            "The table of rotated rows is right: at m = 2 the sine of pair 0 is {number}.",
            "Таблица повёрнутых строк верна: при m = 2 синус пары 0 равен {number}.",
        ),
    ),
    right(
        "C35",
        "content",
        attending.own_score,
        t(
            "A diagonal is constant if the rows are equal: with three different rows the main one "
            "begins 2, {number}.",
            "Диагонали постоянны, потому что строки одинаковы: у трёх разных строк главная "
            "начинается с 2 и {number}.",
        ),
    ),
    conditional(
        "C36",
        "dot-products",
        lambda example: greatest_difference(example.rotated_query, example.shifted_query),
        t(
            "A shift by 3 keeps the nine scores to within 1e-12.",
            "Сдвиг на 3 сохраняет девять оценок с точностью 1e-12.",
        ),
        t(
            "It does, although it moves coordinates by up to {number}. A shift by a million does "
            "not: in float64 the error is then above 1e-12.",
            "Да, хотя координаты он меняет на величину до {number}. А сдвиг на миллион — нет: в "
            "float64 ошибка тогда больше 1e-12.",
        ),
    ),
    right(
        "C37",
        "norms",
        numbers.norm(FIRST_COLUMN, 5),
        t(
            "[1, 0, 1, 0] has the norm {number} before the shift and after it.",
            "Норма строки [1, 0, 1, 0] и до сдвига, и после него равна {number}.",
        ),
    ),
    program(
        "C38",
        "shapes",
        counting.equal_lanes,
        t(
            "Leading axes are independent: of 4 equal blocks {number} are rotated in the same way.",
            "Ведущие оси независимы: одинаково повёрнуты {number} из 4 одинаковых блоков.",
        ),
    ),
    program(
        "C39",
        "refusals",
        counting.refused_cases,
        t(
            "The edge cases of the chapter are refused: {number} of 6.",
            "Граничные случаи из главы отклоняются: {number} из 6.",
        ),
    ),
    right(
        "C40",
        "adjoints",
        numbers.adjoint("query", 1, 0),
        t(
            "The gradient matrices are right: row 1 of that for Q begins with {number}.",
            "Матрицы градиентов верны: строка 1 у Q начинается с {number}.",
        ),
    ),
    right(
        "C41",
        "bugs",
        counting.blind_checks,
        t(
            "A comparison of numbers confirms one case; the identity is the proof.",
            "Сравнение чисел подтверждает один случай; доказывает тождество.",
        ),
        t(
            "A comparison can prove very little: the checks of norms, of position 0 and of the "
            "equal shift, all {number} of them, pass although nothing is rotated.",
            "Как мало доказывает сравнение: нормы, позиция 0 и одинаковый сдвиг — все {number} "
            "проверки пройдены, хотя ничего не повёрнуто.",
        ),
    ),
    right(
        "C42",
        "shift-one",
        numbers.score(FIRST_COLUMN, FIRST_COLUMN, 2, 1),
        t(
            "A shift of m alone usually changes the score; for equal rows it is {number} at (0,1) "
            "and (2,1).",
            "Сдвиг одной m обычно меняет оценку, но у равных строк она и в (0,1), и в (2,1) равна "
            "{number}.",
        ),
    ),
    right(
        "C43",
        "refusals",
        lambda example: 3 % 2,
        t(
            "The width 3 is refused, because {number} coordinate would have no partner.",
            "Ширина 3 отклоняется, потому что {number} координата осталась бы без пары.",
        ),
    ),
    conditional(
        "C44",
        "whole-model",
        attending.logit_change(1000000),
        t(
            "An identity about a single score proves nothing about a whole decoder.",
            "Тождество для одной оценки ничего не доказывает о целом декодере.",
        ),
        t(
            "If RoPE alone uses position numbers, it carries over from layer to layer: with a "
            "million added to every position the logits are the same (largest change {number}).",
            "Если номера позиций использует только RoPE, оно переносится из слоя в слой: если ко "
            "всем позициям прибавить миллион, логиты те же (наибольшее отличие {number}).",
        ),
    ),
    right(
        "C45",
        "exercises",
        numbers.rotated_coordinate(GENERIC_QUERY, 2, 0),
        t(
            "RoPE is given absolute positions: at position 2 the row without zeros begins with "
            "{number}.",
            "RoPE получает абсолютные позиции: в позиции 2 строка без нулей начинается с {number}.",
        ),
    ),
    right(
        "C46",
        "whole-model",
        attending.weight_by_mask,
        t("RoPE does not replace the mask.", "RoPE не заменяет маску."),
        t(
            "But the mask, too, reveals something about position: with equal scores token 5 gives "
            "token 0 a weight of 1/6 = {number}.",
            "Но и по маске можно судить о позиции: при равных оценках токен 5 даёт токену 0 вес "
            "1/6 = {number}.",
        ),
    ),
    right(
        "C47",
        "heads",
        lambda example: toy_decoder.HEAD_WIDTH,
        t(
            "Each head is rotated along its own last axis: d is the width of a head, here "
            "{number}.",
            "Каждая голова поворачивается вдоль своей последней оси: d — ширина головы, здесь "
            "{number}.",
        ),
    ),
    term(
        "C48",
        "glossary",
        numbers.inverse_of_frequency(1, 4, 100.0),
        t("θ is called the inverse frequency.", "θ называют обратной частотой."),
        t(
            "θ is the angular frequency itself; it is the inverse of b^(2j/d), which is {number} "
            "for j = 1, d = 4 and b = 100.",
            "θ — сама угловая частота; обратна она числу b^(2j/d), а оно при j = 1, d = 4 и "
            "b = 100 равно {number}.",
        ),
    ),
    term(
        "C49",
        "glossary",
        lambda example: "k_n^(k)".count("k"),
        t("k numbers the pairs, and k is the key.", "Буквой k обозначены и номер пары, и ключ."),
        t(
            "In the chapter's k_n^(k) the letter occurs {number} times, once with each meaning. "
            "Here j numbers the pairs.",
            "В записи k_n^(k) из главы эта буква стоит {number} раза, по разу в каждом смысле. "
            "Здесь номер пары — j.",
        ),
    ),
)
