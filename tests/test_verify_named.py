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
from tools.setups import LLAMA31, scaled

from rope_cli.document.blocks import Document
from rope_cli.renderers import render
from rope_cli.user_input.command_errors import CommandRefusal
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


def overflowed(first: int, last: int) -> Made:
    """Sixty positions of which those beyond ``last`` go on with its negative."""
    x = rows(2, 60, 16)
    positions = np.arange(first, first + 60)
    return pair(x, rotated(x, np.where(positions > last, positions - 2 * (last + 1), positions)))


def in_a_ring(size: int) -> Made:
    """300 tokens from 1000 on, counted anew after every ``size``."""
    x = rows(1, 1, 300, 16)
    return pair(x, rotated(x, np.arange(1000, 1300) % size))


def nope_then_rope(adjacent: bool = True) -> Made:
    """The last 16 of 48 coordinates rotated, as in multi-head latent attention."""
    x = rows(1, 2, 9, 48)
    return pair(x, rotated(x, np.arange(9), first=32, width=16, adjacent=adjacent))


def fused(heads: int, width: int) -> Made:
    """Heads side by side in the last axis."""
    x = rows(2, 7, heads, width)
    y = np.swapaxes(rotated(np.swapaxes(x, 1, 2)), 1, 2)
    return pair(*(each.reshape(2, 7, heads * width) for each in (x, y)))


def exchanged() -> Made:
    x = rows(1, 2, 7, 16)
    return pair(x, np.roll(rotated(x), 8, axis=-1))


def half_written() -> Made:
    x = rows(1, 2, 7, 16)
    y = rotated(x)
    y[..., 8:] = x[..., 8:]
    return pair(x, y)


FAR = np.r_[0:24, 100:108, 4000:4008]


def at_far_positions(positions: Any = FAR, sign: float = 1.0, **options: Any) -> Made:
    x = rows(1, 2, len(FAR), 64)
    return pair(x, sign * rotated(x, positions, **options), positions=FAR)


