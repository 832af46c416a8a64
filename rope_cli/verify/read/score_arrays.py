"""Scores refused before they are compared: of wrong shape, too many, or too large."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.vocabulary import t
from rope_cli.user_input.array_refusals import describe_shape, invalid_array
from rope_cli.verify.read.aligned_arrays import Arrays
from rope_cli.verify.read.stored_array import StoredScores

MOST_SCORES, GREATEST_NUMBER = 1 << 22, 1e150
SHAPES = t(
    "[..., tokens, tokens] with the leading axes of the query, at most 2^22 scores",
    "[..., токены, токены] с теми же первыми осями, что у запроса, не больше 2^22 оценок",
)


def refuse_unfit_scores(query: Arrays, key: Arrays, scores: StoredScores) -> None:
    """Refuse scores that cannot be those of the query and the key."""
    refuse_misfit(query, key, scores)
    refuse_huge(scores)


def refuse_misfit(query: Arrays, key: Arrays, scores: StoredScores) -> None:
    """Refuse scores that do not belong to the query and the key, or that are too many."""
    *leading, tokens, features = query.shape
    *key_leading, key_tokens, key_features = key.shape
    heads = leading[-1:] and key_leading[-1:] and leading[-1] % key_leading[-1] == 0
    fit = (
        leading[:-1] == key_leading[:-1]
        and (leading == key_leading or bool(heads))
        and (tokens, features) == (key_tokens, key_features)
        and scores.shape == (*leading, tokens, tokens)
        and math.prod(scores.shape) <= MOST_SCORES
    )
    if not fit:
        raise invalid_array(scores.path, scores.name, describe_shape(scores.shape), SHAPES)


def refuse_huge(scores: StoredScores) -> None:
    """Refuse numbers whose products float64 cannot hold."""
    for stored in (scores.query, scores.key, scores):
        greatest = float(np.abs(stored.block(...)).max())
        if greatest > GREATEST_NUMBER:
            number, limit = f"{greatest:.3g}", f"{GREATEST_NUMBER:g}"
            value = t(f"as large as {number}", f"наибольшее число {number}")
            accepted = t(f"numbers of at most {limit}", f"числа не больше {limit}")
            raise invalid_array(stored.path, stored.name, value, accepted)
