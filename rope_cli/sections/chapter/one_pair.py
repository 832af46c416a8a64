"""One pair by hand: the four scores that a reader can check with the sine key of a calculator."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import TIGHT, Block, Signed, cue_of_difference, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, greatest_difference
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.worked_example import Example, as_array

TITLE = t("One pair by hand", "Одна пара вручную")
QUESTION = t(
    "q = [1, 0] stands at position m, k = [0, 1] at position n, and the pair turns by 1 "
    "radian per position. What is their dot product after the rotation at (m,n) = (0,0), "
    "(1,0), (3,2) and (0,1)?",
    "q = [1, 0] стоит в позиции m, k = [0, 1] — в позиции n, пара поворачивается на 1 радиан за "
    "позицию. Чему равно их скалярное произведение после поворота при (m,n) = (0,0), (1,0), "
    "(3,2) и (0,1)?",
)

CLAIMS = {
    "hand-scores": t(
        "the scores are 0, sin 1, sin 1 and -sin 1", "оценки равны 0, sin 1, sin 1 и -sin 1"
    ),
    "hand-rotations": t(
        "R(m)q = [cos m, sin m] and R(n)k = [-sin n, cos n]",
        "R(m)q = [cos m, sin m] и R(n)k = [-sin n, cos n]",
    ),
    "same-difference-same-score": t(
        "(1,0) and (3,2) have the same n-m and the same score",
        "у (1,0) и (3,2) одинаковы n-m и оценка",
    ),
    "both-rows-moved": t(
        "from (1,0) to (3,2) both rotated pairs change",
        "от (1,0) к (3,2) обе повёрнутые пары меняются",
    ),
}
POSITIONS = ((0, 0), (1, 0), (3, 2), (0, 1))


def gather(example: Example) -> Evidence:
    """The pair [1, 0], [0, 1] at each (m,n)."""
    embedding = example.embedding_for(2, 4, example.parameters.base)
    query, key = as_array([[1, 0]]), as_array([[0, 1]])
    queries = np.concatenate([example.rotate_query(query, m, embedding) for m, _ in POSITIONS])
    keys = np.concatenate([example.rotate_key(key, n, embedding) for _, n in POSITIONS])
    scores = (queries * keys).sum(axis=1)
    sines = [0.0, math.sin(1), math.sin(1), -math.sin(1)]
    rotations = [[math.cos(m), math.sin(m), -math.sin(n), math.cos(n)] for m, n in POSITIONS]
    moves = (greatest_difference(rows[1], rows[2]) for rows in (queries, keys))
    return Evidence(
        values={
            "hand_positions": [list(position) for position in POSITIONS],
            "hand_query": queries,
            "hand_key": keys,
            "hand_scores": scores,
        },
        checks=(
            agree("hand-scores", scores, sines, 1e-12),
            agree("hand-rotations", np.hstack([queries, keys]), rotations, 1e-12),
            agree("same-difference-same-score", scores[1:2], scores[2:3], 1e-12),
            Check("both-rows-moved", min(moves), 0.1, 4, "at least"),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The scores in a table, and the two of equal n-m."""
    positions, queries, keys, scores = (
        evidence[f"hand_{name}"] for name in ("positions", "query", "key", "scores")
    )
    return (
        table(
            None,
            (*left("(m,n)", "n-m", "R(m)q", "R(n)k"), *right(t("score", "оценка"))),
            (
                (
                    f"({m},{n})",
                    (Signed(n - m), TIGHT, cue_of_difference(n - m)),
                    vector(query),
                    vector(key),
                    score,
                )
                for (m, n), query, key, score in zip(positions, queries, keys, scores, strict=True)
            ),
        ),
        say(
            "From (1,0) to (3,2) both positions move by 2: q turns to {query} and k to {key}, the "
            "score stays {score}. Only the turn of k relative to q counts.",
            "От (1,0) к (3,2) обе позиции сдвигаются на 2: q переходит в {query}, k — в {key}, а "
            "оценка остаётся {score}. Важен только поворот k относительно q.",
            query=vector(queries[2]),
            key=vector(keys[2]),
            score=scores[2],
        ),
    )
