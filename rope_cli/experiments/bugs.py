"""Broken mathematics: one mistake a function, each in plain numpy.

A mistake takes rows ``[..., tokens, width]`` and their positions ``[tokens]``. The section ``bugs``
shows which check notices it; tests build it into an :class:`Example` and an embedding, so that
every check of the report meets it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import Example
from rope_cli.rope import reduced_precision
from rope_cli.rope.layouts import to_adjacent, to_half_split
from rope_cli.rope.tables import RotaryEmbedding
from rope_cli.text import Text

Array = np.ndarray[Any, Any]
Rotate = Callable[[Array, Array, int, float], Array]  # rows, positions, width, base -> rows


def frequencies(width: int, base: float) -> Array:
    """base^(-2k/d) for every pair k."""
    return np.asarray(base ** (-2.0 * np.arange(width // 2) / width))


def rotate_by_angles(x: Array, angles: Array) -> Array:
    """Adjacent pairs rotated by ``angles`` ``[tokens, pairs]``."""
    cosines, sines = np.cos(angles), np.sin(angles)
    left, right = x[..., 0::2], x[..., 1::2]
    return interleave(left * cosines - right * sines, left * sines + right * cosines)


def interleave(left: Array, right: Array) -> Array:
    """Left and right coordinates side by side again."""
    return np.stack([left, right], axis=-1).reshape(*left.shape[:-1], 2 * left.shape[-1])


def correct_rotation(x: Array, positions: Array, width: int, base: float) -> Array:
    """The rotation as it should be."""
    return rotate_by_angles(x, positions[:, None] * frequencies(width, base))


def clockwise(x: Array, positions: Array, width: int, base: float) -> Array:
    """Rotated the other way."""
    return correct_rotation(x, -positions, width, base)


def unrotated(x: Array, positions: Array, width: int, base: float) -> Array:
    """Not rotated."""
    return x.copy()


def half_split(x: Array, positions: Array, width: int, base: float) -> Array:
    """Pairs taken from the two halves of a row that holds its pairs side by side."""
    order = np.r_[0 : width // 2, width // 2 : width].reshape(2, -1).T.ravel()
    rotated = correct_rotation(x[..., order], positions, width, base)
    return rotated[..., np.argsort(order)]


def mixed_layout(x: Array, positions: Array, width: int, base: float) -> Array:
    """The table of adjacent pairs with partners from the two halves."""
    angles = np.repeat(positions[:, None] * frequencies(width, base), 2, axis=-1)
    half = np.concatenate([-x[..., width // 2 :], x[..., : width // 2]], axis=-1)
    return np.asarray(x * np.cos(angles) + half * np.sin(angles))


def degrees(x: Array, positions: Array, width: int, base: float) -> Array:
    """Angles meant in radians taken as degrees."""
    return correct_rotation(x, np.radians(positions), width, base)


def exponent_halved(x: Array, positions: Array, width: int, base: float) -> Array:
    """base^(-k/d)."""
    return rotate_by_angles(x, positions[:, None] * frequencies(width, base) ** 0.5)


def exponent_sign(x: Array, positions: Array, width: int, base: float) -> Array:
    """base^(+2k/d)."""
    return rotate_by_angles(x, positions[:, None] / frequencies(width, base))


def sine_cosine_exchanged(x: Array, positions: Array, width: int, base: float) -> Array:
    """Sines where cosines belong."""
    return rotate_by_angles(x, np.pi / 2 - positions[:, None] * frequencies(width, base))


def reflection(x: Array, positions: Array, width: int, base: float) -> Array:
    """[cos, sin; sin, -cos], which has determinant -1."""
    flipped = x.copy()
    flipped[..., 1::2] *= -1
    return correct_rotation(flipped, positions, width, base)


def lost_minus(x: Array, positions: Array, width: int, base: float) -> Array:
    """[cos, sin; sin, cos]: no rotation at all."""
    angles = positions[:, None] * frequencies(width, base)
    left, right = x[..., 0::2], x[..., 1::2]
    return interleave(
        left * np.cos(angles) + right * np.sin(angles),
        left * np.sin(angles) + right * np.cos(angles),
    )


def one_position_late(x: Array, positions: Array, width: int, base: float) -> Array:
    """Positions counted from 1."""
    return correct_rotation(x, positions + 1, width, base)


def pairs_from_one(x: Array, positions: Array, width: int, base: float) -> Array:
    """Pairs counted from 1, so that none has the frequency 1."""
    return rotate_by_angles(x, positions[:, None] * frequencies(width, base) * base ** (-2 / width))


def low_precision_position(x: Array, positions: Array, width: int, base: float) -> Array:
    """Positions kept in bfloat16, which has no 257."""
    return correct_rotation(x, reduced_precision.to_bfloat16(positions), width, base)


def sinusoid_added(x: Array, positions: Array, width: int, base: float) -> Array:
    """A position vector added instead of a rotation."""
    angles = positions[:, None] * frequencies(width, base)
    return np.asarray(x + interleave(np.sin(angles), np.cos(angles)))


def other_base(x: Array, positions: Array, width: int, base: float) -> Array:
    """A base written into the code."""
    return correct_rotation(x, positions, width, 10000.0)


@dataclass(frozen=True)
class Bug:
    """A mistake in the rotation of queries and of keys."""

    name: str
    words: Text
    query: Rotate
    key: Rotate

    @property
    def example_type(self) -> type[Example]:
        """An example whose rows are rotated by this bug, through every door."""
        bug = self

        def rotate_rows(mistake: Rotate, table: RotaryEmbedding, x: Any, offset: Any) -> Array:
            rows = table.rows(np.shape(x), offset)
            positions = np.arange(rows.start, rows.stop) + float(table.first_position)
            adjacent = to_adjacent(x) if table.layout == "half-split" else np.asarray(x)
            rotated = mistake(adjacent, positions, table.feature_width, table.base)
            laid_out = to_half_split(rotated) if table.layout == "half-split" else rotated
            return laid_out.astype(x.dtype)

        class BrokenEmbedding(RotaryEmbedding):
            def rotate(self, x: Any, position_offset: Any = 0, out: Any = None) -> Array:
                if np.asarray(x).dtype not in (np.float64, np.float32) or out is not None:
                    return super().rotate(x, position_offset, out)
                return rotate_rows(bug.query, self, x, position_offset)

        class BrokenExample(Example):
            embedding_type = BrokenEmbedding

            def rotate_key(
                self,
                key: Array,
                position_offset: int = 0,
                embedding: RotaryEmbedding | None = None,
            ) -> Array:
                table = embedding or self.table_for(key.shape[-2], position_offset)
                return rotate_rows(bug.key, table, key, position_offset)

        return BrokenExample


def _both(name: str, mistake: Rotate, en: str, ru: str) -> Bug:
    return Bug(name, t(en, ru), mistake, mistake)


BUGS = (
    _both("clockwise", clockwise, "rotated clockwise", "поворот по часовой стрелке"),
    Bug("only q rotated", t("only q rotated", "повёрнут только q"), correct_rotation, unrotated),
    _both("half-split pairs", half_split, "half-split pairs", "пары из двух половин"),
    _both("mixed layout", mixed_layout, "two layouts mixed", "смесь двух раскладок"),
    _both("degrees for radians", degrees, "degrees for radians", "градусы вместо радиан"),
    _both("exponent -k/d", exponent_halved, "exponent -j/d", "показатель -j/d"),
    _both("exponent +2k/d", exponent_sign, "exponent +2j/d", "показатель +2j/d"),
    _both(
        "sin and cos exchanged",
        sine_cosine_exchanged,
        "sin and cos exchanged",
        "sin и cos перепутаны",
    ),
    _both("reflection", reflection, "reflection, not rotation", "отражение вместо поворота"),
    _both("lost minus", lost_minus, "minus sign lost", "потерян минус"),
    _both("position +1", one_position_late, "positions counted from 1", "счёт позиций с единицы"),
    _both("pairs counted from 1", pairs_from_one, "pairs counted from 1", "счёт пар с единицы"),
    _both("bf16 position", low_precision_position, "positions in bfloat16", "позиции в bfloat16"),
    _both(
        "sinusoid added instead",
        sinusoid_added,
        "sinusoid added instead",
        "вместо поворота — синусоида",
    ),
    _both("base 10000", other_base, "base 10000, not 100", "основание 10000, а не 100"),
    Bug(
        "q clockwise, k not",
        t("q clockwise, k not", "q по часовой стрелке, k нет"),
        clockwise,
        correct_rotation,
    ),
    _both("no rotation at all", unrotated, "no rotation at all", "нет никакого поворота"),
)
