"""Scores before they are compared: their positions, and those of wrong shape or size refused."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.vocabulary import t
from rope_cli.user_input.array_refusals import InvalidArray, describe_shape, invalid_array
from rope_cli.verify.read.aligned_arrays import Arrays
from rope_cli.verify.read.position_arrays import FilePositions, Positions
from rope_cli.verify.read.request import Request
from rope_cli.verify.read.stored_array import GREATEST_NUMBER, StoredScores

Array = NDArray[np.float64]

MOST_SCORES = 1 << 22
SHAPES = t(
    "[..., query tokens, key tokens] with the leading axes of the query, at most 2^22 scores",
    "[..., токены запроса, токены ключа] с теми же первыми осями, что у запроса, не больше 2^22 "
    "оценок",
)


class ScorePositions(NamedTuple):
    """The positions of queries and keys; ``assumed`` if nobody gave those of the shorter."""

    query: Positions
    key: Positions
    assumed: bool = False


def positions_of_scores(
    scores: StoredScores, positions: FilePositions, request: Request
) -> ScorePositions:
    """Which positions the queries and the keys have.

    Of fewer queries than keys the last stands where the last key does, as with a cache.
    """
    queries, keys = (1, 1, *scores.shape)[-2:]
    if queries not in (1, *scores.query.shape) or keys not in (1, *scores.key.shape):
        raise misfit(scores)
    if request.positions is not None:
        positions = FilePositions({"output": np.array(request.positions, np.int64)})
    elif request.offset is not None:
        positions = FilePositions({"output": np.arange(max(queries, keys)) + request.offset})
    from_zero = np.arange(max(queries, keys))
    query, key = (
        next((positions.arrays[name] for name in names if name in positions.arrays), from_zero)
        for names in (("query", "output", "key"), ("key", "output", "query"))
    )
    assumed = positions.arrays.keys() in ({"query"}, {"key"})
    if key.shape[-1] != keys:
        key = query[..., :keys] if queries > keys else query[..., -1:] - np.arange(keys)[::-1]
        assumed = True
    elif query.shape[-1] != queries:
        query = key[..., -queries:]
        assumed = True
    return ScorePositions(query, key, assumed)


def misfit(scores: StoredScores) -> InvalidArray:
    """The refusal of scores that do not belong to the query and the key."""
    return invalid_array(scores.path, scores.name, describe_shape(scores.shape), SHAPES)


def refuse_unfit_scores(query: Arrays, key: Arrays, scores: StoredScores) -> None:
    """Refuse scores that do not belong to the query and the key, or that are too many."""
    *leading, queries, features = query.shape
    *key_leading, keys, key_features = key.shape
    heads = leading[-1:] and key_leading[-1:] and leading[-1] % key_leading[-1] == 0
    fit = (
        leading[:-1] == key_leading[:-1]
        and (leading == key_leading or bool(heads))
        and features == key_features
        and scores.shape == (*leading, queries, keys)
        and math.prod(scores.shape) <= MOST_SCORES
    )
    if not fit:
        raise misfit(scores)


def refuse_masked_throughout(scores: StoredScores, masked: NDArray[np.bool_]) -> None:
    """Refuse scores that say nothing."""
    if masked.all():
        value = t("masked throughout", "целиком закрыт маской")
        accepted = t(
            "at least one score that is not masked", "хотя бы одна оценка, не закрытая маской"
        )
        raise invalid_array(scores.path, scores.name, value, accepted)


def refuse_huge(scores: StoredScores, values: Array) -> None:
    """Refuse scores whose quotients float64 cannot hold."""
    greatest = float(np.abs(values).max(initial=0.0))
    if greatest > GREATEST_NUMBER:
        number, limit = f"{greatest:.3g}", f"{GREATEST_NUMBER:g}"
        value = t(f"as large as {number}", f"наибольшее число {number}")
        accepted = t(f"numbers of at most {limit}", f"числа не больше {limit}")
        raise invalid_array(scores.path, scores.name, value, accepted)
