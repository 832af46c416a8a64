"""The words of the report in both languages, and where the two texts write differently."""

from __future__ import annotations

import re

from rope_cli.document.blocks import Block, Column, Paragraph, Rows, Table
from rope_cli.document.evidence import Evidence, all_true
from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import Example
from rope_cli.text import Text

TITLE = t("Words and letters", "Слова и обозначения")
QUESTION = t(
    "Which of these is a distance and which has a sign: n-m, m-n, D? And is θ a "
    "frequency or the inverse of one?",
    "Что из этого расстояние, а что имеет знак: n-m, m-n, D? И что такое θ — частота "
    "или величина, обратная ей?",
)

CLAIMS = {
    "glossary-both-languages": Text(
        en="every term has an English and a Russian word",
        ru="у каждого термина есть английское и русское слово",
    ),
    "glossary-no-word-twice": Text(
        en="no word stands for two terms, in either language",
        ru="ни в одном языке одно слово не обозначает двух терминов",
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
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
LATIN = re.compile("[a-z]", re.IGNORECASE)
# How the chapter and the note write what this report writes in the last column.
LETTERS: Rows = (
    (
        "RoPE",
        Text(en="rotary position embedding", ru="ротационное позиционное кодирование"),
        Text(en="position encoding with a rotation", ru="позиционное кодирование с поворотом"),
        Text(en="rotary position embedding", ru="ротационное позиционное кодирование"),
    ),
    (
        Text(en="difference of positions", ru="разность позиций"),
        "n-m",
        "m-n",
        Text(en="n-m, with its sign; distance D = m-n", ru="n-m со знаком; расстояние D = m-n"),
    ),
    (Text(en="number of a pair", ru="номер пары"), "k", "i", "j"),
    (Text(en="imaginary unit", ru="мнимая единица"), "-", "i", "i"),
    (Text(en="key", ru="ключ"), "k", "k", "k"),
    (
        Text(en="base of the rotation", ru="основание частот"),
        "100",
        "10000",
        Text(en="b, always named", ru="b, всегда указано"),
    ),
    (
        Text(en="θ", ru="θ"),
        Text(en="inverse frequency", ru="обратная частота"),
        Text(en="base frequency", ru="базовая частота"),
        Text(en="frequency, radians per position", ru="частота, радиан на позицию"),
    ),
    (
        Text(en="early pairs", ru="ранние пары"),
        Text(en="fast", ru="быстрые"),
        Text(en="low-frequency", ru="низкочастотные"),
        Text(en="fast, high frequency", ru="быстрые, высокочастотные"),
    ),
)


def gather(example: Example) -> Evidence:
    """The terms, and whether each is complete."""
    english, russian = ([term[at].casefold() for term in TERMS] for at in (0, 1))
    complete = [
        bool(LATIN.search(en)) and not CYRILLIC.search(en) and bool(CYRILLIC.search(ru))
        for en, ru in TERMS
    ]
    return Evidence(
        values={"terms": [{"en": en, "ru": ru} for en, ru in TERMS]},
        checks=(
            all_true("glossary-both-languages", complete),
            all_true(
                "glossary-no-word-twice",
                [words.count(word) == 1 for words in (english, russian) for word in words],
            ),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The letters first, then the words, one's own language on the left."""
    return (
        Table(
            (
                Column(Text(en="what", ru="что")),
                Column(Text(en="the chapter", ru="глава")),
                Column(Text(en="the note", ru="заметка")),
                Column(Text(en="here", ru="здесь")),
            ),
            LETTERS,
            Text(
                en="The two texts write some things differently:",
                ru="Некоторые вещи два текста пишут по-разному:",
            ),
        ),
        Paragraph(
            Text(
                en="The sign of the difference is no contradiction: Re(q k* e^(i(m-n)θ)) and "
                "qᵀR((n-m)θ)k are the same number. The note calls both the falling frequencies and "
                "the falling score a decay; the first is a fact, the second is true on average "
                "only, and for rows that are alike.",
                ru="В знаке разности нет противоречия: Re(q k* e^(i(m-n)θ)) и qᵀR((n-m)θ)k — одно "
                "и то же число. Затуханием в заметке названы и убывание частот, и убывание оценки; "
                "первое — факт, второе верно лишь в среднем и для похожих строк.",
            )
        ),
        Table(
            (
                Column(Text(en="English", ru="по-русски")),
                Column(Text(en="Russian", ru="по-английски")),
            ),
            tuple(
                (Text(en=term["en"], ru=term["ru"]), Text(en=term["ru"], ru=term["en"]))
                for term in evidence["terms"]
            ),
        ),
    )
