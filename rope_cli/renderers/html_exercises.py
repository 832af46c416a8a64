"""The questions of the page: fields for an answer, and folded what answers them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from rope_cli.document.blocks import Line
from rope_cli.document.exercise import Exercise, Workbook
from rope_cli.text import Text

YOUR_ANSWER = Text(en="Your answer", ru="Ваш ответ")
SCORES = Text(en="Matrix of scores", ru="Матрица оценок")
CHECK = Text(en="Check", ru="Проверить")
HINT = Text(en="Hint", ru="Подсказка")
SOLUTION = Text(en="Show the answer", ru="Показать ответ")
MISTAKES = Text(en="Wrong answers, and where they come from:", ru="Неверные ответы и их причины:")
NAME = Text(en="Name", ru="Имя")
SAVE = Text(en="Save my answers", ru="Сохранить ответы")
FORGET = Text(en="Begin anew", ru="Начать заново")
PROGRESS = Text(en="Your answers", ru="Ваши ответы")
SCORE = Text(
    en="Right: {right} of {answered} answered. Questions left: {left}.",
    ru="Верно: {right} из {answered}. Осталось вопросов: {left}.",
)
UNANSWERED = Text(
    en="Questions: {left}. None answered yet.", ru="Вопросов: {left}. Ответов пока нет."
)

# A line as the page shows it, escaped.
Words = Callable[[Line], str]


def exercise_lines(exercise: Exercise, words: Words, opened: str) -> Iterator[str]:
    """A question with its field and its button, the hint, and folded the answer."""
    name = f"question-{exercise.id}"
    yield f'<fieldset class="exercise" id="{name}" data-exercise="{exercise.id}">'
    yield f"<legend><small>{exercise.id}</small> {words(exercise.sentence)}</legend>"
    check = f'<button type="button" class="check" hidden>{words(CHECK)}</button>'
    if exercise.choices:
        yield '<ol class="choices">'
        for place, line in enumerate(exercise.choices, 1):
            field = f'<input type="radio" name="{name}" value="{place}">'
            yield f"<li><label>{field} {words(line)}</label></li>"
        yield f"</ol>\n<p>{check}</p>"
    else:
        field = '<input type="text" size="14" autocomplete="off" spellcheck="false"{}>'
        if exercise.cell is not None:
            caption = f'<caption class="unseen">{words(SCORES)}</caption>'
            named = field.format(f' aria-label="{words(YOUR_ANSWER)}"')
            yield from cell_field(exercise.cell, named, caption)
            yield f"<p>{check}</p>"
        else:
            yield f"<p><label>{words(YOUR_ANSWER)} {field.format('')}</label> {check}</p>"
        yield f'<p class="rule">{words(exercise.rule)}</p>'
    yield "<output></output>"
    hint = f"<summary>{words(HINT)}</summary><p>{words(exercise.hint)}</p>"
    yield f'<details class="hint"{opened}>{hint}</details>'
    yield from solution(exercise, words, opened)
    yield "</fieldset>"


def cell_field(cell: tuple[int, int, int], field: str, caption: str) -> Iterator[str]:
    """The matrix of scores with the field in the cell that is asked for."""
    row, column, size = cell
    names = "".join(f'<th scope="col">n={n}</th>' for n in range(size))
    yield f'<div class="scroll">\n<table class="asked">\n{caption}'
    yield f"<thead><tr><td></td>{names}</tr></thead>\n<tbody>"
    for m in range(size):
        cells = "".join(
            f"<td>{field if (m, n) == (row, column) else '·'}</td>" for n in range(size)
        )
        yield f'<tr><th scope="row">m={m}</th>{cells}</tr>'
    yield "</tbody>\n</table>\n</div>"


def solution(exercise: Exercise, words: Words, opened: str) -> Iterator[str]:
    """The right answer, why it is so, and the typical mistakes."""
    yield f'<details class="solution"{opened}><summary>{words(SOLUTION)}</summary>'
    yield f"<p><strong>{words(exercise.shown_answer)}</strong></p>"
    yield f"<p>{words(exercise.explanation)}</p>"
    if exercise.mistakes:
        yield f'<p>{words(MISTAKES)}</p>\n<dl class="mistakes">'
        for mistake in exercise.mistakes:
            value, reason = words(mistake.shown_value), words(mistake.reason)
            yield f'<dt>{value}</dt><dd class="reason">{reason}</dd>'
        yield "</dl>"
    yield "</details>"


def progress_lines(words: Words) -> Iterator[str]:
    """How many answers are right, and buttons; only the script shows it."""
    yield f'<div class="progress" role="region" aria-label="{words(PROGRESS)}" hidden>'
    yield '<output aria-live="off"></output>'
    field = '<input type="text" class="name" autocomplete="off" spellcheck="false">'
    yield f"<label>{words(NAME)} {field}</label>"
    yield f'<button type="button" class="save">{words(SAVE)}</button>'
    yield f'<button type="button" class="forget">{words(FORGET)}</button>\n</div>'


def workbook_data(workbook: Workbook, format_line: Callable[[Line], str]) -> str:
    """What the script needs to judge answers, as JSON inside an element that is never run."""
    content = {
        "seed": workbook.seed,
        "reading": workbook.reading,
        "words": {
            "score": format_line(SCORE),
            "unanswered": format_line(UNANSWERED),
            **{name: format_line(sentence) for name, sentence in workbook.words.items()},
        },
        "exercises": {
            exercise.id: judged_by(exercise)
            for exercises in workbook.exercises.values()
            for exercise in exercises
        },
    }
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="workbook">{text}</script>'


def judged_by(exercise: Exercise) -> dict[str, object]:
    """The numbers by which an answer is judged; the reasons stand in the page."""
    return {
        "choice": bool(exercise.choices),
        "answer": exercise.answer,
        "tolerance": exercise.tolerance,
        "near": exercise.near,
        "degrees": exercise.degrees,
        "mistakes": [
            [mistake.value, mistake.window, mistake.rounded] for mistake in exercise.mistakes
        ],
    }
