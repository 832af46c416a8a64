"""Every array of the worked example, computed once from the parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rope_cli.example.parameters import Parameters
from rope_cli.example.positions import consecutive_runs, shift_positions
from rope_cli.rope import attention
from rope_cli.rope.tables import RotaryEmbedding

Array = NDArray[np.float64]
Rotate = Callable[[Array, int], Array]
Result = TypeVar("Result")

# The chapter's row uses one column of the rotation matrix, its partner uses the other.
FIRST_COLUMN = (1.0, 0.0, 1.0, 0.0)
SECOND_COLUMN = (0.0, 1.0, 0.0, 1.0)
# Content that hides no mistake: no zeros, no equal pairs, query and key not parallel.
GENERIC_QUERY = (1.0, 2.0, -0.5, 0.75)
GENERIC_KEY = (0.3, -1.0, 2.0, 0.25)

# Three tokens for the sections that need attention. No column of the values follows from another,
# not even with a constant added, so each column of an output says something of its own.
TOKEN_QUERIES = ((1.0, 0.0, 1.0, 0.0), (0.5, -0.25, 0.75, 0.1), (-0.3, 0.8, 0.2, -0.6))
TOKEN_KEYS = ((0.0, 1.0, 0.0, 1.0), (0.2, 0.3, -0.4, 0.5), (1.0, -1.0, 0.5, 0.25))
TOKEN_VALUES = ((1.0, 2.0, 0.0, -1.0), (5.0, 0.0, 1.0, 2.0), (-1.0, 1.0, 3.0, 0.0))

# The derivative of the loss with respect to the rotated queries and keys.
QUERY_OUTPUT_ADJOINT = ((1.0, -0.5, 0.25, 0.75), (-0.3, 0.8, 1.2, -0.4), (0.6, 0.1, -0.7, 0.9))
KEY_OUTPUT_ADJOINT = ((-0.2, 0.4, 0.9, -0.6), (0.5, 1.1, -0.8, 0.3), (1.0, -0.9, 0.2, 0.7))

# One table holds the positions from 0 if there are not too many of them.
GREATEST_TABLE = 4096
LEAST_TOLERANCE = 1e-12
# With more tokens than this the matrix of dot products has its first and last rows only.
LARGE_GRID = 512
GRID_ROWS_AT_EACH_END = 2
TABLES_KEPT = 64


def as_array(values: ArrayLike) -> Array:
    """The values as a float64 array of their own."""
    return np.array(values, dtype=np.float64)


def norms(content: Array) -> Array:
    """The norm of each row, in float64 whatever the dtype of the rows."""
    return np.asarray(np.linalg.norm(np.asarray(content, dtype=np.float64), axis=-1))


class Example:
    """The worked example; a test may break it by overriding how queries and keys are rotated.

    Sections rotate only through :meth:`rotate_query` and :meth:`rotate_key`, or through an
    embedding made by :meth:`embedding_for`, so a mistake there reaches every check.
    """

    embedding_type: type[RotaryEmbedding] = RotaryEmbedding

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.embedding_for = lru_cache(maxsize=TABLES_KEPT)(self._new_embedding)
        self._results: dict[Callable[..., Any], Any] = {}

    def result_of(self, compute: Callable[[Example], Result]) -> Result:
        """``compute(self)``, computed at the first call and kept: sections may share their work."""
        if compute not in self._results:
            self._results[compute] = compute(self)
        result: Result = self._results[compute]
        return result

    def _new_embedding(
        self, feature_width: int, capacity: int, base: float, first_position: int = 0
    ) -> RotaryEmbedding:
        layout = self.parameters.layout
        return self.embedding_type(
            feature_width, capacity, base, layout, first_position=first_position
        )

    @cached_property
    def embedding(self) -> RotaryEmbedding:
        """The rotation of the worked example, from position 0 on."""
        parameters = self.parameters
        capacity = min(parameters.greatest_position + 1, GREATEST_TABLE)
        return self.embedding_for(parameters.feature_width, capacity, parameters.base)

    def table_for(self, tokens: int, position_offset: int) -> RotaryEmbedding:
        """The table of the worked example, or one of these positions alone if they lie beyond."""
        end = position_offset + tokens
        if end <= self.embedding.max_positions:
            return self.embedding
        parameters, first = self.parameters, min(position_offset, end - 1)
        return self.embedding_for(parameters.feature_width, end, parameters.base, first)

    def tables_at(self, positions: Sequence[int]) -> tuple[Array, Array]:
        """Cosines and sines ``[positions, pairs]`` of the tables that rotate these positions."""
        runs = []
        for run in consecutive_runs(positions):
            tokens, start = run.stop - run.start, positions[run.start]
            table = self.table_for(tokens, start)
            rows = table.rows((tokens, table.feature_width), start)
            runs.append((table.cosines[rows], table.sines[rows]))
        cosines, sines = zip(*runs, strict=True)
        return np.concatenate(cosines), np.concatenate(sines)

    def rotate_query(
        self, query: Array, position_offset: int = 0, embedding: RotaryEmbedding | None = None
    ) -> Array:
        """Queries ``[..., tokens, width]`` at consecutive positions from the offset."""
        table = embedding or self.table_for(query.shape[-2], position_offset)
        return table.rotate(query, position_offset)

    def rotate_key(
        self, key: Array, position_offset: int = 0, embedding: RotaryEmbedding | None = None
    ) -> Array:
        """Keys ``[..., tokens, width]`` at consecutive positions from the offset."""
        table = embedding or self.table_for(key.shape[-2], position_offset)
        return table.rotate(key, position_offset)

    @cached_property
    def content(self) -> dict[str, Array]:
        """Queries and keys before the rotation: a row for every token, or one for all of them."""
        parameters = self.parameters
        standard = [self.continued_to_width(FIRST_COLUMN)]
        rows = {"query": parameters.query or standard, "key": parameters.key or standard}
        return {side: as_array(row).astype(parameters.dtype) for side, row in rows.items()}

    @cached_property
    def query(self) -> Array:
        """The queries before the rotation, ``[tokens, width]``."""
        return self._row_for_each_token("query")

    @cached_property
    def key(self) -> Array:
        """The keys before the rotation, ``[tokens, width]``."""
        return self._row_for_each_token("key")

    def _row_for_each_token(self, side: str) -> Array:
        content = self.content[side]
        return np.broadcast_to(content, (len(self.positions), content.shape[1]))

    def continued_to_width(self, row: Sequence[float]) -> tuple[float, ...]:
        """A row of the chapter continued to the feature width, in the layout of the example.

        The row is read in adjacent pairs, which the half-split layout puts elsewhere.
        """
        width = self.parameters.feature_width
        adjacent = np.resize(as_array(row), width)
        if self.parameters.layout == "half-split":
            adjacent = np.concatenate([adjacent[0::2], adjacent[1::2]])
        return tuple(adjacent.tolist())

    @property
    def positions(self) -> Sequence[int]:
        """The positions of the tokens."""
        return self.parameters.positions

    @cached_property
    def shifted_positions(self) -> Sequence[int]:
        """The positions after the equal shift."""
        return shift_positions(self.positions, self.parameters.shift)

    @cached_property
    def reached_positions(self) -> list[int]:
        """The positions before and after the shift, each once and rising."""
        return sorted({*self.positions, *self.shifted_positions})

    @cached_property
    def rotated_query(self) -> Array:
        """The queries at their positions."""
        return self.rotate_queries(self.query, self.positions)

    @cached_property
    def rotated_key(self) -> Array:
        """The keys at their positions."""
        return self.rotate_keys(self.key, self.positions)

    @cached_property
    def shifted_query(self) -> Array:
        """The queries after the equal shift."""
        return self.rotate_queries(self.query, self.shifted_positions)

    @cached_property
    def shifted_key(self) -> Array:
        """The keys after the equal shift."""
        return self.rotate_keys(self.key, self.shifted_positions)

    @property
    def grid_rows(self) -> list[int]:
        """The queries of the matrix of dot products: of many, the first and the last."""
        tokens = len(self.positions)
        if self.parameters.every_row or tokens <= LARGE_GRID:
            return list(range(tokens))
        ends = GRID_ROWS_AT_EACH_END
        return [*range(ends), *range(-ends, 0)]

    @cached_property
    def dot_products(self) -> Array:
        """Queries in rows (those of ``grid_rows``), keys in columns."""
        return attention.dot_products(self.rotated_query[self.grid_rows], self.rotated_key)

    @cached_property
    def shifted_dot_products(self) -> Array:
        """The same after the equal shift."""
        return attention.dot_products(self.shifted_query[self.grid_rows], self.shifted_key)

    @property
    def score_scale(self) -> float:
        """An upper bound of the dot products of the queries and keys."""
        return float(norms(self.content["query"]).max() * norms(self.content["key"]).max())

    def tolerance(self, scale: float, width: int | None = None) -> float:
        """How far rounding, and the angles of far rows, may move a value.

        ``scale`` is the greatest possible value: a norm, or for a score the product of two norms,
        because the score itself is small where its terms cancel.

        ``scale * ((8 + width / 2) eps + 2 eps64 * greatest position * greatest frequency)`` with
        ``eps`` that of the dtype, rounded up to two digits; never less than 1e-12.
        """
        parameters = self.parameters
        reach = parameters.greatest_position * float(self.embedding.inverse_frequencies.max())
        rounding = (8 + (width or parameters.feature_width) / 2) * float(
            np.finfo(parameters.dtype).eps
        )
        # A difference of two scores has four angles, each off by half a last place at most.
        raw = scale * (rounding + 2 * float(np.finfo(np.float64).eps) * reach)
        if not raw > LEAST_TOLERANCE:
            return LEAST_TOLERANCE
        digit = 10.0 ** (math.floor(math.log10(raw)) - 1)
        return float(f"{math.ceil(raw / digit) * digit:.2g}")

    def grid(
        self,
        query: Sequence[float],
        key: Sequence[float],
        position_offset: int = 0,
        base: float | None = None,
    ) -> Array:
        """Dot products ``[3, 3]`` of a query row with a key row, both at three positions."""
        base = self.parameters.base if base is None else base
        first = position_offset if position_offset > GREATEST_TABLE else 0
        embedding = self.embedding_for(len(query), position_offset + 3, base, first)
        queries, keys = (np.tile(as_array(row), (3, 1)) for row in (query, key))
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
        rotated_query = self.rotate_query(as_array([query]), query_position, embedding)
        rotated_key = self.rotate_key(as_array([key]), key_position, embedding)
        return float(rotated_query[0] @ rotated_key[0])

    def rotate_queries(self, query: Array, positions: Sequence[int]) -> Array:
        """Query rows ``[tokens, width]``, each rotated to its own position."""
        return self._rotate_runs(self.rotate_query, query, positions)

    def rotate_keys(self, key: Array, positions: Sequence[int]) -> Array:
        """Key rows ``[tokens, width]``, each rotated to its own position."""
        return self._rotate_runs(self.rotate_key, key, positions)

    @staticmethod
    def _rotate_runs(rotate: Rotate, content: Array, positions: Sequence[int]) -> Array:
        rotated = [
            rotate(content[run], positions[run.start]) for run in consecutive_runs(positions)
        ]
        return rotated[0] if len(rotated) == 1 else np.concatenate(rotated)
