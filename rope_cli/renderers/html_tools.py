"""What the page adds for a reader whose browser runs scripts: a picture to move, and screens.

Words stand here in both languages; the elements are files of the folder ``page``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from html import escape

from rope_cli.document.blocks import Line
from rope_cli.document.exercise import Start
from rope_cli.renderers.page_files import fill_part
from rope_cli.text import Text

Formatted = Callable[[Line], str]

EXPLORABLE: dict[str, Line] = {
    "title": Text(en="Rotate it yourself", ru="Поверните сами"),
    "without_script": Text(
        en="Here you can move a query and a key by hand, if your browser runs the scripts of "
        "this page; the report below works without them.",
        ru="Здесь запрос и ключ можно передвигать, если браузер выполняет скрипты страницы; сам "
        "отчёт ниже обходится без них.",
    ),
    "introduction": Text(
        en="The query q is at position m, the key k at position n. Each circle shows one pair of "
        "coordinates, with q and k rotated in proportion to their positions. Predict before you "
        "move anything:",
        ru="Запрос q находится в позиции m, ключ k — в позиции n. Каждая окружность показывает "
        "одну пару координат: q и k повёрнуты на углы, пропорциональные их позициям. Прежде чем "
        "что-то двигать, предскажите:",
    ),
    "first_task": Text(
        en="Shift both positions by 1. How many of the nine scores will change?",
        ru="Сдвиньте обе позиции на 1. Сколько из девяти оценок изменится?",
    ),
    "second_task": Text(
        en="Now shift only the key. How many will change this time?",
        ru="Теперь сдвиньте только ключ. Сколько оценок изменится на этот раз?",
    ),
    "third_task": Text(
        en="Choose d = 2, q = k and m = 0. Which key has the larger score, the one at n = 3 or "
        "the one at n = 6?",
        ru="Выберите d = 2, q = k и m = 0. У какого ключа оценка больше: в позиции n = 3 или "
        "в позиции n = 6?",
    ),
    "controls": Text(
        en="Positions, base, width and rows", ru="Позиции, основание, ширина и строки"
    ),
    "position_of_query": Text(en="Position of the query", ru="Позиция запроса"),
    "position_of_key": Text(en="Position of the key", ru="Позиция ключа"),
    "base": Text(en="Frequency base b", ru="Основание частот b"),
    "width": Text(en="Feature width", ru="Ширина признаков"),
    "rows": Text(en="Rows before the rotation", ru="Строки до поворота"),
    "own_rows": Text(en="q and k of this report", ru="q и k этого отчёта"),
    "circles": Text(
        en="Rotated q and k; the angle from q to k in radians",
        ru="Повёрнутые q и k; угол от q к k в радианах",
    ),
    "nine_scores": Text(
        en="Scores of three queries and three keys", ru="Оценки трёх запросов и трёх ключей"
    ),
    "shift_both": Text(en="Both +1", ru="Обе позиции +1"),
    "shift_both_back": Text(en="Both -1", ru="Обе позиции -1"),
    "shift_key": Text(en="Only the key +1", ru="Только ключ +1"),
    "shift_key_back": Text(en="Only the key -1", ru="Только ключ -1"),
    "sum": Text(en="The score as a sum over the pairs", ru="Оценка как сумма по парам"),
    "pair": Text(en="pair j", ru="пара j"),
    "theta": "θ",
    "difference": Text(en="n-m", ru="n-m"),
    "term": Text(en="term", ru="слагаемое"),
    "angles": Text(en="Angles of the pairs, position by position", ru="Углы пар по позициям"),
    "angles_note": Text(
        en="Each row is a pair, each column a position. The strip at the bottom shows the angle in "
        "radians that each colour means; after a full circle the colours repeat.",
        ru="Строка — пара, столбец — позиция. Полоса внизу показывает, какому углу в радианах "
        "соответствует цвет; после полного оборота цвета повторяются.",
    ),
    "spectrum": Text(en="Frequencies of the pairs", ru="Частоты пар"),
    "spectrum_note": Text(
        en="Radians per position, on a logarithmic axis; the number above a line is its pair. "
        "A larger base slows down every pair but pair 0, whose frequency is always 1.",
        ru="Радианы на позицию, ось логарифмическая; число над чертой — номер пары. Чем больше "
        "основание, тем медленнее все пары, кроме нулевой: её частота всегда равна 1.",
    ),
}
# What the script tells of each move; it fills in the names in braces.
SENTENCES: dict[str, Line] = {
    "minus": "−",
    "pi": "π",
    "pair": Text(en="pair {pair}", ru="пара {pair}"),
    "circle": Text(
        en="Pair {pair}: the angle from q to k is {angle} radians.",
        ru="Пара {pair}: угол от q к k равен {angle} радиана.",
    ),
    "score": Text(en="score: sum of the terms", ru="оценка: сумма слагаемых"),
    "angles": Text(
        en="Angles of the pairs at positions 0 to {last}. Full circles at position {last}:",
        ru="Углы пар в позициях от 0 до {last}. Полных оборотов к позиции {last}:",
    ),
    "rotations": Text(en="pair {pair}: {rotations}", ru="пара {pair}: {rotations}"),
    "spectrum": Text(
        en="Frequencies of the pairs in radians per position: {frequencies}",
        ru="Частоты пар в радианах на позицию: {frequencies}",
    ),
    "now": Text(
        en="m = {m}, n = {n}, n-m = {difference}. The score is {score}.",
        ru="m = {m}, n = {n}, n-m = {difference}. Оценка равна {score}.",
    ),
    "bothShifted": Text(
        en="Both positions moved by {step}: m = {m}, n = {n}, and n-m is {difference} as before. "
        "Scores changed: {changed}\u00a0of\u00a09.",
        ru="Обе позиции сдвинуты на {step}: m = {m}, n = {n}, а n-m по-прежнему {difference}. "
        "Изменилось оценок: {changed}\u00a0из\u00a09.",
    ),
    "keyShifted": Text(
        en="Only the key moved by {step}: n = {n}, and n-m is now {difference}. "
        "Scores changed: {changed}\u00a0of\u00a09.",
        ru="Только ключ сдвинут на {step}: n = {n}, и n-m теперь {difference}. "
        "Изменилось оценок: {changed}\u00a0из\u00a09.",
    ),
    "edge": Text(
        en="Positions on this page go from 0 to {last}.",
        ru="Позиции здесь — от 0 до {last}.",
    ),
}
PRESENT = Text(en="Present (key P)", ru="Показ на экране (клавиша P)")
PRESENTATION = {
    "title": Text(en="Presentation", ru="Показ на экране"),
    "back": Text(en="Back", ru="Назад"),
    "next": Text(en="Next", ru="Дальше"),
    "place": Text(
        en="Sections: {at} of {sections}; screens: {step} of {steps}",
        ru="Разделы: {at} из {sections}; экраны: {step} из {steps}",
    ),
    "close": Text(en="Close", ru="Закрыть"),
    "keys": Text(
        en="Space or → forward, ← back, ↓ ↑ by section, Esc closes",
        ru="Пробел или → вперёд, ← назад, ↓ ↑ по разделам, Esc закрывает",
    ),
}


def explorable(formatted: Formatted, start: Start) -> str:
    """The elements that the script fills, and a sentence for readers without it."""
    sentences = {name: formatted(sentence) for name, sentence in SENTENCES.items()}
    words = {name: escape(formatted(sentence)) for name, sentence in EXPLORABLE.items()}
    numbers = {
        "words": json.dumps(sentences),
        "start": json.dumps(asdict(start)),
        "minus": sentences["minus"],
    }
    own = "" if start.query else " hidden"
    return fill_part(
        "explorable.html",
        words | {name: escape(text) for name, text in numbers.items()} | {"own": own},
    )


def presentation(formatted: Formatted) -> str:
    """The screens, which the script fills; hidden until they are asked for."""
    words = {name: escape(formatted(sentence)) for name, sentence in PRESENTATION.items()}
    return fill_part("present.html", words)


def presentation_button(formatted: Formatted) -> str:
    """The button that shows the report screen by screen; without the script there is none."""
    name = escape(formatted(PRESENT))
    return f'<button type="button" class="present">{name}</button>'
