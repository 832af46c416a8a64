"""Broken mathematics: one way to be wrong a line, each in plain numpy.

A bug says where rows ``[..., tokens, width]`` end up when their positions are ``positions``; it is
built into an :class:`Example` and an embedding from outside, so that the report's own checks can
be asked whether they notice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rope_cli.example import Example
from rope_cli.rope.tables import RotaryEmbedding

Array = np.ndarray[Any, Any]
Turn = Callable[[Array, Array, int, float], Array]  # rows, positions, width, base -> rows


def frequencies(width: int, base: float) -> Array:
    return base ** (-2.0 * np.arange(width // 2) / width)


def by_angles(x: Array, angles: Array) -> Array:
    cosines, sines = np.cos(angles), np.sin(angles)
    left, right = x[..., 0::2], x[..., 1::2]
    return woven(left * cosines - right * sines, left * sines + right * cosines)


def woven(left: Array, right: Array) -> Array:
    return np.stack([left, right], axis=-1).reshape(*left.shape[:-1], 2 * left.shape[-1])


def right_way(x: Array, positions: Array, width: int, base: float) -> Array:
    return by_angles(x, positions[:, None] * frequencies(width, base))


def clockwise(x: Array, positions: Array, width: int, base: float) -> Array:
    return right_way(x, -positions, width, base)


def unrotated(x: Array, positions: Array, width: int, base: float) -> Array:
    return x.copy()


def half_split(x: Array, positions: Array, width: int, base: float) -> Array:
    order = np.r_[0 : width // 2, width // 2 : width].reshape(2, -1).T.ravel()
    turned = right_way(x[..., order], positions, width, base)
    return turned[..., np.argsort(order)]


def mixed_layout(x: Array, positions: Array, width: int, base: float) -> Array:
    angles = np.repeat(positions[:, None] * frequencies(width, base), 2, axis=-1)
    half = np.concatenate([-x[..., width // 2 :], x[..., : width // 2]], axis=-1)
    return x * np.cos(angles) + half * np.sin(angles)


def degrees(x: Array, positions: Array, width: int, base: float) -> Array:
    return right_way(x, np.radians(positions), width, base)


def exponent_halved(x: Array, positions: Array, width: int, base: float) -> Array:
    return by_angles(x, positions[:, None] * frequencies(width, base) ** 0.5)


def exponent_sign(x: Array, positions: Array, width: int, base: float) -> Array:
    return by_angles(x, positions[:, None] / frequencies(width, base))


def sine_cosine_exchanged(x: Array, positions: Array, width: int, base: float) -> Array:
    return by_angles(x, np.pi / 2 - positions[:, None] * frequencies(width, base))


def reflection(x: Array, positions: Array, width: int, base: float) -> Array:
    flipped = x.copy()
    flipped[..., 1::2] *= -1
    return right_way(flipped, positions, width, base)


def lost_minus(x: Array, positions: Array, width: int, base: float) -> Array:
    angles = positions[:, None] * frequencies(width, base)
    left, right = x[..., 0::2], x[..., 1::2]
    return woven(
        left * np.cos(angles) + right * np.sin(angles),
        left * np.sin(angles) + right * np.cos(angles),
    )


def one_position_late(x: Array, positions: Array, width: int, base: float) -> Array:
    return right_way(x, positions + 1, width, base)


def pairs_from_one(x: Array, positions: Array, width: int, base: float) -> Array:
    return by_angles(x, positions[:, None] * frequencies(width, base) * base ** (-2 / width))


def sinusoid_added(x: Array, positions: Array, width: int, base: float) -> Array:
    angles = positions[:, None] * frequencies(width, base)
    return x + woven(np.sin(angles), np.cos(angles))


def other_base(x: Array, positions: Array, width: int, base: float) -> Array:
    return right_way(x, positions, width, 10000.0)


@dataclass(frozen=True)
class Bug:
    """How queries and keys are turned by mistake."""

    name: str
    query: Turn
    key: Turn

    @property
    def example_type(self) -> type[Example]:
        """An example whose rows are rotated by this bug, through every door."""

        def turned(turn: Turn, table: RotaryEmbedding, x: Any, offset: Any) -> Array:
            rows = table.rows(np.shape(x), offset)
            positions = np.arange(rows.start, rows.stop, dtype=np.float64)
            return turn(np.asarray(x), positions, table.feature_width, table.base).astype(x.dtype)

        class BrokenEmbedding(RotaryEmbedding):
            def rotate(embedding, x: Any, position_offset: Any = 0, out: Any = None) -> Array:
                if np.asarray(x).dtype not in (np.float64, np.float32) or out is not None:
                    return super().rotate(x, position_offset, out)
                return turned(self.query, embedding, x, position_offset)

        class BrokenExample(Example):
            embedding_type = BrokenEmbedding

            def rotate_key(
                example, key: Array, position_offset: int = 0, embedding: Any = None
            ) -> Array:
                return turned(self.key, embedding or example.embedding, key, position_offset)

        return BrokenExample


# The table of bugs: the name, the rotation of queries, the rotation of keys.
BUGS = (
    Bug("clockwise", clockwise, clockwise),
    Bug("only q rotated", right_way, unrotated),
    Bug("half-split pairs", half_split, half_split),
    Bug("mixed layout", mixed_layout, mixed_layout),
    Bug("degrees for radians", degrees, degrees),
    Bug("exponent -k/d", exponent_halved, exponent_halved),
    Bug("exponent +2k/d", exponent_sign, exponent_sign),
    Bug("sin and cos exchanged", sine_cosine_exchanged, sine_cosine_exchanged),
    Bug("reflection", reflection, reflection),
    Bug("lost minus", lost_minus, lost_minus),
    Bug("position +1", one_position_late, one_position_late),
    Bug("pairs counted from 1", pairs_from_one, pairs_from_one),
    Bug("sinusoid added instead", sinusoid_added, sinusoid_added),
    Bug("base 10000", other_base, other_base),
    Bug("q clockwise, k not", clockwise, right_way),
    Bug("no rotation at all", unrotated, unrotated),
)
