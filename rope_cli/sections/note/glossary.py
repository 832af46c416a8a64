"""The words of the report, defined in both languages, and where the two texts differ."""

from __future__ import annotations

import math
import re

from rope_cli.document.blocks import Block, Rows, Table
from rope_cli.document.evidence import Evidence, agree, all_true
from rope_cli.document.terms import TERMS, Term
from rope_cli.document.vocabulary import brief, left, say, stack, t, table
from rope_cli.example.worked_example import FIRST_COLUMN, Example, as_array
from rope_cli.text import LANGUAGES

TITLE = t("Words and letters", "Слова и обозначения")
QUESTION = t(
    "The key may be earlier or later than the query. Which of n-m, m-n and the distance D can be "
    "negative? And is θ a frequency or the inverse of one?",
    "Ключ бывает и раньше, и позже запроса. Что из этого может быть отрицательным: n-m, m-n, "
    "расстояние D? И что такое θ — частота или величина, обратная ей?",
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
    "glossary-defined": t(
        "every term is defined in both languages, and no definition contains its own term",
        "каждый термин определён на обоих языках, и ни одно определение не содержит своего термина",
    ),
    "theta-is-the-frequency": t(
        "the angle of pair 1 at position 1 is θ_1, and θ_1 times b^(2/d) is 1",
        "угол пары 1 в позиции 1 равен θ_1, а θ_1, умноженная на b^(2/d), равна 1",
    ),
}
# The chapter's width and base, and how it writes pair k of key n.
WIDTH, BASE, CHAPTER_KEY = 4, 100.0, "k_n^(k)"
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
    """The terms, whether each is complete, and the θ that one text calls an inverse."""
    return _terms() + _theta(example)


def _terms() -> Evidence:
    cyrillic, latin = re.compile("[а-яё]", re.IGNORECASE), re.compile("[a-z]", re.IGNORECASE)
    complete = [
        bool(latin.search(term.en) and not cyrillic.search(term.en) and cyrillic.search(term.ru))
        for term in TERMS
    ]
    words = [word.casefold() for term in TERMS for word in (term.en, term.ru)]
    return Evidence(
        values={
            "terms": [
                {
                    "en": term.en,
                    "ru": term.ru,
                    "section": term.section,
                    "meaning": {"en": term.meaning.en, "ru": term.meaning.ru},
                }
                for term in TERMS
            ],
        },
        checks=(
            all_true("glossary-both-languages", complete),
            all_true("glossary-no-word-twice", [words.count(word) == 1 for word in words]),
            all_true(
                "glossary-defined",
                [not defined_by_itself(term, language) for term in TERMS for language in LANGUAGES],
            ),
        ),
    )


def _theta(example: Example) -> Evidence:
    """The frequency of pair 1 from a rotated row, and the number whose inverse it is."""
    embedding = example.embedding_for(WIDTH, 2, BASE)
    rotated = example.rotate_query(as_array([FIRST_COLUMN]), 1, embedding)[0]
    theta, inverse = float(embedding.inverse_frequencies[1]), BASE ** (2 / WIDTH)
    measured = [math.atan2(rotated[3], rotated[2]), theta * inverse]
    return Evidence(
        values={
            "theta": theta,
            "inverse_of_theta": inverse,
            "meanings_of_k": CHAPTER_KEY.count("k"),
        },
        checks=(agree("theta-is-the-frequency", measured, [theta, 1], 1e-12),),
    )


def defined_by_itself(term: Term, language: str) -> bool:
    """Whether a definition contains one of the words that it defines."""
    words = (term.ru if language == "ru" else term.en).split(", ")
    meaning = term.meaning.in_language(language)
    return any(re.search(rf"\b{re.escape(word)}\b", meaning, re.IGNORECASE) for word in words)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The letters first, then the words, one's own language above the other."""
    return (
        table(
            t(
                "The two texts write some things differently:",
                "Кое-что в главе и в заметке названо или обозначено по-разному:",
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
            "The two signs do not contradict each other: Re(q k* e^(i(m-n)θ)) and qᵀR((n-m)θ)k are "
            "the same number. Nor is θ the inverse of a frequency: with d = 4 and b = 100 pair 1 "
            "rotates by θ_1 = {theta} radians per position, and this number is the inverse of "
            "b^(2/4) = {inverse}. In the chapter's k_n^(k) the letter k occurs {count} times, once "
            "for the key and once for the pair. The note, finally, uses one word, decay, for the "
            "frequencies and for the score. The frequencies do fall with j; the score falls with "
            "distance only on average, and only for similar rows whose pairs are about equally "
            "long.",
            "Два знака разности не противоречат друг другу: Re(q k* e^(i(m-n)θ)) и qᵀR((n-m)θ)k — "
            "одно и то же число. А θ — сама частота, а не обратная к ней величина: при d = 4 и b = "
            "100 пара 1 поворачивается за позицию на θ_1 = {theta} радиана; обратное к этому число "
            "— b^(2/4) = {inverse}. В записи k_n^(k) из главы буква k стоит {count} раза: как ключ "
            "и как номер пары. Наконец, в заметке затуханием названо и убывание частот, и убывание "
            "оценки. Частоты с ростом j действительно убывают, а оценка с расстоянием — лишь в "
            "среднем и лишь у похожих строк с парами примерно одной длины.",
            theta=brief(evidence["theta"]),
            inverse=brief(evidence["inverse_of_theta"]),
            count=evidence["meanings_of_k"],
        ),
        _definitions(evidence),
    )


def _definitions(evidence: Evidence) -> Table:
    return table(
        t(
            "The terms, in an order in which they build on one another:",
            "Термины — в том порядке, в котором один опирается на другой:",
        ),
        left(t("term", "термин"), t("what it means", "что он значит"), t("section", "раздел")),
        (
            (
                stack(t(term["en"], term["ru"]), t(term["ru"], term["en"])),
                t(**term["meaning"]),
                term["section"],
            )
            for term in evidence["terms"]
        ),
    )