def plain(base: float, width: int = 64) -> Array:
    return np.asarray(base ** (-np.arange(0, width, 2) / width))


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
        "only the first token written",
        lambda: never_written(..., slice(1, None), slice(None)),
        {},
        [{"kind": "some-tokens", "tokens": [1, 2, 3, 4, 5, 6]}, {"kind": "zeros"}],
        "wrong tokens: 1, 2, 3, 4, 5, 6; the others are right",
        "неверные токены: 1, 2, 3, 4, 5, 6; остальные верны",
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
        "неверных строк: 2 из 56, их индексы [0, 2, 3], [1, 0, 5]",
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
            f"the positions of row {row} are used for all rows",
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
    *(
        Planted(
            f"positions in signed integers of {bits} bits",
            lambda first=first, last=last: overflowed(first, last),  # type: ignore[misc]
            {"offset": str(first)},
            [{"kind": "overflowed-positions", "bits": bits, "last": last}],
            f"a signed {bits}-bit integer: beyond {last} they go on with negative ones",
            f"{bits}-битное целое со знаком: после {last} они продолжаются с отрицательных",
        )
        for bits, first, last in ((8, 100, 127), (16, 32750, 32767))
    ),
    Planted(
        "the rotated slice last",
        nope_then_rope,
        {"feature_width": "16", "layout": "adjacent"},
        [{"kind": "slice-start", "first": 32, "expected": 0}],
        "if the model keeps the rest of the head before it ([nope, rope]), add --first-feature 32",
        "поворачиваемая часть начинается с координаты 32, а не с 0",
    ),
    Planted(
        "the rotated slice last, in the other layout",
        lambda: nope_then_rope(adjacent=False),
        {"feature_width": "16", "layout": "adjacent"},
        [
            {"kind": "slice-start", "first": 32, "expected": 0},
            {"kind": "other-layout", "layout": "half-split"},
        ],
        "the rotated slice starts at coordinate 32, not at 0",
        "добавьте --first-feature 32",
    ),
    Planted(
        "heads side by side",
        lambda: fused(4, 16),
        {"feature_width": "16"},
        [{"kind": "fused-heads", "heads": 4, "width": 16}],
        "reshape both arrays to [..., tokens, 4, 16] and name the axes, as in --axes "
        "batch,tokens,heads,features",
        "в последней оси рядом лежат головы: 4 по 16 координат",
    ),
    Planted(
        "heads side by side, their width not given",
        lambda: fused(3, 32),
        {},
        [{"kind": "fused-heads", "heads": 3, "width": 32}],
        "3 heads of 32 coordinates lie side by side in the last axis, each rotated on its own",
        "приведите оба массива к форме [..., токены, 3, 32]",
    ),
    Planted(
        "results exchanged",
        exchanged,
        {"layout": "half-split"},
        [{"kind": "results-exchanged"}],
        "the two results of each pair are exchanged: the second one is written first",
        "два результата каждой пары переставлены: первым записан второй",
    ),
    Planted(
        "only left coordinates rotated",
        half_written,
        {"layout": "half-split"},
        [{"kind": "half-written", "written": "left"}],
        "of each pair only the left coordinate is rotated",
        "из каждой пары повёрнута только левая координата",
    ),
    Planted(
        "negated and offset",
        lambda: at_far_positions(FAR + 7, sign=-1),
        {"layout": "half-split"},
        [{"kind": "negated"}, {"kind": "offset", "offset": 7}],
        "every result has the opposite sign",
        "все позиции смещены на +7",
    ),
    Planted(
        "layout and direction",
        lambda: at_far_positions(-FAR),
        {"layout": "adjacent"},
        [{"kind": "other-layout", "layout": "half-split"}, {"kind": "direction"}],
        "the pairs rotate the other way",
        "раскладка другая: половинная раскладка",
    ),
    Planted(
        "YaRN and another base",
        lambda: at_far_positions(
            theta=scaled("yarn", 64, 5e5, factor=16, original_length=8192).theta
        ),
        {"layout": "half-split"},
        [
            {"kind": "base", "base": 500_000.0, "expected": 10_000.0},
            {"kind": "yarn", "factor": 16.0, "original_length": 8192},
        ],
        "the base is 500000, not 10000",
        "как в YaRN с исходной длиной 8192",
    ),
    Planted(
        "Llama 3 and another base",
        lambda: at_far_positions(theta=scaled("llama3", 64, 5e5, **LLAMA31.values).theta),
        {"layout": "half-split"},
        [
            {"kind": "base", "base": 500_000.0, "expected": 10_000.0},
            {"kind": "llama3", "factor": 8.0, "original_length": 8192},
        ],
        "as in Llama 3.1 with the original length 8192",
        "основание частот равно 500000, а не 10000",
    ),
    Planted(
        "another base and a factor",
        lambda: at_far_positions(theta=plain(1e6) / 8),
        {"layout": "half-split"},
        [
            {"kind": "base", "base": 1e6, "expected": 10_000.0},
            {"kind": "position-interpolation", "factor": 8.0},
        ],
        "the base is 1000000, not 10000",
        "позиции или частоты поделены на 8 (интерполяция позиций)",
    ),
    Planted(
        "frequencies not inverted",
        lambda: at_far_positions(theta=(1 / plain(1e4)).astype(np.float32).astype(np.float64)),
        {"layout": "half-split"},
        [{"kind": "frequencies-not-inverted"}],
        "the frequencies are not inverted: base^(2j/d) instead of base^(-2j/d)",
        "частоты не обращены: base^(2j/d) вместо base^(-2j/d)",
    ),
)


GRID = np.arange(24)


def by_each_pair(angles: Any, gains: Any = 1.0) -> Made:
    """24 tokens whose pairs, half-split, rotate by ``angles`` [24, 16] and grow by ``gains``."""
    x = rows(1, 3, 24, 32)
    left, right = x[..., :16], x[..., 16:]
    c, s = np.cos(angles), np.sin(angles)
    return pair(
        x, np.concatenate([gains * (left * c - right * s), gains * (left * s + right * c)], -1)
    )


def xpos(sign: float) -> Made:
    """The formula of the paper with its base of 512, the positions centred at 12."""
    zeta = (np.arange(0, 32, 2) + 0.4 * 32) / (1.4 * 32)
    gains = zeta ** (sign * (GRID[:, np.newaxis] - 12) / 512)
    return by_each_pair(GRID[:, np.newaxis] * plain(1e4, 32), gains)


