"""What must be refused: every rule, broken on purpose, with the sentence that it earns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from rope_cli.document.blocks import Block
from rope_cli.document.evidence import Evidence, all_true
from rope_cli.document.vocabulary import left, say, stack, t, table
from rope_cli.errors import RopeError
from rope_cli.example.worked_example import Example
from rope_cli.rope import tape
from rope_cli.text import LANGUAGES, Text

TITLE = t("What must be refused", "Что отклоняется")
QUESTION = t(
    "Width 3, base 0, an offset of -1, a table of 2^60 positions: which of these could quietly "
    "give a wrong number if nobody looked?",
    "Ширина 3, основание 0, смещение -1, таблица на 2^60 позиций: что из этого могло бы незаметно "
    "дать неверное число?",
)

CLAIMS = {
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
}

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
    return Evidence(
        values={"refusals": [as_values(call, error) for call, _, error in refused]},
        checks=(
            all_true("every-kind-refused", [is_kind(error, kind) for _, kind, error in refused]),
            all_true("first-rule-wins", [is_kind(error, kind) for kind, error in first_rules]),
            all_true("borders-accepted", [error is None for error in borders]),
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
    """Call, kind and sentence of each refusal."""
    return (
        say(
            "x is one row of the configured width. Every sentence says the rule, the value given "
            "and what is accepted; each call was made just now.",
            "x — одна строка заданной ширины. В каждом сообщении названы правило, заданное "
            "значение и то, что допустимо; все вызовы только что выполнены.",
        ),
        table(
            None,
            left(t("kind and call", "вид отказа и вызов"), t("sentence", "сообщение")),
            (
                (stack(case["kind"], case["call"]), Text(**case["sentence"]))
                for case in evidence["refusals"]
            ),
        ),
        say(
            "The offset -1 is the quiet one: as an index it would read the last row of the table. "
            "The rules are checked in a fixed order, and a table of 10^12 positions is validated "
            "without being built.",
            "Незаметнее всего смещение -1: такой индекс молча взял бы последнюю строку таблицы. "
            "Правила проверяются в неизменном порядке, а таблица на 10^12 позиций проверяется "
            "без её построения.",
        ),
    )
