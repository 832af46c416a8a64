"""The words of the report in both languages, and where the two texts write differently."""

from __future__ import annotations

import re

from rope_cli.document.blocks import Block, Rows
from rope_cli.document.evidence import Evidence, all_true
from rope_cli.document.vocabulary import left, say, t, table
from rope_cli.example.worked_example import Example

TITLE = t("Words and letters", "Слова и обозначения")
QUESTION = t(
    "Which of these is a distance and which has a sign: n-m, m-n, D? And is θ a frequency or the "
    "inverse of one?",
    "Что из этого расстояние, а что имеет знак: n-m, m-n, D? И что такое θ — частота или величина, "
    "обратная ей?",
)

CLAIMS = {
    "glossary-both-languages": t(
        "every term has an English and a Russian word",
        "у каждого термина есть английское и русское слово",
    ),
    "glossary-no-word-twice": t(
        "no word stands for two terms, in either language",
        "ни в одном языке одно слово не обозначает двух терминов",
    ),
}
# English and Russian.
TERMS = (
    ("rotary position embedding", "ротационное позиционное кодирование"),
    ("query, key, value", "запрос, ключ, значение"),
    ("score", "оценка запрос–ключ"),
    ("dot product", "скалярное произведение"),
    ("matrix of dot products", "матрица скалярных произведений"),
    ("pair of coordinates", "пара координат"),
    ("adjacent layout", "соседние пары"),
    ("half-split layout", "половинная раскладка"),
    ("feature width", "ширина признаков"),
    ("head, head width", "голова, ширина головы"),
    ("base", "основание частот"),
    ("frequency of a pair", "частота пары"),
    ("band", "полоса частот"),
    ("fast pair, high frequency", "быстрая пара, высокая частота"),
    ("slow pair, low frequency", "медленная пара, низкая частота"),
    ("period, turn", "период, оборот"),
    ("row", "строка"),
    ("rotation matrix", "матрица поворота"),
    ("counter-clockwise", "против часовой стрелки"),
    ("transposed rotation", "транспонированный поворот"),
    ("identity", "единичная матрица"),
    ("block-diagonal matrix", "блочно-диагональная матрица"),
    ("dense matrix", "плотная матрица"),
    ("absolute position", "абсолютная позиция"),
    ("signed difference n-m", "знаковая разность позиций n-m"),
    ("distance", "расстояние"),
    ("equal shift", "одинаковый сдвиг"),
    ("position offset", "смещение позиции"),
    ("norm", "норма"),
    ("orthogonal", "ортогональный"),
    ("content", "содержимое"),
    ("attention", "внимание"),
    ("order", "порядок"),
    ("causal mask, visibility", "каузальная маска, видимость"),
    ("permutation equivariance", "эквивариантность относительно перестановки"),
    ("added position vector", "прибавляемый вектор позиции"),
    ("sinusoid", "синусоида"),
    ("backward pass", "обратный проход"),
    ("adjoint", "сопряжённая величина"),
    ("central difference", "центральная разность"),
    ("complex conjugate", "комплексно сопряжённое число"),
    ("shape, axis", "форма, ось"),
    ("refusal", "отказ"),
    ("bound of a dot product", "верхняя граница скалярного произведения"),
    ("decay with distance", "убывание с расстоянием"),
    ("average, expectation", "среднее, математическое ожидание"),
    ("variance", "дисперсия"),
    ("peak", "наибольшее значение"),
    ("length extrapolation", "экстраполяция по длине"),
    ("position interpolation", "интерполяция позиций"),
    ("context", "контекст"),
    ("NTK-aware scaling", "NTK-масштабирование"),
    ("partial rotation", "частичный поворот"),
    ("decoder", "декодер"),
    ("key/value cache", "кэш ключей и значений"),
    ("precision", "точность, число разрядов"),
    ("check, bound of a check", "проверка, граница проверки"),
    ("bug", "ошибка"),
    ("claim of a source", "утверждение источника"),
    ("misconception", "заблуждение"),
)
# How the chapter and the note write what this report writes in the last column.
TWO_TEXTS: Rows = (
    (
        "RoPE",
        t("rotary position embedding", "ротационное позиционное кодирование"),
        t("position encoding with a rotation", "позиционное кодирование с поворотом"),
        t("rotary position embedding", "ротационное позиционное кодирование"),
    ),
    (
        t("difference of positions", "разность позиций"),
        "n-m",
        "m-n",
        t("n-m, with its sign; distance D = m-n", "n-m со знаком; расстояние D = m-n"),
    ),
    (t("number of a pair", "номер пары"), "k", "i", "j"),
    (t("imaginary unit", "мнимая единица"), "-", "i", "i"),
    (t("key", "ключ"), "k", "k", "k"),
    (
        t("base of the rotation", "основание частот"),
        "100",
        "10000",
        t("b, always named", "b, всегда указано"),
    ),
    (
        t("θ", "θ"),
        t("inverse frequency", "обратная частота"),
        t("base frequency", "базовая частота"),
        t("frequency, radians per position", "частота, радиан на позицию"),
    ),
    (
        t("early pairs", "ранние пары"),
        t("fast", "быстрые"),
        t("low-frequency", "низкочастотные"),
        t("fast, high frequency", "быстрые, высокочастотные"),
    ),
)


def gather(example: Example) -> Evidence:
    """The terms, and whether each is complete."""
    cyrillic, latin = re.compile("[а-яё]", re.IGNORECASE), re.compile("[a-z]", re.IGNORECASE)
    complete = [
        bool(latin.search(en) and not cyrillic.search(en) and cyrillic.search(ru))
        for en, ru in TERMS
    ]
    words = [word.casefold() for term in TERMS for word in term]
    return Evidence(
        values={"terms": [{"en": en, "ru": ru} for en, ru in TERMS]},
        checks=(
            all_true("glossary-both-languages", complete),
            all_true("glossary-no-word-twice", [words.count(word) == 1 for word in words]),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The letters first, then the words, one's own language on the left."""
    return (
        table(
            t(
                "The two texts write some things differently:",
                "Некоторые вещи два текста пишут по-разному:",
            ),
            left(
                t("what", "что"),
                t("the chapter", "глава"),
                t("the note", "заметка"),
                t("here", "здесь"),
            ),
            TWO_TEXTS,
        ),
        say(
            "The sign of the difference is no contradiction: Re(q k* e^(i(m-n)θ)) and qᵀR((n-m)θ)k "
            "are the same number. The note calls both the falling frequencies and the falling "
            "score a decay; the first is a fact, the second is true on average only, and for rows "
            "that are alike.",
            "В знаке разности нет противоречия: Re(q k* e^(i(m-n)θ)) и qᵀR((n-m)θ)k — одно и то же "
            "число. Затуханием в заметке названы и убывание частот, и убывание оценки; первое — "
            "факт, второе верно лишь в среднем и для похожих строк.",
        ),
        table(
            None,
            left(t("English", "по-русски"), t("Russian", "по-английски")),
            ((t(term["en"], term["ru"]), t(term["ru"], term["en"])) for term in evidence["terms"]),
        ),
    )
