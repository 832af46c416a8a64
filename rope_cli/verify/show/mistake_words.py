"""Mistakes in words: what is wrong, what to change, and what the arrays could not show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rope_cli.document.blocks import Block, Phrase, Piece, Signed, Significant, Table
from rope_cli.document.summaries import shown_indices
from rope_cli.document.vocabulary import left, say, t, table
from rope_cli.text import Text
from rope_cli.user_input.command_errors import printable
from rope_cli.verify.explain.undetectable import Undetectable
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake

LONGEST_LIST = 12


@dataclass(frozen=True, slots=True)
class MistakeWords:
    """A mistake in words; the placeholders of ``what`` are its figures."""

    what: Text
    advice: Text


def in_words(what: str, what_ru: str, advice: str, advice_ru: str) -> MistakeWords:
    """A mistake and its advice, each in English and in Russian."""
    return MistakeWords(t(what, what_ru), t(advice, advice_ru))


# Figures that are words.
FIGURES = {
    "adjacent": t("adjacent", "соседние пары"),
    "half-split": t("half-split", "половинная раскладка"),
    "degrees": t(
        "each is multiplied by π/180, as if it were in degrees",
        "каждый угол умножен на π/180, будто он был в градусах",
    ),
    "radians": t(
        "each is multiplied by 180/π, so that degrees are passed to cos and sin",
        "каждый угол умножен на 180/π, и в cos и sin переданы градусы",
    ),
    "turns": t(
        "each is multiplied by 2π, as if it were in full turns",
        "каждый угол умножен на 2π, будто он был в оборотах",
    ),
    "no turns": t(
        "each is divided by 2π, so that full turns are passed to cos and sin",
        "каждый угол поделён на 2π, и в cos и sin переданы обороты",
    ),
    "left": t("left", "левая"),
    "right": t("right", "правая"),
    "sine-cosine": t("sine and cosine alternate", "синус и косинус чередуются"),
    "sines-cosines": t("first all sines", "сначала все синусы"),
    "cosines-sines": t("first all cosines", "сначала все косинусы"),
    "lost": t("has become a plus", "превратился в плюс"),
    "moved": t("is before x·sin too", "стоит и перед x·sin"),
    "frequencies": t("frequencies", "частоты"),
    "positions": t("positions", "позиции"),
    "angles": t("angles", "углы"),
    "tables": t("cosines and sines", "косинусы и синусы"),
    "other-truncation": t(
        "the bounds of YaRN's ramp are rounded to whole pairs where they should not be, or not "
        "rounded where they should be",
        "границы перехода YaRN округлены до целых номеров пар, хотя не должны, или не округлены, "
        "хотя должны",
    ),
    "ramp-by-turns": t(
        "YaRN's ramp follows the number of full turns, as in the paper",
        "переход YaRN идёт по числу оборотов, как в статье",
    ),
    "dynamic-constant": t(
        "one base, computed with s^2 - s + 1, is used for every length",
        "для всех длин взято одно основание, из s^2 - s + 1",
    ),
    "dynamic-static": t(
        "the dynamic factor is used as a fixed one", "динамический множитель принят за постоянный"
    ),
    "plain-partial": t(
        "the rotated share of the head has the frequencies of its own width, as in an ordinary "
        "partial rotation",
        "часть головы повёрнута сама по себе, с частотами по её собственной ширине, как при "
        "обычном частичном повороте",
    ),
    "quotient-width": t(
        "the width of a head is hidden_size / num_attention_heads",
        "ширина головы взята как hidden_size / num_attention_heads",
    ),
}
# The same advice for every method that divides the slow pairs.
READ_CONFIG = (
    "scale in both programs; verify --config reads a model's scaling from its config",
    "масштабируйте в обеих программах; verify --config прочтёт масштабирование из конфигурации "
    "модели",
)
ROTATE_BOTH = "rotate both queries and keys", "поворачивайте и запросы, и ключи"
ROTATE_ALIKE = (
    "rotate queries and keys with the same code",
    "поворачивайте запросы и ключи одним и тем же кодом",
)
NO_SCHEME = (
    "if the model uses this scheme, verify cannot check it; if not, find the code that brings it "
    "in",
    "если модель использует эту схему, verify её не проверяет; если нет, выясните, откуда она "
    "взялась",
)
MISTAKES: dict[str, MistakeWords] = {
    "no-rotation": in_words(
        "the rows are not rotated",
        "строки не повёрнуты",
        "apply the rotation to these rows and use its result",
        "примените поворот к этим строкам и используйте его результат",
    ),
    "key-not-rotated": in_words(
        "only the query is rotated", "повёрнут только запрос", *ROTATE_BOTH
    ),
    "query-not-rotated": in_words("only the key is rotated", "повёрнут только ключ", *ROTATE_BOTH),
    "key-direction": in_words(
        "the keys rotate the other way, the queries do not",
        "ключи поворачиваются в обратную сторону, а запросы нет",
        *ROTATE_ALIKE,
    ),
    "query-direction": in_words(
        "the queries rotate the other way, the keys do not",
        "запросы поворачиваются в обратную сторону, а ключи нет",
        *ROTATE_ALIKE,
    ),
    "layouts-differ": in_words(
        "queries and keys are rotated in different layouts: {query} and {key}",
        "запросы и ключи повёрнуты в разных раскладках: {query} и {key}",
        *ROTATE_ALIKE,
    ),
    "query-offset": in_words(
        "the queries are shifted by {offset} relative to the keys",
        "позиции запросов смещены относительно позиций ключей на {offset}",
        "count the positions of queries and keys from the same token, cached ones too",
        "отсчитывайте позиции запросов и ключей от одного и того же токена, в том числе в кэше",
    ),
    "alibi": in_words(
        "another scheme, ALiBi: a multiple of n-m is added to the scores, with slopes {slopes} "
        "(rows also rotated: {rotated})",
        "другая схема, ALiBi: к оценкам прибавлены n-m, умноженные на наклоны {slopes} (строки к "
        "тому же повёрнуты: {rotated})",
        "leave this term out if the model uses RoPE alone, which adds nothing to the scores",
        "если в модели только RoPE, уберите это слагаемое: RoPE ничего к оценкам не прибавляет",
    ),
    "xpos": in_words(
        "another scheme, xPos: each pair is also multiplied by a constant of its own, raised to "
        "the power (m - {center})/{scale}",
        "другая схема, xPos: каждая пара к тому же умножена на свою постоянную в степени "
        "(m - {center})/{scale}",
        *NO_SCHEME,
    ),
    "tapered-frequencies": in_words(
        "another scheme, CoPE: the {pairs} slowest pairs are slowed down further, by factors that "
        "follow half a period of a cosine down to 0",
        "другая схема, CoPE: самые медленные пары (их {pairs}) дополнительно замедлены по половине "
        "косинусоиды, последняя неподвижна",
        *NO_SCHEME,
    ),
    "clipped-frequencies": in_words(
        "the {pairs} slowest pairs do not rotate",
        "самые медленные пары (их {pairs}) не поворачиваются",
        "rotate all pairs of the rotated part, unless the model clips its frequencies",
        "поворачивайте все пары поворачиваемой части, если только модель сама не отсекает частоты",
    ),
    "axial": in_words(
        "another scheme, axial rotation: the tokens form a grid of {rows} rows and {columns} "
        "columns; some pairs rotate by the row, the others by the column",
        "другая схема, осевой поворот: токены образуют сетку {rows} × {columns} (строки, столбцы); "
        "одни пары поворачиваются по номеру строки, другие по номеру столбца",
        *NO_SCHEME,
    ),
    "multimodal": in_words(
        "another scheme, M-RoPE: the pairs have positions of their own (time, height, width), in "
        "sections of {sections} pairs",
        "другая схема, M-RoPE: пары разбиты на группы ({sections}), и у каждой группы свои "
        "позиции: время, высота или ширина",
        *NO_SCHEME,
    ),
    "additive-sinusoid": in_words(
        "another scheme: sines and cosines of the position are added to the rows, times {factor} "
        "({order})",
        "другая схема: к строкам прибавлены синусы и косинусы позиции, умноженные на {factor} "
        "({order})",
        *NO_SCHEME,
    ),
    "additive-positions": in_words(
        "another scheme: the same numbers are added to all rows of a token, as learned positions "
        "are",
        "другая схема: ко всем строкам токена прибавлены одни и те же числа, как при обучаемых "
        "векторах позиций",
        *NO_SCHEME,
    ),
    "in-place": in_words(
        "the right coordinate of each pair is computed from the left one after its rotation",
        "правая координата пары вычислена по уже повёрнутой левой",
        "compute both coordinates of a pair from the old values, and only then write them",
        "вычисляйте обе координаты пары по старым значениям и только потом записывайте",
    ),
    "no-sine": in_words(
        "the terms with the sine are missing",
        "нет слагаемых с синусом",
        "add the partner of each coordinate, with its sign, times the sine: rotate_half(x) * sin",
        "прибавьте вторую координату пары с её знаком, умноженную на синус: rotate_half(x) * sin",
    ),
    "negated": in_words(
        "every result has the opposite sign",
        "знак у каждого результата противоположный",
        "look for a minus that is applied to both coordinates of a pair",
        "поищите минус, применённый к обеим координатам пары",
    ),
    "other-layout": in_words(
        "the layout is another one: {layout}",
        "раскладка другая: {layout}",
        "pair the coordinates as in training, or permute the rows of the weights",
        "объединяйте координаты в пары так же, как при обучении, или переставьте строки весов",
    ),
    "order-out": in_words(
        "pairs are read in one layout ({layout_in}) and written in the other ({layout_out})",
        "пары читаются в одной раскладке ({layout_in}), а записываются в другой ({layout_out})",
        "write each result where its pair was read; if queries and keys are written in the same "
        "way, their scores are right all the same",
        "записывайте результат туда, откуда взята пара; если запросы и ключи записаны одинаково, "
        "оценки верны и так",
    ),
    "permuted": in_words(
        "before the rotation the coordinates are permuted by P = {order}, as happens when weights "
        "are converted to the other layout twice",
        "перед поворотом координаты переставлены, P = {order}; так бывает, когда веса дважды "
        "переведены в другую раскладку",
        "permute the rows of the weights once",
        "переставляйте строки весов один раз",
    ),
    "mixed-layout": in_words(
        "the angles are repeated for one layout ({angles}), but the pairs are formed in the other "
        "({rotation})",
        "углы повторены для одной раскладки ({angles}), а пары образованы по другой ({rotation})",
        "repeat the angles in the layout of the pairs: t0 t0 t1 t1 for adjacent, t0 t1 t0 t1 for "
        "half-split",
        "повторяйте углы в раскладке пар: t0 t0 t1 t1 для соседних, t0 t1 t0 t1 для половинной",
    ),
    "scores-transposed": in_words(
        "queries and keys are exchanged: row m, column n holds the score of query n and key m",
        "запросы и ключи поменялись местами: в строке m и столбце n стоит оценка запроса n и "
        "ключа m",
        "compute Q·Kᵀ, with a row for each query, or transpose the result",
        "вычисляйте Q·Kᵀ, по строке на запрос, или транспонируйте результат",
    ),
    "direction": in_words(
        "the pairs rotate the other way: the transpose of the expected rotation is applied",
        "пары поворачиваются в обратную сторону: применён поворот, транспонированный к ожидаемому",
        "the forward pass takes a pair [x, y] to [x·cos - y·sin, x·sin + y·cos], the backward pass "
        "(option --backward) to [x·cos + y·sin, y·cos - x·sin]",
        "прямой проход переводит пару [x, y] в [x·cos - y·sin, x·sin + y·cos], обратный (параметр "
        "--backward) — в [x·cos + y·sin, y·cos - x·sin]",
    ),
    "offset": in_words(
        "every position is shifted by {offset}",
        "все позиции смещены на {offset}",
        "check where the positions start: cached tokens, padding or counting from 1 can shift "
        "them; if they are meant to start there, --offset says so",
        "проверьте, откуда отсчитываются позиции: токены в кэше, дополнение (padding), счёт с 1; "
        "если так и задумано, задайте --offset",
    ),
    "reversed-positions": in_words(
        "the positions are in reverse order",
        "позиции идут в обратном порядке",
        "pass the positions in the order of the tokens",
        "передавайте позиции в порядке токенов",
    ),
    "slot-positions": in_words(
        "the index of a token in the array is used as its position",
        "вместо позиции взят индекс токена в массиве",
        "pass the positions themselves (position ids) to the rotation",
        "передавайте в поворот сами позиции (position ids)",
    ),
    "clamped-positions": in_words(
        "every position beyond {last} is replaced by {last}",
        "каждая позиция больше {last} заменена на {last}",
        "the table of cosines ends there: make it longer, and refuse positions beyond its end",
        "там кончается таблица косинусов: удлините её и отклоняйте позиции за её концом",
    ),
    "wrapped-positions": in_words(
        "positions are taken modulo {size}: after every {size} they start at 0 again",
        "позиции взяты по модулю {size}: через каждые {size} отсчёт снова идёт от 0",
        "count positions over the whole sequence, not within a block of it",
        "считайте позиции по всей последовательности, а не внутри её части",
    ),
    "overflowed-positions": in_words(
        "positions overflow a signed {bits}-bit integer: beyond {last} they go on with negative "
        "ones",
        "позиции переполняют {bits}-битное целое со знаком: после {last} они продолжаются с "
        "отрицательных",
        "keep positions in 32-bit or 64-bit integers",
        "храните позиции в 32- или 64-битных целых числах",
    ),
    "shared-positions": in_words(
        "the positions of row {row} are used for all rows",
        "для всех строк взяты позиции строки {row}",
        "give each batch row its own offset: one number for all is right only if all have the "
        "same length",
        "передавайте каждой строке пакета её собственное смещение: одно на всех верно, только если "
        "все одной длины",
    ),
    "running-positions": in_words(
        "positions run on from one row to the next, instead of starting anew in each",
        "позиции продолжаются от строки к строке, а должны в каждой начинаться заново",
        "count the positions along the tokens of a row, not over the flattened batch",
        "считайте позиции вдоль токенов строки, а не по всему пакету подряд",
    ),
    "row-offsets": in_words(
        "the rows are shifted by offsets of their own: {offsets}",
        "у строк собственные смещения позиций: {offsets}",
        "check the offset of each row: its padding, or the tokens that its cache holds",
        "проверьте смещение каждой строки: её дополнение (padding) или токены в её кэше",
    ),
    "other-positions": in_words(
        "the tokens are at other positions: {found} instead of {positions}",
        "токены стоят в других позициях: {found} вместо {positions}",
        "compare these with the positions that your code uses",
        "сравните с ними позиции, которые использует ваш код",
    ),
    "axes-exchanged": in_words(
        "the heads are rotated as if they were tokens",
        "головы поворачиваются так, будто это токены",
        "exchange the axes of tokens and heads before the rotation, or rotate along the other axis",
        "переставьте оси токенов и голов перед поворотом или поворачивайте вдоль другой оси",
    ),
    "features-axis": in_words(
        "the axes are in another order: {axes}",
        "оси идут в другом порядке: {axes}",
        "name them with --axes, if this is how the arrays were saved",
        "назовите их параметром --axes, если массивы так и сохранены",
    ),
    "rotated-twice": in_words(
        "the rows are rotated twice",
        "строки повёрнуты дважды",
        "rotate once, either before the cache or after it",
        "поворачивайте один раз, до кэша или после него",
    ),
    "sine-cosine-exchanged": in_words(
        "cosine and sine are exchanged",
        "косинус и синус переставлены",
        "check the order in which the tables are passed",
        "проверьте порядок, в котором передаются таблицы",
    ),
    "degrees": in_words(
        "the unit of the angles is wrong: {taken_as}",
        "единица углов неверна: {taken_as}",
        "pass the angles to cos and sin in radians, without converting them",
        "передавайте в cos и sin радианы, без пересчёта",
    ),
    "lost-minus": in_words(
        "the minus of x·cos - y·sin {minus}",
        "минус из x·cos - y·sin {minus}",
        "a pair [x, y] becomes [x·cos - y·sin, x·sin + y·cos]",
        "пара [x, y] переходит в [x·cos - y·sin, x·sin + y·cos]",
    ),
    "low-precision": in_words(
        "kept in {dtype}: {rounded}; the error shows from position {from_position} on",
        "в {dtype} хранятся {rounded}; ошибка видна начиная с позиции {from_position}",
        "compute angles, cosines and sines in float32 and round only the result",
        "вычисляйте углы, косинусы и синусы в float32 и округляйте только результат",
    ),
    "some-rows": in_words(
        "wrong entries of axis {axis}: {rows}; the others are right",
        "неверные элементы оси {axis}: {rows}; остальные верны",
        "find out how these rows or heads differ from the others",
        "выясните, чем эти строки пакета или головы отличаются от остальных",
    ),
    "some-tokens": in_words(
        "wrong tokens: {tokens}; the others are right",
        "неверные токены: {tokens}; остальные верны",
        "find out how these tokens differ from the others",
        "выясните, чем эти токены отличаются от остальных",
    ),
    "scattered-rows": in_words(
        "{count} of {rows} rows are wrong, at the indices {indices}; the others are right",
        "неверных строк: {count} из {rows}, их индексы {indices}; остальные верны",
        "find out how these rows differ from the others",
        "выясните, чем эти строки отличаются от остальных",
    ),
    "zeros": in_words(
        "the output is zero: nothing was written there",
        "на выходе нули: туда ничего не записано",
        "look for the loop or the launch grid that does not reach these rows",
        "поищите цикл или сетку запуска, которые до этих строк не доходят",
    ),
    "row-gains": in_words(
        "each row is multiplied by a factor of its own, from {least} to {greatest}",
        "каждая строка умножена на собственный множитель, от {least} до {greatest}",
        "look for a normalization or a scaling after the rotation",
        "поищите нормировку или умножение после поворота",
    ),
    "pairs-from-one": in_words(
        "the pairs are counted from 1, so that each has the frequency of the next one",
        "пары нумеруются с 1, и у каждой частота следующей",
        "the exponent of the first pair is 0",
        "показатель степени первой пары равен 0",
    ),
    "reversed-frequencies": in_words(
        "the frequencies are in reverse order: the first pair is the slowest",
        "частоты идут в обратном порядке: первая пара самая медленная",
        "the first pair is the fastest, 1 radian per position",
        "первая пара самая быстрая: 1 радиан на позицию",
    ),
    "frequencies-not-inverted": in_words(
        "the frequencies are not inverted: base^(2j/d) instead of base^(-2j/d)",
        "частоты не обращены: base^(2j/d) вместо base^(-2j/d)",
        "divide the position by base^(2j/d)",
        "делите позицию на base^(2j/d)",
    ),
    "wavelengths": in_words(
        "the list holds the periods 2π/θ, in positions, instead of the frequencies θ",
        "в списке стоят периоды 2π/θ, в позициях, а не частоты θ",
        "divide 2π by each of them",
        "поделите 2π на каждый из них",
    ),
    "written-twice": in_words(
        "each frequency is in the list twice, once for each coordinate of its pair ({layout})",
        "каждая частота стоит в списке дважды, по разу на координату пары ({layout})",
        "list each pair once",
        "оставьте по одной частоте на пару",
    ),
    "base": in_words(
        "the base is {base}, not {expected}",
        "основание частот равно {base}, а не {expected}",
        "use the base of the model (rope_theta)",
        "возьмите основание модели (rope_theta)",
    ),
    "ntk": in_words(
        "the base is raised to {base}, as by NTK-aware scaling with factor {factor}",
        "основание увеличено до {base}, как при NTK-масштабировании с множителем {factor}",
        "scale in both programs or in neither",
        "масштабируйте в обеих программах или ни в одной",
    ),
    "denominator": in_words(
        "the width in the exponent is {denominator}, not {expected}",
        "в показателе степени стоит ширина {denominator}, а не {expected}",
        "use the width of the rotated part as d in b^(-2j/d)",
        "возьмите за d в b^(-2j/d) ширину поворачиваемой части",
    ),
    "position-interpolation": in_words(
        "positions or frequencies are divided by {factor} (position interpolation)",
        "позиции или частоты поделены на {factor} (интерполяция позиций)",
        "apply the factor of the config exactly once",
        "примените множитель из конфигурации ровно один раз",
    ),
    "yarn": in_words(
        "slow pairs are divided by {factor} and fast ones kept, as YaRN does for the original "
        "length {original_length} (bounds rounded to whole pairs: {truncate})",
        "частоты медленных пар поделены на {factor}, быстрых не изменены, как в YaRN с исходной "
        "длиной {original_length} (границы округлены до целых номеров пар: {truncate})",
        *READ_CONFIG,
    ),
    "llama3": in_words(
        "slow pairs are divided by {factor} and fast ones kept, as in Llama 3.1 with the original "
        "length {original_length}",
        "частоты медленных пар поделены на {factor}, быстрых не изменены, как при масштабировании "
        "Llama 3.1 с исходной длиной {original_length}",
        *READ_CONFIG,
    ),
    "unscaled": in_words(
        "the frequencies are not scaled",
        "частоты не масштабированы",
        "apply the scaling of the config (rope_scaling or rope_parameters)",
        "примените масштабирование из конфигурации (rope_scaling или rope_parameters)",
    ),
    "other-list": in_words(
        "the frequencies are divided by the other list of LongRoPE",
        "частоты поделены на числа другого списка LongRoPE",
        "use long_factor for sequences longer than the original length, short_factor for others",
        "для последовательностей длиннее исходной длины берите long_factor, для остальных — "
        "short_factor",
    ),
    "other-layer": in_words(
        "the rotation is that of the layers of type {layer} in the same config",
        "поворот такой, какой в той же конфигурации у слоёв типа {layer}",
        "use the base and the scaling of the layer's own type",
        "берите основание и масштабирование того типа, к которому относится слой",
    ),
    "other-rule": in_words(
        "the config was read by another rule: {rule}",
        "конфигурация прочитана по другому правилу: {rule}",
        "see the table of other code that rope-report scaling prints for this config",
        "посмотрите таблицу других реализаций, которую для этой конфигурации печатает rope-report "
        "scaling",
    ),
    "stale-length": in_words(
        "the table was built for {length} positions",
        "таблица построена для другой длины последовательности, {length}",
        "build the table again when the length of the sequence changes",
        "стройте таблицу заново, когда меняется длина последовательности",
    ),
    "attention-factor": in_words(
        "cosines and sines are multiplied by {found} instead of {expected} (attention factor)",
        "косинусы и синусы умножены на {found} вместо {expected} (множитель внимания)",
        "multiply cosines and sines by the attention factor exactly once",
        "умножайте косинусы и синусы на множитель внимания ровно один раз",
    ),
    "scaled-rows": in_words(
        "the rotated rows are divided by sqrt({width}), as scores are before the softmax",
        "повёрнутые строки поделены на sqrt({width}), как оценки перед softmax",
        "divide only the scores by it, or compare the rows before they are divided",
        "делите на него только оценки или сравнивайте строки до деления",
    ),
    "printed-decimals": in_words(
        "every number has at most {decimals} decimals, as if it had been printed, and is right "
        "up to this rounding",
        "у каждого числа не больше {decimals} знаков после точки, как при печати, и с этой "
        "точностью все числа верны",
        "save the arrays with all digits, or add --tolerance {tolerance}",
        "сохраните массивы со всеми цифрами или добавьте --tolerance {tolerance}",
    ),
    "narrow-list": in_words(
        "every frequency is rounded to {dtype}",
        "каждая частота округлена до {dtype}",
        "keep the frequencies in float32: far positions multiply their errors",
        "храните частоты во float32: в далёких позициях их ошибки умножаются",
    ),
    "printed-digits": in_words(
        "every number has at most {digits} digits, as if it had been printed, and is right up to "
        "this rounding",
        "у каждого числа не больше {digits} значащих цифр, как при печати, и с этой точностью все "
        "числа верны",
        "write the list with nine digits or more",
        "записывайте список с девятью цифрами или больше",
    ),
    "rotary-width": in_words(
        "the width of the rotated part is {width}, not {expected}",
        "ширина поворачиваемой части равна {width}, а не {expected}",
        "rotate as many coordinates as the model does (partial_rotary_factor)",
        "поворачивайте столько координат, сколько модель (partial_rotary_factor)",
    ),
    "slice-start": in_words(
        "the rotated slice starts at coordinate {first}, not at {expected}",
        "поворачиваемая часть начинается с координаты {first}, а не с {expected}",
        "if the model keeps the rest of the head before it ([nope, rope]), add --first-feature "
        "{first}",
        "если в модели остальная часть головы стоит перед ней ([nope, rope]), добавьте "
        "--first-feature {first}",
    ),
    "fused-heads": in_words(
        "{heads} heads of {width} coordinates lie side by side in the last axis, each rotated on "
        "its own",
        "в последней оси рядом лежат головы: {heads} по {width} координат, и каждая повёрнута сама "
        "по себе",
        "reshape both arrays to [..., tokens, {heads}, {width}] and name the axes, as in --axes "
        "batch,tokens,heads,features",
        "приведите оба массива к форме [..., токены, {heads}, {width}] и назовите оси, например "
        "--axes batch,tokens,heads,features",
    ),
    "results-exchanged": in_words(
        "the two results of each pair are exchanged: the second one is written first",
        "два результата каждой пары переставлены: первым записан второй",
        "write x·cos - y·sin where the left coordinate, x, was, x·sin + y·cos where the right one, "
        "y, was",
        "записывайте x·cos - y·sin на место левой координаты x, x·sin + y·cos на место правой, y",
    ),
    "half-written": in_words(
        "of each pair only the {written} coordinate is rotated",
        "из каждой пары повёрнута только {written} координата",
        "write both results: [x, y] becomes [x·cos - y·sin, x·sin + y·cos]",
        "записывайте оба результата: [x, y] переходит в [x·cos - y·sin, x·sin + y·cos]",
    ),
    "stride": in_words(
        "the two coordinates of a pair are {stride} apart",
        "координаты пары отстоят друг от друга на {stride}",
        "pair coordinates that are half the rotated width apart, not half a head",
        "между ними должна быть половина ширины поворачиваемой части, а не половина головы",
    ),
    "unknown-frequencies": in_words(
        "each pair rotates at a constant rate, but the frequencies follow no known law",
        "каждая пара поворачивается равномерно, но частоты не подчиняются ни одному из известных "
        "законов",
        "compare the measured frequencies below with those of your code",
        "сравните измеренные частоты ниже с частотами вашего кода",
    ),
}
UNDETECTABLE = {
    "other-layout": t("another layout", "другая раскладка"),
    "no-rotation": t("a missing rotation", "отсутствие поворота"),
    "direction": t("a rotation the other way", "поворот в обратную сторону"),
    "offset": t("an offset of all positions", "смещение всех позиций"),
    "base": t("another base", "другое основание частот"),
    "unscaled": t("missing scaling", "отсутствие масштабирования"),
    "fast-pairs": t("a wrong rotation of the fastest pairs", "неверный поворот самых быстрых пар"),
    "batch": t("a mistake in some batch rows only", "ошибка лишь в некоторых строках пакета"),
}
REASONS = {
    "one-pair": t(
        "there is one pair only; a width of 6 or more would show more",
        "пара только одна; нужна ширина 6 или больше",
    ),
    "position-zero": t(
        "the only position is 0; positions from 1 on would show more",
        "позиция только одна, 0; нужны позиции от 1",
    ),
    "zeros": t(
        "all inputs are zero; other rows would show more",
        "на входе одни нули; нужны другие строки",
    ),
    "too-near": t(
        "the rotations are smaller than the tolerance; later positions or a finer dtype would show "
        "more",
        "повороты меньше допуска; нужны более далёкие позиции или более точный тип чисел",
    ),
    "scores": t(
        "scores depend on n-m alone; rotated rows would show more",
        "оценки зависят только от n-m; нужны повёрнутые строки",
    ),
    "same-rows": t(
        "the queries equal the keys; rows that differ would show more",
        "запросы равны ключам; нужны различные строки",
    ),
    "too-far": t(
        "the positions are too far for the dtype; nearer ones or float64 would show more",
        "для этого типа чисел позиции слишком далеки; нужны более близкие или float64",
    ),
    "one-row": t(
        "there is one row only; two or more would show more",
        "строка только одна; нужны две или больше",
    ),
}


def mistakes_table(mistakes: Sequence[Mistake]) -> Table:
    """What is wrong, and what to change."""
    return table(
        None,
        left(t("what is wrong", "что не так"), t("what to change", "что изменить")),
        [(describe_mistake(mistake), advise(mistake)) for mistake in mistakes],
    )


def advise(mistake: Mistake) -> Text | Phrase:
    """What to change, with the figures that it names."""
    advice = MISTAKES[mistake.kind].advice
    figures = {name: format_figure(name, mistake.figures[name]) for name in advice.placeholders}
    return Phrase(advice, figures) if figures else advice


def alternatives(others: Sequence[Hypothesis]) -> tuple[Block, ...]:
    """Other explanations that give the same numbers."""
    if not others:
        return ()
    sentences = [
        join_pieces([describe_mistake(mistake) for mistake in other.mistakes]) for other in others
    ]
    return (
        say(
            "Another explanation gives the same numbers: {others}.",
            "Те же числа даёт и другое объяснение: {others}.",
            others=join_pieces(sentences, "; "),
        ),
    )


def sentence_of(place: Mistake) -> Phrase:
    """Where rows are wrong, as a sentence of its own."""
    return t("Where: {what}.", "Где: {what}.", what=describe_mistake(place))


def describe_mistake(mistake: Mistake) -> Phrase:
    """A mistake in words, with its figures."""
    figures = {name: format_figure(name, value) for name, value in mistake.figures.items()}
    if "offset" in figures:
        figures["offset"] = Signed(mistake.figures["offset"])
    return Phrase(MISTAKES[mistake.kind].what, figures)


def format_figure(name: str, value: Any) -> Piece:
    """A figure of a mistake as a piece of text."""
    match value:
        case bool():
            return t("yes", "да") if value else t("no", "нет")
        case str():
            return FIGURES.get(value, printable(value))
        case [str(), *_]:
            return join_pieces([FIGURES[word] for word in value])
        case list():
            return format_list(value) if name == "order" else format_series(value)
        case float():
            return Significant(float(f"{value:.9g}"))
    return int(value)


def format_list(values: Sequence[Any]) -> str:
    """An index or a permutation in brackets; of a long one both ends."""
    return f"[{format_series(values)}]"


def format_series(values: Sequence[Any]) -> str:
    """Values with commas between them; of many both ends."""
    indices = shown_indices(len(values), len(values) <= LONGEST_LIST)
    return ", ".join("..." if index is None else str(values[index]) for index in indices)


def join_pieces(pieces: Sequence[Piece], comma: str = ", ") -> Phrase:
    """Several pieces with commas between them."""
    values = {f"part{index}": piece for index, piece in enumerate(pieces)}
    pattern = comma.join(f"{{{name}}}" for name in values)
    return Phrase(t(pattern, pattern), values)


def mistake_values(mistakes: Sequence[Mistake]) -> list[dict[str, Any]]:
    """Mistakes for programs."""
    return [{"kind": mistake.kind, **mistake.figures} for mistake in mistakes]


def explanation_values(explanations: Sequence[Hypothesis]) -> dict[str, Any]:
    """The first explanation and the others, for programs."""
    first, *others = [mistake_values(other.mistakes) for other in explanations] or [[]]
    return {"mistakes": first, "alternatives": others}


def undetectable_blocks(undetectable: Sequence[Undetectable]) -> tuple[Block, ...]:
    """Mistakes that would have changed nothing, with the reason that they share."""
    if not undetectable:
        return ()
    by_reason: dict[str, list[Piece]] = {}
    for mistake in undetectable:
        by_reason.setdefault(mistake.why, []).append(UNDETECTABLE[mistake.kind])
    parts = [
        t("{what} ({why})", "{what} ({why})", what=join_pieces(kinds), why=REASONS[why])
        for why, kinds in by_reason.items()
    ]
    return (
        say(
            "Mistakes that these arrays could not show: {blind}.",
            "Ошибки, которых эти массивы не показали бы: {blind}.",
            blind=join_pieces(parts, "; "),
        ),
    )


def undetectable_values(undetectable: Sequence[Undetectable]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [{"kind": mistake.kind, "why": mistake.why} for mistake in undetectable]