def clipped(taper: Any) -> Made:
    """Positions near and far, the slowest pairs times ``taper``."""
    theta = plain(1e4, 32)
    theta[16 - len(taper) :] *= taper
    x, positions = rows(1, 3, 24, 32), np.r_[0:16, 5000:5008]
    return pair(x, rotated(x, positions, theta=theta), positions=positions)


def axial() -> Made:
    """A grid of 4 rows and 6 columns: one half of the row by each, by itself half-split."""
    x = rows(1, 3, 24, 32)
    halves = rotated(x[..., :16], GRID // 6, base=100), rotated(x[..., 16:], GRID % 6, base=100)
    return pair(x, np.concatenate(halves, -1))


def multimodal() -> Made:
    """Text of 8, a picture of 3 rows and 4 columns, text of 4; sections of 4, 6 and 6 pairs."""
    time = np.r_[0:8, [8] * 12, 12:16]
    height = np.r_[0:8, 8 + np.repeat(np.arange(3), 4), 12:16]
    width = np.r_[0:8, 8 + np.tile(np.arange(4), 3), 12:16]
    used = np.stack([time] * 4 + [height] * 6 + [width] * 6, axis=-1)
    return by_each_pair(used * plain(1e4, 32))


def with_sinusoid() -> Made:
    x, angles = rows(1, 3, 24, 32), GRID[:, np.newaxis] * plain(1e4, 32)
    added = np.zeros((24, 32))
    added[:, ::2], added[:, 1::2] = np.sin(angles), np.cos(angles)
    return pair(x, x + added)


SCHEMES = (
    Planted(
        "xPos, queries",
        lambda: xpos(1),
        {"layout": "half-split"},
        [{"kind": "xpos", "scale": 512.0, "center": 12.0}],
        "another scheme, xPos: each pair is also multiplied by a constant of its own, raised to "
        "the power (m - 12)/512",
        "другая схема, xPos: каждая пара к тому же умножена на свою постоянную в степени",
    ),
    Planted(
        "xPos, keys",
        lambda: xpos(-1),
        {"layout": "half-split"},
        [{"kind": "xpos", "scale": -512.0, "center": 12.0}],
        "raised to the power (m - 12)/-512",
        "на свою постоянную в степени (m - 12)/-512",
    ),
    Planted(
        "CoPE",
        lambda: clipped([1, 0.8535533906, 0.5, 0.1464466094, 0]),
        {"layout": "half-split"},
        [{"kind": "tapered-frequencies", "pairs": 5}],
        "another scheme, CoPE: the 5 slowest pairs are slowed down further",
        "другая схема, CoPE: самые медленные пары (их 5)",
    ),
    Planted(
        "slow pairs clipped",
        lambda: clipped([0, 0, 0]),
        {"layout": "half-split"},
        [{"kind": "clipped-frequencies", "pairs": 3}],
        "the 3 slowest pairs do not rotate",
        "самые медленные пары (их 3) не поворачиваются",
    ),
    Planted(
        "axial",
        axial,
        {"layout": "half-split"},
        [{"kind": "axial", "rows": 4, "columns": 6}],
        "the tokens form a grid of 4 rows and 6 columns",
        "токены образуют сетку 4 × 6",
    ),
    Planted(
        "M-RoPE",
        multimodal,
        {"layout": "half-split"},
        [{"kind": "multimodal", "sections": [4, 6, 6]}],
        "another scheme, M-RoPE: the pairs have positions of their own (time, height, width), in "
        "sections of 4, 6, 6 pairs",
        "пары разбиты на группы (4, 6, 6), и у каждой группы свои позиции: время, высота или "
        "ширина",
    ),
    Planted(
        "sinusoids added",
        with_sinusoid,
        {"layout": "half-split"},
        [{"kind": "additive-sinusoid", "order": "sine-cosine", "factor": 1.0}],
        "sines and cosines of the position are added to the rows, times 1 (sine and cosine "
        "alternate)",
        "к строкам прибавлены синусы и косинусы позиции, умноженные на 1 (синус и косинус "
        "чередуются)",
    ),
    Planted(
        "learned vectors added",
        lambda: pair(rows(1, 3, 24, 32), rows(1, 3, 24, 32) + rows(2, 24, 32)[1]),
        {"layout": "half-split"},
        [{"kind": "additive-positions"}],
        "the same numbers are added to all rows of a token, as learned positions are",
        "ко всем строкам токена прибавлены одни и те же числа, как при обучаемых векторах позиций",
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


@pytest.mark.slow
@pytest.mark.parametrize("case", PLANTED + SCHEMES, ids=lambda case: case.name)
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


def config_file(**keys: Any) -> str:
    """The config of a model, in the current directory."""
    Path("config.json").write_text(json.dumps({"hidden_size": 256, **keys}), "utf-8")
    return "config.json"


def test_what_the_config_itself_suggests_comes_first(
    verify: Callable[..., Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base of the other layers; a share of the head read as a plain partial rotation."""
    monkeypatch.chdir(tmp_path)
    gemma3 = {
        "model_type": "gemma3_text",
        "head_dim": 64,
        "num_attention_heads": 8,
        "max_position_embeddings": 131_072,
        "rope_theta": 1_000_000.0,
        "rope_local_base_freq": 10_000.0,
        "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
    }
    options = {"config": config_file(**gemma3), "layout": "half-split"}
    x = rows(1, 2, 24, 64)
    made = pair(x, rotated(x, np.arange(24)))
    document = verify(made, layer_type="full_attention", **options)
    values = values_of(document)
    assert values["mistakes"] == [{"kind": "other-layer", "layer": "sliding_attention"}]
    assert "that of the layers of type sliding_attention" in text_of(document, "en")
    assert "у слоёв типа sliding_attention" in text_of(document, "ru")

    config_file(
        model_type="llama",
        head_dim=64,
        num_attention_heads=4,
        max_position_embeddings=1024,
        rope_parameters={
            "rope_type": "proportional",
            "rope_theta": 10_000.0,
            "partial_rotary_factor": 0.5,
        },
    )
    document = verify(pair(x, rotated(x, np.arange(24), width=32)), **options)
    values = values_of(document)
    assert values["mistakes"] == [{"kind": "other-rule", "rule": "plain-partial"}]
    assert "the rotated share of the head has the frequencies of its own width" in text_of(
        document, "en"
    )
    assert "часть головы повёрнута сама по себе" in text_of(document, "ru")


def test_figures_that_give_the_same_numbers_are_listed(verify: Callable[..., Document]) -> None:
    """Of four pairs YaRN divides the same ones for original lengths of 2048 and 4096."""
    x = rows(1, 1, 24, 8)
    theta = [1, 0.1, (0.01 + 0.01 / 8) / 2, 0.001 / 8]  # the ramp: 0 at pair 1, 1 at pair 3
    document = verify(pair(x, rotated(x, np.arange(24), theta=theta)), layout="half-split")
    values = values_of(document)
    found = [values["mistakes"], *values["alternatives"]]
    assert [[each["kind"] for each in named] for named in found] == [["yarn"]] * len(found)
    assert [named[0]["factor"] for named in found] == [8.0] * len(found)
    assert found[0][0]["original_length"] == 4096
    assert {named[0]["original_length"] for named in found} >= {2048, 4096}


def test_first_feature_is_where_the_rotated_slice_starts(
    verify: Callable[..., Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right with the option, also for rows wider than the config knows; beyond the row refused."""
    monkeypatch.chdir(tmp_path)
    made = nope_then_rope()
    options = {"first_feature": "32", "layout": "adjacent"}
    document = verify(made, feature_width="16", **options)
    assert values_of(document)["verdict"] == "agrees"
    assert "rotated coordinates 16 of 48 (from 32 on)" in text_of(document, "en")
    assert "поворачиваемых координат 16 из 48 (начиная с 32)" in text_of(document, "ru")
    latent = {"num_attention_heads": 4, "qk_rope_head_dim": 16, "qk_nope_head_dim": 32}
    config = config_file(model_type="deepseek_v3", max_position_embeddings=64, **latent)
    assert values_of(verify(made, config=config, **options))["verdict"] == "agrees"
    with pytest.raises(CommandRefusal, match="--first-feature"):
        verify(made, feature_width="16", first_feature="33")


QUERY, KEY = rows(2, 2, 6, 16)
SIX = np.arange(6)
# The slopes of two heads by the paper on ALiBi, added to scores divided by the root of 16.
BIAS = np.array([2.0**-4, 2.0**-8])[:, np.newaxis, np.newaxis] * (SIX - SIX[:, np.newaxis])
SCORES: tuple[tuple[Array, Array, Any, dict[str, Any], str, str], ...] = (
    (
        rotated(QUERY, SIX + 1234),
        rotated(KEY, SIX),
        0,
        {"kind": "query-offset", "offset": 1234},
        "the queries are shifted by +1234 relative to the keys",
        "позиции запросов смещены относительно позиций ключей на +1234",
    ),
    (
        rotated(QUERY, SIX),
        rotated(KEY, -SIX),
        0,
        {"kind": "key-direction"},
        "the keys rotate the other way, the queries do not",
        "ключи поворачиваются в обратную сторону, а запросы нет",
    ),
    (
        rotated(QUERY, -SIX),
        rotated(KEY, SIX),
        0,
        {"kind": "query-direction"},
        "the queries rotate the other way, the keys do not",
        "запросы поворачиваются в обратную сторону, а ключи нет",
    ),
    (
        rotated(QUERY, SIX, adjacent=True),
        rotated(KEY, SIX),
        0,
        {"kind": "layouts-differ", "query": "adjacent", "key": "half-split"},
        "queries and keys are rotated in different layouts: adjacent and half-split",
        "запросы и ключи повёрнуты в разных раскладках: соседние пары и половинная раскладка",
    ),
    (
        rotated(QUERY, SIX),
        KEY,
        0,
        {"kind": "key-not-rotated"},
        "only the query is rotated",
        "повёрнут только запрос",
    ),
    (
        rotated(KEY, SIX),
        rotated(QUERY, SIX),
        0,
        {"kind": "scores-transposed"},
        "row m, column n holds the score of query n and key m",
        "в строке m и столбце n стоит оценка запроса n и ключа m",
    ),
    (
        QUERY / 4,
        KEY,
        BIAS,
        {"kind": "alibi", "slopes": [0.0625, 0.00390625], "rotated": False},
        "another scheme, ALiBi: a multiple of n-m is added to the scores, with slopes 0.0625, "
        "0.00390625",
        "другая схема, ALiBi: к оценкам прибавлены n-m, умноженные на наклоны 0.0625, 0.00390625",
    ),
)


@pytest.mark.parametrize("case", SCORES, ids=lambda case: case[3]["kind"])
def test_wrong_scores_are_named(case: Any, verify: Callable[..., Document]) -> None:
    """Of queries and keys that were not rotated alike, or of another scheme."""
    query, key, bias, mistake, english, russian = case
    scores = query @ np.swapaxes(key, -1, -2) + bias
    document = verify({"query": QUERY, "key": KEY, "scores": scores}, layout="half-split")
    assert values_of(document)["mistakes"] == [mistake]
    assert english in text_of(document, "en")
    assert russian in text_of(document, "ru")


def test_exchanged_outputs_are_told(verify: Callable[..., Document]) -> None:
    """Each output is right for the other's input; not so if one of them is wrong as well."""
    query, key = rotated(QUERY, SIX), rotated(KEY, SIX)
    arrays = {"query": QUERY, "key": KEY, "query_output": key, "key_output": query}
    document = verify(arrays)
    assert [section.values["verdict"] for section in document.sections] == ["differs"] * 2
    assert document.parameters["remarks"] == [{"kind": "outputs-exchanged"}]
    assert "each is right for the input of the other" in text_of(document, "en")
    assert "каждый верен для входа другого" in text_of(document, "ru")
    arrays["key_output"] = query[::-1].copy()
    assert verify(arrays).parameters["remarks"] == []


FOUR = [1, 0.1, 0.01, 0.001]  # of width 8 and base 10000
LONGROPE = {
    "rope_type": "longrope",
    "original_max_position_embeddings": 1024,
    "factor": 4.0,
    "short_factor": [1, 1, 1, 2],
    "long_factor": [1, 2, 4, 8],
}
LISTS: tuple[tuple[list[float], list[str], str, str], ...] = (
    (
        [1, 10, 100, 1000],
        ["frequencies-not-inverted"],
        "the frequencies are not inverted",
        "частоты не обращены",
    ),
    (
        [57.29577951, 5.729577951, 0.5729577951, 0.05729577951],
        ["degrees"],
        "each is multiplied by 180/π",
        "каждый угол умножен на 180/π",
    ),
    (
        [6.283185307, 62.83185307, 628.3185307, 6283.185307],
        ["wavelengths"],
        "the list holds the periods 2π/θ, in positions, instead of the frequencies θ",
        "в списке стоят периоды 2π/θ, в позициях, а не частоты θ",
    ),
    (
        [6.283185307, 19.86917653, 62.83185307, 198.6917653],
        ["wavelengths", "base"],
        "the base is 100, not 10000",
        "основание частот равно 100, а не 10000",
    ),
    (
        FOUR + FOUR,
        ["written-twice"],
        "each frequency is in the list twice, once for each coordinate of its pair (half-split)",
        "каждая частота стоит в списке дважды, по разу на координату пары (половинная раскладка)",
    ),
    (
        [1, 1, 0.1, 0.1, 0.01, 0.01, 0.001, 0.001],
        ["written-twice"],
        "once for each coordinate of its pair (adjacent)",
        "по разу на координату пары (соседние пары)",
    ),
    (
        [1, 0.05, 0.0025, 0.000125],
        ["other-list"],
        "the frequencies are divided by the other list of LongRoPE",
        "частоты поделены на числа другого списка LongRoPE",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("case", LISTS, ids=lambda case: "+".join(case[1]))
@pytest.mark.parametrize("width", ["8", None])
def test_wrong_lists_are_named(
    case: Any, width: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another quantity in place of the frequencies, each of them twice, or the other list."""
    listed, kinds, english, russian = case
    monkeypatch.chdir(tmp_path)
    Path("list.json").write_text(json.dumps(listed), "utf-8")
    options = {"files": ("list.json",), "frequencies": True, "feature_width": width}
    if kinds == ["other-list"]:
        lengths = {"max_position_embeddings": 4096, "num_attention_heads": 32}
        config = config_file(head_dim=8, rope_scaling=LONGROPE, **lengths)
        options = {**options, "feature_width": None, "config": config, "length": "512"}
    document = report(request_from(options))
    assert [each["kind"] for each in values_of(document)["mistakes"]] == kinds
    assert english in text_of(document, "en")
    assert russian in text_of(document, "ru")


def llama31_frequencies(base: float, factor: float) -> Array:
    """The rule of Llama 3.1 for 64 pairs, by wavelength: below 2048 kept, above 8192 divided."""
    theta = plain(base, 128)
    share = np.clip((8192 * theta / (2 * np.pi) - 1) / 3, 0, 1)
    return np.asarray(theta * (share + (1 - share) / factor))


LLAMA31_KEYS: dict[str, Any] = {
    "model_type": "llama",
    "head_dim": 128,
    "num_attention_heads": 2,
    "max_position_embeddings": 131_072,
    "rope_theta": 500_000.0,
    "rope_scaling": {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
}
QWEN_YARN_KEYS: dict[str, Any] = {
    "model_type": "qwen2",
    "head_dim": 128,
    "num_attention_heads": 2,
    "max_position_embeddings": 32_768,
    "rope_theta": 1_000_000.0,
    "rope_scaling": {
        "rope_type": "yarn",
        "factor": 4.0,
        "original_max_position_embeddings": 32_768,
    },
}
# By name: the config, what is planted into rows (adjacent or not), and the kinds that are named.
WITH_A_CONFIG: dict[str, tuple[dict[str, Any], Callable[[Array, bool], Array], set[str]]] = {
    "base, unscaled": (
        LLAMA31_KEYS,
        lambda x, adjacent: rotated(x, np.arange(32), adjacent=adjacent),
        {"unscaled", "base"},
    ),
    "base, unscaled, direction": (
        LLAMA31_KEYS,
        lambda x, adjacent: rotated(x, -np.arange(32), adjacent=adjacent),
        {"unscaled", "base", "direction"},
    ),
    "base, unscaled, factor kept": (
        QWEN_YARN_KEYS,
        lambda x, adjacent: 1.138629436 * rotated(x, np.arange(32), adjacent=adjacent),
        {"unscaled", "base"},
    ),
    "base, another factor": (
        LLAMA31_KEYS,
        lambda x, adjacent: rotated(
            x, np.arange(32), theta=llama31_frequencies(1e4, 32.0), adjacent=adjacent
        ),
        {"base", "llama3"},
    ),
    "half a head, unscaled": (
        LLAMA31_KEYS,
        lambda x, adjacent: rotated(x, np.arange(32), base=5e5, width=64, adjacent=adjacent),
        {"rotary-width", "unscaled"},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("adjacent", [False, True], ids=["half-split", "adjacent"])
@pytest.mark.parametrize("name", WITH_A_CONFIG)
def test_mistakes_in_the_layout_of_the_models_code_and_in_the_other(
    name: str,
    adjacent: bool,
    verify: Callable[..., Document],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both models are half-split; in the other layout that is a mistake more."""
    monkeypatch.chdir(tmp_path)
    keys, plant, kinds = WITH_A_CONFIG[name]
    x = rows(1, 2, 32, 128)
    values = values_of(verify(pair(x, plant(x, adjacent)), config=config_file(**keys)))
    kinds = kinds | {"other-layout"} if adjacent else kinds
    assert {each["kind"] for each in values["mistakes"]} == kinds
    assert values["every_number_explained"]
    found = [values["mistakes"], *values["alternatives"]]
    sets = [frozenset(each["kind"] for each in named) for named in found]
    assert max(map(sets.count, sets)) <= 3


def as_bfloat16(x: Array) -> Array:
    """Rounded to the upper 16 bits of a float32, to nearest."""
    bits = x.astype(np.float32).view(np.uint32)
    return ((bits + 0x8000) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)


def test_a_base_comes_before_a_strange_exponent_width_in_bfloat16(
    verify: Callable[..., Document],
) -> None:
    """Base 12000 over 16 tokens is also, nearly, 10000 with an exponent width of 126."""
    x = as_bfloat16(rows(1, 2, 16, 128))
    made = pair(x, as_bfloat16(rotated(x, np.arange(16), base=12_000.0)))
    values = values_of(verify(made, dtype="bfloat16", layout="half-split"))
    assert values["mistakes"] == [{"kind": "base", "base": 12_000.0, "expected": 10_000.0}]


def test_the_nearest_of_equally_simple_explanations_comes_first(
    verify: Callable[..., Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In bfloat16 YaRN without its factor is nearly unscaled; the missing factor is nearer."""
    monkeypatch.chdir(tmp_path)
    theta = plain(1e6, 128)
    # The ramp of YaRN for 4 times 32768 tokens: from pair 23 (32 turns) to pair 40 (one turn).
    ramp = np.clip((np.arange(64) - 23) / (40 - 23), 0, 1)
    x = as_bfloat16(rows(1, 2, 32, 128))
    y = rotated(x, np.arange(32), theta=theta * (1 - ramp + ramp / 4))
    options = {"config": config_file(**QWEN_YARN_KEYS), "layout": "half-split"}
    values = values_of(verify(pair(x, as_bfloat16(y)), dtype="bfloat16", **options))
    assert [each["kind"] for each in values["mistakes"]] == ["attention-factor"]


def test_the_same_mistakes_in_another_order_are_no_other_explanation(
    verify: Callable[..., Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wrong direction and no scaling, said once."""
    monkeypatch.chdir(tmp_path)
    x = rows(1, 2, 32, 128)
    made = pair(x, rotated(x, -np.arange(32), base=5e5))
    values = values_of(verify(made, config=config_file(**LLAMA31_KEYS), layout="half-split"))
    found = [values["mistakes"], *values["alternatives"]]
    sets = [frozenset(each["kind"] for each in named) for named in found]
    assert sets[0] == {"direction", "unscaled"}
    assert len(set(sets)) == len(sets)


@pytest.mark.slow
@pytest.mark.parametrize("adjacent", [False, True])
def test_one_wrong_number_is_no_other_layout(
    adjacent: bool, verify: Callable[..., Document]
) -> None:
    """It is left unexplained, in the layout in which the others are right."""
    x = rows(4, 24, 64)
    y = rotated(x, np.arange(24), adjacent=adjacent)
    y[1, -1, -1] += 5e-3
    document = verify(pair(x, y))
    values = values_of(document)
    assert values["mistakes"] == []
    assert document.parameters["layout"] == ("adjacent" if adjacent else "half-split")
    assert "in 1 of 24 tokens" in text_of(document, "en")
