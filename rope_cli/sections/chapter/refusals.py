"""What must be refused: every rule, broken on purpose, with the sentence that it earns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block, Cell, Paragraph, Short, Significant, Table
from rope_cli.document.evidence import Evidence, agree, all_true
from rope_cli.document.summaries import summarised_rows
from rope_cli.document.vocabulary import left, right, say, stack, t, table
from rope_cli.errors import RopeError
from rope_cli.example import reference
from rope_cli.example.worked_example import Example
from rope_cli.rope import tape
from rope_cli.text import LANGUAGES, Text

TITLE = t("What must be refused", "Что нужно отклонять")
QUESTION = t(
    "A table holds cosines and sines for positions 0 to 5. Python reads index -1 of an array as "
    "its last element. If position -1 is not refused, by what angle is pair 0 rotated there?",
    "В таблице лежат косинусы и синусы позиций от 0 до 5, а индекс -1 в Python означает последний "
    "элемент массива. Если позицию -1 не отклонить, на какой угол повернётся в ней пара 0?",
)

CLAIMS = {
    "last-row-for-minus-one": t(
        "index -1 of the table holds cos 5 and sin 5, not cos(-1) and sin(-1)",
        "по индексу -1 в таблице лежат cos 5 и sin 5, а не cos(-1) и sin(-1)",
    ),
    "every-kind-refused": t(
        "each of these calls is refused, with the kind shown",
        "каждый из этих вызовов отклонён, и вид отказа указан верно",
    ),
    "first-rule-wins": t(
        "of several broken rules the first is named",
        "если нарушено несколько правил, названо первое",
    ),
    "borders-accepted": t(
        "values on the very border of what is allowed are accepted",
        "значения на самой границе допустимого принимаются",
    ),
    "first-failure-by-search": t(
        "the refusal names the position and the pair that the search of this section finds",
        "в отказе названы позиция и пара, которые находит поиск этого раздела",
    ),
    "first-failure-is-first": t(
        "the angle named overflows float64; one position or one pair earlier it does not",
        "названный угол не помещается в float64, а позицией или парой раньше — помещается",
    ),
}
# A table far too large to build, whose last pair rotates so fast that its angles overflow float64.
LARGE_WIDTH, LARGE_CAPACITY, TINY_BASE = 128, 10**10, 1e-305

Action = Callable[[], object]


def gather(example: Example) -> Evidence:
    """Each refusal with its values; several rules broken at once; the border of what is allowed."""
    make = example.embedding_type
    width, capacity = example.parameters.feature_width, example.embedding.max_positions
    rotate = example.embedding.rotate
    refused = [(call, kind, refusal(action)) for call, kind, action in provocations(example)]
    first_rules = [
        ("zero-feature-width", refusal(lambda: make(0, 0, math.nan))),
        ("odd-feature-width", refusal(lambda: make(3, 0, math.nan))),
        ("zero-position-capacity", refusal(lambda: make(4, 0, math.nan))),
        ("invalid-base", refusal(lambda: make(4, 2**64 - 1, 0.0))),
        ("table-size-overflow", refusal(lambda: make(1024, 2**61, 1e-307))),
        ("table-allocation-failed", refusal(lambda: make(1024, 2**53, 1e-307))),
    ]
    borders = [
        refusal(lambda: make.validate(2, 10**12, 100.0)),
        refusal(lambda: make.validate(1024, 72, 1e-307)),
        refusal(lambda: rotate(np.zeros((2, 0, width)), capacity)),
        refusal(lambda: rotate(np.zeros((1, width)), capacity - 1)),
    ]
    return (
        minus_one(example)
        + Evidence(
            values={"refusals": [as_values(call, error) for call, _, error in refused]},
            checks=(
                all_true(
                    "every-kind-refused", [is_kind(error, kind) for _, kind, error in refused]
                ),
                all_true("first-rule-wins", [is_kind(error, kind) for kind, error in first_rules]),
                all_true("borders-accepted", [error is None for error in borders]),
            ),
        )
        + first_failure(example)
    )


def minus_one(example: Example) -> Evidence:
    """What the table would give for position -1, read as an index, beside what is right."""
    table_of = example.embedding
    read = [float(array[-1, 0]) for array in (table_of.cosines, table_of.sines)]
    last = table_of.max_positions - 1
    return Evidence(
        values={
            "minus_one_read": read,
            "minus_one_right": [math.cos(-1.0), math.sin(-1.0)],
            "last_position": last,
        },
        checks=(agree("last-row-for-minus-one", read, [math.cos(last), math.sin(last)], 1e-12),),
    )


def first_failure(example: Example) -> Evidence:
    """The first cell of a large table that float64 cannot hold, by a search and by the refusal."""
    pairs = LARGE_WIDTH // 2

    def angle(position: int, pair: int) -> float:
        return position * reference.inverse_frequency(pair, LARGE_WIDTH, TINY_BASE)

    tried, finite, infinite = [], 0, LARGE_CAPACITY - 1
    while infinite - finite > 1:
        middle = (finite + infinite) // 2
        tried.append((middle, angle(middle, pairs - 1)))
        finite, infinite = (finite, middle) if math.isinf(tried[-1][1]) else (middle, infinite)
    pair = next(pair for pair in range(pairs) if math.isinf(angle(infinite, pair)))
    first = {"position": infinite, "pair": pair}
    error = refusal(lambda: example.embedding_type.validate(LARGE_WIDTH, LARGE_CAPACITY, TINY_BASE))
    named = error.values if is_kind(error, "non-finite-table-value") and error else {}
    m, j = int(str(named.get("position", 0))), int(str(named.get("pair", 0)))
    return Evidence(
        values={
            "first_failure": first,
            "search_steps": [
                {"position": position, "angle": "overflow" if math.isinf(radians) else radians}
                for position, radians in tried
            ],
            "table_cells": LARGE_CAPACITY * pairs,
            "fastest_pair": angle(1, pairs - 1),
            "step_past_2_to_53": float(2**53 + 1) - float(2**53),
        },
        checks=(
            all_true("first-failure-by-search", [(m, j) == (infinite, pair)]),
            all_true(
                "first-failure-is-first",
                [math.isinf(angle(m, j)), *map(math.isfinite, (angle(m - 1, j), angle(m, j - 1)))],
            ),
        ),
    )


def refusal(action: Action) -> RopeError | None:
    """What the action was refused with, or ``None`` when it was accepted."""
    try:
        action()
    except RopeError as error:
        return error
    return None


def is_kind(error: RopeError | None, kind: str) -> bool:
    """Whether there was a refusal, and one of this kind."""
    return error is not None and error.kind == kind


def as_values(call: str, error: RopeError | None) -> dict[str, Any]:
    """A call and its refusal for programs, with the sentence in both languages."""
    if error is None:
        accepted = t("accepted", "принято")
        sentence = {language: accepted.in_language(language) for language in LANGUAGES}
        return {"call": call, "kind": "accepted", "values": {}, "sentence": sentence}
    return {
        "call": call,
        "kind": error.kind,
        "values": {name: str(value) for name, value in error.values.items()},
        "sentence": {language: error.sentence(language) for language in LANGUAGES},
    }


def provocations(example: Example) -> list[tuple[str, str, Action]]:
    """Each call as a reader would type it, the kind it must earn, and the call itself."""
    make, embedding, rotate = example.embedding_type, example.embedding, example.embedding.rotate
    capacity = embedding.max_positions
    row = np.zeros((1, embedding.feature_width))
    released = tape.Value(row)
    released.release()
    return [
        ("rotate(x, position_offset=-1)", "invalid-count", lambda: rotate(row, -1)),
        ("rotate(x, position_offset=1.5)", "invalid-count", lambda: rotate(row, 1.5)),  # type: ignore[arg-type]
        ("RotaryEmbedding(0, 6, 100)", "zero-feature-width", lambda: make(0, 6, 100)),
        ("RotaryEmbedding(3, 6, 100)", "odd-feature-width", lambda: make(3, 6, 100)),
        ("RotaryEmbedding(4, 0, 100)", "zero-position-capacity", lambda: make(4, 0, 100)),
        ("RotaryEmbedding(4, 6, 0)", "invalid-base", lambda: make(4, 6, 0)),
        ('RotaryEmbedding(4, 6, 100, "mixed")', "unknown-layout", lambda: make(4, 6, 100, "mixed")),
        (
            "RotaryEmbedding(4, 2**64 - 1, 100)",
            "table-size-overflow",
            lambda: make(4, 2**64 - 1, 100),
        ),
        ("RotaryEmbedding(2, 2**60, 100)", "table-allocation-failed", lambda: make(2, 2**60, 100)),
        (
            "RotaryEmbedding(1024, 300, 1e-307)",
            "non-finite-table-value",
            lambda: make(1024, 300, 1e-307),
        ),
        ("rotate(x[0])", "input-rank", lambda: rotate(row[0])),
        ('rotate(x.astype("int64"))', "input-type", lambda: rotate(row.astype("int64"))),
        ("rotate(x[:, :2])", "feature-width-mismatch", lambda: rotate(row[:, :2])),
        ("rotate(x, 2**64 - 1)", "position-offset-overflow", lambda: rotate(row, 2**64 - 1)),
        (f"rotate(x, {capacity})", "position-range-exceeded", lambda: rotate(row, capacity)),
        ("rotate(x, out=x[0])", "output-array", lambda: rotate(row, out=row[0])),
        (
            "tape.rotate(embedding, released)",
            "autodiff-stage",
            lambda: tape.rotate(embedding, released),
        ),
    ]


def present(evidence: Evidence) -> tuple[Block, ...]:
    """What goes wrong in silence, the refusals, and the search for the first cell that fails."""
    return (
        explain_minus_one(evidence),
        table(
            t(
                "Calls that break a rule. RotaryEmbedding takes a width, a capacity (how many "
                "positions its table holds) and a base; x is one row of that width:",
                "Вызовы, нарушающие правило. RotaryEmbedding принимает ширину, ёмкость (сколько "
                "позиций в таблице) и основание; x — одна строка этой ширины:",
            ),
            left(t("kind and call", "вид отказа и вызов"), t("sentence", "сообщение")),
            (
                (stack(case["kind"], case["call"]), Text(**case["sentence"]))
                for case in evidence["refusals"]
            ),
        ),
        say(
            "Each sentence names the value given and what is accepted instead. The rules are "
            "checked in a fixed order, and the first one broken is named. The next section "
            "explains what the tape in the last line is.",
            "В каждом сообщении названы заданное значение и то, что допустимо вместо него. Если "
            "вызов нарушает несколько правил, названо первое из них; порядок правил неизменен. Что "
            "такое лента из последней строки, объяснено в следующем разделе.",
        ),
        search_table(evidence),
        *search_explained(evidence),
    )


def explain_minus_one(evidence: Evidence) -> Paragraph:
    """What position -1 would silently be rotated by."""
    read, right_one = evidence["minus_one_read"], evidence["minus_one_right"]
    return say(
        "By {last} radians: index -1 finds the row of position {last}, with the cosine {cosine} "
        "and the sine {sine}. At position -1 they should be {right_cosine} and {right_sine}. No "
        "error is raised and the norm is kept, so the wrong number looks like any other. This is "
        "why a value that makes no sense is refused before anything is computed.",
        "На {last} радиан: по индексу -1 найдётся строка позиции {last}, косинус {cosine}, синус "
        "{sine}. Верны были бы {right_cosine} и {right_sine}. Ошибки не будет, норма сохранится, и "
        "неверное число ничем себя не выдаст. Поэтому бессмысленное значение отклоняют до "
        "вычислений.",
        last=evidence["last_position"],
        cosine=read[0],
        sine=read[1],
        right_cosine=right_one[0],
        right_sine=right_one[1],
    )


def search_table(evidence: Evidence) -> Table:
    """The first and last steps of the binary search."""
    steps = evidence["search_steps"]

    def row(index: int) -> tuple[Cell, ...]:
        position, radians = steps[index]["position"], steps[index]["angle"]
        overflows = radians == "overflow"
        shown = t("overflow", "переполнение") if overflows else Significant(radians)
        return index + 1, position, shown

    return Table(
        right(
            t("step", "шаг"),
            t("position tried m", "проверенная позиция m"),
            t("angle m·θ_63, radians", "угол m·θ_63, радианы"),
        ),
        summarised_rows(len(steps), False, row),
        t(
            "From which position on is an angle too large for float64? Width {width}, base {base}, "
            "{capacity} positions:",
            "С какой позиции угол не помещается в float64? Ширина {width}, основание {base}, "
            "позиций {capacity}:",
            width=LARGE_WIDTH,
            base=Short(TINY_BASE),
            capacity="10^10",
        ),
    )


def search_explained(evidence: Evidence) -> tuple[Block, ...]:
    """How few angles the search needs, and where positions themselves run out of digits."""
    first = evidence["first_failure"]
    return (
        say(
            "With so small a base the last pair is the fastest, at {fastest} radians per "
            "position. The table would have {cells} cells, but none of them has to be computed. "
            "An angle never falls as the position rises, so each angle tried halves the interval "
            "in which the first failure lies. After {steps} steps it is found: position "
            "{position}, pair {pair}. A table whose last angles are finite is finite throughout "
            "and is accepted without being built.",
            "При столь малом основании быстрее всех последняя пара: {fastest} радиан за позицию. В "
            "таблице было бы {cells} ячеек, но вычислять их незачем. С ростом позиции угол не "
            "убывает, и каждая проверка вдвое сокращает промежуток, где лежит первая негодная "
            "ячейка. За {steps} шага она найдена: позиция {position}, пара {pair}. Если последние "
            "углы конечны, конечна и вся таблица; её принимают, не строя.",
            fastest=f"{evidence['fastest_pair']:.2e}".replace("+", ""),
            cells=evidence["table_cells"],
            steps=len(evidence["search_steps"]),
            position=first["position"],
            pair=first["pair"],
        ),
        say(
            "A finite angle need not be an accurate one. From 2^53 on float64 does not hold "
            "every whole number: it stores 2^53+1 as 2^53, a difference of {step}, and the two "
            "positions have the same angle.",
            "Конечный угол — ещё не точный угол. Начиная с 2^53 в float64 есть не все целые числа: "
            "2^53+1 хранится как 2^53, разность двух позиций равна {step}, и углы у них одинаковы.",
            step=int(evidence["step_past_2_to_53"]),
        ),
    )
