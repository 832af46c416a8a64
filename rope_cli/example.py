"""Every array of the worked example, computed once from the parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rope_cli.parameters import Parameters
from rope_cli.rope import attention
from rope_cli.rope.tables import RotaryEmbedding

Array = NDArray[np.float64]
Turn = Callable[[Array, int], Array]

# The chapter's row uses one column of the rotation matrix, its partner uses the other.
FIRST_COLUMN = (1.0, 0.0, 1.0, 0.0)
SECOND_COLUMN = (0.0, 1.0, 0.0, 1.0)
# Content that is blind to nothing: no zeros, no equal pairs, query and key not parallel.
GENERIC_QUERY = (1.0, 2.0, -0.5, 0.75)
GENERIC_KEY = (0.3, -1.0, 2.0, 0.25)

# Three tokens for the sections that need attention.
TOKEN_QUERIES = ((1.0, 0.0, 1.0, 0.0), (0.5, -0.25, 0.75, 0.1), (-0.3, 0.8, 0.2, -0.6))
TOKEN_KEYS = ((0.0, 1.0, 0.0, 1.0), (0.2, 0.3, -0.4, 0.5), (1.0, -1.0, 0.5, 0.25))
TOKEN_VALUES = ((1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0), (-1.0, 0.0, 1.0, 2.0))

# What the loss hands back to the rotated queries and keys.
QUERY_OUTPUT_ADJOINT = ((1.0, -0.5, 0.25, 0.75), (-0.3, 0.8, 1.2, -0.4), (0.6, 0.1, -0.7, 0.9))
KEY_OUTPUT_ADJOINT = ((-0.2, 0.4, 0.9, -0.6), (0.5, 1.1, -0.8, 0.3), (1.0, -0.9, 0.2, 0.7))


def rows(values: ArrayLike) -> Array:
    """The values as a float64 array of their own."""
    return np.array(values, dtype=np.float64)


class Example:
    """The worked example. A test may break it by overriding how queries and keys are rotated.

    Sections rotate only through :meth:`rotate_query` and :meth:`rotate_key`, or through an
    embedding that :meth:`embedding_for` made, so whatever is wrong there reaches every check.
    """

    embedding_type: type[RotaryEmbedding] = RotaryEmbedding

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.embedding_for = lru_cache(maxsize=None)(self._new_embedding)

    def _new_embedding(self, feature_width: int, capacity: int, base: float) -> RotaryEmbedding:
        return self.embedding_type(feature_width, capacity, base, self.parameters.layout)

    @cached_property
    def embedding(self) -> RotaryEmbedding:
        """The rotation of the worked example."""
        asked = self.parameters
        return self.embedding_for(asked.feature_width, asked.capacity, asked.base)

    def rotate_query(
        self, query: Array, position_offset: int = 0, embedding: RotaryEmbedding | None = None
    ) -> Array:
        """Queries ``[..., tokens, width]`` at consecutive positions from the offset."""
        return (embedding or self.embedding).rotate(query, position_offset)

    def rotate_key(
        self, key: Array, position_offset: int = 0, embedding: RotaryEmbedding | None = None
    ) -> Array:
        """Keys ``[..., tokens, width]`` at consecutive positions from the offset."""
        return (embedding or self.embedding).rotate(key, position_offset)

    @cached_property
    def query(self) -> Array:
        """The content at every position, ``[tokens, width]``."""
        return np.tile(rows(self.parameters.content), (len(self.parameters.positions), 1))

    @cached_property
    def key(self) -> Array:
        """The same content as key."""
        return self.query.copy()

    @property
    def first_position(self) -> int:
        """Where the unshifted rows begin."""
        return self.parameters.positions[0]

    @property
    def shifted_position(self) -> int:
        """Where the shifted rows begin."""
        return self.first_position + self.parameters.shift

    @cached_property
    def rotated_query(self) -> Array:
        """The queries at their positions."""
        return self.rotate_query(self.query, self.first_position)

    @cached_property
    def rotated_key(self) -> Array:
        """The keys at their positions."""
        return self.rotate_key(self.key, self.first_position)

    @cached_property
    def shifted_query(self) -> Array:
        """The queries after the equal shift."""
        return self.rotate_query(self.query, self.shifted_position)

    @cached_property
    def shifted_key(self) -> Array:
        """The keys after the equal shift."""
        return self.rotate_key(self.key, self.shifted_position)

    @cached_property
    def dot_products(self) -> Array:
        """Queries in rows, keys in columns."""
        return attention.dot_products(self.rotated_query, self.rotated_key)

    @cached_property
    def shifted_dot_products(self) -> Array:
        """The same after the equal shift."""
        return attention.dot_products(self.shifted_query, self.shifted_key)

    def grid(
        self,
        query: Sequence[float],
        key: Sequence[float],
        position_offset: int = 0,
        base: float | None = None,
    ) -> Array:
        """Dot products ``[3, 3]`` of a query row with a key row, both at three positions."""
        embedding = self.embedding_for(
            len(query), position_offset + 3, self.parameters.base if base is None else base
        )
        queries, keys = (np.tile(rows(row), (3, 1)) for row in (query, key))
        return attention.dot_products(
            self.rotate_query(queries, position_offset, embedding),
            self.rotate_key(keys, position_offset, embedding),
        )

    def score(
        self, query: Sequence[float], key: Sequence[float], query_position: int, key_position: int
    ) -> float:
        """The dot product of one query and one key, each at its own position."""
        capacity = max(query_position, key_position) + 1
        embedding = self.embedding_for(len(query), capacity, self.parameters.base)
        turned_query = self.rotate_query(rows([query]), query_position, embedding)
        turned_key = self.rotate_key(rows([key]), key_position, embedding)
        return float(turned_query[0] @ turned_key[0])

    def queries_at(self, query: Array, positions: Sequence[int]) -> Array:
        """Query rows ``[tokens, width]``, each turned to a position of its own."""
        return self._each_at(self.rotate_query, query, positions)

    def keys_at(self, key: Array, positions: Sequence[int]) -> Array:
        """Key rows ``[tokens, width]``, each turned to a position of its own."""
        return self._each_at(self.rotate_key, key, positions)

    @staticmethod
    def _each_at(rotate: Turn, content: Array, positions: Sequence[int]) -> Array:
        turned = [
            rotate(content[token : token + 1], position) for token, position in enumerate(positions)
        ]
        return np.concatenate(turned)
