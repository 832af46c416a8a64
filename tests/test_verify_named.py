"""Mistakes planted by hand in small arrays: ``verify`` names them, in both languages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from rope_cli.document.blocks import Document
from rope_cli.renderers import render
from rope_cli.verify.read.request import request_from
from rope_cli.verify.report import report

Array = NDArray[np.float64]
Made = dict[str, Any]  # arrays of a file by name

TOKENS = np.arange(7)


def rows(*shape: int) -> Array:
    """Random rows that float32 holds."""
    return np.random.default_rng(0).normal(size=shape).astype(np.float32).astype(np.float64)


def rotated(
    x: Array,
    positions: Any = TOKENS,
    base: float = 1e4,
    *,
    theta: Any = None,
    first: int = 0,
    width: int | None = None,
    adjacent: bool = False,
) -> Array:
    """The formula of the paper for ``width`` coordinates from ``first`` on, here half-split."""
    width = x.shape[-1] if width is None else width
    k = np.arange(width // 2)
    theta = base ** (-2 * k / width) if theta is None else np.asarray(theta)
    angles = np.asarray(positions)[..., np.newaxis] * theta
    left, right = (2 * k, 2 * k + 1) if adjacent else (k, k + width // 2)
    left, right = first + left, first + right
    y = x.copy()
    y[..., left] = np.cos(angles) * x[..., left] - np.sin(angles) * x[..., right]
    y[..., right] = np.sin(angles) * x[..., left] + np.cos(angles) * x[..., right]
    return y


class Planted(NamedTuple):
    """A mistake: its arrays, the options of the command, what is named, and how it is said."""

    name: str
    make: Callable[[], Made]
    options: dict[str, str]
    mistakes: list[dict[str, Any]]
    english: str
    russian: str


def pair(x: Array, y: Array, **more: Any) -> Made:
    return {"input": x.astype(np.float32), "output": y.astype(np.float32), **more}


def never_written(*index: Any) -> Made:
    """Right but for rows that stay zero."""
    x = rows(2, 4, 7, 16)
    y = rotated(x)
    y[index] = 0
    return pair(x, y)


def shifted(offsets: Any) -> Made:
    """Positions off by these amounts, which broadcast against ``[batch, heads, tokens]``."""
    x = rows(3, 2, 7, 16)
    return pair(x, rotated(x, TOKENS + np.asarray(offsets)))


def served_by(row: int) -> Made:
    """Three sequences of other lengths, one new token each, all at the position of one."""
    x, positions = rows(3, 2, 1, 16), np.array([[9], [5], [130]])
    return pair(x, rotated(x, positions[row, 0]), positions=positions)


def scattered() -> Made:
    made = never_written(0, 2, 3)
    made["output"][1, 0, 5] = 0
    return made


def with_gains() -> Made:
    x = rows(1, 2, 7, 16)
    gains = 0.5 + np.arange(14).reshape(1, 2, 7, 1) / 4
    return pair(x, rotated(x) * gains)


def in_a_ring(size: int) -> Made:
    """300 tokens from 1000 on, counted anew after every ``size``."""
    x = rows(1, 1, 300, 16)
    return pair(x, rotated(x, np.arange(1000, 1300) % size))


EACH_ROW = np.array([3, 0, 50])[:, np.newaxis, np.newaxis]
BATCH = np.arange(3)[:, np.newaxis, np.newaxis]
PLANTED = (
    Planted(
        "batch row never written",
        lambda: never_written(1),
        {},
        [{"kind": "some-rows", "axis": 0, "rows": [1]}, {"kind": "zeros"}],
        "wrong entries of axis 0: 1; the others are right",
        "на выходе нули: туда ничего не записано",
    ),
    Planted(
        "heads never written",
        lambda: never_written(slice(None), slice(1, 4)),
        {},
        [{"kind": "some-rows", "axis": 1, "rows": [1, 2, 3]}, {"kind": "zeros"}],
        "the output is zero: nothing was written there",
        "неверные элементы оси 1: 1, 2, 3; остальные верны",
    ),
    Planted(
        "one head of one batch row",
        lambda: never_written(1, 2),
        {},
        [
            {"kind": "some-rows", "axis": 0, "rows": [1]},
            {"kind": "some-rows", "axis": 1, "rows": [2]},
            {"kind": "zeros"},
        ],
        "wrong entries of axis 1: 2",
        "неверные элементы оси 1: 2",
    ),
    Planted(
        "last token never written",
        lambda: never_written(..., 6, slice(None)),
        {},
        [{"kind": "some-tokens", "tokens": [6]}, {"kind": "zeros"}],
        "wrong tokens: 6; the others are right",
        "неверные токены: 6; остальные верны",
    ),
    Planted(
        "scattered rows never written",
        scattered,
        {},
        [
            {
                "kind": "scattered-rows",
                "count": 2,
                "rows": 56,
                "indices": [[0, 2, 3], [1, 0, 5]],
            },
            {"kind": "zeros"},
        ],
        "2 of 56 rows are wrong, at the indices [0, 2, 3], [1, 0, 5]",
        "неверны 2 из 56 строк, их индексы [0, 2, 3], [1, 0, 5]",
    ),
    Planted(
        "a gain for each row",
        with_gains,
        {},
        [{"kind": "row-gains", "least": 0.5, "greatest": 3.75}],
        "each row is multiplied by a factor of its own, from 0.5 to 3.75",
        "каждая строка умножена на собственный множитель, от 0.5 до 3.75",
    ),
    Planted(
        "an offset for each batch row",
        lambda: shifted(EACH_ROW),
        {},
        [{"kind": "row-offsets", "axis": 0, "offsets": [3, 0, 50]}],
        "the rows are shifted by offsets of their own: 3, 0, 50",
        "у строк собственные смещения позиций: 3, 0, 50",
    ),
    Planted(
        "an offset for one head",
        lambda: shifted(np.array([0, 9])[:, np.newaxis]),
        {},
        [{"kind": "some-rows", "axis": 1, "rows": [1]}, {"kind": "offset", "offset": 9}],
        "every position is shifted by +9",
        "все позиции смещены на +9",
    ),
    Planted(
        "positions run on over the batch",
        lambda: shifted(7 * BATCH),
        {},
        [{"kind": "running-positions", "axis": 0}],
        "positions run on from one row to the next",
        "позиции продолжаются от строки к строке",
    ),
    *(
        Planted(
            f"all rows at the position of row {row}",
            lambda row=row: served_by(row),  # type: ignore[misc]
            {},
            [{"kind": "shared-positions", "row": row}],
            f"the positions of row {row} serve all rows",
            f"для всех строк взяты позиции строки {row}",
        )
        for row in range(3)
    ),
    Planted(
        "a ring of another size",
        lambda: in_a_ring(100),
        {"offset": "1000"},
        [{"kind": "wrapped-positions", "size": 100}],
        "after every 100 they start at 0 again",
        "через каждые 100 отсчёт снова идёт от 0",
    ),
)


@pytest.fixture
def verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Document]:
    """Save arrays and verify them, with options as a user types them."""

    def verify(made: Made, **options: str) -> Document:
        monkeypatch.chdir(tmp_path)
        np.savez("arrays.npz", **made)
        return report(request_from({"files": ("arrays.npz",), **options}))

    return verify


def values_of(document: Document) -> dict[str, Any]:
    """What a program reads of the only section."""
    [section] = json.loads(render(document, "json", "en"))["sections"]
    return dict(section["values"])


def text_of(document: Document, language: str) -> str:
    """What is printed, as one line without signs of Markdown."""
    printed = render(document, "markdown", language)
    return re.sub(r"[\\`]", "", " ".join(printed.split()))


@pytest.mark.parametrize("case", PLANTED, ids=lambda case: case.name)
def test_planted_mistake_is_named(case: Planted, verify: Callable[..., Document]) -> None:
    """First, with its figures, in the words of both languages; every number is explained."""
    document = verify(case.make(), **case.options)
    values = values_of(document)
    assert values["verdict"] == "differs"
    found = values["mistakes"]
    assert [each["kind"] for each in found] == [each["kind"] for each in case.mistakes]
    for each, planted in zip(found, case.mistakes, strict=True):
        assert {name: each[name] for name in planted} == {
            name: pytest.approx(value, rel=1e-6) if isinstance(value, float) else value
            for name, value in planted.items()
        }
    assert values["every_number_explained"]
    assert case.english in text_of(document, "en")
    assert case.russian in text_of(document, "ru")


def test_wrong_rows_of_unexplained_arrays_are_listed(verify: Callable[..., Document]) -> None:
    """One head of one batch row holds other numbers: nothing is named, but it is said where."""
    made = never_written(1, 2)
    made["output"][1, 2] = np.random.default_rng(1).normal(size=(7, 16))
    document = verify(made, layout="half-split")
    values = values_of(document)
    assert (values["verdict"], values["mistakes"], values["alternatives"]) == ("differs", [], [])
    assert values["wrong_rows"] == [
        {"kind": "some-rows", "axis": 0, "rows": [1]},
        {"kind": "some-rows", "axis": 1, "rows": [2]},
    ]
    assert "Where: wrong entries of axis 0: 1; the others are right." in text_of(document, "en")
    assert "Где: неверные элементы оси 1: 2; остальные верны." in text_of(document, "ru")
