"""Mistakes in words: what is wrong, what to change, and what the arrays could not show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rope_cli.document.blocks import Block, Phrase, Piece, Signed, Significant, Table
from rope_cli.document.summaries import shown_indices
from rope_cli.document.vocabulary import left, say, t, table
from rope_cli.text import Text
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
    "degrees": t("degrees", "градусы"),
    "radians": t("radians although they were converted", "радианы уже после пересчёта"),
    "turns": t("whole turns", "полные обороты"),
    "no turns": t("radians already divided by 2 pi", "радианы, уже поделённые на 2 pi"),
    "lost": t("a plus", "стал плюсом"),
    "moved": t("in the other line too", "стоит и во второй строке"),
    "frequencies": t("frequencies", "частоты"),
    "positions": t("positions", "позиции"),
    "angles": t("angles", "углы"),
    "tables": t("cosines and sines", "косинусы и синусы"),
    "other-truncation": t(
        "the bounds of YaRN's ramp truncated to whole pairs, or not",
        "границы перехода YaRN округлены до целых пар или наоборот",
    ),
    "ramp-by-turns": t(
        "YaRN's ramp by turns, as in the paper", "переход YaRN по числу оборотов, как в статье"
    ),
    "dynamic-constant": t(
        "one dynamic base for every length, from s^2 - s + 1",
        "одно основание на все длины, из s^2 - s + 1",
    ),
    "dynamic-static": t(
        "the dynamic factor as a fixed one", "динамический множитель принят за постоянный"
    ),
    "quotient-width": t(
        "hidden_size / num_attention_heads for the width of a head",
        "ширина головы взята как hidden_size / num_attention_heads",
    ),
}
MISTAKES: dict[str, MistakeWords] = {
    "no-rotation": in_words(
        "nothing is rotated",
        "поворота нет",
        "call the rotation on these rows and keep its result",
        "примените поворот к этим строкам и сохраните результат",
    ),
    "key-not-rotated": in_words(
        "only the query is rotated",
        "повёрнут только запрос",
        "rotate queries and keys",
        "поворачивайте и запросы, и ключи",
    ),
    "query-not-rotated": in_words(
        "only the key is rotated",
        "повёрнут только ключ",
        "rotate queries and keys",
        "поворачивайте и запросы, и ключи",
    ),
    "in-place": in_words(
        "the right coordinate is computed from the left one that is already turned",
        "правая координата вычислена по уже повёрнутой левой",
        "compute both coordinates of a pair from the old values, then write them",
        "вычисляйте обе координаты пары по старым значениям и только потом записывайте",
    ),
    "no-sine": in_words(
        "the terms with the sine are missing",
        "нет слагаемых с синусом",
        "add the exchanged halves times the sine (rotate_half)",
        "прибавьте переставленные половины, умноженные на синус (rotate_half)",
    ),
    "negated": in_words(
        "every result has the other sign",
        "у каждого результата другой знак",
        "look for a minus that is applied to both coordinates of a pair",
        "поищите минус, применённый к обеим координатам пары",
    ),
    "other-layout": in_words(
        "the pairs are {layout}",
        "раскладка другая: {layout}",
        "pair the coordinates as the weights were trained, or permute the weights",
        "объединяйте координаты в пары так же, как при обучении, или переставьте веса",
    ),
    "order-out": in_words(
        "pairs are read as {layout_in} and written as {layout_out}",
        "пары читаются в одной раскладке ({layout_in}), а записываются в другой ({layout_out})",
        "write each result to the places that its pair was read from; scores are right if queries "
        "and keys are both written this way",
        "записывайте результат туда, откуда взята пара; если запросы и ключи записаны одинаково, "
        "оценки верны",
    ),
    "permuted": in_words(
        "the coordinates are permuted before the rotation: {order}, as when weights are put in "
        "the order of the other layout twice",
        "перед поворотом координаты переставлены: {order}; так бывает, когда веса дважды "
        "переведены в порядок другой раскладки",
        "permute the rows of the weights once",
        "переставляйте строки весов один раз",
    ),
    "mixed-layout": in_words(
        "the row of angles is repeated as in {angles}, but the pairs are {rotation}",
        "углы повторены для одной раскладки ({angles}), а пары образованы по другой ({rotation})",
        "repeat the angles as the pairs lie: t0 t0 t1 t1 for adjacent, t0 t1 t0 t1 for half-split",
        "повторяйте углы так, как лежат пары: t0 t0 t1 t1 для соседних, t0 t1 t0 t1 для "
        "половинной раскладки",
    ),
    "direction": in_words(
        "the pairs turn the other way: the rotation and its transpose are exchanged",
        "пары поворачиваются в другую сторону: поворот и транспонированный поворот перепутаны",
        "forward it is left cos - right sin and left sin + right cos; the backward pass takes the "
        "transpose (option --backward)",
        "прямой проход: left cos - right sin и left sin + right cos; обратный проход берёт "
        "транспонированный поворот (параметр --backward)",
    ),
    "offset": in_words(
        "every position is off by {offset}",
        "все позиции смещены на {offset}",
        "check where positions start: cached tokens, padding, counting from 1",
        "проверьте, откуда отсчитываются позиции: токены в кэше, дополнение (padding), счёт с 1",
    ),
    "reversed-positions": in_words(
        "the positions are in reverse order",
        "позиции идут в обратном порядке",
        "give the positions in the order of the tokens",
        "задавайте позиции в порядке токенов",
    ),
    "slot-positions": in_words(
        "a token's place in the array is taken for its position",
        "вместо позиции взят номер токена в массиве",
        "pass the positions (position ids) on to the rotation",
        "передавайте в поворот сами позиции (position ids)",
    ),
    "clamped-positions": in_words(
        "every position beyond {last} is taken for {last}",
        "каждая позиция после {last} заменена на {last}",
        "the table of cosines ends there: make it longer, and refuse what is beyond it",
        "там кончается таблица косинусов: увеличьте её и отклоняйте то, что дальше",
    ),
    "wrapped-positions": in_words(
        "positions begin again from 0 after every {size}",
        "через каждые {size} позиции снова отсчитываются от 0",
        "count positions over the whole text, not within a block of it",
        "считайте позиции по всему тексту, а не внутри его части",
    ),
    "other-positions": in_words(
        "the tokens stand at other positions: {found} instead of {positions}",
        "токены стоят на других позициях: {found} вместо {positions}",
        "compare the positions that your code uses with these",
        "сравните с ними позиции, которые использует ваш код",
    ),
    "axes-exchanged": in_words(
        "the heads are rotated as if they were tokens",
        "головы поворачиваются так, будто это токены",
        "exchange the axes of tokens and heads before the rotation, or rotate along the other axis",
        "переставьте оси токенов и голов перед поворотом или поворачивайте вдоль другой оси",
    ),
    "rotated-twice": in_words(
        "the rows are rotated twice",
        "строки повёрнуты дважды",
        "rotate once: before the cache or after it, not both",
        "поворачивайте один раз: до кэша или после него, но не оба раза",
    ),
    "sine-cosine-exchanged": in_words(
        "cosine and sine are exchanged",
        "косинус и синус переставлены",
        "check the order in which the tables are passed",
        "проверьте порядок, в котором передаются таблицы",
    ),
    "degrees": in_words(
        "the angle unit is wrong: angles are taken as {taken_as}",
        "неверная единица угла: углы приняты за {taken_as}",
        "pass radians to cos and sin, without converting",
        "передавайте в cos и sin радианы, без пересчёта",
    ),
    "lost-minus": in_words(
        "the minus of left cos - right sin is {minus}",
        "минус в left cos - right sin {minus}",
        "left' = left cos - right sin, right' = left sin + right cos",
        "left' = left cos - right sin, right' = left sin + right cos",
    ),
    "low-precision": in_words(
        "{rounded} are kept in {dtype}; seen from position {from_position} on",
        "{rounded} хранятся в {dtype}; видно начиная с позиции {from_position}",
        "compute angles, cosines and sines in float32 and round only the result",
        "вычисляйте углы, косинусы и синусы в float32 и округляйте только результат",
    ),
    "some-rows": in_words(
        "only the entries {rows} of axis {axis} are wrong",
        "неверны только элементы {rows} оси {axis}",
        "look at what is different about these rows or heads",
        "посмотрите, чем отличаются эти строки пакета или головы",
    ),
    "pairs-from-one": in_words(
        "pairs are counted from 1: each turns as the next one should",
        "пары нумеруются с 1: каждая поворачивается так, как должна следующая",
        "the exponent of the first pair is 0",
        "показатель степени первой пары равен 0",
    ),
    "reversed-frequencies": in_words(
        "the frequencies are in reverse order: the first pair is the slowest",
        "частоты идут в обратном порядке: первая пара самая медленная",
        "the first pair turns fastest, by 1 radian per position",
        "первая пара самая быстрая: 1 радиан на позицию",
    ),
    "frequencies-not-inverted": in_words(
        "the frequencies are not inverted: base^(2k/d) instead of base^(-2k/d)",
        "частоты не обращены: base^(2k/d) вместо base^(-2k/d)",
        "divide the position by base^(2k/d)",
        "делите позицию на base^(2k/d)",
    ),
    "base": in_words(
        "the base is {base}, not {expected}",
        "основание частот равно {base}, а не {expected}",
        "set the base (rope_theta) of the model",
        "задайте основание (rope_theta) этой модели",
    ),
    "ntk": in_words(
        "the base is stretched to {base}: NTK-aware scaling by {factor}",
        "основание увеличено до {base}: NTK-масштабирование с множителем {factor}",
        "scale on both sides alike, or on neither",
        "масштабируйте в обеих программах одинаково или ни в одной",
    ),
    "denominator": in_words(
        "the width in the exponent is {denominator}, not {expected}",
        "в показателе степени стоит ширина {denominator}, а не {expected}",
        "divide the exponent by the width that is rotated",
        "делите показатель на ширину поворачиваемой части",
    ),
    "position-interpolation": in_words(
        "positions or frequencies are divided by {factor} (position interpolation)",
        "позиции или частоты поделены на {factor} (интерполяция позиций)",
        "apply the factor of the config, once",
        "примените множитель из конфигурации, один раз",
    ),
    "yarn": in_words(
        "slow pairs are divided by {factor} and fast ones kept, as YaRN does for an original "
        "length of {original_length} (pair bounds truncated: {truncate})",
        "медленные пары поделены на {factor}, быстрые прежние: YaRN с исходной длиной "
        "{original_length} (границы пар округлены: {truncate})",
        "scale on both sides alike: verify --config reads the scaling of a model",
        "масштабируйте в обеих программах одинаково: verify --config прочтёт масштабирование "
        "модели",
    ),
    "llama3": in_words(
        "slow pairs are divided by {factor} and fast ones kept, as Llama 3 does for an original "
        "length of {original_length}",
        "медленные пары поделены на {factor}, быстрые прежние: масштабирование Llama 3 с исходной "
        "длиной {original_length}",
        "scale on both sides alike: verify --config reads the scaling of a model",
        "масштабируйте в обеих программах одинаково: verify --config прочтёт масштабирование "
        "модели",
    ),
    "unscaled": in_words(
        "the frequencies are not scaled",
        "частоты не масштабированы",
        "apply the scaling of the config (rope_scaling or rope_parameters)",
        "примените масштабирование из конфигурации (rope_scaling или rope_parameters)",
    ),
    "other-list": in_words(
        "the other list of LongRoPE divides the frequencies",
        "частоты поделены на другой список LongRoPE",
        "long_factor is for texts longer than the original length, short_factor for others",
        "long_factor нужен текстам длиннее исходной длины, остальным — short_factor",
    ),
    "other-rule": in_words(
        "the config is read by another rule: {rule}",
        "конфигурация прочитана по другому правилу: {rule}",
        "rope-report scaling shows how programs differ on this config",
        "rope-report scaling покажет, в чём программы расходятся на этой конфигурации",
    ),
    "stale-length": in_words(
        "the table was made for a text of {length} positions",
        "таблица построена для текста из {length} позиций",
        "make the table again when the length of the text changes",
        "стройте таблицу заново, когда меняется длина текста",
    ),
    "attention-factor": in_words(
        "cosines and sines are multiplied by {found} instead of {expected} (attention factor)",
        "косинусы и синусы умножены на {found} вместо {expected} (множитель внимания)",
        "multiply cosines and sines by the attention factor exactly once",
        "умножайте косинусы и синусы на множитель внимания ровно один раз",
    ),
    "rotary-width": in_words(
        "{width} coordinates are rotated, not {expected}",
        "поворачивается координат: {width}, а не {expected}",
        "rotate as many coordinates as the model does (partial_rotary_factor)",
        "поворачивайте столько координат, сколько модель (partial_rotary_factor)",
    ),
    "stride": in_words(
        "the coordinates of a pair are {stride} apart",
        "координаты пары отстоят на {stride}",
        "they are half the rotated width apart, not half a head",
        "расстояние между ними — половина поворачиваемой ширины, а не половина головы",
    ),
    "unknown-frequencies": in_words(
        "the pairs turn evenly, but by frequencies of no known law",
        "пары поворачиваются равномерно, но частоты не следуют известному закону",
        "compare the measured frequencies below with those of your code",
        "сравните измеренные частоты ниже с частотами вашего кода",
    ),
}
UNDETECTABLE = {
    "other-layout": t("another layout", "другую раскладку"),
    "no-rotation": t("a missing rotation", "отсутствие поворота"),
    "direction": t("the direction", "направление поворота"),
    "offset": t("an offset of all positions", "смещение всех позиций"),
    "base": t("another base", "другое основание частот"),
    "unscaled": t("missing scaling", "отсутствие масштабирования"),
    "fast-pairs": t("the turn of the fastest pairs", "поворот самых быстрых пар"),
    "batch": t("a fault of single batch rows", "ошибку в отдельных строках пакета"),
}
REASONS = {
    "one-pair": t(
        "one pair only; a width of 6 or more would tell",
        "пара только одна; покажет ширина 6 или больше",
    ),
    "position-zero": t(
        "position 0 only; positions from 1 on would tell", "только позиция 0; покажут позиции от 1"
    ),
    "zeros": t(
        "all inputs are zero; other rows would tell", "на входе одни нули; покажут другие строки"
    ),
    "too-near": t(
        "the turns are smaller than the bound; later positions or a finer dtype would tell",
        "повороты меньше границы; покажут более далёкие позиции или более точный тип чисел",
    ),
    "scores": t(
        "scores depend on n-m alone; rotated rows would tell",
        "оценки зависят только от n-m; покажут повёрнутые строки",
    ),
    "same-rows": t(
        "the queries equal the keys; rows that differ would tell",
        "запросы равны ключам; покажут различные строки",
    ),
    "too-far": t(
        "the positions are too far out for the dtype; nearer ones or float64 would tell",
        "для этого типа чисел позиции слишком далеки; покажут более близкие или float64",
    ),
    "one-row": t("there is one row; two or more would tell", "строка одна; покажут две или больше"),
}


def mistakes_table(mistakes: Sequence[Mistake]) -> Table:
    """What is wrong, and what to change."""
    return table(
        None,
        left(t("what is wrong", "что не так"), t("what to change", "что изменить")),
        [(describe_mistake(mistake), MISTAKES[mistake.kind].advice) for mistake in mistakes],
    )


def alternatives(others: Sequence[Hypothesis]) -> tuple[Block, ...]:
    """Other explanations that give the same numbers."""
    if not others:
        return ()
    sentences = [
        join_pieces([describe_mistake(mistake) for mistake in other.mistakes]) for other in others
    ]
    return (
        say(
            "These arrays cannot tell it from: {others}.",
            "К этим массивам подходит и другое объяснение: {others}.",
            others=join_pieces(sentences, "; "),
        ),
    )


def describe_mistake(mistake: Mistake) -> Phrase:
    """A mistake in words, with its figures."""
    figures = {name: format_figure(value) for name, value in mistake.figures.items()}
    if "offset" in figures:
        figures["offset"] = Signed(mistake.figures["offset"])
    return Phrase(MISTAKES[mistake.kind].what, figures)


def format_figure(value: Any) -> Piece:
    """A figure of a mistake as a piece of text."""
    match value:
        case bool():
            return t("yes", "да") if value else t("no", "нет")
        case str():
            return FIGURES.get(value, value)
        case [str(), *_]:
            return join_pieces([FIGURES[word] for word in value])
        case list():
            return format_list(value)
        case float():
            return Significant(float(f"{value:.9g}"))
    return int(value)


def format_list(values: Sequence[Any]) -> str:
    """A list in brackets; of a long one both ends."""
    indices = shown_indices(len(values), len(values) <= LONGEST_LIST)
    words = ("..." if index is None else str(values[index]) for index in indices)
    return "[" + ", ".join(words) + "]"


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
    """Mistakes that would have changed nothing, each with the reason."""
    if not undetectable:
        return ()
    parts = [
        t(
            "{what} ({why})",
            "{what} ({why})",
            what=UNDETECTABLE[mistake.kind],
            why=REASONS[mistake.why],
        )
        for mistake in undetectable
    ]
    return (
        say(
            "What these arrays could not show: {blind}.",
            "Чего эти массивы не покажут: {blind}.",
            blind=join_pieces(parts, "; "),
        ),
    )


def undetectable_values(undetectable: Sequence[Undetectable]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [{"kind": mistake.kind, "why": mistake.why} for mistake in undetectable]
